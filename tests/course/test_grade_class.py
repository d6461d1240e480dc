"""A class is graded once, whatever happens meanwhile; after a change, only what the change touches runs again."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.cases import loading
from autograder.cases.case import Case
from autograder.cases.yaml_file import write
from autograder.commands import grade_all
from autograder.course import job
from autograder.course.grade import Progress, grade_class, take_in
from autograder.course.intake import submissions as exported
from autograder.course.job import Job, Outcome
from autograder.course.records import Step
from autograder.course.store import Store
from autograder.grading.grade import grade
from autograder.judge.scorecard import Scorecard
from autograder.judge.submission_answer import COMPUTED, Answer
from autograder.sandbox import Sandbox, run_case
from autograder.sandbox.fork_server import NotStarted
from pacman.play.worker_pool import WorkerEnded
from tests.command_line import run_here
from tests.course import small_class
from tests.paths import ROOT

ROWS = 'SELECT account, step."case", COUNT(*) FROM step JOIN work ON work.id = step.work GROUP BY 1, 2'


def graded(
    store: Store,
    submissions: Path,
    assignment: Path,
    workers: Any = small_class.threads,
    jobs: int = 2,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> dict[int, str]:
    """Grades a folder into the store, in this process."""
    packed = small_class.packed_grader(assignment)
    intake = take_in(store, packed.unpack()[0].assignment, exported.find(submissions), {})
    done = grade_all.graded(store, packed)
    left = [each for each in intake.submissions if each.work and each.work not in done]
    return grade_class(store, packed, left, workers, jobs, on_progress)


def rows(store: Store) -> dict[str, tuple[float, str, dict[str, float], object]]:
    """The newest result of each student, without what may differ from run to run."""
    by_work = {each.work: each.student.key for each in store.attempts("trees")}
    newest = {by_work[result.work]: result for result in store.results("trees")}
    return {
        key: (result.earned, result.reason, dict(result.cases), without_times(store.scorecard(result.id)))
        for key, result in newest.items()
    }


def without_times(card: Scorecard | None) -> object:
    if card is None:
        return None
    questions = tuple(
        replace(question, cases=tuple(replace(case, seconds=0) for case in question.cases))
        for question in card.questions
    )
    return replace(card, questions=questions, seconds=0, hidden_seconds=0)


def steps_of(path: Path) -> Counter[tuple[str, str]]:
    """How many rows there are for each student and step."""
    with sqlite3.connect(path) as connection:
        return Counter({(key, case): count for key, case, count in connection.execute(ROWS)})


@pytest.fixture
def assignment(tmp_path: Path) -> Path:
    return small_class.write_assignment(tmp_path)


@pytest.fixture
def no_diagnosis(monkeypatch: pytest.MonkeyPatch) -> None:
    """A diagnosis takes longer than the cases of a whole class; it runs in this process's threads."""
    monkeypatch.setattr("autograder.grading.grade.needs_diagnosis", lambda *arguments: False)


@pytest.mark.usefixtures("no_diagnosis")
def test_a_class_has_the_points_of_each_submission_by_itself(assignment: Path, store: Store, tmp_path: Path) -> None:
    folder = small_class.write_class(tmp_path / "class", loops=False)
    seen: list[Progress] = []
    assert graded(store, folder, assignment, on_progress=seen.append) == {}
    found = rows(store)
    by_id = {each.id: each for each in store.attempts("trees")}
    assert seen[-1] == Progress(7, 7, 0)
    assert {key for key, row in found.items() if row[1]} == {"syntax-0", "no_part-0"}
    assert "not valid Python" in found["syntax-0"][1]
    loaded = loading.load(str(assignment))
    for each in by_id.values():
        if not found[each.student.key][1]:
            card = grade(folder / f"{each.student.key}.py", loaded, jobs=1)
            assert found[each.student.key][0] == card.earned, each.student.key
    assert found["right-0"][0] == 10
    assert found["maximin-0"][0] < 10


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
    assert rows(store)["right-0"][0] == 14
    assert len(store.results("trees")) == 2 * 7

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
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "right.py").write_text(small_class.RIGHT)
    packed = small_class.packed_grader(assignment)
    _, steps = packed.unpack()
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
def test_a_search_that_waits_earns_nothing_like_one_that_computes_and_neither_is_repeated(tmp_path: Path) -> None:
    assignment = small_class.write_assignment(tmp_path, seconds=1)
    folder, path = tmp_path / "class", tmp_path / "class.db"
    folder.mkdir()
    loop = small_class.SUBMISSIONS["loop"]
    (folder / "loop-0.py").write_text(loop)
    (folder / "wait-0.py").write_text(loop.replace("    pass", "    __import__('time').sleep(0.1)"))
    with Store.open(str(path), create=True) as store:
        graded(store, folder, assignment)
        assert {row[2]["q2/01-chance"] for row in rows(store).values()} == {0}
        (wait,) = (each for each in store.attempts("trees") if each.student.key == "wait-0")
        steps = {
            each.case: each.content
            for each in store.steps(wait.work, small_class.packed_grader(assignment).unpack()[1].runner)
        }
    assert steps_of(path)["wait-0", "q2/01-chance"] == steps_of(path)["loop-0", "q2/01-chance"] == 1
    assert 0 < steps["q2/01-chance"]["processor_seconds"] < 0.5


