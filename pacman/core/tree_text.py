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
evaluation of the node (for a search that stops there), `won` or `lost` says how the game ends at a leaf (`a: 0 lost`),
and `=Name` is the name of the node. A `#` starts a comment.

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
from typing import NamedTuple, NoReturn

from pacman.core.errors import InputError, counted, nearest, one_line, reason_of
from pacman.core.files import read_text
from pacman.core.tree import Layer

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
_REST = re.compile(
    r"(?P<kind>(?!won|lost)[^\s~=]+)(?:(?<=[\d.])\s+(?P<end>won|lost))?(?:\s+~(?P<score>\S+))?(?:\s+=(?P<name>\S+))?\s*"
)


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
    end: str = ""
    """How the game ends at a leaf: "won", "lost", or "" if the text does not say it."""

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
        guess = "" if self.evaluation is None else f"~{number(self.evaluation)}"
        yield indent + label + " ".join(filter(None, (kind, self.end, guess, self.name and f"={self.name}")))
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
        if re.fullmatch(r"0?\.\d+|\d+/\d+|[01]\.?0*", words[-1]):
            return f"a probability has an @ before it; expected '{'-'.join(words[:-1])} @{words[-1]}:{rest}'"
        return f"an action is one word, and {_quoted(action)} has {len(words)}; expected '{'-'.join(words)}:{rest}'"
    if ":" not in text and len(words) == 1:
        is_kind = re.fullmatch(r"[-+.\d/]+", text) or text in _KINDS
        return (
            f"{_quoted(text)} needs an action: 'a: {text}'" if is_kind else f"{_quoted(text)} needs a kind: '{text}: 5'"
        )
    if ":" not in text and re.fullmatch(r"[^\s@#~=]+( @\S+)?", " ".join(words[:-1])):
        return f"{_quoted(text)} needs a colon: '{' '.join(words[:-1])}: {words[-1]}'"
    return f"cannot read {_quoted(text)}; expected ACTION: KIND, for example 'West: 5' or 'West: min'"


def _wrong_kind(rest: str) -> str:
    """What is wrong with the part of a line after its action, and how to write it."""
    if "@" in rest:
        return f"a probability stands before the colon, as in 'a @1/2: 5', not in {_quoted(rest)}"
    word = rest.partition(" ")[0]
    if word != word.lower() and word.lower() in _KINDS:
        return f"write '{word.lower()}' in small letters, not '{word}'"
    if "{" in rest:
        return f"a tree with braces stands in one line: {EXAMPLE}; over several lines it has no braces and no ';'"
    if following := re.fullmatch(r"\S+(?: (?:won|lost|[~=]\S+))*\s+(\S+(?: @\S+)?: *\S.*)", rest):
        return f"{_quoted(following[1])} is another node: write ';' before it, or begin a new line"
    if re.search(r"(?i)(?<!\S)(won|wins?|lost|loses?|loss)(?!\S)", rest):
        return f"a leaf is a number, then 'won' or 'lost', then =NAME, as in 'a: 5 lost'; cannot read {_quoted(rest)}"
    return f"cannot read {_quoted(rest)}; expected {KINDS}, then ~EVALUATION, then =NAME"


def number(value: float | None) -> str:
    """A number as an outline writes it: exact, and without a point if it is whole."""
    assert value is not None
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


class _Line(NamedTuple):
    """The text of one node, without its blanks, and where it stands. In a tree of one line, `start` is its column."""

    row: int
    indent: int
    text: str
    start: int | None = None

    @property
    def quoted(self) -> str:
        """The text for a message."""
        return _quoted(self.text.strip())


