"""One moment of a game as a picture of any size, for windows and films.

moment, scene     what is to be seen at one instant, while time passes: pure, no pixel
frame             where everything goes
paint             the picture: walls and everyone, made of `sprites`; `bars`, `track` and `notices` around and over it
canvas            drawing, a window and its keys: the only file that knows pygame
"""
