"""Grades search agents: cases in, a scorecard out. A submission runs in a process of its own and only makes claims."""

import sys

if sys.argv[:1] == ["-m"]:  # `python -m autograder`
    # Our package `pacman`, and not one of the current folder. Its first lines end imports from the current folder.
    sys.path.insert(0, f"{__path__[0]}/..")
    import pacman  # noqa: F401
