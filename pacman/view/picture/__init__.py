"""One moment of a game as a picture of any size, for windows and films.

visible_state, animation   what the picture shows at one moment, while time passes: no pixels
screen_regions, placement  where everything is in the picture, and where a text hides no agent
paint                      the picture: walls, Pacman and ghosts, made of `sprites`; what the end of a game looks like
status_bars, timeline_bar  the bars around the board
notices                    messages and sentences below the board, and the help
icons                      small pictures that bars, overlays and trees are made of
canvas                     drawing: the only file that imports pygame
frame                      the canvas of a window, drawn again only where the picture changed
screen                     a window on the screen, and what its viewer does
"""
