"""What every search asks of its arguments."""

from __future__ import annotations


def check_plies(plies: int) -> None:
    """ValueError unless `plies` is a whole number from 0."""
    if isinstance(plies, bool) or not isinstance(plies, int) or plies < 0:
        raise ValueError(f"a search looks 0 or more plies ahead, not {plies!r}")
