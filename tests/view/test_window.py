"""The window with a screen without a display: real games, and scripted keys and clicks."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agents.analysis import choose_search
from agents.ghosts import RandomGhost
from agents.pacmen import GreedyPacman
from pacman.core.errors import InputError
from pacman.core.state import GameState, start
from pacman.core.tree import Layer
from pacman.picture import paint as paint_file
from pacman.picture.canvas import Canvas, pygame_library
from pacman.picture.colours import Theme
from pacman.picture.moment import ENDING_SECONDS, VisibleState
from pacman.picture.notices import Message, draw_message
from pacman.picture.paint import Drawing, nothing
from pacman.picture.screen_regions import NOWHERE, Box, Regions
from pacman.picture.status_bars import draw_chips
from pacman.picture.timeline_bar import TimelineBar
from pacman.play.game import Game, Ply
from pacman.play.recording import GameLine
from pacman.record.report import SearchReport
from pacman.view import window as window_file
from pacman.view.pane import Pane
from pacman.view.player import BANNER_SECONDS, Player
from pacman.view.screen import (
    LARGEST,
    Click,
    Closed,
    Drag,
    Event,
    Exposed,
    Key,
    Release,
    Screen,
    Wheel,
    demand_display,
    frequent_thread_switches,
    opening_size,
)
from pacman.view.view_protocol import After
from pacman.view.window import Window
from tests.view.fake_screen import CORRIDOR, FakeScreen, Walker, corridor, make_window, record_snapshots, show


def record_messages(screen: FakeScreen, monkeypatch: pytest.MonkeyPatch) -> dict[int, Message]:
    """The message below the board, by the frame, from now on."""
    messages: dict[int, Message] = {}

    def spy(canvas: Canvas, box: Box, unit: float, message: Message, theme: Theme) -> None:
        messages[screen.frames] = message
        draw_message(canvas, box, unit, message, theme)

    monkeypatch.setattr(paint_file, "draw_message", spy)
    return messages


def window(screen: FakeScreen, **options: Any) -> Window:
    if options.pop("paused", False):
        screen.script = {**screen.script, 0: [Key("space"), *screen.script.get(0, ())]}
    return make_window(screen, **options)


def test_the_window_shows_a_game_to_its_end_and_a_key_closes_the_banner() -> None:
    screen = FakeScreen({600: "return"})
    game = corridor()
    assert window(screen).show(game) is After.NEXT
    assert game.result is not None
    assert game.result.outcome == "loss"
    assert screen.closed == 1
    assert 600 <= screen.frames <= 602
    assert "walker" in screen.titles[0]
    assert "seed 7" in screen.titles[0]


def test_steering_keys_do_not_close_the_banner() -> None:
    screen = FakeScreen({500: "left a h", 600: "escape", 900: "return"})
    assert window(screen, steer=lambda action: None).show(corridor()) is After.NEXT
    assert screen.frames >= 900


def test_without_hold_end_the_banner_disappears_after_two_seconds() -> None:
    screen = FakeScreen({})
    view = window(screen, end_seconds=BANNER_SECONDS, close_at_end=False)
    assert view.show(corridor()) is After.NEXT
    assert view.show(corridor()) is After.NEXT
    assert screen.closed == 0
    view.close()
    assert screen.closed == 1


@pytest.mark.parametrize("leave", [Closed(), Key("q")])
def test_quitting_ends_the_window_at_once(leave: Event) -> None:
    screen = FakeScreen({3: [leave]})
    game = corridor()
    assert window(screen).show(game) is After.LEAVE
    assert screen.frames == 3
    assert screen.closed == 1


def test_escape_closes_the_topmost_thing_and_never_quits() -> None:
    keys = {10: "h", 12: "t", 14: "f", 20: "escape", 30: "escape", 40: "escape", 50: "escape", 60: "q"}
    screen = FakeScreen(keys, size=(1280, 800))
    view = window(screen, analysers=[choose_search("alphabeta", rounds=1)], paused=True)
    seen: list[tuple[bool, bool, bool, str]] = []

    class Watched(Window):
        def draw(self, canvas: Canvas) -> None:
            player = self.player
            seen.append((player.help_page is not None, player.searches[0].is_open, screen.is_full, player.message))
            super().draw(canvas)

    view.__class__ = Watched
    assert view.show(corridor()) is After.LEAVE
    assert [seen[frame] for frame in (15, 25, 35, 45, 55)] == [
        (True, True, True, ""),
        (False, True, True, ""),
        (False, False, True, ""),
        (False, False, False, ""),
        (False, False, False, "Q quits"),
    ]


def test_a_display_that_does_not_answer_is_no_display() -> None:
    """SDL would fall back to an invisible window, in which the game runs for ever."""
    hidden = ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY")
    environment = {name: value for name, value in os.environ.items() if name not in hidden} | {"DISPLAY": ":5177"}
    if sys.platform.startswith("linux"):
        command = [sys.executable, "-m", "pacman", "watch", "random"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 2
        assert done.stderr.startswith("python -m pacman: no display: cannot open a window here; use --view text")
        assert done.stderr.count("\n") == 1


def test_the_game_requests_a_move_from_a_person_only_when_it_is_due() -> None:
    """A key during the glide of a round counts for the next move: the game fetches no turn ahead."""
    turns = ["East"]
    request_frames: list[int] = []

    class Person(Walker):
        def choose(self, state: GameState) -> str:
            request_frames.append(screen.frames)
            return turns[-1] if turns[-1] in state.actions() else "Stop"

    screen = FakeScreen({20: "w left", 200: "q"})
    game = Game(start(CORRIDOR), [Person(), Walker()], ["person", "ghost"], max_plies=6)
    make_window(screen, 2.0, steer=turns.append).show(game)
    assert turns == ["East", "North", "West"]
    # 4 plies a second and 2 a round: half a second, 30 frames, between two moves of the person.
    assert [later - first for first, later in pairwise(request_frames)] == pytest.approx([30, 30], abs=3)


def test_the_window_raises_the_error_of_a_game() -> None:
    class Torn(Game):
        def __iter__(self) -> Iterator[Ply]:
            raise InputError("replay.json: move 3 is not legal")
            yield

    screen = FakeScreen({})
    with pytest.raises(InputError, match="move 3"):
        window(screen).show(Torn(start(CORRIDOR), [Walker(), Walker()], ["a", "b"]))
    assert screen.closed == 1


def test_a_missing_display_is_reported_at_once() -> None:
    with pytest.raises(InputError, match="no display: .* --view text"):
        demand_display({}, "linux")
    demand_display({"DISPLAY": ":0"}, "linux")
    demand_display({"SDL_VIDEODRIVER": "dummy"}, "linux")
    demand_display({}, "darwin")


def test_a_failing_driver_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    pygame_library().display.quit()  # an earlier test can have opened a display
    with pytest.raises(InputError, match="no display") as caught:
        Screen((320, 240), "never")
    assert "\n" not in str(caught.value)


def test_a_real_window_on_the_dummy_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real SDL events: a key becomes its name, a typed character becomes itself."""
    pygame = pygame_library()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    game = corridor(max_plies=2)
    posted_keys = iter(
        [
            {"key": pygame.K_SPACE, "unicode": " "},
            {"key": pygame.K_PERIOD, "unicode": "."},
            {"key": pygame.K_ESCAPE, "unicode": "\x1b"},
            {"key": pygame.K_q, "unicode": "q"},
        ]
    )
    names: list[Event] = []

    class Posting(Screen):
        def events(self) -> list[Event]:
            event = next(posted_keys, None)
            if event:
                pygame.event.post(pygame.event.Event(pygame.KEYDOWN, event))
            events = super().events()
            names.extend(events)
            return events

    assert Window(Player(25.0), screen=Posting, size=(320, 240)).show(game) is After.LEAVE
    assert [name for name in names if name != Exposed()] == [Key("space"), Key("."), Key("escape"), Key("q")]
    assert not pygame.display.get_init()


