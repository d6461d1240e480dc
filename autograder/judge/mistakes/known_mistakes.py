"""The known mistakes: one row each, with what it does, a hint that teaches, and the habits that make a search do it.

A row whose mistake is written in several ways has several settings of the habits, the usual one first. Rows stand in
the order in which they are named when nothing tells them apart: the simplest and most frequent first.
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
"""The numbers that searches start from in the place of infinity, the greatest first."""


@dataclass(frozen=True)
class KnownMistake:
    """One known mistake. `habits` are the settings of `search.SearchVariant` that make it.

    It can happen `where` the right search is one of these, in questions that have every layer that it `needs`.
    """

    name: str
    sentence: str
    hint: str
    habits: tuple[Mapping[str, Any], ...]
    where: tuple[Reference, ...] = BOTH
    needs: tuple[Layer, ...] = ()


def known(question: Question) -> Iterator[KnownMistake]:
    """The rows that can happen in a question."""
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
        "It stops one ply too early.",
        "Draw a tree of two plies and write at every node how many plies are left there. With how many is a node "
        "evaluated, and with how many does it still ask its successors?",
        ({"plies_more": -1},),
    ),
    KnownMistake(
        "ply-deep",
        "It goes one ply too deep.",
        "Draw a tree of two plies and write at every node how many plies are left there. What should happen at 0?",
        ({"plies_more": 1},),
    ),
    KnownMistake(
        "round-short",
        "It stops a whole round too early.",
        "One round is a move by everybody. How many rounds has your search seen when the first move of each is done?",
        ({"rounds_more": -1}, {"rounds_more": -1, "round_plies": 2}),
    ),
    KnownMistake(
        "round-deep",
        "It goes a whole round too deep.",
        "One round is a move by everybody. When everybody has moved as often as was asked, who is to move, and should "
        "he move once more?",
        ({"rounds_more": 1}, {"rounds_more": 1, "round_plies": 2}),
    ),
    KnownMistake(
        "plies-as-rounds",
        "It takes plies for rounds: only the return to MAX counts as a step down.",
        "`plies` is the number of single moves to look ahead, the ghosts' moves too. Which of your recursive calls "
        "hand down the same number that they were given?",
        ({"spends": "round"},),
    ),
    KnownMistake(
        "ghosts-as-rounds",
        "It takes each ghost's move for a round of its own.",
        "With two ghosts a round has three plies. After the first ghost has moved, how much of the round is over?",
        ({"spends": "ghost"}, {"spends": "ghost", "round_plies": 2}),
    ),
    KnownMistake(
        "rounds-as-plies",
        "It takes every single move for a round of its own.",
        "With two ghosts a round has three plies. How many rounds are over when Pacman alone has moved, and what does "
        "your search subtract there?",
        ({"rounds_as_plies": True}, {"rounds_as_plies": True, "round_plies": 2}),
    ),
    # Who decides.
    KnownMistake(
        "first-ghost-only",
        "It searches the moves of the first ghost only; every other ghost just takes its first action.",
        "After the first ghost the second one chooses too, among all its actions. Which loop of yours goes over them?",
        ({"other_ghosts": False},),
    ),
    KnownMistake(
        "exchanged",
        "It exchanges MAX and MIN.",
        "Take a tree with one MAX node and two leaves. Which leaf does MAX want, and which one do you return?",
        ({"max_is": Layer.MIN, "min_is": Layer.MAX}, {"max_picks": Layer.MIN, "min_picks": Layer.MAX}),
        needs=(Layer.MIN,),
    ),
    KnownMistake(
        "max-as-min",
        "At MAX nodes it takes the worst for MAX too, as if Pacman wanted to lose.",
        "Two layers, two wishes. Which of your two loops keeps the larger value, and at which layer does it run?",
        ({"max_is": Layer.MIN}, {"max_picks": Layer.MIN}),
    ),
    KnownMistake(
        "min-as-max",
        "At MIN nodes it takes the best for MAX too, as if the ghosts helped Pacman.",
        "Values are always MAX's. What does somebody who wants to harm MAX do with them?",
        ({"min_is": Layer.MAX}, {"min_picks": Layer.MAX}),
        needs=(Layer.MIN,),
    ),
    KnownMistake(
        "min-as-chance",
        "At MIN nodes it takes the mean, as if the ghosts drew their moves.",
        "`node.layer` says who decides. A MIN node has no probabilities: somebody chooses there, and how?",
        ({"min_is": Layer.CHANCE},),
        needs=(Layer.MIN,),
    ),
    KnownMistake(
        "chance-as-min",
        "At CHANCE nodes it takes the worst, as if chance were an opponent.",
        "A random ghost does not know what harms Pacman. What is a draw worth if you may repeat it a thousand times?",
        ({"chance_is": Layer.MIN},),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "chance-as-max",
        "At CHANCE nodes it takes the best, as if chance were on Pacman's side.",
        "Nobody chooses at a CHANCE node. What is a draw worth if you may repeat it a thousand times?",
        ({"chance_is": Layer.MAX},),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "by-depth",
        "It goes by depth, MAX at even plies and an opponent at odd ones, and not by who moves.",
        "With two ghosts, who moves at the third ply? Ask the node: `node.layer`.",
        ({"by_depth": True},),
    ),
    # Means.
    KnownMistake(
        "sum-for-mean",
        "At CHANCE nodes it takes the sum of the outcomes, not their mean.",
        "Two draws that always give 4: one has two outcomes, the other four. Which is worth more?",
        ({"weighs": "one"},),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "equal-chances",
        "It ignores the probabilities: every outcome counts the same.",
        "`node.outcomes()` gives each action with its probability. What is a prize of 100 worth that comes once in 20?",
        ({"weighs": "equal"},),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "mean-divided-again",
        "It divides the mean by the number of outcomes once more.",
        "Probabilities already sum to 1. What is a draw worth whose three outcomes are all 6?",
        ({"weighs": "given/n"},),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "divided-by-others",
        "It divides by the number of actions at the root, not at the CHANCE node.",
        "What is the mean of two outcomes that are both 6, when the root has three actions? Which position do you ask "
        "for its actions?",
        ({"weighs": "1/root"}, {"weighs": "1/mover at root"}),
        needs=(Layer.CHANCE,),
    ),
    KnownMistake(
        "integer-division",
        "It rounds means down to whole numbers.",
        "What is the mean of 3 and 4, and what does your division make of it?",
        ({"rounds": "down"}, {"rounds": "to 0"}),
        needs=(Layer.CHANCE,),
    ),
    # The choice.
    KnownMistake(
        "last-of-ties",
        "Of equally good actions it takes the last one, not the first.",
        "A later action must be better, not just as good. In alpha-beta, one that is cut off only looks just as good: "
        "what do you know of its value?",
        ({"ties": "last"},),
    ),
    KnownMistake(
        "stop-dropped",
        "It leaves out Stop.",
        "The rules say which actions are legal. When is it best to stay where you are?",
        ({"skips": "Stop"},),
    ),
    KnownMistake(
        "action-from-below",
        "It returns the action that its child would take, not its own.",
        "A child's line names the child's action. Which action leads from here to that child?",
        ({"answers": "below"},),
    ),
    KnownMistake(
        "last-child",
        "It keeps the value of the last action, whatever the ones before were worth.",
        "Watch `best` in your loop, action by action. When should it change, and when not?",
        ({"keeps": "last"},),
    ),
    # Ends and evaluations.
    KnownMistake(
        "ends-searched",
        "It expands terminal nodes, finds no successors there, and keeps the value that it started from.",
        "Before a loop over actions: what if there are none? A game may end before the plies do.",
        ({"ends": "searched"}, {"ends": "searched", "first": "must win"}),
    ),
    KnownMistake(
        "ends-worth-nothing",
        "It evaluates at the horizon only: a game that ends before that is worth 0 to it.",
        "A win is worth something, also when it comes early. Where is `evaluate` called?",
        ({"ends": "zero"},),
    ),
    KnownMistake(
        "root-evaluated",
        "It evaluates the root, not the node that it has reached.",
        "Every leaf of the search is worth the same to it. Which node do you hand to `evaluate`?",
        ({"evaluates": "root"},),
    ),
    KnownMistake(
        "sign-by-mover",
        "It evaluates from the side of whoever moves: the sign changes where MAX does not.",
        "Values are always MAX's, at every node. Does the sign of an evaluation depend on who is to move?",
        ({"evaluates": "mover"},),
    ),
    # Numbers.
    KnownMistake(
        "finite-infinity",
        "It starts from a made-up number instead of infinity, and real values lie beyond it.",
        "No number that you make up is smaller than every value. `math.inf` is larger than all of them.",
        tuple(_made_up()),
    ),
    KnownMistake(
        "starts-at-zero",
        "Its best value starts at 0.",
        "What if every action is worth less than 0? Nothing has been seen yet: with what can nothing be compared?",
        ({"max_start": 0}, {"max_start": 0, "min_start": 0}, {"min_start": 0}),
    ),
    # Windows.
    KnownMistake(
        "no-cut",
        "It never cuts.",
        "When MAX already has 3 elsewhere, and MIN has found a 2 here: does the rest of this node matter?",
        ({"prunes": False},),
        WINDOW,
    ),
    KnownMistake(
        "strict-cut",
        "It cuts only when alpha > beta; here a node may be left at alpha == beta too.",
        "MAX has 3 elsewhere, and here MIN can hold him to 3. Can the rest of this node still change his choice?",
        ({"cut": "strict"},),
        WINDOW,
    ),
    KnownMistake(
        "equal-cut",
        "It cuts at alpha == beta; here a node may be left only when alpha > beta.",
        "Read once more when this question lets you leave a node, and what happens when both bounds are equal.",
        ({"cut": "equal"},),
        WINDOW,
    ),
    KnownMistake(
        "alpha-lost",
        "alpha does not reach the MIN nodes, so they never cut.",
        "What MAX already has is known to every node below him. Follow alpha from the root through two calls.",
        ({"alpha_down": False},),
        WINDOW,
    ),
    KnownMistake(
        "beta-lost",
        "beta is never lowered, or does not reach the MAX nodes, so they never cut.",
        "What MIN already has is known to every node below him. Where does your MIN node tell it?",
        ({"beta_down": False},),
        WINDOW,
    ),
    KnownMistake(
        "own-bound-only",
        "A node hands down only its own bound and forgets the one that it was handed: no deep cuts.",
        "MAX has 5 at the root. Two layers below, another MAX node has 4: which of the two is the bound that counts?",
        ({"inherits": False},),
        WINDOW,
    ),
    KnownMistake(
        "bounds-exchanged",
        "It exchanges alpha and beta.",
        "alpha is what MAX already has, beta what MIN already has. Who may raise which, and in which order does your "
        "function take them?",
        ({"handed": "exchanged"}, {"tightens": "other"}, {"tightens": "other", "tests": "value"}),
        WINDOW,
    ),
    KnownMistake(
        "cuts-unasked",
        "It cuts, where every node is to be looked at.",
        "This question asks for the plain search. Which of your tests leaves a loop early?",
        ({"prunes": True}, {"prunes": True, "cut": "strict"}),
        TREE,
        needs=(Layer.MIN,),
    ),
    KnownMistake(
        "window-through-chance",
        "It hands its window on through a CHANCE node, though a mean needs the exact value of every outcome.",
        "One outcome is below alpha. Does that say that the mean is?",
        ({"prunes": True, "through_chance": True}, {"prunes": True, "through_chance": True, "cut": "strict"}),
        needs=(Layer.CHANCE, Layer.MIN),
    ),
    # Making successors.
    KnownMistake(
        "made-before-cut",
        "It makes all successors of a node before it looks at the first, so that a cut saves too little.",
        "A cut saves what is not made yet. When does your loop make the successor of the last action?",
        ({"makes": "all first"},),
        WINDOW,
    ),
    KnownMistake(
        "made-twice",
        "It makes every successor twice.",
        "Keep a successor under a name, and use the name. How often does `successor` stand in your loop?",
        ({"makes": "twice"},),
    ),
    KnownMistake(
        "searched-twice",
        "It searches a successor again that it has searched already, say once for its action and once for its value.",
        "A search returns value and action together. How often is it called for one child, and for a grandchild?",
        ({"searches": 2}, {"best_again": True}),
    ),
    KnownMistake(
        "node-overwritten",
        "It overwrites its node: each action is played after the one before, not from the same position.",
        "`successor` gives a new position and leaves the old one as it was. From which position do you try the second "
        "action?",
        ({"overwrites": True},),
    ),
)
