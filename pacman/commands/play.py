"""`python -m pacman play`, and the code it shares with `watch`: games of one agent, or of several side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pacman.commands import options
from pacman.commands.output import ResultWriter, files_in, warn_no_sandbox
from pacman.commands.view_choice import ViewKind, make_view
from pacman.core.errors import InputError
from pacman.play.game import MAX_PLIES, Result

if TYPE_CHECKING:
    from pacman.commands.game_setup import GameSetup
    from pacman.commands.reload import Reloader
    from pacman.core.state import GameState
    from pacman.view.analysis.search_report import Analyse, SearchReport

MOST = 4
"""The most games side by side: more boards would be too small to see."""
TimeoutOption = Annotated[
    float | None,
    typer.Option(
        "--move-timeout",
        metavar="SECONDS",
        help="Time limit for one move, in seconds; a slower move ends the game.",
    ),
]
SaveOption = Annotated[
    Path | None,
    typer.Option(
        "--save", metavar="FILE", help="Record the game to this file; several games go to NAME-1.json, NAME-2.json, ..."
    ),
]
CompareOption = Annotated[
    str,
    typer.Option(
        "--compare",
        metavar="AGENT,AGENT,...",
        help="Show these agents side by side with the same seed (replaces --pacman). An agent can have options: "
        "minimax:rounds=2,minimax:rounds=3.",
    ),
]


AgentArgument = Annotated[
    str, typer.Argument(metavar="AGENT", help="Agent that plays Pacman, instead of --pacman; it can have options.")
]
ReloadOption = Annotated[
    bool,
    typer.Option("--reload", help="Play again when the file of an agent is saved: watch FILE.py:CLASS --reload."),
]


def games_command(pacman: str, about: str) -> Callable[..., int]:
    """A command that shows games of the agent `pacman`, unless the user names another one. `about` is its help."""

    def command(
        agent: AgentArgument = "",
        layout: options.LayoutOption = "smallish",
        pacman: options.PacmanOption = pacman,
        arguments: options.ArgumentOption = [],  # noqa: B006  # typer copies it
        ghosts: options.GhostsOption = "",
        rounds: options.RoundsOption = None,
        seed: options.SeriesSeedOption = 0,
        games: options.GamesOption = 1,
        view: options.ViewOption = ViewKind.window,
        speed: options.SpeedOption = None,
        hold: options.HoldOption = True,
        theme: options.ThemeOption = "dark",
        overlay: options.OverlayOption = "none",
        lecture: options.LectureOption = False,
        max_plies: options.PliesOption = MAX_PLIES,
        move_timeout: TimeoutOption = None,
        save: SaveOption = None,
        json_file: options.JsonOption = None,
        compare: CompareOption = "",
        reload: ReloadOption = False,
    ) -> int:
        from pacman.commands.faults import AGENT_FAILED, explain_fault
        from pacman.commands.game_setup import GameSetup, games_in_series
        from pacman.play.game_statistics import tally

        if compare and games != 1:
            raise InputError("--compare shows one game of each agent: leave out --games")
        options.check_at_least_one("--games", games, "game")
        options.check_at_least_one("--max-plies", max_plies, "ply")
        options.check_positive("--speed", speed, "rounds per second")
        options.check_positive("--move-timeout", move_timeout, "seconds")
        setup = GameSetup(layout, pacman, tuple(arguments), ghosts, rounds, max_plies, move_timeout, games)
        agents = agents_to_compare(compare) if compare else [agent or pacman]
        setups = [setup.with_pacman(one) for one in agents]
        if not compare:
            setups = [replace(setups[0], label="")]
        if compare and view is ViewKind.text:
            raise InputError("--compare needs a window, or --view none for the results alone")
        if lecture and (compare or view is not ViewKind.window):
            raise InputError("--lecture shows the tree of one game in a window: leave out --compare and --view")
        for one in setups:
            one.game(seed)  # errors are reported before a window opens
        thinks = [_search(setup) for setup in setups] if view is not ViewKind.none else []
        reloader = _reloader(setups, seed, thinks, view) if reload else None
        warn_no_sandbox(_agents(setups))
        results: list[Result] = []
        with ExitStack() as stack:
            writer = stack.enter_context(ResultWriter(json_file))
            viewer = make_view(
                view,
                stack,
                speed=speed,
                theme=theme,
                overlay=overlay,
                lecture=lecture,
                hold=hold and games == 1,
                steer=setups[0].steer,
                renews=not compare,
                thinks=[partial(_search_now, thinks, number) for number in range(len(thinks))],
                reload=reloader,
            )
            locations: set[str] = set()
            for one, game, result in games_in_series(setups, seed, games, save, viewer):
                if not one.branch:  # a branch is not one of the games
                    results.append(result)
                writer.result(result, one.branch or (one.label if compare else ""))
                if result.fault and result.fault.where not in locations:  # in a series, each fault once
                    locations.add(result.fault.where)
                    explain_fault(one, game)
            if games > 1 and results:
                writer.report(tally(results))
        return AGENT_FAILED if games == 1 and any(result.fault for result in results) else 0

    command.__doc__ = about
    return command


def agents_to_compare(text: str) -> list[str]:
    """The agents in a text such as "minimax,expectimax". InputError unless there are two to four, without keyboard."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not 2 <= len(names) <= MOST:
        raise InputError(f"--compare '{text}': expected 2 to {MOST} agents, as in minimax,expectimax")
    if any(options.agent_and_options(name)[0] == "keyboard" for name in names):
        raise InputError(f"--compare '{text}': a person has only one keyboard; name agents, as in minimax,expectimax")
    return names


def _agents(setups: Sequence[GameSetup]) -> list[str]:
    """The names of all agents of these games, and of the functions that they get as options."""
    return [name for one in setups for name in (one.pacman, *options.kinds(one.ghosts), *files_in(one.arguments))]


def _search(setup: GameSetup) -> Analyse:
    from pacman.commands.search_choice import agent_search

    return agent_search(setup.pacman, setup.arguments, setup.rounds)


def _search_now(thinks: list[Analyse], number: int, state: GameState) -> SearchReport:
    """The report of an agent's search, as its file is now."""
    return thinks[number](state)


def _reloader(setups: Sequence[GameSetup], seed: int, thinks: list[Analyse], view: ViewKind) -> Reloader:
    """The reloader for the agents of these games; it also replaces their searches in `thinks`."""
    from agents import load
    from pacman.commands.reload import Reloader

    files = load.files_of(_agents(setups))
    if view is not ViewKind.window or not files:
        raise InputError("--reload needs a window, and an agent from a file: watch FILE.py:CLASS --reload")

    def create() -> None:
        for setup in setups:
            setup.game(seed)
        thinks[:] = [_search(setup) for setup in setups]  # in place, because the window has this list

    return Reloader(files, create)


play = games_command(
    "keyboard",
    """Play Pacman with the arrow keys, or let an agent play.

    \b
    Examples:
      python -m pacman play
      python -m pacman play --layout crossroads --ghosts random,directional,optimal
      python -m pacman play --view text --speed 2
      python -m pacman play --pacman expectimax --save game.json
    """,
)
