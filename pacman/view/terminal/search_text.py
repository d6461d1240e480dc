"""What a terminal shows of a search: lines under the board, and the colours of cells. The keys are the window's."""

from __future__ import annotations

import textwrap

from pacman.core.numbers import format_integer, format_interval
from pacman.core.state import GameState
from pacman.picture.colours import Colour, Theme
from pacman.picture.moment import Cell
from pacman.picture.overlays import NONE, path_tints
from pacman.record.report import Analyse
from pacman.record.rows import TREE_COMMANDS, TREE_HELP, TreeBrowser, as_ascii, node_facts, tree_lines
from pacman.record.why import why
from pacman.view.shown_search import ShownSearch
from pacman.view.terminal.text_lines import fitting, shortened, wrapped

TREE_ROWS = 8
"""The rows that the tree asks for; it takes more if there is room."""
LEAST_TREE_ROWS = 3
RESULT_LINES, WHY_LINES = 1, 4


class SearchText(ShownSearch):
    """The search that a terminal shows with a game: lines under the board, and colours on it."""

    def __init__(self, analyse: Analyse, overlay: str = NONE, *, has_unicode: bool = True) -> None:
        super().__init__(analyse, overlay)
        self.has_unicode = has_unicode
        self.browser: TreeBrowser | None = None

    @property
    def position(self) -> GameState | None:
        """The entered position while the viewer steps through the search; None for the whole search."""
        return self.browser.position if self.is_open and self.browser is not None else None

    def update(self, state: GameState) -> bool:
        """Changes to the position `state`, and takes its report if that is ready; False while it is not."""
        is_ready = super().update(state)
        self._browse()
        return is_ready

    def analyse_now(self, state: GameState) -> None:
        """Changes to the position `state`, and waits for its report."""
        self._state, self._report = state, None if state.is_terminal else self._worker.result_now(state)
        self._browse()

    def _browse(self) -> None:
        if self._report is None:
            self.browser = None
        elif self.browser is None or self.browser.report is not self._report:
            self.browser = TreeBrowser(self._report)

    def tree(self) -> str:
        """Opens or closes the tree."""
        super().tree()
        return "tree: J next, K back, V over, G whole" if self.is_open else "tree hidden"

    def close(self) -> None:
        """Closes what was opened last: the sentence why, else the tree."""
        if self.is_why_open:
            self.is_why_open = False
        else:
            self.is_open = False

    def key(self, name: str) -> bool:
        """Gives a key to the open tree; True if the tree uses this key."""
        command = TREE_COMMANDS.get(name)
        if not self.is_open or self.browser is None or command is None:
            return False
        command(self.browser)
        return True

    def help(self) -> tuple[tuple[str, str], ...]:
        """The keys of the open tree, each with its use; () if the tree is closed."""
        return TREE_HELP if self.is_open else ()

    # ---- lines

    @property
    def wanted_lines(self) -> int:
        """How many lines it asks for; the number depends only on what is switched on, so that the board stays still."""
        if not self.is_on:
            return 0
        facts = RESULT_LINES + self.is_why_open * WHY_LINES + (self.overlay.lines if self.overlay else 0)
        return facts + (TREE_ROWS if self.is_open else 0)

    def lines(self, width: int, height: int) -> list[str]:
        """At most `height` lines about the search."""
        if not self.is_on or height < 1:
            return []
        facts = self._facts(width)
        if self.is_open and self.browser is not None:
            facts = facts[: max(1, height - LEAST_TREE_ROWS)]
            facts += tree_lines(self.browser, width, height - len(facts), has_unicode=self.has_unicode)
        return facts[:height] if self.has_unicode else [as_ascii(line) for line in facts[:height]]

    def _facts(self, width: int) -> list[str]:
        """The result and the counts, then what the overlay is about; at a step of the tree, where the search is."""
        if not self.is_on or self._state is None:
            return []
        if self.browser is None:
            return [shortened(f"search: {self._worker.status(self._state)}", width)]
        report, step = self.browser.report, self.browser.step
        counts = f"{format_integer(report.generated)} generated, {format_integer(report.expanded)} expanded"
        cut = sum(layer.cut for layer in report.layers)
        value = format_interval(*report.interval(0, step), report.decimals) or "no value yet"
        result = f"{report.action or 'no action'} {value}" if step is None else f"so far {value}"
        lines = [fitting([f"{report.title}: {result}", counts, f"{format_integer(cut)} cut"], width)]
        if self.is_why_open:
            lines += textwrap.wrap(why(report).words, width, max_lines=WHY_LINES, placeholder=" ...")
        if report.note:
            lines.append(shortened(report.note, width))
        if self.is_open and step is not None:
            *facts, arithmetic = node_facts(self.browser)
            return [*lines, fitting(facts, width), *([shortened(arithmetic, width)] if arithmetic else [])]
        if overlay := self.overlay:
            lines += wrapped(overlay.words(report), width, overlay.most_lines, f"{overlay.name:<6}")
        return lines

    # ---- colours on the board

    def tints(self, theme: Theme) -> dict[Cell, Colour]:
        """The colours of cells of the floor: the principal line, the expanded nodes, or the path to a node."""
        if not self.is_on or self.browser is None or not isinstance(self.browser.report.root, GameState):
            return {}
        if self.position is not None:
            return path_tints(self.browser.report.places_to(self.browser.current), theme)
        tints = self.overlay.tints if self.overlay else None
        return tints(self.browser.report, theme) if tints else {}
