"""The layouts in which platforms export submissions: which files belong to which student.

gradescope   submission_123/..., with the names of the students in submission_metadata.yml
canvas       lovelaceada_41_977_solution.py, lovelaceada_LATE_41_977_solution.py, lovelaceada_41_text.html
moodle       Ada Lovelace_1327627_assignsubmission_file/... (of an older Moodle: ..._file_/...)
github       ASSIGNMENT-LOGIN/...: the folder of a GitHub Classroom
plain        ada.py, ada.zip or ada/...: a file, a zip or a folder for each student
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain

from autograder.course.intake.archive import Tree, by_top, file_content
from autograder.sandbox.submission_files import ARCHIVES
from pacman.core.errors import InputError, printable

MAX_METADATA = 200_000_000
METADATA = "submission_metadata.yml"
_MOODLE_FOLDER = re.compile(r"(?P<name>.+)_(?P<id>[0-9]+)_assignsubmission_(?:file|onlinetext)_?")
_MOODLE_FILE = re.compile(r"_(?P<id>[0-9]+)_assignsubmission_(?:file|onlinetext)(?=_.)")
_CANVAS = re.compile(r"(?:_LATE)?_(?P<id>[0-9]+)_(?=[0-9]+_.|(?:text|link)\.html$)")
_CANVAS_FILE = re.compile(r"[0-9]+_(?P<file>.+)|(?P<text>text|link)\.html")
_ATTEMPT = re.compile(r"(?P<base>.+?)-(?P<number>\d{1,3})(?P<ending>\.[^.]+)")
_NOT_READ = {
    "Blackboard": re.compile(r".+_attempt_20\d\d(?:-\d\d){5}(?:_.+|\.txt)"),
    "Brightspace": re.compile(r"\d+-\d+ - .+ - .+"),
}
_GRADESCOPE = re.compile(r"submission_\d+")
_GRADESCOPE_EXPORT = re.compile(r"assignment_\d+_export")


@dataclass(frozen=True)
class Found:
    """A submission that was found and is not read yet. `members` are its files: the name inside it, and in the export.

    `keys` are names of the student that the platform wrote, and the student did not type: the first one is that of the
    account, and a roster may know the student by each of them. Of several submissions of an account, the one that was
    `received` last counts. With a `failure`, nobody can say whose it is.
    """

    keys: tuple[str, ...]
    source: str
    members: tuple[tuple[str, str], ...]
    name: str = ""
    received: str = ""
    failure: str = ""


@dataclass(frozen=True)
class _Reading:
    """One way to read the name of a file: a student types the name before the number, and the name of the file."""

    name: str
    id: str
    file: str


def _moodle_readings(top: str, is_file: bool) -> list[_Reading]:
    """The ways to read the name of a file or folder as one of Moodle. A folder has one: its number stands at the end.

    >>> [each.id for each in _moodle_readings("A_1_assignsubmission_file_B_2_assignsubmission_file_x.py", is_file=True)]
    ['1', '2']
    """
    if not is_file:
        match = _MOODLE_FOLDER.fullmatch(top)
        return [_Reading(match["name"], match["id"], "")] if match else []
    found = (match for match in _MOODLE_FILE.finditer(top) if match.start())
    return _one_for_each_id(_Reading(top[: each.start()], each["id"], top[each.end() + 1 :]) for each in found)


def _canvas_readings(top: str) -> list[_Reading]:
    """The ways to read the name of a file as one of Canvas.

    >>> [(each.name, each.id) for each in _canvas_readings("lovelaceada_LATE_41_977_2_search.py")]
    [('lovelaceada', '41'), ('lovelaceada_LATE_41', '977')]
    """
    found, start = [], 1
    while match := _CANVAS.search(top, start):
        file = _CANVAS_FILE.fullmatch(top, match.end())
        assert file
        found.append(_Reading(top[: match.start()], match["id"], file["file"] or f"{file['text']}.html"))
        start = match.end() - 1
    return _one_for_each_id(found)


def _one_for_each_id(readings: Iterable[_Reading]) -> list[_Reading]:
    """The first reading with each number."""
    return list({each.id: each for each in reversed(list(readings))}.values())[::-1]


def _unclear(top: str, readings: Sequence[_Reading], advice: str) -> Found:
    """A file that may be of several students, so that nobody can say whose it is."""
    numbers = " or ".join(each.id for each in readings[:3])
    return Found((top,), top, (), failure=f"this name can be that of a file of student {numbers}; {advice}")


def without_folder(tree: Tree, format_name: str) -> Tree | None:
    """The files in the only folder of an export, if that folder is the export and not a submission.

    InputError if only the files in it say so: one student may have handed them in.
    """
    top, *others = by_top(tree)
    if others or {top, f"{top}/"} & {*tree.names, *tree.closed} or _moodle_readings(top, is_file=False):
        return None
    is_classroom, inside = top.endswith("-submissions"), tree.inside(top)
    if format_name == "github" or tree.path.name.endswith("-submissions"):
        return inside if is_classroom else None
    if is_classroom or tree.path.stem == top or _GRADESCOPE_EXPORT.fullmatch(top):
        return inside
    is_export = METADATA in inside.names or _named_by("moodle", inside) or _named_by("canvas", inside)
    if format_name == "plain" or not is_export:
        return None
    if not format_name:
        raise InputError(
            f"{tree.path}: the only folder in it, '{printable(top)[:80]}', can be an export or the submission of one "
            "student; name that folder, or add --export-format"
        )
    return inside


def _named_by(format_name: str, tree: Tree) -> set[str]:
    """The files and folders at the top that have a name as this platform writes it."""
    return {top for top, files in by_top(tree).items() if FORMATS[format_name].names(top, files)}


def recognise(tree: Tree) -> str:
    """The name of the format. InputError if there are traces of two formats.

    A student chooses the end of the name of a file, which may look like that of another platform: so the format is the
    one in which all names can be read that can be read in any. InputError too for a platform that is not read.
    """
    if METADATA in tree.names:
        return "gradescope"
    tops = by_top(tree)
    named = {name: own for name in FORMATS if (own := _named_by(name, tree))}
    if not named:
        for platform, pattern in _NOT_READ.items():
            if 2 * sum(bool(pattern.fullmatch(top)) for top in tops) >= len(tops):
                raise InputError(
                    f"{tree.path}: this looks like a download of {platform}; only {', '.join(FORMATS)} are read; make "
                    "a folder for each student, named by the id of the student, and move the files there"
                )
        prefix = tree.path.name.removesuffix("submissions")  # ends with the hyphen
        is_classroom = prefix != tree.path.name and 2 * sum(top.startswith(prefix) for top in tops) >= len(tops)
        return "github" if is_classroom else "plain"
    every = set().union(*named.values())
    likely = [name for name, own in named.items() if own == every]
    if len(likely) != 1 or 2 * len(every) < len(tops):
        seen = ", ".join(f"{len(own)} as {name} writes them" for name, own in named.items())
        raise InputError(
            f"{tree.path}: {len(tops)} files and folders, {seen}; separate them, or name the format with "
            "--export-format"
        )
    return likely[0]


# The formats. Each gives what it found, the names of the files that belong to nobody, and notes for the user.

_Finding = tuple[list[Found], list[str], list[str]]
_Known = Callable[[str], bool]
"""True for a key that the roster has."""


def _gradescope(tree: Tree, is_known: _Known) -> _Finding:
    """Folders submission_N. The metadata name the students of each, who may be several, and the time of receipt."""
    from autograder.cases.yaml_file import plain_yaml

    tops, strays, found = by_top(tree), [], []
    if METADATA not in tops:
        raise InputError(f"{tree.path}: no file {METADATA}; expected it beside the folders submission_N")
    place = tree.path / METADATA
    content = file_content(tree, METADATA, MAX_METADATA)
    if len(content) > MAX_METADATA:
        raise InputError(f"{place}: the file is too large; expected at most {MAX_METADATA:,} bytes")
    metadata = plain_yaml(content, place)
    if not isinstance(metadata, dict):
        raise InputError(f"{place}: expected a mapping from the folders submission_N to their students")
    for top, files in tops.items():
        about = metadata.get(top)
        if top == METADATA:
            continue
        people = _submitters(about)
        if not people and not _GRADESCOPE.fullmatch(top):
            strays.append(top)
            continue
        members = tuple((name.partition("/")[2] or name, name) for name in files)
        received = _utc(about.get(":created_at")) if isinstance(about, dict) else ""
        by_account = {_gradescope_keys(person, top): person for person in people or [{}]}
        found += [Found(keys, top, members, _word(each.get(":name")), received) for keys, each in by_account.items()]
    for name, about in metadata.items():
        if isinstance(name, str) and name not in tops and _GRADESCOPE.fullmatch(name):
            keys = [_gradescope_keys(person, name) for person in _submitters(about) or [{}]]
            found += [Found(each, name, (), failure="its folder is not in the export") for each in keys]
    return found, strays, []


def _submitters(about: object) -> list[dict[object, object]]:
    """The students of a submission: one, or a group."""
    submitters = about.get(":submitters") if isinstance(about, dict) else None
    return [each for each in submitters if isinstance(each, dict)] if isinstance(submitters, list) else []


def _gradescope_keys(person: Mapping[object, object], name: str) -> tuple[str, ...]:
    """The e-mail address of an account and the student's number, or else the name of the folder.

    Never the name that is shown: a student types it. A student can also type a number, but not one like an address.
    """
    email, number = _word(person.get(":email")), _word(person.get(":sid"))
    return tuple(key for key in (email, number if "@" not in number else "") if key) or (name,)


def _canvas(tree: Tree, is_known: _Known) -> _Finding:
    """Files NAME_ID_NUMBER_FILE. All files of one student are one submission; of two attempts the later one counts.

    A text or a link that a student handed in is a file NAME_ID_text.html or NAME_ID_link.html. If a name can be read in
    two ways, the roster decides.
    """
    tops = by_top(tree)
    named = {top: readings for top, files in tops.items() if files == [top] and (readings := _canvas_readings(top))}
    names, attempts = dict[str, str](), dict[str, dict[str, tuple[int, str]]]()
    notes, unclear = list[str](), list[Found]()
    for top, readings in sorted(named.items(), key=lambda each: len(each[1]) > 1):  # first those with one reading
        known = [each for each in readings if len(readings) == 1 or is_known(each.id)]
        reading = known[0] if len(known) == 1 else None
        if reading is None or names.setdefault(reading.id, reading.name) != reading.name:
            if len(readings) == 1:
                first, second = printable(names[readings[0].id]), printable(readings[0].name)
                raise InputError(
                    f"{tree.path}: '{first}' and '{second}' have the same number {readings[0].id}; "
                    "Canvas writes NAME_ID_NUMBER_FILE; if this is no export of Canvas, use --export-format plain"
                )
            choices = readings if reading else known or readings
            unclear.append(_unclear(top, choices, _canvas_advice(choices, names, bool(known))))
            continue
        own = attempts.setdefault(reading.id, {})
        again = _ATTEMPT.fullmatch(reading.file)
        base, attempt = (again["base"] + again["ending"], int(again["number"])) if again else (reading.file, 0)
        earlier, later = sorted([own.get(base, (-1, "")), (attempt, top)])
        if base in own:
            notes.append(f"'{later[1]}' counts, and not the earlier attempt '{earlier[1]}'")
        own[base] = later
    found = []
    for number, own in attempts.items():
        members = tuple((base, top) for base, (_, top) in sorted(own.items()))
        found.append(Found((number,), " and ".join(sorted(top for _, top in members)), members, names[number]))
    return found + unclear, [top for top in tops if top not in named], notes


def _canvas_advice(readings: Sequence[_Reading], names: Mapping[str, str], has_roster: bool) -> str:
    """What decides between the readings of a name: a roster, unless it has several of them, or a name with one number.

    `names` are those that other files have for a number.

    >>> _canvas_advice(_canvas_readings("bob_42_43_979_x.py"), {}, has_roster=True)
    'unpack the export, and rename it to bob_42_1_979-x.py if it is of 42, to bob42_43_1_x.py if it is of 43'
    """
    choices = []
    for each in readings[:3]:
        name, file = names.get(each.id, each.name.replace("_", "")), re.sub("([0-9]+)_", r"\1-", each.file)
        choices.append(f"to {name}_{each.id}_1_{file} if it is of {each.id}")
    roster = "" if has_roster else "give a --roster with the numbers of Canvas, or "
    return f"{roster}unpack the export, and rename it {', '.join(choices)}"


def _moodle(tree: Tree, is_known: _Known) -> _Finding:
    """Folders (or files) NAME_NUMBER_assignsubmission_file. All with one number are one submission."""
    strays, unclear = list[str](), list[Found]()
    people: dict[str, list[tuple[str, str, list[tuple[str, str]]]]] = {}
    for top, files in by_top(tree).items():
        readings = _moodle_readings(top, files == [top])
        if len(readings) > 1:
            unclear.append(_unclear(top, readings, "rename the file, or export the submissions in folders"))
        for each in readings if len(readings) == 1 else ():
            members = [(each.file if files == [top] else name.partition("/")[2], name) for name in files]
            people.setdefault(each.id, []).append((top, each.name, members))
        if not readings:
            strays.append(top)
    found = []
    for number, parts in people.items():
        tops, names, members_of_parts = zip(*parts, strict=True)
        found.append(Found((number,), " and ".join(tops), tuple(chain(*members_of_parts)), names[0]))
    return found + unclear, strays, []


def _github(tree: Tree, is_known: _Known) -> _Finding:
    """Folders ASSIGNMENT-LOGIN. The folder around them says what the assignment is: ASSIGNMENT-submissions.

    In another folder, the assignment is what all names have in common up to a hyphen. InputError if that can be read
    in two ways, because a login may have hyphens too.
    """
    folders = {top: files for top, files in by_top(tree).items() if files != [top]}
    prefix = tree.path.name.removesuffix("submissions")
    if prefix == tree.path.name:
        prefix = _common_start(list(folders)).rpartition("-")[0] + "-" if len(folders) > 1 else ""
        if prefix.count("-") > 1:
            raise InputError(
                f"{tree.path}: the assignment may be '{printable(prefix[:-1])}' or a part of it; "
                "expected a folder with the name ASSIGNMENT-submissions around the folders ASSIGNMENT-LOGIN"
            )
    found = [
        Found((top.removeprefix(prefix),), top, tuple((name.partition("/")[2], name) for name in files))
        for top, files in folders.items()
        if top.startswith(prefix) and top != prefix
    ]
    used = {each.source for each in found}
    return found, [top for top in by_top(tree) if top not in used], []


def _common_start(names: list[str]) -> str:
    """The longest text with which all names begin."""
    first, last = min(names), max(names)
    return next((first[:length] for length, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), first)


def _plain(tree: Tree, is_known: _Known) -> _Finding:
    """A Python file, a zip or a folder for each student, named after the student."""
    found, strays = [], []
    for top, files in by_top(tree).items():
        if files != [top]:
            found.append(Found((top,), top, tuple((name.partition("/")[2], name) for name in files)))
        elif ending := next((each for each in (".py", *ARCHIVES) if top.endswith(each) and top != each), ""):
            found.append(Found((top.removesuffix(ending),), top, ((top, top),)))
        else:
            strays.append(top)
    return found, strays, []


def _has_no_names(top: str, files: Sequence[str]) -> bool:
    """False: a layout whose names nobody can recognise."""
    return False


@dataclass(frozen=True)
class Format:
    """One layout: what finds the submissions in it, what a message says it expects, and which names only it has.

    `names` is true for a file or folder at the top, with its files, that has a name as this platform writes it.
    The layout of an export is the one in which all names can be read that can be read in any. Without `names`, a layout
    is recognised by the folder around it, or must be named.
    """

    find: Callable[[Tree, _Known], _Finding]
    expected: str
    names: Callable[[str, Sequence[str]], bool] = _has_no_names


FORMATS: Mapping[str, Format] = {
    "gradescope": Format(
        _gradescope,
        f"folders submission_N and the file {METADATA}",
        lambda top, files: bool(_GRADESCOPE.fullmatch(top)),
    ),
    "moodle": Format(
        _moodle,
        "folders NAME_NUMBER_assignsubmission_file",
        lambda top, files: bool(_moodle_readings(top, files == [top])),
    ),
    "canvas": Format(
        _canvas, "files NAME_ID_NUMBER_FILE", lambda top, files: files == [top] and bool(_canvas_readings(top))
    ),
    "github": Format(_github, "folders ASSIGNMENT-LOGIN"),
    "plain": Format(_plain, "a Python file, a zip or a folder for each student"),
}
"""Each layout by its name. The recognition, the shell, the messages and the tests read this table."""


def _word(value: object) -> str:
    """A value of the metadata as a line of text; empty if there is none."""
    return "" if value is None else printable(str(value)).strip()


def _utc(value: object) -> str:
    """A time such as 2026-11-01 10:00:00.25 Z or 2026-11-01T10:00:00+01:00 in UTC; empty if it is none.

    >>> _utc("2026-11-01 10:00:00.250000000 Z"), _utc("2026-11-01T10:00:00+01:00"), _utc("soon")
    ('2026-11-01T10:00:00Z', '2026-11-01T09:00:00Z', '')
    """
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|[+-]\d\d:?\d\d)?", str(value))
    if not match:
        return ""
    try:
        time = datetime.fromisoformat(f"{match[1]}T{match[2]}{match[3] or 'Z'}")
        return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return ""
