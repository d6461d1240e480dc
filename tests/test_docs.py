"""Every page of the documentation is followed: its files are written, its commands run, its changes made.

In a copy of the checkout, in order. What a command prints must be what the page shows. UPDATE_README=1 writes the
outputs anew; read the difference. Blocks of a page:

- `console`: commands after `$`, each with its output;
- `sh`: commands whose output does not matter; games in a window are drawn without a screen, fast, and cut short;
- `yaml`, and `python` whose first line is a comment with a path: a file;
- `diff`: lines of one file to take out and put in; its first line is a comment with the path.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import zipfile
from pathlib import Path

import pytest

from autograder.sandbox import check_sandbox
from tests.documented_commands import ROOT, commands, plain, printed, rewriting, run

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```(console|sh|yaml|diff|python)\n(.*?)```", re.S)
WINDOW = re.compile(r"^(pacman-search (?:play|watch)\b(?!.*--view)[^#\n]*)(#.*)?$", re.M)
COPIED = ("agents", "autograder", "docs", "layouts", "pacman", "tests", "setup.cfg", "LICENSE")


def check_authoring(folder: Path) -> None:
    with zipfile.ZipFile(folder / "week4-students.zip") as archive:
        assert not [name for name in archive.namelist() if name.endswith(".yaml") and b"hidden" in archive.read(name)]
    assert (folder / "week4.zip").stat().st_size


def check_gradescope(folder: Path) -> None:
    """A strong sandbox gives full marks (with 99 % of the keys), a weak one gives none, and says why."""
    results = json.loads((folder / "try" / "results" / "results.json").read_text(encoding="utf-8"))
    assert results["score"] == (30 if check_sandbox().level.is_safe else 0)
    assert all((folder / name).stat().st_size for name in ("q2.json", "q2.md", "q2.xml", "results.json"))


CHECKS = {"authoring.md": check_authoring, "gradescope.md": check_gradescope}
"""What must be in the folder after a page was followed."""


def follow(page: Path, folder: Path) -> str:
    """Does what a page says in a folder; returns the page with the outputs that came."""
    text = page.read_text(encoding="utf-8")
    for kind, block in BLOCK.findall(text):
        first, _, rest = block.partition("\n")
        if kind == "console":
            text = text.replace(block, console(block, folder))
        elif kind == "sh":
            script = WINDOW.sub(short_game, block)
            done = run(f"set -e\n{script}", folder, PYTHONPATH=str(folder), SDL_VIDEODRIVER="dummy")
            assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
        elif file := re.fullmatch(r"# ([\w./-]+\.\w+)", first):
            path = folder / file[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(patched(path, rest) if kind == "diff" else rest, encoding="utf-8")
    return text


def short_game(command: re.Match[str]) -> str:
    """The command for a game of a few moves. A student's agents are not written: their fault is right."""
    unwritten = " || [ $? -eq 1 ]" if ".py:" in command[1] else ""
    return f"{command[1]} --speed 1000 --max-plies 12 --no-hold{unwritten}"


def console(block: str, folder: Path) -> str:
    """A console block with what its commands print now."""
    shown = ""
    for command, output in commands(block):
        got = printed(run(command, folder, PYTHONPATH=str(folder)))
        assert rewriting() or plain(got) == plain(output), command
        shown += f"$ {command}\n{got}"
    return shown


def patched(path: Path, change: str) -> str:
    """The text of a file after a change: the lines without `+` must stand in it once, together."""
    lines = change.splitlines(keepends=True)
    before = "".join(line[1:] or "\n" for line in lines if line[0] != "+")
    after = "".join(line[1:] or "\n" for line in lines if line[0] != "-")
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{path.name} has {text.count(before)} times:\n{before}"
    return text.replace(before, after)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_followed(page: Path, tmp_path: Path) -> None:
    for name in COPIED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    text = follow(page, tmp_path)
    if page.name in CHECKS:
        CHECKS[page.name](tmp_path)
    if rewriting():
        page.write_text(text, encoding="utf-8")
