"""A small assignment and a small class for it, so that a whole class is graded in seconds."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.cases import loading
from autograder.cases.yaml_file import write
from autograder.course.grade import Progress, grade_class, take_in
from autograder.course.intake.submissions import find
from autograder.course.job import PackedGrader
from autograder.course.store import Store
from autograder.grading.grade import Grader
from autograder.judge.scorecard import Scorecard
from autograder.platforms import submission_api
from tests.written_files import write_files

ASSIGNMENT = """\
title: Trees
limits: {seconds: SECONDS, memory_mb: 512, output_kb: 64}
questions:
  - {id: q1, title: Minimax, part: MinimaxAgent, points: 4, role: search, reference: exhaustive, criteria: {value: 1}}
  - {id: q2, title: Expectimax, part: ExpectimaxAgent, points: 6, role: search, reference: exhaustive,
     criteria: {value: 1}}
"""
TREES = {
    "q1/01-first": "max\n  a: min\n    1: 3\n    2: 12\n  b: min\n    1: 2\n    2: 4\n",
    "q1/02-second": "max\n  a: min\n    1: -3\n    2: 5\n  b: min\n    1: 1\n    2: 9\n",
    "q1/03-third": "max\n  a: min\n    1: 7\n    2: 5\n  b: min\n    1: 6\n    2: 6\n",
    "q2/01-chance": "max\n  a: chance\n    1: 3\n    2: 12\n  b: chance\n    1: 2\n    2: 4\n",
}
RIGHT = """\
from agents.base import SearchAgent
from pacman import Layer, Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(a), plies - 1).value, a) for a in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)


class ExpectimaxAgent(SearchAgent):
    assumes = Layer.CHANCE

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.CHANCE:
            pairs = [(self.search(node.successor(a), plies - 1).value, p) for a, p in node.outcomes()]
            return Line(sum(value * p for value, p in pairs), None)
        lines = [Line(self.search(node.successor(a), plies - 1).value, a) for a in node.actions()]
        return max(lines, key=lambda line: line.value)
"""
MINIMAX = RIGHT.partition("\n\nclass ExpectimaxAgent")[0]
"""The first class alone."""
SUBMISSIONS: Mapping[str, str] = {
    "right": RIGHT,
    "deeper": RIGHT.replace("plies - 1", "plies"),
    "maximin": RIGHT.replace("node.layer is Layer.MAX else min", "node.layer is Layer.MIN else min"),
    "one_part": MINIMAX,
    "raises": RIGHT.replace("plies == 0 or", "plies == 1 / 0 or"),
    "syntax": "class MinimaxAgent(\n",
    "no_part": "x = 1\n",
    "loop": RIGHT.replace(
        "        if plies", "        while self.assumes is Layer.CHANCE:\n            pass\n        if plies"
    ),
}
"""Submissions, the endless loop last."""
DIAGNOSED = ("maximin", "raises")
"""The submissions of which the grader diagnoses a part, which takes longer than their cases."""


def write_assignment(folder: Path, seconds: float = 10) -> Path:
    """The folder with the small assignment."""
    about = {"kind": "tree", "shows": "a tree", "plies": 2}
    cases = {f"cases/{case}.yaml": write({**about, "tree": tree}) for case, tree in TREES.items()}
    return write_files(folder / "trees", {"assignment.yaml": ASSIGNMENT.replace("SECONDS", str(seconds)), **cases})


def write_class(folder: Path, copies: int = 1, loops: bool = True) -> Path:
    """A folder with the submissions, each `copies` times. Those that take long are in it once."""
    counts = dict.fromkeys(SUBMISSIONS, copies) | dict.fromkeys(DIAGNOSED, 1) | {"loop": int(loops)}
    files = {f"{name}-{copy}.py": f"{SUBMISSIONS[name]}# {copy}\n" for name in counts for copy in range(counts[name])}
    return write_files(folder, files)


def packed_grader(place: Path, api: str = "native") -> PackedGrader:
    """The grader of an assignment in a folder."""
    grader = Grader.of(loading.load(str(place)), 1, submission_api("native"))
    return PackedGrader.of(replace(grader, api=submission_api(api)))


@contextmanager
def threads() -> Iterator[Executor]:
    """Two workers in this process."""
    with ThreadPoolExecutor(2) as pool:
        yield pool


def graded(
    store: Store,
    submissions: Path,
    assignment: Path,
    workers: Any = threads,
    jobs: int = 2,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> dict[int, str]:
    """Grades a folder into the store, in this process."""
    packed = packed_grader(assignment)
    grader, steps = packed.unpack()
    intake = take_in(store, grader.assignment, find(submissions), {})
    left = [each for each in intake.submissions if each.work and getattr(each.result, "version", "") != steps.version]
    outcomes = grade_class(store, packed, left, workers, jobs, on_progress)
    return {work: outcome.failure for work, outcome in outcomes.items() if outcome.failure}


def rows(store: Store) -> dict[str, tuple[float, str, dict[str, float], object]]:
    """The newest result of each student, without what may differ from run to run."""
    by_work = {each.work: each.student.key for each in store.attempts("trees")}
    newest = {by_work[result.work]: result for result in store.results("trees")}
    return {
        key: (result.earned, result.reason, dict(result.cases), without_times(store.scorecard(result.id)))
        for key, result in newest.items()
    }


def without_times(card: Scorecard | None) -> object:
    """A scorecard with no seconds in it."""
    questions = [
        replace(question, cases=tuple(replace(case, seconds=0) for case in question.cases))
        for question in (card.questions if card else ())
    ]
    return card and replace(card, questions=tuple(questions), seconds=0, hidden_seconds=0)


def steps_of(path: Path) -> Counter[tuple[str, str]]:
    """How many rows there are for each student and step."""
    query = 'SELECT account, step."case", COUNT(*) FROM step JOIN work ON work.id = step.work GROUP BY 1, 2'
    with closing(sqlite3.connect(path)) as connection:
        return Counter({(key, case): count for key, case, count in connection.execute(query)})
