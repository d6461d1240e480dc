"""Each known mistake as a student would write it, graded end to end: exactly this mistake is recognised.

`MINIMAX`, `WINDOW` and `CHANCE` are the agents of one student. They are written differently from the sample solutions:
one method per layer. Each row of `WRONG` is one mistake in one of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.grading.grade import grade
from autograder.judge.mistakes.known_mistakes import ROWS
from autograder.judge.scorecard import QuestionScore
from tests.every_report import checked

ROOT = Path(__file__).parents[2]
MULTIAGENT = loading.load("multiagent")

MINIMAX = """
from math import inf
from agents.base import SearchAgent
from pacman.core.layers import Layer
from pacman.core.tree import Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        return self.look(node, plies)

    def look(self, node, plies, depth=0, ghosts=0):
        if plies == 0:
            return Line(self.evaluate(node), None)
        if node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.MAX:
            return self.max_value(node, plies, depth, ghosts)
        return self.min_value(node, plies, depth, ghosts + 1)

    def max_value(self, node, plies, depth, ghosts):
        best, choice = -inf, None
        for action in node.actions():
            child = node.successor(action)
            line = self.look(child, plies - 1, depth + 1)
            if line.value > best:
                best, choice = line.value, action
        return Line(best, choice)

    def min_value(self, node, plies, depth, ghosts):
        best, choice = inf, None
        for action in node.actions():
            child = node.successor(action)
            line = self.look(child, plies - 1, depth + 1, ghosts)
            if line.value < best:
                best, choice = line.value, action
        return Line(best, choice)
"""

WINDOW = """
from math import inf
from agents.base import SearchAgent
from pacman.core.layers import Layer
from pacman.core.tree import Line


class AlphaBetaAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        return self.look(node, plies, -inf, inf)

    def look(self, node, plies, alpha, beta):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.MAX:
            return self.max_value(node, plies, alpha, beta)
        return self.min_value(node, plies, alpha, beta)

    def max_value(self, node, plies, alpha, beta):
        best, choice = -inf, None
        for action in node.actions():
            child = node.successor(action)
            value = self.look(child, plies - 1, alpha, beta).value
            if value > best:
                best, choice = value, action
            if best >= beta:
                return Line(best, choice)
            alpha = max(alpha, best)
        return Line(best, choice)

    def min_value(self, node, plies, alpha, beta):
        best, choice = inf, None
        for action in node.actions():
            child = node.successor(action)
            value = self.look(child, plies - 1, alpha, beta).value
            if value < best:
                best, choice = value, action
            if best <= alpha:
                return Line(best, choice)
            beta = min(beta, best)
        return Line(best, choice)
"""

CHANCE = """
from math import inf
from agents.base import SearchAgent
from pacman.core.layers import Layer
from pacman.core.tree import Line


class ExpectiminimaxAgent(SearchAgent):
    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.CHANCE:
            return Line(self.mean(node, plies), None)
        best, choice = None, None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1).value
            if best is None or (value > best if node.layer is Layer.MAX else value < best):
                best, choice = value, action
        return Line(best, choice)

    def mean(self, node, plies):
        total = 0
        for action, chance in node.outcomes():
            value = self.search(node.successor(action), plies - 1).value
            total += chance * value
        return total


class ExpectimaxAgent(ExpectiminimaxAgent):
    assumes = Layer.CHANCE
"""

PRUNED_CHANCE = """
from math import inf
from agents.base import SearchAgent
from pacman.core.layers import Layer
from pacman.core.tree import Line


