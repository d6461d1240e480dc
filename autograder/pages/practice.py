"""The practice: the fifteen trees as one page, from easy to hard, or one searched tree as a part of another page.

A file in `trees` is an outline after a comment that names the search:

    # alphabeta
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from autograder.pages.page import page
from autograder.pages.questions import Question, questions
from autograder.pages.search import Recording, node_names, record
from autograder.report.escape import json_text
from pacman.core.numbers import format_window
from pacman.core.tree_text import Outline
from pacman.picture.colours import PAGE
from pacman.picture.tree import svg
from pacman.record.steps import Kind
from pacman.search.algorithms import Options

FOLDER = Path(__file__).resolve().parent / "trees"
SEARCHES = {
    "minimax": "exhaustive",
    "expectimax": "exhaustive",
    "expectiminimax": "exhaustive",
    "alphabeta": "alphabeta",
}
"""The search of each name in a file."""


class PracticeTree(NamedTuple):
    """A name in SEARCHES, and the tree on which the student predicts this search."""

    search: str
    tree: Outline

    def recording(self) -> Recording:
        """The recorded search of the whole tree."""
        return record(SEARCHES[self.search], self.tree, self.tree.height(), Options(), self.search)


@cache
def practice_trees() -> tuple[PracticeTree, ...]:
    """The trees of the page, in order."""
    texts = [file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.txt"))]
    return tuple(PracticeTree(text.partition("\n")[0].removeprefix("# "), Outline.parse(text)) for text in texts)


class Exercise(NamedTuple):
    """A tree to predict a search on: its title, its picture, the questions, and the data of `<search-predict>`."""

    title: str
    picture: str
    questions: Sequence[Question]
    data: dict[str, Any]


def exercise(title: str, tree: Outline, recording: Recording) -> Exercise | None:
    """The exercise of a recorded search of a whole tree, one in SEARCHES; None if there is nothing to ask."""
    every = questions(tree, recording)
    if not every:
        return None
    states = [shown_state(recording, question.events) for question in every]
    windows = [text for state in states for text in state["windows"].values()]
    widest = max([*windows, format_window(0, 0)], key=len)
    picture = svg(tree, theme=PAGE, widest_window=widest if windows else "")
    rows = [{**question.as_data(), **state} for question, state in zip(every, states, strict=True)]
    return Exercise(title, picture, every, {"title": title, "names": node_names(recording.nodes), "questions": rows})


def shown_state(recording: Recording, count: int) -> dict[str, Any]:
    """What the picture of the tree shows after the first `count` events.

    These are the values, the windows with which the search entered nodes, the nodes that it has not entered yet
    (`later`), and those of them that it cannot enter any more (`closed`).
    Bounds that a node has raised or lowered since are missing: questions ask for them.
    """
    past = recording.events[:count]
    inner = [event for event in past if event.label and recording.nodes[event.node].layer is not None]
    values = {event.node: event.label for event in inner if event.kind == Kind.VALUE}
    windows = {event.node: event.label for event in past if event.label and event.kind == Kind.ENTER}
    entered = {event.node for event in past}
    later = [number for number in range(len(recording.nodes)) if number not in entered]
    return {"values": values, "windows": windows, "later": later, "closed": [n for each in past for n in each.closed]}


def predict_data(exercises: Sequence[Exercise]) -> dict[str, Any]:
    """What `<search-predict>` finds as `predict` in the data of its page. The id names these questions."""
    data = [each.data for each in exercises]
    return {"id": sha256(json_text(data).encode()).hexdigest()[:12], "exercises": data}


def practice_page() -> str:
    """The text of the practice page: the fifteen trees with their questions."""
    trees = practice_trees()
    titles = [f"Tree {number} of {len(trees)}: {each.search}" for number, each in enumerate(trees, 1)]
    every = (exercise(title, each.tree, each.recording()) for title, each in zip(titles, trees, strict=True))
    exercises = [each for each in every if each]
    data = {"predict": predict_data(exercises)}
    return page("practice.html", "Predict the search", {"exercises": exercises}, data, ["predict.js"], ["predict.css"])
