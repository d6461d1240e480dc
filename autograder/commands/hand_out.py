"""What goes to students and platforms: `new-assignment`, the kit of `release`, and the upload for `gradescope`."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from autograder.cases.game_seeds import GameKey
from autograder.cases.hidden import case_count
from autograder.commands.options import AllowUnsafeOption, open_key
from autograder.judge.points_as_text import points_text
from pacman.commands.app import arg, as_started, opt
from pacman.commands.output import aside, check_new, write_new
from pacman.core.errors import InputError, counted, nearest

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

    Exit status: 0 nothing that is graded was lost (a goal may be lowered), 1 some problems, 2 nothing was written.

    \b
    Examples:
      python -m autograder new-assignment week4
      python -m autograder new-assignment "Week 4" --from multiagent --out course/week4
      python -m autograder new-assignment "Project 2" --from path/to/multiagent --out project2
    """
    folder = Path(name) if out is None else out
    from autograder.cases import loading
    from autograder.course import new_assignment as files

    files.check_names(name, out)
    is_own = source in loading.names()
    if source and is_own and any(Path(source).rglob("*.test")):
        here = f"write {os.path.join(os.curdir, source)} for the folder, or start in another folder"
        raise InputError(f"--from {source}: an assignment of the project and a folder with .test files; {here}")
    near = nearest(source or "", loading.names())
    if source and not is_own and not Path(source).exists() and near.startswith("did"):
        raise InputError(f"--from: no assignment '{source}': {near}")
    if source and not is_own and not (Path(source) / "assignment.yaml").is_file():
        raise typer.Exit(_from_tests(Path(source), name, folder, parts, keys, agent))
    files.write_files(files.copy_of(loading.load(source), name) if source else files.small_assignment(name), folder)
    place, origin = shlex.quote(str(folder)), f", a copy of the assignment {source}" if source else ""
    typer.echo(f"{folder}: written{origin}. Next steps:")
    typer.echo(f"  1. Change assignment.yaml, the cases, stub.py and solutions.py in {place}.")
    typer.echo(as_started(f"  2. Check it:                 python -m autograder check {place}"))
    typer.echo(as_started(f"  3. Make the students' zip:   python -m autograder release {place} --out kit.zip"))


def _from_tests(tests: Path, title: str, folder: Path, parts: bool, keys: int, agent: Path | None) -> int:
    """Writes the assignment of a Berkeley course's tests, and prints their problems. Returns the exit status."""
    from autograder.cases import loading
    from autograder.commands.checks import reached_numbers
    from autograder.course.new_assignment import write_files
    from autograder.platforms import cs188_tests, load_assignment

    course = cs188_tests.convert(tests, parts)
    files, (problems, notices) = cs188_tests.files(course, folder, title), course.lines()
    if course.cases:
        write_files(files, folder)
    for problem in problems[: MOST_LINES if course.cases else None]:
        typer.echo(problem, err=True)
    if not course.cases:
        summary = f"{counted(course.tests, 'test')} found, with the problems listed above"
        raise InputError(f"{tests}: nothing imported; {summary}")
    if len(problems) > MOST_LINES:
        typer.echo(f"... and {counted(len(problems) - MOST_LINES, 'line')} more in {folder}/instructors.md", err=True)
    for line in (course.summary(folder), *notices):
        typer.echo(line)
    assignment, api = load_assignment(str(folder), None)
    player = agent or loading.load(api.assignment).solutions
    assert player is not None
    lowered = list[str]()
    hint = "" if agent else "; name a file with --agent"
    try:
        goals = reached_numbers(assignment, keys, player, os.cpu_count() or 1) if keys else ()
        for case, numbers in goals:
            far, lines = cs188_tests.lower_goals(case, numbers, player.name, hint)
            typer.echo(far)
            lowered += lines
    except InputError as error:
        lowered.append(f"{error}; so the goals of the games are not tried")
    for line in lowered:
        typer.echo(line, err=True)
    with (folder / "instructors.md").open("a", encoding="utf-8", newline="\n") as notes:
        notes.writelines(f"- {line}\n" for line in lowered)
    typer.echo(f"next: {as_started(f'python -m autograder check {folder}')}")
    return SOME if problems else ALL


