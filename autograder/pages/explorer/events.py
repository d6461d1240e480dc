"""The steps of a recorded search: `Event` and `Recording`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf

from pacman.core.numbers import format_interval, format_probability, format_window
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.record.report import UNKNOWN, Interval
from pacman.record.trace import ExitReason
from pacman.search.algorithms import SearchResult


class Kind(StrEnum):
    """What happens in an event."""

    ENTER = "enter"
    """The search enters `node` with the window (alpha, beta)."""
    WINDOW = "window"
    """The window of `node` is now (alpha, beta), because of `value`, the value of `action`, or because of [L, U]."""
    BOUNDS = "bounds"
    """The mean of the CHANCE node `node` is now known to lie in `interval`. The last outcome was `action`."""
    PROBE = "probe"
    """The search begins to probe `node`: it searches some of its moves in the window (alpha, beta)."""
    CUT = "cut"
    """The search leaves `node` after `action` and does not follow the actions in `unseen`."""
    VALUE = "value"
    """The search leaves `node` with `value`. Its true value lies in `interval`."""
    START = "start"
    """The next search of iterative deepening begins. It knows nothing of the tree but an order of the actions."""
    STOP = "stop"
    """The search ends here without a result, for example because it raised an exception."""


@dataclass(frozen=True)
class Event:
    """One step of a search.

    `node` is the number of a node in the drawing: the root is 0, and children follow their parent from left to right.
    `visit` is the index of the entry in `Trace.visits`. `has_window` is False if nothing is known about a window.
    `unseen` are the actions of a cut whose successors the search has not made; `closed` are the nodes (below `node`)
    that it cannot enter any more from now on.
    """

    kind: Kind
    node: int
    alpha: float = -inf
    beta: float = inf
    value: float | None = None
    action: str | None = None
    words: str = ""
    why: ExitReason | None = None
    interval: Interval = UNKNOWN
    unseen: tuple[str, ...] = ()
    closed: tuple[int, ...] = ()
    visit: int = -1
    has_window: bool = True
    line: int = 0
    """The line of the student's file that runs; 0 if it is not known, or if the search is not a student's."""
    variables: str = ""
    """What the variables hold there, as text."""

    @property
    def label(self) -> str:
        """What the drawing shows at the node from now on: the value, or the window; "" if nothing new."""
        if self.kind is Kind.VALUE:
            return format_interval(*self.interval)
        shows_window = self.kind in (Kind.ENTER, Kind.WINDOW, Kind.PROBE)
        return format_window(self.alpha, self.beta) if shows_window and self.has_window else ""


@dataclass(frozen=True)
class DrawnNode:
    """A node of the drawing: its parent, its action, and its layer (None at an end and at the horizon)."""

    parent: int
    action: str
    layer: Layer | None


@dataclass(frozen=True)
class Recording:
    """A search that can be stepped through.

    `counts` is what the command `solve` counts. `note` says what is missing. `has_windows` is False if the search has
    no alpha and beta, or if they are not known. `result` is what the picture draws.

    `is_claim` is True for a student's search: what its process sent is known, and nothing else.
    """

    title: str
    algorithm: str
    nodes: tuple[DrawnNode, ...]
    events: tuple[Event, ...]
    counts: Mapping[str, int]
    note: str = ""
    has_windows: bool = True
    result: SearchResult | None = field(default=None, repr=False, compare=False)
    is_claim: bool = False
    code: tuple[str, ...] = ()
    """The lines of the student's file."""


def drawn_nodes(root: Node, plies: int) -> Iterator[DrawnNode]:
    """Every node of the drawing of `root`, `plies` deep, in the order of their numbers."""
    count = 0

    def walk(node: Node, parent: int, action: str, depth: int) -> Iterator[DrawnNode]:
        nonlocal count
        number, count = count, count + 1
        is_leaf = node.is_terminal or depth == plies
        yield DrawnNode(parent, action, None if is_leaf else node.layer)
        for each in () if is_leaf else node.actions():
            yield from walk(node.successor(each), number, each, depth + 1)

    return walk(root, 0, "", 0)


def numbers_below(nodes: Sequence[DrawnNode]) -> dict[tuple[int, str], int]:
    """The number of each node but the root, by the number of its parent and its action."""
    return {(node.parent, node.action): number for number, node in enumerate(nodes) if number}


def subtree_ends(nodes: Sequence[DrawnNode]) -> list[int]:
    """For each node the number of the last node below it, or its own number."""
    ends = list(range(len(nodes)))
    for number in reversed(range(1, len(nodes))):
        ends[nodes[number].parent] = max(ends[nodes[number].parent], ends[number])
    return ends


def probability_texts(node: Node) -> dict[str, str]:
    """The probability of each action of a CHANCE node, as the drawing shows it; empty for another node."""
    if isinstance(node, Outline):
        return dict(zip(node.actions(), map(str, node.probabilities), strict=False))
    if node.layer is not Layer.CHANCE:
        return {}
    return {action: format_probability(probability) for action, probability in node.outcomes()}
