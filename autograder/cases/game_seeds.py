"""The seeds of the games in a match: from the file of the case for practice, from a secret key for games that count.

Everybody can compute a practice seed, and so foretell the ghosts of a practice game. Nobody can do so without the key.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from autograder.cases.case import Case, MatchInput
from pacman.core.errors import InputError, reason_of
from pacman.core.files import read_bytes

KEY_BYTES = 32
MAX_FILE = 1_000  # bytes of a key's file: more than an editor adds to the digits

GameSeed = Callable[[Case, int], int]
"""The seed of one game, from its case and its number."""


def practice_seed(case: Case, number: int) -> int:
    """The seed of a practice game. It depends only on the file of the case."""
    assert isinstance(case.input, MatchInput)
    return 1000 * case.input.seed + number


@dataclass(frozen=True)
class GameKey:
    """The secret of a course, from which the seeds of the games that count are computed."""

    secret: bytes = field(repr=False)

    @classmethod
    def new(cls) -> GameKey:
        """A new random key."""
        return cls(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def load(cls, path: Path) -> GameKey:
        """The key in a file; InputError if the file cannot be read or is not a key."""
        try:
            content = read_bytes(path, MAX_FILE).strip()
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {reason_of(error)}") from None
        if not re.fullmatch(rb"[0-9a-fA-F]{%d}" % (2 * KEY_BYTES), content):
            raise InputError(f"{path}: not a key; expected one line of {2 * KEY_BYTES} hexadecimal digits")
        return cls(bytes.fromhex(content.decode("ascii")))

    @property
    def text(self) -> str:
        """The content of the key's file."""
        return f"{self.secret.hex()}\n"

    @property
    def digest(self) -> str:
        """The SHA-256 of the key. It tells two keys apart, and does not give the key away."""
        return hashlib.sha256(self.secret).hexdigest()

    def draw(self, name: str) -> Random:
        """Random numbers that depend only on the key and on this name."""
        return Random(
            int.from_bytes(hmac.digest(self.secret, f"draw {name}".encode("utf-8", "surrogatepass"), "sha256"))
        )

    def seeds(self, submission: str) -> GameSeed:
        """The seeds for the submission with this digest: 256 bits each, by HMAC-SHA256."""

        def seed(case: Case, number: int) -> int:
            message = f"{submission} {number} {case.id}".encode("utf-8", "surrogatepass")
            return int.from_bytes(hmac.digest(self.secret, message, "sha256"))

        return seed
