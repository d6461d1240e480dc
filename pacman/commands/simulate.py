"""`python -m pacman simulate`: plays many games, and prints statistics."""

from __future__ import annotations

from pacman.commands.shared import options
from pacman.commands.shared.output import ResultWriter, aside, progress_bar, warn_no_sandbox, warn_of_layout
from pacman.play.game import MAX_PLIES


def simulate(
    layout: options.LayoutOption = "smallish",
    pacman: options.AutomaticPacmanOption = "reflex",
    arguments: options.ArgumentOption = [],  # noqa: B006  # typer copies it
    ghosts: options.GhostsOption = "",
    games: options.GamesOption = 10_000,
    seed: options.SeriesSeedOption = 0,
    jobs: options.JobsOption = 0,
    max_plies: options.PliesOption = MAX_PLIES,
    json_file: options.JsonOption = None,
) -> None:
    """Play many games, and print win rate, mean score and a histogram.

    The results are the same for any number of workers.

    \b
    Examples:
      python -m pacman simulate --layout smallish --pacman reflex --games 10000
      python -m pacman simulate --pacman expectimax -a rounds=1 --ghosts random,directional --games 500
      python -m pacman simulate --layout nook --jobs 4 --json -
    """
    from agents.perfect import PerfectPacman
    from pacman import compiled
    from pacman.commands.shared import many_games

    kinds = tuple(options.kinds(ghosts))
    plan = many_games.Plan(layout, pacman, kinds, games, seed, tuple(arguments), max_plies)
    plan.check()
    warn_of_layout(layout)
    warn_no_sandbox([pacman, *kinds])
    workers = many_games.worker_count(jobs)
    _, (agent, *_) = plan.agents()
    if isinstance(agent, PerfectPacman):
        agent.prepare(aside)
    elif many_games.has_compiled_form(plan):
        if not compiled.is_available():
            aside(compiled.slow_path())
        elif compiled.must_compile("games.play"):
            aside(compiled.COMPILING)
    with ResultWriter(json_file) as writer:
        with progress_bar("games", total=games) as update:
            total = many_games.simulate(plan, workers, lambda done: update(advance=done))
        writer.report(total)
