"""Games in a window, one after another or side by side: the input of the viewer, the passing of time, the picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime
from itertools import zip_longest
from math import inf
from pathlib import Path

from pacman.core.state import GameState
from pacman.picture.canvas import Canvas
from pacman.picture.colours import DARK, Theme
from pacman.picture.moment import ENDING_SECONDS, Status
from pacman.picture.notices import Message, draw_help_panel, help_pages
from pacman.picture.overlays import NONE
from pacman.picture.paint import Painter
from pacman.picture.screen_regions import LIST, MESSAGE, NOWHERE, TIMELINE, Box, small_text
from pacman.picture.timeline_bar import TimelineBar
from pacman.play.recording import GameLine
from pacman.record.report import Analyse
from pacman.view.controls import GO_BACK, NAMED, SEARCH, STEERING_KEYS, Keyboard, Need, Viewer
from pacman.view.screen import (
    Click,
    Closed,
    Drag,
    Event,
    Key,
    Release,
    Screen,
    Wheel,
    delayed_interrupts,
    frequent_thread_switches,
)
from pacman.view.speed import READY_SECONDS, SPEED, speed_text
from pacman.view.timeline import Timeline
from pacman.view.view_protocol import After, Reload, Steer, ViewedGame
from pacman.view.window.comparison import STRIP, draw_comparison, grid, strip_box
from pacman.view.window.pane import Pane
from pacman.view.window.search_display import SearchDisplay

FPS = 60
STEP_SPEED = 8.0
"""The speed of single steps in a paused game, in plies per second."""
LONGEST_FRAME = 0.1
BANNER_SECONDS = 3.0
"""How long the end of a game is shown if the window does not stay open."""
FAST = 24.0
"""From this speed on, in rounds per second, the end of a game has no animation."""
QUIET_SECONDS, REST_SECONDS, LONGEST_REST = 0.3, 0.03, 2.0
"""After so long without a change the window only looks for events, so often, and draws again after so long."""
TOAST_SECONDS, HINT_SECONDS, RELOAD_SECONDS = 2.5, 6.0, 0.25
READY = Message("an arrow key or Space starts", "READY!", "H  shows all keys")
READY_TO_LOOK = replace(READY, text="Space starts, . goes one ply on")
PAUSED = Message("Space continues", "Paused")
ANSWERED = Message("Space goes on to Pacman's next move", "Quiz")
ARROWS = {key: STEERING_KEYS[key] for key in ("left", "right", "up", "down")}


@dataclass(eq=False)
class Window:
    """Shows games in a window that can be resized; several games side by side, all in the same round.

    `speed` is in rounds per second; all agents that move in a round glide together. The arrow keys and W A S D call
    `steer`. With `can_start_games` there are keys for a new game. At the end the banner stays until the viewer
    leaves, or for a moment if `hold_end` is False. `analysers` has one analyse function per game; the window then
    shows the search of the position, at first as `overlay`, and with `lecture` also as a tree in large type on the
    full screen. The window closes after a game, unless `close_at_end` is False: it then shows the next game, until
    `close`. After `reload` has loaded the agents, the game starts again. `hint` is a message at the start of each
    game. Pictures go into the folder `pictures`. `screen` opens the window. InputError if there is no display.
    """

    speed: float = SPEED
    steer: Steer | None = None
    _: KW_ONLY
    theme: Theme = DARK
    size: tuple[int, int] | None = None
    can_start_games: bool = False
    hold_end: bool = True
    close_at_end: bool = True
    analysers: Sequence[Analyse] = ()
    overlay: str = NONE
    reload: Reload | None = None
    hint: str = ""
    lecture: bool = False
    pictures: Path = Path()
    screen: Callable[[tuple[int, int] | None, str, bool], Screen] = Screen

    def __post_init__(self) -> None:
        is_lecture = self.lecture and len(self.analysers) == 1
        self.painter = Painter(self.theme)
        self.searches = [
            SearchDisplay(analyse, self.theme, self.overlay, lecture=is_lecture) for analyse in self.analysers
        ]
        self.file_error = ""
        """What is wrong with the agents' files, "" for nothing."""
        self._open_screen: Screen | None = None

    def show(self, *games: ViewedGame) -> After:
        """Shows the games until they end or the viewer stops; returns the viewer's choice of what comes next."""
        first = games[0]
        if isinstance(first, GameLine):
            self.steer = first.steer
        names = first.names if len(games) == 1 else [" and ".join(game.names[0] for game in games)]
        title = f"Pacman: {', '.join(names)} (seed {first.seed})"
        if self._open_screen is None:
            self._open_screen = self.screen(self.size, title, any(search.is_lecture for search in self.searches))
        self._open_screen.title(title)
        controller = Controller(self, self._open_screen, games)
        after = After.LEAVE
        try:
            with frequent_thread_switches(), delayed_interrupts() as check:
                after = controller.run(check)
        finally:
            controller.stop()
            if after is After.LEAVE or self.close_at_end:
                self.close()
        return after

    def close(self) -> None:
        """Closes the window, and stops the searches."""
        for search in self.searches:
            search.stop()
        if self._open_screen is not None:
            self._open_screen.close()
            self._open_screen = None


