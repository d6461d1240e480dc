"""`python -m pacman layouts`: the layouts that come with the project."""

from __future__ import annotations

import typer

from pacman.core.layout import Layout, names


def layouts() -> None:
    """The layouts that come with the project."""
    for name in names():
        layout = Layout.load(name)
        size = f"{layout.maze.width:2} x {layout.maze.height:2}"
        typer.echo(f"{name:12} {size}   ghosts {len(layout.ghosts)}   food {layout.food.bit_count():3}")
