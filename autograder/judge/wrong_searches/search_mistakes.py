"""Mistakes of any search: in counting plies, at ends, in who decides, in the choice of an action, and in memory."""

from __future__ import annotations

from math import inf

from autograder.judge.diagnosis.model_tree import CHANCE, MAX, MIN
from autograder.judge.diagnosis.rules import LAYER_HINTS, NAMES_OF_RULES, RULES
from autograder.judge.wrong_searches.search_model import WITH_CUTS, Change, Decider, Mistake
from pacman.core.layers import Layer

SHORT = (
    "Draw a tree of two plies. At every node, write how many plies are left. With how many plies left is a node "
    "evaluated? With how many plies left does your search still look at its successors?"
)
ROUND = "In one round every agent moves once. How many rounds has your search seen when every agent has moved once?"
COUNT = (
    "`plies` is the number of single moves to look ahead. The ghosts' moves count too. Which of your recursive calls "
    "pass on the same number that they received?"
)
GHOSTS = "With two ghosts a round has three plies. After the first ghost has moved, how much of the round is over?"
SOME_NODES = (
    "Follow the number of plies that are left from the root down to a leaf, call by call. What does each call "
    "subtract, and at which nodes do you test for 0?"
)
HORIZON: tuple[tuple[str, str, str, Change], ...] = (
    ("ply-short", "Your search stops one ply too early.", SHORT, {"horizon": "plies - 1"}),
    ("ply-deep", "Your search goes one ply too deep.", SHORT, {"horizon": "plies + 1"}),
    ("two-plies-short", "Your search stops two plies too early.", SHORT, {"horizon": "plies - 2"}),
    ("two-plies-deep", "Your search goes two plies too deep.", SHORT, {"horizon": "plies + 2"}),
    ("round-short", "Your search stops one whole round too early.", ROUND, {"horizon": "a round less"}),
    ("round-deep", "Your search goes one whole round too deep.", ROUND, {"horizon": "a round more"}),
    ("plies-as-rounds", "Your search takes the number of plies as a number of rounds: it counts only when it is MAX's "
     "turn again.", COUNT, {"spends": "end of a round"}),
    ("max-moves-count", "In your search only the moves of MAX use up a ply; the other moves are free.", COUNT,
     {"spends": "max moves"}),
    ("ghosts-moves-count", "In your search only the moves of ghosts use up a ply; the moves of MAX are free.", COUNT,
     {"spends": "ghosts' moves"}),
    ("ghosts-as-rounds", "Your search counts the move of every single ghost as a whole round.", GHOSTS,
     {"horizon": "rounds", "spends": "ghosts' moves"}),
    ("round-ends-after-max", "Your search takes a round as over when MAX has moved, so in the last round no ghost "
     "moves.", ROUND, {"horizon": "rounds", "spends": "max moves"}),
    ("rounds-as-plies", "Your search counts every single move as a whole round.", GHOSTS, {"horizon": "rounds"}),
    ("no-horizon", "Your search has no horizon: it goes on until the game ends.",
     "What should your search return when no plies are left?", {"horizon": "no limit"}),
    ("horizon-tested-at-some-nodes", "Your search tests only at MAX nodes whether plies are left; at all other nodes "
     "it goes on.", SOME_NODES, {"tested": "max nodes"}),
    ("horizon-early-at-some-nodes", "At MAX nodes your search stops one ply too early: it evaluates the node while one "
     "ply is left.", SOME_NODES, {"early": "max nodes"}),
)  # fmt: skip
EARLY = "A game can end before all plies are used. What does your search do at a node where `is_terminal` is True?"
WINS = "Two wins can have different scores. Which value should a terminal node have?"
EVALUATE = "Which node do you pass to `evaluate`, and what do you do with the number that it returns?"
ENDS: tuple[tuple[str, str, str, Change], ...] = (
    ("ends-searched", "Your search expands terminal nodes, finds no successors there, and returns the value that it "
     "started from.", f"What does your loop over the actions do when there are no actions? {EARLY}",
     {"ends": "searched"}),
    ("ends-raised", "Your search expands terminal nodes and fails there, because they have no actions.", EARLY,
     {"ends": "raised"}),
    ("ends-worth-nothing", "Your search evaluates nodes at the horizon only: a game that ends earlier gets the value "
     "0.", "A win is worth something, even if it comes early. Where do you call `evaluate`?", {"ends": "zero"}),
    ("ends-infinite", "Your search gives infinity to a game that ends well, and minus infinity to one that ends badly, "
     "not their evaluation.", WINS, {"ends": "infinite"}),
    ("ends-by-sign", "Your search gives 1 or -1 to the end of a game, not its evaluation.", WINS, {"ends": "one"}),
    ("root-evaluated", "Your search evaluates the root, not the node that it has reached.",
     f"In your search every leaf gets the same value. {EVALUATE}", {"evaluates": "root"}),
    ("sign-by-mover", "Your search evaluates a node from the side of the agent whose turn it is: it changes the sign "
     "where MAX does not move.", "A value always says how good a node is for MAX. Does the sign of an evaluation "
     "depend on whose turn it is?", {"evaluates": "for the mover"}),
    ("sign-changed", "Your search changes the sign of every evaluation.", EVALUATE, {"evaluates": "minus"}),
    ("parent-evaluated", "Your search evaluates the node above the one that it has reached.", EVALUATE,
     {"evaluates": "parent"}),
    ("absolute-evaluation", "Your search drops the sign of evaluations.", EVALUATE, {"evaluates": "absolute"}),
    ("whole-evaluation", "Your search cuts evaluations off to whole numbers.", "An evaluation may have a fraction, and "
     "two leaves may differ only there. Where do you call `int`?", {"evaluates": "whole"}),
    ("zero-evaluation", "Your search takes every leaf as worth 0.", EVALUATE, {"evaluates": "zero"}),
)  # fmt: skip
AS_IF = {
    (MAX, "min"): ", as if Pacman wanted to lose",
    (MAX, "mean"): ", as if Pacman moved at random",
    (MIN, "max"): ", as if the ghosts helped Pacman",
    (MIN, "mean"): ", as if the ghosts moved at random",
    (CHANCE, "min"): ", as if chance were an opponent",
    (CHANCE, "max"): ", as if chance were on Pacman's side",
}
WRONG_RULES: dict[Layer, tuple[str, ...]] = {
    MAX: ("min", "mean", "sum", "first", "max of negatives"),
    MIN: ("max", "mean", "sum", "first", "max of negatives"),
    CHANCE: (
        "max", "min", "equal mean", "sum", "mean divided again", "divided by root actions", "mean rounded down",
        "mean rounded", "most likely",
    ),
}  # fmt: skip
WHO = "The node says who decides: `node.layer`. Which test in your code chooses between MIN and CHANCE?"
DECIDERS: tuple[tuple[str, str, str, tuple[tuple[Layer, str, str], ...]], ...] = (
    ("exchanged", "Your search swaps MAX and MIN.", "Take a tree with one MAX node and two leaves. Which leaf does MAX "
     "want, and which one do you return?", ((MAX, "everywhere", "min"), (MIN, "everywhere", "max"))),
    ("by-depth", "Your search uses the depth, not the node, to decide whose turn it is: MAX at even plies, an opponent "
     "at odd plies.", "With two ghosts, who moves at the third ply? Ask the node: `node.layer`.",
     ((MIN, "at even depth", "max"), (MAX, "at odd depth", "min"), (CHANCE, "at even depth", "max"))),
    ("by-turns", "Your search lets MAX and one opponent take turns, ply by ply, and does not ask the node who moves; "
     "so with two ghosts the second one takes the largest value.", "With two ghosts, who moves after the first ghost? "
     "Ask the node: `node.layer`.", ((MIN, "in max's turn", "max"), (MAX, "in an opponent's turn", "min"))),
    ("by-plies-left", "Your search decides by the number of plies left whose turn it is: MAX if it is even, MIN if it "
     "is odd.", "With two ghosts, who moves when three plies are left? Ask the node: `node.layer`.",
     ((MIN, "with an even number of plies left", "max"), (MAX, "with an odd number of plies left", "min"))),
    ("layer-by-parent", "Directly below a MAX node, your search treats every node as a MAX node.", "Which function "
     "does your code call for a child? The child says who decides there: `node.layer`.",
     ((MIN, "below a max node", "max"), (CHANCE, "below a max node", "max"))),
    ("chance-and-min-exchanged", "Your search swaps MIN and CHANCE nodes.", WHO,
     ((MIN, "everywhere", "mean"), (CHANCE, "everywhere", "min"))),
    ("by-turn", "Your search goes by the turn, not by the node: it takes the first ghost after MAX as MIN and every "
     "later ghost as CHANCE.", WHO, ((CHANCE, "first ghost", "min"), (MIN, "later ghost", "mean"),
                                     (CHANCE, "later ghost", "equal mean"))),
    ("ghosts-all-random", "At MIN and CHANCE nodes your search takes the plain mean, as if all ghosts moved at random "
     "and all moves were equally likely.", WHO, ((MIN, "everywhere", "mean"), (CHANCE, "everywhere", "equal mean"))),
    ("ghosts-all-max", "At MIN and CHANCE nodes your search takes the largest value, as if all ghosts helped Pacman.",
     WHO, ((MIN, "everywhere", "max"), (CHANCE, "everywhere", "max"))),
)  # fmt: skip
ZERO = "What if every action is worth less than 0? Which start value is worse than every real value?"
SWAPPED = "Which start value is worse than every real value: `inf` or `-inf`?"
BEST = "After the loop, which variable holds the best value, and which one do you return?"
ORDER = "This question counts the nodes of a search that tries the actions in the order of `node.actions()`."
KEY = "A value belongs to a node and to the number of plies that were left there. What is the key of your table?"
CHILD = "Inside the loop, which action do you pass to `successor`?"
LOOP = (
    "Print the actions that your loop tries at one node, beside `node.actions()`. Does a `return`, a slice or a test "
    "for a cut end the loop early?"
)
CHOICE: tuple[tuple[str, str, str, Change], ...] = (
    ("no-action", "Your search returns no action: `None` where the best action should be.", "A search returns the "
     "value and the action together. Where do you store the action whose value is the best, and does every branch "
     "return it?", {"action": "none"}),
    ("starts-at-zero", "At MAX nodes your search starts with 0 as its best value.", ZERO, {"max_start": 0.0}),
    ("start-swapped", "At MAX nodes your search starts from inf: no value is better than this one.", SWAPPED,
     {"max_start": inf}),
    ("zero-as-nothing", "At MAX nodes your search takes a best value of 0 as no value yet, so the next action replaces "
     "it.", "Does your code ask `if not best` or `best or ...`? 0 counts as false. Ask `best is None`.",
     {"zero_is_none": True}),
    ("finite-infinity", "Your search starts from about -99 at MAX nodes and from about 99 at MIN nodes instead of "
     "infinity; a real value can lie beyond that number.", "For every number that you choose, a real value can be "
     "larger. `math.inf` is larger than every value.", {"max_start": -99.0, "min_start": 99.0}),
    ("starts-from-evaluation", "Your search starts with the node's own evaluation as its best value, so a node is "
     "never worth less to MAX (or more to MIN) than its own evaluation.", "The evaluation of a node is a guess. What "
     "should it count once the children have been searched?", {"starts_from_evaluation": True}),
    ("best-shared", "In your search all nodes share one best value, which is set only once in a search.", "Each node "
     "needs a best value of its own. Where is yours stored, and when is it set to its start value?",
     {"shares_best": True}),
    ("last-of-ties", "Of equally good actions, your search takes the last one, not the first.", "A later action must "
     "be better, not only equally good. In alpha-beta, an action that was cut off can look equally good: what do you "
     "know about its value?", {"ties": "last"}),
    ("action-from-below", "Your search returns the action that its child would take, not its own action.", "The search "
     "of a child returns the child's own action. Which action leads from here to that child?", {"action": "child"}),
    ("action-of-last-loop", "The action is always the last one that your loop tried, not the best one.", "After the "
     "loop, what does the loop variable hold? Store the action at the moment when its value becomes the best.",
     {"action": "last"}),
    ("first-action", "The action is always the first one, not the best one.", "Where do you store the action whose "
     "value is the best so far?", {"action": "first"}),
    ("action-by-evaluation", "The action is the one with the best evaluation after one move.", "The action must lead "
     "to the child with the best searched value.", {"action": "by evaluation"}),
    ("action-overwritten", "Your search keeps the action in one place that every node overwrites, so the root returns "
     "the action of the node that wrote last.", "Who writes to the variable with the action, besides the root?",
     {"action": "last written"}),
    ("last-value", "Your search returns the value of the last action that it tried, not the best value.", BEST,
     {"returns_last": "every node"}),
    ("last-value", "At MAX nodes your search returns the value of the last action that it tried, not the best value.",
     BEST, {"returns_last": "max nodes"}),
    ("last-name", "Your search chooses among the actions by their names, not by their values.", "What does `max` "
     "compare if you give it a dictionary or pairs that begin with the name?", {"compares": "names"}),
    ("best-line-shared", "Your search keeps the best line in one variable that every node below overwrites.", "Each "
     "node needs a best line of its own. What is in your variable after the search of the first child?",
     {"one_best": True}),
    ("stops-when-good-enough", "At MAX nodes your search stops at the first value above 0.", "Can a later action be "
     "worth even more than the first good one?", {"enough": 0.0}),
    ("compares-text", "Your search compares values as text, so that 9 counts as more than 12.",
     "What do `str(9) > str(12)` and `9 > 12` give?", {"compares": "text"}),
    ("compares-size", "Your search compares values without their signs.", "Which is better for MAX: -5 or 3?",
     {"compares": "absolute"}),
    ("first-child-only", "Whatever action its loop tries, your search goes on with the first child of the node.", CHILD,
     {"searches_only": "first"}),
    ("last-child-only", "Whatever action its loop tries, your search goes on with the last child of the node.", CHILD,
     {"searches_only": "last"}),
    ("stop-dropped", "Your search leaves out the action Stop.", "Stop is an action like every other one. Which actions "
     "does your loop leave out?", {"skips": "stop"}),
    ("children-left-out", "Your search looks only at the first action of every node.", LOOP,
     {"skips": "all but first"}),
    ("first-ghost-only", "Your search tries the actions of the first ghost only; for every other ghost it takes the "
     "first action.", LOOP, {"skips": "all but first of later ghosts"}),
    ("memory-without-plies", "Your search stores the value of a position and uses it again with another number of "
     "plies left.", KEY, {"memory": "node"}),
    ("memory-by-score", "Your search stores values under a key that different positions share.", KEY,
     {"memory": "score"}),
    ("made-twice", "Your search generates every successor twice.", "Store a successor in a variable and use the "
     "variable. How often does your loop call `successor`?", {"makes": "twice"}),
    ("searched-twice", "Your search searches the same successor more than once, for example once for its action and "
     "once for its value.", "A search returns the value and the action together. How often do you call it for one "
     "child, and how often for a grandchild?", {"searches": 2}),
    ("other-order", "Your search looks at the actions in the opposite order.", ORDER, {"order": "reversed"}),
    ("ordered-by-evaluation", "Your search generates all successors of a node and tries those with the best evaluation "
     "first.", ORDER, {"order": "best evaluation first"}),
    ("ordered-by-name", "Your search tries the actions in the order of their names.", ORDER, {"order": "by name"}),
    ("made-at-the-horizon", "Your search generates the successors of nodes at the horizon too.", "With no plies left "
     "the successors do not matter. Where does your code test for the horizon: before or after it generates "
     "successors?", {"makes": "also at the horizon"}),
    ("deepens", "Your search deepens ply by ply and searches the whole tree again for each depth.", "This question "
     "counts the nodes of one search.", {"deepens": True}),
    ("node-overwritten", "Your search overwrites its node: it plays each action after the previous one, not from the "
     "same position.", "`successor` returns a new position and does not change the old one. From which position do you "
     "try the second action?", {"overwrites": True}),
)  # fmt: skip
AT_MIN: tuple[tuple[str, str, str, Change], ...] = (
    ("min-moves-free", "In your search the moves at MIN nodes use up no ply, so it looks too far ahead.", COUNT,
     {"spends": "all but min moves"}),
    ("starts-at-zero", "At MIN nodes your search starts with 0 as its best value.", ZERO, {"min_start": 0.0}),
    ("last-value", "At MIN nodes your search returns the value of the last action that it tried, not the best value.",
     BEST, {"returns_last": "min nodes"}),
    ("no-action-at-min", "At MIN nodes your search returns no action: `None` where the action with the smallest value "
     "should be.", "A ghost's node can be the root too. Where do you store the action at a MIN node?",
     {"action": "none at min"}),
    ("action-of-largest", "At a MIN node your search returns the action with the largest value; the value that it "
     "returns is right.", "Which action leads to the value that a MIN node returns? Where do you look it up?",
     {"action": "largest"}),
)  # fmt: skip
AT_CHANCE: tuple[tuple[str, str, str, Change], ...] = (
    ("chance-moves-free", "In your search the moves at CHANCE nodes use up no ply, so it looks too far ahead.", COUNT,
     {"spends": "all but chance moves"}),
    ("action-at-chance", "At CHANCE nodes your search returns an action; it should return None, because nobody chooses "
     "there.", "A CHANCE node can be the root too. Which action does your search return there?",
     {"acts_at_chance": True}),
    ("chance-stops", "Your search leaves a CHANCE node when its sum so far is not better than what MAX already has "
     "elsewhere.", "The outcomes that are missing can still change the sum. What would you have to know about them?",
     {"chance_stops": True}),
)  # fmt: skip


