"""`python -m autograder new-case`: writes a case, from a position, or a tree that tells two known mistakes apart."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Annotated, Any, cast

import typer
from rich.console import Console

from autograder.cases import loading, reference_recorder
from autograder.cases.case import Cut, Question
from autograder.cases.yaml_file import parse, write
from autograder.commands import distinguishing_tree
from autograder.judge.mistakes.known_mistakes import ROWS, possible_mistakes
from pacman.core.errors import InputError, nearest
from pacman.core.outline import Outline

RIGHT = "right"

QuestionOption = Annotated[str, typer.Option(metavar="q3", help="The question that the case is for.")]
AssignmentOption = Annotated[str, typer.Option(metavar="NAME", help="A name, or a folder with assignment.yaml.")]
TellOption = Annotated[
    str | None,
    typer.Option(metavar="A,B", help="Find a tree that tells these known mistakes apart; 'right' is the right search."),
]
CutOption = Annotated[str, typer.Option(help="With --tell: when alpha-beta may cut: equal, strict or either.")]
LayoutOption = Annotated[str | None, typer.Option(help="A position: a layout's name, or its file.")]
GhostsOption = Annotated[str, typer.Option(metavar="KIND,KIND,...", help="random, directional, optimal.")]
SeedOption = Annotated[int, typer.Option(help="Of the ghosts' moves, or of the random trees.")]
RoundsOption = Annotated[int, typer.Option(min=1, help="With --layout: how far to look ahead.")]
MovesOption = Annotated[int, typer.Option(min=1, help="With --layout: how many searches of the line of play.")]
AcceptOption = Annotated[str, typer.Option(metavar="ACTION,...", help="The right actions, where no search is asked.")]
ShowsOption = Annotated[str | None, typer.Option(help="The case's purpose in one line.")]
HiddenOption = Annotated[bool, typer.Option("--hidden", help="Students learn only whether it was passed.")]
OutOption = Annotated[Path | None, typer.Option(metavar="FILE.yaml", help="Where to; by default it is printed.")]


def new_case(
    question: QuestionOption,
    assignment: AssignmentOption = "multiagent",
    tell: TellOption = None,
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
    """Write a case: a position of a layout, or a small tree that tells two mistakes apart."""
    loaded = loading.load(assignment, growing=True).only(question, None)
    asked = loaded.questions[0]
    if (tell is None) == (layout is None):
        raise InputError("give either --tell A,B for a tree, or --layout for a position")
    if out is not None and out.exists():
        raise InputError(f"--out {out}: is there already; a case is not overwritten")
    if tell is not None:
        said = _tree(asked, tell, cut, seed, shows)
    else:
        assert layout is not None
        said = _position(layout, ghosts, seed, rounds, moves, accept, shows)
    if hidden:
        said["hidden"] = True
    text = write(said)
    # As the grader will read it, with a reference that can be derived.
    case = loading.case_of(parse(text, out or Path(f"{question}.yaml")), asked, loaded.limits)
    if case.has_reference:
        reference_recorder.derive(case)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"--out {out}: cannot be written: {(error.strerror or str(error)).lower()}") from None
    size = f", {case.root.size()} nodes" if isinstance(case.root, Outline) else ""
    typer.echo(f"{out}{size}; record its reference with: python -m autograder record --assignment {assignment}")


def _position(
    layout: str, ghosts: str, seed: int, rounds: int, moves: int, accept: str, shows: str | None
) -> dict[str, Any]:
    drawn = layout
    if layout.endswith(".lay") or "/" in layout or "\\" in layout:
        try:
            rows = Path(layout).read_text(encoding="utf-8").strip("\n").split("\n")
            drawn = "".join(f"{row.rstrip()}\n" for row in rows)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"--layout {layout}: cannot be read: {getattr(error, 'strerror', None) or error}"
            ) from None
    said = {
        "kind": "position",
        "shows": shows or f"a position of {Path(layout).stem} against {ghosts or 'no ghosts'}",
        "layout": drawn,
        "ghosts": [ghost.strip() for ghost in ghosts.split(",")] if ghosts else [],
        "seed": seed,
        "rounds": rounds,
        "moves": moves,
    }
    if accept:
        said["accept"] = [action.strip() for action in accept.split(",")]
    return said


def _tree(question: Question, tell: str, cut: str, seed: int, shows: str | None) -> dict[str, Any]:
    if question.role != "search":
        raise InputError(f"--tell: {question.id} asks for a {question.role}; known mistakes are made in a search")
    if cut not in ("equal", "strict", "either"):
        raise InputError(f"--cut {cut}: {nearest(cut, ['equal', 'strict', 'either'])}")
    names = [name.strip() for name in tell.split(",")]
    names += [RIGHT] if len(names) == 1 else []
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(f"--tell {tell}: two different mistakes were expected, as in no-cut,strict-cut")
    possible = {row.name: row for row in possible_mistakes(question)}
    for name in names:
        if name not in possible and name != RIGHT:
            if name in (row.name for row in ROWS):
                raise InputError(f"--tell: '{name}' cannot happen in {question.id}, an {question.reference} search")
            raise InputError(f"--tell: '{name}' is no known mistake: {nearest(name, [*possible, RIGHT])}")
    one, other = (possible.get(name) for name in names)
    console = Console(stderr=True)
    with console.status("looking for a tree") as status:

        def watch(tried: int, smallest: Outline | None) -> None:
            size = f", the smallest found has {smallest.size()} nodes" if smallest else ""
            status.update(f"{tried:,} random trees tried{size}")

        found = distinguishing_tree.find_tree(question, one, other, cast(Cut, cut), Random(seed), watch)
    if found is None:
        raise InputError(
            f"no tree in {distinguishing_tree.TRIES:,} tells {names[0]} from {names[1]}: "
            f"in {question.id} they may come to the same"
        )
    tree, plies = found
    said: dict[str, Any] = {
        "kind": "tree",
        "shows": shows or f"tells {names[0]} from {'the right search' if names[1] == RIGHT else names[1]}",
        "plies": plies,
    }
    if cut != "equal":
        said["cut"] = cut
    return said | {"tree": f"{tree}\n"}
