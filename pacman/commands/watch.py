"""`python -m pacman watch`: the same games as `play`, but an agent plays unless `--pacman` names another one."""

from __future__ import annotations

from pacman.commands.play import games_command

watch = games_command(
    "expectiminimax",
    """Watch an agent play, or compare several agents side by side.

    \b
    Examples:
      python -m pacman watch
      python -m pacman watch --pacman minimax --rounds 3 --ghosts optimal,optimal
      python -m pacman watch my.py:MinimaxAgent --overlay values --reload
      python -m pacman watch --compare minimax,expectimax --layout gamble --seed 3
      python -m pacman watch --layout nook --games 50 --view none --json games.json
    """,
)
