"""The text around the board: score and speed above it; below it one chip per agent, with its layer and its time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pacman.core.errors import agent_name
from pacman.core.tree import Layer
from pacman.picture.canvas import Canvas, text_width
from pacman.picture.colours import Colour, Theme, blend
from pacman.picture.moment import VisibleState
from pacman.picture.screen_regions import Box
from pacman.picture.sprites import layer_icon

# Font sizes in units. The size of this font is its line height.
SMALL, LARGE = 1.45, 2.5
SMALLEST = 0.75
"""The smallest scale of the text on chips, when there are many agents."""


def signed_text(points: int, plus: str = "") -> str:
    """A number with a minus sign (−), and with a plus sign before a positive number if `plus` is "+".

    >>> signed_text(-12), signed_text(200, "+")
    ('−12', '+200')
    """
    return format(points, f"{plus}d").replace("-", "−")


@lru_cache(maxsize=1024)
def plate(
    width: int, height: int, radius: float, fill: Colour, rim: Colour, edge: float, opacity: float = 1.0
) -> Canvas:
    """A box with round corners and a rim of `edge` pixels; `opacity` goes from 0 to 1."""

    def draw(canvas: Canvas) -> None:
        canvas.box(0, 0, width, height, rim, radius)
        canvas.box(edge, edge, width - 2 * edge, height - 2 * edge, fill, radius - edge)

    picture = Canvas.antialiased(width, height, draw)
    return picture.faded(opacity) if opacity < 1 else picture


def draw_panel(canvas: Canvas, box: Box, radius: float, edge: int, colours: tuple[Colour, Colour]) -> None:
    """Draws a panel with round corners and a rim of `edge` pixels around it; `colours` are for (panel, rim)."""
    size = max(1, round(box.width)) + 2 * edge, max(1, round(box.height)) + 2 * edge
    canvas.paste(plate(*size, radius + edge, *colours, edge), box.left - edge, box.top - edge)


def draw_top_bar(canvas: Canvas, box: Box, unit: float, visible: VisibleState, theme: Theme) -> None:
    """Draws score, food left, round, ply, layout and seed at the left, and the speed at the right."""
    state, status = visible.visible_state, visible.status
    x, middle = box.left + 1.6 * unit, box.top + box.height / 2
    right = box.right - 1.6 * unit
    above, below = middle - 0.95 * unit, middle + 0.55 * unit
    if status.speed_text:
        words = ["REPLAY"] * status.is_replay + ["PAUSED"] * status.is_paused
        label = "  ".join(words) or "SPEED"
        colour = theme.readable(theme.pacman, theme.background) if words else theme.muted
        canvas.text(label, right, above, 1.2 * unit, colour, 1.0)
        canvas.text(status.speed_text, right, below, LARGE * unit, theme.muted if status.is_paused else theme.text, 1.0)
        right -= text_width(status.speed_text, LARGE * unit) + unit
    facts = [("SCORE", signed_text(state.score)), ("FOOD", str(state.food_left))]
    facts += [] if status.rounds is None else [("ROUND", str(status.rounds))]
    facts.append(("PLY", str(visible.plies)))
    facts += [("LAYOUT", status.layout)] if status.layout else []
    facts += [] if status.seed is None else [("SEED", str(status.seed))]
    for label, value in facts:
        width = text_width(value, LARGE * unit)
        if x + max(width, text_width(label, 1.2 * unit)) > right:
            break
        canvas.text(label, x, above, 1.2 * unit, theme.muted)
        canvas.text(value, x, below, LARGE * unit, theme.text)
        x += max(6.5 * unit, width + 2.2 * unit)


def draw_chips(
    canvas: Canvas, box: Box, unit: float, visible: VisibleState, theme: Theme, icons: Sequence[Canvas]
) -> None:
    """Draws one chip per agent in the order of the round. The chip of the mover is bright.

    The picture and the name say who the agent is, the sign and its word how the search models it; then comes the time.
    """
    agents = visible.after.round.order
    gap, height = 0.7 * unit, 2.7 * unit
    room = box.width - 3.2 * unit - gap * (len(agents) - 1)
    widths = _chip_widths(unit, visible, agents, icons[0].width)
    if sum(widths) > room:  # the text becomes smaller; if that is not enough, it is cut
        unit *= max(SMALLEST, room / sum(widths))
        widths = [min(room / len(agents), width) for width in _chip_widths(unit, visible, agents, icons[0].width)]
    x = box.left + (box.width - sum(widths) - gap * (len(agents) - 1)) / 2
    y = box.top + (box.height - height) / 2
    for agent, width in zip(agents, widths, strict=True):
        _draw_chip(canvas, Box(x, y, width, height), unit, visible, theme, icons[agent], agent)
        x += width + gap


def _layer(visible: VisibleState, agent: int) -> Layer:
    return visible.status.layers[agent] if visible.status.layers else visible.after.round.turns[agent].layer


def _chip_widths(unit: float, visible: VisibleState, agents: Sequence[int], icon: int) -> list[float]:
    """The widths of the agents' chips if there is enough space."""
    # The space for the time is reserved from the start, so that the chips do not move.
    time = text_width(WIDEST_TIME, 1.2 * unit) + 0.8 * unit if visible.status.move_seconds else 0.0
    words = [
        max(
            text_width(_agent_name(visible, agent), SMALL * unit),
            text_width(_layer(visible, agent).name, 1.2 * unit) + 1.5 * unit + time,
        )
        for agent in agents
    ]
    return [width + icon + 2 * unit for width in words]


