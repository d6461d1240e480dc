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
from hypothesis import example, given, settings
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml
from markdown_it import MarkdownIt
from rich.console import Console

from autograder.judge.points_as_text import percent, points_text
from autograder.judge.scorecard import (
    UNGRADED,
    CaseScore,
    Diagnosis,
    Diagram,
    Finding,
    NodeRow,
    QuestionScore,
    Scorecard,
)
from autograder.pages.student_page import student_page
from autograder.report import escape, gradescope, junit, markdown, terminal
from autograder.report import json as report_json
from autograder.report.blocks import points_block
from autograder.report.drawing import drawing_lines
from autograder.sandbox import Level
from pacman.core.errors import InputError
from pacman.core.state import start
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


TREE = Diagram("max\n  a: 3\n  b: 4\n", 1, (NodeRow((), "4", EVIL[0]), NodeRow(("b",), "4", EVIL[1])), ())


def case(name: str, earned: float, text: str = "plain", **fields: Any) -> CaseScore:
    """A case with `text` in every field that holds text."""
    lost = (Finding("value", 1, earned, text, text),) if earned < 1 else ()
    scored = CaseScore(name, "tree", text, 1, earned, lost, "", "", text, text, 0.25, notes=(text,))
    return replace(scored, **fields)


def small(*cases: CaseScore, points: float = 4, **fields: Any) -> Scorecard:
    """A scorecard with one question."""
    question = replace(QuestionScore("q1", "First", points, cases), **fields)
    return Scorecard("small", "Small", "mine.py", "sandbox: safe", (question,), 73.5, hidden_seconds=71.0)


def hostile(texts: list[str]) -> Scorecard:
    """A scorecard with hostile text in every field that holds text."""
    cases = [
        case(f"q1/{number} {text}", 0.5, text, command=text, case_command=text, diagram=diagram)
        for number, text in enumerate(texts)
        for diagram in [TREE if number % 2 else Diagram(str(start("nook")), game=1, moves=text)]
    ]
    cases += [replace(each, fault="raised", message=each.why) for each in cases]
    many, notes = " ".join(["text", *texts]), tuple(f"note {text}" for text in texts)
    smallest = replace(TREE, notes=(many, *texts))
    diagnosis = Diagnosis((many, many), many, (many,), smallest, command=texts[0])
    question = QuestionScore("q1", many, 5, tuple(cases), diagnosis, withheld=many)
    return Scorecard("small", many, f"{many}.py", many, (question, replace(question, withheld="")), 1.5, notes)


SECRET = CaseScore(
    "q1/secret-name", "tree", "secret purpose", 1, 0.0, (Finding("value", 1, 0, "secret 3", "secret 4"),),
    "time", "secret message", "secret why", "secret output", 71.0, True, ("secret note",),
    diagram=Diagram("", notes=("secret picture",)),
)  # fmt: skip
HALF_HIDDEN = small(case("q1/open", 1.0), SECRET, replace(SECRET, id="q1/secret-2", earned=1.0))
ROWS = (NodeRow((), "3", "5", kind="max"), NodeRow(("a",), "3", "5", kind="min"))
DIAGNOSIS = Diagnosis(
    ("At MIN nodes, your search takes the largest value.", "There is more."), "Who moves at a MIN node?",
    ("min-as-max",), Diagram("max\n  a: min\n    b: 3", 2, ROWS, ()),
)  # fmt: skip
FORMS = {**FOR_STUDENTS, "page": student_page, "terminal": terminal_text}


