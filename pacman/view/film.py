"""A game as a file: an animated GIF or WebP, or a PNG of its last position. Needs no display."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.errors import InputError, nearest
from pacman.game import Ply
from pacman.view.canvas import Canvas
from pacman.view.moment import Moment, Scene, is_round_over
from pacman.view.paint import Frame, Painter
from pacman.view.protocol import Showing
from pacman.view.theme import DARK, Theme, blend

if TYPE_CHECKING:
    from PIL.Image import Image

FPS = 20
END_SECONDS = 2.5
SUFFIXES = (".gif", ".webp", ".png")
DELAY = round(1000 / FPS)
SHADES = 16
TRANSPARENT = 255
"""The place in a film's palette that no colour has."""
Progress = Callable[[int, int], None]


def film(
    showing: Showing,
    path: str | Path,
    *,
    cell: int = 24,
    speed: float = 12.0,
    max_seconds: float | None = None,
    theme: Theme = DARK,
    progress: Progress | None = None,
) -> int:
    """Plays the game to its end and writes it to `path`; returns the number of frames.

    The suffix says what: .gif, .webp, or .png for the last position alone. `cell` is in pixels, `speed` in plies a
    second; everyone who moves in a round glides together. With `max_seconds` the film is cut there. `progress` is
    told (frames done, frames in all). The same game gives the same bytes. InputError for another suffix, for a
    speed or length that is not positive, or when the file cannot be written; then nothing is left behind.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        hint = nearest(suffix, SUFFIXES)
        raise InputError(f"cannot film to '{target}': expected a name that ends in .gif, .webp or .png; {hint}")
    if speed <= 0 or (max_seconds is not None and max_seconds <= 0):
        raise InputError("a film's speed and length are positive numbers")
    writable(target)
    shots = Shots(showing, list(showing), speed, max_seconds)
    buffer = io.BytesIO()
    if suffix == ".png":
        *_, last = shots
        _Studio(last, cell, theme).picture(last).save(buffer, "PNG")
    else:
        animate(pictures(shots, cell, theme, progress), buffer, suffix, theme)
    store(target, buffer.getvalue())
    return 1 if suffix == ".png" else len(shots)


class Shots:
    """The moments of a film, one a frame. They can be gone through again and again."""

    def __init__(self, showing: Showing, plies: list[Ply], speed: float, max_seconds: float | None) -> None:
        self._showing, self._speed = showing, speed
        self._beats: list[list[Ply]] = [[]]
        for ply in plies:
            self._beats[-1].append(ply)
            if is_round_over(ply):
                self._beats.append([])
        self._beats = [beat for beat in self._beats if beat]
        self._most = None if max_seconds is None else max(1, round(max_seconds * FPS))

    def _frames(self, beat: list[Ply]) -> int:
        return max(1, round(FPS * len(beat) / self._speed))

    def __len__(self) -> int:
        whole = 1 + sum(map(self._frames, self._beats)) + round(FPS * END_SECONDS)
        return whole if self._most is None else min(whole, self._most)

    def __iter__(self) -> Iterator[Moment]:
        for number, moment in enumerate(self._all()):
            if number == self._most:
                return
            yield moment

    def _all(self) -> Iterator[Moment]:
        scene = Scene(self._showing.start, self._showing.names)
        yield scene.moment()
        for beat in self._beats:
            scene.begin(beat)
            frames = self._frames(beat)
            for _ in range(frames):
                scene.advance(1 / FPS, FPS * len(beat) / frames)
                yield scene.moment()
        scene.end(self._showing.result)
        for _ in range(round(FPS * END_SECONDS)):
            scene.advance(1 / FPS, 1.0)
            yield scene.moment()


def pictures(shots: Shots, cell: int, theme: Theme, progress: Progress | None) -> Iterator[Image]:
    """Every frame in turn, each made when it is asked for."""
    studio = None
    total = len(shots)
    for number, moment in enumerate(shots, 1):
        studio = studio or _Studio(moment, cell, theme)
        yield studio.picture(moment)
        if progress is not None:
            progress(number, total)


class _Studio:
    """A canvas of the right size for one maze, and who paints on it."""

    def __init__(self, moment: Moment, cell: int, theme: Theme) -> None:
        self.frame = Frame.around(cell, moment.after.maze, len(moment.after.ghosts) + 1)
        self.canvas = Canvas(self.frame.width, self.frame.height)
        self.painter = Painter(theme)

    def picture(self, moment: Moment) -> Image:
        from PIL import Image

        self.painter.paint(self.canvas, moment, self.frame)
        return Image.frombytes("RGB", (self.canvas.width, self.canvas.height), self.canvas.rgb())


def animate(frames: Iterator[Image], buffer: io.BytesIO, suffix: str, theme: Theme) -> None:
    """Writes the frames as an animation that runs for ever."""
    if suffix == ".gif":
        gif(frames, buffer, palette(theme))
    else:
        next(frames).save(
            buffer,
            "WEBP",
            save_all=True,
            append_images=frames,
            duration=DELAY,
            loop=0,
            quality=80,
            method=2,
        )


def gif(frames: Iterator[Image], buffer: io.BytesIO, colours: Image) -> None:
    """Writes frames one by one, so that the longest game fits in memory, with one palette for all of them.

    After the first, a frame holds only the box in which something changed; in it, what did not is transparent.
    """
    from PIL import GifImagePlugin, Image, ImageChops

    shown: Image.Image | None = None
    for frame in frames:
        drawn = frame.quantize(palette=colours, dither=Image.Dither.NONE)
        indices = Image.frombytes("L", drawn.size, drawn.tobytes())
        if shown is None:
            chunks, _ = GifImagePlugin.getheader(drawn, info={"loop": 0})
            chunks = [*chunks, *GifImagePlugin.getdata(drawn, duration=DELAY)]
        else:
            change = ImageChops.difference(indices, shown)
            box = change.getbbox() or (0, 0, 1, 1)  # nothing changed: a frame that only takes its time
            drawn.paste(TRANSPARENT, mask=change.point([255] + [0] * 255))
            part = drawn.crop(box)
            chunks = GifImagePlugin.getdata(part, box[:2], duration=DELAY, transparency=TRANSPARENT, disposal=1)
        buffer.writelines(chunks)
        shown = indices
    buffer.write(b";")


def palette(theme: Theme) -> Image:
    """One palette for a whole film: each colour of the theme in shades over the background, for smooth edges."""
    from PIL import Image

    _, *colours = theme.colours()
    each = min(SHADES, (TRANSPARENT - 1) // len(colours))
    shades = [blend(theme.background, colour, step / each) for colour in colours for step in range(1, each + 1)]
    image = Image.new("P", (1, 1))
    entries = [theme.background, *shades]
    entries += [theme.background] * (TRANSPARENT + 1 - len(entries))
    image.putpalette([channel for colour in entries for channel in colour])
    return image


def writable(target: Path) -> None:
    """InputError at once when a file cannot be made there, rather than after a long game."""
    if target.is_dir():
        raise InputError(f"cannot write '{target}': it is a directory")
    if not target.parent.is_dir():
        raise InputError(f"cannot write '{target}': there is no directory '{target.parent}'")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise InputError(f"cannot write '{target}': permission denied")


def store(target: Path, content: bytes) -> None:
    try:
        target.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write '{target}': {error.strerror}") from None
