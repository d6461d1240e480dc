"""The sentences about a wrong step: a summary for a list, and what was seen at the shown node."""

from __future__ import annotations

from dataclasses import replace
from math import isinf

from autograder.judge.diagnosis.extent import AT_EQUALITY, BY_NAME, PLACES, Extent, is_at_equality
from autograder.judge.diagnosis.rules import NAMES_OF_RULES, RULES
from autograder.judge.diagnosis.steps import CHANCE, MAX, MIN, Breach, Step, Words
from autograder.judge.points_as_text import value_text
from autograder.judge.wrong_searches import LAYER_HINTS
from pacman.core.errors import counted, listed
from pacman.core.tree import Layer

FROM_VALUES = {MAX: "the largest", MIN: "the smallest", CHANCE: "the mean"}
NAME_HINT = "Python compares pairs by their first part. Is that the value, or the name of the action?"
START_HINT = "Which start value is worse than every value that can come? With `inf` and `-inf` nothing is lost."

HINTS_IN_ROUNDS = {
    CHANCE: "Here a ghost moves at random, each legal action with the same probability: add up the values of all "
    "successors, then divide by the number of actions. Which line of your code does this for a ghost?",
    MIN: "At a MIN node an opponent of MAX chooses, and it wants the smallest of the children's values. Which line of "
    "your code runs for this ghost?",
}
"""As in LAYER_HINTS, for a Berkeley-style file."""
SUMMARY_AT_EQUALITY = {
    Breach.CUT_LATE: "At {layer} nodes, your search cuts only if the best value is beyond {limit}; this question also "
    "cuts where the two are equal",
    Breach.CUT_EARLY: "At {layer} nodes, your search also cuts where the best value is equal to {limit}; this question "
    "cuts only beyond it",
}
EQUALITY_HINT = (
    "Which comparison does your test for a cut use, for example `>` or `>=`? Which of the two also cuts if both "
    "numbers are equal?"
)
NOT_ASKED_HINT = (
    "Where does this number come from? If this line evaluates a node, which one? A stored value belongs to one node "
    "and one number of plies left."
)


def words_for(step: Step, extent: Extent, function: str) -> Words:
    """The texts about the first wrong step; `function` is the name of the function with its line."""
    words = _words(step, extent)
    where = f"line {step.line}" if step.line else f"in {function}"
    summary = f"{words.summary.format(**_facts(step, extent))} ({where})."
    return replace(words, summary=summary, seen=seen(step))


def seen(step: Step) -> str:
    """What was expected at the node of a step, and what the code did: two or three short sentences."""
    return _words(step, NOWHERE).seen.format(**_facts(step, NOWHERE))


NOWHERE = Extent(0, 0, None)


def _words(step: Step, extent: Extent) -> Words:
    """The words of the kind of the step, changed for special cases."""
    breach, visit, words = step.breach, step.visit, step.breach.words
    if breach is Breach.RESULT:
        return _words_of_result(step, extent)
    if breach is Breach.PLIES and not step.action:
        at_root = "The call at the root gets {bound} = {got}. There, {left} must be looked ahead."
        return replace(words, seen=at_root)
    if breach is Breach.LEAF_VALUE and not visit.scores:
        is_number = step.got is not None and not isinf(step.got)  # an infinite one is the start of a loop without turns
        words = replace(words, hint=NOT_ASKED_HINT, in_rounds="") if is_number else words
        return replace(words, seen=f"{words.seen[:-1]}, and did not evaluate this node.")
    if breach is Breach.TOO_EARLY and extent.place == "with one ply left" and extent.layer is None:
        return replace(words, name="ply-short", summary="Your search stops one ply too early")
    if breach is Breach.CUT_EARLY and is_at_equality(step):
        words = replace(words, seen="{window}, and {is_open}. The call returned without {action}.")
    if extent.instead == AT_EQUALITY:
        return replace(words, summary=SUMMARY_AT_EQUALITY[breach], hint=EQUALITY_HINT)
    if breach is Breach.NOT_SEARCHED and extent.instead:
        return replace(words, summary="{at_or_some}, your search looks only at the first successor")
    back = visit.frames[-1].back if visit.frames else None
    if breach is Breach.NO_VALUE and back and (bare := dict(back.numbers).get("")) is not None:
        summary = "Your search returns a number for a {layer} node, where it returns pairs elsewhere"
        text = f"Other calls of this function return a pair or a Line; this one returned {value_text(bare)}."
        return replace(words, summary=summary, seen=text)
    if breach is Breach.ACTION and (not step.action or step.got is None):
        returned = "{action}, which is no action of the root" if step.action else "no action"
        return replace(
            words, seen=f"The best value, {{expected}}, belongs to {{best}}. Your search returned {returned}."
        )
    return words


