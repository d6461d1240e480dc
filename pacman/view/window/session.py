"""Games in one window, frame by frame: what the viewer does, what time does, and what is to be seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.view.analysis.search_display import COMMANDS as SEEING
from pacman.view.controls import Keyboard
from pacman.view.picture.canvas import Canvas, Click, Closed, Drag, Event, Key, Release, Screen, Wheel
from pacman.view.picture.notices import help_panel, toast
from pacman.view.picture.regions import TIMELINE, Box, small_text
from pacman.view.picture.snapshot import Status
from pacman.view.picture.timeline_bar import TimelineBar
from pacman.view.protocol import WISHES, After, ViewedGame
from pacman.view.speed import CHANGES, READY, READY_SECONDS, written
from pacman.view.timeline import JUMPS, MOVES
from pacman.view.window.pane import Pane

if TYPE_CHECKING:
    from pacman.view.window.window import Window

FPS = 60
STEP_SPEED = 8.0
"""Plies a second while the game is paused."""
LONGEST_FRAME = 0.1
BANNER_SECONDS = 2.0
TOAST_SECONDS = 2.5
HINTS = {"again": "R  again", "new seed": "N  new game", "leave": "Q  leave"}


class Session:
    """One game, or several side by side in the same round, until the viewer wants something else."""

    def __init__(self, window: Window, screen: Screen, showings: Sequence[ViewedGame]) -> None:
        self.window, self.screen = window, screen
        self.alone = len(showings) == 1
        by_hand = window.steer is not None
        self.panes = [
            Pane(showing, window.painter, sight, by_hand) for showing, sight in zip_longest(showings, window.sights)
        ]
        self.keyboard = Keyboard(window.commands - (set() if self.alone else {"tree"}), steers=by_hand)
        self.ready = READY_SECONDS if by_hand else 0.0
        self.after: After | None = None
        self.is_scrubbing = self.helps = self.saves_picture = False
        self.message, self.message_seconds = "", 0.0
        self.track: TimelineBar | None = None
        """The time line that was drawn last, if there was room for it."""

    def stop(self) -> None:
        for pane in self.panes:
            pane.timeline.stop()

    def run(self, check: Callable[[], None] = lambda: None) -> After:
        """What the viewer wants next. `check` is called once a frame, and may raise."""
        while True:
            check()
            for event in self.screen.events():
                self.hear(event)
            if not self.window.hold_end and all(pane.scene.now.ended > BANNER_SECONDS for pane in self.panes):
                self.after = self.after or After.NEXT
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
        turn = self.keyboard.turn(key)
        if turn is not None and self.window.steer is not None:
            self.window.steer(turn)
            self.ready = 0.0
        elif any(sight.key(key) for sight in self.window.sights):
            self.pause()
        elif key == "return" and self.is_over:
            self.after = After.NEXT
        elif command := self.keyboard.command(key, repeated=repeated):
            self.do(command)

    def click(self, x: float, y: float) -> None:
        frame, track = self.panes[0].frame, self.track
        if self.helps:
            self.helps = False
        elif track is not None and track.box.holds(x, y):
            if command := track.command(x, y):
                self.do(command)
            elif x > track.line.left - track.unit:
                self.is_scrubbing = True
                self.scrub(x)
        elif frame.panel.holds(x, y):
            if self.window.sights[0].panel.click(x, y):
                self.pause()
        elif frame.stage.holds(x, y) or not self.alone:
            self.do("play")

    def turn(self, steps: int, x: float, y: float) -> None:
        """The wheel scrolls the panel, and steps through the game anywhere else."""
        if self.panes[0].frame.panel.holds(x, y):
            self.window.sights[0].panel.scroll(-2 * steps)
        else:
            self.do("step" if steps < 0 else "back")

    def do(self, command: str) -> None:
        """Does what the viewer asks for, with every game alike."""
        window = self.window
        if command in SEEING:
            (message,) = {sight.do(command) for sight in window.sights}
            self.say(message)
        elif move := MOVES.get(command):
            if command == "play" and self.is_over:  # as a player of films does
                self.seek(0)
            for pane in self.panes:
                move(pane.timeline)
                if command in JUMPS:
                    pane.jump()
        elif change := CHANGES.get(command):
            window.speed = change(window.speed)
        elif command == "picture":
            self.saves_picture = True
        elif command == "full screen":
            self.screen.toggle_full_screen()
        elif command == "help":
            self.helps = not self.helps
        else:
            self.after = WISHES[command]

    def pause(self) -> None:
        if not self.is_paused:
            self.do("play")

    def seek(self, at: int) -> None:
        for pane in self.panes:
            pane.timeline.seek(at)
            pane.jump()

    def scrub(self, x: float) -> None:
        if self.track is not None:
            self.seek(self.track.ply(x, self.known))

    def say(self, message: str) -> None:
        self.message, self.message_seconds = message, TOAST_SECONDS if message else 0.0

    # What time does.

    @property
    def at(self) -> int:
        return max(pane.timeline.at for pane in self.panes)

    @property
    def known(self) -> int:
        return max(len(pane.timeline.plies) for pane in self.panes)

    @property
    def is_paused(self) -> bool:
        return all(pane.timeline.is_paused for pane in self.panes)

    @property
    def is_over(self) -> bool:
        return all(pane.is_over for pane in self.panes)

    @property
    def speed(self) -> float:
        """Plies a second, as of now: a pause lets a glide end, soon."""
        playing = self.window.speed * len(self.panes[0].showing.start.layers)
        if not self.is_paused:
            return playing
        waiting = max(pane.timeline.goal - pane.timeline.at for pane in self.panes)
        return max(STEP_SPEED * (1 + waiting), min(playing, 4 * STEP_SPEED))

    def live(self, seconds: float) -> None:
        """Lets that much time pass, in which several short beats may come and go."""
        self.message_seconds -= seconds
        while seconds > 0:
            if not any(pane.scene.is_gliding for pane in self.panes):
                self.next_beat(seconds)
            speed = self.speed
            slice_ = min([seconds, *(pane.scene.left / speed for pane in self.panes if pane.scene.is_gliding)])
            seconds -= slice_
            for pane in self.panes:
                pane.scene.advance(slice_, speed)

    def next_beat(self, seconds: float) -> None:
        """Begins a round in every pane at once, when all who play on have theirs, and the studies before it."""
        for pane in self.panes:
            if pane.timeline.is_over:
                pane.scene.end(pane.showing.result)
        due = [pane for pane in self.panes if pane.is_due]
        if due and self.ready > 0:
            self.ready -= seconds
            return
        for pane in due:
            pane.waited += seconds
        lacking = [pane for pane in due if not (pane.has_study() and pane.has_beat(self.alone))]
        for pane in due if not lacking else ():
            pane.begin()

    # What is to be seen.

    def draw(self) -> None:
        canvas, theme, status = self.screen.canvas(), self.window.theme, self.status()
        unit, wide = small_text(canvas.width, canvas.height), canvas.width // len(self.panes)
        foot = 0 if self.alone or canvas.height < 18 * unit else round(TIMELINE * unit)
        tall, thick = canvas.height - foot, max(1, round(0.12 * unit))
        parts = [canvas.part(place * wide, 0, wide, tall) for place in range(len(self.panes))]
        if not self.alone:
            canvas.fill(theme.background)
        for place, (pane, part) in enumerate(zip(self.panes, parts, strict=True)):
            pane.draw(part, status if self.alone else replace(status, pace="", hint=""), self.alone)
            if place:
                canvas.box(place * wide - thick / 2, unit, thick, tall - 2 * unit, theme.panel)
        stage, line = self.panes[0].frame.stage, self.panes[0].frame.timeline
        if not self.alone:
            stage, line = Box(0, 0, canvas.width, tall), Box(0, tall, canvas.width, foot)
        self.track = TimelineBar(line, unit) if line.height else None
        if self.track is not None and not self.alone:
            self.track.draw(canvas, status, theme)
        if self.saves_picture:
            self.saves_picture = False
            self.say(save_picture(canvas, self.window.pictures, self.at))
        if message := self.message if self.message_seconds > 0 else READY if self.ready > 0 else "":
            toast(canvas, stage, unit, message, theme)
        else:
            for pane, part in zip(self.panes, parts, strict=True):
                if pane.trouble:
                    toast(part, pane.frame.stage, pane.frame.unit, pane.trouble, theme)
        if self.helps:
            keys = [row for sight in self.window.sights for row in sight.help()]
            help_panel(canvas, unit, (*self.keyboard.help(), *keys), theme)

    def status(self) -> Status:
        """What the bars and the time line say of all games together."""
        there = {control.command for control in self.keyboard.controls}
        return Status(
            pace=written(self.window.speed),
            paused=self.is_paused,
            shown=self.at,
            known=self.known,
            marks=tuple(sorted({mark for pane in self.panes for mark in pane.timeline.marks})),
            is_whole=all(pane.timeline.is_known for pane in self.panes),
            hint="     ".join(HINTS[word] for word in HINTS if word in there) if self.window.hold_end else "",
        )


def save_picture(canvas: Canvas, folder: Path, ply: int) -> str:
    """Writes a picture of the window to a new file; returns what to say about it."""
    name = f"pacman-{datetime.now():%Y-%m-%d-%H%M%S}-ply-{ply}.png"
    try:
        canvas.png(folder / name)
    except OSError as error:
        return f"no picture: {error.strerror}"
    return f"saved {name}"
