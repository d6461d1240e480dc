"""The pictures of a report: a tree with the right values and the student's, a board, and a lost game."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from autograder.judge.explain import NOT_SEEN, SEEN
from autograder.judge.scorecard import Diagram
from autograder.pages.game_player import game_replay
from autograder.report.drawing import remarks
from autograder.report.escape import lines
from pacman.core.errors import printable
from pacman.core.state import GameState
from pacman.core.tree_text import Outline
from pacman.picture import board, tree
from pacman.picture.colours import PAGE
from pacman.record.trace import Path
from pacman.search.algorithms import Options, SearchResult, run_search

BESIDE = 600
"""The widest picture, in pixels, that stands beside the text on a wide screen; a wider one stands below it."""
WIDEST = 1300
"""A wider picture is not drawn: the text says the same in a form that can be read."""
LEAST_WIDTHS = (300, 400, 500, 600, 700, 800)
"""The classes `at-least-300`, ... of the stylesheet: a picture is not made narrower, its frame scrolls instead."""
LEGEND = "The trees show a right search; the words in red say what yours does instead."
SMALLEST = 0.75
"""How much smaller than its natural size a picture may become."""


@dataclass(frozen=True)
class Picture:
    """A picture of a page: an `svg`, the `game` of an animation, or only the `lines` of a drawing as text.

    `label` names the picture for readers who cannot see it.
    """

    label: str
    svg: str = ""
    compares: bool = False
    """True for a tree that also shows what the submission did."""
    game: str = ""
    lines: Sequence[str] = ()
    caption: str = ""

    @property
    def width(self) -> int:
        """The natural width in pixels; 0 without a drawing."""
        width = re.search(r'<svg [^>]*\bwidth="(\d+)"', self.svg or self.game)
        return int(width[1]) if width else 0

    @property
    def size(self) -> int:
        """The bytes in a page, nearly."""
        return len(self.svg) + len(self.game) + sum(map(len, self.lines))

    @property
    def is_wide(self) -> bool:
        """True if the picture stands below the text."""
        return self.width > BESIDE or not (self.svg or self.game)

    @property
    def least_width(self) -> int:
        """The width in pixels below which the picture does not shrink; 0 if it may."""
        return max((each for each in LEAST_WIDTHS if each <= SMALLEST * self.width), default=0)


def picture(diagram: Diagram | None, text: Sequence[str], label: str, caption: str = "") -> Picture:
    """The picture of a diagram; the lines of its `text` form if there is no diagram, or none that can be drawn.

    The notes of the diagram stand beside the picture.
    """
    notes = lines([text for part in remarks(diagram) for text in part]) if diagram else []
    if diagram and diagram.moves:
        with suppress(ValueError):  # its start is no position, or its moves break the rules
            game = game_replay(GameState.parse(diagram.start), diagram.moves.split())
            return Picture(label, game=game, lines=notes, caption=f"Game {diagram.game}")
    drawing = "\n".join(map(printable, _drawing(diagram).splitlines())) if diagram else ""
    result = Picture(label, drawing, caption=caption)
    if not drawing or result.width > WIDEST:
        return Picture(label, lines=lines(text), caption=caption)
    return Picture(label, drawing, bool(diagram and diagram.rows), lines=notes, caption=caption)


def _drawing(diagram: Diagram) -> str:
    """The markup of a diagram; empty if its text is neither a tree nor a position."""
    try:
        if diagram.start.startswith("%"):
            return board.svg(GameState.parse(diagram.start), theme=PAGE)
        root = Outline.parse(diagram.start)
        source: Outline | SearchResult = root
        if diagram.rows:  # the search that found the expected values
            name = "alphabeta" if diagram.cut else "exhaustive"
            source = run_search(name, root, diagram.plies, Options(strict=diagram.cut == "strict"))
    except ValueError:
        return ""
    return tree.svg(source, theme=PAGE, notes=_notes(diagram), windows=bool(diagram.cut))


def _notes(diagram: Diagram) -> Mapping[Path, str]:
    """What the submission did at each node where it differs from the right search.

    Below a node that only one of the two searches has seen, the same is true, and is not said again.
    """
    differing = {row.path: row.got for row in diagram.rows if row.differs or row.path == diagram.marked}
    return {
        path: f"yours: {got}"
        for path, got in differing.items()
        if path == diagram.marked or got not in (SEEN, NOT_SEEN) or differing.get(path[:-1]) != got
    }