class Controller(Viewer):
    """Shows one game, or several side by side in the same round, until the viewer makes a choice."""

    def __init__(self, window: Window, screen: Screen, games: Sequence[ViewedGame]) -> None:
        self.window, self.screen = window, screen
        self.is_single = len(games) == 1
        has_player = window.steer is not None
        self.panes = [
            Pane(game, window.painter, search, has_player) for game, search in zip_longest(games, window.searches)
        ]
        features = {Need.WINDOW} | ({Need.NEW_GAMES} if window.can_start_games else set())
        if window.searches:
            features |= {Need.ANY_SEARCH, *([Need.ONE_SEARCH, Need.LECTURE] if self.is_single else [])}
        self.line = games[0] if self.is_single and isinstance(games[0], GameLine) else None
        self.keyboard = Keyboard(features | ({Need.PLAY_ON} if self.line else set()), steers=has_player)
        self.is_ready = has_player or any(search.is_lecture for search in window.searches)
        """True while the game waits for the first key: a person steers, or a class wants to look at the first tree."""
        self.ready_seconds = inf if window.hold_end else READY_SECONDS
        self.shows_pause = self.has_ended = False
        self.quiet_seconds = self.rest_seconds = self.reload_seconds = 0.0
        """How long nothing has moved and no key was pressed, and how long the picture has not been drawn."""
        self.after: After | None = None
        self.is_scrubbing = self.is_picture_due = False
        self.help_page: int | None = None
        """The page of the keys that is open; None for none. While it is open, the games stand still."""
        self.message, self.message_seconds = window.hint, HINT_SECONDS if window.hint else 0.0
        if self.line is not None and self.line.label:
            self.show_message(self.line.label)
        self.panel_box = NOWHERE
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
                self.quiet_seconds = 0.0
                self.handle_event(event)
            self.check_files()
            is_seen = all(pane.animation.now.seconds_over > BANNER_SECONDS for pane in self.panes)
            if is_seen and not self.window.hold_end:
                self.after = self.after or After.NEXT
            if self.after is not None:
                return self.after
            if not self.rest():
                self.draw()
                self.advance_time(min(self.screen.flip(FPS), LONGEST_FRAME))

    def check_files(self) -> None:
        """Starts the game again with the agents' new files, or shows what is wrong with them while the game goes on."""
        if self.window.reload is None or self.reload_seconds < RELOAD_SECONDS:
            return
        self.reload_seconds, problem = 0.0, self.window.reload()
        if problem is not None:
            self.window.file_error, self.quiet_seconds = problem, 0.0
        if problem == "":
            for search in self.window.searches:
                search.forget()
            self.after = self.after or After.AGAIN

    def rest(self) -> bool:
        """Sleeps for a moment if the picture cannot change without an event; False if a frame is due."""
        if self.quiet_seconds < QUIET_SECONDS or self.rest_seconds >= LONGEST_REST:
            self.rest_seconds = 0.0
            return False
        slept = self.screen.sleep(REST_SECONDS)
        self.rest_seconds += slept
        self.reload_seconds += slept
        return slept > 0

    @property
    def is_busy(self) -> bool:
        """True if something moves in the picture, or will move soon without a key."""
        return (
            self.message_seconds > 0
            or any(search.is_busy for search in self.window.searches)
            or any(pane.animation.is_gliding or (pane.is_due and not self.is_waiting) for pane in self.panes)
            or any(pane.is_over and pane.animation.now.seconds_over < self.last_second for pane in self.panes)
        )

    @property
    def is_waiting(self) -> bool:
        """True if the game waits for the first key, for as long as it takes."""
        return self.is_ready and self.ready_seconds == inf

    @property
    def last_second(self) -> float:
        """The seconds after the end of a game at which nothing moves any more."""
        return ENDING_SECONDS if self.window.hold_end else BANNER_SECONDS + 1

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
        has_focus = any(search.has_focus for search in self.window.searches)
        if not has_focus and key in ARROWS and self.answer_question(ARROWS[key]):
            return
        direction = None if has_focus else self.keyboard.direction(key)
        if direction is not None and self.window.steer is not None:
            self.window.steer(direction)
            self.steer_on()
        elif key in ("space", "return") and self.skip_ending():
            pass
        elif any(search.key(key) for search in self.window.searches):
            self.pause()
        elif key == "return" and self.is_over:
            self.after = After.NEXT
        elif control := self.keyboard.control(key, repeated=repeated):
            control.run(self)

    def answer_question(self, direction: str) -> bool:
        """Takes a direction as the answer to the quiz, and shows the values. False if the quiz does not ask now."""
        if not self.is_asking:
            return False
        if direction not in self.state.actions():
            self.show_message(f"Pacman cannot go {direction} here")
        return direction not in self.state.actions() or self.answer_quiz(is_play=False, answer=direction)

    def steer_on(self) -> None:
        """Starts the game, or continues it if it is paused where it can be steered."""
        self.is_ready = False
        if self.is_paused and not self.is_over:
            if self.ply == self.ply_count:
                self.play_or_pause()
            else:
                self.show_message("Space continues the game")

    def skip_ending(self) -> bool:
        """Ends the animation of a win or a loss; False if there is none."""
        if not self.is_over or min(pane.animation.now.seconds_over for pane in self.panes) >= ENDING_SECONDS:
            return False
        for pane in self.panes:
            pane.animation.skip_ending()
        return True

    def click(self, x: float, y: float) -> None:
        """Handles a click on a button, the time line, the panel or the board; an open help panel closes."""
        timeline_bar = self.timeline_bar
        if self.help_page is not None:
            self.help_page = None
        elif timeline_bar is not None and (
            timeline_bar.box.contains(x, y) or (not self.is_single and strip_box(timeline_bar).contains(x, y))
        ):
            if name := timeline_bar.command(x, y):
                NAMED[name].run(self)
            elif x > timeline_bar.slider.left - timeline_bar.unit:
                self.is_scrubbing = True
                self.scrub(x)
        elif self.panel_box.contains(x, y):
            if any(search.is_open and search.panel.click(x, y) for search in self.window.searches):
                self.pause()
        elif self.panes[0].regions.board_area.contains(x, y) or not self.is_single:
            self.play_or_pause()

    def scroll(self, steps: int, x: float, y: float) -> None:
        """Scrolls the panel if the mouse is over it; elsewhere goes one ply forward or back."""
        if self.panel_box.contains(x, y):
            for search in self.window.searches:
                if search.is_open:
                    search.panel.scroll(-2 * steps)
        elif steps < 0:
            self.go_on(Timeline.step)
        else:
            self.jump(Timeline.back)

    # The commands of the keys, for all games alike.

    @property
    def state(self) -> GameState:
        """The position of the first game that is visible."""
        return self.panes[0].timeline.state()

    def play_or_pause(self) -> None:
        """Goes on with the games, or pauses them; at their end it plays them again, as video players do."""
        if self.answer_quiz(is_play=True):
            return
        if self.is_over:
            self.seek(0)
        elif self.is_ready:
            self.is_ready = False
            return
        self.go_to(Timeline.play_or_pause)
        self.shows_pause = self.is_paused

    def go_on(self, change: Callable[[Timeline], None]) -> None:
        """Plays a part of the games, and pauses them then; at a stop of the quiz it shows the values instead."""
        if not self.answer_quiz(is_play=False):
            self.go_to(change)

    def jump(self, change: Callable[[Timeline], None]) -> None:
        self.go_to(change)
        for pane in self.panes:
            pane.jump()

    def go_to(self, change: Callable[[Timeline], None]) -> None:
        """Changes the time lines."""
        self.is_ready = self.shows_pause = False
        for pane in self.panes:
            change(pane.timeline)

    def change_speed(self, change: Callable[[float], float]) -> None:
        self.window.speed = change(self.window.speed)

    def change_search(self, change: Callable[[SearchDisplay], str]) -> None:
        """Changes what is visible of the searches, and shows the message."""
        (message,) = {change(search) for search in self.window.searches}
        is_on = any(search.is_on for search in self.window.searches)
        self.show_message(GO_BACK if is_on and self.state.is_terminal else message)

    def tree(self) -> None:
        """Opens or closes the tree. Of several games, it opens the next one; after the last one, none."""
        if self.is_single:
            self.change_search(SearchDisplay.tree)
            return
        searches = self.window.searches
        opened = next((number for number, search in enumerate(searches) if search.is_open), -1)
        for number in (opened, opened + 1):
            if 0 <= number < len(searches):
                searches[number].tree()

    def lecture(self) -> None:
        self.change_search(SearchDisplay.lecture)

    def quiz(self) -> None:
        self.change_search(SearchDisplay.ask)

    def choose(self, after: After) -> None:
        self.after = after

    def save_picture(self) -> None:
        """Saves a picture of the next frame."""
        self.is_picture_due = True

    def toggle_full_screen(self) -> None:
        self.screen.toggle_full_screen()

    def turn_help(self) -> None:
        self.help_page = 0 if self.help_page is None else self.help_page + 1

    def answer_quiz(self, is_play: bool, answer: str = "") -> bool:
        """At a stop of the quiz: shows the values, or lets the game go on. False if the command has more to do."""
        if not (self.is_single and self.window.searches):
            return False
        was_asking = self.is_asking
        if not self.window.searches[0].quiz.go_on(self.state, answer):
            return False
        self.is_ready = False
        return was_asking or (is_play and not self.is_paused)

    def close_topmost(self) -> None:
        """Closes the help panel, the search tree, or the full screen: the topmost that is open. Else says: Q quits."""
        if self.help_page is not None:
            self.help_page = None
        elif any(search.close() for search in self.window.searches):
            pass
        elif self.screen.is_full:
            self.screen.toggle_full_screen()
        else:
            self.show_message("Q quits")

    def pause(self) -> None:
        """Pauses the games; without a notice, because the viewer looks at something else."""
        if not self.is_paused and not self.is_ready:
            self.play_or_pause()
        self.shows_pause = False

    def seek(self, ply: int) -> None:
        """Shows that ply of each game at once."""
        self.shows_pause = False
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
    def is_asking(self) -> bool:
        """True if the quiz waits for the viewer's answer."""
        return self.is_single and any(search.quiz.is_asking(self.state) for search in self.window.searches)

    @property
    def speed(self) -> float:
        """The present speed in plies per second. In a pause it lets a glide end soon."""
        playing = self.window.speed * len(self.panes[0].game.start.layers)
        if not self.is_paused:
            return playing
        waiting = max(pane.timeline.goal - pane.timeline.ply for pane in self.panes)
        return max(STEP_SPEED * (1 + waiting), min(playing, 4 * STEP_SPEED))

    def advance_time(self, seconds: float) -> None:
        """Lets time pass; several short glides can begin and end in it. Behind the keys everything stands still."""
        if self.help_page is not None:
            self.quiet_seconds += seconds
            return
        self.message_seconds -= seconds
        self.reload_seconds += seconds
        self.has_ended = self.has_ended or self.is_over
        self.quiet_seconds = 0.0 if self.is_busy else self.quiet_seconds + seconds
        is_still = self.is_paused or self.is_ready
        while seconds > 0:
            if not any(pane.animation.is_gliding for pane in self.panes):
                self.begin_round(seconds)
            speed = self.speed
            step = min(
                [seconds, *(pane.animation.plies_left / speed for pane in self.panes if pane.animation.is_gliding)]
            )
            seconds -= step
            for pane in self.panes:
                pane.animation.advance(step, speed, is_still=is_still)
                if self.window.speed >= FAST and pane.is_over:
                    pane.animation.skip_ending()

    def begin_round(self, seconds: float) -> None:
        """Begins the next round in all panes together, once all have its plies and the search reports to show."""
        for pane in self.panes:
            if pane.timeline.is_over:
                pane.animation.end(pane.game.result)
        due = [pane for pane in self.panes if pane.is_due]
        if due and self.is_ready:
            self.ready_seconds -= seconds
            self.is_ready = self.ready_seconds > 0
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
        """Draws the next frame: the games, the time line, notices, the help panel."""
        canvas, theme, status = self.screen.canvas(), self.window.theme, self.status()
        unit = small_text(canvas.width, canvas.height)
        boxes = self.arrange(canvas, unit)
        if not self.is_single:
            canvas.fill(theme.background)
        for pane, box in zip(self.panes, boxes, strict=True):
            edges = round(box.left), round(box.top), round(box.width), round(box.height)
            part = canvas if self.is_single else canvas.subcanvas(*edges)
            if self.is_single:
                pane.draw(part, status, True, self.current_message())
            else:
                pane.draw(part, replace(status, speed_text="", hint=""), False)
        if self.is_single:
            (pane,) = self.panes
            self.panel_box, line = pane.regions.panel, pane.regions.timeline
        else:
            line = draw_comparison(
                canvas, self.panes, boxes, self.panel_box, unit, theme, status, self.current_message()
            )
        self.timeline_bar = TimelineBar(line, unit) if line.height else None
        if self.is_picture_due:
            self.is_picture_due = False
            self.show_message(save_picture(canvas, self.window.pictures, self.ply))
        if self.help_page is not None:
            self.draw_help(canvas, unit)

    def draw_help(self, canvas: Canvas, unit: float) -> None:
        """Draws the present page of the keys; after the last one, the help is closed."""
        assert self.help_page is not None
        groups = self.keyboard.help()
        if searches := self.window.searches:
            groups[SEARCH] += next((rows for search in searches if (rows := search.help())), ())
        pages = help_pages(canvas, unit, groups)
        if self.help_page < len(pages):
            draw_help_panel(canvas, unit, pages[self.help_page], self.window.theme)
        else:
            self.help_page = None

    def arrange(self, canvas: Canvas, unit: float) -> list[Box]:
        """The boxes of the games: the whole window, or a grid beside the open tree and above the time line."""
        if self.is_single:
            return [Box(0, 0, canvas.width, canvas.height)]
        aside = round(LIST.beside * canvas.width) if any(search.is_open for search in self.window.searches) else 0
        foot = 0 if canvas.height < 18 * unit else round((MESSAGE + STRIP + TIMELINE) * unit)
        self.panel_box = Box(canvas.width - aside, 0, aside, canvas.height - foot)
        mazes = [pane.game.start.maze for pane in self.panes]
        return grid(canvas.width - aside, canvas.height - foot, mazes)

    def current_message(self) -> Message | None:
        """The message below the board: a new one, READY, what is wrong with a saved file or a search, or Paused."""
        if self.message_seconds > 0 and self.message:
            return Message(self.message)
        colour = self.window.theme.pacman
        if self.is_ready and not self.is_asking:
            return replace(READY if self.keyboard.steers else READY_TO_LOOK, colour=colour)
        if error := self.window.file_error or (self.panes[0].trouble if self.is_single else ""):
            return Message(error)
        if self.is_asking:  # the question says what the keys do now
            return None
        if self.is_single and any(search.quiz.is_stopping(self.state) for search in self.window.searches):
            return replace(ANSWERED, colour=colour)
        return replace(PAUSED, colour=colour) if self.shows_pause and self.is_paused else None

    def status(self) -> Status:
        """What the bars and the time line show for all games together."""
        return Status(
            speed_text=speed_text(self.window.speed),
            is_paused=self.is_paused,
            is_replay=self.has_ended and not self.is_over,
            ply=self.ply,
            ply_count=self.ply_count,
            marks=tuple(sorted({mark for pane in self.panes for mark in pane.timeline.marks})),
            is_complete=all(pane.timeline.is_complete for pane in self.panes),
            hint=self.keyboard.hints if self.window.hold_end else "",
        )


def save_picture(canvas: Canvas, folder: Path, ply: int) -> str:
    """Writes a picture of the window to a new file; returns a message with its name, or with the error."""
    name = f"pacman-{datetime.now():%Y-%m-%d-%H%M%S}-ply-{ply}.png"
    try:
        canvas.write_png(folder / name)
    except OSError as error:
        return f"cannot save the picture: {error.strerror}"
    return f"saved {name}"
