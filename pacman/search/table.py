"""A transposition table: what is known of positions that were searched before, however they were reached."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from pacman.core.layers import Layer
from pacman.core.tree import Line, Node
from pacman.search.contract import Hook, Step


@dataclass(slots=True)
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
        line = entry.answers(alpha, beta)
        if line is None:
            line = search(node, plies, alpha, beta)
            entry.learn(line, alpha, beta)
        else:
            self.hits += 1
        return line
