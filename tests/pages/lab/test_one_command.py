"""`python -m autograder lab` in one command: needs two npm packages, serves the site, opens the browser."""

from __future__ import annotations

import signal
import socket
import tempfile
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from autograder.commands import lab as command
from autograder.commands.shared import kit_check
from autograder.pages.lab import site
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.paths import ROOT


def test_without_the_packages_it_prints_the_command_that_gets_them(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        site.npm_folders(tmp_path)
    command = f"npm install --ignore-scripts --prefix {tmp_path} pyodide@314.0.7 ace-builds@1.45.2"
    assert str(caught.value).endswith(command)
    assert "\n" not in str(caught.value)
    for name in site.NPM:
        (tmp_path / "node_modules" / name).mkdir(parents=True)
    assert site.npm_folders(tmp_path) == (tmp_path / "node_modules/pyodide", tmp_path / "node_modules/ace-builds")


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
    for name in (*site.PYODIDE, *(f"{site.ACE_FOLDER}/{name}" for name in site.ACE)):
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).touch()

    def serve(server: command._Server) -> None:
        served.append(any((folder / "index.html").is_file() for folder in tmp_path.glob("tmp*")))
        if len(served) == 2:
            signal.raise_signal(signal.SIGTERM)
        raise KeyboardInterrupt

    monkeypatch.setattr(site, "npm_folders", lambda kept: (packages, packages))
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
    assert commands[-1].startswith('python -m autograder lab --assignment "$ASSIGNMENT" --out site')
    assert commands[-2].endswith(" ".join(f"{name}@{version}" for name, version in site.NPM.items()))
    assert [step["with"]["path"] for step in steps if "upload-pages-artifact" in step.get("uses", "")] == ["site"]
