"""The searches on Pacman itself: the same values, the same best actions, and far fewer nodes with natural bounds."""

from __future__ import annotations

from random import Random

import pytest

from pacman.core.layers import Layer
from pacman.core.layout import Layout, names
from pacman.core.natural_bounds import natural
from pacman.core.state import GameState, start
from pacman.search import exhaustive, run_search
from pacman.search.algorithms import Options

ROUNDS = 3
MID_GAMES = 3
NAMES = names()


def positions(name: str) -> list[GameState]:
    """The opening, and positions in which random play stands after 6 to 40 rounds, Pacman to move."""
    opening = start(name, ["random", "optimal"][: len(Layout.load(name).ghosts)])
    found = [opening]
    rng = Random(name)
    while len(found) < 1 + MID_GAMES:
        state = opening
        for _ in range(rng.randint(6, 40) * len(state.layers)):
            if not state.is_terminal:
                state = state.successor(rng.choice(state.actions()))
        if not state.is_terminal:
            found.append(state)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_same_value_and_best_actions_and_nodes_saved(name: str) -> None:
    saved = []
    for state in positions(name):
        plies = ROUNDS * len(state.layers)
        worth = {action: exhaustive(state.successor(action), plies - 1).value for action in state.actions()}
        nodes = {}
        for algorithm in ("alphabeta", "star1", "star2"):
            found = run_search(algorithm, state, plies, Options(bounds=natural))
            assert found.value == pytest.approx(max(worth.values())), (algorithm, str(state))
            assert found.action is not None
            assert worth[found.action] == pytest.approx(max(worth.values())), (algorithm, str(state))
            nodes[algorithm] = found.statistics.nodes
        assert nodes["star2"] <= nodes["alphabeta"]
        saved.append(1 - nodes["star2"] / nodes["alphabeta"])
    assert sum(saved) / len(saved) >= 0.35


@pytest.mark.parametrize("name", NAMES)
def test_natural_bounds_hold(name: str) -> None:
    """Of every node below, and of every outcome of a chance node too."""

    def value(state: GameState, plies: int) -> float:
        low, high = natural(state, plies)
        if plies == 0 or state.is_terminal:
            assert low == high == state.score
            return state.score
        worth = [value(state.successor(action), plies - 1) for action in state.actions()]
        if state.layer is Layer.CHANCE:
            assert all(low - 1e-9 <= child <= high + 1e-9 for child in worth), (low, worth, high, str(state))
            found = sum(chance * child for (_, chance), child in zip(state.outcomes(), worth, strict=True))
        else:
            found = (max if state.layer is Layer.MAX else min)(worth)
        assert low - 1e-9 <= found <= high + 1e-9, (low, found, high, plies, str(state))
        return found

    for state in positions(name)[1:3]:
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
    assert natural(state, 1) == (9, 9)  # one food in reach, nobody near
    assert natural(state, 10) == (5, -5 + 20 + 200)  # a step and its food are safe; the capsule may be worth a ghost
    low, high = natural(state, 16)
    assert low == -8 - 500  # eight moves, and the ghost comes
    assert high == -3 + 3 * 10 + 500 + 200  # every food in reach taken for eaten, the win, and the ghost
    hunted = state
    for action in ("East", None, "East", None, "East", None, "East", None):
        hunted = hunted.successor(action or hunted.actions()[0])
    assert hunted.ghosts[0].timer > 0
    _, high = natural(hunted, 8)
    assert high >= hunted.score + 200 - 4


def test_a_ghost_that_can_be_eaten_may_come_back_from_its_home() -> None:
    picture = "%%%%%%%%%\n%P G  . %\n%%%%%%%%%\n"
    status = "score=0 mover=0 outcome=playing pacman=1,1:Stop ghost=3,1:West:30:random@{home},1 order=0,1"
    near, far = (GameState.parse(picture + status.format(home=home)) for home in (4, 6))
    assert natural(near, 8)[0] == -4 - 500
    assert natural(far, 4)[0] == -2  # too far to be back in two moves
