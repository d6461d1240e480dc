"""A game in a terminal, redrawn in place; or written to any file, one plain picture after another."""

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
from pacman.view.controls import ANYWHERE, RENEWING, Keyboard
from pacman.view.protocol import WISHES, After, Steer, ViewedGame
from pacman.view.speed import CHANGES, READY, READY_SECONDS, SPEED, written
from pacman.view.terminal.blocks import COLUMNS, ROWS, blocks
from pacman.view.terminal.glyphs import direct, palette, plain, rich
from pacman.view.terminal.keys import Keys, keys_of
from pacman.view.theme import DARK, Theme
from pacman.view.timeline import MOVES, Timeline

TICK = 0.02
"""Seconds between two looks at the keyboard."""
THINKING_SECONDS = 0.25
HIDE, SHOW, CLEAR_LINE, CLEAR_BELOW = "\x1b[?25l", "\x1b[?25h", "\x1b[K", "\x1b[J"


class Text:
    """Shows games in characters on `file`.

    On a terminal the picture stays in one place, with `speed` rounds a second, in colour unless NO_COLOR is set and
    with blocks or joined lines where the encoding has them. Anywhere else it is plain ASCII, a picture a ply, without
    waiting unless a `speed` is given. `keys` do what they do in a window, and steer if `steer` is given. `renews` if
    whoever shows the games can make new ones.
    """

    def __init__(
        self,
        speed: float | None = None,
        steer: Steer | None = None,
        *,
        renews: bool = False,
        file: TextIO | None = None,
        keys: Keys | None = None,
        sleep: Callable[[float], None] = time.sleep,
        environment: Mapping[str, str] = os.environ,
        theme: Theme = DARK,
    ) -> None:
        self._file = sys.stdout if file is None else file
        self._live = self._file.isatty() and environment.get("TERM") != "dumb"
        source = sys.stdin if self._live and sys.stdin is not None else None
        self._keys = keys or (keys_of(source) if source else Keys())
        self._waits = self._live or speed is not None or steer is not None
        self.speed = SPEED if speed is None else speed
        self._steer, self._sleep, self._theme = steer, sleep, theme
        self._keyboard = Keyboard(ANYWHERE | (RENEWING if renews else frozenset()), steers=steer is not None)
        self._unicode = self._live and _can_write(self._file, "╭·●Ωω✕▀▄")
        self._code = direct if _shows_every_colour(environment) else palette
        self._has_colour = self._live and not environment.get("NO_COLOR")
        self._lines: list[str] = []
        self._room = (0, 0)
        self._helps = False
        self._ready = 0.0

    def show(self, *showings: ViewedGame) -> After:
        """What the viewer wants next; it shows one game at a time."""
        (showing,) = showings
        self._lines = []
        if not self._live:
            return self._print(showing)
        with self._keys:
            if sys.platform == "win32":
                os.system("")  # makes an old console understand the escape codes
            self._file.write(HIDE)
            timeline = Timeline(showing, by_hand=self._steer is not None)
            try:
                return self._watch(showing, timeline)
            finally:
                timeline.stop()
                self._file.write(CLEAR_LINE + SHOW)
                self._file.flush()

    def _print(self, showing: ViewedGame) -> After:
        """One picture after another."""
        pause = 1 / (self.speed * len(showing.start.layers)) if self._waits else 0.0
        state = showing.start
        for ply in chain((None,), showing):
            if ply and pause:
                self._sleep(pause)
            state = ply.state if ply else state
            self._file.write("\n".join([*plain(state), self._status(showing, state, ply), "", ""]))
        self._line(ending(showing.result, state))
        return After.NEXT

    def _watch(self, showing: ViewedGame, timeline: Timeline) -> After:
        """One picture, redrawn in place."""
        self._ready = READY_SECONDS if self._steer is not None else 0.0
        self._redraw(showing, timeline)
        waited = 0.0
        while True:
            for key in self._keys.poll():
                after = self._press(key, timeline)
                if after is not None:
                    return after
                self._redraw(showing, timeline)
            pause = 1 / (self.speed * len(showing.start.layers))
            if self._ready > 0:
                self._sleep(TICK)
                self._ready -= TICK
                if self._ready <= 0:
                    self._redraw(showing, timeline)
                continue
            is_due = timeline.at < timeline.goal if timeline.is_paused else waited >= pause - 1e-9
            if not is_due:
                nap = TICK if timeline.is_paused else min(TICK, pause - waited)
                self._sleep(nap)
                waited += nap
            elif timeline.is_over:
                if not timeline.is_paused:
                    self._line(ending(showing.result, timeline.state()))
                    return After.NEXT
                timeline.seek(timeline.at)
            else:
                if not timeline.beat():
                    timeline.pull(TICK)
                if timeline.beat():
                    timeline.advance(1)
                    waited = 0.0
                    self._redraw(showing, timeline)
                elif timeline.thinking > THINKING_SECONDS:
                    self._redraw(showing, timeline)

    def _press(self, key: str, timeline: Timeline) -> After | None:
        """Does what the key is for; returns what the viewer wants when he has had enough."""
        turn = self._keyboard.turn(key)
        if turn is not None and self._steer is not None:
            self._steer(turn)
            self._ready = 0.0
            return None
        command = self._keyboard.command(key) or ""
        if move := MOVES.get(command):
            move(timeline)
        elif change := CHANGES.get(command):
            self.speed = change(self.speed)
        elif command == "help":
            self._helps = not self._helps
        return WISHES.get(command)

    def _redraw(self, showing: ViewedGame, timeline: Timeline) -> None:
        state = timeline.state()
        ply = timeline.plies[timeline.at - 1] if timeline.at else None
        status = self._status(showing, state, ply)
        if timeline.thinking > THINKING_SECONDS:
            status += f"  thinking {timeline.thinking:.1f} s"
        columns, lines = shutil.get_terminal_size()
        rows = self._help() if self._helps else self._rows(state, columns, lines)
        lines_now = self._fit([*rows[: max(1, lines - 3)], status])
        if self._lines:
            self._file.write(f"\x1b[{len(self._lines)}F")
        room = (columns, lines)
        same = self._lines if room == self._room else []
        for number, line in enumerate(lines_now):  # over a slow line only what changed is sent
            is_there = number < len(same) and same[number] == line
            self._file.write("\n" if is_there else f"{line}{CLEAR_LINE}\n")
        self._file.write(CLEAR_BELOW)
        self._lines, self._room = lines_now, room
        self._foot(timeline)
        self._file.flush()

    def _rows(self, state: GameState, columns: int, lines: int) -> list[str]:
        """The largest and most colourful picture for which there is room."""
        maze = state.maze
        fits = columns >= COLUMNS * maze.width and lines >= ROWS * maze.height + 3
        if self._unicode and self._has_colour and fits:
            return blocks(state, self._code, self._theme)
        if self._unicode and columns >= 2 * maze.width:
            return rich(state, self._code if self._has_colour else None, self._theme)
        return plain(state)

    def _help(self) -> list[str]:
        """What each key does, in the place of the board."""
        table = self._keyboard.help()
        wide = max(len(keys) for keys, _ in table)
        return [f"  {keys:>{wide}}  {use}" for keys, use in table]

    def _foot(self, timeline: Timeline) -> None:
        """The pace, on the line below everything, where the cursor stays."""
        pace = "paused" if timeline.is_paused else written(self.speed)
        words = READY if self._ready > 0 else f"{pace}  (? {'the board' if self._helps else 'keys'})"
        if not _can_write(self._file, words):
            words = words.encode("ascii", "ignore").decode()
        self._file.write(self._fit([words])[0] + CLEAR_LINE + "\r")

    def _status(self, showing: ViewedGame, state: GameState, ply: Ply | None) -> str:
        made = (
            f"ply {ply.number + 1}, {_who(showing, ply.agent)} {ply.action}" if ply else f"ply 0, seed {showing.seed}"
        )
        following = "" if state.is_terminal else f"  next {state.layer.name} {_who(showing, state.mover)}"
        return f"score {state.score}  food {state.food_left}  {made}{following}"

    def _fit(self, lines: list[str]) -> list[str]:
        """Lines without colours cut to the terminal's width; a line that wraps would shift the picture."""
        width = shutil.get_terminal_size().columns - 1
        return [line if "\x1b" in line else line[:width] for line in lines]

    def _line(self, text: str) -> None:
        self._file.write(text + (CLEAR_LINE if self._live else "") + "\n")
        self._file.flush()


def ending(result: Result | None, state: GameState) -> str:
    """How it ended, in one line."""
    if state.is_win:
        return f"WIN with {state.score} points"
    if state.is_lose:
        return f"LOST with {state.score} points"
    if result is not None and result.fault is not None:
        return f"STOPPED: {result.fault}"
    return f"STOPPED with {state.score} points: the limit of moves is reached"


def _who(showing: ViewedGame, agent: int) -> str:
    name = showing.names[agent] if agent < len(showing.names) else ""
    return f"{'ghost ' + str(agent) if agent else 'Pacman'}{f' ({name})' if name else ''}"


def _shows_every_colour(environment: Mapping[str, str]) -> bool:
    """A terminal that does not say so, as over ssh, gets the 256 colours that nearly all have."""
    said = environment.get("COLORTERM", "") in ("truecolor", "24bit")
    return said or "WT_SESSION" in environment or environment.get("TERM", "").endswith("-direct")


def _can_write(file: TextIO, text: str) -> bool:
    try:
        text.encode(getattr(file, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
