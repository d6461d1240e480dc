"""A searched game tree as a picture (SVG): what the search found, in which windows, and what it never saw.

MAX is an up-triangle, MIN a down-triangle, CHANCE a circle, a leaf a box with its utility.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import inf, isinf

from pacman.layers import Layer
from pacman.outline import Outline, number
from pacman.search.algorithms import Found
from pacman.trace import CUTS, Visit, Why

# Lengths in pixels. A digit is EM of its size wide in the fonts below.
FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
EM = 0.58
TITLE, VALUE, WORD, SMALL = 17.0, 15.0, 13.0, 12.0
TALL, LEAF_TALL, BRANCH, MARGIN, APART = 46.0, 26.0, 78.0, 24.0, 14.0
NAMED, STRUCK = 0.6, 0.36  # where on a branch its label and its bar stand, from the parent (0) to the child (1)

PAPER, INK, QUIET, PALE, PALE_WORD = "#ffffff", "#1f2a37", "#5b6776", "#cdd4dc", "#9aa4b0"
BAR, PALE_BAR = "#b3261e", "#e6bcb9"
FILLS = {Layer.MAX: ("#dbe8f6", "#2563a8"), Layer.MIN: ("#fbe3d6", "#b9541d"), Layer.CHANCE: ("#e2efdc", "#4a7f36")}
LEAF = "#ffffff", "#5b6776"
UNSEEN = "#fafbfc", PALE


def svg(tree: Outline, found: Found, bounds: tuple[float, float] | None = None) -> str:
    """The text of an SVG file: `tree` to the depth that was looked at, and what the search made of it.

    `found` must be what `find` returned for this tree; `bounds` are [L, U], if they were given. An inner node holds
    its value, with <= or >= where the search learnt no more than that, and beside it the window in which it was
    entered (the first time, when it was probed, and the last) and why it was left early. A node that was never
    entered is pale and its branch is struck through; the principal line is thick. The same in gives the same bytes.

    >>> from pacman.search.algorithms import find
    >>> tree = Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 2\\n    y: 100")
    >>> picture = svg(tree, find("alphabeta", tree, plies=2))
    >>> picture.startswith("<svg"), picture.count('class="struck"')
    (True, 1)
    """
    spots = _placed(tree, found)
    everyone = list(spots.everyone())
    half = max([TALL * 0.58, *(_half(spot.value) for spot in everyone if spot.node.branches)])
    gap = _gap(spots, half)
    heading = _heading(tree, found, bounds, len(everyone))
    legend = _legend(everyone, found)
    left = min(spot.x * gap - spot.left(half) for spot in everyone)
    right = max(spot.x * gap + spot.right(half) for spot in everyone)
    width = max(right - left, _wide(heading, TITLE), _legend_width(legend)) + 2 * MARGIN
    top = MARGIN + TITLE + 26
    depth = max(spot.depth for spot in everyone)
    below = max(spot.tall for spot in everyone if spot.depth == depth)
    foot = top + depth * (TALL + BRANCH) + below + 44
    height = foot + MARGIN - 6
    shift = (width - (right - left)) / 2 - left

    def at(spot: _Spot) -> tuple[float, float]:
        """The middle of a node's top."""
        return spot.x * gap + shift, top + spot.depth * (TALL + BRANCH)

    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="{FONT}">',
        f"<title>{_escaped(heading)}</title>",
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        _text(width / 2, MARGIN + TITLE * 0.8, heading, TITLE, INK, bold=True),
    ]
    for spot in sorted(everyone, key=lambda spot: (spot.on_line, spot.is_seen)):
        body += (line for child in spot.children for line in _branch(at(spot), at(child), spot, child))
    for spot in everyone:
        body += _labels(at(spot), spot, half)
        body += _node(*at(spot), spot, half)
    body += _drawn_legend((width - _legend_width(legend)) / 2, foot, legend)
    return "\n".join([*body, "</svg>", ""])


# ---- what is where


