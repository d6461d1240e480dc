"""The sentences about a wrong step: a summary for a list, and what was seen at the shown node."""

from __future__ import annotations

from dataclasses import dataclass
from math import isinf

from autograder.judge.diagnosis.extent import Extent
from autograder.judge.diagnosis.rule_phrases import LAYER_HINTS, NAMES_OF_RULES, PLACE_PHRASES, RULE_PHRASES
from autograder.judge.diagnosis.steps import Rule, Step
from autograder.judge.diagnosis.visits import Visit
from autograder.judge.points_as_text import counted
from pacman.core.layers import Layer
from pacman.core.outline import number

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
NAMES = {
    Rule.STORED: "stored-values",
    Rule.ORDER: "other-order",
    Rule.PLIES: "wrong-plies-passed",
    Rule.BELOW_HORIZON: "below-the-horizon",
    Rule.TOO_EARLY: "stops-too-early",
    Rule.LEAF_VALUE: "wrong-value-at-leaf",
    Rule.NOT_SEARCHED: "children-left-out",
    Rule.NO_VALUE: "returns-no-value",
    Rule.WINDOW: "wrong-window",
    Rule.CUT_EARLY: "cuts-too-early",
    Rule.CUT_LATE: "cuts-too-late",
    Rule.ALL_FIRST: "all-successors-first",
    Rule.ACTION: "wrong-action",
    Rule.BOUND_AS_VALUE: "bound-as-value",
    Rule.UNASKED_CUT: "unasked-cut",
    Rule.REMEMBERED: "wrong-stored-value",
    Rule.NO_LOOK: "returns-at-once",
    Rule.AGAIN: "successors-again",
    Rule.SAME_NODE: "searches-the-same-node",
    Rule.OTHER_SUCCESSOR: "same-successor",
    Rule.OTHER_VALUES: "wrong-stored-value",
}
"""The names of steps, for counting. Those of RESULT are in `NAMES_OF_RULES`."""
STORED_HINT = (
    "If your code stores values: which nodes have the same key? The key must hold all that a value depends on: the "
    "position, the plies left and the window."
)
HINTS = {
    Rule.STORED: "This question counts the nodes of a search that stores no values.",
    Rule.ORDER: "In this question the search follows `actions()` in their order: so it is known which nodes it makes.",
    Rule.PLIES: "Each move uses up one ply, whoever moves. Write the plies that are left at each node of the smallest "
    "tree, and compare them with what your calls pass on.",
    Rule.BELOW_HORIZON: "How does your code find out that no plies are left? Print the number that it compares, at the "
    "marked node and at the nodes above it.",
    Rule.TOO_EARLY: "Which test lets your code stop here? Print the numbers that it compares, at the marked node and "
    "at the nodes above it.",
    Rule.LEAF_VALUE: "Where the game is over or no plies are left, the value is the evaluation of that node, as it is.",
    Rule.NOT_SEARCHED: "Does a `return`, a `break`, a slice or a test end the loop over the actions early?",
    Rule.NO_VALUE: "Which way through the function ends without `return`, or returns something without a value?",
    Rule.WINDOW: "Write down alpha and beta at each node of the smallest tree. MAX may only raise alpha, MIN may only "
    "lower beta, and each call gets the window as it is at that moment.",
    Rule.CUT_EARLY: "Which two numbers does your test for a cut compare? At a MAX node it is the best value with beta, "
    "at a MIN node with alpha.",
    Rule.CUT_LATE: "Which two numbers does your test for a cut compare, and when? It must come before the next "
    "successor is made.",
    Rule.ALL_FIRST: "Make a successor only when it is its turn: inside the loop, after the test for a cut.",
    Rule.ACTION: "Where does your code store the action? Store it at the moment when its value becomes the best.",
    Rule.BOUND_AS_VALUE: "A successor that was cut off is worth at most (at MIN) what it returned. Take another action "
    "only if its value is better, not if it is equal.",
    Rule.UNASKED_CUT: "This question asks for the search of all nodes, without cuts.",
    Rule.REMEMBERED: STORED_HINT,
    Rule.NO_LOOK: "Which test lets your code return here, and what must it return?",
    Rule.OTHER_VALUES: STORED_HINT,
    Rule.OTHER_SUCCESSOR: "Which variable holds the action on this line? Print it each time the line runs.",
    Rule.SAME_NODE: "Which node does the call on this line get? A search goes on with the successors of a node.",
    Rule.AGAIN: "Store the successor in a variable, and use it again.",
}
FROM_VALUES = {MAX: "the largest", MIN: "the smallest", CHANCE: "the mean, by the probabilities,"}


