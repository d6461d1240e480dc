"""One way in which a search may be wrong."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.judge.diagnosis.questions import Scope
from autograder.judge.wrong_searches.search_model import Change, SearchModel
from pacman.core.layers import Layer

ANY_CUTS = ("", "equal", "strict")
WITH_CUTS = ("equal", "strict")


@dataclass(frozen=True)
class Mistake:
    """One way in which a search may be wrong: what the grader says about it, and the `change` that makes it.

    Rows with the same `name` count as one mistake. It can happen in parts that have all of `layers`, and whose rule for
    cuts is one of `cuts`.
    """

    name: str
    sentence: str
    hint: str
    change: Change
    layers: tuple[Layer, ...] = ()
    cuts: tuple[str, ...] = ANY_CUTS

    def can_happen(self, scope: Scope) -> bool:
        """True if parts of this scope can have the mistake."""
        return set(self.layers) <= set(scope.layers) and scope.cuts in self.cuts

    @property
    def right(self) -> SearchModel:
        """The right search in which the mistake shows: alpha-beta if the mistake needs windows."""
        return SearchModel() if "" in self.cuts else SearchModel(cuts="equal")
