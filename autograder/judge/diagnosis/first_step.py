"""Finds the first wrong step of a search: watches it on trees that it answers wrongly, and judges each call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from autograder.judge.diagnosis.asking import Watch, WatchQuestion
from autograder.judge.diagnosis.extent import Extent, JudgedTree, find_extent
from autograder.judge.diagnosis.questions import agents_of
from autograder.judge.diagnosis.shrinking import TreeAndPlies, shrink
from autograder.judge.diagnosis.step_words import WORDS, StepTexts, seen, words_for
from autograder.judge.diagnosis.steps import Judge, Judgement, Rule, Step
from autograder.judge.diagnosis.visits import (
    NodeCall,
    NodeVisit,
    Reading,
    UnreadableRecord,
    WatchedTree,
    find_reading,
    is_near,
    right_value,
)
from autograder.judge.points_as_text import node_name
from autograder.judge.scorecard import WrongStep
from autograder.judge.submission_answer import Claim
from autograder.judge.watched_run import WatchedRun
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.trace import Path
from pacman.core.watcher import EventKind, WatchedFunction
from pacman.core.words import counted

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
MAX_CODE = 10
"""The most lines of code around a wrong step."""
MAX_ROWS = 6
OF_STORED_VALUES = (Rule.OTHER_VALUES, Rule.REMEMBERED, Rule.STORED, Rule.NOT_SEARCHED)
"""What a search does that stores values and takes them for those of other nodes."""
NUMBER = re.compile(r"-?[\d.e+]+|-?inf")
OF_THE_FRAMEWORK = ("self.index", "self.rounds")
Key = tuple[Rule, int, str]


@dataclass(frozen=True)
class AskedTree:
    """A tree that a search was asked, and what it answered without a watcher; no claim if it raised an exception."""

    tree: Outline
    plies: int
    claim: Claim | None
    is_right: bool


@dataclass(frozen=True)
class FoundStep:
    """The first wrong step, the tree that shows it best, and what the search answers there.

    `name` is for counting, `summary` the sentence for a list, `hint` a question. `others` says which other wrong steps
    there are; it is empty if there are none. There is no `step` for a search that does not end where nothing can stop
    it: in a browser.
    """

    step: WrongStep | None
    name: str
    summary: str
    hint: str
    others: str
    tree: Outline
    plies: int
    path: Path
    claim: Claim
    values: tuple[tuple[Path, float], ...]
    costs_only_nodes: bool


@dataclass(frozen=True)
class StepFinder:
    """Looks for the first wrong step. `is_right` judges an answer to a tree; `cuts` is as in `Judge`."""

    watch: Watch
    is_right: Callable[[Outline, int, Claim], bool]
    is_value_right: Callable[[Outline, int, Claim], bool]
    cuts: str
    in_rounds: bool
    counts_nodes: bool

    def find(self, asked: Sequence[AskedTree], only: Rule | None = None) -> FoundStep | None:
        """The first wrong step, or None if no step explains the wrong answers; with `only`, a step of this rule."""
        chosen = _choose(asked)
        runs = self.watch([WatchQuestion(each.tree, each.plies) for each in chosen])
        watched = [
            (each, tree)
            for each, run in zip(chosen, runs, strict=True)
            if run.claim and run.is_complete and is_same_answer(run, each.claim)
            if (tree := read_tree(each.tree, each.plies, run, self._length(each.tree)))
        ]
        if len(watched) < len(chosen) / 2:
            return None
        reading = find_reading([tree for _, tree in watched])
        judge = Judge(reading, self.cuts, may_skip_stop=self.in_rounds)
        judged = [
            JudgedTree(tree, judge.judge(tree, each.claim.action if each.claim else None), not each.is_right)
            for each, tree in watched
        ]
        firsts = [(tree, step) for tree in judged if tree.is_wrong if (step := self._first(tree.judgement))]
        wrong = sum(tree.is_wrong for tree in judged)
        if not firsts:
            return None
        counts = Counter(_key(step, judge) for _, step in firsts)
        order = sorted(counts, key=lambda key: (key[0] is not Rule.OTHER_VALUES, -counts[key], key[1], key[2]))
        for key in order[:3]:
            if counts[key] < SHARE * wrong and key[0] is not Rule.OTHER_VALUES:
                break
            if only not in (None, key[0]):
                continue
            of_key = [(tree, step) for tree, step in firsts if _key(step, judge) == key]
            found = self._show(of_key, judge, judged, counts)
            if found:
                return found
        return None

    def _first(self, judgement: Judgement) -> Step | None:
        """The first step that matters for what went wrong."""
        for step in judgement.steps:
            if self.counts_nodes or not (WORDS[step.rule].costs_only_nodes or step.is_harmless):
                return step
        return None

    def _show(
        self,
        firsts: Sequence[tuple[JudgedTree, Step]],
        judge: Judge,
        judged: Sequence[JudgedTree],
        counts: Counter[Key],
    ) -> FoundStep | None:
        """The step on the tree that shows it best; None if the reading of the record is in doubt."""
        chosen = self._best_tree(firsts, judge, judged)
        if chosen is None or chosen[0].run.claim is None:
            return None
        watched, step = chosen
        shown, words = self._described(watched, step, find_extent(step, judged), judge)
        values = tuple((visit.path, visit.value) for visit in watched.visits if visit.value is not None)
        return FoundStep(
            shown,
            words.name,
            words.summary,
            words.hint,
            _others(step, judge, counts),
            watched.tree,
            watched.plies,
            step.visit.path,
            chosen[0].run.claim,
            values,
            WORDS[step.rule].costs_only_nodes or step.is_harmless,
        )

    def _best_tree(
        self, firsts: Sequence[tuple[JudgedTree, Step]], judge: Judge, judged: Sequence[JudgedTree]
    ) -> tuple[WatchedTree, Step] | None:
        """A plain tree with this step, made smaller, and watched with the texts of its variables."""
        ordered = sorted(firsts, key=lambda each: _plainness(each[0].watched, each[1]))
        proofs = self._proofs([(tree.watched, step) for tree, step in ordered[:CANDIDATES]], judge)
        proven = [each for each, proof in zip(ordered, proofs, strict=False) if proof]
        can_prove = any(proof is not None for proof in proofs)
        if can_prove and not proven and self._doubts(judge, judged):
            return None
        tree, step = (proven or ordered)[0]
        whole = tree.watched
        smaller = self._smaller(whole, step, judge, bool(proven)) or whole
        return self._watch_again(smaller.tree, smaller.plies, step, judge) or self._watch_again(
            whole.tree, whole.plies, step, judge
        )

    def _described(self, watched: WatchedTree, step: Step, extent: Extent, judge: Judge) -> tuple[WrongStep, StepTexts]:
        """The step as a report shows it: its line, its code, what was seen, and the proof; and its words."""
        run, frame = watched.run, _frame(step, judge.reading.evaluations)
        function = run.functions[frame.call.function] if frame else None
        is_at_line = WORDS[step.rule].is_at_a_line
        if frame and step.rule is Rule.TOO_EARLY and frame.call.function in judge.reading.evaluations:
            # only the student's evaluation got the node, and that is right: the line that called it is not
            step, frame, is_at_line = replace(step, line=frame.call.line), None, True
        if frame and frame.back and not is_at_line:
            step = replace(step, line=frame.back.line)
        if function and step.line and is_at_line:
            function = _function_at(step.line, function, run)
        if function and not step.line:  # the caller is no line of the submission, for example in another thread
            step = replace(step, line=function.first)
        name = function.name if function else "the module"
        words = words_for(step, extent, name)
        columns, rows = _table(step, run, frame)
        shown = WrongStep(
            function.file if function else "",
            step.line,
            name,
            node_name(step.visit.path),
            "" if step.visit.node.is_terminal else step.visit.layer.name,
            max(0, step.visit.left),
            f"{words.seen}{_caller(step, frame, run)}{_side(step, frame, judge.reading)}{_there(step, frame, run)}",
            self._proof(watched, step, judge),
            words.extent,
            columns,
            rows,
            tuple((line, "") for line in _lines(step, function.first if function else 0)),
        )
        return shown, words

    def _proof(self, watched: WatchedTree, step: Step, judge: Judge) -> str:
        """The sentence that the search is right with the right value in the place of the wrong one; else empty."""
        claim = watched.run.claim
        if claim is None or self.is_value_right(watched.tree, watched.plies, claim):
            return ""
        if not self._proofs([(watched, step)], judge)[0]:
            return ""
        replaced = len(self._replaced(watched, step, judge))
        answers = "your search answers this tree right"
        if replaced > 1:
            return f"With the right values at {counted(replaced, 'node')} where the same happens, {answers}."
        is_its_value = step.expected is not None and step.rule not in (Rule.WINDOW, Rule.PLIES)
        return f"With {f'{step.expected:g}' if is_its_value else 'the right value'} in its place, {answers}."

    def _doubts(self, judge: Judge, judged: Sequence[JudgedTree]) -> bool:
        """True if most visits break a rule: then the record is probably read in a wrong way."""
        visits = sum(not visit.has_raised for tree in judged for visit in tree.watched.visits)
        broken = len({id(step.visit) for tree in judged for step in tree.judgement.steps})
        return broken > 0.5 * visits

    def _proofs(self, steps: Sequence[tuple[WatchedTree, Step]], judge: Judge) -> list[bool | None]:
        """For each step: whether the search is right with the right values in the place of this and the like.

        None where that proves nothing: for the value of the root, which is the answer itself.
        """
        replaced = [self._replaced(tree, step, judge) for tree, step in steps]
        questions = [
            WatchQuestion(tree.tree, tree.plies, each) for (tree, _), each in zip(steps, replaced, strict=True) if each
        ]
        runs = iter(self.watch(questions) if questions else ())
        results: list[bool | None] = []
        for (tree, _), each in zip(steps, replaced, strict=True):
            run = next(runs) if each else None
            results.append(
                None if run is None else run.claim is not None and self.is_value_right(tree.tree, tree.plies, run.claim)
            )
        return results

    def _replaced(self, tree: WatchedTree, first: Step, judge: Judge) -> Mapping[Path, tuple[str, float]]:
        """The values to put in the place of the visits that broke the same rule as the first step."""
        found: dict[Path, tuple[str, float]] = {}
        for step in judge.judge(tree, tree.run.claim.action if tree.run.claim else None).steps:
            if step.rule is not first.rule or step.is_harmless != first.is_harmless:
                continue
            visit = step.visit
            if step.rule in (Rule.WINDOW, Rule.PLIES):
                below = [each for each in visit.below if each.path and each.path[-1] == step.action]
                if not below:
                    continue
                visit = below[0]
            place = judge.reading.place(visit)
            if visit.parent is not None and place is not None:
                value = right_value(visit.node, visit.left)
                found[visit.path] = place, judge.reading.number(visit, value)
        return found

    def _watch_again(self, tree: Outline, plies: int, first: Step, judge: Judge) -> tuple[WatchedTree, Step] | None:
        """The tree with the texts of variables, and its first step if that is of the same kind."""
        (run,) = self.watch([WatchQuestion(tree, plies, keeps_variables=True)])
        return self._judged_like(tree, plies, run, first, judge)

    def _judged_like(
        self, tree: Outline, plies: int, run: WatchedRun, first: Step, judge: Judge
    ) -> tuple[WatchedTree, Step] | None:
        if run.claim is None or not run.is_complete:
            return None
        watched = read_tree(tree, plies, run, self._length(tree))
        if watched is None:
            return None
        judge.reading.apply([watched])
        step = self._first(judge.judge(watched, run.claim.action))
        return (watched, step) if step and _key(step, judge) == _key(first, judge) else None

    def _smaller(self, tree: WatchedTree, first: Step, judge: Judge, is_proven: bool) -> WatchedTree | None:
        """The tree, made smaller while the search fails with the same first step."""
        is_distinct = _has_distinct_numbers(tree.tree)
        width = len(first.visit.values_below())
        best: list[WatchedTree] = []

        def holds(batch: Sequence[TreeAndPlies]) -> list[bool]:
            wanted = [not is_distinct or _has_distinct_numbers(each) for each, _ in batch]
            questions = [
                WatchQuestion(each, plies) for (each, plies), is_wanted in zip(batch, wanted, strict=True) if is_wanted
            ]
            runs = iter(self.watch(questions) if questions else ())
            results = []
            for (each, plies), is_wanted in zip(batch, wanted, strict=True):
                run = next(runs) if is_wanted else None
                results.append(run is not None and self._holds(each, plies, run, first, judge, width, is_proven, best))
            return results

        most = min(MOST_SHRINKING, SHRINKING + SHRINKING_PER_NODE * tree.tree.size())
        least = shrink(tree.tree, tree.plies, holds, self.in_rounds, most)
        return next((each for each in reversed(best) if (each.tree, each.plies) == least), None)

    def _holds(
        self,
        tree: Outline,
        plies: int,
        run: WatchedRun,
        first: Step,
        judge: Judge,
        width: int,
        is_proven: bool,
        best: list[WatchedTree],
    ) -> bool:
        if run.claim is None or (not run.fault and self.is_right(tree, plies, run.claim)):
            return False
        found = self._judged_like(tree, plies, run, first, judge)
        if found is None or len(found[1].visit.values_below()) < min(width, 2):
            return False
        if (found[1].visit.parent is None) != (first.visit.parent is None) or tree.layer is not first.visit.spot.root:
            return False
        if is_proven and self._proofs([found], judge) != [True]:
            return False
        best.append(found[0])
        return True

    def _length(self, tree: Outline) -> int:
        return agents_of(tree) if self.in_rounds else 0


def read_tree(tree: Outline, plies: int, run: WatchedRun, round_length: int = 0) -> WatchedTree | None:
    """The watched tree of a record; None for a record that no search of this tree gives."""
    try:
        return WatchedTree(tree, plies, run, round_length)
    except UnreadableRecord:
        return None


def is_same_answer(run: WatchedRun, claim: Claim | None) -> bool:
    """True if a watched search answered as the search did without a watcher: with `claim`, or with an exception."""
    if claim is None or run.claim is None:
        return claim is None and run.fault is not None
    first = run.claim.value, run.claim.value_text, run.claim.action, run.claim.generated
    return run.fault is None and first == (claim.value, claim.value_text, claim.action, claim.generated)


def _choose(asked: Sequence[AskedTree]) -> list[AskedTree]:
    """The trees to watch: wrong ones with small numbers and few nodes first, and some right ones."""
    wrong = sorted((each for each in asked if not each.is_right), key=lambda each: _size(each.tree))
    right = [each for each in asked if each.is_right]
    small, rest = wrong[: 2 * WRONG // 3], wrong[2 * WRONG // 3 :]
    return [*small, *_spread(rest, WRONG - len(small)), *_spread(right, RIGHT)]


def _spread(asked: Sequence[AskedTree], count: int) -> list[AskedTree]:
    step = max(1, len(asked) // count) if count else 1
    return list(asked[::step])[:count]


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
    is_inside = step.visit.parent is not None or step.rule in (Rule.ACTION, Rule.BOUND_AS_VALUE)
    is_plain = is_inside and tree.tree.layer is Layer.MAX
    is_narrow = not step.visit.is_leaf and bool(step.visit.below) and len(step.visit.values_below()) < 2
    return is_untypical, not is_plain, is_narrow, size


def _key(step: Step, judge: Judge) -> Key:
    frame = _frame(step, judge.reading.evaluations)
    layer = step.visit.layer.value if step.rule is Rule.RESULT else ""
    return step.rule, frame.call.function if frame else -1, layer


def _frame(step: Step, evaluations: Collection[int] = ()) -> NodeCall | None:
    """The call in which a step was made: the innermost one that gave the number, or that works with the successors."""
    visit = step.visit
    if not visit.frames:
        return visit.parent.frames[-1] if visit.parent and visit.parent.frames else None
    frames = [frame for frame in visit.frames if frame.call.function not in evaluations] or visit.frames
    inside = [frame for frame in frames if frame.start < step.time <= frame.end]
    if WORDS[step.rule].is_at_a_line:
        return (inside or frames)[-1]
    wrong = visit.value_frame
    given = wrong.back.numbers if wrong and wrong.back else ()
    for frame in reversed(frames):
        numbers = frame.back.numbers if frame.back else ()
        if any(is_near(number, each) for _, number in numbers for _, each in given):
            return frame
    below = [each.start for each in visit.below]
    working = [frame for frame in frames if below and frame.start < below[0] < frame.end]
    return wrong or (working or frames)[-1]


def _side(step: Step, frame: NodeCall | None, reading: Reading) -> str:
    """How the number was read, if this function returns values as a negamax does."""
    if frame is None or frame.call.function not in reading.negated or step.rule not in (Rule.RESULT, Rule.LEAF_VALUE):
        return ""
    return " Elsewhere this function returns values for the one who moves; so its number is read in that way here."


def _function_at(line: int, function: WatchedFunction, run: WatchedRun) -> WatchedFunction:
    """The innermost function of the same file with this line; `function` if it has it."""
    around = [each for each in run.functions if each.file == function.file and each.first <= line <= each.last]
    return function if function in around else min(around, key=lambda each: each.last - each.first, default=function)


def _caller(step: Step, frame: NodeCall | None, run: WatchedRun) -> str:
    """Which function called the one with the step for the same node, if that worked with the wrong rule."""
    if step.rule is not Rule.RESULT or frame is None or frame is step.visit.frames[0]:
        return ""
    before = step.visit.frames[step.visit.frames.index(frame) - 1]
    caller, called = (run.functions[each.call.function].name for each in (before, frame))
    return f" For this node, {caller} called {called} (line {frame.call.line})."


def _there(step: Step, frame: NodeCall | None, run: WatchedRun) -> str:
    """The numbers where a test made the search stop or go on, by name; empty for other steps."""
    if not WORDS[step.rule].is_by_a_test or frame is None:
        return ""
    variables = _variables(run, step.time if step.rule is Rule.BELOW_HORIZON else frame.end)
    numbers = [f"{name} = {text}" for name, text in sorted(variables.items()) if NUMBER.fullmatch(text)]
    return f" There, {', '.join(numbers)}." if numbers else ""


def _variables(run: WatchedRun, index: int) -> dict[str, str]:
    """The variables at an event, without those of the framework that the code never changes."""
    return {
        name: text
        for name, text in run.variables[index].items()
        if name not in OF_THE_FRAMEWORK or any(each.get(name, text) != text for each in run.variables)
    }


def _table(step: Step, run: WatchedRun, frame: NodeCall | None) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The successors of a node in order, what they returned, and what the variables held after each."""
    visit = step.visit
    below = [each for each in visit.successors if each.value is not None]
    if not below or not visit.frames:
        return (), ()
    frame = frame or visit.frames[-1]
    back = next((index for index in (frame.end, visit.end) if index > below[-1].start), -1)
    moments = [*(each.start for each in below[1:]), back]
    states = [run.variables[index] if index >= 0 else {} for index in moments]
    before = run.variables[below[0].start]
    actions = {repr(each.path[-1]) for each in below} | {None}
    names = [
        name
        for name in dict.fromkeys(name for state in [before, *states] for name in state)
        if name != "_"
        and any(one.get(name) != other.get(name) for one, other in pairwise([before, *states]))
        and not all(state.get(name) in actions for state in states)
        and not all(state.get(name) == _text(each.value) for state, each in zip(states, below, strict=True))
    ][:3]
    rows = [
        (each.path[-1], _text(each.value), *(state.get(name, "") for name in names))
        for each, state in zip(below, states, strict=True)
    ]
    return ("successor", "its value", *(f"then {name}" for name in names)), tuple(rows[:MAX_ROWS])


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _lines(step: Step, first: int) -> list[int]:
    """The numbers of the lines of code to show: from the head of the function, or around the line."""
    if not step.line:
        return []
    start = first if step.line - first < MAX_CODE else step.line - MAX_CODE + 2
    return list(range(max(1, start), step.line + 1))


