"""What each sentence about a wrong guess claims, computed again from the situation: for tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import floor, inf, isclose
from typing import Any

from autograder.pages.predict.situations import Answer, Kind, Situation
from pacman.core.tree import Layer

Claim = Callable[[Situation, Any, re.Match[str]], bool]
MAX = Layer.MAX
NUMBER = r"(−?(?:\d+(?:\.\d+)?|∞))"
VALUES = r"((?:−?\d+(?:\.\d+)?(?:, | and )?)+)"
WINDOW = rf"\({NUMBER}, {NUMBER}\)"


def read(text: str) -> float:
    """A number of the page."""
    sign = -1 if text.startswith("−") else 1
    return sign * (inf if text.endswith("∞") else float(text.lstrip("−")))


def near(one: float, other: float) -> bool:
    """True if two numbers are equal in the digits that the page shows."""
    return one == other or isclose(one, other, rel_tol=6e-4, abs_tol=6e-3)


def lists(text: str, numbers: Sequence[float]) -> bool:
    """True if a text lists these numbers."""
    return same([read(each) for each in re.split(r", | and ", text)], numbers)


def same(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(map(near, one, other))


def weighted(s: Situation) -> float:
    return sum(p * v for p, v in zip(s.probabilities, s.values, strict=False))


def best(s: Situation, values: Sequence[float] | None = None) -> float:
    return (max if s.layer is MAX else min)(s.values if values is None else values)


def now(s: Situation) -> tuple[float, float]:
    """The window of the node after the children that the search has seen."""
    alpha, beta = s.window
    return (max(alpha, *s.values), beta) if s.layer is MAX else (alpha, min(beta, *s.values))


def own(s: Situation, bounds: tuple[float, float]) -> float:
    return bounds[0] if s.layer is MAX else bounds[1]


def value_of(s: Situation, guess: str) -> float:
    return s.values[s.actions.index(guess)]


def only_own(s: Situation) -> tuple[float, float]:
    """The window that a node without a window from above gives its next child."""
    return (-inf, inf) if not s.values else (best(s), inf) if s.layer is MAX else (-inf, best(s))


def of_values(compute: Callable[[Situation], float]) -> Claim:
    """The guess is what `compute` says, and the sentence lists the values of the children."""
    return lambda s, guess, m: near(guess, compute(s)) and lists(m[2], s.values)


def is_after_cut(s: Situation, guess: Answer, m: re.Match[str]) -> bool:
    return bool(s.others)


CLAIMS: dict[Kind, dict[str, Claim]] = {
    Kind.VALUE: {
        rf"{NUMBER} is the smallest of {VALUES}; at": of_values(lambda s: min(s.values)),
        rf"{NUMBER} is the largest of {VALUES}; at": of_values(lambda s: max(s.values)),
        rf"{NUMBER} is the (?:plain )?mean of {VALUES}; at": of_values(lambda s: sum(s.values) / len(s.values)),
        rf"{NUMBER} is the sum of {VALUES}; at": of_values(lambda s: sum(s.values)),
        rf"{NUMBER} is the weighted mean of {VALUES}, divided by the number of children once more; at":
            of_values(lambda s: weighted(s) / len(s.values)),
        rf"{NUMBER} is the weighted mean of {VALUES}, rounded down; at": of_values(lambda s: floor(weighted(s))),
        rf"{NUMBER} is the value of the most likely outcome; the values are {VALUES}; at":
            of_values(lambda s: max(zip(s.probabilities, s.values, strict=True))[1]),
        rf"{NUMBER} is the value of (\w+), the first child":
            lambda s, guess, m: near(guess, s.values[0]) and m[2] == s.actions[0],
        rf"{NUMBER} is the value of (\w+), the last child":
            lambda s, guess, m: near(guess, s.values[-1]) and m[2] == s.actions[len(s.values) - 1],
        rf"{NUMBER} is the largest of {VALUES}, the values with the opposite sign":
            lambda s, guess, m: near(guess, -min(s.values)) and lists(m[2], [-v for v in s.values]),
        rf"{NUMBER} is the (?:largest|smallest) of {VALUES}, the leaves with the opposite sign":
            lambda s, guess, m: near(guess, best(s, [-v for v in s.values])) and s.has_leaves_only,
        rf"{NUMBER} is the weighted mean of {VALUES}, the leaves with":
            lambda s, guess, m: near(guess, -weighted(s)) and s.has_leaves_only,
        rf"{NUMBER} is the (?:largest|smallest) of {VALUES} only if signs do not count":
            lambda s, guess, m: near(abs(guess), best(s, [*map(abs, s.values)])) and lists(m[2], s.values),
        rf"No child .* has the value 0: (they have|the only one has) {VALUES};": lambda s, guess, m:
            guess == 0 and 0 not in s.values and lists(m[2], s.values) and (m[1] == "they have") == (len(s.values) > 1),
        rf"{NUMBER} is the evaluation of this node, ~{NUMBER}; .* are worth {VALUES}\.": lambda s, guess, m:
            near(guess, s.evaluation or 0) and s.has_leaves_only and lists(m[3], s.values),
        rf"{NUMBER} is (alpha|beta); this search returns the value that it found, {NUMBER}, .*":
            lambda s, guess, m: guess == s.window[m[2] == "beta"] and near(read(m[3]), s.right),  # type: ignore[arg-type]
        r"After the cut the search returns the value that it found, not 0\.": is_after_cut,
        rf"{NUMBER} is the (?:largest|smallest) of {VALUES}; the search has cut .* off and never sees":
            lambda s, guess, m: near(guess, best(s, [*s.values, *s.others])) and bool(s.others),
    },
    Kind.ACTION: {
        rf"(\w+) has the value {NUMBER}, the smallest of": lambda s, guess, m: value_of(s, guess) == min(s.values),
        rf"(\w+) has the value {NUMBER}, the largest of": lambda s, guess, m: value_of(s, guess) == max(s.values),
        rf"(\w+) has the value {NUMBER}, and it is the first action": lambda s, guess, m: guess == s.actions[0],
        rf"(\w+) has the value {NUMBER}, and it is the last action":
            lambda s, guess, m: guess == s.actions[len(s.values) - 1],
        rf"(\w+) has the value {NUMBER}, the best of .* only if signs":
            lambda s, guess, m: abs(value_of(s, guess)) == best(s, [*map(abs, s.values)]),
        rf"[\w, ]+ have the same value, {NUMBER}; the first":
            lambda s, guess, m: near(read(m[1]), best(s)) and value_of(s, guess) == best(s) and guess != s.right,
    },
    Kind.WINDOW: {
        rf"{WINDOW} still has the (?:alpha|beta) from above; a child is worth {NUMBER}, so": lambda s, guess, m:
            own(s, guess) == own(s, s.window) != own(s, now(s)) and read(m[3]) == best(s),
        rf"{WINDOW} contains every value": lambda s, guess, m: guess == (-inf, inf),
        rf"{WINDOW} has no alpha; this node knows a larger one":
            lambda s, guess, m: guess[0] == -inf < (now(s) if s.values else s.window)[0],
        rf"{WINDOW} has no beta; this node knows a smaller one":
            lambda s, guess, m: guess[1] == inf > (now(s) if s.values else s.window)[1],
        rf"{WINDOW} has only what this node itself has found; from above it got the window {WINDOW}":
            lambda s, guess, m: guess == only_own(s) and same([read(m[3]), read(m[4])], s.window),
        rf"In {WINDOW}, (?:alpha|beta) is {NUMBER}, the value of the last child":
            lambda s, guess, m: own(s, guess) == s.values[-1] == read(m[3]) != own(s, now(s)),
        rf"In {WINDOW}, (?:alpha|beta) is {NUMBER}, the best child so far; .* above, {WINDOW}, is": lambda s, guess, m:
            own(s, guess) == best(s) == read(m[3]) and own(s, now(s)) == own(s, s.window) != best(s),
        rf"In {WINDOW} the value of a child has changed the wrong bound; a":
            lambda s, guess, m: own(s, guess) == own(s, s.window) and guess != s.window,
        rf"{WINDOW} has alpha and beta in the wrong order": lambda s, guess, m: guess[::-1] == s.right,
        rf"{WINDOW} is the window of the CHANCE node;": lambda s, guess, m: guess == s.window,
    },
    Kind.CUT: {
        rf"alpha and beta are both {NUMBER} now":
            lambda s, guess, m: now(s)[0] == now(s)[1] == read(m[1]) and not guess,
        rf"alpha is {NUMBER} and beta is {NUMBER} now: what is left cannot": lambda s, guess, m:
            same([read(m[1]), read(m[2])], now(s)) and now(s)[0] >= now(s)[1] and not guess,
        rf"alpha {NUMBER} and beta {NUMBER} are close": lambda s, guess, m:
            bool(guess) and 0 < now(s)[1] - now(s)[0] <= 1 and same([read(m[1]), read(m[2])], now(s)),
        rf"{NUMBER} reaches (?:alpha|beta), {NUMBER}, the bound of this node itself": lambda s, guess, m:
            bool(guess) and read(m[1]) == best(s) == best(s, [best(s), read(m[2])]) and read(m[2]) == own(s, s.window),
        rf"{NUMBER} is not better than (?:alpha|beta), {NUMBER}; a later child": lambda s, guess, m:
            bool(guess) and read(m[1]) == best(s) and read(m[2]) == own(s, s.window) == best(s, [best(s), read(m[2])]),
        rf"The sum so far is {NUMBER}, but the outcomes":
            lambda s, guess, m: bool(guess) and near(read(m[1]), weighted(s)) and bool(s.others),
    },
}  # fmt: skip


def is_true(situation: Situation, guess: Any, words: str) -> bool:
    """True if the sentence has a known form, all that it claims holds, and a number at its beginning is the guess."""
    for pattern, claim in CLAIMS[situation.kind].items():
        if match := re.match(pattern, words):
            return _names_the_guess(situation, guess, match) and claim(situation, guess, match)
    raise AssertionError(f"no test knows this sentence: {words}")


def _names_the_guess(situation: Situation, guess: Any, match: re.Match[str]) -> bool:
    if situation.kind is Kind.WINDOW:
        return same([read(match[1]), read(match[2])], guess)
    if situation.kind is Kind.VALUE and not match[0].startswith(("No child", "After the cut")):
        return near(read(match[1]), guess)
    if situation.kind is Kind.ACTION and " has the value " in match[0]:
        return match[1] == guess and near(read(match[2]), value_of(situation, guess))
    return True
