"""A played game to step through: two pictures, and for each ply where everybody is, what is eaten, and it in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pacman.core.numbers import format_number
from pacman.core.rules import STOP
from pacman.core.state import GameState, places_of
from pacman.picture import board
from pacman.picture.colours import PAGE
from pacman.picture.moment import ply_words

MOST_PLIES = 300
"""A longer game begins later: the end is what a reader looks for, and a page must stay small."""


@dataclass(frozen=True)
class ReplayPictures:
    """`first` and `last` are SVG pictures of a game's ends. A script moves the agents of `first` with `frames`."""

    first: str
    last: str
    sentences: tuple[str, ...]
    """For each frame what happened."""
    frames: dict[str, object]
    """Plain JSON values by name. Frame i is the position after i plies.

    places      for each frame x, y of agent 0, 1, ... in the pixels of the picture
    headings    for each frame Pacman's direction: its first letter
    timers      for each frame the scared moves left of ghost 1, 2, ...
    scores      for each frame the score
    food        [frame, i] for each food eaten: the i-th one (from 0) in the path `food` of the picture
    capsules    the same for capsules
    words       the sentences
    """


def replay(start: GameState, moves: Sequence[str], prefix: str) -> ReplayPictures:
    """The game from `start` with these actions of all agents in order; its last `MOST_PLIES` plies.

    The pictures have no colours; `prefix` is that of `board.svg`. IllegalAction if the rules do not allow a move.

    >>> from pacman.core.state import start
    >>> game = replay(start("nook"), ["South", "West"], prefix="game-")
    >>> game.sentences[1]
    'Ply 1 of 2. Pacman goes South and eats food. Score 9.'
    """
    states = [start]
    for action in moves:
        states.append(states[-1].successor(action))
    left_out = max(0, len(moves) - MOST_PLIES)
    sentences = [f"Ply {left_out} of {len(moves)}."]
    for ply, (action, (before, after)) in enumerate(zip(moves, pairwise(states), strict=True), 1):
        if ply > left_out:
            sentences.append(f"Ply {ply} of {len(moves)}. {ply_words(before, action, after)}")
    states = states[left_out:]
    sentences = [f"{words} Score {format_number(state.score)}." for words, state in zip(sentences, states, strict=True)]
    frames: dict[str, object] = {
        "places": [list(_places(state)) for state in states],
        "headings": "".join("E" if (heading := state.pacman.direction) == STOP else heading[0] for state in states),
        "timers": [[ghost.timer for ghost in state.ghosts] for state in states],
        "scores": [state.score for state in states],
        "food": list(_eaten([state.food for state in states])),
        "capsules": list(_eaten([state.capsules for state in states])),
        "words": sentences,
    }
    first = board.svg(states[0], theme=PAGE, prefix=prefix, end=states[-1])
    last = board.svg(states[-1], theme=PAGE, prefix=f"{prefix}last-")
    return ReplayPictures(first, last, tuple(sentences), frames)


def _places(state: GameState) -> Iterator[float]:
    for place in places_of(state):
        for length in board.middle(state.maze, *place):
            yield int(length) if length == int(length) else length


def _eaten(cells: Sequence[tuple[tuple[int, int], ...]]) -> Iterator[tuple[int, int]]:
    """(frame, index in the first frame) of each cell that is empty from this frame on."""
    for frame, (before, after) in enumerate(pairwise(cells), 1):
        if len(after) < len(before):
            for cell in {*before} - {*after}:
                yield frame, cells[0].index(cell)
