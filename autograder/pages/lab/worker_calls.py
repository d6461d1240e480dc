"""What the page asks of Python: one function for each kind of call. `worker.js` calls `answer` with texts of JSON.

A call imports what only it needs, so that Python starts sooner.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import pickle
import re
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, TextIO, cast

from autograder.cases.assignment_json import from_json
from autograder.cases.case import Case
from autograder.grading.submission import find_candidate
from autograder.grading.submission_api import NATIVE
from autograder.judge.submission_answer import Answer
from autograder.pages.lab.in_browser import BrowserSandbox, OpenCases
from autograder.pages.lab.in_browser import grade as graded
from autograder.sandbox import Sandbox
from autograder.sandbox.submission_files import SubmissionFiles
from pacman.core.errors import InputError, error_line

if TYPE_CHECKING:
    from autograder.pages.lab.play_calls import Play

SECONDS = 10.0
"""The time for one move of an agent, for one search at a position, and for one of a drawn tree."""
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
        self.cases = OpenCases(*from_json(values), api)
        self.post = post
        self.game: Play | None = None
        self.printer = Printer(self.send)
        self._home = tempfile.mkdtemp(prefix="lab-")  # a new folder, for this user alone
        weakref.finalize(self, shutil.rmtree, self._home, ignore_errors=True)
        self._folder_in_text = re.compile(rf"{re.escape(self._home)}/[0-9a-f]{{16}}/")

    def answer(self, name: str, arguments: str) -> str:
        """The result of a call. A mistake of the user is `{"problem": one sentence}`."""
        call: Callable[..., Any]
        if name in ("grade", "explain", "play", "look"):
            call = getattr(self, name)
        else:
            from autograder.pages.lab import tree_calls

            calls: tuple[Callable[..., Any], ...] = (tree_calls.fails, tree_calls.mistakes, tree_calls.draw)
            call = next(each for each in calls if each.__name__ == name)
        self.printer = Printer(self.send)
        try:
            result = call(**json.loads(arguments))
        except InputError as error:
            result = {"problem": self._folder_in_text.sub("", str(error))}
            self.printer.write("".join(f"{line}\n" for line in getattr(error, "code", ())))
            if error.__context__:
                self._show_traceback_of(error.__context__)
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
        spent: float = 0,
    ) -> dict[str, Any]:
        """The report of the open cases, as the part of a page and as Markdown, and the points.

        The first of the `files` is graded, the others can be imported. `known` are answers to cases as they were sent,
        in the seconds that an earlier Python has `spent`.
        """
        from autograder.pages.student_page import report_content
        from autograder.report import markdown

        answers = {case: pickle.loads(base64.b64decode(text)) for case, text in (known or {}).items()}
        with tempfile.TemporaryDirectory() as folder:
            sandbox = self._sandbox(files, Path(folder).resolve(), never_ended)
            card = graded(self.cases, sandbox, answers, self._send_answer)
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
        question = tree_calls.question_of(self.cases.assignment, part) if part else tree_calls.QUESTION
        with tempfile.TemporaryDirectory() as folder:
            sandbox = self._sandbox(files or {}, Path(folder).resolve(), never_ended) if part else None
            if sandbox:
                sandbox.step = "parse"
                path = Path(sandbox.submission.requested_file)
                sandbox.main_file = find_candidate(path, cast(Sandbox, sandbox), self.cases.assignment, self.cases.api)
                sandbox.step, sandbox.most_seconds = "search", SECONDS
            return tree_calls.searches_of_tree(tree, algorithms, sandbox, question)

    def play(
        self, action: str = "", goes_on: bool = False, shown: int = 0, never_ended: Sequence[str] = (), **game: Any
    ) -> dict[str, Any]:
        """A game (`_game`); one more round of it if there is an `action` of Pacman, or if the game `goes_on`.

        The frames are the pictures of all positions but the first `shown` ones.
        """
        with self._step("play", game.get("pacman", ""), never_ended):
            played = self._game(**game)
            if action or goes_on:
                played.go_on(action)
            result = played.as_data(shown)
            if played.fault and played.fault.traceback:
                self._show_traceback(played.fault.traceback)
            return result

    def look(self, ply: int, search: str, never_ended: Sequence[str] = (), **game: Any) -> dict[str, Any]:
        """What a search knows at the position after `ply` plies of a game (`_game`): values, line, tree and reasons."""
        from autograder.pages.lab.play_calls import overlay_of

        with self._step("look", search, never_ended):
            return overlay_of(self._game(**game).states[ply], self._place(search, game.get("files", {})))

    def _game(
        self,
        layout: str,
        ghosts: Sequence[str] = ("random",),
        seed: int = 0,
        pacman: str = "",
        moves: Sequence[str] = (),
        files: Mapping[str, str] | None = None,
        **known: object,
    ) -> Play:
        """The game after its `moves`. The agent `pacman` is a name, or `FILE:CLASS` with one of the `files`."""
        from autograder.pages.lab.play_calls import Play, Setup

        setup = Setup(layout, tuple(ghosts), seed, self._place(pacman, files or {}))
        if self.game is None or (self.game.setup, self.game.moves) != (setup, [*moves]):
            self.game = Play(setup)
            for move in moves:
                self.game.go_on(move)
        return self.game

    @contextlib.contextmanager
    def _step(self, name: str, agent: str, never_ended: Sequence[str]) -> Iterator[None]:
        """One step of a game, in which an agent may print. InputError if it is known that the step never ends."""
        if name in never_ended:
            raise InputError(f"{agent.rpartition(':')[2]}: no answer within {SECONDS:g} s")
        self.send("step", name=name, seconds=SECONDS)
        printer = cast(TextIO, self.printer)
        with contextlib.redirect_stdout(printer), contextlib.redirect_stderr(printer):
            yield

    def _show_traceback_of(self, error: BaseException) -> None:
        """Prints the traceback of an error in the student's own code."""
        from pacman.play.own_code import own_frames, traceback_text

        if frames := own_frames(None, extract_tb(error.__traceback__)):
            self._show_traceback(traceback_text(error_line(error), frames))

    def _show_traceback(self, text: str) -> None:
        self.printer.write(f"{self._folder_in_text.sub('', text)}\n")

    def _place(self, agent: str, files: Mapping[str, str]) -> str:
        """The name of an agent, with the place of its file. The same files have the same place."""
        name = agent.partition(":")[0]
        if name not in files:
            return agent
        if self.cases.api.name != NATIVE.name:
            raise InputError(f"{name}: a Berkeley-style file cannot play here; run the open cases, or search a tree")
        digest = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:16]
        folder = Path(self._home, digest)
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


def _write(files: Mapping[str, str], folder: Path) -> dict[str, bytes]:
    """Writes files to a folder; returns them as bytes."""
    contents = {name: text.encode("utf-8", "surrogatepass") for name, text in files.items()}
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return contents
