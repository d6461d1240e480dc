"""An upload for Gradescope: one zip with the project, an assignment, and the two scripts that the platform runs.

The same input makes the same bytes: names sorted, dates fixed, line ends alike.
"""

from __future__ import annotations

import io
import math
import re
import zipfile
from collections.abc import Iterator
from importlib import metadata, resources
from pathlib import Path
from typing import Annotated

import typer

from autograder.cases import loading
from autograder.cases.loading import Assignment
from autograder.grading.style import style
from autograder.platforms.gradescope.ready import SETTINGS, Settings, enough, ready
from autograder.report.marks import shown
from autograder.student_process import bundle
from pacman.core.errors import InputError

PACKAGES = ("pacman", "agents", "autograder", "layouts")
LEFT_OUT = ("autograder/assignments/",)
"""Answers that grading does not need."""
SCRIPTS = ("setup.sh", "run_autograder")
NEEDED = ("pydantic", "PyYAML", "rich", *bundle.PACKAGES)
"""What grading imports, and what submissions may."""
STEP, LONGEST = 10, 40
"""Minutes: the time-outs that the platform offers."""
DATE = (1980, 1, 1, 0, 0, 0)


def command(
    assignment: Annotated[
        str | None, typer.Option(metavar="NAME", help="A name, or a folder with assignment.yaml. [default: by the API]")
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FILE.zip", help="Where to write the upload.")] = Path("autograder.zip"),
    api: Annotated[
        str, typer.Option(metavar="NAME", help="What submissions are written for: native, or cs188 for classic files.")
    ] = "native",
    minutes: Annotated[
        float | None, typer.Option(metavar="M", help="The time-out set on the platform (else one with time for all).")
    ] = None,
    allow_unsafe: Annotated[
        bool, typer.Option("--allow-unsafe", help="Grade there even in a sandbox that a hostile file could leave.")
    ] = False,
) -> None:
    """Build the upload for a Gradescope programming assignment."""
    if out.suffix != ".zip":
        raise InputError(f"--out {out}: a name that ends in .zip was expected")
    if minutes is not None and not 1 < minutes <= LONGEST:
        raise InputError(f"--minutes {minutes:g}: more than 1 was expected, and at most {LONGEST}")
    written = style(api)
    loaded = written.fitted(loading.load(assignment or written.assignment))
    if minutes is None:
        minutes = min(LONGEST, STEP * math.ceil(enough(loaded) / STEP))
    said = Settings(assignment=loaded.name, api=api, minutes=minutes, allow_unsafe=allow_unsafe)
    made = build(loaded, said)
    try:
        out.write_bytes(made)
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}") from None
    points = sum(question.points for question in loaded.questions)
    typer.echo(f"{out}: {len(loaded.questions)} questions, {len(loaded.cases)} cases")
    typer.echo(f"On the platform: autograder points {shown(points)}, time-out {minutes:g} minutes")
    if minutes < enough(loaded):
        typer.echo(f"Cases get a part of their time there; all of it with --minutes {enough(loaded)}")


def build(assignment: Assignment, said: Settings) -> bytes:
    """The zip; InputError where the platform could not grade the assignment with it."""
    ready(assignment, said.minutes)
    project = {
        name: content
        for package in PACKAGES
        for name, content in _tree(Path(str(resources.files(package))), package)
        if not name.startswith(LEFT_OUT)
    }
    files = {
        **project,
        **{name: (Path(__file__).parent / name).read_bytes() for name in SCRIPTS},
        "requirements.txt": requirements().encode(),
        SETTINGS: said.model_dump_json(indent=2).encode(),
        **dict(_tree(assignment.folder, f"assignment/{assignment.name}")),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, DATE)
            entry.create_system = 3  # Unix, wherever it was made
            entry.external_attr = (0o100755 if name in SCRIPTS else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name].replace(b"\r\n", b"\n"))
    return packed.getvalue()


def requirements() -> str:
    """What grading needs, and what that needs, in the versions that are installed here: a line each.

    InputError where one of them is not installed.
    """
    pinned: dict[str, str] = {}
    wanted = list(NEEDED)
    while wanted:
        name = wanted.pop()
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            if name in NEEDED:
                raise InputError(f"{name} is not installed here, so no version of it can be pinned") from None
            continue  # needed on another system, or by another Python
        if found.name not in pinned:
            pinned[found.name] = found.version
            needed = (each for each in found.requires or () if "extra ==" not in each)
            wanted += [re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in needed]
    return "".join(f"{name}=={pinned[name]}\n" for name in sorted(pinned, key=str.lower))


def _tree(folder: Path, under: str) -> Iterator[tuple[str, bytes]]:
    """Every file in a folder, by its name in the zip."""
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        if path.is_file() and "__pycache__" not in inside.parts and not inside.name.startswith("."):
            yield f"{under}/{inside.as_posix()}", path.read_bytes()
