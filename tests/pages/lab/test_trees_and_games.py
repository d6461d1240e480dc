"""The parts of the lab without the student's file: searches of a drawn tree, an agent to break, a game to play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.pages.browser import PHONE, axe, no_overflow
from tests.pages.lab.conftest import OpenLab
from tests.pages.lab.test_write import MINIMAX, write

if TYPE_CHECKING:
    from playwright.sync_api import Page

BROKEN = "max\n  a: 1\n  b: min\n    x: 0\n    y: 3"


def go_to(page: Page, part: str) -> None:
    """Opens a part of the lab."""
    page.locator("body.ready").wait_for()
    page.locator("nav").get_by_text(part, exact=True).click()


@pytest.mark.slow
def test_an_agent_is_broken(lab_site: Path, open_lab: OpenLab) -> None:
    page = open_lab(lab_site)
    go_to(page, "Break this agent")
    page.locator("#mistake").select_option("min-as-max")
    attempt = page.get_by_text("Run the agent on this tree")
    for tree, sentence in (
        ("max\n  a: 1\n  b: 3", "Not broken: on this tree the agent is right."),
        (
            "max\n  a: 1\n  b: min\n    x: 0\n    y: 3\n    z: 4",
            "Broken with 6 nodes. This is your smallest tree for it.",
        ),
        (BROKEN, "Broken with 5 nodes. This is your smallest tree for it."),
        ("max\n  a: ?", "<outline>:2: "),
    ):
        page.locator("#break-outline").fill(tree)
        attempt.click()
        page.locator("#verdict").get_by_text(sentence).wait_for()
    assert page.locator("#smallest").inner_text() == "Your smallest tree for this agent has 5 nodes."
    axe(page)


@pytest.mark.slow
def test_a_tree_is_searched_by_an_algorithm_and_by_the_student(lab_site: Path, open_lab: OpenLab) -> None:
    page = open_lab(lab_site, PHONE)
    page.locator("body.ready").wait_for()
    write(page, MINIMAX)
    go_to(page, "Tree")
    page.locator("#tree-outline").fill(BROKEN)
    page.locator("#tree-search").select_option("own:MinimaxAgent")
    page.locator("#tree-other").select_option("alphabeta")
    show = page.get_by_text("Show the search")
    show.click()
    page.locator("search-explorer .controls").wait_for()
    assert page.locator(".difference").inner_text().startswith("No difference: ")
    assert page.locator(".panel h2").all_inner_texts() == ["Your MinimaxAgent", "alphabeta"]
    page.keyboard.press("End")
    assert "value 1 by a" in page.locator(".counts").first.inner_text()
    no_overflow(page)
    axe(page)
    outline = page.locator("#tree-outline")
    outline.evaluate("(field) => { field.value = 'max\\n' + '  a: 1\\n'.repeat(100000); }")
    show.click()
    page.get_by_text("the tree has more than 500,000 characters; draw a smaller one").wait_for()


@pytest.mark.slow
def test_a_game_is_played_with_keys(lab_site: Path, open_lab: OpenLab) -> None:
    page = open_lab(lab_site)
    go_to(page, "Play")
    caption = page.locator("#board .caption")
    caption.wait_for()
    page.keyboard.press("ArrowRight")
    page.locator("#board .caption", has_text="score 9").wait_for()
    page.keyboard.press("ArrowUp")
    page.get_by_text("North is a wall.").wait_for()
    page.keyboard.press("o")
    page.locator(".value-of.best").wait_for()
    page.keyboard.press("o")
    page.locator(".line-of").first.wait_for(state="attached")  # a straight line has no height
    page.keyboard.press("t")
    page.locator("#play-tree", has_text="root").wait_for()
    page.keyboard.press("r")
    page.locator("#board .caption", has_text="score 0").wait_for()
    page.locator("#play-pacman").select_option("expectimax")
    page.locator("#board").focus()
    page.keyboard.press(" ")
    page.get_by_text("R plays again.").wait_for()
    no_overflow(page)
    axe(page)
