"""Python in a browser says what the grader says, and ends what never ends."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.cases import loading
from autograder.grading.grade import Grader
from autograder.pages.lab.in_browser import LEVEL
from autograder.pages.lab.site import write_site
from autograder.pages.lab.worker_calls import Calls
from autograder.platforms import load_assignment
from autograder.report import markdown
from autograder.sandbox import submission_files
from autograder.student_process import request_handler
from tests.documented_commands import ROOT
from tests.in_process_asking import NO_WALLS
from tests.pages.lab.conftest import SECONDS, OpenLab, small
from tests.pages.lab.wrong_agents import HANGS_IN_A_CASE, HANGS_WHEN_EXAMINED, RIGHT, WRONG
from tests.platforms.cs188_mistakes import RIGHT as BERKELEY
from tests.platforms.cs188_mistakes import SLIPS

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow("of the lab in a browser")
SOLUTIONS = ROOT / "autograder/assignments/multiagent/solutions.py"
NOT_SAID = ("To see this", "To run just this", LEVEL, "sandbox:", "without a sandbox")
CALL = """async ([name, values]) => {
  const { Lab } = await import("./lab/python.js");
  window.started ??= Lab.start();
  const lab = await window.started;
  let printed = "";
  let cut = 0;
  let messages = 0;
  const start = performance.now();
  const onPrint = (text, more) => { printed += text; cut += more; messages += 1; };
  const result = await lab.call(name, values, { onPrint });
  return { ...result, printed, cut, messages, seconds: (performance.now() - start) / 1000 };
}"""


def call(page: Page, name: str, **values: object) -> dict[str, Any]:
    """The result of a call of Python in the browser."""
    result: dict[str, Any] = page.evaluate(CALL, [name, values])
    return result


def graded(page: Page, text: str, name: str = "mine.py") -> dict[str, Any]:
    """The result of a run of the open cases in the browser."""
    return call(page, "grade", files={name: text})


def said(text: str) -> list[str]:
    """The lines of a report, without how the code ran and without the commands, which a browser does not have."""
    return [line for line in text.splitlines() if line and not any(each in line for each in NOT_SAID)]


def said_by_grader(folder: Path, text: str, name: str = "mine.py", assignment: str = "multiagent") -> list[str]:
    """What the ordinary grader says about a file."""
    file, cases = folder / name, small(assignment)
    file.write_text(text, encoding="utf-8")
    references = {case.id: loading.load_reference(cases, case) for case in cases.cases}
    grader = Grader(cases, references, NO_WALLS, 1, load_assignment(assignment, None)[1])
    card = grader.grade(file, submission_files.read(file), is_upload=True)
    return said(markdown.dump(replace(card, submission=file.name)))


def test_it_says_what_the_grader_says(small_site: Path, open_lab: OpenLab, tmp_path: Path) -> None:
    """Twelve wrong searches, and what is right."""
    page = open_lab(small_site)
    for text in (RIGHT, *WRONG.values()):
        assert said(graded(page, text)["text"]) == said_by_grader(tmp_path, text)


def test_a_berkeley_style_file(
    packages: dict[str, Path], open_lab: OpenLab, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A right multiAgents.py, a wrong one, and one that raises an error, in a lab of the assignment `classic`."""
    site = tmp_path_factory.mktemp("classic-lab")
    write_site(small("classic"), "cs188", packages["LAB_PYODIDE"], packages["LAB_ACE"], site)
    page = open_lab(site)
    right = (BERKELEY / "plies.py").read_text(encoding="utf-8")
    wrong = next(slip.source for slip in SLIPS if slip.name == "ply-deep")
    for text in (right, wrong, right.replace("left == 0", "left == nothing")):
        result = graded(page, text, "multiAgents.py")
        assert said(result["text"]) == said_by_grader(tmp_path, text, "multiAgents.py", "classic")
        assert (result["earned"] == result["points"]) == (text == right)


