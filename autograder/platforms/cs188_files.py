"""Reads the files of Berkeley test cases (`.test`, `.solution`, CONFIG): their fields, and the game graphs in them.

A field is `name: "text"` on one line, or a block: `name:` with three quotes, then rows, then a line of only three
quotes. `#` starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import takewhile
from math import isfinite, nan
from pathlib import Path

from pacman.core.errors import InputError, listed, one_line, reason_of
from pacman.core.files import read_text
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

_FIELD = re.compile(r'\s*([^:"\s]+)\s*:\s*(?:"([^"]*)"|""")\s*')
KNOWN = (
    "class", "alg", "depth", "num_agents", "start_state", "win_states", "lose_states", "successors", "evaluation",
    "diagram", "agentName", "agentArgs", "layout", "layoutName", "ghosts", "numGames", "winsMinimum",
    "winsThresholds", "scoreMinimum", "scoreThresholds", "nonTimeoutMinimum", "nonTimeoutThresholds", "maxTime",
    "randomSeed", "seed", "max_points", "order", "depends", "optimalActions",
)  # fmt: skip
_NAMES = {re.sub("[_-]", "", name.lower()): name for name in KNOWN} | {"children": "successors"}
"""Small letters of a field -> its name: courses write it in several ways, and some years say `children`."""
_OWNER = re.compile(r"^[^#\n]*#.*?solution file for (\S+)\.test\b", re.MULTILINE)
_ACTION = re.compile(r"[^\s:@#~=]+")
MAX_PROBLEM = 600
"""The longest message about a file, in characters."""
MAX_NODES = 5_000
MAX_PLIES = 100
"""Limits of the grader: nodes in a picture, plies in an answer."""


@dataclass(frozen=True)
class TestField:
    """A field: its name as the file has it, the line of that, and its rows, each with its own line."""

    name: str
    line: int
    rows: tuple[tuple[int, str], ...]

    @property
    def text(self) -> str:
        """All rows as one text."""
        return "\n".join(row for _, row in self.rows)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Every row that is not blank, with its line, without the spaces around it."""
        return ((line, row.strip()) for line, row in self.rows if row.strip())


@dataclass(frozen=True)
class TestFile:
    """One file: its fields by name. `owner` is the test that a `.solution` names as its own; "" if it names none."""

    __test__ = False  # not a test for pytest

    path: Path
    fields: dict[str, TestField] = field(default_factory=dict)
    owner: str = ""

    @property
    def is_snake_case(self) -> bool:
        """True if the course writes layout_name for layoutName."""
        return any("_" in each.name and "_" not in name for name, each in self.fields.items())

    def error(self, line: int, problem: str) -> InputError:
        """An error about one line of this file. A problem that quotes a long text is cut."""
        return InputError(f"{self.path}:{line}: {one_line(problem, MAX_PROBLEM, str)}")

    def require(self, name: str) -> TestField:
        """A required field; InputError with the names of the others if it is missing."""
        if name not in self.fields:
            raise self.error(1, f"expected a field '{name}'; it has {listed(sorted(self.fields))}")
        return self.fields[name]

    def text(self, name: str, default: str | None = None) -> str:
        """The text of a field without spaces around it. With a `default`, the field may be missing."""
        return default if default is not None and name not in self.fields else self.require(name).text.strip()

    def number(self, name: str, least: int = 0, default: int | None = None) -> int:
        """The whole number of a field, at least `least`; InputError for anything else."""
        text = self.text(name, None if default is None else str(default))
        if not re.fullmatch(r"\d{1,9}", text) or int(text) < least:
            problem = f"{name}: expected a whole number of at least {least}, got {one_line(text, 40)}"
            raise self.error(self.require(name).line, problem)
        return int(text)

    def numbers(self, name: str) -> list[int]:
        """The whole numbers of a field; an empty list if the field is missing."""
        words = self.text(name, "").split()
        if wrong := [word for word in words if not re.fullmatch(r"-?\d{1,9}", word)]:
            raise self.error(self.fields[name].line, f"{name}: expected whole numbers, got {one_line(wrong[0], 40)}")
        return list(map(int, words))


def read(path: Path) -> TestFile:
    """The content of the file at `path`; InputError for the first line that is no field, block or comment."""
    try:
        raw = read_text(path)
    except UnicodeDecodeError:
        raise InputError(f"{path}:1: not a text file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {reason_of(error)}") from None
    owner = _OWNER.search(raw)
    file = TestFile(path, owner=owner[1] if owner else "")
    rows = [(number, row.rstrip("\r").partition("#")[0].rstrip()) for number, row in enumerate(raw.split("\n"), 1)]
    lines = iter(rows)
    for number, row in lines:
        if not row:
            continue
        match = _FIELD.fullmatch(row)
        if not match:
            raise file.error(number, f'expected name: "text" or name: """, got {one_line(row.strip(), 60)}')
        content = [(number, match[2])]
        if match[2] is None:
            content = list(takewhile(lambda line: line[1].strip() != '"""', lines))
            if number + len(content) == len(rows):
                problem = f'the block of \'{match[1]}\' has no end; expected a line that is only """'
                raise file.error(number, problem)
        name = _NAMES.get(re.sub("[_-]", "", match[1].lower()), match[1])
        if name in file.fields:
            raise file.error(number, f"a second field '{name}'; the first is on line {file.fields[name].line}")
        file.fields[name] = TestField(match[1], number, tuple(content))
    return file


