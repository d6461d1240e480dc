"""What a search of one position found, as frozen data for the overlays, for the tree and for single steps.

    report = report_from_trace(root, plies, trace, "expectimax, 2 rounds")
    report.root_intervals              each root action, and what the search knows about its value
    report.interval(number)            the interval that contains a node's value, at the end or at a step
    report.layers, report.line         counts for each ply of the look-ahead; the principal line
    report.line_places, report.heat    where every agent goes on the principal line; where it was in expanded nodes

A step is one entry into a node, in the order of the search. If no hook recorded the entry into an expanded node
(`pacman.search.tracing`), the node counts as entered when it was made, and its value follows from its successors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import inf, isinf
from typing import NamedTuple

from pacman.core.numbers import format_ends
from pacman.core.state import GameState, Place, places_of
from pacman.core.tree import Layer, Node
from pacman.record.trace import CUTS, ExitReason, Trace, Visit

Interval = tuple[float, float]
"""The least and the greatest value that a node can have, according to what the search knows."""
UNKNOWN: Interval = (-inf, inf)


class ReportNode(NamedTuple):
    """A node that the search made. `children` are the successors that it made, `unseen` the actions it did not follow.

    `steps` are the entries into the node, `probability` is that of `action` below a CHANCE node (else None), and
    `below` counts all nodes below this one. `children` and `unseen` are in the order of the actions.
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
        """Who decides at this node; None at a terminal node."""
        return None if self.node.is_terminal else self.node.layer


class LayerCount(NamedTuple):
    """One ply of the look-ahead: who moves, how many nodes the search expanded, how many successors it made of them.

    It left `cut` nodes early. `layer` is the layer of the first node; `agent` is None in games without agents.
    """

    layer: Layer
    agent: int | None
    expanded: int
    generated: int
    cut: int


