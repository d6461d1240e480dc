"""What verdicts are worth: a case, a question, and what waits for another question. Nothing is run here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.cases.case import Case, Question
from autograder.judge.compare import Verdict
from autograder.judge.diagnose import Explanation
from autograder.judge.points import percent
from autograder.judge.scorecard import GRADERS_FAULT, CaseScore, Mistake, QuestionScore
from autograder.judge.submission_answer import Answer

MAX_OUTPUT_LINES = 5


def case_score(case: Case, answer: Answer, verdict: Verdict, explanation: Explanation) -> CaseScore:
    """What the answer to a case is worth, and why."""
    missed = verdict.earned < 1
    return CaseScore(
        id=case.id,
        kind=case.input.kind,
        shows=case.input.shows,
        weight=case.input.weight,
        earned=verdict.earned,
        lost=tuple(finding for finding in verdict.findings if finding.earned < 1),
        fault=verdict.fault.kind if verdict.fault else "",
        message=verdict.fault.text if verdict.fault else "",
        why=explanation.sentence,
        picture=explanation.picture,
        output="\n".join(answer.output.splitlines()[:MAX_OUTPUT_LINES]) if missed else "",
        seconds=answer.seconds,
        hidden=case.input.hidden,
        notes=verdict.notes,
    )


def unjudged(case: Case, problem: str) -> CaseScore:
    """A case that the grader itself could not judge: it counts in full until somebody has looked."""
    asked = case.input
    return CaseScore(
        case.id,
        asked.kind,
        asked.shows,
        asked.weight,
        earned=1,
        fault=GRADERS_FAULT,
        message=f"the grader's own fault, not the submission's: {problem}",
        hidden=asked.hidden,
    )


def question_score(question: Question, cases: Sequence[CaseScore], mistakes: Sequence[Mistake] = ()) -> QuestionScore:
    """A question's score, with the known mistakes that explain what it lost."""
    return QuestionScore(
        question.id, question.title, question.points, tuple(cases), tuple(mistakes), extra=question.extra
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
                f"{done[needed].title} reaches {percent(share)} (now {percent(_earned(settle(needed)))})"
                for needed, share in requires.get(name, {}).items()
                if needed in done and _earned(settle(needed)) < share - 1e-9
            ]
            settled[name] = replace(done[name], withheld=f"locked until {' and '.join(unmet)}" if unmet else "")
        return settled[name]

    return tuple(settle(score.id) for score in scores)


def _earned(score: QuestionScore) -> float:
    return score.earned / score.points
