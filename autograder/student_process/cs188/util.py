"""What such files import from `util`: containers, distances, draws, names, and how to say 'not written'."""

from __future__ import annotations

import heapq
import random
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from agents.base import NotWritten

Pair = tuple[float, float]


class Stack:
    """Last in, first out."""

    def __init__(self) -> None:
        self.list: Any = []

    def push(self, item: Any) -> None:
        self.list.append(item)

    def pop(self) -> Any:
        return self.list.pop()

    def isEmpty(self) -> bool:
        return not self.list


class Queue(Stack):
    """First in, first out."""

    def __init__(self) -> None:
        self.list = deque()

    def pop(self) -> Any:
        return self.list.popleft()


class PriorityQueue:
    """The smallest priority first; of equal ones the first that came."""

    def __init__(self) -> None:
        self.heap: list[tuple[Any, int, Any]] = []
        self.count = 0

    def push(self, item: Any, priority: Any) -> None:
        heapq.heappush(self.heap, (priority, self.count, item))
        self.count += 1

    def pop(self) -> Any:
        return heapq.heappop(self.heap)[2]

    def isEmpty(self) -> bool:
        return not self.heap

    def update(self, item: Any, priority: Any) -> None:
        """Puts `item` in, or forward if it waits with a larger priority."""
        for index, (old, number, other) in enumerate(self.heap):
            if other == item:
                if priority < old:
                    self.heap[index] = (priority, number, item)
                    heapq.heapify(self.heap)
                return
        self.push(item, priority)


class PriorityQueueWithFunction(PriorityQueue):
    """A priority queue that works the priority of each item out."""

    def __init__(self, priorityFunction: Callable[[Any], Any]) -> None:
        super().__init__()
        self.priorityFunction = priorityFunction

    def push(self, item: Any, priority: Any = None) -> None:
        super().push(item, self.priorityFunction(item))


class Counter(dict[Any, Any]):
    """A dict in which every missing key counts 0."""

    def __missing__(self, key: Any) -> Any:
        self[key] = 0
        return 0

    def incrementAll(self, keys: Iterable[Any], count: float) -> None:
        for key in keys:
            self[key] += count

    def argMax(self) -> Any:
        """The first key with the largest count, None if there is none."""
        return max(self, key=self.__getitem__) if self else None

    def sortedKeys(self) -> list[Any]:
        """The largest count first."""
        return sorted(self, key=self.__getitem__, reverse=True)

    def totalCount(self) -> Any:
        return sum(self.values())

    def normalize(self) -> None:
        """The same shares, adding up to 1. Nothing happens when all is 0."""
        self.divideAll(float(self.totalCount()) or 1.0)

    def divideAll(self, divisor: float) -> None:
        for key in self:
            self[key] /= float(divisor)

    def copy(self) -> Counter:
        return Counter(self)

    def __mul__(self, other: Any) -> Any:
        """The sum of the products, key by key."""
        return sum(count * other[key] for key, count in self.items() if key in other)

    def __iadd__(self, other: Any) -> Counter:
        return self._add(other, 1)

    def __add__(self, other: Any) -> Counter:
        return self.copy()._add(other, 1)

    def __sub__(self, other: Any) -> Counter:
        return self.copy()._add(other, -1)

    def _add(self, other: Any, sign: int) -> Counter:
        for key, count in other.items():
            self[key] += sign * count
        return self


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


def TimeoutFunction(function: Callable[..., Any], timeout: float) -> Callable[..., Any]:
    """The function as it is: the grader's clock stands outside."""
    return function


def pause() -> None:
    """Nothing: nobody watches."""
