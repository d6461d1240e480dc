"""Records what a rewritten program does with the nodes of one search: calls, successors, evaluations and returns.

`watched_code` rewrites a file so that it reports to a `Watcher`. The watcher judges nothing and changes nothing, except
that it can put another value in the place of what the code returns for a node. A record is a list of events in order.
"""

from __future__ import annotations

import copy
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from enum import IntEnum
from functools import update_wrapper
from numbers import Real
from types import FrameType
from typing import Any, NamedTuple

from pacman.record.trace import CountedNode, Path, Trace

WATCHER = "__watcher__"
"""The name under which a rewritten file finds its watcher, among its global names."""
MAX_EVENTS = 6_000
"""The most events of a record, unless its watcher says otherwise. Later ones are left out, and the record says so."""
SPARE_EVENTS = 100
"""How many RAISED events are recorded after the last other one: where a search was when it was stopped."""
MAX_NUMBERS = 8
"""The most numbers of one call or one result."""
MAX_NAMES = 12
"""The most variables of one event."""
MAX_STATEMENTS = 60
"""The most statements of one function."""
MAX_TEXT = 40
"""The most characters of the text of a variable."""
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
SPARE_FRAMES = 12
"""How many frames the watcher itself needs: it raises the recursion limit by so many, unless told otherwise."""
BELOW = -2
"""The number of a node that is not recorded, and neither is what a call with this node calls."""
PAIR = 4
"""The longest list whose numbers are recorded: a result, and not a list of moves."""
IN_A_PAIR = "[[]]"
"""The place of a number in a pair inside of a pair, if there is no other number: it is no value of a node."""
_PLACES = tuple(f"[{index}]" for index in range(PAIR))


class StatementKind(IntEnum):
    """What a statement of a function does."""

    TEST = 0
    LOOP = 1
    SET = 2
    RETURN = 3


class Statement(NamedTuple):
    """A statement that decides what a function does or returns, from its first to its last line.

    `loop` is the first line of the innermost loop around it in the function, 0 if there is none. `names` are the
    variables that it sets, as in "best" and "self.best"; of a TEST and a RETURN those that it reads. A TEST that only
    compares two of them has the sign between: "best", ">=", "beta". The last line of a TEST is that of its first
    branch, `end` that of its other branches. A TEST that `leaves` has a `return` or a `break` of its own in a branch.
    """

    kind: StatementKind
    first: int
    last: int
    end: int
    loop: int
    leaves: bool
    names: tuple[str, ...]


class WatchedFunction(NamedTuple):
    """A function of a rewritten file: its name, first and last line, parameters, the name of the file, and statements.

    The statements are the first `MAX_STATEMENTS` in their order, without those of functions inside it.
    """

    name: str
    first: int
    last: int
    parameters: tuple[str, ...]
    file: str
    statements: tuple[Statement, ...] = ()


class EventKind(IntEnum):
    """What an event of a record tells."""

    CALL = 0
    MADE = 1
    SCORE = 2
    RETURN = 3
    RAISED = 4


