"""In which ways a simulated search can differ from the right one; and what a mistake is: one such difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf, trunc
from typing import Any, Literal, NamedTuple

from autograder.judge.diagnosis.model_tree import CHANCE, MAX, MIN, ModelTree, Spot, TreeNode
from autograder.judge.diagnosis.questions import Scope
from pacman.core.layers import Layer

Window = tuple[float, float]
Change = Mapping[str, Any]
"""Fields of a `SearchModel` with their values."""
ANY_CUTS = ("", "equal", "strict")
WITH_CUTS = ("equal", "strict")


class Decider(NamedTuple):
    """At the nodes of `layer` in `place` (see PLACES), the search applies `rule` instead of the right one."""

    layer: Layer
    place: str
    rule: str


@dataclass(frozen=True)
class SearchModel:
    """What a search does. The defaults are right; a question sets `cuts` for alpha-beta."""

    # The horizon, ends and evaluations.
    horizon: str = "plies"
    """How the number of plies is computed at the root: a name in HORIZONS."""
    spends: str = "every move"
    """Which moves use up one of the plies left: a name in SPENDS."""
    tested: str = "every node"
    """At which nodes the search tests that no plies are left: a name in TESTED."""
    early: str = ""
    """At which nodes the search stops with one ply left: a name in TESTED, or empty for none."""
    ends: str = "evaluated"
    """What a terminal node before the horizon is worth: a name in ENDS, "evaluated" or "searched"."""
    evaluates: str = "node"
    """What the search evaluates: a name in EVALUATES."""
    deepens: bool = False
    """Searches 1 ply deep, then 2, and so on."""

    # Who decides, and how.
    deciders: tuple[Decider, ...] = ()
    max_start: float = -inf
    """From which best value a node starts that takes the largest value."""
    min_start: float = inf
    starts_from_evaluation: bool = False
    """The first best value of a node is its own evaluation."""
    shares_best: bool = False
    """All nodes share one best value in the whole search."""
    one_best: bool = False
    """All nodes share one variable for the best value and action; each node sets it back at its start."""
    ties: Literal["first", "last"] = "first"
    zero_is_none: bool = False
    """MAX nodes take a best value of 0 as no value yet."""
    compares: Literal["numbers", "text", "absolute", "names"] = "numbers"
    """How children are compared: by value as numbers, as text or without the sign, or by the names of their actions."""
    enough: float | None = None
    """A MAX node stops at the first value above this number."""
    returns_last: str = ""
    """Nodes that return the last child's value, whatever the best value is: a name in TESTED, or empty for none."""
    action: str = "own"
    """Which action a node returns: own, child, first, last, none, none at min, last written, largest (the root returns
    the action of the largest value) or by evaluation."""
    acts_at_chance: bool = False
    """CHANCE nodes return their first action."""

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
    through_chance: bool = False
    """A CHANCE node passes its window to its outcomes."""
    chance_stops: bool = False
    """A CHANCE node stops when its sum so far is not above alpha."""
    window_shared: bool = False
    """All nodes share one window, which no node sets back."""
    window_alpha: float = -inf
    window_beta: float = inf
    hard: bool = False
    """Returns values inside the window only (fail-hard)."""
    cut_returns: Literal["best", "own bound", "zero"] = "best"
    """What a node returns after a cut: "own bound" is alpha at MAX and beta at MIN, before the last child."""

    # Memory and successors.
    memory: str = ""
    """Under which key the search stores values: a name in MEMORIES, or empty for no memory."""
    makes: Literal["when needed", "all first", "also at the horizon", "twice"] = "when needed"
    searches: int = 1
    """How often each successor is searched."""
    searches_only: Literal["", "first", "last"] = ""
    """Whatever action the loop tries, the search follows this one."""
    overwrites: bool = False
    """Plays each action after the previous one, not from the same position."""
    skips: str = ""
    """Which actions the search leaves out: a name in SKIPS, or empty for none."""
    order: str = "given"
    """In which order the search tries the actions: a name in ORDERS."""