NAME_PHRASES = {
    "last name": "takes the action whose name comes last in the alphabet, whatever its value is",
    "first name": "takes the action whose name comes first in the alphabet, whatever its value is",
}
NAME_HINT = "Python compares pairs by their first part. Is that the value, or the name of the action?"


@dataclass(frozen=True)
class StepWords:
    """The texts about a wrong step."""

    name: str
    summary: str
    hint: str
    seen: str
    extent: str


def words_for(step: Step, extent: Extent, function: str, counts_nodes: bool) -> StepWords:
    """The texts about the first wrong step; `function` is the name of the function with its line."""
    layer = step.visit.layer
    name, hint = NAMES.get(step.rule, ""), HINTS.get(step.rule, "")
    if _is_ply_short(step, extent):
        name = "ply-short"
    if step.rule is Rule.RESULT:
        name = NAMES_OF_RULES.get((layer, extent.instead), f"wrong-value-at-{layer.value}")
        hint = LAYER_HINTS[layer]
        if extent.instead in NAME_PHRASES:
            name, hint = "compares-names", NAME_HINT
        if extent.start is not None:
            name = "starts-at-zero" if extent.start == 0 else "made-up-infinity"
            hint = "Which start value is worse than every value that can come? With `inf` and `-inf` nothing is lost."
    where = f"line {step.line}" if step.line else f"in {function}"
    return StepWords(name, f"{_summary(step, extent)} ({where}).", hint, seen(step), _extent_text(step, extent))


def _is_ply_short(step: Step, extent: Extent) -> bool:
    """True if the search evaluates all nodes with one ply left."""
    return step.rule is Rule.TOO_EARLY and extent.place == "with one ply left" and extent.layer is None


def _summary(step: Step, extent: Extent) -> str:
    """What the code does wrong, in one clause without a full stop."""
    rule, visit = step.rule, step.visit
    at = _place_phrase(extent)
    layer = visit.layer.name
    if rule is Rule.RESULT:
        phrase = {**RULE_PHRASES, **NAME_PHRASES}.get(extent.instead, "")
        if extent.instead in NAME_PHRASES:
            return f"At {layer} nodes, your search {phrase}"
        if extent.start is not None:
            phrase = f"starts from {_number(extent.start)}, which is better than the values of the successors"
        if phrase:
            return f"{at or f'At {_some(extent)} {layer} nodes'}, your search {phrase}"
        what = f"a value that is not {FROM_VALUES[visit.layer].partition(',')[0]} of its successors' values"
        return f"{at or f'At {_some(extent)} {layer} nodes'}, your search returns {what}"
    if rule is Rule.PLIES:
        return f"Your search passes on a wrong number of plies at {_a(visit.layer)} node"
    if rule is Rule.SAME_NODE:
        return "Your search calls itself with the same node, and not with a successor"
    if rule is Rule.BELOW_HORIZON:
        return f"Your search goes on with no plies left{_lower(at)}"
    if _is_ply_short(step, extent):
        return "Your search stops one ply too early"
    if rule is Rule.TOO_EARLY:
        plies = f"with {counted(visit.left, 'ply')} left"
        return f"Your search evaluates {_a(visit.layer)} node {plies}, and does not search its successors"
    if rule is Rule.LEAF_VALUE:
        what = "the end of the game" if visit.node.is_terminal else "a node with no plies left"
        return f"At {what}, your search does not return the evaluation of the node"
    if rule is Rule.NOT_SEARCHED:
        what = "looks only at the first successor" if extent.instead else "leaves out successors"
        return f"Your search {what}{_lower(at) or ('' if extent.layer is None else f' of {layer} nodes')}"
    if rule is Rule.CUT_EARLY:
        return f"Your search leaves out successors of {_a(visit.layer)} node whose window is still open"
    if rule is Rule.CUT_LATE:
        return f"Your search goes on at {_a(visit.layer)} node whose window is closed"
    if rule is Rule.ALL_FIRST:
        return "Your search makes all successors of a node before it searches the first one, too early for a cut"
    if rule is Rule.ORDER:
        return "Your search does not follow the actions in their order"
    if rule is Rule.WINDOW:
        return f"Your search passes on a wrong {step.bound} at {_a(visit.layer)} node"
    if rule is Rule.ACTION:
        return "Your search does not return the action with the best value at the root"
    if rule is Rule.BOUND_AS_VALUE:
        return "Your search takes an action whose value is only a bound, and equal to the best value"
    if rule is Rule.NO_VALUE and _bare_number(visit) is not None:
        return f"Your search returns a number for {_a(visit.layer)} node, where it returns pairs elsewhere"
    if rule is Rule.NO_VALUE:
        return f"Your search returns no value for {_a(visit.layer)} node"
    if rule in (Rule.REMEMBERED, Rule.NO_LOOK):
        return "Your search returns a wrong value without a look at the successors"
    if rule is Rule.OTHER_VALUES:
        return f"At {layer} nodes, your search takes the value of another node for a successor that it does not search"
    if rule is Rule.OTHER_SUCCESSOR:
        return f"Your search makes the same successor of {_a(visit.layer)} node again, and never makes another one"
    if rule is Rule.STORED:
        return "Your search returns a stored value, and does not search the node again"
    if rule is Rule.UNASKED_CUT:
        return "Your search leaves out successors that cannot change the result; this question asks for all nodes"
    return "Your search makes the same successor again"


