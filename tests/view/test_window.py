"""The window with a screen without a display: real games, and scripted keys and clicks."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from agents.analysis import choose_search
from pacman.__main__ import app
from pacman.commands.games import GameSetup
from pacman.commands.options import BoardOptions
from pacman.core.errors import InputError
from pacman.core.state import GameState
from pacman.picture.bars import TimelineBar
from pacman.picture.canvas import Canvas, pygame_library
from pacman.picture.colours import THEMES
from pacman.record.report import SearchReport
from pacman.view import After
from pacman.view.player import BANNER_SECONDS, Player
from pacman.view.screen import (
    Event,
    Key,
    Mouse,
    Screen,
)
from pacman.view.window import PAUSED, Window
from tests.view.fake_screen import NAMES, FakeScreen, Person, Viewer, corridor, games, make_window
from tests.view.reference_pictures import is_like_reference


def test_the_window_shows_a_game_to_its_end_and_a_key_closes_it() -> None:
    screen, game = FakeScreen({150: "return"}), corridor()
    assert make_window(screen).show(game) is After.NEXT
    assert game.result is not None
    assert (game.result.outcome, screen.closed, screen.frames) == ("loss", 0, 150)
    assert screen.titles == ["Pacman: walker, random (seed 7)"]
    screen = FakeScreen({}, frame_seconds=0.1)
    view = make_window(screen, end_seconds=BANNER_SECONDS)
    assert [view.show(corridor()) for _ in range(2)] == [After.NEXT] * 2
    assert screen.closed == 0
    view.close()
    assert screen.closed == 1
    for leave in ("closed", Key("q")):
        screen = FakeScreen({2: "f", 3: [leave]})
        assert make_window(screen).show(corridor()) is After.LEAVE
        assert (screen.frames, screen.closed, screen.is_full) == (3, 1, True)


def test_a_missing_display_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that does not answer: SDL would fall back to an invisible window, in which the game runs for ever."""
    if sys.platform.startswith("linux"):
        hidden = ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY")
        environment = {name: value for name, value in os.environ.items() if name not in hidden} | {"DISPLAY": ":5177"}
        command = [sys.executable, "-m", "pacman", "watch", "random"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert done.stderr.startswith("python -m pacman: no display: cannot open a window here; use --view text")
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    pygame_library().display.quit()  # an earlier test can have opened a display
    with pytest.raises(InputError, match="no display") as caught:
        Screen((320, 240), "never")
    assert "\n" not in str(caught.value)


def test_a_real_window_on_the_dummy_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real SDL events: a key becomes its name, a typed character becomes itself."""
    pygame = pygame_library()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    codes = pygame.K_SPACE, pygame.K_PERIOD, pygame.K_ESCAPE, pygame.K_q
    posted = iter([{"key": key, "unicode": typed} for key, typed in zip(codes, " .\x1bq", strict=True)])
    names: list[Event] = []

    class Posting(Screen):
        def events(self) -> list[Event]:
            if event := next(posted, None):
                pygame.event.post(pygame.event.Event(pygame.KEYDOWN, event))
            events = super().events()
            names.extend(events)
            return events

    window = Window(Player(25.0), screen=Posting, size=(320, 240))
    assert window.show(corridor(max_plies=2)) is After.LEAVE
    assert [name for name in names if name != "exposed"] == [Key("space"), Key("."), Key("escape"), Key("q")]
    assert not pygame.display.get_init()


def test_an_interrupt_ends_the_window_between_two_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the window restores the settings of the interpreter."""
    screen, settings = FakeScreen({}), []

    def events() -> list[Event]:
        if screen.frames == 30:
            settings.append((sys.getswitchinterval(), gc.get_freeze_count()))
            signal.raise_signal(signal.SIGINT)
        return []

    monkeypatch.setattr(screen, "events", events)
    gc.unfreeze()  # another test may have frozen its objects
    before = signal.getsignal(signal.SIGINT), sys.getswitchinterval(), gc.get_freeze_count()
    with pytest.raises(KeyboardInterrupt):
        make_window(screen).show(corridor())
    assert (screen.frames, screen.closed) == (31, 1)
    assert settings[0][0] < before[1]
    assert settings[0][1] > before[2]
    assert (signal.getsignal(signal.SIGINT), sys.getswitchinterval(), gc.get_freeze_count()) == before


def test_a_window_in_which_nothing_moves_sleeps() -> None:
    """It draws few frames then: in a pause, at READY, and at the end of a game."""

    class Sleeping(FakeScreen):
        sleeps, clock = 0, 0.0

        def sleep(self, seconds: float) -> float:
            self.sleeps += 1
            self.clock += seconds
            return seconds

        def events(self) -> list[Event]:
            return [Key("q")] if self.clock > 10 else list(self.script.get(self.frames, ()))

    for pacman, script in ((None, {3: "space"}), (Person(), {}), (None, {})):
        screen = Sleeping(script, last_frame=400)
        analysers = [choose_search("alphabeta", rounds=1)]
        make_window(screen, 30.0, analysers=analysers, overlay="values").show(corridor(pacman))
        assert screen.sleeps >= 300
        assert screen.frames < 320  # most of them before the end of the game


# ---- the mouse


def test_the_mouse_moves_the_slider_and_clicks_buttons() -> None:
    viewer, canvas = Viewer().wait(), Canvas(1280, 800)
    window = viewer.window(canvas)
    regions = window.panes[0].regions
    bar = TimelineBar(regions.timeline, regions.unit)
    y, play = bar.slider.top + bar.slider.height / 2, dict(bar.buttons)["space"]
    plies = [
        viewer.click(window, *events).player.ply
        for events in (
            [Mouse("press", bar.pixel(1, 5), y)],
            [Mouse("drag", bar.pixel(4, 5) + 3, y - 300)],
            [Mouse("drag", -50, y)],
            [Mouse("release", 0, 0), Mouse("drag", bar.pixel(5, 5), y)],
            [Mouse("press", play.left + 5, play.top + 5)],
            [Mouse("wheel", 600, 300, 1)],
            [Mouse("wheel", 600, 300, -1)],
            [Mouse("press", 640, 300)],
        )
    ]
    assert plies == [1, 4, 0, 0, 5, 4, 5, 5]
    assert not viewer.player.is_paused, "a click on the board at the end plays the game again"
    viewer.keyboard.press(viewer.player, "h")
    assert viewer.click(window, Mouse("press", 640, 300)).player.help_page is None


def test_the_mouse_in_the_panel_and_beside_it() -> None:
    viewer = Viewer(analysers=[choose_search("alphabeta", rounds=1)]).press("space t")
    window = viewer.window(Canvas(1280, 800))
    (pane,) = window.panes
    assert pane.panel is not None
    box, row = next(line for line in pane.panel.rows if line[1].depth == 1)
    x, y = pane.regions.panel.left + box.width / 2, pane.regions.panel.top + box.top + 5
    viewer.click(window, Mouse("press", x, y), Mouse("wheel", x, y, -1))
    assert pane.panel.search.browser is not None
    assert (pane.panel.search.browser.current, viewer.player.ply) == (row.number, 0)


# ---- the picture and its messages


def test_a_picture_is_saved_and_the_message_says_so_or_why_not(tmp_path: Path) -> None:
    for both in (corridor(),), (corridor(), corridor()):
        texts = []
        for folder in (tmp_path, tmp_path / "nowhere"):
            viewer, canvas = Viewer(*both).press("space p"), Canvas(900, 420)
            viewer.window(canvas, pictures=folder)
            texts.append(viewer.player.message)
        (path,) = tmp_path.glob("*-ply-0.png")
        with Image.open(path) as image:
            assert image.size == (900, 420)
        path.unlink()
        assert texts == [f"saved {path.name}", "cannot save the picture: no such file or directory"]


def test_the_help_has_pages_in_a_small_window() -> None:
    for size, pages in (((320, 240), 2), ((1000, 700), 1)):
        viewer, shown = Viewer().press("space"), 0
        window = viewer.window(Canvas(*size))
        while shown == 0 or viewer.player.help_page is not None:
            viewer.keyboard.press(viewer.player, "h")
            window.draw(Canvas(*size))
            shown += 1
        assert shown == pages + 1


def test_an_overlay_and_the_error_of_its_search_are_visible_unless_it_is_hidden() -> None:
    """The message is below the board with an overlay only; an open panel shows it itself."""

    def fails(state: GameState) -> SearchReport:
        raise InputError("mine.py:Mine: ZeroDivisionError: division by zero")

    boards, messages = [], []
    for analyse in (choose_search("alphabeta", rounds=1), fails):
        viewer = Viewer(analysers=[analyse], overlay="values").press("space")
        for key in ("wait", "m", "m", "t"):
            viewer.press(key).player.message = ""
            canvas = Canvas(1280, 800)
            window = viewer.window(canvas)
            left, top, width, height = map(int, window.panes[0].regions.board_area)
            boards.append(canvas.subcanvas(left, top, width, height).rgb())
            messages.append((window.message() or PAUSED).text)
    assert boards[0] == boards[2] != boards[1]
    assert [text.endswith("division by zero") for text in messages[4:]] == [True, False, True, False]


def test_the_messages_say_which_keys_go_on() -> None:
    viewer = Viewer(corridor(Person()))
    window, titles = viewer.window(Canvas(640, 480)), []
    for key in ("wait", "space", "home", "space", "space", "."):
        viewer.keyboard.press(viewer.player, key)
        viewer.player.message = ""
        titles.append((message := window.message()) and message.title)
    assert titles == ["READY!", None, None, None, "Paused", None], "after a step the viewer knows the keys"
    viewer = Viewer(analysers=[choose_search("minimax", rounds=1)]).press("z right")
    assert viewer.window(Canvas(640, 480)).message().title == "Quiz"  # type: ignore[union-attr]


# ---- games side by side: their picture, and the command line; what their keys do is in test_player


def test_the_time_line_can_be_clicked() -> None:
    viewer = Viewer(*games()).press("space >")
    window = viewer.window(Canvas(900, 420))
    assert viewer.player.ply == 3
    viewer.click(window, Mouse("press", 440, 412))
    assert [track.ply for track in viewer.player.tracks] in ([1, 1], [2, 2])


@pytest.mark.parametrize(
    ("size", "name"), [((640, 400), "light"), ((1280, 720), "dark"), ((1920, 1080), "colour-blind")]
)
def test_the_window_looks_like_its_reference_picture(size: tuple[int, int], name: str) -> None:
    both_games, canvas = games(), Canvas(*size)
    for game in both_games:
        game.clock = lambda: 0.0  # the picture shows the agents' times
    viewer = Viewer(*both_games, analysers=[choose_search(name, rounds=1) for name in NAMES], overlay="values")
    viewer.press("space > >")
    viewer.player.speed = 8.0
    for track in viewer.player.tracks:
        track.animation.now = replace(track.animation.now, clock=0.0)  # skirts and capsules move with the clock
    viewer.window(canvas, theme=THEMES[name])
    assert is_like_reference(canvas, f"search/beside-{size[0]}x{size[1]}")


# ---- the command line


def run(*arguments: str) -> list[str]:
    """The lines that `watch` prints."""
    result = CliRunner().invoke(app, ["watch", "--ghosts", "random,optimal", "--max-plies", "30", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_each_agent_has_its_own_options_and_the_game_that_it_has_alone() -> None:
    names = ["minimax:rounds=1", "minimax:rounds=2:evaluation=score", "greedy"]
    options = ["--rounds", "3", "--view", "none", "--seed", "3"]
    assert run(*names, *options) == [f"{name}: {run(name, *options)[0]}" for name in names]
    setup = GameSetup(BoardOptions("smallish"), "folder/mine.py:Mine:rounds=1", is_compared=True)
    assert setup.display_name == "mine.py:Mine rounds=1"


def test_a_person_has_only_one_keyboard() -> None:
    assert "only one keyboard" in str(CliRunner().invoke(app, ["watch", "keyboard", "minimax"]).exception)
