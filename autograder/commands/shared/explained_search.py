"""The page of `explain`: what is searched, the searches, also a student's, and the questions about the first one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

import typer

from autograder.cases import loading
from autograder.cases.case import Assignment, Case, Question, SearchInput
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
from autograder.pages.search import Difference, Recording, bounds_of_tree, compared_run, drawn_nodes, record
from autograder.platforms import default_assignment, load_assignment, submission_api
from autograder.sandbox import Sandbox, check_sandbox, submission_files
from autograder.sandbox.watch import watch_search
from pacman.commands.options import PositionOptions, SearchOptions
from pacman.commands.target import STDIN, Target, find_target, is_layout, is_tree
from pacman.core.errors import InputError, counted
from pacman.core.layout import names
from pacman.core.numbers import format_number
from pacman.core.state import GameState
from pacman.core.tree_text import Outline
from pacman.search.algorithms import DEEPENING, STARS
from pacman.search.bounds import ConstantBounds, natural
from pacman.search.ordering import GIVEN

DEFAULT_ALGORITHM = "alphabeta"


def explained(
    text: str,
    algorithms: Sequence[str],
    search: SearchOptions,
    position: PositionOptions,
    agent: str | None,
    predict: bool,
    assignment: str | None,
    api: str | None,
    out: Path,
) -> None:
    """Writes the page about what `text` names, and prints the steps of each search and the first difference."""
    name = assignment or default_assignment(api)
    file, case, question, cut, form = Path(), None, None, "equal", "native"
    if agent is not None:
        file, class_name = file_and_class(agent)
        loaded, chosen = load_assignment(name, api)
        question, case = _asked(text, loaded, file, class_name, search.plies)
        form = chosen.name
        cut = "strict" if search.strict else case.input.cut if case and isinstance(case.input, SearchInput) else cut
        algorithms = algorithms or ["alphabeta" if question.reference == "alphabeta" else "exhaustive"]
    target = _target(text, name, replace(search, strict=cut == "strict" or search.strict), position, case)
    _check_size(target)
    recordings = [_record(each, target) for each in algorithms or [DEFAULT_ALGORITHM]]
    exercises = [_questions(recordings[0], target)] if predict else []
    difference = None
    if question is not None:
        own, difference = _own_search(file, name, form, question, cut, target, recordings[0])
        recordings.insert(0, own)
    title = f"{' and '.join(dict.fromkeys(each.algorithm for each in recordings))}: {target.name}"
    asked = predict_data(exercises) if exercises else None
    save_report(out, explorer_page(title, recordings, difference, exercises, asked))
    typer.echo(f"{out}: {', '.join(f'{each.algorithm} ({len(each.events)} steps)' for each in recordings)}")
    if difference is not None:
        typer.echo(f"{difference.label}: {difference.sentence}")


def _asked(
    text: str, assignment: Assignment, file: Path, class_name: str, plies: int | None
) -> tuple[Question, Case | None]:
    """The question that grades the search in a student's file, and the case that `text` names; no case for a layout.

    Without a class it is that of the case's question, or the only search in the file that is written.
    """
    check_python(file)
    written = [question.part for question in searches_in(file, assignment)]
    if is_layout(text):
        if not class_name:
            parts = written or ["MinimaxAgent"]
            known = f"; it has {', '.join(parts)}" if parts[1:] else ""
            example = f"{file}:{parts[0]}"
            raise InputError(f"--agent {file}: name the class that searches the layout, as in {example}{known}")
        question, case = question_of(assignment, class_name), None
    else:
        case = _searchable(choose_case(text, assignment, class_name, plies, file))
        if not class_name and written and case.question.part not in written:
            if len(written) > 1:
                problem = f"{case.question.part} is not written in it, but {' and '.join(written)}; name one of them"
                raise InputError(f"--agent {file}: {problem}, as in {file}:{written[0]}")
            case = choose_case(text, assignment, written[0], plies, file)
        question = case.question
    if question.role != "search":
        raise InputError(f"--agent: {question.part} is no search, so there is nothing to step through")
    return question, case


def _searchable(case: Case) -> Case:
    """The case, if it has a search to show; otherwise InputError."""
    if not case.has_truth:
        raise InputError(f"{case.id} has no search to show; choose a case with a tree or a position")
    return case


def _target(text: str, assignment: str, search: SearchOptions, position: PositionOptions, case: Case | None) -> Target:
    """The tree, the first search of the case, or the first position of the layout, with bounds.

    These are the user's, the natural ones of a position, or the range of a tree's numbers.
    """

    def case_of(text: str) -> Target | None:
        if case is None and is_tree(text):
            return None
        try:
            found = case or choose_case(
                text, loading.load(assignment, cases_of=question_in(text)), "", search.plies, Path()
            )
        except InputError:
            if "/" in text or Path(text).exists():
                raise
            known = get_close_matches(text, names(), n=1)
            hint = f"did you mean {known[0]}?" if known else "a case is named as in q2/01-figure"
            raise InputError(f"no file with a tree, no case and no layout '{text}'; {hint}") from None
        root, plies = next(searched_roots(_searchable(found), derive(found)))
        return Target(text if case else found.id, root, plies, search.options)

    target = find_target(text, search, position, case_of)
    name = "standard input" if target.name == STDIN else "a tree" if "{" in target.name else target.name
    bounds = bounds_of_tree(target.node) if isinstance(target.node, Outline) else natural
    return replace(target, name=name, options=replace(target.options, bounds=target.options.bounds or bounds))


def _own_search(
    file: Path, assignment: str, api: str, question: Question, cut: str, target: Target, right: Recording
) -> tuple[Recording, Difference]:
    """The recording of the search in a student's file, and its first difference from the right one."""
    files, loaded, root = submission_files.read(file, ()), loading.load(assignment), target.node
    rounds = max(1, target.plies // len(root.layers)) if isinstance(root, GameState) else 1
    actions = frozenset(node.action for node in right.nodes)
    with Sandbox(files, loaded.limits, check_sandbox(), api) as sandbox:
        sandbox.main_file = find_candidate(file, sandbox, loaded, submission_api(api))
        run = watch_search(sandbox, question, root, target.plies, rounds, len(right.nodes), actions)
    return compared_run(run, question, cut, root, target.plies, right.nodes, files.lines(sandbox.main_file))


def _check_size(target: Target) -> None:
    """InputError if the page cannot hold the tree."""
    if sum(1 for _ in islice(drawn_nodes(target.node, target.plies), MAX_NODES + 1)) > MAX_NODES:
        depth = counted(target.plies, "ply")
        advice = "--plies" if isinstance(target.node, Outline) else "--plies or --rounds"
        raise InputError(
            f"{target.name}: the tree has more than {MAX_NODES:,} nodes within {depth}; choose fewer with {advice}"
        )


def _record(name: str, target: Target) -> Recording:
    """The recording of one search. InputError names the tree, and what is wrong with it."""
    bounds, title = target.options.bounds, name
    if name in STARS and isinstance(bounds, ConstantBounds):
        title = f"{name} with bounds [{format_number(bounds.low)}, {format_number(bounds.high)}]"
    try:
        return record(name, target.node, target.plies, target.options, title)
    except InputError:
        raise
    except ValueError as error:
        raise target.error(error) from None


def _questions(recording: Recording, target: Target) -> Exercise:
    """The questions about a search. InputError if the page cannot ask about it."""
    root, options = target.node, target.options
    is_plain = options.order == GIVEN and not options.strict and recording.algorithm != DEEPENING
    if not (isinstance(root, Outline) and target.plies >= root.height() and is_plain):
        raise InputError("--predict asks about a whole tree, without --plies, --order, --strict and deepening")
    if recording.algorithm in STARS:
        raise InputError(f"--predict does not ask about {recording.algorithm}; choose exhaustive or alphabeta")
    asked = exercise(recording.title, root, recording)
    if asked is None:
        raise InputError(f"--predict: there is nothing to ask about {recording.algorithm} on {target.name}")
    return asked
