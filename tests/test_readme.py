"""The README: every command that it shows is run, and what it prints is what it says.

UPDATE_README=1 writes the outputs anew; read the difference.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
CONSOLES = re.findall(r"```console\n(.*?)```", TEXT, re.S)
SCRIPTS = [line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.S) for line in block.splitlines()]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the README's commands are a POSIX shell's")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like the checkout, in which commands may leave files."""
    made = tmp_path_factory.mktemp("readme")
    for name in ("agents", "docs"):
        shutil.copytree(ROOT / name, made / name)
    return made


def run(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    settings = {"PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "PATH": paths}
    return subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, **settings, **environment}, capture_output=True, text=True,
        encoding="utf-8", timeout=120,
    )  # fmt: skip


def plain(text: str) -> str:
    """Text without what differs from run to run and from machine to machine: times, and the level of the sandbox."""
    text = re.sub(r"\d+(\.\d+)? (ms|s)\b", "N s", text)
    text = re.sub(r"sandbox: .*;", "sandbox: ...;", text)
    return re.sub(r'("seconds": \[)[^\]]*', r"\1...", text)


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output below it."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


@pytest.mark.parametrize("number", range(len(CONSOLES)))
def test_what_a_console_shows_is_what_comes(number: int, folder: Path) -> None:
    shown = ""
    for command, output in commands(CONSOLES[number]):
        done = run(command, folder)
        got = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines())
        got = got + "\n" if got else ""
        shown += f"$ {command}\n{got}"
        if not os.environ.get("UPDATE_README"):
            assert plain(got) == plain(output), command
    if os.environ.get("UPDATE_README"):
        README.write_text(README.read_text(encoding="utf-8").replace(CONSOLES[number], shown), encoding="utf-8")


@pytest.mark.parametrize("line", SCRIPTS)
def test_what_a_script_shows_runs(line: str, folder: Path) -> None:
    """Games in a window are drawn without a screen, fast, and cut short."""
    command = line.partition("#")[0].strip()
    done = run(f"{command} --speed 1000 --max-plies 12 --no-hold", folder, SDL_VIDEODRIVER="dummy")
    assert done.returncode == 0, done.stderr
    assert "score" in done.stdout


def test_the_demo_leaves_a_picture_where_there_is_no_display(tmp_path: Path) -> None:
    done = run("env -u SDL_VIDEODRIVER -u DISPLAY -u WAYLAND_DISPLAY python -m pacman demo", tmp_path)
    assert done.returncode == 0, done.stderr
    assert str(tmp_path / "demo.gif") in done.stdout.replace("\n", "")
    assert (tmp_path / "demo.gif").read_bytes()[:4] == b"GIF8"


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target
