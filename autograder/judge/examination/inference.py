"""Finds a model that foretells every answer of a search: nothing wrong, one mistake, or two at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from autograder.cases.reference import is_close
from autograder.judge.examination.asking import Reply
from autograder.judge.examination.hypotheses import Change, Hypothesis
from autograder.judge.examination.mistake_row import combined
from autograder.judge.examination.model_tree import PLACES, ModelTree
from autograder.judge.examination.remembered_models import answer_of, with_change
from autograder.judge.examination.search_model import SearchModel
from autograder.judge.examination.simulation import Result, Simulation, TooManySuccessors, simulate
from autograder.judge.submission_answer import Claim
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.trace import Trace

MOST_SUCCESSORS = 4_000
"""The most successors that a simulated search makes for one answer, beside four times those of the right search."""
PARTNERS = 10
"""How many of the frequent mistakes are tried with every other one: those that explain most."""
UNEXPLAINED = 60
"""On how many wrong answers a second mistake is tried first."""
ALIKE = 0.3
"""On this share of the wrong answers a search must generate the same nodes as a model that explains it."""
SAMPLE = 10
"""On how many wrong answers it is measured how much a mistake explains."""


@dataclass(frozen=True)
class Grades:
    """What counts in a question: values, and that every successor is generated once."""

    value: bool
    nodes: bool
    repeats: bool
    limits: bool = False
    """True if the nodes are only limits, as in a question with `order: any`."""
    action: bool = True
    any_tie: bool = False
    """True for a search that chooses among equally good actions at random."""


@dataclass(frozen=True)
class Expectation:
    """A question with its right result, which does not depend on the student. `base` models the right search."""

    topic: str
    tree: ModelTree
    base: SearchModel

    @cached_property
    def right(self) -> Result:
        """The right result."""
        return simulate(self.base, self.tree, MOST_SUCCESSORS * 20)

    @cached_property
    def best(self) -> tuple[str | None, ...]:
        """The right actions at the root: all with the best value."""
        if self.right.action is None:
            return (None,)
        search = Simulation(replace(self.base, cuts=""), self.tree, MOST_SUCCESSORS * 20)
        top = search.result().value
        return tuple(action for action, value in search.root_values.items() if is_close(value, top))

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

    `numbers` are the nodes that it generated, by the numbers of the tree; None if they are unknown. `error` is the
    exception that it raised. An observation without a claim and without an error foretells nothing and is left out.
    """

    expected: Expectation
    claim: Claim | None
    error: str
    numbers: frozenset[int] | None
    best: tuple[str | None, ...]
    """The actions that are right."""
    fault: str = ""
    """The text of the exception, with the line of the student's file."""

    @cached_property
    def topic(self) -> str:
        """The kind of trees that the question belongs to."""
        return self.expected.topic

    @cached_property
    def tree(self) -> ModelTree:
        """The tree of the question."""
        return self.expected.tree

    @cached_property
    def right(self) -> Result:
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

    def is_within_limits(self, generated: int, numbers: frozenset[int] | None) -> bool:
        """True if no node is below the horizon, and iterative deepening would generate no fewer successors."""
        return generated <= self.expected.limit and (numbers is None or numbers <= self.expected.numbers)

    @cached_property
    def cost(self) -> int:
        """How much work it is to simulate a search here."""
        return 4 + len(self.right.generated)

    @cached_property
    def most(self) -> int:
        """The successors that a simulated search may generate here."""
        made = self.claim.generated if self.claim else 0
        return min(MOST_SUCCESSORS, 4 * len(self.right.generated) + 100) + made


def observe(expected: Expectation, reply: Reply, best: Sequence[str] | None = None) -> Observation | None:
    """The observation of one reply; None if it tells nothing: no time, no process, or more nodes than can be sent.

    `best` are the right actions, if they are known.
    """
    claim, error = reply.claim, ""
    if claim is None:
        if reply.fault is None or reply.fault.kind != "raised":
            return None
        error = reply.fault.text.partition(":")[0].strip()
    right = expected.right
    numbers = _numbers(expected.tree, claim.trace) if claim and claim.trace else None
    actions: tuple[str | None, ...] = tuple(best) if best is not None else (right.action,)
    if best is None and claim is not None and claim.action != right.action:
        actions = expected.best
    return Observation(expected, claim, error, numbers, actions, reply.fault.text if reply.fault else "")


def _numbers(tree: ModelTree, trace: Trace) -> frozenset[int] | None:
    """The generated nodes of a claimed trace by the numbers of the tree; None if it names an illegal action."""
    nodes, made = [tree.root], [0]
    actions = iter(trace.actions)
    next(actions)
    for parent, action in zip(trace.parents[1:], actions, strict=True):
        above = nodes[parent]
        if action not in above.actions:  # a terminal node has none
            return None
        index = above.actions.index(action)
        node = above.children[index] or above.child(index)
        nodes.append(node)
        made.append(node.number)
    return frozenset(map(made.__getitem__, trace.successors))


