"""The mistakes that a wrong guess can come from: wrong searches, with the questions in which they show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import isfinite
from typing import Any, NamedTuple

from autograder.judge.wrong_searches.mistakes import MISTAKES
from autograder.judge.wrong_searches.search_model import Change, Decider
from autograder.pages.predict import words
from autograder.pages.predict.local_search import local_answer, right_model
from autograder.pages.predict.situation import Answer, Kind, Situation
from autograder.pages.predict.star_mistakes import STAR_ROWS, StarRow
from pacman.core.layers import Layer

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
VALUE, WINDOW, CUT, ACTION = Kind.VALUE, Kind.WINDOW, Kind.CUT, Kind.ACTION


@dataclass(frozen=True)
class Misconception:
    """A mistake, what it answers in a situation (None: it does not show there), and what the page says about it.

    `sentence` is that of the table of mistakes, "" for a mistake that is not in it.
    """

    name: str
    sentence: str
    row: Row | StarRow

    def answer(self, situation: Situation) -> Answer | None:
        """What somebody with this misconception answers; None if that is nothing, or right."""
        answer = self.row.answer(situation)
        return None if answer is None or is_same(answer, situation.right) else answer

    def words(self, situation: Situation, answer: Answer) -> str:
        """Where the wrong answer comes from."""
        return self.row.tell(situation, answer)


class Row(NamedTuple):
    """A wrong search: its name, its change, and where a student's guess can show it."""

    name: str
    change: Change
    kind: Kind
    layers: tuple[Layer, ...]
    tell: words.Tell
    cuts: bool = False
    """True if the wrong value comes from the window or from a cut."""
    sees_all: bool = False
    applies: Callable[[Situation, Answer], bool] = lambda situation, answer: True
    """False where the answer has another cause, so that the words would be false."""

    def answer(self, situation: Situation) -> Answer | None:
        """What a search with this mistake answers; None if it does not show in the situation."""
        if situation.kind is not self.kind or situation.layer not in self.layers:
            return None
        if situation.star is not None and (situation.kind is not VALUE or situation.others or situation.is_probe):
            return None  # what star1 and star2 do there has rows of its own
        if self.cuts and not situation.prunes:
            return None
        needs_leaves = self.change.get("evaluates") or self.change.get("horizon")
        if needs_leaves and (not situation.has_leaves_only or situation.others):
            return None
        if self.change.get("horizon") and situation.evaluation is None:
            return None
        if self.sees_all and not situation.others:
            return None
        model = replace(right_model(situation, self.cuts or situation.kind not in (VALUE, ACTION)), **self.change)
        answer = local_answer(situation, model, self.sees_all)
        return None if answer is None or not self.applies(situation, answer) else answer


