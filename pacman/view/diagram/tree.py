"""A game tree as a picture (SVG): as it was drawn, or with what a search found in it and what it never saw.

MAX is an up-triangle, MIN a down-triangle, CHANCE a circle, a leaf a box with its utility.
"""

from __future__ import annotations

from collections.abc import Iterator

from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.tree import Node
from pacman.search.algorithms import SearchResult
from pacman.view.analysis.number_text import format_number
from pacman.view.analysis.report_from_trace import report_from_trace
from pacman.view.diagram import svg_elements
from pacman.view.diagram.tree_layout import (
    INNER_HEIGHT,
    LABEL,
    LEAF_HEIGHT,
    SMALL,
    VALUE,
    WORD,
    PlacedNode,
    half_width,
    place_nodes,
    spacing,
)

TITLE = 17.0
BRANCH, MARGIN = 78.0, 24.0
STRIKE = 0.36
"""Where the bar of a branch is: 0 is at the parent, 1 at the child."""


def svg(source: Outline | SearchResult, bounds: tuple[float, float] | None = None) -> str:
    """The text of an SVG file: a drawn tree, or the tree of a `run_search` result to the depth of the search.

    `bounds` are the bounds [L, U] of the search, if it had any. An inner node shows its value, with ≤ or ≥ if the
    search knows only a bound. Beside it are the windows of its entries (the first one, from a probe perhaps, and the
    last one) and why the search left it early. A node that the search did not enter is pale, and its branch is struck
    through; the principal line is thick. The same input gives the same bytes. ValueError for a result without a trace.

    >>> from pacman.search.algorithms import run_search
    >>> tree = Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 2\\n    y: 100")
    >>> picture = svg(run_search("alphabeta", tree, plies=2))
    >>> picture.startswith("<svg"), picture.count('class="struck"')
    (True, 1)
    """
    result = source if isinstance(source, SearchResult) else None
    tree, plies = root_and_plies(source)
    root = place_nodes(tree, plies, report_from_trace(tree, plies, result.trace, line=result.line) if result else None)
    nodes = list(root.subtree())
    half = half_width(nodes)
    pixels = spacing(root, half)
    heading = _heading(result, bounds, len(nodes)) if result else _node_count(len(nodes))
    legend = _legend(nodes, result is not None)
    left = min(node.x * pixels - node.left(half) for node in nodes)
    right = max(node.x * pixels + node.right(half) for node in nodes)
    width = max(right - left, svg_elements.text_width(heading, TITLE), _legend_width(legend)) + 2 * MARGIN
    top = MARGIN + TITLE + 26
    depth = max(node.depth for node in nodes)
    last_height = max(node.height for node in nodes if node.depth == depth)
    foot = top + depth * (INNER_HEIGHT + BRANCH) + last_height + 44
    height = foot + MARGIN - 6
    shift = (width - (right - left)) / 2 - left

    def place(node: PlacedNode) -> tuple[float, float]:
        """The middle of a node's top, in pixels."""
        return node.x * pixels + shift, top + node.depth * (INNER_HEIGHT + BRANCH)

    body = [
        *svg_elements.opening(width, height, heading, str(source) if isinstance(source, Outline) else ""),
        f'<rect width="100%" height="100%" fill="{svg_elements.PAPER}"/>',
        svg_elements.text(width / 2, MARGIN + TITLE * 0.8, heading, TITLE, svg_elements.INK, bold=True),
    ]
    for node in sorted(nodes, key=lambda node: (node.is_on_line, node.is_seen)):
        body += (element for child in node.children for element in _branch(place(node), place(child), node, child))
    for node in nodes:
        body += _labels(place(node), node, half)
        body += _node(*place(node), node, half)
    body += _drawn_legend((width - _legend_width(legend)) / 2, foot, legend)
    return "\n".join([*body, "</svg>", ""])


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
    nodes = f"{counts.nodes} of {_node_count(size)}"
    leaves = f"{counts.leaves} {'leaf' if counts.leaves == 1 else 'leaves'}"
    return f"{result.algorithm}{within}: {format_number(result.value)}{choice}, {nodes}, {leaves}"


def _node_count(count: int) -> str:
    return f"{count} {'node' if count == 1 else 'nodes'}"


# ---- nodes and branches


