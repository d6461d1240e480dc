"""`python -m pacman layouts`: lists the layouts of the project."""

from __future__ import annotations

import typer

from pacman.core.layout import Layout, names


def layouts() -> None:
    """List the layouts of the project: name, size, ghosts, food.

    \b
    Examples:
      python -m pacman layouts
    """
    for name in names():
        layout = Layout.load(name)
        size = f"{layout.maze.width:2} x {layout.maze.height:2}"
        typer.echo(f"{name:12} {size}   ghosts {len(layout.ghosts)}   food {layout.food.bit_count():3}")
