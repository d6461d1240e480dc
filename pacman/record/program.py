"""Starts a user's file, and what it imports from its folder, from the source: no bytecode is read or written there.

So a program that shows or grades a file leaves nothing beside it. And a file that was saved twice within a second runs
as it is now: bytecode is as old as its file in whole seconds only.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import CodeType, ModuleType

from pacman.program_imports import PACKAGES


class SourceLoader(SourceFileLoader):
    """Compiles its file at each import."""

    def get_code(self, fullname: str) -> CodeType | None:
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


@dataclass(frozen=True)
class SourceFinder:
    """Finds the modules and packages that are directly in `folders`, where Python finds them too; `loader` loads them.

    A library in an environment below such a folder is a library all the same, and this project is no user's.
    """

    folders: tuple[str, ...]
    loader: type[SourceFileLoader] = SourceLoader

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module is, and what loads it; None for a module that is elsewhere."""
        spec = PathFinder.find_spec(name, path, target)
        if not spec or not spec.origin or type(spec.loader) is not SourceFileLoader:
            return None
        if not self._is_own(name, spec.origin):
            return None
        spec.loader = self.loader(name, spec.origin)
        return spec

    def _is_own(self, name: str, file: str) -> bool:
        top = name.partition(".")[0]
        places = [os.path.join(os.path.abspath(folder), top) for folder in self.folders if top not in PACKAGES]
        return any(file == f"{place}.py" or file.startswith(place + os.sep) for place in places)


def module_from_source(
    name: str, path: str, *folders: str, loader: type[SourceFileLoader] = SourceLoader
) -> ModuleType:
    """The module of a file, not executed yet. From now on, what it imports from `folders` is compiled too."""
    finder = SourceFinder(folders, loader)
    if finder not in sys.meta_path:
        usual = sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else len(sys.meta_path)
        sys.meta_path.insert(usual, finder)
    spec = spec_from_file_location(name, path, loader=loader(name, path))
    assert spec is not None  # as for every loader that is given
    return module_from_spec(spec)
