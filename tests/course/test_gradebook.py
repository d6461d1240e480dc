"""The marks of a class: who gets what, in which form, and what keeps a name out of a table."""

from __future__ import annotations

import csv
import io
import stat
import zipfile
from pathlib import Path

import pytest

from autograder.commands.marks import report
from autograder.course.grade import Intake, summary
from autograder.course.intake.roster import Student, read, read_time
from autograder.course.marks.feedback import feedback, moodle_name
from autograder.course.marks.marks import Late, Rule, marks
from autograder.course.marks.tables import csv_text, plain, safe_cell
from autograder.course.records import Result, result_of
from autograder.course.store import Store
from pacman.core.errors import printable
from tests.command_line import run_here
from tests.course.filled_store import FULL, T, add, card, small_class


def run(command: str, store: Store | Path, *arguments: str) -> tuple[int, str, str]:
    """A command on a store: its exit status and what it prints."""
    place = store.name if isinstance(store, Store) else str(store)
    done = run_here("autograder", command, *arguments, "--store", place)
    return done.returncode, done.stdout, done.stderr


def row_of(key: str, store: Store | Path, *options: str) -> dict[str, str]:
    _, stdout, _ = run("gradebook", store, "--out", "-", *options)
    return next(row for row in csv.DictReader(io.StringIO(stdout)) if row["id"] == key)


def zip_of(store: Store | Path, *options: str) -> tuple[dict[str, str], str]:
    """The files in a zip with feedback, and what the command says."""
    out = Path(store.name if isinstance(store, Store) else store).with_name("feedback.zip")
    out.unlink(missing_ok=True)
    status, stdout, stderr = run("feedback", store, "--out", str(out), *options)
    assert (status, stderr, stat.S_IMODE(out.stat().st_mode)) == (0, "", 0o600)
    with zipfile.ZipFile(out) as archive:
        return {name: archive.read(name).decode("utf-8") for name in archive.namelist()}, stdout


def test_a_due_time_of_the_roster_is_of_one_student(tmp_path: Path) -> None:
    path, late = tmp_path / "roster.csv", Late(read_time("--due", "2026-11-22T12:00Z"))
    own, all_weeks = "2026-11-20T12:00+01:00", "2026-11-23T12:00Z"
    rows = f"ada,{all_weeks},\nbob,,{own}\ncyn,,\ndan,{all_weeks},{own}\n"
    path.write_text(f"id,due,due Week 1\n{rows}", encoding="utf-8")
    students, received = read(path).students, "2026-11-22T13:00:00Z"
    assert [late.days(received, each, "Week 1") for each in students] == [0, 3, 1, 3]
    assert [late.days(received, each, "week2") for each in students] == [0, 1, 1, 0]
    assert late.warnings(students, "week 1") == ["2 students of the roster due before all others: bob, dan"]
    assert late.warnings(students, "week 2") == []
    later = Late(read_time("--due", "2026-12-20T12:00Z"))  # the extension of another assignment is none here
    assert [later.days("2026-12-19T12:00Z", each, "week2") for each in students] == [0, 0, 0, 0]
    assert "2 students of the roster with a `due` before that of all" in later.warnings(students, "week2")[0]
    assert students[1].due == (("week 1", "2026-11-20T12:00:00+01:00"),), "in the zone in which it was written"


def test_the_best_or_the_last_attempt_counts(store: Store) -> None:
    """The best one with what the staff adjusted; of equal ones the first, and one that is graded.

    Attempts are in the order of receipt if all have one.
    """
    add(store, "ada", card({"q1": [1.0, 1.0], "q2": [0.0, 0.0, 0.0]}), T(1))
    add(store, "ada", card({"q1": [0.0, 0.0], "q2": [0.0, 0.0, 1.0]}), T(2))
    add(store, "bob", "not a Python file", T(1))
    for day in (2, 3):
        add(store, "bob", card({"q1": [0.0, 0.0], "q2": [0, 0, 0]}), T(day))

    def numbers(rule: Rule) -> list[tuple[float, int, int]]:
        return [(row.earned, row.number, len(row.attempts)) for row in marks(store, "multiagent", rule)]

    assert numbers("best") == [(4, 1, 2), (0, 2, 3)]
    assert numbers("last") == [(pytest.approx(5 / 3, abs=0.01), 2, 2), (0, 3, 3)]
    store.add_adjustment("ada", "multiagent", "q1", 4.0, "an appeal")  # q1 counts 4 points in each attempt
    assert numbers("best")[0][1] == 2
    for key, received in (("cyn", T(5)), ("cyn", T(2)), ("dan", T(5)), ("dan", ""), ("dan", T(2))):
        add(store, key, card(FULL), received)
    received = [[each.received for each in row.attempts] for row in marks(store, "multiagent", "last")]
    assert received[2:] == [[T(2), T(5)], [T(5), "", T(2)]]


