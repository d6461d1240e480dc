"""From the options of a command line to games and a view: who plays where, what shows it, and who plays on.

A person or another agent can play on from a position of a game, live or recorded. That is a game of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from math import inf
from pathlib import Path
from typing import Any

from agents import load
from agents.ghosts import DirectionalGhost, OptimalGhost, RandomGhost
from agents.pacmen import KeyboardPacman, PerfectPacman
from pacman.commands.options import ViewKind, ViewOptions, check_positive, kinds
from pacman.commands.output import aside
from pacman.core.errors import InputError, counted
from pacman.core.layout import Layout, names
from pacman.core.rounds import OPTIMAL, RANDOM, GhostModel
from pacman.core.state import GameState, start
from pacman.picture.colours import theme
from pacman.play.game import MAX_PLIES, Agent, Game
from pacman.play.recording import GameLine, Recorder, branch_files
from pacman.record.report import Analyse
from pacman.view import SPEED, After, Reload, Steer, View, ViewedGame

KEYBOARD = "keyboard"
SUCCESSOR = "expectiminimax"
"""The agent that plays on from a position, unless the user names another one."""


# ---- games


@dataclass(frozen=True)
class GameSetup:
    """Who plays where, for how long at most, and how many games, as the options of the command line say.

    `pacman` is a name with options, as in "minimax:rounds=3". Where several are compared, pictures and results name
    him with his file and his options.
    """

    layout: str
    pacman: str
    ghosts: str = ""
    rounds: int | None = None
    max_plies: int = MAX_PLIES
    move_timeout: float | None = None
    games: int = 1
    is_compared: bool = False
    keyboard: KeyboardPacman = field(default_factory=KeyboardPacman)

    def __post_init__(self) -> None:
        check_positive("--move-timeout", self.move_timeout, "seconds")

    @property
    def agents(self) -> list[str]:
        """The names of all agents, with their options."""
        return [self.pacman, *kinds(self.ghosts)]

    @property
    def steer(self) -> Steer | None:
        """The function that a view calls with the keys; None unless a person plays."""
        return self.keyboard.press if self.pacman == KEYBOARD else None

    @property
    def display_name(self) -> str:
        """Pacman's name in a picture; in a comparison with its file and its options, as in "my.py:Mine rounds=3"."""
        name, options = load.name_and_options(self.pacman)
        return " ".join([Path(name).name, *options]) if self.is_compared else name.rpartition(":")[2]

    def make_ghosts(self, count: int) -> list[Any]:
        """New ghosts of the kinds of this game; `count` random ones if it names no kinds."""
        return [load.make_ghost(kind, self.rounds) for kind in kinds(self.ghosts) or ["random"] * count]

    def game(self, seed: int, report: Callable[[str], object] = aside) -> Game:
        """A game with new agents; InputError for an unknown name, and for a wrong option.

        `report` gets the lines for the user about compiled code.
        """
        board = Layout.load(self.layout)
        ghosts = self.make_ghosts(len(board.ghosts))
        pacman = self.keyboard if self.steer else load.make_pacman(self.pacman, rounds=self.rounds)
        state = start(board, ghosts)
        for agent in (pacman, *ghosts):  # before the game and its clocks begin
            if isinstance(agent, PerfectPacman):
                agent.prepare(state)
            elif isinstance(agent, OptimalGhost):
                agent.prepare(state, self.games, report)
        ghost_kinds = kinds(self.ghosts) or ["random"] * len(ghosts)
        return Game(
            state,
            [pacman, *ghosts],
            [self.display_name, *(f"{kind.rpartition(':')[2]} {number}" for number, kind in enumerate(ghost_kinds, 1))],
            seed=seed,
            max_plies=self.max_plies,
            move_timeout=self.move_timeout,
            explain=load.advice_at,
        )

    def quiet_game(self, seed: int) -> Game:
        """The same without a line to the user about compiled code, for any process."""
        from pacman.compiled import to_log

        return self.game(seed, to_log)

    def on_next_layout(self) -> GameSetup:
        """The same players on the next layout. If it has more ghosts, their kinds repeat in order."""
        layouts, ghost_kinds = names(), kinds(self.ghosts)
        layout = layouts[(layouts.index(self.layout) + 1) % len(layouts)] if self.layout in layouts else layouts[0]
        count = len(Layout.load(layout).ghosts) if ghost_kinds else 0
        ghosts = [ghost_kinds[number % len(ghost_kinds)] for number in range(count)]
        return replace(self, layout=layout, ghosts=",".join(ghosts))

    def play_on(self, stack: ExitStack, file: Path | None = None) -> PlayOn:
        """How a game goes on: by the same agents, with the same options, beside the `file` of the game if it has one.

        If a person plays Pacman, the agent that can play on is the one that `PlayOn` names.
        """
        return PlayOn(
            stack,
            SUCCESSOR if self.steer else self.pacman,
            make_ghosts=lambda state: self.make_ghosts(len(state.ghosts)),
            files=None if file is None else branch_files(file),
            max_plies=self.max_plies,
            rounds=None if self.steer else self.rounds,
        )


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
                    play_on = setups[0].play_on(stack, *files)
                    after, lines = play_on.show(view, GameLine(series[0], steer=setups[0].steer))
                else:
                    after = view.show(*series)
            except (KeyboardInterrupt, SystemExit):
                _say_what_was_stopped(series, files)
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


