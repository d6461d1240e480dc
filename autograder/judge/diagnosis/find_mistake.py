"""Finds out what is wrong with a part that lost points: asks its search small questions, and watches it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from autograder.cases.case import TOLERANCE, MatchInput, PositionInput, Question, TreeInput
from autograder.cases.truth import is_close, searched_roots
from autograder.judge.diagnosis import evidence
from autograder.judge.diagnosis.asking import Ask, Reply, TreeQuestion, Watch, WatchQuestion
from autograder.judge.diagnosis.evidence import AnsweredCase
from autograder.judge.diagnosis.first_step import FoundStep, StepFinder, has_small_numbers, read_tree
from autograder.judge.diagnosis.model_tree import ModelTree
from autograder.judge.diagnosis.observation import Criteria, Expectation, Observation, is_right, observe
from autograder.judge.diagnosis.questions import Scope, agents_of, fixed_questions, random_questions
from autograder.judge.diagnosis.shown_step import step_of_exception
from autograder.judge.diagnosis.shrinking import TreeAndPlies, shrink
from autograder.judge.diagnosis.step_words import CS188_HINTS
from autograder.judge.diagnosis.steps import Breach
from autograder.judge.explain_miss import Explanation, MissedSearch
from autograder.judge.scorecard import Diagnosis, Diagram, SmallestTree
from autograder.judge.submission_answer import Claim
from autograder.student_process.fault_kind import FaultKind
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

SEEDS = (1, 2)
"""The further seeds with which some questions are asked again."""
REPEATED = 20
"""How many questions are asked again, with other seeds and on the same instance."""
MAX_SHRINKING = 400
"""How many smaller trees are tried."""
RANDOM_SEED = "fresh trees"
MOST_SENTENCES = 3
OF_LARGE = "Where numbers are very large, your search returns wrong values as well: is one of them its infinity?"
ENDLESS = "never-ends"
ENDLESS_FAULTS = (FaultKind.TIME, FaultKind.SUCCESSORS)
"""The kinds of faults with which a search of a small tree ends that would never end."""
ENDLESS_HINT = (
    "Which loop or which call comes back to this line again and again? What has to change there so that it ends?"
)
NO_ANSWER = Claim(None, "None", None, "None", 0, None, ())
OWN_EVALUATION = (
    "Your search takes the node's score and never calls the agent's own evaluation function.",
    "score-not-evaluation",
    "An agent gets its evaluation function when it is created. Which function does your search call at a leaf?",
)


def find_mistake(
    question: Question, cases: Sequence[AnsweredCase], ask: Ask, watch: Watch, in_rounds: bool
) -> Diagnosis | None:
    """What is wrong with the search of a part; None if nothing was found.

    `cases` are those that a student may see. `in_rounds` is true for a part that counts agents, not layers.
    """
    cuts = [getattr(each.case.input, "cut", "equal") for each in cases]
    tolerance = max((each.case.tolerance for each in cases), default=TOLERANCE)
    finder = _Finder(question, ask, watch, in_rounds, cuts[0] if cuts else "equal", tolerance)
    return finder.conclusion(cases)


class _Finder:
    """The questions and answers of one part."""

    def __init__(
        self,
        question: Question,
        ask: Ask,
        watch: Watch,
        in_rounds: bool,
        cut: str,
        tolerance: float = TOLERANCE,
    ) -> None:
        criteria = question.criteria
        self.question, self.ask, self.watch, self.cut = question, ask, watch, cut
        self.scope = Scope.of(question, in_rounds, cut)
        nodes = bool({"touched", "expanded", "generated"} & criteria.keys())
        limits = nodes and question.order == "any"
        repeats = "generated" in criteria and not limits
        self.criteria = Criteria("value" in criteria, nodes and not limits, repeats, limits, tolerance=tolerance)
        self.values_only = replace(self.criteria, nodes=False, repeats=False, limits=False)
        self.said = evidence.NOTHING
        """What is known before the answers are looked at one by one."""
        self.choice_changes = ""
        """A sentence if the search answers the same question with another action; else empty."""

    def conclusion(self, cases: Sequence[AnsweredCase]) -> Diagnosis | None:
        """The conclusion, or None."""
        for case in cases:
            if case.answer.never_ends and isinstance(case.case.input, TreeInput):
                # every other question would cost as much time
                tree, plies = next(searched_roots(case.case, case.truth))
                return self._endless(tree, plies) if isinstance(tree, Outline) else None
        prepared = prepared_questions(self.scope)
        asked = [each for each, _ in prepared]
        replies = self.ask(asked)
        if all(reply.fault and reply.fault.kind == FaultKind.NOT_WRITTEN for reply in replies):
            return None
        pairs = zip(asked, replies, strict=True)
        hanging = [each for each, reply in pairs if reply.fault and reply.fault.kind in ENDLESS_FAULTS]
        if hanging:
            least = min(hanging, key=lambda each: (each.tree.size(), each.plies))
            if endless := self._endless(least.tree, least.plies):
                return endless
        replies = self._turned(replies)
        observed = [observe(expected, reply) for (_, expected), reply in zip(prepared, replies, strict=True)]
        seen = [each for each in observed if each is not None]
        if not seen:
            return None
        seen += self._case_observations(cases)
        failed = [each for each in cases if each.earned < 1 and not isinstance(each.case.input, MatchInput)]
        if returned := evidence.wrong_kind_of_action(replies):
            found = self._and_also(returned, evidence.WRONG_RESULT)
            return self._result(replace(found, hint=evidence.RESULT_HINT), seen)
        raised = evidence.exception(seen, self.criteria, failed)
        if raised is not None:
            self.said = replace(self.said, sentences=(*self.said.sentences, *raised.sentences))
        elif changing := self._changing_answers(asked, replies):
            self.said = self._and_also(changing, evidence.NAMES[changing])
            step = self._first_step(seen, True) if changing == evidence.REMEMBERS else None
            return self._with_step(step) if step else self._result(replace(self.said, hint=evidence.RANDOM_HINT), seen)
        if all(is_right(each, self.criteria) for each in seen) and not self.said.sentences and not failed:
            return None
        if raised is not None:
            step = self._first_step(seen, True, Breach.NO_VALUE)
            return self._with_step(step) if step else self._about_exception(raised)
        return self._about_answers(seen, failed)

    def _about_answers(self, seen: Sequence[Observation], failed: Sequence[AnsweredCase]) -> Diagnosis:
        """The conclusion for a search that answers: its first wrong step, or what its answers show without one."""
        drawn = [each for each in seen if each.is_drawn]
        all_right = all(is_right(each, self.criteria) for each in seen)
        if step := self._typical_step(drawn):
            return self._with_step(step)
        if self.criteria.value and _ignores_evaluation(seen, self.values_only):
            return self._result(self._and_also(*OWN_EVALUATION), seen)
        if self.choice_changes and not all_right:
            name = evidence.NAMES[self.choice_changes]
            return self._result(self._and_also(self.choice_changes, name, evidence.RANDOM_HINT), seen)
        if self.said.sentences and all_right:
            return self._result(self.said, seen)
        if all(is_right(each, self.criteria) for each in drawn):
            sentence, hint = evidence.only_in_cases(len(drawn), failed)
        else:
            sentence, hint = evidence.failures(seen, self.values_only, self.criteria)
        return self._result(self._and_also(sentence, "", hint), seen)

    def _turned(self, replies: Sequence[Reply]) -> Sequence[Reply]:
        """The replies; if the search returns (action, value), these and all later ones with both exchanged."""
        if not self.criteria.value or not evidence.are_swapped(replies):
            return replies
        self.said, ask = evidence.SWAPPED, self.ask
        self.ask = lambda questions: list(map(evidence.unswapped, ask(questions)))
        return list(map(evidence.unswapped, replies))

    def _and_also(self, sentence: str, name: str, hint: str = "") -> Diagnosis:
        """What is said already, with one more sentence, perhaps a name, and a hint if there is none yet."""
        said, names = self.said, (name,) if name else ()
        return replace(
            said,
            sentences=(*said.sentences, sentence),
            mistakes=(*said.mistakes, *names),
            hint=said.hint or hint,
        )

    def _endless(self, tree: Outline, plies: int) -> Diagnosis | None:
        """Where a search spends its time that does not end on a tree; None if it ends there after all."""
        (run,) = self.watch([WatchQuestion(tree, plies, keeps_variables=True)])
        if run.fault is None or run.fault.kind not in ENDLESS_FAULTS:
            return None
        step = step_of_exception(read_tree(tree, plies, run), "Here the search was stopped")
        if run.claim and step is None:
            return None
        summary = f"Your search does not end on a small tree{f' (line {step.line})' if step else ''}."
        found = FoundStep(step, ENDLESS, summary, ENDLESS_HINT, tree, plies, run.claim or NO_ANSWER)
        return self._with_step(found)

    def _typical_step(self, drawn: Sequence[Observation]) -> FoundStep | None:
        """The first wrong step on trees with numbers as in a game; if they are all right, on all trees."""
        small = [each for each in drawn if has_small_numbers(each.outline)]
        wrong_values, wrong_small = (
            any(not is_right(each, self.values_only) for each in trees) for trees in (drawn, small)
        )
        if not all(is_right(each, self.criteria) for each in small) and (step := self._first_step(small, wrong_small)):
            return replace(step, others=f"{step.others} {OF_LARGE}".strip()) if wrong_values > wrong_small else step
        return self._first_step(drawn, wrong_values)

    def _first_step(
        self, seen: Sequence[Observation], has_wrong_values: bool, only: Breach | None = None
    ) -> FoundStep | None:
        """The first wrong step on the drawn trees; None if no step explains the wrong answers."""
        criteria = self.values_only if has_wrong_values else self.criteria
        plain = [each for each in seen if each.is_drawn and not each.tree.shift and each.tree.own_rounds == 1]
        asked = [each for each in plain if each.claim or only]
        if all(is_right(each, criteria) for each in asked):
            return None
        finder = StepFinder(self.watch, self._expected, criteria, self.values_only, self.scope, not has_wrong_values)
        return finder.find(asked, only)

    def _with_step(self, found: FoundStep) -> Diagnosis:
        """The conclusion that a wrong step allows."""
        search = MissedSearch(self.question, found.tree, found.plies, found.claim, self.scope.cuts or "none")
        said = self._and_also(found.summary, found.name, found.hint)
        if found.others:
            said = replace(said, sentences=(*said.sentences, found.others))
        smallest = _smallest_tree(found.tree, found.plies, search.draw_tree(found.path))
        return self._in_own_words(replace(said, smallest=smallest, step=found.step))

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
            roots = searched_roots(case, each.truth)
            for (root, plies), move, claim in zip(roots, each.truth.moves, each.answer.claims, strict=False):
                expected = Expectation(ModelTree(root, plies, own_rounds=rounds), self.scope.cuts)
                reply = evidence.unswapped(Reply(claim)) if self.said is evidence.SWAPPED else Reply(claim)
                one = observe(expected, reply, move.best or None)
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

    def _about_exception(self, raised: evidence.Raised) -> Diagnosis:
        """The conclusion for a search that ends with an exception: the smallest tree, and where it began."""
        smallest, step = self._smallest_raising(raised), None
        if smallest:
            tree = Outline.parse(smallest.tree)
            (run,) = self.watch([WatchQuestion(tree, smallest.plies, keeps_variables=True)])
            watched = read_tree(tree, smallest.plies, run) if run.fault else None
            step = step_of_exception(watched, "Here the exception was raised")
        hint = self.said.hint or raised.hint or (evidence.MARKED_HINT if step else evidence.RAISED_HINT)
        return self._in_own_words(replace(self.said, hint=hint, smallest=smallest, step=step))

    def _result(self, said: Diagnosis, seen: Sequence[Observation]) -> Diagnosis:
        """A conclusion without a step: with the smallest tree on which the search fails."""
        smallest = self._smallest(seen)
        hint = evidence.CASE_HINT if said.hint == evidence.TREE_HINT and smallest is None else said.hint
        return self._in_own_words(replace(said, hint=hint, smallest=smallest))

    def _in_own_words(self, found: Diagnosis) -> Diagnosis:
        hint = CS188_HINTS.get(found.hint, found.hint) if self.scope.in_rounds else found.hint
        return replace(found, sentences=found.sentences[:MOST_SENTENCES], hint=hint)

    def _smallest(self, seen: Sequence[Observation]) -> SmallestTree | None:
        """The smallest tree on which the search fails, made smaller through its own answers."""
        drawn = [each for each in seen if each.is_drawn and each.claim is not None and not each.tree.shift]
        if self.scope.in_rounds:
            drawn = [each for each in drawn if each.outline.branches]
        kinds = [self.values_only, self.criteria]
        if self.criteria.value:
            kinds.insert(0, replace(self.values_only, action=False))
        for criteria in kinds:  # a wrong value shows more than a wrong action, and that more than other nodes
            wrong = [each for each in drawn if not is_right(each, criteria)]
            if wrong:
                break
        else:
            return None
        wrong.sort(key=lambda each: (each.outline.layer is not Layer.MAX, each.expected.size, each.tree.plies))

        def fails(batch: Sequence[TreeAndPlies]) -> list[bool]:
            results = []
            for (tree, plies), reply in zip(batch, self._ask(batch), strict=True):
                one = observe(self._expected(tree, plies), reply)
                results.append(one is not None and one.claim is not None and not is_right(one, criteria))
            return results

        first = wrong[0].outline, wrong[0].tree.plies
        if fails([first]) == [False]:
            return None
        tree, plies = shrink(*first, fails, self.scope.in_rounds, MAX_SHRINKING)
        claim = self._ask([(tree, plies)])[0].claim
        if claim is None:
            return None
        search = MissedSearch(self.question, tree, plies, claim, self.scope.cuts or "none")
        return _smallest_tree(tree, plies, search.draw_difference())

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
        text = fault.text if fault else raised.text
        value = f"value {right.value:g}, " if self.criteria.value else ""
        lines = (*str(tree).splitlines(), f"expected: {value}action {right.action}", f"got: {text}")
        return SmallestTree(str(tree), plies, lines, diagram=Diagram(str(tree)))

    def _ask(self, batch: Sequence[TreeAndPlies]) -> Sequence[Reply]:
        return self.ask([TreeQuestion(tree, plies) for tree, plies in batch])

    def _expected(self, tree: Outline, plies: int) -> Expectation:
        return _expectation(self.scope, TreeQuestion(tree, plies))


def _smallest_tree(tree: Outline, plies: int, drawing: Explanation) -> SmallestTree:
    return SmallestTree(str(tree), plies, drawing.picture, "", drawing.diagram, drawing.folded)


def _ignores_evaluation(seen: Sequence[Observation], criteria: Criteria) -> bool:
    """True if the search is wrong only where it gets another evaluation, and returns the values of the score there."""
    shifted = [each for each in seen if each.tree.shift]
    others_right = all(is_right(each, criteria) for each in seen if each.is_drawn and not each.tree.shift)
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


def _expectation(scope: Scope, question: TreeQuestion) -> Expectation:
    length = agents_of(question.tree) if scope.in_rounds else 0
    tree = ModelTree(question.tree, question.plies, question.evaluation_shift, question.rounds, length)
    return Expectation(tree, scope.cuts)


@cache
def prepared_questions(scope: Scope) -> tuple[tuple[TreeQuestion, Expectation], ...]:
    """All questions that a search is asked, with the right results."""
    asked = (*fixed_questions(scope), *random_questions(scope, RANDOM_SEED))
    return tuple((question, _expectation(scope, question)) for question in asked)
