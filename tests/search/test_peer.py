"""A comparison with OpenSpiel, if the extra `peers` is installed: equal values. `bench search` compares the times."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pacman.core.tree import Layer, Node
from pacman.games.pig import Pig
from pacman.games.tictactoe import TicTacToe
from pacman.search import alphabeta, exhaustive
from tests.bench.search import TREE_SETS, random_tree

pyspiel = pytest.importorskip("pyspiel", reason="the extra `peers` is not installed")
minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")

DEEP = 30


class AsState:
    """One of our nodes with the interface of an OpenSpiel state, in which actions are numbers."""

    def __init__(self, node: Node) -> None:
        self.node = node

    def is_terminal(self) -> bool:
        return self.node.is_terminal

    def player_return(self, player: int) -> float:
        return self.node.score

    def is_chance_node(self) -> bool:
        return self.node.layer is Layer.CHANCE

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, chance) for number, (_, chance) in enumerate(self.node.outcomes())]

    def legal_actions(self) -> list[int]:
        return list(range(len(self.node.actions())))

    def current_player(self) -> int:
        return 0 if self.node.layer is Layer.MAX else 1

    def clone(self) -> AsState:
        return AsState(self.node)

    def apply_action(self, action: int) -> None:
        self.node = self.node.successor(self.node.actions()[action])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("tree_set", TREE_SETS[:4:2], ids=lambda tree_set: tree_set.name)
def test_its_expectiminimax_gives_the_same_values_for_our_trees(tree_set: Any, seed: int) -> None:
    tree = random_tree(tree_set, Random(seed))
    value, action = minimax.expectiminimax(AsState(tree), DEEP, None, 0)
    result = exhaustive(tree, tree_set.depth)
    assert result.value == pytest.approx(value)
    assert result.action == tree.actions()[action]


@pytest.mark.parametrize(
    "position", ["... ... ...", "X.. ... ...", "X.. .O. ...", "XO. ... ...", "XO. X.. O..", "XO. .X. ..O"]
)
def test_its_tictactoe_positions_have_the_same_values(position: str) -> None:
    game = pyspiel.load_game("tic_tac_toe")
    state = game.new_initial_state()
    cells = "".join(position.split())
    marks = {mark: [square for square, cell in enumerate(cells) if cell == mark] for mark in "XO"}
    for turn in range(9 - cells.count(".")):
        state.apply_action(marks["XO"[turn % 2]][turn // 2])
    value, _ = minimax.alpha_beta_search(game, state=state, maximizing_player_id=0)
    assert alphabeta(TicTacToe.parse(position), 9).value == value


def test_its_pig_has_the_same_value() -> None:
    """Its pig has a choice before the first roll of a turn too. To hold there gains nothing, so the test rolls."""
    game = pyspiel.load_game("pig", {"winscore": 10, "players": 2, "diceoutcomes": 6})

    def value(node: Pig, state: Any, plies: int) -> float:
        assert node.is_terminal == state.is_terminal()
        if node.is_terminal:
            assert node.score == state.returns()[0]
        if plies == 0 or node.is_terminal:
            return node.score
        if node.layer is Layer.CHANCE:
            state = state if state.is_chance_node() else state.child(0)
            faces = zip(node.outcomes(), state.chance_outcomes(), strict=True)
            return sum(
                chance * value(node.successor(face), state.child(outcome), plies - 1)
                for (face, _), (outcome, chance) in faces
            )
        assert state.current_player() == node.player
        values = [
            value(node.successor(word), state.child(number), plies - 1) for number, word in enumerate(node.actions())
        ]
        return (max if node.layer is Layer.MAX else min)(values)

    assert exhaustive(Pig(10), 6).value == pytest.approx(value(Pig(10), game.new_initial_state(), 6))
