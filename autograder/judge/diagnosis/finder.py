"""Finds out what is wrong with a part that lost points: watches its search on small trees, and chooses what to say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from autograder.cases.case import TOLERANCE, Case, MatchInput, PositionInput, Question, TreeInput
from autograder.cases.truth import is_close
from autograder.judge.diagnosis.exception_step import step_of_exception
from autograder.judge.diagnosis.extent import ENOUGH, RULES, Children
from autograder.judge.diagnosis.first_step import StepFinder, drawn
from autograder.judge.diagnosis.questions import Scope, fixed_questions, random_questions
from autograder.judge.diagnosis.run import Ask, Criteria, Right, Search, Trial, read_tree, spread
from autograder.judge.diagnosis.shrinking import shrink
from autograder.judge.diagnosis.step_words import ENDLESS, SAME_KIND_HINT
from autograder.judge.diagnosis.steps import MAX, Breach, Words
from autograder.judge.scorecard import Diagnosis, Diagram
from autograder.judge.submission_answer import Answer, Claim, Fault
from autograder.judge.wrong_searches import LAYER_HINTS
from autograder.student_process.fault_kind import FaultKind
from pacman.core.errors import counted, listed
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.record.watcher import EventKind, StatementKind

REPEATED = 12
"""How many trees are searched again, with another seed and on the same instance."""
PARTS = 8
"""In how many parts the trees are searched: each has trees of every kind, and the first one may be enough."""
ENOUGH_WRONG, ENOUGH_RIGHT, MANY_WRONG = 60, 40, 90
"""How many trees with wrong values, and how many others, are enough: the first step is looked for on no more. If so
many are wrong, the others do not count."""
ENOUGH_EVENTS = 40_000
"""How many steps are enough to look at: an honest search makes half of them on all trees."""
MOST_SENTENCES = 3
ENDLESS_FAULTS = (FaultKind.TIME, FaultKind.SUCCESSORS)
"""The kinds of faults with which a search of a small tree ends that would never end."""
RANDOM = Words(
    "random-answers",
    "Your search gives different answers to the same question.",
    hint="Look for `random`, `id()`, `time`, the order of a set, a default argument that is a list or a dict, and "
    "anything else that your code keeps from an earlier search.",
)
ASKED_BEFORE = "Your search gives another answer if the same agent was asked other questions before: {}."
REMEMBERS = replace(
    RANDOM, name="keeps-state", summary=ASKED_BEFORE.format("it keeps something from one search to the next")
)
DEFAULT_HINT = (
    "A default value is made once, when the function is defined, and all calls share it. Give it the default None, and "
    "make a new one inside."
)
SWAPPED = Words(
    "pair-swapped",
    "Your search returns its pair the wrong way round: `Line(action, value)`.",
    hint="A Line has the value first and the action second: `Line(value, action)`.",
)
NO_NUMBER = Words("wrong-result", "The value that your search returns is no number: it is a {}.", hint=SAME_KIND_HINT)
NO_NUMBERS = {"Line(": "Line", "(": "tuple", "<generator": "generator", "<coroutine": "coroutine"}
"""How the text of such a value begins, and what it is."""
NO_ACTION = Words(
    "wrong-result",
    "Your search returns {} where an action such as 'West' should be.",
    hint="Which value does your outermost function return: the action, the value, or both in one pair?",
)
OWN_EVALUATION = Words(
    "score-not-evaluation",
    "Your search takes the node's score and never calls the agent's own evaluation function.",
    hint="An agent gets its evaluation function when it is created. Which function does your search call at a leaf?",
)
TOO_MANY = "Your search makes {:,} successors on a tree of {}, and goes on{}: it was stopped."
RAISED_HINT = "Look at the line that the error names: what does each name on it stand for at that moment?"
MARKED_HINT = "Look at the marked line: which of the variables that are shown has a value that you did not expect?"
"""What is said about an exception that has no usual cause: the second one if the variables are shown."""
TREE_HINT = (
    "Compute the value of each node of the smallest tree on paper, from the bottom up. Then print the value that your "
    "code computes for each node. Where do the two differ first?"
)
CASE_HINT = "Run the first failed case on its own, and print what your code computes for each node."
"""What is said in place of the hint about the smallest tree if there is none."""
RIGHT_ON_TREES = "On {} small trees every answer of your search is right"
ONLY_IN_POSITIONS = Words(
    hint="What does a position of the game have that these trees do not have? For example many plies, the same "
    "position on two ways (does your code remember values?), a win or a loss in the middle of the search, and one "
    "agent that searches for move after move (does it keep something?).",
    in_rounds="In these trees getLegalActions gives the same actions for every agent, in a game it does not. Do you "
    "pass the agentIndex? Do the ghosts move in the order 1, 2, ...? Does your agent keep something on self from one "
    "call of getAction to the next?",
)
INFINITE_HINT = (
    "Your search returned an infinite value: of some node it looked at no successor. In a game, the end can come at a "
    "ghost's turn. Does each of your functions find out first that the game is over?"
)
ACTION_HINT = (
    "The values are right. Where does your search choose the action that it returns? At a leaf, at the horizon and at "
    "a CHANCE node nobody chooses, so the action there is None."
)
NODES_HINT = "This question counts nodes. Print the path of each node when your search generates it."
CASES_HINT = "What does the first failed case have that a small tree does not have? Begin at its marked node."


class AnsweredCase(NamedTuple):
    """A case that the student may see, the submission's answer, and the share of the case that it earned."""

    case: Case
    answer: Answer
    earned: float = 1


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
        self.values = self.criteria.without_nodes
        self.failed = [each for each in cases if each.earned < 1 and not isinstance(each.case.input, MatchInput)]
        self.choices_change: Words | None = None
        """Set if the search answers the same question with another action."""
        self.answers_alike = True
        """False if the search answers the trees of the cases in another way when it is watched."""

    def ask(self, searches: Sequence[Search]) -> list[Trial]:
        """Some searches, with what is right there."""
        return self._asked([Right(each, self.scope.cuts) for each in searches])

    def _asked(self, rights: Sequence[Right]) -> list[Trial]:
        runs = self._ask([right.search for right in rights]) if rights else ()
        return [Trial(right.search, right, run) for right, run in zip(rights, runs, strict=True)]

    def conclusion(self) -> Diagnosis | None:
        """The conclusion, or None."""
        for each in self.cases:
            if each.answer.never_ends and isinstance(each.case.input, TreeInput):
                assert isinstance(each.case.root, Outline)
                return self._endless(Search(each.case.root, each.case.input.plies))  # others would cost as much time
        trials = self._trials()
        if all(each.fault and each.fault.kind == FaultKind.NOT_WRITTEN for each in trials):
            return None
        hanging = [each.search for each in trials if each.fault and each.fault.kind in ENDLESS_FAULTS]
        if hanging and (diagnosis := self._first_step(trials, self.values, Breach.NOT_THE_SUCCESSOR)):
            return diagnosis
        if hanging and (endless := self._endless(min(hanging, key=lambda each: (each.tree.size(), each.plies)))):
            return endless
        trials = [each for each in trials if each.tells]
        if not trials:
            return None
        if form := self._form(trials):
            return self._first_step(trials, self.values, Breach.NO_VALUE) or self._without_step(trials, form)
        change, diagnosis = self._change(trials), self._exception(trials)
        if change and change is not RANDOM and (diagnosis := diagnosis or self._typical_step(trials)):
            return _with_kept(diagnosis, change)
        if diagnosis:
            return diagnosis
        if change:
            return self._without_step(trials, change)
        is_right = all(each.is_right(self.criteria) for each in trials)
        if is_right and not self.failed:
            return None
        return self._about_answers(trials, is_right)

    def _form(self, trials: Sequence[Trial]) -> Words | None:
        """What is wrong with the form of what the search returns, with its line; None if nothing is."""
        claimed = [(each, each.run.claim) for each in trials if each.run.claim]
        swapped = [each for each, claim in claimed if _is_swapped(claim)]
        if self.criteria.value and len(swapped) > len(claimed) / 2:
            return _with_line(SWAPPED, swapped)
        refused = [(each, each.fault) for each in trials if each.fault and each.fault.kind == FaultKind.REFUSED]
        if len(refused) > len(trials) / 2:
            fault = refused[0][1]
            words = Words("wrong-result", f"Your {fault.text}.", hint=fault.advice)
            return _with_line(words, [each for each, _ in refused])
        ended = [(each, claim) for each, claim in claimed if not each.fault and claim.action is None]
        others = [(each, claim) for each, claim in ended if claim.choice.partition(" ")[0] != "None"]
        if len(others) > sum(not each.fault for each, _ in claimed) / 2:
            words = replace(NO_ACTION, summary=NO_ACTION.summary.format(others[0][1].choice))
            return _with_line(words, [each for each, _ in others])
        for start, kind in NO_NUMBERS.items():
            if same := [each for each, claim in claimed if claim.value_text.startswith(start)]:
                return _with_line(replace(NO_NUMBER, summary=NO_NUMBER.summary.format(kind)), same)
        return None

    def _about_answers(self, trials: Sequence[Trial], is_right: bool) -> Diagnosis:
        """The conclusion for a search that answers: its first wrong step, or what its answers show without one."""
        if diagnosis := self._typical_step(trials):
            return diagnosis
        if self.criteria.value and _ignores_evaluation(trials, self.values):
            return self._without_step(trials, OWN_EVALUATION)
        if self.choices_change and not is_right:
            return self._without_step(trials, self.choices_change)
        if is_right:
            return self._without_step(trials, self._only_in_cases(len(trials)))
        words = (
            _without_a_move(trials)
            or _below_horizon(trials, self.criteria)
            or _rule_of_answers(trials)
            or _failures(trials, self.criteria)
        )
        return self._without_step(trials, words)

    # Searches.

    def _trials(self) -> list[Trial]:
        """The trials on the trees of the cases and on small trees.

        They are fewer if the first ones show enough: if most of them end early, or if enough of those with small
        numbers have a wrong value, and enough have not. Also for a search that makes very many steps.
        """
        prepared = [*self._of_cases(), *prepared_searches(self.scope)]
        trials: dict[int, Trial] = {}
        for part in range(PARTS):
            trials |= zip(range(part, len(prepared), PARTS), self._asked(prepared[part::PARTS]), strict=True)
            ended = sum(each.fault is not None for each in trials.values())
            events = sum(len(each.run.events) for each in trials.values())
            plain = [each for each in trials.values() if each.is_plain and each.search.has_small_numbers]
            wrong = sum(not each.fault and not each.is_right(self.values) for each in plain)
            are_enough = wrong >= MANY_WRONG or (wrong >= ENOUGH_WRONG and len(plain) - wrong >= ENOUGH_RIGHT)
            if ended > len(trials) / 2 or events > ENOUGH_EVENTS or are_enough:
                break
        ordered = [trials[index] for index in sorted(trials)]
        claims = {each.case.root: each.answer.claims[0] for each in self.cases if each.answer.claims}
        known = [(one, each.run.claim) for each in ordered if (one := claims.get(each.search.tree)) and each.run.claim]
        self.answers_alike = sum(_result(one) != _result(other) for one, other in known) <= len(known) / 2
        return ordered

    def _of_cases(self) -> list[Right]:
        """The searches of the trees of the cases."""
        return [
            Right(Search(each.case.root, each.case.input.plies), self.scope.cuts)
            for each in self.cases
            if isinstance(each.case.input, TreeInput)
            and isinstance(each.case.root, Outline)
            and each.case.input.evaluation == "score"
            and each.case.input.cut in ("equal", self.cut)
        ]

    def _change(self, trials: Sequence[Trial]) -> Words | None:
        """Why the search answers the same question differently; None if it does not.

        If only right actions change, the search may choose among equally good ones at random, which is no mistake.
        """
        chosen = spread([each for each in trials if each.is_plain], REPEATED)
        others = [replace(each.search, seed=each.search.seed + 1) for each in chosen]
        kept = [replace(each.search, keeps_instance=place > 0) for place, each in enumerate(chosen)]
        for batch, change in ((others, RANDOM), (kept, REMEMBERS)):
            pairs = [(each.run.claim, again) for each, again in zip(chosen, self.ask(batch), strict=True)]
            both = [(one, other) for one, again in pairs if one and (other := again.run.claim)]
            is_other = any(_result(one)[:-1] != _result(other)[:-1] for one, other in both)
            if change is REMEMBERS and not self.choices_change:
                is_other |= any(
                    one and one.action != again.run.claim.action and not again.is_right(self.values)
                    for one, again in pairs
                    if again.run.claim
                )
            if is_other:
                return change if change is RANDOM else self._remembering(chosen)
            if any(one.action != other.action for one, other in both):
                self.choices_change = self.choices_change or change
        return None

    def _remembering(self, trials: Sequence[Trial]) -> Words:
        """What is said of a search that keeps something, with its name if one is seen."""
        ended = [each.search for each in trials if not each.fault]
        largest = max(ended, default=trials[0].search, key=lambda each: each.tree.size())
        first = replace(largest, keeps_variables=True)
        runs = [each.run for each in self.ask([first, replace(first, keeps_instance=True)])]
        if not (kept := runs[0].kept or runs[1].kept):
            return REMEMBERS
        names = listed([f"`{name}` (line {line})" if line else f"`{name}`" for name, line in kept])
        keep = "keeps" if len(kept) == 1 else "keep"
        words = replace(REMEMBERS, summary=ASKED_BEFORE.format(f"{names} {keep} what an earlier call put in"))
        is_default = any(
            name in each.parameters and each.first <= line <= each.last
            for each in runs[0].functions
            for name, line in kept
        )
        return replace(words, hint=DEFAULT_HINT) if is_default else words

    def _shrunk(self, trials: Sequence[Trial], fails: Callable[[Trial], bool]) -> Trial | None:
        """The plainest of some trials that fail, on a tree that is made smaller; None if it does not fail again."""

        def holds(tree: Outline, plies: int) -> bool:
            return fails(self.ask([Search(tree, plies)])[0])

        searches = [each.search for each in trials if not each.search.shift]
        first = min(searches, default=None, key=lambda each: (each.tree.layer is not MAX, each.tree.size(), each.plies))
        if first is None or not holds(first.tree, first.plies):
            return None
        return self.ask([Search(*shrink(first.tree, first.plies, holds, self.scope.in_rounds))])[0]

    # What can be said.

    def _without_step(self, trials: Sequence[Trial], words: Words) -> Diagnosis:
        """A conclusion without a step: with the smallest tree on which the search fails."""
        smallest, hint = self._smallest(trials), words.for_style(self.scope.in_rounds)
        if hint == TREE_HINT and smallest is None:
            hint = CASE_HINT
        return Diagnosis((words.summary,), hint, (words.name,) if words.name else (), smallest)

    def _endless(self, search: Search) -> Diagnosis | None:
        """Where a search spends its time that does not end on a tree; None if it ends there after all."""
        (trial,) = self.ask([Search(search.tree, search.plies, keeps_variables=True)])
        if trial.fault is None or trial.fault.kind not in ENDLESS_FAULTS:
            return None
        step = step_of_exception(read_tree(trial.search, trial.run), "Here the search was stopped")
        if trial.run.claim and step is None:
            return None
        place, claim = f" (line {step.line})" if step else "", trial.run.claim
        sentence = ENDLESS.summary.format(place)
        if claim and trial.fault.kind == FaultKind.SUCCESSORS:  # it would perhaps end, much later
            sentence = TOO_MANY.format(claim.generated, counted(search.tree.size(), "node"), place)
        smallest = drawn(self.question, trial, self.scope, ())
        return Diagnosis((sentence,), ENDLESS.hint, (ENDLESS.name,), smallest, step)

    def _typical_step(self, trials: Sequence[Trial]) -> Diagnosis | None:
        """The first wrong step on trees with numbers as in a game; if there is none, on all trees."""
        for some in ([each for each in trials if each.search.has_small_numbers], trials):
            is_wrong = any(not each.is_right(self.values) for each in some)
            if diagnosis := self._first_step(some, self.values if is_wrong else self.criteria):
                return diagnosis
        return None

    def _first_step(self, trials: Sequence[Trial], criteria: Criteria, only: Breach | None = None) -> Diagnosis | None:
        """The first wrong step of the search, as a report shows it; with `only`, one of this kind."""
        plain = [each for each in trials if each.is_plain and (only or not each.fault)]
        if not self.answers_alike or all(each.is_right(criteria) for each in plain):
            return None
        return StepFinder(self.question, self.ask, self.scope, criteria).find(plain, only)

    def _exception(self, trials: Sequence[Trial]) -> Diagnosis | None:
        """The conclusion if most of what fails ends with one type of exception, whose most frequent line is named."""
        ended = [(each, each.fault) for each in trials if each.fault and each.fault.kind == FaultKind.RAISED]
        of_cases = [(each, fault) for each in self.failed if (fault := each.answer.fault)]
        of_cases = [(each, fault) for each, fault in of_cases if fault.kind == FaultKind.RAISED]
        causes = Counter(map(_cause, [fault for _, fault in (*ended, *of_cases)]))
        if not causes:
            return None
        common = causes.most_common(1)[0][0]
        wrong = sum(not each.is_right(self.criteria) for each in trials)
        kind = common.partition(" ")[0]
        if sum(causes[each] for each in causes if each.partition(" ")[0] == kind) <= (wrong + len(self.failed)) / 2:
            return None
        if diagnosis := self._first_step(trials, self.values, Breach.NO_VALUE):
            return diagnosis
        same = [(each, fault) for each, fault in ended if _cause(fault) == common]
        cases = [(each, fault) for each, fault in of_cases if _cause(fault) == common]
        fault = min(same, key=lambda pair: len(pair[0].right.nodes))[1] if same else cases[0][1]
        alike = sum(other.text == fault.text for _, other in same)
        where = f"on {alike} of {len(trials)} small trees" if same else f"in {_ids([each for each, _ in cases])}"
        more = f", and on {len(same) - alike} with another message from this line" if len(same) > alike else ""
        sentences = [f"Your search ends with {fault.text} {where}{more}."]
        if not same and not wrong:
            sentences.append(f"It is right on {len(trials)} small trees.")
        inner = [each for each, _ in same if each.search.tree.branches]
        least = self._shrunk(inner, lambda each: bool(each.search.tree.branches) and _cause(each.fault) == common)
        if least is None:
            return Diagnosis(tuple(sentences), fault.advice or RAISED_HINT, ())
        (watched,) = self.ask([replace(least.search, keeps_variables=True)])
        step = step_of_exception(read_tree(watched.search, watched.run), "Here the exception was raised")
        value, action = least.right.line
        expected = f"expected: {f'value {value:g}, ' if self.criteria.value else ''}action {action}"
        notes, tree = (expected, f"got: {(least.fault or fault).text}"), str(least.search.tree)
        smallest = Diagram(tree, least.search.plies, notes=notes)
        hint = fault.advice or (MARKED_HINT if step else RAISED_HINT)
        return Diagnosis(tuple(sentences), hint, (), smallest, step)

    def _smallest(self, trials: Sequence[Trial]) -> Diagram | None:
        """The smallest tree on which the search fails, made smaller through its own answers."""
        ended = [each for each in trials if not each.fault and not each.search.shift]
        plain = [each for each in ended if each.search.tree.branches or not self.scope.in_rounds]
        # A wrong value shows more than a wrong action, and that more than other nodes.
        kinds = [*([replace(self.values, action=False)] if self.values.value else []), self.values, self.criteria]
        for criteria in kinds:
            if wrong := [each for each in plain if not each.is_right(criteria)]:
                break
        else:
            return None
        least = self._shrunk(wrong, lambda each: not each.fault and each.tells and not each.is_right(criteria))
        return drawn(self.question, least, self.scope) if least else None

    def _only_in_cases(self, trees: int) -> Words:
        """What is known of a search that is right on all trees, and wrong in some cases."""
        right = RIGHT_ON_TREES.format(trees)
        if not self.failed:
            return Words(summary=f"{right}.")
        lost = [each for each in self.cases if each.earned < 1]
        words = Words(summary=f"{right}; it is wrong only in {_ids(lost)}.", hint=CASES_HINT)
        claims = [claim for each in self.failed for claim in each.answer.claims]
        if any(claim.value_text.lstrip("-").startswith("inf") for claim in claims):
            return replace(words, hint=INFINITE_HINT)
        is_in_positions = all(_is_position(each) for each in self.failed)
        return replace(ONLY_IN_POSITIONS, summary=words.summary) if is_in_positions else words


