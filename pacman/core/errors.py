"""What a user did wrong, as one line: where, what, and what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """A mistake in something that was handed in; its text is one line for the person who made it."""


class IllegalAction(ValueError):
    """An action that the rules do not allow; its text names the position, the action and the legal ones."""


def shown(text: object, cap: int = 200) -> str:
    """Something that a user or his program said, in quotes, on one line, and not too long.

    >>> shown("a\\nb"), shown("x" * 30, cap=10)
    ("'a\\\\nb'", "'xxxxxx...")
    """
    quoted = repr(text)
    return quoted if len(quoted) <= cap else quoted[: cap - 3] + "..."


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of an error line about an unknown name: the nearest known one, or all of them.

    >>> nearest("minmax", ["minimax", "expectimax"])
    "did you mean 'minimax'?"
    >>> nearest("zzz", ["minimax", "expectimax"])
    'known: expectimax, minimax'
    """
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    return f"did you mean '{close[0]}'?" if close else "known: " + (", ".join(names) or "none")
