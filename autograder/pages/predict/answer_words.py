"""Where a wrong answer comes from, and why the right one is right: sentences with the numbers of the situation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograder.pages.predict.situations import Answer, Kind, Situation
from pacman.core.errors import listed
from pacman.core.numbers import format_number, format_window
from pacman.core.tree import Layer
from pacman.record.words import EXTREMES

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
COUNTS = {
    MAX: "at a MAX node the largest value counts",
    MIN: "at a MIN node the smallest value counts",
    CHANCE: "at a CHANCE node each value counts with its probability",
}


def told(words: str, situation: Situation, answer: Answer) -> str:
    """The words with the numbers of the situation in place of the names in braces, which are those of `FIELDS`."""
    return words.format_map(_Numbers(situation, answer))


class _Numbers(dict[str, str]):
    """The fields of a sentence. A number that the sentence does not name is not computed."""

    def __init__(self, situation: Situation, answer: Answer) -> None:
        self.situation, self.answer = situation, answer

    def __missing__(self, name: str) -> str:
        return FIELDS[name](self.situation, self.answer)


def answer_text(answer: Answer) -> str:
    """A number, a window, yes or no, or an action."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, tuple):
        return format_window(*answer)
    return answer if isinstance(answer, str) else format_number(answer)


def numbers(values: Sequence[float]) -> str:
    """Some numbers as a list."""
    return listed([format_number(each) for each in values])


def window_now(s: Situation) -> tuple[float, float]:
    """The window of the node after the children that the search has seen."""
    alpha, beta = s.window
    return (max([alpha, *s.values]) if s.layer is MAX else alpha), (min([beta, *s.values]) if s.layer is MIN else beta)


def weighted(s: Situation) -> float:
    """The sum of the products of the first probabilities and the values of the children seen."""
    return sum(p * value for p, value in zip(s.probabilities, s.values, strict=False))


def _best(s: Situation) -> float:
    return (max if s.layer is MAX else min)(s.values)


def _ties(s: Situation, answer: Answer) -> str:
    value = _value_of(s, answer)
    return listed([action for action, each in zip(s.actions, s.values, strict=False) if each == value])


def _value_of(s: Situation, answer: Answer) -> float:
    return s.values[s.actions.index(str(answer))]


FIELDS: dict[str, Callable[[Situation, Answer], str]] = {
    "guess": lambda s, answer: answer_text(answer),
    "right": lambda s, _: answer_text(s.right),
    "layer": lambda s, _: s.layer.name,
    "extreme": lambda s, _: EXTREMES[s.layer],
    "rule": lambda s, _: "the weighted mean" if s.layer is CHANCE else f"the {EXTREMES[s.layer]}",
    "counts": lambda s, _: COUNTS[s.layer],
    # The children.
    "values": lambda s, _: numbers(s.values),
    "negated": lambda s, _: numbers([-each for each in s.values]),
    "all": lambda s, _: numbers([*s.values, *s.others]),
    "have": lambda s, _: "they have" if len(s.values) > 1 else "the only one has",
    "best": lambda s, _: format_number(_best(s)),
    "last": lambda s, _: format_number(s.values[-1]),
    "first_child": lambda s, _: s.actions[0],
    "last_child": lambda s, _: s.actions[s.place - 1],
    "rest": lambda s, _: listed(s.actions[s.place :]),
    "value": lambda s, answer: format_number(_value_of(s, answer)),
    "ties": _ties,
    # The window of the node, and what is left of it after the children seen.
    "window": lambda s, _: format_window(*s.window),
    "now": lambda s, _: format_window(*window_now(s)),
    "alpha_now": lambda s, _: format_number(window_now(s)[0]),
    "beta_now": lambda s, _: format_number(window_now(s)[1]),
    "own": lambda s, _: {MAX: "alpha", MIN: "beta", CHANCE: ""}[s.layer],
    "other": lambda s, _: "beta" if s.layer is MAX else "alpha",
    "own_bound": lambda s, _: format_number(s.window[0] if s.layer is MAX else s.window[1]),
    "bound_name": lambda s, answer: "alpha" if answer == s.window[0] else "beta",
    "sum": lambda s, _: format_number(weighted(s)),
}
"""What a sentence can name: a name in braces -> its text for a situation and an answer."""


def why_right(situation: Situation, event: str) -> str:
    """The arithmetic behind the right answer. `event` is what the explorer says about the event."""
    s, kind = situation, situation.kind
    is_told = s.right is True if kind is Kind.CUT else kind is Kind.VALUE and not s.others
    if is_told:
        return f"{event}."
    return told(_why(s), s, s.right)


def _why(s: Situation) -> str:
    if s.kind is Kind.VALUE:
        return (
            "{layer}: {extreme} of {values} is {right}; the search has cut {rest} off, so only what it has seen counts."
        )
    if s.kind is Kind.ACTION:
        first = "; of equal actions the first one wins" if s.values.count(_best(s)) > 1 else ""
        return f"{{layer}}: {{extreme}} of {{values}} is {{best}}, the value of {{right}}{first}."
    if s.kind is Kind.CUT:
        if s.layer is CHANCE:
            return "One outcome does not bound the mean, so alpha-beta never leaves a CHANCE node early."
        return "alpha {alpha_now} < beta {beta_now}: the window is still open, so the search goes on."
    if s.layer is CHANCE:
        return "A mean needs the exact value of every outcome, so alpha-beta gives each outcome the window (−∞, ∞)."
    if not s.values:
        return "No child has a value yet, so the first child gets the window of its parent: {window}."
    return (
        "{own} is the {extreme} of {own_bound}, from above, and {best}, the best child so far; {other} does not "
        "change: {now}."
    )
