"""One moment of a game as a picture of any size, for windows and films.

snapshot, animation   what the picture shows at one moment, while time passes: no pixels
regions               where everything is in the picture
paint                 the picture: walls, Pacman and ghosts, made of `sprites`; `status_bars`, `timeline_bar`, `notices`
icons                 small pictures that bars, overlays and trees are made of
canvas                drawing, a window and its keys: the only file that uses pygame
"""
