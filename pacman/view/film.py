"""A game as a file: an animated GIF or WebP, an MP4, or a PNG of its last position. Needs no display."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.errors import InputError, nearest
from pacman.game import Ply
from pacman.state import GameState
from pacman.view.canvas import Canvas
from pacman.view.encode import FPS, demand_ffmpeg, encoded
from pacman.view.frame import Frame
from pacman.view.moment import Moment, Status
from pacman.view.overlay import NONE
from pacman.view.pace import SPEED
from pacman.view.paint import Painter, nothing
from pacman.view.panel import Panel
from pacman.view.protocol import Showing
from pacman.view.scene import Scene
from pacman.view.sight import Insight
from pacman.view.study import Think
from pacman.view.theme import DARK, Theme
from pacman.view.timeline import is_round_over

if TYPE_CHECKING:
    from PIL.Image import Image

END_SECONDS = 2.5
SUFFIXES = (".gif", ".webp", ".mp4", ".png")
Progress = Callable[[int, int], None]
WITH_TREE = 1280, 720
"""The size of a film with a tree, if none is asked for."""


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
    progress: Progress | None = None,
) -> int:
    """Plays the game to its end and writes it to `path`; returns the number of frames.

    The suffix says what: .gif, .webp, .mp4, or .png for the last position alone. The picture is as large as cells of
    `cell` pixels need, or of `size`. `speed` is in rounds a second, as in a window, and all of a round glide
    together. With `max_seconds` the film is cut there. `overlay` shows what `think` finds in each position, and
    `tree` the searched tree beside the board, in a picture of 1280 x 720 if no size is given. `progress` is told
    (frames done, frames in all). The same game gives the same bytes. InputError for another suffix, for a speed or
    length that is not positive, or when the file cannot be written; then nothing is left behind.
    """
    target = Path(path)
    suffix = demand_suffix(target)
    if speed <= 0 or (max_seconds is not None and max_seconds <= 0):
        raise InputError("a film's speed and length are positive numbers")
    writable(target)
    shots = Shots(showing, list(showing), speed, max_seconds, FPS.get(suffix, 20))
    studio = _Studio(showing.start, cell, size, theme, think, overlay, tree)
    if suffix == ".png":
        *_, last = shots
        buffer = io.BytesIO()
        studio.picture(last).save(buffer, "PNG")
        store(target, buffer.getvalue())
        return 1
    store(target, encoded(pictures(shots, studio, progress), suffix, theme))
    return len(shots)


def demand_suffix(target: Path) -> str:
    """The kind of film; InputError for one that cannot be made here."""
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        hint = nearest(suffix, SUFFIXES)
        raise InputError(f"cannot film to '{target}': expected a name that ends in .gif, .webp, .mp4 or .png; {hint}")
    if suffix == ".mp4":
        demand_ffmpeg()
    return suffix


class Shots:
    """The moments of a film, one a frame. They can be gone through again and again."""

    def __init__(
        self, showing: Showing, plies: list[Ply], speed: float, max_seconds: float | None = None, fps: int = 20
    ) -> None:
        self._showing, self._fps = showing, fps
        self._speed = speed * len(showing.start.layers)
        self._beats: list[list[Ply]] = [[]]
        for ply in plies:
            self._beats[-1].append(ply)
            if is_round_over(ply):
                self._beats.append([])
        self._beats = [beat for beat in self._beats if beat]
        self._most = None if max_seconds is None else max(1, round(max_seconds * fps))

    def _frames(self, beat: list[Ply]) -> int:
        return max(1, round(self._fps * len(beat) / self._speed))

    def __len__(self) -> int:
        whole = 1 + sum(map(self._frames, self._beats)) + round(self._fps * END_SECONDS)
        return whole if self._most is None else min(whole, self._most)

    def __iter__(self) -> Iterator[Moment]:
        for number, moment in enumerate(self._all()):
            if number == self._most:
                return
            yield moment

    def _all(self) -> Iterator[Moment]:
        scene = Scene(self._showing.start, self._showing.names)
        seconds = [0.0] * len(self._showing.start.layers)
        status = Status(seconds=tuple(seconds), limit=self._showing.move_timeout)
        yield scene.moment(status)
        for number, beat in enumerate(self._beats, 1):
            scene.begin(beat)
            for ply in beat:
                seconds[ply.agent] = ply.seconds
            status = replace(status, rounds=number, seconds=tuple(seconds))
            frames = self._frames(beat)
            for _ in range(frames):
                scene.advance(1 / self._fps, self._fps * len(beat) / frames)
                yield scene.moment(status)
        scene.end(self._showing.result)
        for _ in range(round(self._fps * END_SECONDS)):
            scene.advance(1 / self._fps, 1.0)
            yield scene.moment(status)


def pictures(shots: Shots, studio: _Studio, progress: Progress | None) -> Iterator[Image]:
    """Every frame in turn, each made when it is asked for."""
    total = len(shots)
    for number, moment in enumerate(shots, 1):
        yield studio.picture(moment)
        if progress is not None:
            progress(number, total)


class _Studio:
    """A canvas of the right size for one maze, and who paints on it."""

    def __init__(
        self,
        start: GameState,
        cell: int,
        size: tuple[int, int] | None,
        theme: Theme,
        think: Think | None,
        overlay: str,
        tree: bool,
    ) -> None:
        if tree:
            self.frame = Frame.fit(*(size or WITH_TREE), start.maze, timeline=False, panel=True)
        elif size is None:
            self.frame = Frame.around(cell, start.maze, len(start.layers))
        else:
            self.frame = Frame.fit(*size, start.maze, timeline=False)
        self.canvas = Canvas(self.frame.width, self.frame.height)
        self.painter = Painter(theme)
        self.sight = Insight(think, theme, overlay) if think is not None and (overlay != NONE or tree) else None
        self.panel = Panel(theme) if tree else None

    def picture(self, moment: Moment) -> Image:
        from PIL import Image

        under, over = self.sight.drawings(moment) if self.sight else (nothing, nothing)
        self.painter.paint(self.canvas, moment, self.frame, under, over)
        if self.panel is not None and self.sight is not None:
            self.panel.show(self.sight.study, "the game is over")
            self.panel.draw(self.canvas, self.frame.panel, self.frame.unit)
        return Image.frombytes("RGB", (self.canvas.width, self.canvas.height), self.canvas.rgb())


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
