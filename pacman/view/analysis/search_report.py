"""What a search of one position found, as frozen data: for overlays, for the tree, for stepping.

    study = look(root, plies, trace, "expectimax, 2 rounds")
    study.roots                  each root action, and what the search knows of its value
    study.known(number)          the interval that a node's value lies in, at the end or after so many steps
    study.layers, study.line     counts for each ply of the look-ahead; the principal line
    study.walks, study.heat      the line as everyone's walk; where everyone stood in the nodes that were expanded

A step is one entry into a node, in the order of the search. An expanded node whose entry nobody watched
(`pacman.search.tracing`) counts as entered when it was made, and its value is worked out from what lies below it.
No view asks an agent: whoever has one hands in a `Analyse`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import inf
from typing import NamedTuple

from pacman.core.layers import Layer
from pacman.core.state import GameState
from pacman.core.trace import Visit
from pacman.core.tree import Node

Interval = tuple[float, float]
"""The least and the greatest value that a node can have, as far as the search knows."""
OPEN: Interval = (-inf, inf)
Place = tuple[float, float]


class ReportNode(NamedTuple):
    """A node that the search made. `children` were made too, in the order of the actions; `unseen` never were.

    `steps` entered it; `probability` is that of `action` below a CHANCE node; `below` counts the nodes made below it.
    """

    number: int
    parent: int
    depth: int
    action: str
    probability: float | None
    node: Node
    children: tuple[int, ...] = ()
    unseen: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()
    below: int = 0

    @property
    def layer(self) -> Layer | None:
        """Who decides here; None at an end."""
        return None if self.node.is_terminal else self.node.layer


class LayerCount(NamedTuple):
    """One ply of the look-ahead: who moves there, how many nodes were expanded, how many successors that made.

    `cut` nodes were left early, by which `pruned` successors were never made. `layer` is that of the first node;
    `agent` is None in games without agents.
    """

    layer: Layer
    agent: int | None
    expanded: int
    generated: int
    cut: int
    pruned: int


@dataclass(frozen=True)
class SearchReport:
    """What `pacman.view.analysis.report_from_trace` makes of a trace.

    `nodes` stand under their number in the trace, `steps` in the order of the search. The node that step i enters has
    been left when step `ends[i]` is looked at (at once, if nothing below it was entered), and `claims[i]` is what is
    known of its value from then on. `layers` has a row for each ply. `note` says what of the search is missing, ""
    if nothing is.
    """

    title: str
    plies: int
    nodes: tuple[ReportNode, ...]
    steps: tuple[Visit, ...]
    ends: tuple[int, ...]
    claims: tuple[Interval, ...]
    line: tuple[str, ...]
    layers: tuple[LayerCount, ...]
    note: str = ""

    @property
    def root(self) -> Node:
        return self.nodes[0].node

    @property
    def action(self) -> str | None:
        """What the search plays."""
        return self.line[0] if self.line else None

    @property
    def roots(self) -> tuple[tuple[str, Interval], ...]:
        """Every action of the root in order, and what is known of its value."""
        below = {self.nodes[number].action: self.known(number) for number in self.nodes[0].children}
        return tuple((action, below.get(action, OPEN)) for action in self.root.actions())

    @property
    def generated(self) -> int:
        return sum(layer.generated for layer in self.layers)

    @property
    def expanded(self) -> int:
        return sum(layer.expanded for layer in self.layers)

    @cached_property
    def on_line(self) -> frozenset[int]:
        """The nodes of the principal line, the root included, as far as they were made."""
        number, found = 0, {0}
        for action in self.line:
            below = {self.nodes[child].action: child for child in self.nodes[number].children}
            if action not in below:
                break
            number = below[action]
            found.add(number)
        return frozenset(found)

    @cached_property
    def walks(self) -> tuple[tuple[Place, ...], ...]:
        """Where everyone goes along the principal line: for each agent his places, the present one first."""
        return self._walked(self.line)

    def way(self, number: int) -> tuple[tuple[Place, ...], ...]:
        """The same from the root to a node."""
        return self._walked([self.nodes[one].action for one in self.path(number)[1:]])

    def _walked(self, actions: Iterable[str]) -> tuple[tuple[Place, ...], ...]:
        state = self.root
        assert isinstance(state, GameState)
        places: list[list[Place]] = [[place] for place in places_of(state)]
        for action in actions:
            mover = state.mover
            state = state.successor(action)
            places[mover].append(places_of(state)[mover])
        return tuple(map(tuple, places))

    @cached_property
    def heat(self) -> tuple[Mapping[Place, int], ...]:
        """For each agent, how many of the nodes where he moves were expanded while he stood on each place."""
        state = self.root
        assert isinstance(state, GameState)
        counts: tuple[Counter[Place], ...] = tuple(Counter() for _ in places_of(state))
        for seen in self.nodes:
            if seen.children and isinstance(seen.node, GameState):
                mover = seen.node.mover
                counts[mover][places_of(seen.node)[mover]] += 1
        return counts

    def known(self, number: int, step: int | None = None) -> Interval:
        """What is known of a node's value at the end, or while `step` is looked at."""
        seen = self.nodes[number]
        for entry in reversed(seen.steps):
            if step is None or self.ends[entry] <= step:
                return self.claims[entry]
        if step is None or not seen.steps or seen.steps[0] > step:
            return OPEN
        return backed_up(seen, [(self.nodes[child], self.known(child, step)) for child in seen.children], whole=False)

    def entry(self, number: int, step: int | None = None) -> Visit | None:
        """The last entry into a node, or the last one up to `step`; None if there was none."""
        return next(
            (self.steps[entry] for entry in reversed(self.nodes[number].steps) if step is None or entry <= step), None
        )

    def is_left(self, number: int, step: int | None = None) -> bool:
        """True once the search has come back from a node."""
        entered = [entry for entry in self.nodes[number].steps if step is None or entry <= step]
        return bool(entered) and (step is None or self.ends[entered[-1]] <= step)

    def path(self, number: int) -> tuple[int, ...]:
        """The nodes from the root to this one, both included."""
        path = [number]
        while path[-1]:
            path.append(self.nodes[path[-1]].parent)
        return tuple(reversed(path))


Analyse = Callable[[GameState], SearchReport]
"""Makes the study of a position; it may take its time."""


def backed_up(seen: ReportNode, below: Iterable[tuple[ReportNode, Interval]], whole: bool) -> Interval:
    """The interval of a node's value by those of its successors; `whole` if they are all there."""
    known = list(below)
    if not known:
        return OPEN
    lows, highs = [low for _, (low, _) in known], [high for _, (_, high) in known]
    if seen.layer is Layer.MAX:
        return max(lows), max(highs) if whole else inf
    if seen.layer is Layer.MIN:
        return min(lows) if whole else -inf, min(highs)
    if not whole:
        return OPEN
    # Added up in the order of the outcomes, as a search does, so that an exact mean is the search's to the bit.
    weights = [child.probability or 0.0 for child, _ in known]
    means = [
        list(accumulate((w * end for w, end in zip(weights, ends, strict=True)), initial=0.0)) for ends in (lows, highs)
    ]
    return means[0][-1], means[1][-1]


def places_of(state: GameState) -> list[Place]:
    """Where everyone is, by index."""
    return [state.pacman.position, *(ghost.position for ghost in state.ghosts)]
