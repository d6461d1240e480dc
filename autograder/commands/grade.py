"""`python -m autograder grade`: grades one submission and writes the reports."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.cases import loading
from autograder.cases.game_seeds import GameKey
from autograder.commands.last_run import cache_folder, compare_with_last_run
from autograder.commands.progress import progress_line
from autograder.commands.report_file import check_report_file, save_report
from autograder.grading import grade as grading
from autograder.judge.scorecard import Scorecard
from autograder.platforms import submission_api
from autograder.report import gradescope as report_gradescope
from autograder.report import json as report_json
from autograder.report import junit as report_junit
from autograder.report import markdown as report_markdown
from autograder.report import terminal
from pacman.commands.started_as import as_started
from pacman.core.errors import InputError

FULL, POINTS_LOST, NOT_FINAL = 0, 1, 2
STDOUT = Path("-")

ReportFile = Path | None


def _report(text: str) -> object:
    return typer.Option(metavar="FILE", help=text)


def grade(
    submission: Annotated[
        Path, typer.Argument(metavar="SUBMISSION", help="A file, a folder, or an archive (zip, tar, tar.gz).")
    ],
    helpers: Annotated[
        list[Path] | None,
        typer.Option(
            "--with",
            metavar="FILE",
            help="Let the submission import this Python file too; can be repeated. Files beside SUBMISSION are not "
            "used without it.",
        ),
    ] = None,
    assignment: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Grade with the questions and cases of this assignment: multiagent (the default), "
            "classic (the default with --api cs188), or a folder with assignment.yaml.",
        ),
    ] = None,
    api: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Expect submissions in this style: native (this project's own), or cs188 (Berkeley multiAgents.py).",
        ),
    ] = "native",
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw the ghosts of all matches from the key in this file, so that nobody can foretell them. "
            "Without it, everybody can: the matches are practice.",
        ),
    ] = None,
    question: Annotated[
        str | None, typer.Option(metavar="ID", help="Grade only this question, for example q2.")
    ] = None,
    case: Annotated[
        str | None, typer.Option(metavar="ID", help="Grade only this case, for example q2/01-figure.")
    ] = None,
    json: Annotated[ReportFile, _report("Write the whole result as JSON to this file.")] = None,
    gradescope: Annotated[ReportFile, _report("Write Gradescope's results.json to this file.")] = None,
    junit: Annotated[ReportFile, _report("Write JUnit XML to this file.")] = None,
    markdown: Annotated[ReportFile, _report("Write Markdown to this file.")] = None,
    html: Annotated[ReportFile, _report("Write a page for a browser, with pictures, to this file.")] = None,
    show_hidden: Annotated[
        bool,
        typer.Option("--show-hidden", help="Print hidden cases in full, as instructors need them; not for students."),
    ] = False,
    allow_unsafe: Annotated[
        bool,
        typer.Option(
            "--allow-unsafe",
            help="Grade a folder or an archive even if the sandbox is too weak to stop a hostile program "
            "(see the command doctor).",
        ),
    ] = False,
    no_last_run: Annotated[
        bool,
        typer.Option(
            "--no-last-run",
            help="Leave out the points of the last run, and do not keep those of this one. (They are kept in a file on "
            "this machine, and only if the report goes to a terminal.)",
        ),
    ] = False,
    jobs: Annotated[int, typer.Option(metavar="N", help="Run N cases at the same time; 0 uses all cores.")] = 0,
) -> None:
    """Grade a submission and print a report.

    With `-` as the FILE of --json, --gradescope, --junit, --markdown or --html, that report goes to standard output,
    and the normal report to standard error.

    Exit status: 0 full marks, 1 points lost, 2 could not grade every case.

    \b
    Examples:
      python -m autograder grade my.py
      python -m autograder grade my.py --question q2
      python -m autograder grade my.py --case q2/01-figure
      python -m autograder grade ada.py --with tools.py
      python -m autograder grade ada.py --key course.key
      python -m autograder grade multiAgents.py --api cs188
      python -m autograder grade my.py --html report.html
      python -m autograder grade my.py --json - > result.json
    """
    if jobs < 0:
        raise InputError(f"--jobs {jobs}: expected a number of cases, or 0 for all cores")
    chosen_api = submission_api(api)
    reports = {
        "--json": (json, report_json.dump),
        "--gradescope": (gradescope, report_gradescope.dump),
        "--junit": (junit, report_junit.dump),
        "--markdown": (markdown, report_markdown.dump),
        "--html": (html, _page),
    }
    _check_files({option: file for option, (file, _) in reports.items()})
    game_key = GameKey.load(key) if key else None
    part = loading.load(assignment or chosen_api.assignment).only(question, case)
    # One more than there are cores: while one case waits for its process, another can be judged.
    workers = jobs or (os.cpu_count() or 1) + 1
    with progress_line(part, Console(stderr=True)) as on_case:
        card = grading.grade(
            submission,
            part,
            workers,
            allow_unsafe=allow_unsafe,
            api=chosen_api,
            helpers=helpers or (),
            on_case=on_case,
            key=game_key,
        )
    is_piped = False
    for file, dump in reports.values():
        if file == STDOUT:
            is_piped = True
            typer.echo(dump(card), nl=False)
        elif file is not None:
            save_report(file, dump(card))
    is_single = question is not None or case is not None
    console = Console(highlight=False, stderr=is_piped)
    terminal.render(card.with_commands(as_started), console, everything=is_single, show_hidden=show_hidden)
    folder = cache_folder()
    remembers = console.is_terminal and not (is_single or no_last_run)
    if remembers and folder and (line := compare_with_last_run(card, submission, folder)):
        console.print(line, style="bold")
    raise typer.Exit(NOT_FINAL if not card.is_final else FULL if card.is_full else POINTS_LOST)


def _page(card: Scorecard) -> str:
    """The page of a scorecard. Jinja2 is loaded only here: most gradings need no page."""
    from autograder.pages.student_page import student_page

    return student_page(card.with_commands(as_started))


def _check_files(files: dict[str, ReportFile]) -> None:
    """Refuses, before anything is graded, reports that could not be written."""
    piped = [option for option, file in files.items() if file == STDOUT]
    if len(piped) > 1:
        raise InputError(
            f"{' and '.join(piped)}: only one report can go to standard output; name a file for the others"
        )
    for file in files.values():
        if file is not None and file != STDOUT:
            check_report_file(file)
