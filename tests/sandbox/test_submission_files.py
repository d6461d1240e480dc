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


def make_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


@pytest.fixture
def homework(tmp_path: Path) -> Path:
    """A folder with one file, and a helper file beside it."""
    (tmp_path / "hw").mkdir()
    (tmp_path / "hw/mine.py").write_bytes(CODE)
    (tmp_path / "tools.py").write_bytes(b"x = 1\n")
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
    """The same names and contents have the same digest; a helper of the course changes nothing."""
    packed = make_zip(tmp_path / "work.zip", {"notes.txt": b"hello", "mine.py": CODE})
    same = [read(path) for path in (homework, homework / "mine.py", packed)]
    assert {work.digest for work in [*same, read(packed, [tmp_path / "tools.py"])]} == {same[0].digest}
    others = ({}, {"a.py": b"bc"}, {"a.pyb": b"c"}, {"a.py": b"b", "c": b""}, {"b": b"", "a.py": b"b"}, {"c.py": b"b"})
    assert len({SubmissionFiles(files).digest for files in others}) == len(others)
    assert SubmissionFiles({"a": b"1", "b": b"2"}).digest == SubmissionFiles({"b": b"2", "a": b"1"}).digest


@pytest.mark.parametrize("kind", ["file", "folder", "zip"])
def test_a_helper_is_added_by_name_only(kind: str, homework: Path, tmp_path: Path) -> None:
    path = {"file": homework / "mine.py", "folder": homework}.get(kind)
    work = read(path or make_zip(tmp_path / "work.zip", {"mine.py": CODE}), [tmp_path / "tools.py"])
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
    with pytest.raises(InputError, match=f"{re.escape(error)}$"):
        read(tmp_path / "hw/mine.py", [tmp_path / name])


