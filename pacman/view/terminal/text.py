"""A game in a terminal, redrawn in place; or in any other file, one plain picture per ply."""

from __future__ import annotations

import io
import os
import shutil
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import KW_ONLY, dataclass, field
from itertools import chain
from typing import TextIO

from pacman.core.errors import InputError, printable
from pacman.core.state import GameState
from pacman.environment import variables
from pacman.picture.colours import DARK, Theme
from pacman.view.controls import Keyboard
from pacman.view.player import Player
from pacman.view.terminal.board import letters, palette_code, true_colour_code
from pacman.view.terminal.keys import Keys, open_keys, signals_in_order
from pacman.view.terminal.page import TREE_ROWS, Style, ending_line, file_status, help_pages, page, search_lines
from pacman.view.view_protocol import PLAY_ON, After, ViewedGame

TICK = 0.02
"""The seconds between two checks for keys."""
FILE_WIDTH = 120
MOST_LINES = 1000
"""The most printed lines that are kept; of more lines, the last ones."""
HIDE, SHOW, CLEAR_LINE, CLEAR_BELOW = "\x1b[?25l", "\x1b[?25h", "\x1b[K", "\x1b[J"


@dataclass(eq=False)
class Text:
    """Shows the games of a player in characters on `file`.

    On a terminal it redraws the picture in place. It uses colours unless NO_COLOR is set, and blocks if the
    encoding has them. In any other file it writes one ASCII picture per ply, and waits only if it `has_pauses` or a
    person steers.

    A terminal shows the last line that the agents print below the board, and all their lines at `close`.
    """

    player: Player = field(default_factory=Player)
    _: KW_ONLY
    has_pauses: bool = False
    file: TextIO = field(default_factory=lambda: sys.stdout)
    keys: Keys | None = None
    sleep: Callable[[float], None] = time.sleep
    environment: Mapping[str, str] = field(default_factory=variables)
    theme: Theme = DARK

    def __post_init__(self) -> None:
        player = self.player
        player.is_text, player.end_seconds = True, 0.0
        self._is_live = self.file.isatty() and self.environment.get("TERM") != "dumb"
        source = sys.stdin if self._is_live and sys.stdin is not None else None
        self._keys = self.keys or (open_keys(source) if source else Keys())
        if player.steer is not None and self._is_live and type(self._keys) is Keys:
            raise InputError("nobody can press a key: the standard input is no terminal; let an agent play: watch")
        has_unicode = self._is_live and _can_write(self.file, "╭·●Ωω✕▀▄▲▼■└├│−≤≥∞αβ")
        code = true_colour_code if _has_true_colour(self.environment) else palette_code
        has_colour = self._is_live and not self.environment.get("NO_COLOR")
        self._style = Style(has_unicode, code if has_colour else None, self.theme)
        self._printed = PrintedLines()
        self._lines: list[str] = []
        self._look: tuple[object, ...] = ()
        self._terminal_size = (0, 0)
        self._last_choice = After.NEXT

    def show(self, *games: ViewedGame) -> After:
        """Shows one game; returns the viewer's choice of what comes next."""
        (game,) = games
        if not self._is_live:
            return self._print(game)
        if self._last_choice not in PLAY_ON:  # who plays on is drawn where the game before was
            self._lines = []
        player = self.player
        with (
            self._keys,
            signals_in_order(self._leave, self._come_back),
            redirect_stdout(self._printed),
            redirect_stderr(self._printed),
        ):
            if sys.platform == "win32":
                os.system("")  # an old console understands escape codes after this
            self.file.write(HIDE)
            player.begin(game)
            self._keyboard = Keyboard.of(player)
            try:
                self._last_choice = self._watch()
            finally:
                player.help_page = None  # the board, and not the keys, stays on the screen
                self._redraw()
                if player.after is After.NEXT and player.is_over:
                    self._write_line(ending_line(game.result, player.state))
                player.stop()
                self.file.write(CLEAR_LINE + SHOW)
                self.file.flush()
        return self._last_choice

    def _watch(self) -> After:
        """Shows the game in place, until it ends or the viewer stops."""
        player = self.player
        while True:
            self._redraw()
            for key in self._keys.poll():
                self._keyboard.press(player, key)
                self._redraw()
                if player.after is not None:
                    return player.after
            self.sleep(TICK)
            player.tick(TICK)
            if player.after is not None:
                return player.after

    def _leave(self) -> None:
        """Gives the terminal back, in the middle of a game. (A write to `file` could be interrupted by this one.)"""
        self._keys.__exit__()
        os.write(self.file.fileno(), SHOW.encode())

    def _come_back(self) -> None:
        """Takes the terminal again, and draws everything anew."""
        self._keys.__enter__()
        os.write(self.file.fileno(), HIDE.encode())
        self._lines, self._look = [], ()

    def _print(self, game: ViewedGame) -> After:
        """Writes one picture per ply."""
        player, state = self.player, game.start
        has_pauses = self.has_pauses or player.steer is not None
        for ply in chain((None,), game):
            if ply and has_pauses:
                self.sleep(1 / (player.speed * len(game.start.layers)))
            state = ply.state if ply else state
            status, board = "  ".join(file_status(game, state, ply)), map("".join, letters(state, None, self.theme))
            self.file.write("\n".join([*board, status, *self._search_now(state), "", ""]))
        self._write_line(ending_line(game.result, state))
        return After.NEXT

    def _search_now(self, state: GameState) -> list[str]:
        """The lines about the search of a position, for a file."""
        for search in self.player.searches:
            while search.is_on and not state.is_terminal and not search.update(state):
                time.sleep(TICK / 10)
            return [] if state.is_terminal else search_lines(search, FILE_WIDTH, TREE_ROWS + 10, has_unicode=False)
        return []

    def close(self) -> None:
        """Stops the search, and writes what the agents printed."""
        self.player.close()
        self.file.write(self._printed.take())
        self.file.flush()

    def _redraw(self) -> None:
        """Draws the picture, if anything in it has changed."""
        player, size, (track,) = self.player, shutil.get_terminal_size(), self.player.tracks
        search, timeline = track.search, track.timeline
        if search is not None:
            search.update(track.state, timeline.is_over)
        moment = player.ply, len(timeline.plies), timeline.is_complete, round(timeline.thinking_seconds, 1)
        switches = player.is_paused, player.is_ready, player.speed, player.message, player.help_page
        look: tuple[object, ...] = (size, moment, switches, self._printed.last)
        if search is not None:
            look += (search.name, search.is_hidden, search.form, search.words, search.status, search.changes)
            look += (id(search.report), search.hides_values)
        if look == self._look:
            return
        self._look = look
        lines = self._help(*size) or page(player, *size, self._style, self._printed.last)
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

    def _help(self, columns: int, rows: int) -> list[str]:
        """The present page of the keys with its footer; no lines if the help is closed or the pages are over."""
        number = self.player.help_page
        pages = [] if number is None else help_pages(self._keyboard.help(self.player.searches), columns, rows)
        if number is None or number >= len(pages):
            self.player.help_page = None
            return []
        count = f"keys, page {number + 1} of {len(pages)}" if len(pages) > 1 else "keys"
        return [*pages[number], f"{count}  (H shows {'the board' if number == len(pages) - 1 else 'the next page'})"]

    def _write_line(self, text: str) -> None:
        self.file.write(text + (CLEAR_LINE if self._is_live else "") + "\n")
        self.file.flush()


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


