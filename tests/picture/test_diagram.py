"""Pictures of searched trees: their commands draw those of docs/search.md, and they show what the searches saw.

The colours of all pictures.
"""

from __future__ import annotations

import re
import shlex
import shutil
from itertools import combinations, pairwise, product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pacman import start
from pacman.core.errors import InputError
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline
from pacman.picture import board
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
from pacman.picture.svg import text_width
from pacman.picture.tree import FILE, SMALL, TreeNode, place, svg, tree_of
from pacman.record.report import report_from_trace
from pacman.search.algorithms import ALGORITHMS, Options, SearchResult, run_search
from pacman.search.bounds import constant_bounds
from tests.command_line import run_here
from tests.paths import ROOT
from tests.record.test_report import trees

DOCS = ROOT / "docs"
SEARCHES = (DOCS / "search.md").read_text(encoding="utf-8")
PICTURES = re.findall(r"^pacman-search solve (.* --picture docs/(\S+\.svg))$", SEARCHES, re.M)
COUNTS = {  # (value, nodes entered, nodes, leaves): from the literature, or counted by hand
    "minimax": (3, 13, 13, 9),
    "expectimax": (8, 13, 13, 9),
    "alphabeta": (3, 11, 13, 7),
    "star1": (4, 5, 6, 3),
    "star1_outcomes": (4, 9, 11, 5),
    "star2": (4, 7, 11, 3),
    "star2.5": (4, 10, 13, 6),
}
SVG = "{http://www.w3.org/2000/svg}"


def title(picture: str) -> str:
    return ElementTree.fromstring(picture).findtext(f"{SVG}title") or ""


def struck(picture: str) -> int:
    """The number of branches with a bar; the legend has a bar too, but no node."""
    branches = [group for group in ElementTree.fromstring(picture).iter(f"{SVG}g") if group.get("data-node")]
    return sum(path.get("class", "").startswith("struck") for group in branches for path in group.iter(f"{SVG}path"))


def searched(tree: Outline, algorithm: str, plies: int | None = None) -> SearchResult:
    return run_search(algorithm, tree, plies or tree.height(), Options(bounds=constant_bounds(-10, 10)))


def test_the_page_has_every_stored_picture_and_tree() -> None:
    assert sorted(Path(name).stem for _, name in PICTURES) == sorted(COUNTS)
    assert sorted(re.findall(r"!\[[^]]*\]\((\S+\.svg)\)", SEARCHES)) == sorted(name for _, name in PICTURES)
    assert sorted(COUNTS) == sorted(path.stem for path in (DOCS / "trees").glob("*.svg"))
    used = {Path(shlex.split(command)[0]).name for command, _ in PICTURES}
    assert used == {path.name for path in (DOCS / "trees").glob("*.txt")}


