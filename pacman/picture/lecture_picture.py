"""A searched tree in large type, as a textbook draws it: triangles, circles, probabilities, windows, cut branches."""

from __future__ import annotations

from functools import lru_cache
from math import ceil

from pacman.core.tree import Layer
from pacman.picture.canvas import Canvas, text_width
from pacman.picture.icons import ghost_icon
from pacman.picture.lecture_layout import (
    LABEL,
    LABEL_SIZE,
    LINE,
    SHAPE,
    LectureNode,
    LectureTree,
    lecture_decimals,
    lecture_tree,
)
from pacman.picture.notices import fit_text, write_words
from pacman.picture.screen_regions import Box
from pacman.picture.status_bars import clipped
from pacman.picture.theme import Colour, Theme, blend
from pacman.record.report import reference_window
from pacman.record.tree_browser import RowKind, TreeBrowser
from pacman.record.words import node_in_words

SMALLEST = 0.8
"""The type may be this much smaller than its usual size, so that more levels fit."""
HEADER, FOOTER = 1.5, 2.7
"""The heights of the title and of the arithmetic, in parts of the type size."""
FOLD = 0.75
"""The height of the count of folded nodes, in parts of the type size."""
QUESTION = "Which move does the search choose? An arrow key answers, Space shows the values."
"""The words of a quiz, instead of the arithmetic."""
GHOST = 1.0
"""The width of the column with the ghosts, in parts of the type size."""


def type_size(width: float, height: float) -> float:
    """The type size of a lecture picture, in pixels: large enough for the last row of a lecture hall."""
    return max(13.0, min(height / 14, width / 20, 46.0))


def draw_lecture(picture: Canvas, browser: TreeBrowser, theme: Theme, is_hidden: bool = False) -> list[tuple[Box, int]]:
    """Draws the tree into the whole picture; returns the box of each node with its number."""
    largest = type_size(picture.width, picture.height)
    is_hidden = is_hidden and browser.step is None
    plies = max((node.depth for node in browser.report.nodes), default=0) + 1
    size = max(SMALLEST * largest, min(largest, _tree_height(picture, largest) / (plies * (SHAPE + LABEL + LINE))))
    margin = 0.5 * size
    height = _tree_height(picture, size)
    levels = max(2, min(plies, int(height / size / (SHAPE + LABEL + LINE))))
    room = (picture.width - 2 * margin) / size - GHOST
    tree = lecture_tree(browser, room, levels, lambda words: text_width(words, size) / size, is_hidden=is_hidden)
    _draw_title(picture, browser, size, tree.root.row.depth, theme)
    boxes = _Drawing(picture, browser, tree, size, height, theme, is_hidden).draw()
    _draw_arithmetic(picture, browser, size, theme, is_hidden)
    return boxes


def _tree_height(picture: Canvas, size: float) -> float:
    return picture.height - (HEADER + FOOTER + FOLD) * size


def _draw_title(picture: Canvas, browser: TreeBrowser, size: float, above: int, theme: Theme) -> None:
    """Draws the title of the search, and the step."""
    report, step = browser.report, browser.step
    words = "whole search" if step is None else f"step {step + 1} of {len(report.steps)}"
    if above:
        words = f"from ply {above} on · {words}"
    right, small, y = picture.width - 0.5 * size, LABEL_SIZE * size, 0.75 * size
    picture.text(words, right, y, small, theme.muted, 1.0)
    room = right - text_width(words, small) - 1.2 * size
    picture.text(clipped(report.title, small, room), 0.5 * size, y, small, theme.muted)


def _draw_arithmetic(picture: Canvas, browser: TreeBrowser, size: float, theme: Theme, is_hidden: bool) -> None:
    """Draws how the value of the node of the viewer follows from its successors."""
    words = QUESTION if is_hidden else lecture_words(browser)
    room = picture.width - size
    top = picture.height - FOOTER * size
    picture.box(0, top, picture.width, max(2.0, 0.05 * size), blend(theme.panel, theme.muted, 0.5))
    text_size, lines = fit_text(words, (0.95 * size, LABEL_SIZE * size), room, 2.2 * size)
    for index, line in enumerate(lines):
        y = top + (FOOTER / 2 + (index - (len(lines) - 1) / 2) * 1.1) * size
        write_words(picture, line, 0.5 * size, y, text_size, theme.text)


