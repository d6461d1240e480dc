"""A failure of the grader is never a point: the case runs again alone, and is ungraded if the grader fails again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT, SOLUTIONS

if sys.platform == "win32":
    pytest.skip("no processes can be forked here", allow_module_level=True)

from autograder.cases import loading
from autograder.cases.case import Case, Limits
from autograder.cases.hidden import with_hidden
from autograder.grading.grade import grade
from autograder.judge.submission_answer import Answer
from autograder.sandbox import Level, Sandbox, SandboxCheck, fork_server, run_case, submission_files
from autograder.sandbox.fork_server import Walls
from autograder.sandbox.session import ProcessSession
from tests.command_line import run_here

Q2 = loading.load("multiagent").only("q2", None)
FIRST = "q2/01-figure"


def failing(monkeypatch: pytest.MonkeyPatch, times: int) -> tuple[list[str], list[int]]:
    """The grader fails so many times on the first case. Two lists that fill: all runs, and how many run beside it."""
    runs, ended, beside, run = list[str](), list[str](), list[int](), run_case.run

    def run_or_fail(case: Case, *rest: Any) -> Answer:
        runs.append(case.id)
        try:
            if case.id == FIRST:
                beside.append(len(runs) - 1 - len(ended))
                if len(beside) <= times:
                    raise RuntimeError("can't start new thread")
            return run(case, *rest)
        finally:
            ended.append(case.id)

    monkeypatch.setattr(run_case, "run", run_or_fail)
    return runs, beside


def test_a_case_on_which_the_grader_failed_runs_again_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, beside = failing(monkeypatch, times=1)
    card = grade(SOLUTIONS, Q2, jobs=3)
    assert (card.is_full, card.is_final, beside[1:]) == (True, True, [0])
    assert Counter(runs) == {case.id: 2 if case.id == FIRST else 1 for case in with_hidden(Q2, None).cases}


def test_a_case_on_which_the_grader_fails_twice_is_ungraded(monkeypatch: pytest.MonkeyPatch) -> None:
    _, beside = failing(monkeypatch, times=2)
    monkeypatch.setattr("autograder.grading.grade.needs_diagnosis", lambda *arguments: False)
    done = run_here("autograder", "grade", str(SOLUTIONS), "--question", "q2", "--json", "-")
    card = json.loads(done.stdout)
    assert (done.returncode, card["final"], len(beside)) == (2, False, 2)
    cases = card["questions"][0]["cases"]
    assert card["earned"] == round(5 - 5 * cases[0]["weight"] / sum(case["weight"] for case in cases), 2)
    assert [case["fault"] for case in cases] == ["ungraded", *[""] * (len(cases) - 1)]
    assert "Not final: some cases are ungraded" in done.stderr
    assert f"{FIRST}  ungraded  " in done.stderr


@pytest.mark.parametrize(("method", "case"), [("ask", "q1/04-nook"), ("_read", FIRST)])
def test_a_full_memory_of_the_grader_is_not_the_submissions_fault(
    method: str, case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in a game, which catches every exception of an agent, nor as an answer that did not come in time."""
    original = getattr(ProcessSession, method)

    def no_memory(self: ProcessSession, *arguments: Any, **options: Any) -> Any:
        if method == "ask" and "choose" not in arguments:
            return original(self, *arguments, **options)
        raise MemoryError

    monkeypatch.setattr(ProcessSession, method, no_memory)
    file = tmp_path / "mine.py"
    file.write_text(f"{SOLUTIONS.read_text(encoding='utf-8')}\nprint('hello', flush=True)\n", encoding="utf-8")
    part = loading.load("multiagent").only(None, case)
    if method == "ask":
        assert {case.fault for case in grade(file, part, jobs=1).questions[0].cases} == {"ungraded"}
    else:
        with pytest.raises(Exception, match=r"the grader itself failed(.|\n)*MemoryError"):
            grade(file, part, jobs=1)