class Page(HTMLParser):
    """The text of a Markdown text as a page; an error if it makes a tag that our reports do not use."""

    OURS = frozenset(
        ["h1", "h2", "h3", "p", "code", "pre", "strong", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"]
    )

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.text = ""
        reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        self.feed(reader.render(markdown))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.OURS
        assert {name for name, _ in attrs} <= {"style"}, attrs


def check_harmless(form: str, text: str, tests: int) -> None:
    """Fails if the report of a hostile card, with so many cases, is more than text."""
    assert all(each.isprintable() or each == "\n" for each in text)
    assert text.encode("utf-8")
    if form == "junit":
        suites = JUnitXml.fromstring(text.encode())
        assert sum(suite.tests for suite in suites) == sum(len(list(suite)) for suite in suites) == tests
        assert "forged" not in [each.name for suite in suites for each in suite]
    if form == "markdown":
        Page(text)
    if form == "gradescope":
        results = json.loads(text)
        validators()[1].validate(results)
        for each in (results["output"], *(test["output"] for test in results["tests"])):
            Page(each)
        assert all(test["name"].isprintable() for test in results["tests"])


@pytest.mark.parametrize("text", EVIL)
def test_markdown_shows_a_text_unchanged(text: str) -> None:
    words = escape.line(text).split()
    assert Page(f"- {escape.prose(text)}").text.split() == words
    assert Page(f"a {escape.code(text)} b").text.split() == ["a", *words, "b"]
    table = [escape.row(escape.code(text), "b"), escape.row("---", "---"), escape.row(escape.prose(text), "c")]
    assert Page("\n".join(table)).text.split() == [*words, "b", *words, "c"]
    ungraded = json.loads(gradescope.ungraded(f"mine.py:1: not valid Python: {text}"))
    validators()[1].validate(ungraded)
    assert Page(ungraded["output"])
    assert ungraded["output"].isprintable()


@pytest.mark.parametrize("form", [*FOR_STUDENTS, "terminal"])
def test_student_text_is_harmless(form: str) -> None:
    text = FORMS[form](hostile(EVIL))
    check_harmless(form, text, 4 * len(EVIL))
    assert "more characters)" in text
    assert len(text) < 400_000 or form == "terminal"
    if form == "terminal":
        marked, braced = (terminal_text(hostile([text])) for text in ("[bold]x[/bold]", "{bold}x{/bold}"))
        assert marked.translate(str.maketrans("[]", "{}")) == braced


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(st.characters(codec=None), max_size=60), min_size=1, max_size=3))
def test_any_text_at_all_is_harmless(texts: list[str]) -> None:
    card = checked(hostile(texts))
    for form in FOR_STUDENTS:
        check_harmless(form, FOR_STUDENTS[form](card), 4 * len(texts))


def test_json_contains_everything_in_ascii() -> None:
    card = checked(hostile(EVIL[:-3]))
    text = report_json.dump(card)
    assert text.isascii()
    assert all(each.isprintable() or each == "\n" for each in text)
    assert "<" not in text
    assert report_json.load(text) == card
    lone = report_json.dump(hostile(["\ud800"]))
    assert json.loads(lone)["submission"].encode() == b"text ?.py"
    for changed, problem in (
        ({"version": 3}, "scorecard version: expected 5, got 3"),
        ({"title": 3}, "not a scorecard: "),
    ):
        with pytest.raises(InputError, match=problem):
            report_json.load(json.dumps(json.loads(text) | changed))


@pytest.mark.parametrize("form", FORMS)
def test_hidden_cases_leak_no_name_output_or_time(form: str) -> None:
    text = FORMS[form](HALF_HIDDEN).partition("<main")[2] or FORMS[form](HALF_HIDDEN)
    assert "secret" not in text
    assert not re.search(r"\b7[0-9]\.", text)
    assert form != "terminal" or (text.endswith("; 2.5 s\n") and "hidden: 1 of 2 passed" in text)
    assert "hidden" in text
    for text in (terminal_text(HALF_HIDDEN, show_hidden=True), report_json.dump(HALF_HIDDEN)):
        assert "secret message" in text


def test_hidden_cases_are_one_test_with_their_points() -> None:
    results = json.loads(gradescope.dump(HALF_HIDDEN))
    _, hidden = results["tests"]
    assert hidden["name"] == "q1: 1 of 2 hidden cases passed"
    assert (hidden["status"], hidden["output"]) == ("failed", "")
    assert (hidden["score"], hidden["max_score"], hidden["visibility"]) == (1.34, 2.67, "visible")
    _, later = json.loads(gradescope.dump(HALF_HIDDEN, hidden_results="after_due_date"))["tests"]
    assert later == {**hidden, "visibility": "after_due_date"}
    assert results["execution_time"] == 0.25
    many = [replace(case("q1/a", float(number > 0)), hidden=True) for number in range(1000)]
    (test,) = json.loads(gradescope.dump(small(*many)))["tests"]  # points that round to the maximum do not look full
    assert (test["score"], test["max_score"], test["status"]) == (3.99, 4, "failed")


shares = st.one_of(st.just(1.0), st.just(0.0), st.floats(0, 1), st.just(1 - 1e-12))
case_scores = st.builds(
    lambda earned, weight, hidden: CaseScore(
        "q/c", "tree", "", 1.0 if hidden else weight, float(earned == 1) if hidden else earned, hidden=hidden
    ),
    shares,
    st.floats(0.01, 100),
    st.booleans(),
)
questions = st.builds(
    lambda points, cases, extra, withheld: QuestionScore("q", "Q", points, tuple(cases), None, extra, withheld),
    st.floats(0.1, 50), st.lists(case_scores, min_size=1, max_size=12), st.booleans(),
    st.sampled_from(["", "", "q1 first"]),
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(questions, min_size=1, max_size=4))
@example([QuestionScore(f"q{number}", "Q", 0.333, (case("q/a", 1.0),)) for number in range(4)])
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


