"""Options and files that the commands for a class share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pacman.commands.whole_file import whole_file
from pacman.core.errors import InputError

STDOUT = Path("-")

StoreOption = Annotated[
    str,
    typer.Option(
        "--store", metavar="FILE|URL", help="Read the results of this store: a file of grade-all, or postgresql://..."
    ),
]
AssignmentOption = Annotated[
    str | None, typer.Option("--assignment", metavar="NAME", help="Choose this assignment of the store.")
]
AssignmentAsOption = Annotated[str | None, typer.Option("--assignment", hidden=True)]
"""The name of an assignment, as commands took it before it became their argument."""
PseudonymsOption = Annotated[
    bool,
    typer.Option(
        "--pseudonyms", help="Name each student by a pseudonym, which is the same in all reports from this store."
    ),
]

ApiOption = Annotated[
    str | None,
    typer.Option(
        "--api",
        metavar="NAME",
        help="Expect submissions in this style: native, or cs188. [default: as the assignment says]",
    ),
]
KeyOption = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="Draw the ghosts of all matches from this key (see new-key)."),
]
AllowUnsafeOption = Annotated[
    bool,
    typer.Option("--allow-unsafe", help="Grade even if the sandbox is too weak to stop a hostile program."),
]
WithOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--with", metavar="FILE", help="Let every submission import this Python file of the course; can be repeated."
    ),
]
JobsOption = Annotated[
    int, typer.Option("--jobs", metavar="N", help="Grade N submissions at the same time; 0 uses all cores.")
]


def check_new(option: str, path: Path) -> None:
    """InputError if there is a file already, or no folder for it. `-` is always right."""
    if path == STDOUT:
        return
    if path.exists():
        raise InputError(f"{option} {path}: this file exists already; choose another name")
    if not path.parent.is_dir():
        raise InputError(f"{option} {path}: cannot be written: no folder {path.parent}")


def write_new(option: str, path: Path, text: str) -> None:
    """Writes a new file that only its owner can read; `-` is standard output. InputError if it cannot be written."""
    if path == STDOUT:
        typer.echo(text, nl=False)
        return
    try:
        with whole_file(path, is_new=True, rights=0o600) as file:
            file.write(text.encode("utf-8"))
    except FileExistsError:
        raise InputError(f"{option} {path}: this file exists already; choose another name") from None
    except OSError as error:
        raise InputError(f"{option} {path}: cannot be written: {(error.strerror or str(error)).lower()}") from None
