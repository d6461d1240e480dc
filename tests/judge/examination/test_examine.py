"""What an examination may say and use: no hidden case, nothing about a stub, the same sentences every time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from autograder.cases import loading
from autograder.cases.case import Question
from autograder.grading.grade import grade
from autograder.judge.examination import examine as examining
from autograder.judge.examination.asking import Ask, Reply, TreeQuestion
from autograder.judge.examination.examine import AnsweredCase, examine
from autograder.judge.examination.questions import Scope, agents_of, random_questions
from autograder.judge.examination.shrinking import MAX_STEPS, TreeAndPlies, shrink, simplified, size_and_numbers
from autograder.judge.scorecard import Examination
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.search import exhaustive
from tests.in_process_asking import ask_here
from tests.judge.examination.agents import BEST_ON_SELF, MINIMAX, WINDOW, written
from tests.judge.examination.rederived import Examined, untrue_sentences
from tests.simulated_search import simulated_claim

ROOT = Path(__file__).parents[3]
MULTIAGENT = loading.load("multiagent")
QUESTIONS = {question.id: question for question in MULTIAGENT.questions}
Q2 = QUESTIONS["q2"]


def asked_of(file: Path, question: Question = Q2) -> Examination | None:
    with ask_here(file, question.part) as ask:
        return examine(question, (), ask, False)


def text_file(folder: Path, text: str) -> Path:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return file


# The same file, the same sentences


@pytest.mark.slow("that grade or examine wrong searches", keep=1)
@pytest.mark.parametrize(
    "text",
    [
        BEST_ON_SELF,
        written(MINIMAX, [("plies == 0", "plies <= 1"), ("line.value >", "random.random() * line.value >"),
                          ("from math", "import random\nfrom math")]),
        written(MINIMAX, [("= inf, None", "= 3, None"), ("line.value >", "2 + line.value >")]),
    ],
    ids=["named", "random", "not named"],
)  # fmt: skip
def test_the_same_file_gets_the_same_sentences(tmp_path: Path, text: str) -> None:
    file = text_file(tmp_path, text)
    first, second = asked_of(file), asked_of(file)
    assert first is not None
    assert first == second


@pytest.mark.slow("that grade or examine wrong searches", keep=1)
@pytest.mark.parametrize("number", [3_000, 100_000, 10**7, 10**9])
def test_the_number_in_a_sentence_is_near_that_of_the_search(tmp_path: Path, number: int) -> None:
    seen = asked_of(text_file(tmp_path, written(MINIMAX, [("= inf, None", f"= {number}, None")])))
    assert seen is not None
    if seen.mistakes:
        (said,) = (float(word.replace(",", "")) for word in seen.sentences[0].split() if word[-1].isdigit())
        assert number / 4 < said < number * 4


# What an examination uses


def test_a_stub_is_not_examined(tmp_path: Path) -> None:
    assert asked_of(ROOT / "agents" / "student.py") is None
    nested = written(MINIMAX, [("        return self.look(node, plies)\n", "        def look():\n            raise "
                                "NotWritten('MinimaxAgent.search')\n\n        return look()\n"),
                               ("import SearchAgent", "import NotWritten, SearchAgent")])  # fmt: skip
    assert asked_of(text_file(tmp_path, nested)) is None
    card = grade(text_file(tmp_path, nested), MULTIAGENT.only("q2", None), jobs=2)
    assert card.questions[0].examination is None


def test_hidden_cases_are_not_in_an_examination(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the cases that a student may see; none of a question that lost points in hidden cases alone."""
    given: list[Sequence[AnsweredCase]] = []

    def noted(question: Question, cases: Sequence[AnsweredCase], ask: Ask, in_rounds: bool) -> Examination | None:
        given.append(cases)
        return examine(question, cases, ask, in_rounds)

    monkeypatch.setattr(examining, "examine", noted)
    whole = MULTIAGENT.only("q2", None)
    open_cases = whole.cases[:4]
    hidden = [replace(case, input=replace(case.input, hidden=True)) for case in whole.cases[4:8]]
    file = text_file(tmp_path, written(MINIMAX, [("plies == 0", "plies <= 1")]))
    card = grade(file, replace(whole, cases=(*hidden, *open_cases)), jobs=2)
    (cases,) = given
    assert [each.case.id for each in cases] == [case.id for case in open_cases]
    assert card.questions[0].examination is not None
    given.clear()
    card = grade(file, replace(whole, cases=tuple(hidden)), jobs=2)
    assert card.earned < card.points
    assert (given, card.questions[0].examination) == ([], None)


