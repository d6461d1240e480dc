"""A transposition table: what is known of positions that were searched before, however they were reached."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from pacman.core.layers import Layer
from pacman.core.tree import Line, Node


@dataclass
class Entry:
    """A value lies in [lo, hi]: exact when they are equal, a bound of one kind while the other end is infinite."""

    lo: float = -inf
    hi: float = inf
    action: str | None = None

    def answers(self, alpha: float, beta: float) -> Line | None:
        """The fail-soft answer to a search in the window (alpha, beta), if what is known is enough for one."""
        if self.lo == self.hi or self.hi <= alpha:
            return Line(self.hi, self.action)
        return Line(self.lo, self.action) if self.lo >= beta else None

    def learn(self, line: Line, alpha: float, beta: float) -> None:
        """Takes in what a search in the window (alpha, beta) returned: exact inside it, else a bound."""
        if line.value > alpha:
            self.lo = line.value
        if line.value < beta:
            self.hi = line.value
        self.action = line.action or self.action


class Table:
    """Entries by position, mover and plies left.

    The mover's layer is part of the key, for the same position can be taken for MIN's and for CHANCE's. With
    fewer plies a value is another one, so it is never used for more. ValueError unless `size` is at least 1; a
    full table forgets its oldest entry for each new one.
    """

    def __init__(self, size: int = 1 << 20) -> None:
        if size < 1:
            raise ValueError(f"a table holds 1 entry or more, not {size}")
        self.size = size
        self.hits = 0
        self._entries: dict[tuple[Node, Layer, int], Entry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, node: Node, plies: int) -> Entry | None:
        return self._entries.get((node, node.layer, plies))

    def entry(self, node: Node, plies: int) -> Entry:
        """The entry of a position, a new one that knows nothing if there is none."""
        key = node, node.layer, plies
        entry = self._entries.get(key)
        if entry is None:
            if len(self._entries) >= self.size:
                del self._entries[next(iter(self._entries))]
            entry = self._entries[key] = Entry()
        return entry


def remember(search: Any, table: Table) -> None:
    """From now on `search` looks every inner node up in `table` first, and writes down what it finds.

    The root is always searched: its first best action is asked for, and a bound may not know it.
    """
    inside = search.visit
    is_root = True

    def visit(node: Node, plies: int, *window: float) -> Line:
        nonlocal is_root
        at_root, is_root = is_root, False
        if plies == 0 or node.is_terminal:
            line: Line = inside(node, plies, *window)
            return line
        alpha, beta = window or (-inf, inf)
        known = None if at_root else table.get(node, plies)
        answer = None if known is None else known.answers(alpha, beta)
        if answer is not None:
            table.hits += 1
            return answer
        line = inside(node, plies, *window)
        table.entry(node, plies).learn(line, alpha, beta)
        return line

    search.visit = visit
