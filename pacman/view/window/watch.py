"""One game in one window, frame by frame: what the viewer does, what time does, and what is to be seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from pacman.view.controls import Keyboard
from pacman.view.insight.sight import COMMANDS as SEEING
from pacman.view.insight.sight import Sight
from pacman.view.pace import READY, READY_SECONDS, faster, slower, written
from pacman.view.picture.canvas import Click, Closed, Drag, Event, Key, Release, Screen, Wheel
from pacman.view.picture.frame import Frame
from pacman.view.picture.moment import Moment, Status
from pacman.view.picture.paint import Drawing, Painter, nothing
from pacman.view.picture.scene import Scene
from pacman.view.picture.track import Track
from pacman.view.protocol import After, Showing, Steer
from pacman.view.timeline import Timeline
from pacman.view.window.saved import saved

FPS = 60
THINKING_SECONDS = 0.25
HANDOVER_SECONDS = 0.002
STEP_SPEED = 8.0
"""Plies a second while the game is paused."""
LONGEST_FRAME = 0.1
STUDY_SECONDS = 1.0
"""For so long the game waits for what an overlay is to show."""
BANNER_SECONDS = 2.0
TOAST_SECONDS = 2.5
WISHES = {"again": After.AGAIN, "new seed": After.NEW_SEED, "next layout": After.NEXT_LAYOUT}


@dataclass
class Seat:
    """What stays the viewer's from one game to the next. `speed` is in rounds a second; a game begins as `paused` says.

    After the end the banner stays until he leaves, or with `holds_end` False for a while. `pictures` is where they go.
    """

    painter: Painter
    keyboard: Keyboard
    speed: float
    paused: bool = False
    holds_end: bool = True
    steer: Steer | None = None
    sight: Sight | None = None
    pictures: Path = Path()


class Watch:
    """One game in one window; `run` it, then `stop` it."""

    def __init__(self, seat: Seat, screen: Screen, showing: Showing) -> None:
        self.seat, self.screen, self.showing, self.sight = seat, screen, showing, seat.sight
        self.timeline = Timeline(showing, paused=seat.paused, by_hand=seat.steer is not None)
        self.scene = Scene(showing.start, showing.names)
        self.round = len(showing.start.layers)
        self.waited = 0.0
        self.ready = READY_SECONDS if seat.steer else 0.0
        self.after: After | None = None
        self.is_scrubbing = False
        self.helps = False
        self.saves_picture = False
        self.said, self.saying = "", 0.0
        self.frame: Frame | None = None
        timeline = self.timeline
        self.commands: dict[str, Callable[[], None]] = {
            "play": self.play_or_pause,
            "step": timeline.step,
            "step round": timeline.step_round,
            "back": lambda: self.jump(timeline.back),
            "back round": lambda: self.jump(timeline.back_round),
            "first": lambda: self.seek(0),
            "last": lambda: self.seek(len(timeline.plies)),
            "faster": lambda: self.change_speed(faster),
            "slower": lambda: self.change_speed(slower),
            "picture": self.ask_for_picture,
            "full screen": screen.toggle_full_screen,
            "help": self.toggle_help,
            "leave": lambda: self.end(After.LEAVE),
        } | {wish: lambda after=after: self.end(after) for wish, after in WISHES.items()}

    def stop(self) -> None:
        self.timeline.stop()

    def run(self, check: Callable[[], None] = lambda: None) -> After:
        """What the viewer wants next. `check` is called once a frame, and may raise."""
        while True:
            check()
            for event in self.screen.events():
                self.hear(event)
            if self.after is None and not self.seat.holds_end and self.scene.ended > BANNER_SECONDS:
                self.after = After.NEXT
            if self.after is not None:
                return self.after
            self.draw()
            self.live(min(self.screen.flip(FPS), LONGEST_FRAME))

    # What the viewer does.

    def hear(self, event: Event) -> None:
        match event:
            case Closed():
                self.after = After.LEAVE
            case Key(name, repeated):
                self.press(name, repeated)
            case Click(x, y):
                self.click(x, y)
            case Drag(x, _) if self.is_scrubbing:
                self.scrub(x)
            case Release():
                self.is_scrubbing = False
            case Wheel(steps, x, y):
                self.turn(steps, x, y)

    def press(self, key: str, repeated: bool) -> None:
        turn = self.seat.keyboard.turn(key)
        if turn is not None and self.seat.steer is not None:
            self.seat.steer(turn)
            self.ready = 0.0
        elif self.sight and self.sight.key(key):
            self.pause()
        elif key == "return" and self.is_over:
            self.after = After.NEXT
        elif command := self.seat.keyboard.command(key, repeated=repeated):
            self.do(command)

    def click(self, x: float, y: float) -> None:
        frame = self.frame
        if self.helps:
            self.helps = False
        elif frame is None:
            return
        elif frame.timeline.holds(x, y):
            track = Track(frame.timeline, frame.unit)
            if command := track.command(x, y):
                self.do(command)
            elif x > track.line.left - frame.unit:
                self.is_scrubbing = True
                self.scrub(x)
        elif self.sight and frame.panel.holds(x, y):
            if self.sight.panel.click(x, y):
                self.pause()
        elif frame.stage.holds(x, y):
            self.do("play")

    def turn(self, steps: int, x: float, y: float) -> None:
        """The wheel scrolls the panel, and steps through the game anywhere else."""
        if self.sight and self.frame and self.frame.panel.holds(x, y):
            self.sight.panel.scroll(-2 * steps)
        else:
            self.do("step" if steps < 0 else "back")

    def do(self, command: str) -> None:
        if self.sight and command in SEEING:
            self.say(self.sight.do(command))
        else:
            self.commands[command]()

    def pause(self) -> None:
        if not self.timeline.is_paused:
            self.timeline.play_or_pause()

    def play_or_pause(self) -> None:
        if self.is_over:  # as a player of films does
            self.seek(0)
        self.timeline.play_or_pause()

    def jump(self, move: Callable[[], None]) -> None:
        """Shows at once the place to which `move` takes the time line."""
        move()
        self.scene.jump(self.timeline.state(), self.timeline.at)
        self.waited = 0.0

    def seek(self, at: int) -> None:
        self.jump(lambda: self.timeline.seek(at))

    def scrub(self, x: float) -> None:
        assert self.frame is not None
        self.seek(Track(self.frame.timeline, self.frame.unit).ply(x, len(self.timeline.plies)))

    def change_speed(self, change: Callable[[float], float]) -> None:
        self.seat.speed = change(self.seat.speed)

    def toggle_help(self) -> None:
        self.helps = not self.helps

    def ask_for_picture(self) -> None:
        self.saves_picture = True

    def end(self, after: After) -> None:
        self.after = after

    def say(self, text: str) -> None:
        self.said, self.saying = text, TOAST_SECONDS if text else 0.0

    # What time does.

    @property
    def is_over(self) -> bool:
        return self.timeline.is_over and not self.scene.is_gliding

    @property
    def speed(self) -> float:
        """Plies a second, as of now: a pause lets a glide end, soon."""
        playing = self.seat.speed * self.round
        if not self.timeline.is_paused:
            return playing
        waiting = self.timeline.goal - self.timeline.at
        return max(STEP_SPEED * (1 + waiting), min(playing, 4 * STEP_SPEED))

    def live(self, seconds: float) -> None:
        """Lets that much time pass, in which several short beats may come and go."""
        self.saying -= seconds
        while seconds > 0:
            if not self.scene.is_gliding:
                self.next_beat(seconds)
            rest = self.scene.left / self.speed if self.scene.is_gliding else seconds
            slice_, seconds = min(rest, seconds), seconds - rest
            self.scene.advance(slice_, self.speed)

    def next_beat(self, seconds: float) -> None:
        """Begins what glides next: a round, or what is there of it when an agent thinks for long."""
        timeline = self.timeline
        if timeline.is_over:
            self.scene.end(self.showing.result)
            return
        if timeline.at >= timeline.goal:
            return
        if self.ready > 0:
            self.ready -= seconds
            return
        self.waited += seconds
        if self.sight and not self.sight.look(timeline.state()) and self.waited < STUDY_SECONDS:
            return
        beat = timeline.beat()
        while not timeline.is_whole(beat):
            before = len(timeline.plies)
            timeline.pull(HANDOVER_SECONDS)
            beat = timeline.beat()
            if len(timeline.plies) == before:
                if timeline.is_known or (beat and self.waited > THINKING_SECONDS):
                    break
                return
        if beat:
            timeline.advance(len(beat))
            self.scene.begin(beat)
            self.waited = 0.0

    # What is to be seen.

    def moment(self) -> Moment:
        timeline = self.timeline
        thinking = 0.0 if self.scene.is_gliding or self.waited < THINKING_SECONDS else timeline.thinking
        return self.scene.moment(
            Status(
                pace=written(self.seat.speed),
                paused=timeline.is_paused,
                rounds=timeline.rounds,
                thinking=thinking,
                seconds=timeline.think_times(),
                limit=self.showing.move_timeout,
                shown=timeline.at,
                known=len(timeline.plies),
                marks=tuple(timeline.marks),
                is_whole=timeline.is_known,
                hint=self.hint if self.seat.holds_end else "",
            )
        )

    @property
    def hint(self) -> str:
        """What can be done at the end."""
        words = {"again": "R  again", "new seed": "N  new game", "leave": "Q  leave"}
        there = {control.command for control in self.seat.keyboard.controls}
        return "     ".join(text for command, text in words.items() if command in there)

    def draw(self) -> None:
        canvas, sight, painter = self.screen.canvas(), self.sight, self.seat.painter
        moment = self.moment()
        under: Drawing = nothing
        over: Drawing = nothing
        if sight:
            sight.look(moment.before if self.scene.is_gliding else moment.after)
            under, over = sight.drawings(moment)
            if sight.is_open and (node := sight.panel.position) is not None:
                under, over = sight.way, nothing  # what else there is to draw is about the root
                moment = replace(
                    moment, before=node, after=node, fraction=1.0, mover=node.mover, result=None, floats=()
                )
        self.frame = Frame.fit(
            canvas.width, canvas.height, moment.after.maze, panel=sight is not None and sight.is_open
        )
        painter.paint(canvas, moment, self.frame, under, over)
        if sight and self.frame.panel.width:
            sight.panel.draw(canvas, self.frame.panel, self.frame.unit)
        if self.saves_picture:
            self.saves_picture = False
            self.say(saved(canvas, self.seat.pictures, self.timeline.at))
        if line := self.line:
            painter.toast(canvas, self.frame, line)
        if self.helps:
            painter.help(canvas, self.seat.keyboard.help() + (sight.help() if sight else ()))

    @property
    def line(self) -> str:
        """What is said over the foot of the board; a panel says itself why there is no tree."""
        if self.saying > 0:
            return self.said
        if self.ready > 0:
            return READY
        has_panel = self.frame is not None and self.frame.panel.width > 0
        return self.sight.trouble if self.sight and not has_panel else ""
