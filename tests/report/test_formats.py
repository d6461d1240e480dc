"""Every report format: student text is harmless, hidden cases stay hidden, and points are right."""

from __future__ import annotations

import io
import json
import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml
from markdown_it import MarkdownIt
from rich.console import Console

from autograder.judge.points_as_text import percent, points_text
from autograder.judge.scorecard import UNGRADED, CaseScore, Diagnosis, Finding, QuestionScore, Scorecard, SmallestTree
from autograder.pages.student_page import student_page
from autograder.report import blocks, escape, gradescope, junit, markdown, terminal
from autograder.report import json as report_json
from autograder.report.blocks import points_block
from autograder.sandbox import Level
from pacman.core.errors import InputError
from pacman.core.tree_text import number
from tests.command_line import run_here
from tests.every_report import FOR_STUDENTS, checked, schema, terminal_text, validators
from tests.graded import graded as graded_file
from tests.paths import ROOT, SOLUTIONS

SCHEMA = ROOT / "autograder" / "report" / "scorecard.schema.json"

EVIL = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "]]></failure><testcase name='forged'/>",
    "=cmd|' /C calc'!A0",
    "\t@SUM(1+1)",
    "\x1b[2J\x1b]0;pwn\x07",
    "\u202egnp.exe\u2066",
    "\x00\x01\x85\ufffe\uffff\U0001ffff",
    "{{7*7}} ${7*7} $(touch x)",
    "\\input{/etc/passwd}",
    "![x](http://127.0.0.1/x) [y](javascript:alert(1)) <http://127.0.0.1> http://127.0.0.1/ www.x.com",
    "[x]: http://127.0.0.1",
    "``` `` ` ~~~",
    "``````````\n# forged heading\n\n<b>bold</b>",
    "| a | b |\n| - | - |\n",
    "&lt;b&gt; &#60;b&#62;",
    "` <b>bold</b> [x](y) `",
    "a\\|b|c `|` \\` <b>",
    "**bold** __bold__ ~~gone~~ # 1. - > =",
    "\ud800 lone",
    "é Ж 漢 🙂",
    "x" * 100_000,
]


def case(name: str, earned: float, text: str = "plain", **fields: Any) -> CaseScore:
    """A case with `text` in every field that holds text."""
    lost = (Finding("value", 1, earned, text, text),) if earned < 1 else ()
    picture = tuple(text.split("\n"))
    return CaseScore(name, "tree", text, 1, earned, lost, "", "", text, picture, text, 0.25, notes=(text,), **fields)


def hostile(texts: list[str]) -> Scorecard:
    """A scorecard with hostile text in every field that holds text."""
    cases = [case(f"q1/{number} {text}", 0.5, text) for number, text in enumerate(texts)]
    cases += [replace(each, fault="raised", message=each.why) for each in cases]
    many = " ".join(["text", *texts])
    smallest = SmallestTree(many, 2, (many, *texts))
    diagnosis = Diagnosis((many, many), many, (many,), smallest)
    question = QuestionScore("q1", many, 5, tuple(cases), diagnosis, withheld=many)
    return Scorecard("small", many, f"{many}.py", many, (question, replace(question, withheld="")), 1.5)


class Page(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        self.feed(reader.render(markdown))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"style"}, attrs


OUR_TAGS = {"h1", "h2", "h3", "p", "code", "pre", "strong", "table", "thead", "tbody", "tr", "th", "td"}


def check_page(text: str) -> None:
    """Fails if a Markdown text makes a tag that our reports do not use."""
    assert Page(text).tags <= OUR_TAGS


@pytest.mark.parametrize("text", EVIL)
def test_markdown_shows_a_text_unchanged(text: str) -> None:
    words = escape.line(text).split()
    assert Page(f"- {escape.prose(text)}").text.split() == words
    assert Page(f"a {escape.code(text)} b").text.split() == ["a", *words, "b"]
    table = [escape.row(escape.code(text), "b"), escape.row("---", "---"), escape.row(escape.prose(text), "c")]
    assert Page("\n".join(table)).text.split() == [*words, "b", *words, "c"]


def test_a_terminal_gets_no_control_characters() -> None:
    text = terminal_text(hostile(EVIL))
    assert all(each.isprintable() or each == "\n" for each in text)
    assert "more characters)" in text
    marked, braced = (terminal_text(hostile([text])) for text in ("[bold]x[/bold]", "{bold}x{/bold}"))
    assert marked.translate(str.maketrans("[]", "{}")) == braced


