"""What a terminal of a given size shows: the board as large as there is room, the search, the status, the keys."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pacman.core.errors import agent_name
from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.picture.bars import duration
from pacman.picture.colours import DARK, Colour, Theme
from pacman.picture.moment import Cell, ending
from pacman.picture.overlays import path_tints
from pacman.play.game import Ply, Result
from pacman.record.rows import SIGNS, TreeBrowser, as_ascii, node_facts, tree_lines
from pacman.view.player import THINKING_SECONDS, Player, Track
from pacman.view.shown_search import ShownSearch, search_facts
from pacman.view.terminal.board import COLUMNS, MOST_SCALE, RESET, ROWS, Code, blocks, letters
from pacman.view.view_protocol import ViewedGame, layers_for_search, speed_text

STATUS_LINES, HIGH, WIDE = 2, 20, 160
"""The lines for the status; one more in a terminal of `HIGH` lines, one less in one of `WIDE` columns."""
_SIGN = re.compile(f"[{SIGNS[Layer.MAX]}{SIGNS[Layer.MIN]}{SIGNS[Layer.CHANCE]}] ")
LEAST_BOARD, LEAST_SEARCH = 3, 5
TREE_ROWS, LEAST_TREE_ROWS = 8, 3
"""The rows that the tree asks for; it takes more if there is room. And the rows that it has in any case."""
RESULT_LINES, WHY_LINES = 1, 4
GAP, MORE = "  ", "..."
READY = "READY!  Arrows or W A S D steer, H shows all keys"


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
    wanted = wanted_lines(search) if search else 0
    tints = _tints(search, style.theme) if search else {}
    picture = board(state, columns, room - min(wanted, max(0, room - least)), style, tints)
    below = search_lines(search, width, room - len(picture), has_unicode=style.has_unicode) if search else []
    footer = ["paused" if player.is_paused else speed_text(player.speed), "H shows the keys"]
    footer = [*([player.message] if player.message else []), *([READY] if player.is_ready else footer)]
    if len(picture) < state.maze.height:
        footer.append("the board around Pacman")
    return [*picture, *map(style.with_layers, [*status, *below]), fitting(footer, width)]


def board(state: GameState, columns: int, rows: int, style: Style, tints: Mapping[Cell, Colour]) -> list[str]:
    """The board with the most detail that fits; if nothing fits, the part of it around Pacman."""
    maze = state.maze
    if style.has_unicode and style.code:
        for scale in range(MOST_SCALE, 0, -1):
            if columns >= COLUMNS * scale * maze.width and rows >= ROWS * scale * maze.height:
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
    lines = []
    for group, table in groups.items():
        lines.append(group)
        width = first if widest < columns else 0  # without room they are not aligned
        lines += [f"{keys:>{width}}  {description}" for keys, description in table]
    return in_columns(lines, columns - 1, rows - 1)


# ---- the search


def wanted_lines(search: ShownSearch) -> int:
    """How many lines it asks for; the number depends only on what is switched on, so that the board stays still."""
    if not search.is_on:
        return 0
    facts = RESULT_LINES + search.has_words * WHY_LINES + (search.overlay.lines if search.overlay else 0)
    return facts + (TREE_ROWS if search.is_open else 0)


def search_lines(search: ShownSearch, width: int, height: int, *, has_unicode: bool) -> list[str]:
    """At most `height` lines about the search."""
    if not search.is_on or height < 1:
        return []
    report, browser = search.report, search.browser
    if search.hides_values:
        facts = textwrap.wrap(search.words, width, max_lines=WHY_LINES, placeholder=" ...")
    elif report is None or browser is None:
        facts = [shortened(f"search: {search.status}", width)]
    else:
        facts = _facts(search, browser, width)
        if search.is_open:
            facts = facts[: max(1, height - LEAST_TREE_ROWS)]
            facts += tree_lines(browser, width, height - len(facts), has_unicode=has_unicode)
    return facts[:height] if has_unicode else [as_ascii(line) for line in facts[:height]]


def _facts(search: ShownSearch, browser: TreeBrowser, width: int) -> list[str]:
    """The result and the counts, then what the overlay is about; at a step of the tree, where the search is."""
    report = browser.report
    result, (generated, expanded, cut) = search_facts(browser)
    lines = [fitting([f"{report.title}: {' '.join(result.split())}", f"{generated}, {expanded}", cut], width)]
    lines += textwrap.wrap(search.words, width, max_lines=WHY_LINES, placeholder=" ...")
    if report.note:
        lines.append(shortened(report.note, width))
    if search.is_open and browser.step is not None:
        *facts, arithmetic = node_facts(browser)
        return [*lines, fitting(facts, width), *([shortened(arithmetic, width)] if arithmetic else [])]
    if overlay := search.overlay:
        lines += wrapped(overlay.words(report), width, overlay.most_lines, f"{overlay.name:<6}")
    return lines


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
    last = f"ply {ply.number + 1}: {_agent_text(game, ply.agent)} {ply.action}" if ply else f"ply 0, seed {game.seed}"
    layer = layers_for_search(state, game.assumes)[state.mover]
    mover = [] if state.is_terminal else [f"next: {layer.name} {_agent_text(game, state.mover)}"]
    return [f"score {state.score}", f"food {state.food_left}", last, *mover]


def _live_status(track: Track) -> list[str]:
    """The parts of the status in a terminal: all that a window says in words. The agent that moves next has a ">"."""
    game, timeline, state = track.game, track.timeline, track.state
    ply = timeline.plies[timeline.ply - 1] if timeline.ply else None
    count = len(timeline.plies)  # of a game that goes on it is not the end
    has_end = timeline.is_complete or (timeline.is_paused and timeline.ply < count)
    parts = [f"score {state.score}", f"food {state.food_left}", f"round {timeline.rounds}"]
    parts.append(f"ply {timeline.ply} of {count}" if has_end else f"ply {timeline.ply}")
    parts += [f"last: {_name(game, ply.agent)} {ply.action}"] if ply else []
    for agent in state.round.order:
        mark = "> " if agent == state.mover and not state.is_terminal else ""
        layer, time = track.layers[agent], duration(timeline.think_times()[agent])
        parts.append(f"{mark}{SIGNS[layer]} {layer.name} {_name(game, agent)} {time}".rstrip())
    parts += [*([f"layout {track.layout}"] if track.layout else []), f"seed {game.seed}"]
    thinking = timeline.thinking_seconds
    return [*parts, *([f"thinking {thinking:.1f} s"] if thinking > THINKING_SECONDS else [])]


def _name(game: ViewedGame, agent: int) -> str:
    return (game.names[agent] if agent < len(game.names) else "") or agent_name(agent)


def _agent_text(game: ViewedGame, agent: int) -> str:
    name = game.names[agent] if agent < len(game.names) else ""
    return f"{agent_name(agent)} ({name})" if name else agent_name(agent)


def ending_line(result: Result | None, state: GameState) -> str:
    """How the game ended, in one line."""
    title, reason = ending(state, result)
    facts = [reason] if reason and result and result.fault else filter(None, [reason, f"score {state.score}"])
    return f"{title}: {', '.join(facts)}"


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
    room = width - len(first) - (len(GAP) if first else 0)
    lines: list[list[str]] = [[]]
    for part in (shortened(part, room) for part in parts):
        if lines[-1] and len(GAP.join([*lines[-1], part])) > room:
            lines.append([])
        lines[-1].append(part)
    if len(lines) > most_lines:
        lines = lines[:most_lines]
        while lines[-1] and len(GAP.join([*lines[-1], MORE])) > room:
            lines[-1].pop()
        lines[-1].append(MORE)
    begin = first + GAP if first else ""
    return [(" " * len(begin) if number else begin) + GAP.join(line) for number, line in enumerate(lines)]


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
    return text if len(text) <= width else f"{text[: max(0, width - 3)]}..."[:width]


def in_columns(rows: Sequence[str], width: int, height: int) -> list[list[str]]:
    """The rows as pages of `height` lines, in as many columns as the width allows.

    >>> in_columns(["one", "two", "three"], 20, 2)
    [['one      three', 'two']]
    """
    column = max(map(len, rows), default=0) + 2 * len(GAP)
    columns = max(1, (width + len(GAP)) // column) if len(rows) > height else 1
    pages = []
    for first in range(0, len(rows), max(1, height) * columns):
        page = rows[first : first + max(1, height) * columns]
        length = -(-len(page) // columns)
        width_of = max(map(len, page)) + 2 * len(GAP)
        cells = [page[line::length] for line in range(length)]
        pages.append(["".join(cell.ljust(width_of) for cell in line).rstrip() for line in cells])
    return pages
