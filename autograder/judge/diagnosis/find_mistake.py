"""Finds out what is wrong with a part that lost points: asks its search small questions, and watches it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from autograder.cases.case import TOLERANCE, Case, MatchInput, PositionInput, Question, TreeInput
from autograder.cases.reference import Reference, is_close, searched_roots
from autograder.judge.diagnosis import evidence
from autograder.judge.diagnosis.asking import Ask, Reply, TreeQuestion, Watch
from autograder.judge.diagnosis.cs188_words import in_cs188_words
from autograder.judge.diagnosis.first_step import (
    ENDLESS_FAULTS,
    AskedTree,
    FoundStep,
    StepFinder,
    find_endless,
    has_small_numbers,
    raising_step,
)
from autograder.judge.diagnosis.model_tree import ModelTree
from autograder.judge.diagnosis.observation import Expectation, Grades, Observation, is_right, observe
from autograder.judge.diagnosis.questions import Scope, agents_of, fixed_questions, random_questions
from autograder.judge.diagnosis.shrinking import TreeAndPlies, shrink
from autograder.judge.diagnosis.steps import Rule
from autograder.judge.explain_miss import MissedSearch
from autograder.judge.scorecard import Diagram, Examination, SmallestTree
from autograder.judge.submission_answer import Answer, Claim
from pacman.core.layers import Layer
from pacman.core.outline import Outline

SEEDS = (1, 2)
"""The further seeds with which some questions are asked again."""
REPEATED = 20
"""How many questions are asked again, with other seeds and on the same instance."""
MAX_SHRINKING = 400
"""How many smaller trees are tried."""
RANDOM_SEED = "fresh trees"
MOST_SENTENCES = 3
OF_LARGE = "Where numbers are very large, your search returns wrong values as well: is one of them its infinity?"
OWN_EVALUATION = "score-not-evaluation"
OWN_EVALUATION_TEXTS = (
    "Your search takes the node's score and never calls the agent's own evaluation function.",
    "An agent gets its evaluation function when it is created. Which function does your search call at a leaf?",
)


@dataclass(frozen=True)
class AnsweredCase:
    """A case that the student may see, the submission's answer, and the share of the case that it earned."""

    case: Case
    reference: Reference
    answer: Answer
    earned: float = 1


def find_mistake(
    question: Question, cases: Sequence[AnsweredCase], ask: Ask, watch: Watch, in_rounds: bool
) -> Examination | None:
    """What is wrong with the search of a part; None if nothing was found.

    `cases` are those that a student may see. `in_rounds` is true for a part that counts agents, not layers.
    """
    cuts = [getattr(each.case.input, "cut", "equal") for each in cases]
    tolerance = max((each.case.tolerance for each in cases), default=TOLERANCE)
    return _Finder(question, ask, watch, in_rounds, cuts[0] if cuts else "equal", tolerance).conclusion(cases)


