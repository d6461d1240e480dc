"""Events between two positions that a viewer should notice: a ghost is eaten, the game is won or lost."""

from __future__ import annotations

from pacman.core.rules import GHOST_POINTS, LOSE_POINTS, STOP, WIN_POINTS, GhostPose
from pacman.core.state import GameState, Place

LAST_MOVES = 10
"""A scared ghost blinks during its last ten scared moves."""
Cell = tuple[int, int]
"""(x, y) of a cell of the board."""


def is_eaten(before: GhostPose, after: GhostPose) -> bool:
    """True if Pacman ate the ghost between the two poses: it returned to its home without walking there."""
    (x, y), (to_x, to_y) = before.position, after.position
    recovered_early = before.timer > 1 and not after.is_scared
    return (
        recovered_early
        or abs(to_x - x) + abs(to_y - y) > 1
        or (before.is_scared and after.direction == STOP != before.direction)
    )


def scoring_events(before: GameState, after: GameState) -> list[tuple[int, Place]]:
    """(points, place) of each notable event between two positions: a ghost eaten, the game won or lost."""
    events: list[tuple[int, Place]] = []
    for old, new in zip(before.ghosts, after.ghosts, strict=True):
        if is_eaten(old, new):
            events.append((GHOST_POINTS, old.position))
    if after.is_terminal and not before.is_terminal:
        events.append((WIN_POINTS if after.is_win else LOSE_POINTS, after.pacman.position))
    return events
