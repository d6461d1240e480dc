"""The program of a submission, which can start again and again in one process. Each start executes its files anew."""

from __future__ import annotations

import os
import sys
from types import CodeType, ModuleType
from typing import ClassVar

from autograder.student_process.native_api import MODULE
from pacman.record.program import SourceLoader, module_from_source
from pacman.record.watcher import WATCHER, Watcher


class SubmissionProgram:
    """The file of a submission at `path` with its compiled `code`, and the other files in `folder` that it imports.

    `modules` are the names of those that stay at a new start, by default all that are imported now.
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
        _OneCompilation.watcher, _OneCompilation.folder = watcher, self._own_folder
        code = self._code
        if watcher is not None:
            code = self._watched_code = self._watched_code or _watched(watcher, self.path, "", _read(self.path))
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
    """Compiles each file once, however often it is imported; and once more if it reports to a watcher."""

    compiled: ClassVar[dict[tuple[str, bool], CodeType]] = {}
    watcher: ClassVar[Watcher | None] = None
    folder: ClassVar[str] = ""

    def get_code(self, fullname: str) -> CodeType | None:
        key = self.path, self.watcher is not None
        code = self.compiled.get(key)
        if code is None and self.watcher is not None:
            code = _watched(self.watcher, self.path, self.path.removeprefix(self.folder), self.get_data(self.path))
        elif code is None:
            code = super().get_code(fullname)
        if code is not None:
            self.compiled[key] = code
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Executes the file, which finds its watcher among its global names."""
        if self.watcher is not None:
            vars(module)[WATCHER] = self.watcher
        super().exec_module(module)


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


def _watched(watcher: Watcher, path: str, file: str, source: bytes) -> CodeType:
    """The code of a file that reports to the watcher; `file` is its name for people."""
    from pacman.record.rewriting import watched_code  # `ast` is needed only here

    watcher.paths.add(path)
    return watched_code(source, path, watcher.functions, file)
