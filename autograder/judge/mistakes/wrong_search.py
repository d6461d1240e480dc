"""A search with habits: right by default, and wrong in exactly the ways that its habits set.

Every known mistake changes one or two habits (see `known_mistakes`), so a search can make the mistakes of two rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, inf, trunc
from typing import Any, Literal

from pacman.core.layers import Layer
from pacman.core.trace import CountedNode, Trace
from pacman.core.tree import Line, Node

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE


class Endless(Exception):
    """Raised by a search that generates more successors than it may."""


@dataclass(frozen=True)
class SearchVariant:
    """The habits of a search. The defaults are right; the question sets `prunes` and `cut`."""

    # The horizon.
    plies_more: int = 0
    rounds_more: int = 0
    spends: Literal["ply", "round", "ghost"] = "ply"
    """What uses up one of the plies left: every move, or only the return to MAX. With "ghost", each ghost's move uses
    up one of the *rounds* left."""
    round_plies: int = 0
    """How many plies this search counts as a round; 0 for the right number."""

    rounds_as_plies: bool = False
    """Looks ahead n plies instead of n rounds."""

    # Who chooses, and what.
    max_is: Layer = MAX
    min_is: Layer = MIN
    chance_is: Layer = CHANCE
    max_picks: Layer = MAX
    min_picks: Layer = MIN
    """Which child is kept, although the bounds are still those of the layer."""
    by_depth: bool = False
    """Treats even depths as MAX and odd depths as an opponent, whatever the node says."""
    other_ghosts: bool = True
    """Searches every action of the ghosts after the first one, not only their first action."""
    weights: Literal["right", "equal", "one", "right/n", "1/root", "1/mover at root"] = "right"
    """The last two divide by the number of actions at the root: of the agent that moves there, or that moves here."""
    rounds: Literal["not", "down", "to 0"] = "not"
    max_start: float = -inf
    min_start: float = inf
    first: Literal["always", "if better"] = "always"
    """When the first child becomes the best one: always, or only if it is better than the start value."""
    ties: Literal["first", "last"] = "first"
    keeps: Literal["best", "last"] = "best"
    returns: Literal["own action", "child's action"] = "own action"
    """Returns the action that leads to the best child, or the action in the best child's line."""
    skips: str = ""

    # Ends and evaluations.
    ends: Literal["evaluated", "zero", "searched"] = "evaluated"
    evaluates: Literal["leaf", "root", "mover"] = "leaf"

    # Windows.
    prunes: bool = False
    cut: Literal["equal", "strict"] = "equal"
    window: float = inf
    alpha_down: bool = True
    beta_down: bool = True
    inherits: bool = True
    """A node passes down the tighter of its own bound and the bound from above, not only its own."""
    window_order: Literal["right", "swapped"] = "right"
    tightens: Literal["own", "other"] = "own"
    through_chance: bool = False
    tests: Literal["window", "value"] = "window"
    """Tightens with each child's value and cuts at alpha >= beta; or tightens with its best value and cuts when this
    value passes the other bound. Both do the same unless something else is wrong."""

    # Making successors.
    makes: Literal["when needed", "all first", "twice"] = "when needed"
    searches: int = 1
    best_again: bool = False
    """Searches the best child once more, for example for its value after its action."""
    overwrites: bool = False


def run(habits: SearchVariant, root: Node, plies: int, most: int) -> tuple[Line, Trace]:
    """The line that a search with these habits finds, and its trace.

    Raises Endless above `most` successors, and any error that the wrong search raises: ValueError, IllegalAction.
    """
    trace = Trace()
    searcher = Searcher(habits, root, trace, most)
    return searcher.start(CountedNode(root, trace), plies), trace


def round_length(root: Any) -> int:
    """The number of plies in a round: the layers of a position; in a tree, the plies until the root's layer returns."""
    if hasattr(root, "layers"):
        return len(root.layers)
    row, length = [root], 0
    while row:
        row = [node.successor(action) for node in row for action in node.actions()]
        length += 1
        if any(node.layer is root.layer and not node.is_terminal for node in row):
            return length
    return max(1, length - 1)


