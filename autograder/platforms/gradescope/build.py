"""An upload for Gradescope: one zip with the project, an assignment, and the two scripts that the platform runs.

The same input makes the same bytes: names sorted, dates fixed, line ends alike.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from importlib import metadata, resources
from pathlib import Path

from autograder.cases.case import Assignment
from autograder.cases.yaml_file import adapter
from autograder.platforms.gradescope.upload_check import SETTINGS, Settings, ready
from autograder.student_process import allowed_imports
from pacman.core.errors import InputError

PACKAGES = ("pacman", "agents", "autograder", "layouts")
LEFT_OUT = ("autograder/assignments/",)
"""Answers that grading does not need."""
SCRIPTS = ("setup.sh", "run_autograder")
NEEDED = ("pydantic", "PyYAML", "rich", *allowed_imports.PACKAGES)
"""What grading imports, and what submissions may."""
DATE = (1980, 1, 1, 0, 0, 0)


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
        SETTINGS: adapter(Settings).dump_json(said, indent=2),
        **dict(_tree(assignment.folder, f"assignment/{assignment.name}", assignment.solutions)),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, DATE)
            entry.create_system = 3  # Unix, wherever it was made
            entry.external_attr = (0o100755 if name in SCRIPTS else 0o100644) << 16
            archive.writestr(entry, files[name].replace(b"\r\n", b"\n"), zipfile.ZIP_DEFLATED)
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


def _tree(folder: Path, under: str, answers: Path | None = None) -> Iterator[tuple[str, bytes]]:
    """Every file in a folder but the one with the answers, by its name in the zip."""
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        hidden = "__pycache__" in inside.parts or inside.name.startswith(".") or path.resolve() == answers
        if path.is_file() and not hidden:
            yield f"{under}/{inside.as_posix()}", path.read_bytes()
