"""The list of plies, the place in it, and where it is going: without a picture, and without time."""

from __future__ import annotations

import time
from math import inf
from random import Random

import pytest

from pacman.core.errors import InputError
from pacman.core.state import GameState, start
from pacman.play.game import Game
from pacman.view.controls import ANYWHERE, CONTROLS, RENEWING, TURNS, Keyboard
from pacman.view.timeline import Timeline

ROOM = "%%%%%%%%%%\n%P...    %\n% %%%%%% %\n%      GG%\n%%%%%%%%%%"


class First:
    """Takes the first action; remembers how often he was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def begin(self, rng: Random) -> None:
        pass

    def choose(self, state: GameState) -> str:
        self.asked += 1
        return state.actions()[0]


def game(plies: int = 30) -> Game:
    return Game(start(ROOM), [First(), First(), First()], ["a", "b", "c"], max_plies=plies)


def gone(timeline: Timeline) -> Timeline:
    """The same, gone on as far as it is going."""
    end = time.monotonic() + 10
    while timeline.at < min(timeline.goal, 10_000) and not timeline.is_over:
        assert time.monotonic() < end, "it never came"
        timeline.pull(0.01)
        timeline.advance(len(timeline.beat()))
    return timeline


def test_steps_go_on_and_back_through_all_past_plies() -> None:
    timeline = Timeline(game())
    timeline.play_or_pause()
    states = [timeline.state()]
    for count in range(1, 8):
        timeline.step()
        assert gone(timeline).at == count
        states.append(timeline.state())
    for count in range(6, -1, -1):
        timeline.back()
        assert (timeline.at, timeline.state()) == (count, states[count])
    timeline.back()
    assert timeline.at == 0
    assert len(timeline.plies) == 7
    timeline.stop()


def test_rounds_begin_and_end_with_pacman() -> None:
    timeline = Timeline(game())
    timeline.play_or_pause()
    timeline.step()
    timeline.step_round()  # the rest of this round: the ghosts
    assert gone(timeline).at == 3
    timeline.step_round()
    timeline.step_round()
    assert gone(timeline).at == 9
    assert timeline.rounds == 3
    timeline.step()
    gone(timeline)
    places = []
    for _ in range(5):
        timeline.back_round()
        places.append(timeline.at)
    assert places == [9, 6, 3, 0, 0]
    timeline.stop()


def test_playing_stops_at_a_pause_and_goes_on_from_the_past() -> None:
    timeline = Timeline(game(12))
    assert timeline.goal == inf
    gone(timeline)
    assert timeline.is_over
    assert timeline.at == 12
    timeline.seek(4)
    assert timeline.is_paused
    assert not timeline.is_over
    assert len(timeline.plies) == 12
    timeline.play_or_pause()
    assert [ply.number for ply in timeline.beat()] == [4, 5]
    timeline.step()  # from a game that plays: a pause, one ply further
    assert timeline.goal == 5
    timeline.seek(99)
    assert timeline.at == 12
    timeline.step()
    assert timeline.goal == 12
    timeline.stop()


def test_agents_play_two_rounds_ahead_and_a_person_not_a_ply() -> None:
    shown = game()
    timeline = Timeline(shown)
    timeline.pull(0.2)
    time.sleep(0.1)
    assert shown.plies == 6
    timeline.stop()
    shown = game()
    timeline = Timeline(shown, by_hand=True)
    for count in (1, 2, 3):
        while len(timeline.plies) < count:
            timeline.pull(0.2)
        time.sleep(0.05)
        assert shown.plies == count
    timeline.stop()


def test_what_went_wrong_is_raised_only_where_it_happened() -> None:
    class Torn(First):
        def choose(self, state: GameState) -> str:
            raise KeyboardInterrupt

    timeline = Timeline(Game(start(ROOM), [First(), First(), Torn()], ["a", "b", "c"]))
    timeline.play_or_pause()
    timeline.step()
    gone(timeline)
    assert not timeline.is_over
    timeline.step_round()
    with pytest.raises(KeyboardInterrupt):
        gone(timeline)
    assert timeline.at == 2
    timeline.stop()


def test_a_recording_cut_in_the_middle_of_a_round_knows_its_rounds() -> None:
    state = start(ROOM).successor("East")
    timeline = Timeline(Game(state, [First(), First(), First()], ["a", "b", "c"], max_plies=9))
    timeline.play_or_pause()
    timeline.step_round()
    assert gone(timeline).at == 2
    assert timeline.state().mover == 0
    timeline.step_round()
    assert gone(timeline).at == 5
    timeline.stop()


def test_no_key_has_two_meanings() -> None:
    keys = [key for control in CONTROLS for key in control.keys]
    assert len(keys) == len(set(keys))
    for control in CONTROLS:  # who steers loses arrows, never a whole command
        assert set(control.keys) - TURNS.keys(), control


@pytest.mark.parametrize("steers", [False, True])
def test_the_help_names_every_command_and_only_keys_that_work(steers: bool) -> None:
    keyboard = Keyboard(ANYWHERE | RENEWING, steers=steers)
    rows = {use: keys for keys, use in keyboard.help()}
    assert len(rows) == len(ANYWHERE | RENEWING) + steers
    for control in keyboard.controls:
        for word in rows[control.use].split():
            key = {"Esc": "escape"}.get(word, word.lower())
            assert keyboard.command(key) == control.command
    assert keyboard.turn("w") == ("North" if steers else None)
    assert Keyboard(ANYWHERE).command("n") is None


def test_a_key_held_down_repeats_only_what_may_be_repeated() -> None:
    keyboard = Keyboard(ANYWHERE)
    assert keyboard.command(".", repeated=True) == "step"
    assert keyboard.command("space", repeated=True) is None


def test_errors_of_a_showing_come_through() -> None:
    class Bad:
        start = start(ROOM)
        names = ("a",)
        seed = 0
        move_timeout = None
        result = None

        def __iter__(self):  # type: ignore[no-untyped-def]
            raise InputError("no")
            yield

    timeline = Timeline(Bad())
    with pytest.raises(InputError):
        gone(timeline)
    timeline.stop()
