"""Many games on all cores: compiled if every agent has a compiled form, otherwise in several Python processes.

Each agent of each game has its own random stream, which depends on the game's seed and the agent's number. So the
results do not depend on the number of workers, and compiled games give the same results as Python games.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from random import Random
from typing import Any

import numpy as np

from agents import load
from agents.ghosts import HUNTED, DirectionalGhost, OptimalGhost, RandomGhost
from agents.pacmen import GreedyPacman, RandomPacman
from agents.perfect import PerfectPacman
from agents.searchers import AlphaBeta, Expectimax, Expectiminimax, Minimax, Reflex, default_evaluation
from pacman import compiled
from pacman.commands.shared.options import check_at_least_one
from pacman.compiled.arrays import GameResults, Match
from pacman.compiled.constants import ALPHABETA, EXHAUSTIVE, GREEDY, RANDOM, REFLEX
from pacman.compiled.linear_evaluation import Linear
from pacman.compiled.position_tables import Tables, turns
from pacman.compiled.random_stream import Stream
from pacman.compiled.search_call import weights, work
from pacman.core.errors import InputError
from pacman.core.layout import Layout
from pacman.core.state import GameState, start
from pacman.core.tree import Evaluation, score
from pacman.core.words import counted
from pacman.play import exact
from pacman.play.game import MAX_PLIES, Agent, Game
from pacman.play.game_statistics import GameStatistics, Z
from pacman.play.worker_pool import WorkerPool, in_order

OUTCOMES = ("truncated", "win", "loss", "fault")
COMPILED_CHUNK, PYTHON_CHUNK = 2000, 5
BINS = 20


@dataclass(frozen=True)
class Plan:
    """The games to play: the layout, the agents, the first seed, and how many. Game n has the seed `seed + n`."""

    layout: str
    pacman: str
    ghosts: tuple[str, ...]
    games: int
    seed: int = 0
    arguments: tuple[str, ...] = ()
    max_plies: int = MAX_PLIES

    def check(self) -> None:
        """Raises InputError if the games cannot be played."""
        check_at_least_one("--games", self.games, "game")
        check_at_least_one("--max-plies", self.max_plies, "ply")
        if not 0 <= self.seed < 1 << 62:
            raise InputError(f"--seed {self.seed}: expected a number from 0 to {(1 << 62) - 1}")
        if self.pacman == "keyboard":
            raise InputError("--pacman keyboard: a person cannot play here; name an agent, for example --pacman reflex")
        _, (pacman, *_) = self.agents()
        if isinstance(pacman, PerfectPacman):
            compiled.demand_numba(exact.PURPOSE)

    def agents(self) -> tuple[GameState, list[Any]]:
        """The first position, and new agents: Pacman first, then the ghosts."""
        board = Layout.load(self.layout)
        ghosts = [load.make_ghost(kind) for kind in self.ghosts or ("random",) * len(board.ghosts)]
        return start(board, ghosts), [load.make_pacman(self.pacman, self.arguments), *ghosts]


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
        }

    def __str__(self) -> str:
        (low, high), (rate_low, rate_high) = self.score_interval, self.interval
        least, most = min(self.scores), max(self.scores)
        bins = self.histogram()
        tallest = max(count for _, _, count in bins)
        return "\n".join(
            [
                f"{counted(self.games, 'game')}, {self.plies / self.games:.1f} plies on average",
                f"win rate {self.win_rate:.2%} (95 % interval {rate_low:.2%} to {rate_high:.2%})",
                f"mean score {self.mean_score:.2f} (95 % interval {low:.2f} to {high:.2f}), from {least} to {most}",
                *(
                    f"{first:6} to {last - 1:6} {count:8} {'#' * round(40 * count / tallest)}"
                    for first, last, count in bins
                ),
            ]
        )


def simulate(plan: Plan, jobs: int = 0, progress: Callable[[int], None] = lambda games: None) -> Summary:
    """Plays every game of `plan` with `jobs` workers; 0 means one worker per core. Calls `progress` as games end.

    The summary does not depend on the number of workers. InputError for a plan that cannot be played.
    """
    plan.check()
    workers = worker_count(jobs)
    total = Summary()
    pool, size, play = _worker_pool(plan, workers)
    parts = (partial(play, plan, first, min(size, plan.games - first)) for first in range(0, plan.games, size))
    with pool:
        for part in in_order(pool, parts, 2 * workers):
            total.add(part)
            progress(part.games)
    return total


def worker_count(jobs: int) -> int:
    """The number of workers for `--jobs N`: N, or one per core for 0. InputError if N is negative."""
    if jobs < 0:
        raise InputError(f"--jobs {jobs}: expected a number of workers, or 0 for all cores")
    return jobs or os.cpu_count() or 1


def _worker_pool(plan: Plan, workers: int) -> tuple[Executor, int, Callable[[Plan, int, int], Summary]]:
    """The pool of workers, the games per task, and the function that plays them.

    Compiled code runs in threads, because it does not hold Python's lock; Python code runs in processes.
    """
    if compiled.is_available() and has_compiled_form(plan):
        return ThreadPoolExecutor(workers), COMPILED_CHUNK, play_compiled
    return WorkerPool(workers), PYTHON_CHUNK, play_python


def has_compiled_form(plan: Plan) -> bool:
    """True if the kernel supports every agent, the evaluation and the board of the plan."""
    try:
        return compiled_match(plan) is not None
    except compiled.NotSupported:
        return False


def play_python(plan: Plan, first: int, games: int) -> Summary:
    """Plays some games of a plan with the Python agents."""
    part = Summary()
    for seed in range(plan.seed + first, plan.seed + first + games):
        state, agents = plan.agents()
        players = [StreamAgent(agent, seed, number) for number, agent in enumerate(agents)]
        result = Game(state, players, [""] * len(agents), seed=seed, max_plies=plan.max_plies).play()
        if result.fault:
            raise InputError(f"seed {seed}: {result.fault}".replace("\n", " "))
        part.count([result])
    return part


@dataclass
class StreamAgent:
    """An agent that uses the counter-based random stream instead of the generator of the game."""

    agent: Agent
    seed: int
    number: int

    def begin(self, rng: Random) -> None:
        """Starts a game with the stream of this seed and this agent; ignores `rng`."""
        self.agent.begin(Stream.of(self.seed, self.number))

    def choose(self, state: GameState) -> str:
        """The action of the agent inside."""
        return self.agent.choose(state)


_SEARCHES = {
    # Alpha-beta finds minimax's action: at the root only a better value replaces the first best one.
    Minimax: ALPHABETA,
    AlphaBeta: ALPHABETA,
    Expectimax: EXHAUSTIVE,
    Expectiminimax: EXHAUSTIVE,
}


def compiled_match(plan: Plan) -> Match | None:
    """The compiled form of a plan.

    None if an agent or an evaluation has no compiled form; NotSupported if the board has none.
    """
    state, (pacman, *ghosts) = plan.agents()
    round_plies = len(state.layers)
    assumed, policy, plies = state, RANDOM, 0
    evaluation: Evaluation = score
    if type(pacman) is GreedyPacman:
        policy = GREEDY
    elif type(pacman) is Reflex:
        policy, evaluation = REFLEX, default_evaluation
    elif type(pacman) in _SEARCHES:
        if pacman.evaluation is not score and not isinstance(pacman.evaluation, Linear):
            return None
        policy, plies, evaluation = _SEARCHES[type(pacman)], pacman.rounds * round_plies, pacman.evaluation
        assumed = state if pacman.assumes is None else state.assuming(pacman.assumes)
    elif type(pacman) is not RandomPacman:
        return None
    policies, depths = [policy], [plies]
    for ghost in ghosts:
        if type(ghost) not in (RandomGhost, DirectionalGhost, OptimalGhost):
            return None
        searches = type(ghost) is OptimalGhost
        policies.append(ALPHABETA if searches else RANDOM)
        depths.append(ghost.rounds * round_plies if searches else 0)
    first, longest = state.round.order[0], round_plies + max(depths)
    shared = work(Tables.of(state.maze), state, turns(state.round, first, longest), max(2, *depths), weights(HUNTED))
    return Match(
        row=shared.position.rows[0].copy(),
        items=shared.position.items.copy(),
        policy=np.array(policies, np.int32),
        plies=np.array(depths, np.int32),
        pacman=shared._replace(turns=turns(assumed.round, first, longest), weights=weights(evaluation)),
        ghosts=shared,
        keys=np.zeros(len(policies), np.uint64),
        counters=np.zeros(len(policies), np.uint64),
    )


def play_compiled(plan: Plan, first: int, games: int) -> Summary:
    """Plays some games of a plan with compiled code."""
    from pacman.compiled.games import play

    match = compiled_match(plan)
    assert match is not None
    results = GameResults(*(np.zeros(games, np.int32) for _ in range(3)))
    play(match, plan.seed + first, plan.max_plies, results)
    outcomes = np.bincount(results.outcome, minlength=3)
    scores, counts = np.unique(results.score, return_counts=True)
    return Summary(
        Counter({name: int(count) for name, count in zip(OUTCOMES, outcomes, strict=False)}),
        Counter(dict(zip(scores.tolist(), counts.tolist(), strict=True))),
        int(results.plies.sum()),
    )
