"""Where a rule is broken: at which nodes, and what the code returns there instead, counted over all watched trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import copysign, floor, isinf, isnan, nan, trunc
from operator import mul
from typing import NamedTuple

from autograder.judge.diagnosis.run import TreeNode, WatchedTree
from autograder.judge.diagnosis.steps import CHANCE, MAX, MIN, Breach, Step, best_below, weighted
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.record.calls import NodeVisit, is_near

AT_EQUALITY = "at equality"
"""What a search does instead that cuts, or does not cut, only where the best value is equal to the other bound."""
OF_LOST_GAMES = "where the game is lost"
"""What a search does that is wrong at ends with a value below 0 and plies left, and at no other end."""
ENOUGH = 3
"""How often a rule must be broken before a place is named."""
LEAST_OF_USUAL, LEAST_OF_RARE = 0.15, 0.5
"""A function is named if the code returns its value at this share of the nodes where it differs from the right one:
the first number is for "max" and "min", the second for all others."""
OF_A_LOOP = (
    *(Breach.NOT_SEARCHED, Breach.CUT_EARLY, Breach.CUT_LATE, Breach.ALL_FIRST, Breach.UNASKED_CUT, Breach.WINDOW),
    Breach.PLIES,
)
"""What a loop over several successors can do wrong."""
OF_CALLS = (Breach.PLIES, Breach.WINDOW, Breach.MOVES_TWICE, Breach.NO_AGENT)
"""What is not counted: behind the first wrong number no call has the right one."""
ROUNDING = 1e-9
"""By how much a mean can be too small: 2 is a sum of thirds like 1.9999999999."""
NAMES_COMPARED = dict.fromkeys(Layer, "compares-names")
"""The name for counting of the mistake that actions are compared by their names."""


class Children(NamedTuple):
    """The values of the searched children of a node, by their actions, with equal probabilities where nobody gave any.

    Also the number of actions at the root.
    """

    by_action: Mapping[str, float]
    probabilities: Sequence[float]
    root_actions: int

    @classmethod
    def of(cls, visit: NodeVisit) -> Children:
        """Those of a visit."""
        values = visit.values_below()
        chances = dict(zip(visit.node.actions, visit.node.probabilities, strict=False))
        probabilities = [chances.get(action, 1 / len(values)) for action in values]
        return cls(values, probabilities, max(1, len(visit.node.root.actions)))

    @classmethod
    def of_tree(cls, tree: Outline) -> Children:
        """Those of the root of a tree that is searched one ply deep."""
        chances = [chance for _, chance in tree.outcomes()] if tree.layer is CHANCE else []
        values = {action: branch.score for action, branch in tree.branches}
        return cls(values, chances or [1 / len(values)] * len(values), len(values))

    @property
    def values(self) -> Sequence[float]:
        """The values in order."""
        return list(self.by_action.values())

    @property
    def mean(self) -> float:
        """The mean by the probabilities, added in the order of the children."""
        return weighted(self.probabilities, self.values)


class Rule(NamedTuple):
    """How a search may compute the value of a node: the value, what it does, after "your search", and its name.

    The names for counting are those of layers where the rule has a common name; others are named by the layer.
    """

    value: Callable[[Children], float]
    phrase: str
    names: Mapping[Layer, str] = {}

    def of(self, children: Children) -> float:
        """The value; NaN if there is none."""
        try:
            return self.value(children)
        except (OverflowError, ValueError, ZeroDivisionError):
            return nan


def _zero_as_none(sign: int, each: Children) -> float:
    best = 0.0
    for value in each.values:
        if not best or sign * value > sign * best:
            best = value
    return best


AS_CHANCE = {MAX: "max-as-chance", MIN: "min-as-chance"}
INTEGERS = {CHANCE: "integer-division"}
AFTER_ZERO = "takes the next value in place of a best value of 0, as if 0 were no value"
IN_ALPHABET = "takes the action whose name comes {} in the alphabet, whatever its value is"
RULES: dict[str, Rule] = {
    "last name": Rule(lambda each: each.by_action[max(each.by_action)], IN_ALPHABET.format("last"), NAMES_COMPARED),
    "first name": Rule(lambda each: each.by_action[min(each.by_action)], IN_ALPHABET.format("first"), NAMES_COMPARED),
    "max": Rule(lambda each: max(each.values), "takes the largest value", {MIN: "min-as-max", CHANCE: "chance-as-max"}),
    "min": Rule(lambda each: min(each.values), "takes the smallest value",
        {MAX: "max-as-min", CHANCE: "chance-as-min"}),
    "mean": Rule(lambda each: each.mean, "takes the mean of the values", AS_CHANCE),
    "equal mean": Rule(lambda each: sum(each.values) / len(each.values),
        "takes the plain mean of the values, without their probabilities",
        {MIN: "min-as-chance", CHANCE: "equal-chances"}),
    "sum": Rule(lambda each: sum(each.values), "takes the sum of the values", {CHANCE: "sum-for-mean"}),
    "mean divided again": Rule(lambda each: each.mean / len(each.values),
        "computes the mean and divides it by the number of children once more", {CHANCE: "mean-divided-again"}),
    "divided by root actions": Rule(lambda each: sum(each.values) / each.root_actions,
        "divides the sum of the values by the number of actions at the root", {CHANCE: "divided-by-others"}),
    "mean rounded down": Rule(lambda each: floor(each.mean + ROUNDING),
        "rounds the mean down to a whole number", INTEGERS),
    "mean cut off": Rule(lambda each: trunc(each.mean + copysign(ROUNDING, each.mean)),
        "drops the fraction of the mean", INTEGERS),
    "last": Rule(lambda each: each.values[-1], "takes the value of the last child"),
    "smallest but the first": Rule(lambda each: min(each.values[1:]),
        "takes the smallest value of all children but the first"),
    "last product": Rule(lambda each: each.probabilities[-1] * each.values[-1],
        "returns only the last product of probability and value"),
    "probabilities squared": Rule(lambda each: weighted([p * p for p in each.probabilities], each.values),
        "multiplies each value by its probability twice"),
    "terms cut off": Rule(lambda each: sum(map(trunc, map(mul, each.probabilities, each.values))),
        "drops the fraction of every product of probability and value"),
    "max of negatives": Rule(lambda each: -min(each.values),
        "changes the sign of its children's values and takes the largest"),
    "zero": Rule(lambda each: 0.0, "takes 0, whatever the children are worth"),
    "largest after 0": Rule(partial(_zero_as_none, 1), AFTER_ZERO),
    "smallest after 0": Rule(partial(_zero_as_none, -1), AFTER_ZERO),
    "equal values once": Rule(
        lambda each: sum(v * p for v, p in dict(zip(each.values, each.probabilities, strict=True)).items()),
        "counts values that are equal only once, with the probability of one of them"),
    "mean of a set": Rule(lambda each: sum(set(each.values)) / len(set(each.values)),
        "takes the plain mean of the different values, so that equal values count once"),
}  # fmt: skip
"""By name, the surest and then the frequent ones first. Only rules that somebody's search has shown are worth a row."""


