"""Games in a window that can be resized.

window            one game after another, or several side by side: `Window`
controller        one game or a few side by side, until the viewer stops: keys, mouse, time
session           what stays the same from one game to the next
pane              one of the games in it
search_display    the search that is shown with it: an overlay, the tree, sentences, a quiz
comparison        where each of several games is, their time line, and where their choices differ
tree_window       a searched tree alone, without a board
frame_timing      frames in time while agents think, and Ctrl-C between two frames
"""
