"""What a search found, and how it is shown. Whoever has an agent hands in a `Analyse`; nothing here knows one.

look           from the trace of a search to a `study`: frozen data about one position
desk           studies made in a thread, as they are asked for
sight          what of them is on: an overlay, the panel, both or neither
overlay        values, principal line, heat, layers on the board, made of `marks`
browse, panel  the tree beside the board: which rows it has, and their picture
figures        numbers in a few characters
"""
