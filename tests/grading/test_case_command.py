"""The command `case`: one case in the student's own process, drawn, with a traceback; and its exit statuses.

What it prints for the cases of each kind is in tests/commands/transcripts.
"""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from autograder.cases import loading
from autograder.commands.target import choose_case, searches_in
from autograder.sandbox.in_process import InProcess, error_text
from pacman.core.numbers import format_number
from pacman.core.tree_text import Outline
from pacman.record.report import report_from_trace
from pacman.search.algorithms import run_search
from pacman.view import window as tree_window
from pacman.view.screen import Key
from pacman.view.window import right_values
from tests.command_line import run_here
from tests.paths import ROOT, SOLUTIONS
from tests.view.fake_screen import FakeScreen

CS188 = str(ROOT / "tests" / "submissions" / "classic" / "closures.py")
TREE = "max { a: 3; b: min { x: 2; y: 8 } }"
WRONG = """
from agents.base import SearchAgent
from pacman import Layer, Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        print("search", plies)
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return max(lines, key=lambda line: line.value)
"""
FIRST = 'print("search", plies)'


def case(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run_here("autograder", "case", *arguments)


def written(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_right_answer_of_a_line_of_play_has_both_counts_and_each_move() -> None:
    out = case("q3/40-whole-game", "--show", "--assignment", "classic").stdout
    for text in (
        "right: value 18, action West or East\n",
        "\nnodes, cuts at alpha > beta without Stop: 179 touched, 111 expanded, 178 generated\n",
        "\n  moves so far: none\n  expected line of play: Pacman West, ghost 1 West, ghost 2 West, ",
        "Pacman's move 2 (6 plies deep)\n",
    ):
        assert text in out


def test_a_case_can_come_from_a_file_that_says_its_question_by_its_folder_or_its_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tree also from the standard input, and it runs the only written search for its layers."""
    agent = f"{SOLUTIONS}:MinimaxAgent"
    text = "max\n  a: 3\n  b: 5\n"
    from_file = case(written(tmp_path / "tree.txt", text), "--agent", agent)
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    from_input = case("-", "--agent", agent)
    assert from_file.returncode == from_input.returncode == 0
    tables = [done.stdout.partition("expected")[2] for done in (from_file, from_input)]
    assert tables[0] == tables[1] != ""
    yaml = f"kind: tree\nshows: mine\nplies: 2\ntree: '{TREE}'\n"
    assert case(written(tmp_path / "q2" / "mine.yaml", yaml), "--agent", SOLUTIONS).returncode == 0
    mine = written(tmp_path / "mine.yaml", yaml)
    assert case(mine, "--agent", agent).returncode == 0
    unknown = case(mine, "--agent", SOLUTIONS)
    assert unknown.returncode == 2
    assert unknown.stderr.endswith("does not say its question; name the class, as in FILE:ReflexAgent\n")
    stub = (ROOT / "agents" / "student.py").read_text(encoding="utf-8")
    stub = stub.replace('raise NotWritten("MinimaxAgent.search")', "return Line(self.evaluate(node), None)")
    multiagent = loading.load("multiagent")
    questions = searches_in(Path(written(tmp_path / "mine.py", stub)), multiagent)
    assert [question.part for question in questions] == ["MinimaxAgent"]
    chosen = choose_case(str(ROOT / "docs" / "tree.txt"), multiagent, "", None, SOLUTIONS)
    assert chosen.question.part == "ExpectiminimaxAgent"


def test_a_hidden_case_is_not_run_by_its_name(tmp_path: Path) -> None:
    secret = f"kind: tree\nshows: mine\nplies: 2\nhidden: true\ntree: '{TREE}'\n"
    file = written(tmp_path / "cases" / "q2" / "secret.yaml", secret)
    keys = "title: Mine\nquestions:\n- {id: q2, title: Minimax, part: MinimaxAgent, points: 1, role: search, "
    written(tmp_path / "assignment.yaml", f"{keys}reference: exhaustive, criteria: {{value: 1}}}}\n")
    options = "--agent", SOLUTIONS, "--assignment", str(tmp_path)
    done = case("q2/secret", *options)
    assert done.returncode == 2
    assert "q2/secret is a hidden case; to run it, give its file: " in done.stderr
    assert case(file, *options).returncode == 0


EDITS: list[tuple[str, str, int, str, str]] = [
    ("Line(self.evaluate(node), None)", "None", 1, "line 13, in search", "A value is None here."),
    ("assumes = Layer.MIN", "def __init__(self): pass", 1, "", "write `def __init__(self, **options):`"),
    ("assumes = Layer.MIN", "def begin(self): pass", 1, "", "Write `def begin(self, rng):`"),
    ("assumes = Layer.MIN", "def __init__(self, rounds=2): super().__init__(rounds=0)", 1, "line 7, in __init__", ""),
    (FIRST, "[self.search(node, plies) for _ in node.actions()]", 1, "line 10, in search", "calls itself without end"),
    (FIRST, "raise KeyboardInterrupt", 130, "line 10, in search", ""),  # as Ctrl-C does
    (FIRST, "from pacman.search.algorithms import run_search", 1, "", "imports pacman.search, which"),
    (FIRST, "from pacman import search, Line", 1, "", "imports pacman.search, which a submission may"),
    (FIRST, "import autograder.judge", 1, "", "imports autograder, which a submission may not use"),
]


@pytest.mark.parametrize(("old", "new", "status", "frame", "text"), EDITS, ids=[each[1] for each in EDITS])
def test_a_traceback_has_only_the_students_lines(
    old: str, new: str, status: int, frame: str, text: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "raises.py", WRONG.replace(old, new))
    done = case(TREE, "--agent", f"{path}:MinimaxAgent")
    assert done.returncode == status
    files = re.findall(r'File "(.*)", (.*)', done.stderr)
    assert len(files) <= 10
    assert done.stderr.count("The first 5 and the last 5 of ") == (len(files) == 10)
    assert {file for file, _ in files} == ({path} if frame else set())
    assert frame in [line for _, line in files[:1]] or not frame
    assert text in " ".join(done.stdout.split())


def test_ctrl_c_at_a_jump_of_a_loop_has_the_line_before_it(tmp_path: Path) -> None:
    """Python knows no line of such a jump."""
    path, names = tmp_path / "loops.py", dict[str, Any]()
    text = "def loops(queue):\n  while queue:\n    for each in queue:\n      if each:\n        queue.append(each)\n"
    path.write_text(text, encoding="utf-8")
    exec(compile(text, str(path), "exec"), names)
    with pytest.raises(TypeError) as stopped:
        names["loops"](7)
    jumps = [start for start, _, line in names["loops"].__code__.co_lines() if line is None]
    step = TracebackType(None, stopped.tb.tb_next.tb_frame, jumps[-1], -1)  # type: ignore[union-attr]
    assert 'loops.py", line 5, in loops\n' in error_text(KeyboardInterrupt().with_traceback(step), path)


def debugged(folder: Path, commands: str, stop: str = "breakpoint()") -> subprocess.CompletedProcess[str]:
    """What `case` prints if these commands are typed where a wrong search stops."""
    path = written(folder / "debugged.py", WRONG.replace(FIRST, stop))
    command = [sys.executable, "-m", "autograder", "case", "max { a: 3 }", "--agent", f"{path}:MinimaxAgent"]
    return subprocess.run(command, cwd=ROOT, input=commands, capture_output=True, text=True, timeout=300, check=False)


def test_the_debugger_stays_in_the_students_code_and_draws_a_node(tmp_path: Path) -> None:
    """A few steps lead into the next call of `search` (line 9), because none of them stops in a method of a node."""
    done = debugged(tmp_path, "p 100 + plies\nw\np node\nc\nnode\nw\nc\n")
    assert done.returncode == 0
    for text in ("(Pdb) 101", "(Pdb) a MAX node:\nmax\n  a: 3\n(Pdb)", "(Pdb) the end of the game:\n3\n(Pdb)"):
        assert text in done.stdout
    steps = debugged(tmp_path, "s\n" * 4 + "c\n" * 5, "import pdb; pdb.set_trace()")
    assert steps.returncode == 0
    stops = re.findall(r"^(?:\(Pdb\) ?)*[> ]+(\S+)\((\d+)\)", done.stdout + steps.stdout, re.MULTILINE)
    assert {file for file, _ in stops} == {str(tmp_path / "debugged.py")}
    assert "9" in re.findall(r"> \S+\((\d+)\)", steps.stdout)[:5]
    left = debugged(tmp_path, "q\n")
    lines = ["you left the debugger, so the case has no result"]
    assert (left.returncode, left.stderr.splitlines()[1:]) == (130, lines)
    assert "breakpoint() does not work" not in left.stdout


def test_a_file_leaves_no_modules_behind(tmp_path: Path) -> None:
    written(tmp_path / "tools.py", "text = 'first'\n")
    before = set(sys.modules), list(sys.path), list(sys.path_hooks)
    runner = InProcess.of_file(Path(written(tmp_path / "mine.py", f"import tools\n{WRONG}")), "native")
    with runner.session(1) as session:
        runner.load_part(session, "search", "MinimaxAgent", 1)
        with session.inside():
            assert sys.modules["tools"].text == "first"
    assert (set(sys.modules) - before[0], sys.path, sys.path_hooks) == (set(), *before[1:])


@pytest.mark.parametrize("api", ["native", "cs188"])
def test_the_window_shows_the_tree_of_the_search(api: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trees, rights = [], []
    monkeypatch.setattr("pacman.view.screen.open_display", lambda: None)
    monkeypatch.setattr("pacman.view.window.show_tree", lambda tree, *right: (trees.append(tree), rights.append(right)))
    chooses_a = f"{FIRST}\n        return Line(self.best(node, plies).value, 'a')\n\n    def best(self, node, plies):"
    path = written(tmp_path / "wrong.py", WRONG.replace(FIRST, chooses_a)) if api == "native" else CS188
    done = case(TREE, "--agent", f"{path}:MinimaxAgent", "--api", api, "--view", "window")
    if hasattr(signal, "getitimer"):
        assert not any(signal.getitimer(signal.ITIMER_PROF)), "no timer ends the process of a window"
    assert [node.action for node in trees[0].nodes] == ["", "a", "b", "x", "y"]
    assert trees[0].interval(0) == ((8, 8) if api == "native" else (3, 3))  # what this search found
    assert trees[0].action == "a"  # what it returned, and not the action with the best of its values
    if api == "native":
        (right,) = rights[0]
        assert right_values(trees[0], right)[0] == format_number(right.interval(0)[0])
        assert done.stdout.count("search 2") == 1  # the second search prints nothing
        done = case("q3/01-figure", "--show", "--view", "window")
        assert (done.returncode, done.stderr, trees[1].interval(0)) == (0, "", (3, 3))


def test_the_window_steps_through_a_tree_and_closes() -> None:
    tree = Outline.parse(TREE)
    report = report_from_trace(tree, 2, run_search("exhaustive", tree, 2).trace, "exhaustive")
    for last in (Key("q"), "closed"):
        screen = FakeScreen({1: [Key("j")], 2: [Key("j"), Key("f")], 3: [last]})
        tree_window.show_tree(report, open_screen=lambda size, title, screen=screen: screen)
        assert (screen.frames, screen.closed, screen.is_full) == (3, 1, True)
