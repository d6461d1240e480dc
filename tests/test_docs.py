"""Every page of the documentation is followed: its files are written, its commands run, its changes made.

In order, in a folder with copies of the files that the pages name; a page that changes the code has a copy of the
checkout. What a command prints must be what the page shows. UPDATE_README=1 writes the outputs anew; read the
difference. A command of the project runs in this process unless it needs a shell or the copy. Blocks of a page:

- `console`: commands after `$`, each with its output;
- `sh`: commands whose output does not matter; games are shown without a screen, fast, and cut short;
- `yaml`, and `python` whose first line is a comment with a path: a file;
- `diff`: lines of one file to take out and put in; its first line is a comment with the path.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from agents.load import load_module
from autograder.cases import case, loading
from autograder.sandbox import check_sandbox
from pacman.view.screen import Screen
from pacman.view.window import LONGEST_FRAME
from tests.documented_commands import commands, is_own, plain, printed, rewriting, run, run_own
from tests.mistakes import changed
from tests.paths import ROOT

BLOCK = re.compile(r"```(console|sh|yaml|diff|python)\n(.*?)```", re.S)
PAGES = [
    page
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
    if re.search(r"```(console|sh)\n", page.read_text(encoding="utf-8"))
]
CHECKOUT = ("agents", "autograder", "docs", "layouts", "pacman", "tests", "setup.cfg", "LICENSE")
ASSIGNMENT = "autograder/assignments/multiagent"
NAMED = ("agents", "docs", f"{ASSIGNMENT}/solutions.py", "tests/submissions")
COPIED = {"CONTRIBUTING.md": CHECKOUT, "course.md": ("agents", "docs", ASSIGNMENT)} | {
    "berkeley-in-an-hour.md": ("tests/platforms/cs188/course", "autograder/assignments/classic/solutions.py")
}
"""What the folder has, if it is more than the files that the pages name: what the page changes."""


def check_authoring(folder: Path) -> None:
    with zipfile.ZipFile(folder / "week4-students.zip") as archive:
        assert not [name for name in archive.namelist() if name.endswith(".yaml") and b"hidden" in archive.read(name)]
    assert (folder / "week4.zip").stat().st_size


def check_gradescope(folder: Path) -> None:
    """A strong sandbox gives full marks, a weak one gives none, and says why."""
    results = json.loads((folder / "try" / "results" / "results.json").read_text(encoding="utf-8"))
    assert results["score"] == (30 if check_sandbox().level.is_safe else 0)
    assert all((folder / name).stat().st_size for name in ("q2.json", "q2.md", "q2.xml", "results.json"))


CHECKS = {"authoring.md": check_authoring, "gradescope.md": check_gradescope}
"""What must be in the folder after a page was followed."""
KEY = f"{7:064x}\n"
"""In the place of a new key: with one key in a hundred, the sample solutions lose a game too many."""


def follow(page: Path, folder: Path) -> str:
    """Does what a page says in a folder; returns the page with the outputs that came."""
    text = page.read_text(encoding="utf-8")
    copied = COPIED.get(page.name, NAMED)
    code = folder if copied is CHECKOUT else None
    for name in copied:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    for kind, block in BLOCK.findall(text):
        first, _, rest = block.partition("\n")
        if kind == "console":
            text = text.replace(block, console(block, folder, code))
        elif kind == "sh":
            lines = block.splitlines()
            for command in lines if all(map(is_own, lines)) else [f"set -e\n{block}"]:
                done = run_command(command, folder, code)
                # A student's agents are not written: their fault is right.
                is_unwritten = re.search(r" watch .*\.py:", command) and done.returncode == 1
                assert is_unwritten or done.returncode == 0, f"{command}\n{printed(done)}"
                for key in folder.glob("course.key"):
                    key.write_text(KEY, encoding="utf-8")
        elif file := re.fullmatch(r"# ([\w./-]+\.\w+)", first):
            path = folder / file[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(changed(path.read_text("utf-8"), rest) if kind == "diff" else rest, encoding="utf-8")
    return text


def run_command(command: str, folder: Path, code: Path | None) -> subprocess.CompletedProcess[str]:
    """Runs a command, in a process of its own if it needs a shell or the code in that folder. A shown game is short."""
    if code:
        return run(command, folder, PYTHONPATH=str(code))
    if not is_own(command):
        return run(command, folder)
    is_shown = re.search(r" (play|watch)\b(?!.*--view none)", command)
    command = re.sub(r" play\b", " watch keyboard", command)  # which can end by itself
    return run_own(command, folder, *(("--speed", "1000", "--max-plies", "12", "--no-hold") if is_shown else ()))


def console(block: str, folder: Path, code: Path | None) -> str:
    """A console block with what its commands print now."""
    shown = ""
    for command, output in commands(block):
        got = printed(run_command(command, folder, code))
        assert rewriting() or plain(got) == plain(output), command
        shown += f"$ {command}\n{got}"
    return shown


@pytest.fixture(autouse=True)
def new_files() -> Iterator[None]:
    """A process loads a file only once, and several pages have a file with the same name."""
    load_module.cache_clear()
    yield
    load_module.cache_clear()


@pytest.mark.slow("that follow the pages of the documentation", keep=1)
@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_followed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Screen, "flip", lambda screen, fps, flip=Screen.flip: max(flip(screen, fps), LONGEST_FRAME))
    if page.name == "course.md":
        monkeypatch.setattr(loading, "_own_folder", lambda: tmp_path / "autograder" / "assignments")
    text = follow(page, tmp_path)
    if page.name in CHECKS:
        CHECKS[page.name](tmp_path)
    if rewriting():
        page.write_text(text, encoding="utf-8")


def test_the_examples_of_the_rules_are_right() -> None:
    result = doctest.testfile(str(ROOT / "docs" / "rules.md"), module_relative=False)
    assert result.attempted >= 8
    assert result.failed == 0


def test_every_key_of_an_assignment_is_explained() -> None:
    text = (ROOT / "docs" / "authoring.md").read_text(encoding="utf-8").partition("### Every key")[2]
    kinds = (case.AssignmentInput, case.Limits, case.Question, case.Drawn, case.Thresholds, *case.KINDS.values())
    assert [key.name for kind in kinds for key in fields(kind) if f"`{key.name}`" not in text] == []


def test_an_example_of_a_comparison_shows_what_the_text_says() -> None:
    """On this layout minimax dies at once. Expectimax often loses too, but not with the seed of an example."""
    texts = [page.read_text(encoding="utf-8") for page in [*PAGES, ROOT / "pacman/commands/play.py"]]
    found = {line for text in texts for line in re.findall(r"watch minimax expectimax --layout gamble.*", text)}
    assert len(found) >= 1
    for line in found:
        words = line.removesuffix("--view none")
        shown = printed(run_own(f"pacman-search {words.strip()} --view none", ROOT)).splitlines()
        assert [word.split(": ")[:2] for word in shown] == [["minimax", "loss"], ["expectimax", "win"]], line