def test_the_table_says_why_there_are_no_points_and_what_is_late(store: Store) -> None:
    zeros = {"q1": [0.0], "q2": [0.0]}
    wrong = card(zeros, faults={"q1/a": "not written", "q2/a": "hidden"})
    add(store, "41", wrong, source="adalovelace_LATE_41_977_x.py")
    add(store, "42", card(zeros), source="two")
    add(store, "46", card(zeros, faults={"q1/a": "missing part"}))
    add(store, "43", wrong, source="Bob_LATE_3_assignsubmission_file")  # a student types this name
    for key, reason in (("44", "44: several files define"), ("45", "B_45_x/a.zip: not a readable archive")):
        add(store, key, reason, source=f"B_{key}_x")
    assert [row.told for row in marks(store, "multiagent", "last")][3:5] == [
        "several files define", "a.zip: not a readable archive",
    ]  # fmt: skip
    assert row_of("43", store)["late days"] == ""
    reasons = {"41": "not written, forbidden import", "42": "no question gives points"}
    reasons |= {"46": "wrong answers, not in the file"}
    assert {key: row_of(key, store)["reason"] for key in reasons} == reasons
    assert [row_of(key, store)["late days"] for key in ("41", "42")] == ["LATE", ""]
    assert "from two/42.py (chosen with --file)\n" in run("show", store, "42")[1]
    assert "  1 with 0 points: no question gives points\n" in run("gradebook", store, "--out", "-")[2]
    store.add_adjustment("42", "multiagent", "q1", 2.0, "by hand")
    assert row_of("42", store)["reason"] == "", "the adjustment stands there"


def test_a_submission_that_nobody_could_read_is_no_zero_for_a_platform(store: Store) -> None:
    """And its table has one maximum for all."""
    add(store, "41", card(FULL))
    store.replace_roster([Student(key) for key in ("41", "42", "43")])
    store.remember("unread multiagent", ["42"])
    assert [row_of(key, store)["reason"] for key in ("42", "43")] == ["not graded yet", "no submission"]
    _, *rows = csv.reader(run("gradebook", store, "--out", "-", "--format", "moodle")[1].splitlines())
    assert [row[2] for row in rows] == ["9", "", "0"]
    assert run("show", store, "42")[1].endswith("  not graded yet\n")
    store.add_result(Result(add(store, "44", None), "a2", "g1", 16, 18), None)
    canvas = "--out", "-", "--format", "canvas"
    assert "multiagent has results of 9 and 18 possible points; make them" in run("gradebook", store, *canvas)[2]
    store.remember("sis", {"41": ["s1", "ada"]})
    _, text, _ = run("gradebook", store, *canvas, "--out-of", "10")
    assert text.splitlines()[2:4] == ['"41","41","s1","ada","","10"', '"42","42","","","",""']
    add(store, "45", "45.py: no part in it. This file is in Berkeley's style, and ...")
    intake = Intake(tuple(store.attempts("multiagent")), (), (), ())
    *_, last, advice = summary(intake, {})
    assert last.split()[:4] == ["18", "or", "more", "1"]
    assert advice == "to grade a Berkeley-style file: the command grade, with --api cs188"


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_no_cell_is_a_formula_whatever_separates_the_cells(separator: str) -> None:
    """A spreadsheet in many countries splits at semicolons, and then quotation marks do not protect a cell."""
    for cell in ("=1", "+1", "-1", "@x", " =1", "\t=1", "\r=1", "＝1"):
        assert safe_cell(cell) == printable(cell).replace(cell.strip()[0], f"'{cell.strip()[0]}")
        assert csv_text([[cell, "a\nb,", 'c"']]) == f'"{safe_cell(cell)}","a b,","c"""\n'
    names = ("Bob;=1+1;x", 'Bob;"=1+1"', "Bob\t=1+1", "Bob|@x", 'a; "" -1', "Bob,=1", ";;+1", 'x"";=1', "a-b; c=d")
    text = csv_text([["ada", name, "=2"] for name in names])
    for row in csv.reader(io.StringIO(text), delimiter=separator):
        for cell in row:
            assert not cell.strip(' "').startswith(("=", "+", "-", "@")), cell
    assert [row[1] for row in csv.reader(io.StringIO(text))][-1] == "a-b; c=d"


