"""The words around the board: score and pace above, the round's layers below, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pacman.view.canvas import Canvas, text_width
from pacman.view.moment import Moment
from pacman.view.theme import Colour, Theme, blend

# The font's size is its line height; small words look right at this many units.
SMALL, LARGE = 1.45, 2.5
THINKING = " ..."


def signed(points: int, plus: str = "") -> str:
    """A number with a true minus sign, and with `plus` "+" before a positive one.

    >>> signed(-12), signed(200, "+")
    ('−12', '+200')
    """
    return format(points, f"{plus}d").replace("-", "−")


@lru_cache(maxsize=64)
def _panel(width: int, height: int, radius: float, edge: int, colours: tuple[Colour, Colour]) -> Canvas:
    inside, rim = colours

    def draw(canvas: Canvas) -> None:
        canvas.box(0, 0, width, height, rim, radius + edge)
        canvas.box(edge, edge, width - 2 * edge, height - 2 * edge, inside, radius)

    return Canvas.drawn(width, height, draw)


def _framed(
    canvas: Canvas,
    x: float,
    y: float,
    wide: float,
    tall: float,
    radius: float,
    edge: int,
    colours: tuple[Colour, Colour],
) -> None:
    """A panel with round corners and a rim of `edge` pixels outside it; `colours` are its own and the rim's."""
    picture = _panel(max(1, round(wide)) + 2 * edge, max(1, round(tall)) + 2 * edge, radius, edge, colours)
    canvas.paste(picture, x - edge, y - edge)


def top_bar(canvas: Canvas, width: float, height: float, unit: float, moment: Moment, theme: Theme) -> None:
    """Score, moves and food left on the left; the pace on the right."""
    shown = moment.shown
    x, middle = 1.6 * unit, height / 2
    facts = [
        ("SCORE", signed(shown.score)),
        ("MOVES", str(moment.plies)),
        ("FOOD", str(shown.food_left)),
    ]
    for label, value in facts:
        canvas.text(label, x, middle - 0.85 * unit, 1.2 * unit, theme.muted)
        canvas.text(value, x, middle + 0.55 * unit, LARGE * unit, theme.text)
        x += max(6.5 * unit, text_width(value, LARGE * unit) + 2.2 * unit)
    right = width - 1.6 * unit
    if moment.pace:
        canvas.text("PAUSED" if moment.paused else "SPEED", right, middle - 0.85 * unit, 1.2 * unit, theme.muted, 1.0)
        colour = theme.pacman if moment.paused else theme.text
        canvas.text(moment.pace, right, middle + 0.55 * unit, LARGE * unit, colour, 1.0)


def bottom_bar(
    canvas: Canvas, top: float, height: float, unit: float, moment: Moment, theme: Theme, icons: Sequence[Canvas]
) -> None:
    """The round from left to right: a chip for each agent with its layer and its name; the mover's is lit."""
    turns = moment.after.round
    gap, tall = 0.7 * unit, 2.6 * unit
    chips = [(agent, turns.turns[agent].layer) for agent in turns.order]
    room = (canvas.width - 3.2 * unit - gap * (len(chips) - 1)) / len(chips)
    icon_room = icons[0].width + 0.9 * unit

    def words(agent: int) -> float:
        return text_width(_name(moment, agent), SMALL * unit)

    layers = [text_width(layer.name + THINKING, 1.2 * unit) for _, layer in chips]
    full = [max(words(agent), wide) + icon_room + 1.1 * unit for (agent, _), wide in zip(chips, layers, strict=True)]
    widths = full if sum(full) <= room * len(chips) else [min(room, wide) for wide in full]
    x = (canvas.width - sum(widths) - gap * (len(chips) - 1)) / 2
    y = top + (height - tall) / 2
    over = moment.after.is_terminal or moment.result is not None
    for (agent, layer), wide in zip(chips, widths, strict=True):
        lit = agent == moment.mover and not over
        colour = theme.agent(agent)
        back = blend(theme.panel, colour, 0.24) if lit else theme.panel
        _framed(canvas, x, y, wide, tall, 0.75 * unit, 2, (back, colour if lit else back))
        canvas.paste(icons[agent], x + 0.5 * unit, y + (tall - icons[agent].height) / 2)
        text_x, text_room = x + icon_room, wide - icon_room - 0.4 * unit
        label = layer.name + THINKING if lit and moment.thinking else layer.name
        canvas.text(label, text_x, y + 0.78 * unit, 1.2 * unit, blend(back, colour, 1.0 if lit else 0.8))
        name = _clipped(_name(moment, agent), SMALL * unit, text_room)
        canvas.text(name, text_x, y + 1.78 * unit, SMALL * unit, theme.text)
        x += wide + gap


