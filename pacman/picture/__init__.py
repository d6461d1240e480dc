"""Boards and trees as pictures, in pixels and as SVG. Nothing here knows an agent.

moment                           what is visible between two plies, while time passes: who is where, what is eaten
screen_regions                   where everything is in the picture
paint                            the picture: walls, Pacman and ghosts, made of `sprites`; how the end of a game looks
bars                             the bars around the board, messages and sentences below it, and the help
sprites                          how agents, walls, layer signs, lines and dots look
canvas                           drawing: the only file that imports pygame
tree                             a game tree, drawn or searched: its nodes, places, drawing; and the SVG of any value
lecture                          the part of a tree that fits into a window in large type

board                            the picture of a position (SVG), and of a played game whose agents a script moves
colours                          the colours of everything, in three themes, and for pages of a browser
svg                              a canvas that writes SVG
overlays                         the result of a search on the board
"""
