"""Creates files that only their owner can read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO, Literal


def open_private(path: Path, mode: Literal["wb", "xb"]) -> BinaryIO:
    """The file at `path`, opened for writing. A new file has the rights 0600; an old one keeps its rights."""
    return open(path, mode, opener=lambda name, flags: os.open(name, flags, 0o600))
