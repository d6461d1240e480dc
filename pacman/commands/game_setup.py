"""From the words of a command line to games: who plays where, how often, and where it is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from agents import load
from agents.ghosts import OptimalGhost
from agents.pacmen import KeyboardPacman
from agents.perfect import PerfectPacman
from pacman.commands.options import at_least_one, kinds
from pacman.commands.output import aside
from pacman.core.layout import Layout, names
from pacman.core.state import start
from pacman.play.game import MAX_PLIES, Game, Result
from pacman.play.recording import Recorder
from pacman.view.protocol import After, Steer, View


@dataclass(frozen=True)
class GameSetup:
    """Who plays where, and for how long at most, as named on the command line."""

    layout: str
    pacman: str
    arguments: tuple[str, ...] = ()
    ghosts: str = ""
    rounds: int | None = None
    max_plies: int = MAX_PLIES
    move_timeout: float | None = None
    keyboard: KeyboardPacman = field(default_factory=KeyboardPacman)

    @property
    def steer(self) -> Steer | None:
        """What a view tells of the keys; None unless a person plays."""
        return self.keyboard.press if self.pacman == "keyboard" else None

    def game(self, seed: int) -> Game:
        """A game with new agents; InputError for a name, an argument or a number that does not fit."""
        if self.rounds is not None:
            at_least_one("--rounds", self.rounds, "round")
        board = Layout.load(self.layout)
        named = kinds(self.ghosts) or ["random"] * len(board.ghosts)
        ghosts = [load.make_ghost(kind, depth(load.GHOSTS, kind, self.rounds)) for kind in named]
        pacman = self.keyboard
        if not self.steer:
            pacman = load.make_pacman(self.pacman, [*self.arguments, *depth(load.PACMEN, self.pacman, self.rounds)])
        names = [f"{kind.rpartition(':')[2]} {number}" for number, kind in enumerate(named, 1)]
        for agent in (pacman, *ghosts):
            if isinstance(agent, PerfectPacman | OptimalGhost):
                agent.prepare(aside)  # before the game and its clocks begin
        return Game(
            start(board, ghosts),
            [pacman, *ghosts],
            [self.pacman.rpartition(":")[2], *names],
            seed=seed,
            max_plies=self.max_plies,
            move_timeout=self.move_timeout,
        )

    def on_next_layout(self) -> GameSetup:
        """The same players on the layout after this one; the kinds of ghosts come round again when it has more."""
        known = names()
        layout = known[(known.index(self.layout) + 1) % len(known)] if self.layout in known else known[0]
        named = kinds(self.ghosts)
        ghosts = [named[number % len(named)] for number in range(len(Layout.load(layout).ghosts)) if named]
        return replace(self, layout=layout, ghosts=",".join(ghosts))


def depth(known: Mapping[str, type], name: str, rounds: int | None) -> list[str]:
    """`--rounds` as an argument of an agent, if he searches."""
    return [f"rounds={rounds}"] if rounds is not None and load.accepts_option(known, name, "rounds") else []


def games_in_series(
    setups: Sequence[GameSetup], seed: int, games: int, save: Path | None, view: View
) -> Iterator[tuple[GameSetup, Result]]:
    """The games that came to an end while the view shows them: so many, and whatever the viewer wishes for besides.

    Each has its recording. Where there are several setups, each plays the same seeds, and the games are shown side by
    side.
    """
    is_only = games == len(setups) == 1
    played = recorded = 0
    while played < games:
        shown = [setup.game(seed) for setup in setups]
        with ExitStack() as stack:
            for number, game in enumerate(shown, recorded):
                if save is not None:  # a game that the viewer wished for is numbered too
                    file = save if is_only and not number else save.with_stem(f"{save.stem}-{number + 1}")
                    stack.enter_context(Recorder(file, game))
            after = view.show(*shown)
        recorded += len(shown)
        for setup, game in zip(setups, shown, strict=True):
            if game.result is not None:
                yield setup, game.result
        if after is After.LEAVE:
            break
        if after in (After.NEXT, After.NEW_SEED):
            seed += 1
        if after is After.NEXT_LAYOUT:
            setups = [setup.on_next_layout() for setup in setups]
        if after is After.NEXT:
            played += 1
