"""The known mistakes, one row per mistake: what the search does, a hint, and the habits that make a search do it.

A mistake that can be written in several ways has several settings of the habits, the usual one first. If two rows
explain a submission equally well, the earlier one is reported: the simplest and most frequent mistakes come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from autograder.cases.case import Question
from pacman.core.layers import Layer

Reference = Literal["exhaustive", "alphabeta"]
BOTH: tuple[Reference, ...] = ("exhaustive", "alphabeta")
TREE: tuple[Reference, ...] = ("exhaustive",)
WINDOW: tuple[Reference, ...] = ("alphabeta",)

MADE_UP = (10**9, 10**7, 9_999_999, 10**6, 999_999, 100_000, 99_999, 10_000, 9999, 5000, 1000, 999, 500, 100, 99)
"""The numbers from which searches start instead of infinity, the greatest first."""


@dataclass(frozen=True)
class KnownMistake:
    """One known mistake. Each of its `habits` is a setting of `wrong_search.SearchVariant` that makes the mistake.

    It can happen in questions whose reference search is in `where` and that have all the layers in `needs`.
    """

    name: str
    sentence: str
    hint: str
    habits: tuple[Mapping[str, Any], ...]
    where: tuple[Reference, ...] = BOTH
    needs: tuple[Layer, ...] = ()


def possible_mistakes(question: Question) -> Iterator[KnownMistake]:
    """The known mistakes that can happen in a question, in the order of ROWS."""
    layers = question.layers or [layer.value for layer in Layer]
    for row in ROWS:
        if question.reference in row.where and all(layer.value in layers for layer in row.needs):
            yield row


def _made_up() -> Iterator[Mapping[str, Any]]:
    for most in MADE_UP:
        starts = {"max_start": -most, "min_start": most}
        yield {**starts, "window": most}
        yield starts
        yield {"window": most}


ROWS = (
    # The horizon.
    KnownMistake(
        "ply-short",
        "Your search stops one ply too early.",
        "Draw a tree of two plies. At every node, write how many plies are left. With how many plies left is a "
        "node evaluated? With how many plies left does your search still look at its successors?",
        ({"plies_more": -1},),
    ),
    KnownMistake(
        "ply-deep",
        "Your search goes one ply too deep.",
        "Draw a tree of two plies. At every node, write how many plies are left. What should happen at 0?",
        ({"plies_more": 1},),
    ),
    KnownMistake(
        "round-short",
        "Your search stops one whole round too early.",
        "In one round every agent moves once. How many rounds has your search seen when every agent has made its "
        "first move?",
        ({"rounds_more": -1}, {"rounds_more": -1, "round_plies": 2}),
    ),
    KnownMistake(
        "round-deep",
        "Your search goes one whole round too deep.",
        "In one round every agent moves once. When all rounds are over, whose turn is it? Should your search let that "
        "agent move once more?",
        ({"rounds_more": 1}, {"rounds_more": 1, "round_plies": 2}),
    ),
    KnownMistake(
        "plies-as-rounds",
        "Your search takes the number of plies as a number of rounds: it counts only when it is MAX's turn again.",
        "`plies` is the number of single moves to look ahead. The ghosts' moves count too. Which of your recursive "
        "calls pass on the same number that they received?",
        ({"spends": "round"},),
    ),
    KnownMistake(
        "ghosts-as-rounds",
        "Your search counts the move of every single ghost as a whole round.",
        "With two ghosts a round has three plies. After the first ghost has moved, how much of the round is over?",
        ({"spends": "ghost"}, {"spends": "ghost", "round_plies": 2}),
    ),
    KnownMistake(
        "rounds-as-plies",
        "Your search counts every single move as a whole round.",
        "With two ghosts a round has three plies. How many rounds are over when only Pacman has moved? How much "
        "does your search subtract there?",
        ({"rounds_as_plies": True}, {"rounds_as_plies": True, "round_plies": 2}),
    ),
    # Who chooses.
    KnownMistake(
        "first-ghost-only",
        "Your search tries the actions of the first ghost only; for every other ghost it takes the first action.",
        "After the first ghost, the second ghost chooses too, among all its actions. Which of your loops goes over "
        "them?",
        ({"other_ghosts": False},),
    ),
    KnownMistake(
        "exchanged",
        "Your search swaps MAX and MIN.",
        "Take a tree with one MAX node and two leaves. Which leaf does MAX want, and which one do you return?",
        ({"max_is": Layer.MIN, "min_is": Layer.MAX}, {"max_picks": Layer.MIN, "min_picks": Layer.MAX}),
        needs=(Layer.MIN,),
    ),
    KnownMistake(
        "max-as-min",
        "At MAX nodes too, your search takes the worst value for MAX, as if Pacman wanted to lose.",
        "MAX and MIN want opposite things. Which of your two loops keeps the larger value, and at which layer does "
        "it run?",
        ({"max_is": Layer.MIN}, {"max_picks": Layer.MIN}),
    ),
    KnownMistake(
        "min-as-max",
        "At MIN nodes too, your search takes the best value for MAX, as if the ghosts helped Pacman.",
        "A value always says how good a node is for MAX. Which value does an opponent of MAX choose?",
        ({"min_is": Layer.MAX}, {"min_picks": Layer.MAX}),
        needs=(Layer.MIN,),
    ),
    KnownMistake(
        "min-as-chance",
        "At MIN nodes your search takes the mean, as if the ghosts moved at random.",
        "`node.layer` says who decides. A MIN node has no probabilities: an opponent chooses there. Which action "
        "does it choose?",
        ({"min_is": Layer.CHANCE},),
        needs=(Layer.MIN,),
    ),
    KnownMistake(
        "chance-as-min",
        "At CHANCE nodes your search takes the worst value, as if chance were an opponent.",
        "A random ghost does not know what harms Pacman. If it could repeat its random move a thousand times, what "
        "would the move be worth on average?",
        ({"chance_is": Layer.MIN},),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "chance-as-max",
        "At CHANCE nodes your search takes the best value, as if chance were on Pacman's side.",
        "Nobody chooses at a CHANCE node. If the random move were repeated a thousand times, what would it be "
        "worth on average?",
        ({"chance_is": Layer.MAX},),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "by-depth",
        "Your search uses the depth, not the node, to decide whose turn it is: MAX at even plies, an opponent at "
        "odd plies.",
        "With two ghosts, who moves at the third ply? Ask the node: `node.layer`.",
        ({"by_depth": True},),
    ),
    # Means.
    KnownMistake(
        "sum-for-mean",
        "At CHANCE nodes your search takes the sum of the outcomes, not their mean.",
        "Two CHANCE nodes have only outcomes that are worth 4. One node has two outcomes, the other has four. "
        "Which node is worth more?",
        ({"weights": "one"},),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "equal-chances",
        "Your search ignores the probabilities: every outcome counts the same.",
        "`node.outcomes()` gives each action with its probability. How much is a prize of 100 worth if you get it "
        "once in 20 times?",
        ({"weights": "equal"},),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "mean-divided-again",
        "Your search computes the mean and then divides it by the number of outcomes once more.",
        "Probabilities already sum to 1. How much is a CHANCE node worth if all its three outcomes are worth 6?",
        ({"weights": "right/n"},),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "divided-by-others",
        "Your search divides by the number of actions at the root, not at the CHANCE node.",
        "The root has three actions. A CHANCE node below it has two outcomes, both worth 6: what is their mean? "
        "Which node do you ask for its actions?",
        ({"weights": "1/root"}, {"weights": "1/mover at root"}),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "integer-division",
        "Your search rounds means to whole numbers.",
        "What is the mean of 3 and 4, and what does your division return?",
        ({"rounds": "down"}, {"rounds": "to 0"}),
        needs=(Layer.CHANCE,),
    ),
    # The choice.
    KnownMistake(
        "last-of-ties",
        "Of equally good actions, your search takes the last one, not the first.",
        "A later action must be better, not only equally good. In alpha-beta, an action that was cut off can look "
        "equally good: what do you know about its value?",
        ({"ties": "last"},),
    ),
    KnownMistake(
        "stop-dropped",
        "Your search leaves out the action Stop.",
        "The rules say which actions are legal. When is it best to stay where you are?",
        ({"skips": "Stop"},),
    ),
    KnownMistake(
        "action-from-below",
        "Your search returns the action that its child would take, not its own action.",
        "The search of a child returns the child's own action. Which action leads from here to that child?",
        ({"returns": "child's action"},),
    ),
    KnownMistake(
        "last-child",
        "Your search keeps the value of the last action, even if an earlier action was better.",
        "Follow the best value in your loop, action by action. When should it change, and when not?",
        ({"keeps": "last"},),
    ),
    # Ends and evaluations.
    KnownMistake(
        "ends-searched",
        "Your search expands terminal nodes, finds no successors there, and returns the value that it started from.",
        "What does your loop over the actions do when there are no actions? A game can end before all plies are used.",
        ({"ends": "searched"}, {"ends": "searched", "first": "if better"}),
    ),
    KnownMistake(
        "ends-worth-nothing",
        "Your search evaluates nodes at the horizon only: a game that ends earlier gets the value 0.",
        "A win is worth something, even if it comes early. Where do you call `evaluate`?",
        ({"ends": "zero"},),
    ),
    KnownMistake(
        "root-evaluated",
        "Your search evaluates the root, not the node that it has reached.",
        "In your search every leaf gets the same value. Which node do you pass to `evaluate`?",
        ({"evaluates": "root"},),
    ),
    KnownMistake(
        "sign-by-mover",
        "Your search evaluates a node from the side of the agent whose turn it is: it changes the sign where MAX "
        "does not move.",
        "A value always says how good a node is for MAX. Does the sign of an evaluation depend on whose turn it is?",
        ({"evaluates": "mover"},),
    ),
    # Numbers.
    KnownMistake(
        "finite-infinity",
        "Your search starts from a made-up number instead of infinity, and some real values lie beyond it.",
        "For every number that you choose, a real value can be larger. `math.inf` is larger than every value.",
        tuple(_made_up()),
    ),
    KnownMistake(
        "starts-at-zero",
        "Your search starts with 0 as its best value.",
        "What if every action is worth less than 0? Which start value is worse than every real value?",
        ({"max_start": 0}, {"max_start": 0, "min_start": 0}, {"min_start": 0}),
    ),
    # Windows.
    KnownMistake(
        "no-cut",
        "Your search never cuts off a branch.",
        "MAX already has 3 elsewhere, and MIN has found a 2 here. Does the rest of this node matter?",
        ({"prunes": False},),
        WINDOW,
    ),
    KnownMistake(
        "strict-cut",
        "Your search cuts only when alpha > beta; in this question it should also cut when alpha == beta.",
        "MAX has 3 elsewhere, and here MIN can make sure that MAX gets at most 3. Can the rest of this node still "
        "change MAX's choice?",
        ({"cut": "strict"},),
        WINDOW,
    ),
    KnownMistake(
        "equal-cut",
        "Your search cuts when alpha == beta; in this question it should cut only when alpha > beta.",
        "Read the question again: when does it allow a cut? What should happen when alpha and beta are equal?",
        ({"cut": "equal"},),
        WINDOW,
    ),
    KnownMistake(
        "alpha-lost",
        "In your search alpha does not reach the MIN nodes, so they never cut.",
        "Every node below a MAX node should know what MAX already has. Follow alpha from the root through two calls.",
        ({"alpha_down": False},),
        WINDOW,
    ),
    KnownMistake(
        "beta-lost",
        "Your search never lowers beta, or beta does not reach the MAX nodes, so they never cut.",
        "Every node below a MIN node should know what MIN already has. Where does your MIN node pass this on?",
        ({"beta_down": False},),
        WINDOW,
    ),
    KnownMistake(
        "own-bound-only",
        "In your search a node passes down only its own bound and forgets the bound from above, so there are no "
        "deep cuts.",
        "MAX has 5 at the root. Two layers below, another MAX node has 4. Which of the two numbers is the bound "
        "that counts?",
        ({"inherits": False},),
        WINDOW,
    ),
    KnownMistake(
        "bounds-exchanged",
        "Your search swaps alpha and beta.",
        "alpha is what MAX already has; beta is what MIN already has. Which layer may change which bound? In which "
        "order does your function take the two bounds?",
        ({"window_order": "swapped"}, {"tightens": "other"}, {"tightens": "other", "tests": "value"}),
        WINDOW,
    ),
    KnownMistake(
        "cuts-unasked",
        "Your search cuts off branches, but in this question it should look at every node.",
        "This question is about search without cuts. Which condition in your code leaves a loop early?",
        ({"prunes": True}, {"prunes": True, "cut": "strict"}),
        TREE,
        needs=(Layer.MIN,),
    ),
    KnownMistake(
        "window-through-chance",
        "Your search passes its window through a CHANCE node, but a mean needs the exact value of every outcome.",
        "One outcome is below alpha. Does this prove that the mean is below alpha?",
        ({"prunes": True, "through_chance": True}, {"prunes": True, "through_chance": True, "cut": "strict"}),
        needs=(Layer.CHANCE, Layer.MIN),
    ),
    # Making successors.
    KnownMistake(
        "made-before-cut",
        "Your search generates all successors of a node before it looks at the first one, so a cut saves too little.",
        "A cut saves only the successors that do not exist yet. When does your loop generate the successor of the "
        "last action?",
        ({"makes": "all first"},),
        WINDOW,
    ),
    KnownMistake(
        "made-twice",
        "Your search generates every successor twice.",
        "Store a successor in a variable and use the variable. How often does your loop call `successor`?",
        ({"makes": "twice"},),
    ),
    KnownMistake(
        "searched-twice",
        "Your search searches the same successor more than once, for example once for its action and once for its "
        "value.",
        "A search returns the value and the action together. How often do you call it for one child, and how often "
        "for a grandchild?",
        ({"searches": 2}, {"best_again": True}),
    ),
    KnownMistake(
        "node-overwritten",
        "Your search overwrites its node: it plays each action after the previous one, not from the same position.",
        "`successor` returns a new position and does not change the old one. From which position do you try the "
        "second action?",
        ({"overwrites": True},),
    ),
)
