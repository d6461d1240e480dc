"""What a wrong search may do: each row is a sentence, a hint, and the fields of a `SearchModel` that do the same.

The simplest and most frequent mistakes come first: if two rows foretell the same answers, the first one is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, product
from math import inf
from typing import Any, Literal

from autograder.judge.examination.model_tree import CHANCE, MAX, MIN
from autograder.judge.examination.questions import Scope
from autograder.judge.examination.search_model import SPENDS, Decider
from pacman.core.layers import Layer

Change = Mapping[str, Any]
"""Fields of a `SearchModel` with their values."""


@dataclass(frozen=True)
class Hypothesis:
    """One way in which a search may be wrong. Each of its `changes` is a way to write it.

    `name` is the same for all rows that an instructor would count as one mistake. `facet` is what is wrong:
    a second mistake of the same facet cannot be told apart from the first. A `costless` row loses no value and no
    action: the search only generates other nodes, or generates them more than once.
    """

    name: str
    facet: str
    sentence: str
    hint: str
    changes: tuple[Change, ...]
    costless: bool = False
    is_frequent: bool = True
    """Only frequent mistakes are tried in pairs."""

    @property
    def may_be_only_nodes(self) -> bool:
        """True if a search with this mistake may have every value and every action right, and other nodes."""
        return self.costless or self.facet in ("windows", "successors")


MADE_UP = (
    99,
    100,
    999,
    1000,
    9999,
    10_000,
    99_999,
    100_000,
    999_999,
    10**6,
    9_999_999,
    10**7,
    99_999_999,
    10**8,
    999_999_999,
    10**9,
    500,
    5000,
    50_000,
    10**10,
    10**12,
    2**31 - 1,
    2**31,
    1e4 + 1,
)
"""The numbers from which searches start instead of infinity."""


@cache
def hypotheses(scope: Scope) -> tuple[Hypothesis, ...]:
    """All rows for parts of this scope, the most frequent mistakes first."""
    return tuple(_rows(scope))


def _rows(scope: Scope) -> Iterator[Hypothesis]:
    yield from _horizons(scope)
    yield from _ends_and_evaluations()
    yield from _deciders(scope, FREQUENT_PLACES, FREQUENT_RULES)
    yield from _starts(scope)
    yield from _actions(scope)
    if scope.prunes:
        yield from _windows(scope)
    elif MIN in scope.layers:
        yield from _unasked_cuts(scope)
    if CHANCE in scope.layers:
        yield from _chance_stops()
    yield from _memory(scope)
    yield from _economy(scope)
    rare = _deciders(scope, PLACE_PHRASES, RULE_PHRASES, but=(FREQUENT_PLACES, FREQUENT_RULES))
    for row in chain(_rare_horizons(), rare):
        yield replace(row, is_frequent=False)


def mistakes_by_name(scope: Scope) -> dict[str, Hypothesis]:
    """The first row of each name, for parts of this scope."""
    rows: dict[str, Hypothesis] = {}
    for row in hypotheses(scope):
        rows.setdefault(row.name, row)
    return rows


RULES_FOR_CUTS: tuple[Literal["", "equal", "strict"], ...] = ("", "equal", "strict")


def all_names() -> list[str]:
    """The names of all mistakes."""
    scopes = (Scope((MAX, MIN, CHANCE), False, cuts) for cuts in RULES_FOR_CUTS)
    return list(dict.fromkeys(name for scope in scopes for name in mistakes_by_name(scope)))


SHORT_ROUNDS = (
    Decider(MIN, "at the start of a short round", "max"),
    Decider(CHANCE, "at the start of a short round", "max"),
    Decider(MAX, "inside a short round", "min"),
)
TWO_PLIES = (
    Decider(MIN, "at the start of two plies", "max"),
    Decider(CHANCE, "at the start of two plies", "max"),
    Decider(MAX, "inside two plies", "min"),
)


def _horizons(scope: Scope) -> Iterator[Hypothesis]:
    short = (
        "Draw a tree of two plies. At every node, write how many plies are left. With how many plies left is a node "
        "evaluated? With how many plies left does your search still look at its successors?"
    )
    whole = "In one round every agent moves once. How many rounds has your search seen when every agent has moved once?"
    count = (
        "`plies` is the number of single moves to look ahead. The ghosts' moves count too. Which of your "
        "recursive calls "
        "pass on the same number that they received?"
    )
    ghosts = "With two ghosts a round has three plies. After the first ghost has moved, how much of the round is over?"
    rows = (
        ("ply-short", "Your search stops one ply too early.", short, ({"horizon": "plies - 1"}, {"stops_at": 1})),
        ("ply-deep", "Your search goes one ply too deep.", short, ({"horizon": "plies + 1"}, {"stops_at": -1})),
        (
            "round-short",
            "Your search stops one whole round too early.",
            whole,
            ({"horizon": "a round less"}, {"horizon": "rounds - 1", "spends": "end of a round"}),
        ),
        (
            "round-deep",
            "Your search goes one whole round too deep.",
            whole,
            ({"horizon": "a round more"}, {"horizon": "rounds + 1", "spends": "end of a round"}),
        ),
        (
            "plies-as-rounds",
            "Your search takes the number of plies as a number of rounds: it counts only when it is MAX's turn again.",
            count,
            ({"spends": "end of a round"}, {"spends": "moves to max"}),
        ),
        (
            "max-moves-count",
            "In your search only the moves of MAX use up a ply; the other moves are free.",
            count,
            ({"spends": "max moves"},),
        ),
        (
            "ghosts-moves-count",
            "In your search only the moves of ghosts use up a ply; the moves of MAX are free.",
            count,
            ({"spends": "ghosts' moves"},),
        ),
        (
            "ghosts-as-rounds",
            "Your search counts the move of every single ghost as a whole round.",
            ghosts,
            ({"horizon": "rounds", "spends": "ghosts' moves"},),
        ),
        (
            "round-ends-after-max",
            "Your search takes a round as over when MAX has moved, so in the last round no ghost moves.",
            whole,
            ({"horizon": "rounds", "spends": "max moves"},),
        ),
        (
            "first-move-costs-a-round",
            "Your search counts the first move, at the root, as a whole round, so the last round is missing.",
            whole,
            ({"horizon": "rounds", "spends": "the root and ends of rounds"},),
        ),
        (
            "last-ghost-left-out",
            "Your search leaves out the last ghost: after the agent before it, it is MAX's turn again.",
            "Write down the agents that move in one round. After which one does your code go back to Pacman?",
            ({"horizon": "rounds", "spends": "ends of short rounds", "deciders": SHORT_ROUNDS},),
        ),
        (
            "one-ghost-a-round",
            "In your search only one ghost moves in a round: after it, it is MAX's turn again.",
            "Write down the agents that move in one round. After which one does your code go back to Pacman?",
            ({"horizon": "rounds", "spends": "every second move", "deciders": TWO_PLIES},),
        ),
        (
            "rounds-as-plies",
            "Your search counts every single move as a whole round.",
            "With two ghosts a round has three plies. How many rounds are over when only Pacman has moved? "
            "How much does "
            "your search subtract there?",
            ({"horizon": "rounds"},),
        ),
        (
            "min-moves-free",
            "In your search the moves at MIN nodes use up no ply, so it looks too far ahead.",
            count,
            ({"spends": "all but min moves"},),
        ),
        (
            "chance-moves-free",
            "In your search the moves at CHANCE nodes use up no ply, so it looks too far ahead.",
            count,
            ({"spends": "all but chance moves"},),
        ),
        (
            "ignores-plies",
            "Your search ignores `plies`: it looks ahead as many plies as the agent's own number of rounds says.",
            "`search` gets the number of plies as an argument. Where does your search use it?",
            ({"horizon": "own rounds whole"}, {"horizon": "own rounds of 2 plies"}, {"horizon": "own rounds"}),
        ),
        (
            "no-horizon",
            "Your search has no horizon: it goes on until the game ends.",
            "What should your search return when no plies are left?",
            ({"horizon": "no limit"}, {"spends": "no move"}),
        ),
        (
            "plies-drift",
            "In your search each child of a node is searched less deep than the child before it.",
            "Which number do you pass to the second child? Does your loop change its own `plies`?",
            (
                {"drift": "siblings"},
                {"horizon": "rounds", "spends": "end of a round", "drift": "siblings at ends of rounds"},
            ),
        ),
        (
            "plies-shared",
            "In your search all nodes count down one shared number of plies, and nothing sets it back after a branch.",
            "After the first branch has used up its plies, how many are left for the second branch? Pass the "
            "number on as an argument.",
            ({"drift": "shared"}, {"horizon": "rounds", "spends": "no move", "drift": "shared rounds"}),
        ),
        ("two-plies-short", "Your search stops two plies too early.", short, ({"horizon": "plies - 2"},)),
        ("two-plies-deep", "Your search goes two plies too deep.", short, ({"horizon": "plies + 2"},)),
        ("plies-twice", "Your search subtracts two plies for every move.", short, ({"spends": "every move twice"},)),
        (
            "ply-short-clamped",
            "Your search stops one ply too early, but it looks at least one ply ahead.",
            short,
            ({"horizon": "plies - 1, at least 1"},),
        ),
    )
    for name, sentence, hint, changes in rows:
        if name == "ignores-plies" and scope.in_rounds:
            continue  # there the number of rounds is all that the agent gets
        yield Hypothesis(name, "horizon", sentence, hint, changes)


def _rare_horizons() -> Iterator[Hypothesis]:
    hint = (
        "Follow the number of plies that are left from the root down to a leaf, call by call. What does each call "
        "subtract, and at which nodes do you test for 0?"
    )
    free = {
        "max moves twice": "Your search subtracts two plies for a move at a MAX node.",
        "min moves twice": "Your search subtracts two plies for a move at a MIN node.",
        "chance moves twice": "Your search subtracts two plies for a move at a CHANCE node.",
        "last moves twice": "Your search subtracts two plies for the last move of a round.",
        "all but the root": "In your search the first move, at the root, uses up no ply.",
        "the root twice": (
            "Below the root your search stops one ply too early: if more than 1 ply is asked, it looks one ply "
            "less far."
        ),
        "all but later ghosts": "In your search only the moves of MAX and of the first ghost use up a ply.",
        "all but the first ghost": "In your search the move of the first ghost uses up no ply.",
        "all but the last ghost": "In your search the last move of each round uses up no ply.",
        "max moves and ends of rounds": "In your search the moves of MAX and the last move of each round use up a ply.",
        "all but single actions": "In your search a move uses up no ply where it is the only action.",
        "all but single outcomes": "In your search a CHANCE node with a single outcome uses up no ply.",
        "all but moves below the same layer": (
            "In your search a move uses up no ply where the node above has the same layer."
        ),
    }
    for spends, sentence in free.items():
        yield Hypothesis("wrong-horizon", "horizon", sentence, hint, ({"spends": spends},))
    for tested in (
        "max nodes",
        "min nodes",
        "chance nodes",
        "all but max nodes",
        "all but min nodes",
        "all but chance nodes",
        "first ghosts",
        "all but first ghosts",
        "last ghosts",
        "all but last ghosts",
        "all but the root",
    ):
        nodes = _nodes(tested)
        yield Hypothesis(
            "horizon-tested-at-some-nodes",
            "horizon",
            f"Your search tests only at {nodes} whether plies are left; at all other nodes it goes on.",
            hint,
            (
                {"tested": tested},
                {"tested": tested, "spends": "end of a round"},
                {"tested": tested, "spends": "end of a round", "horizon": "rounds"},
            ),
        )
    for early in ("max nodes", "min nodes", "chance nodes", "all but max nodes", "first ghosts", "last ghosts"):
        yield Hypothesis(
            "horizon-early-at-some-nodes",
            "horizon",
            f"At {_nodes(early)} your search stops one ply too early: it evaluates the node while one ply is left.",
            hint,
            ({"early": early},),
        )
    for horizon, words in {
        "1 ply": "always looks exactly 1 ply ahead",
        "2 plies": "always looks exactly 2 plies ahead",
        "3 plies": "always looks exactly 3 plies ahead",
        "4 plies": "always looks exactly 4 plies ahead",
        "one round": "always looks exactly one round ahead",
        "plies * 2": "looks twice as many plies ahead as asked",
        "plies // 2": "looks half as many plies ahead as asked",
        "rounds of one ply less": "takes a round as one ply less than there are agents",
        "rounds of 2 plies": "takes a round as two plies, however many agents there are",
        "rounds of 3 plies": "takes a round as three plies, however many agents there are",
    }.items():
        yield Hypothesis("wrong-horizon", "horizon", f"Your search {words}.", hint, ({"horizon": horizon},))
    for spends in SPENDS:
        if spends not in ("every move", "no move"):
            for horizon in ("rounds", "plies - 1", "plies + 1", "rounds of 2 plies"):
                yield Hypothesis(
                    "wrong-horizon",
                    "horizon",
                    f"Your search counts the plies that are left wrongly: it starts from {_horizon_words(horizon)} and "
                    f"subtracts for {_spend_words(spends)}.",
                    hint,
                    ({"horizon": horizon, "spends": spends},),
                )


def _horizon_words(horizon: str) -> str:
    return {
        "rounds": "the number of rounds",
        "plies - 1": "one ply less than asked",
        "plies + 1": "one ply more than asked",
        "rounds of 2 plies": "two plies for each round",
    }[horizon]


def _spend_words(spends: str) -> str:
    return {
        "moves to max": "the last move of a round only",
        "end of a round": "the last move of a round only",
        "ghosts' moves": "the moves of ghosts only",
        "max moves": "the moves of MAX only",
        "all but min moves": "every move but those at MIN nodes",
        "all but chance moves": "every move but those at CHANCE nodes",
        "max moves twice": "every move, and twice at MAX nodes",
        "min moves twice": "every move, and twice at MIN nodes",
        "chance moves twice": "every move, and twice at CHANCE nodes",
        "last moves twice": "every move, and twice for the last move of a round",
        "every move twice": "every move twice",
        "all but the root": "every move but the first",
        "the root and ends of rounds": "the first move and the last move of a round",
        "ends of short rounds": "the last move of a round without the last ghost",
        "every second move": "every second move",
        "the root twice": "every move, and twice for the first",
        "all but later ghosts": "the moves of MAX and of the first ghost only",
        "all but the first ghost": "every move but that of the first ghost",
        "all but the last ghost": "every move but the last of a round",
        "max moves and ends of rounds": "the moves of MAX and the last move of a round",
        "all but single actions": "every move but forced ones",
        "all but single outcomes": "every move but forced ones of chance",
        "all but moves below the same layer": "every move but those below a node of the same layer",
    }[spends]


def _nodes(tested: str) -> str:
    """The words for a name in TESTED."""
    return {
        "every node": "every node",
        "max nodes": "MAX nodes",
        "min nodes": "MIN nodes",
        "chance nodes": "CHANCE nodes",
        "all but max nodes": "MIN and CHANCE nodes",
        "all but min nodes": "MAX and CHANCE nodes",
        "all but chance nodes": "MAX and MIN nodes",
        "first ghosts": "the nodes of the first ghost",
        "all but first ghosts": "nodes that do not belong to the first ghost",
        "last ghosts": "the nodes of the last ghost",
        "all but last ghosts": "nodes that do not belong to the last ghost",
        "the root": "the root",
        "all but the root": "the nodes below the root",
    }[tested]


def _ends_and_evaluations() -> Iterator[Hypothesis]:
    early = "A game can end before all plies are used. What does your search do at a node where `is_terminal` is True?"
    what = "Which node do you pass to `evaluate`, and what do you do with the number that it returns?"
    rows: tuple[tuple[str, str, str, str, tuple[Change, ...]], ...] = (
        (
            "ends-searched",
            "ends",
            "Your search expands terminal nodes, finds no successors there, and returns the value that it "
            "started from.",
            "What does your loop over the actions do when there are no actions? " + early,
            (
                {"ends": "searched"},
                {"ends": "searched", "is_first_better": False},
                {"ends": "searched", "ends_first": True},
                {"ends": "searched", "by_agent": True},
            ),
        ),
        (
            "some-ends-searched",
            "ends",
            "Your search does not test for the end of the game at the ghosts' nodes.",
            early,
            (
                {"ends": "searched", "ends_missed": "ghosts'", "by_agent": True},
                {"ends": "raised", "ends_missed": "ghosts'"},
            ),
        ),
        (
            "some-ends-searched",
            "ends",
            "Your search does not test for the end of the game at MAX nodes.",
            early,
            (
                {"ends": "searched", "ends_missed": "max's", "by_agent": True},
                {"ends": "raised", "ends_missed": "max's"},
            ),
        ),
        (
            "some-ends-searched",
            "ends",
            "Your search does not notice that a game is lost.",
            "A game can end in two ways. Which of them does your test notice?",
            (
                {"ends": "searched", "ends_missed": "losses", "by_agent": True},
                {"ends": "raised", "ends_missed": "losses"},
            ),
        ),
        (
            "some-ends-searched",
            "ends",
            "Your search does not notice that a game is won.",
            "A game can end in two ways. Which of them does your test notice?",
            (
                {"ends": "searched", "ends_missed": "wins", "by_agent": True},
                {"ends": "raised", "ends_missed": "wins"},
            ),
        ),
        (
            "ends-raised",
            "ends",
            "Your search expands terminal nodes and fails there, because they have no actions.",
            early,
            ({"ends": "raised"},),
        ),
        (
            "ends-worth-nothing",
            "ends",
            "Your search evaluates nodes at the horizon only: a game that ends earlier gets the value 0.",
            "A win is worth something, even if it comes early. Where do you call `evaluate`?",
            ({"ends": "zero"}, {"ends": "zero", "ends_first": True}),
        ),
        (
            "ends-infinite",
            "ends",
            "Your search gives infinity to a game that ends well, and minus infinity to one that ends badly, "
            "not their evaluation.",
            "Two wins can have different scores. Which value should a terminal node have?",
            (
                {"ends": "infinite"},
                {"ends": "infinite from zero"},
                {"ends": "infinite", "ends_first": True},
                {"ends": "infinite from zero", "ends_first": True},
            ),
        ),
        (
            "ends-by-sign",
            "ends",
            "Your search gives 1 or -1 to the end of a game, not its evaluation.",
            "Two wins can have different scores. Which value should a terminal node have?",
            (
                {"ends": "one"},
                {"ends": "large"},
                {"ends": "one", "ends_first": True},
                {"ends": "large", "ends_first": True},
            ),
        ),
        (
            "ends-by-score",
            "ends",
            "At the end of a game your search takes the node's score, not the agent's evaluation.",
            what,
            ({"ends": "score"}, {"ends": "score", "ends_first": True}),
        ),
        (
            "score-not-evaluation",
            "evaluation",
            "Your search takes the node's score and never calls the agent's own evaluation function.",
            "An agent gets its evaluation function when it is created. Which function does your search call at a leaf?",
            ({"evaluates": "score"},),
        ),
        (
            "root-evaluated",
            "evaluation",
            "Your search evaluates the root, not the node that it has reached.",
            "In your search every leaf gets the same value. " + what,
            ({"evaluates": "root"},),
        ),
        (
            "sign-by-mover",
            "evaluation",
            "Your search evaluates a node from the side of the agent whose turn it is: it changes the sign "
            "where MAX does not move.",
            "A value always says how good a node is for MAX. Does the sign of an evaluation depend on whose "
            "turn it is?",
            ({"evaluates": "for the mover"},),
        ),
        (
            "sign-changed",
            "evaluation",
            "Your search changes the sign of every evaluation.",
            what,
            ({"evaluates": "minus"},),
        ),
        (
            "parent-evaluated",
            "evaluation",
            "Your search evaluates the node above the one that it has reached.",
            what,
            ({"evaluates": "parent"},),
        ),
        (
            "parent-evaluated",
            "evaluation",
            "At the horizon your search evaluates the node above the one that it has reached.",
            what,
            ({"evaluates": "parent unless the game is over"},),
        ),
        (
            "evaluations-added",
            "evaluation",
            "Your search adds the evaluations of all nodes on the way to the value.",
            "The score already contains what Pacman has won on the way. Which nodes should be evaluated?",
            ({"adds_evaluation": True},),
        ),
        (
            "ends-left-out",
            "ends",
            "Your search leaves out actions that end the game.",
            early,
            (
                {"ignores_ends": "every node"},
                {"ignores_ends": "max nodes"},
                {"ignores_ends": "min nodes"},
                {"ignores_ends": "chance nodes"},
            ),
        ),
        (
            "absolute-evaluation",
            "evaluation",
            "Your search drops the sign of evaluations.",
            what,
            ({"evaluates": "absolute"},),
        ),
        (
            "whole-evaluation",
            "evaluation",
            "Your search cuts evaluations off to whole numbers.",
            "An evaluation may have a fraction, and two leaves may differ only there. Where do you call `int`?",
            ({"evaluates": "whole"},),
        ),
        ("zero-evaluation", "evaluation", "Your search takes every leaf as worth 0.", what, ({"evaluates": "zero"},)),
        (
            "best-successor-evaluated",
            "horizon",
            "At the horizon your search takes the best evaluation of a successor, not the evaluation of the "
            "node itself.",
            "With 0 plies left, which node should be evaluated? " + what,
            ({"evaluates": "best successor"}, {"evaluates": "best successor for the mover"}),
        ),
    )
    for name, facet, sentence, hint, changes in rows:
        yield Hypothesis(name, facet, sentence, hint, changes)
    for factor in (0.9, 0.99, 0.95, 0.8, 0.5, 2.0, -1.0):
        words = (
            "changes the sign of a value at every ply"
            if factor < 0
            else f"multiplies a value by {factor:g} at every ply"
        )
        hint = "Pacman's score already counts the moves. What does the question say about the value of a node?"
        yield Hypothesis("discount", "values", f"Your search {words}.", hint, ({"discount": factor},))
    for number in (-1.0, 1.0, -0.1, 0.1, 0.01, -0.01, 10.0, -10.0):
        words = (
            f"{'adds' if number > 0 else 'subtracts'} {abs(number):g} {'to' if number > 0 else 'from'} a value at "
            f"every ply"
        )
        hint = "The score already counts the moves. What does the question say about the value of a node?"
        yield Hypothesis("cost-per-ply", "values", f"Your search {words}.", hint, ({"per_ply": number},))


PLACE_PHRASES = {
    "everywhere": "At {L} nodes",
    "at the root": "If the root is a {L} node, then at the root",
    "below the root": "At {L} nodes below the root",
    "below another of its layer": "At a {L} node directly below another {L} node",
    "first of its layer": "At a {L} node that is not directly below another {L} node",
    "below a max node": "At a {L} node directly below a MAX node",
    "below a min node": "At a {L} node directly below a MIN node",
    "below a chance node": "At a {L} node directly below a CHANCE node",
    "not below a max node": "At a {L} node that is not directly below a MAX node",
    "not below a min node": "At a {L} node that is not directly below a MIN node",
    "not below a chance node": "At a {L} node that is not directly below a CHANCE node",
    "first ghost": "At the {L} nodes of the first ghost after MAX",
    "later ghost": "At the {L} nodes of the second ghost and of later ghosts",
    "last ghost": "At the {L} nodes of the last ghost in a round",
    "not last ghost": "At the {L} nodes of every ghost but the last one in a round",
    "after the first round": "At {L} nodes after the first round",
    "in the first round": "At {L} nodes in the first round",
    "with one ply left": "At {L} nodes with exactly one ply left",
    "with more plies left": "At {L} nodes with more than one ply left",
    "second of its layer": "At the second of several {L} nodes in a row",
    "third of its layer": "At the third of several {L} nodes in a row",
    "second ghost": "At the {L} nodes of the second ghost after MAX",
    "third ghost": "At the {L} nodes of the third ghost after MAX",
    "at even depth": "At {L} nodes at an even depth (0, 2, 4, ... plies below the root)",
    "at odd depth": "At {L} nodes at an odd depth (1, 3, 5, ... plies below the root)",
    "with an even number of plies left": "At {L} nodes with an even number of plies left",
    "with an odd number of plies left": "At {L} nodes with an odd number of plies left",
    "two or more plies below the root": "At {L} nodes two or more plies below the root",
    "one ply below the root": "At {L} nodes one ply below the root",
    "with a single action": "At {L} nodes with a single action",
    "an even number of plies after max": "At {L} nodes an even number of plies after MAX",
}
ROOT_IS_MAX = (Decider(MIN, "at the root", "max"), Decider(CHANCE, "at the root", "max"))
"""What a search does that never asks who moves at the root."""
FREQUENT_PLACES = ("everywhere",)
RULE_PHRASES = {
    "max": "takes the largest value",
    "min": "takes the smallest value",
    "picks max": "takes the largest value",
    "picks min": "takes the smallest value",
    "mean": "takes the mean of the values",
    "best evaluation": "takes the largest evaluation of its children, not of their values",
    "worst evaluation": "takes the smallest evaluation of its children, not of their values",
    "equal mean": "takes the plain mean of the values, without their probabilities",
    "sum": "takes the sum of the values",
    "mean divided again": "computes the mean and divides it by the number of children once more",
    "divided by root actions": "divides the sum of the values by the number of actions at the root",
    "probabilities squared": "multiplies each value by its probability twice",
    "mean of evaluations": "takes the mean of its children's evaluations and does not search the children's values",
    "equal mean of evaluations": "takes the plain mean of its children's evaluations, not of their values",
    "mean rounded down": "rounds the mean down to a whole number",
    "mean cut off": "cuts the mean off to a whole number",
    "mean rounded": "rounds the mean to a whole number",
    "terms rounded down": "rounds every product of probability and value down to a whole number",
    "terms cut off": "cuts every product of probability and value off to a whole number",
    "values cut off": "cuts every value off to a whole number before it takes the mean",
    "equal mean rounded down": "rounds the plain mean down to a whole number",
    "equal mean cut off": "cuts the plain mean off to a whole number",
    "first": "takes the value of the first child",
    "last": "takes the value of the last child",
    "most likely": "takes the value of the most likely child",
    "least likely": "takes the value of the least likely child",
    "median": "takes the median of the values",
    "middle": "takes the middle between the smallest and the largest value",
    "max of first two": "takes the largest of the first two values",
    "min of first two": "takes the smallest of the first two values",
    "max without first": "takes the largest value but leaves the first child out",
    "min without first": "takes the smallest value but leaves the first child out",
    "max without last": "takes the largest value but leaves the last child out",
    "min without last": "takes the smallest value but leaves the last child out",
    "mean without first": "leaves the first child out of the mean",
    "mean without last": "leaves the last child out of the mean",
    "first term": "takes only the first child's probability times its value",
    "last term": "takes only the last child's probability times its value",
    "largest term": "takes the largest product of probability and value",
    "smallest term": "takes the smallest product of probability and value",
    "first divided": "takes the first child's value divided by the number of children",
    "last divided": "takes the last child's value divided by the number of children",
    "divided by one more": "divides the sum of the values by one more than the number of children",
    "divided by one less": "divides the sum of the values by one less than the number of children",
    "divided by two": "divides the sum of the values by two, however many children there are",
    "running mean": "takes the mean of the mean so far and the next value, child by child",
    "mean times children": "multiplies the mean by the number of children",
    "largest absolute": "takes the value with the largest absolute size",
    "smallest absolute": "takes the value with the smallest absolute size",
    "minus max": "takes the largest value with its sign changed",
    "minus min": "takes the smallest value with its sign changed",
    "minus mean": "takes the mean with its sign changed",
    "max of negatives": "changes the sign of its children's values and takes the largest",
    "mean of different values": "counts equal values only once in the mean",
    "max with own evaluation": "takes the node's own evaluation if no child has a larger value",
    "min with own evaluation": "takes the node's own evaluation if no child has a smaller value",
    "mean plus own evaluation": "adds the node's own evaluation to the mean",
    "greedy": "chooses the child with the best evaluation and searches only that child",
    "own evaluation": "takes the node's own evaluation and ignores its children's values",
    "zero": "takes 0, whatever the children are worth",
    "last probability for all": "gives the last outcome's probability to every value",
    "middle median": "takes the median of the values",
    "mean and first": "counts the first outcome twice: once in full and once in the mean",
    "most likely only": "searches only the most likely outcome and takes its value",
    "divided by agents": "divides the sum of the values by the number of agents",
    "running mean from 0": "takes the mean of its number so far, which starts at 0, and the next value, child by child",
    "divided in the loop": "divides by the number of children after each child, not once at the end",
    "infinite": "returns infinity",
    "minus infinite": "returns minus infinity",
    "probabilities added": "adds the probabilities to the values; it should multiply",
    "second best": "takes the second-largest value",
    "second worst": "takes the second-smallest value",
    "mean of mean and min": "takes the middle between the mean and the smallest value",
    "product": "takes the product of the values",
    "probabilities reversed": "gives the outcomes' probabilities to the values in the opposite order",
    "first probability for all": "gives the first outcome's probability to every value",
}
FREQUENT_RULES = (
    "max",
    "min",
    "mean",
    "equal mean",
    "sum",
    "mean divided again",
    "divided by root actions",
    "mean rounded down",
    "mean cut off",
    "mean rounded",
    "equal mean rounded down",
    "equal mean cut off",
    "first",
    "last",
    "last term",
)
LAYER_HINTS = {
    MAX: "At a MAX node Pacman chooses, and he wants the largest of the children's values. Which line of your code "
    "computes the value of a MAX node?",
    MIN: "At a MIN node an opponent of MAX chooses, and it wants the smallest of the children's values. Which line of "
    "your code runs at this MIN node?",
    CHANCE: "At a CHANCE node nobody chooses. The value is the sum of probability times value over `node.outcomes()`. "
    "Which line of your code runs at this CHANCE node?",
}
NAMES_OF_RULES = {
    (MAX, "min"): "max-as-min",
    (MAX, "mean"): "max-as-chance",
    (MIN, "max"): "min-as-max",
    (MIN, "mean"): "min-as-chance",
    (MIN, "equal mean"): "min-as-chance",
    (CHANCE, "min"): "chance-as-min",
    (CHANCE, "max"): "chance-as-max",
    (CHANCE, "sum"): "sum-for-mean",
    (CHANCE, "equal mean"): "equal-chances",
    (CHANCE, "mean divided again"): "mean-divided-again",
    (CHANCE, "divided by root actions"): "divided-by-others",
    (CHANCE, "mean rounded down"): "integer-division",
    (CHANCE, "mean cut off"): "integer-division",
    (CHANCE, "equal mean rounded down"): "integer-division",
    (CHANCE, "equal mean cut off"): "integer-division",
}
"""The names for wrong rules that have a common name; others are named by layer."""


def _rules_for(layer: Layer, rule: str) -> tuple[str, ...]:
    """The ways to write a rule at a layer; empty if the rule is right there, or cannot be."""
    right = {MAX: "max", MIN: "min", CHANCE: "mean"}[layer]
    if rule in (right, f"picks {right}"):
        return ()
    if rule.startswith("picks"):
        return ()
    if rule in ("max", "min"):
        return (rule,) if layer is CHANCE else (rule, f"picks {rule}")
    chances = (
        "mean divided again",
        "probabilities squared",
        "mean rounded",
        "terms",
        "most likely",
        "least likely",
        "first term",
        "last term",
        "largest term",
        "smallest term",
        "probabilities",
        "first probability",
        "last probability",
    )
    if layer is not CHANCE and rule.startswith(chances):
        return ()
    if layer is not CHANCE and rule == "equal mean":
        return ()  # without probabilities it is the mean
    return (rule,)


def _deciders(
    scope: Scope,
    places: Mapping[str, str] | tuple[str, ...],
    rules: Mapping[str, str] | tuple[str, ...],
    but: tuple[tuple[str, ...], tuple[str, ...]] | None = None,
) -> Iterator[Hypothesis]:
    for place in places:
        for rule in rules:
            if but and place in but[0] and rule in but[1]:
                continue
            for layer in scope.layers:
                if f"below a {layer.value} node" in place or (layer is MAX and "ghost" in place):
                    continue
                if scope.in_rounds and layer is MAX and rule not in ("min", "max") and place != "below the root":
                    continue  # there only the root's action shows, which is that of its best child
                ways = _rules_for(layer, rule)
                if not ways:
                    continue
                where = PLACE_PHRASES[place].format(L=layer.value.upper())
                plain = "takes the mean of the values" if layer is not CHANCE and rule == "mean" else RULE_PHRASES[rule]
                as_if = _as_if(layer, rule) if place == "everywhere" else ""
                changes: list[Change] = []
                for way in ways:
                    deciders = (Decider(layer, place, way),)
                    changes.append({"deciders": deciders})
                    if layer is CHANCE and way in ("max", "min"):
                        changes.append({"deciders": deciders, "acts_at_chance": True})
                if "ghost" in place:
                    changes += [{**change, "root_turn": 0} for change in changes]
                name = NAMES_OF_RULES.get((layer, rule), f"wrong-value-at-{layer.value}")
                sentence = f"{where}, your search {plain}{as_if}."
                yield Hypothesis(name, "deciders", sentence, LAYER_HINTS[layer], tuple(changes))
    if but is None and MIN in scope.layers:
        swapped = (Decider(MAX, "everywhere", "min"), Decider(MIN, "everywhere", "max"))
        picks = (Decider(MAX, "everywhere", "picks min"), Decider(MIN, "everywhere", "picks max"))
        yield Hypothesis(
            "exchanged",
            "deciders",
            "Your search swaps MAX and MIN.",
            "Take a tree with one MAX node and two leaves. Which leaf does MAX want, and which one do you return?",
            ({"deciders": swapped}, {"deciders": picks}),
        )
        by_depth = (
            Decider(MIN, "at even depth", "max"),
            Decider(MAX, "at odd depth", "min"),
            Decider(CHANCE, "at even depth", "max"),
        )
        by_turns = (
            Decider(MIN, "in max's turn", "max"),
            Decider(MAX, "in an opponent's turn", "min"),
            Decider(CHANCE, "in max's turn", "max"),
            Decider(CHANCE, "in an opponent's turn", "min"),
        )
        by_parity = (
            Decider(MIN, "with an even number of plies left", "max"),
            Decider(MAX, "with an odd number of plies left", "min"),
        )
        yield Hypothesis(
            "by-depth",
            "deciders",
            "Your search uses the depth, not the node, to decide whose turn it is: MAX at even plies, an "
            "opponent at odd "
            "plies.",
            "With two ghosts, who moves at the third ply? Ask the node: `node.layer`.",
            ({"deciders": by_depth}, {"deciders": by_depth[:2]}),
        )
        yield Hypothesis(
            "by-turns",
            "deciders",
            "Your search lets MAX and one opponent take turns, ply by ply, and does not ask the node who "
            "moves; so with "
            "two ghosts the second one takes the largest value.",
            "With two ghosts, who moves after the first ghost? Ask the node: `node.layer`.",
            (
                {"deciders": by_turns[:2]},
                {"deciders": by_turns},
                {"deciders": by_turns, "acts_at_chance": True},
                {"deciders": tuple(Decider(layer, place, f"picks {rule}") for layer, place, rule in by_turns[:2])},
            ),
        )
        yield Hypothesis(
            "by-plies-left",
            "deciders",
            "Your search decides by the number of plies left whose turn it is: MAX if it is even, MIN if it is odd.",
            "With two ghosts, who moves when three plies are left? Ask the node: `node.layer`.",
            ({"deciders": by_parity},),
        )
    if but is None:
        hint = "Which function does your code call for a child? The child says who decides there: `node.layer`."
        for above, layer in product(scope.layers, repeat=2):
            rule = {MAX: "max", MIN: "min", CHANCE: "mean"}[layer]
            place = f"below a {above.value} node"
            others = tuple(Decider(each, place, rule) for each in scope.layers if each is not layer)
            names = above.value.upper(), layer.value.upper()
            sentence = f"Directly below a {names[0]} node, your search treats every node as a {names[1]} node."
            changes_here: tuple[Change, ...] = ({"deciders": others}, {"deciders": others, "acts_at_chance": True})
            yield Hypothesis("layer-by-parent", "deciders", sentence, hint, changes_here)
    if but is None and len(scope.layers) == 3:
        pairs: tuple[tuple[str, str, tuple[Decider, ...]], ...] = (
            (
                "chance-and-min-exchanged",
                "Your search swaps MIN and CHANCE nodes.",
                (Decider(MIN, "everywhere", "mean"), Decider(CHANCE, "everywhere", "min")),
            ),
            (
                "by-turn",
                "Your search goes by the turn, not by the node: it takes the first ghost after MAX as MIN "
                "and every later ghost as CHANCE.",
                (
                    Decider(CHANCE, "first ghost", "min"),
                    Decider(MIN, "later ghost", "mean"),
                    Decider(CHANCE, "later ghost", "equal mean"),
                ),
            ),
            (
                "by-turn",
                "Your search goes by the turn, not by the node: it takes the first ghost after MAX as CHANCE "
                "and every later ghost as MIN.",
                (Decider(MIN, "first ghost", "mean"), Decider(CHANCE, "later ghost", "min")),
            ),
            (
                "by-turn",
                "Your search goes by the turn, not by the node: it takes the last ghost of a round as MIN "
                "and every other ghost as CHANCE.",
                (Decider(CHANCE, "last ghost", "min"), Decider(MIN, "not last ghost", "mean")),
            ),
            (
                "ghosts-all-random",
                "At MIN and CHANCE nodes your search takes the plain mean, as if all ghosts moved at random "
                "and all moves "
                "were equally likely.",
                (Decider(MIN, "everywhere", "mean"), Decider(CHANCE, "everywhere", "equal mean")),
            ),
            (
                "ghosts-all-max",
                "At MIN and CHANCE nodes your search takes the largest value, as if all ghosts helped Pacman.",
                (Decider(MIN, "everywhere", "max"), Decider(CHANCE, "everywhere", "max")),
            ),
        )
        for name, sentence, several in pairs:
            hint = "The node says who decides: `node.layer`. Which test in your code chooses between MIN and CHANCE?"
            yield Hypothesis(
                name,
                "deciders",
                sentence,
                hint,
                (
                    {"deciders": several},
                    {"deciders": several, "acts_at_chance": True},
                    {"deciders": (*ROOT_IS_MAX, *several), "root_turn": 0},
                    {"deciders": (*ROOT_IS_MAX, *several), "root_turn": 0, "acts_at_chance": True},
                ),
            )


def _as_if(layer: Layer, rule: str) -> str:
    return {
        (MAX, "min"): ", as if Pacman wanted to lose",
        (MAX, "mean"): ", as if Pacman moved at random",
        (MIN, "max"): ", as if the ghosts helped Pacman",
        (MIN, "mean"): ", as if the ghosts moved at random",
        (CHANCE, "min"): ", as if chance were an opponent",
        (CHANCE, "max"): ", as if chance were on Pacman's side",
    }.get((layer, rule), "")


def _starts(scope: Scope) -> Iterator[Hypothesis]:
    hint = "For every number that you choose, a real value can be larger. `math.inf` is larger than every value."
    zero = "What if every action is worth less than 0? Which start value is worse than every real value?"
    yield Hypothesis(
        "no-action",
        "action",
        "Your search returns no action: `None` where the best action should be.",
        "A search returns the value and the action together. Where do you store the action whose value is "
        "the best, and "
        "does every branch return it?",
        ({"action": "none"},),
    )
    if scope.in_rounds:
        yield from _root_starts(zero)
    yield Hypothesis(
        "starts-at-zero",
        "starts",
        "At MAX nodes your search starts with 0 as its best value.",
        zero,
        ({"max_start": 0.0}, {"max_start": 0.0, "default_action": "first"}),
    )
    yield Hypothesis(
        "starts-at-zero",
        "starts",
        "At MIN nodes your search starts with 0 as its best value.",
        zero,
        ({"min_start": 0.0}, {"min_start": 0.0, "default_action": "first"}),
    )
    yield Hypothesis(
        "starts-at-zero",
        "starts",
        "Your search starts with 0 as its best value, at MAX and at MIN nodes.",
        zero,
        ({"max_start": 0.0, "min_start": 0.0}, {"max_start": 0.0, "min_start": 0.0, "default_action": "first"}),
    )
    yield Hypothesis(
        "start-swapped",
        "starts",
        "Your search starts from the wrong infinity: no value is better than its first one.",
        "Which start value is worse than every real value: `inf` or `-inf`?",
        ({"max_start": inf}, {"min_start": -inf}, {"max_start": inf, "min_start": -inf}),
    )
    if not scope.in_rounds:
        yield from _root_starts(zero)
    yield Hypothesis(
        "starts-at-zero",
        "starts",
        "At MAX nodes below the root your search starts with 0 as its best value.",
        zero,
        ({"max_start": 0.0, "root_start": -inf},),
    )
    for number in sorted(set(MADE_UP)):
        text = f"{number:,.0f}"
        for words, start in (
            (
                f"-{text} at MAX nodes and from {text} at MIN nodes",
                {"max_start": -float(number), "min_start": float(number)},
            ),
            (f"-{text} at MAX nodes", {"max_start": -float(number)}),
            (f"{text} at MIN nodes", {"min_start": float(number)}),
        ):
            yield Hypothesis(
                "finite-infinity",
                "starts",
                f"Your search starts from {words} instead of infinity; a real value can lie beyond that number.",
                hint,
                (start, {**start, "window": float(number)}),
            )
        yield Hypothesis(
            "finite-infinity",
            "starts",
            f"Your search starts with the window (-{text}, {text}); a real value can lie beyond these numbers.",
            hint,
            (
                {"window": float(number)},
                {"window": float(number), "uncut": "the root"},
                {"window": float(number), "default_action": "first"},
            ),
        )
    yield Hypothesis(
        "starts-from-evaluation",
        "starts",
        "Your search starts with the node's own evaluation as its best value, so a node is never worth less "
        "to MAX (or more to MIN) than its own evaluation.",
        "The evaluation of a node is a guess. What should it count once the children have been searched?",
        ({"starts_from": "own evaluation"},),
    )
    yield Hypothesis(
        "first-child-not-searched",
        "starts",
        "Your search takes the evaluation of the first child as its first best value, and does not search that child.",
        "Which call gives you the value of the first child, and which one the values of the others?",
        ({"starts_from": "first evaluation"},),
    )
    for shares, nodes in (("every node", "nodes"), ("max nodes", "MAX nodes"), ("all but max nodes", "MIN nodes")):
        yield Hypothesis(
            "best-shared",
            "starts",
            f"In your search all {nodes} share one best value, which is set only once in a search.",
            "Each node needs a best value of its own. Where is yours stored, and when is it set to its start value?",
            ({"shares_best": shares},),
        )


def _root_starts(zero: str) -> Iterator[Hypothesis]:
    """Searches whose root starts from a number. Only the root's action shows in Berkeley-style files."""
    for number in (0.0, -1.0, -100.0, -999.0, -1000.0, -9999.0, -10_000.0, -99_999.0, -999_999.0):
        yield Hypothesis(
            "root-starts-too-high",
            "starts",
            f"At the root your search starts with {number:g} as its best value, so no action with a smaller "
            f"value counts.",
            zero,
            ({"root_start": number}, {"root_start": number, "default_action": "Stop"}),
        )


