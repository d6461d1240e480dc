"""A drawn game tree as text: picture and input in one. `parse(str(tree)) == tree`.

    max
      West: min ~4
        West: 3
        East: 12
      East: chance =Dice
        West @1/4: 2
        East @3/4: 5.5

One node a line, two spaces a level. The root is a kind (`max`, `min`, `chance`, or a number: a leaf's utility);
every other line is `ACTION: KIND`, below a chance node `ACTION @P: KIND` (all left out: equally likely).
`~4` behind a kind is the node's evaluation when a search stops there, `=Name` names it, `#` starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isfinite
from typing import NoReturn

from pacman.core.errors import InputError
from pacman.core.layers import Layer

INDENT = 2
_KINDS = {layer.value: layer for layer in Layer}
_LINE = re.compile(r"(?P<action>[^\s:@#~=]+)(?:\s+@(?P<p>[^\s:]+))?\s*:\s*(?P<rest>.*)")
_REST = re.compile(r"(?P<kind>[^\s~=]+)(?:\s+~(?P<score>\S+))?(?:\s+=(?P<name>\S+))?\s*")


class OutlineError(InputError):
    """A drawn tree that cannot be read; names line and column."""


@dataclass(frozen=True)
class Outline:
    """A node of a drawn tree. A leaf has a `utility` and no branches, an inner node a `layer` and at least one."""

    kind: Layer | None
    utility: float | None = None
    branches: tuple[tuple[str, Outline], ...] = ()
    probabilities: tuple[Fraction, ...] = ()
    evaluation: float | None = None
    name: str = ""
    has_written_probabilities: bool = field(default=False, repr=False, compare=False)
    """True when the probabilities were written out, so that they are written again."""

    @classmethod
    def parse(cls, text: str, source: str = "<outline>") -> Outline:
        """The tree drawn in `text`; OutlineError names line and column of what is wrong.

        >>> tree = Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 1\\n    y: 5")
        >>> tree.actions(), tree.successor("b").layer
        (('a', 'b'), MIN)
        """
        return _Reader(text, source).tree()

    def __str__(self) -> str:
        return "\n".join(self._lines(""))

    def _lines(self, label: str) -> Iterator[str]:
        kind = number(self.utility) if self.kind is None else self.kind.value
        guess = "" if self.evaluation is None else f" ~{number(self.evaluation)}"
        yield f"{label}{kind}{guess}{f' ={self.name}' if self.name else ''}"
        for index, (action, branch) in enumerate(self.branches):
            chance = f" @{self.probabilities[index]}" if self.has_written_probabilities else ""
            first, *rest = branch._lines(f"{action}{chance}: ")
            yield " " * INDENT + first
            yield from (" " * INDENT + line for line in rest)

    @property
    def layer(self) -> Layer:
        """Who decides here. A leaf, where nobody does, says MAX."""
        return self.kind or Layer.MAX

    @property
    def is_terminal(self) -> bool:
        return self.kind is None

    @property
    def score(self) -> float:
        """A leaf's utility, or the evaluation that is drawn behind an inner node. ValueError where there is none."""
        if self.utility is not None:
            return self.utility
        if self.evaluation is None:
            raise ValueError(f"no evaluation (~) is drawn at this {self.layer.value} node:\n{self}")
        return self.evaluation

    def actions(self) -> tuple[str, ...]:
        return tuple(action for action, _ in self.branches)

    def successor(self, action: str) -> Outline:
        for name, branch in self.branches:
            if name == action:
                return branch
        raise ValueError(f"no action {action!r} here; there are: {', '.join(self.actions()) or 'none'}")

    def outcomes(self) -> tuple[tuple[str, float], ...]:
        if self.kind is not Layer.CHANCE:
            raise ValueError(f"outcomes() of a {self.layer.value} node: only a chance node has probabilities")
        pairs = zip(self.branches, self.probabilities, strict=True)
        return tuple((action, float(probability)) for (action, _), probability in pairs)

    def size(self) -> int:
        """How many nodes the tree has."""
        return 1 + sum(branch.size() for _, branch in self.branches)

    def height(self) -> int:
        """The plies from here to the farthest leaf."""
        return 1 + max(branch.height() for _, branch in self.branches) if self.branches else 0

    def assuming(self, layer: Layer) -> Outline:
        """The same tree with every MIN and CHANCE node taken for `layer`; a new CHANCE node is uniform."""
        branches = tuple((action, branch.assuming(layer)) for action, branch in self.branches)
        if self.kind is None or self.kind is Layer.MAX or self.kind is layer:
            return replace(self, branches=branches)
        equal = _uniform(layer, len(branches))
        return replace(self, kind=layer, branches=branches, probabilities=equal, has_written_probabilities=False)


def _uniform(kind: Layer | None, branches: int) -> tuple[Fraction, ...]:
    """The probabilities below a node where none are drawn; none but below a chance node."""
    return (Fraction(1, branches),) * branches if kind is Layer.CHANCE else ()


