"""What does a text on a command line name? A drawn tree, a file with one, `-`, or a layout: a node to search.

The grader passes one more reader, for its cases.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from pacman.commands.options import ROUNDS, PositionOptions, SearchOptions
from pacman.commands.output import warn_of_layout
from pacman.core.errors import InputError
from pacman.core.layout import names
from pacman.core.state import start
from pacman.core.tree import Node
from pacman.core.tree_text import Outline
from pacman.search.algorithms import Options
from pacman.search.bounds import natural

STDIN = "-"
LEAF = r"-?\d+(\.\d+)?"
"""A tree that is only a leaf."""


CASES = (".yaml", ".yml")
"""The endings of files with a case of the grader."""


@dataclass(frozen=True)
class Target:
    """A node to search, the depth in plies, and the options of the search."""

    name: str
    node: Node
    plies: int
    options: Options

    def error(self, error: ValueError) -> InputError:
        """What is wrong with the tree, on one line, when a search of it raised `error`."""
        first, _, tree = str(error).partition("\n")
        return InputError(f"{self.name}: {first}{' ' + tree.splitlines()[0].strip() if tree else ''}")


Reader = Callable[[str], Target | None]
"""One more form of a target; None if the text is not of this form."""


def find_target(
    text: str, search: SearchOptions, position: PositionOptions | None = None, reader: Reader = lambda text: None
) -> Target:
    """What `text` names. A position has its natural bounds, unless `search` has others.

    InputError if it names nothing, or if `position` has options and it is no layout.
    """
    options, position = search.options, position or PositionOptions()
    if is_layout(text):
        state = start(text, position.kinds or None)
        warn_of_layout(text)
        rounds = ROUNDS if position.rounds is None else position.rounds
        plies = rounds * len(state.layers) if search.plies is None else search.plies
        return Target(text, state, plies, replace(options, bounds=options.bounds or natural))
    if position != PositionOptions():
        raise InputError(f"--ghosts and --rounds are for a layout, and {text} is none")
    if (target := reader(text)) is not None:
        return target
    if not is_tree(text):
        near = get_close_matches(text, names(), n=1)
        problem = f"no file with a tree and no layout '{text}': did you mean '{near[0]}'?" if near else ""
        raise InputError(problem or f"{text}: no such file or directory")
    tree = read_tree(text)
    return Target(text, tree, tree.height() if search.plies is None else search.plies, options)


def is_layout(text: str) -> bool:
    """True for the name of a layout, and for a file that holds one."""
    return text in names() or text.endswith(".lay")


def is_tree(text: str) -> bool:
    """True for a drawn tree, for `-`, and for a file that holds no case."""
    is_drawn = "{" in text or text == STDIN or re.fullmatch(LEAF, text) is not None
    return is_drawn or (Path(text).suffix not in CASES and os.path.lexists(text) and not Path(text).is_dir())


def read_tree(text: str) -> Outline:
    """The tree of a text for which `is_tree` is true."""
    if "{" in text or re.fullmatch(LEAF, text):
        return Outline.parse(text)
    return Outline.parse(sys.stdin.read(), "standard input") if text == STDIN else Outline.load(Path(text))
