"""Which files, folders and archives are accepted as submissions, and which are refused."""

from __future__ import annotations

import os
import re
import struct
import sys
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.sandbox.submission_files import MAX_ARCHIVE, MAX_BYTES, MAX_DIRECTORY, MAX_FILES, SubmissionFiles, read
from autograder.student_process.request_handler import RequestHandler
from pacman.commands import app as cli
from pacman.core.errors import InputError
from tests.paths import ROOT, SOLUTIONS
from tests.written_files import make_zip, write_files

CODE = b"class MinimaxAgent: pass\n"
ANSWERS = SOLUTIONS.read_bytes()
TOOLS = b"x = 1\n"
links = pytest.mark.skipif(sys.platform == "win32", reason="links need special rights on Windows")


def assert_refused(path: Path, error: str, *helpers: Path) -> None:
    """Fails unless the submission is refused with one line that contains this text."""
    with pytest.raises(InputError, match=re.escape(error)) as raised:
        read(path, helpers)
    assert "\n" not in str(raised.value)


@pytest.fixture
def homework(tmp_path: Path) -> Path:
    """A folder with one file, and a helper file beside it."""
    return write_files(tmp_path, {"hw/mine.py": CODE, "tools.py": TOOLS}) / "hw"


def test_only_an_end_of_line_ends_a_line() -> None:
    """A form feed between two functions would move all later lines of the code that a report shows."""
    content = "\ufeffx = 1\r\n\f\ny = '\u2028'\n\traise IndexError\n".encode()
    files = SubmissionFiles({"mine.py": content})
    assert files.lines("mine.py") == ["x = 1", "\f", "y = '\u2028'", "    raise IndexError"]
    assert files.lines("other.py") == []
    handler = RequestHandler()
    handler.path, handler.text = "mine.py", content.replace(b"\t", b"")
    with pytest.raises(IndexError) as raised:
        exec(compile(handler.text, "mine.py", "exec"))
    assert handler.fault(raised.value)["text"] == "raise IndexError"


def test_a_submission_is_named_by_what_was_handed_in(homework: Path, tmp_path: Path) -> None:
    """The same names and contents have the same digest, which also has the name of a file that somebody chose."""
    packed = make_zip(tmp_path / "work.zip", {"notes.txt": b"hello", "mine.py": CODE})
    same = [read(path) for path in (homework, homework / "mine.py", packed)]
    assert {work.digest for work in [*same, read(packed, [tmp_path / "tools.py"])]} == {same[0].digest}
    others = ({}, {"a.py": b"bc"}, {"a.pyb": b"c"}, {"a.py": b"b", "c": b""}, {"b": b"", "a.py": b"b"}, {"c.py": b"b"})
    assert len({SubmissionFiles(files).digest for files in others}) == len(others)
    both = SubmissionFiles({"a": b"1", "b": b"2"})
    assert both.digest == SubmissionFiles({"b": b"2", "a": b"1"}).digest
    assert both.digest != replace(both, requested_file="a").digest != replace(both, requested_file="b").digest
    assert SubmissionFiles({"a.py": CODE}).digest == SubmissionFiles({"a.py": CODE}, "a.py").digest


HELPERS = {
    "missing.py": (None, "missing.py: no such file or folder"),
    "tools.txt": (CODE, "tools.txt: not a Python file; expected a name that ends in .py"),
    "empty.py": (b"", "empty.py: the file is empty"),
    "Mine.py": (CODE, "'Mine.py' is the name of a file of the course; rename it"),
    "-x.py": (CODE, "-x.py: this file name is not allowed: it must not start with '-'"),
    "big.py": (b"#" * MAX_BYTES, f"mine.py: the Python files together have more than {MAX_BYTES:,} bytes"),
    "answers.py": (ANSWERS, "answers.py: a file of the project; a submission may not use it"),
}


