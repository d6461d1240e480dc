"""Errors about a user's mistake, and the phrases of messages: a count, a list, who an agent is, what an error says.

The message of an error is one line: where the mistake is, what is wrong, what was expected.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence

HIDDEN = "\N{REPLACEMENT CHARACTER}"
"""Replaces each character that is not visible: control, direction, surrogate, private-use and unassigned ones."""


class InputError(ValueError):
    """A mistake in a user's input. The message is one line for this user."""


class IllegalAction(ValueError):
    """An action that the rules do not allow. The message names the position, the action and the legal actions."""


def printable(text: str) -> str:
    """`text` as one line without control characters: each character that is not visible becomes a space or U+FFFD.

    >>> printable("a\\tb\\x1b[2J\\u202e")
    'a b�[2J�'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " if char.isspace() else HIDDEN for char in text)


def one_line(value: object, limit: int = 200, to_text: Callable[[object], str] = repr) -> str:
    """`value` as one printable line of at most `limit` characters. An error in its `repr` or `str` does no harm.

    >>> one_line("a\\nb"), one_line("x" * 30, 10), one_line(ValueError("a\\n  b"), to_text=str)
    ("'a\\\\nb'", "'xxxxxx...", 'a b')
    """
    try:
        text = to_text(value)
    except KeyboardInterrupt:
        raise
    except BaseException:  # from a student's method
        text = f"<{type(value).__name__} that cannot be shown>"
    line = text[: 2 * limit]
    if not line.isprintable():
        line = " ".join(printable(line).split())
    return line if len(line) <= limit else line[: limit - 3] + "..."


def error_line(error: BaseException) -> str:
    """The type of an error and its message, on one line.

    >>> error_line(ValueError("no\\nnumber")), error_line(SystemExit())
    ('ValueError: no number', 'SystemExit')
    """
    return f"{type(error).__name__}: {one_line(error, 300, str)}".removesuffix(": ")


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the most similar known name, or the list of all known names.

    >>> nearest("minmax", ["minimax", "expectimax"])
    "did you mean 'minimax'?"
    >>> nearest("zzz", ["minimax", "expectimax"])
    'known: expectimax, minimax'
    """
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    return f"did you mean '{close[0]}'?" if close else "known: " + (", ".join(names) or "none")


def counted(count: int, noun: str, form: str = "") -> str:
    """A count with its noun in the singular or the plural; `form` is "," for commas between thousands.

    >>> counted(1, "ply"), counted(2, "ply"), counted(2, "key"), counted(2, "branch"), counted(1234, "leaf", ",")
    ('1 ply', '2 plies', '2 keys', '2 branches', '1,234 leaves')
    """
    if noun.endswith("y") and noun[-2] not in "aeiou":
        plural = f"{noun[:-1]}ies"
    elif noun.endswith("f"):
        plural = f"{noun[:-1]}ves"
    else:
        plural = f"{noun}{'es' if noun.endswith(('ch', 'sh', 's', 'x')) else 's'}"
    return f"{count:{form}} {noun if count == 1 else plural}"


def listing(words: Sequence[str]) -> str:
    """Words as a list.

    >>> listing(["a", "b", "c"]), listing(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def agent_name(number: int) -> str:
    """Who an agent is, by its number.

    >>> agent_name(0), agent_name(2)
    ('Pacman', 'ghost 2')
    """
    return f"ghost {number}" if number else "Pacman"


def reason_of(error: OSError) -> str:
    """Why the operating system refused something, in its words.

    >>> reason_of(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    return (error.strerror or str(error)).lower()
