"""Pictures that are kept, small, and compared with what is drawn now: `UPDATE_PICTURES=1 pytest` writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from pacman.view.picture.canvas import Canvas

FOLDER = Path(__file__).parent / "pictures"
SMALLER = 4
"""A kept picture is so much smaller than what is drawn: enough to see each word, and few bytes."""
MEAN, WORST = 0.8, 60
"""Differences allowed, of 255: on average, and anywhere. Fonts and scaling differ by a little between versions."""


def is_like_kept(canvas: Canvas, name: str) -> bool:
    """True when a drawing is like the kept picture of that name, a path below `pictures` without its suffix."""
    drawn = Image.frombytes("RGB", (canvas.width, canvas.height), canvas.rgb())
    small = drawn.resize((max(1, drawn.width // SMALLER), max(1, drawn.height // SMALLER)), Image.Resampling.BOX)
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
