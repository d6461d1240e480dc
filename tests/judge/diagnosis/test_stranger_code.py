"""Faults in styles that nobody put in a list: each one is named by what its run shows, at the right line."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from autograder.report.blocks import code_lines, numbered_code
from tests.judge.diagnosed import CLASSIC, QUESTIONS, diagnosed_text
from tests.judge.diagnosis.agents import MINIMAX, written
from tests.paths import ROOT, SOLUTIONS

HEAD = """
from functools import partial
from math import inf

from agents.base import SearchAgent
from pacman import Layer, Line


class Agent(SearchAgent):
"""
START = """
    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)"""
"""What most of these searches begin with."""
STORED_BY_ACTION = """
    def search(self, node, plies):
        self.known = {}
        return self.look(node, plies)

    def look(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        values = {action: self.after(node, action, plies) for action in node.actions()}
        if node.layer is Layer.CHANCE:
            return Line(sum(p * values[action] for action, p in node.outcomes()), None)  # HERE
        choose = max if node.layer is Layer.MAX else min
        best = choose(values, key=values.get)
        return Line(values[best], best)

    def after(self, node, action, plies):
        key = action, plies
        if key not in self.known or node.layer is not Layer.CHANCE:
            self.known[key] = self.look(node.successor(action), plies - 1).value
        return self.known[key]
"""
LATE = """
        later = {a: (lambda: self.search(node.successor(a), plies - 1).value) for a in node.actions()}  # HERE
        values = {action: value() for action, value in later.items()}
        best = (max if node.layer is Layer.MAX else min)(values, key=values.get)
        return Line(values[best], best)
"""
NUMBER_AT_A_LEAF = """
    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return self.evaluate(node)
        best = Line(-inf if node.layer is Layer.MAX else inf, None)
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1)
            if (value > best.value) if node.layer is Layer.MAX else (value < best.value):
                best = Line(value, action)
        return best  # HERE
"""
NO_ACTION = """
        values = (self.search(node.successor(action), plies - 1).value for action in node.actions())
        best = max(values) if node.layer is Layer.MAX else min(values)
        for action, value in zip(node.actions(), values):
            if value == best:
                return Line(best, action)
        return Line(best, None)  # HERE
"""
LEAF_OF_NEGAMAX = """
    def search(self, node, plies):
        value, action = self.nega(node, plies)
        return Line(value if node.layer is Layer.MAX else -value, action)

    def nega(self, node, plies):
        if plies == 0 or node.is_terminal:
            return self.evaluate(node), None  # HERE
        best, choice = -inf, None
        for action in node.actions():
            child = node.successor(action)
            value, _ = self.nega(child, plies - 1)
            if child.layer is not node.layer:
                value = -value
            if value > best:
                best, choice = value, action
        return best, choice
"""
NO_MINUS = LEAF_OF_NEGAMAX.replace("# HERE", "").replace("return self", "side = 1 if node.layer is Layer.MAX else -1\n"
    "            return side * self").replace("                value = -value", "                pass").replace(
    "choice\n", "choice  # HERE\n")  # fmt: skip
CUTS_LATE_WITH_OWN_INFINITY = """
    def search(self, node, plies, alpha=-99999, beta=99999):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        best, choice = (-99999 if node.layer is Layer.MAX else 99999), None
        for action in node.actions():
            child = node.successor(action)  # HERE
            if (best >= beta) if node.layer is Layer.MAX else (best <= alpha):
                break
            value = self.search(child, plies - 1, alpha, beta).value
            if (value > best) if node.layer is Layer.MAX else (value < best):
                best, choice = value, action
            if node.layer is Layer.MAX:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
        return Line(best, choice)
"""
TWO_PLIES_AT_ONCE = """
        if node.layer is Layer.CHANCE:
            return Line(sum(p * self.search(node.successor(a), plies - 1).value for a, p in node.outcomes()), None)
        values, mean = {}, 0
        for action in node.actions():
            child = node.successor(action)
            if child.layer is Layer.CHANCE and plies > 1 and not child.is_terminal:
                for reply, p in child.outcomes():
                    mean += p * self.search(child.successor(reply), plies - 2).value
                values[action] = mean
            else:
                values[action] = self.search(child, plies - 1).value
        best = (max if node.layer is Layer.MAX else min)(values, key=values.get)
        return Line(values[best], best)
