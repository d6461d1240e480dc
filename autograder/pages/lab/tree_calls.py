"""What the page asks about a drawn tree: the steps of searches of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.cases.case import Assignment, Question
from autograder.pages.explorer import MAX_NODES, values_and_data
from autograder.pages.lab.in_browser import BrowserSandbox
from autograder.pages.page import markup
from autograder.pages.search import Difference, Recording, bounds_of_tree, compared_run, drawn_nodes, record
from autograder.sandbox.watch import watch_search
from pacman.core.errors import InputError, error_line, nearest
from pacman.core.tree_text import Outline
from pacman.search.algorithms import ALGORITHMS, DEEPENING, Options


def read_tree(outline: str) -> Outline:
    """The tree in an outline. InputError if it is none, or if it is too large for a picture."""
    tree = Outline.parse(outline)
    if tree.size() > MAX_NODES:
        raise InputError(f"the tree has more than {MAX_NODES:,} nodes; draw a smaller one")
    return tree


def searches_of_tree(
    tree: Outline, algorithms: Sequence[str], student: tuple[BrowserSandbox, Question] | None = None
) -> dict[str, Any]:
    """What `Calls.explain` returns: the searches of a tree, and before them that of a `student`.

    The student's search is the part of the question, in the submission of the sandbox.
    """
    plies, options = tree.height(), Options(bounds=bounds_of_tree(tree))
    recordings: list[Recording] = []
    difference: Difference | None = None
    if student:
        sandbox, question = student
        nodes = tuple(drawn_nodes(tree, plies))
        actions = frozenset(node.action for node in nodes)
        run = watch_search(sandbox, question, tree, plies, 1, len(nodes), actions)
        code = sandbox.submission.lines(sandbox.main_file)
        recording, difference = compared_run(run, question, "equal", tree, plies, nodes, code)
        recordings.append(recording)
    for name in algorithms:
        if name not in (*ALGORITHMS, DEEPENING):
            raise InputError(f"no search '{name}': {nearest(name, ALGORITHMS)}")
        try:
            recordings.append(record(name, tree, plies, options))
        except ValueError as error:
            raise InputError(f"{name}: {error_line(error)}") from None
    values, data = values_and_data(recordings, difference)
    return {"html": markup("explorer.html", {**values, "title": "Searches of a tree"}), "data": data}


def question_of(assignment: Assignment, part: str) -> Question:
    """The question that grades a search. InputError if there is none for this class."""
    found = {question.part: question for question in assignment.questions if question.role == "search"}
    if part not in found:
        raise InputError(f"no search {part} in this assignment: {nearest(part, found)}")
    return found[part]
