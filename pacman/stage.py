"""From the words of a command line to a game and to what shows it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import load
from agents.pacmen import KeyboardPacman
from pacman.errors import InputError
from pacman.game import MAX_PLIES, Game, Result
from pacman.layout import Layout
from pacman.state import GameState, start
from pacman.view.protocol import Showing, Steer, View

if TYPE_CHECKING:
    from rich.progress import Progress

SPEED = 4.0
"""Rounds a second in a window."""


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
        return Game(
            start(board, ghosts),
            [pacman, *ghosts],
            [self.pacman.rpartition(":")[2], *names],
            seed=seed,
            max_plies=max_plies,
            move_timeout=move_timeout,
        )

    def _depth(self, known: Mapping[str, type], name: str) -> list[str]:
        """`--rounds` as an argument of an agent, if he searches."""
        return [f"rounds={self.rounds}"] if self.rounds is not None and load.takes(known, name, "rounds") else []


def view_of(
    view: Show, speed: float | None, first: GameState, steer: Steer | None, theme: str, hold: bool, stack: ExitStack
) -> View:
    """The view of that name for games that begin at `first`; closed with `stack`.

    InputError when there is no display for a window, or no view for a player.
    """
    from pacman.view.theme import theme as named

    looks = named(theme)
    plies = len(first.layers)
    if view is Show.none:
        if steer:
            raise InputError("a keyboard player needs a view: --view window or --view text")
        return Unseen()
    if view is Show.text:
        from pacman.view.text import Text

        return Text(None if speed is None else speed * plies, steer, theme=looks)
    from pacman.view.canvas import demand_display
    from pacman.view.window import Window

    demand_display()
    window = Window((speed or SPEED) * plies, steer, theme=looks, hold_end=hold, close_at_end=False)
    stack.callback(window.close)
    return window


class Unseen:
    """The view of a game that nobody looks at."""

    def show(self, showing: Showing) -> bool:
        for _ in showing:
            pass
        return True


def at_least_one(option: str, number: int, what: str) -> None:
    if number < 1:
        raise InputError(f"{option} {number}: at least 1 {what} was expected")


def positive(option: str, number: float | None, unit: str) -> None:
    if number is not None and not 0 < number < inf:
        raise InputError(f"{option} {number:g}: a positive number of {unit} was expected")


def filmed(showing: Showing, out: Path, **looks: Any) -> int:
    """Films a game behind a progress bar; returns the number of frames."""
    from pacman.view.film import film

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