class Graph:
    """The game graph of a `GraphGameTreeTest`, checked; InputError with the line of the first problem.

    `moves` says for each state to which state an action leads, and on which line.
    """

    def __init__(self, file: TestFile, other: Layer) -> None:
        self.file, self.other = file, other
        self.agents, self.depth = file.number("num_agents", least=1), file.number("depth", least=1)
        self.plies = self.depth * self.agents
        self.start = file.text("start_state")
        self.won, self.lost = ({*file.text(f"{kind}_states").split()} for kind in ("win", "lose"))
        self.ends = self.won | self.lost
        self.moves: dict[str, dict[str, tuple[str, int]]] = {}
        self.values: dict[str, float] = {}
        self.states = {self.start, *self.ends}
        for line, (state, action, after) in self._rows("successors", "STATE ACTION NEXT"):
            own = self.moves.setdefault(state, {})
            if not _ACTION.fullmatch(action):
                raise file.error(line, f"expected an action without : @ # ~ and =, got {one_line(action, 40)}")
            if action in own:
                first = f"the first is on line {own[action][1]}"
                raise file.error(line, f"a second action '{action}' of the state '{state}'; {first}")
            own[action] = after, line
            self.states |= {state, after}
        for line, (state, text) in self._rows("evaluation", "STATE NUMBER"):
            value = nan
            with suppress(ValueError):
                value = float(text)
            if not isfinite(value):
                raise file.error(line, f"expected a number for '{state}', got {one_line(text, 40)}")
            if state in self.values:
                raise file.error(line, f"a second evaluation of the state '{state}'")
            self.values[state] = int(value) if value == int(value) else value
            self.states.add(state)

    def _rows(self, name: str, form: str) -> Iterator[tuple[int, list[str]]]:
        """The words of each row of a field, and its line."""
        for line, row in self.file.require(name).lines():
            words = row.split()
            if len(words) != len(form.split()):
                raise self.file.error(line, f"expected {form}, got {one_line(row, 60)}")
            yield line, words

    def tree(self) -> Outline:
        """The tree below the start, each node with the name of its state, which can be drawn several times.

        It continues below the horizon if the graph does, ends there, and has at most 5,000 nodes. So a search that
        goes too deep sees other values. InputError if it cannot be drawn.
        """
        line = self.file.require("start_state").line
        if self.start not in self.moves:
            problem = "is a terminal state" if self.start in self.values else "has no successors"
            raise self.file.error(line, f"start_state: {one_line(self.start, 40)} {problem}; nothing to search")
        self._nodes_drawn = 0
        with suppress(InputError):  # below the horizon it does not end, is too large, or has no values
            return self._node(self.start, 0, line, 2 * self.agents)
        self._nodes_drawn = 0
        return self._node(self.start, 0, line, 0)

    def _node(self, state: str, ply: int, came: int, below: int) -> Outline:
        """The tree of a state, to which a line leads, drawn to `below` plies below the horizon."""
        self._nodes_drawn += 1
        line = self.file.require("successors").line
        if self._nodes_drawn > MAX_NODES:
            raise self.file.error(line, f"the tree of this graph is too large: expected at most {MAX_NODES:,} nodes")
        if ply > min(MAX_PLIES, self.plies + below):
            raise self.file.error(line, f"the search of this graph is too deep: expected at most {MAX_PLIES} plies")
        moves = {} if state in self.ends else self.moves.get(state, {})
        if not moves or (ply == self.plies and not below):
            value = self._value_of(state, ply, came)
            # without a word, the sign of the value decides who won
            end = "won" if state in self.won and value < 0 else "lost" if state in self.lost and value >= 0 else ""
            return Outline(None, utility=value, name=state, end=end)
        branches = tuple((action, self._node(after, ply + 1, at, below)) for action, (after, at) in moves.items())
        kind = Layer.MAX if ply % self.agents == 0 else self.other
        equal = (Fraction(1, len(moves)),) * len(moves) if kind is Layer.CHANCE else ()
        evaluation = self._value_of(state, ply, came) if ply == self.plies else self.values.get(state)
        return Outline(kind, None, branches, equal, evaluation, state)

    def _value_of(self, state: str, ply: int, came: int) -> float:
        """The evaluation of an end, or of a state at the horizon."""
        is_end, is_known = state in self.ends, state in self.values
        if state not in self.moves and not is_end and (not is_known or ply < self.plies):
            problem = "has neither successors nor an evaluation"
            if is_known:
                problem = "has no successors; expected it in win_states or lose_states, or at the depth limit"
            raise self.file.error(came, f"leads to the state {one_line(state, 40)}, which {problem}")
        if not is_known:
            why = "it is a terminal state" if is_end else f"the search evaluates it at depth {self.depth}"
            line = self.file.require("evaluation").line
            raise self.file.error(line, f"the state {one_line(state, 40)} needs an evaluation, because {why}")
        return self.values[state]
