"""A game in a terminal, redrawn in place; or in any other file, one plain picture per ply.

What a terminal shows depends on its size: the board as large as there is room, the status, the search, the keys.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import textwrap
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import KW_ONLY, dataclass, field
from itertools import chain
from typing import TextIO

from pacman.core.errors import InputError, agent_name, printable
from pacman.core.numbers import format_number
from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.environment import variables
from pacman.picture.bars import duration
from pacman.picture.colours import DARK, Colour, Theme
from pacman.picture.moment import Cell
from pacman.picture.overlays import path_tints
from pacman.play.game import Ply
from pacman.record.rows import SIGNS, as_ascii, node_facts, tree_lines
from pacman.view import PLAY_ON, After, ViewedGame
from pacman.view.controls import Keyboard
from pacman.view.player import Player
from pacman.view.shown_search import ShownSearch, layers_for_search, search_facts
from pacman.view.terminal_board import COLUMNS, RESET, ROWS, Code, blocks, letters, palette_code, true_colour_code
from pacman.view.terminal_keys import Keys, signals_in_order
from pacman.view.timeline import THINKING_SECONDS, Track

TICK = 0.02
"""The seconds between two checks for keys."""
FILE_WIDTH, MOST_SCALE = 120, 6
MOST_LINES = 1000
"""The most printed lines that are kept; of more lines, the last ones."""
HIDE, SHOW, CLEAR_LINE, CLEAR_BELOW = "\x1b[?25l", "\x1b[?25h", "\x1b[K", "\x1b[J"
STATUS_LINES, HIGH, WIDE = 2, 20, 160
"""The lines for the status; one more in a terminal of `HIGH` lines, one less in one of `WIDE` columns."""
LEAST_BOARD, LEAST_SEARCH = 3, 5
TREE_ROWS, LEAST_TREE_ROWS = 8, 3
"""The rows that the tree asks for; it takes more if there is room. And the rows that it has in any case."""
RESULT_LINES, WHY_LINES = 1, 4
GAP, MORE = "  ", "..."
READY = "READY!  Arrows or W A S D steer, H shows all keys"
_SIGN = re.compile(f"[{SIGNS[Layer.MAX]}{SIGNS[Layer.MIN]}{SIGNS[Layer.CHANCE]}] ")


@dataclass(frozen=True)
class Style:
    """What a terminal can show. `code` makes the escape codes of colours; None if it shows none."""

    has_unicode: bool = False
    code: Code | None = None
    theme: Theme = DARK

    def line(self, words: str) -> str:
        """A line of text, with the signs of layers in their colours; in ASCII without signs."""
        code = self.code
        if not self.has_unicode:
            return as_ascii(_SIGN.sub("", words))
        if code is None:
            return words
        ink = {sign: code(self.theme.layer(layer), False) for layer, sign in SIGNS.items() if layer}
        return _SIGN.sub(lambda match: f"{ink[match[0][0]]}{match[0]}{RESET}", words)


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
        player, values = self.player, self.environment
        player.is_text, player.end_seconds = True, 0.0
        self._is_live = self.file.isatty() and values.get("TERM") != "dumb"
        has_keys = self._is_live and sys.stdin is not None and sys.stdin.isatty()
        self._keys = self.keys or Keys(sys.stdin if has_keys else None)
        self._has_keys = has_keys or self.keys is not None
        # Terminals without 24-bit colours, for example over ssh, get the 256 colours that nearly all have.
        is_rich = values.get("COLORTERM") in ("truecolor", "24bit") or values.get("TERM", "").endswith("-direct")
        code = true_colour_code if is_rich or "WT_SESSION" in values else palette_code
        has_colour = self._is_live and not values.get("NO_COLOR")
        has_unicode = self._is_live and _can_write(self.file, "╭·●Ωω✕▀▄▲▼■└├│−≤≥∞αβ")
        self._style = Style(has_unicode, code if has_colour else None, self.theme)
        self._printed = PrintedLines()
        self._lines: list[str] = []
        self._look: tuple[object, ...] = ()
        self._last_choice = After.NEXT

    def show(self, *games: ViewedGame) -> After:
        """Shows one game; returns the viewer's choice of what comes next."""
        (game,), player = games, self.player
        if not self._is_live:
            return self._print(game)
        if game.steer is not None and not self._has_keys:
            raise InputError("nobody can press a key: the standard input is no terminal; let an agent play: watch")
        if self._last_choice not in PLAY_ON:  # who plays on is drawn where the game before was
            self._lines = []
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
            keyboard = Keyboard(player)
            try:
                self._watch(keyboard)
            finally:
                player.help_page = None  # the board, and not the keys, stays on the screen
                self._redraw(keyboard)
                player.stop()
                self.file.write(CLEAR_LINE + SHOW)
                self.file.flush()
        self._last_choice = player.after or After.NEXT
        return self._last_choice

    def _watch(self, keyboard: Keyboard) -> None:
        """Shows the game in place, until it ends or the viewer stops."""
        player = self.player
        while player.after is None:
            self._redraw(keyboard)
            for key in self._keys.poll():
                if player.after is None:
                    keyboard.press(player, key)
                    self._redraw(keyboard)
            if player.after is None:
                self.sleep(TICK)
                player.tick(TICK)

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
        has_pauses = self.has_pauses or game.steer is not None
        for ply in chain((None,), game):
            if ply and has_pauses:
                self.sleep(1 / (player.speed * len(game.start.layers)))
            state = ply.state if ply else state
            board, lines = map("".join, letters(state, None, self.theme)), [GAP.join(file_status(game, state, ply))]
            for search in player.searches[:1] if not state.is_terminal else ():
                while search.is_on and not search.update(state):
                    time.sleep(TICK / 10)
                lines += search_lines(search, FILE_WIDTH, TREE_ROWS + 10, has_unicode=False)
            self.file.write("\n".join([*board, *lines, "", ""]))
        self.file.flush()
        return After.NEXT

    def close(self) -> None:
        """Writes what the agents printed."""
        self.file.write(self._printed.take())
        self.file.flush()

    def _redraw(self, keyboard: Keyboard) -> None:
        """Draws the picture, if anything in it has changed."""
        player, size, (track,) = self.player, shutil.get_terminal_size(), self.player.tracks
        search = track.search
        moment = player.ply, len(track.plies), track.is_complete, round(track.thinking_seconds, 1)
        switches = player.is_paused, player.is_ready, player.speed, player.message, player.help_page
        look: tuple[object, ...] = (size, moment, switches, self._printed.last)
        player.follow_games()
        if search is not None:
            look += (search.name, search.is_hidden, search.form, search.words, search.status, search.changes)
            look += (id(search.report), search.hides_values)
        if look == self._look:
            return
        same = self._lines if self._look[:1] == (size,) else []
        self._look = look
        lines = self._help(keyboard, *size) or page(player, *size, self._style, self._printed.last)
        if not _can_write(self.file, "".join(lines)):
            lines = [line.encode("ascii", "replace").decode() for line in lines]
        *lines, footer = lines
        if self._lines:
            self.file.write(f"\x1b[{len(self._lines)}F")
        for number, line in enumerate(lines):  # for slow connections, it sends only the lines that changed
            self.file.write("\n" if same[number : number + 1] == [line] else f"{line}{CLEAR_LINE}\n")
        self.file.write(CLEAR_BELOW + footer + CLEAR_LINE + "\r")  # the cursor stays in the last line
        self._lines = lines
        self.file.flush()

    def _help(self, keyboard: Keyboard, columns: int, rows: int) -> list[str]:
        """The present page of the keys with its footer; no lines if the help is closed or the pages are over."""
        number = self.player.help_page
        pages = [] if number is None else help_pages(keyboard.help(self.player.searches), columns, rows)
        if number is None or number >= len(pages):
            self.player.help_page = None
            return []
        count = f"keys, page {number + 1} of {len(pages)}" if len(pages) > 1 else "keys"
        return [*pages[number], f"{count}  (H shows {'the board' if number == len(pages) - 1 else 'the next page'})"]


