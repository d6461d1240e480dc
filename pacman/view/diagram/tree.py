"""A game tree as a picture (SVG): as it was drawn, or with what a search found in it and what it never saw.

MAX is an up-triangle, MIN a down-triangle, CHANCE a circle, a leaf a box with its utility.

A script can find the parts of the picture. Node N, counted in preorder from 0, is `<g class="node max" data-node="N">`
(or `min`, `chance`, `leaf`), and the branch to it is `<g class="branch" data-node="N">`. Further classes are `unseen`
(the search did not enter the node) and `line` (the principal line). Inside a node are texts with the classes `value`,
`name`, `window`, `reason` and `evaluation`; a branch has an `action` and, if it is struck through, a path `struck`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from types import MappingProxyType

from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.trace import Path
from pacman.core.tree import Node
from pacman.search.algorithms import SearchResult
from pacman.view.analysis.number_text import format_number
from pacman.view.analysis.report_from_trace import report_from_trace
from pacman.view.diagram.colours import Parts, attributes, tree_parts
from pacman.view.diagram.svg_elements import bar, box, move, opening, pair, shape, text, text_width
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
STRIKE = 0.3
"""Where the bar of a branch is: 0 is at the parent, 1 at the child."""
PLAIN, THICK = 1.6, 2.6
"""The width of a node's border; thick on the principal line."""
NO_NOTES: Mapping[Path, str] = MappingProxyType({})
KINDS_OF_WORDS = {"(": "window", "": "window", "~": "evaluation"}
"""First character of the words beside a node -> their class; all others say why the search left the node."""
BOLD = ' font-weight="bold"'


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
    half = ceil(half_width(nodes))
    room = text_width(widest_window, SMALL)
    pixels_per_leaf = ceil(spacing(root, half, room))
    heading = _heading(result, bounds, len(nodes)) if result else _node_count(len(nodes))
    legend = _legend(nodes, result is not None and windows)
    left = min(node.x * pixels_per_leaf - node.left(half) for node in nodes)
    right = max(node.x * pixels_per_leaf + node.right(half, room) for node in nodes)
    width = max(right - left, text_width(heading, TITLE), _legend_width(legend)) + 2 * MARGIN
    top = MARGIN + TITLE + 26
    depth = max(node.depth for node in nodes)
    last_height = max(node.height + (SMALL if node.note else 0) for node in nodes if node.depth == depth)
    foot = top + depth * (INNER_HEIGHT + BRANCH) + last_height + 44
    shift = (width - (right - left)) / 2 - left
    places = [  # the middle of each node's top, in whole pixels: short numbers
        (round(node.x * pixels_per_leaf + shift), round(top) + node.depth * round(INNER_HEIGHT + BRANCH))
        for node in nodes
    ]
    numbers = {id(node): number for number, node in enumerate(nodes)}
    parents = {numbers[id(child)]: parent for parent, node in enumerate(nodes) for child in node.children}
    parts = tree_parts(theme)
    branches = sorted(parents, key=lambda number: (nodes[number].is_on_line, nodes[number].is_seen))
    is_drawn = isinstance(source, Outline) and not notes
    description = str(source) if is_drawn else "\n".join(_outline_lines(root))
    return "\n".join(
        [
            *opening(width, foot + MARGIN - 6, "tree", heading, description),
            f'<rect class="paper" width="100%" height="100%"{attributes(parts, ".paper")}/>',
            f'<g font-size="{TITLE:g}" text-anchor="middle"{BOLD}{attributes(parts, ".title")}>',
            text(width / 2, MARGIN + TITLE * 0.8, heading, "title"),
            "</g>",
            f'<g class="branches" font-size="{WORD:g}" text-anchor="middle" stroke-width="1.4" stroke-linecap="round"'
            f"{attributes(parts, '.branches')}>",
            *(
                _branch(number, places[parents[number]], places[number], nodes[parents[number]], nodes[number], parts)
                for number in branches
            ),
            "</g>",
            f'<g class="nodes" font-size="{VALUE:g}" text-anchor="middle" stroke-width="{PLAIN:g}"'
            f' stroke-linejoin="round"{attributes(parts, ".nodes")}>',
            *(_node(number, places[number], node, half, parts) for number, node in enumerate(nodes)),
            "</g>",
            f'<g class="legend" font-size="{SMALL:g}"{attributes(parts, ".legend")}>',
            *_drawn_legend((width - _legend_width(legend)) / 2, foot, legend, parts),
            "</g>",
            "</svg>",
            "",
        ]
    )


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
    nodes = f"{counts.nodes} of {_node_count(size)}"
    leaves = f"{counts.leaves} {'leaf' if counts.leaves == 1 else 'leaves'}"
    return f"{result.algorithm}{within}: {format_number(result.value)}{choice}, {nodes}, {leaves}"


