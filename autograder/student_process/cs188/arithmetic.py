"""What such files import from `util` besides containers: distances, draws, names, and how to say 'not written'."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from agents.base import NotWritten
from autograder.student_process.cs188.containers import Counter

Pair = tuple[float, float]


def raiseNotDefined() -> NoReturn:
    """Says that the function which calls this is not written yet; the same as with our own agents."""
    frame = sys._getframe(1)
    name = frame.f_code.co_qualname.replace("<locals>.", "")
    owner = frame.f_locals.get("self")
    raise NotWritten(f"{type(owner).__name__}.{frame.f_code.co_name}" if owner is not None else name)


def manhattanDistance(xy1: Pair, xy2: Pair) -> float:
    return abs(xy1[0] - xy2[0]) + abs(xy1[1] - xy2[1])


def lookup(name: str, namespace: Mapping[str, Any]) -> Any:
    """What `name` stands for: in one of the modules of a namespace, or in the namespace itself.

    `module.name` looks into that module. Exception where there is none, or more than one.
    """
    if "." in name:
        module, _, inside = name.rpartition(".")
        return getattr(__import__(module), inside)
    modules = [value for value in namespace.values() if type(value) is type(sys)]
    found = [vars(module)[name] for module in modules if name in vars(module)]
    found += [value for key, value in namespace.items() if key == name]
    different = [value for index, value in enumerate(found) if all(value is not other for other in found[:index])]
    if len(different) != 1:
        problem = "stands for several things" if found else "is not defined"
        raise Exception(f"'{name}' {problem} in this file")
    return found[0]


def sign(x: float) -> int:
    return 1 if x >= 0 else -1


def nearestPoint(pos: Pair) -> tuple[int, int]:
    """The cell that a place is nearest to."""
    return int(pos[0] + 0.5), int(pos[1] + 0.5)


def flipCoin(p: float) -> bool:
    return random.random() < p


def normalize(vectorOrCounter: Any) -> Any:
    """The same weights, adding up to 1; of a Counter a new one, of a sequence a list. All zero stays as it is."""
    if isinstance(vectorOrCounter, Mapping):
        made = Counter(vectorOrCounter)
        made.normalize()
        return made
    total = float(sum(vectorOrCounter))
    return [value / total for value in vectorOrCounter] if total else vectorOrCounter


def sample(distribution: Any, values: Sequence[Any] = ()) -> Any:
    """One of `values`, or of a mapping's keys in their order, drawn with these weights."""
    if isinstance(distribution, Mapping):
        values, distribution = zip(*sorted(distribution.items()), strict=True)
    return random.choices(values, distribution)[0]


def nSample(distribution: Sequence[float], values: Sequence[Any], n: int) -> list[Any]:
    """Several draws."""
    return random.choices(values, distribution, k=n)


def chooseFromDistribution(distribution: Any) -> Any:
    """A draw from a mapping, or from a list of (probability, value)."""
    if isinstance(distribution, Mapping):
        return sample(distribution)
    return sample(*zip(*distribution, strict=True))


def getProbability(value: Any, distribution: Sequence[float], values: Sequence[Any]) -> float:
    return sum(chance for chance, other in zip(distribution, values, strict=True) if other == value)


def arrayInvert(array: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Rows and columns changed over."""
    return [list(column) for column in zip(*array, strict=False)]


def matrixAsList(matrix: Sequence[Sequence[Any]], value: Any = True) -> list[tuple[int, int]]:
    """(row, column) of every entry that equals `value`."""
    return [(row, column) for row, line in enumerate(matrix) for column, each in enumerate(line) if each == value]


class TimeoutFunctionException(Exception):
    """That project's word for a clock that ran out. Our clock stands outside and never raises it."""


class TimeoutFunction:
    """A function as it is: the grader's clock stands outside."""

    def __init__(self, function: Callable[..., Any], timeout: float) -> None:
        self.function = function
        self.timeout = timeout

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)


def pause() -> None:
    """Nothing: nobody watches."""
