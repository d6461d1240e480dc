"""The Python engine: how much the rules slow down a student's search, compared with the search of a tree in memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from pacman.core.state import GameState, start
from pacman.core.tree import Layer
from tests.bench.figures import Figure, interleaved, python, timed
from tests.bench.peers import peers

LAYOUT, ROUNDS = "smallish", 3
SEED = 1
POSITIONS = 20


class StoredNode:
    """A node of a tree in memory, with the methods of a `Node`. Searching it is the lower limit of the interpreter."""

    __slots__ = ("_actions", "_outcomes", "_successors", "is_terminal", "layer", "score")

    def __init__(
        self,
        layer: Layer,
        score: float,
        successors: Mapping[str, StoredNode] = MappingProxyType({}),
        outcomes: Sequence[tuple[str, float]] = (),
        is_terminal: bool | None = None,
    ) -> None:
        """Creates a node. Without `is_terminal`, a node without successors is terminal."""
        self.layer, self.score = layer, score
        self.is_terminal = not successors if is_terminal is None else is_terminal
        self._actions, self._successors, self._outcomes = tuple(successors), successors, outcomes

    @classmethod
    def of(cls, node: Any, plies: int) -> StoredNode:
        """A copy of the tree below another node, `plies` deep."""
        actions = node.actions() if plies else ()
        outcomes = node.outcomes() if actions and node.layer is Layer.CHANCE else ()
        below = {action: cls.of(node.successor(action), plies - 1) for action in actions}
        return cls(node.layer, node.score, below, outcomes, node.is_terminal)

    @classmethod
    def inner(cls, layer: Layer, children: Sequence[StoredNode]) -> StoredNode:
        """A node with the actions a1, a2, ...; at a CHANCE node all outcomes are equally likely."""
        successors = {f"a{number}": child for number, child in enumerate(children, 1)}
        share = 1 / len(children)
        return cls(layer, 0, successors, [(action, share) for action in successors])

    def actions(self) -> Sequence[str]:
        """The actions, in order."""
        return self._actions

    def successor(self, action: str) -> StoredNode:
        """The node after an action. KeyError if there is no such action."""
        return self._successors[action]

    def outcomes(self) -> Sequence[tuple[str, float]]:
        """The actions of a CHANCE node with their probabilities."""
        return self._outcomes

    def size(self) -> int:
        """The number of nodes in the tree."""
        return 1 + sum(child.size() for child in self._successors.values())

    def __str__(self) -> str:
        below = (f"{action}: {child}".replace("\n", "\n  ") for action, child in self._successors.items())
        return "\n  ".join([str(self.score) if self.is_terminal else self.layer.value, *below])


def minimax(node: Any, plies: int) -> float:
    """The minimax value of a node, in the code that a student would write."""
    if plies == 0 or node.is_terminal:
        return node.score  # type: ignore[no-any-return]
    values = [minimax(node.successor(action), plies - 1) for action in node.actions()]
    return max(values) if node.layer is Layer.MAX else min(values)


def middle(layout: str, seed: int = SEED) -> GameState:
    """A position after 30 plies of a random game with optimal ghosts."""
    rng = Random(seed)
    while True:
        state = start(layout, ["optimal"] * len(start(layout).ghosts))
        for _ in range(30):
            if not state.is_terminal:
                state = state.successor(rng.choice(state.actions()))
        if not state.is_terminal:
            return state


def walk(layout: str, moves: int) -> int:
    """Plays random games until `moves` successors are generated; returns `moves`."""
    rng, state = Random(SEED), start(layout)
    first = state
    for _ in range(moves):
        actions = state.actions()
        if not actions:
            state, actions = first, first.actions()
        state = state.successor(actions[int(rng.random() * len(actions))])
    return moves


def engine(repeats: int) -> Iterator[Figure]:
    """The figures of the Python engine: search, random play, the peer and the start of the program."""
    states = [middle(LAYOUT, seed=seed) for seed in range(POSITIONS)]
    method = (
        f"minimax as a student writes it, {ROUNDS} rounds, two ghosts, from ply 30 of each of {POSITIONS} random games "
        f"on {LAYOUT} (20x7)"
    )
    plies = ROUNDS * len(states[0].layers)
    trees = [StoredNode.of(state, plies) for state in states]
    nodes = sum(tree.size() for tree in trees)
    times = max(1, 20_000 // nodes)  # a small tree is searched several times, for the precision of the clock
    ours, floor = interleaved(
        repeats,
        lambda: [minimax(state, plies) for _ in range(times) for state in states],
        lambda: [minimax(tree, plies) for _ in range(times) for tree in trees],
    )
    yield timed("student minimax", [times * nodes / seconds for seconds in ours], "nodes/s", f"{method}, {nodes} nodes")
    ratios = [one / other for one, other in zip(ours, floor, strict=True)]
    name = "time of student minimax, relative to the same search of a tree in memory"
    yield timed(name, ratios, "times", f"{method}, {nodes} nodes", "at most 3")
    moves = 20_000
    (seconds_per_walk,) = interleaved(repeats, lambda: walk(LAYOUT, moves))
    yield timed(
        "random play", [moves / seconds for seconds in seconds_per_walk], "successors/s",
        f"actions(), the choice and successor() in random games on {LAYOUT}", "about 1,000,000",
    )  # fmt: skip
    yield Figure(
        "state", footprint(states[0]), "bytes", "the object with its tuple of ghosts and its numbers", "below 400"
    )
    yield from peers(repeats)
    yield from startup(repeats)


def footprint(state: GameState) -> float:
    """The bytes of a state, without the objects that states share: poses, homes and turns."""
    header = 16  # the garbage collector stores a header before the object and before its tuple
    own = [state, state.ghosts, state.food_mask, state.capsule_mask, state.score, hash(state)]
    return sum(map(sys.getsizeof, own)) + 2 * header


def startup(repeats: int) -> Iterator[Figure]:
    """The time to import the package, and the time of `python -m pacman --help`."""

    def spawn(*code: str) -> object:
        return subprocess.run(python(*code), check=True, capture_output=True)

    bare, ours, help = interleaved(
        repeats,
        lambda: spawn("-c", "pass"),
        lambda: spawn("-c", "import pacman"),
        lambda: spawn("-m", "pacman", "--help"),
    )
    imports = [1000 * (one - other) for one, other in zip(ours, bare, strict=True)]
    yield timed("import pacman", imports, "ms", "a new interpreter with the import, minus one without it", "below 60")
    yield timed("python -m pacman --help", [1000 * one for one in help], "ms", "the whole process", "below 150")
