"""What commands print: results on stdout, and everything else on stderr, so that a program can read the results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import typer

from pacman.play.game import Result


class Report(Protocol):
    """Something for people by `str`, and for programs by `as_json`."""

    def as_json(self) -> dict[str, Any]: ...


def print_report(report: Report, as_json: bool) -> None:
    typer.echo(json.dumps(report.as_json()) if as_json else str(report))


def print_result(result: Result, as_json: bool = False, name: str = "") -> None:
    """How a game ended; where several are compared, with the `name` of who played it."""
    if as_json:
        typer.echo(json.dumps(({"pacman": name} if name else {}) | result.as_json()))
        return
    if result.fault:
        words = f"fault of {result.fault} (score {result.score}, seed {result.seed})"
    else:
        words = f"{result.outcome}: score {result.score} after {result.plies} plies, seed {result.seed}"
    typer.echo(f"{name}: {words}" if name else words)


def aside(text: str) -> None:
    """Writes a line to stderr."""
    typer.echo(text, err=True)


@contextmanager
def progress_bar(what: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A progress bar on stderr, where that is a terminal; hands out what moves it on."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        yield lambda **change: progress.update(task, **change)