class PrintedLines(io.TextIOBase):
    """A stream for `sys.stdout` and `sys.stderr` that keeps the last lines, so that they do not garble the picture."""

    def __init__(self) -> None:
        self._lines = deque([""], MOST_LINES)
        self._count = 0
        """How many lines have ended."""

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, text: str) -> int:
        """Keeps the text; returns its length."""
        first, *others = text.split("\n")
        self._lines[-1] += first
        self._lines.extend(others)
        self._count += len(others)
        return len(text)

    @property
    def last(self) -> str:
        """The last line that is not blank, as printable text; "" if there is none."""
        return next((printable(line) for line in reversed(list(self._lines)) if line.strip()), "")

    def take(self) -> str:
        """All lines below a line that says what they are, and forgets them; "" if nothing was printed.

        >>> printed = PrintedLines()
        >>> _ = printed.write("depth 3\\nvalue 8\\n")
        >>> print(printed.take(), end="")
        printed during the game:
        depth 3
        value 8
        """
        lines, count = list(self._lines), self._count
        self._lines, self._count = deque([""], MOST_LINES), 0
        if not "".join(lines):
            return ""
        cut = f" (the last lines of {count:,})" if count >= MOST_LINES else ""
        return "\n".join([f"printed during the game{cut}:", *lines]).removesuffix("\n") + "\n"
