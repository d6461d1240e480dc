"""Many games of the same agents, in this process or in several: outcomes, means and their confidence intervals.

A game has a seed, from which all its random numbers follow. So the results do not depend on the number of processes,
and `watch --seed N` shows the same game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
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

MakeGame = Callable[[int], Game]
"""Makes the game with a seed. If it goes to another process, it must be picklable."""


@dataclass
class GameStatistics:
    """The outcomes, scores and plies of many games, and the seeds of the first lost ones, at most `MOST_SEEDS`.

    Means and intervals of no game are a ZeroDivisionError.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    plies: int = 0
    lost_seeds: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, results: Iterable[Result]) -> GameStatistics:
        """The statistics of games with these results."""
        games = list(results)
        lost = [game.seed for game in games if game.outcome == "loss"]
        outcomes, scores = Counter(game.outcome for game in games), Counter(game.score for game in games)
        return cls(outcomes, scores, sum(game.plies for game in games), lost[:MOST_SEEDS])

    @property
    def games(self) -> int:
        """The number of games."""
        return self.outcomes.total()

    @property
    def mean_score(self) -> float:
        """The mean score in points."""
        return sum(score * count for score, count in self.scores.items()) / self.games

    @property
    def win_rate(self) -> float:
        """The share of games that Pacman won, from 0 to 1."""
        return self.outcomes["win"] / self.games

    @property
    def win_interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the win rate."""
        return interval(self.outcomes["win"], self.games)

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
        """The statistics as an object that `json` can write."""
        return {
            "games": self.games,
            "outcomes": {name: self.outcomes[name] for name in OUTCOMES if self.outcomes[name]},
            "win_rate": self.win_rate,
            "win_interval": [round(bound, 6) for bound in self.win_interval],
            "mean_score": round(self.mean_score, 6),
            "score_interval": [round(bound, 6) for bound in self.score_interval],
            "mean_plies": round(self.plies / self.games, 6),
            "score_histogram": [list(bin) for bin in self.histogram()],
            "first_lost_seeds": self.lost_seeds,
        }

    def __str__(self) -> str:
        (low, high), (rate_low, rate_high) = self.score_interval, self.win_interval
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


def play_games(
    make: MakeGame, seeds: Iterable[int], watch: Callable[[int, GameState, Ply], object] | None = None
) -> Iterator[Result]:
    """Plays the game of each seed, and yields its result. InputError, with the seed, for a fault of an agent.

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
            raise InputError(f"seed {seed}: {game.result.fault.with_advice}".replace("\n", " "))
        yield game.result


def play_in_processes(
    makes: Mapping[str, MakeGame], seeds: range, workers: int, progress: Callable[[int], object] = lambda games: None
) -> list[list[Result]]:
    """The results of the game of each seed with each agent, in order, played in so many processes.

    Calls `progress` as games end. InputError, with the seed and the agent, for a fault of an agent.
    """
    from pacman.play.worker_pool import WorkerPool, in_order  # not needed where games are only counted

    parts = [seeds[first : first + CHUNK] for first in range(0, len(seeds), CHUNK)]
    calls = (
        partial(_results, name if makes.keys() - {name} else "", makes[name], part) for name in makes for part in parts
    )
    rows: list[list[Result]] = [[] for _ in makes]
    with WorkerPool(workers) as pool:
        for number, results in enumerate(in_order(pool, calls, 2 * workers)):  # few parts wait
            rows[number // len(parts)] += results
            progress(len(results))
    return rows


def _results(name: str, make: MakeGame, seeds: range) -> list[Result]:
    try:
        return list(play_games(make, seeds))
    except InputError as error:
        raise InputError(f"{name}: {error}" if name else str(error)) from None


# ---- several agents in the same games


HEADINGS = ("agent", "wins", "mean score", "points more than the best (95 % interval)")
"""The headings of the table of a `Duel`."""


@dataclass(frozen=True)
class Duel:
    """The results of several agents in the same games: one row for each agent, in the order of the seeds."""

    names: Sequence[str]
    results: Sequence[Sequence[Result]]

    @property
    def ranking(self) -> list[int]:
        """The numbers of the agents, the highest mean score first. A tie keeps the order of the agents."""
        return sorted(range(len(self.names)), key=lambda agent: -self.statistics(agent).mean_score)

    def statistics(self, agent: int) -> GameStatistics:
        """The statistics of the games of one agent."""
        return GameStatistics.of(self.results[agent])

    def difference(self, agent: int, other: int) -> tuple[float, float, float]:
        """The mean of the score of `agent` minus that of `other` in the same game, and its 95 % interval.

        Luck that both have in a game cancels out, so the interval is narrower than that of two separate series.
        """
        pairs = list(zip(self.results[agent], self.results[other], strict=True))
        scores = [one.score - another.score for one, another in pairs]
        mean = sum(scores) / len(scores)
        variance = sum((score - mean) ** 2 for score in scores) / max(1, len(scores) - 1)
        reach = Z * sqrt(variance / len(scores))
        return mean, mean - reach, mean + reach

    @property
    def most_different(self) -> int:
        """The number of the game in which the scores of the agents lie furthest apart; the first one on a tie."""
        games = list(zip(*self.results, strict=True))
        return max(range(len(games)), key=lambda game: _spread(games[game]))

    def as_json(self) -> dict[str, Any]:
        """The table as an object that `json` can write, the best agent first."""
        game = self.most_different
        best, *_ = self.ranking
        return {
            "games": len(self.results[0]),
            "agents": [
                {
                    "name": self.names[agent],
                    "wins": self.statistics(agent).outcomes["win"],
                    "mean_score": round(self.statistics(agent).mean_score, 6),
                    "difference": [round(number, 6) for number in self.difference(agent, best)],
                }
                for agent in self.ranking
            ],
            "most_different": {
                "seed": self.results[0][game].seed,
                "scores": [self.results[agent][game].score for agent in self.ranking],
            },
        }

    @property
    def rows(self) -> list[tuple[str, str, str, str]]:
        """The table, the best agent first: name, wins, mean score, and how many points more than the best one."""
        best, *_ = ranking = self.ranking
        rows = []
        for agent in ranking:
            games = self.statistics(agent)
            mean, low, high = self.difference(agent, best)
            more = "" if agent == best else f"{mean:+.1f} ({low:+.1f} to {high:+.1f})"
            rows.append((self.names[agent], str(games.outcomes["win"]), f"{games.mean_score:.1f}", more))
        return rows

    @property
    def scores(self) -> str:
        """The scores in the most different game, in words."""
        game = self.most_different
        return ", ".join(f"{self.names[agent]} {self.results[agent][game].score}" for agent in self.ranking)

    def __str__(self) -> str:
        width = max(5, *map(len, self.names))
        table = [HEADINGS, *self.rows]
        lines = [f"{name:<{width}} {wins:>6} {mean:>11}  {more}".rstrip() for name, wins, mean, more in table]
        return "\n".join([f"{counted(len(self.results[0]), 'game')} of each agent", *lines])


def _spread(results: Sequence[Result]) -> int:
    scores = [result.score for result in results]
    return max(scores) - min(scores)


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
