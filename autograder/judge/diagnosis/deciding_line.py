"""The second line of a wrong step: the test, loop or assignment of the same function that decides what its line does.

Only a line that is the only one of its kind is named, by the statements of the function and what its variables held.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import NamedTuple

from autograder.judge.diagnosis.extent import Extent, is_first_bound
from autograder.judge.diagnosis.run import Run
from autograder.judge.diagnosis.steps import CHANCE, MAX, MIN, Breach, Step
from autograder.judge.points_as_text import value_text
from pacman.core.tree import Layer
from pacman.record.calls import NodeCall, is_near
from pacman.record.reading import Reading
from pacman.record.watcher import Statement, StatementKind, WatchedFunction

TEST, LOOP, SET, RETURN = StatementKind
_DIGITS = r"-?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|inf)"
NUMBER = re.compile(_DIGITS)
FIRST_NUMBER = re.compile(rf"(?:Line\(value=|[(\[])?({_DIGITS})(?:$|[,)\]])")
"""A number, or the first one of a pair or a Line."""
COMPARISONS = {"<": lt, "<=": le, ">": gt, ">=": ge}
OF_LOOP = (Breach.CUT_EARLY, Breach.NOT_SEARCHED, Breach.UNASKED_CUT)
AT_ONCE = (Breach.NO_LOOK, Breach.REMEMBERED, Breach.LEAF_VALUE, Breach.STORED)
RETURNS_HERE = "this test decides that the code returns here"
OF_LAYER = {MAX: ("max",), MIN: ("min",), CHANCE: ("exp", "chance", "mean", "average")}
"""What is in the names of functions that students write for one layer."""


class Deciding(NamedTuple):
    """A line that decides about a step, and a sentence that says so."""

    line: int
    words: str


def deciding_lines(
    step: Step,
    frame: NodeCall,
    function: WatchedFunction,
    caller: NodeCall | None,
    run: Run,
    extent: Extent,
    reading: Reading,
) -> list[Deciding]:
    """The lines that decide about the line of the step, in a function or in one of the same file: at most two.

    `frame` is the call in which the step was made, `caller` one for the same node that made this call.
    """
    visit = step.visit
    if caller:
        by = run.functions[caller.call.function]
        if by.file == function.file and (found := of_call(visit.layer, function, by, frame.call.line)):
            return [found]
    if step.breach in (Breach.BELOW_HORIZON, Breach.TOO_EARLY):
        looks = _of_limit(step, frame, function, run)
    elif step.breach is Breach.WINDOW and extent.start is not None and is_first_bound(step):
        given = [each for each in frame.call.numbers if each == (step.bound, step.got)]
        line = function.first if frame is visit.frames[0] else frame.call.line
        looks = [Deciding(line, f"there, {step.bound} gets the number with which it begins") for _ in given]
    else:
        held = run.own_variables(step.time if step.breach.is_at_a_line else frame.end)
        inside = _executed(function.statements, [step.line, *(each.line for each in visit.successors)])
        looks = [_of_step(step, inside, held, extent.start, reading.windows.get(frame.call.function, ()))]
        is_agent = step.breach is Breach.NO_AGENT
        if is_agent or (step.breach is Breach.RESULT and extent.instead in ("max", "min", "mean")):
            tests = [each for each in function.statements if each.kind is TEST and (is_agent or not each.loop)]
            around = [each for each in tests if each.first < step.line <= each.end][-1:]
            looks.append(_the(around, "this test decides which branch runs"))
    lines = {each.line: each for each in looks if each and each.line != step.line}
    return list(lines.values())


def test_of_cut(step: Step, function: WatchedFunction, window: Sequence[str]) -> list[Deciding]:
    """The test that ends the loop of a node by the bound of the other side, if it is the only one."""
    tests = [each for each in function.statements if each.kind is TEST and each.leaves and each.loop]
    bound, other = window[:: -1 if step.visit.layer is MAX else 1] if len(window) == 2 else ("", "")
    tests = [each for each in tests if bound in each.names and other not in each.names]
    return [Deciding(each.first, "this test ends the loop") for each in tests if len(tests) == 1]


def returned_end(step: Step, frame: NodeCall, function: WatchedFunction, run: Run, window: Sequence[str]) -> str:
    """The end of the window that belongs to the other layer, by its name, if the line of a wrong value returned it.

    "" in another case, and if the number that was returned is also that of another name on the line.
    """
    if step.breach is not Breach.RESULT or step.visit.layer is CHANCE or len(window) != 2 or step.got is None:
        return ""
    lines = [each for each in function.statements if each.kind is RETURN and each.first <= step.line <= each.last]
    held = run.own_variables(frame.end)
    names = _names_with(held, lambda text: _is_number(text, step.got or 0)) & _names_in(lines)
    end = window[step.visit.layer is MAX]
    return end if names == {end} else ""


def _of_step(
    step: Step, inside: Sequence[Statement], held: Mapping[str, str], start: float | None, window: Sequence[str]
) -> Deciding | None:
    """The line that decides what the line of the step does; None if there is none, or more than one.

    `held` are the variables of the function at the step. `start` is the number from which its best value starts, if
    that is what is wrong; `window` are the parameters of its window.
    """
    breach, got = step.breach, step.got
    if breach in AT_ONCE:
        around = [each for each in inside if each.kind is TEST and each.first <= step.line <= each.last]
        if breach is Breach.LEAF_VALUE and not around:
            ends = [each for each in inside if each.kind is TEST and each.leaves and not each.loop]
            return _the(ends, "this test decides whether the code stops at this node")
        return _the(around[-1:], RETURNS_HERE)
    if breach in OF_LOOP or breach is Breach.CUT_LATE:
        return _of_loop(step, inside, held, window)
    returned = _names_in(each for each in inside if each.kind is RETURN and each.first <= step.line <= each.last)
    if breach is Breach.RESULT and start is not None:
        names = _names_with(held, lambda text: _is_number(text, start) or _is_number(text, -start)) & returned
        starts = [each for each in inside if each.kind is SET and not each.loop and names.intersection(each.names)]
        return _the(starts, f"{' and '.join(sorted(names))} starts there")
    if breach is Breach.RESULT:
        names = _names_with(held, lambda text: FIRST_NUMBER.match(text) is not None and not _is_right(text, step))
        names &= returned
    elif breach is Breach.ACTION and step.action:
        others = {repr(action) for action in step.visit.node.actions if action != step.action}
        names = _names_with(held, lambda text: repr(step.action) in text and not any(one in text for one in others))
        names &= returned
    elif breach in (Breach.WINDOW, Breach.PLIES, Breach.NO_AGENT):
        names = _names_with(held, lambda text: got is not None and _is_number(text, got))
        if breach is Breach.WINDOW:
            names &= {*window[step.bound == "beta" :][:1]}
        elif breach is Breach.PLIES:
            names = (
                {step.bound}
                if step.bound in names
                else names - _names_in(each for each in inside if each.kind is RETURN)
            )
            here = [each for each in inside if each.kind is SET and each.first <= step.line <= each.end]
            names -= _names_in(here)  # what the line works out comes later
            inside = [each for each in inside if each not in here]
    else:
        return None
    return _set_of(names, step.line, inside)


def _executed(statements: Sequence[Statement], lines: Sequence[int]) -> list[Statement]:
    """The statements that can have run in a call that ran these lines, of which the first is that of the step.

    Outside of loops that are no branches beside one of the lines, none that return before them, and none behind them.
    """
    loop = _loop_around(statements, lines[0])
    end = max([lines[0], *([loop.end] if loop else [])])
    left_out: list[tuple[int, int]] = []
    for test in statements:
        if test.kind is TEST and not test.loop:
            branches = [(test.first, test.last), (test.last, test.end)]
            ran = [any(first < line <= last for line in lines) for first, last in branches]
            left_out += [branch for branch, other in zip(branches, reversed(ran), strict=True) if other]
            if test.leaves and not any(ran) and any(line > test.end for line in lines):
                left_out.append(branches[0])
    return [
        each
        for each in statements
        if each.first <= end and not any(first < each.first <= last for first, last in left_out)
    ]


def _of_loop(
    step: Step, inside: Sequence[Statement], held: Mapping[str, str], window: Collection[str]
) -> Deciding | None:
    """The test that ends the loop with the call for the first successor, or the loop that gives the successors.

    A test inside another one is named only if the line of the step is in its branch: for some nodes it may not run. One
    that is false at the end did not end the loop. If none ends it in time, the test of both ends of the window.
    """
    is_late, call = step.breach is Breach.CUT_LATE, min((each.line for each in step.visit.successors), default=0)
    loop = _loop_around(inside, step.line if is_late else call)
    if loop is None:
        return None
    tests = [each for each in inside if each.kind is TEST and each.loop == loop.first]
    around = [each for each in tests if each.first <= step.line <= each.last]
    ending = [each for each in tests if each.leaves and (is_late or not _is_false(each, held))]
    leaving = around[-1:] if around and not is_late else ending
    if not around and any(test.first < each.first <= test.end for each in leaving for test in tests):
        return None
    if not (around or is_late) and loop.first < step.line <= loop.last:
        return None  # a return of the loop itself
    if leaving:
        return _the(leaving, f"this test decides whether the loop {'goes on' if is_late else 'ends'}")
    if is_late:
        both = [each for each in tests if {*window} and {*window} <= {*each.names} and each not in around]
        return _the(both, f"this test compares {' and '.join(window)}, but does not leave the loop")
    if any(each.kind is RETURN and each.loop == loop.first for each in inside):
        return None
    return _the([loop], "this loop decides which successors come")


def of_call(layer: Layer, function: WatchedFunction, caller: WatchedFunction, line: int) -> Deciding | None:
    """The test by which `caller` calls a function named after another layer, or the call; None with another name."""
    name = function.name.lower()
    if any(word in name for word in OF_LAYER[layer]) or not any(
        word in name for words in OF_LAYER.values() for word in words
    ):
        return None
    around = [each for each in caller.statements if each.kind is TEST and each.first < line <= each.last]
    if around:
        return Deciding(around[-1].first, f"this test decides that {function.name} is called")
    return Deciding(line, f"it calls {function.name} for a {layer.name} node")


def _of_limit(step: Step, frame: NodeCall, function: WatchedFunction, run: Run) -> list[Deciding | None]:
    """The test that ended the call too early, or the only one that can end it in time; and where its number comes from.

    The number is set by the caller, or passed by its call. None if there are several tests.
    """
    visit = step.visit
    frames = visit.frames[: visit.frames.index(frame) + 1] if frame in visit.frames else [frame]
    functions = [run.functions[each.call.function] for each in frames]
    functions = [each for each in functions if each.file == function.file]
    got = {name: number for each in frames for name, number in each.call.numbers}
    held = {name: text for each in frames for name, text in run.own_variables(each.end).items()}
    held |= {name: value_text(number) for name, number in got.items()}
    tests = [each for one in functions for each in one.statements if each.kind is TEST]
    words = RETURNS_HERE
    if step.breach is Breach.TOO_EARLY:
        tests = [each for each in tests if each.first <= step.line <= each.last][-1:]
    else:
        own = {each for one in functions if one.first <= step.line <= one.last for each in tests}
        tests = [
            each for each in tests if each.leaves and not each.loop and (each not in own or each.first <= step.line)
        ]
        words = "this test decides whether plies are left"
    numbers = _names_with(held, lambda text: NUMBER.fullmatch(text) is not None)
    compared = [(each, names) for each in tests if (names := numbers.intersection(each.names))]
    if len(compared) != 1:
        return []
    test, names = compared[0]
    looks: list[Deciding | None] = [Deciding(test.first, words)]
    above = visit.parent.frames if visit.parent and visit.plies is None else []
    if above and visit.line and (by := run.functions[above[-1].call.function]).file == function.file:
        of_agent = [name for name in names if name.startswith("self.")]
        passed = [(name, number) for name, number in got.items() if name in names]
        if found := _set_of(of_agent, visit.line, by.statements):
            looks.append(found)
        elif len(passed) == 1:
            name, number = passed[0]
            same = _names_with(run.own_variables(visit.start), lambda text: _is_number(text, number))
            same = {name} if name in same else same
            passes = Deciding(visit.line, f"it passes {name} = {value_text(number)}")
            looks.append(_set_of(same, visit.line, by.statements) or passes)
    return looks


def _set_of(names: Iterable[str], line: int, inside: Sequence[Statement]) -> Deciding | None:
    """The only statement that changes the only one of the names that is changed, or the test around it.

    One in a loop counts before the others, and then one in a test. None if it is at `line`.
    """
    wanted = set(names)
    sets = [each for each in inside if each.kind is SET and wanted.intersection(each.names)]
    sets = [each for each in sets if each.loop] or sets
    tests = [[test for test in inside if test.kind is TEST and test.first < each.first <= test.end] for each in sets]
    if len(sets) > 1:
        sets, tests = [each for each, around in zip(sets, tests, strict=True) if around], [*filter(None, tests)]
    changed = {name for each in sets for name in each.names if name in wanted}
    if len(sets) != 1 or len(changed) != 1 or line == sets[0].first:
        return None
    (name,) = changed
    around = [
        each for each in tests[0] if each.first != line and each.loop == sets[0].loop and (each.loop or len(inside) > 1)
    ]
    if around:
        return Deciding(around[-1].first, f"this test decides when {name} changes")
    return Deciding(sets[0].first, f"{name} gets its value there")


def _is_false(test: Statement, held: Mapping[str, str]) -> bool:
    """True if a statement compares two numbers that are held, and the one is not so to the other."""
    if len(test.names) != 3 or test.names[1] not in COMPARISONS:
        return False
    texts = [held.get(name, "") for name in test.names[::2]]
    return all(map(NUMBER.fullmatch, texts)) and not COMPARISONS[test.names[1]](*map(float, texts))


def _the(statements: Sequence[Statement], words: str) -> Deciding | None:
    """The first line of the only statement; None if there are others."""
    return Deciding(statements[0].first, words) if len(statements) == 1 else None


def _loop_around(inside: Sequence[Statement], line: int) -> Statement | None:
    """The innermost loop with this line in it."""
    around = [each for each in inside if each.kind is LOOP and each.first < line <= each.last]
    return around[-1] if around else None


def _is_right(text: str, step: Step) -> bool:
    """True for the number that was expected, and for a list of values of the successors."""
    if not text.startswith("["):
        return step.expected is not None and _is_number(text, step.expected)
    values = step.visit.values_below().values()
    return all(any(is_near(float(number), each) for each in values) for number in NUMBER.findall(text))


def _names_in(statements: Iterable[Statement]) -> set[str]:
    return {name for each in statements for name in each.names}


def _names_with(variables: Mapping[str, str], has: Callable[[str], bool]) -> set[str]:
    return {name for name, text in variables.items() if has(text)}


def _is_number(text: str, number: float) -> bool:
    found = FIRST_NUMBER.match(text)
    return found is not None and is_near(float(found[1]), number)