class Place(NamedTuple):
    """A kind of node, and a phrase about such nodes, in which `{L}` is the layer."""

    has: Callable[[TreeNode], bool]
    phrase: str


EVERYWHERE = Place(lambda node: True, "At {L}nodes")
ONE_PLY_LEFT = Place(lambda node: node.left == 1, "At {L}nodes with exactly one ply left")
PLACES = (
    EVERYWHERE,
    Place(lambda node: node.depth == 0, "If the root is a {L}node, then at the root"),
    Place(lambda node: node.depth > 0, "At {L}nodes below the root"),
    Place(lambda node: node.run >= 2, "At a {L}node directly below another {L}node"),
    Place(lambda node: node.run == 1, "At a {L}node that is not directly below another {L}node"),
    Place(lambda node: node.turn == 1, "At the {L}nodes of the first ghost after MAX"),
    Place(lambda node: node.turn >= 2, "At the {L}nodes of the second ghost and of later ghosts"),
    Place(lambda node: 0 < node.turn >= node.agents - 1, "At the {L}nodes of the last ghost in a round"),
    ONE_PLY_LEFT,
    Place(lambda node: node.run % 2 == 0, "At every second of several {L}nodes in a row"),
    Place(lambda node: node.depth % 2 == 0, "At {L}nodes at an even depth (0, 2, 4, ... plies below the root)"),
)
"""The first one that fits counts."""