def _actions(scope: Scope) -> Iterator[Hypothesis]:
    rows: tuple[tuple[str, str, str, tuple[Change, ...]], ...] = (
        (
            "last-of-ties",
            "Of equally good actions, your search takes the last one, not the first.",
            "A later action must be better, not only equally good. In alpha-beta, an action that was cut off "
            "can look equally good: what do you know about its value?",
            ({"ties_max": "last"}, {"ties_max": "last", "ties_min": "last"}, {"ties_min": "last"}),
        ),
        (
            "action-from-below",
            "Your search returns the action that its child would take, not its own action.",
            "The search of a child returns the child's own action. Which action leads from here to that child?",
            ({"action": "child"},),
        ),
        (
            "action-of-last-loop",
            "The action is always the last one that your loop tried, not the best one.",
            "After the loop, what does the loop variable hold? Store the action at the moment when its value "
            "becomes the best.",
            ({"action": "last"},),
        ),
        (
            "first-action",
            "The action is always the first one, not the best one.",
            "Where do you store the action whose value is the best so far?",
            ({"action": "first"},),
        ),
        (
            "action-by-evaluation",
            "The action is the one with the best evaluation after one move.",
            "The action must lead to the child with the best searched value.",
            ({"action": "by evaluation"},),
        ),
        (
            "action-overwritten",
            "Your search keeps the action in one place that every node overwrites, so the root returns the "
            "action of the "
            "node that wrote last.",
            "Who writes to the variable with the action, besides the root?",
            ({"action": "last written"},),
        ),
        (
            "last-value",
            "Your search returns the value of the last action that it tried, not the best value.",
            "After the loop, which variable holds the best value, and which one do you return?",
            (
                {"returns_last": "every node"},
                {"returns_last": "every node", "action": "last"},
                {"returns_last": "max nodes"},
                {"returns_last": "all but max nodes"},
            ),
        ),
        (
            "last-name",
            "Your search chooses among the actions by their names, not by their values.",
            "What does `max` compare if you give it a dictionary or pairs that begin with the name?",
            (
                {"compares": "names", "compares_at": "max nodes"},
                {"compares": "names"},
                {"compares": "names", "compares_at": "min nodes"},
            ),
        ),
        (
            "best-line-shared",
            "Your search keeps the best line in one variable that every node below overwrites.",
            "Each node needs a best line of its own. What is in your variable after the search of the first child?",
            ({"one_best": True},),
        ),
        (
            "no-action-at-min",
            "At MIN nodes your search returns no action: `None` where the action with the smallest value should be.",
            "A ghost's node can be the root too. Where do you store the action at a MIN node?",
            ({"action": "none at min"},),
        ),
        (
            "stops-when-good-enough",
            "At MAX nodes your search stops at the first value above 0.",
            "Can a later action be worth even more than the first good one?",
            ({"enough": 0.0},),
        ),
        (
            "compares-text",
            "Your search compares values as text, so that 9 counts as more than 12.",
            "What do `str(9) > str(12)` and `9 > 12` give?",
            ({"compares": "text"},),
        ),
        (
            "compares-size",
            "Your search compares values without their signs.",
            "Which is better for MAX: -5 or 3?",
            ({"compares": "absolute"}, {"compares": "absolute", "compares_at": "max nodes"}),
        ),
        (
            "first-child-only",
            "Whatever action its loop tries, your search goes on with the first child of the node.",
            "Inside the loop, which action do you pass to `successor`?",
            ({"searches_only": "first"}, {"searches_only": "first", "ties_max": "last", "ties_min": "last"}),
        ),
        (
            "last-child-only",
            "Whatever action its loop tries, your search goes on with the last child of the node.",
            "Inside the loop, which action do you pass to `successor`?",
            ({"searches_only": "last"}, {"searches_only": "last", "ties_max": "last", "ties_min": "last"}),
        ),
    )
    for name, sentence, hint, changes in rows:
        yield Hypothesis(name, "action", sentence, hint, changes)
    skips = {
        "stop": "Your search leaves out the action Stop.",
        "max's stop": "At MAX nodes your search leaves out the action Stop.",
        "root's stop": "At the root your search leaves out the action Stop.",
        "all but first": "Your search looks only at the first action of every node.",
        "all but first of later ghosts": (
            "Your search tries the actions of the first ghost only; for every other ghost it takes the first action."
        ),
        "all but last": "Your search looks only at the last action of every node.",
        "first": "Your search leaves out the first action of every node that has others.",
        "last": "Your search leaves out the last action of every node that has others.",
        "all but first of max": "At MAX nodes your search looks only at the first action.",
        "all but first of min": "At MIN nodes your search looks only at the first action.",
        "all but first of chance": "At CHANCE nodes your search looks only at the first action.",
        "first of max": "At MAX nodes your search leaves out the first action.",
        "last of max": "At MAX nodes your search leaves out the last action.",
        "first of min": "At MIN nodes your search leaves out the first action.",
        "last of min": "At MIN nodes your search leaves out the last action.",
        "first of chance": "At CHANCE nodes your search leaves out the first action.",
        "last of chance": "At CHANCE nodes your search leaves out the last action.",
        "all but first below the root": "Below the root your search looks only at the first action of every node.",
        "outcomes below 0.1": "At CHANCE nodes your search leaves out unlikely outcomes.",
        "outcomes below 0.2": "At CHANCE nodes your search leaves out unlikely outcomes.",
        "outcomes below 0.25": "At CHANCE nodes your search leaves out unlikely outcomes.",
        "outcomes of equal probability": (
            "At CHANCE nodes your search keeps only one of the outcomes that have the same probability."
        ),
        "impossible outcomes": "At CHANCE nodes your search leaves out outcomes with probability 0.",
        "all but first two": "Your search looks only at the first two actions of every node.",
    }
    hint = (
        "Print the actions that your loop tries at one node, beside `node.actions()`. Does a `return` or a slice "
        "end the loop early?"
    )
    names = {
        "stop": "stop-dropped",
        "max's stop": "stop-dropped",
        "root's stop": "stop-dropped",
        "all but first of later ghosts": "first-ghost-only",
    }
    for skip, sentence in skips.items():
        change: Change = {"skips": skip}
        if skip == "stop":
            yield Hypothesis(names[skip], "children", sentence, hint, (change, {"skips": "stop beside others"}))
            continue
        once = (
            (change, {"skips": skip, "deciders": (Decider(CHANCE, "everywhere", "first term"),)})
            if "all but first" in skip
            else (change,)
        )
        yield Hypothesis(names.get(skip, "children-left-out"), "children", sentence, hint, once)


