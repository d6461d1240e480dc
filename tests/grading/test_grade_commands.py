"""The command `grade`: exit statuses, files, standard output, and one line for a mistake."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from autograder.commands.checks import check_without_games
from autograder.grading.submission_api import NATIVE
from autograder.report import json as report_json
from tests.command_line import run_here
from tests.every_report import FOR_STUDENTS
from tests.graded import graded_text
from tests.paths import ROOT, SOLUTIONS
from tests.written_assignment import written_assignment

EARLY = "Your search stops one ply too early (line 25)."


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run_here("autograder", *arguments)


def test_lost_points_exit_1() -> None:
    done = run("grade", "agents/student.py", "--case", "q2/01-figure")
    assert (done.returncode, done.stderr) == (1, "")
    assert "\n  MinimaxAgent.search is not written yet" in done.stdout


def test_parts_that_are_not_written_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A student who has written nothing yet, or one part, reads one line about the others."""
    monkeypatch.setenv("COLUMNS", "300")
    done = run("grade", "agents/student.py", "--json", "-")
    report = done.stderr.splitlines()
    assert "q3  Alpha-beta         0/5  ░░░░░░░░░░░░░░░░░░░░  not written: 26" in [line.strip() for line in report]
    first, *others = [line for line in report if line.startswith("not written yet")]
    assert first.startswith(
        "not written yet: ReflexAgent.evaluate_action, MinimaxAgent.search, AlphaBetaAgent.search, "
    )
    assert not others
    assert len(re.findall("MinimaxAgent", done.stderr)) == 1
    assert "Traceback" not in done.stderr
    assert report_json.load(done.stdout).earned == 0
    assert not [line for line in report if "──" in line]


def test_every_question_that_is_named_is_graded() -> None:
    report = run("grade", "agents/student.py", "--question", "q3", "--question", "q1", "--json", "-").stdout
    assert [question.id for question in report_json.load(report).questions] == ["q1", "q3"]


def test_check_sees_a_question_whose_cases_show_nothing(tmp_path: Path) -> None:
    """Without a cut, alpha-beta is as good as minimax; without a ply, nobody searches."""
    question = "{{id: q1, title: T, part: AlphaBetaAgent, points: 1, role: search, reference: alphabeta, criteria: {}}}"
    text = f"title: T\nquestions:\n- {question.format('{value: 1, generated: 1}')}\n"
    tree = "kind: tree\nshows: s\nplies: {}\n"
    tree += "tree: 'max ~0 {{ a: min {{ x: 1; y: 2 }}; b: min {{ x: {}; y: 4 }} }}'\n"
    for plies, leaf, problem in (
        (2, 0, ""),
        (2, 3, "q1: alpha-beta cuts nothing"),
        (0, 0, "q1: every case has plies: 0"),
    ):
        loaded = written_assignment(tmp_path / "own", text, {"q1/01-tree": tree.format(plies, leaf)})
        result = next(check_without_games(loaded, str(tmp_path / "own"), NATIVE, 1))
        assert result.text == "1 of 1 have a right answer"
        assert [each[: len(problem)] for each in result.problems] == [problem] * bool(problem)


STARTS = {"junit": "<?xml", "markdown": "# Multi-agent search: 5 of 5 points"}


@pytest.mark.parametrize("form", ["json", *FOR_STUDENTS])
def test_a_report_can_go_to_standard_output(form: str) -> None:
    """A pipe gets that report alone; the person at the terminal still sees the other one."""
    done = run("grade", SOLUTIONS, "--case", "q2/01-figure", f"--{form}", "-")
    assert done.returncode == 0
    assert done.stdout.startswith(STARTS.get(form, "{"))
    assert done.stderr.startswith("Multi-agent search: ")
    assert "Multi-agent search: autograder" not in done.stdout
    if form == "json":
        assert report_json.load(done.stdout).is_full


def variant(folder: Path, old: str, new: str, name: str = "mine.py") -> str:
    """The path of a copy of the solutions with a change."""
    text = SOLUTIONS.read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    return str(folder / name)


