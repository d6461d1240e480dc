"""A folder with what graded code may import, and nothing else: the rules and the agents' base, no search, no answers.

A copy, so that the folders where the project lies, with its references and solutions, need not be readable.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import py_compile
import shutil
import stat
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from autograder.student_process.allowed_imports import FILES, PACKAGES, UNDER_EVALUATIONS

ROOT = Path(__file__).resolve().parents[2]


@cache
def make_import_bundle() -> Path:
    """The folder, made once a process and removed at its end."""
    folder = Path(tempfile.mkdtemp(prefix="grade-kit-")).resolve()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _fill(folder, FILES)
    if sys.platform != "win32":
        for place in package_places():
            (folder / place.name).symlink_to(place)
    open_to_all(folder)
    return folder


@cache
def under(role: str) -> dict[str, str]:
    """Name -> text of the modules that a process gets by word of mouth, because its part is put under them."""
    if role != "evaluation":
        return {}
    return {name: (ROOT / (name.replace(".", "/") + ".py")).read_text(encoding="utf-8") for name in UNDER_EVALUATIONS}


def _fill(folder: Path, patterns: Iterable[str]) -> None:
    """Copies the files, and compiles them once for all interpreters that will start from here."""
    for pattern in patterns:
        for source in ROOT.glob(pattern):
            target = folder / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)  # with its date, by which what was compiled is known to fit
            if source.suffix == ".py":
                compiled = Path(importlib.util.cache_from_source(str(source)))
                # Beside it, wherever this process keeps its own: the interpreters in there start without our settings.
                place = target.parent / "__pycache__" / f"{target.stem}.{sys.implementation.cache_tag}.pyc"
                place.parent.mkdir(exist_ok=True)
                if compiled.is_file():
                    shutil.copyfile(compiled, place)
                else:
                    py_compile.compile(str(target), str(place), doraise=True)


@cache
def package_places() -> tuple[Path, ...]:
    """Where the allowed packages lie, with the libraries that some keep beside them."""
    found = []
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            home = Path(next(iter(spec.submodule_search_locations))).resolve()
            found += [home, *(place for place in (home.with_name(f"{name}.libs"),) if place.is_dir())]
    return tuple(found)


def open_to_all(folder: Path) -> None:
    """Makes a folder and all in it readable for every user, and writable for none but its owner."""
    for place in (folder, *folder.rglob("*")):
        if not place.is_symlink():
            place.chmod(0o755 if place.is_dir() else 0o644)


@cache
def readable() -> tuple[Path, ...]:
    """What a Python needs to run: its library without installed packages, shared libraries, the allowed packages."""
    library = Path(sysconfig.get_path("stdlib")).resolve()
    parts = [part for part in library.iterdir() if part.name not in ("site-packages", "dist-packages", "__pycache__")]
    shared = Path(sysconfig.get_config_var("LIBDIR") or Path(sys.base_prefix, "lib")).resolve()
    # One by one only where the folder holds more than libraries: each is a mount of its own.
    beside = () if any(shared.is_relative_to(place) for place in SYSTEM) else shared.glob("*.so*")
    return tuple(path for path in (*parts, *beside, *map(Path, SYSTEM), *package_places()) if path.exists())


def python() -> Path:
    """The interpreter itself, and not a virtual environment's link to it."""
    return Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()


SYSTEM = (
    *(f"{top}/{machine}-linux-gnu" for machine in ("x86_64", "aarch64") for top in ("/lib", "/usr/lib")),
    *("/lib64", "/usr/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"),
)


def is_open_to_all(path: Path) -> bool:
    """Whether any user may read `path`: all folders above can be passed through, and it can be read itself."""
    path = path.resolve()
    try:
        passed = all(os.stat(folder).st_mode & stat.S_IXOTH for folder in path.parents)
        return passed and bool(os.stat(path).st_mode & stat.S_IROTH)
    except OSError:
        return False
