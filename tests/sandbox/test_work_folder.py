"""Copies of students' files: those of a process that was killed are removed, and no others."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.sandbox import work_folder
from autograder.sandbox.work_folder import PREFIX, WorkFolder

HOLD = """
import sys, time
from autograder.sandbox.work_folder import WorkFolder
folder = WorkFolder()
(folder.path / "inside").mkdir()
(folder.path / "inside" / "ada.py").write_text("x = 1")
(folder.path / "inside").chmod(0o500)
print(folder.path, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_only_the_folder_of_a_killed_process_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with WorkFolder() as own:
        (tmp_path / "other").mkdir()
        (tmp_path / f"{PREFIX}link").symlink_to(tmp_path / "other")
        (tmp_path / f"{PREFIX}file").touch()
        with subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdout is not None
            left = Path(holder.stdout.readline().strip())
            work_folder.remove_leftovers.cache_clear()
            work_folder.remove_leftovers()
            is_there = (left / "inside" / "ada.py").is_file()
            holder.kill()
        assert is_there, "its process lives"
        work_folder.remove_leftovers.cache_clear()
        work_folder.remove_leftovers()
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
            ["other", f"{PREFIX}link", f"{PREFIX}file", own.path.name]
        )
    assert not own.path.exists()
