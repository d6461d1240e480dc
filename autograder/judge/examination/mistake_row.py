"""One way in which a search may be wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.judge.examination.search_model import SearchModel

Change = Mapping[str, Any]
"""Fields of a `SearchModel` with their values."""


@dataclass(frozen=True)
class Hypothesis:
    """One way in which a search may be wrong. Each of its `changes` is a way to write it.

    `name` is the same for all rows that an instructor would count as one mistake. `facet` is what is wrong:
    a second mistake of the same facet cannot be told apart from the first.
    """

    name: str
    facet: str
    sentence: str
    hint: str
    changes: tuple[Change, ...]


def combined(base: SearchModel, *changes: Change) -> SearchModel:
    """The model with all changes; deciders add up, and the earlier ones go first."""
    model = object.__new__(SearchModel)
    fields = vars(model)  # `replace` would check all fields: an examination combines ten thousand models
    fields.update(vars(base))
    for change in changes:
        fields.update(change)
    if len(changes) > 1:
        fields["deciders"] = tuple(decider for change in changes for decider in change.get("deciders", ()))
    return model
