"""Errors about a user's mistake, and the phrases of messages: a value, an error, a near name, a count, a list.

The message of an error is one line: where the mistake is, what is wrong, what was expected.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType

HIDDEN = "\N{REPLACEMENT CHARACTER}"
"""Replaces each character that is not visible: control, direction, surrogate, private-use and unassigned ones."""
MOST_CODE = 100
"""The most characters of a line of code in a message."""
MOST_NAMES = 24
"""The most names that a message lists."""


class InputError(ValueError):
    """A mistake in a user's input. The message is one line for this user."""


class NotPython(InputError):
    """A file that is not valid Python. `code` shows the place in two lines: the line of code, and a caret below it."""

    def __init__(self, message: str, code: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.code = code


def not_python(where: str, problem: str, text: str = "", offset: int = 0) -> NotPython:
    """The error for a file. `offset` is the column in the line `text`, from 1; without a text, it shows no line.

    >>> not_python("my.py:1", "expected ':'", "if x", 5), not_python("my.py:1", "expected ':'", "if x", 5).code
    (NotPython("my.py:1: not valid Python: expected ':'"), ('    if x', '        ^'))
    >>> not_python("my.py:3", "(unicode error) 'utf-8' codec can't decode byte 0xf6 in position 1", "x = 'G?del'", 3)
    NotPython('my.py:3: not valid Python: this line is not UTF-8; save the file as UTF-8')
    """
    if "null bytes" in problem:
        problem = "the file has zero bytes, as a file in UTF-16 has; save it as UTF-8"
    if "'utf-8' codec can't decode" in problem:
        problem, text = "this line is not UTF-8; save the file as UTF-8", ""
    line = printable(text.rstrip())
    start = max(len(line) - len(line.lstrip()), offset - MOST_CODE)
    part = line[start : start + MOST_CODE]
    has_place = part and 0 < offset <= start + len(part) + 1
    caret = f"    {' ' * max(offset - 1 - start, 0)}^" if has_place else ""
    return NotPython(f"{where}: not valid Python: {problem}", tuple(filter(None, (part and f"    {part}", caret))))


def syntax_error(file: object, error: SyntaxError) -> NotPython:
    """The same for an error that Python found in a file."""
    where = f"{file}:{error.lineno}" if error.lineno else str(file)
    return not_python(where, error.msg, error.text or "", error.offset or 0)


class NotWritten(Exception):
    """The student has not written this part of an assignment yet; the text names the part."""

    def __init__(self, part: str) -> None:
        super().__init__(f"{part} is not written yet")
        self.part = part


class WrongReturn(TypeError):
    """A method returned, or a class has, something else than expected. `function` is the student's, if known."""

    def __init__(self, text: str, function: object) -> None:
        super().__init__(text)
        self.function = function


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


def line_of(step: TracebackType) -> int:
    """The line of a step of a traceback. A jump has none (None, or -1 in older releases of Python): the one before."""
    code = step.tb_frame.f_code
    before = (line for start, _, line in code.co_lines() if line and start <= step.tb_lasti)
    return step.tb_lineno if (step.tb_lineno or -1) > 0 else [code.co_firstlineno, *before][-1]


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
    line = re.sub(r" at 0x[0-9a-fA-F]+(?=>)", "", text[: 4 * limit])[: 2 * limit]  # it differs in each run
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
    """The end of a message about an unknown name: the most similar known name, or a list of known names.

    Capital letters do not make names different; NAME stands for the only name that begins with "NAME-".

    >>> nearest("minmax", ["minimax", "expectimax"])
    "did you mean 'minimax'?"
    >>> nearest("zzz", ["minimax", "expectimax"])
    'known: expectimax, minimax'
    >>> nearest("Q2", ["q1", "q2"]), nearest("01", ["01-figure", "02-ties"])
    ("did you mean 'q2'?", "did you mean '01-figure'?")
    """
    names = sorted(set(known))
    same = [each for each in names if each.lower() == name.lower()]
    longer_names = [each for each in names if name and each.startswith(f"{name}-")]
    close = same or difflib.get_close_matches(name, names, n=1) or (longer_names if len(longer_names) == 1 else [])
    if close:
        return f"did you mean '{close[0]}'?"
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES + 1 else ""
    sign = "; " if any("," in each for each in names) else ", "
    return "known: " + (sign.join(names[:MOST_NAMES] if more else names) or "none") + more


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
