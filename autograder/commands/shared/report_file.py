"""Writes reports to files; a file that cannot be written is one line for the user."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pacman.commands.output import STDOUT, check_no_loss
from pacman.core.errors import InputError, nearest
from pacman.core.files import write_file

if TYPE_CHECKING:
    from autograder.cases.game_seeds import GameKey


def check_report_file(path: Path) -> None:
    """InputError if a report could not be written to this file: for a command that works long before it writes."""
    if path.is_dir():
        raise InputError(f"{path}: cannot be written: it is a folder; expected the name of a file")
    if not path.parent.is_dir():
        raise InputError(f"{path}: cannot be written: no folder {path.parent}")
    check_no_loss(path)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"{path}: cannot be written: no permission")


def save_report(path: Path, text: str) -> None:
    """Writes a report as UTF-8; InputError if that fails."""
    write_file(path, text.encode("utf-8"))


def check_new(option: str, path: Path, ending: str = "") -> None:
    """InputError if there is something already, or no folder for it, or if another `ending` is necessary.

    `-` is always right.
    """
    if ending and path.suffix != ending:
        raise InputError(f"{option} {path}: expected a name that ends in {ending}")
    if path == STDOUT:
        return
    if path.exists():
        raise InputError(
            f"{option} {path}: this {'folder' if path.is_dir() else 'file'} exists already; choose another name"
        )
    if not path.parent.is_dir():
        raise InputError(f"{option} {path}: cannot be written: no folder {path.parent}")


def open_key(path: Path, makes: bool = False) -> GameKey:
    """The key in a file. A missing file is an InputError with the nearest name, unless this `makes` a new key."""
    from autograder.cases.game_seeds import GameKey

    if path.exists() or not path.parent.is_dir():
        return GameKey.load(path)
    if not makes:
        names = [each.name for each in path.parent.iterdir() if each.suffix == path.suffix]
        raise InputError(f"--key {path}: no such file: {nearest(path.name, names)}")
    key = GameKey.new()
    write_new("--key", path, key.text)
    typer.echo(f"{path}: a new key; keep it secret, and use it for the whole course", err=True)
    return key


def write_new(option: str, path: Path, content: str | bytes, rights: int = 0o600) -> None:
    """Writes a new file, with these rights; `-` is standard output. InputError if it cannot be written."""
    if path == STDOUT:
        typer.echo(content, nl=False)
    else:
        write_file(path, content.encode("utf-8") if isinstance(content, str) else content, option, True, rights)