def test_a_helper_is_added_by_name_only_and_obeys_the_rules_of_a_submission(homework: Path, tmp_path: Path) -> None:
    """Files beside the named file do not belong to it."""
    write_files(homework.parent, {"beside/mine.py": CODE, "beside/tools.py": TOOLS})
    assert read(tmp_path / "beside" / "mine.py") == SubmissionFiles({"mine.py": CODE}, "mine.py")
    for path in (homework / "mine.py", homework, make_zip(tmp_path / "work.zip", {"mine.py": CODE})):
        work = read(path, [tmp_path / "tools.py"])
        assert (work.files, work.helpers) == ({"mine.py": CODE, "tools.py": TOOLS}, ("tools.py",))
    for name, (content, error) in HELPERS.items():
        write_files(tmp_path / "helpers", {name: content} if content is not None else {})
        assert_refused(homework / "mine.py", error, tmp_path / "helpers" / name)
    helpers = [homework / f"h{number}.py" for number in range(MAX_FILES)]
    write_files(homework, {path.name: b"x" for path in helpers})
    assert_refused(homework / "mine.py", f"more than {MAX_FILES} Python files", *helpers)
    assert len(read(homework / "mine.py", helpers[1:]).files) == MAX_FILES


def test_a_file_with_an_unsafe_name_gets_a_safe_one(homework: Path) -> None:
    unsafe = homework / "mine; rm -rf $HOME\n.py"
    try:
        unsafe.write_bytes(CODE)
    except OSError:
        pytest.skip("this system does not allow the name")
    (homework / "submission.py").write_bytes(TOOLS)
    assert read(unsafe) == SubmissionFiles({"submission.py": CODE}, "submission.py")


NAMES = [
    *("Übung 1/Lösung.py", "作业/吃豆人.py", "тест/агент.py", "واجب/حل.py", "अभ्यास/हल.py", "課題\u3000１/解答.py"),
    "تمرین\u200cها/حل.py",  # the joiner is part of the word
    "John's homework [final] #2/O’Brien & co – v1.0.py",
]


def test_names_in_every_script_are_accepted(tmp_path: Path) -> None:
    for number, name in enumerate(NAMES):
        folder = write_files(tmp_path / f"hw{number}", {name: CODE})
        path = make_zip(tmp_path / "work.zip", {name: CODE})
        assert read(folder / name) == SubmissionFiles({Path(name).name: CODE}, Path(name).name)
        assert read(folder).files == read(path).files == {name: CODE}
        data = path.read_bytes()  # some programs do not set the flag for UTF-8, in the header and in the directory
        for start, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            place = data.index(start) + offset + 1
            data = data[:place] + bytes([data[place] & ~0x08]) + data[place + 1 :]
        path.write_bytes(data)
        assert read(path).files == {name: CODE}


def test_only_the_python_files_of_a_folder_or_a_zip_are_read(tmp_path: Path) -> None:
    added = {"hw/readme.md": b"y", "__MACOSX/hw/._mine.py": b"z", "hw/.DS_Store": b"", "__pycache__/mine.py": b"stale"}
    added |= {"hw/README.md": b"y", "hw/a.zip": b"", "hw/A.zip": b""}
    members = {"hw/mine.py": CODE, "hw/parts/more.py": b"y", **added}
    for path in (make_zip(tmp_path / "work.zip", members), write_files(tmp_path / "work", members)):
        work = read(path)
        assert work.files == {"hw/mine.py": CODE, "hw/parts/more.py": b"y"}
        assert not work.requested_file


def test_the_only_zip_of_a_folder_is_read(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "Ada_1_file", {"notes.pdf": b""})
    make_zip(folder / "hw.zip", {"mine.py": CODE})
    assert read(folder) == read(folder / "hw.zip")
    twice = make_zip(tmp_path / "twice.zip", {"hw.zip": (folder / "hw.zip").read_bytes(), "__MACOSX/._hw.zip": b"x"})
    assert read(twice) == read(folder / "hw.zip")
    thrice = make_zip(tmp_path / "thrice.zip", {"twice.zip": twice.read_bytes()})
    assert_refused(thrice, "twice.zip: no Python file in this archive; it has: hw.zip")
    make_zip(folder / "old.zip", {"mine.py": CODE})
    assert_refused(folder, "in this folder; it has: hw.zip, old.zip; grade one of the zips")


