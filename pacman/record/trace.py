"""Traces: a record of the successors that a search generates, in order, and of its entries into nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Self

from pacman.core.tree import Layer, Node, NodeWrapper

Path = tuple[str, ...]


class ExitReason(Enum):
    """The reason why a search left a node."""

    LEAF = "leaf"
    """The search evaluated the node."""
    VALUE = "value"
    """The search visited all successors."""
    ALPHA_CUT = "alpha cut"
    """The node is worth at most alpha, whatever the other successors are worth; the search skipped some of them."""
    BETA_CUT = "beta cut"
    """The node is worth at least beta, whatever the other successors are worth; the search skipped some of them."""
    PROBE_CUT = "probe cut"
    """A chance node: the first moves of its outcomes were enough to leave it."""
    BOUND = "bound"
    """The bounds [L, U] of the node lie outside the window. The search visited no successor."""
    KNOWN = "known"
    """A table already had the value."""
    PROBED = "probed"
    """The search tried only some moves. It may come back."""
    STOPPED = "stopped"
    """The time was up, or there was an error."""

    @classmethod
    def by_unseen(cls, layer: Layer, actions: int, unseen: int) -> ExitReason:
        """The reason for leaving a node with `actions` actions when the search never followed `unseen` of them."""
        if unseen == actions:
            return cls.LEAF
        if not unseen:
            return cls.VALUE
        return cls.ALPHA_CUT if layer is Layer.MIN else cls.BETA_CUT


CUTS = (ExitReason.ALPHA_CUT, ExitReason.BETA_CUT, ExitReason.PROBE_CUT, ExitReason.BOUND)


@dataclass(slots=True)
class Visit:
    """One entry into a node: the plies left, the window, and at the exit the value, the action and the reason.

    `generated_before` is the number of successors that the whole search had generated before this entry. It gives the
    place of the entry in `Trace.successors`. A search that probes a node and later searches it enters it twice.
    """

    number: int
    plies: int
    alpha: float
    beta: float
    generated_before: int
    value: float | None = None
    action: str | None = None
    why: ExitReason = ExitReason.STOPPED
    unseen: Path = ()
    """The actions that the search had not followed when it left the node."""


class Trace:
    """All successors that a search generated, in order. Nodes have numbers in the order of their first appearance.

    The root has the number 0. `successors` lists the number of each generated node; a node that was generated twice
    is listed twice. `visits` lists all entries into nodes, in order, if the search has the hook
    `pacman.search.tracing.TracingHook`. Without the hook it is empty.
    """

    def __init__(self) -> None:
        self.parents: list[int] = [0]
        self.actions: list[str] = [""]
        self.successors: list[int] = []
        self.visits: list[Visit] = []
        self._numbers: dict[tuple[int, str], int] = {}

    def generate(self, parent: int, action: str) -> int:
        """Records that the search followed `action` from the node `parent`. Returns the number of the successor."""
        number = self._numbers.get((parent, action))
        if number is None:
            number = self._numbers[parent, action] = len(self.parents)
            self.parents.append(parent)
            self.actions.append(action)
        self.successors.append(number)
        return number

    def enter(self, number: int, plies: int, alpha: float, beta: float) -> Visit:
        """Records an entry into a node. Returns the `Visit`; the caller completes it at the exit."""
        visit = Visit(number, plies, alpha, beta, len(self.successors))
        self.visits.append(visit)
        return visit

    @property
    def generated(self) -> int:
        """The number of generated successors, repetitions included."""
        return len(self.successors)

    @property
    def distinct(self) -> int:
        """The number of different nodes that were generated."""
        return len(self.parents) - 1

    @property
    def expanded(self) -> list[int]:
        """The nodes with at least one generated successor, in the order of their first one."""
        return list(dict.fromkeys(self.parents[number] for number in self.successors))

    def edges(self) -> Iterator[tuple[int, str]]:
        """The parent of each node but the root, and the action that leads to the node, in the order of the numbers."""
        return zip(self.parents[1:], self.actions[1:], strict=True)

    def number(self, parent: int, action: str) -> int | None:
        """The number of the node below `parent` after `action`, or None if it was never generated."""
        return self._numbers.get((parent, action))

    def path(self, number: int) -> Path:
        """The actions that lead from the root to a node."""
        steps: list[str] = []
        while number:
            steps.append(self.actions[number])
            number = self.parents[number]
        return tuple(reversed(steps))

    def nodes(self, root: Node) -> list[Node]:
        """The nodes of the trace below `root`, by their numbers. A node without such an action raises its own error."""
        nodes = [root]
        for parent, action in self.edges():
            nodes.append(nodes[parent].successor(action))
        return nodes

    def paths(self) -> Iterator[Path]:
        """The path of each generated node, once, in order."""
        paths: list[Path] = [()]
        for parent, action in self.edges():
            paths.append((*paths[parent], action))
            yield paths[-1]


class CountedNode(NodeWrapper):
    """A wrapper around a node that records each generated successor in a `Trace`."""

    __slots__ = ("_trace", "number")

    def __init__(self, node: Node, trace: Trace, number: int = 0) -> None:
        super().__init__(node)
        self._trace = trace
        self.number = number
        """The number of the node in the trace."""

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        """The node itself, which never changes: so the trace also contains the successors of a copy."""
        return self

    def successor(self, action: str) -> CountedNode:
        """The wrapped successor after `action`, which the trace now contains."""
        successor = self._node.successor(action)
        return CountedNode(successor, self._trace, self._trace.generate(self.number, action))
