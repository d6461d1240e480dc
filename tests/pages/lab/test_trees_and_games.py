"""The parts of the lab without the student's file: searches of a drawn tree, an agent to break, a game to play."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.pages.lab.tree_calls import GOALS, fails
from autograder.pages.page import TEMPLATES
from pacman.view.controls import CONTROLS
from tests.pages.browser import SIZES, axe, no_overflow, no_overlap
from tests.pages.lab.conftest import OpenLab
from tests.pages.lab.test_write import MINIMAX, write
from tests.paths import ROOT

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
COUNT_CALLS = """
  window.calls = 0;
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message) { window.calls += 1; post.call(this, message); };
"""
SMALLEST = {
    "action-of-last-loop": "max { a: 0; b: -1 }",
    "min-as-max": "min { a: 0; b: 1 }",
    "equal-chances": "chance { a @1/4: 0; b @3/4: 1 }",
    "starts-at-zero": "max { a: 0 }",
    "stops-when-good-enough": "max { a: 1; b: 2 }",
    "compares-text": "max { a: 2; b: 12 }",
    "by-turns": "max { a: max { a: 0; b: 1 } }",
    "best-line-shared": "max { a: 0; b: max { a: 1 } }",
    "zero-as-nothing": "max { a: 0; b: -1 }",
    "memory-by-score": "max { a: max ~12 { a: 0 }; b: max ~12 { a: 1 } }",
    "window-shared": "max { a: min { a: 0 }; b: 1 }",
    "cut-returns-zero": "max { a: -1; b: min { a: -1 } }",
    "margin": "min { a: 0; b: max { a: -1; b: 1 } }",
}


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
def test_an_agent_is_broken(lab_site: Path, open_lab: OpenLab) -> None:
    page = open_lab(lab_site)
    go_to(page, "Break this agent")
    page.locator("#mistake").select_option("min-as-max")
    attempt = page.get_by_text("Run the agent on this tree")
    for tree, sentence in (
        ("max\n  a: 1\n  b: 3", "Not broken: on this tree the agent is right."),
        (
            "max\n  a: 1\n  b: min\n    x: 0\n    y: 3\n    z: 4",
            "Broken with 6 nodes. The smallest known tree has 3 nodes.",
        ),
        (BROKEN, "Broken with 5 nodes. The smallest known tree has 3 nodes."),
        ("min\n  a: 0\n  b: 3", "Broken with 3 nodes. No smaller tree is known."),
        ("max\n  a: ?", "line 2: unknown kind '?'; expected max, min, chance or a number"),
        (
            "max\n" + "  a: 1\n" * 99_999,
            "The tree has more than 10,000 lines or 500,000 characters; draw a smaller one.",
        ),
    ):
        page.locator("#break-outline").evaluate("(field, text) => { field.value = text; }", tree)
        attempt.click()
        page.locator("#verdict").get_by_text(sentence).wait_for()
    assert page.locator("#progress").inner_text().startswith(f"You broke 1 of {len(GOALS)} agents, 1 of them with")
    assert "broken with 3 nodes" in page.locator("#mistake").inner_text()
    every_size(page)


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
def test_a_tree_is_drawn_with_mouse_and_keys(lab_site: Path, open_lab: OpenLab) -> None:
    """Every change is in the text, every change of the text is in the picture, and Ctrl-Z goes back."""
    page = open_lab(lab_site)
    go_to(page, "Tree")
    text, nodes = page.locator("#tree-outline"), page.locator("#tree .drawing .node")
    text.fill("max\n  a: 1\n  b: 2")
    page.locator("#tree .drawing svg[width]", has_text="3 nodes").wait_for()
    nodes.nth(1).click()
    for key, lines in (
        ("a", "max\n  a: min\n    a: 1\n  b: 2"),
        ("a", "max\n  a: min\n    a: 1\n    b: 0\n  b: 2"),
        ("k", "max\n  a: chance\n    a: 1\n    b: 0\n  b: 2"),
        ("ArrowDown", ""),
        ("ArrowRight", ""),
        ("-", ""),
        ("7", ""),
        ("Enter", "max\n  a: chance\n    a: 1\n    b: -7\n  b: 2"),
        ("ArrowUp", ""),
        ("Delete", "max\n  b: 2"),
        ("Control+z", "max\n  a: chance\n    a: 1\n    b: -7\n  b: 2"),
    ):
        page.keyboard.press(key)
        if lines:
            page.wait_for_function("text => document.getElementById('tree-outline').value === text", arg=lines)
            page.wait_for_function(
                "count => document.querySelectorAll('#tree .drawing .node').length === count", arg=lines.count("\n") + 1
            )
    nodes.nth(0).click()
    page.locator("#tree .drawing [data-change=delete]").click()
    page.locator("#tree .problem").get_by_text("the root cannot be deleted").wait_for()
    every_size(page)
    page.locator("#tree button[type=submit]").click()
    page.locator("search-explorer .controls").wait_for()
    assert not page.locator("#tree .drawing").is_visible()
    page.locator("#tree-draw").click()
    page.locator("#tree .drawing").wait_for()
    assert not page.locator("search-explorer").count()


@pytest.mark.slow("of the lab in a browser")
def test_a_game_is_played_with_keys(lab_site: Path, open_lab: OpenLab) -> None:
    page = open_lab(lab_site, before=COUNT_CALLS)
    go_to(page, "Play")
    words = page.locator("#play-words")
    words.get_by_text("Ply 0 of 0.").wait_for()
    page.keyboard.press("ArrowRight")
    words.get_by_text("Ply 2 of 2.").wait_for()
    page.keyboard.press("ArrowUp")
    page.get_by_text("North is a wall.").wait_for()
    page.keyboard.press("o")
    page.locator(".value-of.chosen").wait_for()
    page.keyboard.press("o")
    page.locator(".line-of").first.wait_for(state="attached")  # a straight line has no height
    page.keyboard.press("t")
    page.locator("#play-tree", has_text="root").wait_for()
    page.keyboard.press("?")
    page.locator("#play-why", has_text="better on average than").wait_for()
    page.keyboard.press("h")
    page.locator("#play-keys td").first.wait_for()
    every_size(page)
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    words.get_by_text("Ply 2 of 2.").wait_for()
    calls = page.evaluate("window.calls")
    for key, ply in ((",", 1), ("Home", 0), (">", 2), ("<", 0), (".", 1), ("Backspace", 0), ("End", 2), ("Home", 0)):
        page.keyboard.press(key)
        words.get_by_text(f"Ply {ply} of 2.").wait_for()
    assert page.evaluate("window.calls") == calls, "stepping asks Python nothing"
    page.keyboard.press("ArrowDown")  # another move, from the start
    words.get_by_text("Ply 2 of 2.").wait_for()
    page.keyboard.press("u")  # expectimax plays on
    page.get_by_text("R plays again.").wait_for()
    page.keyboard.press("r")
    words.get_by_text("Ply 0 of 0.").wait_for()
    page.keyboard.press(".")
    words.get_by_text("Ply 1 of 2.").wait_for()
    page.locator("#play-ghosts").select_option("random,optimal")
    page.locator("#play-agents").get_by_text("optimal 2").wait_for()
    assert page.locator("#play-layout").input_value() == "gamble", "the first layout with room for two ghosts"
    page.locator("#play-layout").select_option("nook")
    page.locator("#play-agents li").nth(2).wait_for(state="detached")
    assert page.locator("#play-ghosts").input_value() == "random"


@pytest.mark.slow("of the lab in a browser")
def test_agents_glide(lab_site: Path, open_lab: OpenLab) -> None:
    """A ply moves an agent in steps; a reader who wants no motion sees none."""
    count = "window.glides = 0; const animate = Element.prototype.animate;" + (
        "Element.prototype.animate = function (...values) { window.glides += 1; return animate.apply(this, values); };"
    )
    page = open_lab(lab_site, before=count)
    go_to(page, "Play")
    words = page.locator("#play-words")
    words.get_by_text("Ply 0 of 0.").wait_for()
    page.keyboard.press("ArrowRight")
    words.get_by_text("Ply 2 of 2.").wait_for()
    assert page.evaluate("window.glides") == 4, "two agents in each of two plies"
    assert page.locator("#board .food").count() == 1, "what was eaten is gone"
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    words.get_by_text("Ply 4 of 4.").wait_for()
    assert page.evaluate("window.glides") == 4


@pytest.mark.slow("of the lab in a browser")
def test_code_that_fails_or_never_ends(lab_site: Path, open_lab: OpenLab) -> None:
    """In a game and on a tree: a plain sentence, the student's line in the console, and the next call runs at once."""
    page = open_lab(lab_site)
    page.locator("body.ready").wait_for()
    write(page, FAILS)
    go_to(page, "Play")
    page.locator("#play-pacman").select_option("student.py:MinimaxAgent")
    page.locator("#board").focus()
    page.keyboard.press(".")
    page.locator("#play-words", has_text="student.py:11: ZeroDivisionError: ").wait_for()
    assert 'File "student.py", line 11, in search' in page.locator("#console").inner_text()
    assert "row 999" in page.locator("#console").inner_text()
    go_to(page, "Tree")
    page.locator("#tree-search").select_option("own:MinimaxAgent")
    show, problem = page.locator("#tree button[type=submit]"), page.locator("#tree-problem")
    show.click()
    page.locator(".difference", has_text="ZeroDivisionError").wait_for()
    assert 'File "student.py", line 11, in search' in page.locator("#console").inner_text()
    page.locator("nav").get_by_text("Write", exact=True).click()
    write(page, FAILS.replace("1 / 0", "endless()"))
    go_to(page, "Tree")
    show.click()
    stop = page.locator("#stop[aria-disabled=false]")
    page.locator("#console", has_text="row 999").wait_for()
    stop.click()
    problem.get_by_text("You stopped it.").wait_for()
    go_to(page, "Play")  # the file has changed, so a new game begins
    page.locator("#play-words", has_text="Ply 0 of 0.").wait_for()
    page.locator("#board").focus()
    page.keyboard.press(".")
    page.locator("#console", has_text="row 999").wait_for()
    stop.click()
    page.locator("#play-words", has_text="You stopped it.").wait_for()
    page.locator("#play-pacman").select_option("")
    page.locator("#play-words", has_text="Ply 0 of 0.").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator("#play-words", has_text="Ply 2 of 2.").wait_for()
    page.locator("#play-overlay").select_option("values")
    page.locator("#play-search").select_option("student.py:MinimaxAgent")
    page.locator("#play-words", has_text="MinimaxAgent: no answer within 10 s").wait_for()
    page.locator("#play-search").select_option("minimax")
    page.locator("#play-overlay").select_option("values")
    page.locator(".value-of.chosen").wait_for()


def test_the_page_shows_every_key() -> None:
    """Each key of the window is in the table of the page, or docs/lab.md says that the lab leaves it out."""
    rows = re.findall(r"<tr><th[^>]*>(.*?)</th><td>(.*?)</td></tr>", (TEMPLATES / "lab.html").read_text("utf-8"))
    shown = {html.unescape(key) for keys, _ in rows for key in re.findall("<kbd>(.*?)</kbd>", keys)}
    left_out = set(re.findall(r"^\| ([A-Z]) \|", (ROOT / "docs" / "lab.md").read_text("utf-8"), re.M))
    assert not shown & left_out
    keys = {key for control in CONTROLS for key in control.keys_text.split()}
    assert keys == (shown | left_out) - {"Arrows", "Backspace", *"WASD"}


@pytest.mark.parametrize("mistake", GOALS)
def test_the_smallest_known_tree_breaks_the_agent(mistake: str) -> None:
    result = fails(SMALLEST[mistake], mistake)
    assert (result["fails"], result["nodes"]) == (True, GOALS[mistake])
