"""A game in a window: drawn here, played in a thread beside it, at the viewer's pace."""

from __future__ import annotations

from collections.abc import Callable

from pacman.game import Ply
from pacman.view.canvas import Closed, Screen
from pacman.view.feed import Feed
from pacman.view.moment import ENDING_SECONDS, Scene, is_round_over
from pacman.view.pace import TURNS, Pace
from pacman.view.paint import Painter
from pacman.view.protocol import Showing, Steer
from pacman.view.theme import DARK, Theme

FPS = 60
SIZE = 1280, 800
THINKING_SECONDS = 0.25
HANDOVER_SECONDS = 0.002
STEP_SPEED = 6.0
LONGEST_FRAME = 0.1
BANNER_SECONDS = 2.0


class Window:
    """Shows games in a window that can be resized.

    `speed` is in plies a second; everyone who moves in a round glides together. `steer` is told of the arrow keys and
    W A S D. After the end the banner stays until a key, or with `hold_end` False for two seconds. The window closes
    when a game has been shown, unless `close_at_end` is False: then the next game is shown in it, until `close`.
    `screen` opens the window. InputError when there is no display.
    """

    def __init__(
        self,
        speed: float = 10.0,
        steer: Steer | None = None,
        *,
        theme: Theme = DARK,
        size: tuple[int, int] = SIZE,
        hold_end: bool = True,
        close_at_end: bool = True,
        paused: bool = False,
        screen: Callable[[int, int, str], Screen] = Screen,
    ) -> None:
        self.pace = Pace(speed, steer, paused)
        self._hold_end, self._close_at_end = hold_end, close_at_end
        self._size, self._open = size, screen
        self._painter = Painter(theme)
        self._screen: Screen | None = None

    def show(self, showing: Showing) -> bool:
        title = f"Pacman: {', '.join(showing.names)} (seed {showing.seed})"
        if self._screen is None:
            self._screen = self._open(*self._size, title)
        self._screen.title(title)
        feed = Feed(showing)
        seen = False
        try:
            seen = _Watch(self._screen, self._painter, self.pace, showing, feed, self._hold_end).run()
        finally:
            feed.stop()
            if self._close_at_end or not seen:
                self.close()
        return seen

    def close(self) -> None:
        if self._screen is not None:
            self._screen.close()
            self._screen = None


class _Watch:
    """One game in one window, frame by frame."""

    def __init__(
        self, screen: Screen, painter: Painter, pace: Pace, showing: Showing, feed: Feed, hold_end: bool
    ) -> None:
        self.screen, self.painter, self.pace, self.showing, self.feed = screen, painter, pace, showing, feed
        self.hold_end = hold_end
        self.scene = Scene(showing.start, showing.names)
        self.round = len(showing.start.layers)
        self.taken = 0
        self.beat: list[Ply] = []  # what has come of the round that is to glide next
        self.waited = 0.0
        self.is_step = False  # one ply glides though the game is paused
        self.over = False
        self.dismissed = False

    def run(self) -> bool:
        """True when the game was seen to its end."""
        while True:
            self.listen()
            if self.pace.left or self.is_seen:
                return self.over
            self.draw()
            self.live(min(self.screen.flip(FPS), LONGEST_FRAME))

    def listen(self) -> None:
        for event in self.screen.events():
            if isinstance(event, Closed):
                self.pace.left = True
                continue
            # Whoever still steers when he is caught shall see the banner, so turns do not dismiss it.
            if self.over and self.scene.ended > ENDING_SECONDS and event.name not in (*TURNS, "h", "?"):
                self.dismissed = True
            self.pace.press(event.name)

    @property
    def is_seen(self) -> bool:
        return self.over and (self.dismissed or (not self.hold_end and self.scene.ended > BANNER_SECONDS))

    @property
    def speed(self) -> float:
        """Plies a second, as of now."""
        if self.is_step:
            return STEP_SPEED
        return 0.0 if self.pace.paused else self.pace.speed

    def live(self, seconds: float) -> None:
        """Lets that much time pass, in which several short beats may come and go."""
        while seconds > 0:
            if not self.scene.is_gliding:
                self.is_step = False
                self.next_beat(seconds)
            rest = self.scene.left / self.speed if self.speed and self.scene.is_gliding else seconds
            slice_, seconds = min(rest, seconds), seconds - rest
            self.scene.advance(slice_, self.speed)

    def next_beat(self, seconds: float) -> None:
        """Begins what glides next: a round, or one ply of it when stepping. Nothing while an agent thinks."""
        if self.over or (self.pace.paused and not self.pace.steps):
            return
        self.waited += seconds
        while not self.is_ready:
            # A person's turn is asked for only when it is due, so that the latest key counts.
            self.feed.allow(self.taken + (1 if self.pace.steer else 2 * self.round))
            self.feed.wait(HANDOVER_SECONDS)
            ply = self.feed.take()
            if ply is not None:
                self.beat.append(ply)
                self.taken += 1
            elif self.feed.is_over:
                break
            elif self.waited < THINKING_SECONDS or not self.beat:
                return
            else:
                break
        if self.beat:
            self.begin()
        elif self.feed.is_over:
            self.over = True
            self.scene.end(self.showing.result)

    @property
    def is_ready(self) -> bool:
        return bool(self.beat) and (self.pace.paused or is_round_over(self.beat[-1]))

    def begin(self) -> None:
        if self.pace.paused:
            self.is_step = True
            self.pace.steps -= 1
        now, self.beat = (self.beat[:1], self.beat[1:]) if self.pace.paused else (self.beat, [])
        self.scene.begin(now)
        self.waited = 0.0

    def draw(self) -> None:
        canvas = self.screen.canvas()
        thinking = self.waited > THINKING_SECONDS and not self.scene.is_gliding and not self.over
        moment = self.scene.moment(
            pace=str(self.pace),
            paused=self.pace.paused,
            thinking=thinking,
            hint="press a key" if self.over and self.hold_end else "",
        )
        self.painter.paint(canvas, moment)
        if self.pace.help:
            self.painter.help(canvas, self.pace.key_help())
