"""The speed of successors, relative to another engine, `edq-pacai` (extra `peers`), in the same games.

The board has no capsules, because `edq-pacai` has another rule for scared ghosts. So positions, legal actions, score
and end are equal at every ply; a check before the measurement confirms it. The measurement asks both engines for the
legal actions and the successor of every ply. It does not include drawing, choosing or comparing.
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
    """One random game: its actions, in the names of both engines."""

    ours: tuple[str, ...]
    theirs: tuple[Any, ...]


def peers(repeats: int) -> Iterator[Figure]:
    """The figures of the comparison; nothing if `edq-pacai` is not installed."""
    try:
        from pacai.core.action import Action
        from pacai.pacman.board import Board
        from pacai.pacman.gamestate import GameState as Theirs
    except ImportError:
        return
    first = without_capsules(start(LAYOUT))
    theirs = Theirs(board=Board(LAYOUT, picture(first)), move_delays=dict.fromkeys(range(len(first.ghosts) + 1), 100))
    theirs.game_start()
    game_list = [RecordedGame(game, tuple(map(Action, game))) for game in games(first)]
    for game in game_list:
        compare(first, theirs, game)
    plies = sum(len(game.ours) for game in game_list)
    ours, others = interleaved(repeats, lambda: follow_ours(first, game_list), lambda: follow_theirs(theirs, game_list))
    method = (
        f"legal actions and successor of each ply of {GAMES} random games (Random({SEED})), {plies} plies, on {LAYOUT} "
        "without its capsules (20x7, two ghosts); positions, scores and legal actions are equal in both engines"
    )
    ratios = [other / one for one, other in zip(ours, others, strict=True)]
    yield timed("speed of successors, relative to edq-pacai", ratios, "times", method, "at least 12")
    yield timed("successors, ours", [plies / seconds for seconds in ours], "plies/s", method)
    yield timed("successors, edq-pacai's", [plies / seconds for seconds in others], "plies/s", method)


def without_capsules(state: GameState) -> GameState:
    """The position with food instead of every capsule."""
    board, _, status = str(state).rpartition("\n")
    return GameState.parse(f"{board.replace('o', '.')}\n{status}")


def picture(state: GameState) -> str:
    """A position as text in the notation of `edq-pacai`: agents are numbers, everything else is as in our notation."""
    agents = [state.pacman.cell, *(ghost.touches[0] for ghost in state.ghosts)]
    food = dict.fromkeys(cells(state.food_mask), FOOD)
    return drawing(state.maze, food | {cell: str(number) for number, cell in enumerate(agents)})


def places(state: GameState) -> list[tuple[float, float]]:
    """The coordinates (x, y) of Pacman and of each ghost."""
    return [state.pacman.position, *(ghost.position for ghost in state.ghosts)]


def games(first: GameState) -> Iterator[tuple[str, ...]]:
    """The actions of complete random games."""
    rng = Random(SEED)
    for _ in range(GAMES):
        state, actions = first, list[str]()
        while not state.is_terminal:
            actions.append(rng.choice(state.actions()))
            state = state.successor(actions[-1])
        yield tuple(actions)


def follow_ours(first: GameState, game_list: Sequence[RecordedGame]) -> None:
    """Asks our engine for the legal actions and the successor at every ply."""
    for game in game_list:
        state = first
        for action in game.ours:
            state.actions()
            state = state.successor(action)


def follow_theirs(first: Any, game_list: Sequence[RecordedGame]) -> None:
    """Asks `edq-pacai` for the legal actions and the successor at every ply."""
    for game in game_list:
        state = first
        for action in game.theirs:
            state.get_legal_actions()
            state = state.generate_successor(action)


def compare(ours: GameState, theirs: Any, game: RecordedGame) -> None:
    """Raises ValueError at the first ply where the engines differ."""
    height = ours.maze.height
    for ply, (action, same) in enumerate(zip(game.ours, game.theirs, strict=True)):
        cells = [theirs.get_agent_position(agent) for agent in range(len(ours.ghosts) + 1)]
        positions = [cell and (cell.col, height - 1 - cell.row) for cell in cells]
        legal = sorted(str(one).capitalize() for one in theirs.get_legal_actions())
        if (positions, theirs.score, legal, theirs.agent_index) != (
            places(ours),
            ours.score,
            sorted(ours.actions()),
            ours.mover,
        ):
            raise ValueError(f"ply {ply}: the positions of the two engines differ:\n{ours}")
        ours, theirs = ours.successor(action), theirs.generate_successor(same)
    if (theirs.game_over, theirs.score) != (ours.is_terminal, ours.score):
        raise ValueError(f"the results of the two engines differ:\n{ours}")
