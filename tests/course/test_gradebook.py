"""The marks of a class: who gets what, in which form, and what keeps a name out of a table."""

from __future__ import annotations

import csv
import io
import re
import stat
import zipfile
from pathlib import Path

import pytest

from autograder.commands.shared.page_folder import write_pages
from autograder.course.intake.roster import Student
from autograder.course.marks.attempts import Rule, load_works, works
from autograder.course.marks.feedback_names import moodle_name
from autograder.course.marks.gradebook import csv_text, plain, safe_cell
from autograder.course.marks.late import late_days, read_date, read_extensions, read_time
from autograder.course.marks.mark import marks
from autograder.course.marks.pseudonyms import Pseudonyms, naming
from autograder.course.store import Result, Store, result_of
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError, printable
from tests.command_line import run_here
from tests.course.filled_store import FULL, T, add, card, small_class

PLAIN = """\
"id","name","section","assignment","points","possible","q1","q2","attempt","attempts","received","late days","reason"
"ada","Ada, B","A","multiagent","7.33","9","4","3.33","3","3","2026-11-03T12:00:00Z","2",""
"bob","'=Bob","A","multiagent","3.66","9","2","1.66","1","1","2026-11-05T12:00:00Z","4",""
"eve","Eve","A","multiagent","2.66","9","2.66","0","1","1","2026-11-02T12:00:00Z","1",""
"fay","Fay","A","multiagent","3.66","9","2","1.66","1","1","2026-11-02T12:00:00Z","1",""
"mal","Mal","A","multiagent","0","9","","","1","1","2026-11-02T12:00:00Z","1","mal.zip: not a readable archive"
"zoë","Zoë","B","multiagent","0","9","","","","0","","","no submission"
"""
CANVAS = """\
"Student","ID","SIS User ID","SIS Login ID","Section","Project 2 (1234)"
"    Points Possible","","","","","9"
"Ada, B","","","ada","A","7.33"
"'=Bob","","","bob","A","3.66"
"Eve","","","eve","A","2.66"
"Fay","","","fay","A","3.66"
"Mal","","","mal","A","0"
"Zoë","","","zoë","B","0"
"""
MOODLE = """\
"ID number","Full name","multiagent"
"ada","Ada, B","7.33"
"bob","'=Bob","3.66"
"eve","Eve","2.66"
"fay","Fay","3.66"
"mal","Mal","0"
"zoë","Zoë","0"
"""
WORKSHEET = """\
"Identifier","Full name","Grade","Maximum Grade","Last modified (grade)","Feedback comments"
"Participant ada","Ada, B","7.33","9","","q1: 4 of 4; q2: 3.33 of 5"
"Participant bob","'=Bob","3.66","9","","q1: 2 of 4; q2: 1.66 of 5"
"Participant eve","Eve","2.66","9","","q1: 2.66 of 4; q2: 0 of 5"
"Participant fay","Fay","3.66","9","","q1: 2 of 4; q2: 1.66 of 5"
"Participant mal","Mal","0","9","","mal.zip: not a readable archive"
"Participant zoë","Zoë","0","9","","no submission"
"""


def new_store(folder: Path) -> Store:
    return Store.open(str(folder / "class.db"), create=True)


def run(*arguments: str) -> tuple[int, str, str]:
    done = run_here("autograder", *arguments)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("options", "table"),
    [
        (["--due", "2026-11-01T23:59+01:00"], PLAIN),
        (["--format", "canvas", "--column", "Project 2 (1234)"], CANVAS),
        (["--format", "moodle"], MOODLE),
        (["--format", "moodle", "--id-column", "Identifier"], WORKSHEET),
    ],
)
def test_a_table(options: list[str], table: str, tmp_path: Path) -> None:
    store = small_class(tmp_path / "class.db")
    out = tmp_path / "marks.csv"
    status, stdout, stderr = run("gradebook", "--store", str(store), "--out", str(out), *options)
    assert (status, stdout) == (0, "")
    assert out.read_text(encoding="utf-8") == table
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert stderr.startswith(
        "multiagent: 6 students, 4 with a grade\n"
        "  1 with 0 points: not a readable archive\n"
        "  1 with 0 points: no submission\n"
    )


