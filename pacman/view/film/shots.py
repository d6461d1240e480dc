"""The moments of a film, one a frame: a recorded game, cut into rounds that glide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pacman.play.game import Ply
from pacman.view.picture.animation import Animation
from pacman.view.picture.snapshot import Snapshot, Status
from pacman.view.protocol import ViewedGame
from pacman.view.timeline import is_round_over

END_SECONDS = 2.5


class FilmFrames:
    """The moments of a film, one a frame, of a game that is played first. They can be gone through again and again."""

    def __init__(self, showing: ViewedGame, speed: float, max_seconds: float | None = None, fps: int = 20) -> None:
        self._showing, self._fps = showing, fps
        self._speed = speed * len(showing.start.layers)
        self._beats: list[list[Ply]] = [[]]
        for ply in showing:
            self._beats[-1].append(ply)
            if is_round_over(ply):
                self._beats.append([])
        self._beats = [beat for beat in self._beats if beat]
        self._most = None if max_seconds is None else max(1, round(max_seconds * fps))

    def _frames(self, beat: list[Ply]) -> int:
        return max(1, round(self._fps * len(beat) / self._speed))

    def __len__(self) -> int:
        whole = 1 + sum(map(self._frames, self._beats)) + round(self._fps * END_SECONDS)
        return whole if self._most is None else min(whole, self._most)

    def __iter__(self) -> Iterator[Snapshot]:
        for number, moment in enumerate(self._all()):
            if number == self._most:
                return
            yield moment

    @property
    def last(self) -> Snapshot:
        *_, last = self
        return last

    def _all(self) -> Iterator[Snapshot]:
        scene = Animation(self._showing.start, self._showing.names)
        seconds = [0.0] * len(self._showing.start.layers)
        status = Status(seconds=tuple(seconds), limit=self._showing.move_timeout)
        yield scene.moment(status)
        for number, beat in enumerate(self._beats, 1):
            scene.begin(beat)
            for ply in beat:
                seconds[ply.agent] = ply.seconds
            status = replace(status, rounds=number, seconds=tuple(seconds))
            frames = self._frames(beat)
            for _ in range(frames):
                scene.advance(1 / self._fps, self._fps * len(beat) / frames)
                yield scene.moment(status)
        scene.end(self._showing.result)
        for _ in range(round(self._fps * END_SECONDS)):
            scene.advance(1 / self._fps, 1.0)
            yield scene.moment(status)
