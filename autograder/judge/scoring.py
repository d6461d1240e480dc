"""Turns verdicts into scores: for a case, for a question, and for a question that requires another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.cases.case import Case, Question
from autograder.judge.compare import Verdict
from autograder.judge.explain import Explanation
from autograder.judge.points_as_text import percent
from autograder.judge.scorecard import UNGRADED, CaseScore, QuestionScore
from autograder.judge.submission_answer import Answer
from pacman.core.errors import counted

MAX_OUTPUT_LINES = 5
PRINTS = "prints (cost no points): {}; the command `case` shows them"
"""A note about what a passed case printed: a report does not show it."""


def case_score(case: Case, answer: Answer, verdict: Verdict, explanation: Explanation) -> CaseScore:
    """The score of a case, with the reasons for every lost share. A hidden case is passed or failed as a whole."""
    is_missed = verdict.earned < 1
    prints = (
        [PRINTS.format(counted(len(answer.output.splitlines()), "line"))] if answer.output and not is_missed else []
    )
    return CaseScore(
        id=case.id,
        kind=case.input.kind,
        shows=case.input.shows,
        weight=case.input.weight,
        earned=float(not is_missed) if case.input.hidden else verdict.earned,
        lost=tuple(finding for finding in verdict.findings if finding.earned < 1),
        fault=str(verdict.fault.kind) if verdict.fault else "",
        message=verdict.fault.text if verdict.fault else "",
        why=explanation.sentence,
        output=_last_lines(answer.output) if is_missed else "",
        seconds=answer.seconds,
        hidden=case.input.hidden,
        notes=(*verdict.notes, *prints),
        diagram=explanation.diagram if is_missed else None,
        fault_detail=verdict.fault.detail if verdict.fault else "",
        at_import=verdict.fault.at_import if verdict.fault else False,
    )


def _last_lines(output: str) -> str:
    """The end of a printed text: what came last, before an error perhaps."""
    lines = output.splitlines()
    more = len(lines) - MAX_OUTPUT_LINES
    return "\n".join(([f"... ({counted(more, 'earlier line')})"] if more > 0 else []) + lines[-MAX_OUTPUT_LINES:])


def ungraded(case: Case, problem: str) -> CaseScore:
    """The score of a case on which the grader itself failed: no points."""
    case_input = case.input
    return CaseScore(
        case.id,
        case_input.kind,
        case_input.shows,
        case_input.weight,
        earned=0,
        fault=UNGRADED,
        message=f"ungraded, because the grader itself failed: {problem}",
        hidden=case_input.hidden,
    )


def question_score(question: Question, cases: Sequence[CaseScore]) -> QuestionScore:
    """The score of a question; one that earns all or nothing is withheld until every case is right."""
    is_withheld = question.all_or_nothing and any(case.earned < 1 for case in cases)
    return QuestionScore(
        *(question.id, question.title, question.points, tuple(cases)),
        extra=question.extra,
        withheld="no points until every case is right" if is_withheld else "",
        part=question.part,
    )


def withhold(scores: Sequence[QuestionScore], asked: Sequence[Question]) -> tuple[QuestionScore, ...]:
    """The scores, with no points for a question whose prerequisites are not met.

    A prerequisite that was not graded in this run is ignored.
    """
    done: dict[str, QuestionScore] = {score.id: score for score in scores}
    requires = {question.id: question.requires for question in asked}
    settled: dict[str, QuestionScore] = {}

    def settle(name: str) -> QuestionScore:
        if name not in settled:
            unmet = [
                f"{done[needed].title} reaches {percent(share)} (now {percent(settle(needed).share)})"
                for needed, share in requires.get(name, {}).items()
                if needed in done and settle(needed).share < share - 1e-9
            ]
            locked = f"locked until {' and '.join(unmet)}" if unmet else ""
            settled[name] = replace(done[name], withheld=locked or done[name].withheld)
        return settled[name]

    return tuple(settle(score.id) for score in scores)
