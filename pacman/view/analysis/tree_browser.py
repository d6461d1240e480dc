"""Which rows of a searched tree are shown: folded or open, and as of which step of the search. Pure: no pixel here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from pacman.core.layers import Layer
from pacman.core.trace import ExitReason
from pacman.core.tree import Node
from pacman.view.analysis.number_text import chance, claim, ends
from pacman.view.analysis.search_report import ReportNode, SearchReport

ROWS = 10
"""At first the principal line is open as far as the tree has no more rows than this."""
BRANCHES = 12
"""Of a node with more successors only so many are rows, and one more row counts the others."""


class Kind(Enum):
    """What a row stands for."""

    SEEN = "seen"
    """A node that the search has entered."""
    LATER = "later"
    """A node that it has not come to yet, or never came to because it was stopped."""
    PRUNED = "pruned"
    """A branch that it turned away from."""
    MORE = "more"
    """Further branches, counted."""


class TreeRow(NamedTuple):
    """One line of the tree. `number` is the node's in the study, None for one that was never made.

    `value` and `window` are words, "" where there is nothing to say; `below` counts the nodes made below.
    `rails` says for each level above whether its line goes on below this row.
    """

    kind: Kind
    depth: int
    number: int | None = None
    action: str = ""
    chance: str = ""
    layer: Layer | None = None
    agent: int = 0
    value: str = ""
    window: str = ""
    below: int = 0
    is_open: bool = False
    on_line: bool = False
    is_current: bool = False
    rails: tuple[bool, ...] = ()


class TreeBrowser:
    """A study's tree as somebody looks at it: what is open, which node is chosen, and which step is looked at.

    `step` None is the finished search. While stepping, the way to the entered node is open by itself, and only what
    the search knows by then is told.

    >>> from pacman.core.outline import Outline
    >>> from pacman.search.algorithms import run_search
    >>> from pacman.view.analysis.report_from_trace import report_from_trace
    >>> tree = Outline.parse("max\\n  a: 3\\n  b: min\\n    x: 2\\n    y: 100")
    >>> browse = TreeBrowser(report_from_trace(tree, 2, run_search("alphabeta", tree, 2).trace))
    >>> [(row.action, row.value, row.kind.value) for row in browse.rows()]
    [('', '3', 'seen'), ('a', '3', 'seen'), ('b', '≤2', 'seen')]
    >>> browse.fold(2)
    >>> [(row.action, row.kind.value) for row in browse.rows()][3:]
    [('x', 'seen'), ('y', 'pruned')]
    """

    def __init__(self, study: SearchReport) -> None:
        self.study = study
        self.step: int | None = None
        self.chosen = 0
        self._open = self._first_open()
        self._folded: set[int] = set()  # nodes on the way to the entered one that were closed by hand

    @property
    def current(self) -> int:
        """The node that is looked at: the entered one while stepping, else the chosen one."""
        return self._in_sight(self.chosen) if self.step is None else self.study.steps[self.step].number

    @property
    def _way(self) -> tuple[int, ...]:
        """The nodes from the root to the one that is looked at."""
        return self.study.path(self.chosen if self.step is None else self.study.steps[self.step].number)

    @property
    def position(self) -> Node:
        """That node itself."""
        return self.study.nodes[self.current].node

    def fold(self, number: int) -> None:
        """Closes a node, or opens it."""
        if not self._has_rows(number):
            return
        if self._is_open(number):
            self._open.discard(number)
            self._folded.add(number)
        else:
            self._open.add(number)
            self._folded.discard(number)

    def fold_all(self) -> None:
        """Everything as it was at first."""
        self._open, self._folded = self._first_open(), set()

    def choose(self, number: int) -> None:
        """Looks at a node: at the finished search, or at the step that entered it last."""
        if self.step is not None and self.study.nodes[number].steps:
            self.go(self.study.nodes[number].steps[-1])
        else:
            self.chosen = number

    def go(self, step: int | None) -> None:
        """Looks at a step, the nearest there is; None is the finished search."""
        if self.step is not None:
            self.chosen = self.current
        self.step = None if step is None or not self.study.steps else max(0, min(step, len(self.study.steps) - 1))
        self._folded.clear()

    def forward(self) -> None:
        """Enters the next node; the first one if the search was looked at as a whole, and after the last the whole."""
        following = 0 if self.step is None else self.step + 1
        self.go(following if following < len(self.study.steps) else None)

    def back(self) -> None:
        """Back to the node entered before; from the finished search to its last one."""
        if self.step != 0:
            self.go((len(self.study.steps) if self.step is None else self.step) - 1)

    def over(self) -> None:
        """On to where the search has left the entered node."""
        if self.step is None:
            self.forward()
        else:
            end = max(self.step + 1, self.study.ends[self.step])
            self.go(end if end < len(self.study.steps) else None)

    # ---- rows

    def rows(self) -> list[TreeRow]:
        """The rows from the top."""
        return list(self._rows(0, ()))

    def _rows(self, number: int, rails: tuple[bool, ...]) -> Iterator[TreeRow]:
        seen = self.study.nodes[number]
        is_open = self._is_open(number)
        yield self._row(seen, is_open, rails)
        if not is_open:
            return
        made = {self.study.nodes[child].action: child for child in seen.children}
        actions = seen.node.actions()
        shown = self._shown(actions, made)
        for action in shown:
            goes_on = (*rails, action != shown[-1] or len(shown) < len(actions))
            if action in made:
                yield from self._rows(made[action], goes_on)
            else:
                yield self._sibling(seen, action, goes_on)
        if len(shown) < len(actions):
            hidden = [
                self.study.nodes[made[action]].below + 1 for action in actions if action in made and action not in shown
            ]
            yield TreeRow(
                Kind.MORE,
                seen.depth + 1,
                action=f"{len(actions) - len(shown)} more",
                below=sum(hidden),
                rails=(*rails, False),
            )

    def _row(self, seen: ReportNode, is_open: bool, rails: tuple[bool, ...]) -> TreeRow:
        study, step = self.study, self.step
        entry = study.entry(seen.number, step)
        layer = seen.layer if seen.depth < study.plies else None
        return TreeRow(
            kind=Kind.SEEN if entry else Kind.LATER,
            depth=seen.depth,
            number=seen.number,
            action=seen.action,
            chance="" if seen.probability in (None, 1) else chance(seen.probability or 0.0),
            layer=layer,
            agent=getattr(seen.node, "mover", 0),
            value=claim(*study.known(seen.number, step)),
            window=ends(entry.alpha, entry.beta) if entry and layer else "",
            below=seen.below,
            is_open=is_open,
            on_line=step is None and seen.number in study.on_line,
            is_current=seen.number == self._in_sight(self.current),
            rails=rails,
        )

    def _sibling(self, parent: ReportNode, action: str, rails: tuple[bool, ...]) -> TreeRow:
        """The row of a branch that was never made: it looks like those that were, which are of its kind mostly."""
        made = (self.study.nodes[child] for child in parent.children)
        kin = next((one for one in made if one.layer and one.depth < self.study.plies), None)
        layer, agent = (kin.layer, getattr(kin.node, "mover", 0)) if kin else (None, 0)
        return TreeRow(self._unseen(parent), parent.depth + 1, None, action, layer=layer, agent=agent, rails=rails)

    def _unseen(self, parent: ReportNode) -> Kind:
        """A branch never made is pruned once its node has been left, unless the search was stopped there."""
        entry = self.study.entry(parent.number, self.step)
        stopped = entry is None or entry.why is ExitReason.STOPPED
        return Kind.PRUNED if self.study.is_left(parent.number, self.step) and not stopped else Kind.LATER

    def _shown(self, actions: Sequence[str], made: dict[str, int]) -> list[str]:
        """Of many branches the first ones, and the one that is looked at."""
        if len(actions) <= BRANCHES:
            return list(actions)
        way = {action for action, number in made.items() if number in self._way}
        first = {*actions[: BRANCHES - 1], *way}
        return [action for action in actions if action in first]

    def _in_sight(self, number: int) -> int:
        """The node itself if its row is there, else the one above it that is folded."""
        *above, own = self.study.path(number)
        return next((node for node in above if not self._is_open(node)), own)

    def _has_rows(self, number: int) -> bool:
        seen = self.study.nodes[number]
        return bool(seen.children or seen.unseen)

    def _is_open(self, number: int) -> bool:
        if not self._has_rows(number) or number in self._folded:
            return False
        if self.step is None:
            return number in self._open
        entered = self.study.nodes[number].steps[:1]
        return number in self._way or (number in self._open and entered != () and entered[0] <= self.step)

    def _first_open(self) -> set[int]:
        """The root, and then the principal line as far as there is room."""
        found: set[int] = set()
        rows = 1
        for number in sorted(self.study.on_line):
            seen = self.study.nodes[number]
            rows += min(BRANCHES, len(seen.children) + len(seen.unseen))
            if rows > ROWS and found:
                break
            found.add(number)
        return found
