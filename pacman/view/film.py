"""Writes games to a file: an animated GIF or WebP, an MP4, or a PNG of its last position. Needs no display."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.core.errors import InputError, listed, nearest
from pacman.core.files import write_file
from pacman.picture.bars import SENTENCES_HEIGHT
from pacman.picture.canvas import Canvas
from pacman.picture.colours import DARK, Theme, blend
from pacman.picture.moment import Status
from pacman.picture.overlays import NONE, OVERLAYS
from pacman.picture.screen_regions import LECTURE, LIST, PanelShape, Regions
from pacman.record.report import Analyse
from pacman.view import SPEED, ViewedGame
from pacman.view.player import Player
from pacman.view.shown_search import GOES_ON
from pacman.view.window import Pane, draw_several

if TYPE_CHECKING:
    from PIL.Image import Image

FPS = {".gif": 20, ".webp": 20, ".mp4": 30, ".png": 20}
"""The formats, which `encode` writes: frames per second by suffix. Programs that show a GIF count in 1/100 s."""
WITH_TREE = 1280, 720
"""The default size of a film with a search tree."""
STRIP = 24
"""The height for the choices below several games, in pixels, in a film without a `size`."""
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

    @property
    def form(self) -> PanelShape | None:
        """The form of the open tree; None without one."""
        return LECTURE if self.lecture else LIST if self.tree else None

    def write(self, path: str | Path, *games: ViewedGame, progress: Progress = lambda done, total: None) -> int:
        """Plays the games to their ends and writes them to `path`; returns the number of frames.

        The suffix is .gif, .webp, .mp4, or .png for the last position only. Several games are side by side, in the same
        round and equally large; a `size` is divided among them. The same games give the same bytes. InputError for
        another suffix, or if the file cannot be written; then no file is left.
        """
        target = Path(path)
        suffix = film_format(target)
        fps, is_searched = FPS[suffix], self.overlay != NONE or self.tree or self.lecture
        player = Player(
            self.speed,
            analysers=[self.analyse] * len(games) if self.analyse and is_searched else (),
            end_seconds=END_SECONDS - 0.5 / fps,
            waits=True,
        )
        player.begin(*games)
        numbers = count(1)
        try:
            write_file(target, encode(self._pictures(player, suffix, numbers, progress), suffix, self.theme))
        finally:
            player.stop()
        return next(numbers) - 1

    def _pictures(self, player: Player, suffix: str, numbers: Iterator[int], progress: Progress) -> Iterator[Image]:
        """The frames of the whole games one by one, painted on demand; of a picture of the end only the last one."""
        fps, is_still = FPS[suffix], suffix == ".png"
        for track in player.tracks:
            track.play_out()
        first = player.tracks[0]
        moves = sum(ply.agent == 0 for ply in first.plies) if self.lecture else 0
        seconds = player.ply_count / (self.speed * first.length) + moves * LECTURE_SECONDS
        total = 1 + ceil(seconds * fps - 1e-6) + round(END_SECONDS * fps)
        most = None if self.max_seconds is None else max(1, round(self.max_seconds * fps))
        paint, stops = pages(self, player), 0
        if self.lecture or not is_still:
            self._show_search(player, is_quiz=self.lecture)
        for step in count(1):
            is_last = player.after is not None or step == most
            if is_last and is_still:
                self._show_search(player, is_quiz=False)
            if is_last or not is_still:
                number = next(numbers)
                yield paint()
                progress(number, max(number, 1 if is_still else min(total, most or total)))
            if is_last:
                return
            # At a stop of a lecture: first the values appear, then the game goes on.
            stops = stops + 1 if player.quiz < GOES_ON and not player.tracks[0].animation.is_gliding else 0
            player.tick(1 / fps)
            if stops in (round(QUIZ_PART * LECTURE_SECONDS * fps), round(LECTURE_SECONDS * fps)):
                player.play_or_pause()

    def _show_search(self, player: Player, *, is_quiz: bool) -> None:
        """Switches on what the film shows of the search."""
        for search in player.searches:
            search.name = self.overlay
            search.form = self.form
            search.is_quiz = is_quiz


def pages(film: Film, player: Player) -> Callable[[], Image]:
    """A function that paints one frame; several games are side by side, as in a window."""
    from PIL.Image import frombytes

    panes, overlay = [Pane(track, film.theme, has_buttons=False) for track in player.tracks], OVERLAYS[film.overlay]
    words = SENTENCES_HEIGHT if overlay and overlay.has_strip else 0.0
    parts = [Regions.around(film.cell, track.game.start.maze, track.length, words) for track in player.tracks]
    smallest = sum(part.width for part in parts), max(part.height for part in parts) + STRIP * (len(parts) > 1)
    size = film.size or (WITH_TREE if film.form else smallest)
    canvas = Canvas(*size)

    def paint() -> Image:
        player.follow_games()
        if len(panes) > 1:
            draw_several(canvas, panes, player, has_timeline=False)
        else:
            (pane,) = panes
            regions = parts[0] if size is smallest else pane.fit(*size, is_single=True, has_timeline=False)
            pane.draw(canvas, pane.track.visible(Status()), regions)
        for search in player.searches:
            if search.error and not search.report:
                raise InputError(search.error)
        return frombytes("RGB", size, canvas.rgb())

    return paint


def film_format(target: Path) -> str:
    """The suffix of a film file, in lower case. InputError for another one, and for an MP4 without ffmpeg."""
    suffix = target.suffix.lower()
    if suffix not in FPS:
        hint = nearest(suffix, FPS)
        meant = f"; {hint}" if hint.startswith("did you mean") else ""  # the other hint is the same list
        raise InputError(f"cannot film to '{target}': expected a name that ends in {listed([*FPS], 'or')}{meant}")
    if suffix == ".mp4":
        demand_ffmpeg()
    return suffix


# ---- pictures as the bytes of a file: the same pictures give the same bytes

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

    every = [*theme.ghosts, *(value for name, value in vars(theme).items() if name not in ("ghosts", "glow"))]
    colours = [colour for colour in dict.fromkeys(every) if colour != theme.background]
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