def test_the_terminal_prints_the_level_of_the_sandbox_on_one_line() -> None:
    level = Level.SAFE.text
    assert len(line := f"{level}; 1.5 s") > 100
    assert f"\n{line}\n" in terminal_text(Scorecard("small", "Small", "my.py", level, (), 1.5))


@pytest.mark.parametrize("form", FOR_STUDENTS)
def test_student_text_is_harmless(form: str) -> None:
    card = hostile(EVIL)
    text = FOR_STUDENTS[form](card)
    assert all(each.isprintable() or each == "\n" for each in text)
    assert "more characters)" in text
    assert len(text) < 400_000
    assert text.encode("utf-8")
    if form == "junit":
        suites = JUnitXml.fromstring(text.encode())
        assert sum(suite.tests for suite in suites) == sum(len(list(suite)) for suite in suites) == 4 * len(EVIL)
        assert "forged" not in [each.name for suite in suites for each in suite]
    if form == "markdown":
        check_page(text)
    if form == "gradescope":
        results = json.loads(text)
        validators()[1].validate(results)
        for each in (results["output"], *(test["output"] for test in results["tests"])):
            check_page(each)
        names = " ".join(test["name"] for test in results["tests"])
        assert all(each.isprintable() for each in names)


@pytest.mark.parametrize("text", EVIL)
def test_the_reason_why_nothing_was_graded_is_harmless(text: str) -> None:
    results = json.loads(gradescope.ungraded(f"mine.py:1: not valid Python: {text}"))
    validators()[1].validate(results)
    check_page(results["output"])
    assert results["output"].isprintable()


def test_a_scorecard_of_the_version_before_is_read() -> None:
    """A store keeps those of older versions of the grader. In them, a diagnosis had another name and one more text."""
    card = replace(HALF_HIDDEN, questions=(replace(HALF_HIDDEN.questions[0], diagnosis=DIAGNOSIS),))
    old = json.loads(report_json.dump(card)) | {"version": 3}
    (question,) = old["questions"]
    question["examination"] = question.pop("diagnosis") | {"right": "Right on 20 trees."}
    assert report_json.load(json.dumps(old)) == card
    with pytest.raises(InputError, match="scorecard version: expected 4, got 2"):
        report_json.load(json.dumps(old | {"version": 2}))


def test_json_contains_everything_in_ascii() -> None:
    card = hostile(EVIL[:-3])
    text = report_json.dump(card)
    assert text.isascii()
    assert all(each.isprintable() or each == "\n" for each in text)
    assert "<" not in text
    assert report_json.load(text) == card
    checked(card)
    lone = report_json.dump(hostile(["\ud800"]))
    assert json.loads(lone)["submission"].encode() == b"text ?.py"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(st.characters(codec=None), max_size=60), min_size=1, max_size=3))
def test_any_text_at_all_is_harmless(texts: list[str]) -> None:
    card = hostile(texts)
    check_page(markdown.dump(card))
    assert sum(len(list(suite)) for suite in JUnitXml.fromstring(junit.dump(card).encode())) == 4 * len(texts)
    results = json.loads(gradescope.dump(card))
    for each in results["tests"]:
        check_page(each["output"])
    checked(card)


# Hidden cases

SECRET = CaseScore(
    "q1/secret-name", "tree", "secret purpose", 1, 0.0, (Finding("value", 1, 0, "secret 3", "secret 4"),),
    "time", "secret message", "secret why", ("secret picture",), "secret output", 71.0, True, ("secret note",),
)  # fmt: skip
HALF_HIDDEN = Scorecard(
    "small", "Small", "mine.py", "sandbox: safe",
    (QuestionScore("q1", "First", 4, (case("q1/open", 1.0), SECRET, replace(SECRET, id="q1/secret-2", earned=1.0))),),
    73.5, hidden_seconds=71.0,
)  # fmt: skip


@pytest.mark.parametrize("form", [*FOR_STUDENTS, "terminal"])
def test_hidden_cases_leak_no_name_output_or_time(form: str) -> None:
    text = {**FOR_STUDENTS, "terminal": terminal_text}[form](HALF_HIDDEN)
    assert "secret" not in text
    assert not re.search(r"\b7[0-9]\.", text)
    assert form != "terminal" or text.endswith("; 2.5 s\n")
    assert "hidden" in text


