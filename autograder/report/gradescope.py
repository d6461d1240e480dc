"""A scorecard as Gradescope's results.json: a test for each case, as students of that platform see it.

Only what `Scorecard.public` lets through, for staff too. A test can be marked as seen by staff alone, but the platform
also hands every earlier results.json, whole, to the machine on which a student's next submission runs.

Extra questions earn at most their own points, and add to the score: it may then be above the assignment's points, which
the platform allows, but never above all maxima together.
"""

from __future__ import annotations

import json
from typing import Any

from autograder.judge.scorecard import QuestionScore, Scorecard
from autograder.report import markdown
from autograder.report.escape import line, prose
from autograder.report.points import part, points_text, rounded_down, shares

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
    head = f"{points_text(card.earned)} of {points_text(card.points)} points. {prose(card.level)}."
    remarks = [f"{prose(each.id)}: {said}" for each in card.questions for said in markdown.remarks(each)]
    # Not the seconds of everything: they would tell how long hidden cases took.
    seconds = round(sum(case.seconds for question in card.questions for case in question.cases), 3)
    tests = [test for number, each in enumerate(card.questions, 1) for test in _tests(number, each)]
    score = min(rounded_down(card.earned), rounded_down(sum(test["max_score"] for test in tests)))
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
    return _text({"score": 0, "output": prose(problem), **FRAME, "extra_data": extra_data or {}, "tests": []})


def _tests(number: int, question: QuestionScore) -> list[dict[str, Any]]:
    """A test for each open case, and one for all hidden ones together: their number and their points."""
    most = shares(question.points, [case.weight for case in question.cases])
    scored = [
        (case, 0.0 if question.withheld else part(share, case.earned), share)
        for case, share in zip(question.cases, most, strict=True)
    ]
    tests = [
        _test(question, f"{case.id}: {case.shows}", score, share, case.earned >= 1, markdown.details(case))
        for case, score, share in scored
        if not case.hidden
    ]
    if count := markdown.hidden(question):
        cases, scores, shared = zip(*(each for each in scored if each[0].hidden), strict=True)
        passed = all(case.earned >= 1 for case in cases)
        name = f"{question.id}: {count}"
        tests.append(_test(question, name, round(sum(scores), 2), round(sum(shared), 2), passed, ""))
    return [{**test, "number": f"{number}.{place}"} for place, test in enumerate(tests, 1)]


def _test(question: QuestionScore, name: str, score: float, most: float, passed: bool, output: str) -> dict[str, Any]:
    if not passed:  # many parts rounded may come to the whole
        score = max(0.0, min(score, round(most - 0.01, 2)))
    withheld = [f"No points yet: {prose(question.withheld)}"] if question.withheld else []
    return {
        "score": score,
        "max_score": most,
        "status": "passed" if passed else "failed",
        "name": line(name + " (extra credit)" * question.extra),
        "name_format": "text",
        "output": "\n\n".join(said for said in (*withheld, output) if said),
        "output_format": "md",
        "visibility": "visible",
        "tags": ["extra"] if question.extra else [],
    }


def _text(results: dict[str, Any]) -> str:
    """ASCII, since a page's encoding is not ours to choose."""
    return json.dumps(results, indent=1, ensure_ascii=True, allow_nan=False) + "\n"
