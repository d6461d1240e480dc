"""Compiles functions with numba and stores the machine code on disk. No other file imports numba."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from pacman import environment

F = TypeVar("F", bound=Callable[..., Any])


def _import_numba() -> Any:
    """Numba, which has no types for the functions that we use, and which reads no file of the current folder.

    It would read its settings there, from `.numba_config.yaml`: at the import and again each time when it compiles. For
    that it keeps the module `yaml` that it finds at its import: here one that finds no settings.
    """
    reader, other = ModuleType("yaml"), sys.modules.get("yaml")
    reader.safe_load = lambda file: None  # type: ignore[attr-defined]
    sys.modules["yaml"] = reader
    try:
        import numba  # type: ignore[import-untyped, import-not-found, unused-ignore]
    finally:
        del sys.modules["yaml"]
        if other is not None:
            sys.modules["yaml"] = other
    return numba


numba = _import_numba()

HERE = Path(__file__).parent


def compiled(function: F) -> F:
    """Return `function` as machine code, which is compiled at the first call or read from the disk.

    Numba's reference counts are off, because they took nine tenths of the time; so the function must not make arrays.
    `fastmath` is off, so sums keep their order and the values agree with the Python search to the last bit.
    """
    return _dispatcher(function, inline="never")


def inlined(function: F) -> F:
    """Return `function` for use in compiled functions; the compiler copies its body into each caller."""
    return _dispatcher(function, inline="always")


def _dispatcher(function: F, **options: Any) -> F:
    folder = cache_folder()
    is_cached = folder is not None
    old_folder = numba.config.CACHE_DIR
    # Numba chooses the folder when it decorates the function, so our folder is set only for this call.
    numba.config.CACHE_DIR = str(folder or "")
    try:
        dispatcher: F = numba.njit(cache=is_cached, nogil=True, error_model="numpy", _nrt=False, **options)(function)
    finally:
        numba.config.CACHE_DIR = old_folder
    return dispatcher


@cache
def cache_folder() -> Path | None:
    """The folder for machine code: next to the sources, or else in the user's cache; None if neither is writable.

    Its name is the digest of all source files of this package. Numba itself checks only the file of the function; it
    would use old machine code after a change in another file whose functions it calls.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for file in sorted(HERE.glob("*.py")):
        digest.update(file.read_bytes())
    for root in filter(None, (HERE / "__pycache__", environment.cache_folder())):
        folder = root / f"compiled-{digest.hexdigest()[:16]}"
        try:
            if not folder.is_dir():
                folder.mkdir(parents=True)
                _remove_old_code(root, folder)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def _remove_old_code(root: Path, current: Path) -> None:
    """Removes the machine code of older sources. A process that still needs it compiles it again."""
    for folder in root.glob("compiled-*"):
        if folder != current:
            shutil.rmtree(folder, ignore_errors=True)


def is_on_disk(function: str) -> bool:
    """True if there is machine code of a function, named as "searches.star1", so that its first call starts at once."""
    folder = cache_folder()
    return folder is not None and any(folder.rglob(f"{function}-*.nbi"))