def _others(step: Step, judge: Judge, counts: Counter[Key]) -> str:
    """How many trees show another wrong step first; empty if there are none."""
    own = _key(step, judge)
    same = OF_STORED_VALUES if own[0] in OF_STORED_VALUES else (own[0],)
    rest = Counter(key[0].value for key in counts.elements() if key[0] not in same)
    if not rest:
        return ""
    kinds = ", ".join(f"{kind} ({counted(times, 'tree')})" for kind, times in rest.most_common(3))
    return f"On other trees another step is wrong first: {kinds}."


def first_step_of(run: WatchedRun, tree: Outline, plies: int, cuts: str) -> tuple[Path, str] | None:
    """The path of the node and a sentence about the first wrong step in one record; None if all its steps are right."""
    if run.claim is None or run.fault or not run.is_complete:
        return None
    watched = read_tree(tree, plies, run)
    if watched is None:
        return None
    steps = Judge(find_reading([watched]), cuts).judge(watched, run.claim.action).steps
    step = next((each for each in steps if not WORDS[each.rule].costs_only_nodes and not each.is_harmless), None)
    step = step or next(iter(steps), None)
    if step is None:
        return None
    is_about_successor = step.action and (
        WORDS[step.rule].is_at_a_line or step.rule in (Rule.NOT_SEARCHED, Rule.CUT_EARLY)
    )
    path = (*step.visit.path, step.action) if is_about_successor else step.visit.path
    return path, f"line {step.line}, at {node_name(step.visit.path)}: {seen(step)}"


