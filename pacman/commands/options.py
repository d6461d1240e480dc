"""Options that several commands share, with one spelling and one help text, and checks of their numbers."""

from __future__ import annotations

import re
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer

from pacman.commands.view_choice import ViewKind
from pacman.core.errors import InputError
from pacman.picture.colours import THEMES
from pacman.search.algorithms import ALGORITHMS
from pacman.view.view_protocol import SPEED


def check_json_file(file: Path | None) -> Path | None:
    """The file of `--json FILE`. InputError if the next option stands in its place, as in `--json --view none`."""
    if file is not None and str(file).startswith("--"):
        raise InputError(f"--json {file}: expected a file name, or - for stdout")
    return file


SUCCESSOR = "expectiminimax"
"""The agent that plays on from a position, unless the user names another one."""

LayoutOption = Annotated[
    str, typer.Option("--layout", "-l", metavar="NAME", help="Layout: a name from `layouts`, or a .lay file.")
]
AGENT_NAMES = (
    "random, greedy, reflex, minimax, alphabeta, expectimax, expectiminimax, perfect (only small boards), "
    "scripted (fixed moves: -a actions=East,North,...), or FILE.py:CLASS (runs without a sandbox)"
)
GHOST_NAMES = "random, directional (mostly towards Pacman), optimal (minimises the score)"


def _pacman_option(first_name: str = "") -> Any:
    return typer.Option("--pacman", "-p", metavar="AGENT", help=f"Agent that plays Pacman: {first_name}{AGENT_NAMES}.")


def ghosts_option(more_kinds: str = "", beginning: str = "One") -> Any:
    """The option `--ghosts`, which takes `more_kinds` too; its help begins with `beginning`."""
    text = f"{beginning} kind per ghost, for example random,optimal. Kinds: {GHOST_NAMES}{more_kinds}."
    return typer.Option("--ghosts", "-g", metavar="KIND,KIND,...", help=f"{text} Default: all random.")


PacmanOption = Annotated[str, _pacman_option("keyboard (you), ")]
AutomaticPacmanOption = Annotated[str, _pacman_option()]
GhostsOption = Annotated[str, ghosts_option(", or FILE.py:CLASS (runs without a sandbox)")]
ArgumentOption = Annotated[
    list[str],
    typer.Option(
        "--pacman-arg",
        "-a",
        metavar="KEY=VALUE",
        help="Set an option of the Pacman agent; for several, repeat: -a rounds=3 -a evaluation=score. An "
        "evaluation can be a function in a file: -a evaluation=my.py:better_evaluation.",
    ),
]
RoundsOption = Annotated[
    int | None,
    typer.Option("--rounds", metavar="N", help="Search depth of every agent that searches, in rounds. Default: 2."),
]
SearchRoundsOption = Annotated[
    int | None, typer.Option("--rounds", metavar="N", help="Depth of the --see search, in rounds. Default: 2.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", help="Random seed. The same seed gives the same game.")]
SeriesSeedOption = Annotated[
    int, typer.Option("--seed", metavar="N", help="Random seed of the first game. Each next game uses the next number.")
]
GamesOption = Annotated[int, typer.Option("--games", "-n", metavar="N", help="Number of games.")]
PliesOption = Annotated[int, typer.Option("--max-plies", metavar="N", help="End a game after N plies.")]
JobsOption = Annotated[
    int, typer.Option("--jobs", "-j", metavar="N", help="Number of parallel workers; 0 uses all cores.")
]
StatesOption = Annotated[
    int, typer.Option("--states", metavar="N", help="Stop if the board has more than N positions.")
]
ViewOption = Annotated[
    ViewKind,
    typer.Option("--view", "-v", help="Where to show the game: in a window, as text in this terminal, or not at all."),
]
SpeedOption = Annotated[
    float | None,
    typer.Option(
        "--speed",
        metavar="N",
        help=f"Speed, in rounds per second. Default: {SPEED:g}; no pauses if the text goes to a file.",
    ),
]
HoldOption = Annotated[bool, typer.Option("--hold/--no-hold", help="Keep the window open after the game.")]
ThemeOption = Annotated[str, typer.Option("--theme", metavar="NAME", help=f"Colours: {', '.join(THEMES)}.")]
OverlayOption = Annotated[
    str,
    typer.Option(
        "--overlay",
        metavar="NAME",
        help="Show the search on the board: values (of the actions), line (the moves that the search expects), "
        "heat (where nodes were expanded), layers (node counts for MAX, CHANCE and MIN), or none.",
    ),
]
LectureOption = Annotated[
    bool,
    typer.Option("--lecture", help="Show the search tree in large type, as a textbook draws it (key E)."),
]
SeeOption = Annotated[
    str,
    typer.Option(
        "--see",
        metavar="SEARCH",
        help=f"Search to show: an agent that searches (FILE.py:CLASS runs without a sandbox), or an algorithm "
        f"({', '.join(ALGORITHMS)}). Default: expectiminimax.",
        show_default=False,
    ),
]
SeeArgumentOption = Annotated[
    list[str],
    typer.Option(
        "--see-arg",
        "-a",
        metavar="KEY=VALUE",
        help="Set an option of the agent of --see; for several, repeat: -a rounds=3 -a evaluation=better_evaluation.",
    ),
]
JsonOption = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", callback=check_json_file, help="Write the results as JSON; - means stdout."),
]


def check_at_least_one(option: str, number: int, what: str) -> None:
    """Checks that `number` is 1 or more. InputError names the option and the unit `what`."""
    if number < 1:
        raise InputError(f"{option} {number}: expected at least 1 {what}")


def check_positive(option: str, number: float | None, unit: str) -> None:
    """Checks that `number` is finite and above 0, or missing. InputError names the option and the unit."""
    if number is not None and not 0 < number < inf:
        raise InputError(f"{option} {number:g}: expected a positive number of {unit}")


def agent_and_options(text: str) -> tuple[str, tuple[str, ...]]:
    """The agent and its options in a text such as "minimax:rounds=3".

    A part without "=" belongs to the part before it, because names of files have colons too.

    >>> agent_and_options("my.py:Mine:rounds=3:evaluation=my.py:better")
    ('my.py:Mine', ('rounds=3', 'evaluation=my.py:better'))
    """
    name, *options = re.split(r":(?=\w+=)", text.strip())
    return name, tuple(options)


def kinds(text: str) -> list[str]:
    """The kinds of ghosts in a text such as "random, optimal"; none for an empty text."""
    return [kind.strip() for kind in text.split(",")] if text else []
