"""What a search knows at one node before its next step: everything that a question of the page is about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pacman.core.layers import Layer

Window = tuple[float, float]
Answer = float | Window | bool | str
"""A value, a window, whether the search cuts, or the name of a choice."""


class Kind(StrEnum):
    """What a question asks for."""

    VALUE = "value"
    """The value with which the search leaves the node."""
    WINDOW = "window"
    """The window with which the search enters the next child."""
    CUT = "cut"
    """Whether the search leaves the node now, without the children that are left."""
    NEXT = "next"
    """What Star2 does after a probed move: one of the names in `Step`."""
    ACTION = "action"
    """The action that the search returns at the root."""


class Step(StrEnum):
    """What Star2 can do after a probed move."""

    STAY = "stay"
    """Search the next move of the same outcome."""
    GO_ON = "go on"
    """Probe the first move of the next outcome."""
    LEAVE = "leave"
    """Leave the CHANCE node."""


class Star(NamedTuple):
    """What star1 and star2 know at a CHANCE node: the bounds [L, U], and an interval for each outcome, in order."""

    low: float
    high: float
    intervals: tuple[Window, ...]


@dataclass(frozen=True)
class Situation:
    """A node of a recorded search, just before the event that the question asks for.

    `values` are those of the children that the search has left, in order. `others` are the exhaustive values of the
    other children, for a wrong search that would look at them. `window` is the one with which the search entered the
    node. `evaluation` is None if the tree gives none. `star` is None for a search without bounds.
    """

    kind: Kind
    mark: int
    """The entry, as an index of the trace's visits, at which the question stands: into the node for its value and its
    action; into the next child for the window of that child; into the last child for what comes after it."""
    node: int
    """The number of the node in the order of the lines of the tree."""
    name: str
    layer: Layer
    actions: tuple[str, ...]
    probabilities: tuple[float, ...]
    values: tuple[float, ...]
    others: tuple[float, ...]
    window: Window
    has_leaves_only: bool
    evaluation: float | None
    prunes: bool
    right: Answer
    star: Star | None = None
    is_probe: bool = False
    """True if Star2 has probed the outcomes and not yet searched one of them."""

    @property
    def place(self) -> int:
        """The index of the next child."""
        return len(self.values)