def _with_line(words: Words, trials: Sequence[Trial]) -> Words:
    """The words with the line that returned the answer in most of the trials, if it is one in the file."""
    events = [
        event for each in trials for event in each.run.events if (event.kind, event.call) == (EventKind.RETURN, 0)
    ]
    line = Counter(event.line for event in events).most_common(1)
    return replace(words, summary=f"{words.summary[:-1]} (line {line[0][0]}).") if line and line[0][0] else words


def _without_a_move(trials: Sequence[Trial]) -> Words | None:
    """What is said of a search that makes no successor on any tree, with the line of the test that ends it."""
    inner = [each for each in trials if each.search.tree.branches and each.search.plies and not each.fault]
    if not inner or any(event.kind is EventKind.MADE for each in inner for event in each.run.events):
        return None
    run = inner[0].run
    calls = [event for event in run.events if event.kind is EventKind.CALL]
    for event in run.events:
        if event.kind is EventKind.RETURN and 0 <= event.call < len(calls):
            statements = run.functions[calls[event.call].function].statements
            if any(each.kind is StatementKind.TEST and each.first < event.line <= each.last for each in statements):
                summary = f"Your search looks at no successor of the root: it returns at once (line {event.line})."
                return replace(Breach.NO_LOOK.words, summary=summary)
    return None


