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

from pacman.__main__ import app
from pacman.core.state import GameState
from pacman.core.tree_text import Outline
from pacman.picture.canvas import Canvas
from pacman.picture.colours import DARK, THEMES, Theme
from pacman.picture.screen_regions import LIST, Box
from pacman.record.report import SearchReport
from pacman.record.rows import RowKind, TreeBrowser, tree_lines
from pacman.search.algorithms import ALGORITHMS
from pacman.view import panel as panel_file
from pacman.view.panel import Panel
from pacman.view.shown_search import PATIENCE_SECONDS, ShownSearch
from pacman.view.window import right_values
from tests.paths import ROOT
from tests.picture.test_overlay import Words, agent_report
from tests.record.test_report import FIGURE_5_2, tree_report, trees
from tests.view.reference_pictures import is_like_reference, kept_text

BOX, SMALL = Box(0, 0, 520, 620), Box(0, 0, 520, 430)


def opened(report: SearchReport | None = None, status: str = "") -> Panel:
    """The panel of an open tree."""
    search = ShownSearch(lambda state: agent_report(), form=LIST)
    search.show(report)
    search.status = status
    return Panel(DARK, search)


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


TREES = {
    "alphabeta": FIGURE_5_2,
    "star1": Outline.parse("max { a: 4; b: chance { x @1/4: 2; y @3/4: min { p: 1; q: 9 } }; c: min { r: 5; s: 3 } }"),
}
KEYS = "x j j v j j j j j g tab up return down down return down left left right up left right down right return k g x"
"""The keys of an open tree, one after the other."""


@pytest.mark.parametrize("algorithm", TREES)
def test_the_tree_after_each_key(algorithm: str) -> None:
    """What is open, entered or cut, with windows, values and probabilities; at last in ASCII and in few lines."""
    search, pages = opened(tree_report(TREES[algorithm], algorithm)).search, list[str]()
    assert search.browser is not None
    for key in KEYS.split():
        assert search.key(key)
        pages += [f"--- {key}", *tree_lines(search.browser, 60, 20)]
    pages += ["--- in ASCII", *tree_lines(search.browser, 40, 6, has_unicode=False)]
    assert pages == kept_text(f"keys-{algorithm}", "\n".join(pages)).split("\n")


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


def test_scrolling_stays_within_the_rows() -> None:
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