"""
NOT_THE_SUCCESSOR = """
        best = None
        for action in node.actions():
            child = node.successor(action)
            value = self.search(node, plies - 1).value  # HERE
            if best is None or (value > best.value if node.layer is Layer.MAX else value < best.value):
                best = Line(value, action)
        return best
"""
ENDS_ONE_EARLY = """
        if node.layer is Layer.MIN:
            return self.lowest(node, plies, len(node.actions()), Line(inf, None))
        lines = [Line(self.search(node.successor(a), plies - 1).value, a) for a in node.actions()]
        return max(lines, key=lambda line: line.value)

    def lowest(self, node, plies, left, best):
        if left == 1:
            return best  # HERE
        action = node.actions()[-left]
        value = self.search(node.successor(action), plies - 1).value
        return self.lowest(node, plies, left - 1, Line(value, action) if value < best.value else best)
"""


def file_of(question: str, code: str) -> str:
    """A file with a search, as the part that a question grades."""
    head = dedent(HEAD).replace("Agent(", f"{QUESTIONS[question].part}(", 1)
    return head + (code if "def search(" in code else START + code)


def test_a_search_of_two_plies_at_once_is_not_accused_of_leaving_successors_out(tmp_path: Path) -> None:
    text = file_of("q4", TWO_PLIES_AT_ONCE)
    found = diagnosed_text(tmp_path, text, QUESTIONS["q4"])
    assert found is not None
    assert found.smallest is not None
    assert found.step is None


PARENT_EVALUATED = """
    def search(self, node, plies):
        if node.is_terminal or plies == 0:
            return Line(self.evaluate(node), None)
        best = None
        for action in node.actions():
            child = node.successor(action)
            value = self.evaluate(node) if plies == 1 else self.search(child, plies - 1).value  # HERE
            if best is None or (value > best.value if node.layer is Layer.MAX else value < best.value):
                best = Line(value, action)
        return best
"""
ACTION_OVERWRITTEN = """
    chosen = None

    def search(self, node, plies):
        return Line(self.worth(node, plies), self.chosen)

    def worth(self, node, plies):
        if node.is_terminal or plies == 0:
            return self.evaluate(node)
        if node.layer is Layer.MIN:
            return min(self.worth(node.successor(action), plies - 1) for action in node.actions())
        best = -inf
        for action in node.actions():
            value = self.worth(node.successor(action), plies - 1)
            if value > best:
                best, self.chosen = value, action
        return best  # HERE
"""
ONLY_THE_EVALUATION_GETS_THE_NODE = """
    def search(self, node, plies):
        pairs = [(self.worth([node.successor(action)], plies - 1), action) for action in node.actions()]
        return Line(*(max if node.layer is Layer.MAX else min)(pairs, key=lambda pair: pair[0]))

    def worth(self, boxed, plies):
        if boxed[0].is_terminal or plies <= 1:
            return self.score_of(boxed[0])  # HERE
        values = [self.worth([boxed[0].successor(action)], plies - 1) for action in boxed[0].actions()]
        return (max if boxed[0].layer is Layer.MAX else min)(values)

    def score_of(self, node):
        return self.evaluate(node)
"""

EQUAL_VALUES_ONCE = """
        values = {action: self.search(node.successor(action), plies - 1).value for action in node.actions()}
        if node.layer is Layer.CHANCE:
            return Line(self.mean({values[action]: chance for action, chance in node.outcomes()}), None)
        best = (max if node.layer is Layer.MAX else min)(values, key=values.get)
        return Line(values[best], best)

    def mean(self, chances):
        return sum(value * chance for value, chance in chances.items())