@dataclass(frozen=True)
class Extent:
    """Where a rule is broken: at `broken` of the `shown` nodes where a breach shows, of a layer in a place.

    `layer` is None for all layers. `place` is None if none separates these nodes from the others. `instead` is the name
    in RULES of what the code does there; "" if it is none of them. `start` is the number that the code returned at all
    of them, if it is better than the values of the successors.
    """

    broken: int = 0
    shown: int = 0
    layer: Layer | None = None
    place: Place | None = None
    instead: str = ""
    start: float | None = None
    others_are_right: bool = False
    """True if no visit of another layer breaks the rule, and there are some."""
    is_of_max: bool = False
    """True if the function of the step runs at MAX nodes and never for the first ghost, and here for a later one."""

    @property
    def is_everywhere(self) -> bool:
        """True if all nodes of all layers break the rule."""
        return self.layer is None and self.place is EVERYWHERE

    @property
    def phrase(self) -> str:
        """The place, as the beginning of a sentence: "At MIN nodes below the root"; "" if there is none."""
        if self.place is None:
            return ""
        name = "all " if self.is_everywhere else f"{self.layer.name} " if self.layer else ""
        return self.place.phrase.format(L=name)

    def sentence(self, step: Step) -> str:
        """At how many nodes the same happens, and where everything is right.

        Nothing of plies, windows and agents: behind the first wrong number no call has the right one.
        """
        if self.shown < 2 or not self.broken or step.breach in OF_CALLS:
            return ""
        nodes = f"{self.layer.name} nodes" if self.layer else "nodes"
        kind = nodes if self.place in (None, EVERYWHERE) else f"such {nodes}"
        if step.breach is Breach.TOO_EARLY and self.place is ONE_PLY_LEFT and self.layer is None:
            kind = "nodes with exactly one ply left"  # the summary does not name them
        if step.breach in (Breach.BELOW_HORIZON, Breach.LEAF_VALUE):
            kind = "ends of the game" if step.visit.node.is_terminal else f"{kind} with no plies left"
        shows = " where it changes the value" if step.breach is Breach.RESULT and self.place else ""
        if step.breach in OF_A_LOOP:
            shows = " with more than one successor"
        others = "; at nodes of other layers it never happens" if self.others_are_right and self.layer else ""
        return f"It shows at {self.broken} of {self.shown} {kind}{shows}{others}."


