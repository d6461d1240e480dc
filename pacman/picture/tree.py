"""A game tree as a picture: as it was drawn, or with what a search found in it and what it never saw.

MAX is an up-triangle, MIN a down-triangle, CHANCE an ellipse, a leaf a box with its utility. The label above a node is
its action, below a CHANCE node with its probability. `lecture` draws the same nodes in a window.

A script can find the parts of an SVG picture. Node N, counted in preorder from 0, is `<g class="node max"
data-node="N">` (or `min`, `chance`, `leaf`), and the branch to it is `<g class="branch" data-node="N">`. Further
classes are `unseen` (the search did not enter the node) and `line` (the principal line). Inside a node are texts with
the classes `value`, `name`, `window`, `reason` and `evaluation`; a branch has an `action` and, if it is struck through,
a path `struck`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType

from pacman.core.errors import counted
from pacman.core.numbers import format_interval, format_number, format_probability, format_window
from pacman.core.state import GameState
from pacman.core.tree import Layer, Node
from pacman.core.tree_text import Outline
from pacman.picture import board, canvas
from pacman.picture.canvas import Point
from pacman.picture.colours import Style, Theme, blend, tree_rules
from pacman.picture.screen_regions import Box
from pacman.picture.sprites import node_shape
from pacman.picture.svg import SvgCanvas, text_width
from pacman.record.report import UNKNOWN, SearchReport, report_from_trace
from pacman.record.trace import CUTS, ExitReason, Path, Visit
from pacman.search.algorithms import SearchResult

SIZE, TITLE, MARGIN, FOOT = 15.0, 17.0, 24.0, 44.0
"""In pixels, of an SVG picture: its letters, those of its title, its margin, and the height of the legend."""
SMALL = 0.8
"""The size of labels, windows and notes, in parts of the type size."""
BAR = 0.62
"""Where the bar of a branch is: 0 is at the parent, 1 at the label of the child."""
SAMPLE, SPACE = 26.0, 20.0
"""In pixels, of the legend: the width of a sign with the space behind it, and the space behind its words."""
MAX_NODES = 200
"""A notebook shows no picture of a larger tree: it is too wide to read."""
NO_NOTES: Mapping[Path, str] = MappingProxyType({})
Measure = Callable[[str], float]
"""The width of a text in parts of the type size."""


@dataclass
class TreeNode:
    """A node of the picture, and its place: x from the left in parts of the type size, `level` in rows from the top.

    `layer` is None for a leaf. `number` is that of the search's report, None for a node that the search never made.
    `beside` are lines of text to the right of the shape, each with its class. `below` says how many nodes are folded;
    `is_more` is True if the node stands for several branches. `half` is half the width of the shape; `left` and `right`
    say how far the node reaches with its words. `path` is the path of a node of a whole tree.
    """

    layer: Layer | None
    level: int = 0
    label: str = ""
    value: str = ""
    name: str = ""
    number: int | None = None
    path: Path = ()
    agent: int = 0
    is_seen: bool = True
    is_cut: bool = False
    is_on_line: bool = False
    is_more: bool = False
    beside: list[tuple[str, str]] = field(default_factory=list)
    note: str = ""
    below: str = ""
    x: float = 0.0
    half: float = 0.0
    left: float = 0.0
    right: float = 0.0
    children: list[TreeNode] = field(default_factory=list)

    def subtree(self) -> Iterator[TreeNode]:
        """This node and all nodes below it, parents first."""
        yield self
        for child in self.children:
            yield from child.subtree()

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The lines of text to the right of the shape, each with its class; the note of an inner node is the last."""
        return [*self.beside, *([(self.note, "note")] if self.note and self.layer else [])]

    @property
    def kind(self) -> str:
        """The first class of the node in an SVG picture."""
        return self.layer.value if self.layer else "leaf"

    @property
    def state(self) -> str:
        """The further classes of a node and of the branch to it, each after a space."""
        return (" line" if self.is_on_line else "") + ("" if self.is_seen else " unseen")


@dataclass(frozen=True)
class Scale:
    """The type size in pixels, and the pixels from row to row.

    In parts of the type size: the heights of a shape and of a label, and the least distance of two neighbours.
    """

    size: float
    row: float
    shape: float
    label: float
    gap: float


FILE = Scale(SIZE, 104.0, shape=2.8, label=1.25, gap=1.0)


# ---- the nodes


