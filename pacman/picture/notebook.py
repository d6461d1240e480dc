"""The picture of a position, of a drawn tree or of a searched tree: as text for a file, and for a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pacman.core.state import GameState
from pacman.core.tree import Node
from pacman.core.tree_text import Outline
from pacman.picture import board, tree
from pacman.search.algorithms import SearchResult

MAX_NODES = 200
"""The picture of a larger tree is too wide to read."""


def svg(source: GameState | Outline | SearchResult, theme: str = "") -> str:
    """The text of an SVG file: the board of a position, a drawn tree, or the tree that `run_search` searched.

    `theme` is "light", "dark" or "colour-blind"; without one, boards are dark and trees are light.
    ValueError for the result of a compiled search: it keeps no trace.
    """
    if isinstance(source, GameState):
        return board.svg(source, theme=theme or "dark")
    return tree.svg(source, theme=theme or "light")


def for_notebook(source: GameState | Outline | SearchResult) -> str | None:
    """The same picture; None if a search kept no trace, or if the tree has more than `MAX_NODES` nodes."""
    if isinstance(source, SearchResult) and not source.trace.visits:
        return None
    nodes = () if isinstance(source, GameState) else _nodes(*tree.root_and_plies(source))
    return svg(source) if sum(1 for _ in islice(nodes, MAX_NODES + 1)) <= MAX_NODES else None


def _nodes(node: Node, plies: int) -> Iterator[Node]:
    yield node
    for action in node.actions() if plies and not node.is_terminal else ():
        yield from _nodes(node.successor(action), plies - 1)
