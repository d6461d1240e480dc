"""Games in a window that can be resized.

window         one game after another, or several side by side: `Window`
session        what is shown until the viewer wants something else: keys, mouse, time
pane           one of the games in it
steady         frames in time, whatever else runs, and Ctrl-C between two of them
"""