def test_an_error_of_the_examination_costs_no_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(examining, "examine", fails)
    file = text_file(tmp_path, written(MINIMAX, [("plies == 0", "plies <= 1")]))
    (question,) = grade(file, MULTIAGENT.only("q2", None), jobs=2).questions
    assert 0 < question.earned < question.points
    assert question.examination is None


def test_a_graded_part_is_examined_with_its_cases(tmp_path: Path) -> None:
    file = text_file(tmp_path, written(MINIMAX, [("return self.min_value", "return self.max_value")]))
    (question,) = grade(file, MULTIAGENT.only("q2", None), jobs=2).questions
    assert question.examination is not None
    assert question.examination.mistakes == ("min-as-max",)
    smallest = question.examination.smallest
    assert smallest is not None
    tree = Outline.parse(smallest.tree)
    assert tree.size() <= 5
    assert any("<-- here" in line for line in smallest.picture)


@pytest.mark.slow("that grade or examine wrong searches")
def test_the_names_of_the_mistakes_are_the_same_without_cases(tmp_path: Path) -> None:
    file = text_file(tmp_path, written(WINDOW, [("if best >= beta", "if False")]))
    (question,) = grade(file, MULTIAGENT.only("q3", None), jobs=2).questions
    alone = asked_of(file, QUESTIONS["q3"])
    assert question.examination is not None
    assert alone is not None
    assert question.examination.mistakes == alone.mistakes == ("no-cut-at-max",)


# Fallbacks: what is said without a model


def simulated(answer: object) -> Examined:
    """The examination of a search that `answer` computes, without any process; its nodes count too."""
    question = replace(Q2, order="fixed")
    seen = Examined(Scope.of(question), question)

    def ask(questions: Sequence[TreeQuestion]) -> list[Reply]:
        replies = [answer(each) for each in questions]  # type: ignore[operator]
        seen.asked += zip(questions, replies, strict=True)
        return replies

    seen.result = examine(question, (), ask, False)
    return seen


def claim_of(question: TreeQuestion, change: dict[str, object] | None = None) -> Reply:
    tree = question.tree
    claim = simulated_claim(Q2, change or {}, tree, question.plies)
    if question.evaluation_shift:
        value = exhaustive(tree, question.plies, lambda node: node.score + question.evaluation_shift).value
        claim = replace(claim, value=value, value_text=str(value))
    return Reply(claim)


def odd_value(question: TreeQuestion) -> Reply:
    """Right but for a strange value on trees with an odd number of nodes."""
    reply = claim_of(question)
    assert reply.claim is not None
    if question.tree.size() % 2 or reply.claim.value is None:
        return reply
    return Reply(replace(reply.claim, value=3 * reply.claim.value + 17, value_text="?"))


def wrong_with_min(question: TreeQuestion) -> Reply:
    """Wrong on every tree with a MIN node above the horizon."""
    reply = claim_of(question)
    row = [question.tree]
    for _ in range(question.plies):
        row = [node for node in row if not node.is_terminal]
        if any(node.layer is Layer.MIN for node in row):
            assert reply.claim is not None
            return Reply(replace(reply.claim, value=12345.0, value_text="12345.0"))
        row = [branch for node in row for _, branch in node.branches]
    return reply


def test_a_kind_is_named_if_it_separates_the_wrong_trees() -> None:
    seen = simulated(wrong_with_min)
    assert seen.result is not None
    first, second = seen.result.sentences
    wrong, _ = map(int, re.findall(r"\d+", first))
    assert second.startswith(f"It is wrong on {wrong} of {wrong} trees with a MIN node, and on none of ")
    assert re.fullmatch(r"No mistake was found in \d+ trees of MAX nodes only\.", seen.result.right)
    assert untrue_sentences(seen) == []


