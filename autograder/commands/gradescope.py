"""`python -m autograder gradescope`: builds the upload for a Gradescope programming assignment."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.shared.options import AllowUnsafeOption, ApiOption, AssignmentAsOption
from autograder.commands.shared.report_file import check_new, write_new
from pacman.core.errors import InputError

STEP, LONGEST = 10, 40
"""Minutes: the platform offers time-outs in this step, up to this length."""


def gradescope(
    assignment: Annotated[
        str | None,
        typer.Argument(
            metavar="[ASSIGNMENT]",
            help="Build the upload for this assignment: a name, or a folder with assignment.yaml. [default: "
            "multiagent; with --api cs188: classic]",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.zip", help="Write the upload to this new file.")
    ] = Path("autograder.zip"),
    api: ApiOption = None,
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the ghosts of all matches from this key (see new-key). [default: a new key]"
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            metavar="M",
            help="Time-out of the platform, in minutes. If it is short, each case gets a shorter time limit. "
            "[default: enough for all time limits together, at most 40]",
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
      python -m autograder gradescope classic --out classic.zip --minutes 40
    """
    check_new("--out", out, ".zip")
    if minutes is not None and not 1 < minutes <= LONGEST:
        raise InputError(f"--minutes {minutes:g}: expected more than 1 and at most {LONGEST}")
    from autograder.cases.game_seeds import GameKey
    from autograder.judge.points_as_text import points_text
    from autograder.platforms import load_assignment
    from autograder.platforms.gradescope.build import Settings, build, minutes_needed
    from pacman.core.errors import counted

    loaded, chosen_api = load_assignment(as_option or assignment, api)
    if minutes is None:
        minutes = min(LONGEST, STEP * math.ceil(minutes_needed(loaded) / STEP))
    settings = Settings(assignment=loaded.name, api=chosen_api.name, minutes=minutes, allow_unsafe=allow_unsafe)
    content = build(loaded, settings, GameKey.load(key) if key else GameKey.new())
    write_new("--out", out, content)
    points = sum(question.points for question in loaded.questions)
    typer.echo(f"{out}: {counted(len(loaded.questions), 'question')}, {counted(len(loaded.cases), 'case')}")
    if key is None:
        typer.echo("Its games come from a new key. For another upload with the same games, use --key (see new-key)")
    typer.echo(f"Set on the platform: autograder points {points_text(points)}, time-out {minutes:g} minutes")
    if minutes < minutes_needed(loaded):
        needed = minutes_needed(loaded)
        advice = f"use --minutes {needed}" if needed <= LONGEST else "grade fewer cases, or give them less time"
        typer.echo(f"On the platform each case gets only a part of its time limit; for the whole limit, {advice}")
