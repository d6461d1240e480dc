"""The mistakes that a wrong guess can come from: wrong searches, with the questions in which they show.

A wrong search runs from one node on, which gets a tree of one ply: its children are leaves with the values that the
right search has for them. So it answers with one mistake and no consequences of earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isfinite

from autograder.judge.diagnosis.model_tree import ModelTree
from autograder.judge.wrong_searches.mistakes import MISTAKES
from autograder.judge.wrong_searches.search_model import Change, Decider, SearchModel
from autograder.judge.wrong_searches.simulation import Simulation
from autograder.pages.predict.answer_words import told
from autograder.pages.predict.situations import Answer, Kind, Situation, is_same
from pacman.core.layers import Layer
from pacman.core.tree_text import Outline

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
VALUE, WINDOW, CUT, ACTION = Kind.VALUE, Kind.WINDOW, Kind.CUT, Kind.ACTION
BOTH, ALL = (MAX, MIN), (MAX, MIN, CHANCE)
MOST = 100


@dataclass(frozen=True)
class WrongSearch:
    """A mistake in questions of one kind: a wrong search, and the nodes at which a student's guess can show it.

    `words` (see `told`) say where the wrong answer comes from. `change` is that of a row of the table of mistakes with
    the same name.
    """

    name: str
    kind: Kind
    words: str
    change: Change
    layers: tuple[Layer, ...] = BOTH
    needs_window: bool = False
    """True if the wrong value comes from the window or from a cut."""
    sees_all: bool = False
    applies: Callable[[Situation, Answer], bool] | None = None
    """False where the answer has another cause, so that the words would be false."""

    def answer(self, situation: Situation) -> Answer | None:
        """What somebody with this misconception answers; None if that is nothing, or right."""
        if situation.kind is not self.kind or situation.layer not in self.layers or not self._can_show(situation):
            return None
        cuts = self.needs_window or self.kind not in (VALUE, ACTION)
        answer = local_answer(situation, replace(right_model(situation, cuts), **self.change), self.sees_all)
        if answer is None or is_same(answer, situation.right):
            return None
        return answer if self.applies is None or self.applies(situation, answer) else None

    def told(self, situation: Situation, answer: Answer) -> str:
        """Where the wrong answer comes from."""
        return told(self.words, situation, answer)

    @cached_property
    def sentence(self) -> str:
        """What the grader says to a program with this mistake."""
        return next(row.sentence for row in MISTAKES if (row.name, row.change) == (self.name, self.change))

    def _can_show(self, situation: Situation) -> bool:
        if (self.needs_window and not situation.prunes) or (self.sees_all and not situation.others):
            return False
        if self.change.get("horizon") and situation.evaluation is None:
            return False
        needs_leaves = self.change.get("evaluates") or self.change.get("horizon")
        return not needs_leaves or (situation.has_leaves_only and not situation.others)


def right_model(situation: Situation, cuts: bool = True) -> SearchModel:
    """The model of the right search; one without `cuts` takes the children that the search has seen as all of them."""
    return SearchModel(cuts="equal" if cuts and situation.prunes else "")


def local_answer(situation: Situation, model: SearchModel, sees_all: bool = False) -> Answer | None:
    """What the search of `model` answers; None if it would not come to this event, or answers nothing.

    A value or an action comes from the children that the right search has seen, or with `sees_all` from all.
    """
    only_seen = situation.kind in (VALUE, ACTION) and not sees_all
    alpha, beta = situation.window
    placed = replace(model, window_alpha=alpha, window_beta=beta)
    search = Simulation(placed, _tree(situation, len(situation.values) if only_seen else None), MOST)
    result = search.result()
    if result.error:
        return None
    if situation.kind is VALUE:
        return result.value
    if situation.kind is ACTION:
        return result.action
    entered = len(result.generated)
    if situation.kind is WINDOW:
        return search.windows[result.generated[situation.place]] if entered > situation.place else None
    if situation.kind is CUT and entered >= situation.place:
        return entered == situation.place
    return None


@lru_cache(maxsize=4)
def _tree(situation: Situation, most: int | None) -> ModelTree:
    """The node with its first children as leaves: the `most` first ones, or all. Several searches can share it."""
    leaves = [Outline(None, value) for value in (*situation.values, *situation.others)][:most]
    is_chance = situation.layer is CHANCE
    node = Outline(
        situation.layer,
        branches=tuple(zip(situation.actions[:most], leaves, strict=True)),
        probabilities=tuple(Fraction(each) for each in situation.probabilities[:most]) if is_chance else (),
        evaluation=situation.evaluation,
    )
    return ModelTree(node, plies=1)


def _has_one_most_likely(situation: Situation, answer: Answer) -> bool:
    return situation.probabilities.count(max(situation.probabilities)) == 1


def _is_after_cut(situation: Situation, answer: Answer) -> bool:
    return bool(situation.others)


def _cuts_at_own_bound(situation: Situation, answer: Answer) -> bool:
    """True for a cut at a node that got its own bound, alpha at MAX or beta at MIN, from above."""
    return answer is True and isfinite(situation.window[0 if situation.layer is MAX else 1])


def _decides(layer: Layer, rule: str) -> Change:
    return {"deciders": (Decider(layer, "everywhere", rule),)}


DECIDERS = (
    ("max-as-min", MAX, "min", "the smallest of {values}"),
    ("max-as-chance", MAX, "mean", "the mean of {values}"),
    ("min-as-max", MIN, "max", "the largest of {values}"),
    ("min-as-chance", MIN, "mean", "the mean of {values}"),
    ("chance-as-min", CHANCE, "min", "the smallest of {values}"),
    ("chance-as-max", CHANCE, "max", "the largest of {values}"),
    ("sum-for-mean", CHANCE, "sum", "the sum of {values}"),
    ("equal-chances", CHANCE, "equal mean", "the plain mean of {values}"),
    ("mean-divided-again", CHANCE, "mean divided again",
     "the weighted mean of {values}, divided by the number of children once more"),
    ("integer-division", CHANCE, "mean rounded down", "the weighted mean of {values}, rounded down"),
)  # fmt: skip
"""Wrong values: the mistake, its layer, what the search does there instead, and what the guess is then."""
VALUE_ROWS = (
    *(WrongSearch(name, VALUE, f"{{guess}} is {what}; {{counts}}.", _decides(layer, rule), (layer,))
      for name, layer, rule, what in DECIDERS),
    WrongSearch("wrong-value-at-chance", VALUE, "{guess} is the value of the most likely outcome; the values are "
                "{values}; {counts}.", _decides(CHANCE, "most likely"), (CHANCE,), applies=_has_one_most_likely),
    *(WrongSearch(name, VALUE, words, change, (layer,)) for layer in BOTH for name, words, change in (
        (f"wrong-value-at-{layer.value}", "{guess} is the value of {first_child}, the first child that the search has "
         "seen; {counts}.", _decides(layer, "first")),
        (f"wrong-value-at-{layer.value}", "{guess} is the largest of {negated}, the values with the opposite sign; "
         "here every value is MAX's, so no sign changes.", _decides(layer, "max of negatives")),
        ("last-value", "{guess} is the value of {last_child}, the last child that the search has seen; {counts}.",
         {"returns_last": f"{layer.value} nodes"}),
        ("starts-at-zero", "No child that the search has seen has the value {guess}: {have} {values}; {counts}.",
         {f"{layer.value}_start": 0.0}),
    )),
    WrongSearch("compares-size", VALUE, "{guess} is {rule} of {values} only if signs do not count.",
                {"compares": "absolute"}),
    WrongSearch("sign-changed", VALUE, "{guess} is {rule} of {negated}, the leaves with the opposite sign; a leaf says "
                "what it is worth to MAX.", {"evaluates": "minus"}, ALL),
    WrongSearch("ply-short", VALUE, "{guess} is the evaluation of this node, ~{guess}; the search has one more ply, "
                "and the children are worth {values}.", {"horizon": "plies - 1"}, ALL),
    WrongSearch("fail-hard", VALUE, "{guess} is {bound_name}; this search returns the value that it found, {right}, "
                "also if it lies outside the window {window}.", {"hard": True}, needs_window=True),
    WrongSearch("cut-returns-zero", VALUE, "After the cut the search returns the value that it found, not {guess}.",
                {"cut_returns": "zero"}, needs_window=True, applies=_is_after_cut),
    WrongSearch("no-cut", VALUE, "{guess} is {rule} of {all}; the search has cut {rest} off and never sees it.",
                {"cuts": ""}, needs_window=True, sees_all=True),
)  # fmt: skip
HAS = "{{guess}} has the value {{value}}, {}; {{counts}}."
ACTION_ROWS = (
    WrongSearch("max-as-min", ACTION, HAS.format("the smallest of {values}"), _decides(MAX, "min"), (MAX,)),
    WrongSearch("min-as-max", ACTION, HAS.format("the largest of {values}"), _decides(MIN, "max"), (MIN,)),
    WrongSearch("last-of-ties", ACTION, "{ties} have the same value, {value}; the first of them wins.",
                {"ties": "last"}),
    *(WrongSearch(name, ACTION, HAS.format(what), change) for name, what, change in (
        ("first-action", "and it is the first action; the values are {values}", {"action": "first"}),
        ("action-of-last-loop", "and it is the last action; the values are {values}", {"action": "last"}),
        ("compares-size", "the best of {values} only if signs do not count", {"compares": "absolute"}),
    )),
)  # fmt: skip
STAYS = "{guess} still has the {own} from above; a child is worth {best}, so {own} is tighter now."
WINDOW_ROWS = (
    WrongSearch("alpha-never-raised", WINDOW, STAYS, {"updates_max": "nothing"}, (MAX,)),
    WrongSearch("beta-never-lowered", WINDOW, STAYS, {"updates_min": "nothing"}, (MIN,)),
    *(WrongSearch(name, WINDOW, words, {"passes_max": passes, "passes_min": passes}) for name, passes, words in (
        ("both-reset", "neither", "{guess} contains every value, as at the start of the search; a child gets the "
         "bounds of its parent."),
        ("alpha-lost", "beta", "{guess} has no alpha; this node knows a larger one."),
        ("beta-lost", "alpha", "{guess} has no beta; this node knows a smaller one."),
        ("own-bound-only", "own", "{guess} has only what this node itself has found; from above it got the window "
         "{window}."),
    )),
    *(WrongSearch(name, WINDOW, words, {"updates_max": updates, "updates_min": updates}) for name, updates, words in (
        ("bound-overwritten", "set", "In {guess}, {own} is {last}, the value of the last child; a bound may only "
         "become tighter."),
        ("bound-forgotten", "set best", "In {guess}, {own} is {best}, the best child so far; the {own} from the window "
         "above, {window}, is tighter."),
        ("bounds-exchanged", "other", "In {guess} the value of a child has changed the wrong bound; a {layer} node "
         "changes {own}."),
    )),
    WrongSearch("window-swapped", WINDOW, "{guess} has alpha and beta in the wrong order.",
                {"passes_max": "swapped", "passes_min": "swapped"}),
    WrongSearch("window-through-chance", WINDOW, "{guess} is the window of the CHANCE node; alpha-beta must know every "
                "outcome exactly.", {"through_chance": True}, (CHANCE,)),
)  # fmt: skip
CUT_ROWS = (
    WrongSearch("strict-cut", CUT, "alpha and beta are both {alpha_now} now, and this search cuts also when they are "
                "equal.", {"cuts": "strict"}),
    WrongSearch("no-cut", CUT, "alpha is {alpha_now} and beta is {beta_now} now: what is left cannot change the choice "
                "above.", {"cuts": ""}),
    WrongSearch("margin", CUT, "alpha {alpha_now} and beta {beta_now} are close, but values can lie between them.",
                {"cuts_max": "margin of 1", "cuts_min": "margin of 1"}),
    *(WrongSearch("wrong-cut-test", CUT, words, {f"cuts_{layer.value}": test}, (layer,), applies=_cuts_at_own_bound)
      for test, words in (
        ("own bound", "{best} reaches {own}, {own_bound}, the bound of this node itself; a {layer} node stops only at "
         "{other}."),
        ("own bound reversed", "{best} is not better than {own}, {own_bound}; a later child of this {layer} node can "
         "be."),
      ) for layer in BOTH),
    WrongSearch("chance-stops", CUT, "The sum so far is {sum}, but the outcomes that are missing can still change it.",
                {"chance_stops": True}, (CHANCE,)),
)  # fmt: skip
WRONG_SEARCHES = (*VALUE_ROWS, *ACTION_ROWS, *WINDOW_ROWS, *CUT_ROWS)
