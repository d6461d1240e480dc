"""The words about a wrong step: what the code does, what was expected at the node, and a question that leads on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isinf

from autograder.judge.diagnosis.extent import (
    AT_EQUALITY,
    NAMES_COMPARED,
    OF_LOST_GAMES,
    ONE_PLY_LEFT,
    RULES,
    Extent,
    is_at_equality,
    is_first_bound,
    made_up_bound,
)
from autograder.judge.diagnosis.steps import CHANCE, MAX, MIN, Breach, Step, Words, best_below
from autograder.judge.points_as_text import value_text
from autograder.judge.wrong_searches import LAYER_HINTS
from pacman.core.errors import counted, listed
from pacman.record.calls import is_near
from pacman.record.watcher import IN_A_PAIR

FROM_VALUES = {MAX: "the largest", MIN: "the smallest", CHANCE: "the mean"}
SAME_KIND_HINT = (
    "Let each way through this function return the same kind of thing. Before you compare a result, add it or put it "
    "into a pair, take its number: `.value` of a Line, or the part of a pair that is the value."
)
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
    Breach.CUT_LATE: "At {layer} nodes, your search cuts only if the best value is beyond {limit}; the task says: cut "
    "also where the two are equal",
    Breach.CUT_EARLY: "At {layer} nodes, your search also cuts where the best value is equal to {limit}; the task "
    "says: cut only beyond it",
}
EQUALITY_HINT = (
    "Which comparison does your test for a cut use, for example `>` or `>=`? Which of the two also cuts if both "
    "numbers are equal?"
)
LOST_HINT = (
    "Which test finds out that the game is over? A game can be won, and it can be lost.",
    "Which test finds out that the game is over? It can be won, `isWin()`, and it can be lost, `isLose()`.",
)
GHOSTS_HINT = (
    "Does your code know more than one ghost? Which function must run after the first ghost, and which after the last?"
)
BY_A_TEST = (Breach.BELOW_HORIZON, Breach.TOO_EARLY, Breach.NO_LOOK)
"""What the numbers explain that a test compares."""
OF_ANOTHER_AGENT = (Breach.TOO_EARLY, Breach.BELOW_HORIZON)
"""What a search does wrong that takes a ghost for Pacman."""
OVERWRITTEN_HINT = (
    "Deeper nodes store their actions in the same {0}: when does the root read it, and which node wrote it last? A "
    "local variable belongs to one call."
)
SHARED_HINT = (
    "Each call needs its own alpha and beta, as parameters: what one call changes on `self`, all other calls see. "
    "Which nodes change the numbers that your test for a cut compares?"
)
TURNED_HINT = (
    "Which two numbers does your test for a cut compare? Where each node has the values of the one who moves, it is "
    "always the best value with beta."
)
TURNED_LEAF = {
    "summary": "At {leaf}, your search returns the evaluation as it is, and its other values for the one who moves",
    "seen": "{is_leaf} here. Elsewhere {function} returns values for the one who moves. For {layer}, the value of this "
    "node is its evaluation with the other sign: {for_mover}. This call returned the evaluation: {returned}.",
    "hint": "From whose side are the numbers that this function returns? The evaluation is always from MAX's side.",
}
TURNED_RESULT = {
    "summary": "At {layer} nodes, your search takes the values of its successors as they are, but these are for the "
    "other side",
    "seen": "A {layer} node is worth {chosen} of {values}: {expected}. {function} returns values for the one who "
    "moves, so here {for_mover}. This call returned {returned}.",
    "hint": "In a negamax, each call returns the value for the one who moves at its node. What must the caller do with "
    "the value of a node where the other side moves?",
}
NO_START = {
    "name": "wrong-value",
    "summary": "{at_or_some}, your search returns {got}, whatever its successors are worth",
    "hint": "With which value does the best value begin here, and which line changes it?",
}
OTHER_END = {
    "name": "wrong-value",
    "summary": "{at_or_some}, your search returns {end}, which is not {chosen_short} of its successors' values",
    "hint": "At a MAX node, alpha is the best value so far; at a MIN node, beta is. Which of the two does this line "
    "return?",
}
BEFORE_STORED = {
    "summary": "At {layer} nodes, your search leaves the loop before it stores the value that closes the window",
    "hint": "Which line stores the value of a successor? Does it run before the `break` or the `return` of a cut?",
}
ENDLESS = Words(
    "never-ends",
    "Your search does not end on a small tree{}.",
    hint="Which loop or which call comes back to this line again and again? What has to change there so that it ends?",
)
THROUGH_CHANCE = Words(
    "window-through-chance",
    "Your search passes its {bound} on through a CHANCE node",
    "The call for {action} gets {bound} = {got}. But the mean needs the exact value of each outcome: below a CHANCE "
    "node, alpha and beta of the node above do not hold.",
    "One outcome is below alpha. Does this prove that the mean is below alpha? Which window does each outcome need?",
)
OWN_WINDOW_AT_CHANCE = Words(
    "wrong-window",
    "Your search passes on a wrong {bound} at a CHANCE node",
    "The call for {action} gets {bound} = {got}, so its value is not exact, and the mean is wrong.",
    "Which values can the other outcomes have, at least and at most? Below a CHANCE node, only a window that allows "
    "for all of them is right.",
)
RETURN_HINT = (
    "Where does your code store the action of the best value? And does each way through your outermost function end "
    "with a `return` of it?"
)
NOT_ASKED_HINT = (
    "Where does this number come from? If this line evaluates a node, which one? A stored value belongs to one node "
    "and one number of plies left."
)


def seen(step: Step) -> str:
    """What was expected at the node of a step, and what the code did: two or three short sentences."""
    return words_of(step, Extent()).seen.format(**facts_of(step, Extent()))


def words_of(step: Step, extent: Extent) -> Words:
    """The words of the kind of the step, changed for special cases."""
    breach, visit, words = step.breach, step.visit, step.breach.words
    if breach is Breach.RESULT:
        return _words_of_result(step, extent)
    if breach is Breach.PLIES and any(frame.start == step.time for frame in visit.frames):
        return replace(words, seen="A call for this node gets {bound} = {got}, expected {expected}: {left_are} left.")
    if breach is Breach.SAME_NODE and not step.bound:
        return replace(words, seen="This line searches the node itself, once for each action, and not its successors.")
    if breach is Breach.WINDOW and visit.layer is CHANCE:
        own = dict(zip(("alpha", "beta"), visit.window or (), strict=False)).get(step.bound, step.got)
        if own is None or step.got is None or not is_near(own, step.got):
            return OWN_WINDOW_AT_CHANCE
        hint = THROUGH_CHANCE.hint
        return replace(THROUGH_CHANCE, hint=hint.replace("below alpha", "above beta") if step.bound == "beta" else hint)
    if breach is Breach.LEAF_VALUE and not visit.scores:
        is_number = step.got is not None and not isinf(step.got)  # an infinite one is the start of a loop without turns
        words = replace(words, hint=NOT_ASKED_HINT, in_rounds="") if is_number else words
        if extent.instead == OF_LOST_GAMES:
            summary = (
                "Where a game ends early with a value below 0, your search does not return the evaluation of the node"
            )
            words = replace(words, summary=summary, hint=LOST_HINT[0], in_rounds=LOST_HINT[1])
        return replace(words, seen=f"{words.seen[:-1]}, and did not evaluate this node.")
    if breach in OF_ANOTHER_AGENT and extent.is_of_max:
        summary = "Your search runs {function}, a function of its MAX nodes, at a {layer} node of ghost {turn}"
        return replace(words, summary=summary, hint=GHOSTS_HINT, in_rounds="")
    if breach is Breach.TOO_EARLY and extent.place is ONE_PLY_LEFT and extent.layer is None:
        return replace(words, name="ply-short", summary="Your search stops one ply too early")
    if breach is Breach.CUT_EARLY and is_at_equality(step):
        words = replace(words, seen="{window}, and {is_open}. The call returned without {action}.")
    if breach in (Breach.CUT_EARLY, Breach.WINDOW) and extent.start is not None and made_up_bound(step) == extent.start:
        return _words_of_start(step, words, value_text(extent.start))
    if extent.instead == AT_EQUALITY:
        return replace(words, summary=SUMMARY_AT_EQUALITY[breach], hint=EQUALITY_HINT)
    if breach is Breach.NOT_SEARCHED and extent.instead:
        return replace(words, summary="{at_or_some}, your search looks only at the first successor")
    back = visit.frames[-1].back if visit.frames else None
    if breach is Breach.NO_VALUE and visit.is_leaf and visit.node.is_terminal:
        seen = "{is_leaf} here, so the value is the evaluation of this node: {expected}. This call returned none."
        return replace(
            words,
            summary="At {leaf}, your search returns no value",
            seen=seen,
            hint=LOST_HINT[0],
            in_rounds=LOST_HINT[1],
        )
    if breach is Breach.NO_VALUE and back and back.numbers:  # this call returned a number in another place
        words = _words_of_another_kind(words, dict(back.numbers))
    if breach is Breach.ACTION and (not step.action or step.got is None):
        returned = "{action}, which is no action of the root" if step.action else "no action"
        seen = f"The best value, {{expected}}, belongs to {{best}}. Your search returned {returned}."
        words = replace(words, seen=seen, hint=words.hint if step.action else RETURN_HINT)
    return words


def _words_of_another_kind(words: Words, places: Mapping[str, float]) -> Words:
    """The words for a call that returned a number in another place than other calls of its function."""
    kind, others = "a pair or a Line", "a number"
    if "[1]" in places and "[0]" not in places:
        kind, others = "a pair with the number second", "the number first or alone"
    elif IN_A_PAIR in places:
        kind, others = "a pair inside of a pair", "a pair with a number"
    elif (bare := places.get("")) is not None:
        kind, others = f"the number {value_text(bare)}", "a pair or a Line"
    summary = f"Your search returns {kind} for a {{layer}} node, where it returns {others} elsewhere"
    seen = f"Other calls of this function return {others}; this one returned {kind}."
    return replace(words, summary=summary, seen=seen, hint=SAME_KIND_HINT, in_rounds="")


def _words_of_start(step: Step, words: Words, start: str) -> Words:
    """The words about a bound that is a number which the search made up."""
    is_min = step.visit.layer is MIN
    if step.breach is Breach.WINDOW and is_first_bound(step):
        summary = f"Your search begins with {{bound}} = {start}; but values can be "
        summary += "smaller" if step.bound == "alpha" else "larger"
    elif step.breach is Breach.WINDOW:
        worse = "larger" if is_min else "smaller"
        known = "before a value is known" if isinf(step.expected or 0) else f"where all values so far are {worse}"
        summary = f"Your search passes on {{bound}} = {start} at a {{layer}} node, {known}"
    else:
        better = "smaller" if is_min else "larger"
        summary = (
            f"At {{layer}} nodes, your search cuts at {{limit}} = {start}, with which it begins; but values can be "
        )
        summary += better
    return replace(words, name="made-up-infinity", summary=summary, hint=START_HINT)


def _words_of_result(step: Step, extent: Extent) -> Words:
    """The row for a wrong value of a node: by what the code returns instead, if that is known."""
    layer, rule, phrase = step.visit.layer, RULES.get(extent.instead), ""
    name, hint, in_rounds = f"wrong-value-at-{layer.value}", LAYER_HINTS[layer], HINTS_IN_ROUNDS.get(layer, "")
    if rule:
        name, phrase = rule.names.get(layer, name), rule.phrase
        hint, in_rounds = (NAME_HINT, "") if rule.names is NAMES_COMPARED else (hint, in_rounds)
    elif extent.start is not None:
        name, hint, in_rounds = "starts-at-zero" if extent.start == 0 else "made-up-infinity", START_HINT, ""
        side = "lower" if layer is MIN else "higher"
        phrase = f"starts from {value_text(extent.start)}, which is {side} than all values of the successors"
    words = replace(Breach.RESULT.words, name=name, hint=hint, in_rounds=in_rounds)
    if phrase:
        words = replace(words, summary=f"{{at_or_some}}, your search {phrase}")
    if len(step.visit.values_below()) == 1:
        one = "A {layer} node with one successor is worth as much as that: {expected}. This call returned {got}."
        words = replace(words, seen=one)
    return words


def facts_of(step: Step, extent: Extent) -> dict[str, str]:
    """What the words about a step can name."""
    visit, layer, is_over = step.visit, step.visit.layer, step.visit.node.is_terminal
    expected, phrase = step.expected or 0, extent.phrase
    at = f" {phrase[:1].lower()}{phrase[1:]}" if phrase and not extent.is_everywhere else ""
    below, best = visit.values_below(), best_below(visit)
    alpha, beta = step.window
    limit, bound = ("beta", beta) if layer is MAX else ("alpha", alpha)
    closing = [value for value in below.values() if (value >= beta if layer is MAX else value <= alpha)]
    is_open = f"its best value, {value_text(best)}, does not reach {limit}" if below else ""
    if float(bound) == best and not isinf(bound):
        is_open = f"its best value, {value_text(best)}, is equal to {limit}, and the task says: cut only beyond it"

    def plies(left: int) -> str:
        return f"{counted(left, 'ply')} {'is' if left == 1 else 'are'}"

    return {
        "layer": layer.name,
        "action": step.action,
        "bound": step.bound,
        "got": "no number" if step.got is None else value_text(step.got),
        "expected": value_text(expected),
        "for_mover": value_text((-1 if layer is MIN else 1) * expected),
        "returned": value_text((-1 if layer is MIN else 1) * (step.got or 0)),
        "left": counted(visit.left, "ply"),
        "left_are": plies(visit.left),
        "after_are": plies(visit.left - 1),
        "turn": str(visit.node.turn),
        "made_at": str(visit.made[0][1].line) if visit.made else "",
        "last_agent": str(visit.node.agents - 1),
        "leaf": "the end of the game" if is_over else "a node with no plies left",
        "is_leaf": "The game is over" if is_over else "No plies are left",
        "at": at,
        "at_or_layer": at or ("" if extent.layer is None else f" of {layer.name} nodes"),
        "at_or_some": phrase or f"At some {layer.name} nodes",
        "actions": listed(visit.node.actions),
        "rest": listed([action for action in visit.node.actions if action not in below]),
        "chosen": FROM_VALUES[layer] + (", by the probabilities," if layer is CHANCE else ""),
        "chosen_short": FROM_VALUES[layer],
        "values": listed([*map(value_text, below.values())]),
        "best": listed([action for action, value in below.items() if value == step.expected], "or"),
        "limit": limit,
        "call": f"for {step.action}" if step.action else "for this node" if visit.parent else "at the root",
        "no_limit": ", because no value is known yet that limits it" if isinf(expected) else "",
        "window": f"The window of this {layer.name} node is ({value_text(alpha)}, {value_text(beta)})",
        "closed": f"The value {value_text(closing[0])} closed it" if closing else "It was closed",
        "is_open": is_open,
    }