"""
EQUAL_VALUES_ONCE = EQUAL_VALUES_ONCE.replace("node.outcomes()}), None)", "node.outcomes()}), None)  # HERE")
MEAN_OF_A_SET = EQUAL_VALUES_ONCE.replace(
    "return sum(value * chance for value, chance in chances.items())", "return sum(chances) / len(chances)"
)
MOST_LIKELY_OUTCOME = """
        if node.layer is Layer.CHANCE:
            action, _ = max(node.outcomes(), key=lambda outcome: outcome[1])
            return Line(self.search(node.successor(action), plies - 1).value, None)  # HERE
        return max((Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()))
"""
STORED_AT_A_LEAF = """
    def search(self, node, plies):
        return self.look(node, plies, None, {})

    def look(self, node, plies, last, known):
        key = plies, last
        if key not in known:
            known[key] = self.worth(node, plies, known)
        return known[key]  # HERE

    def worth(self, node, plies, known):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [(self.look(node.successor(a), plies - 1, a, known).value, a) for a in node.actions()]
        return Line(*(max if node.layer is Layer.MAX else min)(lines, key=lambda pair: pair[0]))
"""


HELPER = """
        return (self.on_max if node.layer is Layer.MAX else self.on_min)(node, plies)

    def on_max(self, node, plies):
        return max(self.lines(node, plies - 1), key=lambda line: line.value)

    def on_min(self, node, plies):
        return min(self.lines(node, max(0, plies - 2)), key=lambda line: line.value)  # HERE

    def lines(self, node, plies):
        return [Line(self.search(node.successor(action), plies).value, action) for action in node.actions()]
"""
SWAPPED_BOUNDS = """
        return self.look(node, plies, -inf, inf)

    def look(self, node, plies, alpha, beta):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        best = Line(-inf if node.layer is Layer.MAX else inf, None)
        for action in node.actions():
            bounds = (alpha, beta) if node.layer is Layer.MAX else (beta, alpha)
            value = self.look(node.successor(action), plies - 1, *bounds).value  # HERE
            if value > best.value if node.layer is Layer.MAX else value < best.value:
                best = Line(value, action)
            if value >= beta if node.layer is Layer.MAX else value <= alpha:
                return best
            alpha, beta = (max(alpha, value), beta) if node.layer is Layer.MAX else (alpha, min(beta, value))
        return best
"""
OWN_BOUND = """
    def search(self, node, plies, alpha=-inf, beta=inf):
        best = None
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1, alpha, beta).value
            if node.layer is Layer.MAX and value > alpha:
                alpha, best = value, action
            if node.layer is Layer.MIN and value < beta:
                beta, best = value, action
            if value < alpha:
                break
        return Line(alpha if node.layer is Layer.MAX else beta, best)  # HERE
"""
RIGHT_HELPER = """
    def search(self, node, plies):
        value = self.value(node, plies)
        return Line(value, node.actions()[-1] if plies and node.actions() else None)  # HERE

    def value(self, node, plies):
        if plies == 0 or node.is_terminal:
            return self.evaluate(node)
        values = [self.value(node.successor(action), plies - 1) for action in node.actions()]
        return max(values) if node.layer is Layer.MAX else min(values)
"""
ASKED_AGAIN = RIGHT_HELPER.replace(
    "node.actions()[-1] if plies and node.actions() else None)",
    "max(node.actions(), key=lambda a: self.value(node.successor(a), max(0, plies - 2))))",
).replace("value = ", "value = self.evaluate(node) if plies == 0 or node.is_terminal else ")
BEST_OF_ALL_DEPTHS = """
    def search(self, node, plies):
        return Line(max(self.value(node, depth) for depth in range(plies + 1)), node.actions()[0])  # HERE
""" + RIGHT_HELPER[RIGHT_HELPER.index("\n    def value"):]  # fmt: skip
COUNTS_TWICE = """
    def search(self, node, plies):
        return self.look(node, plies - 1)  # HERE

    def look(self, node, left):
        if node.is_terminal or left == 0:
            return Line(self.evaluate(node), None)
        lines = [Line(self.look(node.successor(a), left - 1).value, a) for a in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)
