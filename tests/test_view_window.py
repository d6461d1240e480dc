"""The window, on SDL's dummy driver: a real game, driven by keys."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from pacman.errors import InputError
from pacman.game import Game, Ply
from pacman.state import GameState, start
from pacman.view.canvas import Canvas, Closed, Event, Key, Screen, _pygame, demand_display
from pacman.view.protocol import After
from pacman.view.window import Window

CORRIDOR = "%%%%%%%%\n%P.  .G%\n%%%%%%%%"


class Walker:
    """Goes East, or whatever is last in the list; a ghost here has no choice anyway."""

    def begin(self, rng: Random) -> None:
        pass

    def choose(self, state: GameState) -> str:
        return "East" if "East" in state.actions() else state.actions()[-1]


class Fake(Screen):
    """A screen without a display: a script says which events each frame brings, and time flies."""

    def __init__(self, script: dict[int, list[Event]], frame: float = 1 / 60, last: int = 2000) -> None:
        self.script, self.frame, self.last = script, frame, last
        self.frames = 0
        self.titles: list[str] = []
        self.closed = 0
        self.full = False
        self.page = Canvas(320, 240)

    def open(self, width: int, height: int, title: str) -> Fake:
        return self

    def title(self, title: str) -> None:
        self.titles.append(title)

    def canvas(self) -> Canvas:
        return self.page

    def flip(self, fps: float) -> float:
        self.frames += 1
        assert self.frames < self.last, "the window never came to an end"
        time.sleep(0.0005)
        return self.frame

    def events(self) -> list[Event]:
        return self.script.get(self.frames, [])

    def toggle_full_screen(self) -> None:
        self.full = not self.full

    def close(self) -> None:
        self.closed += 1


def corridor(**options: int) -> Game:
    return Game(start(CORRIDOR), [Walker(), Walker()], ["walker", "ghost"], seed=7, **options)


def window(screen: Fake, **options: object) -> Window:
    return Window(10.0, screen=screen.open, **options)  # type: ignore[arg-type]


def test_a_game_is_seen_to_its_end_and_a_key_closes_the_banner() -> None:
    screen = Fake({600: [Key("return")]})
    game = corridor()
    assert window(screen).show(game) is After.NEXT
    assert game.result is not None
    assert game.result.outcome == "loss"
    assert screen.closed == 1
    assert 600 <= screen.frames <= 602
    assert "walker" in screen.titles[0]
    assert "seed 7" in screen.titles[0]


def test_turning_keys_do_not_close_the_banner() -> None:
    screen = Fake({500: [Key("left"), Key("a"), Key("h")], 700: [Key("return")]})
    assert window(screen, steer=lambda action: None).show(corridor()) is After.NEXT
    assert screen.frames >= 700


def test_without_holding_the_end_it_goes_by_itself() -> None:
    screen = Fake({})
    shown = window(screen, hold_end=False, close_at_end=False)
    assert shown.show(corridor()) is After.NEXT
    assert shown.show(corridor()) is After.NEXT
    assert screen.closed == 0
    shown.close()
    assert screen.closed == 1


@pytest.mark.parametrize("leave", [Closed(), Key("escape"), Key("q")])
def test_leaving_ends_at_once(leave: Event) -> None:
    screen = Fake({3: [leave]})
    game = corridor()
    assert window(screen).show(game) is After.LEAVE
    assert screen.frames == 3
    assert screen.closed == 1


def test_pause_and_single_plies() -> None:
    """Paused from the first frame, two steps show exactly two plies; nothing moves after them."""
    script: dict[int, list[Event]] = {0: [Key("space")], 40: [Key(".")], 120: [Key("right")], 300: [Key("q")]}
    screen = Fake(script)
    seen = []
    game = corridor()
    shown = Window(10.0, screen=screen.open)
    painter = shown.painter
    paint = painter.paint

    def spy(canvas: Canvas, moment: object, *rest: object) -> None:
        seen.append(moment.plies)  # type: ignore[attr-defined]
        paint(canvas, moment, *rest)  # type: ignore[arg-type]

    painter.paint = spy  # type: ignore[method-assign,assignment]
    assert shown.show(game) is After.LEAVE
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

    screen = Fake({20: [Key("w"), Key("left")], 200: [Key("q")]})
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

    screen = Fake({50: [Key("q")]})
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

    screen = Fake({})
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
