"""Names of assignments, questions and cases, which are also names of files and folders."""

from __future__ import annotations

import re
from pathlib import Path
from unicodedata import normalize

RESERVED = re.compile(r"(con|prn|aux|nul|com[1-9]|lpt[1-9])(\..*)?", re.IGNORECASE)
"""Names that Windows refuses for files."""
SEPARATORS = '/\\:*?"<>|'
MAX_LENGTH = 100


def normal(name: str) -> str:
    """`name` with each accented letter as one character. macOS may store the letter and the accent separately.

    >>> normal("fru\\u0308h") == "fr\\u00fch"
    True
    """
    return normalize("NFC", name)


def layout_path(layout: str, folder: Path) -> Path | None:
    """The file that a case of the assignment in `folder` names as its layout; None for a name and for a drawing.

    >>> layout_path("layouts/mine.lay", Path("week4")).as_posix(), layout_path("nook", Path("week4"))
    ('week4/layouts/mine.lay', None)
    """
    is_file = "\n" not in layout and (layout.endswith(".lay") or "/" in layout or "\\" in layout)
    return folder / layout if is_file else None


def name_problem(name: str) -> str:
    """What is wrong with the name of a file or folder; empty for a name that is safe on every system.

    Letters of any script, digits, spaces and most signs are allowed.

    >>> [name_problem(name) for name in ("Woche 4", "前缀", "a/b", "aux.yaml", "..")]
    ['', '', "contains '/'", 'is reserved by Windows', 'begins with a dot']
    """
    if not name:
        return "is empty"
    if len(name) > MAX_LENGTH:
        return f"is longer than {MAX_LENGTH} characters"
    if not name.isprintable():
        return "contains a character that cannot be printed"
    sign = next((each for each in name if each in SEPARATORS), "")
    if sign:
        return f"contains '{sign}'"
    if name.startswith("."):
        return "begins with a dot"
    if name != name.strip() or name.endswith("."):
        return "begins or ends with a space, or ends with a dot"
    if name.startswith("-"):
        return "begins with '-', which starts an option on a command line"
    return "is reserved by Windows" if RESERVED.fullmatch(name) else ""
