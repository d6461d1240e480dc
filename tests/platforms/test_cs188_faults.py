"""A file's faults, from the sandbox: one clear line each that says what to do, and the other agents still answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograder.cases.case import Limits
from autograder.judge.submission_answer import Fault
from autograder.platforms.cs188 import messages
from autograder.sandbox import Sandbox, attempt, best
from autograder.sandbox.submission_files import SubmissionFiles
from tests.platforms.cs188_grading import RIGHT

TEXT = next(path for path in RIGHT if path.stem == "agent_index").read_text(encoding="utf-8")
TREE = "max\n  a: min\n    x: 3\n    y: 12\n  b: min\n    x: 2\n    y: 4"
LIMITS = Limits(seconds=5, memory_mb=512)


def asked(text: str, part: str = "MinimaxAgent", tree: str = TREE, seconds: float = 5.0) -> dict[str, Any] | Fault:
    """The reply to one search of a tree, or the fault, with what to do about it."""
    with Sandbox(
        SubmissionFiles({"multiAgents.py": text.encode()}, "multiAgents.py"), LIMITS, best(), "cs188"
    ) as sandbox:
        sandbox.main = "multiAgents.py"
        session = sandbox.session(seconds)

        def talk() -> dict[str, Any]:
            sandbox.ready(session, "search", part, 1, "1/0")
            reply: dict[str, Any] = session.ask(ask="search", plies=2, tree=tree)
            return reply

        found = attempt(session, talk)
    return messages.with_advice(found) if isinstance(found, Fault) else found


def in_minimax(line: str) -> str:
    """The right file with one more line at the beginning of MinimaxAgent.getAction."""
    head = "    def getAction(self, gameState: GameState):\n"
    assert head in TEXT
    return TEXT.replace(head, f"{head}        {line}\n")


def test_a_right_file_answers() -> None:
    found = asked(TEXT)
    assert isinstance(found, dict), found
    assert (found["action"], found["generated"], found["value"]) == ("a", 6, None)


# (what is done to the right file, the kind of fault, its line)
FAULTS: tuple[tuple[str, Callable[[str], str], str, str], ...] = (
    (
        "not written",
        lambda t: in_minimax("util.raiseNotDefined()"),
        "not written",
        "MinimaxAgent.getAction is not written yet",
    ),
    (
        "exit",
        lambda t: in_minimax("import sys; sys.exit(3)"),
        "exit",
        "called sys.exit(3) while in search (line 49: import sys; sys.exit(3)); "
        "delete the call; a search returns an action, and raises if something is wrong",
    ),
    (
        "recursion",
        lambda t: in_minimax("return self.getAction(gameState)"),
        "raised",
        "RecursionError: maximum recursion depth exceeded (line 49: return self.getAction(gameState)); "
        "does the recursion stop at isWin(), at isLose() and when self.depth rounds are searched?",
    ),
    (
        "another project",
        lambda t: "from searchAgents import mazeDistance\n" + t,
        "missing package",
        "imports 'searchAgents', which is not there for graded code (line 1: from searchAgents import mazeDistance); "
        "another file of the project, which is not there when multiAgents.py is graded: copy what you use of it",
    ),
    (
        "a window",
        lambda t: "import graphicsUtils\n" + t,
        "missing package",
        "imports 'graphicsUtils', which is not there for graded code (line 1: import graphicsUtils); "
        "nothing is shown while a file is graded: delete this import",
    ),
    (
        "a typing slip",
        lambda t: "import gmae\n" + t,
        "missing package",
        "imports 'gmae', which is not there for graded code (line 1: import gmae); "
        "graded are files that import util, game, pacman, ghostAgents and Python's own modules; did you mean 'game'?",
    ),
    (
        "a name that is not there",
        lambda t: "from game import Direction\n" + t,
        "raised",
        "ImportError: cannot import name 'Direction' from 'game' (unknown location) "
        "(line 1: from game import Direction); in game did you mean 'Directions'?",
    ),
    (
        "running games",
        lambda t: "from pacman import runGames\n" + in_minimax("runGames(1)"),
        "raised",
        "Exception: runGames runs games; it is not there for graded code, which only chooses moves "
        "(line 50: runGames(1))",
    ),
    (
        "Python 2 names",
        lambda t: in_minimax("for i in xrange(3): pass"),
        "raised",
        "NameError: name 'xrange' is not defined (line 49: for i in xrange(3): pass); "
        "that is Python 2; in Python 3 it is range",
    ),
    (
        "Python 2 lists",
        lambda t: in_minimax("len(filter(None, [1]))"),
        "raised",
        "TypeError: object of type 'filter' has no len() (line 49: len(filter(None, [1]))); "
        "in Python 3 it is no list; wrap it in list(...)",
    ),
    (
        "Python 2 infinity",
        lambda t: in_minimax("from sys import maxint"),
        "raised",
        "ImportError: cannot import name 'maxint' from 'sys' (unknown location) (line 49: from sys import maxint); "
        "that is Python 2; in Python 3 it is float('inf')",
    ),
    (
        "Python 2 order",
        lambda t: in_minimax("[1] > 0"),
        "raised",
        "TypeError: '>' not supported between instances of 'list' and 'int' (line 49: [1] > 0); "
        "Python 2 put things of any kind in an order, Python 3 does not",
    ),
    (
        "Stop taken out of a tree's actions",
        lambda t: in_minimax("gameState.getLegalActions().remove(Directions.STOP)"),
        "raised",
        "ValueError: list.remove(x): x not in list (line 49: gameState.getLegalActions().remove(Directions.STOP)); "
        "in a drawn tree nobody can stop: first ask `if Directions.STOP in ...`",
    ),
    (
        "nothing but a docstring",
        lambda t: t + "class MinimaxAgent(MultiAgentSearchAgent):\n    def getAction(self, state):\n        'Words.'\n",
        "not written",
        "MinimaxAgent.getAction is not written yet",
    ),
    (
        "a wrong agent",
        lambda t: in_minimax("gameState.getLegalActions(2)"),
        "raised",
        "Exception: getLegalActions of agent 2; there are agents 0 to 1 (line 49: gameState.getLegalActions(2))",
    ),
    (
        "an illegal action",
        lambda t: in_minimax("gameState.generateSuccessor(0, 'Up')"),
        "raised",
        "Exception: illegal action 'Up' of agent 0; legal: a, b (line 49: gameState.generateSuccessor(0, 'Up'))",
    ),
    (
        "too shallow",
        lambda t: in_minimax("gameState.generateSuccessor(0, 'a').getScore()"),
        "raised",
        "Exception: getScore() of a state that is neither an end nor as deep as self.depth says "
        "(line 49: gameState.generateSuccessor(0, 'a').getScore())",
    ),
    ("no class", lambda t: t.replace("class MinimaxAgent", "class MiniMaxAgent"), "refused",
     "no class MinimaxAgent in the file; did you mean 'MiniMaxAgent'?"),
    (
        "another constructor",
        lambda t: t.replace('evalFn="scoreEvaluationFunction", depth="2"', "evalFn, depth"),
        "refused",
        "MinimaxAgent(depth=1) cannot be made: its __init__ asks for something else; "
        "expected __init__(self, evalFn='scoreEvaluationFunction', depth='2')",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("change", "kind", "said"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_one_line_that_says_what_to_do(change: Callable[[str], str], kind: str, said: str) -> None:
    assert asked(change(TEXT)) == Fault(kind, said)


def test_an_endless_loop() -> None:
    found = asked(in_minimax("while True: pass"), seconds=0.6)
    assert found == Fault(
        "time",
        "no answer within 0.6 s; does every branch of the recursion come nearer to self.depth, "
        "or to isWin() or isLose()?",
    )


def test_advice_on_what_happens_in_a_game() -> None:
    late = messages.with_advice(Fault("time", "game 2, ply 14: no answer within 60 s"))
    assert late.text.endswith("60 s; these are the seconds of all the games together: what does it cost to evaluate "
                              "one state?")  # fmt: skip
    old = messages.with_advice(
        Fault("raised", "game 1, ply 0: TypeError: '>' not supported between instances of 'a' and 'b'")
    )
    assert old.text.endswith("; Python 2 put things of any kind in an order, Python 3 does not")


def test_a_print_storm_costs_nothing() -> None:
    found = asked(in_minimax("for i in range(20000): print('state', i)"))
    assert isinstance(found, dict), found
    assert found["action"] == "a"


@pytest.mark.parametrize(
    "line", ["util.raiseNotDefined()", "import sys; sys.exit(1)", "return self.getAction(gameState)"]
)
def test_one_agents_fault_does_not_hide_the_others(line: str) -> None:
    text = in_minimax(line)
    assert isinstance(asked(text, "MinimaxAgent"), Fault)
    for part in ("AlphaBetaAgent", "ExpectimaxAgent"):
        found = asked(text, part)
        assert isinstance(found, dict), found
        assert found["action"] in ("a", "b")


def test_what_is_not_an_action_is_a_miss_and_no_fault() -> None:
    for line, choice in (
        ("return gameState.isWin() or None", "None"),
        ("return (3, 'a')", "(3, 'a') (tuple)"),
        ("return 7", "7 (int)"),
    ):
        found = asked(in_minimax(line))
        assert isinstance(found, dict), found
        assert (found["action"], found["choice"]) == (None, choice)


@pytest.mark.parametrize(
    ("source", "is_python_2"),
    [
        ("print 'x'", True),
        ("print x, y", True),
        ("try:\n  pass\nexcept KeyError, e:\n  pass", True),
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
    said = messages.with_syntax_advice(str(caught.value.msg))
    if is_python_2 is None:
        assert said.endswith("; indent with spaces alone")
    else:
        assert ("this is Python 2" in said) == is_python_2