HOG = """\
import _thread, ctypes, time
from agents.base import SearchAgent
from pacman.core.tree import Layer
from pacman.core.tree import Line, score

first_call = [True]

def take_all_threads():
    ctypes.CDLL(None).mallopt(-8, 1)  # one arena: more threads in the same memory
    _thread.stack_size(65536)
    locks, stop = [], time.monotonic() + 30
    while time.monotonic() < stop:
        lock = _thread.allocate_lock(); lock.acquire()
        try:
            _thread.start_new_thread(lock.acquire, ())
            locks.append(lock)
        except (RuntimeError, MemoryError):  # full: leaves room for the grader's fork, not for its threads
            if locks: locks.pop().release()
            time.sleep(0.02)

class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        if first_call and plies == 2 and list(node.actions()) == ["a", "b", "c"]:  # and no tree of a diagnosis
            take_all_threads()
        first_call.clear()
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(a), plies - 1).value, a) for a in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)
"""
NPROC = """
import resource, sys
from pathlib import Path
from tempfile import TemporaryDirectory
from autograder.cases import loading
from autograder.grading import grade as grading
from dataclasses import replace
grading.needs_diagnosis = lambda question, cases: False  # it would run the hog again and again
part = loading.load("multiagent").only("q2", None)
cases = tuple(replace(case, seconds=2) for case in part.cases if case.name != "06-huge")  # so none is drawn:
part = replace(part, cases=cases)  # one of them would have the tree of the hog
resource.setrlimit(resource.RLIMIT_NPROC, (int(sys.argv[2]), int(sys.argv[2])))
with TemporaryDirectory() as folder:
    (file := Path(folder, "hog.py")).write_text(sys.argv[1], encoding="utf-8")
    card = grading.grade(file, part, jobs=2)
print({case.id: (case.earned, case.fault) for case in card.questions[0].cases})
"""


def test_a_case_that_takes_all_threads_of_an_ordinary_user_loses_that_case_alone() -> None:
    """Root has no limit, so there the grader runs as another user, who cannot read pytest's folders."""
    user = 65534 if os.geteuid() == 0 else os.geteuid()
    python = Path(sys.executable).resolve()
    if os.geteuid() == 0 and any(not os.stat(place).st_mode & 0o001 for place in (*python.parents, *ROOT.parents)):
        pytest.skip("other users cannot read this Python")
    running = 0
    for entry in Path("/proc").glob("[0-9]*/task/[0-9]*"):
        try:
            running += entry.stat().st_uid == user
        except OSError:
            continue
    done = subprocess.run(
        [sys.executable, "-c", NPROC, HOG, str(running + 300)], cwd=ROOT, user=user, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    lost = {name: fault for name, (earned, fault) in eval(done.stdout).items() if earned < 1}
    assert lost == {FIRST: "time"}


FIRST_FORK_FAILS = """\
import os
fork, failures = os.fork, [BlockingIOError(11, "Resource temporarily unavailable")]
def fork_later():
    if failures:
        raise failures.pop()
    return fork()
os.fork = fork_later
"""


def test_a_fork_that_fails_does_not_end_the_fork_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the cases that run at this time would lose their answers."""

    def command(argument: str) -> list[str]:
        *words, code, first, last = usual(argument)
        return [*words, FIRST_FORK_FAILS + code, first, last]

    usual = fork_server.interpreter_command
    monkeypatch.setattr(fork_server, "interpreter_command", command)
    file = tmp_path / "mine.py"
    file.write_text("print('hello')\n", encoding="utf-8")
    with Sandbox(submission_files.read(file), Limits(), SandboxCheck(Level.LIMITS, Walls())) as sandbox:
        server, sandbox.main_file = sandbox._fork_server, "mine.py"
        with pytest.raises(ChildProcessError, match="no new process: Resource temporarily unavailable"):
            sandbox.session(10)
        with sandbox.session(10) as session:
            sandbox.load(session)
        assert (session.output, sandbox._fork_server) == ("hello", server)
