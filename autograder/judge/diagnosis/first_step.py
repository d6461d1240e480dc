"""Finds the first wrong step of a search: judges each call on trees that it answers wrongly, and chooses the tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from autograder.cases.case import Question
from autograder.judge.diagnosis.counts import find_counts
from autograder.judge.diagnosis.extent import find_extent
from autograder.judge.diagnosis.judge_visits import VisitJudge
from autograder.judge.diagnosis.questions import Scope
from autograder.judge.diagnosis.run import Criteria, Run, Search, Trial, nodes_of, read_tree, spread
from autograder.judge.diagnosis.shown_step import frame_of, shown_step
from autograder.judge.diagnosis.shrinking import shrink
from autograder.judge.diagnosis.step_words import OF_ANOTHER_AGENT, seen
from autograder.judge.diagnosis.steps import Breach, Step, best_below
from autograder.judge.explain import NO_ANSWER, MissedSearch
from autograder.judge.points_as_text import node_name
from autograder.judge.scorecard import Diagnosis, Diagram
from pacman.core.errors import counted
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.record.calls import NodeVisit, is_near
from pacman.record.reading import find_reading
from pacman.record.trace import Path

WRONG, RIGHT = 60, 40
"""On how many trees with wrong and with right answers a search is watched."""
CANDIDATES = 8
"""On how many small trees the proof is tried."""
SHRINKING, SHRINKING_PER_NODE, MOST_SHRINKING = 80, 4, 400
"""How many smaller trees are tried: so many, and more for a large tree."""
LEAST = 2
"""In how many searches a stored value must be the first wrong step: one can be so by chance."""
SHARE = 0.2
"""The least share of the wrong trees that must show the same first step."""
Key = tuple[Breach, int, str]
"""A kind of step: what was broken, in which function, and in which layer if that matters."""


class _Place(NamedTuple):
    """A first wrong step, the trial in which it is, and all steps of the trial."""

    trial: Trial
    step: Step
    steps: Sequence[Step]


class StepFinder:
    """Looks for the first wrong step of a search. `criteria` is what is wrong with its answers."""

    def __init__(
        self, question: Question, ask: Callable[[Sequence[Search]], list[Trial]], scope: Scope, criteria: Criteria
    ) -> None:
        self.question, self.ask, self.scope, self.criteria = question, ask, scope, criteria
        self.values = criteria.without_nodes
        self._of_max: dict[int, bool] = {}

    def find(self, trials: Sequence[Trial], only: Breach | None = None) -> Diagnosis | None:
        """The first wrong step, or None if no step explains the wrong answers; with `only`, a step of this kind."""
        chosen = self._choose(trials)
        watched = [each for each in chosen if each.watched]
        if len(watched) < len(chosen) / 2:
            return None
        trees = [tree for each in watched if (tree := each.watched)]
        reading = find_reading(trees)
        counts = find_counts(trees, reading, self.scope.in_rounds)
        self.judge = VisitJudge(reading, self.scope.cuts, self.scope.in_rounds, counts)
        self.judged = [(tree, self.judge.judge(tree)) for tree in trees]
        pairs = zip(watched, (steps for _, steps in self.judged), strict=True)
        wrong = [(trial, steps) for trial, steps in pairs if not trial.is_right(self.criteria)]
        same: dict[Key, list[_Place]] = defaultdict(list)
        for trial, steps in wrong:
            if step := self._first(steps):
                same[self._key(step)].append(_Place(trial, step, steps))
        least = {key: LEAST if key[0] is Breach.OTHER_VALUES else SHARE * len(wrong) for key in same}
        enough = [key for key in same if len(same[key]) >= least[key]]
        for key in sorted(enough, key=lambda key: (key[0] is not Breach.OTHER_VALUES, -len(same[key]), *key[1:]))[:3]:
            if only in (None, key[0]) and (diagnosis := self._show(same[key])):
                return diagnosis
        return None

    def _choose(self, trials: Sequence[Trial]) -> list[Trial]:
        """The trials to judge: wrong ones with small numbers and few nodes first, and some right ones."""
        right = [each for each in trials if each.is_right(self.criteria)]
        others = [each for each in trials if not each.is_right(self.criteria)]
        wrong = sorted(others, key=lambda each: _size(each.search))
        small, rest = wrong[: 2 * WRONG // 3], wrong[2 * WRONG // 3 :]
        return [*small, *spread(rest, WRONG - len(small)), *spread(right, RIGHT)]

    def _first(self, steps: Sequence[Step]) -> Step | None:
        """The first step that matters for what went wrong. A function of MAX at a ghost's node says more than plies."""
        counts_nodes = self.criteria != self.values
        mattering = [step for step in steps if counts_nodes or not step.costs_only_nodes]
        if mattering and mattering[0].breach is Breach.PLIES:
            below = (step for step in mattering if step.breach in OF_ANOTHER_AGENT)
            return next(filter(self._is_of_max, below), mattering[0])
        return next(iter(mattering), None)

    def _key(self, step: Step) -> Key:
        frame = frame_of(step, self.judge.reading.evaluations)
        layer = step.visit.layer.value if step.breach is Breach.RESULT else ""
        return step.breach, frame.call.function, layer

    def _show(self, places: Sequence[_Place]) -> Diagnosis | None:
        """The step of one kind on the tree that shows it best; None if the reading of the record is in doubt."""
        best = self._best_place(places)
        if best is None or best.trial.run.claim is None or best.trial.watched is None:
            return None
        trial, step, _ = best
        extent = replace(find_extent(step, self.judged), is_of_max=self._is_of_max(step))
        shown, words = shown_step(step, trial.run, extent, self.judge.reading, self._proof(best))
        values = dict[Path, float]()
        for each in (*best.trial.watched.visits, step.visit):
            values |= {} if each.value is None else {each.path: each.value}
            values |= {(*each.path, action): value for action, value in each.values_below().items()}
        smallest = drawn(self.question, trial, self.scope, step.visit.path, values)
        return Diagnosis((words.summary,), words.for_style(self.scope.in_rounds), (words.name,), smallest, shown)

    def _is_of_max(self, step: Step) -> bool:
        """True if the function of the step runs at MAX nodes, never for the first ghost, and here for a later one.

        That is seen on trees with one ghost: with more of them the search may already count wrong.
        """
        function = self._key(step)[1]
        if step.visit.node.turn < 2:
            return False
        if function in self._of_max:
            return self._of_max[function]
        visits = [visit for tree, _ in self.judged for visit in tree.visits if visit.node.agents == 2]
        turns = {each.node.turn for each in visits if _works(each, function)}
        all_visits = (visit for tree, _ in self.judged for visit in tree.visits)
        later = [visit for visit in all_visits if visit.node.turn > 1 and _works(visit, function)]
        is_of_ghosts = any(
            len({*each.values_below().values()}) > 1 and is_near(each.value or 0, best_below(each)) for each in later
        )
        self._of_max[function] = 0 in turns and 1 not in turns and not is_of_ghosts
        return self._of_max[function]

    def _best_place(self, firsts: Sequence[_Place]) -> _Place | None:
        """A plain tree with this step, made smaller, and watched with the texts of its variables."""
        ordered = sorted(firsts, key=_plainness)
        proofs = self._proofs(ordered[:CANDIDATES])
        proven = [each for each, proof in zip(ordered, proofs, strict=False) if proof]
        can_prove = any(proof is not None for proof in proofs)
        is_seen = ordered[0].step.breach is Breach.NOT_THE_SUCCESSOR  # in the calls alone: no value has to be read
        visits = sum(not visit.has_raised for tree, _ in self.judged for visit in tree.visits)
        broken = len({id(step.visit) for _, steps in self.judged for step in steps})
        if can_prove and not proven and not is_seen and broken > 0.5 * visits:
            return None  # the record is probably read in a wrong way
        whole = (proven or ordered)[0]
        for search in (self._smaller(whole, bool(proven)), whole.trial.search):
            if search:
                (trial,) = self.ask([Search(search.tree, search.plies, keeps_variables=True)])
                if place := self._like(trial, whole.step):
                    return place
        return None

    def _like(self, trial: Trial, first: Step) -> _Place | None:
        """The first wrong step of a trial if it is of the same kind as another one."""
        if trial.watched is None:
            return None
        self.judge.reading.apply([trial.watched])
        steps = self.judge.judge(trial.watched)
        step = self._first(steps)
        return _Place(trial, step, steps) if step and self._key(step) == self._key(first) else None

    def _proof(self, place: _Place) -> str:
        """The sentence that the search is right with the right value in the place of the wrong one; else empty."""
        step, answers = place.step, "your search gives the right answer for this tree"
        if place.trial.is_right(self.values) or not self._proofs([place])[0]:
            return ""
        replaced, is_number = len(self._replaced(place)), step.breach in (Breach.WINDOW, Breach.PLIES)
        if replaced > 1:
            where = (
                f"for {replaced} calls that get a wrong number"
                if is_number
                else (f"at {counted(replaced, 'node')} where the same happens")
            )
            return f"With the right {'results' if is_number else 'values'} {where}, {answers}."
        if is_number:
            return f"With the right result of this call, {answers}."
        is_turned = step.got == -(step.expected or 0) and self.judge.reading.is_turned(self._key(step)[1])
        value = "the right value" if step.expected is None or is_turned else f"{step.expected + 0:g}"
        return f"With {value} in its place, {answers}."

    def _proofs(self, places: Sequence[_Place]) -> list[bool | None]:
        """For each step: whether the search is right with the right values in the place of this and the like.

        None where that proves nothing: for the value of the root, which is the answer itself.
        """
        replaced = [self._replaced(each) for each in places]
        pairs = zip((each.trial.search for each in places), replaced, strict=True)
        trials = iter(self.ask([Search(search.tree, search.plies, replaced=new) for search, new in pairs if new]))
        return [next(trials).is_right(self.values) if each else None for each in replaced]

    def _replaced(self, place: _Place) -> Mapping[Path, tuple[str, float]]:
        """The values to put in the place of the visits that broke the same rule as the first step."""
        values: dict[Path, tuple[str, float]] = {}
        for step in place.steps:
            if step.breach is not place.step.breach or step.is_harmless != place.step.is_harmless:
                continue
            visit = step.visit
            if step.breach in (Breach.WINDOW, Breach.PLIES):
                below = [each for each in visit.below if each.path and each.path[-1] == step.action]
                if not below:
                    continue
                visit = below[0]
            name = self.judge.reading.place(visit)
            if visit.parent is not None and name is not None:
                values[visit.path] = name, self.judge.reading.number(visit, visit.node.right)
        return values

    def _smaller(self, whole: _Place, is_proven: bool) -> Search | None:
        """The search of the tree, made smaller while it fails with the same first step; None if none is smaller."""
        search = whole.trial.search
        is_distinct = _has_distinct_numbers(search.tree)

        def holds(tree: Outline, plies: int) -> bool:
            if is_distinct and not _has_distinct_numbers(tree):
                return False
            return self._fails_alike(self.ask([Search(tree, plies)])[0], whole.step, is_proven)

        most = min(MOST_SHRINKING, SHRINKING + SHRINKING_PER_NODE * search.tree.size())
        least = shrink(search.tree, search.plies, holds, self.scope.in_rounds, most)
        return None if least == (search.tree, search.plies) else Search(*least)

    def _fails_alike(self, trial: Trial, first: Step, is_proven: bool) -> bool:
        """True if a search fails with the same first step, at a node like that of `first`."""
        if trial.run.claim is None or trial.is_right(self.criteria):
            return False
        if trial.search.tree.layer is not first.visit.node.root.layer:
            return False
        place = self._like(trial, first)
        if place is None:
            return False
        visit = place.step.visit
        if len(visit.values_below()) < min(len(first.visit.values_below()), 2):
            return False
        if (visit.parent is None, not place.step.action) != (first.visit.parent is None, not first.action):
            return False
        return not is_proven or self._proofs([place]) == [True]