"""
DEEPENS_TOO_LITTLE = COUNTS_TWICE.replace(
    "return self.look(node, plies - 1)", "return [self.look(node, depth) for depth in range(max(1, plies))][-1]"
)

NO_SUCCESSOR = """
    def search(self, node, plies):
        values = {action: self.worth(node.successor(action), plies - 1, -inf, inf) for action in node.actions()}
        best = (max if node.layer is Layer.MAX else min)(values, key=values.get)
        return Line(values[best], best)

    def worth(self, node, left, alpha, beta):
        if node.is_terminal or left == 0:
            return self.evaluate(node)
        if node.layer is Layer.MAX:
            for action in node.actions():
                alpha = alpha
            return alpha  # HERE
        for action in node.actions():
            beta = min(beta, self.worth(node.successor(action), left - 1, alpha, beta))
            if alpha >= beta:
                return alpha
        return beta
"""


@pytest.mark.slow("that grade or diagnose wrong searches", keep=6)
@pytest.mark.parametrize(
    ("question", "code", "name", "says"),
    [
        ("q2", COUNTS_TWICE, "wrong-plies-passed", "a wrong number for left at a MAX node"),
        ("q2", DEEPENS_TOO_LITTLE, "wrong-plies-passed", "a wrong number for left at a MAX node"),
        ("q2", RIGHT_HELPER, "wrong-action", "does not return the action with the best value"),
        ("q2", ASKED_AGAIN, "wrong-action", "does not return the action with the best value"),
        ("q2", HELPER, "wrong-plies-passed", "at a MIN node"),
        ("q2", BEST_OF_ALL_DEPTHS, "", "returns a value that is not the"),
        ("q3", SWAPPED_BOUNDS, "wrong-window", "at a MIN node"),
        ("q2", OWN_BOUND, "children-left-out", "leaves out successors"),
        ("q3", NO_SUCCESSOR, "children-left-out", "leaves out successors of MAX nodes"),
        ("q4", STORED_BY_ACTION, "wrong-stored-value", "the value of another node for a successor"),
        ("q2", LATE, "same-successor", "makes the same successor"),
        ("q2", NUMBER_AT_A_LEAF, "", "returns a pair or a Line for a MAX node, where it returns a number elsewhere"),
        ("q2", NO_ACTION, "wrong-action", "does not return the action with the best value"),
        ("q2", LEAF_OF_NEGAMAX, "wrong-value-at-leaf", "returns the evaluation as it is, and its other values for"),
        ("q2", NO_MINUS, "wrong-value-at-min", "takes the values of its successors as they are"),
        ("q4", EQUAL_VALUES_ONCE, "wrong-value-at-chance", "counts values that are equal only once"),
        ("q4", MEAN_OF_A_SET, "wrong-value-at-chance", "the plain mean of the different values"),
        ("q4", MOST_LIKELY_OUTCOME, "children-left-out", "leaves out successors"),
        ("q2", STORED_AT_A_LEAF, "wrong-value-at-leaf", "does not return the evaluation"),
        ("q2", ENDS_ONE_EARLY, "", ""),
        ("q2", NOT_THE_SUCCESSOR, "searches-the-same-node", "and then searches the node itself again"),
        ("q2", PARENT_EVALUATED, "evaluates-the-node-above", "in place of its successors"),
        ("q2", ACTION_OVERWRITTEN, "wrong-action", "does not return the action with the best value"),
        ("q2", ONLY_THE_EVALUATION_GETS_THE_NODE, "stops-too-early", "evaluates a M"),
        ("q3", CUTS_LATE_WITH_OWN_INFINITY, "cuts-too-late", "whose window is closed"),
    ],
)
def test_the_first_step_is_named_at_its_line(tmp_path: Path, question: str, code: str, name: str, says: str) -> None:
    text = file_of(question, code)
    found = diagnosed_text(tmp_path, text, QUESTIONS[question])
    assert found is not None
    assert found.step is not None
    assert "# HERE" in text.splitlines()[found.step.line - 1]
    assert says in found.sentences[0]
    assert not name or found.mistakes[0] == name
    assert ("and did not evaluate this node" in found.step.words) == (code == STORED_AT_A_LEAF)
    if code == ASKED_AGAIN:  # the drawing has the values of the nodes, not what the code read of them later
        assert found.smallest is not None
        assert all(row.got == row.expected for row in found.smallest.rows)


@pytest.mark.parametrize(
    ("code", "says"),
    [("-inf, 99)", "begins with beta = 99; but values can be larger (line 36)"),
     ("-99, inf)", "begins with alpha = -99; but values can be smaller (line 36)")],
)  # fmt: skip
def test_a_search_that_begins_with_a_small_window_hears_of_its_start(tmp_path: Path, code: str, says: str) -> None:
    text = SOLUTIONS.read_text(encoding="utf-8").replace("plies, -inf, inf)", f"plies, {code}")
    found = diagnosed_text(tmp_path, text, QUESTIONS["q3"])
    assert found is not None
    assert says in found.sentences[0]


BERKELEY = """
from game import Agent

