"""A searched tree in large type, as a textbook draws it: as much of it as fits into a part of a window.

The path to the node of the viewer (or the principal line) is always open, with the siblings of its nodes. Then other
nodes open from the top down, as long as everything fits. A folded node says how many nodes are below it. The nodes are
placed and drawn as those of `tree`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache

from pacman.core.numbers import format_ends, format_interval, format_short
from pacman.picture.bars import clipped, draw_lines, fit_text
from pacman.picture.canvas import Canvas, text_width
from pacman.picture.colours import Theme, blend
from pacman.picture.screen_regions import Box
from pacman.picture.sprites import ghost_icon
from pacman.picture.tree import SMALL, Measure, Scale, TreeNode, TreePixels, draw_tree, place, place_of
from pacman.record.report import SearchReport, reference_window
from pacman.record.rows import RowKind, TreeBrowser, TreeRow
from pacman.record.words import node_in_words

BRANCHES, LEAST_BRANCHES = 9, 3
"""A node shows at most 9 branches, and fewer if they do not fit; one more stands for the others. Rather than less than
3 branches, the picture shows fewer levels of the path."""
TRIES = 10
"""The layout is finished after so many nodes that do not fit if they are opened."""
SHAPE, LABEL, LINE, LONG_LINE, GAP = 1.5, 0.9, 0.95, 2.2, 0.35
"""In parts of the type size: the heights of a node's shape and of its label, of the least and the longest branch, and
the least distance of two neighbours."""
SMALLEST = 0.8
"""The type may be this much smaller than its usual size, so that more levels fit."""
HEADER, FOOTER, FOLD, GHOST = 1.5, 2.7, 0.75, 1.0
"""The heights of the title, of the arithmetic and of a count of folded nodes, and the width of the column with the
ghosts, in parts of the type size."""
QUESTION = "Which move does the search choose? An arrow key answers, Space shows the values."
"""The words of a quiz, instead of the arithmetic."""


def lecture_tree(
    browser: TreeBrowser, width: float, levels: int, measure: Measure, *, is_hidden: bool = False
) -> tuple[TreeNode, float]:
    """The part of the tree that fits into `width` and into `levels` rows of nodes, and its width; all in type sizes.

    With `is_hidden`, the values of inner nodes and all signs of the search's choice are missing, as in a quiz.
    """
    report, focus = browser.report, browser.focus
    path = list(report.path(focus))
    if browser.step is None and focus == 0:  # from the root itself, along the principal line
        path = sorted(report.line_nodes, key=lambda number: report.nodes[number].depth)
    measured, child_rows, on_path = cache(measure), cache(browser.child_rows), frozenset(path)
    single = cache(lambda row, level: _node(browser, row, level, row.number in on_path, is_hidden))

    def node_of(row: TreeRow, level: int, opened: Collection[int], limit: int) -> TreeNode:
        node = replace(single(row, level))
        if row.number in opened and level + 1 < levels:
            rows = child_rows(row.number)
            # The branches on the path or on the principal line, and the first of the others.
            important = [each for each in rows if each.number in on_path or (each.is_on_line and not is_hidden)]
            others = [each for each in rows if each not in important][: max(0, limit - 1 - len(important))]
            branches = [each for each in rows if len(rows) <= limit or each in important or each in others]
            node.children = [node_of(each, level + 1, opened, limit) for each in branches]
            if more := len(rows) - len(branches):
                node.children.append(TreeNode(None, level + 1, f"{more} more", is_seen=False, is_more=True))
            if node.children:
                node.below, node.value = "", "?" if is_hidden else node.value
        return node

    def tree_of(opened: Collection[int], limit: int) -> tuple[TreeNode, float]:
        root = node_of(browser.row(path[0]), 0, opened, limit)
        return root, place(root, measured, Scale(1, 1, SHAPE, LABEL, GAP))

    # The successors of the node of the viewer are visible too, if it is so deep that the top nodes do not fit.
    here = path.index(focus) if focus in path else len(path) - 1
    first = max(0, min(here, here + 1 + bool(report.nodes[path[here]].children) - levels))
    path = path[first : first + levels - 1]
    # A few branches of the upper nodes are better than nothing.
    parts = [(path, limit) for limit in range(BRANCHES, LEAST_BRANCHES, -1)]
    for part, limit in [*parts, *((path[:end], LEAST_BRANCHES) for end in range(len(path), 0, -1))]:
        root, wide = tree_of(part, limit)
        if wide <= width:
            break
    opened, failures = set(part), 0
    waiting = sorted(root.subtree(), key=lambda node: node.level)
    for node in waiting:  # the branches of each opened node are added
        if node.number is None or not node.below or not node.is_seen:
            continue
        larger, its_width = tree_of({*opened, node.number}, limit)
        if its_width <= width:
            opened.add(node.number)
            root, wide = larger, its_width
            waiting += next(new for new in root.subtree() if new.number == node.number).children
        elif (failures := failures + 1) == TRIES:
            break
    return root, wide


def _node(browser: TreeBrowser, row: TreeRow, level: int, is_on_path: bool, is_hidden: bool) -> TreeNode:
    """The node of a row, without the nodes below it."""
    node = TreeNode(row.layer, level, row.action, number=row.number, agent=row.agent if row.layer else 0)
    node.is_on_line, is_entered = row.is_on_line and not is_hidden, row.kind is RowKind.ENTERED
    node.is_seen, node.is_cut = is_entered, row.kind is RowKind.PRUNED
    if row.number is None:
        return node
    report, known = browser.report, browser.report.nodes[row.number]
    decimals, entry = lecture_decimals(report), report.entry(row.number, browser.step)
    node.label = f"{row.action} {row.probability}".strip()
    if is_entered or row.layer is None or not (known.children or known.unseen):
        node.value = format_interval(*report.interval(row.number, browser.step), decimals)
    if entry and row.window and is_on_path and not is_hidden:
        node.beside = [(format_ends(entry.alpha, entry.beta, decimals), "window")]
    if known.below and is_entered:
        node.below = f"+{format_short(known.below)}"
        if is_hidden and level <= 1:  # the values of the actions are the answer
            node.value = "?"
    return node


def lecture_decimals(report: SearchReport) -> int | None:
    """How many decimals the numbers of a lecture have: one less than elsewhere where they have two, for large type."""
    return 1 if report.decimals == 2 else report.decimals


# ---- the drawing


def type_size(width: float, height: float) -> float:
    """The type size of a lecture picture, in pixels: large enough for the last row of a lecture hall."""
    return max(13.0, min(height / 14, width / 20, 46.0))


def draw_lecture(picture: Canvas, browser: TreeBrowser, theme: Theme, is_hidden: bool = False) -> list[tuple[Box, int]]:
    """Draws the tree into the whole picture; returns the box of each node with its number."""
    is_hidden = is_hidden and browser.step is None
    largest = type_size(picture.width, picture.height)
    plies = max((node.depth for node in browser.report.nodes), default=0) + 1
    frame, row = HEADER + FOOTER + FOLD, SHAPE + LABEL + LINE
    size = max(SMALLEST * largest, min(largest, (picture.height - frame * largest) / (plies * row)))
    height = picture.height - frame * size
    levels = max(2, min(plies, int(height / size / row)))
    room = picture.width / size - 1 - GHOST
    root, wide = lecture_tree(browser, room, levels, lambda words: text_width(words, size) / size, is_hidden=is_hidden)
    _draw_words(picture, browser, size, browser.report.nodes[root.number or 0].depth, theme, is_hidden)
    # The tree is in the middle of its room, with a ghost beside each level on which it moves.
    nodes, focus = list(root.subtree()), None if is_hidden else browser.focus
    used = 1 + max(node.level for node in nodes)
    scale = Scale(size, min(height / max(2, used), (SHAPE + LABEL + LONG_LINE) * size), SHAPE, LABEL, GAP)
    whole = scale.row * (used - 1) + (SHAPE + LABEL) * size
    left, top = (picture.width + (GHOST - wide) * size) / 2, HEADER * size + max(0.0, (height - whole) / 2)
    for level, agent in sorted({(node.level, node.agent) for node in nodes if node.agent}):
        ghost = ghost_icon(round(0.8 * size), theme.agent(agent), theme.panel)
        y = top + level * scale.row + (LABEL + SHAPE / 2) * size
        picture.paste(ghost, 0.5 * size, y - ghost.height / 2)
    draw_tree(TreePixels(picture, theme), root, scale, left, top, focus)
    boxes = []
    for node in nodes:
        if node.number is not None:
            (x, y), half = place_of(node, scale, left, top), max(node.half, node.left) * size
            boxes.append((Box(x - half, y - LABEL * size, 2 * half, (SHAPE + LABEL) * size), node.number))
    return boxes


def _draw_words(picture: Canvas, browser: TreeBrowser, size: float, above: int, theme: Theme, is_hidden: bool) -> None:
    """Draws the title and the step at the top, and below the tree how the value of the node of the viewer follows."""
    report, step = browser.report, browser.step
    words = "whole search" if step is None else f"step {step + 1} of {len(report.steps)}"
    words = f"from ply {above} on · {words}" if above else words
    right, small, y = picture.width - 0.5 * size, SMALL * size, 0.75 * size
    picture.text(words, right, y, small, theme.muted, 1.0)
    room = right - text_width(words, small) - 1.2 * size
    picture.text(clipped(report.title, small, room), 0.5 * size, y, small, theme.muted)
    top = picture.height - FOOTER * size
    picture.box(0, top, picture.width, max(2.0, 0.05 * size), blend(theme.panel, theme.muted, 0.5))
    words = QUESTION if is_hidden else lecture_words(browser)
    letters, lines = fit_text(words, (0.95 * size, small), picture.width - size, 2.2 * size)
    draw_lines(picture, lines, 0.5 * size, top + FOOTER / 2 * size, letters, theme.text)


def lecture_words(browser: TreeBrowser) -> str:
    """The arithmetic of the node of the viewer, after its path."""
    report, number, decimals = browser.report, browser.focus, lecture_decimals(browser.report)
    words = node_in_words(report, number, browser.step, decimals) or "not entered yet"
    name = " ".join(report.nodes[each].action for each in report.path(number)[1:])
    words = f"{name}: {words}" if name else words
    other = reference_window(report, number, decimals)
    return f"{words} ({other})" if other else words
