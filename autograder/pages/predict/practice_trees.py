"""The twenty trees of the practice page, from easy to hard, each with the search that the student predicts.

A file in `trees` is an outline after a comment that names the search and, for star1 and star2, the bounds:

    # star1 with bounds 0 20
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.pages.explorer.events import Recording
from autograder.pages.explorer.record import record
from autograder.pages.predict.questions import Question, questions
from autograder.pages.predict.situations import Bounds
from pacman.core.errors import InputError
from pacman.core.outline import Outline
from pacman.search.algorithms import Options, SearchResult, run_search
from pacman.search.bounds import constant_bounds

FOLDER = Path(__file__).resolve().parent / "trees"
SEARCHES = {
    "minimax": "exhaustive",
    "expectimax": "exhaustive",
    "expectiminimax": "exhaustive",
    "alphabeta": "alphabeta",
    "star1": "star1",
    "star2": "star2",
}
"""The search of each name in a file."""
_HEAD = re.compile(r"# (\w+)(?: with bounds (-?\d+) (-?\d+))?")


@dataclass(frozen=True)
class PracticeTree:
    """A tree, and the search that the student predicts."""

    search: str
    """A name in SEARCHES."""
    tree: Outline
    bounds: Bounds | None = None

    @classmethod
    def parse(cls, text: str, source: str) -> PracticeTree:
        """The tree of a file. InputError if its first line names no search."""
        match = _HEAD.fullmatch(text.partition("\n")[0])
        if match is None or match[1] not in SEARCHES:
            raise InputError(f"{source}:1: expected '# SEARCH' or '# SEARCH with bounds L U', for example '# minimax'")
        bounds = (float(match[2]), float(match[3])) if match[2] else None
        return cls(match[1], Outline.parse(text, source), bounds)

    def __str__(self) -> str:
        limits = "" if self.bounds is None else f" with bounds {self.bounds[0]:g} {self.bounds[1]:g}"
        return f"# {self.search}{limits}\n{self.tree}\n"

    def result(self) -> SearchResult:
        """The search of the whole tree, with its trace."""
        return run_search(SEARCHES[self.search], self.tree, self.tree.height(), self._options())

    def recording(self) -> Recording:
        """The recorded search of the whole tree."""
        return record(SEARCHES[self.search], self.tree, self.tree.height(), self._options(), self.search)

    def _options(self) -> Options:
        return Options(bounds=None if self.bounds is None else constant_bounds(*self.bounds))

    def questions(self) -> list[Question]:
        """The questions about that search, in its order."""
        return questions(self.tree, self.recording(), self.bounds)


@cache
def practice_trees() -> tuple[PracticeTree, ...]:
    """The trees of the page, in order."""
    files = sorted(FOLDER.glob("*.txt"))
    return tuple(PracticeTree.parse(file.read_text(encoding="utf-8"), file.name) for file in files)
