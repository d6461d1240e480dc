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

PRUNED_CHANCE = """
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
THIRD_IN_A_ROW = """
class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies, ghosts=0):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        ghosts = ghosts + 1 if node.layer is Layer.MIN else 0
        pick = max if node.layer is Layer.MAX or ghosts >= 3 else min
        lines = [Line(self.search(node.successor(a), plies - 1, ghosts).value, a) for a in node.actions()]
        return pick(lines, key=lambda line: line.value)
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
LEAVES_CHANCE_EARLY = """
class ExpectimaxAgent(SearchAgent):
    assumes = Layer.CHANCE

    def search(self, node, plies, best_above=-inf):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.MAX:
            best = Line(-inf, None)
            for action in node.actions():
                value = self.search(node.successor(action), plies - 1, best.value).value
                best = Line(value, action) if value > best.value else best
            return best
        total = 0
        for action, p in node.outcomes():
            total += p * self.search(node.successor(action), plies - 1, best_above).value
            if total < best_above:
                break
        return Line(total, None)
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
MEAN_AT_MAX = """
class ExpectimaxAgent(SearchAgent):
    assumes = Layer.CHANCE

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        values = {a: self.search(node.successor(a), plies - 1).value for a in node.actions()}
        if node.layer is Layer.MAX:
            return Line(sum(values.values()) / len(values), max(values, key=values.get))
        return Line(sum(p * values[a] for a, p in node.outcomes()), None)
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
    ("ply-short?", MINIMAX, "q2", [("plies == 0", "plies == 1")]),
    ("ply-deep", MINIMAX, "q2", [("plies == 0", "plies < 0")]),
    ("two-plies-short", MINIMAX, "q2", [("self.look(node, plies)", "self.look(node, max(0, plies - 2))")]),
    ("plies-as-rounds?", MINIMAX, "q2", [("plies - 1", "plies - (child.layer is Layer.MAX)")]),
    (
        "ghosts-as-rounds?",
        MINIMAX,
        "q2",
        [("return self.look(node, plies)", "return self.look(node, plies // 2)"), (IN_MAX, IN_MAX.replace(" - 1", ""))],
    ),
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
    ("min-as-max", MINIMAX, "q2", [("return self.min_value", "return self.max_value")]),
    ("max-as-min", MINIMAX, "q2", [("return self.max_value", "return self.min_value")]),
    ("min-as-chance + no-action-at-min", CHANCE, "q5", [
                                     ("if node.layer is Layer.CHANCE", "if node.layer is not Layer.MAX"),
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
    ("equal-chances", CHANCE, "q4", [("chance * value", "value"),
                                     ("return total", "return total / len(node.actions())")]),
    ("mean-divided-again", CHANCE, "q4", [("return total", "return total / len(node.actions())")]),
    ("divided-by-others", CHANCE, "q4", [("def search(self, node, plies):",
                                          "def search(self, node, plies):\n        self.root = node\n"
                                          "        return self.look(node, plies)\n\n    def look(self, node, plies):"),
                                         ("self.search(", "self.look("), ("chance * value", "value"),
                                         ("return total", "return total / len(self.root.actions())")]),
    ("integer-division", CHANCE, "q4", [("return total", "return int(total)")]),
    ("last-of-ties", WINDOW, "q3", [("value > best", "value >= best")]),
    ("stop-dropped", MINIMAX, "q2", [("node.actions():", "[each for each in node.actions() if each != 'Stop']:")]),
    ("no-action", MINIMAX, "q2", [("best, choice = line.value, action", "best, choice = line")]),
    ("ends-searched", MINIMAX, "q2", [("if node.is_terminal:", "if False:")]),
    ("ends-worth-nothing", MINIMAX, "q2", [("if node.is_terminal:\n            return Line(self.evaluate(node), None)",
                                            "if node.is_terminal:\n            return Line(0, None)")]),
    ("root-evaluated", MINIMAX, "q2", [("return self.look(node, plies)", "self.root = node\n        "
                                        "return self.look(node, plies)"), ("evaluate(node)", "evaluate(self.root)")]),
    ("sign-by-mover", MINIMAX, "q2", [("self.evaluate(node)", "self.evaluate(node) * (1 if node.layer is Layer.MAX "
                                       "else -1)")]),
    ("finite-infinity", MINIMAX, "q2", [("inf, None", "99999, None")]),
    ("finite-infinity", WINDOW, "q3", [("inf", "100000")]),
    ("starts-at-zero", MINIMAX, "q2", [("best, choice = -inf", "best, choice = 0")]),
    ("no-cut", WINDOW, "q3", [("if best >= beta", "if False"), ("if best <= alpha", "if False")]),
    ("strict-cut", WINDOW, "q3", [("if best >= beta", "if best > beta"), ("if best <= alpha", "if best < alpha")]),
    ("no-cut-at-min", WINDOW, "q3", [("            alpha = max(alpha, best)\n", "")]),
    ("no-cut-at-max", WINDOW, "q3", [("            beta = min(beta, best)\n", "")]),
    ("own-bound-only", WINDOW, "q3", [("best, choice = -inf, None\n", "best, choice, alpha = -inf, None, -inf\n"),
                                      ("best, choice = inf, None\n", "best, choice, beta = inf, None, inf\n")]),
    ("window-swapped", WINDOW, "q3", [("plies - 1, alpha, beta", "plies - 1, beta, alpha")]),
    ("cuts-unasked", WINDOW, "q2 in order", [("AlphaBetaAgent", "MinimaxAgent")]),
    ("window-through-chance", PRUNED_CHANCE, "q5", []),
    ("made-before-cut", WINDOW, "q3", [(MADE, "for action, child in [(each, node.successor(each)) for each in "
                                        "node.actions()]:")]),
    ("made-twice", MINIMAX, "q2", [("self.look(child,", "self.look(node.successor(action),")]),
    ("searched-twice", CHANCE, "q4", [("total += chance * value",
                                       "total += chance * self.search(node.successor(action), plies - 1).value"),
                                      ("best, choice = value, action",
                                       "best, choice = value, action\n            "
                                       "self.search(node.successor(action), plies - 1)")]),
    ("node-overwritten?", MINIMAX, "q2", [("child = node.successor(action)", "child = node = node.successor(action)")]),
    # Searches of other forms.
    ("score-not-evaluation", MINIMAX, "q2", [("self.evaluate(node)", "node.score")]),
    ("chance-as-min", GHOST_BELOW_GHOST, "q5", []),
    ("min-as-max", THIRD_IN_A_ROW, "q2", []),
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
    ("action-of-last-loop", MINIMAX, "q2", [("return Line(best, choice)", "return Line(best, action)")]),
    ("last-value", MINIMAX, "q2", [("if line.value > best", "if True"), ("if line.value < best", "if True")]),
    ("max-moves-count", MINIMAX, "q2", [(IN_MIN, IN_MIN.replace("plies - 1", "plies"))]),
    ("wrong-value-at-chance", CHANCE, "q4", [
        ("self.search(node.successor(action), plies - 1).value\n            total",
         "self.evaluate(node.successor(action))\n            total")]),
    ("wrong-cut-test", WINDOW, "q3", [("best <= alpha", "best >= beta")]),
    ("by-plies-left", MINIMAX, "q2", [("if node.layer is Layer.MAX", "if plies % 2 == 0")]),
    ("no-cut", WINDOW, "q3", [("if best >= beta:", "if alpha >= beta:"), ("if best <= alpha:", "if alpha >= beta:"),
                              ("alpha = max(alpha, best)", "beta = min(beta, best)")]),
    ("chance-stops", LEAVES_CHANCE_EARLY, "q4", []),
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
    ("max-as-chance", MEAN_AT_MAX, "q4", []),
    ("discount", MINIMAX, "q2", [("line.value", "0.9 * line.value")]),
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
    "one method per layer": (MINIMAX, "q2"),
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
    "the mean in its own method": (CHANCE, "q4"),
    "all three layers": (CHANCE, "q5"),
    "values negated": (
        """
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
    "principal variation search": (
        """
class AlphaBetaAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies, alpha=-inf, beta=inf):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        best = None
        for action in node.actions():
            child = node.successor(action)
            is_max = node.layer is Layer.MAX
            if best is None:
                value = self.search(child, plies - 1, alpha, beta).value
            else:
                narrow = (alpha, nextafter(alpha, inf)) if is_max else (nextafter(beta, -inf), beta)
                value = self.search(child, plies - 1, *narrow).value
                if alpha < value < beta:
                    value = self.search(child, plies - 1, alpha, beta).value
            if best is None or (value > best.value if is_max else value < best.value):
                best = Line(value, action)
            if is_max:
                alpha = max(alpha, best.value)
            else:
                beta = min(beta, best.value)
            if alpha >= beta:
                break
        return best
""",
        "q3",
    ),
    "the best evaluation first": (
        changed(WINDOW, [(MADE, "order = [(node.successor(each), each) for each in node.actions()]\n"
                          "        order.sort(key=lambda each: self.evaluate(each[0]), reverse=node.layer is Layer.MAX)"
                          "\n        for child, action in order:")]),
        "q3",
    ),
    "deep copies": (
        changed(MINIMAX, [("= node.successor(action)", "= copy.deepcopy(node.successor(action))")]),
        "q2",
    ),
    "a plain tuple": (
        """
class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return self.evaluate(node), None
        pick = max if node.layer is Layer.MAX else min
        return pick(((self.search(node.successor(a), plies - 1)[0], a) for a in node.actions()), key=lambda t: t[0])
""",
        "q2",
    ),
}  # fmt: skip
"""Right searches, by their style of writing, with the question. Some generate other nodes than the question asks."""
