"""How the value of a node follows from its successors, as one line of words: for the window and for pages.

node_in_words(report, number, step)    the line of a node in a report, at a step or at the end
Arithmetic(node, successors, ...)      the same from plain values
step_words(report, step)               what happens in a step of a search, and why
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf
from typing import NamedTuple

from pacman.core.errors import listed
from pacman.core.numbers import format_interval, format_number, format_probability, format_window
from pacman.core.tree import Layer, Node
from pacman.record.report import UNKNOWN, Interval, ReportNode, SearchReport, interval_of_successors
from pacman.record.steps import Kind, Step
from pacman.record.trace import CUTS, ExitReason

EXTREMES = {Layer.MAX: "largest", Layer.MIN: "smallest"}
NOT_KNOWN = "value not known"
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
        return f"{word}: {format_interval(*interval, decimals) or NOT_KNOWN}"
    successors = [
        Successor(each.action, report.interval(each.number, step), each.probability)
        for each in (report.nodes[child] for child in node.children)
        if step is None or report.entry(each.number, step) is not None or report.interval(each.number, step) != UNKNOWN
    ]
    why = entry.why if report.has_left(number, step) else None
    return Arithmetic(node.node, successors, (entry.alpha, entry.beta), interval, why, decimals).words()


@dataclass(frozen=True)
class Arithmetic:
    """How the value of an inner node follows from its successors so far.

    `window` is (alpha, beta), `interval` is what the search knows about the node's value, and `why` is the reason why
    it left the node; None while it is still at the node. All numbers have so many `decimals`; None means as many as
    each needs.

    >>> from pacman.core.tree_text import Outline
    >>> a, b = Successor("a", (3, 3)), Successor("b", (12, 12))
    >>> Arithmetic(Outline.parse("min { a: 3; b: 12 }"), [a, b], UNKNOWN, (3, 3), ExitReason.VALUE).words()
    'MIN: the smallest of 3 and 12 is 3'
    >>> Arithmetic(Outline.parse("max { a: 3; b: 1; c: 2 }"), [a], (1, 2), (3, 99), ExitReason.BETA_CUT).words()
    'MAX: 3 ≥ beta 2, so the rest is cut: b and c'
    >>> Arithmetic(Outline.parse("min { a: 3; b: 12 }"), [], UNKNOWN, (7, 7), ExitReason.LEAF).words()
    'MIN: the search returned 7 and looked at no successor (a and b)'
    >>> halves = [a._replace(probability=0.5), b._replace(probability=0.5)]
    >>> Arithmetic(Outline.parse("chance { a: 3; b: 12 }"), halves, UNKNOWN, (7.5, 7.5), ExitReason.VALUE).words()
    'CHANCE: 1/2 × 3 + 1/2 × 12 = 7.5'
    """

    node: Node
    successors: Sequence[Successor]
    window: Interval
    interval: Interval
    why: ExitReason | None
    decimals: int | None = None

    def words(self) -> str:
        """The line of words, after the name of the layer."""
        known_actions = {successor.action for successor in self.successors}
        rest = [action for action in self.node.actions() if action not in known_actions]
        known = self._text(self.interval)
        match self.why:
            case None:
                unknown = [each.action for each in self.successors if each.interval == UNKNOWN]
                now = f"; now at {listed(unknown)}" if unknown else ""
                still = f"; still to search: {listed(rest)}" if rest else ""
                return f"{self.node.layer.name} so far: {self._so_far()}{now}{still}"
            case ExitReason.KNOWN:
                words = f"{known}, known from before"
            case ExitReason.STOPPED:
                words = "the search was stopped here"
            case ExitReason.PROBED:
                words = f"a probe, which tried only some moves: {known}"
            case ExitReason.BOUND:
                words = f"the bounds [L, U] give {known}{self._outside()}: nothing to search"
            case ExitReason.PROBE_CUT:
                words = f"the probes give {known}{self._outside()}, so the rest is cut"
            case ExitReason.LEAF | ExitReason.VALUE if rest and not self.successors:
                words = f"the search returned {known} and looked at no successor ({listed(rest)})"
            case _:
                words = self._cut(listed(rest)) if rest else self._whole() if self.successors else known
        return f"{self.node.layer.name}: {words}"

    def _text(self, interval: Interval) -> str:
        return format_interval(*interval, self.decimals) or NOT_KNOWN

    def _terms(self, successors: Sequence[Successor]) -> list[str]:
        """The values of successors; at a CHANCE node each with its probability."""
        values = [format_interval(*each.interval, self.decimals) or "?" for each in successors]
        return [
            value if each.probability is None else product(format_probability(each.probability), value)
            for each, value in zip(successors, values, strict=True)
        ]

    def _so_far(self) -> str:
        terms = self._terms([each for each in self.successors if each.interval != UNKNOWN])
        if not terms or self.node.layer is Layer.CHANCE:
            return " + ".join(terms) if terms else "no value"
        return terms[0] if len(terms) == 1 else f"the {EXTREMES[self.node.layer]} of {listed(terms)}"

    def _whole(self) -> str:
        """The arithmetic of a node with all successors searched; it says so if the search returned another value."""
        intervals, weights = [each.interval for each in self.successors], [each.probability for each in self.successors]
        right = interval_of_successors(self.node.layer, intervals, [weight or 0.0 for weight in weights], True)
        size = max((abs(end) for end in (*right, *self.interval) if not isinf(end)), default=0.0)
        error = ROUNDING * (1 + size)
        is_wrong = right[0] > self.interval[1] + error or self.interval[0] > right[1] + error
        low, high = right if is_wrong else self.interval
        but_returned = f", but the search returned {self._text(self.interval)}" if is_wrong else ""
        value, terms = f"{self._text((low, high))}{but_returned}", self._terms(self.successors)
        if self.node.layer is Layer.CHANCE:
            return f"{' + '.join(terms)} {'=' if low == high else 'is'} {value}"
        extreme = f"the {EXTREMES[self.node.layer]} of {listed(terms)}"
        return f"{extreme} is {value}" if terms[1:] else f"the only successor gives {value}"

    def _cut(self, skipped: str) -> str:
        """Why the search skipped some actions, from the value so far and the window."""
        (low, high), (alpha, beta), layer, is_cut = self.interval, self.window, self.node.layer, self.why in CUTS
        words = ""
        if layer is Layer.CHANCE:
            words = f"{self._text(self.interval)}{self._outside()}" if self._outside() else ""
        elif is_cut and layer is Layer.MAX and low >= beta:
            words = f"{format_number(low, self.decimals)} ≥ beta {format_number(beta, self.decimals)}"
        elif is_cut and layer is Layer.MIN and high <= alpha:
            words = f"{format_number(high, self.decimals)} ≤ alpha {format_number(alpha, self.decimals)}"
        return f"{words}, so the rest is cut: {skipped}" if words else f"{self._so_far()}; the search skipped {skipped}"

    def _outside(self) -> str:
        """On which side of the window the whole interval lies, as text; "" if it does not."""
        (low, high), (alpha, beta) = self.interval, self.window
        if high <= alpha and not isinf(alpha):
            return f", not above alpha {format_number(alpha, self.decimals)}"
        return f", not below beta {format_number(beta, self.decimals)}" if low >= beta and not isinf(beta) else ""


def product(probability: str, value: str) -> str:
    """A term of the mean of a CHANCE node.

    >>> product("1/2", "3"), product("1/2", "≤3")
    ('1/2 × 3', '1/2 × (≤3)')
    """
    is_plain = value == "?" or (value[0].isdigit() and ".." not in value)
    return f"{probability} × {value if is_plain else f'({value})'}"


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
    successors = []
    for child in (report.nodes[number] for number in node.children):
        entries = [each for each in child.steps if each < report.ends[index] or each < index]
        if entries:
            successors.append(Successor(child.action, report.claims[entries[-1]], child.probability))
    return Arithmetic(node.node, successors, (visit.alpha, visit.beta), report.claims[index], visit.why).words()


def _mean(node: ReportNode, values: Sequence[float]) -> str:
    """A weighted sum and its result: "1/2 × 3 + 1/2 × 5 = 4"."""
    outcomes = node.node.outcomes()
    total = 0.0  # in the order of the outcomes, as the searches add
    for (_, probability), value in zip(outcomes, values, strict=True):
        total += probability * value
    pairs = zip(outcomes, values, strict=True)
    terms = [product(format_probability(each[1]), format_number(value)) for each, value in pairs]
    return f"{' + '.join(terms)} = {format_number(total)}"
