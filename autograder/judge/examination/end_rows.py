"""What a wrong search evaluates, at the horizon and at the end of a game."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.judge.examination.mistake_row import Change, Hypothesis
from autograder.judge.examination.questions import Scope


def ends_and_evaluations(scope: Scope) -> Iterator[Hypothesis]:
    """Mistakes at terminal nodes and at the horizon."""
    early = "A game can end before all plies are used. What does your search do at a node where `is_terminal` is True?"
    left_out = "An action that ends the game counts like every other one. Which successors does your loop skip?"
    what = "Which node do you pass to `evaluate`, and what do you do with the number that it returns?"
    rows: tuple[tuple[str, str, str, str, tuple[Change, ...]], ...] = (
        ("ends-searched", "ends", "Your search expands terminal nodes, finds no successors there, and returns the "
         "value that it started from.", "What does your loop over the actions do when there are no actions? " + early,
         ({"ends": "searched"}, {"ends": "searched", "is_first_better": False},
          {"ends": "searched", "ends_first": True}, {"ends": "searched", "by_agent": True})),
        ("some-ends-searched", "ends", "Your search does not test for the end of the game at the ghosts' nodes.", early,
         ({"ends": "searched", "ends_missed": "ghosts'", "by_agent": True},
          {"ends": "raised", "ends_missed": "ghosts'"})),
        ("some-ends-searched", "ends", "Your search does not test for the end of the game at MAX nodes.", early,
         ({"ends": "searched", "ends_missed": "max's", "by_agent": True}, {"ends": "raised", "ends_missed": "max's"})),
        ("some-ends-searched", "ends", "Your search does not notice that a game is lost.",
         "A game can end in two ways. Which of them does your test notice?",
         ({"ends": "searched", "ends_missed": "losses", "by_agent": True},
          {"ends": "raised", "ends_missed": "losses"})),
        ("some-ends-searched", "ends", "Your search does not notice that a game is won.",
         "A game can end in two ways. Which of them does your test notice?",
         ({"ends": "searched", "ends_missed": "wins", "by_agent": True}, {"ends": "raised", "ends_missed": "wins"})),
        ("ends-raised", "ends", "Your search expands terminal nodes and fails there, because they have no actions.",
         early, ({"ends": "raised"},)),
        ("ends-worth-nothing", "ends", "Your search evaluates nodes at the horizon only: a game that ends earlier "
         "gets the value 0.", "A win is worth something, even if it comes early. Where do you call `evaluate`?",
         ({"ends": "zero"}, {"ends": "zero", "ends_first": True})),
        ("ends-infinite", "ends", "Your search gives infinity to a game that ends well, and minus infinity to one "
         "that ends badly, not their evaluation.", "Two wins can have different scores. Which value should a "
         "terminal node have?",
         ({"ends": "infinite"}, {"ends": "infinite from zero"}, {"ends": "infinite", "ends_first": True},
          {"ends": "infinite from zero", "ends_first": True})),
        ("ends-by-sign", "ends", "Your search gives 1 or -1 to the end of a game, not its evaluation.",
         "Two wins can have different scores. Which value should a terminal node have?",
         ({"ends": "one"}, {"ends": "large"}, {"ends": "one", "ends_first": True},
          {"ends": "large", "ends_first": True})),
        ("ends-by-score", "ends", "At the end of a game your search takes the node's score, not the agent's "
         "evaluation.", what, ({"ends": "score"}, {"ends": "score", "ends_first": True})),
        ("score-not-evaluation", "evaluation", "Your search takes the node's score and never calls the agent's own "
         "evaluation function.", "An agent gets its evaluation function when it is created. Which function does your "
         "search call at a leaf?", ({"evaluates": "score"},)),
        ("root-evaluated", "evaluation", "Your search evaluates the root, not the node that it has reached.",
         "In your search every leaf gets the same value. " + what, ({"evaluates": "root"},)),
        ("sign-by-mover", "evaluation", "Your search evaluates a node from the side of the agent whose turn it is: "
         "it changes the sign where MAX does not move.", "A value always says how good a node is for MAX. Does the "
         "sign of an evaluation depend on whose turn it is?", ({"evaluates": "for the mover"},)),
        ("sign-by-mover", "evaluation", "Your search changes the sign of the evaluation at MIN nodes.",
         "A value always says how good a node is for MAX. Does the sign of an evaluation depend on whose turn it is?",
         ({"evaluates": "minus at min nodes"},)),
        ("sign-changed", "evaluation", "Your search changes the sign of every evaluation.", what,
         ({"evaluates": "minus"},)),
        ("parent-evaluated", "evaluation", "Your search evaluates the node above the one that it has reached.", what,
         ({"evaluates": "parent"},)),
        ("parent-evaluated", "evaluation", "At the horizon your search evaluates the node above the one that it has "
         "reached.", what, ({"evaluates": "parent unless the game is over"},)),
        ("evaluations-added", "evaluation", "Your search adds the evaluations of all nodes on the way to the value.",
         "The score already contains what Pacman has won on the way. Which nodes should be evaluated?",
         ({"adds_evaluation": True},)),
        ("ends-left-out", "ends", "Your search leaves out actions that end the game.", left_out,
         ({"ignores_ends": "every node"},)),
        *(
            (
                "ends-left-out",
                "ends",
                f"At {layer} nodes your search leaves out actions that end the game.",
                left_out,
                ({"ignores_ends": f"{layer.lower()} nodes"},),
            )
            for layer in ("MAX", "MIN", "CHANCE")
        ),
        ("absolute-evaluation", "evaluation", "Your search drops the sign of evaluations.", what,
         ({"evaluates": "absolute"},)),
        ("whole-evaluation", "evaluation", "Your search cuts evaluations off to whole numbers.",
         "An evaluation may have a fraction, and two leaves may differ only there. Where do you call `int`?",
         ({"evaluates": "whole"},)),
        ("zero-evaluation", "evaluation", "Your search takes every leaf as worth 0.", what, ({"evaluates": "zero"},)),
        ("best-successor-evaluated", "horizon", "At the horizon your search takes the best evaluation of a "
         "successor, not the evaluation of the node itself.",
         "With 0 plies left, which node should be evaluated? " + what,
         ({"evaluates": "best successor"}, {"evaluates": "best successor for the mover"})),
    )  # fmt: skip
    for name, facet, sentence, hint, changes in rows:
        if scope.in_rounds and name in ("root-evaluated", "zero-evaluation"):
            continue  # if every leaf is worth the same, the first action is the best: more than that does not show
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
