"""What the page asks of Python: one function for each kind of call. `worker.js` calls `answer` with texts of JSON.

A call imports what only it needs, so that Python starts sooner.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import pickle
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from autograder.cases.assignment_json import from_json
from autograder.cases.case import Case
from autograder.grading.submission import find_candidate
from autograder.grading.submission_api import NATIVE
from autograder.judge.submission_answer import Answer
from autograder.pages.lab.browser_sandbox import BrowserSandbox
from autograder.pages.lab.in_browser import OpenCases
from autograder.pages.lab.in_browser import grade as graded
from autograder.sandbox import Sandbox
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError

if TYPE_CHECKING:
    from autograder.pages.lab.play_calls import Play

SECONDS = 10.0
"""The time for one move of an agent and for the search of an overlay, together."""
TEXTS_AT_ONCE, PRINT_SECONDS, MOST_PRINTED = 100, 0.05, 20_000
"""The texts of a call that go to the page at once: those before an endless loop are among them; how long later texts
wait; and how many characters a message has at most."""
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
        self.game: Play | None = None
        self.printer = _Printer(self.send)

    def answer(self, name: str, arguments: str) -> str:
        """The result of a call. A mistake of the user is `{"problem": one sentence}`."""
        calls = (self.grade, self.explain, self.play, self.fails, self.mistakes)
        call: Callable[..., Any] = next(each for each in calls if each.__name__ == name)
        self.printer = _Printer(self.send)
        try:
            result = call(**json.loads(arguments))
        except InputError as error:
            result = {"problem": str(error)}
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
        known: Mapping[str, str] | None = None,
        never_ended: Sequence[str] = (),
    ) -> dict[str, Any]:
        """The report of the open cases, as the part of a page and as Markdown, and the points.

        The first of the `files` is graded, the others can be imported. `known` are answers to cases as they were sent.
        """
        from autograder.pages.student_page import student_page
        from autograder.report import markdown

        answers = {case: pickle.loads(base64.b64decode(text)) for case, text in (known or {}).items()}
        with tempfile.TemporaryDirectory() as folder:
            sandbox = self._sandbox(files, Path(folder).resolve(), never_ended)
            card = graded(self.cases, sandbox, answers, self._send_answer)
        text = markdown.dump(card)
        return {"html": _main(student_page(card)), "text": text, "earned": card.earned, "points": card.points}

    def explain(
        self,
        outline: str,
        algorithms: Sequence[str] = (),
        part: str = "",
        files: Mapping[str, str] | None = None,
        never_ended: Sequence[str] = (),
        **known: object,
    ) -> dict[str, Any]:
        """The parts of the page that steps through searches of a tree: its content, and its data.

        With a `part`, the first search is that of this class in the first of the `files`.
        """
        from autograder.pages.lab import tree_calls

        tree = tree_calls.read_tree(outline)
        question = tree_calls.question_of(self.cases.assignment, part) if part else tree_calls.QUESTION
        with tempfile.TemporaryDirectory() as folder:
            sandbox = self._sandbox(files or {}, Path(folder).resolve(), never_ended) if part else None
            if sandbox:
                sandbox.step = "parse"
                path = Path(sandbox.submission.requested_file)
                sandbox.main_file = find_candidate(path, cast(Sandbox, sandbox), self.cases.assignment, self.cases.api)
                sandbox.step = "search"
            page = tree_calls.page_of_tree(tree, algorithms, sandbox, question)
        data = page.partition('id="data">')[2].partition("</script>")[0]
        return {"html": _main(page), "data": json.loads(data)}

    def play(
        self,
        layout: str,
        ghosts: Sequence[str] = ("random",),
        seed: int = 0,
        pacman: str = "",
        moves: Sequence[str] = (),
        action: str = "",
        overlay: str = "",
        files: Mapping[str, str] | None = None,
        never_ended: Sequence[str] = (),
        **known: object,
    ) -> dict[str, Any]:
        """The game after its `moves` of Pacman, and after one more: the `action`, or what the agent `pacman` chooses.

        An agent is a name, or `FILE:CLASS` with a file of `files`. `overlay` names the search to show.
        """
        from autograder.pages.lab.play_calls import Play, Setup, overlay_of

        if "play" in never_ended:
            raise InputError(f"the agent gave no answer within {SECONDS:g} s")
        setup = Setup(layout, tuple(ghosts), seed, self._place(pacman, files or {}))
        self.send("step", name="play", seconds=SECONDS)
        with contextlib.redirect_stdout(cast(TextIO, self.printer)):
            if self.game is None or (self.game.setup, self.game.moves) != (setup, [*moves]):
                self.game = Play(setup, [*moves])
                for _ in moves:
                    self.game.go_on()
                states = []
            states = self.game.go_on(action) if action or pacman else []
            result = self.game.as_data(states)
            if overlay and result["actions"]:
                result["overlay"] = overlay_of(self.game.game.state, self._place(overlay, files or {}))
        return result

    def fails(self, outline: str, mistake: str) -> dict[str, Any]:
        """Whether a wrong search fails on a tree (`tree_calls.Attempt`)."""
        from autograder.pages.lab import tree_calls

        return asdict(tree_calls.attempt(tree_calls.read_tree(outline), mistake))

    def mistakes(self) -> list[dict[str, str]]:
        """The wrong searches for `fails`: their names, and what the grader says about them."""
        from autograder.pages.lab import tree_calls

        return tree_calls.mistakes()

    def _place(self, agent: str, files: Mapping[str, str]) -> str:
        """The name of an agent, with the place of its file. The same files have the same place."""
        name = agent.partition(":")[0]
        if name not in files:
            return agent
        if self.cases.api.name != NATIVE.name:
            raise InputError(f"{name}: a Berkeley-style file cannot play here; run the open cases, or search a tree")
        digest = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"lab-{digest}"
        _write(files, folder)
        return f"{folder}/{agent}"

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


class _Printer:
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


def _write(files: Mapping[str, str], folder: Path) -> dict[str, bytes]:
    """Writes files to a folder; returns them as bytes."""
    contents = {name: text.encode("utf-8", "surrogatepass") for name, text in files.items()}
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return contents


def _main(page: str) -> str:
    """The content of a page, which another page can show."""
    return page.partition("<main>")[2].rpartition("</main>")[0]
