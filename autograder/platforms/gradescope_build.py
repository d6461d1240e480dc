"""Builds the upload for Gradescope: one zip with the project, an assignment, and the platform's two scripts.

Every case must have a right answer, and a submission must stay within the platform's time and memory. The settings of
the person who builds the upload are the file `SETTINGS` in it, and the key of the games is the file `KEY`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from importlib import metadata, resources
from pathlib import Path

from autograder.cases.case import Assignment, StrictSchema
from autograder.cases.game_seeds import GameKey
from autograder.cases.right_answer import derive_all
from autograder.cases.yaml_file import adapter
from autograder.grading.early_stop import WAITING_SECONDS
from autograder.sandbox.run_case import MOST_WAITING
from autograder.shipped import PACKAGES, zip_bytes
from autograder.student_process import allowed_imports
from pacman.core.errors import InputError

EXCLUDED = ("autograder/assignments/",)
"""Folders with answers, which grading does not need."""
SCRIPTS = ("setup.sh", "run_autograder")
"""What the platform runs: files of the folder `gradescope`, in which an older checkout can have left others."""
REQUIRED = ("pydantic", "PyYAML", "rich", *allowed_imports.PACKAGES)
"""The packages that the grader imports, and those that submissions may import."""
MEMORY_MB = 512
"""Memory for a student's process: the smallest machine has 768 MB, and the grader and the system need the rest."""
OVERHEAD = 60.0 + WAITING_SECONDS + MOST_WAITING
"""Seconds for all work besides the student's code: starting, drawing misses, diagnosing searches. And for waiting:
as long as all cases may wait, and as the last one of them may wait beyond that."""
SLOW = 2
"""A container of the platform may be so many times slower than a machine that does nothing else."""
MOST_MINUTES, STEP = 40, 10
"""The longest time-out that the platform offers, and the step between two of them, in minutes."""
SETTINGS = "settings.json"
KEY = "games.key"


@dataclass(frozen=True)
class Settings(StrictSchema):
    """`assignment` is the name of its folder, `api` the submission API. `allow_unsafe`: also in a weak sandbox."""

    assignment: str
    api: str
    allow_unsafe: bool


def fit_to_platform(assignment: Assignment) -> Assignment:
    """The assignment with the memory of the platform. InputError for a case without a right answer."""
    derive_all(assignment)
    memory = min(assignment.limits.memory_mb, MEMORY_MB)
    return replace(assignment, limits=replace(assignment.limits, memory_mb=memory))


def time_out(assignment: Assignment) -> int:
    """The minutes after which the platform may stop a grading: what a submission may use, in a slow container.

    InputError if the platform does not give so many.
    """
    seconds = min(assignment.limits.submission_seconds, sum(case.seconds for case in assignment.cases))
    minutes = STEP * math.ceil(SLOW * (seconds + OVERHEAD) / 60 / STEP)
    if minutes > MOST_MINUTES:
        raise InputError(
            f"a submission may use {seconds:g} s, and the platform stops after {MOST_MINUTES} minutes; lower "
            "submission_seconds under limits in assignment.yaml"
        )
    return minutes


def build(assignment: Assignment, settings: Settings, key: GameKey) -> bytes:
    """The content of the zip; InputError if the platform could not grade the assignment with these settings.

    The games that the platform grades come from the `key`, which is in the zip.
    """
    fit_to_platform(assignment)
    folder = Path(__file__).with_name("gradescope")
    project = {
        name: file
        for package in PACKAGES
        for name, file in _tree(Path(str(resources.files(package))), package)
        if not name.startswith(EXCLUDED)
    }
    files = {
        **project,
        **{name: (folder / name).read_bytes() for name in SCRIPTS},
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