def _say_what_was_stopped(series: Sequence[Game], files: Sequence[Path]) -> None:
    """Writes a line to stderr for each game that was not played to its end: how far it came, and which file has it."""
    for game, file in zip_longest(series, files):
        if game.result is None:
            end = f"; recorded in {file}" if file else ""
            name = f"{game.names[0]}: " if len(series) > 1 else ""
            aside(f"{name}stopped: score {game.state.score} after {counted(game.plies, 'ply')}, seed {game.seed}{end}")


# ---- who plays on


def ghosts_of(state: GameState) -> list[Agent]:
    """New ghosts for a position: each one moves as its model says."""
    return [_ghost(model) for model in state.round.ghosts]


def _ghost(model: GhostModel) -> Agent:
    if model == OPTIMAL:
        return OptimalGhost()
    ghost = RandomGhost() if model == RANDOM else DirectionalGhost()
    ghost.model = model
    return ghost


@dataclass(frozen=True)
class PlayOn:
    """How somebody plays on from a position of a game, and which files record it.

    `agent` is Pacman's name, with options as in "minimax:rounds=3". `make_ghosts` makes new ghosts for a position; the
    default makes them by their models. Each such game is recorded in the next of the `files`, if there are any; `stack`
    closes the recordings.
    """

    stack: ExitStack
    agent: str = SUCCESSOR
    make_ghosts: Callable[[GameState], Sequence[Agent]] = ghosts_of
    files: Iterator[Path] | None = None
    max_plies: int = MAX_PLIES
    rounds: int | None = None

    def play_on(self, line: GameLine, agent: str) -> GameLine:
        """The game in which `agent` plays Pacman on from the position of `line`.

        All agents are new, and their random numbers depend only on the seed, on the ply and on the agent's number. So
        the same agent with the same seed plays the same game. InputError for an unknown agent, for a position at which
        the game is over, and if the recording cannot be written.
        """
        state, ply = line.state, line.ply
        if state.is_terminal:
            raise InputError(f"the game is over after {ply} plies: nobody can play on from there")
        name, options = load.name_and_options(agent)
        pacman = KeyboardPacman() if name == KEYBOARD else load.make_pacman(agent, rounds=self.rounds)
        game = Game(
            state,
            [pacman, *self.make_ghosts(state)],
            [" ".join([name.rpartition(":")[2], *options]), *line.names[1:]],
            seed=line.seed,
            max_plies=self.max_plies,
            move_timeout=line.move_timeout,
            first_ply=ply,
            explain=load.advice_at,
        )
        file = next(self.files) if self.files else None
        if file is not None:
            self.stack.enter_context(Recorder(file, game, line))
        steer = pacman.press if name == KEYBOARD else None
        label = f"from ply {ply}: {game.names[0]}"
        return GameLine(game, line.plies[:ply], start=line.start, steer=steer, label=label, file=file)

    def show(self, view: View, line: GameLine) -> tuple[After, list[GameLine]]:
        """Shows a game; returns the viewer's last choice, and the games that went on from it or from one another."""
        lines = [line]
        while (after := view.show(lines[-1])) in (After.TAKE_OVER, After.AGENT_TAKES_OVER):
            lines.append(self.play_on(lines[-1], KEYBOARD if after is After.TAKE_OVER else self.agent))
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
    steer: Steer | None = None,
    renews: bool = False,
    reload: Reload | None = None,
    hold: bool = True,
) -> View:
    """The view of that kind; `stack` closes it. InputError for a window without a display, or a person without view."""
    from pacman.picture.overlays import overlay_name

    colours, overlay = theme(options.theme), overlay_name(options.overlay)
    if options.view is ViewKind.none:
        if steer:
            advice = "use --view window or text, or let an agent play: watch"
            raise InputError(f"--view none: a person needs to see the game; {advice}")
        return NoView()
    from pacman.view.player import BANNER_SECONDS, Player

    player = Player(
        options.speed or SPEED,
        steer,
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

    def __init__(self, files: Iterable[str], create: Callable[[], None]) -> None:
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
