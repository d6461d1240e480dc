"""Where a rule is broken: at which nodes, and what the code returns there instead, counted over all watched trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import NamedTuple

from autograder.judge.diagnosis.rules import RULES, Children
from autograder.judge.diagnosis.steps import CHANCE, MAX, MIN, Breach, Step
from autograder.judge.diagnosis.visits import Spot, WatchedTree, right_value
from pacman.core.tree import Layer
from pacman.record.calls import NodeVisit, is_near

AT_EQUALITY = "at equality"
"""What a search does instead that cuts, or does not cut, only where the best value is equal to the other bound."""
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
    Breach.NOT_SEARCHED, Breach.CUT_EARLY, Breach.CUT_LATE, Breach.ALL_FIRST, Breach.UNASKED_CUT, Breach.WINDOW,
    Breach.PLIES,
)  # fmt: skip
"""What a loop over several successors can do wrong."""
MOST = 300
"""How many visits are compared for a function."""


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
    "everywhere": Place(lambda spot: True, nodes=""),
    "at the root": Place(lambda spot: spot.depth == 0, phrase="If the root is a {L}node, then at the root"),
    "below the root": Place(lambda spot: spot.depth > 0, nodes=" below the root"),
    "below another of its layer": Place(
        lambda spot: spot.run >= 2, phrase="At a {L}node directly below another {L}node"
    ),
    "first of its layer": Place(
        lambda spot: spot.run == 1, phrase="At a {L}node that is not directly below another {L}node"
    ),
    "below a max node": Place(lambda spot: spot.parent is MAX, phrase="At a {L}node directly below a MAX node"),
    "below a min node": Place(lambda spot: spot.parent is MIN, phrase="At a {L}node directly below a MIN node"),
    "below a chance node": Place(
        lambda spot: spot.parent is CHANCE, phrase="At a {L}node directly below a CHANCE node"
    ),
    "first ghost": Place(lambda spot: spot.turn == 1, phrase="At the {L}nodes of the first ghost after MAX"),
    "later ghost": Place(lambda spot: spot.turn >= 2, phrase="At the {L}nodes of the second ghost and of later ghosts"),
    "last ghost": Place(
        lambda spot: spot.turn > 0 and spot.ends_round, phrase="At the {L}nodes of the last ghost in a round"
    ),
    "with one ply left": Place(lambda spot: spot.left == 1, nodes=" with exactly one ply left"),
    "third of its layer": Place(lambda spot: spot.run >= 3, phrase="At the third of several {L}nodes in a row"),
    "at even depth": Place(
        lambda spot: spot.depth % 2 == 0, nodes=" at an even depth (0, 2, 4, ... plies below the root)"
    ),
    "at odd depth": Place(
        lambda spot: spot.depth % 2 == 1, nodes=" at an odd depth (1, 3, 5, ... plies below the root)"
    ),
    "with an even number of plies left": Place(
        lambda spot: spot.left % 2 == 0, nodes=" with an even number of plies left"
    ),
    "with an odd number of plies left": Place(
        lambda spot: spot.left % 2 == 1, nodes=" with an odd number of plies left"
    ),
    "with a single action": Place(lambda spot: spot.width == 1, nodes=" with a single action"),
}
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
    `instead` is the name in RULES of what the code does there; "" if it is none of them.
    """

    broken: int
    shown: int
    layer: Layer | None
    place: str = ""
    instead: str = ""
    start: float | None = None
    """The number that the code returned at all of them, if it is better than the values of the successors."""
    others_are_right: bool = False
    """True if no visit of another layer breaks the rule, and there are some."""


def find_extent(first: Step, trees: Sequence[JudgedTree]) -> Extent:
    """The extent of what the first wrong step broke."""
    steps = [step for tree in trees for step in tree.steps if step.breach is first.breach and not step.is_harmless]
    broken = {id(step.visit) for step in steps}
    judged = [visit for tree in trees for visit in _applicable(first, tree)]
    everything = [visit for visit in judged if id(visit) in broken]
    layer = first.visit.layer
    if first.breach is Breach.LEAF_VALUE:
        return Extent(len(everything), len(judged), None)
    inside = [visit for visit in judged if visit.layer is layer]
    wrong = [visit for visit in everything if visit.layer is layer]
    others_right = len(judged) > len(inside) and len(everything) == len(wrong)

    def extent(visits: Sequence[NodeVisit], instead: str = "", start: float | None = None) -> Extent:
        place = _place(visits, broken)
        return Extent(len(wrong), _count(visits, place), layer, place, instead, start, others_right)

    if first.breach is not Breach.RESULT:
        instead = (
            "only the first" if first.breach is Breach.NOT_SEARCHED and all(map(_has_only_first, everything)) else ""
        )
        if first.breach in (Breach.CUT_EARLY, Breach.CUT_LATE):
            same = [step for step in steps if step.visit.layer is layer]
            instead = AT_EQUALITY if len(same) >= ENOUGH and all(map(is_at_equality, same)) else ""
        if len(everything) > len(wrong) and (place := _place(judged, broken)):
            return Extent(len(everything), _count(judged, place), None, place, instead)
        return extent(inside, instead)
    if (start := _start(wrong)) is not None:
        return extent([visit for visit in inside if _is_better(start, visit)], start=start)
    for by_name, (choose, _) in BY_NAME.items():
        if len(wrong) >= ENOUGH and all(is_near(_chosen(choose, visit), _value(visit)) for visit in inside):
            return Extent(len(wrong), len(wrong), layer, "", by_name, None, others_right)
    values = {id(visit): _children(visit) for visit in inside}

    for name in _rules_of(wrong[:MOST], values):
        found = extent(_showing(name, inside, values), name)
        if found.place:
            return found
    return extent(inside, _frequent_rule(first.visit, wrong, inside, values))


