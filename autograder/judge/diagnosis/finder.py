"""Finds out what is wrong with a part that lost points: watches its search on small trees, and chooses what to say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import NamedTuple

from autograder.cases.case import TOLERANCE, Case, MatchInput, PositionInput, Question, TreeInput
from autograder.cases.truth import CaseTruth, is_close
from autograder.judge.diagnosis.first_step import FoundStep, StepFinder, has_small_numbers, read_tree
from autograder.judge.diagnosis.questions import Scope, fixed_questions, random_questions
from autograder.judge.diagnosis.run import Ask, Run, Search
from autograder.judge.diagnosis.shown_step import step_of_exception
from autograder.judge.diagnosis.shrinking import TreeAndPlies, shrink
from autograder.judge.diagnosis.steps import NO_HINT, Breach, Hint
from autograder.judge.diagnosis.trials import Criteria, Right, Trial, are_swapped, plainest, spread, unswapped
from autograder.judge.explain_miss import Explanation, MissedSearch
from autograder.judge.scorecard import Diagnosis, Diagram, SmallestTree, WrongStep
from autograder.judge.submission_answer import Answer, Claim, Fault
from autograder.student_process.fault_kind import FaultKind
from pacman.core.errors import counted, listed
from pacman.core.tree_text import Outline

SEEDS = (1, 2)
"""The further seeds with which some trees are searched again."""
REPEATED = 12
"""How many trees are searched again, with other seeds and on the same instance."""
PARTS = 8
"""In how many parts the trees are searched: each has trees of every kind, and the first one may be enough."""
ENOUGH_EVENTS = 40_000
"""How many steps are enough to look at: an honest search makes half of them on all trees."""
MAX_SHRINKING = 400
"""How many smaller trees are tried."""
RANDOM_SEED = "fresh trees"
MOST_SENTENCES = 3
ENDLESS = "never-ends"
WRONG_RESULT = "wrong-result"
ENDLESS_FAULTS = (FaultKind.TIME, FaultKind.SUCCESSORS)
"""The kinds of faults with which a search of a small tree ends that would never end."""
NO_ANSWER = Claim(None, "None", None, "None", 0, None, ())


class Said(NamedTuple):
    """What is said about a search: sentences, the names of the mistakes for counting, and a hint."""

    sentences: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    hint: Hint = NO_HINT

    def plus(self, sentence: str, name: str = "", hint: Hint = NO_HINT) -> Said:
        """The same with one more sentence, perhaps a name, and a hint if there is none yet."""
        names = (*self.names, name) if name else self.names
        return Said((*self.sentences, sentence), names, self.hint).plus_hint(hint)

    def plus_hint(self, hint: Hint) -> Said:
        """The same with this hint if there is none yet."""
        return self if self.hint.text else self._replace(hint=hint)


RANDOM_HINT = Hint(
    "Look for `random`, `id()`, the order of a set, and anything that your code keeps from an earlier search."
)


class Change(Enum):
    """Why a search answers the same question differently, with the sentence and the name."""

    RANDOM = "Your search gives different answers to the same question.", "random-answers"
    REMEMBERS = (
        "Your search gives another answer if the same agent was asked other questions before: it keeps something from "
        "one search to the next.",
        "keeps-state",
    )


SWAPPED = Said(
    ("Your search returns its pair the wrong way round: `Line(action, value)`.",),
    ("pair-swapped",),
    Hint("A Line has the value first and the action second: `Line(value, action)`."),
)
OWN_EVALUATION = (
    "Your search takes the node's score and never calls the agent's own evaluation function.",
    "score-not-evaluation",
    Hint("An agent gets its evaluation function when it is created. Which function does your search call at a leaf?"),
)
OF_LARGE = "Where numbers are very large, your search returns wrong values as well: is one of them its infinity?"
RESULT_HINT = Hint("Which value does your outermost function return: the action, the value, or both in one pair?")
ENDLESS_HINT = Hint(
    "Which loop or which call comes back to this line again and again? What has to change there so that it ends?"
)
RAISED_HINT = Hint("Look at the line that the error names: what does each name on it stand for at that moment?")
MARKED_HINT = Hint(
    "Look at the marked line: which of the variables that are shown has a value that you did not expect?"
)
"""What is said about an exception that has no usual cause: the second one if the variables are shown."""
TREE_HINT = Hint(
    "Compute the value of each node of the smallest tree on paper, from the bottom up. Then print the value that your "
    "code computes for each node. Where do the two differ first?"
)
CASE_HINT = Hint("Run the first failed case on its own, and print what your code computes for each node.")
POSITION_HINT = Hint(
    "What does a position of the game have that these trees do not have? For example many plies, the same position "
    "on two ways (does your code remember values?), a win or a loss in the middle of the search, and one agent that "
    "searches for move after move (does it keep something?).",
    "In these trees getLegalActions gives the same actions for every agent, in a game it does not. Do you pass the "
    "agentIndex? Do the ghosts move in the order 1, 2, ...? Does your agent keep something on self from one call of "
    "getAction to the next?",
)
INFINITE_HINT = Hint(
    "Your search returned an infinite value: of some node it looked at no successor. In a game, the end can come at a "
    "ghost's turn. Does each of your functions find out first that the game is over?"
)
ACTION_HINT = Hint(
    "The values are right. Where does your search choose the action that it returns? At a leaf, at the horizon and at "
    "a CHANCE node nobody chooses, so the action there is None."
)
NODES_HINT = Hint("This question counts nodes. Print the path of each node when your search generates it.")
CASES_HINT = Hint("What does the first failed case have that a small tree does not have? Begin at its marked node.")


@dataclass(frozen=True)
class AnsweredCase:
    """A case that the student may see, the submission's answer, and the share of the case that it earned."""

    case: Case
    truth: CaseTruth
    answer: Answer
    earned: float = 1

    @property
    def is_position(self) -> bool:
        """True for a case with a position of Pacman."""
        return isinstance(self.case.input, PositionInput)

    @property
    def fault(self) -> Fault | None:
        """The exception that the answer ended with; None if there was none."""
        fault = self.answer.fault
        return fault if fault and fault.kind == FaultKind.RAISED else None


