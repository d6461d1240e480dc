"""The sentences about a wrong step: a summary for a list, and what was seen at the shown node."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isinf

from autograder.judge.diagnosis.extent import Extent
from autograder.judge.diagnosis.rule_phrases import LAYER_HINTS, NAMES_OF_RULES, PLACE_PHRASES, RULE_PHRASES
from autograder.judge.diagnosis.steps import Rule, Step
from autograder.judge.diagnosis.visits import NodeVisit
from autograder.judge.points_as_text import value_text
from pacman.core.layers import Layer
from pacman.core.words import counted, listed

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE


@dataclass(frozen=True)
class Words:
    """What is said about one kind of step. `name` is for counting; the names in braces are those of `_facts`."""

    name: str
    summary: str
    """What the code does wrong, in one clause without a full stop."""
    seen: str
    """What was expected at the node of the step, and what the code did."""
    hint: str
    is_at_a_line: bool = False
    """True if the line of a call or of a successor breaks the rule, and not that of a return."""
    is_by_a_test: bool = False
    """True if the numbers that a test compares explain the step."""
    costs_only_nodes: bool = False
    """True if no value and no action is wrong because of it."""


@dataclass(frozen=True)
class StepTexts:
    """The texts about a wrong step."""

    name: str
    summary: str
    hint: str
    seen: str
    extent: str


STORED_HINT = (
    "If your code stores values: which nodes have the same key? The key must hold all that a value depends on: the "
    "position, the plies left and the window."
)
WORDS = {
    Rule.RESULT: Words(
        "wrong-value",
        "{at_or_some}, your search returns a value that is not {chosen_short} of its successors' values",
        "A {layer} node is worth {chosen} of {values}: {expected}. This call returned {got}.",
        "",
    ),
    Rule.PLIES: Words(
        "wrong-plies-passed",
        "Your search passes on a wrong number of plies at a {layer} node",
        "The call for {action} gets {bound} = {got}. After this move, {after_are} left.",
        "Each move uses up one ply, whoever moves. Write the plies that are left at each node of the smallest tree, "
        "and compare them with what your calls pass on.",
        is_at_a_line=True,
    ),
    Rule.SAME_NODE: Words(
        "searches-the-same-node",
        "Your search calls itself with the same node, and not with a successor",
        "This line searches the root again, with {bound} = {got}. No successor is made.",
        "Which node does the call on this line get? A search goes on with the successors of a node.",
        is_at_a_line=True,
    ),
    Rule.BELOW_HORIZON: Words(
        "below-the-horizon",
        "Your search goes on with no plies left{at}",
        "No plies are left here, so the value of this node is its evaluation: {expected}. This line makes its "
        "successor {action}.",
        "How does your code find out that no plies are left? Print the number that it compares, at the marked node "
        "and at the nodes above it.",
        is_at_a_line=True,
        is_by_a_test=True,
    ),
    Rule.TOO_EARLY: Words(
        "stops-too-early",
        "Your search evaluates a {layer} node with {left} left, and does not search its successors",
        "Here {left_are} left, so the node is worth what its successors make it worth: {expected}. This call returned "
        "its evaluation, {got}.",
        "Which test lets your code stop here? Print the numbers that it compares, at the marked node and at the nodes "
        "above it.",
        is_by_a_test=True,
    ),
    Rule.LEAF_VALUE: Words(
        "wrong-value-at-leaf",
        "At a node with no plies left, your search does not return the evaluation of the node",
        "No plies are left here, so the value is the evaluation of this node: {expected}. This call returned {got}.",
        "Where the game is over or no plies are left, the value is the evaluation of that node, as it is.",
    ),
    Rule.NOT_SEARCHED: Words(
        "children-left-out",
        "Your search leaves out successors{at_or_layer}",
        "A {layer} node looks at all of its successors. This call returned without {rest}.",
        "Does a `return`, a `break`, a slice or a test end the loop over the actions early?",
    ),
    Rule.NO_VALUE: Words(
        "returns-no-value",
        "Your search returns no value for a {layer} node",
        "Other calls of this function return a value; what this one returned here has none.",
        "Which way through the function ends without `return`, or returns something without a value?",
    ),
    Rule.OWN_SCORE: Words(
        "evaluates-the-node-above",
        "Your search evaluates a {layer} node in place of its successors",
        "With {left} left this node is worth what its successors make it worth: {expected}. This line evaluates the "
        "node itself, and the call returned that: {got}.",
        "Which node does this line evaluate: this node, or its successor?",
        is_at_a_line=True,
    ),
    Rule.NO_LOOK: Words(
        "returns-at-once",
        "Your search returns a wrong value without a look at the successors",
        "With {left} left this node is worth {expected}. This call returned {got} at once.",
        "Which test lets your code return here, and what must it return?",
        is_by_a_test=True,
    ),
    Rule.REMEMBERED: Words(
        "wrong-stored-value",
        "Your search returns a wrong value without a look at the successors",
        "With {left} left this node is worth {expected}. This call returned {got} at once.",
        STORED_HINT,
    ),
    Rule.OTHER_VALUES: Words(
        "wrong-stored-value",
        "At {layer} nodes, your search takes the value of another node for a successor that it does not search",
        "This call did not search {action}. It took {got} for it, which is the value of another node.",
        STORED_HINT,
    ),
    Rule.WINDOW: Words(
        "wrong-window",
        "Your search passes on a wrong {bound} at a {layer} node",
        "The call {call} gets {bound} = {got}. At this moment {bound} is {expected}{no_limit}.",
        "Write down alpha and beta at each node of the smallest tree. MAX may only raise alpha, MIN may only lower "
        "beta, and each call gets the window as it is at that moment.",
        is_at_a_line=True,
    ),
    Rule.CUT_EARLY: Words(
        "cuts-too-early",
        "Your search leaves out successors of a {layer} node whose window is still open",
        "{window}, and {is_open}. So {action} can still change the result, but the call returned without it.",
        "Which two numbers does your test for a cut compare? At a MAX node it is the best value with beta, at a MIN "
        "node with alpha.",
    ),
    Rule.CUT_LATE: Words(
        "cuts-too-late",
        "Your search goes on at a {layer} node whose window is closed",
        "{window}. {closed}, so no further successor counts. This line still makes {action}.",
        "Which two numbers does your test for a cut compare, and when? It must come before the next successor is made.",
        is_at_a_line=True,
        costs_only_nodes=True,
    ),
    Rule.UNASKED_CUT: Words(
        "unasked-cut",
        "Your search leaves out successors that cannot change the result; this question asks for all nodes",
        "This call returned without {rest}.",
        "This question asks for the search of all nodes, without cuts.",
        costs_only_nodes=True,
    ),
    Rule.ALL_FIRST: Words(
        "all-successors-first",
        "Your search makes all successors of a node before it searches the first one, too early for a cut",
        "This line makes {action} before the first successor was searched. If that one closes the window, this "
        "successor must not be made.",
        "Make a successor only when it is its turn: inside the loop, after the test for a cut.",
        is_at_a_line=True,
        costs_only_nodes=True,
    ),
    Rule.ORDER: Words(
        "other-order",
        "Your search does not follow the actions in their order",
        "The actions here are {actions}. Your search begins with {action}.",
        "In this question the search follows `actions()` in their order: so it is known which nodes it makes.",
        is_at_a_line=True,
        costs_only_nodes=True,
    ),
    Rule.AGAIN: Words(
        "successors-again",
        "Your search makes the same successor again",
        "The successor {action} was already made.",
        "Store the successor in a variable, and use it again.",
        is_at_a_line=True,
        costs_only_nodes=True,
    ),
    Rule.OTHER_SUCCESSOR: Words(
        "same-successor",
        "Your search makes the same successor of a {layer} node again, and never makes another one",
        "This line makes {action}, which was already made. {rest} is never made.",
        "Which variable holds the action on this line? Print it each time the line runs.",
        is_at_a_line=True,
    ),
    Rule.STORED: Words(
        "stored-values",
        "Your search returns a stored value, and does not search the node again",
        "This call returned {got} at once: a value from an earlier visit of an equal node.",
        "This question counts the nodes of a search that stores no values.",
        costs_only_nodes=True,
    ),
    Rule.ACTION: Words(
        "wrong-action",
        "Your search does not return the action with the best value at the root",
        "The best value, {expected}, belongs to {best}. Your search returned {action}, whose value is {got}.",
        "Where does your code store the action? Store it at the moment when its value becomes the best.",
    ),
    Rule.BOUND_AS_VALUE: Words(
        "bound-as-value",
        "Your search takes an action whose value is only a bound, and equal to the best value",
        "The root returned {action}, which came back with {expected}, as the best action did. But that is only a "
        "bound, because a cut ended the search of {action}: it is really worth {got}.",
        "A successor that was cut off is worth at most (at MIN) what it returned. Take another action only if its "
        "value is better, not if it is equal.",
    ),
}
"""The words about each kind of step. Those of RESULT say more if it is known what the code returns instead."""
FROM_VALUES = {MAX: "the largest", MIN: "the smallest", CHANCE: "the mean, by the probabilities,"}
BY_NAME = {
    "last name": "takes the action whose name comes last in the alphabet, whatever its value is",
    "first name": "takes the action whose name comes first in the alphabet, whatever its value is",
}
NAME_HINT = "Python compares pairs by their first part. Is that the value, or the name of the action?"
START_HINT = "Which start value is worse than every value that can come? With `inf` and `-inf` nothing is lost."


def words_for(step: Step, extent: Extent, function: str) -> StepTexts:
    """The texts about the first wrong step; `function` is the name of the function with its line."""
    words, facts = _words(step, extent), _facts(step, extent)
    where = f"line {step.line}" if step.line else f"in {function}"
    summary = f"{words.summary.format(**facts)} ({where})."
    return StepTexts(words.name, summary, words.hint, seen(step), _extent_text(step, extent))


def seen(step: Step) -> str:
    """What was expected at the node of a step, and what the code did: two or three short sentences."""
    return _words(step, NOWHERE).seen.format(**_facts(step, NOWHERE))


NOWHERE = Extent(0, 0, None)


def _words(step: Step, extent: Extent) -> Words:
    """The row for a step: that of its rule, with what is special here."""
    rule, visit = step.rule, step.visit
    if rule is Rule.RESULT:
        return _words_of_result(step, extent)
    words = WORDS[rule]
    if rule is Rule.PLIES and not step.action:
        at_root = "The call at the root gets {bound} = {got}. There, {left} must be looked ahead."
        return replace(words, seen=at_root)
    if rule is Rule.TOO_EARLY and extent.place == "with one ply left" and extent.layer is None:
        return replace(words, name="ply-short", summary="Your search stops one ply too early")
    if rule is Rule.LEAF_VALUE and visit.node.is_terminal:
        summary = words.summary.replace("a node with no plies left", "the end of the game")
        return replace(words, summary=summary, seen=words.seen.replace("No plies are left", "The game is over"))
    if rule is Rule.NOT_SEARCHED and extent.instead:
        return replace(words, summary="Your search looks only at the first successor{at_or_layer}")
    if rule is Rule.NO_VALUE and (bare := _bare_number(visit)) is not None:
        summary = "Your search returns a number for a {layer} node, where it returns pairs elsewhere"
        text = f"Other calls of this function return a pair or a Line; this one returned {value_text(bare)}."
        return replace(words, summary=summary, seen=text)
    if rule is Rule.ACTION and (not step.action or step.got is None):
        returned = "{action}, which is no action of the root" if step.action else "no action"
        return replace(
            words, seen=f"The best value, {{expected}}, belongs to {{best}}. Your search returned {returned}."
        )
    return words


def _words_of_result(step: Step, extent: Extent) -> Words:
    """The row for a wrong value of a node: by what the code returns instead, if that is known."""
    layer = step.visit.layer
    name, hint = NAMES_OF_RULES.get((layer, extent.instead), f"wrong-value-at-{layer.value}"), LAYER_HINTS[layer]
    phrase = {**RULE_PHRASES, **BY_NAME}.get(extent.instead, "")
    at = "{at_or_some}"
    if extent.instead in BY_NAME:
        name, hint, at = "compares-names", NAME_HINT, "At {layer} nodes"
    elif extent.start is not None:
        name, hint = "starts-at-zero" if extent.start == 0 else "made-up-infinity", START_HINT
        phrase = f"starts from {value_text(extent.start)}, which is better than the values of the successors"
    words = replace(WORDS[Rule.RESULT], name=name, hint=hint)
    if phrase:
        words = replace(words, summary=f"{at}, your search {phrase}")
    if len(step.visit.values_below()) == 1:
        one = "A {layer} node with one successor is worth as much as that: {expected}. This call returned {got}."
        words = replace(words, seen=one)
    return words


def _facts(step: Step, extent: Extent) -> dict[str, str]:
    """What the words about a step can name."""
    visit, layer = step.visit, step.visit.layer
    expected, place = step.expected or 0, _lower(_place_phrase(extent))
    some = f"{extent.broken} of {extent.shown}" if extent.shown >= extent.broken else "some"
    below = {action: each.value for action, each in visit.values_below().items() if each.value is not None}
    alpha, beta = step.window
    values = list(below.values())
    closing = [value for value in values if (value >= beta if layer is MAX else value <= alpha)]
    return {
        "layer": layer.name,
        "action": step.action,
        "bound": step.bound,
        "got": "no number" if step.got is None else value_text(step.got),
        "expected": value_text(expected),
        "left": counted(visit.left, "ply"),
        "left_are": f"{counted(visit.left, 'ply')} {'is' if visit.left == 1 else 'are'}",
        "after_are": f"{counted(visit.left - 1, 'ply')} {'is' if visit.left == 2 else 'are'}",
        "at": place,
        "at_or_layer": place or ("" if extent.layer is None else f" of {layer.name} nodes"),
        "at_or_some": _place_phrase(extent) or f"At {some} {layer.name} nodes",
        "actions": listed(visit.node.actions),
        "rest": listed([action for action in visit.node.actions if action not in visit.values_below()]),
        "chosen": FROM_VALUES[layer],
        "chosen_short": FROM_VALUES[layer].partition(",")[0],
        "values": listed([value_text(value) for value in values]),
        "best": listed([action for action, value in below.items() if value == step.expected], "or"),
        "call": f"for {step.action}" if step.action else "at the root",
        "no_limit": ", because no value is known yet that limits it" if isinf(expected) else "",
        "window": f"The window of this {layer.name} node is ({value_text(alpha)}, {value_text(beta)})",
        "closed": f"The value {value_text(closing[0])} closed it" if closing else "It was closed",
        "is_open": _open_window(layer, values, beta if layer is MAX else alpha),
    }


def _open_window(layer: Layer, values: list[float], limit: float) -> str:
    """Why the window of a node is still open: a clause about its best value and the bound of the other side."""
    name = "beta" if layer is MAX else "alpha"
    if not values:
        return ""  # only a node with a value can leave out successors because of its window
    best = max(values) if layer is MAX else min(values)
    if not isinf(limit) and float(limit) == best:
        return f"its best value, {value_text(best)}, is equal to {name}, and this question cuts only beyond it"
    return f"its best value, {value_text(best)}, does not reach {name}"


def _bare_number(visit: NodeVisit) -> float | None:
    """The number that the innermost call for a node returned, if it is no part of anything."""
    back = visit.frames[-1].back if visit.frames else None
    return dict(back.numbers).get("") if back else None


def _extent_text(step: Step, extent: Extent) -> str:
    """At how many nodes the same happens, and where everything is right."""
    if extent.shown < 2 or not extent.broken:
        return ""
    kind = _lower(_place_phrase(extent)).removeprefix(" at ") if extent.place not in ("", "everywhere") else ""
    if not kind.startswith(f"{extent.layer.name} nodes" if extent.layer else "nodes"):
        kind = "nodes" if extent.layer is None else f"{extent.layer.name} nodes"
    shows = " where it shows" if step.rule is Rule.RESULT else ""
    text = f"The same at {extent.broken} of {extent.shown} {kind}{shows}"
    if extent.others_are_right and extent.layer is not None:
        text += "; at nodes of other layers it never happens"
    return f"{text}."


def _place_phrase(extent: Extent) -> str:
    """The place, as the beginning of a sentence: "At MIN nodes directly below a MAX node"; "" if there is none."""
    if not extent.place:
        return ""
    if extent.layer is None and extent.place == "everywhere":
        return "At all nodes"
    phrase = PLACE_PHRASES[extent.place]
    layer = "" if extent.layer is None else f"{extent.layer.name} "
    return phrase.replace("{L} ", layer).replace("{L}", layer.strip())


def _lower(phrase: str) -> str:
    """A place as the end of a sentence: " at MIN nodes"; "" for none and for all nodes."""
    return f" {phrase[:1].lower()}{phrase[1:]}" if phrase and phrase != "At all nodes" else ""
