"""`python -m autograder record`: records the reference of every case anew, and lists those that had changed."""

from __future__ import annotations

from typing import Annotated

import typer

from autograder.commands.shared.options import AssignmentAsOption

UP_TO_DATE, NOT_UP_TO_DATE = 0, 1


def record(
    assignment: Annotated[
        str, typer.Argument(metavar="ASSIGNMENT", help="Make the references of this assignment: a name, or its folder.")
    ] = "multiagent",
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with status 1 if a reference is not up to date.")
    ] = False,
    as_option: AssignmentAsOption = None,
) -> None:
    """Make the references: compute and save the right answer of every case.

    This also deletes the reference files of cases that no longer exist.

    \b
    Examples:
      python -m autograder record path/to/assignment
      python -m autograder record --check
    """
    from autograder.cases import loading, reference_recorder, right_answer
    from autograder.commands.shared.assignment_checks import find_difference
    from pacman.core.words import counted

    loaded = loading.load(as_option or assignment)
    loading.check_parts(loaded)
    cases = {loading.reference_path(loaded, case): case for case in loaded.cases if case.has_reference}
    changes = 0
    for path, case in sorted(cases.items()):
        reference = right_answer.derive(case)
        problem = find_difference(loaded, case, reference)
        if problem:
            changes += 1
            typer.echo(problem if check else f"recorded: {path}")
            if not check:
                reference_recorder.save(path, reference)
    for path in sorted(set((loaded.folder / "references").rglob("*.yaml")) - set(cases)):
        changes += 1
        typer.echo(f"{path}: belongs to no case" if check else f"removed: {path}")
        if not check:
            path.unlink()
    typer.echo(f"{counted(len(cases), 'reference')}, {changes} {'not up to date' if check else 'changed'}")
    raise typer.Exit(NOT_UP_TO_DATE if check and changes else UP_TO_DATE)
