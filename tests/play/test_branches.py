"""Somebody else plays on from a position of a game; that game is a recording of its own."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from agents.ghosts import DirectionalGhost, OptimalGhost, RandomGhost
from agents.pacmen import GreedyPacman, RandomPacman
from pacman.commands.games import GameSetup, PlayOn, ghosts_of
from pacman.core.errors import InputError
from pacman.core.rounds import directional
from pacman.core.state import start
from pacman.play.game import Game
from pacman.play.recording import GameLine, Recorder, Replay, branch_files
from pacman.view.view_protocol import After, ViewedGame
from tests.command_line import run_here


def recorded(path: Path) -> GameLine:
    """A recorded game of a random Pacman, played to its end."""
    ghosts = [RandomGhost(), DirectionalGhost()]
    names = ["random", "random 1", "directional 2"]
    game = Game(start("smallish", ghosts), [RandomPacman(), *ghosts], names, seed=3, max_plies=60)
    with Recorder(path, game):
        line = GameLine(game)
        line.go_to(61)  # one more: the game ends then
    return line


def played_on(line: GameLine, ply: int, agent: str, path: Path | None = None) -> list[str]:
    """The actions of the game in which `agent` plays on after `ply` plies, from the first position of `line`."""
    line.ply = ply
    with ExitStack() as stack:
        files = None if path is None else branch_files(path)
        return [each.action for each in PlayOn(stack, files=files, max_plies=90).play_on(line, agent)]


def test_a_game_that_goes_on_is_a_whole_recording(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    line = recorded(path)
    for number, (ply, agent) in enumerate([(12, "greedy"), (20, "reflex"), (0, "greedy")], 1):
        actions = played_on(line, ply, agent, path)
        replay = Replay.load(tmp_path / f"game-branch-{number}.json")
        again = list(replay)
        assert [each.action for each in again] == actions
        assert [each.number for each in again] == list(range(len(actions)))
        assert [each.state for each in again[:ply]] == [each.state for each in line.plies[:ply]]
        assert (replay.names[0], replay.note) == (agent, "")
        assert replay.result is not None
        assert replay.result.plies == len(actions)


def test_the_same_seed_ply_and_agent_give_the_same_game(tmp_path: Path) -> None:
    line = recorded(tmp_path / "game.json")
    first, second, other, greedy = (
        played_on(line, ply, agent) for ply, agent in ((12, "random"), (12, "random"), (13, "random"), (12, "greedy"))
    )
    assert first == second
    assert first[12:50] != [each.action for each in line.plies[12:50]]  # the ghosts do not repeat the first game
    assert other[13:50] != first[13:50]
    assert first[13] == greedy[13]  # the ghost has the same luck for both


def test_the_ghosts_of_a_recorded_position_move_by_their_models() -> None:
    state = start("crossroads", ["optimal", "random", directional(0.5), "random"])
    ghosts = ghosts_of(state)
    assert [type(ghost) for ghost in ghosts] == [OptimalGhost, RandomGhost, DirectionalGhost, RandomGhost]
    assert ghosts[2].model == directional(0.5)  # type: ignore[attr-defined]


class Viewer:
    """Shows so many plies of each game, and then makes its choice."""

    def __init__(self, *wishes: tuple[int, After]) -> None:
        self.wishes, self.shown = list(wishes), []

    def show(self, *games: ViewedGame) -> After:
        (line,) = games
        assert isinstance(line, GameLine)
        plies, after = self.wishes.pop(0)
        self.shown.append((line.label, line.ply, line.steer is not None))
        line.go_to(plies)
        return after


def test_a_viewer_can_take_over_and_let_an_agent_go_on_from_there() -> None:
    ghosts = [RandomGhost(), RandomGhost()]
    line = GameLine(Game(start("smallish", ghosts), [GreedyPacman(), *ghosts], ["greedy", "a", "b"]))
    viewer = Viewer((9, After.TAKE_OVER), (9, After.AGENT_TAKES_OVER), (12, After.LEAVE))
    after, lines = PlayOn(ExitStack(), agent="reflex").show(viewer, line)
    assert after is After.LEAVE
    assert viewer.shown == [("", 0, False), ("from ply 9: keyboard", 9, True), ("from ply 9: reflex", 9, False)]
    assert [len(each.plies) for each in lines] == [9, 12]


def test_a_position_at_which_the_game_is_over_is_refused(tmp_path: Path) -> None:
    line = GameLine(Game(start("%%%%\n%P.%\n%%%%"), [GreedyPacman()], ["greedy"]))
    line.go_to(9)
    with pytest.raises(InputError, match="the game is over after 1 plies: nobody can play on from there"):
        PlayOn(ExitStack()).play_on(line, "greedy")


def test_replay_plays_on_in_a_new_file_and_keeps_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    recorded(path)
    before = path.read_bytes()
    for file in ("game-branch-1.json", "game-branch-2.json"):
        done = run_here("pacman", "replay", str(path), "--view", "none", "--from", "2", "--agent", "greedy")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("from ply 2: greedy: ")
        assert done.stdout.endswith(f"; recorded in {tmp_path / file}\n")
    assert path.read_bytes() == before
    one, other = (tmp_path / f"game-branch-{number}.json" for number in (1, 2))
    assert [line.action for line in Replay.load(one)] == [line.action for line in Replay.load(other)]


def test_the_agent_that_plays_on_is_the_one_that_plays() -> None:
    setup = GameSetup("nook", "minimax:evaluation=agents/evaluation.py:better", rounds=2)
    play_on = setup.play_on(ExitStack())
    assert (play_on.agent, play_on.rounds) == ("minimax:evaluation=agents/evaluation.py:better", 2)
    assert GameSetup("nook", "keyboard").play_on(ExitStack()).agent == "expectiminimax"
