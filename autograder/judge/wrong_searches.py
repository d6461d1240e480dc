"""The right search as text, and each known mistake as an edit of it. Pure.

A row of `WRONG_SEARCHES` is a mistake: a name, a sentence, a hint, and the edits that make it. `run` runs the text of a
search on a tree. The practice page, `new-case --distinguish` and the class board read the rows. The diagnosis does not:
it watches the student's own search.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from math import floor, inf
from types import CodeType
from typing import Any, NamedTuple

from autograder.student_process.tree_questions import LimitedTrace
from pacman.core.tree import Layer, Node
from pacman.record.trace import CountedNode, Trace

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE
RIGHT = """\
def search(node, plies, alpha=-inf, beta=inf):
    if plies <= 0:
        return evaluate(node), None
    if node.is_terminal:
        return evaluate(node), None
    if node.layer is MAX:
        return max_value(node, plies, alpha, beta)
    if node.layer is MIN:
        return min_value(node, plies, alpha, beta)
    return mean_value(node, plies, alpha, beta)


def max_value(node, plies, alpha, beta):
    best, choice = -inf, None
    for action in node.actions():
        child = node.successor(action)
        value, below = search(child, plies - 1, alpha, beta)
        if value > best or choice is None and value == best:
            best, choice = value, action
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best, choice


def min_value(node, plies, alpha, beta):
    best, choice = inf, None
    for action in node.actions():
        child = node.successor(action)
        value, below = search(child, plies - 1, alpha, beta)
        if value < best or choice is None and value == best:
            best, choice = value, action
        beta = min(beta, value)
        if alpha >= beta:
            break
    return best, choice


def mean_value(node, plies, alpha, beta):
    total = 0.0
    for action, chance in node.outcomes():
        child = node.successor(action)
        value, below = search(child, plies - 1)
        total += chance * value
    return total, None


def evaluate(node):
    return node.score
"""
"""The right search of the value and the action of a node, with cuts at alpha == beta.

