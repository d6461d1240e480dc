"""What the page asks about a drawn tree: the steps of searches of it, and whether a wrong search fails on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from autograder.cases.case import Assignment, Question
from autograder.cases.reference import reference_trace
from autograder.judge.diagnosis.model_tree import ModelTree
from autograder.judge.explain_miss import MissedSearch
from autograder.judge.submission_answer import Claim
from autograder.judge.wrong_searches.mistakes import mistakes_by_name
from autograder.judge.wrong_searches.search_model import SearchModel
from autograder.judge.wrong_searches.simulation import Simulation, TooManySimulated, simulate
from autograder.pages.explorer.events import Recording, drawn_nodes
from autograder.pages.explorer.page_of_search import MAX_NODES, Difference, values_and_data
from autograder.pages.explorer.record import bounds_of_tree, record
from autograder.pages.explorer.student_recording import compared_run
from autograder.pages.lab.in_browser import BrowserSandbox
from autograder.pages.lab.tree_edits import edited
from autograder.pages.page import markup
from autograder.sandbox.watched_search import watch_search
from pacman.core.errors import InputError, error_line, nearest
from pacman.core.tree_text import Outline, number
from pacman.picture import tree as tree_picture
from pacman.picture.colours import PAGE
from pacman.search.algorithms import ALGORITHMS, DEEPENING, Options

QUESTION = Question(
    id="tree",
    title="Break this agent",
    part="this search",
    points=1,
    role="search",
    reference="exhaustive",
    criteria={"value": 1, "action": 1},
)
GOALS = {
    "action-of-last-loop": 3,
    "min-as-max": 3,
    "equal-chances": 3,
    "starts-at-zero": 2,
    "stops-when-good-enough": 3,
    "compares-text": 3,
    "by-turns": 4,
    "best-line-shared": 4,
    "zero-as-nothing": 3,
    "memory-by-score": 5,
    "window-shared": 4,
    "cut-returns-zero": 4,
    "margin": 5,
}
"""The wrong searches that a student can break, from easy to hard: rows of the table of mistakes, by name.

With each stands how many nodes the smallest tree has that is known to break it.
"""


def read_tree(outline: str) -> Outline:
    """The tree in an outline. InputError if it is none, or if it is too large for a picture."""
    tree = Outline.parse(outline)
    if tree.size() > MAX_NODES:
        raise InputError(f"the tree has more than {MAX_NODES:,} nodes; draw a smaller one")
    return tree


def draw(outline: str, change: str = "", node: int = 0, value: str = "") -> dict[str, Any]:
    """The picture of a tree, after a change (see `edited`) if there is one.

    `parents` are those of its nodes, `leaves` are the values of its leaves by the number of the node, and `node` is
    the selected node.
    """
    tree = read_tree(outline)
    if change:
        tree, node = edited(tree, change, node, value)
        outline = str(tree)
        tree = read_tree(outline)
    return {
        "outline": outline,
        "picture": tree_picture.svg(tree, theme=PAGE),
        "parents": [-1, *(parent for parent, _ in tree.places()[1:])],
        "leaves": {
            place: number(each.utility) for place, each in enumerate(_preorder(tree)) if each.utility is not None
        },
        "node": node,
    }


def _preorder(tree: Outline) -> Iterator[Outline]:
    yield tree
    for _, branch in tree.branches:
        yield from _preorder(branch)


def searches_of_tree(
    tree: Outline, algorithms: Sequence[str], sandbox: BrowserSandbox | None, question: Question
) -> dict[str, Any]:
    """What `Calls.explain` returns: the searches of a tree, and with a sandbox the student's search before them."""
    plies, options = tree.height(), Options(bounds=bounds_of_tree(tree))
    recordings: list[Recording] = []
    difference: Difference | None = None
    if sandbox:
        nodes = tuple(drawn_nodes(tree, plies))
        actions = frozenset(node.action for node in nodes)
        run = watch_search(sandbox, question, tree, plies, 1, len(nodes), actions)  # type: ignore[arg-type]
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


def fails(outline: str, mistake: str) -> dict[str, Any]:
    """Whether the wrong search with this mistake fails on a tree: in its value or its action, as a case is graded.

    `wrong` is its answer, `right` the right one, `why` the judge's sentence, and `nodes` is the size of the tree.
    """
    tree = read_tree(outline)
    if mistake not in GOALS:
        raise InputError(f"no wrong search '{mistake}': {nearest(mistake, GOALS)}")
    plies, most = tree.height(), 4 * MAX_NODES
    row = mistakes_by_name()[mistake]
    model = replace(row.right, **row.change)
    right = simulate(SearchModel(), ModelTree(tree, plies), most)
    answer = {"right": f"value {right.value:g}, action {right.action}", "wrong": "no answer", "nodes": tree.size()}
    searched = ModelTree(tree, plies)
    run = Simulation(model, searched, most)
    try:
        result = run.result()
    except TooManySimulated:
        return {**answer, "fails": True, "why": "it made too many nodes"}
    if result.error:
        return {**answer, "fails": True, "why": f"it raised {result.error}"}
    value = result.value if isfinite(result.value) else None
    trace = reference_trace(tree, plies, "none")  # which nodes it generated does not count here
    about = value, str(result.value), result.action, str(result.action), len(trace.successors), trace
    answer["wrong"] = f"value {result.value:g}, action {result.action}"
    if MissedSearch(QUESTION, tree, plies, Claim(*about, ()), "none").difference_if_any() is None:
        return {**answer, "fails": False, "why": ""}
    values = tuple((searched.paths[number], value) for number, value in run.values.items())
    why = MissedSearch(QUESTION, tree, plies, Claim(*about, values), "none").first_difference().why
    return {**answer, "fails": True, "why": why}


def mistakes() -> list[dict[str, str | int]]:
    """The wrong searches that a student can break, what the grader says about each, and the size of a smallest tree."""
    rows = mistakes_by_name()
    return [{"name": name, "sentence": rows[name].sentence, "goal": goal} for name, goal in GOALS.items()]


def question_of(assignment: Assignment, part: str) -> Question:
    """The question that grades a search. InputError if there is none for this class."""
    found = {question.part: question for question in assignment.questions if question.role == "search"}
    if part not in found:
        raise InputError(f"no search {part} in this assignment: {nearest(part, found)}")
    return found[part]
