"""Mistakes at the CHANCE nodes of star1 and star2, which the examination does not simulate."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import NamedTuple

from autograder.judge.wrong_searches.search_model import Change
from autograder.pages.predict.situation import Answer, Kind, Situation, Star, Step
from autograder.pages.predict.words import Tell, answer_text, numbers, weighted_sum
from pacman.view.analysis.number_text import format_number, format_probability, format_window

Compute = Callable[[Situation, Star], Answer | None]


class StarRow(NamedTuple):
    """A mistake in questions of one kind. `change` is that of a row of the examination with the same sentence."""

    name: str
    kind: Kind
    compute: Compute
    tell: Tell
    change: Change | None = None

    def answer(self, situation: Situation) -> Answer | None:
        """What somebody with this mistake answers; None if it does not show in the situation."""
        star = situation.star
        return self.compute(situation, star) if star is not None and situation.kind is self.kind else None


def _sum(s: Situation, values: tuple[float, ...] | None = None) -> float:
    """The sum of the products so far."""
    return sum(p * value for p, value in zip(s.probabilities, s.values if values is None else values, strict=False))


def _bounds(s: Situation, star: Star) -> tuple[float, float]:
    """The least and the greatest mean."""
    return _sum(s, tuple(lo for lo, _ in star.intervals)), _sum(s, tuple(hi for _, hi in star.intervals))


def _inside(s: Situation, star: Star, alpha: float, beta: float) -> tuple[float, float]:
    """A window, limited to the interval of the next outcome."""
    lo, hi = star.intervals[s.place]
    return max(lo, alpha), min(hi, beta)


def _not_divided(s: Situation, star: Star) -> Answer:
    low, high = _bounds(s, star)
    lo, hi = star.intervals[s.place]
    p = s.probabilities[s.place]
    return _inside(s, star, s.window[0] - (high - p * hi), s.window[1] - (low - p * lo))


def _missing_as_nothing(s: Situation, star: Star) -> Answer:
    p = s.probabilities[s.place]
    return _inside(s, star, (s.window[0] - _sum(s)) / p, (s.window[1] - _sum(s)) / p)


def _wrong_ends(s: Situation, star: Star) -> Answer:
    low, high = _bounds(s, star)
    lo, hi = star.intervals[s.place]
    p = s.probabilities[s.place]
    return _inside(s, star, (s.window[0] - (low - p * lo)) / p, (s.window[1] - (high - p * hi)) / p)


def _mean_of_seen(s: Situation) -> float:
    return _sum(s) / sum(s.probabilities[: s.place])


def _leaves(s: Situation, low: float, high: float) -> bool:
    return high <= s.window[0] or low >= s.window[1]


def _after_cut(value: Callable[[Situation, Star], float]) -> Compute:
    """A wrong value of a node that the search leaves early."""
    return lambda s, star: value(s, star) if s.others else None


def _probed_as_values(s: Situation, star: Star) -> float:
    """The sum of the probed bounds alone, as if they were values and nothing were missing."""
    alpha_side = _bounds(s, star)[1] <= s.window[0] + 1e-9
    bounds = [hi if alpha_side else lo for lo, hi in star.intervals]
    untouched = star.high if alpha_side else star.low
    return sum(p * each for p, each in zip(s.probabilities, bounds, strict=True) if each != untouched)


def _missing_left_out(s: Situation, star: Star) -> float:
    """The sum so far."""
    return _probed_as_values(s, star) if s.is_probe else _sum(s)


def _told(words: str) -> Tell:
    def tell(s: Situation, guess: Answer) -> str:
        star = s.star
        assert star is not None
        low, high = _bounds(s, star)
        p = s.probabilities[min(s.place, len(s.probabilities) - 1)]
        seen = weighted_sum(s, s.values)
        return words.format(
            guess=answer_text(guess),
            window=format_window(*s.window),
            alpha=format_number(s.window[0]),
            beta=format_number(s.window[1]),
            L=format_number(star.low),
            U=format_number(star.high),
            low=format_number(low),
            high=format_number(high),
            p=format_probability(p),
            sum=f"{seen} = {format_number(_sum(s))}" if s.values else format_number(0),
            all=numbers([*s.values, *s.others]),
        )

    return tell


STAR_ROWS = (
    StarRow(
        "outcome-window-of-node", Kind.WINDOW, lambda s, star: s.window,
        _told("{guess} is the window of the CHANCE node itself. The window of an outcome comes from what the other "
              "outcomes can still add.")),
    StarRow(
        "outcome-window-open", Kind.WINDOW, lambda s, star: (-inf, inf),
        _told("{guess} is what alpha-beta gives an outcome. With the bounds [{L}, {U}] the search knows more.")),
    StarRow(
        "outcome-window-bounds-only", Kind.WINDOW, lambda s, star: star.intervals[s.place],
        _told("{guess} is what is known of this outcome; the window {window} of the CHANCE node makes it smaller.")),
    StarRow(
        "outcome-window-not-divided", Kind.WINDOW, _not_divided,
        _told("{guess} comes without a division: this outcome counts only with {p}, so what is missing to alpha and "
              "to beta is divided by {p}.")),
    StarRow(
        "missing-outcomes-as-nothing", Kind.WINDOW, _missing_as_nothing,
        _told("{guess} counts the outcomes that are missing as 0; they can have any value in [{L}, {U}].")),
    StarRow(
        "outcome-bounds-exchanged", Kind.WINDOW, _wrong_ends,
        _told("{guess} uses the lower bound {L} of the others for alpha and the upper bound {U} for beta; it is the "
              "other way round.")),
    StarRow(
        "no-cut", Kind.CUT, lambda s, star: False,
        _told("The mean is from {low} to {high}, whatever the missing outcomes are worth, and the window is {window}: "
              "they cannot matter."), {"cuts": ""}),
    StarRow(
        "chance-stops", Kind.CUT, lambda s, star: True if _sum(s) <= s.window[0] else None,
        _told("The sum so far is {sum}. The outcomes that are missing can still add to it: the mean can be as large as "
              "{high}, and alpha is {alpha}."), {"chance_stops": True}),
    StarRow(
        "outcome-bounds-exchanged", Kind.CUT,
        lambda s, star: _leaves(s, _bounds(s, star)[1], _bounds(s, star)[0]),
        _told("The mean is from {low} to {high}, and the window is {window}. A cut needs the upper end for alpha and "
              "the lower end for beta.")),
    StarRow(
        "mean-of-seen-outcomes", Kind.CUT, lambda s, star: _leaves(s, _mean_of_seen(s), _mean_of_seen(s)),
        _told("The mean of the outcomes that the search has seen does not decide: with the others the mean can lie "
              "anywhere from {low} to {high}, and the window is {window}.")),
    StarRow(
        "missing-outcomes-as-nothing", Kind.VALUE, _after_cut(_missing_left_out),
        _told("{guess} counts the outcomes that are missing as 0; the search returns what the mean can reach, with "
              "the bounds [{L}, {U}].")),
    StarRow(
        "fail-hard", Kind.VALUE,
        _after_cut(lambda s, star: s.window[0] if _bounds(s, star)[1] <= s.window[0] + 1e-9 else s.window[1]),
        _told("{guess} is a bound of the window {window}; the search returns the bound on the mean that it found."),
        {"hard": True}),
    StarRow(
        "mean-of-seen-outcomes", Kind.VALUE,
        lambda s, star: _mean_of_seen(s) if s.others and s.values else None,
        _told("{guess} leaves out the outcomes that the search has not seen; each of them counts with its bound.")),
    StarRow(
        "no-cut", Kind.VALUE, _after_cut(lambda s, star: _sum(s, (*s.values, *s.others))),
        _told("{guess} is the mean of {all}, but the search has left the node before it knew them all."),
        {"cuts": ""}),
    StarRow(
        "probes-as-star1", Kind.NEXT, lambda s, star: Step.STAY.value,
        _told("Star1 would search the first outcome to its end. Star2 first probes one move of each outcome.")),
    StarRow(
        "no-cut", Kind.NEXT, lambda s, star: Step.GO_ON.value,
        _told("The mean is from {low} to {high} after the probes, and the window is {window}: the other outcomes "
              "cannot matter."), {"cuts": ""}),
    StarRow(
        "probes-leave-early", Kind.NEXT, lambda s, star: Step.LEAVE.value,
        _told("The mean can still be from {low} to {high} after the probes, and the window is {window}: that is not "
              "enough to leave.")),
)  # fmt: skip
