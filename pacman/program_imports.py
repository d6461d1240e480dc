"""What the two programs import: Python's library, installed packages and this project, nothing of the current folder.

Staff may start a program in a folder with files of strangers, for example with a `yaml.py`. This module imports only
modules that Python itself has loaded already (so no `__future__`).
"""

import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader

PACKAGES = ("pacman", "agents", "autograder", "layouts")
"""The packages of this project. All of them come from `ROOT`."""
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DISTRIBUTION = "pacman-search"
SCRIPTS = {"pacman": "pacman-search", "autograder": "pacman-grade"}
"""The name of each program's script, by its module."""
_OUR_AGENTS = "The agents: Pacmen and ghosts."
"""How `agents/__init__.py` of this project begins. Another distribution may write its own there."""
_FOLDERS_OF_PYTHON = ("site-packages", "dist-packages", "lib-dynload")


class _OwnPackages(FileFinder):
    """Finds the packages of this project in `ROOT`, and nothing else there."""

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return super().find_spec(name) if name in PACKAGES else None


_FINDER = _OwnPackages(ROOT, (SourceFileLoader, SOURCE_SUFFIXES))


def forbid_current_folder() -> None:
    """Makes this process import nothing of the current folder, except this project if it is there.

    The Python processes that it starts do not look there either. Each worker calls this too.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    sys.path[:] = [folder for folder in sys.path if _is_of_python(folder) or not _may_go(folder)]
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)


def start_program(module: dict[str, object]) -> None:
    """Forbids the current folder, in this process and in its workers. `module` is what a `__main__` of ours contains.

    Does nothing if a test runs the program in its own process.
    """
    main = sys.modules["__main__"]
    if module["__name__"] != "__main__" or vars(main) is module:
        forbid_current_folder()
        # A worker process runs this file by its path. It need not find the project in `sys.path`.
        main.__spec__, main.__file__ = None, str(module["__file__"])


def problem_of_agents(root: str = ROOT) -> str:
    """What is wrong with the package `agents` next to `pacman`; "" if it is ours. pip mixes packages of one name."""
    file = os.path.join(root, "agents", "__init__.py")
    try:
        with open(file, encoding="utf-8", errors="replace") as text:
            if _OUR_AGENTS in text.readline():
                return ""
    except OSError:
        return f"{file}: no such file; pip removes it with another package 'agents'; install {DISTRIBUTION} again"
    from importlib.metadata import packages_distributions

    others = {*packages_distributions().get("agents", ())} - {DISTRIBUTION}
    name = " and ".join(sorted(others)) or "another distribution"
    return (
        f"{file}: this file is from {name}, which also has a package 'agents'; "
        f"install {DISTRIBUTION} in an environment of its own (python3 -m venv NAME)"
    )


def _is_of_python(folder: str) -> bool:
    """True for a folder with installed packages or Python's library, which counts also as the current one."""
    return os.path.basename(folder) in _FOLDERS_OF_PYTHON or folder == os.path.dirname(os.__file__)


def _may_go(folder: str) -> bool:
    """True for the current folder, and for `ROOT` as the modules that import this one have named it."""
    try:
        return os.path.basename(folder) == ".." or os.path.samefile(folder or os.curdir, os.curdir)
    except OSError:  # there is no such folder
        return False
