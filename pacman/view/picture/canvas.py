"""Drawing, a window and its keys: the only file that knows pygame, and it asks for it only when used.

Everything is measured in pixels from the top left, as floats. Shapes are drawn enlarged and shrunk (`Canvas.drawn`),
so their edges are smooth at every size. Transparent canvases hold premultiplied colours, so no edge grows a dark rim.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import cos, pi, sin
from pathlib import Path
from typing import Any

from pacman.core.errors import InputError
from pacman.view.theme import Colour

Point = tuple[float, float]
ZOOM = 4

NO_DISPLAY = (
    "no display: a window cannot be opened here; --view text shows the game in this terminal, and a game recorded with "
    "--view none --save game.json becomes a film by `film game.json --out game.gif`"
)


@cache
def _pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        raise InputError("drawing needs pygame-ce, which is not installed: python -m pip install pygame-ce") from None
    pygame.font.init()
    return pygame


@cache
def _font(size: int) -> Any:
    """The font that comes with pygame, so that text is the same everywhere."""
    return _pygame().font.Font(None, size)


class Canvas:
    """A surface to draw on. With `zoom` every length is that many pixels long."""

    def __init__(self, width: int, height: int, *, clear: bool = False, zoom: int = 1, surface: Any = None) -> None:
        pygame = _pygame()
        self.width, self.height, self.zoom = width, height, zoom
        size = (width * zoom, height * zoom)
        self._surface = surface or pygame.Surface(size, pygame.SRCALPHA if clear else 0, 32)

    @classmethod
    def drawn(cls, width: int, height: int, draw: Callable[[Canvas], None], zoom: int = ZOOM) -> Canvas:
        """A transparent canvas with smooth edges: what `draw` draws, made large and shrunk."""
        large = cls(width, height, clear=True, zoom=zoom)
        draw(large)
        return large.scaled(width, height)

    def blurred(self, radius: int) -> Canvas:
        """A blurred copy. A wide blur is made on a small copy: it looks the same, in a hundredth of the time."""
        scale = _pygame().transform.smoothscale
        size = self._surface.get_size()
        factor = max(1, radius * self.zoom // 4)
        small = scale(self._surface, (max(1, size[0] // factor), max(1, size[1] // factor)))
        small = _pygame().transform.gaussian_blur(small, max(1, radius * self.zoom // factor))
        return Canvas(self.width, self.height, zoom=self.zoom, surface=scale(small, size))

    def faded(self, part: float) -> Canvas:
        """A copy that covers only `part` (0 to 1) as much."""
        pygame = _pygame()
        surface, level = self._surface.copy(), round(255 * max(0.0, min(1.0, part)))
        surface.fill((level, level, level, level), special_flags=pygame.BLEND_RGBA_MULT)
        return Canvas(self.width, self.height, zoom=self.zoom, surface=surface)

    def scaled(self, width: int, height: int) -> Canvas:
        return Canvas(width, height, surface=_pygame().transform.smoothscale(self._surface, (width, height)))

    def fill(self, colour: Colour) -> None:
        self._surface.fill(colour)

    def paste(self, picture: Canvas, x: float, y: float) -> None:
        """Draws another canvas with its top left corner at (x, y); an opaque one is copied, in a tenth of the time."""
        flags = _pygame().BLEND_PREMULTIPLIED if picture._surface.get_flags() & _pygame().SRCALPHA else 0
        self._surface.blit(picture._surface, (round(x), round(y)), special_flags=flags)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        zoom = self.zoom
        _pygame().draw.circle(self._surface, colour, (x * zoom, y * zoom), radius * zoom)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        zoom = self.zoom
        _pygame().draw.polygon(self._surface, colour, [(x * zoom, y * zoom) for x, y in points])

    def pie(self, x: float, y: float, radius: float, begin: float, end: float, colour: Colour) -> None:
        """The part of a disc between two angles, in degrees, against the clock from East."""
        steps = max(2, round(abs(end - begin) / 3))
        angles = [(begin + (end - begin) * step / steps) * pi / 180 for step in range(steps + 1)]
        self.polygon([(x, y), *((x + radius * cos(a), y - radius * sin(a)) for a in angles)], colour)

    def box(self, x: float, y: float, width: float, height: float, colour: Colour, radius: float = 0) -> None:
        """A rectangle with round corners."""
        zoom = self.zoom
        left, top, right, bottom = (round(edge * zoom) for edge in (x, y, x + width, y + height))
        _pygame().draw.rect(
            self._surface, colour, (left, top, right - left, bottom - top), border_radius=round(radius * zoom)
        )

    def line(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        """A line with round joins and ends."""
        for (x, y), (to_x, to_y) in pairwise(points):
            dx, dy = to_x - x, to_y - y
            length = (dx * dx + dy * dy) ** 0.5 or 1
            ux, uy = -dy / length * width / 2, dx / length * width / 2
            self.polygon([(x + ux, y + uy), (to_x + ux, to_y + uy), (to_x - ux, to_y - uy), (x - ux, y - uy)], colour)
        for x, y in points:
            self.disc(x, y, width / 2, colour)

    def text(
        self, text: str, x: float, y: float, size: float, colour: Colour, anchor: float = 0.0, part: float = 1.0
    ) -> None:
        """A line of text, its middle at height `y`; `anchor` 0, 0.5, 1: its left end, middle, right end is at `x`."""
        picture = _written(text, max(8, round(size)), colour)
        if part < 1:
            picture = picture.faded(part)
        self.paste(picture, x - anchor * picture.width, y - picture.height / 2)

    def spell(self, text: str, x: float, y: float, size: float, colour: Colour, anchor: float = 0.0) -> None:
        """The same letter by letter, each of which is drawn once and kept: for numbers, which are new each time."""
        x -= anchor * text_width(text, size)
        for place, letter in enumerate(text):
            if letter != " ":
                picture = _written(letter, max(8, round(size)), colour)
                self.paste(picture, x + (text_width(text[:place], size) if place else 0), y - picture.height / 2)

    def part(self, x: int, y: int, width: int, height: int) -> Canvas:
        """A rectangle of this canvas as one of its own: what is drawn there is drawn here."""
        return Canvas(width, height, surface=self._surface.subsurface((x, y, width, height)))

    def rgb(self) -> bytes:
        """The pixels row by row, three bytes each."""
        return bytes(_pygame().image.tobytes(self._surface, "RGB"))

    def png(self, path: Path) -> None:
        """Writes the picture to a file; OSError when that cannot be done."""
        with path.open("xb") as file:
            _pygame().image.save(self._surface, file, ".png")

    def pixel(self, x: int, y: int) -> Colour:
        red, green, blue, _ = self._surface.get_at((x, y))
        return red, green, blue


@lru_cache(maxsize=512)
def _written(text: str, size: int, colour: Colour) -> Canvas:
    """A line of text on a transparent canvas. Drawn large and shrunk, small letters keep their distances."""
    large = _font(size * ZOOM).render(text or " ", True, colour)
    width, height = (max(1, round(side / ZOOM)) for side in large.get_size())
    return Canvas(width, height, surface=_pygame().transform.smoothscale(large.premul_alpha(), (width, height)))


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> int:
    """How many pixels wide `Canvas.text` draws it."""
    return max(1, round(int(_font(max(8, round(size)) * ZOOM).size(text)[0]) / ZOOM))


@dataclass(frozen=True)
class Key:
    """A key that was pressed: "left", "space", "escape", ... or the character that it types.

    `repeated` when it was not let go since.
    """

    name: str
    repeated: bool = False


@dataclass(frozen=True)
class Click:
    """The left button was pressed at a pixel."""

    x: float
    y: float


@dataclass(frozen=True)
class Drag:
    """The pointer was moved to a pixel with the left button down."""

    x: float
    y: float


@dataclass(frozen=True)
class Release:
    """The left button was let go."""


@dataclass(frozen=True)
class Wheel:
    """The wheel was turned over a pixel; away from the viewer is positive."""

    steps: int
    x: float
    y: float


@dataclass(frozen=True)
class Closed:
    """The viewer closed the window."""


Event = Key | Click | Drag | Release | Wheel | Closed
UNSEEN = ("dummy", "offscreen")
"""Drivers that show nothing; what they say of a screen is made up."""
REPEAT_AFTER, REPEAT_EVERY = 350, 50
"""Milliseconds that a key is held before it repeats, and between repeats."""


def demand_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> None:
    """InputError at once where no window can be opened, before SDL tries for seconds or draws where nobody sees it."""
    known = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    if platform.startswith("linux") and not any(environment.get(name) for name in known):
        raise InputError(NO_DISPLAY)


DESKTOP = 0.94
"""The part of a screen that a window takes at most; the rest is its frame's and the desktop's own bars."""


def fitting(size: tuple[int, int], desktop: tuple[int, int]) -> tuple[int, int]:
    """The size of a window, made smaller where a screen has no room for it.

    >>> fitting((1440, 760), (1280, 800)), fitting((1280, 800), (1920, 1080))
    ((1203, 752), (1280, 800))
    """
    width, height = (min(side, int(DESKTOP * room)) for side, room in zip(size, desktop, strict=True))
    return width, height


class Screen:
    """A window that can be resized; its canvas has a pixel for each of the screen's. InputError without a display.

    It is smaller than was asked for where the screen is.
    """

    def __init__(self, width: int, height: int, title: str) -> None:
        demand_display()
        # Otherwise Windows draws the window small and enlarges it.
        os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
        pygame = _pygame()
        try:
            pygame.display.init()
            size = width, height
            if pygame.display.get_driver() not in UNSEEN:
                size = fitting(size, pygame.display.get_desktop_sizes()[0])
            self._window = pygame.Window(title, size, resizable=True, allow_high_dpi=True)
            self._surface = self._window.get_surface()
        except pygame.error as error:
            raise InputError(f"{NO_DISPLAY} ({error})") from None
        pygame.key.set_repeat(REPEAT_AFTER, REPEAT_EVERY)
        self._clock = pygame.time.Clock()
        self._held: set[int] = set()
        self._is_full = False

    def title(self, title: str) -> None:
        self._window.title = title

    def canvas(self) -> Canvas:
        """What to draw the next frame on; its size is the window's present one."""
        self._surface = self._window.get_surface()
        return Canvas(*self._surface.get_size(), surface=self._surface)

    def toggle_full_screen(self) -> None:
        self._is_full = not self._is_full
        if self._is_full:
            self._window.set_fullscreen(True)
        else:
            self._window.set_windowed()

    def flip(self, fps: float) -> float:
        """Shows what was drawn and waits for the next frame; returns the seconds since the last."""
        self._window.flip()
        return float(self._clock.tick(fps)) / 1000

    def events(self) -> list[Event]:
        """What happened since the last call."""
        return [found for event in _pygame().event.get() if (found := self._event(event)) is not None]

    def _event(self, event: Any) -> Event | None:
        pygame = _pygame()
        if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
            return Closed()
        if event.type == pygame.KEYDOWN:
            typed = event.unicode
            visible = len(typed) == 1 and typed.isprintable() and typed != " "
            repeated = event.key in self._held
            self._held.add(event.key)
            return Key(typed.lower() if visible else pygame.key.name(event.key), repeated)
        if event.type == pygame.KEYUP:
            self._held.discard(event.key)
        if event.type == pygame.WINDOWFOCUSLOST:
            self._held.clear()
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            return Click(*self._pixel(event.pos))
        if event.type == pygame.MOUSEMOTION and event.buttons[0]:
            return Drag(*self._pixel(event.pos))
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            return Release()
        if event.type == pygame.MOUSEWHEEL and event.y:
            return Wheel(event.y, *self._pixel(pygame.mouse.get_pos()))
        return None

    def _pixel(self, point: Point) -> Point:
        """A place in the window as one of the canvas, which is finer on a screen of high density."""
        scale = self._surface.get_width() / self._window.size[0]
        return point[0] * scale, point[1] * scale

    def close(self) -> None:
        self._window.destroy()
        _pygame().display.quit()
