"""The elements of an SVG picture as text: words, lines, and the shapes of nodes. Lengths are pixels."""

from __future__ import annotations

import re
from html import escape

from pacman.core.tree import Layer

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
BOLD = ' font-weight="bold"'
DIGIT_WIDTH = 0.58
"""The width of a digit in the fonts above, as a part of the font size."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LETTER_WIDTHS = dict.fromkeys(" ()[]/iljtfr.,:;'|", 0.55) | dict.fromkeys("mwMW@", 1.55)


def text_width(words: str, size: float) -> float:
    """The room that words need: an estimate, a little too large, because the font of the reader is not known."""
    letters = (_LETTER_WIDTHS.get(c, 1.8 if c > "\u2fff" else 1.25 if c.isupper() else 1.0) for c in words)
    return size * DIGIT_WIDTH * sum(letters)


def opening(width: float, height: float, kind: str, title: str, description: str) -> list[str]:
    """The first lines of a picture of this kind (its class): its size, its title, and a description in words."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="{FONT}">',
        f"<title>{escape_xml(title)}</title>",
        f"<desc>{escape_xml(description)}</desc>",
    ]


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


def text(x: float, y: float, words: str, kind: str, attributes: str = "") -> str:
    """Words on one line with the class `kind`; y is the base line. `attributes` are more, each after a space."""
    place = "".join(f' {name}="{pixels(value)}"' for name, value in (("x", x), ("y", y)) if value)
    return f'<text class="{kind}"{place}{attributes}>{escape_xml(words)}</text>'


def shape(layer: Layer, half: float, height: float, attributes: str) -> str:
    """A MAX, MIN or CHANCE node; the middle of its top is at (0, 0), `half` is half its width."""
    if layer is Layer.CHANCE:
        across = pixels(max(height / 2, half * 0.8))
        middle = pixels(height / 2)
        return f'<ellipse class="shape" cy="{middle}" rx="{across}" ry="{middle}"{attributes}/>'
    base, tip = (height, 0.0) if layer is Layer.MAX else (0.0, height)
    corners = f"M{pair(-half, base)}H{pixels(half)}L{pair(0, tip)}Z"
    return f'<path class="shape" d="{corners}"{attributes}/>'


def box(half: float, height: float, attributes: str) -> str:
    """A leaf; the middle of its top is at (0, 0), `half` is half its width."""
    size = f'x="{pixels(-half)}" width="{pixels(2 * half)}" height="{pixels(height)}"'
    return f'<rect class="shape" {size} rx="4"{attributes}/>'


def bar(x: float, y: float, to_x: float, to_y: float, part: float) -> str:
    """A short bar across the branch from (x, y) to (to_x, to_y), at `part` of its length; data of a path."""
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    across, down = (to_y - y) / length * 6.5, -(to_x - x) / length * 6.5
    bar_x, bar_y = x + (to_x - x) * part, y + (to_y - y) * part
    return f"M{pair(bar_x - across, bar_y - down)}l{pair(2 * across, 2 * down)}"
