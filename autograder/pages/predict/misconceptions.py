"""The mistakes that a wrong guess can come from: wrong searches, with the questions in which they show.

A wrong search runs from one node on, which gets a tree of one ply: its children are leaves with the values that the
right search has for them. So it answers with one mistake and no consequences of earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isfinite

from autograder.judge.wrong_searches import WRONG_SEARCHES, Edit, WrongSearch, run, text_of
from autograder.pages.predict.answer_words import told
from autograder.pages.predict.situations import Answer, Kind, Situation, is_same
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
VALUE, WINDOW, CUT, ACTION = Kind.VALUE, Kind.WINDOW, Kind.CUT, Kind.ACTION
BOTH, ALL = (MAX, MIN), (MAX, MIN, CHANCE)


@dataclass(frozen=True)
class Misconception:
    """A mistake in questions of one kind: a wrong search, and the nodes at which a student's guess can show it.

    `words` (see `told`) say where the wrong answer comes from. The wrong search is a row of the known ones: among those
    with this `name`, the one with the number `which`.
    """

    name: str
    kind: Kind
    words: str
    layers: tuple[Layer, ...] = BOTH
    which: int = 0
    needs_window: bool = False
    """True if the wrong value comes from the window or from a cut."""
    needs_leaves: bool = False
    """True if the mistake is one about leaves."""
    sees_all: bool = False
    applies: Callable[[Situation, Answer], bool] | None = None
    """False where the answer has another cause, so that the words would be false."""

    def answer(self, situation: Situation) -> Answer | None:
        """What somebody with this misconception answers; None if that is nothing, or right."""
        if situation.kind is not self.kind or situation.layer not in self.layers or not self._can_show(situation):
            return None
        cuts = self.needs_window or self.kind not in (VALUE, ACTION)
        answer = local_answer(situation, search_text(situation, cuts, self.wrong_search.edits), self.sees_all)
        if answer is None or is_same(answer, situation.right):
            return None
        return answer if self.applies is None or self.applies(situation, answer) else None

    def told(self, situation: Situation, answer: Answer) -> str:
        """Where the wrong answer comes from."""
        return told(self.words, situation, answer)

    @cached_property
    def wrong_search(self) -> WrongSearch:
        """The search with this mistake."""
        return [row for row in WRONG_SEARCHES if row.name == self.name][self.which]

    @property
    def sentence(self) -> str:
        """What the grader says to a program with this mistake."""
        return self.wrong_search.sentence

    def _can_show(self, situation: Situation) -> bool:
        if (self.needs_window and not situation.prunes) or (self.sees_all and not situation.others):
            return False
        return not self.needs_leaves or (situation.has_leaves_only and not situation.others)


def search_text(situation: Situation, cuts: bool = True, edits: tuple[Edit, ...] = ()) -> str:
    """The text of the search with these edits; without `cuts`, the children that it has seen count as all of them."""
    return text_of(edits, "equal" if cuts and situation.prunes else "")


def local_answer(situation: Situation, text: str, sees_all: bool = False) -> Answer | None:
    """What the search of a text answers; None if it would not come to this event, or answers nothing.

    A value or an action comes from the children that the right search has seen, or with `sees_all` from all.
    """
    only_seen = situation.kind in (VALUE, ACTION) and not sees_all
    result = run(text, _tree(situation, len(situation.values) if only_seen else None), 1, situation.window)
    if result.error:
        return None
    if situation.kind is VALUE:
        return result.value
    if situation.kind is ACTION:
        return result.action
    entered = result.trace.generated
    if situation.kind is WINDOW:
        return result.windows[result.trace.successors[situation.place]] if entered > situation.place else None
    if situation.kind is CUT and entered >= situation.place:
        return entered == situation.place
    return None


@lru_cache(maxsize=4)
def _tree(situation: Situation, most: int | None) -> Outline:
    """The node with its first children as leaves: the `most` first ones, or all. Several searches can share it."""
    leaves = [Outline(None, value) for value in (*situation.values, *situation.others)][:most]
    is_chance = situation.layer is CHANCE
    return Outline(
        situation.layer,
        branches=tuple(zip(situation.actions[:most], leaves, strict=True)),
        probabilities=tuple(Fraction(each) for each in situation.probabilities[:most]) if is_chance else (),
        evaluation=situation.evaluation,
    )


def _has_one_most_likely(situation: Situation, answer: Answer) -> bool:
    return situation.probabilities.count(max(situation.probabilities)) == 1


def _is_after_cut(situation: Situation, answer: Answer) -> bool:
    return bool(situation.others)


def _cuts_at_own_bound(situation: Situation, answer: Answer) -> bool:
    """True for a cut at a node that got its own bound, alpha at MAX or beta at MIN, from above."""
    return answer is True and isfinite(situation.window[0 if situation.layer is MAX else 1])


DECIDERS = (
    ("max-as-min", MAX, "the smallest of {values}"),
    ("max-as-chance", MAX, "the mean of {values}"),
    ("min-as-max", MIN, "the largest of {values}"),
    ("min-as-chance", MIN, "the mean of {values}"),
    ("chance-as-min", CHANCE, "the smallest of {values}"),
    ("chance-as-max", CHANCE, "the largest of {values}"),
    ("sum-for-mean", CHANCE, "the sum of {values}"),
    ("equal-chances", CHANCE, "the plain mean of {values}"),
    ("mean-divided-again", CHANCE, "the weighted mean of {values}, divided by the number of children once more"),
    ("integer-division", CHANCE, "the weighted mean of {values}, rounded down"),
)
"""Wrong values: the mistake, its layer, and what the guess is then."""
VALUE_ROWS = (
    *(Misconception(name, VALUE, f"{{guess}} is {what}; {{counts}}.", (layer,)) for name, layer, what in DECIDERS),
    Misconception("wrong-value-at-chance", VALUE, "{guess} is the value of the most likely outcome; the values are "
                  "{values}; {counts}.", (CHANCE,), applies=_has_one_most_likely),
    *(Misconception(name, VALUE, words, (layer,), which) for layer in BOTH for name, which, words in (
        (f"wrong-value-at-{layer.value}", 0, "{guess} is the value of {first_child}, the first child that the search "
         "has seen; {counts}."),
        (f"wrong-value-at-{layer.value}", 1, "{guess} is the largest of {negated}, the values with the opposite sign; "
         "here every value is MAX's, so no sign changes."),
        ("last-value", 1 + BOTH.index(layer), "{guess} is the value of {last_child}, the last child that the search "
         "has seen; {counts}."),
        ("starts-at-zero", BOTH.index(layer), "No child that the search has seen has the value {guess}: {have} "
         "{values}; {counts}."),
    )),
    Misconception("compares-size", VALUE, "{guess} is {rule} of {values} only if signs do not count."),
    Misconception("sign-changed", VALUE, "{guess} is {rule} of {negated}, the leaves with the opposite sign; a leaf "
                  "says what it is worth to MAX.", ALL, needs_leaves=True),
    Misconception("ply-short", VALUE, "{guess} is the evaluation of this node, ~{guess}; the search has one more ply, "
                  "and the children are worth {values}.", ALL, needs_leaves=True),
    Misconception("fail-hard", VALUE, "{guess} is {bound_name}; this search returns the value that it found, {right}, "
                  "also if it lies outside the window {window}.", needs_window=True),
    Misconception("cut-returns-zero", VALUE, "After the cut the search returns the value that it found, not {guess}.",
                  needs_window=True, applies=_is_after_cut),
    Misconception("no-cut", VALUE, "{guess} is {rule} of {all}; the search has cut {rest} off and never sees it.",
                  needs_window=True, sees_all=True),
)  # fmt: skip
HAS = "{{guess}} has the value {{value}}, {}; {{counts}}."
ACTION_ROWS = (
    Misconception("max-as-min", ACTION, HAS.format("the smallest of {values}"), (MAX,)),
    Misconception("min-as-max", ACTION, HAS.format("the largest of {values}"), (MIN,)),
    Misconception("last-of-ties", ACTION, "{ties} have the same value, {value}; the first of them wins."),
    *(Misconception(name, ACTION, HAS.format(what)) for name, what in (
        ("first-action", "and it is the first action; the values are {values}"),
        ("action-of-last-loop", "and it is the last action; the values are {values}"),
        ("compares-size", "the best of {values} only if signs do not count"),
    )),
)  # fmt: skip
STAYS = "{guess} still has the {own} from above; a child is worth {best}, so {own} is tighter now."
WINDOW_ROWS = (
    Misconception("alpha-never-raised", WINDOW, STAYS, (MAX,)),
    Misconception("beta-never-lowered", WINDOW, STAYS, (MIN,)),
    *(Misconception(name, WINDOW, words) for name, words in (
        ("both-reset", "{guess} contains every value, as at the start of the search; a child gets the bounds of its "
         "parent."),
        ("alpha-lost", "{guess} has no alpha; this node knows a larger one."),
        ("beta-lost", "{guess} has no beta; this node knows a smaller one."),
        ("own-bound-only", "{guess} has only what this node itself has found; from above it got the window {window}."),
        ("bound-overwritten", "In {guess}, {own} is {last}, the value of the last child; a bound may only become "
         "tighter."),
        ("bound-forgotten", "In {guess}, {own} is {best}, the best child so far; the {own} from the window above, "
         "{window}, is tighter."),
        ("bounds-exchanged", "In {guess} the value of a child has changed the wrong bound; a {layer} node changes "
         "{own}."),
        ("window-swapped", "{guess} has alpha and beta in the wrong order."),
    )),
    Misconception("window-through-chance", WINDOW, "{guess} is the window of the CHANCE node; alpha-beta must know "
                  "every outcome exactly.", (CHANCE,)),
)  # fmt: skip
CUT_ROWS = (
    Misconception("strict-cut", CUT, "alpha and beta are both {alpha_now} now, and this search cuts also when they are "
                  "equal."),
    Misconception("no-cut", CUT, "alpha is {alpha_now} and beta is {beta_now} now: what is left cannot change the "
                  "choice above."),
    Misconception("margin", CUT, "alpha {alpha_now} and beta {beta_now} are close, but values can lie between them."),
    *(Misconception("wrong-cut-test", CUT, words, (layer,), which + BOTH.index(layer), applies=_cuts_at_own_bound)
      for which, words in (
        (0, "{best} reaches {own}, {own_bound}, the bound of this node itself; a {layer} node stops only at {other}."),
        (2, "{best} is not better than {own}, {own_bound}; a later child of this {layer} node can be."),
      ) for layer in BOTH),
    Misconception("chance-stops", CUT, "The sum so far is {sum}, but the outcomes that are missing can still change "
                  "it.", (CHANCE,)),
)  # fmt: skip
MISCONCEPTIONS = (*VALUE_ROWS, *ACTION_ROWS, *WINDOW_ROWS, *CUT_ROWS)
