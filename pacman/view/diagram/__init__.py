"""Positions and game trees as SVG files.

notebook       the picture of each: `svg`, and what a notebook shows
board          a position
tree, tidy     a game tree, drawn or searched; where its nodes stand
marks          what pictures are made of, as text
"""
