"""Changes of a drawn tree, one at a time: the page's picture of a tree says which node, and its text follows.

A node has a number: its place in preorder from 0, which is its line in `str(tree)` too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from string import ascii_lowercase

from pacman.core.errors import InputError
from pacman.core.layers import Layer
from pacman.core.tree_text import Outline

KINDS = (Layer.MAX, Layer.MIN, Layer.CHANCE)
BELOW = {Layer.MAX: Layer.MIN, Layer.MIN: Layer.MAX, Layer.CHANCE: Layer.MAX}
"""The kind of a node below another one, when it gets a node below itself."""
NAMES = (*ascii_lowercase, *map("".join, product(ascii_lowercase, repeat=2)))
Branches = tuple[tuple[str, Outline], ...]


def edited(tree: Outline, change: str, number: int, value: str = "") -> tuple[Outline, int]:
    """The tree after a change at the node with this number, and the number of the selected node then.

    "add"     adds a leaf below the node; a leaf becomes an inner node, and keeps its value in a leaf below it
    "delete"  removes the node and all below it
    "kind"    makes max of chance, min of max, and chance of min; a leaf becomes an inner node
    "value"   gives a leaf this value

    A chance node with another number of outcomes has equal probabilities. InputError, in a sentence for the page, if
    the node does not allow the change.

    >>> tree, selected = edited(Outline.parse("max { a: 1; b: 2 }"), "delete", 1)
    >>> tree.to_one_line(), selected
    ('max { b: 2 }', 0)
    """
    places = tree.places()
    if not 0 <= number < len(places):
        raise InputError(f"the tree has no node {number}")
    path, above = list[str](), number
    while above:
        above, action = places[above]
        path.insert(0, action)
    if change == "delete":
        if not path:
            raise InputError("the root cannot be deleted")
        return _changed(tree, path[:-1], lambda node: _without(node, path[-1])), places[number][0]
    kind = BELOW[_node(tree, path[:-1]).layer] if path else Layer.MAX
    changes: dict[str, Callable[[Outline], Outline]] = {
        "add": lambda node: _with_leaf(node, kind),
        "kind": lambda node: _with_next_kind(node, kind),
        "value": lambda node: _with_value(node, value),
    }
    return _changed(tree, path, changes[change]), number


def _node(tree: Outline, path: Sequence[str]) -> Outline:
    return _node(tree.successor(path[0]), path[1:]) if path else tree


def _changed(tree: Outline, path: Sequence[str], change: Callable[[Outline], Outline]) -> Outline:
    """The tree with another node at the end of the path."""
    if not path:
        return change(tree)
    branches = ((name, _changed(node, path[1:], change) if name == path[0] else node) for name, node in tree.branches)
    return replace(tree, branches=tuple(branches))


def _inner(node: Outline, kind: Layer, branches: Branches) -> Outline:
    """An inner node with these branches, which are equally likely at a chance node."""
    chances = (Fraction(1, len(branches)),) * len(branches) if kind is Layer.CHANCE else ()
    inner = replace(node, kind=kind, utility=None, branches=branches, probabilities=chances)
    return replace(inner, has_written_probabilities=False)


def _with_leaf(node: Outline, kind: Layer) -> Outline:
    if node.is_terminal:
        return _inner(node, kind, (("a", Outline(None, node.utility)),))
    name = next(name for name in NAMES if name not in node.actions())
    return _inner(node, node.layer, (*node.branches, (name, Outline(None, 0.0))))


def _with_next_kind(node: Outline, kind: Layer) -> Outline:
    if node.is_terminal:
        return _with_leaf(node, kind)
    return _inner(node, KINDS[(KINDS.index(node.layer) + 1) % len(KINDS)], node.branches)


def _with_value(node: Outline, value: str) -> Outline:
    if not node.is_terminal:
        raise InputError("only a leaf has a value: select a leaf")
    if not re.fullmatch(r"[-+]?\d*\.?\d+", value):
        raise InputError(f"'{value}' is no number")
    return Outline(None, float(value))


def _without(node: Outline, action: str) -> Outline:
    branches = tuple(branch for branch in node.branches if branch[0] != action)
    return _inner(node, node.layer, branches) if branches else Outline(None, 0.0)
