"""A class is graded once, whatever happens meanwhile; after a change, only what the change touches runs again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from autograder.cases import loading
from autograder.cases.case import Case
from autograder.cases.yaml_file import write
from autograder.course import job
from autograder.course.grade import Progress
from autograder.course.intake import submissions as exported
from autograder.course.job import Outcome
from autograder.course.records import Result, Step
from autograder.course.store import Store
from autograder.grading.grade import grade
from autograder.judge.submission_answer import COMPUTED, Answer
from autograder.sandbox import Sandbox, run_case
from autograder.sandbox.fork_server import NotStarted
from pacman.play.worker_pool import WorkerEnded
from tests.command_line import run_here
from tests.course import small_class
from tests.course.small_class import graded, rows, steps_of
from tests.paths import ROOT


@pytest.fixture
def assignment(tmp_path: Path) -> Path:
    return small_class.write_assignment(tmp_path)


def test_a_class_has_the_points_of_each_submission_by_itself(
    assignment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the command says what became of each student, also of those that are in no roster or in it alone."""
    folder, path = small_class.write_class(tmp_path / "class", loops=False), tmp_path / "class.db"
    (folder / "notes.txt").write_text("x")
    (folder / "Right-0.zip").write_bytes(b"x")
    roster = "key,name,due week9,received\none_part-0,Ada,2026-11-22T12:00Z,2026-11-22T12:00Z\nabsent,Bo\n"
    (tmp_path / "roster.csv").write_text(roster)
    with (assignment / "assignment.yaml").open("a") as file:
        file.write("due: 2026-11-22T23:59Z\n")
    options = ["--roster", str(tmp_path / "roster.csv"), "--jobs", "1"]
    monkeypatch.setattr("autograder.course.workers.local_workers", ThreadPoolExecutor)
    monkeypatch.setattr("autograder.grading.grade.needs_diagnosis", lambda *arguments: False)  # it takes long
    done = run_here("autograder", *command(folder, assignment, path, *options))
    assert done.returncode == 2
    said, lines = done.stderr.splitlines(), done.stdout.splitlines()
    assert said[:2] == [f"{folder}: 7 submissions, format plain", "  not a submission: notes.txt"]
    assert lines[0] == "7 submissions: 4 graded, 2 not graded (0 points), 1 without a result"
    same = "'Right-0.zip' and 'right-0.py'; keep one of them"
    assert f"  Right-0, not in the roster: no result: 2 submissions of one student: {same}" in lines
    assert "1 student of the roster without a submission: absent (Bo)" in lines
    assert "  not used yet: due week9 of the roster: the store has no such assignment; due is for all" in said
    late = "  5 submissions without a time of receipt: not late, whatever `due` says; the roster may say it in a column"
    assert [line.count(", ") for line in said if line.startswith(f"{late} received, or ")] == [6], "it names all five"
    unknown = "6 students not in the roster: deeper-0, maximin-0, no_part-0, raises-0, right-0 and 1 more"
    assert unknown in done.stdout.lower().splitlines()
    assert f"  {unknown}" in done.stderr.lower().splitlines()[:3]  # before anything is graded
    assert sum(int(line[12:].split()[0]) for line in lines[lines.index("points by the grader") + 1 :]) == 4
    (folder / "Right-0.zip").unlink()
    seen: list[Progress] = []
    with Store.open(str(path)) as store:
        assert store.fact("unread trees") == ["right-0"]
        assert graded(store, folder, assignment, on_progress=seen.append) == {}
        found = rows(store)
    assert seen == [Progress(1, 1, 0)]
    assert {key for key, row in found.items() if row[1]} == {"syntax-0", "no_part-0"}
    assert "not valid Python" in found["syntax-0"][1]
    loaded = loading.load(str(assignment))
    alone = {key: grade(folder / f"{key}.py", loaded, jobs=1).earned for key, row in found.items() if not row[1]}
    assert alone == {key: row[0] for key, row in found.items() if not row[1]}
    assert (alone["right-0"], alone["maximin-0"] < 10, len(alone)) == (10, True, 5)
    with (assignment / "assignment.yaml").open("a") as file:
        file.write("late_per_day: 10%\n")
    dates = "  new dates: 2026-11-22T23:59Z, 10%; gradebook and feedback use them now, for all students"
    (tmp_path / "roster.csv").write_text(roster.replace(",2026-11-22T12:00Z\nabsent", ",\nabsent"))
    again = [run_here("autograder", *command(folder, assignment, path, *options)).stderr for _ in range(2)]
    assert [dates in said.splitlines() for said in again] == [True, False]
    kept = "  no time of receipt now, so the one that was known before counts: one_part-0 (Ada)"
    assert all(kept in said.splitlines() for said in again)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cases that run in this process. The store has one row of a case, also if it runs twice."""
    found: list[str] = []
    run = run_case.run

    def recording_run(case: Case, *rest: Any) -> Answer:
        found.append(case.id)
        return run(case, *rest)

    monkeypatch.setattr(run_case, "run", recording_run)
    return found


@pytest.mark.slow("that grade a class")
def test_nothing_runs_twice_and_after_a_change_only_what_it_touches_runs(
    store: Store, assignment: Path, tmp_path: Path, runs: list[str]
) -> None:
    folder, path = small_class.write_class(tmp_path / "class", loops=False), tmp_path / "class.db"
    graded(store, folder, assignment)
    steps = steps_of(path)
    assert set(steps.values()) == {1}
    assert steps["maximin-0", "q1"] == 1  # the diagnosis
    assert Counter(runs) == Counter(case for _, case in steps if case in small_class.TREES)
    runs.clear()
    graded(store, folder, assignment)
    assert (runs, len(store.results("trees")), len(rows(store))) == ([], 7, 7)

    text = (assignment / "assignment.yaml").read_text()
    (assignment / "assignment.yaml").write_text(text.replace("points: 4", "points: 8"))
    graded(store, folder, assignment)
    assert steps_of(path) == steps
    assert (rows(store)["right-0"][0], len(store.results("trees"))) == (14, 2 * 7)

    tree = small_class.TREES["q2/01-chance"].replace("2: 4", "2: 400")
    values = {"kind": "tree", "shows": "a tree", "tree": tree, "plies": 2}
    (assignment / "cases" / "q2" / "01-chance.yaml").write_text(write(values))
    graded(store, folder, assignment)
    changed = {step for (_, step), _ in (steps_of(path) - steps).items()}
    assert {"q2/01-chance"} <= changed <= {"q2/01-chance", "q2"}
    assert rows(store)["right-0"][0] == 14


def test_an_answer_that_came_late_beside_others_counts_only_when_it_is_late_alone(
    assignment: Path, store: Store, tmp_path: Path
) -> None:
    """A busy machine is played by rows that say that every case of a right submission was out of time."""
    folder = small_class.write_files(tmp_path / "class", {"right.py": small_class.RIGHT})
    _, steps = small_class.packed_grader(assignment).unpack()
    (entry,) = exported.find(folder).entries()
    store.add_attempt(entry.student, "trees", entry.files)
    work = store.attempts("trees")[0].work
    late = {"seconds": 1.0, "fault": ["time", "no answer within 1 s"]}
    store.add_steps(work, [Step(name, steps.digests[name], steps.runner, False, late) for name in small_class.TREES])
    assert graded(store, folder, assignment) == {}
    assert rows(store)["right"][0] == 10
    alone = [each.case for each in store.steps(work, steps.runner) if each.alone]
    assert alone == ["import", *small_class.TREES]


@pytest.mark.slow("that grade a class")
def test_what_waits_or_computes_earns_nothing_and_what_a_busy_machine_delays_runs_again_alone(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, by the same workers, and with one diagnosis."""
    diagnosed, executors = [], []
    monkeypatch.setattr("autograder.grading.grade.diagnosis_of", lambda question, *rest: diagnosed.append(question.id))
    assignment, loop = small_class.write_assignment(tmp_path, seconds=1), small_class.SUBMISSIONS["loop"]
    computes = "not all(iter(lambda: __import__('time').process_time() < 0.6, False))"
    waits = f"plies == 2 and '1: 7' in str(node) and {computes} or plies == 0 or"
    late, wait = small_class.SUBMISSIONS["maximin"].replace("plies == 0 or", waits, 1), "__import__('time').sleep(0.1)"
    files = {"loop.py": loop, "late.py": late, "wait.py": loop.replace("    pass", f"    {wait}")}
    folder = small_class.write_files(tmp_path / "class", files)

    @contextmanager
    def workers() -> Iterator[Executor]:
        with small_class.threads() as pool:
            executors.append(pool)
            yield pool

    assert graded(store, folder, assignment, workers) == {}
    steps = steps_of(tmp_path / "class.db")
    assert [steps["late", "q1/03-third"], steps["wait", "q2/01-chance"], steps["loop", "q2/01-chance"]] == [2, 1, 1]
    assert (diagnosed.count("q1"), len(executors)) == (1, 1)
    assert {row[2]["q2/01-chance"] for key, row in rows(store).items() if key != "late"} == {0}
    (waited,) = (each for each in store.attempts("trees") if each.student.key == "wait")
    found = store.steps(waited.work, small_class.packed_grader(assignment).unpack()[1].runner)
    assert 0 < {each.case: each.content for each in found}["q2/01-chance"]["processor_seconds"] < 0.5


