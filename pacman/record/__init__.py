"""What a search did, whoever wrote it: recorded, as a report, as rows, in words. It knows no algorithm and no screen.

trace         `Trace`: the nodes that were made and entered, with windows, values and reasons
watcher       the calls, returns, successors and lines that the code of a file ran through
rewriting     changes a file so that it reports to the watcher
program       starts a file of a user from its source, so that no bytecode is beside it
calls         the visits of a watched search: which call belongs to which node
reading       which numbers in a watched search are the value of a node, its plies and its window
report        `SearchReport`: frozen data about one search of one position, made from its trace
steps         in what order a search entered, narrowed, cut and left, folded from its report
rows          which rows the tree of a report has, folded or open
why           why a search chose its action, in sentences
words         how a value follows from the successors, and what happens in a step, in one line of words
"""
