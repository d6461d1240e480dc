"""The legend below the picture of a tree: the signs that the picture contains, and what they mean."""

from __future__ import annotations

from collections.abc import Iterator

from pacman.core.layers import Layer
from pacman.view.diagram.colours import Parts, attributes
from pacman.view.diagram.svg_elements import move, pair, shape, text, text_width
from pacman.view.diagram.tree_layout import SMALL, PlacedNode

SAMPLE, SPACE = 26.0, 20.0
"""In pixels: the width of a sign with the space behind it, and the space behind its words."""
Legend = dict[Layer | str, str]
"""A sign in the picture (a layer or a kind of line), and what it means."""


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
