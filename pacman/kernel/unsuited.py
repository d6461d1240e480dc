"""What the compiled kernel says of what it has no form for."""

from __future__ import annotations

from pacman.core.errors import InputError


class Unsuited(InputError):
    """What the compiled kernel does not take; the text says what, and how much it does."""
