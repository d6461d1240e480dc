"""Games in a window that can be resized.

window         one game after another, or several side by side: `Window`
session        one game or a few side by side, until the viewer stops: keys, mouse, time
pane           one of the games in it
frame_timing   frames in time while agents think, and Ctrl-C between two frames
"""
