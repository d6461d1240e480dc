"""Tests of the questions about small trees: each is a fresh start, and whatever a search does costs one question."""

from __future__ import annotations

import re
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.judge.diagnosis.run import Ask, Run, Search
from autograder.sandbox import Sandbox, Session, check_sandbox, watch
from autograder.sandbox import session as session_module
from autograder.sandbox.watch import MAX_RESTARTS, MOST_HANGING, most_successors
from pacman.core.tree_text import Outline
from pacman.record.watcher import EventKind
from tests.in_process_asking import ask_here, ask_part
from tests.paths import SOLUTIONS
from tests.platforms.cs188_grading import RIGHT
from tests.written_files import write_files

TREE = Outline.parse("max\n  a: min\n    x: 3\n    y: 9\n  b: min\n    x: 5\n    z: min\n      k: 4\n      l: 7")
LEAF = Outline.parse("max\n  a: 3\n  b: 5")
QUESTION, AGAIN, ENDS = Search(LEAF, 1), Search(LEAF, 1, keeps_instance=True), Search(LEAF, 7)
SLOW = pytest.mark.slow("that attack the sandbox")
HEAD = """\
import os, random, sys, time
from agents.base import SearchAgent
from pacman.core.tree import Line

class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        value = 0
"""
TAIL = "        return Line(value, 'a')\n"


def agent(body: str) -> str:
    """A file with an agent whose search runs `body` and returns `value`."""
    return HEAD + indent(body, " " * 8) + "\n" + TAIL


@contextmanager
def asking(
    folder: Path, text: str, api: str = "native", helpers: dict[str, str] | None = None, **options: Any
) -> Iterator[Ask]:
    """Asks the MinimaxAgent of a file with this text, which may import the files `helpers`."""
    contents = {"agent.py": text, **(helpers or {})}
    write_files(folder, contents)
    paths = [folder / name for name in contents]
    with ask_part(paths[0], "MinimaxAgent", api, helpers=paths[1:], **options) as ask:
        yield ask


def values(replies: Sequence[Run]) -> list[float | None]:
    """The claimed values; fails if there is a fault."""
    assert not [each.fault for each in replies if each.fault]
    return [each.claim.value for each in replies if each.claim]


def actions(replies: Sequence[Run]) -> list[str | None]:
    """The claimed actions."""
    return [each.claim and each.claim.action for each in replies]


def kinds(replies: Sequence[Run]) -> list[str]:
    """The kind of each fault, or "" for a claim."""
    return [each.fault.kind if each.fault else "" for each in replies]


@pytest.mark.parametrize(("file", "api"), [(SOLUTIONS, "native"), (RIGHT[0], "cs188")], ids=["native", "cs188"])
def test_a_right_search_is_read_in_full(file: Path, api: str, tmp_path: Path) -> None:
    """Its evaluation is the score and the shift. A Berkeley-style file returns no value."""
    with ask_part(file, "MinimaxAgent", api) as ask:
        reply, *shifted = ask([Search(TREE, 3), *(Search(LEAF, 1, shift=shift) for shift in (1000, 0, -1000))])
    claim = reply.claim
    assert claim is not None
    assert claim.trace is not None
    assert (claim.value, claim.action, claim.generated) == (4 if api == "native" else None, "b", 8)
    assert ["".join(path) for path in claim.trace.paths()] == ["a", "ax", "ay", "b", "bx", "bz", "bzk", "bzl"]
    assert values(shifted) == ([1005, 5, -995] if api == "native" else [None] * 3)
    assert actions(shifted) == ["b"] * 3
    if api == "cs188":
        text = file.read_text(encoding="utf-8") + (
            "\n\nclass MinimaxAgent(MultiAgentSearchAgent):\n"
            "    def getAction(self, gameState):\n"
            "        successor = gameState.generateSuccessor(0, 'a')\n"
            "        return 'a' if self.evaluationFunction(successor) == 1003 else 'b'\n"
        )
        with asking(tmp_path, text, "cs188") as ask:
            assert actions(ask([Search(LEAF, 1, shift=shift) for shift in (1000, 0)])) == ["a", "b"]


