"""A position as text: the picture, and one status line that holds what a picture cannot.

    %%%%%%
    %P. G%
    %%%%%%
    score=0 mover=0 outcome=playing pacman=1,1:Stop ghost=4,1:Stop:0:random@4,1 order=0,1

Coordinates are (x, y) from the bottom left. A ghost is `x,y:direction:scared moves:model@home`. Food and
capsules that somebody stands on are named behind `under=`, as in `under=.2,1`. Reading what was written
gives an equal position with the same layers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from pacman.core.errors import InputError
from pacman.core.layers import Turn, round_of
from pacman.core.layout import CAPSULE, FLOOR, FOOD, WALL, Cell, Mask, Maze, cells, mask, picture
from pacman.core.rules import STEPS, GhostPose, PacmanPose, Poses

OUTCOMES = ("playing", "win", "lose")

Parts = tuple[Turn, PacmanPose, tuple[GhostPose, ...], tuple[GhostPose, ...], Mask, Mask, int, int]
T = TypeVar("T")


def write(parts: Parts) -> str:
    turn, pacman, ghosts, homes, food, capsules, score, outcome = parts
    maze = pacman.poses.maze
    lying = dict.fromkeys(cells(food), FOOD) | dict.fromkeys(cells(capsules), CAPSULE)
    standing = {
        ghost.touches[0]: str(number % 10) if len(ghosts) > 1 else "G" for number, ghost in enumerate(ghosts, 1)
    }
    standing[pacman.cell] = "P"
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
    status += [f"under={lying[cell]}{_pair(maze.position(cell))}" for cell in sorted(standing) if cell in lying]
    return f"{picture(maze, lying | standing)}\n{' '.join(status)}"


def read(text: str) -> Parts:
    """The parts of a position; InputError names the row or the entry that cannot be read."""
    *rows, status = [line.rstrip("\r") for line in text.strip("\n").split("\n")]
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise InputError("a position is a picture with rows of one length, and a status line below it")
    entries: dict[str, list[str]] = {}
    for token in status.split():
        key, _, entry = token.partition("=")
        entries.setdefault(key, []).append(entry)

    def one(key: str, pattern: str, use: Callable[[re.Match[str]], T]) -> T:
        if len(entries.get(key, ())) != 1:
            raise InputError(f"the status line of a position needs exactly one '{key}='; it is '{status}'")
        return each(key, pattern, use)[0]

    def each(key: str, pattern: str, use: Callable[[re.Match[str]], T]) -> list[T]:
        made = []
        for entry in entries.get(key, ()):
            found = re.fullmatch(pattern, entry)
            if not found:
                raise InputError(f"a position's '{key}=' cannot be read: '{entry}'")
            made.append(use(found))
        return made

    maze = Maze.of(rows)
    poses = Poses.of(maze)

    def cell(found: re.Match[str], first: int = 1) -> Cell:
        x, y = int(found[first]), int(found[first + 1])
        if maze.is_wall(x, y):
            raise InputError(f"a position has something in a wall, at {x},{y}")
        return maze.cell(x, y)

    def ghost(found: re.Match[str]) -> tuple[GhostPose, str, GhostPose]:
        place, timer = (round(2 * float(found[1])), round(2 * float(found[2]))), int(found[4])
        if any(
            maze.is_wall(x, y) for x, y in {(place[0] // 2, place[1] // 2), ((place[0] + 1) // 2, (place[1] + 1) // 2)}
        ):
            raise InputError(f"a position has a ghost in a wall, at {found[1]},{found[2]}")
        if (place[0] % 2 or place[1] % 2) and not timer:
            raise InputError(f"only a scared ghost stands between two cells, not the one at {found[1]},{found[2]}")
        return poses.ghost(place, found[3], timer), found[5], poses.ghost_at(cell(found, 6))

    ways, xy, half = "|".join(STEPS), r"(\d{1,6}),(\d{1,6})", r"(\d{1,6}(?:\.5)?),(\d{1,6}(?:\.5)?)"
    unknown = entries.keys() - {"score", "mover", "outcome", "pacman", "ghost", "order", "under"}
    if unknown:
        raise InputError(f"a position's status line has an unknown entry '{min(unknown)}='")
    pacman = one("pacman", f"{xy}:({ways})", lambda found: poses.pacman(cell(found), found[3]))
    ghosts = each("ghost", rf"{half}:({ways}):(\d{{1,3}}):([^@]+)@{xy}", ghost)
    order = one("order", r"\d{1,3}(,\d{1,3})*", lambda found: [int(agent) for agent in found[0].split(",")])
    turns = round_of([kind for _, kind, _ in ghosts], order).turns
    mover = one("mover", r"\d{1,3}", lambda found: int(found[0]))
    if mover >= len(turns):
        raise InputError(f"a position's 'mover={mover}' is none of its agents 0 to {len(turns) - 1}")
    drawn: dict[str, list[Cell]] = {}
    for y, row in enumerate(reversed(rows)):
        for x, char in enumerate(row):
            drawn.setdefault(char, []).append(maze.cell(x, y))
    if stray := drawn.keys() - {WALL, FLOOR, FOOD, CAPSULE, "P", "G", *"0123456789"}:
        raise InputError(f"a position's picture has an unknown character '{min(stray)}'")
    for kind, where in each("under", rf"([{FOOD}{CAPSULE}]){xy}", lambda found: (found[1], cell(found, 2))):
        drawn.setdefault(kind, []).append(where)
    return (
        turns[mover],
        pacman,
        tuple(pose for pose, _, _ in ghosts),
        tuple(home for _, _, home in ghosts),
        mask(drawn.get(FOOD, ())),
        mask(drawn.get(CAPSULE, ())),
        one("score", r"-?\d{1,12}", lambda found: int(found[0])),
        one("outcome", "|".join(OUTCOMES), lambda found: OUTCOMES.index(found[0])),
    )


def _pair(position: tuple[float, float]) -> str:
    return f"{position[0]:g},{position[1]:g}"
