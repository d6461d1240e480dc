"""Many games at once, over all cores: compiled where every agent has a compiled form, by processes where not.

Each agent of each game draws from a stream of its own, named by the game's seed and the agent's number. So the
results are the same however many workers share the games, and the same compiled and in Python.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any

import numpy as np

from agents import load
from agents.ghosts import HUNTED, DirectionalGhost, OptimalGhost, RandomGhost
from agents.pacmen import GreedyPacman, RandomPacman
from agents.searchers import AlphaBeta, Expectimax, Expectiminimax, Minimax, Reflex, default_evaluation
from pacman import kernel
from pacman.core.errors import InputError
from pacman.core.layout import Layout
from pacman.core.state import GameState, start
from pacman.core.tree import Evaluation, score
from pacman.kernel.arrays import GameResults, Match
from pacman.kernel.constants import ALPHABETA, EXHAUSTIVE, GREEDY, RANDOM, REFLEX
from pacman.kernel.linear_evaluation import Linear
from pacman.kernel.random_stream import Stream
from pacman.kernel.search_call import weights, work
from pacman.kernel.tables import Tables, turns
from pacman.play.game import MAX_PLIES, Agent, Game
from pacman.play.game_statistics import GameStatistics, Z

OUTCOMES = ("truncated", "win", "loss", "fault")
COMPILED_CHUNK, PYTHON_CHUNK = 2000, 5
BINS = 20


@dataclass(frozen=True)
class Plan:
    """Which games: who plays where, from which seed on, and how many. Game n has the seed `seed + n`."""

    layout: str
    pacman: str
    ghosts: tuple[str, ...]
    games: int
    seed: int = 0
    arguments: tuple[str, ...] = ()
    max_plies: int = MAX_PLIES

    def check(self) -> None:
        """InputError for what cannot be played."""
        if self.games < 1:
            raise InputError(f"--games {self.games}: at least 1 game was expected")
        if self.max_plies < 1:
            raise InputError(f"--max-plies {self.max_plies}: at least 1 ply was expected")
        if not 0 <= self.seed < 1 << 62:
            raise InputError(f"--seed {self.seed}: a number from 0 to {(1 << 62) - 1} was expected")
        if self.pacman == "keyboard":
            raise InputError("--pacman keyboard: nobody is there to play; name an agent, as in --pacman reflex")
        self.cast()

    def cast(self) -> tuple[GameState, list[Any]]:
        """The first position, and new agents."""
        board = Layout.load(self.layout)
        ghosts = [load.make_ghost(kind) for kind in self.ghosts or ("random",) * len(board.ghosts)]
        return start(board, ghosts), [load.make_pacman(self.pacman, self.arguments), *ghosts]


class Summary(GameStatistics):
    """A tally that also says how the scores are distributed."""

    @property
    def score_interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean score, by the normal distribution."""
        squares = sum(score * score * count for score, count in self.scores.items())
        total = sum(score * count for score, count in self.scores.items())
        # In whole numbers up to the division: games * squares and total ** 2 are large, and nearly alike.
        variance = (self.games * squares - total * total) / (self.games * max(1, self.games - 1))
        reach = Z * sqrt(variance / self.games)
        return self.mean_score - reach, self.mean_score + reach

    def histogram(self, bins: int = BINS) -> list[tuple[int, int, int]]:
        """(from, to, games) of bins of equal width over the scores; `to` is not in the bin."""
        low, high = min(self.scores), max(self.scores)
        width = (high - low) // bins + 1
        counts = Counter[int]()
        for points, count in self.scores.items():
            counts[(points - low) // width] += count
        return [(low + width * bin, low + width * (bin + 1), counts[bin]) for bin in range((high - low) // width + 1)]

    def as_json(self) -> dict[str, Any]:
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
                f"{self.games} games, {self.plies / self.games:.1f} plies each",
                f"win rate {self.win_rate:.2%} (95 % interval {rate_low:.2%} to {rate_high:.2%})",
                f"mean score {self.mean_score:.2f} (95 % interval {low:.2f} to {high:.2f}), from {least} to {most}",
                *(
                    f"{first:6} to {last - 1:6} {count:8} {'#' * round(40 * count / tallest)}"
                    for first, last, count in bins
                ),
            ]
        )


def simulate(plan: Plan, jobs: int = 0, progress: Callable[[int], None] = lambda games: None) -> Summary:
    """Plays every game of `plan` with `jobs` workers (0: one a core); `progress` is told of games as they end.

    The same summary for any number of workers. InputError for a plan that cannot be played.
    """
    plan.check()
    if jobs < 0:
        raise InputError(f"--jobs {jobs}: a number of workers was expected, or 0 for one a core")
    workers = jobs or os.cpu_count() or 1
    total = Summary()
    pool, size, play = _means(plan, workers)
    with pool:
        for part in _shared(pool, play, plan, size, 2 * workers):
            total.add(part)
            progress(part.games)
    return total


def _means(plan: Plan, workers: int) -> tuple[Executor, int, Callable[[Plan, int, int], Summary]]:
    """By what the games are played: threads, since compiled code holds no lock, or processes."""
    try:
        compiled = kernel.is_available() and compiled_cast(plan)
    except kernel.NotSupported:
        compiled = None
    if compiled:
        return ThreadPoolExecutor(workers), COMPILED_CHUNK, play_compiled
    # Fresh interpreters everywhere: a fork of a process with threads may hang.
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")), PYTHON_CHUNK, play_python


def _shared(
    pool: Executor, play: Callable[[Plan, int, int], Summary], plan: Plan, size: int, ahead: int
) -> Iterator[Summary]:
    """The parts as they are done, in order; never more than `ahead` of them wait, however many games there are."""
    waiting = []
    for first in range(0, plan.games, size):
        waiting.append(pool.submit(play, plan, first, min(size, plan.games - first)))
        if len(waiting) > ahead:
            yield waiting.pop(0).result()
    for future in waiting:
        yield future.result()


def play_python(plan: Plan, first: int, games: int) -> Summary:
    """Some games of a plan, by the Python agents."""
    part = Summary()
    for seed in range(plan.seed + first, plan.seed + first + games):
        state, agents = plan.cast()
        streamed = [Streamed(agent, seed, number) for number, agent in enumerate(agents)]
        result = Game(state, streamed, [""] * len(agents), seed=seed, max_plies=plan.max_plies).play()
        if result.fault:
            raise InputError(f"seed {seed}: {result.fault}".replace("\n", " "))
        part.count([result])
    return part


@dataclass
class Streamed:
    """An agent that draws from the counter's stream, whatever generator the game hands it."""

    agent: Agent
    seed: int
    number: int

    def begin(self, rng: Random) -> None:
        self.agent.begin(Stream.of(self.seed, self.number))

    def choose(self, state: GameState) -> str:
        return self.agent.choose(state)


_SEARCHES = {
    # Alpha-beta finds minimax's action: at the root only a better value replaces the first best one.
    Minimax: ALPHABETA,
    AlphaBeta: ALPHABETA,
    Expectimax: EXHAUSTIVE,
    Expectiminimax: EXHAUSTIVE,
}


def compiled_cast(plan: Plan) -> Match | None:
    """The compiled form of a plan; None (or NotSupported) if an agent, an evaluation or the board has none."""
    state, (pacman, *ghosts) = plan.cast()
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
    theirs = work(Tables.of(state.maze), state, turns(state.round, first, longest), max(2, *depths), weights(HUNTED))
    return Match(
        row=theirs.position.rows[0].copy(),
        items=theirs.position.items.copy(),
        policy=np.array(policies, np.int32),
        plies=np.array(depths, np.int32),
        pacman=theirs._replace(turns=turns(assumed.round, first, longest), weights=weights(evaluation)),
        ghosts=theirs,
        keys=np.zeros(len(policies), np.uint64),
        counters=np.zeros(len(policies), np.uint64),
    )


def play_compiled(plan: Plan, first: int, games: int) -> Summary:
    """Some games of a plan, compiled."""
    from pacman.kernel.games import play

    match = compiled_cast(plan)
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
