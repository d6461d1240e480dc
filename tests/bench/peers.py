"""The speed of successors, relative to another engine, `edq-pacai` (extra `peers`), in the same games.

The board has no capsules, because `edq-pacai` has another rule for scared ghosts. So positions, legal actions, score
and end are equal at every ply; a check before the measurement confirms it. The measurement asks both engines for the
legal actions and the successor of every ply. It does not include drawing, choosing or comparing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from pacman.core.layout import FOOD, cells
from pacman.core.layout import picture as drawing
from pacman.core.state import GameState, start
from tests.bench.figures import Figure, interleaved, timed

LAYOUT = "smallish"
GAMES, SEED = 20, 1


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
    ours = list(games(first))
    others = [tuple(map(Action, game)) for game in ours]  # the same actions, as the other engine writes them
    for game, same in zip(ours, others, strict=True):
        compare(first, theirs, game, same)
    plies = sum(map(len, ours))
    seconds, other_seconds = interleaved(
        repeats, lambda: follow_ours(first, ours), lambda: follow_theirs(theirs, others)
    )
    method = (
        f"legal actions and successor of each ply of {GAMES} random games (Random({SEED})), {plies} plies, on {LAYOUT} "
        "without its capsules (20x7, two ghosts); positions, scores and legal actions are equal in both engines"
    )
    ratios = [other / one for one, other in zip(seconds, other_seconds, strict=True)]
    yield timed("speed of successors, relative to edq-pacai", ratios, "times", method, "at least 12")
    yield timed("successors, ours", [plies / one for one in seconds], "plies/s", method)
    yield timed("successors, edq-pacai's", [plies / one for one in other_seconds], "plies/s", method)


def without_capsules(state: GameState) -> GameState:
    """The position with food instead of every capsule."""
    board, _, status = str(state).rpartition("\n")
    return GameState.parse(f"{board.replace('o', '.')}\n{status}")


def picture(state: GameState) -> str:
    """A position as text in the notation of `edq-pacai`: agents are numbers, everything else is as in our notation."""
    agents = [state.pacman.cell, *(ghost.touches[0] for ghost in state.ghosts)]
    food = dict.fromkeys(cells(state.food_mask), FOOD)
    return drawing(state.maze, food | {cell: str(number) for number, cell in enumerate(agents)})


def games(first: GameState) -> Iterator[tuple[str, ...]]:
    """The actions of complete random games."""
    rng = Random(SEED)
    for _ in range(GAMES):
        state, actions = first, list[str]()
        while not state.is_terminal:
            actions.append(rng.choice(state.actions()))
            state = state.successor(actions[-1])
        yield tuple(actions)


def follow_ours(first: GameState, game_list: Iterable[Iterable[str]]) -> None:
    """Asks our engine for the legal actions and the successor at every ply."""
    for game in game_list:
        state = first
        for action in game:
            state.actions()
            state = state.successor(action)


def follow_theirs(first: Any, game_list: Iterable[Iterable[Any]]) -> None:
    """Asks `edq-pacai` for the legal actions and the successor at every ply."""
    for game in game_list:
        state = first
        for action in game:
            state.get_legal_actions()
            state = state.generate_successor(action)


def compare(ours: GameState, theirs: Any, game: Iterable[str], same_game: Iterable[Any]) -> None:
    """Raises ValueError at the first ply where the engines differ."""
    height = ours.maze.height
    for ply, (action, same) in enumerate(zip(game, same_game, strict=True)):
        cells = [theirs.get_agent_position(agent) for agent in range(len(ours.ghosts) + 1)]
        positions = [cell and (cell.col, height - 1 - cell.row) for cell in cells]
        legal = sorted(str(one).capitalize() for one in theirs.get_legal_actions())
        places = [ours.pacman.position, *(ghost.position for ghost in ours.ghosts)]
        expected = places, ours.score, sorted(ours.actions()), ours.mover
        if (positions, theirs.score, legal, theirs.agent_index) != expected:
            raise ValueError(f"ply {ply}: the positions of the two engines differ:\n{ours}")
        ours, theirs = ours.successor(action), theirs.generate_successor(same)
    if (theirs.game_over, theirs.score) != (ours.is_terminal, ours.score):
        raise ValueError(f"the results of the two engines differ:\n{ours}")
