"""The kinds of wrong steps: what a search can do wrong at one node, with the words about each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf, nan

from pacman.core.tree import Layer
from pacman.record.calls import NodeVisit
from pacman.record.trace import Path

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
Window = tuple[float, float]
OPEN: Window = (-inf, inf)


@dataclass(frozen=True)
class Words:
    """What is said about one kind of mistake. In the texts about a breach, names in braces are those of `shown_step`.

    `name` is for counting. `summary` says what the code does wrong; that of a breach is one clause without a full stop.
    `seen` is what was expected at the node of a step, and what the code did. `hint` is a question that leads to the
    mistake; `in_rounds` are its words for a file that counts agents and rounds.
    """

    name: str = ""
    summary: str = ""
    seen: str = ""
    hint: str = ""
    in_rounds: str = ""

    def for_style(self, in_rounds: bool) -> str:
        """The hint for a file of one of the two styles."""
        return self.in_rounds if in_rounds and self.in_rounds else self.hint


_EVALUATES = Words(
    "stops-too-early",
    "Your search evaluates a {layer} node with {left} left, and does not search its successors",
    "Here {left_are} left, so the node is worth what its successors make it worth: {expected}. This call returned its "
    "evaluation, {got}.",
    "Which test lets your code stop here? Print the numbers that it compares, at the marked node and at the nodes "
    "above it.",
)
_WITHOUT_A_LOOK = Words(
    "returns-at-once",
    "Your search returns a wrong value without a look at the successors",
    "With {left} left this node is worth {expected}. This call returned {got} at once.",
    "Which test lets your code return here, and what must it return?",
)
_STORED = (
    "If your code stores values: which nodes have the same key? The key must hold all that a value depends on: the "
    "position, the plies left and the window."
)
_LIMIT = "How does your code find out that no {} are left? Print the number that it compares, at the marked node and "
_LEAF = "Where the game is over or no {} are left, the value is the evaluation of that node, as it is."


class Breach(Enum):
    """What can be wrong at one node. The words of RESULT say more if it is known what the code returns instead."""

    RESULT = Words(
        "wrong-value",
        "{at_or_some}, your search returns a value that is not {chosen_short} of its successors' values",
        "A {layer} node is worth {chosen} of {values}: {expected}. This call returned {got}.",
        "",
    )
    PLIES = Words(
        "wrong-plies-passed",
        "Your search passes on a wrong number for {bound} at a {layer} node",
        "The call for {action} gets {bound} = {got}, expected {expected}. After this move, {after_are} left.",
        "Each move uses up one ply, whoever moves. Write the plies that are left at each node of the smallest tree, "
        "and compare them with what your calls pass on.",
        "A round is over when Pacman and each ghost have moved once. Write what your calls pass on at each node of the "
        "smallest tree: after which moves does this number have to change?",
    )
    SAME_NODE = Words(
        "searches-the-same-node",
        "Your search calls itself for the same {layer} node, and not for a successor",
        "This line searches the node itself again, with {bound} = {got}. No successor is made.",
        "Which node does the call on this line get? A search goes on with the successors of a node.",
    )
    NOT_THE_SUCCESSOR = Words(
        "searches-the-same-node",
        "Your search makes successors of a {layer} node, and then searches the node itself again",
        "The successor {action} was made just before. The call on this line does not get it, but the node itself.",
        "Which of your variables is the node, and which one its successor? Which of the two does this call get?",
    )
    MOVES_TWICE = Words(
        "second-move",
        "Your search lets Pacman move twice in a row",
        "The call on this line gets the node after Pacman's action {action}, where agent 1 moves, the first ghost. But "
        "line {made_at} then makes its successors with agent 0, Pacman.",
        "Which agent moves after Pacman? Does this line call the right function, with the number of that agent?",
    )
    NO_AGENT = Words(
        "no-such-agent",
        "Your search lets an agent move that does not exist",
        "The call on this line gets the node after {action}, where agent {turn} moves. But line {made_at} then makes "
        "its successors with agent {got}, and here are only the agents 0 to {last_agent}.",
        "The agents have the numbers 0 to getNumAgents() - 1. Which test finds out that the last ghost has moved?",
    )
    BELOW_HORIZON = Words(
        "below-the-horizon",
        "Your search goes on with no plies left{at}",
        "No plies are left here, so the value of this node is its evaluation: {expected}. This line makes the "
        "successor after {action}.",
        f"{_LIMIT.format('plies')}at the nodes above it.",
        f"{_LIMIT.format('rounds')}at the nodes above it.",
    )
    TOO_EARLY = _EVALUATES
    EVALUATED = replace(
        _EVALUATES,
        seen="Here {left_are} left, so the node is worth what its successors make it worth: {expected}. This line "
        "takes its evaluation, {got}.",
        hint="What does this line need of the successor: its evaluation, or its value from a search?",
    )
    LEAF_VALUE = Words(
        "wrong-value-at-leaf",
        "At {leaf}, your search does not return the evaluation of the node",
        "{is_leaf} here, so the value is the evaluation of this node: {expected}. This call returned {got}.",
        _LEAF.format("plies"),
        _LEAF.format("rounds"),
    )
    NOT_SEARCHED = Words(
        "children-left-out",
        "Your search leaves out successors{at_or_layer}",
        "A {layer} node looks at all of its successors. This call returned without {rest}.",
        "Does a `return`, a `break`, a slice or a test end the loop over the actions early?",
    )
    NO_VALUE = Words(
        "returns-no-value",
        "Your search returns no value for a {layer} node",
        "Other calls of this function return a value; what this one returned here has none.",
        "Which way through the function ends without `return`, or returns something without a value?",
    )
    OWN_SCORE = Words(
        "evaluates-the-node-above",
        "Your search evaluates a {layer} node in place of its successors",
        "With {left} left this node is worth what its successors make it worth: {expected}. This line evaluates the "
        "node itself, and the call returned that: {got}.",
        "Which node does this line evaluate: this node, or its successor?",
    )
    NO_LOOK = _WITHOUT_A_LOOK
    REMEMBERED = replace(_WITHOUT_A_LOOK, name="wrong-stored-value", hint=_STORED)
    OTHER_VALUES = Words(
        "wrong-stored-value",
        "At {layer} nodes, your search takes the value of another node for a successor that it does not search",
        "This call did not search {action}. It took {got} for it, which is the value of another node.",
        _STORED,
    )
    WINDOW = Words(
        "wrong-window",
        "Your search passes on a wrong {bound} at a {layer} node",
        "The call {call} gets {bound} = {got}. It must get {bound} = {expected}{no_limit}.",
        "Write down alpha and beta at each node of the smallest tree. MAX may only raise alpha, MIN may only lower "
        "beta, and each call gets the window as it is at that moment.",
    )
    CUT_EARLY = Words(
        "cuts-too-early",
        "Your search leaves out successors of a {layer} node whose window is still open",
        "{window}, and {is_open}. So {action} can still change the result, but the call returned without it.",
        "Which two numbers does your test for a cut compare? At a MAX node it is the best value with beta, at a MIN "
        "node with alpha.",
    )
    CUT_LATE = Words(
        "cuts-too-late",
        "Your search goes on at a {layer} node whose window is closed",
        "{window}. {closed}, so no further successor counts. This line still makes the successor after {action}.",
        "Is there a test for a cut before the next successor is made? Which two numbers does it compare?",
    )
    UNASKED_CUT = Words(
        "unasked-cut",
        "Your search leaves out successors that cannot change the result; this question asks for all nodes",
        "This call returned without {rest}.",
        "This question asks for the search of all nodes, without cuts.",
    )
    ALL_FIRST = Words(
        "all-successors-first",
        "Your search makes all successors of a node before it searches the first one, too early for a cut",
        "This line makes {action} before the first successor was searched. If that one closes the window, this "
        "successor must not be made.",
        "Make a successor only when it is its turn: inside the loop, after the test for a cut.",
    )
    ORDER = Words(
        "other-order",
        "Your search does not follow the actions in their order",
        "The actions here are {actions}. Your search begins with {action}.",
        "In this question the search follows `actions()` in their order: so it is known which nodes it makes.",
    )
    AGAIN = Words(
        "successors-again",
        "Your search makes the same successor again",
        "The successor {action} was already made.",
        "Store the successor in a variable, and use it again.",
    )
    OTHER_SUCCESSOR = Words(
        "same-successor",
        "Your search makes the same successor of a {layer} node again, and never makes another one",
        "This line makes {action}, which was already made. {rest} is never made.",
        "Which variable holds the action on this line? Print it each time the line runs.",
    )
    STORED = Words(
        "stored-values",
        "Your search returns a stored value, and does not search the node again",
        "This call returned {got} at once: a value from an earlier visit of an equal node.",
        "This question counts the nodes of a search that stores no values.",
    )
    ACTION = Words(
        "wrong-action",
        "Your search does not return the action with the best value at the root",
        "The best value, {expected}, belongs to {best}. Your search returned {action}, whose value is {got}.",
        "Where does your code store the action? Store it at the moment when its value becomes the best.",
    )
    BOUND_AS_VALUE = Words(
        "bound-as-value",
        "Your search takes an action whose value is only a bound, and equal to the best value",
        "The root returned {action}, which came back with {expected}, as the best action did. But that is only a "
        "bound, because a cut ended the search of {action}: it is really worth {got}.",
        "A successor that was cut off is worth at most (at MIN) what it returned. Take another action only if its "
        "value is better, not if it is equal.",
    )

    @property
    def words(self) -> Words:
        """What is said about it."""
        return self.value

    @property
    def is_at_a_line(self) -> bool:
        """True if the line of a call or of a successor breaks the rule, and not that of a return."""
        return self in _AT_A_LINE


_AT_A_LINE = {
    *(Breach.PLIES, Breach.SAME_NODE, Breach.NOT_THE_SUCCESSOR, Breach.MOVES_TWICE, Breach.NO_AGENT, Breach.WINDOW),
    *(Breach.CUT_LATE, Breach.ALL_FIRST, Breach.ORDER, Breach.AGAIN, Breach.OTHER_SUCCESSOR),
    *(Breach.BELOW_HORIZON, Breach.EVALUATED, Breach.OWN_SCORE),
}
_ONLY_NODES = (Breach.CUT_LATE, Breach.UNASKED_CUT, Breach.ALL_FIRST, Breach.ORDER, Breach.AGAIN, Breach.STORED)


@dataclass(frozen=True)
class Step:
    """A visit that broke a rule, and the number of the event at which it did.

    `expected` and `got` are values; `action` is the successor that the step is about; `bound` is "alpha" or "beta" for
    a window, and the name of the parameter for plies that are passed on. A window that is too wide `is_harmless`.
    """

    breach: Breach
    visit: NodeVisit
    time: int
    line: int
    expected: float | None = None
    got: float | None = None
    action: str = ""
    bound: str = ""
    window: Window = OPEN
    is_harmless: bool = False

    @property
    def costs_only_nodes(self) -> bool:
        """True if no value and no action is wrong because of it."""
        return self.is_harmless or self.breach in _ONLY_NODES

    def is_above(self, path: Path) -> bool:
        """True if the step is about a call for the node with this path, or for one above it."""
        own = (*self.visit.path, self.action) if self.action else self.visit.path
        return path[: len(own)] == own


def best_below(visit: NodeVisit) -> float:
    """What the layer makes of the values of the successors that were searched; NaN if there is none."""
    values = visit.values_below()
    if visit.layer is not CHANCE:
        return (max if visit.layer is MAX else min)(values.values(), default=nan)
    chances = dict(zip(visit.node.actions, visit.node.probabilities, strict=True))
    return weighted([chances[action] for action in values], [*values.values()]) if values else nan


def weighted(weights: Sequence[float], values: Sequence[float]) -> float:
    """The sum of the products, added in order."""
    total = 0.0
    for weight, value in zip(weights, values, strict=True):
        total += weight * value
    return total