LATE, ENDLESS, RAISED = ["time", "no answer", ""], ["time", "no answer", COMPUTED], ["raised", "KeyError"]
DEPENDS: list[tuple[str, float, float, bool, list[str] | None, bool]] = [
    ("tree", 10, 0.95, False, ENDLESS, False),  # it computed its whole time: so on every machine
    ("tree", 10, 0.5, False, LATE, True),
    ("tree", 10, 0.95, False, None, True),
    *(("tree", 8.5, 0.05, True, fault, False) for fault in (None, LATE)),  # it merely waited
    *(("tree", 8.5, 0.05, False, fault, True) for fault in (None, LATE)),  # a very busy machine
    ("tree", 8.5, 0.5, True, None, False),  # it waited for half of the time, and has an answer
    ("tree", 8.5, 0.5, True, LATE, True),
    # Games that were played to the end are not played again.
    *(("q1/04-nook", 0.9, 1, False, fault, bool(fault)) for fault in (None, RAISED)),
    ("q2/08-one-ghost", 0.9, 1, False, None, True),
    *(("", 1, 1, False, fault, fault == LATE) for fault in (None, LATE, ENDLESS)),  # an import
]
"""A case, its time (a share of the limit for games), the share that it computed, whether it waited, its fault."""


@pytest.mark.parametrize(("case", "seconds", "used", "is_idle", "fault", "depends"), DEPENDS)
def test_an_answer_that_a_less_busy_machine_could_change_is_repeated(
    assignment: Path, case: str, seconds: float, used: float, is_idle: bool, fault: list[str] | None, depends: bool
) -> None:
    loaded = loading.load(str(assignment) if case == "tree" else "multiagent")
    found = next((each for each in loaded.cases if each.id == case or case == "tree"), None)
    seconds *= found.seconds if found and case != "tree" else 1
    content: dict[str, Any] = {"seconds": seconds, "processor_seconds": used * seconds}
    content |= {"idle_seconds": seconds - used * seconds} if is_idle else {}
    content |= {"fault": fault} if fault else {}
    assert job._depends_on_load(found, content) is depends