@dataclass
class _Spot:
    """A node of the tree, its place (`x` in leaves from the left, `depth` in rows), and what the search knows of it."""

    node: Outline
    depth: int
    visits: list[Visit]
    on_line: bool
    action: str = ""
    probability: str = ""
    x: float = 0.0
    known: tuple[float, float] = (-inf, inf)
    """The least and the greatest value that it can have, as far as the search knows."""
    children: list[_Spot] = field(default_factory=list)

    def everyone(self) -> Iterator[_Spot]:
        yield self
        for child in self.children:
            yield from child.everyone()

    @property
    def is_seen(self) -> bool:
        return bool(self.visits)

    @property
    def value(self) -> str:
        low, high = self.known
        if low == high:
            return _number(low)
        if isinf(low):
            return "" if isinf(high) else f"≤{_number(high)}"
        return f"≥{_number(low)}"

    @property
    def tall(self) -> float:
        return TALL if self.node.branches else LEAF_TALL

    @property
    def label(self) -> str:
        """What stands on the branch above the node."""
        return f"{self.action} {self.probability}" if self.probability else self.action

    def left(self, half: float) -> float:
        """How far the node and its words reach to the left of its middle."""
        named = _wide(self.node.name, SMALL) + 4 if self.node.name else 0.0
        return (half if self.node.branches else _box(self)) + named

    def right(self, half: float) -> float:
        words = max((_wide(word, SMALL) for word, _ in self.beside()), default=-6.0)
        return half + 6 + words if self.node.branches else _box(self)

    def beside(self) -> list[tuple[str, bool]]:
        """The lines to the right of an inner node: windows, and why it was left. True: that cut something off."""
        entries = [visit for visit in self.visits if visit.why is not Why.KNOWN] if self.node.branches else []
        lines: list[tuple[str, bool]] = []
        for window, why in dict.fromkeys((_window(visit), visit.why) for visit in [*entries[:1], *entries[-1:]]):
            lines.append((window, False))
            if why is not Why.VALUE:
                lines.append(("horizon" if why is Why.LEAF else why.value, why in CUTS))
        return lines


def _window(visit: Visit) -> str:
    return f"({_number(visit.alpha)}, {_number(visit.beta)})"


def _placed(tree: Outline, found: Found) -> _Spot:
    """The nodes to the depth that was looked at: leaves one apart, every parent midway between its outer children."""
    trace = found.trace
    entries: dict[int, list[Visit]] = {}
    for visit in trace.visits:
        entries.setdefault(visit.number, []).append(visit)
    plies = trace.visits[0].plies
    leaves = 0

    def place(node: Outline, depth: int, number: int | None, on_line: bool) -> _Spot:
        nonlocal leaves
        spot = _Spot(node, depth, entries.get(number, []) if number is not None else [], on_line)
        for index, (action, branch) in enumerate(node.branches if depth < plies else ()):
            follows = on_line and found.line[depth : depth + 1] == (action,)
            below = None if number is None else trace.number(number, action)
            child = place(branch, depth + 1, below, follows)
            child.action = action
            child.probability = str(node.probabilities[index]) if node.probabilities else ""
            spot.children.append(child)
        if spot.children:
            spot.x = (spot.children[0].x + spot.children[-1].x) / 2
        else:
            spot.x, leaves = leaves, leaves + 1
        spot.known = _known(spot)
        return spot

    return place(tree, 0, 0, True)


def _known(spot: _Spot) -> tuple[float, float]:
    """The bounds of a node's value, from its entries and from what is known of its children.

    A fail-soft value inside the window is exact; at or outside an end it is a bound, unless all below is exact.
    """
    if not spot.node.branches:
        assert spot.node.utility is not None
        return spot.node.utility, spot.node.utility
    searched = [visit for visit in spot.visits if visit.value is not None and visit.why is not Why.KNOWN]
    if searched:
        visit = searched[-1]
        assert visit.value is not None
        settled = visit.why is Why.LEAF or (
            visit.why is Why.VALUE and all(low == high for low, high in (child.known for child in spot.children))
        )
        if settled or visit.alpha < visit.value < visit.beta:
            return visit.value, visit.value
        return (-inf, visit.value) if visit.value <= visit.alpha else (visit.value, inf)
    seen = [child.known for child in spot.children if child.is_seen]
    if seen and spot.node.layer is Layer.MIN:  # only probed: the moves asked for bound it from one side
        return -inf, min(high for _, high in seen)
    if seen and spot.node.layer is Layer.MAX:
        return max(low for low, _ in seen), inf
    return -inf, inf


def _gap(root: _Spot, half: float) -> float:
    """The pixels from leaf to leaf: the fewest with which no two neighbours in a row touch, nor their labels."""
    rows: dict[int, list[_Spot]] = {}
    for spot in root.everyone():
        rows.setdefault(spot.depth, []).append(spot)
    gap = 2 * LEAF_TALL
    for row in rows.values():
        for one, next_one in pairwise(row):
            gap = max(gap, (one.right(half) + APART + next_one.left(half)) / (next_one.x - one.x))
    for spot in root.everyone():
        for one, next_one in pairwise(spot.children):
            words = (_wide(one.label, WORD) + _wide(next_one.label, WORD)) / 2 + APART / 2
            gap = max(gap, words / NAMED / (next_one.x - one.x))
    return gap


