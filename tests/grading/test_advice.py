"""What a report says about code that raises: the line, the usual cause, what to write instead, the last prints."""

from __future__ import annotations

import re
import sys
from io import StringIO
from pathlib import Path
from time import process_time

import pytest

from agents.advice import CS188, LAYER_COMPARISON, NATIVE, advice, assumes_advice, uncalled_advice
from agents.advice_tables import CAUSES, CS188_CAUSES, NATIVE_CAUSES
from agents.ghosts import RandomGhost
from agents.load import advice_at, make_pacman
from autograder.judge.scorecard import CaseScore
from autograder.report import junit, markdown
from autograder.sandbox import SessionBroken
from autograder.sandbox.in_process import InProcess
from autograder.student_process.allowed_imports import is_refused
from autograder.student_process.native_api import ImportGuard
from autograder.student_process.plain_values import ForbiddenImport, describe_fault
from pacman import start
from pacman.core.errors import InputError
from pacman.play.game import Game
from tests.graded import graded, graded_text
from tests.test_structure import MODULES

TREE = "chance\n  a @1/2: max\n    x: 3\n  b @1/2: 5"
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
    "raise TypeError('MinimaxAgent.choose() missing 1 required positional argument')": "so give yours another name",
    "raise TypeError(\"A.search() missing 2 required positional arguments: 'alpha' and 'beta'\")": "Give other "
    "parameters a default value",
    "return self.search(node.successor('a'))": "A call gives too few arguments",
    "line = Line(0, None); line.value = 1": "A Line cannot change",
    "return node.plies": "Write plies, the second argument of search",
    "return ply": "Write plies, the second argument of search",
    "yield 3": "search returned <generator object MinimaxAgent.search> (generator); expected Line(value, action) or "
    "(value, action) A function with `yield` and an `async` function return no value",
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
    "return [each for each in node.actions]": "The parentheses after actions are missing",
    "found = node.actions\n        return found[0]": "A function has no () here",
    "return max[node]": "Brackets [ ] stand after a function",
    "search = search(node, 1); return search": "Write self.search",
    "return best; best = 3": "No line above it in this function gives best a value",
    "max = max([node]); return max": "Line 8 gives max a value, so in this function max is not Python's own max",
    "if node.layer is Layer.MAX: pass\n        if node.layer is Layer.MIN: pass\n        else: node.successor('a')."
    "outcomes()": "The `else` around this line also runs after the `if` in line 8: write `elif` in line 9",
    "if node.layer is Layer.MIN: pass\n        if plies < 2: return self.search(node.successor('a'), 2).value": "has "
    "no line `assumes = Layer.MIN`, so random ghosts are CHANCE nodes",
    "return self.nothing(node)[0]\n\n    def nothing(self, node): pass": "A value is None here",
    "value, action = None; return 1": "A value is None here",
    "[x for x in None]; return 1": "A value is None here",
    "return None > 3": "A value is None here",
    "return None + 3": "A value is None here",
    "value, action = 3; return 1": "has more or fewer names",
    "value, action = Line(3, None), 4, 5": "has more or fewer names",
    "value, action = (3,)": "has more or fewer names",
    "return max([])": "got nothing to choose from",
    "return (3, 'a').value": "or the tuple `(value, action)`, and only a Line has",
    "return Line(3, 'a') > 3": "write `.value`",
    "return max(Line(3, 'a'), 4)": "write `.value`",
    "return 0.5 * Line(3, 'a')": "Take the number out of it",
    "return 3 + Line(3, 'a')": "write `.value`",
    "return -Line(3, 'a')": "write `.value`",
    "return (3, 'a') < 3": "Take the number out of it",
    "return {[1]: 2}": "use a tuple",
    "return self.search(node)": "too few arguments",
    "return self.search(node, 1, 2)": "too many arguments",
    "return self.search(node, plies)": "calls itself without end",
    "return node.is_win": "Many cases are drawn trees",
    "return node.score": "Evaluate a node only if",
    "return node.successor('a').outcomes()": "Check node.layer",
    "return node.successor('no')": "from its own actions()",
    "return node.actions()()": "not a function",
    "return 3 / 0": "The divisor is 0",
    "return [][0]": "shorter than expected",
    "return misspelt": "The name is misspelt",
    "x = [1 for y in () for z in (w,)]\n        if plies == 7: later = 1\n        return later": "Give it one before",
    "return 3": "or the tuple `(value, action)`, and only a Line has",
    "return input()": "no keyboard",
    "return self.help()\n\n    def help(self, n=1):\n        return plies": "help (line 10) gives plies no value; its "
    "parameters are: self, n=1",
    "return node.score\n\n    def search(self, node, plies):\n        raise NotImplementedError": "search is defined "
    "twice (lines 5 and 10), and the last one counts",
    "pass\n\nclass MinimaxAgent(SearchAgent): pass": "MinimaxAgent is defined twice (lines 4 and 10)",
    "import tools": "If tools is a file of your own, hand it in too",
    "distances = {}; return distances[3]": "If the key is a square: there is no path to it",
    "return {}['distance']": "gives 0 instead",
    "global counter; counter = counter + 1": "The name is misspelt",
    "return help_me()\n\n    def help_me(self): pass": "Write self.help_me",
    "open('/nowhere')": "contains only your own files",
    "raise PermissionError(13, 'Permission denied')": "no code can write a file",
}
OF_A_CHOICE = {
    "return after.maze.distances(after.pacman)": "write state.pacman.cell",
    "after = state.successor\n        return after.score": "A function has no () here, or where the variable got its",
    "return after.getFood().asList()": "Write state.food",
    "return after.food.asList()": "Write state.food itself",
    "return after.pacman.pos": "Did you mean 'position'?",
    "return [ghost.scaredTimer for ghost in after.ghosts]": "Write timer",
    "return after.maze.distances(after.pacman.position)": "write state.pacman.cell",
    "return 3 - after.pacman.position": "take x or y out of it",
    "return manhattanDistance(1, 2)": "Use abs(x1 - x2)",
    "yield 3": "returned <generator object ReflexAgent.evaluate_action> (generator) for",
    "return self.evaluate_action(state)": "The project calls evaluate_action(state, action).",
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


PARTS = {
    "class MiniMaxAgent: pass": (
        "MinimaxAgent",
        "file defines no class MinimaxAgent; did you mean 'MiniMaxAgent'?",
    ),
    "class Expectimax: pass": ("ExpectimaxAgent", "defines no class ExpectimaxAgent; did you mean 'Expectimax'?"),
    "class Ghost: pass": ("ReflexAgent", "the file defines no class ReflexAgent"),
    "class St\u0430rAgent: pass": (
        "StarAgent",
        "you mean 'St\u0430rAgent'? Its letter 3 is CYRILLIC SMALL LETTER A",
    ),
    "AlphaBetaAgent = 3": ("AlphaBetaAgent", "AlphaBetaAgent is not a class: it is 3 (int)"),
}
ERRORS = [
    *((text, part, "search", expected) for text, (part, expected) in PARTS.items()),
    *((SEARCH.format(body=body), "MinimaxAgent", "search", expected) for body, expected in OF_A_SEARCH.items()),
    *((CHOICE.format(body=body), "ReflexAgent", "choose", expected) for body, expected in OF_A_CHOICE.items()),
    *((f"{line}\nclass MinimaxAgent: pass\n", "MinimaxAgent", "search", text) for line, text in IMPORTS.items()),
    (
        SEARCH.replace("search", "serach").format(body="return 3"),
        "MinimaxAgent",
        "search",
        "5 defines serach: write search",
    ),
    # It would otherwise count as not written.
    (
        f"{HEAD}\nclass MinimaxAgent(SearchAgent): pass\n\ndef search(self, node, plies): return Line(3, None)\n",
        "MinimaxAgent",
        "search",
        "Indent the `def` of search (line 6) like that of a method: it is outside the class Min",
    ),
]


@pytest.mark.parametrize(("text", "part", "role", "expected"), ERRORS, ids=[each[-1] for each in ERRORS])
def test_an_error_says_its_cause_or_what_to_write(
    text: str, part: str, role: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO())
    monkeypatch.delitem(sys.modules, "util", raising=False)  # another test in this process may have used Berkeley's
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if not Path(folder, "util.py").exists()])
    assert expected in error_of(tmp_path, text, part, role)


