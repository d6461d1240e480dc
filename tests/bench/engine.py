"""The Python path: what a student's search pays for the rules, beside the same search over a tree made beforehand."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from agents.pacmen import RandomPacman
from pacman.core.layers import Layer
from pacman.core.state import GameState, start
from pacman.play.game import Game
from tests.bench.figures import Figure, interleaved, python, timed
from tests.bench.memory import memory
from tests.bench.peers import peers

LAYOUT, ROUNDS, SMALL = "smallish", 3, "nook"
SEED = 1
POSITIONS = 20


class Made:
    """A node of a tree that was made beforehand, behind the methods of a `Node`: the interpreter's floor."""

    __slots__ = ("_actions", "_outcomes", "_successors", "is_terminal", "layer", "score")

    def __init__(
        self,
        layer: Layer,
        score: float,
        successors: Mapping[str, Made] = MappingProxyType({}),
        outcomes: Sequence[tuple[str, float]] = (),
        is_terminal: bool | None = None,
    ) -> None:
        """An end, if there are no successors and `is_terminal` does not say otherwise."""
        self.layer, self.score = layer, score
        self.is_terminal = not successors if is_terminal is None else is_terminal
        self._actions, self._successors, self._outcomes = tuple(successors), successors, outcomes

    @classmethod
    def of(cls, node: Any, plies: int) -> Made:
        """The tree below any other node."""
        actions = node.actions() if plies else ()
        outcomes = node.outcomes() if actions and node.layer is Layer.CHANCE else ()
        below = {action: cls.of(node.successor(action), plies - 1) for action in actions}
        return cls(node.layer, node.score, below, outcomes, node.is_terminal)

    @classmethod
    def inner(cls, layer: Layer, children: Sequence[Made]) -> Made:
        """With the actions a1, a2, ...; outcomes are equally likely."""
        successors = {f"a{number}": child for number, child in enumerate(children, 1)}
        share = 1 / len(children)
        return cls(layer, 0, successors, [(action, share) for action in successors])

    def actions(self) -> Sequence[str]:
        return self._actions

    def successor(self, action: str) -> Made:
        return self._successors[action]

    def outcomes(self) -> Sequence[tuple[str, float]]:
        return self._outcomes

    def size(self) -> int:
        return 1 + sum(child.size() for child in self._successors.values())

    def __str__(self) -> str:
        below = (f"{action}: {child}".replace("\n", "\n  ") for action, child in self._successors.items())
        return "\n  ".join([str(self.score) if self.is_terminal else self.layer.value, *below])


def minimax(node: Any, plies: int) -> float:
    """A search as a student writes it."""
    if plies == 0 or node.is_terminal:
        return node.score  # type: ignore[no-any-return]
    values = [minimax(node.successor(action), plies - 1) for action in node.actions()]
    return max(values) if node.layer is Layer.MAX else min(values)


def middle(layout: str, plies: int = 30, seed: int = SEED) -> GameState:
    """A position in the middle of a random game, Pacman to move."""
    rng = Random(seed)
    while True:
        state = start(layout, ["optimal"] * len(start(layout).ghosts))
        for _ in range(plies):
            if not state.is_terminal:
                state = state.successor(rng.choice(state.actions()))
        if not state.is_terminal:
            return state


def walk(layout: str, moves: int) -> int:
    """Random play from the start, over and over, until `moves` successors were made."""
    rng, state = Random(SEED), start(layout)
    first = state
    for _ in range(moves):
        actions = state.actions()
        if not actions:
            state, actions = first, first.actions()
        state = state.successor(actions[int(rng.random() * len(actions))])
    return moves


def headless_game() -> None:
    """One game in which everybody moves at random, so that the loop is measured and not the agents."""
    first = start(SMALL)
    Game(first, [RandomPacman() for _ in range(len(first.ghosts) + 1)], ["", ""], seed=SEED).play()


def engine(repeats: int) -> Iterator[Figure]:
    states = [middle(LAYOUT, seed=seed) for seed in range(POSITIONS)]
    plies = ROUNDS * len(states[0].layers)
    trees = [Made.of(state, plies) for state in states]
    nodes = sum(tree.size() for tree in trees)
    ours, floor = interleaved(
        repeats,
        lambda: [minimax(state, plies) for state in states],
        lambda: [minimax(tree, plies) for tree in trees],
    )
    tree = (
        f"minimax as a student writes it, {ROUNDS} rounds, two ghosts, from ply 30 of each of {POSITIONS} random games "
        f"on {LAYOUT} (20x7)"
    )
    yield timed(
        "student minimax over the interpreter's floor",
        [one / other for one, other in zip(ours, floor, strict=True)],
        "times",
        f"{tree}, {nodes} nodes; the floor is the same code over the same tree made beforehand",
        "at most 3",
    )
    yield timed("student minimax", [nodes / seconds for seconds in ours], "nodes/s", tree)
    moves = 20_000
    (walked,) = interleaved(repeats, lambda: walk(LAYOUT, moves))
    yield timed(
        "random play", [moves / seconds for seconds in walked], "successors/s",
        f"actions() and successor() of random games on {LAYOUT}, the choice included", "about 1,000,000",
    )  # fmt: skip
    (games,) = interleaved(repeats, headless_game)
    yield timed(
        "headless random game", [1000 * seconds for seconds in games], "ms", f"one whole game on {SMALL}", "at most 5"
    )
    yield Figure(
        "state", footprint(states[0]), "bytes", "the object, its tuple of ghosts and its own numbers", "below 400"
    )
    yield from memory(repeats)
    yield from peers(repeats)
    yield from startup(repeats)


def footprint(state: GameState) -> float:
    """Bytes of a state beside what it shares with others: poses, homes, turn."""
    header = 16  # of the garbage collector, before the object and before its tuple
    own = [state, state.ghosts, state.food_mask, state.capsule_mask, state.score, hash(state)]
    return sum(map(sys.getsizeof, own)) + 2 * header


def startup(repeats: int) -> Iterator[Figure]:
    def spawn(*code: str) -> object:
        return subprocess.run(python(*code), check=True, capture_output=True)

    bare, ours, help = interleaved(
        repeats,
        lambda: spawn("-c", "pass"),
        lambda: spawn("-c", "import pacman"),
        lambda: spawn("-m", "pacman", "--help"),
    )
    imports = [1000 * (one - other) for one, other in zip(ours, bare, strict=True)]
    yield timed(
        "import pacman", imports, "ms", "a new interpreter that imports it, less one that does nothing", "below 60"
    )
    yield timed("python -m pacman --help", [1000 * one for one in help], "ms", "the whole process", "below 150")
