"""The statistics of many games: outcomes, mean score, win rate and its confidence interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from pacman.core.words import counted
from pacman.play.game import Result

Z = 1.959963984540054  # 95 % of a normal distribution lies within
MOST_SEEDS = 10
"""How many seeds of lost games the statistics name."""


@dataclass
class GameStatistics:
    """The outcomes, scores and plies of many games, and the seeds of the first lost ones, at most `MOST_SEEDS`.

    The memory does not grow with the number of games. Statistics of parts can be added: the sum equals the statistics
    of all the games together.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    plies: int = 0
    lost_seeds: list[int] = field(default_factory=list)

    def add(self, other: GameStatistics) -> None:
        """Adds the games of `other`."""
        self.outcomes.update(other.outcomes)
        self.scores.update(other.scores)
        self.plies += other.plies
        self.lost_seeds = [*self.lost_seeds, *other.lost_seeds][:MOST_SEEDS]

    def count(self, results: Iterable[Result]) -> None:
        """Adds the games with these results."""
        for result in results:
            self.outcomes[result.outcome] += 1
            self.scores[result.score] += 1
            self.plies += result.plies
            if result.outcome == "loss" and len(self.lost_seeds) < MOST_SEEDS:
                self.lost_seeds.append(result.seed)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.outcomes.total()

    @property
    def mean_score(self) -> float:
        """The mean score in points. ZeroDivisionError if there is no game."""
        return sum(score * count for score, count in self.scores.items()) / self.games

    @property
    def win_rate(self) -> float:
        """The share of games that Pacman won, from 0 to 1. ZeroDivisionError if there is no game."""
        return self.outcomes["win"] / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the win rate."""
        return interval(self.outcomes["win"], self.games)

    def as_json(self) -> dict[str, Any]:
        """The numbers as a JSON object; outcomes are sorted by name."""
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
            f"{counted(self.games, 'game')}: mean score {self.mean_score:.1f}, "
            f"win rate {self.win_rate:.1%} (95 % interval {low:.1%} to {high:.1%})"
        )


def tally(results: Iterable[Result]) -> GameStatistics:
    """The statistics of at least one game."""
    statistics = GameStatistics()
    statistics.count(results)
    return statistics


def interval(wins: int, games: int) -> tuple[float, float]:
    """The 95 % confidence interval of the rate wins / games, by Wilson (1927). It lies within [0, 1].

    It is also valid for 0 wins and for all games won:

    >>> [round(bound, 3) for bound in interval(0, 10)], [round(bound, 3) for bound in interval(5, 10)]
    ([0.0, 0.278], [0.237, 0.763])
    """
    rate, weight = wins / games, Z * Z / games
    middle = (rate + weight / 2) / (1 + weight)
    half_width = sqrt(rate * (1 - rate) * weight + weight * weight / 4) / (1 + weight)
    return max(0.0, middle - half_width), min(1.0, middle + half_width)
