"""The panel: folding, stepping in the order of the search, clicks, and pictures as they were kept."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import threading
import time
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat
from typer.testing import CliRunner

from pacman.__main__ import app
from pacman.core.layers import Layer
from pacman.core.outline import Outline
from pacman.core.state import GameState
from pacman.search.algorithms import ALGORITHMS, Options, run_search
from pacman.search.bounds import constant_bounds
from pacman.search.exhaustive import exhaustive
from pacman.view.analysis import panel as panel_file
from pacman.view.analysis.panel import KEYS, Panel
from pacman.view.analysis.report_from_trace import report_from_trace
from pacman.view.analysis.search_display import SearchDisplay
from pacman.view.analysis.search_report import SearchReport
from pacman.view.analysis.tree_browser import BRANCHES, Kind, TreeBrowser
from pacman.view.picture.canvas import Canvas
from pacman.view.picture.regions import Box
from pacman.view.theme import DARK, THEMES
from tests.view.reference_pictures import is_like_reference
from tests.view.test_overlay import Words, study
from tests.view.test_search_report import FIGURE_5_2, studied, trees

BOX = Box(0, 0, 520, 620)


def shown(box: Box = BOX, unit: float = 19.0, name: str = "alphabeta") -> tuple[Panel, Canvas]:
    panel = Panel(DARK)
    panel.show(study(name))
    canvas = Canvas(round(box.right), round(box.bottom))
    panel.draw(canvas, box, unit)
    return panel, canvas


def browse(panel: Panel) -> TreeBrowser:
    assert panel.browse is not None
    return panel.browse


# ---- what is in the rows


def test_stepping_visits_the_nodes_in_the_order_of_the_search() -> None:
    panel, _ = shown()
    order = [visit.number for visit in browse(panel).study.steps]
    seen = []
    for _ in order:
        assert panel.key("j")
        seen.append(browse(panel).current)
    assert seen == order
    assert panel.key("j")
    assert browse(panel).step is None, "after the last node the search is seen as a whole"
    back = []
    for _ in order:
        panel.key("k")
        back.append(browse(panel).current)
    assert back == order[::-1]
    panel.key("k")
    assert browse(panel).step == 0, "there is nothing before the first"


def test_the_board_shows_the_entered_nodes_position() -> None:
    panel, _ = shown()
    assert panel.position is None
    for _ in range(9):
        panel.key("j")
    current = browse(panel).study
    state = current.root
    for number in current.path(browse(panel).current)[1:]:
        state = state.successor(current.nodes[number].action)
    assert panel.position == state
    assert isinstance(state, GameState)
    panel.key("g")
    assert panel.position is None


@given(trees, st.sampled_from(ALGORITHMS))
def test_rows_tell_only_what_the_search_knows_by_then(tree: Outline, algorithm: str) -> None:
    looked = TreeBrowser(studied(tree, algorithm))
    steps = looked.study.steps
    for step in (*range(len(steps)), None):
        looked.go(step)
        entered = {visit.number for visit in steps} if step is None else {visit.number for visit in steps[: step + 1]}
        rows = looked.rows()
        assert all((row.kind is Kind.SEEN) == (row.number in entered) for row in rows if row.number is not None)
        assert all(row.value == "" for row in rows if row.kind is Kind.LATER)
        assert sum(row.is_current for row in rows) == 1, "the node that is looked at can be seen"
        for row, following in pairwise(rows):
            assert following.depth <= row.depth + 1


def test_a_branch_is_pruned_when_its_node_is_left_and_not_before() -> None:
    looked = TreeBrowser(studied(FIGURE_5_2))
    cut = next(place for place, visit in enumerate(looked.study.steps) if visit.unseen)

    def kinds() -> list[str]:
        return [row.kind.value for row in looked.rows() if row.action in ("c2", "c3")]

    looked.go(cut)
    assert kinds() == ["later", "later"]
    looked.go(cut + 1)
    assert kinds() == ["later", "later"], "at c1 nothing is decided"
    looked.go(cut + 2)
    assert kinds() == [], "left, and folded again"
    looked.go(None)
    looked.fold(looked.study.steps[cut].number)
    assert kinds() == ["pruned", "pruned"]


def test_over_goes_to_where_the_node_has_been_left() -> None:
    looked = TreeBrowser(studied(FIGURE_5_2, "exhaustive"))
    looked.over()
    assert looked.step == 0
    looked.forward()
    assert looked.study.nodes[looked.current].action == "a1"
    looked.over()
    assert looked.study.nodes[looked.current].action == "a2"
    assert looked.study.known(looked.study.steps[1].number, looked.step) == (3, 3)
    looked.over()
    looked.over()
    assert looked.step is None


def test_folding() -> None:
    looked = TreeBrowser(studied(FIGURE_5_2))
    first = [row.action for row in looked.rows()]
    assert first == ["", "a1", "b1", "b2", "b3", "a2", "a3"], "the principal line is open"
    looked.fold(0)
    assert [row.action for row in looked.rows()] == [""]
    assert looked.rows()[0].below == 10
    looked.fold(0)
    looked.fold(looked.study.nodes[0].children[1])
    assert [row.action for row in looked.rows()][5:] == ["a2", "c1", "c2", "c3", "a3"]
    looked.fold_all()
    assert [row.action for row in looked.rows()] == first
    leaf = next(seen.number for seen in looked.study.nodes if seen.action == "b1")
    looked.fold(leaf)
    assert [row.action for row in looked.rows()] == first, "a leaf has nothing to fold"


def test_many_branches_are_some_rows_and_a_count() -> None:
    tree = Outline(Layer.MAX, None, tuple((f"a{number}", Outline(None, number)) for number in range(40)))
    found = run_search("exhaustive", tree, 1)
    looked = TreeBrowser(report_from_trace(tree, 1, found.trace))
    rows = looked.rows()
    assert len(rows) == BRANCHES + 1
    assert (rows[-1].kind, rows[-1].action, rows[-1].below) == (Kind.MORE, "29 more", 29)
    looked.go(31)
    assert "a30" in [row.action for row in looked.rows()], "the entered one is among them"


def test_probabilities_values_and_windows_are_words() -> None:
    tree = Outline.parse("max\n  a: 4\n  b: chance\n    x @1/4: 2\n    y @3/4: min\n      p: 1\n      q: 9")
    found = run_search("star1", tree, 3, Options(bounds=constant_bounds(-10, 10)))
    looked = TreeBrowser(report_from_trace(tree, 3, found.trace))
    looked.fold(looked.study.nodes[0].children[1])
    rows = {row.action: row for row in looked.rows()}
    assert (rows["x"].chance, rows["y"].chance) == ("1/4", "3/4")
    assert (rows["b"].layer, rows["y"].layer, rows["x"].layer) == (Layer.CHANCE, Layer.MIN, None)
    assert rows["b"].window == "α 4  β 10"
    value = exhaustive(tree, 3).value
    assert rows[""].value == str(value)


# ---- the panel itself


def test_clicks_choose_fold_and_press_buttons() -> None:
    panel, canvas = shown()
    lines = panel._lines
    box, row = next((box, row) for box, row in lines if row.depth == 1 and not row.is_open and row.below)
    middle = box.top + box.height / 2
    assert panel.click(box.right - 30, middle)
    assert browse(panel).current == row.number
    before = len(browse(panel).rows())
    panel.draw(canvas, BOX, 19.0)
    assert panel.click(box.left + 45, middle)
    assert len(browse(panel).rows()) > before
    panel.draw(canvas, BOX, 19.0)
    button, _ = next(found for found in panel._buttons if found[1] == "j")
    assert panel.click(button.left + 3, button.top + 3)
    assert browse(panel).step is not None
    assert not panel.click(BOX.right + 5, 5)


def test_keys_that_are_for_nothing_are_left_to_others() -> None:
    panel = Panel(DARK)
    assert not panel.key("j")
    panel.show(study())
    assert not panel.key("space")
    assert [panel.key(key.lower().replace("enter", "return")) for key, _ in KEYS] == [True] * len(KEYS)


def test_a_new_study_begins_anew_and_the_same_one_changes_nothing() -> None:
    panel = Panel(DARK)
    panel.show(None, "thinking ...")
    assert panel.position is None
    first = study()
    panel.show(first)
    panel.key("j")
    panel.show(first)
    assert browse(panel).step == 0
    panel.show(study("minimax"))
    assert browse(panel).step is None
    panel.show(None)
    assert panel.browse is None


def test_scrolling_stays_within_the_rows() -> None:
    box = Box(0, 0, 520, 430)
    panel, canvas = shown(box)
    for number in list(browse(panel).study.nodes[0].children):
        if not browse(panel)._is_open(number):
            browse(panel).fold(number)
    panel.scroll(0)
    panel.draw(canvas, box, 19.0)
    rows = browse(panel).rows()
    assert len(rows) > len(panel._lines)
    panel.scroll(1000)
    panel.draw(canvas, box, 19.0)
    assert panel._lines[-1][1] == rows[-1]
    panel.scroll(-1000)
    panel.draw(canvas, box, 19.0)
    assert panel._lines[0][1] == rows[0]


@pytest.mark.parametrize("name", ["alphabeta", "expectimax"])
@pytest.mark.parametrize("width", [300, 420, 520, 800])
def test_no_words_of_a_row_touch(width: int, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    papers: list[Words] = []

    class Paper(Words):
        def __init__(self, wide: int, tall: int, *, clear: bool = False) -> None:
            super().__init__(wide, tall)
            papers.append(self)

        antialiased = Canvas.antialiased  # small icons are drawn at the first use; they are no papers

    panel = Panel(DARK)
    panel.show(study(name))
    canvas = Canvas(width, 620)
    monkeypatch.setattr(panel_file, "Canvas", Paper)
    for _ in range(40):
        panel.draw(canvas, Box(0, 0, width, 620), 19.0)
        for one, other in combinations(papers[-1].words, 2):
            (_, left, right, y, _), (_, to_left, to_right, to_y, _) = one, other
            assert abs(y - to_y) >= 8 or right <= to_left or to_right <= left, (one, other)
        panel.key("j")


SIZES = [(380, 330, 12.0), (538, 603, 18.9), (806, 900, 28.4)]


@pytest.mark.parametrize(("width", "height", "unit"), SIZES)
@pytest.mark.parametrize("steps", [0, 14])
def test_the_panel_looks_as_it_was_kept(width: int, height: int, unit: float, steps: int) -> None:
    colours = list(THEMES.values())[[size[0] for size in SIZES].index(width)]
    panel = Panel(colours)
    panel.show(study())
    for _ in range(steps):
        panel.key("j")
    canvas = Canvas(width, height)
    panel.draw(canvas, Box(0, 0, width, height), unit)
    assert is_like_reference(canvas, f"search/panel-{steps}-{width}x{height}")


def test_what_was_pruned_is_struck_through_in_the_warning_colour() -> None:
    panel = Panel(DARK)
    panel.show(studied(FIGURE_5_2))
    canvas = Canvas(520, 620)

    def struck() -> set[int]:
        panel.draw(canvas, BOX, 19.0)
        rows = {round(box.top + box.height / 2) for box, row in panel._lines if row.kind is Kind.PRUNED}
        found = {y for y in range(100, 520) for x in range(20, 300) if canvas.pixel(x, y) == DARK.bad}
        assert all(any(abs(y - row) <= 3 for row in rows) for y in found)
        return rows if found else set()

    assert struck() == set()
    browse(panel).fold(next(seen.number for seen in browse(panel).study.nodes if seen.unseen))
    panel.scroll(0)
    assert len(struck()) == 2


def test_a_panel_without_a_study_says_why_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    papers: list[Words] = []

    class Paper(Words):
        def __init__(self, wide: int, tall: int, **how: bool) -> None:
            super().__init__(wide, tall)
            papers.append(self)

    monkeypatch.setattr(panel_file, "Canvas", Paper)
    panel = Panel(DARK)
    why = "a/long/way/to/a/file/of/somebody/called/student.py:MinimaxAgent: IndexError: list index out of range"
    panel.show(None, why)
    canvas = Canvas(300, 200)
    panel.draw(canvas, Box(0, 0, 300, 200), 12.0)
    assert "".join(word for word, *_ in papers[-1].words).replace(" ", "") == why.replace(" ", "")
    assert all(left >= 0 and right <= 300 for _, left, right, _, _ in papers[-1].words)
    panel.draw(canvas, Box(0, 0, 0, 0), 12.0)


def test_the_panel_keeps_a_tree_until_the_next_is_there() -> None:
    """Rather than flicker, for a while; not while somebody steps through it."""
    made, seconds = study(), [0.0]
    first = made.root
    assert isinstance(first, GameState)
    following = first.successor(first.actions()[0])
    may_end = threading.Event()

    def think(state: GameState) -> SearchReport:
        assert state is first or may_end.wait(20)
        return made

    sight = SearchDisplay(think, DARK, clock=lambda: seconds[0])
    sight.do("tree")
    end = time.monotonic() + 20
    while not sight.look(first):
        assert time.monotonic() < end
    kept = sight.panel.browse
    assert kept is not None
    assert not sight.look(following)
    assert sight.panel.browse is kept
    seconds[0] = 1.0
    assert not sight.look(following)
    assert sight.panel.browse is None
    sight.look(first)
    sight.key("j")
    sight.look(following)
    assert sight.panel.browse is None
    may_end.set()
    sight.stop()


def test_a_film_has_no_buttons_and_more_rows() -> None:
    shown, box = study(), Box(0, 0, 538, 360)
    rows = []
    for has_buttons in (True, False):
        panel = Panel(DARK, has_buttons=has_buttons)
        panel.show(shown)
        panel.draw(Canvas(538, 360), box, 18.0)
        assert bool(panel._buttons) is has_buttons
        rows.append(len(panel._lines))
    assert rows[1] > rows[0]


# ---- the page

DOCS = Path(__file__).parents[2] / "docs"
DRAWN = re.compile(r"!\[[^]]*\]\((\S+\.png)\)\n\n```sh\n(.*?)```", re.S)


def test_the_page_shows_what_its_commands_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((picture, commands),) = DRAWN.findall((DOCS / "see-the-search.md").read_text(encoding="utf-8"))
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    for command in commands.splitlines():
        program, arguments = shlex.split(command)[:3], shlex.split(command)[3:]
        assert program == ["python", "-m", "pacman"]
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
    if os.environ.get("UPDATE_PICTURES"):
        shutil.copy(tmp_path / "docs" / picture, DOCS / picture)
    with Image.open(tmp_path / "docs" / picture) as drawn, Image.open(DOCS / picture) as kept:
        difference = ImageChops.difference(drawn.convert("RGB"), kept.convert("RGB"))
    assert max(ImageStat.Stat(difference).mean) < 0.5