CUT_HINT = "MAX already has 3 elsewhere, and MIN has found a 2 here. Does the rest of this node matter?"
BOUNDS_HINT = (
    "alpha is what MAX already has on the path to this node, beta is what MIN already has. Follow both from the root "
    "through two calls: who may change which one, and what does each call pass on?"
)


def _cut_rules(scope: Scope) -> Iterator[Hypothesis]:
    """Searches that cut at equality where they must not, or the other way round."""
    other = "strict" if scope.cuts == "equal" else "equal"
    both: tuple[Change, ...] = ({"cuts": other}, {"cuts_max": f"value {other}", "cuts_min": f"value {other}"})
    if other == "strict":
        name = "strict-cut"
        sentence = "Your search cuts only when alpha > beta; in this question it should also cut when alpha == beta."
        hint = (
            "MAX has 3 elsewhere, and here MIN can make sure that MAX gets at most 3. Can the rest of this node still "
            "change MAX's choice?"
        )
    else:
        name = "equal-cut"
        sentence = "Your search cuts when alpha == beta; in this question it should cut only when alpha > beta."
        hint = "Read the question again: when does it allow a cut? What should happen when alpha and beta are equal?"
    yield Hypothesis(name, "windows", sentence, hint, both)
    tests = {"equal": "also when alpha == beta", "strict": "only when alpha > beta"}
    for layer, rest in ((MAX, MIN), (MIN, MAX)):
        sentence = (
            f"At {layer.value.upper()} nodes your search cuts {tests[other]}, but at {rest.value.upper()} nodes "
            f"{tests[scope.cuts or 'equal']}."
        )
        yield Hypothesis(
            f"{name}-at-{layer.value}",
            "windows",
            sentence,
            f"Compare the tests of your MAX and MIN nodes. {hint}",
            (
                {f"cuts_{layer.value}": other},
                {f"cuts_{layer.value}": f"value {other}", f"cuts_{rest.value}": f"value {scope.cuts}"},
            ),
        )


