"""What answers are worth: one case, one question with its known mistakes, and what waits for another question."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.cases.loading import Case, Question
from autograder.cases.reference import Reference
from autograder.grading.style import NATIVE, Style
from autograder.judge import compare, diagnose
from autograder.judge.answer import Answer, clean
from autograder.judge.compare import Verdict
from autograder.judge.mistakes.naming import Tried, named, tried
from autograder.judge.scorecard import GRADERS_FAULT, CaseScore, Lost, QuestionScore
from pacman.core.outline import number

MAX_OUTPUT_LINES = 5


@dataclass(frozen=True)
class Scored:
    """A case's score, and, of a search that was judged, what is needed to find the mistake behind it."""

    score: CaseScore
    asked: Case
    expected: Reference | None = None
    given: Answer | None = None

    def tried(self) -> Tried | None:
        if self.expected is None or self.given is None:
            return None
        return tried(self.asked, self.expected, self.given)


def case(asked: Case, expected: Reference | None, answer: Callable[[], Answer], style: Style = NATIVE) -> Scored:
    """What the answer to a case is worth, and why. A fault of the grader's own costs the student nothing."""
    try:
        given = answer()
        verdict = compare.judge(asked, expected, given)
        said = style.remark(asked, expected, given, verdict)
    except Exception as error:  # anything here is ours: what a submission raises comes back as an answer
        return Scored(_ours(asked, error), asked)
    noted = replace(verdict, notes=(*verdict.notes, said)) if said else verdict
    return Scored(_score(asked, given, noted, _why(asked, expected, given, verdict)), asked, expected, given)


def question(asked: Question, scored: Sequence[Scored]) -> QuestionScore:
    """A question's score, with the known mistakes that explain what it lost."""
    made = QuestionScore(asked.id, asked.title, asked.points, tuple(each.score for each in scored), extra=asked.extra)
    if asked.role != "search" or made.is_full:
        return made
    try:
        mistakes = named([did for each in scored if (did := each.tried()) is not None], asked)
    except Exception:  # an explanation is a courtesy: without one, the points are the same
        return made
    return replace(made, mistakes=mistakes)


def withhold(scores: Sequence[QuestionScore], asked: Sequence[Question]) -> tuple[QuestionScore, ...]:
    """The scores, with nothing for a question whose prerequisites are not met; those not graded are not asked for."""
    done: dict[str, QuestionScore] = {score.id: score for score in scores}
    requires = {question.id: question.requires for question in asked}
    settled: dict[str, QuestionScore] = {}

    def settle(name: str) -> QuestionScore:
        if name not in settled:
            unmet = [
                f"it needs {_share(share)} of the points of {needed}, which has {_share(_earned(settle(needed)))}"
                for needed, share in requires.get(name, {}).items()
                if needed in done and _earned(settle(needed)) < share - 1e-9
            ]
            settled[name] = replace(done[name], withheld="; ".join(unmet))
        return settled[name]

    return tuple(settle(score.id) for score in scores)


def _earned(score: QuestionScore) -> float:
    return score.earned / score.points


def _share(share: float) -> str:
    """Never rounded up, so that what is shown is not what is asked for."""
    return f"{number(int(1000 * share + 1e-6) / 10)} %"


def _why(asked: Case, expected: Reference | None, given: Answer, verdict: Verdict) -> diagnose.Explanation:
    """The explanation of a miss. Where the grader fails to find one, it says so, and the points are the same."""
    if verdict.earned == 1:
        return diagnose.Explanation("")
    try:
        return diagnose.explain(asked, expected, given, verdict)
    except Exception as error:
        return diagnose.Explanation(f"the grader cannot explain this miss: {_said(error)}")


def _score(asked: Case, given: Answer, verdict: Verdict, why: diagnose.Explanation) -> CaseScore:
    missed = verdict.earned < 1
    lost = [finding for finding in verdict.findings if finding.earned < 1]
    return CaseScore(
        id=asked.id,
        kind=asked.input.kind,
        shows=asked.input.shows,
        weight=asked.input.weight,
        earned=verdict.earned,
        lost=tuple(Lost(each.criterion, 1 - each.earned, each.expected, each.got) for each in lost),
        fault=verdict.fault.kind if verdict.fault else "",
        message=verdict.fault.text if verdict.fault else "",
        why=why.sentence,
        picture=why.picture,
        output="\n".join(given.output.splitlines()[:MAX_OUTPUT_LINES]) if missed else "",
        seconds=given.seconds,
        hidden=asked.input.hidden,
        notes=verdict.notes,
    )


def _ours(asked: Case, error: Exception) -> CaseScore:
    """A case that the grader itself could not judge: it counts in full until somebody has looked."""
    text = f"the grader's own fault, not the submission's: {_said(error)}"
    return CaseScore(
        asked.id,
        asked.input.kind,
        asked.input.shows,
        asked.input.weight,
        earned=1,
        fault=GRADERS_FAULT,
        message=text,
        hidden=asked.input.hidden,
    )


def _said(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {clean(error, 120)}"