def number(value: float | None) -> str:
    """A number as an outline writes it: exactly, and whole numbers without a point."""
    assert value is not None
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


class _Reader:
    """Reads the lines of one drawing."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        bare = ((row, line.partition("#")[0].rstrip()) for row, line in enumerate(text.split("\n"), 1))
        self.lines = [(row, line) for row, line in bare if line.strip()]
        self.next = 0

    def fail(self, row: int, column: int, problem: str) -> NoReturn:
        raise OutlineError(f"{self.source}:{row}:{column}: {problem}")

    def tree(self) -> Outline:
        if not self.lines:
            self.fail(1, 1, "the tree is empty; expected max, min, chance or a number")
        row, line = self.lines[0]
        if line != line.lstrip():
            self.fail(row, 1, "the root line must not be indented")
        root = self.node(row, line, 0, 0)
        for row, _ in self.lines[self.next :]:
            self.fail(row, 1, "a second root; expected every other line to be indented below the first")
        return root

    def node(self, row: int, rest: str, column: int, depth: int) -> Outline:
        """The node whose kind begins at `column` (from 0) of line `row`, with everything below it."""
        self.next += 1
        if not rest:
            self.fail(row, column + 1, "a kind is missing; expected max, min, chance or a number")
        found = _REST.fullmatch(rest)
        if not found:
            self.fail(row, column + 1, f"cannot read '{rest}'; expected KIND, then ~EVALUATION, then =NAME")
        kind = _KINDS.get(found["kind"])
        guess = None if found["score"] is None else self.number(row, column + found.start("score"), found["score"])
        name = found["name"] or ""
        utility = None if kind else self.number(row, column, found["kind"], "max, min, chance or a number")
        if kind is None and guess is not None:
            self.fail(row, column + found.start("score"), "a leaf has a utility, not an evaluation (~)")
        branches, chances = self.children(row, column, depth, kind)
        chosen = chances or _uniform(kind, len(branches))
        return Outline(kind, utility, branches, chosen, guess, name, has_written_probabilities=bool(chances))

    def children(
        self, row: int, column: int, depth: int, kind: Layer | None
    ) -> tuple[tuple[tuple[str, Outline], ...], tuple[Fraction, ...]]:
        branches: list[tuple[str, Outline]] = []
        chances: list[Fraction] = []
        while self.next < len(self.lines):
            child_row, line = self.lines[self.next]
            indent = len(line) - len(line.lstrip(" "))
            if line[indent] == "\t" or indent % INDENT:
                self.fail(child_row, indent + 1, f"bad indent; expected {INDENT} spaces a level")
            if indent <= depth * INDENT:
                break
            if kind is None:
                self.fail(child_row, indent + 1, "a leaf cannot have children")
            if indent > (depth + 1) * INDENT:
                self.fail(child_row, indent + 1, f"bad indent; expected at most {(depth + 1) * INDENT} spaces here")
            action, chance, child = self.child(child_row, line, indent, depth, kind)
            if action in dict(branches):
                self.fail(child_row, indent + 1, f"the action '{action}' stands here twice")
            branches.append((action, child))
            if chance is not None:
                chances.append(chance)
            if chances and len(chances) != len(branches):
                self.fail(child_row, indent + 1, "give every branch of a chance node its @probability, or none")
        if kind is not None and not branches:
            self.fail(row, column + 1, f"this {kind.value} node has no children")
        if chances and sum(chances) != 1 and abs(float(sum(chances)) - 1) > 1e-9:
            self.fail(row, column + 1, f"the probabilities below sum to {float(sum(chances)):g}, not to 1")
        return tuple(branches), tuple(chances)

    def child(self, row: int, line: str, indent: int, depth: int, kind: Layer) -> tuple[str, Fraction | None, Outline]:
        found = _LINE.fullmatch(line, indent)
        if not found:
            self.fail(row, indent + 1, f"cannot read '{line.strip()}'; expected ACTION: KIND")
        chance, at = None, found.start("p")
        if found["p"] is not None:
            if kind is not Layer.CHANCE:
                self.fail(row, at, f"a probability below a {kind.value} node; only chance nodes have them")
            try:
                chance = Fraction(found["p"])
            except (ValueError, ZeroDivisionError):
                self.fail(row, at + 1, f"'{found['p']}' is no probability; expected a fraction or decimal")
            if not 0 <= chance <= 1:
                self.fail(row, at + 1, f"a probability lies between 0 and 1, not at {found['p']}")
        return found["action"], chance, self.node(row, found["rest"], found.start("rest"), depth + 1)

    def number(self, row: int, column: int, text: str, expected: str = "a number") -> float:
        try:
            value = float(Fraction(text)) if "/" in text else float(text)
        except (ValueError, ZeroDivisionError):
            self.fail(row, column + 1, f"unknown kind '{text}'; expected {expected}")
        if not isfinite(value):
            self.fail(row, column + 1, f"a finite number was expected, not '{text}'")
        return int(value) if value == int(value) and abs(value) < 1e15 and "." not in text else value
