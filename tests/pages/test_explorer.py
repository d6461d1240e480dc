"""The page of `explain`: its events, the order of several searches; in Chromium slider, keys and what a step shows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from autograder.pages.explorer import common_steps, explorer_page, values_and_data
from autograder.pages.search import START, STOP, Difference, Event, Recording, record
from pacman.commands.options import kinds
from pacman.core.state import start
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.record.steps import Kind
from pacman.search import constant_bounds, run_search
from pacman.search.algorithms import ALGORITHMS, DEEPENING, Options
from pacman.search.bounds import natural
from tests.pages.browser import PHONE, OpenPage, no_overflow
from tests.record.test_steps import BOUNDS, SETTINGS, check_arithmetic, random_trees

TEXTBOOK = Outline.parse(
    "max { a: min { x: 3; y: 12; z: 8 }; b: min { x: 2; y: 4; z: 6 }; c: min { x: 14; y: 5; z: 2 } }"
)
PROBED = Outline.parse(
    "max { a: 4; b: chance { x: min { p: 1; q: 9 }; y: min { p: 3; q: 9 } }; c: min { x: 5; y: 2 } }"
)
NUMBERS = cycle(range(-9, 20))
OPTIONS = Options(bounds=constant_bounds(-10, 20))
CUT = "MIN: 2 ≤ alpha 3, so the rest is cut: y and z"
NODES = "all => all.map(one => one.dataset.node)"


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


def events_in(data: Mapping[str, Any], search: int) -> list[dict[str, Any]]:
    """The events of one search in the data of a page, as `search-explorer.js` reads them."""
    texts, paths = data["texts"], [""]
    for parent, action in data["nodes"][1:]:
        paths.append(f"{paths[parent]} > {action}" if parent else action)
    events = []
    for kind, words, label, why, variables, node, line, *closed in data["recordings"][search]["events"]:
        text = texts[words]
        event = {"kind": texts[kind], "label": texts[label], "why": texts[why], "node": node, "closed": closed}
        event |= {"line": line, "variables": texts[variables]}
        events.append({**event, "words": text if isinstance(text, str) else paths[node].join(text)})
    return events


def check(recording: Recording) -> None:
    """Each node that the search never entered is closed once, or a node above it is; and nothing enters it later.

    A page reads the same words, labels and nodes from its data.
    """
    entered = {event.node for event in recording.events}
    closed: set[int] = set()
    for event in recording.events:
        assert event.node not in closed
        assert closed.isdisjoint(event.closed)
        closed.update(event.closed)
    for number, node in enumerate(recording.nodes):
        assert (number in entered) + (number in closed) + (node.parent not in entered) == 1
    read = events_in(json.loads(json.dumps(values_and_data([recording])[1], allow_nan=False)), 0)
    rows = [(event["kind"], event["words"], event["label"], event["node"], tuple(event["closed"])) for event in read]
    assert rows == [(each.kind, each.words, each.label, each.node, each.closed) for each in recording.events]


@pytest.mark.slow("of pages", keep=3)
@pytest.mark.parametrize(("name", "options"), [each for each in SETTINGS if each[1].order == "given"])
def test_the_events_of_random_trees(name: str, options: Options) -> None:
    for number, tree in enumerate(random_trees(30)):
        check(record(name, tree, tree.height() - number % 2, options))


def test_the_events_of_a_position_and_of_iterative_deepening() -> None:
    """The last search of deepening has the right result."""
    for name in ALGORITHMS:
        check(record(name, start("nook", kinds("random")), 4, Options(bounds=natural)))
    for tree in random_trees(20):
        recording = record(DEEPENING, tree, tree.height(), Options(bounds=BOUNDS))
        assert [event.kind for event in recording.events].count(START) == tree.height()
        for event in recording.events:
            check_arithmetic(event.words)
        assert recording.value == pytest.approx(run_search("exhaustive", tree, tree.height()).value)


def test_the_slider_shows_what_is_known(tmp_path: Path, open_page: OpenPage) -> None:
    recording = record("alphabeta", TEXTBOOK, 2, OPTIONS)
    page = open_page(write(tmp_path, TEXTBOOK, "alphabeta"))
    words, unseen = page.locator(".step-words"), page.locator(".branch.unseen[data-node]")
    assert (words.inner_text(), unseen.count()) == ("Enter the root, MAX, window (−∞, ∞)", 0)
    cut = next(index for index, event in enumerate(recording.events) if event.kind is Kind.CUT)
    page.locator("input[type=range]").evaluate(
        "(slider, step) => { slider.value = step; slider.dispatchEvent(new Event('input')); }", cut - 1
    )
    assert unseen.count() == 0
    page.keyboard.press("ArrowRight")
    assert (words.inner_text(), unseen.evaluate_all(NODES)) == (CUT, ["7", "8"])
    assert page.locator(".node.current").get_attribute("data-node") == "5"
    assert page.locator(".node[data-node='1'] .value").inner_html() == "3"
    windows = [page.locator(f".node[data-node='{number}'] .window").first.inner_html() for number in (0, 9)]
    assert windows == ["(3, ∞)", ""]


def test_each_step_shows_the_event_and_the_end_shows_the_picture(tmp_path: Path, open_page: OpenPage) -> None:
    """Without script, or if the browser runs no modules, the page shows the end."""
    recording = record("star2", PROBED, 3, OPTIONS)
    path = write(tmp_path, PROBED, "star2")
    page, plain = open_page(path), open_page(path, has_script=False)
    words = []
    for _ in recording.events:
        words.append(page.locator(".step-words").inner_text())
        page.keyboard.press("ArrowRight")
    assert words == [event.words for event in recording.events]
    state = "all => all.map(one => [one.dataset.node, one.querySelector('.value').textContent])"
    for selector, script in ((".node[data-node]", state), (".unseen[data-node]", NODES + ".sort()")):
        ends = [each.locator(selector).evaluate_all(script) for each in (page, plain)]
        assert ends[0] == ends[1] != []
    assert page.locator(".counts").inner_text() == plain.locator(".counts").inner_text()
    assert "at its end" in plain.locator(".static-only").inner_text()
    path.write_text(path.read_text("utf-8").replace('type="module"', 'type="unknown"'), "utf-8")
    old = open_page(path)
    assert old.locator(".static-only").is_visible()
    assert old.locator("svg").is_visible()


@pytest.mark.parametrize("year", ["this year", "2021"])
def test_the_keys(tmp_path: Path, open_page: OpenPage, year: str) -> None:
    page = open_page(write(tmp_path, TEXTBOOK, "alphabeta"))
    if year == "2021":
        page.evaluate("delete Element.prototype.checkVisibility")
    words = page.locator(".step-words")
    for key, shown in (
        ("ArrowRight", "Enter MIN node a, window (−∞, ∞)"),
        ("ArrowDown", "MIN: x is worth 3"),
        ("ArrowUp", "Enter MIN node a, window (−∞, ∞)"),
        ("End", "MAX: the largest of 3, ≤2 and 2 is 3"),
    ):
        page.keyboard.press(key)
        assert words.inner_text().startswith(shown)
    assert page.locator("button").nth(1).is_disabled()
    page.keyboard.press("Home")
    assert page.locator("button").nth(0).is_disabled()
    assert "Enter the root" in page.locator("[aria-live]").inner_text()
    page.locator(".node[data-node='9'] .shape").click()
    assert words.inner_text() == "Enter MIN node c, window (3, ∞)"


@pytest.mark.parametrize(
    ("node", "words"),
    [(6, "Leaf b > x"), (7, "Leave MIN node b with 2"), (0, "MAX: the largest of 3"), (1, "Stopped: an exception")],
    ids=["seen", "never seen", "root", "stopped"],
)
def test_the_button_goes_to_the_difference(node: int, words: str, tmp_path: Path, open_page: OpenPage) -> None:
    """Also if the search never was at the node: then to the node above, where it left the branch out."""
    recording = right = record("alphabeta", TEXTBOOK, 2, OPTIONS)
    if node == 1:
        recording = replace(recording, events=(*recording.events[:2], Event(STOP, 1, "Stopped: an exception")))
    page = open_page(write_page(tmp_path, [recording, right], Difference("a sentence", node)))
    page.get_by_role("button", name="Go to the first difference").click()
    assert page.locator(".step-words").first.inner_text().startswith(words)
    after = page.locator("output").inner_text()
    page.keyboard.press("Home")
    page.keyboard.press("d")
    assert page.locator("output").inner_text() == after


def test_searches_go_on_at_the_same_place(tmp_path: Path, open_page: OpenPage) -> None:
    """While the search without cuts is in a branch that the other one has cut, the other one waits at the cut."""
    names = ("alphabeta", "exhaustive")
    recordings = [record(name, TEXTBOOK, 2, OPTIONS) for name in names]
    places, shown = [0, 0], []
    for step in common_steps(recordings):
        for number in step:
            places[number] += 1
        shown.append(tuple(each.events[place - 1].words for each, place in zip(recordings, places, strict=True)))
    assert places == [len(each.events) for each in recordings]
    assert shown[shown.index((CUT, "Leaf b > x: utility 2")) :][:6] == [
        (CUT, "Leaf b > x: utility 2"),
        (CUT, "Enter leaf b > y"),
        (CUT, "Leaf b > y: utility 4"),
        (CUT, "Enter leaf b > z"),
        (CUT, "Leaf b > z: utility 6"),
        ("Leave MIN node b with 2: its value is ≤2", "MIN: the smallest of 2, 4 and 6 is 2"),
    ]
    page = open_page(write(tmp_path, TEXTBOOK, *names))
    page.keyboard.press("End")
    assert page.locator("input").count() == 1
    live = page.locator("[aria-live]").inner_text()
    assert re.search("alphabeta: MAX: the largest of .*exhaustive: MAX: the largest of ", live, re.DOTALL)


def test_the_own_search_stands_beside_its_code_and_the_right_one(tmp_path: Path, open_page: OpenPage) -> None:
    """Both trees have one size and are whole above the fold; the code has a column of its own, and marks its line."""
    right = record("alphabeta", TEXTBOOK, 2, OPTIONS)
    events = tuple(replace(event, line=number % 30 + 1) for number, event in enumerate(right.events))
    code = tuple(f"line {number}" for number in range(60))
    path = write_page(tmp_path, [replace(right, title="Yours", events=events, code=code), right])
    page, phone = open_page(path, (1366, 768)), open_page(path, PHONE)
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
    assert all(each.bounding_box()["width"] <= 390 for each in phone.locator("svg").all())  # type: ignore[index]


def test_the_picture_shows_the_window_of_a_node_at_the_horizon() -> None:
    tree = Outline.parse("max { a: 2; b: min ~4 { x: 3; y: 5 } }")
    text = explorer_page("a title", [record("alphabeta", tree, 1, OPTIONS)])
    assert "  b: min 4, (2, ∞), horizon\n" in text
    assert re.search(r'<g class="node [^>]* data-node="2".*>\(2, ∞\)</text>.*>horizon</text>', text)


def test_a_tree_of_1000_nodes(tmp_path: Path, open_page: OpenPage) -> None:
    """Two searches are below 1 MB. A step changes only the elements of the nodes that it concerns."""
    assert write(tmp_path, large_tree(), "exhaustive", "star1").stat().st_size < 1_000_000
    page = open_page(write(tmp_path, large_tree(), "exhaustive"))
    changes = page.evaluate(
        """() => {
          const explorer = document.querySelector("search-explorer");
          const observer = new MutationObserver(() => {});
          observer.observe(document.querySelector("svg"), {subtree: true, childList: true, attributes: true});
          return [1000, 1001, 1002, 1003, 1004].map((step) => {
            explorer.show(step);
            return observer.takeRecords().length;
          });
        }"""
    )
    assert changes[0] > 500
    assert max(changes[1:]) < 20
    no_overflow(page)
    root = open_page(tmp_path / "page.html", PHONE).locator('g.node[data-node="0"] .shape').bounding_box()
    assert root
    assert 0 <= root["x"] <= root["x"] + root["width"] <= 390, "the picture is scrolled to the root"
