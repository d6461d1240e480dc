"""The colours of the terminal report can be read on white and on black."""

from __future__ import annotations

from pathlib import Path

from rich.color import Color

from autograder.report import terminal


def luminance(colour: tuple[int, int, int]) -> float:
    """The relative luminance (WCAG 2.1)."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_colour_of_notices_has_contrast_on_white_and_on_black() -> None:
    light = luminance(tuple(Color.parse(terminal.NOTICE).get_truecolor()))
    assert 1.05 / (light + 0.05) > 4
    assert (light + 0.05) / 0.05 > 4
    source = Path(terminal.__file__).read_text(encoding="utf-8")
    assert '"yellow"' not in source
