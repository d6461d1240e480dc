"""Who decides at a node. The layers of Pacman: MAX, a CHANCE layer per random ghost, a MIN layer per optimal ghost."""

from __future__ import annotations

from enum import Enum


class Layer(Enum):
    """Who decides at a node."""

    MAX = "max"
    CHANCE = "chance"
    MIN = "min"

    def __repr__(self) -> str:
        return self.name
