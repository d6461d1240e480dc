"""`python -m pacman conform`: the rules held against games that another engine recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pacman.play.conformance import conform as replayed


def conform(files: Annotated[list[Path], typer.Argument(help="Recordings, JSON lines, packed or plain.")]) -> int:
    """Hold the rules against games that another engine recorded; exit status 1 at the first difference."""
    status = 0
    for file in files:
        found = replayed(file)
        typer.echo(str(found) if found.difference else f"{file}: {found}")
        status = status or (1 if found.difference else 0)
    return status
