"""What a student controls, made harmless: first clean, short text; then the escape of the format that it goes into.

Nothing here trusts that a scorecard was cleaned before: it may come out of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from autograder.judge.scorecard import CaseScore
from pacman.core.errors import printable

T = TypeVar("T")
MAX_LINE = 300
MAX_LINES = 60
# Whatever some dialect takes for markup. As entities they mean themselves in every dialect; a backslash does not.
_MARKUP = re.compile(r"[\\`*_{}\[\]<>#&|~$@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
_NAMED = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def line(text: object, cap: int = MAX_LINE) -> str:
    """`text` as one line of visible characters; what is beyond `cap` of them is cut, and counted.

    >>> line("a\\tb\\x1b[2J\\u202e"), line("x" * 30, cap=10)
    ('a b�[2J�', 'xxxxxxxxxx... (20 more characters)')
    """
    said = str(text)
    return printable(said[:cap]) + (f"... ({len(said) - cap} more characters)" if len(said) > cap else "")


def lines(text: str | Iterable[str], cap: int = MAX_LINES) -> list[str]:
    """A text, or its lines, as clean lines; what is beyond `cap` of them is cut, and counted.

    >>> lines("a\\n\\tb\\nc\\nd", cap=2)
    ['a', '    b', '... (2 more lines)']
    """
    whole = text if isinstance(text, str) else "\n".join(text)
    said = whole.splitlines()
    more = [f"... ({len(said) - cap} more lines)"] if len(said) > cap else []
    return [line(each.expandtabs(4)) for each in said[:cap]] + more


def cleaned(card: T) -> T:
    """A scorecard, or a part of one, with clean text all over; only what was printed keeps its lines."""
    if isinstance(card, str):
        return line(card)  # type: ignore[return-value]
    if isinstance(card, tuple):
        return tuple(map(cleaned, card))  # type: ignore[return-value]
    if not is_dataclass(card) or isinstance(card, type):
        return card
    said = {each.name: cleaned(getattr(card, each.name)) for each in fields(card)}
    if isinstance(card, CaseScore):
        said["output"] = "\n".join(lines(card.output))
    return replace(card, **said)


def prose(text: object) -> str:
    """`text` as Markdown that is nothing but words: no markup, link or HTML.

    >>> prose("a < b"), prose("[x](http://y)")
    ('a &lt; b', '&#91;x&#93;(http&#58;//y)')
    """
    return _MARKUP.sub(_entity, line(text))


def code(text: object) -> str:
    """`text` as a Markdown code span.

    >>> print(code("a < b"), code("a`b"))
    `a < b` ``a`b``
    """
    said = line(text).strip() or "-"
    fence = "`" * (1 + max(map(len, re.findall("`+", said)), default=0))
    gap = " " if said[0] == "`" or said[-1] == "`" else ""
    return f"{fence}{gap}{said}{gap}{fence}"


def row(*cells: str) -> str:
    """A row of a Markdown table, of cells that are Markdown already.

    >>> print(row("q1", code("x|y")))
    | q1 | `x\\|y` |
    """
    kept = " | ".join(each.replace("|", r"\|") for each in cells)
    return f"| {kept} |"


def block(text: str | Iterable[str]) -> str:
    """`text` as a Markdown code block: indented, since nothing inside can end that."""
    return "\n".join(f"    {each}".rstrip() for each in lines(text))


def _entity(found: re.Match[str]) -> str:
    return _NAMED.get(found[0], f"&#{ord(found[0])};")