class ExpectiminimaxAgent(SearchAgent):
    def search(self, node, plies, alpha=-inf, beta=inf):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.CHANCE:
            return Line(sum(p * self.search(node.successor(a), plies - 1, alpha, beta).value
                            for a, p in node.outcomes()), None)
        best = None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1, alpha, beta).value
            if node.layer is Layer.MAX:
                if best is None or value > best.value:
                    best = Line(value, action)
                alpha = max(alpha, value)
            else:
                if best is None or value < best.value:
                    best = Line(value, action)
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best
"""

IN_MAX = "line = self.look(child, plies - 1, depth + 1)\n"
IN_MIN = "line = self.look(child, plies - 1, depth + 1, ghosts)\n"
LOOK = "value = self.look(child, plies - 1, alpha, beta).value"
MADE = "for action in node.actions():\n            child = node.successor(action)"
Edit = tuple[str, str]

# The mistake, the file it is in, the question, and the edits (old text, new text).
WRONG: list[tuple[str, str, str, list[Edit]]] = [
    ("ply-short", MINIMAX, "q2", [("plies == 0", "plies <= 1")]),
    ("ply-short", WINDOW, "q3", [("plies == 0", "plies <= 1")]),
    ("ply-deep", MINIMAX, "q2", [("plies == 0", "plies < 0")]),
    ("ply-deep", CHANCE, "q5", [("plies == 0", "plies == -1")]),
    ("round-short", MINIMAX, "q2", [("return self.look(node, plies)", "return self.look(node, max(0, plies - 2))")]),
    ("round-deep", MINIMAX, "q2", [("return self.look(node, plies)", "return self.look(node, plies + 2)")]),
    ("plies-as-rounds", MINIMAX, "q2", [("plies - 1", "plies - (child.layer is Layer.MAX)")]),
    (
        "ghosts-as-rounds",
        MINIMAX,
        "q2",
        [("return self.look(node, plies)", "return self.look(node, plies // 2)"), (IN_MAX, IN_MAX.replace(" - 1", ""))],
    ),
    ("rounds-as-plies", MINIMAX, "q2", [("return self.look(node, plies)", "return self.look(node, plies // 2)")]),
    (
        "first-ghost-only",
        MINIMAX,
        "q2",
        [("inf, None\n        for action in node.actions():\n            child = node.successor(action)\n"
          "            line = self.look(child, plies - 1, depth + 1, ghosts)",
          "inf, None\n        for action in node.actions() if ghosts == 1 else node.actions()[:1]:\n"
          "            child = node.successor(action)\n"
          "            line = self.look(child, plies - 1, depth + 1, ghosts)")],
    ),
    ("exchanged", MINIMAX, "q2", [("if node.layer is Layer.MAX", "if node.layer is Layer.MIN")]),
    ("min-as-max", MINIMAX, "q2", [("return self.min_value", "return self.max_value")]),
    ("max-as-min", MINIMAX, "q2", [("return self.max_value", "return self.min_value")]),
    ("min-as-chance", CHANCE, "q5", [("if node.layer is Layer.CHANCE", "if node.layer is not Layer.MAX"),
                                     ("in node.outcomes()", "in outcomes(node)"),
                                     ("class Expectiminimax", "def outcomes(node):\n"
                                      "    if node.layer is Layer.CHANCE:\n        return node.outcomes()\n"
                                      "    actions = node.actions()\n"
                                      "    return [(action, 1 / len(actions)) for action in actions]\n\n\n"
                                      "class Expectiminimax")]),
    ("chance-as-min", CHANCE, "q5", [("if node.layer is Layer.CHANCE", "if False")]),
    ("chance-as-max", CHANCE, "q4", [("if node.layer is Layer.CHANCE", "if False"),
                                     ("value > best if node.layer is Layer.MAX else value < best", "value > best")]),
    ("by-depth", MINIMAX, "q2", [("if node.layer is Layer.MAX", "if depth % 2 == 0")]),
    ("sum-for-mean", CHANCE, "q4", [("chance * value", "value")]),
    ("sum-for-mean", CHANCE, "q5", [("chance * value", "value")]),
    ("equal-chances", CHANCE, "q4", [("chance * value", "value"),
                                     ("return total", "return total / len(node.actions())")]),
    ("mean-divided-again", CHANCE, "q4", [("return total", "return total / len(node.actions())")]),
    ("divided-by-others", CHANCE, "q4", [("        if plies == 0 or",
                                          "        if plies >= getattr(self, 'most', 0):\n"
                                          "            self.most, self.root = plies, node\n        if plies == 0 or"),
                                         ("chance * value", "value"),
                                         ("return total", "return total / len(self.root.actions())")]),
    ("integer-division", CHANCE, "q4", [("return total", "return int(total)")]),
    ("integer-division", CHANCE, "q5", [("return total", "return total // 1")]),
    ("last-of-ties", WINDOW, "q3", [("value > best", "value >= best"), ("value < best", "value <= best")]),
    ("stop-dropped", MINIMAX, "q2", [("node.actions():", "[each for each in node.actions() if each != 'Stop']:")]),
    ("action-from-below", MINIMAX, "q2", [("best, choice = line.value, action", "best, choice = line")]),
    ("last-child", MINIMAX, "q2", [("if line.value > best", "if True"), ("if line.value < best", "if True")]),
    ("ends-searched", MINIMAX, "q2", [("if node.is_terminal:", "if False:")]),
    ("ends-searched", WINDOW, "q3", [(" or node.is_terminal", "")]),
    ("ends-worth-nothing", MINIMAX, "q2", [("if node.is_terminal:\n            return Line(self.evaluate(node), None)",
                                            "if node.is_terminal:\n            return Line(0, None)")]),
    ("root-evaluated", MINIMAX, "q2", [("return self.look(node, plies)", "self.root = node\n        "
                                        "return self.look(node, plies)"), ("evaluate(node)", "evaluate(self.root)")]),
    ("sign-by-mover", MINIMAX, "q2", [("self.evaluate(node)", "self.evaluate(node) * (1 if node.layer is Layer.MAX "
                                       "else -1)")]),
    ("finite-infinity", MINIMAX, "q2", [("inf, None", "99999, None")]),
    ("finite-infinity", WINDOW, "q3", [("inf, None", "9999, None")]),
    ("finite-infinity", WINDOW, "q3", [("inf", "100000"), ("from math import 100000", "")]),
    ("starts-at-zero", MINIMAX, "q2", [("best, choice = -inf", "best, choice = 0")]),
    ("starts-at-zero", CHANCE, "q5", [("best, choice = None, None", "best, choice = 0, None")]),
    ("no-cut", WINDOW, "q3", [("if best >= beta", "if False"), ("if best <= alpha", "if False")]),
    ("strict-cut", WINDOW, "q3", [("if best >= beta", "if best > beta"), ("if best <= alpha", "if best < alpha")]),
    ("alpha-lost", WINDOW, "q3", [("            alpha = max(alpha, best)\n", "")]),
    ("alpha-lost", WINDOW, "q3", [("plies - 1, alpha, beta", "plies - 1, -inf, beta")]),
    ("beta-lost", WINDOW, "q3", [("            beta = min(beta, best)\n", "")]),
    ("own-bound-only", WINDOW, "q3", [("best, choice = -inf, None\n", "best, choice, alpha = -inf, None, -inf\n"),
                                      ("best, choice = inf, None\n", "best, choice, beta = inf, None, inf\n")]),
    ("bounds-exchanged", WINDOW, "q3", [("plies - 1, alpha, beta", "plies - 1, beta, alpha")]),
    ("window-through-chance", PRUNED_CHANCE, "q5", []),
    ("made-before-cut", WINDOW, "q3", [(MADE, "for action, child in [(each, node.successor(each)) for each in "
                                        "node.actions()]:")]),
    ("made-twice", MINIMAX, "q2", [("self.look(child,", "self.look(node.successor(action),")]),
    ("searched-twice", CHANCE, "q4", [("total += chance * value",
                                       "total += chance * self.search(node.successor(action), plies - 1).value"),
                                      ("best, choice = value, action",
                                       "best, choice = value, action\n            "
                                       "self.search(node.successor(action), plies - 1)")]),
    ("node-overwritten", MINIMAX, "q2", [("child = node.successor(action)", "child = node = node.successor(action)")]),
]  # fmt: skip


def written(base: str, edits: list[Edit]) -> str:
    for old, new in edits:
        assert old in base, old
        base = base.replace(old, new)
    return base


def graded(tmp_path: Path, text: str, question: str) -> QuestionScore:
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    return checked(grade(file, MULTIAGENT.only(question, None), jobs=2)).questions[0]


@pytest.mark.parametrize(("mistake", "base", "question", "edits"), WRONG, ids=[f"{r[2]}-{r[0]}" for r in WRONG])
def test_exactly_this_mistake_is_recognised(
    tmp_path: Path, mistake: str, base: str, question: str, edits: list[Edit]
) -> None:
    score = graded(tmp_path, written(base, edits), question)
    assert score.earned < score.points
    assert [each.name for each in score.mistakes] == [mistake]
    assert score.mistakes[0].explains == score.mistakes[0].of > 0


def test_every_known_mistake_is_tested() -> None:
    """Except one: no case of `multiagent` has the strict cut; see test_mistakes.py."""
    assert {row.name for row in ROWS} - {row[0] for row in WRONG} == {"equal-cut"}


RIGHT = {
    "one method per layer": (MINIMAX, "q2"),
    "fail hard": (
        written(
            WINDOW,
            [
                ("return Line(best, choice)\n            alpha", "return Line(beta, choice)\n            alpha"),
                ("return Line(best, choice)\n            beta", "return Line(alpha, choice)\n            beta"),
            ],
        ),
        "q3",
    ),
    "soft": (WINDOW, "q3"),
    "the mean in its own method": (CHANCE, "q4"),
    "all three layers": (CHANCE, "q5"),
    "values negated": (
        """
