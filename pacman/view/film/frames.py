"""The snapshots of a film, one per frame: each round of the game is one glide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pacman.play.game import Ply
from pacman.view.picture.animation import Animation
from pacman.view.picture.visible_state import Status, VisibleState
from pacman.view.timeline import is_round_over
from pacman.view.view_protocol import ViewedGame

END_SECONDS = 2.5


class FilmFrames:
    """The snapshots of a film, one per frame. It first plays the whole game; then it can be iterated again and again.

    `speed` is in rounds per second; after `max_seconds` the film ends. Before each move of Pacman the picture stands
    still for `hold` seconds.
    """

    def __init__(
        self, game: ViewedGame, speed: float, max_seconds: float | None = None, fps: int = 20, hold: float = 0.0
    ) -> None:
        self._game, self._fps, self._hold = game, fps, round(hold * fps)
        self._plies_per_second = speed * len(game.start.layers)
        rounds: list[list[Ply]] = [[]]
        for ply in game:
            rounds[-1].append(ply)
            if is_round_over(ply):
                rounds.append([])
        self._rounds = [plies for plies in rounds if plies]
        self._max_frames = None if max_seconds is None else max(1, round(max_seconds * fps))

    def _frames(self, plies: list[Ply]) -> int:
        """The number of frames of a glide."""
        return max(1, round(self._fps * len(plies) / self._plies_per_second))

    def _still_frames(self, plies: list[Ply]) -> int:
        """The number of frames before a glide."""
        return self._hold if plies[0].agent == 0 else 0

    def __len__(self) -> int:
        frames = 1 + sum(self._still_frames(plies) + self._frames(plies) for plies in self._rounds)
        frames += round(self._fps * END_SECONDS)
        return frames if self._max_frames is None else min(frames, self._max_frames)

    def __iter__(self) -> Iterator[VisibleState]:
        for number, visible in enumerate(self._all()):
            if number == self._max_frames:
                return
            yield visible

    @property
    def last(self) -> VisibleState:
        """The snapshot of the last frame."""
        *_, last = self
        return last

    def _all(self) -> Iterator[VisibleState]:
        animation = Animation(self._game.start, self._game.names)
        seconds = [0.0] * len(self._game.start.layers)
        status = Status(move_seconds=tuple(seconds), move_timeout=self._game.move_timeout)
        yield animation.visible(status)
        for number, plies in enumerate(self._rounds, 1):
            for _ in range(self._still_frames(plies)):
                animation.advance(1 / self._fps, 1.0)
                yield animation.visible(status)
            animation.begin(plies)
            for ply in plies:
                seconds[ply.agent] = ply.seconds
            status = replace(status, rounds=number, move_seconds=tuple(seconds))
            frames = self._frames(plies)
            for _ in range(frames):
                animation.advance(1 / self._fps, self._fps * len(plies) / frames)
                yield animation.visible(status)
        animation.end(self._game.result)
        for _ in range(round(self._fps * END_SECONDS)):
            animation.advance(1 / self._fps, 1.0)
            yield animation.visible(status)
