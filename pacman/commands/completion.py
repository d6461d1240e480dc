"""The values that a shell completes for `pacman-search`: layouts, agents, algorithms and others.

A completion reads names only. It never imports the file of an agent. It must be quick, so each function imports what it
needs, and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from glob import escape, glob
from importlib import import_module
from pathlib import Path

import typer

from pacman.commands.app import Completion
from pacman.core.errors import InputError
from pacman.core.files import read_text

UNATTENDED = ("simulate", "duel", "solve-exactly")
"""The commands in which nobody is at the keyboard."""


def one_of(place: str) -> Completion:
    """Completes one of the names in a collection, which is given as MODULE:NAME, or that the function there returns."""
    return lambda ctx, incomplete: list(_names(place))


def list_of(place: str) -> Completion:
    """Completes the last name of a list such as "random,optimal"."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        before = incomplete[: incomplete.rfind(",") + 1]
        return [before + name for name in _names(place)]

    return complete


def _names(place: str) -> Iterable[str]:
    module, _, name = place.partition(":")
    names = getattr(import_module(module), name)
    return names() if callable(names) else names  # type: ignore[no-any-return]


def pacmen(ctx: typer.Context, incomplete: str) -> list[str]:
    """The registered Pacman agents that the command accepts; Python files; after FILE.py: the classes of this file."""
    from agents.load import PACMEN

    file, colon, _ = incomplete.partition(":")
    if colon:
        return [f"{file}:{name}" for name in _classes(Path(file))]
    names = [name for name in PACMEN if name != "keyboard" or ctx.info_name not in UNATTENDED]
    return [*names, *sorted(glob(f"{escape(incomplete)}*.py"))]


def _classes(file: Path) -> list[str]:
    """The classes that a file defines at the left edge, read as text; none if it cannot be read."""
    try:
        return re.findall(r"^class (\w+)", read_text(file), re.M)
    except (InputError, OSError, UnicodeDecodeError):
        return []


def algorithms(ctx: typer.Context, incomplete: str) -> list[str]:
    """The algorithms, and the name that chooses one."""
    from pacman.search.algorithms import ALGORITHMS, AUTO

    return [*ALGORITHMS, AUTO]


def trees(ctx: typer.Context, incomplete: str) -> list[str]:
    """What `solve` has a name for: layouts and files with trees."""
    return [*_names("pacman.core.layout:names"), *sorted(glob(f"{escape(incomplete)}*.txt"))]


VALUES: dict[str, Completion] = {
    "agent": pacmen,
    "agents": pacmen,
    "algorithm": algorithms,
    "ghosts": list_of("agents.load:GHOSTS"),
    "layout": one_of("pacman.core.layout:names"),
    "name": one_of("pacman.commands.game:GAMES"),
    "order": one_of("pacman.search.ordering:ORDERS"),
    "overlay": one_of("pacman.picture.overlays:OVERLAYS"),
    "see": one_of("agents.analysis:searches"),
    "targets": trees,
    "theme": one_of("pacman.picture.colours:THEMES"),
}
"""The completion of each parameter that has a set of names, by the name of the parameter in the command's function."""
