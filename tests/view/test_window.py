"""The window, on SDL's dummy driver: a real game, driven by keys."""

from __future__ import annotations

import gc
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from PIL import Image

from agents.ghosts import RandomGhost
from agents.pacmen import GreedyPacman
from pacman.commands.search_choice import choose_search
from pacman.core.errors import InputError
from pacman.core.state import GameState, start
from pacman.play.game import Game, Ply
from pacman.view.analysis.search_report import SearchReport
from pacman.view.picture.canvas import (
    Canvas,
    Click,
    Closed,
    Drag,
    Event,
    Key,
    Release,
    Screen,
    Wheel,
    _pygame,
    demand_display,
)
from pacman.view.picture.paint import Drawing, nothing
from pacman.view.picture.regions import Box, Regions
from pacman.view.picture.snapshot import Snapshot
from pacman.view.picture.timeline_bar import TimelineBar
from pacman.view.protocol import After
from pacman.view.window import session
from pacman.view.window.frame_timing import responsive_threads
from pacman.view.window.window import Window
from tests.view.fake_screen import CORRIDOR, FakeScreen, Walker, corridor, moments


def window(screen: FakeScreen, **options: object) -> Window:
    if options.pop("paused", False):
        screen.script = {**screen.script, 0: [Key("space"), *screen.script.get(0, ())]}
    return Window(10.0, screen=screen.open, **options)  # type: ignore[arg-type]


def test_a_game_is_seen_to_its_end_and_a_key_closes_the_banner() -> None:
    screen = FakeScreen({600: [Key("return")]})
    game = corridor()
    assert window(screen).show(game) is After.NEXT
    assert game.result is not None
    assert game.result.outcome == "loss"
    assert screen.closed == 1
    assert 600 <= screen.frames <= 602
    assert "walker" in screen.titles[0]
    assert "seed 7" in screen.titles[0]


def test_turning_keys_do_not_close_the_banner() -> None:
    screen = FakeScreen({500: [Key("left"), Key("a"), Key("h")], 700: [Key("return")]})
    assert window(screen, steer=lambda action: None).show(corridor()) is After.NEXT
    assert screen.frames >= 700


def test_without_holding_the_end_it_goes_by_itself() -> None:
    screen = FakeScreen({})
    shown = window(screen, hold_end=False, close_at_end=False)
    assert shown.show(corridor()) is After.NEXT
    assert shown.show(corridor()) is After.NEXT
    assert screen.closed == 0
    shown.close()
    assert screen.closed == 1


@pytest.mark.parametrize("leave", [Closed(), Key("escape"), Key("q")])
def test_leaving_ends_at_once(leave: Event) -> None:
    screen = FakeScreen({3: [leave]})
    game = corridor()
    assert window(screen).show(game) is After.LEAVE
    assert screen.frames == 3
    assert screen.closed == 1


def test_pause_and_single_plies() -> None:
    """Paused from the first frame, two steps show exactly two plies; nothing moves after them."""
    script: dict[int, list[Event]] = {0: [Key("space")], 40: [Key(".")], 120: [Key("right")], 300: [Key("q")]}
    screen = FakeScreen(script)
    shown = window(screen)
    painted = moments(shown.painter)
    assert shown.show(corridor()) is After.LEAVE
    seen = [moment.plies for moment in painted]
    assert sorted(set(seen)) == [0, 1, 2]
    assert seen[30] == 0
    assert seen[100] == 1
    assert seen[-1] == 2


def test_a_person_is_asked_only_when_his_turn_is_due() -> None:
    """A key pressed while the round glides still counts for the next move: no turn is fetched ahead."""
    turns: list[str] = ["East"]
    asked: list[int] = []

    class Person(Walker):
        def choose(self, state: GameState) -> str:
            asked.append(screen.frames)
            return turns[-1] if turns[-1] in state.actions() else "Stop"

    screen = FakeScreen({20: [Key("w"), Key("left")], 200: [Key("q")]})
    game = Game(start(CORRIDOR), [Person(), Walker()], ["person", "ghost"], max_plies=6)
    Window(2.0, steer=turns.append, screen=screen.open).show(game)
    assert turns == ["East", "North", "West"]
    # 4 plies a second and 2 a round: half a second, 30 frames, between two moves of his.
    assert [later - first for first, later in pairwise(asked)] == pytest.approx([30, 30], abs=3)


