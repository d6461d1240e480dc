"""The data and the parts of the practice: the twenty trees as one page, or one tree as a part of another page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from autograder.pages.explorer.events import Recording
from autograder.pages.page import PagePart, embedded, page
from autograder.pages.predict.practice_trees import SEARCHES, practice_trees
from autograder.pages.predict.questions import Question, questions, shown_state
from autograder.pages.predict.situations import Bounds, node_names
from pacman.core.errors import InputError
from pacman.core.outline import Outline
from pacman.search.algorithms import STARS, Options
from pacman.search.bounds import ConstantBounds
from pacman.search.ordering import GIVEN
from pacman.view.analysis.number_text import format_number, format_window
from pacman.view.diagram.colours import PAGE
from pacman.view.diagram.tree import svg

SCRIPT, STYLE, TEMPLATE = "predict.js", "predict.css", "practice.html"
NEEDS = (
    "it needs a drawn tree, searched to its leaves in the given order by exhaustive, alphabeta (not --strict), star1 "
    "or star2"
)


@dataclass(frozen=True)
class Exercise:
    """A tree to predict a search on: its title, its picture, and the questions with the state of the picture."""

    title: str
    picture: str
    names: tuple[str, ...]
    """The names of the nodes, by their numbers."""
    questions: tuple[Question, ...]
    states: tuple[dict[str, Any], ...]

    def as_data(self) -> dict[str, Any]:
        """Plain JSON values for `<search-predict>`."""
        pairs = zip(self.questions, self.states, strict=True)
        rows = [{**question.as_data(), **state} for question, state in pairs]
        return {"title": self.title, "names": list(self.names), "questions": rows}


def exercise(title: str, tree: Outline, recording: Recording, bounds: Bounds | None) -> Exercise | None:
    """The exercise of a recorded search of a whole tree; None if there is nothing to ask."""
    asked = tuple(questions(tree, recording, bounds))
    if not asked:
        return None
    states = tuple(shown_state(recording, question.events) for question in asked)
    windows = [text for state in states for text in state["windows"].values()]
    widest = max([*windows, format_window(0, 0)], key=len)
    picture = svg(tree, theme=PAGE, widest_window=widest if recording.has_windows else "")
    return Exercise(title, picture, tuple(node_names(tree)), asked, states)


def predict_data(exercises: Sequence[Exercise]) -> dict[str, Any]:
    """What `<search-predict>` finds as `predict` in the data of its page. The id names these questions."""
    data = [each.as_data() for each in exercises]
    return {"id": sha256(embedded(data).encode()).hexdigest()[:12], "exercises": data}


def practice_part(exercises: Sequence[Exercise]) -> PagePart:
    """What a page needs to ask these questions: its template includes `exercises.html`."""
    return PagePart({"exercises": exercises}, {"predict": predict_data(exercises)}, (SCRIPT,), (STYLE,))


def exercises_of(recordings: Sequence[Recording], options: Options, plies: int) -> list[Exercise]:
    """The exercises of recorded searches, with the title of each. InputError if there is nothing to ask."""
    found = []
    for recording in recordings:
        tree = recording.result.root if recording.result else None
        can_ask = options.order == GIVEN and not options.strict and recording.algorithm in SEARCHES.values()
        if isinstance(tree, Outline) and plies >= tree.height() and can_ask and not recording.is_claim:
            limits = options.bounds if recording.algorithm in STARS else None
            bounds = (limits.low, limits.high) if isinstance(limits, ConstantBounds) else None
            found.append(exercise(f"Predict {recording.title}", tree, recording, bounds))
    exercises = [each for each in found if each is not None]
    if not exercises:
        raise InputError(f"--predict has nothing to ask: {NEEDS}")
    return exercises


def practice_page() -> str:
    """The text of the practice page: the twenty trees with their questions."""
    trees = practice_trees()
    exercises = []
    for number, each in enumerate(trees, 1):
        bounds = each.bounds
        limits = f" with bounds [{format_number(bounds[0])}, {format_number(bounds[1])}]" if bounds else ""
        title = f"Tree {number} of {len(trees)}: {each.search}{limits}"
        made = exercise(title, each.tree, each.recording(), bounds)
        assert made is not None, title
        exercises.append(made)
    part = practice_part(exercises)
    return page(TEMPLATE, "Predict the search", part.values, part.data, part.scripts, part.styles)
