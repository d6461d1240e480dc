"""From the options of a command line to games and a view: who plays where, what shows it, and who plays on.

A person or another agent can play on from a position of a game, live or recorded. That is a game of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import cycle, islice, zip_longest
from math import inf
from pathlib import Path
from typing import Any

from agents import load
from agents.ghosts import OptimalGhost, ghost_of
from agents.pacmen import PerfectPacman
from pacman.commands.options import KEYBOARD, BoardOptions, ViewKind, ViewOptions, check_positive
from pacman.commands.output import aside
from pacman.core.errors import InputError, counted
from pacman.core.layout import Layout, names
from pacman.core.state import GameState, start
from pacman.picture.colours import theme
from pacman.play.game import MAX_PLIES, Game
from pacman.play.own_code import frames_of, location, own_frames
from pacman.play.recording import GameLine, Recorder, branch_files
from pacman.record.report import Analyse
from pacman.view import PLAY_ON, SPEED, After, Reload, View, ViewedGame

SUCCESSOR = "expectiminimax"
"""The agent that plays on from a position, unless the user names another one."""


# ---- games


@dataclass(frozen=True)
class GameSetup:
    """Who plays where, for how long at most, and how many games, as the options of the command line say.

    `pacman` is a name with options, as in "minimax:rounds=3". Where several are compared, pictures and results name
    him with his file and his options.
    """

    board: BoardOptions
    pacman: str
    rounds: int | None = None
    max_plies: int = MAX_PLIES
    move_timeout: float | None = None
    games: int = 1
    is_compared: bool = False

    def __post_init__(self) -> None:
        check_positive("--move-timeout", self.move_timeout, "seconds")

    @property
    def agents(self) -> list[str]:
        """The names of all agents, with their options."""
        return [self.pacman, *self.board.kinds]

    @property
    def display_name(self) -> str:
        """Pacman's name in a picture; in a comparison with its file and its options, as in "my.py:Mine rounds=3"."""
        name, options = load.name_and_options(self.pacman)
        return " ".join([Path(name).name, *options]) if self.is_compared else name.rpartition(":")[2]

    def make_ghosts(self) -> list[Any]:
        """New ghosts of the kinds that the user named."""
        return [load.make_ghost(kind, self.rounds) for kind in self.board.kinds]

    def game(self, seed: int) -> Game:
        """A game with new agents; InputError for an unknown name, and for a wrong option."""
        ghosts = self.make_ghosts()
        state = start(self.board.layout, ghosts or None)
        ghosts = ghosts or ghosts_of(state)
        pacman = load.make_pacman(self.pacman, rounds=self.rounds)
        for agent in (pacman, *ghosts):  # before the game and its clocks begin
            if isinstance(agent, PerfectPacman):
                agent.prepare(state)
            elif isinstance(agent, OptimalGhost):
                agent.prepare(state, self.games)
        kinds = self.board.kinds or ["random"] * len(ghosts)
        return Game(
            state,
            [pacman, *ghosts],
            [self.display_name, *(f"{kind.rpartition(':')[2]} {number}" for number, kind in enumerate(kinds, 1))],
            seed=seed,
            max_plies=self.max_plies,
            move_timeout=self.move_timeout,
            explain=load.advice_at,
        )

    def on_next_layout(self) -> GameSetup:
        """The same players on the next layout. If it has more ghosts, their kinds repeat in order."""
        layouts, kinds = names(), self.board.kinds
        number = layouts.index(self.board.layout) + 1 if self.board.layout in layouts else 0
        layout = layouts[number % len(layouts)]
        ghosts = ",".join(islice(cycle(kinds), len(Layout.load(layout).ghosts)))
        return replace(self, board=replace(self.board, layout=layout, ghosts=ghosts))


def games_in_series(
    setups: Sequence[GameSetup], seed: int, games: int, save: Path | None, view: View
) -> Iterator[tuple[GameSetup, Game, GameLine | None]]:
    """Shows `games` games and those that the viewer asks for, and yields each game that ended.

    After a game come those that went on from it and ended, each also as a `GameLine`. Records each game if there is a
    file to `save` to. Several setups play with the same seeds, side by side.
    """
    is_only = games == len(setups) == 1
    game_count = file_count = 0
    while game_count < games:
        series = [setup.game(seed) for setup in setups]
        files: list[Path] = []
        if save is not None:  # the games that the viewer asks for have numbers too
            numbers = range(file_count + 1, file_count + len(series) + 1)
            files = [save if is_only and number == 1 else save.with_stem(f"{save.stem}-{number}") for number in numbers]
        lines: list[GameLine] = []
        with ExitStack() as stack:
            for file, game in zip(files, series, strict=bool(files)):
                stack.enter_context(Recorder(file, game))
            try:
                if len(series) == 1:
                    branches = branch_files(files[0]) if files else None
                    after, lines = PlayOn(stack, setups[0], branches).show(view, GameLine(series[0]))
                else:
                    after = view.show(*series)
            except (KeyboardInterrupt, SystemExit) as stop:
                _say_what_was_stopped(series, files, stop)
                raise
        if files or after is After.LEAVE:
            _say_what_was_stopped(series, files)
        for game, file in zip(series, files, strict=False):
            if game.result is not None and file_count >= games * len(setups):  # one that the viewer asked for
                aside(f"recorded in {file}")
        file_count += len(series)
        yield from ((setup, game, None) for setup, game in zip(setups, series, strict=True) if game.result is not None)
        for line in lines:
            if line.result is not None and isinstance(line.source, Game):
                yield setups[0], line.source, line
        if after is After.LEAVE:
            break
        if after in (After.NEXT, After.NEW_SEED):
            seed += 1
        if after is After.NEXT_LAYOUT:
            setups = [setup.on_next_layout() for setup in setups]
        game_count += after is After.NEXT


