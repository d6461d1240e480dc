"""Grade what students hand in, and make what they are graded by."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.cases import loading
from autograder.commands.doctor import doctor
from autograder.commands.import_cs188 import import_cs188
from autograder.commands.new_case import new_case
from autograder.commands.record import record
from autograder.grading.grade import grade
from autograder.grading.style import style
from autograder.platforms.gradescope.build import command as upload
from autograder.report import gradescope as report_gradescope
from autograder.report import json as report_json
from autograder.report import junit as report_junit
from autograder.report import markdown as report_markdown
from autograder.report import terminal
from pacman.commands import cli
from pacman.core.errors import InputError

app = typer.Typer(
    help=__doc__, no_args_is_help=True, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False
)
FULL, POINTS_LOST, NOT_FINAL = 0, 1, 2
JOBS = (os.cpu_count() or 1) + 1
"""One more than there are cores: while a case waits for its process, another can be judged."""


@app.command("grade")
def _grade(
    submission: Annotated[
        Path, typer.Argument(metavar="SUBMISSION", help="A file, a folder, or an archive (zip, tar, tar.gz).")
    ],
    assignment: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="multiagent (the default), classic (with --api cs188), or a folder of your own."
        ),
    ] = None,
    api: Annotated[
        str, typer.Option(metavar="NAME", help="What submissions are written for: native, or cs188 (multiAgents.py).")
    ] = "native",
    question: Annotated[str | None, typer.Option(metavar="q2", help="Only this question.")] = None,
    case: Annotated[
        str | None, typer.Option(metavar="ID", help="Only this case, as in q2/01-figure or 01-figure.")
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the whole result here too.")] = None,
    gradescope: Annotated[Path | None, typer.Option(metavar="FILE", help="As Gradescope's results.json.")] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="As JUnit XML.")] = None,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="As Markdown.")] = None,
    show_hidden: Annotated[
        bool, typer.Option("--show-hidden", help="Say of hidden cases what is said of the others: for instructors.")
    ] = False,
    allow_unsafe: Annotated[
        bool, typer.Option("--allow-unsafe", help="Grade a folder or an archive even in a weak sandbox: see doctor.")
    ] = False,
    jobs: Annotated[int, typer.Option(metavar="N", help="How many cases run at a time.")] = JOBS,
) -> None:
    """Grade a submission. Exit status: 0 full marks, 1 points lost, 2 could not grade."""
    if jobs < 1:
        raise InputError(f"--jobs {jobs}: at least 1 was expected")
    written = style(api)
    reports = (
        (json, report_json.dump),
        (gradescope, report_gradescope.dump),
        (junit, report_junit.dump),
        (markdown, report_markdown.dump),
    )
    for file, _ in reports:
        if file is not None and not file.parent.is_dir():  # said before the work, not after it
            raise InputError(f"{file}: cannot be written: no folder {file.parent}")
    asked = loading.load(assignment or written.assignment).only(question, case)
    card = grade(submission, asked, jobs, allow_unsafe=allow_unsafe, style=written)
    for file, report in reports:
        if file is not None:
            _save(file, report(card))
    one_only = question is not None or case is not None
    terminal.render(card, Console(highlight=False), everything=one_only, show_hidden=show_hidden)
    raise typer.Exit(NOT_FINAL if not card.is_final else FULL if card.is_full else POINTS_LOST)


def _save(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


app.command(short_help="Record the reference of every case.")(record)
app.command("new-case", short_help="Write a case, for a question of your own.")(new_case)
app.command("import-cs188")(import_cs188)
app.command(short_help="Say how well graded code is shut in here.")(doctor)
app.command("gradescope")(upload)

if __name__ == "__main__":
    cli.run(app, "autograder")
