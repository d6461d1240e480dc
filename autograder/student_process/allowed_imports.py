"""What graded code may import, for its process, the import guard, the uploads and the tests."""

from __future__ import annotations

from functools import cache

_PLACES = {
    "pacman.core": "pacman/core/*.py",
    **{f"pacman.record.{name}": f"pacman/record/{name}.py" for name in ("trace", "watcher", "rewriting", "program")},
    "agents.base": "agents/base.py",
    "layouts": "layouts/*.lay",
}
MODULES = tuple(_PLACES)
"""The modules and packages of this project that a submission may import, besides `pacman` itself."""

PACKAGES = ("numpy",)
"""Other packages that a submission may import, where they are installed."""

FILES = (
    *("pacman/__init__.py", "pacman/program_imports.py", "pacman/record/__init__.py"),
    *("agents/__init__.py", "agents/advice*.py", "agents/cs188/*.py", "layouts/__init__.py"),
    *_PLACES.values(),
    *("autograder/__init__.py", "autograder/student_process/**/*.py"),
)
"""The files of the allowed modules, and of the grader's code that runs in the student's process."""

_OURS = ("pacman", "agents", "autograder", "tests")


@cache
def is_refused(module: str) -> bool:
    """True for a module of this project that a submission may not import.

    >>> is_refused("pacman.core.tree"), is_refused("pacman.search"), is_refused("autograder.judge"), is_refused("math")
    (False, True, True, False)
    """
    if module.partition(".")[0] not in _OURS:
        return False
    return not any(f"{module}.".startswith(f"{name}.") or name.startswith(f"{module}.") for name in MODULES)
