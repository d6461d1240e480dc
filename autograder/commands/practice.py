"""`python -m autograder practice`: writes the page on which students predict what searches do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.shared.report_file import check_report_file, save_report


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
    from autograder.pages.practice import practice_page

    check_report_file(out)
    save_report(out, practice_page())
    typer.echo(f"{out}: written")