def tree_of(root: Node, plies: int, report: SearchReport | None = None) -> TreeNode:
    """The nodes of a tree, `plies` deep, without places; `report` is what a search found in it, None for no search."""

    def build(node: Node, path: Path, number: int | None, is_on_line: bool) -> TreeNode:
        depth, visits, interval, numbers = len(path), list[Visit](), UNKNOWN, dict[str, int]()
        name = " ".join(filter(None, (getattr(node, "name", ""), getattr(node, "end", ""))))
        result = TreeNode(None if node.is_terminal else node.layer, depth, name=name, path=path)
        if report is not None:
            if number is not None:
                interval, numbers = report.interval(number), report.children(number)
                visits = [report.steps[step] for step in report.nodes[number].steps]
            result.is_on_line, result.number = is_on_line, number
            result.is_seen, result.is_cut = bool(visits), not visits
            result.beside = [] if node.is_terminal else _window_lines(visits)
        elif isinstance(node, Outline) and node.evaluation is not None:
            result.beside = [(f"~{format_number(node.evaluation)}", "evaluation")]
        if node.is_terminal and interval == UNKNOWN:  # a leaf shows its utility even if no search entered it
            interval = node.score, node.score
        result.value = format_interval(*interval)
        is_open = depth < plies and not node.is_terminal
        words = list[str]()  # the probabilities; a drawn tree has them as it writes them
        if is_open and isinstance(node, Outline):
            words = [str(probability) for probability in node.probabilities]
        elif is_open and node.layer is Layer.CHANCE:
            words = [format_probability(probability) for _, probability in node.outcomes()]
        for index, action in enumerate(node.actions() if is_open else ()):
            follows_line = report is not None and is_on_line and report.line[depth : depth + 1] == (action,)
            child = build(node.successor(action), (*path, action), numbers.get(action), follows_line)
            child.label = f"{action} {words[index]}" if words else action
            result.children.append(child)
        return result

    return build(root, (), 0, report is not None)


def _window_lines(visits: list[Visit]) -> list[tuple[str, str]]:
    """The windows of the first and the last entry into an inner node, each followed by why the search left the node.

    The reason is missing if all successors were searched.
    """
    entries = [visit for visit in visits if visit.why is not ExitReason.KNOWN]
    windows = [(format_window(visit.alpha, visit.beta), visit.why) for visit in [*entries[:1], *entries[-1:]]]
    lines: list[tuple[str, str]] = []
    for window, why in dict.fromkeys(windows):
        lines.append((window, "window"))
        if why is not ExitReason.VALUE:
            kind = "reason cut" if why in CUTS else "reason"
            lines.append(("horizon" if why is ExitReason.LEAF else why.value, kind))
    return lines


def outline_lines(nodes: Iterable[TreeNode]) -> Iterator[str]:
    """The tree as an outline with what the search knows: a line per node, for readers who cannot see the picture."""
    for node in nodes:
        words = [
            f"{node.kind} {node.value}".strip(),
            *(word for word, _ in node.beside),
            *([] if node.is_seen else ["never seen"]),
            *([node.note] if node.note else []),
        ]
        yield f"{'  ' * node.level}{f'{node.label}: ' if node.level else ''}{', '.join(words)}"


# ---- their places: each parent is midway between its first and last child, and nothing overlaps


def place(root: TreeNode, measure: Measure, scale: Scale, room: float = 0.0, half: float = 0.0) -> float:
    """Gives each node its place; returns the width of the tree.

    Every inner node has at least this `half`, and `room` for words beside it.
    """
    for node in root.subtree():
        _measure(node, measure, scale, room, half)
    lefts, rights = _place(root)
    edge = min(lefts)
    root.x -= edge
    for node in root.subtree():  # parents come first
        for child in node.children:
            child.x += node.x
    return max(rights) - edge


def half_width(node: TreeNode, measure: Measure, shape: float) -> float:
    """Half the width of a shape in which the value fits; that of a large value is smaller than the type size."""
    value = measure(node.value) if node.value else 0.0
    # At its value, a triangle has about two thirds of its width.
    if node.layer is None:
        return max(0.4 * shape, value / 2 + 0.3)
    return max(0.57 * shape, min(1.4 * shape, 0.74 * value + 0.2))


