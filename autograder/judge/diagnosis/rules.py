"""The rules by which a search may compute the value of a node from the values of its children."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor, inf, trunc
from statistics import median
from typing import NamedTuple


class Children(NamedTuple):
    """The searched children of a node, in order."""

    values: Sequence[float]
    probabilities: Sequence[float]
    """Equal ones where nobody gave probabilities."""
    root_actions: int
    """The number of actions at the root."""
    agents: int
    """The number of agents."""
    evaluations: Sequence[float]
    """The evaluations of the children."""
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


def _terms(each: Children) -> list[float]:
    return [weight * value for weight, value in zip(each.probabilities, each.values, strict=True)]


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


def _most_likely(each: Children) -> float:
    return each.values[max(range(len(each.values)), key=each.probabilities.__getitem__)]


RULES: dict[str, Callable[[Children], float]] = {
    "mean": lambda each: each.mean,
    "equal mean": lambda each: sum(each.values) / len(each.values),
    "sum": lambda each: sum(each.values),
    "mean divided again": lambda each: each.mean / len(each.values),
    "divided by root actions": lambda each: sum(each.values) / each.root_actions,
    "probabilities squared": lambda each: weighted([p * p for p in each.probabilities], each.values),
    "mean of evaluations": lambda each: weighted(each.probabilities, each.evaluations),
    "equal mean of evaluations": lambda each: sum(each.evaluations) / len(each.values),
    "best evaluation": lambda each: max(each.evaluations),
    "worst evaluation": lambda each: min(each.evaluations),
    "mean rounded down": lambda each: floor(each.mean),
    "mean cut off": lambda each: trunc(each.mean),
    "mean rounded": lambda each: round(each.mean),
    "terms rounded down": lambda each: sum(floor(term) for term in _terms(each)),
    "terms cut off": lambda each: sum(trunc(term) for term in _terms(each)),
    "values cut off": lambda each: weighted(each.probabilities, [trunc(value) for value in each.values]),
    "equal mean rounded down": lambda each: sum(each.values) // len(each.values),
    "equal mean cut off": lambda each: trunc(sum(each.values) / len(each.values)),
    "first": lambda each: each.values[0],
    "last": lambda each: each.values[-1],
    "most likely": _most_likely,
    "median": lambda each: sorted(each.values)[len(each.values) // 2],
    "max without first": lambda each: max(each.values[1:] or each.values),
    "min without first": lambda each: min(each.values[1:] or each.values),
    "max without last": lambda each: max(each.values[:-1] or each.values),
    "min without last": lambda each: min(each.values[:-1] or each.values),
    "first term": lambda each: _terms(each)[0],
    "last term": lambda each: _terms(each)[-1],
    "divided by one more": lambda each: sum(each.values) / (len(each.values) + 1),
    "divided by one less": lambda each: sum(each.values) / max(1, len(each.values) - 1),
    "running mean": lambda each: _running(each.values),
    "max of negatives": lambda each: max(-value for value in each.values),
    "mean of different values": lambda each: sum(set(each.values)) / len(set(each.values)),
    "max with own evaluation": lambda each: max(each.evaluation(), max(each.values)),
    "min with own evaluation": lambda each: min(each.evaluation(), min(each.values)),
    "mean plus own evaluation": lambda each: each.evaluation() + each.mean,
    "own evaluation": lambda each: each.evaluation(),
    "zero": lambda each: 0.0,
    "last probability for all": lambda each: each.probabilities[-1] * sum(each.values),
    "middle median": lambda each: median(each.values),
    "mean and first": lambda each: each.values[0] + each.mean,
    "divided by agents": lambda each: sum(each.values) / each.agents,
    "running mean from 0": lambda each: _running([0.0, *each.values]),
    "divided in the loop": lambda each: _divided_in_the_loop(each.values),
    "infinite": lambda each: inf,
    "minus infinite": lambda each: -inf,
    "probabilities added": lambda each: sum(each.probabilities) + sum(each.values),
}
"""By name: the value of a node from its searched children. "max" and "min" need no row."""
