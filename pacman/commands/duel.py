"""`python -m pacman duel`: the same games for several agents, a table, and a film of the most different game."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands import options
from pacman.commands.app import as_started
from pacman.commands.film import film_games
from pacman.commands.output import ResultWriter, files_in, progress_bar, warn_no_sandbox, warn_of_layout
from pacman.commands.play import MOST
from pacman.commands.simulate import quiet_game, worker_count
from pacman.core.errors import InputError
from pacman.play.game import MAX_PLIES


def duel(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT",
            help="Agents that play Pacman, each with its options, as in minimax:rounds=3. "
            "FILE.py:CLASS runs without a sandbox.",
        ),
    ],
    layout: options.LayoutOption = "smallish",
    ghosts: options.GhostsOption = "",
    rounds: options.RoundsOption = None,
    games: options.GamesOption = 100,
    seed: options.SeriesSeedOption = 0,
    jobs: options.JobsOption = 0,
    max_plies: options.PliesOption = MAX_PLIES,
    film: Annotated[
        Path | None,
        typer.Option(
            "--film", metavar="FILE", help="Film the most different game side by side: .gif, .webp, .mp4 or .png."
        ),
    ] = None,
    json_file: options.JsonOption = None,
) -> None:
    """Let several agents play the same games: who wins more, who has more points, and is it luck?

    A row says how many points an agent has more than the first one, in the same games. If the interval does not contain
    0, the difference is probably no luck. A mark in the film is a round in which the agents chose differently.

    \b
    Examples:
      python -m pacman duel my.py:Expectimax expectimax --layout crossroads
      python -m pacman duel minimax:rounds=1 minimax:rounds=2 reflex --games 50 --ghosts optimal
      python -m pacman duel my.py:Mine theirs.py:Mine --film duel.gif
    """
    from pacman.commands.games import GameSetup
    from pacman.play.series import play_duel
    from pacman.view.film import Film, demand_suffix, demand_writable

    names = [options.agent_and_options(agent) for agent in agents]
    if len(agents) < 2 or len(set(agents)) < len(agents):
        raise InputError(f"duel {' '.join(agents)}: expected two or more different agents")
    if any(name == "keyboard" for name, _ in names):
        raise InputError("duel keyboard: a person cannot play here; name agents, for example minimax")
    if film is not None:
        demand_suffix(film)
        demand_writable(film)
        if len(agents) > MOST:
            raise InputError(f"--film shows at most {MOST} games side by side: name {MOST} agents, or leave it out")
    setup = GameSetup(layout, agents[0], (), ghosts, rounds, max_plies, games=games)
    setups = [setup.with_pacman(agent) for agent in agents]
    for one in setups:  # errors are reported before the games begin
        one.game(seed)
    warn_of_layout(layout)
    files = [word for _, arguments in names for word in files_in(arguments)]
    warn_no_sandbox([*(name for name, _ in names), *options.kinds(ghosts), *files])
    makes = [quiet_game(one) for one in setups]
    with ResultWriter(json_file) as writer:
        with progress_bar("games", total=games * len(agents)) as update:
            seeds = range(seed, seed + games)
            table = play_duel(agents, makes, seeds, worker_count(jobs), lambda done: update(advance=done))
        writer.report(table)
        most = seed + table.most_different
        writer.text(f"most different game: seed {most}: {table.scores}")
        if film is not None:
            film_games([setups[agent].game(most) for agent in table.ranking], film, Film())
            writer.text(f"{film}: seed {most}")
        elif len(agents) <= MOST:
            words = ["python", "-m", "pacman", "watch", "--compare", ",".join(agents), "--layout", layout]
            words += [*(["--ghosts", ghosts] if ghosts else []), *([] if rounds is None else ["--rounds", str(rounds)])]
            words += ["--max-plies", str(max_plies)] if max_plies != MAX_PLIES else []
            writer.text(as_started(f"watch it: {shlex.join([*words, '--seed', str(most)])}"))