def _name(moment: Moment, agent: int) -> str:
    if agent < len(moment.names):
        return moment.names[agent]
    return f"ghost {agent}" if agent else "Pacman"


def _clipped(text: str, size: float, room: float) -> str:
    """As much of the text as fits."""
    if text_width(text, size) <= room:
        return text
    while text and text_width(text + "…", size) > room:
        text = text[:-1]
    return text + "…" if text else ""


def ending(moment: Moment) -> tuple[str, str]:
    """The banner's words: how the game ended, and the line below."""
    result, state = moment.result, moment.after
    below = f"score {signed(state.score)}  ·  {moment.plies} moves"
    if state.is_win:
        return "WIN", below
    if state.is_lose:
        return "LOST", below
    if result is not None and result.fault is not None:
        return "STOPPED", str(result.fault)
    return "STOPPED", f"the limit of {moment.plies} moves  ·  score {signed(state.score)}"


def banner(
    canvas: Canvas, x: float, board: tuple[float, float, float], unit: float, moment: Moment, theme: Theme
) -> None:
    """How it ended, across the half of the board in which Pacman does not stand, if there is room, else the middle.

    `board` is the height at which the board begins and ends, and Pacman's.
    """
    title, below = ending(moment)
    colour = theme.good if title == "WIN" else theme.bad if title == "LOST" else theme.text
    size = 1.7 * unit
    below = _clipped(below, size, canvas.width - 6 * unit)
    wide = max(text_width(title, 4.6 * unit), text_width(below, size)) + 5 * unit
    tall = (9.4 if moment.hint else 8) * unit
    begin, end, pacman = board
    y = (begin + end) / 2
    if (end - begin) / 2 > tall:
        y += (end - begin) / 4 * (1 if pacman < y else -1)
    edge = max(2, round(0.14 * unit))
    _framed(canvas, x - wide / 2, y - tall / 2, wide, tall, 1.3 * unit, edge, (theme.panel, colour))
    if moment.hint:
        y -= 0.7 * unit  # the three lines are centred
        canvas.text(moment.hint, x, y + 3.9 * unit, 1.35 * unit, theme.muted, 0.5)
    canvas.text(title, x, y - 1.15 * unit, 4.6 * unit, colour, 0.5)
    canvas.text(below, x, y + 1.9 * unit, size, theme.text, 0.5)


def help_panel(canvas: Canvas, unit: float, keys: Sequence[tuple[str, str]], theme: Theme) -> None:
    """What each key does, in the middle of the picture."""
    size, row = 1.7 * unit, 2.3 * unit
    first = max(text_width(key, size) for key, _ in keys)
    second = max(text_width(use, size) for _, use in keys)
    wide, tall = first + second + 6.5 * unit, row * len(keys) + 2.6 * unit
    left, top = (canvas.width - wide) / 2, (canvas.height - tall) / 2
    _framed(canvas, left, top, wide, tall, 1.2 * unit, 2, (theme.panel, theme.wall_edge))
    for line, (key, use) in enumerate(keys):
        y = top + 1.3 * unit + row * (line + 0.5)
        canvas.text(key, left + 2.2 * unit + first, y, size, theme.pacman, 1.0)
        canvas.text(use, left + 4 * unit + first, y, size, theme.text)
