"""The texts at the top of a release for students: its README, and the file from which pip installs it."""

from __future__ import annotations

from autograder.cases.case import Assignment, MatchInput
from pacman.commands import cli
from pacman.commands.started_as import SCRIPTS
from pacman.core.words import counted

STUBS = {"native": "my.py", "cs188": "multiAgents.py"}
"""The name of the file that a student edits, by the API."""
REQUIREMENTS = (
    *("pygame-ce >= 2.5", "numpy >= 1.26", "PyYAML >= 6.0", "pydantic >= 2.7", "annotated-types >= 0.6"),
    *("typer >= 0.29", "rich >= 13.7", "Pillow >= 10.3", "Jinja2 >= 3.1"),
)
"""The packages that a release needs."""


def pyproject() -> str:
    """The pyproject.toml of a release."""
    name, version = cli.version().split(" ", 1)
    requirements = "".join(f'    "{each}",\n' for each in REQUIREMENTS)
    scripts = "".join(f'{script} = "{module}.__main__:main"\n' for module, script in SCRIPTS.items())
    return f"""\
[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "{version}"
description = "Pacman and a grader, for students"
requires-python = ">=3.11"
dependencies = [
{requirements}]

[project.scripts]
{scripts}
[project.optional-dependencies]
fast = ["numba >= 0.61"]

[tool.setuptools.packages.find]
include = ["pacman*", "agents*", "autograder*", "layouts*"]
namespaces = false

[tool.setuptools.package-data]
layouts = ["*.lay"]
autograder = [
    "assignments/**/*.yaml", "assignments/**/*.lay", "report/*.json", "sandbox/*.txt", "pages/templates/*",
    "pages/static/*", "pages/predict/trees/*.txt"
]
"""


def readme(assignment: Assignment, api: str) -> str:
    """The README of a release."""
    file, options = STUBS[api], "" if api == assignment.api else f" --api {api}"
    public = [case for case in assignment.cases if not case.input.hidden]
    question = public[0].question
    search = next((case for case in public if case.question.role == "search"), None)
    commands = [
        (f"python -m autograder grade {file}{options}", "grade everything"),
        (f"python -m autograder grade {file}{options} --question {question.id}", "grade one question"),
        (f"python -m autograder case {public[0].id} --agent {file}{options}", "run one case in your own process"),
    ]
    if search is not None and api == "native":
        part = search.question.part
        commands += [
            (f"python -m autograder case {search.id} --agent {file} --view window", "see your search step by step"),
            ("python -m pacman solve tree.txt --picture tree.svg", "draw a tree that you wrote in tree.txt"),
            (f"python -m pacman watch --pacman {file}:{part} --overlay values", "watch your agent play"),
        ]
        commands += [
            (f"python -m autograder explain {search.id} --agent {file}:{part} --out steps.html", "the same as a page"),
        ]
    commands += [("python -m autograder practice --out practice.html", "predict what searches do, on a page")]
    commands += [("python -m pacman play", "play with the arrow keys")]
    first = (
        f"`{file}` is your file: it contains the classes and functions that you complete."
        if assignment.stub
        else f"Put your `{file}` into this folder."
    )
    handout = "Read [handout.md](handout.md) first.\n\n" if (assignment.folder / "handout.md").is_file() else ""
    notes = "\n".join(_notes(assignment, len(public)))
    return f"""\
# {assignment.title}

{handout}{first} The grader in this folder runs it and says
what is wrong.

You need Python 3.11 or later, on Linux, macOS or Windows. Open a terminal in this folder and type two commands:

    python -m pip install -e .
    python -m autograder grade {file}{options}

The first command installs the packages that the project needs. The second one grades your file; repeat it as often as
you like. If pip says that the environment is externally managed, make an environment first, and activate it:
`python -m venv .venv`, then `source .venv/bin/activate`, on Windows `.venv\\Scripts\\activate`. On some systems the
program is called `python3`, or `py` on Windows.

## Commands

{_rows(commands)}
`python -m autograder --help` and `python -m pacman --help` list all commands. `--help` after a command explains it.

## What counts

{notes}
On Linux, the grader runs your file in a sandbox. On macOS and Windows it only limits time, memory and output: there,
do not run files of other people.

In this folder, the searches of `pacman/search` are for the ghosts and the pictures. You may read them. Write your own:
in the grader, a file that imports them gets an error.
"""


def _notes(assignment: Assignment, public: int) -> list[str]:
    """What is in the release, and what the course does that this grader does not: hidden cases, games from a key."""
    notes = [
        f"This folder contains {counted(public, 'case')}, each search with its right answer.",
        "Do not change them: the grader refuses a case that does not fit its answer.",
        "To run a tree that you draw, use `python -m autograder case`.",
    ]
    if any(case.input.hidden for case in assignment.cases):
        notes.append("Your course grades with further cases, which you do not see.")
    if any(isinstance(case.input, MatchInput) for case in assignment.cases):
        notes.append("Whole games are practice: in your course the ghosts may move differently.")
    return notes


def _rows(commands: list[tuple[str, str]]) -> str:
    """The commands as a table in Markdown."""
    rows = "".join(f"| `{command}` | {text} |\n" for command, text in commands)
    return f"| command | what it does |\n|---|---|\n{rows}"
