"""Asks the search in one file questions about trees, for tests and for trying an examination.

    with ask_part("student.py", "MinimaxAgent") as ask:
        replies = ask([TreeQuestion(Outline.parse("max\\n  a: 3\\n  b: 5"), plies=1)])
        replies[0].claim.value

It is the way of a real grading, but the student's process has no walls, so that it starts fast: only for code that you
trust. A Berkeley-style file needs `api="cs188"`. In both APIs one process answers all questions until the `with` block
ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from autograder.cases.case import Limits, Question
from autograder.judge.examination.asking import Ask
from autograder.sandbox import Level, Sandbox, SandboxCheck, submission_files
from autograder.sandbox.fork_server import Walls
from autograder.sandbox.questioner import SECONDS, questioner

NO_WALLS = SandboxCheck(Level.LIMITS, Walls())


@contextmanager
def ask_part(
    path: str | Path,
    part: str,
    api: str = "native",
    seconds: float = SECONDS,
    helpers: Sequence[Path] = (),
    sandbox_check: SandboxCheck = NO_WALLS,
) -> Iterator[Ask]:
    """A function that asks the class `part` of the Python file at `path`, which may import the files `helpers`."""
    question = Question(
        id="q", title="Questions", part=part, points=1, role="search", reference="exhaustive", criteria={"value": 1}
    )
    files = submission_files.read(Path(path), helpers)
    with Sandbox(files, Limits(), sandbox_check, api) as sandbox:
        sandbox.main_file = files.requested_file
        sandbox.parse_files([sandbox.main_file], seconds)
        with questioner(sandbox, question, seconds) as ask:
            yield ask