ENDLESS = "never-ends"
REPEATED = 20
"""How many successors of a small tree one call makes at most, if it makes none again and again."""
ENDLESS_FAULTS = ("time", "successors")
"""The kinds of faults with which a search of a small tree ends that would never end."""
ENDLESS_HINT = (
    "Which loop or which call comes back to this line again and again? What has to change there so that it ends?"
)


def find_endless(watch: Watch, tree: Outline, plies: int) -> FoundStep | None:
    """Where a search spent its time that does not end on a tree; None if it ends there after all."""
    (run,) = watch([WatchQuestion(tree, plies, keeps_variables=True)])
    if run.fault is None or run.fault.kind not in ENDLESS_FAULTS:
        return None
    if run.claim is None:
        sentence, claim = "Your search does not end on a small tree.", Claim(None, "None", None, "None", 0, None, ())
        return FoundStep(None, ENDLESS, sentence, ENDLESS_HINT, "", tree, plies, (), claim, (), costs_only_nodes=False)
    step = _step_of_exception(tree, plies, run, "Here the search was stopped")
    if step is None:
        return None
    summary = f"Your search does not end on a small tree (line {step.line})."
    return FoundStep(step, ENDLESS, summary, ENDLESS_HINT, "", tree, plies, (), run.claim, (), costs_only_nodes=False)


