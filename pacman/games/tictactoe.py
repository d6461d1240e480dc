"""Tic-tac-toe: two players, no chance, and small enough for a search to every end."""

from __future__ import annotations

from pacman.core.errors import IllegalAction, InputError
from pacman.core.tree import Layer

MAX, MIN = Layer.MAX, Layer.MIN
SQUARES = tuple("123456789")
"""The actions: the squares in reading order."""
_BIT = {square: 1 << index for index, square in enumerate(SQUARES)}
_LINES = tuple(
    sum(_BIT[square] for square in line) for line in ("123", "456", "789", "147", "258", "369", "159", "357")
)
_FULL = (1 << 9) - 1
_WON = tuple(any(marks & line == line for line in _LINES) for marks in range(_FULL + 1))
_EMPTY = tuple(tuple(square for square in SQUARES if not full & _BIT[square]) for full in range(_FULL + 1))


class TicTacToe:
    """A position. X is MAX and begins. The utility is 1 if X has won, -1 if O has won, and 0 otherwise.

    >>> TicTacToe().successor("5").successor("1")
    TicTacToe('O...X....')
    """

    __slots__ = ("_mine", "_theirs", "is_terminal", "layer")

    def __init__(self, mine: int = 0, theirs: int = 0, layer: Layer = MAX) -> None:
        self._mine = mine  # the mover's squares, as bits
        self._theirs = theirs
        self.layer = layer
        self.is_terminal: bool = _WON[theirs] or mine | theirs == _FULL

    @classmethod
    def parse(cls, text: str) -> TicTacToe:
        """The position of nine characters X, O or `.` in reading order. InputError if no game leads to it.

        >>> TicTacToe.parse("XO. .X. ..O").actions()
        ('3', '4', '6', '7', '8')
        """
        cells = "".join(text.split())
        crosses, noughts = cells.count("X"), cells.count("O")
        if len(cells) != 9 or set(cells) - set("XO."):
            raise InputError(f"a tic-tac-toe position has nine characters X, O or '.', not '{text}'")
        if crosses - noughts not in (0, 1):
            problem = f"'{text}' has {crosses} X and {noughts} O"
            raise InputError(f"{problem}; X begins, so there must be as many X as O, or one more")
        x, o = (sum(1 << index for index, cell in enumerate(cells) if cell == mark) for mark in "XO")
        if (_WON[x] and _WON[o]) or (_WON[x] and crosses == noughts) or (_WON[o] and crosses > noughts):
            raise InputError(f"no game leads to '{text}': a player moved after the other had won")
        return cls(x, o) if crosses == noughts else cls(o, x, Layer.MIN)

    @property
    def score(self) -> int:
        """1 if X has won, -1 if O has won, otherwise 0."""
        if not _WON[self._theirs]:
            return 0
        return -1 if self.layer is MAX else 1

    def actions(self) -> tuple[str, ...]:
        """The empty squares in reading order. Empty at the end."""
        return () if _WON[self._theirs] else _EMPTY[self._mine | self._theirs]

    def successor(self, action: str) -> TicTacToe:
        """The position after a mark on the square `action`. IllegalAction if it is not in `actions()`."""
        bit = _BIT.get(action, 0)
        if self.is_terminal or not bit or (self._mine | self._theirs) & bit:
            raise IllegalAction(f"illegal action {action!r}; legal: {', '.join(self.actions()) or 'none'}; in\n{self}")
        return TicTacToe(self._theirs, self._mine | bit, MIN if self.layer is MAX else MAX)

    def outcomes(self) -> tuple[tuple[str, float], ...]:
        """Raises ValueError: there are no chance nodes."""
        raise ValueError("tic-tac-toe has no chance nodes")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TicTacToe):
            return NotImplemented
        return self._mine == other._mine and self._theirs == other._theirs and self.layer is other.layer

    def __hash__(self) -> int:
        return hash((self._mine, self._theirs))

    def _cells(self) -> str:
        x, o = (self._mine, self._theirs) if self.layer is Layer.MAX else (self._theirs, self._mine)
        return "".join("X" if x & _BIT[square] else "O" if o & _BIT[square] else "." for square in SQUARES)

    def __str__(self) -> str:
        cells = self._cells()
        return "\n".join(" ".join(cells[row : row + 3]) for row in (0, 3, 6))

    def __repr__(self) -> str:
        return f"TicTacToe({self._cells()!r})"
