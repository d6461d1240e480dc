"""`python -m autograder doctor`: tries small escapes against each wall of the sandbox on this machine."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from autograder.sandbox.fork_server import Walls

STYLES = {"none": "", "open": "red", "shut": "green"}


def doctor() -> None:
    """Check how strong the sandbox for submissions is on this machine.

    Each row is an attempt to escape from the sandbox. Each column is one wall of the sandbox, tested alone; the last
    column is all walls together, as in grading. `open`: the attempt succeeded; `shut`: the wall stopped it.

    Exit status: 0 strong enough to grade other people's work, 1 not.

    \b
    Examples:
      python -m autograder doctor
    """
    from rich.console import Console
    from rich.text import Text

    from autograder.report.terminal import plain_table
    from autograder.sandbox import check_sandbox
    from autograder.sandbox.fork_server import Walls

    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{platform.system()} {platform.release()}, {platform.machine()}, Python {platform.python_version()}")
    check = check_sandbox()
    if sys.platform != "win32":
        walls = {"limits": Walls(), "Landlock": Walls(landlock=True), "seccomp": Walls(seccomp=True)}
        columns = {name: _escapes(each) for name, each in (walls | {"user": Walls(uid=True)}).items()}
        columns[f"= {check.level.value}"] = check.escapes
        table = plain_table("escape", *columns, no_wrap=True)
        for escape in check.escapes:
            stops = [
                "none" if isinstance(each, str) else "open" if each[escape] is None else "shut"
                for each in columns.values()
            ]
            table.add_row(escape, *(Text(stop, style=STYLES[stop]) for stop in stops))
        console.print(table)
        for name, escapes in columns.items():
            if isinstance(escapes, str):
                console.print(f"the wall '{name}' is not available on this machine: {escapes}")
    console.print()
    for reason in check.reasons:
        console.print(reason)
    verdict = "safe for other people's work" if check.level.is_safe else "safe only for your own work"
    console.print(Text(f"{check.level.text}: {verdict}", style="bold"))
    raise typer.Exit(0 if check.level.is_safe else 1)


def _escapes(walls: Walls) -> Mapping[str, str | None] | str:
    """What stopped each escape, None for one that succeeded; a text if these walls are not available here."""
    from autograder.sandbox import SessionBroken
    from autograder.sandbox.fork_server import NotStarted
    from autograder.sandbox.sandbox_level import probe

    try:
        return probe(walls)
    except (NotStarted, SessionBroken) as error:
        return str(error)