class Raised(NamedTuple):
    """The exception with which most of what fails ends, what is said about it, and the trials that end with it."""

    fault: Fault
    sentences: tuple[str, ...]
    hint: Hint
    trials: tuple[Trial, ...]


def find_mistake(question: Question, cases: Sequence[AnsweredCase], ask: Ask, in_rounds: bool) -> Diagnosis | None:
    """What is wrong with the search of a part; None if nothing was found.

    `cases` are those that a student may see. `in_rounds` is true for a part that counts agents, not layers.
    """
    return _Finder(question, cases, ask, in_rounds).conclusion()


class _Finder:
    """The searches of one part."""

    def __init__(self, question: Question, cases: Sequence[AnsweredCase], ask: Ask, in_rounds: bool) -> None:
        self.question, self.cases, self._ask = question, cases, ask
        cuts = [getattr(each.case.input, "cut", "equal") for each in cases]
        self.cut = cuts[0] if cuts else "equal"
        self.scope = Scope.of(question, in_rounds, self.cut)
        self.criteria = Criteria.of(question, max((each.case.tolerance for each in cases), default=TOLERANCE))
        self.failed = [each for each in cases if each.earned < 1 and not isinstance(each.case.input, MatchInput)]
        self.said = Said()
        """What is known before the trials are looked at one by one."""
        self.choice_changes: Change | None = None
        """Set if the search answers the same question with another action."""
        self.is_swapped = False
        """True if the search returns (action, value)."""
        self.answers_alike = True
        """False if the search answers the trees of the cases in another way when it is watched."""

    def ask(self, searches: Sequence[Search]) -> Sequence[Run]:
        """The runs of some searches; if the search returns (action, value), with both exchanged."""
        runs = self._ask(searches) if searches else ()
        return list(map(unswapped, runs)) if self.is_swapped else runs

    def conclusion(self) -> Diagnosis | None:
        """The conclusion, or None."""
        for each in self.cases:
            if each.answer.never_ends and isinstance(each.case.input, TreeInput):
                assert isinstance(each.case.root, Outline)
                return self._endless(each.case.root, each.case.input.plies)  # other trees would cost as much time
        trials = self._trials()
        if all(each.run.fault and each.run.fault.kind == FaultKind.NOT_WRITTEN for each in trials):
            return None
        hanging = [each for each in trials if each.run.fault and each.run.fault.kind in ENDLESS_FAULTS]
        if hanging:
            least = min(hanging, key=lambda each: (each.search.tree.size(), each.search.plies)).search
            if endless := self._endless(least.tree, least.plies):
                return endless
        trials = [each for each in trials if each.tells]
        if not trials:
            return None
        if self.criteria.value and are_swapped([each.run for each in trials]):
            self.said, self.is_swapped = SWAPPED, True
            trials = [replace(each, run=unswapped(each.run)) for each in trials]
        if returned := _wrong_kind_of_action(trials):
            return self._without_step(self.said.plus(returned, WRONG_RESULT, RESULT_HINT), trials)
        is_right = all(each.is_right(self.criteria) for each in trials)
        if raised := self._exception(trials):
            step = self._first_step(trials, self.criteria.without_nodes, Breach.NO_VALUE)
            return self._with_step(step) if step else self._about_exception(raised)
        if change := self._change(trials):
            if change is Change.REMEMBERS and (step := self._typical_step(trials)):
                found, (sentence, name) = self._with_step(step), change.value
                sentences = (*found.sentences[: MOST_SENTENCES - 1], sentence)
                return replace(found, sentences=sentences, mistakes=(*found.mistakes, name))
            return self._without_step(self.said.plus(*change.value, RANDOM_HINT), trials)
        if is_right and not self.said.sentences and not self.failed:
            return None
        return self._about_answers(trials, is_right)

    def _about_answers(self, trials: Sequence[Trial], is_right: bool) -> Diagnosis:
        """The conclusion for a search that answers: its first wrong step, or what its answers show without one."""
        if step := self._typical_step(trials):
            return self._with_step(step)
        if self.criteria.value and _ignores_evaluation(trials, self.criteria.without_nodes):
            return self._without_step(self.said.plus(*OWN_EVALUATION), trials)
        if self.choice_changes and not is_right:
            return self._without_step(self.said.plus(*self.choice_changes.value, RANDOM_HINT), trials)
        if self.said.sentences and is_right:
            return self._without_step(self.said, trials)
        sentence, hint = self._only_in_cases(len(trials)) if is_right else _failures(trials, self.criteria)
        return self._without_step(self.said.plus(sentence, "", hint), trials)

    # Searches.

    def _trials(self) -> list[Trial]:
        """The trials on the trees of the cases and on small trees; on fewer if most of the first ones end early.

        Also on fewer for a search that makes very many steps.
        """
        prepared = [*self._of_cases(), *prepared_searches(self.scope)]
        runs: dict[int, Run] = {}
        for part in range(PARTS):
            indices = range(part, len(prepared), PARTS)
            runs |= zip(indices, self.ask([prepared[index][0] for index in indices]), strict=True)
            ended = sum(run.fault is not None for run in runs.values())
            if ended > len(runs) / 2 or sum(len(run.events) for run in runs.values()) > ENOUGH_EVENTS:
                break
        trials = [Trial(*prepared[index], runs[index]) for index in sorted(runs)]
        claims = {each.case.root: each.answer.claims[0] for each in self.cases if each.answer.claims}
        known = [(one, each.run.claim) for each in trials if (one := claims.get(each.search.tree)) and each.run.claim]
        self.answers_alike = sum(_result(one) != _result(other) for one, other in known) <= len(known) / 2
        return trials

    def _of_cases(self) -> list[tuple[Search, Right]]:
        """The searches of the trees of the cases."""
        searches = [
            Search(each.case.root, each.case.input.plies)
            for each in self.cases
            if isinstance(each.case.input, TreeInput)
            and isinstance(each.case.root, Outline)
            and each.case.input.evaluation == "score"
            and each.case.input.cut in ("equal", self.cut)
        ]
        return [(each, self._right(each.tree, each.plies)) for each in searches]

    def _right(self, tree: Outline, plies: int) -> Right:
        return Right(tree, plies, self.scope.cuts)

    def _tried(self, batch: Sequence[TreeAndPlies]) -> list[Trial]:
        """The trials on more trees."""
        searches = [Search(*each) for each in batch]
        pairs = zip(searches, self.ask(searches), strict=True)
        return [Trial(search, self._right(search.tree, search.plies), run) for search, run in pairs]

    def _change(self, trials: Sequence[Trial]) -> Change | None:
        """Why the search answers the same question differently; None if it does not.

        If only actions change, the search may choose among equally good ones at random, which is no mistake.
        """
        chosen = spread([each for each in trials if each.is_plain], REPEATED)
        batches = [([replace(each.search, seed=seed) for each in chosen], Change.RANDOM) for seed in SEEDS]
        kept = [replace(each.search, keeps_instance=place > 0) for place, each in enumerate(chosen)]
        for batch, change in (*batches, (kept, Change.REMEMBERS)):
            pairs = [(each.run.claim, run.claim) for each, run in zip(chosen, self.ask(batch), strict=True)]
            claims = [(one, other) for one, other in pairs if one and other]
            if any(_result(one)[:-1] != _result(other)[:-1] for one, other in claims):
                return change
            if any(one.action != other.action for one, other in claims):
                self.choice_changes = self.choice_changes or change
        return None

    # What can be said.

    def _endless(self, tree: Outline, plies: int) -> Diagnosis | None:
        """Where a search spends its time that does not end on a tree; None if it ends there after all."""
        (run,) = self.ask([Search(tree, plies, keeps_variables=True)])
        if run.fault is None or run.fault.kind not in ENDLESS_FAULTS:
            return None
        step = step_of_exception(read_tree(tree, plies, run), "Here the search was stopped")
        if run.claim and step is None:
            return None
        summary = f"Your search does not end on a small tree{f' (line {step.line})' if step else ''}."
        return self._with_step(FoundStep(step, ENDLESS, summary, ENDLESS_HINT, tree, plies, run.claim or NO_ANSWER))

    def _typical_step(self, trials: Sequence[Trial]) -> FoundStep | None:
        """The first wrong step on trees with numbers as in a game; if they are all right, on all trees."""
        criteria = self.criteria.without_nodes
        small = [each for each in trials if has_small_numbers(each.search.tree)]
        wrong_values, wrong_small = (any(not each.is_right(criteria) for each in some) for some in (trials, small))
        if step := self._first_step(small, criteria if wrong_small else self.criteria):
            return replace(step, others=f"{step.others} {OF_LARGE}".strip()) if wrong_values > wrong_small else step
        return self._first_step(trials, criteria if wrong_values else self.criteria)

    def _first_step(self, trials: Sequence[Trial], criteria: Criteria, only: Breach | None = None) -> FoundStep | None:
        """The first wrong step on the drawn trees; None if no step explains the wrong answers."""
        plain = [each for each in trials if each.is_plain and (only or not each.run.fault)]
        if not self.answers_alike or all(each.is_right(criteria) for each in plain):
            return None
        return StepFinder(self.ask, self.scope, criteria).find(plain, only)

    def _with_step(self, found: FoundStep) -> Diagnosis:
        """The conclusion that a wrong step allows."""
        search = MissedSearch(self.question, found.tree, found.plies, found.claim, self.scope.cuts or "none")
        said = self.said.plus(found.summary, found.name, found.hint)
        if found.others:
            said = said.plus(found.others)
        return self._diagnosis(said, _smallest_tree(found.tree, found.plies, search.draw_tree(found.path)), found.step)

    def _exception(self, trials: Sequence[Trial]) -> Raised | None:
        """The exception if most of what fails ends with one of this type; else None. Its line is the most frequent."""
        ended = [each for each in trials if each.run.fault]
        of_cases = [each for each in self.failed if each.fault]
        faults = [each.run.fault for each in ended if each.run.fault] + [each.fault for each in of_cases if each.fault]
        details = Counter(map(_detail, faults))
        if not details:
            return None
        ((common, _),) = details.most_common(1)
        kind = _kind(common)
        wrong = sum(not each.is_right(self.criteria) for each in trials)
        if sum(_kind(_detail(fault)) == kind for fault in faults) <= (wrong + len(self.failed)) / 2:
            return None
        same = tuple(each for each in ended if each.run.fault and _detail(each.run.fault) == common)
        cases = [each for each in of_cases if each.fault and _detail(each.fault) == common]
        least = min(same, key=lambda each: len(each.right.nodes), default=None)
        fault = least.run.fault if least else cases[0].fault
        assert fault is not None
        hint = Hint(fault.advice)
        if same:
            sentence = f"Your search ends with {fault.text} on {len(same)} of {len(trials)} small trees."
            return Raised(fault, (sentence,), hint, same)
        rest = () if wrong else (f"It is right on {len(trials)} small trees.",)
        return Raised(fault, (f"Your search ends with {fault.text} in {_ids(cases)}.", *rest), hint, ())

    def _about_exception(self, raised: Raised) -> Diagnosis:
        """The conclusion for a search that ends with an exception: the smallest tree, and where it began."""
        least = self._smallest_raising(raised)
        smallest, step = None, None
        if least:
            tree, plies = least.search.tree, least.search.plies
            (run,) = self.ask([replace(least.search, keeps_variables=True)])
            if run.fault:
                step = step_of_exception(read_tree(tree, plies, run), "Here the exception was raised")
            value = f"value {least.right.value:g}, " if self.criteria.value else ""
            reason = (least.run.fault or raised.fault).text
            lines = (*str(tree).splitlines(), f"expected: {value}action {least.right.action}", f"got: {reason}")
            smallest = SmallestTree(str(tree), plies, lines, diagram=Diagram(str(tree)))
        said = self.said
        for sentence in raised.sentences:
            said = said.plus(sentence, "", raised.hint)
        return self._diagnosis(said.plus_hint(MARKED_HINT if step else RAISED_HINT), smallest, step)

    def _smallest_raising(self, raised: Raised) -> Trial | None:
        """The smallest tree on which the search ends with this exception."""

        def fails(batch: Sequence[TreeAndPlies]) -> list[bool]:
            faults = [each.fault for each in self.ask([Search(*each) for each in batch])]
            same = [fault is not None and _detail(fault) == _detail(raised.fault) for fault in faults]
            return [bool(tree.branches) and is_same for (tree, _), is_same in zip(batch, same, strict=True)]

        drawn = [each for each in raised.trials if not each.search.shift and each.search.tree.branches]
        if not drawn:
            return None
        first = min(drawn, key=lambda each: plainest(each)[1:]).search
        if fails([(first.tree, first.plies)]) == [False]:
            return None
        least = shrink(first.tree, first.plies, fails, self.scope.in_rounds, MAX_SHRINKING)
        return self._tried([least])[0]

    def _without_step(self, said: Said, trials: Sequence[Trial]) -> Diagnosis:
        """A conclusion without a step: with the smallest tree on which the search fails."""
        smallest = self._smallest(trials)
        if said.hint is TREE_HINT and smallest is None:
            said = said._replace(hint=CASE_HINT)
        return self._diagnosis(said, smallest)

    def _diagnosis(self, said: Said, smallest: SmallestTree | None, step: WrongStep | None = None) -> Diagnosis:
        hint = said.hint.in_rounds if self.scope.in_rounds and said.hint.in_rounds else said.hint.text
        return Diagnosis(said.sentences[:MOST_SENTENCES], hint, said.names, smallest, step)

    def _smallest(self, trials: Sequence[Trial]) -> SmallestTree | None:
        """The smallest tree on which the search fails, made smaller through its own answers."""
        drawn = [each for each in trials if not each.run.fault and not each.search.shift]
        if self.scope.in_rounds:
            drawn = [each for each in drawn if each.search.tree.branches]
        values = self.criteria.without_nodes
        # A wrong value shows more than a wrong action, and that more than other nodes.
        kinds = [*([replace(values, action=False)] if values.value else []), values, self.criteria]
        for criteria in kinds:
            if wrong := [each for each in drawn if not each.is_right(criteria)]:
                break
        else:
            return None

        def fails(batch: Sequence[TreeAndPlies]) -> list[bool]:
            return [not each.run.fault and each.tells and not each.is_right(criteria) for each in self._tried(batch)]

        first = min(wrong, key=plainest).search
        if fails([(first.tree, first.plies)]) == [False]:
            return None
        tree, plies = shrink(first.tree, first.plies, fails, self.scope.in_rounds, MAX_SHRINKING)
        claim = self.ask([Search(tree, plies)])[0].claim
        if claim is None:
            return None
        search = MissedSearch(self.question, tree, plies, claim, self.scope.cuts or "none")
        return _smallest_tree(tree, plies, search.draw_difference())

    def _only_in_cases(self, trees: int) -> tuple[str, Hint]:
        """What is known of a search that is right on all trees, and wrong in some cases: a sentence and a hint."""
        if not self.failed:
            return f"On {trees} small trees every answer of your search is right.", NO_HINT
        sentence = f"On {trees} small trees every answer of your search is right; "
        sentence += f"it is wrong only in {_ids(self.failed)}."
        claims = [claim for each in self.failed for claim in each.answer.claims]
        if any(claim.value_text.lstrip("-").startswith("inf") for claim in claims):
            return sentence, INFINITE_HINT
        return sentence, POSITION_HINT if all(each.is_position for each in self.failed) else CASES_HINT


