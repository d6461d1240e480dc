"""A position as text: a picture, and a status line with the facts that a picture cannot show.

    %%%%%%
    %P. G%
    %%%%%%
    score=0 mover=0 outcome=playing pacman=1,1:Stop ghost=4,1:Stop:0:random@4,1 order=0,1

Coordinates are (x, y) from the bottom left. A ghost is `x,y:direction:scared moves:model@home`. Food or a capsule
under Pacman or under a ghost is listed after `under=`, for example `under=.2,1`. `read` and `write` are inverse: the
position that is read has the same layers too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from pacman.core.errors import InputError, nearest
from pacman.core.layout import CAPSULE, FLOOR, FOOD, MAX_CELLS, WALL, Cell, Mask, Maze, cells, mask, picture
from pacman.core.rounds import Turn, round_of
from pacman.core.rules import STEPS, GhostPose, PacmanPose, Poses

OUTCOMES = ("playing", "win", "lose")
FORMS = {
    "score": "NUMBER",
    "mover": "AGENT",
    "outcome": "|".join(OUTCOMES),
    "pacman": "X,Y:DIRECTION",
    "ghost": "X,Y:DIRECTION:SCARED_MOVES:MODEL@X,Y",
    "order": "AGENT,AGENT,...",
    "under": f"{FOOD}X,Y|{CAPSULE}X,Y",
}
"""The entries of the status line."""

_DIRECTIONS = "|".join(STEPS)
_XY, _HALF_XY = r"(\d{1,6}),(\d{1,6})", r"(\d{1,6}(?:\.5)?),(\d{1,6}(?:\.5)?)"

Parts = tuple[Turn, PacmanPose, tuple[GhostPose, ...], tuple[GhostPose, ...], Mask, Mask, int, int]
T = TypeVar("T")


def write(parts: Parts) -> str:
    """The text of a position: its picture and its status line."""
    turn, pacman, ghosts, homes, food, capsules, score, outcome = parts
    maze = pacman.poses.maze
    items = dict.fromkeys(cells(food), FOOD) | dict.fromkeys(cells(capsules), CAPSULE)
    agents = {ghost.touches[0]: str(number % 10) if len(ghosts) > 1 else "G" for number, ghost in enumerate(ghosts, 1)}
    agents[pacman.cell] = "P"
    status = [
        f"score={score}",
        f"mover={turn.agent}",
        f"outcome={OUTCOMES[outcome]}",
        f"pacman={_pair(pacman.position)}:{pacman.direction}",
    ]
    for ghost, home, kind in zip(ghosts, homes, turn.round.ghosts, strict=True):
        pose = f"{_pair(ghost.position)}:{ghost.direction}:{ghost.timer}"
        status.append(f"ghost={pose}:{kind}@{_pair(home.position)}")
    status.append(f"order={','.join(map(str, turn.round.order))}")
    status += [f"under={items[cell]}{_pair(maze.position(cell))}" for cell in sorted(agents) if cell in items]
    return f"{picture(maze, items | agents)}\n{' '.join(status)}"


def read(text: str) -> Parts:
    """The parts of the position in `text`. InputError names the row or the entry that is wrong."""
    *rows, status = [line.rstrip("\r") for line in text.strip("\n").split("\n")]
    maze = _maze(rows)
    poses = Poses.of(maze)

    def cell(match: re.Match[str], first: int = 1) -> Cell:
        x, y = int(match[first]), int(match[first + 1])
        if maze.is_wall(x, y):
            raise InputError(f"wrong coordinates {x},{y} in a position: there is a wall")
        return maze.cell(x, y)

    def ghost(match: re.Match[str]) -> tuple[GhostPose, str, GhostPose]:
        place, timer = (round(2 * float(match[1])), round(2 * float(match[2]))), int(match[4])
        if maze.is_wall(place[0] // 2, place[1] // 2) or maze.is_wall((place[0] + 1) // 2, (place[1] + 1) // 2):
            raise InputError(f"wrong coordinates {match[1]},{match[2]} of a ghost in a position: there is a wall")
        if (place[0] % 2 or place[1] % 2) and not timer:
            raise InputError(f"the ghost at {match[1]},{match[2]} is between two cells, but only a scared ghost can be")
        return poses.ghost(place, match[3], timer), match[5], poses.ghost_at(cell(match, 6))

    line = _StatusLine(status)
    pacman = line.read_one("pacman", f"{_XY}:({_DIRECTIONS})", lambda match: poses.pacman(cell(match), match[3]))
    ghosts = line.read_all("ghost", rf"{_HALF_XY}:({_DIRECTIONS}):(\d{{1,3}}):([^@]+)@{_XY}", ghost)
    order = line.read_one("order", r"\d{1,3}(,\d{1,3})*", lambda match: [int(agent) for agent in match[0].split(",")])
    turns = round_of([kind for _, kind, _ in ghosts], order).turns
    mover = line.read_one("mover", r"\d{1,3}", lambda match: int(match[0]))
    if mover >= len(turns):
        raise InputError(f"wrong 'mover={mover}' in a position: the agents are 0 to {len(turns) - 1}")
    places: dict[str, list[Cell]] = {}
    for number, char in enumerate("".join(reversed(rows))):
        places.setdefault(char, []).append(number)
    if unknown := places.keys() - {WALL, FLOOR, FOOD, CAPSULE, "P", "G", *"0123456789"}:
        raise InputError(f"unknown character '{min(unknown)}' in the picture of a position")
    for item, place in line.read_all("under", rf"([{FOOD}{CAPSULE}]){_XY}", lambda match: (match[1], cell(match, 2))):
        places.setdefault(item, []).append(place)
    return (
        turns[mover],
        pacman,
        tuple(pose for pose, _, _ in ghosts),
        tuple(home for _, _, home in ghosts),
        mask(places.get(FOOD, ())),
        mask(places.get(CAPSULE, ())),
        line.read_one("score", r"-?\d{1,12}", lambda match: int(match[0])),
        line.read_one("outcome", "|".join(OUTCOMES), lambda match: OUTCOMES.index(match[0])),
    )


def _maze(rows: Sequence[str]) -> Maze:
    """The walls of a picture. InputError if its rows are not of equal length, and if it is too large."""
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise InputError("a position needs a picture with rows of equal length, then a status line")
    if len(rows) * len(rows[0]) > MAX_CELLS:
        size = f"{len(rows[0])} x {len(rows)} cells"
        raise InputError(f"the picture of a position is too large: {size}; expected at most {MAX_CELLS:,} cells")
    return Maze.of(rows)


class _StatusLine:
    """The entries of a status line; a key such as `ghost` can have several. InputError for an unknown key."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.entries: dict[str, list[str]] = {}
        for token in text.split():
            key, _, entry = token.partition("=")
            self.entries.setdefault(key, []).append(entry)
        if unknown := self.entries.keys() - FORMS.keys():
            problem = f"unknown entry '{min(unknown)}=' in the status line of a position"
            raise InputError(f"{problem}: {nearest(min(unknown), FORMS)}")

    def read_one(self, key: str, pattern: str, use: Callable[[re.Match[str]], T]) -> T:
        """What `use` makes of the only entry with this key. InputError if there is none, or if there are several."""
        if len(self.entries.get(key, ())) != 1:
            raise InputError(f"the status line of a position needs exactly one '{key}='; it is '{self.text}'")
        return self.read_all(key, pattern, use)[0]

    def read_all(self, key: str, pattern: str, use: Callable[[re.Match[str]], T]) -> list[T]:
        """What `use` makes of each entry with this key. InputError for an entry that does not match the pattern."""
        results = []
        for entry in self.entries.get(key, ()):
            match = re.fullmatch(pattern, entry)
            if not match:
                expected = f"expected {key}={FORMS[key]}"
                raise InputError(f"cannot read '{key}={entry}' in the status line of a position; {expected}")
            results.append(use(match))
        return results


def _pair(position: tuple[float, float]) -> str:
    return f"{position[0]:g},{position[1]:g}"