def _node_count(count: int) -> str:
    return f"{count} {'node' if count == 1 else 'nodes'}"


# ---- the picture in words


def _outline_lines(node: PlacedNode) -> Iterator[str]:
    """The tree as an outline with what the search knows: a line per node, for readers who cannot see the picture."""
    kind = "leaf" if node.node.is_terminal else node.node.layer.value
    words = [
        f"{kind} {node.value}".strip(),
        *(word for word, _ in node.beside),
        *([] if node.is_seen else ["never seen"]),
        *([node.note] if node.note else []),
    ]
    yield f"{'  ' * node.depth}{f'{node.label}: ' if node.depth else ''}{', '.join(words)}"
    for child in node.children:
        yield from _outline_lines(child)


# ---- nodes and branches


def _node(number: int, place: tuple[float, float], node: PlacedNode, half: float, parts: Parts) -> str:
    """The shape of a node with its value; the name to the left; windows, and why the search left it, to the right."""
    layer, is_inner = node.node.layer, not node.node.is_terminal
    kind = layer.value if is_inner else "leaf"
    colours = attributes(parts, f".{kind} .shape" if node.is_seen else ".unseen .shape")
    colours += "" if node.is_seen else ' stroke-dasharray="4 3"'
    ink = "" if node.is_seen else attributes(parts, ".unseen .value")
    thick = f' stroke-width="{THICK:g}"' if node.is_on_line else ""
    if is_inner:
        part = {Layer.MAX: 0.82, Layer.MIN: 0.42, Layer.CHANCE: 0.5 + VALUE * 0.36 / INNER_HEIGHT}[layer]
        size = round(_value_size(node.value, half), 1)
        ink = f"{BOLD}{ink}" if size == VALUE else f'{BOLD} font-size="{size:g}"{ink}'
        elements = shape(layer, half, INNER_HEIGHT, colours) + text(0, INNER_HEIGHT * part, node.value, "value", ink)
    else:
        elements = box(node.half_box, LEAF_HEIGHT, colours)
        elements += text(0, LEAF_HEIGHT / 2 + VALUE * 0.36, node.value, "value", ink)
    words = "".join(_beside(node, half, parts))
    kinds = f"{kind}{_state(node)}"
    return f'<g class="node {kinds}" data-node="{number}" {move(*place)}{thick}>{elements}{words}</g>'


def _state(node: PlacedNode) -> str:
    """The further classes of a node and of the branch to it, each after a space."""
    return (" line" if node.is_on_line else "") + ("" if node.is_seen else " unseen")


def _value_size(value: str, half: float) -> float:
    """The largest font size, up to VALUE, in which a value fits into a shape of this half width."""
    return min(VALUE, (half * 2 / 3 - 3) * 2 / max(text_width(value, 1), 1))


