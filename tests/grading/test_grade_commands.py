"""The command `grade`: exit statuses, files, standard output, what is graded and what is printed of it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from autograder.commands.checks import check_without_games
from autograder.grading.grade import grade
from autograder.report import blocks
from autograder.report import json as report_json
from autograder.report.drawing import drawing_lines
from tests.command_line import run_here
from tests.course.small_class import write_files
from tests.every_report import FOR_STUDENTS
from tests.graded import graded_text
from tests.paths import ROOT, SOLUTIONS
from tests.written_files import written_assignment

TEXT = SOLUTIONS.read_text(encoding="utf-8")
EARLY = "Your search stops one ply too early (line 25)."


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run_here("autograder", *arguments)


def test_parts_that_are_not_written_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A student who has written nothing yet, or one part, reads one line about the others. Lost points exit 1."""
    monkeypatch.setenv("COLUMNS", "300")
    done = run("grade", "agents/student.py", "--case", "q2/01-figure")
    assert (done.returncode, done.stderr) == (1, "")
    assert "\n  MinimaxAgent.search is not written yet" in done.stdout
    done = run("grade", "agents/student.py", "--question", "q3", "--question", "q2", "--json", "-")
    report = done.stderr.splitlines()
    assert "q3  Alpha-beta     0/5  ░░░░░░░░░░░░░░░░░░░░  not written: 26" in [line.strip() for line in report]
    (line,) = [line for line in report if line.startswith("not written yet")]
    assert line.startswith("not written yet: MinimaxAgent.search, AlphaBetaAgent.search")
    assert len(re.findall("MinimaxAgent", done.stderr)) == 1
    assert "Traceback" not in done.stderr
    assert not [line for line in report if "──" in line]
    card = report_json.load(done.stdout)
    assert (card.earned, [question.id for question in card.questions]) == (0, ["q2", "q3"])


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
        result = next(check_without_games(loaded, 1))
        assert result.text == "1 public case; 1 of 1 with a search have a right answer"
        assert [each[: len(problem)] for each in result.problems] == [problem] * bool(problem)


def test_a_question_alone_says_what_else_it_needs(tmp_path: Path) -> None:
    """Its points may count for nothing in the whole assignment. One case alone says nothing of it."""
    about = "part: MinimaxAgent, points: 1, role: search, reference: exhaustive, criteria: {{value: 1}}"
    question = f"{{{{id: {{}}, title: T, {{}}{about}}}}}"
    text = f"title: T\nquestions:\n- {question.format('q1', '')}\n- {question.format('q2', 'requires: {q1: 0.5}, ')}\n"
    tree = "kind: tree\nshows: s\nplies: 1\ntree: 'max { a: 1; b: 2 }'\n"
    whole = written_assignment(tmp_path / "own", text, {"q1/01-tree": tree, "q2/01-tree": tree})
    for part, notes in (
        (whole.only("q2"), ("q2 also needs 50 % of the points of q1, not graded now",)),
        (whole.only(None, "q2/01-tree"), ()),
        (whole, ()),
    ):
        assert grade(ROOT / "agents/student.py", part, 1).notes == notes


@pytest.mark.parametrize(("form", "start"), [("json", "{"), ("junit", "<?xml"), ("markdown", "# Multi-agent search: ")])
def test_a_report_can_go_to_standard_output(form: str, start: str) -> None:
    """A pipe gets that report alone; the person at the terminal still sees the other one."""
    done = run("grade", SOLUTIONS, "--case", "q2/01-figure", f"--{form}", "-")
    assert done.returncode == 0
    assert done.stdout.startswith(start)
    assert done.stderr.startswith("Multi-agent search: ")
    assert "Multi-agent search: autograder" not in done.stdout


def test_a_report_is_written_if_nobody_reads_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_closed(*_: object) -> NoReturn:  # as in `grade my.py --json r.json | head -n 1`
        raise BrokenPipeError

    monkeypatch.setattr(blocks, "single_case_blocks", is_closed)
    run("grade", SOLUTIONS, "--case", "q2/01-figure", "--json", tmp_path / "r.json")
    assert report_json.load((tmp_path / "r.json").read_text(encoding="utf-8")).is_full


