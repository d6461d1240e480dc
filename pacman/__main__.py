"""Play, watch, record and film games of Pacman; simulate and solve them."""

from __future__ import annotations

import os
import sys
import time
from typing import NoReturn

START = time.monotonic()  # before the slow imports: a report says how long the user has waited

if __name__ == "__mp_main__":  # in a worker process, whose `sys.path` may be without this project
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
    from pacman import program_imports

    program_imports.forbid_current_folder()

from pacman.commands import app as cli  # noqa: E402
from pacman.commands.earlier import in_words_of_today  # noqa: E402
from pacman.program_imports import start_program  # noqa: E402

GROUPS = {
    "Play and watch": {
        "play": ("play:play", "Play Pacman with the arrow keys."),
        "watch": ("play:watch", "Watch an agent play, or several side by side."),
        "replay": ("recorded:replay", "Show a recorded game again."),
        "film": ("recorded:film", "Make a film or a picture of recorded games."),
        "demo": ("first_steps:demo", "Watch one game of a search agent."),
        "game": ("game:game", "Play tic-tac-toe, pig or minesweeper in the terminal."),
    },
    "Search and measure": {
        "new-agent": ("new_agent:new_agent", "Create a file with empty agents for you to complete."),
        "solve": ("solve:solve", "Run a search on a tree or a position, and count its nodes."),
        "simulate": ("measure:simulate", "Play many games, and print statistics."),
        "duel": ("measure:duel", "Let several agents play the same games, and compare them."),
        "layouts": ("first_steps:layouts", "List the layouts of the project."),
    },
    "Rarely used": {
        "solve-exactly": ("measure:solve_exactly", "Compute the exact value of a small board."),
    },
}
COMMANDS = {name: row for own in GROUPS.values() for name, row in own.items()}
app = cli.app(__doc__, GROUPS, "pacman.commands", "pacman.commands.options")


def main() -> NoReturn:
    """Runs the program."""
    start_program(globals())
    sys.argv[1:] = in_words_of_today(sys.argv[1:])
    cli.run(app, "pacman", START)


if __name__ == "__main__":
    main()
