"""`python -m autograder lab` in one command: gets two packages with npm, serves the site, opens the browser."""

from __future__ import annotations

import hashlib
import shutil
import signal
import socket
import subprocess
import tarfile
import tempfile
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from autograder.commands import lab as command
from autograder.commands.shared import kit_check
from autograder.pages.lab import npm_packages, site
from autograder.pages.lab.npm_packages import PACKAGES, Package, package_folder
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.paths import ROOT

PYODIDE = PACKAGES[0]


class Npm:
    """Stands in for npm: writes an archive with the files of a package, or fails with `error`."""

    def __init__(self, error: str = "") -> None:
        self.error, self.calls, self.archive = error, list[list[str]](), b""

    def make(self, package: Package, folder: Path) -> Package:
        """The archive of a package; the package with the digest of this archive."""
        content = folder / "content" / package.name / "package"
        for name in package.files:
            (content / name).parent.mkdir(parents=True, exist_ok=True)
            (content / name).write_text(f"{package} {name}", encoding="utf-8")
        with tarfile.open(folder / "made.tar", "w") as files:
            files.add(content, "package")
        self.archive = (folder / "made.tar").read_bytes()
        return replace(package, sha512=hashlib.sha512(self.archive).hexdigest())

    def run(self, arguments: list[str], cwd: str, **options: object) -> subprocess.CompletedProcess[str]:
        self.calls.append(arguments)
        if not self.error:
            (Path(cwd) / "package.tgz").write_bytes(self.archive)
        return subprocess.CompletedProcess(arguments, bool(self.error), "", self.error)


@pytest.fixture
def npm(monkeypatch: pytest.MonkeyPatch) -> Npm:
    stand_in = Npm()
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(subprocess, "run", stand_in.run)
    return stand_in


def test_a_package_is_fetched_once(npm: Npm, tmp_path: Path) -> None:
    package, kept, said = npm.make(PYODIDE, tmp_path), tmp_path / "kept", list[str]()
    folders = [package_folder(package, kept, said.append) for _ in range(2)]
    assert folders[0] == folders[1] == kept / "pyodide@314.0.7"
    assert sorted(path.name for path in folders[0].iterdir()) == sorted(PYODIDE.files)
    assert [path.name for path in kept.iterdir()] == ["pyodide@314.0.7"], "nothing else is left there"
    assert (len(npm.calls), said) == (1, ["Getting pyodide@314.0.7 with npm."])
    assert npm.calls[0][-1] == "pyodide@314.0.7"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            "npm error code ENOTFOUND\nnpm error syscall getaddrinfo\n",
            "npm did not get pyodide@314.0.7 (ENOTFOUND): check",
        ),
        ("", "what npm got is not the published pyodide@314.0.7; or unpack"),
    ],
)
def test_npm_fails(npm: Npm, tmp_path: Path, error: str, sentence: str) -> None:
    """One line that says what to do, and nothing half-written is kept."""
    npm.make(PYODIDE, tmp_path)
    npm.error = error
    with pytest.raises(InputError) as caught:
        package_folder(PYODIDE, tmp_path / "kept")
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).endswith("name its folder with --pyodide DIR")
    assert "\n" not in str(caught.value)
    assert not [*(tmp_path / "kept").iterdir()]


def test_a_machine_without_npm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(InputError, match="this machine has no npm: install Node.js; or unpack this package yourself"):
        package_folder(PYODIDE, tmp_path)


@pytest.fixture
def own_signals() -> Iterator[None]:
    """The test may end itself by a signal: afterwards, signals are handled as before."""
    before = {name: signal.getsignal(name) for name in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for name, handler in before.items():
        signal.signal(name, handler)


@pytest.mark.usefixtures("own_signals")
def test_one_command_opens_the_lab(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The site is served from a folder that is gone afterwards; a port that is taken is no problem."""
    packages, opened, served = tmp_path / "packages", list[str](), list[bool]()
    for name in (name for package in PACKAGES for name in package.files):
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).touch()

    def serve(server: command._Server) -> None:
        served.append(any((folder / "index.html").is_file() for folder in tmp_path.glob("tmp*")))
        if len(served) == 2:
            signal.raise_signal(signal.SIGTERM)
        raise KeyboardInterrupt

    monkeypatch.setattr(npm_packages, "package_folder", lambda *arguments: packages)
    monkeypatch.setattr(kit_check, "check_stub", lambda *arguments: None)
    monkeypatch.setattr(site, "compile_modules", lambda folder: "")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(command._Server, "serve_forever", serve)
    monkeypatch.setattr(command, "_has_screen", lambda: True)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(command, "FIRST_PORT", taken.getsockname()[1])
        command.lab("warm-up")
        with pytest.raises(SystemExit):  # a signal ends it in order too
            command.lab("warm-up", no_browser=True)
        with pytest.raises(InputError, match="choose another one"):
            command.lab("warm-up", port=taken.getsockname()[1])
    first, _ = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line]
    assert opened == [first], "only without --no-browser"
    assert served == [True, True]
    assert not [*tmp_path.glob("tmp*")]


def test_serve_and_out_together() -> None:
    done = run_here("autograder", "lab", "--serve", "a", "--out", "b")
    assert done.returncode == 2
    assert "--serve and --out: expected one of them" in done.stderr


def test_the_workflow_for_github_pages() -> None:
    """The workflow that docs/lab.md names writes the site with the command, and publishes this folder."""
    name = ".github/workflows/lab.yml"
    assert name in (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
    if not (ROOT / name).is_file():
        pytest.skip("needs a checkout: a package has no workflows")
    steps = yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))["jobs"]["lab"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands[-1] == 'python -m autograder lab --assignment "$ASSIGNMENT" --out site'
    assert [step["with"]["path"] for step in steps if "upload-pages-artifact" in step.get("uses", "")] == ["site"]