def _with_kept(diagnosis: Diagnosis, words: Words) -> Diagnosis:
    """A diagnosis with what is said of what a search keeps; that a default argument is kept is the cause of it."""
    sentences, names = diagnosis.sentences[: MOST_SENTENCES - 1], (*diagnosis.mistakes, words.name)
    if words.hint == DEFAULT_HINT:
        return replace(diagnosis, sentences=(words.summary, *sentences), mistakes=names, hint=words.hint)
    return replace(diagnosis, sentences=(*sentences, words.summary), mistakes=names)


def _below_horizon(trials: Sequence[Trial], criteria: Criteria) -> Words | None:
    """What is said if one line makes nodes below the horizon on most wrong trees, as in a search with a stack."""
    wrong = [each for each in trials if not each.is_right(criteria)]
    trees = Counter[int]()
    for each in wrong:
        trace = each.run.claim.trace if each.run.claim else None
        depths = [0, *map(len, trace.paths())] if trace else []
        made = [event for event in each.run.events if event.kind is EventKind.MADE and event.node < len(depths)]
        trees.update({event.line for event in made if depths[event.node] > each.search.plies})
    line, times = max(trees.items(), key=lambda item: item[1], default=(0, 0))
    if not line or times <= len(wrong) / 2:
        return None
    summary = f"On {times} of {len(trials)} small trees, your search goes on with no plies left (line {line})."
    return replace(Breach.BELOW_HORIZON.words, summary=summary)