def _draw_chip(
    canvas: Canvas, chip: Box, unit: float, visible: VisibleState, theme: Theme, icon: Canvas, agent: int
) -> None:
    colour, status, layer = theme.agent(agent), visible.status, _layer(visible, agent)
    is_lit = agent == visible.mover and not visible.after.is_terminal and visible.result is None
    back = blend(theme.panel, colour, 0.24) if is_lit else theme.panel
    draw_panel(canvas, chip, 0.75 * unit, 2, (back, colour if is_lit else back))
    canvas.paste(icon, chip.left + 0.5 * unit, chip.top + (chip.height - icon.height) / 2)
    x, right = chip.left + icon.width + 0.9 * unit, chip.right - 0.7 * unit
    sign = layer_icon(layer, round(1.1 * unit), theme.layer(layer))
    label, y = x + sign.width + 0.4 * unit, chip.top + 0.3 * chip.height
    canvas.paste(sign, x, y - sign.height / 2)
    word = clipped(layer.name, 1.2 * unit, right - label)
    canvas.text(word, label, y, 1.2 * unit, theme.readable(theme.layer(layer), back))
    name = clipped(_agent_name(visible, agent), SMALL * unit, right - x)
    canvas.text(name, x, chip.top + 0.67 * chip.height, SMALL * unit, theme.text)
    if not status.move_seconds:
        return
    is_thinking = is_lit and status.thinking_seconds > 0
    seconds = status.thinking_seconds if is_thinking else status.move_seconds[agent]
    time = duration(seconds)
    if text_width(word, 1.2 * unit) + text_width(time, 1.2 * unit) + 0.6 * unit < right - label:
        canvas.text(time, right, y, 1.2 * unit, theme.text if is_thinking else theme.muted, 1.0)
    if status.move_timeout:
        part = min(1.0, seconds / status.move_timeout)
        bar = Box(
            chip.left + 0.75 * unit, chip.bottom - 0.11 * chip.height, chip.width - 1.5 * unit, 0.08 * chip.height
        )
        canvas.box(*bar, blend(back, theme.text, 0.15), bar.height / 2)
        if part:
            fill = theme.bad if part > 0.8 else theme.pacman if part > 0.5 else theme.good
            canvas.box(*bar._replace(width=max(bar.height, bar.width * part)), fill, bar.height / 2)


WIDEST_TIME = "999 ms"


def duration(seconds: float) -> str:
    """A time as text; empty below half a millisecond.

    >>> duration(0.0002), duration(0.012), duration(2.345), duration(75)
    ('', '12 ms', '2.3 s', '75 s')
    """
    if seconds < 0.0005:
        return ""
    if seconds < 0.9995:
        return f"{1000 * seconds:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"


def _agent_name(visible: VisibleState, agent: int) -> str:
    return visible.names[agent] if agent < len(visible.names) else agent_name(agent)


def clipped(text: str, size: float, room: float) -> str:
    """The text, or its beginning and "…" if it is wider than `room` pixels."""
    if text_width(text, size) <= room:
        return text
    while text and text_width(text + "…", size) > room:
        text = text[:-1]
    return text + "…" if text else ""
