"""A roster names each student once, and says whose the submissions of an export are; staff says which file counts."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.cases import loading
from autograder.commands.grade_all import check_numbers, chosen_files, new_roster
from autograder.course.grade import Intake, lowered, take_in
from autograder.course.intake.roster import Roster, Student, mismatches, read
from autograder.course.intake.submissions import find
from autograder.course.store import Store
from autograder.grading.submission import find_candidate
from autograder.platforms import submission_api
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.course import small_class
from tests.course.filled_store import add, card
from tests.paths import ROOT, SOLUTIONS
from tests.written_files import make_zip

NO_KEY = "no column 'id'; expected the columns id, name, section, or a roster of Canvas, Moodle, Gradescope or GitHub"
MARKS = "a cell that begins with a quotation mark ends with one, and has two for each one inside"
COMMA = "put a cell with a comma into quotation marks"
FORM = "expected a time with its zone, as in 2026-11-22T23:59+01:00 or 2026-11-22T23:59Z"
NOTE = "1 line of the roster left out: staff, or the test student of the platform"
NOT_USED = "not used: 1 column of the roster with dates or extensions: fällig; an extension stands in the column due"
NOT_USED += ", a time of receipt in received"
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Project 2 (1234)
    Points Possible,,,,,9
"Lovelace, Ada",41,s1,ada,A,
"""
MOODLE = """\
Identifier;"Full name";"Email address";Status;Grade
"Participant 1327627";"Ada Lovelace";ada@x.org;"Submitted for grading";
"""
GERMAN = """\
ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Bewertung kann geändert werden,Zuletzt geändert (Abgabe),Zuletzt geändert (Bewertung),Feedback als Kommentar
Teilnehmer/in 1327627,Ada Lovelace,ada@x.org,Zur Bewertung abgegeben,,"100,00",Ja,"Sonntag, 22. November 2026, 10:00",-,
Teilnehmer/in 1327628,Bob Ö,bob@x.org,Keine Abgabe,,"100,00",Ja,-,-,
"""  # noqa: E501
GITHUB = '"identifier","github_username","github_id","name"\n"s1","ada-l","123","Ada Lovelace"\n"s2","","",""\n'
GRADESCOPE = "First Name,Last Name,SID,Email,Role\nAda,Lovelace,s1,ada@x.org,Student\n"
GRADES = "Bewertung", "Bestwertung", "Zuletzt geändert (Bewertung)"
OWN = "\r\n".join(['"Name"S"email"S"KEY"S"section"', '"Zoë, the first"S"z@x"S"zoe"S"A"', '""S""S"ada"S""', ""])
OF_OWN = (Student("zoe", "Zoë, the first", "A"), Student("ada"))
ZOE = (Student("zoë", "Zoë"),)
ROSTERS: list[tuple[str | bytes, tuple[Student, ...], tuple[str, ...]]] = [
    *(("\ufeff" + OWN.replace("S", each), OF_OWN, ()) for each in ",;\t"),
    *(("key;name\r\nzoë;Zoë\r\n".encode(code), ZOE, ()) for code in ("cp1252", "utf-8-sig", "utf-16")),
    *(
        (f'id,name\nada,Ada{end}zoe\nbob,"B\nob"\n', (Student("ada", f"Ada{shown}zoe"), Student("bob", "B ob")), ())
        for end, shown in (("\u2028", " "), ("\x85", " "), ("\x0b", " "), ("\x1d", " "))
    ),
    (CANVAS, (Student("41", "Lovelace, Ada", "A"),), ()),
    (f'{CANVAS}"Student, Test",999,,abc,A,\n', (Student("41", "Lovelace, Ada", "A"),), (NOTE,)),
    (MOODLE, (Student("1327627", "Ada Lovelace"),), ()),
    (GRADESCOPE, (Student("ada@x.org", "Ada Lovelace"),), ()),
    (f"{GRADESCOPE}Tee,Ay,,ta@x.org,TA\n", (Student("ada@x.org", "Ada Lovelace"),), (NOTE,)),
    ("id,First name,name\nada,Ada,Lovelace\n", (Student("ada", "Ada Lovelace"),), ()),
    ("id,Full name\nada,Ada L\n", (Student("ada", "Ada L"),), ()),
    ("id,name,\nada,Ada,22 November 2026 10:00\n", (Student("ada", "Ada"),), ()),
    *(
        (f"id,{name}\nada,2026-11-27\n", (Student("ada"),), (NOT_USED.replace("fällig", name),))
        for name in ("de", "removed", "revised", "duration")
    ),
    ("id,extension\nada,3 days\n", (Student("ada"),), (NOT_USED.replace("fällig", "extension"),)),
    ("id,name,Fällig,born\nada,Ada,27.11.2026 23:59,1.1\n", (Student("ada", "Ada"),), (NOT_USED,)),
    ("PK,id,due warm-up\n1,ada,2026-11-22T23:59Z\n",
     (Student("ada", due=(("warm-up", "2026-11-22T23:59:00Z"),)),), ()),
    ("id,Last name,names\nada,Lovelace,x\n", (Student("ada", "Lovelace"),), ()),
    (GITHUB, (Student("s1", "Ada Lovelace", also=("ada-l",)), Student("s2")), ()),
]  # fmt: skip


