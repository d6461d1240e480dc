"""The progress of a grading on the standard error, if that is a terminal: "q2 4/10, 12 s"."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

from rich.console import Console
from rich.text import Text

from autograder.cases.case import Assignment, Case


class Progress:
    """A line of text with the first question that is not finished, its finished cases, and the time so far.

    >>> from autograder.cases import loading
    >>> assignment = loading.load("multiagent").only("q1", None)
    >>> progress = Progress(assignment, clock=iter([0.0, 12.3]).__next__)
    >>> progress.count(assignment.cases[0])
    >>> print(progress.__rich__())
    q1 1/5, 12 s
    """

    def __init__(self, assignment: Assignment, clock: Callable[[], float] = time.monotonic) -> None:
        self._cases = {question.id: len(assignment.of(question)) for question in assignment.questions}
        self._finished: Counter[str] = Counter()
        self._clock = clock
        self._start = clock()

    def count(self, case: Case) -> None:
        """Counts a case as finished."""
        self._finished[case.question.id] += 1

    def __rich__(self) -> Text:
        """The line, as it is now."""
        seconds = f"{self._clock() - self._start:.0f} s"
        for question, cases in self._cases.items():
            if self._finished[question] < cases:
                return Text(f"{question} {self._finished[question]}/{cases}, {seconds}")
        return Text(f"explaining the lost points, {seconds}")


class ProgressLine(Progress):
    """The line on a console. A context manager: the line is shown until the `with` block ends."""

    def __init__(self, assignment: Assignment, console: Console) -> None:
        super().__init__(assignment)
        self._status = console.status(self) if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._status:
            self._status.stop()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hides the line while something else is printed."""
        self.__exit__()
        yield
        self.__enter__()
