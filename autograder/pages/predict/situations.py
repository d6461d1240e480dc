"""What a search knows before its next step, for each step of a recorded search that a page can ask about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from autograder.pages.search import DrawnNode, Recording, numbers_below
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.record.trace import ExitReason, Visit
from pacman.search.exhaustive import exhaustive

Window = tuple[float, float]
FINISHED = (ExitReason.VALUE, ExitReason.ALPHA_CUT, ExitReason.BETA_CUT)
"""Why a search leaves the nodes that the page asks about."""
Answer = float | Window | bool | str
"""A value, a window, whether the search cuts, or an action."""


class Kind(StrEnum):
    """What a question asks for."""

    VALUE = "value"
    """The value with which the search leaves the node."""
    WINDOW = "window"
    """The window with which the search enters the next child."""
    CUT = "cut"
    """Whether the search leaves the node now, without the children that are left."""
    ACTION = "action"
    """The action that the search returns at the root."""


@dataclass(frozen=True)
class Situation:
    """A node of a recorded search, just before the event that the question asks for.

    `values` are those of the children that the search has left, in order. `others` are the exhaustive values of the
    other children, for a wrong search that would look at them. `window` is the one with which the search entered the
    node. `evaluation` is None if the tree gives none.
    """

    kind: Kind
    mark: int
    """The entry, as an index of the trace's visits, at which the question stands: into the node for its value and its
    action; into the next child for the window of that child; into the last child for what comes after it."""
    node: int
    """The number of the node in the order of the lines of the tree."""
    name: str
    layer: Layer
    actions: tuple[str, ...]
    probabilities: tuple[float, ...]
    values: tuple[float, ...]
    others: tuple[float, ...]
    window: Window
    has_leaves_only: bool
    evaluation: float | None
    prunes: bool
    right: Answer

    @property
    def place(self) -> int:
        """The index of the next child."""
        return len(self.values)


def is_same(one: Answer, other: Answer) -> bool:
    """True if two answers are equal, but for rounding."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return all(map(is_same, one, other))
    if isinstance(one, (bool, str)) or isinstance(other, (bool, str)):
        return one == other
    if isinstance(one, tuple) or isinstance(other, tuple):
        return False
    return one == other or (isfinite(one - other) and abs(one - other) <= 1e-9 * max(1.0, abs(one), abs(other)))


def situations(tree: Outline, recording: Recording) -> list[Situation]:
    """All situations of a recorded search of the whole `tree`, in the order of the search."""
    replay = _Replay(tree, recording)
    return list(replay.situations(replay.root))


def node_names(tree: Outline) -> list[str]:
    """A name for each node, in the order of the lines: its action if no other branch has it, else its path."""
    places = tree.places()
    count = Counter(action for _, action in places)
    names = ["the root"]
    paths = [""]
    for parent, action in places[1:]:
        paths.append(f"{paths[parent]} > {action}" if parent else action)
        names.append(action if count[action] == 1 else paths[-1])
    return names


@dataclass
class _Entry:
    """One entry into a node, with the entries into its children."""

    index: int
    visit: Visit
    number: int
    """The number of the node in the order of the lines of the tree."""
    children: list[_Entry]


class _Replay:
    """The entries of a trace as a tree, and what the search knows between them."""

    def __init__(self, tree: Outline, recording: Recording) -> None:
        self.recording = recording
        self.prunes = recording.algorithm != "exhaustive"
        self.names = node_names(tree)
        self.nodes = [tree]
        for node in recording.nodes[1:]:
            self.nodes.append(self.nodes[node.parent].successor(node.action))
        self.root = self._root_entry(recording.nodes)

    def _root_entry(self, nodes: Sequence[DrawnNode]) -> _Entry:
        below, numbers = numbers_below(nodes), [0]
        for node in self.recording.report.nodes[1:]:
            numbers.append(below[numbers[node.parent], node.action])
        open_entries: list[_Entry] = []
        for index, visit in enumerate(self.recording.report.steps):
            entry = _Entry(index, visit, numbers[visit.number], [])
            while index and open_entries[-1].number != nodes[entry.number].parent:
                open_entries.pop()
            if index:
                open_entries[-1].children.append(entry)
            open_entries.append(entry)
        return open_entries[0]

    def situations(self, entry: _Entry) -> Iterator[Situation]:
        """The situations from an entry until the search leaves its node."""
        if entry.visit.why not in FINISHED:
            return
        node = self.nodes[entry.number]
        values: tuple[float, ...] = ()
        for place, child in enumerate(entry.children):
            if self.prunes:
                window = child.visit.alpha, child.visit.beta
                yield self._at(entry, Kind.WINDOW, child.index, values, window)
            yield from self.situations(child)
            values = (*values, _value(child))
            if self.prunes and place + 1 < len(node.branches):
                yield self._at(entry, Kind.CUT, child.index, values, child is entry.children[-1])
        yield self._at(entry, Kind.VALUE, entry.index, values, _value(entry))
        if entry is self.root and node.layer is not Layer.CHANCE and self.recording.action is not None:
            yield self._at(entry, Kind.ACTION, entry.index, values, self.recording.action)

    def _at(self, entry: _Entry, kind: Kind, mark: int, values: tuple[float, ...], right: Answer) -> Situation:
        """The situation at the node of an entry in which the search has these values of the children."""
        node = self.nodes[entry.number]
        is_chance = node.layer is Layer.CHANCE
        return Situation(
            kind,
            mark,
            entry.number,
            self.names[entry.number],
            node.layer,
            node.actions(),
            tuple(float(each) for each in node.probabilities) if is_chance else (),
            values,
            tuple(exhaustive(branch, branch.height()).value for _, branch in node.branches[len(values) :]),
            (entry.visit.alpha, entry.visit.beta),
            all(branch.is_terminal for _, branch in node.branches),
            node.evaluation,
            self.prunes,
            right,
        )


def _value(entry: _Entry) -> float:
    """The value with which the search left the node."""
    assert entry.visit.value is not None
    return entry.visit.value
