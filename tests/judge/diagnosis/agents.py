"""Agents for diagnoses: wrong ones, each with the names of its mistakes, and right ones in many styles of writing.

`MINIMAX`, `WINDOW` and `CHANCE` are the agents of one student: one method per layer. Most rows of `WRONG` are one
mistake in one of them. The others are classes with a `search` of another form.
"""

from __future__ import annotations

from collections.abc import Iterable

HEAD = """
import copy
import random
from math import inf, nextafter
from agents.base import SearchAgent
from pacman.core.tree import Layer
from pacman.core.tree import Line
"""

MINIMAX = """
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


IN_MIN = "line = self.look(child, plies - 1, depth + 1, ghosts)\n"
MADE = "for action in node.actions():\n            child = node.successor(action)"
Edit = tuple[str, str]

GHOST_BELOW_GHOST = """
class ExpectiminimaxAgent(SearchAgent):
    def search(self, node, plies, above=None):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(a), plies - 1, node.layer).value, a) for a in node.actions()]
        if node.layer is Layer.MAX:
            return max(lines, key=lambda line: line.value)
        if node.layer is Layer.MIN or above is Layer.MIN:
            return min(lines, key=lambda line: line.value)
        return Line(sum(p * line.value for (a, p), line in zip(node.outcomes(), lines)), None)
"""
COUNTS_ON_SELF = """
class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        self.left = plies
        return self.look(node)

    def look(self, node):
        if self.left <= 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        self.left -= 1
        lines = [Line(self.look(node.successor(a)).value, a) for a in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)
