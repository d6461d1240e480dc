"""Pacman as a stack of layers: MAX for Pacman, CHANCE for each random ghost, MIN for each optimal one."""

from pacman.errors import IllegalAction, InputError
from pacman.layers import Layer
from pacman.layout import Layout, LayoutError
from pacman.state import GameState, start

__all__ = ["GameState", "IllegalAction", "InputError", "Layer", "Layout", "LayoutError", "start"]
