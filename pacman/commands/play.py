"""`python -m pacman play` and `watch`: games of one agent, or of several side by side."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pacman.commands import options
from pacman.commands.output import ResultWriter, aside, files_in, warn_no_sandbox, warn_of_layout
from pacman.commands.view_choice import ViewKind, ViewOptions, make_view
from pacman.core.errors import InputError
from pacman.play.game import MAX_PLIES, Game, Result

if TYPE_CHECKING:
    from pacman.commands.games import GameSetup
    from pacman.commands.reload import Reloader
    from pacman.core.state import GameState
    from pacman.record.report import Analyse, SearchReport

MOST = 4
"""The most games side by side: more boards would be too small to see."""
AGENT_FAILED = 1
"""The exit status of a command whose game an agent ended with a fault."""
TREE_ROWS, TREE_WIDTH = 16, 100
"""The size of the tree that is printed after a fault, in characters."""
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
        from pacman.commands.games import GameSetup

        if compare and games != 1:
            raise InputError("--compare shows one game of each agent: leave out --games")
        if compare and view is ViewKind.text:
            raise InputError("--compare needs a window, or --view none for the results alone")
        if lecture and (compare or view is not ViewKind.window):
            raise InputError("--lecture shows the tree of one game in a window: leave out --compare and --view")
        view_options = ViewOptions(view, speed, theme, overlay, lecture, hold and games == 1)
        setup = GameSetup(layout, pacman, tuple(arguments), ghosts, rounds, max_plies, move_timeout, games)
        warn_of_layout(layout)
        if compare:
            setups = [setup.with_pacman(one) for one in agents_to_compare(compare)]
        else:
            setups = [replace(setup.with_pacman(agent or pacman), label="")]
        return show_games(setups, seed, view_options, save, json_file, reload)

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


def show_games(
    setups: Sequence[GameSetup], seed: int, view: ViewOptions, save: Path | None, json_file: Path | None, reload: bool
) -> int:
    """Shows the games of one setup, or one game of each of several; writes their results. Returns an exit status."""
    from pacman.commands.games import games_in_series
    from pacman.commands.search_choice import agent_search
    from pacman.play.series import GameStatistics

    for setup in setups:
        setup.game(seed)  # errors are reported before a window opens
    thinks = [agent_search(setup) for setup in setups] if view.kind is not ViewKind.none else []
    reloader = _reloader(setups, seed, thinks, view.kind) if reload else None
    warn_no_sandbox(_agents(setups))
    games = setups[0].games
    results: list[Result] = []
    with ExitStack() as stack:
        writer = stack.enter_context(ResultWriter(json_file))
        viewer = make_view(
            view,
            stack,
            [partial(_search_now, thinks, number) for number in range(len(thinks))],
            steer=setups[0].steer,
            renews=len(setups) == 1,
            reload=reloader,
        )
        locations: set[str] = set()
        for setup, game, line in games_in_series(setups, seed, games, save, viewer):
            result = game.result
            assert result is not None
            if line is None:
                results.append(result)
                writer.result(result, setup.label)
            else:  # it went on from another game, and is not one of the series
                writer.played_on(line, result)
            if result.fault and result.fault.where not in locations:  # in a series, each fault once
                locations.add(result.fault.where)
                explain_fault(setup, game)
        if games > 1 and results:
            writer.series(GameStatistics.of(results))
    return AGENT_FAILED if games == 1 and any(result.fault for result in results) else 0


def _agents(setups: Sequence[GameSetup]) -> list[str]:
    """The names of all agents of these games, and of the functions that they get as options."""
    return [name for one in setups for name in (one.pacman, *options.kinds(one.ghosts), *files_in(one.arguments))]


def _search_now(thinks: list[Analyse], number: int, state: GameState) -> SearchReport:
    """The report of an agent's search, as its file is now."""
    return thinks[number](state)


def _reloader(setups: Sequence[GameSetup], seed: int, thinks: list[Analyse], view: ViewKind) -> Reloader:
    """The reloader for the agents of these games; it also replaces their searches in `thinks`."""
    from agents import load
    from pacman.commands.reload import Reloader
    from pacman.commands.search_choice import agent_search

    files = load.files_of(_agents(setups))
    if view is not ViewKind.window or not files:
        raise InputError("--reload needs a window, and an agent from a file: watch FILE.py:CLASS --reload")

    def create() -> None:
        for setup in setups:
            setup.game(seed)
        thinks[:] = [agent_search(setup) for setup in setups]  # in place, because the window has this list

    return Reloader(files, create)


def explain_fault(setup: GameSetup, game: Game) -> None:
    """Writes what a person needs to mend an agent whose fault ended a game, to stderr.

    That is the traceback of the agent's own code, and for a search the part of the tree that it searched.
    """
    from pacman.commands.search_choice import agent_search
    from pacman.play.own_code import OutOfTime, call_with_time_limit
    from pacman.record.rows import LEGEND, TreeBrowser, tree_lines

    fault = game.result and game.result.fault
    if not fault or not fault.traceback:
        return
    aside(fault.traceback)
    if fault.advice:
        aside(fault.advice)
    if fault.agent:
        return
    search, limit = agent_search(setup), setup.move_timeout
    try:
        report = call_with_time_limit(search, game.state, limit) if limit else search(game.state)
    except (InputError, OutOfTime):  # the search failed before its first successor, or it never ends
        return
    if not report.has_failed:
        return
    browser = TreeBrowser(report)
    browser.go_to(len(report.steps) - 1 if report.steps else None)
    has_unicode = (sys.stderr.encoding or "").lower().startswith("utf")
    aside(f"The search until the error{f' ({LEGEND})' if has_unicode else ''}:")
    for line in tree_lines(browser, TREE_WIDTH, TREE_ROWS, has_unicode=has_unicode):
        aside(line)


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

watch = games_command(
    "expectiminimax",
    """Watch an agent play, or compare several agents side by side.

    \b
    Examples:
      python -m pacman watch
      python -m pacman watch --pacman minimax --rounds 3 --ghosts optimal,optimal
      python -m pacman watch my.py:MinimaxAgent --overlay values --reload
      python -m pacman watch --compare minimax,expectimax --layout gamble --seed 3
      python -m pacman watch --layout nook --games 50 --view none --json games.json
    """,
)
