"""The marks of an SVG picture as text: words, lines, and the shapes of nodes. Lengths are pixels."""

from __future__ import annotations

import re
from html import escape

from pacman.core.layers import Layer

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
EM = 0.58
"""A digit is so much of its size wide in the fonts above."""
PAPER, INK, QUIET, PALE, PALE_WORD = "#ffffff", "#1f2a37", "#5b6776", "#cdd4dc", "#9aa4b0"
BAR, PALE_BAR = "#b3261e", "#e6bcb9"
FILLS = {Layer.MAX: ("#dbe8f6", "#2563a8"), Layer.MIN: ("#fbe3d6", "#b9541d"), Layer.CHANCE: ("#e2efdc", "#4a7f36")}
LEAF = "#ffffff", "#5b6776"
UNSEEN = "#fafbfc", PALE
"""(fill, stroke) of a leaf, and of any node that was never entered."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_EMS = dict.fromkeys(" ()[]/iljtfr.,:;'|", 0.55) | dict.fromkeys("mwMW@", 1.55)


def wide(words: str, size: float) -> float:
    """The room that words need: the fonts are not at hand here, so a little more than they will take."""
    return size * EM * sum(_EMS.get(c, 1.8 if c > "\u2fff" else 1.25 if c.isupper() else 1.0) for c in words)


def opening(width: float, height: float, title: str, words: str = "") -> list[str]:
    """The first lines of a picture: its size, its title, and what it shows in `words`."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="{FONT}">',
        f"<title>{escaped(title)}</title>",
        *([f"<desc>{escaped(words)}</desc>"] if words else []),
    ]


def escaped(words: str) -> str:
    """Words as XML text; a character that no XML file may hold becomes a replacement mark."""
    return escape(_NOT_XML.sub("\ufffd", words))


def text(x: float, y: float, words: str, size: float, colour: str, anchor: str = "middle", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"{weight}>'
        f"{escaped(words)}</text>"
    )


def shape(layer: Layer, x: float, y: float, half: float, tall: float, style: str) -> str:
    """A MAX, MIN or CHANCE node whose top's middle is (x, y)."""
    if layer is Layer.CHANCE:
        across = max(tall / 2, half * 0.8)
        return f'<ellipse cx="{x:.1f}" cy="{y + tall / 2:.1f}" rx="{across:.1f}" ry="{tall / 2:.1f}" {style}/>'
    up, down = (y + tall, y) if layer is Layer.MAX else (y, y + tall)
    return f'<polygon points="{x - half:.1f},{up:.1f} {x + half:.1f},{up:.1f} {x:.1f},{down:.1f}" {style}/>'


def box(x: float, y: float, half: float, tall: float, style: str) -> str:
    """A box whose top's middle is (x, y)."""
    return f'<rect x="{x - half:.1f}" y="{y:.1f}" width="{2 * half:.1f}" height="{tall:g}" rx="4" {style}/>'


def style(fill: str, stroke: str, thick: float) -> str:
    return f'fill="{fill}" stroke="{stroke}" stroke-width="{thick:g}" stroke-linejoin="round"'


def line(x: float, y: float, to_x: float, to_y: float, colour: str, thick: float, mark: str = "") -> str:
    return (
        f'<line{mark} x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}"'
        f' stroke-width="{thick:g}" stroke-linecap="round"/>'
    )


def bar(x: float, y: float, to_x: float, to_y: float, part: float, colour: str) -> str:
    """A short bar across a branch, `part` of the way down it."""
    long = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    across, down = (to_y - y) / long * 6.5, -(to_x - x) / long * 6.5
    at_x, at_y = x + (to_x - x) * part, y + (to_y - y) * part
    return line(at_x - across, at_y - down, at_x + across, at_y + down, colour, 2.6, ' class="struck"')
