"""Pages to learn from: `explain` steps through searches of a tree or a position; `practice` asks what comes next."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agents.advice import CS188, NATIVE, other_style
from autograder.cases.case import Assignment, Question, SearchInput
from autograder.commands.options import GradedAssignmentOption, ImpliedApiOption
from pacman.commands.app import arg, opt
from pacman.commands.options import PositionOptions, SearchOptions, check_algorithm
from pacman.commands.output import check_report_file
from pacman.commands.target import Target
from pacman.core.errors import InputError, counted
from pacman.core.files import write_file
from pacman.core.numbers import format_number
from pacman.core.state import GameState
from pacman.core.tree_text import Outline
from pacman.search.algorithms import ALGORITHMS, AUTO, DEEPENING, STARS
from pacman.search.bounds import ConstantBounds, natural
from pacman.search.ordering import GIVEN

if TYPE_CHECKING:
    from autograder.grading.submission_api import SubmissionApi
    from autograder.pages.practice import Exercise
    from autograder.pages.search import Difference, Recording

DEFAULT_ALGORITHM = "alphabeta"


def explain(
    target: Annotated[
        str,
        arg(
            "A text file with a tree, - for a tree on the standard input, a tree in one line "
            "('max { a: 3; b: 5 }'), a case of the assignment (q2/01-figure), the YAML file of a case, or a layout.",
            "TREE|CASE|LAYOUT",
        ),
    ],
    out: Annotated[Path, opt("Write the page to this file.", "FILE.html", "--out")],
    algorithm: Annotated[
        list[str] | None,
        opt(
            f"Search to show: {', '.join(ALGORITHMS)}, {DEEPENING}, or {AUTO} (chooses for you). Give it again to "
            f"show several searches side by side. Default: {DEFAULT_ALGORITHM}.",
            "NAME",
        ),
    ] = None,
    search: SearchOptions = SearchOptions(),
    position: PositionOptions = PositionOptions(),
    agent: Annotated[
        str | None,
        opt(
            "Show the search in this file, given as FILE or FILE:CLASS, beside the right one, with the first "
            "difference. It runs in the sandbox. CLASS is necessary for a layout.",
            "AGENT",
        ),
    ] = None,
    predict: Annotated[
        bool, opt("Ask on the page what the first search does next; for a whole tree.", None, "--predict")
    ] = False,
    assignment: GradedAssignmentOption = None,
    api: ImpliedApiOption = None,
) -> None:
    """Write a page that steps through a search: windows, values, cuts and probes, with the arithmetic of each node.

    The page is one file. It works without a network, by mouse and by keyboard.

    \b
    Examples:
      python -m autograder explain 'max { a: 3; b: min { x: 2; y: 8 } }' --out tree.html
      python -m autograder explain tree.txt --algorithm star1 --algorithm star2 --out tree.html
      python -m autograder explain q2/01-figure --out case.html
      python -m autograder explain q2/01-figure --agent my.py --out mine.html
      python -m autograder explain nook --ghosts random --rounds 1 --algorithm star1 --out nook.html
    """
    check_report_file(out)
    for name in algorithm or ():
        check_algorithm(name, DEEPENING)

    from autograder.commands.target import file_and_class, searched_part, searched_target
    from autograder.pages.explorer import explorer_page
    from autograder.pages.practice import predict_data
    from autograder.platforms import default_assignment, load_assignment

    place, case, own, difference = assignment or default_assignment(api), None, None, None
    if agent is not None:
        content, chosen_api = load_assignment(place, api)
        question, case = searched_part(target, content, *file_and_class(agent), search.plies)
        cut = case.input.cut if case and isinstance(case.input, SearchInput) else "equal"
        search = replace(search, strict=search.strict or cut == "strict")
        algorithm = algorithm or [question.reference or DEFAULT_ALGORITHM]
    item = _checked(searched_target(target, place, search, position, case))
    recordings = [_record(each, item) for each in algorithm or [DEFAULT_ALGORITHM]]
    if agent is not None:
        own, difference = _compared(agent, content, chosen_api, question, item)
    exercises = [_questions(recordings[0], item)] if predict else []
    recordings = [own, *recordings] if own else recordings
    title = f"{' and '.join(dict.fromkeys(each.algorithm for each in recordings))}: {item.name}"
    exercise_data = predict_data(exercises) if exercises else None
    write_file(out, explorer_page(title, recordings, difference, exercises, exercise_data).encode("utf-8"))
    typer.echo(f"{out}: {', '.join(f'{each.algorithm} ({len(each.events)} steps)' for each in recordings)}")
    if difference is not None:
        typer.echo(f"{difference.label}: {difference.sentence}")


def _compared(
    agent: str, assignment: Assignment, api: SubmissionApi, question: Question, target: Target
) -> tuple[Recording, Difference]:
    """The search in a student's file, and its first difference from the right one."""
    from agents.cs188.agent import is_berkeley_style
    from autograder.commands.target import file_and_class
    from autograder.grading.submission import find_candidate
    from autograder.pages.search import compared_search
    from autograder.sandbox import Sandbox, check_sandbox, submission_files

    file, root = file_and_class(agent)[0], target.node
    if api.name == NATIVE and is_berkeley_style(file.read_bytes()):
        raise InputError(f"--agent {agent}: {other_style(CS188)}")
    cut = "strict" if target.options.strict else "equal"
    rounds = max(1, target.plies // len(root.layers)) if isinstance(root, GameState) else 1
    with Sandbox(
        submission_files.read(file, ()), assignment.limits, check_sandbox(), api.named_for(assignment)
    ) as sandbox:
        sandbox.main_file = find_candidate(file, sandbox, assignment, api)
        try:
            return compared_search(sandbox, question, cut, root, target.plies, rounds)
        except InputError as error:
            raise InputError(f"--agent {agent}: {error}") from None


def _checked(target: Target) -> Target:
    """The target with bounds: the user's, the natural ones of a position, or the range of a tree's numbers.

    InputError if the page cannot hold the tree.
    """
    from autograder.pages.explorer import MAX_NODES
    from autograder.pages.search import bounds_of_tree, drawn_nodes

    is_tree = isinstance(target.node, Outline)
    if sum(1 for _ in islice(drawn_nodes(target.node, target.plies), MAX_NODES + 1)) > MAX_NODES:
        advice = "--plies" if is_tree else "--plies or --rounds"
        size = f"the tree has more than {MAX_NODES:,} nodes within {counted(target.plies, 'ply')}"
        raise InputError(f"{target.name}: {size}; choose fewer with {advice}")
    bounds = target.options.bounds or (bounds_of_tree(target.node) if isinstance(target.node, Outline) else natural)
    return replace(target, options=replace(target.options, bounds=bounds))


def _record(name: str, target: Target) -> Recording:
    """The recording of one search. InputError names the tree, and what is wrong with it."""
    from autograder.pages.search import record

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
    from autograder.pages.practice import exercise

    root, options = target.node, target.options
    is_plain = options.order == GIVEN and not options.strict and recording.algorithm != DEEPENING
    if not (isinstance(root, Outline) and target.plies >= root.height() and is_plain):
        raise InputError("--predict asks about a whole tree, without --plies, --order, --strict and deepening")
    if recording.algorithm in STARS:
        raise InputError(f"--predict does not ask about {recording.algorithm}; choose exhaustive or alphabeta")
    new = exercise(recording.title, root, recording)
    if new is None:
        raise InputError(f"--predict: there is nothing to ask about {recording.algorithm} on {target.name}")
    return new


def practice(
    out: Annotated[Path, opt("Write the page to this file.", "FILE.html", "--out", "-o")] = Path("practice.html"),
) -> None:
    """Write a page on which students predict what a search does next. It needs no network and gives no marks.

    The page has fifteen trees, from minimax to alpha-beta. It asks for values, windows, cuts and actions. For a
    wrong answer, it says which mistake the answer fits. All answers are in the page.

    \b
    Examples:
      python -m autograder practice
      python -m autograder practice --out predict.html
    """
    check_report_file(out)

    from autograder.pages.practice import practice_page

    write_file(out, practice_page().encode("utf-8"))
    typer.echo(f"{out}: written")
