"""The keys that a person presses in a terminal, with the same names as in the window; and the terminal at a stop."""

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

if sys.platform == "win32":
    import msvcrt
else:
    import termios
    import tty

SECOND_PART = 0.05
"""The seconds to wait for the rest of an escape sequence."""
_SEQUENCE = re.compile(r"\x1b[\[O][^@-~]*(?P<end>[@-~]?)|(?P<char>.)", re.DOTALL)
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_ON_WINDOWS = dict(zip("HPMKGO", _ARROWS, strict=True))
_NAMES = {" ": "space", "\t": "tab", "\r": "return", "\n": "return"}
_NAMES |= {"\x1b": "escape", "\x7f": "backspace", "\b": "backspace"}


class Keys:
    """The keys that somebody types at `source`; without one there are none.

    As a context manager it makes a POSIX terminal give each key at once, and not echo it.
    """

    def __init__(self, source: TextIO | None = None) -> None:
        self.source = source

    def __enter__(self) -> Keys:
        if sys.platform != "win32" and self.source is not None:
            self._before = termios.tcgetattr(self.source)
            tty.setcbreak(self.source)
        return self

    def __exit__(self, *error: object) -> None:
        if sys.platform != "win32" and self.source is not None:
            termios.tcsetattr(self.source, termios.TCSADRAIN, self._before)

    def poll(self) -> list[str]:
        """The names of the keys since the last call; it does not wait."""
        return key_names("".join(self._typed())) if self.source is not None else []

    def _typed(self) -> Iterator[str]:
        if sys.platform == "win32":
            while msvcrt.kbhit():
                char = msvcrt.getwch()
                if char == "\x03":
                    raise KeyboardInterrupt
                yield f"\x1b[{_ON_WINDOWS.get(msvcrt.getwch(), '~')}" if char in "\x00\xe0" else char
        elif self.source is not None:
            part = b""
            # Over a slow line an arrow key can arrive in two parts; the escape key has only one.
            while select.select([self.source], [], [], SECOND_PART if part.endswith((b"\x1b", b"\x1b[")) else 0)[0]:
                part = os.read(self.source.fileno(), 64)
                if not part:
                    break
                yield part.decode("utf-8", "ignore")


def key_names(typed: str) -> list[str]:
    """The names of the keys for a terminal's input. Unknown escape sequences are ignored.

    >>> key_names("w\\x1b[A ?")
    ['w', 'up', 'space', '?']
    """
    sequences = [(each["char"], each["end"]) for each in _SEQUENCE.finditer(typed)]
    names = (_NAMES.get(char, char.lower()) if char else _ARROWS.get(end) for char, end in sequences)
    return [name for name in names if name]


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

    is_main = threading.current_thread() is threading.main_thread()
    handlers = {"SIGTSTP": stop, "SIGTERM": end, "SIGHUP": end} if is_main else {}
    known = {getattr(signal, name): handler for name, handler in handlers.items() if hasattr(signal, name)}
    before = {number: signal.signal(number, handler) for number, handler in known.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
