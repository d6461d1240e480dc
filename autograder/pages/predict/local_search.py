"""Runs a wrong search from one node on: what would it answer where the right search stands?

The node gets a tree of one ply: its children are leaves with the values that the right search has for them. So the
simulated search answers with one mistake and no consequences of earlier ones.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from autograder.judge.diagnosis.model_tree import ModelTree
from autograder.judge.wrong_searches.search_model import SearchModel
from autograder.judge.wrong_searches.simulation import Simulation
from autograder.pages.predict.situation import Answer, Kind, Situation
from pacman.core.layers import Layer
from pacman.core.outline import Outline

MOST = 100


def right_model(situation: Situation, cuts: bool = True) -> SearchModel:
    """The model of the right search; one without `cuts` takes the children that the search has seen as all of them."""
    return SearchModel(cuts="equal" if cuts and situation.prunes else "")


def local_answer(situation: Situation, model: SearchModel, sees_all: bool = False) -> Answer | None:
    """What the search of `model` answers; None if it would not come to this event, or answers nothing.

    A value or an action comes from the children that the right search has seen, or with `sees_all` from all.
    """
    only_seen = situation.kind in (Kind.VALUE, Kind.ACTION) and not sees_all
    alpha, beta = situation.window
    placed = replace(model, window_alpha=alpha, window_beta=beta)
    search = Simulation(placed, _tree(situation, len(situation.values) if only_seen else None), MOST)
    result = search.result()
    if result.error:
        return None
    if situation.kind is Kind.VALUE:
        return result.value
    if situation.kind is Kind.ACTION:
        return result.action
    entered = len(result.generated)
    if situation.kind is Kind.WINDOW:
        return search.windows[result.generated[situation.place]] if entered > situation.place else None
    if situation.kind is Kind.CUT and entered >= situation.place:
        return entered == situation.place
    return None


@lru_cache(maxsize=4)
def _tree(situation: Situation, most: int | None) -> ModelTree:
    """The node with its first children as leaves: the `most` first ones, or all. Several searches can share it."""
    leaves = [Outline(None, value) for value in (*situation.values, *situation.others)][:most]
    is_chance = situation.layer is Layer.CHANCE
    node = Outline(
        situation.layer,
        branches=tuple(zip(situation.actions[:most], leaves, strict=True)),
        probabilities=tuple(Fraction(each) for each in situation.probabilities[:most]) if is_chance else (),
        evaluation=situation.evaluation,
    )
    return ModelTree(node, plies=1)
