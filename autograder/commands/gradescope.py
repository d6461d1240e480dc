"""`python -m autograder gradescope`: builds the upload for a Gradescope programming assignment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.shared.options import AllowUnsafeOption, AssignmentAsOption, ImpliedApiOption
from autograder.commands.shared.report_file import check_new, open_key, write_new
from pacman.commands.app import arg, opt


def gradescope(
    assignment: Annotated[
        str | None,
        arg(
            "Build the upload for this assignment: a name, or a folder with assignment.yaml. [default: "
            "multiagent; with --api cs188: classic]",
            "[ASSIGNMENT]",
        ),
    ] = None,
    out: Annotated[Path, opt("Write the upload to this new file.", "FILE.zip", "--out", "-o")] = Path("autograder.zip"),
    api: ImpliedApiOption = None,
    key: Annotated[
        Path | None,
        opt(
            "Draw the ghosts of all matches from the key in this file, which is made if it is missing. "
            "[default: a new key]",
            "FILE",
        ),
    ] = None,
    allow_unsafe: AllowUnsafeOption = False,
    as_option: AssignmentAsOption = None,
) -> None:
    """Build the upload for a Gradescope programming assignment.

    \b
    Examples:
      python -m autograder gradescope
      python -m autograder gradescope multiagent --key course.key --out autograder.zip
      python -m autograder gradescope classic --out classic.zip
    """
    check_new("--out", out, ".zip")
    from autograder.cases.game_seeds import GameKey
    from autograder.judge.points_as_text import points_text
    from autograder.platforms import load_assignment
    from autograder.platforms.gradescope_build import Settings, build, time_out
    from pacman.core.errors import counted

    loaded, chosen_api = load_assignment(as_option or assignment, api)
    minutes = time_out(loaded)
    settings = Settings(assignment=loaded.name, api=chosen_api.name, allow_unsafe=allow_unsafe)
    game_key = open_key(key, makes=True) if key else GameKey.new()
    content = build(loaded, settings, game_key)
    write_new("--out", out, content)
    points = sum(question.points for question in loaded.questions)
    typer.echo(f"{out}: {counted(len(loaded.questions), 'question')}, {counted(len(loaded.cases), 'case')}")
    if key is None:
        typer.echo("Its games come from a new key. For another upload with the same games, use --key FILE")
    typer.echo(f"Set on the platform: autograder points {points_text(points)}, time-out {minutes} minutes")
