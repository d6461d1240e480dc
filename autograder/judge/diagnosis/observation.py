"""What a search answered to one question, beside what is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from autograder.cases.case import TOLERANCE
from autograder.cases.truth import is_close
from autograder.judge.diagnosis.asking import Reply
from autograder.judge.diagnosis.model_tree import ModelTree
from autograder.judge.submission_answer import Claim
from autograder.student_process.fault_kind import FaultKind
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.record.trace import CountedNode, Trace
from pacman.search.alphabeta import alphabeta
from pacman.search.exhaustive import exhaustive


@dataclass(frozen=True)
class Criteria:
    """What counts in a question: values, and that every successor is generated once."""

    value: bool
    nodes: bool
    repeats: bool
    limits: bool = False
    """True if the nodes are only limits, as in a question with `order: any`."""
    action: bool = True
    tolerance: float = TOLERANCE
    """How far a value may be from the right one: as in `is_close`."""


class RightResult(NamedTuple):
    """What the right search returns, and the numbers of the nodes that it generates, in order."""

    value: float
    action: str | None
    generated: tuple[int, ...]


@dataclass(frozen=True)
class Expectation:
    """A question with its right result, which does not depend on the student. `cuts` is when the right search cuts."""

    tree: ModelTree
    cuts: Literal["", "equal", "strict"]

    def _evaluate(self, node: Node) -> float:
        return node.score + self.tree.shift

    @cached_property
    def right(self) -> RightResult:
        """The right result."""
        trace, plies = Trace(), self.tree.plies
        root = CountedNode(self.tree.root.node, trace)
        if self.cuts:
            line = alphabeta(root, plies, self._evaluate, strict=self.cuts == "strict")
        else:
            line = exhaustive(root, plies, self._evaluate)
        return RightResult(line.value, line.action, tuple(_generated(self.tree, trace) or ()))

    @cached_property
    def best(self) -> tuple[str | None, ...]:
        """The right actions at the root: all with the best value."""
        if self.right.action is None:
            return (None,)
        root, below = self.tree.root.node, self.tree.plies - 1
        values = {each: exhaustive(root.successor(each), below, self._evaluate).value for each in root.actions()}
        top = (max if root.layer is Layer.MAX else min)(values.values())
        return tuple(action for action, value in values.items() if is_close(value, top))

    @cached_property
    def numbers(self) -> frozenset[int]:
        """The nodes that the right search generates."""
        return frozenset(self.right.generated)

    @cached_property
    def size(self) -> int:
        """The number of nodes of the drawn tree."""
        assert isinstance(self.tree.root.node, Outline)
        return self.tree.root.node.size()

    @cached_property
    def limit(self) -> int:
        """The successors that iterative deepening would generate."""
        paths, plies = self.tree.paths, self.tree.plies
        return sum(plies - len(paths[number]) + 1 for number in self.numbers)


@dataclass(frozen=True)
class Observation:
    """One answer of the search, beside what is expected.

    `numbers` are the nodes that it generated, by the numbers of the tree; None if they are unknown. `fault` is the text
    of the exception that it raised, with the line of the student's file. An observation without a claim and without a
    fault tells nothing and is left out.
    """

    expected: Expectation
    claim: Claim | None
    fault: str
    numbers: frozenset[int] | None
    best: tuple[str | None, ...]
    """The actions that are right."""
    advice: str = ""
    """What to write in place of the code that raised the exception."""

    @cached_property
    def tree(self) -> ModelTree:
        """The tree of the question."""
        return self.expected.tree

    @cached_property
    def right(self) -> RightResult:
        """The right result."""
        return self.expected.right

    @cached_property
    def is_drawn(self) -> bool:
        """True for a drawn tree, false for a position of Pacman."""
        return isinstance(self.tree.root.node, Outline)

    @property
    def outline(self) -> Outline:
        """The drawn tree."""
        node = self.tree.root.node
        assert isinstance(node, Outline)
        return node


def observe(expected: Expectation, reply: Reply, best: Sequence[str] | None = None) -> Observation | None:
    """The observation of one reply; None if it tells nothing: no time, no process, or more nodes than can be sent.

    `best` are the right actions, if they are known.
    """
    claim, fault = reply.claim, reply.fault
    if claim is None and (fault is None or fault.kind != FaultKind.RAISED):
        return None
    right = expected.right
    generated = _generated(expected.tree, claim.trace) if claim and claim.trace else None
    numbers = None if generated is None else frozenset(generated)
    actions: tuple[str | None, ...] = tuple(best) if best is not None else (right.action,)
    if best is None and claim is not None and claim.action != right.action:
        actions = expected.best
    return Observation(expected, claim, fault.text if fault else "", numbers, actions, fault.advice if fault else "")


def _generated(tree: ModelTree, trace: Trace) -> list[int] | None:
    """The generated nodes of a trace, in order, by the numbers of the tree; None if it names an illegal action."""
    nodes = tree.nodes_of(trace)
    return None if nodes is None else [nodes[number].number for number in trace.successors]


def is_right(seen: Observation, criteria: Criteria) -> bool:
    """True if the answer is right in everything that the question grades."""
    claim = seen.claim
    if claim is None or (criteria.action and claim.action not in seen.best):
        return False
    if criteria.value and (claim.value is None or not is_close(claim.value, seen.right.value, criteria.tolerance)):
        return False
    if criteria.limits:  # no node below the horizon, and no more successors than iterative deepening makes
        is_inside = seen.numbers is None or seen.numbers <= seen.expected.numbers
        return is_inside and claim.generated <= seen.expected.limit
    if criteria.nodes and seen.numbers is not None and seen.numbers != seen.expected.numbers:
        return False
    return not (criteria.repeats and claim.generated != len(seen.right.generated))
