"""Changed messages of a student's process: each is refused, or is judged and reported without an error or a free point.

The points of every claim are compared with `most_earned`, a second and simpler comparison.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import socket
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from types import SimpleNamespace
from typing import Any
from unittest import mock
from xml.etree import ElementTree

import pytest
from hypothesis import strategies as st

from autograder.cases.case import Limits, MatchInput
from autograder.cases.truth import searched_roots
from autograder.grading.grade_case import GradedCase, grade_case
from autograder.judge import scoring
from autograder.judge.diagnosis import finder
from autograder.judge.diagnosis.finder import AnsweredCase, find_mistake
from autograder.judge.diagnosis.run import Run, Search
from autograder.judge.diagnosis.shrinking import shrink
from autograder.judge.scorecard import Scorecard
from autograder.judge.submission_answer import Answer, Fault
from autograder.report import gradescope
from autograder.report import json as report_json
from autograder.sandbox.reader import UNREADABLE, TraceLimits, read_claim
from autograder.sandbox.runner import SessionBroken, read_fault
from autograder.sandbox.session import ProcessSession
from autograder.student_process.fault_kind import FaultKind
from autograder.student_process.messages import BadFrame, decode, encode
from pacman.play.game import Result
from tests.every_report import FOR_STUDENTS, checked, terminal_text, validators
from tests.fuzz.inputs import SCALARS, VALUES, WORDS, edited, edited_bytes, edited_value, fuzz
from tests.fuzz.right_answers import graded_cases, most_earned, right_replies

MARK = "XYZZY"
"""A word that only hidden cases have in their texts."""
PREPARED = finder.prepared_searches
SEARCHES = [name for name, (case, _) in graded_cases()[1].items() if case.has_truth]


@st.composite
def forged(draw: st.DrawFn, reply: dict[str, Any]) -> Any:
    """A right reply, a slightly wrong one, or one with changed values of any type."""
    reply = json.loads(json.dumps(reply))
    trace = reply["trace"]
    kind = draw(st.sampled_from(("right", "value", "action", "nodes", "more nodes", "again", "no trace", "any")))
    if kind == "value":
        reply["value"] = draw(st.none() | st.integers(-(10**29), 10**29) | st.floats(allow_nan=False))
        reply["value_text"] = draw(st.sampled_from(WORDS))
        reply["values"] = [[number, draw(st.integers(-9, 9) | st.floats())] for number, _ in reply["values"]]
    elif kind == "action":
        reply["action"] = draw(st.none() | st.sampled_from(("West", "East", "Stop", "South", *WORDS)))
        reply["choice"] = draw(st.sampled_from(WORDS))
    elif kind == "nodes":
        names = trace["names"]
        trace["names"] = [draw(st.sampled_from((name, name, "West", "a", *WORDS))) for name in names]
        trace["made"] = draw(st.permutations(trace["made"])) if draw(st.booleans()) else trace["made"][:-1]
    elif kind == "more nodes":
        for _ in range(draw(st.integers(1, 4))):
            trace["parents"].append(draw(st.integers(0, len(trace["parents"]) - 1)))
            trace["actions"].append(draw(st.integers(0, len(trace["names"]) - 1)))
            trace["made"].append(draw(st.integers(1, len(trace["parents"]) - 1)))
    elif kind == "again":
        trace["made"] += draw(st.lists(st.sampled_from(trace["made"]), max_size=5)) if trace["made"] else []
    elif kind == "no trace":
        del reply["trace"]
        reply["generated"] = draw(st.integers(-1, 40) | st.integers())
    elif kind == "any":
        reply = draw(edited_value(reply))
    return reply


def as_frame(message: Any) -> bytes:
    """A message as the bytes of a frame; a float may be NaN, and a text may have lone surrogates."""
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")


VALID = [as_frame(reply) for name in SEARCHES for reply in right_replies(name)]
VALID.append(as_frame({"n": 2, "fault": {"kind": "raised", "type": "E", "message": "m", "line": 3, "text": "x = 1"}}))


def check_text(text: str) -> None:
    """Fails unless a text about a message is one short line."""
    assert len(text) < 1_000
    assert "\n" not in text


@fuzz(edited_bytes(st.sampled_from(VALID)) | st.sampled_from(VALID).map(json.loads).flatmap(edited_value).map(as_frame))
def test_messages(body: bytes) -> None:
    try:
        reply = decode(body)
    except BadFrame as refusal:
        check_text(f"{UNREADABLE}: {refusal}")
        return
    if "fault" in reply:
        fault = read_fault(reply["fault"], Limits())
        check_text(fault.kind)
        check_text(fault.text)
    with contextlib.suppress(BadFrame):
        read_claim(reply)


@fuzz(edited_bytes(st.sampled_from(VALID)), st.sampled_from((0, 0, -3, 1, 1 << 30)), st.binary(max_size=3))
def test_frames(body: bytes, off: int, more: bytes) -> None:
    """A process is ready, sends a frame whose length is right or wrong, perhaps some more bytes, and ends."""
    connection, its_connection = socket.socketpair()
    process: Any = SimpleNamespace(connection=connection, output=BytesIO(), end=lambda patience=0.0: 0)
    with contextlib.suppress(SessionBroken), ProcessSession(process, 5, Limits()) as session, its_connection:
        size = max(0, len(body) + off)
        its_connection.sendall(encode({"n": 0}, 99) + size.to_bytes(4, "big") + body + more)
        its_connection.shutdown(socket.SHUT_WR)
        reply = session.ask("search")
        assert reply == decode((body + more)[:size])
        assert reply["n"] == 1


faults = st.builds(
    lambda report: read_fault(report, Limits()),
    st.fixed_dictionaries(
        {"kind": st.sampled_from(("raised", "hidden", "memory", "exit", "not written", "refused", "missing package"))},
        optional={"type": SCALARS, "message": SCALARS, "line": SCALARS, "text": SCALARS, "during": SCALARS},
    )
    | VALUES,
)
outputs = st.lists(st.sampled_from(WORDS), max_size=8).map("\n".join)


@st.composite
def answers(draw: st.DrawFn) -> list[tuple[str, list[Any], Answer]]:
    """For every case: its id, the replies and the answer that the grader reads from them."""
    given = []
    for case_id, (case, truth) in graded_cases()[1].items():
        fault = draw(faults) if draw(st.integers(0, 7)) == 0 else None
        output = draw(outputs) + (MARK if case.input.hidden else "")
        replies: list[Any] = []
        answer = Answer(fault=fault, output=output, seconds=draw(st.floats(0, 20)))
        if truth is not None:
            claims = []
            for index, (root, plies) in enumerate(searched_roots(case, truth)):
                reply = draw(forged(right_replies(case_id)[index]))
                try:
                    message = decode(as_frame(reply))
                    limits = TraceLimits.of(root, plies, truth.moves[index], len(truth.moves))
                    claims.append(read_claim(message, limits))
                except BadFrame as error:
                    fault = fault or Fault("garbled", f"{UNREADABLE}: {error}")
                    break
                replies.append(message)
            answer = Answer(tuple(claims), (), None, fault, answer.seconds, output)
        elif isinstance(case.input, MatchInput):
            results = draw(st.lists(st.tuples(st.sampled_from(("win", "loss")), st.integers()), min_size=3, max_size=3))
            games = tuple(Result(outcome, score, 5, 1, (0.0,), None) for outcome, score in results)
            answer = Answer((), () if fault else games, None, fault, answer.seconds, output)
        else:
            action = draw(st.sampled_from(("East", "South", "West", *WORDS)))
            answer = Answer((), (), None if fault else action, fault, answer.seconds, output)
        given.append((case_id, replies, answer))
    return given


def graded(case_id: str, replies: list[Any], answer: Answer) -> GradedCase:
    """The graded case. Fails if the grader failed, or if the case earned more than is right."""
    case, truth = graded_cases()[1][case_id]
    result = grade_case(case, truth, lambda case, truth: answer)
    assert "the grader itself" not in result.score.message, result.score.message
    assert "the grader itself" not in result.score.why, result.score.why
    if answer.fault:
        assert result.score.earned == 0
    elif truth is not None:
        assert result.score.earned <= most_earned(case, truth, replies) + 1e-9
    return result


CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def check_reports(card: Scorecard) -> None:
    """Fails if a report cannot be made or read, has a control character, or has more points than the scorecard."""
    checked(card)
    dumps = {"terminal": terminal_text, "json": report_json.dump, **FOR_STUDENTS}
    reports = {name: dump(card) for name, dump in dumps.items()}
    for name, text in reports.items():
        assert not CONTROL.search(text), (name, CONTROL.search(text))
        assert text.encode("utf-8")
        assert name == "json" or MARK not in text, name
    assert report_json.load(reports["json"]).earned <= card.earned + 1e-9
    suites = ElementTree.fromstring(reports["junit"])
    earned = [float(each.get("value", "")) for each in suites.iter("property") if each.get("name") == "earned"]
    assert sum(earned) <= card.earned + 1e-9
    results = json.loads(reports["gradescope"])
    assert results["score"] <= card.earned + 1e-9
    for test in results["tests"]:
        texts = [test["name"], *test["output"].splitlines()]
        assert all(text.isprintable() for text in texts), test


@pytest.mark.slow("that attack the sandbox")
@fuzz(answers(), divided_by=5)
def test_claims_through_judge_diagnosis_and_reports(given: list[tuple[str, list[Any], Answer]]) -> None:
    """A claim about one tree is also the reply to questions about other trees. The diagnosis asks only a few."""
    assignment, cases = graded_cases()
    scores = {}
    for case_id, replies, answer in given:
        scores[case_id] = graded(case_id, replies, answer)
    questions = []
    for question in assignment.questions:
        of_question = [each for name, each in scores.items() if cases[name][0].question == question]
        answered = [AnsweredCase(each.case, each.answer) for each in of_question if each.truth and each.answer]
        replies = itertools.cycle(
            [Run(claim) for each in answered for claim in each.answer.claims]
            or [Run(None, fault=Fault(FaultKind.RAISED, "KeyError: 3"))]
        )

        def ask(asked: Sequence[Search], replies: Iterator[Run] = replies) -> list[Run]:
            return list(itertools.islice(replies, len(asked)))

        score = scoring.question_score(question, [each.score for each in of_question])
        if question.role == "search":
            with (
                mock.patch.object(finder, "prepared_searches", lambda scope: PREPARED(scope)[:6]),
                mock.patch.object(finder, "shrink", partial(shrink, most=12)),
            ):
                score = replace(score, diagnosis=find_mistake(question, answered, ask, False))
        questions.append(score)
    check_reports(Scorecard("every", assignment.title, "mine.py", "sandbox: safe", tuple(questions), 1.5))


@fuzz(edited(["mine.py:1: not valid Python: x", "mine.py: no file"]))
def test_an_ungraded_submission(text: str) -> None:
    results = json.loads(gradescope.ungraded(text))
    validators()[1].validate(results)
    assert results["output"].isprintable()


def test_right_answers_earn_everything() -> None:
    """Otherwise the limit on the points would hold for a judge that gives none."""
    for case_id in SEARCHES:
        case, truth = graded_cases()[1][case_id]
        assert truth is not None
        replies = list(right_replies(case_id))
        result = graded(case_id, replies, Answer(tuple(map(read_claim, replies))))
        assert result.score.earned == most_earned(case, truth, replies) == 1
