"""`python -m pacman simulate`: plays many games, and prints statistics."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from pacman.commands import options
from pacman.commands.app import as_started
from pacman.commands.output import ResultWriter, files_in, progress_bar, warn_no_sandbox, warn_of_layout
from pacman.core.errors import InputError
from pacman.play.game import MAX_PLIES, Game

if TYPE_CHECKING:
    from pacman.commands.games import GameSetup


def simulate(
    layout: options.LayoutOption = "smallish",
    pacman: options.AutomaticPacmanOption = "reflex",
    arguments: options.ArgumentOption = [],  # noqa: B006  # typer copies it
    ghosts: options.GhostsOption = "",
    games: options.GamesOption = 1_000,
    seed: options.SeriesSeedOption = 0,
    jobs: options.JobsOption = 0,
    max_plies: options.PliesOption = MAX_PLIES,
    json_file: options.JsonOption = None,
) -> None:
    """Play many games, and print win rate, mean score, a histogram, and the seeds of lost games.

    The results are the same for any number of workers. `watch --seed N` shows the game with seed N.

    \b
    Examples:
      python -m pacman simulate --layout smallish --pacman reflex --games 10000
      python -m pacman simulate --pacman expectimax -a rounds=1 --ghosts random,directional --games 500
      python -m pacman simulate --layout nook --jobs 4 --json -
    """
    from pacman.commands.games import GameSetup
    from pacman.play.series import play_in_processes

    if pacman == "keyboard":
        raise InputError("--pacman keyboard: a person cannot play here; name an agent, for example --pacman reflex")
    setup = GameSetup(layout, pacman, tuple(arguments), ghosts, max_plies=max_plies, games=games)
    setup.game(seed)  # errors are reported before the games begin
    warn_of_layout(layout)
    workers = worker_count(jobs)
    warn_no_sandbox([pacman, *options.kinds(ghosts), *files_in(arguments)])
    with ResultWriter(json_file) as writer:
        with progress_bar("games", total=games) as update:
            seeds = range(seed, seed + games)
            total = play_in_processes(quiet_game(setup), seeds, workers, lambda done: update(advance=done))
        writer.report(total)
        if total.lost_seeds:
            writer.text(as_started(f"watch a lost game: {watch_command(setup, total.lost_seeds[0])}"))


def quiet_game(setup: GameSetup) -> Callable[[int], Game]:
    """Makes the games of `setup` in any process, without a line to the user about compiled code."""
    from pacman.compiled import to_log

    return partial(setup.game, report=to_log)


def worker_count(jobs: int) -> int:
    """The number of workers for `--jobs N`: N, or one per core for 0. InputError if N is negative."""
    if jobs < 0:
        raise InputError(f"--jobs {jobs}: expected a number of workers, or 0 for all cores")
    return jobs or os.cpu_count() or 1


def watch_command(setup: GameSetup, seed: int) -> str:
    """The command that shows the game with this seed."""
    words = ["python", "-m", "pacman", "watch", "--layout", setup.layout, "--pacman", setup.pacman]
    words += [word for argument in setup.arguments for word in ("-a", argument)]
    words += ["--ghosts", setup.ghosts] if setup.ghosts else []
    words += ["--max-plies", str(setup.max_plies)] if setup.max_plies != MAX_PLIES else []
    return shlex.join([*words, "--seed", str(seed)])
