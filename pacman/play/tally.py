"""Many games in a few numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import fmean
from typing import Any

from pacman.play.game import Result

Z = 1.959963984540054  # 95 % of a normal distribution lies within


@dataclass(frozen=True)
class Tally:
    """What a batch of games came to. `interval` is the 95 % interval of the win rate."""

    games: int
    outcomes: dict[str, int]
    mean_score: float
    win_rate: float
    interval: tuple[float, float]

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"interval": [round(bound, 6) for bound in self.interval]}

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.games} games: mean score {self.mean_score:.1f}, "
            f"win rate {self.win_rate:.1%} (95 % interval {low:.1%} to {high:.1%})"
        )


def tally(results: Sequence[Result]) -> Tally:
    """The sums of at least one game."""
    outcomes = Counter(result.outcome for result in results)
    wins, games = outcomes["win"], len(results)
    score = fmean(result.score for result in results)
    return Tally(games, dict(sorted(outcomes.items())), score, wins / games, interval(wins, games))


def interval(wins: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a rate, after Wilson 1927: within [0, 1], and sensible at 0 and at all wins.

    >>> [round(bound, 3) for bound in interval(0, 10)], [round(bound, 3) for bound in interval(5, 10)]
    ([0.0, 0.278], [0.237, 0.763])
    """
    rate, weight = wins / games, Z * Z / games
    middle = (rate + weight / 2) / (1 + weight)
    reach = sqrt(rate * (1 - rate) * weight + weight * weight / 4) / (1 + weight)
    return max(0.0, middle - reach), min(1.0, middle + reach)
