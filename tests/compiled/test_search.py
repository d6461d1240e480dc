"""Compares the compiled searches with the Python searches: value to the last bit, action, and every count."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from pacman import GameState, Layer, compiled, start
from pacman.compiled import hunted
from pacman.core.layout import names
from pacman.core.rounds import round_of
from pacman.search.algorithms import Options, run_search
from pacman.search.bounds import constant_bounds
from pacman.search.exhaustive import Exhaustive

pytest.importorskip("numba")

KINDS = ("random", "directional", "optimal", "directional(0.5)", "directional(1)")
LOW, HIGH = -2000.0, 3000.0


def walk(name: str, seed: int, moves: int = 150) -> list[GameState]:
    """Every 13th position of a random game with random ghosts and a random order, also with scared ghosts."""
    rng = Random(f"{name}/{seed}")
    seats = len(start(name).ghosts)
    kinds = [rng.choice(KINDS) for _ in range(rng.randint(min(1, seats), seats))]
    state = start(name, kinds, rng.choice(("layers", "index")))
    states = [state]
    for _ in range(moves):
        choices = [action for action in state.actions() if not state.successor(action).is_lose] or state.actions()
        if not choices:
            break
        state = state.successor(rng.choice(choices))
        states.append(state)
    chosen = [*states[:-1:13], states[-1]]
    return chosen + [scared(one, rng) for one in chosen if not one.is_terminal]


def middle(layout: str) -> GameState:
    """The last position of a walk that is not terminal and in which Pacman moves."""
    return [state for state in walk(layout, 1) if not state.is_terminal and state.mover == 0][-1]


def scared(state: GameState, rng: Random) -> GameState:
    """The same position with some ghosts that soon recover, so that they stand on half cells and leave them."""
    turn, pacman, ghosts, *rest = state._parts
    poses = state.pacman.poses
    timed = [poses.ghost(one.place, one.direction, one.timer or rng.choice((0, 1, 2, 3, 40))) for one in ghosts]
    return GameState(turn, pacman, tuple(timed), *rest)


SLOW = pytest.mark.slow("that compare searches")
POSITIONS = [
    pytest.param(state, id=f"{name}-{seed}-{number}", marks=[SLOW] if seed else [])
    for name in names()
    for seed in range(3)
    for number, state in enumerate(walk(name, seed))
]


def agree(name: str, state: GameState, plies: int, options: Options = Options()) -> None:  # noqa: B008  # frozen
    """Asserts that the compiled and the Python search have the same result and counts; a score is an int in both."""
    result = run_search(name, state, plies, options)
    fast = compiled.run(name, state, plies, options)
    assert (fast.value, fast.action, fast.statistics) == (result.value, result.action, result.statistics), options
    assert type(fast.value) is type(result.value)


@pytest.mark.parametrize("state", POSITIONS)
def test_exhaustive_equals_the_python_search(state: GameState) -> None:
    for plies in range(5):
        agree("exhaustive", state, plies)
    agree("exhaustive", state, 3, Options(hunted))


@pytest.mark.parametrize("state", POSITIONS)
@pytest.mark.parametrize("strict", [False, True])
def test_alphabeta_equals_the_python_search(state: GameState, strict: bool) -> None:
    for position in (state, state.assuming(Layer.MIN)):
        agree("alphabeta", position, 5, Options(strict=strict))
    agree("alphabeta", state, 4, Options(hunted, strict=strict))


def modelled(state: GameState) -> tuple[GameState, ...]:
    """The position with its own ghosts, with only random ghosts, and with ghosts of different kinds."""
    mixed = round_of(["optimal", "random", "directional", "optimal"][: len(state.ghosts)], "index")
    return state, state.assuming(Layer.CHANCE), state.with_round(mixed)


def bounds(state: GameState, plies: int) -> list[Options]:
    """Wide bounds, and bounds as tight as possible, so that the search cuts many outcomes."""
    leaves: list[float] = []
    Exhaustive(lambda node: leaves.append(node.score) or node.score).visit(state, plies)
    kinds = (constant_bounds(LOW, HIGH), constant_bounds(min(leaves), max(leaves)))
    return [Options(bounds=kind) for kind in kinds]


@pytest.mark.parametrize("state", POSITIONS)
def test_star1_equals_the_python_search(state: GameState) -> None:
    for position in modelled(state):
        for plies in (1, 4):
            for options in bounds(position, plies):
                agree("star1", position, plies, options)


def test_windows_of_outcomes_equal_the_python_ones_to_the_last_bit() -> None:
    """Where a sum is rounded, the window is widened by a few bits; both searches must widen it by the same amount."""
    from pacman.compiled.nodes import window as numba_window
    from pacman.search.star1 import Branch, window

    rng, widened = Random(3), 0
    for _ in range(3000):
        count = rng.randint(2, 4)
        shares = [rng.choice((1.0, 0.1, rng.random())) for _ in range(count)]
        chance = [share / sum(shares) for share in shares]
        lows = [rng.choice((-1000.1, -0.3, rng.uniform(-1000, 0))) for _ in range(count)]
        highs = [rng.choice((0.7, 1000.3, rng.uniform(0, 1000))) for _ in range(count)]
        branches = [Branch("", p, lo, hi) for p, lo, hi in zip(chance, lows, highs, strict=True)]
        choice = rng.randrange(count)
        values = [rng.choice((lo, hi, rng.uniform(lo, hi))) for lo, hi in zip(lows, highs, strict=True)]
        middle = sum(p * value for p, value in zip(chance, values, strict=True))
        alpha, beta = sorted((middle, middle + rng.uniform(-200, 200)))
        arrays = [np.array([row]) for row in (chance, lows, highs)]
        compiled_window = numba_window(*arrays, 0, count, choice, alpha, beta)
        assert compiled_window == window(branches, branches[choice], alpha, beta)
        others = sum(p * hi for p, hi in zip(chance, highs, strict=True)) - chance[choice] * highs[choice]
        widened += compiled_window[0] not in (lows[choice], (alpha - others) / chance[choice])
    assert widened > 50
