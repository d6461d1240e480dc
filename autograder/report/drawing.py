"""What a diagram shows, as lines of text: the table of a tree, a board, or the games of a match."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate, takewhile

from autograder.judge.explain import HERE, own_value_text
from autograder.judge.scorecard import Diagram, NodeRow
from pacman.core.errors import counted
from pacman.core.state import GameState
from pacman.record.trace import Path

FOLDED_GAMES, FOLDED_LINES = 3, 12
"""How many games a short drawing names; and the nodes of a short table, if the path to the mark is not longer."""
FOLDED = " ..."
"""What stands behind a node if some nodes below it are left out."""


def drawing_lines(diagram: Diagram, is_short: bool = False) -> list[str]:
    """The whole drawing. A short one has only the first games, or of a long table the nodes near the marked one."""
    above, below = remarks(diagram, is_short)
    if diagram.rows:
        return [*above, *_table(diagram, is_short), *below]
    if not diagram.games:
        return [*above, *_start(diagram), *below]
    board = _last_move(diagram)[0].board.splitlines() if diagram.values is not None else []
    return [f"  {line}" for line in (*above, *board, *below)]


def remarks(diagram: Diagram, is_short: bool = False) -> tuple[list[str], list[str]]:
    """What stands above and below a picture: the games of a match; the values of the actions, and the notes."""
    games = [f"game {number}: {end}, score {score}, {plies} plies" for number, end, score, plies in diagram.games]
    more = len(games) - FOLDED_GAMES
    if is_short and more > 1:
        games[FOLDED_GAMES:] = [f"... {counted(more, 'more game')}"]
    if diagram.games and diagram.values is not None:
        games.append(f"Pacman's last move in game {diagram.game}: {_last_move(diagram)[1]}")
    values = ", ".join(f"{action} {own_value_text(value)}" for action, value in diagram.values or ())
    return games, [*([f"your values there: {values}"] if values else []), *diagram.notes]


def _start(diagram: Diagram) -> Sequence[str]:
    """The tree in outline, or the board after the moves; no lines if the moves break the rules."""
    if not diagram.start.startswith("%"):
        return diagram.start.splitlines()
    with suppress(ValueError):
        *_, last = accumulate(diagram.moves.split(), GameState.successor, initial=GameState.parse(diagram.start))
        return last.board.splitlines()
    return ()


def _last_move(diagram: Diagram) -> tuple[GameState, str]:
    """The last move of Pacman in a game, after the position in which he makes it."""
    moves = diagram.moves.split()
    states = accumulate(moves, GameState.successor, initial=GameState.parse(diagram.start))
    *_, last = ((state, action) for state, action in zip(states, moves, strict=False) if state.mover == 0)
    return last


def _table(diagram: Diagram, is_short: bool) -> list[str]:
    """The rows of a tree below their headings: name, window, expected, got and mark. Empty columns are left out."""
    paths = [row.path for row in diagram.rows]
    is_folded = is_short and len(paths) > FOLDED_LINES
    shown = near_paths(paths, diagram.marked or ()) if is_folded else set(paths)
    folded = {path[:-1] for path in paths if path not in shown}
    table = [("", "window", "expected", "got", "")]
    for row in diagram.rows:
        if row.path in shown:
            label, mark = _label(row) + FOLDED * (row.path in folded), HERE * (row.path == diagram.marked)
            table.append((label, row.window, row.expected, row.got, mark))
    first, second = (max(len(row[column]) for row in table) for column in range(2))
    has_windows, has_got = bool(diagram.cut), any(row.got for row in diagram.rows if row.path in shown)
    lines = (
        (f"{label:<{first}}", f"{window:<{second}}" * has_windows, f"{expected:>10}", f"{got:>10}" * has_got, mark)
        for label, window, expected, got, mark in table
    )
    return ["  ".join(filter(None, line)).rstrip() for line in lines]


def _label(row: NodeRow) -> str:
    """The first column of a table: the action, its probability and the kind of the node."""
    chance = f" @{row.probability}" if row.probability else ""
    return "  " * len(row.path) + "".join(f"{action}{chance}: " for action in row.path[-1:]) + row.kind


def near_paths(paths: Sequence[Path], end: Path) -> set[Path]:
    """The nodes on the path to a node and, up to FOLDED_LINES in all, their successors: those of its end first."""

    def steps_away(path: Path) -> tuple[int, int]:
        """The steps from the path down to the node, and those from the end of the path up to where they begin."""
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(path, end, strict=False)))
        return len(path) - common, 0 if len(path) == common else len(end) - common

    near = [path for path in sorted(paths, key=steps_away) if steps_away(path)[0] <= 1]
    return set(near[: max(FOLDED_LINES, sum(steps_away(path)[0] == 0 for path in near))])
