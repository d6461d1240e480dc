"""Positions and layers: equality, notation, the order of a round, and the models of the ghosts."""

from __future__ import annotations

import copy
import pickle
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pacman import RANDOM, GameState, InputError, Layer, start
from pacman.core.layout import names
from pacman.core.rounds import directional, model, round_of
from tests.bench.engine import footprint

KINDS = ("random", "directional", "optimal", "directional(0.5)", "directional(0.5/1.0)")


@st.composite
def positions(draw: st.DrawFn) -> GameState:
    """A position after some random moves, with any ghost models in any order."""
    name = draw(st.sampled_from(names()))
    kinds = draw(st.lists(st.sampled_from(KINDS), max_size=len(start(name).ghosts)))
    state = start(name, kinds, draw(st.permutations(range(len(kinds) + 1))))
    rng = Random(draw(st.integers(0, 10_000)))
    for _ in range(draw(st.integers(0, 200))):
        if state.is_terminal:
            break
        state = state.successor(rng.choice(state.actions()))
    return state


@given(positions())
def test_a_position_is_equal_to_its_copies_and_its_outcomes_sum_to_one(state: GameState) -> None:
    """To what is read from its text, too; and no successor changes it."""
    before, number = str(state), hash(state)
    for action in state.actions():
        state.successor(action)
    assert (str(state), hash(state)) == (before, number)
    for again in (GameState.parse(before), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert (again, hash(again), str(again)) == (state, number, before)
        assert (again.layers, again.layer, again.actions()) == (state.layers, state.layer, state.actions())
    if not state.is_terminal and state.mover:
        actions, probabilities = zip(*state.outcomes(), strict=True)
        assert (actions, sum(probabilities)) == (state.actions(), pytest.approx(1))
        assert min(probabilities) > 0


def test_a_state_cannot_be_changed() -> None:
    state = start("nook")
    for name in ("score", "layer", "pacman", "ghosts", "is_terminal", "colour"):
        with pytest.raises(AttributeError):
            setattr(state, name, 1)
    for pose in (state.pacman, state.ghosts[0]):
        for name in ("direction", "after", "timer", "actions"):
            with pytest.raises(AttributeError, match="a pose cannot be changed"):
                setattr(pose, name, 40)
    with pytest.raises((TypeError, AttributeError)):
        state.maze.distances(state.pacman.cell).pop(16)  # type: ignore[attr-defined]


def test_the_order_of_a_round_is_max_then_chance_then_min() -> None:
    state = start("crossroads", ["optimal", "random", "optimal", "directional"])
    assert state.layers == (Layer.MAX, Layer.CHANCE, Layer.CHANCE, Layer.MIN, Layer.MIN)
    movers = []
    for _ in range(6):
        movers.append((state.mover, state.layer))
        state = state.successor(state.actions()[0])
    assert [mover for mover, _ in movers] == [0, 2, 4, 1, 3, 0]
    assert [layer for _, layer in movers] == [*state.layers, Layer.MAX]


def test_the_order_can_be_a_name_or_a_list_of_agents() -> None:
    assert start("smallish", ["optimal", "random"], "index").layers == (Layer.MAX, Layer.MIN, Layer.CHANCE)
    assert round_of(["optimal", "random"], (2, 0, 1)).layers == (Layer.CHANCE, Layer.MAX, Layer.MIN)
    with pytest.raises(InputError, match="no order of agents 'indx': did you mean 'index'?"):
        start("smallish", order="indx")
    with pytest.raises(InputError, match="an order must list each of the agents 0 to 2 once"):
        start("smallish", order=(0, 1, 1))


@pytest.mark.parametrize("layer", [Layer.MIN, Layer.CHANCE])
def test_assuming_changes_the_layers_and_nothing_else(layer: Layer) -> None:
    state = start("smallish", ["optimal", "random"])
    assumed = state.assuming(layer)
    assert assumed == state
    assert assumed.layers == (Layer.MAX, layer, layer)
    assert assumed.round.order == state.round.order == (0, 2, 1)
    with pytest.raises(InputError):
        state.assuming(Layer.MAX)


CROSS = "%%%%%%%\n%.   .%\n%% G %%\n%. P .%\n%%%%%%%"


def test_a_directional_ghost_chases_with_its_mass_split_over_the_best() -> None:
    """The ghost has four legal moves: each gets a share of 0.2, and the move that leads nearest gets 0.8 more."""
    state = start(CROSS, ["directional"]).successor("Stop")
    assert dict(state.outcomes()) == pytest.approx({"West": 0.05, "East": 0.05, "North": 0.05, "South": 0.85})


def test_equally_good_actions_share_the_mass() -> None:
    state = start("%%%%%%%\n%.P  .%\n%   G %\n%.   .%\n%%%%%%%", ["directional(0.6)"]).successor("Stop")
    assert dict(state.outcomes()) == pytest.approx({"West": 0.4, "East": 0.1, "North": 0.4, "South": 0.1})


def test_a_scared_directional_ghost_flees() -> None:
    text = "%%%%%%%%\n%Po   .%\n%% %% %%\n%    G %\n%%%%%%%%"
    for name, flee in (("directional", 0.8), ("directional(0.8/0.5)", 0.5), ("directional(0.3/0)", 0.0)):
        state = start(text, [name]).successor("East")
        assert state.ghosts[0].is_scared
        rest = (1 - flee) / 3
        assert dict(state.outcomes()) == pytest.approx({"West": rest, "East": flee + rest, "North": rest})


def test_a_model_has_a_name_and_a_wrong_name_is_refused() -> None:
    assert model("directional") is directional() is model("directional(0.8)") is model("directional(0.8/0.8)")
    assert str(model(str(directional(0.25, flee=1)))) == "directional(0.25/1.0)"
    with pytest.raises(InputError, match="no ghost 'randm': did you mean 'random'?"):
        model("randm")
    with pytest.raises(
        InputError, match='^3 is not a ghost: expected a name such as "random", or an object with a `model`$'
    ):
        start("nook", [3])  # type: ignore[list-item]
    with pytest.raises(InputError, match=r"directional\(1.5\): expected the probability"):
        model("directional(1.5)")
    with pytest.raises(InputError, match="too many ghosts: 2; layout 'nook' has 1"):
        start("nook", ["random", "random"])


@pytest.mark.parametrize(
    ("ghosts", "message"),
    [
        ("random", "ghosts must be a list with one entry per ghost: expected [\"random\"], got 'random'"),
        (
            "random,optimal",
            'ghosts must be a list with one entry per ghost: expected ["random", "optimal"], got \'random,optimal\'',
        ),
        (RANDOM, 'ghosts must be a list such as ["random"], not random'),
    ],
)
def test_one_ghost_without_a_list_is_refused_with_the_right_form(ghosts: Any, message: str) -> None:
    for call in (start, lambda _, ghosts: round_of(ghosts)):
        with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
            call("smallish", ghosts)


def test_pacman_has_no_outcomes() -> None:
    with pytest.raises(ValueError, match="only a ghost's actions have probabilities"):
        start("nook").outcomes()


def test_a_state_takes_less_than_400_bytes() -> None:
    assert footprint(start("smallish").successor("West").successor("East")) < 400
