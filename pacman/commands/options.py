"""Options that several commands take, and what their numbers may be."""

from __future__ import annotations

from math import inf
from typing import Annotated

import typer

from pacman.commands.view_choice import ViewKind
from pacman.core.errors import InputError

LayoutOption = Annotated[str, typer.Option("--layout", "-l", help="A layout's name, or a .lay file.")]
PacmanOption = Annotated[str, typer.Option("--pacman", "-p", help="Who plays; `keyboard` is you.")]
GhostsOption = Annotated[
    str,
    typer.Option(
        "--ghosts",
        "-g",
        metavar="KIND,KIND,...",
        help="Each ghost in turn: random, directional, optimal or FILE.py:CLASS. By default all are random.",
    ),
]
ArgumentOption = Annotated[
    list[str], typer.Option("--pacman-arg", "-a", metavar="KEY=VALUE", help="An argument of Pacman's, as in rounds=3.")
]
RoundsOption = Annotated[int | None, typer.Option(help="How many rounds everyone who searches looks ahead.")]
SeedOption = Annotated[int, typer.Option(help="The same seed gives the same game; the next game takes the next seed.")]
GamesOption = Annotated[int, typer.Option("--games", "-n", help="How many games.")]
PliesOption = Annotated[int, typer.Option("--max-plies", help="A game is truncated after so many plies.")]
StatesOption = Annotated[int, typer.Option(help="Refuse a board with more positions.")]
ViewOption = Annotated[ViewKind, typer.Option("--view", "-v", help="Where to show it.")]
SpeedOption = Annotated[float | None, typer.Option(help="Rounds a second.")]
HoldOption = Annotated[bool, typer.Option("--hold/--no-hold", help="Keep the window open when the game is over.")]
ThemeOption = Annotated[str, typer.Option(help="dark, light or colour-blind.")]
OverlayOption = Annotated[
    str, typer.Option(help="What of the search is drawn on the board: none, values, line, heat or layers.")
]
SeeOption = Annotated[
    str, typer.Option("--see", metavar="SEARCH", help="Whose search an overlay shows: an agent's, or one of `solve`.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="As JSON.")]


def at_least_one(option: str, number: int, what: str) -> None:
    if number < 1:
        raise InputError(f"{option} {number}: at least 1 {what} was expected")


def positive(option: str, number: float | None, unit: str) -> None:
    if number is not None and not 0 < number < inf:
        raise InputError(f"{option} {number:g}: a positive number of {unit} was expected")


def kinds(words: str) -> list[str]:
    """The kinds in "random, optimal"; none in ""."""
    return [kind.strip() for kind in words.split(",")] if words else []
