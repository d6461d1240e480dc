"""`python -m autograder case`: runs one case in the student's own process, and draws it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.commands.options import GradedAssignmentOption, ImpliedApiOption
from pacman.commands.app import as_started, print_error
from pacman.commands.output import warn_no_sandbox
from pacman.core.errors import InputError

if TYPE_CHECKING:
    from autograder.cases.case import Assignment, Case
    from autograder.cases.truth import CaseTruth, RightMove
    from autograder.grading.commands import SubmissionOptions
    from autograder.grading.grade_case import GradedCase
    from autograder.grading.submission_api import SubmissionApi
    from autograder.judge.submission_answer import Answer
    from autograder.sandbox.in_process import InProcess

PASSED, NOT_PASSED, INTERRUPTED = 0, 1, 130
MOST_SHOWN = 20_000
"""The most nodes of a tree in the window."""


class CaseView(StrEnum):
    """How to show the search."""

    text = "text"
    window = "window"


def case(
    case_id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="A case of the assignment (q2/03-horizon), the YAML file of a case, a text file with a tree, - for a "
            "tree on the standard input, or a tree in one line ('max { a: 3; b: 5 }').",
        ),
    ],
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="Run this file, given as FILE or FILE:CLASS. CLASS is necessary only for a tree, if several searches "
            "in FILE are for its layers.",
        ),
    ] = None,
    plies: Annotated[
        int | None, typer.Option(metavar="N", help="Search a tree N plies deep. Default: the whole tree.")
    ] = None,
    assignment: GradedAssignmentOption = None,
    api: ImpliedApiOption = None,
    view: Annotated[
        CaseView,
        typer.Option("--view", "-v", help="Only print the result (text), or also show the search step by step."),
    ] = CaseView.text,
    show: Annotated[
        bool, typer.Option("--show", help="Run no file: show the right answer of the case, with values and nodes.")
    ] = False,
) -> None:
    """Run one case in your own process and draw it: prints appear at once, breakpoint() works, errors have a traceback.

    There is no time limit; Ctrl-C shows where your code is.

    Exit status: 0 passed, 1 not passed, 2 bad input.

    \b
    Examples:
      python -m autograder case q2/01-figure --agent my.py
      python -m autograder case 'max { a: 3; b: min { x: 2; y: 8 } }' --agent my.py:MinimaxAgent
      python -m autograder case tree.txt --plies 2 --agent my.py:ExpectiminimaxAgent
      python -m autograder case q2/01-won-ends --agent multiAgents.py --api cs188
      python -m autograder case q3/01-figure --show
    """
    from autograder.cases.right_answer import derive
    from autograder.commands.target import check_python, choose_case, file_and_class, question_in
    from autograder.grading.debugger import DebuggerQuit, student_debugger
    from autograder.platforms import load_assignment
    from autograder.sandbox.in_process import InProcess, error_text
    from autograder.student_process.request_handler import with_names

    loaded, chosen_api = load_assignment(assignment, api, question_in(case_id))
    if show:
        _show(case_id, loaded, agent, plies, view)
        return
    if agent is None:
        raise InputError("expected --agent FILE, the file to run, or --show for the right answer of the case")
    file, class_name = file_and_class(agent)
    check_python(file)
    chosen = choose_case(case_id, loaded, class_name, plies, file)
    truth = derive(chosen) if chosen.has_truth else None
    if view is CaseView.window:
        _check_window(chosen)
    warn_no_sandbox([f"{file}:"])
    errors: list[BaseException] = []
    runner = InProcess.of_file(file, with_names(chosen_api.name, loaded.names), lambda error: _note(error, errors))
    with student_debugger(file):
        try:
            graded = _run(chosen, truth, runner, chosen_api, _options(file, chosen_api, assignment), errors)
            if view is CaseView.window and truth is not None:
                _open_window(graded, truth, runner)
        except KeyboardInterrupt as stop:
            sys.stdout.flush()
            quit_text = "you left the debugger, so the case has no result"
            typer.echo(quit_text if isinstance(stop, DebuggerQuit) else error_text(stop, file) or "stopped", err=True)
            raise typer.Exit(INTERRUPTED) from None
    raise typer.Exit(PASSED if graded.score.earned == 1 else NOT_PASSED)


def _note(error: BaseException, errors: list[BaseException]) -> None:
    """Adds an error of the student's code to `errors`. Ctrl-C, and the end of the debugger, end the command."""
    from bdb import BdbQuit

    from autograder.grading.debugger import DebuggerQuit

    if isinstance(error, KeyboardInterrupt):
        raise error
    if isinstance(error, BdbQuit):
        raise DebuggerQuit from None
    errors.append(error)


