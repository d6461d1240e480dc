"""What a submission prints in the lab, on its way to the page."""

from __future__ import annotations

import time
from collections.abc import Callable

TEXTS_AT_ONCE = 100
"""So many texts of a call go to the page at once. Those before an endless loop are among them."""
PRINT_SECONDS = 0.05
"""How long later texts wait."""
MOST_PRINTED = 20_000
"""How many characters a message has at most."""


class Printer:
    """A standard output that sends what is written to the page: the first texts at once, later ones together.

    What is printed too fast to be read is counted, and not sent.
    """

    def __init__(self, send: Callable[..., None]) -> None:
        self.send = send
        self.text, self.cut = "", 0
        self.at_once, self.last = TEXTS_AT_ONCE, 0.0

    def write(self, text: str) -> None:
        """Adds a text, and sends it with those before it if it is time to."""
        kept = text[: MOST_PRINTED - len(self.text)]
        self.text += kept
        self.cut += len(text) - len(kept)
        self.at_once -= 1
        if self.at_once >= 0 or time.monotonic() - self.last >= PRINT_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Sends what is not sent yet."""
        if self.text or self.cut:
            text, cut, self.text, self.cut = self.text, self.cut, "", 0
            self.last = time.monotonic()
            self.send("print", text=text, cut=cut)
