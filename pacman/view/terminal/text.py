"""A game in a terminal, redrawn in place; or in any other file, one plain picture per ply."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import chain
from typing import TextIO

from pacman.core.errors import InputError, agent_name
from pacman.core.layout import name_of
from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.environment import variables
from pacman.picture.colours import DARK, Theme
from pacman.picture.overlays import NONE
from pacman.picture.status_bars import duration
from pacman.play.game import Ply, Result
from pacman.play.recording import GameLine
from pacman.record.report import Analyse
from pacman.record.rows import SIGNS
from pacman.view.controls import GO_BACK, SEARCH, Keyboard, Need, Viewer
from pacman.view.shown_search import ShownSearch
from pacman.view.speed import READY, REPORT_SECONDS, SPEED, THINKING_SECONDS, speed_text
from pacman.view.terminal.glyphs import palette_code, plain, true_colour_code
from pacman.view.terminal.keys import Keys, open_keys, signals_in_order
from pacman.view.terminal.page import Page, Style, help_pages
from pacman.view.terminal.printed_lines import PrintedLines
from pacman.view.terminal.search_text import TREE_ROWS, SearchText
from pacman.view.timeline import Timeline
from pacman.view.view_protocol import After, Steer, ViewedGame, layers_for_search

TICK = 0.02
"""The seconds between two checks for keys."""
FILE_WIDTH = 120
PLAY_ON = (After.TAKE_OVER, After.AGENT_TAKES_OVER)
HIDE, SHOW, CLEAR_LINE, CLEAR_BELOW = "\x1b[?25l", "\x1b[?25h", "\x1b[K", "\x1b[J"


@dataclass(eq=False)
class Text(Viewer):
    """Shows games in characters on `file`.

    On a terminal it redraws the picture in place, at a `pace` in rounds per second. It uses colours unless NO_COLOR is
    set, and blocks or joined lines if the encoding has them. In any other file it writes one ASCII picture per ply,
    and waits only if there is a `pace`. `keys` have the same meanings as in a window; with `steer` they steer.
    With `can_start_games` there are keys for a new game. With `analyse` it shows the search of the position under the
    board, at first as `overlay`, with the window's keys.

    A terminal shows the last line that the agents print below the board, and all their lines at `close`.
    """

    pace: float | None = None
    steer: Steer | None = None
    _: KW_ONLY
    can_start_games: bool = False
    file: TextIO = field(default_factory=lambda: sys.stdout)
    keys: Keys | None = None
    sleep: Callable[[float], None] = time.sleep
    environment: Mapping[str, str] = field(default_factory=variables)
    theme: Theme = DARK
    analyse: Analyse | None = None
    overlay: str = NONE

    def __post_init__(self) -> None:
        self._is_live = self.file.isatty() and self.environment.get("TERM") != "dumb"
        source = sys.stdin if self._is_live and sys.stdin is not None else None
        self._keys = self.keys or (open_keys(source) if source else Keys())
        if self.steer is not None and self._is_live and type(self._keys) is Keys:
            raise InputError("nobody can press a key: the standard input is no terminal; let an agent play: watch")
        self._has_pauses = self._is_live or self.pace is not None or self.steer is not None
        self.speed = SPEED if self.pace is None else self.pace
        self._features = {Need.NEW_GAMES} if self.can_start_games else set()
        self._features |= {Need.ANY_SEARCH, Need.ONE_SEARCH} if self.analyse else set()
        self._keyboard = Keyboard()
        self._timeline: Timeline | None = None
        self._after: After | None = None
        has_unicode = self._is_live and _can_write(self.file, "╭·●Ωω✕▀▄▲▼■└├│−≤≥∞αβ")
        code = true_colour_code if _has_true_colour(self.environment) else palette_code
        has_colour = self._is_live and not self.environment.get("NO_COLOR")
        self._style = Style(has_unicode, code if has_colour else None, self.theme)
        self._search = SearchText(self.analyse, self.overlay, has_unicode=has_unicode) if self.analyse else None
        self._printed = PrintedLines()
        self._lines: list[str] = []
        self._terminal_size = (0, 0)
        self._help_page: int | None = None
        self._message = ""
        self._is_ready = self._is_stale = False
        self._last_choice = After.NEXT
        self._is_search_shown = True

    def show(self, *games: ViewedGame) -> After:
        """Shows one game; returns the viewer's choice of what comes next."""
        (game,) = games
        if self._last_choice not in PLAY_ON:  # who plays on is drawn where the game before was
            self._lines = []
        self.line = game if isinstance(game, GameLine) else None
        if self.line is not None:
            self.steer, self._message = self.line.steer, self.line.label
        features = self._features | ({Need.PLAY_ON} if self.line else set())
        self._keyboard = Keyboard(features, steers=self.steer is not None)
        if not self._is_live:
            return self._print(game)
        with (
            self._keys,
            signals_in_order(self._leave, self._come_back),
            redirect_stdout(self._printed),
            redirect_stderr(self._printed),
        ):
            if sys.platform == "win32":
                os.system("")  # an old console understands escape codes after this
            self.file.write(HIDE)
            timeline = self._timeline = Timeline(game, has_player=self.steer is not None)
            self._after = None
            try:
                self._last_choice = self._watch(game, timeline)
                return self._last_choice
            finally:
                if self._help_page is not None:  # the board, and not the keys, stays on the screen
                    self._help_page = None
                    self._redraw(game, timeline)
                timeline.stop()
                self.file.write(CLEAR_LINE + SHOW)
                self.file.flush()

    def _leave(self) -> None:
        """Gives the terminal back, in the middle of a game. (A write to `file` could be interrupted by this one.)"""
        self._keys.__exit__()
        os.write(self.file.fileno(), SHOW.encode())

    def _come_back(self) -> None:
        """Takes the terminal again."""
        self._keys.__enter__()
        os.write(self.file.fileno(), HIDE.encode())
        self._is_stale = True

    def _print(self, game: ViewedGame) -> After:
        """Writes one picture per ply."""
        pause = 1 / (self.speed * len(game.start.layers)) if self._has_pauses else 0.0
        state = game.start
        for ply in chain((None,), game):
            if ply and pause:
                self.sleep(pause)
            state = ply.state if ply else state
            status = "  ".join(_status(game, state, ply))
            self.file.write("\n".join([*plain(state), status, *self._search_now(state), "", ""]))
        self._write_line(ending(game.result, state))
        return After.NEXT

    def close(self) -> None:
        """Stops the search, and writes what the agents printed."""
        if self._search is not None:
            self._search.stop()
        self.file.write(self._printed.take())
        self.file.flush()

    def _search_now(self, state: GameState) -> list[str]:
        """The lines about the search of a position, for a file."""
        search = self._search
        if search is None or not search.is_on or state.is_terminal:
            return []
        search.analyse_now(state)
        return search.lines(FILE_WIDTH, TREE_ROWS + 10)

    def _watch(self, game: ViewedGame, timeline: Timeline) -> After:
        """Shows the game in place, until it ends or the viewer stops."""
        self._is_ready = self.steer is not None
        self._redraw(game, timeline)
        waiting_seconds = 0.0
        while True:
            if self._is_stale:
                self._lines, self._is_stale = [], False
                self._redraw(game, timeline)
            for key in self._keys.poll():
                self._press(key)
                if self._after is not None:
                    return self._after
                self._redraw(game, timeline)
            pause = 1 / (self.speed * len(game.start.layers))
            if self._is_ready or self._help_page is not None:  # a first key of the person who plays, or the keys' end
                self.sleep(TICK)
                continue
            is_due = timeline.ply < timeline.goal if timeline.is_paused else waiting_seconds >= pause - 1e-9
            if not self._is_search_shown:
                if self._search is None or self._search.update(timeline.state()):
                    self._redraw(game, timeline)
                elif waiting_seconds < REPORT_SECONDS:
                    self.sleep(TICK)
                    waiting_seconds += TICK
                    continue
            if not is_due:
                nap = TICK if timeline.is_paused else min(TICK, pause - waiting_seconds)
                self.sleep(nap)
                waiting_seconds += nap
            elif timeline.is_over:
                if not timeline.is_paused:
                    self._write_line(ending(game.result, timeline.state()))
                    return After.NEXT
                timeline.seek(timeline.ply)
            else:
                if not timeline.next_plies():
                    timeline.pull(TICK)
                if timeline.next_plies():
                    timeline.advance(1)
                    waiting_seconds = 0.0
                    self._redraw(game, timeline)
                elif timeline.thinking_seconds > THINKING_SECONDS:
                    self._redraw(game, timeline)

    def _press(self, key: str) -> None:
        """Runs the command of a key."""
        direction = self._keyboard.direction(key)
        if direction is not None and self.steer is not None:
            self.steer(direction)
            self._is_ready = False
            return
        self._message = ""
        if self._search is not None and self._search.key(key):
            if not self.timeline.is_paused:
                self.timeline.play_or_pause()
        elif control := self._keyboard.control(key):
            control.run(self)

    # The commands of the keys.

    @property
    def timeline(self) -> Timeline:
        """The time line of the game that is shown."""
        assert self._timeline is not None
        return self._timeline

    @property
    def state(self) -> GameState:
        return self.timeline.state()

    def play_or_pause(self) -> None:
        if self._is_ready:
            self._is_ready = False
        else:
            self.timeline.play_or_pause()

    def go_on(self, change: Callable[[Timeline], None]) -> None:
        change(self.timeline)
        self._is_ready = False

    def jump(self, change: Callable[[Timeline], None]) -> None:
        self.go_on(change)

    def change_speed(self, change: Callable[[float], float]) -> None:
        self.speed = change(self.speed)

    def change_search(self, change: Callable[[ShownSearch], str]) -> None:
        if self._search is not None:
            message = change(self._search)
            self._message = GO_BACK if self._search.is_on and self.state.is_terminal else message

    def choose(self, after: After) -> None:
        self._after = after

    def show_message(self, message: str) -> None:
        """Shows a message in the last line."""
        self._message = message

    def turn_help(self) -> None:
        """Shows the next page of the keys."""
        self._help_page = 0 if self._help_page is None else self._help_page + 1

    def close_topmost(self) -> None:
        """Closes the keys, or what is open of the search."""
        if self._help_page is None and self._search is not None:
            self._search.close()
        self._help_page = None

    def _redraw(self, game: ViewedGame, timeline: Timeline) -> None:
        size = shutil.get_terminal_size()
        lines = self._help(*size) or self._page(game, timeline).lines(*size, self._style)
        if not _can_write(self.file, "".join(lines)):
            lines = [line.encode("ascii", "replace").decode() for line in lines]
        *lines_now, footer = lines
        if self._lines:
            self.file.write(f"\x1b[{len(self._lines)}F")
        same = self._lines if size == self._terminal_size else []
        for number, line in enumerate(lines_now):  # for slow connections, it sends only the lines that changed
            is_same = number < len(same) and same[number] == line
            self.file.write("\n" if is_same else f"{line}{CLEAR_LINE}\n")
        self.file.write(CLEAR_BELOW + footer + CLEAR_LINE + "\r")  # the cursor stays in the last line
        self._lines, self._terminal_size = lines_now, size
        self.file.flush()

    def _page(self, game: ViewedGame, timeline: Timeline) -> Page:
        """What there is to show now."""
        state = timeline.state()
        ply = timeline.plies[timeline.ply - 1] if timeline.ply else None
        status = _live_status(
            game, timeline, ply, (self._search and self._search.layers) or layers_for_search(state, game.assumes)
        )
        if timeline.thinking_seconds > THINKING_SECONDS:
            status.append(f"thinking {timeline.thinking_seconds:.1f} s")
        footer = [self._message] if self._message else []
        footer += ["paused" if timeline.is_paused else speed_text(self.speed), "H shows the keys"]
        if self._is_ready:
            footer = [*footer[: bool(self._message)], READY]
        page = Page(state, status, footer, self._printed.last)
        search = self._search
        if search is None:
            return page
        self._is_search_shown = search.update(state)
        return replace(
            page,
            state=search.position or state,
            search_height=search.wanted_lines,
            search_lines=search.lines,
            tints=search.tints(self.theme),
        )

    def _help(self, columns: int, rows: int) -> list[str]:
        """The present page of the keys with its footer; no lines if the help is closed or the pages are over."""
        if self._help_page is None:
            return []
        groups = self._keyboard.help()
        if self._search is not None:
            groups[SEARCH] += self._search.help()
        pages = help_pages(groups, columns, rows)
        if self._help_page >= len(pages):
            self._help_page = None
            return []
        is_last = self._help_page == len(pages) - 1
        count = f"keys, page {self._help_page + 1} of {len(pages)}" if len(pages) > 1 else "keys"
        return [*pages[self._help_page], f"{count}  (H shows {'the board' if is_last else 'the next page'})"]

    def _write_line(self, text: str) -> None:
        self.file.write(text + (CLEAR_LINE if self._is_live else "") + "\n")
        self.file.flush()


