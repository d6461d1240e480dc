"""A game tree as a picture (SVG): as it was drawn, or what a search found in it and what it never saw.

MAX is an up-triangle, MIN a down-triangle, CHANCE a circle, a leaf a box with its utility.
"""

from __future__ import annotations

from collections.abc import Iterator

from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.tree import Node
from pacman.search.algorithms import SearchResult
from pacman.view.analysis.number_text import figure
from pacman.view.analysis.report_from_trace import report_from_trace
from pacman.view.diagram import svg_elements
from pacman.view.diagram.tree_layout import (
    LEAF_TALL,
    NAMED,
    SMALL,
    TALL,
    VALUE,
    WORD,
    PlacedNode,
    half_width,
    laid_out,
    spacing,
)

TITLE = 17.0
BRANCH, MARGIN = 78.0, 24.0
STRUCK = 0.36
"""Where on a branch its bar stands, from the parent (0) to the child (1)."""


def svg(shown: Outline | SearchResult, bounds: tuple[float, float] | None = None) -> str:
    """The text of an SVG file: a drawn tree, or what `run_search` found in its tree, to the depth that was looked at.

    `bounds` are [L, U], if they were given. An inner node holds its value, with <= or >= where the search learnt no
    more than that, and beside it the window in which it was entered (the first time, when it was probed, and the
    last) and why it was left early. A node that was never entered is pale and its branch is struck through; the
    principal line is thick. The same in gives the same bytes.

    >>> from pacman.search.algorithms import run_search
    >>> tree = Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 2\\n    y: 100")
    >>> picture = svg(run_search("alphabeta", tree, plies=2))
    >>> picture.startswith("<svg"), picture.count('class="struck"')
    (True, 1)
    """
    found = shown if isinstance(shown, SearchResult) else None
    tree, plies = searched(shown)
    root = laid_out(tree, plies, report_from_trace(tree, plies, found.trace, line=found.line) if found else None)
    everyone = list(root.everyone())
    half = half_width(everyone)
    gap = spacing(root, half)
    heading = _heading(found, bounds, len(everyone)) if found else f"{len(everyone)} nodes"
    legend = _legend(everyone, found is not None)
    left = min(spot.x * gap - spot.left(half) for spot in everyone)
    right = max(spot.x * gap + spot.right(half) for spot in everyone)
    width = max(right - left, svg_elements.wide(heading, TITLE), _legend_width(legend)) + 2 * MARGIN
    top = MARGIN + TITLE + 26
    depth = max(spot.depth for spot in everyone)
    below = max(spot.tall for spot in everyone if spot.depth == depth)
    foot = top + depth * (TALL + BRANCH) + below + 44
    height = foot + MARGIN - 6
    shift = (width - (right - left)) / 2 - left

    def at(spot: PlacedNode) -> tuple[float, float]:
        """The middle of a node's top."""
        return spot.x * gap + shift, top + spot.depth * (TALL + BRANCH)

    body = [
        *svg_elements.opening(width, height, heading, str(shown) if isinstance(shown, Outline) else ""),
        f'<rect width="100%" height="100%" fill="{svg_elements.PAPER}"/>',
        svg_elements.text(width / 2, MARGIN + TITLE * 0.8, heading, TITLE, svg_elements.INK, bold=True),
    ]
    for spot in sorted(everyone, key=lambda spot: (spot.on_line, spot.is_seen)):
        body += (mark for child in spot.children for mark in _branch(at(spot), at(child), spot, child))
    for spot in everyone:
        body += _labels(at(spot), spot, half)
        body += _node(*at(spot), spot, half)
    body += _drawn_legend((width - _legend_width(legend)) / 2, foot, legend)
    return "\n".join([*body, "</svg>", ""])


def searched(shown: Outline | SearchResult) -> tuple[Node, int]:
    """The root of a tree, and to how many plies it is drawn. ValueError for a search without a trace."""
    if isinstance(shown, Outline):
        return shown, shown.height()
    if not shown.trace.visits:
        raise ValueError("there is no trace to draw: search with pacman.find")
    return shown.root, shown.trace.visits[0].plies


def _heading(found: SearchResult, bounds: tuple[float, float] | None, drawn: int) -> str:
    """Says what was run and what it took, as `solve` counts."""
    took = found.statistics
    within = f" with bounds [{figure(bounds[0])}, {figure(bounds[1])}]" if bounds else ""
    choice = f" by {found.action}" if found.action else ""
    leaves = f"{took.leaves} {'leaf' if took.leaves == 1 else 'leaves'}"
    return f"{found.algorithm}{within}: {figure(found.value)}{choice}, {took.nodes} of {drawn} nodes, {leaves}"


# ---- nodes and branches


