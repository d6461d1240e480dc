"""The seconds of many games on all cores, with the start of the processes that play them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pacman.commands.shared.game_setup import GameSetup
from pacman.commands.shared.many_games import simulate, worker_count
from tests.bench.figures import Figure, seconds_of, timed


def games(repeats: int) -> Iterator[Figure]:
    """The seconds of a thousand games of a quick agent."""
    setup = GameSetup("smallish", "reflex", (), "random,directional", games=1_000)
    seconds = [seconds_of(partial(simulate, setup, 0, worker_count(0))) for _ in range(repeats)]
    method = f"{setup.games:,} games of reflex against a random and a directional ghost on {setup.layout}, seed 0"
    yield timed("simulate", seconds, "s", method, "below 4")
