"""Which files belong to this project: in a submission, parts of a kit or sample solutions; in its folders, its own.

Somebody may add files to the folders of this project, for example own solutions, or the layout of a hidden case.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("pacman", "agents", "autograder", "layouts")
STUBS = ("agents/student.py", "autograder/assignments/*/stub.py")
"""The files that students fill in."""
ANSWERS = ("autograder/assignments/*/solutions.py",)
"""The sample answers."""
KNOWN_FILES = Path(__file__).with_name("known_files.txt")
"""The list of the files that students, the lab and graded code may get: one path a line."""
_CASES = ("__init__", "case", "game_seeds", "ghosts", "right_answer", "truth")
_PAGES = ("__init__", "explorer", "game_player", "page", "pictures", "practice", "questions", "search", "student_page")
_TEMPLATES = ("base", "exercises", "explorer", "game_player", "game_replay", "parts", "practice", "student_page")
_COMMANDS = ("__init__", "case", "doctor", "grade", "learn", "options", "progress", "target")
_BOTH = (
    *("pacman/*.py", *(f"pacman/{room}/**/*.py" for room in ("core", "record", "search", "play", "picture"))),
    *("pacman/compiled/__init__.py", "agents/*.py", "agents/cs188/*.py", "layouts/__init__.py", "layouts/*.lay"),
    *("autograder/__init__.py", "autograder/shipped.py", *(f"autograder/cases/{name}.py" for name in _CASES)),
    *(f"autograder/{room}/**/*.py" for room in ("student_process", "judge", "sandbox", "grading", "report")),
    *("autograder/platforms/__init__.py", "autograder/platforms/cs188.py", "autograder/pages/static/*.*"),
)
KIT = (
    *(*_BOTH, "pacman/**/*.py", "autograder/__main__.py", "autograder/known_files.txt"),
    *("autograder/sandbox/syscalls.txt", "autograder/report/scorecard.schema.json", "autograder/pages/trees/*.txt"),
    *(f"autograder/cases/{name}.py" for name in ("hidden", "loading", "yaml_file")),
    *(f"autograder/pages/{name}.py" for name in _PAGES),
    *(f"autograder/pages/templates/{name}.html" for name in _TEMPLATES),
    *(f"autograder/commands/{name}.py" for name in _COMMANDS),
)
"""What students get in a kit. No solutions, no hidden cases, no keys, and no programs that only staff need."""
LAB = (
    *(*_BOTH, "autograder/cases/assignment_text.py"),
    *(f"autograder/pages/{name}" for name in ("*.py", "lab/*.py", "templates/*")),
)
"""What runs in the browser, unchanged."""
NEVER = ("agents/student.py", "pacman/commands/new_agent.py")
"""What these patterns also match, and nobody gets: a file to edit, and the command that makes it."""
_MARKER = "pacman/__init__.py"
_WHOLE_FOLDERS = ("pacman", "autograder", "layouts", "tests", "docs")
"""Folders of a kit in which no student writes. In `agents`, students do."""
_LEAST = 200  # bytes; a shorter file (such as an empty __init__.py) can be equal to one of the project by chance


def known_files(patterns: Iterable[str]) -> dict[str, Path]:
    """The files that match the patterns and that this project ships: path from `ROOT` -> file."""
    found = {path.relative_to(ROOT).as_posix(): path for pattern in patterns for path in ROOT.glob(pattern)}
    found = {name: path for name, path in found.items() if name not in NEVER}
    return {name: found[name] for name in KNOWN_FILES.read_text(encoding="utf-8").split("\n") if name in found}


def project_files(files: Mapping[str, bytes]) -> list[str]:
    """The names of those `files` that belong to the project: by their path in a kit, or by their content."""
    kits = tuple(name.removesuffix(_MARKER) for name in files if f"/{name}".endswith(f"/{_MARKER}"))
    return [name for name, content in files.items() if _is_in_kit(name, kits) or is_project_file(name, content)]


def is_project_file(name: str, content: bytes) -> bool:
    """True if `name` ends with the path of a file of the project, or if the content is that of one.

    >>> is_project_file("kit/agents/searchers.py", b""), is_project_file("agents/student.py", b"")
    (True, False)
    """
    return _has_known_path(name) or _digest(content) in _known()[1]


def copied_answers(files: Mapping[str, bytes]) -> list[str]:
    """The names of those `files` that have the text of a sample answer, but not its path: a student copied it."""
    answers = _known()[2]
    return [name for name, content in files.items() if _digest(content) in answers and not _has_known_path(name)]


def _has_known_path(name: str) -> bool:
    paths, parts = _known()[0], name.split("/")
    return any(part in PACKAGES and "/".join(parts[place:]) in paths for place, part in enumerate(parts[:-1]))


def _is_in_kit(name: str, kits: tuple[str, ...]) -> bool:
    return any(
        name.startswith(kit) and name.removeprefix(kit).startswith(tuple(f"{top}/" for top in _WHOLE_FOLDERS))
        for kit in kits
    )


@cache
def _known() -> tuple[frozenset[str], frozenset[bytes], frozenset[bytes]]:
    """The paths and the digests of the project's Python files, without the stubs; and the digests of the answers."""
    files = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }
    for pattern in STUBS:
        for path in ROOT.glob(pattern):
            files.pop(path.relative_to(ROOT).as_posix(), None)
    answers = {_digest(path.read_bytes()) for pattern in ANSWERS for path in ROOT.glob(pattern)}
    return frozenset(files), frozenset(map(_digest, files.values())) - {b""}, frozenset(answers) - {b""}


def _digest(content: bytes) -> bytes:
    """A digest that does not depend on spaces and line ends; empty for a short file."""
    return hashlib.sha256(b"".join(content.split())).digest() if len(content) >= _LEAST else b""


def zip_bytes(files: Mapping[str, bytes], scripts: Collection[str] = ()) -> bytes:
    """A zip with these text files: the same bytes for the same files.

    Names are sorted, dates fixed, and each line ends with a line feed. The `scripts` can be executed.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # Unix, whichever system builds it
            entry.external_attr = (0o100755 if name in scripts else 0o100644) << 16
            archive.writestr(entry, files[name].replace(b"\r\n", b"\n"), zipfile.ZIP_DEFLATED)
    return content.getvalue()
