"""Which colour has each part of a picture, in three themes: on a canvas of pixels, in an SVG file, and in a page.

A new theme is a new column of the table. Drawings name their parts by classes, and CSS rules give these their colours:
`.max .shape` is the shape of a MAX node. A canvas reads the rules of its theme; a page has them as its style, so that
its pictures follow the theme that the reader prefers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from pacman.core.errors import InputError, nearest
from pacman.core.tree import Layer

Colour = tuple[int, int, int]
"""Red, green, blue, each from 0 to 255."""
Values = Mapping[str, Colour | str]
"""The SVG attributes of an element that are about its colours."""
Rules = Mapping[str, Values]
"""CSS selectors of at most two words, with their values. Of two rules for an element the later one counts."""
READABLE = 4.5
"""The contrast that small text needs (WCAG 2, level AA)."""
PAGE = "page"
"""The theme of a picture without colours, for a page: the rules of `page_style` give it those of the reader's theme."""
TINT = 0.17
"""How much of a layer's colour is in the area of its nodes; the rest is the colour of the paper."""
GHOST_COLOURS = 6


@dataclass(frozen=True)
class Theme:
    """The colours of everything in a picture. Ghost k has `ghosts[k - 1]`; more ghosts start again at `ghosts[0]`."""

    glow: float
    """The strength of the glow around walls, from 0 to 1."""
    ghosts: tuple[Colour, ...]
    background: Colour
    paper: Colour
    """The background of a tree in a file; a tree in a window stands on the panel."""
    panel: Colour
    wall: Colour
    wall_edge: Colour
    food: Colour
    capsule: Colour
    pacman: Colour
    scared: Colour
    scared_face: Colour
    blink: Colour
    blink_face: Colour
    eye: Colour
    pupil: Colour
    text: Colour
    muted: Colour
    good: Colour
    bad: Colour
    max: Colour
    min: Colour
    chance: Colour
    """The colours of the layers, in every view: how a search models an agent. They are not the colour of any agent."""

    def layer(self, layer: Layer | None) -> Colour:
        """The colour of a layer; `muted` for a node without one, at an end."""
        return self.muted if layer is None else {Layer.MAX: self.max, Layer.MIN: self.min}.get(layer, self.chance)

    def agent(self, number: int) -> Colour:
        """The colour of Pacman (0) or of ghost `number`."""
        return self.ghosts[(number - 1) % len(self.ghosts)] if number else self.pacman

    def readable(self, colour: Colour, back: Colour) -> Colour:
        """The first blend from `colour` towards the text colour that has a contrast of 4.5 on `back`."""
        for step in range(11):
            candidate = blend(colour, self.text, step / 10)
            if contrast(candidate, back) >= READABLE:
                break
        return candidate


def blend(back: Colour, front: Colour, part: float) -> Colour:
    """The colour at the fraction `part` of the way from `back` to `front`.

    >>> blend((0, 0, 0), (200, 100, 50), 0.5)
    (100, 50, 25)
    """
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(back, front, strict=True))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of two colours by WCAG 2, from 1 (equal) to 21 (black and white).

    >>> contrast((255, 255, 255), (0, 0, 0))
    21.0
    """

    def light(colour: Colour) -> float:
        parts = [value / 255 for value in colour]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    darker, lighter = sorted((light(one), light(other)))
    return (lighter + 0.05) / (darker + 0.05)


# The third palette is that of Okabe and Ito: people with any kind of colour blindness can distinguish its colours.
_TABLE = """
             dark   light  colour-blind
