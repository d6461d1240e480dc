"""Recordings: a game is written to a file while it is played, and is read back by playing its moves again.

The file has one JSON object per line. The first line is the header: format, version, first position, names, seed, and
the time limit of a move in seconds. Then comes one line per ply: agent, action, seconds. The line of the end has the
result and the CRC-32 of all lines before it. A file without an end is incomplete. It can be replayed up to its last
complete ply, with a note. A game that goes on from a position of another one is a recording of its own; it begins with
the plies of the other one.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count, islice
from pathlib import Path
from types import UnionType
from typing import Any, Self

from pacman.core.errors import IllegalAction, InputError, counted, one_line, reason_of
from pacman.core.files import read_bytes
from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.play.game import Fault, Game, Ply, Result, Steer

FORMAT, VERSION = "pacman-game", 3
MAX_BYTES = 16_000_000
"""The largest recording: 200,000 plies, twenty times the longest game without an option. They take 100 MB of memory."""
MAX_LINE = 200_000
"""The longest line, in bytes: ten times the largest layout. Parsed JSON takes much more memory than its text."""


class ReplayError(InputError):
    """The error for an unreadable recording, or one that breaks the rules; names the file and the line or ply."""


class GameLine:
    """A game from whose positions a person or another agent can play on.

    Its first plies can be known already: then `source` gives those after them, and `start` is the position before all
    of them. A view begins after `ply` plies; when it ends, `ply` is the number of plies that it showed last, and
    `plies` are those that are known. `label` says where a game goes on from another one, and `file` is its recording.
    """

    def __init__(
        self,
        source: Game | Replay,
        plies: Sequence[Ply] = (),
        start: GameState | None = None,
        *,
        label: str = "",
        file: Path | None = None,
    ) -> None:
        self.source, self.start = source, start or source.start
        self.names, self.seed, self.move_timeout = source.names, source.seed, source.move_timeout
        self.assumes, self.steer = source.assumes, source.steer
        self.plies = list(plies)
        self.ply = self.first_ply = len(self.plies)
        self.rest = iter(source)
        """The plies after those that are known."""
        self.label, self.file = label, file

    @property
    def result(self) -> Result | None:
        """The result of the game; None while it goes on."""
        return self.source.result

    @property
    def state(self) -> GameState:
        """The position after `ply` plies."""
        return self.plies[self.ply - 1].state if self.ply else self.start

    def go_to(self, ply: int) -> None:
        """Plays until `ply` plies are known, or to the end, and begins there."""
        self.plies += islice(self.rest, max(0, ply - len(self.plies)))
        self.ply = min(ply, len(self.plies))

    def __iter__(self) -> Iterator[Ply]:
        yield from self.plies
        yield from self.rest


class Recorder:
    """A context manager that writes each ply of a game to `path` at once; an interrupted game keeps its plies.

    It overwrites an older recording. A `game` that goes on from another one has an `origin`: its first plies are
    written first. InputError if another file exists at `path`, or if the file cannot be written.
    """

    def __init__(self, path: Path, game: Game, origin: GameLine | None = None) -> None:
        self.path, self.game, self.checksum = path, game, 0
        try:
            _refuse_other_file(path)
            self.file = path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {reason_of(error)}") from None
        start = str((origin or game).start).split("\n")
        players = {"names": list(game.names), "seed": game.seed, "move_timeout": game.move_timeout}
        self._line({"format": FORMAT, "version": VERSION, "start": start, **players})
        for ply in origin.plies[: game.first_ply] if origin else ():
            self._write_ply(ply)
        game.watchers = (*game.watchers, self._write_ply)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.game.result is not None:
            self._line({"end": self.game.result.as_json(), "sum": self.checksum})
        with suppress(OSError):  # `_line` has already reported a full disk
            self.file.close()

    def _write_ply(self, ply: Ply) -> None:
        self._line({"ply": ply.number, "agent": ply.agent, "action": ply.action, "seconds": round(ply.seconds, 6)})

    def _line(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry, separators=(",", ":")) + "\n"
        try:
            self.file.write(line)
            self.file.flush()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {reason_of(error)}") from None
        except ValueError:  # the file is closed: an agent in a thread that nobody waits for has finished its move
            return
        self.checksum = zlib.crc32(line.encode(), self.checksum)


def branch_files(path: Path, first: Path | None = None) -> Iterator[Path]:
    """The files of games that go on from the one in `path`: `first`, then NAME-branch-N, each time the next free N.

    >>> next(branch_files(Path("game.json"))).name
    'game-branch-1.json'
    """
    if first is not None:
        yield first
    for number in count(1):
        branch = path.with_stem(f"{path.stem}-branch-{number}")
        if not branch.exists():
            yield branch


@dataclass
class Replay:
    """Plays a recorded game again, from its start each time.

    `note` says that the recording is incomplete; "" if it is complete. `result` is None until the last ply; then it is
    the recorded result, or None if the recording is incomplete.
    """

    path: Path
    start: GameState
    names: tuple[str, ...]
    seed: int
    move_timeout: float | None = None
    moves: list[dict[str, Any]] = field(default_factory=list)
    end: Result | None = None
    note: str = ""
    result: Result | None = field(init=False, default=None)
    assumes: Layer | None = field(init=False, default=None)
    steer: Steer | None = field(init=False, default=None)
    """None: a recording has no search, and nobody steers."""

    @classmethod
    def load(cls, path: Path) -> Replay:
        """The game in a file. ReplayError if the file is no recording, has another version, or was changed."""
        try:
            lines = read_bytes(path, MAX_BYTES).split(b"\n")
        except OSError as error:
            raise ReplayError(f"{path}: cannot be read: {reason_of(error)}") from None
        except InputError as error:
            raise ReplayError(str(error)) from None
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_LINE:
                raise ReplayError(f"{path}:{number}: the line is too long; expected at most {MAX_LINE:,} bytes")
        header, beginning = _entry(lines[0]), b'{"format":"' + FORMAT.encode() + b'",'
        if not header and len(lines) == 1 and (lines[0].startswith(beginning) or beginning.startswith(lines[0])):
            raise ReplayError(f"{path}: incomplete: the file ends in its first line, before the first position")
        if header.get("format") != FORMAT:
            raise ReplayError(f'{path}:1: not a recorded game; expected a line with "format": "{FORMAT}"')
        version = header.get("version")
        if version != VERSION or type(version) is not int:
            problem = f"format version {one_line(version)}; expected {VERSION}: record the game again"
            raise ReplayError(f"{path}:1: {problem}")
        header = {"move_timeout": None} | header
        try:
            if problem := _problem(header, HEADER):
                raise ValueError(problem)
            state = GameState.parse("\n".join(header["start"]))
        except (TypeError, ValueError, OverflowError) as error:
            raise ReplayError(f"{path}:1: the header cannot be read: {one_line(error, 300, str)}") from None
        names = tuple(one_line(name, 200, str) for name in header["names"])
        replay = cls(path, state, names, header["seed"], header["move_timeout"])
        replay._read(lines)
        return replay

    def _read(self, lines: list[bytes]) -> None:
        """Adds the plies and the end in the lines after the header. ReplayError if one is wrong."""
        total = zlib.crc32(lines[0] + b"\n")
        last = max(number for number, line in enumerate(lines, 1) if line.strip())
        for number, line in enumerate(lines[1:], 2):
            entry, where = _entry(line), f"{self.path}:{number}"
            if self.end is not None and number <= last:
                raise ReplayError(f"{where}: expected nothing after the result of the game")
            if "end" in entry:
                if entry.get("sum") != total:
                    raise ReplayError(f"{where}: wrong checksum: the file was changed after it was written")
                self.end = _result(entry["end"])
                if self.end is None:
                    raise ReplayError(f"{where}: the result of the game cannot be read")
            elif not _problem(entry, PLY) and entry["ply"] == len(self.moves):
                self.moves.append(entry)
            elif number <= last and number < len(lines) - 1:
                raise ReplayError(f"{where}: expected ply {len(self.moves)}")  # only the last line can be incomplete
            total = zlib.crc32(line + b"\n", total)
        if self.end is None:
            self.note = f"{self.path}: the recording is incomplete; it ends after {counted(len(self.moves), 'ply')}"

    def __iter__(self) -> Iterator[Ply]:
        state = self.start
        for number, move in enumerate(self.moves):
            problem, agent = "", state.mover
            try:
                state = state.successor(move["action"])
            except IllegalAction as error:
                problem = one_line(str(error).split("\n")[0].removesuffix("; in"), 300, str)
            if move["agent"] != agent:
                problem = f"expected a move of agent {agent}, got agent {one_line(move['agent'])}"
            if problem:
                raise ReplayError(f"{self.path}: ply {number}: {problem}")
            yield Ply(number, agent, move["action"], state, move["seconds"])
        if self.end is not None:
            outcome = "win" if state.is_win else "loss" if state.is_lose else self.end.outcome
            right = replace(self.end, outcome=outcome, score=state.score, plies=len(self.moves), seed=self.seed)
            if self.end != right or (outcome in ("win", "loss") and not state.is_terminal):
                raise ReplayError(f"{self.path}: the recorded result is not the result of the recorded moves")
        self.result = self.end


Kinds = Mapping[str, type | UnionType]
HEADER: Kinds = {
    "format": str,
    "version": int,
    "start": list,
    "names": list,
    "seed": int,
    "move_timeout": int | float | None,
}
PLY: Kinds = {"ply": int, "agent": int, "action": str, "seconds": int | float}
END: Kinds = {"outcome": str, "score": int, "plies": int, "seed": int, "seconds": list, "fault": dict | None}
FAULT: Kinds = {"agent": int, "ply": int, "reason": str, "where": str}
OUTCOMES = ("win", "loss", "truncated", "fault")


def _entry(line: bytes) -> dict[str, Any]:
    """The JSON object on a line; an empty one if the line is no JSON object."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