def test_the_window_lives_while_an_agent_thinks() -> None:
    class Thinker(Walker):
        def choose(self, state: GameState) -> str:
            time.sleep(60)
            raise AssertionError("never")

    screen = FakeScreen({50: [Key("q")]})
    game = Game(start(CORRIDOR), [Thinker(), Walker()], ["thinker", "ghost"])
    began = time.perf_counter()
    assert window(screen).show(game) is After.LEAVE
    assert screen.frames == 50
    assert time.perf_counter() - began < 20


def test_what_the_showing_raises_is_raised_here() -> None:
    class Torn:
        start = start(CORRIDOR)
        names = ("a", "b")
        seed = 0
        move_timeout = None
        result = None

        def __iter__(self) -> Iterator[Ply]:
            raise InputError("replay.json: move 3 is not legal")
            yield

    screen = FakeScreen({})
    with pytest.raises(InputError, match="move 3"):
        window(screen).show(Torn())
    assert screen.closed == 1


def test_no_display_is_said_at_once() -> None:
    with pytest.raises(InputError, match="no display: .* --view text"):
        demand_display({}, "linux")
    demand_display({"DISPLAY": ":0"}, "linux")
    demand_display({"SDL_VIDEODRIVER": "dummy"}, "linux")
    demand_display({}, "darwin")


def test_a_driver_that_fails_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    with pytest.raises(InputError, match="no display") as caught:
        Screen(320, 240, "never")
    assert "\n" not in str(caught.value)


def test_a_real_window_on_the_dummy_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """SDL's own events: a posted key becomes its name, a typed character itself."""
    pygame = _pygame()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    game = corridor(max_plies=2)
    posted = iter(
        [
            {"key": pygame.K_SPACE, "unicode": " "},
            {"key": pygame.K_PERIOD, "unicode": "."},
            {"key": pygame.K_ESCAPE, "unicode": "\x1b"},
        ]
    )
    names: list[Event] = []

    class Posting(Screen):
        def events(self) -> list[Event]:
            event = next(posted, None)
            if event:
                pygame.event.post(pygame.event.Event(pygame.KEYDOWN, event))
            found = super().events()
            names.extend(found)
            return found

    assert Window(25.0, screen=Posting, size=(320, 240)).show(game) is After.LEAVE
    assert names == [Key("space"), Key("."), Key("escape")]
    assert not pygame.display.get_init()


def runs(numbers: Iterable[object]) -> list[object]:
    return [number for number, _ in groupby(numbers)]


def test_back_and_on_again_through_a_live_game() -> None:
    keys = {20: ">", 100: ".", 160: ",", 180: "<", 200: "<", 220: ">", 300: "end", 320: "home", 340: "q"}
    shown = window(FakeScreen({frame: [Key(key)] for frame, key in keys.items()}), paused=True)
    seen = moments(shown.painter)
    game = corridor()
    shown.show(game)
    assert runs(moment.plies for moment in seen) == [0, 2, 3, 2, 0, 2, 3, 0]
    assert game.plies == 3
    assert all(moment.before == moment.after for moment in seen if moment.plies == 0)


def test_the_end_is_left_by_going_back_and_seen_again() -> None:
    screen = FakeScreen({400: [Key(",")], 450: [Key("space")], 800: [Key("space")], 802: [Key("q")]})
    shown = window(screen)
    seen = moments(shown.painter)
    assert shown.show(corridor()) is After.LEAVE
    assert seen[399].result is not None
    assert seen[440].result is None
    assert seen[440].plies == 4
    assert seen[799].result is not None
    assert seen[799].ended > 1
    assert seen[801].plies == 2  # the space bar at the end plays it from the start


