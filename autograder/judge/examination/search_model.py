"""A simulated search: right by default, and wrong in exactly the ways that its model says.

A `SearchModel` is a hypothesis about a student's search. The examination says a sentence about a search only if the
model that the sentence describes foretells every answer of that search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, trunc
from typing import Any, Literal, NamedTuple

from autograder.judge.examination.model_tree import CHANCE, MAX, MIN, PLACES, ModelTree, Place, Spot, TreeNode
from autograder.judge.examination.rules import CHOOSERS, RULES, UNSEARCHED, Children
from pacman.core.layers import Layer

Window = tuple[float, float]


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


class Decider(NamedTuple):
    """At the nodes of `layer` in `place` (see PLACES), the search applies `rule` instead of the right one."""

    layer: Layer
    place: str
    rule: str


@dataclass(frozen=True)
class SearchModel:
    """What a search does. The defaults are right; a question sets `cuts` for alpha-beta."""

    # The horizon.
    horizon: str = "plies"
    """How the number of plies is computed at the root: a name in HORIZONS."""
    spends: str = "every move"
    """Which moves use up one of the plies left: a name in SPENDS."""
    tested: str = "every node"
    """At which nodes the search tests that no plies are left: a name in TESTED."""
    stops_at: float | None = None
    """Stops only where exactly this number of plies is left, and goes on below it."""
    early: str = ""
    """At which nodes the search stops with one ply left: a name in TESTED, or empty for none."""

    # Ends and evaluations.
    ends: str = "evaluated"
    """What a terminal node before the horizon is worth: a name in ENDS."""
    evaluates: str = "node"
    """What the search evaluates: a name in EVALUATES."""
    ends_missed: str = ""
    """Which ends the search does not notice: a name in MISSED; empty for all of them, if `ends` is not "evaluated"."""
    by_agent: bool = False
    """Takes the agent from the number of plies since the root, also at the end of a game."""
    ends_first: bool = False
    """Tests for the end of the game before it tests whether plies are left."""
    drift: str = ""
    """How plies that are left go wrong on the way: "siblings" (each child gets one ply less than the child before it),
    "shared" (all nodes count down one number), or empty."""
    discount: float = 1
    """Each ply multiplies the value of a child by this number, and then adds `per_ply`."""
    per_ply: float = 0

    # Who decides, and how.
    deciders: tuple[Decider, ...] = ()
    root_start: float | None = None
    """What the root alone starts from."""
    root_turn: int = 1
    """The turn at a root that is no MAX node."""
    max_start: float = -inf
    min_start: float = inf
    starts_from: Literal["number", "own evaluation", "first evaluation"] = "number"
    is_first_better: bool = True
    """The first child replaces the start value also if it equals it."""
    ties_max: Literal["first", "last"] = "first"
    ties_min: Literal["first", "last"] = "first"
    action: str = "own"
    """Which action a node returns: own, child, first, last, none, worst, second or by evaluation."""
    returns_last: str = ""
    """Nodes that return the last child's value, whatever the best value is: a name in TESTED, or empty for none."""
    acts_at_chance: bool = False
    """CHANCE nodes return an action too if their rule chooses one."""
    compares: Literal["numbers", "text", "absolute", "names"] = "numbers"
    """How children are compared: by value as numbers, as text or without the sign, or by the names of their actions."""
    compares_at: str = "every node"
    """Where they are compared like that: a name in TESTED."""
    shares_best: str = ""
    """Which nodes share one best value in the whole search: a name in TESTED, or empty for none."""
    skips: str = ""
    """Which actions the search leaves out: a name in SKIPS, or empty for none."""
    ignores_ends: str = ""
    """Nodes that generate a terminal child and then leave it out: a name in TESTED, or empty for none."""
    default_action: Literal["", "first", "Stop"] = ""
    """What a node returns if no child was better than its start value."""
    one_best: bool = False
    """All nodes share one variable for the best line; each node sets it back at its start."""
    adds_evaluation: bool = False
    """Every inner node adds its own evaluation to its value."""
    enough: float | None = None
    """A MAX node stops at the first value above this number."""
    chance_stops: Literal["", "equal", "strict"] = ""
    """A CHANCE node stops when its sum so far is below alpha."""
    deepens: bool = False
    """Searches 1 ply deep, then 2, and so on."""

    # Windows.
    cuts: Literal["", "equal", "strict"] = ""
    """"equal" cuts when alpha == beta, "strict" only when alpha > beta, "" never."""
    cuts_max: str = ""
    """How MAX nodes test for a cut, if not by `cuts`: a name in CUT_TESTS."""
    cuts_min: str = ""
    updates_max: str = "own"
    """Which bound a MAX node changes: a name in UPDATES."""
    updates_min: str = "own"
    enters_max: str = "both"
    """Which bounds a MAX node uses of those that it gets: a name in PASSES."""
    enters_min: str = "both"
    passes_max: str = "both"
    """Which bounds a MAX node passes down: a name in PASSES."""
    passes_min: str = "both"
    passes_root: str = ""
    """The same for the root alone; empty: as its layer."""
    uncut: str = ""
    """Nodes that never cut: a name in TESTED."""
    through_chance: bool = False
    window_shared: bool = False
    """All nodes share one window, which no node sets back."""
    window: float = inf
    window_alpha: float | None = None
    window_beta: float | None = None
    hard: bool = False
    """Returns values inside the window only (fail-hard)."""
    cut_returns: Literal["best", "bound", "other bound", "other bound at max", "other bound at min", "zero"] = "best"

    # Memory and successors.
    memory: str = ""
    """Under which key the search stores values: a name in MEMORIES, "visited", or empty."""
    makes: Literal["when needed", "one ahead", "all first", "also at the horizon", "twice"] = "when needed"
    searches: int = 1
    best_again: bool = False
    resets_at_same_layer: bool = False
    """A node gives a child of its own layer the window (-inf, inf)."""
    searches_only: Literal["", "first", "last"] = ""
    """Whatever action the loop tries, the search follows this one."""
    overwrites: bool = False
    order: str = "given"
    """In which order the search tries the actions: given, reversed, by name, or best evaluation first."""


