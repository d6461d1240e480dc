"""What each sentence about a wrong guess claims, computed again from the situation: for tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import floor, inf, isclose

from autograder.pages.predict.situation import Answer, Kind, Situation
from pacman.core.layers import Layer

Claim = Callable[[Situation, Answer, re.Match[str]], bool]
MAX, CHANCE = Layer.MAX, Layer.CHANCE
NUMBER = r"(−?(?:\d+(?:\.\d+)?|∞))"
VALUES = r"((?:−?\d+(?:\.\d+)?(?:, | and )?)+)"


def read(text: str) -> float:
    """A number of the page."""
    sign = -1 if text.startswith("−") else 1
    return sign * (inf if text.endswith("∞") else float(text.lstrip("−")))


def near(one: float, other: float) -> bool:
    """True if two numbers are equal in the digits that the page shows."""
    return one == other or isclose(one, other, rel_tol=6e-4, abs_tol=6e-3)


def listed(text: str) -> list[float]:
    return [read(each) for each in re.split(r", | and ", text)]


def same(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(map(near, one, other))


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def weighted(s: Situation, values: Sequence[float] | None = None) -> float:
    return sum(p * v for p, v in zip(s.probabilities, s.values if values is None else values, strict=False))


def of_values(compute: Callable[[Situation], float]) -> Claim:
    """The guess is what `compute` says, and the sentence lists the values of the children."""
    return lambda s, guess, m: near(number(guess), compute(s)) and same(listed(m[2]), s.values)


def number(guess: Answer) -> float:
    assert isinstance(guess, (int, float))
    return guess


def window(guess: Answer) -> tuple[float, float]:
    assert isinstance(guess, tuple)
    return guess


def best(s: Situation) -> float:
    return (max if s.layer is MAX else min)(s.values)


def now(s: Situation) -> tuple[float, float]:
    alpha, beta = s.window
    return (max(alpha, *s.values), beta) if s.layer is MAX else (alpha, min(beta, *s.values))


def own(s: Situation, bounds: tuple[float, float]) -> float:
    return bounds[0] if s.layer is MAX else bounds[1]


def mean_bounds(s: Situation) -> tuple[float, float]:
    assert s.star is not None
    low, high = zip(*s.star.intervals, strict=True)
    return weighted(s, low), weighted(s, high)


def value_of(s: Situation, guess: Answer) -> float:
    return s.values[s.actions.index(str(guess))]


def in_range(s: Situation, guess: Answer, m: re.Match[str]) -> bool:
    """The sentence names the least and the greatest mean, and then the window of the node."""
    low, high = mean_bounds(s)
    return same([read(m[1]), read(m[2])], [low, high]) and same([read(m[3]), read(m[4])], s.window)


WINDOW = rf"\({NUMBER}, {NUMBER}\)"
VALUE_CLAIMS: dict[str, Claim] = {
    rf"{NUMBER} is the smallest of {VALUES}; at": of_values(lambda s: min(s.values)),
    rf"{NUMBER} is the largest of {VALUES}; at": of_values(lambda s: max(s.values)),
    rf"{NUMBER} is the (?:plain )?mean of {VALUES}; at": of_values(lambda s: mean(s.values)),
    rf"{NUMBER} is the sum of {VALUES}; at": of_values(lambda s: sum(s.values)),
    rf"{NUMBER} is the weighted mean of {VALUES}, divided by the number of children once more; at": of_values(
        lambda s: weighted(s) / len(s.values)
    ),
    rf"{NUMBER} is the weighted mean of {VALUES}, rounded down; at": of_values(lambda s: floor(weighted(s))),
    rf"{NUMBER} is the value of the most likely outcome; the values are {VALUES}; at": of_values(
        lambda s: next(
            v for p, v in zip(s.probabilities, s.values, strict=True) if p > 1 - p or p == max(s.probabilities)
        )
    ),
    rf"{NUMBER} is the value of (\w+), the first child": lambda s, guess, m: (
        near(number(guess), s.values[0]) and m[2] == s.actions[0]
    ),
    rf"{NUMBER} is the value of (\w+), the last child": lambda s, guess, m: (
        near(number(guess), s.values[-1]) and m[2] == s.actions[len(s.values) - 1]
    ),
    rf"{NUMBER} is the largest of {VALUES}, the values with the opposite sign": lambda s, guess, m: (
        near(number(guess), max(-v for v in s.values)) and same(listed(m[2]), [-v for v in s.values])
    ),
    rf"{NUMBER} is the (largest|smallest) of {VALUES}, the leaves with the opposite sign": lambda s, guess, m: (
        near(number(guess), (max if m[2] == "largest" else min)(-v for v in s.values))
        and s.has_leaves_only
        and (m[2] == "largest") == (s.layer is MAX)
    ),
    rf"{NUMBER} is the weighted mean of {VALUES}, the leaves with": lambda s, guess, m: (
        near(number(guess), -weighted(s)) and s.has_leaves_only
    ),
    rf"{NUMBER} is the (largest|smallest) of {VALUES} only if signs do not count": lambda s, guess, m: (
        near(abs(number(guess)), (max if s.layer is MAX else min)(map(abs, s.values))) and same(listed(m[3]), s.values)
    ),
    rf"No child .* has the value {NUMBER}: (they have|the only one has) {VALUES};": lambda s, guess, m: (
        guess == 0
        and 0 not in s.values
        and same(listed(m[3]), s.values)
        and (m[2][:4] == "they") == (len(s.values) > 1)
    ),
    rf"{NUMBER} is the evaluation of this node, ~{NUMBER}; .* are worth {VALUES}\.": lambda s, guess, m: (
        near(number(guess), s.evaluation or 0) and s.has_leaves_only and same(listed(m[3]), s.values)
    ),
    rf"{NUMBER} is (alpha|beta); this search returns the value that it found, {NUMBER}, .*": lambda s, guess, m: (
        guess == s.window[m[2] == "beta"] and near(read(m[3]), number(s.right))
    ),
    rf"After the cut the search returns the value that it found, not {NUMBER}\.": lambda s, guess, m: bool(s.others),
    rf"{NUMBER} is the (largest|smallest) of {VALUES}; the search has cut .* off and never sees": lambda s, guess, m: (
        near(number(guess), (max if s.layer is MAX else min)([*s.values, *s.others])) and bool(s.others)
    ),
    rf"{NUMBER} counts the outcomes that are missing as 0; .*the bounds \[{NUMBER}, {NUMBER}\]\.": lambda s, guess, m: (
        bool(s.others)
    ),
    rf"{NUMBER} is a bound of the window {WINDOW};": lambda s, guess, m: guess in s.window,
    rf"{NUMBER} leaves out the outcomes that the search has not seen;": lambda s, guess, m: (
        near(number(guess), weighted(s) / sum(s.probabilities[: len(s.values)])) and bool(s.others)
    ),
    rf"{NUMBER} is the mean of {VALUES}, but the search has left": lambda s, guess, m: (
        near(number(guess), weighted(s, [*s.values, *s.others])) and bool(s.others)
    ),
}
ACTION_CLAIMS: dict[str, Claim] = {
    rf"(\w+) has the value {NUMBER}, the smallest of": lambda s, guess, m: value_of(s, guess) == min(s.values),
    rf"(\w+) has the value {NUMBER}, the largest of": lambda s, guess, m: value_of(s, guess) == max(s.values),
    rf"(\w+) has the value {NUMBER}, and it is the first action": lambda s, guess, m: guess == s.actions[0],
    rf"(\w+) has the value {NUMBER}, and it is the last action": lambda s, guess, m: (
        guess == s.actions[len(s.values) - 1]
    ),
    rf"(\w+) has the value {NUMBER}, the best of .* only if signs": lambda s, guess, m: (
        abs(value_of(s, guess)) == (max if s.layer is MAX else min)(map(abs, s.values))
    ),
    rf"[\w, ]+ have the same value, {NUMBER}; the first": lambda s, guess, m: (
        near(read(m[1]), best(s)) and value_of(s, guess) == best(s) and guess != s.right
    ),
}
WINDOW_CLAIMS: dict[str, Claim] = {
    rf"{WINDOW} still has the (alpha|beta) from above; a child is worth {NUMBER}, so": lambda s, guess, m: (
        own(s, window(guess)) == own(s, s.window) != own(s, now(s)) and read(m[4]) == best(s)
    ),
    rf"{WINDOW} contains every value": lambda s, guess, m: guess == (-inf, inf),
    rf"{WINDOW} has no alpha; this node knows a larger one": lambda s, guess, m: (
        window(guess)[0] == -inf < (now(s) if s.values else s.window)[0]
    ),
    rf"{WINDOW} has no beta; this node knows a smaller one": lambda s, guess, m: (
        window(guess)[1] == inf > (now(s) if s.values else s.window)[1]
    ),
    rf"{WINDOW} has only what this node itself has found; from above it got the window {WINDOW}": lambda s, guess, m: (
        guess == ((-inf, inf) if not s.values else (best(s), inf) if s.layer is MAX else (-inf, best(s)))
        and same([read(m[3]), read(m[4])], s.window)
    ),
    rf"In {WINDOW}, (alpha|beta) is {NUMBER}, the value of the last child": lambda s, guess, m: (
        own(s, window(guess)) == s.values[-1] == read(m[4]) != own(s, now(s))
    ),
    rf"In {WINDOW}, (alpha|beta) is {NUMBER}, the best child so far; .* above, {WINDOW}, is": lambda s, guess, m: (
        own(s, window(guess)) == best(s) == read(m[4]) and own(s, now(s)) == own(s, s.window) != best(s)
    ),
    rf"In {WINDOW} the value of a child has changed the wrong bound; a": lambda s, guess, m: (
        own(s, window(guess)) == own(s, s.window) and window(guess) != s.window
    ),
    rf"{WINDOW} has alpha and beta in the wrong order": lambda s, guess, m: window(guess)[::-1] == s.right,
    rf"{WINDOW} is the window of the CHANCE node; alpha-beta": lambda s, guess, m: guess == s.window,
    rf"{WINDOW} is the window of the CHANCE node itself\.": lambda s, guess, m: guess == s.window,
    rf"{WINDOW} is what alpha-beta gives an outcome\.": lambda s, guess, m: guess == (-inf, inf),
    rf"{WINDOW} is what is known of this outcome; the window {WINDOW}": lambda s, guess, m: (
        s.star is not None and guess == s.star.intervals[len(s.values)]
    ),
    rf"{WINDOW} comes without a division: this outcome counts only with ([\d/]+)": lambda s, guess, m: True,
    rf"{WINDOW} counts the outcomes that are missing as 0; .* in \[{NUMBER}, {NUMBER}\]\.": lambda s, guess, m: True,
    rf"{WINDOW} uses the lower bound {NUMBER} of the others for alpha": lambda s, guess, m: True,
}
CUT_CLAIMS: dict[str, Claim] = {
    rf"alpha and beta are both {NUMBER} now": lambda s, guess, m: now(s)[0] == now(s)[1] == read(m[1]) and not guess,
    rf"alpha is {NUMBER} and beta is {NUMBER} now: what is left cannot": lambda s, guess, m: (
        same([read(m[1]), read(m[2])], now(s)) and now(s)[0] >= now(s)[1] and not guess
    ),
    rf"alpha {NUMBER} and beta {NUMBER} are close": lambda s, guess, m: (
        bool(guess) and 0 < now(s)[1] - now(s)[0] <= 1 and same([read(m[1]), read(m[2])], now(s))
    ),
    rf"{NUMBER} reaches (alpha|beta), {NUMBER}, the bound of this node itself": lambda s, guess, m: (
        bool(guess)
        and read(m[1]) == best(s)
        and read(m[3]) == own(s, s.window)
        and (best(s) >= read(m[3]) if s.layer is MAX else best(s) <= read(m[3]))
    ),
    rf"{NUMBER} is not better than (alpha|beta), {NUMBER}; a later child": lambda s, guess, m: (
        bool(guess)
        and read(m[1]) == best(s)
        and read(m[3]) == own(s, s.window)
        and (best(s) <= read(m[3]) if s.layer is MAX else best(s) >= read(m[3]))
    ),
    rf"The sum so far is {NUMBER}, but the outcomes": lambda s, guess, m: (
        bool(guess) and near(read(m[1]), weighted(s)) and bool(s.others)
    ),
    rf"The mean is from {NUMBER} to {NUMBER}, whatever the missing outcomes are worth, and the window is {WINDOW}": (
        lambda s, guess, m: in_range(s, guess, m) and not guess
    ),
    rf"The sum so far is .* = {NUMBER}\. .* as large as {NUMBER}, and alpha is {NUMBER}\.": lambda s, guess, m: same(
        [read(m[1]), read(m[2]), read(m[3])], [weighted(s), mean_bounds(s)[1], s.window[0]]
    ),
    rf"The mean is from {NUMBER} to {NUMBER}, and the window is {WINDOW}\. A cut needs": in_range,
    rf"The mean of the outcomes .* from {NUMBER} to {NUMBER}, and the window is {WINDOW}\.": in_range,
}
NEXT_CLAIMS: dict[str, Claim] = {
    r"Star1 would search the first outcome to its end\.": lambda s, guess, m: guess == "stay",
    rf"The mean is from {NUMBER} to {NUMBER} after the probes, and the window is {WINDOW}": in_range,
    rf"The mean can still be from {NUMBER} to {NUMBER} after the probes, and the window is {WINDOW}": in_range,
}
CLAIMS = {
    Kind.VALUE: VALUE_CLAIMS,
    Kind.ACTION: ACTION_CLAIMS,
    Kind.WINDOW: WINDOW_CLAIMS,
    Kind.CUT: CUT_CLAIMS,
    Kind.NEXT: NEXT_CLAIMS,
}


def is_true(situation: Situation, guess: Answer, words: str) -> bool:
    """True if the sentence has a known form, all that it claims holds, and a number at its beginning is the guess."""
    for pattern, claim in CLAIMS[situation.kind].items():
        match = re.match(pattern, words)
        if match:
            return _names_the_guess(situation, guess, match) and claim(situation, guess, match)
    raise AssertionError(f"no test knows this sentence: {words}")


def _names_the_guess(situation: Situation, guess: Answer, match: re.Match[str]) -> bool:
    if situation.kind is Kind.WINDOW:
        return same([read(match[1]), read(match[2])], window(guess))
    if situation.kind is Kind.VALUE and not match[0].startswith(("No child", "After the cut")):
        return near(read(match[1]), number(guess))
    if situation.kind is Kind.ACTION and " has the value " in match[0]:
        return match[1] == guess and near(read(match[2]), value_of(situation, guess))
    return True
