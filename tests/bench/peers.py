"""Successors beside a peer's, `edq-pacai` (extra `peers`): both engines follow the same games on an equal board.

What is equal: the board has no capsules (a scared ghost is slowed down by another rule there), so that positions,
legal actions, score and end agree at every ply, which is checked before anything is timed. For every ply both are asked
for the legal actions and then for the successor; nothing is drawn, chosen or compared while the clock runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from pacman.core.layout import FOOD, cells
from pacman.core.layout import picture as drawing
from pacman.core.state import GameState, start
from tests.bench.figures import Figure, interleaved, timed

LAYOUT = "smallish"
GAMES, SEED = 20, 1


@dataclass(frozen=True)
class RecordedGame:
    """One random game: its actions, by the names of both engines."""

    ours: tuple[str, ...]
    theirs: tuple[Any, ...]


def peers(repeats: int) -> Iterator[Figure]:
    """Nothing where the peer is not installed."""
    try:
        from pacai.core.action import Action
        from pacai.pacman.board import Board
        from pacai.pacman.gamestate import GameState as Theirs
    except ImportError:
        return
    first = without_capsules(start(LAYOUT))
    theirs = Theirs(board=Board(LAYOUT, picture(first)), move_delays=dict.fromkeys(range(len(first.ghosts) + 1), 100))
    theirs.game_start()
    lines = [RecordedGame(game, tuple(map(Action, game))) for game in games(first)]
    for line in lines:
        compare(first, theirs, line)
    plies = sum(len(line.ours) for line in lines)
    ours, others = interleaved(repeats, lambda: follow(first, lines), lambda: follow_theirs(theirs, lines))
    method = (
        f"legal actions and successor of each ply of {GAMES} random games (Random({SEED})), {plies} plies, on {LAYOUT} "
        "without its capsules (20x7, two ghosts); both engines were at the same positions, scores and legal actions"
    )
    ratios = [other / one for one, other in zip(ours, others, strict=True)]
    yield timed("successors over edq-pacai's", ratios, "times", method, "at least 12")
    yield timed("successors, ours", [plies / seconds for seconds in ours], "plies/s", method)
    yield timed("successors, edq-pacai's", [plies / seconds for seconds in others], "plies/s", method)


def without_capsules(state: GameState) -> GameState:
    """The position with food in place of every capsule."""
    board, _, status = str(state).rpartition("\n")
    return GameState.parse(f"{board.replace('o', '.')}\n{status}")


def picture(state: GameState) -> str:
    """A position as the peer draws it: agents by their numbers, all else as we do."""
    standing = [state.pacman.cell, *(ghost.touches[0] for ghost in state.ghosts)]
    food = dict.fromkeys(cells(state.food_mask), FOOD)
    return drawing(state.maze, food | {cell: str(number) for number, cell in enumerate(standing)})


def places(state: GameState) -> list[tuple[float, float]]:
    """(x, y) of Pacman and of each ghost."""
    return [state.pacman.position, *(ghost.position for ghost in state.ghosts)]


def games(first: GameState) -> Iterator[tuple[str, ...]]:
    """Random games to their ends."""
    rng = Random(SEED)
    for _ in range(GAMES):
        state, actions = first, list[str]()
        while not state.is_terminal:
            actions.append(rng.choice(state.actions()))
            state = state.successor(actions[-1])
        yield tuple(actions)


def follow(first: GameState, lines: Sequence[RecordedGame]) -> None:
    for line in lines:
        state = first
        for action in line.ours:
            state.actions()
            state = state.successor(action)


def follow_theirs(first: Any, lines: Sequence[RecordedGame]) -> None:
    for line in lines:
        state = first
        for action in line.theirs:
            state.get_legal_actions()
            state = state.generate_successor(action)


def compare(ours: GameState, theirs: Any, line: RecordedGame) -> None:
    """ValueError at the first ply where the engines do not agree."""
    height = ours.maze.height
    for ply, (action, same) in enumerate(zip(line.ours, line.theirs, strict=True)):
        cells = [theirs.get_agent_position(agent) for agent in range(len(ours.ghosts) + 1)]
        found = [cell and (cell.col, height - 1 - cell.row) for cell in cells]
        legal = sorted(str(one).capitalize() for one in theirs.get_legal_actions())
        if (found, theirs.score, legal, theirs.agent_index) != (
            places(ours),
            ours.score,
            sorted(ours.actions()),
            ours.mover,
        ):
            raise ValueError(f"the engines are not at the same position at ply {ply}:\n{ours}")
        ours, theirs = ours.successor(action), theirs.generate_successor(same)
    if (theirs.game_over, theirs.score) != (ours.is_terminal, ours.score):
        raise ValueError(f"the engines do not agree on the end:\n{ours}")
