"""The store keeps what it was told, exactly once, and says in one line what is wrong with a database."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.cases.case import TreeInput
from autograder.cases.game_seeds import practice_seed
from autograder.cases.right_answer import derive
from autograder.course.intake.roster import Student
from autograder.course.marks.marks import load_works
from autograder.course.store import CaseResult, Result, Store, result_of, single_grading
from autograder.grading.grade import grade
from autograder.judge import answer_json
from autograder.judge.submission_answer import Answer, Fault, LostGame
from autograder.sandbox import Sandbox, check_sandbox, run_case, submission_files
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.course.filled_store import T, card, small_class
from tests.paths import ROOT

SHORT = ROOT / "docs" / "one_ply_short.py"
FILES = SubmissionFiles({"ada.py": b"x = '\xff'\n", "sub/b.py": b"y = 1\n"}, "", (), ("link",), ("ignored 1 file",))


def new_store(folder: Path) -> Store:
    return Store.open(str(folder / "class.db"), create=True)


def test_a_store_gives_back_what_it_was_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card = grade(SHORT, loading.load("multiagent").only("q2", None), jobs=1)
    with new_store(tmp_path) as store:
        submission = store.add_submission(Student("zoë", "Zoë Ö", "B"), "multiagent", FILES, "2026-11-01T10:00:00Z")
        store.add_case_result(submission, CaseResult("q2/01-figure", "c1", "r1", True, {"seconds": 0.1}))
        store.add_result(result_of(submission, "a1", "g1", card), card)
        store.add_assignment("multiagent", "a1", {"points": 30})
        store.add_event("graded", "1 submission\0")
        monkeypatch.setattr("autograder.course.store.store.now", lambda: "2026-11-21T08:00:00Z")  # a clock is set back
        store.add_event("later", "")
    with Store.open(str(tmp_path / "class.db")) as store:
        assert store.students() == [Student("zoë", "Zoë Ö", "B")]
        assert store.assignments() == ["multiagent"]
        assert store.assignment("a1") == {"points": 30}
        assert store.assignment("a2") == {}
        (found,) = store.submissions("multiagent")
        assert (found.student.key, found.digest, found.received) == ("zoë", FILES.digest, "2026-11-01T10:00:00Z")
        assert store.files(found.id) == FILES
        assert [each.content for each in store.case_results(found.id, "r1")] == [{"seconds": 0.1}]
        assert store.case_results(found.id, "r2") == []
        (result,) = store.results("multiagent")
        assert (result.earned, result.points) == (card.earned, 5)
        assert result.mistakes == {"q2": ["ply-short"]}
        assert store.graded("multiagent", "a1", "g1") == {found.id: replace(result, cases={})}
        assert store.graded("multiagent", "a1", "g2") == {}
        assert store.scorecard(result.id) == card
        assert [(event.kind, event.text) for event in store.events()] == [("graded", "1 submission "), ("later", "")]


def test_nothing_is_stored_twice_and_no_result_changes(store: Store) -> None:
    ids = {store.add_submission(Student(key), "multiagent", FILES) for key in ("Ada", "ada", "ADA ")}
    assert len(ids) == 1
    assert len(store.students()) == 1
    (submission,) = ids
    assert store.add_submission(Student("ada"), "multiagent", FILES, "2026-11-02T10:00:00Z") != submission
    for content in (1, 2):
        store.add_case_result(submission, CaseResult("q2/a", "c", "r", True, content))
        store.add_result(Result(submission, "a", "g", earned=content, points=5), None)
    assert [each.content for each in store.case_results(submission, "r")] == [1]
    assert [each.earned for each in store.results("multiagent")] == [1]
    store.add_result(Result(submission, "a", "g2", earned=2, points=5), None)
    assert [each.earned for each in store.results("multiagent")] == [1, 2]


def test_the_statements_of_the_docs_erase_a_student_with_all_traces(tmp_path: Path) -> None:
    path = small_class(tmp_path / "class.db")
    with Store.open(str(path)) as store:
        store.add_adjustment(Student("fay"), "multiagent", "q1", 1.0, "Fay was ill")
        store.add_submission(Student("f@x.org", "Fay"), "multiagent", FILES, other_keys=["Fay"])
    assert b"Fay" in path.read_bytes()
    page = (ROOT / "docs/course.md").read_text("utf-8")
    (statements,) = re.findall(r'sqlite3 class\.db "(.*?DELETE.*?VACUUM)"', page, re.S)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements.replace("ada", "fay").replace('\\"', '"'))
    with Store.open(str(path)) as store:
        assert [each.key for each in store.students()] == ["ada", "bob", "eve", "mal", "zoë"]
        assert [each.student.key for each in store.attempts("multiagent")] == ["ada", "ada", "ada", "bob", "eve", "mal"]
        assert len(store.results("multiagent")) == 6
        assert list(store.adjustments("multiagent")) == []
    for file in tmp_path.iterdir():
        assert b"Fay" not in file.read_bytes(), file


def test_a_name_or_section_that_is_known_stays(store: Store) -> None:
    store.add_submission(Student("ada", "Ada", "A"), "multiagent", FILES)
    store.add_submission(Student("ada"), "other", FILES)
    store.add_submission(Student("ada", "", "B"), "multiagent", FILES)
    assert store.students() == [Student("ada", "Ada", "B")]


def _add_many(where: str, number: int) -> None:
    with Store.open(where) as store:
        for each in range(50):
            store.add_submission(Student(f"{number}/{each}"), "multiagent", FILES)


@pytest.mark.slow("that grade a class")
def marks_of(store: Store, assignment: str) -> dict[str, float]:
    """The points of each student, with what the staff adjusted."""
    works = load_works(store, assignment)
    return {work.student.key: sum(each.earned + work.adjusted(each) for each in work.attempts) for work in works}


def test_a_roster_changes_whose_an_attempt_is_and_nothing_else(store: Store) -> None:
    """With one that comes later, changes or goes, no result and no adjustment of any assignment is lost."""
    graded = card({"q1": [1.0, 1.0], "q2": [0.0, 1.0, 1.0]})
    for assignment in ("hw1", "hw2"):
        for key, number in (("ada@x.org", "4711"), ("bob@x.org", "4712")):
            files = SubmissionFiles({"a.py": f"{key}{assignment}".encode()}, "a.py")
            row = store.add_submission(Student(key, "X"), assignment, files, T(1), other_keys=[number])
            store.add_result(result_of(row, "a", "g", graded), graded)
    store.add_adjustment(Student("ada@x.org"), "hw1", "q2", 5.0, "an appeal")
    before = {"ada@x.org": 9.0, "bob@x.org": pytest.approx(4 + 10 / 3)}
    assert marks_of(store, "hw1") == before
    store.replace_roster([Student("4711", "Ada"), Student("4712", "Bob"), Student("4713", "Cyn")])
    for assignment, points in (("hw1", 9.0), ("hw2", 4 + 10 / 3)):
        assert marks_of(store, assignment) == {
            "4711": pytest.approx(points), "4712": pytest.approx(4 + 10 / 3), "4713": 0
        }  # fmt: skip
    store.add_adjustment(Student("4712"), "hw2", "q2", 0.0, "copied")
    assert store.student("ADA@x.org") == Student("4711", "Ada")
    assert store.student("nobody") is None
    store.replace_roster([Student("ada@x.org", "Ada L"), Student("bob@x.org", "Bob")])
    assert marks_of(store, "hw1") == before
    assert marks_of(store, "hw2")["bob@x.org"] == 4
    assert len(store.results("hw1")) == len(store.results("hw2")) == 2


def test_several_processes_write_to_one_store(tmp_path: Path) -> None:
    new_store(tmp_path).__exit__()
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_add_many, args=(str(tmp_path / "class.db"), each)) for each in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    with Store.open(str(tmp_path / "class.db")) as store:
        assert len(store.submissions("multiagent")) == 100


def changed(path: Path, command: str) -> None:
    """A store after an SQL command; `wine` has no table of a store."""
    if "wine" not in command:
        new_store(path.parent).__exit__()
    with sqlite3.connect(path) as connection:
        connection.execute(command)


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
        *(
            (
                lambda path, version=version: changed(path, f"UPDATE store_version SET version = {version}"),
                f"made by another version of this program (store version {version}, expected 4); use that version, or "
                "grade into a new store",
            )
            for version in (1, 99)
        ),
    ],
)
def test_what_is_no_store_is_one_line(make: Callable[[Path], None], problem: str, tmp_path: Path) -> None:
    path = tmp_path / "class.db"
    make(path)
    with pytest.raises(InputError) as error:
        Store.open(str(path))
    assert str(error.value) == f"store {path}: {problem}"


def test_a_store_of_another_version_stays_as_it_is(tmp_path: Path) -> None:
    path = small_class(tmp_path / "class.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE store_version SET version = 1")
        connection.commit()
    before = path.read_bytes()
    done = run_here("autograder", "gradebook", "--store", str(path), "--out", "-")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("class.db", before)]


@pytest.mark.parametrize("where", ["mysql://u:secret@h/x", "postgresql://u:secret@127.0.0.1:1/x", "://", "sqlite://x"])
def test_a_url_that_does_not_work_is_one_line_without_its_password(where: str) -> None:
    with pytest.raises(InputError) as error:
        Store.open(where, create=True)
    assert "secret" not in str(error.value)
    assert "\n" not in str(error.value)


def test_a_full_disk_is_one_line_and_loses_nothing(store: Store) -> None:
    kept = store.add_submission(Student("ada"), "multiagent", FILES)
    with store._engine.connect() as connection:  # a page limit of the connection stands in for the disk
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    large = SubmissionFiles({"large.py": os.urandom(1_000_000)})
    with pytest.raises(InputError, match="the disk is full; make room and start again"):
        store.add_submission(Student("grace"), "multiagent", large)
    assert store.submissions("multiagent")[0].id == kept


def test_a_store_in_use_is_one_line_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.course.store.connection.BUSY_SECONDS", 0.1)
    with new_store(tmp_path) as store, closing(sqlite3.connect(tmp_path / "class.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(
            InputError, match=r"another program has been writing to it for 0\.1 s; wait for it and start"
        ):
            store.add_event("graded", "")
        assert store.events() == []  # reading does not wait
        other.rollback()
        store.add_event("graded", "")


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


def test_what_is_no_file_is_reported_by_the_store_itself(tmp_path: Path) -> None:
    for where in (tmp_path, tmp_path / "missing.db", tmp_path / "nowhere" / "x.db", "postgresql://u@127.0.0.1:1/x"):
        with single_grading(str(where)), pytest.raises(InputError):
            Store.open(str(where))
    assert not list(tmp_path.iterdir())


def test_answers_come_back_from_json() -> None:
    """The answers of a wrong submission to a case of each kind, and what no run gives at once."""
    assignment = loading.load("multiagent")
    names = ("q1/01-food-nearby", "q2/01-figure", "q2/09-two-ghosts", "q6/01-*")
    work = submission_files.read(assignment.folder / "solutions.py")
    lost = LostGame(3, ("North", "Stop"))
    answers = [Answer(fault=Fault("time", "no answer within 10 s"), output="x\ny", lost_game=lost)]
    with Sandbox(work, assignment.limits, check_sandbox()) as sandbox:
        sandbox.main_file = "solutions.py"
        for case in assignment.cases:
            if case.id in names or case.question.id in ("q1", "q6") or isinstance(case.input, TreeInput):
                truth = derive(case) if case.has_truth else None
                answers.append(run_case.run(case, truth, sandbox, practice_seed))
            if len(answers) > 30:
                break
    assert {bool(answer.claims) for answer in answers} == {True, False}
    for answer in answers:
        back = answer_json.from_json(json.loads(json.dumps(answer_json.to_json(answer))))
        bare = [replace(each, claims=(), fault=None) for each in (answer, back)]
        assert bare[0] == bare[1]
        assert answer.fault == back.fault
        for claim, again in zip(answer.claims, back.claims, strict=True):
            assert replace(claim, trace=None) == replace(again, trace=None)
            assert (claim.trace is None) == (again.trace is None)
            if claim.trace and again.trace:
                assert list(claim.trace.paths()) == list(again.trace.paths())
                assert claim.trace.successors == again.trace.successors
                assert claim.nodes == again.nodes


def test_only_the_last_result_of_a_submission_counts(store: Store) -> None:
    """So if a change is taken back, the old result is added again, and not found as the one that counts."""
    number = store.add_submission(Student("ada"), "multiagent", FILES)
    for version in ("a1", "a2"):
        store.add_result(Result(number, version, "g", earned=1, points=5), None)
    assert store.graded("multiagent", "a1", "g") == {}
    assert list(store.graded("multiagent", "a2", "g")) == [number]
    store.add_result(Result(number, "a1", "g", earned=1, points=5), None)
    assert list(store.graded("multiagent", "a1", "g")) == [number]
    assert store.last_results("multiagent")[number].assignment_digest == "a1"


def keys_in_order(store: Store, assignment: str = "multiagent") -> list[str]:
    """What was handed in, by the text in the only file of each attempt."""
    return [next(iter(store.files(each.id).files.values())).decode() for each in store.attempts(assignment)]


def test_who_hands_in_the_first_files_again_has_them_as_the_last_attempt(store: Store) -> None:
    """Also after an attempt without files; grading the same export again adds nothing, and a receipt counts once."""
    files = {name: SubmissionFiles({"a.py": name.encode()}) for name in "AB"}
    for name in "AABBA":
        store.add_submission(Student("ada"), "multiagent", files[name])
        store.add_submission(Student("bob"), "other", files["A"])
    assert keys_in_order(store) == ["A", "B", "A"]
    assert keys_in_order(store, "other") == ["A"]
    number = store.add_submission(Student("ada"), "multiagent", None, problem="no file")
    store.add_submission(Student("ada"), "multiagent", files["A"])
    assert [each.id == number for each in store.attempts("multiagent")] == [False, False, False, True, False]
    for day in (1, 2, 1, 2):
        store.add_submission(Student("cyn"), "multiagent", files["A"], f"2026-11-0{day}T10:00:00Z")
    assert sum(each.student.key == "cyn" for each in store.attempts("multiagent")) == 2