def test_a_misspelt_class_is_named(tmp_path: Path) -> None:
    file = variant(tmp_path, "class MinimaxAgent", "class MiniMaxAgent")
    alone = run("grade", file, "--question", "q2")
    assert (alone.returncode, alone.stdout) == (2, "")
    assert alone.stderr.endswith(f": no class MinimaxAgent in {file}; did you mean 'MiniMaxAgent'?\n")
    among_others = run("grade", file, "--case", "01-figure").stdout
    assert "the file does not define: MinimaxAgent (did you mean 'MiniMaxAgent'?)" in among_others
    (tmp_path / "mine.py").write_text("class Other:\n    pass\n", encoding="utf-8")
    assert run("grade", file, "--question", "q2").stderr.endswith(
        f": {file}: no part of the assignment in it; expected MinimaxAgent\n"
    )


def test_a_class_may_get_its_name_by_an_assignment(tmp_path: Path) -> None:
    code = "from agents.base import SearchAgent\nclass Mine(SearchAgent):\n    pass\n\n\nMinimaxAgent = Mine\n"
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    done = run("grade", str(tmp_path / "mine.py"), "--case", "q2/01-figure")
    assert done.stderr == ""
    assert "Mine.search is not written yet" in done.stdout


@pytest.mark.slow("that grade or diagnose wrong searches", keep=1)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("multiAgents.py", "class Unknown:\n    pass\n"),
        ("multiAgents.py", "from game import Agent\n\n\nclass MinimaxAgent(Agent):\n    pass\n"),
        ("ada.py", "from util import manhattanDistance\n\n\nclass MinimaxAgent:\n    pass\n"),
        ("ada.py", "import util\n\nprint 'Python 2'\n"),
    ],
)
def test_a_berkeley_file_gets_advice_to_use_its_api(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    done = run("grade", str(tmp_path / name))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.endswith("; this looks like a Berkeley-style file: add --api cs188\n")
    with_api = run("grade", str(tmp_path / name), "--api", "cs188", "--case", "q2/01-won-ends")
    assert "add --api" not in with_api.stderr


def test_a_forbidden_import_is_called_that(tmp_path: Path) -> None:
    file = variant(tmp_path, "from math import", "import pacman.search\nfrom math import")
    done = run("grade", file, "--question", "q2")
    shown = " ".join(done.stdout.split())
    assert f"forbidden import: {len(list(SOLUTIONS.parent.glob('cases/q2/*.yaml')))}" in shown
    assert shown.count("the file cannot be imported: imports pacman.search, which a submission may not use") == 1


def test_the_last_line_of_doctor_is_a_whole_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    last = run("doctor").stdout.splitlines()[-1]
    assert last.startswith("sandbox: ")
    assert last.endswith((": safe for other people's work", ": safe only for your own work"))


@pytest.mark.parametrize("name", ["Zoë Müller", "学生 一", "أحمد", "Ольга", "e\u0301tude", "क्षेत्र"])
def test_names_in_any_script_are_shown_in_every_report(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    file = variant(tmp_path / name, "plies == 0", "plies == 0", f"{name}.py")
    command = ["grade", file, "--case", "q2/01-figure"]
    reports = {f"--{form}": tmp_path / f"report.{form}" for form in ("json", *FOR_STUDENTS)}
    done = run(*command, *(str(each) for option in reports.items() for each in option))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{name}/{name}.py" in done.stdout.replace("\n", "")
    assert "q2/01-figure  100 %" in done.stdout
    assert report_json.load(reports["--json"].read_text(encoding="utf-8")).submission == file
    assert f"`{file}`" in reports["--markdown"].read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def one_ply_short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Solutions in which every search stops one ply too early."""
    text = SOLUTIONS.read_text(encoding="utf-8").replace("if plies == 0 or", "if plies == 1 or")
    path = tmp_path_factory.mktemp("wrong") / "wrong.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_one_mistake_is_at_most_sixty_lines_and_its_sentence_is_the_last(one_ply_short: Path) -> None:
    report = run("grade", str(one_ply_short), "--question", "q2").stdout.splitlines()
    assert len(report) <= 60
    assert report[-1] == f"q2: {EARLY}"
    text = "\n".join(report)
    assert text.count(EARLY) == 2
    assert "To run just this: " in text
    (more,) = [line for line in report if "--all shows them" in line]
    assert more.startswith("12 more cases: 02, 03, 04, ")
    assert text.count("<-- here") == 2  # of the smallest tree, and of one case
    folded = [line for line in report if line.split("  ")[0].endswith("...") or " ... " in line]
    assert folded, text


def test_all_shows_every_missed_case(one_ply_short: Path) -> None:
    whole = run("grade", str(one_ply_short), "--question", "q2", "--all").stdout
    assert whole.count("<-- here") > 5
    assert "q2/07-one-action  0 %" in whole


def test_a_single_case_stands_above_the_diagnosis(one_ply_short: Path) -> None:
    report = run("grade", str(one_ply_short), "--case", "q2/02-several-ghosts").stdout
    case, sentence = report.index("q2/02-several-ghosts  0 %"), report.index(EARLY)
    assert case < sentence
    assert report.splitlines()[-1] == f"q2: {EARLY}"
    assert len(report.splitlines()) <= 60


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_a_hidden_case_is_counted_and_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A student learns only how many hidden cases passed; an instructor can see everything."""
    folder = Path(shutil.copytree(ROOT / "autograder" / "assignments" / "multiagent", tmp_path / "secret"))
    case = folder / "cases" / "q2" / "05-ties.yaml"
    case.write_text(case.read_text(encoding="utf-8") + "hidden: true\n", encoding="utf-8")
    wrong = SOLUTIONS.read_text(encoding="utf-8").replace("plies == 0", "plies <= 1")
    (tmp_path / "wrong.py").write_text(wrong, encoding="utf-8")
    command = ["grade", str(tmp_path / "wrong.py"), "--assignment", str(folder), "--question", "q2"]
    monkeypatch.setenv("COLUMNS", "140")
    student, instructor = run(*command), run(*command, "--show-hidden")
    assert (student.returncode, student.stderr) == (1, "")
    assert "hidden: 0 of 5 passed" in student.stdout  # four are drawn
    assert EARLY in student.stdout
    assert "05-ties" not in student.stdout
    assert "several actions are best" not in student.stdout
    assert "several actions are best; each of them is right" in instructor.stdout


def test_a_narrow_terminal_breaks_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of play wrap at the width of the terminal; drawings do not change."""
    reports = {}
    for columns in ("60", "300"):
        monkeypatch.setenv("COLUMNS", columns)
        reports[columns] = run("grade", "docs/one_ply_short.py", "--case", "q2/08-one-ghost").stdout
    assert any(len(line) > 60 for line in reports["300"].splitlines() if line.startswith("    expected line of play: "))
    to_copy = ("  To run just this: ", "sandbox: ")  # a command is one line, so that it can be copied
    assert max(len(line.rstrip()) for line in reports["60"].splitlines() if not line.startswith(to_copy)) <= 60
    assert [line for line in reports["60"].splitlines() if line.startswith(to_copy)]
    timeless = [re.sub(r"; [\d.]+ s\n", "\n", report) for report in reports.values()]
    words = [[word for word in report.split() if set(word) != {"─"}] for report in timeless]
    assert words[0] == words[1]


FILE = """\
from agents.base import SearchAgent
from pacman.core.tree import Layer
from pacman.core.tree import Line


class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        return max((Line(self.guess(child) + self.value(child, plies - 1), action) for action in node.actions()
                    for child in [node.successor(action)]), key=lambda line: line.value)

    def guess(self, node):
        return 0 * self.evaluate(node)

    def value(self, node, plies):
        if node.is_terminal or plies == 0:
            return self.evaluate(node)
        return self.highest(node=node, plies=plies) if node.layer is Layer.MAX else self.lowest(node, plies)

    def highest(self, node, plies):
        return max(self.value(node.successor(action), plies - 1) for action in node.actions())

    def lowest(self, node, plies):
        values = [self.value(node.successor(action), plies - 1) for action in node.actions()]
        return sum(values) / len(values)
"""


def test_the_values_of_methods_that_expand_a_node_are_drawn(tmp_path: Path) -> None:
    case = graded_text(tmp_path, FILE)
    assert case.why == "at node a: expected 3, got 7.66667"
    rows = [line.split() for line in case.picture if "min" in line]
    assert [row[2:4] for row in rows] == [["3", "7.66667"], ["2", "4"], ["2", "7"]]


@pytest.mark.parametrize("line", ["import pandas", "import pandas, json"])
def test_only_an_import_of_one_name_is_said_to_be_of_no_use(line: str, tmp_path: Path) -> None:
    """Nobody sees here which names a star or a list brings."""
    file = tmp_path / "mine.py"
    file.write_text(f"{line}\n\nclass MinimaxAgent:\n    pass\n", encoding="utf-8")
    said = run_here("autograder", "grade", file, "--question", "q2", "--no-last-run").stderr
    assert ("delete this line" in said) == (line == "import pandas"), said