def test_the_staff_gives_other_points_and_a_regrade_keeps_them(tmp_path: Path) -> None:
    """Also a page shows them. (The transcripts show all columns of the table.)"""
    path, names = small_class(tmp_path / "class.db"), ("points", "q2", "by the grader", "adjusted")
    done = run("adjust", path, "ADA", "q2", "4.5", "--reason", "an <appeal>;\n=1+1")
    assert done == (0, "ada (Ada, B), multiagent, q2: 4.5 points\n", "")
    text = "q2: 4.5 points: an <appeal>; '=1+1"
    assert [row_of("ada", path)[name] for name in names] == ["8.5", "3.33", "7.33", text]
    with Store.open(str(path)) as store:
        number = store.attempts("multiagent")[2].work
        store.add_adjustment("zoë", "multiagent", "q1", 1.0, "by hand")
        shown = feedback(store, "multiagent", "last", Late())
        pages = {mark.student.key: report(mark, card, "page", "Trees") for mark, card in shown}
        # graded again: the question now has all points
        store.add_result(Result(number, "a2", "g1", 9, 9, questions={"q1": (4, 4), "q2": (5, 5)}), None)
    assert [row_of("ada", path)[name] for name in names] == ["8.5", "5", "9", text]
    assert run("adjust", path, "ada", "q2", "--undo")[0] == 0
    assert [row_of("ada", path)[name] for name in ("points", "adjusted")] == ["9", ""]
    assert "Adjusted by the course staff: q2: 4.5 points: an &lt;appeal&gt;" in pages["ada"]
    assert "8.5 of 9 points" in pages["ada"]
    assert "Adjusted" not in pages["bob"]
    assert "not graded, 1 point<" in pages["zoë"], "an adjustment, and no submission"


def test_an_adjustment_counts_at_most_what_the_question_gives_and_opens_the_next_one(store: Store) -> None:
    """q2 requires all of q1, and is locked; the staff gives all of q1. Later q1 gives less, then it is gone."""
    graded = card({"q1": [1.0, 0.0], "q2": [1.0, 1.0, 0.0]}, withheld={"q2": "locked"})
    number = add(store, "ada", None, T(1))
    store.add_result(result_of(number, "a1", "g1", graded, {"q2": {"q1": 1.0}}), graded)
    store.add_adjustment("ada", "multiagent", "q1", 4.0, "an appeal")

    def mark() -> tuple[float, list[str]]:
        (row,) = marks(store, "multiagent", "last")
        return row.before, row.notes

    assert mark() == (7.33, ["q1: 4 points: an appeal", "q2: 3.33 points: not locked any more"])
    store.add_result(Result(number, "a2", "g1", 2, 8, questions={"q1": (1, 3), "q2": (1, 5)}), None)
    assert mark() == (4, ["q1: 4 points: an appeal (counts as 3, all that it gives)"])
    store.add_result(Result(number, "a3", "g1", 1, 5, questions={"q2": (1, 5)}), None)
    assert mark() == (1, ["q1: 4 points: an appeal (the question is gone: not counted)"])
    assert run("adjust", store, "ada", "q1", "--undo")[0] == 0
    assert mark() == (1, [])


