"""What is around the board: score and chips, the time line, messages and sentences below the board, and the help.

Messages and sentences have strips of their own, so that they cover nothing that a viewer looks at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pacman.core.errors import agent_name, counted
from pacman.core.numbers import format_number
from pacman.core.rules import EAST, STOP
from pacman.core.state import Place, places_of
from pacman.core.tree import Layer
from pacman.picture.canvas import Canvas, Point, text_width
from pacman.picture.colours import Colour, Theme, blend
from pacman.picture.moment import Status, VisibleState, ending
from pacman.picture.screen_regions import Box, Regions
from pacman.picture.sprites import BODY_RADIUS, dot, ghost, layer_icon, pacman

# Font sizes, distances and heights in units. The size of this font is its line height.
SMALL, LARGE = 1.45, 2.5
SMALLEST = 0.75
"""The smallest scale of the text on chips, when there are many agents."""
WIDEST_TIME = "999 ms"
TITLE, GAP, ROW = 2.1, 1.4, 2.2
"""The size of a title, the distance from it to the text, and the height of a row of keys."""
LEAST_SCALE = 0.8
"""The help has pages if its text would be smaller than this part of its size."""
SENTENCES_HEIGHT = 6.2
"""The height of the strip for sentences."""
SENTENCE_SIZES = (1.9, 1.7, 1.5, 1.35, 1.2, 1.05)
"""The sizes of sentences; the largest that fits is used."""
MESSAGE_SIZES = (1.5, 1.3, 1.15, 1.07)
"""The sizes of a message; the last one has space for two lines."""
LEAST_TEXT = 14
"""The least width of a message's text beside its keys."""
LINE = 1.12
"""The distance of two lines, in parts of the text size."""
BUTTONS = ("<", ",", "space", ".", ">")
"""The keys whose commands the buttons of the time line have, from left to right."""
BUTTON = 2.1
"""The width of a button."""


# ---- text and plates


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


def clipped(text: str, size: float, room: float) -> str:
    """The text, or its beginning and "…" if it is wider than `room` pixels."""
    if text_width(text, size) <= room:
        return text
    while text and text_width(text + "…", size) > room:
        text = text[:-1]
    return text + "…" if text else ""


def fit_text(words: str, sizes: Sequence[float], room: float, height: float) -> tuple[float, list[str]]:
    """The first of `sizes` in which the words fit, and their lines; in the last size they are cut, with "…" at the end.

    The lines are at most `room` pixels wide, and together at most `height` pixels high.
    """
    for size in sizes:
        lines = [words] if text_width(words, size) <= room else wrapped_lines(words, size, room)
        most = max(1, int(height / (LINE * size)))
        if len(lines) <= most:
            break
    else:
        lines = [*lines[: most - 1], clipped(" ".join(lines[most - 1 :]), size, room)]
    return size, lines


