"""The student's side of the line of trust: all that runs in one process with graded code, and nothing else.

It knows no reference, no other case and no score, and imports nothing of the grader.
"""