def _show(case_id: str, loaded: Assignment, agent: str | None, plies: int | None, view: CaseView) -> None:
    """Prints the right answer of a case, or also shows its search in a window."""
    from rich.console import Console
    from rich.text import Text

    from autograder.cases.right_answer import derive
    from autograder.cases.truth import searched_roots
    from autograder.commands.target import choose_case
    from pacman.commands.target import is_tree
    from pacman.core.errors import counted
    from pacman.record.report import report_from_trace
    from pacman.search.algorithms import Options, run_search
    from pacman.view.window import show_tree

    if agent is not None:
        raise InputError("--show runs no file; leave out --agent")
    if is_tree(case_id):
        raise InputError("--show is for a case; for a tree, use: " + as_started("python -m pacman solve TREE --trace"))
    chosen = choose_case(case_id, loaded, "", plies, Path())
    truth = derive(chosen) if chosen.has_truth else None
    if view is CaseView.window:
        _check_window(chosen)
    console = Console(highlight=False)
    for line in _right_answer(chosen, truth):
        console.print(Text(line), soft_wrap=True)
    if view is CaseView.window and truth is not None:
        root, plies = next(searched_roots(chosen, truth))
        strict = truth.moves[0].touched[0].cut.startswith("strict")
        result = run_search(chosen.question.reference or "exhaustive", root, plies, Options(strict=strict))
        title = f"{chosen.id}: the right search, {counted(plies, 'ply')}"
        show_tree(report_from_trace(root, plies, result.trace, title, result.line))


def _right_answer(case: Case, truth: CaseTruth | None) -> Iterator[str]:
    """The value, the actions and the nodes of each search of a case, with a drawing; for a choice the right actions.

    InputError for a match: nobody knows its right answer.
    """
    from autograder.cases.case import MatchInput, PositionInput
    from autograder.cases.truth import searched_roots
    from autograder.judge.explain import draw_search
    from pacman.core.errors import counted

    if isinstance(case.input, MatchInput):
        raise InputError(f"--show: {case.id} is a match, which has no right answer; see its goals in {case.source}")
    yield f"{case.id}  {case.input.shows}"
    if truth is None:
        assert isinstance(case.input, PositionInput)
        yield f"right: {' or '.join(case.input.accept or ())}"
        yield from (f"  {line}" for line in case.start.board.splitlines())
        return
    for index, ((_, plies), move) in enumerate(zip(searched_roots(case, truth), truth.moves, strict=True)):
        if isinstance(case.input, PositionInput):
            yield f"Pacman's move {index + 1} ({counted(plies, 'ply')} deep)"
        yield from _move_lines(move)
        yield from (f"  {line}".rstrip() for line in draw_search(case, truth, index).picture)


def _move_lines(move: RightMove) -> Iterator[str]:
    from autograder.cases.truth import WITHOUT
    from autograder.judge.points_as_text import value_text

    yield f"right: value {value_text(move.value)}, action {' or '.join(move.best) or 'None'}"
    for nodes in move.touched:
        cut, without, action = nodes.cut.partition(WITHOUT)
        rule = {"equal": ", cuts at alpha >= beta", "strict": ", cuts at alpha > beta"}.get(cut, "")
        counts = f"{nodes.touched:,} touched, {nodes.expanded:,} expanded, {nodes.generated:,} generated"
        yield f"nodes{rule}{without}{action}: {counts}"


def _run(
    chosen: Case,
    truth: CaseTruth | None,
    runner: InProcess,
    api: SubmissionApi,
    options: SubmissionOptions,
    errors: Sequence[BaseException],
) -> GradedCase:
    """Runs the case and prints what came out. `errors` has what the student's code raises meanwhile."""
    from rich.console import Console
    from rich.text import Text

    from autograder.grading.grade_case import grade_case
    from autograder.report import terminal
    from autograder.sandbox import run_case
    from autograder.sandbox.in_process import error_text

    answers: list[Answer] = []

    def run(case: Case, truth: CaseTruth | None) -> Answer:
        answers.append(run_case.run(case, truth, runner))
        return answers[0]

    graded = grade_case(chosen, truth, run, api)
    sys.stdout.flush()
    if errors and (text := error_text(errors[-1], runner.folder / runner.main_file)):
        typer.echo(text, err=True, nl=False)
    console, score = Console(highlight=False), graded.score
    terminal.render_case(score.with_commands(as_started), console)
    for text in _further_lines(chosen, truth, answers[0], score.picture, options) if answers else ():
        console.print(Text(text), soft_wrap=True)
    return graded


