"""The compiled searches against the readable ones: value to the last bit, action, and every count."""

from __future__ import annotations

import warnings
from random import Random

import pytest

from agents.ghosts import hunted
from agents.solutions import better_evaluation
from pacman import GameState, InputError, Layer, kernel, start
from pacman.kernel import Linear
from pacman.layers import GhostModel, round_of
from pacman.layout import names
from pacman.search.alphabeta import AlphaBeta
from pacman.search.bounds import everywhere
from pacman.search.exhaustive import Exhaustive
from pacman.search.star1 import Star1
from pacman.trace import Counted, Trace
from pacman.tree import Line, score

pytest.importorskip("numba")

KINDS = ("random", "directional", "optimal", "directional(0.5)", "directional(1)")
BETTER = Linear(food_left=-4.0, capsules_left=-20.0, food_distance=-1.5, feared=-60.0, hunted=100.0)
HUNTED = Linear(live_distance=1 / 1024, scared_distance=-1 / 1024, at_end=True)
LOW, HIGH = -2000.0, 3000.0


def walk(name: str, seed: int, moves: int = 150) -> list[GameState]:
    """Every 13th position of a random game with some ghosts, in some order; and the same with the ghosts scared."""
    rng = Random(f"{name}/{seed}")
    seats = len(start(name).ghosts)
    kinds = [rng.choice(KINDS) for _ in range(rng.randint(min(1, seats), seats))]
    state = start(name, kinds, rng.choice(("layers", "index")))
    seen = [state]
    for _ in range(moves):
        ways = [action for action in state.actions() if not state.successor(action).is_lose] or state.actions()
        if not ways:
            break
        state = state.successor(rng.choice(ways))
        seen.append(state)
    chosen = [*seen[:-1:13], seen[-1]]
    return chosen + [scared(one, rng) for one in chosen if not one.is_terminal]


def scared(state: GameState, rng: Random) -> GameState:
    """The same position a few moves before some ghosts recover: half cells come up, and so does snapping back."""
    turn, pacman, ghosts, *rest = state._parts
    poses = state.pacman.poses
    timed = [poses.ghost(one.place, one.direction, one.timer or rng.choice((0, 1, 2, 3, 40))) for one in ghosts]
    return GameState(turn, pacman, tuple(timed), *rest)


POSITIONS = [
    pytest.param(state, id=f"{name}-{seed}-{number}")
    for name in names()
    for seed in range(3)
    for number, state in enumerate(walk(name, seed))
]


def readable(search: type, state: GameState, plies: int, evaluate: object, *bounds: object) -> kernel.Searched:
    trace = Trace()
    line = search(*bounds, trace.evaluation(evaluate)).visit(Counted(state, trace), plies)  # type: ignore[arg-type]
    return kernel.Searched(line, trace.generated + 1, trace.leaves, len(trace.expanded), trace.generated)


@pytest.mark.parametrize("state", POSITIONS)
def test_exhaustive_is_the_readable_search(state: GameState) -> None:
    for plies in range(5):
        assert kernel.exhaustive(state, plies) == readable(Exhaustive, state, plies, score)
    assert kernel.exhaustive(state, 3, BETTER) == readable(Exhaustive, state, 3, BETTER)


@pytest.mark.parametrize("state", POSITIONS)
@pytest.mark.parametrize("strict", [False, True])
def test_alphabeta_is_the_readable_search(state: GameState, strict: bool) -> None:
    for position in (state, state.assuming(Layer.MIN)):
        trace = Trace()
        line = AlphaBeta(trace.evaluation(score), strict).visit(Counted(position, trace), 5)
        found = kernel.alphabeta(position, 5, strict=strict)
        assert found == kernel.Searched(line, trace.generated + 1, trace.leaves, len(trace.expanded), trace.generated)
    assert kernel.alphabeta(state, 4, HUNTED) == readable(AlphaBeta, state, 4, HUNTED)


