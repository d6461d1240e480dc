"""One of several games beside one another: where it is, how it is painted, and the studies of its positions."""

from __future__ import annotations

from pacman.view.insight.desk import Desk
from pacman.view.insight.overlay import NONE
from pacman.view.insight.sight import drawings
from pacman.view.insight.study import Think
from pacman.view.picture.canvas import Canvas, text_width
from pacman.view.picture.frame import Frame
from pacman.view.picture.moment import Moment, Status
from pacman.view.picture.paint import Painter
from pacman.view.picture.scene import Scene
from pacman.view.protocol import Showing
from pacman.view.theme import Theme
from pacman.view.timeline import Timeline

STUDY_SECONDS = 1.0
"""For so long a round waits for what an overlay is to show."""
FACTS = 30
"""Units that the facts at the top left take, the score and so on."""


class Lane:
    """One of the games: where it is, who paints it, and the studies of its positions."""

    def __init__(self, showing: Showing, theme: Theme, think: Think | None, paused: bool) -> None:
        self.showing = showing
        self.timeline = Timeline(showing, paused=paused)
        self.scene = Scene(showing.start, showing.names)
        self.painter = Painter(theme)
        self.desk = None if think is None else Desk(think)
        self.waited = 0.0
        """Seconds for which the study of the position that is shown has been waited for."""

    @property
    def is_due(self) -> bool:
        """It has further to go."""
        return not self.timeline.is_over and self.timeline.at < self.timeline.goal

    @property
    def is_ready(self) -> bool:
        """The rest of its round is there, or nothing more will come."""
        return self.timeline.is_whole(self.timeline.beat()) or self.timeline.is_known

    def has_study(self, name: str) -> bool:
        """What the overlay shows of this position is there, or will not come."""
        state = self.timeline.state()
        if self.desk is None or name == NONE or self.desk.ask(state) is not None:
            return True
        return not self.desk.is_busy(state) or self.waited > STUDY_SECONDS

    def begin(self) -> None:
        """Its next round begins to glide."""
        self.waited = 0.0
        beat = self.timeline.beat()
        if beat:
            self.timeline.advance(len(beat))
            self.scene.begin(beat)

    def jump(self) -> None:
        """Shows at once the place where the time line is."""
        self.scene.jump(self.timeline.state(), self.timeline.at)

    def moment(self) -> Moment:
        """What is to be seen of it now."""
        timeline = self.timeline
        return self.scene.moment(
            Status(
                paused=timeline.is_paused,
                rounds=timeline.rounds,
                thinking=0.0 if self.scene.is_gliding else timeline.thinking,
                seconds=timeline.think_times(),
                limit=self.showing.move_timeout,
            )
        )

    def draw(self, canvas: Canvas, overlay: str) -> None:
        """Paints the game on a canvas of its own, with its agent's name at the top if there is room."""
        moment, theme = self.moment(), self.painter.theme
        frame = Frame.fit(canvas.width, canvas.height, moment.after.maze, timeline=False)
        state = moment.before if self.scene.is_gliding else moment.after
        study = self.desk.ask(state) if self.desk is not None and overlay != NONE else None
        self.painter.paint(canvas, moment, frame, *drawings(study, overlay, theme, moment))
        if self.desk is not None and overlay != NONE and (trouble := self.desk.trouble(state)):
            self.painter.toast(canvas, frame, trouble)
        name, size = self.showing.names[0], 2.5 * frame.unit
        if frame.bar.width > FACTS * frame.unit + text_width(name, size):
            right, ink = frame.bar.right - 1.6 * frame.unit, theme.readable(theme.pacman, theme.background)
            canvas.text(name, right, frame.bar.height / 2, size, ink, 1.0)

    def stop(self) -> None:
        self.timeline.stop()
        if self.desk is not None:
            self.desk.stop()
