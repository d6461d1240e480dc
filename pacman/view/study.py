"""What a search of one position found, as frozen data read off its Trace: for overlays, for the tree, for stepping.

    study = look(root, plies, trace, "expectimax, 2 rounds")
    study.roots                  each root action, and what the search knows of its value
    study.known(number)          the interval that a node's value lies in, at the end or after so many steps
    study.layers, study.line     counts for each ply of the look-ahead; the principal line
    study.walks, study.heat      the line as everyone's walk; where everyone stood in the nodes that were expanded

A step is one entry into a node, in the order of the search. An expanded node whose entry nobody watched
(`pacman.search.watch`) counts as entered when it was made, and its value is worked out from what lies below it.
No view asks an agent: whoever has one hands in a `Think`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import inf
from typing import NamedTuple

from pacman.layers import Layer
from pacman.state import GameState
from pacman.trace import CUTS, Trace, Visit, Why
from pacman.tree import Node

Interval = tuple[float, float]
"""The least and the greatest value that a node can have, as far as the search knows."""
OPEN: Interval = (-inf, inf)
Place = tuple[float, float]


class Seen(NamedTuple):
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
class Study:
    """What `look` returns. `nodes` stand under their number in the trace, `steps` in the order of the search.

    The node that step i enters has been left when step `ends[i]` is looked at (at once, if nothing below it was
    entered), and `claims[i]` is what is known of its value from then on. `layers` has a row for each ply. `note`
    says why the search was stopped before its end, "" if it was not.
    """

    title: str
    plies: int
    nodes: tuple[Seen, ...]
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
        state = self.root
        assert isinstance(state, GameState)
        places: list[list[Place]] = [[place] for place in _places(state)]
        for action in self.line:
            mover = state.mover
            state = state.successor(action)
            places[mover].append(_places(state)[mover])
        return tuple(map(tuple, places))

    @cached_property
    def heat(self) -> tuple[Mapping[Place, int], ...]:
        """For each agent, how many of the nodes where he moves were expanded while he stood on each place."""
        state = self.root
        assert isinstance(state, GameState)
        counts: tuple[Counter[Place], ...] = tuple(Counter() for _ in _places(state))
        for seen in self.nodes:
            if seen.children and isinstance(seen.node, GameState):
                mover = seen.node.mover
                counts[mover][_places(seen.node)[mover]] += 1
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


Think = Callable[[GameState], Study]
"""Makes the study of a position; it may take its time."""


def look(
    root: Node, plies: int, trace: Trace, title: str = "", line: Sequence[str] | None = None, note: str = ""
) -> Study:
    """The study of a search of `root` that is over, or was stopped because of what `note` says.

    `trace` is what a `Counted` root told; `line` is the principal line, if it is known already.
    """
    nodes = _made(root, trace)
    steps = _entries(nodes, plies, trace)
    entries: dict[int, list[int]] = {}
    for place, visit in enumerate(steps):
        entries.setdefault(visit.number, []).append(place)
    nodes = tuple(seen._replace(steps=tuple(entries.get(seen.number, ()))) for seen in nodes)
    ends = _ends([nodes[visit.number].depth for visit in steps])
    claims, final = _claims(nodes, steps, ends)
    found = _principal(nodes, steps, final) if line is None else tuple(line)
    return Study(title, plies, nodes, steps, ends, claims, found, _layers(nodes, steps, trace), note)


def _made(root: Node, trace: Trace) -> tuple[Seen, ...]:
    """Every node that was made, without its entries. Positions are made again, each from its parent's."""
    children: list[dict[str, int]] = [{} for _ in trace.parents]
    for number, (parent, action) in enumerate(zip(trace.parents[1:], trace.actions[1:], strict=True), 1):
        children[parent][action] = number
    nodes = [Seen(0, 0, 0, "", None, root)]
    chances: dict[int, dict[str, float]] = {}
    for number, (parent, action) in enumerate(zip(trace.parents[1:], trace.actions[1:], strict=True), 1):
        above = nodes[parent]
        if parent not in chances:
            chances[parent] = dict(above.node.outcomes()) if above.layer is Layer.CHANCE else {}
        probability = chances[parent].get(action)
        nodes.append(Seen(number, parent, above.depth + 1, action, probability, above.node.successor(action)))
    below = [0] * len(nodes)
    for seen in reversed(nodes[1:]):
        below[seen.parent] += 1 + below[seen.number]
    return tuple(
        seen._replace(
            children=tuple(made[action] for action in seen.node.actions() if action in made),
            unseen=tuple(action for action in seen.node.actions() if action not in made),
            below=under,
        )
        if made
        else seen
        for seen, made, under in zip(nodes, children, below, strict=True)
    )