# ---- words


def _heading(tree: Outline, found: Found, bounds: tuple[float, float] | None, drawn: int) -> str:
    """Says what was run and what it took, as `solve` counts."""
    took = found.statistics
    within = f" with bounds [{_number(bounds[0])}, {_number(bounds[1])}]" if bounds else ""
    choice = f" by {found.action}" if found.action else ""
    leaves = f"{took.leaves} {'leaf' if took.leaves == 1 else 'leaves'}"
    return f"{found.algorithm}{within}: {_number(found.value)}{choice}, {took.nodes} of {drawn} nodes, {leaves}"


def _number(value: float) -> str:
    """A number to four figures, or two decimals if those are more; whole ones in full; with a true minus sign.

    >>> _number(-1234.567), _number(13 / 3), _number(float("inf"))
    ('−1234.57', '4.333', '∞')
    """
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    if abs(value) < 1e-9:  # a window's end that rounding moved off 0
        return "0"
    if not 10 <= abs(value) < 1e9:
        value = float(f"{value:.4g}")
    return number(round(value, 2) if abs(value) >= 10 else value).replace("-", "−")


def _wide(words: str, size: float) -> float:
    """The room that words need: the fonts are not at hand here, so a little more than they will take."""
    return size * EM * sum(_EMS.get(c, 1.8 if c > "\u2fff" else 1.25 if c.isupper() else 1.0) for c in words)


_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_EMS = dict.fromkeys(" ()[]/iljtfr.,:;'|", 0.55) | dict.fromkeys("mwMW@", 1.55)


def _half(value: str) -> float:
    """Half the width of a triangle that holds this value, in small type, where it is two thirds wide."""
    return (_wide(value, SMALL) / 2 + 3) * 3 / 2


def _size(value: str, half: float) -> float:
    """The largest type, up to VALUE, in which a value has room inside a shape of that half width."""
    return min(VALUE, (half * 2 / 3 - 3) * 2 / max(_wide(value, 1), 1))


def _box(spot: _Spot) -> float:
    """Half the width of a leaf's box."""
    return max(17.0, _wide(spot.value, VALUE) / 2 + 7)


def _escaped(words: str) -> str:
    """Words as XML text; a character that no XML file may hold becomes a replacement mark."""
    return escape(_NOT_XML.sub("\ufffd", words))


# ---- shapes


def _text(x: float, y: float, words: str, size: float, colour: str, anchor: str = "middle", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"{weight}>'
        f"{_escaped(words)}</text>"
    )


def _shape(layer: Layer, x: float, y: float, half: float, tall: float, style: str) -> str:
    """A MAX, MIN or CHANCE node whose top's middle is (x, y)."""
    if layer is Layer.CHANCE:
        wide = max(tall / 2, half * 0.8)
        return f'<ellipse cx="{x:.1f}" cy="{y + tall / 2:.1f}" rx="{wide:.1f}" ry="{tall / 2:.1f}" {style}/>'
    up, down = (y + tall, y) if layer is Layer.MAX else (y, y + tall)
    return f'<polygon points="{x - half:.1f},{up:.1f} {x + half:.1f},{up:.1f} {x:.1f},{down:.1f}" {style}/>'


def _style(fill: str, stroke: str, wide: float) -> str:
    return f'fill="{fill}" stroke="{stroke}" stroke-width="{wide:g}" stroke-linejoin="round"'


def _node(x: float, y: float, spot: _Spot, half: float) -> Iterator[str]:
    inner = bool(spot.node.branches)
    fill, stroke = UNSEEN if not spot.is_seen else FILLS[spot.node.layer] if inner else LEAF
    style = _style(fill, stroke, 2.6 if spot.on_line else 1.6)
    word = INK if spot.is_seen else PALE_WORD
    if not inner:
        wide = _box(spot)
        yield f'<rect x="{x - wide:.1f}" y="{y:.1f}" width="{2 * wide:.1f}" height="{LEAF_TALL:g}" rx="4" {style}/>'
        yield _text(x, y + LEAF_TALL / 2 + VALUE * 0.36, spot.value, VALUE, word)
        return
    yield _shape(spot.node.layer, x, y, half, TALL, style)
    low = {Layer.MAX: 0.82, Layer.MIN: 0.42, Layer.CHANCE: 0.5 + VALUE * 0.36 / TALL}[spot.node.layer]
    if spot.value:
        yield _text(x, y + TALL * low, spot.value, round(_size(spot.value, half), 1), word, bold=True)


