"""One submission graded: run, judge, explain. What commands and platforms call."""
