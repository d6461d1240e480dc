"""Compiled games equal the games of the Python agents, and their sums do not depend on the number of workers."""

from __future__ import annotations

import random

import pytest

from pacman.commands.shared.many_games import Plan, Summary, compiled_match, play_compiled, play_python, simulate
from pacman.compiled.random_stream import Stream

pytest.importorskip("numba")

PLANS = [
    Plan("nook", "random", ("random",), 30),
    Plan("smallish", "random", ("random", "optimal"), 20, seed=5),
    Plan("pantry", "greedy", ("directional", "random"), 20),
    Plan("dash", "greedy", ("directional",), 20, seed=1 << 61),
    Plan("pantry", "reflex", ("random", "directional"), 20),
    Plan("smallish", "reflex", ("directional", "optimal"), 10, seed=3),
    Plan("gamble", "alphabeta", ("optimal", "random"), 20, arguments=("rounds=2",)),
    Plan("nook", "minimax", ("random",), 10, arguments=("rounds=3",)),
    Plan("pantry", "expectimax", ("random", "directional"), 3, arguments=("rounds=1",)),
    Plan("pillars", "alphabeta", ("directional",), 5, arguments=("evaluation=score",), max_plies=60),
]  # fmt: skip


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.pacman}-{plan.layout}")
def test_compiled_games_equal_the_games_of_the_python_agents(plan: Plan) -> None:
    for game in range(plan.games):
        assert play_compiled(plan, game, 1) == play_python(plan, game, 1), game
    assert play_compiled(plan, 0, plan.games).games == plan.games


def test_the_number_of_workers_does_not_matter() -> None:
    plan = Plan("smallish", "reflex", ("random", "directional"), 5000)
    finished: list[int] = []
    one, three = simulate(plan, 1, finished.append), simulate(plan, 3)
    assert one == three
    assert sum(finished) == one.games == 5000
    assert one.as_json() == three.as_json()


def test_python_agents_play_in_processes_with_the_same_sums() -> None:
    plan = Plan("nook", "scripted", ("random",), 12, arguments=("actions=South,South",), max_plies=200)
    assert compiled_match(plan) is None
    one = simulate(plan, 1)
    assert one == simulate(plan, 2) == play_python(plan, 0, 12)


def test_without_numba_the_games_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan("nook", "reflex", ("directional",), 4)
    fast = simulate(plan, 1)
    monkeypatch.setattr("pacman.compiled.is_available", lambda: False)
    assert simulate(plan, 1) == fast


def test_a_stream_is_a_function_of_seed_agent_and_counter() -> None:
    one, other = Stream.of(3, 0), Stream.of(3, 0)
    assert [one.random() for _ in range(5)] == [other.random() for _ in range(5)]
    firsts = {Stream.of(seed, agent).random() for seed in range(50) for agent in range(4)}
    assert len(firsts) == 200
    mean = sum(one.random() for _ in range(20_000)) / 20_000
    assert abs(mean - 0.5) < 0.01
    assert isinstance(one, random.Random)


def test_the_summaries_of_parts_add_up_to_the_summary_of_all_games() -> None:
    plan = Plan("nook", "reflex", ("directional",), 40)
    total, parts = play_compiled(plan, 0, 40), Summary()
    for first in range(0, 40, 10):
        parts.add(play_compiled(plan, first, 10))
    assert parts == total
    assert sum(count for _, _, count in total.histogram()) == 40
    low, high = total.score_interval
    assert low <= total.mean_score <= high
    assert "win rate" in str(total)
