"""Where a rule is broken: at which nodes, and what the code returns there instead, counted over all watched trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from autograder.judge.diagnosis.model_tree import PLACES
from autograder.judge.diagnosis.rule_phrases import FREQUENT_RULES, PLACE_PHRASES
from autograder.judge.diagnosis.rules import RULES, Children
from autograder.judge.diagnosis.steps import Judgement, Rule, Step
from autograder.judge.diagnosis.visits import NodeVisit, WatchedTree, is_near, right_value
from pacman.core.layers import Layer

ENOUGH = 3
"""How often a rule must be broken before a place is named."""
BY_NAME: dict[str, Callable[[Iterable[str]], str]] = {"last name": max, "first name": min}
"""How a search chooses a successor that compares the names of the actions."""
LEAST_OF_USUAL, LEAST_OF_RARE = 0.15, 0.5
"""The share of the nodes at which a function would show that must have its value: "max" and "min", and others."""
MOST = 300
"""How many visits are compared for a function."""


@dataclass(frozen=True)
class JudgedTree:
    """A watched tree, what was found in it, and whether the search answered it wrongly."""

    watched: WatchedTree
    judgement: Judgement
    is_wrong: bool


@dataclass(frozen=True)
class Extent:
    """Where a rule is broken: at `broken` of the `shown` nodes where a breach shows, of a layer in a place.

    `layer` is None for all layers. `place` is a name in PLACES, or "" if none separates these nodes from the others.
    `instead` is the name in RULES (or "max", "min") of what the code does there; "" if it is none of them.
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
    broken = {id(step.visit) for step in _steps(first.rule, trees)}
    judged = [visit for tree in trees for visit in _applicable(first, tree)]
    layer = first.visit.layer
    if first.rule is Rule.LEAF_VALUE:
        return Extent(sum(id(visit) in broken for visit in judged), len(judged), None)
    inside = [visit for visit in judged if visit.layer is layer]
    others = [visit for visit in judged if visit.layer is not layer]
    wrong_others = [visit for visit in others if id(visit) in broken]
    wrong = [visit for visit in inside if id(visit) in broken]
    if first.rule is not Rule.RESULT:
        everything = [visit for visit in judged if id(visit) in broken]
        instead = "only the first" if first.rule is Rule.NOT_SEARCHED and all(map(_has_only_first, everything)) else ""
        if wrong_others and (place := _place(judged, broken)):
            return Extent(len(wrong) + len(wrong_others), _count(judged, place), None, place, instead)
        place = _place(inside, broken)
        shown = _count(inside, place) if place else len(inside)
        return Extent(len(wrong), shown, layer, place, instead, None, bool(others) and not wrong_others)
    others_right = bool(others) and not wrong_others
    if (start := _start(wrong)) is not None:
        place = _place([visit for visit in inside if _is_better(start, visit)], broken)
        shown = sum(_is_better(start, visit) for visit in inside)
        return Extent(len(wrong), shown, layer, place, "", start, others_right)
    values = {id(visit): _children(visit) for visit in inside}
    for by_name, choose in BY_NAME.items():
        if len(wrong) >= ENOUGH and all(is_near(_chosen(choose, visit), _value(visit)) for visit in inside):
            return Extent(len(wrong), len(wrong), layer, "", by_name, None, others_right)
    for name in instead_of(wrong[:MOST], values):
        shown_visits = [visit for visit in inside if not is_near(_apply(name, values[id(visit)]), _right(visit))]
        place = _place(shown_visits, broken)
        if place:
            count = _count(shown_visits, place)
            return Extent(len(wrong), count, layer, place, name, None, others_right)
    place = _place(inside, broken)
    shown = _count(inside, place) if place else len(inside)
    names = list(instead_of([first.visit], {id(first.visit): _children(first.visit)}))
    common = {name: sum(is_near(_apply(name, values[id(visit)]), _value(visit)) for visit in wrong) for name in names}
    name = max(names, key=common.__getitem__, default="")
    if name:  # some values are found by chance
        shows = [visit for visit in inside if not is_near(_apply(name, values[id(visit)]), _right(visit))]
        least = LEAST_OF_USUAL if name in ("max", "min") else LEAST_OF_RARE
        name = name if common[name] >= least * len(shows) else ""
    name = name if name and common[name] > 0.9 * len(wrong) and len(wrong) >= ENOUGH else ""
    return Extent(len(wrong), shown, layer, place, name, None, others_right)


