"""Games in characters.

text           redrawn in place in a terminal, or a picture a ply in any file: `Text`
blocks         the board in colours, two pixels a character
glyphs         the board in letters and joined lines
keys           what is typed, as it is typed
"""
