"""Games in a window that can be resized.

window            one game after another, or several side by side: keys, mouse, time; `Window`
pane              one of the games in it
search_display    the search that is shown with it: an overlay, the tree, sentences, a quiz
comparison        where each of several games is, their time line, and where their choices differ
tree_window       a searched tree alone, without a board
"""
