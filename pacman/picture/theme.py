"""Colour themes, as data: a new theme is a new row."""

from __future__ import annotations

from dataclasses import dataclass, fields

from pacman.core.errors import InputError, nearest
from pacman.core.tree import Layer

Colour = tuple[int, int, int]
"""Red, green, blue, each from 0 to 255."""
READABLE = 4.5
"""The contrast that small text needs (WCAG 2, level AA)."""


@dataclass(frozen=True)
class Theme:
    """The colours of everything in a picture. Ghost k has `ghosts[k - 1]`; more ghosts start again at `ghosts[0]`."""

    background: Colour
    paper: Colour
    """The background of a tree in a file; a tree in a window stands on the panel."""
    panel: Colour
    wall: Colour
    wall_edge: Colour
    glow: float
    """The strength of the glow around walls, from 0 to 1."""
    food: Colour
    capsule: Colour
    pacman: Colour
    ghosts: tuple[Colour, ...]
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

    def colours(self) -> tuple[Colour, ...]:
        """Every colour of the theme once, the background first."""
        single = [getattr(self, field.name) for field in fields(self) if field.name not in ("ghosts", "glow")]
        return tuple(dict.fromkeys([*single, *self.ghosts]))


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


DARK = Theme(
    background=(10, 12, 22),
    paper=(10, 12, 22),
    panel=(21, 25, 44),
    wall=(20, 26, 58),
    wall_edge=(84, 110, 255),
    glow=0.55,
    food=(250, 212, 176),
    capsule=(255, 232, 190),
    pacman=(255, 212, 38),
    ghosts=((255, 82, 92), (64, 214, 226), (255, 156, 206), (184, 142, 255), (206, 160, 118), (176, 182, 200)),
    scared=(44, 70, 214),
    scared_face=(255, 214, 186),
    blink=(238, 240, 252),
    blink_face=(226, 58, 70),
    eye=(250, 251, 255),
    pupil=(24, 32, 92),
    text=(234, 238, 255),
    muted=(132, 141, 182),
    good=(118, 226, 150),
    bad=(255, 96, 104),
    max=(108, 168, 255),
    min=(255, 166, 92),
    chance=(122, 214, 132),
)

LIGHT = Theme(
    background=(247, 246, 241),
    paper=(255, 255, 255),
    panel=(232, 230, 221),
    wall=(214, 221, 240),
    wall_edge=(62, 88, 190),
    glow=0.0,
    food=(150, 108, 70),
    capsule=(196, 104, 32),
    pacman=(240, 176, 0),
    ghosts=((220, 48, 62), (0, 150, 170), (214, 84, 156), (122, 82, 206), (120, 84, 60), (104, 108, 124)),
    scared=(52, 82, 214),
    scared_face=(255, 240, 226),
    blink=(255, 255, 255),
    blink_face=(214, 40, 56),
    eye=(255, 255, 255),
    pupil=(24, 30, 74),
    text=(32, 36, 56),
    muted=(116, 120, 142),
    good=(26, 132, 66),
    bad=(204, 36, 50),
    max=(37, 99, 168),
    min=(185, 84, 29),
    chance=(74, 127, 54),
)

# The palette of Okabe and Ito: people with any kind of colour blindness can distinguish its colours.
COLOUR_BLIND = Theme(
    background=(12, 13, 17),
    paper=(12, 13, 17),
    panel=(30, 32, 40),
    wall=(34, 36, 46),
    wall_edge=(168, 172, 188),
    glow=0.25,
    food=(226, 226, 226),
    capsule=(255, 255, 255),
    pacman=(240, 228, 66),
    ghosts=((213, 94, 0), (204, 121, 167), (176, 176, 190), (146, 110, 180), (160, 120, 84), (236, 236, 240)),
    scared=(0, 84, 150),
    scared_face=(255, 255, 255),
    blink=(255, 255, 255),
    blink_face=(0, 0, 0),
    eye=(255, 255, 255),
    pupil=(10, 12, 30),
    text=(240, 240, 244),
    muted=(150, 153, 166),
    good=(86, 180, 233),
    bad=(230, 120, 30),
    max=(86, 180, 233),
    min=(230, 159, 0),
    chance=(0, 158, 115),
)

THEMES = {"dark": DARK, "light": LIGHT, "colour-blind": COLOUR_BLIND}


def theme(name: str) -> Theme:
    """The theme with that name. InputError for an unknown name; it suggests the most similar one."""
    if name not in THEMES:
        raise InputError(f"no theme '{name}': {nearest(name, THEMES)}")
    return THEMES[name]
