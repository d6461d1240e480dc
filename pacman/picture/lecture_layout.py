"""Which part of a searched tree fits into a lecture picture, and where each of its nodes is. Draws nothing.

The path to the node of the viewer (or the principal line) is always open, with the siblings of its nodes. Then other
nodes open from the top down, as long as everything fits. A folded node says how many nodes are below it. All lengths
are in parts of the type size: 1 is the height of a line of text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from pacman.core.numbers import format_finite_ends, format_interval, format_short
from pacman.record.report import UNKNOWN, Interval, SearchReport
from pacman.record.tree_browser import RowKind, TreeBrowser, TreeRow

BRANCHES = 9
"""A node shows at most this many branches, and fewer if more do not fit; one more stands for the others."""
LEAST_BRANCHES = 3
"""Rather than fewer branches, the picture shows fewer levels of the path."""
TRIES = 10
"""The layout is finished after so many nodes that do not fit if they are opened."""
SHAPE, LABEL, LINE = 1.5, 0.9, 0.95
"""The heights of a node's shape, of the label above it, and of the least line from its parent to the label."""
GAP = 0.35
"""The least distance between two neighbours."""

Measure = Callable[[str], float]
"""The width of a text in parts of the type size."""


@dataclass
class LectureNode:
    """A node of the picture. `row` is what is known of it; `row.number` is None for a branch that was never made.

    `value` and `window` are texts, `below` says how many nodes are folded below it, `more` how many branches this
    node stands for, if it stands for several. (x, level) is the place: x from the left, in parts of the type size.
    """

    row: TreeRow
    label: str = ""
    value: str = ""
    window: str = ""
    below: str = ""
    more: int = 0
    level: int = 0
    x: float = 0.0
    half: float = 0.0
    left: float = 0.0
    right: float = 0.0
    children: list[LectureNode] = field(default_factory=list)

    def subtree(self) -> Iterator[LectureNode]:
        """This node and all nodes below it, parents first."""
        yield self
        for child in self.children:
            yield from child.subtree()


@dataclass(frozen=True)
class LectureTree:
    """The nodes that fit, and how wide they are together."""

    root: LectureNode
    width: float


def lecture_tree(
    browser: TreeBrowser, width: float, levels: int, measure: Measure, *, is_hidden: bool = False
) -> LectureTree:
    """The part of the tree that fits into `width` and into `levels` rows of nodes.

    With `is_hidden`, the values of inner nodes and all signs of the search's choice are missing, as in a quiz.
    """
    picture = _Picture(browser, measure, is_hidden)
    path = _path(browser)
    here = path.index(browser.focus) if browser.focus in path else len(path) - 1
    # The successors of the node of the viewer are visible too, if it is so deep that the top nodes do not fit.
    is_inner = bool(browser.report.nodes[path[here]].children)
    first = max(0, min(here, here + 1 + is_inner - levels))
    path = path[first : first + levels - 1]
    for limit in range(BRANCHES, LEAST_BRANCHES - 1, -1):
        tree = picture.tree(set(path), path[0], levels, limit)
        if tree.width <= width:
            break
    else:
        while tree.width > width and len(path) > 1:  # a few branches of the upper nodes are better than nothing
            path = path[:-1]
            tree = picture.tree(set(path), path[0], levels, limit)
    opened, failures = set(path), 0
    candidates = [
        node.row.number for node in sorted(tree.root.subtree(), key=lambda node: node.level) if _can_open(node)
    ]
    while candidates and failures < TRIES:
        number = candidates.pop(0)
        if number is None:
            continue
        larger = picture.tree({*opened, number}, path[0], levels, limit)
        if larger.width > width:
            failures += 1
            continue
        opened.add(number)
        tree = larger
        node = next(node for node in tree.root.subtree() if node.row.number == number)
        candidates += [child.row.number for child in node.children if _can_open(child)]
    return tree


def _can_open(node: LectureNode) -> bool:
    """True for a folded node that the search has entered by this step."""
    return bool(node.below) and node.row.kind is RowKind.ENTERED


def _path(browser: TreeBrowser) -> list[int]:
    """The nodes from the root to the node of the viewer; from the root itself, along the principal line."""
    report = browser.report
    if browser.step is None and browser.focus == 0:
        return sorted(report.line_nodes, key=lambda number: report.nodes[number].depth)
    return list(report.path(browser.focus))


