"""Faults of Berkeley-style files: each is one clear line with advice, and the other agents still answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from agents.advice import CS188, advice, syntax_advice, time_advice
from autograder.cases.case import Limits
from autograder.judge.submission_answer import Fault
from autograder.sandbox import Sandbox, attempt, check_sandbox
from autograder.sandbox.submission_files import SubmissionFiles
from tests.platforms.cs188_grading import RIGHT

TEXT = next(path for path in RIGHT if path.stem == "solutions").read_text(encoding="utf-8")
TREE = "max\n  a: min\n    x: 3\n    y: 12\n  b: min\n    x: 2\n    y: 4"
LIMITS = Limits(seconds=5, memory_mb=512)


def search(text: str, part: str = "MinimaxAgent", tree: str = TREE, seconds: float = 5.0) -> dict[str, Any] | Fault:
    """The reply to one search of a tree, or the fault with advice."""
    with Sandbox(
        SubmissionFiles({"multiAgents.py": text.encode()}, "multiAgents.py"), LIMITS, check_sandbox(), "cs188"
    ) as sandbox:
        sandbox.main_file = "multiAgents.py"
        session = sandbox.session(seconds)

        def talk() -> dict[str, Any]:
            sandbox.load_part(session, "search", part, 1)
            reply: dict[str, Any] = session.ask("search", plies=2, tree=tree)
            return reply

        return attempt(session, talk)


def in_minimax(line: str) -> str:
    """The right file with one more line at the beginning of MinimaxAgent.getAction."""
    head = "    def getAction(self, gameState: GameState):\n"
    assert head in TEXT
    return TEXT.replace(head, f"{head}        {line}\n")


def test_a_right_file_answers() -> None:
    result = search(TEXT)
    assert isinstance(result, dict), result
    assert (result["action"], result["generated"], result["value"]) == ("a", 6, None)


# (name, change of the right file, kind of the fault, its text)
FAULTS: tuple[tuple[str, Callable[[str], str], str, str], ...] = (
    ("not written", lambda t: in_minimax("util.raiseNotDefined()"), "not written",
     "MinimaxAgent.getAction is not written yet"),
    ("a stub of another course", lambda t: in_minimax("raise Exception('Not implemented yet')"), "not written",
     "MinimaxAgent.getAction is not written yet"),
    ("a method of another year", lambda t: in_minimax("gameState.generateChild(0, 'a')"), "raised",
     "AttributeError: a game state has no generateChild; did you mean 'generateSuccessor'? (line 49: "
     "gameState.generateChild(0, 'a')) A game state has the methods of Berkeley's project, with its names."),
    ("exit", lambda t: in_minimax("import sys; sys.exit(3)"), "exit",
     "called sys.exit(3) during the search (line 49: import sys; sys.exit(3)) Delete this call: getAction must "
     "return an action."),
    ("recursion", lambda t: in_minimax("return self.getAction(gameState)"), "raised",
     "RecursionError: maximum recursion depth exceeded (line 49: return self.getAction(gameState)) Does the "
     "recursion stop at isWin(), at isLose() and after self.depth rounds?"),
    ("another project", lambda t: "from searchAgents import mazeDistance\n" + t, "missing package",
     "imports 'searchAgents', which is not available in the sandbox (line 1: from searchAgents import "
     "mazeDistance) Only multiAgents.py is graded, without the project's other files: copy what you use into it."),
    ("a window", lambda t: "import graphicsUtils\n" + t, "missing package",
     "imports 'graphicsUtils', which is not available in the sandbox (line 1: import graphicsUtils) Graded code "
     "cannot use graphics: delete this import."),
    ("a typing slip", lambda t: "import gmae\n" + t, "missing package",
     "imports 'gmae', which is not available in the sandbox (line 1: import gmae) Did you mean 'game'? A file can "
     "import util, game, pacman, ghostAgents, numpy and Python's own modules."),
    ("a name that is not there", lambda t: "from game import Direction\n" + t, "raised",
     "ImportError: cannot import name 'Direction' from 'game' (unknown location) (line 1: from game import "
     "Direction) Did you mean 'Directions'?"),
    ("running games", lambda t: "from pacman import runGames\n" + in_minimax("runGames(1)"), "raised",
     "Exception: runGames is not available in the sandbox; the grader runs the games, this code only chooses "
     "actions (line 50: runGames(1))"),
    ("Python 2 names", lambda t: in_minimax("for i in xrange(3): pass"), "raised",
     "NameError: name 'xrange' is not defined (line 49: for i in xrange(3): pass) This is Python 2: in Python 3 "
     "write range."),
    ("Python 2 lists", lambda t: in_minimax("len(filter(None, [1]))"), "raised",
     "TypeError: object of type 'filter' has no len() (line 49: len(filter(None, [1]))) In Python 3 this is not a "
     "list: wrap it in list(...)."),
    ("Python 2 infinity", lambda t: in_minimax("from sys import maxint"), "raised",
     "ImportError: cannot import name 'maxint' from 'sys' (unknown location) (line 49: from sys import maxint) "
     "This is Python 2: in Python 3 write float('inf')."),
    ("Python 2 order", lambda t: in_minimax("[1] > 0"), "raised",
     "TypeError: '>' not supported between instances of 'list' and 'int' (line 49: [1] > 0) The values on this "
     "line have types that do not go together. The message names the types."),
    ("Stop taken out of a tree's actions",
     lambda t: in_minimax("gameState.getLegalActions().remove(Directions.STOP)"), "raised",
     "ValueError: list.remove(x): x not in list (line 49: gameState.getLegalActions().remove(Directions.STOP)) "
     "This case is a small tree without the action Stop: first check `if Directions.STOP in ...`."),
    ("nothing but a docstring",
     lambda t: t + "class MinimaxAgent(MultiAgentSearchAgent):\n    def getAction(self, state):\n        'Words.'\n",
     "not written", "MinimaxAgent.getAction is not written yet"),
    ("an illegal action", lambda t: in_minimax("gameState.generateSuccessor(0, 'Up')"), "raised",
     "Exception: illegal action 'Up' of agent 0; legal: a, b (line 49: gameState.generateSuccessor(0, 'Up'))"),
    ("too shallow", lambda t: in_minimax("gameState.generateSuccessor(0, 'a').getScore()"), "raised",
     "Exception: getScore() called on a state that is neither terminal nor at depth self.depth (line 49: "
     "gameState.generateSuccessor(0, 'a').getScore())"),
    ("no class", lambda t: t.replace("class MinimaxAgent", "class MiniMaxAgent"), "missing part",
     "the file defines no class MinimaxAgent; did you mean 'MiniMaxAgent'?"),
    ("another constructor",
     lambda t: t.replace('evalFn="scoreEvaluationFunction", depth="2"', "evalFn, depth"), "refused",
     "MinimaxAgent(depth=1) fails: __init__ has other parameters; expected __init__(self, "
     "evalFn='scoreEvaluationFunction', depth='2')"),
)  # fmt: skip


@pytest.mark.slow("that grade or diagnose wrong searches", keep=6)
@pytest.mark.parametrize(("change", "kind", "text"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_a_fault_is_one_line_with_advice(change: Callable[[str], str], kind: str, text: str) -> None:
    fault = search(change(TEXT))
    assert isinstance(fault, Fault), fault
    assert (fault.kind, f"{fault.text} {fault.advice}".strip()) == (kind, text)


def test_an_endless_loop() -> None:
    result = search(in_minimax("while True: pass"), seconds=0.6)
    assert isinstance(result, Fault)
    assert (result.kind, result.text) == ("time", "no answer within 0.6 s")
    assert time_advice(CS188, is_match=False).startswith("Does every branch of the recursion come closer")


def test_advice_on_what_happens_in_a_game() -> None:
    assert time_advice(CS188, is_match=True).startswith("This is the time limit of all games together")


def test_advice_on_a_pair_of_types_that_python_3_14_reads_in_an_except_of_python_2() -> None:
    lines = ["try:", "    pass", "except (KeyError, ValueError), e:"]
    expected = "This is Python 2: in Python 3 write `except E as e:`."
    assert advice("NameError: name 'e' is not defined", lines, 3, CS188) == expected


def test_a_print_storm_costs_nothing() -> None:
    result = search(in_minimax("for i in range(20000): print('state', i)"))
    assert isinstance(result, dict), result
    assert result["action"] == "a"


@pytest.mark.parametrize(
    "line", ["util.raiseNotDefined()", "import sys; sys.exit(1)", "return self.getAction(gameState)"]
)
def test_one_agents_fault_does_not_hide_the_others(line: str) -> None:
    text = in_minimax(line)
    assert isinstance(search(text, "MinimaxAgent"), Fault)
    for part in ("AlphaBetaAgent", "ExpectimaxAgent"):
        result = search(text, part)
        assert isinstance(result, dict), result
        assert result["action"] in ("a", "b")


def test_a_value_that_is_not_an_action_is_a_miss_and_not_a_fault() -> None:
    for line, choice in (
        ("return gameState.isWin() or None", "None"),
        ("return (3, 'a')", "(3, 'a') (tuple)"),
        ("return 7", "7 (int)"),
    ):
        result = search(in_minimax(line))
        assert isinstance(result, dict), result
        assert (result["action"], result["choice"]) == (None, choice)


@pytest.mark.parametrize(
    ("source", "is_python_2"),
    [
        ("print 'x'", True),
        ("print x, y", True),
        pytest.param(
            "try:\n  pass\nexcept KeyError, e:\n  pass",
            True,
            marks=pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python 3.14 reads it as a pair of types"),
        ),
        ("x = 017", True),
        ("f = lambda (a, b): a", True),
        ("def f((a, b)): pass", True),
        ("if True:\n\tx = 1\n        y = 2", None),
        ("x = = 1", False),
    ],
)
def test_files_of_python_2(source: str, is_python_2: bool | None) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(source, "multiAgents.py", "exec")
    text = syntax_advice(str(caught.value.msg), CS188)
    if is_python_2 is None:
        assert text == "Indent only with spaces."
    else:
        assert ("This is Python 2" in text) == is_python_2