HORIZONS: dict[str, Callable[[ModelTree], float]] = {
    "plies": lambda tree: tree.plies,
    "plies - 1": lambda tree: tree.plies - 1,
    "plies + 1": lambda tree: tree.plies + 1,
    "plies - 2": lambda tree: tree.plies - 2,
    "plies + 2": lambda tree: tree.plies + 2,
    "a round less": lambda tree: tree.plies - tree.round_length,
    "a round more": lambda tree: tree.plies + tree.round_length,
    "rounds": lambda tree: -(-tree.plies // tree.round_length),
    "no limit": lambda tree: inf,
}
SPENDS: dict[str, Callable[[Spot, TreeNode], int]] = {
    "every move": lambda spot, child: 1,
    "end of a round": lambda spot, child: int((child.layer is MAX and not child.is_terminal) or spot.ends_round),
    "ghosts' moves": lambda spot, child: int(spot.layer is not MAX),
    "max moves": lambda spot, child: int(spot.layer is MAX),
    "all but min moves": lambda spot, child: int(spot.layer is not MIN),
    "all but chance moves": lambda spot, child: int(spot.layer is not CHANCE),
}
TESTED: dict[str, Callable[[Spot], bool]] = {
    "every node": lambda spot: True,
    "max nodes": lambda spot: spot.layer is MAX,
    "min nodes": lambda spot: spot.layer is MIN,
}


def _no_actions(node: TreeNode) -> float:
    raise ValueError("a terminal node has no actions")


ENDS: dict[str, Callable[[TreeNode], float]] = {
    "zero": lambda node: 0.0,
    "infinite": lambda node: inf if node.node.score > 0 else -inf,
    "one": lambda node: float((node.node.score > 0) - (node.node.score < 0)),
    "raised": _no_actions,
}
EVALUATES: dict[str, Callable[[TreeNode, ModelTree], float]] = {
    "node": lambda node, tree: node.node.score,
    "root": lambda node, tree: tree.root.node.score,
    "for the mover": lambda node, tree: node.node.score * (1 if node.layer is MAX else -1),
    "minus": lambda node, tree: -node.node.score,
    "parent": lambda node, tree: (node.parent or node).node.score,
    "absolute": lambda node, tree: abs(node.node.score),
    "whole": lambda node, tree: trunc(node.node.score),
    "zero": lambda node, tree: 0.0,
}
SKIPS: dict[str, Callable[[TreeNode, Spot, list[int]], list[int]]] = {
    "stop": lambda node, spot, indexes: [i for i in indexes if node.actions[i] != "Stop"],
    "all but first": lambda node, spot, indexes: indexes[:1],
    "all but first of later ghosts": lambda node, spot, indexes: indexes[:1] if spot.turn >= 2 else indexes,
}
ORDERS: dict[str, Callable[[TreeNode, list[int]], list[int]]] = {
    "reversed": lambda node, indexes: indexes[::-1],
    "by name": lambda node, indexes: sorted(indexes, key=lambda index: node.actions[index]),
    "best evaluation first": lambda node, indexes: sorted(
        indexes, key=lambda index: node.child(index).node.score, reverse=node.layer is not MIN
    ),
}
PASSES: dict[str, Callable[[Window, Window], Window]] = {
    # the window now, and the one that only this node found
    "both": lambda window, own: window,
    "alpha": lambda window, own: (window[0], inf),
    "beta": lambda window, own: (-inf, window[1]),
    "neither": lambda window, own: (-inf, inf),
    "swapped": lambda window, own: (window[1], window[0]),
    "own": lambda window, own: own,
}
UPDATES: dict[str, Callable[[bool, float, float, float, float], Window]] = {
    # is it MAX, value of the child, best value, alpha, beta
    "own": lambda is_max, value, best, alpha, beta: (max(alpha, value), beta) if is_max else (alpha, min(beta, value)),
    "set": lambda is_max, value, best, alpha, beta: (value, beta) if is_max else (alpha, value),
    "set best": lambda is_max, value, best, alpha, beta: (best, beta) if is_max else (alpha, best),
    "other": lambda is_max, value, best, alpha, beta: (
        (alpha, min(beta, value)) if is_max else (max(alpha, value), beta)
    ),
    "wrong way": lambda is_max, value, best, alpha, beta: (
        (min(alpha, value), beta) if is_max else (alpha, max(beta, value))
    ),
    "nothing": lambda is_max, value, best, alpha, beta: (alpha, beta),
}
CUT_TESTS: dict[str, Callable[[bool, float, Window, Window], bool]] = {
    # is it MAX, best value, the window before this child, and after it
    "": lambda is_max, best, before, after: False,
    "never": lambda is_max, best, before, after: False,
    "equal": lambda is_max, best, before, after: after[0] >= after[1],
    "strict": lambda is_max, best, before, after: after[0] > after[1],
    "own bound": lambda is_max, best, before, after: best >= before[0] if is_max else best <= before[1],
    "own bound reversed": lambda is_max, best, before, after: best <= before[0] if is_max else best >= before[1],
    "margin of 1": lambda is_max, best, before, after: after[0] >= after[1] - 1,
}
MEMORIES: dict[str, Callable[[TreeNode, Spot], Any]] = {
    "node": lambda node, spot: node.node,
    "node and plies": lambda node, spot: (node.node, spot.left),
    "score": lambda node, spot: node.node.score,
}


@dataclass(frozen=True)
class Mistake:
    """One way in which a search may be wrong: what the grader says about it, and the `change` that makes it.

    Rows with the same `name` count as one mistake. It can happen in parts that have all of `layers`, and whose rule for
    cuts is one of `cuts`.
    """

    name: str
    sentence: str
    hint: str
    change: Change
    layers: tuple[Layer, ...] = ()
    cuts: tuple[str, ...] = ANY_CUTS

    def can_happen(self, scope: Scope) -> bool:
        """True if parts of this scope can have the mistake."""
        return set(self.layers) <= set(scope.layers) and scope.cuts in self.cuts

    @property
    def right(self) -> SearchModel:
        """The right search in which the mistake shows: alpha-beta if the mistake needs windows."""
        return SearchModel() if "" in self.cuts else SearchModel(cuts="equal")