HORIZONS: dict[str, Callable[[ModelTree], float]] = {
    "plies": lambda tree: tree.plies,
    "plies - 1": lambda tree: tree.plies - 1,
    "plies + 1": lambda tree: tree.plies + 1,
    "plies - 2": lambda tree: tree.plies - 2,
    "plies + 2": lambda tree: tree.plies + 2,
    "plies * 2": lambda tree: 2 * tree.plies,
    "plies // 2": lambda tree: tree.plies // 2,
    "plies - 1, at least 1": lambda tree: max(1, tree.plies - 1),
    "a round less": lambda tree: tree.plies - tree.round_length,
    "a round more": lambda tree: tree.plies + tree.round_length,
    "rounds of one ply less": lambda tree: -(-tree.plies // tree.round_length) * (tree.round_length - 1),
    "rounds": lambda tree: -(-tree.plies // tree.round_length),
    "rounds - 1": lambda tree: -(-tree.plies // tree.round_length) - 1,
    "rounds + 1": lambda tree: -(-tree.plies // tree.round_length) + 1,
    "rounds of 2 plies": lambda tree: -(-tree.plies // tree.round_length) * 2,
    "rounds of 3 plies": lambda tree: -(-tree.plies // tree.round_length) * 3,
    "own rounds": lambda tree: tree.own_rounds,
    "own rounds of 2 plies": lambda tree: 2 * tree.own_rounds,
    "own rounds whole": lambda tree: tree.own_rounds * tree.round_length,
    "no limit": lambda tree: inf,
    "1 ply": lambda tree: 1,
    "2 plies": lambda tree: 2,
    "3 plies": lambda tree: 3,
    "4 plies": lambda tree: 4,
    "one round": lambda tree: tree.round_length,
}
SPENDS: dict[str, Callable[[Spot, TreeNode], int]] = {
    "every move": lambda spot, child: 1,
    "end of a round": lambda spot, child: int((child.layer is MAX and not child.is_terminal) or spot.ends_round),
    "moves to max": lambda spot, child: int(child.layer is MAX),
    "ghosts' moves": lambda spot, child: int(spot.layer is not MAX),
    "max moves": lambda spot, child: int(spot.layer is MAX),
    "all but min moves": lambda spot, child: int(spot.layer is not MIN),
    "all but chance moves": lambda spot, child: int(spot.layer is not CHANCE),
    "max moves twice": lambda spot, child: 1 + (spot.layer is MAX),
    "min moves twice": lambda spot, child: 1 + (spot.layer is MIN),
    "chance moves twice": lambda spot, child: 1 + (spot.layer is CHANCE),
    "last moves twice": lambda spot, child: 1 + spot.ends_round,
    "every move twice": lambda spot, child: 2,
    "all but the root": lambda spot, child: int(spot.depth > 0),
    "the root twice": lambda spot, child: 1 + (spot.depth == 0),
    "all but later ghosts": lambda spot, child: int(spot.turn < 2),
    "all but the first ghost": lambda spot, child: int(spot.turn != 1),
    "all but the last ghost": lambda spot, child: int(not (spot.turn > 0 and spot.ends_round)),
    "max moves and ends of rounds": lambda spot, child: (spot.layer is MAX) + spot.ends_round,
    "all but moves below the same layer": lambda spot, child: int(spot.run < 2),
    "all but single actions": lambda spot, child: int(spot.width > 1),
    "all but single outcomes": lambda spot, child: int(spot.width > 1 or spot.layer is not CHANCE),
    "the root and ends of rounds": lambda spot, child: (spot.depth == 0) + spot.ends_round,
    "ends of short rounds": lambda spot, child: int((spot.depth + 1) % max(1, spot.round_length - 1) == 0),
    "every second move": lambda spot, child: spot.depth % 2,
    "no move": lambda spot, child: 0,
}
TESTED: dict[str, Place] = {
    "every node": lambda spot: True,
    "max nodes": lambda spot: spot.layer is MAX,
    "all but max nodes": lambda spot: spot.layer is not MAX,
    "min nodes": lambda spot: spot.layer is MIN,
    "all but min nodes": lambda spot: spot.layer is not MIN,
    "chance nodes": lambda spot: spot.layer is CHANCE,
    "all but chance nodes": lambda spot: spot.layer is not CHANCE,
    "first ghosts": lambda spot: spot.turn == 1,
    "all but first ghosts": lambda spot: spot.turn != 1,
    "last ghosts": lambda spot: spot.turn > 0 and spot.ends_round,
    "all but last ghosts": lambda spot: not (spot.turn > 0 and spot.ends_round),
    "the root": lambda spot: spot.depth == 0,
    "nodes above the horizon": lambda spot: spot.left == 1,
    "all but the root": lambda spot: spot.depth > 0,
}


def _no_actions(node: TreeNode) -> float:
    raise ValueError("a terminal node has no actions")


ENDS: dict[str, Callable[[TreeNode], float]] = {
    "zero": lambda node: 0.0,
    "score": lambda node: node.node.score,
    "infinite": lambda node: inf if node.node.score > 0 else -inf,
    "infinite from zero": lambda node: inf if node.node.score >= 0 else -inf,
    "one": lambda node: float((node.node.score > 0) - (node.node.score < 0)),
    "large": lambda node: 1000.0 if node.node.score >= 0 else -1000.0,
    "raised": _no_actions,
}


MISSED: dict[str, Callable[[TreeNode, Spot], bool]] = {
    "max's": lambda node, spot: spot.agent == 0,
    "ghosts'": lambda node, spot: spot.agent != 0,
    "losses": lambda node, spot: node.node.score < 0,
    "wins": lambda node, spot: node.node.score >= 0,
}


def _mover_sign(node: TreeNode, tree: ModelTree) -> float:
    return _plain(node, tree) * (1 if node.layer is MAX else -1)


def _plain(node: TreeNode, tree: ModelTree) -> float:
    return node.node.score + tree.shift


EVALUATES: dict[str, Callable[[TreeNode, ModelTree], float]] = {
    "node": _plain,
    "score": lambda node, tree: node.node.score,
    "root": lambda node, tree: _plain(tree.root, tree),
    "for the mover": _mover_sign,
    "minus": lambda node, tree: -_plain(node, tree),
    "parent": lambda node, tree: _plain(node.parent or node, tree),
    "parent unless the game is over": lambda node, tree: _plain(
        node if node.is_terminal else node.parent or node, tree
    ),
    "absolute": lambda node, tree: abs(_plain(node, tree)),
    "whole": lambda node, tree: trunc(_plain(node, tree)),
    "zero": lambda node, tree: 0.0,
}


def _in(place: str, keep: Callable[[list[int]], list[int]]) -> Callable[[TreeNode, Spot, list[int]], list[int]]:
    """The actions that are left where `keep` applies in `place` only."""
    return lambda node, spot, indexes: (keep(indexes) or indexes) if TESTED[place](spot) else indexes


def _rare(limit: float) -> Callable[[TreeNode, Spot, list[int]], list[int]]:
    """The outcomes that are at least as likely as `limit`."""
    return lambda node, spot, indexes: [i for i in indexes if not node.probabilities or node.probabilities[i] >= limit]


def _last_of_each_probability(node: TreeNode, spot: Spot, indexes: list[int]) -> list[int]:
    """The last outcome of each probability, where the first of them stood."""
    if not node.probabilities:
        return indexes
    return list({node.probabilities[index]: index for index in indexes}.values())


SKIPS: dict[str, Callable[[TreeNode, Spot, list[int]], list[int]]] = {
    "stop": lambda node, spot, indexes: [i for i in indexes if node.actions[i] != "Stop"],
    "stop beside others": lambda node, spot, indexes: [i for i in indexes if node.actions[i] != "Stop"] or indexes,
    "max's stop": lambda node, spot, indexes: [
        i for i in indexes if spot.layer is not MAX or node.actions[i] != "Stop"
    ],
    "root's stop": lambda node, spot, indexes: [i for i in indexes if spot.depth or node.actions[i] != "Stop"],
    "first": _in("every node", lambda indexes: indexes[1:]),
    "last": _in("every node", lambda indexes: indexes[:-1]),
    "first of max": _in("max nodes", lambda indexes: indexes[1:]),
    "last of max": _in("max nodes", lambda indexes: indexes[:-1]),
    "first of min": _in("min nodes", lambda indexes: indexes[1:]),
    "last of min": _in("min nodes", lambda indexes: indexes[:-1]),
    "first of chance": _in("chance nodes", lambda indexes: indexes[1:]),
    "last of chance": _in("chance nodes", lambda indexes: indexes[:-1]),
    "all but first": _in("every node", lambda indexes: indexes[:1]),
    "all but first of max": _in("max nodes", lambda indexes: indexes[:1]),
    "all but first of min": _in("min nodes", lambda indexes: indexes[:1]),
    "all but first of chance": _in("chance nodes", lambda indexes: indexes[:1]),
    "all but first below the root": _in("all but the root", lambda indexes: indexes[:1]),
    "all but first of later ghosts": lambda node, spot, indexes: indexes[:1] if spot.turn >= 2 else indexes,
    "all but last": _in("every node", lambda indexes: indexes[-1:]),
    "outcomes below 0.1": _rare(0.1),
    "outcomes below 0.2": _rare(0.2),
    "outcomes below 0.25": _rare(0.25),
    "outcomes of equal probability": _last_of_each_probability,
    "impossible outcomes": _rare(1e-12),
    "all but first two": _in("every node", lambda indexes: indexes[:2]),
}
PASSES: dict[str, Callable[[float, float, float, float], Window]] = {
    # alpha and beta now, then the bounds that only this node found
    "both": lambda alpha, beta, own_alpha, own_beta: (alpha, beta),
    "alpha": lambda alpha, beta, own_alpha, own_beta: (alpha, inf),
    "beta": lambda alpha, beta, own_alpha, own_beta: (-inf, beta),
    "neither": lambda alpha, beta, own_alpha, own_beta: (-inf, inf),
    "swapped": lambda alpha, beta, own_alpha, own_beta: (beta, alpha),
    "own": lambda alpha, beta, own_alpha, own_beta: (own_alpha, own_beta),
    "own alpha": lambda alpha, beta, own_alpha, own_beta: (own_alpha, beta),
    "own beta": lambda alpha, beta, own_alpha, own_beta: (alpha, own_beta),
}
UPDATES: dict[str, Callable[[bool, float, float, float, float], Window]] = {
    # is it MAX, value of the child, best value, alpha, beta
    "own": lambda is_max, value, best, alpha, beta: (max(alpha, value), beta) if is_max else (alpha, min(beta, value)),
    "set": lambda is_max, value, best, alpha, beta: (value, beta) if is_max else (alpha, value),
    "set best": lambda is_max, value, best, alpha, beta: (best, beta) if is_max else (alpha, best),
    "other": lambda is_max, value, best, alpha, beta: (
        (alpha, min(beta, value)) if is_max else (max(alpha, value), beta)
    ),
    "other best": lambda is_max, value, best, alpha, beta: (
        (alpha, min(beta, best)) if is_max else (max(alpha, best), beta)
    ),
    "set other": lambda is_max, value, best, alpha, beta: (alpha, value) if is_max else (value, beta),
    "wrong way": lambda is_max, value, best, alpha, beta: (
        (min(alpha, value), beta) if is_max else (alpha, max(beta, value))
    ),
    "nothing": lambda is_max, value, best, alpha, beta: (alpha, beta),
}
CUT_TESTS: dict[str, Callable[[bool, float, float, float, float, float], bool]] = {
    # is it MAX, best value, alpha and beta before this child, alpha and beta after it
    "never": lambda is_max, best, alpha0, beta0, alpha, beta: False,
    "equal": lambda is_max, best, alpha0, beta0, alpha, beta: alpha >= beta,
    "strict": lambda is_max, best, alpha0, beta0, alpha, beta: alpha > beta,
    "value equal": lambda is_max, best, alpha0, beta0, alpha, beta: best >= beta0 if is_max else best <= alpha0,
    "value strict": lambda is_max, best, alpha0, beta0, alpha, beta: best > beta0 if is_max else best < alpha0,
    "own bound": lambda is_max, best, alpha0, beta0, alpha, beta: best >= alpha0 if is_max else best <= beta0,
    "own bound strict": lambda is_max, best, alpha0, beta0, alpha, beta: best > alpha0 if is_max else best < beta0,
    "own bound reversed": lambda is_max, best, alpha0, beta0, alpha, beta: best <= alpha0 if is_max else best >= beta0,
    "own bound reversed strict": lambda is_max, best, alpha0, beta0, alpha, beta: (
        best < alpha0 if is_max else best > beta0
    ),
    "reversed": lambda is_max, best, alpha0, beta0, alpha, beta: best <= beta0 if is_max else best >= alpha0,
    "reversed strict": lambda is_max, best, alpha0, beta0, alpha, beta: best < beta0 if is_max else best > alpha0,
    "window reversed": lambda is_max, best, alpha0, beta0, alpha, beta: alpha <= beta,
    "right or own bound": lambda is_max, best, alpha0, beta0, alpha, beta: (
        alpha >= beta or (best <= alpha0 if is_max else best >= beta0)
    ),
    "margin of 1": lambda is_max, best, alpha0, beta0, alpha, beta: alpha >= beta - 1,
    "always": lambda is_max, best, alpha0, beta0, alpha, beta: True,
}
MEMORIES: dict[str, Callable[[TreeNode, Spot, Window], Any]] = {
    "node": lambda node, spot, window: node.node,
    "node and plies": lambda node, spot, window: (node.node, spot.left),
    "score": lambda node, spot, window: node.node.score,
    "plies": lambda node, spot, window: spot.left,
}


def simulate(model: SearchModel, tree: ModelTree, most: int) -> Result:
    """The result of a search that does what `model` says. TooManySuccessors above `most` generated successors."""
    return Simulation(model, tree, most).result()


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
        self._left: float = 0
        self._window: Window = (-inf, inf)
        self._root_values: dict[str, float] = {}
        self._written: str | None = None
        self._stored: dict[Any, tuple[float, str | None]] = {}
        self._shared: dict[bool, float] = {}
        self._spends = SPENDS[model.spends]
        self._is_tested = TESTED[model.tested]
        self._is_early = TESTED[model.early] if model.early else None
        self._shares = TESTED[model.shares_best] if model.shares_best else None
        self._returns_last = TESTED[model.returns_last] if model.returns_last else None
        self._compares_at = TESTED[model.compares_at]
        self._ignores_ends = TESTED[model.ignores_ends] if model.ignores_ends else None
        self._one_best: tuple[float, str | None] | None = None
        self._never_cuts = TESTED[model.uncut] if model.uncut else None
        self._evaluate = EVALUATES.get(model.evaluates, self._best_successor)
        self._deciders = [(decider.layer, PLACES[decider.place], decider.rule) for decider in model.deciders]
        self._skip = SKIPS[model.skips] if model.skips else None
        self._cuts = {True: CUT_TESTS[model.cuts_max or model.cuts or "never"]}
        self._cuts[False] = CUT_TESTS[model.cuts_min or model.cuts or "never"]
        self._updates = {True: UPDATES[model.updates_max], False: UPDATES[model.updates_min]}
        self._enters = {True: PASSES[model.enters_max], False: PASSES[model.enters_min]}
        self._passes = {True: PASSES[model.passes_max], False: PASSES[model.passes_min]}

    def result(self) -> Result:
        """The result of the whole search."""
        tree, model = self.tree, self.model
        root = tree.root
        left = self._left = HORIZONS[model.horizon](tree)
        spot = Spot(
            root.layer,
            0,
            left,
            None,
            1,
            0 if root.layer is MAX else model.root_turn,
            0,
            tree.round_length,
            root.layer,
            len(root.actions),
        )
        beta = model.window if model.window_beta is None else model.window_beta
        try:
            for depth in range(1, int(left)) if model.deepens else ():
                self._left = depth
                self._visit(root, spot._replace(left=depth), -model.window, beta)
            self._left = left
            alpha = -model.window if model.window_alpha is None else model.window_alpha
            value, action = self._visit(root, spot, alpha, beta)
        except (ValueError, TypeError, ArithmeticError, IndexError, RecursionError) as error:
            return Result(0.0, None, tuple(self.generated), type(error).__name__)
        ties = tuple(name for name, each in self._root_values.items() if each == value)
        return Result(value, action, tuple(self.generated), ties=ties)

    def _visit(self, node: TreeNode, spot: Spot, alpha: float, beta: float) -> tuple[float, str | None]:
        """The value and the action of a node."""
        model = self.model
        if model.memory == "every node":
            key = node.node
            if key not in self._stored:
                self._stored[key] = self._looked(node, spot, alpha, beta)
            return self._stored[key]
        return self._looked(node, spot, alpha, beta)

    def _looked(self, node: TreeNode, spot: Spot, alpha: float, beta: float) -> tuple[float, str | None]:
        """The value and the action of a node that no table of all nodes has."""
        model = self.model
        if node.number not in self.windows:
            self.windows[node.number] = (alpha, beta)
        if model.drift.startswith("shared"):
            spot = spot._replace(left=self._left)
        if model.makes == "also at the horizon" and not node.is_terminal:
            for index in range(len(node.actions)):
                self._make(node, index)
        if node.is_terminal and model.ends_first and model.ends != "evaluated":
            return self._end(node, spot), None
        if (spot.left <= 0 if model.stops_at is None else spot.left == model.stops_at) and self._is_tested(spot):
            return self._evaluate(node, self.tree), None
        if node.is_terminal:
            return self._end(node, spot), None
        if model.drift != "shared rounds" or spot.ends_round:
            self._left -= 1
        if self._is_early is not None and spot.left == 1 and self._is_early(spot):
            return self._evaluate(node, self.tree), None
        if model.memory in ("", "every node"):
            return self._inner(node, spot, alpha, beta)
        if model.memory == "visited":
            if node.node in self._stored:
                return self._evaluate(node, self.tree), None
            self._stored[node.node] = (0.0, None)
            return self._inner(node, spot, alpha, beta)
        key = MEMORIES[model.memory](node, spot, (alpha, beta))
        if key not in self._stored:
            self._stored[key] = self._inner(node, spot, alpha, beta)
        return self._stored[key]

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
            return _plain(node, tree)
        values = [_plain(self._make(node, index), tree) for index in range(len(node.actions))]
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

    def _follow(self, node: TreeNode, index: int, spot: Spot, window: Window) -> tuple[float, str | None, TreeNode]:
        """The value and the action of the child by an action, and the child."""
        model = self.model
        if model.searches_only:
            index = 0 if model.searches_only == "first" else len(node.actions) - 1
        for _ in range(model.searches):
            made = model.makes in ("all first", "also at the horizon") or model.order == "best evaluation first"
            child = node.child(index) if made else self._make(node, index)
            layer = child.layer
            below = Spot(
                layer,
                spot.depth + 1,
                spot.left - self._spends(spot, child),
                spot.layer,
                spot.run + 1 if layer is spot.layer else 1,
                0 if layer is MAX else spot.turn + 1,
                spot.maxes + (spot.layer is MAX),
                spot.round_length,
                spot.root,
                len(child.actions),
            )
            value, action = self._visit(child, below, *window)
            self.values[child.number] = value
        if model.makes == "twice":
            self._make(node, index)
        if model.discount != 1:
            value *= model.discount
        return value + model.per_ply, action, child

    def _indexes(self, node: TreeNode, spot: Spot) -> list[int]:
        """The indexes of the actions that the search tries, in its order."""
        indexes = list(range(len(node.actions)))
        if self._skip is not None:
            indexes = self._skip(node, spot, indexes)
        order = self.model.order
        if order == "reversed":
            indexes.reverse()
        elif order == "by name":
            indexes.sort(key=lambda index: node.actions[index])
        elif order == "best evaluation first":
            sign = 1 if spot.layer is MIN else -1
            indexes.sort(key=lambda index: sign * _plain(node.child(index), self.tree))
        return indexes

    def _inner(self, node: TreeNode, spot: Spot, alpha: float, beta: float) -> tuple[float, str | None]:
        """The value and the action of a node whose children are searched."""
        rule, indexes = self._rule(spot), self._indexes(node, spot)
        if self._ignores_ends is not None and self._ignores_ends(spot):
            ended = [index for index in indexes if node.child(index).is_terminal]
            if len(ended) < len(indexes) or spot.layer is CHANCE:
                for index in ended:
                    self._make(node, index)
                indexes = [index for index in indexes if index not in ended]
                if not indexes:
                    return 0.0, None
        if self.model.makes == "all first" or self.model.order == "best evaluation first":
            for index in indexes:
                self._make(node, index)
        if self.model.adds_evaluation:
            value, action = self._valued(node, spot, indexes, rule, alpha, beta)
            return value + self._evaluate(node, self.tree), action
        return self._valued(node, spot, indexes, rule, alpha, beta)

    def _valued(
        self, node: TreeNode, spot: Spot, indexes: list[int], rule: str, alpha: float, beta: float
    ) -> tuple[float, str | None]:
        """The value and the action by a rule."""
        if rule in CHOOSERS:
            return self._choose(node, spot, indexes, rule, alpha, beta)
        if rule == "most likely only":
            index = max(indexes, key=lambda index: node.probabilities[index] if node.probabilities else 0)
            return self._follow(node, index, spot, (alpha, beta))[0], None
        if rule == "greedy":
            return self._greedy(node, spot, indexes, alpha, beta)
        return self._average(node, spot, indexes, rule, alpha, beta)

    def _average(
        self, node: TreeNode, spot: Spot, indexes: list[int], rule: str, alpha: float, beta: float
    ) -> tuple[float, str | None]:
        """The value of a node by a rule that needs all children."""
        window = (alpha, beta) if self.model.through_chance or self.model.chance_stops else (-inf, inf)
        values: list[float] = []
        total = 0.0
        here = node
        for place, index in enumerate(indexes):
            if index >= len(here.actions):
                raise ValueError("illegal action")
            if rule in UNSEARCHED:
                values.append(self._evaluate(self._make(node, index), self.tree))
                continue
            if place and self._drifts(spot):
                spot = spot._replace(left=spot.left - 1)
            value, _, child = self._follow(here, index, spot, window)
            values.append(value)
            if self.model.overwrites:
                here = child
            if self.model.chance_stops and spot.layer is CHANCE:
                total += node.probabilities[index] * value
                if total < alpha or (total == alpha and self.model.chance_stops == "equal"):
                    return total, None
        if not values:
            raise ValueError("no actions")
        chances = node.probabilities or (1 / len(node.actions),) * len(node.actions)
        probabilities = chances if len(indexes) == len(chances) else tuple(chances[index] for index in indexes)
        if self.model.order != "given":
            probabilities = tuple(chances[index] for index in indexes)
        tree = self.tree
        children = Children(
            values,
            probabilities,
            len(tree.root.actions),
            tree.round_length,
            values,
            lambda: self._evaluate(node, tree),
        )
        value = RULES[rule](children)
        if spot.layer is CHANCE:
            return value, None
        chosen = max if spot.layer is MAX else min
        return value, self._action(node, indexes, chosen(range(len(values)), key=values.__getitem__), None)

    def _drifts(self, spot: Spot) -> bool:
        """True if each child gets one ply less than the child before it."""
        drift = self.model.drift
        return drift == "siblings" or (drift == "siblings at ends of rounds" and spot.ends_round)

    def _greedy(
        self, node: TreeNode, spot: Spot, indexes: list[int], alpha: float, beta: float
    ) -> tuple[float, str | None]:
        """The value and the action of a node that chooses by evaluation, and searches only the chosen child."""
        sign = -1 if spot.layer is MIN else 1
        values = [sign * self._evaluate(self._make(node, index), self.tree) for index in indexes]
        index = indexes[values.index(max(values))]
        value, _, _ = self._follow(node, index, spot, (alpha, beta))
        return value, node.actions[index]

    def _action(self, node: TreeNode, indexes: list[int], best: int | None, below: str | None) -> str | None:
        """The action that a node returns; `best` is the place of its best child in `indexes`."""
        how = self.model.action
        if how == "own":
            if best is None:
                default = self.model.default_action
                return node.actions[indexes[0]] if default == "first" else default or None
            return node.actions[indexes[best]]
        if how == "none" or (how == "none at min" and node.layer is MIN):
            return None
        if how == "none at min":
            return None if best is None else node.actions[indexes[best]]
        if how == "last written":
            return self._written
        if how == "child":
            return below
        if how == "first":
            return node.actions[indexes[0]]
        if how == "last":
            return node.actions[indexes[-1]]
        if how == "by evaluation":
            sign = 1 if node.layer is MAX else -1
            best_index = max(indexes, key=lambda index: sign * self._evaluate(node.child(index), self.tree))
            return node.actions[best_index]
        raise AssertionError(how)

    def _choose(
        self, node: TreeNode, spot: Spot, indexes: list[int], rule: str, alpha: float, beta: float
    ) -> tuple[float, str | None]:
        """The value and the action of a node that chooses a child; cuts if the model does."""
        model = self.model
        picks_max = rule.endswith("max")
        is_max = picks_max if not rule.startswith("picks") else spot.layer is MAX
        best = model.max_start if picks_max else model.min_start
        if model.root_start is not None and not spot.depth:
            best = model.root_start
        start, chosen, below = best, None, None
        if model.one_best:
            return self._share(node, spot, indexes, picks_max)
        if model.starts_from == "own evaluation":
            best = start = self._evaluate(node, self.tree)
        elif model.starts_from == "first evaluation":
            best = start = self._evaluate(self._make(node, indexes[0]), self.tree)
            chosen, indexes = 0, indexes
        if self._shares is not None and self._shares(spot):
            best = self._shared.setdefault(picks_max, best)
        if model.window_shared:
            alpha, beta = self._window if spot.depth else (alpha, beta)
            self._window = alpha, beta
        alpha, beta = self._enters[is_max](alpha, beta, -inf, inf)
        own_alpha, own_beta = -inf, inf
        passes = PASSES[model.passes_root] if model.passes_root and not spot.depth else self._passes[is_max]
        update, is_cut = self._updates[is_max], self._cuts[is_max]
        ties = model.ties_max if picks_max else model.ties_min
        can_cut = self._never_cuts is None or not self._never_cuts(spot)
        here, value = node, best
        tried: list[int] = []
        for place, index in enumerate(indexes):
            if model.starts_from == "first evaluation" and not place:
                tried.append(index)
                continue
            if index >= len(here.actions):
                raise ValueError("illegal action")
            tried.append(index)
            if place and self._drifts(spot):
                spot = spot._replace(left=spot.left - 1)
            window = passes(alpha, beta, own_alpha, own_beta)
            if model.resets_at_same_layer and node.child(index).layer is spot.layer:
                window = (-inf, inf)
            value, action, child = self._follow(here, index, spot, window)
            if not spot.depth:
                self._root_values[node.actions[index]] = value
            if model.overwrites:
                here = child
            if self._shares is not None and self._shares(spot):
                best = self._shared[picks_max]
            is_first = chosen is None and model.is_first_better and best == start and abs(start) == inf
            if model.compares != "numbers":
                last = None if chosen is None else indexes[chosen]
                better = self._is_better_otherwise(node, spot, index, last, value, best, picks_max)
            elif self._is_better(value, best, picks_max):
                better = True
            else:
                better = (value == best and ties == "last") or (is_first and value == best)
            if better:
                best, chosen, below = value, place, action
                self._written = node.actions[index]
                if self._shares is not None and self._shares(spot):
                    self._shared[picks_max] = best
            if model.window_shared:
                alpha, beta = self._window
            alpha0, beta0 = alpha, beta
            alpha, beta = update(is_max, value, best, alpha, beta)
            self._window = alpha, beta
            own_alpha, own_beta = update(is_max, value, best, own_alpha, own_beta)
            if model.enough is not None and spot.layer is MAX and value > model.enough:
                break
            if can_cut and is_cut(is_max, best, alpha0, beta0, alpha, beta):
                if model.makes == "one ahead" and place + 1 < len(indexes):
                    self._make(node, indexes[place + 1])
                if model.cut_returns == "bound":
                    best = beta if is_max else alpha
                elif model.cut_returns == "other bound":
                    best = alpha if is_max else beta
                elif model.cut_returns == "other bound at max" and is_max:
                    best = alpha0
                elif model.cut_returns == "other bound at min" and not is_max:
                    best = beta0
                elif model.cut_returns == "zero":
                    best = 0.0
                elif model.hard:
                    best = beta if is_max else alpha
                break
        else:
            if model.hard:
                best = max(best, alpha) if is_max else min(best, beta)
        if model.best_again and chosen is not None:
            self._follow(node, indexes[chosen], spot, passes(alpha, beta, own_alpha, own_beta))
        if spot.layer is CHANCE and not model.acts_at_chance:
            return best, None
        if self._returns_last is not None and self._returns_last(spot):
            best = value
        return best, self._action(
            node, tried or indexes, None if chosen is None else self._place(tried, indexes, chosen), below
        )

    def _share(self, node: TreeNode, spot: Spot, indexes: list[int], picks_max: bool) -> tuple[float, str | None]:
        """The value and the action of a node whose best line every node below it overwrites."""
        self._one_best = None
        for index in indexes:
            value, _, _ = self._follow(node, index, spot, (-inf, inf))
            if self._one_best is None or self._is_better(value, self._one_best[0], picks_max):
                self._one_best = value, node.actions[index]
        assert self._one_best is not None
        return self._one_best

    def _is_better(self, value: float, best: float, picks_max: bool) -> bool:
        """True if a value is better than the best one so far."""
        return value > best if picks_max else value < best

    def _is_better_otherwise(
        self, node: TreeNode, spot: Spot, index: int, chosen: int | None, value: float, best: float, picks_max: bool
    ) -> bool:
        """The same for a search that does not compare numbers."""
        if not self._compares_at(spot):
            return self._is_better(value, best, picks_max)
        if chosen is None:
            return True
        how = self.model.compares
        one: Any = str(value) if how == "text" else abs(value) if how == "absolute" else node.actions[index]
        other: Any = str(best) if how == "text" else abs(best) if how == "absolute" else node.actions[chosen]
        return bool(one > other if picks_max else one < other)

    @staticmethod
    def _place(tried: list[int], indexes: list[int], chosen: int) -> int | None:
        """The place in `tried` of the child that was chosen."""
        index = indexes[chosen]
        return tried.index(index) if index in tried else None
