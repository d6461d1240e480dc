"""Tests of what graded code may read."""

from __future__ import annotations

import os
import stat
import sys
import sysconfig
from pathlib import Path

import pytest

from autograder.sandbox import readable_files
from autograder.sandbox.readable_files import give_rights, read_into_memory, readable_paths
from tests.paths import ROOT

if sys.platform != "linux":
    pytest.skip("these walls exist only on Linux", allow_module_level=True)


def test_a_copied_python_has_its_own_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was built for a folder which this process cannot look into. The loaded libpython can be read too."""
    folders = {"LIBDIR": "/" + "x" * 300}  # too long a name: an error for root too
    monkeypatch.setattr(sysconfig, "get_config_var", lambda name: folders.get(name))
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    (tmp_path / "lib").mkdir()
    for name in ("libssl.so.3", "notes.txt"):
        (tmp_path / "lib" / name).touch()
    (tmp_path / "lib-dynload").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path / "lib-dynload"))
    paths = readable_paths.__wrapped__()
    new = {path.relative_to(tmp_path).as_posix() for path in paths if path.is_relative_to(tmp_path)}
    assert new == {"lib/libssl.so.3", "lib-dynload"}
    maps = Path("/proc/self/maps").read_text().splitlines()
    for library in {Path(line[line.index("/") :]).resolve() for line in maps if "/libpython" in line}:
        assert any(library.is_relative_to(path) for path in paths)


def test_a_group_may_read_a_copy_and_not_change_it(tmp_path: Path) -> None:
    (file := tmp_path / "mine.py").touch()
    give_rights(tmp_path, 0o750, os.getgid())
    assert [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path, file)] == [0o750, 0o640]


def test_a_folder_of_the_system_with_this_project_in_it_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As /usr/lib, to which /usr/lib64 is a link on some systems."""
    (tmp_path / "lib64").symlink_to(ROOT.parent)
    monkeypatch.setattr(readable_files, "SYSTEM", (str(tmp_path / "lib64"), str(tmp_path)))
    assert [path for path in readable_paths.__wrapped__() if path.is_relative_to(tmp_path)] == [tmp_path]


def test_parts_of_the_library_that_nothing_imports_cannot_be_read() -> None:
    library = Path(sysconfig.get_path("stdlib")).resolve()
    parts = {part for part in library.iterdir() if part.is_dir()}
    hidden = {part for part in parts if part.name in ("test", "idlelib") or part.name.startswith("config-")}
    paths = {path.resolve() for path in readable_paths()}
    assert not hidden & paths
    assert library / "json" in paths


def test_all_that_graded_code_can_read_is_read_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inside").mkdir()
    files = [tmp_path / "one.so", tmp_path / "inside" / "two.py", tmp_path / "inside" / "three.py"]
    for file in files:
        file.write_bytes(bytes(1 << 19))
    asked: list[int] = []
    monkeypatch.setattr(readable_files, "readable_paths", lambda: (files[0], tmp_path / "inside"))
    monkeypatch.setattr(readable_files, "interpreter", lambda: files[0])
    monkeypatch.setattr(os, "posix_fadvise", lambda file, *_: asked.append(os.fstat(file).st_ino))
    read_into_memory.__wrapped__()
    assert sorted(asked) == sorted(file.stat().st_ino for file in files)
    asked.clear()
    monkeypatch.setattr(readable_files, "MOST_MB_IN_MEMORY", 1)
    read_into_memory.__wrapped__()
    assert len(asked) == 2