class AlphaBetaAgent(Agent):
    def __init__(self, depth="2"):
        self.index, self.depth = 0, int(depth)

    def evaluationFunction(self, state):
        return state.getScore()

    def getAction(self, state):
        best, choice, alpha = -INF, None, -INF
        for action in state.getLegalActions(0):
            value = self.value(state.generateSuccessor(0, action), 1, self.depth, alpha, INF)
            if value > best:
                best, choice = value, action
            alpha = max(alpha, best)
        return choice

    def value(self, state, agent, depth, alpha, beta):
        if agent == state.getNumAgents():
            agent, depth = 0, depth - 1
        if state.isWin() or state.isLose() or depth == 0:
            return self.evaluationFunction(state)
        best = -float("inf") if agent == 0 else float("inf")
        for action in state.getLegalActions(agent):
            value = self.value(state.generateSuccessor(agent, action), agent + 1, depth, alpha, beta)
            best = max(best, value) if agent == 0 else min(best, value)
            if best > beta if agent == 0 else best < alpha:
                break
            if agent == 0:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
        return best
"""
ON_SELF = ((", alpha, INF)", ")"), (", alpha, beta", ""), ("alpha", "self.alpha"), ("beta", "self.beta"),
    ("None, -INF", "None, -INF; self.beta = INF"))  # fmt: skip


@pytest.mark.slow("that grade or diagnose wrong searches", keep=1)
@pytest.mark.parametrize(
    ("edits", "infinity", "says", "hint"),
    [
        ((), "999", "At MIN nodes, your search cuts at alpha = -999, with which it begins", "Which start value"),
        ((("choice, alpha = -INF, None, -INF", "choice, alpha = -999, None, -INF"),), "float('inf')",
         "passes on alpha = -999 at a MAX node, where all values so far are smaller", "Which start value"),
        (((" or state.isLose()", ""),), "float('inf')", "Where a game ends early with a value below 0", "`isLose()`"),
        (ON_SELF, "float('inf')", "whose window is still open", "what one call changes on `self`"),
        (((", 1, self.depth", ", 0, self.depth"),), "float('inf')", "lets Pacman move twice in a row (line 14)",
         "Which agent moves after Pacman?"),
        ((("if agent == state", "if agent > state"),), "float('inf')", "agent move that does not exist (line 27)",
         "Which test finds out that the last ghost has moved?"),
    ],
    ids=["window", "start value", "lost games", "on self", "agent 0", "agent 2 of 0 and 1"],
)  # fmt: skip
def test_a_berkeley_style_file_hears_of_its_bounds_and_of_lost_games(
    tmp_path: Path, edits: tuple[tuple[str, str], ...], infinity: str, says: str, hint: str
) -> None:
    text = BERKELEY
    for old, new in edits:
        text = text.replace(old, new)
    found = diagnosed_text(tmp_path, text.replace("INF", infinity), CLASSIC["q3"], "cs188")
    assert found is not None
    assert says in found.sentences[0]
    assert hint in found.hint


def test_the_agent_says_the_sign_of_a_leaf_of_a_negamax(tmp_path: Path) -> None:
    """A leaf of a drawn tree has no layer, and in Berkeley's form a ghost moves there: its right value is negative."""
    text = (ROOT / "tests/submissions/classic/negamax.py").read_text(encoding="utf-8")
    part = text.index("class AlphaBetaAgent")
    text = text[:part] + text[part:].replace(
        "state.getLegalActions(agent):", "list(state.getLegalActions(agent))[:2]:", 1
    )
    found = diagnosed_text(tmp_path, text, CLASSIC["q3"], "cs188")
    assert found is not None
    assert "leaves out successors of a MIN node whose window is still open" in found.sentences[0]