@pytest.mark.slow("that grade a class")
def test_what_runs_again_alone_is_diagnosed_once_and_by_the_same_workers(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    diagnosed, executors = [], []
    monkeypatch.setattr("autograder.grading.grade.diagnosis_of", lambda question, *rest: diagnosed.append(question.id))
    assignment = small_class.write_assignment(tmp_path, seconds=1)
    folder = tmp_path / "class"
    folder.mkdir()
    computes = "not all(iter(lambda: __import__('time').process_time() < 0.6, False))"
    waits = f"plies == 2 and '1: 7' in str(node) and {computes} or plies == 0 or"
    (folder / "late.py").write_text(small_class.SUBMISSIONS["maximin"].replace("plies == 0 or", waits, 1))

    @contextmanager
    def workers() -> Iterator[Executor]:
        with small_class.threads() as pool:
            executors.append(pool)
            yield pool

    assert graded(store, folder, assignment, workers) == {}
    assert steps_of(tmp_path / "class.db")["late", "q1/03-third"] == 2
    assert (diagnosed, len(executors)) == (["q1"], 1)


@pytest.mark.parametrize(
    ("seconds", "used", "is_idle", "fault", "depends"),
    [
        (10, 0.95, False, ["time", "no answer", COMPUTED], False),  # it computed its whole time: so on every machine
        (10, 0.5, False, ["time", "no answer", ""], True),
        (10, 0.95, False, None, True),
        *((8.5, 0.05, True, fault, False) for fault in (None, ["time", "no answer", ""])),  # it merely waited
        *((8.5, 0.05, False, fault, True) for fault in (None, ["time", "no answer", ""])),  # a very busy machine
        (8.5, 0.5, True, None, False),  # it waited for half of the time, and has an answer
        (8.5, 0.5, True, ["time", "no answer", ""], True),
    ],
)
def test_an_answer_that_a_less_busy_machine_could_change_is_repeated(
    assignment: Path, seconds: float, used: float, is_idle: bool, fault: list[str] | None, depends: bool
) -> None:
    loaded = loading.load(str(assignment))
    content: dict[str, Any] = {"seconds": seconds, "processor_seconds": used * seconds}
    content |= {"idle_seconds": seconds - used * seconds} if is_idle else {}
    content |= {"fault": fault} if fault else {}
    assert job._depends_on_load(loaded.cases[0], content) is depends
    is_late = fault is not None and COMPUTED not in fault
    assert job._depends_on_load(None, content) is is_late


@pytest.mark.parametrize(
    ("case", "fault", "depends"),
    [("q1/04-nook", None, False), ("q1/04-nook", ["raised", "KeyError"], True), ("q2/08-one-ghost", None, True)],
)
def test_games_that_were_played_to_the_end_are_not_played_again(
    case: str, fault: list[str] | None, depends: bool
) -> None:
    loaded = loading.load("multiagent")
    (found,) = (each for each in loaded.cases if each.id == case)
    content: dict[str, Any] = {"seconds": 0.9 * found.seconds, "processor_seconds": 0.9 * found.seconds}
    content |= {"fault": fault} if fault else {}
    assert job._depends_on_load(found, content) is depends


class _Breaking(ThreadPoolExecutor):
    """An executor whose worker ends at the submission of one student."""

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Any:
        if arguments[1].name == "raises-0":

            def end() -> None:
                raise WorkerEnded

            return super().submit(end)
        return super().submit(function, *arguments, **options)


@pytest.mark.slow("that grade a class")
@pytest.mark.usefixtures("no_diagnosis")
def test_a_lost_worker_costs_a_retry_and_then_one_submission(assignment: Path, store: Store, tmp_path: Path) -> None:
    folder = small_class.write_class(tmp_path / "class", loops=False)
    failures = graded(store, folder, assignment, workers=lambda: _Breaking(2))
    keys = {each.work: each.student.key for each in store.attempts("trees")}
    assert {keys[number]: reason for number, reason in failures.items()} == {
        "raises-0": "its worker process ended twice before it was graded"
    }
    assert rows(store).keys() == set(keys.values()) - {"raises-0"}
    assert graded(store, folder, assignment) == {}
    assert rows(store).keys() == set(keys.values())


class _Prepared(ThreadPoolExecutor):
    """An executor in which each job comes to what `first` says, and to a result if it runs again."""

    first: Callable[[], Outcome]

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Any:
        job: Job = arguments[1]
        self.ran = [*getattr(self, "ran", []), job.alone]
        return super().submit(self.first if len(self.ran) == 1 else lambda: Outcome(job.work, reason="it is empty"))


def _lost() -> Outcome:
    raise WorkerEnded


@pytest.mark.parametrize("first", [_lost, lambda: Outcome(1, failure="the sandbox does not start")])
def test_what_fails_beside_others_runs_again_alone(
    first: Callable[[], Outcome], assignment: Path, store: Store, tmp_path: Path
) -> None:
    folder, pool = tmp_path / "class", _Prepared(2)
    folder.mkdir()
    (folder / "ada.py").write_text(small_class.RIGHT)
    pool.first = first
    assert graded(store, folder, assignment, workers=lambda: pool) == {}
    assert (pool.ran, [each.reason for each in store.results("trees")]) == ([False, True], ["it is empty"])


def command(folder: Path, assignment: Path, store: Path, *more: str) -> list[str]:
    options = ["--assignment", str(assignment), "--store", str(store), *more]
    return ["grade-all", str(folder), *options]


def children(pid: int) -> list[int]:
    return [int(word) for file in Path(f"/proc/{pid}/task").glob("*/children") for word in file.read_text().split()]


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow("that grade a class")
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_grading_that_is_ended_goes_on_and_grades_nothing_twice(
    assignment: Path, tmp_path: Path, runs: list[str], end: signal.Signals
) -> None:
    folder, path = small_class.write_class(tmp_path / "class", loops=False), tmp_path / "class.db"
    started = [sys.executable, "-m", "autograder", *command(folder, assignment, path, "--jobs", "2")]
    process = subprocess.Popen(
        started,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},  # nobody deletes the files of a killed grading
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a test runner in the background ignores it
    )
    until = time.monotonic() + 60
    count = 0
    while not count and time.monotonic() < until:
        time.sleep(0.05)
        if path.exists():
            with Store.open(str(path), create=True) as store:
                count = len(store.results("trees"))
    workers = children(process.pid)
    os.kill(process.pid, end)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}[end]
    assert "Traceback" not in errors
    if end != signal.SIGKILL:
        assert "have a result; start again" in errors
    until = time.monotonic() + 60
    while any(map(_is_running, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(_is_running, workers))
    before = steps_of(path)
    with Store.open(str(path)) as store:
        assert 0 < len(store.results("trees")) < 7
        assert graded(store, folder, assignment) == {}
    after = steps_of(path)
    assert all(after[step] >= count for step, count in before.items())
    assert set(after.values()) == {1}
    assert Counter(runs) == Counter(case for _, case in after.keys() - before.keys() if case in small_class.TREES)
    with Store.open(str(path)) as store:
        assert Counter(result.work for result in store.results("trees")).most_common(1)[0][1] == 1
        assert len(store.results("trees")) == 7


@pytest.mark.slow("that grade a class")
def test_the_command_says_what_became_of_each_student(assignment: Path, tmp_path: Path) -> None:
    folder, path = small_class.write_class(tmp_path / "class", loops=False), tmp_path / "class.db"
    (folder / "notes.txt").write_text("x")
    (folder / "Right-0.zip").write_bytes(b"x")
    (tmp_path / "roster.csv").write_text("key,name\none_part-0,Ada\nabsent,Bo\n")
    options = ["--roster", str(tmp_path / "roster.csv"), "--jobs", "1"]
    done = run_here("autograder", *command(folder, assignment, path, *options))
    assert done.returncode == 2
    assert done.stderr.splitlines()[:2] == [
        f"{folder}: 8 submissions, format plain",
        "  not a submission: notes.txt",
    ]
    lines = done.stdout.splitlines()
    assert lines[0] == "7 submissions: 4 graded, 2 not graded (0 points), 1 without a result"
    same = "'Right-0.zip' and 'right-0.py'; keep one of them"
    assert f"  Right-0, not in the roster: no result: 2 submissions of one student: {same}" in lines
    assert "1 student of the roster without a submission: absent (Bo)" in lines
    unknown = "6 students not in the roster: deeper-0, maximin-0, no_part-0, raises-0, right-0 and 1 more"
    assert unknown in done.stdout.lower().splitlines()
    assert f"  {unknown}" in done.stderr.lower().splitlines()[:3]  # before anything is graded
    assert sum(int(line[12:].split()[0]) for line in lines[lines.index("points") + 1 :]) == 4


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
