"""A wrong step as a report shows it: its line, the code around it, and the table of its successors.

Also: where an endless search was when it was stopped, and where an exception began.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf, isinf

from autograder.judge.diagnosis.deciding_line import NUMBER, Deciding, deciding_lines, returned_end, test_of_cut
from autograder.judge.diagnosis.extent import EVERYWHERE, Extent
from autograder.judge.diagnosis.run import Run
from autograder.judge.diagnosis.step_words import (
    BEFORE_STORED,
    BY_A_TEST,
    NO_START,
    OF_ANOTHER_AGENT,
    OTHER_END,
    OVERWRITTEN_HINT,
    SHARED_HINT,
    TURNED_HINT,
    TURNED_LEAF,
    TURNED_RESULT,
    facts_of,
    seen,
    words_of,
)
from autograder.judge.diagnosis.steps import CHANCE, MAX, MIN, Breach, Step, Words, best_below
from autograder.judge.points_as_text import node_name
from autograder.judge.scorecard import WrongStep
from pacman.record.calls import NodeCall, NodeVisit, is_near
from pacman.record.reading import Reading
from pacman.record.watcher import StatementKind, WatchedFunction

MAX_CODE = 10
"""The most lines of code around a wrong step."""
MAX_LOOP = 14
"""The most lines from the call for the first successor to a wrong step that are shown without a gap."""
MORE_CODE, FOR_A_TEST = 3, 12
"""The most lines below the one of a wrong step: the test or the update that decides often follows. Of a cut that comes
too late, these are the lines in which the test for a cut is looked for."""
MAX_ROWS = 6


def shown_step(step: Step, run: Run, extent: Extent, reading: Reading, proof: str) -> tuple[WrongStep, Words]:
    """The step with its line, its code and what was seen; and its words, of which the summary names the line."""
    name = _overwritten(step, run) if step.breach is Breach.ACTION else ""
    # an action that deeper nodes overwrite is stored where the values come from
    frame = frame_of(replace(step, breach=Breach.RESULT) if name else step, reading.evaluations)
    function = called = run.functions[frame.call.function]
    # only the student's evaluation got the node, or the function of another agent: the line that called it is wrong
    is_of_caller = bool(frame.call.line) and (
        (step.breach in OF_ANOTHER_AGENT and extent.is_of_max)
        or (step.breach is Breach.TOO_EARLY and frame.call.function in reading.evaluations)
    )
    is_at_line = step.breach.is_at_a_line or is_of_caller
    if is_of_caller:
        step = replace(step, line=frame.call.line)
    elif frame.back and not is_at_line:
        step = replace(step, line=frame.back.line)
    if is_at_line:
        around = [each for each in run.functions if each.file == function.file and each.first <= step.line <= each.last]
        if function not in around:  # the innermost function of the same file with this line
            function = min(around, key=lambda each: each.last - each.first, default=function)
    if not step.line:  # the caller is no line of the submission, for example in another thread
        step = replace(step, line=function.first)
    words, there = words_of(step, extent), "" if is_of_caller else _there(step, frame, run, reading, extent)
    if words.hint == Breach.CUT_EARLY.words.hint and reading.is_turned(frame.call.function):
        words = replace(words, hint=TURNED_HINT)
    if turned := _turned(step, frame, reading):
        words = replace(words, in_rounds="", **turned)
    window = reading.windows.get(frame.call.function, ())
    if of_cut := test_of_cut(step, function, window) if _is_unstored(step) else []:
        words = replace(words, in_rounds="", **BEFORE_STORED)
    caller = _caller(step, frame, extent)
    looks = [] if is_of_caller else deciding_lines(step, frame, function, caller, run, extent, reading)
    if isinf(extent.start or 0) and not looks:  # no line is seen where the best value starts
        words = replace(words, in_rounds="", **NO_START)
    if end := returned_end(step, frame, function, run, window):
        words = replace(words, in_rounds="", **OTHER_END)
    may_share = step.breach is Breach.CUT_EARLY and step.visit.window is None
    if shared := _shared(step.visit, run, frame.end) if may_share else []:
        words = replace(words, hint=SHARED_HINT)
        there = f" At its return, {', '.join(shared)}: numbers of the agent, which all calls share."
    elif name:
        words = replace(words, hint=OVERWRITTEN_HINT.format(name))
    facts = {**facts_of(step, extent), "function": called.name, "end": end}
    words = replace(words, summary=f"{words.summary.format(**facts)} (line {step.line}).")
    columns, rows = _table(step, run, function)
    text = words.seen.format(**facts) if turned else seen(step)
    if caller:
        by = run.functions[caller.call.function].name
        text += f" For this node, {by} called {called.name} (line {frame.call.line})."
    text += f"{_side(step, frame, reading)}{there}"
    if turned is TURNED_RESULT:
        calls_of = sorted({each.line for each in step.visit.successors} - {step.line})
        looks = [Deciding(line, "the value of a successor comes back there") for line in calls_of[:1]]
    looks = [each for each in of_cut or looks if each.line != step.line]
    lines = [f"at line {each.line}{' too' * (number == 0)}: {each.words}" for number, each in enumerate(looks)]
    text += f" Look {', and '.join(lines)}." if lines else ""
    calls, also = [each.line for each in step.visit.successors], [each.line for each in looks]
    shown = at_visit(step.visit, function, step.line, text, calls, also, step.breach is Breach.CUT_LATE)
    if called is not function:
        shown = replace(shown, function=f"{shown.function}, which calls {called.name}")
    return replace(shown, proof=proof, extent=extent.sentence(step), columns=columns, rows=rows), words


def at_visit(
    visit: NodeVisit,
    function: WatchedFunction,
    line: int,
    words: str,
    calls: Sequence[int] = (),
    also: Sequence[int] = (),
    is_late: bool = False,
) -> WrongStep:
    """A step at a line of a function and a node, with the lines of code around it and around the lines `also`.

    If none of these has one of the `calls` with which the visit searched its successors, that part is shown too; of a
    visit without such calls, the beginning of the function.
    """
    first, last = function.first, function.last
    start = max(1, first if line - first < MAX_CODE else line - MAX_CODE + 2)
    numbers = {*range(start, line + 1)}
    before = [number for number in calls if first <= number < line]
    loop = min(before, default=line)
    if before and line - loop <= MAX_LOOP:
        numbers = {*range(min(start, max(first, loop - 2)), line + 1)}
    elif before and max(before) < start:
        numbers = {*range(max(first, loop - 2), loop + MAX_CODE - 6), *range(line - 3, line + 1)}
    elif first < start and not calls:
        numbers = {*range(first, first + 6), *range(line - MAX_CODE + 7, line + 1)}
    # the test for a cut that comes too late is somewhere in the loop
    numbers.update(range(line, min(line + (FOR_A_TEST if is_late and not also else MORE_CODE), last) + 1))
    for other in also:
        numbers.update(number for number in (other - 1, other, other + 1) if first <= number <= last or number == other)
    return WrongStep(
        function.file,
        line,
        function.name,
        node_name(visit.path),
        "" if visit.node.is_terminal else visit.layer.name,
        max(0, visit.left),
        words,
        code=tuple((number, "") for number in sorted(numbers)),
        also=tuple(also),
    )


def frame_of(step: Step, evaluations: Collection[int] = ()) -> NodeCall:
    """The call in which a step was made: the innermost one that gave the number, or that works with the successors.

    Of a wrong action it is the innermost call that gave it, in a pair if it is None, or the outermost one if none did.
    A call does not count if another one searched the node again later: what came back is no longer its number.
    """
    visit = step.visit
    if not visit.frames:  # the call above read the evaluation of the node
        assert visit.parent is not None
        return visit.parent.frames[-1]
    frames = [frame for frame in visit.frames if frame.call.function not in evaluations] or visit.frames
    if step.breach.is_at_a_line:
        inside = [frame for frame in frames if frame.start < step.time <= frame.end]
        return (inside or frames)[-1]
    last = max((frame.start for frame in frames if not visit.is_flat(frame)), default=-1)
    lasting = [frame for frame in reversed(frames) if frame.end > last]
    if step.breach is Breach.ACTION:
        giving = ((frame, frame.back) for frame in lasting if frame.back and frame.back.action == step.action)
        return next(
            (frame for frame, back in giving if step.action or any(place for place, _ in back.numbers)), frames[0]
        )
    wrong = visit.value_frame
    given = wrong.back.numbers if wrong and wrong.back else ()
    for frame in lasting:
        numbers = frame.back.numbers if frame.back else ()
        if any(is_near(number, each) for _, number in numbers for _, each in given):
            return frame
    below = [each.start for each in visit.below]
    working = [frame for frame in frames if below and frame.start < below[0] < frame.end]
    return wrong or (working or frames)[-1]


def _turned(step: Step, frame: NodeCall, reading: Reading) -> Mapping[str, str]:
    """Words if a function that returns values as a negamax does forgot the other sign once; none in another case."""
    values, layer, got = step.visit.values_below(), step.visit.layer, step.got
    if got is None or step.expected is None or not reading.is_turned(frame.call.function):
        return {}
    if step.breach is Breach.LEAF_VALUE:
        return TURNED_LEAF if layer is MIN and is_near(got, -step.expected) else {}
    if step.breach is not Breach.RESULT or layer is CHANCE:
        return {}
    worst = (min if layer is MAX else max)(values.values())
    return TURNED_RESULT if is_near(got, -worst) else {}


def _is_unstored(step: Step) -> bool:
    """True if the last value closed the window of a visit, and it returned the best one of those before."""
    values, visit = [*step.visit.values_below().values()], step.visit
    if step.breach is not Breach.RESULT or visit.layer is CHANCE or visit.window is None or not values:
        return False
    alpha, beta = visit.window
    is_closed = values[-1] >= beta if visit.layer is MAX else values[-1] <= alpha
    before = (max if visit.layer is MAX else min)(values[:-1], default=-inf if visit.layer is MAX else inf)
    return is_closed and step.got is not None and is_near(step.got, before)


def _side(step: Step, frame: NodeCall, reading: Reading) -> str:
    """How the number was read, if this function returns values as a negamax does."""
    is_value = step.breach in (Breach.RESULT, Breach.LEAF_VALUE)
    if not is_value or not reading.is_turned(frame.call.function) or _turned(step, frame, reading):
        return ""
    returned = [number for _, number in frame.back.numbers] if frame.back else []
    if step.got and any(is_near(number, step.got) for number in returned):  # here it is read as it is
        return ""
    return " Elsewhere this function returns values for the one who moves; so its number is read in that way here."


def _caller(step: Step, frame: NodeCall, extent: Extent) -> NodeCall | None:
    """The call of a function for the same node, or for a node of the same layer above it, that made this call."""
    if step.breach is not Breach.RESULT:
        return None
    visit, above = step.visit, step.visit.parent
    around = visit.frames[: visit.frames.index(frame)]
    if not around and above and (above.layer is visit.layer or (extent.instead and extent.place is not EVERYWHERE)):
        around = [each for each in above.frames if each.start < frame.start < each.end]
        around = [each for each in around[-1:] if each.call.function != frame.call.function]
    return around[-1] if around else None


def _there(step: Step, frame: NodeCall, run: Run, reading: Reading, extent: Extent) -> str:
    """The numbers where a test made the search stop or go on, by name; of a cut, those of the window if it is known.

    Of a value that is wrong at some nodes only, those that the function got: they can say which nodes these are.
    """
    is_of_cut = step.breach in (Breach.CUT_EARLY, Breach.CUT_LATE)
    is_of_some = step.breach is Breach.RESULT and (extent.place is not EVERYWHERE or extent.instead in ("max", "min"))
    if not (is_of_cut or is_of_some or step.breach in BY_A_TEST):
        return ""
    is_at_time = step.breach in (Breach.BELOW_HORIZON, Breach.CUT_LATE)
    variables = run.own_variables(step.time if is_at_time else frame.end)
    numbers = {name: text for name, text in sorted(variables.items()) if NUMBER.fullmatch(text)}
    window = reading.windows.get(frame.call.function, ()) if is_of_cut else ()
    plies = {name for name, _ in reading.given_plies(frame)}
    own = [name for name in run.functions[frame.call.function].parameters if name not in plies]
    names = [name for name in (own if is_of_some else window) if name in numbers] or ([] if is_of_some else numbers)
    side = ", for the one who moves" if window and reading.is_turned(frame.call.function) else ""
    return f" There, {', '.join(f'{name} = {numbers[name]}' for name in names)}{side}." if names else ""


def _overwritten(step: Step, run: Run) -> str:
    """A variable of the agent that holds the returned action, and that a successor changed; "" if there is none."""
    visit, after = step.visit, run.variables[step.time] if step.action else {}
    calls = [(run.variables[each.start], run.variables[each.end]) for each in visit.successors if each.frames]
    return next(
        (
            name
            for name, text in after.items()
            if name.startswith("self.") and repr(step.action) in text
            if any(name in below and before.get(name) != below[name] for before, below in calls)
        ),
        "",
    )


def _shared(visit: NodeVisit, run: Run, index: int) -> list[str]:
    """The numbers of the agent that the search changes, with their names, if the best value of the node is beyond one.

    All calls share them.
    """
    variables = {name: text for name, text in run.own_variables(index).items() if name.startswith("self.")}
    before = [each for each in run.variables if variables.keys() <= each.keys()]
    shared = {
        name: text
        for name, text in sorted(variables.items())
        if NUMBER.fullmatch(text) and any(each[name] != text for each in before)
    }
    best, is_max = best_below(visit), visit.layer is MAX
    is_beyond = any(best >= float(text) if is_max else best <= float(text) for text in shared.values())
    return [f"{name} = {text}" for name, text in shared.items()] if is_beyond else []


def _table(step: Step, run: Run, function: WatchedFunction) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The successors of a node in order, what they returned, and what the variables of their caller held after each.

    A variable that only holds actions tells nothing, unless the action is what is wrong. What the loop sets before its
    call belongs, at the next call, to the next round.
    """
    visit = step.visit
    below = [(each, f"{each.value + 0:.6g}") for each in visit.successors if each.value is not None]
    if not below or not visit.frames:
        return (), ()
    callers = [frame for frame in visit.frames if frame.start < below[-1][0].start < frame.end]
    moments = [*(each.start for each, _ in below[1:]), callers[-1].end if callers else -1]
    states = [run.own_variables(index) if index >= 0 else {} for index in moments]
    before = run.own_variables(below[0][0].start)
    actions = [repr(each.path[-1]) for each, _ in below]
    loop = [*actions[1:], actions[-1]]  # what the variable of the loop holds at these moments
    lines = [each.line for each, _ in below]
    around = [each for each in function.statements if each.first <= min(lines) <= each.last]
    heads = [each for each in around if each.kind is StatementKind.LOOP]
    early = {name for each in heads for name in each.names}
    for each in function.statements:
        if each.kind is StatementKind.SET and heads and each.loop == heads[-1].first and each.last < min(lines):
            early.update(each.names)

    def tells(name: str) -> bool:
        texts = [state.get(name) for state in states]
        of_actions = texts == loop if step.breach is Breach.ACTION else {*texts} <= {*actions, None}
        is_changed = any(one.get(name) != other[name] for one, other in pairwise([before, *states]) if name in other)
        return (
            name != "_"
            and name not in early
            and is_changed
            and not of_actions
            and texts != [value for _, value in below]
        )

    names = [*filter(tells, dict.fromkeys(name for state in [before, *states] for name in state))][:3]
    rows = [
        (each.path[-1], value, *(state.get(name, "") for name in names))
        for (each, value), state in zip(below, states, strict=True)
    ]
    return ("successor", "its value", *(f"then {name}" for name in names)), tuple(rows[:MAX_ROWS])