def is_right(seen: Observation, grades: Grades) -> bool:
    """True if the answer is right in everything that the question grades."""
    claim = seen.claim
    if claim is None or (grades.action and claim.action not in seen.best):
        return False
    if grades.value and (claim.value is None or not is_close(claim.value, seen.right.value)):
        return False
    if grades.limits:
        return seen.is_within_limits(claim.generated, seen.numbers)
    if grades.nodes and seen.numbers is not None and seen.numbers != seen.expected.numbers:
        return False
    return not (grades.repeats and claim.generated != len(seen.right.generated))


def foretells(model: SearchModel, seen: Observation, grades: Grades) -> bool:
    """True if a search with this model gives the same answer."""
    if model.skips_agents and not seen.is_drawn:
        return True
    try:
        result = answer_of(model, seen.tree, seen.most)
    except TooManySuccessors:
        return False
    claim = seen.claim
    if claim is None:
        return result.error == seen.error
    if result.error or not (claim.action == result.action or (grades.any_tie and claim.action in result.ties)):
        return False
    if grades.value:
        if claim.value is None:
            if claim.value_text.partition(" ")[0] != str(float(result.value)):
                return False
        elif not is_close(claim.value, result.value, 1e-9):
            return False
    if grades.limits:
        within = seen.is_within_limits(claim.generated, seen.numbers)
        made = len(result.generated)
        return within == seen.is_within_limits(made, frozenset(result.generated)) and (
            within or claim.generated == made
        )
    if grades.repeats and claim.generated != len(result.generated):
        return False
    return not grades.nodes or seen.numbers is None or seen.numbers == frozenset(result.generated)


def clashes(one: Change, other: Change) -> bool:
    """True if two changes set the same field, or rule over the same nodes."""
    shared = (one.keys() & other.keys()) - {"deciders"}
    same_nodes = {(each.layer, each.place) for each in one.get("deciders", ())} & {
        (each.layer, each.place) for each in other.get("deciders", ())
    }
    return bool(shared) or bool(same_nodes)


@dataclass(frozen=True)
class Found:
    """Mistakes that together foretell every answer, and their model.

    With `is_partial` they foretell every value and every action, but not the nodes: there is more.
    """

    mistakes: tuple[Hypothesis, ...]
    model: SearchModel
    is_partial: bool = False


