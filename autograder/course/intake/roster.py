"""Reads the list of the students of a class: a CSV file with the columns id, name and section, or of a platform.

`read_table` reads any CSV file of the course staff.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any

from autograder.cases.case import normal
from pacman.core.errors import InputError, counted, nearest, printable, reason_of
from pacman.core.files import near_file, read_bytes

COLUMNS = ("id", "name", "section")
MOST_NAMES = 5
"""How many students a line about a roster names."""
MOODLE_COLUMNS = 8
"""A grading worksheet has at least so many."""
_MONTHS = (
    *("january januar", "february februar", "march märz", "april", "may mai", "june juni", "july juli", "august"),
    *("september", "october oktober", "november", "december dezember"),
)
_EXTENDED = re.compile(r"(?i)(?:extension|verläng|erweiter)(?:.* (?:until|bis):? *([^:]+:\d\d(?: ?[ap]\.? ?m)?))?")
_Line = tuple[int, dict[str, str]]
"""The number of a line, and its cells by column in lower case."""
MAX_BYTES = 10_000_000
"""The largest table: 100,000 students."""


@dataclass(frozen=True)
class Student:
    """One student. The `key` is the name by which a platform knows the student: a login, a number, an address.

    `due` has the student's own due times, each with the name of the assignment in small letters ("" for every one).
    `also` are other names by which a platform knows the student. Who `is_listed` is in the roster, if there is one.
    """

    key: str
    name: str = ""
    section: str = ""
    due: tuple[tuple[str, str], ...] = ()
    also: tuple[str, ...] = ()
    is_listed: bool = True

    @property
    def named(self) -> str:
        """The key with the name beside it, for people."""
        return f"{self.key} ({self.name})" if self.name else self.key

    @property
    def label(self) -> str:
        """The same, marked if the roster has nobody with this key."""
        return self.named if self.is_listed else f"{self.named}, not in the roster"


def compared(key: str) -> str:
    """A key as keys are compared: without upper case and outer spaces, with one spelling of each letter.

    >>> compared(" Zo\\u0065\\u0301 ") == compared("zo\\u00e9")
    True
    """
    return normal(" ".join(key.split())).casefold()


def by_key(students: Iterable[Student]) -> dict[str, Student]:
    """The students by their compared keys, and by their other names where nobody has these as a key."""
    own = tuple(students)
    others = {compared(name): each for each in own for name in each.also}
    return others | {compared(each.key): each for each in own}


def named(students: Iterable[Student], text: str, place: str) -> Student:
    """The student with this key or login, or the only one with this name. InputError, which names the place, else."""
    everybody = {compared(each.key): each for each in students}
    known = by_key(everybody.values())
    same = [each for each in everybody.values() if each.name and compared(each.name) == compared(text)]
    if compared(text) in known or len(same) == 1:
        return known.get(compared(text)) or same[0]
    if same:
        problem = f"{counted(len(same), 'student')} with the name '{text}'; choose one by the id"
        raise InputError(f"{place}: {problem}: {first_names([each.key for each in same])}")
    near = nearest(text, [name for each in everybody.values() for name in (each.key, *each.also)])
    if near.startswith("known:"):
        near = nearest(text, [each.named for each in everybody.values()])
    raise InputError(f"{place}: no student '{text}': {near}")


@dataclass(frozen=True)
class Roster:
    """The students of a file, and lines for the user about what was left out.

    `received` has the times of receipt in UTC of a column with this name, by compared keys: most exports say none.
    `facts` are what a table for the platform needs: of Canvas the `sis` ids by compared keys; of a grading worksheet of
    Moodle, whose language follows the user, the `worksheet` (what stands before the number of a participant, and the
    columns that Moodle reads when it comes back), and as `worksheet maximum` the highest grade, as written.
    """

    students: tuple[Student, ...] = ()
    notes: tuple[str, ...] = ()
    received: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    def after(self, earlier: Iterable[Student]) -> tuple[list[Student], list[str], list[str]]:
        """The students, also with due times that only an earlier roster says.

        Also the keys of those who keep one in this way, and of those who had one and are not in this roster.
        """
        before, students, stay = {compared(each.key): each for each in earlier}, list[Student](), list[str]()
        for each in self.students:
            due = dict(before.pop(compared(each.key), each).due) | dict(each.due)
            students.append(replace(each, due=tuple(sorted(due.items()))))
            stay += [each.key] if len(due) > len(each.due) else []
        return students, stay, [each.key for each in before.values() if each.due]


def read(path: Path, zone: tzinfo | None = None) -> Roster:
    """The students of a CSV file. The first line names the columns; `id` (or `key`) is needed.

    Times of receipt that name no zone are in this one: without it, those of a worksheet of Moodle are not read.

    Also reads the gradebook that Canvas exports (the key is its ID), the grading worksheet of Moodle (the number of the
    participant), and the rosters of Gradescope (the e-mail address) and of a GitHub Classroom (the identifier, with
    the login). Staff and test students of a platform are left out. InputError names the line of the first problem: no
    key, or a key or a login that another line has too.
    """
    header, rows = read_table(path)
    columns = [name.lower() for name in header]
    sheet = _worksheet(header, rows)
    layout = sheet or next((each for each in _LAYOUTS if {each.key, *each.needs} <= set(columns)), None)
    if layout is None:
        known = nearest("id", [printable(name)[:40].lower() for name in header[:20] if name])
        expected = f"{', '.join(COLUMNS)}, or a roster of Canvas, Moodle, Gradescope or GitHub"
        raise InputError(f"{path}:1: no column 'id'; expected the columns {expected} ({known})")
    moodle_notes = _read_worksheet(sheet, rows, zone) if sheet else []
    students, lines, logins, received = dict[str, Student](), dict[str, _Line](), dict[str, int](), dict[str, str]()
    listed = [row for row in rows if not layout.is_other(row[1])]
    for number, cells in listed:
        student = replace(layout.student(cells), due=_due_times(f"{path}:{number}", cells))
        key = compared(student.key)
        if not key and layout.needs:
            continue  # a line about all students, as that with the points that are possible
        if not key:
            raise InputError(f"{path}:{number}: a student without an id; write a login or a number")
        if key in students:
            raise InputError(f"{path}:{number}: '{student.key[:80]}' is already in line {lines[key][0]}; each id once")
        for login in map(compared, student.also):  # the work of one student would count for the other
            if (first := logins.setdefault(login, number)) != number:
                raise InputError(f"{path}:{number}: the login '{login}' is already in line {first}; each once")
        students[key], lines[key] = student, (number, cells)
        if text := cells.get("received"):
            received[key] = utc_text(read_time(f"{path}:{number}: received", text, zone))
    if not students:
        raise InputError(f"{path}: no students in this file")
    for login in logins.keys() & students.keys():
        if logins[login] != lines[login][0]:
            raise InputError(
                f"{path}:{logins[login]}: the login '{login}' is the id of line {lines[login][0]}; each once"
            )
    others = len(rows) - len(listed)
    left_out = f"{counted(others, 'line')} of the roster left out: staff, or the test student of the platform"
    notes = *((left_out,) if others else ()), *_unused(path, columns, rows), *moodle_notes
    facts: dict[str, Any] = {"worksheet": sheet.words, "worksheet maximum": sheet.maximum} if sheet else {}
    if layout.names == ("student",):
        facts["sis"] = {key: [cells.get(name, "") for name in SIS] for key, (_, cells) in lines.items()}
    return Roster(tuple(students.values()), notes, received, facts)


def _read_worksheet(sheet: _Layout, rows: Iterable[_Line], zone: tzinfo | None) -> list[str]:
    """Puts the times of Moodle into our own columns `received` and `due` where these are empty, and says so in lines.

    In English and German, and if their zone is known. Takes out the columns and cells of Moodle that are no due times.
    """
    in_zone, unread, extended, lost, has_due_dates = 0, list[str](), list[str](), list[str](), False
    for _, cells in rows:
        has_due_dates |= _is_time(cells.pop("due date", ""))
        stamp = cells.pop(sheet.times, "")
        cells.pop(sheet.words[5].lower() if sheet.times else "", "")
        if not cells.get("received") and (time := _moodle_time(stamp, zone)):
            cells["received"] = time_text(time)
            in_zone += 1
        elif zone and _is_time(stamp) and not cells.get("received"):
            unread.append(stamp)
        match = _EXTENDED.search(cells.get("status", "")[:1000])  # students type into other columns
        if match and zone:
            time = _moodle_time(match[1] or "", zone)
            cells["status"] = ""
            (extended if time else lost).append(sheet.student(cells).named)
            cells["due"] = cells.get("due") or (time_text(time.astimezone(zone)) if time else "")
    of_column = f"of the column {sheet.times}"
    zoned = f"{counted(in_zone, 'entry')} {of_column} read in the zone of the assignment's due, {zone}"
    odd = f"{counted(len(unread), 'entry')} {of_column} not read: '{''.join(unread[:1])[:40]}'"
    granted = f"{counted(len(extended), 'extension')} of Moodle read in the zone of `due`, {zone}"
    notes = (
        (has_due_dates, "column due date of the worksheet not used; an extension stands in the column due"),
        (extended, f"{granted}: {first_names(extended)}"),
        (lost, f"an extension of Moodle not read; write its time into a column due: {first_names(lost)}"),
        (in_zone, f"{zoned}; if Moodle shows you another one, write due with its offset"),
        (unread, f"{odd}; expected a form as '22 November 2026, 21:10', or the times in a column received"),
    )
    return [note for is_needed, note in notes if is_needed]


def _unused(path: Path, columns: Sequence[str], rows: Iterable[_Line]) -> Iterator[str]:
    """Lines about columns with dates that could be due times under another name, and about names of columns.

    InputError for a column whose name is nearly that of one that is read: the roster would replace the one before
    without this column.
    """
    filled = [(column, text) for _, cells in rows for column, text in cells.items() if text]
    date = r"\d{1,4}([-./])\d{1,2}\1\d{1,4}(?!\d)"
    dates = {column for column, text in filled if re.match(date, text) or _is_time(text)}
    dates |= {column for column, _ in filled if re.search("exten[ds]|verläng|deadline|frist", column)}
    for column in sorted(dates - {"received"}):
        first, rest = [*re.split("[ _-]", column, maxsplit=1), ""][:2]
        near_due = ["due"] if {*first} == {*"due"} else []  # its letters in another order, or one of them twice
        for near in near_due or get_close_matches(first, ("received",), 1, 0.8):
            right = f"{near} {rest}" if near == "due" and rest not in ("", "date", "time") else near
            if column != right:
                raise InputError(f"{path}:1: a column '{printable(column)[:40]}' is not read: did you mean '{right}'?")
    if names := sorted(column for column in dates if not re.match("(due|received)( |$)", column)):
        what = f"not used: {counted(len(names), 'column')} of the roster with dates or extensions: {first_names(names)}"
        yield f"{what}; an extension stands in the column due, a time of receipt in received"
    for near, equal in (("name", _NAMES), ("section", ("section", "sections"))) if "id" in columns else ():
        close = get_close_matches(near, columns, 1, 0.7)
        close += [each for each in columns if near == "section" and re.match("sect?$", each)]
        if close and not {*columns} & {*equal}:
            problem = f"a column '{printable(close[0])[:40]}' is not read: did you mean '{near}'?"
            raise InputError(f"{path}:1: {problem}")


@dataclass(frozen=True)
class _Layout:
    """The columns of a roster, in lower case. A roster has this layout if it has the `key` and what it `needs`.

    Of a grading worksheet of Moodle also its `words`, its column with `times` of receipt, and the highest grade.
    """

    key: str
    names: tuple[str, ...]
    section: str = "section"
    needs: tuple[str, ...] = ()
    login: str = ""
    words: tuple[str, ...] = ()
    times: str = ""
    maximum: str = ""

    def student(self, cells: Mapping[str, str]) -> Student:
        """The student of a line."""
        names = " ".join(filter(None, (cells.get(name) for name in self.names)))
        section, login = cells.get(self.section, "") or cells.get("sections", ""), cells.get(self.login, "")
        key = cells.get(self.key, "")
        if self.words or self.needs == PARTICIPANT[1:]:  # Moodle writes a word before the number
            key = re.sub(r"^[^0-9]+(?=[0-9]+$)", "", key)
        return Student(key, names, section, also=(login,) if login else ())

    def is_other(self, cells: Mapping[str, str]) -> bool:
        """True for a line of a platform about staff, or about its test student."""
        is_test = self.names == ("student",) and cells.get("student") == "Student, Test"
        is_staff = "sid" in self.needs and cells.get("role", "").casefold() not in ("", "student")
        return is_test or is_staff


PARTICIPANT = ("identifier", "full name")
SIS = ("sis user id", "sis login id")
_NAMES = ("first name", "last name", "full name", "name")
_LAYOUTS = (
    _Layout("key", _NAMES),
    _Layout("id", ("student",), needs=("student", "sis login id")),  # Canvas
    _Layout(PARTICIPANT[0], PARTICIPANT[1:], "", PARTICIPANT[1:]),  # Moodle
    _Layout("identifier", ("name",), "", ("github_username",), "github_username"),
    _Layout("id", _NAMES),
    _Layout("email", _NAMES, needs=("sid",)),  # Gradescope
)


def _worksheet(header: Sequence[str], rows: Sequence[_Line]) -> _Layout | None:
    """The grading worksheet of Moodle, in any language, that this table is; None if it is none.

    Moodle writes the participant (a word and a number), the name, some columns, the grade, the maximum grade (the same
    number in each line), some columns with the time of receipt, the time of the grade (these two times with the same
    word), and last the comment, if the assignment has comments.
    """
    of_staff = re.compile("(due|received)( |$)|sections?$")
    header = [name for name in header if name and not of_staff.match(name.lower())]
    table = [[cells[name.lower()] for name in header if name.lower() in cells] for _, cells in rows]
    word = r"(\D+\s)[0-9]+" if {"id", "name"} <= {*map(str.lower, header)} else r"(\D+)[0-9]+"
    matches = [re.fullmatch(word, line[0]) for line in table if line]
    words = {match[1] if match else "" for match in matches}
    if len(words) != 1 or "" in words or len(header) < MOODLE_COLUMNS or min(map(len, table)) < len(header):
        return None
    most = [place for place in range(2, len(header)) if re.fullmatch(r"[0-9]+(?:[.,][0-9]+)?", table[0][place])]
    same = [place for place in most if len({line[place] for line in table}) == 1 and place + 2 < len(header)]
    maximum = same[-1] if same else len(header) - 3
    begins = [name.partition("(")[:2] for name in header]
    alike = [place for place, (one, other) in enumerate(pairwise(begins), 1) if one == other and one[1]]
    last = max(alike, default=len(header) - 2)
    between = range(min(last - 1, maximum + 1), last)
    times = next((header[place].lower() for place in between if any(_is_time(line[place]) for line in table)), "")
    names = (header[place] for place in (0, 1, maximum - 1, maximum, last))
    is_named = len({line[1] for line in table}) > len(table) / 2  # else the assignment is anonymous
    own = (words.pop(), *names, "".join(header[last + 1 :][:1]))
    key, name = own[1].lower(), own[2].lower()
    return _Layout(key, (name,) if is_named else (), needs=(name,), words=own, times=times, maximum=table[0][maximum])


def _is_time(text: str) -> bool:
    return bool(re.search(r"\d\d\D.*\d:\d\d", text))


def _moodle_time(text: str, zone: tzinfo | None) -> datetime | None:
    """A time as a worksheet of Moodle has it in English or German; None if it is none, or without a zone.

    >>> for text in ("Dienstag, 3. März 2026, 05:59", "24 November 2026, 12:05 a.m.", "24 November 2026, 11:05 GMT"):
    ...     print(_moodle_time(text, UTC))
    2026-03-03 05:59:00+00:00
    2026-11-24 00:05:00+00:00
    None
    """
    words = re.findall(r"\w+", re.sub(r"\b([ap])\. ?m\b\.?", r"\1m", text.casefold()))
    months = [number for number, names in enumerate(_MONTHS, 1) if {*names.split()} & {*words}]
    numbers = [word for word in words if word.isdecimal()]
    if zone is None or len(months) != 1 or len(numbers) != 4:
        return None
    last = words[-1]
    with suppress(ValueError, OverflowError):
        day, year, hour, minute = map(int, numbers)
        if last in ("am", "pm"):
            hour = hour % 12 + 12 * (last == "pm")
        elif last != numbers[-1] and last != "uhr":
            return None
        return datetime(year, months[0], day, hour, minute, tzinfo=zone).astimezone(UTC)
    return None


def _due_times(place: str, cells: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What the columns `due` and `due ASSIGNMENT` of a line say. InputError for what is no time with its zone."""
    return tuple(
        (column.removeprefix("due").strip(), time_text(read_time(f"{place}: {column}", text)))
        for column, text in cells.items()
        if text and re.match("due( |$)", column)
    )