def _beside(node: PlacedNode, half: float, parts: Parts) -> Iterator[str]:
    """The words beside a node. Every inner node has a text for a window, which a script can fill."""
    middle, small = node.height / 2, f' font-size="{SMALL:g}"'
    if node.name:
        edge = node.half_box if node.node.is_terminal else half
        yield text(
            -edge - 4,
            middle + SMALL * 0.36,
            node.name,
            "name",
            f'{small} text-anchor="end"{attributes(parts, ".name")}',
        )
    note = f"{small}{BOLD}{attributes(parts, '.note')}"
    if node.node.is_terminal:
        if node.note:
            yield text(0, node.height + SMALL + 1, node.note, "note", note)
        return
    y = middle - (len(node.beside) + bool(node.note) - 1) * (SMALL + 2) / 2 + SMALL * 0.36
    has_window = any(words.startswith("(") for words, _ in node.beside)
    for words, is_cut in node.beside if has_window else [*node.beside, ("", False)]:
        kind = "reason cut" if is_cut else KINDS_OF_WORDS.get(words[:1], "reason")
        ink = attributes(parts, f".{kind.replace(' ', '.')}")
        yield text(half + 6, y, words, kind, f'{small} text-anchor="start"{ink}')
        y += SMALL + 2 if words else 0
    if node.note:
        yield text(half + 6, y, node.note, "note", f'{note} text-anchor="start"')


def _branch(
    number: int,
    parent_place: tuple[float, float],
    place: tuple[float, float],
    parent: PlacedNode,
    child: PlacedNode,
    parts: Parts,
) -> str:
    """The line from a parent to a child, with a gap for its label, and a bar if the search did not enter the child."""
    (x, y), (to_x, to_y) = (parent_place[0], parent_place[1] + parent.height), place
    across, down = to_x - x, to_y - y
    half_gap = min((text_width(child.label, WORD) / 2 + 3) / max(abs(across), 1e-9), 10 / down)
    before, after = LABEL - half_gap, LABEL + half_gap
    path = f"M{pair(x, y)}l{pair(across * before, down * before)}"
    path += f"m{pair(across * 2 * half_gap, down * 2 * half_gap)}L{pair(to_x, to_y)}" if after < 1 else ""
    state = attributes(parts, ".branch.line") + ' stroke-width="4"' if child.is_on_line else ""
    state = state if child.is_seen else attributes(parts, ".branch.unseen")
    label = text(
        round(x + across * LABEL),
        round(y + down * LABEL + WORD * 0.36),
        child.label,
        "action",
        f' stroke="none"{BOLD if child.is_on_line else ""}',
    )
    struck = ""
    if not child.is_seen:  # in the colour of cuts below a node that the search entered
        kind = "struck first" if parent.is_seen else "struck"
        colour = attributes(parts, f".branch .{kind.replace(' ', '.')}")
        struck = f'<path class="{kind}" d="{bar(x, y, to_x, to_y, STRIKE)}" stroke-width="2.6"{colour}/>'
    return f'<g class="branch{_state(child)}" data-node="{number}"{state}><path d="{path}"/>{struck}{label}</g>'


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
    width = sum((SAMPLE if sign else 0.0) + text_width(words, SMALL) for sign, words in legend.items())
    return width + SPACE * (len(legend) - 1)


def _drawn_legend(x: float, y: float, legend: Legend, parts: Parts) -> Iterator[str]:
    for sign, words in legend.items():
        if isinstance(sign, Layer):
            sample = shape(sign, 8, 13, f' stroke-width="1.4"{attributes(parts, f".{sign.value} .shape")}')
            yield f'<g class="{sign.value}" {move(x + 10, y - 11)}>{sample}</g>'
        elif sign == "line":
            colour = attributes(parts, ".branch.line")
            yield f'<g class="branch line"{colour}><path d="M{pair(x + 2, y - 4)}h16" stroke-width="4"/></g>'
        elif sign == "bar":
            pale, red = attributes(parts, ".branch.unseen"), attributes(parts, ".branch .struck.first")
            yield (
                f'<g class="branch unseen"{pale}><path d="M{pair(x + 2, y - 4)}h16" stroke-width="1.4"/>'
                f'<path class="struck first" d="M{pair(x + 10, y - 10)}v12" stroke-width="2.6"{red}/></g>'
            )
        x += SAMPLE if sign else 0.0
        yield text(x, y, words, "sign")
        x += text_width(words, SMALL) + SPACE