def _node(x: float, y: float, node: PlacedNode, half: float) -> Iterator[str]:
    layer, is_inner = node.node.layer, not node.node.is_terminal
    colours = svg_elements.FILLS[layer] if is_inner else svg_elements.LEAF
    fill, stroke = colours if node.is_seen else svg_elements.UNSEEN
    style = svg_elements.style(fill, stroke, 2.6 if node.is_on_line else 1.6)
    ink = svg_elements.INK if node.is_seen else svg_elements.PALE_TEXT
    if not is_inner:
        yield svg_elements.box(x, y, node.half_box, LEAF_HEIGHT, style)
        yield svg_elements.text(x, y + LEAF_HEIGHT / 2 + VALUE * 0.36, node.value, VALUE, ink)
        return
    yield svg_elements.shape(layer, x, y, half, INNER_HEIGHT, style)
    part = {Layer.MAX: 0.82, Layer.MIN: 0.42, Layer.CHANCE: 0.5 + VALUE * 0.36 / INNER_HEIGHT}[layer]
    if node.value:
        size = round(_value_size(node.value, half), 1)
        yield svg_elements.text(x, y + INNER_HEIGHT * part, node.value, size, ink, bold=True)


def _value_size(value: str, half: float) -> float:
    """The largest font size, up to VALUE, in which a value fits into a shape of this half width."""
    return min(VALUE, (half * 2 / 3 - 3) * 2 / max(svg_elements.text_width(value, 1), 1))


def _labels(place: tuple[float, float], node: PlacedNode, half: float) -> Iterator[str]:
    """The name to the left of a node; to the right its windows, and why the search left it early."""
    x, y = place
    middle = y + node.height / 2
    if node.name:
        edge = node.half_box if node.node.is_terminal else half
        yield svg_elements.text(x - edge - 4, middle + SMALL * 0.36, node.name, SMALL, svg_elements.MUTED, "end")
    line_y = middle - (len(node.beside) - 1) * (SMALL + 2) / 2 + SMALL * 0.36
    for words, is_cut in node.beside:
        colour = svg_elements.BAR if is_cut else svg_elements.MUTED
        yield svg_elements.text(x + half + 6, line_y, words, SMALL, colour, "start")
        line_y += SMALL + 2


def _branch(
    start: tuple[float, float], end: tuple[float, float], parent: PlacedNode, child: PlacedNode
) -> Iterator[str]:
    """The line from a parent to a child, its label, and a bar across it if the search did not enter the child."""
    (x, y), (to_x, to_y) = (start[0], start[1] + parent.height), end
    if child.is_on_line:
        colour, thickness = svg_elements.INK, 4.0
    else:
        colour, thickness = svg_elements.MUTED if child.is_seen else svg_elements.PALE, 1.4
    yield svg_elements.line(x, y, to_x, to_y, colour, thickness)
    if not child.is_seen:  # red below a node that the search entered
        yield svg_elements.bar(x, y, to_x, to_y, STRIKE, svg_elements.BAR if parent.is_seen else svg_elements.PALE_BAR)
    label_x, label_y = x + (to_x - x) * LABEL, y + (to_y - y) * LABEL
    room = svg_elements.text_width(child.label, WORD) + 4
    ink = svg_elements.INK if child.is_seen else svg_elements.PALE_TEXT
    yield svg_elements.box(label_x, label_y - 9, room / 2, 18, f'fill="{svg_elements.PAPER}"')
    yield svg_elements.text(label_x, label_y + WORD * 0.36, child.label, WORD, ink, bold=child.is_on_line)


# ---- the legend

SAMPLE, SPACE = 26.0, 20.0


Legend = dict[Layer | str, str]
"""A sign in the picture (a layer or a kind of line), and what it means."""


def _legend(nodes: list[PlacedNode], is_searched: bool) -> Legend:
    """The signs that this picture contains."""
    present = {node.node.layer for node in nodes if not node.node.is_terminal}
    legend: Legend = {layer: layer.name for layer in Layer if layer in present}
    if any(node.is_on_line for node in nodes[1:]):
        legend["line"] = "principal line"
    if not all(node.is_seen for node in nodes):
        legend["bar"] = "never seen"
    if present and is_searched:
        legend[""] = "(alpha, beta)"
    return legend


def _legend_width(legend: Legend) -> float:
    width = sum((SAMPLE if sign else 0.0) + svg_elements.text_width(words, SMALL) for sign, words in legend.items())
    return width + SPACE * (len(legend) - 1)


def _drawn_legend(x: float, y: float, legend: Legend) -> Iterator[str]:
    for sign, words in legend.items():
        if isinstance(sign, Layer):
            yield svg_elements.shape(sign, x + 10, y - 11, 8, 13, svg_elements.style(*svg_elements.FILLS[sign], 1.4))
        elif sign == "line":
            yield svg_elements.line(x + 2, y - 4, x + 18, y - 4, svg_elements.INK, 4)
        elif sign == "bar":
            yield svg_elements.line(x + 2, y - 4, x + 18, y - 4, svg_elements.PALE, 1.4)
            yield svg_elements.line(x + 10, y - 10, x + 10, y + 2, svg_elements.BAR, 2.6)
        x += SAMPLE if sign else 0.0
        yield svg_elements.text(x, y, words, SMALL, svg_elements.MUTED, "start")
        x += svg_elements.text_width(words, SMALL) + SPACE
