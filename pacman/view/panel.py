"""The panel beside the board: the searched tree with nodes to fold and open, and the search step by step.

    panel = Panel(theme, search)
    panel.draw(canvas, box, unit)              in every frame; an unchanged panel is pasted as one picture
    panel.click(x, y), panel.scroll(x, y, 2)   True if the place is in the panel

MAX is an up-triangle, MIN a down-triangle, CHANCE a circle with the probabilities on its successors; beside it is the
ghost that moves there. A square is a terminal node, or a node at the horizon. A pruned branch is struck through. The
values on the principal line have Pacman's colour, and the row of the current node is highlighted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pacman.core.numbers import format_integer
from pacman.picture.bars import clipped, draw_sentences, plate, wrapped_lines
from pacman.picture.canvas import Canvas, text_width
from pacman.picture.colours import Colour, Theme, blend
from pacman.picture.lecture import QUESTION, draw_lecture
from pacman.picture.screen_regions import LARGEST_UNIT, LECTURE, NOWHERE, Box
from pacman.picture.sprites import ghost_icon, layer_icon
from pacman.record.rows import TREE_KEYS, RowKind, TreeBrowser, TreeRow, node_facts
from pacman.view.shown_search import ShownSearch, search_facts

# Heights and widths in units.
HEADER, FOOTER, ROW, MARGIN = 5.7, 7.3, 1.8, 1.0
WIDE, SIDE = 2.2, 0.3
"""If a panel is so many times as wide as high, header and footer are to the left of the rows, in this part of it."""
BUTTONS = 2.2
INDENT, LEAST_INDENT, ROW_ROOM = 1.15, 0.35, 15.5
"""The indent per level. A deep tree gets less, so that its deepest row has room for its text."""
TITLE, LARGE, WORD, SMALL = 1.5, 2.3, 1.65, 1.3
BUTTON_KEYS = "kjvg"
"""The keys that have a button, from left to right."""


class Panel:
    """Draws the tree of a search in one box. Without buttons for a film, where no one can press them."""

    def __init__(self, theme: Theme, search: ShownSearch, *, has_buttons: bool = True) -> None:
        self.theme, self.search, self.has_buttons = theme, search, has_buttons
        self.rows: list[tuple[Box, TreeRow]] = []
        """The rows that are visible in the list, with their boxes."""
        self.hits: list[tuple[Box, Callable[[], object]]] = []
        """What a click does, by box; the first box counts."""
        self._top, self._room = 0, 1
        self._last_current: object = None
        self._box, self._unit = NOWHERE, 1.0
        self._picture: tuple[tuple[object, ...], Canvas] | None = None

    def click(self, x: float, y: float) -> bool:
        """Presses a button, selects a node, or folds it (a click on its sign); False if the click is outside."""
        if not self._box.contains(x, y):
            return False
        command = next((command for box, command in self.hits if box.contains(x, y)), None)
        if command is not None:
            command()
            self.search.changes += 1
        return True

    def scroll(self, x: float, y: float, rows: int) -> bool:
        """Moves the rows of a list up (positive) or down (negative); False if the place is outside."""
        is_inside = self._box.contains(x, y)
        if is_inside and self.search.browser is not None and self.search.form != LECTURE:
            self._top = max(0, min(self._top + rows, len(self.search.browser.rows()) - self._room))
            self.search.changes += 1
        return is_inside

    # ---- drawing

    def draw(self, canvas: Canvas, box: Box, unit: float) -> None:
        """Draws the panel into `box` of the canvas; `unit` is the height of small text, in pixels."""
        self._box = box
        if box.width < 1 or box.height < 1:
            return
        unit, search = min(unit, LARGEST_UNIT), self.search
        key = (box, unit, search.changes, search.form, search.has_focus, search.hides_values, search.status)
        if self._picture is None or self._picture[0] != key:
            picture = Canvas(round(box.width), round(box.height))
            picture.fill(self.theme.panel)
            self._unit, self.rows, self.hits = unit, [], []
            self._paint(picture)
            if search.has_focus:
                thick = max(2, round(0.18 * unit))
                picture.box(0, 0, picture.width, picture.height, self.theme.pacman, edge=thick)
            self._picture = key, picture
        canvas.paste(self._picture[1], box.left, box.top)

    def _paint(self, picture: Canvas) -> None:
        browser, is_hidden, unit = self.search.browser, self.search.hides_values, self._unit
        if browser is None or (is_hidden and self.search.form != LECTURE):
            words = self.search.status if browser is None else QUESTION
            draw_sentences(picture, Box(0, 0, picture.width, picture.height), unit, words, self.theme.muted, [WORD])
        elif self.search.form == LECTURE:
            for box, number in draw_lecture(picture, browser, self.theme, is_hidden):
                self._add_hit(box, partial(browser.select, number))
        else:
            self._paint_list(picture, browser)

    def _add_hit(self, box: Box, command: Callable[[], object]) -> None:
        """Gives a click on a box of the panel a meaning."""
        self.hits.append((box._replace(left=box.left + self._box.left, top=box.top + self._box.top), command))

    def _paint_list(self, picture: Canvas, browser: TreeBrowser) -> None:
        """Draws header, rows and footer: one below the other, or in a wide panel the rows to the right."""
        unit, foot = self._unit, FOOTER + (BUTTONS if self.has_buttons else 0.0)
        side, page, left, top, bottom = picture, picture, 0, HEADER * unit, picture.height - foot * unit
        if picture.width > WIDE * picture.height:
            left, top, bottom = round(SIDE * picture.width), 0.5 * unit, picture.height
            side = picture.subcanvas(0, 0, left, picture.height)
            page = picture.subcanvas(left, 0, picture.width - left, picture.height)
        self._draw_header(side, browser)
        rows = browser.rows()
        room = (page.width / unit - ROW_ROOM) / max(1, browser.report.plies)
        indent = unit * max(LEAST_INDENT, min(INDENT, room))
        self._room = max(1, int((bottom - top) / (ROW * unit)))
        self._scroll_to_current(rows)
        for index, row in enumerate(rows[self._top : self._top + self._room]):
            box = Box(left, top + ROW * index * unit, page.width, ROW * unit)
            self._draw_row(page, row, box.top, indent)
            self.rows.append((box, row))
            if row.number is not None:
                fold = partial(browser.toggle, row.number)
                self._add_hit(box._replace(width=MARGIN * unit + indent * row.depth + 1.6 * unit), fold)
                self._add_hit(box, fold if row.is_current else partial(browser.select, row.number))
        if len(rows) > self._room:  # a scroll bar
            height, x, width = self._room * ROW * unit, page.width - 0.45 * unit, 0.22 * unit
            page.box(x, top, width, height, blend(self.theme.panel, self.theme.muted, 0.25), width / 2)
            part = height / len(rows)
            page.box(x, top + part * self._top, width, part * self._room, self.theme.muted, width / 2)
        self._draw_footer(side, browser, side.height - foot * unit)

    def _scroll_to_current(self, rows: list[TreeRow]) -> None:
        """Scrolls until the current node is visible, if it has changed since the last time."""
        browser = self.search.browser
        current = browser and (browser.report, browser.current, browser.step)
        if current != self._last_current:
            self._last_current = current
            index = next((index for index, row in enumerate(rows) if row.is_current), 0)
            ahead = min(2, self._room // 4)
            self._top = min(self._top, max(0, index - ahead))
            self._top = max(self._top, index + ahead + 1 - self._room)
        self._top = max(0, min(self._top, len(rows) - self._room))

    def _draw_header(self, picture: Canvas, browser: TreeBrowser) -> None:
        """Draws the title, what the search knows at this step, and its counts for the whole search."""
        report, theme, (result, counts) = browser.report, self.theme, search_facts(browser)
        words = " · ".join(counts)
        lines = [(report.title, 1.1, TITLE, theme.muted), (result, 3.0, LARGE, theme.text)]
        lines.append(
            (f"{report.note}: {words}", 4.8, SMALL, theme.bad) if report.note else (words, 4.8, SMALL, theme.muted)
        )
        for line, y, size, colour in lines:
            self._write(picture, line, MARGIN * self._unit, y * self._unit, size, colour)

    def _write(
        self, picture: Canvas, words: str, x: float, y: float, size: float, colour: Colour, end: float = MARGIN
    ) -> float:
        """Writes one line of text, clipped so many units before the edge; returns where it ends."""
        words = clipped(words, size * self._unit, picture.width - end * self._unit - x)
        picture.text(words, x, y, size * self._unit, colour)
        return x + text_width(words, size * self._unit)

    def _draw_row(self, picture: Canvas, row: TreeRow, y: float, indent: float) -> None:
        """Draws a row; behind a wrong value stands the right one, if the search has left the node."""
        unit, theme, browser = self._unit, self.theme, self.search.browser
        middle = y + ROW * unit / 2
        if row.is_current:
            ground = blend(theme.panel, theme.text, 0.13)
            picture.box(0.3 * unit, y, picture.width - 1.1 * unit, ROW * unit, ground, 0.4 * unit)
        self._draw_tree_lines(picture, row, y, indent)
        sign, size = MARGIN * unit + indent * row.depth, round(1.25 * unit)
        x = sign + size + 0.45 * unit
        part, ink = (1.0, theme.text) if row.kind is RowKind.ENTERED else (0.35, blend(theme.panel, theme.muted, 0.8))
        icon = layer_icon(row.layer, size, blend(theme.panel, theme.layer(row.layer), part))
        picture.paste(icon, sign, middle - size / 2)
        if row.agent and row.layer:
            ghost = ghost_icon(round(1.1 * unit), blend(theme.panel, theme.agent(row.agent), part), theme.panel)
            picture.paste(ghost, x, middle - ghost.height / 2)
            x += ghost.width + 0.4 * unit
        end = self._write(picture, row.action or "root", x, middle, WORD, ink, MARGIN + 5.6)
        if row.kind is RowKind.PRUNED:
            thickness = max(2.0, 0.14 * unit)
            picture.box(x - 0.3 * unit, middle - thickness / 2, end - x + 0.6 * unit, thickness, theme.bad)
        number, right, window = row.number, picture.width - MARGIN * unit, row.window
        is_final = browser is not None and number is not None and browser.report.has_left(number, browser.step)
        right_value = self.search.right.get(number, "") if is_final and number is not None else ""
        if row.value:
            colour = theme.bad if right_value else theme.pacman if row.is_on_line else theme.text
            picture.text(row.value, right, middle, WORD * unit, theme.readable(colour, theme.panel), 1.0)
            window = f"right: {right_value}   {window}".rstrip() if right_value else window
        right -= max(5.2 * unit, text_width(row.value, WORD * unit) + 0.8 * unit)
        for small in (row.probability, f"+{format_integer(row.below)}" if row.is_folded else ""):
            width = 0.6 * unit + text_width(small, SMALL * unit)
            if small and end + width < right:
                picture.text(small, end + 0.6 * unit, middle, SMALL * unit, theme.muted)
                end += width
        if window and end + 0.4 * unit < right - text_width(window, SMALL * unit):
            picture.text(window, right, middle, SMALL * unit, theme.muted, 1.0)

    def _draw_tree_lines(self, picture: Canvas, row: TreeRow, y: float, indent: float) -> None:
        """Draws the lines from the nodes above down to a row."""
        unit, colour = self._unit, blend(self.theme.panel, self.theme.muted, 0.45)
        thickness = max(1.0, 0.09 * unit)
        for level, is_continued in enumerate(row.continues):
            x, is_last = (MARGIN + 0.62) * unit + indent * level, level == len(row.continues) - 1
            if is_continued or is_last:
                picture.box(x, y, thickness, (ROW if is_continued else ROW / 2) * unit, colour)
            if is_last:
                picture.box(x, y + ROW / 2 * unit, max(0.0, indent - 0.65 * unit), thickness, colour)

    def _draw_footer(self, picture: Canvas, browser: TreeBrowser, top: float) -> None:
        """Draws the step of the search as text and as a bar, and the buttons."""
        theme, unit, report, step = self.theme, self._unit, browser.report, browser.step
        picture.box(0, top, picture.width, max(1.0, 0.08 * unit), blend(theme.panel, theme.muted, 0.5))
        left, right = MARGIN * unit, picture.width - MARGIN * unit
        *facts, arithmetic = node_facts(browser)
        for index, words in enumerate([*facts, *wrapped_lines(arithmetic, SMALL * unit, right - left)[:2]]):
            colour = theme.muted if index == 1 else theme.text
            self._write(picture, words, left, top + (1.1 + 1.45 * index) * unit, SMALL, colour)
        y, x = top + 6.55 * unit, left
        part = 1.0 if step is None else (step + 1) / max(1, len(report.steps))
        picture.box(left, y, right - left, 0.35 * unit, blend(theme.panel, theme.muted, 0.3), 0.17 * unit)
        picture.box(left, y, (right - left) * part, 0.35 * unit, theme.pacman, 0.17 * unit)
        y += 1.65 * unit
        by_key = {each.key: each for each in TREE_KEYS}
        for each in map(by_key.__getitem__, BUTTON_KEYS if self.has_buttons else ""):
            word = f"{each.text}  {each.button}"
            width = text_width(word, SMALL * unit) + 1.2 * unit
            if x + width > right:
                break
            face, height = blend(theme.panel, theme.muted, 0.22), round(1.9 * unit)
            picture.paste(plate(round(width), height, height / 3, face, face, 0), x, y - 0.95 * unit)
            picture.text(word, x + width / 2, y, SMALL * unit, theme.text, 0.5)
            self._add_hit(Box(x, y - 0.95 * unit, width, 1.9 * unit), partial(self.search.key, each.key))
            x += width + 0.5 * unit