from math import inf
from agents.base import SearchAgent
from pacman.core.layers import Layer
from pacman.core.tree import Line


class AlphaBetaAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        side = 1 if node.layer is Layer.MAX else -1
        value, action = self.negamax(node, plies, -inf, inf, side)
        return Line(side * value, action)

    def negamax(self, node, plies, alpha, beta, side):
        if plies == 0 or node.is_terminal:
            return side * self.evaluate(node), None
        best, choice = -inf, None
        for action in node.actions():
            child = node.successor(action)
            if child.layer is node.layer and not child.is_terminal:
                value = self.negamax(child, plies - 1, alpha, beta, side)[0]
            else:
                value = -self.negamax(child, plies - 1, -beta, -alpha, -side)[0]
            if value > best:
                best, choice = value, action
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best, choice
""",
        "q3",
    ),
    "closures": (
        """
from agents.base import SearchAgent
from pacman.core.layers import Layer
from pacman.core.tree import Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        def value(node, left):
            return self.evaluate(node) if not left or node.is_terminal else choose(node, left)[0]

        def choose(node, left):
            pick = max if node.layer is Layer.MAX else min
            return pick(((value(node.successor(a), left - 1), -i, a) for i, a in enumerate(node.actions())))

        if not plies or node.is_terminal:
            return Line(self.evaluate(node), None)
        best, _, action = choose(node, plies)
        return Line(best, action)
