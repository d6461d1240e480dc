"""The command `case`: one case in the student's own process, drawn, with a traceback; and its exit statuses."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.commands.target import choose_case, searches_in
from autograder.sandbox.in_process import InProcess
from pacman.core.numbers import format_number
from pacman.core.tree_text import Outline
from pacman.record.report import report_from_trace
from pacman.search.algorithms import run_search
from pacman.view import window as tree_window
from pacman.view.screen import Closed, Key
from pacman.view.window import right_values
from tests.command_line import run_here
from tests.commands.test_transcripts import WRONG
from tests.paths import ROOT, SOLUTIONS
from tests.view.fake_screen import FakeScreen

STUBS = str(ROOT / "agents" / "student.py")
CS188 = str(ROOT / "tests" / "submissions" / "classic" / "closures.py")
TREE = "max { a: 3; b: min { x: 2; y: 8 } }"
NOTE = "no sandbox: {} can do everything that you can do; run only code that you trust\n"


def case(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run_here("autograder", "case", *arguments)


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG, encoding="utf-8")
    return str(path)


def table(text: str) -> list[list[str]]:
    """The words of each line of the drawn tree."""
    lines = text.splitlines()
    first = next(place for place, line in enumerate(lines) if line.split() == ["expected", "got"])
    return [line.split() for line in lines[first + 1 :]]


def test_a_tree_can_come_from_a_file_or_from_the_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "max\n  a: 3\n  b: 5\n"
    (tmp_path / "tree.txt").write_text(text, encoding="utf-8")
    from_file = case(str(tmp_path / "tree.txt"), "--agent", f"{SOLUTIONS}:MinimaxAgent")
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    from_input = case("-", "--agent", f"{SOLUTIONS}:MinimaxAgent")
    assert from_file.returncode == from_input.returncode == 0
    assert table(from_file.stdout) == table(from_input.stdout)


def test_the_yaml_file_of_a_case_says_its_question_by_its_folder_or_the_class_says_it(tmp_path: Path) -> None:
    folder = tmp_path / "q2"
    folder.mkdir()
    text = f"kind: tree\nshows: mine\nplies: 2\ntree: '{TREE}'\n"
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    assert case(str(folder / "mine.yaml"), "--agent", SOLUTIONS).returncode == 0
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    assert case(str(tmp_path / "mine.yaml"), "--agent", f"{SOLUTIONS}:MinimaxAgent").returncode == 0
    unknown = case(str(tmp_path / "mine.yaml"), "--agent", SOLUTIONS)
    assert unknown.returncode == 2
    assert unknown.stderr.endswith("does not say its question; name the class, as in FILE:ReflexAgent\n")


def test_an_error_has_a_traceback_that_begins_in_the_students_file(tmp_path: Path) -> None:
    path = tmp_path / "raises.py"
    path.write_text(WRONG.replace("return Line(self.evaluate(node), None)", "return None"), encoding="utf-8")
    done = case(TREE, "--agent", f"{path}:MinimaxAgent")
    assert done.returncode == 1
    error = done.stderr.removeprefix(NOTE.format(path)).splitlines()
    assert error[0] == "Traceback (most recent call last):"
    assert error[1] == f'  File "{path}", line 13, in search'
    assert error[-1] == "AttributeError: 'NoneType' object has no attribute 'value'"
    assert "native_api.py" not in done.stderr
    assert "A value is None here." in done.stdout


@pytest.mark.parametrize(
    ("method", "lines", "advice"),
    [
        ("def __init__(self): pass", [], "write `def __init__(self, **options):`"),
        ("def begin(self): pass", [], "Write `def begin(self, rng):`"),
        ("def __init__(self, rounds=2): super().__init__(rounds=0)", ["__init__"], ""),
    ],
)
def test_a_traceback_has_only_the_students_lines(method: str, lines: list[str], advice: str, tmp_path: Path) -> None:
    path = tmp_path / "starts.py"
    path.write_text(WRONG.replace("    assumes = Layer.MIN", f"    {method}"), encoding="utf-8")
    done = case(TREE, "--agent", str(path))
    assert done.returncode == 1
    assert re.findall(r'File "(.*)", line \d+, in (\w+)', done.stderr) == [(str(path), name) for name in lines]
    assert advice in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("statement", "module"),
    [
        ("from pacman.search.algorithms import run_search", "pacman.search"),
        ("from pacman import search, Line", "pacman.search"),
        ("import autograder.judge", "autograder"),
    ],
)
def test_a_forbidden_import_earns_nothing(statement: str, module: str, tmp_path: Path) -> None:
    path = tmp_path / "forbidden.py"
    path.write_text(f"{SOLUTIONS.read_text(encoding='utf-8')}\n{statement}\n", encoding="utf-8")
    done = case("q2/01-figure", "--agent", str(path))
    assert done.returncode == 1
    assert f"imports {module}, which a submission may not use" in " ".join(done.stdout.split())


def test_ctrl_c_shows_where_the_code_is(tmp_path: Path) -> None:
    path = tmp_path / "stops.py"
    path.write_text(WRONG.replace('print("search", plies)', "raise KeyboardInterrupt"), encoding="utf-8")
    done = case(TREE, "--agent", f"{path}:MinimaxAgent")
    assert done.returncode == 130
    assert f'  File "{path}", line 10, in search' in done.stderr


def debugged(folder: Path, commands: str, stop: str = "breakpoint()") -> subprocess.CompletedProcess[str]:
    """What `case` prints if these commands are typed where a wrong search stops."""
    path = folder / "debugged.py"
    path.write_text(WRONG.replace('print("search", plies)', stop), encoding="utf-8")
    command = [sys.executable, "-m", "autograder", "case", "max { a: 3 }", "--agent", f"{path}:MinimaxAgent"]
    return subprocess.run(command, cwd=ROOT, input=commands, capture_output=True, text=True, timeout=300, check=False)


def test_breakpoint_stops_in_the_students_code_and_draws_a_node(tmp_path: Path) -> None:
    done = debugged(tmp_path, "p 100 + plies\nw\np node\nc\nnode\nw\nc\n")
    assert done.returncode == 0
    assert "(Pdb) 101" in done.stdout
    assert "(Pdb) a MAX node:\nmax\n  a: 3\n(Pdb)" in done.stdout
    assert "(Pdb) the end of the game:\n3\n(Pdb)" in done.stdout
    files = set(re.findall(r"^(?:\(Pdb\))?[> ]+(\S+)\(\d+\)", done.stdout, re.MULTILINE))
    assert files == {str(tmp_path / "debugged.py")}


def test_steps_stay_in_the_students_code(tmp_path: Path) -> None:
    """A few steps lead into the next call of `search` (line 9), because none of them stops in a method of a node."""
    done = debugged(tmp_path, "s\n" * 4 + "c\n" * 5, "import pdb; pdb.set_trace()")
    assert done.returncode == 0
    stops = re.findall(r"> (\S+)\((\d+)\)", done.stdout)
    assert {file for file, _ in stops} == {str(tmp_path / "debugged.py")}
    assert "9" in [line for _, line in stops[:5]]


def test_leaving_the_debugger_is_no_error(tmp_path: Path) -> None:
    done = debugged(tmp_path, "q\n")
    assert (done.returncode, done.stderr.splitlines()[1:]) == (
        130,
        ["you left the debugger, so the case has no result"],
    )
    assert "breakpoint() does not work" not in done.stdout


def test_a_berkeley_style_file(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sys.modules["pacman"]
    done = case("q2/01-won-ends", "--agent", CS188, "--api", "cs188")
    assert done.returncode == 0
    assert sys.modules["pacman"] is before
    tree = case("max { a: 3; b: min { x: 2; y: 8 } }", "--agent", f"{CS188}:MinimaxAgent", "--api", "cs188")
    assert tree.returncode == 0
    match = case("q1/01-meadow", "--agent", CS188, "--api", "cs188")
    assert "games won: 4 of 4" in match.stdout
    assert "pacman watch" not in match.stdout  # it cannot run such a file


def test_a_file_leaves_no_modules_behind(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text("text = 'first'\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text(f"import tools\n{WRONG}", encoding="utf-8")
    before = set(sys.modules), list(sys.path), list(sys.path_hooks)
    runner = InProcess.of_file(tmp_path / "mine.py", "native")
    with runner.session(1) as session:
        runner.load_part(session, "search", "MinimaxAgent", 1)
        with session.inside():
            assert sys.modules["tools"].text == "first"
    assert (set(sys.modules) - before[0], sys.path, sys.path_hooks) == (set(), *before[1:])


def test_a_tree_runs_the_only_written_search_for_its_layers(tmp_path: Path) -> None:
    """The stubs of the other questions do not count, and neither do searches that do not know a layer of the tree."""
    stub = (ROOT / "agents" / "student.py").read_text(encoding="utf-8")
    written = stub.replace('raise NotWritten("MinimaxAgent.search")', "return Line(self.evaluate(node), None)")
    (tmp_path / "mine.py").write_text(written, encoding="utf-8")
    questions = searches_in(tmp_path / "mine.py", loading.load("multiagent"))
    assert [question.part for question in questions] == ["MinimaxAgent"]
    chosen = choose_case(str(ROOT / "docs" / "tree.txt"), loading.load("multiagent"), "", None, SOLUTIONS)
    assert chosen.question.part == "ExpectiminimaxAgent"


def test_a_file_that_is_not_python_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("x = 1\nif:\n", encoding="utf-8")
    done = case("q2/01-figure", "--agent", str(tmp_path / "bad.py"))
    assert (done.returncode, done.stderr) == (
        2,
        f"python -m autograder: {tmp_path / 'bad.py'}:2: not valid Python: invalid syntax\n    if:\n      ^\n",
    )


def test_a_hidden_case_is_not_run_by_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "cases" / "q2"
    folder.mkdir(parents=True)
    (folder / "secret.yaml").write_text(
        f"kind: tree\nshows: mine\nplies: 2\nhidden: true\ntree: '{TREE}'\n", encoding="utf-8"
    )
    (tmp_path / "assignment.yaml").write_text(
        "title: Mine\nquestions:\n- {id: q2, title: Minimax, part: MinimaxAgent, points: 1, role: search, "
        "reference: exhaustive, criteria: {value: 1}}\n",
        encoding="utf-8",
    )
    done = case("q2/secret", "--agent", SOLUTIONS, "--assignment", str(tmp_path))
    assert done.returncode == 2
    assert "q2/secret is a hidden case; to run it, give its file: " in done.stderr
    file = str(folder / "secret.yaml")
    assert case(file, "--agent", SOLUTIONS, "--assignment", str(tmp_path)).returncode == 0


@pytest.mark.parametrize("api", ["native", "cs188"])
def test_the_window_shows_the_tree_of_the_search(api: str, wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, rights = [], []
    monkeypatch.setattr("pacman.view.screen.open_display", lambda: None)
    monkeypatch.setattr("pacman.view.window.show_tree", lambda tree, right: (shown.append(tree), rights.append(right)))
    agent = f"{wrong if api == 'native' else CS188}:MinimaxAgent"
    done = case(TREE, "--agent", agent, "--api", api, "--view", "window")
    if hasattr(signal, "getitimer"):
        assert not any(signal.getitimer(signal.ITIMER_PROF)), "no timer ends the process of a window"
    (report,) = shown
    assert [node.action for node in report.nodes] == ["", "a", "b", "x", "y"]
    assert report.interval(0) == ((8, 8) if api == "native" else (3, 3))  # what this search found
    if api == "native":
        assert right_values(report, rights[0])[0] == format_number(rights[0].interval(0)[0])
        assert done.stdout.count("search 2") == 1  # the second search prints nothing


def test_the_right_answer_of_a_tree_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    monkeypatch.setattr("pacman.view.screen.open_display", lambda: None)
    monkeypatch.setattr("pacman.view.window.show_tree", shown.append)
    done = case("q3/01-figure", "--show", "--view", "window")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1:3] == [
        "right: value 3, action a", "nodes, cuts at alpha >= beta: 11 touched, 4 expanded, 10 generated",
    ]  # fmt: skip
    assert re.search(r"window +expected\n", done.stdout)
    assert re.search(r"b: min +\(3, inf\) +<=2\n", done.stdout)
    assert re.search(r"b: leaf +pruned\n", done.stdout)
    (report,) = shown
    assert report.interval(0) == (3, 3)


def test_the_right_answers_of_a_line_of_play_are_shown() -> None:
    done = case("q3/40-whole-game", "--show", "--assignment", "classic")
    assert done.returncode == 0
    first, second = done.stdout.split("Pacman's move 2 (6 plies deep)\n", 1)
    assert "right: value 18, action West or East\n" in first
    assert "\nnodes, cuts at alpha > beta without Stop: 179 touched, 111 expanded, 178 generated\n" in first
    assert "\n  moves so far: none\n  expected line of play: Pacman West, ghost 1 West, ghost 2 West, " in first
    assert "\n  moves so far: West\n" in second


def test_the_window_steps_through_a_tree_and_closes() -> None:
    tree = Outline.parse(TREE)
    report = report_from_trace(tree, 2, run_search("exhaustive", tree, 2).trace, "exhaustive")
    for last in (Key("q"), Closed()):
        screen = FakeScreen({1: [Key("j")], 2: [Key("j"), Key("f")], 3: [last]})
        tree_window.show_tree(report, open_screen=lambda size, title, screen=screen: screen)
        assert (screen.frames, screen.closed, screen.is_full) == (3, 1, True)
