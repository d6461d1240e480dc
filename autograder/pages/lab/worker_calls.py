"""What the page asks of Python: one function for each kind of call. `worker.js` calls `answer` with texts of JSON."""

from __future__ import annotations

import base64
import json
import pickle
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.cases.assignment_json import from_json
from autograder.cases.case import Case
from autograder.grading.submission_api import NATIVE
from autograder.judge.submission_answer import Answer
from autograder.pages.lab.browser_sandbox import BrowserSandbox
from autograder.pages.lab.in_browser import OpenCases
from autograder.pages.lab.in_browser import grade as graded
from autograder.pages.student_page import student_page
from autograder.report import markdown
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError

Post = Callable[[str], None]
"""Sends a message to the page, as JSON."""


class Calls:
    """The assignment of the site, and the calls about it."""

    def __init__(self, assignment: str, post: Post) -> None:
        values = json.loads(assignment)
        api = NATIVE
        if values["api"] == "cs188":
            from autograder.platforms.cs188.submission_api import API as api
        self.cases = OpenCases(*from_json(values), api)
        self.post = post

    def answer(self, name: str, arguments: str) -> str:
        """The result of a call. A mistake of the user is `{"problem": one sentence}`."""
        calls: dict[str, Callable[..., Any]] = {"grade": self.grade}
        try:
            result = calls[name](**json.loads(arguments))
        except InputError as error:
            result = {"problem": str(error)}
        return json.dumps(result)

    def send(self, kind: str, **values: Any) -> None:
        """Sends a message to the page."""
        self.post(json.dumps({"kind": kind, **values}))

    def grade(
        self,
        files: Mapping[str, str],
        known: Mapping[str, str] | None = None,
        never_ended: Sequence[str] = (),
    ) -> dict[str, Any]:
        """The report of the open cases, as the part of a page and as Markdown, and the points.

        The first of the `files` is graded, the others can be imported. `known` are answers to cases as they were sent.
        """
        answers = {case: pickle.loads(base64.b64decode(text)) for case, text in (known or {}).items()}
        with tempfile.TemporaryDirectory() as folder:
            sandbox = self._sandbox(files, Path(folder).resolve(), never_ended)
            card = graded(self.cases, sandbox, answers, self._send_answer)
        page = student_page(card)
        html = page.partition("<main>")[2].rpartition("</main>")[0]
        return {"html": html, "text": markdown.dump(card), "earned": card.earned, "points": card.points}

    def _sandbox(self, files: Mapping[str, str], folder: Path, never_ended: Sequence[str]) -> BrowserSandbox:
        contents = {name: text.encode("utf-8", "surrogatepass") for name, text in files.items()}
        for name, content in contents.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        first, *others = contents
        submission = SubmissionFiles(contents, first, tuple(others))
        return BrowserSandbox(
            *(submission, folder, self.cases.assignment.limits, self.cases.api.name),
            on_step=lambda name, seconds: self.send("step", name=name, seconds=seconds),
            never_ended=never_ended,
            echo=lambda text: self.send("print", text=text),
        )

    def _send_answer(self, case: Case, answer: Answer) -> None:
        self.send("answer", case=case.id, answer=base64.b64encode(pickle.dumps(answer)).decode("ascii"))
