"""The site of a lab: nothing in it is secret, whatever the assignment; one command writes, serves and opens it."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import tempfile
import webbrowser
import zipfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from autograder.cases import loading
from autograder.cases.assignment_text import from_text
from autograder.cases.case import Assignment
from autograder.commands import checks
from autograder.commands import lab as command
from autograder.course.new_assignment import small_assignment
from autograder.pages.lab import site
from autograder.pages.lab.site import compile_modules, editor_text
from autograder.pages.lab.worker_calls import Calls
from autograder.shipped import KNOWN_FILES
from pacman.core.errors import InputError
from tests.command_line import run_here
from tests.paths import ROOT
from tests.written_files import write_files

MARK = "only-for-staff"
STAFF = ("solution", "styles/", "recorder", "hidden", "assignments/", "course/", "commands/", "strength/")
PROJECT = ("pacman/", "agents/", "autograder/", "layouts/")


def empty_packages(folder: Path) -> None:
    """Empty files in place of Python and of the editor."""
    write_files(folder, dict.fromkeys((*site.PYODIDE, *(f"{site.ACE_FOLDER}/{name}" for name in site.ACE)), ""))


def written(assignment: Assignment, folder: Path) -> Path:
    """The site of an assignment, with empty packages."""
    empty_packages(packages := folder / "packages")
    site.write_site(assignment, packages, packages, folder / "site")
    return folder / "site"


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The name and the content of every file of a site, and of every file in its archive."""
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix != ".zip":
            yield path.relative_to(folder).as_posix(), path.read_bytes()
    with zipfile.ZipFile(folder / "python.zip") as archive:
        for name in archive.namelist():
            yield name, archive.read(name)


def some_hidden(assignment: Assignment) -> Assignment:
    """The same, but each third case is hidden, and all of the last question; their names have the mark."""
    last = assignment.questions[-1]
    cases = [
        replace(case, name=f"{MARK}-{case.name}", input=replace(case.input, hidden=True))
        if number % 3 == 0 or case.question == last
        else case
        for number, case in enumerate(assignment.cases)
    ]
    return replace(assignment, cases=tuple(cases))


def parts_of(text: str) -> set[str]:
    """All runs of five lines of a program, without blank lines and comments."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith(("#", '"'))]
    return {"\n".join(lines[start : start + 5]) for start in range(len(lines) - 4)}


@pytest.mark.parametrize("name", loading.names())
def test_nothing_secret_is_in_the_site(name: str, tmp_path: Path) -> None:
    """No hidden case, no key, no line of the solutions, nothing that records truths, and no tool for staff."""
    assignment = loading.load(name)
    files = dict(contents(written(some_hidden(assignment), tmp_path)))
    assert not [file for file in files if any(word in file for word in STAFF) or file.endswith((".yaml", ".key"))]
    assert not [file for file, content in files.items() if MARK.encode() in content]
    packed = json.loads(files["assignment.json"])["assignment"]
    assert not [each for each in (MARK, str(ROOT)) if each.encode() in b64decode(packed)]
    assert [each.id for each in from_text(packed).questions] == [each.id for each in assignment.questions[:-1]], (
        "none that has hidden cases only"
    )
    folder = ROOT / "autograder/assignments" / name
    solutions = set[str]()
    for path in folder.glob("solutions.py"):
        solutions |= parts_of(path.read_text(encoding="utf-8"))
    texts = {file: content.decode() for file, content in files.items() if file.endswith((".py", ".json"))}
    assert not [file for file, text in texts.items() if solutions & parts_of(text)]
    own = [file for file in files if file.startswith(PROJECT)]
    assert {*own} <= {*KNOWN_FILES.read_text(encoding="utf-8").split()}
    assert len(own) > 100
    assert all(files[file] == (ROOT / file).read_bytes() for file in own)


@pytest.mark.parametrize("name", ["multiagent", "warm-up"])
def test_the_editor_begins_with_a_short_header(name: str) -> None:
    """Six lines without a command; the code below is that of the stub, and the notes say the rest."""
    assignment = loading.load(name)
    assert assignment.stub
    stub = assignment.stub.read_text(encoding="utf-8")
    text, notes = editor_text(assignment, stub)
    header = text.partition("\nfrom __future__")[0].rstrip().splitlines()
    assert (header[0][:3], header[-1], len(header)) == ('"""', '"""', 6)
    assert max(map(len, header)) <= 60, "no line wraps in a window of 1280 pixels"
    assert text.partition("from __future__")[2] == stub.partition("from __future__")[2]
    assert "python -m" not in f"{text}{notes}"
    assert [row[0] for note in notes for row in note.rows][:2] == ["node.layer", "node.is_terminal"]
    assert editor_text(assignment, "x = 1\n") == ("x = 1\n", ())


def test_a_site_without_compiled_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without Node.js, or if it fails, the site is complete, and the command says in one line what that means."""
    written(loading.load("warm-up"), tmp_path)
    folder, packages = tmp_path / "site", tmp_path / "packages"
    if shutil.which("node"):
        why = compile_modules(folder)  # the empty files are no Python
        assert why.startswith("Node.js could not do it: ")
        assert "\n" not in why
    monkeypatch.setattr(shutil, "which", lambda command: None)
    command.lab("warm-up", folder, pyodide=packages, ace=packages)
    said = capsys.readouterr()
    assert said.err == (
        "Python in the page starts more slowly, because its modules are not compiled: "
        "no Node.js on this machine (command node)\n"
    )
    assert said.out.startswith(f"{folder}: 37 cases. ")