@pytest.mark.parametrize("name", ["Zoë Müller", "學生 क्षेत्र e\u0301"])
def test_names_in_any_script_are_shown_in_every_report(name: str, tmp_path: Path) -> None:
    write_files(tmp_path, {f"{name}/{name}.py": TEXT})
    file = str(tmp_path / name / f"{name}.py")
    reports = {f"--{form}": tmp_path / f"report.{form}" for form in ("json", *FOR_STUDENTS)}
    done = run("grade", file, "--case", "q2/01-figure", *(str(each) for option in reports.items() for each in option))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{name}/{name}.py".replace(" ", "") in "".join(done.stdout.split())
    assert "q2/01-figure  100 %" in done.stdout
    assert report_json.load(reports["--json"].read_text(encoding="utf-8")).submission == file
    assert f"`{file}`" in reports["--markdown"].read_text(encoding="utf-8")


def test_a_misspelt_class_is_named_and_an_assigned_one_found(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(TEXT.replace("class MinimaxAgent", "class MiniMaxAgent"), encoding="utf-8")
    alone = run("grade", file, "--question", "q2")
    assert (alone.returncode, alone.stdout) == (2, "")
    assert alone.stderr.endswith(f": no class MinimaxAgent in {file}; did you mean 'MiniMaxAgent'?\n")
    among_others = run("grade", file, "--case", "01-figure").stdout
    assert "the file does not define: MinimaxAgent (did you mean 'MiniMaxAgent'?)" in among_others
    file.write_text("class Other:\n    pass\n", encoding="utf-8")
    problem = f": {file}: no part of the assignment in it; expected MinimaxAgent\n"
    assert run("grade", file, "--question", "q2").stderr.endswith(problem)
    code = "from agents.base import SearchAgent\nclass Mine(SearchAgent):\n    pass\n\n\nMinimaxAgent = Mine\n"
    file.write_text(code, encoding="utf-8")
    done = run("grade", file, "--case", "q2/01-figure")
    assert (done.stderr, "Mine.search is not written yet" in done.stdout) == ("", True)


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
    assert done.stderr.endswith("own. `--api cs188` is for files in Berkeley's style.\n")
    with_api = run("grade", str(tmp_path / name), "--api", "cs188", "--case", "q2/01-won-ends")
    assert "`--api" not in with_api.stderr


def test_imports_are_called_forbidden_or_of_no_use(tmp_path: Path) -> None:
    """Nobody sees which names a list of imports brings: only an import of one name is said to be of no use."""
    file = tmp_path / "mine.py"
    file.write_text(TEXT.replace("from math import", "import pacman.search\nfrom math import"), encoding="utf-8")
    report = " ".join(run("grade", file, "--question", "q2").stdout.split())
    assert f"forbidden import: {len(list(SOLUTIONS.parent.glob('cases/q2/*.yaml')))}" in report
    assert report.count("the file cannot be imported: imports pacman.search, which a submission may not use") == 1
    for line in ("import pandas", "import pandas, json"):
        file.write_text(f"{line}\n\nclass MinimaxAgent:\n    pass\n", encoding="utf-8")
        errors = run("grade", file, "--question", "q2", "--no-last-run").stderr
        assert ("delete this line" in errors) == (line == "import pandas"), errors


def test_a_submission_is_what_was_named(tmp_path: Path) -> None:
    """No neighbour's answers, no link, and helpers by name only."""
    folder = write_files(
        tmp_path / "downloads", {"ada.py": TEXT, "bob.py": "import ada\nclass MinimaxAgent(ada.MinimaxAgent): ...\n"}
    )
    more = write_files(tmp_path / "more", {"ada.py": f"{TEXT}\nimport more\n", "more.py": "x = 1\n"})
    case = "--case", "q2/01-figure", "--allow-unsafe"
    alone = run("grade", folder / "bob.py", *case)
    problem = "bob.py: imports 'ada', which is not available in the sandbox (line 1: import ada). If ada is "
    problem += "a file of your own, hand it in too, or grade both files: their folder, or this one with --with.\n"
    assert (alone.returncode, alone.stderr[-len(problem) :]) == (2, problem)
    helpers = "--with", str(more / "ada.py"), "--with", str(more / "more.py")
    assert run("grade", folder / "bob.py", *case, *helpers).returncode == 0
    (folder / "ada.py").unlink()
    assert run("grade", folder, *case, *helpers).returncode == 0  # a helper is never the file to grade
    if sys.platform != "win32":
        write_files(folder / "eve", {"tools.py": "x = 1\n"})
        (folder / "eve/answer.py").symlink_to(more / "ada.py")
        errors = run("grade", folder / "eve", *case).stderr
        assert errors.endswith("expected MinimaxAgent; 'answer.py' is a link: hand in the file itself\n")


def test_the_last_line_of_doctor_is_a_whole_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    last = run("doctor").stdout.splitlines()[-1]
    assert last.startswith("sandbox: ")
    assert last.endswith((": safe for other people's work", ": safe only for your own work"))


def test_one_mistake_is_at_most_sixty_lines_and_its_sentence_is_the_last(tmp_path: Path) -> None:
    """A single case stands above the diagnosis. With --all, every missed case is shown."""
    path = tmp_path / "wrong.py"
    path.write_text(TEXT.replace("if plies == 0 or", "if plies == 1 or"), encoding="utf-8")
    text = run("grade", path, "--question", "q2").stdout
    report = text.splitlines()
    assert (len(report) <= 60, report[-1], text.count(EARLY)) == (True, f"q2: {EARLY}", 2)
    assert "To run just this: " in text
    (more,) = [line for line in report if "--all shows them" in line]
    assert more.startswith("12 more cases: 02, 03, 04, ")
    assert text.count("<-- here") == 2  # of the smallest tree, and of one case
    assert [line for line in report if line.split("  ")[0].endswith("...") or " ... " in line], "folded"
    whole = run("grade", path, "--question", "q2", "--all").stdout
    assert (whole.count("<-- here") > 5, "q2/07-one-action  0 %" in whole) == (True, True)
    text = run("grade", path, "--case", "q2/02-several-ghosts").stdout
    assert text.index("q2/02-several-ghosts  0 %") < text.index(EARLY)
    assert (text.splitlines()[-1], len(text.splitlines()) <= 60) == (f"q2: {EARLY}", True)


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_a_hidden_case_is_counted_and_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A student learns only how many hidden cases passed; an instructor can see everything."""
    folder = Path(shutil.copytree(ROOT / "autograder" / "assignments" / "multiagent", tmp_path / "secret"))
    case = folder / "cases" / "q2" / "05-ties.yaml"
    case.write_text(case.read_text(encoding="utf-8") + "hidden: true\n", encoding="utf-8")
    (tmp_path / "wrong.py").write_text(TEXT.replace("plies == 0", "plies <= 1"), encoding="utf-8")
    command = ["grade", str(tmp_path / "wrong.py"), "--assignment", str(folder), "--question", "q2"]
    monkeypatch.setenv("COLUMNS", "140")
    student, instructor = run(*command), run(*command, "--show-hidden")
    assert (student.returncode, student.stderr) == (1, "")
    assert "hidden: 0 of 5 passed" in student.stdout  # four are drawn
    assert EARLY in student.stdout
    assert not re.search("05-ties|several actions are best", student.stdout)
    assert "several actions are best; each of them is right" in instructor.stdout


def test_a_narrow_terminal_breaks_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of play wrap at the width of the terminal; drawings do not change."""
    reports = {}
    for columns in ("60", "300"):
        monkeypatch.setenv("COLUMNS", columns)
        reports[columns] = run("grade", "docs/one_ply_short.py", "--case", "q2/08-one-ghost").stdout
    assert any(len(line) > 60 for line in reports["300"].splitlines() if line.startswith("    expected line of play: "))
    to_copy = ("  To run just this: ", "sandbox: ")  # a command is one line, so that it can be copied
    lines = reports["60"].splitlines()
    assert max(len(line.rstrip()) for line in lines if not line.startswith(to_copy)) <= 60
    assert [line for line in lines if line.startswith(to_copy)]
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
        if node.layer is Layer.MAX:
            return max(self.value(node.successor(action), plies - 1) for action in node.actions())
        return self.lowest(node=node, plies=plies)

    def lowest(self, node, plies):
        values = [self.value(node.successor(action), plies - 1) for action in node.actions()]
        return sum(values) / len(values)
"""


IN_PAIRS = FILE.replace("plies - 1)", "plies - 1)[1]").replace(
    "    return self.evaluate", "    return None, self.evaluate"
)
IN_PAIRS = IN_PAIRS.replace("return max(self", "return None, max(self").replace("return sum", "return None, sum")


@pytest.mark.parametrize("text", [FILE, IN_PAIRS], ids=["numbers", "pairs"])
def test_the_values_of_methods_that_expand_a_node_are_drawn(tmp_path: Path, text: str) -> None:
    case = graded_text(tmp_path, text)
    assert case.why == "at node a: expected 3, got 7.66667"
    assert case.diagram
    rows = [line.split() for line in drawing_lines(case.diagram) if "min" in line]
    assert [row[2:4] for row in rows] == [["3", "7.66667"], ["2", "4"], ["2", "7"]]
