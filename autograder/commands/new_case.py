"""`python -m autograder new-case`: writes a case from a position, or a tree that distinguishes two searches."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from autograder.commands.shared.report_file import check_new, write_new
from pacman.commands.app import as_started, opt
from pacman.core.errors import InputError, listed
from pacman.core.rounds import MODELS


def new_case(
    question: Annotated[str, opt("Write the case for this question, for example q3.", "ID")],
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
        str,
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
    from autograder.commands.shared.case_content import position, tree
    from pacman.core.tree_text import Outline

    loaded = loading.load(assignment, growing=True).only(question, None)
    chosen = loaded.questions[0]
    if (distinguish is None) == (layout is None):
        raise InputError("expected either --distinguish A,B (a tree) or --layout NAME (a position)")
    if out is not None:
        check_new("--out", out)
    if distinguish is not None:
        content = tree(chosen, distinguish, cut, seed, shows, loaded.api)
    else:
        assert layout is not None
        content = position(layout, ghosts, seed, rounds, moves, accept, shows)
    if hidden:
        content["hidden"] = True
    text = write(content)
    # Check the case as the grader will read it, and that it has a right answer.
    case = loading.case_of(parse(text, out or Path(f"{question}.yaml")), chosen, loaded.limits, folder=loaded.folder)
    if case.has_truth:
        derive(case)
    if out is None:
        typer.echo(text, nl=False)
        return
    write_new("--out", out, text, rights=0o666)
    size = f", {case.root.size()} nodes" if isinstance(case.root, Outline) else ""
    if out.resolve().parent == (loaded.folder / "cases" / chosen.id).resolve():
        of = "" if assignment == "multiagent" else f" --assignment {quote(assignment)}"
        following = as_started(f"see its right answer with: python -m autograder case {quote(str(out))} --show{of}")
    else:
        following = f"to add it to the assignment, move it to its folder cases/{chosen.id}"
    typer.echo(f"{out}{size}; {following}")