def _node(x: float, y: float, spot: PlacedNode, half: float) -> Iterator[str]:
    inner = not spot.node.is_terminal
    fill, stroke = (
        svg_elements.UNSEEN if not spot.is_seen else svg_elements.FILLS[spot.node.layer] if inner else svg_elements.LEAF
    )
    looks = svg_elements.style(fill, stroke, 2.6 if spot.on_line else 1.6)
    word = svg_elements.INK if spot.is_seen else svg_elements.PALE_WORD
    if not inner:
        yield svg_elements.box(x, y, spot.box, LEAF_TALL, looks)
        yield svg_elements.text(x, y + LEAF_TALL / 2 + VALUE * 0.36, spot.value, VALUE, word)
        return
    yield svg_elements.shape(spot.node.layer, x, y, half, TALL, looks)
    low = {Layer.MAX: 0.82, Layer.MIN: 0.42, Layer.CHANCE: 0.5 + VALUE * 0.36 / TALL}[spot.node.layer]
    if spot.value:
        yield svg_elements.text(x, y + TALL * low, spot.value, round(_size(spot.value, half), 1), word, bold=True)


def _size(value: str, half: float) -> float:
    """The largest type, up to VALUE, in which a value has room inside a shape of that half width."""
    return min(VALUE, (half * 2 / 3 - 3) * 2 / max(svg_elements.wide(value, 1), 1))


def _labels(place: tuple[float, float], spot: PlacedNode, half: float) -> Iterator[str]:
    """The name to the left of a node; its windows, and why it was left early, to the right."""
    x, y = place
    middle = y + spot.tall / 2
    if spot.name:
        edge = spot.box if spot.node.is_terminal else half
        yield svg_elements.text(x - edge - 4, middle + SMALL * 0.36, spot.name, SMALL, svg_elements.QUIET, "end")
    line_y = middle - (len(spot.beside) - 1) * (SMALL + 2) / 2 + SMALL * 0.36
    for words, is_cut in spot.beside:
        yield svg_elements.text(
            x + half + 6, line_y, words, SMALL, svg_elements.BAR if is_cut else svg_elements.QUIET, "start"
        )
        line_y += SMALL + 2


def _branch(
    start: tuple[float, float], end: tuple[float, float], parent: PlacedNode, spot: PlacedNode
) -> Iterator[str]:
    """The line from a parent's foot to a child's top, its action and probability, and the bar of one never followed."""
    (x, y), (to_x, to_y) = (start[0], start[1] + parent.tall), end
    colour, thick = (
        (svg_elements.INK, 4.0)
        if spot.on_line
        else (svg_elements.QUIET, 1.4)
        if spot.is_seen
        else (svg_elements.PALE, 1.4)
    )
    yield svg_elements.line(x, y, to_x, to_y, colour, thick)
    if not spot.is_seen:  # red where the search turned away
        yield svg_elements.bar(x, y, to_x, to_y, STRUCK, svg_elements.BAR if parent.is_seen else svg_elements.PALE_BAR)
    at_x, at_y = x + (to_x - x) * NAMED, y + (to_y - y) * NAMED
    room = svg_elements.wide(spot.label, WORD) + 4
    word = svg_elements.INK if spot.is_seen else svg_elements.PALE_WORD
    yield svg_elements.box(at_x, at_y - 9, room / 2, 18, f'fill="{svg_elements.PAPER}"')
    yield svg_elements.text(at_x, at_y + WORD * 0.36, spot.label, WORD, word, bold=spot.on_line)


# ---- the legend

SWATCH, SPACE = 26.0, 20.0


Legend = dict[Layer | str, str]
"""A mark that the picture uses, a layer or a kind of line, and what it means."""


def _legend(everyone: list[PlacedNode], is_searched: bool) -> Legend:
    """What the picture uses, and only that."""
    present = {spot.node.layer for spot in everyone if not spot.node.is_terminal}
    legend: Legend = {layer: layer.name for layer in Layer if layer in present}
    if any(spot.on_line for spot in everyone[1:]):
        legend["line"] = "principal line"
    if not all(spot.is_seen for spot in everyone):
        legend["bar"] = "never seen"
    if present and is_searched:
        legend[""] = "(alpha, beta)"
    return legend


def _legend_width(legend: Legend) -> float:
    words = sum((SWATCH if mark else 0.0) + svg_elements.wide(words, SMALL) for mark, words in legend.items())
    return words + SPACE * (len(legend) - 1)


def _drawn_legend(x: float, y: float, legend: Legend) -> Iterator[str]:
    for mark, words in legend.items():
        if isinstance(mark, Layer):
            yield svg_elements.shape(mark, x + 10, y - 11, 8, 13, svg_elements.style(*svg_elements.FILLS[mark], 1.4))
        elif mark == "line":
            yield svg_elements.line(x + 2, y - 4, x + 18, y - 4, svg_elements.INK, 4)
        elif mark == "bar":
            yield svg_elements.line(x + 2, y - 4, x + 18, y - 4, svg_elements.PALE, 1.4)
            yield svg_elements.line(x + 10, y - 10, x + 10, y + 2, svg_elements.BAR, 2.6)
        x += SWATCH if mark else 0.0
        yield svg_elements.text(x, y, words, SMALL, svg_elements.QUIET, "start")
        x += svg_elements.wide(words, SMALL) + SPACE
