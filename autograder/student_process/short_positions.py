"""A position of a game in a few numbers, for a process that knows an earlier position of the same game."""

from __future__ import annotations

from typing import Any

from pacman.core.state import GameState


def shorten(state: GameState) -> list[Any]:
    """What a message says about a position in which the game goes on: all that can change during a game."""
    return [
        state.mover,
        state.score,
        format(state.food_mask, "x"),
        format(state.capsule_mask, "x"),
        [state.pacman.cell, state.pacman.direction],
        [[*ghost.place, ghost.direction, ghost.timer] for ghost in state.ghosts],
    ]


def restore(message: list[Any], earlier: GameState) -> GameState:
    """The position that `shorten` made the message from. `earlier` is any position of that game."""
    mover, score, food, capsules, pacman, ghosts = message
    poses = earlier.pacman.poses
    return GameState(
        earlier.round.turns[mover],
        poses.pacman(*pacman),
        tuple(poses.ghost((x, y), direction, timer) for x, y, direction, timer in ghosts),
        earlier.homes,
        int(food, 16),
        int(capsules, 16),
        score,
    )
