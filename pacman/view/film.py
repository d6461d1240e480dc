"""Writes games to a file: an animated GIF or WebP, an MP4, or a PNG of its last position. Needs no display."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.core.errors import InputError, nearest
from pacman.core.state import GameState
from pacman.picture.canvas import Canvas
from pacman.picture.colours import DARK, Theme, blend
from pacman.picture.moment import Animation, Status, VisibleState
from pacman.picture.overlays import NONE, drawings, table_size
from pacman.picture.paint import Painter
from pacman.picture.screen_regions import LECTURE, LIST, Regions
from pacman.play.game import Ply
from pacman.play.series import differences
from pacman.record.report import Analyse, SearchReport
from pacman.view.panel import Panel
from pacman.view.speed import SPEED
from pacman.view.timeline import is_round_over
from pacman.view.view_protocol import ViewedGame, layers_for_search

if TYPE_CHECKING:
    from PIL.Image import Image

SUFFIXES = (".gif", ".webp", ".mp4", ".png")
WITH_TREE = 1280, 720
"""The default size of a film with a search tree."""
STRIP = 24
"""The height of the strip below several games, in pixels."""
LECTURE_SECONDS, QUIZ_PART = 5.0, 0.5
"""How long a film for a lecture waits before each move of Pacman, and the part of this time without the values."""
END_SECONDS = 2.5
Progress = Callable[[int, int], None]
"""A function that gets (frames done, all frames)."""


@dataclass(frozen=True)
class Film:
    """What a film shows, and how.

    The cells have `cell` pixels, or the whole picture has `size`. `speed` is in rounds per second, as in a window; all
    agents of a round glide together. After `max_seconds` the film ends. `overlay` shows the result of `analyse` in each
    position. `tree` shows the search tree beside or below the board, in a picture of 1280 x 720 if there is no `size`.
    With `lecture` it is in large type, and the film waits before each move of Pacman: first without the values, then
    with them.
    """

    cell: int = 24
    size: tuple[int, int] | None = None
    speed: float = SPEED
    max_seconds: float | None = None
    theme: Theme = DARK
    analyse: Analyse | None = None
    overlay: str = NONE
    tree: bool = False
    lecture: bool = False

    def write(self, path: str | Path, *games: ViewedGame, progress: Progress | None = None) -> int:
        """Plays the games to their ends and writes them to `path`; returns the number of frames.

        The suffix is .gif, .webp, .mp4, or .png for the last position only. Several games are side by side, in the same
        round and equally large; a `size` is divided among them. The same games give the same bytes. InputError for
        another suffix, for a speed or length that is not positive, or if the file cannot be written; then no file is
        left.
        """
        target = Path(path)
        suffix = demand_suffix(target)
        if self.speed <= 0 or (self.max_seconds is not None and self.max_seconds <= 0):
            length = "" if self.max_seconds is None else f" and {self.max_seconds:g} seconds"
            raise InputError(
                f"the speed and the length of a film must be positive: got {self.speed:g} rounds/s{length}"
            )
        demand_writable(target)
        fps, hold, is_still = FPS.get(suffix, 20), LECTURE_SECONDS if self.lecture else 0.0, suffix == ".png"
        films = [FilmFrames(game, self.speed, self.max_seconds, fps, hold) for game in games]
        parts = [self._regions(game.start, len(games)) for game in games]
        height = max(regions.height for regions in parts)
        strip = Strip(films, self.theme) if len(films) > 1 else None
        page = Canvas(sum(regions.width for regions in parts), height + (STRIP if strip else 0))
        page.fill(self.theme.background)
        lefts = accumulate((regions.width for regions in parts), initial=0)
        quiz_frames = 0 if is_still else round(QUIZ_PART * hold * fps)
        painters = [
            FramePainter(self, page.subcanvas(left, 0, regions.width, regions.height), regions, quiz_frames)
            for left, regions in zip(lefts, parts, strict=False)
        ]
        total = 1 if is_still else max(map(len, films))
        frames = iter([[one.last for one in films]]) if is_still else zip_longest(*films)

        def pictures() -> Iterator[Image]:
            """The frames one by one, painted on demand. A game that is over keeps its last picture."""
            from PIL.Image import frombytes

            for number, snapshots in enumerate(frames, 1):
                for painter, visible in zip(painters, snapshots, strict=True):
                    if visible is not None:
                        painter.paint(visible)
                if strip is not None:
                    strip.paint(page, height, number / total)
                yield frombytes("RGB", (page.width, page.height), page.rgb())
                if progress is not None:
                    progress(number, total)

        content = encode(pictures(), suffix, self.theme)
        try:
            target.write_bytes(content)
        except OSError as error:
            raise InputError(f"cannot write '{target}': {error.strerror}") from None
        return total

    def _regions(self, start: GameState, games: int) -> Regions:
        """The regions in the picture of one of several games."""
        table = table_size(self.overlay, len(start.layers))
        panel = LECTURE if self.lecture else LIST if self.tree else None
        if panel is None and self.size is None:
            return Regions.around(self.cell, start.maze, len(start.layers), table[1] if table else 0.0)
        strip = STRIP if games > 1 else 0
        width, height = (self.size[0] // games // 2 * 2, self.size[1] - strip) if self.size else WITH_TREE
        return Regions.fit(width, height, start.maze, timeline=False, panel=panel, table=table, is_part=games > 1)


class Strip:
    """The strip below games side by side: a mark for each round in which the choices of Pacman differ."""

    def __init__(self, films: Sequence[FilmFrames], theme: Theme) -> None:
        self.theme = theme
        self._rounds = max(len(film.rounds) for film in films)
        plies = differences([[ply for part in film.rounds for ply in part] for film in films])
        length = len(films[0].rounds[0]) if films[0].rounds else 1
        self._marks = sorted({ply // length for ply in plies})

    def paint(self, page: Canvas, top: int, share: float) -> None:
        """Paints the strip, and how far the film has come: a share of its frames."""
        theme, left, width = self.theme, 0.15 * page.width, 0.82 * page.width
        page.box(0, top, page.width, STRIP, theme.background)
        page.box(left, top + 0.3 * STRIP, width, 0.4 * STRIP, blend(theme.background, theme.muted, 0.16))
        for number, mark in enumerate(self._marks):
            colour = theme.text if number else theme.readable(theme.pacman, theme.background)
            page.box(left + width * mark / self._rounds, top + 0.15 * STRIP, 2, 0.7 * STRIP, colour)
        page.box(left, top + 0.7 * STRIP, share * width, 0.12 * STRIP, theme.pacman)
        page.text("choices differ", 0.02 * page.width, top + 0.5 * STRIP, 0.65 * STRIP, theme.muted)


class FramePainter:
    """Paints the frames of one game: the board and the search of its position. Each frame waits for the search.

    The first `quiz_frames` frames of a position in which Pacman moves do not show the values.
    """

    def __init__(self, film: Film, canvas: Canvas, regions: Regions, quiz_frames: int) -> None:
        self.film, self.canvas, self.regions = film, canvas, regions
        has_tree = film.tree or film.lecture
        self.analyse = film.analyse if film.overlay != NONE or has_tree else None
        self.painter = Painter(film.theme)
        self.panel = Panel(film.theme, has_buttons=False) if has_tree and film.analyse else None
        self.state: GameState | None = None
        self.report: SearchReport | None = None
        self.quiz_frames, self._frames_here = quiz_frames, 0
        if self.panel is not None:
            self.panel.is_lecture = film.lecture

    def paint(self, visible: VisibleState) -> None:
        """Paints one frame. The search is that of the position before the glide."""
        state = visible.before if visible.fraction < 1 else visible.after
        self._frames_here = self._frames_here + 1 if state is self.state else 1
        is_asking = self._frames_here <= self.quiz_frames and state.mover == 0
        if self.analyse is not None and state is not self.state:
            self.state, self.report = state, None if state.is_terminal else self.analyse(state)
        if self.report is not None and isinstance(root := self.report.root, GameState):
            visible = replace(visible, status=replace(visible.status, layers=layers_for_search(root, None)))
        under, over = drawings(None if is_asking else self.report, self.film.overlay, self.film.theme, visible)
        self.painter.paint(self.canvas, visible, self.regions, under, over)
        if self.panel is not None:
            self.panel.show(self.report, "the game is over")
            self.panel.hide_values(is_asking)
            self.panel.draw(self.canvas, self.regions.panel, self.regions.unit)


class FilmFrames:
    """The snapshots of a film, one per frame. It first plays the whole game; then it can be iterated again and again.

    `speed` is in rounds per second; after `max_seconds` the film ends. Before each move of Pacman the picture stands
    still for `hold` seconds.
    """

    def __init__(
        self, game: ViewedGame, speed: float, max_seconds: float | None = None, fps: int = 20, hold: float = 0.0
    ) -> None:
        self._game, self._fps, self._hold = game, fps, round(hold * fps)
        self._plies_per_second = speed * len(game.start.layers)
        rounds: list[list[Ply]] = [[]]
        for ply in game:
            rounds[-1].append(ply)
            if is_round_over(ply):
                rounds.append([])
        self.rounds = [plies for plies in rounds if plies]
        """All plies, by round."""
        self._max_frames = None if max_seconds is None else max(1, round(max_seconds * fps))

    def _frames(self, plies: list[Ply]) -> int:
        """The number of frames of a glide."""
        return max(1, round(self._fps * len(plies) / self._plies_per_second))

    def _still_frames(self, plies: list[Ply]) -> int:
        """The number of frames before a glide."""
        return self._hold if plies[0].agent == 0 else 0

    def __len__(self) -> int:
        frames = 1 + sum(self._still_frames(plies) + self._frames(plies) for plies in self.rounds)
        frames += round(self._fps * END_SECONDS)
        return frames if self._max_frames is None else min(frames, self._max_frames)

    def __iter__(self) -> Iterator[VisibleState]:
        for number, visible in enumerate(self._all()):
            if number == self._max_frames:
                return
            yield visible

    @property
    def last(self) -> VisibleState:
        """The snapshot of the last frame."""
        *_, last = self
        return last

    def _all(self) -> Iterator[VisibleState]:
        animation = Animation(self._game.start, self._game.names)
        seconds = [0.0] * len(self._game.start.layers)
        status = Status(move_seconds=tuple(seconds), move_timeout=self._game.move_timeout)
        yield animation.visible(status)
        for number, plies in enumerate(self.rounds, 1):
            for _ in range(self._still_frames(plies)):
                animation.advance(1 / self._fps, 1.0)
                yield animation.visible(status)
            animation.begin(plies)
            for ply in plies:
                seconds[ply.agent] = ply.seconds
            status = replace(status, rounds=number, move_seconds=tuple(seconds))
            frames = self._frames(plies)
            for _ in range(frames):
                animation.advance(1 / self._fps, self._fps * len(plies) / frames)
                yield animation.visible(status)
        animation.end(self._game.result)
        for _ in range(round(self._fps * END_SECONDS)):
            animation.advance(1 / self._fps, 1.0)
            yield animation.visible(status)


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


# ---- pictures as the bytes of a file: the same pictures give the same bytes

FPS = {".gif": 20, ".webp": 20, ".mp4": 30}
"""Frames per second. Programs that show a GIF count in hundredths of a second."""
SHADES = 16
TRANSPARENT = 255
"""The index in the palette of a film that means transparent."""


def encode(frames: Iterator[Image], suffix: str, theme: Theme) -> bytes:
    """The bytes of a file: an endless animation (GIF, WebP), a film (MP4), or only the first frame (PNG)."""
    buffer = io.BytesIO()
    if suffix == ".mp4":
        return mp4_bytes(frames)
    if suffix == ".gif":
        write_gif(frames, buffer, palette(theme))
    elif suffix == ".webp":
        more = {"append_images": frames, "duration": 1000 // FPS[suffix]}
        next(frames).save(buffer, "WEBP", save_all=True, loop=0, quality=80, method=2, **more)
    else:
        next(frames).save(buffer, "PNG")
    return buffer.getvalue()


def write_gif(frames: Iterator[Image], buffer: io.BytesIO, colours: Image) -> None:
    """Writes frames one by one, so that a long game fits in memory, with one palette for all of them.

    Each later frame has only the box that contains all changed pixels; the other pixels in the box are transparent.
    """
    from PIL import GifImagePlugin, Image, ImageChops

    before: Image.Image | None = None
    for frame in frames:
        quantized = frame.quantize(palette=colours, dither=Image.Dither.NONE)
        indices = Image.frombytes("L", quantized.size, quantized.tobytes())
        if before is None:
            chunks, _ = GifImagePlugin.getheader(quantized, info={"loop": 0})
            chunks = [*chunks, *GifImagePlugin.getdata(quantized, duration=1000 // FPS[".gif"])]
        else:
            change = ImageChops.difference(indices, before)
            box = change.getbbox() or (0, 0, 1, 1)  # no change: a frame of one pixel that only takes time
            quantized.paste(TRANSPARENT, mask=change.point([255] + [0] * 255))
            part = quantized.crop(box)
            chunks = GifImagePlugin.getdata(
                part, box[:2], duration=1000 // FPS[".gif"], transparency=TRANSPARENT, disposal=1
            )
        buffer.writelines(chunks)
        before = indices
    buffer.write(b";")


def palette(theme: Theme) -> Image:
    """One palette for a whole film: the theme's colours, each in shades over the background, for smooth edges."""
    from PIL import Image

    _, *colours = theme.colours()
    each = min(SHADES, (TRANSPARENT - 1) // len(colours))
    shades = [blend(theme.background, colour, step / each) for colour in colours for step in range(1, each + 1)]
    image = Image.new("P", (1, 1))
    entries = [theme.background, *shades]
    entries += [theme.background] * (TRANSPARENT + 1 - len(entries))
    image.putpalette([channel for colour in entries for channel in colour])
    return image


def demand_ffmpeg() -> str:
    """The path of ffmpeg. InputError if it is not installed."""
    path = shutil.which("ffmpeg")
    if path is None:
        raise InputError("an .mp4 needs ffmpeg, which is not installed: install it, or write a .gif or a .webp")
    return path


def mp4_bytes(frames: Iterator[Image]) -> bytes:
    """The frames as an MP4 (H.264) that can play before it is fully loaded. InputError if ffmpeg fails."""
    ffmpeg = demand_ffmpeg()
    first = next(frames)
    width, height = first.size
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "film.mp4"
        command = [ffmpeg, "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"]
        command += ["-r", str(FPS[".mp4"]), "-i", "-", "-c:v", "libx264", "-preset", "veryfast", "-crf", "18"]
        # One thread and no date, so that the same film has the same bytes on every machine.
        command += ["-pix_fmt", "yuv420p", "-threads", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]
        command += ["-movflags", "+faststart", str(out)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            assert program.stdin is not None
            assert program.stderr is not None
            with suppress(BrokenPipeError):  # ffmpeg writes the reason to stderr
                program.stdin.write(first.tobytes())
                for frame in frames:
                    program.stdin.write(frame.tobytes())
            with suppress(BrokenPipeError):
                program.stdin.close()
            message = program.stderr.read().decode("utf-8", "replace").strip().split("\n")[-1]
        if program.returncode:
            raise InputError(f"ffmpeg could not write the film: {message or f'exit status {program.returncode}'}")
        return out.read_bytes()
