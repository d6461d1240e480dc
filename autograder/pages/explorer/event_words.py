"""Each step of a search in words, with its arithmetic: "MIN: the smallest of 3, 12 and 8 is 3"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.pages.explorer.event_hook import HookStep, Outcome
from autograder.pages.explorer.events import Kind, probability_texts
from pacman.core.numbers import format_interval, format_number, format_window
from pacman.core.tree import Layer
from pacman.record.report import ReportNode, SearchReport
from pacman.record.trace import CUTS, ExitReason
from pacman.record.words import EXTREMES, extreme, product

MAX_TERMS = 12
"""A sum or a list with more terms is shortened."""
LOW, HIGH = 2, 3
"""Where an `Outcome` has the least and the greatest value."""
Term = tuple[str, float, float]
"""A probability as text and as a number, and the value that it weighs."""


@dataclass(frozen=True)
class StepWords:
    """Finds the words for the steps of one search; `report` shows what the search knows after each of its entries.

    `probes` is the greatest number of moves that one probe searches.
    """

    report: SearchReport
    has_windows: bool
    is_strict: bool
    probes: int = 1

    def words(self, step: HookStep) -> str:
        """One sentence that says what happens in the step, and why."""
        node = self.report.nodes[step.number]
        match step.kind:
            case Kind.ENTER:
                return f"Enter {self.kind_and_name(node)}{self._window(step)}"
            case Kind.PROBE:
                return f"Probe {self.kind_and_name(node)}{self._window(step)}: {self._probe(node)}"
            case Kind.WINDOW:
                return self._window_change(step, node)
            case Kind.BOUNDS:
                low, high = (mean_text(_terms(node, step.outcomes, end)) for end in (LOW, HIGH))
                return f"CHANCE: the mean is at least {low}, and at most {high}"
            case Kind.CUT:
                return self._cut(step, node)
        return self._value(step, node)

    def kind_and_name(self, node: ReportNode) -> str:
        """The layer of a node and its name: "MIN node a > b"."""
        if node.node.is_terminal:
            return f"leaf {self.name(node.number)}" if node.number else "the root, a leaf"
        layer = node.node.layer.name
        at_horizon = ", at the horizon" if node.depth == self.report.plies else ""
        return f"{layer} node {self.name(node.number)}{at_horizon}" if node.number else f"the root, {layer}{at_horizon}"

    def name(self, number: int) -> str:
        """The actions that lead to a node."""
        return " > ".join(self.report.nodes[each].action for each in self.report.path(number)[1:]) or "the root"

    def _window(self, step: HookStep) -> str:
        return f", window {format_window(step.alpha, step.beta)}" if self.has_windows else ""

    def _probe(self, node: ReportNode) -> str:
        layer = node.node.layer
        if layer is Layer.CHANCE:
            return "search some moves of its outcomes, to narrow the mean"
        limit = "at most" if layer is Layer.MIN else "at least"
        if self.probes == 1:
            return f"search one move; the node is worth {limit} what this move is worth"
        return f"search up to {self.probes} moves; the node is worth {limit} the {EXTREMES[layer]} of their values"

    def _window_change(self, step: HookStep, node: ReportNode) -> str:
        is_max = node.node.layer is Layer.MAX
        if step.value is None:
            limit, end, bound = ("above U", "beta", step.beta) if is_max else ("below L", "alpha", step.alpha)
            return f"{node.node.layer.name}: no value is {limit}, so {end} is now {format_number(bound)}"
        end, bound = ("alpha", step.alpha) if is_max else ("beta", step.beta)
        change = f"{end} is now {format_number(bound)}"
        return f"{node.node.layer.name}: {step.action} is worth {format_number(step.value)}, so {change}"

    def _cut(self, step: HookStep, node: ReportNode) -> str:
        assert step.value is not None
        layer = node.node.layer
        value, is_low = format_number(step.value), layer is Layer.MIN
        if layer is Layer.CHANCE:
            is_low = step.value <= step.alpha
            terms = _terms(node, step.outcomes, HIGH if is_low else LOW)
            value = f"{'at most' if is_low else 'at least'} {mean_text(terms)}"
        strict = self.is_strict and layer is not Layer.CHANCE
        sign = ("<" if strict else "≤") if is_low else (">" if strict else "≥")
        end = f"alpha {format_number(step.alpha)}" if is_low else f"beta {format_number(step.beta)}"
        rest = _listed(step.rest)
        is_seen = any(child not in node.unseen for child in step.rest)
        result = f"no further search of {rest}" if is_seen else f"the rest is cut: {rest}"
        return f"{layer.name}: {value} {sign} {end}, so {result}"

    def _value(self, step: HookStep, node: ReportNode) -> str:
        assert step.value is not None
        value, visit, layer = format_number(step.value), self.report.steps[step.entry], node.node.layer
        name = self.name(node.number)
        known = format_interval(*self.report.claims[step.entry])
        if visit.why is ExitReason.LEAF:
            what = "utility" if node.node.is_terminal else "evaluation"
            return f"{'Leaf' if node.node.is_terminal else 'Horizon'} {name}: {what} {value}"
        if visit.why is ExitReason.KNOWN:
            return f"{name} is known already: {known}"
        if visit.why is ExitReason.BOUND:
            return self._bound(step, value)
        if visit.why in CUTS:
            return f"Leave {name} with {value}: its value is {known}"
        if layer is Layer.CHANCE:
            return f"CHANCE: {self._mean(step, node)}"
        terms = [format_interval(*self.report.claims[entry]) for _, entry in step.children]
        shown = terms if len(terms) <= MAX_TERMS else [f"{len(terms)} values"]
        return f"{layer.name}: {extreme(layer, shown)} is {known}"

    def _bound(self, step: HookStep, value: str) -> str:
        assert step.value is not None
        is_low = step.value <= step.alpha
        end = f"≤ alpha {format_number(step.alpha)}" if is_low else f"≥ beta {format_number(step.beta)}"
        limit = f"no value is above U = {value}" if is_low else f"no value is below L = {value}"
        return f"Bounds: {limit}, and {value} {end}, so no search is needed"

    def _mean(self, step: HookStep, node: ReportNode) -> str:
        """The mean of a CHANCE node whose outcomes were all searched."""
        outcomes = step.outcomes
        if not outcomes:
            intervals = {action: self.report.claims[entry] for action, entry in step.children}
            outcomes = tuple((action, chance, *intervals[action]) for action, chance in node.node.outcomes())
        low, high = (_terms(node, outcomes, end) for end in (LOW, HIGH))
        if low == high:
            return mean_text(low)
        is_high = _mean(high) == step.value
        return f"{'at most' if is_high else 'at least'} {mean_text(high if is_high else low)}"


def mean_text(terms: Sequence[Term]) -> str:
    """A weighted sum and its result: "1/2 × 3 + 1/2 × 5 = 4"; without its terms if they are too many."""
    products = " + ".join(product(text, format_number(value)) for text, _, value in terms)
    result = format_number(_mean(terms))
    return f"{products} = {result}" if len(terms) <= MAX_TERMS else f"{result} (a sum of {len(terms)} terms)"


def _mean(terms: Sequence[Term]) -> float:
    total = 0.0  # in the order of the outcomes, as the searches add
    for _, probability, value in terms:
        total += probability * value
    return total


def _terms(node: ReportNode, outcomes: Sequence[Outcome], end: int) -> list[Term]:
    """The terms of the mean of a CHANCE node, with one end of the interval of each outcome."""
    texts = probability_texts(node.node)
    return [(texts[outcome[0]], outcome[1], float(outcome[end])) for outcome in outcomes]


def _listed(actions: Sequence[str]) -> str:
    shown = ", ".join(actions[:MAX_TERMS])
    return shown if len(actions) <= MAX_TERMS else f"{shown} and {len(actions) - MAX_TERMS} more"