def _works(visit: NodeVisit, function: int) -> bool:
    """True if this function works with the successors of the node."""
    return any(frame.call.function == function and not visit.is_flat(frame) for frame in visit.frames)


def drawn(
    question: Question,
    trial: Trial,
    scope: Scope,
    marked: Path | None = None,
    values: Mapping[Path, float] | None = None,
) -> Diagram:
    """The tree of a search, drawn with what is right there and what was claimed, and with a mark at a node.

    That is by default the first difference between the two, with its reason if no number of the node shows it. `values`
    are those that the search gave the nodes, for MAX.
    """
    search, claim = trial.search, trial.run.claim
    if claim is None or trial.fault:
        claim = replace(NO_ANSWER, trace=claim.trace if claim else None)
    missed = MissedSearch(question, search.tree, search.plies, claim, scope.cuts or "none", values=values or {})
    first = missed.first_difference() if marked is None else None
    return missed.diagram(first.path, first.why if first.path else "") if first else missed.diagram(marked)


def _has_distinct_numbers(tree: Outline) -> bool:
    """True if no two leaves have the same utility."""
    numbers = [node.utility for node in nodes_of(tree) if node.utility is not None]
    return len(set(numbers)) == len(numbers)


def _size(search: Search) -> tuple[bool, int]:
    return not search.has_small_numbers, search.tree.size()


