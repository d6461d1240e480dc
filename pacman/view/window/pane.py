"""One of the games in a window: its place, its picture while time passes, and what is seen of a search in it."""

from __future__ import annotations

from dataclasses import replace

from pacman.view.analysis.search_display import SearchDisplay
from pacman.view.picture.animation import Animation
from pacman.view.picture.canvas import Canvas, text_width
from pacman.view.picture.paint import Drawing, Painter, nothing
from pacman.view.picture.regions import Regions
from pacman.view.picture.snapshot import Status
from pacman.view.protocol import ViewedGame
from pacman.view.timeline import Timeline

THINKING_SECONDS = 0.25
HANDOVER_SECONDS = 0.002
STUDY_SECONDS = 1.0
"""For so long a game waits for what an overlay is to show."""
FACTS = 30
"""Units that the facts at the top left take, the score and so on."""


class Pane:
    """A game, and the part of the window that shows it; `sight` is None where no search can be seen."""

    def __init__(self, showing: ViewedGame, painter: Painter, sight: SearchDisplay | None, by_hand: bool) -> None:
        self.showing, self.painter, self.sight = showing, painter, sight
        self.timeline = Timeline(showing, by_hand=by_hand)
        self.scene = Animation(showing.start, showing.names)
        self.frame = Regions.fit(1, 1, showing.start.maze)
        """Where everything was drawn last."""
        self.waited = 0.0
        """Seconds for which the next beat has been waited for."""

    @property
    def is_due(self) -> bool:
        """It has further to go."""
        return not self.timeline.is_over and self.timeline.at < self.timeline.goal

    @property
    def is_over(self) -> bool:
        return self.timeline.is_over and not self.scene.is_gliding

    @property
    def trouble(self) -> str:
        """Why nothing of a search is on the board; a panel says itself why there is no tree."""
        return self.sight.error if self.sight and not self.frame.panel.width else ""

    def has_study(self) -> bool:
        """What is to be seen of a search of this position is there, or will not come."""
        return not self.sight or self.sight.update(self.timeline.state()) or self.waited >= STUDY_SECONDS

    def has_beat(self, alone: bool) -> bool:
        """Fetches plies; True when the next round is there, or nothing more will come.

        Where it is `alone`, a part of a round will do when an agent thinks for long.
        """
        timeline = self.timeline
        while not timeline.is_whole(timeline.beat()):
            before = len(timeline.plies)
            timeline.pull(HANDOVER_SECONDS)
            if len(timeline.plies) == before:
                return timeline.is_known or (alone and bool(timeline.beat()) and self.waited > THINKING_SECONDS)
        return True

    def begin(self) -> None:
        """What is there of the next round begins to glide."""
        beat = self.timeline.beat()
        if beat:
            self.timeline.advance(len(beat))
            self.scene.begin(beat)
            self.waited = 0.0

    def jump(self) -> None:
        """Shows at once the place where the time line is."""
        self.scene.jump(self.timeline.state(), self.timeline.at)
        self.waited = 0.0

    def draw(self, canvas: Canvas, status: Status, alone: bool) -> None:
        """Paints the game; where it is not `alone`, without a time line, and with its agent's name at the top."""
        timeline, sight, theme = self.timeline, self.sight, self.painter.theme
        is_quick = self.scene.is_gliding or self.waited < THINKING_SECONDS
        moment = self.scene.moment(
            replace(
                status,
                rounds=timeline.rounds,
                thinking=0.0 if is_quick else timeline.thinking,
                seconds=timeline.think_times(),
                limit=self.showing.move_timeout,
            )
        )
        under: Drawing = nothing
        over: Drawing = nothing
        if sight:
            sight.update(moment.before if self.scene.is_gliding else moment.after)
            under, over = sight.drawings(moment)
            if sight.is_open and (node := sight.panel.position) is not None:
                under, over = sight.draw_paths, nothing  # what else there is to draw is about the root
                moment = replace(
                    moment, before=node, after=node, fraction=1.0, mover=node.mover, result=None, floats=()
                )
        is_open = sight is not None and sight.is_open
        frame = self.frame = Regions.fit(canvas.width, canvas.height, moment.after.maze, timeline=alone, panel=is_open)
        self.painter.paint(canvas, moment, frame, under, over)
        if sight and frame.panel.width:
            sight.panel.draw(canvas, frame.panel, frame.unit)
        name, size = self.showing.names[0], 2.5 * frame.unit
        if not alone and frame.bar.width > FACTS * frame.unit + text_width(name, size):
            right, ink = frame.bar.right - 1.6 * frame.unit, theme.readable(theme.pacman, theme.background)
            canvas.text(name, right, frame.bar.height / 2, size, ink, 1.0)
