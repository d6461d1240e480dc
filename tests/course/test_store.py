"""The store keeps what it was told, moves nothing, and says in one line what is wrong with a database."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest

from autograder.course.intake.roster import Student
from autograder.course.marks.marks import marks
from autograder.course.records import Step, result_of
from autograder.course.store import Store, single_grading
from autograder.judge import submission_answer
from autograder.judge.submission_answer import Answer, Fault, LosingMove, LostGame
from autograder.sandbox.reader import read_claim
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError
from pacman.core.state import start
from pacman.play.game import Result as GameResult
from tests.command_line import run_here
from tests.course.filled_store import PLY_SHORT, T, card, small_class
from tests.fuzz.right_answers import graded_cases, right_replies
from tests.paths import ROOT

FILES = SubmissionFiles({"ada.py": b"x = '\xff'\n", "sub/b.py": b"y = 1\n"}, "", (), ("link",), ("ignored 1 file",))


def new_store(folder: Path) -> Store:
    return Store.open(str(folder / "class.db"), create=True)


def test_a_store_gives_back_what_it_was_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No result changes, and the last one counts: if a change is taken back, the old result is added again."""
    graded = card({"q2": [0.0, 1.0, 1.0]}, diagnoses={"q2": PLY_SHORT})
    step = Step("q2/01-figure", "c1", "r1", True, {"seconds": 0.1})
    with new_store(tmp_path) as store:
        store.add_attempt(Student("zoë", "Zoë Ö\0"), "multiagent", FILES, T(1))
        work = store.attempts("multiagent")[0].work
        store.add_steps(work, [step, replace(step, content={"seconds": 0.2})])
        for version in ("a1", "a2", "a1"):
            store.add_result(result_of(work, version, "g1", graded), graded)
        for value in ("", {"points": 30}):
            store.remember("version a1", value)
        store.add_event("graded", "1 submission\0")
        monkeypatch.setattr("autograder.course.store.now", lambda: "2026-11-21T08:00:00Z")  # a clock is set back
        store.add_event("later", "")
    with Store.open(str(tmp_path / "class.db")) as store:
        assert store.students() == [Student("zoë", "Zoë Ö ")]
        assert store.assignments() == ["multiagent"]
        assert (store.fact("version a1"), store.fact("version a2")) == ({"points": 30}, None)
        (found,) = store.attempts("multiagent")
        assert (found.student.key, found.work, found.received, found.problem) == ("zoë", work, T(1), "")
        assert store.files(work) == FILES
        assert [each.content["seconds"] for each in store.steps(work, "r1")] == [0.1, 0.2]
        assert store.steps(work, "r2") == []
        *results, result = store.results("multiagent")
        assert [each.assignment_digest for each in (*results, result)] == ["a1", "a2", "a1"]
        assert (result.earned, result.points, result.mistakes) == (graded.earned, 5, {"q2": ["ply-short"]})
        assert store.last_results("multiagent") == {work: replace(result, cases={})}
        assert store.scorecard(result.id) == graded
        assert [(event.kind, event.text) for event in store.events()] == [("graded", "1 submission "), ("later", "")]


def test_a_store_of_an_earlier_day_opens_as_it_was(tmp_path: Path) -> None:
    """The statements are those of a store that this version of the program wrote."""
    graded = card({"q1": [1.0, 1.0], "q2": [0, 0, 1]}, diagnoses={"q2": PLY_SHORT})
    path = tmp_path / "class.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(Path(__file__).with_name("store.sql").read_text(encoding="utf-8"))
    with Store.open(str(path)) as store:
        ada = Student("ada", "Ada", "A", (("", T(4)),), ("s1",))
        assert store.students() == [ada, Student("bob", "Bob", is_listed=False), Student("zoë", "Zoë")]
        first, second, refused = store.attempts("multiagent")
        assert [(each.student, each.received, each.source) for each in (first, second)] == [
            (ada, T(1), "a.zip"), (ada, T(2), "a.zip"),
        ]  # fmt: skip
        assert (refused.student.key, refused.work, refused.problem) == ("bob", 0, "bob.zip: not a readable archive")
        assert store.files(first.work) == replace(FILES, requested_file="ada.py")
        assert [(each.case, each.alone, each.content) for each in store.steps(first.work, "r")] == [
            ("q1/a", True, {"seconds": 0.5})
        ]
        last = store.last_results("multiagent")
        assert [(last[each.work].earned, last[each.work].version) for each in (first, second)] == [
            (graded.earned, ("a1", "g1")), (9.0, ("a1", "g1")),
        ]  # fmt: skip
        assert store.scorecard(last[first.work].id) == graded
        (row,) = store.adjustments("multiagent").values()
        assert [each.text for each in row] == ["q2: 4.5 points: an appeal"]
        assert store.fact("key multiagent") == "0123"
        assert [(each.kind, each.text) for each in store.events()] == [("graded", "2 submissions")]
        assert store.add_attempt(Student("s1"), "multiagent", FILES, T(5)) > refused.id, "and it can be written"


