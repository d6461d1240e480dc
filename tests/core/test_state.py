"""Positions and layers: identity, notation, the order of a round, what the ghosts are taken for."""

from __future__ import annotations

import copy
import pickle
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pacman import GameState, InputError, Layer, start
from pacman.core.layers import directional, model, round_of
from pacman.core.layout import names

KINDS = ("random", "directional", "optimal", "directional(0.5)")


@st.composite
def positions(draw: st.DrawFn) -> GameState:
    """A position after some random moves, with any models in any order."""
    name = draw(st.sampled_from(names()))
    seats = len(start(name).ghosts)
    kinds = draw(st.lists(st.sampled_from(KINDS), max_size=seats))
    state = start(name, kinds, draw(st.permutations(range(len(kinds) + 1))))
    rng = Random(draw(st.integers(0, 10_000)))
    for _ in range(draw(st.integers(0, 200))):
        if state.is_terminal:
            break
        state = state.successor(rng.choice(state.actions()))
    return state


@given(positions())
def test_notation_round_trip(state: GameState) -> None:
    again = GameState.parse(str(state))
    assert again == state
    assert hash(again) == hash(state)
    assert (str(again), again.layers, again.layer, again.actions()) == (
        str(state),
        state.layers,
        state.layer,
        state.actions(),
    )


@given(positions())
def test_copies_and_pickles_are_equal(state: GameState) -> None:
    assert copy.deepcopy(state) == state
    assert pickle.loads(pickle.dumps(state)) == state


@given(positions())
def test_outcomes_are_the_actions_in_order_and_sum_to_one(state: GameState) -> None:
    if state.is_terminal or state.mover == 0:
        return
    actions, probabilities = zip(*state.outcomes(), strict=True)
    assert actions == state.actions()
    assert sum(probabilities) == pytest.approx(1)
    assert min(probabilities) > 0


@given(positions())
def test_a_successor_leaves_its_state_alone(state: GameState) -> None:
    before, number = str(state), hash(state)
    for action in state.actions():
        state.successor(action)
    assert (str(state), hash(state)) == (before, number)


def test_a_state_cannot_be_changed() -> None:
    state = start("nook")
    for name in ("score", "layer", "pacman", "ghosts", "is_terminal", "colour"):
        with pytest.raises(AttributeError):
            setattr(state, name, 1)


def test_the_order_of_a_round_is_max_then_chance_then_min() -> None:
    state = start("crossroads", ["optimal", "random", "optimal", "directional"])
    assert state.layers == (Layer.MAX, Layer.CHANCE, Layer.CHANCE, Layer.MIN, Layer.MIN)
    movers = []
    for _ in range(6):
        movers.append((state.mover, state.layer))
        state = state.successor(state.actions()[0])
    assert [mover for mover, _ in movers] == [0, 2, 4, 1, 3, 0]
    assert [layer for _, layer in movers] == [*state.layers, Layer.MAX]


def test_other_orders_by_name() -> None:
    assert start("smallish", ["optimal", "random"], "index").layers == (Layer.MAX, Layer.MIN, Layer.CHANCE)
    assert round_of(["optimal", "random"], (2, 0, 1)).layers == (Layer.CHANCE, Layer.MAX, Layer.MIN)
    with pytest.raises(InputError, match="no order 'indx': did you mean 'index'?"):
        start("smallish", order="indx")
    with pytest.raises(InputError, match="an order names each of the agents 0 to 2 once"):
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
    """One cell above Pacman, four ways... the rest (0.2) over all legal moves, the mass (0.8) over the nearest."""
    state = start(CROSS, ["directional"]).successor("Stop")
    assert dict(state.outcomes()) == pytest.approx({"West": 0.05, "East": 0.05, "North": 0.05, "South": 0.85})


def test_equally_good_ways_share_the_mass() -> None:
    state = start("%%%%%%%\n%.P  .%\n%   G %\n%.   .%\n%%%%%%%", ["directional(0.6)"]).successor("Stop")
    assert dict(state.outcomes()) == pytest.approx({"West": 0.4, "East": 0.1, "North": 0.4, "South": 0.1})


def test_a_scared_directional_ghost_flees() -> None:
    text = "%%%%%%%%\n%Po   .%\n%% %% %%\n%    G %\n%%%%%%%%"
    state = start(text, ["directional"]).successor("East")
    assert state.ghosts[0].is_scared
    assert dict(state.outcomes()) == pytest.approx({"West": 0.2 / 3, "East": 0.8 + 0.2 / 3, "North": 0.2 / 3})


def test_models_by_name() -> None:
    assert model("directional") is directional() is model("directional(0.8)")
    with pytest.raises(InputError, match="no ghost 'randm': did you mean 'random'?"):
        model("randm")
    with pytest.raises(InputError, match="a directional ghost's mass is a probability from 0 to 1, not 1.5"):
        model("directional(1.5)")
    with pytest.raises(InputError, match="too many ghosts: 2; layout 'nook' has 1"):
        start("nook", ["random", "random"])


def test_pacman_has_no_outcomes() -> None:
    with pytest.raises(ValueError, match="only a ghost's move has probabilities"):
        start("nook").outcomes()


def test_a_state_is_small_beside_what_it_shares() -> None:
    """Below 400 bytes: the object, its tuple of ghosts and its own numbers; poses and homes are shared."""
    state = start("smallish").successor("West").successor("East")
    own = [state, state.ghosts, state.food_mask, state.capsule_mask, state.score, hash(state)]
    assert sum(map(sys.getsizeof, own)) + 2 * 16 < 400  # two garbage collector headers


GOOD = str(start("nook"))
BAD = {
    GOOD.replace("score=0", "score=x"): "a position's 'score=' cannot be read: 'x'",
    GOOD.replace(" mover=0", ""): "the status line of a position needs exactly one 'mover='",
    GOOD.replace("mover=0", "mover=7"): "a position's 'mover=7' is none of its agents 0 to 1",
    GOOD.replace("pacman=1,3", "pacman=0,3"): "a position has something in a wall, at 0,3",
    GOOD.replace("pacman=1,3", "pacman=1,99"): "a position has something in a wall, at 1,99",
    GOOD.replace("ghost=3,1", "ghost=2.5,1"): "only a scared ghost stands between two cells, not the one at 2.5,1",
    GOOD.replace("ghost=3,1", "ghost=4,1"): "a position has a ghost in a wall, at 4,1",
    GOOD.replace(":random@", ":rndom@"): "no ghost 'rndom': did you mean 'random'?",
    GOOD.replace("order=0,1", "order=0"): "an order names each of the agents 0 to 1 once, not [0]",
    GOOD + " colour=red": "a position's status line has an unknown entry 'colour='",
    GOOD.replace("%P.o%", "%P?o%"): "a position's picture has an unknown character '?'",
    GOOD.replace("%P.o%", "%P.o"): "a position is a picture with rows of one length",
    "": "a position is a picture with rows of one length",
}


@pytest.mark.parametrize("text", BAD)
def test_a_position_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        GameState.parse(text)
    assert str(caught.value).startswith(BAD[text])
