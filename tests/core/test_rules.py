"""The rules: replays of recorded games, and counts of paths."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from pacman import GameState, IllegalAction, Layout, start
from pacman.core.layout import names
from pacman.core.rules import SCARED_MOVES

Turn = dict[str, Any]
RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.jsonl.gz"))


def recorded_lines(path: Path) -> list[Turn]:
    """The lines of a recording."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def first_difference(lines: list[Turn]) -> tuple[object, ...] | None:
    """The first difference from the games of a recording: game, ply (None: the start), field, expected, got.

    A line of the recording is a `game` (layout rows, start), a `turn` (agent, legal actions, action, position after it)
    or an `end`. Coordinates are (x, y) from the bottom left. The agents move in the order of their index.
    """
    game, state = 0, start("nook")
    for line in lines:
        if line["type"] == "game":
            game = line["game"]
            state = start(Layout.parse("\n".join(line["layout"])), order="index")
            recorded, ours = _position(line["start"]), _fields(state)
        elif line["type"] == "turn":
            recorded, ours = {"legal": line["legal"]}, {"legal": list(state.actions(line["agent"]))}
            if recorded == ours:
                state = state.successor(line["action"], line["agent"])
                recorded, ours = _position(line["after"]), _fields(state)
        else:
            recorded = {"reason": line["reason"]}
            ours = {"reason": "win" if state.is_win else "lose" if state.is_lose else "max_plies"}
        for field, value in ours.items():
            if recorded[field] != value:
                return game, line.get("ply"), field, recorded[field], value
    return None


def _position(recorded: Turn) -> Turn:
    """A recorded position, with the capsules and the food in a fixed order."""
    return recorded | {name: sorted(recorded[name]) for name in ("capsules", "foodCells")}


def _fields(state: GameState) -> Turn:
    """Our position in the form of a recorded one."""
    return {
        "pacman": list(state.pacman.position),
        "pacmanDir": state.pacman.direction,
        "ghosts": [[*ghost.position, ghost.direction, ghost.timer] for ghost in state.ghosts],
        "food": state.food_left,
        "capsules": sorted(map(list, state.capsules)),
        "score": state.score,
        "isWin": state.is_win,
        "isLose": state.is_lose,
        "foodCells": sorted(map(list, state.food)),
    }


def test_there_are_recordings() -> None:
    assert len(RECORDINGS) == 10


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name.split(".")[0])
def test_recorded_games_are_reproduced_field_by_field(path: Path) -> None:
    lines = recorded_lines(path)
    assert first_difference(lines) is None
    assert sum(line["type"] == "turn" for line in lines) > 50


def perft(state: GameState, plies: int) -> int:
    if plies == 0 or state.is_terminal:
        return 1
    return sum(perft(state.successor(action), plies - 1) for action in state.actions())


PERFT = json.loads((Path(__file__).parent / "perft.json").read_text())


@pytest.mark.parametrize("name", names())
def test_the_numbers_of_paths_are_the_recorded_ones(name: str) -> None:
    state = start(name)
    counts = [perft(state, plies) for plies in range(len(PERFT[name]))]
    by_action = {action: perft(state.successor(action), len(PERFT[name]) - 2) for action in state.actions()}
    assert counts == PERFT[name], f"{state}\n{by_action}"


TINY = "%%%%%%\n%P. G%\n%%%%%%"


def test_pacman_wins_when_he_eats_the_last_food_on_a_ghosts_cell() -> None:
    state = start("%%%%%\n%P.G%\n%%%%%").successor("Stop").successor("West").successor("East")
    assert (state.is_win, state.is_lose, state.score) == (True, False, -1 - 1 + 10 + 500)


def test_meeting_two_ghosts_on_one_cell_costs_the_points_twice() -> None:
    state = start("%%%%%%%\n%..PGG%\n%%%%%%%").successor("Stop", 0).successor("West", 2)
    assert state.ghosts[0].position == state.ghosts[1].position
    state = state.successor("East", 0)
    assert (state.is_lose, state.score) == (True, -1 - 1 - 500 - 500)


def test_four_ghosts_are_scared_move_and_meet_pacman_each_alone() -> None:
    """The recorded games have at most two."""
    state = start("%%%%%%%%%\n%Po1234.%\n%%%%%%%%%").successor("East")
    assert [ghost.timer for ghost in state.ghosts] == [SCARED_MOVES] * 4
    for number in range(1, 5):
        moved = state.successor("East", number)
        assert [ghost.timer for ghost in moved.ghosts] == [SCARED_MOVES - (each == number) for each in range(1, 5)]
        assert moved.ghosts[number - 1].position == (2.5 + number, 1)
    eaten = state.successor("East", 0)
    assert [ghost.timer for ghost in eaten.ghosts] == [0, *[SCARED_MOVES] * 3]
    for drawing in ("1234", "2134", "2314", "2341"):
        assert start(f"%%%%%%%%%\n%.P{drawing} %\n%%%%%%%%%").successor("East").is_lose


@pytest.mark.parametrize("action", ["North", "up", ""])
def test_an_illegal_action_is_named_with_the_legal_ones_and_the_position(action: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        start(TINY).successor(action)
    assert str(caught.value).startswith(f"illegal action {action!r} of Pacman; legal: Stop, East; in\n%%%%%%\n%P. G%")


def test_nobody_moves_after_the_end() -> None:
    state = start("%%%%%\n%P.G%\n%%%%%").successor("East")
    assert state.is_win
    assert state.actions() == state.actions(0) == state.actions(1) == state.outcomes() == ()
    with pytest.raises(IllegalAction, match="none, the game has ended"):
        state.successor("West")


def test_an_unknown_agent_number_is_refused() -> None:
    state = start("nook")
    for agent in (-1, 2, 9):
        with pytest.raises(IllegalAction, match=f"no agent {agent}; the agents are 0 to 1"):
            state.successor("West", agent)
        with pytest.raises(IllegalAction):
            state.actions(agent)
    with pytest.raises(IllegalAction):
        state.successor(["West"])  # type: ignore[arg-type]
