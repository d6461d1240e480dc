"""A game as a file: an animated GIF or WebP, an MP4, or a PNG of its last position. Needs no display."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.core.errors import InputError, nearest
from pacman.view.film.encode import FPS, demand_ffmpeg, encoded
from pacman.view.film.shots import Shots
from pacman.view.film.studio import Studio
from pacman.view.insight.overlay import NONE
from pacman.view.insight.study import Think
from pacman.view.pace import SPEED
from pacman.view.protocol import Showing
from pacman.view.theme import DARK, Theme

if TYPE_CHECKING:
    from PIL.Image import Image

SUFFIXES = (".gif", ".webp", ".mp4", ".png")
Progress = Callable[[int, int], None]


def film(
    showing: Showing,
    path: str | Path,
    *,
    cell: int = 24,
    size: tuple[int, int] | None = None,
    speed: float = SPEED,
    max_seconds: float | None = None,
    theme: Theme = DARK,
    think: Think | None = None,
    overlay: str = NONE,
    tree: bool = False,
    beside: Sequence[Showing] = (),
    progress: Progress | None = None,
) -> int:
    """Plays the game to its end and writes it to `path`; returns the number of frames.

    The suffix says what: .gif, .webp, .mp4, or .png for the last position alone. The picture is as large as cells of
    `cell` pixels need, or of `size`. `speed` is in rounds a second, as in a window, and all of a round glide
    together. With `max_seconds` the film is cut there. `overlay` shows what `think` finds in each position, and
    `tree` the searched tree beside the board, in a picture of 1280 x 720 if no size is given. The games `beside`
    it stand to its right, in the same round and as large as it is; of a `size` each gets its part. `progress` is told
    (frames done, frames in all). The same game gives the same bytes. InputError for another suffix, for a speed or
    length that is not positive, or when the file cannot be written; then nothing is left behind.
    """
    target = Path(path)
    suffix = demand_suffix(target)
    if speed <= 0 or (max_seconds is not None and max_seconds <= 0):
        raise InputError("a film's speed and length are positive numbers")
    writable(target)
    showings = [showing, *beside]
    if size is not None:
        size = size[0] // len(showings) // 2 * 2, size[1]
    shots = [Shots(one, list(one), speed, max_seconds, FPS.get(suffix, 20)) for one in showings]
    studios = [Studio(one.start, cell, size, theme, think, overlay, tree) for one in showings]
    if suffix == ".png":
        buffer = io.BytesIO()
        abreast([studio.picture(one.last) for one, studio in zip(shots, studios, strict=True)], theme).save(
            buffer, "PNG"
        )
        store(target, buffer.getvalue())
        return 1
    store(target, encoded(pictures(shots, studios, theme, progress), suffix, theme))
    return max(map(len, shots))


def demand_suffix(target: Path) -> str:
    """The kind of film; InputError for one that cannot be made here."""
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        hint = nearest(suffix, SUFFIXES)
        raise InputError(f"cannot film to '{target}': expected a name that ends in .gif, .webp, .mp4 or .png; {hint}")
    if suffix == ".mp4":
        demand_ffmpeg()
    return suffix


def pictures(
    shots: Sequence[Shots], studios: Sequence[Studio], theme: Theme, progress: Progress | None
) -> Iterator[Image]:
    """Every frame in turn, each made when it is asked for; a game that is over stays as it is."""
    total = max(map(len, shots))
    there: list[Image | None] = [None] * len(shots)
    for number, moments in enumerate(zip_longest(*shots), 1):
        there = [
            shown if moment is None else studio.picture(moment)
            for shown, moment, studio in zip(there, moments, studios, strict=True)
        ]
        yield abreast([picture for picture in there if picture is not None], theme)
        if progress is not None:
            progress(number, total)


def abreast(images: Sequence[Image], theme: Theme) -> Image:
    """Pictures beside one another, on the theme's background."""
    from PIL import Image

    if len(images) == 1:
        return images[0]
    sheet = Image.new("RGB", (sum(image.width for image in images), max(image.height for image in images)))
    sheet.paste(theme.background, (0, 0, *sheet.size))
    left = 0
    for image in images:
        sheet.paste(image, (left, 0))
        left += image.width
    return sheet


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
