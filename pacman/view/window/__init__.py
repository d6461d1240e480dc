"""Games in a window that can be resized.

window         games one after another: `Window`
watch          one game in it, frame by frame: keys, mouse, time
beside, lane   several games beside one another: `Beside`
saved          a picture of it as a file
interrupt      Ctrl-C between two frames
steady         frames in time, whatever else runs
"""