@pytest.mark.parametrize(("command", "picture"), PICTURES, ids=[name for _, name in PICTURES])
def test_each_command_draws_its_picture_with_the_counts_of_the_literature(
    command: str, picture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(DOCS / "trees", tmp_path / "docs" / "trees", ignore=shutil.ignore_patterns("*.svg"))
    monkeypatch.chdir(tmp_path)
    result = run_here("pacman", "solve", *shlex.split(command))
    assert (result.returncode, result.stderr) == (0, f"docs/{picture}: written\n")
    drawn = (tmp_path / "docs" / picture).read_bytes()
    # Git may check out the stored file with Windows line endings; a new file never has them.
    assert drawn == (DOCS / picture).read_bytes().replace(b"\r\n", b"\n")
    value, nodes, size, leaves = COUNTS[Path(picture).stem]
    assert re.search(rf": {value} by a1?, {nodes} of {size} nodes, {leaves} leaves$", title(drawn.decode()))
    assert struck(drawn.decode()) == size - nodes


MADE_BUT_NOT_ENTERED = Outline.parse("min\n  a: -5\n  b: chance\n    a: 0\n    b: 0\n  c: max\n    a: max\n      a: 0")


@example(MADE_BUT_NOT_ENTERED, "star2")  # the search makes a node and never enters it
@given(trees, st.sampled_from(ALGORITHMS))
def test_a_picture_says_only_what_is_true_and_a_script_finds_its_nodes(tree: Outline, algorithm: str) -> None:
    """A branch has a bar if the search never entered its node, and the true value agrees with a value or bound.

    Node N, counted in preorder, and the branch to it have the number N.
    """
    result, subtree = searched(tree, algorithm), _subtree(tree)
    picture = svg(result)
    assert struck(picture) == tree.size() - result.statistics.nodes
    every = ElementTree.fromstring(picture).iter(f"{SVG}g")
    groups = [group for group in every if group.get("class", "").startswith("node ")]
    assert [group.get("data-node") for group in groups] == [str(number) for number in range(len(subtree))]
    for group, node in zip(groups, subtree, strict=True):
        texts = {text.get("class"): text.text or "" for text in group.iter(f"{SVG}text")}
        assert group.get("class", "").split()[1] == (node.layer.value if node.branches else "leaf")
        assert texts.keys() >= ({"value", "window"} if node.branches else {"value"})
        claim, value = texts["value"], searched(node, "exhaustive").value
        if node.branches and claim:
            number = float(claim.lstrip("≤≥").replace("−", "-"))
            is_close = abs(number - value) <= 0.006
            assert is_close or (claim[0] == "≤" and value < number) or (claim[0] == "≥" and value > number), claim
    branches = re.findall(r'class="branch[^"]*" data-node="(\d+)"', picture)
    assert sorted(branches, key=int) == [str(number) for number in range(1, len(subtree))]


def _subtree(node: Outline) -> list[Outline]:
    return [node, *(below for _, branch in node.branches for below in _subtree(branch))]


@given(trees, st.sampled_from(ALGORITHMS))
def test_neighbours_and_their_words_never_touch(tree: Outline, algorithm: str) -> None:
    root = tree_of(tree, tree.height(), report_from_trace(tree, tree.height(), searched(tree, algorithm).trace))
    check_places(root, place(root, lambda words: text_width(words, 1), FILE))
    for node in root.subtree():
        assert node.half + max((text_width(words, SMALL) for words, _ in node.lines), default=0.0) <= node.right
        assert text_width(node.label, SMALL) / 2 <= min(node.left, node.right)


def check_places(root: TreeNode, width: float) -> None:
    """Nodes on one level do not touch, and are inside the picture; a parent is above the middle of its children."""
    levels: dict[int, list[TreeNode]] = {}
    for node in root.subtree():
        levels.setdefault(node.level, []).append(node)
        assert -1e-6 <= node.x - node.left <= node.x + node.right <= width + 1e-6
        if node.children:
            assert node.x == pytest.approx((node.children[0].x + node.children[-1].x) / 2)
    for left, right in (pair for level in levels.values() for pair in pairwise(level)):
        assert left.x + left.right <= right.x - right.left + 1e-6


PROBED = (DOCS / "trees" / "poor_first.txt").read_text(encoding="utf-8")
UNSEEN = "max { a: 5; b: min { x: 1; y: chance { p: 7; q: max { r: 8 } } } }"
WORDS = [  # (the tree, the search, its plies, words in the title and in the picture, bars)
    ("max { a: 3; b: min =B { x: 2; y: 100 } }", "alphabeta", 0, ["≤2", "(3, ∞)", "alpha cut", "B", "never seen"], 1),
    ("min { a: 2; b: max { x: 3; y: 100 } }", "alphabeta", 0, ["≥3", "(−∞, 2)", "beta cut"], 1),
    ("chance { a @1/4: 1; b @0.75: 2 }", "exhaustive", 0, ["a 1/4", "b 3/4"], 0),
    ("max =<b>&\n  <script>\"&': 1\n  \x01\x7f: 2", "exhaustive", 0, ["<script>\"&'", "<b>&", "\ufffd\x7f"], 0),
    (UNSEEN, "alphabeta", 0, ["4 of 8 nodes"], 4),
    ("max { a: min ~5 { x: 1; y: 2 }; b: 4 }", "exhaustive", 1, ["3 of 3 nodes", "horizon"], 0),
    (PROBED, "star2", 0, ["(−2, 10)", "probed", "(−1, 9)"], 2),
    ("7", "exhaustive", 0, ["exhaustive with bounds [−10, 10]: 7, 1 of 1 node, 1 leaf", "7"], 0),
]  # fmt: skip


@pytest.mark.parametrize(("tree", "algorithm", "plies", "expected", "bars"), WORDS)
def test_what_a_picture_says(tree: str, algorithm: str, plies: int, expected: list[str], bars: int) -> None:
    picture = svg(searched(Outline.parse(tree), algorithm, plies), (-10, 10))
    texts = [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert all(word in texts or word in title(picture) for word in expected)
    assert struck(picture) == bars
    assert not plies or "x" not in texts, "the tree is drawn to the horizon only"
    assert "probed" not in texts or texts.index("(−2, 10)") < texts.index("probed") < texts.index("(−1, 9)")


def test_a_note_stands_at_its_node() -> None:
    tree = Outline.parse("max { a: 3; b: min { x: 2; y: 100 } }")
    picture = svg(tree, notes={("a",): "yours: <3", ("b",): "yours: 100"})
    notes = re.findall(r'data-node="(\d+)"(?:(?!data-node).)*class="note"[^>]*>([^<]*)<', picture, re.DOTALL)
    assert notes == [("1", "yours: &lt;3"), ("2", "yours: 100")]
    assert "b: min, yours: 100" in picture[: picture.index("</desc>")]


# ---- the colours: every word is legible in every theme, and a page's style sheet has them all

SCARED = start("%%%%%%%%%%\n%Po.G.1.G%\n%%%%%%%%%%").successor("East")
DRAWN = Outline.parse("max { a: min ~4 { x: 1 } }")
TREE = Outline.parse("max =A { a: 3; b: min { x: 2; y: 100 }; c: min { x: chance { p: 1; q: 2 }; y: max { z: 5 } } }")
DRAWINGS = {
    "board": board.svg(start("smallish"), theme=PAGE),
    "scared": board.svg(SCARED, theme=PAGE),
    "tree": svg(run_search("alphabeta", TREE, plies=3), theme=PAGE),
    "drawn": svg(DRAWN, theme=PAGE),
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


@pytest.mark.parametrize("picture", DRAWINGS.values(), ids=DRAWINGS)
def test_a_picture_for_a_page_has_classes_and_no_colours(picture: str) -> None:
    """A strict Content-Security-Policy refuses `style` attributes and elements. A picture has a name."""
    assert not re.search(r"#[0-9a-f]{6}\b|\bstyle=|<style|<script", picture)
    root = ElementTree.fromstring(picture)
    kinds = {kind for element in root.iter() for kind in element.get("class", "").split()}
    styled = {*re.findall(r"\.([a-z][a-z0-9-]*)", page_style())}
    # These inherit their colours, or have them by a second class.
    groups = "node cells agent heading look-calm look-scared shape first branch action value legend"
    assert kinds - {*groups.split()} <= styled
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title")


def test_a_file_and_a_page_have_the_same_picture() -> None:
    """Only what the style of a page says is missing in a page: the colours."""
    colours = r' (?:fill|stroke|visibility)="(?:#[0-9a-f]{6}|none)"'
    light = re.sub(colours, "", svg(SCARED, theme="light"))
    assert light == re.sub(r'<path class="glow"[^>]*>', "", DRAWINGS["scared"])
    assert re.sub(colours, "", svg(DRAWN)) == DRAWINGS["drawn"]
    with pytest.raises(InputError, match="no theme 'drak': did you mean 'dark'"):
        svg(start("nook"), theme="drak")


def test_a_page_is_light_on_paper_and_dark_only_on_a_screen() -> None:
    light, dark = page_style().split("@media screen and (prefers-color-scheme:dark){")
    assert re.findall(r"(\.[^{]+)\{", light) == re.findall(r"(\.[^{]+)\{", dark)
    for theme, style in ((LIGHT, light), (DARK, dark)):
        for rules in (tree_rules(theme), board_rules(theme)):
            for value in (value for values in rules.values() for value in values.values()):
                assert (value if isinstance(value, str) else "#" + bytes(value).hex()) in style


def test_a_picture_has_no_ids_and_is_described() -> None:
    """A page or a notebook can have any number of pictures."""
    assert not any(" id=" in picture for picture in DRAWINGS.values())
    described = (ElementTree.fromstring(DRAWINGS["tree"]).findtext(f"{SVG}desc") or "").splitlines()
    assert described[:4] == ["max 3, (−∞, ∞)", "  a: leaf 3", "  b: min ≤2, (3, ∞), alpha cut", "    x: leaf 2"]
    assert "    y: leaf 100, never seen" in described
    assert str(SCARED) in (ElementTree.fromstring(DRAWINGS["scared"]).findtext(f"{SVG}desc") or "")


def test_pictures_are_small() -> None:
    """A report page has many boards and less than 300 kB; a tree of 1,000 nodes is still a picture."""

    def grow(plies: int) -> str:
        kind = ("min", "chance", "max")[plies % 3]
        return f"{kind} {{ {'; '.join(f'{name}: {grow(plies - 1)}' for name in 'abc')} }}" if plies else "-17"

    source = Outline.parse(grow(6))
    assert source.size() > 1000
    for picture, most in (
        (svg(run_search("exhaustive", source, plies=6), theme=PAGE), 520_000),
        (svg(source, theme=PAGE), 420_000),
        (board.svg(start("crossroads"), theme=PAGE), 14_000),
        (board.svg(start("nook"), theme=PAGE), 4_000),
    ):
        assert len(picture.encode()) < most
