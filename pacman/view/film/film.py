"""A game as a file: an animated GIF or WebP, an MP4, or a PNG of its last position. Needs no display."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.core.errors import InputError, nearest
from pacman.core.state import GameState
from pacman.view.analysis.overlay import LAYERS, NONE, table_height
from pacman.view.analysis.panel import Panel
from pacman.view.analysis.search_display import drawings
from pacman.view.analysis.search_report import Analyse, SearchReport
from pacman.view.film.encode import FPS, demand_ffmpeg, encoded
from pacman.view.film.shots import FilmFrames
from pacman.view.picture.canvas import Canvas
from pacman.view.picture.paint import Painter
from pacman.view.picture.regions import Regions
from pacman.view.picture.snapshot import Snapshot
from pacman.view.protocol import ViewedGame
from pacman.view.speed import SPEED
from pacman.view.theme import DARK, Theme

if TYPE_CHECKING:
    from PIL.Image import Image

SUFFIXES = (".gif", ".webp", ".mp4", ".png")
WITH_TREE = 1280, 720
"""The size of a film with a tree, if none is asked for."""
Progress = Callable[[int, int], None]


def film(
    showing: ViewedGame,
    path: str | Path,
    *,
    cell: int = 24,
    size: tuple[int, int] | None = None,
    speed: float = SPEED,
    max_seconds: float | None = None,
    theme: Theme = DARK,
    think: Analyse | None = None,
    overlay: str = NONE,
    tree: bool = False,
    beside: Sequence[ViewedGame] = (),
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
    shots = [FilmFrames(one, speed, max_seconds, FPS.get(suffix, 20)) for one in showings]
    frames = [frame_of(one.start, cell, size, overlay, tree) for one in showings]
    page = Canvas(sum(frame.width for frame in frames), max(frame.height for frame in frames))
    page.fill(theme.background)
    lefts = accumulate((frame.width for frame in frames), initial=0)
    artists = [
        Artist(page.part(left, 0, frame.width, frame.height), frame, theme, think, overlay, tree)
        for left, frame in zip(lefts, frames, strict=False)
    ]
    is_still = suffix == ".png"
    total = 1 if is_still else max(map(len, shots))
    reel = iter([[one.last for one in shots]]) if is_still else zip_longest(*shots)

    def pictures() -> Iterator[Image]:
        """Every frame in turn, each made when it is asked for; a game that is over stays as it is."""
        from PIL.Image import frombytes

        for number, moments in enumerate(reel, 1):
            for artist, moment in zip(artists, moments, strict=True):
                if moment is not None:
                    artist.paint(moment)
            yield frombytes("RGB", (page.width, page.height), page.rgb())
            if progress is not None:
                progress(number, total)

    store(target, encoded(pictures(), suffix, theme))
    return total


def frame_of(start: GameState, cell: int, size: tuple[int, int] | None, overlay: str, tree: bool) -> Regions:
    """Where everything goes in the picture of one game."""
    if tree:
        return Regions.fit(*(size or WITH_TREE), start.maze, timeline=False, panel=True)
    if size is not None:
        return Regions.fit(*size, start.maze, timeline=False)
    below = table_height(len(start.layers)) if overlay == LAYERS else 0.0
    return Regions.around(cell, start.maze, len(start.layers), below)


class Artist:
    """Paints one of the games: the board, and what a search finds there, for which it waits."""

    def __init__(
        self, canvas: Canvas, frame: Regions, theme: Theme, think: Analyse | None, overlay: str, tree: bool
    ) -> None:
        self.canvas, self.frame, self.theme, self.overlay = canvas, frame, theme, overlay
        self.think = think if overlay != NONE or tree else None
        self.painter = Painter(theme)
        self.panel = Panel(theme, has_buttons=False) if tree and think else None
        self.state: GameState | None = None
        self.study: SearchReport | None = None

    def paint(self, moment: Snapshot) -> None:
        """The search that is seen is that of the position that they are coming from."""
        state = moment.before if moment.fraction < 1 else moment.after
        if self.think is not None and state is not self.state:
            self.state, self.study = state, None if state.is_terminal else self.think(state)
        under, over = drawings(self.study, self.overlay, self.theme, moment)
        self.painter.paint(self.canvas, moment, self.frame, under, over)
        if self.panel is not None:
            self.panel.show(self.study, "the game is over")
            self.panel.draw(self.canvas, self.frame.panel, self.frame.unit)


def demand_suffix(target: Path) -> str:
    """The kind of film; InputError for one that cannot be made here."""
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        hint = nearest(suffix, SUFFIXES)
        raise InputError(f"cannot film to '{target}': expected a name that ends in .gif, .webp, .mp4 or .png; {hint}")
    if suffix == ".mp4":
        demand_ffmpeg()
    return suffix


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
