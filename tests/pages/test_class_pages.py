"""The pages of a class: one for each student, and the class board for the course staff."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest

from autograder.commands.shared import report_file
from autograder.course.marks.board import load_board
from autograder.course.marks.feedback import page_name, write_folder
from autograder.course.store import Store
from autograder.judge.diagnosis import finder
from autograder.pages.class_board import class_board
from tests.command_line import run_here
from tests.course.filled_store import FULL, PLY_SHORT, T, add, card, fill
from tests.pages.browser import SIZES, OpenPage, Size, axe, no_overflow, no_overlap

NAMES = [
    "ada", "Ada", "ADA\u030a", "..", "../../etc/passwd", "/", "con", "NUL", "index", "a" * 10_000, "漢字", "漢字2",
    "<script>alert(1)</script>", "x\u202egnp", "a b", "a-b", "a_b", "a.b", "-", "", "ada-0123456789", "\ud800",
    "com1.txt",
]  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small class, and students with hostile names, texts and times."""
    path = tmp_path_factory.mktemp("class") / "class.db"
    fill(str(path))
    with Store.open(str(path)) as opened:
        evil = "<script>alert(1)</script></style>\u202e"
        add(opened, evil, card(FULL), T(4), evil + "'\"><img src=x onerror=alert(2)>")
        add(opened, "n" * 400, card({"q1": [0, 1], "q2": [0, 0, 0]}, diagnoses={"q2": PLY_SHORT}), T(8), "N" * 10_000)
        add(opened, "../bad", f"{evil}: not a readable archive", "not a time")
    return path


@pytest.fixture(scope="module")
def pages(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages") / "new"
    done = run_here("autograder", "feedback", "--store", str(store), "--out", str(folder))
    assert done.stdout.startswith(f"{folder}: reports of 8 students for multiagent\n")
    with Store.open(str(store)) as opened:
        board = class_board(load_board(opened, "multiagent"))
    (folder / "board.html").write_text(board, encoding="utf-8")
    return folder


def test_every_name_gives_another_file_that_every_system_can_have() -> None:
    files = [page_name(name) for name in NAMES]
    assert len({name.lower() for name in files}) == len(NAMES)
    for name in files:
        assert re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,60}\.html", name)
        assert name.split(".")[0] not in ("con", "nul", "index", "com1")
    assert (page_name("ada"), page_name("student0001")) == ("ada.html", "student0001.html")


def test_each_student_with_a_submission_has_a_page_that_only_its_owner_can_read(pages: Path) -> None:
    keys = ["ada", "bob", "eve", "fay", "mal", "<script>alert(1)</script></style>\u202e", "n" * 400, "../bad"]
    assert {path.name for path in pages.iterdir()} == {*map(page_name, keys), "board.html"}
    refused = text_of_page(pages / "mal.html")
    assert "multiagent: not graded, 0 points" in refused
    assert "mal.zip: not a readable archive" in refused
    assert "7.33 of 9 points" in text_of_page(pages / "ada.html")  # the last attempt of ada counts, not the best one
    assert stat.S_IMODE((pages / "ada.html").stat().st_mode) & 0o077 == 0 or os.name == "nt"


def text_of_page(path: Path) -> str:
    """The text of a page without its markup."""
    return " ".join(re.sub("<[^>]+>", " ", path.read_text(encoding="utf-8").partition("<main")[2]).split())


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_nothing_overlaps_or_overflows(pages: Path, size: Size, open_page: OpenPage) -> None:
    page = open_page(pages / "board.html", size)
    no_overflow(page)
    no_overlap(page, "h1, h2, main p, table, td svg")
    no_overlap(page, "td, th")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_board_is_accessible(pages: Path, scheme: str, open_page: OpenPage) -> None:
    axe(open_page(pages / "board.html", scheme=scheme))


def test_hostile_names_are_text(pages: Path, open_page: OpenPage) -> None:
    for path in pages.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search("\u202e|<img|<script>alert", text)
        assert len(text) < 300_000
    page = open_page(pages / "board.html")
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    no_overflow(open_page(pages / page_name("n" * 400)))


def test_the_board_says_what_to_say(pages: Path, store: Path, open_page: OpenPage) -> None:
    with Store.open(str(store)) as opened:
        found = load_board(opened, "multiagent")
    text = open_page(pages / "board.html", has_script=False).locator("main").inner_text()
    assert found.sayings
    for saying in found.sayings:
        assert saying.text in text


def test_no_hint_names_a_place_that_the_board_does_not_have() -> None:
    hints = [hint.text for name, hint in vars(finder).items() if name.endswith("_HINT")]
    assert len(hints) > 4
    assert not [hint for hint in hints if "below" in hint]


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    with pytest.raises(report_file.InputError, match=r"^/dev/full: cannot be written: no space left on device$"):
        report_file.save_report(full, "x")
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "ada.html").symlink_to(full)
    with pytest.raises(report_file.InputError, match=r": cannot be written: no space left on device$"):
        write_folder(folder, {"ada.html": b"x"})


def test_no_permission_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_file.os, "access", lambda path, mode: False)
    with pytest.raises(report_file.InputError, match=r"x.html: cannot be written: no permission$"):
        report_file.check_report_file(tmp_path / "x.html")
