"""`python -m pacman duel`: the same games for several agents, a table, and a film of the most different game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pacman.commands.app import arg, opt
from pacman.commands.options import AGENT_HELP, BoardOptions, JobsOption, JsonOption, SeriesOptions
from pacman.commands.play import MOST
from pacman.core.errors import InputError


def duel(
    agents: Annotated[list[str], arg(AGENT_HELP, "AGENT")],
    board: BoardOptions = BoardOptions(),
    series: SeriesOptions = SeriesOptions(games=100),
    film: Annotated[
        Path | None, opt("Film the most different game side by side: .gif, .webp, .mp4 or .png.", "FILE")
    ] = None,
    jobs: JobsOption = 0,
    json_file: JsonOption = None,
) -> None:
    """Let several agents play the same games: who wins more, who has more points, and is it luck?

    A row says how many points an agent has more than the best one, in the same games. If the interval does not contain
    0, the difference is probably no luck. A mark in the film is a round in which the agents chose differently.

    The searches of this project have an evaluation of their own. To compare your search with one that counts the score,
    as yours does unless you write another evaluation, name it alphabeta:evaluation=score.

    \b
    Examples:
      python -m pacman duel my.py:Expectimax expectimax --layout crossroads
      python -m pacman duel minimax:rounds=1 minimax:rounds=2 reflex --games 50 --ghosts optimal
      python -m pacman duel my.py:Mine theirs.py:Mine --film duel.gif
    """
    from pacman.commands.app import as_started
    from pacman.commands.games import GameSetup
    from pacman.commands.measure import demand_no_person, play_with_progress, watch_command
    from pacman.commands.output import ResultWriter, warn_no_sandbox, warn_of_layout
    from pacman.commands.recorded import film_games
    from pacman.play.series import Duel
    from pacman.view.film import Film, demand_film

    if len(agents) < 2 or len(set(agents)) < len(agents):
        raise InputError(f"duel {' '.join(agents)}: expected two or more different agents")
    for agent in agents:
        demand_no_person(agent, "duel")
    if film is not None:
        demand_film(film)
        if len(agents) > MOST:
            raise InputError(f"--film shows at most {MOST} games side by side: name {MOST} agents, or leave it out")
    setups = [
        GameSetup(board.layout, agent, board.ghosts, None, series.max_plies, games=series.games, is_compared=True)
        for agent in agents
    ]
    for setup in setups:  # errors are reported before the games begin
        setup.game(series.seed)
    warn_of_layout(board.layout)
    warn_no_sandbox([*agents, *board.kinds])
    with ResultWriter(json_file) as writer:
        table = Duel(agents, play_with_progress({each.pacman: each.quiet_game for each in setups}, series, jobs))
        writer.report(table)
        most = series.seed + table.most_different
        writer.text(f"most different game: seed {most}: {table.scores}")
        if film is not None:
            film_games([setups[agent].game(most) for agent in table.ranking], film, Film())
            writer.text(f"{film}: seed {most}")
        elif len(agents) <= MOST:
            writer.text(as_started(f"watch it: {watch_command(agents, board, series, most)}"))
