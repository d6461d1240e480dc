"""Makes text from a submission harmless: first as short, visible text, then escaped for the report's format.

Nothing here assumes that a scorecard is already clean: it may come from a file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from pacman.core.errors import counted, printable

MAX_LINE = 300
MAX_LINES = 60
# Every character that some Markdown dialect reads as markup. An entity is plain text in every dialect; a backslash
# escape is not.
_MARKUP = re.compile(r"[\\`*_{}\[\]<>#&|~$@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
_ADDRESS = re.compile(r"(?<=[\w.+-])&#64;(?=\w)")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_NAMED = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def line(text: object, cap: int = MAX_LINE) -> str:
    """`text` as one line of at most `cap` visible characters; the rest is cut and counted.

    >>> line("a\\tb\\x1b[2J\\u202e"), line("x" * 30, cap=10)
    ('a b�[2J�', 'xxxxxxxxxx... (20 more characters)')
    """
    whole = str(text)
    return printable(whole[:cap]) + (f"... ({counted(len(whole) - cap, 'more character')})" if len(whole) > cap else "")


def lines(text: str | Iterable[str], cap: int = MAX_LINES) -> list[str]:
    """A text, or its lines, as at most `cap` clean lines; the rest is cut and counted.

    >>> lines("a\\n\\tb\\nc\\nd", cap=2)
    ['a', '    b', '... (2 more lines)']
    """
    whole = text if isinstance(text, str) else "\n".join(text)
    rows = whole.splitlines()
    more = [f"... ({counted(len(rows) - cap, 'more line')})"] if len(rows) > cap else []
    return [line(each.expandtabs(4)) for each in rows[:cap]] + more


def json_text(values: object, indent: int | None = None, is_ascii: bool = True) -> str:
    """Plain values as JSON that is safe in any page or log: ASCII, without angle brackets and ampersands.

    Without `is_ascii` it is shorter, and as safe in a page: only visible characters are written as they are.

    >>> json_text({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    separators = None if indent else (",", ":")
    text = json.dumps(values, indent=indent, separators=separators, ensure_ascii=is_ascii, allow_nan=False)
    text = _NOT_ASCII.sub(lambda each: each[0] if each[0].isprintable() else json.dumps(each[0])[1:-1], text)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def prose(text: object) -> str:
    """`text` as Markdown without any markup, link or HTML.

    Some dialects look for addresses after they have read entities. So an invisible sign stands in each address.

    >>> prose("a < b"), prose("[x](http://y)"), prose("a@b.org")
    ('a &lt; b', '&#91;x&#93;(http&#58;//y)', 'a&#64;&#8203;b.org')
    """
    entities = _MARKUP.sub(lambda sign: _NAMED.get(sign[0], f"&#{ord(sign[0])};"), line(text))
    return _ADDRESS.sub("&#64;&#8203;", entities)


def code(text: object) -> str:
    """`text` as a Markdown code span.

    >>> print(code("a < b"), code("a`b"))
    `a < b` ``a`b``
    """
    content = line(text).strip() or "-"
    fence = "`" * (1 + max(map(len, re.findall("`+", content)), default=0))
    gap = " " if content[0] == "`" or content[-1] == "`" else ""
    return f"{fence}{gap}{content}{gap}{fence}"


def row(*cells: str) -> str:
    """A row of a Markdown table; the cells must already be Markdown.

    >>> print(row("q1", code("x|y")))
    | q1 | `x\\|y` |
    """
    text = " | ".join(each.replace("|", r"\|") for each in cells)
    return f"| {text} |"


def block(text: str | Iterable[str]) -> str:
    """`text` as a Markdown code block. It is indented, because no text inside can end such a block."""
    return "\n".join(f"    {each}".rstrip() for each in lines(text))
