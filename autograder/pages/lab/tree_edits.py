"""Changes of a drawn tree, one at a time: the page's picture of a tree says which node, and its text follows.

A node has a number: its place in preorder from 0, which is its line in `str(tree)` too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from string import ascii_lowercase

from pacman.core.errors import InputError
from pacman.core.outline import INDENT, Outline

KINDS = ("max", "min", "chance")
BELOW = {"max": "min", "min": "max", "chance": "max"}
"""The kind of a node below another one, when it gets a node below itself."""
NAMES = (*ascii_lowercase, *(f"{first}{second}" for first in ascii_lowercase for second in ascii_lowercase))
_PROBABILITY = re.compile(r" @[^\s:]+(?=:)")


def parents(text: str) -> list[int]:
    """For each node of a tree in lines the number of its parent; -1 for the root."""
    depths = [_depth(line) for line in text.split("\n")]
    found = [-1]
    for number, depth in enumerate(depths[1:], 1):
        found.append(next(above for above in reversed(range(number)) if depths[above] == depth - 1))
    return found


def leaves(text: str) -> dict[int, str]:
    """The values of the leaves of a tree in lines, by the number of the node."""
    return {number: kind for number, line in enumerate(text.split("\n")) if (kind := _kind(line)) not in KINDS}


def edited(tree: Outline, change: str, node: int, value: str = "") -> tuple[str, int]:
    """The text of the tree after a change at a node, and which node is the selected one then.

    "add"     adds a leaf below the node; a leaf becomes an inner node, and keeps its value in a leaf below it
    "delete"  removes the node and all below it
    "kind"    makes MIN of MAX, CHANCE of MIN and MAX of CHANCE
    "value"   gives a leaf this value

    InputError if the node does not allow the change. Probabilities that do not fit any more are left out.

    >>> edited(Outline.parse("max { a: 1; b: 2 }"), "delete", 1)
    ('max\\n  b: 2', 0)
    """
    lines = str(tree).split("\n")
    if not 0 <= node < len(lines):
        raise InputError(f"the tree has no node {node}")
    changes: dict[str, Callable[[list[str], int, str], int]]
    changes = {"add": _add, "delete": _delete, "kind": _change_kind, "value": _set_value}
    selected = changes[change](lines, node, value)
    text = "\n".join(lines)
    Outline.parse(text)
    return text, selected


def _add(lines: list[str], node: int, _: str) -> int:
    kind, above = _kind(lines[node]), parents("\n".join(lines))[node]
    indent = " " * (INDENT * (_depth(lines[node]) + 1))
    if kind not in KINDS:
        lines.insert(node + 1, f"{indent}a: {kind}")
        lines[node] = _with_kind(lines[node], BELOW[_kind(lines[above])] if node else "max")
        return node
    children = _children(lines, node)
    used = {lines[child].strip().partition(":")[0].split()[0] for child in children}
    name = next(name for name in NAMES if name not in used)
    _forget_probabilities(lines, children)
    lines.insert(_end(lines, node), f"{indent}{name}: 0")
    return node


def _delete(lines: list[str], node: int, _: str) -> int:
    if node == 0:
        raise InputError("the root cannot be deleted")
    above = parents("\n".join(lines))[node]
    del lines[node : _end(lines, node)]
    children = _children(lines, above)
    _forget_probabilities(lines, children)
    if not children:
        lines[above] = _with_kind(lines[above], "0")
    return above


def _change_kind(lines: list[str], node: int, _: str) -> int:
    kind = _kind(lines[node])
    if kind not in KINDS:
        return _add(lines, node, "")
    _forget_probabilities(lines, _children(lines, node))
    lines[node] = _with_kind(lines[node], KINDS[(KINDS.index(kind) + 1) % len(KINDS)])
    return node


def _set_value(lines: list[str], node: int, value: str) -> int:
    if _kind(lines[node]) in KINDS:
        raise InputError("only a leaf has a value: select a leaf")
    if not re.fullmatch(r"[-+]?\d*\.?\d+", value):
        raise InputError(f"'{value}' is no number")
    lines[node] = _with_kind(lines[node], value)
    return node


def _depth(line: str) -> int:
    return (len(line) - len(line.lstrip())) // INDENT


def _kind(line: str) -> str:
    """The kind of the node in a line: max, min, chance, or the number of a leaf."""
    return line.rpartition(": ")[2].split()[0]


def _with_kind(line: str, kind: str) -> str:
    """The same line with another kind; a leaf has neither an evaluation nor a name."""
    head, colon, rest = line.rpartition(": ")
    return f"{head}{colon}{' '.join([kind, *rest.split()[1:]] if kind in KINDS else [kind])}"


def _end(lines: list[str], node: int) -> int:
    """The line after all nodes below a node."""
    below = range(node + 1, len(lines))
    return next((line for line in below if _depth(lines[line]) <= _depth(lines[node])), len(lines))


def _children(lines: list[str], node: int) -> list[int]:
    below = range(node + 1, _end(lines, node))
    return [line for line in below if _depth(lines[line]) == _depth(lines[node]) + 1]


def _forget_probabilities(lines: list[str], children: list[int]) -> None:
    for child in children:
        lines[child] = _PROBABILITY.sub("", lines[child], count=1)
