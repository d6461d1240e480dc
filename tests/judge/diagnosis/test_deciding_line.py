"""The second line that a report marks: what decides that a wrong line is reached, or what it returns."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.judge.diagnosis.deciding_line import NUMBER
from pacman.record.rewriting import watched_code
from pacman.record.watcher import WatchedFunction
from tests.judge.diagnosed import QUESTIONS, diagnosed_text
from tests.judge.diagnosis.agents import CHANCE, MINIMAX, WINDOW, written

MIN_AT_MAX = ("return self.max_value(node, plies, depth, ghosts)", "return self.min_value(node, plies, depth, ghosts)")
STORES = """if value < best:
                best, choice = value, action
            if best <= alpha:
                return Line(best, choice)"""
BREAKS = """if value <= alpha:
                break
            if value < best:
                best, choice = value, action"""
CUT = """if best >= beta:
                return Line(best, choice)
            alpha = max(alpha, best)"""
UPDATE = "alpha = max(alpha, best)\n            "
LOOP = f"""node.actions():
            child = node.successor(action)
            value = self.look(child, plies - 1, alpha, beta).value
            if value > best:
                best, choice = value, action
            {CUT}"""
SLICE = LOOP.replace("s():", "s()[:1]:").replace(CUT, f"{UPDATE}if alpha >= beta:\n                break")
CASES = {
    "a cut": ("q3", WINDOW, ("best >= beta", "best >= alpha"), "best >= alpha", "whether the loop ends"),
    "no way out": (
        "q3",
        WINDOW,
        (CUT, f"{UPDATE}if alpha >= beta:\n                pass"),
        "alpha >= beta",
        "not leave",
    ),
    "no cut": ("q3", WINDOW, ("best >= beta", "best > beta + 5"), "best > beta", "whether the loop goes on"),
    "a comparison": ("q2", MINIMAX, ("line.value < best", "line.value > best - 1"), "best - 1", "when best changes"),
    "the start": ("q2", MINIMAX, ("best, choice = -inf", "best, choice = 0"), "choice = 0", "best starts there"),
    "the limit": ("q2", MINIMAX, ("plies == 0", "plies == -1"), "plies == -1", "whether plies are left"),
    "another function": ("q2", MINIMAX, MIN_AT_MAX, "layer is Layer.MAX", "that min_value is called"),
    "too early": ("q2", MINIMAX, ("plies == 0", "plies <= 1"), "plies <= 1", "that the code returns here"),
    "the action": (
        *("q2", MINIMAX, ("best, choice = line.value, action", "best = line.value\n            choice = action")),
        *("choice = action", "choice gets its value"),
    ),
    "a slice beside a test": ("q3", WINDOW, (LOOP, SLICE), "[:1]", "which successors come"),
    "a slice": ("q2", MINIMAX, ("node.actions():", "node.actions()[:2]:"), "[:2]", "which successors come"),
    "before it is stored": ("q3", WINDOW, (STORES, BREAKS), "value <= alpha", "this test ends the loop"),
    "an update": ("q5", CHANCE, ("total += chance", "total = chance"), "total = chance", "total gets its value"),
}


def test_the_text_of_a_variable_is_a_number_only_if_python_reads_it_as_one() -> None:
    assert not any(map(NUMBER.fullmatch, ("1-2", "2.1.3", "e", "..", "1e", "--1", "1e+-2")))
    assert all(map(NUMBER.fullmatch, map(repr, (1, -2.5, 1e-7, 1e22, float("-inf")))))


def test_a_test_on_the_line_of_the_step_leaves_no_other_test_to_mark(tmp_path: Path) -> None:
    on_one_line = f"if choice:\n                if best >= alpha: return Line(best, choice)\n            {UPDATE}"
    found = diagnosed_text(tmp_path, written(WINDOW, [(CUT, on_one_line)]), QUESTIONS["q3"])
    assert found is not None
    assert found.step is not None
    assert found.step.also == ()


@pytest.mark.slow("that grade or diagnose wrong searches", keep=4)
@pytest.mark.parametrize("name", CASES)
def test_the_line_that_decides_is_marked(name: str, tmp_path: Path) -> None:
    question, program, edit, code, words = CASES[name]
    text = written(program, [edit])
    found = diagnosed_text(tmp_path, text, QUESTIONS[question])
    assert found is not None
    assert found.step is not None
    (also,) = found.step.also
    assert code in text.splitlines()[also - 1]
    assert f"Look at line {also} too: " in found.step.words
    assert words in found.step.words
    assert also != found.step.line
    assert also in dict(found.step.code)


DEPTHS = """
class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        self.limit = plies
        return self.look(node, 0)

    def look(self, node, depth):
        if depth >= self.limit or node.is_terminal:
            return Line(self.evaluate(node), None)
        below = depth + 1
        if node.layer is Layer.MIN:
            below = depth + 2
        lines = [Line(self.look(node.successor(action), below).value, action) for action in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)
