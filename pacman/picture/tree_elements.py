"""What a node of a tree looks like, the branch to it, and the legend below the picture, as SVG."""

from __future__ import annotations

from collections.abc import Iterator

from pacman.core.tree import Layer
from pacman.picture.colours import Parts, attributes
from pacman.picture.svg_elements import BOLD, bar, box, move, pair, shape, text, text_width
from pacman.picture.tree_layout import INNER_HEIGHT, LABEL, LEAF_HEIGHT, SMALL, VALUE, WORD, PlacedNode

PLAIN, THICK = 1.6, 2.6
"""The width of a node's border; thick on the principal line."""
STRIKE = 0.3
"""Where the bar of a branch is: 0 is at the parent, 1 at the child."""
SAMPLE, SPACE = 26.0, 20.0
"""In pixels: the width of a sign with the space behind it, and the space behind its words."""
Legend = dict[Layer | str, str]
"""A sign in the picture (a layer or a kind of line), and what it means."""


def draw_node(number: int, place: tuple[float, float], node: PlacedNode, half: float, parts: Parts) -> str:
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
    has_window = any(kind == "window" for _, kind in node.beside)
    for words, kind in node.beside if has_window else [*node.beside, ("", "window")]:
        ink = attributes(parts, f".{kind.replace(' ', '.')}")
        yield text(half + 6, y, words, kind, ink)
        y += SMALL + 2 if words else 0
    if node.note:
        yield text(half + 6, y, node.note, "note", f'{note} text-anchor="start"')


def draw_branch(
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
        attributes(parts, ".branch .action") + (BOLD if child.is_on_line else ""),
    )
    struck = ""
    if not child.is_seen:  # in the colour of cuts below a node that the search entered
        kind = "struck first" if parent.is_seen else "struck"
        colour = attributes(parts, f".branch .{kind.replace(' ', '.')}")
        struck = f'<path class="{kind}" d="{bar(x, y, to_x, to_y, STRIKE)}" stroke-width="2.6"{colour}/>'
    return f'<g class="branch{_state(child)}" data-node="{number}"{state}><path d="{path}"/>{struck}{label}</g>'


# ---- the legend


def legend_of(nodes: list[PlacedNode], is_searched: bool) -> Legend:
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


def legend_width(legend: Legend) -> float:
    """The width of the legend in pixels."""
    width = sum((SAMPLE if sign else 0.0) + text_width(words, SMALL) for sign, words in legend.items())
    return width + SPACE * (len(legend) - 1)


def draw_legend(x: float, y: float, legend: Legend, parts: Parts) -> Iterator[str]:
    """The elements of the legend, which begins at (x, y)."""
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
