"""Recordings: a game is written to a file while it is played, and is read back by playing its moves again.

The file has one JSON object per line. The first line is the header: format, version, first position, names, seed, and
the time limit of a move in seconds. Then comes one line per ply: agent, action, seconds, and `check`, the CRC-32 of the
position after the ply. The line of the end has the result and the CRC-32 of all lines before it.
A branch goes on from a position of the main line, or of another branch. A line says where it begins, and its plies and
its end have its number. Files of version 1 have no branches.
A game or branch without an end is incomplete. It can be replayed up to its last complete ply, with a note.
"""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import UnionType
from typing import Any, Self, TextIO

from pacman.core.errors import IllegalAction, InputError, one_line
from pacman.core.layers import Layer
from pacman.core.state import GameState
from pacman.core.text_file import read_bytes
from pacman.core.words import counted
from pacman.play.game import Fault, Game, Ply, Result

FORMAT, VERSION = "pacman-game", 2
READABLE_VERSIONS = (1, 2)
MAX_BRANCHES = 100
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

    It overwrites an older recording. With `replay` it writes that whole recording first, and `game` is None: then only
    branches are added. It writes the copy to a new file beside `path`, and then puts it in the place of the old one: if
    the process is killed, one of the two is whole. InputError if another file exists at `path`, or if the file cannot
    be written.
    """

    def __init__(self, path: Path, game: Game | None, replay: Replay | None = None) -> None:
        self.path, self.checksum, self._lock = path, 0, threading.Lock()
        self.games: list[Game | None] = []
        self._replay = replay
        self._copy = None if replay is None else path.with_name(f"{path.name}.new")
        try:
            _refuse_other_file(path)
            self.file: TextIO = (self._copy or path).open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        if game is not None:
            self._watch(game)

    def __enter__(self) -> Self:
        first = self._replay or self.games[0]
        assert first is not None
        self._line(
            {
                "format": FORMAT,
                "version": VERSION,
                "start": str(first.start).split("\n"),
                "names": list(first.names),
                "seed": first.seed,
                "move_timeout": first.move_timeout,
            }
        )
        for number, line in enumerate(self._replay.all_lines if self._replay else ()):
            self.games.append(None)
            if line.parent is not None:
                self._begin_branch(number, line.parent.number, line.fork, line)
            for move in line.moves:
                self._line(_of_branch(number) | move)
            if line.end is not None:
                self._line(_of_branch(number) | {"end": line.end.as_json(), "sum": self.checksum})
        if self._copy is not None:
            self._replace_by(self._copy)
        return self

    def _replace_by(self, copy: Path) -> None:
        """Puts the finished copy in the place of the old file, and goes on at its end."""
        self.file.close()
        try:
            copy.replace(self.path.resolve())
            self.file = self.path.open("a", encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None

    def add_branch(self, game: Game, parent: int) -> int:
        """Adds a branch that goes on from line `parent` with the plies of `game`; returns the number of the branch.

        InputError if the recording has `MAX_BRANCHES` branches already.
        """
        number = len(self.games)
        if number > MAX_BRANCHES:
            raise InputError(f"{self.path}: a recording has at most {MAX_BRANCHES} branches")
        self._begin_branch(number, parent, game.first_ply, game)
        self._watch(game)
        return number

    def __exit__(self, *error: object) -> None:
        for number, game in enumerate(self.games):
            if game is not None and game.result is not None:
                self._line(_of_branch(number) | {"end": game.result.as_json(), "sum": self.checksum})
        with suppress(OSError):  # `_line` has already reported a full disk
            self.file.close()

    def _watch(self, game: Game) -> None:
        """Writes each ply of `game`, as the next line of play, from now on."""
        number = len(self.games)
        self.games.append(game)

        def write_ply(ply: Ply) -> None:
            seconds, crc = round(ply.seconds, 6), check(ply.state)
            entry = {"ply": ply.number, "agent": ply.agent, "action": ply.action, "seconds": seconds, "check": crc}
            self._line(_of_branch(number) | entry)

        game.watchers = (*game.watchers, write_ply)

    def _begin_branch(self, number: int, parent: int, fork: int, line: Game | Replay) -> None:
        origin = {"branch": number, "parent": parent, "from": fork}
        self._line(origin | {"names": list(line.names), "seed": line.seed, "move_timeout": line.move_timeout})

    def _line(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry, separators=(",", ":")) + "\n"
        with self._lock:  # an agent of a line that nobody watches any more may still finish its move in its thread
            if "sum" in entry:
                line = json.dumps(entry | {"sum": self.checksum}, separators=(",", ":")) + "\n"
            try:
                self.file.write(line)
                self.file.flush()
            except OSError as error:
                raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None
            except ValueError:  # the file is closed: the game is over for the viewer
                return
            self.checksum = zlib.crc32(line.encode(), self.checksum)


def _of_branch(number: int) -> dict[str, Any]:
    """The beginning of an entry of a branch; nothing for the main line."""
    return {"branch": number} if number else {}


@dataclass
class Replay:
    """An iterator that plays a recorded line of play again: the main line of a game, or a branch with what led to it.

    `note` says that the line is incomplete; "" if it is complete, or if a branch was played on from it. `result` is
    None until the last ply; then it is the recorded result, or None if the line is incomplete. `moves` are its own
    moves; those of a branch come after the first `fork` plies of its `parent`. `branches` are those of a main line.
    """

    path: Path
    start: GameState
    names: tuple[str, ...]
    seed: int
    moves: list[dict[str, Any]] = field(default_factory=list)
    end: Result | None = None
    note: str = ""
    move_timeout: float | None = None
    number: int = 0
    parent: Replay | None = None
    fork: int = 0
    branches: list[Replay] = field(default_factory=list)
    result: Result | None = field(init=False, default=None)
    assumes: Layer | None = field(init=False, default=None)
    """None: a recording has no search."""

    @property
    def plies(self) -> int:
        """The number of plies from the first position to the end of this line."""
        return self.fork + len(self.moves)

    @property
    def all_lines(self) -> list[Replay]:
        """The main line and its branches, by their numbers."""
        return [self, *self.branches]

    def line(self, number: int) -> Replay:
        """The branch with this number; 0 is the main line. InputError if there is none."""
        if not 0 <= number <= len(self.branches):
            count = counted(len(self.branches), "branch")
            raise InputError(f"--branch {number}: {self.path} has {count}; 0 is the main line")
        return self.all_lines[number]

    @classmethod
    def load(cls, path: Path) -> Replay:
        """The main line in a file, with its branches.

        ReplayError if the file is no recording, has a newer version, or was changed.
        """
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
        version = header.get("version")
        if version not in READABLE_VERSIONS or type(version) is not int:
            known = " and ".join(map(str, READABLE_VERSIONS))
            raise ReplayError(f"{path}:1: format version {one_line(version)}; this program reads versions {known}")
        try:
            start = GameState.parse("\n".join(header["start"]))
            main = cls(path, start, **_players(header))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ReplayError(f"{path}:1: the header cannot be read: {one_line(error, 300, str)}") from None
        _read_lines(main, lines, version)
        left = {line.parent.number for line in main.branches if line.parent}
        for each in main.all_lines:
            if each.end is None and each.number not in left:
                what = f"branch {each.number}" if each.number else "the recording"
                each.note = f"{path}: {what} is incomplete; it ends after {counted(each.plies, 'ply')}"
        return main

    def __iter__(self) -> Iterator[Ply]:
        state = self.start
        for line, count in self._parts():
            where = f"{self.path}: branch {line.number}, ply" if line.number else f"{self.path}: ply"
            for move in line.moves[:count]:
                ply, agent, problem = move["ply"], state.mover, ""
                try:
                    state = state.successor(move["action"])
                except IllegalAction as error:
                    problem = one_line(str(error).split("\n")[0].removesuffix("; in"), 300, str)
                if move.get("agent") != agent:
                    problem = f"expected a move of agent {agent}, got agent {one_line(move.get('agent'))}"
                elif not problem and move.get("check") != check(state):
                    problem = "by the rules the move leads to another position than the recorded one"
                if problem:
                    raise ReplayError(f"{where} {ply}: {problem}")
                yield Ply(ply, agent, move["action"], state, move["seconds"])
        if self.end is not None:
            self._check_result(self.end, state)
        self.result = self.end

    def _parts(self) -> list[tuple[Replay, int]]:
        """The lines from the main line to this one, each with the number of its own moves that lead here."""
        parts, line, plies = [(self, len(self.moves))], self, self.fork
        while line.parent is not None:
            line = line.parent
            parts.append((line, max(0, plies - line.fork)))
            plies = min(plies, line.fork)
        return parts[::-1]

    def _check_result(self, end: Result, state: GameState) -> None:
        """Raises ReplayError unless the recorded result is the result of the recorded moves."""
        outcome = "win" if state.is_win else "loss" if state.is_lose else end.outcome
        result = replace(end, outcome=outcome, score=state.score, plies=self.plies, seed=self.seed)
        if result != end or (end.outcome in ("win", "loss") and not state.is_terminal):
            raise ReplayError(f"{self.path}: the recorded result is not the result of the recorded moves")


def _players(entry: dict[str, Any]) -> dict[str, Any]:
    """Names, seed and time limit, from the header or the first line of a branch. ValueError if one of them is wrong."""
    if type(entry["names"]) is not list:
        raise ValueError(f"names: expected a list, got {one_line(entry['names'])}")
    names = tuple(one_line(name, 200, str) for name in entry["names"])
    seed, limit = entry["seed"], entry.get("move_timeout")
    if type(seed) is not int:
        raise ValueError(f"seed: expected a whole number, got {one_line(seed)}")
    if limit is not None and type(limit) not in (int, float):
        raise ValueError(f"move_timeout: expected a number of seconds, got {one_line(limit)}")
    return {"names": names, "seed": seed, "move_timeout": limit}


def _read_lines(main: Replay, lines: list[bytes], version: int) -> None:
    """Adds the plies, the ends and the branches in the lines after the header. ReplayError if one is wrong."""
    total = zlib.crc32(lines[0] + b"\n")
    for number, line in enumerate(lines[1:], 2):
        entry, where = _entry(line), f"{main.path}:{number}"
        checksum, total = total, zlib.crc32(line + b"\n", total)
        is_cut = number >= len(lines) - 1  # only the last line can be incomplete
        of_branch = entry.get("branch", 0) if version > 1 else 0
        if "from" in entry and version > 1:
            main.branches.append(_branch(entry, main, where))
            continue
        if type(of_branch) is not int or not 0 <= of_branch <= len(main.branches):
            expected = f"expected a number below {len(main.all_lines)}"
            raise ReplayError(f"{where}: no branch {one_line(of_branch)}; {expected}")
        replay = main.all_lines[of_branch]
        if "end" in entry:
            if entry.get("sum") != checksum:
                raise ReplayError(f"{where}: wrong checksum: the file was changed after it was written")
            if replay.end is not None:
                raise ReplayError(f"{where}: a second result of the same line of play")
            replay.end = _result(entry["end"])
            if replay.end is None:
                raise ReplayError(f"{where}: the result of the game cannot be read")
            if version == 1 and any(line.strip() for line in lines[number:]):
                raise ReplayError(f"{main.path}:{number + 1}: expected nothing after the result of the game")
        elif _is_ply(entry, replay):
            replay.moves.append({key: entry.get(key) for key in PLY if not isinstance(entry.get(key), dict | list)})
        else:
            if not any(rest.strip() for rest in lines[number - 1 :]):
                return
            if not is_cut or (entry and replay.end):
                raise ReplayError(f"{where}: expected {_expected(replay, has_branches=bool(main.branches))}")
            if main.all_lines[-1].end is not None:
                main.note = f"{main.path}: the last line of the recording is incomplete"
            return


def _is_ply(entry: dict[str, Any], line: Replay) -> bool:
    """True if `entry` is the next ply of this line of play."""
    is_next = line.end is None and entry.get("ply") == line.plies and isinstance(entry.get("action"), str)
    return is_next and type(entry.get("seconds")) in (int, float)


def _expected(line: Replay, has_branches: bool) -> str:
    """The next ply of a line of play, in words."""
    if line.end is not None:
        return "a ply of a line without a result" if has_branches else "nothing after the result of the game"
    return f"ply {line.plies}{f' of branch {line.number}' if line.number else ''}"


def _branch(entry: dict[str, Any], main: Replay, where: str) -> Replay:
    """The branch that an entry begins. ReplayError if it does not fit the main line and the branches before it."""
    number, parent, fork = entry.get("branch"), entry.get("parent"), entry["from"]
    lines = main.all_lines
    if type(number) is not int or number != len(lines) or number > MAX_BRANCHES:
        what = f"branch {len(lines)}" if len(lines) <= MAX_BRANCHES else f"at most {MAX_BRANCHES} branches"
        raise ReplayError(f"{where}: expected {what}, got branch {one_line(number)}")
    if type(parent) is not int or not 0 <= parent < number:
        raise ReplayError(f"{where}: parent: expected a number from 0 to {number - 1}, got {one_line(parent)}")
    if type(fork) is not int or not 0 <= fork <= lines[parent].plies:
        raise ReplayError(f"{where}: from: expected a ply from 0 to {lines[parent].plies}, got {one_line(fork)}")
    try:
        players = _players(entry)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ReplayError(f"{where}: the branch cannot be read: {one_line(error, 300, str)}") from None
    return Replay(main.path, main.start, **players, number=number, parent=lines[parent], fork=fork)


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
Kinds = Mapping[str, type | UnionType]
END: Kinds = {"outcome": str, "score": int, "plies": int, "seed": int, "seconds": list, "fault": dict | None}
FAULT: Kinds = {"agent": int, "ply": int, "reason": str, "where": str}


def _fits(entry: Any, kinds: Kinds) -> bool:
    """True if `entry` is an object with exactly these fields, each of its type."""
    if not isinstance(entry, dict) or entry.keys() != kinds.keys():
        return False
    return all(isinstance(entry[key], kind) and type(entry[key]) is not bool for key, kind in kinds.items())


def _result(end: Any) -> Result | None:
    """The result in the last line; None unless it has every field, with the right type."""
    if not _fits(end, END) or end["outcome"] not in OUTCOMES:
        return None
    if not all(isinstance(seconds, int | float) for seconds in end["seconds"]):
        return None
    fault = None
    if end["fault"] is not None:
        entry = {"where": ""} | end["fault"]  # older files have no `where`
        if not _fits(entry, FAULT):
            return None
        fault = Fault(**entry | {key: one_line(entry[key], 500, str) for key in ("reason", "where")})
    return Result(**end | {"seconds": tuple(end["seconds"]), "fault": fault})


def _refuse_other_file(path: Path) -> None:
    """Raises InputError if something other than a recording or an empty file exists at `path`."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: not a regular file; choose another path")
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as old:
            if _entry(old.readline(1 << 20)).get("format") != FORMAT:
                raise InputError(f"{path}: this file exists and is not a recording; choose another file")
