"""A scorecard as Gradescope's results.json: a test for each case, as students of that platform see it.

Only what `Scorecard.public` lets through, for staff too. A test can be marked as seen by staff alone, but the platform
also hands every earlier results.json, whole, to the machine on which a student's next submission runs.

Extra questions earn at most their own points, and add to the score: it may then be above the assignment's points, which
the platform allows, but never above all maxima together.
"""

from __future__ import annotations

import json
from typing import Any

from autograder.report import markdown
from autograder.report.escape import block, line, prose
from autograder.report.marks import floored, part, shares, shown
from autograder.scorecard import QuestionScore, Scorecard

FRAME = {
    "output_format": "md",
    "test_output_format": "md",
    "test_name_format": "text",
    "visibility": "visible",
    "stdout_visibility": "hidden",
}


def dump(card: Scorecard, note: str = "", extra_data: dict[str, Any] | None = None) -> str:
    """The results of a whole or unfinished grading; `note` is a line for the top of the page."""
    notes = [each for each in (note, markdown.unsure(card)) if each]
    card = card.public()
    head = f"{shown(card.earned)} of {shown(card.points)} points. {prose(card.level)}."
    remarks = [f"{prose(each.id)}: {said}" for each in card.questions for said in markdown.remarks(each)]
    # Not the seconds of everything: they would tell how long hidden cases took.
    seconds = round(sum(case.seconds for question in card.questions for case in question.cases), 3)
    tests = [test for number, each in enumerate(card.questions, 1) for test in _tests(number, each)]
    score = min(floored(card.earned), floored(sum(test["max_score"] for test in tests)))
    results = {
        "score": score,
        "execution_time": seconds,
        "output": "\n\n".join([*(f"**{prose(each)}**" for each in notes), head, *remarks]),
        **FRAME,
        "extra_data": {"level": line(card.level), **(extra_data or {})},
        "tests": tests,
        "leaderboard": [
            {"name": "Points", "value": score, "order": "desc"},
            {"name": "Seconds", "value": seconds, "order": "asc"},
        ],
    }
    return _text(results)


def ungraded(problem: str, extra_data: dict[str, Any] | None = None) -> str:
    """The results where nothing could be graded: no points, and one line that says why."""
    return _text({"score": 0, "output": block(problem), **FRAME, "extra_data": extra_data or {}, "tests": []})


def _tests(number: int, question: QuestionScore) -> list[dict[str, Any]]:
    """A test for each open case, and one for all hidden ones together: their number and their points."""
    tests: list[dict[str, Any]] = []
    most = shares(question.points, [case.weight for case in question.cases])
    earned = [
        0.0 if question.withheld else part(share, case.earned) for share, case in zip(most, question.cases, strict=True)
    ]
    open_cases = [index for index, case in enumerate(question.cases) if not case.hidden]
    for place, index in enumerate(open_cases, 1):
        case = question.cases[index]
        name = f"{case.id}: {case.shows}"
        output = markdown.details(case)
        tests.append(_test(f"{number}.{place}", name, earned[index], most[index], case.earned >= 1, output, question))
    if count := markdown.hidden(question):
        shut = [index for index, case in enumerate(question.cases) if case.hidden]
        passed = all(question.cases[index].earned >= 1 for index in shut)
        score, maximum = (round(sum(points[index] for index in shut), 2) for points in (earned, most))
        name = f"{question.id}: {count}"
        tests.append(_test(f"{number}.{len(open_cases) + 1}", name, score, maximum, passed, "", question))
    return tests


def _test(
    number: str, name: str, score: float, most: float, passed: bool, output: str, question: QuestionScore
) -> dict[str, Any]:
    if not passed:  # many parts rounded may come to the whole
        score = max(0.0, min(score, round(most - 0.01, 2)))
    withheld = [f"No points yet: {prose(question.withheld)}"] if question.withheld else []
    return {
        "score": score,
        "max_score": most,
        "status": "passed" if passed else "failed",
        "name": line(name + " (extra credit)" * question.extra),
        "name_format": "text",
        "number": number,
        "output": "\n\n".join(part for part in (*withheld, output) if part),
        "output_format": "md",
        "visibility": "visible",
        "tags": ["extra"] if question.extra else [],
    }


def _text(results: dict[str, Any]) -> str:
    """ASCII, since a page's encoding is not ours to choose."""
    return json.dumps(results, indent=1, ensure_ascii=True, allow_nan=False) + "\n"
