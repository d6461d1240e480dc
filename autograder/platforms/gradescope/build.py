"""Builds the upload for Gradescope: one zip with the project, an assignment, and the platform's two scripts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from importlib import metadata, resources
from pathlib import Path

from autograder.cases.case import Assignment
from autograder.cases.game_seeds import GameKey
from autograder.cases.yaml_file import adapter
from autograder.cases.zip_file import zip_bytes
from autograder.platforms.gradescope.upload_check import KEY, SETTINGS, Settings, fit_to_platform
from autograder.student_process import allowed_imports
from pacman.core.errors import InputError

PACKAGES = ("pacman", "agents", "autograder", "layouts")
EXCLUDED = ("autograder/assignments/",)
"""Folders with answers, which grading does not need."""
SCRIPTS = ("setup.sh", "run_autograder")
REQUIRED = ("pydantic", "PyYAML", "rich", *allowed_imports.PACKAGES)
"""The packages that the grader imports, and those that submissions may import."""


def build(assignment: Assignment, settings: Settings, key: GameKey) -> bytes:
    """The content of the zip; InputError if the platform could not grade the assignment with these settings.

    The games that the platform grades come from the `key`, which is in the zip.
    """
    fit_to_platform(assignment, settings.minutes)
    project = {
        name: file
        for package in PACKAGES
        for name, file in _tree(Path(str(resources.files(package))), package)
        if not name.startswith(EXCLUDED)
    }
    files = {
        **project,
        **{name: (Path(__file__).parent / name).read_bytes() for name in SCRIPTS},
        "requirements.txt": requirements().encode(),
        KEY: key.text.encode(),
        SETTINGS: adapter(Settings).dump_json(settings, indent=2),
        **dict(_tree(assignment.folder, f"assignment/{assignment.name}", assignment.answers)),
    }
    return zip_bytes(files, SCRIPTS)


def requirements() -> str:
    """The packages that grading needs, directly or not, in the versions that are installed here: one line per package.

    InputError if one of `REQUIRED` is not installed.
    """
    pinned: dict[str, str] = {}
    names = list(REQUIRED)
    while names:
        name = names.pop()
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            if name in REQUIRED:
                raise InputError(f"{name} is not installed; install it: python -m pip install {name}") from None
            continue  # needed only on another system or by another Python
        if package.name not in pinned:
            pinned[package.name] = package.version
            needed = (each for each in package.requires or () if "extra ==" not in each)
            names += [re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in needed]
    return "".join(f"{name}=={pinned[name]}\n" for name in sorted(pinned, key=str.lower))


def _tree(folder: Path, prefix: str, answers: Collection[Path] = ()) -> Iterator[tuple[str, bytes]]:
    """Every file in a folder, except the ones with answers: its name in the zip, and its content."""
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        hidden = "__pycache__" in inside.parts or inside.name.startswith(".") or path.resolve() in answers
        if path.is_file() and not hidden:
            yield f"{prefix}/{inside.as_posix()}", path.read_bytes()
