"""`python -m autograder new-key`: makes the secret key from which a course draws the games that count."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.shared.report_file import write_new
from pacman.commands.shared.started_as import as_started


def new_key(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Write the key to this new file.")],
) -> None:
    """Make the key from which the games that count are drawn. Only you can read its file.

    Nobody can foretell the ghosts of such a game without the key. Keep it secret, and use the same key for the whole
    course: with another key, every submission plays other games.

    \b
    Examples:
      python -m autograder new-key --out course.key
    """
    from autograder.cases.game_seeds import GameKey

    write_new("--out", out, GameKey.new().text)
    command = as_started(f"python -m autograder grade SUBMISSION --key {out}")
    typer.echo(f"{out}: a new key; keep it secret. Grade with it: {command}")
