"""Mistakes at the CHANCE nodes of star1 and star2, which no simulated search makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from autograder.pages.predict.answer_words import mean_bounds, weighted
from autograder.pages.predict.misconceptions import CUT, VALUE, WINDOW, Misconception
from autograder.pages.predict.situations import Answer, Kind, Situation, Star, Step

Compute = Callable[[Situation, Star], Answer | None]


@dataclass(frozen=True)
class StarMistake(Misconception):
    """A mistake whose answer is computed from what the search knows at the node."""

    compute: Compute = field(kw_only=True)

    def computed(self, situation: Situation) -> Answer | None:
        """What `compute` says of a CHANCE node of star1 or star2; None at another node."""
        return self.compute(situation, situation.star) if situation.star is not None else None


def _inside(s: Situation, star: Star, alpha: float, beta: float) -> tuple[float, float]:
    """A window, limited to the interval of the next outcome."""
    lo, hi = star.intervals[s.place]
    return max(lo, alpha), min(hi, beta)


def _others(s: Situation, star: Star) -> tuple[float, float, float]:
    """The least and the greatest mean without the next outcome, and the probability of that outcome."""
    (low, high), (lo, hi), p = mean_bounds(s), star.intervals[s.place], s.probabilities[s.place]
    return low - p * lo, high - p * hi, p


def _not_divided(s: Situation, star: Star) -> Answer:
    low, high, _ = _others(s, star)
    return _inside(s, star, s.window[0] - high, s.window[1] - low)


def _missing_as_nothing(s: Situation, star: Star) -> Answer:
    p = s.probabilities[s.place]
    return _inside(s, star, (s.window[0] - weighted(s)) / p, (s.window[1] - weighted(s)) / p)


def _wrong_ends(s: Situation, star: Star) -> Answer:
    low, high, p = _others(s, star)
    return _inside(s, star, (s.window[0] - low) / p, (s.window[1] - high) / p)


def _mean_of_seen(s: Situation) -> float:
    return weighted(s) / sum(s.probabilities[: s.place])


def _leaves(s: Situation, low: float, high: float) -> bool:
    return high <= s.window[0] or low >= s.window[1]


def _after_cut(value: Callable[[Situation, Star], float]) -> Compute:
    """A wrong value of a node that the search leaves early."""
    return lambda s, star: value(s, star) if s.others else None


def _is_below(s: Situation) -> bool:
    """True if the search leaves the node because the mean cannot be above alpha."""
    return mean_bounds(s)[1] <= s.window[0] + 1e-9


def _missing_left_out(s: Situation, star: Star) -> float:
    """The sum so far; after probes that of the probed bounds alone, as if they were values and nothing were missing."""
    if not s.is_probe:
        return weighted(s)
    bounds = [hi if _is_below(s) else lo for lo, hi in star.intervals]
    untouched = star.high if _is_below(s) else star.low
    return sum(p * each for p, each in zip(s.probabilities, bounds, strict=True) if each != untouched)


STAR_MISTAKES = (
    StarMistake("outcome-window-of-node", WINDOW, "{guess} is the window of the CHANCE node itself. The window of an "
                "outcome comes from what the other outcomes can still add.", compute=lambda s, star: s.window),
    StarMistake("outcome-window-open", WINDOW, "{guess} is what alpha-beta gives an outcome. With the bounds [{L}, "
                "{U}] the search knows more.", compute=lambda s, star: (-inf, inf)),
    StarMistake("outcome-window-bounds-only", WINDOW, "{guess} is what is known of this outcome; the window {window} "
                "of the CHANCE node makes it smaller.", compute=lambda s, star: star.intervals[s.place]),
    StarMistake("outcome-window-not-divided", WINDOW, "{guess} comes without a division: this outcome counts only with "
                "{p}, so what is missing to alpha and to beta is divided by {p}.", compute=_not_divided),
    StarMistake("missing-outcomes-as-nothing", WINDOW, "{guess} counts the outcomes that are missing as 0; they can "
                "have any value in [{L}, {U}].", compute=_missing_as_nothing),
    StarMistake("outcome-bounds-exchanged", WINDOW, "{guess} uses the lower bound {L} of the others for alpha and the "
                "upper bound {U} for beta; it is the other way round.", compute=_wrong_ends),
    StarMistake("no-cut", CUT, "The mean is from {low} to {high}, whatever the missing outcomes are worth, and the "
                "window is {window}: they cannot matter.", {"cuts": ""}, compute=lambda s, star: False),
    StarMistake("chance-stops", CUT, "The sum so far is {products}. The outcomes that are missing can still add to it: "
                "the mean can be as large as {high}, and alpha is {alpha}.", {"chance_stops": True},
                compute=lambda s, star: True if weighted(s) <= s.window[0] else None),
    StarMistake("outcome-bounds-exchanged", CUT, "The mean is from {low} to {high}, and the window is {window}. A cut "
                "needs the upper end for alpha and the lower end for beta.",
                compute=lambda s, star: _leaves(s, *reversed(mean_bounds(s)))),
    StarMistake("mean-of-seen-outcomes", CUT, "The mean of the outcomes that the search has seen does not decide: with "
                "the others the mean can lie anywhere from {low} to {high}, and the window is {window}.",
                compute=lambda s, star: _leaves(s, _mean_of_seen(s), _mean_of_seen(s))),
    StarMistake("missing-outcomes-as-nothing", VALUE, "{guess} counts the outcomes that are missing as 0; the search "
                "returns what the mean can reach, with the bounds [{L}, {U}].", compute=_after_cut(_missing_left_out)),
    StarMistake("fail-hard", VALUE, "{guess} is a bound of the window {window}; the search returns the bound on the "
                "mean that it found.", {"hard": True},
                compute=_after_cut(lambda s, star: s.window[0] if _is_below(s) else s.window[1])),
    StarMistake("mean-of-seen-outcomes", VALUE, "{guess} leaves out the outcomes that the search has not seen; each of "
                "them counts with its bound.",
                compute=lambda s, star: _mean_of_seen(s) if s.others and s.values else None),
    StarMistake("no-cut", VALUE, "{guess} is the mean of {all}, but the search has left the node before it knew them "
                "all.", {"cuts": ""}, compute=_after_cut(lambda s, star: weighted(s, (*s.values, *s.others)))),
    StarMistake("probes-as-star1", Kind.NEXT, "Star1 would search the first outcome to its end. Star2 first probes one "
                "move of each outcome.", compute=lambda s, star: Step.STAY.value),
    StarMistake("no-cut", Kind.NEXT, "The mean is from {low} to {high} after the probes, and the window is {window}: "
                "the other outcomes cannot matter.", {"cuts": ""}, compute=lambda s, star: Step.GO_ON.value),
    StarMistake("probes-leave-early", Kind.NEXT, "The mean can still be from {low} to {high} after the probes, and the "
                "window is {window}: that is not enough to leave.", compute=lambda s, star: Step.LEAVE.value),
)  # fmt: skip