def test_hidden_cases_are_one_test_with_their_points() -> None:
    results = json.loads(gradescope.dump(HALF_HIDDEN))
    _, hidden = results["tests"]
    assert hidden["name"] == "q1: 1 of 2 hidden cases passed"
    assert (hidden["status"], hidden["output"]) == ("failed", "")
    assert (hidden["score"], hidden["max_score"]) == (1.34, 2.67)
    assert results["execution_time"] == 0.25


def test_students_see_only_counts_of_hidden_cases() -> None:
    public = HALF_HIDDEN.public()
    assert public.earned == pytest.approx(HALF_HIDDEN.earned)
    assert "secret" not in repr(public.questions)
    assert [case.earned for case in public.questions[0].cases if case.hidden] == [1, 0]
    assert "hidden: 1 of 2 passed" in terminal_text(HALF_HIDDEN)
    for text in (terminal_text(HALF_HIDDEN, show_hidden=True), report_json.dump(HALF_HIDDEN)):
        assert "secret message" in text


# Points


shares = st.one_of(st.just(1.0), st.just(0.0), st.floats(0, 1), st.just(1 - 1e-12))
weights = st.floats(0.01, 100)
case_scores = st.builds(
    lambda earned, weight, hidden: CaseScore(
        "q/c", "tree", "", 1.0 if hidden else weight, float(earned == 1) if hidden else earned, hidden=hidden
    ),
    shares,
    weights,
    st.booleans(),
)
questions = st.builds(
    lambda points, cases, extra, withheld: QuestionScore("q", "Q", points, tuple(cases), None, extra, withheld),
    st.floats(0.1, 50), st.lists(case_scores, min_size=1, max_size=12), st.booleans(),
    st.sampled_from(["", "", "q1 first"]),
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(questions, min_size=1, max_size=4))
def test_no_score_is_above_its_maximum_and_only_full_marks_look_full(scores: list[QuestionScore]) -> None:
    card = Scorecard("a", "A", "x.py", "level", tuple(scores), 0)
    results = json.loads(gradescope.dump(card))
    validators()[1].validate(results)
    assert results["score"] <= sum(test["max_score"] for test in results["tests"]) + 1e-9
    assert results["score"] <= card.earned + 1e-6
    for test in results["tests"]:
        assert 0 <= test["score"] <= test["max_score"]
        if test["score"] == test["max_score"] > 0:
            assert test["status"] == "passed"
    total = sum(round(question.points, 2) for question in scores)
    assert sum(test["max_score"] for test in results["tests"]) == pytest.approx(total, abs=0.01 * len(scores) + 1e-9)
    for question in scores:
        if question.withheld:
            alone = json.loads(gradescope.dump(replace(card, questions=(question,))))
            assert {test["score"] for test in alone["tests"]} == {0}


def test_the_score_is_not_above_the_sum_of_the_maxima() -> None:
    thirds = tuple(QuestionScore(f"q{number}", "Q", 0.333, (case("q/a", 1.0),)) for number in range(4))
    results = json.loads(gradescope.dump(replace(HALF_HIDDEN, questions=thirds)))
    assert results["score"] == sum(test["max_score"] for test in results["tests"]) == 1.32


def test_hidden_points_that_round_to_the_maximum_do_not_look_full() -> None:
    hidden = [replace(case("q1/a", float(number > 0)), hidden=True) for number in range(1000)]
    card = replace(HALF_HIDDEN, questions=(QuestionScore("q1", "First", 4, tuple(hidden)),))
    (test,) = json.loads(gradescope.dump(card))["tests"]
    assert (test["score"], test["max_score"], test["status"]) == (3.99, 4, "failed")


SHARES = [0.0, 0.004, 0.28999999, 2 / 7, 0.29, 1 / 3, 0.5, 0.9996, 1 - 1e-12]
POINTS = [0.333, 1, 7, 30]


