"""`python -m autograder doctor`: which walls this machine gives around graded code, each tried with small escapes."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.sandbox import SessionBroken, check_sandbox
from autograder.sandbox.fork_server import NotStarted, Walls
from autograder.sandbox.sandbox_level import Level, no_other_user, probe

WALLS = {
    "limits": Walls(),
    "bwrap": Walls(bubblewrap=True),
    "Landlock": Walls(landlock=True),
    "seccomp": Walls(seccomp=True),
    "user": Walls(uid=True),
}
MEANINGS = {
    "read": "read a file of the grader's",
    "list": "list a folder of the grader's",
    "write": "write a file elsewhere",
    "overwrite": "write into its own folder",
    "socket": "send over the network",
    "abstract socket": "open a local socket",
    "fork": "start a process",
    "run": "run a program",
    "signal": "signal the grader",
    "signal parent": "signal its parent",
    "memory of another": "look into the grader",
    "memory of the parent": "look into its parent",
    "session": "leave its session",
}


def doctor() -> None:
    """Say how well graded code is shut in here, and what each wall stops. Exit status: 0 when that is enough."""
    console = Console(highlight=False)
    console.print(f"{platform.system()} {platform.release()}, {platform.machine()}, Python {platform.python_version()}")
    shield = check_sandbox()
    if sys.platform != "win32":
        columns = {name: _tried(walls) for name, walls in WALLS.items()}
        console.print(_table({**columns, f"= {shield.level.value}": shield.escapes}))
        for name, found in columns.items():
            if isinstance(found, str):
                console.print(f"{name}: {found}")
    console.print()
    for reason in shield.reasons:
        console.print(f"not {reason}")
    enough = "enough for other people's work" if shield.level.is_safe else "enough for one's own work alone"
    console.print(Text(f"{shield.level.text}: {enough}", style="bold"))
    if shield.level is Level.CONTAINER:
        console.print("For the level 'full', install bubblewrap (Debian, Ubuntu: apt install bubblewrap).")
    raise typer.Exit(0 if shield.level.is_safe else 1)


def _tried(walls: Walls) -> dict[str, str | None] | str:
    """What a wall stopped, or why it cannot be had here."""
    if walls.uid and (missing := no_other_user()):
        return missing
    try:
        return probe(walls)
    except (NotStarted, SessionBroken) as error:
        return str(error)


def _table(columns: Mapping[str, Mapping[str, str | None] | str]) -> Table:
    """A row for each escape, a column for each wall alone, and last the walls of the level together."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("a small escape", header_style="dim", no_wrap=True)
    for name in columns:
        table.add_column(name, header_style="dim", no_wrap=True)
    for escape, meaning in MEANINGS.items():
        marks = (Text("none") if isinstance(found, str) else _mark(found[escape]) for found in columns.values())
        table.add_row(meaning, *marks)
    return table


def _mark(stopped: str | None) -> Text:
    return Text("open", style="red") if stopped is None else Text("shut", style="green")
