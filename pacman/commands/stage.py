"""From the words of a command line to a game and to what shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from agents import load
from agents.ghosts import OptimalGhost
from agents.pacmen import KeyboardPacman
from agents.perfect import PerfectPacman
from pacman.core.errors import InputError
from pacman.core.layout import Layout, names
from pacman.core.state import start
from pacman.play.game import MAX_PLIES, Game, Result
from pacman.view.insight.study import Think
from pacman.view.pace import SPEED
from pacman.view.protocol import After, Showing, Steer, View

if TYPE_CHECKING:
    from rich.progress import Progress


class Show(StrEnum):
    """How a game is shown."""

    window = "window"
    text = "text"
    none = "none"


@dataclass(frozen=True)
class Cast:
    """Who plays where, as named on the command line."""

    layout: str
    pacman: str
    arguments: tuple[str, ...] = ()
    ghosts: str = ""
    rounds: int | None = None
    keyboard: KeyboardPacman = field(default_factory=KeyboardPacman)

    @property
    def steer(self) -> Steer | None:
        """What a view tells of the keys; None unless a person plays."""
        return self.keyboard.press if self.pacman == "keyboard" else None

    def game(self, seed: int, max_plies: int = MAX_PLIES, move_timeout: float | None = None) -> Game:
        """A game with new agents; InputError for a name, an argument or a number that does not fit."""
        if self.rounds is not None:
            at_least_one("--rounds", self.rounds, "round")
        board = Layout.load(self.layout)
        kinds = [kind.strip() for kind in self.ghosts.split(",")] if self.ghosts else ["random"] * len(board.ghosts)
        ghosts = [load.ghost(kind, self._depth(load.GHOSTS, kind)) for kind in kinds]
        pacman = self.keyboard
        if not self.steer:
            pacman = load.pacman(self.pacman, [*self.arguments, *self._depth(load.PACMEN, self.pacman)])
        names = [f"{kind.rpartition(':')[2]} {number}" for number, kind in enumerate(kinds, 1)]
        for agent in (pacman, *ghosts):
            if isinstance(agent, PerfectPacman | OptimalGhost):
                agent.prepare(aside)  # before the game and its clocks begin
        return Game(
            start(board, ghosts),
            [pacman, *ghosts],
            [self.pacman.rpartition(":")[2], *names],
            seed=seed,
            max_plies=max_plies,
            move_timeout=move_timeout,
        )

    def on_next_layout(self) -> Cast:
        """The same players on the layout after this one; the kinds of ghosts come round again when it has more."""
        known = names()
        layout = known[(known.index(self.layout) + 1) % len(known)] if self.layout in known else known[0]
        kinds = self.ghosts.split(",")
        ghosts = ",".join(kinds[number % len(kinds)] for number in range(len(Layout.load(layout).ghosts)))
        return replace(self, layout=layout, ghosts=ghosts if self.ghosts else "")

    def _depth(self, known: Mapping[str, type], name: str) -> list[str]:
        """`--rounds` as an argument of an agent, if he searches."""
        return [f"rounds={self.rounds}"] if self.rounds is not None and load.takes(known, name, "rounds") else []


def view_of(
    view: Show,
    looks: Looks,
    stack: ExitStack,
    steer: Steer | None = None,
    renews: bool = False,
    think: Think | None = None,
) -> View:
    """The view of that name; closed with `stack`. InputError without a display for a window, or a view for a player."""
    from pacman.view.insight.overlay import overlay
    from pacman.view.theme import theme

    colours, seen = theme(looks.theme), overlay(looks.overlay)
    if view is Show.none:
        if steer:
            raise InputError("a keyboard player needs a view: --view window or --view text")
        return Unseen()
    if view is Show.text:
        from pacman.view.terminal.text import Text

        return Text(looks.speed, steer, renews=renews, theme=colours)
    from pacman.view.picture.canvas import demand_display
    from pacman.view.window.window import Window

    demand_display()
    window = Window(
        looks.speed or SPEED,
        steer,
        theme=colours,
        renews=renews,
        hold_end=looks.hold,
        close_at_end=False,
        thinks=[] if think is None else [think],
        overlay=seen,
    )
    stack.callback(window.close)
    return window


@dataclass(frozen=True)
class Looks:
    """How a game is to be shown, as asked for on the command line; `speed` in rounds a second, None for the view's."""

    speed: float | None = None
    theme: str = "dark"
    hold: bool = True
    overlay: str = "none"


class Unseen:
    """The view of a game that nobody looks at."""

    def show(self, *showings: Showing) -> After:
        for showing in showings:
            for _ in showing:
                pass
        return After.NEXT


@dataclass
class Programme:
    """Games one after another, each with its recording: so many, and whatever the viewer wishes for besides."""

    cast: Cast
    seed: int
    games: int
    max_plies: int
    move_timeout: float | None
    save: Path | None

    def play(self, view: View) -> Iterator[Result]:
        """The results of the games that came to an end, while the view shows them."""
        from pacman.play.replay import Recorder

        cast, seed, played, recorded = self.cast, self.seed, 0, 0
        while played < self.games:
            game = cast.game(seed, self.max_plies, self.move_timeout)
            with nullcontext() if self.save is None else Recorder(self._file(recorded), game):
                after = view.show(game)
            recorded += 1
            if game.result is not None:
                yield game.result
            if after is After.LEAVE:
                break
            if after in (After.NEXT, After.NEW_SEED):
                seed += 1
            if after is After.NEXT_LAYOUT:
                cast = cast.on_next_layout()
            if after is After.NEXT:
                played += 1

    def _file(self, recorded: int) -> Path:
        """FILE, or FILE-1, FILE-2, ... when there are several; a game that the viewer wished for is numbered too."""
        assert self.save is not None
        if self.games == 1 and recorded == 0:
            return self.save
        return self.save.with_stem(f"{self.save.stem}-{recorded + 1}")


def aside(text: str) -> None:
    """Says something on stderr, so that what a program prints for another program stays as it is."""
    typer.echo(text, err=True)


def at_least_one(option: str, number: int, what: str) -> None:
    if number < 1:
        raise InputError(f"{option} {number}: at least 1 {what} was expected")


def positive(option: str, number: float | None, unit: str) -> None:
    if number is not None and not 0 < number < inf:
        raise InputError(f"{option} {number:g}: a positive number of {unit} was expected")


def picture_size(words: str) -> tuple[int, int] | None:
    """A size as in 1280x720, made even as films need it; None for ""."""
    if not words:
        return None
    wide, _, high = words.lower().partition("x")
    if not (wide.isdecimal() and high.isdecimal() and 64 <= int(wide) <= 7680 and 64 <= int(high) <= 4320):
        raise InputError(f"--size '{words}': expected WIDTHxHEIGHT in pixels, as in 1280x720, from 64x64 to 7680x4320")
    return int(wide) // 2 * 2, int(high) // 2 * 2


def filmed(showing: Showing, out: Path, **looks: Any) -> int:
    """Films a game behind a progress bar; returns the number of frames."""
    from pacman.view.film.film import film

    with progress_bar() as progress:
        task = progress.add_task("filming", total=None)
        return film(
            showing, out, progress=lambda done, total: progress.update(task, completed=done, total=total), **looks
        )


def progress_bar() -> Progress:
    """A progress bar on stderr, where that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def sentence(result: Result) -> str:
    """How a game ended, for people."""
    if result.fault:
        return f"fault of {result.fault} (score {result.score}, seed {result.seed})"
    return f"{result.outcome}: score {result.score} after {result.plies} plies, seed {result.seed}"