@dataclass(frozen=True, eq=False)
class SearchReport:
    """What a search found; `pacman.record.report` creates it from a trace.

    The index of a node in `nodes` is its number in the trace; `steps` are in the order of the search. Step i enters a
    node. The search has left this node at step `ends[i]` (which is i if it entered no node below), and from then on
    `claims[i]` is what it knows about the node's value. `layers` has a row per ply. `note` says which part of the
    search is missing; it is "" if nothing is missing.
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
    has_failed: bool = False
    """True if an error stopped the search; the `note` says which."""
    reference_windows: tuple[Interval | None, ...] | None = None
    """For each node the window of alpha-beta there, None if alpha-beta does not enter it. None for no comparison."""

    @property
    def root(self) -> Node:
        """The position that was searched."""
        return self.nodes[0].node

    @property
    def action(self) -> str | None:
        """The action that the search chose; None if it chose none."""
        return self.line[0] if self.line else None

    @property
    def root_intervals(self) -> tuple[tuple[str, Interval], ...]:
        """Every action of the root in order, and what the search knows about its value."""
        children = self.children(0)
        return tuple(
            (action, self.interval(children[action]) if action in children else UNKNOWN)
            for action in self.root.actions()
        )

    def children(self, number: int) -> dict[str, int]:
        """By action the number of each successor that the search made of a node."""
        return {self.nodes[child].action: child for child in self.nodes[number].children}

    @cached_property
    def decimals(self) -> int | None:
        """How many decimals all values have, if the root is a position: as many as they need, but at most 2 (4 if all
        values are below 1). None for another root: its numbers are shown as they are.
        """
        if not isinstance(self.root, GameState):
            return None
        values = {end for interval in self.claims for end in interval if not isinf(end)}
        largest = max(map(abs, values), default=0.0)
        most = 2 if largest >= 10 else 3 if largest >= 1 else 4
        return next((count for count in range(most) if all(abs(round(v, count) - v) < 1e-6 for v in values)), most)

    @property
    def generated(self) -> int:
        """How many successors the search made, repeats included."""
        return sum(layer.generated for layer in self.layers)

    @property
    def expanded(self) -> int:
        """How many nodes have at least one successor that the search made."""
        return sum(layer.expanded for layer in self.layers)

    @cached_property
    def line_nodes(self) -> frozenset[int]:
        """The numbers of the nodes on the principal line that the search made, including the root."""
        number, numbers = 0, {0}
        for action in self.line:
            children = self.children(number)
            if action not in children:
                break
            number = children[action]
            numbers.add(number)
        return frozenset(numbers)

    @cached_property
    def line_places(self) -> tuple[tuple[Place, ...], ...]:
        """For each agent its places along the principal line, starting with its present place."""
        return self._places_after(self.line)

    def places_to(self, number: int) -> tuple[tuple[Place, ...], ...]:
        """For each agent its places from the root to a node, starting with its present place."""
        return self._places_after([self.nodes[each].action for each in self.path(number)[1:]])

    def _places_after(self, actions: Iterable[str]) -> tuple[tuple[Place, ...], ...]:
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
        """For each agent and place: how many expanded nodes there are where the agent moves and is at this place."""
        state = self.root
        assert isinstance(state, GameState)
        counts: tuple[Counter[Place], ...] = tuple(Counter() for _ in places_of(state))
        for node in self.nodes:
            if node.children and isinstance(node.node, GameState):
                mover = node.node.mover
                counts[mover][places_of(node.node)[mover]] += 1
        return counts

    def interval(self, number: int, step: int | None = None) -> Interval:
        """What the search knows about a node's value at `step`, or at the end if `step` is None."""
        node = self.nodes[number]
        for entry in reversed(node.steps):
            if step is None or self.ends[entry] <= step:
                return self.claims[entry]
        if step is None or not node.steps or node.steps[0] > step:
            return UNKNOWN
        intervals = {child: self.interval(child, step) for child in node.children}
        low, high = _from_successors(node, self.nodes, intervals, is_complete=False)
        least, most = self.claims[next(entry for entry in reversed(node.steps) if entry <= step)]
        # A student's code may maximise at a MIN node: a bound that its own value breaks is none.
        return (low, high) if low <= most and least <= high else UNKNOWN

    def entry(self, number: int, step: int | None = None) -> Visit | None:
        """The last entry into a node at or before `step` (None: of the whole search); None if there was none."""
        return next(
            (self.steps[entry] for entry in reversed(self.nodes[number].steps) if step is None or entry <= step), None
        )

    def has_left(self, number: int, step: int | None = None) -> bool:
        """True if the search has entered and left a node by `step` (None: by the end)."""
        entries = [entry for entry in self.nodes[number].steps if step is None or entry <= step]
        return bool(entries) and (step is None or self.ends[entries[-1]] <= step)

    def path(self, number: int) -> tuple[int, ...]:
        """The numbers of the nodes from the root to this one, both included."""
        path = [number]
        while path[-1]:
            path.append(self.nodes[path[-1]].parent)
        return tuple(reversed(path))


Analyse = Callable[[GameState], SearchReport]
"""A function that searches a position and returns the report. It may be slow."""


def interval_of_successors(
    layer: Layer | None, intervals: Sequence[Interval], weights: Sequence[float], is_complete: bool
) -> Interval:
    """The interval of a node's value, from those of its successors, `is_complete` if they are all there.

    `weights` are the probabilities, for a CHANCE node.
    """
    if not intervals:
        return UNKNOWN
    lows, highs = [low for low, _ in intervals], [high for _, high in intervals]
    if layer is Layer.MAX:
        return max(lows), max(highs) if is_complete else inf
    if layer is Layer.MIN:
        return min(lows) if is_complete else -inf, min(highs)
    if not is_complete:
        return UNKNOWN
    # The sum follows the order of the outcomes, as in a search, so that an exact mean equals the search's mean exactly.
    means = [
        list(accumulate((w * end for w, end in zip(weights, ends, strict=True)), initial=0.0)) for ends in (lows, highs)
    ]
    return means[0][-1], means[1][-1]