class Inference:
    """Compares models with everything that was observed of one part.

    `bases` are the right model in each style of writing; they differ only if something is wrong. `budget` limits the
    work: each simulated answer costs the size of its tree.
    """

    def __init__(
        self,
        observations: Sequence[Observation],
        bases: Sequence[SearchModel],
        grades: Grades,
        rows: Sequence[Hypothesis],
        budget: int,
    ) -> None:
        self.grades = grades
        self.values_only = replace(grades, nodes=False, repeats=False, limits=False)
        self.bases = bases
        self.rows = rows
        self.budget = budget
        plain = vars(bases[0])
        self._styles = [{name for name, value in vars(base).items() if value != plain[name]} for base in bases]
        self._places: dict[tuple[int, Layer, str], bool] = {}
        self.observations = sorted(observations, key=lambda seen: len(seen.right.generated))
        self.ordered = self._ordered(grades)

    def wrong(self, grades: Grades) -> list[Observation]:
        """The observations that are wrong in what `grades` says, the smallest first."""
        return [seen for seen in self.observations if not is_right(seen, grades)]

    def _ordered(self, grades: Grades) -> list[Observation]:
        """All observations in the order in which models are tested: one wrong answer of each topic first."""
        wrong = self.wrong(grades)
        first: dict[str, Observation] = {}
        for seen in wrong:
            first.setdefault(seen.topic, seen)
        ahead = sorted(first.values(), key=lambda seen: len(seen.right.generated))
        chosen = {id(seen) for seen in ahead}
        rest = [seen for seen in wrong if id(seen) not in chosen]
        chosen |= {id(seen) for seen in rest}
        return [*ahead, *rest, *(seen for seen in self.observations if id(seen) not in chosen)]

    def is_foretold(self, model: SearchModel, observations: list[Observation], grades: Grades) -> bool:
        """True if the model foretells every one of these answers.

        An answer that it does not foretell moves forward, because it may reject the next models too.
        """
        for place, seen in enumerate(observations):
            self.budget -= seen.cost
            if not foretells(model, seen, grades):
                if place > 1:
                    observations.insert(1 + place // 4, observations.pop(place))
                return False
        return True

    def conclusion(self) -> Found | None:
        """The simplest mistakes that foretell every answer; without mistakes if all is right; None if none do."""
        for base in self.bases:
            if self.is_foretold(base, self.ordered, self.grades):
                return Found((), base)
        found = self._one(self.ordered, self.grades) or self._two()
        if (
            found is None
            and self.grades.value
            and (self.grades.nodes or self.grades.limits)
            and self.wrong(self.values_only)
        ):
            found = self._one(self._ordered(self.values_only), self.values_only)
            if found is not None:
                found = self._with_nodes(found)
        return found

    def _one(self, ordered: list[Observation], grades: Grades) -> Found | None:
        """The first mistake that alone foretells every answer."""
        first = ordered[0]
        for row in self.rows:
            for change in row.changes:
                if self._changes_nothing(change, first):
                    continue
                for base in self._bases(change):
                    if self.budget <= 0:
                        return None
                    model = with_change(base, change)
                    if self.is_foretold(model, ordered, grades) and self._generates_alike(model):
                        return Found((row,), model)
                    if not row.is_frequent and base is self.bases[0] and not foretells(model, first, grades):
                        break
        return None

    def _generates_alike(self, model: SearchModel) -> bool:
        """True if a search often generates the nodes of the model where it is wrong, also if nobody counts nodes.

        Where only actions show, a search that never looks at half of the tree can have the actions of a model that
        looks at all of it. It does not do the same.
        """
        if self.grades.nodes or self.grades.value:
            return True
        known = [seen for seen in self.wrong(self.values_only) if seen.numbers is not None and seen.is_drawn]
        alike = sum(self._generates(model, seen) for seen in known)
        return alike >= ALIKE * len(known)

    @staticmethod
    def _generates(model: SearchModel, seen: Observation) -> bool:
        """True if the search and the model generated the same nodes."""
        try:
            return frozenset(answer_of(model, seen.tree, seen.most).generated) == seen.numbers
        except TooManySuccessors:
            return False

    def _changes_nothing(self, change: Change, seen: Observation) -> bool:
        """True if a change of rules applies to no node of a tree, so that the search stays right there."""
        if not change.keys() <= {"deciders", "acts_at_chance"}:
            return False
        return not any(self._has_node(seen, each.layer, each.place) for each in change.get("deciders", ()))

    def _has_node(self, seen: Observation, layer: Layer, place: str) -> bool:
        """True if the right search may visit a node of a layer at a place."""
        key = (id(seen), layer, place)
        if key not in self._places:
            self._places[key] = any(spot.layer is layer and PLACES[place](spot) for spot in seen.tree.spots)
        return self._places[key]

    def _with_nodes(self, found: Found) -> Found:
        """The mistake that foretells the values with a second one that foretells the nodes, if there is one."""
        (mistake,) = found.mistakes
        for row in self.rows:
            if row.facet not in ("windows", "memory", "successors"):
                continue
            for change in row.changes:
                if self.budget > 0:
                    model = combined(found.model, change)
                    if self.is_foretold(model, self.ordered, self.grades):
                        return Found((mistake, row), model)
        return replace(found, is_partial=True)

    def _bases(self, change: Change) -> Iterator[SearchModel]:
        """The styles of writing that leave the changed fields alone."""
        for base, styled in zip(self.bases, self._styles, strict=True):
            if not styled or not styled <= change.keys():
                yield base

    def _two(self) -> Found | None:
        """The first pair of frequent mistakes that together foretell every answer."""
        scored: list[tuple[int, int, Hypothesis, Change]] = []
        wrong = self.wrong(self.grades)
        by_topic = {seen.topic: seen for seen in reversed(wrong)}
        smallest = sorted(by_topic.values(), key=lambda seen: (" > " in seen.topic, len(seen.right.generated)))
        sample = smallest[:SAMPLE]
        for place, row in enumerate(self.rows):
            if not row.is_frequent:
                continue
            for change in row.changes:
                explained = self._explained(change, sample, -scored[-1][0] if len(scored) == PARTNERS else 0)
                if explained:
                    scored = sorted([*scored, (-explained, place, row, change)], key=lambda each: each[:2])[:PARTNERS]
        for _, _, one, change in scored:
            first = with_change(self.bases[0], change)
            self.budget -= sum(seen.cost for seen in wrong[:UNEXPLAINED])
            open_answers = [seen for seen in wrong[:UNEXPLAINED] if not foretells(first, seen, self.grades)]
            found = self._second(one, change, open_answers)
            if found is not None:
                return found
        return None

    def _explained(self, change: Change, sample: Sequence[Observation], least: int) -> int:
        """How many answers of a sample one change explains; 0 if no more than `least`."""
        model = with_change(self.bases[0], change)
        explained = 0
        for place, seen in enumerate(sample):
            if explained + len(sample) - place <= least:
                return 0
            if not self._changes_nothing(change, seen):
                self.budget -= seen.cost
                explained += foretells(model, seen, self.grades)
        return explained if explained > least else 0

    def _second(self, one: Hypothesis, change: Change, open_answers: list[Observation]) -> Found | None:
        """A second frequent mistake that explains what the first one leaves open, and nothing less."""
        for other in self.rows:
            if not other.is_frequent or other is one:
                continue
            for another in other.changes:
                if clashes(change, another):
                    continue
                for base in self._bases({**change, **another}):
                    if self.budget <= 0:
                        return None
                    model = combined(base, change, another)
                    if self.is_foretold(model, open_answers, self.grades):
                        if self.is_foretold(model, self.ordered, self.grades) and self._generates_alike(model):
                            rows = (one, other) if self.rows.index(one) < self.rows.index(other) else (other, one)
                            return Found(rows, model)
                    elif base is self.bases[0] and not foretells(model, open_answers[0], self.grades):
                        break  # another style of writing will hardly help
        return None
