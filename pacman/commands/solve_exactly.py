"""`python -m pacman solve-exactly`: the exact value of a small board."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from pacman.commands import options
from pacman.commands.output import ResultWriter, aside
from pacman.core.layout import Layout
from pacman.core.state import start
from pacman.play import exact

OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Save the values of all positions as numpy arrays (.npz)."),
]


@dataclass(frozen=True)
class SolutionReport:
    """The report of a solved board."""

    solution: exact.Solution

    def as_json(self) -> dict[str, Any]:
        """The report as an object that `json` can write."""
        return exact.as_json(self.solution)

    def __str__(self) -> str:
        return exact.report(self.solution)


def solve_exactly(
    layout: options.LayoutOption = "nook",
    ghosts: options.GhostModelsOption = "",
    states: options.StatesOption = 2_000_000,
    out: OutOption = None,
    json_file: options.JsonOption = None,
) -> None:
    """Compute the exact value of a small board, and of each first action, under perfect play. Needs numba.

    \b
    Examples:
      python -m pacman solve-exactly --layout nook
      python -m pacman solve-exactly --layout nook --ghosts optimal --json -
      python -m pacman solve-exactly --layout nook --out values.npz
    """
    options.check_at_least_one("--states", states, "position")
    root = start(Layout.load(layout), options.kinds(ghosts) or None)
    exact.prepare(aside)
    with ResultWriter(json_file) as writer:
        solution = exact.solve(root, states)
        if out is not None:
            solution.save(out)
        writer.report(SolutionReport(solution))