"""
BEST_ON_SELF = """
class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        self.best_max, self.best_min = -inf, inf
        return self.look(node, plies)

    def look(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        choice = None
        for action in node.actions():
            value = self.look(node.successor(action), plies - 1).value
            if node.layer is Layer.MAX and value > self.best_max:
                self.best_max, choice = value, action
            if node.layer is Layer.MIN and value < self.best_min:
                self.best_min, choice = value, action
        return Line(self.best_max if node.layer is Layer.MAX else self.best_min, choice)
"""
SWAPPED_PAIR = """
class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(None, self.evaluate(node))
        pick = max if node.layer is Layer.MAX else min
        lines = [Line(a, self.search(node.successor(a), plies - 1).action) for a in node.actions()]
        return pick(lines, key=lambda line: line.action)
"""
STORED = """        key = {key}
        if key not in self.table:
            self.table[key] = self.look_again(node, plies{more})
        return self.table[key]

    def look_again(self, node, plies{more}):
"""
LOOK_MAX, LOOK_WINDOW = (
    "def look(self, node, plies, depth=0, ghosts=0):\n",
    "def look(self, node, plies, alpha, beta):\n",
)
NEW_TABLE = ("return self.look(node, plies", "self.table = {}\n        return self.look(node, plies")
CLASS_TABLE = ("assumes = Layer.MIN\n", "assumes = Layer.MIN\n    table = {}\n")

# The names of the mistakes, the text of the agent, the question, and the edits (old text, new text). A name with a
# question mark need not be found: then the diagnosis says only which trees are wrong.
WRONG: list[tuple[str, str, str, list[Edit]]] = [
    ("two-plies-short", MINIMAX, "q2", [("self.look(node, plies)", "self.look(node, max(0, plies - 2))")]),
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
    ("chance-as-min", CHANCE, "q5", [("if node.layer is Layer.CHANCE", "if False")]),
    ("stop-dropped", MINIMAX, "q2", [("node.actions():", "[each for each in node.actions() if each != 'Stop']:")]),
    ("sign-by-mover", MINIMAX, "q2", [("self.evaluate(node)", "self.evaluate(node) * (1 if node.layer is Layer.MAX "
                                       "else -1)")]),
    ("cuts-unasked", WINDOW, "q2 in order", [("AlphaBetaAgent", "MinimaxAgent")]),
    ("searched-twice", CHANCE, "q4", [("total += chance * value",
                                       "total += chance * self.search(node.successor(action), plies - 1).value"),
                                      ("best, choice = value, action",
                                       "best, choice = value, action\n            "
                                       "self.search(node.successor(action), plies - 1)")]),
    ("node-overwritten?", MINIMAX, "q2", [("child = node.successor(action)", "child = node = node.successor(action)")]),
    # Searches of other forms.
    ("score-not-evaluation", MINIMAX, "q2", [("self.evaluate(node)", "node.score")]),
    ("chance-as-min", GHOST_BELOW_GHOST, "q5", []),
    ("children-left-out", CHANCE, "q4", [("        return total", "            return total")]),
    ("zero-as-nothing", CHANCE, "q5", [("best is None or", "not best or")]),
    ("zero-as-nothing", MINIMAX, "q2", [("line.value < best:", "line.value < (best or inf):")]),
    ("start-swapped", MINIMAX, "q2", [("best, choice = inf, None", "best, choice = -inf, None")]),
    ("action-at-chance", CHANCE, "q4", [("plies), None)", "plies), node.actions()[0])")]),
    ("action-of-largest", MINIMAX, "q2", [
        ("best, choice = inf, None", "best, choice, most = inf, None, -inf"),
        ("if line.value < best:\n                best, choice = line.value, action",
         "best = min(best, line.value)\n            if line.value > most:\n"
         "                most, choice = line.value, action")]),
    ("ends-left-out", CHANCE, "q5", [("in node.outcomes():\n", "in node.outcomes():\n            if node.successor("
                                      "action).is_terminal:\n                continue\n")]),
    ("memory-of-bounds?", WINDOW, "q3", [
        (LOOK_WINDOW, LOOK_WINDOW + STORED.format(key="node, plies", more=", alpha, beta")), CLASS_TABLE]),
    ("memory-without-plies", MINIMAX, "q2", [
        (LOOK_MAX, LOOK_MAX + STORED.format(key="node", more="")), ("look_again(self, node, plies)",
         "look_again(self, node, plies, depth=0, ghosts=0)"), CLASS_TABLE]),
    ("children-left-out", MINIMAX, "q2", [("    return Line(best, choice)", "        return Line(best, choice)")]),
    ("plies-shared", COUNTS_ON_SELF, "q2", []),
    ("max-moves-count", MINIMAX, "q2", [(IN_MIN, IN_MIN.replace("plies - 1", "plies"))]),
    ("wrong-value-at-chance", CHANCE, "q4", [
        ("self.search(node.successor(action), plies - 1).value\n            total",
         "self.evaluate(node.successor(action))\n            total")]),
    ("starts-from-evaluation", MINIMAX, "q2", [("= -inf, None", "= self.evaluate(node), None"),
                                               ("= inf, None", "= self.evaluate(node), None")]),
    ("best-successor-evaluated", MINIMAX, "q2", [
        ("if plies == 0:\n            return Line(self.evaluate(node), None)",
         "if plies == 0 and not node.is_terminal:\n            return Line("
         "max(self.evaluate(node.successor(action)) for action in node.actions()), None)")]),
    ("random-answers", WINDOW, "q3", [
        ("value > best", "value > best or value == best and random.random() < 0.5")]),
    ("wrong-value-at-chance", CHANCE, "q4", [("+= chance * value", "+= int(chance * value)")]),
    ("first-child-not-searched", MINIMAX, "q2", [
        (f"best, choice = {sign}inf, None\n        for action in node.actions()",
         "choice, *others = node.actions()\n        best = self.evaluate(node.successor(choice))\n"
         "        for action in others") for sign in ("-", "")]),
    ("best-shared", BEST_ON_SELF, "q2", []),
    ("wrong-value-at-chance", CHANCE, "q5", [("chance * value", "chance * chance * value")]),
    ("pair-swapped", SWAPPED_PAIR, "q2", []),
]  # fmt: skip


def changed(base: str, edits: Iterable[Edit]) -> str:
    for old, new in edits:
        assert old in base, old
        base = base.replace(old, new)
    return base


def written(base: str, edits: Iterable[Edit] = ()) -> str:
    """The text of a file with the class, changed by some edits."""
    return HEAD + changed(base, edits)


RIGHT = {
    "fail hard": (
        changed(
            WINDOW,
            [
                ("return Line(best, choice)\n            alpha", "return Line(beta, choice)\n            alpha"),
                ("return Line(best, choice)\n            beta", "return Line(alpha, choice)\n            beta"),
            ],
        ),
        "q3",
    ),
    "soft": (WINDOW, "q3"),
    "all three layers": (CHANCE, "q5"),
    "a stack instead of recursion": (
        """
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
    "values stored by node and plies": (
        changed(MINIMAX, [(LOOK_MAX, LOOK_MAX + STORED.format(key="node, plies", more="")),
                          ("look_again(self, node, plies)", "look_again(self, node, plies, depth=0, ghosts=0)"),
                          NEW_TABLE]),
        "q2",
    ),
    "the best evaluation first": (
        changed(WINDOW, [(MADE, "order = [(node.successor(each), each) for each in node.actions()]\n"
                          "        order.sort(key=lambda each: self.evaluate(each[0]), reverse=node.layer is Layer.MAX)"
                          "\n        for child, action in order:")]),
        "q3",
    ),
}  # fmt: skip
"""Right searches, by their style of writing, with the question. Some generate other nodes than the question asks."""