def test_a_file_nested_too_deeply_to_be_written_again_has_no_advice_of_its_own() -> None:
    lines = [f"def deep(a={'-' * 900}1):", "    def inner(): hidden = 5", "    return hidden"]
    assert advice("NameError: name 'hidden' is not defined", lines, 3).startswith("The name is misspelt")


def test_an_attribute_of_the_base_class_is_never_meant_as_itself() -> None:
    source = ["class MultiAgentSearchAgent(Agent):", "    def __init__(self): self.depth = 2", "class Own(Agent): pass"]
    error = "AttributeError: 'Own' object has no attribute 'depth'. Did you mean: 'depth'?"
    assert advice(error, source, 3, CS188).startswith("MultiAgentSearchAgent.__init__ sets it")
    source = ["class Own(MultiAgentSearchAgent):", "    def __init__(self):", "        self.best = None"]
    assert advice(error, source, 3, CS188).startswith("The __init__ in line 2 takes the place of the one that sets it")


def test_every_cause_is_at_most_two_short_sentences() -> None:
    for _, cause in (*CAUSES, *NATIVE_CAUSES, *CS188_CAUSES):
        assert cause.endswith((".", "?", "case"))
        assert len(cause) <= 160


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
    text = SEARCH.replace("node.is_terminal", "node.actions").format(body=body.replace('"MAX"', "Layer.MAX"))
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    diagnosis = graded(tmp_path / "mine.py", None, "q2/01-figure").questions[0].diagnosis
    assert diagnosis is not None
    assert diagnosis.sentences[0].startswith("Line 6 tests the method node.actions itself, which is always true")


