"""Runs a submission in this process, without walls and without a limit of time: only the user's own code.

breakpoint() and Ctrl-C work as usual. The command `case`, the lab and tests use it; points count only from a sandbox.
"""

from __future__ import annotations

import contextlib
import os
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from agents.base import NotWritten
from autograder.cases.case import Limits
from autograder.sandbox.runner import Runner, Session, SessionBroken, ends_if_unreadable, read_fault, shown_output
from autograder.sandbox.submission_files import SubmissionFiles
from autograder.student_process.allowed_imports import is_refused
from autograder.student_process.messages import MAX_REPLY, PREFIX, BadFrame, decode, encode
from autograder.student_process.plain_values import ForbiddenImport, SubmissionError
from autograder.student_process.request_handler import RequestHandler
from autograder.student_process.tree_questions import COUNT, Output, printed
from pacman.play.own_code import frames_of, is_other_code
from pacman.record.program import ImportState


class InProcess(Runner):
    """The runner of the files that are in `folder`.

    `on_error` gets each error of the submission before it becomes a fault, and may raise another one. `echo` gets what
    the submission prints; without it, this goes to the standard output and is not kept.
    """

    def __init__(
        self,
        submission: SubmissionFiles,
        folder: Path,
        limits: Limits,
        api: str,
        on_error: Callable[[BaseException], None] = lambda error: None,
        echo: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(submission, limits, api)
        self.folder, self.on_error, self.echo = folder, on_error, echo

    @classmethod
    def of_file(cls, path: Path, api: str, on_error: Callable[[BaseException], None] = lambda error: None) -> Self:
        """The runner of one file where it is. It can import the other files of its folder."""
        path = path.resolve()
        runner = cls(SubmissionFiles({}, path.name), path.parent, Limits(), api, on_error)
        runner.main_file = path.name
        return runner

    def session(self, seconds: float, waiting: float = 0.0) -> InProcessSession:
        """A new session. Nothing limits its time."""
        return InProcessSession(self, seconds)


class InProcessSession(Session):
    """Requests to a submission in this process. Between two of them, Python's modules are those of the grader."""

    def __init__(self, runner: InProcess, seconds: float) -> None:
        super().__init__(seconds, runner.limits)
        self.runner = runner
        self._printed = Output(bytearray(COUNT + (runner.limits.output_kb << 10)), runner.echo)
        self._stream = self._printed.as_stream()  # one for all requests: when a stream goes, it closes its file
        self._start_time = time.monotonic()
        self._imports = ImportState.now()
        with self.inside():
            self.handler = RequestHandler(runner.api)
            self.handler.api.prepare()

    def __enter__(self) -> Self:
        self._start_time = time.monotonic()
        return self

    def __exit__(self, *raised: object) -> None:
        self.elapsed = time.monotonic() - self._start_time
        self.output = shown_output(*printed(bytes(self._printed.memory)), self.limits)

    def ask(self, question: str, **arguments: Any) -> dict[str, Any]:
        """The reply to one question. SessionBroken if the submission raises an error, unless `on_error` raises one."""
        try:
            with self.inside():
                reply = self.handler.answer({"question": question, **arguments})
        except BaseException as error:  # whatever a submission raises, even SystemExit, is its answer
            self.runner.on_error(error)
            reply = {"fault": self.handler.fault(error)}
        with ends_if_unreadable():
            try:
                reply = decode(encode(reply, MAX_REPLY)[PREFIX:])
            except ValueError as error:
                raise BadFrame(str(error)) from None
        if "fault" in reply:
            raise SessionBroken(read_fault(reply["fault"], self.limits))
        return reply

    def ask_all(self, question: str, arguments: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The reply to the question with each of the arguments, in order."""
        return (self.ask(question, **each) for each in arguments)

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """Inside, the submission has the modules and the output that it would have in a process of its own.

        Afterwards its own modules and those of its API are gone. Libraries stay, as numpy must.
        """
        graders = ImportState.now()
        places = [(name.rpartition("."), module) for name, module in graders.modules.items() if is_refused(name)]
        refused = [(vars(graders.modules[above]), name, each) for (above, _, name), each in places if above]
        try:
            self._imports.restore(lambda module: is_refused(module.__name__))
            for names, name, _ in refused:  # `from pacman import search` would find it there without an import
                names.pop(name, None)
            with contextlib.ExitStack() as stack:
                if self.runner.echo:
                    stack.enter_context(contextlib.redirect_stdout(self._stream))
                    stack.enter_context(contextlib.redirect_stderr(self._stream))
                yield
        finally:
            self._imports = ImportState.now()
            graders.restore(self._is_own)
            for names, name, module in refused:
                names[name] = module
            with contextlib.suppress(ValueError, OSError):  # the submission may have closed it
                self._stream.flush()

    def _is_own(self, module: ModuleType) -> bool:
        """True for a module of the submission, and for one without a specification: its API made that."""
        file = str(getattr(module, "__file__", None) or "")
        return getattr(module, "__spec__", None) is None or file.startswith(f"{self.runner.folder}{os.sep}")


MOST_LINES, SHOWN_CALLS = 100, 5
"""Of the calls in a traceback with more lines, so many of its beginning and of its end are shown."""


def is_own(name: str, file: Path) -> bool:
    """True for the name of the user's `file`, as code has it, or of another file of the user in its folder."""
    file = file.resolve()
    return name == str(file) or (name.startswith(f"{file.parent}{os.sep}") and not is_other_code(name))


def error_text(error: BaseException, path: Path) -> str:
    """The traceback of an error in the user's code, with only the lines of the user's own files.

    "" if no such line raised or called it: then the report says everything, for example that a part is missing.
    """
    if isinstance(error, SubmissionError | NotWritten | ForbiddenImport):
        return ""
    whole = traceback.TracebackException.from_exception(error)
    own = [frame for frame in frames_of(error) if is_own(frame.filename, path)]
    whole.stack, note = traceback.StackSummary.from_list(own), ""
    if sum(len(each.splitlines()) for each in whole.stack.format()) > MOST_LINES:  # Python folds only equal lines
        whole.stack = traceback.StackSummary.from_list([*own[:SHOWN_CALLS], *own[-SHOWN_CALLS:]])
        note = f"The first {SHOWN_CALLS} and the last {SHOWN_CALLS} of {len(own):,} calls:\n"
    return note + "".join(whole.format()) if own or isinstance(error, SyntaxError) else ""
