"""The command `explain`: trees, cases, layouts, a student's search, and bad input."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run_here
from tests.pages.explorer_events import events_in

TREE = "max { a: min { x: 3; y: 12; z: 8 }; b: min { x: 3; y: 4; z: 6 }; c: min { x: 2; y: 14; z: 5 } }"
STUDENT = """
from math import inf
from agents.base import SearchAgent
from pacman.core.tree import Layer
from pacman.core.tree import Line

class AlphaBetaAgent(SearchAgent):
    def search(self, node, plies):
        best, alpha = Line(-inf, None), -inf
        for action in node.actions():
            value = self.value(node.successor(action), plies - 1, alpha, inf)
            best = max(best, Line(value, action), key=lambda line: line.value)
            alpha = max(alpha, value)
        return best

    def value(self, node, plies, alpha, beta):
        if plies == 0 or node.is_terminal:
            return self.evaluate(node)
        best = inf
        for action in node.actions():
            best = min(best, self.value(node.successor(action), plies - 1, alpha, beta))
            if best CUT alpha:
                return best
            beta = min(beta, best)
        return best

class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        for action in node.actions():
            node.successor(action)
        while True:
            pass
"""


def data_in(page: Path) -> Mapping[str, Any]:
    text = re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    assert text
    data: Mapping[str, Any] = json.loads(text[1])
    return data


def student_file(folder: Path, text: str) -> Path:
    file = folder / "my.py"
    file.write_text(text, encoding="utf-8")
    return file


def explained(folder: Path, text: str, part: str = "MinimaxAgent") -> str:
    """The page about the search of this class in this text. The command ends without an error."""
    file, out = student_file(folder, text), folder / "page.html"
    done = run_here("autograder", "explain", TREE, "--agent", f"{file}:{part}", "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    return out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ("docs/tree.txt", "--algorithm", "star1", "--algorithm", "star2"),
        (TREE,),
        ("q2/01-figure",),
        ("nook", "--ghosts", "random", "--rounds", "1", "--algorithm", "star2"),
    ],
)
def test_a_page(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    out = tmp_path / "page.html"
    done = run_here("autograder", "explain", *arguments, "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    expected = [arguments[index + 1] for index, word in enumerate(arguments) if word == "--algorithm"] or ["alphabeta"]
    assert [each["title"].split()[0] for each in data_in(out)["recordings"]] == expected


def test_a_page_that_also_asks(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert run_here("autograder", "explain", TREE, "--predict", "--out", str(out)).returncode == 0
    data = data_in(out)
    assert [exercise["title"] for exercise in data["predict"]["exercises"]] == ["alphabeta"]
    assert "<search-predict>" in out.read_text(encoding="utf-8")


def test_an_outline_of_100_000_lines(tmp_path: Path) -> None:
    tree = tmp_path / "tree.txt"
    tree.write_text("max\n" + "".join(f"  {number}:1\n" for number in range(100_000)), encoding="utf-8")
    done = run_here("autograder", "explain", str(tree), "--out", str(tmp_path / "page.html"))
    assert done.returncode == 2
    assert done.stderr.endswith("the tree is too large; expected at most 10,000 nodes\n")


def test_the_first_difference_of_a_students_search(tmp_path: Path) -> None:
    """It does not cut at equality. Its windows are known where its method takes alpha and beta."""
    text = explained(tmp_path, STUDENT.replace("CUT", "<"), "AlphaBetaAgent")
    data = data_in(tmp_path / "page.html")
    assert [each["title"] for each in data["recordings"]] == ["Your AlphaBetaAgent", "alphabeta"]
    words = [event["words"] for event in events_in(data, 0)]
    assert words[:4] == [
        "Enter the root, MAX",
        "Enter MIN node a, window (−∞, ∞)",
        "Enter leaf a > x, window (−∞, ∞)",
        "Leaf a > x: utility 3",
    ]
    assert "MIN: 2 ≤ alpha 3, so the rest is cut: y and z" in words
    difference = "<strong>First difference:</strong> line 21, at node b: The window of this MIN node is (3, inf)."
    assert difference in text
    assert "This line still makes y." in text
    assert data["difference"] == {"node": 7}
    picture = re.findall(r'<g class="node max[^>]*data-node="0".*', text)
    assert "∞" not in picture[0]  # the window of the root is not known
    assert "∞" in picture[1]


def test_a_right_search_has_no_difference(tmp_path: Path) -> None:
    sentence = "the value, the action and the generated nodes are right; windows are not compared"
    page = explained(tmp_path, STUDENT.replace("CUT", "<="), "AlphaBetaAgent")
    assert f"<strong>No difference:</strong> {sentence}" in page


@pytest.mark.parametrize("arguments", [["q2/01-figure"], ["q2/01-figure", "CLASS"], [TREE, "--strict"]])
def test_a_search_is_compared_as_its_own_question_says(arguments: list[str], tmp_path: Path) -> None:
    """Also in a case of another question; the written class is found, and `--strict` counts for both searches."""
    text = STUDENT.partition("class MinimaxAgent")[0].replace("CUT", "<" if "--strict" in arguments else "<=")
    file, out = student_file(tmp_path, f"{text}class MinimaxAgent(SearchAgent):\n    pass\n"), tmp_path / "page.html"
    named = f"{file}:AlphaBetaAgent" if "CLASS" in arguments or "--strict" in arguments else str(file)
    rest = [each for each in arguments if each != "CLASS"]
    done = run_here("autograder", "explain", *rest, "--agent", named, "--out", str(out))
    assert [each["title"] for each in data_in(out)["recordings"]] == ["Your AlphaBetaAgent", "alphabeta"]
    assert done.stdout.splitlines()[1].startswith("No difference: ")


def test_a_right_minimax_generates_what_alpha_beta_cuts(tmp_path: Path) -> None:
    search = "class MinimaxAgent(SearchAgent):\n    def search(self, node, plies):\n"
    search += "        if node.is_terminal: return Line(self.evaluate(node), None)\n"
    search += "        lines = [Line(self.search(node.successor(a), plies - 1).value, a) for a in node.actions()]\n"
    search += "        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)\n"
    page = explained(tmp_path, STUDENT.partition("class ")[0] + search)
    assert "<strong>No difference:</strong>" in page


def test_an_exception_ends_the_recording(tmp_path: Path) -> None:
    text = STUDENT.replace("if best CUT alpha:\n                return best", "best / (best - 3)")
    page = explained(tmp_path, text, "AlphaBetaAgent")
    events = events_in(data_in(tmp_path / "page.html"), 0)
    assert [event["words"] for event in events][-2:] == [
        "Leaf a > x: utility 3",
        "Stopped: ZeroDivisionError: division by zero (line 22: best / (best - 3))",
    ]
    assert not any(event["closed"] for event in events)
    assert "<strong>The search ended early:</strong> ZeroDivisionError" in page


@pytest.mark.slow("of pages")
def test_an_endless_loop_ends_the_recording(tmp_path: Path) -> None:
    file, out = student_file(tmp_path, STUDENT.replace("CUT", "<")), tmp_path / "page.html"
    done = run_here("autograder", "explain", TREE, "--agent", f"{file}:MinimaxAgent", "--out", str(out))
    words = [event["words"] for event in events_in(data_in(out), 0)]
    assert done.stdout.splitlines()[1] == f"The search ended early: {words[-1].removeprefix('Stopped: ')}"
    assert words[:4] == ["Enter the root, MAX", "Generate MIN node a", "Generate MIN node b", "Generate MIN node c"]
    assert words[4].startswith("Stopped: no new successor in 100,000 lines; perhaps a loop never ends (line ")


def test_a_process_that_dies_leaves_nothing_to_show(tmp_path: Path) -> None:
    text = STUDENT.replace("while True:\n            pass", "import os; os._exit(3)").replace("CUT", "<")
    page = explained(tmp_path, text)
    assert "exited with status 3 before it answered" in page
    assert "so nothing is known about the steps before" in page


def test_a_hidden_case_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree("autograder/assignments/multiagent", folder)
    (folder / "cases" / "q2" / "secret.yaml").write_text(
        f"kind: tree\nshows: mine\nplies: 2\nhidden: true\ntree: '{TREE}'\n", encoding="utf-8"
    )
    out = tmp_path / "page.html"
    done = run_here("autograder", "explain", "q2/secret", "--assignment", str(folder), "--out", str(out))
    assert done.returncode == 2
    assert "q2/secret is a hidden case; to run it, give its file: " in done.stderr


FORGED = """
import json, os, sys
from agents.base import SearchAgent