def reference_window(report: SearchReport, number: int, decimals: int | None = None) -> str:
    """The window of alpha-beta at an inner node, as text beside that of a student's search, with so many decimals.

    "" if there is nothing to compare, or if neither search has a bound there.
    """
    windows, node = report.reference_windows, report.nodes[number]
    if windows is None or node.layer is None or node.depth >= report.plies:
        return ""
    window = windows[number]
    if window is None:
        return "alpha-beta does not enter this node"
    entry, ends = report.entry(number), format_ends(*window, report.decimals if decimals is None else decimals)
    if entry is not None and window == (entry.alpha, entry.beta):
        return "as in alpha-beta" if ends else ""
    return f"alpha-beta has {ends or 'no bounds'}"


# ---- from a trace


def report_from_trace(
    root: Node,
    plies: int,
    trace: Trace,
    title: str = "",
    line: Sequence[str] | None = None,
    note: str = "",
    choice: Sequence[str | None] = (),
) -> SearchReport:
    """The report of a search of `root` that has ended, or was stopped for the reason in `note`.

    A `CountedNode` root wrote `trace` during the search. `line` is the principal line, if the caller knows it; `choice`
    the action that the search returned, which may be none, if this is known.
    """
    nodes = _report_nodes(root, trace)
    steps = _entries(nodes, plies, trace)
    entries: dict[int, list[int]] = {}
    for step, visit in enumerate(steps):
        entries.setdefault(visit.number, []).append(step)
    nodes = tuple(node._replace(steps=tuple(entries.get(node.number, ()))) for node in nodes)
    ends, claims, final = _leave(nodes, steps)
    principal = _principal_line(nodes, steps, final, choice) if line is None else tuple(line)
    return SearchReport(title, plies, nodes, steps, ends, claims, principal, _layer_counts(nodes, steps, trace), note)


def _report_nodes(root: Node, trace: Trace) -> tuple[ReportNode, ...]:
    """Every node that the search made, without its entries. Each position is made again from its parent's."""
    nodes = [ReportNode(0, 0, 0, "", None, root)]
    children: list[dict[str, int]] = [{} for _ in trace.parents]
    probabilities: dict[int, dict[str, float]] = {}
    for number, (parent, action) in enumerate(trace.edges(), 1):
        above = nodes[parent]
        children[parent][action] = number
        if parent not in probabilities:
            probabilities[parent] = dict(above.node.outcomes()) if above.layer is Layer.CHANCE else {}
        probability = probabilities[parent].get(action)
        nodes.append(ReportNode(number, parent, above.depth + 1, action, probability, above.node.successor(action)))
    below = [0] * len(nodes)
    for node in reversed(nodes[1:]):
        below[node.parent] += 1 + below[node.number]
    return tuple(
        node._replace(
            children=tuple(numbers[action] for action in node.node.actions() if action in numbers),
            unseen=tuple(action for action in node.node.actions() if action not in numbers),
            below=count,
        )
        if numbers
        else node
        for node, numbers, count in zip(nodes, children, below, strict=True)
    )


def _entries(nodes: Sequence[ReportNode], plies: int, trace: Trace) -> tuple[Visit, ...]:
    """All entries in order: the recorded ones, and a new one for each expanded node without a recorded entry.

    If the trace recorded no entry at all, every node gets a new one.
    """
    recorded = {visit.number for visit in trace.visits}
    first = {number: index for index, number in reversed(list(enumerate(trace.successors, 1)))} | {0: 0}
    missing: list[Visit] = []
    for node in nodes:
        if node.number not in recorded and (node.children or not recorded):
            why = ExitReason.by_unseen(node.node.layer, len(node.children) + len(node.unseen), len(node.unseen))
            visit = Visit(node.number, plies - node.depth, -inf, inf, first[node.number], why=why, unseen=node.unseen)
            missing.append(visit)
    if not missing:
        return tuple(trace.visits)
    return tuple(
        sorted([*missing, *trace.visits], key=lambda visit: (visit.generated_before, nodes[visit.number].depth))
    )


