"""Writes a game to a file: an animated GIF or WebP, an MP4, or a PNG of its last position. Needs no display."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.core.errors import InputError, nearest
from pacman.core.state import GameState
from pacman.view.analysis.panel import Panel
from pacman.view.analysis.search_report import Analyse, SearchReport
from pacman.view.film.encode import FPS, demand_ffmpeg, encode
from pacman.view.film.frames import FilmFrames
from pacman.view.overlays.overlay import NONE, drawings, table_size
from pacman.view.picture.canvas import Canvas
from pacman.view.picture.paint import Painter
from pacman.view.picture.screen_regions import Regions
from pacman.view.picture.visible_state import VisibleState
from pacman.view.speed import SPEED
from pacman.view.theme import DARK, Theme
from pacman.view.view_protocol import ViewedGame, layers_for_search

if TYPE_CHECKING:
    from PIL.Image import Image

SUFFIXES = (".gif", ".webp", ".mp4", ".png")
WITH_TREE = 1280, 720
"""The default size of a film with a search tree."""
LECTURE_SECONDS, QUIZ_PART = 5.0, 0.5
"""How long a film for a lecture waits before each move of Pacman, and the part of this time without the values."""
Progress = Callable[[int, int], None]


def film(
    game: ViewedGame,
    path: str | Path,
    *,
    cell: int = 24,
    size: tuple[int, int] | None = None,
    speed: float = SPEED,
    max_seconds: float | None = None,
    theme: Theme = DARK,
    analyse: Analyse | None = None,
    overlay: str = NONE,
    tree: bool = False,
    lecture: bool = False,
    beside: Sequence[ViewedGame] = (),
    progress: Progress | None = None,
) -> int:
    """Plays the game to its end and writes it to `path`; returns the number of frames.

    The suffix is .gif, .webp, .mp4, or .png for the last position only. The cells have `cell` pixels, or the whole
    picture has `size`. `speed` is in rounds per second, as in a window; all agents of a round glide together. After
    `max_seconds` the film ends. `overlay` shows the result of `analyse` in each position. `tree` shows the search tree
    beside or below the board, in a picture of 1280 x 720 if there is no `size`. With `lecture` it is in large type, and
    the film waits before each move of Pacman: first without the values, then with them. The games `beside` are to the
    right of `game`, in the same round and as large; a `size` is divided among them. `progress` gets (frames done, all
    frames). The same game gives the same bytes. InputError for another suffix, for a speed or length that is not
    positive, or if the file cannot be written; then no file is left.
    """
    target = Path(path)
    suffix = demand_suffix(target)
    if speed <= 0 or (max_seconds is not None and max_seconds <= 0):
        length = "" if max_seconds is None else f" and {max_seconds:g} seconds"
        raise InputError(f"the speed and the length of a film must be positive: got {speed:g} rounds/s{length}")
    demand_writable(target)
    games = [game, *beside]
    if size is not None:
        size = size[0] // len(games) // 2 * 2, size[1]
    fps, hold = FPS.get(suffix, 20), LECTURE_SECONDS if lecture else 0.0
    films = [FilmFrames(one, speed, max_seconds, fps, hold) for one in games]
    parts = [film_regions(one.start, cell, size, overlay, tree, lecture) for one in games]
    page = Canvas(sum(regions.width for regions in parts), max(regions.height for regions in parts))
    page.fill(theme.background)
    lefts = accumulate((regions.width for regions in parts), initial=0)
    painters = [
        FramePainter(
            page.subcanvas(left, 0, regions.width, regions.height),
            regions,
            theme,
            analyse,
            overlay,
            tree or lecture,
            round(QUIZ_PART * hold * fps) if suffix != ".png" else 0,
            lecture,
        )
        for left, regions in zip(lefts, parts, strict=False)
    ]
    is_still = suffix == ".png"
    total = 1 if is_still else max(map(len, films))
    frames = iter([[one.last for one in films]]) if is_still else zip_longest(*films)

    def pictures() -> Iterator[Image]:
        """The frames one by one, painted on demand. A game that is over keeps its last picture."""
        from PIL.Image import frombytes

        for number, snapshots in enumerate(frames, 1):
            for painter, visible in zip(painters, snapshots, strict=True):
                if visible is not None:
                    painter.paint(visible)
            yield frombytes("RGB", (page.width, page.height), page.rgb())
            if progress is not None:
                progress(number, total)

    write(target, encode(pictures(), suffix, theme))
    return total


def film_regions(
    start: GameState, cell: int, size: tuple[int, int] | None, overlay: str, tree: bool, lecture: bool = False
) -> Regions:
    """The regions in the picture of one game."""
    table = table_size(overlay, len(start.layers))
    if tree or lecture or size is not None:
        has_panel = tree or lecture
        return Regions.fit(
            *(size or WITH_TREE), start.maze, timeline=False, panel=has_panel, lecture=lecture, table=table
        )
    return Regions.around(cell, start.maze, len(start.layers), table[1] if table else 0.0)


class FramePainter:
    """Paints the frames of one game: the board and the search of its position. Each frame waits for the search.

    The first `quiz_frames` frames of a position in which Pacman moves do not show the values.
    """

    def __init__(
        self,
        canvas: Canvas,
        regions: Regions,
        theme: Theme,
        analyse: Analyse | None,
        overlay: str,
        tree: bool,
        quiz_frames: int = 0,
        lecture: bool = False,
    ) -> None:
        self.canvas, self.regions, self.theme, self.overlay = canvas, regions, theme, overlay
        self.analyse = analyse if overlay != NONE or tree else None
        self.painter = Painter(theme)
        self.panel = Panel(theme, has_buttons=False) if tree and analyse else None
        self.state: GameState | None = None
        self.report: SearchReport | None = None
        self.quiz_frames, self._frames_here = quiz_frames, 0
        if self.panel is not None:
            self.panel.is_lecture = lecture

    def paint(self, visible: VisibleState) -> None:
        """Paints one frame. The search is that of the position before the glide."""
        state = visible.before if visible.fraction < 1 else visible.after
        self._frames_here = self._frames_here + 1 if state is self.state else 1
        is_asking = self._frames_here <= self.quiz_frames and state.mover == 0
        if self.analyse is not None and state is not self.state:
            self.state, self.report = state, None if state.is_terminal else self.analyse(state)
        if self.report is not None and isinstance(root := self.report.root, GameState):
            visible = replace(visible, status=replace(visible.status, layers=layers_for_search(root, None)))
        under, over = drawings(None if is_asking else self.report, self.overlay, self.theme, visible)
        self.painter.paint(self.canvas, visible, self.regions, under, over)
        if self.panel is not None:
            self.panel.show(self.report, "the game is over")
            self.panel.hide_values(is_asking)
            self.panel.draw(self.canvas, self.regions.panel, self.regions.unit)


def demand_suffix(target: Path) -> str:
    """The suffix of a film file, in lower case. InputError if this machine cannot write such a film."""
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        hint = nearest(suffix, SUFFIXES)
        raise InputError(f"cannot film to '{target}': expected a name that ends in .gif, .webp, .mp4 or .png; {hint}")
    if suffix == ".mp4":
        demand_ffmpeg()
    return suffix


def demand_writable(target: Path) -> None:
    """Raises InputError before a long game if the file cannot be written."""
    if target.is_dir():
        raise InputError(f"cannot write '{target}': it is a directory")
    if not target.parent.is_dir():
        raise InputError(f"cannot write '{target}': there is no directory '{target.parent}'")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise InputError(f"cannot write '{target}': permission denied")


def write(target: Path, content: bytes) -> None:
    """Writes the file. InputError if that fails."""
    try:
        target.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write '{target}': {error.strerror}") from None