def _wrong_kind_of_action(trials: Sequence[Trial]) -> str:
    """A sentence if most answers have something that is no text where the action should be; else empty."""
    claims = [each.run.claim for each in trials if each.run.claim and not each.run.fault]
    others = [each for each in claims if each.action is None and each.choice.partition(" ")[0] != "None"]
    if len(others) <= len(claims) / 2:
        return ""
    return f"Your search returns {others[0].choice} where an action such as 'West' should be."


def _failures(trials: Sequence[Trial], criteria: Criteria) -> tuple[str, Hint]:
    """How many trees are wrong, and of which kind they are: a sentence and a hint."""
    values = criteria.without_nodes
    wrong = [each for each in trials if not each.is_right(values)]
    if not wrong:
        return _node_failures(trials, criteria)
    on = f"on {len(wrong)} of {len(trials)} small trees."
    if not criteria.value:
        return f"Your search returns a wrong action {on}", TREE_HINT
    if any(not each.is_right(replace(values, action=False)) for each in wrong):
        return f"Your search is wrong {on}", TREE_HINT
    return f"Every value is right, but the action is wrong {on}", ACTION_HINT


def _node_failures(trials: Sequence[Trial], criteria: Criteria) -> tuple[str, Hint]:
    """What is wrong with the generated nodes, where every value and action is right."""
    answers = "Every value and every action is" if criteria.value else "Every action is"
    what = f"{answers} right on {len(trials)} small trees, but your search generates "
    wrong = [(each, each.run.claim.generated) for each in trials if each.run.claim and not each.is_right(criteria)]
    more = sum(made > len(each.right.nodes) for each, made in wrong)
    fewer = sum(made < len(each.right.nodes) for each, made in wrong)
    twice = sum(made > len(each.nodes) for each, made in wrong)
    other = sum(each.nodes != each.right.nodes for each, _ in wrong)
    if twice and not other:
        return f"{what}some nodes more than once ({twice} of {len(trials)} trees).", NODES_HINT
    counts = [f"{text} on {times}" for text, times in (("more", more), ("fewer", fewer)) if times]
    if not counts:
        return f"{what}other nodes than asked on {other} of them.", NODES_HINT
    again = f"; on {counted(twice, 'tree')} it generates some nodes more than once" if twice else ""
    return f"{what}other nodes than asked: {', '.join(counts)} of them{again}.", NODES_HINT


