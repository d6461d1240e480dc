"""Numbers as pictures show them: short, with a true minus sign, and with what is known of a value."""

from __future__ import annotations

from fractions import Fraction
from math import isinf

from pacman.core.outline import number


def figure(value: float) -> str:
    """A number to four figures, or two decimals if those are more; whole ones in full; with a true minus sign.

    >>> figure(-1234.567), figure(13 / 3), figure(float("inf"))
    ('−1234.57', '4.333', '∞')
    """
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    if abs(value) < 1e-9:  # a window's end that rounding moved off 0
        return "0"
    if not 10 <= abs(value) < 1e9:
        value = float(f"{value:.4g}")
    return number(round(value, 2) if abs(value) >= 10 else value).replace("-", "−")


def claim(low: float, high: float) -> str:
    """What is known of a value that lies from `low` to `high`; nothing is "".

    >>> claim(3, 3), claim(float("-inf"), 2), claim(4, float("inf")), claim(1, 2)
    ('3', '≤2', '≥4', '1..2')
    """
    if low == high:
        return figure(low)
    if isinf(low):
        return "" if isinf(high) else f"≤{figure(high)}"
    return f"≥{figure(low)}" if isinf(high) else f"{figure(low)}..{figure(high)}"


def window(alpha: float, beta: float) -> str:
    """
    >>> window(3, float("inf"))
    '(3, ∞)'
    """
    return f"({figure(alpha)}, {figure(beta)})"


def ends(alpha: float, beta: float) -> str:
    """A window's finite ends: for fonts without an infinity, and for the eye, which looks for what is new.

    >>> ends(3, float("inf")), ends(-1, 2.5), ends(float("-inf"), float("inf"))
    ('α 3', 'α −1  β 2.5', '')
    """
    return "  ".join(f"{name} {figure(end)}" for name, end in (("α", alpha), ("β", beta)) if not isinf(end))


def thousands(number: int) -> str:
    """
    >>> thousands(1234567)
    '1 234 567'
    """
    return f"{number:,}".replace(",", " ")


def count(number: int) -> str:
    """A count in a few characters.

    >>> count(999), count(1234), count(56_789), count(2_000_000)
    ('999', '1.2k', '57k', '2.0M')
    """
    if number < 1000:
        return str(number)
    value, unit = (number / 1000, "k") if number < 999_500 else (number / 1e6, "M")
    return f"{value:.1f}{unit}" if value < 9.95 else f"{value:.0f}{unit}"


def chance(probability: float) -> str:
    """A probability, as a fraction where that is short.

    >>> chance(1 / 3), chance(0.5), chance(0.9), chance(0.8333333333333334), chance(0.123)
    ('1/3', '1/2', '0.9', '5/6', '0.123')
    """
    fraction = Fraction(probability).limit_denominator(8)
    return str(fraction) if abs(fraction - probability) < 1e-9 else f"{probability:.3g}"
