"""Games recorded by another engine, replayed: every recorded field must be reproduced.

A recording is lines of JSON, packed with gzip or plain: `game` (layout rows, start), `turn` (agent, legal actions,
action, position after it) and `end`. Coordinates are (x, y) from the bottom left; agents move in index order.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pacman.core.errors import IllegalAction, InputError, one_line
from pacman.core.layout import Layout
from pacman.core.state import GameState, start


@dataclass(frozen=True)
class Difference:
    """The first field in which the engines do not agree; `ply` is None for the start of a game."""

    file: Path
    game: object
    ply: object
    field: str
    expected: object
    got: object

    def __str__(self) -> str:
        where = "start" if self.ply is None else f"ply {self.ply}"
        return f"{self.file}: game {self.game}, {where}, {self.field}: expected {self.expected}, got {self.got}"


@dataclass(frozen=True)
class Conformance:
    """How much of a recording was replayed, and the first difference, if there is one.

    `strange` are recorded fields of positions that we know nothing of: they are not compared.
    """

    games: int
    plies: int
    difference: Difference | None
    strange: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.difference:
            return str(self.difference)
        unread = f" (not compared: {', '.join(self.strange)})" if self.strange else ""
        return f"{self.games} games, {self.plies} plies agree{unread}"


def conform(path: Path) -> Conformance:
    """Replays every game of a recording up to the first difference. InputError when it cannot be read."""
    games = plies = 0
    state: GameState | None = None
    name: object = None
    strange: dict[str, None] = {}
    for number, entry in enumerate(_lines(path), 1):
        try:
            kind = entry["type"]
            if kind == "game":
                name = entry.get("game", games)
                state = start(Layout.parse("\n".join(entry["layout"]), f"{path}: game {name}"), order="index")
                games += 1
                strange |= dict.fromkeys(entry["start"].keys() - FIELDS)
                ply, difference = None, _compare(state, entry["start"])
            elif kind == "turn" and state is not None:
                ply, agent, action = entry["ply"], entry["agent"], entry["action"]
                if type(agent) is not int or not 0 <= agent <= len(state.ghosts):
                    raise InputError(f"{path}:{number}: agent {one_line(agent)}; expected 0 to {len(state.ghosts)}")
                difference = _first({"legal": entry["legal"]}, {"legal": list(state.actions(agent))})
                if difference is None:
                    try:
                        state = state.successor(action, agent)
                        difference = _compare(state, entry["after"])
                    except IllegalAction:
                        difference = ("action", action, "an illegal action")
                plies += 1
            elif kind == "end" and state is not None:
                reason = "win" if state.is_win else "lose" if state.is_lose else "max_plies"
                ply, difference = entry.get("ply", "end"), _first({"reason": entry.get("reason")}, {"reason": reason})
            else:
                what = "a game before its turns" if kind in ("turn", "end") else "a line of type game, turn or end"
                raise InputError(f"{path}:{number}: expected {what}, not {one_line(kind)}")
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise InputError(f"{path}:{number}: not a line of a recording: {type(error).__name__} {error}") from None
        if difference:
            return Conformance(games, plies, Difference(path, name, ply, *difference))
    if not plies:
        raise InputError(f"{path}: holds no game" if not games else f"{path}: holds no turn")
    return Conformance(games, plies, None, tuple(sorted(strange)))


Field = tuple[str, object, object]
FIELDS = {"pacman", "pacmanDir", "ghosts", "food", "capsules", "score", "isWin", "isLose", "foodCells"}


def _first(recorded: dict[str, Any], ours: dict[str, Any]) -> Field | None:
    """The first recorded field that ours is different from: its name, and both."""
    return next(((name, value, ours[name]) for name, value in recorded.items() if value != ours[name]), None)


def _compare(state: GameState, recorded: dict[str, Any]) -> Field | None:
    """The first field of a recorded position that ours does not have. KeyError for one that is not recorded."""
    ours: dict[str, Any] = {
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
    if missing := [name for name in ours if name not in recorded]:
        raise KeyError(missing[0])
    known = {name: value for name, value in recorded.items() if name in ours}
    return _first(known | {name: sorted(known[name]) for name in ("capsules", "foodCells")}, ours)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
        opener = gzip.open if packed else open
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                entry = json.loads(line)
                if not isinstance(entry, dict):
                    raise InputError(f"{path}:{number}: expected a JSON object")
                yield entry
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (EOFError, zlib.error):
        raise InputError(f"{path}: the packed file is cut off or damaged") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not lines of JSON: {error}") from None