def _words_of_result(step: Step, extent: Extent) -> Words:
    """The row for a wrong value of a node: by what the code returns instead, if that is known."""
    layer = step.visit.layer
    name, hint = NAMES_OF_RULES.get((layer, extent.instead), f"wrong-value-at-{layer.value}"), LAYER_HINTS[layer]
    in_rounds = HINTS_IN_ROUNDS.get(layer, "")
    phrase = RULES[extent.instead].phrase if extent.instead in RULES else ""
    at = "{at_or_some}"
    if extent.instead in BY_NAME:
        name, hint, in_rounds = "compares-names", NAME_HINT, ""
        at, phrase = "At {layer} nodes", BY_NAME[extent.instead][1]
    elif extent.start is not None:
        name, hint, in_rounds = "starts-at-zero" if extent.start == 0 else "made-up-infinity", START_HINT, ""
        phrase = f"starts from {value_text(extent.start)}, which is better than the values of the successors"
    words = replace(Breach.RESULT.words, name=name, hint=hint, in_rounds=in_rounds)
    if phrase:
        words = replace(words, summary=f"{at}, your search {phrase}")
    if len(step.visit.values_below()) == 1:
        one = "A {layer} node with one successor is worth as much as that: {expected}. This call returned {got}."
        words = replace(words, seen=one)
    return words


def _facts(step: Step, extent: Extent) -> dict[str, str]:
    """What the words about a step can name."""
    visit, layer, is_over = step.visit, step.visit.layer, step.visit.node.is_terminal
    expected, place = step.expected or 0, _place_at_end(extent)
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
        "leaf": "the end of the game" if is_over else "a node with no plies left",
        "is_leaf": "The game is over" if is_over else "No plies are left",
        "after_are": f"{counted(visit.left - 1, 'ply')} {'is' if visit.left == 2 else 'are'}",
        "at": place,
        "at_or_layer": place or ("" if extent.layer is None else f" of {layer.name} nodes"),
        "at_or_some": _place_phrase(extent) or f"At {some} {layer.name} nodes",
        "actions": listed(visit.node.actions),
        "rest": listed([action for action in visit.node.actions if action not in visit.values_below()]),
        "chosen": FROM_VALUES[layer] + (", by the probabilities," if layer is CHANCE else ""),
        "chosen_short": FROM_VALUES[layer],
        "values": listed([value_text(value) for value in values]),
        "best": listed([action for action, value in below.items() if value == step.expected], "or"),
        "limit": "beta" if layer is MAX else "alpha",
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


def extent_text(step: Step, extent: Extent) -> str:
    """At how many nodes the same happens, and where everything is right."""
    if extent.shown < 2 or not extent.broken:
        return ""
    layer, place = extent.layer, PLACES.get(extent.place)
    kind = f"{f'{layer.name} ' if layer else ''}nodes{(place and place.nodes) or ''}"
    shows = " where it shows" if step.breach is Breach.RESULT else ""
    text = f"The same at {extent.broken} of {extent.shown} {kind}{shows}"
    if extent.others_are_right and layer is not None:
        text += "; at nodes of other layers it never happens"
    return f"{text}."


def _place_phrase(extent: Extent) -> str:
    """The place, as the beginning of a sentence: "At MIN nodes below the root"; "" if there is none."""
    return (
        "" if not extent.place else "At all nodes" if _is_everywhere(extent) else PLACES[extent.place].at(extent.layer)
    )


def _place_at_end(extent: Extent) -> str:
    """The place, as the end of a sentence: " at MIN nodes below the root"; "" for none and for all nodes."""
    phrase = "" if _is_everywhere(extent) else _place_phrase(extent)
    return f" {phrase[:1].lower()}{phrase[1:]}" if phrase else ""


def _is_everywhere(extent: Extent) -> bool:
    return extent.layer is None and extent.place == "everywhere"