def _entries(nodes: Sequence[Seen], plies: int, trace: Trace) -> tuple[Visit, ...]:
    """The entries that were watched, and one for every expanded node that has none; for every node if none was."""
    entered = {visit.number for visit in trace.visits}
    first = {number: place for place, number in reversed(list(enumerate(trace.made, 1)))} | {0: 0}
    missing = [
        Visit(seen.number, plies - seen.depth, -inf, inf, first[seen.number], why=_why(seen), unseen=seen.unseen)
        for seen in nodes
        if seen.number not in entered and (seen.children or not entered)
    ]
    if not missing:
        return tuple(trace.visits)
    return tuple(sorted([*missing, *trace.visits], key=lambda visit: (visit.made_before, nodes[visit.number].depth)))


def _why(seen: Seen) -> Why:
    if not seen.children:
        return Why.LEAF
    if not seen.unseen:
        return Why.VALUE
    return Why.ALPHA_CUT if seen.layer is Layer.MIN else Why.BETA_CUT


def _ends(depths: Sequence[int]) -> tuple[int, ...]:
    """For each entry its own place if the next is no deeper; else that of the first one after it that is not."""
    ends = [len(depths)] * len(depths)
    open_entries: list[int] = []
    for place, depth in enumerate([*depths, 0]):
        while open_entries and depths[open_entries[-1]] >= depth:
            entry = open_entries.pop()
            ends[entry] = entry if entry == place - 1 else place
        open_entries.append(place)
    return tuple(ends[: len(depths)])


def _claims(
    nodes: Sequence[Seen], steps: Sequence[Visit], ends: Sequence[int]
) -> tuple[tuple[Interval, ...], dict[int, Interval]]:
    """What each entry made known of its node's value, and what was known of each node in the end."""
    claims = [OPEN] * len(steps)
    now: dict[int, Interval] = {}
    # In the order in which they were left; of two left together, the deeper (which was entered later) first.
    for place in sorted(range(len(steps)), key=lambda place: (ends[place], -place)):
        visit = steps[place]
        seen = nodes[visit.number]
        claims[place] = now[visit.number] = _claim(visit, seen, nodes, now)
    return tuple(claims), now


def _claim(visit: Visit, seen: Seen, nodes: Sequence[Seen], now: Mapping[int, Interval]) -> Interval:
    """What an entry made known of a node's value, when `now` is known of all nodes below.

    A fail-soft value inside the window is exact; at or outside an end it is a bound, unless all below is exact.
    """
    value = visit.value
    if visit.why is Why.KNOWN and visit.number in now:
        return now[visit.number]
    if value is None or (visit.why is Why.LEAF and seen.children):  # evaluated on the way, to order moves perhaps
        return backed_up(seen, [(nodes[child], now.get(child, OPEN)) for child in seen.children], not seen.unseen)
    settled = visit.why is Why.LEAF or (
        visit.why is Why.VALUE and all(low == high for low, high in (now.get(child, OPEN) for child in seen.children))
    )
    if settled or visit.alpha < value < visit.beta:
        return value, value
    return (-inf, value) if value <= visit.alpha else (value, inf)


def backed_up(seen: Seen, below: Iterable[tuple[Seen, Interval]], whole: bool) -> Interval:
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


def _principal(nodes: Sequence[Seen], steps: Sequence[Visit], final: Mapping[int, Interval]) -> tuple[str, ...]:
    """The actions that the search expects, as far as it made them: chosen ones, and at CHANCE the most probable."""
    line: list[str] = []
    seen = nodes[0]
    while seen.children:
        action: str | None
        below = [nodes[child] for child in seen.children]
        said = [steps[entry].action for entry in seen.steps if steps[entry].action is not None]
        if seen.layer is Layer.CHANCE:
            action = max(below, key=lambda child: child.probability or 0.0).action
        elif said:
            action = said[-1]
        else:
            action = _best(seen, below, final)
        following = next((child for child in below if child.action == action), None)
        if following is None:
            break
        line.append(following.action)
        seen = following
    return tuple(line)


def _best(seen: Seen, below: Sequence[Seen], final: Mapping[int, Interval]) -> str | None:
    """The action that is best by what is known of each, the first of equals; None if nothing is known."""
    if seen.layer is Layer.MAX:
        best = max(below, key=lambda child: final.get(child.number, OPEN)[0])
        return best.action if final.get(best.number, OPEN)[0] > -inf else None
    best = min(below, key=lambda child: final.get(child.number, OPEN)[1])
    return best.action if final.get(best.number, OPEN)[1] < inf else None


def _layers(nodes: Sequence[Seen], steps: Sequence[Visit], trace: Trace) -> tuple[LayerCount, ...]:
    made = Counter(nodes[trace.parents[number]].depth for number in trace.made)
    cut = Counter(nodes[number].depth for number in {visit.number for visit in steps if visit.why in CUTS})
    rows: list[LayerCount] = []
    for depth in range(max(made, default=-1) + 1):
        expanded = [seen for seen in nodes if seen.depth == depth and seen.children]
        agent = getattr(expanded[0].node, "mover", None)
        pruned = sum(len(seen.unseen) for seen in expanded)
        rows.append(LayerCount(expanded[0].node.layer, agent, len(expanded), made[depth], cut[depth], pruned))
    return tuple(rows)


def _places(state: GameState) -> list[Place]:
    return [state.pacman.position, *(ghost.position for ghost in state.ghosts)]