It may also use `ROOT`, the root of the tree, `PLIES`, the plies to search there, and `ROUND`, the plies in a round.
"""
AT_END = "    if node.is_terminal:\n        return evaluate(node), None\n"
CUT = "        if alpha >= beta:\n            break\n"
Window = tuple[float, float]
OPEN: Window = (-inf, inf)
"""The window that contains every value."""
Edit = tuple[str, str, str]
"""The names of functions, a text in each of them, and the text in its place."""
BOTH, GHOST_NODES = "max_value min_value", "min_value mean_value"
ANY_CUTS, WITH_CUTS, EQUAL, STRICT = ("", "equal", "strict"), ("equal", "strict"), ("equal",), ("strict",)


class WrongSearch(NamedTuple):
    """One way in which a search may be wrong: what the grader says about it, and the `edits` that make it.

    Rows with the same `name` count as one mistake. It can happen in parts that have all of `layers`, and whose rule for
    cuts is one of `cuts`: "equal" if alpha == beta cuts, "strict" if not, and "" if nothing cuts.
    """

    name: str
    sentence: str
    hint: str
    edits: tuple[Edit, ...]
    layers: tuple[Layer, ...] = ()
    cuts: tuple[str, ...] = ANY_CUTS

    def can_happen(self, layers: Collection[Layer], cuts: str) -> bool:
        """True if parts with these layers and this rule for cuts can have the mistake."""
        return set(self.layers) <= set(layers) and cuts in self.cuts


@lru_cache(1_000)
def text_of(edits: tuple[Edit, ...], cuts: str) -> str:
    """The text of a search with these edits, in a part whose rule for cuts is `cuts`. ValueError for an idle edit."""
    functions = {each.split("(")[0]: f"def {each}" for each in RIGHT.split("def ")[1:]}
    for names, old, new in edits:
        for name in names.split():
            if old not in functions[name]:
                raise ValueError(f"{name} does not contain {old!r}")
            functions[name] = functions[name].replace(old, new)
    text = "".join(functions.values())
    if not cuts:
        return re.sub(r"        if alpha >= beta:\n.*\n", "", text)
    return text if cuts == "equal" else text.replace("alpha >= beta:", "alpha > beta:")


class Result(NamedTuple):
    """What a search returns, and the trace of the nodes that it generated.

    `windows` has the window with which it first entered each node, and `values` the value with which it last left each,
    by the numbers of the trace. `error` is the name of the exception that the search raises; empty if it returns.
    """

    value: float
    action: str | None
    trace: Trace
    windows: Mapping[int, Window]
    values: Mapping[int, float]
    error: str = ""


@lru_cache(1_000)
def _compiled(text: str) -> CodeType:
    return compile(text, "wrong_searches.RIGHT", "exec", dont_inherit=True)


def run(text: str, root: Node, plies: int, window: Window = OPEN, most: int = 2_000) -> Result:
    """Runs the search that a text defines. TooManySuccessors above `most` generated successors."""
    trace, windows, values = LimitedTrace(most), dict[int, Window](), dict[int, float]()
    counted = CountedNode(root, trace)
    names: dict[str, Any] = {"inf": inf, "floor": floor, "MAX": MAX, "MIN": MIN, "CHANCE": CHANCE}
    names |= {"ROOT": counted, "PLIES": plies, "ROUND": plies_of_round(root) if "ROUND" in text else 0}
    exec(_compiled(text), names)
    written = names["search"]

    def search(node: CountedNode, left: int, alpha: float = -inf, beta: float = inf) -> tuple[float, str | None]:
        windows.setdefault(node.number, (alpha, beta))
        value, action = written(node, left, alpha, beta)
        values[node.number] = value
        return value, action

    names["search"] = search
    try:
        value, action = search(counted, plies, *window)
    except (ValueError, TypeError, ArithmeticError, IndexError, RecursionError) as error:
        return Result(0.0, None, trace, windows, values, type(error).__name__)
    return Result(value, action, trace, windows, values)


def plies_of_round(root: Any) -> int:
    """The number of plies in a round: the layers of a position; in a tree, the plies until MAX moves again."""
    if hasattr(root, "layers"):
        return len(root.layers)
    row, length = [root], 0
    while row := [node.successor(action) for node in row for action in node.actions()]:
        length += 1
        if any(node.layer is MAX and not node.is_terminal for node in row):
            return length
    return max(1, length)


def _of_all(function: str, result: str) -> tuple[Edit, ...]:
    """The edits after which a function computes its `result` from all children, whose values are exact."""
    return (
        (function, "inf, None\n", "inf, None\n    values = []\n"),
        (function, "plies - 1, alpha, beta)\n", "plies - 1)\n        values.append(value)\n"),
        (function, CUT, ""),
        (function, "return best, choice", f"return {result}, choice"),
    )


MEAN, NEGATIVES = "sum(1 / len(values) * each for each in values)", "max(-each for each in values)"
FIRST_CHILD = "takes the value of the first child"
SIGNS = "changes the sign of its children's values and takes the largest"
AS_OTHER = "mean_value(node, plies, alpha, beta)"
OF_ONE_LAYER: tuple[tuple[str, Layer, str, tuple[Edit, ...]], ...] = (
    ("max-as-min", MAX, "takes the smallest value, as if Pacman wanted to lose",
        (("search", "max_value(", "min_value("),)),
    ("max-as-chance", MAX, "takes the mean of the values, as if Pacman moved at random", _of_all("max_value", MEAN)),
    ("wrong-value-at-max", MAX, FIRST_CHILD, _of_all("max_value", "values[0]")),
    ("wrong-value-at-max", MAX, SIGNS, _of_all("max_value", NEGATIVES)),
    ("min-as-max", MIN, "takes the largest value, as if the ghosts helped Pacman",
        (("search", "min_value(", "max_value("),)),
    ("min-as-chance", MIN, "takes the mean of the values, as if the ghosts moved at random",
        _of_all("min_value", MEAN)),
    ("wrong-value-at-min", MIN, FIRST_CHILD, _of_all("min_value", "values[0]")),
    ("wrong-value-at-min", MIN, SIGNS, _of_all("min_value", NEGATIVES)),
    ("chance-as-max", CHANCE, "takes the largest value, as if chance were on Pacman's side",
        (("search", AS_OTHER, "max_value(node, plies, alpha, beta)[0], None"),)),
    ("chance-as-min", CHANCE, "takes the smallest value, as if chance were an opponent",
        (("search", AS_OTHER, "min_value(node, plies, alpha, beta)[0], None"),)),
    ("equal-chances", CHANCE, "takes the plain mean of the values, without their probabilities",
        (("mean_value", "chance * value", "value"),
        ("mean_value", "return total", "return total / len(node.actions())"))),
    ("sum-for-mean", CHANCE, "takes the sum of the values", (("mean_value", "chance * value", "value"),)),
    ("mean-divided-again", CHANCE, "computes the mean and divides it by the number of children once more",
        (("mean_value", "return total", "return total / len(node.actions())"),)),
    ("divided-by-others", CHANCE, "divides the sum of the values by the number of actions at the root",
        (("mean_value", "chance * value", "value"),
        ("mean_value", "return total", "return total / len(ROOT.actions())"))),
    ("integer-division", CHANCE, "rounds the mean down to a whole number",
        (("mean_value", "return total", "return floor(total)"),)),
    ("wrong-value-at-chance", CHANCE, "takes the value of the most likely child",
        (("mean_value", "total = 0.0", "total, most = 0.0, 0.0"), ("mean_value", "total += chance * value",
        "if chance > most:\n            total, most = value, chance"))),
)  # fmt: skip
"""The mistakes in the value of one layer: name, layer, what the search does, and the edits."""
OR_INFINITE = " or choice is None and value == best"
LAYER_HINTS = {
    MAX: "At a MAX node Pacman chooses, and he wants the largest of the children's values. Which line of your code "
    "computes the value of a MAX node?",
    MIN: "At a MIN node an opponent of MAX chooses, and it wants the smallest of the children's values. Which line of "
    "your code runs at this MIN node?",
    CHANCE: "At a CHANCE node nobody chooses. The value is the sum of probability times value over `node.outcomes()`. "
    "Which line of your code runs at this CHANCE node?",
}
SHORT = (
    "Draw a tree of two plies. At every node, write how many plies are left. With how many plies left is a node "
    "evaluated? With how many plies left does your search still look at its successors?"
)
ROUND = "In one round every agent moves once. How many rounds has your search seen when every agent has moved once?"
GHOSTS = "With two ghosts a round has three plies. After the first ghost has moved, how much of the round is over?"
EARLY = "A game can end before all plies are used. What does your search do at a node where `is_terminal` is True?"
EVALUATE = "Which node do you pass to `evaluate`, and what do you do with the number that it returns?"
ZERO = "What if every action is worth less than 0? Which start value is worse than every real value?"
BEST = "After the loop, which variable holds the best value, and which one do you return?"
LOOP = (
    "Print the actions that your loop tries at one node, beside `node.actions()`. Does a `return`, a slice or a test "
    "for a cut end the loop early?"
)
SHOULD_CUT = (
    "MAX has 3 elsewhere, and here MIN can make sure that MAX gets at most 3. Can the rest of this node still change "
    "MAX's choice?"
)
SHOULD_NOT_CUT = "Read the question again: when does it allow a cut? What should happen when alpha and beta are equal?"
NO_CUT = (
    "Is the test for a cut missing, or is it never true because a bound never changes or never arrives? Print alpha "
    "and beta at the marked node."
)
BOUNDS = (
    "alpha is what MAX already has on the path to this node, beta is what MIN already has. Follow both from the root "
    "through two calls: who may change which one, and what does each call pass on?"
)
TIGHTER = "A bound may only become tighter. What does your line do when the new value is worse than the old bound?"
VALUE = "What do you know about the value of a node when you cut it off? Which number says that?"
STOP = "may stop when its value is too good for the opponent above. Which bound is the opponent's: alpha or beta?"
WRONG_SEARCHES = (
    WrongSearch("ply-short", "Your search stops one ply too early.", SHORT, (("search", "plies <= 0", "plies <= 1"),)),
    WrongSearch("ply-deep", "Your search goes one ply too deep.", SHORT, (("search", "plies <= 0", "plies < 0"),)),
    WrongSearch("round-deep", "Your search goes one whole round too deep.", ROUND,
        (("search", "plies <= 0", "plies <= -ROUND"),)),
    WrongSearch("ghosts-as-rounds", "Your search counts the move of every single ghost as a whole round.", GHOSTS,
        (("max_value", "plies - 1", "plies"), (GHOST_NODES, "plies - 1", "plies - ROUND"))),
    WrongSearch("no-horizon", "Your search has no horizon: it goes on until the game ends.", "What should your search "
        "return when no plies are left?", (("search", "plies <= 0", "False"),)),
    WrongSearch("ends-searched", "Your search expands terminal nodes, finds no successors there, and returns the value "
        "that it started from.", f"What does your loop over the actions do when there are no actions? {EARLY}",
        (("search", AT_END, ""),)),
    WrongSearch("ends-raised", "Your search expands terminal nodes and fails there, because they have no actions.",
        EARLY, (("search", AT_END, "    first, *others = node.actions()\n"),)),
    WrongSearch("ends-worth-nothing", "Your search evaluates nodes at the horizon only: a game that ends earlier gets "
        "the value 0.", "A win is worth something, even if it comes early. Where do you call `evaluate`?",
        (("search", "if node.is_terminal:\n        return evaluate(node)",
        "if node.is_terminal:\n        return 0.0"),)),
    WrongSearch("sign-changed", "Your search changes the sign of every evaluation.", EVALUATE,
        (("evaluate", "node.score", "-node.score"),)),
    *(WrongSearch(name, f"At {layer.name} nodes, your search {does}.", LAYER_HINTS[layer], edits, (layer,))
      for name, layer, does, edits in OF_ONE_LAYER),
    WrongSearch("by-turns", "Your search lets MAX and one opponent take turns, ply by ply, and does not ask the node "
        "who moves; so with two ghosts the second one takes the largest value.", "With two ghosts, who moves after the "
        "first ghost? Ask the node: `node.layer`.",
        (("search", "node.layer is MAX", "node.layer is not CHANCE and (PLIES - plies) % 2 == (ROOT.layer is not MAX)"),
        ("search", "is MIN:", "is not CHANCE:")), (MIN,)),
    WrongSearch("chance-and-min-exchanged", "Your search swaps MIN and CHANCE nodes.",
        "The node says who decides: `node.layer`. Which test in your code chooses between MIN and CHANCE?",
        (*_of_all("min_value", MEAN),
         ("mean_value", "total = 0.0", "total = inf"),
         ("mean_value", "total += chance * value", "total = min(total, value)")), (MIN, CHANCE), ("",)),
    WrongSearch("starts-at-zero", "At MAX nodes your search starts with 0 as its best value.", ZERO,
        (("max_value", "-inf, None", "0.0, None"), ("max_value", OR_INFINITE, ""))),
    WrongSearch("starts-at-zero", "At MIN nodes your search starts with 0 as its best value.", ZERO,
        (("min_value", "inf, None", "0.0, None"), ("min_value", OR_INFINITE, "")), (MIN,)),
    WrongSearch("finite-infinity", "Your search starts from about -99 at MAX nodes and from about 99 at MIN nodes "
        "instead of infinity; a real value can lie beyond that number.", "For every number that you choose, a real "
        "value can be larger. `math.inf` is larger than every value.",
        ((BOTH, "inf, None", "99.0, None"), (BOTH, OR_INFINITE, ""))),
    WrongSearch("last-of-ties", "Of equally good actions, your search takes the last one, not the first.", "A later "
        "action must be better, not only equally good. In alpha-beta, an action that was cut off can look equally "
        "good: what do you know about its value?",
        (("max_value", "value > best or choice is None and value == best", "value >= best"),
        ("min_value", "value < best or choice is None and value == best", "value <= best"))),
    WrongSearch("action-from-below", "Your search returns the action that its child would take, not its own action.",
        "The search of a child returns the child's own action. Which action leads from here to that child?",
        ((BOTH, "best, choice = value, action", "best, choice = value, below"),)),
    WrongSearch("action-of-last-loop", "The action is always the last one that your loop tried, not the best one.",
        "After the loop, what does the loop variable hold? Store the action at the moment when its value becomes the "
        "best.", ((BOTH, "return best, choice", "return best, action"),)),
    WrongSearch("first-action", "The action is always the first one, not the best one.", "Where do you store the "
        "action whose value is the best so far?", ((BOTH, "return best, choice", "return best, node.actions()[0]"),)),
    WrongSearch("last-value", "Your search returns the value of the last action that it tried, not the best value.",
        BEST, ((BOTH, "return best, choice", "return value, choice"),)),
    WrongSearch("compares-size", "Your search compares values without their signs.", "Which is better for MAX: -5 or "
        "3?",
        (("max_value", "value > best or choice is None and value == best", "choice is None or abs(value) > abs(best)"),
        ("min_value", "value < best or choice is None and value == best", "choice is None or abs(value) < abs(best)"))),
    WrongSearch("children-left-out", "Your search looks only at the first action of every node.", LOOP,
        ((BOTH, "node.actions()", "node.actions()[:1]"), ("mean_value", "node.outcomes()", "node.outcomes()[:1]"))),
    WrongSearch("made-twice", "Your search generates every successor twice.", "Store a successor in a variable and use "
        "the variable. How often does your loop call `successor`?",
        ((BOTH, "alpha, beta)\n", "alpha, beta)\n        node.successor(action)\n"),
        ("mean_value", "plies - 1)\n", "plies - 1)\n        node.successor(action)\n"))),
    WrongSearch("chance-stops", "Your search leaves a CHANCE node when its sum so far is not better than what MAX "
        "already has elsewhere.", "The outcomes that are missing can still change the sum. What would you have to know "
        "about them?",
        (("mean_value", "total += chance * value",
        "total += chance * value\n        if total <= alpha:\n            break"),), (CHANCE,)),
    WrongSearch("made-before-cut", "Your search generates all successors of a node before it looks at the first one, "
        "so a cut saves too little.", "A cut saves only the successors that do not exist yet. When does your loop "
        "generate the successor of the last action?",
        ((f"{BOTH} mean_value", "    for action",
        "    children = {each: node.successor(each) for each in node.actions()}\n    for action"),
        (f"{BOTH} mean_value", "child = node.successor(action)", "child = children[action]")), (), WITH_CUTS),
    WrongSearch("strict-cut", "Your search cuts only when alpha > beta; in this question it should also cut when alpha "
        "== beta.", SHOULD_CUT, ((BOTH, "alpha >= beta", "alpha > beta"),), (MIN,), EQUAL),
    WrongSearch("equal-cut", "Your search cuts when alpha == beta; in this question it should cut only when alpha > "
        "beta.", SHOULD_NOT_CUT, ((BOTH, "alpha >= beta", "beta <= alpha"),), (MIN,), STRICT),
    WrongSearch("no-cut", "Your search never cuts off a branch.", NO_CUT, ((BOTH, CUT, ""),), (MIN,), WITH_CUTS),
    WrongSearch("alpha-never-raised", "In your search MAX nodes never raise alpha, so MIN nodes below them never cut.",
        BOUNDS, (("max_value", "        alpha = max(alpha, value)\n", ""),), (MIN,), WITH_CUTS),
    WrongSearch("beta-never-lowered", "In your search MIN nodes never lower beta, so MAX nodes below them never cut.",
        BOUNDS, (("min_value", "        beta = min(beta, value)\n", ""),), (MIN,), WITH_CUTS),
    WrongSearch("alpha-lost", "In your search alpha does not reach the nodes below, so MIN nodes never cut.", "Every "
        "node below a MAX node should know what MAX already has. Follow alpha from the root through two calls.",
        ((BOTH, "plies - 1, alpha, beta", "plies - 1, -inf, beta"),), (MIN,), WITH_CUTS),
    WrongSearch("beta-lost", "In your search beta does not reach the nodes below, so MAX nodes never cut.", "Every "
        "node below a MIN node should know what MIN already has. Where does your MIN node pass this on?",
        ((BOTH, "plies - 1, alpha, beta", "plies - 1, alpha, inf"),), (MIN,), WITH_CUTS),
    WrongSearch("alpha-reset", "In your search every MAX node starts again with alpha = -inf and forgets the alpha "
        "that it got.", BOUNDS,
        (("max_value", "    best, choice = -inf, None",
        "    best, choice, alpha = -inf, None, -inf"),), (MIN,), WITH_CUTS),
    WrongSearch("both-reset", "In your search every node starts again with the window (-inf, inf).", BOUNDS,
        ((BOTH, "plies - 1, alpha, beta", "plies - 1"),), (MIN,), WITH_CUTS),
    WrongSearch("own-bound-only", "In your search a node passes down only the bound that it found itself and forgets "
        "the one from above, so there are no deep cuts.", "MAX has 5 at the root. Two layers below, another MAX node "
        "has 4. Which of the two numbers is the bound that counts?",
        (("max_value", "plies - 1, alpha, beta", "plies - 1, best, inf"),
        ("min_value", "plies - 1, alpha, beta", "plies - 1, -inf, best")), (MIN,), WITH_CUTS),
    WrongSearch("bound-overwritten", "Your search overwrites its bound with the last child's value, also if the bound "
        "was already better.", TIGHTER,
        (("max_value", "max(alpha, value)", "value"), ("min_value", "min(beta, value)", "value")), (MIN,), WITH_CUTS),
    WrongSearch("bound-forgotten", "Your search replaces a bound by the node's own best value, also if the bound from "
        "above was already tighter.", TIGHTER,
        (("max_value", "max(alpha, value)", "best"), ("min_value", "min(beta, value)", "best")), (MIN,), WITH_CUTS),
    WrongSearch("bounds-exchanged", "Your search swaps alpha and beta: MAX nodes change beta and MIN nodes change "
        "alpha.", BOUNDS,
        (("max_value", "alpha = max(alpha, value)", "beta = min(beta, value)"),
        ("min_value", "beta = min(beta, value)", "alpha = max(alpha, value)")), (MIN,), WITH_CUTS),
    WrongSearch("window-swapped", "Your search passes alpha and beta on in the wrong order.", "In which order does "
        "your function take the two bounds, and in which order does your call pass them?",
        ((BOTH, "plies - 1, alpha, beta", "plies - 1, beta, alpha"),), (MIN,), WITH_CUTS),
    WrongSearch("cut-returns-zero", "After a cut your search returns 0.", VALUE,
        ((BOTH, "break", "return 0.0, choice"),), (MIN,), WITH_CUTS),
    WrongSearch("fail-hard", "After a cut your search returns the bound, not the value that it found; so nodes above "
        "see equal values.", "Which number does your search return when it cuts, and what does the node above compare "
        "it with?",
        (("max_value", "break", "return beta, choice"), ("max_value", "return best,", "return max(best, alpha),"),
        ("min_value", "break", "return alpha, choice"),
        ("min_value", "return best,", "return min(best, beta),")), (MIN,), WITH_CUTS),
    WrongSearch("margin", "Your search already cuts when alpha >= beta - 1.", "Two values may differ by less than 1. "
        "When is it certain that the rest of a node does not matter?",
        ((BOTH, "alpha >= beta", "beta - 1 <= alpha"),), (MIN,), WITH_CUTS),
    WrongSearch("wrong-cut-test", "At MAX nodes your search stops as soon as a value reaches the node's own bound "
        "(alpha).", f"A MAX node {STOP}",
        (("max_value", "        alpha = max(alpha, value)\n        if alpha >= beta:",
        "        if best >= alpha:"),), (MIN,), WITH_CUTS),
    WrongSearch("wrong-cut-test", "At MIN nodes your search stops as soon as a value reaches the node's own bound "
        "(beta).", f"A MIN node {STOP}",
        (("min_value", "        beta = min(beta, value)\n        if alpha >= beta:",
        "        if best <= beta:"),), (MIN,), WITH_CUTS),
    WrongSearch("window-through-chance", "Your search passes its window through a CHANCE node, but a mean needs the "
        "exact value of every outcome.", "One outcome is below alpha. Does this prove that the mean is below alpha?",
        (("mean_value", "plies - 1", "plies - 1, alpha, beta"),), (MIN, CHANCE), WITH_CUTS),
)  # fmt: skip


def by_name() -> dict[str, WrongSearch]:
    """The first row of each name."""
    return {row.name: row for row in reversed(WRONG_SEARCHES)}


def possible(layers: Collection[Layer], cuts: str) -> dict[str, WrongSearch]:
    """The first row of each name that can happen in parts with these layers and this rule for cuts."""
    return {row.name: row for row in reversed(WRONG_SEARCHES) if row.can_happen(layers, cuts)}
