"""`python -m pacman solve-exactly`: the true value of a small board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands import options
from pacman.commands.output import aside
from pacman.core.layout import Layout
from pacman.core.state import start
from pacman.play import exact

SaveOption = Annotated[Path | None, typer.Option("--save", metavar="FILE", help="All values, as numpy arrays (.npz).")]


def solve_exactly(
    layout: options.LayoutOption = "nook",
    ghosts: options.GhostsOption = "",
    states: options.StatesOption = 2_000_000,
    save: SaveOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """The true value of a small board, and of each first action, under perfect play."""
    options.at_least_one("--states", states, "position")
    root = start(Layout.load(layout), options.kinds(ghosts) or None)
    exact.prepare(aside)
    solution = exact.solve(root, states)
    if save is not None:
        solution.save(save)
    typer.echo(json.dumps(exact.as_json(solution)) if as_json else exact.report(solution))