def wrapped_lines(words: str, size: float, room: float) -> list[str]:
    """The text as lines of at most `room` pixels, broken at spaces; a word that is too long is split."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= room:
            lines[-1] = longer
            continue
        lines.append("")
        for letter in word:
            if lines[-1] and text_width(lines[-1] + letter, size) > room:
                lines.append("")
            lines[-1] += letter
    return [line for line in lines if line] or [""]


def draw_lines(canvas: Canvas, lines: Sequence[str], x: float, y: float, size: float, colour: Colour) -> None:
    """Writes lines below each other; their middle is at `y`."""
    for index, line in enumerate(lines):
        canvas.text(line, x, y + (index - (len(lines) - 1) / 2) * LINE * size, size, colour)


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


# ---- the bars


class BoardDrawing:
    """The board of a moment in a picture, and how to draw at a place of it."""

    def __init__(self, canvas: Canvas, visible: VisibleState, theme: Theme, frame: Regions) -> None:
        self.canvas, self.visible, self.theme, self.frame = canvas, visible, theme, frame
        self.cell, self.unit = frame.cell, frame.unit
        self._origin = frame.middle(0, 0, visible.after.maze.height)
        self.state = visible.before if visible.fraction < 1 else visible.after
        """The position in which the present glide begins."""

    def pixel(self, place: Place) -> Point:
        """The pixel at the middle of a place."""
        return self._origin[0] + place[0] * self.cell, self._origin[1] - place[1] * self.cell

    def put(self, picture: Canvas, middle: Point) -> None:
        """Draws `picture` with its middle at the pixel `middle`."""
        self.canvas.paste(picture, middle[0] - picture.width / 2, middle[1] - picture.height / 2)

    def agents(self) -> list[Box]:
        """The boxes in which the agents are from the beginning to the end of the present glide, Pacman's first.

        A ghost that is eaten has two boxes: it disappears in one and appears in the other.
        """
        boxes, half = [], BODY_RADIUS * self.cell
        for places in zip(places_of(self.state), places_of(self.visible.after), strict=True):
            pixels = [self.pixel(place) for place in places]
            (x, y), (to_x, to_y) = pixels
            is_jump = abs(to_x - x) + abs(to_y - y) > 1.1 * self.cell
            for glide in [[pixel] for pixel in pixels] if is_jump else [pixels]:
                left, top = (min(ends) - half for ends in zip(*glide, strict=True))
                right, bottom = (max(ends) + half for ends in zip(*glide, strict=True))
                boxes.append(Box(left, top, right - left, bottom - top))
        return boxes


def draw_top_bar(board: BoardDrawing) -> None:
    """Draws score, food left, round, ply, layout and seed at the left, and the speed at the right."""
    canvas, visible, theme, unit, box = board.canvas, board.visible, board.theme, board.unit, board.frame.bar
    if not box.height:
        return
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
    facts = [("SCORE", format_number(state.score)), ("FOOD", str(state.food_left))]
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


def draw_chips(board: BoardDrawing) -> None:
    """Draws one chip per agent in the order of the round. The chip of the mover is bright.

    The picture and the name say who the agent is, the sign and its word how the search models it; then comes the time.
    """
    visible, unit, box = board.visible, board.unit, board.frame.chips
    if not box.height:
        return
    agents, status, size = visible.after.round.order, visible.status, round(1.7 * unit) // 2 * 2
    icons = [ghost(size, board.theme, number, STOP, 0.0) for number in range(1, len(agents))]
    icons = [pacman(size, board.theme.pacman, EAST, 0.8), *icons]
    layers = status.layers or [turn.layer for turn in visible.after.round.turns]
    names = [*visible.names, *map(agent_name, range(len(visible.names), len(agents)))]
    # The space for the time is reserved from the start, so that the chips do not move.
    time = WIDEST_TIME if status.move_seconds else ""

    def widths(unit: float) -> list[float]:
        aside = text_width(time, 1.2 * unit) + 0.8 * unit if time else 0.0
        words = [text_width(layers[agent].name, 1.2 * unit) + 1.5 * unit + aside for agent in agents]
        titles = [text_width(names[agent], SMALL * unit) for agent in agents]
        return [max(pair) + icons[0].width + 2 * unit for pair in zip(titles, words, strict=True)]

    gap, height = 0.7 * unit, 2.7 * unit
    room, wide = box.width - 3.2 * unit - gap * (len(agents) - 1), widths(unit)
    if sum(wide) > room:  # the text becomes smaller; if that is not enough, it is cut
        unit *= max(SMALLEST, room / sum(wide))
        wide = [min(room / len(agents), width) for width in widths(unit)]
    x = box.left + (box.width - sum(wide) - gap * (len(agents) - 1)) / 2
    y = box.top + (box.height - height) / 2
    for agent, width in zip(agents, wide, strict=True):
        _draw_chip(board, Box(x, y, width, height), unit, icons[agent], agent, names[agent], layers[agent])
        x += width + gap


def _draw_chip(board: BoardDrawing, chip: Box, unit: float, icon: Canvas, agent: int, name: str, layer: Layer) -> None:
    canvas, visible, status, theme = board.canvas, board.visible, board.visible.status, board.theme
    colour, small = theme.agent(agent), 1.2 * unit
    is_lit = agent == visible.mover and not visible.after.is_terminal and visible.result is None
    back = blend(theme.panel, colour, 0.24) if is_lit else theme.panel
    draw_panel(canvas, chip, 0.75 * unit, 2, (back, colour if is_lit else back))
    canvas.paste(icon, chip.left + 0.5 * unit, chip.top + (chip.height - icon.height) / 2)
    x, right = chip.left + icon.width + 0.9 * unit, chip.right - 0.7 * unit
    sign = layer_icon(layer, round(unit), theme.layer(layer))
    label, y = x + sign.width + 0.4 * unit, chip.top + 0.27 * chip.height
    canvas.paste(sign, x, y - sign.height / 2)
    word = clipped(layer.name, small, right - label)
    canvas.text(word, label, y, small, theme.readable(theme.layer(layer), back))
    name = clipped(name, SMALL * unit, right - x)
    canvas.text(name, x, chip.top + 0.69 * chip.height, SMALL * unit, theme.text)
    if not status.move_seconds:
        return
    is_thinking = is_lit and status.thinking_seconds > 0
    seconds = status.thinking_seconds if is_thinking else status.move_seconds[agent]
    time = duration(seconds)
    if text_width(word, small) + text_width(time, small) + 0.6 * unit < right - label:
        canvas.text(time, right, y, small, theme.text if is_thinking else theme.muted, 1.0)
    if status.move_timeout:
        part, high = min(1.0, seconds / status.move_timeout), 0.08 * chip.height
        bar = Box(chip.left + 0.75 * unit, chip.bottom - 0.11 * chip.height, chip.width - 1.5 * unit, high)
        canvas.box(*bar, blend(back, theme.text, 0.15), high / 2)
        if part:
            fill = theme.bad if part > 0.8 else theme.pacman if part > 0.5 else theme.good
            canvas.box(*bar._replace(width=max(high, bar.width * part)), fill, high / 2)


# ---- the time line: step buttons, and a slider with a mark wherever Pacman won or lost many points


@dataclass(frozen=True)
class TimelineBar:
    """The time line in a box: where its buttons and its slider are, and how to draw it."""

    box: Box
    unit: float

    @property
    def buttons(self) -> Iterator[tuple[str, Box]]:
        """(key, box) of each button; a click in the box does what the key does."""
        width = BUTTON * self.unit
        for number, key in enumerate(BUTTONS):
            yield key, Box(self.box.left + 0.9 * self.unit + number * width, self.box.top, width, self.box.height)

    @property
    def slider(self) -> Box:
        """The box of the slider; a click or a drag in it chooses a ply."""
        left = self.box.left + 0.9 * self.unit + len(BUTTONS) * BUTTON * self.unit + 1.4 * self.unit
        right = self.box.right - 1.6 * self.unit - text_width("ply 99999 / 99999", 1.35 * self.unit) - 1.2 * self.unit
        return Box(left, self.box.top, max(1.0, right - left), self.box.height)

    def key(self, x: float, y: float) -> str | None:
        """The key of the button at that pixel; None if there is no button."""
        return next((key for key, box in self.buttons if box.contains(x, y)), None)

    def ply(self, x: float, ply_count: int) -> int:
        """The ply that the slider has at `x`, in a game of `ply_count` plies; outside it, the first or last ply."""
        part = (x - self.slider.left) / self.slider.width
        return round(ply_count * max(0.0, min(1.0, part)))

    def pixel(self, ply: int, ply_count: int) -> float:
        """The x of a ply on the slider, in a game of `ply_count` plies."""
        return self.slider.left + self.slider.width * (ply / ply_count if ply_count else 0.0)

    def draw(self, canvas: Canvas, status: Status, theme: Theme) -> None:
        """Draws the buttons, the slider with its marks, and the text "ply 5 / 22"."""
        unit, slider = self.unit, self.slider
        is_still = status.is_paused or (status.is_complete and status.ply == status.ply_count)
        for key, box in self.buttons:
            sign = "pause" if key == "space" and not is_still else key
            picture = _button_picture(sign, round(1.3 * unit), theme.text if key == "space" else theme.muted)
            x, y = box.left + (box.width - picture.width) / 2, box.top + (box.height - picture.height) / 2
            canvas.paste(picture, x, y)
        middle, thick = slider.top + slider.height / 2, max(3, round(0.34 * unit))
        rest = blend(theme.background, theme.muted, 0.4)
        canvas.box(slider.left, middle - thick / 2, slider.width, thick, rest, thick / 2)
        x = self.pixel(status.ply, status.ply_count)
        canvas.box(slider.left, middle - thick / 2, max(thick, x - slider.left), thick, theme.pacman, thick / 2)
        for ply, points in status.marks:
            colour = theme.good if points > 0 else theme.bad
            canvas.box(round(self.pixel(ply, status.ply_count) - 1), middle - 0.62 * unit, 3, 1.24 * unit, colour, 1)
        knob = dot(round(0.6 * unit), theme.pacman)
        canvas.paste(knob, x - knob.width / 2, middle - knob.height / 2)
        text = f"ply {status.ply} / {status.ply_count}{'' if status.is_complete else '…'}"
        canvas.text(text, self.box.right - 1.6 * unit, middle, 1.35 * unit, theme.muted, 1.0)


@lru_cache(maxsize=64)
def _button_picture(sign: str, size: int, colour: Colour) -> Canvas:
    """The picture on a button: triangles and bars."""
    triangles, bars = BUTTON_SHAPES[sign]

    def draw(canvas: Canvas) -> None:
        for left, right in triangles:
            canvas.polygon([(size * left, size * 0.1), (size * right, size / 2), (size * left, size * 0.9)], colour)
        for left in bars:
            canvas.box(size * left, size * 0.1, size * 0.2, size * 0.8, colour)

    return Canvas.antialiased(size, size, draw)


# (base, tip) of each triangle, and the left side of each bar, as fractions of the width.
BUTTON_SHAPES: Mapping[str, tuple[tuple[tuple[float, float], ...], tuple[float, ...]]] = {
    "space": (((0.2, 0.95),), ()),
    "pause": ((), (0.2, 0.6)),
    ".": (((0.15, 0.7),), (0.7,)),
    ",": (((0.85, 0.3),), (0.1,)),
    ">": (((0.0, 0.5), (0.5, 1.0)), ()),
    "<": (((1.0, 0.5), (0.5, 0.0)), ()),
}


# ---- messages, sentences and the help


@dataclass(frozen=True)
class Message:
    """A text for the viewer; before it a title in a `colour`, and after it a hint, if they are not ""."""

    text: str
    title: str = ""
    hint: str = ""
    colour: Colour | None = None


def end_message(visible: VisibleState, theme: Theme) -> Message:
    """The message about how the game ended, with the keys that go on from there."""
    state, result = visible.after, visible.result
    title, reason = ending(state, result)
    score = f"score {format_number(state.score)}  ·  {counted(visible.plies, 'ply')}"
    text = reason if reason and result and result.fault else "  ·  ".join(filter(None, (score, reason)))
    colour = theme.good if state.is_win else theme.bad if state.is_lose else theme.text
    return Message(text, title, visible.status.hint, colour)


def draw_message(canvas: Canvas, box: Box, unit: float, message: Message, theme: Theme) -> None:
    """Draws a message in the middle of `box`, on a plate; nothing if the picture is too small to have a box for it.

    A long text gets smaller letters, then two lines, then is cut; its keys stay, unless they leave it little room.
    """
    title_width = text_width(message.title, TITLE * unit) + GAP * unit if message.title else 0.0
    hint_width = text_width(message.hint, SMALL * unit) + 1.5 * GAP * unit if message.hint else 0.0
    room = box.width - 4 * unit - title_width
    if room - hint_width < LEAST_TEXT * unit:
        hint_width = 0.0
    if room <= 0 or not box.height:
        return
    size, lines = fit_text(message.text, [scale * unit for scale in MESSAGE_SIZES], room - hint_width, 2.4 * unit)
    width = title_width + max(text_width(line, size) for line in lines) + hint_width
    left, y = box.left + (box.width - width) / 2, box.top + box.height / 2
    plate = Box(left - 1.2 * unit, box.top + 0.2 * unit, width + 2.4 * unit, box.height - 0.4 * unit)
    draw_panel(canvas, plate, 1.0 * unit, max(2, round(0.12 * unit)), (theme.panel, message.colour or theme.muted))
    if message.title:
        canvas.text(message.title, left, y, TITLE * unit, theme.readable(message.colour or theme.text, theme.panel))
    draw_lines(canvas, lines, left + title_width, y, size, theme.text)
    if hint_width:
        canvas.text(message.hint, left + width, y, SMALL * unit, theme.muted, 1.0)


Keys = Mapping[str, Sequence[tuple[str, str]]]
"""Groups of keys: by the name of each, its rows (keys, description)."""


HelpPlaces = tuple[float, float, float, list[float]]
"""The unit, the width and the height of a help whose groups are side by side, and where the keys of each end."""


def _help_places(canvas: Canvas, unit: float, groups: Keys) -> HelpPlaces:
    """The places of a help that is made smaller until it fits."""

    def places(unit: float) -> HelpPlaces:
        keys, words = (
            [max(text_width(row[n], 1.5 * unit) for row in rows) for rows in groups.values()] for n in (0, 1)
        )
        ends, width = [], 2 * unit
        for key, word in zip(keys, words, strict=True):
            ends.append(width + key)
            width += key + word + 3.2 * unit
        return unit, width, (ROW * (max(map(len, groups.values())) + 1) + 2.4) * unit, ends

    _, width, height, _ = places(unit)
    return places(unit * min(1.0, 0.96 * canvas.width / width, 0.96 * canvas.height / height))


def draw_help(canvas: Canvas, unit: float, groups: Keys, theme: Theme, page: int = 0) -> bool:
    """Draws the keys and their descriptions in the middle; False if there is no such page.

    There is one page, or in a window that is too small for all keys a page for each group.
    """
    pages, count = [groups], len(groups)
    if _help_places(canvas, unit, groups)[0] < LEAST_SCALE * unit:
        names = [f"{name}  (page {number} of {count}, H: next)" for number, name in enumerate(groups, 1)]
        pages = [{name: rows} for name, rows in zip(names, groups.values(), strict=True)]
    if page >= len(pages):
        return False
    unit, width, height, ends = _help_places(canvas, unit, pages[page])
    left, top, ink = (canvas.width - width) / 2, (canvas.height - height) / 2, theme.readable(theme.pacman, theme.panel)
    draw_panel(canvas, Box(left, top, width, height), 1.2 * unit, 2, (theme.panel, theme.wall_edge))
    for (group, rows), end in zip(pages[page].items(), ends, strict=True):
        x, y = left + end + 1.2 * unit, top + (1.2 + ROW / 2) * unit
        canvas.text(group, x, y, SMALL * unit, theme.muted)
        for line, (key, description) in enumerate(rows, 1):
            canvas.text(key, left + end, y + ROW * line * unit, 1.5 * unit, ink, 1.0)
            canvas.text(description, x, y + ROW * line * unit, 1.5 * unit, theme.text)
    return True


def draw_sentences(
    canvas: Canvas, box: Box, unit: float, words: str, colour: Colour, sizes: Sequence[float] = SENTENCE_SIZES
) -> None:
    """Draws the words in the middle of `box`; if even the smallest size is too large, they end with "…"."""
    size, lines = fit_text(words, [scale * unit for scale in sizes], box.width - unit, box.height)
    width = max(text_width(line, size) for line in lines)
    draw_lines(canvas, lines, box.left + (box.width - width) / 2, box.top + box.height / 2, size, colour)
