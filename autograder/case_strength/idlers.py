"""Programs that compare nothing, and what they earn in a question that grades a search or a choice.

Such a program chooses an action by a simple rule. As the value it says some number; and perhaps it makes nodes before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from random import Random

from agents.base import BaseAgent
from autograder.case_strength.match_shares import numbered_key, reached_in
from autograder.case_strength.programs import Program, claim, earned
from autograder.cases.case import Assignment, Case, MatchInput, Question
from autograder.cases.game_seeds import GameKey
from autograder.cases.ghosts import players
from autograder.cases.hidden import drawn_cases
from autograder.cases.right_answer import derive
from autograder.cases.truth import CaseTruth, searched_roots
from autograder.grading.submission_api import SubmissionApi
from autograder.judge.submission_answer import Answer
from pacman.core.rules import STOP
from pacman.core.state import GameState
from pacman.core.tree import Layer, Node
from pacman.play.game import Game
from pacman.record.trace import CountedNode, Trace

MOST_EARNED = 0.1
"""The largest share of the points of a question that a program without a search may earn."""
CONSTANT = 1234567.5
KEYS = 3
"""Each program that only chooses plays its games with so many keys."""
Choosing = Callable[[Node, Random], str]
"""Chooses an action at a node that has some."""


def _score(node: Node) -> float:
    with suppress(ValueError):  # not every node of a drawn tree has one
        return node.score
    return CONSTANT


ACTIONS: dict[str, Choosing] = {
    "the first action": lambda node, rng: node.actions()[0],
    "the last action": lambda node, rng: node.actions()[-1],
    "a random action": lambda node, rng: rng.choice(node.actions()),
    "the action with the best score": lambda node, rng: max(node.actions(), key=lambda a: _score(node.successor(a))),
}
VALUES: dict[str, Callable[[Node, Random], float]] = {
    "the first action": lambda node, rng: 0,
    "the last action": lambda node, rng: CONSTANT,
    "a random action": lambda node, rng: rng.uniform(-10, 10),
    "the action with the best score": lambda node, rng: _score(node),
}
"""The number that a program says as the value, by the action that it chooses."""
MADE = {"": (0, 0), " after one node": (1, 1), " after one ply": (100, 1), " after all nodes": (100, 100)}
"""How many of the successors of a node a program makes before it answers, and how many plies deep."""
ALONE: dict[str, Choosing] = {"Stop": lambda node, rng: STOP if STOP in node.actions() else node.actions()[0]}
"""What a program also chooses where it only chooses."""


def _answer(name: str, made: tuple[int, int], case: Case, truth: CaseTruth) -> Answer:
    """The answer of a program to a case with a search."""
    rng, claims, (width, depth) = Random(0), [], made
    for root, plies in searched_roots(case, truth):
        trace = Trace()
        _make(CountedNode(root, trace), min(plies, depth), width)
        chooses = plies and not root.is_terminal and root.layer is not Layer.CHANCE
        claims.append(claim(VALUES[name](root, rng), ACTIONS[name](root, rng) if chooses else None, trace))
    return Answer(tuple(claims))


def _make(node: Node, plies: int, width: int) -> None:
    """Makes the first `width` successors of a node and, as deep as `plies`, theirs."""
    if plies and not node.is_terminal:
        for action in node.actions()[:width]:
            _make(node.successor(action), plies - 1, width)


PROGRAMS: dict[str, Program] = {
    f"{name}{after}": partial(_answer, name, made)
    for name, (after, made) in product(ACTIONS, MADE.items())
    if after != " after all nodes" or name in ("the first action", "the last action")
}
"""The programs that answer a case with a search. Only fixed actions follow all nodes: others are right by luck."""


def earned_shares(assignment: Assignment, question: Question, api: SubmissionApi) -> dict[str, float]:
    """The share of the points of a question that each of the programs earns, from 0 to 1.

    The question grades a search, or only chooses an action.
    """
    own_part = api.without_unsupported(assignment)
    own = [case for case in own_part.cases if case.question.id == question.id]
    whole = sum(case.input.weight for case in own)
    if question.role == "choice":
        return {name: _chosen_share(own, name, choose) / whole for name, choose in (ACTIONS | ALONE).items()}
    cases = [(case, derive(case)) for case in own if case.has_truth]
    shares = {
        name: sum(case.input.weight * earned(program, case, truth) for case, truth in cases) / whole
        for name, program in PROGRAMS.items()
    }
    return {name: float(share == 1) for name, share in shares.items()} if question.all_or_nothing else shares


def idle_programs(question: Question, own: Sequence[Case]) -> list[str]:
    """The programs without a search that pass a case which one of the keys draws."""
    hidden_cases = [each for number in range(KEYS) for each in drawn_cases(question, own, numbered_key(number))]
    cases = [(case, derive(case)) for case in hidden_cases]
    return [name for name, program in PROGRAMS.items() if any(earned(program, *each) for each in cases)]


class _Idler(BaseAgent):
    """Pacman in a match of a program that only chooses."""

    def __init__(self, choose: Choosing) -> None:
        self.choosing, self.rng = choose, Random(0)

    def choose(self, state: GameState) -> str:
        return self.choosing(state, self.rng)


def _chosen_share(cases: Sequence[Case], name: str, choose: Choosing) -> float:
    """The sum of the weights that a program earns which only chooses, on average over some keys."""
    total = 0.0
    for case, number in product(cases, range(KEYS)):
        share = reached_in(case, _chosen(case, name, choose, numbered_key(number)))["earned"]
        total += case.input.weight * (float(share == 1) if case.input.hidden else share) / KEYS
    return total


def _chosen(case: Case, name: str, choose: Choosing, key: GameKey) -> Answer:
    """The answer of a program that only chooses: its action at the one position, or its games with this key."""
    match, seeds = case.input, key.seeds(name)
    if not isinstance(match, MatchInput):
        return Answer(action=choose(case.start, Random(0)))
    names = ["pacman", *match.ghosts]
    games = (
        Game(case.start, [_Idler(choose), *players(case)], names, seeds(case, number), match.max_plies)
        for number in range(1, match.games + 1)
    )
    return Answer(results=tuple(game.play() for game in games))
