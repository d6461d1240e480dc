"""Points, percentages, counts, values and nodes as every report shows them.

Points are never rounded up, so only full marks look full.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from pacman.core.tree_text import number


def rounded_down(points: float) -> float:
    """`points` in whole hundredths, rounded down.

    >>> rounded_down(4.999), rounded_down(0.29), rounded_down(5)
    (4.99, 0.29, 5.0)
    """
    return int(points * 100 + 1e-6) / 100


def points_text(points: float) -> str:
    """`points` as text, in hundredths rounded down.

    >>> points_text(4.999), points_text(5.0)
    ('4.99', '5')
    """
    return number(rounded_down(points))


def points_phrase(points: float) -> str:
    """`points` with their noun.

    >>> points_phrase(1), points_phrase(1.5)
    ('1 point', '1.5 points')
    """
    text = points_text(points)
    return f"{text} point" if text == "1" else f"{text} points"


def percent(share: float) -> str:
    """A share (0 to 1) as text, in tenths of a percent rounded down; "100 %" only for the whole.

    >>> percent(0.29), percent(2 / 7), percent(1 - 1e-12), percent(1)
    ('29 %', '28.5 %', '99.9 %', '100 %')
    """
    tenths = 1000 if share >= 1 else min(999, int(1000 * share + 1e-6))
    return f"{number(tenths / 10)} %"


def value_text(value: float) -> str:
    """A value of a search as text: whole numbers in full, others with six digits.

    >>> value_text(3.0), value_text(1 / 3), value_text(float("-inf"))
    ('3', '0.333333', '-inf')
    """
    return number(value) if abs(value) < 1e15 and value == int(value) else f"{value:.6g}"


def node_name(path: Sequence[str]) -> str:
    """The name of the node at the end of a path.

    >>> node_name(("West", "East")), node_name(())
    ('node West > East', 'the root')
    """
    return f"node {' > '.join(path)}" if path else "the root"


def shares(points: float, weights: list[float]) -> list[float]:
    """`points` divided by weight into whole hundredths that add up to `points` again.

    >>> shares(5, [1, 1, 1]), shares(1, [3, 1])
    ([1.67, 1.66, 1.67], [0.75, 0.25])
    """
    whole = sum(weights)
    cumulative = [round(100 * points * upto / whole) for upto in accumulate(weights, initial=0.0)]
    return [(upper - lower) / 100 for lower, upper in pairwise(cumulative)]


def part(most: float, earned: float) -> float:
    """The share `earned` (0 to 1) of `most`, in whole hundredths; equal to `most` only if `earned` is 1.

    >>> part(1.67, 1), part(1.67, 0.9999), part(1.67, 0.5)
    (1.67, 1.66, 0.83)
    """
    hundredths = round(most * 100)
    return most if earned >= 1 else max(0, min(hundredths - 1, int(hundredths * earned + 1e-6))) / 100
