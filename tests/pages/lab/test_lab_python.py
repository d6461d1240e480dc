"""Python in a browser says what the grader says, and ends what never ends."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from autograder.grading.grade import Grader
from autograder.pages.lab.in_browser import LEVEL
from autograder.pages.lab.site import write_site
from autograder.platforms import load_assignment
from autograder.report import markdown
from autograder.sandbox import submission_files
from tests.in_process_asking import NO_WALLS
from tests.judge.diagnosis.agents import CHANCE, MINIMAX, WINDOW, WRONG, written
from tests.pages.lab.conftest import SECONDS, OpenLab, small
from tests.paths import SOLUTIONS
from tests.platforms.cs188_mistakes import RIGHT as BERKELEY
from tests.platforms.cs188_mistakes import SLIPS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow("of the lab in a browser")
RIGHT = written(MINIMAX + WINDOW + CHANCE)
MISTAKES = (
    ("sign-by-mover", "cuts-unasked", "searched-twice"),
    ("two-plies-short", "memory-of-bounds?", "children-left-out"),
    ("start-swapped", "cuts-unasked", "chance-as-min"),
)
"""Of each wrong file: the mistakes of its MinimaxAgent, of its AlphaBetaAgent, and of its two other searches."""
END, HANGS = "        if plies == 0:", "        while {}:\n            pass\n        if plies == 0:"
IN_A_CASE = HANGS.format("plies == 4 and 'c' in node.actions()")
HANGS_IN_A_CASE = written(MINIMAX, [(END, IN_A_CASE)]) + WINDOW + CHANCE
"""Never ends in one of the cases of `small`, and answers every question of a diagnosis."""
WHEN_DIAGNOSED = HANGS.format("plies == 2 and node.layer is Layer.MAX and len(node.actions()) == 4")
HANGS_WHEN_DIAGNOSED = written(MINIMAX, [(END, WHEN_DIAGNOSED), ("Line(best,", "Line(best * 0.9,")]) + WINDOW + CHANCE
"""Answers every case of `small`, and never ends in some questions of the diagnosis."""
NOT_SAID = ("To see this", "To run just this", LEVEL, "sandbox:", "without a sandbox", "some hidden cases")
CALL = """async ([name, values]) => {
  const { Lab } = await import("./lab/python.js");
  window.started ??= Lab.start();
  const lab = await window.started;
  return lab.call(name, values);
}"""


def graded(page: Page, text: str, name: str = "mine.py") -> dict[str, Any]:
    """The result of a run of the open cases in the browser."""
    result: dict[str, Any] = page.evaluate(CALL, ["grade", {"files": {name: text}}])
    return result


def said(text: str) -> list[str]:
    """The lines of a report, without how the code ran, the commands and the line of a time-out: a browser has none."""
    text = re.sub(r"(no answer within [\d.]+ s) \(line .*\)", r"\1", text)
    return [line for line in text.splitlines() if line and not any(each in line for each in NOT_SAID)]


def said_by_grader(folder: Path, text: str, name: str = "mine.py", assignment: str = "multiagent") -> list[str]:
    """What the ordinary grader says about a file."""
    file, cases = folder / name, small(assignment)
    file.write_text(text, encoding="utf-8")
    grader = Grader.of(cases, 1, load_assignment(assignment, None)[1], sandbox_check=NO_WALLS)
    card = grader.grade(file, submission_files.read(file), is_upload=True)
    return said(markdown.dump(replace(card, submission=file.name)))


def test_it_says_what_the_grader_says(small_site: Path, open_lab: OpenLab, tmp_path: Path) -> None:
    """Twelve wrong searches, what is right, an exception, and a forbidden import."""
    page = open_lab(small_site)
    edits = {(name, base): changes for name, base, _, changes in WRONG}
    wrong = [
        "".join(written(base, edits[name, base]) for name, base in zip(names, (MINIMAX, WINDOW, CHANCE), strict=True))
        for names in MISTAKES
    ]
    raises = written(MINIMAX, [(END, "        self.count += 1\n" + END)]) + WINDOW + CHANCE
    for text in (RIGHT, *wrong, raises, f"import autograder.judge\n{RIGHT}"):
        assert said(graded(page, text)["text"]) == said_by_grader(tmp_path, text)


def test_python_reaches_no_other_site_where_the_server_sends_no_policy(small_site: Path, browser: Browser) -> None:
    """As on GitHub Pages. Pasted code could send the student's file away."""
    asked = list[str]()

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, form: str, *values: object) -> None:
            asked.append(self.path)

    with ThreadingHTTPServer(("", 0), partial(Handler, directory=small_site)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.get_by_text("Python is ready.").wait_for(timeout=120_000)
        for site, answer in (("127.0.0.1", "sent"), ("localhost", "TypeError: Failed to fetch")):
            address = f"http://{site}:{server.server_port}/?{site}"
            send = "address => fetch(address, { mode: 'no-cors' }).then(() => 'sent', String)"
            assert page.workers[0].evaluate(send, address) == answer
        page.close()
        server.shutdown()
    assert ("/?127.0.0.1" in asked, "/?localhost" in asked) == (True, False)


def test_a_berkeley_style_file(
    packages: dict[str, Path], open_lab: OpenLab, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A right multiAgents.py, a wrong one, and one that raises an error, in a lab of the assignment `classic`."""
    site = tmp_path_factory.mktemp("classic-lab")
    write_site(small("classic"), packages["LAB_PYODIDE"], packages["LAB_ACE"], site)
    page = open_lab(site)
    right = (BERKELEY / "plies.py").read_text(encoding="utf-8")
    wrong = next(slip.source for slip in SLIPS if slip.name == "ply-deep")
    for text in (right, wrong, right.replace("left == 0", "left == nothing")):
        result = graded(page, text, "multiAgents.py")
        assert said(result["text"]) == said_by_grader(tmp_path, text, "multiAgents.py", "classic")
        assert (result["earned"] == result["points"]) == (text == right)


@pytest.mark.parametrize("text", [HANGS_IN_A_CASE, HANGS_WHEN_DIAGNOSED], ids=["case", "diagnosis"])
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
    assert page.evaluate(CALL, ["explain", {"outline": "max { a: 1 }", "algorithms": ["alphabeta"]}])
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


def test_the_solutions_get_all_points(lab_site: Path, open_lab: OpenLab) -> None:
    result = graded(open_lab(lab_site), SOLUTIONS.read_text(encoding="utf-8"))
    assert (result["earned"], result["points"]) == (30, 30)
    assert "30 of 30 points" in result["html"]
