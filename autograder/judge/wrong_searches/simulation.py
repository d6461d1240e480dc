"""Runs a simulated search on a small tree: the right search, and everything that a `SearchModel` changes in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

from autograder.judge.diagnosis.model_tree import CHANCE, MAX, MIN, PLACES, ModelTree, Spot, TreeNode
from autograder.judge.diagnosis.rules import RULES, Children
from autograder.judge.wrong_searches.search_model import (
    CUT_TESTS,
    ENDS,
    EVALUATES,
    HORIZONS,
    MEMORIES,
    ORDERS,
    PASSES,
    SKIPS,
    SPENDS,
    TESTED,
    UPDATES,
    SearchModel,
    Window,
)

OPEN: Window = (-inf, inf)
"""The window that contains every value."""
ValueAndAction = tuple[float, str | None]


class TooManySimulated(Exception):
    """Raised by a simulated search that generates more successors than it may."""


class SimulatedResult(NamedTuple):
    """What a search returns, and the numbers of the nodes that it generated, in order.

    `error` is the name of the exception that the search raises; empty if it returns.
    """

    value: float
    action: str | None
    generated: tuple[int, ...]
    error: str = ""


@dataclass
class _Loop:
    """A loop over the actions of a node that chooses a child."""

    node: TreeNode
    spot: Spot
    is_max: bool
    """True if the node takes the largest value."""
    start: float
    """The first best value."""
    best: float
    window: Window
    own: Window = OPEN
    """The bounds that only this node found."""
    chosen: int | None = None
    """The index of the best action so far."""
    below: str | None = None
    """The action of the best child."""


class Simulation:
    """One run of a simulated search.

    Afterwards `windows` has the window with which it first entered each node, and `values` the value with which it left
    each node, in the order in which it left them.
    """

    def __init__(self, model: SearchModel, tree: ModelTree, most: int) -> None:
        self.model, self.tree, self.most = model, tree, most
        self.windows: dict[int, Window] = {}
        self.values: dict[int, float] = {}
        self.generated: list[int] = []
        self._root_values: dict[str, float] = {}
        self._deciders = [(decider.layer, PLACES[decider.place].has, decider.rule) for decider in model.deciders]
        self._cuts = (CUT_TESTS[model.cuts_min or model.cuts], CUT_TESTS[model.cuts_max or model.cuts])
        self._updates = (UPDATES[model.updates_min], UPDATES[model.updates_max])
        self._enters = (PASSES[model.enters_min], PASSES[model.enters_max])
        self._passes = (PASSES[model.passes_min], PASSES[model.passes_max])
        self._window: Window = OPEN
        """The window that all nodes share."""
        self._written: str | None = None
        """The action that a node stored last."""
        self._stored: dict[Any, ValueAndAction] = {}
        self._best: dict[bool, float] = {}
        """The best values that nodes share: at nodes that take the smallest value, and the largest."""
        self._one_best: ValueAndAction | None = None

    def result(self) -> SimulatedResult:
        """The result of the whole search. TooManySimulated above `most` generated successors."""
        tree, model = self.tree, self.model
        root, window = tree.root, (model.window_alpha, model.window_beta)
        spot = tree.spot._replace(left=HORIZONS[model.horizon](tree))
        try:
            for depth in range(1, int(spot.left)) if model.deepens else ():
                self._visit(root, spot._replace(left=depth), window)
            value, action = self._visit(root, spot, window)
        except (ValueError, TypeError, ArithmeticError, IndexError, RecursionError) as error:
            return SimulatedResult(0.0, None, tuple(self.generated), type(error).__name__)
        return SimulatedResult(value, action, tuple(self.generated))

    def _visit(self, node: TreeNode, spot: Spot, window: Window) -> ValueAndAction:
        """The value and the action of a node: its evaluation at the end of the game and at the horizon."""
        model = self.model
        self.windows.setdefault(node.number, window)
        if model.makes == "also at the horizon" and not node.is_terminal:
            self._make_all(node, range(len(node.actions)))
        if spot.left <= 0 and TESTED[model.tested](spot):
            return self._evaluate(node), None
        if node.is_terminal:
            return self._end(node, spot), None
        if spot.left == 1 and model.early and TESTED[model.early](spot):
            return self._evaluate(node), None
        if not model.memory:
            return self._inner(node, spot, window)
        key = MEMORIES[model.memory](node, spot)
        if key not in self._stored:
            self._stored[key] = self._inner(node, spot, window)
        return self._stored[key]

    def _inner(self, node: TreeNode, spot: Spot, window: Window) -> ValueAndAction:
        """The value and the action of a node by the rule of its layer."""
        model = self.model
        indexes = list(range(len(node.actions)))
        if model.skips:
            indexes = SKIPS[model.skips](node, spot, indexes)
        if model.order != "given":
            indexes = ORDERS[model.order](node, indexes)
        if model.makes == "all first" or model.order == "best evaluation first":
            self._make_all(node, indexes)
        rule = self._rule(spot)
        if rule not in ("max", "min"):
            return self._combine(node, spot, indexes, RULES[rule].value, window)
        if model.one_best:
            return self._share(node, spot, indexes, rule == "max")
        value, action = self._choose(node, spot, indexes, rule == "max", window)
        return value, None if spot.layer is CHANCE else action

    # Ends, rules and successors

    def _evaluate(self, node: TreeNode) -> float:
        return EVALUATES[self.model.evaluates](node, self.tree)

    def _end(self, node: TreeNode, spot: Spot) -> float:
        """What a terminal node is worth."""
        how = self.model.ends
        if how == "evaluated":
            return self._evaluate(node)
        if how == "searched":
            return self._start(node, self._rule(spot) == "max")
        return ENDS[how](node)

    def _start(self, node: TreeNode, is_max: bool) -> float:
        """The first best value of a node that chooses."""
        if self.model.starts_from_evaluation:
            return self._evaluate(node)
        return self.model.max_start if is_max else self.model.min_start

    def _rule(self, spot: Spot) -> str:
        """The rule that the search applies at a node."""
        for layer, is_here, rule in self._deciders:
            if layer is spot.layer and is_here(spot):
                return rule
        return "mean" if spot.layer is CHANCE else "max" if spot.layer is MAX else "min"

    def _make(self, node: TreeNode, index: int) -> TreeNode:
        """The successor by an action. The search generates it now."""
        if len(self.generated) >= self.most:
            raise TooManySimulated
        child = node.child(index)
        self.generated.append(child.number)
        return child

    def _make_all(self, node: TreeNode, indexes: Sequence[int]) -> None:
        for index in indexes:
            self._make(node, index)

    def _follow(self, node: TreeNode, index: int, spot: Spot, window: Window) -> tuple[float, str | None, TreeNode]:
        """The value and the action of the child by an action, and the child."""
        model = self.model
        if index >= len(node.actions):
            raise ValueError("illegal action")
        if model.searches_only:
            index = 0 if model.searches_only == "first" else len(node.actions) - 1
        is_made = model.makes in ("all first", "also at the horizon") or model.order == "best evaluation first"
        for _ in range(model.searches):
            child = node.child(index) if is_made else self._make(node, index)
            below = spot.below(child, spot.left - SPENDS[model.spends](spot, child))
            value, action = self._visit(child, below, window)
        self.values[child.number] = value
        if model.makes == "twice":
            self._make(node, index)
        return value, action, child

    # The value of a node from its children

    def _combine(
        self, node: TreeNode, spot: Spot, indexes: Sequence[int], rule: Callable[[Children], float], window: Window
    ) -> ValueAndAction:
        """The value of a node by a rule that needs all children."""
        model, here = self.model, node
        chances = node.probabilities or (1 / len(node.actions),) * len(node.actions)
        values: list[float] = []
        total = 0.0
        for index in indexes:
            value, _, child = self._follow(here, index, spot, window if model.through_chance else OPEN)
            here = child if model.overwrites else node
            values.append(value)
            total += chances[index] * value
            if model.chance_stops and spot.layer is CHANCE and total <= window[0]:
                return total, None
        if not values:
            raise ValueError("no actions")
        weights = [chances[index] for index in indexes]
        each = Children(values, weights, len(self.tree.root.actions), lambda: self._evaluate(node))
        if spot.layer is CHANCE:
            return rule(each), node.actions[indexes[0]] if model.acts_at_chance else None
        chosen = max if spot.layer is MAX else min
        loop = _Loop(node, spot, spot.layer is MAX, 0, 0, OPEN)
        loop.chosen = indexes[chosen(range(len(values)), key=values.__getitem__)]
        return rule(each), self._action(loop, indexes)

    def _share(self, node: TreeNode, spot: Spot, indexes: Sequence[int], is_max: bool) -> ValueAndAction:
        """The value and the action of a node whose best line every node below it overwrites."""
        self._one_best = None
        for index in indexes:
            value, _, _ = self._follow(node, index, spot, OPEN)
            if self._one_best is None or (value > self._one_best[0] if is_max else value < self._one_best[0]):
                self._one_best = value, node.actions[index]
        assert self._one_best is not None
        return self._one_best

    def _choose(
        self, node: TreeNode, spot: Spot, indexes: Sequence[int], is_max: bool, window: Window
    ) -> ValueAndAction:
        """The value and the action of a node that chooses a child; cuts if the model does."""
        model = self.model
        if model.window_shared and spot.depth:
            window = self._window
        start = self._start(node, is_max)
        best = self._best.setdefault(is_max, start) if model.shares_best else start
        loop = _Loop(node, spot, is_max, start, best, self._enters[is_max](window, OPEN))
        self._window = loop.window
        here, value = node, best
        for place, index in enumerate(indexes):
            value, action, child = self._follow(here, index, spot, self._passes[is_max](loop.window, loop.own))
            here = child if model.overwrites else node
            if not spot.depth:
                self._root_values[node.actions[index]] = value
            before = self._window if model.window_shared else loop.window
            self._compare(loop, index, value, action, before)
            if model.enough is not None and spot.layer is MAX and value > model.enough:
                indexes = indexes[: place + 1]
                break
            if self._cuts[is_max](is_max, loop.best, before, loop.window):
                indexes = indexes[: place + 1]
                loop.best = self._value_after_cut(loop, before)
                break
        else:
            if model.hard:
                loop.best = max(loop.best, loop.window[0]) if is_max else min(loop.best, loop.window[1])
        if model.returns_last and TESTED[model.returns_last](spot):
            loop.best = value
        return loop.best, self._action(loop, indexes)

    def _compare(self, loop: _Loop, index: int, value: float, action: str | None, before: Window) -> None:
        """Takes the value of a child into account: as the best one so far, and in the window."""
        if self.model.shares_best:
            loop.best = self._best[loop.is_max]
        if self._is_better(loop, index, value):
            loop.best, loop.chosen, loop.below = value, index, action
            self._written = loop.node.actions[index]
            self._best[loop.is_max] = value
        update = self._updates[loop.is_max]
        self._window = loop.window = update(loop.is_max, value, loop.best, *before)
        loop.own = update(loop.is_max, value, loop.best, *loop.own)

    def _is_better(self, loop: _Loop, index: int, value: float) -> bool:
        """True if the value of a child replaces the best one so far."""
        model, names = self.model, loop.node.actions
        one: Any = value
        other: Any = loop.best
        if loop.chosen is None:
            if model.compares != "numbers" or (value == loop.start and abs(value) == inf):
                return True
        elif model.zero_is_none and loop.best == 0 and loop.spot.layer is MAX:
            return True
        elif model.compares == "names":
            one, other = names[index], names[loop.chosen]
        elif model.compares != "numbers":
            convert: Callable[[float], Any] = str if model.compares == "text" else abs
            one, other = convert(value), convert(loop.best)
        return bool(one > other if loop.is_max else one < other) or (one == other and model.ties == "last")

    def _value_after_cut(self, loop: _Loop, before: Window) -> float:
        """What a node returns that is cut off. `before` is the window before the last child."""
        if self.model.cut_returns == "zero":
            return 0.0
        if self.model.cut_returns == "own bound":
            return before[0] if loop.is_max else before[1]
        return loop.window[loop.is_max] if self.model.hard else loop.best

    def _action(self, loop: _Loop, indexes: Sequence[int]) -> str | None:
        """The action that a node returns. It tried `indexes`."""
        node, how = loop.node, self.model.action
        if how == "last written":
            return self._written
        if how == "none" or (how == "none at min" and node.layer is MIN):
            return None
        if how == "child":
            return loop.below
        if how in ("first", "last"):
            return node.actions[indexes[0 if how == "first" else -1]]
        if how == "largest" and node is self.tree.root and self._root_values:
            return max(self._root_values, key=self._root_values.__getitem__)
        if how == "by evaluation":
            sign = 1 if node.layer is MAX else -1
            return node.actions[max(indexes, key=lambda index: sign * self._evaluate(node.child(index)))]
        return None if loop.chosen is None else node.actions[loop.chosen]


def simulate(model: SearchModel, tree: ModelTree, most: int) -> SimulatedResult:
    """The result of a search that does what `model` says. TooManySimulated above `most` generated successors."""
    return Simulation(model, tree, most).result()
