"""Games in one window, frame by frame: the input of the viewer, the passing of time, and the picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from pacman.play.game_lines import GameLine
from pacman.view.analysis.overlay_and_panel import COMMANDS as SEARCH_COMMANDS
from pacman.view.controls import BRANCH_COMMANDS, Keyboard
from pacman.view.picture.canvas import Canvas, Click, Closed, Drag, Event, Key, Release, Screen, Wheel
from pacman.view.picture.notices import draw_help_panel, draw_toast
from pacman.view.picture.screen_regions import TIMELINE, Box, small_text
from pacman.view.picture.timeline_bar import TimelineBar
from pacman.view.picture.visible_state import Status
from pacman.view.speed import READY, READY_SECONDS, SPEED_COMMANDS, speed_text
from pacman.view.timeline import JUMP_COMMANDS, TIMELINE_COMMANDS
from pacman.view.view_protocol import AFTER_COMMANDS, After, ViewedGame
from pacman.view.window.pane import Pane

if TYPE_CHECKING:
    from pacman.view.window.window import Window

FPS = 60
STEP_SPEED = 8.0
"""The speed of single steps in a paused game, in plies per second."""
LONGEST_FRAME = 0.1
BANNER_SECONDS = 2.0
TOAST_SECONDS = 2.5
HINTS = {"again": "R  restart", "new seed": "N  new game", "leave": "Q  quit"}
"""The hints at the end of a game, by command."""


class Controller:
    """Shows one game, or several side by side in the same round, until the viewer makes a choice."""

    def __init__(self, window: Window, screen: Screen, games: Sequence[ViewedGame]) -> None:
        self.window, self.screen = window, screen
        self.is_single = len(games) == 1
        has_player = window.steer is not None
        self.panes = [
            Pane(game, window.painter, search, has_player)
            for game, search in zip_longest(games, window.search_displays)
        ]
        self.line = games[0] if self.is_single and isinstance(games[0], GameLine) else None
        commands = window.commands - (set() if self.is_single else {"tree"})
        self.keyboard = Keyboard(commands | (BRANCH_COMMANDS if self.line else set()), steers=has_player)
        self.ready_seconds = READY_SECONDS if has_player else 0.0
        self.after: After | None = None
        self.is_scrubbing = self.is_help_open = self.is_picture_due = False
        self.message, self.message_seconds = "", 0.0
        if self.line is not None and self.line.label:
            self.show_message(self.line.label)
        self.timeline_bar: TimelineBar | None = None
        """The time line in the latest frame; None if the window has no space for it."""

    def stop(self) -> None:
        """Stops the threads that play the games."""
        for pane in self.panes:
            pane.timeline.stop()

    def run(self, check: Callable[[], None] = lambda: None) -> After:
        """Shows the games; returns the viewer's choice of what comes next. Each frame calls `check`; it may raise."""
        while True:
            check()
            for event in self.screen.events():
                self.handle_event(event)
            is_seen = all(pane.animation.now.seconds_over > BANNER_SECONDS for pane in self.panes)
            if is_seen and not self.window.hold_end:
                self.after = self.after or After.NEXT
            if self.after is not None:
                return self.after
            self.draw()
            self.advance_time(min(self.screen.flip(FPS), LONGEST_FRAME))

    # The input of the viewer.

    def handle_event(self, event: Event) -> None:
        """Does what a key or the mouse requests."""
        match event:
            case Closed():
                self.after = After.LEAVE
            case Key(name, repeated):
                self.press_key(name, repeated)
            case Click(x, y):
                self.click(x, y)
            case Drag(x, _) if self.is_scrubbing:
                self.scrub(x)
            case Release():
                self.is_scrubbing = False
            case Wheel(steps, x, y):
                self.scroll(steps, x, y)

    def press_key(self, key: str, repeated: bool) -> None:
        """Steers Pacman, or gives the key to an open panel, or runs its command."""
        direction = self.keyboard.direction(key)
        if direction is not None and self.window.steer is not None:
            self.window.steer(direction)
            self.ready_seconds = 0.0
        elif any(search.key(key) for search in self.window.search_displays):
            self.pause()
        elif key == "return" and self.is_over:
            self.after = After.NEXT
        elif command := self.keyboard.command(key, repeated=repeated):
            self.run_command(command)

    def click(self, x: float, y: float) -> None:
        """Handles a click on a button, the time line, the panel or the board; an open help panel closes."""
        regions, timeline_bar = self.panes[0].regions, self.timeline_bar
        if self.is_help_open:
            self.is_help_open = False
        elif timeline_bar is not None and timeline_bar.box.contains(x, y):
            if command := timeline_bar.command(x, y):
                self.run_command(command)
            elif x > timeline_bar.slider.left - timeline_bar.unit:
                self.is_scrubbing = True
                self.scrub(x)
        elif regions.panel.contains(x, y):
            if self.window.search_displays[0].panel.click(x, y):
                self.pause()
        elif regions.board_area.contains(x, y) or not self.is_single:
            self.run_command("play")

    def scroll(self, steps: int, x: float, y: float) -> None:
        """Scrolls the panel if the mouse is over it; elsewhere goes one ply forward or back."""
        if self.panes[0].regions.panel.contains(x, y):
            self.window.search_displays[0].panel.scroll(-2 * steps)
        else:
            self.run_command("step" if steps < 0 else "back")

    def run_command(self, command: str) -> None:
        """Runs a command, for all games alike."""
        window = self.window
        if command in SEARCH_COMMANDS:
            (message,) = {search.do(command) for search in window.search_displays}
            self.show_message(message)
        elif move := TIMELINE_COMMANDS.get(command):
            if command == "play" and self.is_over:  # at the end it plays again from the start, as video players do
                self.seek(0)
            for pane in self.panes:
                move(pane.timeline)
                if command in JUMP_COMMANDS:
                    pane.jump()
        elif change := SPEED_COMMANDS.get(command):
            window.speed = change(window.speed)
        elif command == "picture":
            self.is_picture_due = True
        elif command == "full screen":
            self.screen.toggle_full_screen()
        elif command == "help":
            self.is_help_open = not self.is_help_open
        elif command == "close":
            self.close_topmost()
        elif self.line is not None and (problem := self.line.problem(command, self.panes[0].timeline.state())):
            self.show_message(problem)
        else:
            self.after = AFTER_COMMANDS[command]

    def close_topmost(self) -> None:
        """Closes the help panel, the search tree, or the full screen: the topmost that is open. Else says: Q quits."""
        open_trees = [search for search in self.window.search_displays if search.is_open]
        if self.is_help_open:
            self.is_help_open = False
        elif open_trees:
            for search in open_trees:
                search.do("tree")
        elif self.screen.is_full:
            self.screen.toggle_full_screen()
        else:
            self.show_message("Q quits")

    def pause(self) -> None:
        """Pauses the games."""
        if not self.is_paused:
            self.run_command("play")

    def seek(self, ply: int) -> None:
        """Shows that ply of each game at once."""
        for pane in self.panes:
            pane.timeline.seek(ply)
            pane.jump()

    def scrub(self, x: float) -> None:
        """Shows the ply that the slider has at `x`."""
        if self.timeline_bar is not None:
            self.seek(self.timeline_bar.ply(x, self.ply_count))

    def show_message(self, message: str) -> None:
        """Shows a message for `TOAST_SECONDS`; "" removes the present one."""
        self.message, self.message_seconds = message, TOAST_SECONDS if message else 0.0

    # The passing of time.

    @property
    def ply(self) -> int:
        """The number of plies shown, in the game that is furthest."""
        return max(pane.timeline.ply for pane in self.panes)

    @property
    def ply_count(self) -> int:
        """The number of plies available, in the longest game."""
        return max(len(pane.timeline.plies) for pane in self.panes)

    @property
    def is_paused(self) -> bool:
        """True if all games are paused."""
        return all(pane.timeline.is_paused for pane in self.panes)

    @property
    def is_over(self) -> bool:
        """True if all games show their end."""
        return all(pane.is_over for pane in self.panes)

    @property
    def speed(self) -> float:
        """The present speed in plies per second. In a pause it lets a glide end soon."""
        playing = self.window.speed * len(self.panes[0].game.start.layers)
        if not self.is_paused:
            return playing
        waiting = max(pane.timeline.goal - pane.timeline.ply for pane in self.panes)
        return max(STEP_SPEED * (1 + waiting), min(playing, 4 * STEP_SPEED))

    def advance_time(self, seconds: float) -> None:
        """Lets time pass; several short glides can begin and end in it."""
        self.message_seconds -= seconds
        while seconds > 0:
            if not any(pane.animation.is_gliding for pane in self.panes):
                self.begin_round(seconds)
            speed = self.speed
            step = min(
                [seconds, *(pane.animation.plies_left / speed for pane in self.panes if pane.animation.is_gliding)]
            )
            seconds -= step
            for pane in self.panes:
                pane.animation.advance(step, speed)

    def begin_round(self, seconds: float) -> None:
        """Begins the next round in all panes together, once all have its plies and the search reports to show."""
        for pane in self.panes:
            if pane.timeline.is_over:
                pane.animation.end(pane.game.result)
        due = [pane for pane in self.panes if pane.is_due]
        if due and self.ready_seconds > 0:
            self.ready_seconds -= seconds
            return
        for pane in due:
            pane.waiting_seconds += seconds
        # Every pane starts its search and its game, so all of them are called, even after a first False.
        are_ready = [pane.is_report_ready() and pane.fetch_round(self.is_single) for pane in due]
        if all(are_ready):
            for pane in due:
                pane.begin()

    # The picture.

    def draw(self) -> None:
        """Draws the next frame: the games, the time line, a message, the help panel."""
        canvas, theme, status = self.screen.canvas(), self.window.theme, self.status()
        unit, width = small_text(canvas.width, canvas.height), canvas.width // len(self.panes)
        foot = 0 if self.is_single or canvas.height < 18 * unit else round(TIMELINE * unit)
        height, thick = canvas.height - foot, max(1, round(0.12 * unit))
        parts = [canvas.subcanvas(place * width, 0, width, height) for place in range(len(self.panes))]
        if not self.is_single:
            canvas.fill(theme.background)
        for place, (pane, part) in enumerate(zip(self.panes, parts, strict=True)):
            pane.draw(part, status if self.is_single else replace(status, speed_text="", hint=""), self.is_single)
            if place:
                canvas.box(place * width - thick / 2, unit, thick, height - 2 * unit, theme.panel)
        board_area, line = self.panes[0].regions.board_area, self.panes[0].regions.timeline
        if not self.is_single:
            board_area, line = Box(0, 0, canvas.width, height), Box(0, height, canvas.width, foot)
        self.timeline_bar = TimelineBar(line, unit) if line.height else None
        if self.timeline_bar is not None and not self.is_single:
            self.timeline_bar.draw(canvas, status, theme)
        if self.is_picture_due:
            self.is_picture_due = False
            self.show_message(save_picture(canvas, self.window.pictures, self.ply))
        if message := self.message if self.message_seconds > 0 else READY if self.ready_seconds > 0 else "":
            draw_toast(canvas, board_area, unit, message, theme)
        else:
            for pane, part in zip(self.panes, parts, strict=True):
                if pane.trouble:
                    draw_toast(part, pane.regions.board_area, pane.regions.unit, pane.trouble, theme)
        if self.is_help_open:
            keys = [row for search in self.window.search_displays for row in search.help()]
            draw_help_panel(canvas, unit, (*self.keyboard.help(), *keys), theme)

    def status(self) -> Status:
        """What the bars and the time line show for all games together."""
        available = {control.command for control in self.keyboard.controls}
        return Status(
            speed_text=speed_text(self.window.speed),
            is_paused=self.is_paused,
            ply=self.ply,
            ply_count=self.ply_count,
            forks=self.line.forks if self.line else (),
            marks=tuple(sorted({mark for pane in self.panes for mark in pane.timeline.marks})),
            is_complete=all(pane.timeline.is_complete for pane in self.panes),
            hint="     ".join(HINTS[word] for word in HINTS if word in available) if self.window.hold_end else "",
        )


def save_picture(canvas: Canvas, folder: Path, ply: int) -> str:
    """Writes a picture of the window to a new file; returns a message with its name, or with the error."""
    name = f"pacman-{datetime.now():%Y-%m-%d-%H%M%S}-ply-{ply}.png"
    try:
        canvas.write_png(folder / name)
    except OSError as error:
        return f"cannot save the picture: {error.strerror}"
    return f"saved {name}"