@pytest.mark.parametrize("text", [HANGS_IN_A_CASE, HANGS_WHEN_EXAMINED], ids=["case", "examination"])
def test_an_endless_loop_ends_with_the_words_of_the_grader(
    small_site: Path, open_lab: OpenLab, tmp_path: Path, text: str
) -> None:
    page = open_lab(small_site)
    result = graded(page, text)
    assert said(result["text"]) == said_by_grader(tmp_path, text)
    assert "Your search does not end on a small tree (line " in result["text"]
    assert (f"no answer within {SECONDS:g} s" in result["text"]) == (text == HANGS_IN_A_CASE)
    again = graded(page, RIGHT)
    assert (again["earned"], again["points"]) == (21, 21)


def test_a_stopped_call_leaves_python_ready(small_site: Path, open_lab: OpenLab) -> None:
    page = open_lab(small_site)
    assert call(page, "mistakes")["seconds"]
    stopped = page.evaluate(
        """async (text) => {
      const lab = await window.started;
      const running = lab.call("grade", { files: { "mine.py": text } }, { onStep: () => setTimeout(() => lab.stop()) });
      return running.then(() => "ended", (error) => `${error.constructor.name}: ${error.message}`);
    }""",
        "while True:\n    pass\n",
    )
    assert stopped == "Stopped: stopped"
    assert graded(page, RIGHT)["earned"] == 21


def test_a_thousand_prints_come_in_few_messages(small_site: Path, open_lab: OpenLab) -> None:
    text = RIGHT.replace("class Minimax", "for number in range(5_000):\n    print('line', number)\n\nclass Minimax", 1)
    result = graded(open_lab(small_site), text)
    assert result["printed"].startswith("line 0\nline 1\n")
    characters = len(result["printed"]) + result["cut"]
    assert characters > 50_000
    assert result["messages"] < characters / 100  # a message each 0.05 s: their number depends on this machine


def test_trees_and_games(small_site: Path, open_lab: OpenLab) -> None:
    page = open_lab(small_site)
    tree = "max ~0 { a: min ~1 { x: 3; y: 12 }; b: min ~4 { x: 2; y: 5 } }"
    files = {"mine.py": WRONG["bounds.py"]}
    result = call(page, "explain", outline=tree, algorithms=["alphabeta"], part="MinimaxAgent", files=files)
    assert "First difference" in result["html"]
    assert len(result["data"]["recordings"]) == 2
    assert (
        call(page, "explain", outline="max\n a: 3")["problem"]
        == "line 2: 1 blank before 'a: 3'; expected 2 blanks for each level"
    )
    assert call(page, "fails", outline=tree, mistake="min-as-max")["why"] == "at node a: expected 3, got 12"
    assert not call(page, "fails", outline=tree, mistake="starts-at-zero")["fails"]
    moves: list[str] = []
    while played := call(
        page, "play", layout="nook", moves=moves, pacman="mine.py:MinimaxAgent", goes_on=True, files=files
    ):
        moves = played["moves"]
        if played["outcome"] != "playing":
            break
    assert played["outcome"] in ("win", "loss")
    played = call(page, "play", layout="nook", moves=["East"], action="East", shown=3)
    assert len(played["frames"]) == 2
    seen = call(page, "look", layout="nook", moves=["East", "East"], ply=4, search="mine.py:MinimaxAgent", files=files)
    assert set(re.findall(r'data-action="(\w+)"', seen["values"])) == set(played["actions"])


def test_how_long_it_takes(lab_site: Path, open_lab: OpenLab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prints the times from the start to the first answer, and of the open cases, here and in the browser."""
    page = open_lab(lab_site)
    ready = call(page, "mistakes") and page.evaluate("performance.now() / 1000")
    result = graded(page, SOLUTIONS.read_text(encoding="utf-8"))
    assert (result["earned"], result["points"]) == (30, 30)
    assert "30 of 30 points" in result["html"]
    monkeypatch.setattr(request_handler, "end_process_after", lambda seconds: None)
    here = Calls((lab_site / "assignment.json").read_text(encoding="utf-8"), lambda message: None)
    start = time.perf_counter()
    here.answer("grade", json.dumps({"files": {"mine.py": SOLUTIONS.read_text(encoding="utf-8")}}))
    seconds = time.perf_counter() - start
    print(f"interactive after {ready:.1f} s; open cases {result['seconds']:.1f} s, in this Python {seconds:.1f} s")
