"""What a terminal shows of a search: lines under the board, and the colours of cells. The keys are the window's."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

from pacman.core.layers import Layer
from pacman.core.state import GameState
from pacman.view.analysis.number_text import format_integer, format_interval
from pacman.view.analysis.overlay import LAYERS, NONE, next_overlay
from pacman.view.analysis.panel import KEYS, footer_lines
from pacman.view.analysis.search_report import Analyse, Place, SearchReport
from pacman.view.analysis.tree_browser import BROWSER_COMMANDS, TreeBrowser
from pacman.view.analysis.why import why
from pacman.view.analysis.worker import AnalysisWorker
from pacman.view.terminal.glyphs import Cell
from pacman.view.terminal.text_lines import fitting, shortened, wrapped, wrapped_words
from pacman.view.terminal.tree_text import as_ascii, tree_lines
from pacman.view.theme import Colour, Theme, blend
from pacman.view.view_protocol import layers_for_search

TEXT_COMMANDS = frozenset({"overlay", "mute", "tree", "why"})
"""The commands about the search that a terminal has."""
TREE_ROWS = 8
"""The rows that the tree asks for; it takes more if there is room."""
LEAST_TREE_ROWS = 3
RESULT_LINES, WHY_LINES = 1, 4
OVERLAY_LINES = {NONE: 0, "values": 1, "line": 2, "heat": 2, LAYERS: 4}


class SearchText:
    """Which overlay is on, whether the tree is open, and the report of the visible position as soon as it is ready."""

    def __init__(self, analyse: Analyse, overlay: str = NONE, *, has_unicode: bool = True) -> None:
        self.name, self.has_unicode = overlay, has_unicode
        self.is_hidden = self.is_open = self.is_why_open = False
        self.browser: TreeBrowser | None = None
        self._analyse = analyse
        self._worker = AnalysisWorker(analyse)
        self._state: GameState | None = None

    @property
    def is_on(self) -> bool:
        """True if an overlay or the tree is visible, so that it needs reports."""
        return self.is_open or self.is_why_open or (self.name != NONE and not self.is_hidden)

    @property
    def position(self) -> GameState | None:
        """The entered position while the viewer steps through the search; None for the whole search."""
        if not self.is_open or self.browser is None or self.browser.step is None:
            return None
        node = self.browser.current_node
        return node if isinstance(node, GameState) else None

    @property
    def layers(self) -> tuple[Layer, ...]:
        """By agent, its layer in the search that is shown; empty if none is shown."""
        root = self.browser.report.root if self.browser is not None and self.is_on else None
        return layers_for_search(root, None) if isinstance(root, GameState) else ()

    def update(self, state: GameState) -> bool:
        """Changes to the position `state`, and takes its report if that is ready; False while it is not."""
        if not self.is_on:
            return True
        self._state = state
        is_busy = self._worker.is_busy(state)  # read before the request: a report that comes between is for next time
        self._take(self._worker.request(state))
        return not is_busy

    def analyse_now(self, state: GameState) -> None:
        """Changes to the position `state`, and waits for its report."""
        self._state = state
        self._take(None if state.is_terminal else self._worker.result_now(state))

    def _take(self, report: SearchReport | None) -> None:
        if report is None:
            self.browser = None
        elif self.browser is None or self.browser.report is not report:
            self.browser = TreeBrowser(report)

    def do(self, command: str) -> str:
        """Runs "overlay", "mute", "tree" or "why"; returns the message for the viewer."""
        if command == "why":
            self.is_why_open = not self.is_why_open
            return ""
        if command == "tree":
            self.is_open = not self.is_open
            return "tree: J next, K back, V over, G whole" if self.is_open else "tree hidden"
        if command == "mute":
            self.is_hidden = not self.is_hidden
        else:
            self.name, self.is_hidden = next_overlay(self.name), False
        return "overlay hidden" if self.is_hidden else f"overlay: {self.name}"

    def close(self) -> None:
        """Closes what was opened last: the sentence why, else the tree."""
        if self.is_why_open:
            self.is_why_open = False
        else:
            self.is_open = False

    def key(self, name: str) -> bool:
        """Gives a key to the open tree; True if the tree uses this key."""
        command = BROWSER_COMMANDS.get(name)
        if not self.is_open or self.browser is None or command is None:
            return False
        command(self.browser)
        return True

    def help(self) -> tuple[tuple[str, str], ...]:
        """The keys of the open tree, each with its use; () if the tree is closed."""
        return KEYS if self.is_open else ()

    def stop(self) -> None:
        """Stops the thread that creates the reports."""
        self._worker.stop()

    # ---- lines

    @property
    def wanted_lines(self) -> int:
        """How many lines it asks for; the number depends only on what is switched on, so that the board stays still."""
        if not self.is_on:
            return 0
        facts = RESULT_LINES + self.is_why_open * WHY_LINES + (0 if self.is_hidden else OVERLAY_LINES[self.name])
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
            lines += wrapped_words(why(report).words, width, WHY_LINES)
        if report.note:
            lines.append(shortened(report.note, width))
        if self.is_open and step is not None:
            *facts, arithmetic = footer_lines(self.browser)
            return [*lines, fitting(facts, width), *([shortened(arithmetic, width)] if arithmetic else [])]
        return lines if self.is_hidden or self.name == NONE else [*lines, *self._overlay(report, width)]

    def _overlay(self, report: SearchReport, width: int) -> list[str]:
        if self.name == "values":
            words = [
                (action, format_interval(*interval, report.decimals) or "?")
                for action, interval in report.root_intervals
            ]
            parts = [f"[{action} {word}]" if action == report.action else f"{action} {word}" for action, word in words]
            return wrapped(parts, width, 2, "values")
        if self.name == "line":
            return wrapped(_moves(report), width, 2, "line  ")
        if self.name == LAYERS:
            return wrapped(
                [
                    f"{layer.layer.name}{'' if layer.agent is None else f' {_agent(layer.agent)}'}: "
                    f"{format_integer(layer.generated)} generated, {format_integer(layer.expanded)} expanded, "
                    f"{format_integer(layer.cut)} cut"
                    for layer in report.layers
                ],
                width,
                4,
                "layers",
            )
        most = max((sum(counts.values()) for counts in report.heat), default=0)
        return wrapped(
            ["the brighter a cell, the more nodes were expanded there", f"most by one agent: {format_integer(most)}"],
            width,
            2,
            "heat  ",
        )

    # ---- colours on the board

    def tints(self, theme: Theme) -> dict[Cell, Colour]:
        """The colours of cells of the floor: the principal line, the expanded nodes, or the path to a node."""
        if not self.is_on or self.browser is None or not isinstance(self.browser.report.root, GameState):
            return {}
        report = self.browser.report
        if self.position is not None:
            return _path_tints(report.places_to(self.browser.current), theme)
        if self.is_hidden or self.name not in ("line", "heat"):
            return {}
        return _path_tints(report.line_places, theme) if self.name == "line" else _heat_tints(report, theme)


def _moves(report: SearchReport) -> list[str]:
    """The moves of the principal line, each with its agent where it is not Pacman."""
    state = report.root
    moves = []
    for action in report.line:
        agent = getattr(state, "mover", 0)
        moves.append(f"{_agent(agent)} {action}" if agent else action)
        state = state.successor(action)
    return moves or ["no line: the search chose no action"]


def _agent(number: int) -> str:
    return f"ghost {number}" if number else "Pacman"


def _path_tints(paths: tuple[tuple[Place, ...], ...], theme: Theme) -> dict[Cell, Colour]:
    """The cells of the path of each agent, in a dark shade of its colour; Pacman's are the last."""
    tints: dict[Cell, Colour] = {}
    for agent in reversed(range(len(paths))):
        shade = blend(theme.background, theme.agent(agent), 0.4)
        tints |= {(round(x), round(y)): shade for x, y in paths[agent][1:]}
    return tints


def _heat_tints(report: SearchReport, theme: Theme) -> dict[Cell, Colour]:
    """The cells where nodes were expanded, in the colour of the agent with the most of them there."""
    totals: dict[Cell, Mapping[int, int]] = {}
    for agent, counts in enumerate(report.heat):
        for (x, y), count in counts.items():
            cell = round(x), round(y)
            totals[cell] = {**totals.get(cell, {}), agent: totals.get(cell, {}).get(agent, 0) + count}
    most = max((sum(counts.values()) for counts in totals.values()), default=1)
    return {
        cell: blend(
            theme.background,
            theme.agent(max(counts, key=lambda agent: counts[agent])),
            0.12 + 0.5 * log(1 + sum(counts.values())) / log(1 + most),
        )
        for cell, counts in totals.items()
    }
