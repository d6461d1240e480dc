"""`python -m autograder new-case`: writes a case from a position, or a tree that distinguishes two known mistakes."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Annotated, Any, cast

import typer
from rich.console import Console

from autograder.cases import loading, right_answer
from autograder.cases.case import Cut, Question
from autograder.cases.yaml_file import parse, write
from autograder.judge.examination.hypotheses import all_names, mistakes_by_name
from autograder.judge.examination.questions import Scope
from autograder.strength import distinguishing_tree
from pacman.commands.started_as import as_started
from pacman.core.errors import InputError, nearest
from pacman.core.outline import Outline
from pacman.core.text_file import read_text

RIGHT = "right"

QuestionOption = Annotated[str, typer.Option(metavar="ID", help="Write the case for this question, for example q3.")]
AssignmentOption = Annotated[
    str, typer.Option(metavar="NAME", help="Write it for this assignment: a name, or a folder with assignment.yaml.")
]
DistinguishOption = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="Find a small tree on which these two searches give different results. A and B are names of known "
        "mistakes, for example no-cut, or `right` for the right search. A wrong name prints all names.",
    ),
]
CutOption = Annotated[
    str,
    typer.Option(
        metavar="WHEN",
        help="With --distinguish: the right rule for a cut: alpha >= beta (equal), alpha > beta (strict), or one of "
        "the two (either).",
    ),
]
LayoutOption = Annotated[
    str | None,
    typer.Option("--layout", "-l", metavar="NAME", help="Write a position of this layout: a name, or a .lay file."),
]
GhostsOption = Annotated[
    str,
    typer.Option(
        "--ghosts",
        "-g",
        metavar="KIND,...",
        help="With --layout: one kind for each ghost (random, directional or optimal), for example random,optimal.",
    ),
]
SeedOption = Annotated[
    int, typer.Option(metavar="N", help="Start the ghosts' moves or the random trees from this seed.")
]
RoundsOption = Annotated[int, typer.Option(metavar="N", help="With --layout: search N rounds ahead.")]
MovesOption = Annotated[int, typer.Option(metavar="N", help="With --layout: make N moves of Pacman, one search each.")]
AcceptOption = Annotated[
    str,
    typer.Option(
        metavar="ACTION,...", help="For a question with role: choice: the right actions, for example West,East."
    ),
]
ShowsOption = Annotated[str | None, typer.Option(metavar="TEXT", help="Describe the case in one line, for students.")]
HiddenOption = Annotated[bool, typer.Option("--hidden", help="Let students learn only whether the case passed.")]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE.yaml", help="Write the case to this new file. [default: print it]"),
]


def new_case(
    question: QuestionOption,
    assignment: AssignmentOption = "multiagent",
    distinguish: DistinguishOption = None,
    cut: CutOption = "equal",
    layout: LayoutOption = None,
    ghosts: GhostsOption = "",
    seed: SeedOption = 1,
    rounds: RoundsOption = 1,
    moves: MovesOption = 1,
    accept: AcceptOption = "",
    shows: ShowsOption = None,
    hidden: HiddenOption = False,
    out: OutOption = None,
) -> None:
    """Write a new case: a position of a layout, or a small tree on which two searches give different results.

    \b
    Examples:
      python -m autograder new-case --question q3 --distinguish no-cut,strict-cut
      python -m autograder new-case --question q2 --layout nook --ghosts optimal --rounds 2
      python -m autograder new-case --question q2 --distinguish ply-short,right --out my-case.yaml
    """
    loaded = loading.load(assignment, growing=True).only(question, None)
    chosen = loaded.questions[0]
    for option, number, unit in (("--rounds", rounds, "round"), ("--moves", moves, "move")):
        if number < 1:
            raise InputError(f"{option} {number}: expected at least 1 {unit}")
    if (distinguish is None) == (layout is None):
        raise InputError("expected either --distinguish A,B (a tree) or --layout NAME (a position)")
    if out is not None and out.exists():
        raise InputError(f"--out {out}: this file exists already; choose another name")
    if distinguish is not None:
        content = _tree(chosen, distinguish, cut, seed, shows)
    else:
        assert layout is not None
        content = _position(layout, ghosts, seed, rounds, moves, accept, shows)
    if hidden:
        content["hidden"] = True
    text = write(content)
    # Check the case as the grader will read it, and that a reference can be derived.
    case = loading.case_of(parse(text, out or Path(f"{question}.yaml")), chosen, loaded.limits)
    if case.has_reference:
        right_answer.derive(case)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"--out {out}: cannot be written: {(error.strerror or str(error)).lower()}") from None
    size = f", {case.root.size()} nodes" if isinstance(case.root, Outline) else ""
    record = as_started(f"python -m autograder record --assignment {assignment}")
    typer.echo(f"{out}{size}; record its reference with: {record}")


def _position(
    layout: str, ghosts: str, seed: int, rounds: int, moves: int, accept: str, shows: str | None
) -> dict[str, Any]:
    """The content of a case with a position; the drawing of a layout file becomes a part of it."""
    name_or_drawing = layout
    if layout.endswith(".lay") or "/" in layout or "\\" in layout:
        try:
            rows = read_text(Path(layout)).strip("\n").split("\n")
            name_or_drawing = "".join(f"{row.rstrip()}\n" for row in rows)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"--layout {layout}: cannot be read: {getattr(error, 'strerror', None) or error}"
            ) from None
    content: dict[str, Any] = {
        "kind": "position",
        "shows": shows or f"a position of {Path(layout).stem} against {ghosts or 'no ghosts'}",
        "layout": name_or_drawing,
        "ghosts": [ghost.strip() for ghost in ghosts.split(",")] if ghosts else [],
        "seed": seed,
        "rounds": rounds,
        "moves": moves,
    }
    if accept:
        content["accept"] = [action.strip() for action in accept.split(",")]
    return content


def _tree(question: Question, distinguish: str, cut: str, seed: int, shows: str | None) -> dict[str, Any]:
    """The content of a case with a small tree that distinguishes two mistakes, or a mistake and the right search."""
    if question.role != "search":
        raise InputError(
            f"--distinguish: {question.id} is a question of the role {question.role}; "
            "known mistakes exist only for a search"
        )
    if cut not in ("equal", "strict", "either"):
        raise InputError(f"--cut: no value '{cut}': {nearest(cut, ['equal', 'strict', 'either'])}")
    names = [name.strip() for name in distinguish.split(",")]
    names += [RIGHT] if len(names) == 1 else []
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(f"--distinguish {distinguish}: expected two different mistakes, for example no-cut,strict-cut")
    possible = mistakes_by_name(Scope.of(question))
    for name in names:
        if name not in possible and name != RIGHT:
            every = all_names()
            if name in every:
                problem = f"the mistake '{name}' cannot happen in {question.id} ({question.reference} search)"
                raise InputError(f"--distinguish: {problem}; known: {', '.join(sorted([*possible, RIGHT]))}")
            suggestion = nearest(name, every)
            if not suggestion.startswith("did you mean"):
                suggestion = nearest(name, [*possible, RIGHT])
            raise InputError(f"--distinguish: no known mistake '{name}': {suggestion}")
    first, second = (possible.get(name) for name in names)
    console = Console(stderr=True)
    with console.status("looking for a tree") as status:

        def on_progress(tries: int, smallest: Outline | None) -> None:
            size = f", the smallest suitable tree so far has {smallest.size()} nodes" if smallest else ""
            status.update(f"{tries:,} random trees tried{size}")

        match = distinguishing_tree.find_tree(question, first, second, cast(Cut, cut), Random(seed), on_progress)
    if match is None:
        raise InputError(
            f"--distinguish {distinguish}: none of {distinguishing_tree.TRIES:,} trees "
            f"distinguishes {names[0]} from {names[1]}; in {question.id} they may be equivalent"
        )
    tree, plies = match
    content: dict[str, Any] = {
        "kind": "tree",
        "shows": shows or f"distinguishes {names[0]} from {'the right search' if names[1] == RIGHT else names[1]}",
        "plies": plies,
    }
    if cut != "equal":
        content["cut"] = cut
    return content | {"tree": f"{tree}\n"}
