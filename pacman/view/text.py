"""A game in a terminal, redrawn in place; or written to any file, one plain picture after another."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from typing import TextIO

from pacman.game import Ply, Result
from pacman.state import GameState
from pacman.view.glyphs import coloured, plain, rich, uncoloured
from pacman.view.keys import Keys, NoKeys, keys_of
from pacman.view.pace import Pace
from pacman.view.protocol import Showing, Steer
from pacman.view.theme import DARK, Theme

SPEED = 10.0
TICK = 0.02
"""Seconds between two looks at the keyboard."""
HIDE, SHOW, CLEAR_LINE, CLEAR_BELOW = "\x1b[?25l", "\x1b[?25h", "\x1b[K", "\x1b[J"


class Text:
    """Shows games in characters on `file`.

    On a terminal the picture stays in one place, with `speed` plies a second (10), in colour unless NO_COLOR is set
    and with joined lines where the encoding has them. Anywhere else it is plain ASCII, a picture a ply, without waiting
    unless a `speed` is given. `keys` pause, step, change the speed, leave, and steer if `steer` is given.
    """

    def __init__(
        self,
        speed: float | None = None,
        steer: Steer | None = None,
        *,
        file: TextIO | None = None,
        keys: Keys | None = None,
        sleep: Callable[[float], None] = time.sleep,
        environment: Mapping[str, str] = os.environ,
        theme: Theme = DARK,
    ) -> None:
        self._file = sys.stdout if file is None else file
        self._live = self._file.isatty() and environment.get("TERM") != "dumb"
        source = sys.stdin if self._live and sys.stdin is not None else None
        self._keys = keys or (keys_of(source) if source else NoKeys())
        self._waits = self._live or speed is not None or steer is not None
        self.pace = Pace(SPEED if speed is None else speed, steer)
        self._sleep, self._theme = sleep, theme
        self._unicode = self._live and _can_write(self._file, "╭·●Ωω✕")
        self._ink = coloured if self._live and not environment.get("NO_COLOR") else uncoloured
        self._drawn = 0

    def show(self, showing: Showing) -> bool:
        self._drawn = 0
        with self._keys:
            if self._live:
                if sys.platform == "win32":
                    os.system("")  # makes an old console understand the escape codes
                self._file.write(HIDE)
            try:
                return self._watch(showing)
            finally:
                if self._live:
                    self._file.write(CLEAR_LINE + SHOW)
                    self._file.flush()

    def _watch(self, showing: Showing) -> bool:
        plies, state = iter(showing), showing.start
        self._draw(state, self._status(showing, state, None))
        while self._wait():
            ply = next(plies, None)
            if ply is None:
                self._line(ending(showing.result, state))
                return True
            state = ply.state
            self._draw(state, self._status(showing, state, ply))
        return False

    def _wait(self) -> bool:
        """Waits for as long as a ply takes, or while paused; False when the viewer leaves."""
        waited = 0.0
        while self._waits:
            pressed = [self.pace.press(key) for key in self._keys.poll()]
            if self.pace.left:
                return False
            if any(pressed) and self._live:
                self._help_line()
                self._file.flush()
            if self.pace.paused and self.pace.steps:
                self.pace.steps -= 1
                break
            if not self.pace.paused and waited >= 1 / self.pace.speed - 1e-9:
                break
            nap = TICK if self.pace.paused else min(TICK, 1 / self.pace.speed - waited)
            self._sleep(nap)
            waited += nap
        return True

    def _status(self, showing: Showing, state: GameState, ply: Ply | None) -> str:
        if ply is None:
            made = f"ply 0, seed {showing.seed}"
        else:
            made = f"ply {ply.number + 1}, {_who(showing, ply.agent)} {ply.action}"
        following = "" if state.is_terminal else f"  next {state.layer.name} {_who(showing, state.mover)}"
        return f"score {state.score}  food {state.food_left}  {made}{following}"

    def _draw(self, state: GameState, status: str) -> None:
        fits = shutil.get_terminal_size().columns >= 2 * state.maze.width
        rows = rich(state, self._ink, self._theme) if self._unicode and fits else plain(state)
        if not self._live:
            self._file.write("\n".join([*rows, status, "", ""]))
            return
        room = shutil.get_terminal_size().lines - 2
        lines = [*rows[: max(1, room - 1)], status]
        self._up()
        self._file.write("".join(f"{line}{CLEAR_LINE}\n" for line in self._fit(lines)) + CLEAR_BELOW)
        self._drawn = len(lines)
        self._help_line()
        self._file.flush()

    def _help_line(self) -> None:
        """The keys, or the pace, on the line below everything, where the cursor stays."""
        if self.pace.help:
            words = ", ".join(f"{key}: {use}" for key, use in self.pace.key_help())
        else:
            words = f"{'paused' if self.pace.paused else self.pace}  (? keys)"
        if not _can_write(self._file, words):
            words = words.encode("ascii", "ignore").decode()
        self._file.write(self._fit([words])[0] + CLEAR_LINE + "\r")

    def _fit(self, lines: list[str]) -> list[str]:
        """Lines without colours cut to the terminal's width; a line that wraps would shift the picture."""
        width = shutil.get_terminal_size().columns - 1
        return [line if "\x1b" in line else line[:width] for line in lines]

    def _up(self) -> None:
        if self._drawn:
            self._file.write(f"\x1b[{self._drawn}F")

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


def _who(showing: Showing, agent: int) -> str:
    name = showing.names[agent] if agent < len(showing.names) else ""
    return f"{'ghost ' + str(agent) if agent else 'Pacman'}{f' ({name})' if name else ''}"


def _can_write(file: TextIO, text: str) -> bool:
    try:
        text.encode(getattr(file, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
