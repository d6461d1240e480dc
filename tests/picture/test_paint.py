"""Single pixels of pictures and films: which agent is where, in which colour."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from pacman.core.state import GameState, start
from pacman.picture.bars import draw_help_panel
from pacman.picture.canvas import Canvas
from pacman.picture.colours import DARK, LIGHT, THEMES, Colour
from pacman.picture.moment import Animation, RisingPoints, Status, VisibleState, is_eaten, scoring_events
from pacman.picture.paint import Painter
from pacman.picture.screen_regions import Regions, small_text
from pacman.view.film import Film
from tests.view.fake_screen import CORRIDOR, corridor

ROOM = "%%%%%%%%\n%P  . G%\n%    o.%\n%%%%%%%%"


def paint(visible: VisibleState, colours: str = "dark") -> tuple[Canvas, Regions]:
    regions = Regions.around(40, visible.after.maze, len(visible.after.ghosts) + 1)
    canvas = Canvas(regions.width, regions.height)
    Painter(THEMES[colours]).paint(canvas, visible, regions)
    return canvas, regions


def pixel_at(
    canvas: Canvas, regions: Regions, visible: VisibleState, x: float, y: float, dx: float = 0, dy: float = 0
) -> Colour:
    """The pixel (dx, dy) cells right of and above the middle of cell (x, y)."""
    left, top = regions.middle(x + dx, y + dy, visible.after.maze.height)
    return canvas.pixel(round(left), round(top))


def test_every_agent_is_drawn_at_its_cell() -> None:
    state = start(ROOM)
    visible = VisibleState(state, state)
    canvas, regions = paint(visible)
    assert pixel_at(canvas, regions, visible, 1, 2, -0.3) == DARK.pacman
    assert pixel_at(canvas, regions, visible, 6, 2, 0, 0.4) == DARK.ghosts[0]
    assert pixel_at(canvas, regions, visible, 4, 2) == DARK.food
    assert pixel_at(canvas, regions, visible, 5, 1) == DARK.capsule
    assert pixel_at(canvas, regions, visible, 0, 2) == DARK.wall
    assert pixel_at(canvas, regions, visible, 0, 2, 0.24) == DARK.wall_edge


def test_an_agent_is_half_way_at_fraction_one_half() -> None:
    before = start(ROOM)
    after = before.successor("East").successor("West")
    visible = VisibleState(before, after, 0.5)
    assert visible.pacman == (1.5, 2.0)
    assert visible.ghost(1)[1] == (5.5, 2.0)
    canvas, regions = paint(visible)
    assert pixel_at(canvas, regions, visible, 1.5, 2, -0.3) == DARK.pacman
    assert pixel_at(canvas, regions, visible, 5.5, 2, 0, 0.4) == DARK.ghosts[0]
    assert pixel_at(canvas, regions, visible, 6, 2, 0.3) != DARK.ghosts[0]


def scared() -> GameState:
    state = start("%%%%%%%\n%Po G.%\n%%%%%%%")
    return state.successor("East")


def test_a_scared_ghost_is_blue_and_blinks_white_in_its_last_moves() -> None:
    state = scared()
    canvas, regions = paint(VisibleState(state, state))
    assert pixel_at(canvas, regions, VisibleState(state, state), 4, 1, 0, 0.4) == DARK.scared
    text = str(state)
    assert ":Stop:40:" in text
    last = GameState.parse(text.replace(":Stop:40:", ":Stop:10:"))
    blinking = VisibleState(last, last, clock=0.1)
    assert pixel_at(*paint(blinking), blinking, 4, 1, 0, 0.4) == DARK.blink
    recovering = VisibleState(last, last, clock=0.3)
    assert pixel_at(*paint(recovering), recovering, 4, 1, 0, 0.4) == DARK.scared


def test_an_eaten_ghost_does_not_glide_across_the_board() -> None:
    state = scared()
    before = GameState.parse(str(state).replace("ghost=4,1:Stop:40:random@4,1", "ghost=3,1:West:40:random@5,1"))
    after = before.successor("East", agent=0)
    assert is_eaten(before.ghosts[0], after.ghosts[0])
    assert scoring_events(before, after) == [(200, (3.0, 1.0))]
    for fraction, place in ((0.2, (3.0, 1.0)), (0.8, (5.0, 1.0))):
        assert VisibleState(before, after, fraction).ghost(1)[1] == place
    assert VisibleState(before, after, 0.5).ghost(1)[2] == 0.0
    paint(VisibleState(before, after, 0.5, rising_points=(RisingPoints(200, (3, 1), 0.5),)))


def test_walls_join_without_a_seam_and_do_not_cover_the_floor() -> None:
    state = start("%%%%%%\n%P  .%\n% %% %\n% %% %\n%    %\n%%%%%%")
    visible = VisibleState(state, state)
    canvas, regions = paint(visible, "light")
    for fraction in range(41):  # through the middle of a block of four walls, where their corners meet
        assert pixel_at(canvas, regions, visible, 2 + fraction / 40, 3 - fraction / 40) == LIGHT.wall
        assert pixel_at(canvas, regions, visible, 0, 1 + fraction / 10) == LIGHT.wall
    assert pixel_at(canvas, regions, visible, 4, 3) == LIGHT.background
    assert pixel_at(canvas, regions, visible, 2, 3, -0.45, 0.45) == LIGHT.background


@pytest.mark.parametrize("size", [(1920, 1080), (640, 480), (200, 120), (64, 64), (1000, 90)])
@pytest.mark.parametrize("colours", THEMES)
def test_every_size_can_be_painted(size: tuple[int, int], colours: str) -> None:
    game = corridor()
    plies = list(game)
    animation = Animation(game.start, game.names)
    animation.begin(plies)
    animation.advance(9, 9)
    animation.end(game.result)
    animation.advance(0.5, 1)
    canvas = Canvas(*size)
    painter = Painter(THEMES[colours])
    painter.paint(
        canvas,
        animation.visible(
            Status(
                speed_text="10 rounds/s",
                thinking_seconds=1.5,
                move_seconds=(1.5, 0.0),
                move_timeout=2.0,
                ply=5,
                ply_count=5,
                hint="Q  quit",
            )
        ),
        Regions.fit(*size, game.start.maze),
    )
    draw_help_panel(canvas, small_text(*size), [("PLAY", [("Space", "pause")])], painter.theme)
    assert len(canvas.rgb()) == size[0] * size[1] * 3


def test_a_glide_takes_as_long_as_its_plies() -> None:
    plies = list(corridor())
    animation = Animation(start(CORRIDOR), ("a", "b"))
    animation.begin(plies[:2])
    animation.advance(0.15, 10)
    visible = animation.visible()
    assert (visible.fraction, visible.mover, visible.plies) == (pytest.approx(0.75), 1, 2)
    animation.advance(0.05, 10)
    assert not animation.is_gliding
    assert animation.visible().mover == 0
    animation.advance(1, 0)
    assert animation.now.clock == pytest.approx(1.2)


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_a_film_has_every_frame_and_the_same_bytes_each_time(tmp_path: Path, suffix: str) -> None:
    reports: list[tuple[int, int]] = []
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    frames = Film(cell=12, speed=5).write(first, corridor(), progress=lambda done, of: reports.append((done, of)))
    Film(cell=12, speed=5).write(second, corridor())
    assert first.read_bytes() == second.read_bytes()
    # 5 plies at 10 a second and 20 frames a second, the start, and the end for 2.5 seconds.
    assert frames == 1 + 10 + 50
    assert reports == [(number, frames) for number in range(1, frames + 1)]
    with Image.open(first) as image:
        total = 0
        for number in range(image.n_frames):
            image.seek(number)
            image.load()
            total += image.info["duration"]
        assert total == frames * 50


def test_the_frames_of_a_film_have_the_painted_pixels(tmp_path: Path) -> None:
    path = tmp_path / "game.gif"
    Film(cell=20, speed=5).write(path, corridor())
    state = start(CORRIDOR)
    after = state.successor("East").successor("West")
    regions = Regions.around(20, state.maze, 2)
    with Image.open(path) as image:
        image.seek(2)  # half of the first round
        picture = image.convert("RGB")
    x, y = regions.middle(1.5, 1, 3)
    pixel = picture.getpixel((round(x - 6), round(y)))
    assert pixel == DARK.pacman
    assert after.pacman.position == (2, 1)


def test_a_png_shows_the_end_and_a_limit_cuts_a_film(tmp_path: Path) -> None:
    assert Film(cell=20).write(tmp_path / "end.png", corridor()) == 1
    with Image.open(tmp_path / "end.png") as image:
        assert image.format == "PNG"
        colours = {colour for _, colour in image.convert("RGB").getcolors(1 << 20)}
    assert DARK.bad in colours  # LOST
    assert Film(cell=12, max_seconds=0.5).write(tmp_path / "short.gif", corridor()) == 10
