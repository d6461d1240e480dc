"""A replay has what a script needs to show every position of a game, and says each ply in words."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from typing import Any

import pytest

from pacman import GameState, start
from pacman.core.rules import STOP
from pacman.core.state import places_of
from pacman.picture.board import CELL, MOST_PLIES, replay


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
    game: dict[str, Any] = json.loads(json.dumps(replay(state, moves, "a-").frames))
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
    game = replay(start(layout), moves.split(), "a-")
    assert game.sentences[-1] == sentence
    assert list(game.sentences) == game.frames["words"]


def test_a_long_game_begins_later_and_is_small_and_without_colours() -> None:
    state, moves = played("crossroads", 2, MOST_PLIES + 40, survives=True)
    game = replay(state, moves, "a-")
    assert len(game.sentences) == MOST_PLIES + 1
    for action in moves[:40]:
        state = state.successor(action)
    scores: Any = game.frames["scores"]
    assert game.sentences[0] == f"Ply 40 of {len(moves)}. Score {state.score}.".replace("-", "−")
    assert game.sentences[1].startswith(f"Ply 41 of {len(moves)}. Pacman ")
    assert scores[0] == state.score
    assert len(json.dumps(game.frames, separators=(",", ":"))) < 48_000
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
    assert re.findall('data-agent="(.)"', lost.first) == ["1", "0"]
    assert re.findall('data-agent="(.)"', lost.last) == ["0", "1"], "the ghost that catches Pacman is in front"
    assert "display" not in lost.last
    assert 'class="ring"' not in replay(start("%%%%\n%P.%\n%%%%"), ["East"], "a-").first
