"""A note that costs no points is in every report, and says that it costs none."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from autograder.judge.scorecard import CaseScore, QuestionScore, Scorecard
from autograder.report import gradescope, junit, markdown, terminal
from autograder.report import json as report_json

NOTE = "waste (costs no points): 3 successors were generated again"


def card(earned: float) -> Scorecard:
    cases = tuple(CaseScore(f"q2/{name}", "tree", "a tree", 1, earned, notes=(NOTE,)) for name in "abc")
    return Scorecard("small", "Small", "my.py", "", (QuestionScore("q2", "Minimax", 5, cases),), 1)


def terminal_text(card: Scorecard) -> str:
    out = io.StringIO()
    terminal.render(card, Console(file=out, width=120))
    return out.getvalue()


FORMATS = {
    "terminal": terminal_text,
    "markdown": markdown.dump,
    "gradescope": gradescope.dump,
    "junit": junit.dump,
    "json": report_json.dump,
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("earned", [1, 0.5])
def test_a_note_is_in_every_report(form: str, earned: float) -> None:
    assert NOTE in FORMATS[form](card(earned))


def test_a_note_on_many_passed_cases_is_printed_once() -> None:
    for text in (terminal_text(card(1)), markdown.dump(card(1))):
        assert text.count(NOTE) == 1
        assert f"q2/a: {NOTE} (similar in 2 more cases)" in text
