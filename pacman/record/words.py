"""How the value of a node follows from its successors, as one line of words: for the window and for pages.

node_in_words(report, number, step)    the line of a node in a report, at a step or at the end
arithmetic(layer, successors, ...)     the same from plain values
step_words(report, step)               what happens in a step of a search, and why
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import NamedTuple

from pacman.core.errors import listed
from pacman.core.numbers import format_interval, format_number, format_probability, format_window
from pacman.core.tree import Layer
from pacman.record.report import UNKNOWN, Interval, ReportNode, SearchReport, interval_of_successors
from pacman.record.steps import Kind, Step
from pacman.record.trace import CUTS, ExitReason

EXTREMES = {Layer.MAX: "largest", Layer.MIN: "smallest"}
MAX_TERMS = 12
"""A sum or a list with more terms is shortened."""
ROUNDING = 1e-9
"""Values that differ by less than this part of their size are taken as equal: sums have rounding errors."""


class Successor(NamedTuple):
    """A successor that the search made: its action, the interval of its value, its probability below a CHANCE node."""

    action: str
    interval: Interval
    probability: float | None = None


def node_in_words(report: SearchReport, number: int, step: int | None = None, decimals: int | None = None) -> str:
    """The arithmetic of a node of a report, at `step` or (None) at the end of the search; "" if it was not entered.

    Its numbers have so many `decimals`, or those of the report.
    """
    node, entry = report.nodes[number], report.entry(number, step)
    decimals = report.decimals if decimals is None else decimals
    if entry is None:
        return ""
    interval = report.interval(number, step)
    if node.layer is None or (entry.plies <= 0 and not node.children):
        word = "utility" if node.layer is None else "evaluation, at the horizon"
        return f"{word}: {_words(interval, decimals)}"
    successors = [
        Successor(each.action, report.interval(each.number, step), each.probability)
        for each in (report.nodes[child] for child in node.children)
        if step is None or report.entry(each.number, step) is not None or report.interval(each.number, step) != UNKNOWN
    ]
    seen = {successor.action for successor in successors}
    rest = tuple(action for action in node.node.actions() if action not in seen)
    why = entry.why if report.has_left(number, step) else None
    return arithmetic(node.layer, successors, rest, (entry.alpha, entry.beta), interval, why, decimals)


def arithmetic(
    layer: Layer,
    successors: Sequence[Successor],
    rest: Sequence[str] = (),
    window: Interval = UNKNOWN,
    interval: Interval = UNKNOWN,
    why: ExitReason | None = None,
    decimals: int | None = None,
) -> str:
    """How a node's value follows from its successors so far.

    `rest` are the actions without a searched successor, `window` is (alpha, beta), `interval` is what the search knows
    about the node's value, and `why` is the reason why it left the node; None while it is still at the node. All
    numbers have so many `decimals`; None means as many as each needs.

    >>> arithmetic(Layer.MIN, [Successor("a", (3, 3)), Successor("b", (12, 12))], (), UNKNOWN, (3, 3), ExitReason.VALUE)
    'MIN: the smallest of 3 and 12 is 3'
    >>> arithmetic(Layer.MAX, [Successor("a", (5, 5))], ("b", "c"), (1, 4), (5, 99), ExitReason.BETA_CUT)
    'MAX: 5 ≥ beta 4, so the rest is cut: b and c'
    >>> arithmetic(Layer.MIN, [], ("a", "b"), UNKNOWN, (7, 7), ExitReason.LEAF)
    'MIN: the search returned 7 and looked at no successor (a and b)'
    >>> halves = [Successor("a", (3, 3), 0.5), Successor("b", (5, 5), 0.5)]
    >>> arithmetic(Layer.CHANCE, halves, (), UNKNOWN, (4, 4), ExitReason.VALUE)
    'CHANCE: 1/2 × 3 + 1/2 × 5 = 4'
    """
    name = layer.name
    if why is None:
        unknown = [each.action for each in successors if each.interval == UNKNOWN]
        now = f"; now at {listed(unknown)}" if unknown else ""
        return f"{name} so far: {_so_far(layer, successors, decimals)}{now}" + (
            f"; still to search: {listed(rest)}" if rest else ""
        )
    if why is ExitReason.KNOWN:
        return f"{name}: {_words(interval, decimals)}, known from before"
    if why is ExitReason.STOPPED:
        return f"{name}: the search was stopped here"
    if why is ExitReason.PROBED:
        return f"{name}: a probe, which tried only some moves: {_words(interval, decimals)}"
    if why is ExitReason.BOUND:
        known = f"{_words(interval, decimals)}{_outside(interval, window, decimals)}"
        return f"{name}: the bounds [L, U] give {known}: nothing to search"
    if why is ExitReason.PROBE_CUT:
        known = f"{_words(interval, decimals)}{_outside(interval, window, decimals)}"
        return f"{name}: the probes give {known}, so the rest is cut"
    if rest and not successors and why in (ExitReason.LEAF, ExitReason.VALUE):
        return f"{name}: the search returned {_words(interval, decimals)} and looked at no successor ({listed(rest)})"
    if rest:
        return f"{name}: {_cut(layer, successors, rest, window, interval, why, decimals)}"
    if not successors:
        return f"{name}: {_words(interval, decimals)}"
    return f"{name}: {_whole(layer, successors, interval, decimals)}"


def _words(interval: Interval, decimals: int | None) -> str:
    return format_interval(*interval, decimals) or "value not known"


def _terms(successors: Sequence[Successor], decimals: int | None) -> list[str]:
    """The known values of the successors; at a CHANCE node each with its probability."""
    terms = []
    for successor in successors:
        value = format_interval(*successor.interval, decimals) or "?"
        if successor.probability is not None:
            value = product(format_probability(successor.probability), value)
        terms.append(value)
    return terms


def product(probability: str, value: str) -> str:
    """A term of the mean of a CHANCE node.

    >>> product("1/2", "3"), product("1/2", "≤3")
    ('1/2 × 3', '1/2 × (≤3)')
    """
    is_plain = value == "?" or (value[0].isdigit() and ".." not in value)
    return f"{probability} × {value if is_plain else f'({value})'}"


def extreme(layer: Layer, terms: Sequence[str]) -> str:
    """What MAX or MIN takes of these values.

    >>> extreme(Layer.MIN, ["3", "12", "8"])
    'the smallest of 3, 12 and 8'
    """
    shown = listed(terms) if len(terms) <= MAX_TERMS else f"{len(terms)} values"
    return f"the {EXTREMES[layer]} of {shown}"


def _sum(terms: Sequence[str]) -> str:
    return " + ".join(terms) if len(terms) <= MAX_TERMS else f"a sum of {len(terms)} terms"


def _so_far(layer: Layer, successors: Sequence[Successor], decimals: int | None) -> str:
    terms = _terms([each for each in successors if each.interval != UNKNOWN], decimals)
    if not terms:
        return "no value"
    if layer is Layer.CHANCE:
        return _sum(terms)
    return terms[0] if len(terms) == 1 else extreme(layer, terms)


def _whole(layer: Layer, successors: Sequence[Successor], interval: Interval, decimals: int | None) -> str:
    """The arithmetic of a node with all successors searched; it says so if the search returned another value."""
    right = interval_of_successors(
        layer, [successor.interval for successor in successors], [each.probability or 0.0 for each in successors], True
    )
    size = max((abs(end) for end in (*right, *interval) if not isinf(end)), default=0.0)
    error = ROUNDING * (1 + size)
    is_wrong = right[0] > interval[1] + error or interval[0] > right[1] + error
    value = _words(right if is_wrong else interval, decimals)
    returned = f", but the search returned {_words(interval, decimals)}" if is_wrong else ""
    if layer is Layer.CHANCE:
        low, high = right if is_wrong else interval
        relation = "=" if low == high else "is"
        return f"{_sum(_terms(successors, decimals))} {relation} {value}{returned}"
    terms = _terms(successors, decimals)
    if len(terms) == 1:
        return f"the only successor gives {value}{returned}"
    return f"{extreme(layer, terms)} is {value}{returned}"


def _cut(
    layer: Layer,
    successors: Sequence[Successor],
    rest: Sequence[str],
    window: Interval,
    interval: Interval,
    why: ExitReason,
    decimals: int | None,
) -> str:
    """Why the search skipped `rest`, from the value so far and the window."""
    skipped = listed(rest)
    low, high = interval
    alpha, beta = window
    if layer is Layer.CHANCE:
        outside = _outside(interval, window, decimals)
        return (
            f"{_words(interval, decimals)}{outside}, so the rest is cut: {skipped}"
            if outside
            else (f"{_so_far(layer, successors, decimals)}; the search skipped {skipped}")
        )
    if why in CUTS and layer is Layer.MAX and low >= beta:
        return f"{format_number(low, decimals)} ≥ beta {format_number(beta, decimals)}, so the rest is cut: {skipped}"
    if why in CUTS and layer is Layer.MIN and high <= alpha:
        return (
            f"{format_number(high, decimals)} ≤ alpha {format_number(alpha, decimals)}, so the rest is cut: {skipped}"
        )
    return f"{_so_far(layer, successors, decimals)}; the search skipped {skipped}"


def _outside(interval: Interval, window: Interval, decimals: int | None) -> str:
    """On which side of the window (alpha, beta) the whole interval lies, as text; "" if it does not."""
    (low, high), (alpha, beta) = interval, window
    if high <= alpha and not isinf(alpha):
        return f", not above alpha {format_number(alpha, decimals)}"
    if low >= beta and not isinf(beta):
        return f", not below beta {format_number(beta, decimals)}"
    return ""


# ---- what happens in a step


def step_words(report: SearchReport, step: Step, has_window: bool = True) -> str:
    """One sentence that says what happens in a step, and why; with its window if that is known."""
    node = report.nodes[step.node]
    layer = node.node.layer
    window = f", window {format_window(step.alpha, step.beta)}" if has_window else ""
    match step.kind:
        case Kind.ENTER:
            return f"Enter {kind_and_name(report, step.node)}{window}"
        case Kind.PROBE:
            what = "search some moves of its outcomes, to narrow the mean"
            if layer in EXTREMES:
                limit = "at most" if layer is Layer.MIN else "at least"
                what = f"search some moves; the node is worth {limit} the {EXTREMES[layer]} of their values"
            return f"Probe {kind_and_name(report, step.node)}{window}: {what}"
        case Kind.WINDOW:
            end, bound = ("alpha", step.alpha) if layer is Layer.MAX else ("beta", step.beta)
            why = f"{step.action} is worth {format_number(step.value or 0.0)}"
            if step.value is None:
                end, bound = ("beta", step.beta) if layer is Layer.MAX else ("alpha", step.alpha)
                why = "no value is above U" if layer is Layer.MAX else "no value is below L"
            return f"{layer.name}: {why}, so {end} is now {format_number(bound)}"
        case Kind.BOUNDS:
            lows, highs = (_mean(node, [outcome[end] for outcome in step.outcomes]) for end in (0, 1))
            return f"CHANCE: the mean is at least {lows}, and at most {highs}"
        case Kind.CUT:
            return _visit_words(report, step.visit)
    return _value_words(report, step)


def kind_and_name(report: SearchReport, number: int) -> str:
    """The layer of a node and its name: "MIN node a > b"."""
    node = report.nodes[number]
    name = " > ".join(report.nodes[each].action for each in report.path(number)[1:])
    if node.layer is None:
        return f"leaf {name}" if number else "the root, a leaf"
    place = ", at the horizon" if node.depth == report.plies else ", below the horizon"
    place = place if node.depth >= report.plies else ""
    return f"{node.layer.name} node {name}{place}" if number else f"the root, {node.layer.name}{place}"


def _value_words(report: SearchReport, step: Step) -> str:
    """What the value of a node is with which the search leaves it."""
    visit, node = report.steps[step.visit], report.nodes[step.node]
    name = kind_and_name(report, step.node)
    known = format_interval(*step.interval)
    if visit.value is None:
        return f"Leave {name}"
    if visit.why is ExitReason.KNOWN:
        return f"{name[:1].upper()}{name[1:]} is known already: {known}"
    if visit.why is ExitReason.LEAF and (node.layer is None or node.depth == report.plies):
        what = "utility" if node.layer is None else "evaluation"
        return f"{name[:1].upper()}{name[1:]}: {what} {format_number(visit.value)}"
    if visit.why in CUTS and visit.why is not ExitReason.BOUND:
        value = format_number(visit.value)
        return f"Leave {name} with {value}" + (f": its value is {known}" if known != value else "")
    return _visit_words(report, step.visit)


def _visit_words(report: SearchReport, index: int) -> str:
    """The arithmetic of a node at the end of a visit of it."""
    visit = report.steps[index]
    node = report.nodes[visit.number]
    assert node.layer is not None
    successors = []
    for child in (report.nodes[number] for number in node.children):
        entries = [each for each in child.steps if each < report.ends[index] or each < index]
        if entries:
            successors.append(Successor(child.action, report.claims[entries[-1]], child.probability))
    seen = {each.action for each in successors}
    rest = tuple(action for action in node.node.actions() if action not in seen)
    window, claim = (visit.alpha, visit.beta), report.claims[index]
    return arithmetic(node.layer, successors, rest, window, claim, visit.why)


def _mean(node: ReportNode, values: Sequence[float]) -> str:
    """A weighted sum and its result: "1/2 × 3 + 1/2 × 5 = 4"; without its terms if they are too many."""
    outcomes = node.node.outcomes()
    total = 0.0  # in the order of the outcomes, as the searches add
    for (_, probability), value in zip(outcomes, values, strict=True):
        total += probability * value
    pairs = zip(outcomes, values, strict=True)
    terms = [product(format_probability(each[1]), format_number(value)) for each, value in pairs]
    return f"{_sum(terms)} = {format_number(total)}"
