"""What the page asks about a drawn tree: the steps of searches of it, and whether a wrong search fails on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from autograder.pages.explorer.record import record
from autograder.pages.explorer.student import compared_run
from autograder.pages.lab.browser_sandbox import BrowserSandbox
from autograder.pages.lab.tree_edits import edited, leaves, parents
from autograder.pages.page import markup
from autograder.sandbox.watched_search import watch_search
from pacman.core.errors import InputError, error_line, nearest
from pacman.core.outline import Outline
from pacman.search.algorithms import ALGORITHMS, DEEPENING, Options
from pacman.search.bounds import constant_bounds
from pacman.view.diagram import tree as tree_picture
from pacman.view.diagram.colours import PAGE

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
    if len(list(drawn_nodes(tree, tree.height()))) > MAX_NODES:
        raise InputError(f"the tree has more than {MAX_NODES:,} nodes; draw a smaller one")
    return tree


def drawing(outline: str, change: str, node: int, value: str) -> dict[str, Any]:
    """The picture of a tree, and what the page must know to change it: `Calls.draw` says what is in it."""
    tree = read_tree(outline)
    if change:
        outline, node = edited(tree, change, node, value)
        tree = read_tree(outline)
    return {
        "outline": outline,
        "picture": tree_picture.svg(tree, theme=PAGE),
        "parents": parents(str(tree)),
        "leaves": leaves(str(tree)),
        "node": node,
    }


def searches_of_tree(
    tree: Outline, algorithms: Sequence[str], sandbox: BrowserSandbox | None, question: Question
) -> dict[str, Any]:
    """What `Calls.explain` returns: the searches of a tree, and with a sandbox the student's search before them."""
    plies, numbers = tree.height(), [each for each in _numbers(tree) if each is not None] or [0.0]
    options = Options(bounds=constant_bounds(min(numbers), max(numbers)))
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


@dataclass(frozen=True)
class Attempt:
    """What a wrong search answers on a tree, and the right answer. `why` is the judge's sentence; empty if it is right.

    `nodes` is the size of the tree.
    """

    fails: bool
    why: str
    right: str
    wrong: str
    nodes: int


def attempt(tree: Outline, mistake: str) -> Attempt:
    """Whether the wrong search with this mistake fails on a tree: in its value or its action, as a case is graded."""
    if mistake not in GOALS:
        raise InputError(f"no wrong search '{mistake}': {nearest(mistake, GOALS)}")
    plies, most = tree.height(), 4 * MAX_NODES
    row = mistakes_by_name()[mistake]
    model = replace(row.right, **row.change)
    right, nodes = simulate(SearchModel(), ModelTree(tree, plies), most), len(list(drawn_nodes(tree, plies)))
    right_text = f"value {right.value:g}, action {right.action}"
    searched = ModelTree(tree, plies)
    run = Simulation(model, searched, most)
    try:
        result = run.result()
    except TooManySimulated:
        return Attempt(True, "it made too many nodes", right_text, "no answer", nodes)
    if result.error:
        return Attempt(True, f"it raised {result.error}", right_text, "no answer", nodes)
    value = result.value if isfinite(result.value) else None
    trace = reference_trace(tree, plies, "none")  # which nodes it generated does not count here
    about = value, str(result.value), result.action, str(result.action), len(trace.successors), trace
    wrong = f"value {result.value:g}, action {result.action}"
    if MissedSearch(QUESTION, tree, plies, Claim(*about, ()), "none").find_difference() is None:
        return Attempt(False, "", right_text, wrong, nodes)
    values = tuple((searched.paths[number], value) for number, value in run.values.items())
    why = MissedSearch(QUESTION, tree, plies, Claim(*about, values), "none").first_difference().why
    return Attempt(True, why, right_text, wrong, nodes)


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


def _numbers(tree: Outline) -> list[float | None]:
    below = (number for _, branch in tree.branches for number in _numbers(branch))
    return [tree.utility, tree.evaluation, *below]