def find_extent(first: Step, trees: Sequence[tuple[WatchedTree, Sequence[Step]]]) -> Extent:
    """The extent of what the first wrong step broke, from watched trees with all that was found in them."""
    breach, layer = first.breach, first.visit.layer
    kinds = (breach, Breach.UNASKED_CUT) if breach is Breach.NOT_SEARCHED else (breach,)
    steps = [step for _, some in trees for step in some if step.breach in kinds and not step.is_harmless]
    broken = {id(step.visit) for step in steps}
    judged = [visit for tree, _ in trees for visit in tree.visits if _applies(first, tree, visit)]
    everything = [visit for visit in judged if id(visit) in broken]
    if breach is Breach.LEAF_VALUE:
        return Extent(len(everything), len(judged), instead=_of_ends(first, everything, judged))
    inside, wrong = ([visit for visit in some if visit.layer is layer] for some in (judged, everything))
    others_right = len(judged) > len(inside) and len(everything) == len(wrong)

    def extent(
        visits: Sequence[NodeVisit], instead: str = "", start: float | None = None, same: Collection[int] = ()
    ) -> Extent:
        place = _place(visits, broken.union(same))
        return Extent(max(len(wrong), len(same)), _count(visits, place), layer, place, instead, start, others_right)

    if breach is Breach.RESULT:
        return _of_result(first.visit, inside, wrong, extent)
    same, instead, start = [step for step in steps if step.visit.layer is layer], "", None
    if breach is Breach.NOT_SEARCHED:
        is_first = bool(everything) and all(
            list(visit.values_below()) == [visit.node.actions[0]] for visit in everything
        )
        instead = "only the first" if is_first else ""
    elif breach in (Breach.CUT_EARLY, Breach.CUT_LATE):
        instead = AT_EQUALITY if len(same) >= ENOUGH and all(map(is_at_equality, same)) else ""
    if breach is Breach.WINDOW and is_first_bound(first):
        start = made_up_bound(first)
    elif breach in (Breach.CUT_EARLY, Breach.WINDOW) and not instead:
        starts = Counter(map(made_up_bound, same)).most_common(1)
        least = max(ENOUGH if breach is Breach.WINDOW else 1, len(same) / 2)
        start = next((bound for bound, times in starts if times >= least), None)
    if len(everything) > len(wrong) and (place := _place(judged, broken)):
        return Extent(len(everything), _count(judged, place), None, place, instead)
    return extent(inside, instead, start)


def _of_result(
    first: NodeVisit, inside: Sequence[NodeVisit], wrong: Sequence[NodeVisit], extent: Callable[..., Extent]
) -> Extent:
    """The extent of wrong values of nodes: by a start value that is too good, or by the rule that gives them."""
    children = {id(visit): Children.of(visit) for visit in (*inside, first)}

    def is_better(value: float, visit: NodeVisit) -> bool:
        best = best_below(visit)
        return value > best if visit.layer is MAX else visit.layer is MIN and value < best

    def fits(rule: Rule, visits: Iterable[NodeVisit]) -> list[bool]:
        return [visit.value is not None and is_near(rule.of(children[id(visit)]), visit.value) for visit in visits]

    def showing(rule: Rule) -> list[NodeVisit]:
        """The visits at which another value than the right one comes from the rule."""
        values = ((each, rule.of(children[id(each)])) for each in inside)
        return [each for each, value in values if not (isnan(value) or is_near(value, best_below(each)))]

    start = wrong[0].value if len({visit.value for visit in wrong}) == 1 and len(wrong) >= ENOUGH else None
    if start is not None and all(is_better(start, visit) for visit in wrong):
        shown = [visit for visit in inside if is_better(start, visit)]
        return extent(shown, start=start, same={id(visit) for visit in shown if visit.value == start})
    fitting = [name for name, rule in RULES.items() if all(fits(rule, [first, *wrong]))]
    for name in fitting:
        # where the window hides the wrong value, the code does the same
        shown, rule = showing(RULES[name]), RULES[name]
        same = {id(visit) for visit, is_same in zip(shown, fits(rule, shown), strict=True) if is_same}
        if (widest := extent(shown, name, same=same)).place:
            return widest
    # Without a place: the first of these rules that is not true by chance.
    for name in fitting if len(wrong) >= ENOUGH else ():
        least = LEAST_OF_USUAL if name in ("max", "min") else LEAST_OF_RARE
        if len(wrong) >= least * len(showing(RULES[name])):
            return extent(inside, name)
    return extent(inside)


def _of_ends(first: Step, wrong: Sequence[NodeVisit], judged: Sequence[NodeVisit]) -> str:
    """OF_LOST_GAMES if only ends of lost games with plies left are wrong, and ends of others were seen; else ""."""
    are_lost = all(visit.left > 0 and visit.score < 0 for visit in wrong) and first.visit.node.is_terminal
    others = sum(visit.left > 0 and visit.score >= 0 for visit in judged)
    return OF_LOST_GAMES if are_lost and min(len(wrong), others) >= ENOUGH else ""


