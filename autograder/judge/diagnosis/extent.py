"""Where a rule is broken: at which nodes, and what the code returns there instead, counted over all watched trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor, isinf, nan, trunc
from operator import mul
from typing import NamedTuple

from autograder.judge.diagnosis.run import Spot, WatchedTree, right_value, weighted
from autograder.judge.diagnosis.steps import CHANCE, MAX, MIN, Breach, Step
from pacman.core.tree import Layer
from pacman.record.calls import NodeVisit, is_near

AT_EQUALITY = "at equality"
"""What a search does instead that cuts, or does not cut, only where the best value is equal to the other bound."""
OF_LOST_GAMES = "where the game is lost"
"""What a search does that is wrong at ends with a value below 0 and plies left, and at no other end."""
ENOUGH = 3
"""How often a rule must be broken before a place is named."""
BY_NAME: dict[str, tuple[Callable[[Iterable[str]], str], str]] = {
    "last name": (max, "takes the action whose name comes last in the alphabet, whatever its value is"),
    "first name": (min, "takes the action whose name comes first in the alphabet, whatever its value is"),
}
"""For a search that compares the names of actions: how it chooses, and the words after "your search"."""
LEAST_OF_USUAL, LEAST_OF_RARE = 0.15, 0.5
"""A function is named if the code returns its value at this share of the nodes where it differs from the right one:
the first number is for "max" and "min", the second for all others."""
OF_A_LOOP = (
    *(Breach.NOT_SEARCHED, Breach.CUT_EARLY, Breach.CUT_LATE, Breach.ALL_FIRST, Breach.UNASKED_CUT, Breach.WINDOW),
    Breach.PLIES,
)
"""What a loop over several successors can do wrong."""
MOST = 300
"""How many visits are compared for a function."""
LAYER_RULES = {MAX: "max", MIN: "min", CHANCE: "mean"}


class Children(NamedTuple):
    """The searched children of a node, in order, with equal probabilities where nobody gave any.

    Also the number of actions at the root, and the evaluation of the node itself.
    """

    values: Sequence[float]
    probabilities: Sequence[float]
    root_actions: int
    evaluation: Callable[[], float]

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


def _zero_as_none(values: Sequence[float], sign: int) -> float:
    best = 0.0
    for value in values:
        if not best or sign * value > sign * best:
            best = value
    return best


def _once(each: Children) -> float:
    last = dict(zip(each.values, each.probabilities, strict=True))
    return weighted(list(last.values()), list(last))


AS_CHANCE = {MAX: "max-as-chance", MIN: "min-as-chance"}
INTEGERS = {CHANCE: "integer-division"}
AFTER_ZERO = "takes the next value in place of a best value of 0, as if 0 were no value"
RULES: dict[str, Rule] = {
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
    "mean rounded down": Rule(lambda each: floor(each.mean), "rounds the mean down to a whole number", INTEGERS),
    "mean cut off": Rule(lambda each: trunc(each.mean), "cuts the mean off to a whole number", INTEGERS),
    "first": Rule(lambda each: each.values[0], "takes the value of the first child"),
    "last": Rule(lambda each: each.values[-1], "takes the value of the last child"),
    "probabilities squared": Rule(lambda each: weighted([p * p for p in each.probabilities], each.values),
        "multiplies each value by its probability twice"),
    "terms cut off": Rule(lambda each: sum(map(trunc, map(mul, each.probabilities, each.values))),
        "cuts every product of probability and value off to a whole number"),
    "max of negatives": Rule(lambda each: -min(each.values),
        "changes the sign of its children's values and takes the largest"),
    "max with own evaluation": Rule(lambda each: max(each.evaluation(), *each.values),
        "takes the node's own evaluation if no child has a larger value"),
    "min with own evaluation": Rule(lambda each: min(each.evaluation(), *each.values),
        "takes the node's own evaluation if no child has a smaller value"),
    "zero": Rule(lambda each: 0.0, "takes 0, whatever the children are worth"),
    "largest after 0": Rule(lambda each: _zero_as_none(each.values, 1), AFTER_ZERO),
    "smallest after 0": Rule(lambda each: _zero_as_none(each.values, -1), AFTER_ZERO),
    "equal values once": Rule(_once,
        "counts values that are equal only once, with the probability of one of them"),
    "mean of a set": Rule(lambda each: sum(set(each.values)) / len(set(each.values)),
        "takes the plain mean of the different values, so that equal values count once"),
}  # fmt: skip
"""By name, the frequent ones first. Only rules that somebody's search has shown are worth a row."""


