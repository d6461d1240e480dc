"""The board of a class: what is counted, what is said, and what a program reads."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from autograder.course.marks import board
from autograder.course.marks.board import sentence_of
from autograder.course.store import Store
from autograder.judge.diagnosis.steps import Breach
from autograder.judge.scorecard import Diagnosis, Scorecard
from autograder.judge.wrong_searches import WRONG_SEARCHES
from autograder.pages.class_board import class_board, lecture_board
from tests.command_line import run_here
from tests.course.filled_store import FULL, PLY_SHORT, UNNAMED, T, add, card, small_class
from tests.paths import ROOT

NEVER_ENDS = Diagnosis(("Your search does not end on a small tree.",), "", ("never-ends",))


def wrong(diagnosis: Diagnosis) -> Scorecard:
    """A scorecard of somebody who loses most of q2, with this diagnosis."""
    return card({"q1": [1, 1], "q2": [0, 0, 1]}, diagnoses={"q2": diagnosis})


def test_a_mistake_counts_once_for_each_student_and_is_overcome_by_a_later_attempt(tmp_path: Path) -> None:
    path = small_class(tmp_path / "class.db")
    values = json.loads(run_here("autograder", "board", "--store", str(path), "--json", "-").stdout)
    assert values["version"] == 4
    assert [row["name"] for row in values["mistakes"]] == ["ply-short", "fault: raised", "fault: time", "unnamed"]
    with Store.open(str(path)) as opened:
        found = board.load_board(opened, "multiagent")
    assert json.loads(board.dump(found)) == values
    rows = {row.name: row for row in found.mistakes}
    short, fact = rows["ply-short"], rows["unnamed"]
    assert (short.students, short.now, short.overcome, short.since) == (3, 2, 1, T(1))
    assert (short.sentence, bool(short.hint)) == (PLY_SHORT.sentences[0], True)
    assert (fact.kind, fact.students, fact.now, fact.since) == ("fact", 1, 1, T(3))
    assert {name for name, row in rows.items() if row.kind == "fault"} == {"fault: time", "fault: raised"}
    assert [(row.question, row.title, row.full, row.none) for row in found.questions] == [
        *(("q2", "Minimax", 0, 1), ("q1", "Reflex", 1, 0))
    ]
    assert [(row.case, row.earned) for row in found.flat_cases] == [("q1/a", 1)]


def test_each_mistake_has_a_sentence_and_what_is_not_written_is_one_row(store: Store) -> None:
    """Also a mistake of one student; a fact without a name comes last, however many students have it."""
    two = Diagnosis(("Your search stops one ply too early (line 7).",), "", ("ply-short", "by-turns"))
    for key in ("ada@x", "bob@x"):
        faults = {"q1/a": "not written", "q2/b": "missing part"}
        given = card({"q1": [0, 0.5], "q2": [0, 0, 1]}, faults=faults, diagnoses={"q2": UNNAMED})
        add(store, key, given, T(1), f"Name of {key}")
    add(store, "eve@x", wrong(two), T(1), "Name of eve")
    add(store, "fay@x", card(FULL), T(1))
    found = board.load_board(store, "multiagent")
    both = "ada@x (Name of ada@x)", "bob@x (Name of bob@x)"
    assert [(row.question, row.name, row.now, row.who) for row in found.mistakes] == [
        ("", "fault: not written", 2, both),
        ("q2", "by-turns", 1, ("eve@x (Name of eve)",)),
        ("q2", "ply-short", 1, ("eve@x (Name of eve)",)),
        ("q2", "unnamed", 2, both),
    ]
    sentences = {row.name: row.sentence for row in found.mistakes}
    assert sentences["ply-short"] == "Your search stops one ply too early."
    assert sentences["by-turns"].startswith("Your search lets MAX and one opponent take turns")
    assert (sum(found.histogram), found.histogram[-1]) == (4, 1)
    page, staff = lecture_board(found, board.common_mistakes(store, found)), class_board(found)
    assert "took turns" not in page
    assert "No mistake with a name is one that several students made." in page, "one student is not shown in a lecture"
    assert "`" not in staff.partition("<main")[2]
    assert ", ".join(both) in staff
    assert not any(name in page for name in ("@x", "Name of"))
    for key, diagnosis in (("gil@x", two), ("hal@x", NEVER_ENDS), ("ian@x", NEVER_ENDS)):
        add(store, key, wrong(diagnosis), T(1))
    found = board.load_board(store, "multiagent")
    page = lecture_board(found, board.common_mistakes(store, found))
    for text in ("<code>node.layer</code>", ">Your search does not end on a small tree.</h2>"):
        assert text in page
    assert page.count('class="lecture with-picture"') == 3


def test_each_name_of_a_mistake_has_a_general_sentence() -> None:
    sentences: dict[str, set[str]] = {}
    for row in WRONG_SEARCHES:
        sentences.setdefault(row.name, set()).add(row.sentence)
    code = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "autograder/judge/diagnosis").glob("*.py"))
    names = {*sentences, *re.findall(r'"([a-z]+(?:-[a-z]+)+)"', code)}
    assert "made-up-infinity" in names
    for name in names - {Breach.RESULT.words.name}:
        text, _ = sentence_of(name)
        assert re.fullmatch(r"(?!.*([{}]|  | [,.])).*\.", text), text
        assert len(sentences.get(name, ())) < 2 or "At M" not in text, text


MESSAGE = "the file cannot be imported: KeyError: 1 (line 2: x = y[1])"


def test_a_file_that_cannot_be_imported_is_one_row_without_the_cause_that_the_table_names(store: Store) -> None:
    graded = card({"q1": [0], "q2": [0]}, faults={"q1/a": "time", "q2/a": "time"})
    failed = tuple(
        replace(
            question,
            cases=tuple(replace(case, at_import=bool(case.fault), message=MESSAGE) for case in question.cases),
            diagnosis=NEVER_ENDS,
        )
        for question in graded.questions
    )
    for student in ("ada", "bob"):
        add(store, student, replace(graded, questions=failed), T(1))
    assert [(row.question, row.name, row.sentence) for row in board.load_board(store, "multiagent").mistakes] == [
        ("", "fault: import time", "the file cannot be imported (time limit)")
    ]
    assert {each.why_none for each in store.last_results("multiagent").values()} == {MESSAGE}


QUOTES = (
    ("Your search ends with ValueError: Prof. X copied (line 7); Call Bob on 3 of 8 small trees.",),
    ("Your search ends with Insult: Bob! in the case q2/01-a.",),
    ("Your search returns Bob is mean where an action such as 'West' should be.",),
    ("A sentence of a later version that quotes Bob.",),
    ("Your search is wrong on 3 of 8 small trees.", "It is wrong on 2 of 3 trees with one layer."),
)


def test_the_board_quotes_no_student(store: Store) -> None:
    """Neither an exception nor an object, neither as a fact nor in front of a mistake with a name; nor in a hint."""
    for number, sentences in enumerate(QUOTES):
        add(store, f"s{number}", wrong(Diagnosis(sentences, "Call Bob.", ())), T(1))
    add(store, "abe", wrong(Diagnosis(QUOTES[2], "Return an action.", ("wrong-result",))), T(1))
    named = Diagnosis((QUOTES[0][0], *PLY_SHORT.sentences), PLY_SHORT.hint, PLY_SHORT.mistakes)
    add(store, "zoe", wrong(named), T(1))
    found = board.load_board(store, "multiagent")
    assert [(row.name, row.students) for row in found.mistakes] == [
        *(("ply-short", 1), ("wrong-result", 1), ("unnamed", 5))
    ]
    assert found.mistakes[-1].title == "fact: Its answers are wrong in a way that has no name."
    page = run_here("autograder", "board", "--store", store.name, "--html", "-").stdout
    for text in (board.dump(found), page, class_board(found)):
        assert not re.search("Bob|copied", text)


def test_an_attempt_that_cannot_be_graded_overcomes_nothing(store: Store) -> None:
    """Nothing from a student gets into a terminal as it is, and a class in which nobody could be graded has a board."""
    add(store, "mal\x1b[2J", "mal.zip: not a readable archive", T(1))
    found = board.load_board(store, "multiagent")
    assert (found.students, found.sayings, found.average, sum(found.histogram)) == (1, (), 0, 0)
    assert found.overview.endswith("1 not graded; no result yet")
    add(store, "ada", wrong(PLY_SHORT), T(1))
    add(store, "ada", "ada.zip: not a readable archive", T(2))
    found = board.load_board(store, "multiagent")
    (row,) = found.mistakes
    assert (row.now, row.overcome, found.submissions, found.not_graded) == (1, 0, 3, 2)
    assert "\x1b" not in run_here("autograder", "board", "--store", store.name).stdout


def test_the_sayings_and_the_average_are_of_the_marks(store: Store) -> None:
    """With what the staff adjusted and what late days cost. A class of one gets no statement about single persons."""
    both = card({"q1": [0, 1], "q2": [0, 1, 1]}, {}, {"q1/a": "time"}, {"q2": PLY_SHORT})
    add(store, "ada", both, T(1))
    assert board.load_board(store, "multiagent").sayings == ()
    add(store, "bob", both, T(1))
    mistake, hardest = board.load_board(store, "multiagent").sayings
    assert mistake.text.startswith("2 students in q2 (Minimax): ")
    assert hardest.text == (
        "Reflex (q1) is the hardest question: 50 % of its points on average, 0 of 2 students with none"
    )
    add(store, "ada", card(FULL), T(3))
    add(store, "bob", card({"q1": [1, 1], "q2": [0, 0, 0]}), T(2))
    store.add_adjustment("bob", "multiagent", "q2", 3.0, "an appeal")
    store.remember("late multiagent", ("2026-11-03T01:30:00+13:30", "50%"))
    found = board.load_board(store, "multiagent")
    assert {row.since for row in found.mistakes} == {"2026-11-02T01:30:00+13:30"}, "the day of the course"
    assert (found.average, found.median, found.histogram[5], found.histogram[7]) == (5.75, 5.75, 1, 1)
