"""Star2 and Star2.5: Star1 that first probes (searches) some moves of each outcome. Often this is enough for a cut.

The value of a MIN outcome is at most the value of its first move. The value of a MAX outcome is at least that of its
first move. So one move gives a bound on the outcome. With such bounds, the mean may already be outside the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from pacman.core.tree import Evaluation, Layer, Line, Node, score
from pacman.search.base import Hook, check_plies, check_window
from pacman.search.bounds import Bounds, Interval
from pacman.search.star1 import Branch, Star1, lower_bound, upper_bound, window


def star2(
    node: Node,
    plies: int,
    bounds: Bounds,
    evaluate: Evaluation = score,
    alpha: float = -inf,
    beta: float = inf,
    probes: int = 1,
) -> Line:
    """The value of `node`, `plies` ahead inside the window (alpha, beta), and the best action.

    Value, action, ties and errors are those of `star1`; only the order of the work differs. At a CHANCE node, the
    search first probes up to `probes` moves of each outcome; it searches no move twice. It probes a MIN outcome only
    if alpha > L and a MAX outcome only if beta < U, because otherwise the probe cannot cause a cut. If an outcome is
    a CHANCE node, the search probes the outcomes of that node, as if both nodes were one.
    `probes=1` is Star2 (Ballard 1983). More probes are Star2.5 (Hauk, Buro & Schaeffer 2006), in sequence: all probes
    of one outcome come before those of the next.

    >>> from pacman.core.tree_text import Outline
    >>> from pacman.search.bounds import constant_bounds
    >>> b = "chance\\n    x: min\\n      p: 1\\n      q: 9\\n    y: min\\n      p: 3\\n      q: 9"
    >>> star2(Outline.parse("max\\n  a: 4\\n  b: " + b), 3, constant_bounds(-10, 10))
    Line(value=4, action='a')
    """
    check_plies(plies)
    check_window(alpha, beta)
    return Star2(bounds, evaluate, probes).visit(node, plies, alpha, beta)


NodeKey = tuple[int, int]
"""The key of a node in this search: its identity and the plies left there."""


class Star2(Star1):
    """The recursion of `star2`.

    `successors` contains every successor that a probe generated, and for a probed move the interval of its value.
    `joined` contains the outcomes of chance nodes that are outcomes themselves. The search drops both when it leaves
    the chance node above.
    """

    def __init__(
        self, bounds: Bounds, evaluate: Evaluation = score, probes: int = 1, hooks: Sequence[Hook] = ()
    ) -> None:
        super().__init__(bounds, evaluate, hooks)
        if probes < 1:
            raise ValueError(f"probes must be 1 or more, not {probes}")
        self.probes = probes
        self.successors: dict[NodeKey, dict[str, tuple[Node, Interval | None]]] = {}
        self.joined: dict[NodeKey, list[Branch]] = {}

    def chance_value(self, node: Node, plies: int, alpha: float, beta: float) -> float:
        branches = self.joined.get((id(node), plies))
        if branches is None:
            branches = self.branches(node, plies)
            lo, hi = self.bounds(node, plies)
            # A probe of a MIN outcome gives an upper bound, one of a MAX outcome a lower bound: only if it can cut.
            layers = [layer for layer, can_cut in ((Layer.MIN, alpha > lo), (Layer.MAX, beta < hi)) if can_cut]
            self.probe_outcomes(node, branches, plies, alpha, beta, layers)
        if upper_bound(branches) <= alpha:
            value = upper_bound(branches)
        elif lower_bound(branches) >= beta:
            value = lower_bound(branches)
        else:
            value = self.search_outcomes(node, branches, plies, alpha, beta)
        self.forget(node, plies)
        return value

    def probe_outcomes(
        self, node: Node, branches: list[Branch], plies: int, alpha: float, beta: float, layers: list[Layer]
    ) -> None:
        """Narrows the intervals of the outcomes by probes, until the search can leave their node.

        It probes outcomes of these layers only. It stops at the first outcome of another layer, because the outcomes
        of a node usually have the same layer.
        """
        if plies == 1 or not layers:  # the outcomes are leaves, so a probe would be their whole search
            return
        for branch in branches:
            if upper_bound(branches) <= alpha or lower_bound(branches) >= beta:
                return
            if branch.lo < branch.hi:
                outcome = self.successor(node, branch.action, plies)
                lo, hi = self.bounds(outcome, plies - 1)
                branch.lo, branch.hi = max(branch.lo, lo), min(branch.hi, hi)
                if branch.lo == branch.hi:
                    continue
                # The window depends on what the probes before this one found, so it is computed for each outcome.
                a, b = window(branches, branch, alpha, beta)
                for hook in self.hooks:
                    hook.begin_probe(outcome, plies - 1, a, b)
                can_be_probed = self.probe(outcome, plies - 1, branch, a, b, layers)
                for hook in self.hooks:
                    hook.end_probe(outcome)
                if not can_be_probed:
                    return

    def probe(self, node: Node, plies: int, branch: Branch, alpha: float, beta: float, layers: list[Layer]) -> bool:
        """Narrows the interval of one outcome, `node`, by its first moves. False if its layer is not in `layers`."""
        if node.is_terminal:
            return True
        if node.layer is Layer.CHANCE:  # nobody chooses here either: the probe goes on to the outcomes of this outcome
            outcomes = self.joined.get((id(node), plies)) or self.branches(node, plies)
            self.joined[id(node), plies] = outcomes
            self.probe_outcomes(node, outcomes, plies, alpha, beta, layers)
            branch.lo = max(branch.lo, lower_bound(outcomes))
            branch.hi = min(branch.hi, upper_bound(outcomes))
            return True
        if node.layer not in layers:
            return False
        # One good move is enough for a bound: MAX gets at least its value, MIN at most. Each move begins at the bound
        # of the moves before it; once the bound reaches the end of the window, further moves cannot help.
        for action in node.actions()[: self.probes]:
            if node.layer is Layer.MAX and branch.lo < beta:
                branch.lo = max(branch.lo, self.probe_move(node, action, plies, branch.lo, beta).lo)
            elif node.layer is Layer.MIN and branch.hi > alpha:
                branch.hi = min(branch.hi, self.probe_move(node, action, plies, alpha, branch.hi).hi)
        return True

    def probe_move(self, node: Node, action: str, plies: int, alpha: float, beta: float) -> Interval:
        """The interval of one move of an outcome after its search. The search of the outcome will use it again."""
        successor = self.successor(node, action, plies)
        move = Interval(*self.bounds(successor, plies - 1))
        move.learn(self.visit(successor, plies - 1, alpha, beta).value, alpha, beta)
        self.successors[id(node), plies][action] = successor, move
        return move

    def successor(self, node: Node, action: str, plies: int) -> Node:
        """The successor of a node in a probe. It is generated only once."""
        successors = self.successors.setdefault((id(node), plies), {})
        if action not in successors:
            successors[action] = node.successor(action), None
        return successors[action][0]

    def follow(self, node: Node, action: str, plies: int, alpha: float, beta: float) -> float:
        successors = self.successors.get((id(node), plies + 1))
        if successors is None or action not in successors:
            return super().follow(node, action, plies, alpha, beta)
        successor, move = successors[action]
        value = None if move is None else move.answer(alpha, beta)
        if value is None:
            return self.visit(successor, plies, alpha, beta).value
        for hook in self.hooks:
            hook.recall(successor, plies, alpha, beta, value)
        return value

    def forget(self, node: Node, plies: int) -> None:
        """Drops the stored successors and outcomes of `node` and of all nodes below it."""
        self.joined.pop((id(node), plies), None)
        for successor, _ in self.successors.pop((id(node), plies), {}).values():
            self.forget(successor, plies - 1)
