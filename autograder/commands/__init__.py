"""The commands of `python -m autograder`, one file each."""
