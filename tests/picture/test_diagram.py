"""Pictures of searched trees: their commands draw those of docs/search.md, and they show what the searches saw."""

from __future__ import annotations

import re
import shlex
import shutil
from itertools import pairwise
from pathlib import Path
from subprocess import CompletedProcess
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pacman.core.tree_text import Outline
from pacman.picture.svg import text_width
from pacman.picture.tree import FILE, SMALL, TreeNode, beside_words, place, svg, tree_of
from pacman.record.report import report_from_trace
from pacman.search.algorithms import ALGORITHMS, Options, SearchResult, run_search
from pacman.search.bounds import constant_bounds
from tests.command_line import run_here
from tests.paths import ROOT
from tests.record.test_report import trees

DOCS = ROOT / "docs"
PICTURE = re.compile(r"!\[[^]]*\]\((\S+\.svg)\)\n\n```sh\npacman-search solve (.*)\n```")
PICTURES = PICTURE.findall((DOCS / "search.md").read_text(encoding="utf-8"))
COUNTS = {  # (value, nodes entered, nodes, leaves): from the literature, or counted by hand
    "minimax": (3, 13, 13, 9),
    "expectimax": (8, 13, 13, 9),
    "alphabeta": (3, 11, 13, 7),
    "star1": (4, 5, 6, 3),
    "star1_outcomes": (4, 9, 11, 5),
    "star2": (4, 7, 11, 3),
    "star2.5": (4, 10, 13, 6),
}
NAMES = [Path(picture).stem for picture, _ in PICTURES]
SVG = "{http://www.w3.org/2000/svg}"


def run(*arguments: str | Path) -> CompletedProcess[str]:
    return run_here("pacman", "solve", *map(str, arguments))


def title(picture: str) -> str:
    return ElementTree.fromstring(picture).findtext(f"{SVG}title") or ""


def struck(picture: str) -> int:
    """The number of branches with a bar; the legend has a bar too, but no node."""
    branches = [group for group in ElementTree.fromstring(picture).iter(f"{SVG}g") if group.get("data-node")]
    return sum(path.get("class", "").startswith("struck") for group in branches for path in group.iter(f"{SVG}path"))


def searched(tree: Outline, algorithm: str) -> SearchResult:
    return run_search(algorithm, tree, tree.height(), Options(bounds=constant_bounds(-10, 10)))


