"""A game in a terminal, redrawn in place; or in any other file, one plain picture per ply."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from itertools import chain
from typing import TextIO

from pacman.core.state import GameState
from pacman.play.game import Ply, Result
from pacman.view.controls import BASIC_COMMANDS, NEW_GAME_COMMANDS, Keyboard
from pacman.view.speed import READY, READY_SECONDS, SPEED, SPEED_COMMANDS, speed_text
from pacman.view.terminal.block_graphics import COLUMNS, ROWS, blocks
from pacman.view.terminal.glyphs import joined_lines, palette_code, plain, true_colour_code
from pacman.view.terminal.keys import Keys, open_keys
from pacman.view.theme import DARK, Theme
from pacman.view.timeline import TIMELINE_COMMANDS, Timeline
from pacman.view.view_protocol import AFTER_COMMANDS, After, Steer, ViewedGame

TICK = 0.02
"""The seconds between two checks for keys."""
THINKING_SECONDS = 0.25
HIDE, SHOW, CLEAR_LINE, CLEAR_BELOW = "\x1b[?25l", "\x1b[?25h", "\x1b[K", "\x1b[J"


class Text:
    """Shows games in characters on `file`.

    On a terminal it redraws the picture in place, at `speed` rounds per second. It uses colours unless NO_COLOR is
    set, and blocks or joined lines if the encoding has them. In any other file it writes one ASCII picture per ply,
    and waits only if there is a `speed`. `keys` have the same meanings as in a window; with `steer` they steer.
    With `can_start_games` there are keys for a new game.
    """

    def __init__(
        self,
        speed: float | None = None,
        steer: Steer | None = None,
        *,
        can_start_games: bool = False,
        file: TextIO | None = None,
        keys: Keys | None = None,
        sleep: Callable[[float], None] = time.sleep,
        environment: Mapping[str, str] = os.environ,
        theme: Theme = DARK,
    ) -> None:
        self._file = sys.stdout if file is None else file
        self._is_live = self._file.isatty() and environment.get("TERM") != "dumb"
        source = sys.stdin if self._is_live and sys.stdin is not None else None
        self._keys = keys or (open_keys(source) if source else Keys())
        self._has_pauses = self._is_live or speed is not None or steer is not None
        self.speed = SPEED if speed is None else speed
        self._steer, self._sleep, self._theme = steer, sleep, theme
        self._keyboard = Keyboard(
            BASIC_COMMANDS | (NEW_GAME_COMMANDS if can_start_games else frozenset()), steers=steer is not None
        )
        self._has_unicode = self._is_live and _can_write(self._file, "╭·●Ωω✕▀▄")
        self._code = true_colour_code if _has_true_colour(environment) else palette_code
        self._has_colour = self._is_live and not environment.get("NO_COLOR")
        self._lines: list[str] = []
        self._terminal_size = (0, 0)
        self._is_help_open = False
        self._ready_seconds = 0.0

    def show(self, *games: ViewedGame) -> After:
        """Shows one game; returns the viewer's choice of what comes next."""
        (game,) = games
        self._lines = []
        if not self._is_live:
            return self._print(game)
        with self._keys:
            if sys.platform == "win32":
                os.system("")  # an old console understands escape codes after this
            self._file.write(HIDE)
            timeline = Timeline(game, has_player=self._steer is not None)
            try:
                return self._watch(game, timeline)
            finally:
                timeline.stop()
                self._file.write(CLEAR_LINE + SHOW)
                self._file.flush()

    def _print(self, game: ViewedGame) -> After:
        """Writes one picture per ply."""
        pause = 1 / (self.speed * len(game.start.layers)) if self._has_pauses else 0.0
        state = game.start
        for ply in chain((None,), game):
            if ply and pause:
                self._sleep(pause)
            state = ply.state if ply else state
            self._file.write("\n".join([*plain(state), self._status_text(game, state, ply), "", ""]))
        self._write_line(ending(game.result, state))
        return After.NEXT

    def _watch(self, game: ViewedGame, timeline: Timeline) -> After:
        """Shows the game in place, until it ends or the viewer stops."""
        self._ready_seconds = READY_SECONDS if self._steer is not None else 0.0
        self._redraw(game, timeline)
        waiting_seconds = 0.0
        while True:
            for key in self._keys.poll():
                after = self._press(key, timeline)
                if after is not None:
                    return after
                self._redraw(game, timeline)
            pause = 1 / (self.speed * len(game.start.layers))
            if self._ready_seconds > 0:
                self._sleep(TICK)
                self._ready_seconds -= TICK
                if self._ready_seconds <= 0:
                    self._redraw(game, timeline)
                continue
            is_due = timeline.ply < timeline.goal if timeline.is_paused else waiting_seconds >= pause - 1e-9
            if not is_due:
                nap = TICK if timeline.is_paused else min(TICK, pause - waiting_seconds)
                self._sleep(nap)
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

    def _press(self, key: str, timeline: Timeline) -> After | None:
        """Runs the command of a key; returns the viewer's choice if the key ends this game, else None."""
        direction = self._keyboard.direction(key)
        if direction is not None and self._steer is not None:
            self._steer(direction)
            self._ready_seconds = 0.0
            return None
        command = self._keyboard.command(key) or ""
        if move := TIMELINE_COMMANDS.get(command):
            move(timeline)
        elif change := SPEED_COMMANDS.get(command):
            self.speed = change(self.speed)
        elif command == "help":
            self._is_help_open = not self._is_help_open
        elif command == "close":
            self._is_help_open = False
        return AFTER_COMMANDS.get(command)

    def _redraw(self, game: ViewedGame, timeline: Timeline) -> None:
        state = timeline.state()
        ply = timeline.plies[timeline.ply - 1] if timeline.ply else None
        status = self._status_text(game, state, ply)
        if timeline.thinking_seconds > THINKING_SECONDS:
            status += f"  thinking {timeline.thinking_seconds:.1f} s"
        columns, lines = shutil.get_terminal_size()
        rows = self._help_rows() if self._is_help_open else self._picture(state, columns, lines)
        lines_now = self._cut([*rows[: max(1, lines - 3)], status])
        if self._lines:
            self._file.write(f"\x1b[{len(self._lines)}F")
        size = (columns, lines)
        same = self._lines if size == self._terminal_size else []
        for number, line in enumerate(lines_now):  # for slow connections, it sends only the lines that changed
            is_same = number < len(same) and same[number] == line
            self._file.write("\n" if is_same else f"{line}{CLEAR_LINE}\n")
        self._file.write(CLEAR_BELOW)
        self._lines, self._terminal_size = lines_now, size
        self._footer(timeline)
        self._file.flush()

    def _picture(self, state: GameState, columns: int, lines: int) -> list[str]:
        """The picture with the most detail and colour that the terminal has space for."""
        maze = state.maze
        has_space = columns >= COLUMNS * maze.width and lines >= ROWS * maze.height + 3
        if self._has_unicode and self._has_colour and has_space:
            return blocks(state, self._code, self._theme)
        if self._has_unicode and columns >= 2 * maze.width:
            return joined_lines(state, self._code if self._has_colour else None, self._theme)
        return plain(state)

    def _help_rows(self) -> list[str]:
        """The keys and their descriptions, shown instead of the board."""
        table = self._keyboard.help()
        width = max(len(keys) for keys, _ in table)
        return [f"  {keys:>{width}}  {description}" for keys, description in table]

    def _footer(self, timeline: Timeline) -> None:
        """Writes the last line: the speed, or a hint. The cursor stays there."""
        speed = "paused" if timeline.is_paused else speed_text(self.speed)
        text = f"{speed}  (? shows the {'board' if self._is_help_open else 'keys'})"
        if self._ready_seconds > 0:
            text = READY
        if not _can_write(self._file, text):
            text = text.encode("ascii", "ignore").decode()
        self._file.write(self._cut([text])[0] + CLEAR_LINE + "\r")

    def _status_text(self, game: ViewedGame, state: GameState, ply: Ply | None) -> str:
        last = (
            f"ply {ply.number + 1}: {_agent_text(game, ply.agent)} {ply.action}" if ply else f"ply 0, seed {game.seed}"
        )
        mover = "" if state.is_terminal else f"  next: {state.layer.name} {_agent_text(game, state.mover)}"
        return f"score {state.score}  food {state.food_left}  {last}{mover}"

    def _cut(self, lines: list[str]) -> list[str]:
        """Cuts lines without colours to the terminal's width; a line that wraps would move the picture."""
        width = shutil.get_terminal_size().columns - 1
        return [line if "\x1b" in line else line[:width] for line in lines]

    def _write_line(self, text: str) -> None:
        self._file.write(text + (CLEAR_LINE if self._is_live else "") + "\n")
        self._file.flush()


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


def _agent_text(game: ViewedGame, agent: int) -> str:
    name = game.names[agent] if agent < len(game.names) else ""
    return f"{'ghost ' + str(agent) if agent else 'Pacman'}{f' ({name})' if name else ''}"


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
