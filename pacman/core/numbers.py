"""Numbers as text for pictures: short, with a true minus sign; values that are known only in part, as intervals."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isinf

from pacman.core.tree_text import number


def format_number(value: float, decimals: int | None = None) -> str:
    """A number with four digits, or with two decimals if these are more; whole numbers in full.

    With `decimals` it has exactly so many, so that all numbers of a view have the same form.

    >>> format_number(-1234.567), format_number(13 / 3), format_number(float("inf"))
    ('−1234.57', '4.333', '∞')
    >>> format_number(-98.2, 2), format_number(-0.001, 2)
    ('−98.20', '0.00')
    """
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    if decimals is not None:
        return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−")
    if abs(value) < 1e-9:  # rounding can move the end of a window slightly away from 0
        return "0"
    if not 10 <= abs(value) < 1e9:
        value = float(f"{value:.4g}")
    return number(round(value, 2) if abs(value) >= 10 else value).replace("-", "−")


def format_interval(low: float, high: float, decimals: int | None = None) -> str:
    """The values from `low` to `high`; "" if nothing is known about the value.

    >>> format_interval(3, 3), format_interval(float("-inf"), 2), format_interval(4, float("inf"))
    ('3', '≤2', '≥4')
    >>> format_interval(1, 2)
    '1..2'
    """
    if isinf(low) and isinf(high):
        return format_number(low) if low == high else ""
    lowest, highest = format_number(low, decimals), format_number(high, decimals)
    if low == high:
        return lowest
    if isinf(low):
        return f"≤{highest}"
    return f"≥{lowest}" if isinf(high) else f"{lowest}..{highest}"


def format_window(alpha: float, beta: float) -> str:
    """A search window as an open interval.

    >>> format_window(3, float("inf"))
    '(3, ∞)'
    """
    return f"({format_number(alpha)}, {format_number(beta)})"


def format_ends(alpha: float, beta: float, decimals: int | None = None) -> str:
    """The ends of a search window that say something: without an alpha of −∞ and a beta of ∞, as they are at the root.

    >>> format_ends(3, float("inf")), format_ends(-1, 2.5), format_ends(float("inf"), 5)
    ('α 3', 'α −1  β 2.5', 'α ∞  β 5')
    """
    ends = ("α", alpha, -inf), ("β", beta, inf)
    return "  ".join(f"{name} {format_number(end, decimals)}" for name, end, usual in ends if end != usual)


def format_integer(number: int) -> str:
    """A whole number with a space between each group of three digits.

    >>> format_integer(1234567)
    '1 234 567'
    """
    return f"{number:,}".replace(",", " ")


def format_short(number: int) -> str:
    """A count in at most four characters, with k for thousands and M for millions.

    >>> format_short(999), format_short(1234), format_short(56_789), format_short(2_000_000)
    ('999', '1.2k', '57k', '2.0M')
    """
    if number < 1000:
        return str(number)
    value, unit = (number / 1000, "k") if number < 999_500 else (number / 1e6, "M")
    return f"{value:.1f}{unit}" if value < 9.95 else f"{value:.0f}{unit}"


def format_probability(probability: float) -> str:
    """A probability: as a fraction if its denominator is at most 8, else as a decimal number.

    >>> format_probability(1 / 3), format_probability(0.5), format_probability(0.9), format_probability(0.123)
    ('1/3', '1/2', '0.9', '0.123')
    """
    fraction = Fraction(probability).limit_denominator(8)
    return str(fraction) if abs(fraction - probability) < 1e-9 else f"{probability:.3g}"
