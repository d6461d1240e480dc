"""The layouts in which platforms export submissions: which files belong to which student.

gradescope   submission_123/..., with the names of the students in submission_metadata.yml
canvas       lovelaceada_41_977_solution.py, lovelaceada_LATE_41_977_solution.py, lovelaceada_41_text.html
moodle       Ada Lovelace_1327627_assignsubmission_file/... (of an older Moodle: ..._file_/...)
github       ASSIGNMENT-LOGIN/...: the folder of a GitHub Classroom
plain        ada.py, ada.zip or ada/...: a file, an archive or a folder for each student
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from autograder.cases.yaml_file import plain_yaml
from autograder.course.intake.export_tree import Below, Tree, by_top, open_file
from autograder.sandbox.submission_files import ARCHIVES
from pacman.core.errors import InputError, printable

MAX_METADATA = 200_000_000
METADATA = "submission_metadata.yml"
_MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)(?:_(?P<file>.*))?")
_CANVAS = re.compile(r"(?P<name>.+?)(?:_LATE)?_(?P<id>\d+)_(?:\d+_(?P<file>.+)|(?P<text>text|link)\.html)")
_ATTEMPT = re.compile(r"(?P<base>.+?)-(?P<number>\d{1,3})(?P<ending>\.[^.]+)")
_GRADESCOPE = re.compile(r"submission_\d+")


@dataclass(frozen=True)
class Found:
    """A submission that was found and is not read yet. `keys` are the names under which a roster may know the student.

    `members` are its files: the name inside the submission, and the name in the export. Of several with the same key
    and different times, the latest counts.
    """

    keys: tuple[str, ...]
    source: str
    members: tuple[tuple[str, str], ...]
    name: str = ""
    received: str = ""


def without_folder(tree: Tree, format_name: str) -> Tree | None:
    """The files in the only folder of an export, if that folder is the export and not a submission."""
    top = tree.names[0].partition("/")[0]
    inside = [name.partition("/")[2] for name in tree.names]
    if not all(inside):
        return None
    below = Below(tree.path / top, inside, tree)
    names = {name.partition("/")[0] for name in inside}
    is_export = METADATA in names or top.endswith("-submissions") or any(_MOODLE.fullmatch(each) for each in names)
    is_export = is_export or any(_CANVAS.fullmatch(each) for each in names)
    if _MOODLE.fullmatch(top) or (format_name == "github" and not top.endswith("-submissions")):
        return None
    return below if is_export or tree.path.stem == top else None


def recognise(tree: Tree) -> str:
    """The name of the format. InputError if there are traces of two formats."""
    if METADATA in tree.names:
        return "gradescope"
    tops = by_top(tree)
    counts = {
        "gradescope": sum(bool(_GRADESCOPE.fullmatch(top)) for top in tops),
        "moodle": sum(bool(_MOODLE.fullmatch(top)) for top in tops),
        "canvas": sum(bool(_CANVAS.fullmatch(top)) and files == [top] for top, files in tops.items()),
    }
    likely = [name for name, count in counts.items() if count]
    if not likely:
        prefix = tree.path.name.removesuffix("submissions")  # ends with the hyphen
        is_classroom = prefix != tree.path.name and 2 * sum(top.startswith(prefix) for top in tops) >= len(tops)
        return "github" if is_classroom else "plain"
    if len(likely) > 1 or 2 * counts[likely[0]] < len(tops):
        seen = ", ".join(f"{counts[name]} as {name} writes them" for name in likely)
        raise InputError(
            f"{tree.path}: {len(tops)} files and folders, {seen}; separate them, or name the format with "
            "--export-format"
        )
    return likely[0]


# The formats. Each gives what it found, the names of the files that belong to nobody, and notes for the user.

_Finding = tuple[list[Found], list[str], list[str]]


def _gradescope(tree: Tree) -> _Finding:
    """Folders submission_N. The metadata name the students of each, who may be several, and the time of receipt."""
    tops, strays, found = by_top(tree), [], []
    if METADATA not in tops:
        raise InputError(f"{tree.path}: no file {METADATA}; expected it beside the folders submission_N")
    place = tree.path / METADATA
    with open_file(tree, METADATA) as file:
        content = file.read(MAX_METADATA + 1)
    if len(content) > MAX_METADATA:
        raise InputError(f"{place}: the file is too large; expected at most {MAX_METADATA:,} bytes")
    metadata = plain_yaml(content, place)
    if not isinstance(metadata, dict):
        raise InputError(f"{place}: expected a mapping from the folders submission_N to their students")
    for top, files in tops.items():
        about = metadata.get(top)
        if top == METADATA:
            continue
        submitters = about.get(":submitters") if isinstance(about, dict) else None
        people = [each for each in submitters if isinstance(each, dict)] if isinstance(submitters, list) else []
        if not people and not _GRADESCOPE.fullmatch(top):
            strays.append(top)
            continue
        members = tuple((name.partition("/")[2] or name, name) for name in files)
        received = _utc(about.get(":created_at")) if isinstance(about, dict) else ""
        for person in people or [{}]:
            values = (_word(person.get(f":{key}")) for key in ("email", "sid", "name"))
            keys = tuple(value for value in values if value) or (top,)
            found.append(Found(keys, top, members, _word(person.get(":name")), received))
    missing = [name for name in map(str, metadata) if name not in tops]
    found += [
        Found(_gradescope_keys(metadata[name], name), name, ())
        for name in missing
        if name in metadata and _GRADESCOPE.fullmatch(name)
    ]
    return found, strays, []


def _gradescope_keys(about: object, name: str) -> tuple[str, ...]:
    """The keys of the first student of a submission whose folder is missing."""
    submitters = about.get(":submitters") if isinstance(about, dict) else None
    first = submitters[0] if isinstance(submitters, list) and submitters and isinstance(submitters[0], dict) else {}
    return tuple(value for key in ("email", "sid", "name") if (value := _word(first.get(f":{key}")))) or (name,)


def _canvas(tree: Tree) -> _Finding:
    """Files NAME_ID_NUMBER_FILE. All files of one student are one submission; of two attempts the later one counts.

    A text or a link that a student handed in is a file NAME_ID_text.html or NAME_ID_link.html.
    """
    strays, notes = [], []
    people: dict[str, tuple[str, dict[str, tuple[int, str]]]] = {}
    for top, files in by_top(tree).items():
        match = _CANVAS.fullmatch(top)
        if not match or files != [top]:
            strays.append(top)
            continue
        person, own = people.setdefault(match["id"], (match["name"], {}))
        if person != match["name"]:
            names = f"'{printable(person)}' and '{printable(match['name'])}'"
            raise InputError(
                f"{tree.path}: {names} have the same number {match['id']}; "
                "Canvas writes NAME_ID_NUMBER_FILE; if this is no export of Canvas, use --export-format plain"
            )
        name = match["file"] or f"{match['text']}.html"
        again = _ATTEMPT.fullmatch(name)
        base, attempt = (again["base"] + again["ending"], int(again["number"])) if again else (name, 0)
        if base in own:
            earlier, later = sorted([own[base], (attempt, top)])
            notes.append(f"'{later[1]}' counts, and not the earlier attempt '{earlier[1]}'")
            own[base] = later
        else:
            own[base] = attempt, top
    found = [
        Found((number, name), " and ".join(sorted(top for _, top in own.values())), _canvas_members(own), name)
        for number, (name, own) in people.items()
    ]
    return found, strays, notes


def _canvas_members(own: Mapping[str, tuple[int, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((base, top) for base, (_, top) in sorted(own.items()))


def _moodle(tree: Tree) -> _Finding:
    """Folders (or files) NAME_NUMBER_assignsubmission_file. All with one number are one submission."""
    strays, people = list[str](), dict[str, list[tuple[str, re.Match[str], list[str]]]]()
    for top, files in by_top(tree).items():
        if match := _MOODLE.fullmatch(top):
            people.setdefault(match["id"], []).append((top, match, files))
        else:
            strays.append(top)
    found = []
    for number, parts in people.items():
        members = [
            ((match["file"] or top) if files == [top] else name.partition("/")[2], name)
            for top, match, files in parts
            for name in files
        ]
        first = parts[0][1]
        found.append(
            Found((number, first["name"]), " and ".join(top for top, _, _ in parts), tuple(members), first["name"])
        )
    return found, strays, []


def _github(tree: Tree) -> _Finding:
    """Folders ASSIGNMENT-LOGIN. What all names have in common, up to a hyphen, is the assignment."""
    tops = by_top(tree)
    folders = {top: files for top, files in tops.items() if files != [top]}
    prefix = tree.path.name.removesuffix("-submissions") + "-"
    if not folders or not all(top.startswith(prefix) for top in folders):
        prefix = _common_start(list(folders)).rpartition("-")[0] + "-" if len(folders) > 1 else ""
    found = [
        Found((top.removeprefix(prefix),), top, tuple((name.partition("/")[2], name) for name in files))
        for top, files in folders.items()
    ]
    return found, [top for top in tops if top not in folders], []


def _common_start(names: list[str]) -> str:
    """The longest text with which all names begin."""
    first, last = min(names), max(names)
    return next((first[:length] for length, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), first)


def _plain(tree: Tree) -> _Finding:
    """A Python file, an archive or a folder for each student, named after the student."""
    found, strays = [], []
    for top, files in by_top(tree).items():
        if files != [top]:
            found.append(Found((top,), top, tuple((name.partition("/")[2], name) for name in files)))
        elif ending := next((each for each in (".py", *ARCHIVES) if top.endswith(each) and top != each), ""):
            found.append(Found((top.removesuffix(ending),), top, ((top, top),)))
        else:
            strays.append(top)
    return found, strays, []


FORMATS: Mapping[str, Callable[[Tree], _Finding]] = {
    "gradescope": _gradescope,
    "canvas": _canvas,
    "moodle": _moodle,
    "github": _github,
    "plain": _plain,
}
EXPECTED = {
    "gradescope": f"folders submission_N and the file {METADATA}",
    "canvas": "files NAME_ID_NUMBER_FILE",
    "moodle": "folders NAME_NUMBER_assignsubmission_file",
    "github": "folders ASSIGNMENT-LOGIN",
    "plain": "a Python file, an archive or a folder for each student",
}


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