class Place(NamedTuple):
    """A kind of spot, with words about it: what follows "MIN nodes", or a whole phrase, where `{L}` is the layer."""

    has: Callable[[Spot], bool]
    nodes: str | None = None
    phrase: str = ""

    def at(self, layer: Layer | None) -> str:
        """The beginning of a sentence, for nodes of a layer or of all layers."""
        name = f"{layer.name} " if layer else ""
        return self.phrase.format(L=name) if self.nodes is None else f"At {name}nodes{self.nodes}"


PLACES: dict[str, Place] = {
    "everywhere": Place(lambda spot: True, ""),
    "at the root": Place(lambda spot: spot.depth == 0, None, "If the root is a {L}node, then at the root"),
    "below the root": Place(lambda spot: spot.depth > 0, " below the root"),
    "below another of its layer": Place(lambda spot: spot.run >= 2, None,
        "At a {L}node directly below another {L}node"),
    "first of its layer": Place(lambda spot: spot.run == 1, None,
        "At a {L}node that is not directly below another {L}node"),
    "below a max node": Place(lambda spot: spot.parent is MAX, None, "At a {L}node directly below a MAX node"),
    "below a min node": Place(lambda spot: spot.parent is MIN, None, "At a {L}node directly below a MIN node"),
    "below a chance node": Place(lambda spot: spot.parent is CHANCE, None,
        "At a {L}node directly below a CHANCE node"),
    "first ghost": Place(lambda spot: spot.turn == 1, None, "At the {L}nodes of the first ghost after MAX"),
    "later ghost": Place(lambda spot: spot.turn >= 2, None,
        "At the {L}nodes of the second ghost and of later ghosts"),
    "last ghost": Place(lambda spot: spot.turn > 0 and spot.ends_round, None,
        "At the {L}nodes of the last ghost in a round"),
    "with one ply left": Place(lambda spot: spot.left == 1, " with exactly one ply left"),
    "third of its layer": Place(lambda spot: spot.run >= 3, None, "At the third of several {L}nodes in a row"),
    "at even depth": Place(lambda spot: spot.depth % 2 == 0, " at an even depth (0, 2, 4, ... plies below the root)"),
    "at odd depth": Place(lambda spot: spot.depth % 2 == 1, " at an odd depth (1, 3, 5, ... plies below the root)"),
    "with an even number of plies left": Place(lambda spot: spot.left % 2 == 0, " with an even number of plies left"),
    "with an odd number of plies left": Place(lambda spot: spot.left % 2 == 1, " with an odd number of plies left"),
    "with a single action": Place(lambda spot: spot.width == 1, " with a single action"),
}  # fmt: skip
"""By name; the first one that fits counts."""


@dataclass(frozen=True)
class JudgedTree:
    """A watched tree and what was found in it."""

    watched: WatchedTree
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Extent:
    """Where a rule is broken: at `broken` of the `shown` nodes where a breach shows, of a layer in a place.

    `layer` is None for all layers. `place` is a name in PLACES, or "" if none separates these nodes from the others.
    `instead` is the name in RULES of what the code does there; "" if it is none of them. `start` is the number that the
    code returned at all of them, if it is better than the values of the successors.
    """

    broken: int
    shown: int
    layer: Layer | None
    place: str = ""
    instead: str = ""
    start: float | None = None
    others_are_right: bool = False
    """True if no visit of another layer breaks the rule, and there are some."""

    @property
    def is_everywhere(self) -> bool:
        """True if all nodes of all layers break the rule."""
        return self.layer is None and self.place == "everywhere"

    @property
    def phrase(self) -> str:
        """The place, as the beginning of a sentence: "At MIN nodes below the root"; "" if there is none."""
        if not self.place:
            return ""
        return "At all nodes" if self.is_everywhere else PLACES[self.place].at(self.layer)

    def sentence(self, breach: Breach) -> str:
        """At how many nodes the same happens, and where everything is right.

        Nothing of plies: behind the first wrong number no call has the right one, so there is nothing to count.
        """
        if self.shown < 2 or not self.broken or breach is Breach.PLIES:
            return ""
        place = PLACES.get(self.place)
        kind = f"{f'{self.layer.name} ' if self.layer else ''}nodes{(place and place.nodes) or ''}"
        shows = " where it shows" if breach is Breach.RESULT else ""
        others = "; at nodes of other layers it never happens" if self.others_are_right and self.layer else ""
        return f"The same at {self.broken} of {self.shown} {kind}{shows}{others}."