def lecture_words(browser: TreeBrowser) -> str:
    """The arithmetic of the node of the viewer, after its path."""
    number = browser.focus
    decimals = lecture_decimals(browser.report)
    words = node_in_words(browser.report, number, browser.step, decimals) or "not entered yet"
    name = " ".join(browser.report.nodes[each].action for each in browser.report.path(number)[1:])
    words = f"{name}: {words}" if name else words
    other = reference_window(browser.report, number, decimals)
    return f"{words} ({other})" if other else words


class _Drawing:
    """Draws one tree; lengths in parts of the type size become pixels here."""

    def __init__(
        self,
        picture: Canvas,
        browser: TreeBrowser,
        tree: LectureTree,
        size: float,
        height: float,
        theme: Theme,
        is_hidden: bool,
    ) -> None:
        self.picture, self.browser, self.tree, self.size, self.theme = picture, browser, tree, size, theme
        self.is_hidden = is_hidden
        self.left = (picture.width + (GHOST - tree.width) * size) / 2
        used = 1 + max(node.level for node in tree.root.subtree())
        self.step = min(height / max(2, used), (SHAPE + LABEL + 2.2) * size)
        whole = self.step * used - (self.step - (SHAPE + LABEL) * size)
        self.top = HEADER * size + max(0.0, (height - whole) / 2)

    def x(self, node: LectureNode) -> float:
        """The middle of a node, in pixels."""
        return self.left + node.x * self.size

    def y(self, node: LectureNode) -> float:
        """The top of a node's shape, in pixels."""
        return self.top + node.level * self.step + LABEL * self.size

    def draw(self) -> list[tuple[Box, int]]:
        """Draws the branches, then the nodes."""
        nodes = list(self.tree.root.subtree())
        # Branches on the principal line come last, so that they are on top.
        for node in sorted(nodes, key=self._is_thick):
            for child in node.children:
                self._draw_branch(node, child)
        boxes = []
        for level, agent in sorted({(node.level, node.row.agent) for node in nodes if node.row.layer}):
            if agent:  # whose ply this level is
                ghost = ghost_icon(round(0.8 * self.size), self.theme.agent(agent), self.theme.panel)
                y = self.top + level * self.step + (LABEL + SHAPE / 2) * self.size
                self.picture.paste(ghost, 0.5 * self.size, y - ghost.height / 2)
        for node in nodes:
            self._draw_node(node)
            if node.row.number is not None:
                half = max(node.half, node.left) * self.size
                box = Box(self.x(node) - half, self.y(node) - LABEL * self.size, 2 * half, (SHAPE + LABEL) * self.size)
                boxes.append((box, node.row.number))
        return boxes

    def _is_thick(self, node: LectureNode) -> bool:
        return node.row.is_on_line and not self.is_hidden

    def _is_pale(self, node: LectureNode) -> bool:
        return node.row.kind is not RowKind.ENTERED

    def _colour(self, node: LectureNode) -> Colour:
        return blend(self.theme.panel, self.theme.layer(node.row.layer), 0.35 if self._is_pale(node) else 1.0)

    def _draw_branch(self, parent: LectureNode, child: LectureNode) -> None:
        """Draws the line from a parent to the label of a child, and a bar across it if the search skipped the child."""
        size, theme = self.size, self.theme
        x, y = self.x(parent), self.y(parent) + SHAPE * size
        if parent.row.layer is Layer.MIN:
            y -= 0.02 * size
        to_x, to_y = self.x(child), self.y(child) - LABEL * size
        ink = (
            theme.text if self._is_thick(child) else blend(theme.panel, theme.muted, 0.4 if self._is_pale(child) else 1)
        )
        thick = (0.14 if self._is_thick(child) else 0.06) * size
        self.picture.smooth_line((x, y), (to_x, to_y), thick, ink)
        if child.row.kind is RowKind.PRUNED:
            length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5 or 1.0
            across, down = (to_y - y) / length * 0.42 * size, -(to_x - x) / length * 0.42 * size
            bar_x, bar_y = x + (to_x - x) * 0.62, y + (to_y - y) * 0.62
            start, end = (bar_x - across, bar_y - down), (bar_x + across, bar_y + down)
            self.picture.smooth_line(start, end, 0.13 * size, theme.bad)

    def _draw_node(self, node: LectureNode) -> None:
        size, theme, x, y = self.size, self.theme, self.x(node), self.y(node)
        row, picture, small = node.row, self.picture, LABEL_SIZE * self.size
        ink = blend(theme.panel, theme.muted, 0.8) if self._is_pale(node) else theme.text
        if node.label:
            picture.text(node.label, x, y - LABEL / 2 * size, small, ink, 0.5)
        if node.more:
            return
        colour = self._colour(node)
        is_current = row.number is not None and row.number == self.browser.focus and not self.is_hidden
        fill = blend(theme.panel, colour, 0.45 if is_current else 0.22)
        rim = 0.12 if is_current or self._is_thick(node) else 0.07
        shape = node_shape(
            row.layer, round(2 * node.half * size), round(SHAPE * size), fill, colour, round(rim * size, 1)
        )
        picture.paste(shape, x - shape.width / 2, y + SHAPE * size / 2 - shape.height / 2)
        if node.value:
            room = 2 * node.half * (1.0 if row.layer in (None, Layer.CHANCE) else 0.7) - 0.1
            scale = min(1.0, room * size / max(1, text_width(node.value, size)))
            part = {Layer.MAX: 0.7, Layer.MIN: 0.32}.get(row.layer, 0.5) if row.layer else 0.5
            picture.spell(node.value, x, y + part * SHAPE * size, max(0.55, scale) * size, theme.text, 0.5)
        if node.window:
            picture.spell(node.window, x + (node.half + 0.2) * size, y + SHAPE / 2 * size, small, theme.muted)
        if node.below:
            width, height = text_width(node.below, small) + 0.2 * size, 0.7 * small
            picture.box(x - width / 2, y + (SHAPE + FOLD / 2) * size - height / 2, width, height, theme.panel)
            picture.spell(node.below, x, y + (SHAPE + FOLD / 2) * size, small, theme.muted, 0.5)


