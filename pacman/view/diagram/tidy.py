"""A drawn tree laid out: leaves one apart, every parent midway between its outer children, nothing over anything else.

`Spot.x` counts leaves from the left and `Spot.depth` rows from the top; `spacing` says how many pixels a leaf needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from pacman.core.outline import Outline
from pacman.core.trace import CUTS, Visit, Why
from pacman.view.diagram.svg import wide
from pacman.view.insight import figures
from pacman.view.insight.study import OPEN, Interval, Study

VALUE, WORD, SMALL = 15.0, 13.0, 12.0
"""Sizes of type: values, actions, and the words beside nodes."""
TALL, LEAF_TALL, APART = 46.0, 26.0, 14.0
NAMED = 0.6
"""Where on a branch its label stands, from the parent (0) to the child (1)."""


@dataclass
class Spot:
    """A node of the tree, its place, and what the search knows of it."""

    node: Outline
    depth: int
    action: str = ""
    probability: str = ""
    visits: list[Visit] = field(default_factory=list)
    known: Interval = OPEN
    on_line: bool = False
    x: float = 0.0
    children: list[Spot] = field(default_factory=list)

    def everyone(self) -> Iterator[Spot]:
        yield self
        for child in self.children:
            yield from child.everyone()

    @property
    def is_seen(self) -> bool:
        return bool(self.visits)

    @property
    def value(self) -> str:
        return figures.claim(*self.known)

    @property
    def tall(self) -> float:
        return TALL if self.node.branches else LEAF_TALL

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
        named = wide(self.node.name, SMALL) + 4 if self.node.name else 0.0
        return (half if self.node.branches else self.box) + named

    def right(self, half: float) -> float:
        words = max((wide(word, SMALL) for word, _ in self.beside()), default=-6.0)
        return half + 6 + words if self.node.branches else self.box

    def beside(self) -> list[tuple[str, bool]]:
        """The lines to the right of an inner node: windows, and why it was left. True: that cut something off."""
        entries = [visit for visit in self.visits if visit.why is not Why.KNOWN] if self.node.branches else []
        lines: list[tuple[str, bool]] = []
        windows = [(figures.window(visit.alpha, visit.beta), visit.why) for visit in [*entries[:1], *entries[-1:]]]
        for window, why in dict.fromkeys(windows):
            lines.append((window, False))
            if why is not Why.VALUE:
                lines.append(("horizon" if why is Why.LEAF else why.value, why in CUTS))
        return lines


def laid_out(tree: Outline, study: Study) -> Spot:
    """The nodes of `tree` to the depth that was looked at, each at its place, with what `study` knows of it."""
    leaves = 0

    def place(node: Outline, depth: int, number: int | None, on_line: bool) -> Spot:
        nonlocal leaves
        spot = Spot(node, depth, on_line=on_line)
        below: dict[str, int] = {}
        if number is not None:
            seen = study.nodes[number]
            below = {study.nodes[child].action: child for child in seen.children}
            spot.visits = [study.steps[step] for step in seen.steps]
            spot.known = study.known(number)
        if node.utility is not None:  # drawn there, whether it was seen or not
            spot.known = node.utility, node.utility
        for index, (action, branch) in enumerate(node.branches if depth < study.plies else ()):
            follows = on_line and study.line[depth : depth + 1] == (action,)
            child = place(branch, depth + 1, below.get(action), follows)
            child.action = action
            child.probability = str(node.probabilities[index]) if node.probabilities else ""
            spot.children.append(child)
        if spot.children:
            spot.x = (spot.children[0].x + spot.children[-1].x) / 2
        else:
            spot.x, leaves = leaves, leaves + 1
        return spot

    return place(tree, 0, 0, True)


def half_width(everyone: list[Spot]) -> float:
    """Half the width of every inner node: the least in which each value has room, in small type."""
    # A triangle is two thirds as wide where its value stands.
    return max([TALL * 0.58, *((wide(spot.value, SMALL) / 2 + 3) * 3 / 2 for spot in everyone if spot.node.branches)])


def spacing(root: Spot, half: float) -> float:
    """The pixels from leaf to leaf: the fewest with which no two neighbours in a row touch, nor their labels."""
    rows: dict[int, list[Spot]] = {}
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
