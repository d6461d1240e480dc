"""Finds the first wrong step of a search: watches it on trees that it answers wrongly, and judges each call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.judge.diagnosis.extent import JudgedTree, find_extent
from autograder.judge.diagnosis.judge_visits import VisitJudge
from autograder.judge.diagnosis.questions import Scope
from autograder.judge.diagnosis.run import Ask, Run, Search
from autograder.judge.diagnosis.shown_step import frame_of, shown_step
from autograder.judge.diagnosis.shrinking import TreeAndPlies, shrink
from autograder.judge.diagnosis.step_words import seen
from autograder.judge.diagnosis.steps import Breach, Hint, Step
from autograder.judge.diagnosis.trials import Criteria, Right, Trial, spread
from autograder.judge.diagnosis.visits import WatchedTree, right_value
from autograder.judge.points_as_text import node_name
from autograder.judge.scorecard import WrongStep
from autograder.judge.submission_answer import Claim
from pacman.core.errors import counted
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.record.calls import UnreadableRecord
from pacman.record.reading import find_reading
from pacman.record.trace import Path

WRONG, RIGHT = 60, 40
"""On how many trees with wrong and with right answers a search is watched."""
CANDIDATES = 8
"""On how many small trees the proof is tried."""
SHRINKING, SHRINKING_PER_NODE, MOST_SHRINKING = 80, 4, 400
"""How many smaller trees are tried: so many, and more for a large tree."""
TYPICAL = 30
"""The largest number of a tree that looks like one of a case."""
SHARE = 0.2
"""The least share of the wrong trees that must show the same first step."""
OF_EVALUATIONS = (Breach.TOO_EARLY, Breach.EVALUATED)
OF_STORED_VALUES = (Breach.OTHER_VALUES, Breach.REMEMBERED, Breach.STORED, Breach.NOT_SEARCHED)
"""What a search does that stores values and takes them for those of other nodes."""
Key = tuple[Breach, int, str]
"""A kind of step: what was broken, in which function, and in which layer if that matters."""
StepInTree = tuple[WatchedTree, Step]


@dataclass(frozen=True)
class FoundStep:
    """The first wrong step, the tree that shows it best, and what the search answers there.

    `name` is for counting, `summary` the sentence for a list, `hint` a question. `path` leads to the node of the step.
    `others` says which other wrong steps there are; it is empty if there are none. `step` is None for an endless
    search in a browser, because nothing can stop it there.
    """

    step: WrongStep | None
    name: str
    summary: str
    hint: Hint
    tree: Outline
    plies: int
    claim: Claim
    path: Path = ()
    others: str = ""


class StepFinder:
    """Looks for the first wrong step of a search. `criteria` is what is wrong with its answers."""

    def __init__(self, ask: Ask, scope: Scope, criteria: Criteria) -> None:
        self.ask, self.scope, self.criteria = ask, scope, criteria
        self.counts_nodes = criteria != criteria.without_nodes

    def find(self, trials: Sequence[Trial], only: Breach | None = None) -> FoundStep | None:
        """The first wrong step, or None if no step explains the wrong answers; with `only`, a step of this kind."""
        chosen = _choose(trials, self.criteria)
        watched = [
            (tree, not each.is_right(self.criteria))
            for each in chosen
            if each.run.claim and each.run.is_complete
            if (tree := read_tree(each.search.tree, each.search.plies, each.run))
        ]
        if len(watched) < len(chosen) / 2:
            return None
        self.judge = VisitJudge(
            find_reading([tree for tree, _ in watched]), self.scope.cuts, may_skip_stop=self.scope.in_rounds
        )
        self.judged = [JudgedTree(tree, self.judge.judge(tree), is_wrong) for tree, is_wrong in watched]
        wrong = [tree for tree in self.judged if tree.is_wrong]
        firsts = [(tree.watched, step) for tree in wrong if (step := self._first(tree.steps))]
        self.counts = Counter(self._key(step) for _, step in firsts)
        order = sorted(
            self.counts, key=lambda key: (key[0] is not Breach.OTHER_VALUES, -self.counts[key], key[1], key[2])
        )
        for key in order[:3]:
            if self.counts[key] < SHARE * len(wrong) and key[0] is not Breach.OTHER_VALUES:
                break
            if only in (None, key[0]):
                found = self._show([(tree, step) for tree, step in firsts if self._key(step) == key])
                if found:
                    return found
        return None

    def _first(self, steps: Sequence[Step]) -> Step | None:
        """The first step that matters for what went wrong."""
        return next((step for step in steps if self.counts_nodes or not step.costs_only_nodes), None)

    def _key(self, step: Step) -> Key:
        frame = frame_of(step, self.judge.reading.evaluations)
        layer = step.visit.layer.value if step.breach is Breach.RESULT else ""
        return step.breach, frame.call.function if frame else -1, layer

    def _show(self, firsts: Sequence[StepInTree]) -> FoundStep | None:
        """The step on the tree that shows it best; None if the reading of the record is in doubt."""
        chosen = self._best_tree(firsts)
        if chosen is None or chosen[0].run.claim is None:
            return None
        watched, step = chosen
        extent = find_extent(step, self.judged)
        shown, words = shown_step(step, watched.run, extent, self.judge.reading, self._proof(watched, step))
        values = tuple((visit.path, visit.value) for visit in watched.visits if visit.value is not None)
        claim = replace(chosen[0].run.claim, values=values)
        hint, path, others = Hint(words.hint, words.in_rounds), step.visit.path, self._others(step)
        return FoundStep(shown, words.name, words.summary, hint, watched.tree, watched.plies, claim, path, others)

    def _best_tree(self, firsts: Sequence[StepInTree]) -> StepInTree | None:
        """A plain tree with this step, made smaller, and watched with the texts of its variables."""
        ordered = sorted(firsts, key=lambda each: _plainness(*each))
        proofs = self._proofs(ordered[:CANDIDATES])
        proven = [each for each, proof in zip(ordered, proofs, strict=False) if proof]
        can_prove = any(proof is not None for proof in proofs)
        if can_prove and not proven and self._doubts():
            return None
        whole, step = (proven or ordered)[0]
        smaller = self._smaller(whole, step, bool(proven)) or whole
        return self._watch_again(smaller, step) or self._watch_again(whole, step)

    def _proof(self, watched: WatchedTree, step: Step) -> str:
        """The sentence that the search is right with the right value in the place of the wrong one; else empty."""
        if self._answers_right(watched, watched.run) or not self._proofs([(watched, step)])[0]:
            return ""
        replaced = len(self._replaced(watched, step))
        answers = "your search answers this tree right"
        if replaced > 1:
            return f"With the right values at {counted(replaced, 'node')} where the same happens, {answers}."
        is_its_value = step.expected is not None and step.breach not in (Breach.WINDOW, Breach.PLIES)
        return f"With {f'{step.expected:g}' if is_its_value else 'the right value'} in its place, {answers}."

    def _doubts(self) -> bool:
        """True if most visits break a rule: then the record is probably read in a wrong way."""
        visits = sum(not visit.has_raised for tree in self.judged for visit in tree.watched.visits)
        broken = len({id(step.visit) for tree in self.judged for step in tree.steps})
        return broken > 0.5 * visits

    def _proofs(self, steps: Sequence[StepInTree]) -> list[bool | None]:
        """For each step: whether the search is right with the right values in the place of this and the like.

        None where that proves nothing: for the value of the root, which is the answer itself.
        """
        replaced = [self._replaced(*each) for each in steps]
        pairs = zip(steps, replaced, strict=True)
        runs = iter(self.ask([Search(tree.tree, tree.plies, replaced=each) for (tree, _), each in pairs if each]))
        return [
            self._answers_right(tree, next(runs)) if each else None
            for (tree, _), each in zip(steps, replaced, strict=True)
        ]

    def _answers_right(self, tree: WatchedTree, run: Run) -> bool:
        return self._is_right(Search(tree.tree, tree.plies), run, self.criteria.without_nodes)

    def _is_right(self, search: Search, run: Run, criteria: Criteria) -> bool:
        return Trial(search, Right(search.tree, search.plies, self.scope.cuts), run).is_right(criteria)

    def _replaced(self, tree: WatchedTree, first: Step) -> Mapping[Path, tuple[str, float]]:
        """The values to put in the place of the visits that broke the same rule as the first step."""
        found: dict[Path, tuple[str, float]] = {}
        for step in self.judge.judge(tree):
            if step.breach is not first.breach or step.is_harmless != first.is_harmless:
                continue
            visit = step.visit
            if step.breach in (Breach.WINDOW, Breach.PLIES):
                below = [each for each in visit.below if each.path and each.path[-1] == step.action]
                if not below:
                    continue
                visit = below[0]
            place = self.judge.reading.place(visit)
            if visit.parent is not None and place is not None:
                found[visit.path] = place, self.judge.reading.number(visit, right_value(visit.node, visit.left))
        return found

    def _watch_again(self, tree: WatchedTree, first: Step) -> StepInTree | None:
        """The tree with the texts of variables, and its first step if that is of the same kind."""
        (run,) = self.ask([Search(tree.tree, tree.plies, keeps_variables=True)])
        return self._judged_like(tree.tree, tree.plies, run, first)

    def _judged_like(self, tree: Outline, plies: int, run: Run, first: Step) -> StepInTree | None:
        watched = read_tree(tree, plies, run) if run.claim and run.is_complete else None
        if watched is None:
            return None
        self.judge.reading.apply([watched])
        step = self._first(self.judge.judge(watched))
        return (watched, step) if step and self._key(step) == self._key(first) else None

    def _smaller(self, tree: WatchedTree, first: Step, is_proven: bool) -> WatchedTree | None:
        """The tree, made smaller while the search fails with the same first step."""
        is_distinct = _has_distinct_numbers(tree.tree)
        failing: list[WatchedTree] = []

        def holds(batch: Sequence[TreeAndPlies]) -> list[bool]:
            wanted = [not is_distinct or _has_distinct_numbers(each) for each, _ in batch]
            pairs = zip(batch, wanted, strict=True)
            runs = iter(self.ask([Search(each, plies) for (each, plies), is_wanted in pairs if is_wanted]))
            results = []
            for (each, plies), is_wanted in zip(batch, wanted, strict=True):
                smaller = self._fails_alike(each, plies, next(runs), first, is_proven) if is_wanted else None
                failing.extend([smaller] if smaller else [])
                results.append(smaller is not None)
            return results

        most = min(MOST_SHRINKING, SHRINKING + SHRINKING_PER_NODE * tree.tree.size())
        least = shrink(tree.tree, tree.plies, holds, self.scope.in_rounds, most)
        return next((each for each in reversed(failing) if (each.tree, each.plies) == least), None)

    def _fails_alike(self, tree: Outline, plies: int, run: Run, first: Step, is_proven: bool) -> WatchedTree | None:
        """The watched tree if the search fails there with the same first step, at a node like that of `first`."""
        if run.claim is None or self._is_right(Search(tree, plies), run, self.criteria):
            return None
        found = self._judged_like(tree, plies, run, first)
        if found is None or tree.layer is not first.visit.node.root.layer:
            return None
        watched, step = found
        if len(step.visit.values_below()) < min(len(first.visit.values_below()), 2):
            return None
        if (step.visit.parent is None) != (first.visit.parent is None):
            return None
        return None if is_proven and self._proofs([found]) != [True] else watched

    def _others(self, step: Step) -> str:
        """How many trees show another wrong step first; empty if there are none."""
        groups = (OF_STORED_VALUES, OF_EVALUATIONS)
        same = next((group for group in groups if step.breach in group), (step.breach,))
        rest = Counter(key[0].words.kind for key in self.counts.elements() if key[0] not in same)
        kinds = ", ".join(f"{kind} ({counted(times, 'tree')})" for kind, times in rest.most_common(3))
        return f"On other trees another step is wrong first: {kinds}." if kinds else ""


def read_tree(tree: Outline, plies: int, run: Run) -> WatchedTree | None:
    """The watched tree of a record; None for a record that no search of this tree gives."""
    try:
        return WatchedTree(tree, plies, run)
    except UnreadableRecord:
        return None


def _choose(trials: Sequence[Trial], criteria: Criteria) -> list[Trial]:
    """The trials to judge: wrong ones with small numbers and few nodes first, and some right ones."""
    right = [each for each in trials if each.is_right(criteria)]
    wrong = sorted((each for each in trials if not each.is_right(criteria)), key=lambda each: _size(each.search.tree))
    small, rest = wrong[: 2 * WRONG // 3], wrong[2 * WRONG // 3 :]
    return [*small, *spread(rest, WRONG - len(small)), *spread(right, RIGHT)]


def _size(tree: Outline) -> tuple[bool, int]:
    return not has_small_numbers(tree), tree.size()


def has_small_numbers(tree: Outline) -> bool:
    """True if the numbers of a tree look like those of a case."""
    return max(map(abs, _numbers(tree)), default=0) <= TYPICAL


def _numbers(tree: Outline) -> Iterator[float]:
    """The utilities of the leaves."""
    if tree.utility is not None:
        yield tree.utility
    for _, branch in tree.branches:
        yield from _numbers(branch)


def _has_distinct_numbers(tree: Outline) -> bool:
    numbers = list(_numbers(tree))
    return len(set(numbers)) == len(numbers)


def _plainness(tree: WatchedTree, step: Step) -> tuple[bool, bool, bool, int]:
    """The order of preference for the tree that is shown.

    Typical numbers, a node below a MAX root, where the proof says something, two successors or more, few nodes.
    """
    is_untypical, size = _size(tree.tree)
    is_inside = step.visit.parent is not None or step.breach in (Breach.ACTION, Breach.BOUND_AS_VALUE)
    is_plain = is_inside and tree.tree.layer is Layer.MAX
    is_narrow = not step.visit.is_leaf and bool(step.visit.below) and len(step.visit.values_below()) < 2
    return is_untypical, not is_plain, is_narrow, size


def first_step_of(run: Run, tree: Outline, plies: int, cuts: str) -> tuple[Path, str] | None:
    """The path of the node and a sentence about the first wrong step in one record; None if all its steps are right."""
    watched = read_tree(tree, plies, run) if run.claim and not run.fault and run.is_complete else None
    if watched is None:
        return None
    steps = VisitJudge(find_reading([watched]), cuts).judge(watched)
    step = min(steps, key=lambda each: each.costs_only_nodes, default=None)
    if step is None:
        return None
    is_about_successor = step.action and (
        step.breach.words.is_at_a_line or step.breach in (Breach.NOT_SEARCHED, Breach.CUT_EARLY)
    )
    path = (*step.visit.path, step.action) if is_about_successor else step.visit.path
    return path, f"line {step.line}, at {node_name(step.visit.path)}: {seen(step)}"
