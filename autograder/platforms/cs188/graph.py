"""A game graph of that project's tests as one of our drawn trees: what several moves lead to is drawn several times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from autograder.platforms.cs188.testfile import TestFile
from pacman.core.errors import InputError, one_line
from pacman.core.layers import Layer
from pacman.core.outline import Outline

MAX_NODES = 5_000
MAX_PLIES = 100
"""What the grader takes, of nodes for a picture and of plies for an answer."""
_ACTION = re.compile(r"[^\s:@#~=]+")


@dataclass(frozen=True)
class Move:
    """One line of `successors`."""

    state: str
    action: str
    next: str
    line: int


class Graph:
    """The states of a `GraphGameTreeTest`, checked: InputError names the line of what cannot be."""

    def __init__(self, file: TestFile, other: Layer) -> None:
        self.file = file
        self.other = other
        self.agents = file.number("num_agents", least=1)
        self.depth = file.number("depth", least=1)
        self.start = file.text("start_state")
        self.ends = {*file.text("win_states").split(), *file.text("lose_states").split()}
        self.moves: dict[str, list[Move]] = {}
        self.values: dict[str, float] = {}
        for line, row in file.said("successors").rows():
            self._move(line, row)
        for line, row in file.said("evaluation").rows():
            self._value(line, row)
        self.states = {self.start, *self.moves, *self.values, *self.ends}
        self.states |= {move.next for moves in self.moves.values() for move in moves}

    @property
    def plies(self) -> int:
        return self.depth * self.agents

    def tree(self) -> Outline:
        """The tree below the start, each node named after its state; InputError where it cannot be drawn.

        It goes on below the horizon where the graph does, ends in a whole and has fewer than 5,000 nodes: there a
        search that goes too deep sees something else.
        """
        if self.start not in self.moves:
            problem = "is an end itself" if self.start in self.values else "has no successors"
            line = self.file.said("start_state").line
            raise self.file.error(line, f"start_state: {one_line(self.start, 40)} {problem}; nothing to search")
        try:
            return self._draw(below=2 * self.agents)
        except InputError:  # it does not end, or not soon, or lacks there what nobody asks for
            return self._draw(below=0)

    def _draw(self, below: int) -> Outline:
        self._drawn = 0
        return self._node(self.start, 0, None, below)

    def _node(self, state: str, ply: int, reached: Move | None, below: int) -> Outline:
        """The tree of a state, down to `below` plies below the horizon; with 0 it is cut off there."""
        self._drawn += 1
        line = self.file.said("successors").line
        if self._drawn > MAX_NODES:
            raise self.file.error(line, f"drawn as a tree this graph has more than {MAX_NODES:,} nodes")
        if ply > min(MAX_PLIES, self.plies + below):
            raise self.file.error(line, f"this graph is searched deeper than {MAX_PLIES} plies")
        moves = [] if state in self.ends else self.moves.get(state, [])
        if not moves or (ply == self.plies and not below):
            return Outline(None, utility=self._worth(state, ply, reached), name=state)
        branches = tuple((move.action, self._node(move.next, ply + 1, move, below)) for move in moves)
        kind = Layer.MAX if ply % self.agents == 0 else self.other
        equal = (Fraction(1, len(moves)),) * len(moves) if kind is Layer.CHANCE else ()
        guess = self._worth(state, ply, reached) if ply == self.plies else self.values.get(state)
        return Outline(kind, None, branches, equal, guess, state)

    def _worth(self, state: str, ply: int, reached: Move | None) -> float:
        """The evaluation of an end, or of a state at the horizon."""
        is_end, is_known = state in self.ends, state in self.values
        if state not in self.moves and not is_end and (not is_known or ply < self.plies):
            line = reached.line if reached else self.file.said("start_state").line
            problem = "has neither successors nor an evaluation"
            if is_known:
                problem = "has no successors; expected it among win_states or lose_states, or at the full depth"
            raise self.file.error(line, f"leads to the state {one_line(state, 40)}, which {problem}")
        if not is_known:
            why = "an end" if is_end else f"evaluated at depth {self.depth}"
            line = self.file.said("evaluation").line
            raise self.file.error(line, f"no evaluation of the state {one_line(state, 40)}, which is {why}")
        return self.values[state]

    def _move(self, line: int, row: str) -> None:
        words = row.split()
        if len(words) != 3:
            raise self.file.error(line, f"expected STATE ACTION NEXT, not {one_line(row, 60)}")
        move = Move(words[0], words[1], words[2], line)
        if not _ACTION.fullmatch(move.action):
            raise self.file.error(line, f"expected an action without : @ # ~ and =, not {one_line(move.action, 40)}")
        before = self.moves.setdefault(move.state, [])
        for other in before:
            if other.action == move.action:
                raise self.file.error(line, f"a second '{move.action}' of '{move.state}'; the first: line {other.line}")
        before.append(move)

    def _value(self, line: int, row: str) -> None:
        words = row.split()
        if len(words) != 2:
            raise self.file.error(line, f"expected STATE NUMBER, not {one_line(row, 60)}")
        state, text = words
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise self.file.error(line, f"expected a number for '{state}', not {one_line(text, 40)}")
        if state in self.values:
            raise self.file.error(line, f"a second evaluation of '{state}'")
        self.values[state] = int(value) if value == int(value) else value
