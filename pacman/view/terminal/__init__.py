"""Games in characters.

text                    redraws the game in a terminal, or writes one picture per ply to a file: `Text`
page                    what fits into a terminal of a given size
board                   the board in colours, two pixels per character; or in letters
keys                    the keys that a person presses in the terminal
"""