@lru_cache(maxsize=256)
def node_shape(layer: Layer | None, width: int, height: int, fill: Colour, edge: Colour, rim: float) -> Canvas:
    """The shape of a node: MAX a triangle that points up, MIN down, CHANCE an ellipse, a leaf a box."""
    pad = ceil(rim)

    def shape(canvas: Canvas) -> None:
        if layer is None:
            top, tall = pad + 0.12 * height, 0.76 * height
            canvas.box(pad, top, width, tall, edge, 0.16 * height)
            canvas.box(pad + rim, top + rim, width - 2 * rim, tall - 2 * rim, fill, 0.16 * height - rim)
        elif layer is Layer.CHANCE:
            canvas.ellipse(pad + width / 2, pad + height / 2, width / 2, height / 2, edge)
            canvas.ellipse(pad + width / 2, pad + height / 2, width / 2 - rim, height / 2 - rim, fill)
        else:
            foot, tip = (pad + height, pad) if layer is Layer.MAX else (pad, pad + height)
            corners = [(float(pad), float(foot)), (float(pad + width), float(foot)), (pad + width / 2, float(tip))]
            canvas.polygon(corners, fill)
            canvas.line([*corners, corners[0]], rim, edge)

    return Canvas.antialiased(width + 2 * pad, height + 2 * pad, shape)
