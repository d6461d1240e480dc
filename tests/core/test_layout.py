"""Layouts: reading them, and the exact message for each mistake."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pacman import Layout, LayoutError
from pacman.core.layout import Maze, cells, names
from tests.paths import ROOT

GOOD = "%%%%%%\n%P.o %\n% %% %\n%.G 2%\n%%%%%%\n"


def test_cells_count_from_the_bottom_left() -> None:
    layout = Layout.parse(GOOD)
    position = layout.maze.position
    assert position(layout.pacman) == (1, 3)
    assert [position(cell) for cell in cells(layout.food)] == [(1, 1), (2, 3)]
    assert [position(cell) for cell in cells(layout.capsules)] == [(3, 3)]
    assert [position(cell) for cell in layout.ghosts] == [(2, 1), (4, 1)]


def test_ghosts_are_numbered_by_rank_then_x_then_y() -> None:
    layout = Layout.parse("%%%%%%%\n%3G1P.%\n%G 2  %\n%%%%%%%")
    assert [layout.maze.position(cell) for cell in layout.ghosts] == [(1, 1), (2, 2), (3, 2), (3, 1), (1, 2)]


@pytest.mark.parametrize("name", names())
def test_parsing_the_drawing_of_a_layout_gives_the_same_layout(name: str) -> None:
    layout = Layout.load(name)
    assert Layout.parse(str(layout), name) == layout


def test_blanks_behind_the_border_mean_nothing() -> None:
    """As for the program for which many boards of courses were drawn; also behind the first row, and tabs."""
    assert Layout.parse("".join(f"{row}{'  ' * (n % 3)}\n" for n, row in enumerate(GOOD.split("\n")))) == Layout.parse(
        GOOD
    )
    first_row = GOOD.replace("\n", " \t\n", 1)
    assert Layout.parse(first_row) == Layout.parse(GOOD)
    assert Layout.parse(first_row).notes == ()


def test_a_row_that_is_longer_than_the_first_is_cut_and_noted() -> None:
    rows = GOOD.splitlines()
    layout = Layout.parse("\n".join([*rows[:2], rows[2] + "% .", *rows[3:-1], rows[-1] + "%"]), "x.lay")
    assert layout == replace(Layout.parse(GOOD), name="x.lay")
    assert layout.notes == (
        "x.lay:3:7: '% .' is ignored: the first row is shorter",
        "x.lay:5:7: '%' is ignored: the first row is shorter",
    )


def test_mazes_with_the_same_walls_are_the_same_object() -> None:
    assert Layout.parse(GOOD).maze is Layout.parse(GOOD.replace(".", " ").replace("o", ".")).maze


def test_a_file_of_a_windows_editor_is_read(tmp_path: Path) -> None:
    (tmp_path / "windows.lay").write_text(GOOD.replace("\n", "\r\n") + "\r\n\r\n", encoding="utf-8-sig", newline="")
    assert Layout.load(str(tmp_path / "windows.lay")).maze is Layout.parse(GOOD).maze


def test_a_file_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path) -> None:
    (file := tmp_path / "binary.lay").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LayoutError, match=r"binary.lay: cannot be read: not a text file$"):
        Layout.load(str(file))


def test_distances_are_steps_through_the_maze() -> None:
    maze = Maze.of(["%%%%%", "%   %", "% % %", "% %%%", "%%%%%"])
    steps = maze.distances(maze.cell(1, 1))
    assert steps == {maze.cell(1, 1): 0, maze.cell(1, 2): 1, maze.cell(1, 3): 2, maze.cell(2, 3): 3,
                     maze.cell(3, 3): 4, maze.cell(3, 2): 5}  # fmt: skip


def test_every_layout_has_a_row_in_the_readme() -> None:
    readme = (ROOT / "layouts" / "README.md").read_text(encoding="utf-8")
    for name in names():
        maze = Layout.load(name).maze
        assert f"| {name} | {maze.width} x {maze.height} | {len(Layout.load(name).ghosts)} |" in readme
    assert len(names()) >= 8
