"""`python -m pacman play` and `watch`: games of one agent, or of several side by side."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pacman.commands.app import arg, opt
from pacman.commands.options import (
    AGENT_HELP,
    KEYBOARD,
    MOST_AGENTS,
    GameOptions,
    JsonOption,
    SeedOption,
    SeriesOptions,
    ViewKind,
    ViewOptions,
)
from pacman.core.errors import InputError
from pacman.play.game import Game, Result

if TYPE_CHECKING:
    from pacman.commands.games import GameSetup
    from pacman.record.report import Analyse

AGENT_FAILED = 1
"""The exit status of a command whose game an agent ended with a fault."""
TREE_ROWS, TREE_WIDTH = 16, 100
"""The size of the tree that is printed after a fault, in characters."""
HoldOption = Annotated[bool, opt("Keep the window open after the game.", None, "--hold/--no-hold", hidden=True)]
SaveOption = Annotated[
    Path | None, opt("Record the game to this file; several games go to NAME-1.json, NAME-2.json, ...", "FILE")
]


def play(
    game: GameOptions = GameOptions(),
    seed: SeedOption = 0,
    view: ViewOptions = ViewOptions(),
    save: SaveOption = None,
) -> int:
    """Play Pacman with the arrow keys.

    \b
    Examples:
      python -m pacman play
      python -m pacman play --layout crossroads --ghosts random,directional,optimal
      python -m pacman play --view text --speed 2
      python -m pacman play --save game.json
    """
    from pacman.commands.games import GameSetup

    return show_games([GameSetup(game, KEYBOARD, game.rounds)], seed, view, save)


def watch(
    agents: Annotated[list[str] | None, arg(f"{AGENT_HELP} Several play side by side, with one seed.", "AGENT")] = None,
    game: GameOptions = GameOptions(),
    view: ViewOptions = ViewOptions(),
    series: SeriesOptions = SeriesOptions(),
    reload: Annotated[
        bool, opt("Play again when the file of an agent is saved: watch FILE.py:CLASS --reload.", None, "--reload")
    ] = False,
    save: SaveOption = None,
    move_timeout: Annotated[
        float | None, opt("Time limit for one move, in seconds; a slower move ends the game.", "SECONDS")
    ] = None,
    hold: HoldOption = True,
    json_file: JsonOption = None,
) -> int:
    """Watch an agent play, or compare several agents side by side.

    \b
    Examples:
      python -m pacman watch
      python -m pacman watch minimax --rounds 3 --ghosts optimal,optimal
      python -m pacman watch my.py:MinimaxAgent --overlay values --reload
      python -m pacman watch minimax expectimax --layout gamble --seed 3
      python -m pacman watch --layout nook --games 50 --view none --json games.json
    """
    from pacman.commands.games import GameSetup

    names = agents or ["expectiminimax"]
    is_compared = len(names) > 1
    if is_compared:
        _check_compared(names, view, series.games)
    options = game.rounds, series.max_plies, move_timeout, series.games, is_compared
    setups = [GameSetup(game, name, *options) for name in names]
    return show_games(setups, series.seed, view, save, json_file, reload, hold)


def _check_compared(names: Sequence[str], view: ViewOptions, games: int) -> None:
    """InputError for several agents who cannot be side by side."""
    for option, kind, name in zip(sys.argv, sys.argv[1:], sys.argv[2:], strict=False):
        if option in ("--ghosts", "-g") and name == "random" != names[0]:  # no Pacman has the name of another kind
            advice = "a list has no spaces; name the agents before the options"
            raise InputError(f"{option} {kind} {name}: {advice}, as in minimax {option} {kind},{name}")
    if len(names) > MOST_AGENTS:
        raise InputError(f"{len(names)} agents: expected at most {MOST_AGENTS}, as in minimax expectimax")
    if KEYBOARD in names:
        raise InputError("a person has only one keyboard; name agents, as in minimax expectimax")
    if games != 1:
        raise InputError("watch shows one game of each of several agents: leave out --games")
    if view.view is ViewKind.text:
        raise InputError("several agents need a window, or --view none for the results alone")
    if view.lecture:
        raise InputError("--lecture shows the tree of one game: name one agent")


def show_games(
    setups: Sequence[GameSetup],
    seed: int,
    view: ViewOptions,
    save: Path | None = None,
    json_file: Path | None = None,
    reload: bool = False,
    hold: bool = True,
) -> int:
    """Shows the games of one setup, or one game of each of several; writes their results. Returns an exit status."""
    from agents.analysis import search_of_player, shown_instead
    from agents.load import files_of
    from pacman.commands.games import Reloader, games_in_series, make_view
    from pacman.commands.output import ResultWriter, aside, warn_no_sandbox, warn_of_layout
    from pacman.play.series import GameStatistics

    @cache
    def search_of(setup: GameSetup) -> Analyse:
        return search_of_player(setup.pacman, setup.rounds)

    def create() -> list[Analyse]:
        """Creates the agents, so that an error is reported, and the searches to show; also when a file has changed."""
        for setup in setups:
            setup.game(seed)
        search_of.cache_clear()
        return [search_of(setup) for setup in seen]

    def now(setup: GameSetup) -> Analyse:
        """The search of the agent in its file as it was saved last."""
        return lambda state: search_of(setup)(state)

    view.check_person(setups[0].pacman)
    warn_of_layout(setups[0].board.layout)
    seen = setups if view.view is not ViewKind.none else ()
    shown = filter(None, dict.fromkeys(map(shown_instead, create())))
    agents = [agent for setup in setups for agent in setup.agents]
    files = files_of(agents)
    if reload and (view.view is not ViewKind.window or not files):
        raise InputError("--reload needs a window, and an agent from a file: watch FILE.py:CLASS --reload")
    reloader = Reloader(files, create) if reload else None
    warn_no_sandbox(agents)
    for words in shown:
        aside(f"overlays and trees show a right search ({words}), not what your code computes")
    games, results, locations = setups[0].games, list[Result](), set[str]()
    with ExitStack() as stack:
        writer = stack.enter_context(ResultWriter(json_file))
        viewer = make_view(
            view,
            stack,
            [now(setup) for setup in seen],
            renews=len(setups) == 1,
            reload=reloader,
            hold=hold and games == 1,
        )
        for setup, game, line in games_in_series(setups, seed, games, save, viewer):
            result = game.result
            assert result is not None
            if line is None:
                results.append(result)
                writer.result(result, setup.pacman if setup.is_compared else "")
            else:  # it went on from another game, and is not one of the series
                writer.played_on(line, result)
            if result.fault and result.fault.where not in locations:  # in a series, each fault once
                locations.add(result.fault.where)
                explain_fault(setup, game)
        if games > 1 and results:
            writer.series(GameStatistics(results))
    return AGENT_FAILED if games == 1 and any(result.fault for result in results) else 0


def explain_fault(setup: GameSetup, game: Game) -> None:
    """Writes what a person needs to mend an agent whose fault ended a game, to stderr.

    That is the traceback of the agent's own code, and for a search the part of the tree that it searched.
    """
    from agents.analysis import search_of_player
    from pacman.commands.output import aside
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
    search = search_of_player(setup.pacman, setup.rounds)
    try:
        report = call_with_time_limit(search, game.state, setup.move_timeout or inf)
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