def release(
    assignment: Annotated[
        str, arg("Make the kit of this assignment: a name, or a folder with assignment.yaml.", "ASSIGNMENT")
    ] = "multiagent",
    out: Annotated[Path, opt("Write the kit to this file; it must not exist yet.", "FILE.zip", "--out", "-o")] = Path(
        "kit.zip"
    ),
    is_list: Annotated[
        bool, opt("Write nothing; list the files of a kit that contain a search.", None, "--list")
    ] = False,
) -> None:
    """Make the kit, the zip that students get: the framework, the grader, the stub, the handout and the public cases.

    It contains no solutions, no hidden cases and no tools for staff. Students install it with pip. If the stub earns
    points, or if a file contains the text of a solution, the command writes nothing.

    \b
    Examples:
      python -m autograder release multiagent --out kit.zip
      python -m autograder release path/to/week4 --out week4.zip
      python -m autograder release --list
    """
    from autograder.cases import loading
    from autograder.commands.checks import check_files, check_stub, text_problems
    from autograder.course.kit import SEARCHES
    from autograder.course.kit import release as kit_of

    if is_list:
        typer.echo("These files of a kit contain a search. All other files only call one of them.")
        for path, about in SEARCHES.items():
            typer.echo(f"  {path:<47}{about}")
        typer.echo("In the grader, a submission that imports one of them gets an error.")
        return
    check_new("--out", out, ".zip")
    content = loading.load(assignment)
    check_files(content)
    loading.check_parts(content)
    check_stub(content)
    write_new("--out", out, kit_of(content), rights=0o666)
    typer.echo(f"{out}: {case_count(content)}")
    if any(case.input.hidden for case in content.cases):
        typer.echo("It contains no hidden case")
    for problem in text_problems(content):
        aside(problem)
    for kind, place in (("stub", content.stub), ("handout", content.folder / "handout.md")):
        if place is None or not place.is_file():
            typer.echo(f"It contains no {kind}: the assignment has none")


def gradescope(
    assignment: Annotated[
        str | None,
        arg(
            "Build the upload for this assignment: a name, or a folder with assignment.yaml. [default: multiagent]",
            "[ASSIGNMENT]",
        ),
    ] = None,
    out: Annotated[Path, opt("Write the upload to this new file.", "FILE.zip", "--out", "-o")] = Path("autograder.zip"),
    key: Annotated[
        Path | None,
        opt(
            "Draw the ghosts of all matches from the key in this file, which is made if it is missing. "
            "[default: a new key]",
            "FILE",
        ),
    ] = None,
    allow_unsafe: AllowUnsafeOption = False,
) -> None:
    """Build the upload for a Gradescope programming assignment.

    \b
    Examples:
      python -m autograder gradescope
      python -m autograder gradescope multiagent --key course.key --out autograder.zip
      python -m autograder gradescope classic --out classic.zip
    """
    check_new("--out", out, ".zip")

    from autograder.platforms import load_assignment
    from autograder.platforms.gradescope_build import Settings, build, time_out

    content, chosen_api = load_assignment(assignment, None)
    settings = Settings(assignment=content.name, api=chosen_api.name, allow_unsafe=allow_unsafe)
    minutes, game_key = time_out(content), open_key(key, makes=True) if key else GameKey.new()
    write_new("--out", out, build(content, settings, game_key))
    points = sum(question.points for question in content.questions)
    typer.echo(f"{out}: {counted(len(content.questions), 'question')}, {case_count(content)}")
    if key is None:
        typer.echo("Its games come from a new key, and the key is in the zip only. For another upload with the same")
        typer.echo("games, build both with --key FILE")
    typer.echo(f"Set on the platform: autograder points {points_text(points)}, time-out {minutes} minutes")
