"""The README: how it opens, its program, the demo, and the links of all pages. `test_docs` runs its commands.

UPDATE_README=1 writes the program's new output into the README; read the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from PIL import Image

from tests.documented_commands import links, printed, rewriting, run
from tests.paths import ROOT

README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(from .*?)```\n\n```text\n(.*?)```", TEXT, re.S)
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "layouts/README.md")]
PAGES += sorted((ROOT / "docs").glob("*.md"))

posix = pytest.mark.skipif(os.name == "nt", reason="the README's commands are a POSIX shell's")


@pytest.mark.parametrize(("program", "output"), PROGRAMS)
def test_every_program_prints_the_text_below_it(program: str, output: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    got = printed(run("python program.py", tmp_path))
    if rewriting():
        text, old, new = README.read_text(encoding="utf-8"), f"```text\n{output}```", f"```text\n{got}```"
        README.write_text(text.replace(old, new), encoding="utf-8")
    else:
        assert got == output


def test_the_readme_opens_with_a_sentence_a_film_and_two_commands() -> None:
    _, sentence, picture, _, commands, *_ = TEXT.split("\n\n")
    assert (sentence.count("."), commands) == (1, "    make demo\n    make test")
    film = ROOT / re.findall(r"^!\[.+\]\((.+)\)$", picture)[0]
    with Image.open(film) as frames:
        assert getattr(frames, "n_frames", 1) > 50
        assert frames.width <= 830, "wider than a column of GitHub"
    assert film.stat().st_size <= 600_000
    assert PROGRAMS[0][0].count("\n") == 6


@posix
def test_the_demo_leaves_a_picture_where_there_is_no_display(tmp_path: Path) -> None:
    result = run("env -u SDL_VIDEODRIVER -u DISPLAY -u WAYLAND_DISPLAY python -m pacman demo", tmp_path)
    assert result.returncode == 0, result.stderr
    assert str(tmp_path / "demo.gif") in result.stdout.replace("\n", "")
    assert "\nNorth is 20.44 better on average than the next best, Stop. " in result.stdout
    assert result.stdout.count("\n  python -m pacman ") == 3
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
