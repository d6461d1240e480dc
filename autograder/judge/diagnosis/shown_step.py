"""A wrong step as a report shows it: its line, the code around it, the table of its successors, and its words.

Also: where an endless search was when it was stopped, and where an exception began.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from autograder.judge.diagnosis.extent import Extent
from autograder.judge.diagnosis.run import Run
from autograder.judge.diagnosis.step_words import extent_text, words_for
from autograder.judge.diagnosis.steps import Breach, Step, Words
from autograder.judge.diagnosis.visits import WatchedTree
from autograder.judge.points_as_text import node_name
from autograder.judge.scorecard import WrongStep
from pacman.record.calls import NodeCall, NodeVisit, is_near
from pacman.record.reading import Reading
from pacman.record.watcher import EventKind, WatchedFunction

MAX_CODE = 10
"""The most lines of code around a wrong step."""
MAX_ROWS = 6
NUMBER = re.compile(r"-?[\d.e+]+|-?inf")
OF_THE_FRAMEWORK = ("self.index", "self.rounds")
REPEATED = 20
"""How many successors of a small tree one call makes at most, if it makes none again and again."""


def shown_step(step: Step, run: Run, extent: Extent, reading: Reading, proof: str) -> tuple[WrongStep, Words]:
    """The step with its line, its code and what was seen; and its words."""
    frame = frame_of(step, reading.evaluations)
    function = run.functions[frame.call.function] if frame else None
    is_at_line = step.breach.words.is_at_a_line
    if frame and step.breach is Breach.TOO_EARLY and frame.call.function in reading.evaluations:
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
    columns, rows = _table(step.visit, run)
    more = f"{_caller(step, frame, run)}{_side(step, frame, reading)}{_there(step, frame, run)}"
    calls = [each.line for each in step.visit.successors]
    shown = _at_visit(step.visit, function, step.line, f"{words.seen}{more}", calls)
    return replace(shown, proof=proof, extent=extent_text(step, extent), columns=columns, rows=rows), words


def _at_visit(
    visit: NodeVisit, function: WatchedFunction | None, line: int, words: str, calls: Sequence[int] = ()
) -> WrongStep:
    """A step at a line of a function and a node, with the lines of code above it.

    If none of these has one of the `calls` with which the visit searched its successors, that part is shown too; of a
    visit without such calls, the beginning of the function.
    """
    file, name, first = (function.file, function.name, function.first) if function else ("", "the module", 0)
    layer = "" if visit.node.is_terminal else visit.layer.name
    start = max(1, first if line - first < MAX_CODE else line - MAX_CODE + 2)
    shown = [*range(start, line + 1)]
    before = [number for number in calls if first <= number < line]
    if before and max(before) < start:
        loop = min(before)
        shown = [*range(max(first, loop - 2), loop + MAX_CODE - 6), *range(line - 3, line + 1)]
    elif 0 < first < start and not calls:
        shown = [*range(first, first + 3), *range(line - MAX_CODE + 4, line + 1)]
    code = tuple((number, "") for number in sorted({*shown})) if line else ()
    return WrongStep(file, line, name, node_name(visit.path), layer, max(0, visit.left), words, code=code)


def frame_of(step: Step, evaluations: Collection[int] = ()) -> NodeCall | None:
    """The call in which a step was made: the innermost one that gave the number, or that works with the successors."""
    visit = step.visit
    if not visit.frames:
        return visit.parent.frames[-1] if visit.parent and visit.parent.frames else None
    frames = [frame for frame in visit.frames if frame.call.function not in evaluations] or visit.frames
    inside = [frame for frame in frames if frame.start < step.time <= frame.end]
    if step.breach.words.is_at_a_line:
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
    if (
        frame is None
        or not reading.is_turned(frame.call.function)
        or step.breach not in (Breach.RESULT, Breach.LEAF_VALUE)
    ):
        return ""
    return " Elsewhere this function returns values for the one who moves; so its number is read in that way here."


def _function_at(line: int, function: WatchedFunction, run: Run) -> WatchedFunction:
    """The innermost function of the same file with this line; `function` if it has it."""
    around = [each for each in run.functions if each.file == function.file and each.first <= line <= each.last]
    return function if function in around else min(around, key=lambda each: each.last - each.first, default=function)


def _caller(step: Step, frame: NodeCall | None, run: Run) -> str:
    """Which function called the one with the step, for the same node or from a node of the same layer above it."""
    if step.breach is not Breach.RESULT or frame is None:
        return ""
    visit, above = step.visit, step.visit.parent
    around = visit.frames[: visit.frames.index(frame)]
    if not around and above and above.layer is visit.layer:
        around = [each for each in above.frames if each.start < frame.start < each.end]
        around = [each for each in around[-1:] if each.call.function != frame.call.function]
    if not around:
        return ""
    caller, called = (run.functions[each.call.function].name for each in (around[-1], frame))
    return f" For this node, {caller} called {called} (line {frame.call.line})."


def _there(step: Step, frame: NodeCall | None, run: Run) -> str:
    """The numbers where a test made the search stop or go on, by name; empty for other steps."""
    if not step.breach.words.is_by_a_test or frame is None:
        return ""
    variables = _variables(run, step.time if step.breach is Breach.BELOW_HORIZON else frame.end)
    numbers = [f"{name} = {text}" for name, text in sorted(variables.items()) if NUMBER.fullmatch(text)]
    return f" There, {', '.join(numbers)}." if numbers else ""


def _variables(run: Run, index: int) -> dict[str, str]:
    """The variables at an event, without those of the framework that the code never changes."""
    return {
        name: text
        for name, text in run.variables[index].items()
        if name not in OF_THE_FRAMEWORK or any(each.get(name, text) != text for each in run.variables)
    }


def _table(visit: NodeVisit, run: Run) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The successors of a node in order, what they returned, and what the variables of their caller held after each."""
    below = [each for each in visit.successors if each.value is not None]
    if not below or not visit.frames:
        return (), ()
    callers = [frame for frame in visit.frames if frame.start < below[-1].start < frame.end]
    back = callers[-1].end if callers else -1
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


def step_of_exception(watched: WatchedTree | None, words: str) -> WrongStep | None:
    """The line at which the exception ended a call, its node, and its variables.

    It is the innermost call, or one around it in which the search makes successors again and again.
    """
    run = watched.run if watched else Run(None)
    raised = [index for index, event in enumerate(run.events) if event.kind is EventKind.RAISED]
    if watched is None or not raised:
        return None
    made = Counter(event.call for event in run.events if event.kind is EventKind.MADE)
    index = max(raised, key=lambda index: made[run.events[index].call] // REPEATED)
    line, number = run.events[index].line, run.events[index].call
    calls = [event for event in run.events if event.kind is EventKind.CALL]
    if not 0 <= number < len(calls):
        return None
    function, root = run.functions[calls[number].function], watched.root
    visit = next((each for each in _all_visits(root) for frame in each.frames if frame.call.call == number), root)
    if visit is None or not line:
        return None
    variables = ", ".join(f"{name} = {text}" for name, text in _variables(run, index).items())
    return _at_visit(visit, function, line, f"{words}{f', with {variables}' if variables else ''}.")


def _all_visits(root: NodeVisit | None) -> Iterator[NodeVisit]:
    """The visits in the order in which they began."""
    if root is not None:
        yield root
        for visit in root.below:
            yield from _all_visits(visit)