def instead_of(visits: Sequence[NodeVisit], values: Mapping[int, Children]) -> Iterator[str]:
    """The names of all functions that give what the code returned at each of the visits."""
    for name in dict.fromkeys(chain(("max", "min"), FREQUENT_RULES, RULES)):
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
    return float("nan") if visit.value is None else visit.value


def _apply(name: str, children: Children) -> float:
    if name in ("max", "min"):
        return (max if name == "max" else min)(children.values)
    rule: Callable[[Children], float] | None = RULES.get(name)
    try:
        return float("nan") if rule is None else rule(children)
    except (OverflowError, ValueError, ZeroDivisionError):
        return float("nan")


def _children(visit: NodeVisit) -> Children:
    values = visit.values_below()
    numbers = [each.value for each in values.values() if each.value is not None]
    chances = dict(zip(visit.node.actions, visit.node.probabilities, strict=False))
    root = visit.node.tree.root
    return Children(
        numbers,
        [chances.get(action, 1 / len(numbers)) for action in values],
        max(1, len(root.actions)),
        visit.spot.round_length,
        [each.score for each in values.values()],
        lambda: visit.score,
    )


def _right(visit: NodeVisit) -> float:
    name = {Layer.MAX: "max", Layer.MIN: "min", Layer.CHANCE: "mean"}[visit.layer]
    return _apply(name, _children(visit))


def _steps(rule: Rule, trees: Sequence[JudgedTree]) -> Iterator[Step]:
    for tree in trees:
        for step in tree.judgement.steps:
            if step.rule is rule and not step.is_harmless:
                yield step


def _applicable(first: Step, tree: JudgedTree) -> Iterator[NodeVisit]:
    """The visits at which the rule of a step can be broken."""
    rule = first.rule
    for visit in tree.watched.visits:
        if visit.left < 0 or visit.has_raised:
            continue
        if rule is Rule.RESULT:
            if not visit.is_leaf and visit.value is not None and len(visit.values_below()) == len(visit.node.actions):
                yield visit
        elif rule is Rule.BELOW_HORIZON:
            if visit.left == 0 and not visit.node.is_terminal:
                yield visit
        elif rule is Rule.LEAF_VALUE:
            is_alike = visit.is_leaf and visit.node.is_terminal == first.visit.node.is_terminal
            if is_alike and visit.value is not None and visit.read_at < 0:
                yield visit
        elif rule in (
            Rule.NOT_SEARCHED,
            Rule.CUT_EARLY,
            Rule.CUT_LATE,
            Rule.ALL_FIRST,
            Rule.UNASKED_CUT,
            Rule.WINDOW,
            Rule.PLIES,
        ):
            if not visit.is_leaf and len(visit.node.actions) > 1 and visit.below:
                yield visit
        elif rule in (Rule.ACTION, Rule.BOUND_AS_VALUE):
            if visit is tree.watched.root and len(visit.node.actions) > 1 and not visit.is_leaf:
                yield visit
        elif not visit.is_leaf:
            is_searched = bool(visit.made or visit.below)
            if is_searched or not is_near(_value(visit), right_value(visit.node, visit.left)):
                yield visit


def _place(visits: Sequence[NodeVisit], broken: set[int]) -> str:
    """The first place in which all visits break the rule, and outside of which none does; "" if there is none."""
    if sum(id(visit) in broken for visit in visits) < ENOUGH:
        return ""
    for name in PLACE_PHRASES:
        is_inside = PLACES[name]
        if all(is_inside(visit.spot) == (id(visit) in broken) for visit in visits):
            return name
    return ""


def _count(visits: Sequence[NodeVisit], place: str) -> int:
    return sum(PLACES[place](visit.spot) for visit in visits)
