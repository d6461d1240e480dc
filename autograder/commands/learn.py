"""Pages to learn from: `explain` steps through searches of a tree or a position; `practice` asks what comes next."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.shared.options import GradedAssignmentOption, ImpliedApiOption
from autograder.commands.shared.report_file import check_report_file
from pacman.commands.options import PositionOptions, SearchOptions, check_algorithm
from pacman.search.algorithms import ALGORITHMS, AUTO, DEEPENING


def explain(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TREE|CASE|LAYOUT",
            help="A text file with a tree, - for a tree on the standard input, a tree in one line "
            "('max { a: 3; b: 5 }'), a case of the assignment (q2/01-figure), the YAML file of a case, or a layout.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.html", help="Write the page to this file.")],
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            metavar="NAME",
            help=f"Search to show: {', '.join(ALGORITHMS)}, {DEEPENING}, or {AUTO} (chooses for you). Give it again to "
            f"show several searches side by side. Default: alphabeta.",
        ),
    ] = None,
    search: SearchOptions = SearchOptions(),
    position: PositionOptions = PositionOptions(),
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="Show the search in this file, given as FILE or FILE:CLASS, beside the right one, with the first "
            "difference. It runs in the sandbox. CLASS is necessary for a layout.",
        ),
    ] = None,
    predict: Annotated[
        bool, typer.Option("--predict", help="Ask on the page what the first search does next; for a whole tree.")
    ] = False,
    assignment: GradedAssignmentOption = None,
    api: ImpliedApiOption = None,
) -> None:
    """Write a page that steps through a search: windows, values, cuts and probes, with the arithmetic of each node.

    The page is one file. It works without a network, by mouse and by keyboard.

    \b
    Examples:
      python -m autograder explain 'max { a: 3; b: min { x: 2; y: 8 } }' --out tree.html
      python -m autograder explain tree.txt --algorithm star1 --algorithm star2 --out tree.html
      python -m autograder explain q2/01-figure --out case.html
      python -m autograder explain q2/01-figure --agent my.py --out mine.html
      python -m autograder explain nook --ghosts random --rounds 1 --algorithm star1 --out nook.html
    """
    from autograder.commands.shared.explained_search import explained

    check_report_file(out)
    for name in algorithm or ():
        check_algorithm(name, DEEPENING)
    explained(target, algorithm or (), search, position, agent, predict, assignment, api, out)


def practice(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.html", help="Write the page to this file.")] = Path(
        "practice.html"
    ),
) -> None:
    """Write a page on which students predict what a search does next. It needs no network and gives no marks.

    The page has fifteen trees, from minimax to alpha-beta. It asks for values, windows, cuts and actions. For a
    wrong answer, it says which mistake the answer fits. All answers are in the page.

    \b
    Examples:
      python -m autograder practice
      python -m autograder practice --out predict.html
    """
    from autograder.commands.shared.report_file import save_report
    from autograder.pages.practice import practice_page

    check_report_file(out)
    save_report(out, practice_page())
    typer.echo(f"{out}: written")
