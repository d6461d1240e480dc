"""Scorecards for the tests of pages, made without running any student code."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

from autograder.cases import loading, right_answer, truth
from autograder.cases.case import MatchInput, TreeInput
from autograder.judge import compare
from autograder.judge.explain import Explanation, explain
from autograder.judge.scorecard import (
    Diagnosis,
    Diagram,
    NodeRow,
    QuestionScore,
    Scorecard,
    WrongStep,
)
from autograder.judge.scoring import case_score
from autograder.judge.submission_answer import Answer, LostGame
from pacman.play.game import Result
from tests.simulated_search import simulated_claim

CODE = """\
    def within(self, node: Node, plies: int, alpha: float, beta: float) -> Line:
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        is_max = node.layer is Layer.MAX
        best = Line(-inf if is_max else inf, None)
        for action in node.actions():
            value = self.within(node.successor(action), plies - 1, alpha, beta).value
            if best.action is None or (value > best.value if is_max else value < best.value):
                best = Line(value, action)
            if not is_max:
                return best"""


@cache
def wrong_search(question: str, change: str, most: int = 5) -> QuestionScore:
    """A question whose search has a mistake: "no cuts" or "short"; its first `most` cases, and its positions."""
    assignment = loading.load("multiagent")
    mistake = {"no cuts": "no-cut", "short": "ply-short"}[change]
    (asked,) = (each for each in assignment.questions if each.id == question)
    scores = []
    cases = [case for case in assignment.of(asked) if case.has_truth]
    for case in (*cases[:most], *[case for case in cases[most:] if not isinstance(case.input, TreeInput)][:1]):
        right = right_answer.derive(case)
        claims = tuple(
            simulated_claim(case.question, mistake, root, plies) for root, plies in truth.searched_roots(case, right)
        )
        answer = Answer(claims, seconds=0.1)
        verdict = compare.judge(case, right, answer)
        explanation = explain(case, right, answer, verdict) if verdict.earned < 1 else Explanation("")
        score = case_score(case, answer, verdict, explanation)
        scores.append(replace(score, case_command=f"python -m autograder case {case.id} --agent my.py"))
    return QuestionScore(asked.id, asked.title, asked.points, tuple(scores), diagnosis())


def diagnosis() -> Diagnosis:
    """What a diagnosis says, with its smallest tree."""
    tree = "max\n  a: min\n    x: 3\n    y: 0\n  b: min\n    x: 2\n    y: 9\n"
    rows = (
        *(NodeRow((), "2", "3", "(-inf, inf)", True), NodeRow(("a",), "0", "3", "(-inf, inf)", True)),
        *(NodeRow(("a", "x"), "3", "3"), NodeRow(("a", "y"), "0", "not seen", differs=True)),
        *(NodeRow(("b",), "2", "2", "(0, inf)"), NodeRow(("b", "x"), "2", "2"), NodeRow(("b", "y"), "9", "seen")),
    )
    note = "action: expected b, got a"
    smallest = Diagram(tree, 2, rows, ("a",), cut="equal", notes=(note,))
    command = (
        "python -m autograder case 'max { a: min { x: 3; y: 0 }; b: min { x: 2; y: 9 } }' --agent my.py:MinimaxAgent"
    )
    words = "A MIN node is worth the smallest of 3 and 0: 0. This call returned 3."
    table = ("successor", "its value"), (("x", "3"), ("y", "not seen"))
    step = WrongStep(
        *("", 38, "within", "node a", "MIN", 1, words, "", "It shows at 31 of 31 MIN nodes.", *table),
        tuple(enumerate(CODE.splitlines(), 28)),
    )
    sentence, hint = "Your search leaves a MIN node after its first child.", "When does the loop over the actions end?"
    return Diagnosis((sentence,), hint, ("return-in-loop",), smallest, step, command)


@cache
def lost_match() -> QuestionScore:
    """A question with a lost game: all agents move at random."""
    assignment = loading.load("multiagent")
    case = next(case for case in assignment.cases if isinstance(case.input, MatchInput) and case.id == "q1/05-pillars")
    for seed in range(100):
        random, state, moves = Random(seed), case.start, []
        while not state.is_terminal:
            moves.append(random.choice(state.actions()))
            state = state.successor(moves[-1])
        if state.is_lose and 60 < len(moves) < 200:
            break
    results = tuple(Result("loss", state.score, len(moves), seed, (0.0,)) for _ in range(5))
    answer = Answer(results=results, lost_game=LostGame(1, tuple(moves)))
    verdict = compare.judge(case, None, answer)
    score = case_score(case, answer, verdict, explain(case, None, answer, verdict))
    watch = "python -m pacman watch --layout pillars --ghosts random my.py:ReflexAgent --seed 4001"
    asked = case.question
    return QuestionScore(asked.id, asked.title, asked.points, (replace(score, command=watch),))


def card(*questions: QuestionScore) -> Scorecard:
    """A scorecard with these questions."""
    return Scorecard("multiagent", "Multi-agent search", "my.py", "safe", questions, 12.3)


def student_card() -> Scorecard:
    """A student with a lost game and a wrong alpha-beta."""
    return card(lost_match(), wrong_search("q3", "no cuts"))
