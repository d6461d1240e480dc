"""Several agents on the same layout from the same seed: `watch --compare minimax,expectimax`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from pacman.commands.insight import insight_of
from pacman.commands.stage import Cast, Looks, Show
from pacman.core.errors import InputError
from pacman.play.game import Game, Result
from pacman.play.replay import Recorder
from pacman.view.pace import SPEED
from pacman.view.protocol import After

MOST = 4
"""More boards beside one another are too small to see."""


def named(words: str) -> tuple[str, ...]:
    """The agents in "minimax,expectimax"; InputError unless there are two to four, none of them a person."""
    names = tuple(name.strip() for name in words.split(",") if name.strip())
    if not 2 <= len(names) <= MOST:
        raise InputError(f"--compare '{words}': expected 2 to {MOST} agents, as in minimax,expectimax")
    if "keyboard" in names:
        raise InputError(f"--compare '{words}': a person has only one keyboard; name agents, as in minimax,expectimax")
    return names


def compared(
    cast: Cast,
    words: str,
    seed: int,
    max_plies: int,
    move_timeout: float | None,
    view: Show,
    looks: Looks,
    save: Path | None = None,
) -> Iterator[tuple[str, Result]]:
    """Each agent's name and how its game ended, if it did; the games are shown beside one another in a window.

    Everyone is made with the cast's arguments. With no view they are played one after another. The recordings go into
    `save`-1, `save`-2 and so on. InputError for a name
    or an argument that does not fit, for the text view, and without a display.
    """
    casts = [replace(cast, pacman=name) for name in named(words)]
    if view is Show.text:
        raise InputError("--compare needs a window, or --view none for the results alone")
    after = After.AGAIN
    while after is After.AGAIN:
        games = [one.game(seed, max_plies, move_timeout) for one in casts]
        with ExitStack() as stack:
            for number, game in enumerate(games if save else (), 1):
                assert save is not None
                stack.enter_context(Recorder(save.with_stem(f"{save.stem}-{number}"), game))
            after = _shown(games, casts, looks) if view is Show.window else _played(games)
    for one, game in zip(casts, games, strict=True):
        if game.result is not None:
            yield one.pacman, game.result


def _played(games: list[Game]) -> After:
    for game in games:
        game.play()
    return After.NEXT


def _shown(games: list[Game], casts: list[Cast], looks: Looks) -> After:
    from pacman.view.insight.overlay import overlay
    from pacman.view.picture.canvas import demand_display
    from pacman.view.theme import theme
    from pacman.view.window.window import Window

    colours, seen = theme(looks.theme), overlay(looks.overlay)
    demand_display()
    thinks = [insight_of(one.pacman, one.arguments, one.rounds) for one in casts]
    window = Window(looks.speed or SPEED, theme=colours, hold_end=looks.hold, thinks=thinks, overlay=seen)
    return window.show(*games)