class _Prepared(ThreadPoolExecutor):
    """An executor in which each job comes to what `outcomes` say, in this order, and then to a result."""

    outcomes: list[Outcome | None]
    """None: its worker ends."""

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Any:
        packed, job = arguments
        self.ran = [*getattr(self, "ran", []), job.alone]
        return super().submit(self._outcome, job.work, packed.unpack()[1].version, len(self.ran) - 1)

    def _outcome(self, work: int, version: tuple[str, str], number: int) -> Outcome:
        empty = Outcome(work, Result(work, *version, 0, 10, reason="it is empty"))
        outcome = self.outcomes[number] if number < len(self.outcomes) else empty
        if outcome is None:
            raise WorkerEnded
        return outcome


LOST = "its worker process ended twice before it was graded"


@pytest.mark.parametrize(
    ("outcomes", "failures"),
    [([None], []), ([Outcome(1, failure="the sandbox does not start")], []), ([None, None], [LOST])],
)
def test_what_fails_beside_others_runs_again_alone_and_once(
    outcomes: list[Outcome | None], failures: list[str], assignment: Path, store: Store, tmp_path: Path
) -> None:
    folder, pool = small_class.write_files(tmp_path / "class", {"ada.py": small_class.RIGHT}), _Prepared(2)
    pool.outcomes = outcomes
    assert [*graded(store, folder, assignment, workers=lambda: pool).values()] == failures
    assert (pool.ran, len(store.results("trees"))) == ([False, True], 1 - len(failures))
    again = _Prepared(2)
    again.outcomes = []
    assert graded(store, folder, assignment, workers=lambda: again) == {}
    assert [each.reason for each in store.results("trees")] == ["it is empty"]


