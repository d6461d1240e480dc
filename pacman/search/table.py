"""A transposition table: what is known of positions that were searched before, however they were reached."""

from __future__ import annotations

from math import inf
from typing import Any

from pacman.core.layers import Layer
from pacman.core.tree import Line, Node
from pacman.search.base import Hook, Step
from pacman.search.bounds import Interval


class Entry(Interval):
    """What is known of a position, and the action that a search chose there last."""

    __slots__ = ("action",)

    def __init__(self) -> None:
        super().__init__()
        self.action: str | None = None


class Table(Hook):
    """Entries by position, mover and plies left: each inner node is looked up first, and what is found is kept.

    The mover's layer is part of the key, for the same position can be taken for MIN's and for CHANCE's. With
    fewer plies a value is another one, so it is never used for more. A search that is to tell its first best action
    needs a new table, since a bound may not know it. ValueError unless `size` is at least 1; a full table forgets
    its oldest entry for each new one.
    """

    def __init__(self, size: int = 1 << 20) -> None:
        if size < 1:
            raise ValueError(f"a table holds 1 entry or more, not {size}")
        self.size = size
        self.hits = 0
        self._entries: dict[tuple[Node, Layer, int], Entry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, node: Node, plies: int) -> Entry:
        """The entry of a position, a new one that knows nothing if there is none."""
        key = node, node.layer, plies
        entry = self._entries.get(key)
        if entry is None:
            if len(self._entries) >= self.size:
                del self._entries[next(iter(self._entries))]
            entry = self._entries[key] = Entry()
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
