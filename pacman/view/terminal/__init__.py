"""Games in characters.

text           redraws the game in a terminal, or writes one picture per ply to a file: `Text`
blocks         the board in colours, two pixels per character
glyphs         the board in letters and joined lines
printed_lines  what agents print meanwhile
keys           the keys that a person presses in the terminal
"""
