"""The player: what each key does to the games, the same in a window and in a terminal, and what time does to them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise

import pytest

from agents.analysis import choose_search
from pacman.core.state import GameState, start
from pacman.core.tree import Layer
from pacman.picture.lecture import QUESTION
from pacman.picture.moment import BANNER_AFTER, ENDING_SECONDS
from pacman.picture.screen_regions import LECTURE, LIST
from pacman.play.game import Game, Ply
from pacman.play.recording import GameLine
from pacman.play.series import differences
from pacman.record.report import SearchReport
from pacman.view import After
from pacman.view.controls import CONTROLS, STEERING_KEYS
from pacman.view.player import BANNER_SECONDS, GO_BACK
from pacman.view.shown_search import ASKS, GOES_ON, SHOWS, ShownSearch
from pacman.view.timeline import Track
from tests.view.fake_screen import CORRIDOR, FRAME, Person, Thinker, Viewer, Walker, corridor, games

Steps = list[tuple[str, dict[str, object]]]
"""Keys that are pressed, and what is so then; several times."""
KEYS: list[Steps] = [
    [("space", {"ply": 0, "is_paused": True, "shows_pause": True}), (".", {"ply": 1, "shows_pause": False})],
    [("space > .", {"ply": 3}), ("right", {"ply": 4}), (",", {"ply": 3}), ("backspace down", {"ply": 4})],
    [("space > >", {"ply": 4}), ("<", {"ply": 2}), ("<", {"ply": 0}), ("end", {"ply": 4}), ("left up", {"ply": 2})],
    [("space > > home", {"ply": 0}), ("space wait", {"ply": 5})],
    [("space + +", {"speed": 16}), ("-", {"speed": 12}), ("_ _", {"speed": 6}), ("=", {"speed": 8})],
    [("space h", {"help_page": 0}), ("h", {"help_page": 1}), ("escape", {"help_page": None})],
    [("space ? escape", {"help_page": None, "message": ""}), ("escape", {"message": "Q quits"})],
    [("space h shift", {"help_page": 0}), (".", {"help_page": None, "ply": 1})],
    [("space n l o z", {"after": None, "ply": 0}), ("r", {"after": After.AGAIN})],
    [("space q", {"after": After.LEAVE})],
]
"""Keys, and what they do in every view of a game that shows no search."""
SEARCH_KEYS: list[Steps] = [
    [("space o", {"name": "values", "message": "overlay: values"}), ("o", {"name": "line", "is_on": True}),
     ("o o o", {"name": "none", "is_on": False})],
    [("space o m", {"name": "values", "is_hidden": True, "is_on": False, "message": "overlay hidden"}),
     ("m", {"is_hidden": False, "message": "overlay: values"})],
    [("space t", {"form": LIST, "is_on": True}), ("t", {"form": None, "is_on": False}), ("t escape", {"form": None})],
    [("space y", {"is_why_open": True}), ("?", {"is_why_open": False}), ("y escape", {"is_why_open": False})],
    [("space t y escape", {"form": None, "is_why_open": True})],
    [("space h t", {"help_page": None, "form": LIST}), ("h j", {"help_page": None, "form": LIST})],
    [("space h z", {"help_page": None, "is_quiz": True}), (". .", {"ply": 1, "quiz": GOES_ON})],
    [("space t j tab right", {"ply": 0, "has_focus": True})],
    [("space . . t tab left up", {"ply": 2, "has_focus": True}), ("tab left", {"ply": 1, "has_focus": False})],
    [("z", {"ply": 0, "quiz": ASKS, "words": QUESTION}), ("space", {"ply": 0, "quiz": SHOWS}),
     ("space", {"ply": 2, "quiz": ASKS}), ("z wait", {"ply": 5, "quiz": GOES_ON})],
    [("z up", {"quiz": ASKS, "message": "Pacman cannot go North here"}),
     ("right", {"ply": 0, "quiz": SHOWS, "name": "values"}),
     ("left", {"ply": 0, "quiz": SHOWS, "message": "Space goes on to Pacman's next move"})],
    [("z t j", {"ply": 0, "quiz": SHOWS, "is_paused": True})],
    [("space > > . o", {"message": GO_BACK}), (", o", {"ply": 4, "message": "overlay: line"})],
]  # fmt: skip
"""The same of a game with a search."""
WINDOW_KEYS: list[Steps] = [
    [("space e", {"form": LECTURE}), ("e", {"form": None}), ("e t", {"form": LIST})],
    [("space e z", {"words": "", "hides_values": True})],
    [("space t f h escape", {"help_page": None, "form": LIST, "is_full": True}),
     ("escape", {"form": None, "is_full": True}), ("escape", {"is_full": False, "message": ""}),
     ("f f p", {"is_full": False, "is_picture_due": True})],
    [("wait space wait", {"ply": 5, "is_over": True, "has_ended": True}), (", wait", {"ply": 4, "is_over": False})],
    [("wait return", {"after": After.NEXT})],
]  # fmt: skip
"""What only a window has. At the end, Space plays the game again."""


def check(viewer: Viewer, steps: Steps) -> None:
    for keys, facts in steps:
        assert viewer.press(keys).facts(list(facts)) == facts, keys


@pytest.mark.parametrize("is_text", [False, True], ids=["window", "text"])
@pytest.mark.parametrize("steps", KEYS)
def test_keys(steps: Steps, is_text: bool) -> None:
    check(Viewer(is_text=is_text), steps)


ROWS = [*((row, is_text) for is_text in (False, True) for row in SEARCH_KEYS), *((row, False) for row in WINDOW_KEYS)]


@pytest.mark.parametrize(("steps", "is_text"), ROWS)
def test_keys_of_a_search(steps: Steps, is_text: bool) -> None:
    check(Viewer(is_text=is_text, analysers=[choose_search("minimax", rounds=1)]), steps)


@pytest.mark.parametrize(("rounds", "verdict"), [(1, "You chose East, the search Stop. "), (2, "East is right. ")])
def test_the_answer_to_the_quiz_is_judged(rounds: int, verdict: str) -> None:
    viewer = Viewer(analysers=[choose_search("minimax", rounds=rounds)]).press("z right")
    assert viewer.player.searches[0].words.startswith(verdict)


@pytest.mark.parametrize("is_text", [False, True], ids=["window", "text"])
def test_a_person_steers_with_arrows_and_letters_and_a_key_starts(is_text: bool) -> None:
    for key in ("d", "left", "space"):
        person = Person()
        viewer = Viewer(corridor(person), is_text=is_text)
        assert viewer.wait().player.ply == 0, "it waits for a key"
        assert viewer.player.is_ready
        assert viewer.press(key).player.ply == 5
        assert person.turns == {"d": ["East"], "left": ["West"], "space": []}[key]
    viewer = Viewer(corridor(person := Person()), is_text=is_text).press("space").press("home")
    assert (viewer.player.ply, viewer.player.is_paused) == (0, True)
    viewer.keyboard.press(viewer.player, "w")
    assert (person.turns, viewer.player.message) == (["North"], "Space continues the game")
    viewer = Viewer(corridor(Person()), end_seconds=BANNER_SECONDS).wait(2.5)
    assert viewer.player.ply == 0
    assert viewer.wait(2.0).player.ply, "without a held end a person has three seconds"


def test_the_game_requests_a_move_from_a_person_only_when_it_is_due() -> None:
    """A key during the glide of a round counts for the next move: the game fetches no turn ahead."""
    requests: list[float] = []
    now = 0.0

    class Slow(Person):
        def choose(self, state: GameState) -> str:
            requests.append(now)
            return super().choose(state)

    viewer = Viewer(corridor(Slow(), max_plies=6), speed=2.0)
    viewer.keyboard.press(viewer.player, "right")
    while len(requests) < 3 and now < 250:
        time.sleep(0.001)
        viewer.player.tick(FRAME)
        now += FRAME
    # 4 plies a second and 2 a round: half a second between two moves of the person, or more on a busy machine.
    assert [later - first > 0.44 for first, later in pairwise(requests)] == [True, True]


def test_a_game_in_text_shows_each_ply_and_a_window_whole_rounds() -> None:
    assert Viewer().wait().plies == [0, 2, 4, 5]
    assert Viewer(is_text=True, end_seconds=0.0).wait().plies == [0, 1, 2, 3, 4, 5]


def test_the_end_of_a_game() -> None:
    """It stays until a key; or for a while; in a fast game without an animation; a key skips the animation."""
    viewer = Viewer(end_seconds=BANNER_SECONDS).wait()
    assert viewer.player.after is After.NEXT
    assert viewer.player.tracks[0].animation.now.seconds_over > BANNER_SECONDS
    viewer = Viewer(can_start_games=True).wait()
    assert (viewer.player.after, viewer.player.status().is_replay) == (None, False)
    assert viewer.press(",").player.status().is_replay
    assert [Viewer(can_start_games=True).press(key).player.after for key in ("n", "l")] == [
        After.NEW_SEED, After.NEXT_LAYOUT,
    ]  # fmt: skip
    for speed, keys in ((10.0, "space"), (64.0, "")):
        viewer = Viewer(speed=speed)
        while not viewer.player.is_over:
            viewer.wait(FRAME)
        assert viewer.player.tracks[0].animation.now.seconds_over < 0.2 or not keys
        for key in keys.split():
            viewer.keyboard.press(viewer.player, key)
        assert viewer.wait(2 * FRAME).player.is_over, "the key does not play the game again"
        assert viewer.player.tracks[0].animation.now.seconds_over >= ENDING_SECONDS


def test_the_board_shows_the_step_of_the_tree_and_the_layers_are_those_of_the_search() -> None:
    """Minimax treats a random ghost as a minimiser, in its own game and while its search is shown."""
    for assumed in (None, Layer.MIN):
        game = corridor()
        game.agents[0].assumes = assumed  # type: ignore[attr-defined]
        assert Viewer(game).player.tracks[0].layers == (Layer.MAX, assumed or Layer.CHANCE)
    viewer = Viewer(analysers=[choose_search("minimax", rounds=1)]).press("space t j j")
    (track,) = viewer.player.tracks
    assert track.layers == (Layer.MAX, Layer.MIN)
    assert track.search is not None
    assert track.search.position == start(CORRIDOR).successor("Stop")
    assert viewer.press("t").player.tracks[0].layers == (Layer.MAX, Layer.CHANCE)


def test_a_key_of_the_tree_while_the_game_runs_enters_the_tree_of_the_position_where_it_stops() -> None:
    viewer = Viewer(analysers=[choose_search("minimax", rounds=1)], speed=2.0)
    (track,), (search,) = viewer.player.tracks, viewer.player.searches
    viewer.keyboard.press(viewer.player, "t")
    while not (track.animation.is_gliding and search.browser):
        viewer.wait(FRAME)
    viewer.press("j")
    assert (viewer.player.is_paused, viewer.player.ply) == (True, 2)
    assert search.browser is not None
    assert (search.browser.report.root, search.browser.step) == (viewer.player.state, 0)


def test_a_lecture_begins_on_the_full_screen_and_waits_for_a_key() -> None:
    for lecture in (False, True):
        viewer = Viewer(analysers=[choose_search("minimax", rounds=1)], lecture=lecture).wait()
        assert viewer.player.is_full == lecture
        assert (viewer.player.ply == 0) == lecture
        assert viewer.press("j").player.ply == (0 if lecture else 5)
    assert viewer.press("space").player.ply == 5


def test_a_viewer_takes_over_from_an_earlier_ply() -> None:
    """The person plays on there, and the plies before stay in the time line. At the end nobody can play on."""
    main, person = GameLine(corridor()), Person()
    viewer = Viewer(main).wait().press("i")
    assert (viewer.player.after, viewer.player.message) == (None, "the game is over here: go back first")
    assert viewer.press("home . . i").player.after is After.TAKE_OVER
    viewer.player.stop()
    assert main.ply == 2
    on = Game(main.state, [person, Walker()], ["you", "random"], seed=7, first_ply=2)
    line = GameLine(on, main.plies[:2], main.start)
    viewer = Viewer(line)
    assert viewer.player.ply == 2
    assert viewer.press("right").player.ply == 5
    viewer.player.stop()
    assert (person.turns, len(line.plies)) == (["East"], 5)


def test_of_many_positions_the_first_and_the_last_are_searched_and_each_once() -> None:
    """A view asks in each frame, and does not wait; a search that fails is its message; a finished game has none."""
    state, may_continue, searched = start("smallish"), threading.Event(), list[GameState]()

    def analyse(state: GameState) -> SearchReport:
        searched.append(state)
        may_continue.wait()
        if len(searched) > 1:
            raise IndexError("list index out of range")
        return choose_search("minimax", rounds=1)(state)

    search = ShownSearch(analyse, form=LIST)
    first, *_, last = positions = [state, *(state.successor(action) for action in state.actions())]
    assert [search.update(each) for each in [*positions, *positions]] == [False] * 2 * len(positions)
    assert search.is_busy
    may_continue.set()
    while not search.update(first) & search.update(last):
        time.sleep(0.001)
    assert searched == [first, last]
    assert search.error == "IndexError: list index out of range"
    assert search.update(first)
    assert search.report
    assert search.update(start("%%%%%\n%P. %\n%%%%%", []).successor("East"))
    assert (search.report, search.is_busy) == (None, False)


def test_a_saved_file_is_searched_anew() -> None:
    searched, analyse = list[GameState](), choose_search("minimax", rounds=1)
    viewer = Viewer(analysers=[lambda state: searched.append(state) or analyse(state)], overlay="values")
    viewer.player.reload = lambda: ""
    assert viewer.wait().player.after is After.AGAIN
    viewer.player.begin(corridor())
    viewer.wait()
    assert searched.count(searched[0]) == 2


def test_the_end_of_an_incomplete_recording_is_the_end_of_a_game() -> None:
    class Cut(Game):
        def __iter__(self) -> Iterator[Ply]:
            yield from islice(corridor(), 2)

    names = ["walker", "random"]
    viewer = Viewer(Cut(start(CORRIDOR), [Walker(), Walker()], names), end_seconds=BANNER_SECONDS).wait()
    assert (viewer.player.ply, viewer.player.after) == (2, After.NEXT)
    assert viewer.player.visible(viewer.player.tracks[0]).seconds_over > BANNER_AFTER, "the picture says so"


# ---- several games


def test_both_games_are_shown_to_the_end_in_the_same_round() -> None:
    both_games = games("minimax", "greedy")
    viewer = Viewer(*both_games, speed=32.0, end_seconds=BANNER_SECONDS)
    while viewer.player.after is None:
        left, right = (track for track in viewer.player.tracks)
        assert left.ply == right.ply or left.is_over or right.is_over, "no game is ahead while both still play"
        viewer.player.differences()
        viewer.wait(FRAME)
    assert viewer.player.after is After.NEXT
    assert all(game.result is not None for game in both_games)
    timelines = [track.plies for track in viewer.player.tracks]
    plies = viewer.player.differences()
    assert tuple(plies) == differences(timelines) != (), "compared while they came"
    ghosts = [[replace(ply, agent=1) for ply in plies] for plies in timelines]
    assert differences(ghosts) == (), "the choices of Pacman alone"


def test_keys_move_both_games_and_the_tree_is_that_of_the_next_one() -> None:
    viewer, places = Viewer(*games(), analysers=[choose_search("minimax", rounds=1)] * 2), []
    for key in ("space", ">", ">", ",", "<", ".", "home", "end"):
        viewer.press(key)
        places.append([track.ply for track in viewer.player.tracks])
    assert places == [[at, at] for at in (0, 3, 6, 5, 3, 4, 0, 6)]
    open_trees = [[bool(search.form) for search in viewer.press("t").player.searches] for _ in range(3)]
    assert open_trees == [[True, False], [False, True], [False, False]]
    assert "J" in dict(viewer.press("t").keyboard.help(viewer.player.searches)["SEARCH"])
    viewer.press("t t")
    for key in "ezy":
        viewer.keyboard.press(viewer.player, key)
        assert viewer.player.message == f"{key.upper()} works only with one game"
    assert not any(search.is_on for search in viewer.player.searches), "they are about one game"
    assert viewer.press("r").player.after is After.AGAIN


def test_the_games_wait_for_one_agent_that_thinks_and_keys_work() -> None:
    one, other = games()
    slow = Game(one.start, [Thinker(), *one.agents[1:]], ["thinker", "one", "two"])
    viewer = Viewer(slow, other).wait(0.5)
    assert [track.ply for track in viewer.player.tracks] == [0, 0]
    assert viewer.player.tracks[0].thinking_seconds
    viewer.keyboard.press(viewer.player, "q")
    assert viewer.player.after is After.LEAVE


# ---- the plies of one game of three agents, and the table of the keys

ROOM = "%%%%%%%%%%\n%P...    %\n% %%%%%% %\n%      GG%\n%%%%%%%%%%"


class First(Walker):
    """Takes the first action."""

    def choose(self, state: GameState) -> str:
        return state.actions()[0]


def make_game(plies: int = 12, state: GameState | None = None, last: Walker | None = None) -> Game:
    return Game(state or start(ROOM), [First(), First(), last or First()], ["a", "b", "c"], max_plies=plies)


def test_rounds_begin_and_end_with_pacman_also_in_a_game_that_starts_in_the_middle_of_one() -> None:
    viewer = Viewer(make_game(30)).press("space")
    check(viewer, [(". >", {"ply": 3}), ("> >", {"ply": 9}), (".", {"ply": 10})])
    check(viewer, [("<", {"ply": place}) for place in (9, 6, 3, 0, 0)])
    check(Viewer(make_game(9, start(ROOM).successor("East"))), [("space >", {"ply": 2}), (">", {"ply": 5})])


def test_a_paused_game_continues_from_an_earlier_ply() -> None:
    viewer = Viewer(make_game()).press("wait home")
    assert set(viewer.player.tracks[0].think_times()) == {0.0}
    check(viewer, [("wait", {"ply": 0, "ply_count": 12}), (". . . .", {"ply": 4, "is_over": False})])
    check(viewer, [("space/.", {"ply": 5, "is_paused": True}), ("end . .", {"ply": 12})])


def test_agents_play_two_rounds_ahead_but_a_person_plays_no_ply_ahead() -> None:
    for has_player, counts in ((False, [6]), (True, [1, 2, 3])):
        game = make_game()
        track, end = Track(GameLine(game), has_player=has_player), time.monotonic() + 60
        for count in counts:
            while len(track.plies) < count and time.monotonic() < end:
                track.pull(0.2)
            time.sleep(0.05)
            assert game.plies == count


def test_an_error_is_raised_only_at_the_ply_where_it_happened() -> None:
    class Torn(Walker):
        def choose(self, state: GameState) -> str:
            raise KeyboardInterrupt

    viewer = Viewer(make_game(last=Torn())).press("space . .")
    assert viewer.player.ply == 2
    with pytest.raises(KeyboardInterrupt):
        viewer.press(".")


def test_no_key_has_two_meanings() -> None:
    keys = [key for control in CONTROLS for key in control.keys]
    assert len(keys) == len(set(keys))
    for control in CONTROLS:  # a person who steers loses some keys, but no command loses all its keys
        assert set(control.keys) - STEERING_KEYS.keys(), control


@pytest.mark.parametrize("steers", [False, True])
def test_the_help_lists_every_command_and_only_keys_that_work(steers: bool) -> None:
    keyboard = Viewer(corridor(Person() if steers else None), can_start_games=True, is_text=True).keyboard
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
