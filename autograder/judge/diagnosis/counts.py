"""How a search counts the plies or rounds that are left: what each of its parameters means, and the right number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import nan
from typing import NamedTuple

from autograder.judge.diagnosis.run import TreeNode, WatchedTree
from pacman.record.calls import NodeVisit
from pacman.record.reading import Reading


class Count(NamedTuple):
    """How a parameter counts: plies or `in_rounds`, `up` from 0 or down to 0.

    A round counts when it is over, or, with `early`, when MAX has moved.
    """

    in_rounds: bool = False
    up: bool = False
    early: bool = False

    def end(self, node: TreeNode) -> int:
        """The number at which the search has to stop."""
        return node.root.left // (node.agents if self.in_rounds else 1) if self.up else 0

    def right(self, node: TreeNode) -> int:
        """The right number of a node."""
        length = node.agents if self.in_rounds else 1
        done = (node.depth + (length - 1) * self.early) // length
        return done if self.up else node.root.left // length - done

    def decides(self, numbers: Mapping[NodeVisit, float]) -> bool:
        """True if the search stops at the end of this count, there alone, and at least once.

        At the `early` end the ghosts still have to move: a search that stops before them counts in another way.
        """
        inner = [bool(visit.made or visit.below) for visit in numbers]
        stops = [(number - self.end(visit.node)) * (1 if self.up else -1) for visit, number in numbers.items()]
        if self.early and any(not goes_on and visit.node.turn for visit, goes_on in zip(numbers, inner, strict=True)):
            return False
        return not all(inner) and all(
            stop if goes_on else stop >= 0 for stop, goes_on in zip(stops, inner, strict=True)
        )

    def share(self, name: str, numbers: Mapping[NodeVisit, float]) -> float:
        """The share of the numbers with this name that differ from that of the call around as they should.

        Rounds are looked at with one ghost: with more of them the search may already count wrong.
        """
        steps = [
            (number - around[-1], self.right(visit.node) - self.right(above.node))
            for visit, number in numbers.items()
            if (above := visit.parent) and (visit.node.agents == 2 or not self.in_rounds)
            if (around := [dict(each.call.numbers).get(name, nan) for each in above.frames if each.has(visit.start)])
        ]
        return sum(got == right for got, right in steps if got == got) / max(1, sum(got == got for got, _ in steps))


PLIES_LEFT = Count()
COUNTS = (PLIES_LEFT, Count(up=True), *(Count(True, up, early) for up in (False, True) for early in (False, True)))


def find_counts(trees: Sequence[WatchedTree], reading: Reading, in_rounds: bool) -> dict[str, Count]:
    """How the parameters with which a search finds out where it has to stop count, by their names."""
    given: dict[str, dict[NodeVisit, float]] = defaultdict(dict)
    for tree in trees:
        for visit in tree.visits:
            for frame in visit.frames if not (visit.node.is_terminal or visit.has_raised) else ():
                for name, number in frame.call.numbers:
                    given[name][visit] = number
    # in a file that counts rounds, a number that is the plies left at most nodes can still be one of rounds
    plies = {name for _, name in reading.plies if not in_rounds or PLIES_LEFT.share(name, given[name]) > 0.6}
    counts = dict.fromkeys(plies, PLIES_LEFT)
    for name in given.keys() - counts:
        fitting = [count for count in COUNTS[: None if in_rounds else 2] if count.decides(given[name])]
        shares = [*sorted(((each.share(name, given[name]), each) for each in fitting), reverse=True), (0.6, PLIES_LEFT)]
        share, count = shares[0]
        starts = [number == count.right(visit.node) for visit, number in given[name].items() if visit.node.depth == 1]
        # either the search begins right, or it counts right and begins wrong
        is_sure = sum(starts) > 0.6 * len(starts) or (share == 1 and count.in_rounds == in_rounds)
        if is_sure and share > max(least for least, _ in shares[1:] or shares):
            counts[name] = count
    return counts
