"""One of the games in a window: its time line, its animation, and the search that is shown with it."""

from __future__ import annotations

from dataclasses import replace

from pacman.core.layout import name_of
from pacman.picture.canvas import Canvas, text_width
from pacman.picture.moment import Animation, Status
from pacman.picture.notices import SENTENCES_HEIGHT, Message, draw_sentences
from pacman.picture.paint import Drawing, Painter, nothing
from pacman.picture.screen_regions import LECTURE, LIST, Regions
from pacman.view.speed import REPORT_SECONDS, THINKING_SECONDS
from pacman.view.timeline import Timeline
from pacman.view.view_protocol import ViewedGame, layers_for_search
from pacman.view.window.search_display import SearchDisplay

HANDOVER_SECONDS = 0.002
FACTS = 26
"""The width of the score and the other facts at the top left, in units."""


class Pane:
    """A game, and the part of the window that shows it. `search` is None if the window shows no search."""

    def __init__(self, game: ViewedGame, painter: Painter, search: SearchDisplay | None, has_player: bool) -> None:
        self.game, self.painter, self.search = game, painter, search
        self.timeline = Timeline(game, has_player=has_player)
        self.animation = Animation(game.start, game.names)
        self.regions = Regions.fit(1, 1, game.start.maze)
        """The regions of the latest frame."""
        self.visible = self.animation.visible()
        """The picture of the latest frame."""
        self.layout = name_of(game.start.maze)
        self.waiting_seconds = 0.0
        """The seconds that the next round has been waiting to begin."""
        if self.timeline.ply:
            self.jump()

    @property
    def is_due(self) -> bool:
        """True if the game has not reached its goal, and does not wait at a stop of the quiz."""
        is_stopped = self.search is not None and self.search.quiz.is_stopping(self.timeline.state())
        return not is_stopped and not self.timeline.is_over and self.timeline.ply < self.timeline.goal

    @property
    def is_over(self) -> bool:
        """True if the end of the game is shown and the last glide is finished."""
        return self.timeline.is_over and not self.animation.is_gliding

    @property
    def trouble(self) -> str:
        """The reason why the board shows no search, or "". An open panel, or the end of the game, comes first."""
        return self.search.error if self.search and not self.regions.panel.width and not self.is_over else ""

    def is_report_ready(self) -> bool:
        """True if the report for this position is ready, or none will come, or the game has waited long enough."""
        return not self.search or self.search.update(self.timeline.state()) or self.waiting_seconds >= REPORT_SECONDS

    def fetch_round(self, is_single: bool) -> bool:
        """Fetches plies; True if the next round can begin, or no more plies will come.

        If an agent thinks for long and the window `is_single`, a part of a round can begin too.
        """
        timeline = self.timeline
        while not timeline.is_ready(timeline.next_plies()):
            before = len(timeline.plies)
            timeline.pull(HANDOVER_SECONDS)
            if len(timeline.plies) == before:
                is_slow = self.waiting_seconds > THINKING_SECONDS
                return timeline.is_complete or (is_single and is_slow and bool(timeline.next_plies()))
        return True

    def begin(self) -> None:
        """Begins the glide of the available plies of the next round."""
        plies = self.timeline.next_plies()
        if plies:
            self.timeline.advance(len(plies))
            self.animation.begin(plies)
            self.waiting_seconds = 0.0

    def jump(self) -> None:
        """Shows the ply of the time line at once, without a glide."""
        self.animation.jump(self.timeline.state(), self.timeline.ply)
        self.waiting_seconds = 0.0

    def draw(self, canvas: Canvas, status: Status, is_single: bool, message: Message | None = None) -> None:
        """Paints the game; unless the window `is_single`, without a time line, and with two names at the top."""
        timeline, search, theme = self.timeline, self.search, self.painter.theme
        visible = self.animation.visible(self._own_status(status, is_single))
        under: Drawing = nothing
        over: Drawing = nothing
        if search:
            search.update(visible.before if self.animation.is_gliding else visible.after, timeline.is_over)
            under, over = search.drawings(visible)
            if search.is_open and (node := search.panel.position) is not None:
                under, over = search.draw_paths, nothing  # the other drawings are about the root
                visible = replace(
                    visible, before=node, after=node, fraction=1.0, mover=node.mover, result=None, rising_points=()
                )
        self.visible = visible
        maze = visible.after.maze
        words = search.words if search else ""
        regions = self.regions = Regions.fit(
            canvas.width,
            canvas.height,
            maze,
            timeline=is_single,
            is_part=not is_single,
            panel=(LECTURE if search.is_lecture else LIST) if search and search.is_open and is_single else None,
            words=SENTENCES_HEIGHT if search and search.has_words else 0.0,
            table=search.table_size(len(visible.after.layers)) if search else None,
        )
        if message is None and self.trouble:
            message = Message(self.trouble)
        self.painter.paint(canvas, visible, regions, under, over, message)
        if regions.words.height and words:
            draw_sentences(canvas, regions.words, regions.unit, words, theme)
        if search and regions.panel.width:
            search.panel.draw(canvas, regions.panel, regions.unit)
        if not is_single:
            self._draw_name(canvas)

    def _own_status(self, status: Status, is_single: bool) -> Status:
        """The status of all games together, with what the bars show of this game."""
        timeline, search = self.timeline, self.search
        is_quick = self.animation.is_gliding or self.waiting_seconds < THINKING_SECONDS
        return replace(
            status,
            rounds=timeline.rounds,
            thinking_seconds=0.0 if is_quick else timeline.thinking_seconds,
            move_seconds=timeline.think_times(),
            move_timeout=self.game.move_timeout,
            layout=self.layout if is_single else "",
            seed=self.game.seed if is_single else None,
            layers=(search.layers if search else ()) or layers_for_search(self.game.start, self.game.assumes),
        )

    def _draw_name(self, canvas: Canvas) -> None:
        """Draws Pacman's name and the layout at the top right, in letters that fit; or only the name, or nothing."""
        unit, bar, theme = self.regions.unit, self.regions.bar, self.painter.theme
        name, room = self.game.names[0], bar.width - FACTS * unit
        for words in [f"{name} on {self.layout}", name] if self.layout else [name]:
            for size in (2.5 * unit, 2.1 * unit, 1.7 * unit):
                if text_width(words, size) < room:
                    ink = theme.readable(theme.pacman, theme.background)
                    canvas.text(words, bar.right - 1.6 * unit, bar.height / 2, size, ink, 1.0)
                    return
