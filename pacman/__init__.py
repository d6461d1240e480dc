"""Pacman as a stack of layers: MAX for Pacman, CHANCE for each random ghost, MIN for each optimal ghost.

    from pacman import start

    state = start("smallish", ["random", "optimal"])
    print(state.layers, state.actions())

Each name is loaded at its first use, so `import pacman` is quick and loads no library. A notebook shows a position,
a drawn tree and the result of `run_search` as the picture that `svg` returns.
"""

import sys

if sys.argv[:1] == ["-m"]:  # `python -m pacman`, which looks for modules in the current folder first
    from pacman import program_imports

    program_imports.forbid_current_folder()

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.3.0"

if TYPE_CHECKING:
    from pacman.core.errors import IllegalAction, InputError
    from pacman.core.layout import AgentNumber, Cell, Layout, LayoutError, Mask, Maze, Position, cells, mask
    from pacman.core.rounds import OPTIMAL, RANDOM, GhostModel, directional
    from pacman.core.rules import EAST, NORTH, SOUTH, STOP, WEST
    from pacman.core.state import GameState, start
    from pacman.core.tree import Evaluation, Layer, Line, Node
    from pacman.core.tree_text import Outline
    from pacman.picture.tree import svg
    from pacman.play.game import Game
    from pacman.search import (
        Options,
        SearchResult,
        alphabeta,
        constant_bounds,
        deepening,
        exhaustive,
        run_search,
        star1,
        star2,
    )

__all__ = [
    "EAST", "NORTH", "OPTIMAL", "RANDOM", "SOUTH", "STOP", "WEST", "AgentNumber", "Cell", "Evaluation", "Game",
    "GameState", "GhostModel", "IllegalAction", "InputError", "Layer", "Layout", "LayoutError", "Line", "Mask",
    "Maze", "Node", "Options", "Outline", "Position", "SearchResult", "alphabeta", "cells", "constant_bounds",
    "deepening", "directional", "exhaustive", "mask", "run_search", "star1", "star2", "start", "svg",
]  # fmt: skip

_MODULES = {
    "core.errors": "IllegalAction InputError",
    "core.layout": "AgentNumber Cell Layout LayoutError Mask Maze Position cells mask",
    "core.tree_text": "Outline",
    "core.rounds": "GhostModel OPTIMAL RANDOM directional",
    "core.rules": "EAST NORTH SOUTH STOP WEST",
    "core.state": "GameState start",
    "core.tree": "Evaluation Layer Line Node",
    "play.game": "Game",
    "search": "SearchResult Options alphabeta constant_bounds deepening exhaustive run_search star1 star2",
    "picture.tree": "svg",
}
_MODULE_OF = {name: f"pacman.{module}" for module, names in _MODULES.items() for name in names.split()}
_PICTURE_CLASSES = {
    "pacman.core.state": "GameState",
    "pacman.core.tree_text": "Outline",
    "pacman.search.algorithms": "SearchResult",
}
"""The classes that a notebook shows as a picture, by their modules."""


def __getattr__(name: str) -> Any:
    """The public name, loaded now (PEP 562). ImportError if it is not available to graded code."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'pacman' has no attribute '{name}'")
    try:
        value = getattr(import_module(_MODULE_OF[name]), name)
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("pacman"):
            raise
        raise ImportError(f"pacman.{name} is not available to graded code") from None
    globals()[name] = value
    # The classes get the method here and not in pacman.core, which must not import the pictures.
    for module, class_name in _PICTURE_CLASSES.items():
        if module in sys.modules:
            getattr(sys.modules[module], class_name)._repr_svg_ = _repr_svg_
    return value


def _repr_svg_(value: Any) -> str | None:
    """The picture of a value, which IPython calls. None if the picture would be too large; IPython then shows text."""
    picture: str | None = import_module("pacman.picture.tree").for_notebook(value)
    return picture


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