def _windows(scope: Scope) -> Iterator[Hypothesis]:
    value = {"cuts_max": f"value {scope.cuts}", "cuts_min": f"value {scope.cuts}"}
    yield from _cut_rules(scope)
    rows: tuple[tuple[str, str, str, tuple[Change, ...]], ...] = (
        ("no-cut", "Your search never cuts off a branch.", CUT_HINT, ({"cuts": ""},)),
        (
            "no-cut-at-max",
            "Your search cuts at MIN nodes but never at MAX nodes.",
            "MIN already has 3 elsewhere, and MAX has found a 5 here. Does the rest of this MAX node matter?",
            ({"cuts_max": "never"}, {"cuts_max": "never", "cuts_min": f"value {scope.cuts}"}),
        ),
        (
            "no-cut-at-min",
            "Your search cuts at MAX nodes but never at MIN nodes.",
            CUT_HINT,
            ({"cuts_min": "never"}, {"cuts_min": "never", "cuts_max": f"value {scope.cuts}"}),
        ),
        (
            "alpha-never-raised",
            "In your search MAX nodes never raise alpha, so MIN nodes below them never cut.",
            BOUNDS_HINT,
            ({"updates_max": "nothing"}, {"updates_max": "nothing", **value}),
        ),
        (
            "beta-never-lowered",
            "In your search MIN nodes never lower beta, so MAX nodes below them never cut.",
            BOUNDS_HINT,
            ({"updates_min": "nothing"}, {"updates_min": "nothing", **value}),
        ),
        (
            "root-never-raises-alpha",
            "In your search the root never passes on what it has found: each of its children starts with the "
            "window (-inf, inf).",
            BOUNDS_HINT,
            ({"passes_root": "neither"}, {"passes_root": "neither", **value}),
        ),
        (
            "alpha-lost",
            "In your search alpha does not reach the nodes below, so MIN nodes never cut.",
            "Every node below a MAX node should know what MAX already has. Follow alpha from the root "
            "through two calls.",
            ({"passes_max": "beta", "passes_min": "beta"}, {"passes_max": "beta", "passes_min": "beta", **value}),
        ),
        (
            "beta-lost",
            "In your search beta does not reach the nodes below, so MAX nodes never cut.",
            "Every node below a MIN node should know what MIN already has. Where does your MIN node pass this on?",
            ({"passes_max": "alpha", "passes_min": "alpha"}, {"passes_max": "alpha", "passes_min": "alpha", **value}),
        ),
        (
            "alpha-lost-at-max",
            "In your search MAX nodes do not pass alpha on.",
            BOUNDS_HINT,
            ({"passes_max": "beta"}, {"passes_max": "beta", **value}),
        ),
        (
            "alpha-lost-at-min",
            "In your search MIN nodes do not pass alpha on.",
            BOUNDS_HINT,
            ({"passes_min": "beta"}, {"passes_min": "beta", **value}),
        ),
        (
            "beta-lost-at-max",
            "In your search MAX nodes do not pass beta on.",
            BOUNDS_HINT,
            ({"passes_max": "alpha"}, {"passes_max": "alpha", **value}),
        ),
        (
            "beta-lost-at-min",
            "In your search MIN nodes do not pass beta on.",
            BOUNDS_HINT,
            ({"passes_min": "alpha"}, {"passes_min": "alpha", **value}),
        ),
        (
            "alpha-reset",
            "In your search every MAX node starts again with alpha = -inf and forgets the alpha that it got.",
            BOUNDS_HINT,
            ({"enters_max": "beta"}, {"enters_max": "beta", **value}),
        ),
        (
            "beta-reset",
            "In your search every MIN node starts again with beta = inf and forgets the beta that it got.",
            BOUNDS_HINT,
            ({"enters_min": "alpha"}, {"enters_min": "alpha", **value}),
        ),
        (
            "both-reset",
            "In your search every node starts again with the window (-inf, inf).",
            BOUNDS_HINT,
            ({"enters_max": "neither", "enters_min": "neither"}, {"passes_max": "neither", "passes_min": "neither"}),
        ),
        (
            "alpha-reset-at-min",
            "In your search every MIN node starts with alpha = -inf and forgets the alpha that it got, so it "
            "never cuts.",
            BOUNDS_HINT,
            ({"enters_min": "beta"},),
        ),
        (
            "window-reset",
            "In your search every MAX node starts again with the window (-inf, inf) and forgets what it got.",
            BOUNDS_HINT,
            ({"enters_max": "neither"}, {"enters_max": "neither", **value}),
        ),
        (
            "window-reset",
            "In your search every MIN node starts again with the window (-inf, inf) and forgets what it got.",
            BOUNDS_HINT,
            ({"enters_min": "neither"}, {"enters_min": "neither", **value}),
        ),
        (
            "beta-reset-at-max",
            "In your search every MAX node starts with beta = inf and forgets the beta that it got, so it never cuts.",
            BOUNDS_HINT,
            ({"enters_max": "alpha"},),
        ),
        (
            "own-bound-only",
            "In your search a node passes down only the bound that it found itself and forgets the one from "
            "above, so there are no deep cuts.",
            "MAX has 5 at the root. Two layers below, another MAX node has 4. Which of the two numbers is "
            "the bound that counts?",
            (
                {"passes_max": "own alpha", "passes_min": "own beta"},
                {"passes_max": "own", "passes_min": "own"},
                {"passes_max": "own alpha", "passes_min": "own beta", **value},
                {"passes_max": "own", "passes_min": "own", **value},
            ),
        ),
        (
            "bound-overwritten",
            "Your search overwrites its bound with the last child's value, also if the bound was already better.",
            "A bound may only become tighter. What does your line do when the new value is worse than the old bound?",
            ({"updates_max": "set", "updates_min": "set"}, {"updates_max": "set"}, {"updates_min": "set"}),
        ),
        (
            "bound-forgotten",
            "Your search replaces a bound by the node's own best value, also if the bound from above was "
            "already tighter.",
            "A bound may only become tighter. What does your line do when this node's best value is worse "
            "than the old bound?",
            (
                {"updates_max": "set best", "updates_min": "set best"},
                {"updates_max": "set best"},
                {"updates_min": "set best"},
            ),
        ),
        (
            "bounds-exchanged",
            "Your search swaps alpha and beta: MAX nodes change beta and MIN nodes change alpha.",
            BOUNDS_HINT,
            (
                {"updates_max": "other", "updates_min": "other"},
                {"updates_max": "other", "updates_min": "other", **value},
                {"updates_max": "other best", "updates_min": "other best"},
            ),
        ),
        (
            "window-swapped",
            "Your search passes alpha and beta on in the wrong order.",
            "In which order does your function take the two bounds, and in which order does your call pass them?",
            ({"passes_max": "swapped", "passes_min": "swapped"}, {"passes_max": "swapped"}, {"passes_min": "swapped"}),
        ),
        (
            "beta-changed-at-max",
            "At MAX nodes your search lowers beta; it should raise alpha.",
            BOUNDS_HINT,
            (
                {"updates_max": "other"},
                {"updates_max": "other", **value},
                {"updates_max": "set other"},
                {"updates_max": "other best"},
            ),
        ),
        (
            "alpha-changed-at-min",
            "At MIN nodes your search raises alpha; it should lower beta.",
            BOUNDS_HINT,
            (
                {"updates_min": "other"},
                {"updates_min": "other", **value},
                {"updates_min": "set other"},
                {"updates_min": "other best"},
            ),
        ),
        (
            "bound-loosened",
            "Your search moves a bound in the wrong direction.",
            "alpha may only rise and beta may only fall.",
            (
                {"updates_max": "wrong way"},
                {"updates_min": "wrong way"},
                {"updates_max": "wrong way", "updates_min": "wrong way"},
            ),
        ),
        (
            "cut-returns-bound",
            "After a cut your search returns a wrong number: the other bound, not the value that it found.",
            "What do you know about the value of a node when you cut it off? Which number says that?",
            (
                {"cut_returns": "other bound"},
                {"cut_returns": "other bound at max"},
                {"cut_returns": "other bound at min"},
                {"cut_returns": "zero"},
            ),
        ),
        (
            "window-through-chance",
            "Your search passes its window through a CHANCE node, but a mean needs the exact value of every outcome.",
            "One outcome is below alpha. Does this prove that the mean is below alpha?",
            ({"through_chance": True},),
        ),
        (
            "window-shared",
            "In your search all nodes share one window: no node sets alpha and beta back when it returns.",
            "A bound holds only below the node that found it. Where are your alpha and beta stored?",
            ({"window_shared": True}, {"window_shared": True, **value}),
        ),
        (
            "fail-hard",
            "After a cut your search returns the bound, not the value that it found; so nodes above see equal values.",
            "Which number does your search return when it cuts, and what does the node above compare it with?",
            ({"hard": True},),
        ),
        (
            "no-cut-above-horizon",
            "Your search does not cut at nodes with exactly one ply left.",
            CUT_HINT,
            ({"uncut": "nodes above the horizon"},),
        ),
        (
            "window-lost-between-ghosts",
            "In your search a node gives a child of its own layer the window (-inf, inf), so below a second "
            "ghost there "
            "are fewer cuts.",
            BOUNDS_HINT,
            ({"resets_at_same_layer": True},),
        ),
        (
            "margin",
            "Your search already cuts when alpha >= beta - 1.",
            "Two values may differ by less than 1. When is it certain that the rest of a node does not matter?",
            ({"cuts_max": "margin of 1", "cuts_min": "margin of 1"},),
        ),
        (
            "window-starts-at-zero",
            "Your search starts with a window that has 0 as a bound.",
            "Which values are possible at the root? Which window contains all of them?",
            (
                {"window_alpha": 0.0},
                {"window_beta": 0.0},
                {"window_alpha": 0.0, "window_beta": 0.0},
                {"window_alpha": 0.0, "window_beta": 1000.0},
                {"window_alpha": 0.0, "window_beta": 10_000.0},
            ),
        ),
    )
    for name, sentence, hint, changes in rows:
        yield Hypothesis(name, "windows", sentence, hint, changes)
    tests = {
        "own bound": "stops as soon as a value reaches the node's own bound ({own})",
        "own bound strict": "stops as soon as a value is better than the node's own bound ({own})",
        "own bound reversed": "stops as soon as its best value is not better than the node's own bound ({own})",
        "own bound reversed strict": "stops as soon as its best value is worse than the node's own bound ({own})",
        "reversed": "cuts in the wrong direction: it stops while its best value is still inside {other}",
        "reversed strict": "cuts in the wrong direction: it stops while its best value is still inside {other}",
        "window reversed": "cuts while alpha <= beta, so it stops after its first child",
        "right or own bound": "also stops when its best value is not better than the node's own bound ({own})",
        "always": "stops after its first child",
    }
    for test, words in tests.items():
        for layer, field, own, other in ((MAX, "cuts_max", "alpha", "beta"), (MIN, "cuts_min", "beta", "alpha")):
            sentence = f"At {layer.value.upper()} nodes your search {words.format(own=own, other=other)}."
            hint = (
                f"A {layer.value.upper()} node may stop when its value is too good for the opponent above. Which "
                f"bound is the opponent's: alpha or beta?"
            )
            yield Hypothesis("wrong-cut-test", "windows", sentence, hint, ({field: test},))
        sentence = (
            f"Your search {words.format(own='alpha at MAX, beta at MIN', other='the bound')}, at MAX and at MIN nodes."
        )
        yield Hypothesis("wrong-cut-test", "windows", sentence, BOUNDS_HINT, ({"cuts_max": test, "cuts_min": test},))