"""


def test_of_a_number_that_a_caller_passes_both_lines_are_named(tmp_path: Path) -> None:
    """The test that reads it, and what decides about it: the test of its assignment, the assignment, or the call."""
    changed = written(DEPTHS, [])
    always = written(DEPTHS, [("below = depth + 1\n        if node.layer is Layer.MIN:\n            ", "")])
    in_call = "depth + 1 + (node.layer is Layer.MIN)).value"
    passed = written(DEPTHS, [("below = depth + 2", "pass"), ("below).value", in_call)])
    for text, code, words in (
        (changed, "if node.layer is Layer.MIN", "this test decides when below changes"),
        (always, "below = depth + 2", "below gets its value there"),
        (passed, "lines = [", "it passes depth = "),
    ):
        found = diagnosed_text(tmp_path, text, QUESTIONS["q2"])
        assert found is not None
        assert found.step is not None
        test, other = (text.splitlines()[line - 1] for line in found.step.also)
        assert ("depth >= self.limit" in test, code in other) == (True, True)
        assert words in found.step.words


BRANCHES = """
class AlphaBetaAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        return self.look(node, plies, -inf, inf)

    def look(self, node, plies, alpha, beta):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.MAX:
            best, choice = -inf, None
        else:
            best, choice = inf, None
        for action in node.actions():
            value = self.look(node.successor(action), plies - 1, alpha, beta).value
            if node.layer is Layer.MAX:
                if value > best:
                    best, choice = value, action
                if best >= beta:
                    break
                alpha = max(alpha, best)
            else:
                if value < best:
                    best, choice = value, action
                beta = min(beta, best)
        return Line(best, choice)
"""
BOTH = """
class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.MAX:
            best, choice = 0, None
            for action in node.actions():
                value = self.search(node.successor(action), plies - 1).value
                if value > best:
                    best, choice = value, action
            return Line(best, choice)
        best, choice = inf, None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1).value
            if value < best:
                best, choice = value, action
        return Line(best, choice)
"""
INDEX = """
class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        actions = node.actions()
        values = [self.search(node.successor(action), plies - 1).value for action in actions]
        best = (max if node.layer is Layer.MAX else min)(values)
        return Line(best, actions[values.index(best) - 1])
"""
IN_THE_LOOP = ("beta = min(beta, best)\n        return", "beta = min(beta, best)\n            return")
CALL = "value = self.look(child, plies - 1, {}).value\n            if value < best"
EXCHANGED = CALL.format("alpha, beta"), CALL.format("beta, alpha")
TWICE = "if best >= alpha:\n                break\n            if best >= beta:\n                break"
AS_MAX = "(self.look if plies == 1 or child.is_terminal else self.max_value)"
TO_MAX = ("self.look(child, plies - 1, depth + 1, ghosts)", f"{AS_MAX}(child, plies - 1, depth + 1, ghosts)")


@pytest.mark.slow("that grade or diagnose wrong searches", keep=2)
@pytest.mark.parametrize(
    ("question", "text", "code"),
    [
        ("q3", BRANCHES, ""),  # the test of MAX nodes says nothing about a MIN node
        ("q2", BOTH, "best, choice = 0"),  # the other branch also sets `best`
        # of two tests, the one that is true at the end
        (
            "q3",
            written(WINDOW, [("if best >= beta:\n                return Line(best, choice)", TWICE)]),
            "best >= alpha",
        ),
        ("q2", written(MINIMAX, [TO_MAX]), AS_MAX),
        ("q2", INDEX, ""),  # that list has all actions
        ("q3", written(WINDOW, [IN_THE_LOOP]), ""),  # a return ends the loop, and no test
        ("q3", written(WINDOW, [EXCHANGED]), ""),  # the call itself is wrong
    ],
    ids=[
        "test of another branch",
        "start of its branch",
        "two tests",
        "call of another layer",
        "list",
        "return",
        "call",
    ],
)
def test_a_line_that_may_not_decide_is_not_named(question: str, text: str, code: str, tmp_path: Path) -> None:
    found = diagnosed_text(tmp_path, written(text, []), QUESTIONS[question])
    assert found is not None
    assert found.step is not None
    assert [code in (tmp_path / "mine.py").read_text().splitlines()[line - 1] for line in found.step.also] == (
        [True] if code else []
    )


def test_a_caller_that_exchanges_the_ends_of_the_window_is_named(tmp_path: Path) -> None:
    edit = ("return self.min_value(node, plies, alpha, beta)", "return self.min_value(node, plies, beta, alpha)")
    head = ("def min_value(self, node, plies, alpha, beta)", "def min_value(self, node, plies, beta, alpha)")
    other = diagnosed_text(tmp_path, written(WINDOW, [head]), QUESTIONS["q3"])
    assert other is not None
    assert other.step is not None
    assert "The call for this node gets alpha = inf. It must get alpha = -inf" in other.step.words
    text = written(WINDOW, [edit])
    found = diagnosed_text(tmp_path, text, QUESTIONS["q3"])
    assert found is not None
    assert found.step is not None
    assert edit[1] in text.splitlines()[found.step.line - 1]
    assert "The call for this node gets alpha = inf. It must get alpha = -inf" in found.step.words
    turned = ("return self.max_value(node, plies, alpha, beta)", "return self.max_value(node, plies, -beta, -alpha)")
    text = written(WINDOW, [turned])
    found = diagnosed_text(tmp_path, text, QUESTIONS["q3"])
    assert found is not None
    assert found.step is not None
    assert turned[1] in text.splitlines()[found.step.line - 1]


ROOT_LOOP = """
    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        best, choice = None, None
        for action in node.actions():
            value = self.look(node, plies - 1).value
            if best is None or (value > best if node.layer is Layer.MAX else value < best):
                best, choice = value, action
        return Line(best, choice)