def read_time(option: str, text: str, zone: tzinfo | None = None) -> datetime:
    """A time with its zone, or in this one. InputError for anything else."""
    time = parsed_time(text, zone)
    if time is None:
        is_complete = re.fullmatch(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)", text.strip())
        problem = "there is no such day or time; " if is_complete else ""
        form = "expected a time with its zone, as in 2026-11-22T23:59+01:00 or 2026-11-22T23:59Z"
        raise InputError(f"{option} {text}: {problem}{form}")
    return time


def time_text(time: datetime) -> str:
    """A time in the zone in which it was written.

    >>> [time_text(read_time("due", text)) for text in ("2026-11-22T23:59+01:00", "2026-11-22 23:59Z")]
    ['2026-11-22T23:59:00+01:00', '2026-11-22T23:59:00Z']
    """
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


def utc_text(time: datetime) -> str:
    """A time in UTC."""
    return time_text(time.astimezone(UTC))


def parsed_time(text: str, zone: tzinfo | None = UTC) -> datetime | None:
    """The time that a text is, in this zone if it names none; None if there is no zone, or UTC has no such time."""
    with suppress(ValueError, OverflowError):
        time = datetime.fromisoformat(text.strip())
        if own := time.tzinfo or zone:
            time = time.replace(tzinfo=own)
            time.astimezone(UTC)
            return time
    return None