def _chance_stops() -> Iterator[Hypothesis]:
    own = {"passes_max": "own alpha", "passes_min": "own beta"}
    yield Hypothesis(
        "chance-stops",
        "windows",
        "Your search leaves a CHANCE node when its sum so far is not better than what MAX already has elsewhere.",
        "The outcomes that are missing can still change the sum. What would you have to know about them?",
        (
            {"chance_stops": "strict"},
            {"chance_stops": "equal"},
            {"chance_stops": "strict", **own},
            {"chance_stops": "equal", **own},
        ),
    )


def _unasked_cuts(scope: Scope) -> Iterator[Hypothesis]:
    hint = "This question is about search without cuts. Which condition in your code leaves a loop early?"
    changes: tuple[Change, ...] = ({"cuts": "equal"}, {"cuts": "strict"})
    yield Hypothesis(
        "cuts-unasked",
        "windows",
        "Your search cuts off branches, but in this question it should look at every node.",
        hint,
        changes,
        costless=True,
    )
    if CHANCE in scope.layers:
        through = ({"cuts": "equal", "through_chance": True}, {"cuts": "strict", "through_chance": True})
        yield Hypothesis(
            "window-through-chance",
            "windows",
            "Your search cuts off branches, and it passes its window through a CHANCE node, but a mean needs "
            "the exact value of every outcome.",
            "One outcome is below alpha. Does this prove that the mean is below alpha?",
            through,
        )


