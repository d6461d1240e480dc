"""The one file that imports numba: a function compiled, and its machine code kept on disk where that is possible."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba as _numba  # type: ignore[import-untyped, import-not-found, unused-ignore]

F = TypeVar("F", bound=Callable[..., Any])

numba: Any = _numba  # typed in part only, and not where we need it

HERE = Path(__file__).parent


def compiled(function: F) -> F:
    """`function` as machine code, made when it is first called, or read back from the disk.

    Without numba's reference counts, which took nine tenths of the time: so nothing in it may make an array.
    No `fastmath`: sums are added up as they are written, so values agree with the readable search to the last bit.
    """
    return _dispatcher(function, inline="never")


def folded(function: F) -> F:
    """`function` for others that are compiled: its steps are written into theirs."""
    return _dispatcher(function, inline="always")


def _dispatcher(function: F, **options: Any) -> F:
    folder = store()
    before = numba.config.CACHE_DIR
    # numba chooses a function's folder while it decorates it: ours is set for that moment alone.
    numba.config.CACHE_DIR = str(folder or "")
    try:
        made: F = numba.njit(cache=folder is not None, nogil=True, error_model="numpy", _nrt=False, **options)(function)
    finally:
        numba.config.CACHE_DIR = before
    return made


@cache
def store() -> Path | None:
    """The folder of the compiled code: beside the sources, else the user's own; None where neither can be written.

    Its name is the digest of every source file here: numba looks only at the file of the function itself, and would
    go on using code compiled from an older version of a file that it calls into.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for file in sorted(HERE.glob("*.py")):
        digest.update(file.read_bytes())
    for root in (HERE / "__pycache__", _user_folder()):
        folder = root / f"compiled-{digest.hexdigest()[:16]}"
        try:
            if not folder.is_dir():
                folder.mkdir(parents=True)
                _forget(root, folder)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def _forget(root: Path, kept: Path) -> None:
    """Removes what was compiled from older sources. A process that still uses it compiles again, no more."""
    for folder in root.glob("compiled-*"):
        if folder != kept:
            shutil.rmtree(folder, ignore_errors=True)


def is_warm(function: str) -> bool:
    """True when the machine code of `pacman.kernel.FUNCTION` is on the disk: a first use need not wait for it."""
    folder = store()
    return folder is not None and any(folder.rglob(f"{function}-*.nbi"))


def _user_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "pacman-search"
