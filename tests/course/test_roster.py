"""A roster names each student once; what is wrong in it is one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course.intake.roster import Student, mismatches, read
from autograder.course.intake.submissions import find
from pacman.core.errors import InputError
from tests.command_line import run_here

NO_KEY = "no column 'id'; expected the columns id, name, section, or a roster of Canvas, Moodle, Gradescope or GitHub"

QUOTATION_MARKS = "a cell that begins with a quotation mark ends with one, and has two for each one inside"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_columns_may_come_in_any_order(separator: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    lines = [["Name", "email", "KEY", "section"], ["Zoë, the first", "z@x", "zoe", "A"], ["", "", "ada", ""], []]
    text = "\r\n".join(separator.join(f'"{cell}"' for cell in line) for line in lines)
    path.write_text("\ufeff" + text, encoding="utf-8")
    assert read(path).students == (Student("zoe", "Zoë, the first", "A"), Student("ada"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", f":1: {NO_KEY} (known: none)"),
        ("ids,name\na,b\n", f":1: {NO_KEY} (did you mean 'ids'?)"),
        ("key,name\nada,A\n,B\n", ":3: a student without an id; write a login or a number"),
        ("key,name\nAda,A\n\nada ,B\n", ":4: 'ada' is already in line 2; each id once"),
        ("key,name\n", ": no students in this file"),
        ('key,name\nada,A\nbob,"B\ncy,C\n', f":3: not valid CSV: unexpected end of data; {QUOTATION_MARKS}"),
        ('key,name\nada,"A" B\n', f":2: not valid CSV: ',' expected after '\"'; {QUOTATION_MARKS}"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == f"{path}{problem}"


@pytest.mark.parametrize(
    ("content", "students"),
    [
        *(("key;name\r\nzoë;Zoë\r\n".encode(code), [("zoë", "Zoë")]) for code in ("cp1252", "utf-8-sig", "utf-16")),
        *((f'id,name\nada,Ada{end}zoe\nbob,"B\nob"\n'.encode(), None) for end in "\u2028\x85\x0b\x1d"),
    ],
)
def test_the_encodings_of_spreadsheets_and_strange_ends_of_lines(
    content: bytes, students: list[tuple[str, str]] | None, tmp_path: Path
) -> None:
    path = tmp_path / "roster.csv"
    path.write_bytes(content)
    found = [(student.key, student.name) for student in read(path).students]
    assert found == students or [key for key, _ in found] == ["ada", "bob"]


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    for path, problem in ((tmp_path / "none.csv", "no such file"), (tmp_path, "cannot be read: is a directory")):
        with pytest.raises(InputError, match=problem):
            read(path)


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
GITHUB = """\
"identifier","github_username","github_id","name"
"s1","ada-l","123","Ada Lovelace"
"s2","","",""
"""
GRADESCOPE = "First Name,Last Name,SID,Email,Role\nAda,Lovelace,s1,ada@x.org,Student\n"


@pytest.mark.parametrize(
    ("text", "student", "notes"),
    [
        (CANVAS, Student("41", "Lovelace, Ada", "A"), 0),
        (f'{CANVAS}"Student, Test",999,,abc,A,\n', Student("41", "Lovelace, Ada", "A"), 1),
        (MOODLE, Student("1327627", "Ada Lovelace"), 0),
        (GRADESCOPE, Student("ada@x.org", "Ada Lovelace"), 0),
        (f"{GRADESCOPE}Tee,Ay,,ta@x.org,TA\n", Student("ada@x.org", "Ada Lovelace"), 1),
    ],
)
def test_the_rosters_of_platforms(text: str, student: Student, notes: int, tmp_path: Path) -> None:
    """Staff and the test student are left out, with a note."""
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    left_out = "1 line of the roster left out: staff, or the test student of the platform"
    assert (read(path).students, read(path).notes) == ((student,), (left_out,) * notes)


@pytest.mark.parametrize("word", ["Teilnehmer/in ", "Teilnehmer/in", "Teilnehmer*in"])
def test_a_worksheet_of_moodle_is_read_in_any_language(tmp_path: Path, word: str) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(GERMAN.replace("Teilnehmer/in ", word), encoding="utf-8")
    found = read(path)
    assert found.students == (Student("1327627", "Ada Lovelace"), Student("1327628", "Bob Ö"))
    assert found.worksheet == (
        *(word, "ID", "Vollständiger Name", "Bewertung", "Bestwertung", "Zuletzt geändert (Bewertung)"),
        "Feedback als Kommentar",
    )


def test_the_roster_of_a_github_classroom_leads_from_the_login_to_the_student(tmp_path: Path) -> None:
    path = tmp_path / "classroom_roster.csv"
    path.write_text(GITHUB, encoding="utf-8")
    students = read(path).students
    assert students == (Student("s1", "Ada Lovelace", also=("ada-l",)), Student("s2"))
    (tmp_path / "hw-submissions" / "hw-Ada-L").mkdir(parents=True)
    (tmp_path / "hw-submissions" / "hw-Ada-L" / "x.py").write_text("x = 1\n")
    (entry,) = find(tmp_path / "hw-submissions", "github", students).entries()
    assert (entry.student, entry.account) == (students[0], Student("Ada-L"))


def test_a_roster_with_none_of_the_students_is_refused(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada.py").write_text("x = 1\n")
    (tmp_path / "roster.csv").write_text("id,name\n4711,Ada\n")
    place = str(tmp_path / "class"), "--store", str(tmp_path / "class.db"), "--roster", str(tmp_path / "roster.csv")
    done = run_here("autograder", "grade-all", *place)
    assert done.stderr.endswith(f"it has none of the students of {tmp_path}/class: ada; it has 4711 (Ada)\n")
    assert not (tmp_path / "class.db").exists()


def test_the_differences_between_an_export_and_a_roster_are_two_lines() -> None:
    roster = [Student(str(number)) for number in range(8)]
    assert mismatches([], []) == mismatches(roster, roster) == mismatches([Student("x")], []) == []
    assert mismatches([Student("x"), Student(" 1")], roster) == [
        "1 student not in the roster: x",
        "7 students of the roster without a submission: 0, 2, 3, 4, 5 and 2 more",
    ]
