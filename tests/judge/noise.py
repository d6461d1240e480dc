"""Replaces every sentence of the product by noise, to show that nothing the product does hangs on its words.

    python -m tests.judge.noise plain API FILE...
    python -m tests.judge.noise noise API FILE...

Each grades and diagnoses the searches in the files, in this process, and prints what it found as JSON. A sentence is a
text in the program with two words in a row. With `noise`, each of its letters becomes another letter, by its place in
the program, so that two equal sentences differ. A vowel stays a vowel and a capital a capital: "a" or "an" before a
word, and where a line breaks, stay the same.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import json
import random
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.judge.scorecard import Diagnosis

ROOMS = re.compile(r"(autograder|pacman|agents)\b")
DATA = {"pacman"}
"""Modules whose texts with spaces are lists of names."""
TWO_WORDS = re.compile(r"[A-Za-z]{2,}[,;:.]? [a-z]{2,}")
FIELD = re.compile(r"(\{[^{}]*\}|%\w|<[^<>]*>|&\w+;|\\.)")
SENTENCE = re.compile(r"^[A-Z]|[.?:]$")
KINDS = ("aeiou", "bcdfghjklmnpqrstvwxyz")
OTHER = {letter: kind for small in KINDS for kind in (small, small.upper()) for letter in kind}


class _Noise(ast.NodeTransformer):
    """Changes the sentences of one module."""

    def __init__(self, module: str) -> None:
        self._module = module
        self.count = 0

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if isinstance(node.value, str) and TWO_WORDS.search(FIELD.sub("", node.value)):
            return self._changed(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return node if ast.unparse(node.func) in ("Random", "random.Random") else self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        return node if ast.unparse(node.targets[0]).endswith("SEED") else self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        has_words = TWO_WORDS.search(text)
        for index, part in enumerate(node.values):
            if isinstance(part, ast.FormattedValue):
                node.values[index] = self.visit(part)
            elif has_words and isinstance(part, ast.Constant):
                node.values[index] = self._changed(part)
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.FormattedValue:
        node.value = self.visit(node.value)  # and not the format behind the colon
        return node

    def _changed(self, node: ast.Constant) -> ast.Constant:
        text = str(node.value)
        place = f"{self._module}:{node.lineno}:{node.col_offset}" if SENTENCE.search(text) else ""
        generator = random.Random(text + place)
        parts = FIELD.split(text)
        parts[::2] = ["".join(generator.choice(OTHER.get(each, each)) for each in part) for part in parts[::2]]
        self.count += 1
        return ast.copy_location(ast.Constant("".join(parts)), node)


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> Any:
        tree = ast.parse(self.get_data(self.path))
        return compile(ast.fix_missing_locations(_Noise(fullname).visit(tree)), self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec and spec.origin and ROOMS.match(fullname) and fullname not in DATA and spec.origin.endswith(".py"):
            spec.loader = _Loader(fullname, spec.origin)
        return spec


def found(api: str, file: Path) -> dict[str, Any]:
    """What a grading says about one file without its words, and its report with an x for every letter."""
    from autograder.cases import loading
    from autograder.pages.lab.in_browser import BrowserSandbox, OpenCases, grade
    from autograder.platforms import submission_api
    from autograder.report import markdown
    from autograder.sandbox import submission_files

    assignment = loading.load("classic" if api == "cs188" else "multiagent")
    cases = tuple(
        case for case in assignment.cases if not case.input.hidden and case.question.part in file.read_text("utf-8")
    )
    assignment = submission_api(api).without_unsupported(replace(assignment, cases=cases))
    files = submission_files.read(file)
    sandbox = BrowserSandbox(files, file.parent.resolve(), assignment.limits, api)
    card = replace(grade(OpenCases(assignment, submission_api(api)), sandbox), seconds=0)
    return {
        "points": {case.id: case.earned for question in card.questions for case in question.cases},
        "diagnosis": {question.id: _without_words(question.diagnosis) for question in card.questions},
        "sentences": [question.diagnosis.sentences for question in card.questions if question.diagnosis],
        "report": re.sub("[a-z]", "x", re.sub("[A-Z]", "X", markdown.dump(card))),
    }


def main() -> None:
    """See the top of this file."""
    kind, api, *files = sys.argv[1:]
    if kind == "noise":
        sys.meta_path.insert(0, _Finder())
    print(json.dumps({file: found(api, Path(file)) for file in files}))


def _without_words(diagnosis: Diagnosis | None) -> dict[str, Any] | None:
    """What a program reads of a diagnosis: names, places and trees."""
    if diagnosis is None:
        return None
    step, smallest = diagnosis.step, diagnosis.smallest
    return {
        "mistakes": diagnosis.mistakes,
        "step": step and [step.file, step.line, step.function, step.layer, step.plies_left, len(step.rows)],
        "tree": smallest and [smallest.tree, smallest.plies, smallest.diagram and smallest.diagram.marked],
    }


if __name__ == "__main__":
    main()
