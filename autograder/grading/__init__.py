"""Grades one submission: runs, judges and explains each case. Commands and platforms call this."""