def _problem(entry: Any, kinds: Kinds) -> str:
    """What is wrong with a JSON object that should have exactly these fields, each of its type; "" if it has them."""
    if not isinstance(entry, dict) or entry.keys() != kinds.keys():
        return f"expected the fields {', '.join(kinds)}"
    bad = [key for key, kind in kinds.items() if not isinstance(entry[key], kind) or type(entry[key]) is bool]
    return f"{bad[0]}: unexpected value {one_line(entry[bad[0]])}" if bad else ""


def _result(end: Any) -> Result | None:
    """The result in the last line; None unless it has every field, with the right type."""
    if _problem(end, END) or end["outcome"] not in OUTCOMES:
        return None
    if not all(isinstance(seconds, int | float) for seconds in end["seconds"]):
        return None
    fault = end["fault"]
    if fault is not None:
        if _problem(fault, FAULT):
            return None
        fault = Fault(**fault | {key: one_line(fault[key], 500, str) for key in ("reason", "where")})
    return Result(**end | {"seconds": tuple(end["seconds"]), "fault": fault})


def _refuse_other_file(path: Path) -> None:
    """Raises InputError if something other than a recording or an empty file exists at `path`."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: not a regular file; choose another path")
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as old:
            if _entry(old.readline(1 << 20)).get("format") != FORMAT:
                raise InputError(f"{path}: this file exists and is not a recording; choose another file")
