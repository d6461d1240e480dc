"""The words around the board: score and pace above, the round's layers and everyone's time of thought below."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pacman.view.picture.canvas import Canvas, text_width
from pacman.view.picture.regions import Box
from pacman.view.picture.snapshot import Snapshot
from pacman.view.theme import Colour, Theme, blend

# The font's size is its line height; small words look right at this many units.
SMALL, LARGE = 1.45, 2.5
SMALLEST = 0.75
"""How small the words on a chip may become when there are many."""


def signed(points: int, plus: str = "") -> str:
    """A number with a true minus sign, and with `plus` "+" before a positive one.

    >>> signed(-12), signed(200, "+")
    ('−12', '+200')
    """
    return format(points, f"{plus}d").replace("-", "−")


@lru_cache(maxsize=1024)
def plate(width: int, height: int, radius: float, fill: Colour, rim: Colour, edge: float, part: float = 1.0) -> Canvas:
    """A box with round corners, and a rim of `edge` pixels; it covers `part` of what is below."""

    def draw(canvas: Canvas) -> None:
        canvas.box(0, 0, width, height, rim, radius)
        canvas.box(edge, edge, width - 2 * edge, height - 2 * edge, fill, radius - edge)

    picture = Canvas.drawn(width, height, draw)
    return picture.faded(part) if part < 1 else picture


def framed(canvas: Canvas, box: Box, radius: float, edge: int, colours: tuple[Colour, Colour]) -> None:
    """A panel with round corners and a rim of `edge` pixels outside it; `colours` are its own and the rim's."""
    size = max(1, round(box.width)) + 2 * edge, max(1, round(box.height)) + 2 * edge
    canvas.paste(plate(*size, radius + edge, *colours, edge), box.left - edge, box.top - edge)


def top_bar(canvas: Canvas, box: Box, unit: float, moment: Snapshot, theme: Theme) -> None:
    """Score, food left, round and moves on the left; the pace on the right."""
    shown, status = moment.shown, moment.status
    x, middle = box.left + 1.6 * unit, box.top + box.height / 2
    right = box.right - 1.6 * unit
    above, below = middle - 0.95 * unit, middle + 0.55 * unit
    if status.pace:
        label = "PAUSED" if status.paused else "SPEED"
        colour = theme.readable(theme.pacman, theme.background) if status.paused else theme.muted
        canvas.text(label, right, above, 1.2 * unit, colour, 1.0)
        canvas.text(status.pace, right, below, LARGE * unit, theme.muted if status.paused else theme.text, 1.0)
        right -= text_width(status.pace, LARGE * unit) + unit
    facts = [("SCORE", signed(shown.score)), ("FOOD", str(shown.food_left))]
    facts += [] if status.rounds is None else [("ROUND", str(status.rounds))]
    for label, value in [*facts, ("MOVES", str(moment.plies))]:
        wide = text_width(value, LARGE * unit)
        if x + wide > right:
            break
        canvas.text(label, x, above, 1.2 * unit, theme.muted)
        canvas.text(value, x, below, LARGE * unit, theme.text)
        x += max(6.5 * unit, wide + 2.2 * unit)


def chips(canvas: Canvas, box: Box, unit: float, moment: Snapshot, theme: Theme, icons: Sequence[Canvas]) -> None:
    """The round from left to right: a chip for each agent with its layer, its name and its time; the mover's is lit."""
    agents = moment.after.round.order
    gap, tall = 0.7 * unit, 2.7 * unit
    room = box.width - 3.2 * unit - gap * (len(agents) - 1)
    widths = _widths(unit, moment, agents, icons[0].width)
    if sum(widths) > room:  # the words are set smaller, and cut where that is not enough
        unit *= max(SMALLEST, room / sum(widths))
        widths = [min(room / len(agents), wide) for wide in _widths(unit, moment, agents, icons[0].width)]
    x = box.left + (box.width - sum(widths) - gap * (len(agents) - 1)) / 2
    y = box.top + (box.height - tall) / 2
    for agent, wide in zip(agents, widths, strict=True):
        _chip(canvas, Box(x, y, wide, tall), unit, moment, theme, icons[agent], agent)
        x += wide + gap


