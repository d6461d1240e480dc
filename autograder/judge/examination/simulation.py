"""Runs the search that a `SearchModel` describes."""

from __future__ import annotations

from operator import attrgetter

from autograder.judge.examination.model_tree import ModelTree
from autograder.judge.examination.plain_simulation import Result, Simulation, TooManySuccessors
from autograder.judge.examination.search_model import SearchModel
from autograder.judge.examination.unusual_simulation import UnusualSimulation

__all__ = ["Result", "Simulation", "TooManySuccessors", "simulate", "simulation"]

UNUSUAL = (
    "adds_evaluation", "best_again", "chance_stops", "compares", "cut_returns", "deepens", "drift", "enough",
    "ignores_ends", "memory", "one_best", "overwrites", "resets_at_same_layer", "returns_last", "searches",
    "searches_only", "shares_best", "starts_from", "window_shared", "zero_is_none",
)  # fmt: skip
"""The fields that only this kind of simulation knows."""
_unusual_values = attrgetter(*UNUSUAL)
_USUAL_VALUES = _unusual_values(SearchModel())


def simulation(model: SearchModel, tree: ModelTree, most: int) -> Simulation:
    """A search that does what `model` says. TooManySuccessors above `most` generated successors."""
    usual = _unusual_values(model) == _USUAL_VALUES and model.makes not in ("one ahead", "twice")
    if usual and model.action != "last written":
        return Simulation(model, tree, most)
    return UnusualSimulation(model, tree, most)


def simulate(model: SearchModel, tree: ModelTree, most: int) -> Result:
    """The result of a search that does what `model` says. TooManySuccessors above `most` generated successors."""
    return simulation(model, tree, most).result()
