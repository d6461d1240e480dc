"""Games side by side: in the same round with the same seed, controlled by keys, and from the command line."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from agents.analysis import choose_search
from pacman.__main__ import app
from pacman.commands.games import GameSetup
from pacman.commands.play import check_agents
from pacman.core.errors import InputError
from pacman.picture.colours import THEMES
from pacman.play.game import Game
from pacman.play.recording import Replay
from pacman.view import player as player_file
from pacman.view.player import Track
from pacman.view.screen import Click, Closed, Event, Key
from pacman.view.view_protocol import After
from pacman.view.window import Window
from tests.view.fake_screen import FakeScreen, Thinker, make_window, record_snapshots, wait_for_report
from tests.view.reference_pictures import is_like_reference

NAMES = ("minimax", "expectimax")


def games(max_plies: int = 60, seed: int = 7) -> list[Game]:
    return [GameSetup("smallish", name, "random,optimal", 1, max_plies).game(seed) for name in NAMES]


class PatientScreen(FakeScreen):
    """Gives the next events only after the games have finished the earlier ones.

    `places` are the plies shown in each game at each event.
    """

    def __init__(
        self, script: Mapping[int, Sequence[Event] | str], panes: list[Track], size: tuple[int, int] = (900, 420)
    ) -> None:
        super().__init__(script, size=size)
        self.panes = panes
        self.places: list[list[int]] = []
        self.end = time.monotonic() + 60

    def flip(self, fps: float) -> float:
        assert time.monotonic() < self.end, "the window did not end"
        if self.frames + 1 in self.script and not self.is_at_rest:
            time.sleep(0.001)
            return self.frame_seconds
        self.is_delivered = False
        return super().flip(fps)

    @property
    def is_at_rest(self) -> bool:
        """True if no paused game is still on its way to its goal."""
        return not any(pane.timeline.is_paused and (pane.is_due or pane.animation.is_gliding) for pane in self.panes)

    is_delivered = False

    def events(self) -> list[Event]:
        if self.frames not in self.script or self.is_delivered:
            return []
        self.is_delivered = True
        self.places.append([pane.timeline.ply for pane in self.panes])
        return super().events()


@pytest.fixture
def panes(monkeypatch: pytest.MonkeyPatch) -> list[Track]:
    """The games of the player, as soon as it has begun."""
    panes: list[Track] = []

    class Listed(Track):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            panes.append(self)

    monkeypatch.setattr(player_file, "Track", Listed)
    return panes


def test_both_games_are_shown_to_the_end_in_the_same_round(panes: list[Track]) -> None:
    screen = PatientScreen({}, panes)
    both_games = games()
    window = make_window(screen, 32, end_seconds=3.0)
    snapshots = record_snapshots(window.painter)
    assert window.show(*both_games) is After.NEXT
    assert all(game.result is not None for game in both_games)
    assert "minimax and expectimax" in screen.titles[0]
    assert screen.closed == 1
    shorter = min(game.plies for game in both_games)
    for left, right in zip(snapshots[::2], snapshots[1::2], strict=True):
        assert left.names[0] == "minimax"
        assert right.names[0] == "expectimax"
        assert min(left.plies, shorter) == min(right.plies, shorter), "no game is ahead while both still play"


def test_pause_steps_and_back_move_both(panes: list[Track]) -> None:
    keys = ["space", ">", ">", ",", "<", ".", "home", "end", "q"]
    screen = PatientScreen({10 * number: [Key(key)] for number, key in enumerate(keys)}, panes)
    assert make_window(screen, 8).show(*games()) is After.LEAVE
    assert screen.places == [[at, at] for at in (0, 0, 3, 6, 5, 3, 4, 0, 6)]


@pytest.mark.parametrize(
    ("event", "after"), [(Closed(), After.LEAVE), (Key("r"), After.AGAIN), (Key("q"), After.LEAVE)]
)
def test_the_choice_of_the_viewer(event: Event, after: After, panes: list[Track]) -> None:
    screen = PatientScreen({20: "h + - m f", 30: [event]}, panes)
    assert make_window(screen, 8).show(*games()) is after
    assert screen.closed == 1


def test_a_picture_of_both_is_saved(panes: list[Track], tmp_path: Path) -> None:
    screen = PatientScreen({0: "space >", 10: "p", 12: "q"}, panes)
    make_window(screen, 8, pictures=tmp_path).show(*games())
    (path,) = tmp_path.glob("pacman-*-ply-3.png")
    with Image.open(path) as image:
        assert image.size == (900, 420)


def test_the_time_line_can_be_clicked(panes: list[Track]) -> None:
    screen = PatientScreen({0: "space >", 10: [Click(440, 412)], 20: "q"}, panes)
    make_window(screen, 8).show(*games())
    assert screen.places[1] == [3, 3]
    assert screen.places[2] in ([1, 1], [2, 2])


def test_the_window_responds_while_one_agent_thinks(panes: list[Track]) -> None:
    both_games = games()
    slow = Game(both_games[0].start, [Thinker(), *both_games[0].agents[1:]], ["thinker", "one", "two"])
    screen = PatientScreen({60: "q"}, panes)
    begin_time = time.perf_counter()
    assert make_window(screen, 8).show(slow, both_games[1]) is After.LEAVE
    assert screen.places == [[0, 0]], "the other game waits for the thinker"
    assert time.perf_counter() - begin_time < 80


@pytest.mark.parametrize("size", [(640, 400), (1280, 720), (1920, 1080)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_window_looks_like_its_reference_picture(size: tuple[int, int], panes: list[Track]) -> None:
    analysers = [choose_search(name, rounds=1) for name in NAMES]
    colours = THEMES[{640: "light", 1280: "dark", 1920: "colour-blind"}[size[0]]]
    both_games = games()
    for game in both_games:
        game.clock = lambda: 0.0  # the picture shows the agents' times

    class Patient(PatientScreen):
        def flip(self, fps: float) -> float:
            for pane in panes if self.frames == 29 and self.is_at_rest else ():
                assert pane.search is not None
                assert wait_for_report(pane.search._worker, pane.timeline.state(), 60) is not None
            for pane in panes if self.frames == 30 else ():
                pane.animation.now = replace(pane.animation.now, clock=0.0)  # skirts and capsules move with the clock
            return super().flip(fps)

    screen = Patient({0: "space > >", 29: [], 32: "q"}, panes, size)
    make_window(screen, 8, theme=colours, analysers=analysers, overlay="values").show(*both_games)
    assert screen.places[-1] == [6, 6]
    assert is_like_reference(screen.page, f"search/beside-{size[0]}x{size[1]}")


# ---- the command line


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["watch", "--ghosts", "random,optimal", "--max-plies", "30", *arguments])


def test_each_agent_can_have_its_own_options() -> None:
    result = run("minimax:rounds=1", "minimax:rounds=2:evaluation=score", "--view", "none", "--rounds", "3")
    lines = result.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["minimax:rounds=1", "minimax:rounds=2:evaluation=score"]
    alone = run("minimax:rounds=2:evaluation=score", "--rounds", "3", "--view", "none").stdout
    assert lines[1].partition(": ")[2] == alone.strip()
    setup = GameSetup("smallish", "folder/mine.py:Mine:rounds=1", is_compared=True)
    assert setup.display_name == "mine.py:Mine rounds=1"


def test_the_same_seed_means_the_same_game_as_alone() -> None:
    names = ["minimax", "expectimax", "greedy"]
    together = run(*names, "--view", "none", "--seed", "3").stdout.splitlines()
    alone = [run(name, "--view", "none", "--seed", "3").stdout.strip() for name in names]
    assert together == [f"{name}: {result}" for name, result in zip(names, alone, strict=True)]
    rows = run("minimax", "expectimax", "--view", "none", "--json", "-").stdout.splitlines()
    assert [json.loads(row)["pacman"] for row in rows] == ["minimax", "expectimax"]


def test_each_game_is_recorded(tmp_path: Path) -> None:
    result = run("minimax", "greedy", "--view", "none", "--save", str(tmp_path / "vs.json"))
    assert result.exit_code == 0, result.output
    recordings = [Replay.load(tmp_path / f"vs-{number}.json") for number in (1, 2)]
    assert [one.names[0] for one in recordings] == ["minimax", "greedy"]
    assert all(len(list(one)) > 0 and one.note == "" for one in recordings)
    out = tmp_path / "vs.gif"
    files = [str(one.path) for one in recordings]
    result = CliRunner().invoke(app, ["film", *files, "--seconds", "0.5", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert out.exists()
    result = CliRunner().invoke(app, ["film", *files, "--tree", "--out", str(out)])
    assert str(result.exception) == "2 recordings side by side: expected at most 4, no --tree and no --lecture"


def test_the_window_is_opened_for_two(monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[tuple[str, ...]] = []

    class CountingWindow(Window):
        def show(self, *games: object) -> After:
            names.append(tuple(game.names[0] for game in games))  # type: ignore[attr-defined]
            assert len(self.player.searches) == 2
            return After.AGAIN if len(names) == 1 else After.LEAVE

    monkeypatch.setattr("pacman.view.window.Window", CountingWindow)
    assert run("minimax", "expectimax").exit_code == 0
    assert names == [NAMES, NAMES]


def test_a_person_has_only_one_keyboard() -> None:
    with pytest.raises(InputError, match="only one keyboard"):
        check_agents(["keyboard", "minimax"])
