"""One search of a small tree, with what is right there and what the student's search did."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from autograder.cases.case import TOLERANCE, Question
from autograder.cases.truth import best_actions, is_close
from autograder.judge.diagnosis.run import Cuts, Run, Search
from autograder.judge.diagnosis.visits import WatchedTree, read_tree
from autograder.judge.submission_answer import Fault
from autograder.student_process.fault_kind import FaultKind
from pacman.core.tree import Layer, Node
from pacman.record.trace import CountedNode, Path, Trace
from pacman.search.alphabeta import alphabeta
from pacman.search.exhaustive import exhaustive

T = TypeVar("T")


@dataclass(frozen=True)
class Criteria:
    """What counts in a question: values, actions, nodes, and that every successor is generated once.

    With `limits` the nodes are only limits, as in a question with `order: any`.
    """

    value: bool
    nodes: bool
    repeats: bool
    limits: bool = False
    action: bool = True
    tolerance: float = TOLERANCE

    @classmethod
    def of(cls, question: Question, tolerance: float) -> Criteria:
        """What a question grades."""
        counts = {"touched", "expanded", "generated"} & question.criteria.keys()
        limits = bool(counts) and question.order == "any"
        has_value, has_order = "value" in question.criteria, bool(counts) and not limits
        return cls(has_value, has_order, has_order and "generated" in counts, limits, tolerance=tolerance)

    @property
    def without_nodes(self) -> Criteria:
        """Only values and actions."""
        return replace(self, nodes=False, repeats=False, limits=False)


class Right:
    """What is right in a search of a tree. It is computed when it is needed."""

    def __init__(self, search: Search, cuts: Cuts) -> None:
        self.search, self.cuts, self._trace = search, cuts, Trace()

    def _evaluate(self, node: Node) -> float:
        return node.score + self.search.shift

    @cached_property
    def line(self) -> tuple[float, str | None]:
        """The value and the action of the right search."""
        root, plies = CountedNode(self.search.tree, self._trace), self.search.plies
        if self.cuts:
            return alphabeta(root, plies, self._evaluate, strict=self.cuts == "strict")
        return exhaustive(root, plies, self._evaluate)

    @cached_property
    def best(self) -> Sequence[str | None]:
        """The right actions at the root: all with the best value; only None where nobody chooses."""
        if self.line[1] is None:
            return (None,)
        return best_actions(self.search.tree, self.search.plies, TOLERANCE, self._evaluate)

    @cached_property
    def nodes(self) -> frozenset[Path]:
        """The paths of the nodes that the right search generates."""
        return frozenset(self._trace.paths()) if self.line else frozenset()

    @cached_property
    def most(self) -> int:
        """The successors that iterative deepening would generate."""
        return sum(self.search.plies - len(path) + 1 for path in self.nodes)


@dataclass(frozen=True)
class Trial:
    """One search of the student's code, what is right there, and the record."""

    search: Search
    right: Right
    run: Run

    @property
    def fault(self) -> Fault | None:
        """The reason why the search ended early; None if it did not."""
        return self.run.fault

    @property
    def tells(self) -> bool:
        """False if the run tells nothing: no time, no process, or more nodes than can be sent."""
        return self.fault.kind == FaultKind.RAISED if self.fault else self.run.claim is not None

    @property
    def is_plain(self) -> bool:
        """True for a search with the usual evaluation, as in a case with one round."""
        return not self.search.shift and self.search.rounds == 1

    @cached_property
    def nodes(self) -> frozenset[Path]:
        """The paths of the nodes that the search generated."""
        claim = self.run.claim
        return frozenset(claim.trace.paths()) if claim and claim.trace else frozenset()

    @cached_property
    def watched(self) -> WatchedTree | None:
        """The visits of the search; None if its record is not complete, or if no search of this tree gives it."""
        return read_tree(self.search, self.run) if self.run.claim and self.run.is_complete else None

    def is_right(self, criteria: Criteria) -> bool:
        """True if the answer is right in everything that the question grades."""
        claim, right = self.run.claim, self.right
        if claim is None or self.fault:
            return False
        value, action = right.line
        if criteria.action and claim.action != action and claim.action not in right.best:
            return False
        if criteria.value and (claim.value is None or not is_close(claim.value, value, criteria.tolerance)):
            return False
        if criteria.limits:  # no node below the horizon, and no more successors than iterative deepening makes
            return claim.generated <= right.most and self.nodes <= right.nodes
        if criteria.nodes and self.nodes != right.nodes:
            return False
        return not (criteria.repeats and claim.generated != len(right.nodes))

    @cached_property
    def unswapped(self) -> Trial:
        """The trial with the value and the action exchanged, if the search returned them the wrong way round."""
        claim = self.run.claim
        if claim is None or claim.value is not None or claim.action is not None:
            return self
        with suppress(ValueError):
            value = float(claim.choice.partition(" ")[0])
            if claim.value_text.startswith(("'", "None")):
                action = claim.value_text.rpartition("'")[0].removeprefix("'") or None
                claim = replace(claim, value=value, value_text=claim.choice, action=action, choice=claim.value_text)
                return replace(self, run=replace(self.run, claim=claim))
        return self


def plainest(trial: Trial) -> tuple[bool, int, int]:
    """The order of preference for a tree that is shown: with a MAX root, few nodes, few plies."""
    tree = trial.search.tree
    return tree.layer is not Layer.MAX, tree.size(), trial.search.plies


def spread(items: Sequence[T], count: int) -> list[T]:
    """At most `count` of the items, evenly spread."""
    step = max(1, len(items) // count) if count else 1
    return list(items[::step])[:count]