KEEPS_STATE = """\
import random
from agents.base import SearchAgent
from pacman.core.tree import Line
import shared

calls = []

class MinimaxAgent(SearchAgent):
    seen = []

    def search(self, node, plies):
        import later
        for memory in (calls, self.seen, shared.calls, later.calls):
            memory.append(1)
        return Line(len(calls) + 10 * len(self.seen) + 100 * len(shared.calls) + 1000 * len(later.calls), "a")
"""


def test_each_question_is_a_fresh_start_of_all_files(tmp_path: Path) -> None:
    helpers = {"shared.py": "calls = []\n", "later.py": "calls = []\n"}
    with asking(tmp_path, KEEPS_STATE, helpers=helpers) as ask:
        assert values(ask([QUESTION, QUESTION, AGAIN, AGAIN, QUESTION])) == [1111, 1111, 2222, 3333, 1111]
        assert values(ask([AGAIN, QUESTION])) == [2222, 1111]
    text = HEAD.replace("import os", "import shared, os") + "        value = shared.look(node)\n" + TAIL
    with asking(tmp_path, text, helpers={"shared.py": "def look(node):\n    return 4\n"}) as ask:
        (run,) = ask([QUESTION])
    assert [(each.name, each.file) for each in run.functions] == [("search", ""), ("look", "shared.py")]


def test_random_numbers_come_from_the_seed_and_rounds_reach_the_constructor(tmp_path: Path) -> None:
    with asking(tmp_path, agent("value = (random.random(), self.rng.random(), self.rounds)[plies]")) as ask:
        for plies in (0, 1):
            first, second, *rest = values(ask([Search(LEAF, plies, seed=seed) for seed in (0, 1, 0, 1)]))
            assert first != second
            assert rest == [first, second]
        assert values(ask([Search(LEAF, 2, rounds=rounds) for rounds in (1, 3)])) == [1, 3]


ENDLESS = {
    "a loop": "while True: node.successor('a')",
    "a loop that catches Exception": "while True:\n    try: node.successor('a')\n    except Exception: pass",
    "a bare except": "for _ in range(5000):\n    try: node.successor('a')\n    except: value += 1",
}


@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
def test_the_number_of_successors_is_limited(body: str, tmp_path: Path) -> None:
    limit = most_successors(len(LEAF.places()))
    text = agent("if plies == 1:\n" + indent(body, "    ") + "\nfor _ in range(plies - 2): node.successor('a')")
    with asking(tmp_path, text) as ask:
        replies = ask([Search(LEAF, plies) for plies in (1, 2, limit + 2, limit + 3)])
    assert kinds(replies) == ["successors", "", "", "successors"]
    endless, _, allowed, _ = replies
    assert allowed.claim
    assert allowed.claim.generated == limit
    assert endless.fault
    assert endless.fault.text.startswith("the search made more than 1,012 successors in this small tree")
    assert ("(line " in endless.fault.text) == ("except:" not in body)


PROCESS_ENDS = {
    "an exit": ("plies == 7 and os._exit(3)", "exit", "exited with status 3"),
    "a loop in C": ("plies == 7 and sum(range(10**12))", "time", "no answer within 2 s"),
    "a signal": ("plies == 7 and os.abort()", "died", "ended by SIGABRT"),
    "a forged answer": ('plies == 7 and os.write(3, b\'\\0\\0\\0\\x0a{"n": "x"}\')', "garbled", "another request"),
    "an answer that is too large": ("plies == 7 and os.write(3, b'\\xff' * 4)", "garbled", "the limit is"),
    "a wrong answer": (
        "frame = sys._getframe()\nwhile 'trace' not in frame.f_locals: frame = frame.f_back\nnode.successor('a')\n"
        "if plies == 7: frame.f_locals['trace'].parents[1] = 99",
        "garbled",
        "the trace is not a tree",
    ),
}


@pytest.mark.slow("that attack the sandbox", keep=1)
@pytest.mark.parametrize(("body", "kind", "text"), PROCESS_ENDS.values(), ids=PROCESS_ENDS)
def test_the_end_of_a_process_costs_one_question(body: str, kind: str, text: str, tmp_path: Path) -> None:
    with asking(tmp_path, agent(body)) as ask:
        replies = ask([QUESTION, ENDS, AGAIN, QUESTION, AGAIN])
        assert kinds(replies) == ["", kind, kind, "", ""]
        assert replies[1].fault
        assert text in replies[1].fault.text
        assert kinds(ask([QUESTION])) == [""]


