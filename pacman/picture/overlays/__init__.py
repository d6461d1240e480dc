"""The overlays: what a view shows of a search on the board.

overlay   the table of overlays: how each of them is drawn in each view
on_board  drawn with pixels, in a window and in a film
as_text   in a terminal: the words below the board, and the colours of its cells
"""
