"""Minesweeper against chance: a click is MAX's, the number that it shows is drawn from the layouts left.

A layout is an int with a bit for each square. The layouts of a board are numbered, and a set of them is an int too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from math import comb

from pacman.core.errors import IllegalAction, InputError
from pacman.core.layers import Layer

MINE = "mine"
CLOSED, OFF = -1, -2
BIGGEST = 200_000
"""The most mine layouts that are looked at one by one."""


class Minesweeper:
    """What the player knows: the opened squares' numbers, and every mine layout that agrees with them.

    The value is the probability to open every square without a mine: 1 for a win, 0 for a mine. After a click
    the node is a CHANCE node whose outcomes are `mine` and the numbers, each as likely as the share of layouts
    that show it. With `safe_start` the mines keep away from the first click. Squares are named `x,y`, from the
    bottom left. InputError for a board without room for its mines, or with more layouts than can be listed.

    >>> board = Minesweeper(2, 2, 1)
    >>> board.actions(), board.successor("0,0").outcomes()
    (('0,0', '1,0', '0,1', '1,1'), (('mine', 0.25), ('1', 0.75)))
    """

    __slots__ = ("_layouts", "clicked", "height", "mines", "opened", "safe_start", "width")

    def __init__(self, width: int, height: int, mines: int, safe_start: bool = False) -> None:
        squares = width * height
        if width < 1 or height < 1 or not 0 <= mines < squares:
            raise InputError(f"a {width} by {height} board has no room for {mines} mines and a free square")
        layouts = comb(squares, mines)
        if layouts > BIGGEST:
            raise InputError(
                f"{mines} mines on {width} by {height} can lie in {layouts} ways; at most {BIGGEST} are listed"
            )
        self.width, self.height, self.mines, self.safe_start = width, height, mines, safe_start
        self.opened = (CLOSED,) * squares
        self.clicked: int | None = None
        self._layouts = (1 << layouts) - 1

    def _with(self, opened: tuple[int, ...], clicked: int | None, layouts: int) -> Minesweeper:
        board = object.__new__(Minesweeper)
        board.width, board.height, board.mines, board.safe_start = self.width, self.height, self.mines, self.safe_start
        board.opened, board.clicked, board._layouts = opened, clicked, layouts
        return board

    @property
    def layer(self) -> Layer:
        return Layer.MAX if self.clicked is None else Layer.CHANCE

    @property
    def is_terminal(self) -> bool:
        return not self._layouts or (self.clicked is None and self.opened.count(CLOSED) == self.mines)

    @property
    def score(self) -> float:
        """1 for a win, 0 for a mine, and before an end the least that is certain: 0."""
        return float(bool(self._layouts) and self.opened.count(CLOSED) == self.mines)

    def closed(self) -> tuple[str, ...]:
        """Every square that can be clicked."""
        names = _names(self.width, self.height)
        return tuple(name for name, number in zip(names, self.opened, strict=True) if number == CLOSED)

    def actions(self) -> tuple[str, ...]:
        """The squares worth a thought: where one is safe in every layout it costs nothing to open it, so only that."""
        if self.is_terminal:
            return ()
        if self.clicked is not None:
            return tuple(action for action, _ in self.outcomes())
        for name, danger in zip(self.closed(), self.dangers().values(), strict=True):
            if danger == 0:
                return (name,)
        return self.closed()

    def dangers(self) -> dict[int, float]:
        """The probability of a mine under each closed square."""
        size = self._layouts.bit_count()
        closed = (square for square, number in enumerate(self.opened) if number == CLOSED)
        return {square: (self._layouts & self._showing(square)[CLOSED]).bit_count() / size for square in closed}

    def outcomes(self) -> tuple[tuple[str, float], ...]:
        if self.clicked is None:
            raise ValueError("outcomes() of a click: only what it shows has probabilities")
        possible = self._possible(self.clicked)
        size = possible.bit_count()
        shares = [(number, (possible & those).bit_count()) for number, those in self._showing(self.clicked).items()]
        return tuple((MINE if number == CLOSED else str(number), share / size) for number, share in shares if share)

    def successor(self, action: str) -> Minesweeper:
        if self.clicked is None:
            square = _names(self.width, self.height).get(action)
            if square is None or self.opened[square] != CLOSED or self.is_terminal:
                raise IllegalAction(
                    f"illegal click {action!r}; closed: {' '.join(self.closed()) or 'none'}; in\n{self}"
                )
            return self._with(self.opened, square, self._layouts)
        square = self.clicked
        number = CLOSED if action == MINE else int(action) if action.isdecimal() else OFF
        left = self._possible(square) & self._showing(square).get(number, 0)
        if not left:
            raise IllegalAction(f"illegal outcome {action!r}; possible: {', '.join(self.actions())}; in\n{self}")
        if number == CLOSED:
            return self._with(self.opened, None, 0)
        return self._with((*self.opened[:square], number, *self.opened[square + 1 :]), None, left)

    def bounds(self, plies: int) -> tuple[float, float]:
        """[L, U] on the probability to win: no more than that of the safest click going well."""
        if self.is_terminal:
            return self.score, self.score
        if self.clicked is not None or plies < 2 or (self.safe_start and self._is_first()):
            return 0.0, 1.0
        return 0.0, 1 - min(self.dangers().values())

    def _is_first(self) -> bool:
        return self.opened.count(CLOSED) == len(self.opened)

    def _possible(self, square: int) -> int:
        """The layouts left when `square` is clicked."""
        if self.safe_start and self._is_first():
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
        return (self.opened, self.clicked, not self._layouts, self.width, self.mines, self.safe_start)

    def __str__(self) -> str:
        marks = ["#" if number == CLOSED else str(number) for number in self.opened]
        if self.clicked is not None:
            marks[self.clicked] = "?"
        rows = [marks[row * self.width : (row + 1) * self.width] for row in range(self.height)]
        return "\n".join(" ".join(row) for row in reversed(rows))


@cache
def _names(width: int, height: int) -> Mapping[str, int]:
    """Every square's index by its name, in the order of the indices."""
    return {f"{square % width},{square // width}": square for square in range(width * height)}


@cache
def _layouts(squares: int, mines: int) -> tuple[int, ...]:
    return tuple(sum(1 << square for square in chosen) for chosen in combinations(range(squares), mines))


@cache
def _showing(width: int, height: int, mines: int, square: int) -> Mapping[int, int]:
    """The layouts of the board in which `square` shows each number, the smallest first; CLOSED stands for a mine."""
    x, y = square % width, square // width
    near = [(a, b) for a in (x - 1, x, x + 1) for b in (y - 1, y, y + 1) if 0 <= a < width and 0 <= b < height]
    around = sum(1 << (b * width + a) for a, b in near)
    layouts = _layouts(width * height, mines)
    shown = [CLOSED if layout >> square & 1 else (layout & around).bit_count() for layout in reversed(layouts)]
    return {number: int("".join("01"[one == number] for one in shown), 2) for number in range(CLOSED, len(near))}
