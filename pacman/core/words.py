"""Small words that many texts need: counts, lists, who an agent is, why the operating system refused something."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, noun: str) -> str:
    """A count with its noun in the singular or the plural.

    >>> counted(1, "ply"), counted(2, "ply"), counted(2, "key"), counted(2, "branch"), counted(1234, "leaf")
    ('1 ply', '2 plies', '2 keys', '2 branches', '1,234 leaves')
    """
    if noun.endswith("y") and noun[-2] not in "aeiou":
        plural = f"{noun[:-1]}ies"
    elif noun.endswith("f"):
        plural = f"{noun[:-1]}ves"
    else:
        plural = f"{noun}{'es' if noun.endswith(('ch', 'sh', 's', 'x')) else 's'}"
    return f"{count:,} {noun if count == 1 else plural}"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """The parts as one phrase; "none" if there is none.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], "or"), listed(["a"])
    ('a, b and c', 'a or b', 'a')
    """
    *most, last = parts or ("none",)
    return f"{', '.join(most)} {word} {last}" if most else last


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
