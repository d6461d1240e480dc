"""Reference pictures, small, for comparison with new drawings; `UPDATE_PICTURES=1 pytest` replaces them. Kept texts."""

from __future__ import annotations

import os
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from pacman.picture.canvas import Canvas

FOLDER = Path(__file__).parent / "pictures"
SMALLER = 4
"""A reference picture is smaller than the drawing by this factor: every word is visible, in few bytes."""
MEAN, WORST = 0.8, 60
"""The largest allowed differences (of 255), on average and at any pixel. Fonts and scaling differ a little
between versions."""


def kept_text(name: str, text: str) -> str:
    """The text in `pages`; UPDATE_TRANSCRIPTS=1 writes it again: read the difference."""
    path = FOLDER.with_name("pages") / f"{name}.txt"
    if os.environ.get("UPDATE_TRANSCRIPTS"):
        path.write_text(text, encoding="utf-8", newline="\n")
    return path.read_text(encoding="utf-8")


def is_like_reference(canvas: Canvas, name: str) -> bool:
    """True if a drawing is like its reference picture. `name` is a path below `pictures` without the suffix."""
    picture = Image.frombytes("RGB", (canvas.width, canvas.height), canvas.rgb())
    small = picture.resize((max(1, picture.width // SMALLER), max(1, picture.height // SMALLER)), Image.Resampling.BOX)
    path = FOLDER / f"{name}.png"
    if os.environ.get("UPDATE_PICTURES"):
        path.parent.mkdir(parents=True, exist_ok=True)
        small.save(path, optimize=True)
    with Image.open(path) as image:
        before = image.convert("RGB")
    if before.size != small.size:
        return False
    difference = ImageChops.difference(before, small)
    return max(ImageStat.Stat(difference).mean) <= MEAN and max(high for _, high in difference.getextrema()) <= WORST