def runs(numbers: Iterable[object]) -> list[object]:
    return [number for number, _ in groupby(numbers)]


def test_a_live_game_steps_back_and_forward() -> None:
    keys = {20: ">", 100: "right", 160: ",", 180: "<", 200: "<", 220: ">", 300: "end", 320: "home", 340: "q"}
    game = corridor()
    snapshots = show(window(FakeScreen(keys), paused=True), game)
    assert runs(visible.plies for visible in snapshots) == [0, 2, 3, 2, 0, 2, 3, 0]
    assert game.plies == 3
    assert all(visible.before == visible.after for visible in snapshots if visible.plies == 0)


def test_the_viewer_goes_back_from_the_end_and_sees_it_again() -> None:
    snapshots = show(window(FakeScreen({400: ",", 450: "space", 800: "space", 802: "q"})))
    assert snapshots[399].result is not None
    assert (snapshots[440].result, snapshots[440].plies) == (None, 4)
    assert snapshots[799].result is not None
    assert snapshots[799].seconds_over > 1
    assert snapshots[801].plies == 2  # at the end the space bar plays the game from the start


def test_the_mouse_moves_the_slider_and_clicks_buttons() -> None:
    view = window(screen := FakeScreen({}, last_frame=3000))
    screen.page = Canvas(1280, 800)
    regions = Regions.fit(1280, 800, start(CORRIDOR).maze)
    timeline_bar = TimelineBar(regions.timeline, regions.unit)
    y = timeline_bar.slider.top + timeline_bar.slider.height / 2
    play = dict(timeline_bar.buttons)["play"]
    screen.script = {
        400: [Click(timeline_bar.pixel(1, 5), y)],
        410: [Drag(timeline_bar.pixel(4, 5) + 3, y - 300)],
        420: [Drag(-50, y)],
        430: [Release(), Drag(timeline_bar.pixel(5, 5), y)],
        440: [Click(play.left + 5, play.top + 5)],
        700: [Wheel(1, 600, 300)],
        710: [Wheel(-1, 600, 300)],
        720: [Click(640, 300)],
        722: [Key("q")],
    }
    snapshots = show(view)
    assert [snapshots[frame].plies for frame in (405, 415, 425, 435)] == [1, 4, 0, 0]
    assert snapshots[699].result is not None
    assert [snapshots[frame].plies for frame in (705, 719)] == [4, 5]
    assert not snapshots[721].status.is_paused  # a click on the board


