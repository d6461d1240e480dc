"""`python -m autograder new-case`: writes a case from a position, or a tree that distinguishes two searches."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autograder.cases.case import Assignment, Cut, Question
from autograder.student_process.plain_values import SubmissionError
from autograder.student_process.request_handler import with_names
from pacman.commands.app import as_started, opt
from pacman.commands.output import check_new, warn_no_sandbox, write_new
from pacman.core.errors import InputError, listed, nearest, reason_of
from pacman.core.files import read_text
from pacman.core.rounds import MODELS
from pacman.core.tree_text import Outline

if TYPE_CHECKING:
    from autograder.case_strength.programs import Program

RIGHT = "right"


def new_case(
    question: Annotated[list[str], opt("Write the case for this question, for example q3.", "ID")],
    assignment: Annotated[
        str, opt("Write it for this assignment: a name, or a folder with assignment.yaml.", "NAME")
    ] = "multiagent",
    distinguish: Annotated[
        str | None,
        opt(
            "Find a small tree on which these two searches give different results. Each is a known mistake, for "
            "example no-cut, a FILE.py[:CLASS], or `right` (also if B is left out). A wrong name prints all names.",
            "A,B",
        ),
    ] = None,
    cut: Annotated[
        Cut,
        opt("With --distinguish: the right rule for a cut: alpha >= beta (equal) or alpha > beta (strict).", "WHEN"),
    ] = "equal",
    layout: Annotated[
        str | None, opt("Write a position of this layout: a name, or a .lay file.", "NAME", "--layout", "-l")
    ] = None,
    ghosts: Annotated[
        str,
        opt(
            f"With --layout: one kind for each ghost ({listed([*MODELS], 'or')}), for example random,optimal.",
            "KIND,...",
            "--ghosts",
            "-g",
        ),
    ] = "",
    seed: Annotated[int, opt("Start the ghosts' moves or the random trees from this seed.", "N")] = 1,
    rounds: Annotated[int, opt("With --layout: search N rounds ahead.", "N", min=1)] = 1,
    moves: Annotated[int, opt("With --layout: make N moves of Pacman, one search each.", "N", min=1)] = 1,
    accept: Annotated[
        str, opt("For a question with role: choice: the right actions, for example West,East.", "ACTION,...")
    ] = "",
    shows: Annotated[str | None, opt("Describe the case in one line, for students.", "TEXT")] = None,
    hidden: Annotated[bool, opt("Let students learn only whether the case passed.", None, "--hidden")] = False,
    out: Annotated[
        Path | None, opt("Write the case to this new file. [default: print it]", "FILE.yaml", "--out", "-o")
    ] = None,
) -> None:
    """Write a new case: a position of a layout, or a small tree on which two searches give different results.

    \b
    Examples:
      python -m autograder new-case --question q3 --distinguish no-cut,strict-cut
      python -m autograder new-case --question q2 --layout nook --ghosts optimal --rounds 2
      python -m autograder new-case --question q2 --distinguish ply-short,right --out my-case.yaml
      python -m autograder new-case --question q3 --distinguish wrong.py:AlphaBetaAgent
    """
    from autograder.cases import loading
    from autograder.cases.right_answer import derive
    from autograder.cases.yaml_file import parse, write
    from autograder.commands.options import single

    course = loading.load(assignment, growing=True).only(single(question))
    target = course.questions[0]
    is_in_place = out is not None and out.resolve().parent == (course.folder / "cases" / target.id).resolve()
    if out is not None and (out.exists() or not is_in_place):
        check_new("--out", out)
    if distinguish is not None and layout is None:
        content = _tree(course, distinguish, cut, seed, shows)
    elif layout is not None and distinguish is None:
        content = _position(layout, ghosts, seed, rounds, moves, accept, shows)
    else:
        raise InputError("expected either --distinguish A,B (a tree) or --layout NAME (a position)")
    text = write(content | ({"hidden": True} if hidden else {}))
    # Check the case as the grader will read it, and that it has a right answer.
    case = loading.case_of(parse(text, out or Path(f"{target.id}.yaml")), target, course.limits, folder=course.folder)
    if case.has_truth:
        derive(case)
    if out is None:
        typer.echo(text, nl=False)
        return
    if is_in_place:
        out.parent.mkdir(parents=True, exist_ok=True)
    if is_in_place and (course.folder / "schemas/case.json").is_file():
        text = f"# yaml-language-server: $schema=../../schemas/case.json\n{text}"
    write_new("--out", out, text, rights=0o666)
    size = f", {case.root.size()} nodes" if isinstance(case.root, Outline) else ""
    following = f"to add it to the assignment, move it to its folder cases/{target.id}"
    if is_in_place:
        of = "" if assignment == "multiagent" else f" --assignment {quote(assignment)}"
        following = as_started(f"see its right answer with: python -m autograder case {quote(str(out))} --show{of}")
    typer.echo(f"{out}{size}; {following}")


def _position(
    layout: str, ghosts: str, seed: int, rounds: int, moves: int, accept: str, shows: str | None
) -> dict[str, Any]:
    """The content of a case with a position; the drawing of a layout file becomes a part of it."""
    drawing = layout
    if layout.endswith(".lay") or "/" in layout or "\\" in layout:
        try:
            rows = read_text(Path(layout)).strip("\n").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = reason_of(error) if isinstance(error, OSError) else str(error)
            raise InputError(f"--layout {layout}: cannot be read: {reason}") from None
        drawing = "".join(f"{row.rstrip()}\n" for row in rows)
    content: dict[str, Any] = {
        "kind": "position",
        "shows": shows or f"a position of {Path(layout).stem} against {ghosts or 'no ghosts'}",
        "layout": drawing,
        "ghosts": _parts(ghosts),
        "seed": seed,
        "rounds": rounds,
        "moves": moves,
    }
    return content | ({"accept": _parts(accept)} if accept else {})


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text else []


def _tree(course: Assignment, distinguish: str, cut: Cut, seed: int, shows: str | None) -> dict[str, Any]:
    """The content of a case with a small tree that distinguishes two searches: known, right or of a file."""
    from rich.console import Console

    from autograder.case_strength import distinguishing_tree
    from autograder.case_strength.distinguishing_tree import Search

    question, api = course.questions[0], with_names(course.api, course.names)
    if question.role != "search":
        what = f"{question.id} is a question of the role {question.role}; known mistakes exist only for a search"
        raise InputError(f"--distinguish: {what}")
    names = [*_parts(distinguish), *([] if "," in distinguish else [RIGHT])]
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(f"--distinguish {distinguish}: expected two different mistakes, for example no-cut,strict-cut")
    console = Console(stderr=True)
    with redirect_stdout(sys.stderr), console.status("looking for a tree") as status:
        first, second = [_program(name, question, api) for name in names]

        def on_progress(tries: int, smallest: Outline | None) -> None:
            size = f", the smallest suitable tree so far has {smallest.size()} nodes" if smallest else ""
            status.update(f"{tries:,} random trees tried{size}")

        search = Search(question, first, second, cut)
        match = distinguishing_tree.find_tree(search, Random(seed), on_progress)
    if match is None or match.idler:
        problem = f"none of {distinguishing_tree.TRIES:,} trees distinguishes {names[0]} from {names[1]}"
        equal = f"; in {question.id} the grader may judge them alike"
        solved = f" without giving points to a program that returns {match.idler} and does not search" if match else ""
        raise InputError(f"--distinguish {distinguish}: {problem}{solved or equal}")
    one, other = (
        "the right search" if name == RIGHT else "a wrong search" if ".py" in name else name for name in names
    )
    content = {"kind": "tree", "shows": shows or f"distinguishes {one} from {other}", "plies": match.plies}
    return content | ({} if cut == "equal" else {"cut": cut}) | {"tree": f"{match.tree}\n"}


def _program(name: str, question: Question, api: str) -> Program:
    """The search that a name stands for: a known mistake, the right search, or FILE.py[:CLASS], which runs here."""
    from autograder.case_strength import programs
    from autograder.commands.target import check_python, file_and_class

    if ".py" not in name:
        known = {RIGHT: programs.known_search(question, ()), **programs.known_mistakes(question)}
        if name not in known:
            near = nearest(name, known)
            others = (
                near if near.startswith("did") else f"known: {', '.join(sorted(known))}"
            )  # `--help` promises a list
            problem = f"{question.id} ({question.reference} search) has no known mistake '{name}'"
            raise InputError(f"--distinguish: {problem}: {others}")
        return known[name]
    file, class_name = file_and_class(name)
    check_python(file, "--distinguish")
    warn_no_sandbox([f"{file}:"])
    try:
        return programs.of_text(read_text(file), api, class_name or question.part)
    except SubmissionError as error:
        raise InputError(f"--distinguish {file}: {error}") from None
    except (Exception, SystemExit) as error:
        raise InputError(f"--distinguish {file}: cannot be loaded: {type(error).__name__}: {error}") from None
