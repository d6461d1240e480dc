"""Creates a search report from a trace: makes the positions again and works out the value interval of every entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf

from pacman.core.tree import Layer, Node
from pacman.record.report import (
    UNKNOWN,
    Interval,
    LayerCount,
    ReportNode,
    SearchReport,
    interval_from_successors,
)
from pacman.record.trace import CUTS, ExitReason, Trace, Visit


def report_from_trace(
    root: Node, plies: int, trace: Trace, title: str = "", line: Sequence[str] | None = None, note: str = ""
) -> SearchReport:
    """The report of a search of `root` that has ended, or was stopped for the reason in `note`.

    A `CountedNode` root wrote `trace` during the search. `line` is the principal line, if the caller knows it.
    """
    nodes = _report_nodes(root, trace)
    steps = _entries(nodes, plies, trace)
    entries: dict[int, list[int]] = {}
    for step, visit in enumerate(steps):
        entries.setdefault(visit.number, []).append(step)
    nodes = tuple(node._replace(steps=tuple(entries.get(node.number, ()))) for node in nodes)
    ends = _ends([nodes[visit.number].depth for visit in steps])
    claims, final = _claims(nodes, steps, ends)
    principal = _principal_line(nodes, steps, final) if line is None else tuple(line)
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


def _ends(depths: Sequence[int]) -> tuple[int, ...]:
    """For each entry the step at which the search has left its node: the first later entry that is not deeper.

    If this is the very next entry, nothing was entered below the node, and the step is the entry itself.
    """
    ends = [len(depths)] * len(depths)
    open_entries: list[int] = []
    for step, depth in enumerate([*depths, 0]):
        while open_entries and depths[open_entries[-1]] >= depth:
            entry = open_entries.pop()
            ends[entry] = entry if entry == step - 1 else step
        open_entries.append(step)
    return tuple(ends[: len(depths)])


def _claims(
    nodes: Sequence[ReportNode], steps: Sequence[Visit], ends: Sequence[int]
) -> tuple[tuple[Interval, ...], dict[int, Interval]]:
    """What each entry shows about its node's value, and by number what is known about each node at the end."""
    claims = [UNKNOWN] * len(steps)
    intervals: dict[int, Interval] = {}
    # In the order in which the search left the nodes; if it left two together, the deeper one (entered later) first.
    for step in sorted(range(len(steps)), key=lambda step: (ends[step], -step)):
        visit = steps[step]
        claims[step] = intervals[visit.number] = _claim(visit, nodes[visit.number], nodes, intervals)
    return tuple(claims), intervals


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
    successors = [(nodes[child], intervals.get(child, UNKNOWN)) for child in node.children]
    if value is None or is_expanded:
        return interval_from_successors(node, successors, not node.unseen)
    if visit.why is ExitReason.VALUE and (
        all(low == high for _, (low, high) in successors)
        or interval_from_successors(node, successors, not node.unseen) == (value, value)
    ):
        return value, value
    return (-inf, value) if value <= visit.alpha else (value, inf)


def _principal_line(
    nodes: Sequence[ReportNode], steps: Sequence[Visit], final: Mapping[int, Interval]
) -> tuple[str, ...]:
    """The actions that the search expects, as far as it made the nodes: its choices; at CHANCE the most probable."""
    line: list[str] = []
    node = nodes[0]
    while node.children:
        action: str | None
        children = [nodes[child] for child in node.children]
        choices = [steps[entry].action for entry in node.steps if steps[entry].action is not None]
        if node.layer is Layer.CHANCE:
            action = max(children, key=lambda child: child.probability or 0.0).action
        elif choices:
            action = choices[-1]
        else:
            action = _best_action(node, children, final)
        following = next((child for child in children if child.action == action), None)
        if following is None:
            break
        line.append(following.action)
        node = following
    return tuple(line)


def _best_action(node: ReportNode, children: Sequence[ReportNode], final: Mapping[int, Interval]) -> str | None:
    """The action with the best known bound, the first one on a tie; None if nothing is known."""
    end, sign = (0, 1) if node.layer is Layer.MAX else (1, -1)
    values = [sign * final.get(child.number, UNKNOWN)[end] for child in children]
    return children[values.index(max(values))].action if max(values) > -inf else None


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