def handed_in(store: Store, assignment: str = "multiagent") -> list[str]:
    """What was handed in, by the text in the only file of each attempt, or the problem."""
    return [
        each.problem or next(iter(store.files(each.work).files.values())).decode()
        for each in store.attempts(assignment)
    ]


def test_who_hands_in_the_first_files_again_has_them_as_the_last_attempt(store: Store) -> None:
    """Also after an attempt without files; grading the same export again adds nothing, and a receipt counts once."""
    files = {name: SubmissionFiles({"a.py": name.encode()}) for name in "AB"}
    for key, name in zip(("ada", "Ada", "ADA ", "ada", "ada"), "AABBA", strict=True):
        store.add_attempt(Student(key), "multiagent", files[name])
        store.add_attempt(Student("bob"), "other", files["A"])
    assert (handed_in(store), handed_in(store, "other"), len(store.students())) == (["A", "B", "A"], ["A"], 2)
    for _ in range(2):
        store.add_attempt(Student("ada"), "multiagent", None, problem="no file")
    store.add_attempt(Student("ada"), "multiagent", files["A"])
    assert handed_in(store) == ["A", "B", "A", "no file", "A"]
    assert len({each.work for each in store.attempts("multiagent")}) == 3
    for day in (1, 2, 1, 2):
        store.add_attempt(Student("cyn"), "multiagent", files["A"], T(day))
    assert [each.received for each in store.attempts("multiagent")][5:] == [T(1), T(2)]
    for account, times in (("dan", ("", T(1), "")), ("eli", (T(1), "", T(2), ""))):  # a worksheet comes and goes
        for received in times:
            store.add_attempt(Student(account), "multiagent", files["A"], received)
    assert [each.received for each in store.attempts("multiagent")][7:] == [T(1), T(1), T(2)]
    for received in (T(2), T(1)):  # at one place in the export, a new time corrects the one before
        store.add_attempt(Student("fay"), "multiagent", files["A"], received, "fay/a.py")
    assert [each.received for each in store.attempts("multiagent")][10:] == [T(1)]
    for name in ("Ada", ""):  # a name that is known stays
        store.add_attempt(Student("ada", name), "other", files["A"])
    assert [each.name for each in store.students()] == ["Ada", "", "", "", "", ""]


def marks_of(store: Store, assignment: str) -> dict[str, float]:
    """The points of each student, with what the staff adjusted."""
    return {row.student.key: row.adjusted for row in marks(store, assignment, "last")}


