"""Asks the search in one file questions about trees, for tests and for trying a diagnosis.

    with ask_here("student.py", "MinimaxAgent") as ask:
        runs = ask([Search(Outline.parse("max\\n  a: 3\\n  b: 5"), plies=1)])
        runs[0].claim.value

`ask_here` runs the search in this process, like the lab in the browser, so that it starts fast: only for code that you
trust and that ends. `ask_part` is the way of a real grading, in a process of its own, but without walls. A
Berkeley-style file needs `api="cs188"`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.cases.case import Limits, Question
from autograder.sandbox import Level, Sandbox, SandboxCheck, submission_files
from autograder.sandbox.fork_server import Walls
from autograder.sandbox.in_process import InProcess, InProcessSession
from autograder.sandbox.watch import SECONDS, PartProcess, questioner

NO_WALLS = SandboxCheck(Level.LIMITS, Walls())


@contextmanager
def ask_here(path: str | Path, part: str, api: str = "native") -> Iterator[PartProcess]:
    """A function that asks the class `part` of the Python file at `path`, in this process."""
    files = submission_files.read(Path(path), ())
    sandbox = _RunnerHere(files, Path(path).parent.resolve(), Limits(), api, echo=lambda text: None)
    sandbox.main_file = files.requested_file
    with questioner(sandbox, _question(part)) as ask:
        yield ask


class _RunnerHere(InProcess):
    def session(self, seconds: float, waiting: float = 0.0) -> InProcessSession:
        return _SessionHere(self, seconds)


class _SessionHere(InProcessSession):
    def ask_all(self, question: str, arguments: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """All replies, without a change of modules and without JSON between them."""
        with self.inside():
            return iter([self.handler.answer({"question": question, **each}) for each in arguments])


@contextmanager
def ask_part(
    path: str | Path,
    part: str,
    api: str = "native",
    seconds: float = SECONDS,
    helpers: Sequence[Path] = (),
    sandbox_check: SandboxCheck = NO_WALLS,
) -> Iterator[PartProcess]:
    """As `ask_here`, in a process of its own. The file may import the files `helpers`."""
    files = submission_files.read(Path(path), helpers)
    with Sandbox(files, Limits(), sandbox_check, api) as sandbox:
        sandbox.main_file = files.requested_file
        sandbox.parse_files([sandbox.main_file], seconds)
        with questioner(sandbox, _question(part), seconds) as ask:
            yield ask


def _question(part: str) -> Question:
    return Question(
        id="q", title="Questions", part=part, points=1, role="search", reference="exhaustive", criteria={"value": 1}
    )
