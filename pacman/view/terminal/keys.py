"""The keys that a person presses in a terminal, with the same names as in the window."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

SECOND_PART = 0.05
"""The seconds to wait for the rest of an escape sequence."""
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_WINDOWS_ARROWS = {"H": "up", "P": "down", "M": "right", "K": "left", "G": "home", "O": "end"}
_SEQUENCE = re.compile(r"\x1b[\[O][^@-~]*(?P<end>[@-~]?)|(?P<char>.)", re.DOTALL)
_NAMES = {
    " ": "space",
    "\t": "tab",
    "\r": "return",
    "\n": "return",
    "\x1b": "escape",
    "\x7f": "backspace",
    "\b": "backspace",
}


class Keys:
    """The source of a view's keys, as a context manager. This one has no keys."""

    def __enter__(self) -> Keys:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def poll(self) -> list[str]:
        """The names of the keys since the last call; it does not wait."""
        return []


def key_names(typed: str) -> list[str]:
    """The names of the keys for a terminal's input. Unknown escape sequences are ignored.

    >>> key_names("w\\x1b[A ?")
    ['w', 'up', 'space', '?']
    """
    names = []
    for sequence in _SEQUENCE.finditer(typed):
        if sequence["char"]:
            names.append(_NAMES.get(sequence["char"], sequence["char"].lower()))
        elif sequence["end"] in _ARROWS:
            names.append(_ARROWS[sequence["end"]])
    return names


if sys.platform == "win32":
    import msvcrt

    class TerminalKeys(Keys):
        """The keys of a Windows console."""

        def __init__(self, source: TextIO) -> None:
            pass

        def poll(self) -> list[str]:
            names = []
            while msvcrt.kbhit():
                typed = msvcrt.getwch()
                if typed in ("\x00", "\xe0"):
                    arrow = _WINDOWS_ARROWS.get(msvcrt.getwch())
                    names += [arrow] if arrow else []
                elif typed == "\x03":
                    raise KeyboardInterrupt
                else:
                    names += key_names(typed)
            return names

else:
    import termios
    import tty

    class TerminalKeys(Keys):
        """The keys of a POSIX terminal. In this context the terminal gives each key at once and does not echo it."""

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
            # Over a slow line an arrow key can arrive in two parts; the escape key has only one.
            while select.select([self._source], [], [], SECOND_PART if typed.endswith(("\x1b", "\x1b[")) else 0)[0]:
                part = os.read(self._source, 64)
                if not part:
                    break
                typed += part.decode("utf-8", "ignore")
            return key_names(typed)


@contextmanager
def signals_in_order(leave: Callable[[], None], come_back: Callable[[], None]) -> Iterator[None]:
    """Inside, a stop (Ctrl-Z) calls `leave` before and `come_back` after it, and SIGTERM and SIGHUP raise SystemExit.

    So the terminal is left as it was. Does nothing outside the main thread, and on a system without these signals.
    """

    def stop(number: int, frame: object) -> None:
        leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, stop)  # here the process goes on
        come_back()

    def end(number: int, frame: object) -> None:
        sys.exit(128 + number)

    handlers = {"SIGTSTP": stop, "SIGTERM": end, "SIGHUP": end}
    known = {getattr(signal, name): handler for name, handler in handlers.items() if hasattr(signal, name)}
    if threading.current_thread() is not threading.main_thread():
        known = {}
    before = {number: signal.signal(number, handler) for number, handler in known.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def open_keys(source: TextIO) -> Keys:
    """The keys of `source`; no keys if it is not a terminal."""
    return TerminalKeys(source) if source.isatty() else Keys()
