"""`python -m pacman game`: other games in the terminal, against a search or against chance."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, TextIO

from pacman.commands.app import arg
from pacman.commands.options import SeedOption
from pacman.core.errors import InputError, nearest, printable
from pacman.core.tree import Layer, Node
from pacman.games.minesweeper import MINE, Minesweeper
from pacman.games.pig import Pig
from pacman.games.tictactoe import TicTacToe
from pacman.search.algorithms import run_search
from pacman.search.alphabeta import alphabeta

QUIT, HELP, WHY, RESTART = "quit", "help", "?", "restart"
HELP_LINES = (
    "An answer can be short: its first letter is enough if no other action begins with it.",
    "?        what the search thinks of each action, and why it would choose its own",
    "restart  begin a new game (r, if no action begins with it)",
    "quit     stop (q)",
    "help     show these lines (h, if no action begins with it)",
)
MOST_NAMES = 9
"""The prompt lists the actions if there are at most so many."""
FEW_ACTIONS = 7
"""With at most so many actions the advice comes from an exhaustive search, which knows the value of each action."""
WIDTH = 79


def game(
    name: Annotated[str, arg("tictactoe, pig or minesweeper.", "NAME")],
    seed: SeedOption = 0,
) -> None:
    """Play tic-tac-toe, pig or minesweeper in the terminal. In the first two, a search plays against you.

    \b
    Examples:
      python -m pacman game tictactoe
      python -m pacman game minesweeper --seed 3
    """
    run(name, sys.stdin, sys.stdout, Random(seed))


def run(name: str, reader: TextIO, writer: TextIO, rng: Random) -> float | None:
    """Plays one game, and returns its utility for the user; None if the user quits or `reader` ends.

    The user chooses at MAX nodes, a search at MIN nodes, `rng` at CHANCE nodes. After a mistyped action the program
    asks again. InputError for an unknown game.
    """
    if name not in GAMES:
        raise InputError(f"no game '{name}': {nearest(name, GAMES)}")
    game = GAMES[name]
    print(f"{game.rules} Type {HELP} for help, {QUIT} to stop.", file=writer)
    node = game.start()
    while not node.is_terminal:
        if node.layer is Layer.CHANCE:
            actions, weights = zip(*node.outcomes(), strict=True)
            action = rng.choices(actions, weights)[0]
            print(f"chance: {game.outcome(action)}", file=writer)
        elif node.layer is Layer.MIN:
            action = alphabeta(node, game.plies).action or node.actions()[0]
            print(f"MIN: {action}", file=writer)
        else:
            print(f"\n{game.picture(node)}", file=writer)
            action = _ask(game, node, reader, writer)
            if action == QUIT:
                return None
            if action == RESTART:
                node = game.start()
                continue
        node = node.successor(action)
    print(f"\n{game.picture(node)}\n{game.ending(node.score)}", file=writer)
    return node.score


def _ask(game: _Game, node: Node, reader: TextIO, writer: TextIO) -> str:
    """The action that the user chooses, `RESTART` or `QUIT`; helps and explains as often as the user asks."""
    # In minesweeper the user may choose squares that no search considers.
    actions = node.closed() if isinstance(node, Minesweeper) else node.actions()
    names = " ".join(actions) if len(actions) <= MOST_NAMES else game.form
    keys = f"{HELP if _match(HELP[0], actions) else 'h help'}, ? advice"
    while True:
        print(f"Your move ({names}; {keys}): ", end="", file=writer, flush=True)
        line = reader.readline()
        answer = " ".join(line.lower().split())
        if action := _match(answer, actions):
            return action
        if not line or (answer and QUIT.startswith(answer)):
            return QUIT
        if answer and RESTART.startswith(answer):
            return RESTART
        if answer == WHY:
            print("\n".join(textwrap.fill(part, WIDTH) for part in advice(game, node)), file=writer)
        elif answer and HELP.startswith(answer):
            print("\n".join([game.rules, *HELP_LINES]), file=writer)
        else:
            hint = nearest(answer, actions) if len(actions) <= MOST_NAMES else f"expected {game.form}"
            print(f"no move '{printable(answer)}': {hint}", file=writer)


def _match(answer: str, actions: Sequence[str]) -> str:
    """The action that the answer names, in full, by a beginning that only this action has, or as "2 3"; "" if none."""
    square = re.sub(r"(\d)[ ,]?(\d)", r"\1,\2", answer)
    if square in actions:
        return square
    matches = [action for action in actions if answer.isalpha() and action.startswith(answer)]
    return matches[0] if len(matches) == 1 else ""


def advice(game: _Game, node: Node) -> list[str]:
    """What the search thinks of each action in a position of the user, and why it would choose its own."""
    if isinstance(node, Minesweeper):
        dangers = dict(zip(node.closed(), node.dangers().values(), strict=True))
        if len(dangers) == len(node.opened):
            return ["The first square is always safe."]
        least = min(dangers.values())
        safest = [name for name, danger in dangers.items() if danger == least]
        squares = "square" if len(safest) == 1 else "squares"
        chance = "certainly without a mine" if least == 0 else f"a mine with probability {least:.3g}"
        return [f"safest {squares}: {'  '.join(safest)} ({chance}); most dangerous: {max(dangers.values()):.3g}"]
    from pacman.record.report import report_from_trace
    from pacman.record.why import why

    values = {action: alphabeta(node.successor(action), game.plies - 1).value for action in node.actions()}
    algorithm = "exhaustive" if len(values) <= FEW_ACTIONS else "alphabeta"
    report = report_from_trace(node, game.plies, run_search(algorithm, node, game.plies).trace)
    texts = (f"{action} {game.value(value)}" for action, value in values.items())
    return [
        f"values for you, {game.plies} plies ahead: {'  '.join(texts)}",
        f"The search would choose {report.action}. {why(report)}",
    ]


# ---- the games


@dataclass(frozen=True)
class _Game:
    """One game: its first position, its rules, and how to write about it. The other player looks `plies` plies ahead.

    `form` describes an answer if there are too many actions to list them.
    """

    start: Callable[[], Node]
    rules: str
    plies: int
    picture: Callable[[Node], str]
    ending: Callable[[float], str] = lambda value: "You win." if value > 0 else "You lose." if value < 0 else "A draw."
    value: Callable[[float], str] = "{:.2f}".format
    outcome: Callable[[str], str] = str
    form: str = "one of the actions"


def _tictactoe_picture(node: Node) -> str:
    """The board; a free square shows its number."""
    marks = [str(number) if cell == "." else cell for number, cell in enumerate(str(node).split(), 1)]
    return "\n".join(" ".join(marks[row : row + 3]) for row in (0, 3, 6))


def _pig_picture(node: Node) -> str:
    assert isinstance(node, Pig)
    mine, theirs = node.banked
    turn = f"; this turn: {node.turn}, not banked yet" if node.turn else ""
    return f"you {mine}, computer {theirs}, goal {node.goal}{turn}"


def _minesweeper_picture(node: Node) -> str:
    """The board with its axes: y at the left, x below."""
    assert isinstance(node, Minesweeper)
    rows = str(node).split("\n")
    lines = [f"{len(rows) - 1 - number} | {row}" for number, row in enumerate(rows)]
    return "\n".join([*lines, f"y +-{'--' * (node.width - 1)}-", f"  x {' '.join(map(str, range(node.width)))}"])


GAMES = {
    "tictactoe": _Game(
        TicTacToe,
        "You are X. The squares are 1 to 9, row by row from the top left.",
        9,
        _tictactoe_picture,
        value=lambda value: {1.0: "win", 0.0: "draw", -1.0: "loss"}.get(float(value), f"{value:.2f}"),
    ),
    "pig": _Game(
        lambda: Pig(50),
        "You are MAX. Reach 50 points. roll: add the die to your turn, but a 1 loses the turn's points; "
        "hold: keep them.",
        5,
        _pig_picture,
    ),
    "minesweeper": _Game(
        lambda: Minesweeper(5, 4, 4),
        "Type a square as x,y, counted from the bottom left. There are 4 mines; the first square is safe.",
        0,
        _minesweeper_picture,
        ending=lambda value: "You win: all squares are clear." if value else "You lose: a mine.",
        outcome=lambda outcome: (
            "a mine" if outcome == MINE else f"{outcome} {'mine' if outcome == '1' else 'mines'} around it"
        ),
        form="x,y, for example 2,3",
    ),
}
