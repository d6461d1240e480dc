"""A folder full of traps: modules that leave a mark when a program imports them instead of the real ones."""

from __future__ import annotations

import sys
from collections.abc import Collection
from importlib.metadata import packages_distributions
from pathlib import Path

OUR_PACKAGES = ("agents", "autograder", "layouts", "pacman", "tests")


class Traps:
    """A folder with a trap for every module of Python and of the installed packages, without those named `but`."""

    def __init__(self, folder: Path, but: Collection[str] = ()) -> None:
        self.folder, self._marks = folder, folder.with_name(f"{folder.name}.sprung")
        folder.mkdir(exist_ok=True)
        code = f"with open({str(self._marks)!r}, 'a') as marks:\n    marks.write(__name__ + '\\n')\n"
        names = sys.stdlib_module_names | packages_distributions().keys() | {"sitecustomize", "usercustomize", "numba"}
        for name in {name for name in names if name.isidentifier()} - {*OUR_PACKAGES, *but}:
            (folder / f"{name}.py").write_text(code, encoding="utf-8")
        for name in {*OUR_PACKAGES} - {*but}:  # a kit or a project of Berkeley, which has some of them as files
            package = folder / name
            package.mkdir(exist_ok=True)
            for file in ("__init__.py", "__main__.py", "nook.lay"):
                (package / file).write_text(code, encoding="utf-8")

    @property
    def sprung(self) -> list[str]:
        """The names of the traps that were imported."""
        return self._marks.read_text(encoding="utf-8").split() if self._marks.exists() else []
