"""Turns frames into the bytes of a GIF, a WebP, or (with ffmpeg) an MP4. The same frames give the same bytes."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.core.errors import InputError
from pacman.picture.theme import Theme, blend

if TYPE_CHECKING:
    from PIL.Image import Image

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