def command(folder: Path, assignment: Path, store: Path, *more: str) -> list[str]:
    return ["grade-all", str(folder), "--assignment", str(assignment), "--store", str(store), *more]


def children(pid: int) -> list[int]:
    return [int(word) for file in Path(f"/proc/{pid}/task").glob("*/children") for word in file.read_text().split()]


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow("that grade a class")
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("end", "status"), [(signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_grading_that_is_ended_goes_on_and_grades_nothing_twice(
    assignment: Path, tmp_path: Path, runs: list[str], end: signal.Signals, status: int
) -> None:
    folder, path = small_class.write_class(tmp_path / "class", loops=False), tmp_path / "class.db"
    process = subprocess.Popen(
        [sys.executable, "-m", "autograder", *command(folder, assignment, path, "--jobs", "2")],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},  # nobody deletes the files of a killed grading
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a test runner in the background ignores it
    )
    until, count = time.monotonic() + 60, 0
    while not count and time.monotonic() < until:
        time.sleep(0.05)
        if path.exists():
            with Store.open(str(path), create=True) as store:
                count = len(store.results("trees"))
    workers = children(process.pid)
    os.kill(process.pid, end)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, "Traceback" in errors) == (status, False)
    assert end == signal.SIGKILL or "have a result; start again" in errors
    until = time.monotonic() + 60
    while any(map(_is_running, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(_is_running, workers))
    before = steps_of(path)
    with Store.open(str(path)) as store:
        assert 0 < len(store.results("trees")) < 7
        assert graded(store, folder, assignment) == {}
        works = Counter(result.work for result in store.results("trees"))
    after = steps_of(path)
    assert all(after[step] >= count for step, count in before.items())
    assert set(after.values()) == {1}
    assert Counter(runs) == Counter(case for _, case in after.keys() - before.keys() if case in small_class.TREES)
    assert (len(works), set(works.values())) == (7, {1})


@pytest.mark.skipif(sys.platform == "win32", reason="no fork server")
def test_a_sandbox_that_does_not_start_is_no_grade(
    assignment: Path, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Sandbox) -> None:
        raise NotStarted("no process")

    monkeypatch.setattr(Sandbox, "_start_fork_server", fail)
    folder = small_class.write_class(tmp_path / "class", loops=False)
    failures = graded(store, folder, assignment)
    assert set(failures.values()) == {"the sandbox does not start: no process"}
    assert not set(failures) & {each.work for each in store.results("trees")}
