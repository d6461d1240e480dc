"""Recordings: a game is written to a file while it is played, and is read back by playing its moves again.

The file has one JSON object per line. The first line is the header: format, version, first position, names, seed, and
the time limit of a move in seconds. Then comes one line per ply: agent, action, seconds, and `check`, the CRC-32 of the
position after the ply. The last line has the result and the CRC-32 of all lines before it.
A file without the last line is incomplete. It can be replayed up to its last complete ply, with a note.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TextIO

from pacman.core.errors import IllegalAction, InputError, one_line
from pacman.core.state import GameState
from pacman.core.text_file import read_bytes
from pacman.play.game import Fault, Game, Ply, Result

FORMAT, VERSION = "pacman-game", 1
MAX_BYTES = 16_000_000
"""The largest recording: 200,000 plies, twenty times the longest game without an option. They take 100 MB of memory."""
MAX_LINE = 200_000
"""The longest line, in bytes: ten times the largest layout. Parsed JSON takes much more memory than its text."""


class ReplayError(InputError):
    """The error for an unreadable recording, or one that breaks the rules; names the file and the line or ply."""


def check(state: GameState) -> int:
    """The CRC-32 of a position's text."""
    return zlib.crc32(str(state).encode())


class Recorder:
    """A context manager that writes each ply of a game to `path` at once; an interrupted game keeps its plies.

    It overwrites an older recording. InputError if another file exists at `path`, or if the file cannot be written.
    """

    def __init__(self, path: Path, game: Game) -> None:
        self.path, self.game, self.checksum = path, game, 0
        try:
            _refuse_other_file(path)
            self.file: TextIO = path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        game.watchers = (*game.watchers, self.write_ply)

    def __enter__(self) -> Self:
        game = self.game
        self._line(
            {
                "format": FORMAT,
                "version": VERSION,
                "start": str(game.start).split("\n"),
                "names": list(game.names),
                "seed": game.seed,
                "move_timeout": game.move_timeout,
            }
        )
        return self

    def write_ply(self, ply: Ply) -> None:
        """Writes one line for `ply`. InputError if the file cannot be written."""
        seconds, crc = round(ply.seconds, 6), check(ply.state)
        self._line({"ply": ply.number, "agent": ply.agent, "action": ply.action, "seconds": seconds, "check": crc})

    def __exit__(self, *error: object) -> None:
        if self.game.result is not None:
            self._line({"end": self.game.result.as_json(), "sum": self.checksum})
        with suppress(OSError):  # `_line` has already reported a full disk
            self.file.close()

    def _line(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry, separators=(",", ":")) + "\n"
        try:
            self.file.write(line)
            self.file.flush()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None
        self.checksum = zlib.crc32(line.encode(), self.checksum)


