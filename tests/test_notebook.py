"""docs/notebook.md: a notebook shows the stored pictures for its blocks, and docs/notebook.ipynb is the same page.

UPDATE_README=1 draws the pictures and writes the notebook again.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pacman import GameState, Outline, run_search, start, svg
from pacman.core.layout import Maze
from pacman.record.trace import CountedNode, Trace
from pacman.search.algorithms import Options, SearchResult, Statistics
from tests.documented_commands import rewriting
from tests.paths import ROOT

DOCS = ROOT / "docs"
BLOCKS = re.findall(r"```python\n(.*?)```\n(?:\n!\[[^]]*\]\((\S+)\))?", (DOCS / "notebook.md").read_text("utf-8"), re.S)
SVG = "{http://www.w3.org/2000/svg}"


def last_value(block: str, names: dict[str, Any]) -> Any:
    """Runs a block as a notebook does. Returns the value of its last line, or None if that is not an expression."""
    *body, last = ast.parse(block).body
    exec(compile(ast.Module(body, []), "block", "exec"), names)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "block", "eval"), names)
    exec(compile(ast.Module([last], []), "block", "exec"), names)
    return None


def test_the_stored_pictures_are_those_of_the_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    names: dict[str, Any] = {}
    for block, picture in BLOCKS:
        value = last_value(block, names)
        if picture:
            drawing = value._repr_svg_()
            if rewriting():
                (DOCS / picture).write_text(drawing, encoding="utf-8", newline="\n")
            # Git may check out the stored file with the line ends of Windows.
            assert drawing == (DOCS / picture).read_text(encoding="utf-8").replace("\r\n", "\n"), picture
    assert {path.name for path in (DOCS / "notebook").iterdir()} == {Path(name).name for _, name in BLOCKS if name}
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == names["picture"]


def as_notebook(page: str) -> str:
    """The page as a notebook: its text, and its blocks of Python without outputs. A notebook draws the pictures."""
    cells: list[dict[str, Any]] = []
    text = re.sub(r"\n!\[[^]]*\]\(\S+\)\n", "", page)
    for number, part in enumerate(re.split(r"```python\n(.*?)```\n", text, flags=re.S)):
        if part.strip():
            cell: dict[str, Any] = {"cell_type": "markdown", "id": f"cell-{number}", "metadata": {}}
            if number % 2:
                cell |= {"cell_type": "code", "execution_count": None, "outputs": []}
            cells.append(cell | {"source": part.strip().splitlines(keepends=True)})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def test_the_notebook_is_the_page_and_shows_something_in_each_cell_but_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = DOCS / "notebook.ipynb"
    if rewriting():
        file.write_text(as_notebook((DOCS / "notebook.md").read_text("utf-8")), encoding="utf-8", newline="\n")
    assert file.read_text(encoding="utf-8") == as_notebook((DOCS / "notebook.md").read_text("utf-8"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    names: dict[str, Any] = {}
    cells = ["".join(cell["source"]) for cell in json.loads(file.read_text("utf-8"))["cells"] if "outputs" in cell]
    *values, last = [last_value(cell, names) for cell in cells]
    assert all(hasattr(value, "_repr_svg_") or hasattr(value, "_repr_html_") for value in values)
    assert (len(values), type(last)) == (5, int)


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def texts(picture: str, tag: str) -> list[str | None]:
    return [element.text for element in parsed(picture).iter(SVG + tag)]


@pytest.mark.parametrize("name", ["nook", "pantry", "crossroads"])
def test_a_board_shows_everything_on_it(name: str) -> None:
    state = start(name)
    paths = {path.get("class") or "walls": path.get("d", "") for path in parsed(svg(state)).iter(SVG + "path")}
    assert paths.get("food", "").count("M") == state.food_left
    assert paths.get("capsules", "").count("M") == len(state.capsules)
    assert svg(state).count('class="agent"') == len(state.ghosts) + 1
    assert wall_cells(paths["walls"], state.maze) == walls_of(state.maze)
    assert svg(state) == svg(start(name))


def walls_of(maze: Maze) -> set[tuple[int, int]]:
    return {(x, y) for x in range(maze.width) for y in range(maze.height) if maze.is_wall(x, y)}


def wall_cells(data: str, maze: Maze) -> set[tuple[int, int]]:
    """The cells through which the lines of a path go."""
    cells = set()
    for left, top, direction, length in re.findall(r"M(\d+) (\d+)([hv])(-?\d+)", data):
        x, y = int(left) // 32, maze.height - 1 - int(top) // 32
        for step in range(abs(int(length)) // 32 + 1):
            cells.add((x + step, y) if direction == "h" else (x, y + step))
    return cells


def test_a_board_has_a_description_in_words() -> None:
    state = start("nook")
    assert texts(svg(state), "title") == texts(svg(state), "text") == ["score 0, MAX: Pacman moves"]
    assert texts(svg(state), "desc") == [
        f"A board of 5 x 5 cells. Pacman at 1, 3; ghost 1 at 3, 1; food left: 5; capsules left: 1.\n{state}"
    ]
    scared = start("%%%%%%\n%Po.G%\n%%%%%%").successor("East")
    assert "ghost 1 at 4, 1 (scared: 40)" in (texts(svg(scared), "desc")[0] or "")


def test_the_title_of_a_board_names_the_end_of_the_game() -> None:
    won = start("%%%%\n%P.%\n%%%%", []).successor("East")
    assert texts(svg(won), "title") == ["score 509, won"]
    lost = start("%%%%%\n%PG.%\n%%%%%").successor("East")
    assert texts(svg(lost), "title") == ["score −501, lost"]


def test_a_scared_ghost_has_another_colour() -> None:
    calm = start("%%%%%%\n%Po.G%\n%%%%%%")
    scared = calm.successor("East")
    assert "#ff525c" in svg(calm)
    assert "#2c46d6" not in svg(calm)
    assert "#ff525c" not in svg(scared)
    assert "#2c46d6" in svg(scared)


def test_the_picture_of_a_drawn_tree_has_no_marks_of_a_search() -> None:
    tree = Outline.parse("max\n  a: min ~4 =B\n    x: 1\n    y: 2\n  c: chance\n    x @0.9: 7\n    y @0.1: 8")
    picture = svg(tree)
    assert {"~4", "B", "x 9/10", "7 nodes"} <= set(texts(picture, "text"))
    assert not {"(alpha, beta)", "principal line", "never seen"} & set(texts(picture, "text"))
    assert texts(picture, "desc") == [str(tree)]


def test_the_picture_of_a_searched_game_has_probabilities_and_counts() -> None:
    words = set(texts(svg(run_search("exhaustive", start("gamble", ["random", "optimal"]), 3)), "text"))
    assert {"CHANCE", "horizon"} <= words
    assert any(re.fullmatch(r"\w+ 1/[234]", word or "") for word in words)
    result = run_search("alphabeta", start("nook", ["optimal"]), 3)
    nodes = svg(result).count('<g class="node ')
    assert parsed(svg(result)).findtext(SVG + "title") == f"alphabeta: 18 by South, 23 of {nodes} nodes, 14 leaves"


def test_a_picture_lists_the_actions_in_the_order_of_the_game() -> None:
    result = run_search("alphabeta", start("nook", ["optimal"]), 1, Options(order="score"))
    assert [result.trace.path(visit.number) for visit in result.trace.visits][1] == ("East",)
    labels = [each for each in parsed(svg(result)).iter(SVG + "text") if each.text in ("Stop", "East", "South")]
    assert [each.text for each in sorted(labels, key=lambda each: float(each.attrib["x"]))] == ["Stop", "East", "South"]


def test_a_large_tree_is_displayed_as_text() -> None:
    result: Any = run_search("alphabeta", start("smallish"), 6)
    assert result._repr_svg_() is None
    assert svg(result).startswith("<svg")


def test_the_result_of_the_compiled_search_has_no_picture() -> None:
    result: Any = SearchResult("alphabeta", 0, None, (), Statistics(*[0] * 10), Trace(), start("nook"))
    assert result._repr_svg_() is None
    with pytest.raises(ValueError, match="there is no trace to draw"):
        svg(result)


def test_a_wrapped_node_has_no_picture() -> None:
    """Graded code gets wrapped nodes. They have no `_repr_svg_`."""
    assert "_repr_svg_" in vars(GameState)
    assert not hasattr(CountedNode(start("nook"), Trace()), "_repr_svg_")