def written(folder: Path, content: str | bytes) -> Path:
    """A roster with this content."""
    (folder / "roster.csv").write_bytes(content.encode() if isinstance(content, str) else content)
    return folder / "roster.csv"


@pytest.mark.parametrize(("content", "students", "notes"), ROSTERS)
def test_a_roster_is_read_as_spreadsheets_and_platforms_write_it(
    content: str | bytes, students: tuple[Student, ...], notes: tuple[str, ...], tmp_path: Path
) -> None:
    """Columns in any order, any separator and encoding. Staff and the test student are left out, with a note."""
    found = read(written(tmp_path, content))
    assert (found.students, found.notes) == (students, notes)
    assert found.facts == ({"sis": {"41": ["s1", "ada"]}} if str(content).startswith(CANVAS) else {})


@pytest.mark.parametrize("word", ["Teilnehmer/in ", "Teilnehmer/in", "Teilnehmer*in"])
def test_a_worksheet_of_moodle_is_read_in_any_language(tmp_path: Path, word: str) -> None:
    text = GERMAN.replace("Teilnehmer/in ", word).replace("\n", ",\n").replace("Kommentar,", "Kommentar,due")
    found = read(written(tmp_path, text))
    assert found.students == (Student("1327627", "Ada Lovelace"), Student("1327628", "Bob Ö"))
    assert found.facts["worksheet"] == (
        *(word, "ID", "Vollständiger Name", "Bewertung", "Bestwertung", "Zuletzt geändert (Bewertung)"),
        "Feedback als Kommentar",
    )
    assert (found.received, found.notes) == ({}, ()), "nobody knows the zone"
    zone = timezone(timedelta(hours=1))
    found, column = read(written(tmp_path, text), zone), "1 entry of the column zuletzt geändert (abgabe)"
    assert found.received == {"1327627": "2026-11-22T09:00:00Z"}
    assert found.notes[0].startswith(f"{column} read in the zone of the assignment's due, UTC+01:00; if Moodle")
    unread = "22. marraskuuta 2026, 10:00", "22/11/26, 23:30", "3 March 99999999999, 05:59", "1 January 0001, 00:00"
    for other in unread:
        (note,) = read(written(tmp_path, text.replace("Sonntag, 22. November 2026, 10:00", other)), zone).notes
        assert note.startswith(f"{column} not read: '{other}'; expected a form as '22 Nov")
    without = GERMAN.replace(",Feedback als Kommentar", "").replace("-,\n", "-\n")
    found = read(written(tmp_path, without), zone)
    assert (found.received, found.facts["worksheet"][3:]) == ({"1327627": "2026-11-22T09:00:00Z"}, (*GRADES, ""))
    found = read(written(tmp_path, without.replace("\n", ",A\n").replace(",A\n", ",section\n", 1)))
    assert (found.students[0].section, found.facts["worksheet"][-1]) == ("A", ""), "no column of Moodle"
    cut = without.replace(",Zuletzt geändert (Bewertung)", "").replace(",-\n", ",\n")
    found = read(written(tmp_path, cut), zone)
    assert "not used: 1 column of the roster with dates or extensions: zuletzt geändert (abgabe); an ext" in "".join(
        found.notes
    )
    head, *lines = (",".join(line.split(",", 3)[::3]) for line in GERMAN.splitlines())
    anonymous = "\n".join([head, *lines, *(line.replace("13276", "13277") for line in lines), ""])
    assert {each.name for each in read(written(tmp_path, anonymous)).students} == {""}, "no status is a name"
    granted = text.replace("Keine Abgabe", '"Keine Abgabe - Verlängerung bis: Montag, 30. November 2026, 23:59"')
    found = read(written(tmp_path, granted), zone)
    assert found.students[1].due == (("", "2026-11-30T23:59:00+01:00"),)
    assert found.notes[0] == "1 extension of Moodle read in the zone of `due`, UTC+01:00: 1327628 (Bob Ö)"
    for words in ("Verlängertes Abgabeende bis", "Extension granted until", "Abgabe verlängert bis"):
        same = read(written(tmp_path, granted.replace("Verlängerung bis", words)), zone)
        assert (same.students[1].due, same.notes) == (found.students[1].due, found.notes)
    odd = read(written(tmp_path, granted.replace("30. November 2026, 23:59", "bald")), zone)
    note = "an extension of Moodle not read; write its time into a column due: 1327628 (Bob Ö)"
    assert (odd.students[1].due, odd.notes[0]) == ((), note)
    typed = read(written(tmp_path, text.replace("Bob Ö", "Bob Verlängerung bis: 30. November 2027, 23:59")), zone)
    assert (typed.students[1].due, typed.students[1].name[:4]) == ((), "Bob "), "a name is no extension"
    assert (
        "not used: 1 column of the roster with dates or extensions: status" in read(written(tmp_path, granted)).notes[0]
    )
    extended = text.replace("Bewertung,", "Due date,Bewertung,", 1).replace(',,"', ',"22. November 2026, 10:00",,"')
    note, _ = read(written(tmp_path, extended), zone).notes
    assert note == "column due date of the worksheet not used; an extension stands in the column due"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", f":1: {NO_KEY} (known: none)"),
        ("ids,name\na,b\n", f":1: {NO_KEY} (did you mean 'ids'?)"),
        ("key,name\nada,A\n,B\n", ":3: a student without an id; write a login or a number"),
        ("key,name\nAda,A\n\nada ,B\n", ":4: 'ada' is already in line 2; each id once"),
        (f'{GITHUB}"s3","ADA-L","","C"\n', ":4: the login 'ada-l' is already in line 2; each once"),
        (f'{GITHUB}"s3","S1","","C"\n', ":4: the login 's1' is the id of line 2; each once"),
        ("key,name\n", ": no students in this file"),
        ('key,name\nada,A\nbob,"B\ncy,C\n', f":3: not valid CSV: unexpected end of data; {MARKS}"),
        ('key,name\nada,"A" B\n', f":2: not valid CSV: ',' expected after '\"'; {MARKS}"),
        *((f"id,received\nada,{time}\n", f":2: received {time}: there is no such day or time; {FORM}")
          for time in ("0001-01-01T00:00+01:00", "2026-11-31T23:59Z")),
        ("id,due\nada,tomorrow\n", f":2: due tomorrow: {FORM}"),
        *((f"id,{column}\nada,{cell}\n", f":1: a column '{column.lower()}' is not read: did you mean '{right}'?")
          for column, cell, right in (
              ("deu", "2026-11-27", "due"), ("due_week1", "2026-11-27", "due week1"), ("nmae", "A", "name"),
              ("recieved", "2026-11-27", "received"), ("Due Date", "2026-11-27T23:59Z", "due"), ("Sec", "A", "section"),
          )),
        ("id,name\nada,B, Ada\n", f":2: 3 cells, and the first line names 2 columns; {COMMA}"),
        ("PK\x03\x04", ": no CSV file; save it as CSV (UTF-8) in your spreadsheet program"),
        ("i\0d\0\n\0", ": no CSV file; save it as CSV (UTF-8) in your spreadsheet program"),
        (None, ": no such file"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(text: str | None, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv" if text is None else written(tmp_path, text)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == f"{path}{problem}"
    with pytest.raises(InputError, match="cannot be read: is a directory"):
        read(tmp_path)


def test_a_roster_leads_to_the_students_of_an_export_or_is_refused(tmp_path: Path) -> None:
    students = read(written(tmp_path, GITHUB)).students
    folder = small_class.write_files(tmp_path / "hw-submissions", {"hw-Ada-L/x.py": "x = 1\n"})
    times = read(written(tmp_path, "id,received\nS1,2026-11-22T23:59+01:00\n")).received
    (entry,) = find(folder, "github", students, times).entries()
    assert (entry.student, entry.account) == (students[0], Student("Ada-L"))
    assert entry.received == "2026-11-22T22:59:00Z"
    for who in ("ada lovelace", "S1", "ada-l"):
        assert chosen_files([f"{who}=x.py"], find(folder, "github", students)) == {"s1": "x.py"}
    folder = small_class.write_files(tmp_path / "class", {"ada.py": "x = 1\n", "al.py": "x = 2\n"})
    namesakes = read(written(tmp_path, "id,name\nada,Kim\nal,Kim\n")).students
    with pytest.raises(InputError, match="--file: 2 students with the name 'kim'; choose one by the id"):
        chosen_files(["kim=x.py"], find(folder, roster=namesakes))
    roster = written(tmp_path, "id,name\n4711,Ada\n")
    place = folder, "--store", tmp_path / "class.db", "--roster", roster, "--key", tmp_path / "a.key"
    done = run_here("autograder", "grade-all", *place)
    assert done.stderr.endswith(f"it has none of the students of {tmp_path}/class: ada, al; it has 4711 (Ada)\n")
    assert not (tmp_path / "class.db").exists()
    assert not (tmp_path / "a.key").exists()
    with Store.open(str(tmp_path / "old.db"), create=True) as store:
        store.replace_roster([Student("4711", "Ada")])
    words = "autograder", "grade-all", str(folder), "--store", str(tmp_path / "old.db"), "--allow-unsafe"
    problem = f"the roster of store {tmp_path}/old.db: it has none of the students of {tmp_path}/class: ada, al; it has"
    assert problem in run_here(*words).stderr
    (folder / "assignment.yaml").touch()
    assert f"{folder}: this is the folder of an assignment; expected the" in run_here(*words).stderr
    known = [Student(str(number)) for number in range(8)]
    assert mismatches([], []) == mismatches(known, known) == mismatches([Student("x")], []) == []
    assert mismatches([Student("x"), Student(" 1")], known) == [
        "1 student not in the roster: x",
        "7 students of the roster without a submission: 0, 2, 3, 4, 5 and 2 more",
    ]


def test_an_extension_stays_until_a_roster_gives_another_one(store: Store, tmp_path: Path) -> None:
    """A roster from a platform has no such column. Whose stays is named."""
    late, later = "2026-11-23T12:00:00Z", "2026-11-29T12:00:00Z"
    for text, dues, stays in (
        (f"id,due,due week2\nada,{late},{late}\nbob,,{late}\n", [late, late, late], ""),
        ("id,name\nAda,A\nbob,B\n", [late, late, late], "Ada, bob"),
        (f"id,due,due week2\nada,{later},\nbob,,{later}\n", [later, late, later], "ada"),
        (f"id,due,due week2\nada,{late},{later}\n", [late, later], ""),
    ):
        lines = list(new_roster(store, read(written(tmp_path, text)), "week2"))
        assert [time for each in store.roster() for _, time in each.due] == dues
        named = f"extensions of an earlier roster stay where this one says none: {stays}; to take one back"
        assert any(line.startswith(named) for line in lines) == bool(stays)


def taken_in(store: Store, export: Path, roster: Sequence[Student] = (), file: str = "", layout: str = "") -> str:
    """Adds the submissions of an export to a store as `grade-all` does. Returns what it says about the roster."""
    told = "".join(new_roster(store, Roster(tuple(roster)), "multiagent"))
    take_in(store, loading.load("multiagent"), find(export, layout, roster), {"two": file} if file else {})
    return told


def gradescope(folder: Path, *members: tuple[str, str, str]) -> Path:
    """An export with one submission of a group: the name, number and address of each of its members."""
    rows = "".join(f"  - {{':name': {name}, ':sid': {sid}, ':email': {email}}}\n" for name, sid, email in members)
    metadata = f"submission_1:\n  :created_at: 2026-11-22 10:00:00 Z\n  :submitters:\n{rows}"
    files = {"submission_1/x.py": f"x = {rows!r}\n", "submission_metadata.yml": metadata}
    return small_class.write_files(folder, files)


ADA = ("Ada", "s1", "ada@x.org")


def test_a_roster_replaces_the_one_before(store: Store, tmp_path: Path) -> None:
    """Of a wrong one nothing stays: no student, no name, no section, and no second name of an account."""
    folder = gradescope(tmp_path / "class", ADA)
    wrong = [Student("s1", "Bob", "B"), *(Student(f"w{number}", "W") for number in range(3))]
    due = ("", "2026-11-23T12:00:00Z"), ("week 2", "2026-11-23T12:00:00Z")
    right = [Student("ada@x.org", "Ada L", "A", due), Student("zoe@x.org", "Zoë")]
    store.remember("late multiagent", ("2026-11-24T12:00Z", ""))
    assert "replaces" not in taken_in(store, folder, wrong, layout="gradescope")
    number = store.attempts("multiagent")[0].id
    store.add_adjustment("s1", "multiagent", "q2", 4.0, "an appeal")
    told = "this roster replaces the one before: 2 students, 2 new, 4 not in it any more, 0 with another"
    early = "1 student of the roster with a `due` before that of all, which does not count: ada@x.org (Ada L)"
    text = taken_in(store, folder, right, layout="gradescope")
    assert told in text
    assert early in text
    assert store.students() == right
    assert [(each.id, each.student) for each in store.attempts("multiagent")] == [(number, right[0])]
    assert list(store.adjustments("multiagent")) == ["ada@x.org"]
    assert "replaces" not in taken_in(store, folder, right, layout="gradescope")
    store.add_attempt(Student("dropped", "X"), "multiagent", None, problem="no file")
    assert "2 new, 0 not in it" in taken_in(store, folder, [*wrong[1:3], *right], layout="gradescope")
    dropped = Student("dropped", "X", is_listed=False)
    assert dropped in store.students(), "who handed in stays, as the export names him"
    assert "with an extension, and not in this roster: ada@x.org" in taken_in(store, folder, wrong, layout="gradescope")
    assert next((each.id, each.student) for each in store.attempts("multiagent")) == (number, wrong[0])


@pytest.mark.parametrize("known", [True, False])
def test_a_member_of_a_group_who_types_the_number_of_another_one_gets_nothing_of_theirs(
    store: Store, tmp_path: Path, known: bool
) -> None:
    roster = [Student("s1", "Ada"), Student("e9", "Eve")] if known else []
    taken_in(store, gradescope(tmp_path / "class", ADA, ("Eve", "e9", "eve@x.org")), roster, layout="gradescope")
    store.add_adjustment("s1", "multiagent", "q2", 4.0, "an appeal")
    taken_in(store, gradescope(tmp_path / "class", ADA, ("Eve", "s1", "eve@x.org")), layout="gradescope")
    assert list(store.adjustments("multiagent")) == ["s1" if known else "ada@x.org"]


def test_moodle_has_one_store_for_each_assignment(store: Store, tmp_path: Path) -> None:
    """Its numbers are others in each: a number that is in both would be that of another student."""
    export = find(small_class.write_files(tmp_path, {"A_1_assignsubmission_file/a.py": "x = 1\n"}), "moodle")
    take_in(store, loading.load("multiagent"), export, {})
    store.remember("format multiagent", "moodle")
    check_numbers(store, "multiagent", export)
    problem = "which numbers students anew in each assignment: grade each into a store of its own"
    with pytest.raises(InputError, match=problem):
        check_numbers(store, "week2", export)


def test_an_adjustment_that_takes_points_is_named(store: Store) -> None:
    """As one that was given before there was a result."""
    work = add(store, "ada", card({"q1": [1.0, 1.0], "q2": [1.0]}))
    intake = Intake(tuple(store.attempts("multiagent")), (), (), ())
    fewer = "1 student with fewer points by an adjustment than by the grader: ada in q1"
    for points, lines in ((4.0, []), (3.0, [fewer])):
        store.add_adjustment("ada", "multiagent", "q1", points, "by hand")
        found = lowered(store, intake, "multiagent", {work})
        assert [line.partition(";")[0] for line in found] == lines
    assert lowered(store, intake, "multiagent", set()) == []


def test_the_choice_of_a_file_is_no_attempt(store: Store, tmp_path: Path) -> None:
    """Each choice has its own results; the last one is kept for the same files. A wrong choice is one line."""
    folder = small_class.write_files(
        tmp_path / "class/two", {name: f"x = '{name}'\n" for name in ("a.py", "b.py")}
    ).parent
    kept, works = "", dict[str, int]()
    for file in ("", "b.py", "", "b.py", "a.py", "b.py"):
        taken_in(store, folder, file=file)
        (attempt,) = store.attempts("multiagent")
        kept = file or kept
        assert store.files(attempt.work).requested_file == kept
        assert works.setdefault(kept, attempt.work) == attempt.work
    assert len({*works.values()}) == 3
    with pytest.raises(InputError, match="--file two=zzzz: no such file: known: a.py, b.py"):
        taken_in(store, folder, file="zzzz")
    for option, problem in (
        ("two", "--file two: expected STUDENT=NAME, as in ada=final.py"),
        ("tow=x.py", "--file: no student 'tow': did you mean 'two'?"),
    ):
        with pytest.raises(InputError) as raised:
            chosen_files([option], find(folder))
        assert str(raised.value) == problem
    of_github = find(folder, roster=[Student("Grün, Zoë", also=("two",))])
    assert chosen_files(["two=a.py"], of_github) == {"grün, zoë": "a.py"}
    with pytest.raises(InputError, match="no student 'x': known: Grün, Zoë$"):
        chosen_files(["x=a.py"], of_github)
    (folder / "two" / "c.py").write_text("x = 3\n", encoding="utf-8")
    taken_in(store, folder)
    assert [store.files(each.work).requested_file for each in store.attempts("multiagent")] == ["b.py", ""]


def test_it_is_said_if_earlier_files_are_the_last_ones_again(store: Store, tmp_path: Path) -> None:
    """As with an older export that is given by mistake; also if a roster says the times of receipt."""
    told = "the same files as an earlier attempt: now they are the last one"
    for student, *attempts in (
        ("ada", "1", "2", "1!"),
        ("tom", "", "1", "!"),
        ("eve", "1 T1", "2 T2", "1 T2!", "2 T0"),
    ):
        for each in attempts:
            text, _, received = each.strip("!").partition(" ")
            folder = small_class.write_files(tmp_path / student, {f"{student}.py": f"x = {text}\n" * bool(text)})
            export = find(folder, received={student: received})
            notes = take_in(store, loading.load("multiagent"), export, {}).notes
            assert notes == ((f"{student}: {told}",) if each.endswith("!") else ())


def test_equal_files_are_no_choice() -> None:
    files = SubmissionFiles(dict.fromkeys(("abgabe/my.py", "my (1).py", "my.py"), b"x = 1\n"))
    runner: Any = SimpleNamespace(
        submission=files, parse_files=lambda names, _: [{"names": ["MinimaxAgent"]}] * len(names)
    )
    given = Path("two"), runner, loading.load("multiagent"), submission_api("native")
    assert find_candidate(*given) == "my.py"
    stub = (ROOT / "agents/student.py").read_bytes().replace(b"agents/student.py", b"my.py")
    runner.submission = SubmissionFiles({"my.py": stub, "own.py": stub + b"x = 1\n"})
    assert find_candidate(*given) == "own.py", "who leaves the stub of the kit beside the own file means the other one"
    old = {f"{folder}/tools.py": folder.encode() for folder in ("old", "final")}
    runner.submission = SubmissionFiles({"old/my.py": b"x = 1\n", "final/my.py": b"x = 1\n", **old})
    runner.parse_files = lambda names, _: [{"names": ["MinimaxAgent"] * ("my" in name)} for name in names]
    with pytest.raises(InputError, match=r"\(final/my.py, old/my.py\); name the one to grade"):
        find_candidate(*given)
    parts = {"old/my.py": "better_evaluation", "final/my.py": "betterEvaluation"}
    runner.parse_files = lambda names, _: [{"names": [parts.get(name, "")]} for name in names]
    last = replace(given[2].questions[-1], part="betterEvaluation")
    camel = Path("two"), runner, replace(given[2], questions=(last,)), submission_api("native")
    assert find_candidate(*camel) == "final/my.py", "only a Berkeley-style file may have a name in snake_case"


def test_a_copy_of_the_own_solutions_and_a_zip_that_cannot_be_read_beside_one_that_can_are_named(
    store: Store, tmp_path: Path
) -> None:
    texts = {"ada.py": "x = 1\n" * 3, "copy.py": "  x   = 1\r\n" * 2, "eve/new.zip": "x"}
    folder = small_class.write_files(tmp_path / "class", texts)
    make_zip(folder / "eve/old.zip", {"a.py": "x = 2\n"})
    small_class.write_files(tmp_path, {"solutions.py": "x = 1\nx = 1\n"})
    loaded = replace(loading.load("multiagent"), folder=tmp_path, solutions=tmp_path / "solutions.py")
    intake = take_in(store, loaded, find(folder), {})
    assert intake.copies == (Student("copy"),)
    assert [note.startswith("eve: ignored: eve/new.zip: not a readable archive") for note in intake.notes] == [True]


def points(folder: Path) -> dict[str, tuple[str, str]]:
    """The points of each student, and the number of attempts."""
    done = run_here("autograder", "gradebook", "--store", str(folder / "class.db"), "--out", "-")
    return {row["id"]: (row["points"], row["attempts"]) for row in csv.DictReader(io.StringIO(done.stdout))}


@pytest.mark.slow("that grade a class")
def test_staff_names_a_file_and_helpers_and_a_copy_of_the_answers_is_graded(tmp_path: Path) -> None:
    small_class.write_assignment(tmp_path)
    own = {"two/a": small_class.SUBMISSIONS["deeper"], "two/b": small_class.RIGHT, "copy": SOLUTIONS.read_text("utf-8")}
    own |= {"eve": f"import course_tools\n{small_class.RIGHT}"}
    small_class.write_files(tmp_path / "class", {f"{name}.py": text for name, text in own.items()})
    (tmp_path / "course_tools.py").write_text("x = 1\n", encoding="utf-8")
    place = "--assignment", str(tmp_path / "trees"), "--store", str(tmp_path / "class.db")
    grade_all = "autograder", "grade-all", str(tmp_path / "class"), *place, "--jobs", "1"
    done = run_here(*grade_all)
    several = "several files define parts of the assignment (a.py, b.py); hand in one of them"
    assert f"  two: 0 points: two: {several}" in done.stdout.splitlines()
    copy, choice = done.stdout.splitlines()[-2:]
    assert (done.returncode, copy) == (0, "copy: the same text as the sample answers")
    assert choice == "to choose one of several files of a student: --file STUDENT=NAME"
    assert points(tmp_path) == {"copy": ("10", "1"), "eve": ("0", "1"), "two": ("0", "1")}
    helpers = "--with", str(tmp_path / "course_tools.py")
    assert run_here(*grade_all, *helpers, "--file", "TWO=b.py").returncode == 0
    chosen = {"copy": ("10", "1"), "eve": ("10", "1"), "two": ("10", "1")}
    assert points(tmp_path) == chosen
    assert "3 with a result already" in run_here(*grade_all, *helpers).stderr
    assert points(tmp_path) == chosen, "the choice is remembered"
    regrade = "autograder", "regrade", *place, "--dry-run"
    refused = run_here(*regrade).stderr
    assert refused.endswith("'trees' was graded --with course_tools.py; grade again in this way\n")
    again = run_here(*regrade, *helpers)
    assert (again.returncode, "ran: 0 steps" in again.stdout) == (0, True)
