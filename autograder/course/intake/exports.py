"""Which files of an export are whose: the layouts in which platforms export submissions, as rows of a table.

gradescope   submission_123/..., with the names of the students in submission_metadata.yml
canvas       lovelaceada_41_977_solution.py, lovelaceada_LATE_41_977_solution.py, lovelaceada_41_text.html
moodle       Ada Lovelace_1327627_assignsubmission_file/... (of an older Moodle: ..._file_/...)
github       ASSIGNMENT-LOGIN/... in the folder ASSIGNMENT-submissions of a GitHub Classroom
plain        ada.py, ada.zip or ada/...: a file, a zip or a folder for each student
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.course.intake.archive import Tree, by_top, file_content
from autograder.course.intake.roster import Student, first_names, parsed_time, read_table, read_time, utc_text
from autograder.sandbox.submission_files import ARCHIVES, SubmissionFiles
from pacman.core.errors import InputError, counted, nearest, printable

MAX_METADATA = 200_000_000
METADATA = "submission_metadata.yml"
TIMES = "received.csv"
"""A table of the staff beside plain folders or those of GitHub: their names, and when they were `received`."""
_AGAIN = re.compile(r"(?P<base>.+?)-(?P<number>\d{1,3})(?P<ending>\.[^.]+)")


NOBODY = Student("")


@dataclass(frozen=True)
class Entry:
    """One submission of an export. `members` are its files: the name inside it, and in the export.

    `keys` are names of the student that the platform wrote, and the student did not type: the first one is that of the
    account, and a roster may know the student by each of them (by which one says `place`). Of several submissions of an
    account, the one that was `received` last counts; that is the time of receipt in UTC, empty if the export does not
    say it. A submission that was read has `files`, or a `problem` says why it cannot be graded, or a `failure` why it
    is no attempt and has no result: this machine cannot read it, or nobody knows whose it is. `earlier` are the sources
    of earlier attempts, `other_keys` those of the other keys that name the student or no other account of the export.
    """

    keys: tuple[str, ...]
    source: str
    members: tuple[tuple[str, str], ...] = ()
    name: str = ""
    received: str = ""
    failure: str = ""
    problem: str = ""
    files: SubmissionFiles | None = None
    student: Student = NOBODY
    place: int = 0
    earlier: tuple[str, ...] = ()
    other_keys: tuple[str, ...] = ()

    @property
    def account(self) -> Student:
        """Who handed it in, as the platform names the account."""
        return Student(self.keys[0], self.name)


_NEVER = "(?!)"


@dataclass(frozen=True)
class Layout:
    """How a platform names what stands at the top of an export: the folders, and the files.

    The patterns have the group `key`, and perhaps `name` and `file`. All that has one key is one submission. A student
    types the `name` and the `file`: so a file in whose name two numbers can be the key (`number`) belongs to nobody.
    """

    expected: str
    folder: str = _NEVER
    file: str = _NEVER
    number: str = _NEVER

    def match(self, top: str, files: Sequence[str]) -> re.Match[str] | None:
        """How a name at the top is read; None if this platform writes no such name. `files` are those in it."""
        return re.fullmatch(self.file if files == [top] else self.folder, top)


LAYOUTS: Mapping[str, Layout] = {
    "gradescope": Layout(f"folders submission_N and the file {METADATA}", r"(?P<key>submission_[0-9]+)"),
    "moodle": Layout(
        "folders NAME_NUMBER_assignsubmission_file",
        r"(?P<name>.+)_(?P<key>[0-9]+)_assignsubmission_(?:file|onlinetext)_?",
        r"(?P<name>.+?)_(?P<key>[0-9]+)_assignsubmission_(?:file|onlinetext)_(?P<file>.+)",
        r"_([0-9]+)_assignsubmission_(?:file|onlinetext)(?=_.)",
    ),
    "canvas": Layout(
        "files NAME_ID_NUMBER_FILE",
        file=r"(?P<name>.+?)(?:_LATE)?_(?P<key>[0-9]+)_(?:[0-9]+_(?P<file>.+)|(?:text|link)\.html)",
        number=r"_([0-9]+)(?=_(?:[0-9]+_.|(?:text|link)\.html$))",
    ),
    "github": Layout("folders ASSIGNMENT-LOGIN in a folder ASSIGNMENT-submissions"),
    "plain": Layout(
        "a Python file, a zip or a folder for each student",
        "(?P<key>.+)",
        f"(?P<key>.+?)(?:{'|'.join(map(re.escape, ('.py', *ARCHIVES)))})",
    ),
}
"""Each layout by its name. The shell, the messages and the tests read this table."""
_OTHERS = Layout("", r"[0-9]+-[0-9]+ - .+", r".+_attempt_20\d\d(?:-\d\d){5}.+")
"""What Blackboard and Brightspace write, which are not read."""
_CLASSROOM = "-submissions"


def choose(tree: Tree, name: str) -> tuple[str, Tree]:
    """The name of the layout, and the files of the export without a folder around all of them.

    Without a name, the export must have plain files. InputError if it has names that a platform writes: what they mean,
    only the course staff knows, because students choose names too. If they say "plain", InputError if all are such.
    """
    if name and name not in LAYOUTS:
        raise InputError(f"--export-format: no format '{name}': {nearest(name, LAYOUTS)}")
    top, *others = by_top(tree)
    inside = None if others or {top, f"{top}/"} & {*tree.names, *tree.closed} else tree.inside(top)
    platforms = [each for layout, each in LAYOUTS.items() if layout != "plain"]
    if name in ("", "plain"):
        tops = by_top(tree) | (by_top(inside) if inside and not name else {})
        platforms += [] if name else [_OTHERS]
        written = [one for one in tops if one == METADATA or any(row.match(one, tops[one]) for row in platforms)]
        around = (tree.path.stem, top if inside else "") if not name else ()
        written += [one for one in around if one.endswith(_CLASSROOM)]
        if written and (not name or len(written) == len(tops) > 1):
            others = [each for each in LAYOUTS if each != name]
            advice = "rename these, or choose" if name else "say what this is with"
            names = f"names that a platform writes: {first_names(written)}"
            raise InputError(f"{tree.path}: {names}; {advice} --export-format: {', '.join(others)}")
        is_around = top == tree.path.stem
    else:
        is_around = top.endswith(_CLASSROOM) if name == "github" else LAYOUTS[name].match(top, []) is None
    return name or "plain", inside if inside and is_around else tree


def submissions(tree: Tree, name: str) -> tuple[list[Entry], list[str], list[str]]:
    """What is in an export with this layout: submissions, names that belong to nobody, and notes for the user.

    InputError if a file is missing that says whose they are, or if it cannot be read.
    """
    layout = LAYOUTS[name]
    if name == "github":
        if not tree.path.stem.endswith(_CLASSROOM):
            raise InputError(f"{tree.path}: expected {layout.expected}; rename the folder")
        layout = replace(layout, folder=f"{re.escape(tree.path.stem.removesuffix('submissions'))}(?P<key>.+)")
    entries, strays, notes, tops = list[Entry](), list[str](), list[str](), by_top(tree)
    parts: dict[str, list[tuple[str, re.Match[str]]]] = {}
    for top, files in tops.items():
        match = layout.match(top, files)
        keys = list(dict.fromkeys(re.findall(layout.number, top[1:]))) if match and files == [top] else []
        if len(keys) > 1:
            what = f"this name can be that of a file of student {' or '.join(keys[:3])}"
            entries.append(Entry((top,), top, failure=f"{what}; unpack the export and rename the file"))
        elif match:
            parts.setdefault(match["key"], []).append((top, match))
        elif top != {"gradescope": METADATA, "github": TIMES, "plain": TIMES}.get(name):
            strays.append(top)
    times = _times(tree) if name in ("github", "plain") else {}
    if late := [key for key, own in parts.items() if any(f"_LATE_{key}_" in top for top, _ in own)]:
        notes.append(f"{counted(len(late), 'submission')} marked LATE, but not by how much: {first_names(late)}")
    people, shared, alike, every = _people(tree) if name == "gradescope" else {}, list[str](), 0, 0
    for key, own in parts.items():
        names, failure = [*dict.fromkeys(match.groupdict().get("name") or "" for _, match in own)], ""
        every += len(names)
        if len(names) > 1 and layout.number != _NEVER:
            alike += len(names)
            shared.append(f"'{printable(names[0])}' and '{printable(names[1])}' have the same number {key}")
            failure = f"{shared[-1]}; keep one of them"
        members = _members(own, tops, name == "canvas", [] if failure else notes)
        source = " and ".join(sorted({place.partition("/")[0] for _, place in members}) or [own[0][0]])
        for person in people.pop(key, [Entry((key,), "", name=names[0], failure=failure)]):
            received = times.get(own[0][0], person.received)
            entries.append(replace(person, source=source, members=members, received=received))
    if unknown := times.keys() - {own[0][0] for own in parts.values()}:
        notes.append(
            f"{counted(len(unknown), 'line')} of {TIMES} with no such submission: {first_names(sorted(unknown))}"
        )
    if alike and (alike == every or (2 * alike > every and len(shared) > 1)):
        advice = f"is this an export of {name}? another layout is chosen with --export-format"
        raise InputError(f"{tree.path}: {shared[0]}; {advice}")
    gone = "its folder is not in the export"
    missing = [replace(each, source=key, failure=gone) for key, own in people.items() for each in own]
    return entries + missing, strays, notes


def _members(
    own: Sequence[tuple[str, re.Match[str]]], tops: Mapping[str, list[str]], has_attempts: bool, notes: list[str]
) -> tuple[tuple[str, str], ...]:
    """The files of one submission. Canvas names a later attempt FILE-1: it counts, and `notes` get a line about it."""
    if not has_attempts:
        pairs = ((match, name) for top, match in own for name in tops[top])
        return tuple((match.groupdict().get("file") or name.partition("/")[2] or name, name) for match, name in pairs)
    last: dict[str, tuple[int, str]] = {}
    for top, match in own:
        file = match["file"] or "text.html"
        again = _AGAIN.fullmatch(file)
        base, attempt = (again["base"] + again["ending"], int(again["number"])) if again else (file, 0)
        earlier, later = sorted([last.get(base, (-1, "")), (attempt, top)])
        if base in last:
            notes.append(f"'{later[1]}' counts, and not the earlier attempt '{earlier[1]}'")
        last[base] = later
    return tuple((base, top) for base, (_, top) in sorted(last.items()))


def _times(tree: Tree) -> dict[str, str]:
    """The times of receipt in UTC that the table `TIMES` says, by what stands at the top of the export."""
    if TIMES not in tree.names:
        return {}
    place = tree.path / TIMES
    header, rows = read_table(place, file_content(tree, TIMES, MAX_METADATA))
    if not {"name", "received"} <= {*map(str.lower, header)}:
        raise InputError(f"{place}:1: expected the columns name and received")
    times: dict[str, str] = {}
    for number, cells in rows:
        name, text = cells.get("name", ""), cells.get("received", "")
        if name in times:
            raise InputError(f"{place}:{number}: the name '{printable(name)[:80]}' is already there; each once")
        if text:
            times[name] = utc_text(read_time(f"{place}:{number}: received", text))
    return times


def _people(tree: Tree) -> dict[str, list[Entry]]:
    """The students of each submission of Gradescope, who may be several, with the time of receipt, by its folder.

    The keys are the e-mail address of an account and the student's number, or else the name of the folder. Never the
    name that is shown: a student types it. A student can also type a number, but not one like an address.
    """
    from autograder.cases.yaml_file import plain_yaml

    if METADATA not in tree.names:
        raise InputError(f"{tree.path}: no file {METADATA}; expected it beside the folders submission_N")
    place = tree.path / METADATA
    content = file_content(tree, METADATA, MAX_METADATA)
    if len(content) > MAX_METADATA:
        raise InputError(f"{place}: the file is too large; expected at most {MAX_METADATA:,} bytes")
    metadata = plain_yaml(content, place)
    if not isinstance(metadata, dict):
        raise InputError(f"{place}: expected a mapping from the folders submission_N to their students")
    people: dict[str, list[Entry]] = {}
    for folder, about in metadata.items():
        if not (isinstance(folder, str) and LAYOUTS["gradescope"].match(folder, [])):
            continue
        about = about if isinstance(about, dict) else {}
        created = parsed_time(re.sub(" (?=[Z+-])", "", str(about.get(":created_at"))))
        submitters, received = about.get(":submitters"), utc_text(created) if created else ""
        persons = [each for each in submitters if isinstance(each, dict)] if isinstance(submitters, list) else []
        by_account: dict[tuple[str, ...], Entry] = {}
        for person in persons or [{}]:
            email, number = _word(person.get(":email")), _word(person.get(":sid"))
            keys = tuple(key for key in (email, number if "@" not in number else "") if key) or (folder,)
            by_account[keys] = Entry(keys, "", name=_word(person.get(":name")), received=received)
        people[folder] = list(by_account.values())
    return people


def _word(value: object) -> str:
    """A value of the metadata as a line of text; empty if there is none."""
    return "" if value is None else printable(str(value)).strip()
