"""What a search touched: a node that writes down which successors were made, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from pacman.core.layers import Layer
from pacman.core.tree import Node, NodeWrapper

Path = tuple[str, ...]


class ExitReason(Enum):
    """Why a search left a node."""

    LEAF = "leaf"
    """It was evaluated."""
    VALUE = "value"
    """All its successors were searched."""
    ALPHA_CUT = "alpha cut"
    """It was worth no more than alpha whatever the rest is; some successor was not searched."""
    BETA_CUT = "beta cut"
    """It was worth no less than beta whatever the rest is; some successor was not searched."""
    PROBE_CUT = "probe cut"
    """A chance node whose outcomes' first moves were enough to leave it."""
    BOUND = "bound"
    """Its bounds [L, U] lay outside the window: no successor was searched."""
    KNOWN = "known"
    """A table held its value."""
    PROBED = "probed"
    """Only some of its moves were asked for; the search may come back."""
    STOPPED = "stopped"
    """The time was up, or an error was raised."""

    @classmethod
    def by_unseen(cls, layer: Layer, actions: int, unseen: int) -> ExitReason:
        """Why a node of so many actions was left, when all that is known is how many of them were never followed."""
        if unseen == actions:
            return cls.LEAF
        if not unseen:
            return cls.VALUE
        return cls.ALPHA_CUT if layer is Layer.MIN else cls.BETA_CUT


CUTS = (ExitReason.ALPHA_CUT, ExitReason.BETA_CUT, ExitReason.PROBE_CUT, ExitReason.BOUND)


@dataclass(slots=True)
class Visit:
    """One entry into a node: with which window, how many plies left, and with what value and why it was left.

    `generated_before` successors had been made, by the whole search, when it was entered: the place of this entry in
    the order of `Trace.successors`. A node that was probed, and later searched, is entered twice.
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
    """The actions that were not followed when it was left."""


class Trace:
    """Every successor that was made, in order. Nodes are numbered as they first appear; the root is 0.

    `successors` lists a node each time that it was generated, so a node made twice stands there twice. `visits` lists
    every entry into a node, in order, if the search has the hook `pacman.search.tracing.TracingHook`; else nothing.
    """

    def __init__(self) -> None:
        self.parents: list[int] = [0]
        self.actions: list[str] = [""]
        self.successors: list[int] = []
        self.visits: list[Visit] = []
        self._numbers: dict[tuple[int, str], int] = {}

    def generate(self, parent: int, action: str) -> int:
        """Writes down that `action` was followed from node `parent`; returns the successor's number."""
        number = self._numbers.get((parent, action))
        if number is None:
            number = self._numbers[parent, action] = len(self.parents)
            self.parents.append(parent)
            self.actions.append(action)
        self.successors.append(number)
        return number

    def enter(
        self,
        number: int,
        plies: int,
        alpha: float,
        beta: float,
        value: float | None = None,
        why: ExitReason = ExitReason.STOPPED,
    ) -> Visit:
        """Writes down an entry into a node; returns it, to be completed when the node is left."""
        visit = Visit(number, plies, alpha, beta, len(self.successors), value, why=why)
        self.visits.append(visit)
        return visit

    @property
    def generated(self) -> int:
        """How many successors were made, repeats included."""
        return len(self.successors)

    @property
    def distinct(self) -> int:
        """How many different nodes were made."""
        return len(self.parents) - 1

    @property
    def expanded(self) -> list[int]:
        """The nodes of which at least one successor was made, in the order in which the first was."""
        return list(dict.fromkeys(self.parents[number] for number in self.successors))

    def number(self, parent: int, action: str) -> int | None:
        """The number of the successor by `action`, None if it was never made."""
        return self._numbers.get((parent, action))

    def path(self, number: int) -> Path:
        """The actions that lead from the root to a node: its name."""
        steps: list[str] = []
        while number:
            steps.append(self.actions[number])
            number = self.parents[number]
        return tuple(reversed(steps))

    def paths(self) -> Iterator[Path]:
        """The name of every node that was made, each once, in order."""
        named: list[Path] = [()]
        for parent, action in zip(self.parents[1:], self.actions[1:], strict=True):
            named.append((*named[parent], action))
            yield named[-1]


class CountedNode(NodeWrapper):
    """A node like the one it holds, that tells a `Trace` of each successor made."""

    __slots__ = ("_trace", "number")

    def __init__(self, node: Node, trace: Trace, number: int = 0) -> None:
        super().__init__(node)
        self._trace = trace
        self.number = number
        """The node's number in the trace."""

    def successor(self, action: str) -> CountedNode:
        successor = self._node.successor(action)
        return CountedNode(successor, self._trace, self._trace.generate(self.number, action))