@pytest.mark.parametrize("points", POINTS)
@pytest.mark.parametrize("share", SHARES)
def test_every_report_shows_the_same_points_and_percentages(points: float, share: float) -> None:
    question = QuestionScore("q1", "First", points, (case("q1/a", share), case("q1/b", share)))
    card = replace(HALF_HIDDEN, questions=(question,))
    earned, most, percentage = points_text(points * share), points_text(points), percent(share)
    assert percentage != "100 %"
    shown = terminal_text(card)
    assert f" {earned}/{most} " in shown
    assert f"q1/a  {percentage}  " in shown
    page = markdown.dump(card)
    assert page.startswith(f"# Small: {earned} of {most} points\n")
    assert f"| {earned}/{most} |" in page
    assert f"({percentage})" in page
    suite = JUnitXml.fromstring(junit.dump(card).encode())
    properties = {each.name: each.value for each in next(iter(suite)).properties()}
    assert (properties["earned"], properties["points"]) == (earned, most)
    assert f"earned: {percentage}\n" in junit.dump(card)
    results = json.loads(gradescope.dump(card))
    assert number(results["score"]) == earned
    assert results["output"].startswith(f"{earned} of {most} points.")
    values = json.loads(report_json.dump(card))
    assert (number(values["earned"]), number(values["points"])) == (earned, most)
    assert number(values["questions"][0]["earned"]) == earned


def test_extra_credit_is_added_and_labelled() -> None:
    ordinary = QuestionScore("q1", "First", 4, (case("q1/a", 1.0),))
    extra = QuestionScore("q2", "Second", 2, (case("q2/a", 0.5),), extra=True)
    card = Scorecard("small", "Small", "mine.py", "safe", (ordinary, extra), 1)
    results = json.loads(gradescope.dump(card))
    assert (card.earned, card.points, results["score"]) == (5, 4, 5)
    assert [test["max_score"] for test in results["tests"]] == [4, 2]
    assert results["tests"][1]["name"].endswith("(extra credit)")
    assert "5 of 4 points" in results["output"]
    assert "(extra)" in markdown.dump(card)
    assert re.search(r"Second \(extra\) +1/2 .*\n +total +5/4 ", terminal_text(card))


# A real grading


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Scorecard:
    """The scorecard of a search that sums values instead of averaging them."""
    text = SOLUTIONS.read_text(encoding="utf-8")
    file = tmp_path_factory.mktemp("submission") / "mine.py"
    file.write_text(text.replace("return Line(mean, None)", "return Line(2 * mean, None)"), encoding="utf-8")
    return graded_file(file, "q4", jobs=2)


def test_junit_opens_in_a_common_reader() -> None:
    unwritten = graded_file(ROOT / "agents" / "student.py", "q4", jobs=2)
    (suite,) = JUnitXml.fromstring(junit.dump(unwritten).encode())
    assert (suite.name, suite.errors, suite.failures) == ("q4 Expectimax", suite.tests - 4, 4)  # four are hidden
    first = next(iter(suite))
    assert (first.classname, first.name) == ("multiagent.q4", "01-mean")
    (result,) = first.result
    assert isinstance(result, Error)
    assert result.message == "ExpectimaxAgent.search is not written yet"
    assert result.type == "not written"
    lost = replace(HALF_HIDDEN.questions[0], cases=(case("q1/a", 0.5), case("q1/b", 1.0)))
    (suite,) = JUnitXml.fromstring(junit.dump(replace(HALF_HIDDEN, questions=(lost,))).encode())
    assert (suite.tests, suite.failures, suite.errors) == (2, 1, 0)
    assert isinstance(next(iter(suite)).result[0], Failure)
    (suite,) = JUnitXml.fromstring(junit.dump(HALF_HIDDEN).encode())
    assert [(each.name, [result.message for result in each.result]) for each in suite] == [
        ("open", []), ("hidden-1", []), ("hidden-2", ["a hidden case"])
    ]  # fmt: skip


def test_the_schema_file_is_up_to_date(graded: Scorecard) -> None:
    """UPDATE_SCHEMA=1 writes it again. A change that old readers cannot read needs a new VERSION."""
    if os.environ.get("UPDATE_SCHEMA"):
        SCHEMA.write_text(json.dumps(schema(), indent=2) + "\n", encoding="utf-8", newline="\n")
    shipped = json.loads(SCHEMA.read_text(encoding="utf-8"))
    if tuple(map(int, pydantic.VERSION.split(".")[:2])) >= (2, 13):  # older ones write the same in other words
        assert shipped == schema()
    jsonschema.Draft202012Validator.check_schema(shipped)
    validate = jsonschema.Draft202012Validator(shipped).validate
    for card in (graded, HALF_HIDDEN, HALF_HIDDEN.public()):
        values = json.loads(report_json.dump(card))
        validate(values)
        for key in ("version", "earned", "questions"):
            with pytest.raises(jsonschema.ValidationError):
                validate({name: value for name, value in values.items() if name != key})
        with pytest.raises(jsonschema.ValidationError):
            validate({**values, "unknown": 1})


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_long_title_cuts_no_points_and_no_problems(width: int) -> None:
    case = CaseScore("q5/a", "tree", "", 1, 0.3, fault="raised")
    question = QuestionScore("q5", "Expectiminimax with two CHANCE layers", 6.25, (case,))
    out = io.StringIO()
    card = Scorecard("m", "T", "x", "safe", (question,), 1.0)
    terminal.write([points_block(card)], Console(file=out, width=width, color_system=None))
    assert out.getvalue().count("1.87/6.25") == 2
    assert "…" not in out.getvalue()


