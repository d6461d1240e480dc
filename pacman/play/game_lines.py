"""Lines of play: a game, and the branches that go on from one of its positions with other agents.

tree = GameTree(GameLine(game))                    a game in progress, or a recorded one
branch = tree.add(GameLine(other, parent, 12))     from the position after 12 plies of `parent`
tree.next(branch)                                  another line, at the position where the two part
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from pacman.core.state import GameState
from pacman.core.words import counted
from pacman.play.game import Game, Ply, Result
from pacman.play.recording import Replay


class GameLine:
    """A game from its first position on, which can be shown more than once: no ply is played twice.

    `source` is a whole game; with a `parent` it goes on after the first `fork` plies of the parent, unless it is a
    recording that also `has_past`, the plies before. `steer` gets the directions of a person who plays Pacman in this
    line. `ply` is the number of plies shown; a view starts there, and stores there how far it came. `plies` are those
    that are known. `number` is 0 for the main line. `forks` are the plies at which another line leaves this one, and
    `label` says which of the lines this is.
    """

    def __init__(
        self,
        source: Game | Replay,
        parent: GameLine | None = None,
        fork: int = 0,
        *,
        steer: Callable[[str], None] | None = None,
        has_past: bool = False,
    ) -> None:
        self.source, self.parent, self.fork, self.steer = source, parent, fork, steer
        self.start: GameState = parent.start if parent else source.start
        self.names, self.seed, self.move_timeout = source.names, source.seed, source.move_timeout
        self.assumes = source.assumes
        self.ply, self.is_playing, self.number = fork, True, 0
        self.forks: tuple[int, ...] = ()
        self.label = ""
        self.plies: list[Ply] = list(parent.plies[:fork]) if parent and not has_past else []
        self._rest = iter(source)
        self._lock = threading.Lock()

    @property
    def result(self) -> Result | None:
        """The result of the game; None while it goes on."""
        return self.source.result

    def go_to(self, ply: int) -> None:
        """Shows the position after `ply` plies first; after the last known one if the line has fewer plies."""
        for _ in self.plies_from(len(self.plies)) if ply > len(self.plies) else ():
            if len(self.plies) >= ply:
                break
        self.ply = max(0, min(ply, len(self.plies)))

    def __iter__(self) -> Iterator[Ply]:
        return self.plies_from(0)

    def plies_from(self, number: int) -> Iterator[Ply]:
        """The plies after the first `number` ones: those that are known, then new ones."""
        while (ply := self._ply(number)) is not None:
            yield ply
            number += 1

    def _ply(self, number: int) -> Ply | None:
        with self._lock:  # an agent may still think in the thread of a view that has ended
            if number < len(self.plies):
                return self.plies[number]
            ply = next(self._rest, None)
            if ply is not None:
                self.plies.append(ply)
            return ply


class GameTree:
    """The lines of one game. The first one is the main line."""

    def __init__(self, main: GameLine) -> None:
        self.lines = [main]

    def add(self, line: GameLine) -> GameLine:
        """Adds a branch, and returns it."""
        line.number = len(self.lines)
        self.lines.append(line)
        for each in self.lines:
            each.forks = tuple(sorted({self.shared(each, other) for other in self.lines if other is not each}))
            each.label = self._label(each)
        return line

    def next(self, line: GameLine) -> GameLine:
        """The line after this one; after the last one, the main line. It shows the position where the two part."""
        other = self.lines[(line.number + 1) % len(self.lines)]
        other.go_to(min(line.ply, self.shared(line, other)))
        other.is_playing = False
        return other

    def shared(self, one: GameLine, other: GameLine) -> int:
        """How many plies two lines have in common."""
        plies: list[int] = []
        while one is not other:
            if one.number < other.number:
                one, other = other, one
            plies.append(one.fork)
            assert one.parent is not None
            one = one.parent
        return min(plies) if plies else len(one.plies)

    def _label(self, line: GameLine) -> str:
        count = len(self.lines) - 1
        if not line.number:
            return f"main line, {counted(count, 'branch')}"
        return f"branch {line.number} of {count}, from ply {line.fork}: {line.names[0]}"
