"""The numbers that the compiled code uses as codes, and their meanings."""

from __future__ import annotations

# A position is one row of numbers: first these fields, then the stand and the timer of each ghost.
CELL, LEFT, SCORE, OUTCOME, GHOSTS = range(5)
NOTHING, FOOD, CAPSULE = range(3)
MAX, CHANCE, MIN = range(3)
LIVE, SCARED, RECOVERING = range(3)
"""How a ghost moves: LIVE a whole cell, SCARED half a cell, RECOVERING half a cell and then to a whole cell."""
UNIFORM = -1.0
"""The mass of a ghost that is not directional."""
WIDEST = 5
"""The largest number of actions that an agent can have."""
IS_SCORE = 8
"""A bit next to the index of an action: the value of the action is the score of a leaf."""

# The indices in `SearchWork.counts` of the fields of `pacman.search.algorithms.Statistics`:
NODES, ENTRIES, LEAVES, EXPANDED, GENERATED, CUTOFFS, PROBES, PROBE_CUTOFFS, TABLE_HITS, DEPTH = range(10)
COUNTS = 10
"""How many counts there are. No compiled search probes, so three of them stay 0."""