class _Reader:
    """Reads the lines of one tree."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        numbered = ((row, line.partition("#")[0].rstrip()) for row, line in enumerate(text.split("\n"), 1))
        rows_with_text = [(row, line) for row, line in numbered if line.strip()]
        if len(rows_with_text) == 1 and _ONE_LINE.match(rows_with_text[0][1]):
            self.lines = self.without_braces(*rows_with_text[0])
        else:
            texts = [(row, line, line.lstrip(" ")) for row, line in rows_with_text]
            self.lines = [_Line(row, len(line) - len(text), text) for row, line, text in texts]
        self.next = 0

    def fail(self, line: _Line, at: int, problem: str) -> NoReturn:
        """Raises OutlineError at a line, or in a tree of one line at the character `at` of a node, from 0."""
        place = f"line {line.row}" if line.start is None else f"character {line.start + at}"
        raise OutlineError(f"{self.source}{', ' if self.source else ''}{place}: {problem}")

    def without_braces(self, row: int, text: str) -> list[_Line]:
        """The nodes of a tree in one line, each as an indented line."""
        lines: list[_Line] = []
        depth, start, sign_before = 0, 0, ""
        for sign in [*_BRACES.finditer(text), None]:
            end = sign.start() if sign else len(text)
            piece = text[start:end]
            node = piece.strip()
            column = start + len(piece) - len(piece.lstrip()) + 1
            line, at_sign = _Line(row, depth * INDENT, node, column), end + 1 - column
            if node and sign_before == "}":
                self.fail(line, 0, f"expected ';' or '}}' before '{one_line(node, 40, str)}'")
            if node and lines and not depth:
                self.fail(line, 0, f"{line.quoted} begins a second tree; expected the end of the text")
            if node:
                lines.append(line)
            if sign and sign[0] == "{":
                if not node:
                    self.fail(line, at_sign, "a brace without a node; expected ACTION: KIND before '{'")
                depth += 1
            if sign and sign[0] == "}":
                depth -= 1
            if depth < 0 or (depth and not sign):
                self.fail(line, at_sign, "a '}' without its '{'" if sign else "the text ends too early; expected '}'")
            self.check_depth(line, at_sign, depth)
            start, sign_before = end + 1, sign[0] if sign else ""
        return lines

    def tree(self) -> Outline:
        """The whole tree."""
        if not self.lines:
            self.fail(_Line(1, 0, ""), 0, "the tree is empty; expected max, min, chance or a number")
        root = self.lines[0]
        if root.indent or root.text != root.text.lstrip():
            self.fail(root, 0, f"blanks before the root {root.quoted}; the first line begins at the left edge")
        if len(self.lines) > MAX_NODES:
            self.fail(self.lines[MAX_NODES], 0, f"the tree is too large; expected at most {MAX_NODES:,} nodes")
        tree = self.node(root, 0, 0)
        for line in self.lines[self.next :]:
            self.fail(line, 0, f"{line.quoted} begins a second tree; indent it by {INDENT} blanks or more")
        return tree

    def node(self, line: _Line, at: int, depth: int) -> Outline:
        """The node whose kind begins at the character `at` of `line`, with the whole tree below it."""
        self.check_depth(line, 0, depth)
        self.next += 1
        rest = line.text[at:]
        if not rest:
            self.fail(line, at, f"nothing after the colon of {line.quoted}; expected {KINDS}: {line.quoted[:-1]} 5'")
        match = _REST.fullmatch(rest)
        if not match:
            self.fail(line, at, _wrong_kind(rest))
        kind = _KINDS.get(match["kind"])
        guess = None if match["score"] is None else self.number(line, at + match.start("score"), match["score"])
        utility = None if kind else self.number(line, at, match["kind"], KINDS)
        if kind is None and guess is not None:
            self.fail(line, at + match.start("score") - 1, "a leaf has a utility, not an evaluation (~)")
        branches, chances = self.children(line, at, depth, kind)
        probabilities = chances or _uniform(kind, len(branches))
        name, end = match["name"] or "", match["end"] or ""
        return Outline(kind, utility, branches, probabilities, guess, name, bool(chances), end)

    def children(
        self, parent: _Line, at: int, depth: int, kind: Layer | None
    ) -> tuple[tuple[tuple[str, Outline], ...], tuple[Fraction, ...]]:
        """The branches of the node in line `parent`, and the probabilities that are written there."""
        branches: dict[str, Outline] = {}
        chances: list[Fraction] = []
        while (line := self.line_below(parent, depth, kind)) is not None:
            assert kind is not None
            action, chance, child = self.child(line, depth, kind)
            if action in branches:
                self.fail(line, 0, f"this node already has an action {_quoted(action)}")
            branches[action] = child
            if chance is not None:
                chances.append(chance)
            if chances and len(chances) != len(branches):
                self.fail(line, 0, "some branches of this chance node have no @probability; give it to all, or to none")
        if kind is not None and not branches:
            self.fail(parent, at, f"this {kind.value} node has no branches; expected a line below it such as 'a: 5'")
        total = fsum(chances)  # of floats: the exact sum of many fractions has a huge denominator
        if chances and abs(total - 1) > 1e-9:
            self.fail(parent, at, f"the probabilities of this node sum to {total:g}; expected 1")
        return tuple(branches.items()), tuple(chances)

    def line_below(self, parent: _Line, depth: int, kind: Layer | None) -> _Line | None:
        """The next line if it is a child of the node in line `parent`; None if it belongs to a node above."""
        if self.next == len(self.lines):
            return None
        line = self.lines[self.next]
        if line.text[0] == "\t" or line.indent % INDENT:
            blanks = "a tab" if line.text[0] == "\t" else counted(line.indent, "blank")
            self.fail(line, 0, f"{blanks} before {line.quoted}; expected {INDENT} blanks for each level")
        if line.indent <= depth * INDENT:
            return None
        if kind is None:
            self.fail(line, 0, f"{line.quoted} is below the leaf {parent.quoted}; a leaf has no branches")
        if line.indent > (depth + 1) * INDENT:
            most = counted((depth + 1) * INDENT, "blank")
            self.fail(line, 0, f"{line.indent} blanks before {line.quoted}; expected at most {most}")
        return line

    def child(self, line: _Line, depth: int, kind: Layer) -> tuple[str, Fraction | None, Outline]:
        """The action, the written probability and the node in `line`, which is a child of a node of this kind."""
        match = _LINE.fullmatch(line.text)
        if not match:
            self.fail(line, 0, _wrong_branch(line.text.strip()))
        chance, at = None, match.start("p")
        if match["p"] is not None:
            if kind is not Layer.CHANCE:
                self.fail(line, at - 1, f"a {kind.value} node has no probabilities; only a chance node has them")
            self.check_length(line, at, match["p"])
            try:
                chance = Fraction(match["p"])
            except (ValueError, ZeroDivisionError):
                self.fail(line, at, f"'{match['p']}' is not a probability; expected a fraction or a decimal number")
            if not 0 <= chance <= 1:
                self.fail(line, at, f"a probability must be from 0 to 1, not {match['p']}")
        return match["action"], chance, self.node(line, match.start("rest"), depth + 1)

    def number(self, line: _Line, at: int, text: str, expected: str = "a number") -> float:
        """The finite number that `text` writes."""
        self.check_length(line, at, text)
        try:
            value = float(Fraction(text)) if "/" in text else float(text)
        except (ValueError, ZeroDivisionError):
            with_point = text.replace(",", ".") if re.fullmatch(r"-?\d+,\d+", text) else ""
            close = f"did you mean '{with_point}'?" if with_point else nearest(text.lower(), _KINDS)
            hint = f"; {close}" if close.startswith("did") else ""
            self.fail(line, at, f"unknown kind '{text}'; expected {expected}{hint}")
        if not isfinite(value):
            self.fail(line, at, f"expected a finite number, got '{text}'")
        return int(value) if value == int(value) and abs(value) < 1e15 and "." not in text else value

    def check_depth(self, line: _Line, at: int, depth: int) -> None:
        """Refuses a tree that is too deep to be read."""
        if depth > MAX_DEPTH:
            self.fail(line, at, f"the tree is too deep; expected at most {MAX_DEPTH} levels below the root")

    def check_length(self, line: _Line, at: int, text: str) -> None:
        """Refuses a number that would need a huge fraction."""
        if len(text) > MAX_NUMBER_LENGTH or _HUGE_EXPONENT.search(text):
            expected = f"expected at most {MAX_NUMBER_LENGTH} characters and an exponent of three digits"
            self.fail(line, at, f"the number {one_line(text, 40, str)} is too long; {expected}")