@pytest.mark.slow("of the lab in a browser")
def test_compiled_modules_are_beside_their_sources(lab_site: Path) -> None:
    """Each module that the lab imports is compiled, and its source is still there."""
    if not shutil.which("node"):
        pytest.skip("needs Node.js")
    for archive, compiled, source in (
        ("python.zip", "pacman/core/__pycache__/rules.cpython-314.pyc", "pacman/core/rules.py"),
        ("python.zip", "jinja2/__pycache__/lexer.cpython-314.pyc", "jinja2/lexer.py"),
        ("pyodide/python_stdlib.zip", "tempfile.pyc", "tempfile.py"),
    ):
        with zipfile.ZipFile(lab_site / archive) as content:
            assert {compiled, source} <= set(content.namelist())


def test_the_lab_of_a_new_assignment(tmp_path: Path) -> None:
    """The stub gets no points and the solutions get all."""
    folder = tmp_path / "week4"
    write_files(folder, small_assignment("week4"))
    assignment = loading.load(str(folder))
    data = (written(assignment, tmp_path) / "assignment.json").read_text("utf-8")
    calls, values = Calls(data, lambda message: None), json.loads(data)
    for text, points in ((values["stub"], 0), ((folder / "solutions.py").read_text("utf-8"), 5)):
        result = json.loads(calls.answer("grade", json.dumps({"files": {values["file"]: text}})))
        assert (result["earned"], result["points"]) == (points, 5)


def test_without_the_packages_it_prints_the_command_that_gets_them(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        site.npm_folders(tmp_path)
    npm = f"npm install --ignore-scripts --prefix {tmp_path} pyodide@314.0.7 ace-builds@1.45.2"
    assert str(caught.value).endswith(npm)
    assert "\n" not in str(caught.value)
    for name in site.NPM:
        (tmp_path / "node_modules" / name).mkdir(parents=True)
    assert site.npm_folders(tmp_path) == (tmp_path / "node_modules/pyodide", tmp_path / "node_modules/ace-builds")


def test_one_command_opens_the_lab(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The site is served from a folder that is gone afterwards; a port that is taken is no problem."""
    packages, opened, served = tmp_path / "packages", list[str](), list[bool]()
    empty_packages(packages)

    def serve(server: command._Server) -> None:
        served.append(any((folder / "index.html").is_file() for folder in tmp_path.glob("tmp*")))
        if len(served) == 2:
            signal.raise_signal(signal.SIGTERM)
        raise KeyboardInterrupt

    monkeypatch.setattr(site, "npm_folders", lambda kept: (packages, packages))
    monkeypatch.setattr(checks, "check_stub", lambda *arguments: None)
    monkeypatch.setattr(site, "compile_modules", lambda folder: "")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(command._Server, "serve_forever", serve)
    monkeypatch.setattr(command, "_has_screen", lambda: True)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    before = {name: signal.getsignal(name) for name in (signal.SIGTERM, signal.SIGHUP)}
    with socket.create_server(("127.0.0.1", 0)) as taken, ExitStack() as stack:
        for name, handler in before.items():
            stack.callback(signal.signal, name, handler)
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
    done = run_here("autograder", "lab", "--serve", "a", "--out", "b")
    assert (done.returncode, "--serve and --out: expected one of them" in done.stderr) == (2, True)


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
