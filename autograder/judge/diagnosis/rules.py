"""The rules by which a search may compute the value of a node from the values of its children, and their words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import floor, trunc
from operator import mul
from typing import NamedTuple

from autograder.judge.diagnosis.steps import CHANCE, MAX, MIN


class Children(NamedTuple):
    """The searched children of a node, in order."""

    values: Sequence[float]
    probabilities: Sequence[float]
    """Equal ones where nobody gave probabilities."""
    root_actions: int
    """The number of actions at the root."""
    evaluation: Callable[[], float]
    """The evaluation of the node itself."""

    @property
    def mean(self) -> float:
        """The mean by the probabilities, added in the order of the children."""
        return weighted(self.probabilities, self.values)


def weighted(weights: Sequence[float], values: Sequence[float]) -> float:
    """The sum of the products, added in order."""
    total = 0.0
    for weight, value in zip(weights, values, strict=True):
        total += weight * value
    return total


def _running(values: Sequence[float]) -> float:
    mean = values[0]
    for value in values[1:]:
        mean = (mean + value) / 2
    return mean


def _divided_in_the_loop(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:
        total = (total + value) / len(values)
    return total


def _zero_as_none(values: Sequence[float], sign: int) -> float:
    best = 0.0
    for value in values:
        if not best or sign * value > sign * best:
            best = value
    return best


def _last_of_equal(each: Children) -> tuple[Collection[float], Collection[float]]:
    last = dict(zip(each.values, each.probabilities, strict=True))
    return last.keys(), last.values()


def _most_likely(each: Children) -> float:
    return each.values[max(range(len(each.values)), key=each.probabilities.__getitem__)]


class Rule(NamedTuple):
    """A rule: the value that it gives, and what a search does that applies it, after "your search"."""

    value: Callable[[Children], float]
    phrase: str


RULES: dict[str, Rule] = {
    "max": Rule(lambda each: max(each.values), "takes the largest value"),
    "min": Rule(lambda each: min(each.values), "takes the smallest value"),
    "mean": Rule(lambda each: each.mean, "takes the mean of the values"),
    "equal mean": Rule(lambda each: sum(each.values) / len(each.values),
        "takes the plain mean of the values, without their probabilities"),
    "sum": Rule(lambda each: sum(each.values), "takes the sum of the values"),
    "mean divided again": Rule(lambda each: each.mean / len(each.values),
        "computes the mean and divides it by the number of children once more"),
    "divided by root actions": Rule(lambda each: sum(each.values) / each.root_actions,
        "divides the sum of the values by the number of actions at the root"),
    "mean rounded down": Rule(lambda each: floor(each.mean), "rounds the mean down to a whole number"),
    "mean cut off": Rule(lambda each: trunc(each.mean), "cuts the mean off to a whole number"),
    "mean rounded": Rule(lambda each: round(each.mean), "rounds the mean to a whole number"),
    "equal mean rounded down": Rule(lambda each: sum(each.values) // len(each.values),
        "rounds the plain mean down to a whole number"),
    "equal mean cut off": Rule(lambda each: trunc(sum(each.values) / len(each.values)),
        "cuts the plain mean off to a whole number"),
    "first": Rule(lambda each: each.values[0], "takes the value of the first child"),
    "last": Rule(lambda each: each.values[-1], "takes the value of the last child"),
    "probabilities squared": Rule(lambda each: weighted([p * p for p in each.probabilities], each.values),
        "multiplies each value by its probability twice"),
    "terms cut off": Rule(lambda each: sum(map(trunc, map(mul, each.probabilities, each.values))),
        "cuts every product of probability and value off to a whole number"),
    "most likely": Rule(_most_likely, "takes the value of the most likely child"),
    "running mean": Rule(lambda each: _running(each.values),
        "takes the mean of the mean so far and the next value, child by child"),
    "max of negatives": Rule(lambda each: max(-value for value in each.values),
        "changes the sign of its children's values and takes the largest"),
    "max with own evaluation": Rule(lambda each: max(each.evaluation(), *each.values),
        "takes the node's own evaluation if no child has a larger value"),
    "min with own evaluation": Rule(lambda each: min(each.evaluation(), *each.values),
        "takes the node's own evaluation if no child has a smaller value"),
    "zero": Rule(lambda each: 0.0, "takes 0, whatever the children are worth"),
    "largest after 0": Rule(lambda each: _zero_as_none(each.values, 1),
        "takes the next value in place of a best value of 0, as if 0 were no value"),
    "smallest after 0": Rule(lambda each: _zero_as_none(each.values, -1),
        "takes the next value in place of a best value of 0, as if 0 were no value"),
    "equal values once": Rule(lambda each: sum(map(mul, *_last_of_equal(each))),
        "counts values that are equal only once, with the probability of one of them"),
    "mean of a set": Rule(lambda each: sum(set(each.values)) / len(set(each.values)),
        "takes the plain mean of the different values, so that equal values count once"),
    "divided in the loop": Rule(lambda each: _divided_in_the_loop(each.values),
        "divides by the number of children after each child, not once at the end"),
}  # fmt: skip
"""By name, the frequent ones first. Only rules that somebody's search has shown are worth a row."""
NAMES_OF_RULES = {
    (MAX, "min"): "max-as-min",
    (MAX, "mean"): "max-as-chance",
    (MIN, "max"): "min-as-max",
    (MIN, "mean"): "min-as-chance",
    (MIN, "equal mean"): "min-as-chance",
    (CHANCE, "min"): "chance-as-min",
    (CHANCE, "max"): "chance-as-max",
    (CHANCE, "sum"): "sum-for-mean",
    (CHANCE, "equal mean"): "equal-chances",
    (CHANCE, "mean divided again"): "mean-divided-again",
    (CHANCE, "divided by root actions"): "divided-by-others",
    (CHANCE, "mean rounded down"): "integer-division",
    (CHANCE, "mean cut off"): "integer-division",
    (CHANCE, "equal mean rounded down"): "integer-division",
    (CHANCE, "equal mean cut off"): "integer-division",
}
"""The names for wrong rules that have a common name; others are named by layer."""