def seen(step: Step) -> str:
    """What was expected at the node of a step, and what the code did: two or three short sentences."""
    visit, layer = step.visit, step.visit.layer
    kind = f"A {layer.name} node"
    got = "no number" if step.got is None else _number(step.got)
    expected = "" if step.expected is None else _number(step.expected)
    rule = step.rule
    if rule is Rule.RESULT:
        values = [each.value for each in visit.values_below().values() if each.value is not None]
        listed = _listed([_number(value) for value in values])
        if len(values) == 1:
            return f"{kind} with one successor is worth as much as that: {expected}. This call returned {got}."
        return f"{kind} is worth {FROM_VALUES[layer]} of {listed}: {expected}. This call returned {got}."
    if rule is Rule.PLIES and not step.action:
        return (
            f"The call at the root gets {step.bound} = {got}. There, {counted(visit.left, 'ply')} must be looked ahead."
        )
    if rule is Rule.PLIES:
        left = f"{counted(visit.left - 1, 'ply')} {'is' if visit.left == 2 else 'are'}"
        return f"The call for {step.action} gets {step.bound} = {got}. After this move, {left} left."
    if rule is Rule.SAME_NODE:
        return f"This line searches the root again, with {step.bound} = {got}. No successor is made."
    if rule is Rule.BELOW_HORIZON:
        return (
            f"No plies are left here, so the value of this node is its evaluation: {expected}. "
            f"This line makes its successor {step.action}."
        )
    if rule is Rule.TOO_EARLY:
        left = f"{counted(visit.left, 'ply')} {'is' if visit.left == 1 else 'are'}"
        return (
            f"Here {left} left, so the node is worth what its successors make it worth: {expected}. "
            f"This call returned its evaluation, {got}."
        )
    if rule is Rule.LEAF_VALUE:
        why = "The game is over here" if visit.node.is_terminal else "No plies are left here"
        return f"{why}, so the value is the evaluation of this node: {expected}. This call returned {got}."
    if rule is Rule.NOT_SEARCHED:
        return f"A {layer.name} node looks at all of its successors. This call returned without {_rest(step)}."
    if rule in (Rule.CUT_EARLY, Rule.CUT_LATE):
        return _about_cut(step)
    if rule is Rule.ALL_FIRST:
        return (
            f"This line makes {step.action} before the first successor was searched. If that one closes the window, "
            "this successor must not be made."
        )
    if rule is Rule.ORDER:
        return f"The actions here are {_listed(list(visit.node.actions))}. Your search begins with {step.action}."
    if rule is Rule.WINDOW:
        call = f"for {step.action}" if step.action else "at the root"
        why = ""
        if isinf(step.expected or 0):
            why = ", because no value is known yet that limits it"
        return f"The call {call} gets {step.bound} = {got}. At this moment {step.bound} is {expected}{why}."
    if rule is Rule.ACTION:
        return _about_action(step)
    if rule is Rule.BOUND_AS_VALUE:
        return (
            f"The root returned {step.action}, which came back with {expected}, as the best action did. But that is "
            f"only a bound, because a cut ended the search of {step.action}: it is really worth {got}."
        )
    if rule is Rule.NO_VALUE:
        if (bare := _bare_number(visit)) is not None:
            return f"Other calls of this function return a pair or a Line; this one returned {_number(bare)}."
        return "Other calls of this function return a value; what this one returned here has none."
    if rule in (Rule.REMEMBERED, Rule.NO_LOOK):
        left = counted(visit.left, "ply")
        return f"With {left} left this node is worth {expected}. This call returned {got} at once."
    if rule is Rule.OTHER_VALUES:
        return f"This call did not search {step.action}. It took {got} for it, which is the value of another node."
    if rule is Rule.OTHER_SUCCESSOR:
        return f"This line makes {step.action}, which was already made. {_rest(step)} is never made."
    if rule is Rule.STORED:
        return f"This call returned {got} at once: a value from an earlier visit of an equal node."
    if rule is Rule.UNASKED_CUT:
        return f"This call returned without {_rest(step)}."
    return f"The successor {step.action} was already made."