@pytest.mark.parametrize("state", POSITIONS)
def test_star1_is_the_readable_search(state: GameState) -> None:
    mixed = state.taking(round_of(["optimal", "random", "directional", "optimal"][: len(state.ghosts)], "index"))
    for position in (state, state.assuming(Layer.CHANCE), mixed):
        for plies in (1, 4):
            leaves: list[float] = []
            Exhaustive(lambda node, leaves=leaves: leaves.append(node.score) or node.score).visit(position, plies)
            # The second bounds are as tight as bounds can be, so that many outcomes are cut.
            for low, high in ((LOW, HIGH), (min(leaves), max(leaves))):
                found = kernel.star1(position, plies, low, high)
                assert found == readable(Star1, position, plies, score, everywhere(low, high))


def test_star1_cuts_where_alphabeta_cannot() -> None:
    state = start("pantry", ["random", "random"])
    cut = kernel.star1(state, 6, -530, 30)
    whole = kernel.alphabeta(state, 6)
    assert cut.line == whole.line
    assert cut.nodes < whole.nodes


def test_star1_says_which_leaf_lies_outside_its_bounds() -> None:
    with pytest.raises(ValueError, match="outside its bounds"):
        kernel.star1(start("nook"), 3, 0, 5)


def test_depth_of_many_plies() -> None:
    state = start("smallish", ["optimal", "optimal"])
    found = kernel.alphabeta(state, 18)
    assert found.line == readable(AlphaBeta, state, 18, score).line


@pytest.mark.parametrize("state", POSITIONS)
def test_the_linear_evaluation_covers_the_agents_own(state: GameState) -> None:
    assert BETTER(state) == better_evaluation(state)
    assert HUNTED(state) == hunted(state)
    assert kernel.exhaustive(state, 0, BETTER).line == Line(BETTER(state), None)
    assert kernel.exhaustive(state, 0, HUNTED).line == Line(HUNTED(state), None)


def test_a_search_leaves_its_position_as_it_was() -> None:
    state = start("dash", ["directional"])
    first = kernel.exhaustive(state, 6)
    assert kernel.exhaustive(state, 6) == first == readable(Exhaustive, state, 6, score)


def test_what_it_cannot_take_is_refused_in_one_line() -> None:
    state = start("nook")

    def mine(node: GameState) -> float:
        return 0.0

    with pytest.raises(InputError, match="the evaluation 'mine' has no compiled form: the kernel takes score and"):
        kernel.exhaustive(state, 2, mine)
    shy = GhostModel("shy", Layer.CHANCE, lambda pacman, ghost: ())
    with pytest.raises(InputError, match="knows no ghost 'shy': it takes random, directional and optimal ones"):
        kernel.exhaustive(start("nook", [shy]), 2)
    many = start("%%%%%%%%%%%%%\n%P.GGGGGGGGG%\n%%%%%%%%%%%%%")
    with pytest.raises(InputError, match="takes 8 ghosts at most; this position has 9"):
        kernel.exhaustive(many, 2)
    hall = "\n".join(["%" * 42, "%P." + " " * 38 + "%", *["%" + " " * 40 + "%"] * 30, "%" * 42])
    with pytest.raises(InputError, match="takes 1024 cells at most; this maze has 1240"):
        kernel.exhaustive(start(hall), 2)
    assert not kernel.takes(many)
    assert not kernel.takes(state, mine)
    assert kernel.takes(state)
    with pytest.raises(ValueError, match="0 or more plies"):
        kernel.exhaustive(state, -1)


def test_without_numba_the_readable_search_answers_and_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "is_there", lambda: False)
    kernel._say_once.cache_clear()
    state = start("smallish", ["random", "optimal"])
    with pytest.warns(kernel.SlowPath, match="numba is not installed"):
        slow = kernel.exhaustive(state, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kernel.exhaustive(state, 4) == slow
    monkeypatch.undo()
    assert kernel.exhaustive(state, 4) == slow
