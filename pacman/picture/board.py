"""A position as a picture (SVG): the board as the window draws it, with the window's sprites, and a line of text.

A script can find the parts of the picture by their classes: `walls`, `food`, `capsules`, `agent` (with
`data-agent="0"` for Pacman, 1 for ghost 1), `ring` (around Pacman who was caught), `caption`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise

from pacman.core.errors import agent_name
from pacman.core.layout import Maze
from pacman.core.numbers import format_number
from pacman.core.rules import EAST, STOP, GhostPose
from pacman.core.state import GameState, places_of
from pacman.picture.canvas import Point
from pacman.picture.colours import DARK, GHOST_COLOURS, PAGE, Style, board_rules
from pacman.picture.moment import ply_words
from pacman.picture.sprites import (
    ANGLES,
    CAPSULE_RADIUS,
    FOOD_RADIUS,
    MOUTH,
    draw_ghost,
    draw_pacman,
    draw_scared,
    draw_walls,
)
from pacman.picture.svg import HIDDEN, SvgCanvas, move, pair, text_width

CELL = 32
"""The width of a cell, in pixels."""
RING = 0.72
"""The radius of the ring around Pacman who was caught, in cells."""
MOST_PLIES = 300
"""A longer game begins later: the end is what a reader looks for, and a page must stay small."""
TEXT_SIZE, FOOTER = 14.0, 26
"""In pixels: the size of the text, and the height of the room for it below the board."""


def svg(state: GameState, *, theme: str = "dark", end: GameState | None = None) -> str:
    """The text of an SVG file: the board of `state`, all agents, and who moves. The same state gives the same bytes.

    If `end` is given, a script moves the agents from `state` to `end`: see `replay`.

    `theme` is the name of a theme, or `colours.PAGE`: then `colours.page_style` colours the picture. A picture has no
    ids, so a page can contain any number of them.

    >>> from pacman.core.state import start
    >>> picture = svg(start("nook"))
    >>> picture.startswith("<svg"), picture.count('class="agent"')
    (True, 2)
    """
    ends = "won" if state.is_win else "lost" if state.is_lose else ""
    words = f"score {format_number(state.score)}, {ends or f'{state.layer.name}: {agent_name(state.mover)} moves'}"
    maze = state.maze
    canvas = SvgCanvas(Style.of(board_rules, theme))
    width, height = maze.width * CELL, maze.height * CELL
    room = max(width, text_width(words, TEXT_SIZE) + TEXT_SIZE)
    canvas.element("rect", "paper", {"width": "100%", "height": "100%", "rx": 6})
    with canvas.group("cells", more=move((room - width) / 2, 0)):
        has_glow = canvas.style.own("glow").get("visibility") != "hidden"
        inks = "glow", "wall-edge", "walls"
        draw_walls(canvas, maze, CELL, partial(middle, maze), inks, DARK.glow if has_glow else 0.0)
        _draw_dots(canvas, maze, state.food, "food", FOOD_RADIUS)
        _draw_dots(canvas, maze, state.capsules, "capsules", CAPSULE_RADIUS)
        _draw_agents(canvas, state, end is not None)
        if (end or state).is_lose:
            x, y = middle(maze, *(end or state).pacman.position)
            hidden = "" if end is None else HIDDEN
            circle = {"cx": x, "cy": y, "r": RING * CELL, "stroke-width": 3.0}
            canvas.element("circle", "ring", circle, f' fill="none"{hidden}')
    canvas.text(words, (room / 2, height + FOOTER / 2 - 4), TEXT_SIZE, "caption")
    return canvas.picture(room, height + FOOTER, "board", words, f"{_description(state)}\n{state}")


def _draw_agents(canvas: SvgCanvas, state: GameState, is_moving: bool) -> None:
    """Draws ghost 1 in front of ghost 2, and Pacman in front of all, until one catches him.

    For a game that moves, each ghost has both of its looks.
    """
    places, order = places_of(state), range(len(state.ghosts), -1, -1)
    for number in [0, *order[:-1]] if state.is_lose else order:
        with canvas.group("agent", more=f' data-agent="{number}"{move(*middle(state.maze, *places[number]))}'):
            if number:
                _draw_ghost(canvas, number, state.ghosts[number - 1], is_moving)
                continue
            with canvas.group("heading", more=f' transform="rotate({-ANGLES[state.pacman.direction] % 360})"'):
                draw_pacman(canvas, 0, CELL, EAST, MOUTH, 0, "pacman")


def _draw_ghost(canvas: SvgCanvas, number: int, ghost: GhostPose, has_both: bool) -> None:
    looks = {"calm": not ghost.is_scared, "scared": ghost.is_scared}
    for look in (each for each in looks if looks[each] or has_both):
        with canvas.group(f"look-{look}", more="" if looks[look] else HIDDEN):
            if look == "calm":
                body = f"ghost-{(number - 1) % GHOST_COLOURS + 1}"
                draw_ghost(canvas, 0, CELL, ghost.direction, 0.3 * number, (body, "eye", "pupil"))
            else:
                draw_scared(canvas, 0, CELL, 0.0, ("rim", "scared", "face"))


def middle(maze: Maze, x: float, y: float) -> Point:
    """The middle of cell (x, y) in the picture, in pixels."""
    return (x + 0.5) * CELL, (maze.height - 0.5 - y) * CELL


def _draw_dots(canvas: SvgCanvas, maze: Maze, cells: Iterable[tuple[int, int]], kind: str, radius: float) -> None:
    """Draws food or capsules as one path: each dot is a line without length and with round ends."""
    data = "".join(f"M{pair(*middle(maze, *cell))}h0" for cell in cells)
    if data:
        canvas.element("path", kind, {"d": data, "stroke-width": 2 * radius * CELL, "stroke-linecap": "round"})


def _description(state: GameState) -> str:
    """Where the agents are and what is left, for readers who cannot see the board."""
    agents: list[tuple[str, Point, int]] = [("Pacman", state.pacman.position, 0)]
    agents += [(f"ghost {number}", ghost.position, ghost.timer) for number, ghost in enumerate(state.ghosts, 1)]
    places = (f"{name} at {x:g}, {y:g}{f' (scared: {timer})' if timer else ''}" for name, (x, y), timer in agents)
    left = f"food left: {state.food_left}; capsules left: {len(state.capsules)}"
    return f"A board of {state.maze.width} x {state.maze.height} cells. {'; '.join(places)}; {left}."


# ---- a played game to step through


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


def replay(start: GameState, moves: Sequence[str]) -> ReplayPictures:
    """The game from `start` with these actions of all agents in order; its last `MOST_PLIES` plies.

    The pictures have no colours. IllegalAction if the rules do not allow a move.

    >>> from pacman.core.state import start
    >>> game = replay(start("nook"), ["South", "West"])
    >>> game.sentences[1]
    'Ply 1 of 2. Pacman goes South and eats food. Score 9.'
    """
    states = list(accumulate(moves, GameState.successor, initial=start))
    left_out = max(0, len(moves) - MOST_PLIES)
    plies = list(zip(states, moves, states[1:], strict=False))[left_out:]
    states, words = states[left_out:], ["", *(f" {ply_words(*ply)}" for ply in plies)]
    sentences = [
        f"Ply {number} of {len(moves)}.{what} Score {format_number(state.score)}."
        for number, (what, state) in enumerate(zip(words, states, strict=True), left_out)
    ]
    frames: dict[str, object] = {
        "places": [list(_places(state)) for state in states],
        "headings": "".join("E" if (heading := state.pacman.direction) == STOP else heading[0] for state in states),
        "timers": [[ghost.timer for ghost in state.ghosts] for state in states],
        "scores": [state.score for state in states],
        "food": list(_eaten([state.food for state in states])),
        "capsules": list(_eaten([state.capsules for state in states])),
        "words": sentences,
    }
    first, last = svg(states[0], theme=PAGE, end=states[-1]), svg(states[-1], theme=PAGE)
    return ReplayPictures(first, last, tuple(sentences), frames)


def _places(state: GameState) -> Iterator[float]:
    for place in places_of(state):
        for length in middle(state.maze, *place):
            yield int(length) if length == int(length) else length


def _eaten(cells: Sequence[tuple[tuple[int, int], ...]]) -> Iterator[tuple[int, int]]:
    """(frame, index in the first frame) of each cell that is empty from this frame on."""
    for frame, (before, after) in enumerate(pairwise(cells), 1):
        if len(after) < len(before):
            for cell in {*before} - {*after}:
                yield frame, cells[0].index(cell)