def _memory(scope: Scope) -> Iterator[Hypothesis]:
    hint = "A value belongs to a node and to the number of plies that were left there. What is the key of your table?"
    bounds = (
        "A value that was found in one window may be only a bound in another. What does your table store after a cut?"
    )
    yield Hypothesis(
        "memory-without-plies",
        "memory",
        "Your search stores the value of a position and uses it again with another number of plies left.",
        hint,
        ({"memory": "node"}, {"memory": "every node"}),
    )
    yield Hypothesis(
        "visited-once",
        "memory",
        "Your search does not search a position again that it has already seen; it evaluates it instead.",
        "The same position can be reached in several ways, and each way counts. Why does your search "
        "remember where it was?",
        ({"memory": "visited"},),
    )
    if scope.prunes:
        yield Hypothesis(
            "memory-of-bounds",
            "memory",
            "Your search stores values that are only bounds after a cut, and uses them as exact values.",
            bounds,
            ({"memory": "node and plies"},),
        )
    else:
        yield Hypothesis(
            "remembers",
            "memory",
            "Your values and actions are right; your search remembers the values of positions, so it "
            "generates fewer nodes than asked.",
            "A table of values is a good idea, but this question counts the nodes of a search without one.",
            ({"memory": "node and plies"},),
            costless=True,
        )
    yield Hypothesis(
        "memory-by-score",
        "memory",
        "Your search stores values under a key that different positions share.",
        hint,
        ({"memory": "score"}, {"memory": "plies"}),
    )


