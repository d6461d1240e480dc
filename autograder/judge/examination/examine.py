"""Examines a part that lost points: asks its search small questions, and says what the answers prove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from math import isfinite
from typing import Literal

from autograder.cases.case import Case, MatchInput, PositionInput, Question
from autograder.cases.reference import Reference, searched_roots
from autograder.judge.diagnose import Explanation, MissedSearch
from autograder.judge.examination import evidence
from autograder.judge.examination.asking import Ask, Reply, TreeQuestion
from autograder.judge.examination.cs188_words import in_cs188_words
from autograder.judge.examination.hypotheses import Change, hypotheses
from autograder.judge.examination.inference import (
    Expectation,
    Found,
    Grades,
    Inference,
    Observation,
    is_right,
    observe,
)
from autograder.judge.examination.mistake_row import combined
from autograder.judge.examination.model_tree import ModelTree
from autograder.judge.examination.questions import Scope, TopicQuestion, agents_of, random_questions, topic_questions
from autograder.judge.examination.search_model import SearchModel
from autograder.judge.examination.shrinking import TreeAndPlies, shrink, size_and_numbers
from autograder.judge.examination.simulation import TooManySuccessors, simulate, simulation
from autograder.judge.scorecard import Diagram, Examination, SmallestTree
from autograder.judge.submission_answer import Answer, Claim
from pacman.core.layers import Layer
from pacman.core.outline import Outline

BUDGET = 180_000
"""How much work the search for models may take: about a second on a slow machine."""
SEEDS = (1, 2)
"""The further seeds with which some questions are asked again."""
REPEATED = 20
"""How many questions are asked again, with other seeds and on the same instance."""
MAX_SHRINKING = 400
"""How many smaller trees are tried."""
MAX_PICTURED = 2_000
"""The most successors of a simulated search that is drawn."""
MAX_SIMULATED = 400
"""How many smaller trees a simulated search is tried on, from one failing tree."""
STARTS = 2
"""How many failing trees are made smaller."""
WINDOW_IS_KNOWN = {"window-swapped", "window-starts-at-zero"}
"""The mistakes that say which window each node gets. Other searches can have the same answers with other windows."""
RANDOM_SEED = "fresh trees"
CASES = "the cases"


@dataclass(frozen=True)
class AnsweredCase:
    """A case that the student may see, the submission's answer, and the share of the case that it earned."""

    case: Case
    reference: Reference
    answer: Answer
    earned: float = 1


def examine(question: Question, cases: Sequence[AnsweredCase], ask: Ask, in_rounds: bool) -> Examination | None:
    """What is wrong with the search of a part, as far as its answers prove it; None if they prove nothing.

    `cases` are those that a student may see. `in_rounds` is true for a part that counts agents, not layers.
    """
    cuts = [getattr(each.case.input, "cut", "equal") for each in cases]
    return _Examiner(question, ask, in_rounds, cuts[0] if cuts else "equal").examination(cases)


