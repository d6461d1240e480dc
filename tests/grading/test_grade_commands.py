"""The command line of the autograder: exit statuses, the file it writes, one line for a mistake."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from autograder.report import json as report_json
from tests.command_line import run_here

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_here("autograder", *arguments)


def test_full_marks_exit_0_and_write_the_result(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    done = run(
        "grade",
        "autograder/assignments/multiagent/solutions.py",
        "--question",
        "q2",
        "--json",
        str(file),
        "--jobs",
        "2",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "5/5" in done.stdout
    assert report_json.load(file.read_text(encoding="utf-8")).is_full


def test_lost_points_exit_1() -> None:
    done = run("grade", "agents/student.py", "--case", "q2/01-figure")
    assert (done.returncode, done.stderr) == (1, "")
    assert "MinimaxAgent.search is not written yet" in done.stdout


def test_the_first_misses_are_drawn_and_the_rest_are_told(tmp_path: Path) -> None:
    """A student sees two drawings a question, not ten, and how to see them all."""
    wrong = (
        (ROOT / "autograder" / "assignments" / "multiagent" / "solutions.py")
        .read_text(encoding="utf-8")
        .replace("if plies == 0 or", "if plies == 1 or")
    )
    (tmp_path / "wrong.py").write_text(wrong, encoding="utf-8")
    everything = run("grade", str(tmp_path / "wrong.py"), "--question", "q2").stdout
    first = run("grade", str(tmp_path / "wrong.py"), "--jobs", "2").stdout
    assert everything.count("<-- here") > 4
    q2 = first[first.index("q2 Minimax ─") : first.index("q3 Alpha-beta ─")]
    assert q2.count("<-- here") == 2
    assert "drawn in full with --question q2" in q2
    assert "q2/07-one-action  0 %  lost: value, action, expanded, generated" in q2


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["grade", "nowhere.py"], "python -m autograder: nowhere.py: no such file or folder\n"),
        (
            ["grade", "README.md"],
            "python -m autograder: README.md: not a Python file; expected a name that ends in .py, a folder, or "
            ".zip, .tar, .tar.gz or .tgz\n",
        ),
        (
            ["grade", "agents/student.py", "--assignment", "multi"],
            "python -m autograder: no assignment 'multi': did you mean 'multiagent'?\n",
        ),
        (["grade", "agents/student.py", "--jobs", "0"], "python -m autograder: --jobs 0: at least 1 was expected\n"),
    ],
)
def test_a_mistake_exits_2_with_one_line(arguments: list[str], error: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", error)


def test_recorded_references_are_up_to_date() -> None:
    done = run("record", "--check")
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("0 not up to date\n")


def test_a_hidden_case_is_counted_and_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mistake behind it is named by counts alone; an instructor may see it all."""
    folder = Path(shutil.copytree(ROOT / "autograder" / "assignments" / "multiagent", tmp_path / "secret"))
    case = folder / "cases" / "q2" / "05-ties.yaml"
    case.write_text(case.read_text(encoding="utf-8") + "hidden: true\n", encoding="utf-8")
    wrong = (
        (ROOT / "autograder" / "assignments" / "multiagent" / "solutions.py")
        .read_text(encoding="utf-8")
        .replace("plies == 0", "plies <= 1")
    )
    (tmp_path / "wrong.py").write_text(wrong, encoding="utf-8")
    asked = ["grade", str(tmp_path / "wrong.py"), "--assignment", str(folder), "--question", "q2"]
    monkeypatch.setenv("COLUMNS", "140")
    student, instructor = run(*asked), run(*asked, "--show-hidden")
    assert (student.returncode, student.stderr) == (1, "")
    assert "hidden: 0 of 1 passed" in student.stdout
    assert "Your search stops one ply too early. (explains 9 of 9 failed cases)" in student.stdout
    assert "05-ties" not in student.stdout
    assert "several actions are best" not in student.stdout
    assert "several actions are best; each of them is right" in instructor.stdout


def test_a_narrow_terminal_breaks_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of play are longer than a terminal is wide; drawings stand as they are."""
    ways = {}
    for columns in ("60", "300"):
        monkeypatch.setenv("COLUMNS", columns)
        ways[columns] = run("grade", "docs/one_ply_short.py", "--case", "q2/09-two-ghosts").stdout
    assert any(len(line) > 60 for line in ways["300"].splitlines() if line.startswith("    expected line: "))
    assert max(len(line.rstrip()) for line in ways["60"].splitlines()) <= 60
    said = [[word for word in way.split() if set(word) != {"─"}] for way in ways.values()]
    assert said[0][:-2] == said[1][:-2]  # but for the time it took
