"""`python -m autograder`: grade a submission, record references, solve a drawn tree."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder import cases, reference
from autograder.grade import grade
from autograder.report import json as report_json
from autograder.report import terminal
from autograder.solve import solve
from pacman import cli
from pacman.errors import InputError

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Grades search agents.", rich_markup_mode=None)
FULL, POINTS_LOST = 0, 1
Name = Annotated[str, typer.Option("--assignment", metavar="NAME", help="A name, or a folder with assignment.yaml.")]


@app.command("grade")
def _grade(
    submission: Annotated[Path, typer.Argument(metavar="SUBMISSION.py|DIR", help="A file, or a folder with one.")],
    assignment: Name = "multiagent",
    question: Annotated[str | None, typer.Option(metavar="q2", help="Only this question.")] = None,
    case: Annotated[str | None, typer.Option(metavar="ID", help="Only this case, as in q2/figure or figure.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the whole result here too.")] = None,
    jobs: Annotated[int, typer.Option(metavar="N", help="How many cases run at a time.")] = os.cpu_count() or 1,
) -> None:
    """Grade a submission. Exit status: 0 full marks, 1 points lost, 2 could not grade."""
    if jobs < 1:
        raise InputError(f"--jobs {jobs}: at least 1 was expected")
    card = grade(submission, cases.load(assignment).only(question, case), jobs)
    if json is not None:
        try:
            json.write_text(report_json.dump(card), encoding="utf-8")
        except OSError as error:
            raise InputError(f"{json}: cannot be written: {error.strerror}") from None
    terminal.render(card, Console(highlight=False), everything=question is not None or case is not None)
    raise typer.Exit(FULL if card.is_full else POINTS_LOST)


@app.command("record")
def _record(
    assignment: Name = "multiagent",
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a reference is not up to date.")
    ] = False,
) -> None:
    """Record the reference of every case with the reference searches."""
    loaded = cases.load(assignment)
    wanted = {reference.path_of(loaded, case): reference.derive(case) for case in loaded.cases if case.has_reference}
    there = set((loaded.folder / "references").rglob("*.yaml"))
    stale = sorted(path for path, found in wanted.items() if path not in there or _text(path) != reference.text(found))
    stray = sorted(there - set(wanted))
    for path in stale:
        typer.echo(f"{'not up to date' if check else 'recorded'}: {path}")
        if not check:
            reference.save(path, wanted[path])
    for path in stray:
        typer.echo(f"{'belongs to no case' if check else 'removed'}: {path}")
        if not check:
            path.unlink()
    typer.echo(f"{len(wanted)} references, {len(stale) + len(stray)} {'not up to date' if check else 'changed'}")
    raise typer.Exit(POINTS_LOST if check and stale + stray else FULL)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


app.command()(solve)

if __name__ == "__main__":
    cli.run(app, "autograder")
