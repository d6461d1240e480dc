"""Draws the rooms of the house with their lines: `python -m tests.rooms_picture` writes docs/rooms.svg."""

from __future__ import annotations

import re
from collections import Counter
from html import escape
from pathlib import Path

from tests.paths import ROOT
from tests.test_structure import MODULES, PURE, ROOMS, room

PICTURE = ROOT / "docs" / "rooms.svg"
LEFT, BAR, ROW, PER_LINE = 196, 20, 28, 0.062
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328 } .small { font-size: 11px } .note { fill: #59636e }
rect { stroke: #ffffff; stroke-width: 2 } .pure { fill: #9fd8c8 } .effects { fill: #b9cdf0 }
.student { fill: #f3c2b0 } .box { fill: #ffffff; stroke: none }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .note { fill: #9198a1 } rect { stroke: #0d1117 } .box { fill: #0d1117 }
.pure { fill: #1f6f5c } .effects { fill: #2f4f86 } .student { fill: #8a4630 } }
"""


def lines_by_part() -> dict[str, Counter[str]]:
    """Room -> its packages (the last part of the name; "" for the room itself) -> lines of Python."""
    found: dict[str, Counter[str]] = {name: Counter() for name in ROOMS}
    for module, path in MODULES.items():
        if name := room(module):
            inside = module.removeprefix(name).split(".")[1:]
            is_package = len(inside) > 1 or path.name == "__init__.py"
            part = inside[0] if inside and is_package else ""
            found[name][part] += path.read_text(encoding="utf-8").count("\n")
    return found


def hundreds(lines: int) -> str:
    """A number of lines, rounded to hundreds, so that the picture stays true for a while."""
    return f"{max(1, round(lines / 100)) * 100:,}"


def picture() -> str:
    """The picture as SVG: a row for each room, from the top down as they import, and a piece for each package."""
    rows = lines_by_part()
    width = LEFT + round(max(parts.total() for parts in rows.values()) * PER_LINE) + 80
    height = ROW * (len(rows) + 2) + 18
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img" '
        'aria-label="The rooms and their lines of Python">',
        f"<style>{STYLE}</style>",
        f'<rect class="box" width="{width}" height="{height}"/>',
        '<text x="12" y="20" class="note small">a room imports only from rooms above it</text>',
    ]
    for index, (name, parts) in enumerate(rows.items(), 1):
        y, x = index * ROW + 4, float(LEFT)
        colour = "pure" if name in PURE else "student" if name.endswith("student_process") else "effects"
        out.append(f'<text x="12" y="{y + 15}">{name.replace(".", "/")}</text>')
        for part, lines in sorted(parts.items()):
            wide = lines * PER_LINE
            title = f"{name.replace('.', '/')}{f'/{part}' if part else ''}: {hundreds(lines)} lines"
            piece = f'<rect class="{colour}" x="{x:.0f}" y="{y}" width="{wide:.0f}" height="{BAR}"/>'
            out.append(f"<g><title>{escape(title)}</title>{piece}")
            if part and wide > 6.2 * len(part) + 6:
                out.append(f'<text class="small" x="{x + 5:.0f}" y="{y + 14}">{part}</text>')
            out.append("</g>")
            x += wide
        out.append(f'<text class="note" x="{x + 6:.0f}" y="{y + 15}">{hundreds(parts.total())}</text>')
    y = (len(rows) + 1) * ROW + 8
    legend = (("pure", "pure"), ("effects", "clock, screen, files, processes"), ("student", "the student's process"))
    x = float(LEFT)
    for colour, text in legend:
        out.append(f'<rect class="{colour}" x="{x:.0f}" y="{y}" width="16" height="16"/>')
        out.append(f'<text class="small" x="{x + 22:.0f}" y="{y + 12}">{escape(text)}</text>')
        x += 40 + 6.4 * len(text)
    total = sum(parts.total() for parts in rows.values())
    out.append(f'<text class="note" x="12" y="{y + 13}">together {hundreds(total)} lines</text>')
    return "\n".join([*out, "</svg>", ""])


def stated_lines(svg: str) -> dict[str, int]:
    """What a picture says: room and package -> lines."""
    found = re.findall(r"<title>([\w/]+): ([\d,]+) lines</title>", svg)
    return {name: int(lines.replace(",", "")) for name, lines in found}


def main() -> None:
    """Writes the picture."""
    Path(PICTURE).write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