def test_searches_that_do_not_end_are_asked_only_a_few_times(tmp_path: Path) -> None:
    with asking(tmp_path, agent("while plies == 7: pass")) as ask:
        runs = ask([QUESTION, *[ENDS] * (MOST_HANGING + 2), QUESTION])
        assert kinds(runs) == ["", *["time"] * MOST_HANGING, *["not asked"] * 3]
        assert runs[1].fault
        assert "perhaps a loop never ends (line 8: " in runs[1].fault.text
        assert kinds(ask([QUESTION])) == [""]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such timer")
def test_a_search_in_this_process_ends_no_window() -> None:
    """A timer ends the process of a submission, and not that of a window which shows a search."""
    with ask_here(SOLUTIONS, "MinimaxAgent") as ask:
        assert values(ask([QUESTION])) == [5]
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


@SLOW
def test_loops_and_waits_end_behind_walls_and_share_the_time_of_a_diagnosis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first wait takes all the time, a new process only gets the least, and then nothing more is asked."""
    with asking(tmp_path, agent(PROCESS_ENDS["a loop in C"][0]), sandbox_check=check_sandbox()) as ask:
        assert kinds(ask([QUESTION, ENDS, QUESTION])) == ["", "time", ""]
    monkeypatch.setattr(watch, "LEAST_SECONDS", 0.5)
    given, session = list[float](), Sandbox.session

    def noted(self: Sandbox, seconds: float, waiting: float = 0) -> Session:
        given.append(seconds)
        return session(self, seconds, waiting)

    monkeypatch.setattr(Sandbox, "session", noted)
    shared = [ENDS] * 3, ["time", "time", "not asked"]
    for searches, expected in (([QUESTION, ENDS, QUESTION], ["", "time", ""]), shared):
        with asking(tmp_path, agent("plies == 7 and time.sleep(60)"), seconds=1) as ask:
            assert kinds(ask(searches)) == expected
    assert given[-2:] == [1, 0.5]


def test_the_time_of_the_grader_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with asking(tmp_path, agent("value = 1"), seconds=5) as ask:
        assert kinds(ask([QUESTION])) == [""]
        late = SimpleNamespace(monotonic=lambda: time.monotonic() + 60, sleep=time.sleep)
        monkeypatch.setattr(session_module, "time", late)
        assert kinds(ask([QUESTION])) == [""]


def test_there_is_a_limit_of_processes(tmp_path: Path) -> None:
    with asking(tmp_path, agent(PROCESS_ENDS["an exit"][0])) as ask:
        replies = ask([ENDS, QUESTION] * (MAX_RESTARTS + 1) + [ENDS])
        assert kinds(replies) == ["exit", ""] * MAX_RESTARTS + ["exit", "not asked", "not asked"]
        assert kinds(ask([QUESTION, ENDS, QUESTION])) == ["", "exit", "not asked"]  # one more may show why
        assert kinds(ask([QUESTION, QUESTION])) == ["not asked", "not asked"]


def test_errors_and_unwritten_parts_are_faults(tmp_path: Path) -> None:
    body = "value = 1 // plies\nif plies == 7: super().search(node, plies)\nif plies == 8: self.search(node, 8)"
    with asking(tmp_path, agent(body)) as ask:
        replies = ask([Search(LEAF, plies) for plies in (0, 7, 8, 1)])
    assert kinds(replies) == ["raised", "not written", "raised", ""]
    zero, _, recursion = [each.fault.text for each in replies if each.fault]
    assert re.search(r"ZeroDivisionError: .*by zero \(line 8: value = 1 // plies\)", zero)
    assert recursion.startswith("RecursionError: ")
    for text, kind in (
        ("class Other: pass\n", "missing part"),
        ("import nothing_like_this\nclass MinimaxAgent: pass\n", "missing package"),
        (agent("") + "\n    def __init__(self, rounds):\n        raise KeyError(rounds)\n", "raised"),
    ):
        with asking(tmp_path, text) as ask:
            assert kinds(ask([QUESTION] * 6)) == [kind] * 6


STREAMS = (
    "sys.stdout.reconfigure(encoding='utf-8')\nprint('\u00e9')",
    "sys.stdout.buffer.write('\u00e9\\n'.encode())",
    "import io\nsys.stdout = io.TextIOWrapper(sys.stdout.buffer)\nprint('\u00e9', flush=True)",
    "print('\u00e9')\nsys.stdout.close()",
)


def test_the_variables_after_a_caught_exception_are_those_of_the_call_that_goes_on(tmp_path: Path) -> None:
    body = "try:\n    self.fails()\nexcept KeyError:\n    value = 2\nnode.successor('a')"
    with asking(tmp_path, agent(body) + "    def fails(self):\n        value = 2\n        raise KeyError\n") as ask:
        (run,) = ask([Search(LEAF, 1, keeps_variables=True)])
    assert [run.variables[n]["value"] for n, event in enumerate(run.events) if event.kind is EventKind.MADE] == ["2"]


def test_the_standard_output_is_a_usual_one(tmp_path: Path) -> None:
    body = "\n".join(f"if plies == {number}:\n{indent(text, '    ')}" for number, text in enumerate(STREAMS))
    with asking(tmp_path, agent(body)) as ask:
        assert kinds(ask([Search(LEAF, plies) for plies in (0, 0, 1, 1, 2, 2, 3, 3)])) == [""] * 8


def test_many_large_questions_do_not_block(tmp_path: Path) -> None:
    """Both directions carry more than their pipes can hold."""
    branches = [f"  action{n}: min\n" + "".join(f"    action{m}: {m}\n" for m in range(50)) for n in range(40)]
    tree = Outline.parse("max\n" + "".join(branches))
    body = "for a in node.actions():\n    for b in node.actions(): value += node.successor(a).successor(b).score"
    with asking(tmp_path, agent(f"{body}\nprint('x' * 2000)")) as ask:
        assert values(ask([Search(tree, 1)] * 12)) == [40 * sum(range(40))] * 12


def test_the_records_of_watched_searches_share_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forged records of 6,000 events for each tree cost the grader 15 s and 350 MB."""
    with ask_part(SOLUTIONS, "MinimaxAgent") as ask:
        (first,) = ask([QUESTION])
    statements = sum(1 + len(each.statements) for each in first.functions)
    monkeypatch.setattr(watch, "MOST_EVENTS", 2 * len(first.events) + statements - 1)
    with ask_part(SOLUTIONS, "MinimaxAgent") as ask:
        runs = [*ask([QUESTION] * 3), *ask([QUESTION])]
    assert kinds(runs) == ["", "", "not asked", "not asked"]
    assert len(runs[1].events) == len(first.events) > 3
    assert runs[1].functions is runs[0].functions


def test_new_functions_in_each_record_share_the_limit_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forged tables of functions took 2.3 GB of the grader's memory."""
    monkeypatch.setattr(watch, "MOST_EVENTS", 20)
    body = "frame = sys._getframe()\nwhile 'watcher' not in frame.f_locals: frame = frame.f_back\n"
    body += "functions = frame.f_locals['watcher'].functions\nfunctions[0] = functions[0]._replace(name=str(plies))"
    with asking(tmp_path, agent(body)) as ask:
        runs = ask([Search(LEAF, plies) for plies in range(1, 9)])
    assert kinds(runs) == [""] * 2 + ["not asked"] * 6


@SLOW
def test_requests_that_are_sent_ahead_never_wait_for_replies_that_nobody_reads(tmp_path: Path) -> None:
    """The submission waits until its long replies are read. The grader must not wait at that time to send more."""
    body = "for number in range(400):\n    value = self.seen(node, number, 1.5, 2.5)"
    text = agent(body) + "    def seen(self, node, *numbers):\n        return sum(numbers)\n"
    with asking(tmp_path, text) as ask:
        assert set(kinds(ask([Search(LEAF, 1, shift=number) for number in range(80)]))) == {""}
