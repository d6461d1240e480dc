"""What graded code can read of this machine: the parts of Python that it needs, and its own files.

It can read no file of this project: its process has imported those before the walls close.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import sysconfig
from functools import cache
from pathlib import Path

from autograder.shipped import ROOT
from autograder.student_process.allowed_imports import PACKAGES

SYSTEM = (
    *(f"{top}/{machine}-linux-gnu" for machine in ("x86_64", "aarch64") for top in ("/lib", "/usr/lib")),
    *("/lib64", "/usr/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"),
)
"""The system's files that a Python needs."""
NOT_READABLE = ("site-packages", "dist-packages", "config-*", "test", "idlelib", "lib2to3", "ensurepip")
"""Parts of the standard library that graded code cannot read: installed packages, and what nothing imports."""
MOST_MB_IN_MEMORY = 512


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


def give_rights(folder: Path, rights: int = 0o700, group: int | None = None) -> None:
    """Gives a folder and all folders in it these rights, and the files the same ones, but nobody can execute them.

    The default is: for the owner only. With a `group`, it all belongs to that group.
    """
    for place in (folder, *folder.rglob("*")):
        if group is not None:
            os.chown(place, -1, group)
        place.chmod(rights if place.is_dir() else rights & 0o666)


@cache
def readable_paths() -> tuple[Path, ...]:
    """The paths that a Python needs: the standard library, shared libraries and the allowed packages.

    None with this project in it. Where a Python needs such a path, it does not start behind the wall.
    """
    library = Path(sysconfig.get_path("stdlib")).resolve()
    hidden = {place for name in (*NOT_READABLE, "__pycache__") for place in library.glob(name)}
    parts = [part for part in library.iterdir() if part not in hidden]
    zipped = "python{}{}.zip".format(*sys.version_info)
    parts += [place for place in map(Path, sys.path) if place.name in ("lib-dynload", zipped) and place not in parts]
    paths = (*parts, *package_folders(), *_shared_libraries(), *map(Path, SYSTEM))
    return tuple(path for path in paths if os.path.exists(path) and not ROOT.is_relative_to(path.resolve()))


@cache
def read_into_memory() -> None:
    """Has the kernel read what graded code can read, once per process: at most MOST_MB_IN_MEMORY, the system's last.

    Graded code can measure which pages of a file are in memory already, so which ones earlier code has read.
    """
    if sys.platform != "linux":
        return
    left = MOST_MB_IN_MEMORY << 20
    for place in dict.fromkeys(path.resolve() for path in (*readable_paths(), interpreter())):
        inside = (os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names)
        for file in [str(place)] if place.is_file() else inside:
            if left <= 0:
                return
            left -= _read_ahead(file)


def _read_ahead(file: str) -> int:
    """Has the kernel read a file. Returns its size, or 0 if it cannot be read or is a link."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return 0
    try:
        with contextlib.suppress(OSError):  # a pipe
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_WILLNEED)
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


def _shared_libraries() -> list[Path]:
    """The shared libraries that this Python has outside the folders of the system, one by one.

    They are in the folder that Python was built for (LIBDIR). A Python that was copied has them in its folder `lib`, or
    next to the libpython that this process has loaded.
    """
    library = Path(sysconfig.get_config_var("LIBDIR") or "lib")
    folders = {library if library.is_relative_to(sys.base_prefix) else Path(sys.base_prefix, "lib")}
    with contextlib.suppress(OSError), open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        folders |= {Path(line[line.index("/") :]).parent for line in maps if "/libpython" in line}
    own = {folder.resolve() for folder in folders}
    own = {folder for folder in own if not any(folder.is_relative_to(place) for place in SYSTEM)}
    return sorted(file for folder in own if os.access(folder, os.R_OK | os.X_OK) for file in folder.glob("*.so*"))


def interpreter() -> Path:
    """The file of the running Python interpreter, not the link to it in a virtual environment."""
    return Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()
