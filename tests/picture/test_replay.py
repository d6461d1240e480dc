"""A replay has what a script needs to show every position of a game, and says each ply in words."""

from __future__ import annotations

import json
import random
import re

import pytest

from pacman import GameState, start
from pacman.core.rules import STOP
from pacman.picture.board import CELL, MOST_PLIES, ReplayPictures, replay


def played(layout: str, seed: int, plies: int, *, survives: bool = False) -> tuple[GameState, list[str]]:
    """A random game, at most `plies` long; it has all of them if Pacman `survives`."""
    generator, state, moves = random.Random(seed), start(layout), []
    while not state.is_terminal and len(moves) < plies:
        actions = [each for each in state.actions() if not survives or not state.successor(each).is_terminal]
        moves.append(generator.choice(actions))
        state = state.successor(moves[-1])
    return start(layout), moves


def frames(game: ReplayPictures) -> dict[str, list]:
    return json.loads(json.dumps(game.frames))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("layout", ["nook", "smallish", "gamble"])
def test_every_frame_is_the_position_after_so_many_plies(layout: str, seed: int) -> None:
    state, moves = played(layout, seed, 150)
    game = frames(replay(state, moves, "a-"))
    food, capsules = state.food, state.capsules
    for at, action in enumerate([None, *moves]):
        state = state.successor(action) if action else state
        agents = [state.pacman, *state.ghosts]
        cells = [(x / CELL - 0.5, state.maze.height - 0.5 - y / CELL) for x, y in pairs(game["places"][at])]
        assert cells == [agent.position for agent in agents]
        assert game["timers"][at] == [ghost.timer for ghost in state.ghosts]
        assert game["headings"][at] == ("E" if state.pacman.direction == STOP else state.pacman.direction[0])
        assert game["scores"][at] == state.score
        for all_cells, eaten, left in ((food, game["food"], state.food), (capsules, game["capsules"], state.capsules)):
            gone = {index for frame, index in eaten if frame <= at}
            assert tuple(cell for index, cell in enumerate(all_cells) if index not in gone) == left


def pairs(numbers: list[float]) -> list[tuple[float, float]]:
    return list(zip(numbers[::2], numbers[1::2], strict=True))


SENTENCES = {
    "food": ("%%%%%\n%P..%\n%%%%%", ["East"], "Ply 1 of 1. Pacman goes East and eats food. Score 9."),
    "win": ("%%%%\n%P.%\n%%%%", ["East"], "Ply 1 of 1. Pacman goes East and eats food: the game is won. Score 509."),
    "stays": ("%%%%%\n%P..%\n%%%%%", ["Stop"], "Ply 1 of 1. Pacman stays. Score −1."),
    "meets": (
        "%%%%%\n%PG.%\n%%%%%",
        ["East"],
        "Ply 1 of 1. Pacman goes East and meets a ghost: the game is lost. Score −501.",
    ),
    "caught": (
        "%%%%%%\n%P.G.%\n%%%%%%",
        ["Stop", "West", "Stop", "West"],
        "Ply 4 of 4. Ghost 1 goes West and catches Pacman: the game is lost. Score −502.",
    ),
    "capsule": (
        "%%%%%%\n%Po.G%\n%%%%%%",
        ["East"],
        "Ply 1 of 1. Pacman goes East and eats a capsule: all ghosts are scared. Score −1.",
    ),
    "eats": (
        "%%%%%%%\n%PoG..%\n%%%%%%%",
        ["East", "East", "East"],
        "Ply 3 of 3. Pacman goes East and eats ghost 1. Score 198.",
    ),
    "eaten": (
        "%%%%%%%\n%PoG..%\n%%%%%%%",
        ["East", "West"],
        "Ply 2 of 2. Ghost 1 goes West and is eaten. Score 199.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("layout", "moves", "sentence"), SENTENCES.values(), ids=SENTENCES)
def test_what_a_ply_does_is_said_in_words(layout: str, moves: list[str], sentence: str) -> None:
    game = replay(start(layout), moves, "a-")
    assert game.sentences[-1] == sentence
    assert list(game.sentences) == game.frames["words"]


def test_a_long_game_begins_later() -> None:
    state, moves = played("crossroads", 2, MOST_PLIES + 40, survives=True)
    game = replay(state, moves, "a-")
    assert len(game.sentences) == MOST_PLIES + 1
    for action in moves[:40]:
        state = state.successor(action)
    assert game.sentences[0] == f"Ply 40 of {len(moves)}. Score {state.score}.".replace("-", "−")
    assert game.sentences[1].startswith(f"Ply 41 of {len(moves)}. Pacman ")
    assert frames(game)["scores"][0] == state.score


def test_a_replay_is_small_and_has_no_colours() -> None:
    state, moves = played("crossroads", 2, 200, survives=True)
    game = replay(state, moves, "a-")
    assert len(json.dumps(game.frames, separators=(",", ":"))) < 32_000
    assert len((game.first + game.last).encode()) < 32_000
    assert not re.search("#[0-9a-f]{6}", game.first + game.last)
    first, last = ({*re.findall(' id="([^"]+)"', picture)} for picture in (game.first, game.last))
    assert first
    assert not first & last


def test_the_first_picture_has_all_that_moves() -> None:
    lost = replay(start("%%%%%\n%PG.%\n%%%%%"), ["East"], "a-")
    assert lost.first.count('class="look-calm">') == lost.first.count('class="look-scared" display="none"') == 1
    assert 'class="ring"' in lost.first
    assert re.search('class="ring".* display="none"', lost.first)
    assert 'class="ring"' in lost.last
    assert "display" not in lost.last
    assert 'class="ring"' not in replay(start("%%%%\n%P.%\n%%%%"), ["East"], "a-").first