UNCALLED_METHODS = {
    "if plies == 0 or not node.actions:": "node.actions itself, which is always true",
    "if agent == state.getNumAgents:": "state.getNumAgents itself, not with its result",
    "while not (state.isWin or state.isLose):": "state.isWin itself, which is always true",
    "if here == ghost.getPosition:": "compares with the method ghost.getPosition itself, not with its result",
    "return state.is_win": "returns the method state.is_win itself: its () are missing",
    **dict.fromkeys(
        ("if state.isWin():", "if self.isWin:", "key=state.isWin", "if entry.actions:", "if a.isPacman:"), ""
    ),
    'print("if state.isWin")': "",
    "''' if state.isWin or": "",
}


@pytest.mark.parametrize("line", UNCALLED_METHODS)
def test_a_test_of_a_method_itself_is_named(line: str) -> None:
    style = NATIVE if "actions" in line else CS188
    text = uncalled_advice(["class Other:", "class Mine:", "  x = node.layer", f"  {line}"], "Mine", style)
    assert (UNCALLED_METHODS[line] in text, text[:7]) == (True, UNCALLED_METHODS[line] and "Line 4 ")
    assert uncalled_advice(["class Mine:", "  pass", "class Other:", f"  {line}"], "Mine", style) == ""
    assert uncalled_advice(["class Mine:", '  """Text', f"  {line}", '  """'], "Mine", style) == ""


LAYERS = {
    'if node.layer == "MAX":': '"MAX"',
    "if 'Layer.MIN' == node.layer:": "'Layer.MIN'",
    "if self.node.layer in ('MIN', 'CHANCE'):": "'MIN'",
    "if node.layer != 0:": "0",
    'if node.layer is not "MAX":': '"MAX"',
    **dict.fromkeys(('if node.layer.name == "MAX":', 'if "MAX" == node.layer.name:', "layer == 0")),
    "if node.layer in (Layer.MIN, Layer.CHANCE):": None,
}


