"""Shows a grading in the terminal while it runs: a line of progress, and a single case as soon as it is judged."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Self

from rich.console import Console
from rich.text import Text

from autograder.cases.case import Assignment, Case
from autograder.grading.grade import Recorder
from autograder.judge.scorecard import Scorecard


class ProgressLine(Recorder):
    """A line with the first question that is not finished, its finished cases, and the time so far.

    A context manager: the line is shown until the `with` block ends, if the console is a terminal. `print_case` prints
    the scorecard of a single case, before its question is diagnosed.

    >>> from autograder.cases import loading
    >>> assignment = loading.load("multiagent").only("q1", None)
    >>> progress = ProgressLine(assignment, Console(), clock=iter([0.0, 12.3]).__next__)
    >>> progress.record_case(assignment.cases[0])
    >>> print(progress.__rich__())
    q1 1/5, 12 s
    """

    def __init__(
        self,
        assignment: Assignment,
        console: Console,
        print_case: Callable[[Scorecard], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cases = {question.id: len(assignment.of(question)) for question in assignment.questions}
        self._finished: Counter[str] = Counter()
        self._clock, self._start = clock, clock()
        self._status = console.status(self) if console.is_terminal else None
        self._print_case = print_case

    def record_case(self, case: Case) -> None:
        """Counts a case as finished."""
        self._finished[case.question.id] += 1

    def record_scores(self, card: Scorecard) -> None:
        """Prints the single case, once; the line is hidden meanwhile."""
        if self._print_case:
            self.__exit__()
            self._print_case(card)
            self.__enter__()
            self._print_case = None

    def __rich__(self) -> Text:
        """The line, as it is now."""
        seconds = f"{self._clock() - self._start:.0f} s"
        for question, cases in self._cases.items():
            if self._finished[question] < cases:
                return Text(f"{question} {self._finished[question]}/{cases}, {seconds}")
        return Text(f"explaining the lost points, {seconds}")

    def __enter__(self) -> Self:
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._status:
            self._status.stop()