@pytest.mark.parametrize("key", ["r", "n", "l"])
def test_keys_for_another_game(key: str) -> None:
    wishes = {"r": After.AGAIN, "n": After.NEW_SEED, "l": After.NEXT_LAYOUT}
    screen = FakeScreen({10: [Key(key)], 20: "q"})
    view = window(screen, can_start_games=True, close_at_end=False)
    assert view.show(corridor()) is wishes[key]
    assert screen.closed == 0
    view = window(FakeScreen({10: [Key(key)], 20: "q"}))
    assert view.show(corridor()) is (After.AGAIN if key == "r" else After.LEAVE)


def test_a_picture_is_saved_and_the_message_says_so_or_why_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for folder in (tmp_path, tmp_path / "nowhere"):
        screen = FakeScreen({40: "p", 60: "q"})
        messages = record_messages(screen, monkeypatch)
        assert window(screen, paused=True, pictures=folder).show(corridor()) is After.LEAVE
        texts.append(messages[41].text)
    (path,) = tmp_path.glob("*.png")
    assert texts == [f"saved {path.name}", "cannot save the picture: no such file or directory"]
    assert path.name.endswith("-ply-0.png")
    with Image.open(path) as image:
        assert image.size == (320, 240)


def test_speed_help_and_full_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = FakeScreen({10: "+ + - f h", 20: "h", 30: "q"}, size=(1000, 700))
    view = window(screen, paused=True)
    helps: list[int] = []
    monkeypatch.setattr(window_file, "draw_help_panel", lambda *what: helps.append(screen.frames))
    snapshots = show(view)
    assert snapshots[5].status.speed_text == "10 rounds/s"
    assert snapshots[15].status.speed_text == "12 rounds/s"
    assert helps == list(range(10, 20))
    assert screen.is_full


def test_help_stops_the_game_and_has_pages_in_a_small_window() -> None:
    keys = {10: "h", 60: "h", 61: "h", 200: "q"}
    for size, pages in (((320, 240), 2), ((1000, 700), 1)):
        screen = FakeScreen(keys if pages == 2 else {10: "h", 60: "h", 200: "q"}, size=size)
        snapshots = show(window(screen))
        assert {each.clock for each in snapshots[10:60]} == {snapshots[10].clock}
        assert snapshots[-1].plies > snapshots[60].plies


def test_a_lecture_begins_on_the_full_screen_and_waits_for_a_key() -> None:
    for lecture in (False, True):
        screen = FakeScreen({400: "j", 500: "space", 900: "q"})
        snapshots = show(window(screen, analysers=[choose_search("minimax", rounds=1)], lecture=lecture))
        assert screen.is_full == lecture
        assert (snapshots[450].plies == 0) == lecture
        assert snapshots[-1].plies == 5


