"""Games as files.

film           a game, or several beside one another, to a GIF, WebP, MP4 or PNG
shots          its moments, one a frame
studio         a moment as a picture, with an overlay and the tree
encode         pictures into the bytes of a file
"""
