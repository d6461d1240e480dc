"""A picture of the window, saved under a name of its own."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from pacman.view.picture.canvas import Canvas


def saved(canvas: Canvas, folder: Path, ply: int) -> str:
    """Writes the picture to a new file; returns what to say about it."""
    name = f"pacman-{datetime.now():%Y-%m-%d-%H%M%S}-ply-{ply}.png"
    try:
        canvas.png(folder / name)
    except OSError as error:
        return f"no picture: {error.strerror}"
    return f"saved {name}"