def _rule_of_answers(trials: Sequence[Trial]) -> Words | None:
    """What all values of roots of one layer follow that are one ply above the leaves, if they are not all right."""
    for layer in Layer:
        claims = [
            (each.search.tree, each.run.claim.value, each.right.line[0])
            for each in trials
            if each.is_plain and each.search.plies == 1 and each.search.tree.layer is layer
            if each.run.claim and each.run.claim.value is not None
        ]
        if sum(not is_close(value, right) for _, value, right in claims) < ENOUGH:
            continue
        children = [(Children.of_tree(tree), value) for tree, value, _ in claims]
        for rule in RULES.values():
            if all(is_close(rule.of(each), value) for each, value in children):
                summary = f"If the root is a {layer.name} node with one ply left, your search {rule.phrase}."
                return Words(rule.names.get(layer, f"wrong-value-at-{layer.value}"), summary, hint=LAYER_HINTS[layer])
    return None


def _failures(trials: Sequence[Trial], criteria: Criteria) -> Words:
    """How many trees are wrong, and what is wrong there."""
    values = criteria.without_nodes
    wrong = [each for each in trials if not each.is_right(values)]
    if not wrong:
        differs = sum(each.nodes != each.right.nodes for each in trials if not each.is_right(criteria))
        kind = f"other nodes than asked on {differs} of them" if differs else "some nodes again"
        summary = f"Every answer is right on {len(trials)} small trees, but your search generates {kind}."
        return Words(summary=summary, hint=NODES_HINT)
    is_value = criteria.value and any(not each.is_right(replace(values, action=False)) for each in wrong)
    does, hint = "is wrong", TREE_HINT
    if not is_value:
        does, hint = "returns a wrong action", ACTION_HINT if criteria.value else TREE_HINT
    return Words(summary=f"Your search {does} on {len(wrong)} of {len(trials)} small trees.", hint=hint)


