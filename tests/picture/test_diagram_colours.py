"""The colours of pictures: every word is legible in every theme, and a page's style sheet has them all."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from pacman import Outline, run_search, start
from pacman.core.errors import InputError
from pacman.core.tree import Layer
from pacman.picture import board, tree
from pacman.picture.colours import (
    DARK,
    LIGHT,
    PAGE,
    READABLE,
    THEMES,
    Colour,
    Rules,
    as_text,
    board_rules,
    contrast,
    page_style,
    tree_rules,
)
from pacman.picture.tree import svg

SVG = "{http://www.w3.org/2000/svg}"
SCARED = start("%%%%%%%%%%\n%Po.G.1.G%\n%%%%%%%%%%").successor("East")
WORD = re.compile(r"#[0-9a-f]{6}|\b(?:none|hidden|visible)\b")
DRAWN = Outline.parse("max { a: min ~4 { x: 1 } }")
TREE = Outline.parse("max =A { a: 3; b: min { x: 2; y: 100 }; c: min { x: chance { p: 1; q: 2 }; y: max { z: 5 } } }")
PICTURES = {
    "board": board.svg(start("smallish"), theme=PAGE),
    "scared": board.svg(SCARED, theme=PAGE),
    "tree": tree.svg(run_search("alphabeta", TREE, plies=3), theme=PAGE),
    "drawn": tree.svg(DRAWN, theme=PAGE),
}


def colour(parts: Rules, part: str, name: str = "fill") -> Colour:
    value = parts[part][name]
    assert not isinstance(value, str)
    return value


@pytest.mark.parametrize("name", THEMES)
def test_every_word_is_legible_and_each_layer_has_one_colour_that_no_agent_has(name: str) -> None:
    parts, caption, theme = tree_rules(THEMES[name]), board_rules(THEMES[name]), THEMES[name]
    paper = colour(parts, ".paper")
    assert contrast(colour(caption, ".caption"), colour(caption, ".paper")) >= READABLE
    for part in (".title", ".branches", ".branch.unseen", ".nodes", ".name", ".window", ".reason", ".reason.cut"):
        assert contrast(colour(parts, part), paper) >= READABLE, part
    for part in (".max .shape", ".min .shape", ".chance .shape", ".leaf .shape", ".unseen .shape"):
        ink = colour(parts, ".unseen .value" if part == ".unseen .shape" else ".nodes")
        assert contrast(ink, colour(parts, part)) >= READABLE, part
        if part != ".unseen .shape":  # a border needs less than a word
            assert contrast(colour(parts, part, "stroke"), paper) >= 3, part
    for layer in Layer:
        own = theme.layer(layer)
        assert parts[f".{layer.value} .shape"]["stroke"] == own
        others = [theme.layer(other) for other in Layer if other is not layer]
        for other in (theme.pacman, theme.scared, *theme.ghosts, *others):
            assert sum(abs(a - b) for a, b in zip(own, other, strict=True)) >= 70, layer


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_a_picture_for_a_page_has_classes_and_no_colours(picture: str) -> None:
    """A strict Content-Security-Policy refuses `style` attributes and elements."""
    assert not re.search(r"#[0-9a-f]{6}\b|\bstyle=|<style|<script", picture)
    kinds = {kind for element in ElementTree.fromstring(picture).iter() for kind in element.get("class", "").split()}
    styled = {*re.findall(r"\.([a-z][a-z0-9-]*)", page_style())}
    # These inherit their colours, or have them by a second class.
    needless = {*["node", "agent", "ghost", "shape", "first", "branch", "action", "value", "legend"]}
    assert kinds - needless <= styled


def test_a_file_and_a_page_have_the_same_picture() -> None:
    """Only what the style of a page says is missing in a page: the colours."""
    light = re.sub(r' (?:fill|stroke|visibility)="(?:#[0-9a-f]{6}|none)"', "", svg(SCARED, theme="light"))
    assert light == re.sub(r'<use class="glow"[^>]*>', "", PICTURES["scared"])
    colours = r' (?:fill|stroke)="(?:#[0-9a-f]{6}|none)"'
    assert re.sub(colours, "", svg(DRAWN, theme="light")) == PICTURES["drawn"]


def test_a_page_is_light_on_paper_and_dark_only_on_a_screen() -> None:
    light, dark = page_style().split("@media screen and (prefers-color-scheme:dark){")
    rules = r"(\.[^{]+)\{"
    assert re.findall(rules, light) == re.findall(rules, dark)
    for parts, style in ((tree_rules(LIGHT), light), (board_rules(DARK), dark)):
        assert {as_text(value) for values in parts.values() for value in values.values()} <= {*WORD.findall(style)}


def test_an_unknown_theme() -> None:
    with pytest.raises(InputError, match="no theme 'drak': did you mean 'dark'"):
        svg(start("nook"), theme="drak")


def test_the_ids_of_two_pictures_differ() -> None:
    ids = [re.findall(r' id="([^"]+)"', board.svg(start("nook"), prefix=prefix)) for prefix in ("a-", "b-")]
    assert ids[0]
    assert not {*ids[0]} & {*ids[1]}
    assert " id=" not in PICTURES["tree"]


def test_a_picture_has_a_name_and_a_description() -> None:
    for name, picture in PICTURES.items():
        root = ElementTree.fromstring(picture)
        assert root.get("role") == "img", name
        assert root.findtext(f"{SVG}title"), name
    described = ElementTree.fromstring(PICTURES["tree"]).findtext(f"{SVG}desc") or ""
    assert described.splitlines()[:4] == [
        "max 3, (−∞, ∞)",
        "  a: leaf 3",
        "  b: min ≤2, (3, ∞), alpha cut",
        "    x: leaf 2",
    ]
    assert "    y: leaf 100, never seen" in described.splitlines()
    assert str(SCARED) in (ElementTree.fromstring(PICTURES["scared"]).findtext(f"{SVG}desc") or "")


def test_a_tree_of_1000_nodes_has_a_small_picture() -> None:
    def grow(plies: int) -> str:
        kind = ("min", "chance", "max")[plies % 3]
        return f"{kind} {{ {'; '.join(f'{name}: {grow(plies - 1)}' for name in 'abc')} }}" if plies else "-17"

    source = Outline.parse(grow(6))
    assert source.size() > 1000
    result = run_search("exhaustive", source, plies=6)
    assert len(tree.svg(result, theme=PAGE).encode()) < 520_000
    assert len(tree.svg(source, theme=PAGE).encode()) < 420_000


def test_boards_are_small() -> None:
    """A report page has many boards and less than 300 kB."""
    assert len(board.svg(start("crossroads"), theme=PAGE).encode()) < 14_000
    assert len(board.svg(start("nook"), theme=PAGE).encode()) < 4_000
