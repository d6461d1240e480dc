"""What may be handed in, and what an archive or a folder must not do to the grader."""

from __future__ import annotations

import gzip
import importlib.util
import io
import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from autograder.sandbox.submission_files import MAX_BYTES, MAX_FILES, read
from pacman.commands import cli
from pacman.core.errors import InputError
from tests.sandbox.hostile_lab import HOSTILE

CODE = b"class MinimaxAgent: pass\n"


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def taped(path: Path, *members: tarfile.TarInfo, mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as tape:  # type: ignore[call-overload]
        for member in members:
            tape.addfile(member, io.BytesIO(b"x" * member.size) if member.isreg() else None)
    return path


def member(name: str, size: int = 1, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname = (size if kind == tarfile.REGTYPE else 0), kind, "/etc/passwd"
    return info


def test_a_file_comes_with_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(CODE)
    (tmp_path / "tools.py").write_bytes(b"x = 1\n")
    (tmp_path / "notes.txt").write_bytes(b"no code")
    work = read(tmp_path / "mine.py")
    assert work.named == "mine.py"
    assert work.files == {"mine.py": CODE, "tools.py": b"x = 1\n"}


def test_a_file_with_an_odd_name_is_graded_under_a_plain_one(tmp_path: Path) -> None:
    odd = tmp_path / "mine; rm -rf $HOME\n.py"
    try:
        odd.write_bytes(CODE)
    except OSError:
        pytest.skip("no such names on this system")
    assert read(odd).named == "submission.py"


@pytest.mark.parametrize("suffix", ["zip", "tar", "tar.gz", "tgz"])
def test_archives(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"work.{suffix}"
    if suffix == "zip":
        zipped(path, {"hw/mine.py": b"x", "hw/readme.md": b"y", "__MACOSX/hw/._mine.py": b"z", "hw/.DS_Store": b""})
    else:
        members = [
            member("./hw", kind=tarfile.DIRTYPE),
            member("./hw/mine.py"),
            member("hw/readme.md"),
            member("hw/._x"),
        ]
        taped(path, *members, mode="w" if suffix == "tar" else "w:gz")
    work = read(path)
    assert work.files == {"hw/mine.py": b"x"}
    assert not work.named


def test_a_folder_is_read_in_depth(tmp_path: Path) -> None:
    (tmp_path / "hw/parts").mkdir(parents=True)
    (tmp_path / "hw/mine.py").write_bytes(CODE)
    (tmp_path / "hw/parts/more.py").write_bytes(b"y")
    (tmp_path / "hw/__pycache__").mkdir()
    (tmp_path / "hw/__pycache__/mine.py").write_bytes(b"stale")
    assert read(tmp_path / "hw").files == {"mine.py": CODE, "parts/more.py": b"y"}


@pytest.mark.parametrize("name", ["73_zip_slip", "74_zip_symlink", "76_zip_bomb"])
def test_a_hostile_archive_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "work.zip"
    program(name).build_archive(str(path))
    with pytest.raises(InputError, match=r"work\.zip: ") as raised:
        read(path)
    assert "\n" not in str(raised.value)
    assert list(tmp_path.iterdir()) == [path]
    assert not Path("/tmp/abs_evil.py").exists()


@pytest.mark.parametrize("name", ["58_yaml_tags", "59_shadow_stdlib", "77_hostile_names"])
def test_hostile_companions_of_a_file(name: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(CODE)
    program(name).build_extra(str(tmp_path))
    work = read(tmp_path / "mine.py")
    assert work.files["mine.py"] == CODE
    assert all(file.isprintable() and file.endswith(".py") and len(file) < 255 for file in work.files)
    if name == "77_hostile_names":
        with pytest.raises(InputError, match="a file named"):
            read(tmp_path)


def program(name: str):  # type: ignore[no-untyped-def]
    spec = importlib.util.spec_from_file_location(name, HOSTILE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


REFUSED = {
    "up and out": ({"../evil.py": CODE}, "a file named '../evil.py'; expected a plain name inside the submission"),
    "from the root": ({"/tmp/evil.py": CODE}, "a file named '/tmp/evil.py'"),
    "a drive": ({"C:\\evil.py": CODE}, "a file named"),
    "steering": ({"a\u202eyp.py": CODE}, "a file named"),
    "an option": ({"-rf.py": CODE}, "expected letters, digits"),
    "a long name": ({"x" * 200 + ".py": CODE}, "a file named"),
    "case": ({"Mine.py": CODE, "mine.py": CODE}, "two files named 'mine.py'; expected each name once"),
    "nothing": ({"readme.md": CODE}, "no Python file in this archive"),
    "too many": ({f"f{n}.py": b"" for n in range(MAX_FILES + 1)}, f"more than {MAX_FILES} Python files"),
    "too much": ({"mine.py": b"#" * (MAX_BYTES + 1)}, f"the Python files hold more than {MAX_BYTES:,} bytes"),
    "members": ({f"f{n}.txt": b"" for n in range(2001)}, "more than 2,000 files"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_an_archive_must_not_hold(name: str, tmp_path: Path) -> None:
    members, error = REFUSED[name]
    with pytest.raises(InputError) as raised:
        read(zipped(tmp_path / "work.zip", members))
    assert error in str(raised.value)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_a_tape_holds_nothing_but_files(kind: bytes, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'mine.py' is a link or no regular file"):
        read(taped(tmp_path / "work.tgz", member("mine.py", kind=kind)))


def test_a_bomb_beside_the_code_is_not_unpacked(tmp_path: Path) -> None:
    big = member("movie.bin", size=80 << 20)
    with pytest.raises(InputError, match="unpacks to more than"):
        read(taped(tmp_path / "work.tgz", big, member("mine.py")))


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.DIRTYPE])
def test_a_bomb_in_the_headers_of_a_tape(kind: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a header says of the next member is no member, and a folder has no size: both are budgeted all the same."""
    monkeypatch.setattr("autograder.sandbox.submission_files.MAX_ARCHIVE", 1 << 20)
    head = member("x", kind=kind)
    head.size = 0 if kind == tarfile.DIRTYPE else 2 << 20
    block = head.tobuf(tarfile.GNU_FORMAT)
    bomb = block * 3000 if kind == tarfile.DIRTYPE else block + bytes(2 << 20)
    work = member("mine.py", size=0).tobuf(tarfile.GNU_FORMAT)
    path = tmp_path / "work.tgz"
    path.write_bytes(gzip.compress(bomb + work + bytes(1024)))
    with pytest.raises(InputError, match="unpacks to more than"):
        read(path)


def test_folders_without_end(tmp_path: Path) -> None:
    (tmp_path / "hw" / "/".join("d" * 70)).mkdir(parents=True)
    with pytest.raises(InputError, match="more than 60 folders inside one another"):
        read(tmp_path / "hw")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", b"\x1f\x8b\x08\x00broken", b"plain text"])
@pytest.mark.parametrize("suffix", ["zip", "tar.gz"])
def test_what_is_no_archive(content: bytes, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"work.{suffix}"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not an archive that can be read|no Python file in this archive"):
        read(path)


def test_an_archive_that_lies_about_its_sizes(tmp_path: Path) -> None:
    path = zipped(tmp_path / "work.zip", {"mine.py": b"#" * (2 * MAX_BYTES)})
    data = path.read_bytes()
    path.write_bytes(data.replace((2 * MAX_BYTES).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with pytest.raises(InputError):
        read(path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_folder_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(CODE)
    (tmp_path / "other.py").symlink_to("/etc/passwd")
    with pytest.raises(InputError, match="'other.py' is a link; expected files themselves"):
        read(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files on this system")
def test_a_folder_with_a_pipe_does_not_wait_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mine.py")
    with pytest.raises(InputError, match="'mine.py' is no regular file"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("missing.py", None, "no such file or folder"),
        ("mine.txt", CODE, "not a Python file; expected a name that ends in .py, a folder, or .zip"),
        ("mine.py", b" \n", "the file is empty"),
        ("mine.py", b"#" * (MAX_BYTES + 1), "a submission has at most"),
    ],
)
def test_files_that_are_no_submission(name: str, content: bytes | None, error: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as raised:
        read(tmp_path / name)
    assert error in str(raised.value)


def test_the_name_of_a_file_steers_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    def command(*words: object, **options: object) -> None:
        raise InputError("a\x1b[2Jb\u202e.py: no such file or folder")

    with pytest.raises(SystemExit):
        cli.run(command, "autograder")
    assert capsys.readouterr().err == "python -m autograder: a\ufffd[2Jb\ufffd.py: no such file or folder\n"
