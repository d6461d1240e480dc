"""What the page asks of Python: one function for each kind of call. `worker.js` calls `answer` with texts of JSON.

A call imports what only it needs, so that Python starts sooner.
"""

from __future__ import annotations

import base64
import json
import pickle
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.cases.assignment_json import from_json
from autograder.cases.case import Case
from autograder.grading.submission import find_candidate
from autograder.grading.submission_api import NATIVE
from autograder.judge.submission_answer import Answer
from autograder.pages.lab.in_browser import BrowserSandbox, OpenCases
from autograder.pages.lab.in_browser import grade as graded
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError

SECONDS = 10.0
"""The time for one search of a drawn tree."""
TEXTS_AT_ONCE = 100
"""So many texts of a call go to the page at once. Those before an endless loop are among them."""
PRINT_SECONDS = 0.05
"""How long later texts wait."""
MOST_PRINTED = 20_000
"""How many characters a message has at most."""
Post = Callable[[str], None]
"""Sends a message to the page, as JSON."""


class Printer:
    """A standard output that sends what is written to the page: the first texts at once, later ones together.

    What is printed too fast to be read is counted, and not sent.
    """

    def __init__(self, send: Callable[..., None]) -> None:
        self.send = send
        self.text, self.cut = "", 0
        self.at_once, self.last = TEXTS_AT_ONCE, 0.0

    def write(self, text: str) -> None:
        """Adds a text, and sends it with those before it if it is time to."""
        kept = text[: MOST_PRINTED - len(self.text)]
        self.text += kept
        self.cut += len(text) - len(kept)
        self.at_once -= 1
        if self.at_once >= 0 or time.monotonic() - self.last >= PRINT_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Sends what is not sent yet."""
        if self.text or self.cut:
            text, cut, self.text, self.cut = self.text, self.cut, "", 0
            self.last = time.monotonic()
            self.send("print", text=text, cut=cut)


class Calls:
    """The assignment of the site, and the calls about it."""

    def __init__(self, assignment: str, post: Post) -> None:
        values = json.loads(assignment)
        api = NATIVE
        if values["api"] == "cs188":
            from autograder.platforms.cs188.submission_api import API as api
        self.cases = OpenCases(from_json(values), api)
        self.post = post
        self.printer = Printer(self.send)

    def answer(self, name: str, arguments: str) -> str:
        """The result of a call. A mistake of the user is `{"problem": one sentence}`."""
        calls: dict[str, Callable[..., Any]] = {"grade": self.grade, "explain": self.explain}
        self.printer = Printer(self.send)
        try:
            result = calls[name](**json.loads(arguments))
        except InputError as error:
            result = {"problem": str(error)}
            self.printer.write("".join(f"{line}\n" for line in getattr(error, "code", ())))
        finally:
            self.printer.flush()
        return json.dumps(result)

    def send(self, kind: str, **values: Any) -> None:
        """Sends a message to the page, and before it what was printed until now."""
        self.printer.flush()
        self.post(json.dumps({"kind": kind, **values}))

    def grade(
        self,
        files: Mapping[str, str],
        question: str = "",
        known: Mapping[str, str] | None = None,
        never_ended: Sequence[str] = (),
        spent: float = 0,
    ) -> dict[str, Any]:
        """The report of the open cases, as the part of a page and as Markdown, and the points.

        The first of the `files` is graded, the others can be imported. With a `question`, only its cases run. `known`
        are answers to cases as they were sent, in the seconds that an earlier Python has `spent`.
        """
        from autograder.pages.student_page import report_content
        from autograder.report import markdown

        answers = {case: pickle.loads(base64.b64decode(text)) for case, text in (known or {}).items()}
        with tempfile.TemporaryDirectory() as folder:
            sandbox = self._sandbox(files, Path(folder).resolve(), never_ended)
            card = graded(self.cases.only(question), sandbox, answers, self._send_answer)
        card = replace(card, seconds=round(card.seconds + spent, 3))
        text = markdown.dump(card)
        steps = [each.diagnosis.step for each in card.questions if each.diagnosis]
        lines = [step.line for step in steps if step and step.line and not step.file]
        page = report_content(card)
        return {"html": page, "text": text, "earned": card.earned, "points": card.points, "lines": lines}

    def explain(
        self,
        outline: str,
        algorithms: Sequence[str] = (),
        part: str = "",
        files: Mapping[str, str] | None = None,
        never_ended: Sequence[str] = (),
        **known: object,
    ) -> dict[str, Any]:
        """The content and the data of the page that steps through searches of a tree.

        With a `part`, the first search is that of this class in the first of the `files`.
        """
        from autograder.pages.lab import tree_calls

        tree = tree_calls.read_tree(outline)
        if not part:
            return tree_calls.searches_of_tree(tree, algorithms)
        question = tree_calls.question_of(self.cases.assignment, part)
        with tempfile.TemporaryDirectory() as folder:
            sandbox = self._sandbox(files or {}, Path(folder).resolve(), never_ended)
            sandbox.step = "parse"
            path = Path(sandbox.submission.requested_file)
            sandbox.main_file = find_candidate(path, sandbox, self.cases.assignment, self.cases.api)
            sandbox.step, sandbox.most_seconds = "search", SECONDS
            return tree_calls.searches_of_tree(tree, algorithms, (sandbox, question))

    def _sandbox(self, files: Mapping[str, str], folder: Path, never_ended: Sequence[str]) -> BrowserSandbox:
        contents = _write(files, folder)
        first, *others = contents
        submission = SubmissionFiles(contents, first, tuple(others))
        return BrowserSandbox(
            *(submission, folder, self.cases.assignment.limits, self.cases.api.name),
            on_step=lambda name, seconds: self.send("step", name=name, seconds=seconds),
            never_ended=never_ended,
            echo=self.printer.write,
        )

    def _send_answer(self, case: Case, answer: Answer) -> None:
        self.send("answer", case=case.id, answer=base64.b64encode(pickle.dumps(answer)).decode("ascii"))


def _write(files: Mapping[str, str], folder: Path) -> dict[str, bytes]:
    """Writes files to a folder; returns them as bytes."""
    contents = {name: text.encode("utf-8", "surrogatepass") for name, text in files.items()}
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return contents
