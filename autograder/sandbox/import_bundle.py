"""Makes the import bundle: a folder with everything that graded code may import, and nothing more.

It holds copies of the rules and of the agents' base class, but no search and no answers. So graded code needs no access
to the project's own folders, where references and solutions are.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import py_compile
import shutil
import stat
import struct
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from autograder.student_process.allowed_imports import FILES, PACKAGES

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = (
    *(f"{top}/{machine}-linux-gnu" for machine in ("x86_64", "aarch64") for top in ("/lib", "/usr/lib")),
    *("/lib64", "/usr/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"),
)
"""The system's files that a Python needs."""


@cache
def make_import_bundle() -> Path:
    """The bundle's folder. It is made once per process and deleted when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="grade-imports-")).resolve()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    fill_import_bundle(folder)
    return folder


def fill_import_bundle(folder: Path) -> None:
    """Makes the bundle in an empty folder.

    It reads the project's own files and not another bundle: graded code can see when a file of its bundle was read.
    """
    _copy_and_compile(folder, FILES)
    if sys.platform != "win32":
        for place in package_folders():
            (folder / place.name).symlink_to(place)
    make_world_readable(folder)


def _copy_and_compile(folder: Path, patterns: Iterable[str]) -> None:
    """Copies the files that match, and compiles them once for all interpreters that use the bundle."""
    for pattern in patterns:
        for source in ROOT.glob(pattern):
            target = folder / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)  # keeps the date, by which Python checks that the bytecode is current
            if source.suffix == ".py":
                compiled = Path(importlib.util.cache_from_source(str(source)))
                # Always in `__pycache__`, even if this process keeps its bytecode elsewhere: the interpreters that
                # use the bundle do not have this process's settings.
                place = target.parent / "__pycache__" / f"{target.stem}.{sys.implementation.cache_tag}.pyc"
                place.parent.mkdir(exist_ok=True)
                if _is_current(compiled, target):
                    shutil.copyfile(compiled, place)
                else:
                    py_compile.compile(str(target), str(place), doraise=True)


def _is_current(compiled: Path, source: Path) -> bool:
    """True if the bytecode belongs to this Python and to this version of the source.

    Else each interpreter that uses the bundle would compile the source again, because it may not write.
    """
    try:
        with compiled.open("rb") as file:
            header = file.read(16)
    except OSError:
        return False
    facts = source.stat()
    date_and_size = (int(facts.st_mtime) & 0xFFFFFFFF, facts.st_size & 0xFFFFFFFF)
    return header[:8] == importlib.util.MAGIC_NUMBER + bytes(4) and struct.unpack("<II", header[8:]) == date_and_size


@cache
def package_folders() -> tuple[Path, ...]:
    """The folders of the allowed packages, and of the shared libraries that some packages keep next to them."""
    folders = []
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            home = Path(next(iter(spec.submodule_search_locations))).resolve()
            folders += [home, *(place for place in (home.with_name(f"{name}.libs"),) if place.is_dir())]
    return tuple(folders)


def make_world_readable(folder: Path) -> None:
    """Makes a folder and everything in it readable for every user, and writable for its owner only."""
    for place in (folder, *folder.rglob("*")):
        if not place.is_symlink():
            place.chmod(0o755 if place.is_dir() else 0o644)


def make_private(folder: Path, group: int | None = None) -> None:
    """Makes a folder and everything in it accessible for its owner only. A `group` may read it."""
    for place in (folder, *folder.rglob("*")):
        if group is not None:
            os.chown(place, -1, group)
        rights = 0o700 if place.is_dir() else 0o600
        place.chmod(rights | (0 if group is None else (rights & 0o500) >> 3))


@cache
def readable_paths() -> tuple[Path, ...]:
    """The paths that a Python needs: the standard library, shared libraries and the allowed packages."""
    library = Path(sysconfig.get_path("stdlib")).resolve()
    parts = [part for part in library.iterdir() if part.name not in ("site-packages", "dist-packages", "__pycache__")]
    shared = Path(sysconfig.get_config_var("LIBDIR") or Path(sys.base_prefix, "lib")).resolve()
    # Lists the shared libraries one by one, with one mount each, only where the folder holds other files too.
    libraries = () if any(shared.is_relative_to(place) for place in SYSTEM) else shared.glob("*.so*")
    return tuple(path for path in (*parts, *libraries, *map(Path, SYSTEM), *package_folders()) if path.exists())


def interpreter() -> Path:
    """The file of the running Python interpreter, not the link to it in a virtual environment."""
    return Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()


def is_world_readable(path: Path) -> bool:
    """True if every user can read `path` and can enter all folders above it."""
    path = path.resolve()
    try:
        can_enter = all(os.stat(folder).st_mode & stat.S_IXOTH for folder in path.parents)
        return can_enter and bool(os.stat(path).st_mode & stat.S_IROTH)
    except OSError:
        return False
