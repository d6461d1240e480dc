"""Runs a student's file in this process, without a sandbox, so that breakpoint() and print() work as usual."""

from __future__ import annotations

import ast
import json
import random
import sys
import time
import traceback
from bdb import BdbQuit
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self, cast

from agents.base import NotWritten
from autograder.cases.case import Limits
from autograder.grading.debugger import DebuggerQuit, is_own, student_debugger
from autograder.sandbox import Sandbox, SessionBroken
from autograder.sandbox.process_session import read_fault
from autograder.student_process.allowed_imports import is_refused
from autograder.student_process.import_state import ImportState
from autograder.student_process.native_api import NativeApi
from autograder.student_process.plain_values import ForbiddenImport, SubmissionError
from autograder.student_process.request_handler import RequestHandler
from autograder.student_process.submission_program import SubmissionProgram


class OwnProcess:
    """The student's process and the session with it in one: `run_case.run` gets it in place of a `Sandbox`.

    A context manager, for the session. `error` is what the student's code raised, with its traceback.
    """

    processor_seconds = 0.0
    idle_seconds = 0.0
    output = ""
    """What the student's code prints goes to the standard output, not here."""

    def __init__(self, path: Path, api: str) -> None:
        self.path = path
        self.api = api
        self.elapsed = 0.0
        self.error: BaseException | None = None
        self._handler = _Handler(api)

    @property
    def sandbox(self) -> Sandbox:
        """This object, for functions that expect a sandbox. It has the two methods that `run_case.run` calls."""
        return cast(Sandbox, self)

    @property
    def part(self) -> Any:
        """The student's agent; for an evaluation, an agent that searches with it."""
        return self._handler.part

    @property
    def student_api(self) -> NativeApi:
        """How the part is called."""
        return self._handler.api

    def session(self, seconds: float) -> Self:
        """This object. There is no time limit."""
        return self

    def load_part(self, session: Self, role: str, part: str, rounds: int, seed: str = "0/0") -> None:
        """Imports the student's file and creates one of its parts. SessionBroken on a fault."""
        path, folder = str(self.path), str(self.path.parent)
        self.ask("load_part", path=path, folder=folder, role=role, part=part, rounds=rounds, seed=seed)

    def __enter__(self) -> Self:
        self._start = time.monotonic()
        return self

    def __exit__(self, *raised: object) -> None:
        self.elapsed = time.monotonic() - self._start

    def ask(self, question: str, **arguments: Any) -> dict[str, Any]:
        """The reply to one question. SessionBroken if the student's code raises anything but KeyboardInterrupt.

        DebuggerQuit if the student leaves the debugger.
        """
        try:
            reply: dict[str, Any] = json.loads(json.dumps(self._handler.answer({"question": question, **arguments})))
            return reply
        except KeyboardInterrupt:
            raise
        except BdbQuit:
            raise DebuggerQuit from None
        except BaseException as error:
            self.error = error
            raise SessionBroken(read_fault(self._handler.fault(error), Limits())) from None


class _Handler(RequestHandler):
    """Answers the questions. Modules stay importable, for this process; the file has its real path, for a debugger."""

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        self.path, self.folder, self.during = request["path"], request["folder"], "while importing"
        self.text = Path(self.path).read_bytes()
        self.api.prepare(forbids=False)
        random.seed("0/0")
        code = compile(self.text, self.path, "exec", dont_inherit=True)
        if refused := _refused_import(self.text):
            raise ForbiddenImport(f"imports {refused}, which a submission may not use")
        self.program = SubmissionProgram(self.path, self.folder, code)
        self.module = self.program.start()
        return {}


def _refused_import(text: bytes) -> str:
    """The first module in the import statements of a file that graded code may not import; "" if there is none."""
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in filter(is_refused, names):
            with suppress(ImportError):  # what is no module has its own error
                if find_spec(name):
                    return name
    return ""


@contextmanager
def own_process(path: Path, api: str) -> Iterator[OwnProcess]:
    """Runs the student's file in this process until the `with` block ends; then Python's modules are as before."""
    before, path = ImportState.now(), path.resolve()
    sys.path.append(str(path.parent))
    try:
        with student_debugger(path):
            yield OwnProcess(path, api)
    finally:
        # A Berkeley-style file has replaced our package `pacman`. Libraries stay.
        before.restore(lambda module: str(getattr(module, "__file__", "")).startswith(str(path.parent)))


def error_text(error: BaseException, path: Path) -> str:
    """The traceback of an error in the student's code, with only the lines of the student's own files.

    "" if no such line raised or called it: then the report says everything, for example that a part is missing.
    """
    if isinstance(error, SubmissionError | NotWritten | ForbiddenImport):
        return ""
    whole = traceback.TracebackException.from_exception(error)
    whole.stack = traceback.StackSummary.from_list([frame for frame in whole.stack if is_own(frame.filename, path)])
    return "".join(whole.format()) if whole.stack or isinstance(error, SyntaxError) else ""