class _Picture:
    """Builds trees of one browser; the rows, texts and widths of a node are computed once."""

    def __init__(self, browser: TreeBrowser, measure: Measure, is_hidden: bool) -> None:
        self.browser, self.measure, self.is_hidden = browser, measure, is_hidden
        self.focus_path = set(_path(browser))
        self.child_rows, self.texts, self.widths = cache(browser.child_rows), cache(self._texts), cache(self._widths)

    def tree(self, opened: set[int], top: int, levels: int, limit: int) -> LectureTree:
        """The tree below `top` with these nodes opened, with its places."""
        root = self._node(self.browser.row(top), 0, opened, levels, limit)
        lefts, rights = _place(root)
        edge = min(lefts)
        root.x -= edge
        for node in root.subtree():  # parents come first
            for child in node.children:
                child.x += node.x
        return LectureTree(root, max(rights) - edge)

    def _node(self, row: TreeRow, level: int, opened: set[int], levels: int, limit: int) -> LectureNode:
        node = self._single(row, level)
        number = row.number
        if number is not None and number in opened and level + 1 < levels:
            rows = self.child_rows(number)
            branches = self._branches(rows, limit)
            node.children = [self._node(each, level + 1, opened, levels, limit) for each in branches]
            if more := len(rows) - len(branches):
                rest = LectureNode(TreeRow(RowKind.MORE, rows[0].depth), f"{more} more", more=more, level=level + 1)
                node.children.append(self._measured(rest))
            if node.children:
                node.below = ""
                node.value = "?" if self.is_hidden else node.value
        return self._measured(node)

    def _branches(self, rows: list[TreeRow], limit: int) -> list[TreeRow]:
        """The first branches, and those on the path or on the principal line."""
        if len(rows) <= limit:
            return rows
        important = [row for row in rows if row.number in self.focus_path or (row.is_on_line and not self.is_hidden)]
        first = [row for row in rows if row not in important][: max(0, limit - 1 - len(important))]
        return [row for row in rows if row in important or row in first]

    def _single(self, row: TreeRow, level: int) -> LectureNode:
        """The node of a row, without the nodes below it."""
        if row.number is None:
            return LectureNode(row, row.action, level=level)
        label, value, window, below = self.texts(row, row.number)
        if self.is_hidden and level <= 1 and below:  # the values of the actions are the answer
            value = "?"
        return LectureNode(row, label, value, window, below, level=level)

    def _texts(self, row: TreeRow, number: int) -> tuple[str, str, str, str]:
        """The label, the value, the window and the count of nodes below."""
        report = self.browser.report
        node = report.nodes[number]
        is_leaf = row.layer is None or not (node.children or node.unseen)
        is_shown = row.kind is RowKind.ENTERED or is_leaf
        decimals, entry = lecture_decimals(report), report.entry(number, self.browser.step)
        value = short_interval(report.interval(number, self.browser.step), decimals) if is_shown else ""
        has_window = row.window and number in self.focus_path and not self.is_hidden
        window = format_finite_ends(entry.alpha, entry.beta, decimals) if entry and has_window else ""
        below = f"+{format_short(node.below)}" if node.below and row.kind is RowKind.ENTERED else ""
        return f"{row.action} {row.probability}".strip(), value, window, below

    def _measured(self, node: LectureNode) -> LectureNode:
        """The node with its widths."""
        is_box = node.row.layer is None or node.more > 0
        node.half, node.left, node.right = self.widths(is_box, node.label, node.value, node.window, node.below)
        return node

    def _widths(self, is_box: bool, *texts: str) -> tuple[float, float, float]:
        """Half the width of a shape, and how far the node with its label, value, window and count reaches."""
        label, value, window, below = (self.measure(words) if words else 0.0 for words in texts)
        # At its value, a triangle has about two thirds of its width.
        half = max(0.6, value / 2 + 0.3) if is_box else max(0.85, min(2.1, 0.74 * value + 0.2))
        left = max(half, label * LABEL_SIZE / 2, below * LABEL_SIZE / 2) + GAP / 2
        return half, left, max(left, half + 0.2 + window * LABEL_SIZE) if window else left


LABEL_SIZE = 0.8
"""The size of labels, windows and counts, in parts of the type size."""


def _place(node: LectureNode) -> tuple[list[float], list[float]]:
    """Places each node below `node` relative to its parent; returns the left and right edges of the levels."""
    if not node.children:
        return [-node.left], [node.right]
    shifts: list[float] = []
    lefts: list[float] = []
    rights: list[float] = []
    for child in node.children:
        child_lefts, child_rights = _place(child)
        shift = max((right - left for right, left in zip(rights, child_lefts, strict=False)), default=0.0)
        shifts.append(shift)
        deeper = len(child_lefts) > len(lefts)
        lefts += [left + shift for left in child_lefts[len(lefts) :]] if deeper else []
        rights[: len(child_rights)] = [right + shift for right in child_rights]
    middle = (shifts[0] + shifts[-1]) / 2
    for child, shift in zip(node.children, shifts, strict=True):
        child.x = shift - middle
    return [-node.left, *(left - middle for left in lefts)], [node.right, *(right - middle for right in rights)]


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
