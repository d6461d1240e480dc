"""`python -m autograder case`: runs one case in the student's own process, and draws it."""

from __future__ import annotations

import sys
from bdb import BdbQuit
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from autograder.cases.case import Case, MatchInput, PositionInput
from autograder.cases.truth import WITHOUT, CaseTruth, searched_roots
from autograder.commands.options import GradedAssignmentOption, ImpliedApiOption
from autograder.judge.points_as_text import value_text
from autograder.judge.submission_answer import Answer
from pacman.commands.app import arg, as_started, opt, print_error
from pacman.commands.output import warn_no_sandbox
from pacman.commands.target import is_tree
from pacman.core.errors import InputError, counted
from pacman.record.report import report_from_trace
from pacman.search.algorithms import Options, run_search

if TYPE_CHECKING:
    from autograder.grading.commands import SubmissionOptions
    from autograder.grading.grade_case import GradedCase
    from autograder.sandbox.in_process import InProcess

PASSED, NOT_PASSED, INTERRUPTED = 0, 1, 130
MOST_SHOWN = 20_000
"""The most nodes of a tree in the window."""


def case(
    case_id: Annotated[
        str,
        arg(
            "A case of the assignment (q2/03-horizon), the YAML file of a case, a text file with a tree, - for a "
            "tree on the standard input, or a tree in one line ('max { a: 3; b: 5 }').",
            "ID",
        ),
    ],
    agent: Annotated[
        str | None,
        opt(
            "Run this file, given as FILE or FILE:CLASS. CLASS is necessary only for a tree, if several searches "
            "in FILE are for its layers.",
            "AGENT",
        ),
    ] = None,
    plies: Annotated[int | None, opt("Search a tree N plies deep. Default: the whole tree.", "N")] = None,
    assignment: GradedAssignmentOption = None,
    api: ImpliedApiOption = None,
    view: Annotated[
        Literal["text", "window"],
        opt("Only print the result (text), or also show the search step by step.", None, "--view", "-v"),
    ] = "text",
    show: Annotated[
        bool, opt("Run no file: show the right answer of the case, with values and nodes.", None, "--show")
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
    from autograder.grading.commands import SubmissionOptions
    from autograder.platforms import load_assignment

    content, chosen_api = load_assignment(assignment, api, question_in(case_id))
    file, class_name = Path(), ""
    if show and agent is not None:
        raise InputError("--show runs no file; leave out --agent")
    if show and is_tree(case_id):
        advice = as_started("python -m pacman solve TREE --trace")
        raise InputError(f"--show is for a case; for a tree, use: {advice}")
    if not show and agent is None:
        raise InputError("expected --agent FILE, the file to run, or --show for the right answer of the case")
    if agent is not None:
        file, class_name = file_and_class(agent)
        check_python(file, class_name=class_name)
    choice = choose_case(case_id, content, class_name, plies, file)
    truth = derive(choice) if choice.has_truth else None
    if view == "window":
        _check_window(choice)
    if show:
        _show(choice, truth, view)
        return
    warn_no_sandbox([f"{file}:"])
    name = "" if chosen_api.name == "native" else chosen_api.name
    place = "" if assignment in (None, chosen_api.assignment) else str(assignment)
    raise typer.Exit(_run(choice, truth, SubmissionOptions(str(file), name, place), content.names, view))


# ---- the right answer


def _show(case: Case, truth: CaseTruth | None, view: str) -> None:
    """Prints the right answer of a case, or also shows its search in a window."""
    from pacman.view.window import show_tree

    typer.echo("\n".join(_right_answer(case, truth)))
    if view == "window" and truth is not None:
        root, plies = next(searched_roots(case, truth))
        strict = truth.moves[0].touched[0].cut.startswith("strict")
        result = run_search(case.question.reference or "exhaustive", root, plies, Options(strict=strict))
        title = f"{case.id}: the right search, {counted(plies, 'ply')}"
        show_tree(report_from_trace(root, plies, result.trace, title, result.line))


def _right_answer(case: Case, truth: CaseTruth | None) -> Iterator[str]:
    """The value, the actions and the nodes of each search of a case, with a drawing; for a choice the right actions.

    InputError for a match: nobody knows its right answer.
    """
    from autograder.judge.explain import draw_search
    from autograder.report.drawing import drawing_lines

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
        yield f"right: value {value_text(move.value)}, action {' or '.join(move.best) or 'None'}"
        for nodes in move.touched:
            cut, without, action = nodes.cut.partition(WITHOUT)
            rule = {"equal": ", cuts at alpha >= beta", "strict": ", cuts at alpha > beta"}.get(cut, "")
            counts = f"{nodes.touched:,} touched, {nodes.expanded:,} expanded, {nodes.generated:,} generated"
            yield f"nodes{rule}{without}{action}: {counts}"
        yield from (f"  {line}".rstrip() for line in drawing_lines(draw_search(case, truth, index).diagram))


# ---- a student's search


def _run(case: Case, truth: CaseTruth | None, options: SubmissionOptions, names: Mapping[str, str], view: str) -> int:
    """Runs the case, prints what came out, and opens the window if the user wants it. Returns the exit status."""
    from autograder.grading.debugger import DebuggerQuit, student_debugger
    from autograder.grading.grade_case import grade_case
    from autograder.platforms import submission_api
    from autograder.sandbox import run_case
    from autograder.sandbox.in_process import InProcess, error_text
    from autograder.student_process.request_handler import with_names

    file, api = Path(options.file), submission_api(options.api or "native")
    errors: list[BaseException] = []

    def note(error: BaseException) -> None:
        """Keeps an error of the student's code. Ctrl-C, and the end of the debugger, end the command."""
        if isinstance(error, KeyboardInterrupt):
            raise error
        if isinstance(error, BdbQuit):
            raise DebuggerQuit from None
        errors.append(error)

    runner = InProcess.of_file(file, with_names(api.name, names), note)
    with student_debugger(file):
        try:
            result = grade_case(case, truth, lambda case, truth: run_case.run(case, truth, runner), api)
            sys.stdout.flush()
            if errors and (text := error_text(errors[-1], runner.folder / runner.main_file)):
                typer.echo(text, err=True, nl=False)
            _print_graded(result, truth, options)
            if view == "window" and truth is not None:
                _open_window(result, truth, runner)
        except KeyboardInterrupt as stop:
            sys.stdout.flush()
            quit_text = "you left the debugger, so the case has no result"
            typer.echo(quit_text if isinstance(stop, DebuggerQuit) else error_text(stop, file) or "stopped", err=True)
            return INTERRUPTED
    return PASSED if result.score.earned == 1 else NOT_PASSED


def _print_graded(result: GradedCase, truth: CaseTruth | None, options: SubmissionOptions) -> None:
    """Prints the case as a report does, and what a report does not show.

    That is a drawing of a case that was passed, and of a match all games, and how to see one.
    """
    from rich.console import Console

    from autograder.report import terminal
    from autograder.report.blocks import Kind, case_blocks

    report = [*case_blocks(result.score.with_commands(as_started))]
    terminal.write(report, Console(highlight=False))
    if result.answer is not None:
        is_drawn = any(block.kind is Kind.PICTURE for block in report)
        for line in _further_lines(result.case, truth, result.answer, is_drawn, options):
            typer.echo(line)


def _further_lines(
    case: Case, truth: CaseTruth | None, answer: Answer, is_drawn: bool, options: SubmissionOptions
) -> Iterator[str]:
    from autograder.grading.commands import game_command
    from autograder.judge.explain import describe_games, draw_search, worst_first
    from autograder.report.drawing import drawing_lines

    if isinstance(case.input, MatchInput) and answer.results:
        if not is_drawn:
            games = describe_games(case, answer)
            yield from (games.sentence, *drawing_lines(games.diagram))
        number, result = worst_first(answer.results)[0]
        if command := game_command(case, result, number, options):
            yield f"To see game {number}: {as_started(command)}"
    elif not is_drawn and answer.action is not None:
        yield from (f"  {line}" for line in str(case.start).splitlines()[:-1])
        yield f"your action: {answer.action}"
    elif not is_drawn and truth is not None:
        for index in range(len(answer.claims)):
            drawing = draw_search(case, truth, index, answer)
            yield from filter(None, [drawing.sentence])
            yield from (f"  {line}" for line in drawing_lines(drawing.diagram))


# ---- the window


def _check_window(case: Case) -> None:
    """InputError if the window cannot show this case, or if there is no display."""
    from pacman.view.screen import open_display

    if case.input.kind == "match":
        problem = "a match has no tree to show; without --view, the command says how to see one of its games"
        raise InputError(f"--view window: {case.id}: {problem}")
    if not case.has_truth:
        raise InputError(f"--view window: {case.id} has no search to show")
    open_display()


def _open_window(result: GradedCase, truth: CaseTruth, runner: InProcess) -> None:
    """Shows the tree of the first search that was missed, or of the first one.

    The search runs again, silently, with a new agent.
    """
    from autograder.judge.compare import judge
    from autograder.pages.search import choice_of, drawn_nodes, watched_trace
    from autograder.sandbox.watch import watch_search
    from pacman.view.window import show_tree

    case, answer, run = result.case, result.answer, None
    if answer is not None and not answer.fault:
        misses = judge(case, truth, answer).missed_searches
        root, plies = list(searched_roots(case, truth))[misses[0] if misses else 0]
        nodes = list(islice(drawn_nodes(root, plies), MOST_SHOWN))
        actions = [node.action for node in nodes]
        runner.echo = sys.breakpointhook = lambda *args, **named: None  # restored when the debugger ends
        run = watch_search(runner, case.question, root, plies, 1, actions)
    if run is None or run.claim is None or run.claim.trace is None:
        print_error("autograder", "no tree to show, because the search did not end")
        return
    title = f"{case.question.part}, {counted(plies, 'ply')}"
    report = report_from_trace(root, plies, watched_trace(run, root, plies)[0], title, choice=choice_of(run))
    show_tree(report, report_from_trace(root, plies, run_search("exhaustive", root, plies).trace))
