"""Searches over any Node. Each is a function of a node, a number of plies and an evaluation, and returns a Line."""

from pacman.search.alphabeta import alphabeta
from pacman.search.exhaustive import exhaustive

__all__ = ["alphabeta", "exhaustive"]
