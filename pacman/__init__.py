"""Pacman as a stack of layers: MAX for Pacman, CHANCE for each random ghost, MIN for each optimal one.

    from pacman import start

    state = start("smallish", ["random", "optimal"])
    print(state.layers, state.actions())

What a name needs is loaded when it is first asked for, so `import pacman` is quick and loads no library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pacman.core.errors import IllegalAction, InputError
    from pacman.core.layers import Layer
    from pacman.core.layout import Layout, LayoutError, cells
    from pacman.core.outline import Outline
    from pacman.core.rules import STOP
    from pacman.core.state import GameState, start
    from pacman.core.tree import Evaluation, Line, Node
    from pacman.play.game import Game
    from pacman.search import alphabeta, deepening, everywhere, exhaustive, find, star1, star2

__all__ = [
    "STOP", "Evaluation", "Game", "GameState", "IllegalAction", "InputError", "Layer", "Layout", "LayoutError", "Line",
    "Node", "Outline", "alphabeta", "cells", "deepening", "everywhere", "exhaustive", "find", "star1", "star2", "start",
]  # fmt: skip

_HOMES = {
    "core.errors": ("IllegalAction", "InputError"),
    "core.layers": ("Layer",),
    "core.layout": ("Layout", "LayoutError", "cells"),
    "core.outline": ("Outline",),
    "core.rules": ("STOP",),
    "core.state": ("GameState", "start"),
    "core.tree": ("Evaluation", "Line", "Node"),
    "play.game": ("Game",),
    "search": ("alphabeta", "deepening", "everywhere", "exhaustive", "find", "star1", "star2"),
}
_HOME = {name: f"pacman.{home}" for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """The public name, loaded now (PEP 562). ImportError for one that is not there for graded code."""
    if name not in _HOME:
        raise AttributeError(f"module 'pacman' has no attribute '{name}'")
    try:
        value = getattr(import_module(_HOME[name]), name)
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("pacman"):
            raise
        raise ImportError(f"pacman.{name} is not available to graded code") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
