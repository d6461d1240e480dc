"""The tree of a search beside the board. Nothing here knows an agent: callers pass `Analyse`.

worker           creates reports in a thread, for the positions that the window shows
panel            the tree as a list: how its rows are drawn
lecture_layout   which part of a tree fits into a picture in large type, and where its nodes are
lecture_picture  draws this part, as a textbook does
"""
