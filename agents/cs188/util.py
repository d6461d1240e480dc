"""What Berkeley-style files import from `util`: containers, distances, random draws, and `raiseNotDefined`."""

from __future__ import annotations

import heapq
import random
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from pacman.core.errors import NotWritten

Pair = tuple[float, float]


class Stack:
    """A container: last in, first out."""

    def __init__(self) -> None:
        self.list: Any = []

    def push(self, item: Any) -> None:
        """Adds an item."""
        self.list.append(item)

    def pop(self) -> Any:
        """Removes and returns the next item."""
        return self.list.pop()

    def isEmpty(self) -> bool:
        """True if the container is empty."""
        return not self.list


class Queue(Stack):
    """A container: first in, first out."""

    def __init__(self) -> None:
        self.list = deque()

    def pop(self) -> Any:
        """Removes and returns the next item."""
        return self.list.popleft()


class PriorityQueue:
    """A container that returns the item with the smallest priority first; on a tie, the one that was added first."""

    def __init__(self) -> None:
        self.heap: list[tuple[Any, int, Any]] = []
        self.count = 0

    def push(self, item: Any, priority: Any) -> None:
        """Adds an item."""
        heapq.heappush(self.heap, (priority, self.count, item))
        self.count += 1

    def pop(self) -> Any:
        """Removes and returns the next item."""
        return heapq.heappop(self.heap)[2]

    def isEmpty(self) -> bool:
        """True if the container is empty."""
        return not self.heap

    def update(self, item: Any, priority: Any) -> None:
        """Adds `item`. If it is in the queue with a larger priority, lowers that priority instead."""
        for index, (old, number, other) in enumerate(self.heap):
            if other == item:
                if priority < old:
                    self.heap[index] = (priority, number, item)
                    heapq.heapify(self.heap)
                return
        self.push(item, priority)


class PriorityQueueWithFunction(PriorityQueue):
    """A priority queue that computes the priority of each item with a function."""

    def __init__(self, priorityFunction: Callable[[Any], Any]) -> None:
        super().__init__()
        self.priorityFunction = priorityFunction

    def push(self, item: Any, priority: Any = None) -> None:
        """Adds an item."""
        super().push(item, self.priorityFunction(item))


class Counter(dict[Any, Any]):
    """A dict in which every missing key has the count 0."""

    def __missing__(self, key: Any) -> Any:
        self[key] = 0
        return 0

    def incrementAll(self, keys: Iterable[Any], count: float) -> None:
        """Adds `count` to the counts of all `keys`."""
        for key in keys:
            self[key] += count

    def argMax(self) -> Any:
        """The first key with the largest count; None for an empty counter."""
        return max(self, key=self.__getitem__) if self else None

    def sortedKeys(self) -> list[Any]:
        """The keys, largest count first."""
        return sorted(self, key=self.__getitem__, reverse=True)

    def totalCount(self) -> Any:
        """The sum of all counts."""
        return sum(self.values())

    def normalize(self) -> None:
        """Scales the counts so that they add up to 1. Changes nothing if all are 0."""
        self.divideAll(float(self.totalCount()) or 1.0)

    def divideAll(self, divisor: float) -> None:
        """Divides every count by `divisor`."""
        for key in self:
            self[key] /= float(divisor)

    def copy(self) -> Counter:
        """A copy of the counter."""
        return Counter(self)

    def __mul__(self, other: Any) -> Any:
        """The sum of the products of the counts, key by key."""
        return sum(count * other[key] for key, count in self.items() if key in other)

    def __iadd__(self, other: Any) -> Counter:
        return self._add(other, 1)

    def __radd__(self, other: Any) -> Counter:
        return self.copy()  # sum(counters) begins with 0

    def __add__(self, other: Any) -> Counter:
        return self.copy()._add(other, 1)

    def __sub__(self, other: Any) -> Counter:
        return self.copy()._add(other, -1)

    def _add(self, other: Any, sign: int) -> Counter:
        for key, count in other.items():
            self[key] += sign * count
        return self


def raiseNotDefined() -> NoReturn:
    """Raises NotWritten for the function that calls this, as our own agents do for a part that is not written yet."""
    frame = sys._getframe(1)
    name = frame.f_code.co_qualname.replace("<locals>.", "")
    owner = frame.f_locals.get("self")
    raise NotWritten(f"{type(owner).__name__}.{frame.f_code.co_name}" if owner is not None else name)


def manhattanDistance(xy1: Pair, xy2: Pair) -> float:
    """The distance between two places, in steps along the axes."""
    return abs(xy1[0] - xy2[0]) + abs(xy1[1] - xy2[1])


def lookup(name: str, namespace: Mapping[str, Any]) -> Any:
    """The object called `name`, in a namespace or in one of the modules of the namespace.

    `module.name` looks in that module only. Exception if there is no such object, or more than one.
    """
    if "." in name:
        module, _, inside = name.rpartition(".")
        return getattr(__import__(module), inside)
    modules = [value for value in namespace.values() if type(value) is type(sys)]
    matches = [vars(module)[name] for module in modules if name in vars(module)]
    matches += [value for key, value in namespace.items() if key == name]
    different = [value for index, value in enumerate(matches) if all(value is not other for other in matches[:index])]
    if len(different) != 1:
        problem = "has several meanings" if matches else "is not defined"
        raise Exception(f"'{name}' {problem} in this file")
    return matches[0]


def sign(x: float) -> int:
    """1 for a number of 0 or more, -1 for a negative one."""
    return 1 if x >= 0 else -1


def nearestPoint(pos: Pair) -> tuple[int, int]:
    """The cell that is nearest to a place."""
    return int(pos[0] + 0.5), int(pos[1] + 0.5)


def matrixAsList(matrix: Iterable[Iterable[Any]], value: Any = True) -> list[tuple[int, int]]:
    """(x, y) of every place that holds `value`, column by column."""
    return [(x, y) for x, column in enumerate(matrix) for y, each in enumerate(column) if each == value]


def flipCoin(p: float) -> bool:
    """True with probability `p`."""
    return random.random() < p


def normalize(vectorOrCounter: Any) -> Any:
    """The weights scaled so that they add up to 1: a new Counter, or a list for a sequence. If all are 0, unchanged."""
    if isinstance(vectorOrCounter, Mapping):
        counter = Counter(vectorOrCounter)
        counter.normalize()
        return counter
    total = float(sum(vectorOrCounter))
    return [value / total for value in vectorOrCounter] if total else vectorOrCounter


def sample(distribution: Any, values: Sequence[Any] = ()) -> Any:
    """One of `values` (or of a mapping's keys, sorted), drawn at random with these weights."""
    if isinstance(distribution, Mapping):
        values, distribution = zip(*sorted(distribution.items()), strict=True)
    return random.choices(values, distribution)[0]


def chooseFromDistribution(distribution: Any) -> Any:
    """A random draw from a mapping (value -> probability), or from a list of (probability, value)."""
    if isinstance(distribution, Mapping):
        return sample(distribution)
    return sample(*zip(*distribution, strict=True))
