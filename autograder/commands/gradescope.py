"""`python -m autograder gradescope`: the upload for a Gradescope programming assignment."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from autograder.cases import loading
from autograder.platforms import style
from autograder.platforms.gradescope.build import build
from autograder.platforms.gradescope.upload_check import Settings, enough
from autograder.report.points import points_text
from pacman.core.errors import InputError

STEP, LONGEST = 10, 40
"""Minutes: the time-outs that the platform offers."""


def gradescope(
    assignment: Annotated[
        str | None, typer.Option(metavar="NAME", help="A name, or a folder with assignment.yaml. [default: by the API]")
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FILE.zip", help="Where to write the upload.")] = Path("autograder.zip"),
    api: Annotated[
        str, typer.Option(metavar="NAME", help="What submissions are written for: native, or cs188 for classic files.")
    ] = "native",
    minutes: Annotated[
        float | None, typer.Option(metavar="M", help="The time-out set on the platform (else one with time for all).")
    ] = None,
    allow_unsafe: Annotated[
        bool, typer.Option("--allow-unsafe", help="Grade there even in a sandbox that a hostile file could leave.")
    ] = False,
) -> None:
    """Build the upload for a Gradescope programming assignment."""
    if out.suffix != ".zip":
        raise InputError(f"--out {out}: a name that ends in .zip was expected")
    if minutes is not None and not 1 < minutes <= LONGEST:
        raise InputError(f"--minutes {minutes:g}: more than 1 was expected, and at most {LONGEST}")
    written = style(api)
    loaded = written.without_unsupported(loading.load(assignment or written.assignment))
    if minutes is None:
        minutes = min(LONGEST, STEP * math.ceil(enough(loaded) / STEP))
    said = Settings(assignment=loaded.name, api=api, minutes=minutes, allow_unsafe=allow_unsafe)
    made = build(loaded, said)
    try:
        out.write_bytes(made)
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}") from None
    points = sum(question.points for question in loaded.questions)
    typer.echo(f"{out}: {len(loaded.questions)} questions, {len(loaded.cases)} cases")
    typer.echo(f"On the platform: autograder points {points_text(points)}, time-out {minutes:g} minutes")
    if minutes < enough(loaded):
        typer.echo(f"Cases get a part of their time there; all of it with --minutes {enough(loaded)}")
