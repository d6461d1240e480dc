"""The page of `explain` in Chromium: slider, keys, what each step shows, and what is shown without script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from autograder.pages.explorer import common_steps, explorer_page
from autograder.pages.practice import exercise, predict_data
from autograder.pages.search import STOP, Difference, Event, Recording, record
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.record.steps import Kind
from pacman.search import constant_bounds
from pacman.search.algorithms import Options
from tests.pages.browser import PHONE, SIZES, OpenPage, axe, no_overflow, no_overlap

TEXTBOOK = Outline.parse(
    "max { a: min { x: 3; y: 12; z: 8 }; b: min { x: 2; y: 4; z: 6 }; c: min { x: 14; y: 5; z: 2 } }"
)
PROBED = Outline.parse(
    "max { a: 4; b: chance { x: min { p: 1; q: 9 }; y: min { p: 3; q: 9 } }; c: min { x: 5; y: 2 } }"
)
NUMBERS = cycle(range(-9, 20))
OPTIONS = Options(bounds=constant_bounds(-10, 20))


def write(folder: Path, tree: Outline, *names: str) -> Path:
    """The page of these searches of a tree."""
    return write_page(folder, [record(name, tree, tree.height(), OPTIONS) for name in names])


def write_page(folder: Path, recordings: Sequence[Recording], *more: Any) -> Path:
    path = folder / "page.html"
    path.write_text(explorer_page("a title", recordings, *more), encoding="utf-8")
    return path


def large_tree(height: int = 6) -> Outline:
    """A tree with three branches at each node: 1,093 nodes."""
    if not height:
        return Outline(None, next(NUMBERS))
    kind = list(Layer)[height % 3]
    chances = (Fraction(1, 3),) * 3 if kind is Layer.CHANCE else ()
    return Outline(kind, None, tuple((name, large_tree(height - 1)) for name in "abc"), chances)


def test_the_slider_shows_what_is_known(tmp_path: Path, open_page: OpenPage) -> None:
    recording = record("alphabeta", TEXTBOOK, 2, OPTIONS)
    page = open_page(write(tmp_path, TEXTBOOK, "alphabeta"))
    assert page.locator(".step-words").inner_text() == "Enter the root, MAX, window (−∞, ∞)"
    assert page.locator(".branch.unseen[data-node]").count() == 0
    cut = next(index for index, event in enumerate(recording.events) if event.kind is Kind.CUT)
    page.locator("input[type=range]").evaluate(
        "(slider, step) => { slider.value = step; slider.dispatchEvent(new Event('input')); }", cut - 1
    )
    assert page.locator(".branch.unseen[data-node]").count() == 0
    page.keyboard.press("ArrowRight")
    assert page.locator(".step-words").inner_text() == "MIN: 2 ≤ alpha 3, so the rest is cut: y and z"
    assert page.locator(".branch.unseen[data-node]").evaluate_all("all => all.map(one => one.dataset.node)") == [
        "7",
        "8",
    ]
    assert page.locator(".node.current").get_attribute("data-node") == "5"
    assert page.locator(".node[data-node='1'] .value").inner_html() == "3"
    assert page.locator(".node[data-node='0'] .window").first.inner_html() == "(3, ∞)"
    assert page.locator(".node[data-node='9'] .window").first.inner_html() == ""


def test_each_step_shows_the_event_and_the_end_shows_the_picture(tmp_path: Path, open_page: OpenPage) -> None:
    recording = record("star2", PROBED, 3, OPTIONS)
    path = write(tmp_path, PROBED, "star2")
    page = open_page(path)
    words = []
    for _ in recording.events:
        words.append(page.locator(".step-words").inner_text())
        page.keyboard.press("ArrowRight")
    assert words == [event.words for event in recording.events]
    state = "all => all.map(one => [one.dataset.node, one.querySelector('.value').textContent])"
    at_end = page.locator(".node[data-node]").evaluate_all(state)
    plain = open_page(path, has_script=False)
    assert at_end == plain.locator(".node[data-node]").evaluate_all(state)
    unseen = "all => all.map(one => one.dataset.node).sort()"
    ends = [each.locator(".unseen[data-node]").evaluate_all(unseen) for each in (page, plain)]
    assert ends[0] == ends[1] != []
    assert page.locator(".counts").inner_text() == plain.locator(".counts").inner_text()


@pytest.mark.parametrize("year", ["this year", "2021"])
def test_the_keys(tmp_path: Path, open_page: OpenPage, year: str) -> None:
    page = open_page(write(tmp_path, TEXTBOOK, "alphabeta"))
    if year == "2021":
        page.evaluate("delete Element.prototype.checkVisibility")
    words = page.locator(".step-words")
    page.keyboard.press("ArrowRight")
    assert words.inner_text() == "Enter MIN node a, window (−∞, ∞)"
    page.keyboard.press("ArrowDown")
    assert words.inner_text().startswith("MIN: x is worth 3")
    page.keyboard.press("ArrowUp")
    assert words.inner_text() == "Enter MIN node a, window (−∞, ∞)"
    page.keyboard.press("End")
    assert words.inner_text() == "MAX: the largest of 3, ≤2 and 2 is 3"
    assert page.locator("button").nth(1).is_disabled()
    page.keyboard.press("Home")
    assert page.locator("button").nth(0).is_disabled()
    assert "Enter the root" in page.locator("[aria-live]").inner_text()
    page.locator(".node[data-node='9'] .shape").click()
    assert words.inner_text() == "Enter MIN node c, window (3, ∞)"


@pytest.mark.parametrize(
    ("node", "words"),
    [(6, "Leaf b > x"), (7, "Leave MIN node b with 2"), (0, "MAX: the largest of 3")],
    ids=["seen", "never seen", "root"],
)
def test_the_button_goes_to_the_difference(node: int, words: str, tmp_path: Path, open_page: OpenPage) -> None:
    """Also if the search never was at the node: then to the node above, where it left the branch out."""
    recording = record("alphabeta", TEXTBOOK, 2, OPTIONS)
    page = open_page(write_page(tmp_path, [recording], Difference("a sentence", node)))
    page.get_by_role("button", name="Go to the first difference").click()
    assert page.locator(".step-words").inner_text().startswith(words)
    after = page.locator("output").inner_text()
    page.keyboard.press("Home")
    page.keyboard.press("d")
    assert page.locator("output").inner_text() == after


def test_the_button_goes_to_the_end_of_a_search_that_ended_early(tmp_path: Path, open_page: OpenPage) -> None:
    recording = record("alphabeta", TEXTBOOK, 2, OPTIONS)
    stop = Event(STOP, 1, "Stopped: an exception")
    recordings = [replace(recording, events=(*recording.events[:2], stop)), recording]
    page = open_page(write_page(tmp_path, recordings, Difference("a sentence", 1)))
    page.get_by_role("button", name="Go to the first difference").click()
    assert page.locator(".step-words").first.inner_text() == "Stopped: an exception"


def test_searches_go_on_at_the_same_place() -> None:
    """While the search without cuts is in a branch that the other one has cut, the other one waits at the cut."""
    names = ("alphabeta", "exhaustive")
    recordings = [record(name, TEXTBOOK, 2, OPTIONS) for name in names]
    places, shown = [0, 0], []
    for step in common_steps(recordings):
        for number in step:
            places[number] += 1
        shown.append(tuple(each.events[place - 1].words for each, place in zip(recordings, places, strict=True)))
    assert places == [len(each.events) for each in recordings]
    cut = "MIN: 2 ≤ alpha 3, so the rest is cut: y and z"
    assert shown[shown.index((cut, "Leaf b > x: utility 2")) :][:6] == [
        (cut, "Leaf b > x: utility 2"),
        (cut, "Enter leaf b > y"),
        (cut, "Leaf b > y: utility 4"),
        (cut, "Enter leaf b > z"),
        (cut, "Leaf b > z: utility 6"),
        ("Leave MIN node b with 2: its value is ≤2", "MIN: the smallest of 2, 4 and 6 is 2"),
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_two_searches_have_one_slider_and_nothing_overlaps(
    tmp_path: Path, open_page: OpenPage, size: str, scheme: str
) -> None:
    page = open_page(write(tmp_path, PROBED, "alphabeta", "star2"), SIZES[size], scheme=scheme)
    for key in ("Home", *(("ArrowRight",) * 9), "End"):
        page.keyboard.press(key)
    assert page.locator("input").count() == 1
    live = page.locator("[aria-live]").inner_text()
    assert re.search("alphabeta: MAX: the largest of .*star2: MAX: the largest of ", live, re.DOTALL)
    no_overflow(page)
    no_overlap(page, "h1, h2, .counts, .step-words, button, input, output, .wide, summary, .help")
    if size == "laptop":
        axe(page)


def test_the_own_search_stands_beside_its_code_and_the_right_one(tmp_path: Path, open_page: OpenPage) -> None:
    """Both trees have one size and are whole above the fold; the code has a column of its own, and marks its line."""
    right = record("alphabeta", TEXTBOOK, 2, OPTIONS)
    events = tuple(replace(event, line=number % 30 + 1) for number, event in enumerate(right.events))
    code = tuple(f"line {number}" for number in range(60))
    page = open_page(
        write_page(tmp_path, [replace(right, title="Yours", events=events, code=code), right]), (1366, 768)
    )
    own, other = (each.bounding_box() for each in page.locator("svg").all())
    column = page.locator(".program .code").bounding_box()
    assert own
    assert other
    assert column
    assert (own["y"], own["width"], own["height"]) == (other["y"], other["width"], other["height"])
    assert column["x"] + column["width"] <= own["x"] < other["x"]
    assert max(own["y"] + own["height"], column["y"] + column["height"]) <= 768
    for event in events:
        assert page.locator(".code .current").get_attribute("data-line") == str(event.line)
        page.keyboard.press("ArrowRight")
    axe(page)
    phone = open_page(write_page(tmp_path, [replace(right, title="Yours", events=events, code=code), right]), PHONE)
    assert all(each.bounding_box()["width"] <= 390 for each in phone.locator("svg").all())  # type: ignore[index]
    no_overflow(phone)


def test_without_script_the_page_shows_the_end(tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(write(tmp_path, TEXTBOOK, "alphabeta"), PHONE, has_script=False)
    assert "at its end" in page.locator(".static-only").inner_text()
    assert page.locator(".counts").inner_text() == "value 3 by a; 11 nodes, 7 leaves, 1 cut"
    assert page.locator(".branch.unseen[data-node]").count() == 2
    assert page.locator("pre").text_content().splitlines()[1].strip() == "a: min 3, (−∞, ∞)"
    no_overflow(page)


def test_a_browser_that_does_not_run_modules_shows_the_same(tmp_path: Path, open_page: OpenPage) -> None:
    path = write(tmp_path, TEXTBOOK, "alphabeta")
    path.write_text(path.read_text("utf-8").replace('type="module"', 'type="unknown"'), "utf-8")
    page = open_page(path)
    assert page.locator(".static-only").is_visible()
    assert page.locator("svg").is_visible()


def test_a_page_that_also_asks(tmp_path: Path, open_page: OpenPage) -> None:
    """The two scripts share one scope, and the keys of the explorer leave the fields of the questions alone."""
    recording = record("alphabeta", TEXTBOOK, 2, OPTIONS)
    asked = exercise("a title", TEXTBOOK, recording)
    assert asked is not None
    page = open_page(write_page(tmp_path, [recording], None, [asked], predict_data([asked])), PHONE)
    page.locator("search-predict form input").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".step-words").inner_text() == "Enter the root, MAX, window (−∞, ∞)"
    no_overflow(page)
    axe(page)


def test_print_has_pictures_and_no_controls(tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(write(tmp_path, TEXTBOOK, "alphabeta"))
    page.emulate_media(media="print")
    assert not page.locator(".controls").is_visible()
    assert page.locator("svg").is_visible()


def test_hostile_names_stay_text(tmp_path: Path, open_page: OpenPage) -> None:
    name = "</script><script>document.title='bad'</script><img/src=x/onerror=alert(1)>&amp;"
    tree = Outline.parse(
        f"max =</svg>{name}\n  {name.replace('=', '').replace(':', '')}\"': 3\n  b: min\n    x: 2\n    y: 5"
    )
    page = open_page(write(tmp_path, tree, "alphabeta", "exhaustive"))
    page.keyboard.press("ArrowRight")
    assert page.title() == "a title"
    assert page.locator("img").count() == 0
    assert "</script>" in page.locator(".step-words").first.inner_text()
    page.keyboard.press("End")
    axe(page)


def test_the_picture_shows_the_window_of_a_node_at_the_horizon() -> None:
    tree = Outline.parse("max { a: 2; b: min ~4 { x: 3; y: 5 } }")
    text = explorer_page("a title", [record("alphabeta", tree, 1, OPTIONS)])
    assert "  b: min 4, (2, ∞), horizon\n" in text
    assert re.search(r'<g class="node [^>]* data-node="2".*>\(2, ∞\)</text>.*>horizon</text>', text)


def test_two_searches_of_1000_nodes_are_below_1_mb(tmp_path: Path) -> None:
    assert write(tmp_path, large_tree(), "exhaustive", "star1").stat().st_size < 1_000_000


def test_a_tree_of_1000_nodes(tmp_path: Path, open_page: OpenPage) -> None:
    """A step changes only the elements of the nodes that it concerns."""
    page = open_page(write(tmp_path, large_tree(), "exhaustive"))
    changes = page.evaluate(
        """() => {
          const explorer = document.querySelector("search-explorer");
          const observer = new MutationObserver(() => {});
          observer.observe(document.querySelector("svg"), {subtree: true, childList: true, attributes: true});
          const counts = [];
          for (const step of [1000, 1001, 1002, 1003, 1004]) {
            explorer.show(step);
            counts.push(observer.takeRecords().length);
          }
          return counts;
        }"""
    )
    assert changes[0] > 500
    assert max(changes[1:]) < 20
    no_overflow(page)


def test_the_page_contains_no_address_and_no_style_attribute(tmp_path: Path) -> None:
    text = write(tmp_path, TEXTBOOK, "alphabeta").read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\s\"']+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<[^>]* style=", text)
