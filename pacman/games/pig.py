"""Pig: roll as often as you dare. A die before every choice, so layers of chance, MAX, chance and MIN."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pacman.core.errors import IllegalAction, InputError
from pacman.core.layers import Layer

ROLL, HOLD = "roll", "hold"
SIDES = 6
_ROLLS = tuple((str(side), 1 / SIDES) for side in range(1, SIDES + 1))
_FACES = tuple(face for face, _ in _ROLLS)


@dataclass(frozen=True)
class Pig:
    """A position. MAX begins; the utility is 1 if MAX comes to `goal` points first, -1 if MIN does.

    Each turn begins with a roll. A 1 loses the points of this turn and passes the die; any other side adds to
    them, and its owner may `roll` again or `hold`: put them away and pass the die.

    >>> start = Pig(goal=20)
    >>> start.layer, start.successor("6").layer, start.successor("6").successor("hold")
    (CHANCE, MAX, Pig(goal=20, banked=(6, 0), turn=0, player=1, rolling=True))
    """

    goal: int = 100
    banked: tuple[int, int] = (0, 0)
    turn: int = 0
    player: int = 0
    rolling: bool = True

    def __post_init__(self) -> None:
        if self.goal < 1:
            raise InputError(f"a game of pig is to 1 point or more, not to {self.goal}")

    @property
    def layer(self) -> Layer:
        return Layer.CHANCE if self.rolling else (Layer.MAX, Layer.MIN)[self.player]

    @property
    def is_terminal(self) -> bool:
        return max(self.banked) >= self.goal

    @property
    def score(self) -> float:
        """The utility at an end; before it the lead, this turn's points included, in goals: from -1 to 1."""
        if self.is_terminal:
            return 1 if self.banked[0] >= self.goal else -1
        mine, theirs = self.banked
        lead = mine - theirs + (self.turn if self.player == 0 else -self.turn)
        return min(max(lead / self.goal, -1), 1)

    def actions(self) -> tuple[str, ...]:
        if self.is_terminal:
            return ()
        return _FACES if self.rolling else (ROLL, HOLD)

    def outcomes(self) -> tuple[tuple[str, float], ...]:
        if not self.rolling:
            raise ValueError("outcomes() of a choice: only a roll has probabilities")
        return () if self.is_terminal else _ROLLS

    def successor(self, action: str) -> Pig:
        if action not in self.actions():
            raise IllegalAction(f"illegal action {action!r}; legal: {', '.join(self.actions()) or 'none'}; in {self}")
        if action == ROLL:
            return replace(self, rolling=True)
        if action == HOLD:
            mine, theirs = self.banked
            banked = (mine + self.turn, theirs) if self.player == 0 else (mine, theirs + self.turn)
            return Pig(self.goal, banked, 0, 1 - self.player)
        if action == "1":
            return Pig(self.goal, self.banked, 0, 1 - self.player)
        return Pig(self.goal, self.banked, self.turn + int(action), self.player, rolling=False)

    def __str__(self) -> str:
        mover = ("MAX", "MIN")[self.player]
        return f"MAX {self.banked[0]}, MIN {self.banked[1]} of {self.goal}; {mover}'s turn: {self.turn}"