def test_a_miss_is_reported_with_its_drawing(graded: Scorecard) -> None:
    assert 0 < graded.earned < graded.points
    miss = next(each for each in graded.questions[0].cases if each.earned < 1 and each.picture)
    text = markdown.dump(graded)
    for part in (escape.prose(miss.id), escape.code(miss.lost[0].got), escape.block(miss.picture)):
        assert part in text
    check_page(text)
    tests = json.loads(gradescope.dump(graded))["tests"]
    assert escape.block(miss.picture) in next(test for test in tests if test["name"].startswith(miss.id))["output"]


def test_an_ungraded_case_is_in_every_format() -> None:
    """It has no points, and the result is not final. Of a hidden case, students learn only that."""
    failure = replace(case("q1/a", 0.0), fault=UNGRADED, message="ungraded, because of KeyError at compare.py:3")
    for each in (failure, replace(failure, hidden=True)):
        card = replace(HALF_HIDDEN, questions=(QuestionScore("q1", "First", 4, (each, case("q1/b", 1.0))),))
        results = json.loads(gradescope.dump(card))
        warning = "Not final: some cases are ungraded and have no points yet."
        assert warning in results["output"]
        assert results["score"] == 2
        assert warning in markdown.dump(card)
        assert warning in terminal_text(card)
        for form in FOR_STUDENTS.values():
            assert ("KeyError" in form(card)) == ("ungraded, because" in form(card)) == (not each.hidden)
        assert ("(1 ungraded)" in markdown.dump(card)) == (not each.hidden)
        assert ("q1/a  ungraded  plain" in terminal_text(card)) == (not each.hidden)
        (suite,) = JUnitXml.fromstring(junit.dump(card))
        assert (suite.errors, suite.failures) == ((0, 1) if each.hidden else (1, 0))
        assert {each.name: each.value for each in suite.properties()}["final"] == "false"
        whole = json.loads(report_json.dump(card))
        assert (whole["final"], whole["questions"][0]["cases"][0]["fault"]) == (False, "ungraded")
    assert json.loads(report_json.dump(HALF_HIDDEN))["final"]
    assert '"final"' not in junit.dump(HALF_HIDDEN)


PICTURE = ("node       expected  got", "max               3   5  <-- here", "  a: min          3   5")
DIAGNOSIS = Diagnosis(
    ("At MIN nodes, your search takes the largest value.", "There is more."), "Who moves at a MIN node?",
    ("min-as-max",),
    SmallestTree("max\n  a: min\n    b: 3", 2, PICTURE),
)  # fmt: skip


@pytest.mark.parametrize("form", [*FOR_STUDENTS, "terminal"])
def test_every_report_shows_a_diagnosis_once_per_question(form: str) -> None:
    """The sentences, the hint, and the smallest tree with its drawing, in this order."""
    question = QuestionScore("q1", "First", 4, (case("q1/a", 0.5), case("q1/b", 0.5)), DIAGNOSIS)
    text = {**FOR_STUDENTS, "terminal": terminal_text}[form](replace(HALF_HIDDEN, questions=(question,)))
    if form == "junit":
        (output,) = (each.text for each in ElementTree.fromstring(text).iter("system-out") if "MIN" in str(each.text))
        text = str(output)
    if form == "gradescope":
        text = json.loads(text)["output"]
    if form in ("gradescope", "markdown"):
        check_page(text)
        text = Page(text).text
    title = "The smallest tree on which it fails, 2 plies deep:"
    parts = [*DIAGNOSIS.sentences, DIAGNOSIS.hint, title, *PICTURE]
    assert [text.count(part) for part in parts] == [1] * len(parts)
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_the_same_message_is_written_once() -> None:
    same = [replace(case(f"q1/{name}", 0.0), fault="raised", message="ValueError: 3") for name in "abc"]
    card = replace(HALF_HIDDEN, questions=(QuestionScore("q1", "First", 4, tuple(same)),))
    text = markdown.dump(card)
    assert text.count("ValueError: 3") == 1
    assert "The same in q1/b, q1/c." in text


