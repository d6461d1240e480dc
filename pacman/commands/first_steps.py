"""`python -m pacman demo` and `layouts`: one game of a search agent, with what it thinks; and the layouts."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import typer

from pacman.core.errors import InputError

if TYPE_CHECKING:
    from pacman.play.game import Game
    from pacman.record.report import Analyse

HINT = "The numbers: what each move is worth     T  the tree     Y  why     Space  pause     H  all keys"
OVERLAY = "values"
WIDTH = 80
MOMENT = 26
"""The ply of a choice that a person can follow: two ghosts come, and one of three ways out is better."""
NEXT = """Next:
  python -m pacman play                          play yourself
  python -m pacman new-agent my.py               begin your own search
  python -m pacman watch minimax expectimax --layout gamble --seed 3"""


def demo() -> None:
    """Watch one game of a search agent, in a window. Without a display, write it to demo.gif.

    \b
    Examples:
      python -m pacman demo
    """
    from agents.analysis import choose_search
    from pacman.commands.app import as_started
    from pacman.commands.games import GameSetup, PlayOn
    from pacman.commands.options import BoardOptions
    from pacman.commands.output import ResultWriter
    from pacman.commands.recorded import film_games
    from pacman.play.recording import GameLine
    from pacman.view.film import Film
    from pacman.view.player import Player
    from pacman.view.screen import open_display
    from pacman.view.window import Window

    setup = GameSetup(BoardOptions("smallish", "random,optimal"), "expectiminimax")
    search = choose_search(setup.pacman)
    typer.echo(f"{setup.pacman} plays against a random and an optimal ghost. One of its choices:\n")
    typer.echo(one_choice(setup.game(seed=2), search))
    game = setup.game(seed=2)
    try:
        open_display()
    except InputError:
        out = Path("demo.gif")
        film_games([game], out, Film(analyse=search, overlay=OVERLAY))
        typer.echo(f"No display here; the game is in {out.resolve()}")
    else:
        with closing(Window(Player(analysers=[search], overlay=OVERLAY, hint=HINT))) as window, ExitStack() as stack:
            PlayOn(stack, setup).show(window, GameLine(game))
    if game.result is not None:
        ResultWriter().result(game.result)
    typer.echo(as_started(NEXT))


def one_choice(game: Game, search: Analyse) -> str:
    """The position before ply `MOMENT`, the value of each action there, and why the search chooses its own."""
    from pacman.record.why import why

    state = next(ply.state for ply in game if ply.number == MOMENT)
    report = search(state)
    values = "   ".join(f"{action} {low:.2f}" for action, (low, _) in report.root_intervals)
    return f"{state.board}\n{values}\n{fill(why(report), WIDTH)}\n"


def layouts() -> None:
    """List the layouts of the project: name, size, ghosts, food.

    \b
    Examples:
      python -m pacman layouts
    """
    from pacman.core.layout import Layout, names

    for name in names():
        layout = Layout.load(name)
        size = f"{layout.maze.width:2} x {layout.maze.height:2}"
        typer.echo(f"{name:12} {size}   ghosts {len(layout.ghosts)}   food {layout.food.bit_count():3}")
