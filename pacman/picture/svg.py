"""A canvas that writes SVG: each call is an element with classes, by which a script finds it. Lengths are pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from itertools import pairwise
from math import cos, pi, sin

from pacman.core.tree import Layer
from pacman.picture.canvas import Point
from pacman.picture.colours import Style, as_text
from pacman.picture.screen_regions import Box

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
DIGIT_WIDTH = 0.58
"""The width of a digit in the fonts above, as a part of the font size."""
ANCHORS = {0.0: "start", 0.5: "middle", 1.0: "end"}
GLOW_STEPS = 4
DASHED, BOLD, HIDDEN = ' stroke-dasharray="4 3"', ' font-weight="bold"', ' display="none"'
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LETTER_WIDTHS = dict.fromkeys(" ()[]/iljtfr.,:;'|", 0.55) | dict.fromkeys("mwMW@", 1.55)
_ROUND = {"stroke-linecap": "round", "stroke-linejoin": "round"}


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
    """The attribute that moves an element to (x, y), after a space."""
    return f' transform="translate({pixels(x)} {pixels(y)})"'


class SvgCanvas:
    """Collects elements. The `style` gives them their colours; if it has none, the style of a page colours the picture.

    An element has only those attributes that differ from what its groups say.
    """

    def __init__(self, style: Style) -> None:
        self.style = style
        self.elements: list[str] = []
        self._around: tuple[str, ...] = ()
        self._inherited: dict[str, str] = {}

    @contextmanager
    def group(
        self, kind: str, *, node: int | None = None, size: float = 0, width: float = 0, more: str = ""
    ) -> Iterator[None]:
        """A group with these classes, the number of a node, the size of its text and the width of its lines.

        `more` are attributes as text, each after a space.
        """
        around, inherited = self._around, self._inherited
        values = {"font-size": pixels(size), "text-anchor": "middle"} if size else {}
        values |= {"stroke-width": pixels(width)} if width else {}
        number = "" if node is None else f' data-node="{node}"'
        self.elements.append(f'<g class="{kind}"{number}{self.attributes(kind, values)}{more}>')
        own = {name: as_text(value) for name, value in self.style.own(*around, kind).items()}
        self._around, self._inherited = (*around, kind), inherited | values | own
        yield
        self._around, self._inherited = around, inherited
        self.elements.append("</g>\n")

    def attributes(self, kind: str, values: Mapping[str, float | str]) -> str:
        """These attributes of an element with these classes and those of its colours, each after a space."""
        texts = {name: value if isinstance(value, str) else pixels(value) for name, value in values.items()}
        texts |= {name: as_text(value) for name, value in self.style.own(*self._around, kind).items()}
        return "".join(f' {name}="{value}"' for name, value in texts.items() if self._inherited.get(name) != value)

    def element(self, tag: str, kind: str, values: Mapping[str, float | str], more: str = "") -> None:
        """An element with these classes and attributes; `more` are attributes as text, each after a space."""
        classes = f' class="{kind}"' if kind else ""
        self.elements.append(f"<{tag}{classes}{self.attributes(kind, values)}{more}/>")

    # ---- the parts of a tree

    def measure(self, words: str, size: float) -> float:
        """The room that words need."""
        return text_width(words, size)

    def shape(
        self, layer: Layer | None, box: Box, width: float = 0, is_dashed: bool = False, is_current: bool = False
    ) -> None:
        """A MAX, MIN or CHANCE node in a box of pixels, or a leaf, which is a box itself."""
        x, y, across, height = box
        values: dict[str, float | str] = {}
        if layer is None:
            tag, values = "rect", {"x": x, "y": y, "width": across, "height": height, "rx": 4}
        elif layer is Layer.CHANCE:
            tag, values = "ellipse", {"cx": x + across / 2, "cy": y + height / 2, "rx": across / 2, "ry": height / 2}
        else:
            base, tip = (y + height, y) if layer is Layer.MAX else (y, y + height)
            tag, values = "path", {"d": f"M{pair(x, base)}H{pixels(x + across)}L{pair(x + across / 2, tip)}Z"}
        self.element(tag, "shape", values | ({"stroke-width": width} if width else {}), DASHED if is_dashed else "")

    def branch(self, points: Sequence[Point], width: float, kind: str = "") -> None:
        """A line through the points."""
        self.element("path", kind, {"d": f"M{'L'.join(pair(*point) for point in points)}", "stroke-width": width})

    def text(self, words: str, at: Point, size: float, kind: str, anchor: float = 0.5, is_bold: bool = False) -> None:
        """Words on one line; `anchor` says which point of them is at `at`, half way up."""
        values = {"x": str(round(at[0])), "y": str(round(at[1] + 0.36 * size))}
        own = self.attributes(kind, {**values, "font-size": size, "text-anchor": ANCHORS[anchor]})
        self.elements.append(f'<text class="{kind}"{own}{BOLD if is_bold else ""}>{escape_xml(words)}</text>')

    # ---- the shapes of an agent: an ink is the class of a part

    def path(self, kind: str, data: str, width: float = 0) -> None:
        """A path; with a `width` it is a line with round joins and ends."""
        line: dict[str, float | str] = {"stroke-width": width, **_ROUND} if width else {}
        self.element("path", kind, {"d": f"M{data}", **line})

    def disc(self, x: float, y: float, radius: float, kind: str) -> None:
        """A disc, as a line without length and with round ends."""
        self.path(kind, f"{pair(x, y)}h0", 2 * radius)

    def ellipse(self, x: float, y: float, half_width: float, half_height: float, kind: str) -> None:
        """An ellipse with its centre at (x, y)."""
        arc = f"a{pair(half_width, half_height)} 0 1 0"
        self.path(kind, f"{pair(x - half_width, y)}{arc} {pixels(2 * half_width)} 0{arc} {pixels(-2 * half_width)} 0Z")

    def polygon(self, points: Sequence[Point], kind: str) -> None:
        """A polygon."""
        self.path(kind, f"{'L'.join(pair(*point) for point in points)}Z")

    def pie(self, x: float, y: float, radius: float, begin: float, end: float, kind: str) -> None:
        """The sector of a disc between two angles, in degrees, counterclockwise from East."""
        start, stop = ((radius * cos(a * pi / 180) + x, y - radius * sin(a * pi / 180)) for a in (begin, end))
        arc = f"A{pixels(radius)} {pixels(radius)} 0 {int(end - begin > 180)} 0 {pair(*stop)}"
        self.path(kind, f"{pair(x, y)}L{pair(*start)}{arc}Z")

    def line(self, points: Sequence[Point], width: float, kind: str) -> None:
        """A line through the points, with round joins and ends."""
        self.path(kind, "L".join(pair(*point) for point in points), width)

    def tubes(self, lines: Sequence[Sequence[Point]], width: float, kind: str, opacity: float = 1.0) -> None:
        """Lines along the axes as one shape; a closed one is filled."""
        data = ""
        for points in lines:
            steps = [(to_x - x, to_y - y) for (x, y), (to_x, to_y) in pairwise(points)]
            words = [f"h{pixels(across)}" if across else f"v{pixels(down)}" for across, down in steps]
            data += f"M{pair(*points[0])}{''.join([*words[:-1], 'z'] if words[1:] else words)}"
        more = {"opacity": f"{opacity:.2g}"} if opacity < 1 else {}
        self.element("path", kind, {"d": data, "stroke-width": width, **_ROUND, **more})

    def glow(self, lines: Sequence[Sequence[Point]], width: float, kind: str, blur: int, opacity: float) -> None:
        """Such lines in steps, each wider and fainter: a blur would need an id."""
        for step in range(GLOW_STEPS):
            self.tubes(lines, width + 1.2 * blur * (1 - step / GLOW_STEPS), kind, opacity / GLOW_STEPS)

    def picture(self, width: float, height: float, kind: str, title: str, description: str) -> str:
        """The text of the file: a picture of this kind (its class), with its title and a description in words."""
        head = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" width="{width:.0f}" height="{height:.0f}"'
            f' viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="{FONT}">',
            f"<title>{escape_xml(title)}</title>",
            f"<desc>{escape_xml(description)}</desc>",
        ]
        return "\n".join([*head, "".join(self.elements) + "</svg>", ""])
