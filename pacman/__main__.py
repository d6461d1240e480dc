"""Play, watch, record and film games; simulate and solve them; measure how fast all of it is."""

from __future__ import annotations

from pacman.commands import cli

COMMANDS = {
    "play": ("play:play", "Play Pacman with the arrow keys, or let an agent play."),
    "watch": ("watch:watch", "Watch an agent play, or several beside one another."),
    "replay": ("replay:replay", "Show a recorded game again."),
    "film": ("film:film", "Turn recorded games into moving pictures, or still ones."),
    "demo": ("demo:demo", "Watch a game of a search agent."),
    "game": ("game:game", "Play tic-tac-toe, pig or minesweeper against a search."),
    "solve": ("solve:solve", "Solve drawn trees, and show what a search touches."),
    "conform": ("conform:conform", "Hold the rules against another engine's games."),
    "simulate": ("simulate_command:simulate", "Play many games at once, and sum them up."),
    "solve-exactly": ("solve_exactly:solve_exactly", "The true value of a small board."),
    "regret": ("regret:command", "What an agent gives away against perfect play."),
    "layouts": ("layouts:layouts", "The layouts that come with the project."),
}
app = cli.app(__doc__, {name: (f"pacman.commands.{where}", line) for name, (where, line) in COMMANDS.items()})

if __name__ == "__main__":
    cli.run(app, "pacman")