@pytest.mark.parametrize("desktop", [(1024, 768), (1366, 768), (1920, 1080), (3840, 2160), (1080, 1920), (3440, 1440)])
def test_a_new_window_fits_its_screen_and_uses_it(desktop: tuple[int, int]) -> None:
    width, height = opening_size(desktop)
    assert width <= 0.94 * desktop[0]
    assert height <= 0.9 * desktop[1]
    is_large = (width, height) == LARGEST
    assert is_large or width >= 0.85 * desktop[0] or width >= 1.77 * height


def test_a_whole_game_in_fast_motion() -> None:
    """At 128 rounds per second the window shows 223 plies in order, and the end of the game."""
    ghosts = [RandomGhost(), RandomGhost()]
    game = Game(start("smallish", ghosts), [GreedyPacman(), *ghosts], ["greedy", "a", "b"], seed=0)
    view = window(FakeScreen({}, last_frame=6000), end_seconds=BANNER_SECONDS)
    view.player.speed = 128
    snapshots = show(view, game)
    plies = [visible.plies for visible in snapshots]
    assert plies == sorted(plies)
    assert (plies[0], plies[-1]) == (0, 223)
    assert len(snapshots) < 2000
    assert snapshots[-1].after == game.state
    assert snapshots[-1].after.is_win


def test_keys_change_and_hide_the_overlay_and_open_the_tree() -> None:
    keys = {5: "o", 60: "m", 70: "m", 80: "t", 160: "j", 170: "j", 180: "t", 190: "q"}
    screen = FakeScreen(keys, frame_seconds=1 / 600)
    view = window(screen, analysers=[choose_search("alphabeta", rounds=1)], paused=True)
    screen.page = Canvas(1280, 800)
    snapshots = record_snapshots(view.painter)
    has_overlay: list[bool] = []
    spy = view.painter.paint

    def paint(
        canvas: Canvas, visible: VisibleState, frame: Regions, under: Drawing, over: Drawing, *message: Message | None
    ) -> None:
        has_overlay.append(over is not nothing)
        spy(canvas, visible, frame, under, over, *message)

    view.painter.paint = paint  # type: ignore[method-assign,assignment]
    view.show(corridor())
    assert [has_overlay[frame] for frame in (4, 59, 65, 75)] == [False, True, False, True]
    root = start(CORRIDOR)
    assert snapshots[159].after == root
    assert snapshots[175].after == root.successor("Stop")  # the first node below the root, selected in the panel
    assert not has_overlay[175]
    assert snapshots[185].after == root


def test_the_layers_of_the_chips_are_those_of_the_search_and_not_of_the_ghosts() -> None:
    """Minimax treats a random ghost as a minimiser, in its own game and while its search is shown."""
    for assumed in (None, Layer.MIN):
        game = corridor()
        game.agents[0].assumes = assumed  # type: ignore[attr-defined]
        snapshots = show(window(FakeScreen({9: "q"}), paused=True), game)
        assert snapshots[5].status.layers == (Layer.MAX, assumed or Layer.CHANCE)
    view = window(
        FakeScreen({200: "m", 205: "q"}), analysers=[choose_search("minimax", rounds=1)], overlay="values", paused=True
    )
    snapshots = show(view)
    assert [snapshots[frame].status.layers[1] for frame in (190, 203)] == [Layer.MIN, Layer.CHANCE]
    words: list[str] = []

    class Words(Canvas):
        def text(self, text: str, *rest: Any) -> None:
            words.append(text)

    regions = Regions.fit(1280, 800, snapshots[190].after.maze)
    icons = [Canvas(20, 20)] * 2
    draw_chips(Words(1280, 800), regions.chips, regions.unit, snapshots[190], view.theme, icons)
    assert list(filter(None, words)) == ["MAX", "walker", "MIN", "random"]


