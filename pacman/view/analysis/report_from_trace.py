"""From the trace of a search to its study: positions are made again, and values are worked out entry by entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf

from pacman.core.layers import Layer
from pacman.core.trace import CUTS, ExitReason, Trace, Visit
from pacman.core.tree import Node
from pacman.view.analysis.search_report import OPEN, Interval, LayerCount, ReportNode, SearchReport, backed_up


def report_from_trace(
    root: Node, plies: int, trace: Trace, title: str = "", line: Sequence[str] | None = None, note: str = ""
) -> SearchReport:
    """The study of a search of `root` that is over, or was stopped because of what `note` says.

    `trace` is what a `CountedNode` root told; `line` is the principal line, if it is known already.
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
    return SearchReport(title, plies, nodes, steps, ends, claims, found, _layers(nodes, steps, trace), note)


def _made(root: Node, trace: Trace) -> tuple[ReportNode, ...]:
    """Every node that was made, without its entries. Positions are made again, each from its parent's."""
    nodes = [ReportNode(0, 0, 0, "", None, root)]
    children: list[dict[str, int]] = [{} for _ in trace.parents]
    chances: dict[int, dict[str, float]] = {}
    for number, (parent, action) in enumerate(zip(trace.parents[1:], trace.actions[1:], strict=True), 1):
        above = nodes[parent]
        children[parent][action] = number
        if parent not in chances:
            chances[parent] = dict(above.node.outcomes()) if above.layer is Layer.CHANCE else {}
        probability = chances[parent].get(action)
        nodes.append(ReportNode(number, parent, above.depth + 1, action, probability, above.node.successor(action)))
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


def _entries(nodes: Sequence[ReportNode], plies: int, trace: Trace) -> tuple[Visit, ...]:
    """The entries that were watched, and one for every expanded node that has none; for every node if none was."""
    entered = {visit.number for visit in trace.visits}
    first = {number: place for place, number in reversed(list(enumerate(trace.successors, 1)))} | {0: 0}
    missing: list[Visit] = []
    for seen in nodes:
        if seen.number not in entered and (seen.children or not entered):
            why = ExitReason.by_unseen(seen.node.layer, len(seen.children) + len(seen.unseen), len(seen.unseen))
            visit = Visit(seen.number, plies - seen.depth, -inf, inf, first[seen.number], why=why, unseen=seen.unseen)
            missing.append(visit)
    if not missing:
        return tuple(trace.visits)
    return tuple(
        sorted([*missing, *trace.visits], key=lambda visit: (visit.generated_before, nodes[visit.number].depth))
    )


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
    nodes: Sequence[ReportNode], steps: Sequence[Visit], ends: Sequence[int]
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


def _claim(visit: Visit, seen: ReportNode, nodes: Sequence[ReportNode], now: Mapping[int, Interval]) -> Interval:
    """What an entry made known of a node's value, when `now` is known of all nodes below.

    A fail-soft value inside the window is exact; at or outside an end it is a bound, unless all below is exact.
    """
    value = visit.value
    if visit.why is ExitReason.KNOWN and visit.number in now:
        return now[visit.number]
    if value is None or (
        visit.why is ExitReason.LEAF and seen.children
    ):  # evaluated on the way, to order moves perhaps
        return backed_up(seen, [(nodes[child], now.get(child, OPEN)) for child in seen.children], not seen.unseen)
    settled = visit.why is ExitReason.LEAF or (
        visit.why is ExitReason.VALUE
        and all(low == high for low, high in (now.get(child, OPEN) for child in seen.children))
    )
    if settled or visit.alpha < value < visit.beta:
        return value, value
    return (-inf, value) if value <= visit.alpha else (value, inf)


def _principal(nodes: Sequence[ReportNode], steps: Sequence[Visit], final: Mapping[int, Interval]) -> tuple[str, ...]:
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


def _best(seen: ReportNode, below: Sequence[ReportNode], final: Mapping[int, Interval]) -> str | None:
    """The action that is best by what is known of each, the first of equals; None if nothing is known."""
    end, sign = (0, 1) if seen.layer is Layer.MAX else (1, -1)
    worth = [sign * final.get(child.number, OPEN)[end] for child in below]
    return below[worth.index(max(worth))].action if max(worth) > -inf else None


def _layers(nodes: Sequence[ReportNode], steps: Sequence[Visit], trace: Trace) -> tuple[LayerCount, ...]:
    made = Counter(nodes[trace.parents[number]].depth for number in trace.successors)
    cut = Counter(nodes[number].depth for number in {visit.number for visit in steps if visit.why in CUTS})
    rows: list[LayerCount] = []
    for depth in range(max(made, default=-1) + 1):
        expanded = [seen for seen in nodes if seen.depth == depth and seen.children]
        agent = getattr(expanded[0].node, "mover", None)
        pruned = sum(len(seen.unseen) for seen in expanded)
        rows.append(LayerCount(expanded[0].node.layer, agent, len(expanded), made[depth], cut[depth], pruned))
    return tuple(rows)
