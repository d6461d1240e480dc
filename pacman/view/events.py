"""What happens between two positions that a viewer should notice: ghosts eaten, the game won or lost."""

from __future__ import annotations

from pacman.core.rules import GHOST_POINTS, LOSE_POINTS, STOP, WIN_POINTS, GhostPose
from pacman.core.state import GameState

LAST_MOVES = 10
"""A scared ghost blinks for this many moves before it recovers."""
Place = tuple[float, float]


def jumps(before: GhostPose, after: GhostPose) -> bool:
    """True for an eaten ghost: it is put back at its home, it does not walk there."""
    (x, y), (to_x, to_y) = before.position, after.position
    recovered_early = before.timer > 1 and not after.is_scared
    return (
        recovered_early
        or abs(to_x - x) + abs(to_y - y) > 1
        or (before.is_scared and after.direction == STOP != before.direction)
    )


def winnings(before: GameState, after: GameState) -> list[tuple[int, Place]]:
    """The points worth a word between two positions, and where: ghosts eaten, the game won or lost."""
    found: list[tuple[int, Place]] = []
    for old, new in zip(before.ghosts, after.ghosts, strict=True):
        if jumps(old, new):
            found.append((GHOST_POINTS, old.position))
    if after.is_terminal and not before.is_terminal:
        found.append((WIN_POINTS if after.is_win else LOSE_POINTS, after.pacman.position))
    return found