def ending(result: Result | None, state: GameState) -> str:
    """How the game ended, in one line."""
    if state.is_win:
        return f"WIN: score {state.score}"
    if state.is_lose:
        return f"LOST: score {state.score}"
    if result is not None and result.fault is not None:
        return f"STOPPED: {result.fault}"
    reason = "the recording ends here" if result is None else "ply limit reached"
    return f"STOPPED: {reason}, score {state.score}"


def _status(game: ViewedGame, state: GameState, ply: Ply | None) -> list[str]:
    """The parts of the status in a file: score, food, the last move, who moves next, and its layer in the search."""
    last = f"ply {ply.number + 1}: {_agent_text(game, ply.agent)} {ply.action}" if ply else f"ply 0, seed {game.seed}"
    layer = layers_for_search(state, game.assumes)[state.mover]
    mover = [] if state.is_terminal else [f"next: {layer.name} {_agent_text(game, state.mover)}"]
    return [f"score {state.score}", f"food {state.food_left}", last, *mover]


def _live_status(game: ViewedGame, timeline: Timeline, ply: Ply | None, layers: Sequence[Layer]) -> list[str]:
    """The parts of the status in a terminal: all that a window says in words. The agent that moves next has a ">"."""
    state = timeline.state()
    count = len(timeline.plies)  # of a game that goes on it is not the end
    has_end = timeline.is_complete or (timeline.is_paused and timeline.ply < count)
    parts = [f"score {state.score}", f"food {state.food_left}", f"round {timeline.rounds}"]
    parts.append(f"ply {timeline.ply} of {count}" if has_end else f"ply {timeline.ply}")
    parts += [f"last: {_name(game, ply.agent)} {ply.action}"] if ply else []
    for agent in state.round.order:
        mark = "> " if agent == state.mover and not state.is_terminal else ""
        time = duration(timeline.think_times()[agent])
        parts.append(f"{mark}{SIGNS[layers[agent]]} {layers[agent].name} {_name(game, agent)} {time}".rstrip())
    layout = name_of(game.start.maze)
    return [*parts, *([f"layout {layout}"] if layout else []), f"seed {game.seed}"]


def _name(game: ViewedGame, agent: int) -> str:
    return (game.names[agent] if agent < len(game.names) else "") or agent_name(agent)


def _agent_text(game: ViewedGame, agent: int) -> str:
    name = game.names[agent] if agent < len(game.names) else ""
    return f"{agent_name(agent)} ({name})" if name else agent_name(agent)


def _has_true_colour(environment: Mapping[str, str]) -> bool:
    """True if the terminal reports 24-bit colours. Others, for example over ssh, get the 256 colours of nearly all."""
    is_reported = environment.get("COLORTERM", "") in ("truecolor", "24bit")
    return is_reported or "WT_SESSION" in environment or environment.get("TERM", "").endswith("-direct")


def _can_write(file: TextIO, text: str) -> bool:
    try:
        text.encode(getattr(file, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