def _further_lines(
    chosen: Case, truth: CaseTruth | None, answer: Answer, drawn: Sequence[str], options: SubmissionOptions
) -> Sequence[str]:
    """What a report does not show: a drawing of a case that was passed, all games of a match and how to see one."""
    from autograder.cases.case import MatchInput
    from autograder.grading.commands import game_command
    from autograder.judge.explain import describe_games, draw_search, worst_first

    if isinstance(chosen.input, MatchInput):
        if not answer.results:
            return ()
        games = describe_games(chosen.input, answer)
        number, result = worst_first(answer.results)[0]
        lines = [] if drawn else [games.sentence, *games.picture]
        command = as_started(game_command(chosen, result, number, options))
        return [*lines, f"To see game {number}: {command}"] if command else lines
    if drawn:
        return ()
    if answer.action is not None:
        return [*(f"  {line}" for line in str(chosen.start).splitlines()[:-1]), f"your action: {answer.action}"]
    if truth is None:
        return ()
    lines = []
    for index in range(len(answer.claims)):
        drawing = draw_search(chosen, truth, index, answer)
        lines += [drawing.sentence] if drawing.sentence else []
        lines += [f"  {line}" for line in drawing.picture]
    return lines


def _options(file: Path, api: SubmissionApi, assignment: str | None) -> SubmissionOptions:
    from autograder.grading.commands import SubmissionOptions

    name = "" if api.name == "native" else api.name
    return SubmissionOptions(str(file), name, "" if assignment in (None, api.assignment) else str(assignment))


def _check_window(chosen: Case) -> None:
    """InputError if the window cannot show this case, or if there is no display."""
    from autograder.cases.case import MatchInput
    from pacman.view.screen import demand_display

    if isinstance(chosen.input, MatchInput):
        problem = "a match has no tree to show; without --view, the command says how to see one of its games"
        raise InputError(f"--view window: {chosen.id}: {problem}")
    if not chosen.has_truth:
        raise InputError(f"--view window: {chosen.id} has no search to show")
    demand_display()


def _open_window(graded: GradedCase, truth: CaseTruth, runner: InProcess) -> None:
    """Shows the tree of the first search that was missed, or of the first one.

    The search runs again, silently, with a new agent.
    """
    from autograder.cases.truth import searched_roots
    from autograder.judge.compare import judge
    from autograder.pages.search import drawn_nodes, watched_trace
    from autograder.sandbox.watch import watch_search
    from pacman.core.errors import counted
    from pacman.record.report import report_from_trace
    from pacman.search.algorithms import run_search
    from pacman.view.window import show_tree

    chosen, answer, run = graded.case, graded.answer, None
    if answer is not None and not answer.fault:
        missed = judge(chosen, truth, answer).missed_searches
        root, plies = list(searched_roots(chosen, truth))[missed[0] if missed else 0]
        nodes = list(islice(drawn_nodes(root, plies), MOST_SHOWN))
        actions = frozenset(node.action for node in nodes)
        hook, sys.breakpointhook = sys.breakpointhook, lambda *args, **named: None
        with ExitStack() as stack:
            stack.callback(setattr, sys, "breakpointhook", hook)
            stack.enter_context(redirect_stdout(io.StringIO()))
            stack.enter_context(redirect_stderr(io.StringIO()))
            run = watch_search(runner, chosen.question, root, plies, 1, len(nodes), actions)
    if run is None or run.claim is None or run.claim.trace is None:
        print_error("autograder", "no tree to show, because the search did not end")
        return
    title = f"{chosen.question.part}, {counted(plies, 'ply')}"
    report = report_from_trace(root, plies, watched_trace(run, root, plies)[0], title)
    show_tree(report, report_from_trace(root, plies, run_search("exhaustive", root, plies).trace))