def test_scrubbing_with_the_mouse() -> None:
    shown = window(screen := FakeScreen({}, last=3000))
    screen.page = Canvas(1280, 800)
    track = TimelineBar(
        Regions.fit(1280, 800, start(CORRIDOR).maze).timeline, Regions.fit(1280, 800, start(CORRIDOR).maze).unit
    )
    y = track.line.top + track.line.height / 2
    play = dict(track.buttons)["play"]
    screen.script = {
        400: [Click(track.at(1, 5), y)],
        410: [Drag(track.at(4, 5) + 3, y - 300)],
        420: [Drag(-50, y)],
        430: [Release(), Drag(track.at(5, 5), y)],
        440: [Click(play.left + 5, play.top + 5)],
        700: [Wheel(1, 600, 300)],
        710: [Wheel(-1, 600, 300)],
        720: [Click(640, 300)],
        722: [Key("q")],
    }
    seen = moments(shown.painter)
    shown.show(corridor())
    assert [seen[frame].plies for frame in (405, 415, 425, 435)] == [1, 4, 0, 0]
    assert seen[699].result is not None
    assert [seen[frame].plies for frame in (705, 719)] == [4, 5]
    assert not seen[721].status.paused  # a click on the board


@pytest.mark.parametrize("key", ["r", "n", "l"])
def test_wishes_for_another_game(key: str) -> None:
    wishes = {"r": After.AGAIN, "n": After.NEW_SEED, "l": After.NEXT_LAYOUT}
    screen = FakeScreen({10: [Key(key)], 20: [Key("q")]})
    shown = window(screen, renews=True, close_at_end=False)
    assert shown.show(corridor()) is wishes[key]
    assert screen.closed == 0
    shown = window(FakeScreen({10: [Key(key)], 20: [Key("q")]}))
    assert shown.show(corridor()) is (After.AGAIN if key == "r" else After.LEAVE)


def test_a_picture_is_saved_and_its_name_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    screen = FakeScreen({40: [Key("p")], 60: [Key("q")]})
    shown = window(screen, paused=True, pictures=tmp_path)
    monkeypatch.setattr(session, "toast", lambda canvas, stage, unit, text, theme: said.append(text))
    shown.show(corridor())
    (path,) = tmp_path.glob("*.png")
    assert said[0] == f"saved {path.name}"
    assert path.name.endswith("-ply-0.png")
    with Image.open(path) as image:
        assert image.size == (320, 240)


def test_a_picture_that_cannot_be_saved_ends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    shown = window(FakeScreen({40: [Key("p")], 60: [Key("q")]}), pictures=tmp_path / "nowhere")
    monkeypatch.setattr(session, "toast", lambda canvas, stage, unit, text, theme: said.append(text))
    assert shown.show(corridor()) is After.LEAVE
    assert said[0] == "no picture: No such file or directory"


def test_speed_help_and_full_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = FakeScreen({10: [Key("+"), Key("+"), Key("-"), Key("f"), Key("h")], 20: [Key("h")], 30: [Key("q")]})
    shown = window(screen, paused=True)
    helps: list[int] = []
    monkeypatch.setattr(session, "help_panel", lambda *what: helps.append(screen.frames))
    seen = moments(shown.painter)
    shown.show(corridor())
    assert seen[5].status.pace == "10 rounds/s"
    assert seen[15].status.pace == "12 rounds/s"
    assert helps == list(range(10, 20))
    assert screen.full


def test_an_agent_that_fails_ends_the_game_with_a_word() -> None:
    class Broken(Walker):
        def choose(self, state: GameState) -> str:
            if state.pacman.position[0] == 2:
                raise ZeroDivisionError("division by zero")
            return super().choose(state)

    shown = window(FakeScreen({300: [Key("q")]}))
    seen = moments(shown.painter)
    game = Game(start(CORRIDOR), [Broken(), Walker()], ["broken", "ghost"])
    shown.show(game)
    assert seen[-1].result is not None
    assert str(seen[-1].result.fault) == "agent 0 at ply 2: ZeroDivisionError: division by zero"


def test_a_whole_game_in_fast_motion() -> None:
    """Two hundred plies at 128 rounds a second: every ply counts, in order, and the end is the game's."""
    ghosts = [RandomGhost(), RandomGhost()]
    game = Game(start("smallish", ghosts), [GreedyPacman(), *ghosts], ["greedy", "a", "b"], seed=0)
    shown = window(FakeScreen({}, last=6000), hold_end=False)
    shown.speed = 128
    seen = moments(shown.painter)
    assert shown.show(game) is After.NEXT
    plies = [moment.plies for moment in seen]
    assert plies == sorted(plies)
    assert (plies[0], plies[-1]) == (0, 223)
    assert len(seen) < 2000
    assert seen[-1].after == game.state
    assert seen[-1].after.is_win