def _bare_number(visit: Visit) -> float | None:
    """The number that the innermost call for a node returned, if it is no part of anything."""
    back = visit.frames[-1].back if visit.frames else None
    return dict(back.numbers).get("") if back else None


def _about_cut(step: Step) -> str:
    visit, layer = step.visit, step.visit.layer
    alpha, beta = step.window
    values = [each.value for each in visit.values_below().values() if each.value is not None]
    window = f"The window of this {layer.name} node is ({_number(alpha)}, {_number(beta)})"
    limit = beta if layer is MAX else alpha
    if step.rule is Rule.CUT_EARLY:
        best = _number((max if layer is MAX else min)(values)) if values else "not known"
        name = "beta" if layer is MAX else "alpha"
        is_open = f"its best value, {best}, does not reach {name}"
        if not isinf(limit) and values and float(limit) == (max if layer is MAX else min)(values):
            is_open = f"its best value, {best}, is equal to {name}, and this question cuts only beyond it"
        return (
            f"{window}, and {is_open}. So {step.action} can still change the result, but the call returned without it."
        )
    closing = [value for value in values if (value >= beta if layer is MAX else value <= alpha)]
    closed = f"The value {_number(closing[0])} closed it" if closing else "It was closed"
    return f"{window}. {closed}, so no further successor counts. This line still makes {step.action}."


def _about_action(step: Step) -> str:
    values = {action: each.value for action, each in step.visit.values_below().items() if each.value is not None}
    best = [action for action, value in values.items() if value == step.expected]
    belongs = f"The best value, {_number(step.expected or 0)}, belongs to {_listed(best, 'or')}"
    if not step.action:
        return f"{belongs}. Your search returned no action."
    if step.got is None:
        return f"{belongs}. Your search returned {step.action}, which is no action of the root."
    return f"{belongs}. Your search returned {step.action}, whose value is {_number(step.got)}."


def _rest(step: Step) -> str:
    """The successors that a call left out."""
    done = step.visit.values_below()
    return _listed([action for action in step.visit.node.actions if action not in done])


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


def _some(extent: Extent) -> str:
    return f"{extent.broken} of {extent.shown}" if extent.shown >= extent.broken else "some"


def _a(layer: Layer) -> str:
    return f"a {layer.name}"


def _listed(parts: list[str], word: str = "and") -> str:
    *most, last = parts or ["none"]
    return f"{', '.join(most)} {word} {last}" if most else last


def _number(value: float) -> str:
    if isinf(value):
        return "inf" if value > 0 else "-inf"
    return number(value) if abs(value) < 1e15 and value == int(value) else f"{value:.6g}"


def node_name(visit: Visit) -> str:
    """The name of the node of a visit: "node West > East", or "the root"."""
    return f"node {' > '.join(visit.path)}" if visit.path else "the root"
