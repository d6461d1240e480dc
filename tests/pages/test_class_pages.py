"""The pages of a class: one for each student, and the class board for the course staff."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest
from markupsafe import escape

from autograder.course.marks.board import Board, load_board
from autograder.course.marks.feedback import page_name, write_folder
from autograder.course.store import Store
from autograder.judge.diagnosis import finder
from autograder.pages.class_board import class_board
from pacman.commands.output import check_report_file
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.course.filled_store import FULL, PLY_SHORT, T, add, card, fill
from tests.pages.browser import OpenPage, no_overflow

NAMES = [
    "ada", "Ada", "ADA\u030a", "..", "../../etc/passwd", "/", "con", "NUL", "index", "a" * 10_000, "漢字", "漢字2",
    "<script>alert(1)</script>", "x\u202egnp", "a b", "a-b", "a_b", "a.b", "-", "", "ada-0123456789", "\ud800",
    "com1.txt",
]  # fmt: skip


EVIL = "<script>alert(1)</script></style>\u202e'\"><img src=x onerror=alert(2)>"


def hostile_class(folder: Path, evil: str = EVIL) -> Board:
    """The board of the small class, and of students with hostile names, texts and times; class.db is its store."""
    fill(path := str(folder / "class.db"))
    with Store.open(path) as store:
        add(store, evil[:60], card(FULL), T(4), evil[:300])
        add(store, "n" * 400, card({"q1": [0, 1], "q2": [0, 0, 0]}, diagnoses={"q2": PLY_SHORT}), T(8), "N" * 10_000)
        add(store, "../bad", f"{evil[:100]}: not a readable archive", "not a time")
        return load_board(store, "multiagent")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a class with hostile students, and its board."""
    folder = tmp_path_factory.mktemp("class")
    found = hostile_class(folder)
    done = run_here("autograder", "feedback", "--store", str(folder / "class.db"), "--out", str(folder / "new"))
    assert done.stdout.startswith(f"{folder / 'new'}: reports of 8 students for multiagent\n")
    board = class_board(found)
    assert found.sayings
    assert not [saying.text for saying in found.sayings if escape(saying.text) not in board]
    (folder / "new" / "board.html").write_text(board, encoding="utf-8")
    return folder / "new"


def test_every_name_gives_another_file_that_every_system_can_have() -> None:
    files = [page_name(name) for name in NAMES]
    assert len({name.lower() for name in files}) == len(NAMES)
    for name in files:
        assert re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,60}\.html", name)
        assert name.split(".")[0] not in ("con", "nul", "index", "com1")
    assert (page_name("ada"), page_name("student0001")) == ("ada.html", "student0001.html")


def test_each_student_with_a_submission_has_a_page_that_only_its_owner_can_read(
    pages: Path, open_page: OpenPage
) -> None:
    """Hostile names are text in it."""
    keys = ["ada", "bob", "eve", "fay", "mal", EVIL[:60], "n" * 400, "../bad"]
    assert {path.name for path in pages.iterdir()} == {*map(page_name, keys), "board.html", "index.csv"}
    texts = {path.name: path.read_text(encoding="utf-8") for path in pages.glob("*.html")}
    for name, part in (
        ("mal.html", "Multi-agent search: not graded, 0 points"),
        ("mal.html", "mal.zip: not a readable archive"),
        ("ada.html", "7.33 of 9 points"),  # the last attempt of ada counts, not the best one
    ):
        assert part in texts[name]
    assert stat.S_IMODE((pages / "ada.html").stat().st_mode) & 0o077 == 0 or os.name == "nt"
    for text in texts.values():
        assert not re.search("\u202e|<img|<script>alert", text)
        assert len(text) < 300_000
    no_overflow(open_page(pages / page_name("n" * 400)))


def test_no_hint_names_a_place_that_the_board_does_not_have() -> None:
    hints = [getattr(each, "hint", each) for name, each in vars(finder).items() if name.isupper()]
    hints = [each for each in hints if isinstance(each, str)]
    assert len(hints) > 4
    assert not [hint for hint in hints if "below" in hint]


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No permission, and a name that no folder can have."""
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(InputError, match=r"x.html: cannot be written: no permission$"):
        check_report_file(tmp_path / "x.html")
    with pytest.raises(InputError, match=r": cannot be written: file name too long$"):
        write_folder(tmp_path / ("x" * 300), {"ada.html": b"x"})