def test_only_a_layer_itself_is_never_equal_to_a_constant() -> None:
    matches = {line: LAYER_COMPARISON.search(line) for line in LAYERS}
    assert {line: match and (match[1] or match[2]) for line, match in matches.items()} == LAYERS


def test_a_line_of_digits_is_read_in_linear_time() -> None:
    """The grader itself reads the lines of a stranger's file, which can have a million digits."""
    start_time = process_time()
    assert not LAYER_COMPARISON.search("1" * 20_000)
    assert process_time() - start_time < 1


def test_a_game_and_the_program_say_what_a_report_says(tmp_path: Path) -> None:
    """Also of a class without a base class."""
    text = f"{HEAD}\nclass MinimaxAgent:\n    def search(self, node, plies): return Line(3, None)\n"
    message = error_of(tmp_path, text, "MinimaxAgent", "search")
    assert message.startswith("the class MinimaxAgent has no base class: write `class MinimaxAgent(SearchAgent):`")
    with pytest.raises(InputError, match=re.escape(message.strip())):
        make_pacman(f"{tmp_path / 'mine.py'}:MinimaxAgent")
    (tmp_path / "later").mkdir()
    message = error_of(tmp_path / "later", SEARCH.format(body="return node.getScore()"), "MinimaxAgent", "search")
    pacman = make_pacman(f"{tmp_path / 'later/mine.py'}:MinimaxAgent", ["rounds=1"])
    game = Game(start(POSITION), [pacman, RandomGhost()], ["", ""], explain=advice_at)
    fault = game.play().fault
    assert fault is not None
    assert fault.advice.startswith("Write self.evaluate(node)")
    assert message.endswith(fault.advice)


RIGHT = """if node.is_terminal or plies == 0: return (self.evaluate(node), None)
        values = [(self.search(node.successor(action), plies - 1)[0], action) for action in node.actions()]
        return (max if node.layer is Layer.MAX else min)(values, key=lambda pair: pair[0])
"""


def test_reports_say_the_cause_and_what_was_printed_last(tmp_path: Path) -> None:
    def of(body: str, **others: str) -> CaseScore:
        helpers = [tmp_path / f"{name}.py" for name in others]
        for helper, text in zip(helpers, others.values(), strict=True):
            helper.write_text(text, encoding="utf-8")
        return graded_text(tmp_path, SEARCH.format(body=body), helpers=helpers)

    assert of("return breakpoint()").why.startswith("breakpoint() does not work in the sandbox")
    case = of("import tools; return tools.divide(1, 0)", tools="def divide(a, b):\n    return a / b\n")
    assert case.message == "ZeroDivisionError: division by zero (tools.py, line 2: return a / b)"
    case = of("print('\\n'.join(f'line {n}' for n in range(1, 21))); return 3 / 0")
    assert case.output.splitlines() == ["... (15 earlier lines)", *(f"line {n}" for n in range(16, 21))]
    assert of("print('x' * 70_000 + '\\nlast'); return 3 / 0").output.splitlines()[-1] == "last"
    case = of(f"print('a line\\nanother')\n        {RIGHT}")
    assert (case.earned, case.output) == (1, "")
    assert case.notes[0] == "prints (cost no points): 8 lines; the command `case` shows them"
    of("return node.nothing")
    card = graded(tmp_path / "mine.py", None, "q2/01-figure")
    (case,) = card.questions[0].cases
    assert case.why.startswith("Many cases are drawn trees.")
    assert case.why in markdown.details(case).replace("&#95;", "_")
    assert case.why in junit.dump(card)


