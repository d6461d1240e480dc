"""`python -m autograder explain`: writes a page that steps through searches of a tree, of a case or of a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from autograder.cases import loading, right_answer
from autograder.cases.reference import searched_roots
from autograder.commands.case_choice import STDIN, ApiOption, AssignmentOption, choose_case, named_tree
from autograder.commands.explained_agent import ExplainedAgent
from autograder.commands.report_file import check_report_file, save_report
from autograder.grading.submission_api import NATIVE
from autograder.judge.points_as_text import counted
from autograder.pages.explorer.events import Recording, drawn_nodes
from autograder.pages.explorer.page_of_search import MAX_NODES, Difference, Questions, page_of_search
from autograder.pages.explorer.record import DEEPENING, record
from autograder.pages.predict.practice import SCRIPT, STYLE, exercise, predict_data
from autograder.platforms import submission_api
from pacman.commands.options import GHOST_NAMES
from pacman.commands.solve import (
    ROUNDS,
    Limits,
    Problem,
    check_names_and_counts,
    position_problem,
    read_bounds,
    search_error,
)
from pacman.core.errors import InputError
from pacman.core.layout import names
from pacman.core.natural_bounds import natural
from pacman.core.outline import Outline
from pacman.core.tree import Node
from pacman.search.algorithms import ALGORITHMS, AUTO, STARS, Options
from pacman.search.bounds import ConstantBounds, constant_bounds
from pacman.search.ordering import GIVEN, ORDERS
from pacman.view.analysis.number_text import format_number

DEFAULT_ALGORITHM = "alphabeta"


Target = Annotated[
    str,
    typer.Argument(
        metavar="TREE|CASE|LAYOUT",
        help="A text file with a tree, - for a tree on the standard input, a tree in one line "
        "('max { a: 3; b: 5 }'), a case of the assignment (q2/01-figure), the YAML file of a case, or a layout.",
    ),
]
OutOption = Annotated[Path, typer.Option("--out", metavar="FILE.html", help="Write the page to this file.")]
AlgorithmOption = Annotated[
    list[str] | None,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        help=f"Search to show: {', '.join(ALGORITHMS)}, {DEEPENING}, or {AUTO} (chooses for you). Give it again to "
        f"show several searches side by side. Default: {DEFAULT_ALGORITHM}.",
    ),
]
PliesOption = Annotated[
    int | None, typer.Option("--plies", metavar="N", help="Search N plies deep. Default: the whole tree.")
]
BoundsOption = Annotated[
    Limits | None,
    typer.Option(
        "--bounds",
        metavar="L U",
        help="Lowest and highest possible value for the star searches, for example -10 10. Default: the smallest "
        "and the largest number in the tree.",
    ),
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Cut only if alpha > beta, not if they are equal (alphabeta).")
]
OrderOption = Annotated[
    str, typer.Option("--order", metavar="NAME", help=f"Order of the actions: {', '.join(ORDERS)}.")
]
GhostsOption = Annotated[
    str,
    typer.Option(
        "--ghosts", "-g", metavar="KIND,KIND,...", help=f"With a layout: one kind per ghost. Kinds: {GHOST_NAMES}."
    ),
]
RoundsOption = Annotated[
    int | None, typer.Option("--rounds", metavar="N", help=f"With a layout: depth in rounds. Default: {ROUNDS}.")
]
AgentOption = Annotated[
    str | None,
    typer.Option(
        metavar="AGENT",
        help="Show the search in this file, given as FILE or FILE:CLASS, beside the right one, with the first "
        "difference. It runs in the sandbox. CLASS is necessary for a layout.",
    ),
]
PredictOption = Annotated[
    bool, typer.Option("--predict", help="Ask on the page what the first search does next; for a whole tree.")
]


def explain(
    target: Target,
    out: OutOption,
    algorithm: AlgorithmOption = None,
    plies: PliesOption = None,
    bounds: BoundsOption = None,
    strict: StrictOption = False,
    order: OrderOption = GIVEN,
    ghosts: GhostsOption = "",
    rounds: RoundsOption = None,
    agent: AgentOption = None,
    predict: PredictOption = False,
    assignment: AssignmentOption = None,
    api: ApiOption = NATIVE.name,
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
    for name in algorithm or [DEFAULT_ALGORITHM]:
        check_names_and_counts(AUTO if name == DEEPENING else name, order, plies=plies, rounds=rounds)
    options = Options(bounds=None if bounds is None else read_bounds(*bounds), order=order, strict=strict)
    student = None if agent is None else ExplainedAgent.choose(agent, api, assignment, target, plies)
    problem = _problem(target, assignment or submission_api(api).assignment, plies, ghosts, rounds, options, student)
    check_size(problem)
    searches = algorithm or [student.algorithm if student else DEFAULT_ALGORITHM]
    recordings = [_record(name, problem) for name in searches]
    questions = _questions(recordings[0], problem) if predict else None
    difference = None
    if student is not None:
        recording, difference = student.record(problem.node, problem.plies, recordings[0].nodes)
        recordings.insert(0, recording)
    _save(out, problem, recordings, difference, questions)


def _save(
    out: Path,
    problem: Problem,
    recordings: Sequence[Recording],
    difference: Difference | None,
    questions: Questions | None,
) -> None:
    """Writes the page, and prints the steps of each search."""
    title = f"{' and '.join(dict.fromkeys(each.algorithm for each in recordings))}: {problem.name}"
    save_report(out, page_of_search(title, recordings, difference, questions))
    typer.echo(f"{out}: {', '.join(f'{each.algorithm} ({len(each.events)} steps)' for each in recordings)}")


def _problem(
    target: str,
    assignment: str,
    plies: int | None,
    ghosts: str,
    rounds: int | None,
    options: Options,
    student: ExplainedAgent | None,
) -> Problem:
    """The tree, the first search of the case, or the first position of the layout."""
    if target in names():
        return position_problem(target, ghosts, plies, ROUNDS if rounds is None else rounds, options)
    if ghosts or rounds is not None:
        raise InputError(f"--ghosts and --rounds are for a layout, and {target} is none")
    if student is not None and student.root is not None:
        options = replace(options, strict=options.strict or student.cut == "strict")
        return Problem(_name(target), student.root, student.plies, _with_bounds(options, student.root))
    if named := named_tree(target):
        tree, _ = named
        depth = tree.height() if plies is None else plies
        return Problem(_name(target), tree, depth, _with_bounds(options, tree))
    try:
        case = choose_case(target, loading.load(assignment), "", plies, Path())
    except InputError:
        if "/" in target or Path(target).exists():
            raise
        known = get_close_matches(target, names(), n=1)
        hint = f"did you mean {known[0]}?" if known else "a case is named as in q2/01-figure"
        raise InputError(f"no file with a tree, no case and no layout '{target}'; {hint}") from None
    if not case.has_reference:
        raise InputError(f"{case.id} has no search to show; choose a case with a tree or a position")
    root, depth = next(searched_roots(case, right_answer.derive(case)))
    return Problem(case.id, root, depth, _with_bounds(options, root))


def _name(target: str) -> str:
    """What the page calls the tree."""
    return "standard input" if target == STDIN else "a tree" if "{" in target else target


def _with_bounds(options: Options, root: Node) -> Options:
    """The options with bounds: those of the user, the natural ones of a position, or the range of a tree's numbers."""
    if options.bounds is not None or not isinstance(root, Outline):
        return replace(options, bounds=options.bounds or natural)
    numbers = list(_numbers(root))
    return replace(options, bounds=constant_bounds(min(numbers), max(numbers)))


