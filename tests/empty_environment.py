"""An empty environment for a test that installs something. A test has no network, so it borrows the dependencies."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
INSTALL = ["install", "--quiet", "--no-deps", "--no-index"]


def make_environment(home: Path) -> Path:
    """A new environment in the folder `home`; returns its interpreter, which finds the packages of this one too.

    Without pip, which is missing where `uv` made the environment of the tests, the test is skipped.
    """
    pytest.importorskip("pip", reason="this environment has no pip")
    venv.create(home, with_pip=False)
    interpreter = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    done = subprocess.run([str(interpreter), "-c", code], capture_output=True, text=True, check=True)
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(done.stdout.strip()) / "dependencies.pth").write_text("\n".join(sorted(folders)), encoding="utf-8")
    return interpreter


def install(interpreter: Path, *what: str, folder: Path | None = None) -> None:
    """Runs `pip install` for this interpreter, in a folder."""
    subprocess.run([*PIP, "--python", str(interpreter), *INSTALL, *what], check=True, cwd=folder)


def environment(**variables: str) -> dict[str, str]:
    """The variables of this process, but without the path of the checkout."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | variables
