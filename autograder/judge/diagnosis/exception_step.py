"""The step of an exception, or of a search that never ends: the line of it, and the one that caused it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from autograder.judge.diagnosis.deciding_line import Deciding, of_call
from autograder.judge.diagnosis.run import Run, WatchedTree
from autograder.judge.diagnosis.shown_step import at_visit
from autograder.judge.scorecard import WrongStep
from pacman.record.watcher import Event, EventKind, StatementKind, WatchedFunction

REPEATED = 20
"""How many successors of a small tree one call makes at most, if it makes none again and again."""


def step_of_exception(watched: WatchedTree | None, words: str) -> WrongStep | None:
    """The line at which the exception ended a call, its node, its variables, and the line that caused it.

    It is the innermost call, or one around it in which the search makes successors again and again.
    """
    events = watched.run.events if watched else ()
    raised = [index for index, event in enumerate(events) if event.kind is EventKind.RAISED]
    if watched is None or not raised:
        return None
    made = Counter(event.call for event in events if event.kind is EventKind.MADE)
    index = max(raised, key=lambda index: made[events[index].call] // REPEATED)
    line, number, node = events[index].line, events[index].call, events[index].node
    calls = [event for event in events if event.kind is EventKind.CALL]
    if not 0 <= number < len(calls):
        return None
    run, root = watched.run, watched.root
    function = run.functions[calls[number].function]
    visit = next((each for each in watched.visits for frame in each.frames if frame.call.call == number), root)
    variables = run.own_variables(index)
    if not function.first <= line <= function.last:  # it was raised in a generator, for a node of its own
        around = [each for each in run.functions if each.file == function.file and each.first <= line <= each.last]
        function = min(around, key=lambda each: each.last - each.first, default=function)
        visit = watched.unread_visit(node, index, line) or visit
        names = {
            *function.parameters,
            *(name for each in function.statements if each.first < line for name in each.names),
        }
        variables = {name: text for name, text in variables.items() if name in names}
    if visit is None or not line:
        return None
    held = ", ".join(f"{name} = {text}" for name, text in variables.items())
    text = f"{words}{f', with {held}' if held else ''}."
    levels = [(each, calls[events[each].call]) for each in raised if each >= index]
    cause = _passed(levels, calls, run) or _returned(events[:index], number, line, calls, run.functions)
    if cause is None and len(levels) > 1 and calls[number].node == visit.number and not visit.is_leaf:
        cause = of_call(visit.layer, function, run.functions[levels[1][1].function], calls[number].line)
    if cause is None or cause.line in (0, line):
        return at_visit(visit, function, line, text)
    return at_visit(visit, function, line, f"{text} Look at line {cause.line} too: {cause.words}.", also=[cause.line])


def _passed(levels: Sequence[tuple[int, Event]], calls: Sequence[Event], run: Run) -> Deciding | None:
    """The call that passed what the exception is about, or a None where other calls pass a number.

    `levels` are the calls that the exception ended, the innermost first, each with the number of the event of its end.
    """
    cause = None
    for index, call in levels:
        function, end, held = run.functions[call.function], run.events[index], run.own_variables(index)
        with_numbers = {name for each in calls if each.function == call.function for name, _ in each.numbers}
        empty = [name for name in function.parameters if held.get(name) == "None" and name in with_numbers]
        names = [end.action] if end.action in function.parameters else empty
        sets = [each for each in function.statements if each.kind is StatementKind.SET]
        if len(names) != 1 or any(names[0] in each.names for each in sets):
            break
        text = f" = {held[names[0]]}" if names[0] in held else ""
        cause = Deciding(call.line, f"{names[0]}{text} comes from there")
    return cause


def _returned(
    before: Sequence[Event], number: int, line: int, calls: Sequence[Event], functions: Sequence[WatchedFunction]
) -> Deciding | None:
    """Where the last call inside call `number` returned no number and no action, if `line` called it."""
    returns = [event for event in before if event.kind is EventKind.RETURN and event.call > number]
    if not returns or calls[returns[-1].call].line != line or returns[-1].numbers or returns[-1].action:
        return None
    return Deciding(
        returns[-1].line, f"what {functions[calls[returns[-1].call].function].name} returned comes from there"
    )
