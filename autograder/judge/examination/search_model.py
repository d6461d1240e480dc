"""A simulated search: right by default, and wrong in exactly the ways that its model says.

A `SearchModel` is a hypothesis about a student's search. The examination says a sentence about a search only if the
model that the sentence describes foretells every answer of that search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, trunc
from typing import Any, Literal, NamedTuple

from autograder.judge.examination.model_tree import CHANCE, MAX, MIN, ModelTree, Place, Spot, TreeNode
from pacman.core.layers import Layer

Window = tuple[float, float]


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
    """Which action a node returns: own, child, first, last, none, none at min, last written, largest or by evaluation.

    With "largest" the root returns the action of the largest value.
    """
    chance_action: Literal["", "first", "last", "most likely", "best", "worst"] = ""
    """The action that a CHANCE node returns if its rule is a mean; empty for none, which is right."""
    zero_is_none: str = ""
    """Nodes that take a best value of 0 as no value yet: a name in TESTED, or empty for none."""
    skips_agents: bool = False
    """Some agents never move. In a position of Pacman nobody can say what such a search sees."""
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
    updates_root: str = ""
    """The same for the root alone; empty: as its layer."""
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
    return plain_evaluation(node, tree) * (1 if node.layer is MAX else -1)


def plain_evaluation(node: TreeNode, tree: ModelTree) -> float:
    return node.node.score + tree.shift


EVALUATES: dict[str, Callable[[TreeNode, ModelTree], float]] = {
    "node": plain_evaluation,
    "score": lambda node, tree: node.node.score,
    "root": lambda node, tree: plain_evaluation(tree.root, tree),
    "for the mover": _mover_sign,
    "minus at min nodes": lambda node, tree: plain_evaluation(node, tree) * (-1 if node.layer is MIN else 1),
    "minus": lambda node, tree: -plain_evaluation(node, tree),
    "parent": lambda node, tree: plain_evaluation(node.parent or node, tree),
    "parent unless the game is over": lambda node, tree: plain_evaluation(
        node if node.is_terminal else node.parent or node, tree
    ),
    "absolute": lambda node, tree: abs(plain_evaluation(node, tree)),
    "whole": lambda node, tree: trunc(plain_evaluation(node, tree)),
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
    "all but first at the root": _in("the root", lambda indexes: indexes[:1]),
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
    "": lambda is_max, best, alpha0, beta0, alpha, beta: False,
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