def test_each_student_gets_one_file_named_as_the_platform_wants_it(store: Store) -> None:
    for key, name, source in (
        ("41", "Lovelace, Ada", "lovelaceada_LATE_41_977_search.py and lovelaceada_LATE_41_978_tools.py"),
        ("132", "Grace_Hopper", "Grace Hopper_132_assignsubmission_file"),
    ):
        add(store, key, card({"q1": [1, 1], "q2": [1, 1, 0]}), T(1), name, source=source)
    add(store, "mal", "mal.zip: not a <readable> archive", T(2), "Mal")
    store.replace_roster([*store.students(), Student("zoë")])
    store.add_adjustment("41", "multiagent", "q2", 4.5, "an appeal")
    files, said = zip_of(store)
    assert sorted(files) == ["132.html", "41.html", "index.csv", "mal.html"]
    assert files["index.csv"].splitlines()[2] == '"41","Lovelace, Ada","","41.html"'
    left_out = "left out: 1 student without a submission that was graded\n"
    assert said.endswith(f"reports of 3 students for multiagent\n{left_out}")
    assert "Adjusted by the course staff: q2: 4.5 points: an appeal" in files["41.html"]
    assert "not a &lt;readable&gt; archive" in files["mal.html"]
    files, said = zip_of(store, "--format", "moodle", "--as", "markdown")
    names = [f"{name}_assignsubmission_file_/feedback.md" for name in ("Grace Hopper_132", "Lovelace Ada_41")]
    assert sorted(files) == names
    assert "1 student whose number in moodle is not known: mal (Mal" in said
    text = files[names[1]]
    assert text.startswith("# Multi-agent search: 8.5 of 9 points\n")
    assert text.count(" points\n") == 1, "one total"
    assert "\n\nAdjusted by the course staff: q2: 4.5 points: an appeal\n\n" in text
    assert "| q2 Minimax | 3.33/5 | 2/3 |" in text
    files, said = zip_of(store, "--format", "canvas")
    assert sorted(files) == ["lovelaceada_LATE_41_977_feedback.html"]
    assert "not known: 132 (Grace_Hopper), mal (Mal" in said
    for name, problem in ((".", "this folder is not empty: class.db, "), ("a.pdf", "this is a file; expected")):
        assert problem in run("feedback", store, "--out", str(Path(store.name).parent / name))[2]
    for name, key, source, expected in (
        ("Ada", "1", "Ada_1_assignsubmission_file and Bob_2_assignsubmission_file", ""),
        ("Ada", "1", "Ada_2_assignsubmission_file", "Ada_2"),
        ("../../Ada_3_assignsubmission_", "1", "ada.py", "Ada 3 assignsubmission_1"),
        ("..", "1", "ada.py", "student_1"),
        ("Ada", "\u0661", "ada.py", ""),
    ):
        ending = "_assignsubmission_file_/feedback.md" if expected else ""
        assert moodle_name(Student(key, name), source, "md") == expected + ending


def test_dates_of_the_assignment_count_in_the_table_and_in_the_report_alike(tmp_path: Path) -> None:
    """An option overrides them. The share that late days leave is not rounded, so a mark can be computed by hand."""
    path, names = small_class(tmp_path / "class.db"), ("before", "kept", "points")
    _, printed_table, _ = run("gradebook", path, "--out", "-")
    assert run("gradebook", path, "--out", str(tmp_path / "marks.csv"))[:2] == (0, "")
    assert (tmp_path / "marks.csv").read_text(encoding="utf-8") == printed_table
    assert stat.S_IMODE((tmp_path / "marks.csv").stat().st_mode) == 0o600
    row = row_of("ada", path, "--due", "2026-11-02T12:00Z", "--late-per-day", "12.25%")
    assert [row[name] for name in names] == ["7.33", "87.75 %", "6.43"]
    with Store.open(str(path)) as store:
        store.remember("late multiagent", ("2026-11-02T13:00+01:00", "10%"))
    assert [row_of("ada", path)[name] for name in names] == ["7.33", "90 %", "6.59"]
    about = run("show", path, "ada")[1]
    assert "late days: 1, so 90 % of the points count" in about
    assert "handed in 2026-11-03T13:00:00+01:00\n" in about, "in the zone of the due time"
    for options, points in (((), "6.59"), (("--late-per-day", "50%"), "3.66"), (("--due", T(9)), "7.33")):
        assert row_of("ada", path, *options)["points"] == points
        text = zip_of(path, "--as", "markdown", *options)[0]["ada.md"]
        assert text.startswith(f"# Multi-agent search: {points} of 9 points\n")
        assert ("Late days: 1, so " in text) == (points != "7.33")


