"""What a search found at a position, in words and as a tree. Nothing here knows an agent: callers pass `Analyse`.

search_report        `SearchReport`: frozen data about one search of one position
report_from_trace    creates a report from the trace of a search
worker               creates reports in a thread, for the positions that the window shows
tree_browser, panel  the tree beside the board: which rows it has, and how they are drawn
lecture_layout       which part of a tree fits into a picture in large type, and where its nodes are
lecture_picture      draws this part, as a textbook does
why                  why a search chose its action, in sentences
arithmetic           how a value follows from the successors, as one line of words
"""
