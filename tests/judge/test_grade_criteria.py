"""Tests of the criteria: what each one compares, its share of the points, the tolerance, and required questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, nan
from pathlib import Path

import pytest

from autograder.cases import loading, right_answer, truth
from autograder.cases.case import Case, Limits, Question
from autograder.cases.yaml_file import parse
from autograder.grading.grade_case import GradedCase, grade_case
from autograder.judge import scoring
from autograder.judge.compare import Verdict, judge
from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from autograder.judge.submission_answer import Answer, Claim
from pacman.core.tree_text import Outline
from pacman.play.game import Result
from pacman.record.trace import Trace
from tests.every_report import terminal_text
from tests.simulated_search import simulated_claim

QUESTION = Question(
    id="q1",
    title="Minimax",
    part="MinimaxAgent",
    points=8,
    role="search",
    reference="exhaustive",
    criteria={"value": 3, "action": 2, "expanded": 1, "generated": 1},
)
ANY, WINDOW = replace(QUESTION, order="any"), replace(QUESTION, reference="alphabeta")
TREE = """kind: tree
shows: a tree
plies: 2
tree: |
  max
    a: min
      x: 3
      y: 1000.5
    b: min
      x: 1000
      y: 2000
"""
EQUAL = TREE.replace("x: 3", "x: 1000").replace("y: 2000", "y: 1001")
MATCH = """kind: match
shows: games
layout: nook
ghosts: []
games: 4
steps: {wins: [1, 2, 4], mean_score: [0, 100], seconds: [20, 10]}
"""
FULL = {"value": 1, "action": 1, "expanded": 1, "generated": 1}
NOTHING = dict.fromkeys(FULL, 0)


def case_of(text: str, question: Question = QUESTION, tolerance: float = 1e-6) -> Case:
    return loading.case_of(parse(text, Path("case.yaml")), question, Limits(), tolerance)


CASE = case_of(TREE)
RIGHT = simulated_claim(QUESTION, "", CASE.root, 2)


def judged(case: Case, claim: Claim) -> Verdict:
    return judge(case, right_answer.derive(case), Answer((claim,), seconds=0.5))


def earned(case: Case, claim: Claim) -> dict[str, float]:
    return {finding.criterion: finding.earned for finding in judged(case, claim).findings}


def graded(case: Case, answer: Callable[[], Answer]) -> GradedCase:
    """The case after all its steps, when running it gives that answer."""
    return grade_case(case, right_answer.derive(case), lambda asked, truth: answer())


def nodes(claim: Claim, count: int) -> Claim:
    """The claim with only the first `count` generated nodes."""
    trace, whole = Trace(), claim.trace
    assert whole is not None
    for number in range(1, count + 1):
        trace.generate(whole.parents[number], whole.actions[number])
    return replace(claim, trace=trace, generated=count)


@pytest.mark.parametrize("question", [QUESTION, ANY], ids=["fixed", "any"])
def test_without_a_right_value_nothing_counts(question: Question) -> None:
    """Also not the best action, and not the right nodes."""
    case = case_of(TREE, question)
    assert earned(case, RIGHT) == FULL
    for action in ("a", "b"):
        for count in (0, 1, 6):
            assert earned(case, replace(nodes(RIGHT, count), value=4.0, action=action, choice=action)) == NOTHING
    wrong_action = replace(RIGHT, action="a", choice="a")
    assert earned(case, wrong_action) == FULL | {"action": 0}
    assert judged(case, wrong_action).earned == pytest.approx(5 / 7)  # by the weights of the criteria
    assert earned(case, replace(RIGHT, action=None, choice="None")) == NOTHING


def test_right_nodes_with_a_wrong_action_are_counted_in_the_text() -> None:
    case = case_of(TREE, replace(QUESTION, criteria={"action": 1, "touched": 1, "expanded": 1}))
    findings = judged(case, replace(RIGHT, action="a", choice="a", value=1.0)).findings
    texts = {finding.criterion: finding.expected for finding in findings}
    assert (texts["touched"], texts["expanded"]) == ("7", "3")


def test_nodes_in_any_order_and_actions_without_values_need_a_least_number() -> None:
    case = case_of(TREE, ANY)
    assert earned(case, nodes(RIGHT, 3)) == FULL | {"expanded": 0, "generated": 0}
    assert earned(case, nodes(RIGHT, 4)) == FULL
    without_value = case_of(TREE, replace(ANY, criteria={"action": 1, "touched": 1}))
    for count, share in ((0, 0), (3, 0), (4, 1)):
        claim = replace(nodes(RIGHT, count), value=None)
        assert earned(without_value, claim) == {"action": share, "touched": share}


def test_the_least_number_of_nodes_follows_the_shortest_principal_line() -> None:
    for tree, plies, least in (
        ("max { a: 3; b: min { x: 2; y: 5 } }", 2, 2),
        ("max { a: 3; b: min { x: 4; y: 5 } }", 2, 4),
        ("max { a: 3; b: min { x: 4; y: 5 } }", 1, 2),
        ("chance { a @1/2: 3; b @1/2: min { x: 4; y: 5; z: 6 }; c @0: 7 }", 2, 5),
        ("max { a: min { x: 3; y: 4 }; b: 3 }", 2, 2),
        ("max ~1 { a: 3 }", 0, 0),
    ):
        assert truth.least_nodes(Outline.parse(tree.replace("min {", "min ~9 {")), plies) == least, tree


def test_values_are_equal_within_the_tolerance_of_the_assignment() -> None:
    for tolerance, value, same in (
        *((1e-6, value, same) for value, same in ((1000 + 1e-4, 1), (1000 + 1e-2, 0), (1000 - 1e-2, 0))),
        *((0.01, value, same) for value, same in ((1009.0, 1), (1011.0, 0))),
    ):
        assert earned(case_of(TREE, tolerance=tolerance), replace(RIGHT, value=value))["value"] == same
    assert right_answer.derive(CASE).moves[0].best == ("b",)
    near = case_of(TREE.replace("x: 3", "x: 995"), tolerance=0.01)
    assert right_answer.derive(near).moves[0].best == ("a", "b")  # within the tolerance both are best
    for one, other in ((nan, nan), (nan, 1.0), (1.0, nan), (inf, 1.0), (1.0, inf), (inf, -inf)):
        assert not truth.is_close(one, other)
        assert not truth.is_close(one, other, tolerance=0.9)
    assert truth.is_close(inf, inf)


def test_a_tie_accepts_every_best_action() -> None:
    tie = case_of(TREE.replace("x: 3", "x: 1000"))
    right = simulated_claim(QUESTION, "", tie.root, 2)
    assert [earned(tie, replace(right, action=action))["action"] for action in ("a", "b")] == [1, 1]


@pytest.mark.parametrize("case_cut", ["equal", "strict"])
@pytest.mark.parametrize("search_cut", ["equal", "strict"])
def test_the_case_says_which_cut_is_right(case_cut: str, search_cut: str) -> None:
    case = case_of(EQUAL + f"cut: {case_cut}\n", WINDOW)
    claim = simulated_claim(WINDOW, "", case.root, 2, search_cut)
    assert earned(case, claim)["generated"] == (case_cut == search_cut)


def test_another_order_is_only_a_note_and_repeated_successors_lose_generated() -> None:
    trace = Trace()
    for action in ("b", "a"):
        node = trace.generate(0, action)
        trace.generate(node, "x")
        trace.generate(node, "y")
    verdict = judged(CASE, replace(RIGHT, trace=trace))
    order = "order (costs no points): the same nodes in another order; expected a, got b"
    assert (verdict.earned, verdict.notes) == (1, (order,))
    verdict = judged(CASE, simulated_claim(QUESTION, "made-twice", CASE.root, 2))
    (lost,) = [finding for finding in verdict.findings if finding.earned < 1]
    assert (lost.criterion, lost.expected, lost.got) == ("generated", "6", "12 (6 of them repeated)")
    assert verdict.notes == ("waste: 6 successors were generated again; the first: a > x",)


def results(*scores: int) -> tuple[Result, ...]:
    return tuple(Result("win" if score > 0 else "loss", score, 10, seed=1, seconds=(0.0,)) for score in scores)


@pytest.mark.parametrize(
    ("scores", "seconds", "shares"),
    [
        ((500, 500, 500, 500), 5.0, (1, 1, 1)),
        ((500, 500, -500, -500), 15.0, (2 / 3, 1 / 2, 1 / 2)),
        ((500, -500, -500, -500), 25.0, (1 / 3, 0, 0)),
        ((-500, -500, -500, -500), 1.0, (0, 0, 0)),  # without a win the time earns nothing
    ],
)
def test_a_match_earns_step_by_step(scores: tuple[int, ...], seconds: float, shares: tuple[float, ...]) -> None:
    verdict = judge(case_of(MATCH), None, Answer(results=results(*scores), seconds=seconds))
    got = {finding.criterion: finding.earned for finding in verdict.findings}
    assert got == pytest.approx(dict(zip(("wins", "mean_score", "time"), shares, strict=True)))


@pytest.mark.parametrize(
    ("scores", "share"),
    [((10, 10, -5, -5), 2 / 3), ((90, -40, -40, -40), 0), ((-5, -5, -5, 80), 2 / 3), ((-5, -5, -5, -5), 0)],
)
def test_goals_weigh_the_same_and_a_minimum_is_a_gate(scores: tuple[int, ...], share: float) -> None:
    """Of three goals, wins and mean score together; below a minimum there is nothing, and it earns nothing itself."""
    steps = "{finished: [4], wins: [1], mean_score: [50], minimum: {wins: 1, mean_score: 0}}"
    case = case_of(MATCH.replace("{wins: [1, 2, 4], mean_score: [0, 100], seconds: [20, 10]}", steps))
    verdict = judge(case, None, Answer(results=results(*scores)))
    assert verdict.earned == pytest.approx(share)
    assert share or any("earns nothing" in each.expected for each in verdict.findings)


def asked(name: str, **requires: float) -> Question:
    return replace(QUESTION, id=name, requires=requires)


def scored(name: str, *shares: float, points: float = 4) -> QuestionScore:
    cases = (CaseScore(f"{name}/{number}", "tree", "", 1, share) for number, share in enumerate(shares))
    return QuestionScore(name, name, points, tuple(cases))


def card(*questions: QuestionScore) -> Scorecard:
    return Scorecard("small", "Small", "mine.py", "sandbox", questions, 1.0)


def test_the_cases_share_the_points_of_a_question_which_may_earn_all_or_nothing() -> None:
    some = (CaseScore("q1/a", "tree", "", 1, 1.0), CaseScore("q1/b", "tree", "", 3, 0.5))
    assert QuestionScore("q1", "", 8, some).earned == 8 * (1 + 1.5) / 4
    question = Question(id="q1", title="", part="A", points=4, role="choice", all_or_nothing=True)
    for shares, points in (((1.0, 1.0), 4), ((1.0, 0.99), 0)):
        whole = scoring.question_score(question, scored("q1", *shares).cases)
        score = scoring.withhold([whole], [question])[0]
        assert (score.earned, bool(score.withheld)) == (points, not points)


def test_a_question_waits_for_what_it_requires() -> None:
    questions = [asked("q1"), asked("q2", q1=0.5), asked("q3", q2=1.0)]
    met = scoring.withhold([scored("q1", 0.5), scored("q2", 1), scored("q3", 1)], questions)
    assert [score.earned for score in met] == [2, 4, 4]
    rounded = scoring.withhold([scored("q1", 0.6, 0.7, 0.2), scored("q2", 1)], questions[:2])
    assert rounded[0].share < 0.5, "the sum of the shares is 1.5, but for its last bit"
    assert rounded[1].earned == 4
    unmet = scoring.withhold([scored("q1", 0.499), scored("q2", 1), scored("q3", 1)], questions)
    assert [score.earned for score in unmet] == [pytest.approx(1.996), 0, 0]
    reasons = ["", "locked until q1 reaches 50 % (now 49.9 %)", "locked until q2 reaches 100 % (now 0 %)"]
    assert [score.withheld for score in unmet] == reasons
    assert not unmet[1].is_full
    assert reasons[1] in terminal_text(card(*unmet))
    for share in (1.0, 0.5):  # a question without points can be required
        done = scoring.withhold([scored("q1", share, points=0), scored("q2", 1)], [asked("q1"), asked("q2", q1=1)])
        assert [score.earned for score in done] == [0, 4 if share == 1 else 0]
    (alone,) = scoring.withhold([scored("q2", 1)], [asked("q2", q1=1.0)])  # q1 was not graded
    assert (alone.earned, alone.withheld) == (4, "")


def test_a_hidden_case_is_passed_or_failed_and_nothing_between() -> None:
    case = case_of(TREE + "hidden: true\n")
    result = graded(case, lambda: Answer((replace(RIGHT, action="a"),), seconds=0.5))
    assert (result.score.earned, [finding.criterion for finding in result.score.lost]) == (0, ["action"])
    assert graded(case, lambda: Answer((RIGHT,), seconds=0.5)).score.earned == 1


def test_a_finding_says_why_right_counts_earn_nothing() -> None:
    """Where no value is compared: the action is wrong. And counts that are right, but of other nodes."""
    plain = replace(QUESTION, criteria={"action": 2, "touched": 1, "expanded": 1, "generated": 1})
    case = case_of(TREE, plain)
    right = simulated_claim(QUESTION, "", case.root, 2)

    def got(claim: Claim) -> list[str]:
        return [finding.got for finding in judged(case, claim).findings]

    assert got(replace(right, action="a")) == ["a", *(f"{count}, but wrong action" for count in (7, 3, 6))]
    trace = Trace()
    for action in ("a", "b"):
        node = trace.generate(0, action)
        trace.generate(node, "x")
        trace.generate(node, "other")
    assert got(replace(right, trace=trace)) == ["", "7, but other nodes", "", "6, but other nodes"]
