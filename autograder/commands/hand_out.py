"""`python -m autograder release`: makes the zip that students get for an assignment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.shared.options import ImpliedApiOption
from autograder.commands.shared.report_file import check_new, write_new
from pacman.commands.app import arg, opt


def release(
    assignment: Annotated[
        str, arg("Make the kit of this assignment: a name, or a folder with assignment.yaml.", "ASSIGNMENT")
    ] = "multiagent",
    out: Annotated[Path, opt("Write the kit to this file; it must not exist yet.", "FILE.zip", "--out", "-o")] = Path(
        "kit.zip"
    ),
    api: ImpliedApiOption = None,
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
    if is_list:
        from autograder.course.kit.release import SEARCHES

        typer.echo("These files of a kit contain a search. All other files only call one of them.")
        for path, about in SEARCHES.items():
            typer.echo(f"  {path:<47}{about}")
        typer.echo("In the grader, a submission that imports one of them gets an error.")
        return
    check_new("--out", out, ".zip")
    from autograder.cases import loading
    from autograder.commands.shared.kit_check import check_stub
    from autograder.course.kit import release as course_release
    from autograder.platforms import submission_api
    from pacman.core.errors import counted

    loaded = loading.load(assignment)
    loading.check_parts(loaded)
    chosen = submission_api(api or loaded.api)
    check_stub(loaded, chosen)
    content = course_release.release(loaded, chosen.name)
    write_new("--out", out, content, rights=0o666)
    hidden = sum(case.input.hidden for case in loaded.cases)
    without = f"; without {counted(hidden, 'hidden case')}" if hidden else ""
    typer.echo(f"{out}: {counted(len(loaded.cases) - hidden, 'case')}{without}")
    for kind, place in (("stub", loaded.stub), ("handout", loaded.folder / "handout.md")):
        if place is None or not place.is_file():
            typer.echo(f"It contains no {kind}: the assignment has none")
