"""What a grading needs of whatever runs a submission: a process behind walls, or this process.

`Sandbox` and `in_process.InProcess` are the two runners.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

from autograder.cases.case import Limits
from autograder.judge.submission_answer import Fault, clean
from autograder.sandbox.reader import UNREADABLE
from autograder.sandbox.submission_files import MAX_BYTES, SubmissionFiles
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.messages import BadFrame
from autograder.student_process.plain_values import KINDS

T = TypeVar("T")


class SessionBroken(Exception):
    """The session with a submission is over because of the submission; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class Session(ABC):
    """Requests to a submission, and the replies. A context manager: call `ask` inside the `with` block."""

    elapsed: float = 0.0
    """Seconds from the start to the end of the `with` block."""
    processor_seconds: float = 0.0
    """The processor time that the process used, after the `with` block. 0 where it is not measured."""
    idle_seconds: float = 0.0
    """How long the process did nothing while the grader waited for its replies, after the `with` block."""
    output: str = ""
    """The text that the submission printed; of a text over the limit, the end. Known after the `with` block."""

    def __init__(self, seconds: float, limits: Limits) -> None:
        self.seconds, self.limits = seconds, limits

    @abstractmethod
    def __enter__(self) -> Self: ...

    @abstractmethod
    def __exit__(self, *raised: object) -> None: ...

    def ask(self, question: str, **arguments: Any) -> dict[str, Any]:
        """The reply to one question (a method of `student_process.request_handler.RequestHandler`).

        SessionBroken if no valid reply comes in time, or if the reply reports a fault: this is the submission's doing.
        Any other exception is the grader's.
        """
        return next(iter(self.ask_all(question, [arguments])))

    @abstractmethod
    def ask_all(self, question: str, arguments: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The reply to the question with each of the arguments, in order. SessionBroken as in `ask`."""


class Runner(ABC):
    """Runs one submission, in one session after another. Each begins with nothing of the submission loaded."""

    def __init__(self, submission: SubmissionFiles, limits: Limits, api: str) -> None:
        self.submission, self.limits, self.api = submission, limits, api
        self.folder = Path()
        """The folder with the files of the submission."""
        self.main_file = ""
        """The file to grade, one of `submission.files`. The caller sets it before it loads a part."""
        self.bytecode: dict[str, str] = {}

    @abstractmethod
    def session(self, seconds: float, waiting: float = 0.0) -> Session:
        """A new session. All its requests together may take `seconds` of processor time, and wait some more."""

    def load(self, session: Session, counts_lines: bool = False) -> None:
        """Imports the submission. SessionBroken if the import fails.

        `counts_lines`: of a loop that never ends, the fault then says where it is.
        """
        session.ask("load", **self._file(), counts_lines=counts_lines)

    def load_part(
        self, session: Session, role: str, part: str, rounds: int, arguments: Mapping[str, str | float] | None = None
    ) -> None:
        """Imports the submission and creates one of its parts, with these arguments. SessionBroken on a fault."""
        session.ask("load_part", role=role, part=part, rounds=rounds, arguments=dict(arguments or {}), **self._file())

    def _file(self) -> dict[str, Any]:
        path, code = str(self.folder / self.main_file), self.bytecode.get(self.main_file, "")
        return {"path": path, "folder": str(self.folder), "code": code}

    def parse_files(self, names: Sequence[str], seconds: float) -> list[dict[str, Any]]:
        """One dict per file: the `names` that it defines at top level; or `error` and `line` if it is not valid Python.

        An empty list if the reply does not have this form.
        """
        with self.session(seconds) as session:
            reports: Any = session.ask("parse_files", files=[str(self.folder / name) for name in names]).get("files")
        if type(reports) is not list or len(reports) != len(names) or any(type(each) is not dict for each in reports):
            return []
        # That session ran no code of the submission. The grader only passes the bytecode on and never reads it.
        self.bytecode = {name: str(each.get("code", "")) for name, each in zip(names, reports, strict=True)}
        return reports


def attempt(session: Session, dialogue: Callable[[], T]) -> T | Fault:
    """The result of `dialogue()`, which uses the session, or the fault of the submission that ended the session."""
    try:
        with session:
            return dialogue()
    except SessionBroken as broken:
        return broken.fault


@contextlib.contextmanager
def ends_if_unreadable() -> Iterator[None]:
    """Ends the session, as a fault of the submission, if a reply that is read inside has another form than expected."""
    try:
        yield
    except BadFrame as error:
        raise SessionBroken(unreadable(error)) from None


def unreadable(problem: object) -> Fault:
    """The fault of a submission whose answer has another form than expected."""
    return Fault(FaultKind.UNREADABLE, f"{UNREADABLE}: {problem}")


def shown_output(end: bytes, printed: int, limits: Limits) -> str:
    """The end of what a submission printed, as text; if that is not all, with a first line that says so."""
    lines = [clean(line) for line in end.decode("utf-8", "replace").splitlines()]
    if printed > len(end):
        lines.insert(0, f"... cut: {printed:,} bytes were printed; these are the last {limits.output_kb} kB")
    return "\n".join(lines)


_KINDS = {kind.value: kind for kind in (*KINDS.values(), FaultKind.RAISED)}
"""The kinds that a process can report; any other one counts as RAISED."""


def read_fault(report: Any, limits: Limits) -> Fault:
    """The fault that a student's process reports, as one line for the student."""
    if type(report) is not dict:
        return Fault(FaultKind.UNREADABLE, UNREADABLE)
    kind = _KINDS.get(str(report.get("kind")), FaultKind.RAISED)
    name, message = clean(report.get("type", "")), clean(report.get("message", ""))
    line, text, during = report.get("line"), clean(report.get("text", ""), 120), clean(report.get("during", ""), 60)
    file = clean(report.get("file", ""), 60)
    where = (
        f" ({f'{file}, ' if file else ''}line {line}: {text})" if type(line) is int and 0 < line <= MAX_BYTES else ""
    )
    place = f"{name} at {file}:{line}" if where else name
    advice = clean(report.get("advice", ""))
    line_or_time = where or f" {during}"
    texts = {
        FaultKind.MISSING_PACKAGE: f"imports '{message}', which is not available in the sandbox{where}",
        FaultKind.EXIT: f"called sys.exit({message}) {during}{where}",
        FaultKind.MEMORY: f"needs more memory than the limit of {limits.memory_mb} MB{line_or_time}",
        FaultKind.RAISED: (f"{name}: {message}" if message else name) + line_or_time,
        FaultKind.TIME: f"{message}{line_or_time}",
    }
    if kind in (FaultKind.MISSING_PART, FaultKind.NOT_WRITTEN):
        return Fault(kind, message, clean(report.get("part", ""), 60), advice)
    text = texts.get(kind, f"{message}{where}")
    # That a case has no time left is known from the grader's clock only. (Of a watched search, see `read_run`.)
    return Fault(FaultKind.RAISED if kind is FaultKind.TIME else kind, text, place, advice)
