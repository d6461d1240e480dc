"""Games as files.

film           writes one game, or several side by side, to a GIF, WebP, MP4 or PNG
encode         turns pictures into the bytes of a file
"""
