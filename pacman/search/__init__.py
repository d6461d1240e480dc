"""Searches for any Node: functions of a node, a number of plies and an evaluation. Each returns a Line."""

from pacman.search.algorithms import ALGORITHMS, Options, SearchResult, Statistics, run_search
from pacman.search.alphabeta import alphabeta
from pacman.search.bounds import constant_bounds
from pacman.search.deepening import deepening
from pacman.search.exhaustive import exhaustive
from pacman.search.star1 import star1
from pacman.search.star2 import star2

__all__ = [
    "ALGORITHMS",
    "SearchResult",
    "Options",
    "Statistics",
    "alphabeta",
    "deepening",
    "constant_bounds",
    "exhaustive",
    "run_search",
    "star1",
    "star2",
]
