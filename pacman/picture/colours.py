"""The colours of the parts of a picture: as attributes in an SVG file, or as CSS rules in the style sheet of a page.

A part is a CSS selector inside the picture: `.max .shape` is the shape of a MAX node. The rules win over the
attributes, so a picture in a page follows the theme that its reader prefers.
"""

from __future__ import annotations

from collections.abc import Mapping

from pacman.core.errors import InputError, nearest
from pacman.core.tree import Layer
from pacman.picture.theme import THEMES, Colour, Theme, blend

Parts = Mapping[str, Mapping[str, Colour | str]]
"""Part of a picture -> its SVG attributes."""
PAGE = "page"
"""The theme of a picture without colours, for a page: the rules of `page_style` give it those of the reader's theme."""
TINT = 0.17
"""How much of a layer's colour is in the area of its nodes; the rest is the colour of the paper."""


def tree_parts(name: str) -> Parts:
    """The colours of a tree in the theme with that name; none for PAGE. InputError for an unknown name."""
    return {} if name == PAGE else colours_of_tree(_known(name), _known(name).paper)


def colours_of_tree(theme: Theme, paper: Colour) -> Parts:
    """The colours of every part of a tree on this paper; what the search did not enter has pale lines.

    The layers have the same colours everywhere.
    """
    ink, muted, cut = theme.text, theme.readable(theme.muted, paper), theme.readable(theme.bad, paper)
    pale = blend(paper, muted, 0.5)
    return {
        ".paper": {"fill": paper},
        ".title": {"fill": ink},
        ".branches": {"fill": ink, "stroke": muted},
        ".branch.line": {"stroke": ink},
        ".branch.unseen": {"fill": muted, "stroke": pale},
        ".branch .action": {"fill": ink, "stroke": "none"},
        ".branch.unseen .action": {"fill": muted, "stroke": "none"},
        ".branch .struck": {"stroke": blend(paper, cut, 0.45)},
        ".branch .struck.first": {"stroke": cut},
        ".nodes": {"fill": ink},
        **{
            f".{layer.value} .shape": {"fill": blend(paper, theme.layer(layer), TINT), "stroke": theme.layer(layer)}
            for layer in Layer
        },
        ".leaf .shape": {"fill": paper, "stroke": muted},
        ".unseen .shape": {"fill": paper, "stroke": pale},
        ".unseen .value": {"fill": muted},
        **{f".{words}": {"fill": muted} for words in ("name", "window", "reason", "evaluation", "below", "legend")},
        ".reason.cut": {"fill": cut},
        ".note": {"fill": cut},
    }


GHOST_COLOURS = len(THEMES["dark"].ghosts)


def board_parts(name: str) -> Parts:
    """The colours of a board in the theme with that name; none for PAGE. InputError for an unknown name."""
    return {} if name == PAGE else _board_parts(_known(name))


def _known(name: str) -> Theme:
    if name not in THEMES:
        raise InputError(f"no theme '{name}': {nearest(name, [*THEMES, PAGE])}")
    return THEMES[name]


def _board_parts(theme: Theme) -> Parts:
    ghosts = {f".ghost-{number}": {"fill": theme.agent(number)} for number in range(1, GHOST_COLOURS + 1)}
    return {
        ".paper": {"fill": theme.background},
        ".walls": {"fill": theme.wall, "stroke": theme.wall},
        ".wall-edge": {"fill": theme.wall_edge, "stroke": theme.wall_edge},
        ".glow": {
            "fill": theme.wall_edge,
            "stroke": theme.wall_edge,
            "visibility": "visible" if theme.glow else "hidden",
        },
        ".food": {"stroke": theme.food},
        ".capsules": {"stroke": theme.capsule},
        ".pacman": {"fill": theme.pacman},
        **ghosts,
        ".scared": {"fill": theme.scared},
        ".rim": {"fill": theme.blink},
        ".face": {"fill": "none", "stroke": theme.scared_face},
        ".eye": {"fill": theme.eye},
        ".pupil": {"stroke": theme.pupil},
        ".ring": {"stroke": theme.bad},
        ".caption": {"fill": theme.text},
    }


def part_of(kind: str) -> str:
    """The part of an element with these classes.

    >>> part_of("reason cut")
    '.reason.cut'
    """
    return f".{kind.replace(' ', '.')}"


def attributes(parts: Parts, part: str) -> str:
    """The attributes of one part, each after a space; "" if `parts` has none of them.

    >>> attributes({".paper": {"fill": (255, 255, 255)}}, ".paper")
    ' fill="#ffffff"'
    """
    return "".join(f' {name}="{as_text(value)}"' for name, value in parts.get(part, {}).items())


def page_style() -> str:
    """The CSS rules for all pictures of a page: the light theme, and the dark theme for readers who prefer it.

    A page that is printed has the light theme.
    """
    return f"{_rules('light')}@media screen and (prefers-color-scheme:dark){{\n{_rules('dark')}}}\n"


def _rules(name: str) -> str:
    pictures = {"tree": tree_parts(name), "board": board_parts(name)}
    return "".join(
        f".{picture} {part}{{{';'.join(f'{name}:{as_text(value)}' for name, value in values.items())}}}\n"
        for picture, parts in pictures.items()
        for part, values in parts.items()
    )


def as_text(value: Colour | str) -> str:
    """A colour as "#rrggbb"; another value as it is."""
    return value if isinstance(value, str) else "#" + bytes(value).hex()