def _labels(place: tuple[float, float], spot: _Spot, half: float) -> Iterator[str]:
    """The name to the left of a node; its windows, and why it was left early, to the right."""
    x, y = place
    middle = y + spot.tall / 2
    if spot.node.name:
        edge = half if spot.node.branches else _box(spot)
        yield _text(x - edge - 4, middle + SMALL * 0.36, spot.node.name, SMALL, QUIET, "end")
    lines = spot.beside()
    line_y = middle - (len(lines) - 1) * (SMALL + 2) / 2 + SMALL * 0.36
    for words, is_cut in lines:
        yield _text(x + half + 6, line_y, words, SMALL, BAR if is_cut else QUIET, "start")
        line_y += SMALL + 2


def _branch(start: tuple[float, float], end: tuple[float, float], parent: _Spot, spot: _Spot) -> Iterator[str]:
    """The line from a parent's foot to a child's top, its action and probability, and the bar of one never followed."""
    (x, y), (to_x, to_y) = (start[0], start[1] + parent.tall), end
    colour, wide = (INK, 4.0) if spot.on_line else (QUIET, 1.4) if spot.is_seen else (PALE, 1.4)
    yield _line(x, y, to_x, to_y, colour, wide)
    if not spot.is_seen:
        yield _bar(x, y, to_x, to_y, BAR if parent.is_seen else PALE_BAR)  # red where the search turned away
    at_x, at_y = x + (to_x - x) * NAMED, y + (to_y - y) * NAMED
    wide = _wide(spot.label, WORD) + 4
    yield f'<rect x="{at_x - wide / 2:.1f}" y="{at_y - 9:.1f}" width="{wide:.1f}" height="18" rx="4" fill="{PAPER}"/>'
    yield _text(at_x, at_y + WORD * 0.36, spot.label, WORD, INK if spot.is_seen else PALE_WORD, bold=spot.on_line)


def _line(x: float, y: float, to_x: float, to_y: float, colour: str, wide: float, mark: str = "") -> str:
    return (
        f'<line{mark} x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}"'
        f' stroke-width="{wide:g}" stroke-linecap="round"/>'
    )


def _bar(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    """A short bar across a branch."""
    long = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    across, down = (to_y - y) / long * 6.5, -(to_x - x) / long * 6.5
    at_x, at_y = x + (to_x - x) * STRUCK, y + (to_y - y) * STRUCK
    return _line(at_x - across, at_y - down, at_x + across, at_y + down, colour, 2.6, ' class="struck"')


# ---- the legend

SWATCH, SPACE = 26.0, 20.0


@dataclass(frozen=True)
class _Meaning:
    """A mark that the picture uses and what it means; `mark` is a layer, or a kind of line."""

    mark: Layer | str
    words: str

    @property
    def wide(self) -> float:
        return (SWATCH if self.mark else 0.0) + _wide(self.words, SMALL)


def _legend(everyone: list[_Spot], found: Found) -> list[_Meaning]:
    """What the picture uses, and only that."""
    present = {spot.node.layer for spot in everyone if spot.node.branches}
    legend = [_Meaning(layer, layer.name) for layer in Layer if layer in present]
    if found.line:
        legend.append(_Meaning("line", "principal line"))
    if not all(spot.is_seen for spot in everyone):
        legend.append(_Meaning("bar", "never seen"))
    if present:
        legend.append(_Meaning("", "(alpha, beta)"))
    return legend


def _legend_width(legend: list[_Meaning]) -> float:
    return sum(meaning.wide for meaning in legend) + SPACE * (len(legend) - 1)


def _drawn_legend(x: float, y: float, legend: list[_Meaning]) -> Iterator[str]:
    for meaning in legend:
        if isinstance(meaning.mark, Layer):
            yield _shape(meaning.mark, x + 10, y - 11, 8, 13, _style(*FILLS[meaning.mark], 1.4))
        elif meaning.mark == "line":
            yield _line(x + 2, y - 4, x + 18, y - 4, INK, 4)
        elif meaning.mark == "bar":
            yield _line(x + 2, y - 4, x + 18, y - 4, PALE, 1.4)
            yield _line(x + 10, y - 10, x + 10, y + 2, BAR, 2.6)
        yield _text(x + meaning.wide - _wide(meaning.words, SMALL), y, meaning.words, SMALL, QUIET, "start")
        x += meaning.wide + SPACE
