"""Drawing, a window and its keys: the only file that uses pygame, which it imports at the first use.

All measures are in pixels from the top left, as floats. `Canvas.antialiased` draws shapes large and then makes them
smaller, so that their edges are smooth. Transparent canvases have premultiplied colours, so that edges get no dark rim.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Hashable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import cos, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pacman.core.errors import InputError
from pacman.view.theme import Colour

if TYPE_CHECKING:
    from pacman.view.picture.frame import Frame

Point = tuple[float, float]
Pixels = tuple[int, int, int, int]
"""Four whole numbers of pixels, for the sides or the place and size of a rectangle."""
ZOOM = 4

NO_DISPLAY = (
    "no display: cannot open a window here; use --view text to see the game in this terminal. To make a film, record "
    "the game with --view none --save game.json, then: python -m pacman film game.json --out game.gif"
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
    """The font that comes with pygame, so that text looks the same on every machine."""
    return _pygame().font.Font(None, size)


class Canvas:
    """A surface to draw on. Each length is multiplied by `zoom`."""

    def __init__(
        self, width: int, height: int, *, is_transparent: bool = False, zoom: int = 1, surface: Any = None
    ) -> None:
        pygame = _pygame()
        self.width, self.height, self.zoom = width, height, zoom
        size = (width * zoom, height * zoom)
        self._surface = surface or pygame.Surface(size, pygame.SRCALPHA if is_transparent else 0, 32)
        self.is_opaque = not self._surface.get_flags() & pygame.SRCALPHA

    @classmethod
    def antialiased(cls, width: int, height: int, draw: Callable[[Canvas], None], zoom: int = ZOOM) -> Canvas:
        """A transparent canvas with the shapes that `draw` draws; their edges are smooth."""
        large = cls(width, height, is_transparent=True, zoom=zoom)
        draw(large)
        return large.scaled(width, height)

    def blurred(self, radius: int) -> Canvas:
        """A blurred copy. A wide blur is made on a smaller copy: it looks the same and takes 1 % of the time."""
        scale = _pygame().transform.smoothscale
        size = self._surface.get_size()
        factor = max(1, radius * self.zoom // 4)
        small = scale(self._surface, (max(1, size[0] // factor), max(1, size[1] // factor)))
        small = _pygame().transform.gaussian_blur(small, max(1, radius * self.zoom // factor))
        return Canvas(self.width, self.height, zoom=self.zoom, surface=scale(small, size))

    def faded(self, opacity: float) -> Canvas:
        """A copy whose opacity is multiplied by `opacity` (0 to 1)."""
        pygame = _pygame()
        surface, level = self._surface.copy(), round(255 * max(0.0, min(1.0, opacity)))
        surface.fill((level, level, level, level), special_flags=pygame.BLEND_RGBA_MULT)
        return Canvas(self.width, self.height, zoom=self.zoom, surface=surface)

    def scaled(self, width: int, height: int) -> Canvas:
        """A copy of that size."""
        return Canvas(width, height, surface=_pygame().transform.smoothscale(self._surface, (width, height)))

    def fill(self, colour: Colour) -> None:
        """Fills the whole canvas."""
        self._surface.fill(colour)

    def paste(self, picture: Canvas, x: float, y: float) -> None:
        """Draws another canvas with its top left corner at (x, y). An opaque canvas is copied, which is faster."""
        flags = 0 if picture.is_opaque else _pygame().BLEND_PREMULTIPLIED
        self._surface.blit(picture._surface, (round(x), round(y)), special_flags=flags)

    def part(self, key: Hashable, draw: Callable[[Canvas], None]) -> None:
        """Draws with `draw`. The same `key` means the same picture, which the canvas of a window then repeats."""
        draw(self)

    def clip(self, area: Pixels | None) -> None:
        """Draws only in this rectangle (left, top, width, height) from now on; None is the whole canvas."""
        self._surface.set_clip(area)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Draws a disc with its centre at (x, y)."""
        zoom = self.zoom
        _pygame().draw.circle(self._surface, colour, (x * zoom, y * zoom), radius * zoom)

    def ellipse(self, x: float, y: float, half_width: float, half_height: float, colour: Colour) -> None:
        """Draws an ellipse with its centre at (x, y)."""
        zoom = self.zoom
        area = ((x - half_width) * zoom, (y - half_height) * zoom, 2 * half_width * zoom, 2 * half_height * zoom)
        _pygame().draw.ellipse(self._surface, colour, [round(edge) for edge in area])

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """Draws a polygon and fills it."""
        zoom = self.zoom
        _pygame().draw.polygon(self._surface, colour, [(x * zoom, y * zoom) for x, y in points])

    def pie(self, x: float, y: float, radius: float, begin: float, end: float, colour: Colour) -> None:
        """Draws the sector of a disc between two angles, in degrees, counterclockwise from East."""
        steps = max(2, round(abs(end - begin) / 3))
        angles = [(begin + (end - begin) * step / steps) * pi / 180 for step in range(steps + 1)]
        self.polygon([(x, y), *((x + radius * cos(a), y - radius * sin(a)) for a in angles)], colour)

    def box(self, x: float, y: float, width: float, height: float, colour: Colour, radius: float = 0) -> None:
        """Draws a rectangle; `radius` is that of its corners."""
        zoom = self.zoom
        left, top, right, bottom = (round(edge * zoom) for edge in (x, y, x + width, y + height))
        _pygame().draw.rect(
            self._surface, colour, (left, top, right - left, bottom - top), border_radius=round(radius * zoom)
        )

    def line(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        """Draws a line through the points, with round joins and ends."""
        for (x, y), (to_x, to_y) in pairwise(points):
            dx, dy = to_x - x, to_y - y
            length = (dx * dx + dy * dy) ** 0.5 or 1
            ux, uy = -dy / length * width / 2, dx / length * width / 2
            self.polygon([(x + ux, y + uy), (to_x + ux, to_y + uy), (to_x - ux, to_y - uy), (x - ux, y - uy)], colour)
        for x, y in points:
            self.disc(x, y, width / 2, colour)

    def smooth_line(self, start: Point, end: Point, width: float, colour: Colour) -> None:
        """Draws a line with smooth edges, directly on this canvas: for long lines, which are slow to make smaller."""
        from pygame import gfxdraw

        (x, y), (to_x, to_y) = start, end
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5 or 1.0
        ux, uy = -(to_y - y) / length * width / 2, (to_x - x) / length * width / 2
        corners = [(x + ux, y + uy), (to_x + ux, to_y + uy), (to_x - ux, to_y - uy), (x - ux, y - uy)]
        points = [(round(a), round(b)) for a, b in corners]
        gfxdraw.filled_polygon(self._surface, points, colour)
        gfxdraw.aapolygon(self._surface, points, colour)

    def text(
        self, text: str, x: float, y: float, size: float, colour: Colour, anchor: float = 0.0, opacity: float = 1.0
    ) -> None:
        """Draws a line of text, its middle at height `y`.

        `anchor` says which point of the text is at `x`: 0 the left end, 0.5 the middle, 1 the right end.
        `opacity` goes from 0 to 1.
        """
        picture = _text_image(text, max(8, round(size)), colour, opacity)
        self.paste(picture, x - anchor * picture.width, y - picture.height / 2)

    def spell(self, text: str, x: float, y: float, size: float, colour: Colour, anchor: float = 0.0) -> None:
        """Draws a text as `text` does, but letter by letter from a cache: for numbers, which change in each frame."""
        x -= anchor * text_width(text, size)
        for place, letter in enumerate(text):
            if letter != " ":
                picture = _text_image(letter, max(8, round(size)), colour)
                end = text_width(text[: place + 1], size)  # some pairs are closer together, as "7."
                self.paste(picture, x + end - picture.width, y - picture.height / 2)

    def subcanvas(self, x: int, y: int, width: int, height: int) -> Canvas:
        """A rectangle of this canvas as a canvas that shares its pixels."""
        return Canvas(width, height, surface=self._surface.subsurface((x, y, width, height)))

    def rgb(self) -> bytes:
        """The pixels row by row, three bytes each."""
        return bytes(_pygame().image.tobytes(self._surface, "RGB"))

    def write_png(self, path: Path) -> None:
        """Writes the picture to a new PNG file. OSError if the file exists or cannot be written."""
        with path.open("xb") as file:
            try:
                _pygame().image.save(self._surface, file, ".png")
                file.flush()
            except BaseException:  # raised again; a full disk, for example, would leave half a picture
                path.unlink()
                raise

    def pixel(self, x: int, y: int) -> Colour:
        """The colour of a pixel."""
        red, green, blue, _ = self._surface.get_at((x, y))
        return red, green, blue


@lru_cache(maxsize=1024)
def _text_image(text: str, size: int, colour: Colour, opacity: float = 1.0) -> Canvas:
    """A line of text on a transparent canvas. It is drawn large and made smaller, to keep the letters' distances."""
    if opacity < 1:
        return _text_image(text, size, colour).faded(opacity)
    large = _font(size * ZOOM).render(text or " ", True, colour)
    width, height = (max(1, round(side / ZOOM)) for side in large.get_size())
    return Canvas(width, height, surface=_pygame().transform.smoothscale(large.premul_alpha(), (width, height)))


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> int:
    """The width in pixels of a text that `Canvas.text` draws."""
    return max(1, round(int(_font(max(8, round(size)) * ZOOM).size(text)[0]) / ZOOM))


@dataclass(frozen=True)
class Key:
    """A pressed key: "left", "space", "escape", ... or the character that it types.

    `repeated` is True if the key has stayed down since its last report.
    """

    name: str
    repeated: bool = False


@dataclass(frozen=True)
class Click:
    """The viewer pressed the left mouse button at a pixel."""

    x: float
    y: float


@dataclass(frozen=True)
class Drag:
    """The viewer moved the mouse to a pixel while the left button was down."""

    x: float
    y: float


@dataclass(frozen=True)
class Release:
    """The viewer released the left mouse button."""


@dataclass(frozen=True)
class Wheel:
    """The viewer turned the mouse wheel over a pixel; `steps` away from the viewer are positive."""

    steps: int
    x: float
    y: float


@dataclass(frozen=True)
class Closed:
    """The viewer closed the window."""


@dataclass(frozen=True)
class Exposed:
    """The window changed in another way, so that it must be drawn again."""


Event = Key | Click | Drag | Release | Wheel | Closed | Exposed
INVISIBLE_DRIVERS = ("dummy", "offscreen")
"""SDL drivers without a visible screen; the screen size that they report is not real."""
REPEAT_AFTER, REPEAT_EVERY = 350, 50
"""The milliseconds before a key that stays down repeats, and between its repeats."""


def demand_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> None:
    """Raises InputError if this machine has no display; SDL would try for seconds, or draw an invisible window."""
    variables = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    if platform.startswith("linux") and not any(environment.get(name) for name in variables):
        raise InputError(NO_DISPLAY)


def open_display(environment: MutableMapping[str, str] = os.environ, platform: str = sys.platform) -> None:
    """Connects to the display. InputError if there is none, or if a variable names one that does not answer.

    Without a display SDL falls back to a driver that draws an invisible window, so only real drivers are offered.
    """
    demand_display(environment, platform)
    pygame = _pygame()
    is_chosen = not platform.startswith("linux") or "SDL_VIDEODRIVER" in environment
    try:
        if not is_chosen:
            environment["SDL_VIDEODRIVER"] = ",".join(
                driver for name, driver in DRIVERS.items() if environment.get(name)
            )
        pygame.display.init()
    except pygame.error as error:
        raise InputError(f"{NO_DISPLAY} ({error})") from None
    finally:
        if not is_chosen:
            del environment["SDL_VIDEODRIVER"]


DRIVERS = {"WAYLAND_DISPLAY": "wayland", "DISPLAY": "x11"}
"""The drivers of SDL on Linux, by the variable that names their display; the first that works is used."""
DESKTOP, HEIGHT = 0.94, 0.9
"""The largest fractions of a screen's width and height that a window takes; its frame and the desktop's bars need the
rest."""
WIDEST, LARGEST = 16 / 9, (2400, 1350)
"""The largest ratio of a window's sides, and its largest size, unless a program asks for another one."""
WITHOUT_SCREEN = 1280, 800
"""The size of a window whose screen is not real."""


def opening_size(desktop: tuple[int, int]) -> tuple[int, int]:
    """The size of a new window on a screen of that size.

    >>> opening_size((1366, 768)), opening_size((1920, 1080)), opening_size((3840, 2160))
    ((1228, 691), (1728, 972), (2400, 1350))
    """
    height = min(int(HEIGHT * desktop[1]), LARGEST[1])
    return min(int(DESKTOP * desktop[0]), int(WIDEST * height), LARGEST[0]), height


class Screen:
    """A window that can be resized. Its canvas has the pixels of the screen. InputError if there is no display.

    Its `size` fits the screen, or is the given one, if the screen is not smaller. If it `is_full`, it fills the screen.
    """

    def __init__(self, size: tuple[int, int] | None, title: str, is_full: bool = False) -> None:
        # Without it Windows draws the window small and then enlarges it.
        os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
        open_display()
        pygame = _pygame()
        try:
            is_real = pygame.display.get_driver() not in INVISIBLE_DRIVERS
            desktop = pygame.display.get_desktop_sizes()[0]
            fitting = opening_size(desktop) if is_real else WITHOUT_SCREEN
            if size is not None:
                fitting = (min(size[0], fitting[0]), min(size[1], fitting[1])) if is_real else size
            first = desktop if is_full and is_real else fitting  # without a window manager nothing else fills it
            self._windowed_size = fitting
            self._window = pygame.Window(title, first, resizable=True, allow_high_dpi=True, fullscreen_desktop=is_full)
            self._surface = self._window.get_surface()
        except pygame.error as error:
            raise InputError(f"{NO_DISPLAY} ({error})") from None
        pygame.key.set_repeat(REPEAT_AFTER, REPEAT_EVERY)
        self._clock = pygame.time.Clock()
        self._keys_down: set[int] = set()
        self._frame: Frame | None = None
        self.is_full = is_full

    def title(self, title: str) -> None:
        """Changes the title of the window."""
        self._window.title = title

    def canvas(self) -> Canvas:
        """The canvas for the next frame, as large as the window is now."""
        from pacman.view.picture.frame import Frame  # a frame is a canvas, so it needs this module

        self._surface = self._window.get_surface()
        size = self._surface.get_size()
        if self._frame is None or (self._frame.width, self._frame.height) != size:
            self._frame = Frame(*size, surface=self._surface)
        return self._frame

    def toggle_full_screen(self) -> None:
        """Changes between a window and the full screen."""
        self.is_full = not self.is_full
        if self.is_full:
            self._windowed_size = self._window.size
            self._window.set_fullscreen(True)
        else:
            self._window.set_windowed()
            self._window.size = self._windowed_size

    def flip(self, fps: float) -> float:
        """Shows the canvas and waits for the next frame; returns the seconds since the last frame."""
        self.present()
        return float(self._clock.tick(fps)) / 1000

    def present(self) -> None:
        """Shows the canvas."""
        if self._frame is not None:
            self._frame.finish()
        self._window.flip()

    def sleep(self, seconds: float) -> float:
        """Sleeps between two looks at the events; returns the seconds slept, 0 if this screen never sleeps.

        SDL's own wait looks a thousand times a second, which takes thirteen times as much of a processor.
        """
        time.sleep(seconds)
        return seconds

    def events(self) -> list[Event]:
        """The events since the last call."""
        events = (self._event(event) for event in _pygame().event.get())
        return [event for event in events if event is not None]

    def _event(self, event: Any) -> Event | None:
        pygame = _pygame()
        if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
            return Closed()
        if event.type == pygame.KEYDOWN:
            typed = event.unicode
            is_character = len(typed) == 1 and typed.isprintable() and typed != " "
            repeated = event.key in self._keys_down
            self._keys_down.add(event.key)
            return Key(typed.lower() if is_character else pygame.key.name(event.key), repeated)
        if event.type == pygame.KEYUP:
            self._keys_down.discard(event.key)
        if event.type == pygame.WINDOWFOCUSLOST:
            self._keys_down.clear()
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            return Click(*self._pixel(event.pos))
        if event.type == pygame.MOUSEMOTION and event.buttons[0]:
            return Drag(*self._pixel(event.pos))
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            return Release()
        if event.type == pygame.MOUSEWHEEL and event.y:
            return Wheel(event.y, *self._pixel(pygame.mouse.get_pos()))
        if pygame.WINDOWSHOWN <= event.type <= pygame.WINDOWLEAVE:
            self._frame = None  # the pixels may be lost
            return Exposed()
        return None

    def _pixel(self, point: Point) -> Point:
        """A point of the window as a point of the canvas, which has more pixels on a high-density screen."""
        scale = self._surface.get_width() / self._window.size[0]
        return point[0] * scale, point[1] * scale

    def close(self) -> None:
        """Closes the window."""
        self._window.destroy()
        _pygame().display.quit()
