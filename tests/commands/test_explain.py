"""The command `explain`: trees, cases, layouts, a student's search, and bad input."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run_here
from tests.pages.test_explorer import events_in
from tests.paths import SOLUTIONS

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


SEARCH = STUDENT.partition("class ")[0] + "class MinimaxAgent(SearchAgent):\n    def search(self, node, plies):\n"
LEAVES = "        if node.is_terminal: return Line(self.evaluate(node), None)\n"


def data_in(page: Path) -> Mapping[str, Any]:
    text = re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    assert text
    data: Mapping[str, Any] = json.loads(text[1])
    return data


def explained(folder: Path, text: str, part: str = "MinimaxAgent", tree: str = TREE, *options: str) -> str:
    """The page about the search of this class in this text. The command ends without an error."""
    file, out = folder / "my.py", folder / "page.html"
    file.write_text(text, encoding="utf-8")
    agent = f"{file}:{part}" if part else str(file)
    done = run_here("autograder", "explain", tree, "--agent", agent, *options, "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    difference = re.search(r"<strong>([^<]*:)</strong>", out.read_text(encoding="utf-8"))
    assert difference
    assert done.stdout.splitlines()[1].startswith(difference[1])
    return out.read_text(encoding="utf-8")


def words_in(folder: Path) -> list[str]:
    """What the first recording of the page says, step by step."""
    return [event["words"] for event in events_in(data_in(folder / "page.html"), 0)]


@pytest.mark.parametrize(
    "arguments",
    [
        ("docs/tree.txt", "--algorithm", "star1", "--algorithm", "star2"),
        (TREE, "--predict"),
        ("q2/01-figure",),
        ("nook", "--ghosts", "random", "--rounds", "1", "--algorithm", "star2"),
    ],
)
def test_a_page(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    out = tmp_path / "page.html"
    done = run_here("autograder", "explain", *arguments, "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    expected = [arguments[index + 1] for index, word in enumerate(arguments) if word == "--algorithm"] or ["alphabeta"]
    data = data_in(out)
    assert [each["title"].split()[0] for each in data["recordings"]] == expected
    assert ("<search-predict>" in out.read_text(encoding="utf-8")) == ("--predict" in arguments)
    if "--predict" in arguments:
        assert [exercise["title"] for exercise in data["predict"]["exercises"]] == ["alphabeta"]


def test_a_right_search_that_makes_nodes_again_is_right(tmp_path: Path) -> None:
    """As one that deepens: this costs no points."""
    twice = "list(map(node.successor, node.actions()))\n        lines = ["
    text = SOLUTIONS.read_text(encoding="utf-8").replace("lines = [", twice, 1)
    assert "<strong>Right, with more work:</strong> your search generated node a 2 times" in explained(tmp_path, text)


def test_the_first_difference_of_a_students_search(tmp_path: Path) -> None:
    """It does not cut at equality. Its windows are known where its method takes alpha and beta."""
    text = explained(tmp_path, STUDENT.replace("CUT", "<"), "AlphaBetaAgent")
    data, words = data_in(tmp_path / "page.html"), words_in(tmp_path)
    assert [each["title"] for each in data["recordings"]] == ["Your AlphaBetaAgent", "alphabeta"]
    assert words[:4] == [
        "Enter the root, MAX",
        "Enter MIN node a, window (−∞, ∞)",
        "Enter leaf a > x, window (−∞, ∞)",
        "Leaf a > x: utility 3",
    ]
    assert "MIN: 2 ≤ alpha 3, so the rest is cut: y and z" in words
    difference = "<strong>First difference:</strong> line 21, at node b: The window of this MIN node is (3, inf)."
    assert difference in text
    assert "This line still makes the successor after y." in text
    assert data["difference"] == {"node": 7}
    picture = re.findall(r'<g class="node max[^>]*data-node="0".*', text)
    assert ["∞" in each for each in picture[:2]] == [False, True]  # the window of the student's root is not known


@pytest.mark.parametrize(
    ("tree", "part", "options"),
    [("q2/01-figure", "", ()), ("q2/01-figure", "AlphaBetaAgent", ()), (TREE, "AlphaBetaAgent", ("--strict",))],
)
def test_a_search_is_compared_as_its_own_question_says(
    tree: str, part: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    """Also in a case of another question; the written class is found, and `--strict` counts for both searches."""
    text = STUDENT.partition("class MinimaxAgent")[0].replace("CUT", "<" if options else "<=")
    page = explained(tmp_path, f"{text}class MinimaxAgent(SearchAgent):\n    pass\n", part, tree, *options)
    titles = [each["title"] for each in data_in(tmp_path / "page.html")["recordings"]]
    assert titles == ["Your AlphaBetaAgent", "alphabeta"]
    assert "<strong>No difference:</strong>" in page


LINES = "        lines = [Line(self.search(node.successor(a), plies - 1).value, a) for a in node.actions()]\n"
RIGHT = "        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)\n"
LARGEST = "        return max(self.search(node.successor(a), plies - 1) for a in node.actions())\n"
ACTION = r"\q\074/svg\076\074h1\076"
"""An action goes into the heading of the picture; `re.sub` would read \\074 in a text as the character <."""
PAGES = {
    "right alpha-beta": (
        (STUDENT.replace("CUT", "<="), "AlphaBetaAgent"),
        "<strong>No difference:</strong> the value and the action of the root and the generated nodes are right;",
    ),
    "right minimax": ((SEARCH + LEAVES + LINES + RIGHT,), "<strong>No difference:</strong>"),
    "wrong value": (
        (SEARCH + LEAVES + LARGEST,),
        "MIN: the smallest of 3, 12 and 8 is 3, but the search returned 12",
    ),
    "infinite": ((f"{SEARCH}        return Line(inf, None)\n",), "the root, MAX returns no finite number"),
    "dies": (
        (STUDENT.replace("while True:\n            pass", "import os; os._exit(3)").replace("CUT", "<"),),
        "exited with status 3 before it answered",
    ),
    "backslashes": ((f"{SEARCH}        return (3, {ACTION!r})\n",), f"value 3 by {ACTION};"),
    "exception": (
        (STUDENT.replace("if best CUT alpha:\n                return best", "best / (best - 3)"), "AlphaBetaAgent"),
        "<strong>The search ended early:</strong> ZeroDivisionError",
    ),
}
"""The student's file and the class -> what the page says."""


