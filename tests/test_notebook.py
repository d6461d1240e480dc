"""docs/notebook.md: a notebook shows the stored pictures for its blocks, and docs/notebook.ipynb is the same page.

UPDATE_README=1 draws the pictures and writes the notebook again.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pacman import GameState, run_search, start, svg
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
    """Each block but the last shows something."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    names, values = dict[str, Any](), list[Any]()
    for block, picture in BLOCKS:
        values.append(value := last_value(block, names))
        if picture:
            drawing = value._repr_svg_()
            if rewriting():
                (DOCS / picture).write_text(drawing, encoding="utf-8", newline="\n")
            # Git may check out the stored file with the line ends of Windows.
            assert drawing == (DOCS / picture).read_text(encoding="utf-8").replace("\r\n", "\n"), picture
    assert {path.name for path in (DOCS / "notebook").iterdir()} == {Path(name).name for _, name in BLOCKS if name}
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == names["picture"]
    assert all(hasattr(value, "_repr_svg_") or hasattr(value, "_repr_html_") for value in values[:-1])
    assert (len(values), type(values[-1])) == (6, int)


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


def test_the_notebook_is_the_page() -> None:
    file = DOCS / "notebook.ipynb"
    if rewriting():
        file.write_text(as_notebook((DOCS / "notebook.md").read_text("utf-8")), encoding="utf-8", newline="\n")
    assert file.read_text(encoding="utf-8") == as_notebook((DOCS / "notebook.md").read_text("utf-8"))


def elements(picture: str, tag: str) -> Iterator[ElementTree.Element]:
    return ElementTree.fromstring(picture).iter(SVG + tag)


def texts(picture: str, tag: str) -> list[str | None]:
    return [element.text for element in elements(picture, tag)]


SCARED, WON, LOST = "%%%%%%\n%Po.G%\n%%%%%%", "%%%%\n%P.%\n%%%%", "%%%%%\n%PG.%\n%%%%%"


def test_a_board_shows_scared_ghosts_and_the_end_of_the_game() -> None:
    """In words and in colours; the stored picture of a board shows all else."""
    assert texts(svg(start(WON, []).successor("East")), "title") == ["score 509, won"]
    assert texts(svg(start(LOST).successor("East")), "title") == ["score −501, lost"]
    calm, scared = (svg(state) for state in (start(SCARED), start(SCARED).successor("East")))
    assert "ghost 1 at 4, 1 (scared: 40)" in (texts(scared, "desc")[0] or "")
    assert [colour in picture for picture in (calm, scared) for colour in ("#ff525c", "#2c46d6")] == [
        *(True, False, False, True)
    ]


def test_a_picture_lists_the_actions_in_the_order_of_the_game() -> None:
    result = run_search("alphabeta", start("nook", ["optimal"]), 1, Options(order="score"))
    assert [result.trace.path(visit.number) for visit in result.trace.visits][1] == ("East",)
    labels = [each for each in elements(svg(result), "text") if each.text in ("Stop", "East", "South")]
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
