"""Every page in a real Chromium, at every size: nothing overlaps, axe finds nothing, hostile text stays text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.pages.class_board import class_board
from autograder.pages.explorer import explorer_page
from autograder.pages.game_player import SCRIPT, STYLE, game_replay
from autograder.pages.page import page as page_text
from autograder.pages.practice import exercise, practice_page, predict_data
from autograder.pages.search import record
from autograder.pages.student_page import refused_page, student_page
from pacman import start
from pacman.core.tree_text import Outline
from pacman.search import constant_bounds
from pacman.search.algorithms import Options
from tests.pages.browser import PHONE, SIZES, OpenPage, axe, no_broken_word, no_overflow, no_overlap
from tests.pages.report_cards import card, lost_match, student_card, wrong_search
from tests.pages.test_class_pages import hostile_class
from tests.report.test_formats import EVIL as REPORT_EVIL
from tests.report.test_formats import hostile

EVIL = "</script><script>document.title='bad'</script><img/src=x/onerror=alert(1)>&amp;\u202e\x00\ud800'\"onclick='x'"
TREE = "max { a: 4; b: chance { x: min { p: 1; q: 9 }; y: min { p: 3; q: 9 } }; c: min { x: 5; y: 2 } }"
EVIL_TREE = (
    "max =</svg><script>alert(3)</script>\n  <img/src><script>alert(4)</script>\"': 3\n  b: min\n    x: 2\n    y: 5"
)
BLOCKS = "h1, h2, h3, main p, pre, table, figure, button, input, output, select, summary, progress, .controls, td svg"
OPTIONS = Options(bounds=constant_bounds(-10, 20))


def explorer(tree: str, *names: str, is_own: bool = False, asks: bool = False) -> str:
    """The page of these searches; the first may be that of a student, with his code, or have questions about it."""
    root = Outline.parse(tree)
    first, *others = (record(name, root, root.height(), OPTIONS) for name in names)
    asked = exercise("a title", root, first) if asks else None
    if is_own:
        events = tuple(replace(event, line=number % 30 + 1) for number, event in enumerate(first.events))
        first = replace(first, title="Yours", events=events, code=tuple(f"line {EVIL}" for _ in range(60)))
    return explorer_page("a title", [first, *others], None, [asked] if asked else (), asked and predict_data([asked]))


def game(folder: Path) -> str:
    moves = ["East", "West", "West", "West", "Stop", "West", "Stop", "West", "Stop", "West"]
    element = game_replay(start("%%%%%%%%\n%P.o..G%\n%%%%%%%%", ["optimal"]), moves)
    return page_text("game_player.html", "A game", {"game": element}, scripts=[SCRIPT], styles=[STYLE])


def mistakes(folder: Path) -> str:
    found = wrong_search("q5", "short")
    assert found.diagnosis
    long = "A node is never worth less to MAX, or more to MIN, than its own evaluation, and the search never cuts. " * 2
    found = replace(found, diagnosis=replace(found.diagnosis, sentences=(long,)))
    return student_page(card(found, wrong_search("q3", "no cuts"), lost_match()))


PAGES: Mapping[str, Callable[[Path], str]] = {
    "report": lambda folder: student_page(student_card(), "Ada Lovelace", 1, ["late"]),
    "mistakes": mistakes,
    "hostile report": lambda folder: student_page(hostile(REPORT_EVIL * 6), EVIL, 1, [EVIL]),
    "refused": lambda folder: refused_page(EVIL, EVIL, EVIL, 1, [EVIL]),
    "board": lambda folder: class_board(hostile_class(folder, EVIL)),
    "game": game,
    "search": lambda folder: explorer(TREE, "star2"),
    "two searches": lambda folder: explorer(TREE, "alphabeta", "star2"),
    "own search": lambda folder: explorer(TREE, "alphabeta", "exhaustive", is_own=True),
    "search with questions": lambda folder: explorer(TREE, "alphabeta", asks=True),
    "hostile search": lambda folder: explorer(EVIL_TREE, "alphabeta", "exhaustive", is_own=True),
    "practice": lambda folder: practice_page(),
}


@pytest.mark.parametrize("name", PAGES)
def test_every_page(name: str, tmp_path: Path, open_page: OpenPage) -> None:
    """With and without script, in both themes, and on paper."""
    text = PAGES[name](tmp_path)
    assert len(text) < (400_000 if name == "practice" else 300_000)
    assert {*re.findall(r"https?://(?!127\.)[^\s\"'<]+", text)} <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<[^>]* (style|on\w+)=|<img|<script>|[\x00-\x09\x0b-\x1f\u202a-\u202e\ud800]", text)
    file = tmp_path / "page.html"
    file.write_text(text, encoding="utf-8")
    page, plain = open_page(file), open_page(file, PHONE, has_script=False)
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    title = page.title()
    for width, height in (*SIZES.values(), PHONE):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if width == PHONE[0] else "light")
        for key in ("ArrowRight", "ArrowRight", "End"):
            page.keyboard.press(key)
        no_overflow(page)
        no_overlap(page, BLOCKS)
        if "hostile" not in name:
            no_broken_word(page, "th, td, .points li")
        if width == SIZES["laptop"][0] or width == PHONE[0]:
            axe(page)
    assert (page.title(), page.locator("main img, [onclick], [onerror]").count()) == (title, 0)
    page.emulate_media(media="print", color_scheme="light")
    page.set_viewport_size({"width": 660, "height": 990})  # the column of A4 inside its margins
    no_overflow(page)
    assert name == "practice" or not page.locator("button:visible, input[type=range]:visible").count()
    no_overflow(plain)
    assert len(plain.locator("main").inner_text()) > 40
    assert plain.locator("svg:visible").count() >= {"refused": 0, "board": 0, "hostile report": 0}.get(name, 1)
