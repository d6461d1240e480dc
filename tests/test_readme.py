"""The README: the tests run every command and every program that it shows, and compare the output.

UPDATE_README=1 writes the new outputs into the README; read the difference.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.documented_commands import ROOT, commands, links, plain, printed, rewriting, run

README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
CONSOLES = re.findall(r"```console\n(.*?)```", TEXT, re.S)
PROGRAMS = re.findall(r"```python\n(from .*?)```\n\n```text\n(.*?)```", TEXT, re.S)
SCRIPTS = [line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.S) for line in block.splitlines()]
PAGES = [README, *sorted((ROOT / "docs").glob("*.md")), ROOT / "layouts" / "README.md"]

posix = pytest.mark.skipif(os.name == "nt", reason="the README's commands are a POSIX shell's")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the folders that the commands need, in which they may write files."""
    copy = tmp_path_factory.mktemp("readme")
    for name in ("agents", "docs", "autograder/assignments"):
        shutil.copytree(ROOT / name, copy / name)
    return copy


@posix
@pytest.mark.parametrize("number", range(len(CONSOLES)))
def test_every_console_shows_what_its_commands_print(number: int, folder: Path) -> None:
    console = ""
    for command, output in commands(CONSOLES[number]):
        text = printed(run(command, folder))
        console += f"$ {command}\n{text}"
        if not rewriting():
            assert plain(text) == plain(output), command
    if rewriting():
        README.write_text(README.read_text(encoding="utf-8").replace(CONSOLES[number], console), encoding="utf-8")


@pytest.mark.parametrize(("program", "output"), PROGRAMS)
def test_every_program_prints_the_text_below_it(program: str, output: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    got = printed(run("python program.py", tmp_path))
    if rewriting():
        text, old, new = README.read_text(encoding="utf-8"), f"```text\n{output}```", f"```text\n{got}```"
        README.write_text(text.replace(old, new), encoding="utf-8")
    else:
        assert got == output


def test_the_readme_opens_with_a_sentence_a_picture_and_six_lines_of_python() -> None:
    _, sentence, picture, program, *_ = TEXT.split("\n\n", 4)
    assert (sentence.count("."), picture[:2], program[:10]) == (1, "![", "```python\n")
    assert PROGRAMS[0][0].count("\n") == 6


@posix
@pytest.mark.parametrize("line", SCRIPTS)
def test_every_command_of_a_script_runs(line: str, folder: Path) -> None:
    """Games in a window run without a screen, fast, and for a few plies only."""
    command = line.partition("#")[0].strip()
    result = run(f"{command} --speed 1000 --max-plies 12 --no-hold", folder, SDL_VIDEODRIVER="dummy")
    assert result.returncode == 0, result.stderr
    assert "score" in result.stdout


@posix
def test_the_demo_leaves_a_picture_where_there_is_no_display(tmp_path: Path) -> None:
    result = run("env -u SDL_VIDEODRIVER -u DISPLAY -u WAYLAND_DISPLAY python -m pacman demo", tmp_path)
    assert result.returncode == 0, result.stderr
    assert str(tmp_path / "demo.gif") in result.stdout.replace("\n", "")
    assert (tmp_path / "demo.gif").read_bytes()[:4] == b"GIF8"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in links(page):
        assert target.exists(), target


def test_every_page_can_be_found_from_the_readme() -> None:
    pages, queue = set[Path](), [README]
    while queue:
        page = queue.pop().resolve()
        if page.suffix == ".md" and page not in pages:
            pages.add(page)
            queue += links(page)
    assert {page.resolve() for page in PAGES} <= pages
