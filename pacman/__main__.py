"""Play, watch, record and film games of Pacman; simulate and solve them."""

from __future__ import annotations

from pacman.commands import cli

COMMANDS = {
    "play": ("play:play", "Play Pacman with the arrow keys, or let an agent play."),
    "watch": ("watch:watch", "Watch an agent play, or several side by side."),
    "replay": ("replay:replay", "Show a recorded game again."),
    "film": ("film:film", "Make films or pictures of recorded games."),
    "demo": ("demo:demo", "Watch a first game of a search agent."),
    "game": ("game:game", "Play tic-tac-toe, pig or minesweeper against a search."),
    "solve": ("solve:solve", "Solve drawn trees and positions, and count the nodes."),
    "conform": ("conform:conform", "Check the rules against another engine's games."),
    "simulate": ("simulate:simulate", "Play many games, and sum them up."),
    "solve-exactly": ("solve_exactly:solve_exactly", "Compute the true value of a small board."),
    "regret": ("regret:compute_regret", "Measure what an agent loses against perfect play."),
    "layouts": ("layouts:layouts", "List the layouts of the project."),
    "new-agent": ("new_agent:new_agent", "Write a file with the agents for you to complete."),
}
app = cli.app(__doc__, {name: (f"pacman.commands.{where}", line) for name, (where, line) in COMMANDS.items()})

if __name__ == "__main__":
    cli.run(app, "pacman")
