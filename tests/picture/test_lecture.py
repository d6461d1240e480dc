"""The lecture view: what it draws fits, is in its place and is true; the quiz hides what it asks for; its keys."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.analysis import choose_search
from pacman.core.layout import names
from pacman.core.state import start
from pacman.core.tree_text import Outline
from pacman.picture.bars import SENTENCES_HEIGHT
from pacman.picture.canvas import text_width
from pacman.picture.colours import DARK
from pacman.picture.lecture import HEADER, LABEL, SHAPE, draw_lecture, lecture_tree, type_size
from pacman.picture.screen_regions import LECTURE, LIST, Box, Regions
from pacman.picture.tree import TreeNode
from pacman.record.rows import TreeBrowser
from pacman.search.algorithms import ALGORITHMS
from tests.picture.test_diagram import check_places
from tests.picture.test_overlay import Words
from tests.record.test_report import FIGURE_5_2, position, tree_report, trees
from tests.view.test_pictures import WIDE

SIZES = [(464, 430), (742, 600), (1113, 800), (800, 320), (1920, 480)]


def layout(browser: TreeBrowser, width: float = 24.0, levels: int = 5, **options: bool) -> TreeNode:
    root, wide = lecture_tree(browser, width, levels, lambda words: text_width(words, 40) / 40, **options)
    check_places(root, wide)
    return root


def levels_of(root: TreeNode) -> list[list[TreeNode]]:
    nodes = sorted(root.subtree(), key=lambda node: (node.level, node.x))
    return [[node for node in nodes if node.level == level] for level in range(nodes[-1].level + 1)]


def test_a_small_tree_is_drawn_whole_and_a_quiz_hides_the_answer() -> None:
    cut, whole = tree_report(FIGURE_5_2), tree_report(FIGURE_5_2, "exhaustive")
    levels = levels_of(root := layout(TreeBrowser(cut)))
    assert [[node.label for node in level] for level in levels[:2]] == [[""], ["a1", "a2", "a3"]]
    assert [node.label for node in levels[2]] == [f"{name}{number}" for name in "bcd" for number in (1, 2, 3)]
    assert [node.value for node in levels[1]] == ["3", "≤2", "2"]
    assert [node.label for node in root.subtree() if node.is_cut] == ["c2", "c3"]
    values = [node.value for level in levels_of(layout(TreeBrowser(whole), is_hidden=True)) for node in level]
    assert " ".join(values) == "? ? ? ? 3 12 8 2 4 6 14 5 2"
    folded = layout(TreeBrowser(whole), 8, 2, is_hidden=True)
    assert {node.value for node in folded.subtree()} == {"?"}, "the values of the actions are the answer"


@given(trees, st.sampled_from(ALGORITHMS), st.integers(6, 40), st.integers(2, 6), st.integers(0, 40))
def test_neighbours_do_not_touch_and_the_node_of_the_viewer_is_there(
    drawn: Outline, algorithm: str, width: int, levels: int, step: int
) -> None:
    report = tree_report(drawn, algorithm)
    browser = TreeBrowser(report)
    browser.go_to(step if step < len(report.steps) else None)
    root = layout(browser, width, levels)
    assert browser.focus in [node.number for node in root.subtree()]
    assert len(levels_of(root)) <= levels
    for node in root.subtree():
        if node.number is not None:
            drawn_below = sum(child.number is not None for child in node.subtree()) - 1
            assert bool(node.below) <= (report.nodes[node.number].below > drawn_below)
            assert len({child.label for child in node.children}) == len(node.children)


@given(trees, st.sampled_from(ALGORITHMS))
def test_the_principal_line_and_its_siblings_come_first(drawn: Outline, algorithm: str) -> None:
    report = tree_report(drawn, algorithm)
    nodes = {node.number: node for node in layout(TreeBrowser(report), 30, 9).subtree()}
    assert nodes.keys() >= report.line_nodes
    for node in (nodes[number] for number in report.line_nodes):
        if node.children and not any(child.is_more for child in node.children):
            assert len(node.children) == len(report.nodes[node.number or 0].node.actions())


# ---- the drawing


def drawing(browser: TreeBrowser, size: tuple[int, int], is_hidden: bool = False) -> tuple[Words, list[Any]]:
    canvas = Words(*size)
    return canvas, draw_lecture(canvas, browser, DARK, is_hidden)


def browsers() -> Iterator[TreeBrowser]:
    for name in ("alphabeta", "expectimax", "star2"):
        report = choose_search(name, rounds=2)(position())
        for step in (None, 0, 5, len(report.steps) // 2, len(report.steps) - 1):
            browser = TreeBrowser(report)
            browser.go_to(step)
            yield browser


def test_no_text_is_cut_and_no_two_meet_and_the_letters_are_readable_from_five_metres() -> None:
    """On a full HD screen beside the board, the smallest text has 5 pixels when the picture is scaled to a fifth."""
    panel = Regions.fit(1920, 1080, start("smallish", ["random"]).maze, panel=LECTURE).panel
    large = round(panel.width), round(panel.height)
    assert type_size(*large) * HEADER < panel.height / 8
    assert (SHAPE + LABEL) * type_size(*large) < panel.height / 6
    for browser, size in product(browsers(), [*SIZES, large]):
        canvas, boxes = drawing(browser, size)
        canvas.check(Box(0, 0, *size), 0.7)
        assert browser.focus in [number for _, number in boxes]
        assert size != large or min(box.height for _, box in canvas.words) / 5 >= 4.95


# ---- where the tree is


WINDOWS = [(480, 360), (800, 600), (1280, 720), (1366, 768), (1280, 800), (1920, 1080), (760, 1000)]


@pytest.mark.parametrize("size", WINDOWS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_covers_the_board_and_the_board_keeps_half_of_its_size(size: tuple[int, int]) -> None:
    """In each combination of what can be switched on, on each layout, no region meets another one."""
    for board in [*names(), WIDE]:
        state = start(board)
        maze, alone = state.maze, Regions.fit(*size, state.maze).cell
        for panel, strips in product((None, LIST, LECTURE), (0, 1, 2)):
            regions, what = (
                Regions.fit(*size, maze, panel=panel, words=strips * SENTENCES_HEIGHT),
                (board, panel, strips),
            )
            cells = Box(regions.left, regions.top, regions.cell * maze.width, regions.cell * maze.height)
            bars = [regions.bar, regions.chips, regions.timeline, regions.message]
            boxes = [cells, *bars, regions.panel, regions.words]
            assert all(bar.height for bar in bars)
            assert all(box.left >= 0 and box.right <= size[0] and box.bottom <= size[1] for box in boxes), what
            cores = [Box(box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1) for box in boxes if box.height]
            assert not any(one.meets(other) for one, other in combinations(cores, 2)), what
            assert 2 * regions.cell >= alone or size[0] < 1280 or strips == 2, what
    for board, is_below in ((WIDE, True), ("nook", False), ("smallish", False)):
        assert (Regions.fit(1280, 800, start(board).maze, panel=LIST).panel.width == 1280) == is_below, board
