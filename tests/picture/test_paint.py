"""Single pixels of pictures: which agent is where, in which colour."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from pacman.core.rules import STOP
from pacman.core.state import GameState, places_of, start
from pacman.picture.bars import BoardDrawing, draw_help
from pacman.picture.board import CELL, MOST_PLIES, replay
from pacman.picture.canvas import Canvas
from pacman.picture.colours import DARK, LIGHT, THEMES, Colour
from pacman.picture.moment import Animation, Status, VisibleState, is_eaten, scoring_events
from pacman.picture.paint import paint as paint_moment
from pacman.picture.screen_regions import Regions, small_text
from tests.view.fake_screen import CORRIDOR, corridor

ROOM = "%%%%%%%%\n%P  . G%\n%    o.%\n%%%%%%%%"


def paint(visible: VisibleState, colours: str = "dark") -> tuple[Canvas, Regions]:
    regions = Regions.around(40, visible.after.maze, len(visible.after.ghosts) + 1)
    canvas = Canvas(regions.width, regions.height)
    paint_moment(BoardDrawing(canvas, visible, THEMES[colours], regions))
    return canvas, regions


def colour_at(visible: VisibleState, x: float, y: float) -> Colour:
    """The colour at a place of the board, in cells."""
    canvas, regions = paint(visible)
    left, top = regions.middle(x, y, visible.after.maze.height)
    return canvas.pixel(round(left), round(top))


def test_every_agent_is_drawn_half_way_at_fraction_one_half() -> None:
    before, ghost = start(ROOM), DARK.ghosts[0]
    glide = VisibleState(before, before.successor("East").successor("West"), 0.5)
    assert (glide.pacman, glide.ghost(1)[1]) == ((1.5, 2.0), (5.5, 2.0))
    assert (colour_at(glide, 1.2, 2), colour_at(glide, 5.5, 2.4)) == (DARK.pacman, ghost)
    assert colour_at(glide, 6.3, 2) != ghost


def scared() -> GameState:
    state = start("%%%%%%%\n%Po G.%\n%%%%%%%")
    return state.successor("East")


def test_a_scared_ghost_is_blue_and_blinks_white_in_its_last_moves() -> None:
    text = str(scared())
    assert ":Stop:40:" in text
    for moves, clock, colour in [(40, 0.1, DARK.scared), (10, 0.1, DARK.blink), (10, 0.3, DARK.scared)]:
        state = GameState.parse(text.replace(":Stop:40:", f":Stop:{moves}:"))
        assert colour_at(VisibleState(state, state, clock=clock), 4, 1.4) == colour


def test_an_eaten_ghost_does_not_glide_across_the_board() -> None:
    state = scared()
    before = GameState.parse(str(state).replace("ghost=4,1:Stop:40:random@4,1", "ghost=3,1:West:40:random@5,1"))
    after = before.successor("East", agent=0)
    assert is_eaten(before.ghosts[0], after.ghosts[0])
    assert scoring_events(before, after) == [(200, (3.0, 1.0))]
    for fraction, place in ((0.2, (3.0, 1.0)), (0.8, (5.0, 1.0))):
        assert VisibleState(before, after, fraction).ghost(1)[1] == place
    assert VisibleState(before, after, 0.5).ghost(1)[2] == 0.0
    paint(VisibleState(before, after, 0.5, rising_points=((200, (3, 1), 0.5),)))


def test_walls_join_without_a_seam_and_do_not_cover_the_floor() -> None:
    state = start("%%%%%%\n%P  .%\n% %% %\n% %% %\n%    %\n%%%%%%")
    canvas, regions = paint(VisibleState(state, state), "light")

    def colour(x: float, y: float) -> Colour:
        left, top = regions.middle(x, y, 6)
        return canvas.pixel(round(left), round(top))

    for fraction in range(41):  # through the middle of a block of four walls, where their corners meet
        assert colour(2 + fraction / 40, 3 - fraction / 40) == colour(0, 1 + fraction / 10) == LIGHT.wall
    assert colour(4, 3) == colour(1.55, 3.45) == LIGHT.background


@pytest.mark.parametrize("size", [(1920, 1080), (640, 480), (200, 120), (64, 64), (1000, 90)])
def test_every_size_can_be_painted(size: tuple[int, int]) -> None:
    game = corridor()
    plies = list(game)
    animation = Animation(game.start)
    animation.begin(plies)
    animation.advance(9, 9)
    animation.advance(0.5, 1)
    canvas = Canvas(*size)
    status = Status(
        "10 rounds/s", thinking_seconds=1.5, move_seconds=(1.5, 0.0), move_timeout=2.0, ply=5, hint="Q  quit"
    )
    regions = Regions.fit(*size, game.start.maze)
    paint_moment(BoardDrawing(canvas, replace(animation.visible(), status=status), DARK, regions))
    draw_help(canvas, small_text(*size), {"PLAY": [("Space", "pause")]}, DARK)
    assert len(canvas.rgb()) == size[0] * size[1] * 3


def test_a_glide_takes_as_long_as_its_plies() -> None:
    plies = list(corridor())
    animation = Animation(start(CORRIDOR))
    animation.begin(plies[:2])
    animation.advance(0.15, 10)
    visible = animation.visible()
    assert (visible.fraction, visible.mover) == (pytest.approx(0.75), 1)
    animation.advance(0.05, 10)
    assert not animation.is_gliding
    assert animation.visible().mover == 0
    animation.advance(1, 0)
    assert animation.now.clock == pytest.approx(1.2)
    animation.begin(plies[2:])
    for seconds, points in ((0.5, [-500]), (0.7, [])):  # the points of the loss rise, and are gone then
        animation.advance(seconds, 99)
        assert [one[0] for one in animation.now.rising_points] == points


# ---- a replay has what a script needs to show every position of a game, and says each ply in words


def played(layout: str, seed: int, plies: int, *, survives: bool = False) -> tuple[GameState, list[str]]:
    """A random game, at most `plies` long; it has all of them if Pacman `survives`."""
    generator, state, moves = random.Random(seed), start(layout), list[str]()
    while not state.is_terminal and len(moves) < plies:
        actions = [each for each in state.actions() if not survives or not state.successor(each).is_terminal]
        moves.append(generator.choice(actions))
        state = state.successor(moves[-1])
    return start(layout), moves


@pytest.mark.parametrize(("layout", "seed"), [*product(["nook", "smallish", "gamble"], range(2))])
def test_every_frame_is_the_position_after_so_many_plies(layout: str, seed: int) -> None:
    state, moves = played(layout, seed, 150)
    game: dict[str, Any] = json.loads(json.dumps(replay(state, moves).frames))
    food, capsules = state.food, state.capsules
    for at, action in enumerate([None, *moves]):
        state = state.successor(action) if action else state
        numbers = iter(game["places"][at])
        cells = [(x / CELL - 0.5, state.maze.height - 0.5 - y / CELL) for x, y in zip(numbers, numbers, strict=True)]
        assert cells == [*places_of(state)]
        assert game["timers"][at] == [ghost.timer for ghost in state.ghosts]
        assert game["headings"][at] == ("E" if state.pacman.direction == STOP else state.pacman.direction[0])
        assert game["scores"][at] == state.score
        for all_cells, eaten, left in ((food, game["food"], state.food), (capsules, game["capsules"], state.capsules)):
            gone = {index for frame, index in eaten if frame <= at}
            assert tuple(cell for index, cell in enumerate(all_cells) if index not in gone) == left


SENTENCES = [  # (layout, moves of all agents, the last sentence)
    ("%%%%%\n%P..%\n%%%%%", "East", "Ply 1 of 1. Pacman goes East and eats food. Score 9."),
    ("%%%%\n%P.%\n%%%%", "East", "Ply 1 of 1. Pacman goes East and eats food: the game is won. Score 509."),
    ("%%%%%\n%P..%\n%%%%%", "Stop", "Ply 1 of 1. Pacman stays. Score −1."),
    ("%%%%%\n%PG.%\n%%%%%", "East", "Ply 1 of 1. Pacman goes East and meets a ghost: the game is lost. Score −501."),
    (
        "%%%%%%\n%P.G.%\n%%%%%%",
        "Stop West Stop West",
        "Ply 4 of 4. Ghost 1 goes West and catches Pacman: the game is lost. Score −502.",
    ),
    (
        "%%%%%%\n%Po.G%\n%%%%%%",
        "East",
        "Ply 1 of 1. Pacman goes East and eats a capsule: all ghosts are scared. Score −1.",
    ),
    ("%%%%%%%\n%PoG..%\n%%%%%%%", "East East East", "Ply 3 of 3. Pacman goes East and eats ghost 1. Score 198."),
    ("%%%%%%%\n%PoG..%\n%%%%%%%", "East West", "Ply 2 of 2. Ghost 1 goes West and is eaten. Score 199."),
]


@pytest.mark.parametrize(("layout", "moves", "sentence"), SENTENCES)
def test_what_a_ply_does_is_said_in_words(layout: str, moves: str, sentence: str) -> None:
    game = replay(start(layout), moves.split())
    assert game.sentences[-1] == sentence
    assert list(game.sentences) == game.frames["words"]


def test_a_long_game_begins_later_and_is_small_and_without_colours() -> None:
    state, moves = played("crossroads", 2, MOST_PLIES + 40, survives=True)
    game = replay(state, moves)
    assert len(game.sentences) == MOST_PLIES + 1
    for action in moves[:40]:
        state = state.successor(action)
    scores: Any = game.frames["scores"]
    assert game.sentences[0] == f"Ply 40 of {len(moves)}. Score {state.score}.".replace("-", "−")
    assert game.sentences[1].startswith(f"Ply 41 of {len(moves)}. Pacman ")
    assert scores[0] == state.score
    assert len(json.dumps(game.frames, separators=(",", ":"))) < 48_000
    assert len((game.first + game.last).encode()) < 32_000
    assert not re.search("#[0-9a-f]{6}| id=", game.first + game.last), "a page can have several"


def test_the_first_picture_has_all_that_moves() -> None:
    lost = replay(start("%%%%%\n%PG.%\n%%%%%"), ["East"])
    assert lost.first.count('class="look-calm">') == lost.first.count('class="look-scared" display="none"') == 1
    assert 'class="ring"' in lost.first
    assert re.search('class="ring".* display="none"', lost.first)
    assert 'class="ring"' in lost.last
    assert re.findall('data-agent="(.)"', lost.first) == ["1", "0"]
    assert re.findall('data-agent="(.)"', lost.last) == ["0", "1"], "the ghost that catches Pacman is in front"
    assert "display" not in lost.last
    assert 'class="ring"' not in replay(start("%%%%\n%P.%\n%%%%"), ["East"]).first


def test_a_ghost_that_recovers_by_itself_is_not_eaten() -> None:
    text = str(start("%%%%%%%\n%P .G.%\n%%%%%%%")).replace(":Stop:0:", ":West:1:")
    before = GameState.parse(text).successor("Stop")
    after = before.successor("West")
    assert (before.ghosts[0].timer, after.ghosts[0].timer) == (1, 0)
    assert not is_eaten(before.ghosts[0], after.ghosts[0])
    assert scoring_events(before, after) == []