def test_parts_that_are_not_written_are_one_line_in_reports_for_people() -> None:
    questions = [
        QuestionScore(f"q{number}", part, 4, tuple(replace(case(f"q{number}/{name}", 0.0), fault="not written",
                      message=f"{part}.search is not written yet") for name in "abc"))
        for number, part in enumerate(("MinimaxAgent", "ExpectimaxAgent"), 1)
    ]  # fmt: skip
    card = replace(HALF_HIDDEN, questions=tuple(questions))
    line = "not written yet: MinimaxAgent.search, ExpectimaxAgent.search"
    assert terminal_text(card).count("search") == terminal_text(card).count(line) * 2 == 2
    assert markdown.dump(card).count("search") == markdown.dump(card).count(f"**{line}**") * 2 == 2
    assert json.loads(gradescope.dump(card))["output"].endswith(f"**{line}**")
    half = replace(card, questions=(questions[0], replace(questions[1], cases=(case("q2/a", 0.5),))))
    assert "not written yet: MinimaxAgent.search\n" in terminal_text(half)
    assert "q2/a  50 %" in terminal_text(half)


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("Your search stops one ply too early.", "The smallest tree on which it fails, 1 ply deep:"),
        (
            "It is wrong on trees with these layers, from the root down: MAX > MIN (3 of 6 trees).",
            "The smallest of all trees on which it fails, 1 ply deep; it need not have the layers above:",
        ),
    ],
)
def test_the_title_of_the_smallest_tree_says_what_it_has_to_do_with_the_sentence(sentence: str, title: str) -> None:
    smallest = SmallestTree("max\n  a: 1\n", 1, ("a picture",))
    assert blocks.smallest_title(Diagnosis((sentence,), "", (), smallest), smallest) == title


def test_a_file_that_cannot_be_imported_is_one_line_in_reports_for_people() -> None:
    message = "the file cannot be imported: ImportError: no"
    failed = replace(case("q1/a", 0.0), fault="raised", message=message)
    found = Diagnosis((f"Your search ends with {message.partition(': ')[2]} on 5 of 5 small trees.",), "", ())
    cases = failed, replace(failed, id="q1/b")
    card = replace(HALF_HIDDEN, questions=(QuestionScore("q1", "First", 4, cases, found),))
    for text in (terminal_text(card), markdown.dump(card), json.loads(gradescope.dump(card))["output"]):
        assert text.count("ImportError") == text.count(message) == 1
    assert student_page(card).count("ImportError") == 1
    assert message in json.loads(gradescope.dump(card))["tests"][0]["output"]


@pytest.mark.parametrize("earned", [1, 0.5])
def test_a_note_that_costs_no_points_is_in_every_report_and_once_if_its_cases_passed(earned: float) -> None:
    note = "waste (costs no points): 3 successors were generated again"
    cases = tuple(CaseScore(f"q2/{name}", "tree", "a tree", 1, earned, notes=(note,)) for name in "abc")
    card = replace(HALF_HIDDEN, questions=(QuestionScore("q2", "Minimax", 5, cases),))
    texts = [form(card) for form in (terminal_text, *FOR_STUDENTS.values(), report_json.dump)]
    assert [note in text for text in texts] == [True] * len(texts)
    if earned == 1:
        for text in (terminal_text(card), markdown.dump(card)):
            assert text.count(f"q2/a: {note} (similar in 2 more cases)") == text.count(note) == 1


@pytest.mark.parametrize("form", ["json", *FOR_STUDENTS])
def test_a_file_that_cannot_be_written_is_one_line(form: str, tmp_path: Path) -> None:
    """If its folder is missing, the line comes before anything is graded."""
    for file, error in (
        (tmp_path / "nowhere" / "x", f"cannot be written: no folder {tmp_path / 'nowhere'}"),
        (tmp_path, "cannot be written: "),
    ):
        done = run_here("autograder", "grade", SOLUTIONS, "--case", "q2/01-figure", f"--{form}", file)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"python -m autograder: {file}: {error}")
        assert done.stderr.count("\n") == 1
