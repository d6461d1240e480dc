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

from autograder.sandbox.submission_files import MAX_BYTES, MAX_FILES, SubmissionFiles, read
from autograder.student_process.request_handler import RequestHandler
from pacman.commands import app as cli
from pacman.core.errors import InputError
from tests.paths import ROOT, SOLUTIONS
from tests.sandbox.hostile import archives

CODE = b"class MinimaxAgent: pass\n"
ANSWERS = SOLUTIONS.read_bytes()
links = pytest.mark.skipif(sys.platform == "win32", reason="links need special rights on Windows")


def make_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def make_folder(path: Path, members: dict[str, bytes]) -> Path:
    for name, content in members.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def assert_refused(path: Path, error: str, *helpers: Path) -> None:
    """Fails unless the submission is refused with one line that contains this text."""
    with pytest.raises(InputError, match=re.escape(error)) as raised:
        read(path, helpers)
    assert "\n" not in str(raised.value)


@pytest.fixture
def homework(tmp_path: Path) -> Path:
    """A folder with one file, and a helper file beside it."""
    make_folder(tmp_path, {"hw/mine.py": CODE, "tools.py": b"x = 1\n"})
    return tmp_path / "hw"


def test_files_beside_the_named_file_do_not_belong_to_the_submission(homework: Path) -> None:
    (homework / "tools.py").write_bytes(b"x = 1\n")
    assert read(homework / "mine.py") == SubmissionFiles({"mine.py": CODE}, "mine.py")


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


def test_a_helper_is_added_by_name_only(homework: Path, tmp_path: Path) -> None:
    for path in (homework / "mine.py", homework, make_zip(tmp_path / "work.zip", {"mine.py": CODE})):
        work = read(path, [tmp_path / "tools.py"])
        assert work.files == {"mine.py": CODE, "tools.py": b"x = 1\n"}
        assert work.helpers == ("tools.py",)


HELPERS = {
    "missing.py": (None, "missing.py: no such file or folder"),
    "tools.txt": (CODE, "tools.txt: not a Python file; expected a name that ends in .py"),
    "empty.py": (b"", "empty.py: the file is empty"),
    "Mine.py": (CODE, "Mine.py: the submission already has a file 'Mine.py'"),
    "-x.py": (CODE, "-x.py: this file name is not allowed: it must not start with '-'"),
    "big.py": (b"#" * MAX_BYTES, f"mine.py: the Python files together have more than {MAX_BYTES:,} bytes"),
    "answers.py": (ANSWERS, "answers.py: a file of the project; a submission may not use it"),
}


@pytest.mark.parametrize("name", HELPERS)
def test_a_helper_obeys_the_rules_of_a_submission(name: str, homework: Path, tmp_path: Path) -> None:
    content, error = HELPERS[name]
    (tmp_path / "tools.py").unlink()
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert_refused(homework / "mine.py", error, tmp_path / name)


def test_helpers_count_for_the_number_of_files(homework: Path) -> None:
    make_folder(homework, {f"h{number}.py": b"x" for number in range(MAX_FILES)})
    helpers = [homework / f"h{number}.py" for number in range(MAX_FILES)]
    assert_refused(homework / "mine.py", f"more than {MAX_FILES} Python files", *helpers)
    assert len(read(homework / "mine.py", helpers[1:]).files) == MAX_FILES


def test_a_file_with_an_unsafe_name_gets_a_safe_one(homework: Path) -> None:
    unsafe = homework / "mine; rm -rf $HOME\n.py"
    try:
        unsafe.write_bytes(CODE)
    except OSError:
        pytest.skip("this system does not allow the name")
    (homework / "submission.py").write_bytes(b"x = 1\n")
    assert read(unsafe) == SubmissionFiles({"submission.py": CODE}, "submission.py")