BLACKBOARD = """\
"Username","Project 2 [Total Pts: 9 Score] |1234"
"ada","7.33"
"bob","3.66"
"eve","2.66"
"fay","3.66"
"mal","0"
"zoë","0"
"""
BRIGHTSPACE = """\
"Username","Project 2 Points Grade","End-of-Line Indicator"
"ada","7.33","#"
"bob","3.66","#"
"eve","2.66","#"
"fay","3.66","#"
"mal","0","#"
"zoë","0","#"
"""


@pytest.mark.parametrize(
    ("name", "column", "table"),
    [("blackboard", "Project 2 [Total Pts: 9 Score] |1234", BLACKBOARD), ("brightspace", "Project 2", BRIGHTSPACE)],
)
def test_a_table_for_a_platform_that_finds_students_by_login(
    name: str, column: str, table: str, tmp_path: Path
) -> None:
    store, out = str(small_class(tmp_path / "class.db")), tmp_path / "marks.csv"
    run("gradebook", "--store", store, "--out", str(out), "--format", name, "--column", column)
    assert out.read_text(encoding="utf-8") == table


def test_late_days_cost_points_and_each_step_has_a_column(tmp_path: Path) -> None:
    """The mark is before x kept x times. An extension moves a due time. The best attempt is the best one after it."""
    path, late = small_class(tmp_path / "class.db"), ["--due", "2026-11-02T12:00Z", "--late-per-day", "10%"]
    (tmp_path / "more.csv").write_text("key;due;assignment\nBOB;2026-11-04T12:00Z;\n", encoding="latin-1")
    late += ["--late-days", "2", "--extensions", str(tmp_path / "more.csv")]
    rows = adjusted_rows(path, *late, "--out-of", "18")
    shown = {
        key: [row[each] for each in ("points", "possible", "before", "kept", "times")] for key, row in rows.items()
    }
    assert shown == {
        "ada": ["13.19", "18", "7.33", "90 %", "18/9"],
        "bob": ["6.58", "18", "3.66", "90 %", "18/9"],
        "eve": ["5.32", "18", "2.66", "100 %", "18/9"],
        "fay": ["7.32", "18", "3.66", "100 %", "18/9"],
        "mal": ["0", "18", "0", "100 %", "18/9"],
        "zoë": ["0", "18", "0", "100 %", "18/9"],
    }
    assert [rows["bob"][name] for name in ("extended to", "late days")] == ["2026-11-04T12:00:00Z", "1"]
    capped = adjusted_rows(path, *late, "--out-of", "18", "--max-points", "7")
    assert [[row[each] for each in ("points", "possible", "at most")] for row in capped.values()] == [
        [points, "7", "7"] for points in ("7", "6.58", "5.32", "7", "0", "0")
    ]
    limited = adjusted_rows(path, *late[:4], "--late-days", "2")
    assert [limited["bob"][each] for each in ("late days", "kept", "points")] == ["3", "0 %", "0"]
    assert adjusted_rows(path, *late[:4], "--late-days", "3")["bob"]["kept"] == "70 %"
    best = adjusted_rows(path, *late, "--attempt", "best")
    assert [best["ada"][name] for name in ("attempt", "points", "kept")] == ["2", "9", "100 %"]
    early = adjusted_rows(path, "--due", "2026-11-01T12:00Z", "--late-per-day", "50%", "--attempt", "best")
    assert [early["ada"][name] for name in ("attempt", "points")] == ["1", "4.66"]
    assert adjusted_rows(path, *late)["bob"]["points"] == "3.29"
    status, stdout, _ = run("gradebook", "--store", str(path), "--out", "-", "--format", "canvas", *late)
    assert (status, '"bob","A","3.29"' in stdout) == (0, True)
    run("adjust", "bob", "q1", "4", "--store", str(path), "--reason", "an appeal")
    _, stdout, _ = run(
        "gradebook", "--store", str(path), "--out", "-", "--format", "moodle", "--id-column", "Identifier", *late
    )
    assert (
        '"Participant bob","\'=Bob","5.09","9","","q1: 2 of 4; q2: 1.66 of 5; adjusted by the course staff: '
        'q1: 4 points: an appeal; late days: 1, so 90 % of the points count"'
    ) in stdout


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id,until\nada,x\n", "1: no column 'due'; expected the columns id, due and perhaps assignment"),
        ("id,due\nad,2026-11-02T12:00Z\n", "2: no student 'ad' in the store: did you mean 'ada'?"),
        ("id,due\nada,tomorrow\n", "2: tomorrow: expected a time with its zone, as in 2026-11-22T23:59+01:00 or "
         "2026-11-22T23:59Z"),
        ("id,due\nada,2026-11-02T12:00Z\nAda,2026-11-03T12:00Z\n", "3: a second extension of 'Ada'; expected one"),
        ("id,due,assignment\nada,2026-11-02T12:00Z,x\n", "2: no assignment 'x' in the store: known: multiagent"),
    ],
)  # fmt: skip
def test_a_wrong_line_of_extensions_is_named(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "more.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_extensions(path, [Student("ada"), Student("bob")], ["multiagent"])
    assert str(raised.value) == f"{path}:{problem}"


@pytest.mark.parametrize(("rule", "points", "attempt"), [("last", "7.33", "3"), ("best", "9", "2")])
def test_the_best_or_the_last_attempt_counts(rule: Rule, points: str, attempt: str, tmp_path: Path) -> None:
    with Store.open(str(small_class(tmp_path / "class.db"))) as store:
        rows = marks("multiagent", load_works(store, "multiagent"), rule, naming(store, False))
        ada = dict(zip(*plain(rows)[:2], strict=True))
    assert (ada["points"], ada["attempt"], ada["attempts"]) == (points, attempt, "3")


def test_the_first_files_again_are_the_last_attempt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.course.store.store.now", lambda: T(1))  # all in one second
    with new_store(tmp_path) as store:
        for text in ("right", "broken", "right"):
            add(store, "ada", card(FULL if text == "right" else {"q1": [0], "q2": [0]}), text=text)
        (row,) = marks("multiagent", load_works(store, "multiagent"), "last", naming(store, False))
    assert (row.earned, row.attempt, row.attempts) == (9, 3, 3)


def test_of_equal_attempts_the_first_is_the_best_and_one_that_is_graded(tmp_path: Path) -> None:
    with new_store(tmp_path) as store:
        add(store, "ada", "not a Python file", T(1))
        add(store, "ada", card({"q1": [0.0, 0.0], "q2": [0, 0, 0]}), T(2))
        add(store, "ada", card({"q1": [0.0, 0.0], "q2": [0, 0, 0]}), T(3))
        (work,) = load_works(store, "multiagent")
        best, last = work.chosen("best"), work.chosen("last")
    assert best is not None
    assert last is not None
    assert (best.submission.received, last.submission.received) == (T(2), T(3))


def test_attempts_are_in_the_order_of_receipt_if_all_have_one(tmp_path: Path) -> None:
    with new_store(tmp_path) as store:
        for received in (T(5), T(2)):
            add(store, "ada", card(FULL), received)
        for received in (T(5), "", T(2)):
            add(store, "bob", card(FULL), received)
        ada, bob = works(store.students(), store.attempts("multiagent"), {})
    assert [each.submission.received for each in ada.attempts] == [T(2), T(5)]
    assert [each.submission.received for each in bob.attempts] == [T(5), "", T(2)]


def test_the_result_that_was_added_last_counts_also_if_a_change_was_taken_back(tmp_path: Path) -> None:
    with new_store(tmp_path) as store:
        number = add(store, "ada", card(FULL), T(1))
        for version, earned in (("a2", 5.0), ("a1", 9.0), ("a1", 0.0)):
            store.add_result(Result(number, version, "g1", earned, 9), None)
        assert [each.earned for each in store.results("multiagent")] == [9, 5, 9]
        assert store.last_results("multiagent")[number].earned == 9


def test_a_student_without_a_result_yet_has_a_reason_and_mixed_versions_are_told(tmp_path: Path) -> None:
    path = tmp_path / "class.db"
    with Store.open(str(path), create=True) as store:
        add(store, "ada", card(FULL), T(1))
        add(store, "bob", card(FULL), T(1), version=("a2", "g1"))
        add(store, "cyn", None, T(1))
        add(store, "dan", card(FULL), T(1), assignment="warm-up")
    status, stdout, stderr = run("gradebook", "--store", str(path), "--out", "-")
    rows = list(csv.DictReader(io.StringIO(stdout)))
    assert status == 0
    assert len(rows) == 8
    assert [row["reason"] for row in rows if row["id"] == "cyn"] == ["not graded yet", "no submission"]
    assert stderr.count("different versions") == 1
    status, stdout, _ = run("gradebook", "--store", str(path), "--out", "-", "--format", "canvas")
    assert stdout.splitlines()[:3] == [
        '"Student","ID","SIS User ID","SIS Login ID","Section","multiagent","warm-up"',
        '"    Points Possible","","","","","9","9"',
        '"ada","","","ada","A","9","0"',
    ]


def test_pseudonyms_are_stable_and_keyed_and_no_name_is_left(tmp_path: Path) -> None:
    tables = []
    store = small_class(tmp_path / "class.db")
    who = tmp_path / "who.csv"
    for options in ([], ["--pseudonym-table", str(who)]):
        status, stdout, _ = run("gradebook", "--store", str(store), "--out", "-", "--pseudonyms", *options)
        assert status == 0
        tables.append(stdout)
    assert tables[0] == tables[1]
    for name in ("ada", "Ada", "Bob", "mal", "zoë", "Zoë"):
        assert name not in tables[0].partition("\n")[2].replace("multiagent", "")
    keys = [row["id"] for row in csv.DictReader(io.StringIO(tables[0]))]
    assert keys == sorted(keys)
    known = {row["pseudonym"]: row["id"] for row in csv.DictReader(io.StringIO(who.read_text(encoding="utf-8")))}
    assert sorted(map(known.__getitem__, keys)) == ["ada", "bob", "eve", "fay", "mal", "zoë"]
    assert Pseudonyms("1")(Student("Ada ")) == Pseudonyms("1")(Student("ada")) != Pseudonyms("2")(Student("ada"))


@pytest.mark.parametrize("cell", ["=1", "+1", "-1", "@x", " =1", "\t=1", "\r=1", "＝1"])
def test_a_formula_is_text(cell: str) -> None:
    sign = cell.strip()[0]
    assert safe_cell(cell) == printable(cell).replace(sign, f"'{sign}")
    assert csv_text([[cell, "a\nb,", 'c"']]) == f'"{safe_cell(cell)}","a b,","c"""\n'


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_no_cell_is_a_formula_whatever_separates_the_cells(separator: str) -> None:
    """A spreadsheet in many countries splits at semicolons, and then quotation marks do not protect a cell."""
    names = ("Bob;=1+1;x", 'Bob;"=1+1"', "Bob\t=1+1", "Bob|@x", 'a; "" -1', "Bob,=1", ";;+1", 'x"";=1', "a-b; c=d")
    text = csv_text([["ada", name, "=2"] for name in names])
    for row in csv.reader(io.StringIO(text), delimiter=separator):
        for cell in row:
            assert not cell.strip(' "').startswith(("=", "+", "-", "@")), cell
    assert [row[1] for row in csv.reader(io.StringIO(text))][-1] == "a-b; c=d"


def test_late_days_begin_after_the_due_time() -> None:
    due = read_time("--due", "2026-11-22T23:59+01:00")
    assert [late_days(f"2026-11-{text}Z", due) for text in ("01T00:00:00", "22T22:59:00", "22T22:59:01")] == [0, 0, 1]
    assert late_days("2026-11-23T22:59:01Z", due) == 2
    assert late_days("", due) is None
    assert read_date("--before", "2026-11-22").isoformat() == "2026-11-22T00:00:00+00:00"
    assert read_date("--before", "2026-11-22T01:00+01:00").isoformat() == "2026-11-22T00:00:00+00:00"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("--store no.db", "store no.db: no such file; make one with: python -m autograder grade-all"),
        ("--store {empty}", "store {empty}: no submissions yet; add some with: python -m autograder grade-all"),
        (
            "--store {open} --assignment multiagnt",
            "store {open}: no submissions for assignment 'multiagnt': did you mean 'multiagent'?",
        ),
        (
            "--store {open}",
            "store {open}: no result yet for assignment 'multiagent'; get results with: python -m autograder grade-all",
        ),
        (
            "--store {store} --due 22.11.2026",
            "--due 22.11.2026: expected a time with its zone, as in 2026-11-22T23:59+01:00 or 2026-11-22T23:59Z",
        ),
        (
            "--store {store} --due 2026-11-22T10:00",
            "--due 2026-11-22T10:00: expected a time with its zone, as in 2026-11-22T23:59+01:00 or 2026-11-22T23:59Z",
        ),
        ("--store {store} --out {store}", "--out {store}: this file exists already; choose another name"),
        ("--store {store} --out nowhere/x.csv", "--out nowhere/x.csv: cannot be written: no folder nowhere"),
        ("--store {store} --attempt first", "--attempt first: expected best or last"),
        ("--store {store} --format canvs", "--format: no format 'canvs': did you mean 'canvas'?"),
        (
            "--store {store} --format canvas --due 2026-11-22T10:00Z",
            "--due: a table for canvas has no column for late days; use --format plain, or say with --late-per-day "
            "what they cost",
        ),
        (
            "--store {store} --format canvas --pseudonyms",
            "--pseudonyms: canvas finds no student by a pseudonym; use --format plain",
        ),
        (
            "--store {store} --format moodle --id-column Email",
            "--id-column: moodle has no column 'Email': known: Email address, ID number, Identifier, Username",
        ),
        ("--store {store} --id-column ID", "--id-column: only for the format of a platform, as --format canvas"),
        (
            "--store {store} --late-per-day 10%",
            "--late-per-day: say with --due from when on, as in --due 2026-11-22T23:59+01:00",
        ),
        ("--store {store} --late-per-day 10", "--late-per-day 10: expected a share of the points, as in 10%"),
        ("--store {store} --max-points 0", "--max-points 0: expected a number above 0, at most 1,000,000"),
        ("--store {store} --out-of nan", "--out-of nan: expected a number above 0, at most 1,000,000"),
        ("--store {store} --extensions no.csv", "no.csv: no such file"),
        ("--store {store} --pseudonym-table x.csv", "--pseudonym-table: only together with --pseudonyms"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments: str, problem: str, tmp_path: Path) -> None:
    names = {name: str(tmp_path / f"{name}.db") for name in ("store", "empty", "open")}
    small_class(Path(names["store"]))
    Store.open(names["empty"], create=True).__exit__()
    with Store.open(names["open"], create=True) as store:
        add(store, "ada", None)
    words = arguments.format(**names).replace("--id-column Email", "--id-column=Email").split(" ")
    given = words if "--out" in words else [*words, "--out", "-"]
    assert run("gradebook", *given) == (2, "", f"python -m autograder: {problem.format(**names)}\n")


def adjusted_rows(path: Path, *options: str) -> dict[str, dict[str, str]]:
    _, stdout, _ = run("gradebook", "--store", str(path), "--out", "-", *options)
    return {row["id"]: row for row in csv.DictReader(io.StringIO(stdout))}


def test_the_staff_gives_other_points_and_a_regrade_keeps_them(tmp_path: Path) -> None:
    """Also a student without a submission gets points; the table has what is needed to compute the mark by hand."""
    path, where = small_class(tmp_path / "class.db"), ("--store", str(tmp_path / "class.db"))
    assert "adjusted" not in adjusted_rows(path)["ada"]
    done = run("adjust", "ADA", "q2", "4.5", *where, "--reason", "an appeal;\n=1+1")
    assert done == (0, "ada, multiagent, q2: 4.5 points\n", "")
    assert run("adjust", "zoë", "q1", "1", *where, "--reason", "by hand")[0] == 0
    ada = adjusted_rows(path)["ada"]
    assert (ada["points"], ada["q1"], ada["q2"], ada["by the grader"]) == ("8.5", "4", "3.33", "7.33")
    assert ada["adjusted"] == "q2: 4.5 points: an appeal; '=1+1"
    zoe = adjusted_rows(path)["zoë"]
    assert (zoe["points"], zoe["by the grader"], zoe["reason"]) == ("1", "0", "no submission")
    bob = adjusted_rows(path)["bob"]
    assert (bob["points"], bob["by the grader"], bob["adjusted"]) == ("3.66", "3.66", "")
    assert "appeal" not in str(adjusted_rows(path, "--pseudonyms"))
    with Store.open(str(path)) as store:  # graded again: the question now has all points
        number = store.attempts("multiagent")[2].id
        store.add_result(Result(number, "a2", "g1", 9, 9, questions={"q1": (4, 4), "q2": (5, 5)}), None)
    ada = adjusted_rows(path)["ada"]
    assert (ada["points"], ada["q2"], ada["by the grader"]) == ("8.5", "5", "9")
    assert run("adjust", "ada", "q2", "--undo", *where)[0] == 0
    ada = adjusted_rows(path)["ada"]
    assert (ada["points"], ada["adjusted"]) == ("9", "")


def test_pages_show_what_the_staff_adjusted(tmp_path: Path) -> None:
    path, pages = small_class(tmp_path / "class.db"), tmp_path / "pages"
    with Store.open(str(path)) as store:
        for key, points in (("ada", 4.5), ("zoë", 1.0)):
            store.add_adjustment(Student(key), "multiagent", "q2", points, "an <appeal>")
        write_pages(store, "multiagent", pages)
    page = (pages / "ada.html").read_text(encoding="utf-8")
    assert "Adjusted by the course staff: q2: 4.5 points: an &lt;appeal&gt;" in page
    assert "8.5 of 9 points" in page
    assert "Adjusted" not in (pages / "bob.html").read_text(encoding="utf-8")
    totals = re.findall(r'<td class="number">([\d.]+)</td>', (pages / "index.html").read_text(encoding="utf-8"))
    assert {"8.5", "1"} <= set(totals)


def zip_of(path: Path, *options: str) -> tuple[dict[str, str], str]:
    """The files in a zip with feedback, and what the command says."""
    out = path.with_name("feedback.zip")
    out.unlink(missing_ok=True)
    status, stdout, stderr = run("feedback", "--store", str(path), "--out", str(out), *options)
    assert (status, stderr) == (0, "")
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    with zipfile.ZipFile(out) as archive:
        return {name: archive.read(name).decode("utf-8") for name in archive.namelist()}, stdout


def test_each_student_gets_one_file_named_as_the_platform_wants_it(tmp_path: Path) -> None:
    path = tmp_path / "class.db"
    with Store.open(str(path), create=True) as store:
        for key, name, source in (
            ("41", "Lovelace, Ada", "lovelaceada_LATE_41_977_search.py and lovelaceada_LATE_41_978_tools.py"),
            ("132", "Grace_Hopper", "Grace Hopper_132_assignsubmission_file"),
        ):
            number = store.add_submission(
                Student(key, name), "multiagent", SubmissionFiles({"x.py": key.encode()}, "x.py"), T(1), source
            )
            graded = card({"q1": [1, 1], "q2": [1, 1, 0]})
            store.add_result(result_of(number, "a1", "g1", graded), graded)
        add(store, "mal", "mal.zip: not a <readable> archive", T(2), "Mal")
        store.add_students([Student("zoë")])
        store.add_adjustment(Student("41"), "multiagent", "q2", 4.5, "an appeal")
    files, said = zip_of(path)
    assert sorted(files) == ["132.html", "41.html", "mal.html"]
    assert said.endswith(
        "reports of 3 students for multiagent\nleft out: 1 student without a submission that was graded\n"
    )
    assert "Adjusted by the course staff: q2: 4.5 points: an appeal" in files["41.html"]
    assert "not a &lt;readable&gt; archive" in files["mal.html"]
    files, said = zip_of(path, "--format", "moodle", "--as", "markdown")
    assert sorted(files) == [
        "Grace Hopper_132_assignsubmission_file_/feedback.md",
        "Lovelace Ada_41_assignsubmission_file_/feedback.md",
    ]
    assert said.endswith("left out: 1 student whose number in moodle is not known: mal\n")
    text = files["Lovelace Ada_41_assignsubmission_file_/feedback.md"]
    assert text.startswith("# Multi-agent search: 8.5 of 9 points\n")
    assert text.count(" points\n") == 1, "one total"
    assert "\n\nAdjusted by the course staff: q2: 4.5 points: an appeal\n\n" in text
    assert "| q2 Minimax | 3.33/5 | 2/3 |" in text
    files, said = zip_of(path, "--format", "canvas")
    assert sorted(files) == ["lovelaceada_LATE_41_977_feedback.html"]
    assert "not known: 132, mal\n" in said


@pytest.mark.parametrize(
    ("name", "key", "source", "expected"),
    [
        ("Ada", "1", "Ada_1_assignsubmission_file and Bob_2_assignsubmission_file", ""),
        ("Ada", "1", "Ada_2_assignsubmission_file", "Ada_2_assignsubmission_file_/feedback.md"),
        ("../../Ada_3_assignsubmission_", "1", "ada.py", "Ada 3 assignsubmission_1_assignsubmission_file_/feedback.md"),
        ("..", "1", "ada.py", "student_1_assignsubmission_file_/feedback.md"),
        ("Ada", "\u0661", "ada.py", ""),
    ],
)
def test_a_name_for_moodle_is_of_one_student_whatever_the_name_says(
    name: str, key: str, source: str, expected: str
) -> None:
    assert moodle_name(Student(key, name), source, "md") == expected


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--format", "mudle"], "--format: no format 'mudle': did you mean 'moodle'?"),
        (["--as", "pdf"], "--as: no form 'pdf': known: markdown, page"),
        (["--out", "x.txt"], "--out x.txt: expected a name that ends in .zip"),
        (["--attempt", "first"], "--attempt first: expected best or last"),
        (["--format", "canvas"], "store {}: no report has a name for canvas; grade the export of canvas"),
    ],
)
def test_feedback_that_cannot_be_written_is_one_line(arguments: list[str], problem: str, tmp_path: Path) -> None:
    path = small_class(tmp_path / "class.db")
    given = ["--store", str(path), *(() if "--out" in arguments else ("--out", str(tmp_path / "f.zip"))), *arguments]
    assert run("feedback", *given) == (2, "", f"python -m autograder: {problem.format(path)}\n")
    assert not (tmp_path / "f.zip").exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["ad", "q2", "1", "--reason", "x"], "store {}: no student 'ad': did you mean 'ada'?"),
        (["ada", "q3", "1", "--reason", "x"], "store {}: no question 'q3' in multiagent: known: q1, q2"),
        (["ada", "q2", "6", "--reason", "x"], "POINTS 6: expected a number from 0 to 5, as q2 has"),
        (["ada", "q2", "nan", "--reason", "x"], "POINTS nan: expected a number from 0 to 5, as q2 has"),
        (["ada", "q2", "1"], "adjust: give the --reason, as in --reason 'an appeal: the search is right'"),
        (["ada", "q2"], "choose one of POINTS and --undo"),
        (["ada", "q2", "--undo"], "store {}: 'ada' has no adjustment in q2 of multiagent"),
    ],
)
def test_an_adjustment_that_cannot_be_made_is_one_line(arguments: list[str], problem: str, tmp_path: Path) -> None:
    path = small_class(tmp_path / "class.db")
    text = f"python -m autograder: {problem.format(path)}\n"
    assert run("adjust", *arguments, "--store", str(path)) == (2, "", text)
