"""The second line of a wrong step: the test, loop or assignment of the same function that decides what its line does.

Only a line that is the only one of its kind is named, by the statements of the function and what its variables held.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from autograder.judge.diagnosis.steps import CHANCE, MAX, MIN, Breach, Step
from autograder.judge.points_as_text import value_text
from pacman.core.tree import Layer
from pacman.record.calls import is_near
from pacman.record.watcher import Statement, StatementKind, WatchedFunction

TEST, LOOP, SET, RETURN = StatementKind
_DIGITS = r"-?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|inf)"
NUMBER = re.compile(_DIGITS)
FIRST_NUMBER = re.compile(rf"(?:Line\(value=|[(\[])?({_DIGITS})(?:$|[,)\]])")
"""A number, or the first one of a pair or a Line."""
OF_LOOP = (Breach.CUT_EARLY, Breach.NOT_SEARCHED, Breach.UNASKED_CUT)
AT_ONCE = (Breach.TOO_EARLY, Breach.NO_LOOK, Breach.REMEMBERED, Breach.LEAF_VALUE, Breach.STORED)

OF_LAYER = {MAX: ("max",), MIN: ("min",), CHANCE: ("exp", "chance", "mean", "average")}
"""What is in the names of functions that students write for one layer."""


class Deciding(NamedTuple):
    """A line that decides about a step, and a sentence that says so."""

    line: int
    words: str


def deciding_line(
    step: Step,
    function: WatchedFunction,
    calls: Sequence[int],
    variables: Mapping[str, str],
    start: float | None,
    named: Collection[str] = (),
) -> Deciding | None:
    """The line that decides what the line of the step does; None if there is none, or more than one.

    `calls` are the lines with which the function searched successors, `variables` what it held at the step. `start` is
    the number from which its best value starts, if that is what is wrong; `named` are the parameters of its window.
    """
    inside, breach = _executed(function.statements, [step.line, *calls]), step.breach
    if breach in AT_ONCE:
        around = [each for each in inside if each.kind is TEST and each.first < step.line <= each.last]
        if breach is Breach.LEAF_VALUE and not around:
            ends = [each for each in inside if each.kind is TEST and each.leaves and not each.loop]
            return _the(ends, step, "this test decides whether the code stops at this node")
        return _the(around[-1:], step, "this test decides that the code returns here")
    if breach in OF_LOOP or breach is Breach.CUT_LATE:
        return _of_loop(step, inside, min(calls, default=0))
    if breach is Breach.RESULT:
        return _of_value(step, inside, variables, start)
    if breach is Breach.ACTION and step.action:
        names = _names_with(variables, lambda text: text == repr(step.action))
        return _set_of(names & _returned(step, inside), step.line, inside)
    got = step.got
    names = _names_with(variables, lambda text: got is not None and _is_number(text, got))
    if breach is Breach.WINDOW:
        return _set_of(names & {*named}, step.line, inside)
    if breach is Breach.PLIES:
        returned = {name for each in inside if each.kind is RETURN for name in each.names}
        return _set_of(
            names - returned,
            step.line,
            [each for each in inside if not each.first <= step.line <= each.end or each.kind is not SET],
        )
    return None


def deciding_branch(step: Step, function: WatchedFunction) -> Deciding | None:
    """The innermost test, not in a loop, in one of whose branches the line of the step stands."""
    tests = [each for each in function.statements if each.kind is TEST and not each.loop]
    return _the([each for each in tests if each.first < step.line <= each.end][-1:], step, "this test chose the branch")


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


def _of_loop(step: Step, inside: Sequence[Statement], call: int) -> Deciding | None:
    """The test that ends the loop with the call for the first successor, or the loop that gives the successors.

    A test inside another one is named only if the line of the step is in its branch: for some nodes it may not run.
    """
    is_late = step.breach is Breach.CUT_LATE
    loop = _loop_around(inside, step.line if is_late else call)
    if loop is None:
        return None
    tests = [each for each in inside if each.kind is TEST and each.loop == loop.first]
    around = [each for each in tests if each.first < step.line <= each.last]
    leaving = around[-1:] if around and not is_late else [each for each in tests if each.leaves]
    if not around and any(test.first < each.first <= test.end for each in leaving for test in tests):
        return None
    if leaving:
        return _the(leaving, step, f"this test decides whether the loop {'goes on' if is_late else 'ends'}")
    if is_late or any(each.kind is RETURN and each.loop == loop.first for each in inside):
        return None
    return _the([loop], step, "this loop decides which successors come")


def deciding_call(layer: Layer, function: WatchedFunction, caller: WatchedFunction, line: int) -> Deciding | None:
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


def deciding_limit(
    step: Step, functions: Sequence[WatchedFunction], variables: Mapping[str, str]
) -> tuple[Deciding | None, frozenset[str]]:
    """The test that ended the call too early, or the only one that can end it in time; and its numbers, by name.

    `functions` are those that got the node, `variables` what they held. No test and no names if there are several.
    """
    tests = [each for function in functions for each in function.statements if each.kind is TEST]
    if step.breach is Breach.TOO_EARLY:
        tests = [each for each in tests if each.first < step.line <= each.last][-1:]
        words = "this test decides that the code returns here"
    else:
        own = {each for function in functions if function.first <= step.line <= function.last for each in tests}
        tests = [
            each for each in tests if each.leaves and not each.loop and not (each in own and each.first > step.line)
        ]
        words = "this test decides whether plies are left"
    numbers = _names_with(variables, lambda text: NUMBER.fullmatch(text) is not None)
    compared = [(each, numbers.intersection(each.names)) for each in tests]
    compared = [(each, names) for each, names in compared if names]
    if len(compared) != 1:
        return None, frozenset()
    test, names = compared[0]
    return Deciding(test.first, words), frozenset(names)


def deciding_number(
    names: Collection[str], got: Mapping[str, float], caller: WatchedFunction, held: Mapping[str, str], line: int
) -> Deciding | None:
    """Where a number comes from that a test compared: what `caller` sets before it calls at `line`, or the call itself.

    `got` are the numbers that the call passed, by parameter; `held` are the variables of the caller at that moment.
    """
    of_agent = [
        name for name in names if name.startswith("self.") and any(name in each.names for each in caller.statements)
    ]
    if of_agent and (found := _set_of(of_agent, line, caller.statements)):
        return found
    passed = {name: number for name, number in got.items() if name in names}
    if len(passed) != 1:
        return None
    ((name, number),) = passed.items()
    same = _names_with(held, lambda text: _is_number(text, number))
    return _set_of(same, line, caller.statements) or Deciding(line, f"it passes {name} = {value_text(number)}")


def _of_value(
    step: Step, inside: Sequence[Statement], variables: Mapping[str, str], start: float | None
) -> Deciding | None:
    """Where the returned value comes from: its start, if that is wrong, or else its one change."""
    returned = _returned(step, inside)
    if start is None:
        held = _names_with(variables, lambda text: FIRST_NUMBER.match(text) is not None) & returned
        return _set_of(held, step.line, inside)
    names = _names_with(variables, lambda text: _is_number(text, start) or _is_number(text, -start)) & returned
    starts = [each for each in inside if each.kind is SET and not each.loop and names.intersection(each.names)]
    return _the(starts, step, f"{' and '.join(sorted(names))} starts there")


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
    around = [each for each in tests[0] if each.first != line and (each.loop or len(inside) > 1)]
    if around:
        return Deciding(around[-1].first, f"this test decides when {name} changes")
    return Deciding(sets[0].first, f"{name} gets its value there")


def _the(statements: Sequence[Statement], step: Step, words: str) -> Deciding | None:
    """The first line of the only statement, if it is another line than that of the step."""
    if len(statements) != 1 or statements[0].first == step.line:
        return None
    return Deciding(statements[0].first, words)


def _loop_around(inside: Sequence[Statement], line: int) -> Statement | None:
    """The innermost loop with this line in it."""
    around = [each for each in inside if each.kind is LOOP and each.first < line <= each.last]
    return around[-1] if around else None


def _returned(step: Step, inside: Sequence[Statement]) -> set[str]:
    """The names in the return at the line of the step."""
    returns = [each for each in inside if each.kind is RETURN and each.first <= step.line <= each.last]
    return {name for each in returns for name in each.names}


def _names_with(variables: Mapping[str, str], has: Callable[[str], bool]) -> set[str]:
    return {name for name, text in variables.items() if has(text)}


def _is_number(text: str, number: float) -> bool:
    found = FIRST_NUMBER.match(text)
    return found is not None and is_near(float(found[1]), number)