@pytest.mark.parametrize("name", PAGES)
def test_a_students_search(name: str, tmp_path: Path) -> None:
    file, words = PAGES[name]
    page = explained(tmp_path, *file)
    assert words in page
    assert page.count("<h1>") == 1
    if name == "dies":
        assert "so nothing is known about the steps before" in page
    if name == "exception":
        stopped = "Stopped: ZeroDivisionError: division by zero (line 22: best / (best - 3))"
        assert words_in(tmp_path)[-2:] == ["Leaf a > x: utility 3", stopped]
        assert not any(event["closed"] for event in events_in(data_in(tmp_path / "page.html"), 0))
    if name == "wrong value":
        assert all(event["line"] for event in events_in(data_in(tmp_path / "page.html"), 0))


@pytest.mark.slow("of pages")
def test_an_endless_loop_ends_the_recording(tmp_path: Path) -> None:
    explained(tmp_path, STUDENT.replace("CUT", "<"))
    words = words_in(tmp_path)
    assert words[:4] == ["Enter the root, MAX", "Generate MIN node a", "Generate MIN node b", "Generate MIN node c"]
    assert words[4].startswith("Stopped: no new successor in 100,000 lines; perhaps a loop never ends (line ")


FORGED = """
import json, os, sys
from agents.base import SearchAgent

def record(*events, span=(1, 2)):
    rows = [(*event, *[0, 1, -1, (), (), ""][len(event) - 2:]) for event in events]
    return {"is_complete": True, "functions": [["f", *span, [], "", ""]], "events": rows}

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
    page = explained(tmp_path, start + "\n".join([*methods, search]), tree=str(tmp_path / "tree.txt"))
    assert "<strong>No difference:</strong>" in page
