"""Games as files.

film           a game, or several side by side, to a GIF, WebP, MP4 or PNG
shots          its moments, one a frame
encode         pictures into the bytes of a file
"""
