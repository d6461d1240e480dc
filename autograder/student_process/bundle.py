"""What graded code may import, named once: for the copy that the sandbox makes, the guard of imports, and the tests."""

from __future__ import annotations

MODULES = ("pacman.core", "agents.base", "layouts")
"""The modules and packages of this project that a submission may import, besides `pacman` itself."""

FILES = (
    "pacman/__init__.py",
    "pacman/core/*.py",
    "agents/__init__.py",
    "agents/base.py",
    "layouts/__init__.py",
    "layouts/*.lay",
    "autograder/__init__.py",
    "autograder/student_process/**/*.py",
)
"""Where those are, and what runs beside them in the student's process."""

_OURS = ("pacman", "agents", "autograder", "tests")


def is_refused(module: str) -> bool:
    """True for a module of this project that a submission may not import.

    >>> is_refused("pacman.core.tree"), is_refused("pacman.search"), is_refused("autograder.judge"), is_refused("math")
    (False, True, True, False)
    """
    top, _, inside = module.partition(".")
    if top not in _OURS or (not inside and top in ("pacman", "agents")):
        return False
    return not any(module == name or module.startswith(name + ".") for name in MODULES)