@pytest.mark.parametrize("points", [0.333, 1, 7, 30])
@pytest.mark.parametrize("share", [0.0, 0.004, 0.28999999, 2 / 7, 0.29, 1 / 3, 0.5, 0.9996, 1 - 1e-12])
def test_every_report_shows_the_same_points_and_percentages(points: float, share: float) -> None:
    card = small(case("q1/a", share), case("q1/b", share), points=points)
    earned, most, percentage = points_text(points * share), points_text(points), percent(share)
    assert percentage != "100 %"
    assert points_block(card).rows[0][4].endswith("░"), "only full marks look full"
    texts = {form: write(card) for form, write in FORMS.items()}
    for form, part in (
        ("terminal", f" {earned}/{most} "), ("terminal", f"q1/a  {percentage}  "),
        ("markdown", f"# Small: {earned} of {most} points\n"), ("markdown", f"| {earned}/{most} |"),
        ("markdown", f"({percentage})"), ("junit", f"earned: {percentage}\n"),
        ("page", f"<h1>Small: {earned} of {most} points</h1>"), ("page", f"<h3>q1/a: {percentage}</h3>"),
    ):  # fmt: skip
        assert part in texts[form]
    (suite,) = JUnitXml.fromstring(texts["junit"].encode())
    properties = {each.name: each.value for each in suite.properties()}
    assert (properties["earned"], properties["points"]) == (earned, most)
    results, values = json.loads(texts["gradescope"]), json.loads(report_json.dump(card))
    assert number(results["score"]) == number(values["earned"]) == number(values["questions"][0]["earned"]) == earned
    assert results["output"].startswith(f"{earned} of {most} points.")
    assert number(values["points"]) == most


def test_extra_credit_is_added_and_labelled() -> None:
    extra = QuestionScore("q2", "Second", 2, (case("q2/a", 0.5),), extra=True)
    card = small(case("q1/a", 1.0))
    card = replace(card, questions=(*card.questions, extra))
    results = json.loads(gradescope.dump(card))
    assert (card.earned, card.points, results["score"]) == (5, 4, 5)
    assert [test["max_score"] for test in results["tests"]] == [4, 2]
    assert results["tests"][1]["name"].endswith("(extra credit)")
    assert "5 of 4 points" in results["output"]
    assert all("(extra)" in FORMS[form](card) for form in ("markdown", "page"))
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
    assert (result.message, result.type) == ("ExpectimaxAgent.search is not written yet", "not written")
    (suite,) = JUnitXml.fromstring(junit.dump(small(case("q1/a", 0.5), case("q1/b", 1.0))).encode())
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


def test_a_miss_is_reported_with_its_drawing(graded: Scorecard) -> None:
    assert 0 < graded.earned < graded.points
    miss = next(each for each in graded.questions[0].cases if each.earned < 1 and each.diagram)
    assert miss.diagram
    picture = escape.block(drawing_lines(miss.diagram))
    text = markdown.dump(graded)
    for part in (escape.prose(miss.id), escape.code(miss.lost[0].got), picture):
        assert part in text
    Page(text)
    tests = json.loads(gradescope.dump(graded))["tests"]
    assert picture in next(test for test in tests if test["name"].startswith(miss.id))["output"]


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_long_title_cuts_no_points_and_no_problems(width: int) -> None:
    """And the level of the sandbox stands on one line, however narrow the terminal is."""
    out = io.StringIO()
    card = small(CaseScore("q5/a", "tree", "", 1, 0.3, fault="raised"), points=6.25, title="Expectiminimax " * 3)
    terminal.render(replace(card, level=Level.SAFE.text), Console(file=out, width=width, color_system=None))
    assert out.getvalue().count("1.87/6.25") == 2
    assert "…" not in out.getvalue()
    assert len(line := f"\n{Level.SAFE.text}; 2.5 s\n") > 100
    assert line in out.getvalue()


@pytest.mark.parametrize("is_hidden", [False, True])
def test_an_ungraded_case_is_in_every_format(is_hidden: bool) -> None:
    """It has no points, and the result is not final. Of a hidden case, students learn only that."""
    message = "ungraded, because of KeyError at compare.py:3"
    failure = case("q1/a", 0.0, fault=UNGRADED, message=message, hidden=is_hidden)
    card = small(failure, case("q1/b", 1.0))
    texts = {form: write(card) for form, write in FORMS.items()}
    results, whole = json.loads(texts["gradescope"]), json.loads(report_json.dump(card))
    for form in ("markdown", "terminal", "page", "gradescope"):
        assert "Not final: some cases are ungraded and have no points yet." in texts[form]
    assert results["score"] == 2
    for text in texts.values():
        assert ("KeyError" in text) == ("ungraded, because" in text) == (not is_hidden)
    assert ("(1 ungraded)" in texts["markdown"]) == ("q1/a  ungraded  plain" in texts["terminal"]) == (not is_hidden)
    (suite,) = JUnitXml.fromstring(texts["junit"])
    assert (suite.errors, suite.failures) == ((0, 1) if is_hidden else (1, 0))
    assert {each.name: each.value for each in suite.properties()}["final"] == "false"
    assert (whole["final"], whole["questions"][0]["cases"][0]["fault"]) == (False, "ungraded")
    assert json.loads(report_json.dump(HALF_HIDDEN))["final"]
    assert '"final"' not in junit.dump(HALF_HIDDEN)


