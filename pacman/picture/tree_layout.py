"""The layout of a drawn tree: each parent is midway between its first and last child, and nothing overlaps.

`PlacedNode.x` counts leaves from the left, `PlacedNode.depth` rows from the top; `spacing` returns pixels per leaf.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from pacman.core.numbers import format_interval, format_number, format_probability, format_window
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.picture.svg_elements import text_width
from pacman.record.report import UNKNOWN, Interval, SearchReport
from pacman.record.trace import CUTS, ExitReason, Visit

VALUE, WORD, SMALL = 15.0, 13.0, 12.0
"""Font sizes: values, actions, and the words beside nodes."""
INNER_HEIGHT, LEAF_HEIGHT, GAP = 46.0, 26.0, 14.0
LABEL = 0.6
"""Where the label of a branch is: 0 is at the parent, 1 at the child."""


@dataclass
class PlacedNode:
    """A node of the tree, its place, and what the search knows about it.

    `beside` are the lines of text to the right of an inner node, each with its class in the picture. `is_seen` is False
    if the search did not enter the node. `probability` is text, "" if the parent is not a CHANCE node. `note` is a
    remark of the caller: below a leaf, and the last line beside an inner node.
    """

    node: Node
    depth: int
    action: str = ""
    probability: str = ""
    interval: Interval = UNKNOWN
    is_on_line: bool = False
    is_seen: bool = True
    beside: list[tuple[str, str]] = field(default_factory=list)
    note: str = ""
    x: float = 0.0
    children: list[PlacedNode] = field(default_factory=list)

    def subtree(self) -> Iterator[PlacedNode]:
        """This node and all nodes below it, parents first."""
        yield self
        for child in self.children:
            yield from child.subtree()

    @property
    def name(self) -> str:
        """The node's name in the outline, "" if it has none."""
        return str(getattr(self.node, "name", ""))

    @property
    def value(self) -> str:
        """What is known about the node's value, as text; "" if nothing is known."""
        return format_interval(*self.interval)

    @property
    def height(self) -> float:
        """The height of the node's shape, in pixels."""
        return LEAF_HEIGHT if self.node.is_terminal else INNER_HEIGHT

    @property
    def label(self) -> str:
        """The text on the branch above the node: its action, and its probability if it has one."""
        return f"{self.action} {self.probability}" if self.probability else self.action

    @property
    def half_box(self) -> float:
        """Half the width of a leaf's box, in pixels."""
        return max(17.0, text_width(self.value, VALUE) / 2 + 7)

    def left(self, half: float) -> float:
        """How far the node and its words reach to the left of its middle; `half` is half the width of inner nodes."""
        name_width = text_width(self.name, SMALL) + 4 if self.name else 0.0
        return (max(self.half_box, self._half_note) if self.node.is_terminal else half) + name_width

    def right(self, half: float, room: float = 0.0) -> float:
        """How far the node and its words reach to the right of its middle; `half` is half the width of inner nodes.

        `room` is the least width of the words beside an inner node.
        """
        lines = [*(word for word, _ in self.beside), *([self.note] if self.note else [])]
        words = max((text_width(word, SMALL) for word in lines), default=-6.0)
        words = max(words, room) if room else words
        return max(self.half_box, self._half_note) if self.node.is_terminal else half + 6 + words

    @property
    def _half_note(self) -> float:
        return text_width(self.note, SMALL) / 2


def place_nodes(tree: Node, plies: int, report: SearchReport | None = None) -> PlacedNode:
    """The root of the layout of `tree`, `plies` deep; `report` is what a search found in it, None for no search."""
    leaves = 0

    def place(node: Node, depth: int, number: int | None, is_on_line: bool) -> PlacedNode:
        nonlocal leaves
        result = PlacedNode(node, depth, is_on_line=is_on_line, is_seen=report is None)
        numbers: dict[str, int] = {}
        if report is not None and number is not None:
            report_node = report.nodes[number]
            numbers = report.children(number)
            result.is_seen = bool(report_node.steps)
            result.interval = report.interval(number)
            visits = [report.steps[step] for step in report_node.steps]
            result.beside = [] if node.is_terminal else _window_lines(visits)
        elif report is None and isinstance(node, Outline) and node.evaluation is not None:
            result.beside = [(f"~{format_number(node.evaluation)}", "evaluation")]
        if node.is_terminal and result.interval == UNKNOWN:  # a leaf shows its utility even if no search entered it
            result.interval = node.score, node.score
        probabilities = _probabilities(node)
        for index, action in enumerate(node.actions() if depth < plies and not node.is_terminal else ()):
            follows_line = report is not None and is_on_line and report.line[depth : depth + 1] == (action,)
            child = place(node.successor(action), depth + 1, numbers.get(action), follows_line)
            child.action = action
            child.probability = probabilities[index] if probabilities else ""
            result.children.append(child)
        if result.children:
            result.x = (result.children[0].x + result.children[-1].x) / 2
        else:
            result.x, leaves = leaves, leaves + 1
        return result

    return place(tree, 0, 0, report is not None)


def _probabilities(node: Node) -> list[str]:
    """The probabilities below a CHANCE node, as short fractions if possible; those of an outline as it writes them."""
    if isinstance(node, Outline):
        return [str(probability) for probability in node.probabilities]
    has_outcomes = node.layer is Layer.CHANCE and not node.is_terminal
    return [format_probability(probability) for _, probability in node.outcomes()] if has_outcomes else []


def _window_lines(visits: list[Visit]) -> list[tuple[str, str]]:
    """The windows of the first and the last entry into an inner node, each followed by why the search left the node.

    The reason is missing if all successors were searched.
    """
    entries = [visit for visit in visits if visit.why is not ExitReason.KNOWN]
    windows = [(format_window(visit.alpha, visit.beta), visit.why) for visit in [*entries[:1], *entries[-1:]]]
    lines: list[tuple[str, str]] = []
    for window, why in dict.fromkeys(windows):
        lines.append((window, "window"))
        if why is not ExitReason.VALUE:
            kind = "reason cut" if why in CUTS else "reason"
            lines.append(("horizon" if why is ExitReason.LEAF else why.value, kind))
    return lines


def half_width(nodes: list[PlacedNode]) -> float:
    """Half the width of every inner node, in pixels: the least width in which each value fits, in small letters."""
    widest = max((text_width(node.value, SMALL) for node in nodes if not node.node.is_terminal), default=0.0)
    return max(INNER_HEIGHT * 0.58, (widest / 2 + 3) * 3 / 2)  # at its value, a triangle has two thirds of its width


def spacing(root: PlacedNode, half: float, room: float = 0.0) -> float:
    """The pixels from leaf to leaf: the least with which no two neighbours in a row touch, nor their labels.

    `half` is half the width of inner nodes, `room` the least width of the words beside them.
    """
    rows: dict[int, list[PlacedNode]] = {}
    for node in root.subtree():
        rows.setdefault(node.depth, []).append(node)
    pixels = 2 * LEAF_HEIGHT
    for row in rows.values():
        for left, right in pairwise(row):
            pixels = max(pixels, (left.right(half, room) + GAP + right.left(half)) / (right.x - left.x))
    for node in root.subtree():
        for left, right in pairwise(node.children):
            words = (text_width(left.label, WORD) + text_width(right.label, WORD)) / 2 + GAP / 2
            pixels = max(pixels, words / LABEL / (right.x - left.x))
    return pixels
