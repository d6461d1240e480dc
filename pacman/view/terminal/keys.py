"""Keys from a terminal, as they are pressed, under the names that the window uses too."""

from __future__ import annotations

import os
import re
import select
import sys
from typing import TextIO

SECOND_PART = 0.05
"""Seconds to wait for the rest of an escape sequence."""
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_WINDOWS_ARROWS = {"H": "up", "P": "down", "M": "right", "K": "left", "G": "home", "O": "end"}
_SEQUENCE = re.compile(r"\x1b[\[O][^@-~]*(?P<end>[@-~]?)|(?P<char>.)", re.DOTALL)
_NAMES = {" ": "space", "\r": "return", "\n": "return", "\x1b": "escape", "\x7f": "backspace", "\b": "backspace"}


class Keys:
    """Where a view's keys come from, while it is entered; these are of nobody."""

    def __enter__(self) -> Keys:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def poll(self) -> list[str]:
        """The names of the keys that were pressed since the last call; it does not wait."""
        return []


def named(typed: str) -> list[str]:
    """The names of the keys behind what a terminal sent. Unknown escape sequences are dropped.

    >>> named("w\\x1b[A ?")
    ['w', 'up', 'space', '?']
    """
    found = []
    for sequence in _SEQUENCE.finditer(typed):
        if sequence["char"]:
            found.append(_NAMES.get(sequence["char"], sequence["char"].lower()))
        elif sequence["end"] in _ARROWS:
            found.append(_ARROWS[sequence["end"]])
    return found


if sys.platform == "win32":
    import msvcrt

    class TerminalKeys(Keys):
        """The keys of a Windows console."""

        def __init__(self, source: TextIO) -> None:
            pass

        def poll(self) -> list[str]:
            found = []
            while msvcrt.kbhit():
                typed = msvcrt.getwch()
                if typed in ("\x00", "\xe0"):
                    arrow = _WINDOWS_ARROWS.get(msvcrt.getwch())
                    found += [arrow] if arrow else []
                elif typed == "\x03":
                    raise KeyboardInterrupt
                else:
                    found += named(typed)
            return found

else:
    import termios
    import tty

    class TerminalKeys(Keys):
        """The keys of a POSIX terminal, which gives them at once and unechoed while this is entered."""

        def __init__(self, source: TextIO) -> None:
            self._source = source.fileno()

        def __enter__(self) -> TerminalKeys:
            self._before = termios.tcgetattr(self._source)
            tty.setcbreak(self._source)
            return self

        def __exit__(self, *error: object) -> None:
            termios.tcsetattr(self._source, termios.TCSADRAIN, self._before)

        def poll(self) -> list[str]:
            typed = ""
            # What begins like an arrow may come in two parts over a slow line; the escape key alone has no second.
            while select.select([self._source], [], [], SECOND_PART if typed.endswith(("\x1b", "\x1b[")) else 0)[0]:
                some = os.read(self._source, 64)
                if not some:
                    break
                typed += some.decode("utf-8", "ignore")
            return named(typed)


def keys_of(source: TextIO) -> Keys:
    """The keys typed at `source`, or none when it is not a terminal."""
    return TerminalKeys(source) if source.isatty() else Keys()
