"""Models of wrong searches, and what they answer on the trees that all examinations of a process share.

Every examination tries the same models with one mistake on the same trees, and a model always answers the same. So a
process that examines many submissions simulates most of these searches once.
"""

from __future__ import annotations

from autograder.judge.examination.mistake_row import Change, combined
from autograder.judge.examination.model_tree import ModelTree
from autograder.judge.examination.search_model import SearchModel
from autograder.judge.examination.simulation import Result, TooManySuccessors, simulate

MOST_MODELS = 20_000
"""How many models are remembered."""
MOST_ANSWERS = 100_000
"""How many answers of remembered models are remembered: about 50 MB."""


class _Memory:
    """The remembered models. Each one keeps its base and its change, so that their ids belong to no later object."""

    def __init__(self) -> None:
        self.models: dict[tuple[int, int], tuple[SearchModel, SearchModel, Change]] = {}
        self.ids: set[int] = set()
        self.answers = 0


_memory = _Memory()


def with_change(base: SearchModel, change: Change) -> SearchModel:
    """The model with one change; the same object for the same objects, so that its answers can be remembered."""
    key = id(base), id(change)
    known = _memory.models.get(key)
    if known is not None:
        return known[0]
    model = combined(base, change)
    if len(_memory.models) < MOST_MODELS:
        _memory.models[key] = model, base, change
        _memory.ids.add(id(model))
    return model


def answer_of(model: SearchModel, tree: ModelTree, most: int) -> Result:
    """What `simulate` returns or raises, from memory if it is known."""
    if tree.known is None or id(model) not in _memory.ids:
        return simulate(model, tree, most)
    result: Result | None
    result, limit = tree.known.get(id(model), (None, 0))
    if result is None and limit < most:
        try:
            result = simulate(model, tree, most)
        except TooManySuccessors:
            _remember(tree, model, None, most)
            raise
        _remember(tree, model, result, most)
    if result is None or len(result.generated) > most:
        raise TooManySuccessors
    return result


def _remember(tree: ModelTree, model: SearchModel, result: Result | None, most: int) -> None:
    """Remembers an answer; None if the search generates more than `most` successors."""
    assert tree.known is not None
    if _memory.answers < MOST_ANSWERS:
        _memory.answers += id(model) not in tree.known
        tree.known[id(model)] = result, most