def raising_step(watch: Watch, tree: Outline, plies: int) -> WrongStep | None:
    """Where the exception began with which a search of a tree ends; None if it does not end with one."""
    (run,) = watch([WatchQuestion(tree, plies, keeps_variables=True)])
    return _step_of_exception(tree, plies, run, "Here the exception was raised") if run.fault else None


def _step_of_exception(tree: Outline, plies: int, run: WatchedRun, words: str) -> WrongStep | None:
    """The line at which the exception ended a call, its node, and its variables.

    It is the innermost call, or one around it in which the search makes successors again and again.
    """
    raised = [index for index, event in enumerate(run.events) if event.kind is EventKind.RAISED]
    if not raised:
        return None
    made = Counter(event.call for event in run.events if event.kind is EventKind.MADE)
    index = max(raised, key=lambda index: made[run.events[index].call] // REPEATED)
    line, number = run.events[index].line, run.events[index].call
    calls = [event for event in run.events if event.kind is EventKind.CALL]
    watched = read_tree(tree, plies, run)
    if watched is None or not 0 <= number < len(calls):
        return None
    function, root = run.functions[calls[number].function], watched.root
    visit = next((each for each in _all_visits(root) for frame in each.frames if frame.call.call == number), root)
    if visit is None or not line:
        return None
    variables = ", ".join(f"{name} = {text}" for name, text in _variables(run, index).items())
    first = function.first if line - function.first < MAX_CODE else line - MAX_CODE + 2
    return WrongStep(
        function.file,
        line,
        function.name,
        node_name(visit.path),
        "" if visit.node.is_terminal else visit.layer.name,
        max(0, visit.left),
        f"{words}{f', with {variables}' if variables else ''}.",
        code=tuple((number, "") for number in range(first, line + 1)),
    )


def _all_visits(root: NodeVisit | None) -> Iterator[NodeVisit]:
    """The visits in the order in which they began."""
    if root is not None:
        yield root
        for visit in root.below:
            yield from _all_visits(visit)
