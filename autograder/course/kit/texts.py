"""The texts at the top of a release for students: its README, and the file from which pip installs it."""

from __future__ import annotations

from pathlib import Path

from autograder.cases.case import Assignment, Case, MatchInput
from pacman import __version__
from pacman.core.errors import counted
from pacman.program_imports import SCRIPTS

TEMPLATES = Path(__file__).with_name("templates")
STUBS = {"native": "my.py", "cs188": "multiAgents.py"}
"""The name of the file that a student edits, by the API."""
REQUIREMENTS = (
    *("pygame-ce >= 2.5.7", "numpy >= 1.26", "PyYAML >= 6.0", "pydantic >= 2.8", "annotated-types >= 0.6"),
    *("typer >= 0.28", "rich >= 15.0", "Pillow >= 10.3", "Jinja2 >= 3.1"),
)
"""The packages that a release needs."""


def pyproject() -> str:
    """The pyproject.toml of a release."""
    requirements = "".join(f'    "{each}",\n' for each in REQUIREMENTS)
    scripts = "".join(f'{script} = "{module}.__main__:main"\n' for module, script in SCRIPTS.items())
    text = (TEMPLATES / "pyproject.txt").read_text(encoding="utf-8")
    return text.format(version=__version__, requirements=requirements, scripts=scripts)


def readme(assignment: Assignment, api: str) -> str:
    """The README of a release."""
    file = STUBS[api]
    public = [case for case in assignment.cases if not case.input.hidden]
    has_handout = (assignment.folder / "handout.md").is_file()
    return (
        (TEMPLATES / "readme.md")
        .read_text(encoding="utf-8")
        .format(
            title=assignment.title,
            handout="Read [handout.md](handout.md) first.\n\n" if has_handout else "",
            first=f"`{file}` is your file: it contains the classes and functions that you complete."
            if assignment.stub
            else f"Put your `{file}` into this folder.",
            file=file,
            options=_options(assignment, api),
            commands="\n".join(f"| `{command}` | {text} |" for command, text in _commands(assignment, api, public)),
            notes="\n".join(_notes(assignment, len(public))),
        )
    )


def _options(assignment: Assignment, api: str) -> str:
    return "" if api == assignment.api else f" --api {api}"


def _commands(assignment: Assignment, api: str, public: list[Case]) -> list[tuple[str, str]]:
    """The commands of a student, each with what it does."""
    file, options, question = STUBS[api], _options(assignment, api), public[0].question
    commands = [
        (f"python -m autograder grade {file}{options}", "grade everything"),
        (f"python -m autograder grade {file}{options} --question {question.id}", "grade one question"),
        (f"python -m autograder case {public[0].id} --agent {file}{options}", "run one case in your own process"),
    ]
    search = next((case for case in public if case.question.role == "search"), None)
    if search is not None and api == "native":
        agent = f"{file}:{search.question.part}"
        commands += [
            (f"python -m autograder case {search.id} --agent {file} --view window", "see your search step by step"),
            ("python -m pacman solve tree.txt --picture tree.svg", "draw a tree that you wrote in tree.txt"),
            (f"python -m pacman watch {agent} --overlay values", "watch your agent play"),
            (f"python -m autograder explain {search.id} --agent {agent} --out steps.html", "the same as a page"),
        ]
    return [
        *commands,
        ("python -m autograder practice --out practice.html", "predict what searches do, on a page"),
        ("python -m pacman play", "play with the arrow keys"),
    ]


def _notes(assignment: Assignment, public: int) -> list[str]:
    """What is in the release, and what the course does that this grader does not: hidden cases, games from a key."""
    notes = [
        f"This folder contains {counted(public, 'case')}. The grader finds their right answers itself.",
        "Do not change them: your course grades with its own copy.",
        "To run a tree that you draw, use `python -m autograder case`.",
    ]
    if any(question.hidden for question in assignment.questions):
        notes.append("Hidden cases here are drawn from a practice key. Your course draws others, with the same points.")
    if any(case.input.hidden for case in assignment.cases):
        notes.append("Your course grades with further cases, which you do not see.")
    if any(isinstance(case.input, MatchInput) for case in assignment.cases):
        notes.append("Whole games are practice: in your course the ghosts may move differently.")
    return notes
