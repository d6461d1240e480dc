"""The search of a student's agent for `explain`: runs in the sandbox, and is compared with the right search."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.cases import loading, right_answer
from autograder.cases.case import Question, SearchInput
from autograder.cases.reference import searched_roots
from autograder.commands.case import check_python, file_and_class
from autograder.commands.case_choice import choose_case, question_of, searches_in
from autograder.grading.submission import find_candidate
from autograder.judge.watched_run import WatchedRun
from autograder.pages.explorer.events import DrawnNode, Recording
from autograder.pages.explorer.page_of_search import Difference
from autograder.pages.explorer.student import compared_run
from autograder.platforms import default_assignment, load_assignment, submission_api
from autograder.sandbox import Sandbox, check_sandbox, submission_files
from autograder.sandbox.watched_search import watch_search
from pacman.core.errors import InputError
from pacman.core.layout import names
from pacman.core.state import GameState
from pacman.core.tree import Node


@dataclass(frozen=True)
class ExplainedAgent:
    """A student's file, its class, and the question that grades it. `cut` is that of the case."""

    file: Path
    api: str
    assignment: str
    question: Question
    cut: str = "equal"
    root: Node | None = None
    plies: int = 0

    @classmethod
    def choose(
        cls, agent: str, api: str | None, assignment: str | None, target: str, plies: int | None
    ) -> ExplainedAgent:
        """The agent in FILE[:CLASS], and the tree or position that `target` names; no root for a layout.

        Without a class it is that of the case's question, or the only search in the file that is written.
        """
        name = assignment or default_assignment(api)
        loaded, chosen = load_assignment(name, api)
        file, class_name = file_and_class(agent)
        check_python(file)
        if target in names():
            if not class_name:
                parts = [question.part for question in searches_in(file, loaded)] or ["MinimaxAgent"]
                known = f"; it has {', '.join(parts)}" if parts[1:] else ""
                example = f"{file}:{parts[0]}"
                raise InputError(f"--agent {file}: name the class that searches the layout, as in {example}{known}")
            return cls(file, chosen.name, name, _search_of(question_of(loaded, class_name)))
        case = choose_case(target, loaded, class_name, plies, file)
        written = [question.part for question in searches_in(file, loaded)]
        if not class_name and written and case.question.part not in written:
            if len(written) > 1:
                problem = f"{case.question.part} is not written in it, but {' and '.join(written)}; name one of them"
                raise InputError(f"--agent {file}: {problem}, as in {file}:{written[0]}")
            case = choose_case(target, loaded, written[0], plies, file)
        question = _search_of(case.question)
        if not case.has_reference or not isinstance(case.input, SearchInput):
            raise InputError(f"{case.id} has no search to show; choose a case with a tree or a position")
        root, depth = next(searched_roots(case, right_answer.derive(case)))
        return cls(file, chosen.name, name, question, case.input.cut, root, depth)

    @property
    def algorithm(self) -> str:
        """The search that the question asks for."""
        return "alphabeta" if self.question.reference == "alphabeta" else "exhaustive"

    def record(self, root: Node, plies: int, nodes: tuple[DrawnNode, ...]) -> tuple[Recording, Difference]:
        """The recording of the agent's search of `root`, and its first difference from the right one."""
        run, code = self._run(root, plies, nodes)
        return compared_run(run, self.question, self.cut, root, plies, nodes, code)

    def _run(self, root: Node, plies: int, nodes: tuple[DrawnNode, ...]) -> tuple[WatchedRun, list[str]]:
        files = submission_files.read(self.file, ())
        loaded = loading.load(self.assignment)
        rounds = max(1, plies // len(root.layers)) if isinstance(root, GameState) else 1
        actions = frozenset(node.action for node in nodes)
        with Sandbox(files, loaded.limits, check_sandbox(), self.api) as sandbox:
            sandbox.main_file = find_candidate(self.file, sandbox, loaded, submission_api(self.api))
            run = watch_search(sandbox, self.question, root, plies, rounds, len(nodes), actions)
            return run, files.lines(sandbox.main_file)


def _search_of(question: Question) -> Question:
    """The question, if it grades a search. InputError otherwise."""
    if question.role != "search":
        raise InputError(f"--agent: {question.part} is no search, so there is nothing to step through")
    return question
