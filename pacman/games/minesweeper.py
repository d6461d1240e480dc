"""Minesweeper against chance: a click is MAX's, the number that it shows is drawn from the layouts left."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

from pacman.core.errors import IllegalAction, InputError
from pacman.core.layers import Layer

MINE = "mine"
CLOSED = -1
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
        layouts = 1
        for index in range(mines):
            layouts = layouts * (squares - index) // (index + 1)
        if layouts > BIGGEST:
            raise InputError(
                f"{mines} mines on {width} by {height} can lie in {layouts} ways; at most {BIGGEST} are listed"
            )
        self.width, self.height, self.mines, self.safe_start = width, height, mines, safe_start
        self.opened = (CLOSED,) * squares
        self.clicked: int | None = None
        self._layouts = tuple(sum(1 << square for square in chosen) for chosen in combinations(range(squares), mines))

    def _with(self, opened: tuple[int, ...], clicked: int | None, layouts: tuple[int, ...]) -> Minesweeper:
        board = object.__new__(Minesweeper)
        board.width, board.height, board.mines, board.safe_start = self.width, self.height, self.mines, self.safe_start
        board.opened, board.clicked, board._layouts = opened, clicked, layouts
        return board

    @property
    def layer(self) -> Layer:
        return Layer.MAX if self.clicked is None else Layer.CHANCE

    @property
    def is_lost(self) -> bool:
        return not self._layouts

    @property
    def is_terminal(self) -> bool:
        return not self._layouts or (self.clicked is None and self.opened.count(CLOSED) == self.mines)

    @property
    def score(self) -> float:
        """1 for a win, 0 for a mine, and before an end the least that is certain: 0."""
        return float(bool(self._layouts) and self.opened.count(CLOSED) == self.mines)

    def closed(self) -> tuple[str, ...]:
        """Every square that can be clicked."""
        return tuple(self._name(square) for square, number in enumerate(self.opened) if number == CLOSED)

    def actions(self) -> tuple[str, ...]:
        """The squares worth a thought: where one is safe in every layout it costs nothing to open it, so only that."""
        if self.is_terminal:
            return ()
        if self.clicked is not None:
            return tuple(action for action, _ in self.outcomes())
        dangers = self.dangers()
        for square, danger in dangers.items():
            if danger == 0:
                return (self._name(square),)
        return tuple(self._name(square) for square in dangers)

    def dangers(self) -> dict[int, float]:
        """The probability of a mine under each closed square."""
        counts = Counter(square for layout in self._layouts for square in _bits(layout))
        size = len(self._layouts)
        return {square: counts[square] / size for square, number in enumerate(self.opened) if number == CLOSED}

    def outcomes(self) -> tuple[tuple[str, float], ...]:
        if self.clicked is None:
            raise ValueError("outcomes() of a click: only what it shows has probabilities")
        shown = Counter(self._number(layout, self.clicked) for layout in self._possible(self.clicked))
        size = shown.total()
        return tuple((MINE if number == CLOSED else str(number), shown[number] / size) for number in sorted(shown))

    def successor(self, action: str) -> Minesweeper:
        if self.clicked is None:
            if action not in self.closed() or self.is_terminal:
                raise IllegalAction(
                    f"illegal click {action!r}; closed: {' '.join(self.closed()) or 'none'}; in\n{self}"
                )
            x, y = map(int, action.split(","))
            return self._with(self.opened, y * self.width + x, self._layouts)
        square = self.clicked
        number = CLOSED if action == MINE else int(action) if action.isdecimal() else None
        left = tuple(layout for layout in self._possible(square) if self._number(layout, square) == number)
        if not left:
            raise IllegalAction(f"illegal outcome {action!r}; possible: {', '.join(self.actions())}; in\n{self}")
        if number == CLOSED:
            return self._with(self.opened, None, ())
        assert number is not None
        return self._with((*self.opened[:square], number, *self.opened[square + 1 :]), None, left)

    def bounds(self, plies: int) -> tuple[float, float]:
        """[L, U] on the probability to win: no more than that of the safest click going well."""
        if self.is_terminal:
            return self.score, self.score
        if self.clicked is not None or plies < 2:
            return 0.0, 1.0
        dangers = self.dangers()
        if self.safe_start and self._is_first():
            return 0.0, 1.0
        return 0.0, 1 - min(dangers.values())

    def _is_first(self) -> bool:
        return self.opened.count(CLOSED) == len(self.opened)

    def _possible(self, square: int) -> tuple[int, ...]:
        if self.safe_start and self._is_first():
            return tuple(layout for layout in self._layouts if not layout >> square & 1)
        return self._layouts

    def _number(self, layout: int, square: int) -> int:
        """What opening `square` shows: CLOSED stands for a mine."""
        if layout >> square & 1:
            return CLOSED
        return (layout & _around(self.width, self.height, square)).bit_count()

    def _name(self, square: int) -> str:
        y, x = divmod(square, self.width)
        return f"{x},{y}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Minesweeper):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.opened, self.clicked, self.is_lost))

    def _key(self) -> tuple[object, ...]:
        return (self.opened, self.clicked, self.is_lost, self.width, self.mines, self.safe_start)

    def __str__(self) -> str:
        marks = ["#" if number == CLOSED else str(number) for number in self.opened]
        if self.clicked is not None:
            marks[self.clicked] = "?"
        rows = [marks[row * self.width : (row + 1) * self.width] for row in range(self.height)]
        return "\n".join(" ".join(row) for row in reversed(rows))


def win_bounds(board: Minesweeper, plies: int) -> tuple[float, float]:
    """The bounds of the probability to win, for a star search."""
    return board.bounds(plies)


@cache
def _around(width: int, height: int, square: int) -> int:
    y, x = divmod(square, width)
    near = ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
    return sum(1 << (b * width + a) for a, b in near if 0 <= a < width and 0 <= b < height)


@cache
def _bits(layout: int) -> tuple[int, ...]:
    return tuple(square for square in range(layout.bit_length()) if layout >> square & 1)