def _ignores_evaluation(trials: Sequence[Trial], criteria: Criteria) -> bool:
    """True if the search is wrong only where it gets another evaluation, and returns the values of the score there."""
    shifted = [each for each in trials if each.search.shift]
    return bool(shifted) and all(
        each.is_right(criteria)
        if not each.search.shift
        else each.run.claim is not None
        and each.run.claim.value is not None
        and is_close(each.run.claim.value, each.right.value - each.search.shift)
        for each in trials
    )


def _result(claim: Claim) -> tuple[object, ...]:
    return claim.value, claim.value_text, claim.nodes, claim.action


def _detail(fault: Fault) -> str:
    """The type of an exception and its line."""
    return fault.detail or fault.text


def _kind(detail: str) -> str:
    return detail.partition(" ")[0]


def _ids(cases: Sequence[AnsweredCase]) -> str:
    """The cases as a list: "the position q2/08-x", "the cases q2/01-a, q2/02-b and 3 more"."""
    what = "position" if all(each.is_position for each in cases) else "case"
    names = [each.case.id for each in cases[:3]]
    if len(cases) > len(names):
        names.append(f"{len(cases) - len(names)} more")
    return f"the {what}{'s' if len(cases) > 1 else ''} {listed(names)}"


def _smallest_tree(tree: Outline, plies: int, drawing: Explanation) -> SmallestTree:
    return SmallestTree(str(tree), plies, drawing.picture, "", drawing.diagram, drawing.folded)


@cache
def prepared_searches(scope: Scope) -> tuple[tuple[Search, Right], ...]:
    """All searches of small trees that a part is asked for, with the right results."""
    asked = (*fixed_questions(scope), *random_questions(scope, RANDOM_SEED))
    return tuple((each, Right(each.tree, each.plies, scope.cuts, each.shift)) for each in asked)
