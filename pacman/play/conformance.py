"""Replays games that another engine recorded, and compares every recorded field with this project's rules.

A recording is a file of JSON lines, plain or compressed with gzip. A line has one of three types: `game` (layout rows,
start), `turn` (agent, legal actions, action, position after it) or `end`. Coordinates are (x, y) from the bottom left.
The agents move in the order of their index.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pacman.core.errors import IllegalAction, InputError, one_line
from pacman.core.layout import Layout
from pacman.core.state import GameState, start
from pacman.core.text_file import check_kind
from pacman.core.words import counted, reason_of

MAX_BYTES = 32_000_000
"""The largest recording, unpacked: ten times the largest of ours. A small compressed file can unpack to gigabytes."""
MAX_LINE = 1_000_000
"""The longest line, in bytes. A position of the largest layout has a tenth of this; parsed JSON takes much memory."""


@dataclass(frozen=True)
class FieldDifference:
    """The first field with different values in the two engines; `ply` is None for the start of a game."""

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
    """How many games and plies were replayed, and the first difference, or None.

    `unknown_fields` are the recorded fields of positions that this project does not have; they are not compared.
    """

    games: int
    plies: int
    difference: FieldDifference | None
    unknown_fields: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.difference:
            return str(self.difference)
        not_compared = f" (not compared: {', '.join(self.unknown_fields)})" if self.unknown_fields else ""
        return f"{counted(self.games, 'game')}, {counted(self.plies, 'ply')}: no difference{not_compared}"


def conform(path: Path) -> Conformance:
    """Replay every game of a recording, up to the first difference. InputError if the file cannot be read."""
    games = plies = 0
    state: GameState | None = None
    name: object = None
    unknown_fields: dict[str, None] = {}
    for number, entry in enumerate(_lines(path), 1):
        ply: object = None
        try:
            kind = entry["type"]
            if kind == "game":
                name = entry.get("game", games)
                state = start(Layout.parse("\n".join(entry["layout"]), f"{path}: game {name}"), order="index")
                games += 1
                unknown_fields |= dict.fromkeys(entry["start"].keys() - FIELDS)
                difference = _compare(state, entry["start"])
            elif kind == "turn" and state is not None:
                ply = entry["ply"]
                state, difference = _turn(state, entry, f"{path}:{number}")
                plies += 1
            elif kind == "end" and state is not None:
                reason = "win" if state.is_win else "lose" if state.is_lose else "max_plies"
                ply = entry.get("ply", "end")
                difference = _first_difference({"reason": entry.get("reason")}, {"reason": reason})
            else:
                what = "game" if kind in ("turn", "end") else "game, turn or end"
                raise InputError(f"{path}:{number}: expected a line of type {what}, got {one_line(kind)}")
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise InputError(f"{path}:{number}: not a line of a recording: {type(error).__name__} {error}") from None
        if difference:
            return Conformance(games, plies, FieldDifference(path, name, ply, *difference))
    if not plies:
        raise InputError(f"{path}: the file contains no {'turn' if games else 'game'}")
    return Conformance(games, plies, None, tuple(sorted(unknown_fields)))


Field = tuple[str, object, object]
FIELDS = {"pacman", "pacmanDir", "ghosts", "food", "capsules", "score", "isWin", "isLose", "foodCells"}


def _turn(state: GameState, entry: dict[str, Any], where: str) -> tuple[GameState, Field | None]:
    """The position after a recorded turn, and the first field that differs. InputError if there is no such agent."""
    agent, action = entry["agent"], entry["action"]
    if type(agent) is not int or not 0 <= agent <= len(state.ghosts):
        raise InputError(f"{where}: no agent {one_line(agent)}; expected a number from 0 to {len(state.ghosts)}")
    difference = _first_difference({"legal": entry["legal"]}, {"legal": list(state.actions(agent))})
    if difference:
        return state, difference
    try:
        state = state.successor(action, agent)
    except IllegalAction:
        return state, ("action", action, "an illegal action")
    return state, _compare(state, entry["after"])


def _first_difference(recorded: dict[str, Any], ours: dict[str, Any]) -> Field | None:
    """The first recorded field that has another value here: its name, the recorded value, our value."""
    return next(((name, value, ours[name]) for name, value in recorded.items() if value != ours[name]), None)


def _compare(state: GameState, recorded: dict[str, Any]) -> Field | None:
    """The first field that differs between a recorded position and ours. KeyError if a field is not recorded."""
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
    return _first_difference(known | {name: sorted(known[name]) for name in ("capsules", "foodCells")}, ours)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        check_kind(path)
        with path.open("rb") as raw:
            is_compressed = raw.read(2) == b"\x1f\x8b"
        with gzip.open(path) if is_compressed else path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            size = f"more than {MAX_BYTES:,} bytes{' unpacked' if is_compressed else ''}"
            raise InputError(f"{path}: the file is too large: {size}; split it into several files")
        for number, line in enumerate(io.BytesIO(content), 1):
            if len(line) > MAX_LINE:
                raise InputError(f"{path}:{number}: the line is too long; expected at most {MAX_LINE:,} bytes")
            entry = json.loads(line.decode())
            if not isinstance(entry, dict):
                raise InputError(f"{path}:{number}: expected a JSON object")
            yield entry
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {reason_of(error)}") from None
    except (EOFError, zlib.error):
        raise InputError(f"{path}: the compressed file is incomplete or damaged") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not lines of JSON: {error}") from None