def is_same(one: Answer, other: Answer) -> bool:
    """True if two answers are equal, but for rounding."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return all(map(is_same, one, other))
    if isinstance(one, (bool, str)) or isinstance(other, (bool, str)):
        return one == other
    if isinstance(one, tuple) or isinstance(other, tuple):
        return False
    return one == other or (isfinite(one - other) and abs(one - other) <= 1e-9 * max(1.0, abs(one), abs(other)))


def _decides(layer: Layer, rule: str) -> Change:
    return {"deciders": (Decider(layer, "everywhere", rule),)}


@cache
def misconceptions() -> tuple[Misconception, ...]:
    """All misconceptions. Several rows are one misconception if the table says the same sentence for them."""
    rows: list[Row | StarRow] = [*_value_rows(), *_action_rows(), *_window_rows(), *_cut_rows(), *STAR_ROWS]
    sentences = {(row.name, _key(row.change)): row.sentence for row in MISTAKES}
    result = []
    for row in rows:
        sentence = "" if row.change is None else sentences[row.name, _key(row.change)]
        result.append(Misconception(row.name, sentence, row))
    return tuple(result)


@cache
def misconceptions_about(kind: Kind) -> tuple[Misconception, ...]:
    """The misconceptions that can show in questions of this kind."""
    return tuple(each for each in misconceptions() if each.row.kind is kind)


def _key(change: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(change.items()))


def _value_rows() -> Iterator[Row]:
    of = words.of_values
    smallest, largest = of("the smallest of {}"), of("the largest of {}")
    yield Row("max-as-min", _decides(MAX, "min"), VALUE, (MAX,), smallest)
    yield Row("max-as-chance", _decides(MAX, "mean"), VALUE, (MAX,), of("the mean of {}"))
    yield Row("min-as-max", _decides(MIN, "max"), VALUE, (MIN,), largest)
    yield Row("min-as-chance", _decides(MIN, "mean"), VALUE, (MIN,), of("the mean of {}"))
    yield Row("chance-as-min", _decides(CHANCE, "min"), VALUE, (CHANCE,), smallest)
    yield Row("chance-as-max", _decides(CHANCE, "max"), VALUE, (CHANCE,), largest)
    yield Row("sum-for-mean", _decides(CHANCE, "sum"), VALUE, (CHANCE,), of("the sum of {}"))
    yield Row("equal-chances", _decides(CHANCE, "equal mean"), VALUE, (CHANCE,), of("the plain mean of {}"))
    again = of("the weighted mean of {}, divided by the number of children once more")
    yield Row("mean-divided-again", _decides(CHANCE, "mean divided again"), VALUE, (CHANCE,), again)
    down = of("the weighted mean of {}, rounded down")
    yield Row("integer-division", _decides(CHANCE, "mean rounded down"), VALUE, (CHANCE,), down)
    likely = of("the value of the most likely outcome; the values are {}")
    most_likely = Row("wrong-value-at-chance", _decides(CHANCE, "most likely"), VALUE, (CHANCE,), likely)
    yield most_likely._replace(applies=_has_one_most_likely)
    for layer in (MAX, MIN):
        name, where = f"wrong-value-at-{layer.value}", (layer,)
        yield Row(name, _decides(layer, "first"), VALUE, where, words.child_value(0, "first"))
        yield Row(name, _decides(layer, "max of negatives"), VALUE, where, words.with_other_signs)
        last = {"returns_last": f"{layer.value} nodes"}
        yield Row("last-value", last, VALUE, where, words.child_value(-1, "last"))
        yield Row("starts-at-zero", {f"{layer.value}_start": 0.0}, VALUE, where, words.started_at_zero)
    both = (MAX, MIN)
    yield Row("compares-size", {"compares": "absolute"}, VALUE, both, words.without_signs)
    yield Row("sign-changed", {"evaluates": "minus"}, VALUE, (MAX, MIN, CHANCE), words.with_signs_of_leaves)
    yield Row("ply-short", {"horizon": "plies - 1"}, VALUE, (MAX, MIN, CHANCE), words.evaluated_early)
    yield Row("fail-hard", {"hard": True}, VALUE, both, words.bound_returned, cuts=True)
    zero = Row("cut-returns-zero", {"cut_returns": "zero"}, VALUE, both, words.zero_after_cut, cuts=True)
    yield zero._replace(applies=lambda situation, answer: bool(situation.others))
    yield Row("no-cut", {"cuts": ""}, VALUE, both, words.all_children, cuts=True, sees_all=True)


def _action_rows() -> Iterator[Row]:
    of = words.action_of
    yield Row("max-as-min", _decides(MAX, "min"), ACTION, (MAX,), of("the smallest of {}"))
    yield Row("min-as-max", _decides(MIN, "max"), ACTION, (MIN,), of("the largest of {}"))
    ties: Change = {"ties": "last"}
    yield Row("last-of-ties", ties, ACTION, (MAX, MIN), words.later_tie)
    first = of("and it is the first action; the values are {}")
    yield Row("first-action", {"action": "first"}, ACTION, (MAX, MIN), first)
    last = of("and it is the last action; the values are {}")
    yield Row("action-of-last-loop", {"action": "last"}, ACTION, (MAX, MIN), last)
    sizes = of("the best of {} only if signs do not count")
    yield Row("compares-size", {"compares": "absolute"}, ACTION, (MAX, MIN), sizes)


def _window_rows() -> Iterator[Row]:
    tell, both = words.window_told, (MAX, MIN)
    stays = "{guess} still has the {own} from above; a child is worth {best}, so {own} is tighter now."
    yield Row("alpha-never-raised", {"updates_max": "nothing"}, WINDOW, (MAX,), tell(stays))
    yield Row("beta-never-lowered", {"updates_min": "nothing"}, WINDOW, (MIN,), tell(stays))
    fresh = tell("{guess} contains every value, as at the start of the search; a child gets the bounds of its parent.")
    reset: Change = {"passes_max": "neither", "passes_min": "neither"}
    yield Row("both-reset", reset, WINDOW, both, fresh)
    no_alpha: Change = {"passes_max": "beta", "passes_min": "beta"}
    yield Row("alpha-lost", no_alpha, WINDOW, both, tell("{guess} has no alpha; this node knows a larger one."))
    no_beta: Change = {"passes_max": "alpha", "passes_min": "alpha"}
    yield Row("beta-lost", no_beta, WINDOW, both, tell("{guess} has no beta; this node knows a smaller one."))
    own: Change = {"passes_max": "own", "passes_min": "own"}
    only_own = "{guess} has only what this node itself has found; from above it got the window {above}."
    yield Row("own-bound-only", own, WINDOW, both, tell(only_own))
    sets: Change = {"updates_max": "set", "updates_min": "set"}
    last = "In {guess}, {own} is {last}, the value of the last child; a bound may only become tighter."
    yield Row("bound-overwritten", sets, WINDOW, both, tell(last))
    sets_best: Change = {"updates_max": "set best", "updates_min": "set best"}
    best = "In {guess}, {own} is {best}, the best child so far; the {own} from the window above, {above}, is tighter."
    yield Row("bound-forgotten", sets_best, WINDOW, both, tell(best))
    other: Change = {"updates_max": "other", "updates_min": "other"}
    exchanged = "In {guess} the value of a child has changed the wrong bound; a {layer} node changes {own}."
    yield Row("bounds-exchanged", other, WINDOW, both, tell(exchanged))
    swapped: Change = {"passes_max": "swapped", "passes_min": "swapped"}
    yield Row("window-swapped", swapped, WINDOW, both, tell("{guess} has alpha and beta in the wrong order."))
    through = tell("{guess} is the window of the CHANCE node; alpha-beta must know every outcome exactly.")
    yield Row("window-through-chance", {"through_chance": True}, WINDOW, (CHANCE,), through)


def _cut_rows() -> Iterator[Row]:
    tell, both = words.cut_told, (MAX, MIN)
    equal = tell("alpha and beta are both {alpha} now, and this search cuts also when they are equal.")
    yield Row("strict-cut", {"cuts": "strict"}, CUT, both, equal)
    never = tell("alpha is {alpha} and beta is {beta} now: what is left cannot change the choice above.")
    yield Row("no-cut", {"cuts": ""}, CUT, both, never)
    margin: Change = {"cuts_max": "margin of 1", "cuts_min": "margin of 1"}
    near = tell("alpha {alpha} and beta {beta} are close, but values can lie between them.")
    yield Row("margin", margin, CUT, both, near)
    tests = {
        "own bound": "{best} reaches {own}, {bound}, the bound of this node itself; a {layer} node stops only at "
        "{other}.",
        "own bound reversed": "{best} is not better than {own}, {bound}; a later child of this {layer} node can be.",
    }
    for test, text in tests.items():
        for layer in both:
            row = Row("wrong-cut-test", {f"cuts_{layer.value}": test}, CUT, (layer,), tell(text))
            yield row._replace(applies=_cuts_at_own_bound)
    stops = tell("The sum so far is {sum}, but the outcomes that are missing can still change it.")
    yield Row("chance-stops", {"chance_stops": True}, CUT, (CHANCE,), stops)


def _has_one_most_likely(situation: Situation, answer: Answer) -> bool:
    return situation.probabilities.count(max(situation.probabilities)) == 1


def _cuts_at_own_bound(situation: Situation, answer: Answer) -> bool:
    """True for a cut at a node that got its own bound, alpha at MAX or beta at MIN, from above."""
    return answer is True and isfinite(situation.window[0 if situation.layer is MAX else 1])
