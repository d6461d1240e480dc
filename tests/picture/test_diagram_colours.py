"""The colours of pictures: every word is legible in every theme, and a page's style sheet has them all."""

from __future__ import annotations

import re
from itertools import combinations, product
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
    Style,
    Theme,
    board_rules,
    contrast,
    page_style,
    tree_rules,
)
from pacman.picture.tree import svg

SVG = "{http://www.w3.org/2000/svg}"
SCARED = start("%%%%%%%%%%\n%Po.G.1.G%\n%%%%%%%%%%").successor("East")
DRAWN = Outline.parse("max { a: min ~4 { x: 1 } }")
TREE = Outline.parse("max =A { a: 3; b: min { x: 2; y: 100 }; c: min { x: chance { p: 1; q: 2 }; y: max { z: 5 } } }")
PICTURES = {
    "board": board.svg(start("smallish"), theme=PAGE),
    "scared": board.svg(SCARED, theme=PAGE),
    "tree": tree.svg(run_search("alphabeta", TREE, plies=3), theme=PAGE),
    "drawn": tree.svg(DRAWN, theme=PAGE),
}


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_word_is_legible_and_each_layer_has_one_colour_that_no_agent_has(theme: Theme) -> None:
    parts, caption = Style(tree_rules(theme)), Style(board_rules(theme))
    paper, board_paper = (style.colour("fill", "paper") for style in (parts, caption))
    words = "title", "branches", "branch unseen", "nodes", "name", "window", "reason", "reason cut", "sign"
    pairs = [(parts.colour("fill", part), paper) for part in words]
    around = [("nodes", f"node {kind}") for kind in ("max", "min", "chance", "leaf", "max unseen")]
    pairs += [(parts.colour("fill", *group, "value"), parts.colour("fill", *group, "shape")) for group in around]
    assert min(contrast(*pair) for pair in [*pairs, (caption.colour("fill", "caption"), board_paper)]) >= READABLE
    # A border needs less than a word.
    assert min(contrast(parts.colour("stroke", *group, "shape"), paper) for group in around[:-1]) >= 3
    layers, agents = [theme.layer(layer) for layer in Layer], [theme.pacman, theme.scared, *theme.ghosts]
    for one, other in [*combinations(layers, 2), *product(layers, agents)]:
        assert sum(abs(a - b) for a, b in zip(one, other, strict=True)) >= 70


def test_a_class_has_the_colour_of_its_last_rule_or_of_the_nearest_group() -> None:
    style = Style({".a": {"fill": (1, 1, 1)}, ".b .c": {"fill": (2, 2, 2)}, ".b.d .c": {"fill": (3, 3, 3)}})
    places = ("a z",), ("a", "c"), ("a", "b", "c"), ("b d", "a", "c z")
    assert [style.colour("fill", *kinds)[0] for kinds in places] == [1, 1, 2, 3]


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_a_picture_for_a_page_has_classes_and_no_colours(picture: str) -> None:
    """A strict Content-Security-Policy refuses `style` attributes and elements. A picture has a name."""
    assert not re.search(r"#[0-9a-f]{6}\b|\bstyle=|<style|<script", picture)
    root = ElementTree.fromstring(picture)
    kinds = {kind for element in root.iter() for kind in element.get("class", "").split()}
    styled = {*re.findall(r"\.([a-z][a-z0-9-]*)", page_style())}
    # These inherit their colours, or have them by a second class.
    assert kinds - {"node", "agent", "ghost", "shape", "first", "branch", "action", "value", "legend"} <= styled
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title")


def test_a_file_and_a_page_have_the_same_picture() -> None:
    """Only what the style of a page says is missing in a page: the colours."""
    colours = r' (?:fill|stroke|visibility)="(?:#[0-9a-f]{6}|none)"'
    light = re.sub(colours, "", svg(SCARED, theme="light"))
    assert light == re.sub(r'<use class="glow"[^>]*>', "", PICTURES["scared"])
    assert re.sub(colours, "", svg(DRAWN)) == PICTURES["drawn"]
    with pytest.raises(InputError, match="no theme 'drak': did you mean 'dark'"):
        svg(start("nook"), theme="drak")


def test_a_page_is_light_on_paper_and_dark_only_on_a_screen() -> None:
    light, dark = page_style().split("@media screen and (prefers-color-scheme:dark){")
    assert re.findall(r"(\.[^{]+)\{", light) == re.findall(r"(\.[^{]+)\{", dark)
    for theme, style in ((LIGHT, light), (DARK, dark)):
        for rules in (tree_rules(theme), board_rules(theme)):
            for value in (value for values in rules.values() for value in values.values()):
                assert (value if isinstance(value, str) else "#" + bytes(value).hex()) in style


def test_the_ids_of_two_pictures_differ_and_each_is_described() -> None:
    first, second = ({*re.findall(r' id="([^"]+)"', board.svg(start("nook"), prefix=name))} for name in ("a-", "b-"))
    assert first
    assert not first & second
    assert " id=" not in PICTURES["tree"]
    described = (ElementTree.fromstring(PICTURES["tree"]).findtext(f"{SVG}desc") or "").splitlines()
    assert described[:4] == ["max 3, (−∞, ∞)", "  a: leaf 3", "  b: min ≤2, (3, ∞), alpha cut", "    x: leaf 2"]
    assert "    y: leaf 100, never seen" in described
    assert str(SCARED) in (ElementTree.fromstring(PICTURES["scared"]).findtext(f"{SVG}desc") or "")


def test_pictures_are_small() -> None:
    """A report page has many boards and less than 300 kB; a tree of 1,000 nodes is still a picture."""

    def grow(plies: int) -> str:
        kind = ("min", "chance", "max")[plies % 3]
        return f"{kind} {{ {'; '.join(f'{name}: {grow(plies - 1)}' for name in 'abc')} }}" if plies else "-17"

    source = Outline.parse(grow(6))
    assert source.size() > 1000
    for picture, most in (
        (tree.svg(run_search("exhaustive", source, plies=6), theme=PAGE), 520_000),
        (tree.svg(source, theme=PAGE), 420_000),
        (board.svg(start("crossroads"), theme=PAGE), 14_000),
        (board.svg(start("nook"), theme=PAGE), 4_000),
    ):
        assert len(picture.encode()) < most
