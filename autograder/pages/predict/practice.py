"""The data and the parts of the practice: the twenty trees as one page, or one tree as a part of another page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from autograder.pages.explorer.events import Recording
from autograder.pages.page import embedded, page
from autograder.pages.predict.practice_trees import SEARCHES, practice_trees
from autograder.pages.predict.questions import Question, questions, shown_state
from autograder.pages.predict.situations import Bounds, node_names
from pacman.core.outline import Outline
from pacman.view.analysis.number_text import format_number, format_window
from pacman.view.diagram.colours import PAGE
from pacman.view.diagram.tree import svg

SCRIPT, STYLE, TEMPLATE = "predict.js", "predict.css", "practice.html"


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
    """The exercise of a recorded search of a whole tree; None if there is nothing to ask, or for another search."""
    asked = tuple(questions(tree, recording, bounds)) if recording.algorithm in SEARCHES.values() else ()
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
    data = {"predict": predict_data(exercises)}
    return page(TEMPLATE, "Predict the search", {"exercises": exercises}, data, [SCRIPT], [STYLE])
