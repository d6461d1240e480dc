"""Many games in a few numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from pacman.play.game import Result

Z = 1.959963984540054  # 95 % of a normal distribution lies within


@dataclass
class GameStatistics:
    """Games in a few numbers, in memory that does not grow with them. Those of parts add up to that of the whole."""

    outcomes: Counter[str] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    plies: int = 0

    def add(self, other: GameStatistics) -> None:
        self.outcomes.update(other.outcomes)
        self.scores.update(other.scores)
        self.plies += other.plies

    def count(self, results: Iterable[Result]) -> None:
        for result in results:
            self.outcomes[result.outcome] += 1
            self.scores[result.score] += 1
            self.plies += result.plies

    @property
    def games(self) -> int:
        return self.outcomes.total()

    @property
    def mean_score(self) -> float:
        return sum(score * count for score, count in self.scores.items()) / self.games

    @property
    def win_rate(self) -> float:
        return self.outcomes["win"] / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the win rate."""
        return interval(self.outcomes["win"], self.games)

    def as_json(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "outcomes": dict(sorted(self.outcomes.items())),
            "mean_score": self.mean_score,
            "win_rate": self.win_rate,
            "interval": [round(bound, 6) for bound in self.interval],
        }

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.games} games: mean score {self.mean_score:.1f}, "
            f"win rate {self.win_rate:.1%} (95 % interval {low:.1%} to {high:.1%})"
        )


def tally(results: Iterable[Result]) -> GameStatistics:
    """The sums of at least one game."""
    found = GameStatistics()
    found.count(results)
    return found


def interval(wins: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a rate, after Wilson 1927: within [0, 1], and sensible at 0 and at all wins.

    >>> [round(bound, 3) for bound in interval(0, 10)], [round(bound, 3) for bound in interval(5, 10)]
    ([0.0, 0.278], [0.237, 0.763])
    """
    rate, weight = wins / games, Z * Z / games
    middle = (rate + weight / 2) / (1 + weight)
    reach = sqrt(rate * (1 - rate) * weight + weight * weight / 4) / (1 + weight)
    return max(0.0, middle - reach), min(1.0, middle + reach)
