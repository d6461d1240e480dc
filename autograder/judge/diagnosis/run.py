"""One search of a small tree: what is asked, what is right there, and the record of what the student's code did.

`autograder.sandbox.watch` puts the questions to the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from agents.cs188.tree import agents_of
from autograder.cases.case import TOLERANCE, Question
from autograder.cases.truth import best_actions, is_close
from autograder.judge.submission_answer import Claim, Fault
from autograder.student_process.fault_kind import FaultKind
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.record.calls import Calls, UnreadableRecord
from pacman.record.trace import CountedNode, Path, Trace
from pacman.record.watcher import MAX_NAMES, Event, EventKind, WatchedFunction
from pacman.search.alphabeta import alphabeta
from pacman.search.exhaustive import exhaustive

TYPICAL = 30
"""The largest number of a tree that looks like one of a case."""
Cuts = Literal["", "equal", "strict"]
"""When a right search of a question cuts; empty for never."""
OF_THE_FRAMEWORK = {"self.index": "0", "self.rounds": "1"}
"""What the framework sets on an agent, and the values with which it is asked."""
MOST_VARIABLES = 4 * MAX_NAMES
"""The most variables that are known of one call. A forged record of 12,000 variables filled 2.5 GB of memory."""


@dataclass(frozen=True)
class Search:
    """A small tree for the student's search, and how far it should look ahead.

    The agent's evaluation is the score plus `shift`. `seed` is the seed of the random generators. `rounds` is what the
    agent's constructor gets, as in a game; a search must not use it in place of `plies`. Each search is a fresh start:
    the file runs again and makes a new agent. With `keeps_instance` the agent of the search before is asked again.
    `replaced` and `keeps_variables` are as in `Watcher.start`.
    """

    tree: Outline
    plies: int
    shift: float = 0
    seed: int = 0
    keeps_instance: bool = False
    rounds: int = 1
    replaced: Mapping[Path, tuple[str, float]] = field(default_factory=dict)
    keeps_variables: bool = False

    @cached_property
    def has_small_numbers(self) -> bool:
        """True if the numbers of the tree look like those of a case."""
        return (
            max((abs(node.utility) for node in nodes_of(self.tree) if node.utility is not None), default=0) <= TYPICAL
        )


@dataclass(frozen=True)
class Run:
    """The record of a search; without a claim if its process ended before it could answer.

    The nodes of `events` are numbers in the trace of the claim. The claim of a search that raised an exception has no
    value and no action; the `fault` is the exception. A record that is not `is_complete` has only the first events.

    Other kinds of faults are "successors" if the search made too many successors, "time" if it took too long, and "not
    asked" if too many searches before this one ended the student's process.
    """

    claim: Claim | None
    events: tuple[Event, ...] = ()
    functions: tuple[WatchedFunction, ...] = ()
    is_complete: bool = True
    fault: Fault | None = None
    kept: tuple[tuple[str, int], ...] = ()
    """What the search left changed, by name, each with the first line that sets it (0 if none is seen)."""

    @cached_property
    def variables(self) -> tuple[dict[str, str], ...]:
        """For each event, the texts of the variables of its frame: for a CALL, those of the caller."""
        known: list[tuple[int, dict[str, str]]] = [(-1, {})]
        rows = []
        for event in self.events:
            is_end = event.kind in (EventKind.RETURN, EventKind.RAISED)
            while is_end and known[-1][0] > max(event.call, -1):
                known.pop()
            number, held = known[-1]
            if event.variables:
                held = dict(list({**held, **dict(event.variables)}.items())[:MOST_VARIABLES])
                known[-1] = number, held
            rows.append(held)
            if event.kind is EventKind.CALL:
                known.append((event.call, {}))
            elif is_end and number == event.call >= 0:
                known.pop()
        return tuple(rows)

    def own_variables(self, index: int) -> dict[str, str]:
        """The variables at an event, without those of the framework that the code never changes."""
        return {
            name: text
            for name, text in self.variables[index].items()
            if OF_THE_FRAMEWORK.get(name) != text or any(each.get(name, text) != text for each in self.variables)
        }


def nodes_of(tree: Outline) -> Iterator[Outline]:
    """Every node of a tree, parents first."""
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        yield node
        nodes += [branch for _, branch in reversed(node.branches)]


Ask = Callable[[Sequence[Search]], Sequence[Run]]
"""Asks for some searches. Returns one record for each of them, in order."""


# What is right.


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

    @cached_property
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


# What happened.


class TreeNode:
    """A node of a watched tree: what it is, and where it stands.

    Its `depth` is the number of plies from the root, `left` that of the plies left. `run` is how many nodes of its
    layer are in a row on the path that ends here. `turn` is the number of plies since MAX moved, so 1 for the first of
    the ghosts, and 0 at a MAX node.
    """

    def __init__(self, node: Node, parent: TreeNode | None, left: int, agents: int) -> None:
        self.node, self.parent, self.left, self.agents = node, parent, left, agents
        self.root: TreeNode = parent.root if parent else self
        self.layer, self.is_terminal = node.layer, node.is_terminal
        self.actions: tuple[str, ...] = tuple(node.actions())
        self.depth: int = parent.depth + 1 if parent else 0
        self.run: int = parent.run + 1 if parent and parent.layer is self.layer else 1
        self.turn: int = 0 if self.layer is Layer.MAX else parent.turn + 1 if parent else 1

    @property
    def score(self) -> float:
        """The evaluation of the node; ValueError if the tree gives it none."""
        return self.node.score

    @cached_property
    def right(self) -> float:
        """The right value of the node, by an exhaustive search of the plies that are left."""
        return float(exhaustive(self.node, max(0, self.left)).value)

    @property
    def probabilities(self) -> tuple[float, ...]:
        """Those of the actions; none where nothing is left to chance."""
        outcomes = self.node.outcomes() if self.layer is Layer.CHANCE and not self.is_terminal else ()
        return tuple(probability for _, probability in outcomes)


class WatchedTree(Calls):
    """A tree, the record of its watched search, and the visits in it, in the order in which they ended.

    UnreadableRecord if the record is not one of this tree.
    """

    def __init__(self, search: Search, run: Run) -> None:
        self.search, self.run, tree, plies = search, run, search.tree, search.plies
        trace = run.claim.trace if run.claim else None
        nodes = [TreeNode(tree, None, plies, agents_of(tree))]
        for parent, action in trace.edges() if trace else ():
            above = nodes[parent]
            if action not in above.actions:  # a terminal node has none
                raise UnreadableRecord("a node is not in the tree")
            nodes.append(TreeNode(above.node.successor(action), above, above.left - 1, above.agents))
        super().__init__(nodes, plies, trace or Trace(), run.events if trace else (), run.functions)


def read_tree(search: Search, run: Run) -> WatchedTree | None:
    """The watched tree of a record; None for a record that no search of this tree gives."""
    try:
        return WatchedTree(search, run)
    except UnreadableRecord:
        return None


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
        return self.fault.kind in (FaultKind.RAISED, FaultKind.REFUSED) if self.fault else self.run.claim is not None

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
        if criteria.limits:
            most = sum(self.search.plies - len(path) + 1 for path in right.nodes)
            # no node below the horizon, and no more successors than iterative deepening makes
            return claim.generated <= most and self.nodes <= right.nodes
        if criteria.nodes and self.nodes != right.nodes:
            return False
        return not (criteria.repeats and claim.generated != len(right.nodes))


def spread(trials: Sequence[Trial], count: int) -> list[Trial]:
    """At most `count` of the trials, evenly spread."""
    step = max(1, len(trials) // count) if count else 1
    return list(trials[::step])[:count]
