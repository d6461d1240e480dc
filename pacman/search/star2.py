"""Star2 and Star2.5: Star1 that first asks each outcome's own first moves, which often is enough to cut.

A MIN outcome is worth at most what its first move is worth, a MAX outcome at least: one move bounds the whole
outcome from one side. Once every outcome has such a bound, their mean may already lie outside the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from pacman.core.layers import Layer
from pacman.core.tree import Evaluation, Line, Node, score
from pacman.search.base import Hook, check_plies, check_window
from pacman.search.bounds import Bounds, Interval
from pacman.search.star1 import Branch, Star1, least, most, window


def star2(
    node: Node,
    plies: int,
    bounds: Bounds,
    evaluate: Evaluation = score,
    alpha: float = -inf,
    beta: float = inf,
    probes: int = 1,
    cyclic: bool = False,
) -> Line:
    """Value of `node` looking `plies` ahead inside the window (alpha, beta), and the action that earns it.

    The contract is that of `star1`, in value, action, ties and errors; only the order of the work differs. At a
    CHANCE node up to `probes` moves of each outcome are searched first (none is searched twice): of a MIN outcome
    only if alpha > L, of a MAX outcome only if beta < U, since otherwise that bound cannot cut. An outcome that
    is a CHANCE node itself is probed through, as if the two were joined.
    `probes=1` is Star2 (Ballard 1983); more are Star2.5 (Hauk, Buro & Schaeffer 2006): in sequence, all the
    probes of one outcome before the next outcome's, or `cyclic`, one of each outcome in every turn.

    >>> from pacman.core.outline import Outline
    >>> from pacman.search.bounds import constant_bounds
    >>> b = "chance\\n    x: min\\n      p: 1\\n      q: 9\\n    y: min\\n      p: 3\\n      q: 9"
    >>> star2(Outline.parse("max\\n  a: 4\\n  b: " + b), 3, constant_bounds(-10, 10))
    Line(value=4, action='a')
    """
    check_plies(plies)
    check_window(alpha, beta)
    return Star2(bounds, evaluate, probes, cyclic).visit(node, plies, alpha, beta)


Place = tuple[int, int]
"""A node in this search: its identity, and the plies left there."""


class Star2(Star1):
    """The recursion behind `star2`.

    The table of probed nodes is `made`: every successor that probing made, and for a probed move the interval that
    it was found to lie in. `begun` holds the outcomes of chance nodes that were probed through. Both are kept by
    the node they belong to and the plies left there, until the chance node above is left.
    """

    def __init__(
        self,
        bounds: Bounds,
        evaluate: Evaluation = score,
        probes: int = 1,
        cyclic: bool = False,
        hooks: Sequence[Hook] = (),
    ) -> None:
        super().__init__(bounds, evaluate, hooks)
        if probes < 1:
            raise ValueError(f"a search probes 1 or more moves of each outcome, not {probes}")
        self.turns = [slice(turn, turn + 1) for turn in range(probes)] if cyclic else [slice(probes)]
        self.made: dict[Place, dict[str, tuple[Node, Interval | None]]] = {}
        self.begun: dict[Place, list[Branch]] = {}

    def chance(self, node: Node, plies: int, alpha: float, beta: float) -> float:
        branches = self.begun.get((id(node), plies))
        if branches is None:
            branches = self.branches(node, plies)
            lo, hi = self.bounds(node, plies)
            # A MIN outcome's moves bound it from above, a MAX outcome's from below: only where that can cut.
            kinds = [kind for kind, can_cut in ((Layer.MIN, alpha > lo), (Layer.MAX, beta < hi)) if can_cut]
            for turn in self.turns:
                self.probe_outcomes(node, branches, plies, alpha, beta, kinds, turn)
        if most(branches) <= alpha:
            value = most(branches)
        elif least(branches) >= beta:
            value = least(branches)
        else:
            value = self.settle(node, branches, plies, alpha, beta)
        self.forget(node, plies)
        return value

    def probe_outcomes(
        self, node: Node, branches: list[Branch], plies: int, alpha: float, beta: float, kinds: list[Layer], turn: slice
    ) -> None:
        """Tightens the intervals of outcomes of these kinds, one turn of probes each, until their node can be left.

        The first outcome that is of no kind to probe ends it, since the outcomes of a node mostly are alike.
        """
        if plies == 1 or not kinds:
            return
        for branch in branches:
            if most(branches) <= alpha or least(branches) >= beta:
                return
            if branch.lo < branch.hi:
                outcome = self.make(node, branch.action, plies)
                lo, hi = self.bounds(outcome, plies - 1)
                branch.lo, branch.hi = max(branch.lo, lo), min(branch.hi, hi)
                if branch.lo == branch.hi:
                    continue
                a, b = window(branches, branch, alpha, beta)
                for hook in self.hooks:
                    hook.begin_probe(outcome, plies - 1, a, b)
                is_probed = self.probe(outcome, plies - 1, branch, a, b, kinds, turn)
                for hook in self.hooks:
                    hook.end_probe(outcome)
                if not is_probed:
                    return

    def probe(
        self, node: Node, plies: int, branch: Branch, alpha: float, beta: float, kinds: list[Layer], turn: slice
    ) -> bool:
        """Tightens the interval of one outcome, `node`, by some of its moves; False if its kind is not to be probed."""
        if node.is_terminal:
            return True
        if node.layer is Layer.CHANCE:
            joined = self.begun.get((id(node), plies)) or self.branches(node, plies)
            self.begun[id(node), plies] = joined
            self.probe_outcomes(node, joined, plies, alpha, beta, kinds, turn)
            branch.lo = max(branch.lo, least(joined))
            branch.hi = min(branch.hi, most(joined))
            return True
        if node.layer not in kinds:
            return False
        for action in node.actions()[turn]:
            if node.layer is Layer.MAX and branch.lo < beta:
                branch.lo = max(branch.lo, self.probe_move(node, action, plies, branch.lo, beta).lo)
            elif node.layer is Layer.MIN and branch.hi > alpha:
                branch.hi = min(branch.hi, self.probe_move(node, action, plies, alpha, branch.hi).hi)
        return True

    def probe_move(self, node: Node, action: str, plies: int, alpha: float, beta: float) -> Interval:
        """Searches one move of an outcome, and keeps what was found for when the outcome itself is searched."""
        successor = self.make(node, action, plies)
        move = Interval(*self.bounds(successor, plies - 1))
        move.learn(self.visit(successor, plies - 1, alpha, beta).value, alpha, beta)
        self.made[id(node), plies][action] = successor, move
        return move

    def make(self, node: Node, action: str, plies: int) -> Node:
        """The successor of a node under a probe, made only once."""
        made = self.made.setdefault((id(node), plies), {})
        if action not in made:
            made[action] = node.successor(action), None
        return made[action][0]

    def follow(self, node: Node, action: str, plies: int, alpha: float, beta: float) -> float:
        made = self.made.get((id(node), plies + 1))
        if made is None or action not in made:
            return super().follow(node, action, plies, alpha, beta)
        successor, move = made[action]
        value = None if move is None else move.answer(alpha, beta)
        if value is None:
            return self.visit(successor, plies, alpha, beta).value
        for hook in self.hooks:
            hook.recall(successor, plies, alpha, beta, value)
        return value

    def forget(self, node: Node, plies: int) -> None:
        """Drops what is kept of `node` and below it: it is left for good."""
        self.begun.pop((id(node), plies), None)
        for successor, _ in self.made.pop((id(node), plies), {}).values():
            self.forget(successor, plies - 1)
