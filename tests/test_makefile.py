"""`make demo` after a first try that failed: `.venv` is used only if it works. The Pythons are stubs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="this machine has no make")

PYTHON = """\
#!/bin/sh
# A Python, or the one of an environment, that is OLD or has NO_PIP. It says what it is asked to do.
# The submission of the demo is wrong, so its grade ends with status 1.
case "$*" in
-c*pip*) {no_pip} && exit 1; echo has pip; ! {old} ;;
-c*) ! {old} ;;
"-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python; ! {no_pip} ;;
"-m autograder grade"*) echo "$0 $*"; exit 1 ;;
*) echo "$0 $*" ;;
esac
"""


def python(folder: Path, name: str, old: bool = False, no_pip: bool = False) -> Path:
    file = folder / name
    file.write_text(PYTHON.format(old=str(old).lower(), no_pip=str(no_pip).lower()), encoding="utf-8")
    file.chmod(0o755)
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("Makefile", "setup.cfg", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def make(folder: Path, python: Path) -> tuple[int, str]:
    done = subprocess.run(["make", "demo", f"PYTHON={python}"], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_a_good_environment_is_made_once(folder: Path) -> None:
    good = python(folder, "good")
    status, text = make(folder, good)
    assert (status, text.count(f"{good} -m venv .venv"), text.count("pip install")) == (0, 1, 2)
    status, text = make(folder, good)
    assert (status, "venv .venv" in text, "pip install" in text, "-m pacman demo" in text) == (0, False, False, True)


@pytest.mark.parametrize("broken", ["half", "old", "gone"])
def test_an_environment_that_is_half_made_or_whose_python_is_too_old_or_gone_is_made_anew(
    folder: Path, broken: str
) -> None:
    """Half: as without Debian's package python3-venv, which is then installed."""
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/installed").touch()
    if broken == "half":
        shutil.rmtree(folder / ".venv")
        assert make(folder, python(folder, "half", no_pip=True))[0] == 2
        assert (folder / ".venv/bin/python").exists()
    elif broken == "old":
        python(folder / ".venv/bin", "python", old=True)
    else:
        (folder / ".venv/bin/python").symlink_to(folder / "nowhere")
    status, text = make(folder, python(folder, "good"))
    assert (status, "made anew" in text, text.count("pip install")) == (0, True, 2)


def test_a_python_that_is_too_old_is_named_and_makes_nothing(folder: Path) -> None:
    old = python(folder, "old", old=True)
    status, text = make(folder, old)
    assert status == 2
    assert f"{old}: expected Python 3.11 or later; name one: make demo PYTHON=python3.12\n" in text
    assert not (folder / ".venv").exists()