def test_overlays_are_switched_muted_and_the_tree_opened() -> None:
    keys = {5: "o", 60: "m", 70: "m", 80: "t", 160: "j", 170: "j", 180: "t", 190: "q"}
    screen = FakeScreen({frame: [Key(key)] for frame, key in keys.items()}, frame=1 / 600)
    shown = window(screen, thinks=[choose_search("alphabeta", (), 1)], paused=True)
    screen.page = Canvas(1280, 800)
    seen = moments(shown.painter)
    drawn: list[bool] = []
    spy = shown.painter.paint

    def paint(canvas: Canvas, moment: Snapshot, frame: Regions, under: Drawing, over: Drawing) -> None:
        drawn.append(over is not nothing)
        spy(canvas, moment, frame, under, over)

    shown.painter.paint = paint  # type: ignore[method-assign,assignment]
    shown.show(corridor())
    assert [drawn[frame] for frame in (4, 59, 65, 75)] == [False, True, False, True]
    root = start(CORRIDOR)
    assert seen[159].after == root
    assert seen[175].after == root.successor("Stop")  # the first node below the root, stepped to in the panel
    assert not drawn[175]
    assert seen[185].after == root


def test_a_search_that_fails_says_so_over_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an overlay alone as with the panel, which says it itself."""

    def think(state: GameState) -> SearchReport:
        raise InputError("mine.py:Mine: ZeroDivisionError: division by zero")

    said: list[tuple[int, str]] = []
    screen = FakeScreen({40: [Key("m")], 60: [Key("m")], 80: [Key("t")], 100: [Key("q")]})
    screen.page = Canvas(1280, 800)
    shown = window(screen, thinks=[think], overlay="values", paused=True)
    monkeypatch.setattr(session, "toast", lambda canvas, stage, unit, text, theme: said.append((screen.frames, text)))
    shown.show(corridor())
    told = [frame for frame, text in said if text.endswith("ZeroDivisionError: division by zero")]
    assert told
    assert set(range(told[0], 40)) == {frame for frame in told if frame < 60}
    assert max(told) < 80


def test_a_window_leaves_the_interpreter_as_it_was() -> None:
    before, kept = sys.getswitchinterval(), gc.get_freeze_count()
    with responsive_threads():
        assert sys.getswitchinterval() < before
        assert gc.get_freeze_count() > kept
    assert (sys.getswitchinterval(), gc.get_freeze_count()) == (before, kept)


def test_an_interrupt_ends_it_between_two_frames(monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize("turns_at", [40, None])
def test_a_person_has_a_moment_before_it_begins(turns_at: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game waits for the first turn, and not for ever."""
    said: list[str] = []
    screen = FakeScreen(({turns_at: [Key("d")]} if turns_at else {}) | {300: [Key("q")]})
    shown = window(screen, steer=lambda action: None)
    monkeypatch.setattr(session, "toast", lambda canvas, stage, unit, text, theme: said.append(text))
    seen = moments(shown.painter)
    shown.show(corridor())
    first = next(frame for frame, moment in enumerate(seen) if moment.plies)
    begins = turns_at or 180
    # Frames are counted, but the first ply comes from the game's own thread: on a busy machine some frames later.
    assert begins - 3 <= first < 300
    assert all(text.startswith("READY!") for text in said)
    assert len(said) == pytest.approx(begins, abs=3)


def test_the_time_line_knows_places_and_buttons() -> None:
    track = TimelineBar(Box(0, 700, 1280, 60), 20)
    for known in (1, 5, 200):
        assert [track.ply(track.at(ply, known), known) for ply in range(known + 1)] == list(range(known + 1))
    assert (track.ply(-100, 50), track.ply(5000, 50), track.ply(600, 0)) == (0, 50, 0)
    for command, box in track.buttons:
        assert track.command(box.left + 1, box.top + 1) == command
        assert box.right < track.line.left
    assert track.command(track.line.left + 1, 720) is None
