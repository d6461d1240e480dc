"""Pig: a dice game with a roll before each choice, so its layers are CHANCE, MAX, CHANCE and MIN."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pacman.core.errors import IllegalAction, InputError
from pacman.core.tree import Layer

ROLL, HOLD = "roll", "hold"
SIDES = 6
_ROLLS = tuple((str(side), 1 / SIDES) for side in range(1, SIDES + 1))
_FACES = tuple(face for face, _ in _ROLLS)


@dataclass(frozen=True)
class Pig:
    """A position. MAX begins. The utility is 1 if MAX is the first with `goal` points, and -1 if MIN is.

    Each turn begins with a roll. After a 1, the player loses the points of this turn, and the turn ends. After any
    other number, the player adds it to the points of this turn and chooses: `roll` rolls again, `hold` banks the
    points and ends the turn.

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
            raise InputError(f"the goal of pig must be 1 point or more, not {self.goal}")

    @property
    def layer(self) -> Layer:
        """CHANCE before a roll, otherwise the player."""
        return Layer.CHANCE if self.rolling else (Layer.MAX, Layer.MIN)[self.player]

    @property
    def is_terminal(self) -> bool:
        """True if a player has `goal` points."""
        return max(self.banked) >= self.goal

    @property
    def score(self) -> float:
        """The utility at the end. Before it, MAX's lead (with this turn's points) divided by `goal`, from -1 to 1."""
        if self.is_terminal:
            return 1 if self.banked[0] >= self.goal else -1
        mine, theirs = self.banked
        lead = mine - theirs + (self.turn if self.player == 0 else -self.turn)
        return min(max(lead / self.goal, -1), 1)

    def actions(self) -> tuple[str, ...]:
        """The six sides before a roll, otherwise `roll` and `hold`. Empty at the end."""
        if self.is_terminal:
            return ()
        return _FACES if self.rolling else (ROLL, HOLD)

    def outcomes(self) -> tuple[tuple[str, float], ...]:
        """The six sides with their probabilities. ValueError at a choice."""
        if not self.rolling:
            raise ValueError("outcomes() was called at a choice: only a roll has probabilities")
        return () if self.is_terminal else _ROLLS

    def successor(self, action: str) -> Pig:
        """The position after `action`. IllegalAction if it is not in `actions()`."""
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
        score = f"MAX has {self.banked[0]}, MIN has {self.banked[1]}, the goal is {self.goal}"
        return f"{score}; {mover}'s turn: {self.turn} points so far"
