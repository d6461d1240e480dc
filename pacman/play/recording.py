"""A game as a file, written while it is played, and read back by playing it again under the rules.

One JSON object a line: a header (format, version, first position, names, seed, and the seconds that a move may take),
one line a ply (agent, action, seconds, check: CRC-32 of the position after it), and an end with the result and the
CRC-32 of all lines before it.
A file without its end was cut off: it opens up to its last whole ply, with a note.
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
from pacman.play.game import Fault, Game, Ply, Result

FORMAT, VERSION = "pacman-game", 1


class ReplayError(InputError):
    """A recording that cannot be read, or that the rules do not reproduce; names the file and the line or ply."""


def check(state: GameState) -> int:
    """A number that tells positions apart."""
    return zlib.crc32(str(state).encode())


class Recorder:
    """Writes a game to `path` as it goes on. Use it as a context; a game that is broken off keeps its plies.

    An older recording is replaced. InputError for any other file that is there, or when it cannot be written.
    """

    def __init__(self, path: Path, game: Game) -> None:
        self.path, self.game, self.sum = path, game, 0
        try:
            _is_free(path)
            self.file: TextIO = path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        game.watchers = (*game.watchers, self.ply)

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

    def ply(self, ply: Ply) -> None:
        seconds, crc = round(ply.seconds, 6), check(ply.state)
        self._line({"ply": ply.number, "agent": ply.agent, "action": ply.action, "seconds": seconds, "check": crc})

    def __exit__(self, *error: object) -> None:
        if self.game.result is not None:
            self._line({"end": self.game.result.as_json(), "sum": self.sum})
        with suppress(OSError):  # a full disk was reported when it was written to
            self.file.close()

    def _line(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry, separators=(",", ":")) + "\n"
        try:
            self.file.write(line)
            self.file.flush()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None
        self.sum = zlib.crc32(line.encode(), self.sum)


@dataclass
class Replay:
    """A recorded game, played again as it is iterated. `note` says what is missing at its end, "" if nothing is."""

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
        """The recording in a file. ReplayError when it is none, is newer, or was changed."""
        try:
            lines = path.read_bytes().split(b"\n")
        except OSError as error:
            raise ReplayError(f"{path}: cannot be read: {error.strerror}") from None
        header = _entry(lines[0])
        if not header and len(lines) == 1 and _is_begun(lines[0]):
            raise ReplayError(f"{path}: cut off within its first line, so there is no position to show")
        if header.get("format") != FORMAT:
            raise ReplayError(f'{path}:1: not a recorded game; expected a line with "format": "{FORMAT}"')
        if (version := header.get("version")) != VERSION:
            raise ReplayError(f"{path}:1: version {version!r} of the format; this program reads {VERSION}")
        moves: list[dict[str, Any]] = []
        end, total, note = None, zlib.crc32(lines[0] + b"\n"), ""
        for number, line in enumerate(lines[1:], 2):
            entry = _entry(line)
            if "end" in entry:
                if entry.get("sum") != total:
                    problem = "the checksum does not fit: the file was changed after it was written"
                    raise ReplayError(f"{path}:{number}: {problem}")
                end = _result(entry["end"])
                if end is None:
                    raise ReplayError(f"{path}:{number}: the end of the game cannot be read")
                if any(line.strip() for line in lines[number:]):
                    raise ReplayError(f"{path}:{number + 1}: something stands behind the end of the game")
                break
            known = entry.get("ply") == len(moves) and isinstance(entry.get("action"), str)
            if not known or type(entry.get("seconds")) not in (int, float):
                if number < len(lines) - 1:  # only the last line can be half a line
                    raise ReplayError(f"{path}:{number}: expected ply {len(moves)}")
                break
            moves.append(entry)
            total = zlib.crc32(line + b"\n", total)
        if end is None:
            note = f"{path}: cut off after {len(moves)} plies; this is what is there"
        try:
            start = GameState.parse("\n".join(header["start"]))
            names = tuple(str(name) for name in header["names"])
            seed = header["seed"]
            if type(seed) is not int:
                raise ValueError(f"the seed is a whole number, not {one_line(seed)}")
            limit = header.get("move_timeout")
            if limit is not None and type(limit) not in (int, float):
                raise ValueError(f"move_timeout is a number of seconds, not {one_line(limit)}")
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ReplayError(f"{path}:1: the header cannot be read: {error}") from None
        return cls(path, start, names, seed, tuple(moves), end, note, limit)

    def __iter__(self) -> Iterator[Ply]:
        state = self.start
        for move in self.moves:
            number, agent, problem = move["ply"], state.mover, ""
            try:
                state = state.successor(move["action"])
            except IllegalAction as error:
                problem = str(error).split("\n")[0].removesuffix("; in")
            if move.get("agent") != agent:
                problem = f"agent {move.get('agent')} moved, expected {agent}"
            elif not problem and move.get("check") != check(state):
                problem = "the rules lead to another position"
            if problem:
                raise ReplayError(f"{self.path}: differs at ply {number}: {problem}")
            yield Ply(number, agent, move["action"], state, move["seconds"])
        if self.end is not None:
            self._agrees(self.end, state)
        self.result = self.end

    def _agrees(self, end: Result, state: GameState) -> None:
        """ReplayError unless the recorded end is the one that the moves lead to."""
        outcome = "win" if state.is_win else "loss" if state.is_lose else end.outcome
        found = replace(end, outcome=outcome, score=state.score, plies=len(self.moves), seed=self.seed)
        if found != end or (end.outcome in ("win", "loss") and not state.is_terminal):
            raise ReplayError(f"{self.path}: the recorded end is not the one that its moves lead to")


def _is_begun(line: bytes) -> bool:
    """True for the beginning of a first line that a `Recorder` writes; a file that has just been made is empty."""
    begun = b'{"format":"' + FORMAT.encode() + b'",'
    return line.startswith(begun) or begun.startswith(line)


def _entry(line: bytes) -> dict[str, Any]:
    """The object on a line; empty for what is not one."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


OUTCOMES = ("win", "loss", "truncated", "fault")
END: dict[str, Any] = {
    "outcome": str, "score": int, "plies": int, "seed": int, "seconds": list, "fault": dict | None
}  # fmt: skip


def _result(end: Any) -> Result | None:
    """The result in the last line; None unless every part is there and has its type."""
    fits = isinstance(end, dict) and end.keys() == END.keys() and end["outcome"] in OUTCOMES
    fits = fits and all(isinstance(end[key], kind) for key, kind in END.items())
    if not fits or not all(isinstance(seconds, int | float) for seconds in end["seconds"]):
        return None
    try:
        fault = None if end["fault"] is None else Fault(**end["fault"])
    except TypeError:
        return None
    return Result(**end | {"seconds": tuple(end["seconds"]), "fault": fault})


def _is_free(path: Path) -> None:
    """InputError when `path` is taken by anything but an older recording."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: not a file that could be written")
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as old:
            if _entry(old.readline(1 << 20)).get("format") != FORMAT:
                raise InputError(f"{path}: is there already, and is no recording; name another file")
