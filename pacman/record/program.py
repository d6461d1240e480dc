"""Starts a user's file, and what it imports from its folder, from the source: no bytecode is read or written there.

So a program that shows or grades a file leaves nothing beside it. And a file that was saved twice within a second runs
as it is now: bytecode is as old as its file in whole seconds only. `Program` starts again and again, watched or not,
and `ImportState` restores what Python had imported before.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import CodeType, ModuleType
from typing import Any, ClassVar, NamedTuple, Self

from pacman.program_imports import PACKAGES
from pacman.record.watcher import WATCHER, Watcher

MODULE = "submission"
"""The name under which the file of a submission is imported."""


class SourceLoader(SourceFileLoader):
    """Compiles its file at each import; with a `watcher`, so that the file reports to it, with `file` as its name."""

    file = ""

    def __init__(self, name: str, path: str, watcher: Watcher | None = None) -> None:
        super().__init__(name, path)
        self.watcher = watcher

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the file."""
        source = self.get_data(self.path)
        if self.watcher is not None:
            return watched(self.watcher, source, self.path, self.file)
        code: CodeType = self.source_to_code(source, self.path)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Executes the file, which finds its watcher among its global names."""
        if self.watcher is not None:
            vars(module)[WATCHER] = self.watcher
        super().exec_module(module)


def watched(watcher: Watcher, source: bytes | str, path: str, file: str = "") -> CodeType:
    """The code of a file that reports to the watcher; `file` is its name for people."""
    from pacman.record.rewriting import watched_code  # `ast` is needed only here

    watcher.paths.add(path)
    return watched_code(source, path, watcher.functions, file)


MakeLoader = Callable[[str, str], SourceFileLoader]
"""Makes what loads a module, from its name and its path."""


@dataclass(frozen=True)
class SourceFinder:
    """Finds the modules and packages that are directly in `folders`, where Python finds them too; `loader` loads them.

    A library in an environment below such a folder is a library all the same, and this project is no user's.
    """

    folders: tuple[str, ...]
    loader: MakeLoader = SourceLoader

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


def module_from_source(name: str, path: str, *folders: str, loader: MakeLoader = SourceLoader) -> ModuleType:
    """The module of a file, not executed yet. From now on, what it imports from `folders` is compiled too."""
    finder = SourceFinder(folders, loader)
    if finder not in sys.meta_path:
        usual = sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else len(sys.meta_path)
        sys.meta_path.insert(usual, finder)
    spec = spec_from_file_location(name, path, loader=loader(name, path))
    assert spec is not None  # as for every loader that is given
    return module_from_spec(spec)


class Program:
    """A file that can start again and again in one process: it at `path`, compiled as `code`, and what it imports.

    What is in `folder` is executed anew at each start. `modules` are the names of those that stay, by default all that
    are imported now.
    """

    def __init__(self, path: str, folder: str, code: CodeType, modules: frozenset[str] | None = None) -> None:
        self.path = path
        self._code = code
        folders = dict.fromkeys((os.path.dirname(path), folder))
        self._attributes = dict(vars(module_from_source(MODULE, path, *folders, loader=_OneCompilation)))
        self._own_folder = folder.rstrip(os.sep) + os.sep
        self._modules_before = frozenset(sys.modules) if modules is None else modules
        self._has_started = False
        self._watched_code: CodeType | None = None

    def start(self, watcher: Watcher | None = None) -> ModuleType:
        """The module of the file, executed now. The files that it imports are executed again when it imports them.

        With a `watcher`, all these files report to it.
        """
        if self._has_started:
            self._forget_modules()
        self._has_started = True
        module = ModuleType(MODULE)
        vars(module).update(self._attributes)
        sys.modules[MODULE] = module  # a dataclass, for example, looks its module up here
        sys.modules.setdefault(os.path.splitext(os.path.basename(self.path))[0], module)
        _OneCompilation.present = watcher, self._own_folder
        code = self._code
        if watcher is not None:
            source = SourceLoader(MODULE, self.path).get_data(self.path)
            code = self._watched_code = self._watched_code or watched(watcher, source, self.path)
            vars(module)[WATCHER] = watcher
        exec(code, vars(module))
        return module

    def _forget_modules(self) -> None:
        """Removes what the submission has imported from its own files."""
        for name in sys.modules.keys() - self._modules_before:
            file = getattr(sys.modules[name], "__file__", None)
            if isinstance(file, str) and file.startswith(self._own_folder):
                del sys.modules[name]


class _OneCompilation(SourceLoader):
    """Compiles each file once, however often it is imported; and once more if it reports to the present watcher."""

    compiled: ClassVar[dict[tuple[str, bool], CodeType | None]] = {}
    present: ClassVar[tuple[Watcher | None, str]] = None, ""
    """The watcher of the program that has started last, and its folder."""

    def __init__(self, name: str, path: str) -> None:
        watcher, folder = self.present
        super().__init__(name, path, watcher)
        self.file = path.removeprefix(folder).replace(os.sep, "/")

    def get_code(self, fullname: str) -> CodeType | None:
        key = self.path, self.watcher is not None
        if key not in self.compiled:
            self.compiled[key] = super().get_code(fullname)
        return self.compiled[key]


class ImportState(NamedTuple):
    """The modules that Python has, and the lists that say where and how it looks for others."""

    modules: dict[str, ModuleType]
    settings: tuple[list[Any], list[Any], list[Any]]

    @classmethod
    def now(cls) -> Self:
        """A copy of the present state."""
        return cls(dict(sys.modules), (sys.path[:], sys.path_hooks[:], sys.meta_path[:]))

    def restore(self, forgets: Callable[[ModuleType], bool] = lambda module: True) -> None:
        """Makes this the present state again. A module that was imported since then stays unless `forgets` is true."""
        for name in sys.modules.keys() - self.modules.keys():
            if forgets(sys.modules[name]):
                del sys.modules[name]
        sys.modules.update(self.modules)
        sys.path[:], sys.path_hooks[:], sys.meta_path[:] = self.settings
        sys.path_importer_cache.clear()
