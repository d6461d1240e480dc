"""`python -m autograder record`: derives the reference of every case anew, and names those that no longer fit."""

from __future__ import annotations

from typing import Annotated

import typer

from autograder.cases import loading, reference_recorder
from autograder.cases.case import Assignment, Case
from autograder.cases.reference import Reference
from autograder.cases.yaml_file import read
from pacman.core.errors import InputError

FITS, DOES_NOT_FIT = 0, 1

AssignmentOption = Annotated[str, typer.Option(metavar="NAME", help="A name, or a folder with assignment.yaml.")]
CheckOption = Annotated[
    bool, typer.Option("--check", help="Write nothing; exit 1 if a reference does not fit its case.")
]


def record(assignment: AssignmentOption = "multiagent", check: CheckOption = False) -> None:
    """Record the reference of every case with the reference searches."""
    loaded = loading.load(assignment)
    loading.check_parts(loaded)
    asked = {loading.reference_path(loaded, case): case for case in loaded.cases if case.has_reference}
    changed = 0
    for path, case in sorted(asked.items()):
        found = reference_recorder.derive(case)
        problem = misfit(loaded, case, found)
        if problem:
            changed += 1
            typer.echo(problem if check else f"recorded: {path}")
            if not check:
                reference_recorder.save(path, found)
    for path in sorted(set((loaded.folder / "references").rglob("*.yaml")) - set(asked)):
        changed += 1
        typer.echo(f"{path}: belongs to no case" if check else f"removed: {path}")
        if not check:
            path.unlink()
    typer.echo(f"{len(asked)} references, {changed} {'not up to date' if check else 'changed'}")
    raise typer.Exit(DOES_NOT_FIT if check and changed else FITS)


def misfit(assignment: Assignment, case: Case, derived: Reference) -> str:
    """What is wrong with the recorded reference of a case, with its file and line; nothing where it fits."""
    path = loading.reference_path(assignment, case)
    try:
        recorded = loading.load_reference(assignment, case)
    except InputError as error:
        return str(error).partition("; record it with")[0]
    different = [name for name in ("line", "moves") if getattr(recorded, name) != getattr(derived, name)]
    if different:
        line = read(path).line((different[0],))
        return f"{path}:{line}: {different[0]}: not what the reference search finds for '{case.id}'"
    if path.read_text(encoding="utf-8") != reference_recorder.text(derived):
        return f"{path}: right, but not written as record writes it"
    return ""
