"""Minesweeper as a game against chance: MAX clicks, and chance decides the number that the square shows.

A mine layout is an int with a bit for each square. The layouts of a board have numbers; a set of them is an int too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from math import comb

from pacman.core.errors import IllegalAction, InputError
from pacman.core.tree import Layer

MINE = "mine"
CLOSED, NO_OUTCOME = -1, -2
MAX_LAYOUTS = 200_000
"""The largest number of mine layouts that a board can have, because all of them are listed."""


class Minesweeper:
    """The knowledge of the player: the numbers of the opened squares, and all mine layouts that agree with them.

    The value is the probability of opening all squares without a mine: 1 for a win, 0 for a mine. After a click, the
    node is a CHANCE node. Its outcomes are `mine` and the numbers; the probability of each is its share of the
    layouts. The first click never hits a mine. Squares are named `x,y`, from the bottom left. InputError for a board
    without room for its mines, and for a board with too many layouts.

    >>> board = Minesweeper(2, 2, 1).successor("0,0").successor("1")
    >>> board.actions(), board.successor("1,0").outcomes()
    (('1,0', '0,1', '1,1'), (('mine', 0.3333333333333333), ('1', 0.6666666666666666)))
    """

    __slots__ = ("_layouts", "clicked", "height", "mines", "opened", "width")

    def __init__(self, width: int, height: int, mines: int) -> None:
        squares = width * height
        if width < 1 or height < 1 or not 0 <= mines < squares:
            raise InputError(f"a board of {width} by {height} has no room for {mines} mines and a free square")
        layouts = comb(squares, mines)
        if layouts > MAX_LAYOUTS:
            problem = f"a board of {width} by {height} with {mines} mines has {layouts} mine layouts"
            raise InputError(f"{problem}; this game supports at most {MAX_LAYOUTS}: use a smaller board or fewer mines")
        self.width, self.height, self.mines = width, height, mines
        self.opened = (CLOSED,) * squares
        self.clicked: int | None = None
        self._layouts = (1 << layouts) - 1

    def _with(self, opened: tuple[int, ...], clicked: int | None, layouts: int) -> Minesweeper:
        board = object.__new__(Minesweeper)
        board.width, board.height, board.mines = self.width, self.height, self.mines
        board.opened, board.clicked, board._layouts = opened, clicked, layouts
        return board

    @property
    def layer(self) -> Layer:
        """MAX before a click, CHANCE after it."""
        return Layer.MAX if self.clicked is None else Layer.CHANCE

    @property
    def is_terminal(self) -> bool:
        """True after a mine, and when only mines are closed."""
        return not self._layouts or (self.clicked is None and self.opened.count(CLOSED) == self.mines)

    @property
    def score(self) -> float:
        """1 for a win and 0 for any other position: the lowest value that is certain."""
        return float(bool(self._layouts) and self.opened.count(CLOSED) == self.mines)

    def closed(self) -> tuple[str, ...]:
        """The squares that the player can click."""
        names = _names(self.width, self.height)
        return tuple(name for name, number in zip(names, self.opened, strict=True) if number == CLOSED)

    def actions(self) -> tuple[str, ...]:
        """The closed squares, or only the first one that is certainly safe. After a click, the outcomes."""
        if self.is_terminal:
            return ()
        if self.clicked is not None:
            return tuple(action for action, _ in self.outcomes())
        for name, danger in zip(self.closed(), self.dangers().values(), strict=True):
            if danger == 0:
                return (name,)
        return self.closed()

    def dangers(self) -> dict[int, float]:
        """The probability of a mine in each closed square."""
        size = self._layouts.bit_count()
        closed = (square for square, number in enumerate(self.opened) if number == CLOSED)
        return {square: (self._layouts & self._showing(square)[CLOSED]).bit_count() / size for square in closed}

    def outcomes(self) -> tuple[tuple[str, float], ...]:
        """The results of the click, with their probabilities. ValueError before a click."""
        if self.clicked is None:
            raise ValueError("outcomes() was called before a click: only the result of a click has probabilities")
        possible = self._possible(self.clicked)
        size = possible.bit_count()
        shares = [(number, (possible & layouts).bit_count()) for number, layouts in self._showing(self.clicked).items()]
        return tuple((MINE if number == CLOSED else str(number), share / size) for number, share in shares if share)

    def successor(self, action: str) -> Minesweeper:
        """The board after a click or after its result. IllegalAction for any other action."""
        if self.clicked is None:
            square = _names(self.width, self.height).get(action)
            if square is None or self.opened[square] != CLOSED or self.is_terminal:
                raise IllegalAction(
                    f"illegal click {action!r}; closed: {' '.join(self.closed()) or 'none'}; in\n{self}"
                )
            return self._with(self.opened, square, self._layouts)
        square = self.clicked
        number = CLOSED if action == MINE else int(action) if action.isdecimal() else NO_OUTCOME
        left = self._possible(square) & self._showing(square).get(number, 0)
        if not left:
            raise IllegalAction(f"illegal outcome {action!r}; possible: {', '.join(self.actions())}; in\n{self}")
        if number == CLOSED:
            return self._with(self.opened, None, 0)
        return self._with((*self.opened[:square], number, *self.opened[square + 1 :]), None, left)

    def _possible(self, square: int) -> int:
        """The layouts that are possible after a click on `square`."""
        if self.opened.count(CLOSED) == len(self.opened):
            return self._layouts & ~self._showing(square)[CLOSED]
        return self._layouts

    def _showing(self, square: int) -> Mapping[int, int]:
        return _showing(self.width, self.height, self.mines, square)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Minesweeper):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.opened, self.clicked, not self._layouts))

    def _key(self) -> tuple[object, ...]:
        return (self.opened, self.clicked, not self._layouts, self.width, self.mines)

    def __str__(self) -> str:
        marks = ["#" if number == CLOSED else str(number) for number in self.opened]
        if self.clicked is not None:
            marks[self.clicked] = "?"
        rows = [marks[row * self.width : (row + 1) * self.width] for row in range(self.height)]
        return "\n".join(" ".join(row) for row in reversed(rows))


@cache
def _names(width: int, height: int) -> Mapping[str, int]:
    """The index of each square by its name, in the order of the indices."""
    return {f"{square % width},{square // width}": square for square in range(width * height)}


@cache
def _layouts(squares: int, mines: int) -> tuple[int, ...]:
    return tuple(sum(1 << square for square in places) for places in combinations(range(squares), mines))


@cache
def _showing(width: int, height: int, mines: int, square: int) -> Mapping[int, int]:
    """For each number, the smallest first: the layouts in which `square` shows it. CLOSED stands for a mine."""
    x, y = square % width, square // width
    near = [(a, b) for a in (x - 1, x, x + 1) for b in (y - 1, y, y + 1) if 0 <= a < width and 0 <= b < height]
    around = sum(1 << (b * width + a) for a, b in near)
    layouts = _layouts(width * height, mines)
    numbers = [CLOSED if layout >> square & 1 else (layout & around).bit_count() for layout in reversed(layouts)]
    return {number: int("".join("01"[one == number] for one in numbers), 2) for number in range(CLOSED, len(near))}