def is_at_equality(step: Step) -> bool:
    """True if the best value was equal to the bound of the other side when the search cut, or did not cut."""
    is_max, (alpha, beta) = step.visit.layer is MAX, step.window
    values = [each.value for each in step.visit.values_below().values() if each.value is not None]
    best = step.got if step.breach is Breach.CUT_LATE else (max if is_max else min)(values, default=nan)
    return best == (beta if is_max else alpha)


def _showing(name: str, visits: Sequence[NodeVisit], values: Mapping[int, Children]) -> list[NodeVisit]:
    """The visits at which another value than the right one comes from a rule."""
    return [visit for visit in visits if not is_near(_apply(name, values[id(visit)]), _right(visit))]


def _frequent_rule(
    first: NodeVisit, wrong: Sequence[NodeVisit], inside: Sequence[NodeVisit], values: Mapping[int, Children]
) -> str:
    """The rule of the first wrong visit that also explains nearly all others; "" if that may be by chance."""
    names = list(_rules_of([first], {id(first): _children(first)}))
    common = {name: sum(is_near(_apply(name, values[id(visit)]), _value(visit)) for visit in wrong) for name in names}
    name = max(names, key=common.__getitem__, default="")
    if not name or common[name] <= 0.9 * len(wrong) or len(wrong) < ENOUGH:
        return ""
    least = LEAST_OF_USUAL if name in ("max", "min") else LEAST_OF_RARE
    return name if common[name] >= least * len(_showing(name, inside, values)) else ""


def _rules_of(visits: Sequence[NodeVisit], values: Mapping[int, Children]) -> Iterator[str]:
    """The names of all rules that give what the code returned at each of the visits."""
    for name in RULES:
        if all(is_near(_apply(name, values[id(visit)]), _value(visit)) for visit in visits):
            yield name


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
    return value > _right(visit) if visit.layer is Layer.MAX else visit.layer is Layer.MIN and value < _right(visit)


def _has_only_first(visit: NodeVisit) -> bool:
    return list(visit.values_below()) == [visit.node.actions[0]]


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
    root = visit.node.root
    return Children(
        numbers,
        [chances.get(action, 1 / len(numbers)) for action in values],
        max(1, len(root.actions)),
        lambda: visit.score,
    )


def _right(visit: NodeVisit) -> float:
    name = {Layer.MAX: "max", Layer.MIN: "min", Layer.CHANCE: "mean"}[visit.layer]
    return _apply(name, _children(visit))


def _applicable(first: Step, tree: JudgedTree) -> Iterator[NodeVisit]:
    """The visits at which the rule of a step can be broken."""
    breach = first.breach
    for visit in tree.watched.visits:
        if visit.left < 0 or visit.has_raised:
            continue
        is_inner, has_choice = not visit.is_leaf, len(visit.node.actions) > 1
        if breach is Breach.RESULT:
            is_judged = visit.value is not None and len(visit.values_below()) == len(visit.node.actions)
            applies = is_inner and is_judged
        elif breach is Breach.BELOW_HORIZON:
            applies = visit.left == 0 and not visit.node.is_terminal
        elif breach is Breach.LEAF_VALUE:
            is_alike = not is_inner and visit.node.is_terminal == first.visit.node.is_terminal
            applies = is_alike and visit.value is not None and visit.read_at < 0
        elif breach in OF_A_LOOP:
            applies = is_inner and has_choice and bool(visit.below)
        elif breach in (Breach.ACTION, Breach.BOUND_AS_VALUE):
            applies = is_inner and has_choice and visit is tree.watched.root
        else:
            is_searched = bool(visit.made or visit.below)
            applies = is_inner and (is_searched or not is_near(_value(visit), right_value(visit.node, visit.left)))
        if applies:
            yield visit


def _place(visits: Sequence[NodeVisit], broken: set[int]) -> str:
    """The first place in which all visits break the rule, and outside of which none does; "" if there is none."""
    if sum(id(visit) in broken for visit in visits) < ENOUGH:
        return ""
    return next(
        (
            name
            for name, place in PLACES.items()
            if all(place.has(visit.node.spot) == (id(visit) in broken) for visit in visits)
        ),
        "",
    )


def _count(visits: Sequence[NodeVisit], place: str) -> int:
    """How many of the visits are in a place; all of them if it is ""."""
    return sum(not place or PLACES[place].has(visit.node.spot) for visit in visits)