NAMES = [
    "Übung 1/Lösung.py",
    "作业/吃豆人.py",
    "тест/агент.py",
    "واجب/حل.py",
    "تمرین\u200cها/حل.py",  # the joiner is part of the word
    "अभ्यास/हल.py",
    "John's homework [final] #2/O’Brien & co – v1.0.py",
    "課題\u3000１/解答.py",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_in_every_script_are_accepted(name: str, tmp_path: Path) -> None:
    path = make_folder(tmp_path / "hw", {name: CODE}) / name
    assert read(path) == SubmissionFiles({path.name: CODE}, path.name)
    assert read(tmp_path / "hw").files == {name: CODE}
    path = make_zip(tmp_path / "work.zip", {name: CODE})
    assert read(path).files == {name: CODE}
    data = path.read_bytes()  # some programs do not set the flag for UTF-8, in the header and in the directory
    for start, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.index(start) + offset + 1
        data = data[:place] + bytes([data[place] & ~0x08]) + data[place + 1 :]
    path.write_bytes(data)
    assert read(path).files == {name: CODE}


def test_only_the_python_files_of_a_folder_or_a_zip_are_read(tmp_path: Path) -> None:
    added = {"hw/readme.md": b"y", "__MACOSX/hw/._mine.py": b"z", "hw/.DS_Store": b"", "__pycache__/mine.py": b"stale"}
    members = {"hw/mine.py": CODE, "hw/parts/more.py": b"y", **added}
    for path in (make_zip(tmp_path / "work.zip", members), make_folder(tmp_path / "work", members)):
        work = read(path)
        assert work.files == {"hw/mine.py": CODE, "hw/parts/more.py": b"y"}
        assert not work.requested_file


@pytest.mark.parametrize("name", ["zip_slip", "zip_bomb"])
def test_a_hostile_archive_is_refused(name: str, tmp_path: Path) -> None:
    path, target = tmp_path / "work.zip", Path("/tmp/abs_evil.py")
    was_there = target.exists()  # everybody may write there
    getattr(archives, name)(str(path))
    tracemalloc.start()
    try:
        assert_refused(path, "work.zip: ")
        assert tracemalloc.get_traced_memory()[1] < 4 * MAX_BYTES  # one of them unpacks to 128 MB
    finally:
        tracemalloc.stop()
    assert list(tmp_path.iterdir()) == [path]
    assert target.exists() == was_there


@pytest.mark.parametrize("name", ["yaml_tags", "shadow_stdlib", "hostile_names"])
def test_hostile_files_in_the_same_folder_do_no_harm(name: str, homework: Path) -> None:
    getattr(archives, name)(str(homework))
    assert read(homework / "mine.py").files == {"mine.py": CODE}
    if name == "hostile_names":
        with pytest.raises(InputError, match="file name .* is not allowed"):
            read(homework)


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


ENTRY = b"PK\x01\x02" + bytes(42)
END = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 40_000 * len(ENTRY), 0, 0)
UNREADABLE = {
    "work.tar.gz": (b"whatever is in it", "work.tar.gz: a tar archive is not read; hand in a zip"),
    "work.tgz": (b"", "work.tgz: a tar archive is not read; hand in a zip"),
    "a large directory.zip": (ENTRY * 40_000 + END, "more than 2,000 files"),
    "empty.zip": (b"", "not a readable archive"),
    "the first bytes.zip": (b"PK\x03\x04 and no more", "not a readable archive"),
    "a text.zip": (b"plain text", "not a readable archive"),
    "mine.txt": (CODE, "not a Python file; expected a name that ends in .py, a folder, or a zip"),
    "mine.py": (b" \n", "the file is empty"),
    "large.py": (b"#" * (MAX_BYTES + 1), "a submission may have"),
    "missing.py": (None, "no such file or folder"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_submission_is_refused(name: str, tmp_path: Path) -> None:
    content, error = UNREADABLE[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert_refused(tmp_path / name, error)


def test_an_archive_with_false_sizes_is_refused(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "work.zip", {"mine.py": b"#" * (2 * MAX_BYTES)})
    data = path.read_bytes()
    path.write_bytes(data.replace((2 * MAX_BYTES).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    assert_refused(path, "work.zip: ")


def test_folders_nested_too_deeply_are_refused(tmp_path: Path) -> None:
    (tmp_path / "hw" / "/".join("d" * 70)).mkdir(parents=True)
    assert_refused(tmp_path / "hw", "folders nested more than 60 deep")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mine.py")
    assert_refused(tmp_path, "'mine.py' is not a regular file")


@links
@pytest.mark.parametrize("line", ["import other", "from other import x", "def f():\n    from . import a, other"])
def test_a_link_that_is_imported_is_refused(line: str, homework: Path) -> None:
    (homework / "mine.py").write_bytes(CODE + line.encode())
    (homework / "other.py").symlink_to("/etc/passwd")
    assert_refused(homework, "'other.py' is a link; hand in the file itself")


@links
def test_a_link_that_nothing_needs_is_ignored_and_noted(homework: Path, tmp_path: Path) -> None:
    make_folder(tmp_path, {"private/secret.py": b"secret"})
    (homework / "other.py").symlink_to(tmp_path / "private/secret.py")
    (homework / "more").symlink_to(tmp_path / "private")
    (homework / "up").symlink_to(homework)
    work = read(homework)
    assert work.files == {"mine.py": CODE}
    assert work.notes == ("ignored 3 links: more, other.py, up",)


@links
def test_the_named_file_must_not_be_a_link(homework: Path, tmp_path: Path) -> None:
    for name, target in (("mine.py", homework / "mine.py"), ("folder", homework), ("hw.zip", homework / "mine.py")):
        (tmp_path / name).symlink_to(target)
        assert_refused(tmp_path / name, "this is a link; name the file or folder that it leads to")
    assert read(tmp_path / "folder/mine.py").files == {"mine.py": CODE}  # only the last part must not be a link


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


def test_links_in_an_archive_are_never_followed(tmp_path: Path) -> None:
    path = tmp_path / "work.zip"
    archives.zip_symlink(str(path))
    work = read(path)
    assert work.files == {"d/through_link.py": b"x=1"}
    assert work.links == ("agent.py", "ref", "d")


@pytest.mark.parametrize("folder", ["", "search-main/"])
def test_a_kit_that_is_handed_back_counts_as_its_students_file(folder: str, tmp_path: Path) -> None:
    kit = [path for top in ("pacman", "agents", "autograder", "tests") for path in (ROOT / top).rglob("*.py")]
    files = {folder + path.relative_to(ROOT).as_posix(): path.read_bytes() for path in kit}
    mine = {f"{folder}agents/student.py": CODE, f"{folder}agents/tools.py": b"x = 1\n"}
    files |= mine | {f"{folder}copy.py": b"\n" + ANSWERS}
    for path in (make_zip(tmp_path / "work.zip", files), make_folder(tmp_path / "hw", files)):
        work = read(path)
        assert work.files == mine
        assert re.fullmatch(r"ignored \d+ files of the project: \S+, \S+, \S+ and \d+ more", *work.notes)


def test_a_folder_with_the_name_of_a_package_may_hold_a_submission(tmp_path: Path) -> None:
    """Only what is in the project is the project's: here, agents/base.py."""
    mine = {"pacman/mine.py": CODE, "agents/base.py": b"changed", "agents/__init__.py": b""}
    work = read(make_zip(tmp_path / "work.zip", mine))
    assert set(work.files) == {"pacman/mine.py"}
    assert work.notes == ("ignored 2 files of the project: agents/base.py, agents/__init__.py",)


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
