"""The canvas of a window has the pixels of an ordinary canvas, although each frame draws only what is new."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from pacman.picture.canvas import Canvas
from pacman.picture.frame import FrameCanvas, changes, disjoint
from pacman.view.window.controller import Controller
from pacman.view.window.window import Window
from tests.view.fake_screen import FakeScreen, corridor

SIZE = 120, 90
Draw = Callable[[Canvas], None]


def some_stroke(rng: Random) -> Draw:
    """A stroke of a random kind at a random place, which can be partly outside."""
    x, y, size = rng.uniform(-20, 120), rng.uniform(-20, 90), rng.uniform(2, 40)
    colour = rng.randrange(256), rng.randrange(256), rng.randrange(256)
    disc = Canvas.antialiased(24, 24, lambda canvas: canvas.disc(12, 12, 10, colour))
    opaque = Canvas(30, 20)
    opaque.fill(colour)
    corners = [(x, y), (x + size, y + 5), (x + 3, y + size)]
    draws: list[Draw] = [
        lambda canvas: canvas.paste(disc, x, y),
        lambda canvas: canvas.paste(opaque, x, y),
        lambda canvas: canvas.disc(x, y, size / 2, colour),
        lambda canvas: canvas.ellipse(x, y, size, size / 3, colour),
        lambda canvas: canvas.polygon(corners, colour),
        lambda canvas: canvas.box(x, y, size, size / 2, colour, 4),
        lambda canvas: canvas.line(corners, 5, colour),
        lambda canvas: canvas.smooth_line(*corners[:2], 5, colour),
        lambda canvas: canvas.text("words", x, y, 18, colour, 0.5, 0.7),
        lambda canvas: canvas.spell("12.5", x, y, 18, colour),
    ]
    return rng.choice(draws)


@pytest.mark.parametrize("seed", range(6))
def test_a_frame_has_the_pixels_of_a_canvas(seed: int) -> None:
    rng = Random(seed)
    background, frame = Canvas(*SIZE), FrameCanvas(*SIZE)
    background.fill((10, 20, 30))
    draws: list[Draw] = [lambda canvas: canvas.paste(background, 0, 0)]
    for _ in range(40):
        draws += [some_stroke(rng) for _ in range(rng.randrange(4))]
        for _ in range(rng.randrange(3)):
            if len(draws) > 1:
                del draws[rng.randrange(1, len(draws))]
        if len(draws) > 2 and rng.random() < 0.2:  # the order changes
            draws.append(draws.pop(1))
        canvas = Canvas(*SIZE)
        for draw in draws:
            draw(canvas)
            draw(frame)
        frame.finish()
        assert Canvas.rgb(frame) == canvas.rgb()


@pytest.mark.slow("that draw a window", keep=1)
@pytest.mark.parametrize("games", [1, 2])
def test_a_window_shows_the_same_pictures_with_a_frame(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = FakeScreen({3: "space", 12: "h", 14: "h", 16: "space", 150: "q"}, size=(640, 480))
    frame, plain, draw = FrameCanvas(640, 480), Canvas(640, 480), Controller.draw
    pictures: list[bytes] = []

    def drawn(controller: Controller, page: Canvas) -> bytes:
        screen.page = page
        draw(controller)
        frame.finish() if page is frame else None
        return Canvas.rgb(page)

    def draw_both(controller: Controller) -> None:
        # The thread of the game can change the picture once between two of these three.
        before, shown, after = drawn(controller, plain), drawn(controller, frame), drawn(controller, plain)
        assert shown in (before, after)
        pictures.append(shown)

    monkeypatch.setattr(Controller, "draw", draw_both)
    Window(screen=screen.open).show(*(corridor() for _ in range(games)))
    assert len(set(pictures)) > 30


def test_a_part_is_drawn_again_only_with_another_key() -> None:
    frame, calls = FrameCanvas(*SIZE), list[int]()

    def draw(canvas: Canvas) -> None:
        calls.append(1)
        canvas.disc(20, 20, 9, (200, 100, 0))

    for key in ("a", "a", "b", "b", "a"):
        frame.part(key, draw)
        frame.finish()
    assert len(calls) == 3
    assert frame.pixel(20, 20) == (200, 100, 0)


def test_an_unchanged_frame_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, picture, pasted = FrameCanvas(*SIZE), Canvas(10, 10), list[object]()
    paste = Canvas.paste
    monkeypatch.setattr(Canvas, "paste", lambda self, *rest: (pasted.append(rest), paste(self, *rest)))
    for x in (0, 0, 50, 50):
        frame.paste(picture, x, 0)
        frame.paste(picture, 80, 0)
        frame.finish()
    assert len(pasted) == 3, "two in the first frame, then the one that moved"


def test_another_order_is_no_small_change() -> None:
    one, other = (0, 0, 2, 2, "one", None), (1, 1, 3, 3, "other", None)
    assert changes([one, other], [one, other]) == set()
    assert changes([one], [one, other]) == {other}
    assert changes([one, other], [other, one]) is None
    assert changes([one], [one, one]) is None


def test_regions_have_no_pixel_in_common() -> None:
    assert disjoint([(0, 0, 2, 2), (4, 0, 6, 2), (1, 0, 5, 1)]) == [(0, 0, 6, 2)]