def _leave(
    nodes: Sequence[ReportNode], steps: Sequence[Visit]
) -> tuple[tuple[int, ...], tuple[Interval, ...], dict[int, Interval]]:
    """For each entry when it ends and what it shows about its node's value; and what is known of each node at the end.

    An entry ends at the first later entry that is not deeper. If this is the very next entry, nothing was entered below
    the node, and it ends at once.
    """
    ends, claims = [len(steps)] * len(steps), [UNKNOWN] * len(steps)
    intervals: dict[int, Interval] = {}
    inside: list[int] = []
    for step in range(len(steps) + 1):
        depth = nodes[steps[step].number].depth if step < len(steps) else 0
        while inside and nodes[steps[inside[-1]].number].depth >= depth:  # the deeper one is left first
            entry = inside.pop()
            visit = steps[entry]
            ends[entry] = entry if entry == step - 1 else step
            claims[entry] = intervals[visit.number] = _claim(visit, nodes[visit.number], nodes, intervals)
        inside.append(step)
    return tuple(ends), tuple(claims), intervals


def _from_successors(
    node: ReportNode, nodes: Sequence[ReportNode], intervals: Mapping[int, Interval], is_complete: bool
) -> Interval:
    known = [intervals.get(child, UNKNOWN) for child in node.children]
    weights = [nodes[child].probability or 0.0 for child in node.children]
    return interval_of_successors(node.layer, known, weights, is_complete)


def _claim(visit: Visit, node: ReportNode, nodes: Sequence[ReportNode], intervals: Mapping[int, Interval]) -> Interval:
    """What an entry shows about a node's value; `intervals` is what is known about the nodes below at that time.

    A fail-soft value inside the window is exact. A value at or outside an end of the window is only a bound, unless
    the values of all successors are exact, or bounds that leave no other value: the largest of 7 and ≤0 is 7.
    """
    value = visit.value
    if visit.why is ExitReason.KNOWN and visit.number in intervals:
        return intervals[visit.number]
    # A node that was evaluated and then expanded: perhaps it was evaluated only to order the moves.
    is_expanded = value is None or (visit.why is ExitReason.LEAF and bool(node.children))
    if value is not None and not is_expanded and (visit.why is ExitReason.LEAF or visit.alpha < value < visit.beta):
        return value, value
    known = _from_successors(node, nodes, intervals, not node.unseen)
    if value is None or is_expanded:
        return known
    successors = [intervals.get(child, UNKNOWN) for child in node.children]
    is_exact = all(low == high for low, high in successors) or known == (value, value)
    if visit.why is ExitReason.VALUE and is_exact:
        return value, value
    return (-inf, value) if value <= visit.alpha else (value, inf)


def _principal_line(
    nodes: Sequence[ReportNode], steps: Sequence[Visit], final: Mapping[int, Interval], choice: Sequence[str | None]
) -> tuple[str, ...]:
    """The actions that the search expects, as far as it made the nodes: its choices; at CHANCE the most probable.

    Where it told no choice, that is the action with the best known bound, the first one on a tie. `choice` is that of
    the root, if it is known.
    """
    line: list[str] = []
    node = nodes[0]
    while node.children:
        children = [nodes[child] for child in node.children]
        choices = [steps[entry].action for entry in node.steps if steps[entry].action is not None]
        choices = [*choice] if choice and not line else choices
        end, sign = (0, 1) if node.layer is Layer.MAX else (1, -1)
        values = [sign * final.get(child.number, UNKNOWN)[end] for child in children]
        if node.layer is Layer.CHANCE:
            values = [child.probability or 0.0 for child in children]
        elif choices:
            values = [1.0 if child.action == choices[-1] else -inf for child in children]
        if max(values) == -inf:
            break
        node = children[values.index(max(values))]
        line.append(node.action)
    return tuple(line)


def _layer_counts(nodes: Sequence[ReportNode], steps: Sequence[Visit], trace: Trace) -> tuple[LayerCount, ...]:
    """The counts for each ply of the look-ahead."""
    generated = Counter(nodes[trace.parents[number]].depth for number in trace.successors)
    cut = Counter(nodes[number].depth for number in {visit.number for visit in steps if visit.why in CUTS})
    rows: list[LayerCount] = []
    for depth in range(max(generated, default=-1) + 1):
        expanded = [node for node in nodes if node.depth == depth and node.children]
        agent = getattr(expanded[0].node, "mover", None)
        rows.append(LayerCount(expanded[0].node.layer, agent, len(expanded), generated[depth], cut[depth]))
    return tuple(rows)