@dataclass
class Step:
    """A node during its search: its layer as the search sees it, the plies left, and the children made in advance."""

    node: CountedNode
    actions: Sequence[str]
    layer: Layer
    left: int
    depth: int
    probabilities: Mapping[str, float]
    ready: dict[str, CountedNode] = field(default_factory=dict)


class Searcher:
    """The recursion. `depth` counts from the root; `before` is the layer that moved last."""

    def __init__(self, habits: SearchVariant, root: Node, trace: Trace, most: int) -> None:
        self.habits, self.root, self.trace, self.most = habits, root, trace, most

    def start(self, root: CountedNode, plies: int) -> Line:
        """The line of the root, searched `plies` deep as the habits count plies."""
        habits = self.habits
        left = plies + habits.plies_more
        if habits.rounds_as_plies:
            left //= habits.round_plies or round_length(self.root)
        if habits.rounds_more or habits.spends == "ghost":
            length = habits.round_plies or round_length(self.root)
            left += habits.rounds_more * length
            if habits.spends == "ghost":
                left //= length
        return self.visit(root, left, -habits.window, habits.window, 0, MAX)

    def visit(self, node: CountedNode, left: int, alpha: float, beta: float, depth: int, before: Layer) -> Line:
        """The line of a node with `left` plies to go."""
        habits = self.habits
        if left <= 0:
            return Line(self.evaluation(node), None)
        if node.is_terminal and habits.ends != "searched":
            return Line(self.evaluation(node) if habits.ends == "evaluated" else 0, None)
        actions = [action for action in node.actions() if action != habits.skips]
        if not habits.other_ghosts and node.layer is not MAX and before is not MAX:
            actions = actions[:1]
        # Read now: a search that overwrites its node asks for the actions of this node later.
        probabilities = dict(node.outcomes()) if node.layer is CHANCE else {}
        step = Step(node, actions, self.layer(node, depth), left, depth, probabilities)
        if habits.makes == "all first":
            step.ready = {action: self.make(node, action) for action in actions}
        return self.mean(step, alpha, beta) if step.layer is CHANCE else self.choice(step, alpha, beta)

    def mean(self, step: Step, alpha: float, beta: float) -> Line:
        """The line of a CHANCE node: its mean, without an action."""
        window = (alpha, beta) if self.habits.through_chance else (-inf, inf)
        total = 0.0
        for action in step.actions:
            total += self.weight(step, action) * self.follow(step, action, *window).value
        rounds = self.habits.rounds
        return Line(total if rounds == "not" else floor(total) if rounds == "down" else trunc(total), None)

    def choice(self, step: Step, alpha: float, beta: float) -> Line:
        """The line of a node where MAX or MIN chooses; they already have `alpha` and `beta` elsewhere."""
        habits, layer = self.habits, step.layer
        best = Line(habits.max_start if layer is MAX else habits.min_start, None)
        own_alpha, own_beta = -inf, inf
        for action in step.actions:
            line = self.follow(step, action, *self.child_window(layer, alpha, beta, own_alpha, own_beta))
            if self.is_better(layer, line.value, best):
                best = Line(line.value, action if habits.returns == "own action" else line.action)
            worth = best.value if habits.tests == "value" else line.value
            if (layer is MAX) == (habits.tightens == "own"):
                alpha, own_alpha = max(alpha, worth), max(own_alpha, worth)
            else:
                beta, own_beta = min(beta, worth), min(own_beta, worth)
            if habits.prunes and self.is_outside(layer, best.value, alpha, beta):
                break
        if habits.best_again and best.action is not None:
            self.follow(step, best.action, *self.child_window(layer, alpha, beta, own_alpha, own_beta))
        return best

    def follow(self, step: Step, action: str, alpha: float, beta: float) -> Line:
        """The line of the child that `action` leads to."""
        habits, node = self.habits, step.node
        for _ in range(habits.searches):
            child = step.ready.get(action) or self.make(node, action)
            line = self.visit(child, step.left - self.cost(node, child), alpha, beta, step.depth + 1, node.layer)
        if habits.makes == "twice":
            self.make(node, action)
        if habits.overwrites:
            step.node = child
        return line

    def layer(self, node: CountedNode, depth: int) -> Layer:
        """The layer of a node as this search sees it."""
        habits, layer = self.habits, node.layer
        if habits.by_depth:
            layer = MAX if depth % 2 == 0 else MIN if layer is MAX else layer
        return {MAX: habits.max_is, MIN: habits.min_is, CHANCE: habits.chance_is}[layer]

    def evaluation(self, node: CountedNode) -> float:
        """The evaluation of a node as this search computes it."""
        if self.habits.evaluates == "root":
            return self.root.score
        if self.habits.evaluates == "mover" and node.layer is not MAX:
            return -node.score
        return node.score

    def cost(self, node: CountedNode, child: CountedNode) -> int:
        """How many of the plies left the step from a node to its child uses up."""
        if self.habits.spends == "round":
            return int(child.layer is MAX)
        if self.habits.spends == "ghost":
            return int(node.layer is not MAX)
        return 1

    def child_window(
        self, layer: Layer, alpha: float, beta: float, own_alpha: float, own_beta: float
    ) -> tuple[float, float]:
        """The window that a node passes down to a child."""
        habits = self.habits
        if not habits.inherits:
            alpha, beta = (own_alpha, beta) if layer is MAX else (alpha, own_beta)
        alpha = alpha if habits.alpha_down else -inf
        beta = beta if habits.beta_down else inf
        return (beta, alpha) if habits.window_order == "swapped" else (alpha, beta)

    def is_outside(self, layer: Layer, value: float, alpha: float, beta: float) -> bool:
        """True if this search cuts here: the other children cannot change the result any more."""
        if self.habits.tests == "value":
            alpha, beta = (value, beta) if layer is MAX else (alpha, value)
        return alpha > beta or (alpha == beta and self.habits.cut == "equal")

    def is_better(self, layer: Layer, value: float, best: Line) -> bool:
        """True if a child's value replaces the best line so far."""
        habits = self.habits
        if habits.keeps == "last":
            return True
        start = habits.max_start if layer is MAX else habits.min_start
        if habits.first == "always" and best.action is None and abs(start) == inf and best.value == start:
            return True  # there is no best child yet
        if value == best.value:
            return habits.ties == "last"
        picks = habits.max_picks if layer is MAX else habits.min_picks
        return (value > best.value) == (picks is MAX)

    def weight(self, step: Step, action: str) -> float:
        """The weight of one outcome in a mean."""
        weights, outcomes = self.habits.weights, len(step.actions)
        if weights == "one":
            return 1
        if weights == "1/root" or (weights == "1/mover at root" and not hasattr(self.root, "layers")):
            return 1 / len(self.root.actions())
        if weights == "1/mover at root":
            root: Any = self.root
            return 1 / len(root.actions(step.node.mover))
        if weights == "equal" or not step.probabilities:
            return 1 / outcomes
        probability = step.probabilities[action]
        return probability / outcomes if weights == "right/n" else probability

    def make(self, node: CountedNode, action: str) -> CountedNode:
        """The successor by `action`. Raises Endless when no more successors may be generated."""
        if self.trace.generated >= self.most:
            raise Endless
        return node.successor(action)


def right_variant(reference: str, cut: str) -> SearchVariant:
    """The right habits for a question with this reference search and this rule for cuts."""
    return SearchVariant(prunes=reference == "alphabeta", cut="strict" if cut == "strict" else "equal")


def dialects(reference: str) -> Sequence[dict[str, Any]]:
    """Different ways to write a right search. They differ only if something else is wrong in the search."""
    return ({}, {"tests": "value"}) if reference == "alphabeta" else ({}, {"ties": "last"})
