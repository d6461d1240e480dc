"""What is right about a case: the recorded answer of the reference search, and how an answer is held against it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

from autograder.cases.case import TOLERANCE, Case, PositionInput, SchemaClass, TreeInput
from pacman.core.trace import CountedNode, Trace
from pacman.core.tree import Node
from pacman.search import alphabeta, exhaustive
from pacman.search.ordering import ExcludedActions, OrderedNode

WITHOUT = " without "
"""Between the name of a cut and that of an action which the search leaves out."""


@dataclass(frozen=True, kw_only=True)
class ReferenceCounts(SchemaClass):
    """What the reference touched, with the cut that it used: counts, and a digest of the set of nodes made."""

    cut: str
    expanded: int
    generated: int
    nodes: str


@dataclass(frozen=True, kw_only=True)
class Move(SchemaClass):
    """One search of a case: the value, every right action (none where nobody chooses), and each right trace."""

    value: float
    best: tuple[str, ...]
    touched: tuple[ReferenceCounts, ...]


@dataclass(frozen=True, kw_only=True)
class Reference(SchemaClass):
    """The answer to a case. `line` is every ply of a position's line of play, the ghosts' too."""

    digest: str
    line: tuple[str, ...] = ()
    moves: tuple[Move, ...]


def is_close(value: float, expected: float, tolerance: float = TOLERANCE) -> bool:
    """Equal but for rounding: within the tolerance, absolute, plus that share of `expected`.

    By default one millionth. NaN is close to nothing, itself neither; an infinity to itself alone.

    >>> is_close(1 / 3, 0.333333), is_close(2e9 + 1, 2e9), is_close(0.1, 0.11, 0.01)
    (True, True, True)
    >>> is_close(float("nan"), float("nan"))
    False
    """
    within = tolerance + tolerance * abs(expected)
    return value == expected or (isfinite(within) and abs(value - expected) <= within)


def searched_roots(case: Case, reference: Reference) -> Iterator[tuple[Node, int]]:
    """Each node that is searched in a case, with the plies to look ahead."""
    said = case.input
    if isinstance(said, TreeInput):
        yield case.root, said.plies
        return
    assert isinstance(said, PositionInput)
    state = case.start
    for action in (*reference.line, ""):
        if state.mover == 0:
            yield state, said.rounds * len(state.layers)
        if action:
            state = state.successor(action)


def reference_trace(root: Node, plies: int, cut: str) -> Trace:
    """What the reference search of one node touches; `cut` is none, equal or strict.

    A cut that ends in " without Stop" never looks at it.
    """
    trace = Trace()
    cut, _, left_out = cut.partition(WITHOUT)
    if left_out:
        root = OrderedNode(root, ExcludedActions(left_out))
    if cut == "none":
        exhaustive(CountedNode(root, trace), plies)
    else:
        alphabeta(CountedNode(root, trace), plies, strict=cut == "strict")
    return trace


def nodes_digest(trace: Trace) -> str:
    """A digest of the set of nodes that were made, whatever the order and however often."""
    lines = sorted({"/".join(path) for path in trace.paths()})
    return hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()[:16]