glow         0.55   0.0    0.25
background   0a0c16 f7f6f1 0c0d11
paper        0a0c16 ffffff 0c0d11
panel        15192c e8e6dd 1e2028
wall         141a3a d6ddf0 22242e
wall_edge    546eff 3e58be a8acbc
food         fad4b0 966c46 e2e2e2
capsule      ffe8be c46820 ffffff
pacman       ffd426 f0b000 f0e442
ghost_1      ff525c dc303e d55e00
ghost_2      40d6e2 0096aa cc79a7
ghost_3      ff9cce d6549c b0b0be
ghost_4      b88eff 7a52ce 926eb4
ghost_5      cea076 78543c a07854
ghost_6      b0b6c8 686c7c ececf0
scared       2c46d6 3452d6 005496
scared_face  ffd6ba fff0e2 ffffff
blink        eef0fc ffffff ffffff
blink_face   e23a46 d62838 000000
eye          fafbff ffffff ffffff
pupil        18205c 181e4a 0a0c1e
text         eaeeff 202438 f0f0f4
muted        848db6 74788e 9699a6
good         76e296 1a8442 56b4e9
bad          ff6068 cc2432 e6781e
max          6ca8ff 2563a8 56b4e9
min          ffa65c b9541d e69f00
chance       7ad684 4a7f36 009e73
"""


def _themes() -> dict[str, Theme]:
    names, glows, *rows = (line.split() for line in _TABLE.strip().splitlines())
    themes = {}
    for column, name in enumerate(names, 1):
        colours: dict[str, Colour] = {}
        for row in rows:
            red, green, blue = bytes.fromhex(row[column])
            colours[row[0]] = red, green, blue
        ghosts = tuple(colours.pop(f"ghost_{number}") for number in range(1, GHOST_COLOURS + 1))
        themes[name] = Theme(float(glows[column]), ghosts, **colours)
    return themes


THEMES = _themes()
DARK, LIGHT = THEMES["dark"], THEMES["light"]


def theme(name: str, *, has_page: bool = False) -> Theme:
    """The theme with that name. InputError for an unknown name; it suggests the most similar one."""
    if name not in THEMES:
        raise InputError(f"no theme '{name}': {nearest(name, [*THEMES, *[PAGE] * has_page])}")
    return THEMES[name]


# ---- the parts of drawings


def tree_rules(colours: Theme, paper: Colour | None = None) -> Rules:
    """The colours of every part of a tree on this paper; what the search did not enter has pale lines."""
    paper = paper or colours.paper
    ink, muted, cut = colours.text, colours.readable(colours.muted, paper), colours.readable(colours.bad, paper)
    pale, own = blend(paper, muted, 0.5), {layer: colours.layer(layer) for layer in Layer}
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
        **{f".{layer.value} .shape": {"fill": blend(paper, own[layer], TINT), "stroke": own[layer]} for layer in Layer},
        ".leaf .shape": {"fill": paper, "stroke": muted},
        ".unseen .shape": {"fill": paper, "stroke": pale},
        ".unseen .value": {"fill": muted},
        **{f".{words}": {"fill": muted} for words in ["name", "window", "reason", "evaluation", "below", "sign"]},
        ".reason.cut": {"fill": cut},
        ".note": {"fill": cut},
    }


def board_rules(colours: Theme) -> Rules:
    """The colours of every part of a board."""
    edge = {"fill": colours.wall_edge, "stroke": colours.wall_edge}
    return {
        ".paper": {"fill": colours.background},
        ".walls": {"fill": colours.wall, "stroke": colours.wall},
        ".wall-edge": edge,
        ".glow": {**edge, "visibility": "visible" if colours.glow else "hidden"},
        ".food": {"stroke": colours.food},
        ".capsules": {"stroke": colours.capsule},
        ".pacman": {"fill": colours.pacman},
        **{f".ghost-{number}": {"fill": colours.agent(number)} for number in range(1, GHOST_COLOURS + 1)},
        ".scared": {"fill": colours.scared},
        ".rim": {"fill": colours.blink},
        ".face": {"fill": "none", "stroke": colours.scared_face},
        ".eye": {"fill": colours.eye},
        ".pupil": {"stroke": colours.pupil},
        ".ring": {"stroke": colours.bad},
        ".caption": {"fill": colours.text},
    }


class Style:
    """What rules say about an element. It is named by its classes, after those of the groups around it."""

    def __init__(self, rules: Rules) -> None:
        self._rules = [([{*word[1:].split(".")} for word in part.split()], rules[part]) for part in rules]
        self.own = cache(self._own)
        """The values of the rules for an element with these classes, without those that it inherits."""

    @classmethod
    def of(cls, rules: Callable[[Theme], Rules], name: str) -> Style:
        """That of the theme with this name; without colours for PAGE. InputError for an unknown name."""
        return cls({} if name == PAGE else rules(theme(name, has_page=True)))

    def _own(self, *kinds: str) -> Values:
        *around, classes = [{*kind.split()} for kind in kinds]
        values: dict[str, Colour | str] = {}
        for (*groups, last), more in self._rules:
            if last <= classes and all(any(group <= each for each in around) for group in groups):
                values |= more
        return values

    def colour(self, name: str, *kinds: str) -> Colour:
        """A value that is a colour: that of the element, or of the nearest group around it that has one."""
        sources = (self.own(*kinds[:end]) for end in range(len(kinds), 0, -1))
        colour = next(values[name] for values in sources if name in values)
        assert not isinstance(colour, str), (name, kinds)
        return colour


def as_text(value: Colour | str) -> str:
    """A colour as "#rrggbb"; another value as it is."""
    return value if isinstance(value, str) else "#" + bytes(value).hex()


def page_style() -> str:
    """The CSS rules for all pictures of a page: the light theme, and the dark theme for readers who prefer it.

    A page that is printed has the light theme.
    """
    light, dark = (
        "".join(
            f".{picture} {part}{{{';'.join(f'{name}:{as_text(value)}' for name, value in values.items())}}}\n"
            for picture, rules in (("tree", tree_rules(colours)), ("board", board_rules(colours)))
            for part, values in rules.items()
        )
        for colours in (LIGHT, DARK)
    )
    return f"{light}@media screen and (prefers-color-scheme:dark){{\n{dark}}}\n"
