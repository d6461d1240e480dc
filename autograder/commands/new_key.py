"""`python -m autograder new-key`: makes the secret key from which a course draws the games that count."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cases.game_seeds import GameKey
from autograder.commands.private_file import open_private
from pacman.core.errors import InputError


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
    try:
        with open_private(out, "xb") as file:
            file.write(GameKey.new().text.encode("ascii"))
    except FileExistsError:
        raise InputError(f"--out {out}: this file exists already; choose another name") from None
    except OSError as error:
        raise InputError(f"--out {out}: cannot be written: {(error.strerror or str(error)).lower()}") from None
    typer.echo(f"{out}: a new key; keep it secret. Grade with it: python -m autograder grade SUBMISSION --key {out}")
