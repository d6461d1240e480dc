"""`python -m pacman demo`: one game of a search agent."""

from __future__ import annotations

from pathlib import Path

import typer

from pacman.commands.shared.output import ResultWriter
from pacman.core.errors import InputError

HINT = "O  what the search thinks     T  its tree     Space  pause     H  all keys"


def demo() -> None:
    """Watch one game of a search agent, in a window. Without a display, write it to demo.gif.

    \b
    Examples:
      python -m pacman demo
    """
    from pacman.commands.film import film_games
    from pacman.commands.shared.game_setup import GameSetup
    from pacman.commands.shared.search_choice import choose_search
    from pacman.view.film.film import Film
    from pacman.view.screen import open_display
    from pacman.view.window.window import Window

    setup = GameSetup("smallish", "expectiminimax", (), "random,optimal")
    game = setup.game(seed=2)
    try:
        open_display()
    except InputError:
        out = Path("demo.gif")
        film_games([game], out, Film())
        typer.echo(f"No display here; the game is in {out.resolve()}")
    else:
        Window(hold_end=False, analysers=[choose_search(setup.pacman)], hint=HINT).show(game)
    if game.result is not None:
        ResultWriter().result(game.result)
