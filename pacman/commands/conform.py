"""`python -m pacman conform`: compares our rules with games that another engine recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def conform(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="Games recorded by the other engine (not files of --save), as JSON lines, plain or gzipped. "
            "pacman/play/conformance.py describes them.",
        ),
    ],
) -> int:
    """Compare our rules with games that another engine recorded. Exit status 1 if a position differs.

    \b
    Examples:
      python -m pacman conform games.jsonl
      python -m pacman conform games.jsonl.gz more.jsonl
    """
    from pacman.play.conformance import conform as replay_recording

    status = 0
    for file in files:
        conformance = replay_recording(file)
        typer.echo(str(conformance) if conformance.difference else f"{file}: {conformance}")
        status = status or (1 if conformance.difference else 0)
    return status
