"""Many games of the same agents, in this process or in several: outcomes, means and their confidence intervals.

A game has a seed, from which all its random numbers follow. So the results do not depend on the number of processes,
and `watch --seed N` shows the same game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from statistics import stdev
from typing import Any

from pacman.core.errors import InputError, counted
from pacman.core.state import GameState
from pacman.play.game import Game, Ply, Result

OUTCOMES = ("truncated", "win", "loss", "fault")
CHUNK = 5
"""The games of one task of a process: few, because a game of an agent that searches deep takes seconds."""
BINS = 20
MOST_SEEDS = 10
"""How many seeds of lost games the statistics name."""
Z = 1.959963984540054  # 95 % of a normal distribution lies within
HEADINGS = ("agent", "wins", "mean score", "points more than the best (95 % interval)")
"""The headings of the table of a `Duel`."""

MakeGame = Callable[[int], Game]
"""Makes the game with a seed. If it goes to another process, it must be picklable."""


class GameStatistics:
    """The outcomes, scores and plies of many games, and the seeds of the first lost ones, at most `MOST_SEEDS`.

    Means and intervals of no game are a ZeroDivisionError.
    """

    def __init__(self, results: Iterable[Result]) -> None:
        games = list(results)
        self.games, self.scores = len(games), [game.score for game in games]
        self.plies = sum(game.plies for game in games)
        self.outcomes = Counter(game.outcome for game in games)
        self.lost_seeds = [game.seed for game in games if game.outcome == "loss"][:MOST_SEEDS]

    @property
    def score(self) -> tuple[float, float, float]:
        """The mean score in points, and its 95 % confidence interval."""
        return mean_and_interval(self.scores)

    @property
    def win_rate(self) -> tuple[float, float, float]:
        """The share of games that Pacman won, from 0 to 1, and its 95 % confidence interval."""
        wins = self.outcomes["win"]
        return wins / self.games, *interval(wins, self.games)

    def histogram(self) -> list[tuple[int, int, int]]:
        """(from, to, games) for each bin of the scores. All bins have the same width; `to` is outside the bin."""
        low, high = min(self.scores), max(self.scores)
        width = (high - low) // BINS + 1
        counts = Counter((points - low) // width for points in self.scores)
        return [(low + width * bin, low + width * (bin + 1), counts[bin]) for bin in range((high - low) // width + 1)]

    def as_json(self) -> dict[str, Any]:
        """The statistics as an object that `json` can write."""
        (rate, *rates), (mean, *scores) = self.win_rate, self.score
        return {
            "games": self.games,
            "outcomes": {name: self.outcomes[name] for name in OUTCOMES if self.outcomes[name]},
            "win_rate": rate,
            "win_interval": [round(bound, 6) for bound in rates],
            "mean_score": round(mean, 6),
            "score_interval": [round(bound, 6) for bound in scores],
            "mean_plies": round(self.plies / self.games, 6),
            "score_histogram": [list(bin) for bin in self.histogram()],
            "first_lost_seeds": self.lost_seeds,
        }

    def __str__(self) -> str:
        (mean, low, high), (rate, rate_low, rate_high), bins = self.score, self.win_rate, self.histogram()
        tallest = max(count for _, _, count in bins)
        seeds = ", ".join([*map(str, self.lost_seeds), *["..."] * (self.outcomes["loss"] > len(self.lost_seeds))])
        lines = [
            f"{counted(self.games, 'game')}, {self.plies / self.games:.1f} plies on average",
            f"win rate {rate:.2%} (95 % interval {rate_low:.2%} to {rate_high:.2%})",
            f"mean score {mean:.2f} (95 % interval {low:.2f} to {high:.2f}), "
            f"from {min(self.scores)} to {max(self.scores)}",
            *([f"seeds of lost games: {seeds}"] if seeds else []),
        ]
        lines += [
            f"{first:6} to {end - 1:6} {count:8} {'#' * round(40 * count / tallest)}" for first, end, count in bins
        ]
        return "\n".join(lines)


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


def mean_and_interval(points: Sequence[int]) -> tuple[float, float, float]:
    """The mean of some numbers of points, and its 95 % confidence interval, from the normal distribution."""
    mean = sum(points) / len(points)
    reach = Z * stdev(points) / sqrt(len(points)) if len(points) > 1 else 0.0
    return mean, mean - reach, mean + reach


def play_games(
    make: MakeGame, seeds: Iterable[int], watch: Callable[[int, GameState, Ply], object] | None = None, name: str = ""
) -> Iterator[Result]:
    """Plays the game of each seed, and yields its result. InputError, with `name` and seed, for a fault of an agent.

    `watch` gets each ply, with the seed of its game and the position before it.
    """
    for seed in seeds:
        game = make(seed)
        before = game.state
        for ply in game:
            if watch:
                watch(seed, before, ply)
            before = ply.state
        assert game.result is not None
        if game.result.fault:
            place = f"{name}: seed {seed}" if name else f"seed {seed}"
            raise InputError(f"{place}: {game.result.fault.with_advice}".replace("\n", " "))
        yield game.result


def play_in_processes(
    makes: Mapping[str, MakeGame], seeds: range, workers: int, progress: Callable[[int], object] = lambda games: None
) -> list[list[Result]]:
    """The results of the game of each seed with each agent, in order, played in so many processes.

    Calls `progress` as games end. InputError, with the seed and the agent, for a fault of an agent.
    """
    from pacman.play.worker_pool import WorkerPool, in_order  # not needed where games are only counted

    parts = [seeds[first : first + CHUNK] for first in range(0, len(seeds), CHUNK)]
    calls = (partial(_results, make, part, name * (len(makes) > 1)) for name, make in makes.items() for part in parts)
    rows: list[list[Result]] = [[] for _ in makes]
    with WorkerPool(workers) as pool:
        for number, results in enumerate(in_order(pool, calls, 2 * workers)):  # few parts wait
            rows[number // len(parts)] += results
            progress(len(results))
    return rows


def _results(make: MakeGame, seeds: range, name: str) -> list[Result]:
    return list(play_games(make, seeds, name=name))


# ---- several agents in the same games


@dataclass(frozen=True)
class Duel:
    """The results of several agents in the same games: one row for each agent, in the order of the seeds."""

    names: Sequence[str]
    results: Sequence[Sequence[Result]]

    @property
    def ranking(self) -> list[int]:
        """The numbers of the agents, the highest mean score first. A tie keeps the order of the agents."""
        return sorted(range(len(self.names)), key=lambda agent: -sum(game.score for game in self.results[agent]))

    def difference(self, agent: int, other: int) -> tuple[float, float, float]:
        """The mean of the score of `agent` minus that of `other` in the same game, and its 95 % interval.

        Luck that both have in a game cancels out, so the interval is narrower than that of two separate series.
        """
        pairs = zip(self.results[agent], self.results[other], strict=True)
        return mean_and_interval([one.score - another.score for one, another in pairs])

    @property
    def most_different(self) -> int:
        """The number of the game in which the scores of the agents lie furthest apart; the first one on a tie."""
        games = [[game.score for game in same] for same in zip(*self.results, strict=True)]
        return max(range(len(games)), key=lambda number: max(games[number]) - min(games[number]))

    @property
    def most_different_scores(self) -> list[tuple[str, int]]:
        """The name of each agent and its score in that game, the best agent first."""
        return [(self.names[agent], self.results[agent][self.most_different].score) for agent in self.ranking]

    def as_json(self) -> dict[str, Any]:
        """The table as an object that `json` can write, the best agent first."""
        scores = [score for _, score in self.most_different_scores]
        return {
            "games": len(self.results[0]),
            "agents": [
                {
                    "name": name,
                    "wins": wins,
                    "mean_score": round(mean, 6),
                    "difference": [round(number, 6) for number in difference],
                }
                for name, wins, mean, difference in self._table()
            ],
            "most_different": {"seed": self.results[0][self.most_different].seed, "scores": scores},
        }

    @property
    def rows(self) -> list[tuple[str, str, str, str]]:
        """The table, the best agent first: name, wins, mean score, and how many points more than the best one."""
        (name, wins, mean, _), *others = self._table()
        rows = [(name, str(wins), f"{mean:.1f}", "")]
        for name, wins, mean, (more, low, high) in others:
            rows.append((name, str(wins), f"{mean:.1f}", f"{more:+.1f} ({low:+.1f} to {high:+.1f})"))
        return rows

    def _table(self) -> Iterator[tuple[str, int, float, tuple[float, float, float]]]:
        """For each agent, the best one first: name, wins, mean score, and the difference from the best one."""
        best, *_ = self.ranking
        for agent in self.ranking:
            games = GameStatistics(self.results[agent])
            yield self.names[agent], games.outcomes["win"], games.score[0], self.difference(agent, best)

    def __str__(self) -> str:
        width = max(5, *map(len, self.names))
        table = [HEADINGS, *self.rows]
        lines = [f"{name:<{width}} {wins:>6} {mean:>11}  {more}".rstrip() for name, wins, mean, more in table]
        return "\n".join([f"{counted(len(self.results[0]), 'game')} of each agent", *lines])


def differences(games: Sequence[Sequence[Ply]]) -> tuple[int, ...]:
    """The plies (as numbers of plies played before) at which Pacman does not do the same in all games that still go on.

    The first of them tells two agents apart; after it they see different positions.
    """
    plies = []
    for number in range(max(map(len, games), default=0)):
        moves = [game[number] for game in games if number < len(game)]
        if moves[0].agent == 0 and len(moves) > 1 and len({move.action for move in moves}) > 1:
            plies.append(number)
    return tuple(plies)