def _ignores_evaluation(trials: Sequence[Trial], criteria: Criteria) -> bool:
    """True if the search is wrong only where it gets another evaluation, and returns the values of the score there."""
    shifted = [each for each in trials if each.search.shift]
    return bool(shifted) and all(
        each.is_right(criteria)
        if not each.search.shift
        else each.run.claim is not None
        and each.run.claim.value is not None
        and is_close(each.run.claim.value, each.right.line[0] - each.search.shift)
        for each in trials
    )


def _is_swapped(claim: Claim) -> bool:
    """True if there is an action where the value should be, and a number where the action should be."""
    is_text = claim.value is None and claim.value_text.startswith(("'", "None"))
    return is_text and claim.action is None and re.match(r"-?(\d|inf\b)", claim.choice) is not None


def _result(claim: Claim) -> tuple[object, ...]:
    return claim.value, claim.value_text, claim.nodes, claim.action


def _cause(fault: Fault | None) -> str:
    """The type of an exception and its line; "" for none."""
    return (fault.detail or fault.text) if fault else ""


def _is_position(case: AnsweredCase) -> bool:
    return isinstance(case.case.input, PositionInput)


def _ids(cases: Sequence[AnsweredCase]) -> str:
    """The cases as a list: "the position q2/08-x", "the cases q2/01-a, q2/02-b and 3 more"."""
    what = "position" if all(map(_is_position, cases)) else "case"
    names = [each.case.id for each in cases[:3]]
    if len(cases) > len(names):
        names.append(f"{len(cases) - len(names)} more")
    return f"the {what}{'s' if len(cases) > 1 else ''} {listed(names)}"


@cache
def prepared_searches(scope: Scope) -> tuple[Right, ...]:
    """All searches of small trees that a part is asked for, with what is right there."""
    asked = (*fixed_questions(scope), *random_questions(scope, "fresh trees"))
    return tuple(Right(each, scope.cuts) for each in asked)