""",
        "q2",
    ),
    "a stack instead of recursion": (
        """
from agents.base import SearchAgent
from pacman.core.layers import Layer
from pacman.core.tree import Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        lines = {}
        stack = [(node, plies, (), False)]
        while stack:
            here, left, path, opened = stack.pop()
            if left == 0 or here.is_terminal:
                lines[path] = Line(self.evaluate(here), None)
            elif opened:
                found = [Line(lines.pop((*path, action)).value, action) for action in here.actions()]
                lines[path] = (max if here.layer is Layer.MAX else min)(found, key=lambda line: line.value)
            else:
                stack.append((here, left, path, True))
                for action in reversed(here.actions()):
                    stack.append((here.successor(action), left - 1, (*path, action), False))
        return lines[()]
""",
        "q2",
    ),
}


@pytest.mark.parametrize("right", RIGHT)
def test_a_right_search_has_no_known_mistake(tmp_path: Path, right: str) -> None:
    """Neither a right search nor one with an unknown mistake in one move gets a known mistake."""
    text, question = RIGHT[right]
    score = graded(tmp_path, text, question)
    assert (score.earned, score.mistakes) == (score.points, ())
    spoilt = text.replace(
        "def search(self, node, plies):",
        "def search(self, node, plies):\n        return spoil(self.right"
        "(node, plies), node, plies)\n\n    def right(self, node, plies):",
        1,
    )
    spoilt = spoilt.replace("self.search(", "self.right(").replace("\n\nclass ", "\n\n" + SPOIL + "\n\nclass ", 1)
    score = graded(tmp_path, spoilt, question)
    assert score.earned < score.points
    assert score.mistakes == ()


SPOIL = """
def spoil(line, node, plies):
    if line.value % 1 or plies % 2 and line.value > 2:
        return Line(line.value + 17, line.action)
    return line
"""
