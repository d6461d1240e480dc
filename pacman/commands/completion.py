"""The values that a shell completes for `pacman-search`: layouts, agents, algorithms and others.

A completion reads names only. It never imports the file of an agent.
"""

from __future__ import annotations

from collections.abc import Iterable

import typer

from agents import load
from pacman.commands.cli import Completion
from pacman.commands.search_choice import searches
from pacman.core import layout
from pacman.search.algorithms import ALGORITHMS, AUTO
from pacman.search.ordering import ORDERS
from pacman.view.analysis.overlay import OVERLAYS
from pacman.view.theme import THEMES

UNATTENDED = ("simulate", "regret")
"""The commands in which nobody is at the keyboard."""


def one_of(names: Iterable[str]) -> Completion:
    """Completes one of these names."""
    return lambda ctx, incomplete: list(names)


def list_of(names: Iterable[str]) -> Completion:
    """Completes the last name of a list such as "random,optimal"."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        before = incomplete[: incomplete.rfind(",") + 1]
        return [before + name for name in names]

    return complete


def layouts(ctx: typer.Context, incomplete: str) -> list[str]:
    """The layouts that come with the project."""
    return list(layout.names())


def pacmen(ctx: typer.Context, incomplete: str) -> list[str]:
    """The registered Pacman agents that the command accepts."""
    return [name for name in load.PACMEN if name != "keyboard" or ctx.info_name not in UNATTENDED]


def games(ctx: typer.Context, incomplete: str) -> list[str]:
    """The other games."""
    from pacman.commands.game import GAMES

    return list(GAMES)


VALUES: dict[str, Completion] = {
    "agent": pacmen,
    "algorithm": one_of((*ALGORITHMS, AUTO)),
    "compare": list_of(load.PACMEN),
    "ghosts": list_of(load.GHOSTS),
    "layout": layouts,
    "name": games,
    "order": one_of(ORDERS),
    "overlay": one_of(OVERLAYS),
    "pacman": pacmen,
    "see": one_of(searches()),
    "theme": one_of(THEMES),
}
"""The completion of each parameter that has a set of names, by the name of the parameter in the command's function."""
