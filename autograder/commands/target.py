"""What a text on a command line names for the grader: a case, its YAML file, or what `pacman.commands.target` reads."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from autograder.cases import loading
from autograder.cases.case import Assignment, Case, Question, SearchInput
from autograder.cases.right_answer import derive
from autograder.cases.truth import searched_roots
from autograder.cases.yaml_file import YamlFile, read
from autograder.platforms import default_assignment
from pacman.commands.options import PositionOptions, SearchOptions
from pacman.commands.target import STDIN, Target, find_target, is_layout, is_tree, read_tree
from pacman.core.errors import InputError, listed, nearest, not_python, reason_of, syntax_error
from pacman.core.files import check_kind, near_file
from pacman.core.layout import names
from pacman.core.tree import Layer
from pacman.core.tree_text import Outline

# ---- the file of a student


def file_and_class(agent: str) -> tuple[Path, str]:
    """The file and the class in FILE[:CLASS]."""
    file, _, class_name = agent.rpartition(":")
    if not file or class_name.endswith(".py") or "/" in class_name or "\\" in class_name:
        return Path(agent), ""
    return Path(file), class_name


def check_python(file: Path, option: str = "--agent", class_name: str = "") -> None:
    """InputError if there is no such file, if it is not valid Python, or if it never mentions this class."""
    try:
        check_kind(file)
        source = file.read_bytes()
        compile(source, str(file), "exec", dont_inherit=True)
    except SyntaxError as error:
        raise syntax_error(file, error) from None
    except ValueError as error:
        raise not_python(str(file), str(error)) from None
    except FileNotFoundError:
        raise InputError(f"{option} {file}: no such file{near_file(file)}") from None
    except OSError as error:
        raise InputError(f"{option} {file}: cannot be read: {reason_of(error)}") from None
    if class_name.encode() not in source and b"import *" not in source:
        classes = [part.name for part in ast.parse(source).body if isinstance(part, ast.ClassDef)]
        raise InputError(f"{option} {file}: no class '{class_name}' in it: {nearest(class_name, classes)}")


def searches_in(file: Path, assignment: Assignment) -> list[Question]:
    """The questions whose searches the file defines, without those that are not written yet."""
    try:
        check_kind(file)
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []  # the command says later what is wrong with the file
    classes = {part.name for part in tree.body if isinstance(part, ast.ClassDef) and not _is_unwritten(part)}
    return [question for question in assignment.questions if question.role == "search" and question.part in classes]


def _is_unwritten(part: ast.ClassDef) -> bool:
    """True for a class whose `search` only raises NotWritten, as in a stub, or which inherits that."""
    searches = [each for each in part.body if isinstance(each, ast.FunctionDef) and each.name == "search"]
    if not searches:
        return [ast.unparse(base) for base in part.bases] == ["SearchAgent"]
    last = searches[-1].body[-1]
    return isinstance(last, ast.Raise) and "NotWritten" in ast.unparse(last)


# ---- a case


def question_in(case_id: str) -> str | None:
    """The question in the ID of a case, as in q2/01-figure; None for a tree, for a file, and for an ID without one."""
    question, slash, _ = case_id.partition("/")
    is_case = slash and "{" not in case_id and Path(case_id).suffix not in loading.ENDINGS
    return question if is_case and not Path(case_id).is_file() else None


def only(assignment: Assignment, questions: str | Sequence[str] | None, case: str | None) -> Assignment:
    """`assignment.only`. In the usual assignment, its error names another one of this project that has the case."""
    try:
        return assignment.only(questions, case)
    except InputError as error:
        others = [name for name in loading.names() if name != assignment.name == default_assignment(None)]
        home = next((name for name in others if case in loading.case_ids(name)), "")
        if not home:
            raise
        first = str(error).partition(": ")[0]
        raise InputError(f"{first}: the assignment {home} has it, --assignment {home}") from None


def choose_case(case_id: str, assignment: Assignment, part: str, plies: int | None, file: Path) -> Case:
    """The case that `case_id` names, for the `part` of the student's `file`; "" is the part of the case's question.

    A search of another question than the case's is judged as that question says. A tree has no question: for it, "" is
    the only search in the file that has been written and allows its layers.

    InputError if there is no such case, or if nothing says its question.
    """
    if is_tree(case_id):
        return _tree_case(read_tree(case_id), case_id, assignment, part, plies, file)
    path = Path(case_id)
    if path.suffix in loading.ENDINGS:
        question = _question_of(assignment, part or path.resolve().parent.name, "" if part else case_id)
        about = assignment.limits, assignment.tolerance, assignment.folder, assignment.names
        return loading.case_of(read(path), question, *about)
    try:
        cases = only(assignment, None, case_id).cases
    except InputError as error:
        if case_id.partition("/")[0] in [each.id for each in assignment.questions] or " known: " not in str(error):
            raise
        hint = near_file(path) or ", and no case: one is named as in q2/01-figure"
        raise InputError(f"{case_id}: no such file{hint}") from None
    if len(cases) > 1:
        raise InputError(f"several cases have the name '{case_id}': {', '.join(case.id for case in cases)}")
    case = cases[0]
    if case.input.hidden:
        raise InputError(f"{case.id} is a hidden case; to run it, give its file: {case.source}")
    if plies is not None:
        raise InputError(f"--plies is for a tree; the case {case.id} has its own depth")
    return _for_part(case, part, assignment) if part else case


def _for_part(case: Case, part: str, assignment: Assignment) -> Case:
    """The case for another part than that of its question. A search is judged as its own question judges it."""
    own = next((each for each in assignment.questions if each.part == part and each.role == case.question.role), None)
    is_search = own and own.role == "search" and set(case.question.layers or ()) <= set(own.layers or Layer)
    return replace(
        case, question=replace(own, id=case.question.id) if own and is_search else replace(case.question, part=part)
    )


def _tree_case(tree: Outline, source: str, assignment: Assignment, part: str, plies: int | None, file: Path) -> Case:
    """A case with a search of this tree, for the question that grades `part`; "" for one that suits the tree."""
    layers = {layer.value for layer in loading.layers_in(tree)}
    fitting = [each for each in assignment.questions if not each.layers or layers <= {*each.layers}]
    searches = searches_in(file, assignment)
    parts = [each.part for each in searches if each in fitting]
    if part:
        question = _question_of(assignment, part)
        if question not in fitting:
            others = f"; in {file}, {listed(parts)} can search this tree" if parts else ""
            expectation = f"{', '.join(question.layers or ())}, and this tree has {', '.join(sorted(layers))}"
            raise InputError(f"--agent: {question.part} is for the layers {expectation}{others}")
    elif len(parts) > 1:
        problem = f"{listed(parts)} can search this tree; name one of them, as in {file}:{parts[0]}"
        raise InputError(f"--agent {file}: {problem}")
    elif not parts:
        problem = "no search in it allows all layers of this tree" if searches else "no search is written in it"
        suitable = [each.part for each in fitting if each.role == "search"] or ["a class with a search"]
        raise InputError(f"--agent {file}: {problem}; expected {' or '.join(suitable)}")
    else:
        question = next(each for each in searches if each in fitting)
    if plies is not None and plies < 0:
        raise InputError(f"--plies {plies}: expected 0 or more")
    cuts = [case.input.cut for case in assignment.of(question) if isinstance(case.input, SearchInput)]
    keys = {
        "kind": "tree",
        "shows": "a tree",
        "tree": str(tree),
        "plies": tree.height() if plies is None else plies,
        "cut": cuts[0] if cuts else "equal",
    }
    name = source if source == STDIN or Path(source).is_file() else "tree"
    return loading.case_of(YamlFile(Path(name), keys, {}), question, assignment.limits, assignment.tolerance)


def _question_of(assignment: Assignment, name: str, file: str = "") -> Question:
    """The question that grades the part of that name, or that has this id; for a search if there are several."""
    matches = [question for question in assignment.questions if name in (question.part, question.id)]
    if not matches:
        parts = [question.part for question in assignment.questions]
        if file:
            raise InputError(f"{file}: this file does not say its question; name the class, as in FILE:{parts[0]}")
        raise InputError(f"--agent: no question of '{assignment.name}' grades {name}: {nearest(name, parts)}")
    return min(matches, key=lambda question: question.role != "search")


# ---- what `explain` shows


def searched_part(
    text: str, assignment: Assignment, file: Path, class_name: str, plies: int | None
) -> tuple[Question, Case | None]:
    """The question that grades the search in a student's file, and the case that `text` names; no case for a layout.

    Without a class it is that of the case's question, or the only search in the file that is written.
    """
    check_python(file, class_name=class_name)
    search_names = [question.part for question in searches_in(file, assignment)]
    if is_layout(text):
        if not class_name:
            parts = search_names or ["MinimaxAgent"]
            known = f"; it has {', '.join(parts)}" if parts[1:] else ""
            example = f"{file}:{parts[0]}"
            raise InputError(f"--agent {file}: name the class that searches the layout, as in {example}{known}")
        question, case = _question_of(assignment, class_name), None
    else:
        case = choose_case(text, assignment, class_name, plies, file)
        if case.has_truth and not class_name and search_names and case.question.part not in search_names:
            if len(search_names) > 1:
                problem = f"{case.question.part} is not written in it, but {listed(search_names)}; name one of them"
                raise InputError(f"--agent {file}: {problem}, as in {file}:{search_names[0]}")
            case = choose_case(text, assignment, search_names[0], plies, file)
        question = _searchable(case).question
    if question.role != "search":
        raise InputError(f"--agent: {question.part} is no search, so there is nothing to step through")
    return question, case


def searched_target(
    text: str, assignment: str, search: SearchOptions, position: PositionOptions, case: Case | None = None
) -> Target:
    """The tree, the first position of the layout, or the first search of the case, also of one that is known."""

    def case_of(text: str) -> Target | None:
        if case is None and is_tree(text):
            return None
        try:
            choice = case or choose_case(
                text, loading.load(assignment, cases_of=question_in(text)), "", search.plies, Path()
            )
        except InputError:
            if "/" in text or Path(text).exists():
                raise
            known = get_close_matches(text, names(), n=1)
            hint = f"did you mean {known[0]}?" if known else "a case is named as in q2/01-figure"
            raise InputError(f"no file with a tree, no case and no layout '{text}'; {hint}") from None
        root, plies = next(searched_roots(_searchable(choice), derive(choice)))
        return Target(text if case else choice.id, root, plies, search.options)

    target = find_target(text, search, position, case_of)
    return replace(
        target, name="standard input" if target.name == STDIN else "a tree" if "{" in target.name else target.name
    )


def _searchable(case: Case) -> Case:
    """The case, if it has a search to show; otherwise InputError."""
    if not case.has_truth:
        raise InputError(f"{case.id} has no search to show; choose a case with a tree or a position")
    return case
