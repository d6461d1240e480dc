"""What `explain` shows: a tree or a position, recordings of searches, also of a student's, questions, and the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

import typer

from autograder.cases import loading
from autograder.cases.case import Case, Question, SearchInput
from autograder.cases.right_answer import derive
from autograder.cases.truth import searched_roots
from autograder.commands.shared.case_choice import (
    check_python,
    choose_case,
    file_and_class,
    question_in,
    question_of,
    searches_in,
)
from autograder.commands.shared.report_file import save_report
from autograder.grading.submission import find_candidate
from autograder.pages.explorer import MAX_NODES, explorer_page
from autograder.pages.practice import Exercise, exercise, predict_data
from autograder.pages.search import Difference, DrawnNode, Recording, bounds_of_tree, compared_run, drawn_nodes, record
from autograder.platforms import default_assignment, load_assignment, submission_api
from autograder.sandbox import Sandbox, check_sandbox, submission_files
from autograder.sandbox.watch import watch_search
from pacman.commands.options import PositionOptions, SearchOptions
from pacman.commands.target import STDIN, Target, find_target, is_layout, is_tree
from pacman.core.errors import InputError, counted
from pacman.core.layout import names
from pacman.core.numbers import format_number
from pacman.core.state import GameState
from pacman.core.tree import Node
from pacman.core.tree_text import Outline
from pacman.search.algorithms import DEEPENING, STARS, Options
from pacman.search.bounds import ConstantBounds, natural
from pacman.search.ordering import GIVEN


@dataclass(frozen=True)
class ExplainedAgent:
    """A student's file, its class, and the question that grades it. `cut` is that of the case."""

    file: Path
    api: str
    assignment: str
    question: Question
    cut: str = "equal"
    root: Node | None = None
    plies: int = 0

    @classmethod
    def choose(
        cls, agent: str, api: str | None, assignment: str | None, target: str, plies: int | None
    ) -> ExplainedAgent:
        """The agent in FILE[:CLASS], and the tree or position that `target` names; no root for a layout.

        Without a class it is that of the case's question, or the only search in the file that is written.
        """
        name = assignment or default_assignment(api)
        loaded, chosen = load_assignment(name, api)
        file, class_name = file_and_class(agent)
        check_python(file)
        if is_layout(target):
            if not class_name:
                parts = [question.part for question in searches_in(file, loaded)] or ["MinimaxAgent"]
                known = f"; it has {', '.join(parts)}" if parts[1:] else ""
                example = f"{file}:{parts[0]}"
                raise InputError(f"--agent {file}: name the class that searches the layout, as in {example}{known}")
            return cls(file, chosen.name, name, _search_of(question_of(loaded, class_name)))
        case = choose_case(target, loaded, class_name, plies, file)
        written = [question.part for question in searches_in(file, loaded)]
        if not class_name and written and case.question.part not in written:
            if len(written) > 1:
                problem = f"{case.question.part} is not written in it, but {' and '.join(written)}; name one of them"
                raise InputError(f"--agent {file}: {problem}, as in {file}:{written[0]}")
            case = choose_case(target, loaded, written[0], plies, file)
        question, (root, depth) = _search_of(case.question), _first_search(case)
        cut = case.input.cut if isinstance(case.input, SearchInput) else "equal"
        return cls(file, chosen.name, name, question, cut, root, depth)

    @property
    def algorithm(self) -> str:
        """The search that the question asks for."""
        return "alphabeta" if self.question.reference == "alphabeta" else "exhaustive"

    def record(self, root: Node, plies: int, nodes: tuple[DrawnNode, ...]) -> tuple[Recording, Difference]:
        """The recording of the agent's search of `root`, and its first difference from the right one."""
        files = submission_files.read(self.file, ())
        loaded = loading.load(self.assignment)
        rounds = max(1, plies // len(root.layers)) if isinstance(root, GameState) else 1
        actions = frozenset(node.action for node in nodes)
        with Sandbox(files, loaded.limits, check_sandbox(), self.api) as sandbox:
            sandbox.main_file = find_candidate(self.file, sandbox, loaded, submission_api(self.api))
            run = watch_search(sandbox, self.question, root, plies, rounds, len(nodes), actions)
        return compared_run(run, self.question, self.cut, root, plies, nodes, files.lines(sandbox.main_file))


def _first_search(case: Case) -> tuple[Node, int]:
    """The root and the plies of the first search of a case. InputError if it has none."""
    if not case.has_truth:
        raise InputError(f"{case.id} has no search to show; choose a case with a tree or a position")
    return next(searched_roots(case, derive(case)))


def _search_of(question: Question) -> Question:
    """The question, if it grades a search. InputError otherwise."""
    if question.role != "search":
        raise InputError(f"--agent: {question.part} is no search, so there is nothing to step through")
    return question


def save_page(
    out: Path,
    problem: Target,
    recordings: Sequence[Recording],
    difference: Difference | None,
    exercises: Sequence[Exercise],
) -> None:
    """Writes the page, and prints the steps of each search and the first difference."""
    title = f"{' and '.join(dict.fromkeys(each.algorithm for each in recordings))}: {problem.name}"
    predict = predict_data(exercises) if exercises else None
    save_report(out, explorer_page(title, recordings, difference, exercises, predict))
    typer.echo(f"{out}: {', '.join(f'{each.algorithm} ({len(each.events)} steps)' for each in recordings)}")
    if difference is not None:
        typer.echo(f"{difference.label}: {difference.sentence}")


def choose_problem(
    target: str, assignment: str, search: SearchOptions, position: PositionOptions, student: ExplainedAgent | None
) -> Target:
    """The tree, the first search of the case, or the first position of the layout."""

    def case_of(text: str) -> Target | None:
        if student is not None and student.root is not None:
            options = replace(search.options, strict=search.strict or student.cut == "strict")
            return Target(text, student.root, student.plies, options)
        if is_tree(text):
            return None
        try:
            case = choose_case(text, loading.load(assignment, cases_of=question_in(text)), "", search.plies, Path())
        except InputError:
            if "/" in text or Path(text).exists():
                raise
            known = get_close_matches(text, names(), n=1)
            hint = f"did you mean {known[0]}?" if known else "a case is named as in q2/01-figure"
            raise InputError(f"no file with a tree, no case and no layout '{text}'; {hint}") from None
        root, depth = _first_search(case)
        return Target(case.id, root, depth, search.options)

    problem = find_target(target, search, position, case_of)
    return replace(problem, name=_name(problem.name), options=_with_bounds(problem.options, problem.node))


def _name(target: str) -> str:
    """What the page calls the tree."""
    return "standard input" if target == STDIN else "a tree" if "{" in target else target


def _with_bounds(options: Options, root: Node) -> Options:
    """The options with bounds: those of the user, the natural ones of a position, or the range of a tree's numbers."""
    if options.bounds is not None or not isinstance(root, Outline):
        return replace(options, bounds=options.bounds or natural)
    return replace(options, bounds=bounds_of_tree(root))


def ask_about(recording: Recording, problem: Target) -> Exercise:
    """The questions about a search. InputError if the page cannot ask about it."""
    root, options = problem.node, problem.options
    is_plain = options.order == GIVEN and not options.strict and recording.algorithm != DEEPENING
    if not (isinstance(root, Outline) and problem.plies >= root.height() and is_plain):
        raise InputError("--predict asks about a whole tree, without --plies, --order, --strict and deepening")
    if recording.algorithm in STARS:
        raise InputError(f"--predict does not ask about {recording.algorithm}; choose exhaustive or alphabeta")
    asked = exercise(recording.title, root, recording)
    if asked is None:
        raise InputError(f"--predict: there is nothing to ask about {recording.algorithm} on {problem.name}")
    return asked


def check_size(problem: Target) -> None:
    """InputError if the page cannot hold the tree."""
    if sum(1 for _ in islice(drawn_nodes(problem.node, problem.plies), MAX_NODES + 1)) > MAX_NODES:
        depth = counted(problem.plies, "ply")
        advice = "--plies" if isinstance(problem.node, Outline) else "--plies or --rounds"
        raise InputError(
            f"{problem.name}: the tree has more than {MAX_NODES:,} nodes within {depth}; choose fewer with {advice}"
        )


def record_search(name: str, problem: Target) -> Recording:
    """The recording of one search. InputError names the tree, and what is wrong with it."""
    bounds = problem.options.bounds
    title = name
    if name in STARS and isinstance(bounds, ConstantBounds):
        title = f"{name} with bounds [{format_number(bounds.low)}, {format_number(bounds.high)}]"
    try:
        return record(name, problem.node, problem.plies, problem.options, title)
    except InputError:
        raise
    except ValueError as error:
        raise problem.error(error) from None
