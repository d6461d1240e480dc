"""Runs a simulated search whose mistake changes the loop over the actions, or keeps something from node to node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from autograder.judge.examination.model_tree import CHANCE, MAX, ModelTree, Spot, TreeNode
from autograder.judge.examination.plain_simulation import OPEN, Simulation, ValueAndAction
from autograder.judge.examination.rules import UNSEARCHED
from autograder.judge.examination.search_model import MEMORIES, PASSES, TESTED, UPDATES, SearchModel, Window


@dataclass
class _Loop:
    """A loop over the actions of a node that chooses a child."""

    node: TreeNode
    spot: Spot
    is_max: bool
    picks_max: bool
    start: float
    """The first best value."""
    best: float
    alpha: float
    beta: float
    own: Window = OPEN
    """The bounds that only this node found."""
    old: Window = OPEN
    """The bounds before the last child."""
    chosen: int | None = None
    """The place of the best child in the loop."""
    below: str | None = None
    """The action of the best child."""


class UnusualSimulation(Simulation):
    """One run of such a search."""

    def __init__(self, model: SearchModel, tree: ModelTree, most: int) -> None:
        super().__init__(model, tree, most)
        self._left: float = 0
        """The plies left that all nodes share."""
        self._window: Window = OPEN
        """The window that all nodes share."""
        self._written: str | None = None
        """The action that a node stored last."""
        self._stored: dict[Any, ValueAndAction] = {}
        self._best: dict[bool, float] = {}
        """The best values that nodes share: at MAX nodes, and at MIN nodes."""
        self._one_best: tuple[float, str | None] | None = None
        self._shares = TESTED[model.shares_best] if model.shares_best else None

    def _searched(self, spot: Spot, alpha: float, beta: float) -> ValueAndAction:
        for depth in range(1, int(spot.left)) if self.model.deepens else ():
            self._left = depth
            self._visit(self.tree.root, spot._replace(left=depth), alpha, beta)
        self._left = spot.left
        return super()._searched(spot, alpha, beta)

    def _visit(self, node: TreeNode, spot: Spot, alpha: float, beta: float) -> ValueAndAction:
        if self.model.drift.startswith("shared"):
            spot = spot._replace(left=self._left)
        if self.model.memory != "every node":
            return super()._visit(node, spot, alpha, beta)
        if node.node not in self._stored:
            self._stored[node.node] = super()._visit(node, spot, alpha, beta)
        return self._stored[node.node]

    def _expand(self, node: TreeNode, spot: Spot, alpha: float, beta: float) -> ValueAndAction:
        if self.model.drift != "shared rounds" or spot.ends_round:
            self._left -= 1
        return super()._expand(node, spot, alpha, beta)

    def _inner(self, node: TreeNode, spot: Spot, indexes: Sequence[int], alpha: float, beta: float) -> ValueAndAction:
        memory = self.model.memory
        if memory == "visited":
            if node.node in self._stored:
                return self._evaluate(node, self.tree), None
            self._stored[node.node] = (0.0, None)
        elif memory not in ("", "every node"):
            key = MEMORIES[memory](node, spot, (alpha, beta))
            if key not in self._stored:
                self._stored[key] = self._computed(node, spot, indexes, alpha, beta)
            return self._stored[key]
        return self._computed(node, spot, indexes, alpha, beta)

    def _computed(
        self, node: TreeNode, spot: Spot, indexes: Sequence[int], alpha: float, beta: float
    ) -> ValueAndAction:
        """The value and the action of a node that no table has."""
        ignored = self.model.ignores_ends
        if ignored and TESTED[ignored](spot):
            ended = [index for index in indexes if node.child(index).is_terminal]
            if len(ended) < len(indexes) or spot.layer is CHANCE:
                self._make_all(node, ended)
                indexes = [index for index in indexes if index not in ended]
                if not indexes:
                    return 0.0, None
        value, action = super()._inner(node, spot, indexes, alpha, beta)
        if self.model.adds_evaluation:
            value += self._evaluate(node, self.tree)
        return value, action

    def _follow(self, node: TreeNode, index: int, spot: Spot, window: Window) -> tuple[float, str | None, TreeNode]:
        model = self.model
        if index >= len(node.actions):
            raise ValueError("illegal action")
        if model.searches_only:
            index = 0 if model.searches_only == "first" else len(node.actions) - 1
        for _ in range(model.searches - 1):
            super()._follow(node, index, spot, window)
        result = super()._follow(node, index, spot, window)
        if model.makes == "twice":
            self._make(node, index)
        return result

    def _drifts(self, spot: Spot) -> bool:
        """True if each child gets one ply less than the child before it."""
        drift = self.model.drift
        return drift == "siblings" or (drift == "siblings at ends of rounds" and spot.ends_round)

    def _average(
        self, node: TreeNode, spot: Spot, indexes: Sequence[int], rule: str, alpha: float, beta: float
    ) -> ValueAndAction:
        model = self.model
        if rule in UNSEARCHED:
            return super()._average(node, spot, indexes, rule, alpha, beta)
        window = (alpha, beta) if model.through_chance or model.chance_stops else OPEN
        values: list[float] = []
        total = 0.0
        here = node
        for place, index in enumerate(indexes):
            if place and self._drifts(spot):
                spot = spot._replace(left=spot.left - 1)
            value, _, child = self._follow(here, index, spot, window)
            values.append(value)
            if model.overwrites:
                here = child
            if model.chance_stops and spot.layer is CHANCE:
                total += node.probabilities[index] * value
                if total < alpha or (total == alpha and model.chance_stops == "equal"):
                    return total, None
        return self._combined(node, spot, indexes, rule, values)

    # Nodes that choose

    def _choose(
        self, node: TreeNode, spot: Spot, indexes: Sequence[int], rule: str, alpha: float, beta: float
    ) -> ValueAndAction:
        model = self.model
        picks_max = rule.endswith("max")
        if model.one_best:
            return self._share(node, spot, indexes, picks_max)
        is_max = spot.layer is MAX if rule.startswith("picks") else picks_max
        loop = self._begin(node, spot, indexes, is_max, picks_max, alpha, beta)
        passes = PASSES[model.passes_root] if model.passes_root and not spot.depth else self._passes[is_max]
        here, value, tried = node, loop.best, indexes
        for place, index in enumerate(indexes):
            if model.starts_from == "first evaluation" and not place:
                continue
            if place and self._drifts(loop.spot):
                loop.spot = loop.spot._replace(left=loop.spot.left - 1)
            window = passes(loop.alpha, loop.beta, *loop.own)
            if model.resets_at_same_layer and node.child(index).layer is spot.layer:
                window = OPEN
            value, action, child = self._follow(here, index, loop.spot, window)
            if not spot.depth:
                self.root_values[node.actions[index]] = value
            if model.overwrites:
                here = child
            self._compare(loop, indexes, place, value, action)
            if model.enough is not None and spot.layer is MAX and value > model.enough:
                tried = indexes[: place + 1]
                break
            if self._ends(loop):
                tried = indexes[: place + 1]
                if model.makes == "one ahead" and place + 1 < len(indexes):
                    self._make(node, indexes[place + 1])
                loop.best = self._value_after_cut(loop)
                break
        else:
            if model.hard:
                loop.best = max(loop.best, loop.alpha) if is_max else min(loop.best, loop.beta)
        if model.best_again and loop.chosen is not None:
            self._follow(node, indexes[loop.chosen], loop.spot, passes(loop.alpha, loop.beta, *loop.own))
        if spot.layer is CHANCE and not model.acts_at_chance:
            return loop.best, None
        if model.returns_last and TESTED[model.returns_last](spot):
            loop.best = value
        return loop.best, self._action(node, tried, loop.chosen, loop.below)

    def _begin(
        self,
        node: TreeNode,
        spot: Spot,
        indexes: Sequence[int],
        is_max: bool,
        picks_max: bool,
        alpha: float,
        beta: float,
    ) -> _Loop:
        """The loop before the first child."""
        model = self.model
        best = self._start(spot, picks_max)
        if model.starts_from == "own evaluation":
            best = self._evaluate(node, self.tree)
        elif model.starts_from == "first evaluation":
            best = self._evaluate(self._make(node, indexes[0]), self.tree)
        if model.window_shared:
            alpha, beta = self._window if spot.depth else (alpha, beta)
            self._window = alpha, beta
        alpha, beta = self._enters[is_max](alpha, beta, -inf, inf)
        start = best
        if self._shares is not None and self._shares(spot):
            best = self._best.setdefault(picks_max, best)
        loop = _Loop(node, spot, is_max, picks_max, start, best, alpha, beta)
        loop.chosen = 0 if model.starts_from == "first evaluation" else None
        return loop

    def _compare(self, loop: _Loop, indexes: Sequence[int], place: int, value: float, action: str | None) -> None:
        """Takes the value of a child into account: as the best one so far, and in the window."""
        model = self.model
        shares = self._shares is not None and self._shares(loop.spot)
        if shares:
            loop.best = self._best[loop.picks_max]
        if self._is_better(loop, indexes, place, value):
            loop.best, loop.chosen, loop.below = value, place, action
            self._written = loop.node.actions[indexes[place]]
            if shares:
                self._best[loop.picks_max] = value
        if model.window_shared:
            loop.alpha, loop.beta = self._window
        loop.old = loop.alpha, loop.beta
        at_root = self.model.updates_root if not loop.spot.depth else ""
        update = UPDATES[at_root] if at_root else self._updates[loop.is_max]
        self._window = loop.alpha, loop.beta = update(loop.is_max, value, loop.best, loop.alpha, loop.beta)
        loop.own = update(loop.is_max, value, loop.best, *loop.own)

    def _is_better(self, loop: _Loop, indexes: Sequence[int], place: int, value: float) -> bool:
        """True if the value of a child replaces the best one so far."""
        model, best = self.model, loop.best
        if best == 0 and loop.chosen is not None and model.zero_is_none and TESTED[model.zero_is_none](loop.spot):
            return True
        if model.compares != "numbers" and TESTED[model.compares_at](loop.spot):
            if loop.chosen is None:
                return True
            one: Any = value
            other: Any = best
            if model.compares == "names":
                one, other = loop.node.actions[indexes[place]], loop.node.actions[indexes[loop.chosen]]
            else:
                convert = str if model.compares == "text" else abs
                one, other = convert(value), convert(best)
            return bool(one > other if loop.picks_max else one < other)
        if (value > best if loop.picks_max else value < best) or model.compares != "numbers":
            return value > best if loop.picks_max else value < best
        is_first = loop.chosen is None and model.is_first_better and best == loop.start and abs(best) == inf
        return value == best and (is_first or (model.ties_max if loop.picks_max else model.ties_min) == "last")

    def _ends(self, loop: _Loop) -> bool:
        """True if the node is cut off now."""
        if self._never_cuts is not None and self._never_cuts(loop.spot):
            return False
        return self._cuts[loop.is_max](loop.is_max, loop.best, *loop.old, loop.alpha, loop.beta)

    def _value_after_cut(self, loop: _Loop) -> float:
        """What a node returns that is cut off."""
        how, is_max = self.model.cut_returns, loop.is_max
        if how == "zero":
            return 0.0
        if how == "other bound":
            return loop.alpha if is_max else loop.beta
        if how == ("other bound at max" if is_max else "other bound at min"):
            return loop.old[0] if is_max else loop.old[1]
        if how == "bound" or self.model.hard:
            return loop.beta if is_max else loop.alpha
        return loop.best

    def _share(self, node: TreeNode, spot: Spot, indexes: Sequence[int], picks_max: bool) -> ValueAndAction:
        """The value and the action of a node whose best line every node below it overwrites."""
        self._one_best = None
        for index in indexes:
            value, _, _ = self._follow(node, index, spot, OPEN)
            if self._one_best is None or (value > self._one_best[0] if picks_max else value < self._one_best[0]):
                self._one_best = value, node.actions[index]
        assert self._one_best is not None
        return self._one_best

    def _action(self, node: TreeNode, indexes: Sequence[int], best: int | None, below: str | None) -> str | None:
        if self.model.action == "last written":
            return self._written
        return super()._action(node, indexes, best, below)