def test_the_error_of_a_search_is_shown_below_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is there with an overlay only; an open panel shows it itself."""

    def analyse(state: GameState) -> SearchReport:
        raise InputError("mine.py:Mine: ZeroDivisionError: division by zero")

    screen = FakeScreen({40: "m", 60: "m", 80: "t", 100: "q"})
    screen.page = Canvas(1280, 800)
    view = window(screen, analysers=[analyse], overlay="values", paused=True)
    messages = record_messages(screen, monkeypatch)
    view.show(corridor())
    error_frames = [frame for frame, message in messages.items() if message.text.endswith("division by zero")]
    assert error_frames
    assert set(range(error_frames[0], 40)) == {frame for frame in error_frames if frame < 60}
    assert max(error_frames) <= 80  # the picture in which the panel opens can still have it


def test_a_window_restores_the_settings_of_the_interpreter() -> None:
    before, frozen_count = sys.getswitchinterval(), gc.get_freeze_count()
    with frequent_thread_switches():
        assert sys.getswitchinterval() < before
        assert gc.get_freeze_count() > frozen_count
    assert (sys.getswitchinterval(), gc.get_freeze_count()) == (before, frozen_count)


def test_an_interrupt_ends_the_window_between_two_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = FakeScreen({})

    def events() -> list[Event]:
        if screen.frames == 30:
            signal.raise_signal(signal.SIGINT)
        return []

    monkeypatch.setattr(screen, "events", events)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        window(screen).show(corridor())
    assert screen.frames == 31
    assert screen.closed == 1
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.slow("that draw a window", keep=1)
@pytest.mark.parametrize("key", ["d", "left", "space"])
def test_a_game_with_a_person_waits_for_a_steering_key_or_the_space_bar(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = FakeScreen({5: "+", 400: [Key(key)], 500: "q"})
    view = window(screen, steer=lambda action: None)
    messages = record_messages(screen, monkeypatch)
    snapshots = show(view)
    first = next(frame for frame, visible in enumerate(snapshots) if visible.plies)
    # Frames are counted, but the first ply comes from the game's own thread: on a busy machine some frames later.
    assert 400 <= first < 500
    ready_frames = [frame for frame, message in messages.items() if message.title == "READY!"]
    assert ready_frames == list(range(400))


def test_in_a_window_that_does_not_stay_open_a_person_has_three_seconds() -> None:
    snapshots = show(window(FakeScreen({}), steer=lambda action: None, end_seconds=BANNER_SECONDS))
    assert 175 <= next(frame for frame, visible in enumerate(snapshots) if visible.plies) < 300


def test_a_pause_says_how_to_continue_and_a_steering_key_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {2: "space", 10: "space", 60: "left", 80: "space", 120: ".", 160: "q"}  # the first one starts the game
    screen = FakeScreen(keys, frame_seconds=1 / 600)
    view = window(screen, steer=lambda action: None)
    messages = record_messages(screen, monkeypatch)
    snapshots = show(view)
    paused = [snapshots[frame].status.is_paused for frame in (9, 30, 70, 100, 150)]
    assert paused == [False, True, False, True, True]
    frames = [frame for frame, message in messages.items() if message.title == "Paused"]
    assert frames == [*range(10, 60), *range(80, 120)], "after a step the viewer knows the keys"


@pytest.mark.parametrize("size", [(320, 240), (1366, 768), (1920, 1080)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_message_changes_a_pixel_of_the_board(size: tuple[int, int]) -> None:
    """READY, a long message, a pause, an error and the end of the game are all outside the board."""
    view = window(FakeScreen({}), steer=lambda action: None)
    screen, session = FakeScreen({}, size=size), view.player
    session.begin(corridor())
    view.panes = [Pane(session.tracks[0], view.painter)]
    (pane,) = view.panes
    boards: list[bytes] = []
    strips: list[bytes] = []

    def take_pictures() -> None:
        regions, maze = pane.regions, session.state.maze
        board = regions.left, regions.top, regions.cell * maze.width, regions.cell * maze.height
        left, top, width, height = (round(side) for side in regions.message)
        boards.append(screen.page.subcanvas(*board).rgb())
        strips.append(screen.page.subcanvas(left, top, width, height).rgb())

    def show(**state: object) -> None:
        for name, value in {"is_ready": False, "message_seconds": 0.0, "shows_pause": False, **state}.items():
            setattr(session, name, value)
        view.draw(screen.page)
        take_pictures()

    show()
    show(is_ready=True)
    show(message="saved a picture " * 20, message_seconds=1.0)
    session.tracks[0].timeline.play_or_pause()
    show(shows_pause=True)
    session.file_error = "agent.py:3: a mistake"
    show()
    session.stop()
    assert len(set(boards)) == 1
    assert len(set(strips)) == len(strips)
    over = replace(session.visible(session.tracks[0]), result=corridor().play(), seconds_over=9.0)
    for regions in (pane.regions, replace(pane.regions, message=NOWHERE)):
        view.painter.paint(screen.page, over, regions)
        take_pictures()
    assert boards[-1] == boards[-2]
    assert strips[-1] != strips[-2]


def test_a_replay_after_the_end_has_a_badge() -> None:
    snapshots = show(window(FakeScreen({400: "space", 405: "q"})))
    assert not any(visible.status.is_replay for visible in snapshots[:400])
    assert snapshots[402].status.is_replay


def test_a_key_skips_the_end_of_a_game_and_a_fast_game_has_none() -> None:
    screen = FakeScreen({}, frame_seconds=1 / 60)
    view = window(screen)
    snapshots = record_snapshots(view.painter)

    def events() -> list[Event]:
        if snapshots and snapshots[-1].seconds_over > 0.2 and not skipped:
            skipped.append(len(snapshots))
            return [Key("space")]
        return [Key("q")] if len(snapshots) > 300 else []

    skipped: list[int] = []
    screen.events = events  # type: ignore[method-assign]
    view.show(corridor())
    assert snapshots[skipped[0] - 1].seconds_over < 0.3
    assert snapshots[skipped[0]].seconds_over >= ENDING_SECONDS
    assert snapshots[-1].result is not None, "the key skips the animation, and does not play the game again"
    view = window(FakeScreen({300: "q"}))
    view.player.speed = 64
    snapshots = show(view)
    assert not any(0.1 < visible.seconds_over < ENDING_SECONDS for visible in snapshots)


def test_a_window_in_which_nothing_moves_sleeps() -> None:
    """It draws few frames then: in a pause, at READY, and at the end of a game."""

    class Sleeping(FakeScreen):
        sleeps = 0

        def sleep(self, seconds: float) -> float:
            self.sleeps += 1
            self.clock += seconds
            return seconds

        clock = 0.0

        def events(self) -> list[Event]:
            return [Key("q")] if self.clock > 10 else list(self.script.get(self.frames, ()))

    for steer, script in ((None, {3: "space"}), (lambda action: None, {}), (None, {})):
        screen = Sleeping(script, last_frame=400)
        analysers = [choose_search("alphabeta", rounds=1)]
        make_window(screen, 30.0, steer=steer, analysers=analysers, overlay="values").show(corridor())
        assert screen.sleeps >= 300
        assert screen.frames < 320  # most of them before the end of the game


def test_the_time_line_maps_pixels_to_plies_and_buttons() -> None:
    timeline_bar = TimelineBar(Box(0, 700, 1280, 60), 20)
    for ply_count in (1, 5, 200):
        for ply in range(ply_count + 1):
            assert timeline_bar.ply(timeline_bar.pixel(ply, ply_count), ply_count) == ply
    assert (timeline_bar.ply(-100, 50), timeline_bar.ply(5000, 50), timeline_bar.ply(600, 0)) == (0, 50, 0)
    for command, box in timeline_bar.buttons:
        assert timeline_bar.command(box.left + 1, box.top + 1) == command
        assert box.right < timeline_bar.slider.left
    assert timeline_bar.command(timeline_bar.slider.left + 1, 720) is None


def test_a_viewer_takes_over_from_an_earlier_ply() -> None:
    """Home and two dots show ply 2; I lets the person play on there, and the plies before stay in the time line."""
    game = corridor()
    main, steered = GameLine(game), list[str]()
    view = window(FakeScreen({210: "home", 220: ".", 230: ".", 300: "i"}), paused=False, close_at_end=False)
    assert view.show(main) is After.TAKE_OVER
    assert main.ply == 2
    assert view.player.steer is None
    on = Game(main.state, [Walker(), Walker()], ["you", "random"], seed=7, first_ply=2)
    line = GameLine(on, main.plies[:2], start=main.start, steer=steered.append)
    view = window(FakeScreen({30: "right", 200: "q"}), close_at_end=False)
    snapshots = record_snapshots(view.painter)
    assert view.show(line) is After.LEAVE
    assert (snapshots[0].plies, steered) == (2, ["East"])
    assert len(line.plies) == 5
