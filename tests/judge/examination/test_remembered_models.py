"""A remembered model answers what it would answer now, and is simulated once on a shared tree."""

from __future__ import annotations

import pytest

from autograder.judge.examination import remembered_models
from autograder.judge.examination.hypotheses import hypotheses
from autograder.judge.examination.model_tree import ModelTree
from autograder.judge.examination.questions import Scope
from autograder.judge.examination.remembered_models import answer_of, with_change
from autograder.judge.examination.search_model import SearchModel
from autograder.judge.examination.simulation import Result, TooManySuccessors, simulate
from pacman.core.layers import Layer
from pacman.core.outline import Outline

TREE = Outline.parse("max\n  a: min\n    x: 3\n    y: 9\n  b: min\n    x: max ~4\n      k: 1\n      l: 7\n    y: 6")
BASE = SearchModel()
LIMITS = (4, 3, 9, 2, 100, 4)


def shared_tree() -> ModelTree:
    tree = ModelTree(TREE, 2)
    tree.known = {}
    return tree


def outcome(search: object, model: SearchModel, tree: ModelTree, most: int) -> Result | None:
    assert callable(search)
    try:
        result = search(model, tree, most)
    except TooManySuccessors:
        return None
    assert isinstance(result, Result)
    return result


def test_every_remembered_answer_is_the_simulated_one() -> None:
    tree = shared_tree()
    rows = hypotheses(Scope((Layer.MAX, Layer.MIN), False, ""))
    changes = [change for row in rows for change in row.changes]
    assert len(changes) > 100
    for change in changes:
        model = with_change(BASE, change)
        for most in LIMITS:
            assert outcome(answer_of, model, tree, most) == outcome(simulate, model, tree, most), (change, most)


def test_a_model_is_simulated_once_on_a_shared_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered_models, "_memory", remembered_models._Memory())  # it may be full
    change = {"order": "reversed"}
    tree = shared_tree()
    first = answer_of(with_change(BASE, change), tree, 100)
    monkeypatch.setattr(remembered_models, "simulate", None)
    assert answer_of(with_change(BASE, change), tree, 90) is first
    with pytest.raises(TooManySuccessors):
        answer_of(with_change(BASE, change), tree, 3)


def test_nothing_is_remembered_on_a_tree_of_one_submission() -> None:
    tree = ModelTree(TREE, 2)
    model = with_change(BASE, {"order": "reversed"})
    assert answer_of(model, tree, 100) is not answer_of(model, tree, 100)
    assert tree.known is None