class _Examiner:
    """The questions and answers of one part."""

    def __init__(self, question: Question, ask: Ask, in_rounds: bool, cut: str) -> None:
        criteria = question.criteria
        self.question, self.ask, self.cut = question, ask, cut
        self.scope = Scope.of(question, in_rounds, cut)
        nodes = bool({"touched", "expanded", "generated"} & criteria.keys())
        limits = nodes and (question.order == "any" or cut == "either")
        self.grades = Grades("value" in criteria, nodes and not limits, "generated" in criteria and not limits, limits)
        self.values_only = replace(self.grades, nodes=False, repeats=False, limits=False)
        self.bases = _bases(self.scope.cuts)
        self.swaps = False
        """True if the search returns its pairs the wrong way round."""
        self.choice_changes = ""
        """A sentence if the search answers the same question with another action; else empty."""

    def examination(self, cases: Sequence[AnsweredCase]) -> Examination | None:
        """The conclusion, or None."""
        prepared = prepared_questions(self.scope)
        asked = [each for each, _ in prepared]
        replies = self.ask(asked)
        if all(reply.fault and reply.fault.kind == "not written" for reply in replies):
            return None
        self.swaps = self.grades.value and evidence.are_swapped(replies)
        observed = [
            observe(expected, self._unswapped(reply)) for (_, expected), reply in zip(prepared, replies, strict=True)
        ]
        seen = [each for each in observed if each is not None]
        if not seen:
            return None
        seen += self._case_observations(cases)
        sentences: list[str] = []
        names: list[str] = []
        hint = ""
        if self.swaps:
            sentences.append("Your search returns its pair the wrong way round: `Line(action, value)`.")
            hint = "A Line has the value first and the action second: `Line(value, action)`."
            names.append("pair-swapped")
        if returned := evidence.wrong_kind_of_action([self._unswapped(reply) for reply in replies]):
            sentences.append(returned)
            names.append(evidence.WRONG_RESULT)
            return self._result(sentences, evidence.RESULT_HINT, names, seen, None)
        failed = _failed_cases(cases)
        raised = evidence.exception(seen, self.grades, failed)
        if raised is not None:
            sentences += raised.sentences
        elif changing := self._changing_answers(asked, replies):
            return self._result(
                (*sentences, changing), evidence.RANDOM_HINT, (*names, evidence.NAMES[changing]), seen, None
            )
        drawn = [each for each in seen if each.is_drawn]
        all_right = all(is_right(each, self.grades) for each in seen)
        if all_right and not sentences and not failed:
            return None
        has_wrong_values = not all(is_right(each, self.values_only) for each in seen)
        rows = [
            row
            for row in hypotheses(self.scope)
            if has_wrong_values or row.may_be_only_nodes or not (self.grades.value or row.facet == "memory")
        ]
        inference = Inference(seen, self.bases, self.grades, rows, BUDGET)
        found = inference.conclusion()
        if raised is not None and found is not None and len(found.mistakes) != 1:
            found = None  # the exception says more than two mistakes that together fail at the same places
        if found is not None and found.mistakes:
            hint = hint or found.mistakes[0].hint
            if raised is not None:
                del sentences[
                    len(sentences) - len(raised.sentences) + 1 :
                ]  # the mistake says more than the kind of tree
            sentences += [each.sentence for each in found.mistakes]
            names += [each.name for each in found.mistakes]
            if found.is_partial:
                sentences.append(evidence.MORE)
            return self._result(sentences, hint, names, seen, found, raised)
        if raised is not None:
            return self._result(sentences, hint or raised.hint, names, seen, None, raised)
        if found is not None and self.choice_changes and not all_right:
            sentences.append(self.choice_changes)
            names.append(evidence.NAMES[self.choice_changes])
            hint = hint or evidence.RANDOM_HINT
        if found is not None and sentences:
            return self._result(sentences, hint, names, seen, found)
        if all(is_right(each, self.grades) for each in drawn):
            failures = evidence.only_in_cases(len(drawn), failed)
        else:
            failures = evidence.failures(seen, self.values_only, self.grades)
        return self._result((*sentences, *failures.sentences), hint or failures.hint, names, seen, None)

    def _unswapped(self, reply: Reply) -> Reply:
        return replace(reply, claim=evidence.unswapped(reply.claim)) if self.swaps and reply.claim else reply

    def _case_observations(self, cases: Sequence[AnsweredCase]) -> list[Observation]:
        """The answers to the cases."""
        seen: list[Observation] = []
        for each in cases:
            case = each.case
            if isinstance(case.input, MatchInput) or getattr(case.input, "cut", "equal") not in ("equal", self.cut):
                continue
            if getattr(case.input, "evaluation", "score") != "score":
                continue
            rounds = case.input.rounds if isinstance(case.input, PositionInput) else 1
            roots = searched_roots(case, each.reference)
            for (root, plies), move, claim in zip(roots, each.reference.moves, each.answer.claims, strict=False):
                expected = Expectation(CASES, ModelTree(root, plies, own_rounds=rounds), self.bases[0])
                one = observe(expected, self._unswapped(Reply(claim)), move.best or None)
                seen += [one] if one else []
        return seen

    def _changing_answers(self, questions: Sequence[TreeQuestion], replies: Sequence[Reply]) -> str:
        """A sentence if the search answers the same question differently; else empty.

        If only actions change, the search may choose among equally good ones at random, which is no mistake.
        """
        plain = [index for index, each in enumerate(questions) if each.rounds == 1 and not each.evaluation_shift]
        chosen = evidence.spread(plain, REPEATED)
        batches = [([replace(questions[index], seed=seed) for index in chosen], evidence.RANDOM) for seed in SEEDS]
        kept = [replace(questions[index], keeps_instance=place > 0) for place, index in enumerate(chosen)]
        for batch, sentence in (*batches, (kept, evidence.REMEMBERS)):
            pairs = list(zip((replies[index] for index in chosen), self.ask(batch), strict=True))
            if any(evidence.differ(*pair) for pair in pairs):
                return sentence
            if any(evidence.differ_in_action(*pair) for pair in pairs):
                self.grades = replace(self.grades, any_tie=True)
                self.choice_changes = self.choice_changes or sentence
        return ""

    def _result(
        self,
        sentences: Sequence[str],
        hint: str,
        names: Sequence[str],
        seen: Sequence[Observation],
        found: Found | None,
        raised: evidence.Raised | None = None,
    ) -> Examination:
        tried: list[Observation] = []
        smallest = self._smallest_raising(raised) if raised else self._smallest(seen, found, tried)
        if hint == evidence.TREE_HINT and smallest is None:
            hint = evidence.CASE_HINT
        right = ""
        if not self.swaps and raised is None and not set(names) & evidence.NOT_ABOUT_TREES:
            is_about_depth = found is not None and any(each.facet == "horizon" for each in found.mistakes)
            right = evidence.what_is_right([*seen, *tried], self.values_only, self.grades, is_about_depth)
            if found is None and not right.startswith(evidence.NO_MISTAKE):
                right = ""  # the sentences of a fallback say it
        if self.scope.in_rounds:
            hint = in_cs188_words(hint)
        return Examination(tuple(sentences[:3]), hint, tuple(names), right, smallest)

    def _smallest(
        self, seen: Sequence[Observation], found: Found | None, tried: list[Observation]
    ) -> SmallestTree | None:
        """The smallest tree on which the search fails, made smaller by its model or through its own answers.

        Adds to `tried` the answers of the search to smaller trees.
        """
        drawn = [each for each in seen if each.is_drawn and each.claim is not None and not each.tree.shift]
        if self.scope.in_rounds:
            drawn = [each for each in drawn if each.outline.branches]
        kinds = [self.values_only] if found is not None and found.is_partial else [self.values_only, self.grades]
        if self.grades.value:
            kinds.insert(0, replace(self.values_only, action=False))
        for grades in kinds:  # a wrong value shows more than a wrong action, and that more than other nodes
            wrong = [each for each in drawn if not is_right(each, grades)]
            if wrong:
                break
        else:
            return None
        wrong.sort(key=lambda each: (each.outline.layer is not Layer.MAX, each.expected.size, each.tree.plies))

        def fails(batch: Sequence[TreeAndPlies]) -> list[bool]:
            replies = self.ask([TreeQuestion(tree, plies) for tree, plies in batch])
            results = []
            for (tree, plies), reply in zip(batch, replies, strict=True):
                one = observe(self._expected(tree, plies), self._unswapped(reply))
                tried.extend([one] if one else [])
                results.append(one is not None and one.claim is not None and not is_right(one, grades))
            return results

        least = None
        if found is not None and found.mistakes:
            least = self._smallest_of_model(wrong, found, grades)
        if least is None or fails([least]) == [False]:
            first = wrong[0].outline, wrong[0].tree.plies
            if fails([first]) == [False]:
                return None
            least = shrink(*first, fails, self.scope.in_rounds, MAX_SHRINKING)
        tree, plies = least
        claim = self.ask([TreeQuestion(tree, plies)])[0].claim
        if claim is None:
            return None
        if self.swaps:
            claim = evidence.unswapped(claim)
        drawing = self._drawing(tree, plies, claim, found)
        return SmallestTree(str(tree), plies, drawing.picture, "", drawing.diagram, drawing.folded)

    def _smallest_raising(self, raised: evidence.Raised) -> SmallestTree | None:
        """The smallest tree on which the search ends with this exception."""

        def fails(batch: Sequence[TreeAndPlies]) -> list[bool]:
            replies = self.ask([TreeQuestion(tree, plies) for tree, plies in batch])
            same = [each.fault is not None and evidence.is_same_fault(each.fault.text, raised.text) for each in replies]
            return [bool(tree.branches) and is_same for (tree, _), is_same in zip(batch, same, strict=True)]

        drawn = [each for each in raised.seen if not each.tree.shift and each.outline.branches]
        if not drawn:
            return None
        first = min(drawn, key=lambda each: (each.expected.size, each.tree.plies))
        start = first.outline, first.tree.plies
        if fails([start]) == [False]:
            return None
        tree, plies = shrink(*start, fails, self.scope.in_rounds, MAX_SHRINKING)
        right = self._expected(tree, plies).right
        fault = self.ask([TreeQuestion(tree, plies)])[0].fault
        text = evidence.split_advice(fault.text)[0] if fault else raised.text
        value = f"value {right.value:g}, " if self.grades.value else ""
        lines = (*str(tree).splitlines(), f"expected: {value}action {right.action}", f"got: {text}")
        return SmallestTree(str(tree), plies, lines, diagram=Diagram(str(tree)))

    def _expected(self, tree: Outline, plies: int) -> Expectation:
        length = agents_of(tree) if self.scope.in_rounds else 0
        return Expectation("", ModelTree(tree, plies, round_length=length), self.bases[0])

    def _smallest_of_model(self, wrong: Sequence[Observation], found: Found, grades: Grades) -> TreeAndPlies | None:
        """The smallest tree on which the model of the mistakes is wrong, and that of the first mistake alone too."""
        models = [found.model, *_models_of_first(found, self.bases)]

        def fails(batch: Sequence[TreeAndPlies]) -> list[bool]:
            return [all(self._is_wrong(model, tree, plies, grades) for model in models) for tree, plies in batch]

        starts = [(each.outline, each.tree.plies) for each in wrong]
        failing = (each for each in starts if fails([each]) == [True])
        shrunk = [
            shrink(tree, plies, fails, self.scope.in_rounds, MAX_SIMULATED) for tree, plies in islice(failing, STARTS)
        ]
        return min(shrunk, key=lambda each: (each[0].layer is not Layer.MAX, size_and_numbers(*each)), default=None)

    def _is_wrong(self, model: SearchModel, tree: Outline, plies: int, grades: Grades) -> bool:
        """True if a search with this model answers a tree wrongly, and without an exception."""
        expected = self._expected(tree, plies)
        try:
            result = simulate(model, expected.tree, MAX_PICTURED)
        except TooManySuccessors:
            return False
        if result.error:
            return False
        value = result.value if isfinite(result.value) else None
        claim = Claim(value, str(result.value), result.action, str(result.action), len(result.generated), None, ())
        one = observe(expected, Reply(claim))
        return one is not None and not is_right(replace(one, numbers=frozenset(result.generated)), grades)

    def _drawing(self, tree: Outline, plies: int, claim: Claim, found: Found | None) -> Explanation:
        """The tree with expected and reported values. A model that foretells everything adds values and windows."""
        windows: dict[tuple[str, ...], tuple[float, float]] = {}
        if found is not None and found.mistakes and not found.is_partial:
            length = agents_of(tree) if self.scope.in_rounds else 0
            searched = ModelTree(tree, plies, round_length=length)
            run = simulation(found.model, searched, MAX_PICTURED)
            run.result()
            if run.has_windows and {each.name for each in found.mistakes} <= WINDOW_IS_KNOWN:
                windows = {searched.paths[number]: window for number, window in run.windows.items()}
            if self.grades.value:
                values = tuple((searched.paths[number], value) for number, value in run.values.items())
                claim = replace(claim, values=values)
        cut = self.scope.cuts or "none"
        search = MissedSearch(self.question, tree, plies, claim, cut, own_windows=windows)
        return search.draw_difference()


