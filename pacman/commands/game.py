"""`python -m pacman game`: other games in the terminal, against a search or against chance."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, TextIO

import typer

from pacman.commands.options import SeedOption
from pacman.core.errors import InputError, nearest
from pacman.core.layers import Layer
from pacman.core.tree import Node
from pacman.games.minesweeper import Minesweeper
from pacman.games.pig import Pig
from pacman.games.tictactoe import TicTacToe
from pacman.search.alphabeta import alphabeta

QUIT = "quit"


@dataclass(frozen=True)
class _Game:
    """One game: its first position, its rules, and its closing words. The other player looks `plies` plies ahead."""

    start: Callable[[], Node]
    rules: str
    plies: int
    ending: Callable[[float], str]


def _two_players(value: float) -> str:
    return "You win." if value > 0 else "You lose." if value < 0 else "A draw."


GAMES = {
    "tictactoe": _Game(TicTacToe, "You are X. The squares are 1 to 9, row by row from the top left.", 9, _two_players),
    "pig": _Game(
        lambda: Pig(50),
        "You are MAX. Reach 50 points. roll: add the die to your turn, but a 1 loses the turn's points; "
        "hold: keep them.",
        5,
        _two_players,
    ),
    "minesweeper": _Game(
        lambda: Minesweeper(5, 4, 4, safe_start=True),
        "Type a square as x,y, counted from the bottom left. There are 4 mines; the first square is safe.",
        0,
        lambda value: "You win: all squares are clear." if value else "You lose: a mine.",
    ),
}


def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="tictactoe, pig or minesweeper.")],
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
    print(f"{game.rules} Type {QUIT} to stop.", file=writer)
    node = game.start()
    while not node.is_terminal:
        if node.layer is Layer.CHANCE:
            actions, weights = zip(*node.outcomes(), strict=True)
            action = rng.choices(actions, weights)[0]
            print(f"chance: {action}", file=writer)
        elif node.layer is Layer.MIN:
            action = alphabeta(node, game.plies).action or node.actions()[0]
            print(f"MIN: {action}", file=writer)
        else:
            print(f"\n{node}", file=writer)
            answer = _ask(_choices(node), reader, writer)
            if answer is None:
                return None
            action = answer
        node = node.successor(action)
    print(f"\n{node}\n{game.ending(node.score)}", file=writer)
    return node.score


def _choices(node: Node) -> Sequence[str]:
    """The actions to choose from. In minesweeper they include squares that no search considers."""
    return node.closed() if isinstance(node, Minesweeper) else node.actions()


def _ask(actions: Sequence[str], reader: TextIO, writer: TextIO) -> str | None:
    while True:
        print(f"Your move ({' '.join(actions)}): ", end="", file=writer, flush=True)
        line = reader.readline()
        answer = line.strip()
        if not line or answer == QUIT:
            return None
        if answer in actions:
            return answer
        print(f"no move '{answer}': {nearest(answer, actions)}", file=writer)