def _plainness(place: _Place) -> tuple[bool, bool, bool, int]:
    """The order of preference for the tree that is shown.

    Typical numbers, a node below a MAX root, where the proof says something, two successors or more, few nodes.
    """
    tree, step = place.trial.search.tree, place.step
    is_untypical, size = _size(place.trial.search)
    is_of_root = step.breach in (Breach.ACTION, Breach.BOUND_AS_VALUE)
    is_shown = bool(step.action) if step.breach is Breach.PLIES else is_of_root
    is_inside = step.visit.parent is not None or is_shown
    is_plain = is_inside and tree.layer is Layer.MAX
    is_narrow = len(step.visit.values_below()) < 2 if step.visit.below else step.breach is Breach.NOT_SEARCHED
    is_narrow = is_narrow and not step.visit.is_leaf
    return is_untypical, not is_plain, is_narrow, size


def first_step_of(run: Run, tree: Outline, plies: int, cuts: str) -> tuple[Path, str] | None:
    """The path of the node and a sentence about the first wrong step in one record; None if all its steps are right."""
    watched = read_tree(Search(tree, plies), run) if run.claim and not run.fault and run.is_complete else None
    steps = VisitJudge(find_reading([watched]), cuts).judge(watched) if watched else ()
    step = min(steps, key=lambda each: each.costs_only_nodes, default=None)
    if step is None:
        return None
    path, about = step.visit.path, (Breach.NOT_SEARCHED, Breach.CUT_EARLY)
    is_about_successor = step.action and (step.breach.is_at_a_line or step.breach in about)
    what = f"line {step.line}, at {node_name(path)}: {seen(step)}"
    return (*path, step.action) if is_about_successor else path, what