def _economy(scope: Scope) -> Iterator[Hypothesis]:
    rows: tuple[tuple[str, str, str, tuple[Change, ...]], ...] = (
        (
            "made-twice",
            "Your search generates every successor twice.",
            "Store a successor in a variable and use the variable. How often does your loop call `successor`?",
            ({"makes": "twice"},),
        ),
        (
            "searched-twice",
            "Your search searches the same successor more than once, for example once for its action and "
            "once for its value.",
            "A search returns the value and the action together. How often do you call it for one child, and "
            "how often for a grandchild?",
            ({"searches": 2}, {"best_again": True}),
        ),
        (
            "other-order",
            "Your search looks at the actions in the opposite order.",
            "This question counts the nodes of a search that tries the actions in the order of `node.actions()`.",
            ({"order": "reversed"}, {"order": "reversed", "ties_max": "last", "ties_min": "last"}),
        ),
        (
            "ordered-by-evaluation",
            "Your search generates all successors of a node and tries those with the best evaluation first.",
            "This question counts the nodes of a search that tries the actions in the order of `node.actions()`.",
            ({"order": "best evaluation first"},),
        ),
        (
            "ordered-by-name",
            "Your search tries the actions in the order of their names.",
            "This question counts the nodes of a search that tries the actions in the order of `node.actions()`.",
            ({"order": "by name"},),
        ),
    )
    for name, sentence, hint, changes in rows:
        yield Hypothesis(name, "successors", sentence, hint, changes, costless=True)
    yield Hypothesis(
        "made-at-the-horizon",
        "successors",
        "Your search generates the successors of nodes at the horizon too.",
        "With no plies left the successors do not matter. Where does your code test for the horizon: before "
        "or after it "
        "generates successors?",
        ({"makes": "also at the horizon"},),
        costless=True,
    )
    yield Hypothesis(
        "deepens",
        "successors",
        "Your search deepens ply by ply and searches the whole tree again for each depth.",
        "This question counts the nodes of one search.",
        ({"deepens": True},),
        costless=True,
    )
    if scope.prunes:
        yield Hypothesis(
            "made-one-ahead",
            "successors",
            "Your search generates the next successor before it tests for the cut.",
            "After which line does your loop know that the rest of the node does not matter?",
            ({"makes": "one ahead"},),
            costless=True,
        )
    if scope.prunes:
        yield Hypothesis(
            "made-before-cut",
            "successors",
            "Your search generates all successors of a node before it looks at the first one, so a cut saves "
            "too little.",
            "A cut saves only the successors that do not exist yet. When does your loop generate the "
            "successor of the last action?",
            ({"makes": "all first"},),
            costless=True,
        )
    yield Hypothesis(
        "node-overwritten",
        "successors",
        "Your search overwrites its node: it plays each action after the previous one, not from the same position.",
        "`successor` returns a new position and does not change the old one. From which position do you try "
        "the second action?",
        ({"overwrites": True},),
    )
