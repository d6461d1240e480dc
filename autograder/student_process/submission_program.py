"""The program of a submission, which can start again and again in one process. Each start executes its files anew."""

from __future__ import annotations

import importlib.util
import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import ClassVar

from autograder.student_process.native_api import MODULE


class SubmissionProgram:
    """The file of a submission at `path` with its compiled `code`, and the other files in `folder` that it imports.

    `modules` are the names of those that stay at a new start, by default all that are imported now.
    """

    def __init__(self, path: str, folder: str, code: CodeType, modules: frozenset[str] | None = None) -> None:
        self.path = path
        self._code = code
        spec = importlib.util.spec_from_file_location(MODULE, path)
        assert spec is not None
        self._attributes = dict(vars(importlib.util.module_from_spec(spec)))
        self._own_folder = folder.rstrip(os.sep) + os.sep
        self._modules_before = frozenset(sys.modules) if modules is None else modules
        self._has_started = False
        sys.path_hooks.insert(0, self._finder)

    def start(self) -> ModuleType:
        """The module of the file, executed now. The files that it imports are executed again when it imports them."""
        if self._has_started:
            self._forget_modules()
        self._has_started = True
        module = ModuleType(MODULE)
        vars(module).update(self._attributes)
        sys.modules[MODULE] = module  # a dataclass, for example, looks its module up here
        sys.modules.setdefault(os.path.splitext(os.path.basename(self.path))[0], module)
        exec(self._code, vars(module))
        return module

    def _forget_modules(self) -> None:
        """Removes what the submission has imported from its own files."""
        for name in sys.modules.keys() - self._modules_before:
            file = getattr(sys.modules[name], "__file__", None)
            if isinstance(file, str) and file.startswith(self._own_folder):
                del sys.modules[name]

    def _finder(self, folder: str) -> FileFinder:
        """The finder of modules in a folder of the submission. ImportError for another folder."""
        if not (folder.rstrip(os.sep) + os.sep).startswith(self._own_folder):
            raise ImportError("not a folder of the submission")
        return FileFinder(folder, (_OneCompilation, SOURCE_SUFFIXES))


class _OneCompilation(SourceFileLoader):
    """Compiles each file once, however often it is imported."""

    compiled: ClassVar[dict[str, CodeType]] = {}

    def get_code(self, fullname: str) -> CodeType | None:
        code = self.compiled.get(self.path) or super().get_code(fullname)
        if code is not None:
            self.compiled[self.path] = code
        return code
