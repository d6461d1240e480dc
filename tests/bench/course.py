"""The time and the memory to grade a class, and to sum it up."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter

from autograder.case_strength.mutants import mutants
from autograder.cases import loading
from autograder.course.grade import Intake, summary
from autograder.course.intake.roster import Student
from autograder.course.marks.board import load_board
from autograder.course.records import Result
from autograder.course.store import Store
from autograder.sandbox.submission_files import SubmissionFiles
from tests.bench.figures import Figure, python, seconds_of

SUBMISSIONS, FEW, SEED = 300, 60, 1
STORED = 10_000
SHARES = {"right": 60, "wrong": 30, "broken": 8, "loop": 2}
"""Of a hundred submissions, how many are right, wrong, not importable or stubs, and endless loops."""
LOOP = "\n\nclass {}(SearchAgent):\n    def search(self, node, plies):\n        while True:\n            pass\n"
GRADE_ALL = """\
import json, resource, sys
from autograder.course import job
from autograder.__main__ import app
try:
    app(sys.argv[1:])
finally:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"peak": peak}), file=sys.stderr)
"""


def course(repeats: int) -> Iterator[Figure]:
    """The figures of a class. They take minutes, so `repeats` is not used."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        few, peak_of_few = _graded(write_class(folder / "few", FEW), folder / "few.db", 2)
        alone, _ = _graded(folder / "few", folder / "alone.db", 1)
        seconds, peak = _graded(write_class(folder / "class", SUBMISSIONS), folder / "class.db", 2)
        method = f"{SUBMISSIONS} submissions of multiagent, seed {SEED}, shares {SHARES}, with start and endless loops"
        yield Figure("a class, two workers", seconds, "s", method, "at most 200 and what the loops burn")
        yield Figure("two workers against one", alone / few, "times", f"{FEW} submissions", "at least 1.8 on two cores")
        flat = f"the peak of the process that hands out the work; with {FEW} submissions {peak_of_few:.0f} MB"
        yield Figure("memory of a class", peak, "MB", flat, "below 300 and flat")
        yield from _sum_up(folder / "large.db")


def _graded(submissions: Path, store: Path, jobs: int) -> tuple[float, float]:
    """The seconds to grade a folder in a new process, and that process's largest memory in MB."""
    options = ["--store", str(store), "--jobs", str(jobs)]
    command = python("-c", GRADE_ALL, "grade-all", str(submissions), *options)
    start_time = perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = perf_counter() - start_time
    assert done.returncode == 0, done.stderr
    return seconds, json.loads(done.stderr.splitlines()[-1])["peak"]


def _sum_up(path: Path) -> Iterator[Figure]:
    """The time to sum up many stored results, and to make the board of the class from them."""
    rng = Random(SEED)
    questions = {f"q{number}": (float(number), 6.0) for number in range(1, 6)}
    with Store.open(str(path), create=True) as store:
        for number in range(STORED):
            files = SubmissionFiles({"a.py": str(number).encode()})
            store.add_attempt(Student(str(number)), "multiagent", files, "2026-11-22T08:00:00Z")
            cases = {f"q{case // 20}/{case}": rng.choice((1.0, 1.0, 0.5)) for case in range(98)}
            mistakes = {name: [rng.choice(("ply-short", "equal-cut", "fault: time"))] for name in questions}
            values = {"cases": cases, "questions": questions, "mistakes": mistakes}
            store.add_result(Result(number + 1, "a", "g", number % 31, 30, **values), None)
        intake = Intake(tuple(store.attempts("multiagent")), (), (), ())
        assert len(intake.submissions) == STORED
        seconds = seconds_of(lambda: summary(intake, {}))
        yield Figure("the summary of a course", seconds, "s", f"{STORED:,} results with {len(cases)} cases", "1")
        seconds = seconds_of(lambda: load_board(store, "multiagent"))
    yield Figure("the board of a course", seconds, "s", f"{STORED:,} results of as many students", "1")


def write_class(folder: Path, count: int) -> Path:
    """A folder with `count` seeded submissions for multiagent."""
    rng = Random(SEED)
    assignment = loading.load("multiagent")
    assert assignment.solutions is not None
    assert assignment.stub is not None
    solutions = assignment.solutions.read_text(encoding="utf-8")
    parts = [question.part for question in assignment.questions if question.role == "search"]
    texts = {
        "right": [solutions],
        "wrong": [mutant.source for part in parts for mutant in mutants(solutions, part)],
        "broken": [
            *(assignment.stub.read_text(encoding="utf-8"), f"import torch\n{solutions}"),
            *(f"{solutions[:-40]}(\n", "x = 1"),
        ],
        "loop": [solutions + LOOP.format(part) for part in parts],
    }
    kinds = [kind for kind, share in SHARES.items() for _ in range(max(1, round(count * share / 100)))][:count]
    rng.shuffle(kinds)
    folder.mkdir()
    for number, kind in enumerate(kinds):
        text = f"{rng.choice(texts[kind])}\n# {number}\n"
        (folder / f"student{number:04d}.py").write_text(text, encoding="utf-8")
    return folder
