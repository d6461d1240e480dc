"""The panel: folding, steps in the order of the search, clicks, and comparison with stored pictures."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import threading
import time
from dataclasses import replace
from itertools import pairwise
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat
from typer.testing import CliRunner

from agents.analysis import choose_search
from pacman.__main__ import app
from pacman.core.state import GameState, start
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.picture.canvas import Canvas
from pacman.picture.colours import DARK, THEMES, Theme
from pacman.picture.screen_regions import LIST, Box
from pacman.record.report import SearchReport, report_from_trace
from pacman.record.rows import RowKind, TreeBrowser, tree_lines
from pacman.search.algorithms import ALGORITHMS, Options, run_search
from pacman.search.bounds import constant_bounds
from pacman.search.exhaustive import exhaustive
from pacman.view import panel as panel_file
from pacman.view.panel import Panel
from pacman.view.shown_search import PATIENCE_SECONDS, ShownSearch
from pacman.view.window import right_values
from tests.paths import ROOT
from tests.picture.test_overlay import Words, agent_report
from tests.record.test_report import FIGURE_5_2, tree_report, trees
from tests.view.reference_pictures import is_like_reference

BOX, SMALL = Box(0, 0, 520, 620), Box(0, 0, 520, 430)


def opened(report: SearchReport | None = None, status: str = "", **options: bool) -> Panel:
    """The panel of an open tree."""
    search = ShownSearch(lambda state: agent_report(), form=LIST)
    search.show(report)
    search.status = status
    return Panel(DARK, search, **options)


def drawn(panel: Panel, box: Box = BOX, unit: float = 19.0) -> Canvas:
    canvas = Canvas(round(box.right), round(box.bottom))
    panel.draw(canvas, box, unit)
    return canvas


def browser(panel: Panel) -> TreeBrowser:
    assert panel.search.browser is not None
    return panel.search.browser


# ---- the rows


def test_stepping_visits_the_nodes_in_the_order_of_the_search_and_the_board_shows_their_positions() -> None:
    search = opened(agent_report()).search
    assert search.browser is not None
    report = search.browser.report
    order = [visit.number for visit in report.steps]
    for expected in order:
        assert search.key("j")
        assert search.browser.current == expected
        state = report.root
        for number in report.path(expected)[1:]:
            state = state.successor(report.nodes[number].action)
        assert search.position == state
    assert search.key("j")
    assert (search.browser.step, search.position) == (None, None), "after the last node comes the whole search"
    for number in [*order[::-1], order[0]]:
        search.key("k")
        assert search.browser.current == number
    assert search.browser.step == 0, "no step comes before the first"


@given(trees, st.sampled_from(ALGORITHMS))
def test_rows_show_only_what_the_search_knows_at_the_step(tree: Outline, algorithm: str) -> None:
    tree_browser = TreeBrowser(tree_report(tree, algorithm))
    steps = tree_browser.report.steps
    for step in (*range(len(steps)), None):
        tree_browser.go_to(step)
        entered = {visit.number for visit in steps} if step is None else {visit.number for visit in steps[: step + 1]}
        rows = tree_browser.rows()
        assert all((row.kind is RowKind.ENTERED) == (row.number in entered) for row in rows if row.number is not None)
        assert all(row.value == "" for row in rows if row.kind is RowKind.PENDING)
        assert sum(row.is_current for row in rows) == 1, "the current node has a row"
        assert all(following.depth <= row.depth + 1 for row, following in pairwise(rows))


def test_a_branch_is_pruned_only_when_the_search_has_left_its_node() -> None:
    tree_browser = TreeBrowser(tree_report(FIGURE_5_2))
    cut = next(place for place, visit in enumerate(tree_browser.report.steps) if visit.unseen)

    def kinds(step: int | None) -> list[str]:
        tree_browser.go_to(step)
        return [row.kind.value for row in tree_browser.rows() if row.action in ("c2", "c3")]

    # At c1 the search has not cut yet; when it has left the node, it is folded again.
    assert [kinds(cut + steps) for steps in range(3)] == [["pending"] * 2, ["pending"] * 2, []]
    tree_browser.go_to(None)
    tree_browser.toggle(tree_browser.report.steps[cut].number)
    assert kinds(None) == ["pruned", "pruned"]


def test_step_over_goes_to_where_the_search_has_left_the_node() -> None:
    tree_browser = TreeBrowser(tree_report(FIGURE_5_2, "exhaustive"))
    report, actions = tree_browser.report, []
    for step in (TreeBrowser.step_over, TreeBrowser.step_forward, TreeBrowser.step_over):
        step(tree_browser)
        actions.append(report.nodes[tree_browser.current].action)
    assert actions == ["", "a1", "a2"]
    assert report.interval(report.steps[1].number, tree_browser.step) == (3, 3)
    tree_browser.step_over()
    tree_browser.step_over()
    assert tree_browser.step is None


def test_folding_and_a_node_with_many_branches() -> None:
    tree_browser = TreeBrowser(tree_report(FIGURE_5_2))
    nodes, first = tree_browser.report.nodes, ["", "a1", "b1", "b2", "b3", "a2", "a3"]

    def actions(number: int | None = None) -> list[str]:
        if number is not None:
            tree_browser.toggle(number)
        return [row.action for row in tree_browser.rows()]

    assert actions() == first, "the principal line is open"
    assert (actions(0), tree_browser.rows()[0].below) == ([""], 10)
    assert actions(0) == first
    assert actions(nodes[0].children[1])[5:] == ["a2", "c1", "c2", "c3", "a3"]
    tree_browser.reset_folds()
    assert actions(next(node.number for node in nodes if node.action == "b1")) == first, "a leaf has nothing to fold"


def test_what_stands_in_a_row_and_in_a_line_of_text() -> None:
    tree = Outline.parse("max\n  a: 4\n  b: chance\n    x @1/4: 2\n    y @3/4: min\n      p: 1\n      q: 9")
    result = run_search("star1", tree, 3, Options(bounds=constant_bounds(-10, 10)))
    tree_browser = TreeBrowser(report_from_trace(tree, 3, result.trace))
    tree_browser.toggle(tree_browser.report.nodes[0].children[1])
    rows = {row.action: row for row in tree_browser.rows()}
    assert (rows["x"].probability, rows["y"].probability) == ("1/4", "3/4")
    assert (rows["b"].layer, rows["y"].layer, rows["x"].layer) == (Layer.CHANCE, Layer.MIN, None)
    assert (rows["b"].window, rows[""].value) == ("α 4  β 10", str(exhaustive(tree, 3).value))
    tree_browser = TreeBrowser(choose_search("alphabeta", rounds=2)(start("smallish")))
    lines = tree_lines(tree_browser, 50, 6, has_unicode=False)
    assert len(lines) == 6
    assert all(line.isascii() and len(line) <= 50 for line in lines)
    assert lines[0].startswith("> MAX root")
    assert lines[-1].strip().startswith("rows 1 to 5 of ")
    for _ in range(30):
        tree_browser.step_forward()
        assert sum(line.startswith(">") for line in tree_lines(tree_browser, 50, 4)) == 1


# ---- the panel itself


def test_clicks_select_fold_and_press_buttons() -> None:
    panel = opened(agent_report())
    drawn(panel)
    box, row = next((box, row) for box, row in panel.rows if row.depth == 1 and not row.is_open and row.below)
    middle = box.top + box.height / 2
    assert panel.click(box.right - 30, middle)
    assert browser(panel).current == row.number
    before = len(browser(panel).rows())
    drawn(panel)
    assert panel.click(box.left + 45, middle)
    assert len(browser(panel).rows()) > before
    drawn(panel)
    button, _ = panel.hits[-2]  # next, beside the last one
    assert panel.click(button.left + 3, button.top + 3)
    assert browser(panel).step is not None
    assert not panel.click(BOX.right + 5, 5)


def test_scrolling_stays_within_the_rows_and_a_film_has_no_buttons_and_more_rows() -> None:
    panel = opened(agent_report())
    for row in browser(panel).rows():
        if row.is_folded and row.number is not None:
            browser(panel).toggle(row.number)
    rows = browser(panel).rows()
    for far, place in ((1000, -1), (-1000, 0)):
        drawn(panel, SMALL)
        assert len(rows) > len(panel.rows)
        panel.scroll(9, 9, far)
        drawn(panel, SMALL)
        assert panel.rows[place][1] == rows[place]
    panels = [opened(agent_report(), has_buttons=has_buttons) for has_buttons in (True, False)]
    for panel in panels:
        drawn(panel, Box(0, 0, 538, 360), 18.0)
    assert len(panels[0].rows) < len(panels[1].rows)


@pytest.fixture
def canvases(monkeypatch: pytest.MonkeyPatch) -> list[Words]:
    """The canvases on which panels are drawn from now on."""
    canvases: list[Words] = []

    class RecordedCanvas(Words):
        def __init__(self, width: int, height: int) -> None:
            super().__init__(width, height)
            canvases.append(self)

        antialiased = Canvas.antialiased  # the icons are drawn on ordinary canvases

    monkeypatch.setattr(panel_file, "Canvas", RecordedCanvas)
    return canvases


@pytest.mark.parametrize("name", ["alphabeta", "expectimax"])
def test_texts_in_a_row_do_not_overlap(name: str, canvases: list[Words]) -> None:
    for width in (300, 420, 800):
        panel = opened(agent_report(name))
        for _ in range(20):
            drawn(panel, Box(0, 0, width, 620))
            canvases[-1].check(Box(0, 0, width, 620))
            panel.search.key("j")
            panel.search.key("j")


SIZES = [(380, 330, 12.0), (538, 603, 18.9), (806, 900, 28.4)]


@pytest.mark.parametrize(("size", "theme"), [*zip(SIZES, THEMES.values(), strict=True)])
@pytest.mark.parametrize("steps", [0, 14])
def test_the_panel_looks_like_its_stored_picture(size: tuple[int, int, float], theme: Theme, steps: int) -> None:
    (width, height, unit), panel = size, opened(agent_report())
    panel.theme = theme
    for _ in range(steps):
        panel.search.key("j")
    canvas = drawn(panel, Box(0, 0, width, height), unit)
    assert is_like_reference(canvas, f"search/panel-{steps}-{width}x{height}")


def test_pruned_branches_are_struck_through_in_the_warning_colour() -> None:
    panel = opened(tree_report(FIGURE_5_2))

    def struck_rows() -> set[int]:
        canvas = drawn(panel)
        rows = {round(box.top + box.height / 2) for box, row in panel.rows if row.kind is RowKind.PRUNED}
        red_rows = {y for y in range(100, 520) for x in range(20, 300) if canvas.pixel(x, y) == DARK.bad}
        assert all(any(abs(y - row) <= 3 for row in rows) for y in red_rows)
        return rows if red_rows else set()

    assert struck_rows() == set()
    browser(panel).toggle(next(node.number for node in browser(panel).report.nodes if node.unseen))
    panel.search.changes += 1
    assert len(struck_rows()) == 2


def test_a_wrong_value_has_the_right_one_beside_it(canvases: list[Words]) -> None:
    """But only when the search has left the node; and a bound that the search breaks itself is not shown."""
    wrong, right = (
        tree_report(Outline.parse(f"max\n  a: min\n    b1: {value}\n    b2: 12\n  c: 2"), "exhaustive")
        for value in (3, 5)
    )
    assert right_values(wrong, right) == {0: "5", 1: "5", 2: "5"}
    panel = opened(wrong)
    panel.search.right = {1: "5"}
    for steps, is_wrong in ((2, False), (4, True)):
        panel.search.browser = TreeBrowser(wrong)
        panel.search.browser.go_to(steps)
        panel.search.changes += 1
        drawn(panel)
        assert ("right: 5" in canvases[-1].texts) == is_wrong
    maximised = replace(wrong, claims=(wrong.claims[0], (12, 12), *wrong.claims[2:]))
    assert [each.interval(1, 2) for each in (wrong, maximised)] == [(-inf, 3), (-inf, inf)]


def test_a_panel_without_a_report_shows_the_whole_reason(canvases: list[Words]) -> None:
    reason = "a/long/way/to/a/file/of/somebody/called/student.py:MinimaxAgent: IndexError: list index out of range"
    panel = opened(None, reason)
    canvas = drawn(panel, Box(0, 0, 300, 200), 12.0)
    assert "".join(canvases[-1].texts).replace(" ", "") == reason.replace(" ", "")
    canvases[-1].check(Box(0, 0, 300, 200))
    panel.draw(canvas, Box(0, 0, 0, 0), 12.0)


def test_the_panel_keeps_a_tree_until_the_next_report_is_ready() -> None:
    """It keeps it for a short time, so that it does not flicker, but not while the viewer steps through it."""
    report, first, may_continue, end = agent_report(), agent_report().root, threading.Event(), time.monotonic() + 60
    assert isinstance(first, GameState)
    following = first.successor(first.actions()[0])

    def analyse(state: GameState) -> SearchReport:
        assert state is first or may_continue.wait(60)
        return report

    search = ShownSearch(analyse, form=LIST)
    while not search.update(first):
        assert time.monotonic() < end
    old = search.browser
    assert old is not None
    assert not search.update(following)
    assert search.browser is old
    search.tick(2 * PATIENCE_SECONDS)
    assert not search.update(following)
    assert (search.browser, search.status) == (None, "searching ...")
    search.update(following, is_over=True)  # for example because an agent exceeded its time here
    assert search.status == "the game is over"
    search.update(first)
    search.key("j")
    search.update(following)
    assert search.browser is None
    may_continue.set()


# ---- the page

DOCS = ROOT / "docs"
PICTURE = re.compile(r"!\[[^]]*\]\((\S+\.png)\)\n\n```sh\n(.*?)```", re.S)


@pytest.mark.parametrize("page", ["see-the-search.md", "lecture.md"])
def test_the_page_shows_what_its_commands_draw(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((picture, commands),) = PICTURE.findall((DOCS / page).read_text(encoding="utf-8"))
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    for command in commands.splitlines():
        program, *arguments = shlex.split(command)
        assert program == "pacman-search"
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
    if os.environ.get("UPDATE_PICTURES"):
        shutil.copy(tmp_path / "docs" / picture, DOCS / picture)
    with Image.open(tmp_path / "docs" / picture) as new, Image.open(DOCS / picture) as stored:
        difference = ImageChops.difference(new.convert("RGB"), stored.convert("RGB"))
    assert max(ImageStat.Stat(difference).mean) < 0.5
