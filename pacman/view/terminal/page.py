"""What a terminal of a given size shows: the board as large as there is room, the search, the status, the keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.picture.colours import DARK, Colour, Theme
from pacman.picture.moment import Cell
from pacman.record.rows import SIGNS
from pacman.view.terminal.block_graphics import COLUMNS, MOST_SCALE, ROWS, blocks
from pacman.view.terminal.glyphs import RESET, Code, joined_lines, plain
from pacman.view.terminal.text_lines import fitting, in_columns, shortened, wrapped

STATUS_LINES, HIGH, WIDE = 2, 20, 160
"""The lines for the status; one more in a terminal of `HIGH` lines, one less in one of `WIDE` columns."""
_SIGN = re.compile(f"[{SIGNS[Layer.MAX]}{SIGNS[Layer.MIN]}{SIGNS[Layer.CHANCE]}] ")
LEAST_BOARD, LEAST_SEARCH = 3, 5


@dataclass(frozen=True)
class Style:
    """What a terminal can show. `code` makes the escape codes of colours; None if it shows none."""

    has_unicode: bool = False
    code: Code | None = None
    theme: Theme = DARK

    def with_layers(self, line: str) -> str:
        """The line with the signs of layers in their colours; in ASCII without signs."""
        code = self.code
        if not self.has_unicode:
            return _SIGN.sub("", line)
        if code is None:
            return line
        ink = {sign: code(self.theme.layer(layer), False) for layer, sign in SIGNS.items() if layer}
        return _SIGN.sub(lambda match: f"{ink[match[0][0]]}{match[0]}{RESET}", line)


@dataclass(frozen=True)
class Page:
    """The parts of a picture in a terminal.

    `status` and `footer` are texts that stay whole, and `printed` is the last line that an agent printed.
    `search_lines` is called with the width and height that are left; None means that no search is shown.
    `search_height` is how many lines the search asks for.
    """

    state: GameState
    status: Sequence[str]
    footer: Sequence[str]
    printed: str = ""
    search_height: int = 0
    search_lines: Callable[[int, int], Sequence[str]] | None = None
    tints: Mapping[Cell, Colour] = field(default_factory=dict)

    def lines(self, columns: int, rows: int, style: Style) -> list[str]:
        """At most `rows` lines of less than `columns` characters each; the last one is the footer."""
        width = columns - 1  # a terminal breaks a line that reaches its end
        most = STATUS_LINES + (rows >= HIGH) - (width >= WIDE) if rows > LEAST_BOARD + STATUS_LINES else 1
        status = wrapped(self.status, width, most)
        status += [""] * (most - len(status))  # so that the board keeps its place
        if self.printed and rows > LEAST_BOARD + STATUS_LINES:
            status.append(shortened(f"printed: {self.printed}", width))
        room = max(1, rows - len(status) - 1)
        least = max(LEAST_BOARD, min(self.state.maze.height, room - LEAST_SEARCH))
        board = self.board(columns, room - min(self.search_height, max(0, room - least)), style)
        search = self.search_lines(width, room - len(board)) if self.search_lines else ()
        is_part = len(board) < self.state.maze.height
        footer = fitting([*self.footer, *(["the board around Pacman"] if is_part else [])], width)
        return [*board, *(style.with_layers(line) for line in [*status, *search]), footer]

    def board(self, columns: int, rows: int, style: Style) -> list[str]:
        """The board with the most detail that fits; if nothing fits, the part of it around Pacman."""
        maze = self.state.maze
        if style.has_unicode and style.code:
            for scale in range(MOST_SCALE, 0, -1):
                if columns >= COLUMNS * scale * maze.width and rows >= ROWS * scale * maze.height:
                    return blocks(self.state, style.code, style.theme, scale, self.tints)
        if style.has_unicode and columns >= 2 * maze.width and rows >= maze.height:
            return joined_lines(self.state, style.code, style.theme, self.tints)
        return _around_pacman(self.state, columns - 1, rows)


def _around_pacman(state: GameState, columns: int, rows: int) -> list[str]:
    """The plain board; if it is too large, as much of it as fits, with Pacman in the middle."""
    lines = plain(state)
    x, y = state.pacman.position
    left = max(0, min(int(x) - columns // 2, state.maze.width - columns))
    top = max(0, min(state.maze.height - 1 - int(y) - rows // 2, state.maze.height - rows))
    return [line[left : left + columns] for line in lines[top : top + rows]]


def help_pages(groups: Mapping[str, Sequence[tuple[str, str]]], columns: int, rows: int) -> list[list[str]]:
    """The keys and their descriptions, in as many columns and pages as they need; the footer has the last line."""
    first = max(len(keys) for table in groups.values() for keys, _ in table)
    widest = first + 2 + max(len(description) for table in groups.values() for _, description in table)
    lines = []
    for group, table in groups.items():
        lines.append(group)
        width = first if widest < columns else 0  # without room they are not aligned
        lines += [f"{keys:>{width}}  {description}" for keys, description in table]
    return in_columns(lines, columns - 1, rows - 1)
