"""`python -m autograder purge`: erases old submissions from a store."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from typing import Annotated

import typer

from autograder.commands.shared.options import StoreOption


def purge(
    store: StoreOption,
    before: Annotated[
        str, typer.Option(metavar="DATE", help="Erase what was handed in before this date, as in 2026-11-22 (UTC).")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Erase. Without it, only print what would be erased.")] = False,
) -> None:
    """Erase old submissions with all that was found out about them, and students who then have none.

    Prints first what is erased and what stays. Nothing can be brought back. Tables, reports and copies of the store
    that you made are not touched.

    \b
    Examples:
      python -m autograder purge --store class.db --before 2026-10-01
      python -m autograder purge --store class.db --before 2026-10-01 --yes
    """
    from autograder.course.marks.attempts import works
    from autograder.course.marks.late import read_date
    from autograder.course.marks.purge import plan
    from autograder.course.store import Store, single_grading
    from pacman.core.words import counted

    date = read_date("--before", before)
    with single_grading(store) if yes else nullcontext(), Store.open(store) as opened:
        counts: Counter[int] = Counter()
        every = []
        for name in opened.assignments():
            counts.update(result.submission_id for result in opened.results(name))
            every.append(works(opened.students(), opened.attempts(name), opened.last_results(name)))
        erasure = plan(every, counts, date)
        for line in erasure.lines:
            typer.echo(line)
        if not yes:
            typer.echo("nothing is erased yet; to erase, add --yes")
        elif erasure.submissions:
            opened.erase(erasure.submissions, erasure.students)
            opened.compact()
            opened.add_event(
                "purge",
                f"before {before}: erased {counted(len(erasure.submissions), 'submission')} and "
                f"{counted(len(erasure.students), 'student')}",
            )
