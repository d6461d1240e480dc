"""Which files of a release for students contain a search.

Ghosts, overlays and the grader need these searches, so students can read them. Staff who read submissions can compare a
student's search with them.
"""

from __future__ import annotations

SEARCHES = {
    "pacman/search/exhaustive.py": "minimax, expectimax and expectiminimax in one short function, without cuts",
    "pacman/search/alphabeta.py": "alpha-beta",
    "pacman/search/star1.py": "alpha-beta with cuts at chance nodes (Star1)",
    "pacman/search/star2.py": "Star1 with probes (Star2 and Star2.5)",
    "pacman/search/deepening.py": "iterative deepening: one of these searches with more and more plies",
    "pacman/kernel/search.py": "the same searches for the compiler numba, with a stack in arrays",
    "pacman/kernel/solve.py": "the value of every position of a small board, by sweeps over all positions",
    "autograder/judge/wrong_searches/simulation.py": "a simulated search with a switch for each known mistake",
}
"""Path in the release -> what the search is. All other files only call these searches."""
