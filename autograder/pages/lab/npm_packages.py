"""The two npm packages that the lab needs: gets each of them once, in one version, and keeps it on this machine."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.pages.lab.site import ACE, ACE_FOLDER, PYODIDE
from pacman.core.errors import InputError, reason_of


@dataclass(frozen=True)
class Package:
    """A version of a package. `option` names the folder of another copy; `sha512` is the digest of its archive."""

    name: str
    version: str
    sha512: str
    files: tuple[str, ...]
    option: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


PACKAGES = (
    Package(
        "pyodide",
        "314.0.7",
        "d18bd7c4485f11da4b7dbfd790cd8114078c44eab488c517d9bcf31fda4eb6dc"
        "8c716930abe1db139bb2b860fcd8b37bcb6abe48dbe2ffa579244b0e943d91d4",
        PYODIDE,
        "--pyodide DIR",
    ),
    Package(
        "ace-builds",
        "1.45.2",
        "6b42000da1131819c15b9088927894267ec5f8dc93b8758aaa5bf503c15768c9"
        "857e526c3069d4dd3ce48b2b25227a88677a1d7dc54a39d5c118828179fcc50c",
        tuple(f"{ACE_FOLDER}/{name}" for name in ACE),
        "--ace DIR",
    ),
)
OPTIONS = ("--loglevel=error", "--ignore-scripts", "--fetch-retries=1", "--fetch-retry-mintimeout=1000")


def package_folder(package: Package, kept: Path, tell: Callable[[str], None] = lambda text: None) -> Path:
    """The folder of a package below `kept`. Gets it with npm if it is not there, and first says so.

    InputError, in one line, if npm is missing or does not get it.
    """
    folder = kept / str(package)
    if all((folder / name).is_file() for name in package.files):
        return folder
    instead = f"or unpack this package yourself, and name its folder with {package.option}"
    npm = shutil.which("npm")
    if not npm:
        raise InputError(
            f"the lab needs the npm package {package}, and this machine has no npm: install Node.js; {instead}"
        )
    tell(f"Getting {package} with npm.")
    try:
        kept.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept) as place:
            run = subprocess.run(
                [npm, "pack", *OPTIONS, str(package)],
                cwd=place,
                capture_output=True,
                text=True,
                encoding="utf-8",
                check=False,
            )
            archive = next(Path(place).glob("*.tgz"), None)
            if run.returncode or archive is None:
                why = re.search(r"^npm error (?:code )?(.+)$", run.stderr, re.MULTILINE)
                reason = f" ({why[1].strip()})" if why else ""
                raise InputError(f"npm did not get {package}{reason}: check the network; {instead}")
            if hashlib.sha512(archive.read_bytes()).hexdigest() != package.sha512:
                raise InputError(f"what npm got is not the published {package}; {instead}")
            _unpack(archive, package, Path(place) / "new")
            shutil.rmtree(folder, ignore_errors=True)
            os.replace(Path(place) / "new", folder)
    except OSError as error:
        raise InputError(f"{kept}: cannot be written: {reason_of(error)}; {instead}") from None
    return folder


def _unpack(archive: Path, package: Package, folder: Path) -> None:
    """Writes those files of the package that the lab needs."""
    with tarfile.open(archive) as files:
        for name in package.files:
            content = files.extractfile(f"package/{name}")
            assert content, name
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content.read())