def record(*events, span=(1, 2)):
    rows = [(*event, *[0, 1, -1, (), ()][len(event) - 2:]) for event in events]
    return {"is_complete": True, "functions": [["f", *span, [], ""]], "events": rows}

ROOT = dict(names=[""], parents=[0], actions=[0], made=[])


class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        frame = sys._getframe()
        while "n" not in frame.f_locals.get("request", ()):
            frame = frame.f_back
        reply = {"n": frame.f_locals["request"]["n"], "value": 3, "action": "a", "generated": 0, "values": []}
        body = json.dumps({**reply, **REPLY}).encode()
        os.write(3, len(body).to_bytes(4, "big") + body)
        os._exit(0)
"""


def test_an_action_with_backslashes_stays_text(tmp_path: Path) -> None:
    r"""An action goes into the heading of the picture; `re.sub` would read \\074 in a text as the character <."""
    action = r"\q\074/svg\076\074h1\076"
    search = f"class MinimaxAgent(SearchAgent):\n    search = lambda *_: (3, {action!r})"
    page = explained(tmp_path, f"from agents.base import SearchAgent\n{search}")
    assert page.count("<h1>") == 1
    assert f"value 3 by {action};" in page


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("dict(trace=ROOT, record=record((3, 0)))", "an event of the record belongs to no call"),
        ("dict(raised=[1], trace=ROOT, record=record())", "the fault is not a JSON object"),
        ("dict(action='b' * 500_000, trace=ROOT, record=record())", f"value 3 by {'b' * 37}...;"),
        ("dict(trace=dict(names=['', 'b' * 40], parents=[0, *range(90)], actions=[0] + [1] * 90, made=[*range(1, 91)]),"
         " record=record(*((3 * (n % 2), n // 2, 90, 1, -(n % 2)) for n in range(5_000))))", "Enter the root, MAX"),
    ],
    ids=["only a return", "no fault", "long action", "long paths"],
)  # fmt: skip
def test_a_forged_recording_ends_no_command_and_fills_no_page(tmp_path: Path, reply: str, words: str) -> None:
    page = explained(tmp_path, FORGED.replace("REPLY", reply))
    assert words in page
    assert len(page) < 3_000_000


@pytest.mark.slow("of pages")
def test_a_search_with_many_methods_on_a_large_tree(tmp_path: Path) -> None:
    """Every node passes through six methods, so there are more calls than a message can have."""
    leaves = "; ".join(f"a{number}: {number % 7}" for number in range(44))
    tree = f"max {{ {'; '.join(f'a{number}: max {{ {leaves} }}' for number in range(44))} }}"
    names = [f"value{number}" for number in range(6)]
    methods = [
        f"    def {name}(self, node): return self.{after}(node)" for name, after in pairwise([*names, "evaluate"])
    ]
    search = (
        "    def search(self, node, plies):\n"
        "        children = [(node.successor(a), a) for a in node.actions()]\n"
        "        return max((self.value0(child.successor(b)), a) for child, a in children for b in child.actions())"
    )
    start = "from agents.base import SearchAgent\nclass MinimaxAgent(SearchAgent):\n"
    (tmp_path / "tree.txt").write_text(tree, encoding="utf-8")
    file, out = student_file(tmp_path, start + "\n".join([*methods, search])), tmp_path / "page.html"
    agent = f"{file}:MinimaxAgent"
    run_here("autograder", "explain", str(tmp_path / "tree.txt"), "--agent", agent, "--out", str(out))
    assert "<strong>No difference:</strong>" in out.read_text(encoding="utf-8")


def test_a_wrong_value_is_contradicted_by_the_arithmetic_of_its_step(tmp_path: Path) -> None:
    search = "class MinimaxAgent(SearchAgent):\n    def search(self, node, plies):\n"
    search += "        if node.is_terminal: return Line(self.evaluate(node), None)\n"
    search += "        return max(self.search(node.successor(a), plies - 1) for a in node.actions())\n"
    page = explained(tmp_path, STUDENT.partition("class ")[0] + search)
    assert "MIN: the smallest of 3, 12 and 8 is 3, but the search returned 12" in page
    assert all(event["line"] for event in events_in(data_in(tmp_path / "page.html"), 0))


def test_an_infinite_value_is_no_finite_number(tmp_path: Path) -> None:
    search = "class MinimaxAgent(SearchAgent):\n    def search(self, node, plies): return Line(inf, None)\n"
    assert "the root, MAX returns no finite number" in explained(tmp_path, STUDENT.partition("class ")[0] + search)
