"""Mistakes in drawn trees, layouts and positions: each is refused with the exact line of mistakes.txt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pacman import GameState, InputError, Layout, LayoutError, start
from pacman.core.tree_text import Outline, OutlineError
from tests.mistakes import changed, mistakes

READERS: Mapping[str, tuple[Callable[[str], object], type[InputError]]] = {
    "tree.txt": (lambda text: Outline.parse(text, "tree.txt"), OutlineError),
    "x.lay": (lambda text: Layout.parse(text, "x.lay"), LayoutError),
    "position.txt": (GameState.parse, InputError),
}
RIGHT = {"position.txt": f"{start('nook')}\n"}
ROWS = [
    (name, changed(RIGHT.get(name, ""), change), line)
    for name, change, line in mistakes(Path(__file__).with_name("mistakes.txt"))
] + [
    ("tree.txt", "", "tree.txt, line 1: the tree is empty; expected max, min, chance or a number"),
    ("tree.txt", "max {" * 102,
     "tree.txt, character 505: the tree is too deep; expected at most 100 levels below the root"),
    ("tree.txt", f"max {{{'a: 1;' * 10_000}}}",
     "tree.txt, character 50001: the tree is too large; expected at most 10,000 nodes"),
    ("x.lay", "", "x.lay:1:1: the layout is empty; expected rows of '%', '.', 'P', ..."),
    ("position.txt", "", "a position needs a picture with rows of equal length, then a status line"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "line"), ROWS, ids=[f"{row[0]}-{n}" for n, row in enumerate(ROWS)])
def test_a_mistake_is_named_in_one_line(name: str, text: str, line: str) -> None:
    parse, error = READERS[name]
    with pytest.raises(error) as caught:
        parse(text)
    assert str(caught.value) == line


def test_a_tree_without_a_file_has_the_line_first() -> None:
    with pytest.raises(OutlineError, match="^line 2: 'West 5' needs a colon: 'West: 5'$"):
        Outline.parse("max\n  West 5")
