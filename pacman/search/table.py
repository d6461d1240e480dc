"""A transposition table: the results for positions that a search has visited before, on any path."""

from __future__ import annotations

from math import inf
from typing import Any

from pacman.core.tree import Layer, Line, Node
from pacman.search.base import Hook, Step
from pacman.search.bounds import Interval


class TableEntry(Interval):
    """The known interval of a position's value, and the action that a search chose there last."""

    __slots__ = ("action",)

    def __init__(self) -> None:
        super().__init__()
        self.action: str | None = None


class Table(Hook):
    """A hook that looks up each inner node before its search, and stores the result after it.

    An entry belongs to a position, the layer of its mover and the plies left. The layer is part of the key, because
    the same ghost can be MIN in one search and CHANCE in another. An entry is used only for the same number of plies.
    A bound does not know the first best action, so use a new table for a search whose first best action matters.
    When the table is full, each new entry replaces the oldest one. ValueError unless `size` is at least 1.
    """

    def __init__(self, size: int = 1 << 20) -> None:
        if size < 1:
            raise ValueError(f"the size of a table must be at least 1, not {size}")
        self.size = size
        self.hits = 0
        self._entries: dict[tuple[Node, Layer, int], TableEntry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, node: Node, plies: int) -> TableEntry:
        """The entry of a position; a new, empty entry if there is none."""
        key = node, node.layer, plies
        entry = self._entries.get(key)
        if entry is None:
            if len(self._entries) >= self.size:
                del self._entries[next(iter(self._entries))]
            entry = self._entries[key] = TableEntry()
        return entry

    def visit(self, search: Step, node: Any, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        if plies == 0 or node.is_terminal:
            return search(node, plies, alpha, beta)
        entry = self.entry(node, plies)
        value = entry.answer(alpha, beta)
        if value is not None:
            self.hits += 1
            return Line(value, entry.action)
        line = search(node, plies, alpha, beta)
        entry.learn(line.value, alpha, beta)
        entry.action = line.action or entry.action
        return line
