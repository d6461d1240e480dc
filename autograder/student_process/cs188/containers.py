"""What such files import from `util` to put things in: Stack, Queue, the priority queues and Counter."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any


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