def _measure(node: TreeNode, measure: Measure, scale: Scale, room: float, half: float) -> None:
    """Sets how far a node reaches to both sides."""
    node.x, node.half = 0.0, max(half_width(node, measure, scale.shape), half if node.layer else 0.0)

    def width(words: str) -> float:
        return measure(words) * SMALL if words else 0.0

    beside = max([width(words) for words, _ in node.lines] + [room if node.layer else 0.0])
    under = width(node.below if node.layer else node.note)
    side = max(node.half, width(node.label) / 2, under / 2)
    name = node.half + 0.3 + width(node.name) if node.name else 0.0
    node.left = max(side, name) + scale.gap / 2
    node.right = max(side, node.half + 0.3 + beside if beside else 0.0) + scale.gap / 2


def _place(node: TreeNode) -> tuple[list[float], list[float]]:
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
        lefts += [left + shift for left in child_lefts[len(lefts) :]]
        rights[: len(child_rights)] = [right + shift for right in child_rights]
    middle = (shifts[0] + shifts[-1]) / 2
    for child, shift in zip(node.children, shifts, strict=True):
        child.x = shift - middle
    return [-node.left, *(left - middle for left in lefts)], [node.right, *(right - middle for right in rights)]


# ---- the drawing


class TreePixels:
    """A canvas of pixels for `draw_tree`: the same calls as those of `SvgCanvas`, in the colours of a theme."""

    def __init__(self, pixels: canvas.Canvas, theme: Theme) -> None:
        self.pixels, self.theme = pixels, theme
        self.style = Style(tree_rules(theme, theme.panel))
        self._around: tuple[str, ...] = ()

    @contextmanager
    def group(self, kind: str, *, node: int | None = None, size: float = 0, width: float = 0) -> Iterator[None]:
        """A group with these classes."""
        around, self._around = self._around, (*self._around, kind)
        yield
        self._around = around

    def measure(self, words: str, size: float) -> float:
        """The width of words in pixels."""
        return canvas.text_width(words, size)

    def shape(
        self, layer: Layer | None, box: Box, width: float = 0, is_dashed: bool = False, is_current: bool = False
    ) -> None:
        """The shape of a node in a box."""
        fill, rim = (self.style.colour(name, *self._around, "shape") for name in ("fill", "stroke"))
        fill = blend(self.theme.panel, rim, 0.45) if is_current else fill
        shape = node_shape(layer, round(box.width), round(box.height), fill, rim, round(width, 1))
        x, y = box.left + box.width / 2, box.top + box.height / 2
        self.pixels.paste(shape, x - shape.width / 2, y - shape.height / 2)

    def branch(self, points: list[Point], width: float, kind: str = "") -> None:
        """A line through the points."""
        self.pixels.line(points, width, self.style.colour("stroke", *self._around, kind))

    def text(self, words: str, at: Point, size: float, kind: str, anchor: float = 0.5, is_bold: bool = False) -> None:
        """Words on one line; a count of folded nodes hides the branches behind it."""
        if words and kind == "below":
            width, height = canvas.text_width(words, size) + 0.25 * size, 0.7 * size
            self.pixels.box(at[0] - width / 2, at[1] - height / 2, width, height, self.theme.panel)
        self.pixels.text(words, *at, size, self.style.colour("fill", *self._around, kind), anchor)


TreeCanvas = SvgCanvas | TreePixels
"""What a tree is drawn on. The classes of a part, after those of its groups, give it its colours."""


def draw_tree(
    canvas: TreeCanvas, root: TreeNode, scale: Scale, left: float, top: float, focus: int | None = None
) -> None:
    """Draws the branches, then the nodes; the node with the number `focus` is filled with more of its colour."""
    nodes, size = list(root.subtree()), scale.size
    numbers = {id(node): number for number, node in enumerate(nodes)}
    # Branches that the search did not follow come first, its line last, so that it is on top.
    branches = [(parent, child) for parent in nodes for child in parent.children]
    branches.sort(key=lambda pair: (pair[1].is_on_line, pair[1].is_seen))
    with canvas.group("branches", size=SMALL * size, width=0.08 * size):
        for parent, child in branches:
            with canvas.group(f"branch{child.state}", node=numbers[id(child)]):
                _draw_branch(canvas, parent, child, scale, left, top)
    with canvas.group("nodes", size=size, width=0.1 * size):
        for number, node in enumerate(nodes):
            with canvas.group(f"node {node.kind}{node.state}", node=number):
                if not node.is_more:
                    x, y = place_of(node, scale, left, top)
                    _draw_node(canvas, node, scale, x, y, focus is not None and node.number == focus)


def place_of(node: TreeNode, scale: Scale, left: float, top: float) -> Point:
    """The middle of the top of a node's shape, in pixels."""
    return left + node.x * scale.size, top + node.level * scale.row + scale.label * scale.size


