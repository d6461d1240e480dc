"""One player for every view. It answers what each command does to the games, and what time does to them.

A window gives it keys, by the table of `controls`, and the seconds between two frames, and paints what it shows; a
terminal does the same with typed characters; a film is a player that nobody watches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import zip_longest
from math import inf

from pacman.core.state import GameState
from pacman.picture.moment import ENDING_SECONDS, Status, VisibleState
from pacman.picture.overlays import NONE
from pacman.picture.screen_regions import LECTURE, PanelShape
from pacman.play.recording import GameLine
from pacman.play.series import differences
from pacman.record.report import Analyse
from pacman.view import PLAY_ON, SPEED, After, Reload, ViewedGame
from pacman.view.shown_search import ASKS, GOES_ON, SHOWS, ShownSearch
from pacman.view.timeline import THINKING_SECONDS, Track

SPEEDS = (0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128)
"""The speeds that keys choose, in rounds per second."""

STEP_SPEED = 8.0
"""The speed of single steps in a paused game, in plies per second."""
FAST = 24.0
"""From this speed on, in rounds per second, the end of a game has no animation."""
BANNER_SECONDS = 3.0
"""How long the end of a game is shown if it does not stay."""
READY_SECONDS = 3.0
"""A game with a human player that is not held at its end waits at most this long for the first key."""
REPORT_SECONDS = 1.0
"""The longest time that a game waits for the report of the search that is visible."""
MESSAGE_SECONDS, HINT_SECONDS, RELOAD_SECONDS = 2.5, 6.0, 0.25
GO_BACK = "the game is over here: go back (,) to see the search"
"""The message of a key that shows a search where nothing is left to search."""


@dataclass(eq=False)
class Player:
    """Plays games, several in the same round, until the viewer makes a choice; then it is `after`.

    `speed` is in rounds per second; all agents that move in a round glide together. `analysers` has one analyse
    function per game: the search of the position is then visible, at first as `overlay`, and with a `lecture` also as a
    tree in large type. The end of a game stays for `end_seconds`. With `can_start_games` there are keys for a new game.
    After `reload` has loaded the agents, the game starts again. `hint` is a message at the start of each game.

    If it `is_text`, each ply is visible at once, and there is no window. If it `waits`, it waits for each report,
    however long that takes.
    """

    speed: float = SPEED
    _: KW_ONLY
    analysers: Sequence[Analyse] = ()
    overlay: str = NONE
    lecture: bool = False
    can_start_games: bool = False
    end_seconds: float = inf
    reload: Reload | None = None
    hint: str = ""
    is_text: bool = False
    waits: bool = False

    def __post_init__(self) -> None:
        form = LECTURE if self.lecture and len(self.analysers) == 1 else None
        self.searches = [ShownSearch(analyse, self.overlay, form, waits=self.waits) for analyse in self.analysers]
        self.is_full = bool(form)
        """True if the picture fills the screen."""
        self.file_error = ""
        """What is wrong with the agents' files, "" for nothing."""
        self.tracks: list[Track] = []

    def begin(self, *games: ViewedGame) -> None:
        """Begins to play games."""
        lines = [game if isinstance(game, GameLine) else GameLine(game) for game in games]
        self.after: After | None = None
        self.steer = lines[0].steer
        """What a person calls with the arrow keys and W A S D; None if nobody steers."""
        has_player = self.steer is not None
        self.tracks = [Track(line, search, has_player=has_player) for line, search in zip_longest(lines, self.searches)]
        self.is_ready = has_player or any(search.form == LECTURE for search in self.searches)
        """True while the game waits for the first key: a person steers, or a class wants to look at the first tree."""
        self.ready_seconds = READY_SECONDS if 0 < self.end_seconds < inf else inf
        self._first_seconds = 1 / (self.speed * self.tracks[0].length) if self.is_text else 0.0
        """How long the first position is still visible: as long as a ply."""
        self.shows_pause = self.has_ended = self.is_picture_due = False
        self.quiet_seconds = self._reload_seconds = 0.0
        """How long nothing has moved and no key was pressed."""
        self.help_page: int | None = None
        """The page of the keys that is open; None for none. While it is open, the games stand still."""
        self._differences, self._compared = list[int](), 0
        self.message, self.message_seconds = self.hint, HINT_SECONDS if self.hint else 0.0
        if lines[0].label:
            self.show_message(lines[0].label)

    def stop(self) -> None:
        """Stops the threads that play the games."""
        for track in self.tracks:
            track.stop()

    # ---- what there is to see

    @property
    def is_single(self) -> bool:
        """True if there is only one game."""
        return len(self.tracks) == 1

    @property
    def state(self) -> GameState:
        """The position of the first game."""
        return self.tracks[0].state

    @property
    def ply(self) -> int:
        """The number of plies shown, in the game that is furthest."""
        return max(track.ply for track in self.tracks)

    @property
    def ply_count(self) -> int:
        """The number of plies available, in the longest game."""
        return max(len(track.plies) for track in self.tracks)

    @property
    def is_paused(self) -> bool:
        """True if all games are paused."""
        return all(track.is_paused for track in self.tracks)

    @property
    def is_over(self) -> bool:
        """True if all games show their end."""
        return all(track.is_over for track in self.tracks)

    @property
    def _seconds_over(self) -> float:
        """How long the end of all games has been visible."""
        return min(track.animation.now.seconds_over for track in self.tracks)

    @property
    def quiz(self) -> int:
        """How far the quiz is: it `ASKS`, it `SHOWS` the values, or it `GOES_ON`, as without a quiz."""
        return min((search.stage(self.state) for search in self.searches), default=GOES_ON)

    @property
    def speed_text(self) -> str:
        """The speed as text, with its unit."""
        return f"{self.speed:g} round{'' if self.speed == 1 else 's'}/s"

    def differences(self) -> list[int]:
        """The plies so far at which Pacman does not do the same in all games; each ply is compared once."""
        count = min((len(track.plies) for track in self.tracks if not track.is_complete), default=self.ply_count)
        plies = differences([track.plies[self._compared : count] for track in self.tracks])
        self._differences += [self._compared + ply for ply in plies]
        self._compared = max(count, self._compared)
        return self._differences

    def status(self) -> Status:
        """What the bars and the time line show for all games together."""
        return Status(
            speed_text=self.speed_text,
            is_paused=self.is_paused,
            is_replay=self.has_ended and not self.is_over,
            ply=self.ply,
            ply_count=self.ply_count,
            marks=tuple(sorted({mark for track in self.tracks for mark in track.marks})),
            is_complete=all(track.is_complete for track in self.tracks),
        )

    def visible(self, track: Track, hint: str = "") -> VisibleState:
        """The present moment of a game; of several games without what stands in the time line below all.

        `hint` is for the end of a game that stays: the keys that go on from there.
        """
        if not self.is_single:
            return track.visible(replace(self.status(), speed_text=""))
        hint = hint if self.end_seconds == inf else ""
        return track.visible(replace(self.status(), layout=track.layout, seed=track.game.seed, hint=hint))

    def show_message(self, message: str) -> None:
        """Shows a message for a while, in text until the next key; "" removes the present one."""
        seconds = inf if self.is_text else MESSAGE_SECONDS
        self.message, self.message_seconds = message, seconds if message else 0.0

    # ---- keys that are no commands

    def answer(self, direction: str) -> None:
        """Takes a direction as the answer to the quiz, and shows the values; a second answer is none."""
        if self.quiz == SHOWS:
            self.show_message("Space goes on to Pacman's next move")
        elif direction in self.state.actions():
            self._answer_quiz(answer=direction)
        else:
            self.show_message(f"Pacman cannot go {direction} here")

    def _answer_quiz(self, *, is_play: bool = False, answer: str = "") -> bool:
        """At a stop of the quiz: shows the values, or lets the game go on. False if the command has more to do."""
        stage = self.quiz
        if stage == GOES_ON:
            return False
        self.searches[0].go_on(self.state, answer)
        self.is_ready = False
        return stage == ASKS or (is_play and not self.is_paused)

    def steer_to(self, direction: str) -> None:
        """Steers Pacman. Starts the game, or continues it if it is paused where it can be steered."""
        if self.steer is not None:
            self.steer(direction)
        self.is_ready = False
        if self.is_paused and not self.is_over:
            if self.ply == self.ply_count:
                self.play_or_pause()
            else:
                self.show_message("Space continues the game")

    def skip_ending(self) -> bool:
        """Ends the animation of a win or a loss; False if there is none."""
        is_shown = not self.is_text and self.is_over and self._seconds_over < ENDING_SECONDS
        for track in self.tracks if is_shown else ():
            track.animation.skip_ending()
        return is_shown

    def use_tree_key(self, key: str) -> bool:
        """Pauses the games, and gives a key to the open tree; False if no tree uses it.

        The tree is then that of the position at which the games stand, also if the figures were still gliding to it.
        """
        if not any(search.uses(key) for search in self.searches):
            return False
        if not self.is_paused and not self.is_ready:
            if self.quiz == ASKS:
                self._answer_quiz()
            self.jump(lambda track: track.ply)
            self.follow_games()
        self.shows_pause = False
        for search in self.searches:
            search.key(key)
        return True

    # ---- the commands of the keys, for all games alike

    def play_or_pause(self) -> None:
        """Goes on with the games, or pauses them; at their end it plays them again, as video players do."""
        if self._answer_quiz(is_play=True):
            return
        if self.is_over and not self.is_text:
            self.jump(lambda track: 0)
        elif self.is_ready:
            self.is_ready = False
            return
        self._change(Track.play_or_pause)
        self.shows_pause = self.is_paused

    def step(self, *, is_round: bool = False) -> None:
        """Plays a ply, or to the end of a round, and pauses then; at a stop of the quiz it shows the values instead."""
        if not self._answer_quiz():
            self._change(lambda track: track.step(is_round=is_round))

    def jump(self, where: Callable[[Track], int]) -> None:
        """Shows another ply of each game at once."""
        self._change(lambda track: track.jump(where(track)))

    def _change(self, change: Callable[[Track], None]) -> None:
        self.is_ready = self.shows_pause = False
        for track in self.tracks:
            change(track)

    def pause(self) -> None:
        """Pauses the games; without a notice, because the viewer looks at something else."""
        if not self.is_paused and not self.is_ready:
            self.play_or_pause()
        self.shows_pause = False

    def change_speed(self, *, is_faster: bool) -> None:
        """Goes on with the next higher or lower of the `SPEEDS`, if there is one."""
        others = [one for one in SPEEDS if (one > self.speed if is_faster else one < self.speed)]
        self.speed = (min if is_faster else max)(others, default=self.speed)

    def change_search(self, change: Callable[[ShownSearch], str]) -> None:
        """Changes what is visible of the searches, and shows the message."""
        (message,) = {change(search) for search in self.searches}
        is_on = any(search.is_on for search in self.searches)
        self.show_message(GO_BACK if is_on and self.state.is_terminal else message)

    def turn_tree(self, form: PanelShape) -> None:
        """Opens the tree in a form, or closes it. Of several games, opens the next one; after the last one, none."""
        searches = self.searches
        if self.is_single:
            self.change_search(lambda search: search.turn_tree(form))
            if self.is_text and not self.message:
                self.show_message("tree: J next, K back, V over, G whole" if searches[0].form else "tree hidden")
            return
        opened = next((number for number, search in enumerate(searches) if search.form), -1)
        for number in (opened, opened + 1):
            if 0 <= number < len(searches):
                searches[number].turn_tree(form)

    def choose(self, after: After) -> None:
        """Ends this game with the viewer's choice of what comes next, or says why that is not possible."""
        if after in PLAY_ON and self.state.is_terminal:
            self.show_message("the game is over here: go back first")
        else:
            self.after = after

    def save_picture(self) -> None:
        """Saves a picture of the next frame."""
        self.is_picture_due = True

    def turn_full_screen(self) -> None:
        """Changes between a window and the full screen."""
        self.is_full = not self.is_full

    def turn_help(self) -> None:
        """Shows the next page of the keys; a view that has no such page closes them."""
        self.help_page = 0 if self.help_page is None else self.help_page + 1

    def close_top(self) -> None:
        """Closes the keys, the search tree, or the full screen: the topmost that is open. Else says: Q quits."""
        if self.help_page is not None:
            self.help_page = None
        elif any(search.close() for search in self.searches):
            pass
        elif self.is_full:
            self.is_full = False
        else:
            self.show_message("Q quits")

    # ---- what time does

    def tick(self, seconds: float) -> None:
        """Lets time pass; several short glides can begin and end in it. Behind the keys everything stands still."""
        self.rest(seconds)
        if self.help_page is not None:
            self.quiet_seconds += seconds
            return
        self.message_seconds -= seconds
        self.has_ended = self.has_ended or self.is_over
        self.quiet_seconds = 0.0 if self.is_busy else self.quiet_seconds + seconds
        for search in self.searches:
            search.tick(seconds)
        is_still, playing = self.is_paused or self.is_ready, self.speed * self.tracks[0].length
        while seconds > 1e-9:
            if not any(track.animation.is_gliding for track in self.tracks):
                self._begin_round(seconds)
            speed = playing
            if self.is_paused:  # it lets the glide end soon
                waiting = max(track.goal - track.ply for track in self.tracks)
                speed = max(STEP_SPEED * (1 + waiting), min(playing, 4 * STEP_SPEED))
            gliding = [track.animation.plies_left / speed for track in self.tracks if track.animation.is_gliding]
            step = min([seconds, *gliding])
            seconds -= step
            for track in self.tracks:
                track.animation.advance(step, speed, is_still=is_still, has_ended=track.is_over)
                if self.speed >= FAST and track.is_over:
                    track.animation.skip_ending()
        if self._seconds_over > self.end_seconds and self.after is None and not (self.is_text and self.is_paused):
            self.after = After.NEXT

    def follow_games(self) -> None:
        """Lets each search follow the position that is visible of its game: it begins to search it, or has its report.

        In a window that is the position before a glide, until the glide has ended.
        """
        for track in self.tracks:
            if track.search:
                is_before = track.animation.is_gliding and not self.is_text
                track.search.update(track.animation.now.before if is_before else track.state, track.is_at_end)

    def rest(self, seconds: float) -> None:
        """Lets time pass in which nothing moves: it only looks at the agents' files.

        If they have changed, the game starts again with them; what is wrong with them is shown, while the game goes on.
        """
        self._reload_seconds += seconds
        if self.reload is None or self._reload_seconds < RELOAD_SECONDS:
            return
        self._reload_seconds, problem = 0.0, self.reload()
        if problem is not None:
            self.file_error, self.quiet_seconds = problem, 0.0
        if problem == "":
            for search in self.searches:
                search.forget()
            self.after = self.after or After.AGAIN

    @property
    def is_busy(self) -> bool:
        """True if something moves in the picture, or will move soon without a key."""
        is_waiting = self.is_ready and self.ready_seconds == inf
        last_second = ENDING_SECONDS if self.end_seconds == inf else self.end_seconds + 1
        return (
            self.message_seconds > 0
            or any(search.is_busy for search in self.searches)
            or any(
                track.animation.is_gliding or track.animation.now.rising_points or (track.is_due and not is_waiting)
                for track in self.tracks
            )
            or any(track.is_over and track.animation.now.seconds_over < last_second for track in self.tracks)
        )

    def _begin_round(self, seconds: float) -> None:
        """Begins the next glides, once the plies and the reports of all games are there; or ends the games."""
        due = [track for track in self.tracks if track.is_due]
        if due and self.is_ready:
            self.ready_seconds -= seconds
            self.is_ready = self.ready_seconds > 0
            return
        if self._first_seconds > 1e-9 and not self.is_paused:
            self._first_seconds -= seconds
            return
        are_ready = True
        for track in due:  # every game starts its search and its agents, also if another one is not ready
            track.waiting_seconds += seconds
            is_late = track.waiting_seconds >= REPORT_SECONDS
            has_report = not track.search or track.search.update(track.state) or is_late
            # If an agent thinks for long in the only game, a part of a round can begin too.
            is_part = self.is_text or (self.is_single and track.waiting_seconds > THINKING_SECONDS)
            are_ready = has_report and track.fetch(is_part=is_part) and are_ready
        for track in due if are_ready else ():
            track.begin(1 if self.is_text else None)
