"""Tests of the import bundle (with its bytecode), and of what else graded code may read."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import pytest

from autograder.sandbox import import_bundle
from autograder.sandbox.import_bundle import fill_import_bundle, read_into_memory, readable_paths, unreadable_path


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only file of a small project."""
    source = tmp_path / "project" / "rules.py"
    source.parent.mkdir()
    source.write_text("PLIES = 2\n")
    os.utime(source, (1, 1))
    monkeypatch.setattr(import_bundle, "ROOT", source.parent)
    monkeypatch.setattr(import_bundle, "FILES", ("*.py",))
    return source


def bytecode(folder: Path) -> Path:
    return folder / "__pycache__" / f"rules.{sys.implementation.cache_tag}.pyc"


def test_the_bundle_contains_current_bytecode(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "elsewhere"))  # as PYTHONPYCACHEPREFIX does
    fill_import_bundle(tmp_path)
    facts = (tmp_path / "rules.py").stat()
    assert (int(facts.st_mtime), facts.st_size) == (1, len("PLIES = 2\n"))
    header = bytecode(tmp_path).read_bytes()[8:16]
    assert [int.from_bytes(header[:4], "little"), int.from_bytes(header[4:], "little")] == [1, facts.st_size]


def test_python_uses_the_bytecode(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_import_bundle(tmp_path)
    (tmp_path / "rules.py").write_text("PLIES = 9\n")  # as long, and with the same date: only the bytecode knows 2
    os.utime(tmp_path / "rules.py", (1, 1))
    monkeypatch.syspath_prepend(str(tmp_path))
    import rules  # type: ignore[import-not-found]

    assert rules.PLIES == 2
    del sys.modules["rules"]


@pytest.mark.skipif(os.name == "nt", reason="without walls, nothing needs it")
def test_reading_a_file_of_the_bundle_leaves_no_trace(source: Path, tmp_path: Path) -> None:
    fill_import_bundle(tmp_path)
    places = [tmp_path / "__pycache__", *(path for path in tmp_path.rglob("*.py*") if path.is_file())]
    before = [place.stat().st_atime_ns for place in places]
    for place in places:
        place.read_bytes() if place.is_file() else os.listdir(place)
    assert [place.stat().st_atime_ns for place in places] == before
    assert min(before) > max(place.stat().st_ctime_ns for place in places)  # Linux notes a reading only after this


@pytest.fixture
def copied_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The prefix of a Python that was built for a folder which this process cannot look into."""
    folders = {"LIBDIR": "/" + "x" * 300}  # too long a name: an error for root too
    monkeypatch.setattr(sysconfig, "get_config_var", lambda name: folders.get(name))
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    (tmp_path / "lib").mkdir()
    return tmp_path


def test_a_copied_python_has_its_own_libraries(copied_python: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("libssl.so.3", "notes.txt"):
        (copied_python / "lib" / name).touch()
    (copied_python / "lib-dynload").mkdir()
    monkeypatch.syspath_prepend(str(copied_python / "lib-dynload"))
    paths = readable_paths.__wrapped__()
    new = {path.relative_to(copied_python).as_posix() for path in paths if path.is_relative_to(copied_python)}
    assert new == {"lib/libssl.so.3", "lib-dynload"}


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="needs /proc")
def test_the_loaded_libpython_can_be_read(copied_python: Path) -> None:
    maps = Path("/proc/self/maps").read_text().splitlines()
    loaded = {Path(line[line.index("/") :]).resolve() for line in maps if "/libpython" in line}
    if not loaded:
        pytest.skip("this Python has no shared library")
    paths = readable_paths.__wrapped__()
    assert all(any(library.is_relative_to(path) for path in paths) for library in loaded)


@pytest.mark.skipif(os.name == "nt", reason="needs the rights of a POSIX file")
def test_a_private_file_can_be_read_by_its_owner_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "python"
    file.touch(0o600)
    monkeypatch.setattr(import_bundle, "interpreter", lambda: file)
    monkeypatch.setattr(import_bundle, "readable_paths", tuple)
    assert unreadable_path.__wrapped__() == file
    assert unreadable_path.__wrapped__(file.stat().st_uid) is None


@pytest.mark.skipif(sys.platform != "linux", reason="these walls exist only on Linux")
def test_parts_of_the_library_that_nothing_imports_cannot_be_read() -> None:
    library = Path(sysconfig.get_path("stdlib")).resolve()
    parts = {part for part in library.iterdir() if part.is_dir()}
    hidden = {part for part in parts if part.name in ("test", "idlelib") or part.name.startswith("config-")}
    paths = {path.resolve() for path in readable_paths()}
    assert not hidden & paths
    assert library / "json" in paths


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be asked to read files ahead")
def test_all_that_graded_code_can_read_is_read_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inside").mkdir()
    files = [tmp_path / "one.so", tmp_path / "inside" / "two.py", tmp_path / "inside" / "three.py"]
    for file in files:
        file.write_bytes(bytes(1 << 19))
    asked: list[int] = []
    monkeypatch.setattr(import_bundle, "readable_paths", lambda: (files[0], tmp_path / "inside"))
    monkeypatch.setattr(import_bundle, "interpreter", lambda: files[0])
    monkeypatch.setattr(os, "posix_fadvise", lambda file, *_: asked.append(os.fstat(file).st_ino))
    read_into_memory.__wrapped__()
    assert sorted(asked) == sorted(file.stat().st_ino for file in files)
    asked.clear()
    monkeypatch.setattr(import_bundle, "MOST_MB_IN_MEMORY", 1)
    read_into_memory.__wrapped__()
    assert len(asked) == 2
