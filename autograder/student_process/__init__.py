"""Everything that runs in the same process as graded code. It runs in the sandbox, and the grader does not trust it.

It knows no right answer, no other case and no score, and imports nothing of the grader.
"""
