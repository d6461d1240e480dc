"""A copy of an agent whose code reports to a watcher: the agent's file starts a second time, rewritten.

The copy has the agent's attributes. Objects, functions and enum members of the file among them become those of the
second start. So does what the file imports from its own folder; other modules stay as they are.
"""

from __future__ import annotations

import ast
import linecache
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from enum import Enum
from functools import partial
from inspect import isfunction, unwrap
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from agents.base import SearchAgent
from agents.load import imported_files
from pacman.core.state import GameState
from pacman.core.tree_text import Outline
from pacman.record.program import SourceFinder, SourceLoader, watched
from pacman.record.trace import CountedNode
from pacman.record.watcher import BELOW, WATCHER, Watcher

MAX_EVENTS = 300_000
"""The most events of a search in a window: some 15 for each of its nodes."""


@contextmanager
def watched_copy(agent: SearchAgent) -> Iterator[tuple[SearchAgent, Watcher]]:
    """A copy of `agent` and the watcher that its code reports to, which nothing else uses at the same time.

    If the source of its class is unknown, or cannot start again, the copy reports nothing.
    """
    kind = type(agent)
    with _LOCK:
        if kind not in _PROGRAMS:
            _PROGRAMS[kind] = _WatchedProgram(kind)
    program = _PROGRAMS[kind]
    with program.lock:
        yield program.copy_of(agent), program.watcher


class _WatchedProgram:
    """The second start of the file in which the class `kind` stands, or of the definitions in a notebook's cell."""

    def __init__(self, kind: type) -> None:
        self.lock = threading.RLock()
        self.watcher = Watcher([], _number_of, MAX_EVENTS, spare_frames=0)
        self._name = kind.__module__
        self._module = ModuleType(f"{self._name}@watched")  # with an @ it is no file that another file imports
        method = _method_of(kind)
        if method is None:
            return
        path = method.__code__.co_filename
        linecache.checkcache(path)
        source = "".join(linecache.getlines(path))
        try:
            if method.__code__ in _codes(compile(source, path, "exec", dont_inherit=True)):
                self._start(source, path, method.__globals__)
        except (Exception, SystemExit):  # a student's file may raise anything; then the copy reports nothing
            vars(self._module).clear()

    def _start(self, source: str, path: str, names: dict[str, Any]) -> None:
        """Runs the rewritten code. A script that runs now, and a cell, run only their functions and classes again."""
        is_module = self._name != "__main__" and Path(path).is_file()
        own_names = {key: value for key, value in names.items() if key.startswith("__") or not is_module}
        name = self._module.__name__
        vars(self._module).update({**own_names, "__name__": name, WATCHER: self.watcher})
        sys.modules[name] = self._module  # a dataclass, for example, looks its module up here
        code = watched(self.watcher, source if is_module else _definitions(source), path)
        with _watched_imports(Path(path), self.watcher):
            exec(code, vars(self._module))

    def copy_of(self, agent: SearchAgent) -> SearchAgent:
        """A copy of the agent in this program."""
        copied = copy(agent)
        vars(copied).update({name: self._moved(value) for name, value in vars(agent).items()})
        self._change_class(copied)
        return copied

    def _moved(self, value: Any) -> Any:
        """The same object in this program; an object that the file does not define stays as it is."""
        if isfunction(value):
            return self._twin(value) or value
        twin = self._twin(type(value))
        if twin is None:
            return value
        if isinstance(value, Enum):
            return twin[value.name]
        copied = copy(value)
        return copied if self._change_class(copied) else value

    def _change_class(self, value: Any) -> bool:
        """Gives an object the class of this program; False if that is not possible."""
        twin = self._twin(type(value))
        try:
            value.__class__ = twin
        except TypeError:  # there is none, or its objects have another form
            return False
        return True

    def _twin(self, definition: Any) -> Any:
        """The function or class of this program in the place of a definition of the file; None if there is none."""
        twin: Any = self._module if definition.__module__ == self._name else None
        for part in definition.__qualname__.split("."):
            twin = getattr(twin, part, None)
        return twin


_PROGRAMS: WeakKeyDictionary[type, _WatchedProgram] = WeakKeyDictionary()
_LOCK = threading.Lock()


def _number_of(value: Any) -> int | None:
    """The number of a node in a trace, BELOW for a position or a tree of no trace, None for another object."""
    if isinstance(value, CountedNode):
        return value.number
    return BELOW if isinstance(value, GameState | Outline) else None


def _method_of(kind: type) -> FunctionType | None:
    """A function of the class, without its decorators, from the module of the class; None if there is none."""
    bases = [base for base in kind.__mro__ if base.__module__ == kind.__module__]
    functions = [unwrap(value) for base in bases for value in vars(base).values() if isfunction(value)]
    own = [function for function in functions if function.__module__ == kind.__module__]
    return min(own, key=lambda function: "<locals>" in function.__qualname__, default=None)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and all inside it. One that is missing shows that the file has changed since its first start."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _definitions(source: str) -> str:
    """The functions and classes of a source, in their lines."""
    lines, new_lines = source.splitlines(), [""] * source.count("\n")
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            new_lines[first - 1 : node.end_lineno] = lines[first - 1 : node.end_lineno]
    return "\n".join(new_lines)


@contextmanager
def _watched_imports(path: Path, watcher: Watcher) -> Iterator[None]:
    """Inside, imports from the folder of a file give new modules that report to `watcher`; later the old ones."""

    folder = str(path.resolve().parent)
    before = {name: sys.modules.pop(name) for name in imported_files([path]).values()}
    finder = SourceFinder((folder,), partial(SourceLoader, watcher=watcher))
    sys.meta_path.insert(0, finder)
    sys.path.append(folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        sys.meta_path.remove(finder)
        for name in imported_files([path]).values():
            sys.modules.pop(name, None)
        sys.modules.update(before)
