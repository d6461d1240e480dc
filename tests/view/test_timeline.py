"""The plies of one game: steps, pauses and rounds; and the keys. Without pictures and without a clock."""

from __future__ import annotations

import time
from math import inf

import pytest

from pacman.core.state import GameState, start
from pacman.play.game import Game
from pacman.view.controls import CONTROLS, STEERING_KEYS
from pacman.view.timeline import Track
from tests.view.fake_screen import Viewer, Walker

ROOM = "%%%%%%%%%%\n%P...    %\n% %%%%%% %\n%      GG%\n%%%%%%%%%%"


class First(Walker):
    """Takes the first action."""

    def choose(self, state: GameState) -> str:
        return state.actions()[0]


def make_game(plies: int = 30, state: GameState | None = None) -> Game:
    return Game(state or start(ROOM), [First(), First(), First()], ["a", "b", "c"], max_plies=plies)


def reach_goal(track: Track) -> int:
    """The ply that is shown after the game has reached its goal."""
    end = time.monotonic() + 60
    while track.ply < min(track.goal, 10_000) and not track.is_at_end:
        assert time.monotonic() < end, "no ply came"
        track.pull(0.01)
        track.ply += len(track.next_plies())
    return track.ply


def test_rounds_begin_and_end_with_pacman_also_in_a_game_that_starts_in_the_middle_of_one() -> None:
    track = Track(make_game())
    track.play_or_pause()
    track.step()
    track.step(is_round=True)  # the rest of this round: the ghosts
    assert reach_goal(track) == 3
    track.step(is_round=True)
    track.step(is_round=True)
    assert (reach_goal(track), track.rounds) == (9, 3)
    track.step()
    places = [reach_goal(track)]
    for _ in range(5):
        track.jump(track.round_begin)
        places.append(track.ply)
    assert places == [10, 9, 6, 3, 0, 0]
    track = Track(make_game(9, start(ROOM).successor("East")))
    track.play_or_pause()
    for place in (2, 5):
        track.step(is_round=True)
        assert (reach_goal(track), track.state.mover) == (place, 0)


def test_a_paused_game_continues_from_an_earlier_ply() -> None:
    track = Track(make_game(12))
    assert track.goal == inf
    assert reach_goal(track) == 12
    assert track.is_over
    track.jump(4)
    assert (track.is_paused, track.is_over, len(track.plies)) == (True, False, 12)
    track.play_or_pause()
    assert [ply.number for ply in track.next_plies()] == [4, 5]
    track.step()  # in a playing game: a pause after one more ply
    assert track.goal == 5
    track.jump(99)
    assert track.ply == 12
    track.step()
    assert track.goal == 12


def test_agents_play_two_rounds_ahead_but_a_person_plays_no_ply_ahead() -> None:
    for has_player, counts in ((False, [6]), (True, [1, 2, 3])):
        game = make_game()
        track, end = Track(game, has_player=has_player), time.monotonic() + 60
        for count in counts:
            while len(track.plies) < count and time.monotonic() < end:
                track.pull(0.2)
            time.sleep(0.05)
            assert game.plies == count


def test_an_error_is_raised_only_at_the_ply_where_it_happened() -> None:
    class Torn(Walker):
        def choose(self, state: GameState) -> str:
            raise KeyboardInterrupt

    track = Track(Game(start(ROOM), [First(), First(), Torn()], ["a", "b", "c"]))
    track.play_or_pause()
    track.step()
    reach_goal(track)
    assert not track.is_over
    track.step(is_round=True)
    with pytest.raises(KeyboardInterrupt):
        reach_goal(track)
    assert track.ply == 2


def test_no_key_has_two_meanings() -> None:
    keys = [key for control in CONTROLS for key in control.keys]
    assert len(keys) == len(set(keys))
    for control in CONTROLS:  # a person who steers loses some keys, but no command loses all its keys
        assert set(control.keys) - STEERING_KEYS.keys(), control


@pytest.mark.parametrize("steers", [False, True])
def test_the_help_lists_every_command_and_only_keys_that_work(steers: bool) -> None:
    keyboard = Viewer(steer=(lambda action: None) if steers else None, can_start_games=True, is_text=True).keyboard
    groups = keyboard.help()
    rows = {description: keys for table in groups.values() for keys, description in table}
    assert ([*groups], len(rows)) == (["PLAY", "TIME"], len(keyboard.controls) + steers)
    for control in keyboard.controls:
        for word in rows[control.description].split(" or "):
            assert keyboard.control({"Esc": "escape"}.get(word, word.lower())) is control
    assert keyboard.steering.get("w") == ("North" if steers else None)
    assert Viewer().keyboard.control("n") is None
    assert keyboard.control(".", repeated=True), "a key that stays down repeats only some commands"
    assert keyboard.control("space", repeated=True) is None