def test_who_is_not_in_the_roster_is_marked_and_left_out_of_a_table_for_a_platform(store: Store) -> None:
    """A worksheet has the words of the one that came as the roster, and feedback refuses another platform.

    A mark that is not known yet is no zero for a platform.
    """
    for key in ("41", "42"):
        add(store, key, card(FULL), T(1), f"Name {key}", source=f"Name_{key}_assignsubmission_file")
    store.replace_roster([Student("41", "Ada")])
    store.remember("format multiagent", "moodle")
    store.remember("worksheet", ("Teilnehmer/in ", "ID", "Name", "Bewertung", "Bestwertung", "Zuletzt", "Kommentare"))
    assert [row_of(key, store)["roster"] for key in ("41", "42")] == ["", "not in it"]
    _, text, said = run("gradebook", store, "--out", "-", "--format", "moodle")
    assert text.splitlines() == [
        '"ID","Name","Bewertung","Bestwertung","Zuletzt","Kommentare"',
        '"Teilnehmer/in 41","Ada","9","9","","q1: 4 of 4; q2: 5 of 5"',
    ]
    assert "students are found by the column ID; --id-column chooses another one\n" in said
    assert "maximum" not in said
    store.remember("worksheet maximum", "100,00")
    line = "the worksheet has the maximum grade 100, and full points are 9 in this table: set the maximum grade to 9 "
    assert f"{line}in Moodle, or use --out-of 100\n" in run("gradebook", store, "--out", "-", "--format", "moodle")[2]
    words = store.fact("worksheet")
    store.remember("worksheet", [*words[:-1], ""])  # an assignment without comments has no such column
    assert run("gradebook", store, "--out", "-", "--format", "moodle")[1].endswith(
        '"Zuletzt"\n"Teilnehmer/in 41","Ada","9","9",""\n'
    )
    store.remember("worksheet", words)
    assert said.endswith("left out: 1 student not in the roster: 42 (Name 42)\n")
    assert {*zip_of(store)[0]} == {
        f"{name}_{key}_assignsubmission_file_/feedback.html" for key, name in (("41", "Ada"), ("42", "Name 42"))
    }
    for who in ("name 42", "Teilnehmer/in42", "Teilnehmer/in 42", "42"):
        assert run("show", store, who)[1].startswith("42, Name 42\n")
    assert run("show", store, "zz")[2].endswith("no student 'zz': known: 41 (Ada), 42 (Name 42)\n")
    store.replace_roster([Student("41", "Ada"), Student("43", "Ada")])
    assert run("show", store, "Ada")[2].endswith("2 students with the name 'Ada'; choose one by the id: 41, 43\n")
    refused = "--format canvas: the submissions came from moodle; use --format moodle or plain\n"
    assert run("feedback", store, "--out", f"{store.name}.zip", "--format", "canvas")[2].endswith(refused)
    for key, name in (("format multiagent", "plain"), ("worksheet", None)):
        store.remember(key, name)
    for adjustment, cell in ((None, ""), (2.0, "2")):
        add(store, "43", None, T(1), "Ada")
        store.add_adjustment("43", "multiagent", "q1", adjustment, "shown in person")
        for form, place in (("canvas", -1), ("moodle", 2)):
            *_, last = csv.reader(run("gradebook", store, "--out", "-", "--format", form)[1].splitlines())
            assert last[place] == cell


def test_the_best_attempt_is_the_best_after_late_days(store: Store) -> None:
    add(store, "ada", card({"q1": [1.0, 0.5], "q2": [1.0, 1.0, 1.0]}), T(1))  # 8 points in time
    add(store, "ada", card(FULL), T(4))  # 9 points, 2 days late: 7.2
    late = Late(read_time("--due", T(2)), 0.1)
    assert [(row.number, row.earned) for row in marks(store, "multiagent", "best", late)] == [(1, 8.0)]
    assert [(row.number, row.earned) for row in marks(store, "multiagent", "best")] == [(2, 9.0)]


def test_questions_of_several_assignments_are_in_the_order_of_their_numbers(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("q10", "q2", "q1")
    monkeypatch.setattr("tests.course.filled_store.TITLES", dict.fromkeys(names, ""))
    points = dict.fromkeys(names, 1.0)
    add(store, "ada", card({"q10": [1.0], "q2": [1.0]}, points=points), T(1))
    add(store, "ada", card({"q1": [1.0]}, points=points), T(1), assignment="week2")
    head = plain([row for name in ("multiagent", "week2") for row in marks(store, name, "last")])[0]
    assert [name for name in head if name in names] == ["q1", "q2", "q10"]