def find_extent(first: Step, trees: Sequence[JudgedTree]) -> Extent:
    """The extent of what the first wrong step broke."""
    steps = [step for tree in trees for step in tree.steps if step.breach is first.breach and not step.is_harmless]
    broken = {id(step.visit) for step in steps}
    judged = [visit for tree in trees for visit in tree.watched.visits if _applies(first, tree.watched, visit)]
    everything = [visit for visit in judged if id(visit) in broken]
    layer = first.visit.layer
    if first.breach is Breach.LEAF_VALUE:
        return Extent(len(everything), len(judged), None, instead=_of_ends(first, everything, judged))
    inside = [visit for visit in judged if visit.layer is layer]
    wrong = [visit for visit in everything if visit.layer is layer]
    others_right = len(judged) > len(inside) and len(everything) == len(wrong)

    def extent(visits: Sequence[NodeVisit], instead: str = "", start: float | None = None) -> Extent:
        place = _place(visits, broken)
        return Extent(len(wrong), _count(visits, place), layer, place, instead, start, others_right)

    if first.breach is not Breach.RESULT:
        instead, start = "", None
        same = [step for step in steps if step.visit.layer is layer]
        if first.breach is Breach.NOT_SEARCHED:
            is_first = all(list(visit.values_below()) == [visit.node.actions[0]] for visit in everything)
            instead = "only the first" if is_first else ""
        elif first.breach in (Breach.CUT_EARLY, Breach.CUT_LATE):
            instead = AT_EQUALITY if len(same) >= ENOUGH and all(map(is_at_equality, same)) else ""
        if first.breach in (Breach.CUT_EARLY, Breach.WINDOW) and not instead:
            starts = Counter(map(made_up_bound, same)).most_common(1)
            start = next((bound for bound, times in starts if times >= max(ENOUGH, len(same) / 2)), None)
        if len(everything) > len(wrong) and (place := _place(judged, broken)):
            return Extent(len(everything), _count(judged, place), None, place, instead)
        return extent(inside, instead, start)
    if (start := _start(wrong)) is not None:
        return extent([visit for visit in inside if _is_better(start, visit)], start=start)
    for by_name, (choose, _) in BY_NAME.items():
        if len(wrong) >= ENOUGH and all(is_near(_chosen(choose, visit), _value(visit)) for visit in inside):
            return Extent(len(wrong), len(wrong), layer, "", by_name, None, others_right)
    children = {id(visit): _children(visit) for visit in (*inside, first.visit)}

    def fits(name: str, visits: Iterable[NodeVisit]) -> Iterator[bool]:
        """For each visit: whether the rule gives what the code returned."""
        return (is_near(_apply(name, children[id(visit)]), _value(visit)) for visit in visits)

    def showing(name: str) -> list[NodeVisit]:
        """The visits at which another value than the right one comes from the rule."""
        right = LAYER_RULES[layer]
        values = [children[id(visit)] for visit in inside]
        pairs = zip(inside, values, strict=True)
        return [visit for visit, each in pairs if not is_near(_apply(name, each), _apply(right, each))]

    for name in RULES:
        if all(fits(name, wrong[:MOST])):
            found = extent(showing(name), name)
            if found.place:
                return found
    # Without a place: the rule of the first wrong visit that also explains nearly all others, if not by chance.
    common = {name: sum(fits(name, wrong)) for name in RULES if all(fits(name, [first.visit]))}
    best = max(common, key=common.__getitem__, default="")
    least = LEAST_OF_USUAL if best in ("max", "min") else LEAST_OF_RARE
    is_sure = best and len(wrong) >= ENOUGH and common[best] > 0.9 * len(wrong)
    return extent(inside, best if is_sure and common[best] >= least * len(showing(best)) else "")