"""


def test_a_loop_that_searches_the_node_itself_for_each_action_is_named(tmp_path: Path) -> None:
    search = "\n    def search(self, node, plies):\n        return self.look(node, plies)\n"
    text = written(MINIMAX, [(search, ROOT_LOOP)])
    found = diagnosed_text(tmp_path, text, QUESTIONS["q2"])
    assert found is not None
    assert found.step is not None
    assert found.mistakes == ("searches-the-same-node",)
    assert "self.look(node, plies - 1).value" in text.splitlines()[found.step.line - 1]
    assert "once for each action" in found.step.words


def test_a_search_that_takes_a_min_root_for_max_hears_of_the_value_and_not_of_its_windows(tmp_path: Path) -> None:
    edit = (
        "return self.look(node, plies, -inf, inf)",
        "return self.max_value(node, plies, -inf, inf) if plies else self.look(node, 0, 0, 0)",
    )
    found = diagnosed_text(tmp_path, written(WINDOW, [edit]), QUESTIONS["q3"])
    assert found is not None
    assert found.step is not None
    assert found.sentences[0].startswith(
        "If the root is a MIN node, then at the root, your search takes the largest value"
    )
    assert found.step.also == (13,)


def test_the_branch_and_a_pair_that_starts_wrong_are_named(tmp_path: Path) -> None:
    always = [("best, choice = 0", "best, choice = -inf"), ("is Layer.MAX", "is Layer.MAX or Layer.MIN")]
    found = diagnosed_text(tmp_path, written(BOTH, always), QUESTIONS["q2"])
    assert found is not None
    assert found.step is not None
    assert (
        "this test decides when best changes, and at line 15: this test decides which branch runs" in found.step.words
    )
    pairs = BOTH.replace("best, choice = 0, None", "best = Line(0, None)").replace(
        "value > best:", "value > best.value:"
    )
    pairs = pairs.replace(
        "best, choice = value, action\n            return Line(best, choice)",
        "best = Line(value, action)\n            return best",
    )
    found = diagnosed_text(tmp_path, written(pairs, []), QUESTIONS["q2"])
    assert found is not None
    assert found.step is not None
    (line,) = found.step.also
    assert "best = Line(0, None)" in (tmp_path / "mine.py").read_text().splitlines()[line - 1]


def test_the_statements_of_a_function_are_those_that_decide() -> None:
    text = """
def f(node, limit):
    best = self.best = 0
    for a, b in node.pairs():
        while best < limit and True:
            if a:
                break
            elif not b:
                best += 1
    def inner():
        return 2
    with x:
        return Line(best, self.best)
"""
    functions: list[WatchedFunction] = []
    watched_code(text, "f.py", functions)
    assert [(each.kind.name, *each[1:]) for each in functions[0].statements] == [
        ("SET", 3, 3, 3, 0, False, ("best", "self", "self.best")),
        ("LOOP", 4, 9, 9, 0, False, ("a", "b")),
        ("LOOP", 5, 9, 9, 4, False, ()),
        ("TEST", 5, 9, 9, 5, True, ("best", "limit")),
        ("TEST", 6, 7, 9, 5, True, ("a",)),
        ("TEST", 8, 9, 9, 5, False, ("b",)),
        ("SET", 9, 9, 9, 5, False, ("best",)),
        ("RETURN", 13, 13, 13, 0, False, ("Line", "best", "self", "self.best")),
    ]
    assert [each.name for each in functions] == ["f", "inner"]
