"""The elements of an SVG picture as text: words, lines, and the shapes of nodes. Lengths are pixels."""

from __future__ import annotations

import re
from html import escape

from pacman.core.layers import Layer

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
DIGIT_WIDTH = 0.58
"""The width of a digit in the fonts above, as a part of the font size."""
PAPER, INK, MUTED, PALE, PALE_TEXT = "#ffffff", "#1f2a37", "#5b6776", "#cdd4dc", "#9aa4b0"
BAR, PALE_BAR = "#b3261e", "#e6bcb9"
FILLS = {Layer.MAX: ("#dbe8f6", "#2563a8"), Layer.MIN: ("#fbe3d6", "#b9541d"), Layer.CHANCE: ("#e2efdc", "#4a7f36")}
LEAF = "#ffffff", "#5b6776"
UNSEEN = "#fafbfc", PALE
"""(fill, stroke) of a leaf, and of any node that the search did not enter."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LETTER_WIDTHS = dict.fromkeys(" ()[]/iljtfr.,:;'|", 0.55) | dict.fromkeys("mwMW@", 1.55)


def text_width(words: str, size: float) -> float:
    """The room that words need: an estimate, a little too large, because the font of the reader is not known."""
    letters = (_LETTER_WIDTHS.get(c, 1.8 if c > "\u2fff" else 1.25 if c.isupper() else 1.0) for c in words)
    return size * DIGIT_WIDTH * sum(letters)


def opening(width: float, height: float, title: str, description: str = "") -> list[str]:
    """The first lines of a picture: its size, its title, and a description for readers who cannot see it."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="{FONT}">',
        f"<title>{escape_xml(title)}</title>",
        *([f"<desc>{escape_xml(description)}</desc>"] if description else []),
    ]


def escape_xml(words: str) -> str:
    """Words as XML text; U+FFFD replaces each character that is not allowed in an XML file."""
    return escape(_NOT_XML.sub("\ufffd", words))


def text(x: float, y: float, words: str, size: float, colour: str, anchor: str = "middle", bold: bool = False) -> str:
    """Words on one line; `anchor` says which part of them is at x: "start", "middle" or "end". y is the base line."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"{weight}>'
        f"{escape_xml(words)}</text>"
    )


def shape(layer: Layer, x: float, y: float, half: float, height: float, style: str) -> str:
    """A MAX, MIN or CHANCE node; (x, y) is the middle of its top, `half` is half its width."""
    if layer is Layer.CHANCE:
        radius = max(height / 2, half * 0.8)
        return f'<ellipse cx="{x:.1f}" cy="{y + height / 2:.1f}" rx="{radius:.1f}" ry="{height / 2:.1f}" {style}/>'
    base, tip = (y + height, y) if layer is Layer.MAX else (y, y + height)
    return f'<polygon points="{x - half:.1f},{base:.1f} {x + half:.1f},{base:.1f} {x:.1f},{tip:.1f}" {style}/>'


def box(x: float, y: float, half: float, height: float, style: str) -> str:
    """A box; (x, y) is the middle of its top, `half` is half its width."""
    return f'<rect x="{x - half:.1f}" y="{y:.1f}" width="{2 * half:.1f}" height="{height:g}" rx="4" {style}/>'


def style(fill: str, stroke: str, thickness: float) -> str:
    """The attributes of a shape with these two colours and a border of this thickness."""
    return f'fill="{fill}" stroke="{stroke}" stroke-width="{thickness:g}" stroke-linejoin="round"'


def line(x: float, y: float, to_x: float, to_y: float, colour: str, thickness: float, attributes: str = "") -> str:
    """A line from (x, y) to (to_x, to_y); `attributes` are further XML attributes, each after a space."""
    return (
        f'<line{attributes} x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}"'
        f' stroke-width="{thickness:g}" stroke-linecap="round"/>'
    )


def bar(x: float, y: float, to_x: float, to_y: float, part: float, colour: str) -> str:
    """A short bar across the branch from (x, y) to (to_x, to_y), at `part` of its length."""
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    across, down = (to_y - y) / length * 6.5, -(to_x - x) / length * 6.5
    bar_x, bar_y = x + (to_x - x) * part, y + (to_y - y) * part
    return line(bar_x - across, bar_y - down, bar_x + across, bar_y + down, colour, 2.6, ' class="struck"')