def test_a_roster_changes_whose_an_attempt_is_and_nothing_else(store: Store) -> None:
    """With one that comes later, changes or goes, no result and no adjustment of any assignment is lost."""
    graded = card({"q1": [1.0, 1.0], "q2": [0.0, 1.0, 1.0]})
    for assignment in ("hw1", "hw2"):
        for key, number in (("ada@x.org", "4711"), ("bob@x.org", "4712")):
            files = SubmissionFiles({"a.py": f"{key}{assignment}".encode()}, "a.py")
            store.add_attempt(Student(key, "X"), assignment, files, T(1), other_keys=[number])
        for each in store.attempts(assignment):
            store.add_result(result_of(each.work, "a", "g", graded), graded)
    store.add_adjustment("ada@x.org", "hw1", "q2", 5.0, "an appeal")
    less = pytest.approx(4 + 10 / 3)
    before = {"ada@x.org": 9.0, "bob@x.org": less}
    assert marks_of(store, "hw1") == before
    assert store.replace_roster([Student("4711", "Ada"), Student("4712", "Bob"), Student("4713", "Cyn")]) == (0, 0, 0)
    assert marks_of(store, "hw1") == {"4711": 9.0, "4712": less, "4713": 0}
    assert marks_of(store, "hw2") == {"4711": less, "4712": less, "4713": 0}
    store.add_adjustment("4712", "hw2", "q2", 0.0, "copied")
    assert store.people().find("ADA@x.org") == Student("4711", "Ada")
    assert store.people().find("nobody") is None
    assert store.replace_roster([Student("ada@x.org", "Ada L"), Student("bob@x.org", "Bob")]) == (2, 3, 0)
    assert marks_of(store, "hw1") == before
    assert marks_of(store, "hw2")["bob@x.org"] == 4
    assert len(store.results("hw1")) == len(store.results("hw2")) == 2
    store.replace_roster([Student("other")])
    assert [(each.key, each.is_listed) for each in store.students()] == [
        ("ada@x.org", False), ("bob@x.org", False), ("other", True)
    ]  # fmt: skip


def test_the_statements_of_the_docs_erase_a_student_with_all_traces(tmp_path: Path) -> None:
    path = small_class(tmp_path / "class.db")
    with Store.open(str(path)) as store:
        store.add_adjustment("fay", "multiagent", "q1", 1.0, "Fay was ill")
        store.add_attempt(Student("f@x.org", "Fay"), "multiagent", FILES, other_keys=["Fay"])
    assert b"Fay" in path.read_bytes()
    page = (ROOT / "docs/course.md").read_text("utf-8")
    (statements,) = re.findall(r'sqlite3 class\.db "(.*?DELETE.*?VACUUM)"', page, re.S)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements.replace("ada", "fay").replace('\\"', '"'))
    with Store.open(str(path)) as store:
        assert [each.key for each in store.students()] == ["ada", "bob", "eve", "mal", "zoë"]
        assert [each.student.key for each in store.attempts("multiagent")] == ["ada", "ada", "ada", "bob", "eve", "mal"]
        assert (len(store.results("multiagent")), store.adjustments("multiagent")) == (5, {})
    for file in tmp_path.iterdir():
        assert b"Fay" not in file.read_bytes(), file


def test_several_connections_write_to_one_store(tmp_path: Path) -> None:
    def add_many(number: int) -> None:
        with Store.open(str(tmp_path / "class.db")) as own:
            for each in range(25):
                own.add_attempt(Student(f"{number}-{each}"), "multiagent", FILES)

    with new_store(tmp_path) as store, ThreadPoolExecutor(3) as pool:
        list(pool.map(add_many, range(3)))
        assert len(store.attempts("multiagent")) == 75


def changed(path: Path, command: str) -> None:
    """A store after an SQL command; `wine` has no table of a store."""
    if "wine" not in command:
        new_store(path.parent).__exit__()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(command)
        connection.commit()


