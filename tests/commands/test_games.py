"""A series of games as the viewer asks for it, one recording for each, and games that somebody else plays on."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from agents.ghosts import OptimalGhost, RandomGhost
from agents.pacmen import GreedyPacman
from pacman.commands.games import GameSetup, NoView, PlayOn, games_in_series, ghosts_of
from pacman.commands.options import BoardOptions
from pacman.core.errors import InputError
from pacman.core.layout import names
from pacman.core.rounds import directional
from pacman.core.state import start
from pacman.play.game import Game
from pacman.play.recording import GameLine, Recorder, Replay, branch_files
from pacman.view import After, ViewedGame
from tests.command_line import run_here

SETUP = GameSetup(BoardOptions("nook", "random"), "random", max_plies=1000)
ALL = 10**6


class Viewer:
    """A view that looks at some plies of each game, and then asks for what comes next: (plies, wish) for each game."""

    def __init__(self, *wishes: tuple[int, After]) -> None:
        self.wishes = list(wishes)
        self.games: list[tuple[int, int, str, bool]] = []
        """Of each game: seed, width, the label of who plays on, and whether a person plays."""

    def show(self, *games: ViewedGame) -> After:
        (line,) = games
        assert isinstance(line, GameLine)
        plies, after = self.wishes.pop(0)
        self.games.append((line.seed, line.start.maze.width, line.label, line.steer is not None))
        line.go_to(plies)
        return after


def outcomes(viewer: Viewer, games: int = 1, save: Path | None = None) -> list[str]:
    return [game.result.outcome for _, game, _ in games_in_series([SETUP], 4, games, save, viewer) if game.result]


def test_a_viewer_chooses_the_next_game() -> None:
    viewer = Viewer((3, After.AGAIN), (3, After.NEW_SEED), (1, After.NEXT_LAYOUT), (ALL, After.LEAVE))
    assert outcomes(viewer) == ["loss"]
    assert [seed for seed, *_ in viewer.games] == [4, 4, 5, 5]
    assert [width for _, width, *_ in viewer.games][:3] == [5] * 3 != [viewer.games[3][1]] * 3
    viewer = Viewer((ALL, After.NEXT), (ALL, After.NEXT), (2, After.LEAVE))
    assert len(outcomes(viewer, games=5)) == 2
    assert [seed for seed, *_ in viewer.games] == [4, 5, 6]
    assert len(list(games_in_series([SETUP], 0, 3, None, NoView()))) == 3


def test_the_next_layout_has_as_many_ghosts_as_it_needs() -> None:
    setup, ghosts = GameSetup(BoardOptions("nook", "random,optimal"), "random"), []
    for _ in names():
        setup = setup.on_next_layout()
        ghosts.append(len(setup.game(0).start.ghosts))
        assert len(setup.board.kinds) == ghosts[-1]
    assert (setup.board.layout, max(ghosts)) == ("nook", 4)


def test_every_game_has_its_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcomes(Viewer((2, After.AGAIN), (3, After.NEW_SEED), (ALL, After.NEXT)), save=tmp_path / "game.json")
    first, second, third = (Replay.load(tmp_path / f"game{number}.json") for number in ("", "-2", "-3"))
    assert (len(first.moves), len(second.moves)) == (2, 3)
    assert [bool(each.note) for each in (first, second, third)] == [True, True, False]
    assert f"recorded in {third.path}\n" in capsys.readouterr().err
    outcomes(Viewer((ALL, After.NEXT), (ALL, After.NEXT)), games=2, save=tmp_path / "many.json")
    assert "recorded in" not in capsys.readouterr().err
    assert {path.name for path in tmp_path.glob("many*")} == {"many-1.json", "many-2.json"}


# ---- somebody plays on


def recorded(path: Path) -> GameLine:
    """A recorded game of a random Pacman, played to its end."""
    game = GameSetup(BoardOptions("smallish", "random,directional"), "random", max_plies=60).game(3)
    with Recorder(path, game):
        line = GameLine(game)
        line.go_to(ALL)
        return line


def played_on(line: GameLine, ply: int, agent: str, path: Path | None = None) -> list[str]:
    """The actions of the game in which `agent` plays on after `ply` plies, from the first position of `line`."""
    line.ply = ply
    with ExitStack() as stack:
        files = None if path is None else branch_files(path)
        setup = GameSetup(BoardOptions(), "random", max_plies=90)
        return [each.action for each in PlayOn(stack, setup, files).play_on(line, agent)]


def test_a_game_that_goes_on_is_a_whole_recording_and_can_be_played_again(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    line = recorded(path)
    for number, (ply, agent) in enumerate([(12, "greedy"), (20, "reflex"), (0, "greedy")], 1):
        actions = played_on(line, ply, agent, path)
        replay = Replay.load(tmp_path / f"game-branch-{number}.json")
        again = list(replay)
        assert [each.action for each in again] == actions == played_on(line, ply, agent)
        assert [each.number for each in again] == list(range(len(actions)))
        assert [each.state for each in again[:ply]] == [each.state for each in line.plies[:ply]]
        assert (replay.names[0], replay.note, replay.result and replay.result.plies) == (agent, "", len(actions))


def test_the_luck_of_a_game_that_goes_on_depends_on_its_seed_and_ply_alone(tmp_path: Path) -> None:
    line = recorded(tmp_path / "game.json")
    one, other, greedy = (
        played_on(line, ply, agent) for ply, agent in ((12, "random"), (13, "random"), (12, "greedy"))
    )
    assert one[12:50] != [each.action for each in line.plies[12:50]]  # the ghosts do not repeat the first game
    assert other[13:50] != one[13:50]
    assert one[13] == greedy[13]  # the ghost has the same luck for both


def test_the_ghosts_of_a_recorded_position_move_by_their_models() -> None:
    ghosts = ghosts_of(start("crossroads", ["optimal", "random", directional(0.5), "random"]))
    assert [type(ghost) for ghost in ghosts] == [OptimalGhost, RandomGhost, RandomGhost, RandomGhost]
    assert ghosts[2].model == directional(0.5)


def test_a_viewer_can_take_over_and_let_an_agent_go_on_from_there() -> None:
    line = GameLine(GameSetup(BoardOptions("smallish"), "greedy").game(0))
    viewer = Viewer((9, After.TAKE_OVER), (9, After.AGENT_TAKES_OVER), (12, After.LEAVE))
    after, lines = PlayOn(ExitStack(), GameSetup(BoardOptions(), "reflex")).show(viewer, line)
    assert after is After.LEAVE
    assert [shown[2:] for shown in viewer.games] == [
        ("", False), ("from ply 9: keyboard", True), ("from ply 9: reflex", False),
    ]  # fmt: skip
    assert [len(each.plies) for each in lines] == [9, 12]


def test_a_game_that_went_on_is_not_one_of_the_games() -> None:
    viewer = Viewer((3, After.AGENT_TAKES_OVER), (ALL, After.LEAVE))
    ((_, game, line),) = games_in_series([SETUP], 4, 1, None, viewer)
    assert line is not None
    assert (line.label, game.first_ply, game.result and game.result.outcome) == ("from ply 3: random", 3, "loss")


def test_the_agent_that_plays_on_is_the_one_that_plays() -> None:
    for pacman, successor in (("minimax:evaluation=score", "minimax evaluation=score"), ("keyboard", "expectiminimax")):
        play_on = PlayOn(ExitStack(), GameSetup(BoardOptions("nook"), pacman, rounds=1))
        viewer = Viewer((3, After.AGENT_TAKES_OVER), (4, After.LEAVE))
        _, (line,) = play_on.show(viewer, GameLine(play_on.setup.game(0)))
        assert isinstance(line.source, Game)
        assert (line.names[0], line.source.agents[0].rounds) == (successor, 1)  # type: ignore[attr-defined]
    over = GameLine(Game(start("%%%%\n%P.%\n%%%%"), [GreedyPacman()], ["greedy"]))
    over.go_to(9)
    with pytest.raises(InputError, match="the game is over after 1 plies: nobody can play on from there"):
        play_on.play_on(over, "greedy")


def test_replay_plays_on_in_a_new_file_and_keeps_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    recorded(path)
    before, files = path.read_bytes(), [tmp_path / f"game-branch-{number}.json" for number in (1, 2)]
    for file in files:
        done = run_here("pacman", "replay", str(path), "--view", "none", "--from", "2", "--agent", "greedy")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("from ply 2: greedy: ")
        assert done.stdout.endswith(f"; recorded in {file}\n")
    assert path.read_bytes() == before
    one, other = ([ply.action for ply in Replay.load(file)] for file in files)
    assert one == other
