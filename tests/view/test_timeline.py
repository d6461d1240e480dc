"""The time line: steps, pauses and rounds; and the keys. Without pictures and without a clock."""

from __future__ import annotations

import time
from math import inf
from random import Random

import pytest

from pacman.core.state import GameState, start
from pacman.play.game import Game
from pacman.view.controls import CONTROLS, STEERING_KEYS
from pacman.view.timeline import Track
from tests.view.fake_screen import Viewer

ROOM = "%%%%%%%%%%\n%P...    %\n% %%%%%% %\n%      GG%\n%%%%%%%%%%"


class First:
    """Takes the first action, and counts its moves."""

    def __init__(self) -> None:
        self.move_count = 0

    def begin(self, rng: Random) -> None:
        pass

    def choose(self, state: GameState) -> str:
        self.move_count += 1
        return state.actions()[0]


def make_game(plies: int = 30) -> Game:
    return Game(start(ROOM), [First(), First(), First()], ["a", "b", "c"], max_plies=plies)


def reach_goal(timeline: Track) -> Track:
    """The same time line, after it has reached its goal."""
    end = time.monotonic() + 60
    while timeline.ply < min(timeline.goal, 10_000) and not timeline.is_over:
        assert time.monotonic() < end, "no ply came"
        timeline.pull(0.01)
        timeline.ply += len(timeline.next_plies())
    return timeline


def test_rounds_begin_and_end_with_pacman() -> None:
    timeline = Track(make_game())
    timeline.play_or_pause()
    timeline.step()
    timeline.step_round()  # the rest of this round: the ghosts
    assert reach_goal(timeline).ply == 3
    timeline.step_round()
    timeline.step_round()
    assert reach_goal(timeline).ply == 9
    assert timeline.rounds == 3
    timeline.step()
    reach_goal(timeline)
    places = []
    for _ in range(5):
        timeline.jump(timeline.round_begin)
        places.append(timeline.ply)
    assert places == [9, 6, 3, 0, 0]


def test_a_paused_game_continues_from_an_earlier_ply() -> None:
    timeline = Track(make_game(12))
    assert timeline.goal == inf
    reach_goal(timeline)
    assert timeline.is_over
    assert timeline.ply == 12
    timeline.jump(4)
    assert timeline.is_paused
    assert not timeline.is_over
    assert len(timeline.plies) == 12
    timeline.play_or_pause()
    assert [ply.number for ply in timeline.next_plies()] == [4, 5]
    timeline.step()  # in a playing game: a pause after one more ply
    assert timeline.goal == 5
    timeline.jump(99)
    assert timeline.ply == 12
    timeline.step()
    assert timeline.goal == 12


def test_agents_play_two_rounds_ahead_but_a_person_plays_no_ply_ahead() -> None:
    game = make_game()
    timeline = Track(game)
    end = time.monotonic() + 60
    while game.plies < 6 and time.monotonic() < end:
        timeline.pull(0.2)
    time.sleep(0.1)
    assert game.plies == 6
    game = make_game()
    timeline = Track(game, has_player=True)
    for count in (1, 2, 3):
        while len(timeline.plies) < count:
            timeline.pull(0.2)
        time.sleep(0.05)
        assert game.plies == count


def test_an_error_is_raised_only_at_the_ply_where_it_happened() -> None:
    class Torn(First):
        def choose(self, state: GameState) -> str:
            raise KeyboardInterrupt

    timeline = Track(Game(start(ROOM), [First(), First(), Torn()], ["a", "b", "c"]))
    timeline.play_or_pause()
    timeline.step()
    reach_goal(timeline)
    assert not timeline.is_over
    timeline.step_round()
    with pytest.raises(KeyboardInterrupt):
        reach_goal(timeline)
    assert timeline.ply == 2


def test_a_game_that_starts_in_the_middle_of_a_round_knows_its_rounds() -> None:
    state = start(ROOM).successor("East")
    timeline = Track(Game(state, [First(), First(), First()], ["a", "b", "c"], max_plies=9))
    timeline.play_or_pause()
    timeline.step_round()
    assert reach_goal(timeline).ply == 2
    assert timeline.state.mover == 0
    timeline.step_round()
    assert reach_goal(timeline).ply == 5


def test_no_key_has_two_meanings() -> None:
    keys = [key for control in CONTROLS for key in control.keys]
    assert len(keys) == len(set(keys))
    for control in CONTROLS:  # a person who steers loses some keys, but no command loses all its keys
        assert set(control.keys) - STEERING_KEYS.keys(), control


@pytest.mark.parametrize("steers", [False, True])
def test_the_help_lists_every_command_and_only_keys_that_work(steers: bool) -> None:
    viewer = Viewer(steer=(lambda action: None) if steers else None, can_start_games=True, is_text=True)
    keyboard = viewer.keyboard
    groups = keyboard.help()
    rows = {description: keys for table in groups.values() for keys, description in table}
    assert [*groups] == ["PLAY", "TIME"]
    assert len(rows) == len(keyboard.controls) + steers
    for control in keyboard.controls:
        for word in rows[control.description].split(" or "):
            key = {"Esc": "escape"}.get(word, word.lower())
            assert keyboard.control(key) is control
    assert keyboard.steering.get("w") == ("North" if steers else None)
    assert Viewer().keyboard.control("n") is None
    assert keyboard.control(".", repeated=True), "a key that stays down repeats only some commands"
    assert keyboard.control("space", repeated=True) is None