def _draw_branch(canvas: TreeCanvas, parent: TreeNode, child: TreeNode, scale: Scale, left: float, top: float) -> None:
    """Draws the line from a parent to the label of a child, the label, and a bar if the search left the child out."""
    size = scale.size
    (x, y), (to_x, to_y) = place_of(parent, scale, left, top), place_of(child, scale, left, top)
    y, end = y + scale.shape * size, to_y - scale.label * size
    canvas.branch([(x, y), (to_x, end)], (0.17 if child.is_on_line else 0.08) * size)
    if child.is_cut:
        length = ((to_x - x) ** 2 + (end - y) ** 2) ** 0.5 or 1.0
        across, down = (end - y) / length * 0.42 * size, -(to_x - x) / length * 0.42 * size
        bar_x, bar_y = x + (to_x - x) * BAR, y + (end - y) * BAR
        ends = [(bar_x - across, bar_y - down), (bar_x + across, bar_y + down)]
        canvas.branch(ends, 0.16 * size, "struck first" if parent.is_seen else "struck")
    at = to_x, to_y - scale.label / 2 * size
    canvas.text(child.label, at, SMALL * size, "action", is_bold=child.is_on_line)


def _draw_node(canvas: TreeCanvas, node: TreeNode, scale: Scale, x: float, y: float, is_current: bool) -> None:
    """Draws the shape with its value; the name to the left; windows, and why the search left it, to the right."""
    size, small, half, high = scale.size, SMALL * scale.size, node.half * scale.size, scale.shape * scale.size
    rim = (0.17 if node.is_on_line or is_current else 0.1) * size
    top, height = (y, high) if node.layer else (y + 0.16 * high, 0.68 * high)
    canvas.shape(node.layer, Box(x - half, top, 2 * half, height), rim, not node.is_seen, is_current)
    room = 2 * node.half * (1.0 if node.layer in (None, Layer.CHANCE) else 0.7) - 0.1
    letters = size * max(0.55, min(1.0, room * size / max(1.0, canvas.measure(node.value, size))))
    middle = {Layer.MAX: 0.7, Layer.MIN: 0.32}.get(node.layer, 0.5) if node.layer else 0.5
    canvas.text(node.value, (x, y + middle * high), letters, "value", is_bold=node.layer is not None)
    if node.name:
        canvas.text(node.name, (x - half - 0.3 * size, y + high / 2), small, "name", 1.0)
    if node.layer is None:
        if node.note:
            canvas.text(node.note, (x, y + high + 0.2 * size), small, "note", is_bold=True)
        return
    lines = node.lines
    y += high / 2 - (len(lines) - 1) * 1.15 * small / 2
    if not any(kind == "window" for _, kind in lines):
        lines.append(("", "window"))  # a script can fill it
    for words, kind in lines:
        canvas.text(words, (x + half + 0.3 * size, y), small, kind, 0.0, is_bold=kind == "note")
        y += 1.15 * small if words else 0.0
    if node.below:
        canvas.text(node.below, (x, top + high + 0.375 * size), small, "below")


# ---- an SVG picture


def svg(
    source: GameState | Outline | SearchResult,
    bounds: tuple[float, float] | None = None,
    *,
    theme: str = "",
    widest_window: str = "",
    notes: Mapping[Path, str] = NO_NOTES,
    windows: bool = True,
) -> str:
    """The text of an SVG file: the board of a position, a drawn tree, or the tree of a `run_search` result.

    `bounds` are the bounds [L, U] of the search, if it had any. An inner node shows its value, with ≤ or ≥ if the
    search knows only a bound. Beside it are the windows of its entries (the first one, from a probe perhaps, and the
    last one) and why the search left it early. A node that the search did not enter is pale, and its branch is struck
    through; the principal line is thick. The same input gives the same bytes. ValueError for a result without a trace,
    as that of a compiled search.

    `theme` is the name of a theme; without one, boards are dark and trees are light. It may be `colours.PAGE`: then
    `colours.page_style` colours the picture. Every inner node has room for `widest_window`, which a script may write
    there. `notes` are remarks about nodes, by their paths. Without `windows`, a search shows only values: all windows
    of a search that never cuts are the same. A tree has no ids, so a page can contain any number of trees.

    >>> from pacman.search.algorithms import run_search
    >>> tree = Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 2\\n    y: 100")
    >>> picture = svg(run_search("alphabeta", tree, plies=2))
    >>> picture.startswith("<svg"), picture.count('class="branch unseen" data')
    (True, 1)
    """
    if isinstance(source, GameState):
        return board.svg(source, theme=theme or "dark")
    result = source if isinstance(source, SearchResult) else None
    tree, plies = root_and_plies(source)
    root = tree_of(tree, plies, report_from_trace(tree, plies, result.trace, line=result.line) if result else None)
    nodes = list(root.subtree())
    for node in nodes:
        node.note = notes.get(node.path, "")
        node.beside = node.beside if windows else []
    heading = _heading(result, bounds, len(nodes)) if result else counted(len(nodes), "node")
    is_drawn = isinstance(source, Outline) and not notes
    description = str(source) if is_drawn else "\n".join(outline_lines(nodes))
    return drawing(root, heading, description, theme or "light", result is not None and windows, widest_window)