def test_helpers_count_for_the_number_of_files(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(CODE)
    helpers = [tmp_path / f"h{number}.py" for number in range(MAX_FILES)]
    for helper in helpers:
        helper.write_bytes(b"x")
    with pytest.raises(InputError, match=f"more than {MAX_FILES} Python files"):
        read(tmp_path / "mine.py", helpers)
    assert len(read(tmp_path / "mine.py", helpers[1:]).files) == MAX_FILES


def test_a_file_with_an_unsafe_name_gets_a_safe_one(tmp_path: Path) -> None:
    unsafe = tmp_path / "mine; rm -rf $HOME\n.py"
    try:
        unsafe.write_bytes(CODE)
    except OSError:
        pytest.skip("this system does not allow the name")
    (tmp_path / "submission.py").write_bytes(b"x = 1\n")
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


@pytest.mark.parametrize("kind", ["file", "folder", "zip", "zip without the UTF-8 flag"])
@pytest.mark.parametrize("name", NAMES)
def test_names_in_every_script_are_accepted(name: str, kind: str, tmp_path: Path) -> None:
    if kind in ("file", "folder"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_bytes(CODE)
        path.with_name(f"ä{path.name}").write_bytes(b"y")  # in the folder only
        if kind == "file":
            assert read(path) == SubmissionFiles({path.name: CODE}, path.name)
        else:
            assert read(tmp_path).files == {name: CODE, f"{path.parent.name}/ä{path.name}": b"y"}
        return
    path = make_zip(tmp_path / "work.zip", {name: CODE})
    if kind != "zip":
        data = path.read_bytes()  # clears the flag in the header of the file and in the directory at the end
        for start, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            place = data.index(start) + offset + 1
            data = data[:place] + bytes([data[place] & ~0x08]) + data[place + 1 :]
        path.write_bytes(data)
    assert read(path).files == {name: CODE}


def test_the_two_spellings_of_an_umlaut_are_one_name(tmp_path: Path) -> None:
    """macOS writes "ü" as two characters. A file system may treat both spellings as the same file."""
    with pytest.raises(InputError, match="two files named"):
        read(make_zip(tmp_path / "work.zip", {"\u00fc.py": CODE, "u\u0308.py": CODE}))


def test_a_zip_has_files_in_a_folder_and_what_macos_adds(tmp_path: Path) -> None:
    members = {"hw/mine.py": b"x", "hw/readme.md": b"y", "__MACOSX/hw/._mine.py": b"z", "hw/.DS_Store": b""}
    work = read(make_zip(tmp_path / "work.zip", members))
    assert work.files == {"hw/mine.py": b"x"}
    assert not work.requested_file


@pytest.mark.parametrize("suffix", ["tar", "tar.gz", "tgz"])
def test_a_tar_is_not_read(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"work.{suffix}").write_bytes(b"whatever is in it")
    with pytest.raises(InputError, match=rf"work\.{suffix}: a tar archive is not read; hand in a zip$"):
        read(tmp_path / f"work.{suffix}")


def test_subfolders_are_read(homework: Path) -> None:
    for name, content in (("parts/more.py", b"y"), ("__pycache__/mine.py", b"stale")):
        (homework / name).parent.mkdir()
        (homework / name).write_bytes(content)
    assert read(homework).files == {"mine.py": CODE, "parts/more.py": b"y"}


@pytest.mark.parametrize("name", ["zip_slip", "zip_bomb"])
def test_a_hostile_archive_is_refused(name: str, tmp_path: Path) -> None:
    path, target = tmp_path / "work.zip", Path("/tmp/abs_evil.py")
    was_there = target.exists()  # everybody may write there
    getattr(archives, name)(str(path))
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"work\.zip: ") as raised:
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 4 * MAX_BYTES  # one of them unpacks to 128 MB
    finally:
        tracemalloc.stop()
    assert "\n" not in str(raised.value)
    assert list(tmp_path.iterdir()) == [path]
    assert target.exists() == was_there


@pytest.mark.parametrize("name", ["yaml_tags", "shadow_stdlib", "hostile_names"])
def test_hostile_files_in_the_same_folder_do_no_harm(name: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(CODE)
    getattr(archives, name)(str(tmp_path))
    assert read(tmp_path / "mine.py").files == {"mine.py": CODE}
    if name == "hostile_names":
        with pytest.raises(InputError, match="file name .* is not allowed"):
            read(tmp_path)


REFUSED = {
    "up and out": ({"../evil.py": CODE}, "file name '../evil.py' is not allowed: it leads outside the submission"),
    "from the root": (
        {"/tmp/evil.py": CODE},
        "file name '/tmp/evil.py' is not allowed: it leads outside the submission",
    ),
    "a drive": ({"C:\\evil.py": CODE}, "it must not contain ':'"),
    "a direction character": ({"a\u202eyp.py": CODE}, "it must not contain the invisible character U+202E"),
    "an option": ({"-rf.py": CODE}, "it must not start with '-'"),
    "a formula": ({"=1+1.py": CODE}, "it must not start with '='"),
    "a joker": ({"a*.py": CODE}, "it must not contain '*'"),
    "a long part": ({"作" * 90 + ".py": CODE}, "a folder or file name in it has more than 240 bytes"),
    "a long name": ({"x" * 200 + ".py": CODE}, "it has more than 120 characters"),
    "case": ({"Mine.py": CODE, "mine.py": CODE}, "two files named 'mine.py'; expected each name once"),
    "nothing": ({"readme.md": CODE}, "no Python file in this archive"),
    "too many": ({f"f{n}.py": b"" for n in range(MAX_FILES + 1)}, f"more than {MAX_FILES} Python files"),
    "too much": ({"mine.py": b"#" * (MAX_BYTES + 1)}, f"the Python files together have more than {MAX_BYTES:,} bytes"),
    "members": ({f"f{n}.txt": b"" for n in range(2001)}, "more than 2,000 files"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_archive_that_breaks_a_rule_is_refused(name: str, tmp_path: Path) -> None:
    members, error = REFUSED[name]
    with pytest.raises(InputError, match=re.escape(error)):
        read(make_zip(tmp_path / "work.zip", members))


def test_a_zip_with_a_large_directory_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "work.zip"
    entry = b"PK\x01\x02" + bytes(42)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 40_000 * len(entry), 0, 0)
    path.write_bytes(entry * 40_000 + end)
    with pytest.raises(InputError, match="more than 2,000 files"):
        read(path)


def test_folders_nested_too_deeply_are_refused(tmp_path: Path) -> None:
    (tmp_path / "hw" / "/".join("d" * 70)).mkdir(parents=True)
    with pytest.raises(InputError, match="folders nested more than 60 deep"):
        read(tmp_path / "hw")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", b"plain text"])
def test_a_damaged_archive_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "work.zip"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a readable archive"):
        read(path)


def test_an_archive_with_false_sizes_is_refused(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "work.zip", {"mine.py": b"#" * (2 * MAX_BYTES)})
    data = path.read_bytes()
    path.write_bytes(data.replace((2 * MAX_BYTES).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with pytest.raises(InputError):
        read(path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need special rights on Windows")
@pytest.mark.parametrize("line", ["import other", "from other import x", "def f():\n    from . import a, other"])
def test_a_link_that_is_imported_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(CODE + line.encode())
    (tmp_path / "other.py").symlink_to("/etc/passwd")
    with pytest.raises(InputError, match="'other.py' is a link; hand in the file itself"):
        read(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need special rights on Windows")
def test_a_link_that_nothing_needs_is_ignored_and_noted(homework: Path, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private/secret.py").write_bytes(b"secret")
    (homework / "other.py").symlink_to(tmp_path / "private/secret.py")
    (homework / "more").symlink_to(tmp_path / "private")
    (homework / "up").symlink_to(homework)
    work = read(homework)
    assert work.files == {"mine.py": CODE}
    assert work.notes == ("ignored 3 links: more, other.py, up",)


@pytest.mark.skipif(sys.platform == "win32", reason="links need special rights on Windows")
@pytest.mark.parametrize("name", ["mine.py", "folder", "hw.zip"])
def test_the_named_file_must_not_be_a_link(name: str, homework: Path, tmp_path: Path) -> None:
    (tmp_path / name).symlink_to(homework if name == "folder" else homework / "mine.py")
    with pytest.raises(InputError, match="this is a link; name the file or folder that it leads to"):
        read(tmp_path / name)
    (tmp_path / "above").symlink_to(homework)
    assert read(tmp_path / "above/mine.py").files == {"mine.py": CODE}  # only the last part must not be a link


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
    with pytest.raises(InputError, match="cannot be read: too many levels of symbolic links"):
        read(file if kind == "file" else homework)


def test_links_in_an_archive_are_never_followed(tmp_path: Path) -> None:
    path = tmp_path / "work.zip"
    archives.zip_symlink(str(path))
    work = read(path)
    assert work.files == {"d/through_link.py": b"x=1"}
    assert work.links == ("agent.py", "ref", "d")


KIT = [path for top in ("pacman", "agents", "autograder", "tests") for path in (ROOT / top).rglob("*.py")]
STUDENT = "agents/student.py"


@pytest.mark.parametrize("folder", ["", "search-main/"])
@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_a_kit_that_is_handed_back_counts_as_its_students_file(kind: str, folder: str, tmp_path: Path) -> None:
    kit = {folder + path.relative_to(ROOT).as_posix(): path.read_bytes() for path in KIT}
    mine = {folder + STUDENT: CODE, folder + "agents/tools.py": b"x = 1\n", folder + "copy.py": b"\n" + ANSWERS}
    if kind == "zip":
        path = make_zip(tmp_path / "work.zip", kit | mine)
    else:
        path = tmp_path / "hw"
        for name, content in (kit | mine).items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(content)
    work = read(path)
    assert work.files == {folder + STUDENT: CODE, folder + "agents/tools.py": b"x = 1\n"}
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
    with pytest.raises(InputError, match="only files of the project in this archive; expected your own Python file"):
        read(make_zip(tmp_path / "kit.zip", {"autograder/assignments/multiagent/solutions.py": ANSWERS}))


def test_the_digest_has_the_name_of_the_file_that_somebody_chose() -> None:
    both = SubmissionFiles({"a.py": CODE, "b.py": b"x = 1"})
    assert both.digest != replace(both, requested_file="a.py").digest != replace(both, requested_file="b.py").digest
    assert SubmissionFiles({"a.py": CODE}).digest == SubmissionFiles({"a.py": CODE}, "a.py").digest


@pytest.mark.parametrize("names", [("a.py", "a.py/b.py"), ("a.py/b.py", "A.py"), ("x/a.py", "x/a.py/c/b.py")])
def test_a_file_and_a_folder_of_one_name_are_named(names: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"work\.zip: '(x/)?[aA]\.py' is the name of a file and of a folder; rename"):
        read(make_zip(tmp_path / "work.zip", dict.fromkeys(names, CODE)))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mine.py")
    with pytest.raises(InputError, match="'mine.py' is not a regular file"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("missing.py", None, "no such file or folder"),
        ("mine.txt", CODE, "not a Python file; expected a name that ends in .py, a folder, or a zip"),
        ("mine.py", b" \n", "the file is empty"),
        ("mine.py", b"#" * (MAX_BYTES + 1), "a submission may have"),
    ],
)
def test_a_file_that_is_not_a_submission_is_refused(
    name: str, content: bytes | None, error: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=re.escape(error)):
        read(tmp_path / name)


def test_a_file_name_cannot_control_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    def command(*words: object, **options: object) -> None:
        raise InputError("a\x1b[2Jb\u202e.py: no such file or folder")

    with pytest.raises(SystemExit):
        cli.run(command, "autograder")
    assert capsys.readouterr().err == "python -m autograder: a\ufffd[2Jb\ufffd.py: no such file or folder\n"