def test_a_small_archive_that_is_large_inside_takes_no_memory(tmp_path: Path) -> None:
    """128 MB of zeros in 128 kB, and 5,000 small files: the sizes that a zip states are not believed."""
    with zipfile.ZipFile(tmp_path / "work.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        with archive.open("agent.py", "w", force_zip64=True) as file:
            for _ in range(128):
                file.write(bytes(1 << 20))
        for number in range(5_000):
            archive.writestr(f"f{number}.py", "")
    tracemalloc.start()
    try:
        assert_refused(tmp_path / "work.zip", "work.zip: ")
        assert tracemalloc.get_traced_memory()[1] < 4 * MAX_BYTES
    finally:
        tracemalloc.stop()
    assert [each.name for each in tmp_path.iterdir()] == ["work.zip"]


OUTSIDE = "is not allowed: it leads outside the submission"
BOTH = "' is the name of a file and of a folder; rename"
REFUSED = {
    "up and out": ({"../evil.py": CODE}, f"file name '../evil.py' {OUTSIDE}"),
    "from the root": ({"/tmp/evil.py": CODE}, f"file name '/tmp/evil.py' {OUTSIDE}"),
    "a drive": ({"C:\\evil.py": CODE}, "it must not contain ':'"),
    "a direction character": ({"a\u202eyp.py": CODE}, "it must not contain the invisible character U+202E"),
    "an option": ({"-rf.py": CODE}, "it must not start with '-'"),
    "a formula": ({"=1+1.py": CODE}, "it must not start with '='"),
    "a joker": ({"a*.py": CODE}, "it must not contain '*'"),
    "an end of a line": ({"a\nb.py": CODE}, "it must not contain the invisible character U+000A"),
    "a long part": ({"作" * 90 + ".py": CODE}, "a folder or file name in it has more than 240 bytes"),
    "a long name": ({"x" * 200 + ".py": CODE}, "it has more than 120 characters"),
    "case": ({"Mine.py": CODE, "mine.py": CODE}, "two files named 'mine.py'; expected each name once"),
    "an umlaut as macOS writes it": ({"\u00fc.py": CODE, "u\u0308.py": CODE}, "two files named"),
    "nothing": ({"readme.md": CODE}, "no Python file in this archive"),
    "too many": ({f"f{n}.py": b"" for n in range(MAX_FILES + 1)}, f"more than {MAX_FILES} Python files"),
    "too much": ({"mine.py": b"#" * (MAX_BYTES + 1)}, f"the Python files together have more than {MAX_BYTES:,} bytes"),
    "members": ({f"f{n}.txt": b"" for n in range(2001)}, "more than 2,000 files"),
    "a file as a folder": (dict.fromkeys(("a.py", "a.py/b.py"), CODE), f"work.zip: 'a.py{BOTH}"),
    "a folder as a file": (dict.fromkeys(("a.py/b.py", "A.py"), CODE), f"work.zip: 'A.py{BOTH}"),
    "a folder in a file": (dict.fromkeys(("x/a.py", "x/a.py/c/b.py"), CODE), f"work.zip: 'x/a.py{BOTH}"),
    "answers": (
        {"autograder/assignments/multiagent/solutions.py": ANSWERS},
        "only files of the project in this archive; expected your own Python file",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_archive_that_breaks_a_rule_is_refused(name: str, tmp_path: Path) -> None:
    members, error = REFUSED[name]
    assert_refused(make_zip(tmp_path / "work.zip", members), error)


def end_record(entries: int, size: int, offset: int) -> bytes:
    """The record that ends a zip."""
    return struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, entries, entries, size, offset, 0)


def unreadable(folder: Path) -> dict[str, tuple[bytes, str]]:
    """Bytes that are no submission. The name of the file -> its content, and a part of the line that refuses it."""
    entry, large = b"PK\x01\x02" + bytes(42), int.from_bytes(b"PK\x05\x06", "little")
    inner = make_zip(folder / "inner", {"agents.py": CODE}).read_bytes()[:-22]
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, len(inner), 1)
    broken = {}
    for name, method in (("bz2", zipfile.ZIP_BZIP2), ("lzma", zipfile.ZIP_LZMA)):
        # It made the library raise what is no error of an archive, or ask for 4 GB.
        content = make_zip(folder / "inner", {"agent.py": CODE * 9}, method).read_bytes()
        broken[f"{name}.zip"] = content[:44] + b"\xff" * 5 + content[49:], "unusual method"
    false = make_zip(folder / "inner", {"mine.py": b"#" * (2 * MAX_BYTES)}).read_bytes()
    false = false.replace((2 * MAX_BYTES).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    return {
        **broken,
        "false sizes.zip": (false, "false sizes.zip: "),
        "64.zip": (
            inner + b"PK\x06\x06" + b"\0" * 70_000 + locator + end_record(1, 0, 0),
            "64.zip: a zip64; hand in the Python files only, as an ordinary zip",
        ),
        # Inside its end record a second one seems to begin, with other sizes.
        "in.zip": (inner + b"x" * MAX_DIRECTORY + end_record(1, MAX_DIRECTORY + 1, large), "more than 2,000 files"),
        "work.tar.gz": (b"whatever is in it", "work.tar.gz: a tar archive is not read; hand in a zip"),
        "work.tgz": (b"", "work.tgz: a tar archive is not read; hand in a zip"),
        "large.zip": (entry * 40_000 + end_record(0xFFFF, 40_000 * len(entry), 0), "more than 2,000 files"),
        "empty.zip": (b"", "not a readable archive"),
        "the first bytes.zip": (b"PK\x03\x04 and no more", "not a readable archive"),
        "a text.zip": (b"plain text", "not a readable archive"),
        "mine.txt": (CODE, "not a Python file; expected a name that ends in .py, a folder, or a zip"),
        "mine.py": (b" \n", "the file is empty"),
        "large.py": (b"#" * (MAX_BYTES + 1), "a submission may have"),
    }


def test_what_is_no_submission_is_refused(tmp_path: Path) -> None:
    for name, (content, error) in unreadable(tmp_path).items():
        (tmp_path / name).write_bytes(content)
        assert_refused(tmp_path / name, error)
    assert_refused(tmp_path / "missing.py", "no such file or folder")
    (tmp_path / "hw" / "/".join("d" * 70)).mkdir(parents=True)
    assert_refused(tmp_path / "hw", "folders nested more than 60 deep")
    if hasattr(os, "mkfifo"):  # without waiting
        (tmp_path / "pipe").mkdir()
        os.mkfifo(tmp_path / "pipe" / "mine.py")
        assert_refused(tmp_path / "pipe", "mine.py: not a regular file")


@links
def test_a_link_that_is_imported_is_refused_and_another_one_ignored_and_noted(homework: Path, tmp_path: Path) -> None:
    write_files(tmp_path, {"private/secret.py": b"secret"})
    (homework / "other.py").symlink_to(tmp_path / "private/secret.py")
    (homework / "more").symlink_to(tmp_path / "private")
    (homework / "up").symlink_to(homework)
    work = read(homework)
    assert (work.files, work.notes) == ({"mine.py": CODE}, ("ignored 3 links: more, other.py, up",))
    for line in ("import other", "from other import x", "def f():\n    from . import a, other"):
        (homework / "mine.py").write_bytes(CODE + line.encode())
        assert_refused(homework, "'other.py' is a link; hand in the file itself")


@links
def test_the_named_file_must_not_be_a_link(homework: Path, tmp_path: Path) -> None:
    for name, target in (("mine.py", homework / "mine.py"), ("folder", homework), ("hw.zip", homework / "mine.py")):
        (tmp_path / name).symlink_to(target)
        assert_refused(tmp_path / name, "this is a link; name the file or folder that it leads to")
    assert read(tmp_path / "folder/mine.py").files == {"mine.py": CODE}  # only the last part must not be a link
    with zipfile.ZipFile(tmp_path / "work.zip", "w") as archive:
        for name, target in (("agent.py", "/etc/passwd"), ("ref", "../../reference"), ("d", "/tmp")):
            entry = zipfile.ZipInfo(name)
            entry.create_system, entry.external_attr = 3, 0o120777 << 16
            archive.writestr(entry, target)
        archive.writestr("d/through_link.py", "x=1")
    work = read(tmp_path / "work.zip")
    assert (work.files, work.links) == ({"d/through_link.py": b"x=1"}, ("agent.py", "ref", "d"))


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="this system cannot refuse links when it opens a file")
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_file_that_becomes_a_link_while_it_is_opened_is_refused(
    kind: str, homework: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, opened = homework / "mine.py", os.open

    def swap(path: str, *arguments: int, **options: int | None) -> int:
        if str(path).endswith("mine.py"):
            file.unlink()
            file.symlink_to(homework.parent / "tools.py")
        return opened(path, *arguments, **options)

    monkeypatch.setattr(os, "open", swap)
    assert_refused(file if kind == "file" else homework, "cannot be read: too many levels of symbolic links")


def test_a_kit_that_is_handed_back_counts_as_its_students_file(tmp_path: Path) -> None:
    """So does a stub, and a folder with the name of a package: only what is in the project is the project's."""
    kit = [path for top in ("pacman", "agents", "autograder", "tests") for path in (ROOT / top).rglob("*.py")]
    folder = "search-main/"
    files = {folder + path.relative_to(ROOT).as_posix(): path.read_bytes() for path in kit}
    mine = {f"{folder}agents/student.py": CODE, f"{folder}agents/tools.py": TOOLS}
    files |= mine | {f"{folder}copy.py": b"\n" + ANSWERS}
    for path in (make_zip(tmp_path / "work.zip", files), write_files(tmp_path / "hw", files)):
        work = read(path)
        assert work.files == mine
        assert re.fullmatch(r"ignored \d+ files of the project: \S+, \S+, \S+ and \d+ more", *work.notes)
    own = {"pacman/mine.py": CODE, "agents/base.py": b"changed", "agents/__init__.py": b""}
    work = read(make_zip(tmp_path / "work.zip", own))
    note = "ignored 2 files of the project: agents/base.py, agents/__init__.py"
    assert (set(work.files), work.notes) == ({"pacman/mine.py"}, (note,))
    stub = loading.load("warm-up").stub
    assert stub
    assert list(read(write_files(tmp_path / "stub", {"ada.py": stub.read_bytes()})).files) == ["ada.py"]


def test_a_copy_of_the_solutions_is_a_submission_and_is_named(tmp_path: Path) -> None:
    work = read(make_zip(tmp_path / "work.zip", {"mine.py": ANSWERS}))
    assert (set(work.files), work.notes) == ({"mine.py"}, ("the same text as the sample answers: mine.py",))
    beside = read(make_zip(tmp_path / "beside.zip", {"mine.py": ANSWERS, "my.py": CODE}))
    assert (set(beside.files), beside.notes) == ({"my.py"}, ("ignored 1 file of the project: mine.py",))


def test_a_file_name_cannot_control_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    def command(*words: object, **options: object) -> None:
        raise InputError("a\x1b[2Jb\u202e.py: no such file or folder")

    with pytest.raises(SystemExit):
        cli.run(command, "autograder")
    assert capsys.readouterr().err == "python -m autograder: a\ufffd[2Jb\ufffd.py: no such file or folder\n"


def test_a_zip_in_a_zip_that_is_large_inside_takes_no_memory(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(tmp_path / "work.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("hw.zip", "w", force_zip64=True) as file,
    ):
        for _ in range(3 * MAX_ARCHIVE >> 20):
            file.write(bytes(1 << 20))
    tracemalloc.start()
    try:
        assert_refused(tmp_path / "work.zip", "hw.zip: larger than")
        assert tracemalloc.get_traced_memory()[1] < 2.5 * MAX_ARCHIVE
    finally:
        tracemalloc.stop()
