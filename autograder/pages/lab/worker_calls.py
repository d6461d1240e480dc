"""What the page asks of Python: one function for each kind of call. `worker.js` calls `answer` with texts of JSON.

A call imports what only it needs, so that Python starts sooner.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.cases.assignment_text import from_text
from autograder.cases.case import Case
from autograder.grading.submission import find_candidate
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.judge import submission_answer
from autograder.judge.submission_answer import Answer
from autograder.pages.lab.in_browser import BrowserSandbox, grade
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError, error_line
from pacman.core.tree_text import Outline
from pacman.search.algorithms import Options

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
        part = text[: MOST_PRINTED - len(self.text)]
        self.text += part
        self.cut += len(text) - len(part)
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
        self.assignment = from_text(values["assignment"])
        self.api: SubmissionApi = NATIVE
        if self.assignment.api == "cs188":
            from autograder.platforms.cs188 import API

            self.api = API
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
        known: Mapping[str, Any] | None = None,
        never_ended: Sequence[str] = (),
        spent: float = 0,
    ) -> dict[str, Any]:
        """The report of the open cases, as the part of a page and as Markdown, and the points.

        The first of the `files` is graded, the others can be imported. With a `question`, only its cases run. `known`
        are answers to cases as they were sent, in the seconds that an earlier Python has `spent`.
        """
        from autograder.pages.student_page import report_content
        from autograder.report import markdown

        def send_answer(case: Case, answer: Answer) -> None:
            self.send("answer", case=case.id, answer=submission_answer.to_json(answer))

        answers = {case: submission_answer.from_json(values) for case, values in (known or {}).items()}
        assignment = self.assignment.only(question or None)
        with self._sandbox(files, never_ended) as sandbox:
            card = grade(assignment, self.api, sandbox, answers, send_answer)
        card = replace(card, seconds=round(card.seconds + spent, 3))
        steps = [each.diagnosis.step for each in card.questions if each.diagnosis]
        lines = [step.line for step in steps if step and step.line and not step.file]
        texts = {"html": report_content(card), "text": markdown.dump(card)}
        return {**texts, "earned": card.earned, "points": card.points, "lines": lines}

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
        from autograder.pages.explorer import MAX_NODES, values_and_data
        from autograder.pages.page import markup
        from autograder.pages.search import bounds_of_tree, compared_search, record

        tree = Outline.parse(outline)
        if tree.size() > MAX_NODES:
            raise InputError(f"the tree has more than {MAX_NODES:,} nodes; draw a smaller one")
        plies, options, recordings, difference = tree.height(), Options(bounds=bounds_of_tree(tree)), [], None
        if part:
            question = next(each for each in self.assignment.questions if (each.part, each.role) == (part, "search"))
            with self._sandbox(files or {}, never_ended) as sandbox:
                sandbox.step, name = "parse", Path(sandbox.submission.requested_file)
                sandbox.main_file = find_candidate(name, sandbox, self.assignment, self.api)
                sandbox.step, sandbox.most_seconds = "search", SECONDS
                own, difference = compared_search(sandbox, question, "equal", tree, plies)
            recordings.append(own)
        for algorithm in algorithms:
            try:
                recordings.append(record(algorithm, tree, plies, options))
            except ValueError as error:
                raise InputError(f"{algorithm}: {error_line(error)}") from None
        values, data = values_and_data(recordings, difference)
        return {"html": markup("explorer.html", {**values, "title": "Searches of a tree"}), "data": data}

    @contextmanager
    def _sandbox(self, files: Mapping[str, str], never_ended: Sequence[str]) -> Iterator[BrowserSandbox]:
        """A sandbox for the first of the files, in a folder with all of them."""
        contents = {name: text.encode("utf-8", "surrogatepass") for name, text in files.items()}
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            for file, content in contents.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_bytes(content)
            first, *others = contents
            yield BrowserSandbox(
                *(SubmissionFiles(contents, first, tuple(others)), folder, self.assignment.limits),
                api=self.api.named_for(self.assignment),
                on_step=lambda name, seconds: self.send("step", name=name, seconds=seconds),
                never_ended=never_ended,
                echo=self.printer.write,
            )
