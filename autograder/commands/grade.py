"""`python -m autograder grade`: grades one submission and writes the reports."""

from __future__ import annotations

import os
import shlex
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.commands.options import GradedAssignmentOption, GraderOptions, open_key
from pacman.commands.app import arg, as_started, opt
from pacman.commands.output import STDOUT, check_one_printed, check_report_file, progress_bar
from pacman.core.errors import InputError
from pacman.core.files import write_file

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.cases.case import Assignment
    from autograder.judge.scorecard import Scorecard

FULL, POINTS_LOST, NOT_FINAL = 0, 1, 2
REPORTS = {
    "--json": "autograder.report.json:dump",
    "--gradescope": "autograder.report.gradescope:dump",
    "--junit": "autograder.report.junit:dump",
    "--markdown": "autograder.report.markdown:dump",
    "--html": "autograder.pages.student_page:student_page",
}
"""Option -> MODULE:FUNCTION that makes the report. A module is imported only if its report is wanted."""


def grade(
    context: typer.Context,
    submission: Annotated[Path, arg("A Python file, a folder, or a zip.", "SUBMISSION")],
    assignment: GradedAssignmentOption = None,
    question: Annotated[
        list[str] | None, opt("Grade only this question, for example q2; can be repeated.", "ID")
    ] = None,
    case: Annotated[str | None, opt("Grade only this case, for example q2/01-figure.", "ID")] = None,
    json: Annotated[Path | None, opt("Write the whole result as JSON to this file.", "FILE")] = None,
    gradescope: Annotated[Path | None, opt("Write Gradescope's results.json to this file.", "FILE")] = None,
    junit: Annotated[Path | None, opt("Write JUnit XML to this file.", "FILE")] = None,
    markdown: Annotated[Path | None, opt("Write Markdown to this file.", "FILE")] = None,
    html: Annotated[Path | None, opt("Write a page for a browser, with pictures, to this file.", "FILE")] = None,
    all_cases: Annotated[
        bool, opt("Print every missed case with its whole tree, not only the first one.", None, "--all")
    ] = False,
    show_hidden: Annotated[
        bool,
        opt(
            "Print every missed case in full (--all), the hidden ones too; for instructors, not for students.",
            None,
            "--show-hidden",
        ),
    ] = False,
    no_last_run: Annotated[
        bool,
        opt(
            "Do not compare with the points of the last run, and do not keep those of this one. (They are kept in "
            "a file on this machine, and only if the report goes to a terminal.)",
            None,
            "--no-last-run",
            hidden=True,
        ),
    ] = False,
    api: Annotated[
        str | None,
        opt(
            "Expect submissions in this style: native (of this project), or cs188 (Berkeley multiAgents.py, with the "
            "assignment classic if you name none). [default: as the assignment says]",
            "NAME",
        ),
    ] = None,
    grading: GraderOptions = GraderOptions(),
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
      python -m autograder grade my.py --question q2 --all
      python -m autograder grade ada.py --with tools.py
      python -m autograder grade ada.py --key course.key
      python -m autograder grade multiAgents.py --api cs188
      python -m autograder grade my.py --html report.html
      python -m autograder grade my.py --json - > result.json
    """
    files = dict(zip(REPORTS, (json, gradescope, junit, markdown, html), strict=True))
    _check_files(files)
    from autograder.sandbox import check_sandbox
    from autograder.sandbox.work_folder import exits_in_order

    with exits_in_order(), ThreadPoolExecutor(1) as other_thread:
        check = other_thread.submit(check_sandbox)  # it mostly waits; meanwhile, this thread imports and reads
        from rich.console import Console

        from autograder.commands.progress import BarRecorder
        from autograder.grading.grade import Grader
        from autograder.platforms import load_assignment
        from autograder.report import blocks, terminal

        game_key = open_key(grading.key) if grading.key else None
        names = question or ([case.partition("/")[0]] if case and "/" in case else [])
        whole, chosen_api = load_assignment(assignment, api, names[0] if len(names) == 1 else None)
        part = _graded(whole, submission, question, case)
    console = Console(highlight=False, stderr=STDOUT in files.values())
    # One more than there are cores: while one case waits for its process, another can be judged.
    grader = Grader.of(part, grading.jobs or (os.cpu_count() or 1) + 1, chosen_api, game_key, check.result())

    is_single = case is not None and len(part.cases) == 1 and not (all_cases or show_hidden)
    cases = grader.assignment.cases
    with exits_in_order(), progress_bar(cases[0].question.id, len(cases)) as update:
        work = grader.read(submission, grading.helpers or (), grading.allow_unsafe)
        card = grader.grade(submission, work, BarRecorder(update, cases))
    card = replace(card, seconds=round(time.monotonic() - context.obj, 3))
    for_reader = card.with_commands(as_started)
    try:
        if is_single:
            terminal.write(blocks.single_case_blocks(for_reader), console)
        else:
            terminal.render(for_reader, console, show_hidden, is_short=not (all_cases or show_hidden))
    finally:  # also if nobody reads the text to its end
        _write_reports(files, card, for_reader)
    if console.is_terminal and case is None:
        _print_what_next(card, submission, console, whole, is_remembered=not no_last_run)
    raise typer.Exit(NOT_FINAL if not card.is_final else FULL if card.is_full else POINTS_LOST)


def _graded(whole: Assignment, submission: Path, questions: list[str] | None, case: str | None) -> Assignment:
    """What is graded of an assignment. InputError also for a file with a class, as in my.py:MinimaxAgent."""
    from autograder.commands.target import only

    file, _, part = str(submission).rpartition(":")
    own = next((each.id for each in whole.questions if each.part == part), "")
    if file.endswith(".py") and own:
        raise InputError(f"{submission}: name only the file, and the question of the class: {file} --question {own}")
    return only(whole, questions, case)


def _print_what_next(
    card: Scorecard, submission: Path, console: Console, whole: Assignment, is_remembered: bool
) -> None:
    """Prints what changed since the last run, if this machine remembers it, and what to do next."""
    from autograder.commands.progress import cache_folder, what_changed

    line = what_changed(card, submission, cache_folder() if is_remembered else None, whole.questions)
    searches = [each.part for each in whole.questions if each.role == "search"]
    is_whole = len(card.questions) == len(whole.questions)
    if card.is_full and is_whole and searches and whole.api == "native" and submission.suffix == ".py":
        own = [f":evaluation={each.part}" for each in whole.questions if each.role == "evaluation"]
        agent = shlex.quote(f"{submission.as_posix()}:{searches[-1]}{''.join(own[:1])}")
        watch = f"python -m pacman watch {agent} --layout crossroads --ghosts random,optimal --overlay values"
        duel = f"python -m pacman duel {agent} expectimax --layout crossroads"
        line = f"{line} Watch it play: {as_started(watch)}\nBeat expectimax: {as_started(duel)}".strip()
    if line:
        console.print(line, style="bold", soft_wrap=True)


def _write_reports(files: dict[str, Path | None], card: Scorecard, for_reader: Scorecard) -> None:
    """Writes each report to its file, or to standard output. Only the page is for the reader of this terminal."""
    for option, file in files.items():
        if file is not None:
            module, _, function = REPORTS[option].partition(":")
            text = getattr(import_module(module), function)(for_reader if option == "--html" else card)
            if file == STDOUT:
                typer.echo(text, nl=False)
            else:
                write_file(file, text.encode("utf-8"))


def _check_files(files: dict[str, Path | None]) -> None:
    """Refuses, before anything is graded, reports that could not be written."""
    check_one_printed(files)
    for file in files.values():
        if file not in (None, STDOUT):
            check_report_file(file)
