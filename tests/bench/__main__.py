"""The command line of the benchmarks: `make bench`, or `python -m tests.bench AREA...` in a checkout."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Annotated

import typer

from pacman.commands import app as cli
from pacman.core.errors import InputError, nearest
from tests.bench.course import course
from tests.bench.engine import engine
from tests.bench.figures import Figure, Figures, machine, report
from tests.bench.search import search
from tests.bench.view import view

AREAS: Mapping[str, Callable[[int], Iterator[Figure]]] = {
    "engine": engine,
    "search": search,
    "view": view,
    "course": course,
}

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def bench(
    areas: Annotated[
        list[str] | None, typer.Argument(help=f"Areas to measure: {', '.join(AREAS)}. Without one, measure all.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    repeats: Annotated[int, typer.Option(help="Repeat each measurement so many times and report the median.")] = 7,
) -> None:
    """Measure the engine and compare it with yardsticks, for example: python -m tests.bench engine search."""
    if repeats < 1:
        raise InputError(f"--repeats {repeats}: expected 1 or more")
    for area in areas or ():
        if area not in AREAS:
            raise InputError(f"nothing to measure called '{area}': {nearest(area, AREAS)}")
    figures = run(repeats, tuple(areas or AREAS))
    typer.echo(json.dumps(asdict(figures), indent=2) if as_json else report(figures))


def run(repeats: int, areas: tuple[str, ...]) -> Figures:
    """All figures of some areas; each timed figure is the median of `repeats` measurements."""
    return Figures(machine(), repeats, tuple(figure for area in areas for figure in AREAS[area](repeats)))


if __name__ == "__main__":
    cli.run(app, "tests.bench")