def made_up_bound(step: Step) -> float | None:
    """The number that stands where a bound should be, if it is one that the search made up.

    It is a bound that the search passes on although all values so far are worse, or one with which the search began. At
    a cut it is an end of the window of all calls above, or one of a pair like -999 and 999.
    """
    is_max = step.visit.layer is MAX
    if step.breach is Breach.WINDOW:
        is_own = is_max is (step.bound == "alpha")
        start = step.got if is_own or is_first_bound(step) else None
        worse, is_max = step.expected, step.bound == "alpha"
    else:
        worse, is_max = best_below(step.visit), not is_max
        around = [*_from_the_root(step.visit)]
        ends = {visit.window[0 if is_max else 1] if visit.window else nan for visit in around}
        size = max(_mirrored(around), default=nan)
        end = ends.pop() if len(ends) == 1 else nan
        start = (-size if is_max else size) if isnan(end) else end
    if start is None or worse is None or isinf(start) or not (start > worse if is_max else start < worse):
        return None
    return start


def is_first_bound(step: Step) -> bool:
    """True if the search began with the bound that it passes on at the root."""
    return step.visit.parent is None and step.visit.window is not None and step.got in step.visit.window


def _from_the_root(visit: NodeVisit | None) -> Iterator[NodeVisit]:
    """A visit and those around it."""
    while visit is not None:
        yield visit
        visit = visit.parent


def _mirrored(visits: Sequence[NodeVisit]) -> set[float]:
    """The numbers that all calls of the visits got with both signs."""
    given = [{number for _, number in frame.call.numbers} for visit in visits for frame in visit.frames]
    values = [
        {number for number in numbers if number > 0 and -number in numbers} for numbers in given if len(numbers) > 1
    ]
    return set.intersection(*values) if values else set()


def is_at_equality(step: Step) -> bool:
    """True if the best value was equal to the bound of the other side when the search cut, or did not cut."""
    alpha, beta = step.window
    best = step.got if step.breach is Breach.CUT_LATE else best_below(step.visit)
    return best == (beta if step.visit.layer is MAX else alpha)


def _applies(first: Step, tree: WatchedTree, visit: NodeVisit) -> bool:
    """True if the rule of a step can be broken at a visit."""
    breach, is_inner, has_choice = first.breach, not visit.is_leaf, len(visit.node.actions) > 1
    if visit.left < 0 or visit.has_raised:
        return False
    if breach is Breach.RESULT:
        return is_inner and visit.value is not None and len(visit.values_below()) == len(visit.node.actions)
    if breach is Breach.BELOW_HORIZON:
        return visit.left == 0 and not visit.node.is_terminal
    if breach is Breach.LEAF_VALUE:
        is_alike = not is_inner and visit.node.is_terminal == first.visit.node.is_terminal
        return is_alike and visit.value is not None and visit.read_at < 0
    if breach in OF_A_LOOP:
        return is_inner and has_choice and bool(visit.below)
    if breach in (Breach.ACTION, Breach.BOUND_AS_VALUE):
        return is_inner and has_choice and visit is tree.root
    is_searched = bool(visit.made or visit.below)
    return is_inner and (is_searched or visit.value is None or not is_near(visit.value, visit.node.right))


def _place(visits: Sequence[NodeVisit], broken: set[int]) -> Place | None:
    """The first place in which all visits break the rule, and outside of which none does; None if there is none."""
    if sum(id(visit) in broken for visit in visits) < ENOUGH:
        return None

    def separates(place: Place) -> bool:
        return all(place.has(visit.node) == (id(visit) in broken) for visit in visits)

    return next(filter(separates, PLACES), None)


def _count(visits: Sequence[NodeVisit], place: Place | None) -> int:
    """How many of the visits are in a place; all of them if it is None."""
    return sum(place is None or place.has(visit.node) for visit in visits)