def _layer(moment: Snapshot, agent: int) -> str:
    return moment.after.round.turns[agent].layer.name


def _widths(unit: float, moment: Snapshot, agents: Sequence[int], icon: int) -> list[float]:
    """How wide the chips of those agents would like to be."""
    # The time has its room from the start, so that the chips do not move.
    time = text_width(TIME_ROOM, 1.2 * unit) + 0.8 * unit if moment.status.seconds else 0.0
    words = [
        max(text_width(_name(moment, agent), SMALL * unit), text_width(_layer(moment, agent), 1.2 * unit) + time)
        for agent in agents
    ]
    return [wide + icon + 2 * unit for wide in words]


def _chip(canvas: Canvas, chip: Box, unit: float, moment: Snapshot, theme: Theme, icon: Canvas, agent: int) -> None:
    colour, status, layer = theme.agent(agent), moment.status, _layer(moment, agent)
    lit = agent == moment.mover and not moment.after.is_terminal and moment.result is None
    back = blend(theme.panel, colour, 0.24) if lit else theme.panel
    framed(canvas, chip, 0.75 * unit, 2, (back, colour if lit else back))
    canvas.paste(icon, chip.left + 0.5 * unit, chip.top + (chip.height - icon.height) / 2)
    x, right = chip.left + icon.width + 0.9 * unit, chip.right - 0.7 * unit
    ink = theme.readable(colour, back)
    canvas.text(clipped(layer, 1.2 * unit, right - x), x, chip.top + 0.3 * chip.height, 1.2 * unit, ink)
    name = clipped(_name(moment, agent), SMALL * unit, right - x)
    canvas.text(name, x, chip.top + 0.67 * chip.height, SMALL * unit, theme.text)
    if not status.seconds:
        return
    thinking = lit and status.thinking > 0
    seconds = status.thinking if thinking else status.seconds[agent]
    time = duration(seconds)
    if text_width(layer, 1.2 * unit) + text_width(time, 1.2 * unit) + 0.6 * unit < right - x:
        canvas.text(time, right, chip.top + 0.3 * chip.height, 1.2 * unit, theme.text if thinking else theme.muted, 1.0)
    if status.limit:
        part = min(1.0, seconds / status.limit)
        bar = Box(
            chip.left + 0.75 * unit, chip.bottom - 0.11 * chip.height, chip.width - 1.5 * unit, 0.08 * chip.height
        )
        canvas.box(*bar, blend(back, theme.text, 0.15), bar.height / 2)
        if part:
            canvas.box(*bar._replace(width=max(bar.height, bar.width * part)), _heat(part, theme), bar.height / 2)


TIME_ROOM = "999 ms"


def duration(seconds: float) -> str:
    """A time of thought; nothing is said of what nobody would notice.

    >>> duration(0.0002), duration(0.012), duration(2.345), duration(75)
    ('', '12 ms', '2.3 s', '75 s')
    """
    if seconds < 0.0005:
        return ""
    if seconds < 0.9995:
        return f"{1000 * seconds:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"


def _heat(part: float, theme: Theme) -> Colour:
    """The colour of a bar that is so full."""
    return theme.bad if part > 0.8 else theme.pacman if part > 0.5 else theme.good


def _name(moment: Snapshot, agent: int) -> str:
    if agent < len(moment.names):
        return moment.names[agent]
    return f"ghost {agent}" if agent else "Pacman"


def clipped(text: str, size: float, room: float) -> str:
    """As much of the text as fits."""
    if text_width(text, size) <= room:
        return text
    while text and text_width(text + "…", size) > room:
        text = text[:-1]
    return text + "…" if text else ""
