"""A series of games as the viewer asks for it, with one recording per game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pacman.commands.games import GameSetup, games_in_series
from pacman.commands.recorded import picture_size
from pacman.commands.views import NoView
from pacman.core.errors import InputError
from pacman.core.layout import names
from pacman.play.recording import GameLine, Replay
from pacman.view.view_protocol import After, ViewedGame


class Viewer:
    """A view that looks at some plies of each game, and then asks for what comes next: (plies, wish) per game."""

    def __init__(self, *wishes: tuple[int, After]) -> None:
        self.wishes = list(wishes)
        self.games: list[tuple[int, str]] = []

    def show(self, *games: ViewedGame) -> After:
        (game,) = games
        plies, after = self.wishes.pop(0)
        self.games.append((game.seed, str(game.start.maze.width)))
        for _, _ in zip(range(plies), game, strict=False):
            pass
        return after


def play_games(viewer: Viewer, games: int = 1, save: Path | None = None) -> Sequence[str]:
    setup = GameSetup("nook", "random", ghosts="random", max_plies=1000)
    shown = games_in_series([setup], 4, games, save, viewer)
    return [game.result.outcome for _, game, _ in shown if game.result]


def test_the_same_game_again_a_new_one_and_the_end() -> None:
    viewer = Viewer((3, After.AGAIN), (3, After.NEW_SEED), (1000, After.NEXT))
    assert play_games(viewer) == ["win"]
    assert viewer.games == [(4, "5"), (4, "5"), (5, "5")]


def test_the_next_layout_with_as_many_ghosts_as_it_has() -> None:
    viewer = Viewer((1, After.NEXT_LAYOUT), (1, After.LEAVE))
    assert play_games(viewer) == []
    assert viewer.games[1][0] == 4
    setup, ghosts = GameSetup("nook", "random", ghosts="random,optimal"), []
    for _ in names():
        setup = setup.on_next_layout()
        ghosts.append(len(setup.game(0).start.ghosts))
        assert setup.ghosts.count(",") == ghosts[-1] - 1
    assert setup.layout == "nook"
    assert max(ghosts) == 4


def test_several_games_take_the_next_seeds_and_end_when_the_viewer_leaves() -> None:
    viewer = Viewer((1000, After.NEXT), (1000, After.NEXT), (2, After.LEAVE))
    assert len(play_games(viewer, games=5)) == 2
    assert [seed for seed, _ in viewer.games] == [4, 5, 6]


def test_every_game_has_its_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    viewer = Viewer((2, After.AGAIN), (3, After.NEW_SEED), (1000, After.NEXT))
    play_games(viewer, save=tmp_path / "game.json")
    moves = {path.name: len(Replay.load(path).moves) for path in tmp_path.iterdir()}
    assert moves["game.json"] == 2
    assert moves["game-2.json"] == 3
    assert Replay.load(tmp_path / "game.json").note
    assert not Replay.load(tmp_path / "game-3.json").note
    assert f"recorded in {tmp_path / 'game-3.json'}\n" in capsys.readouterr().err
    play_games(Viewer((1000, After.NEXT), (1000, After.NEXT)), games=2, save=tmp_path / "many.json")
    assert "recorded in" not in capsys.readouterr().err
    assert {path.name for path in tmp_path.glob("many*")} == {"many-1.json", "many-2.json"}


def test_without_a_view_all_games_are_played() -> None:
    setup = GameSetup("nook", "random", ghosts="random", max_plies=1000)
    assert len(list(games_in_series([setup], 0, 3, None, NoView()))) == 3


@pytest.mark.parametrize("text", ["12", "axb", "10x10", "1280x", "99999x100", "-5x80"])
def test_texts_that_are_no_sizes(text: str) -> None:
    with pytest.raises(InputError, match="expected WIDTHxHEIGHT in pixels, for example 1280x720"):
        picture_size(text)
    assert picture_size("1281x721") == (1280, 720)
    assert picture_size("") is None


def test_a_game_that_went_on_is_not_one_of_the_games() -> None:
    class PlayOnViewer(Viewer):
        def show(self, *games: ViewedGame) -> After:
            (line,) = games
            assert isinstance(line, GameLine)
            plies, after = self.wishes.pop(0)
            line.go_to(plies)
            return after

    viewer = PlayOnViewer((3, After.AGENT_TAKES_OVER), (2000, After.LEAVE))
    setup = GameSetup("nook", "random", ghosts="random", max_plies=1000)
    ((_, game, line),) = games_in_series([setup], 4, 1, None, viewer)
    assert line is not None
    assert line.label == "from ply 3: random"
    assert game.result is not None
    assert (game.first_ply, game.result.outcome) == (3, "loss")
