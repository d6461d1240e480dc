"""What a student meant: a report of an error says what to write instead."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from agents.advice import LAYER_COMPARISON
from agents.ghosts import RandomGhost
from agents.load import advice_at, make_pacman
from autograder.cases import loading
from autograder.sandbox import SessionBroken
from autograder.sandbox.in_process import InProcess
from autograder.student_process.allowed_imports import is_refused
from autograder.student_process.native_api import ImportGuard
from autograder.student_process.plain_values import ForbiddenImport
from pacman import start
from pacman.core.errors import InputError
from pacman.play.game import Game
from tests.graded import graded, graded_text
from tests.test_structure import MODULES

MULTIAGENT = loading.load("multiagent")
TREE = "chance\n  a @1/2: 3\n  b @1/2: 5"
POSITION = "%%%%%\n%P.G%\n%%%%%"
HEAD = "from agents.base import SearchAgent, ReflexBase\nfrom pacman import Layer, Line\n"
SEARCH = f"""{HEAD}
class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        {{body}}
"""
CHOICE = f"""{HEAD}
class ReflexAgent(ReflexBase):
    def evaluate_action(self, state, action):
        after = state.successor(action)
        {{body}}
"""
OF_A_SEARCH = {
    "return node.succesor('a')": "Did you mean 'successor'?",
    "return node.getLegalActions(0)": "Write node.actions(): getLegalActions is a name of the Berkeley project",
    "return node.generateSuccessor(0, 'a')": "Write node.successor(action)",
    "return node.isWin()": "Write node.is_terminal",
    "return node.getFood()": "Many cases are drawn trees",
    "return self.depth": "Write plies",
    "return node.plies": "Write plies, the second argument of search",
    "return self.plies": "Write plies, the second argument of search",
    "return ply": "Write plies, the second argument of search",
    "return [node.value]": "Write self.evaluate(node) for a leaf",
    "return node.children": "Write node.successor(action) for each action of node.actions()",
    "return self.alpha": "Write alpha and beta as parameters",
    "return self.maxValue(node)": "Nothing in the file defines maxValue for this class",
    "return Layer.EXP": "Known: CHANCE, MAX, MIN",
    "return node.actions().sort()": "A tuple cannot change",
    "return {}['a']": "The dict has no such key",
    "return eval(node)": "write self.evaluate(node)",
    "import util": "This file does not need util, a file of the Berkeley project",
    "from util import manhattanDistance": "manhattanDistance: abs(x1 - x2) + abs(y1 - y2)",
    "return self.evalute(node)": "Did you mean 'evaluate'?",
    "return self.help(node)\n\n        def help(self, node): pass": "Indent the `def` of help (line 10) like that of a "
    "method: it is inside the method search",
    "return self.help(node)\n\ndef help(self, node): pass": "it is outside the class MinimaxAgent",
    "return Layer.Max": "Did you mean 'MAX'?",
    "return Line(3, None).val": "Did you mean 'value'?",
    "return search(node, plies)": "Write self.search",
    "return STOP": "Write `from pacman import STOP`",
    "return Directions.STOP": "Use NORTH, SOUTH, EAST, WEST and STOP of pacman",
    "return math.inf": "Write `import math`",
    "return plis": "Did you mean 'plies'?",
    "return self.help(node) > 3\n\n    def help(self, node):\n        if not node: return 3": "Perhaps help (line 10) "
    "ended without a `return`",
    "return self.help(node).value\n\n    def help(self, node):\n        Line(3, None)": "Perhaps a `return` is "
    "missing in line 11",
    "best = None; return best > 3": "A value is None here",
    "return [node.successor(chance) for action, chance in node.outcomes()]": "for action, probability in node.outcomes",
    "return [node.successor(pair) for pair in node.outcomes()]": "for action, probability in node.outcomes",
    "return node.successor(None)": "The action is None",
    "return node.is_terminal()": "without parentheses",
    "return node.getIntersections()": "Many cases are drawn trees",
    "return {}.get('a') + 1": "The `get` in line 8 gives None for a key that the dict does not have",
    "n = len([]); return 3 / n": "n is 0 here: it counts a list that is empty",
    "return 3 / len([])": "it counts a list that is empty here",
    "import sys; sys.exit()": "Delete this call",
    "raise NotImplementedError": "MinimaxAgent.search is not written yet",
    "pass": "Perhaps search (line 5) ended without a `return`",
    "return [each for each in node.actions]": "The parentheses after a method are missing",
}
OF_A_CHOICE = {
    "return after.getFood().asList()": "Write state.food",
    "return after.food.asList()": "Write state.food itself",
    "return after.pacman.pos": "Did you mean 'position'?",
    "return [ghost.scaredTimer for ghost in after.ghosts]": "Write timer",
    "return manhattanDistance(1, 2)": "Use abs(x1 - x2)",
}
IMPORTS = {
    "from agents import Line, SearchAgent": "Write `from pacman import Line` and `from agents.base import SearchAgent`",
    "from pacman import (Layer,\n    Lines)": "Did you mean `from pacman import Line`?",
    "from pacman.core import Layer": "Write `from pacman import Layer`",
    "from pacman.tree import Layer, Line": "Write `from pacman import Layer, Line`",
    "from agents.bases import SearchAgent": "Write `from agents.base import SearchAgent`",
    "from Pacman import Layer": "Write `from pacman import Layer`",
    "from pacman import Directions": "Use NORTH, SOUTH, EAST, WEST and STOP of pacman",
    "import agents\nagents.SearchAgent": "Write `from agents.base import SearchAgent`",
}


def error_of(folder: Path, text: str, part: str, role: str) -> str:
    """The text of the error with which a file ends, with its usual cause."""
    (folder / "mine.py").write_text(text, encoding="utf-8")
    runner = InProcess.of_file(folder / "mine.py", "native")
    with runner.session(1) as session:
        try:
            runner.load_part(session, role, part, 1)
            session.ask(role, tree=TREE, plies=1, position=str(start(POSITION)))
        except SessionBroken as broken:
            return f"{broken.fault.text} {broken.fault.advice}"
    return "no error"


@pytest.mark.parametrize("body", OF_A_SEARCH)
def test_an_error_in_a_search_says_what_to_write(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "util", raising=False)  # another test in this process may have used Berkeley's
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if not Path(folder, "util.py").exists()])
    assert OF_A_SEARCH[body] in error_of(tmp_path, SEARCH.format(body=body), "MinimaxAgent", "search")


@pytest.mark.parametrize("body", OF_A_CHOICE)
def test_an_error_about_a_position_says_what_to_write(body: str, tmp_path: Path) -> None:
    assert OF_A_CHOICE[body] in error_of(tmp_path, CHOICE.format(body=body), "ReflexAgent", "choose")


def test_a_search_at_the_wrong_place_is_named(tmp_path: Path) -> None:
    """It would otherwise count as not written."""
    text = (
        f"{HEAD}\nclass MinimaxAgent(SearchAgent):\n    pass\n\ndef search(self, node, plies): return Line(3, None)\n"
    )
    expected = "Indent the `def` of search (line 7) like that of a method: it is outside the class MinimaxAgent."
    assert error_of(tmp_path, text, "MinimaxAgent", "search").strip() == expected


@pytest.mark.parametrize("statement", IMPORTS)
def test_an_import_from_the_wrong_module_names_the_right_one(statement: str, tmp_path: Path) -> None:
    text = f"{statement}\nclass MinimaxAgent: pass\n"
    assert IMPORTS[statement] in error_of(tmp_path, text, "MinimaxAgent", "search")


def test_a_name_of_the_wrong_module_is_no_forbidden_import(tmp_path: Path) -> None:
    case = graded_text(tmp_path, "from agents import Line, SearchAgent\nclass MinimaxAgent: pass\n")
    assert "cannot import name 'Line' from 'agents' (line 1: from agents import Line, SearchAgent)" in case.message
    assert case.why == "Write `from pacman import Line` and `from agents.base import SearchAgent`."
    case = graded_text(tmp_path, "from pacman import *\nclass MinimaxAgent: pass\n")
    assert "may not use" in case.message
    assert case.why == "Import the names one by one, for example `from pacman import Layer, Line, Node`."


def test_each_module_that_exists_stays_a_forbidden_import() -> None:
    for module in filter(is_refused, MODULES):
        with pytest.raises(ForbiddenImport):
            ImportGuard().find_spec(module, None, None)


def test_a_comparison_of_a_layer_with_a_string_is_named(tmp_path: Path) -> None:
    body = """best = None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1).value
            if best is None or (value > best.value if node.layer == "MAX" else value < best.value):
                best = Line(value, action)
        return best"""
    (tmp_path / "mine.py").write_text(SEARCH.format(body=body), encoding="utf-8")
    diagnosis = graded(tmp_path / "mine.py", None, "q2/01-figure").questions[0].diagnosis
    assert diagnosis is not None
    assert diagnosis.hint.startswith('Line 11 compares a layer with "MAX". They are never equal: write Layer.MAX')


@pytest.mark.parametrize(
    ("line", "constant"),
    [
        ('if node.layer == "MAX":', '"MAX"'),
        ("if 'Layer.MIN' == node.layer:", "'Layer.MIN'"),
        ("if self.node.layer in ('MIN', 'CHANCE'):", "'MIN'"),
        ("if node.layer != 0:", "0"),
        ('if node.layer is not "MAX":', '"MAX"'),
        ('if node.layer.name == "MAX":', None),
        ('if "MAX" == node.layer.name:', None),
        ("if node.layer in (Layer.MIN, Layer.CHANCE):", None),
        ("layer == 0", None),
    ],
)
def test_only_a_layer_itself_is_never_equal_to_a_constant(line: str, constant: str | None) -> None:
    match = LAYER_COMPARISON.search(line)
    assert (match and (match[1] or match[2])) == constant


def test_a_class_without_a_base_class_is_told_which_one(tmp_path: Path) -> None:
    text = f"{HEAD}\nclass MinimaxAgent:\n    def search(self, node, plies): return Line(3, None)\n"
    message = error_of(tmp_path, text, "MinimaxAgent", "search")
    assert message.startswith("the class MinimaxAgent has no base class: write `class MinimaxAgent(SearchAgent):`")
    with pytest.raises(InputError, match=re.escape(message.strip())):
        make_pacman(f"{tmp_path / 'mine.py'}:MinimaxAgent")


def test_a_game_says_what_a_report_says(tmp_path: Path) -> None:
    text = SEARCH.format(body="return node.getScore()")
    message = error_of(tmp_path, text, "MinimaxAgent", "search")
    pacman = make_pacman(f"{tmp_path / 'mine.py'}:MinimaxAgent", ["rounds=1"])
    game = Game(start(POSITION), [pacman, RandomGhost()], ["", ""], explain=advice_at)
    fault = game.play().fault
    assert fault is not None
    assert fault.advice.startswith("Write self.evaluate(node)")
    assert message.endswith(fault.advice)
