"""Whether the text of an answer is in a file that students get."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from autograder.cases.case import Assignment
from pacman.core.errors import InputError

LEAST = 80
"""The characters of a text that cannot be the same by chance; it also has at least two lines."""


def refuse_answers(assignment: Assignment, files: Mapping[str, bytes], stub: str) -> None:
    """InputError if one of the files contains a function of a sample solution or of a style, also as a comment.

    What the file with the name `stub` gives to students as the same function is no answer.
    """
    given = set(_functions(files.get(stub, b"")))
    texts = {name: f"\n{_plain(content.decode('utf-8', 'replace'))}\n" for name, content in files.items()}
    for path in assignment.answers:
        if path.suffix == ".py" and path.is_file():
            for function, body in set(_functions(path.read_bytes())) - given:
                for name, text in texts.items():
                    if f"\n{body}\n" in text:
                        raise InputError(f"{name}: contains the answer {function} of {path}; take it out")


def _functions(source: bytes) -> Iterator[tuple[str, str]]:
    """The functions of a Python file, each as CLASS.NAME and its text without docstring and comments."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return  # `check` says what is wrong with the file
    lines = source.decode("utf-8", "replace").split("\n")
    for owner in ast.walk(tree):
        for node in ast.iter_child_nodes(owner):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                text = _plain("\n".join(lines[body[0].lineno - 1 : node.end_lineno])) if body else ""
                if len(text) >= LEAST and "\n" in text:
                    yield f"{owner.name}.{node.name}" if isinstance(owner, ast.ClassDef) else node.name, text


def _plain(text: str) -> str:
    """The lines of a text without indentation, marks of comments and blank lines."""
    lines = (line.strip().lstrip("#> ") for line in text.splitlines())
    return "\n".join(line for line in lines if line)
