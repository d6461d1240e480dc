"""Outlines: game trees written as indented text. `parse(str(tree)) == tree`.

    max
      West: min ~4
        West: 3
        East: 12
      East: chance =Dice
        West @1/4: 2
        East @3/4: 5.5

Each line is one node, with two more spaces per level. The first line is the KIND of the root: `max`, `min`, `chance`,
or a number, which is the utility of a leaf. Every other line is `ACTION: KIND`. Below a chance node it can be
`ACTION @P: KIND` with the probability P; without any P, all outcomes are equally likely. After the kind, `~4` is the
evaluation of the node (for a search that stops there), and `=Name` is its name. A `#` starts a comment.

A tree can also stand in one line, with its branches in braces; then no action or name contains a brace or a `;`:

    max { West: min ~4 { West: 3; East: 12 }; East: chance =Dice { West @1/4: 2; East @3/4: 5.5 } }
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import fsum, isfinite
from pathlib import Path
from typing import NoReturn

from pacman.core.errors import InputError, nearest, one_line
from pacman.core.layers import Layer
from pacman.core.text_file import read_text
from pacman.core.words import counted, reason_of

EXAMPLE = "max { a: 3; b: min { x: 2; y: 8 } }"
"""A small tree, for help and error texts."""
INDENT = 2
KINDS = "max, min, chance or a number"
MAX_DEPTH = 100
"""The deepest tree, in plies. Readers, searches and pictures recurse, and no drawing has more levels."""
MAX_NODES = 10_000
"""The largest tree. Nobody draws more by hand, and a search of this size takes a fraction of a second."""
MAX_NUMBER_LENGTH = 100
"""The longest number, in characters: longer ones have more digits than a number of the computer can hold."""
_BRACES = re.compile(r"[{};]")
_ONE_LINE = re.compile(r"\s*(max|min|chance)(?![^\s~={])[^{]*\{")
"""How a tree in one line begins. No other tree has only one line that begins with max, min or chance."""
_KINDS = {layer.value: layer for layer in Layer}
_LINE = re.compile(r"(?P<action>[^\s:@#~=]+)(?:\s+@(?P<p>[^\s:]+))?\s*:\s*(?P<rest>.*)")
_HUGE_EXPONENT = re.compile(r"[eE][-+]?\d[\d_]{3}")
"""An exponent of four digits or more. A fraction would write out all its zeros."""
_REST = re.compile(r"(?P<kind>[^\s~=]+)(?:\s+~(?P<score>\S+))?(?:\s+=(?P<name>\S+))?\s*")


class OutlineError(InputError):
    """A tree text that cannot be read. The message names the line, or in a tree of one line the character."""


@dataclass(frozen=True)
class Outline:
    """A node of a tree that is written as text. A leaf has a `utility`, an inner node has a `layer` and branches."""

    kind: Layer | None
    utility: float | None = None
    branches: tuple[tuple[str, Outline], ...] = ()
    probabilities: tuple[Fraction, ...] = ()
    evaluation: float | None = None
    name: str = ""
    has_written_probabilities: bool = field(default=False, repr=False, compare=False)
    """True if the text gives the probabilities. Then `str` writes them too."""

    @classmethod
    def parse(cls, text: str, source: str = "") -> Outline:
        """The tree that `text` draws. OutlineError says in which line of `source` a mistake is.

        >>> tree = Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 1\\n    y: 5")
        >>> tree.actions(), tree.successor("b").layer
        (('a', 'b'), MIN)
        """
        return _Reader(text, source).tree()

    @classmethod
    def load(cls, path: Path) -> Outline:
        """The tree in a text file. InputError names the file, and the line of the error."""
        try:
            return cls.parse(read_text(path), str(path))
        except UnicodeDecodeError:
            raise InputError(f"{path}: not a text file; expected a tree as text, such as {EXAMPLE}") from None
        except OSError as error:
            raise InputError(f"{path}: {reason_of(error)}") from None

    def __str__(self) -> str:
        return "\n".join(self._lines("", ""))

    def to_one_line(self) -> str:
        """The tree as one line, which `parse` reads too. ValueError if an action or a name contains a brace or a `;`.

        >>> Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 1\\n    y: 5").to_one_line()
        'max { a: 3; b: min { x: 1; y: 5 } }'
        """
        lines = list(self._lines("", ""))
        if any(_BRACES.search(line) for line in lines):
            raise ValueError("a tree in one line has no brace and no ';' in an action or a name")
        depths = [(len(line) - len(line.lstrip())) // INDENT for line in lines]
        text = ""
        for line, depth, following in zip(lines, depths, [*depths[1:], 0], strict=True):
            text += line.strip()
            text += " { " if following > depth else " }" * (depth - following)
            text += "; " if 0 < following <= depth else ""
        return text

    def _lines(self, indent: str, label: str) -> Iterator[str]:
        kind = number(self.utility) if self.kind is None else self.kind.value
        guess = "" if self.evaluation is None else f" ~{number(self.evaluation)}"
        yield f"{indent}{label}{kind}{guess}{f' ={self.name}' if self.name else ''}"
        for index, (action, branch) in enumerate(self.branches):
            chance = f" @{self.probabilities[index]}" if self.has_written_probabilities else ""
            yield from branch._lines(indent + " " * INDENT, f"{action}{chance}: ")

    @property
    def layer(self) -> Layer:
        """Who decides here. At a leaf nobody decides, and the layer is MAX."""
        return self.kind or Layer.MAX

    @property
    def is_terminal(self) -> bool:
        """True for a leaf."""
        return self.kind is None

    @property
    def score(self) -> float:
        """The utility of a leaf, or the evaluation (~) of an inner node. ValueError if the node has no evaluation."""
        if self.utility is not None:
            return self.utility
        if self.evaluation is None:
            raise ValueError(
                f"this {self.layer.value} node has no score: it is no leaf and has no evaluation (~):\n{self}"
            )
        return self.evaluation

    def actions(self) -> tuple[str, ...]:
        """The actions in the order in which they are drawn."""
        return tuple(action for action, _ in self.branches)

    def successor(self, action: str) -> Outline:
        """The node below `action`. ValueError if there is no such action."""
        for name, branch in self.branches:
            if name == action:
                return branch
        raise ValueError(f"illegal action {action!r} at this node; legal: {', '.join(self.actions()) or 'none'}")

    def outcomes(self) -> tuple[tuple[str, float], ...]:
        """The actions with their probabilities. ValueError unless this is a chance node."""
        if self.kind is not Layer.CHANCE:
            raise ValueError(f"outcomes() was called at a {self.layer.value} node: only a chance node has outcomes")
        pairs = zip(self.branches, self.probabilities, strict=True)
        return tuple((action, float(probability)) for (action, _), probability in pairs)

    def places(self) -> list[tuple[int, str]]:
        """Each node as the place of its parent in this list and the action there, in the order of the lines.

        >>> Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 1").places()
        [(0, ''), (0, 'a'), (0, 'b'), (2, 'x')]
        """
        places = [(0, "")]

        def add_branches(node: Outline, place: int) -> None:
            for action, branch in node.branches:
                places.append((place, action))
                add_branches(branch, len(places) - 1)

        add_branches(self, 0)
        return places

    def size(self) -> int:
        """The number of nodes in the tree."""
        return 1 + sum(branch.size() for _, branch in self.branches)

    def height(self) -> int:
        """The number of plies from here to the deepest leaf."""
        return 1 + max(branch.height() for _, branch in self.branches) if self.branches else 0

    def assuming(self, layer: Layer) -> Outline:
        """The same tree with `layer` in place of MIN and CHANCE. New CHANCE nodes have equal probabilities."""
        branches = tuple((action, branch.assuming(layer)) for action, branch in self.branches)
        if self.kind is None or self.kind is Layer.MAX or self.kind is layer:
            return replace(self, branches=branches)
        equal = _uniform(layer, len(branches))
        return replace(self, kind=layer, branches=branches, probabilities=equal, has_written_probabilities=False)


def _uniform(kind: Layer | None, branches: int) -> tuple[Fraction, ...]:
    """Equal probabilities for the branches of a chance node; empty for any other node."""
    return (Fraction(1, branches),) * branches if kind is Layer.CHANCE else ()


def _quoted(text: str) -> str:
    """A part of a drawing for a message: in quotes, and cut if it is long."""
    return f"'{one_line(text, 100, str)}'"


def _wrong_branch(text: str) -> str:
    """What is wrong with a line that is no branch, and how to write it."""
    if len(text) > MAX_NUMBER_LENGTH or not text.isprintable():
        return f"cannot read {_quoted(text)}; expected ACTION: KIND"
    action, _, rest = text.partition(":")
    words = (action if rest else text).split()
    if ":" in text and not words:
        return f"the action before the colon is missing in {_quoted(text)}; expected for example 'a{text}'"
    if ":" in text and len(words) > 1 and not words[1].startswith("@"):
        return f"an action is one word, and {_quoted(action)} has {len(words)}; expected '{'-'.join(words)}:{rest}'"
    if ":" not in text and len(words) == 1:
        is_kind = re.fullmatch(r"[-+.\d/]+", text) or text in _KINDS
        return (
            f"{_quoted(text)} needs an action: 'a: {text}'" if is_kind else f"{_quoted(text)} needs a kind: '{text}: 5'"
        )
    if ":" not in text and re.fullmatch(r"[^\s@#~=]+( @\S+)?", " ".join(words[:-1])):
        return f"{_quoted(text)} needs a colon: '{' '.join(words[:-1])}: {words[-1]}'"
    return f"cannot read {_quoted(text)}; expected ACTION: KIND, for example 'West: 5' or 'West: min'"


def number(value: float | None) -> str:
    """A number as an outline writes it: exact, and without a point if it is whole."""
    assert value is not None
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


class _Reader:
    """Reads the lines of one tree."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        numbered = ((row, line.partition("#")[0].rstrip()) for row, line in enumerate(text.split("\n"), 1))
        self.lines = [(row, line) for row, line in numbered if line.strip()]
        self.next = 0
        self.places: list[tuple[int, int, int]] = []
        """For a tree in one line: the row and the column of each node in the text, and its indent in `lines`."""
        self.is_one_line = len(self.lines) == 1 and _ONE_LINE.match(self.lines[0][1]) is not None
        if self.is_one_line:
            self.lines = self.indented(*self.lines[0])

    def fail(self, row: int, column: int, problem: str) -> NoReturn:
        """Raises OutlineError at a row and column, which count from 1. A tree in one line has the column."""
        place = f"character {column}" if self.is_one_line else f"line {row}"
        if self.places:
            _, first, indent = self.places[row - 1]
            place = f"character {first + max(0, column - 1 - indent)}"
        raise OutlineError(f"{self.source}{', ' if self.source else ''}{place}: {problem}")

    def line_at(self, row: int) -> str:
        """The text of a node, by the row where it stands."""
        return next(line.strip() for number, line in self.lines if number == row)

    def indented(self, row: int, line: str) -> list[tuple[int, str]]:
        """The nodes of a tree in one line, each as an indented line with its number."""
        lines: list[tuple[int, str]] = []
        places: list[tuple[int, int, int]] = []
        depth, start, sign_before = 0, 0, ""
        for sign in [*_BRACES.finditer(line), None]:
            end = sign.start() if sign else len(line)
            node = line[start:end].strip()
            column = start + len(line[start:end]) - len(line[start:end].lstrip()) + 1
            if node and sign_before == "}":
                self.fail(row, column, f"expected ';' or '}}' before '{one_line(node, 40, str)}'")
            if node and lines and not depth:
                self.fail(row, column, f"{_quoted(node)} begins a second tree; expected the end of the text")
            if node:
                places.append((row, column, depth * INDENT))
                lines.append((len(lines) + 1, " " * (depth * INDENT) + node))
            if sign and sign[0] == "{":
                if not node:
                    self.fail(row, end + 1, "a brace without a node; expected ACTION: KIND before '{'")
                depth += 1
            if sign and sign[0] == "}":
                depth -= 1
            if depth < 0 or (depth and not sign):
                self.fail(row, end + 1, "a '}' without its '{'" if sign else "the text ends too early; expected '}'")
            if depth > MAX_DEPTH:
                self.fail(row, end + 1, f"the tree is too deep; expected at most {MAX_DEPTH} levels below the root")
            start, sign_before = end + 1, sign[0] if sign else ""
        self.places = places
        return lines

    def tree(self) -> Outline:
        """The whole tree."""
        if not self.lines:
            self.fail(1, 1, "the tree is empty; expected max, min, chance or a number")
        row, line = self.lines[0]
        if line != line.lstrip():
            self.fail(row, 1, f"blanks before the root {_quoted(line.strip())}; the first line begins at the left edge")
        if len(self.lines) > MAX_NODES:
            row, _ = self.lines[MAX_NODES]
            self.fail(row, 1, f"the tree is too large; expected at most {MAX_NODES:,} nodes")
        root = self.node(row, line, 0, 0)
        for row, _ in self.lines[self.next :]:
            self.fail(
                row, 1, f"{_quoted(self.line_at(row))} begins a second tree; indent it by {INDENT} blanks or more"
            )
        return root

    def node(self, row: int, rest: str, column: int, depth: int) -> Outline:
        """The node whose kind begins at `column` (from 0) of line `row`, with the whole tree below it."""
        if depth > MAX_DEPTH:
            self.fail(row, 1, f"the tree is too deep; expected at most {MAX_DEPTH} levels below the root")
        self.next += 1
        if not rest:
            written = one_line(self.line_at(row), 100, str)
            self.fail(row, column + 1, f"nothing after the colon of '{written}'; expected {KINDS}: '{written} 5'")
        match = _REST.fullmatch(rest)
        if not match:
            if "@" in rest:
                self.fail(
                    row, column + 1, f"a probability stands before the colon, as in 'a @1/2: 5', not in {_quoted(rest)}"
                )
            if (word := rest.partition(" ")[0]).lower() in _KINDS:
                self.fail(row, column + 1, f"write '{word.lower()}' in small letters, not '{word}'")
            self.fail(row, column + 1, f"cannot read {_quoted(rest)}; expected {KINDS}, then ~EVALUATION, then =NAME")
        kind = _KINDS.get(match["kind"])
        guess = None if match["score"] is None else self.number(row, column + match.start("score"), match["score"])
        name = match["name"] or ""
        utility = None if kind else self.number(row, column, match["kind"], KINDS)
        if kind is None and guess is not None:
            self.fail(row, column + match.start("score"), "a leaf has a utility, not an evaluation (~)")
        branches, chances = self.children(row, column, depth, kind)
        probabilities = chances or _uniform(kind, len(branches))
        return Outline(kind, utility, branches, probabilities, guess, name, has_written_probabilities=bool(chances))

    def children(
        self, row: int, column: int, depth: int, kind: Layer | None
    ) -> tuple[tuple[tuple[str, Outline], ...], tuple[Fraction, ...]]:
        """The branches of the node in line `row`, and the probabilities that are written there."""
        branches: dict[str, Outline] = {}
        chances: list[Fraction] = []
        while self.next < len(self.lines):
            child_row, line = self.lines[self.next]
            indent = len(line) - len(line.lstrip(" "))
            if line[indent] == "\t" or indent % INDENT:
                found = "a tab" if line[indent] == "\t" else counted(indent, "blank")
                self.fail(
                    child_row,
                    indent + 1,
                    f"{found} before {_quoted(line.strip())}; expected {INDENT} blanks for each level",
                )
            if indent <= depth * INDENT:
                break
            if kind is None:
                above = _quoted(self.line_at(row))
                self.fail(
                    child_row, indent + 1, f"{_quoted(line.strip())} is below the leaf {above}; a leaf has no branches"
                )
            if indent > (depth + 1) * INDENT:
                most = counted((depth + 1) * INDENT, "blank")
                self.fail(
                    child_row, indent + 1, f"{indent} blanks before {_quoted(line.strip())}; expected at most {most}"
                )
            action, chance, child = self.child(child_row, line, indent, depth, kind)
            if action in branches:
                self.fail(child_row, indent + 1, f"this node already has an action {_quoted(action)}")
            branches[action] = child
            if chance is not None:
                chances.append(chance)
            if chances and len(chances) != len(branches):
                self.fail(
                    child_row,
                    indent + 1,
                    "some branches of this chance node have no @probability; give it to every branch, or to none",
                )
        if kind is not None and not branches:
            self.fail(
                row, column + 1, f"this {kind.value} node has no branches; expected a line below it such as 'a: 5'"
            )
        total = fsum(chances)  # of floats: the exact sum of many fractions has a huge denominator
        if chances and abs(total - 1) > 1e-9:
            self.fail(row, column + 1, f"the probabilities of this node sum to {total:g}; expected 1")
        return tuple(branches.items()), tuple(chances)

    def child(self, row: int, line: str, indent: int, depth: int, kind: Layer) -> tuple[str, Fraction | None, Outline]:
        """The action, the written probability and the node in `line`, which is a child of a node of this kind."""
        match = _LINE.fullmatch(line, indent)
        if not match:
            self.fail(row, indent + 1, _wrong_branch(line.strip()))
        chance, at = None, match.start("p")
        if match["p"] is not None:
            if kind is not Layer.CHANCE:
                self.fail(row, at, f"a {kind.value} node has no probabilities; only the actions of a chance node do")
            self.check_length(row, at, match["p"])
            try:
                chance = Fraction(match["p"])
            except (ValueError, ZeroDivisionError):
                self.fail(row, at + 1, f"'{match['p']}' is not a probability; expected a fraction or a decimal number")
            if not 0 <= chance <= 1:
                self.fail(row, at + 1, f"a probability must be from 0 to 1, not {match['p']}")
        return match["action"], chance, self.node(row, match["rest"], match.start("rest"), depth + 1)

    def number(self, row: int, column: int, text: str, expected: str = "a number") -> float:
        """The finite number that `text` writes."""
        self.check_length(row, column, text)
        try:
            value = float(Fraction(text)) if "/" in text else float(text)
        except (ValueError, ZeroDivisionError):
            meant = text.replace(",", ".") if re.fullmatch(r"-?\d+,\d+", text) else ""
            close = f"did you mean '{meant}'?" if meant else nearest(text.lower(), _KINDS)
            hint = f"; {close}" if close.startswith("did") else ""
            self.fail(row, column + 1, f"unknown kind '{text}'; expected {expected}{hint}")
        if not isfinite(value):
            self.fail(row, column + 1, f"expected a finite number, got '{text}'")
        return int(value) if value == int(value) and abs(value) < 1e15 and "." not in text else value

    def check_length(self, row: int, column: int, text: str) -> None:
        """Refuses a number that would need a huge fraction."""
        if len(text) > MAX_NUMBER_LENGTH or _HUGE_EXPONENT.search(text):
            expected = f"expected at most {MAX_NUMBER_LENGTH} characters and an exponent of three digits"
            self.fail(row, column + 1, f"the number {one_line(text, 40, str)} is too long; {expected}")