def for_notebook(source: GameState | Outline | SearchResult) -> str | None:
    """The picture of `svg`; None if a search kept no trace, or if the tree has more than `MAX_NODES` nodes."""

    def walk(node: Node, plies: int) -> Iterator[Node]:
        yield node
        for action in node.actions() if plies and not node.is_terminal else ():
            yield from walk(node.successor(action), plies - 1)

    if isinstance(source, SearchResult) and not source.trace.visits:
        return None
    is_small = isinstance(source, GameState) or (
        sum(1 for _ in islice(walk(*root_and_plies(source)), MAX_NODES + 1)) <= MAX_NODES
    )
    return svg(source) if is_small else None


def drawing(
    root: TreeNode, heading: str, description: str, theme: str, has_windows: bool, widest_window: str = ""
) -> str:
    """The picture of a tree. `heading` is its title, `description` is for who cannot see it."""
    nodes, canvas = list(root.subtree()), SvgCanvas(Style.of(tree_rules, theme))

    def measure(words: str) -> float:
        return text_width(words, 1)

    half = max(half_width(node, measure, FILE.shape) for node in nodes if node.layer) if root.layer else 0.0
    room = text_width(widest_window, SMALL)
    wide = place(root, measure, FILE, room, half) * SIZE
    legend = _legend(nodes, has_windows)
    legend_width = sum(SAMPLE * bool(sign) + text_width(words, SMALL * SIZE) + SPACE for sign, words in legend) - SPACE
    width = round(max(wide, text_width(heading, TITLE), legend_width) + 2 * MARGIN)
    top = MARGIN + TITLE + 8
    depth, note = max(node.level for node in nodes), any(node.note for node in nodes)
    height = round(top + depth * FILE.row + (FILE.label + FILE.shape + 0.8 * note) * SIZE + FOOT)
    canvas.element("rect", "paper", {"width": "100%", "height": "100%"})
    canvas.text(heading, (width / 2, MARGIN + TITLE * 0.44), TITLE, "title", is_bold=True)
    draw_tree(canvas, root, FILE, (width - wide) / 2, top)
    with canvas.group("legend"):
        _draw_legend(canvas, legend, (width - legend_width) / 2, height - MARGIN + 2)
    return canvas.picture(width, height, "tree", heading, description)


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


def _legend(nodes: list[TreeNode], has_windows: bool) -> list[tuple[str, str]]:
    """The signs that this picture contains (layers, a line, a bar; "" for none), and what they mean."""
    layers = {node.layer for node in nodes}
    legend = [(layer.value, layer.name) for layer in Layer if layer in layers]
    legend += [("line", "principal line")] if any(node.is_on_line for node in nodes[1:]) else []
    legend += [("unseen", "never seen")] if not all(node.is_seen for node in nodes) else []
    return legend + ([("", "(alpha, beta)")] if layers != {None} and has_windows else [])


def _draw_legend(canvas: SvgCanvas, legend: list[tuple[str, str]], x: float, y: float) -> None:
    """Draws the legend, which begins at (x, y)."""
    for sign, words in legend:
        if sign in ("line", "unseen"):
            with canvas.group(f"branch {sign}"):
                canvas.branch([(x + 2, y), (x + 18, y)], 2.6 if sign == "line" else 1.2)
                if sign == "unseen":
                    canvas.branch([(x + 10, y - 6), (x + 10, y + 6)], 2.4, "struck first")
        elif sign:
            with canvas.group(sign):
                canvas.shape(Layer(sign), Box(x + 2, y - 6.5, 16, 13), 1.4)
        x += SAMPLE if sign else 0.0
        canvas.text(words, (x, y), SMALL * SIZE, "sign", 0.0)
        x += text_width(words, SMALL * SIZE) + SPACE
