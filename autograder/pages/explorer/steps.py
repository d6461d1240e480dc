"""Puts the events of several searches of one tree in one order, so that they can be stepped through side by side."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.pages.explorer.events import DrawnNode, Event, Kind, Recording

Moment = tuple[int, int]
"""When a search without cuts would be at an event: the later of two events has the greater moment."""


def steps(recordings: Sequence[Recording]) -> list[tuple[int, ...]]:
    """The steps of the page; each one is the numbers of the recordings that go on by one event.

    All recordings have the same nodes. The search that is furthest behind in the tree goes on, and so all searches are
    at the same place. A search that cuts a branch waits until the others have left it.
    """
    moments = [_moments(recording) for recording in recordings]
    places = [0] * len(recordings)
    result: list[tuple[int, ...]] = []
    while True:
        following = {number: each[places[number]] for number, each in enumerate(moments) if places[number] < len(each)}
        if not following:
            return result
        first = min(following.values())
        result.append(tuple(number for number, moment in following.items() if moment == first))
        for number in result[-1]:
            places[number] += 1


def _moments(recording: Recording) -> list[Moment]:
    ends = subtree_ends(recording.nodes)
    below = {(node.parent, node.action): number for number, node in enumerate(recording.nodes) if number}

    def leaving(number: int) -> Moment:  # of nodes that end together, the deeper one has the greater number
        return ends[number], 4 * (len(recording.nodes) - number)

    def moment(event: Event) -> Moment:
        if event.kind in (Kind.ENTER, Kind.PROBE):
            return event.node, -1
        if event.kind is Kind.START:
            return 0, -2
        if event.kind in (Kind.WINDOW, Kind.BOUNDS, Kind.CUT):  # after a child, and before the next one
            child = below.get((event.node, event.action or ""))
            if child is None:
                return event.node, 0
            last, place = leaving(child)
            return last, place + 1 + (event.kind is Kind.CUT)
        return leaving(event.node)

    return [moment(event) for event in recording.events]


def subtree_ends(nodes: Sequence[DrawnNode]) -> list[int]:
    """For each node the number of the last node below it, or its own number."""
    ends = list(range(len(nodes)))
    for number in reversed(range(1, len(nodes))):
        ends[nodes[number].parent] = max(ends[nodes[number].parent], ends[number])
    return ends
