"""Which rows of a searched tree are visible, folded or open, at a step of the search; and what stands in them.

browser = TreeBrowser(report)
browser.rows()                            the rows as data: the list of the window draws them
tree_lines(browser, width, height)        the same rows in characters, for a terminal or a file
node_facts(browser)                       the step, what is known of the current node, and its arithmetic
TREE_KEYS                                 the keys that fold the tree and step through the search, in every view
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from pacman.core.errors import counted
from pacman.core.numbers import format_ends, format_integer, format_interval, format_probability
from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.record.report import ReportNode, SearchReport, reference_window
from pacman.record.trace import ExitReason
from pacman.record.words import node_in_words

ROWS = 10
"""At first the nodes of the principal line are open, as long as the tree has no more rows than this."""
SIGNS = {Layer.MAX: "▲", Layer.MIN: "▼", Layer.CHANCE: "●", None: "■"}
ASCII_SIGNS = {Layer.MAX: "MAX", Layer.MIN: "MIN", Layer.CHANCE: "CHANCE", None: "end"}
LEGEND = "▲ MAX  ▼ MIN  ● CHANCE  ■ end or horizon"
LEAST_ROWS_WITH_COUNT = 5
VALUE_COLUMN = 34
"""The column in which values begin, unless a row is longer."""
EXIT_TEXTS = {
    ExitReason.VALUE: "all successors searched",
    ExitReason.KNOWN: "value known from before",
    ExitReason.BOUND: "bounds outside the window",
}
"""Why the search left a node, if the text of the `ExitReason` is not clear without the code."""
_TO_ASCII = str.maketrans({"−": "-", "∞": "inf", "≤": "<=", "≥": ">=", "α": "alpha", "β": "beta", "·": ","})


class RowKind(Enum):
    """What a row stands for."""

    ENTERED = "entered"
    """A node that the search has entered."""
    PENDING = "pending"
    """A node that the search has not entered yet, or did not enter because it was stopped."""
    PRUNED = "pruned"
    """A branch that the search skipped."""


class TreeRow(NamedTuple):
    """One line of the tree. `number` is the node's number in the report, None if the search never made the node.

    `value` and `window` are text, "" if nothing is known; `below` is how many nodes the search made below this one.
    `continues` says for each level above whether its vertical line goes on below this row.
    """

    kind: RowKind
    depth: int
    number: int | None = None
    action: str = ""
    probability: str = ""
    layer: Layer | None = None
    agent: int = 0
    value: str = ""
    window: str = ""
    below: int = 0
    is_open: bool = False
    is_on_line: bool = False
    is_current: bool = False
    continues: tuple[bool, ...] = ()

    @property
    def is_folded(self) -> bool:
        """True if there are nodes below the row that are not visible."""
        return bool(self.below) and not self.is_open and self.kind is RowKind.ENTERED


class TreeBrowser:
    """The tree of a report as the viewer sees it: which nodes are open, which is selected, and the step of the search.

    If `step` is None, the tree shows the finished search. At a step, the nodes from the root to the entered node are
    open, and the tree shows only what the search knows at that step.

    >>> from pacman.core.tree_text import Outline
    >>> from pacman.search.algorithms import run_search
    >>> from pacman.record.report import report_from_trace
    >>> tree = Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 2\\n    y: 100")
    >>> browser = TreeBrowser(report_from_trace(tree, 2, run_search("alphabeta", tree, 2).trace))
    >>> [(row.action, row.value, row.kind.value) for row in browser.rows()]
    [('', '3', 'entered'), ('a', '3', 'entered'), ('b', '≤2', 'entered')]
    >>> browser.toggle(2)
    >>> [(row.action, row.kind.value) for row in browser.rows()][3:]
    [('x', 'entered'), ('y', 'pruned')]
    """

    def __init__(self, report: SearchReport) -> None:
        self.report = report
        self.step: int | None = None
        self.selection = 0
        self.reset_folds()

    @property
    def focus(self) -> int:
        """The number of the entered node, or without a step of the selected node, folded or not."""
        return self.selection if self.step is None else self.report.steps[self.step].number

    @property
    def current(self) -> int:
        """The number of the current node: at a step the entered node, else the selected node or the fold above it."""
        return self._visible(self.selection) if self.step is None else self.focus

    @property
    def position(self) -> GameState | None:
        """The entered position of Pacman while the viewer steps through the search; None for the whole search."""
        node = None if self.step is None else self.report.nodes[self.focus].node
        return node if isinstance(node, GameState) else None

    # ---- what the keys do

    def toggle(self, number: int) -> None:
        """Opens a folded node, or folds an open one."""
        if self._has_rows(number):
            to, away = (self._folded, self._open) if self._is_open(number) else (self._open, self._folded)
            away.discard(number)
            to.add(number)

    def reset_folds(self) -> None:
        """Opens and folds all nodes as at first: the root is open, and the principal line while there are few rows."""
        self._open: set[int] = set()
        self._folded: set[int] = set()  # nodes on the path to the entered node that the viewer folded
        rows = 1
        for number in sorted(self.report.line_nodes):
            node = self.report.nodes[number]
            rows += len(node.children) + len(node.unseen)
            if rows > ROWS and self._open:
                break
            self._open.add(number)

    def select(self, number: int) -> None:
        """Selects a node; while stepping, goes to the step that entered it last."""
        if self.step is not None and self.report.nodes[number].steps:
            self.go_to(self.report.nodes[number].steps[-1])
        else:
            self.selection = number

    def go_to(self, step: int | None) -> None:
        """Goes to a step, or to the first or last one if there is no such step; None is the finished search."""
        self.selection = self.focus
        self.step = None if step is None or not self.report.steps else max(0, min(step, len(self.report.steps) - 1))
        self._folded.clear()

    def step_forward(self, least: int = 0) -> None:
        """Goes to the next step, at `least` to this one; after the last step comes the finished search."""
        following = 0 if self.step is None else max(least, self.step + 1)
        self.go_to(following if following < len(self.report.steps) else None)

    def step_back(self) -> None:
        """Goes to the previous step; from the finished search to the last step."""
        if self.step != 0:
            self.go_to((len(self.report.steps) if self.step is None else self.step) - 1)

    def step_over(self) -> None:
        """Goes to the step at which the search has left the entered node."""
        self.step_forward(0 if self.step is None else self.report.ends[self.step])

    def select_beside(self, direction: int) -> None:
        """Selects the node in the row above (-1) or below (1)."""
        rows = [row for row in self.rows() if row.number is not None]
        place = next((place for place, row in enumerate(rows) if row.is_current), 0) + direction
        if 0 <= place < len(rows):
            self.select(rows[place].number or 0)

    def select_inside(self) -> None:
        """Opens the current node if it is folded, else selects its first successor."""
        node = self.report.nodes[self.current]
        if not self._is_open(node.number):
            self.toggle(node.number)
        elif node.children:
            self.select(node.children[0])

    def select_outside(self) -> None:
        """Folds the current node if it is open, else selects the node from which it was made."""
        if self.step is None and self._is_open(self.current) and self.current:
            self.toggle(self.current)
        else:
            self.select(self.report.nodes[self.current].parent)

    # ---- rows

    def row(self, number: int, is_open: bool = False, continues: tuple[bool, ...] = ()) -> TreeRow:
        """The row of one node, as if it were folded."""
        report, node, entry = self.report, self.report.nodes[number], self.report.entry(number, self.step)
        layer = node.layer if node.depth < report.plies else None
        return TreeRow(
            kind=RowKind.ENTERED if entry else RowKind.PENDING,
            depth=node.depth,
            number=number,
            action=node.action,
            probability="" if node.probability in (None, 1) else format_probability(node.probability or 0.0),
            layer=layer,
            agent=getattr(node.node, "mover", 0),
            value=format_interval(*report.interval(number, self.step), report.decimals),
            window=format_ends(entry.alpha, entry.beta, report.decimals) if entry and layer else "",
            below=node.below,
            is_open=is_open,
            is_on_line=self.step is None and number in report.line_nodes,
            is_current=number == self._visible(self.current),
            continues=continues,
        )

    def child_rows(self, number: int) -> list[TreeRow]:
        """The rows of all branches of a node in their order, also of the branches that the search never made."""
        node, children = self.report.nodes[number], self.report.children(number)
        return [
            self.row(children[action]) if action in children else self._missing_row(node, action, ())
            for action in (node.node.actions() if self._has_rows(number) else ())
        ]

    def rows(self) -> list[TreeRow]:
        """The visible rows from top to bottom."""
        return list(self._rows(0, ()))

    def _rows(self, number: int, continues: tuple[bool, ...]) -> Iterator[TreeRow]:
        node, is_open = self.report.nodes[number], self._is_open(number)
        yield self.row(number, is_open, continues)
        if not is_open:
            return
        children, actions = self.report.children(number), node.node.actions()
        for action in actions:
            below = (*continues, action != actions[-1])
            if action in children:
                yield from self._rows(children[action], below)
            else:
                yield self._missing_row(node, action, below)

    def _missing_row(self, parent: ReportNode, action: str, continues: tuple[bool, ...]) -> TreeRow:
        """The row of a branch that the search never made; its layer is that of its siblings, which is right mostly.

        It is PRUNED if the search has left the parent and was not stopped there, else PENDING.
        """
        siblings = (self.report.nodes[child] for child in parent.children)
        sibling = next((each for each in siblings if each.layer and each.depth < self.report.plies), None)
        layer, agent = (sibling.layer, getattr(sibling.node, "mover", 0)) if sibling else (None, 0)
        entry = self.report.entry(parent.number, self.step)
        was_stopped = entry is None or entry.why is ExitReason.STOPPED
        is_pruned = self.report.has_left(parent.number, self.step) and not was_stopped
        kind = RowKind.PRUNED if is_pruned else RowKind.PENDING
        return TreeRow(kind, parent.depth + 1, None, action, layer=layer, agent=agent, continues=continues)

    def _visible(self, number: int) -> int:
        """The node if it has a visible row, else the folded node above it."""
        *above, last = self.report.path(number)
        return next((node for node in above if not self._is_open(node)), last)

    def _has_rows(self, number: int) -> bool:
        node = self.report.nodes[number]
        return bool(node.children or node.unseen)

    def _is_open(self, number: int) -> bool:
        if not self._has_rows(number) or number in self._folded:
            return False
        if self.step is None:
            return number in self._open
        first_entry = self.report.nodes[number].steps[:1]
        was_entered = first_entry != () and first_entry[0] <= self.step
        return number in self.report.path(self.focus) or (number in self._open and was_entered)


# ---- in characters


def tree_lines(browser: TreeBrowser, width: int, height: int, *, has_unicode: bool = True) -> list[str]:
    """At most `height` rows of the tree with `width` characters; the row of the current node is one of them.

    That row begins with ">". A value on the principal line ends with "*". If rows are missing and there is room for
    it, the last line counts them.
    """
    rows = browser.rows()
    if height < 1:
        return []
    current = next((number for number, row in enumerate(rows) if row.is_current), 0)
    has_count = len(rows) > height >= LEAST_ROWS_WITH_COUNT
    room = height - has_count
    top = max(0, min(current - room // 2, len(rows) - room))
    labels = [_label(row, has_unicode) for row in rows[top : top + room]]
    column = min(VALUE_COLUMN, max(map(len, labels)) + 2, max(4, width - 14))
    lines = [
        f"{label.ljust(column)}{_facts(row)}".rstrip()
        for label, row in zip(labels, rows[top : top + room], strict=True)
    ]
    if has_count:
        lines.append(f"  rows {top + 1} to {top + room} of {len(rows)}")
    lines = [line if len(line) <= width else f"{line[: max(0, width - 3)]}..."[:width] for line in lines]
    return lines if has_unicode else [as_ascii(line) for line in lines]


def as_ascii(text: str) -> str:
    """The text without the signs for numbers that only Unicode has.

    >>> as_ascii("≥−3")
    '>=-3'
    """
    return text.translate(_TO_ASCII)


def _label(row: TreeRow, has_unicode: bool) -> str:
    """The current mark, the lines of the tree, the sign of the layer and the action of a row."""
    bar, tee, corner = ("│ ", "├─", "└─") if has_unicode else ("| ", "|-", "`-")
    lines = "".join(bar if goes_on else "  " for goes_on in row.continues[:-1])
    lines += (tee if row.continues[-1] else corner) if row.continues else ""
    word = " ".join(part for part in (row.action or "root", row.probability) if part)
    return f"{'>' if row.is_current else ' '} {lines}{(SIGNS if has_unicode else ASCII_SIGNS)[row.layer]} {word}"


def _facts(row: TreeRow) -> str:
    """What is known about the node of a row: its value, its window, how many nodes are folded below it."""
    if row.kind is RowKind.PRUNED:
        return "cut: never made"
    facts = [f"{row.value}{'*' if row.is_on_line else ''}" if row.value else "", row.window]
    if row.is_folded:
        facts.append(f"+{format_integer(row.below)} {'node' if row.below == 1 else 'nodes'}")
    return "  ".join(fact for fact in facts if fact)


def node_facts(browser: TreeBrowser) -> tuple[str, str, str]:
    """The text below the tree: which step this is, what is known of the current node, and its arithmetic."""
    report, number, steps = browser.report, browser.current, len(browser.report.steps)
    node, entry = report.nodes[number], report.entry(number, browser.step)
    step = f"whole search: {counted(steps, 'node')} entered"
    if browser.step is not None:
        step = f"node {browser.step + 1} of {steps}"
    facts = [" ".join(report.nodes[each].action for each in report.path(number)[1:]) or "the root"]
    if entry is not None and entry.plies and node.layer:
        own, other = format_ends(entry.alpha, entry.beta, report.decimals), reference_window(report, number)
        facts += [f"{own or 'no bounds'}  ({other})"] if other else [own] if own else []
    if entry is not None and report.has_left(number, browser.step):
        if entry.why is ExitReason.LEAF and node.layer:
            facts.append(f"treated as a leaf, with {counted(entry.plies, 'ply')} left" if entry.plies else "horizon")
        else:
            facts.append(EXIT_TEXTS.get(entry.why, entry.why.value))
    return step, "  ·  ".join(facts), node_in_words(report, number, browser.step)


# ---- the keys


class TreeKey(NamedTuple):
    """A key of an open tree: its name, its text, what it does in words, what it does, and the text of its button."""

    key: str
    text: str
    description: str
    run: Callable[[TreeBrowser], None]
    button: str = ""


TREE_KEYS = (
    TreeKey("j", "J", "next node of the search", TreeBrowser.step_forward, "next"),
    TreeKey("k", "K", "previous node", TreeBrowser.step_back, "back"),
    TreeKey("v", "V", "continue until the search leaves this node", TreeBrowser.step_over, "over"),
    TreeKey("g", "G", "show the whole search", lambda browser: browser.go_to(None), "whole"),
    TreeKey("return", "Enter", "fold or open the node", lambda browser: browser.toggle(browser.current)),
    TreeKey("x", "X", "open and close the nodes as at the start", TreeBrowser.reset_folds),
)
"""The keys that fold the tree and step through the search, in every view."""
TREE_HELP = tuple((each.text, each.description) for each in TREE_KEYS)
"""(keys, description) of these keys for the help."""
TREE_COMMANDS: Mapping[str, Callable[[TreeBrowser], None]] = {each.key: each.run for each in TREE_KEYS}
MOVES: Mapping[str, Callable[[TreeBrowser], None]] = {
    "up": lambda browser: browser.select_beside(-1),
    "down": lambda browser: browser.select_beside(1),
    "right": TreeBrowser.select_inside,
    "left": TreeBrowser.select_outside,
}
"""The keys that move in a tree which has the focus, and what they do."""
