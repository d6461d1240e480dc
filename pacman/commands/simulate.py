"""`python -m pacman simulate`: many games at once, summed up."""

from __future__ import annotations

from typing import Annotated

import typer

from pacman.commands import options, simulation
from pacman.commands.output import aside, print_report, progress_bar
from pacman.kernel import COMPILING, must_compile
from pacman.play.game import MAX_PLIES


def simulate(
    layout: options.LayoutOption = "smallish",
    pacman: options.PacmanOption = "reflex",
    arguments: options.ArgumentOption = [],  # noqa: B006  # typer copies it
    ghosts: options.GhostsOption = "",
    games: options.GamesOption = 10_000,
    seed: options.SeedOption = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="How many workers; 0 is one a core.")] = 0,
    max_plies: options.PliesOption = MAX_PLIES,
    as_json: options.JsonOption = False,
) -> None:
    """Play many games at once, and sum them up; the same sums for any number of workers."""
    kinds = tuple(options.kinds(ghosts))
    plan = simulation.Plan(layout, pacman, kinds, games, seed, tuple(arguments), max_plies)
    plan.check()
    if must_compile("games.play"):
        aside(COMPILING)
    with progress_bar("games", total=games) as update:
        total = simulation.simulate(plan, jobs, lambda done: update(advance=done))
    print_report(total, as_json)
