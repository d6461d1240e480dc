"""The part of the lab that shows searches of a drawn tree: an algorithm's and the student's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.pages.browser import SIZES, axe, no_overflow, no_overlap
from tests.pages.lab.conftest import OpenLab
from tests.pages.lab.test_write import MINIMAX, write

if TYPE_CHECKING:
    from playwright.sync_api import Page

BROKEN = "max\n  a: 1\n  b: min\n    x: 0\n    y: 3"

FAILS = f"""{MINIMAX.replace("values =", "values = 1 / 0 or")}

for i in range(1000):
    print("row", i)


def endless():
    sum(iter(int, 1))
"""
"""Fails in line 11, and prints a thousand lines. A loop in C executes no line, so nothing but the user ends it."""


def every_size(page: Page) -> None:
    """Checks the part that is shown: at all sizes, in the light and in the dark theme."""
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        no_overflow(page)
        no_overlap(page, "button, input, select, label, textarea, nav a, h1, #state")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        axe(page)


def go_to(page: Page, part: str) -> None:
    """Opens a part of the lab."""
    page.locator("body.ready").wait_for()
    page.locator("nav").get_by_text(part, exact=True).click()


@pytest.mark.slow("of the lab in a browser")
def test_a_tree_is_searched_by_an_algorithm_and_by_the_student(lab_site: Path, open_lab: OpenLab) -> None:
    page = open_lab(lab_site)
    page.locator("body.ready").wait_for()
    write(page, MINIMAX)
    go_to(page, "Tree")
    page.locator("#tree-outline").fill(BROKEN)
    page.locator("#tree-search").select_option("own:MinimaxAgent")
    page.locator("#tree-other").select_option("alphabeta")
    show = page.locator("#tree button[type=submit]")
    show.click()
    page.locator("search-explorer .controls").wait_for()
    assert page.locator(".difference").inner_text().startswith("No difference: ")
    assert page.locator(".panel h2").all_inner_texts() == ["Your MinimaxAgent", "alphabeta"]
    page.keyboard.press("End")
    assert "value 1 by a" in page.locator(".counts").first.inner_text()
    every_size(page)
    outline = page.locator("#tree-outline")
    outline.evaluate("(field) => { field.value = 'max\\n' + '  a: 1\\n'.repeat(100000); }")
    show.click()
    page.get_by_text("The tree has more than 10,000 lines or 500,000 characters; draw a smaller one.").wait_for()


@pytest.mark.slow("of the lab in a browser")
def test_code_that_fails_or_never_ends(lab_site: Path, open_lab: OpenLab) -> None:
    """A plain sentence, the student's line in the console, and the next call runs at once."""
    page = open_lab(lab_site)
    page.locator("body.ready").wait_for()
    write(page, FAILS)
    go_to(page, "Tree")
    page.locator("#tree-search").select_option("own:MinimaxAgent")
    show, problem = page.locator("#tree button[type=submit]"), page.locator("#tree-problem")
    show.click()
    page.locator(".difference", has_text="ZeroDivisionError").wait_for()
    assert 'File "student.py", line 11, in search' in page.locator("#console").inner_text()
    assert "row 999" in page.locator("#console").inner_text()
    go_to(page, "Write")
    write(page, FAILS.replace("1 / 0", "endless()"))
    go_to(page, "Tree")
    show.click()
    page.locator("#console", has_text="row 999").wait_for()
    page.locator("#stop[aria-disabled=false]").click()
    problem.get_by_text("You stopped it.").wait_for()
    assert not page.locator("search-explorer").count()
    page.locator("#tree-search").select_option("alphabeta")
    show.click()
    page.locator("search-explorer .controls").wait_for()
