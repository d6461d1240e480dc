"""Searches over any Node. Each is a function of a node, a number of plies and an evaluation, and returns a Line."""

from pacman.search.algorithms import ALGORITHMS, Found, Options, Statistics, find
from pacman.search.alphabeta import alphabeta
from pacman.search.bounds import clipped, everywhere
from pacman.search.deepening import deepening
from pacman.search.exhaustive import exhaustive
from pacman.search.star1 import star1
from pacman.search.star2 import star2

__all__ = [
    "ALGORITHMS",
    "Found",
    "Options",
    "Statistics",
    "alphabeta",
    "clipped",
    "deepening",
    "everywhere",
    "exhaustive",
    "find",
    "star1",
    "star2",
]
