"""`python -m pacman play`, and what it shares with `watch`: games of one agent, or of several side by side."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands import options
from pacman.commands.game_setup import GameSetup, games_in_series
from pacman.commands.output import print_report, print_result
from pacman.commands.search_choice import agent_search
from pacman.commands.view_choice import ViewKind, make_view
from pacman.core.errors import InputError
from pacman.play.game import MAX_PLIES, Result
from pacman.play.game_statistics import tally

MOST = 4
"""More boards side by side are too small to see."""
TimeoutOption = Annotated[
    float | None, typer.Option("--move-timeout", metavar="SECONDS", help="A slower move is a fault.")
]
SaveOption = Annotated[
    Path | None, typer.Option("--save", metavar="FILE", help="Record the game; several get FILE-1, FILE-2, ...")
]
CompareOption = Annotated[
    str, typer.Option("--compare", metavar="AGENT,AGENT", help="These beside one another, on the same seed, instead.")
]


def games_command(pacman: str, about: str) -> Callable[..., None]:
    """A command that shows games of `pacman` where no other is named."""

    def command(
        layout: options.LayoutOption = "smallish",
        pacman: options.PacmanOption = pacman,
        arguments: options.ArgumentOption = [],  # noqa: B006  # typer copies it
        ghosts: options.GhostsOption = "",
        rounds: options.RoundsOption = None,
        seed: options.SeedOption = 0,
        games: options.GamesOption = 1,
        view: options.ViewOption = ViewKind.window,
        speed: options.SpeedOption = None,
        hold: options.HoldOption = True,
        theme: options.ThemeOption = "dark",
        overlay: options.OverlayOption = "none",
        max_plies: options.PliesOption = MAX_PLIES,
        move_timeout: TimeoutOption = None,
        save: SaveOption = None,
        as_json: options.JsonOption = False,
        compare: CompareOption = "",
    ) -> None:
        if compare and games != 1:
            raise InputError("--compare shows one game of each agent: leave out --games")
        options.at_least_one("--games", games, "game")
        options.at_least_one("--max-plies", max_plies, "ply")
        options.positive("--speed", speed, "rounds a second")
        options.positive("--move-timeout", move_timeout, "seconds")
        setup = GameSetup(layout, pacman, tuple(arguments), ghosts, rounds, max_plies, move_timeout)
        setups = [replace(setup, pacman=name) for name in compared(compare)] if compare else [setup]
        if compare and view is ViewKind.text:
            raise InputError("--compare needs a window, or --view none for the results alone")
        for one in setups:
            one.game(seed)  # what does not fit is said before a window opens
        results: list[Result] = []
        with ExitStack() as stack:
            shown = make_view(
                view,
                stack,
                speed=speed,
                theme=theme,
                overlay=overlay,
                hold=hold and games == 1,
                steer=setups[0].steer,
                renews=not compare,
                thinks=[agent_search(one.pacman, arguments, rounds) for one in setups if view is ViewKind.window],
            )
            for one, result in games_in_series(setups, seed, games, save, shown):
                results.append(result)
                print_result(result, as_json, one.pacman if compare else "")
        if games > 1 and results:
            print_report(tally(results), as_json)

    command.__doc__ = about
    return command


def compared(words: str) -> list[str]:
    """The agents in "minimax,expectimax"; InputError unless there are two to four, none of them a person."""
    names = [name.strip() for name in words.split(",") if name.strip()]
    if not 2 <= len(names) <= MOST:
        raise InputError(f"--compare '{words}': expected 2 to {MOST} agents, as in minimax,expectimax")
    if "keyboard" in names:
        raise InputError(f"--compare '{words}': a person has only one keyboard; name agents, as in minimax,expectimax")
    return names


play = games_command("keyboard", "Play Pacman with the arrow keys, or let an agent play.")
