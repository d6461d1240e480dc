"""The short report: one entry for each fault, the other questions in brief, the sentences last."""

from __future__ import annotations

from io import StringIO

from rich.color import Color
from rich.console import Console

from autograder.cases.case import Limits
from autograder.judge.scorecard import CaseScore, Diagnosis, Diagram, Finding, NodeRow, QuestionScore, Scorecard
from autograder.report import terminal
from autograder.report.blocks import losses
from autograder.sandbox.runner import read_fault


def case(name: str, fault: str = "", message: str = "", detail: str = "", **more: object) -> CaseScore:
    lost = () if fault else (Finding("value", 1, 0, "3", "4"),)
    values = {"why": "at the root: expected 3, got 4", "diagram": Diagram("  max"), **more}
    return CaseScore(f"q1/{name}", "tree", "a tree", 1, 0, lost, fault, message, fault_detail=detail, **values)  # type: ignore[arg-type]


def question(name: str, *cases: CaseScore, sentence: str = "") -> QuestionScore:
    paths = [(), *((str(number),) for number in range(12)), ("0", "x")]
    rows = tuple(NodeRow(path, "3", "4", kind=("max", "min", "whole")[len(path)]) for path in paths)
    tree = Diagram("max\n  a: 3\n", 1, rows, ())
    diagnosis = Diagnosis((sentence,), "Draw it.", ("m",), tree, command=f"case {name}") if sentence else None
    return QuestionScore(name, f"Question {name}", 4, cases, diagnosis, part=f"{name.upper()}Agent")


def report(*questions: QuestionScore) -> str:
    out = StringIO()
    card = Scorecard("s", "S", "mine.py", "sandbox: none", questions, 1.25)
    terminal.render(card, Console(file=out, width=100, color_system=None), is_short=True)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def test_one_fault_in_many_cases_is_one_entry_also_if_its_text_differs_in_a_value() -> None:
    times = [case(f"{n:02}-a", "time", f"no answer within {n} s") for n in range(1, 5)]
    keys = [case(f"{n:02}-b", "raised", f"KeyError: {n} (line 7: x)", "KeyError at :7") for n in range(5, 9)]
    other = case("09-c", "raised", "KeyError: 0 (line 8: y)", "KeyError at :8")
    text = report(question("q1", *times, *keys, other))
    assert text.count("no answer within 1 s") == 2  # the case, and the last line
    assert "no answer within 2 s" not in text
    assert "q1/05-b  0 %  KeyError: 5 (line 7: x) (and in 3 more cases)\n" in text
    assert "q1/09-c  0 %  KeyError: 0 (line 8: y)\n" in text
    assert "3 more cases: 02, 03, 04; --all shows them\n" in text


def test_the_detail_of_an_exception_is_its_type_and_its_line() -> None:
    raised = {
        "kind": "raised",
        "type": "KeyError",
        "message": "0.25",
        "line": 7,
        "text": "x[k]",
        "during": "",
        "file": "",
    }
    first, second = (read_fault(raised | {"message": str(value)}, Limits()) for value in (0.25, 0.75))
    assert first.text != second.text
    assert first.detail == second.detail != read_fault(raised | {"line": 8}, Limits()).detail


def test_missing_parts_are_one_line_with_the_nearest_names() -> None:
    missing = [
        question("q1", case("01-a", "missing part", "the file defines no class Q1Agent")),
        question("q2", case("01-a", "missing part", "the file defines no class Q2Agent", "Q2agent")),
    ]
    text = report(*missing)
    assert "the file does not define: Q1Agent, Q2Agent (did you mean 'Q2agent'?)\n" in text
    assert "──" not in text


def test_the_first_question_is_shown_and_the_others_are_brief() -> None:
    text = report(
        question("q1", case("01-a"), case("02-b"), sentence="It stops early."),
        question("q2", case("01-a"), sentence="It stops early."),
        question("q3", case("01-a"), sentence="It never cuts."),
        question("q4", case("01-a", case_command="case q4/01-a")),
    )
    first, second, third, fourth = (text.index(f"q{n} Question") for n in range(1, 5))
    assert "min ..." in text[first:second]
    assert "  max\n" in text[first:second]
    assert "1 more case: 02; --all shows them" in text[first:second]
    assert "  the same as in q1\n" in text[second:third]
    assert "To run its smallest tree: case q3" in text[third:fourth]
    assert "min ..." not in text[second:]
    assert "whole" not in text
    assert "To run just this: case q4/01-a" in text[fourth:]
    assert text.endswith(
        "sandbox: none; 1.2 s\nq1, q2: It stops early.\nq3: It never cuts.\nq1/01-a: at the root: expected 3, got 4\n"
    )


def test_the_last_line_about_a_match_is_the_criterion_that_was_lost() -> None:
    lost = (Finding("mean_score", 1, 0, "at least 650", "572"),)
    match = CaseScore("q1/07-hunt", "match", "a match", 1, 0, lost, why="games won: 3 of 3")
    assert report(question("q1", match)).endswith("\nq1/07-hunt: mean_score: expected at least 650, got 572\n")


def test_full_marks_end_with_the_sandbox() -> None:
    right = CaseScore("q1/a", "tree", "a tree", 1, 1)
    assert report(question("q1", right)).endswith("sandbox: none; 1.2 s\n")


def test_cases_whose_names_begin_with_the_same_number_are_told_apart() -> None:
    text = report(question("q1", case("01-a"), case("07-a"), case("07-b"), case("08-c")))
    assert "3 more cases: 07-a, 07-b, 08; --all shows them\n" in text


def test_the_colour_of_notices_has_contrast_on_white_and_on_black() -> None:
    """By the relative luminance of WCAG 2.1."""
    parts = [part / 255 for part in Color.parse(terminal.NOTICE).get_truecolor()]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    assert 1.05 / (light + 0.05) > 4
    assert (light + 0.05) / 0.05 > 4


def test_the_table_names_what_returned_none_and_keeps_the_other_wrong_values_apart() -> None:
    none = case("01-a", "refused", "choose returned None; expected an action such as 'West'")
    other = case("02-a", "refused", "choose returned 3; expected an action such as 'West'")
    assert losses(question("q1", none, other)) == "returned None: 1, wrong definition or return value: 1"
