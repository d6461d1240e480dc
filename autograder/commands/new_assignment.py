"""`python -m autograder new-assignment`: a small assignment, a copy of one, or one from a Berkeley course's tests."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands.app import arg, as_started, opt
from pacman.core.errors import InputError

ALL, SOME = 0, 1
MOST_LINES = 8
"""So many kinds of problems are printed."""


def new_assignment(
    name: Annotated[str, arg("The title of the assignment, for example week4.", "NAME")],
    source: Annotated[
        str | None,
        opt(
            "Copy this assignment, or turn the .test files of a Berkeley course in this folder into one.",
            "NAME|FOLDER",
            "--from",
        ),
    ] = None,
    out: Annotated[
        Path | None, opt("Write it to this folder, which must not exist yet. [default: NAME]", "FOLDER", "--out", "-o")
    ] = None,
    parts: Annotated[
        bool, opt("Let each case earn its part, also where a course gives all or nothing.", None, "--parts")
    ] = False,
    keys: Annotated[
        int,
        opt("Play the games of a course with N drawn keys, and lower the goals that a right file misses.", "N", min=0),
    ] = 5,
    agent: Annotated[
        Path | None,
        opt(
            "Play these games with this file with right answers: only a file that you trust. [default: one of "
            "this project]",
            "FILE",
        ),
    ] = None,
) -> None:
    """Write a new assignment: questions, cases, a stub and a handout.

    Without --from it is a small one with one question and two cases, which passes `check` at once. With the name of
    an assignment of this project, or the folder of one, it is a copy with all that belongs to it. With a folder that
    has test_cases/, q1/, q2/, ... or .test files of the Berkeley course CS 188, each test becomes a case. The points
    are those of the course. Each kind of problem is one line on standard error: a test that is left out, a .solution
    that contradicts the grader's search, or a goal of a game that is lowered, because a right file misses it with
    some keys. instructors.md has all of them.

    Exit status: 0 nothing that is graded was lost, 1 some problems, 2 nothing was written.

    \b
    Examples:
      python -m autograder new-assignment week4
      python -m autograder new-assignment "Week 4" --from multiagent --out course/week4
      python -m autograder new-assignment "Project 2" --from path/to/multiagent --out project2
    """
    from autograder.cases import loading
    from autograder.course.kit import new_assignment as files

    folder = Path(name) if out is None else out
    files.check_names(name, folder)
    place = shlex.quote(str(folder))
    if source and source not in loading.names() and not (Path(source) / "assignment.yaml").is_file():
        _from_tests(Path(source), name, folder, parts, keys, agent)
    files.write_files(files.copy_of(loading.load(source), name) if source else files.small_assignment(name), folder)
    typer.echo(f"{folder}: written. Next steps:")
    typer.echo(f"  1. Change assignment.yaml, the cases, stub.py and solutions.py in {place}.")
    typer.echo(as_started(f"  2. Check it:                 python -m autograder check {place}"))
    typer.echo(as_started(f"  3. Make the students' zip:   python -m autograder release {place} --out kit.zip"))


def _from_tests(tests: Path, title: str, folder: Path, parts: bool, keys: int, agent: Path | None) -> None:
    """Writes the assignment of a Berkeley course's tests, prints their problems, and ends the program."""
    from autograder.cases import loading
    from autograder.commands.shared.assignment_checks import reached_numbers
    from autograder.course.kit.new_assignment import write_files
    from autograder.platforms import cs188_tests, load_assignment
    from pacman.core.errors import counted

    imported = cs188_tests.convert(tests, parts)
    files = cs188_tests.files(imported, folder, title)
    if imported.cases:
        write_files(files, folder)
    problems, told = imported.lines()
    for problem in problems[:MOST_LINES]:
        typer.echo(problem, err=True)
    if len(problems) > MOST_LINES and imported.cases:
        typer.echo(f"... and {counted(len(problems) - MOST_LINES, 'line')} more in {folder}/instructors.md", err=True)
    if not imported.cases:
        raise InputError(
            f"{tests}: nothing imported; {counted(imported.tests, 'test')} found, with the problems listed above"
        )
    for line in (imported.summary(folder), *told):
        typer.echo(line)
    loaded, api = load_assignment(str(folder), None)
    player = agent or loading.load(api.assignment).solutions
    assert player is not None
    played = reached_numbers(loaded, str(folder), api, keys, player, os.cpu_count() or 1) if keys else ()
    missed = list[str]()
    for case, numbers in played:
        far, lines = cs188_tests.lower_goals(case, numbers, player.name)
        typer.echo(far)
        missed += lines
    for line in missed:
        typer.echo(line, err=True)
    with (folder / "instructors.md").open("a", encoding="utf-8", newline="\n") as notes:
        notes.writelines(f"- {line}\n" for line in missed)
    typer.echo(f"next: {as_started(f'python -m autograder check {folder}')}")
    raise typer.Exit(SOME if problems or missed else ALL)
