"""What a user did wrong, as one line: where, what, and what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable

HIDDEN = "\N{REPLACEMENT CHARACTER}"
"""Stands for each character that nobody can see: control, direction, surrogate, private, unassigned."""


class InputError(ValueError):
    """A mistake in something that was handed in; its text is one line for the person who made it."""


class IllegalAction(ValueError):
    """An action that the rules do not allow; its text names the position, the action and the legal ones."""


def printable(text: str) -> str:
    """`text` as one line that steers no terminal: a character that cannot be seen becomes a space or U+FFFD.

    >>> printable("a\\tb\\x1b[2J\\u202e")
    'a b�[2J�'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else " " if each.isspace() else HIDDEN for each in text)


def one_line(thing: object, most: int = 200, how: Callable[[object], str] = repr) -> str:
    """`thing` as one printable line of at most `most` characters, whatever its own `repr` or `str` does.

    >>> one_line("a\\nb"), one_line("x" * 30, 10), one_line(ValueError("a\\n  b"), how=str)
    ("'a\\\\nb'", "'xxxxxx...", 'a b')
    """
    try:
        text = how(thing)
    except KeyboardInterrupt:
        raise
    except BaseException:  # a student's method
        text = f"<{type(thing).__name__} that cannot be shown>"
    line = text[: 2 * most]
    if not line.isprintable():
        line = " ".join(printable(line).split())
    return line if len(line) <= most else line[: most - 3] + "..."


def error_line(error: BaseException) -> str:
    """The type of an error and what it says, on one line.

    >>> error_line(ValueError("no\\nnumber")), error_line(SystemExit())
    ('ValueError: no number', 'SystemExit')
    """
    return f"{type(error).__name__}: {one_line(error, 300, str)}".removesuffix(": ")


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
