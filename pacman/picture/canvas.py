"""Drawing with pygame, which only this file imports, at the first use.

All measures are in pixels from the top left, as floats. `Canvas.antialiased` draws shapes large and then makes them
smaller, so that their edges are smooth. Transparent canvases have premultiplied colours, so that edges get no dark rim.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any

from pacman.core.errors import InputError
from pacman.environment import set_default
from pacman.picture.colours import Colour

Point = tuple[float, float]
ZOOM = 4
INFINITY = "∞", "inf"
"""A sign that the font does not have, and what is written in its place."""


@cache
def pygame_library() -> Any:
    """The module pygame. InputError if it is not installed."""
    set_default("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        raise InputError("drawing needs pygame-ce, which is not installed: python -m pip install pygame-ce") from None
    pygame.font.init()
    return pygame


@cache
def _font(size: int) -> Any:
    """The font that comes with pygame, so that text looks the same on every machine."""
    return pygame_library().font.Font(None, size)


class Canvas:
    """A surface to draw on. Each length is multiplied by `zoom`."""

    def __init__(
        self, width: int, height: int, *, is_transparent: bool = False, zoom: int = 1, surface: Any = None
    ) -> None:
        pygame = pygame_library()
        self.width, self.height, self.zoom = width, height, zoom
        size = (width * zoom, height * zoom)
        self._surface = surface or pygame.Surface(size, pygame.SRCALPHA if is_transparent else 0, 32)
        self.is_opaque = not self._surface.get_flags() & pygame.SRCALPHA

    @classmethod
    def antialiased(cls, width: int, height: int, draw: Callable[[Canvas], None]) -> Canvas:
        """A transparent canvas with the shapes that `draw` draws; their edges are smooth."""
        large = cls(width, height, is_transparent=True, zoom=ZOOM)
        draw(large)
        return large.scaled(width, height)

    def faded(self, opacity: float) -> Canvas:
        """A copy whose opacity is multiplied by `opacity` (0 to 1)."""
        pygame = pygame_library()
        surface, level = self._surface.copy(), round(255 * max(0.0, min(1.0, opacity)))
        surface.fill((level, level, level, level), special_flags=pygame.BLEND_RGBA_MULT)
        return Canvas(self.width, self.height, zoom=self.zoom, surface=surface)

    def scaled(self, width: int, height: int) -> Canvas:
        """A copy of that size."""
        return Canvas(width, height, surface=pygame_library().transform.smoothscale(self._surface, (width, height)))

    def fill(self, colour: Colour) -> None:
        """Fills the whole canvas."""
        self._surface.fill(colour)

    def paste(self, picture: Canvas, x: float, y: float) -> None:
        """Draws another canvas with its top left corner at (x, y). An opaque canvas is copied, which is faster."""
        flags = 0 if picture.is_opaque else pygame_library().BLEND_PREMULTIPLIED
        self._surface.blit(picture._surface, (round(x), round(y)), special_flags=flags)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Draws a disc with its centre at (x, y)."""
        zoom, draw = self.zoom, pygame_library().draw
        circle = draw.circle if zoom > 1 else draw.aacircle
        circle(self._surface, colour, (x * zoom, y * zoom), radius * zoom)

    def ellipse(self, x: float, y: float, half_width: float, half_height: float, colour: Colour) -> None:
        """Draws an ellipse with its centre at (x, y)."""
        zoom = self.zoom
        area = ((x - half_width) * zoom, (y - half_height) * zoom, 2 * half_width * zoom, 2 * half_height * zoom)
        pygame_library().draw.ellipse(self._surface, colour, [round(edge) for edge in area])

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """Draws a polygon and fills it."""
        zoom = self.zoom
        pygame_library().draw.polygon(self._surface, colour, [(x * zoom, y * zoom) for x, y in points])

    def pie(self, x: float, y: float, radius: float, begin: float, end: float, colour: Colour) -> None:
        """Draws the sector of a disc between two angles, in degrees, counterclockwise from East."""
        steps = max(2, round(abs(end - begin) / 3))
        angles = [(begin + (end - begin) * step / steps) * pi / 180 for step in range(steps + 1)]
        self.polygon([(x, y), *((x + radius * cos(a), y - radius * sin(a)) for a in angles)], colour)

    def box(
        self, x: float, y: float, width: float, height: float, colour: Colour, radius: float = 0, edge: float = 0
    ) -> None:
        """Draws a rectangle, or only its `edge` of this width, inside it; `radius` is that of its corners."""
        zoom = self.zoom
        left, top, right, bottom = (round(side * zoom) for side in (x, y, x + width, y + height))
        area, corner = (left, top, right - left, bottom - top), round(radius * zoom)
        pygame_library().draw.rect(self._surface, colour, area, round(edge * zoom), border_radius=corner)

    def line(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        """Draws a line through the points, with round joins and ends. Its edges are smooth on any canvas."""
        zoom, thick = self.zoom, round(width * self.zoom) + 1
        for x, y in points:
            self.disc(x, y, width / 2, colour)
        for (x, y), (to_x, to_y) in pairwise(points):
            # The width of an `aaline` is across or down, and not at a right angle to a slanted line.
            slant = hypot(to_x - x, to_y - y) / (max(abs(to_x - x), abs(to_y - y)) or 1.0)
            ends = (x * zoom, y * zoom), (to_x * zoom, to_y * zoom)
            pygame_library().draw.aaline(self._surface, colour, *ends, round(thick * slant))

    def tubes(self, lines: Sequence[Sequence[Point]], width: float, colour: Colour) -> None:
        """Draws lines along the axes; a closed one is filled."""
        for points in lines:
            self.line(points, width, colour)
            if len(points) > 2:
                self.polygon(points, colour)

    def glow(self, lines: Sequence[Sequence[Point]], width: float, colour: Colour, blur: int, opacity: float) -> None:
        """Draws such lines blurred, with this opacity (0 to 1).

        A wide blur is made on a smaller copy: it looks the same and takes 1 % of the time.
        """
        layer, factor = Canvas(self.width, self.height, is_transparent=True), max(1, blur // 4)
        layer.tubes(lines, width, colour)
        small = layer.scaled(max(1, self.width // factor), max(1, self.height // factor))
        surface = pygame_library().transform.gaussian_blur(small._surface, max(1, blur // factor))
        blurred = Canvas(small.width, small.height, surface=surface)
        self.paste(blurred.scaled(self.width, self.height).faded(opacity), 0, 0)

    def text(
        self, text: str, x: float, y: float, size: float, colour: Colour, anchor: float = 0.0, opacity: float = 1.0
    ) -> None:
        """Draws a line of text, its middle at height `y`.

        `anchor` says which point of the text is at `x`: 0 the left end, 0.5 the middle, 1 the right end.
        `opacity` goes from 0 to 1.
        """
        x -= anchor * text_width(text, size)
        for picture, left in _text_pieces(text, max(8, round(size)), colour, opacity):
            self.paste(picture, x + left, y - picture.height / 2)

    def subcanvas(self, x: int, y: int, width: int, height: int) -> Canvas:
        """A rectangle of this canvas as a canvas that shares its pixels."""
        return Canvas(width, height, surface=self._surface.subsurface((x, y, width, height)))

    def rgb(self) -> bytes:
        """The pixels row by row, three bytes each."""
        return bytes(pygame_library().image.tobytes(self._surface, "RGB"))

    def png(self) -> bytes:
        """The picture as the bytes of a PNG file."""
        file = io.BytesIO()
        pygame_library().image.save(self._surface, file, ".png")
        return file.getvalue()

    def pixel(self, x: int, y: int) -> Colour:
        """The colour of a pixel."""
        red, green, blue, _ = self._surface.get_at((x, y))
        return red, green, blue


@lru_cache(maxsize=1024)
def _text_pieces(text: str, size: int, colour: Colour, opacity: float) -> list[tuple[Canvas, float]]:
    """The pictures of a line of text, and where each begins.

    Words come again and are kept as pictures; numbers are new in each frame and are put together from their letters.
    """
    text, width_of = text.replace(*INFINITY), _font(size * ZOOM).size
    words = text.split(" ") if any(map(str.isdigit, text)) else [text]
    pieces, end = list[tuple[Canvas, float]](), 0
    for word in words:
        for piece in word if any(map(str.isdigit, word)) else filter(None, [word]):
            end += len(piece)
            left = (width_of(text[:end])[0] - width_of(piece)[0]) / ZOOM  # some pairs are closer together, as "7."
            pieces.append((_text_image(piece, size, colour, opacity), left))
        end += 1
    return pieces


@lru_cache(maxsize=1024)
def _text_image(text: str, size: int, colour: Colour, opacity: float = 1.0) -> Canvas:
    """A line of text on a transparent canvas. It is drawn large and made smaller, to keep the letters' distances."""
    if opacity < 1:
        return _text_image(text, size, colour).faded(opacity)
    large = _font(size * ZOOM).render(text, True, colour)
    width, height = (max(1, round(side / ZOOM)) for side in large.get_size())
    return Canvas(width, height, surface=pygame_library().transform.smoothscale(large.premul_alpha(), (width, height)))


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> int:
    """The width in pixels of a text that `Canvas.text` draws."""
    return max(1, round(int(_font(max(8, round(size)) * ZOOM).size(text.replace(*INFINITY))[0]) / ZOOM))