class _Finder:
    """The questions and answers of one part."""

    def __init__(
        self, question: Question, ask: Ask, watch: Watch, in_rounds: bool, cut: str, tolerance: float = TOLERANCE
    ) -> None:
        criteria = question.criteria
        self.question, self.ask, self.watch, self.cut = question, ask, watch, cut
        self.scope = Scope.of(question, in_rounds, cut)
        nodes = bool({"touched", "expanded", "generated"} & criteria.keys())
        limits = nodes and (question.order == "any" or cut == "either")
        repeats = "generated" in criteria and not limits
        self.grades = Grades("value" in criteria, nodes and not limits, repeats, limits, tolerance=tolerance)
        self.values_only = replace(self.grades, nodes=False, repeats=False, limits=False)
        self.swaps = False
        """True if the search returns its pairs the wrong way round."""
        self.said = evidence.Said()
        """What is known before the answers are looked at one by one."""
        self.choice_changes = ""
        """A sentence if the search answers the same question with another action; else empty."""

    def conclusion(self, cases: Sequence[AnsweredCase]) -> Examination | None:
        """The conclusion, or None."""
        for case in cases:
            if case.answer.never_ends and isinstance(case.case.input, TreeInput):
                return self._endless_case(case)
        prepared = prepared_questions(self.scope)
        asked = [each for each, _ in prepared]
        replies = self.ask(asked)
        if all(reply.fault and reply.fault.kind == "not written" for reply in replies):
            return None
        if endless := self._endless_question(asked, replies):
            return endless
        self.swaps = self.grades.value and evidence.are_swapped(replies)
        in_order = [self._unswapped(reply) for reply in replies]
        observed = [observe(expected, reply) for (_, expected), reply in zip(prepared, in_order, strict=True)]
        seen = [each for each in observed if each is not None]
        if not seen:
            return None
        seen += self._case_observations(cases)
        failed = _failed_cases(cases)
        if self.swaps:
            self.said = evidence.SWAPPED
        if returned := evidence.wrong_kind_of_action(in_order):
            said = self.said.and_also(returned, evidence.WRONG_RESULT)
            return self._result(replace(said, hint=evidence.RESULT_HINT), seen)
        raised = evidence.exception(seen, self.grades, failed)
        if raised is not None:
            self.said = replace(self.said, sentences=(*self.said.sentences, *raised.sentences))
        elif changing := self._changing_answers(asked, replies):
            self.said = self.said.and_also(changing, evidence.NAMES[changing])
            step = self._first_step(seen, True) if changing == evidence.REMEMBERS else None
            return self._with_step(step) if step else self._result(replace(self.said, hint=evidence.RANDOM_HINT), seen)
        all_right = all(is_right(each, self.grades) for each in seen)
        if all_right and not self.said.sentences and not failed:
            return None
        if raised is not None:
            step = self._first_step(seen, True, Rule.NO_VALUE)
            return self._with_step(step) if step else self._about_exception(raised)
        return self._about_answers(seen, failed)

    def _about_answers(self, seen: Sequence[Observation], failed: Sequence[evidence.FailedCase]) -> Examination:
        """The conclusion for a search that answers: its first wrong step, or what its answers show without one."""
        drawn = [each for each in seen if each.is_drawn]
        all_right = all(is_right(each, self.grades) for each in seen)
        if step := self._typical_step(drawn):
            return self._with_step(step)
        if self.grades.value and _ignores_evaluation(seen, self.values_only):
            sentence, own_hint = OWN_EVALUATION_TEXTS
            said = self.said.and_also(sentence, OWN_EVALUATION)
            return self._result(replace(said, hint=said.hint or own_hint), seen)
        if self.choice_changes and not all_right:
            said = self.said.and_also(self.choice_changes, evidence.NAMES[self.choice_changes])
            return self._result(replace(said, hint=said.hint or evidence.RANDOM_HINT), seen)
        if self.said.sentences and all_right:
            return self._result(self.said, seen)
        if all(is_right(each, self.grades) for each in drawn):
            failures = evidence.only_in_cases(len(drawn), failed)
        else:
            failures = evidence.failures(seen, self.values_only, self.grades)
        sentences = (*self.said.sentences, *failures.sentences)
        return self._result(replace(self.said, sentences=sentences, hint=self.said.hint or failures.hint), seen)

    def _endless_question(self, asked: Sequence[TreeQuestion], replies: Sequence[Reply]) -> Examination | None:
        """Where a search spends its time on the smallest tree on which it does not end."""
        hanging = [
            each
            for each, reply in zip(asked, replies, strict=True)
            if reply.fault and reply.fault.kind in ENDLESS_FAULTS
        ]
        if not hanging:
            return None
        least = min(hanging, key=lambda each: (each.tree.size(), each.plies))
        endless = find_endless(self.watch, least.tree, least.plies)
        return self._with_step(endless) if endless else None

    def _endless_case(self, hanging: AnsweredCase) -> Examination | None:
        """Where a search spends its time on the drawn tree of a case. Every other question would cost as much time."""
        tree, plies = next(searched_roots(hanging.case, hanging.reference))
        endless = find_endless(self.watch, tree, plies) if isinstance(tree, Outline) else None
        return self._with_step(endless) if endless else None

    def _typical_step(self, drawn: Sequence[Observation]) -> FoundStep | None:
        """The first wrong step on trees with numbers as in a game; if they are all right, on all trees."""
        small = [each for each in drawn if has_small_numbers(each.outline)]
        wrong_values, wrong_small = (
            any(not is_right(each, self.values_only) for each in trees) for trees in (drawn, small)
        )
        if not all(is_right(each, self.grades) for each in small) and (step := self._first_step(small, wrong_small)):
            return replace(step, others=f"{step.others} {OF_LARGE}".strip()) if wrong_values > wrong_small else step
        return self._first_step(drawn, wrong_values)

    def _first_step(
        self, seen: Sequence[Observation], has_wrong_values: bool, only: Rule | None = None
    ) -> FoundStep | None:
        """The first wrong step on the drawn trees; None if no step explains the wrong answers."""
        grades = self.values_only if has_wrong_values else self.grades

        def judged(tree: Outline, plies: int, claim: Claim, by: Grades) -> bool:
            one = observe(self._expected(tree, plies), self._unswapped(Reply(claim)))
            return one is not None and is_right(one, by)

        asked = [
            AskedTree(each.outline, each.tree.plies, each.claim, is_right(each, grades))
            for each in seen
            if each.is_drawn and (each.claim or only) and not each.tree.shift and each.tree.own_rounds == 1
        ]
        if all(each.is_right for each in asked):
            return None
        finder = StepFinder(
            self.watch,
            lambda tree, plies, claim: judged(tree, plies, claim, grades),
            lambda tree, plies, claim: judged(tree, plies, claim, self.values_only),
            self.scope.cuts,
            self.scope.in_rounds,
            not has_wrong_values,
        )
        return finder.find(asked, only)

    def _with_step(self, found: FoundStep) -> Examination:
        """The conclusion that a wrong step allows."""
        said, cut = self.said, self.scope.cuts or "none"
        claim = replace(evidence.unswapped(found.claim) if self.swaps else found.claim, values=found.values)
        drawing = MissedSearch(self.question, found.tree, found.plies, claim, cut).draw_tree(found.path)
        smallest = SmallestTree(str(found.tree), found.plies, drawing.picture, "", drawing.diagram, drawing.folded)
        more = [found.others] if found.others else []
        sentences = (*said.sentences, found.summary, *more)[:MOST_SENTENCES]
        names = (*said.names, found.name)
        return self._in_own_words(Examination(sentences, said.hint or found.hint, names, "", smallest, found.step))

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
                expected = Expectation(ModelTree(root, plies, own_rounds=rounds), self.scope.cuts)
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
                self.choice_changes = self.choice_changes or sentence
        return ""

    def _about_exception(self, raised: evidence.Raised) -> Examination:
        """The conclusion for a search that ends with an exception: the smallest tree, and where it began."""
        said, smallest = self.said, self._smallest_raising(raised)
        step = raising_step(self.watch, Outline.parse(smallest.tree), smallest.plies) if smallest else None
        sentences, default = said.sentences[:MOST_SENTENCES], evidence.MARKED_HINT if step else evidence.RAISED_HINT
        hint = said.hint or raised.hint or default
        return self._in_own_words(Examination(sentences, hint, said.names, "", smallest, step))

    def _result(self, said: evidence.Said, seen: Sequence[Observation]) -> Examination:
        """A conclusion without a step: with the smallest tree on which the search fails."""
        smallest = self._smallest(seen)
        hint = evidence.CASE_HINT if said.hint == evidence.TREE_HINT and smallest is None else said.hint
        return self._in_own_words(Examination(said.sentences[:MOST_SENTENCES], hint, said.names, "", smallest))

    def _in_own_words(self, found: Examination) -> Examination:
        return replace(found, hint=in_cs188_words(found.hint)) if self.scope.in_rounds else found

    def _smallest(self, seen: Sequence[Observation]) -> SmallestTree | None:
        """The smallest tree on which the search fails, made smaller through its own answers."""
        drawn = [each for each in seen if each.is_drawn and each.claim is not None and not each.tree.shift]
        if self.scope.in_rounds:
            drawn = [each for each in drawn if each.outline.branches]
        kinds = [self.values_only, self.grades]
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
            results = []
            for (tree, plies), reply in zip(batch, self._ask(batch), strict=True):
                one = observe(self._expected(tree, plies), self._unswapped(reply))
                results.append(one is not None and one.claim is not None and not is_right(one, grades))
            return results

        first = wrong[0].outline, wrong[0].tree.plies
        if fails([first]) == [False]:
            return None
        tree, plies = shrink(*first, fails, self.scope.in_rounds, MAX_SHRINKING)
        claim = self._ask([(tree, plies)])[0].claim
        if claim is None:
            return None
        claim = evidence.unswapped(claim) if self.swaps else claim
        search = MissedSearch(self.question, tree, plies, claim, self.scope.cuts or "none")
        drawing = search.draw_difference()
        return SmallestTree(str(tree), plies, drawing.picture, "", drawing.diagram, drawing.folded)

    def _smallest_raising(self, raised: evidence.Raised) -> SmallestTree | None:
        """The smallest tree on which the search ends with this exception."""

        def fails(batch: Sequence[TreeAndPlies]) -> list[bool]:
            replies = self._ask(batch)
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
        fault = self._ask([(tree, plies)])[0].fault
        text = evidence.split_advice(fault.text)[0] if fault else raised.text
        value = f"value {right.value:g}, " if self.grades.value else ""
        lines = (*str(tree).splitlines(), f"expected: {value}action {right.action}", f"got: {text}")
        return SmallestTree(str(tree), plies, lines, diagram=Diagram(str(tree)))

    def _ask(self, batch: Sequence[TreeAndPlies]) -> Sequence[Reply]:
        return self.ask([TreeQuestion(tree, plies) for tree, plies in batch])

    def _expected(self, tree: Outline, plies: int) -> Expectation:
        length = agents_of(tree) if self.scope.in_rounds else 0
        return Expectation(ModelTree(tree, plies, round_length=length), self.scope.cuts)


def _ignores_evaluation(seen: Sequence[Observation], grades: Grades) -> bool:
    """True if all values are right but those for another evaluation, which are those of the score."""
    shifted = [each for each in seen if each.tree.shift]
    others_right = all(is_right(each, grades) for each in seen if each.is_drawn and not each.tree.shift)
    return (
        bool(shifted)
        and others_right
        and all(
            each.claim is not None
            and each.claim.value is not None
            and is_close(each.claim.value, each.right.value - each.tree.shift)
            for each in shifted
        )
    )


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


@cache
def prepared_questions(scope: Scope) -> tuple[tuple[TreeQuestion, Expectation], ...]:
    """All questions that a search is asked, with the right results."""
    prepared = []
    for question in (*fixed_questions(scope), *random_questions(scope, RANDOM_SEED)):
        length = agents_of(question.tree) if scope.in_rounds else 0
        tree = ModelTree(question.tree, question.plies, question.evaluation_shift, question.rounds, length)
        prepared.append((question, Expectation(tree, scope.cuts)))
    return tuple(prepared)
