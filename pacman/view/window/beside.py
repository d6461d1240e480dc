"""Several games beside one another in one window, round by round together: how two agents play from one seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from math import inf
from pathlib import Path

from pacman.view.controls import ANYWHERE, Keyboard
from pacman.view.insight.overlay import NONE, following
from pacman.view.insight.study import Think
from pacman.view.pace import SPEED, faster, slower, written
from pacman.view.picture.canvas import Click, Closed, Drag, Event, Key, Release, Screen
from pacman.view.picture.frame import TIMELINE, Box, small_text
from pacman.view.picture.moment import Status
from pacman.view.picture.notices import toast
from pacman.view.picture.track import Track
from pacman.view.protocol import After, Showing
from pacman.view.theme import DARK, Theme
from pacman.view.timeline import Timeline
from pacman.view.window.interrupt import held_interrupts
from pacman.view.window.lane import Lane
from pacman.view.window.saved import saved
from pacman.view.window.steady import steady

FPS = 60
SIZE = 1440, 760
HANDOVER_SECONDS = 0.002
STEP_SPEED = 2.0
"""Rounds a second while the games are paused."""
LONGEST_FRAME = 0.1
BANNER_SECONDS = 2.0
TOAST_SECONDS = 2.5
COMMANDS = ANYWHERE | {"overlay", "mute", "picture", "full screen"}


class Beside:
    """Shows games side by side. A round begins when all who still play have made theirs, so all are in the same one.

    `speed` is in rounds a second. `thinks` make the studies for an overlay, one for each game. Pictures of them go into
    `pictures`. After the end the
    banners stay until the viewer leaves, or with `hold_end` False for two seconds. `screen` opens the window.
    InputError when there is no display.
    """

    def __init__(
        self,
        speed: float = SPEED,
        *,
        theme: Theme = DARK,
        size: tuple[int, int] = SIZE,
        hold_end: bool = True,
        paused: bool = False,
        thinks: Sequence[Think] = (),
        overlay: str = NONE,
        pictures: Path = Path(),
        screen: Callable[[int, int, str], Screen] = Screen,
    ) -> None:
        self.speed, self.theme, self.size, self.paused, self.hold_end = speed, theme, size, paused, hold_end
        self.thinks, self.overlay, self.pictures, self.screen = thinks, overlay, pictures, screen

    def show(self, showings: Sequence[Showing]) -> After:
        """What the viewer wants next. The window is closed again, whatever happens."""
        names = " and ".join(showing.names[0] for showing in showings)
        screen = self.screen(*self.size, f"Pacman: {names} (seed {showings[0].seed})")
        lanes = [Lane(showing, self.theme, think, self.paused) for showing, think in zip_longest(showings, self.thinks)]
        try:
            with steady(), held_interrupts() as check:
                return _Watch(self, screen, lanes).run(check)
        finally:
            for lane in lanes:
                lane.stop()
            screen.close()


class _Watch:
    """All games in one window, frame by frame."""

    def __init__(self, beside: Beside, screen: Screen, lanes: Sequence[Lane]) -> None:
        self.beside, self.screen, self.lanes = beside, screen, lanes
        self.keyboard = Keyboard(COMMANDS)
        self.after: After | None = None
        self.track: Track | None = None
        self.is_scrubbing = self.is_muted = self.helps = self.saves_picture = False
        self.said, self.saying = "", 0.0
        self.commands: dict[str, Callable[[], None]] = {
            "play": self.play_or_pause,
            "step": lambda: self.each(Timeline.step),
            "step round": lambda: self.each(Timeline.step_round),
            "back": lambda: self.jump(Timeline.back),
            "back round": lambda: self.jump(Timeline.back_round),
            "first": lambda: self.seek(0),
            "last": lambda: self.seek(self.known),
            "faster": lambda: self.change_speed(faster),
            "slower": lambda: self.change_speed(slower),
            "overlay": self.next_overlay,
            "mute": self.mute,
            "picture": self.ask_for_picture,
            "full screen": screen.toggle_full_screen,
            "help": self.toggle_help,
            "again": lambda: self.end(After.AGAIN),
            "leave": lambda: self.end(After.LEAVE),
        }

    def run(self, check: Callable[[], None]) -> After:
        while True:
            check()
            for event in self.screen.events():
                self.hear(event)
            if not self.beside.hold_end and all(lane.scene.ended > BANNER_SECONDS for lane in self.lanes):
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
            case Key("return") if self.is_over:
                self.after = After.NEXT
            case Key(name, repeated):
                if command := self.keyboard.command(name, repeated=repeated):
                    self.commands[command]()
            case Click(x, y):
                self.click(x, y)
            case Drag(x, _) if self.is_scrubbing:
                self.scrub(x)
            case Release():
                self.is_scrubbing = False

    def click(self, x: float, y: float) -> None:
        if self.track is None or not self.track.box.holds(x, y):
            self.commands["play"]()
        elif command := self.track.command(x, y):
            self.commands[command]()
        else:
            self.is_scrubbing = True
            self.scrub(x)

    def each(self, move: Callable[[Timeline], None]) -> None:
        for lane in self.lanes:
            move(lane.timeline)

    def jump(self, move: Callable[[Timeline], None]) -> None:
        self.each(move)
        for lane in self.lanes:
            lane.jump()

    def seek(self, at: int) -> None:
        self.jump(lambda timeline: timeline.seek(at))

    def scrub(self, x: float) -> None:
        assert self.track is not None
        self.seek(self.track.ply(x, self.known))

    def play_or_pause(self) -> None:
        if self.is_over:
            self.seek(0)
        goal = self.at if not self.is_paused else inf
        for lane in self.lanes:
            lane.timeline.goal = max(goal, lane.timeline.at)

    def change_speed(self, change: Callable[[float], float]) -> None:
        self.beside.speed = change(self.beside.speed)

    def next_overlay(self) -> None:
        self.beside.overlay, self.is_muted = following(self.beside.overlay), False
        self.say(f"overlay: {self.overlay}")

    def mute(self) -> None:
        self.is_muted = not self.is_muted
        self.say("overlay muted" if self.is_muted else f"overlay: {self.overlay}")

    def ask_for_picture(self) -> None:
        self.saves_picture = True

    def say(self, text: str) -> None:
        self.said, self.saying = text, TOAST_SECONDS

    def toggle_help(self) -> None:
        self.helps = not self.helps

    def end(self, after: After) -> None:
        self.after = after

    @property
    def overlay(self) -> str:
        """The overlay that is to be seen."""
        return NONE if self.is_muted else self.beside.overlay

    # What time does.

    @property
    def at(self) -> int:
        return max(lane.timeline.at for lane in self.lanes)

    @property
    def known(self) -> int:
        return max(len(lane.timeline.plies) for lane in self.lanes)

    @property
    def is_paused(self) -> bool:
        return all(lane.timeline.is_paused for lane in self.lanes)

    @property
    def is_over(self) -> bool:
        return all(lane.timeline.is_over and not lane.scene.is_gliding for lane in self.lanes)

    def live(self, seconds: float) -> None:
        """Lets that much time pass, in which several short rounds may come and go."""
        self.saying -= seconds
        while seconds > 0:
            if not any(lane.scene.is_gliding for lane in self.lanes):
                self.next_round(seconds)
            # A round takes as long in every lane, whoever is missing in it.
            paces = [max(1, len(lane.scene.beat)) * self.pace for lane in self.lanes]
            rests = [
                lane.scene.left / pace for lane, pace in zip(self.lanes, paces, strict=True) if lane.scene.is_gliding
            ]
            slice_ = min([seconds, *rests]) if rests else seconds
            seconds -= slice_
            for lane, pace in zip(self.lanes, paces, strict=True):
                lane.scene.advance(slice_, pace)

    @property
    def pace(self) -> float:
        """Rounds a second, as of now."""
        return STEP_SPEED if self.is_paused else self.beside.speed

    def next_round(self, seconds: float) -> None:
        """Begins a round in every lane at once, when all who play on have theirs, and the studies before it."""
        for lane in self.lanes:
            if lane.timeline.is_over:
                lane.scene.end(lane.showing.result)
        due = [lane for lane in self.lanes if lane.is_due]
        for lane in due:
            lane.waited += seconds
            if not lane.is_ready:
                lane.timeline.pull(HANDOVER_SECONDS)
        if all(lane.is_ready and lane.has_study(self.overlay) for lane in due):
            for lane in due:
                lane.begin()

    # What is to be seen.

    def draw(self) -> None:
        canvas, theme = self.screen.canvas(), self.beside.theme
        unit = small_text(canvas.width, canvas.height)
        foot = round(TIMELINE * unit) if canvas.height >= 18 * unit else 0
        canvas.fill(theme.background)
        wide = canvas.width // len(self.lanes)
        for place, lane in enumerate(self.lanes):
            part = canvas.part(place * wide, 0, wide, canvas.height - foot)
            lane.draw(part, self.overlay)
            if place:
                thick = max(1, round(0.12 * unit))
                canvas.box(place * wide - thick / 2, unit, thick, canvas.height - foot - 2 * unit, theme.panel)
        if foot:
            self.track = Track(Box(0, canvas.height - foot, canvas.width, foot), unit)
            self.track.draw(canvas, self.status(), theme)
        if self.saves_picture:
            self.saves_picture = False
            self.say(saved(canvas, self.beside.pictures, self.at))
        if self.saying > 0:
            toast(canvas, canvas.width / 2, canvas.height - foot, unit, self.said, theme)
        if self.helps:
            self.lanes[0].painter.help(canvas, self.keyboard.help())

    def status(self) -> Status:
        """What the time line below both says."""
        marks = sorted({mark for lane in self.lanes for mark in lane.timeline.marks})
        whole = all(lane.timeline.is_known for lane in self.lanes)
        return Status(
            written(self.beside.speed),
            self.is_paused,
            shown=self.at,
            known=self.known,
            marks=tuple(marks),
            is_whole=whole,
        )
