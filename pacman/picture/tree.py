"""A game tree as a picture (SVG): as it was drawn, or with what a search found in it and what it never saw.

MAX is an up-triangle, MIN a down-triangle, CHANCE a circle, a leaf a box with its utility.

A script can find the parts of the picture. Node N, counted in preorder from 0, is `<g class="node max" data-node="N">`
(or `min`, `chance`, `leaf`), and the branch to it is `<g class="branch" data-node="N">`. Further classes are `unseen`
(the search did not enter the node) and `line` (the principal line). Inside a node are texts with the classes `value`,
`name`, `window`, `reason` and `evaluation`; a branch has an `action` and, if it is struck through, a path `struck`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType

from pacman.core.errors import counted
from pacman.core.numbers import format_number
from pacman.core.tree import Node
from pacman.core.tree_text import Outline
from pacman.picture.colours import attributes, tree_parts
from pacman.picture.svg_elements import BOLD, opening, text, text_width
from pacman.picture.tree_elements import (
    PLAIN,
    Legend,
    draw_branch,
    draw_legend,
    draw_node,
    legend_of,
    legend_width,
)
from pacman.picture.tree_layout import (
    INNER_HEIGHT,
    SMALL,
    VALUE,
    WORD,
    PlacedNode,
    half_width,
    place_nodes,
    spacing,
)
from pacman.record.report_from_trace import report_from_trace
from pacman.record.trace import Path
from pacman.search.algorithms import SearchResult

TITLE = 17.0
BRANCH, MARGIN = 78.0, 24.0
NO_NOTES: Mapping[Path, str] = MappingProxyType({})


def svg(
    source: Outline | SearchResult,
    bounds: tuple[float, float] | None = None,
    *,
    theme: str = "light",
    widest_window: str = "",
    notes: Mapping[Path, str] = NO_NOTES,
    windows: bool = True,
) -> str:
    """The text of an SVG file: a drawn tree, or the tree of a `run_search` result to the depth of the search.

    `bounds` are the bounds [L, U] of the search, if it had any. An inner node shows its value, with ≤ or ≥ if the
    search knows only a bound. Beside it are the windows of its entries (the first one, from a probe perhaps, and the
    last one) and why the search left it early. A node that the search did not enter is pale, and its branch is struck
    through; the principal line is thick. The same input gives the same bytes. ValueError for a result without a trace.

    `theme` is the name of a theme, or `colours.PAGE`: then `colours.page_style` colours the picture. Every inner
    node has room for `widest_window`, which a script may write there. `notes` are remarks about nodes, by their paths.
    Without `windows`, a search shows only values: all windows of a search that never cuts are the same.
    The picture has no ids, so a page can contain any number of pictures.

    >>> from pacman.search.algorithms import run_search
    >>> tree = Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 2\\n    y: 100")
    >>> picture = svg(run_search("alphabeta", tree, plies=2))
    >>> picture.startswith("<svg"), picture.count('class="branch unseen" data')
    (True, 1)
    """
    result = source if isinstance(source, SearchResult) else None
    tree, plies = root_and_plies(source)
    root = place_nodes(tree, plies, report_from_trace(tree, plies, result.trace, line=result.line) if result else None)
    _add_notes(root, notes)
    nodes = list(root.subtree())
    if not windows:
        for node in nodes:
            node.beside = []
    legend = legend_of(nodes, result is not None and windows)
    heading = _heading(result, bounds, len(nodes)) if result else counted(len(nodes), "node")
    is_drawn = isinstance(source, Outline) and not notes
    description = str(source) if is_drawn else "\n".join(outline_lines(nodes))
    return drawing(nodes, heading, description, legend, theme, widest_window)


def drawing(
    nodes: list[PlacedNode],
    heading: str,
    description: str,
    legend: Legend,
    theme: str,
    widest_window: str = "",
) -> str:
    """The picture of placed nodes, in preorder. `heading` is its title, `description` is for who cannot see it."""
    least_width = max(text_width(heading, TITLE), legend_width(legend))
    layout = _measured(nodes, least_width, text_width(widest_window, SMALL))
    parts = tree_parts(theme)
    middle, foot = layout.width / 2, layout.height - MARGIN + 6
    return "\n".join(
        [
            *opening(layout.width, layout.height, "tree", heading, description),
            f'<rect class="paper" width="100%" height="100%"{attributes(parts, ".paper")}/>',
            f'<g font-size="{TITLE:g}" text-anchor="middle"{BOLD}{attributes(parts, ".title")}>',
            text(middle, MARGIN + TITLE * 0.8, heading, "title"),
            "</g>",
            f'<g class="branches" font-size="{WORD:g}" text-anchor="middle" stroke-width="1.4" stroke-linecap="round"'
            f"{attributes(parts, '.branches')}>",
            *(
                draw_branch(child, layout.places[parent], layout.places[child], nodes[parent], nodes[child], parts)
                for parent, child in _branches(nodes)
            ),
            "</g>",
            f'<g class="nodes" font-size="{VALUE:g}" text-anchor="middle" stroke-width="{PLAIN:g}"'
            f' stroke-linejoin="round"{attributes(parts, ".nodes")}>',
            *(draw_node(number, layout.places[number], node, layout.half, parts) for number, node in enumerate(nodes)),
            "</g>",
            f'<g class="legend" font-size="{SMALL:g}"{attributes(parts, ".legend")}>',
            *draw_legend(middle - legend_width(legend) / 2, foot, legend, parts),
            "</g>",
            "</svg>",
            "",
        ]
    )


@dataclass(frozen=True)
class _Measures:
    """The size of a picture, half the width of its inner nodes, and the middle of each node's top, all in pixels."""

    width: float
    height: float
    half: float
    places: list[tuple[int, int]]


