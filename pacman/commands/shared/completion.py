"""The values that a shell completes for `pacman-search`: layouts, agents, algorithms and others.

A completion reads names only. It never imports the file of an agent. It must be quick, so each function imports what it
needs, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from glob import escape, glob
from importlib import import_module

import typer

from pacman.commands.shared.cli import Completion

UNATTENDED = ("simulate", "solve-exactly")
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
    """The registered Pacman agents that the command accepts, and the Python files whose names begin so."""
    from agents.load import PACMEN

    names = [name for name in PACMEN if name != "keyboard" or ctx.info_name not in UNATTENDED]
    return [*names, *sorted(glob(f"{escape(incomplete)}*.py"))]


def algorithms(ctx: typer.Context, incomplete: str) -> list[str]:
    """The algorithms, and the name that chooses one."""
    from pacman.search.algorithms import ALGORITHMS, AUTO

    return [*ALGORITHMS, AUTO]


VALUES: dict[str, Completion] = {
    "agent": pacmen,
    "algorithm": algorithms,
    "compare": list_of("agents.load:PACMEN"),
    "ghosts": list_of("agents.load:GHOSTS"),
    "layout": one_of("pacman.core.layout:names"),
    "name": one_of("pacman.commands.game:GAMES"),
    "order": one_of("pacman.search.ordering:ORDERS"),
    "overlay": one_of("pacman.picture.overlays.overlay:OVERLAYS"),
    "pacman": pacmen,
    "see": one_of("pacman.commands.shared.search_choice:searches"),
    "theme": one_of("pacman.picture.theme:THEMES"),
}
"""The completion of each parameter that has a set of names, by the name of the parameter in the command's function."""
