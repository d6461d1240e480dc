"""docs/authoring.md: its files are written, its commands run, one after the other, and what they print is what it says.

UPDATE_README=1 writes the outputs anew; read the difference.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.documented_commands import ROOT, commands, plain, printed, rewriting, run

PAGE = ROOT / "docs" / "authoring.md"
BLOCK = re.compile(r"```(yaml|console|sh)\n(.*?)```", re.S)


@pytest.mark.skipif(os.name == "nt", reason="the page's commands are a POSIX shell's")
def test_an_assignment_is_made_as_the_guide_says(tmp_path: Path) -> None:
    for name in ("agents", "docs", "autograder/assignments"):
        shutil.copytree(ROOT / name, tmp_path / name)
    text = PAGE.read_text(encoding="utf-8")
    for kind, block in BLOCK.findall(text):
        if kind == "yaml":  # the first line is a comment with the name of the file
            file = tmp_path / block.partition("\n")[0].removeprefix("# ")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.partition("\n")[2], encoding="utf-8")
        elif kind == "sh":
            done = run(f"set -e\n{block}", tmp_path)
            assert done.returncode == 0, done.stdout + done.stderr
        else:
            shown = "".join(f"$ {command}\n{printed(run(command, tmp_path))}" for command, _ in commands(block))
            text = text.replace(block, shown)
            assert rewriting() or plain(shown) == plain(block)
    if rewriting():
        PAGE.write_text(text, encoding="utf-8")
    students = tmp_path / "week4-students"
    assert not [file for file in students.rglob("*.yaml") if "hidden" in file.read_text(encoding="utf-8")]
    assert (tmp_path / "week4.zip").stat().st_size
