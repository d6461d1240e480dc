"""By which rule a wrong search computes the value of a node from its children."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from autograder.judge.examination.mistake_row import Change, Hypothesis
from autograder.judge.examination.model_tree import CHANCE, MAX, MIN
from autograder.judge.examination.questions import Scope
from autograder.judge.examination.rule_phrases import (
    PLACE_PHRASES,
    ROOT_IS_MAX,
    RULE_PHRASES,
)
from autograder.judge.examination.search_model import Decider
from pacman.core.layers import Layer

LAYER_HINTS = {
    MAX: "At a MAX node Pacman chooses, and he wants the largest of the children's values. Which line of your code "
    "computes the value of a MAX node?",
    MIN: "At a MIN node an opponent of MAX chooses, and it wants the smallest of the children's values. Which line of "
    "your code runs at this MIN node?",
    CHANCE: "At a CHANCE node nobody chooses. The value is the sum of probability times value over `node.outcomes()`. "
    "Which line of your code runs at this CHANCE node?",
}
NAMES_OF_RULES = {
    (MAX, "min"): "max-as-min",
    (MAX, "mean"): "max-as-chance",
    (MIN, "max"): "min-as-max",
    (MIN, "mean"): "min-as-chance",
    (MIN, "equal mean"): "min-as-chance",
    (CHANCE, "min"): "chance-as-min",
    (CHANCE, "max"): "chance-as-max",
    (CHANCE, "sum"): "sum-for-mean",
    (CHANCE, "equal mean"): "equal-chances",
    (CHANCE, "mean divided again"): "mean-divided-again",
    (CHANCE, "divided by root actions"): "divided-by-others",
    (CHANCE, "mean rounded down"): "integer-division",
    (CHANCE, "mean cut off"): "integer-division",
    (CHANCE, "equal mean rounded down"): "integer-division",
    (CHANCE, "equal mean cut off"): "integer-division",
}
"""The names for wrong rules that have a common name; others are named by layer."""


def _rules_for(layer: Layer, rule: str) -> tuple[str, ...]:
    """The ways to write a rule at a layer; empty if the rule is right there, or cannot be."""
    right = {MAX: "max", MIN: "min", CHANCE: "mean"}[layer]
    if rule in (right, f"picks {right}"):
        return ()
    if rule.startswith("picks"):
        return ()
    if rule in ("max", "min"):
        return (rule,) if layer is CHANCE else (rule, f"picks {rule}")
    chances = ("mean divided", "mean rounded", "prob", "terms", "most likely", "first term", "last term", "last prob")
    if layer is not CHANCE and rule.startswith(chances):
        return ()
    if layer is not CHANCE and rule == "equal mean":
        return ()  # without probabilities it is the mean
    return (rule,)


def deciders(
    scope: Scope,
    places: Mapping[str, str] | tuple[str, ...],
    rules: Mapping[str, str] | tuple[str, ...],
    but: tuple[tuple[str, ...], tuple[str, ...]] | None = None,
) -> Iterator[Hypothesis]:
    """Wrong rules at the nodes of a layer, at some places; and searches that mix up the layers."""
    for place in places:
        for rule in rules:
            if but and place in but[0] and rule in but[1]:
                continue
            for layer in scope.layers:
                if f"below a {layer.value} node" in place or (layer is MAX and "ghost" in place):
                    continue
                if place == "below the root" and not but and not (scope.in_rounds and layer is MAX):
                    continue
                if scope.in_rounds and layer is MAX and rule not in ("min", "max") and place != "below the root":
                    continue  # there only the root's action shows, which is that of its best child
                ways = _rules_for(layer, rule)
                if not ways:
                    continue
                where = PLACE_PHRASES[place].format(L=layer.value.upper())
                plain = "takes the mean of the values" if layer is not CHANCE and rule == "mean" else RULE_PHRASES[rule]
                as_if = _as_if(layer, rule) if place == "everywhere" else ""
                changes: list[Change] = []
                for way in ways:
                    deciders = (Decider(layer, place, way),)
                    changes.append({"deciders": deciders})
                    if layer is CHANCE and way in ("max", "min"):
                        changes.append({"deciders": deciders, "acts_at_chance": True})
                if rule == "minus infinite":
                    changes.append({"deciders": deciders, "is_first_better": False})
                if "ghost" in place:
                    changes += [{**change, "root_turn": 0} for change in changes]
                name = NAMES_OF_RULES.get((layer, rule), f"wrong-value-at-{layer.value}")
                sentence = f"{where}, your search {plain}{as_if}."
                yield Hypothesis(name, "deciders", sentence, LAYER_HINTS[layer], tuple(changes))
    if but is None and MIN in scope.layers:
        swapped = (Decider(MAX, "everywhere", "min"), Decider(MIN, "everywhere", "max"))
        picks = (Decider(MAX, "everywhere", "picks min"), Decider(MIN, "everywhere", "picks max"))
        yield Hypothesis("exchanged", "deciders", "Your search swaps MAX and MIN.",
                         "Take a tree with one MAX node and two leaves. Which leaf does MAX want, and which one do "
                         "you return?", ({"deciders": swapped}, {"deciders": picks}))  # fmt: skip
        by_depth = (
            Decider(MIN, "at even depth", "max"),
            Decider(MAX, "at odd depth", "min"),
            Decider(CHANCE, "at even depth", "max"),
        )
        by_turns = (
            Decider(MIN, "in max's turn", "max"),
            Decider(MAX, "in an opponent's turn", "min"),
            Decider(CHANCE, "in max's turn", "max"),
            Decider(CHANCE, "in an opponent's turn", "min"),
        )
        by_parity = (
            Decider(MIN, "with an even number of plies left", "max"),
            Decider(MAX, "with an odd number of plies left", "min"),
        )
        yield Hypothesis("by-depth", "deciders", "Your search uses the depth, not the node, to decide whose turn it "
                         "is: MAX at even plies, an opponent at odd plies.",
                         "With two ghosts, who moves at the third ply? Ask the node: `node.layer`.",
                         ({"deciders": by_depth}, {"deciders": by_depth[:2]}))  # fmt: skip
        yield Hypothesis(
            "by-turns", "deciders", "Your search lets MAX and one opponent take turns, ply by ply, and does not ask "
            "the node who moves; so with two ghosts the second one takes the largest value.",
            "With two ghosts, who moves after the first ghost? Ask the node: `node.layer`.",
            ({"deciders": by_turns[:2]}, {"deciders": by_turns}, {"deciders": by_turns, "acts_at_chance": True},
             {"deciders": tuple((Decider(layer, place, f"picks {rule}") for layer, place, rule in by_turns[:2]))})
        )  # fmt: skip
        yield Hypothesis("by-plies-left", "deciders", "Your search decides by the number of plies left whose turn it "
                         "is: MAX if it is even, MIN if it is odd.", "With two ghosts, who moves when three plies "
                         "are left? Ask the node: `node.layer`.", ({"deciders": by_parity},))  # fmt: skip
    if but is None:
        hint = "Which function does your code call for a child? The child says who decides there: `node.layer`."
        for above, layer in product(scope.layers, repeat=2):
            rule = {MAX: "max", MIN: "min", CHANCE: "mean"}[layer]
            place = f"below a {above.value} node"
            others = tuple(Decider(each, place, rule) for each in scope.layers if each is not layer)
            names = above.value.upper(), layer.value.upper()
            sentence = f"Directly below a {names[0]} node, your search treats every node as a {names[1]} node."
            changes_here: tuple[Change, ...] = ({"deciders": others}, {"deciders": others, "acts_at_chance": True})
            yield Hypothesis("layer-by-parent", "deciders", sentence, hint, changes_here)
    if but is None and len(scope.layers) == 3:
        pairs: tuple[tuple[str, str, tuple[Decider, ...]], ...] = (
            ("chance-and-min-exchanged", "Your search swaps MIN and CHANCE nodes.",
             (Decider(MIN, "everywhere", "mean"), Decider(CHANCE, "everywhere", "min"))),
            ("by-turn", "Your search goes by the turn, not by the node: it takes the first ghost after MAX as MIN "
             "and every later ghost as CHANCE.",
             (Decider(CHANCE, "first ghost", "min"), Decider(MIN, "later ghost", "mean"),
              Decider(CHANCE, "later ghost", "equal mean"))),
            ("by-turn", "Your search goes by the turn, not by the node: it takes the first ghost after MAX as CHANCE "
             "and every later ghost as MIN.",
             (Decider(MIN, "first ghost", "mean"), Decider(CHANCE, "later ghost", "min"))),
            ("by-turn", "Your search goes by the turn, not by the node: it takes the last ghost of a round as MIN "
             "and every other ghost as CHANCE.",
             (Decider(CHANCE, "last ghost", "min"), Decider(MIN, "not last ghost", "mean"))),
            ("ghosts-all-random", "At MIN and CHANCE nodes your search takes the plain mean, as if all ghosts moved "
             "at random and all moves were equally likely.",
             (Decider(MIN, "everywhere", "mean"), Decider(CHANCE, "everywhere", "equal mean"))),
            ("ghosts-all-max", "At MIN and CHANCE nodes your search takes the largest value, as if all ghosts helped "
             "Pacman.", (Decider(MIN, "everywhere", "max"), Decider(CHANCE, "everywhere", "max"))),
        )  # fmt: skip
        for name, sentence, several in pairs:
            hint = "The node says who decides: `node.layer`. Which test in your code chooses between MIN and CHANCE?"
            yield Hypothesis(name, "deciders", sentence, hint,
                             ({"deciders": several}, {"deciders": several, "acts_at_chance": True},
                              {"deciders": (*ROOT_IS_MAX, *several), "root_turn": 0},
                              {"deciders": (*ROOT_IS_MAX, *several), "root_turn": 0,
                               "acts_at_chance": True}))  # fmt: skip


def _as_if(layer: Layer, rule: str) -> str:
    return {
        (MAX, "min"): ", as if Pacman wanted to lose",
        (MAX, "mean"): ", as if Pacman moved at random",
        (MIN, "max"): ", as if the ghosts helped Pacman",
        (MIN, "mean"): ", as if the ghosts moved at random",
        (CHANCE, "min"): ", as if chance were an opponent",
        (CHANCE, "max"): ", as if chance were on Pacman's side",
    }.get((layer, rule), "")
