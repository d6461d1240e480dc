"""The natural bounds of Pacman: they hold for every node, and they let Star2 save nodes."""

from __future__ import annotations

from random import Random

import pytest

from pacman.core.layout import Layout, names
from pacman.core.state import GameState, start
from pacman.core.tree import Layer
from pacman.search import run_search
from pacman.search.algorithms import Options
from pacman.search.bounds import natural


def positions(name: str) -> list[GameState]:
    """Two positions after 6 to 40 rounds of random play, in which Pacman moves."""
    opening = start(name, ["random", "optimal"][: len(Layout.load(name).ghosts)])
    states, rng = list[GameState](), Random(name)
    while len(states) < 2:
        state = opening
        for _ in range(rng.randint(6, 40) * len(state.layers)):
            if not state.is_terminal:
                state = state.successor(rng.choice(state.actions()))
        if not state.is_terminal:
            states.append(state)
    return states


def test_star2_saves_a_third_of_the_nodes_with_natural_bounds() -> None:
    state = start("smallish", ["random", "optimal"])
    options = Options(bounds=natural)
    most, least = (run_search(name, state, 9, options).statistics.nodes for name in ("alphabeta", "star2"))
    assert least < 0.65 * most


@pytest.mark.parametrize("name", names())
def test_natural_bounds_hold(name: str) -> None:
    """They hold for every node of the tree, and for every outcome of a chance node."""

    def value(state: GameState, plies: int) -> float:
        low, high = natural(state, plies)
        if plies == 0 or state.is_terminal:
            assert low == high == state.score
            return state.score
        values = [value(state.successor(action), plies - 1) for action in state.actions()]
        if state.layer is Layer.CHANCE:
            assert all(low - 1e-9 <= child <= high + 1e-9 for child in values), (low, values, high, str(state))
            result = sum(chance * child for (_, chance), child in zip(state.outcomes(), values, strict=True))
        else:
            result = (max if state.layer is Layer.MAX else min)(values)
        assert low - 1e-9 <= result <= high + 1e-9, (low, result, high, plies, str(state))
        return result

    for state in positions(name):
        value(state, 5)


SCARED = """%%%%%%%%
%P   o.%
%.%%%% %
%.    G%
%%%%%%%%
"""


def test_natural_bounds_count_capsules_ghosts_and_the_win() -> None:
    state = start(SCARED, ["random"])
    assert natural(state, 0) == (0, 0)
    assert natural(state, 1) == (9, 9)  # one food within reach, no ghost near
    assert natural(state, 10) == (
        5,
        -5 + 20 + 200,
    )  # one step and its food are safe; perhaps a ghost
    low, high = natural(state, 16)
    assert low == -8 - 500  # eight moves, and a ghost catches Pacman
    assert high == -3 + 3 * 10 + 500 + 200  # all food within reach, the win, and the ghost
    hunted = state
    for action in ("East", None, "East", None, "East", None, "East", None):
        hunted = hunted.successor(action or hunted.actions()[0])
    assert hunted.ghosts[0].timer > 0
    _, high = natural(hunted, 8)
    assert high >= hunted.score + 200 - 4


def test_an_eaten_ghost_may_return_from_its_home() -> None:
    picture = "%%%%%%%%%\n%P G  . %\n%%%%%%%%%\n"
    status = "score=0 mover=0 outcome=playing pacman=1,1:Stop ghost=3,1:West:30:random@{home},1 order=0,1"
    near, far = (GameState.parse(picture + status.format(home=home)) for home in (4, 6))
    assert natural(near, 8)[0] == -4 - 500
    assert natural(far, 4)[0] == -2  # its home is too far away for two moves
