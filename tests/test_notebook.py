"""docs/notebook.md: what a notebook shows for its blocks are the pictures that are kept. UPDATE_README=1 draws them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pacman import GameState, Outline, run_search, start, svg
from pacman.core.layout import Maze
from pacman.core.trace import CountedNode, Trace
from pacman.search.algorithms import Options, SearchResult, Statistics
from tests.documented_commands import ROOT, rewriting

DOCS = ROOT / "docs"
BLOCKS = re.findall(r"```python\n(.*?)```\n(?:\n!\[[^]]*\]\((\S+)\))?", (DOCS / "notebook.md").read_text("utf-8"), re.S)
SVG = "{http://www.w3.org/2000/svg}"


def last_value(block: str, names: dict[str, Any]) -> Any:
    """Runs a block as a notebook does; the value of its last line, None if that is no expression."""
    *body, last = ast.parse(block).body
    exec(compile(ast.Module(body, []), "block", "exec"), names)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "block", "eval"), names)
    exec(compile(ast.Module([last], []), "block", "exec"), names)
    return None


def test_the_pictures_are_what_the_blocks_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block, picture in BLOCKS:
        value = last_value(block, names)
        if picture:
            drawn = value._repr_svg_()
            if rewriting():
                (DOCS / picture).write_text(drawn, encoding="utf-8", newline="\n")
            # Git may hand out the kept file with the line ends of Windows.
            assert drawn == (DOCS / picture).read_text(encoding="utf-8").replace("\r\n", "\n"), picture
    assert {path.name for path in (DOCS / "notebook").iterdir()} == {Path(name).name for _, name in BLOCKS if name}
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == names["picture"]


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def texts(picture: str, tag: str) -> list[str | None]:
    return [element.text for element in parsed(picture).iter(SVG + tag)]


@pytest.mark.parametrize("name", ["nook", "pantry", "crossroads"])
def test_a_board_shows_everything_on_it(name: str) -> None:
    state = start(name)
    fills = [mark.get("fill") for mark in parsed(svg(state)).iter(SVG + "circle")]
    assert fills.count("#fad4b0") == state.food_left
    assert fills.count("#ffe8be") == len(state.capsules)
    outlines = [path.get("d", "") for path in parsed(svg(state)).iter(SVG + "path")]
    # Each piece of wall has an outline, and the border has one inside too.
    assert [outline.count("M") for outline in outlines] == [pieces(state.maze) + 1] * 2
    assert svg(state) == svg(start(name))


def pieces(maze: Maze) -> int:
    """How many pieces of wall there are that do not touch each other."""
    walls = {(x, y) for x in range(maze.width) for y in range(maze.height) if maze.is_wall(x, y)}
    count = 0
    while walls:
        count += 1
        near = [walls.pop()]
        for x, y in near:  # the list grows while it is read
            near += (more := walls & {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)})
            walls -= more
    return count


def test_a_board_says_itself_in_words() -> None:
    state = start("nook")
    assert texts(svg(state), "title") == texts(svg(state), "text") == ["score 0, MAX: Pacman moves"]
    assert texts(svg(state), "desc") == [
        "A board of 5 x 5 cells. Pacman at 1, 3; ghost 1 at 3, 1; food left: 5; capsules left: 1."
    ]
    scared = start("%%%%%%\n%Po.G%\n%%%%%%").successor("East")
    assert "ghost 1 at 4, 1 (scared: 40)" in (texts(svg(scared), "desc")[0] or "")


def test_a_board_tells_how_the_game_ended() -> None:
    near = start("%%%%\n%P.%\n%%%%", [])
    assert texts(svg(near.successor("East")), "title") == ["score 509, won"]
    eaten = start("%%%%%\n%PG.%\n%%%%%").successor("East")
    assert texts(svg(eaten), "title") == ["score −501, lost"]


def test_ghosts_have_their_colours_and_scared_ones_another() -> None:
    calm = start("%%%%%%\n%Po.G%\n%%%%%%")
    scared = calm.successor("East")
    assert "#ff525c" in svg(calm)
    assert "#2c46d6" not in svg(calm)
    assert "#ff525c" not in svg(scared)
    assert "#2c46d6" in svg(scared)


def test_a_drawn_tree_is_shown_as_it_was_drawn() -> None:
    tree = Outline.parse("max\n  a: min ~4 =B\n    x: 1\n    y: 2\n  c: chance\n    x @0.9: 7\n    y @0.1: 8")
    picture = svg(tree)
    assert {"~4", "B", "x 9/10", "7 nodes"} <= set(texts(picture, "text"))
    assert not {"(alpha, beta)", "principal line", "never seen"} & set(texts(picture, "text"))
    assert texts(picture, "desc") == [str(tree)]


def test_the_tree_of_a_game_has_its_probabilities_and_what_was_never_seen() -> None:
    words = set(texts(svg(run_search("exhaustive", start("gamble", ["random", "optimal"]), 3)), "text"))
    assert {"CHANCE", "horizon"} <= words
    assert any(re.fullmatch(r"\w+ 1/[234]", word or "") for word in words)
    found = run_search("alphabeta", start("nook", ["optimal"]), 3)
    nodes = len(list(parsed(svg(found)).iter(SVG + "polygon"))) - 2  # two are in the legend
    assert parsed(svg(found)).findtext(SVG + "title") == f"alphabeta: 18 by South, 23 of {nodes} nodes, 14 leaves"


def test_a_game_in_any_order_is_drawn_in_the_order_of_its_actions() -> None:
    found = run_search("alphabeta", start("nook", ["optimal"]), 2, Options(order="reverse"))
    actions = [word for word in texts(svg(found), "text") if word in ("Stop", "East", "South")]
    assert list(dict.fromkeys(actions)) == ["Stop", "East", "South"]


def test_what_is_too_large_is_shown_as_text() -> None:
    found: Any = run_search("alphabeta", start("smallish"), 6)
    assert found._repr_svg_() is None
    assert svg(found).startswith("<svg")


def test_what_the_compiled_search_found_has_no_tree() -> None:
    nothing: Any = SearchResult("alphabeta", 0, None, (), Statistics(*[0] * 10), Trace(), start("nook"))
    assert nothing._repr_svg_() is None
    with pytest.raises(ValueError, match="there is no trace to draw"):
        svg(nothing)


def test_graded_code_gets_no_picture_and_no_trouble() -> None:
    """A position that is asked for through a search's eyes has no `_repr_svg_` at all."""
    assert "_repr_svg_" in vars(GameState)
    assert not hasattr(CountedNode(start("nook"), Trace()), "_repr_svg_")
