"""A canvas that writes SVG: each call is an element with classes, by which a script finds it. Lengths are pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from math import cos, pi, sin

from pacman.core.tree import Layer
from pacman.picture.colours import Parts, as_text, attributes, part_of
from pacman.picture.screen_regions import Box

Point = tuple[float, float]
FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
DIGIT_WIDTH = 0.58
"""The width of a digit in the fonts above, as a part of the font size."""
ANCHORS = {0.0: "start", 0.5: "middle", 1.0: "end"}
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LETTER_WIDTHS = dict.fromkeys(" ()[]/iljtfr.,:;'|", 0.55) | dict.fromkeys("mwMW@", 1.55)


def text_width(words: str, size: float) -> float:
    """The room that words need: an estimate, a little too large, because the font of the reader is not known."""
    letters = (_LETTER_WIDTHS.get(c, 1.8 if c > "\u2fff" else 1.25 if c.isupper() else 1.0) for c in words)
    return size * DIGIT_WIDTH * sum(letters)


def escape_xml(words: str) -> str:
    """Words as XML text; U+FFFD replaces each character that is not allowed in an XML file."""
    return escape(_NOT_XML.sub("\ufffd", words))


def pixels(length: float) -> str:
    """A length in pixels with at most one decimal.

    >>> pixels(12.04), pixels(-0.04), pixels(7.25)
    ('12', '0', '7.2')
    """
    return f"{round(length, 1) + 0.0:.1f}".removesuffix(".0")


def pair(x: float, y: float) -> str:
    """Two lengths in pixels, as short as the data of a path allows.

    >>> pair(3, 4), pair(3, -4.25)
    ('3 4', '3-4.2')
    """
    first, second = pixels(x), pixels(y)
    return first + second if second.startswith("-") else f"{first} {second}"


def move(x: float, y: float) -> str:
    """The attribute that moves an element to (x, y)."""
    return f'transform="translate({pixels(x)} {pixels(y)})"'


class SvgCanvas:
    """Collects elements. `parts` has the colours of each part; without it, the style of a page colours the picture.

    An element has only those attributes that differ from what its groups say.
    """

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.elements: list[str] = []
        self._inherited: dict[str, str] = {}

    def measure(self, words: str, size: float) -> float:
        """The room that words need."""
        return text_width(words, size)

    @contextmanager
    def group(
        self, kind: str, part: str = "", *, node: int | None = None, size: float = 0, width: float = 0
    ) -> Iterator[None]:
        """A group of this class, with the number of a node, the size of its text and the width of its lines."""
        around = self._inherited
        middle = {"font-size": pixels(size), "text-anchor": "middle"} if size else {}
        own = {**middle, **({"stroke-width": pixels(width)} if width else {}), **self._colours(part)}
        number = "" if node is None else f' data-node="{node}"'
        self.elements.append(f'<g class="{kind}"{number}{self._attributes(own)}>')
        self._inherited = around | own
        yield
        self._inherited = around
        self.elements.append("</g>\n")

    def _colours(self, part: str) -> dict[str, str]:
        return {name: as_text(value) for name, value in self.parts.get(part, {}).items()}

    def _attributes(self, values: dict[str, str]) -> str:
        return "".join(f' {name}="{value}"' for name, value in values.items() if self._inherited.get(name) != value)

    def rectangle(self, width: str, height: str, part: str, kind: str, radius: float = 0) -> None:
        """A rectangle at the top left."""
        corners = f' rx="{pixels(radius)}"' if radius else ""
        size = f'width="{width}" height="{height}"'
        self.elements.append(f'<rect class="{kind}" {size}{corners}{self._attributes(self._colours(part))}/>')

    def shape(
        self,
        layer: Layer | None,
        box: Box,
        part: str,
        width: float = 0,
        is_dashed: bool = False,
        is_current: bool = False,
    ) -> None:
        """A MAX, MIN or CHANCE node in a box of pixels, or a leaf, which is a box itself."""
        x, y, across, height = box
        line = {"stroke-width": pixels(width)} if width else {}
        own = self._attributes({**line, **self._colours(part)}) + (' stroke-dasharray="4 3"' if is_dashed else "")
        if layer is None:
            size = f'x="{pixels(x)}" y="{pixels(y)}" width="{pixels(across)}" height="{pixels(height)}"'
            self.elements.append(f'<rect class="shape" {size} rx="4"{own}/>')
        elif layer is Layer.CHANCE:
            rx, ry = pixels(across / 2), pixels(height / 2)
            place = f'cx="{pixels(x + across / 2)}" cy="{pixels(y + height / 2)}" rx="{rx}" ry="{ry}"'
            self.elements.append(f'<ellipse class="shape" {place}{own}/>')
        else:
            base, tip = (y + height, y) if layer is Layer.MAX else (y, y + height)
            corners = f"M{pair(x, base)}H{pixels(x + across)}L{pair(x + across / 2, tip)}Z"
            self.elements.append(f'<path class="shape" d="{corners}"{own}/>')

    def branch(self, points: Sequence[Point], width: float, part: str = "", kind: str = "") -> None:
        """A line through the points, of this part."""
        (x, y), *others = points
        steps = "".join(f"L{pair(*point)}" for point in others)
        own = self._attributes({"stroke-width": pixels(width), **self._colours(part)})
        classes = f' class="{kind}"' if kind else ""
        self.elements.append(f'<path{classes} d="M{pair(x, y)}{steps}"{own}/>')

    # ---- the shapes of an agent: an ink is the class of a part

    def _path(self, kind: str, data: str, width: float = 0) -> None:
        line = f' stroke-width="{pixels(width)}" stroke-linecap="round" stroke-linejoin="round"' if width else ""
        self.elements.append(f'<path class="{kind}" d="M{data}"{line}{attributes(self.parts, f".{kind}")}/>')

    def disc(self, x: float, y: float, radius: float, kind: str) -> None:
        """A disc, as a line without length and with round ends."""
        self._path(kind, f"{pair(x, y)}h0", 2 * radius)

    def ellipse(self, x: float, y: float, half_width: float, half_height: float, kind: str) -> None:
        """An ellipse with its centre at (x, y)."""
        arc = f"a{pair(half_width, half_height)} 0 1 0"
        self._path(kind, f"{pair(x - half_width, y)}{arc} {pixels(2 * half_width)} 0{arc} {pixels(-2 * half_width)} 0Z")

    def polygon(self, points: Sequence[Point], kind: str) -> None:
        """A polygon."""
        self._path(kind, f"{'L'.join(pair(*point) for point in points)}Z")

    def pie(self, x: float, y: float, radius: float, begin: float, end: float, kind: str) -> None:
        """The sector of a disc between two angles, in degrees, counterclockwise from East."""
        start, stop = ((radius * cos(a * pi / 180) + x, y - radius * sin(a * pi / 180)) for a in (begin, end))
        arc = f"A{pixels(radius)} {pixels(radius)} 0 {int(end - begin > 180)} 0 {pair(*stop)}"
        self._path(kind, f"{pair(x, y)}L{pair(*start)}{arc}Z")

    def line(self, points: Sequence[Point], width: float, kind: str) -> None:
        """A line through the points, with round joins and ends."""
        self._path(kind, "L".join(pair(*point) for point in points), width)

    def taken(self) -> str:
        """The elements so far, which are then forgotten."""
        elements, self.elements = "".join(self.elements), []
        return elements

    # ---- words

    def text(
        self, words: str, at: Point, size: float, kind: str, anchor: float = 0.5, part: str = "", is_bold: bool = False
    ) -> None:
        """Words on one line with this class; `anchor` says which point of them is at `at`, half way up.

        `part` is the part whose colour they have, unless it is that of the class.
        """
        font = {"font-size": pixels(size), "text-anchor": ANCHORS[anchor]}
        own = self._attributes({**font, **self._colours(part or part_of(kind))})
        own += ' font-weight="bold"' if is_bold else ""
        place = f'x="{round(at[0])}" y="{round(at[1] + 0.36 * size)}"'
        self.elements.append(f'<text class="{kind}" {place}{own}>{escape_xml(words)}</text>')

    def picture(self, width: float, height: float, kind: str, title: str, description: str) -> str:
        """The text of the file: a picture of this kind (its class), with its title and a description in words."""
        head = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" width="{width:.0f}" height="{height:.0f}"'
            f' viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="{FONT}">',
            f"<title>{escape_xml(title)}</title>",
            f"<desc>{escape_xml(description)}</desc>",
        ]
        return "\n".join([*head, "".join(self.elements) + "</svg>", ""])
