"""A second, slow implementation of the classic rules, with floats, to compare with `pacman.core.rules`.

It was written from the text of the rules only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

VECTORS = {"West": (-1, 0), "Stop": (0, 0), "East": (1, 0), "North": (0, 1), "South": (0, -1)}
BACK = {"West": "East", "East": "West", "North": "South", "South": "North", "Stop": "Stop"}


@dataclass(frozen=True)
class PlainGhost:
    x: float
    y: float
    direction: str
    timer: int
    home: tuple[int, int]


@dataclass(frozen=True)
class PlainState:
    rows: tuple[str, ...]
    pacman: tuple[int, int]
    direction: str
    ghosts: tuple[PlainGhost, ...]
    food: frozenset
    capsules: frozenset
    score: int = 0
    won: bool = False
    lost: bool = False

    @classmethod
    def read(cls, text: str) -> PlainState:
        rows = tuple(text.strip("\n").split("\n"))
        places: dict[str, list] = {}
        for x in range(len(rows[0])):
            for y in range(len(rows)):
                places.setdefault(rows[len(rows) - 1 - y][x], []).append((x, y))
        ranks = [(int(char) if char.isdigit() else 1, x, y) for char in "G1234" for x, y in places.get(char, [])]
        ghosts = tuple(PlainGhost(x, y, "Stop", 0, (x, y)) for _, x, y in sorted(ranks))
        return cls(rows, places["P"][0], "Stop", ghosts, frozenset(places.get(".", [])), frozenset(places.get("o", [])))

    def free(self, x: float, y: float) -> bool:
        return self.rows[len(self.rows) - 1 - int(y)][int(x)] != "%"

    def legal(self, agent: int) -> list[str]:
        if self.won or self.lost:
            return []
        if agent == 0:
            x, y = self.pacman
            return [action for action, (dx, dy) in VECTORS.items() if self.free(x + dx, y + dy)]
        ghost = self.ghosts[agent - 1]
        if ghost.x != int(ghost.x) or ghost.y != int(ghost.y):
            return [ghost.direction]
        actions = [a for a, (dx, dy) in VECTORS.items() if a != "Stop" and self.free(ghost.x + dx, ghost.y + dy)]
        if BACK[ghost.direction] in actions and len(actions) > 1:
            actions.remove(BACK[ghost.direction])
        return actions

    def after(self, agent: int, action: str) -> PlainState:
        dx, dy = VECTORS[action]
        if agent == 0:
            cell = self.pacman[0] + dx, self.pacman[1] + dy
            facing = self.direction if action == "Stop" else action
            state = replace(self, pacman=cell, direction=facing, score=self.score - 1)
            if cell in state.food:
                state = replace(state, food=state.food - {cell}, score=state.score + 10)
                if not state.food:
                    state = replace(state, score=state.score + 500, won=True)
            if cell in state.capsules:
                scared = tuple(replace(ghost, timer=40) for ghost in state.ghosts)
                state = replace(state, capsules=state.capsules - {cell}, ghosts=scared)
            for number in range(len(state.ghosts)):
                state = state.after_meeting(number)
            return state
        ghost = self.ghosts[agent - 1]
        speed = 0.5 if ghost.timer else 1.0
        x, y, timer = ghost.x + speed * dx, ghost.y + speed * dy, ghost.timer
        if timer:
            timer -= 1
            if timer == 0:
                x, y = float(int(x + 0.5)), float(int(y + 0.5))
        ghost_after = PlainGhost(x, y, action, timer, ghost.home)
        ghosts = (*self.ghosts[: agent - 1], ghost_after, *self.ghosts[agent:])
        return replace(self, ghosts=ghosts).after_meeting(agent - 1)

    def after_meeting(self, number: int) -> PlainState:
        ghost = self.ghosts[number]
        if abs(ghost.x - self.pacman[0]) + abs(ghost.y - self.pacman[1]) > 0.7:
            return self
        if ghost.timer:
            back = PlainGhost(*ghost.home, "Stop", 0, ghost.home)
            return replace(
                self, score=self.score + 200, ghosts=(*self.ghosts[:number], back, *self.ghosts[number + 1 :])
            )
        return self if self.won else replace(self, score=self.score - 500, lost=True)