class Event(NamedTuple):
    """One event. `call` is the number of the innermost open call, counted from 0 in the order of the calls.

    For CALL, `node` is the number of the node among the arguments (-1 for none), `line` that of the caller (0 if that
    is not in the file), `function` the number of the function, and `numbers` are the numbers among the arguments by the
    names of their parameters, with a place inside as below: "plies", "window[0]", "*rest[1]". For MADE and SCORE,
    `node` is the successor that was made, with the number of the agent if the code names one, or the node whose score
    was read, with that score. For RETURN, `numbers` are those in the result: by "" for the result itself, "[0]" in a
    tuple or a list, ".value" in an object. RAISED ends a call by an exception. `action` is the only text in a result of
    RETURN, empty if there is none, or more than one; of RAISED it is the parameter whose object lacks an attribute.
    """

    kind: EventKind
    call: int
    node: int
    line: int
    function: int = -1
    numbers: tuple[tuple[str, float], ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    action: str = ""


class Watcher:
    """Records the search of one root, from `start` to `stop`.

    `functions` are those of the rewritten files, `paths` the files' names in tracebacks. `number_of` gives the number
    of a node in the trace, BELOW for a node that is not recorded, None for another object. `spare_frames` is 0 where
    threads share the recursion limit.
    """

    def __init__(
        self,
        functions: list[WatchedFunction],
        number_of: Callable[[Any], int | None],
        max_events: int = MAX_EVENTS,
        spare_frames: int = SPARE_FRAMES,
    ) -> None:
        self.functions, self.number_of = functions, number_of
        self.max_events, self.spare_frames = max_events, spare_frames
        self.paths: set[str] = set()
        self.is_on = self._is_below = False
        self.is_complete = True
        self.events: list[Event] = []
        self.called: Counter[int] = Counter()
        """How many calls of each function are recorded."""
        self.mover: object = None
        """What the code says of the agent that makes the next successor; only a Berkeley-style file says something."""

    def stop(self) -> None:
        """Ends the record. `events` and `is_complete` stay until the next start."""
        if self.is_on and self.spare_frames:
            sys.setrecursionlimit(max(1, sys.getrecursionlimit() - self.spare_frames))
        self.is_on = False

    def start(
        self, trace: Trace, replaced: Mapping[Path, tuple[str, float]] | None = None, keeps_variables: bool = False
    ) -> None:
        """Begins a record of a search that fills `trace`.

        `replaced` has, for the paths of some nodes, the place in the result and the number to put there: what the
        outermost call with this node returns.
        """
        self.events, self.is_complete = [], True
        self._is_below = False
        self._open: list[int] = []
        self._nodes: list[int] = []
        self.called.clear()
        self._error: BaseException | None = None
        self._trace, self._replaced, self._keeps_variables = trace, dict(replaced or {}), keeps_variables
        if self.spare_frames:
            sys.setrecursionlimit(sys.getrecursionlimit() + self.spare_frames)
        self.is_on = True

    def enter(self, function: int, *arguments: Any) -> int:
        """Records a call. Returns its number, for `leave`."""
        if not self.is_on:
            return -1
        names = self.functions[function].parameters
        node, numbers = self._node_among(arguments, names), []
        if node == BELOW or (node < 0 and self._is_below):
            is_first, self._is_below = not self._is_below, True
            return BELOW if is_first else -1
        self._is_below = False
        for name, argument in zip(names, arguments, strict=False):
            if name != "self" and not isinstance(argument, CountedNode):
                for place, number in numbers_in(argument):
                    numbers.append((name + place, number))
        call = len(self._nodes)
        self._nodes.append(node)
        self.called[function] += 1
        frame = self._frame(sys._getframe(2), 8)
        self._add(EventKind.CALL, call, node, frame, function, tuple(numbers[:MAX_NUMBERS]))
        self._open.append(call)
        return call

    def _node_among(self, arguments: Sequence[Any], names: Sequence[str]) -> int:
        """The number of the first node among the arguments, or else of the only node inside of one; -1 for none."""
        others = arguments[1:] if names[:1] == ("self",) else arguments
        for argument in others:
            number = self.number_of(argument)
            if number is not None:
                return number
        for name, argument in zip(names, arguments, strict=False):
            is_open = name.startswith("*") or _may_hold_node(argument)
            inside = [self.number_of(part) for _, part in _parts(argument)] if is_open else []
            numbers = [number for number in inside if number is not None]
            if len(numbers) == 1:
                return numbers[0]
        return -1

    def leave(self, call: int, line: int, result: Any) -> Any:
        """Records what a call returns, and returns it."""
        self._is_below = self._is_below and call != BELOW
        if not self.is_on or call < 0:
            return result
        self._unwind(call)
        node = self._nodes[call]
        if self._replaced and node >= 0:
            outer = next((self._nodes[each] for each in reversed(self._open) if self._nodes[each] >= 0), -1)
            place = self._replaced.get(self._trace.path(node)) if node != outer else None
            result = with_number(result, *place) if place else result
        frame = sys._getframe(1)
        self._add(EventKind.RETURN, call, node, frame, -1, numbers_in(result), line, _action_in(result))
        return result

    def raised(self, call: int, error: BaseException) -> None:
        """Records that an exception ends a call.

        The first call that it ends has the line, the node and the variables of the function that raised it, which can
        be a generator.
        """
        self._is_below = self._is_below and call != BELOW
        if self.is_on and call >= 0:
            self._unwind(call)
            place, own, node, name = error.__traceback__, sys._getframe(1), self._nodes[call], ""
            while place is not None and place.tb_frame is not own:
                place = place.tb_next
            if place is not None and error is not self._error:
                inside = place.tb_next
                while inside is not None and inside.tb_frame.f_code.co_filename in self.paths:
                    place = place if inside.tb_frame.f_code.co_name in COMPREHENSIONS else inside
                    inside = inside.tb_next
                values = _arguments(place.tb_frame)
                name = _without_attribute(error, values)
                if place.tb_frame is not own:
                    node = self._node_among(list(values.values()), list(values))
            self._error = error
            line = place.tb_lineno if place is not None else 0
            self._add(EventKind.RAISED, call, node, place.tb_frame if place else own, -1, (), line, name)

    def remembered(self, function: int) -> Callable[[Callable[..., Any]], Any]:
        """A decorator around all others of a function: records a call that they answer without the function."""
        return lambda decorated: _Remembered(self, function, decorated) if callable(decorated) else decorated

    def made(self, node: int) -> None:
        """Records that a successor was made, and the number of the agent that the code let move, if it said one."""
        if self.is_on:
            self._add(EventKind.MADE, self._call, node, self._frame(sys._getframe(2), 8), -1, numbers_in(self.mover))

    def read_score(self, node: int, score: float) -> None:
        """Records that the score of a node was read."""
        if self.is_on:
            frame = self._frame(sys._getframe(2), 8)
            self._add(EventKind.SCORE, self._call, node, frame, -1, (("", score),))

    @property
    def _call(self) -> int:
        return self._open[-1] if self._open else -1

    def _unwind(self, call: int) -> None:
        """Closes a call and all inside it."""
        while self._open and self._open[-1] >= call:
            self._open.pop()

    def _frame(self, frame: FrameType | None, most: int) -> FrameType | None:
        """The innermost frame of a watched file, at most so many frames up; None if there is none."""
        for _ in range(most):
            if frame is None or frame.f_code.co_filename in self.paths:
                return frame
            frame = frame.f_back
        return None

    def _add(
        self,
        kind: EventKind,
        call: int,
        node: int,
        frame: FrameType | None,
        function: int = -1,
        numbers: tuple[tuple[str, float], ...] = (),
        line: int = 0,
        action: str = "",
    ) -> None:
        if len(self.events) >= self.max_events:
            self.is_complete = False
            if kind is not EventKind.RAISED or len(self.events) >= self.max_events + SPARE_EVENTS:
                return
        variables = tuple(small_variables(frame)) if self._keeps_variables and frame else ()
        line = line or (frame.f_lineno if frame else 0)
        # as Event(...), without a call that Python traces
        self.events.append(tuple.__new__(Event, (kind, call, node, line or 0, function, numbers, variables, action)))


def _arguments(frame: FrameType) -> dict[str, Any]:
    """The parameters of a function, and what they hold now."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return {name: frame.f_locals[name] for name in names if name in frame.f_locals}


def _without_attribute(error: BaseException, values: Mapping[str, Any]) -> str:
    """The name of the object that lacks an attribute, if the exception says so of one of these values."""
    if type(error) is not AttributeError or error.name is None:
        return ""
    return next((name for name, value in values.items() if name != "self" and value is error.obj), "")


class _Remembered:
    """A decorated function. A call that the function itself does not see is recorded with its result."""

    def __init__(self, watcher: Watcher, function: int, decorated: Callable[..., Any]) -> None:
        self._watcher, self._function, self._decorated = watcher, function, decorated
        update_wrapper(self, decorated, updated=())

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        watcher = self._watcher
        before = watcher.called[self._function]
        result = self._decorated(*arguments, **keywords)
        if watcher.is_on and watcher.called[self._function] == before:
            call = watcher.enter(self._function, *arguments, *keywords.values())
            result = watcher.leave(call, watcher.functions[self._function].first, result)
        return result

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        return lambda *arguments, **keywords: self(instance, *arguments, **keywords)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._decorated, name)


class WatchedTrace(Trace):
    """A trace that also reports each generated successor to a watcher."""

    watcher: Watcher

    def generate(self, parent: int, action: str) -> int:
        """The number of the successor, recorded as in `Trace`."""
        number = super().generate(parent, action)
        self.watcher.made(number)
        return number


class WatchedNode(CountedNode):
    """A counted node that also reports when its score is read."""

    __slots__ = ()

    @property
    def score(self) -> float:  # type: ignore[override]
        """The score of the node inside."""
        score = self.inside.score
        watcher: Watcher | None = getattr(self._trace, "watcher", None)
        if watcher:
            watcher.read_score(self.number, score)
        return score

    def successor(self, action: str) -> WatchedNode:
        """The successor after `action`, which the trace now contains."""
        inside = self.inside.successor(action)
        return WatchedNode(inside, self._trace, self._trace.generate(self.number, action))


_NO_NUMBERS = (bool, str, tuple, list, dict, type(None))
"""Types of which no value is a number: Python looks them up faster than abstract classes."""


def plain(value: Any) -> float | None:
    """`value` if it is a number (no bool, no NaN); else None. Infinite numbers count."""
    if type(value) is float or type(value) is int:
        number = value
    elif isinstance(value, _NO_NUMBERS) or not isinstance(value, Real | Decimal):
        return None
    else:
        try:
            number = float(value)
        except (OverflowError, TypeError, ValueError):
            return None
    if number != number or (abs(number) > 1e300 and abs(number) != float("inf")):
        return None
    return float(number)


def numbers_in(result: Any) -> tuple[tuple[str, float], ...]:
    """The numbers in a result, each with its place: "" for the result itself, "[0]", ".value"."""
    number = plain(result)
    if number is not None:
        return (("", number),)
    parts = _parts(result)
    numbers = [(place, number) for place, part in parts if (number := plain(part)) is not None]
    if not numbers and isinstance(result, tuple):
        pairs = [part for _, part in parts if isinstance(part, tuple)]
        numbers = [(IN_A_PAIR, number) for part in pairs for _, number in numbers_in(part)]
    return tuple(numbers[:MAX_NUMBERS])


def _action_in(result: Any) -> str:
    """The only text in a result, which may be an action; empty if there is none, or more than one."""
    if type(result) is float or type(result) is int:
        return ""
    texts = [part for _, part in _parts(result) if isinstance(part, str)]
    return str.__str__(texts[0])[:MAX_TEXT] if len(texts) == 1 else ""


def _parts(result: Any) -> list[tuple[str, Any]]:
    """The parts of a pair, a short list, a dictionary or an object that may hold a value."""
    if isinstance(result, tuple | list):
        return list(zip(_PLACES, result, strict=False)) if len(result) <= PAIR else []
    if isinstance(result, dict):
        items = result.items() if len(result) <= PAIR else ()
        return [(f"[{key!r}]", part) for key, part in items if isinstance(key, str)]
    if isinstance(result, str | bytes | CountedNode):
        return []
    # the slots of a state say nothing
    slots = [name for name in getattr(type(result), "__slots__", ()) if name[0] != "_"]
    names = [*getattr(result, "__dict__", {}), *slots][:MAX_NUMBERS]
    return [(f".{name}", getattr(result, name, None)) for name in names]


def _may_hold_node(argument: Any) -> bool:
    """True for an argument in which a node may stand: an object that is neither a collection nor an agent."""
    is_plain = type(argument) in (int, float) or isinstance(argument, tuple | dict | list | str | bytes | CountedNode)
    return not is_plain and not hasattr(type(argument), "evaluate")


def with_number(result: Any, place: str, number: float) -> Any:
    """The result with another number at a place; unchanged if it has no such place."""
    if place == "":
        return number if plain(result) is not None else result
    try:
        if place.startswith("."):
            copied = copy.copy(result)
            object.__setattr__(copied, place[1:], number)
            return copied
        if isinstance(result, dict):
            return {**result, place[2:-2]: number}
        index = int(place[1:-1])
        parts = [*result[:index], number, *result[index + 1 :]]
        if isinstance(result, list):
            return parts
        make: Any = getattr(type(result), "_make", tuple)
        return make(parts)
    except Exception:  # an object that does not let itself be copied or changed
        return result


def small_variables(frame: FrameType) -> Iterator[tuple[str, str]]:
    """The local variables of a frame whose values are numbers, short texts or short tuples of them, as text."""
    file, around = frame.f_code.co_filename, frame
    # out of a comprehension, which is a part of its function in newer versions of Python, and out of what runs it
    while around.f_code.co_name in COMPREHENSIONS or around.f_code.co_filename != file:
        if around.f_back is None:
            return
        around = around.f_back
    count = 0
    own = getattr(around.f_locals.get("self"), "__dict__", None)
    attributes = {f"self.{name}": value for name, value in own.items()} if type(own) is dict else {}
    for name, value in [*around.f_locals.items(), *attributes.items()]:
        if count < MAX_NAMES and not name.startswith(("__", ".")):
            text = _small_text(value)
            if text:
                count += 1
                yield name[:MAX_TEXT], text


def _small_text(value: Any, depth: int = 0) -> str:
    """A number, a text, None, or a short tuple or list of them, as text; empty for anything else and for a long one."""
    if value is None or type(value) in (bool, int, float, str):
        if (type(value) is int and abs(value) > 1e40) or (type(value) is str and len(value) > MAX_TEXT):
            return ""
        return f"{value:.6g}" if type(value) is float else repr(value)[:MAX_TEXT]
    if depth == 0 and isinstance(value, tuple | list) and len(value) <= PAIR:
        parts = [_small_text(part, 1) for part in value]
        if all(parts):
            text, end = ", ".join(parts), "," if len(parts) == 1 else ""
            if isinstance(value, tuple):
                return f"({text}{end})"[:MAX_TEXT]
            return text and f"[{text}]"[:MAX_TEXT]  # an empty list is mostly one that will be filled
    return ""
