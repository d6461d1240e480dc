"""Runs a simulated search on a small tree: the right search, and everything that a `SearchModel` changes in it.

Mistakes that change the loop over the actions, or keep something from node to node, are in `unusual_simulation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from autograder.judge.examination.model_tree import CHANCE, MAX, MIN, PLACES, ModelTree, Spot, TreeNode
from autograder.judge.examination.rules import CHOOSERS, RULES, UNSEARCHED, Children
from autograder.judge.examination.search_model import (
    CUT_TESTS,
    ENDS,
    EVALUATES,
    HORIZONS,
    MISSED,
    PASSES,
    SKIPS,
    SPENDS,
    TESTED,
    UPDATES,
    SearchModel,
    Window,
    plain_evaluation,
)

BEST_FIRST = "best evaluation first"
OPEN: Window = (-inf, inf)
"""The window that contains every value."""
ValueAndAction = tuple[float, str | None]


class TooManySuccessors(Exception):
    """Raised by a simulated search that generates more successors than it may."""


class Result(NamedTuple):
    """What a search returns, and the numbers of the nodes that it generated, in order.

    `error` is the name of the exception that the search raises; empty if it returns.
    """

    value: float
    action: str | None
    generated: tuple[int, ...]
    error: str = ""
    ties: tuple[str, ...] = ()
    """The actions of the root that are as good as the returned one."""


class Simulation:
    """One run of a simulated search.

    Afterwards `windows` has the window with which it first entered each node, and `values` the value with which it left
    each node, in the order in which it left them. With `has_windows` false the search never cuts, so that nobody can
    know its windows.
    """

    def __init__(self, model: SearchModel, tree: ModelTree, most: int) -> None:
        self.model, self.tree, self.most = model, tree, most
        self.windows: dict[int, Window] = {}
        self.values: dict[int, float] = {}
        self.generated: list[int] = []
        self.root_values: dict[str, float] = {}
        """The values of the actions at a root that chooses one."""
        self._spends = None if model.spends == "every move" else SPENDS[model.spends]
        self._is_tested = TESTED[model.tested]
        self._is_early = TESTED[model.early] if model.early else None
        self._evaluate = EVALUATES.get(model.evaluates, self._best_successor)
        self._ends_first = model.ends_first and model.ends != "evaluated"
        self._deciders = [(decider.layer, PLACES[decider.place], decider.rule) for decider in model.deciders]
        self._is_made_before = model.makes in ("all first", "also at the horizon") or model.order == BEST_FIRST
        self._has_usual_order = not model.skips and model.order == "given"
        self._has_usual_turns = model.root_turn == 1 and not model.overwrites
        self.has_windows = bool(model.cuts or model.cuts_max or model.cuts_min or model.hard or model.chance_stops)
        self._never_cuts = TESTED[model.uncut] if model.uncut else None
        self._cuts = (CUT_TESTS[model.cuts_min or model.cuts], CUT_TESTS[model.cuts_max or model.cuts])
        self._updates = (UPDATES[model.updates_min], UPDATES[model.updates_max])
        self._enters = (PASSES[model.enters_min], PASSES[model.enters_max])
        self._passes = (PASSES[model.passes_min], PASSES[model.passes_max])

    def result(self) -> Result:
        """The result of the whole search."""
        tree, model = self.tree, self.model
        root = tree.root
        left = HORIZONS[model.horizon](tree)
        turn = 0 if root.layer is MAX else model.root_turn
        spot = Spot(root.layer, 0, left, None, 1, turn, 0, tree.round_length, root.layer, len(root.actions))
        alpha = -model.window if model.window_alpha is None else model.window_alpha
        beta = model.window if model.window_beta is None else model.window_beta
        try:
            value, action = self._searched(spot, alpha, beta)
        except (ValueError, TypeError, ArithmeticError, IndexError, RecursionError) as error:
            return Result(0.0, None, tuple(self.generated), type(error).__name__)
        ties = tuple(name for name, each in self.root_values.items() if each == value)
        return Result(value, action, tuple(self.generated), "", ties)

    def _searched(self, spot: Spot, alpha: float, beta: float) -> ValueAndAction:
        """The value and the action of the root."""
        return self._visit(self.tree.root, spot, alpha, beta)

    def _visit(self, node: TreeNode, spot: Spot, alpha: float, beta: float) -> ValueAndAction:
        """The value and the action of a node: its evaluation at the end of the game and at the horizon."""
        model = self.model
        if node.number not in self.windows:
            self.windows[node.number] = (alpha, beta)
        if model.makes == "also at the horizon" and not node.is_terminal:
            self._make_all(node, range(len(node.actions)))
        if self._ends_first and node.is_terminal:
            return self._end(node, spot), None
        if (spot.left <= 0 if model.stops_at is None else spot.left == model.stops_at) and self._is_tested(spot):
            return self._evaluate(node, self.tree), None
        if node.is_terminal:
            return self._end(node, spot), None
        return self._expand(node, spot, alpha, beta)

    def _expand(self, node: TreeNode, spot: Spot, alpha: float, beta: float) -> ValueAndAction:
        """The value and the action of a node that is neither an end nor at the horizon."""
        if self._is_early is not None and spot.left == 1 and self._is_early(spot):
            return self._evaluate(node, self.tree), None
        return self._inner(node, spot, self._indexes(node, spot), alpha, beta)

    def _inner(self, node: TreeNode, spot: Spot, indexes: Sequence[int], alpha: float, beta: float) -> ValueAndAction:
        """The value and the action of a node by the rule of its layer."""
        if self.model.makes == "all first" or self.model.order == BEST_FIRST:
            self._make_all(node, indexes)
        rule = self._rule(spot)
        if rule in CHOOSERS:
            return self._choose(node, spot, indexes, rule, alpha, beta)
        if rule == "most likely only":
            index = max(indexes, key=lambda index: node.probabilities[index] if node.probabilities else 0)
            return self._follow(node, index, spot, (alpha, beta))[0], None
        if rule == "greedy":
            return self._greedy(node, spot, indexes, (alpha, beta))
        return self._average(node, spot, indexes, rule, alpha, beta)

    # Ends, rules and successors

    def _end(self, node: TreeNode, spot: Spot) -> float:
        """What a terminal node is worth."""
        model = self.model
        if model.ends == "evaluated" or (model.ends_missed and not MISSED[model.ends_missed](node, spot)):
            return self._evaluate(node, self.tree)
        if model.ends != "searched":
            return ENDS[model.ends](node)
        if model.by_agent and spot.agent and spot.parent is CHANCE:
            return 0.0
        if model.by_agent:
            return model.min_start if spot.agent else model.max_start
        return model.max_start if self._rule(spot) == "max" else model.min_start

    def _best_successor(self, node: TreeNode, tree: ModelTree) -> float:
        """The best evaluation of a successor, for a search that looks one ply further at the horizon."""
        if node.is_terminal:
            return plain_evaluation(node, tree)
        values = [plain_evaluation(self._make(node, index), tree) for index in range(len(node.actions))]
        worst = self.model.evaluates == "best successor for the mover" and node.layer is not MAX
        return min(values) if worst else max(values)

    def _rule(self, spot: Spot) -> str:
        """The rule that the search applies at a node."""
        for layer, is_here, rule in self._deciders:
            if layer is spot.layer and is_here(spot):
                return rule
        return "mean" if spot.layer is CHANCE else "max" if spot.layer is MAX else "min"

    def _make(self, node: TreeNode, index: int) -> TreeNode:
        """The successor by an action. The search generates it now."""
        if len(self.generated) >= self.most:
            raise TooManySuccessors
        child = node.child(index)
        self.generated.append(child.number)
        return child

    def _make_all(self, node: TreeNode, indexes: Sequence[int]) -> None:
        for index in indexes:
            self._make(node, index)

    def _follow(self, node: TreeNode, index: int, spot: Spot, window: Window) -> tuple[float, str | None, TreeNode]:
        """The value and the action of the child by an action, and the child."""
        child = node.child(index) if self._is_made_before else self._make(node, index)
        left = spot.left - (1 if self._spends is None else self._spends(spot, child))
        below = child.spots.get(left) if self._has_usual_turns else None
        if below is None:
            below = spot.below(child, left)
            if self._has_usual_turns:
                child.spots[left] = below
        value, action = self._visit(child, below, *window)
        self.values[child.number] = value
        if self.model.discount != 1:
            value *= self.model.discount
        return value + self.model.per_ply, action, child

    def _indexes(self, node: TreeNode, spot: Spot) -> Sequence[int]:
        """The indexes of the actions that the search tries, in its order."""
        if self._has_usual_order:
            return node.indexes
        indexes = list(node.indexes)
        if self.model.skips:
            indexes = SKIPS[self.model.skips](node, spot, indexes)
        order = self.model.order
        if order == "reversed":
            indexes.reverse()
        elif order == "by name":
            indexes.sort(key=lambda index: node.actions[index])
        elif order == BEST_FIRST:
            sign = 1 if spot.layer is MIN else -1
            indexes.sort(key=lambda index: sign * plain_evaluation(node.child(index), self.tree))
        return indexes

    # The value of a node from its children

    def _average(
        self, node: TreeNode, spot: Spot, indexes: Sequence[int], rule: str, alpha: float, beta: float
    ) -> ValueAndAction:
        """The value of a node by a rule that needs all children."""
        window = (alpha, beta) if self.model.through_chance else OPEN
        if rule in UNSEARCHED:
            values = [self._evaluate(self._make(node, index), self.tree) for index in indexes]
        else:
            values = [self._follow(node, index, spot, window)[0] for index in indexes]
        return self._combined(node, spot, indexes, rule, values)

    def _combined(
        self, node: TreeNode, spot: Spot, indexes: Sequence[int], rule: str, values: list[float]
    ) -> ValueAndAction:
        """The value of a node from the values of all its children."""
        if not values:
            raise ValueError("no actions")
        chances = node.probabilities or (1 / len(node.actions),) * len(node.actions)
        if len(indexes) != len(chances) or self.model.order != "given":
            chances = tuple(chances[index] for index in indexes)
        tree = self.tree
        children = Children(
            values, chances, len(tree.root.actions), tree.round_length, values, lambda: self._evaluate(node, tree)
        )
        value = RULES[rule](children)
        if spot.layer is CHANCE:
            return value, self._chance_action(node, indexes, values)
        chosen = max if spot.layer is MAX else min
        return value, self._action(node, indexes, chosen(range(len(values)), key=values.__getitem__), None)

    def _chance_action(self, node: TreeNode, indexes: Sequence[int], values: list[float]) -> str | None:
        """The action of a CHANCE node."""
        how = self.model.chance_action
        if not how:
            return None
        places = range(len(indexes))
        if how in ("first", "last"):
            place = 0 if how == "first" else -1
        elif how == "most likely":
            place = max(places, key=lambda place: node.probabilities[indexes[place]])
        else:
            place = (max if how == "best" else min)(places, key=values.__getitem__)
        return node.actions[indexes[place]]

    def _greedy(self, node: TreeNode, spot: Spot, indexes: Sequence[int], window: Window) -> ValueAndAction:
        """The value and the action of a node that chooses by evaluation, and searches only the chosen child."""
        sign = -1 if spot.layer is MIN else 1
        values = [sign * self._evaluate(self._make(node, index), self.tree) for index in indexes]
        index = indexes[values.index(max(values))]
        return self._follow(node, index, spot, window)[0], node.actions[index]

    def _choose(
        self, node: TreeNode, spot: Spot, indexes: Sequence[int], rule: str, alpha: float, beta: float
    ) -> ValueAndAction:
        """The value and the action of a node that chooses a child; cuts if the model does."""
        model = self.model
        picks_max = rule.endswith("max")
        is_max = spot.layer is MAX if rule.startswith("picks") else picks_max
        start = best = self._start(spot, picks_max)
        equal_wins = (model.ties_max if picks_max else model.ties_min) == "last"
        equal_wins_at_first = equal_wins or (model.is_first_better and abs(start) == inf)
        has_windows, window = self.has_windows, OPEN
        if has_windows:
            alpha, beta = self._enters[is_max](alpha, beta, -inf, inf)
            own_alpha, own_beta = OPEN
            passes = PASSES[model.passes_root] if model.passes_root and not spot.depth else self._passes[is_max]
            update = UPDATES[model.updates_root] if model.updates_root and not spot.depth else self._updates[is_max]
            is_cut = self._cuts[is_max]
            can_cut = self._never_cuts is None or not self._never_cuts(spot)
        chosen, below = None, None
        for place, index in enumerate(indexes):
            if has_windows:
                window = passes(alpha, beta, own_alpha, own_beta)
            value, action, _ = self._follow(node, index, spot, window)
            if not spot.depth:
                self.root_values[node.actions[index]] = value
            if (value > best if picks_max else value < best) or (
                value == best and (equal_wins_at_first if chosen is None else equal_wins)
            ):
                best, chosen, below = value, place, action
            if not has_windows:
                continue
            old_alpha, old_beta = alpha, beta
            alpha, beta = update(is_max, value, best, alpha, beta)
            own_alpha, own_beta = update(is_max, value, best, own_alpha, own_beta)
            if can_cut and is_cut(is_max, best, old_alpha, old_beta, alpha, beta):
                indexes = indexes[: place + 1]
                if model.hard:
                    best = beta if is_max else alpha
                break
        else:
            if model.hard:
                best = max(best, alpha) if is_max else min(best, beta)
        if spot.layer is CHANCE and not model.acts_at_chance:
            return best, None
        return best, self._action(node, indexes, chosen, below)

    def _start(self, spot: Spot, picks_max: bool) -> float:
        """What a node that chooses takes as its first best value."""
        if self.model.root_start is not None and not spot.depth:
            return self.model.root_start
        return self.model.max_start if picks_max else self.model.min_start

    def _action(self, node: TreeNode, indexes: Sequence[int], best: int | None, below: str | None) -> str | None:
        """The action that a node returns. It tried `indexes`, and `best` is the place of its best child in them."""
        how = self.model.action
        if how == "none" or (how == "none at min" and node.layer is MIN):
            return None
        if how == "child":
            return below
        if how in ("first", "last"):
            return node.actions[indexes[0 if how == "first" else -1]]
        if how == "largest" and node is self.tree.root and self.root_values:
            return max(self.root_values, key=self.root_values.__getitem__)
        if how == "by evaluation":
            sign = 1 if node.layer is MAX else -1
            return node.actions[max(indexes, key=lambda index: sign * self._evaluate(node.child(index), self.tree))]
        if best is not None:
            return node.actions[indexes[best]]
        default = self.model.default_action if how == "own" else ""
        return node.actions[indexes[0]] if default == "first" else default or None