def test_a_plain_pair_is_good_in_trees_and_in_games_and_a_number_is_not(tmp_path: Path) -> None:
    text = SEARCH.format(body=RIGHT)
    assert [graded_text(tmp_path, text, case).earned for case in ("q2/01-figure", "q2/10-nook")] == [1, 1]
    agent, position = make_pacman(f"{tmp_path / 'mine.py'}:MinimaxAgent", ["rounds=1"]), start(POSITION)
    assert agent.choose(position) in position.actions()
    (tmp_path / "number.py").write_text(SEARCH.format(body="return 3"), encoding="utf-8")
    with pytest.raises(TypeError, match=r"search returned 3; expected Line\(value, action\)"):
        make_pacman(f"{tmp_path / 'number.py'}:MinimaxAgent").choose(position)


def test_a_message_names_no_folder_of_the_grader_and_a_hostile_path_does_no_harm() -> None:
    class Hostile:
        def __format__(self, spec: str) -> str:
            raise SystemExit

    with pytest.raises(ImportError) as raised:
        exec("from agents.base import Agent")
    assert str(raised.value.path) in str(raised.value)
    fault = describe_fault(raised.value, "ada.py", [], "the import")
    assert fault["message"] == "cannot import name 'Agent' from 'agents.base'"
    raised.value.path = Hostile()  # type: ignore[assignment]
    assert isinstance(describe_fault(raised.value, "ada.py", [], "the import")["message"], str | None)


@pytest.mark.parametrize(
    ("line", "layers", "words"),
    [
        ("assumes = Layer.MIN  # as in q2", ["max", "min", "chance"], "needs no such line"),
        ("assumes: Layer = Layer.MIN", ["max", "chance"], "needs `assumes = Layer.CHANCE`"),
        ("assumes = Layer.CHANCE", ["max", "min"], "takes every ghost for a random one"),
        ("pass", ["max", "min"], "has no line with `assumes`"),
        ("assumes = None", ["max", "chance"], "Line 2 says `assumes = None`"),
        *(("assumes = Layer.MIN", ["max", "min"], ""), ("assumes = MIN", ["max", "min"], "")),
        *(("pass", ["max", "min", "chance"], ""), ("assumes = None", ["max", "min", "chance"], "")),
        ('"""Text\n    assumes = Layer.MIN"""', ["max", "min", "chance"], ""),
        *(("self.assumes = Layer.MIN", ["max", "chance"], ""), ("assumes = mine()", ["max", "chance"], "")),
    ],
)
def test_a_class_that_takes_the_ghosts_of_a_game_for_others_hears_of_its_line(
    line: str, layers: list[str], words: str
) -> None:
    text = f"class A(SearchAgent):\n    {line}\nclass B:\n    assumes = 3"
    found = assumes_advice(text.split("\n"), "A", layers)
    assert words in found
    assert bool(found) == bool(words)


def test_what_a_class_assumes_is_a_note_at_full_points_and_the_first_sentence_at_lost_ones(tmp_path: Path) -> None:
    head = "class ExpectiminimaxAgent(SearchAgent):"
    text = Path("autograder/assignments/multiagent/solutions.py").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(text.replace(head, f"{head}\n    assumes = Layer.MIN"), encoding="utf-8")
    full, lost = (
        graded(tmp_path / "mine.py", None, f"q5/{case}").questions[0] for case in ("01-three-layers", "25-gamble")
    )
    assert full.cases[0].notes[-1].startswith("in a game (costs no points): Line ")
    assert lost.diagnosis is not None
    assert "says `assumes = Layer.MIN`" in lost.diagnosis.sentences[0]


def test_advice_about_a_long_file_takes_a_time_that_depends_on_its_lines_alone() -> None:
    lines = ["class MinimaxAgent(SearchAgent):", *["        if a.actions: pass"] * 30_000]
    # minutes, when each line searched the whole file
    assert uncalled_advice(lines, "MinimaxAgent", NATIVE) == ""
    assert assumes_advice(lines, "MinimaxAgent", ["min"]).startswith("MinimaxAgent has no line")


def test_a_line_that_does_not_end_is_shown_too(tmp_path: Path) -> None:
    case = graded_text(tmp_path, SEARCH.format(body="print('half a line', end='')\n        return Line(0, None)"))
    assert "half a line" in case.output