def _measured(nodes: list[PlacedNode], least_width: float, room: float) -> _Measures:
    """The layout in which nothing touches; `room` is the least width of the words beside inner nodes.

    Places are whole numbers, because a short number makes a small file.
    """
    half = ceil(half_width(nodes))
    per_leaf = ceil(spacing(nodes[0], half, room))
    left = min(node.x * per_leaf - node.left(half) for node in nodes)
    right = max(node.x * per_leaf + node.right(half, room) for node in nodes)
    width = max(right - left, least_width) + 2 * MARGIN
    shift = (width - (right - left)) / 2 - left
    top, row = round(MARGIN + TITLE + 26), round(INNER_HEIGHT + BRANCH)
    depth = max(node.depth for node in nodes)
    last_height = max(node.height + (SMALL if node.note else 0) for node in nodes if node.depth == depth)
    places = [(round(node.x * per_leaf + shift), top + node.depth * row) for node in nodes]
    return _Measures(width, top + depth * row + last_height + 38 + MARGIN, half, places)


def _branches(nodes: list[PlacedNode]) -> list[tuple[int, int]]:
    """The numbers of parent and child of each branch: those that the search did not follow first, its line last."""
    numbers = {id(node): number for number, node in enumerate(nodes)}
    branches = [(number, numbers[id(child)]) for number, node in enumerate(nodes) for child in node.children]
    return sorted(branches, key=lambda branch: (nodes[branch[1]].is_on_line, nodes[branch[1]].is_seen))


def _add_notes(node: PlacedNode, notes: Mapping[Path, str], path: Path = ()) -> None:
    """Gives each node its note."""
    node.note = notes.get(path, "")
    for child in node.children:
        _add_notes(child, notes, (*path, child.action))


def root_and_plies(source: Outline | SearchResult) -> tuple[Node, int]:
    """The root of a tree, and how many plies of it to draw. ValueError for a search without a trace."""
    if isinstance(source, Outline):
        return source, source.height()
    if not source.trace.visits:
        raise ValueError("there is no trace to draw: search with pacman.run_search")
    return source.root, source.trace.visits[0].plies


def _heading(result: SearchResult, bounds: tuple[float, float] | None, size: int) -> str:
    """The algorithm, its result, and its counts, as the command `solve` counts."""
    counts = result.statistics
    within = f" with bounds [{format_number(bounds[0])}, {format_number(bounds[1])}]" if bounds else ""
    choice = f" by {result.action}" if result.action else ""
    nodes = f"{counts.nodes} of {counted(size, 'node')}"
    return (
        f"{result.algorithm}{within}: {format_number(result.value)}{choice}, {nodes}, {counted(counts.leaves, 'leaf')}"
    )


# ---- the picture in words


def outline_lines(nodes: Iterable[PlacedNode]) -> Iterator[str]:
    """The tree as an outline with what the search knows: a line per node, for readers who cannot see the picture."""
    for node in nodes:
        kind = "leaf" if node.node.is_terminal else node.node.layer.value
        words = [
            f"{kind} {node.value}".strip(),
            *(word for word, _ in node.beside),
            *([] if node.is_seen else ["never seen"]),
            *([node.note] if node.note else []),
        ]
        yield f"{'  ' * node.depth}{f'{node.label}: ' if node.depth else ''}{', '.join(words)}"
