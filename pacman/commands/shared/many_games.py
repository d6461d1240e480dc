"""Many games of the same agents, in several processes.

Game n has the seed `seed + n`, from which all its random numbers follow. So the results do not depend on the number of
processes, and `watch --seed N` shows the same game.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import Any

from pacman import compiled
from pacman.commands.shared.game_setup import GameSetup
from pacman.core.errors import InputError
from pacman.core.words import counted
from pacman.play.game_statistics import GameStatistics, Z
from pacman.play.worker_pool import WorkerPool, in_order

OUTCOMES = ("truncated", "win", "loss", "fault")
CHUNK = 5
"""The games of one task of a process: few, because a game of an agent that searches deep takes seconds."""
BINS = 20


class Summary(GameStatistics):
    """Statistics of games, with the distribution of their scores."""

    @property
    def score_interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean score, from the normal distribution."""
        squares = sum(score * score * count for score, count in self.scores.items())
        total = sum(score * count for score, count in self.scores.items())
        # Integers until the division: games * squares and total ** 2 are large and nearly equal.
        variance = (self.games * squares - total * total) / (self.games * max(1, self.games - 1))
        reach = Z * sqrt(variance / self.games)
        return self.mean_score - reach, self.mean_score + reach

    def histogram(self, bins: int = BINS) -> list[tuple[int, int, int]]:
        """(from, to, games) for each bin of the scores. All bins have the same width; `to` is outside the bin."""
        low, high = min(self.scores), max(self.scores)
        width = (high - low) // bins + 1
        counts = Counter[int]()
        for points, count in self.scores.items():
            counts[(points - low) // width] += count
        return [(low + width * bin, low + width * (bin + 1), counts[bin]) for bin in range((high - low) // width + 1)]

    def as_json(self) -> dict[str, Any]:
        """The summary as an object that `json` can write."""
        return {
            "games": self.games,
            "outcomes": {name: self.outcomes[name] for name in OUTCOMES if self.outcomes[name]},
            "win_rate": self.win_rate,
            "win_interval": [round(bound, 6) for bound in self.interval],
            "mean_score": round(self.mean_score, 6),
            "score_interval": [round(bound, 6) for bound in self.score_interval],
            "mean_plies": round(self.plies / self.games, 6),
            "score_histogram": [list(bin) for bin in self.histogram()],
            "first_lost_seeds": self.lost_seeds,
        }

    def __str__(self) -> str:
        (low, high), (rate_low, rate_high) = self.score_interval, self.interval
        least, most = min(self.scores), max(self.scores)
        seeds = ", ".join([*map(str, self.lost_seeds), *["..."] * (self.outcomes["loss"] > len(self.lost_seeds))])
        bins = self.histogram()
        tallest = max(count for _, _, count in bins)
        return "\n".join(
            [
                f"{counted(self.games, 'game')}, {self.plies / self.games:.1f} plies on average",
                f"win rate {self.win_rate:.2%} (95 % interval {rate_low:.2%} to {rate_high:.2%})",
                f"mean score {self.mean_score:.2f} (95 % interval {low:.2f} to {high:.2f}), from {least} to {most}",
                *([f"seeds of lost games: {seeds}"] if seeds else []),
                *(
                    f"{first:6} to {last - 1:6} {count:8} {'#' * round(40 * count / tallest)}"
                    for first, last, count in bins
                ),
            ]
        )


def simulate(
    setup: GameSetup, seed: int, workers: int, progress: Callable[[int], None] = lambda games: None
) -> Summary:
    """Plays the games of `setup` in so many processes. Calls `progress` as games end.

    The first game has the seed `seed`, each next one the next number. The summary does not depend on the number of
    processes. InputError for games that cannot be played.
    """
    total = Summary()
    parts = (
        partial(play_games, setup, seed + first, min(CHUNK, setup.games - first))
        for first in range(0, setup.games, CHUNK)
    )
    with WorkerPool(workers) as pool:
        for part in in_order(pool, parts, 2 * workers):  # few parts wait, so memory stays small
            total.add(part)
            progress(part.games)
    return total


def worker_count(jobs: int) -> int:
    """The number of workers for `--jobs N`: N, or one per core for 0. InputError if N is negative."""
    if jobs < 0:
        raise InputError(f"--jobs {jobs}: expected a number of workers, or 0 for all cores")
    return jobs or os.cpu_count() or 1


def play_games(setup: GameSetup, seed: int, games: int) -> Summary:
    """Plays some of the games, the first one with this seed. InputError, with the seed, for a fault of an agent."""
    part = Summary()
    for number in range(seed, seed + games):
        result = setup.game(number, compiled.to_log).play()
        if result.fault:
            raise InputError(f"seed {number}: {result.fault}".replace("\n", " "))
        part.count([result])
    return part
