"""What the numbers stand for that the compiled code works with."""

from __future__ import annotations

# A position is one row of numbers: these, then stand and timer of each ghost.
CELL, LEFT, SCORE, OUTCOME, GHOSTS = range(5)
NOTHING, FOOD, CAPSULE = range(3)
MAX, CHANCE, MIN = range(3)
LIVE, SCARED, RECOVERING = range(3)
"""How a ghost moves: a whole cell, half a cell, or half a cell and then onto a whole one."""
RANDOM, GREEDY, REFLEX, ALPHABETA, EXHAUSTIVE = range(5)
"""How an agent of a compiled game chooses."""
UNIFORM = -1.0
"""The mass of a ghost that is not directional."""
WIDEST = 5
"""The most actions that anybody has."""
WHOLE = 8
"""A bit beside the place of an action: the value that it earns is the score of a leaf."""

# The places of the fields of `pacman.search.algorithms.Statistics` in `Work.counts`, and one more:
NODES, ENTRIES, LEAVES, EXPANDED, GENERATED, CUTOFFS, PROBES, PROBE_CUTOFFS, TABLE_HITS, DEPTH, FILLED = range(11)
"""FILLED counts the places of `Probes.keys` that are taken."""
