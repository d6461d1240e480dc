"""One search of a small tree, with what is right there and what the student's search did."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeVar

from autograder.cases.case import TOLERANCE, Question
from autograder.cases.truth import best_actions, is_close
from autograder.judge.diagnosis.run import Run, Search
from autograder.student_process.fault_kind import FaultKind
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.record.trace import CountedNode, Path, Trace
from pacman.search.alphabeta import alphabeta
from pacman.search.exhaustive import exhaustive

T = TypeVar("T")
Cuts = Literal["", "equal", "strict"]
"""When a right search of a question cuts; empty for never."""


@dataclass(frozen=True)
class Criteria:
    """What counts in a question: values, actions, and that every successor is generated once."""

    value: bool
    nodes: bool
    repeats: bool
    limits: bool = False
    """True if the nodes are only limits, as in a question with `order: any`."""
    action: bool = True
    tolerance: float = TOLERANCE
    """How far a value may be from the right one: as in `is_close`."""

    @classmethod
    def of(cls, question: Question, tolerance: float) -> Criteria:
        """What a question grades."""
        nodes = bool({"touched", "expanded", "generated"} & question.criteria.keys())
        limits = nodes and question.order == "any"
        repeats = "generated" in question.criteria and not limits
        return cls("value" in question.criteria, nodes and not limits, repeats, limits, tolerance=tolerance)

    @property
    def without_nodes(self) -> Criteria:
        """Only values and actions."""
        return replace(self, nodes=False, repeats=False, limits=False)


class Right:
    """What is right in a search of a tree, whose evaluation is the score plus `shift`."""

    def __init__(self, tree: Outline, plies: int, cuts: Cuts, shift: float = 0) -> None:
        self.tree, self.plies, self.shift = tree, plies, shift
        self._trace = Trace()
        root = CountedNode(tree, self._trace)
        if cuts:
            line = alphabeta(root, plies, self._evaluate, strict=cuts == "strict")
        else:
            line = exhaustive(root, plies, self._evaluate)
        self.value, self.action = line.value, line.action

    def _evaluate(self, node: Node) -> float:
        return node.score + self.shift

    @cached_property
    def best(self) -> Sequence[str | None]:
        """The right actions at the root: all with the best value; only None where nobody chooses."""
        return (None,) if self.action is None else best_actions(self.tree, self.plies, TOLERANCE, self._evaluate)

    @cached_property
    def nodes(self) -> frozenset[Path]:
        """The paths of the nodes that the right search generates."""
        return frozenset(self._trace.paths())

    @cached_property
    def most(self) -> int:
        """The successors that iterative deepening would generate."""
        return sum(self.plies - len(path) + 1 for path in self.nodes)


@dataclass(frozen=True)
class Trial:
    """One search of the student's code. `fault` is the exception that ended it, if there was one."""

    search: Search
    right: Right
    run: Run

    @property
    def tells(self) -> bool:
        """False if the run tells nothing: no time, no process, or more nodes than can be sent."""
        fault = self.run.fault
        return fault.kind == FaultKind.RAISED if fault else self.run.claim is not None

    @property
    def is_plain(self) -> bool:
        """True for a search with the usual evaluation, as in a case with one round."""
        return not self.search.shift and self.search.rounds == 1

    @cached_property
    def nodes(self) -> frozenset[Path]:
        """The paths of the nodes that the search generated."""
        claim = self.run.claim
        return frozenset(claim.trace.paths()) if claim and claim.trace else frozenset()

    def is_right(self, criteria: Criteria) -> bool:
        """True if the answer is right in everything that the question grades."""
        claim, right = self.run.claim, self.right
        if claim is None or self.run.fault:
            return False
        if criteria.action and claim.action != right.action and claim.action not in right.best:
            return False
        if criteria.value and (claim.value is None or not is_close(claim.value, right.value, criteria.tolerance)):
            return False
        if criteria.limits:  # no node below the horizon, and no more successors than iterative deepening makes
            return claim.generated <= right.most and self.nodes <= right.nodes
        if criteria.nodes and self.nodes != right.nodes:
            return False
        return not (criteria.repeats and claim.generated != len(right.nodes))


def are_swapped(runs: Sequence[Run]) -> bool:
    """True if most answers have an action where the value should be, and a number where the action should be."""
    answers = [run for run in runs if run.claim]
    return sum(unswapped(run) is not run for run in answers) > len(answers) / 2


def unswapped(run: Run) -> Run:
    """The run with the value and the action exchanged, if it has them the wrong way round."""
    claim = run.claim
    if claim is None or claim.value is not None or claim.action is not None:
        return run
    with suppress(ValueError):
        value = float(claim.choice.partition(" ")[0])
        if claim.value_text.startswith(("'", "None")):
            action = claim.value_text.rpartition("'")[0].removeprefix("'") or None
            exchanged = replace(claim, value=value, value_text=claim.choice, action=action, choice=claim.value_text)
            return replace(run, claim=exchanged)
    return run


def plainest(trial: Trial) -> tuple[bool, int, int]:
    """The order of preference for a tree that is shown: with a MAX root, few nodes, few plies."""
    tree = trial.search.tree
    return tree.layer is not Layer.MAX, tree.size(), trial.search.plies


def spread(items: Sequence[T], count: int) -> list[T]:
    """At most `count` of the items, evenly spread."""
    step = max(1, len(items) // count) if count else 1
    return list(items[::step])[:count]
