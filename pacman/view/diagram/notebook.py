"""The picture of a position, a drawn tree or a searched one: as text for a file, and as a notebook shows it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pacman.core.outline import Outline
from pacman.core.state import GameState
from pacman.core.tree import Node
from pacman.search.algorithms import SearchResult
from pacman.view.diagram import board, tree

MOST = 200
"""The picture of a tree with more nodes is too wide to be read."""


def svg(shown: GameState | Outline | SearchResult) -> str:
    """The text of an SVG file: a board, a tree as it was drawn, or what `run_search` returned.

    ValueError for what the compiled search found: it keeps no trace.
    """
    return board.svg(shown) if isinstance(shown, GameState) else tree.svg(shown)


def for_notebook(shown: GameState | Outline | SearchResult) -> str | None:
    """The same, or None where there is no trace, or the tree is too large."""
    if isinstance(shown, SearchResult) and not shown.trace.visits:
        return None
    nodes = () if isinstance(shown, GameState) else _nodes(*tree.searched(shown))
    return svg(shown) if sum(1 for _ in islice(nodes, MOST + 1)) <= MOST else None


def _nodes(node: Node, plies: int) -> Iterator[Node]:
    yield node
    for action in node.actions() if plies and not node.is_terminal else ():
        yield from _nodes(node.successor(action), plies - 1)