ROUNDS = """
from game import Agent

class MinimaxAgent(Agent):
    def __init__(self, depth="2"):
        self.depth = int(depth)

    def evaluationFunction(self, state):
        return state.getScore()

    def getAction(self, state):
        return max(state.getLegalActions(0), key=lambda a: self.value(state.generateSuccessor(0, a), 1, 0))

    def value(self, state, agent, depth):
        if state.isWin() or state.isLose() or depth == self.depth:
            return self.evaluationFunction(state)
        after = (agent + 1) % state.getNumAgents()
        values = [self.value(state.generateSuccessor(agent, a), after, depth + (after == 0))
                  for a in state.getLegalActions(agent)]
        return max(values) if agent == 0 else min(values)
"""


@pytest.mark.parametrize(
    ("old", "new", "says", "line"),
    [
        ("1, 0)", "1, 1)", "passes on a wrong number for depth at a MAX node", 12),
        ("depth + (after == 0)", "depth + (agent > 0)", "passes on a wrong number for depth at a MIN node", 18),
        ("depth + (after == 0)", "depth + 1", "evaluates a MIN node with 1 ply left", 16),
        ("depth + (after == 0)", "depth + (agent == 0)", "goes on with no plies left at MAX nodes", 18),
    ],
    ids=["begins wrong", "counts each ghost", "either could be meant", "counts too early"],
)
def test_a_wrong_number_of_rounds_is_named_at_the_call_that_gives_it_if_that_is_sure(
    tmp_path: Path, old: str, new: str, says: str, line: int
) -> None:
    found = diagnosed_text(tmp_path, ROUNDS.replace(old, new), CLASSIC["q2"], "cs188")
    assert found is not None
    assert (says in found.sentences[0], found.step and found.step.line) == (True, line)


ONE_GHOST = """
from game import Agent

class MinimaxAgent(Agent):
    def __init__(self, depth="2"):
        self.depth = int(depth)

    def evaluationFunction(self, state):
        return state.getScore()

    def getAction(self, state):
        actions = state.getLegalActions(0)
        return max(actions, key=lambda action: self.lowest(state.generateSuccessor(0, action), 0))

    def highest(self, state, depth):
        if state.isWin() or state.isLose() or depth == self.depth:
            return self.evaluationFunction(state)
        return max(self.lowest(state.generateSuccessor(0, a), depth) for a in state.getLegalActions(0))

    def lowest(self, state, depth):
        if state.isWin() or state.isLose():
            return self.evaluationFunction(state)
        return min(self.highest(state.generateSuccessor(1, a), depth + 1) for a in state.getLegalActions(1))
"""


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_a_file_for_one_ghost_hears_that_a_function_of_max_runs_for_the_second(tmp_path: Path) -> None:
    found = diagnosed_text(tmp_path, ONE_GHOST, CLASSIC["q2"], "cs188")
    assert found is not None
    assert found.sentences == (
        "Your search runs highest, a function of its MAX nodes, at a MIN node of ghost 2 (line 23).",
    )
    assert "more than one ghost" in found.hint
    text = ONE_GHOST.replace(
        "self.lowest(state.generateSuccessor(0, action)", "self.highest(state.generateSuccessor(0, action)"
    )
    found = diagnosed_text(tmp_path, text, CLASSIC["q2"], "cs188")
    assert found is not None
    assert found.sentences == ("Your search lets Pacman move twice in a row (line 13).",)
    above = "self.evaluationFunction(s) if depth == self.depth else self.highest(s, depth)"
    text = ONE_GHOST.replace("action), 0))", "action), 1))").replace(" or depth == self.depth:", ":")
    text = text.replace("generateSuccessor(0, a), depth)", "generateSuccessor(0, a), depth + 1)")
    below = "self.highest(state.generateSuccessor(1, a), depth + 1) for a in state.getLegalActions(1)"
    successors = "(state.generateSuccessor(1, a) for a in state.getLegalActions(1))"
    text = text.replace(below, f"{above} for s in {successors}")
    found = diagnosed_text(tmp_path, text, CLASSIC["q2"], "cs188")
    assert found is not None
    assert "evaluationFunction" not in found.sentences[0]


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_the_table_has_no_variables_of_a_library(tmp_path: Path) -> None:
    text = MOST_LIKELY_OUTCOME.replace(
        "action, _ = max(node.outcomes(), key=lambda outcome: outcome[1])", "import statistics"
    )
    text = text.replace("self.search(node.successor(action), plies - 1).value, None", "statistics.mean(self.search("
                        "node.successor(action), plies - 1).value for action in node.actions()), None", 1)  # fmt: skip
    found = diagnosed_text(tmp_path, file_of("q4", text), QUESTIONS["q4"])
    assert found is not None
    assert found.step is not None
    assert (found.mistakes, found.step.columns) == (("equal-chances",), ("successor", "its value"))