def _numbers(tree: Outline) -> Iterator[float]:
    """Every utility and evaluation in a tree."""
    yield from (number for number in (tree.utility, tree.evaluation) if number is not None)
    for _, branch in tree.branches:
        yield from _numbers(branch)


def _questions(recording: Recording, problem: Problem) -> Questions:
    """The questions about a search. InputError if the page cannot ask about it."""
    root, options = problem.node, problem.options
    is_plain = options.order == GIVEN and not options.strict and recording.algorithm != DEEPENING
    if not (isinstance(root, Outline) and problem.plies >= root.height() and is_plain):
        raise InputError("--predict asks about a whole tree, without --plies, --order, --strict and deepening")
    bounds = options.bounds if recording.algorithm in STARS else None
    limits = (bounds.low, bounds.high) if isinstance(bounds, ConstantBounds) else None
    asked = exercise(recording.title, root, recording, limits)
    if asked is None:
        raise InputError(f"--predict: there is nothing to ask about {recording.algorithm} on {problem.name}")
    return Questions([asked], predict_data([asked]), SCRIPT, STYLE)


def check_size(problem: Problem) -> None:
    """InputError if the page cannot hold the tree."""
    if sum(1 for _ in islice(drawn_nodes(problem.node, problem.plies), MAX_NODES + 1)) > MAX_NODES:
        depth = counted(problem.plies, "ply")
        advice = "--plies" if isinstance(problem.node, Outline) else "--plies or --rounds"
        raise InputError(
            f"{problem.name}: the tree has more than {MAX_NODES:,} nodes within {depth}; choose fewer with {advice}"
        )


def _record(name: str, problem: Problem) -> Recording:
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
        raise search_error(problem.name, error) from None