def _failed_cases(cases: Sequence[AnsweredCase]) -> list[evidence.FailedCase]:
    """The cases that lost points."""
    return [
        evidence.FailedCase(
            each.case.id,
            isinstance(each.case.input, PositionInput),
            each.answer.fault.text if each.answer.fault and each.answer.fault.kind == "raised" else "",
        )
        for each in cases
        if each.earned < 1 and not isinstance(each.case.input, MatchInput)
    ]


def _models_of_first(found: Found, bases: Sequence[SearchModel]) -> list[SearchModel]:
    """The model of the first of two mistakes alone; none if there is only one."""
    if len(found.mistakes) < 2:
        return []
    one, other = found.mistakes
    for first, second, base in product(one.changes, other.changes, bases):
        if found.model in (combined(base, first, second), combined(base, second, first)):
            return [combined(base, first)]
    return []


@cache
def prepared_questions(scope: Scope) -> tuple[tuple[TreeQuestion, Expectation], ...]:
    """All questions of the fixed part of an examination, with the right results."""
    base = _bases(scope.cuts)[0]
    fresh = [TopicQuestion("random trees", each) for each in random_questions(scope, RANDOM_SEED)]
    prepared = []
    for each in (*topic_questions(scope), *fresh):
        question = each.question
        length = agents_of(question.tree) if scope.in_rounds else 0
        tree = ModelTree(question.tree, question.plies, question.evaluation_shift, question.rounds, length)
        tree.known = {}
        prepared.append((question, Expectation(each.topic, tree, base)))
    return tuple(prepared)


@cache
def _bases(cuts: Literal["", "equal", "strict"]) -> tuple[SearchModel, ...]:
    """The right search in each style of writing. The styles differ only if something is wrong."""
    styles: list[Change] = [{}]
    if cuts:
        styles.append({"cuts_max": f"value {cuts}", "cuts_min": f"value {cuts}"})
    if cuts == "equal":
        styles.append({"hard": True})
    return tuple(
        combined(SearchModel(cuts=cuts, is_first_better=first), style) for first in (True, False) for style in styles
    )
