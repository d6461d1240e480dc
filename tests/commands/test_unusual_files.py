"""Pipes, loops of links, long lines, full disks, and reports over other files: one line, status 2, and nothing lost."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from autograder.sandbox import readable_files
from pacman.commands import app as cli
from pacman.commands.output import check_no_loss
from pacman.core.errors import InputError
from pacman.core.files import whole_file
from tests.command_line import run_here
from tests.paths import ROOT

TREE = ROOT / "docs/tree.txt"
PIPES = [
    ["pacman", "solve", "pipe"],
    ["pacman", "solve", "pipe.lay"],
    ["pacman", "replay", "pipe"],
    ["pacman", "film", "pipe", "--out", "film.gif"],
    ["autograder", "case", "pipe.yaml", "--agent", "right.py:MinimaxAgent"],
    ["autograder", "case", "q1/01-tree-a", "--assignment", "warm-up", "--agent", "pipe"],
    ["autograder", "explain", "tree.txt", "--agent", "pipe", "--out", "page.html"],
    ["autograder", "grade", "right.py", "--key", "pipe"],
    ["autograder", "grade-all", ".", "--store", "class.db", "--roster", "pipe"],
    ["autograder", "grade-all", "pipe", "--store", "class.db"],
    ["autograder", "grade-all", "/dev/zero", "--store", "class.db"],
    ["autograder", "gradebook", "--store", "pipe", "--out", "-"],
    ["autograder", "gradescope", "--key", "pipe", "--out", "upload.zip"],
]
MADE_BY_THE_SYSTEM = {
    "(known: none)": ["autograder", "grade-all", ".", "--store", "class.db", "--roster", "/proc/self/status"],
    "is a pipe or a device; ": ["autograder", "grade-all", "/proc/self/status", "--store", "class.db"],
    "not a key; ": ["autograder", "grade", "right.py", "--key", "/proc/self/status"],
    "the layout is empty; ": ["pacman", "play", "--layout", "/proc/self/status"],
}
"""The end of a message -> a command with a file that is not read, because it can be endless (as /proc/kmsg)."""
LOOPS = [
    ["autograder", "case", "loop.yaml", "--agent", "right.py"],
    ["autograder", "grade-all", ".", "--store", "loop"],
    ["autograder", "explain", "loop", "--out", "page.html"],
    ["pacman", "solve", "loop"],
    ["pacman", "replay", "loop"],
]
REPORTS = [
    ["autograder", "grade", "right.py", "--html", "right.py"],
    ["autograder", "grade", "right.py", "--json=./right.py"],
    ["autograder", "grade", "right.py", "--html", "link.html"],
    ["autograder", "grade", "other.py", "--markdown", "right.py"],
    ["autograder", "grade", "right.py", "--html", "report", "--json", "report"],
    ["autograder", "explain", "tree.txt", "--agent", "right.py:MinimaxAgent", "--out", "right.py"],
    ["autograder", "explain", "tree.txt", "--out", "tree.txt"],
    ["autograder", "practice", "--out", "right.py"],
    ["pacman", "solve", "tree.txt", "--json", "tree.txt"],
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder of a command, with a right file, a tree, pipes and links to themselves."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "autograder/assignments/warm-up/solutions.py", "right.py")
    shutil.copy("right.py", "other.py")
    shutil.copy(TREE, "tree.txt")
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    for name in ("pipe", "pipe.yaml", "pipe.lay"):
        os.mkfifo(name)
    for name in ("loop", "loop.yaml"):
        os.symlink(name, name)
    os.symlink("right.py", "link.html")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("words", [*PIPES, *MADE_BY_THE_SYSTEM.values(), *LOOPS, *REPORTS], ids=" ".join)
def test_one_line_and_nothing_lost(words: list[str], folder: Path) -> None:
    if words in MADE_BY_THE_SYSTEM.values() and not os.path.exists("/proc/self/status"):
        pytest.skip("this system has no files that it makes while they are read")
    before = contents(folder)
    done = run_here(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"python -m {words[0]}: ")
    assert len(done.stderr.splitlines()) == 1
    assert len(done.stderr) < 1000
    assert all(text in done.stderr for text, command in MADE_BY_THE_SYSTEM.items() if command == words)
    if words in PIPES:
        assert "is a pipe or a device; expected " in done.stderr
    assert contents(folder) == before


def test_a_pipe_of_the_shell_is_read() -> None:
    """As in `solve <(PROGRAM)`: a program writes into it, so reading ends."""
    ours, its = os.pipe()
    os.write(its, TREE.read_bytes())
    os.close(its)
    done = run_here("pacman", "solve", f"/dev/fd/{ours}")
    os.close(ours)
    assert done.returncode == 0, done.stderr


def test_a_long_line_of_a_file_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    cli.print_error("pacman", "x" * 100_000 + "\nsecond line")
    first, second = capsys.readouterr().err.splitlines()
    assert (len(first), second) == (len("python -m pacman: ") + cli.MOST_CHARACTERS, "second line")


def no_space(*_: object) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("is_new", [False, True])
def test_a_full_disk_leaves_what_was_there(is_new: bool, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    if not is_new:
        path.write_text("old")
        path.chmod(0o640)
    with pytest.raises(OSError, match="No space"), whole_file(path, is_new) as file:
        no_space(file.write(b"half"))
    assert [each.name for each in tmp_path.iterdir()] == ([] if is_new else ["report.html"])
    with whole_file(path, is_new) as file:
        file.write(b"whole")
    assert path.read_bytes() == b"whole"
    if not is_new:
        assert path.stat().st_mode & 0o777 == 0o640


def test_a_report_replaces_no_key_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "course.key").write_text("key")
    (tmp_path / "old.html").write_text("old")
    for name, target in (("r.html", "course.key"), ("new.html", "old.html"), ("broken.html", "none.key")):
        (tmp_path / name).symlink_to(target)
    with pytest.raises(InputError, match=r"r\.html: cannot be written: this file exists and is no report; choose"):
        check_no_loss(tmp_path / "r.html")
    check_no_loss(tmp_path / "new.html")
    check_no_loss(tmp_path / "broken.html")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError(errno.ENAMETOOLONG, "File name too long", "x/y"), "x/y: file name too long"),
        (OSError(errno.EIO, "Input/output error"), "input/output error"),
        (OSError(errno.ENOSPC, "No space left on device"), "no space left on device, for the output or for temporary"),
    ],
)
def test_an_error_of_the_system_names_the_file(error: OSError, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(*_: object, **__: object) -> NoReturn:
        raise error

    with pytest.raises(SystemExit):
        cli.run(fails, "pacman")
    assert capsys.readouterr().err.startswith(f"python -m pacman: {line}")


def test_a_new_file_has_its_rights_and_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "course.key"
    with whole_file(path, is_new=True, rights=0o600) as file:
        file.write(b"key")
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError), whole_file(path, is_new=True) as file:
        file.write(b"other")
    assert path.read_bytes() == b"key"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has a device that is always full")
@pytest.mark.parametrize(
    "words",
    [["autograder", "practice", "--out", "/dev/full"], ["pacman", "solve", str(TREE), "--json", "/dev/full"]],
    ids=" ".join,
)
def test_a_full_device_is_one_line(words: list[str]) -> None:
    done = run_here(*words)
    assert done.returncode == 2
    assert "no space left on device" in done.stderr.lower()
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_of_libraries_that_may_not_be_entered_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the running Python were a copy of one in the home of somebody else."""
    entered: Any = os.access
    monkeypatch.setattr(readable_files.sysconfig, "get_config_var", lambda name: str(tmp_path))
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path and entered(path, mode))
    monkeypatch.setattr(Path, "glob", lambda folder, pattern: no_space() if folder == tmp_path else iter(()))
    assert readable_files._shared_libraries() == []


def test_a_report_replaces_no_code_whatever_the_letters_of_its_ending(tmp_path: Path) -> None:
    for name in ("MINE.PY", "Course.Key", "class.DB"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(InputError, match="this file exists and is no report"):
            check_no_loss(tmp_path / name)
