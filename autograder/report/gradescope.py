"""A scorecard as Gradescope's results.json: one test per case, as students see it there.

The file holds only what `Scorecard.public` contains, for the course staff too. The platform could show a test only to
the staff, but it also copies every earlier results.json to the machine that runs the student's next submission.

Extra questions add to the score. So the score may be above the assignment's points, which the platform allows, but it
is never above the sum of all maxima.
"""

from __future__ import annotations

import json
from typing import Any

from autograder.judge.points_as_text import part as part_of
from autograder.judge.points_as_text import points_text, rounded_down, shares
from autograder.judge.scorecard import QuestionScore, Scorecard
from autograder.report import markdown
from autograder.report.blocks import capitalized, general_faults, hidden_count, not_final_warning, question_blocks
from autograder.report.escape import line, prose

FORMAT = {
    "output_format": "md",
    "test_output_format": "md",
    "test_name_format": "text",
    "visibility": "visible",
    "stdout_visibility": "hidden",
}


def dump(
    card: Scorecard, note: str = "", extra_data: dict[str, Any] | None = None, hidden_results: str = "visible"
) -> str:
    """The results of a finished or unfinished grading; `note` is a line for the top of the page.

    `hidden_results` says when students see what the hidden cases earn, in the words of the platform.
    """
    notes = [each for each in (note, not_final_warning(card)) if each]
    card = card.public()
    head = f"{points_text(card.earned)} of {points_text(card.points)} points. {prose(card.conditions)}."
    faults = [f"**{prose(each)}**" for each in general_faults(card)]
    remarks = list[str]()
    for each in card.questions:  # the first remark about a question names it
        first, *others = [*markdown.paragraphs(question_blocks(each))] or [""]
        remarks += [f"{prose(each.id)}: {first}", *others] if first else []
    # Without the seconds of hidden cases, which students must not learn.
    seconds = round(sum(case.seconds for question in card.questions for case in question.cases), 3)
    tests = [test for number, each in enumerate(card.questions, 1) for test in _tests(number, each, hidden_results)]
    score = min(rounded_down(card.earned), rounded_down(sum(test["max_score"] for test in tests)))
    results = {
        "score": score,
        "execution_time": seconds,
        "output": "\n\n".join([*(f"**{prose(each)}**" for each in notes), head, *faults, *remarks]),
        **FORMAT,
        "extra_data": {"level": line(card.level), **(extra_data or {})},
        "tests": tests,
        "leaderboard": [
            {"name": "Points", "value": score, "order": "desc"},
            {"name": "Seconds", "value": seconds, "order": "asc"},
        ],
    }
    return _text(results)


def ungraded(problem: str, extra_data: dict[str, Any] | None = None) -> str:
    """The results if nothing could be graded: no points, and one line with the reason."""
    return _text({"score": 0, "output": prose(problem), **FORMAT, "extra_data": extra_data or {}, "tests": []})


def _tests(number: int, question: QuestionScore, hidden_results: str) -> list[dict[str, Any]]:
    """One test per open case, and one test for all hidden cases together, with their number and points."""
    most = shares(question.points, [case.weight for case in question.cases])
    scored = [
        (case, 0.0 if question.withheld else part_of(share, case.earned), share)
        for case, share in zip(question.cases, most, strict=True)
    ]
    tests = [
        _test(question, f"{case.id}: {case.shows}", score, share, case.earned >= 1, markdown.details(case))
        for case, score, share in scored
        if not case.hidden
    ]
    if count := hidden_count(question):
        cases, scores, shared = zip(*(each for each in scored if each[0].hidden), strict=True)
        is_full = all(case.earned >= 1 for case in cases)
        name = f"{question.id}: {count}"
        test = _test(question, name, round(sum(scores), 2), round(sum(shared), 2), is_full, "")
        tests.append({**test, "visibility": hidden_results})
    return [{**test, "number": f"{number}.{place}"} for place, test in enumerate(tests, 1)]


def _test(question: QuestionScore, name: str, score: float, most: float, is_full: bool, output: str) -> dict[str, Any]:
    if not is_full:  # the sum of many rounded parts may equal the maximum
        score = max(0.0, min(score, round(most - 0.01, 2)))
    locked = [prose(capitalized(question.withheld))] if question.withheld else []
    return {
        "score": score,
        "max_score": most,
        "status": "passed" if is_full else "failed",
        "name": line(name + " (extra credit)" * question.extra),
        "name_format": "text",
        "output": "\n\n".join(part for part in (*locked, output) if part),
        "output_format": "md",
        "visibility": "visible",
        "tags": ["extra"] if question.extra else [],
    }


def _text(results: dict[str, Any]) -> str:
    """The results as JSON in ASCII, because the platform chooses the encoding of its pages."""
    return json.dumps(results, indent=1, ensure_ascii=True, allow_nan=False) + "\n"