def _of_ends(first: Step, wrong: Sequence[NodeVisit], judged: Sequence[NodeVisit]) -> str:
    """OF_LOST_GAMES if only ends of lost games with plies left are wrong, and ends of others were seen; else ""."""
    are_lost = all(visit.left > 0 and visit.score < 0 for visit in wrong) and first.visit.node.is_terminal
    others = sum(visit.left > 0 and visit.score >= 0 for visit in judged)
    return OF_LOST_GAMES if are_lost and min(len(wrong), others) >= ENOUGH else ""


def made_up_bound(step: Step) -> float | None:
    """The number that stands where a bound should be, if it is one that the search made up.

    It is a bound that the search passes on although all values so far are worse, or one of a pair like -999 and 999
    with which the search began, and beyond which it cut.
    """
    visit, is_max = step.visit, step.visit.layer is MAX
    if step.breach is Breach.WINDOW:
        start = step.got if step.bound == ("alpha" if is_max else "beta") else None
        worse = step.expected
    else:
        values = [each.value for each in visit.values_below().values() if each.value is not None]
        worse, is_max = (max if is_max else min)(values, default=nan), not is_max
        size = max(_mirrored(visit), default=nan)
        start = -size if is_max else size
    if start is None or worse is None or isinf(start) or not (start > worse if is_max else start < worse):
        return None
    return start


def _mirrored(visit: NodeVisit) -> set[float]:
    """The numbers that all calls from the first one to this node got with both signs."""
    found: list[set[float]] = []
    around: NodeVisit | None = visit
    while around is not None:
        for frame in around.frames:
            numbers = {number for _, number in frame.call.numbers}
            if len(numbers) > 1:
                found.append({number for number in numbers if number > 0 and -number in numbers})
        around = around.parent
    return set.intersection(*found) if found else set()


def is_at_equality(step: Step) -> bool:
    """True if the best value was equal to the bound of the other side when the search cut, or did not cut."""
    is_max, (alpha, beta) = step.visit.layer is MAX, step.window
    values = [each.value for each in step.visit.values_below().values() if each.value is not None]
    best = step.got if step.breach is Breach.CUT_LATE else (max if is_max else min)(values, default=nan)
    return best == (beta if is_max else alpha)


def _chosen(choose: Callable[[Iterable[str]], str], visit: NodeVisit) -> float:
    """The value of the successor whose action has the chosen name."""
    values = visit.values_below()
    return _value(values[choose(values)])


def _start(wrong: Sequence[NodeVisit]) -> float | None:
    """The number that the code returned at all of these visits, if it is better than the values of the successors."""
    values = {visit.value for visit in wrong}
    start = values.pop() if len(values) == 1 else None
    if start is None or len(wrong) < ENOUGH or not all(_is_better(start, visit) for visit in wrong):
        return None
    return start


def _is_better(value: float, visit: NodeVisit) -> bool:
    """True if the layer would choose the value before those of the successors."""
    right = _apply(LAYER_RULES[visit.layer], _children(visit))
    return value > right if visit.layer is MAX else visit.layer is MIN and value < right


def _value(visit: NodeVisit) -> float:
    return nan if visit.value is None else visit.value


def _apply(name: str, children: Children) -> float:
    try:
        return RULES[name].value(children)
    except (OverflowError, ValueError, ZeroDivisionError):
        return nan


def _children(visit: NodeVisit) -> Children:
    values = visit.values_below()
    numbers = [each.value for each in values.values() if each.value is not None]
    chances = dict(zip(visit.node.actions, visit.node.probabilities, strict=False))
    probabilities = [chances.get(action, 1 / len(numbers)) for action in values]
    return Children(numbers, probabilities, max(1, len(visit.node.root.actions)), lambda: visit.score)


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
    return is_inner and (is_searched or not is_near(_value(visit), right_value(visit.node, visit.left)))


def _place(visits: Sequence[NodeVisit], broken: set[int]) -> str:
    """The first place in which all visits break the rule, and outside of which none does; "" if there is none."""
    if sum(id(visit) in broken for visit in visits) < ENOUGH:
        return ""

    def separates(place: Place) -> bool:
        return all(place.has(visit.node.spot) == (id(visit) in broken) for visit in visits)

    return next((name for name, place in PLACES.items() if separates(place)), "")


def _count(visits: Sequence[NodeVisit], place: str) -> int:
    """How many of the visits are in a place; all of them if it is ""."""
    return sum(not place or PLACES[place].has(visit.node.spot) for visit in visits)