def _damaged(path: Path) -> None:
    new_store(path.parent).__exit__()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"Z" * (len(content) - 4096))


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: None, "no such file; make one with: python -m autograder grade-all"),
        (lambda path: path.touch(), "it is empty; fill it with: python -m autograder grade-all"),
        (lambda path: path.mkdir(), "is a folder; expected the name of a file, as in class.db"),
        (lambda path: path.write_text("key,name\n" * 500), "this file is not a store; name another file"),
        (_damaged, "this file is damaged; use a copy of it, or grade into a new store"),
        (lambda path: changed(path, "CREATE TABLE wine (year INTEGER)"), "a database, but not a store of this program"),
        (
            lambda path: changed(path, "UPDATE store_version SET version = 4"),
            "made by another version of this program (store version 4, expected 7); use that version, or grade into a "
            "new store",
        ),
    ],
)
def test_what_is_no_store_is_one_line_and_stays_as_it_is(
    make: Callable[[Path], None], problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "class.db"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with single_grading(str(path)), pytest.raises(InputError) as error:
        Store.open(str(path))
    assert str(error.value) == f"store {path}: {problem}"
    done = run_here("autograder", "gradebook", "--store", str(path), "--out", "-")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert [each.name for each in tmp_path.iterdir()] == ["class.db"] * path.exists()
    assert "version" not in problem or path.read_bytes() == before


@pytest.mark.parametrize("where", ["mysql://u:secret@h/x", "postgresql://u:secret@127.0.0.1:1/x", "://", "sqlite://x"])
def test_a_url_that_does_not_work_is_one_line_without_its_password(where: str) -> None:
    """The lock of a grading leaves it to the store to say so."""
    with single_grading(where), pytest.raises(InputError) as error:
        Store.open(where, create=True)
    assert "secret" not in str(error.value)
    assert "\n" not in str(error.value)


def test_a_full_disk_and_a_store_in_use_are_one_line_and_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.course.store.BUSY_SECONDS", 0.1)
    with new_store(tmp_path) as store, closing(sqlite3.connect(tmp_path / "class.db")) as other:
        kept = store.add_attempt(Student("ada"), "multiagent", FILES)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match=r"another program has been writing to it for 0\.1 s; wait for it and sta"):
            store.add_event("graded", "")
        assert store.events() == []  # reading does not wait
        other.rollback()
        store.add_event("graded", "")
        with store._engine.connect() as connection:  # a page limit of the connection stands in for the disk
            connection.exec_driver_sql("PRAGMA max_page_count = 1")
        large = SubmissionFiles({"large.py": os.urandom(1_000_000)})
        with pytest.raises(InputError, match="the disk is full; make room and start again"):
            store.add_attempt(Student("grace"), "multiagent", large)
        assert [each.id for each in store.attempts("multiagent")] == [kept]


def test_a_new_store_waits_for_another_program_that_makes_it_too(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "class.db", isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        timer = Timer(0.2, other.execute, ["ROLLBACK"])
        timer.start()
        new_store(tmp_path).__exit__()
        timer.join()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps this lock apart from those of SQLite")
def test_only_one_grading_at_a_time_uses_a_store(tmp_path: Path) -> None:
    where = str(tmp_path / "class.db")
    with single_grading(where, create=True), Store.open(where, create=True) as store:
        with pytest.raises(InputError, match="another grade-all or regrade is using it; wait until that ends"):
            single_grading(where).__enter__()
        store.add_event("graded", "")
        with Store.open(where) as other:  # other commands do not wait
            assert len(other.events()) == 1
    with single_grading(where):
        pass
    assert Path(where).stat().st_mode & 0o777 == 0o600


def test_answers_come_back_from_json() -> None:
    """The right answers to every kind of case, an action, games, and a fault in the middle of one."""
    answers = [
        Answer(tuple(map(read_claim, right_replies(name))), seconds=1.5, processor_seconds=1.0)
        for name, (case, _) in graded_cases()[1].items()
        if case.has_truth
    ]
    answers += [
        Answer(action="East", losing_move=LosingMove(1, start("nook", ["random"]), "West", (("West", 3.0),))),
        Answer(results=(GameResult("win", 30, 12, 7, (0.1,)), GameResult("loss", -9, 3, 8, (0.2,)))),
        Answer(fault=Fault("time", "no answer within 10 s"), output="x\ny", lost_game=LostGame(3, ("North", "Stop"))),
    ]
    for answer in answers:
        back = submission_answer.from_json(json.loads(json.dumps(submission_answer.to_json(answer))))
        assert replace(answer, claims=()) == replace(back, claims=())
        for claim, again in zip(answer.claims, back.claims, strict=True):
            assert replace(claim, trace=None) == replace(again, trace=None)
            assert claim.trace is not None
            assert again.trace is not None
            assert list(claim.trace.paths()) == list(again.trace.paths())
            assert claim.trace.successors == again.trace.successors