def _say_what_was_stopped(series: Sequence[Game], files: Sequence[Path], stop: BaseException | None = None) -> None:
    """Writes a line to stderr for each game that was not played to its end: how far it came, and which file has it.

    And which line of an agent's own code ran when Ctrl-C came.
    """
    frames = frames_of(stop) if stop else []
    for game, file in zip_longest(series, files):
        if game.result is None:
            end = f"; recorded in {file}" if file else ""
            where = location(frame for agent in game.agents for frame in own_frames(agent, frames))
            end += f"; {where} was running" if where else ""
            name = f"{game.names[0]}: " if len(series) > 1 else ""
            aside(f"{name}stopped: score {game.state.score} after {counted(game.plies, 'ply')}, seed {game.seed}{end}")


# ---- who plays on


def ghosts_of(state: GameState) -> list[Any]:
    """New ghosts for a position: each one moves as its model says."""
    return [ghost_of(model) for model in state.round.ghosts]


@dataclass(frozen=True)
class PlayOn:
    """How somebody plays on from a position of a game, and which files record it.

    The ghosts are those of the `setup`, or if it names no kinds, they move by the models of the position. Each such
    game is recorded in the next of the `files`, if there are any; `stack` closes the recordings.
    """

    stack: ExitStack
    setup: GameSetup
    files: Iterator[Path] | None = None

    def play_on(self, line: GameLine, agent: str) -> GameLine:
        """The game in which `agent` plays Pacman on from the position of `line`.

        All agents are new, and their random numbers depend only on the seed, on the ply and on the agent's number. So
        the same agent with the same seed plays the same game. InputError for an unknown agent, for a position at which
        the game is over, and if the recording cannot be written.
        """
        state, ply, setup = line.state, line.ply, self.setup
        if state.is_terminal:
            raise InputError(f"the game is over after {ply} plies: nobody can play on from there")
        name, options = load.name_and_options(agent)
        game = Game(
            state,
            [load.make_pacman(agent, rounds=setup.rounds), *(setup.make_ghosts() or ghosts_of(state))],
            [" ".join([name.rpartition(":")[2], *options]), *line.names[1:]],
            seed=line.seed,
            max_plies=setup.max_plies,
            move_timeout=line.move_timeout,
            first_ply=ply,
            explain=load.advice_at,
        )
        file = next(self.files) if self.files else None
        if file is not None:
            self.stack.enter_context(Recorder(file, game, line))
        return GameLine(game, line.plies[:ply], line.start, label=f"from ply {ply}: {game.names[0]}", file=file)

    def show(self, view: View, line: GameLine) -> tuple[After, list[GameLine]]:
        """Shows a game; returns the viewer's last choice, and the games that went on from it or from one another.

        The agent that plays on is the Pacman of the setup, or if a person plays Pacman, `SUCCESSOR`.
        """
        lines, agent = [line], SUCCESSOR if self.setup.pacman == KEYBOARD else self.setup.pacman
        while (after := view.show(lines[-1])) in PLAY_ON:
            lines.append(self.play_on(lines[-1], KEYBOARD if after is After.TAKE_OVER else agent))
        return after, lines[1:]


# ---- views


class NoView:
    """Plays games without showing them."""

    def show(self, *games: ViewedGame) -> After:
        """Plays each game to its end."""
        for game in games:
            for _ in game:
                pass
        return After.NEXT


def make_view(
    options: ViewOptions,
    stack: ExitStack,
    thinks: Sequence[Analyse],
    *,
    renews: bool = False,
    reload: Reload | None = None,
    hold: bool = True,
) -> View:
    """The view of that kind; `stack` closes it. InputError for a window without a display."""
    from pacman.picture.overlays import overlay_name

    colours, overlay = theme(options.theme), overlay_name(options.overlay)
    if options.view is ViewKind.none:
        return NoView()
    from pacman.view.player import BANNER_SECONDS, Player

    player = Player(
        options.speed or SPEED,
        analysers=thinks,
        overlay=overlay,
        lecture=options.lecture,
        can_start_games=renews,
        end_seconds=inf if hold else BANNER_SECONDS,
        reload=reload,
    )
    if options.view is ViewKind.text:
        from pacman.view.terminal import Text

        text = Text(player, has_pauses=options.speed is not None, theme=colours)
        stack.callback(text.close)
        return text
    from pacman.view.screen import open_display
    from pacman.view.window import Window

    open_display()
    window = Window(player, theme=colours)
    stack.callback(window.close)
    return window


class Reloader:
    """Called now and then: None while no file has changed, "" after the changed files were loaded, else the error.

    `create` creates the agents from their files; it raises InputError if a file has a mistake. The files are those of
    the agents, and the files in their folders that they import.
    """

    def __init__(self, files: Iterable[str], create: Callable[[], object]) -> None:
        self._files = [Path(file) for file in files]
        self._create = create
        self._before = self._stamps()

    def __call__(self) -> str | None:
        """What has changed since the last call; a file that is missing for a moment has not changed."""
        self._before = self._stamps() | self._before  # files that were imported since the last call are not new
        now = {path: _stamp(path) for path in self._before}
        if now == self._before or None in now.values():
            return None
        load.forget_files(self._files)
        try:
            self._create()
        except InputError as error:
            return str(error)
        finally:
            self._before = now
        return ""

    def _stamps(self) -> dict[Path, tuple[int, int] | None]:
        """When each file was changed last, and its size; None for a missing file."""
        return {path: _stamp(path) for path in (*self._files, *load.imported_files(self._files))}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
