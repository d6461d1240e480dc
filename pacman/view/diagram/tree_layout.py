"""A drawn tree laid out: leaves one apart, every parent midway between its outer children, nothing over anything else.

`PlacedNode.x` counts leaves from the left, `PlacedNode.depth` rows from the top; `spacing` returns pixels per leaf.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.trace import CUTS, ExitReason, Visit
from pacman.core.tree import Node
from pacman.view.analysis import number_text
from pacman.view.analysis.search_report import OPEN, Interval, SearchReport
from pacman.view.diagram.svg_elements import wide

VALUE, WORD, SMALL = 15.0, 13.0, 12.0
"""Sizes of type: values, actions, and the words beside nodes."""
TALL, LEAF_TALL, APART = 46.0, 26.0, 14.0
NAMED = 0.6
"""Where on a branch its label stands, from the parent (0) to the child (1)."""


@dataclass
class PlacedNode:
    """A node of the tree, its place, and what the search knows of it.

    `beside` are the lines to the right of an inner node, each with True if something was cut off; `is_seen` is False
    where a search never came.
    """

    node: Node
    depth: int
    action: str = ""
    probability: str = ""
    known: Interval = OPEN
    on_line: bool = False
    is_seen: bool = True
    beside: list[tuple[str, bool]] = field(default_factory=list)
    x: float = 0.0
    children: list[PlacedNode] = field(default_factory=list)

    def everyone(self) -> Iterator[PlacedNode]:
        yield self
        for child in self.children:
            yield from child.everyone()

    @property
    def name(self) -> str:
        return str(getattr(self.node, "name", ""))

    @property
    def value(self) -> str:
        return number_text.claim(*self.known)

    @property
    def tall(self) -> float:
        return LEAF_TALL if self.node.is_terminal else TALL

    @property
    def label(self) -> str:
        """What stands on the branch above the node."""
        return f"{self.action} {self.probability}" if self.probability else self.action

    @property
    def box(self) -> float:
        """Half the width of a leaf's box."""
        return max(17.0, wide(self.value, VALUE) / 2 + 7)

    def left(self, half: float) -> float:
        """How far the node and its words reach to the left of its middle, when inner nodes are 2 `half` wide."""
        named = wide(self.name, SMALL) + 4 if self.name else 0.0
        return (self.box if self.node.is_terminal else half) + named

    def right(self, half: float) -> float:
        words = max((wide(word, SMALL) for word, _ in self.beside), default=-6.0)
        return self.box if self.node.is_terminal else half + 6 + words


def laid_out(tree: Node, plies: int, study: SearchReport | None = None) -> PlacedNode:
    """The nodes of `tree` to that depth, each at its place, with what `study` knows of it, if it was searched."""
    leaves = 0

    def place(node: Node, depth: int, number: int | None, on_line: bool) -> PlacedNode:
        nonlocal leaves
        spot = PlacedNode(node, depth, on_line=on_line, is_seen=study is None)
        below: dict[str, int] = {}
        if study is not None and number is not None:
            seen = study.nodes[number]
            below = {study.nodes[child].action: child for child in seen.children}
            spot.is_seen = bool(seen.steps)
            spot.known = study.known(number)
            spot.beside = [] if node.is_terminal else _windows([study.steps[step] for step in seen.steps])
        elif study is None and isinstance(node, Outline) and node.evaluation is not None:
            spot.beside = [(f"~{number_text.figure(node.evaluation)}", False)]
        if node.is_terminal and spot.known == OPEN:  # drawn there, whether it was seen or not
            spot.known = node.score, node.score
        chances = _chances(node)
        for index, action in enumerate(node.actions() if depth < plies and not node.is_terminal else ()):
            follows = study is not None and on_line and study.line[depth : depth + 1] == (action,)
            child = place(node.successor(action), depth + 1, below.get(action), follows)
            child.action = action
            child.probability = chances[index] if chances else ""
            spot.children.append(child)
        if spot.children:
            spot.x = (spot.children[0].x + spot.children[-1].x) / 2
        else:
            spot.x, leaves = leaves, leaves + 1
        return spot

    return place(tree, 0, 0, study is not None)


def _chances(node: Node) -> list[str]:
    """The probabilities below a CHANCE node, as fractions where they are short; those of an outline as it says."""
    if isinstance(node, Outline):
        return [str(probability) for probability in node.probabilities]
    is_drawn = node.layer is Layer.CHANCE and not node.is_terminal
    return [number_text.chance(probability) for _, probability in node.outcomes()] if is_drawn else []


def _windows(visits: list[Visit]) -> list[tuple[str, bool]]:
    """The windows in which an inner node was entered, first and last, and why it was left then."""
    entries = [visit for visit in visits if visit.why is not ExitReason.KNOWN]
    windows = [(number_text.window(visit.alpha, visit.beta), visit.why) for visit in [*entries[:1], *entries[-1:]]]
    lines: list[tuple[str, bool]] = []
    for window, why in dict.fromkeys(windows):
        lines.append((window, False))
        if why is not ExitReason.VALUE:
            lines.append(("horizon" if why is ExitReason.LEAF else why.value, why in CUTS))
    return lines


def half_width(everyone: list[PlacedNode]) -> float:
    """Half the width of every inner node: the least in which each value has room, in small type."""
    widest = max((wide(spot.value, SMALL) for spot in everyone if not spot.node.is_terminal), default=0.0)
    return max(TALL * 0.58, (widest / 2 + 3) * 3 / 2)  # a triangle is two thirds as wide where its value stands


def spacing(root: PlacedNode, half: float) -> float:
    """The pixels from leaf to leaf: the fewest with which no two neighbours in a row touch, nor their labels."""
    rows: dict[int, list[PlacedNode]] = {}
    for spot in root.everyone():
        rows.setdefault(spot.depth, []).append(spot)
    gap = 2 * LEAF_TALL
    for row in rows.values():
        for one, next_one in pairwise(row):
            gap = max(gap, (one.right(half) + APART + next_one.left(half)) / (next_one.x - one.x))
    for spot in root.everyone():
        for one, next_one in pairwise(spot.children):
            words = (wide(one.label, WORD) + wide(next_one.label, WORD)) / 2 + APART / 2
            gap = max(gap, words / NAMED / (next_one.x - one.x))
    return gap
