"""The colours of the parts of a picture: as attributes in an SVG file, or as CSS rules in the style sheet of a page.

A part is a CSS selector inside the picture: `.max .shape` is the shape of a MAX node. The rules win over the
attributes, so a picture in a page follows the theme that its reader prefers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import starmap

from pacman.core.errors import InputError, nearest
from pacman.picture.theme import THEMES, Colour, Theme, blend
from pacman.picture.tree_layout import SMALL

Parts = Mapping[str, Mapping[str, str]]
"""Part of a picture -> its SVG attributes."""
PAGE = "page"
"""The theme of a picture without colours, for a page: the rules of `page_style` give it those of the reader's theme."""
TINT = 0.17
"""How much of a layer's colour is in the area of its nodes; the rest is the colour of the paper."""


@dataclass(frozen=True)
class TreeTheme:
    """The colours of a tree. `pale` and `muted` are the lines and the words of nodes that the search did not enter."""

    paper: Colour
    ink: Colour
    muted: Colour
    pale: Colour
    cut: Colour

    def parts(self, theme: Theme) -> Parts:
        """The colours of every part of a tree, and what else all its actions and windows have in common.

        The layers have the colours of `theme`, as in the window.
        """
        layers = {"max": theme.max, "min": theme.min, "chance": theme.chance}
        pale_cut = blend(self.paper, self.cut, 0.45)
        return {
            ".paper": {"fill": _hex(self.paper)},
            ".title": {"fill": _hex(self.ink)},
            ".branches": {"fill": _hex(self.ink), "stroke": _hex(self.muted)},
            ".branch.line": {"stroke": _hex(self.ink)},
            ".branch.unseen": {"fill": _hex(self.muted), "stroke": _hex(self.pale)},
            ".branch .action": {"stroke": "none"},
            ".branch .struck": {"stroke": _hex(pale_cut)},
            ".branch .struck.first": {"stroke": _hex(self.cut)},
            ".nodes": {"fill": _hex(self.ink)},
            **{
                f".{name} .shape": {"fill": _hex(blend(self.paper, colour, TINT)), "stroke": _hex(colour)}
                for name, colour in layers.items()
            },
            ".leaf .shape": {"fill": _hex(self.paper), "stroke": _hex(self.muted)},
            ".unseen .shape": {"fill": _hex(self.paper), "stroke": _hex(self.pale)},
            ".unseen .value": {"fill": _hex(self.muted)},
            ".name": {"fill": _hex(self.muted)},
            **{
                f".{words}": {"font-size": f"{SMALL:g}", "text-anchor": "start", "fill": _hex(self.muted)}
                for words in ("window", "reason", "evaluation")
            },
            ".reason.cut": {"font-size": f"{SMALL:g}", "text-anchor": "start", "fill": _hex(self.cut)},
            ".note": {"fill": _hex(self.cut)},
            ".legend": {"fill": _hex(self.muted)},
        }


TREE_THEMES = {
    "light": TreeTheme(
        paper=(255, 255, 255),
        ink=(31, 42, 55),
        muted=(91, 103, 118),
        pale=(176, 186, 197),
        cut=(179, 38, 30),
    ),
    "dark": TreeTheme(
        paper=(10, 12, 22),
        ink=(234, 238, 255),
        muted=(160, 168, 200),
        pale=(84, 92, 122),
        cut=(255, 120, 126),
    ),
    # The palette of Okabe and Ito, as in pacman/picture/theme.py.
    "colour-blind": TreeTheme(
        paper=(12, 13, 17),
        ink=(240, 240, 244),
        muted=(170, 173, 186),
        pale=(92, 95, 108),
        cut=(240, 228, 66),
    ),
}


def tree_parts(name: str) -> Parts:
    """The colours of a tree in the theme with that name; none for PAGE. InputError for an unknown name."""
    return {} if name == PAGE else TREE_THEMES[_known(name)].parts(THEMES[name])


GHOST_COLOURS = len(THEMES["dark"].ghosts)


def board_parts(name: str) -> Parts:
    """The colours of a board in the theme with that name; none for PAGE. InputError for an unknown name."""
    return {} if name == PAGE else _board_parts(THEMES[_known(name)])


def _known(name: str) -> str:
    if name not in TREE_THEMES:
        raise InputError(f"no theme '{name}': {nearest(name, [*TREE_THEMES, PAGE])}")
    return name


def _board_parts(theme: Theme) -> Parts:
    ghosts = {f".ghost-{number}": {"fill": _hex(theme.agent(number))} for number in range(1, GHOST_COLOURS + 1)}
    return {
        ".paper": {"fill": _hex(theme.background)},
        ".walls": {"fill": _hex(theme.wall), "stroke": _hex(theme.wall_edge)},
        ".glow": {
            "fill": _hex(theme.wall_edge),
            "stroke": _hex(theme.wall_edge),
            "visibility": "visible" if theme.glow else "hidden",
        },
        ".food": {"stroke": _hex(theme.food)},
        ".capsules": {"stroke": _hex(theme.capsule)},
        ".pacman": {"fill": _hex(theme.pacman)},
        **ghosts,
        ".scared": {"fill": _hex(theme.scared)},
        ".rim": {"fill": _hex(theme.blink)},
        ".face": {"fill": "none", "stroke": _hex(theme.scared_face)},
        ".eye": {"fill": _hex(theme.eye)},
        ".pupil": {"stroke": _hex(theme.pupil)},
        ".ring": {"stroke": _hex(theme.bad)},
        ".caption": {"fill": _hex(theme.text)},
    }


def attributes(parts: Parts, part: str) -> str:
    """The attributes of one part, each after a space; "" if `parts` has none of them.

    >>> attributes({".paper": {"fill": "#ffffff"}}, ".paper")
    ' fill="#ffffff"'
    """
    return "".join(f' {name}="{value}"' for name, value in parts.get(part, {}).items())


def page_style() -> str:
    """The CSS rules for all pictures of a page: the light theme, and the dark theme for readers who prefer it.

    A page that is printed has the light theme.
    """
    return f"{_rules('light')}@media screen and (prefers-color-scheme:dark){{\n{_rules('dark')}}}\n"


def _rules(name: str) -> str:
    pictures = {"tree": tree_parts(name), "board": board_parts(name)}
    return "".join(
        f".{picture} {part}{{{';'.join(starmap(_declaration, values.items()))}}}\n"
        for picture, parts in pictures.items()
        for part, values in parts.items()
    )


def _declaration(name: str, value: str) -> str:
    """One line of a CSS rule. A font size needs its unit there, but none as an attribute of an SVG element."""
    return f"{name}:{value}{'px' if name == 'font-size' else ''}"


def _hex(colour: Colour) -> str:
    return "#" + bytes(colour).hex()