@pytest.mark.parametrize("form", [*FOR_STUDENTS, "terminal"])
def test_every_report_shows_a_diagnosis_once_per_question(form: str) -> None:
    """The sentences, the hint, and the smallest tree with its drawing, in this order."""
    text = FORMS[form](small(case("q1/a", 0.5), case("q1/b", 0.5), diagnosis=DIAGNOSIS))
    if form == "junit":
        (output,) = (each.text for each in ElementTree.fromstring(text).iter("system-out") if "MIN" in str(each.text))
        text = str(output)
    text = json.loads(text)["output"] if form == "gradescope" else text
    text = Page(text).text if form in ("gradescope", "markdown") else text
    title = "The smallest tree on which it fails, 2 plies deep:"
    parts = [*DIAGNOSIS.sentences, DIAGNOSIS.hint, title, *drawing_lines(DIAGNOSIS.smallest)]
    assert [text.count(part) for part in parts] == [1] * len(parts)
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_what_concerns_whole_questions_is_one_line_in_reports_for_people() -> None:
    """An exception in several cases, parts that are not written, a file that cannot be imported."""
    same = [case(f"q1/{name}", 0.0, fault="raised", message="ValueError: 3") for name in "abc"]
    text = markdown.dump(small(*same))
    assert text.count("ValueError: 3") == 1
    assert "The same in q1/b, q1/c." in text
    unwritten = [
        QuestionScore(f"q{number}", part, 4, tuple(case(f"q{number}/{name}", 0.0, fault="not written",
                      message=f"{part}.search is missing", why=why, fault_detail=f"{part}.search") for name in "abc"))
        for number, (part, why) in enumerate({"MinimaxAgent": "", "ExpectimaxAgent": "Line 7 is near."}.items(), 1)
    ]  # fmt: skip
    card = replace(small(), questions=tuple(unwritten))
    line = "not written yet: MinimaxAgent.search, ExpectimaxAgent.search (Line 7 is near)"
    assert terminal_text(card).count("search") == terminal_text(card).count(line) * 2 == 2
    assert markdown.dump(card).count("search") == markdown.dump(card).count(f"**{line}**") * 2 == 2
    assert json.loads(gradescope.dump(card))["output"].endswith(f"**{line}**")
    half = replace(card, questions=(unwritten[0], replace(unwritten[1], cases=(case("q2/a", 0.5),))))
    assert "not written yet: MinimaxAgent.search\n" in terminal_text(half)
    assert "q2/a  50 %" in terminal_text(half)
    message = "the file cannot be imported: ImportError: no"
    failed = case("q1/a", 0.0, fault="raised", message=message, at_import=True)
    found = Diagnosis((f"Your search ends with {message.partition(': ')[2]} on 5 of 5 small trees.",), "", ())
    card = small(failed, replace(failed, id="q1/b"), diagnosis=found)
    for text in (terminal_text(card), markdown.dump(card), json.loads(gradescope.dump(card))["output"]):
        assert text.count("ImportError") == text.count(message) == 1
    assert student_page(card).count("ImportError") == 1
    assert message in json.loads(gradescope.dump(card))["tests"][0]["output"]


@pytest.mark.parametrize("earned", [1, 0.5])
def test_a_note_that_costs_no_points_is_in_every_report_and_once_if_its_cases_passed(earned: float) -> None:
    note = "waste (costs no points): 3 successors were generated again"
    cases = [CaseScore(f"q2/{name}", "tree", "a tree", 1, earned, notes=(note,)) for name in "abc"]
    texts = [form(small(*cases)) for form in (*FORMS.values(), report_json.dump)]
    assert [note in text for text in texts] == [True] * len(texts)
    if earned == 1:
        for text in (terminal_text(small(*cases)), markdown.dump(small(*cases))):
            assert text.count(f"q2/a: {note} (similar in 2 more cases)") == text.count(note) == 1


@pytest.mark.parametrize("form", ["json", "html", *FOR_STUDENTS])
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
