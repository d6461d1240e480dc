"""`python -m pacman solve-exactly`: the exact value of a small board."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pacman.commands.shared import options
from pacman.commands.shared.output import ResultWriter, aside, warn_of_layout
from pacman.core.layout import Layout
from pacman.core.state import start
from pacman.core.words import counted

if TYPE_CHECKING:
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
        """The values of the first position, their errors, and the number of positions and sweeps."""
        solution, root = self.solution, self.solution.root
        return {
            "states": solution.states,
            "expected_score": solution.value(root),
            "error": solution.error,
            "win_probability": solution.win_probability(root),
            "win_error": solution.win_error,
            "sweeps": solution.sweeps,
            "actions": solution.action_values(root),
        }

    def __str__(self) -> str:
        solution, root = self.solution, self.solution.root
        lines = [
            f"{solution.states:,} {'position' if solution.states == 1 else 'positions'}, "
            f"{counted(solution.sweeps, 'sweep')}",
            f"expected final score: {solution.value(root):.6f} (error at most {solution.error:.1e})",
            f"win probability if Pacman plays for the best expected score: {solution.win_probability(root):.6f} "
            f"(error at most {solution.win_error:.1e})",
            "expected final score after each first action:",
        ]
        actions = (f"  {action:5} {value:12.6f}" for action, value in solution.action_values(root).items())
        return "\n".join([*lines, *actions])


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
    from pacman.play import exact

    options.check_at_least_one("--states", states, "position")
    root = start(Layout.load(layout), options.kinds(ghosts) or None)
    warn_of_layout(layout)
    exact.prepare(aside)
    with ResultWriter(json_file) as writer:
        solution = exact.solve(root, states)
        if out is not None:
            solution.save(out)
        writer.report(SolutionReport(solution))
