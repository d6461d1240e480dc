"""Branches: somebody else plays on from a position of a game, and the recording keeps both lines."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from agents.ghosts import DirectionalGhost, OptimalGhost, RandomGhost
from agents.pacmen import GreedyPacman, RandomPacman
from pacman.commands.replay import recorded_tree
from pacman.commands.shared.game_setup import Branching, GameSetup, ghosts_of
from pacman.core.errors import InputError
from pacman.core.ghost_models import directional
from pacman.core.state import start
from pacman.play.game import Game
from pacman.play.game_lines import GameLine, GameTree
from pacman.play.recording import MAX_BRANCHES, Recorder, Replay, ReplayError
from pacman.view.view_protocol import After, ViewedGame
from tests.command_line import run_here

GOLDEN = Path(__file__).parent / "recordings"


def played(path: Path, *branches: tuple[int, int, str]) -> GameTree:
    """A recorded game of a random Pacman, with branches (parent, ply, agent), each played to its end."""
    ghosts = [RandomGhost(), DirectionalGhost()]
    names = ["random", "random 1", "directional 2"]
    game = Game(start("smallish", ghosts), [RandomPacman(), *ghosts], names, seed=3, max_plies=60)
    with Recorder(path, game) as recorder:
        tree = GameTree(GameLine(game))
        branching = Branching(recorder=lambda: recorder, max_plies=90)
        list(tree.lines[0])
        for parent, ply, agent in branches:
            list(branching.branch(tree, tree.lines[parent], ply, agent))
    return tree


def actions(line: GameLine | Replay) -> list[str]:
    return [ply.action for ply in line]


def test_a_recording_keeps_the_branches_beside_the_main_line(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    tree = played(path, (0, 12, "greedy"), (1, 20, "reflex"), (2, 14, "greedy"))
    again = recorded_tree(Replay.load(path))
    assert [actions(line) for line in Replay.load(path).all_lines] == [actions(line) for line in tree.lines]
    assert [line.label for line in again.lines] == [
        "main line, 3 branches",
        "branch 1 of 3, from ply 12: greedy",
        "branch 2 of 3, from ply 20: reflex",
        "branch 3 of 3, from ply 14: greedy",
    ]
    assert [line.forks for line in again.lines] == [(12,), (12, 14, 20), (12, 14, 20), (12, 14)]
    assert (again.next(again.lines[2]), again.lines[3].ply) == (again.lines[3], 0)
    again.lines[3].ply = 13
    assert (again.next(again.lines[3]), again.lines[0].ply) == (again.lines[0], 12)
    for line in again.lines:
        list(line)
        assert line.result is not None
        assert line.result.plies == len(line.plies)
        assert [ply.number for ply in line.plies] == list(range(len(line.plies)))
    assert actions(again.lines[1])[:12] == actions(again.lines[0])[:12]


def test_the_same_seed_ply_and_agent_give_the_same_branch(tmp_path: Path) -> None:
    tree = played(tmp_path / "game.json", (0, 12, "random"), (0, 12, "random"), (0, 13, "random"), (0, 12, "greedy"))
    main, first, second, other, greedy = tree.lines
    assert actions(first) == actions(second)
    assert actions(first)[12:50] != actions(main)[12:50]  # the ghosts do not repeat the main line
    assert actions(other)[13:50] != actions(first)[13:50]
    ghost_of_round = [ply.action for ply in first.plies[12:16] if ply.agent == 1]
    assert ghost_of_round == [ply.action for ply in greedy.plies[12:16] if ply.agent == 1]  # the same luck for both


def test_the_ghosts_of_a_recorded_position_move_by_their_models() -> None:
    state = start("crossroads", ["optimal", "random", directional(0.5), "random"])
    ghosts = ghosts_of(state)
    assert [type(ghost) for ghost in ghosts] == [OptimalGhost, RandomGhost, DirectionalGhost, RandomGhost]
    assert ghosts[2].model == directional(0.5)  # type: ignore[attr-defined]


def test_branches_go_in_a_circle_and_show_where_they_part(tmp_path: Path) -> None:
    tree = played(tmp_path / "game.json", (0, 12, "greedy"), (1, 20, "reflex"))
    main, first, second = tree.lines
    main.ply = 40
    assert tree.next(main) is first
    assert first.ply == 12
    first.ply = 15
    assert (tree.next(first), second.ply) == (second, 15)
    second.ply = 33
    assert (tree.next(second), main.ply, main.is_playing) == (main, 12, False)


@pytest.mark.parametrize("name", ["version-1", "version-1-fault"])
def test_a_recording_of_version_1_still_opens_and_can_get_a_branch(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    shutil.copy(GOLDEN / f"{name}.json", path)
    before = run_here("pacman", "replay", str(path), "--view", "none")
    assert (before.returncode, before.stderr) == (0, "")
    done = run_here("pacman", "replay", str(path), "--view", "none", "--from", "2", "--agent", "greedy")
    assert done.returncode == 0
    assert done.stdout.startswith("branch 1 of 1, from ply 2: greedy: ")
    first, *_ = path.read_text().splitlines()
    assert json.loads(first)["version"] == 2
    after = run_here("pacman", "replay", str(path), "--view", "none")
    assert after.stdout == before.stdout + done.stdout


class Viewer:
    """Shows so many plies of each game, and then makes its choice."""

    def __init__(self, *wishes: tuple[int, After]) -> None:
        self.wishes, self.shown = list(wishes), []

    def show(self, *games: ViewedGame) -> After:
        (line,) = games
        assert isinstance(line, GameLine)
        plies, after = self.wishes.pop(0)
        self.shown.append((line.number, line.ply, line.steer is not None))
        for _ in line.plies_from(0):
            if len(line.plies) >= plies:
                break
        line.ply = plies
        return after


def test_a_viewer_can_take_over_and_change_the_branch() -> None:
    ghosts = [RandomGhost(), RandomGhost()]
    tree = GameTree(GameLine(Game(start("smallish", ghosts), [GreedyPacman(), *ghosts], ["greedy", "a", "b"])))
    viewer = Viewer((9, After.TAKE_OVER), (14, After.NEXT_BRANCH), (9, After.AGENT_TAKES_OVER), (12, After.LEAVE))
    assert Branching(agent="reflex").show(viewer, tree, tree.lines[0]) is After.LEAVE
    assert viewer.shown == [(0, 0, False), (1, 9, True), (0, 9, False), (2, 9, False)]
    assert [line.names[0] for line in tree.lines] == ["greedy", "keyboard", "reflex"]


def test_a_hostile_or_cut_branch_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played(path, (0, 12, "greedy"))
    lines = path.read_text().splitlines()
    place = next(number for number, line in enumerate(lines) if '"from"' in line)
    origin = json.loads(lines[place])

    def problem(**change: object) -> str:
        path.write_text("\n".join([*lines[:place], json.dumps(origin | change), *lines[place + 1 :], ""]))
        with pytest.raises(ReplayError) as caught:
            [list(line) for line in Replay.load(path).all_lines]
        assert str(caught.value).isprintable()
        return str(caught.value).removeprefix(f"{path}:").removeprefix(str(place + 1))

    assert problem(branch=2) == ": expected branch 1, got branch 2"
    assert problem(parent=1) == ": parent: expected a number from 0 to 0, got 1"
    assert problem(parent=True) == ": parent: expected a number from 0 to 0, got True"
    assert problem(**{"from": 61}) == ": from: expected a ply from 0 to 60, got 61"
    assert problem(**{"from": -1}) == ": from: expected a ply from 0 to 60, got -1"
    assert problem(names=3) == ": the branch cannot be read: names: expected a list, got 3"
    assert problem(seed="x") == ": the branch cannot be read: seed: expected a whole number, got 'x'"
    assert "wrong checksum" in problem(names=["\x1b[2J"])
    assert problem(**{"from": 11}).endswith("expected ply 11 of branch 1")
    path.write_text("\n".join([*lines[: place + 1], lines[place + 2], lines[place + 1], ""]))
    with pytest.raises(ReplayError, match="expected ply 12 of branch 1"):
        Replay.load(path)
    path.write_text("\n".join([*lines[: place + 1], lines[place + 1].replace('"branch":1', '"branch":9'), ""]))
    with pytest.raises(ReplayError, match="no branch 9; expected a number below 2"):
        Replay.load(path)
    many = [json.dumps(origin | {"branch": number}) for number in range(1, MAX_BRANCHES + 2)]
    path.write_text("\n".join([*lines[:place], *many, ""]))
    with pytest.raises(ReplayError, match=f"expected at most {MAX_BRANCHES} branches"):
        Replay.load(path)
    whole = "\n".join(lines).encode() + b"\n"
    for size in range(whole.index(b'"from"'), len(whole), 997):
        path.write_bytes(whole[:size])
        done = run_here("pacman", "replay", str(path), "--view", "none")
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert "incomplete" in done.stderr


def test_a_recording_has_room_for_so_many_branches(tmp_path: Path) -> None:
    game = Game(start("nook"), [RandomPacman(), RandomGhost()], ["a", "b"])
    with Recorder(tmp_path / "game.json", game) as recorder:
        for _ in range(MAX_BRANCHES):
            recorder.add_branch(game, 0)
        with pytest.raises(InputError, match=f"at most {MAX_BRANCHES} branches"):
            recorder.add_branch(game, 0)


def test_a_kill_while_a_recording_is_copied_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    played(path, (0, 12, "greedy"))
    old, replay = path.read_bytes(), Replay.load(path)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Recorder, "_begin_branch", die)
        with pytest.raises(KeyboardInterrupt):
            Recorder(path, None, replay).__enter__()
    assert path.read_bytes() == old
    with Recorder(path, None, replay):
        assert [file.name for file in tmp_path.iterdir()] == ["game.json"]
    assert Replay.load(path).branches[0].moves == replay.branches[0].moves


def test_the_agent_that_plays_on_is_the_one_that_plays() -> None:
    setup = GameSetup("nook", "minimax", ("evaluation=agents/evaluation.py:better",), rounds=2)
    assert setup.branching([]).agent == "minimax:rounds=2:evaluation=agents/evaluation.py:better"
    assert GameSetup("nook", "keyboard").branching([]).agent == "expectiminimax"