def _can_write(file: TextIO, text: str) -> bool:
    try:
        text.encode(getattr(file, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class PrintedLines(io.TextIOBase):
    """A stream for `sys.stdout` and `sys.stderr` that keeps the last lines, so that they do not garble the picture."""

    def __init__(self) -> None:
        self._lines, self._count = deque([""], MOST_LINES), 0
        """The last lines, and how many have ended."""

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
        lines, count = [*self._lines], self._count
        self._lines, self._count = deque([""], MOST_LINES), 0
        cut = f" (the last lines of {count:,})" if count >= MOST_LINES else ""
        return "\n".join([f"printed during the game{cut}:", *lines]).removesuffix("\n") + "\n" if any(lines) else ""


# ---- what a terminal of a given size shows


def page(player: Player, columns: int, rows: int, style: Style, printed: str = "") -> list[str]:
    """At most `rows` lines of less than `columns` characters each; the last one is the footer.

    `printed` is the last line that an agent printed.
    """
    (track,) = player.tracks
    search, state = track.search, (track.search and track.search.position) or track.state
    width = columns - 1  # a terminal breaks a line that reaches its end
    most = STATUS_LINES + (rows >= HIGH) - (width >= WIDE) if rows > LEAST_BOARD + STATUS_LINES else 1
    status = wrapped(_live_status(track), width, most)
    status += [""] * (most - len(status))  # so that the board keeps its place
    if printed and rows > LEAST_BOARD + STATUS_LINES:
        status.append(shortened(f"printed: {printed}", width))
    room = max(1, rows - len(status) - 1)
    least = max(LEAST_BOARD, min(state.maze.height, room - LEAST_SEARCH))
    # The number of wanted lines depends only on what is switched on, so that the board stays still.
    wanted = 0
    if search and search.is_on:
        wanted = RESULT_LINES + search.has_words * WHY_LINES + bool(search.form) * TREE_ROWS
        wanted += search.overlay.lines if search.overlay else 0
    tints = _tints(search, style.theme) if search else {}
    picture = board(state, columns, room - min(wanted, max(0, room - least)), style, tints)
    below = search_lines(search, width, room - len(picture), has_unicode=style.has_unicode) if search else []
    keys = [READY] if player.is_ready else ["paused" if player.is_paused else player.speed_text, "H shows the keys"]
    around = ["the board around Pacman"] if len(picture) < state.maze.height else []
    footer = fitting([*filter(None, [player.message]), *keys, *around], width)
    return [*picture, *map(style.line, [*status, *below]), footer]


def board(state: GameState, columns: int, rows: int, style: Style, tints: Mapping[Cell, Colour]) -> list[str]:
    """The board with the most detail that fits; if nothing fits, the part of it around Pacman."""
    maze = state.maze
    if style.has_unicode and style.code:
        scale = min(MOST_SCALE, columns // (COLUMNS * maze.width), rows // (ROWS * maze.height))
        if scale:
            return blocks(state, style.code, style.theme, scale, tints)
    x, y = state.pacman.position
    code = style.code if style.has_unicode else None
    lines = letters(state, code, style.theme, tints, 2 if code and columns > 2 * maze.width else 1)
    left = max(0, min(int(x) - (columns - 1) // 2, maze.width - columns + 1))
    top = max(0, min(maze.height - 1 - int(y) - rows // 2, maze.height - rows))
    return ["".join(line[left : left + columns - 1]) for line in lines[top : top + rows]]


def help_pages(groups: Mapping[str, Sequence[tuple[str, str]]], columns: int, rows: int) -> list[list[str]]:
    """The keys and their descriptions, in as many columns and pages as they need; the footer has the last line."""
    first = max(len(keys) for table in groups.values() for keys, _ in table)
    widest = first + 2 + max(len(description) for table in groups.values() for _, description in table)
    indent, lines = first if widest < columns else 0, []  # without room they are not aligned
    for group, table in groups.items():
        lines += [group, *(f"{keys:>{indent}}  {description}" for keys, description in table)]
    height, column = max(1, rows - 1), max(map(len, lines)) + 2 * len(GAP)
    across = max(1, (columns - 1 + len(GAP)) // column) if len(lines) > height else 1
    pages = []
    for begin in range(0, len(lines), height * across):
        part = lines[begin : begin + height * across]
        length, width = -(-len(part) // across), max(map(len, part)) + 2 * len(GAP)
        pages.append(["".join(cell.ljust(width) for cell in part[line::length]).rstrip() for line in range(length)])
    return pages


# ---- the search


def search_lines(search: ShownSearch, width: int, height: int, *, has_unicode: bool) -> list[str]:
    """At most `height` lines about the search."""
    if not search.is_on or height < 1:
        return []
    if search.hides_values:
        lines = _sentences(search, width)
    elif search.report is None or search.browser is None:
        lines = [shortened(f"search: {search.status}", width)]
    else:
        lines = _facts(search, width)
        if search.form:
            lines = lines[: max(1, height - LEAST_TREE_ROWS)]
            lines += tree_lines(search.browser, width, height - len(lines), has_unicode=has_unicode)
    return lines[:height] if has_unicode else [as_ascii(line) for line in lines[:height]]


def _sentences(search: ShownSearch, width: int) -> list[str]:
    return textwrap.wrap(search.words, width, max_lines=WHY_LINES, placeholder=f" {MORE}")


def _facts(search: ShownSearch, width: int) -> list[str]:
    """The result and the counts, then what the overlay is about; at a step of the tree, where the search is."""
    browser, overlay = search.browser, search.overlay
    assert browser is not None
    report = browser.report
    result, (generated, expanded, cut) = search_facts(browser)
    lines = [fitting([f"{report.title}: {' '.join(result.split())}", f"{generated}, {expanded}", cut], width)]
    lines += _sentences(search, width) + ([shortened(report.note, width)] if report.note else [])
    if search.form and browser.step is not None:
        *facts, arithmetic = node_facts(browser)
        return [*lines, fitting(facts, width), *([shortened(arithmetic, width)] if arithmetic else [])]
    return lines + (wrapped(overlay.words(report), width, overlay.lines, f"{overlay.name:<6}") if overlay else [])


def _tints(search: ShownSearch, theme: Theme) -> dict[Cell, Colour]:
    """The colours of cells of the floor: the principal line, the expanded nodes, or the path to a node."""
    report, browser = search.report, search.browser
    if not search.is_on or search.hides_values or not report or not browser or not isinstance(report.root, GameState):
        return {}
    if search.position is not None:
        return path_tints(report.places_to(browser.current), theme)
    tints = search.overlay.tints if search.overlay else None
    return tints(report, theme) if tints else {}


# ---- the status


def file_status(game: ViewedGame, state: GameState, ply: Ply | None) -> list[str]:
    """The parts of the status in a file: score, food, the last move, who moves next, and its layer in the search."""

    def name(agent: int) -> str:
        words = _name(game, agent)
        return words if words == agent_name(agent) else f"{agent_name(agent)} ({words})"

    last = f"ply {ply.number + 1}: {name(ply.agent)} {ply.action}" if ply else f"ply 0, seed {game.seed}"
    layer = layers_for_search(state, game.assumes)[state.mover]
    mover = [] if state.is_terminal else [f"next: {layer.name} {name(state.mover)}"]
    return [f"score {state.score}", f"food {state.food_left}", last, *mover]


def _live_status(track: Track) -> list[str]:
    """The parts of the status in a terminal: all that a window says in words. The agent that moves next has a ">"."""
    game, state = track.game, track.state
    ply = track.plies[track.ply - 1] if track.ply else None
    count = len(track.plies)  # of a game that goes on it is not the end
    has_end = track.is_complete or (track.is_paused and track.ply < count)
    parts = [f"score {format_number(state.score)}", f"food {state.food_left}", f"round {track.rounds}"]
    parts.append(f"ply {track.ply} of {count}" if has_end else f"ply {track.ply}")
    parts += [f"last: {_name(game, ply.agent)} {ply.action}"] if ply else []
    for agent in state.round.order:
        mark = "> " if agent == state.mover and not state.is_terminal else ""
        layer, seconds = track.layers[agent], duration(track.think_times()[agent])
        parts.append(f"{mark}{SIGNS[layer]} {layer.name} {_name(game, agent)} {seconds}".rstrip())
    parts += [*([f"layout {track.layout}"] if track.layout else []), f"seed {game.seed}"]
    thinking = track.thinking_seconds
    return [*parts, *([f"thinking {thinking:.1f} s"] if thinking > THINKING_SECONDS else [])]


def _name(game: ViewedGame, agent: int) -> str:
    return (game.names[agent] if agent < len(game.names) else "") or agent_name(agent)


# ---- text in a given width


def wrapped(parts: Sequence[str], width: int, most_lines: int, first: str = "") -> list[str]:
    """The parts on at most `most_lines` lines of `width` characters, never broken inside a part.

    The lines begin after the word `first`. If not all parts have room, the last line ends with "...". Only a part that
    is longer than a line is cut, at its end.

    >>> wrapped(["score 12", "food 3", "ply 4"], 17, 2)
    ['score 12  food 3', 'ply 4']
    >>> wrapped(["score 12", "food 3", "ply 4"], 17, 1)
    ['score 12  ...']
    """
    begin = first + GAP if first else ""
    text = GAP.join(shortened(part, width - len(begin)).replace(" ", "\xa0") for part in parts)
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=begin,
        subsequent_indent=" " * len(begin),
        max_lines=most_lines,
        placeholder=GAP + MORE,
        break_on_hyphens=False,
    )
    return [line.replace("\xa0", " ") for line in lines]


def fitting(parts: Sequence[str], width: int) -> str:
    """The parts that fit on one line, in order; a part without room is left out.

    >>> fitting(["4 rounds/s", "H shows all keys", "seed 7"], 20)
    '4 rounds/s  seed 7'
    """
    line = ""
    for part in parts:
        longer = f"{line}{GAP}{part}" if line else part
        if len(longer) <= width or not line:
            line = shortened(longer, width)
    return line


def shortened(text: str, width: int) -> str:
    """The text, or its beginning and "..." if it is longer than `width`.

    >>> shortened("ZeroDivisionError", 10)
    'ZeroDiv...'
    """
    return text if len(text) <= width else f"{text[: max(0, width - len(MORE))]}{MORE}"[:width]
