"""A searched tree in large type, as a textbook draws it: as much of it as fits into a part of a window.

The path to the node of the viewer (or the principal line) is always open, with the siblings of its nodes. Then other
nodes open from the top down, as long as everything fits. A folded node says how many nodes are below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pacman.core.numbers import format_finite_ends, format_interval, format_short
from pacman.picture.canvas import Canvas, text_width
from pacman.picture.colours import Theme, blend
from pacman.picture.notices import fit_text, write_words
from pacman.picture.screen_regions import Box
from pacman.picture.sprites import ghost_icon
from pacman.picture.status_bars import clipped
from pacman.picture.tree import SMALL, Measure, Scale, TreeNode, draw_tree, place, place_of
from pacman.picture.tree_pixels import TreePixels
from pacman.record.report import UNKNOWN, Interval, SearchReport, reference_window
from pacman.record.rows import RowKind, TreeBrowser, TreeRow
from pacman.record.words import node_in_words

BRANCHES = 9
"""A node shows at most this many branches, and fewer if more do not fit; one more stands for the others."""
LEAST_BRANCHES = 3
"""Rather than fewer branches, the picture shows fewer levels of the path."""
TRIES = 10
"""The layout is finished after so many nodes that do not fit if they are opened."""
SHAPE, LABEL, LINE, LONG_LINE, GAP = 1.5, 0.9, 0.95, 2.2, 0.35
"""In parts of the type size: the heights of a node's shape and of its label, of the least and the longest branch, and
the least distance of two neighbours."""
SMALLEST = 0.8
"""The type may be this much smaller than its usual size, so that more levels fit."""
HEADER, FOOTER, FOLD = 1.5, 2.7, 0.75
"""The heights of the title, of the arithmetic and of a count of folded nodes, in parts of the type size."""
QUESTION = "Which move does the search choose? An arrow key answers, Space shows the values."
"""The words of a quiz, instead of the arithmetic."""
GHOST = 1.0
"""The width of the column with the ghosts, in parts of the type size."""


@dataclass(frozen=True)
class LectureTree:
    """The nodes that fit, and how wide they are together, in parts of the type size."""

    root: TreeNode
    width: float


def lecture_tree(
    browser: TreeBrowser, width: float, levels: int, measure: Measure, *, is_hidden: bool = False
) -> LectureTree:
    """The part of the tree that fits into `width` and into `levels` rows of nodes.

    With `is_hidden`, the values of inner nodes and all signs of the search's choice are missing, as in a quiz.
    """
    path = _path(browser)
    nodes = _Nodes(browser, measure, set(path), is_hidden)
    here = path.index(browser.focus) if browser.focus in path else len(path) - 1
    # The successors of the node of the viewer are visible too, if it is so deep that the top nodes do not fit.
    is_inner = bool(browser.report.nodes[path[here]].children)
    first = max(0, min(here, here + 1 + is_inner - levels))
    path = path[first : first + levels - 1]
    for limit in range(BRANCHES, LEAST_BRANCHES - 1, -1):
        tree = nodes.tree(set(path), path[0], levels, limit)
        if tree.width <= width:
            break
    else:
        while tree.width > width and len(path) > 1:  # a few branches of the upper nodes are better than nothing
            path = path[:-1]
            tree = nodes.tree(set(path), path[0], levels, limit)
    opened, failures = set(path), 0
    candidates = [node.number for node in sorted(tree.root.subtree(), key=lambda node: node.level) if _can_open(node)]
    while candidates and failures < TRIES:
        number = candidates.pop(0)
        if number is None:
            continue
        larger = nodes.tree({*opened, number}, path[0], levels, limit)
        if larger.width > width:
            failures += 1
            continue
        opened.add(number)
        tree = larger
        node = next(node for node in tree.root.subtree() if node.number == number)
        candidates += [child.number for child in node.children if _can_open(child)]
    return tree


def _can_open(node: TreeNode) -> bool:
    """True for a folded node that the search has entered by this step."""
    return bool(node.below) and node.is_seen


def _path(browser: TreeBrowser) -> list[int]:
    """The nodes from the root to the node of the viewer; from the root itself, along the principal line."""
    report = browser.report
    if browser.step is None and browser.focus == 0:
        return sorted(report.line_nodes, key=lambda number: report.nodes[number].depth)
    return list(report.path(browser.focus))


class _Nodes:
    """Builds trees of one browser; the rows and the texts of a node are computed once."""

    def __init__(self, browser: TreeBrowser, measure: Measure, focus_path: set[int], is_hidden: bool) -> None:
        self.browser, self.focus_path, self.is_hidden = browser, focus_path, is_hidden
        self.measure, self.child_rows, self.texts = cache(measure), cache(browser.child_rows), cache(self._texts)

    def tree(self, opened: set[int], top: int, levels: int, limit: int) -> LectureTree:
        """The tree below `top` with these nodes opened, with its places."""
        root = self._node(self.browser.row(top), 0, opened, levels, limit)
        return LectureTree(root, place(root, self.measure, Scale(1, 1, SHAPE, LABEL, GAP)))

    def _node(self, row: TreeRow, level: int, opened: set[int], levels: int, limit: int) -> TreeNode:
        node, number = self._single(row, level), row.number
        if number is not None and number in opened and level + 1 < levels:
            rows = self.child_rows(number)
            branches = self._branches(rows, limit)
            node.children = [self._node(each, level + 1, opened, levels, limit) for each in branches]
            if more := len(rows) - len(branches):
                node.children.append(TreeNode(None, level + 1, f"{more} more", is_seen=False, is_more=True))
            if node.children:
                node.below = ""
                node.value = "?" if self.is_hidden else node.value
        return node

    def _branches(self, rows: list[TreeRow], limit: int) -> list[TreeRow]:
        """The first branches, and those on the path or on the principal line."""
        if len(rows) <= limit:
            return rows
        important = [row for row in rows if row.number in self.focus_path or (row.is_on_line and not self.is_hidden)]
        first = [row for row in rows if row not in important][: max(0, limit - 1 - len(important))]
        return [row for row in rows if row in important or row in first]

    def _single(self, row: TreeRow, level: int) -> TreeNode:
        """The node of a row, without the nodes below it."""
        node = TreeNode(row.layer, level, row.action, number=row.number, agent=row.agent if row.layer else 0)
        node.is_seen, node.is_cut = row.kind is RowKind.ENTERED, row.kind is RowKind.PRUNED
        node.is_on_line = row.is_on_line and not self.is_hidden
        if row.number is None:
            return node
        node.label, node.value, window, node.below = self.texts(row, row.number)
        node.beside = [(window, "window")] if window else []
        if self.is_hidden and level <= 1 and node.below:  # the values of the actions are the answer
            node.value = "?"
        return node

    def _texts(self, row: TreeRow, number: int) -> tuple[str, str, str, str]:
        """The label, the value, the window and the count of nodes below."""
        report, step = self.browser.report, self.browser.step
        node = report.nodes[number]
        is_leaf = row.layer is None or not (node.children or node.unseen)
        is_visible = row.kind is RowKind.ENTERED or is_leaf
        decimals, entry = lecture_decimals(report), report.entry(number, step)
        value = short_interval(report.interval(number, step), decimals) if is_visible else ""
        has_window = row.window and number in self.focus_path and not self.is_hidden
        window = format_finite_ends(entry.alpha, entry.beta, decimals) if entry and has_window else ""
        below = f"+{format_short(node.below)}" if node.below and row.kind is RowKind.ENTERED else ""
        return f"{row.action} {row.probability}".strip(), value, window, below


def lecture_decimals(report: SearchReport) -> int | None:
    """How many decimals the numbers of a lecture have: one less than elsewhere where they have two, for large type."""
    return 1 if report.decimals == 2 else report.decimals


def short_interval(interval: Interval, decimals: int | None = None) -> str:
    """An interval with so many decimals; without them, with four digits, and whole numbers below 10,000 in full.

    >>> short_interval((-112.24, -112.24)), short_interval((1500, 1500)), short_interval((float("-inf"), 2.0625))
    ('−112.2', '1500', '≤2.062')
    """
    if interval == UNKNOWN:
        return ""
    if decimals is not None:
        return format_interval(*interval, decimals)
    low, high = (end if float(end).is_integer() and abs(end) < 1e4 else float(f"{end:.4g}") for end in interval)
    return format_interval(low, high)


# ---- the drawing


def type_size(width: float, height: float) -> float:
    """The type size of a lecture picture, in pixels: large enough for the last row of a lecture hall."""
    return max(13.0, min(height / 14, width / 20, 46.0))


def draw_lecture(picture: Canvas, browser: TreeBrowser, theme: Theme, is_hidden: bool = False) -> list[tuple[Box, int]]:
    """Draws the tree into the whole picture; returns the box of each node with its number."""
    is_hidden = is_hidden and browser.step is None
    largest = type_size(picture.width, picture.height)
    plies = max((node.depth for node in browser.report.nodes), default=0) + 1
    size = max(SMALLEST * largest, min(largest, _tree_height(picture, largest) / (plies * (SHAPE + LABEL + LINE))))
    height = _tree_height(picture, size)
    levels = max(2, min(plies, int(height / size / (SHAPE + LABEL + LINE))))
    tree = lecture_tree(
        browser,
        picture.width / size - 1 - GHOST,
        levels,
        lambda words: text_width(words, size) / size,
        is_hidden=is_hidden,
    )
    above = browser.report.nodes[tree.root.number or 0].depth
    _draw_title(picture, browser, size, above, theme)
    boxes = _draw_nodes(picture, tree, size, height, theme, None if is_hidden else browser.focus)
    _draw_arithmetic(picture, browser, size, theme, is_hidden)
    return boxes


def _tree_height(picture: Canvas, size: float) -> float:
    return picture.height - (HEADER + FOOTER + FOLD) * size


def _draw_nodes(
    picture: Canvas, tree: LectureTree, size: float, height: float, theme: Theme, focus: int | None
) -> list[tuple[Box, int]]:
    """Draws the tree in the middle of its room, and a ghost beside each level on which it moves."""
    nodes = list(tree.root.subtree())
    used = 1 + max(node.level for node in nodes)
    row = min(height / max(2, used), (SHAPE + LABEL + LONG_LINE) * size)
    scale = Scale(size, row, SHAPE, LABEL, GAP)
    whole = scale.row * used - (scale.row - (SHAPE + LABEL) * size)
    left, top = (picture.width + (GHOST - tree.width) * size) / 2, HEADER * size + max(0.0, (height - whole) / 2)
    for level, agent in sorted({(node.level, node.agent) for node in nodes if node.agent}):
        ghost = ghost_icon(round(0.8 * size), theme.agent(agent), theme.panel)
        y = top + level * scale.row + (LABEL + SHAPE / 2) * size
        picture.paste(ghost, 0.5 * size, y - ghost.height / 2)
    draw_tree(TreePixels(picture, theme), tree.root, scale, left, top, focus)
    boxes = []
    for node in nodes:
        if node.number is not None:
            (x, y), half = place_of(node, scale, left, top), max(node.half, node.left) * size
            boxes.append((Box(x - half, y - LABEL * size, 2 * half, (SHAPE + LABEL) * size), node.number))
    return boxes


def _draw_title(picture: Canvas, browser: TreeBrowser, size: float, above: int, theme: Theme) -> None:
    """Draws the title of the search, and the step."""
    report, step = browser.report, browser.step
    words = "whole search" if step is None else f"step {step + 1} of {len(report.steps)}"
    if above:
        words = f"from ply {above} on · {words}"
    right, small, y = picture.width - 0.5 * size, SMALL * size, 0.75 * size
    picture.text(words, right, y, small, theme.muted, 1.0)
    room = right - text_width(words, small) - 1.2 * size
    picture.text(clipped(report.title, small, room), 0.5 * size, y, small, theme.muted)


def _draw_arithmetic(picture: Canvas, browser: TreeBrowser, size: float, theme: Theme, is_hidden: bool) -> None:
    """Draws how the value of the node of the viewer follows from its successors."""
    words = QUESTION if is_hidden else lecture_words(browser)
    room = picture.width - size
    top = picture.height - FOOTER * size
    picture.box(0, top, picture.width, max(2.0, 0.05 * size), blend(theme.panel, theme.muted, 0.5))
    text_size, lines = fit_text(words, (0.95 * size, SMALL * size), room, 2.2 * size)
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