def mismatches(students: Iterable[Student], roster: Iterable[Student]) -> list[str]:
    """The differences between the students of an export and a roster: one line for each kind; none without a roster."""
    own = {compared(student.key): student.named for student in students}
    known = {compared(student.key): student.label for student in roster}
    unknown = [own[key] for key in sorted(own.keys() - known.keys()) if known]
    missing = [known[key] for key in sorted(known.keys() - own.keys())]
    kinds = (unknown, "not in the roster"), (missing, "of the roster without a submission")
    return [f"{counted(len(those), 'student')} {what}: {first_names(those)}" for those, what in kinds if those]


def first_names(keys: Sequence[str]) -> str:
    """The first five keys, and how many more there are."""
    more = f" and {len(keys) - MOST_NAMES} more" if len(keys) > MOST_NAMES else ""
    return ", ".join(printable(key)[:80] for key in keys[:MOST_NAMES]) + more


def read_table(path: Path, content: bytes | None = None) -> tuple[list[str], list[_Line]]:
    """The names of the columns, and each line that is not empty: its number, and its cells by column in lower case.

    Spreadsheets and platforms write CSV with several encodings and separators. With the `content` of the file, does not
    read it. InputError if the file cannot be read.
    """
    try:
        content = read_bytes(path, MAX_BYTES) if content is None else content
    except FileNotFoundError:
        raise InputError(f"{path}: no such file{near_file(path)}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {reason_of(error)}") from None
    if content[:4] == b"PK\x03\x04" or (b"\0" in content and content[:2] not in (b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{path}: no CSV file; save it as CSV (UTF-8) in your spreadsheet program")
    try:
        text = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:  # as older versions of Windows write it
        text = content.decode("cp1252", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    separator = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begin, lines = 1, list[_Line]()
    try:
        header = [cell.strip() for cell in next(rows, [])]
        begin = rows.line_num + 1
        for row in rows:
            begin = rows.line_num + 1
            columns = (cell.lower() for cell in header)
            cells = dict(zip(columns, (printable(cell).strip() for cell in row), strict=False))
            cells.pop("", None)
            if any(cell.strip() for cell in row[len(header) :]):
                problem = f"{len(row)} cells, and the first line names {counted(len(header), 'column')}"
                raise InputError(f"{path}:{rows.line_num}: {problem}; put a cell with a comma into quotation marks")
            if any(cells.values()):
                lines.append((rows.line_num, cells))
    except csv.Error as error:
        marks = "a cell that begins with a quotation mark ends with one, and has two for each one inside"
        raise InputError(f"{path}:{begin}: not valid CSV: {error}; {marks}") from None
    return header, lines
