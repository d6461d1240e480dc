"""What a student gets: the framework, the grader, the stub, the handout, and the public cases.

`autograder.shipped` names the files of the project that are in a release.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path

from autograder.cases.case import Assignment, layout_path
from autograder.cases.ghosts import own_file
from autograder.cases.hidden import has_drawn_cases, has_matches
from autograder.cases.right_answer import derive
from autograder.cases.yaml_file import read, write
from autograder.judge.points_as_text import percent
from autograder.shipped import KIT, ROOT, known_files, zip_bytes
from pacman import __version__
from pacman.core.errors import InputError, counted, reason_of
from pacman.core.layout import names
from pacman.program_imports import DISTRIBUTION

TEMPLATES = Path(__file__).with_name("templates")
STUBS = {"native": "my.py", "cs188": "multiAgents.py"}
"""The name of the file that a student edits, by the API."""
SEARCHES = {
    "pacman/search/exhaustive.py": "minimax, expectimax and expectiminimax in one short function, without cuts",
    "pacman/search/alphabeta.py": "alpha-beta",
    "pacman/search/star1.py": "alpha-beta with cuts at chance nodes (Star1)",
    "pacman/search/star2.py": "Star1 with probes (Star2 and Star2.5)",
    "pacman/search/deepening.py": "iterative deepening: one of these searches with more and more plies",
    "pacman/compiled/searches.py": "the same searches for the compiler numba, with a stack in arrays",
    "pacman/play/exact.py": "the value of every position of a small board, by sweeps over all positions",
    "autograder/cases/truth.py": "the value of a tree without cuts, with the least number of nodes that prove it",
    "autograder/judge/wrong_searches.py": "the right search as text, with the edits for each known mistake",
}
"""Path in the release -> what the search is; all other files only call it. Ghosts, overlays and the grader need these
searches, so students can read them. Staff who read submissions can compare a student's search with them.
"""
LEAST = 80
"""The characters of a text that cannot be the same as that of an answer by chance; it also has at least two lines."""
STAFF = ("stub", "solutions")
"""The keys of assignment.yaml that name files for staff."""


def release(assignment: Assignment) -> bytes:
    """The zip for students of an assignment; the same tree gives the same bytes.

    InputError if the assignment has no public case, if a public case has no right answer, or if a file contains a
    sample answer.
    """
    shipped = {name: path.read_bytes() for name, path in {**known_files(KIT), **layout_files(assignment)}.items()}
    files = {**shipped, **assignment_files(assignment), **top_files(assignment)}
    refuse_answers(assignment, files, STUBS[assignment.api])
    return zip_bytes({f"{assignment.name}/{name}": content for name, content in files.items()})


def layout_files(assignment: Assignment) -> dict[str, Path]:
    """The layouts that an instructor has added to those of the project, and that a public case names."""
    used = {getattr(case.input, "layout", "") for case in open_part(assignment).cases}
    return {f"layouts/{name}.lay": ROOT / "layouts" / f"{name}.lay" for name in names() if name in used}


def assignment_files(assignment: Assignment) -> dict[str, bytes]:
    """assignment.yaml, and the public cases with their layouts: without files for staff and hidden questions."""
    public = open_part(assignment)
    if not public.cases:
        raise InputError(f"{assignment.folder}: no public case; students need at least one case that is not hidden")
    folder = f"autograder/assignments/{assignment.name}"
    requires = {each.id: each.requires for each in public.questions}
    keys = {key: value for key, value in read(assignment.folder / "assignment.yaml").data.items() if key not in STAFF}
    known = ({**each, "requires": requires[each["id"]]} for each in keys["questions"] if each["id"] in requires)
    keys["questions"] = [{key: value for key, value in each.items() if key != "requires" or value} for each in known]
    files = {f"{folder}/assignment.yaml": write(keys).encode()}
    for case in public.cases:
        files[f"{folder}/cases/{case.source.parent.name}/{case.source.name}"] = case.source.read_bytes()
        if layout := layout_path(getattr(case.input, "layout", ""), Path()):
            files[f"{folder}/{layout.as_posix()}"] = (assignment.folder / layout).read_bytes()
        files |= {f"{folder}/{name}": text.encode() for name, text in case.ghost_files.items()}
        if case.has_truth:
            derive(case)  # a case without a right answer must not reach a student
    return files


def top_files(assignment: Assignment) -> dict[str, bytes]:
    """The files at the top of a release: the stub to edit, the handout, a README, and what pip and the law need."""
    name, handout = STUBS[assignment.api], assignment.folder / "handout.md"
    files = {"README.md": readme(assignment).encode(), "pyproject.toml": pyproject().encode()}
    licence = ROOT / "LICENSE"  # of the checkout, or else of the installed package
    try:
        text = "" if licence.is_file() else metadata.distribution(DISTRIBUTION).read_text("licenses/LICENSE")
        files["LICENSE"] = licence.read_bytes() if text == "" else (text or "").encode()
    except metadata.PackageNotFoundError:
        files["LICENSE"] = b""
    if not files["LICENSE"]:
        raise InputError("the file LICENSE of this project is missing; install the project again")
    if assignment.stub is not None:
        try:
            files[name] = assignment.stub.read_bytes().replace(b"agents/student.py", name.encode())
        except OSError as error:
            raise InputError(f"{assignment.stub}: the stub cannot be read: {reason_of(error)}") from None
    if assignment.folder.resolve() not in handout.resolve().parents:
        raise InputError(f"{handout}: a link that leads out of the folder of the assignment; put the file itself there")
    if handout.is_file():
        files["handout.md"] = handout.read_bytes()
    return files


def refuse_answers(assignment: Assignment, files: Mapping[str, bytes], stub: str) -> None:
    """InputError if one of the files contains a function of a sample solution or of a style, also as a comment.

    What the file with the name `stub` gives to students as the same function is no answer.
    """
    of_stub = set(_functions(files.get(stub, b"")))
    texts = {name: f"\n{_plain(content.decode('utf-8', 'replace'))}\n" for name, content in files.items()}
    for path in assignment.answers:
        if path.suffix == ".py" and path.is_file():
            for function, body in set(_functions(path.read_bytes())) - of_stub:
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


def pyproject() -> str:
    """The pyproject.toml of a release."""
    return (TEMPLATES / "pyproject.txt").read_text(encoding="utf-8").replace("VERSION", __version__)


def readme(assignment: Assignment) -> str:
    """The README of a release: the commands of a student, and what the course does that this grader does not."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only staff needs it

    file, public = STUBS[assignment.api], open_part(assignment)
    match = next((case for case in public.cases if case.ghost_files), None)
    ghosts = [name for name in getattr(match.input, "ghosts", ()) if own_file(name)] if match else []
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(percent=percent, counted=counted)
    return environment.get_template("readme.md").render(
        assignment=assignment,
        public=public,
        file=file,
        grade=f"python -m autograder grade {file}",
        first=public.cases[0],
        match=match,
        ghosts=",".join(f"autograder/assignments/{assignment.name}/{name}" for name in ghosts),
        search=next((case for case in public.cases if case.question.role == "search"), None),
        whole=", ".join(each.id for each in public.questions if each.all_or_nothing),
        has_handout=(assignment.folder / "handout.md").is_file(),
        is_drawn=has_drawn_cases(assignment),
        has_games=has_matches(assignment),
    )


def open_part(assignment: Assignment) -> Assignment:
    """The assignment with its open cases, and without the questions that have only hidden ones."""
    cases = [case for case in assignment.cases if not case.input.hidden]
    ids = {case.question.id for case in cases}
    questions = {
        each.id: replace(each, requires={name: share for name, share in each.requires.items() if name in ids})
        for each in assignment.questions
        if each.id in ids
    }
    own = tuple(replace(case, question=questions[case.question.id]) for case in cases)
    return replace(assignment, questions=tuple(questions.values()), cases=own)
