"""Replays games that another engine recorded, and compares every recorded field with this project's rules.

A recording is a file of JSON lines, compressed with gzip. A line has one of three types: `game` (layout rows, start),
`turn` (agent, legal actions, action, position after it) or `end`. Coordinates are (x, y) from the bottom left. The
agents move in the order of their index.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, NamedTuple

from pacman import GameState, Layout, start

Turn = dict[str, Any]


class Difference(NamedTuple):
    """The first field with different values in the two engines; `ply` is None for the start of a game."""

    game: int
    ply: int | None
    field: str
    expected: object
    got: object


def recorded_lines(path: Path) -> list[Turn]:
    """The lines of a recording."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def first_difference(lines: list[Turn]) -> Difference | None:
    """Plays every game of a recording; the first difference from it, or None. KeyError if a field is not recorded."""
    game, state = 0, start("nook")
    for line in lines:
        if line["type"] == "game":
            game = line["game"]
            state = start(Layout.parse("\n".join(line["layout"])), order="index")
            recorded, ours = _position(line["start"]), _fields(state)
        elif line["type"] == "turn":
            recorded, ours = {"legal": line["legal"]}, {"legal": list(state.actions(line["agent"]))}
            if recorded == ours:
                state = state.successor(line["action"], line["agent"])
                recorded, ours = _position(line["after"]), _fields(state)
        else:
            recorded = {"reason": line["reason"]}
            ours = {"reason": "win" if state.is_win else "lose" if state.is_lose else "max_plies"}
        for field, value in ours.items():
            if recorded[field] != value:
                return Difference(game, line.get("ply"), field, recorded[field], value)
    return None


def _position(recorded: Turn) -> Turn:
    """A recorded position, with the capsules and the food in a fixed order."""
    return recorded | {name: sorted(recorded[name]) for name in ("capsules", "foodCells")}


def _fields(state: GameState) -> Turn:
    """Our position in the form of a recorded one."""
    return {
        "pacman": list(state.pacman.position),
        "pacmanDir": state.pacman.direction,
        "ghosts": [[*ghost.position, ghost.direction, ghost.timer] for ghost in state.ghosts],
        "food": state.food_left,
        "capsules": sorted(map(list, state.capsules)),
        "score": state.score,
        "isWin": state.is_win,
        "isLose": state.is_lose,
        "foodCells": sorted(map(list, state.food)),
    }