def words(picture: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_the_page_contains_every_stored_picture_and_tree() -> None:
    assert sorted(NAMES) == sorted(COUNTS) == sorted(path.stem for path in (DOCS / "trees").glob("*.svg"))
    used = {Path(shlex.split(command)[0]).name for _, command in PICTURES}
    assert used == {path.name for path in (DOCS / "trees").glob("*.txt")}


@pytest.mark.parametrize(("picture", "command"), PICTURES, ids=NAMES)
def test_each_command_draws_its_picture(
    picture: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(DOCS / "trees", tmp_path / "docs" / "trees", ignore=shutil.ignore_patterns("*.svg"))
    monkeypatch.chdir(tmp_path)
    result = run(*shlex.split(command))
    assert result.returncode == 0, result.stderr
    # Git may check out the stored file with Windows line endings; a new file never has them.
    stored = (DOCS / picture).read_bytes().replace(b"\r\n", b"\n")
    assert (tmp_path / "docs" / picture).read_bytes() == stored


@pytest.mark.parametrize("name", COUNTS)
def test_the_counts_in_a_picture_are_those_of_the_literature(name: str) -> None:
    value, nodes, size, leaves = COUNTS[name]
    picture = (DOCS / "trees" / f"{name}.svg").read_text(encoding="utf-8")
    assert re.search(rf": {value} by a1?, {nodes} of {size} nodes, {leaves} leaves$", title(picture)), title(picture)
    assert struck(picture) == size - nodes


MADE_BUT_NOT_ENTERED = Outline.parse("min\n  a: -5\n  b: chance\n    a: 0\n    b: 0\n  c: max\n    a: max\n      a: 0")


@example(MADE_BUT_NOT_ENTERED, "star2")  # the search makes a node and never enters it
@given(trees, st.sampled_from(ALGORITHMS))
def test_branches_are_struck_through_if_the_search_never_entered_the_node(tree: Outline, algorithm: str) -> None:
    result = searched(tree, algorithm)
    assert struck(svg(result)) == tree.size() - result.statistics.nodes


@given(trees, st.sampled_from(ALGORITHMS))
def test_the_value_or_bound_in_a_node_is_true(tree: Outline, algorithm: str) -> None:
    """The true value of each inner node agrees with the value or bound in the picture."""
    groups = nodes(svg(searched(tree, algorithm)))
    for group, node in zip(groups, _subtree(tree), strict=True):
        claim, value = text_of(group, "value"), searched(node, "exhaustive").value
        if node.branches and claim:
            number = float(claim.lstrip("≤≥").replace("−", "-"))
            is_close = abs(number - value) <= 0.006
            assert is_close or (claim[0] == "≤" and value < number) or (claim[0] == "≥" and value > number), claim


def _subtree(node: Outline) -> list[Outline]:
    return [node, *(below for _, branch in node.branches for below in _subtree(branch))]


def nodes(picture: str) -> list[ElementTree.Element]:
    """The nodes of a picture, in the order of their numbers."""
    groups = ElementTree.fromstring(picture).iter(f"{SVG}g")
    return [group for group in groups if group.get("class", "").startswith("node ")]


def text_of(group: ElementTree.Element, kind: str) -> str:
    return next((text.text or "" for text in group.iter(f"{SVG}text") if text.get("class") == kind), "")


@given(trees, st.sampled_from(ALGORITHMS))
def test_the_groups_of_a_tree_have_the_numbers_of_a_walk_in_preorder(tree: Outline, algorithm: str) -> None:
    """A page's script finds node N, and the branch to it, by N."""
    subtree, tree_picture = _subtree(tree), svg(searched(tree, algorithm))
    groups = nodes(tree_picture)
    assert [group.get("data-node") for group in groups] == [str(number) for number in range(len(subtree))]
    assert [group.get("class", "").split()[1] for group in groups] == [
        node.layer.value if node.branches else "leaf" for node in subtree
    ]
    branches = re.findall(r'class="branch[^"]*" data-node="(\d+)"', tree_picture)
    assert sorted(branches, key=int) == [str(number) for number in range(1, len(subtree))]
    for group, node in zip(groups, subtree, strict=True):
        kinds = {text.get("class") for text in group.iter(f"{SVG}text")}
        assert kinds >= ({"value", "window"} if node.branches else {"value"})


@given(trees, st.sampled_from(ALGORITHMS))
def test_neighbours_and_their_words_never_touch(tree: Outline, algorithm: str) -> None:
    root = tree_of(tree, tree.height(), report_from_trace(tree, tree.height(), searched(tree, algorithm).trace))
    width = place(root, lambda words: text_width(words, 1), FILE)
    check_places(root, width)
    for node in root.subtree():
        words = max((text_width(words, SMALL) for words in beside_words(node)), default=0.0)
        assert node.half + words <= node.right
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


WORDS = [  # (the tree, the search, words in the picture)
    ("max { a: 3; b: min =B { x: 2; y: 100 } }", "alphabeta", {"3", "≤2", "(3, ∞)", "alpha cut", "B", "never seen"}),
    ("min { a: 2; b: max { x: 3; y: 100 } }", "alphabeta", {"≥3", "(−∞, 2)", "beta cut"}),
    ("chance { a @1/4: 1; b @0.75: 2 }", "exhaustive", {"a 1/4", "b 3/4"}),
    ("max =<b>&\n  <script>\"&': 1\n  \x01\x7f: 2", "exhaustive", {"<script>\"&'", "<b>&", "\ufffd\x7f"}),
]


@pytest.mark.parametrize(("tree", "algorithm", "expected"), WORDS)
def test_values_windows_reasons_probabilities_and_names(tree: str, algorithm: str, expected: set[str]) -> None:
    assert expected <= set(words(svg(searched(Outline.parse(tree), algorithm), (-10, 10))))


def test_every_branch_of_a_subtree_never_seen_is_struck_through() -> None:
    tree = Outline.parse("max\n  a: 5\n  b: min\n    x: 1\n    y: chance\n      p: 7\n      q: max\n        r: 8")
    picture = svg(searched(tree, "alphabeta"))
    assert "4 of 8 nodes" in title(picture)
    assert struck(picture) == 4


def test_a_probed_node_shows_both_entries() -> None:
    tree = Outline.parse((DOCS / "trees" / "poor_first.txt").read_text(encoding="utf-8"))
    texts = words(svg(searched(tree, "star2")))
    assert [word for word in texts if word in ("(−2, 10)", "probed", "(−1, 9)")][:3] == [
        "(−2, 10)",
        "probed",
        "(−1, 9)",
    ]


def test_the_tree_is_drawn_to_the_horizon_only() -> None:
    tree = Outline.parse("max\n  a: min ~5\n    x: 1\n    y: 2\n  b: 4")
    picture = svg(run_search("exhaustive", tree, 1))
    assert "3 of 3 nodes" in title(picture)
    assert "horizon" in words(picture)
    assert "x" not in words(picture)
    assert struck(picture) == 0


def test_a_tree_of_one_leaf_has_a_picture() -> None:
    tree = Outline.parse("7")
    assert words(svg(searched(tree, "exhaustive"))) == ["exhaustive: 7, 1 of 1 node, 1 leaf", "7"]


def test_a_note_stands_at_its_node() -> None:
    tree = Outline.parse("max\n  a: 3\n  b: min\n    x: 2\n    y: 100")
    picture = svg(tree, notes={("a",): "yours: <3", ("b",): "yours: 100"})
    words = re.findall(r'data-node="(\d+)"(?:(?!data-node).)*class="note"[^>]*>([^<]*)<', picture, re.DOTALL)
    assert words == [("1", "yours: &lt;3"), ("2", "yours: 100")]
    assert "b: min, yours: 100" in picture[: picture.index("</desc>")]
