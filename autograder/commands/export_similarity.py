"""`python -m autograder export-similarity`: lays out submissions for a program that finds similar ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.shared.options import AssignmentOption, PseudonymsOption, StoreOption
from pacman.core.errors import InputError
from pacman.core.words import reason_of


def export_similarity(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Write the files into this new folder.")],
    store: StoreOption,
    assignment: AssignmentOption = None,
    pseudonyms: PseudonymsOption = False,
) -> None:
    """Write the last submission of each student, and the stub, into a folder for compare50 or MOSS.

    This project does not look for copies itself. MOSS sends the files to a server of Stanford University: use
    --pseudonyms for it, and mind that a file may contain its author's name.

    \b
    Examples:
      python -m autograder export-similarity similar --store class.db
      python -m autograder export-similarity similar --store class.db --assignment multiagent --pseudonyms
    """
    from autograder.course.marks.attempts import naming, single_assignment, works
    from autograder.course.marks.similarity import advice, folder_names, layout
    from autograder.course.store import Store
    from pacman.core.words import counted

    if folder.exists():
        raise InputError(f"{folder}: this folder exists already; choose another name")
    with Store.open(store) as opened:
        name = single_assignment(opened, assignment)
        named = naming(opened, pseudonyms)
        files, students = {}, []
        every = works(opened.students(), opened.attempts(name), {})
        missing = sum(not work.attempts for work in every)
        for work in every:
            with_files = [each for each in work.attempts if not each.submission.problem]
            if with_files:
                student = named(work.student)
                students.append(student)
                own = opened.files(with_files[-1].submission.id).files
                files[student.key] = _numbered(own) if pseudonyms else own
    without = len(every) - missing - len(students)
    stub = _stub(name)
    paths = layout(folder_names(students), files, stub)
    try:
        folder.mkdir(mode=0o700)
        for place, content in paths.items():
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {reason_of(error)}") from None
    typer.echo(f"{folder}: {counted(len(students), 'submission')} for {name}")
    if without:
        typer.echo(f"left out: {counted(without, 'student')} whose submission has no readable files")
    if not stub:
        typer.echo("without a stub: the assignment is not here, or names none")
    typer.echo("\n".join(["compare them with one of:", *(f"  {line}" for line in advice(str(folder), stub))]))


def _numbered(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files under numbers: the name of a file may be that of a student."""
    return {f"{number}.py": files[name] for number, name in enumerate(sorted(files), 1)}


def _stub(assignment: str) -> dict[str, bytes]:
    """The stub of an assignment; nothing if the assignment cannot be found here."""
    from autograder.cases import loading

    try:
        stub = loading.load(assignment).stub
    except InputError:
        return {}
    return {stub.name: stub.read_bytes()} if stub else {}
