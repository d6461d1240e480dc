"""The debugger of `case`: it stops only in the student's code, and `p node` draws the node."""

from __future__ import annotations

import pdb
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from agents.cs188.position import PositionState
from agents.cs188.tree import TreeState
from autograder.sandbox.in_process import is_own
from pacman.core.state import GameState
from pacman.core.tree import NodeWrapper
from pacman.core.tree_text import Outline
from pacman.environment import variables

Stack = list[tuple[FrameType, int]]


class DebuggerQuit(KeyboardInterrupt):
    """The student has left the debugger, so the case has no result. Like Ctrl-C, it is no error of the code."""


class StudentDebugger(pdb.Pdb):
    """Pdb, with the frames of the student's `file` and of the files in its folder."""

    def __init__(self, file: Path) -> None:
        super().__init__(skip=("*",))  # so that Bdb asks `is_skipped_module`
        self._file = file

    def get_stack(self, f: FrameType | None, t: TracebackType | None) -> tuple[Stack, int]:
        """The student's own frames and the number of the current one, for `w`, `u` and `d`; all if there are none."""
        stack, index = super().get_stack(f, t)
        own = [entry for entry in stack if self._is_own(entry[0].f_code.co_filename)]
        return (own, own.index(stack[index]) if stack[index] in own else len(own) - 1) if own else (stack, index)

    def is_skipped_module(self, module_name: str | None) -> bool:
        """True for a module that is not the student's: `n` and `s` do not stop in it."""
        return not self._is_own(getattr(sys.modules.get(module_name or ""), "__file__", None) or "<unknown>")

    def _is_own(self, file: str) -> bool:
        return is_own(file, self._file)

    def displayhook(self, obj: object) -> None:
        """Shows the value of an expression."""
        if obj is not None:
            self.message(_shown(obj, repr))

    def _msg_val_func(self, arg: str, func: Callable[[Any], str]) -> None:
        """Shows the value of an argument of `p` and `pp`."""
        super()._msg_val_func(arg, lambda value: _shown(value, func))  # type: ignore[misc]


def _shown(value: object, to_text: Callable[[object], str]) -> str:
    """The value as text. A node is drawn, with its layer."""
    node = value._state if isinstance(value, PositionState) else value._node if isinstance(value, TreeState) else value
    if not isinstance(node, NodeWrapper | Outline | GameState):
        return to_text(value)
    layer = "the end of the game" if node.is_terminal else f"a {node.layer!r} node"
    return f"{layer}:\n{node}"


@contextmanager
def student_debugger(file: Path) -> Iterator[None]:
    """In the `with` block, `breakpoint()` opens the debugger of `case`, unless the user has chosen another one."""
    if "PYTHONBREAKPOINT" in variables():
        yield
        return

    def stop(*_: object, **__: object) -> None:
        if sys.breakpointhook is stop:  # `case` takes it away where a search runs again, for the window
            StudentDebugger(file).set_trace(sys._getframe().f_back)

    hook, sys.breakpointhook = sys.breakpointhook, stop
    set_trace, pdb.set_trace = pdb.set_trace, stop
    try:
        yield
    finally:
        sys.breakpointhook, pdb.set_trace = hook, set_trace