LAST_OF_EQUALS_AT_MAX = """
    def search(self, node, plies, alpha=-inf, beta=inf):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        choice = None
        if node.layer is Layer.MAX:
            best = -inf
            for action in node.actions():
                value = self.search(node.successor(action), plies - 1, alpha, beta).value  # SHOWN
                if value >= best:
                    best, choice = value, action
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        else:
            best = inf
            for action in node.actions():
                value = self.search(node.successor(action), plies - 1, alpha, beta).value
                if value < best:
                    best, choice = value, action
                beta = min(beta, best)
                if alpha >= beta:
                    break
        return Line(best, choice)  # SHOWN
"""


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_the_loop_that_ran_is_shown_and_not_the_branch_above_the_return(tmp_path: Path) -> None:
    text = file_of("q3", LAST_OF_EQUALS_AT_MAX)
    found = diagnosed_text(tmp_path, text, QUESTIONS["q3"])
    assert found is not None
    assert found.step is not None
    marks = [number for number, code in enumerate(text.splitlines(), 1) if "# SHOWN" in code]
    assert {*marks} <= {number for number, _ in found.step.code}
    assert "..." in [number for number, _ in numbered_code(found.step)]
    assert len(code_lines(found.step)) <= 11


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_the_table_has_the_variables_of_one_call(tmp_path: Path) -> None:
    """Here `plies` is another number in the function around that one."""
    text = written(MINIMAX, [("self.look(node, plies)", "self.look(node, max(1, plies - 1))")])
    found = diagnosed_text(tmp_path, text, QUESTIONS["q2"])
    assert found is not None
    assert found.step is not None
    assert found.step.columns[:2] == ("successor", "its value")
    assert "then plies" not in found.step.columns


CALLS_THE_OTHER = """
        if node.layer is Layer.MAX:
            return max((Line(self.search(node.successor(a), plies - 1).value, a) for a in node.actions()))
        return Line(self.mean(node, plies), None)

    def mean(self, node, plies):
        total = 0
        for action, chance in node.outcomes():
            child = node.successor(action)
            if child.layer is Layer.CHANCE and plies > 1 and not child.is_terminal:
                total += chance * self.lowest(child, plies - 1)  # THE CALL
            else:
                total += chance * self.search(child, plies - 1).value
        return total

    def lowest(self, node, plies):
        return min(self.search(node.successor(action), plies - 1).value for action in node.actions())
"""


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_a_function_for_the_wrong_layer_is_shown_with_the_line_that_called_it(tmp_path: Path) -> None:
    text = file_of("q4", CALLS_THE_OTHER)
    found = diagnosed_text(tmp_path, text, QUESTIONS["q4"])
    assert found is not None
    assert found.step is not None
    line = next(number for number, code in enumerate(text.splitlines(), 1) if "# THE CALL" in code)
    assert found.step.words.endswith(f"For this node, mean called lowest (line {line}).")