@dataclass
class Replay:
    """An iterator that plays a recorded game again. `note` says that the file is incomplete; "" if it is complete.

    `result` is None until the last ply; then it is the recorded result, or None if the file is incomplete.
    """

    path: Path
    start: GameState
    names: tuple[str, ...]
    seed: int
    moves: tuple[dict[str, Any], ...]
    end: Result | None
    note: str = ""
    move_timeout: float | None = None
    result: Result | None = field(init=False, default=None)

    @classmethod
    def load(cls, path: Path) -> Replay:
        """The recording in a file. ReplayError if it is no recording, has a newer version, or was changed."""
        try:
            lines = read_bytes(path, MAX_BYTES).split(b"\n")
        except OSError as error:
            raise ReplayError(f"{path}: cannot be read: {error.strerror}") from None
        except InputError as error:
            raise ReplayError(str(error)) from None
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_LINE:
                raise ReplayError(f"{path}:{number}: the line is too long; expected at most {MAX_LINE:,} bytes")
        header = _entry(lines[0])
        if not header and len(lines) == 1 and _is_begun(lines[0]):
            raise ReplayError(f"{path}: incomplete: the file ends in its first line, before the first position")
        if header.get("format") != FORMAT:
            raise ReplayError(f'{path}:1: not a recorded game; expected a line with "format": "{FORMAT}"')
        if (version := header.get("version")) != VERSION:
            raise ReplayError(f"{path}:1: format version {one_line(version)}; this program reads version {VERSION}")
        moves: list[dict[str, Any]] = []
        end, total, note = None, zlib.crc32(lines[0] + b"\n"), ""
        for number, line in enumerate(lines[1:], 2):
            entry = _entry(line)
            if "end" in entry:
                if entry.get("sum") != total:
                    problem = "wrong checksum: the file was changed after it was written"
                    raise ReplayError(f"{path}:{number}: {problem}")
                end = _result(entry["end"])
                if end is None:
                    raise ReplayError(f"{path}:{number}: the result of the game cannot be read")
                if any(line.strip() for line in lines[number:]):
                    raise ReplayError(f"{path}:{number + 1}: expected nothing after the result of the game")
                break
            is_ply = entry.get("ply") == len(moves) and isinstance(entry.get("action"), str)
            if not is_ply or type(entry.get("seconds")) not in (int, float):
                if number < len(lines) - 1:  # only the last line can be incomplete
                    raise ReplayError(f"{path}:{number}: expected ply {len(moves)}")
                break
            moves.append({key: entry.get(key) for key in PLY if not isinstance(entry.get(key), dict | list)})
            total = zlib.crc32(line + b"\n", total)
        if end is None:
            count = f"{len(moves)} {'ply' if len(moves) == 1 else 'plies'}"
            note = f"{path}: the recording is incomplete; it ends after {count}"
        try:
            start = GameState.parse("\n".join(header["start"]))
            names = tuple(str(name) for name in header["names"])
            seed = header["seed"]
            if type(seed) is not int:
                raise ValueError(f"seed: expected a whole number, got {one_line(seed)}")
            limit = header.get("move_timeout")
            if limit is not None and type(limit) not in (int, float):
                raise ValueError(f"move_timeout: expected a number of seconds, got {one_line(limit)}")
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ReplayError(f"{path}:1: the header cannot be read: {one_line(error, 300, str)}") from None
        return cls(path, start, names, seed, tuple(moves), end, note, limit)

    def __iter__(self) -> Iterator[Ply]:
        state = self.start
        for move in self.moves:
            number, agent, problem = move["ply"], state.mover, ""
            try:
                state = state.successor(move["action"])
            except IllegalAction as error:
                problem = one_line(str(error).split("\n")[0].removesuffix("; in"), 300, str)
            if move.get("agent") != agent:
                problem = f"expected a move of agent {agent}, got agent {one_line(move.get('agent'))}"
            elif not problem and move.get("check") != check(state):
                problem = "by the rules the move leads to another position than the recorded one"
            if problem:
                raise ReplayError(f"{self.path}: ply {number}: {problem}")
            yield Ply(number, agent, move["action"], state, move["seconds"])
        if self.end is not None:
            self._check_result(self.end, state)
        self.result = self.end

    def _check_result(self, end: Result, state: GameState) -> None:
        """Raises ReplayError unless the recorded result is the result of the recorded moves."""
        outcome = "win" if state.is_win else "loss" if state.is_lose else end.outcome
        result = replace(end, outcome=outcome, score=state.score, plies=len(self.moves), seed=self.seed)
        if result != end or (end.outcome in ("win", "loss") and not state.is_terminal):
            raise ReplayError(f"{self.path}: the recorded result is not the result of the recorded moves")


def _is_begun(line: bytes) -> bool:
    """True if `line` is the beginning of a recording's first line; a file that was just created is empty."""
    beginning = b'{"format":"' + FORMAT.encode() + b'",'
    return line.startswith(beginning) or beginning.startswith(line)


def _entry(line: bytes) -> dict[str, Any]:
    """The JSON object on a line; an empty one if the line is no JSON object."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


PLY = ("ply", "agent", "action", "seconds", "check")
OUTCOMES = ("win", "loss", "truncated", "fault")
END: dict[str, Any] = {
    "outcome": str, "score": int, "plies": int, "seed": int, "seconds": list, "fault": dict | None
}  # fmt: skip

FAULT: dict[str, type] = {"agent": int, "ply": int, "reason": str, "where": str}


def _result(end: Any) -> Result | None:
    """The result in the last line; None unless it has every field, with the right type."""
    is_valid = isinstance(end, dict) and end.keys() == END.keys() and end["outcome"] in OUTCOMES
    is_valid = is_valid and all(isinstance(end[key], kind) for key, kind in END.items())
    if not is_valid or not all(isinstance(seconds, int | float) for seconds in end["seconds"]):
        return None
    fault = None if end["fault"] is None else _fault(end["fault"])
    if fault is None is not end["fault"]:
        return None
    return Result(**end | {"seconds": tuple(end["seconds"]), "fault": fault})


def _fault(entry: dict[str, Any]) -> Fault | None:
    """The fault in a result; None if it is no fault. Older files have no `where`."""
    entry = {"where": ""} | entry
    if entry.keys() != FAULT.keys() or not all(type(entry[key]) is kind for key, kind in FAULT.items()):
        return None
    texts = {key: one_line(entry[key], 500, str) for key in ("reason", "where")}
    return Fault(**entry | texts)


def _refuse_other_file(path: Path) -> None:
    """Raises InputError if something other than a recording or an empty file exists at `path`."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: not a regular file; choose another path")
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as old:
            if _entry(old.readline(1 << 20)).get("format") != FORMAT:
                raise InputError(f"{path}: this file exists and is not a recording; choose another file")