def _wrong_rule(layer: Layer, rule: str) -> Mistake:
    """The mistake of a search that applies a rule at every node of a layer."""
    sentence = f"At {layer.value.upper()} nodes, your search {RULES[rule].phrase}{AS_IF.get((layer, rule), '')}."
    name = NAMES_OF_RULES.get((layer, rule), f"wrong-value-at-{layer.value}")
    return Mistake(name, sentence, LAYER_HINTS[layer], {"deciders": (Decider(layer, "everywhere", rule),)}, (layer,))


def _wrong_deciders(name: str, sentence: str, hint: str, deciders: tuple[tuple[Layer, str, str], ...]) -> Mistake:
    """The mistake of a search that mixes up the layers."""
    layers = (MIN, CHANCE) if hint == WHO else (MIN,)
    return Mistake(name, sentence, hint, {"deciders": tuple(Decider(*each) for each in deciders)}, layers)


SEARCH_MISTAKES = (
    *(Mistake(*row) for row in (*HORIZON, *ENDS)),
    *(_wrong_rule(layer, rule) for layer, rules in WRONG_RULES.items() for rule in rules),
    *(_wrong_deciders(*row) for row in DECIDERS),
    *(Mistake(*row) for row in CHOICE),
    *(Mistake(*row, (MIN,)) for row in AT_MIN),
    *(Mistake(*row, (CHANCE,)) for row in AT_CHANCE),
    Mistake(
        "remembers", "Your values and actions are right; your search remembers the values of positions, so it "
        "generates fewer nodes than asked.", "A table of values is a good idea, but this question counts the nodes of "
        "a search without one.", {"memory": "node and plies"}, (), ("",)),
    Mistake(
        "memory-of-bounds", "Your search stores values that are only bounds after a cut, and uses them as exact "
        "values.", "A value that was found in one window may be only a bound in another. What does your table store "
        "after a cut?", {"memory": "node and plies"}, (), WITH_CUTS),
    Mistake(
        "made-before-cut", "Your search generates all successors of a node before it looks at the first one, so a cut "
        "saves too little.", "A cut saves only the successors that do not exist yet. When does your loop generate the "
        "successor of the last action?", {"makes": "all first"}, (), WITH_CUTS),
)  # fmt: skip
