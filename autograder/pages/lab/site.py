"""Writes the lab as a folder of files for any web server: the page, Python for browsers, an editor and the open cases.

Nothing in it is secret: it has no hidden case, no key, no solutions, and none of the programs for staff.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import shutil
import subprocess
import textwrap
import zipfile
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from autograder.cases.assignment_text import to_text
from autograder.cases.case import Assignment
from autograder.cases.right_answer import derive_all
from autograder.course.kit import layout_files, open_part, refuse_answers
from autograder.pages.lab import POLICY
from autograder.pages.page import STATIC, markup
from autograder.shipped import LAB, known_files
from pacman.core.errors import InputError, reason_of
from pacman.picture.colours import page_style

PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NPM = {"pyodide": "314.0.7", "ace-builds": "1.45.2"}
"""The npm packages with Python for browsers and with the editor, each in the version that is tested."""
ACE_FOLDER, ACE = "src-min-noconflict", ("ace.js", "mode-python.js", "theme-textmate.js")
FILE_NAMES = {"native": "student.py", "cs188": "multiAgents.py"}
"""The name of the student's file in the page, by the API."""
FIRST = "Your file: write your code at each NotWritten line."
SEARCH = """\
A node has layer, is_terminal, actions(), successor(action);
at CHANCE outcomes(). `plies`: how many moves to look ahead.
Return Line(value, action). """
MORE = "The notes on this page say more."
LIBRARIES = ("annotated-types", "Jinja2", "MarkupSafe")


def npm_folders(parent: Path) -> tuple[Path, Path]:
    """The folders of the npm packages below `kept`. InputError with the one command that gets them.

    npm compares what it gets with the digests of its registry.
    """
    folders = tuple(parent / "node_modules" / name for name in NPM)
    if not all(folder.is_dir() for folder in folders):
        packages = " ".join(f"{name}@{version}" for name, version in NPM.items())
        raise InputError(
            f"the lab needs Python for browsers and an editor; get both once with Node.js (14 MB): "
            f"npm install --ignore-scripts --prefix {parent} {packages}"
        )
    return folders[0], folders[1]


def write_site(assignment: Assignment, pyodide: Path, ace: Path, out: Path) -> int:
    """Writes the site to the folder `out`, which may exist. Returns how many open cases it has.

    `pyodide` and `ace` are the folders of the npm packages `pyodide` and `ace-builds`. InputError if one of their files
    is missing, if a file contains an answer, or if the site cannot be written.
    """
    assignment = open_part(assignment)
    derive_all(assignment)  # InputError for a case without a right answer
    stub = assignment.stub.read_text(encoding="utf-8") if assignment.stub else ""
    ours = {**known_files(LAB), **layout_files(assignment)}
    texts = {name: path.read_bytes() for name, path in ours.items()}
    file = FILE_NAMES[assignment.api]
    refuse_answers(assignment, {**texts, file: stub.encode()}, file)
    text, notes = editor_text(assignment, stub)
    data = {"name": assignment.name, "assignment": to_text(assignment), "stub": text, "file": file}
    copies = {
        "pyodide": _found("--pyodide", pyodide, PYODIDE, "pyodide"),
        "ace": _found("--ace", ace, [f"{ACE_FOLDER}/{name}" for name in ACE], "ace-builds"),
        "lab": [path for folder in (STATIC, STATIC / "lab") for path in folder.iterdir() if path.is_file()],
    }
    page = markup(
        "lab.html", {"title": assignment.title, "policy": POLICY, "notes": notes, "questions": assignment.questions}
    )
    try:
        for folder, paths in copies.items():
            (out / folder).mkdir(parents=True, exist_ok=True)
            for path in paths:
                shutil.copyfile(path, out / folder / path.name)
        (out / "lab" / "colours.css").write_text(page_style(), encoding="utf-8", newline="\n")
        (out / "assignment.json").write_text(json.dumps(data), encoding="utf-8")
        with zipfile.ZipFile(out / "python.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted({**texts, **_libraries()}.items()):
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        (out / "index.html").write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"--out {out}: cannot be written: {reason_of(error)}") from None
    return len(assignment.cases)


def compile_modules(site: Path) -> str:
    """Adds compiled modules to the archives of a site, so that Python starts sooner. Returns why it cannot; else "".

    Node.js does it with the Python of the site: compiled modules are for one version of Python.
    """
    node = shutil.which("node")
    if not node:
        return "no Node.js on this machine (command node)"
    script = Path(__file__).with_name("compile.mjs")
    run = subprocess.run([node, str(script), str(site)], capture_output=True, text=True, encoding="utf-8", check=False)
    return f"Node.js could not do it: {run.stderr.strip().rpartition(chr(10))[2]}" if run.returncode else ""


def _found(option: str, folder: Path, names: list[str] | tuple[str, ...], package: str) -> list[Path]:
    """The files of a package. InputError if one is missing."""
    for name in names:
        if not (folder / name).is_file():
            raise InputError(
                f"{option} {folder}: no file {name}; expected the folder of `npm pack {package}`, unpacked"
            )
    return [folder / name for name in names]


def _libraries() -> dict[str, bytes]:
    """The files of the libraries that Python imports in the browser."""
    files = (file for library in LIBRARIES for file in distribution(library).files or ())
    python = (file for file in files if file.suffix == ".py" and ".." not in file.parts)
    return {file.as_posix(): Path(str(file.locate())).read_bytes() for file in python}


# ---- the stub, as the editor shows it


@dataclass(frozen=True)
class Note:
    """A part of the notes: a paragraph; or rows, each with a name and a paragraph; or the lines of a program."""

    text: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    lines: tuple[str, ...] = ()


def editor_text(assignment: Assignment, stub: str) -> tuple[str, tuple[Note, ...]]:
    """The text of the editor, and the notes. A stub without a text at its top stays as it is, without notes.

    The first paragraph and the commands are left out: they are about files and programs that the lab does not have.
    """
    module = ast.parse(stub)
    documentation = ast.get_docstring(module, clean=False)
    if not documentation:
        return stub, ()
    last = module.body[0].end_lineno
    rest = stub.splitlines(keepends=True)[last:]
    has_search = any(question.role == "search" for question in assignment.questions)
    header = f'"""{FIRST}\n\n{SEARCH * has_search}{MORE}\n"""\n'
    notes = [_note(text) for text in inspect.cleandoc(documentation).split("\n\n")[1:] if "python -m" not in text]
    return header + "".join(rest), tuple(notes)


def _note(text: str) -> Note:
    if not text.startswith("    "):
        return Note(" ".join(text.split()))
    lines = textwrap.dedent(text).splitlines()
    rows = [re.split(r"  +", line, maxsplit=1) for line in lines]
    if any(len(row) == 1 for row in rows):
        return Note(lines=tuple(lines))
    table: list[tuple[str, str]] = []
    for name, words in rows:
        if name:
            table.append((name, words))
        else:  # the words of the row above go on
            table[-1] = table[-1][0], f"{table[-1][1]} {words}"
    return Note(rows=tuple(table))