def other_successors(question: TreeQuestion) -> Reply:
    """Right values and actions, but on some trees other nodes."""
    change = {"makes": "twice"} if question.tree.size() % 3 else {"horizon": "plies"}
    return claim_of(question, change)


def only_large(question: TreeQuestion) -> Reply:
    """Wrong on large trees only."""
    reply = claim_of(question)
    assert reply.claim is not None
    if question.tree.size() < 30 or reply.claim.value is None:
        return reply
    return Reply(replace(reply.claim, value=reply.claim.value / 3 + 1, value_text="?"))


@pytest.mark.slow("that grade or examine wrong searches", keep=1)
@pytest.mark.parametrize("answer", [odd_value, other_successors, only_large], ids=lambda answer: answer.__name__)
def test_a_fallback_says_only_what_the_answers_show(answer: object) -> None:
    seen = simulated(answer)
    assert seen.result is not None
    assert seen.result.mistakes == ()
    assert seen.result.sentences
    assert untrue_sentences(seen) == []
    smallest = seen.result.smallest
    assert smallest is not None
    asked = TreeQuestion(Outline.parse(smallest.tree), smallest.plies)
    assert answer(asked).claim != claim_of(asked).claim  # type: ignore[operator]


def test_a_right_search_gets_no_examination() -> None:
    assert simulated(claim_of).result is None


# Shrinking


def shrunk(tree: Outline, plies: int, is_kept: object, in_rounds: bool, most: int = 400) -> tuple[TreeAndPlies, int]:
    """The small tree, and how many trees were tried."""
    tried = 0

    def holds(batch: Sequence[TreeAndPlies]) -> list[bool]:
        nonlocal tried
        tried += len(batch)
        return [is_kept(*each) for each in batch]  # type: ignore[operator]

    return shrink(tree, plies, holds, in_rounds, most), tried


CONDITIONS = {
    "minimax differs from maximax": lambda tree, plies: (
        simulated_claim(Q2, {"ties_max": "first"}, tree, plies).value
        != simulated_claim(Q2, {"ties_max": "first", "horizon": "plies - 1"}, tree, plies).value
    ),
    "a value above 5": lambda tree, plies: exhaustive(tree, plies).value > 5,
    "always": lambda tree, plies: True,
    "three nodes": lambda tree, plies: tree.size() >= 3,
}


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("in_rounds", [False, True])
def test_shrinking_keeps_what_fails_and_ends(condition: str, in_rounds: bool) -> None:
    holds = CONDITIONS[condition]
    for each in random_questions(Scope((Layer.MAX, Layer.MIN), in_rounds, ""), "shrinking", 25):
        if not holds(each.tree, each.plies):
            continue
        (tree, plies), tried = shrunk(each.tree, each.plies, holds, in_rounds)
        assert holds(tree, plies)
        assert tried <= 400
        if in_rounds:
            assert plies % agents_of(tree) == 0
            assert tree.branches
            assert tree.layer is Layer.MAX
        assert size_and_numbers(tree, plies) <= size_and_numbers(each.tree, each.plies)
        assert Outline.parse(str(tree)) == tree


def test_what_cannot_be_simplified_stays() -> None:
    tree = Outline.parse("max ~4\n  a: 3\n  b: min ~2\n    c: 7")
    assert shrunk(tree, 2, lambda *_: False, False)[0] == (tree, 2)
    (least, _), tried = shrunk(tree, 2, lambda *_: True, False)
    assert least.size() == 1
    assert tried <= MAX_STEPS * 12
    assert shrunk(tree, 2, lambda *_: True, False, most=0) == ((tree, 2), 0)


def test_every_simplification_is_a_tree() -> None:
    rng = Random(2)
    some = random_questions(Scope(tuple(Layer), False, ""), "simplified", 40)
    for each in rng.sample(some, 15):
        for less in simplified(each.tree):
            assert Outline.parse(str(less)) == less


def test_the_questions_are_the_same_in_every_process() -> None:
    prepared = examining.prepared_questions(Scope.of(Q2))
    assert len(prepared) == len({id(question) for question, _ in prepared}) > 300
    assert prepared is examining.prepared_questions(Scope.of(Q2))
