"""A searched game tree as an SVG file.

tree           the picture: `svg`
tidy           where its nodes stand
svg            the marks it is made of, as text
"""
