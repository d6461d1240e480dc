"""Converts the game graph of a Berkeley test to a drawn tree, in which a state can be drawn several times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from autograder.platforms.cs188.testfile import TestFile
from pacman.core.errors import InputError, one_line
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

MAX_NODES = 5_000
MAX_PLIES = 100
"""Limits of the grader: nodes in a picture, plies in an answer."""
_ACTION = re.compile(r"[^\s:@#~=]+")


@dataclass(frozen=True)
class Move:
    """One line of `successors`."""

    state: str
    action: str
    next: str
    line: int


class Graph:
    """The checked states and moves of a `GraphGameTreeTest`; InputError with the line of the first problem."""

    def __init__(self, file: TestFile, other: Layer) -> None:
        self.file = file
        self.other = other
        self.agents = file.number("num_agents", least=1)
        self.depth = file.number("depth", least=1)
        self.start = file.text("start_state")
        self.ends = {*file.text("win_states").split(), *file.text("lose_states").split()}
        self.moves: dict[str, list[Move]] = {}
        self.values: dict[str, float] = {}
        self._lines: dict[tuple[str, str], int] = {}
        for line, row in file.require("successors").rows():
            self._move(line, row)
        for line, row in file.require("evaluation").rows():
            self._value(line, row)
        self.states = {self.start, *self.moves, *self.values, *self.ends}
        self.states |= {move.next for moves in self.moves.values() for move in moves}

    @property
    def plies(self) -> int:
        """The depth of the search in plies: one per agent and round."""
        return self.depth * self.agents

    def tree(self) -> Outline:
        """The tree below the start, each node with the name of its state; InputError if it cannot be drawn.

        It continues below the horizon if the graph does, ends there, and has at most 5,000 nodes. So a search that
        goes too deep sees other values.
        """
        if self.start not in self.moves:
            problem = "is a terminal state" if self.start in self.values else "has no successors"
            line = self.file.require("start_state").line
            raise self.file.error(line, f"start_state: {one_line(self.start, 40)} {problem}; nothing to search")
        try:
            return self._draw(below=2 * self.agents)
        except InputError:  # below the horizon it does not end, is too large, or has no values
            return self._draw(below=0)

    def _draw(self, below: int) -> Outline:
        self._nodes_drawn = 0
        return self._node(self.start, 0, None, below)

    def _node(self, state: str, ply: int, last: Move | None, below: int) -> Outline:
        """The tree of a state, drawn to `below` plies below the horizon; 0 cuts it off at the horizon."""
        self._nodes_drawn += 1
        line = self.file.require("successors").line
        if self._nodes_drawn > MAX_NODES:
            raise self.file.error(line, f"the tree of this graph is too large: expected at most {MAX_NODES:,} nodes")
        if ply > min(MAX_PLIES, self.plies + below):
            raise self.file.error(line, f"the search of this graph is too deep: expected at most {MAX_PLIES} plies")
        moves = [] if state in self.ends else self.moves.get(state, [])
        if not moves or (ply == self.plies and not below):
            return Outline(None, utility=self._value_of(state, ply, last), name=state)
        branches = tuple((move.action, self._node(move.next, ply + 1, move, below)) for move in moves)
        kind = Layer.MAX if ply % self.agents == 0 else self.other
        equal = (Fraction(1, len(moves)),) * len(moves) if kind is Layer.CHANCE else ()
        evaluation = self._value_of(state, ply, last) if ply == self.plies else self.values.get(state)
        return Outline(kind, None, branches, equal, evaluation, state)

    def _value_of(self, state: str, ply: int, last: Move | None) -> float:
        """The evaluation of an end, or of a state at the horizon."""
        is_end, is_known = state in self.ends, state in self.values
        if state not in self.moves and not is_end and (not is_known or ply < self.plies):
            line = last.line if last else self.file.require("start_state").line
            problem = "has neither successors nor an evaluation"
            if is_known:
                problem = "has no successors; expected it in win_states or lose_states, or at the depth limit"
            raise self.file.error(line, f"leads to the state {one_line(state, 40)}, which {problem}")
        if not is_known:
            why = "it is a terminal state" if is_end else f"the search evaluates it at depth {self.depth}"
            line = self.file.require("evaluation").line
            raise self.file.error(line, f"the state {one_line(state, 40)} needs an evaluation, because {why}")
        return self.values[state]

    def _move(self, line: int, row: str) -> None:
        words = row.split()
        if len(words) != 3:
            raise self.file.error(line, f"expected STATE ACTION NEXT, got {one_line(row, 60)}")
        move = Move(words[0], words[1], words[2], line)
        if not _ACTION.fullmatch(move.action):
            raise self.file.error(line, f"expected an action without : @ # ~ and =, got {one_line(move.action, 40)}")
        first = self._lines.setdefault((move.state, move.action), line)
        if first != line:
            raise self.file.error(
                line, f"a second action '{move.action}' of the state '{move.state}'; the first is on line {first}"
            )
        self.moves.setdefault(move.state, []).append(move)

    def _value(self, line: int, row: str) -> None:
        words = row.split()
        if len(words) != 2:
            raise self.file.error(line, f"expected STATE NUMBER, got {one_line(row, 60)}")
        state, text = words
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise self.file.error(line, f"expected a number for '{state}', got {one_line(text, 40)}")
        if state in self.values:
            raise self.file.error(line, f"a second evaluation of the state '{state}'")
        self.values[state] = int(value) if value == int(value) else value
