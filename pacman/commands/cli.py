"""The edge of a command line: a user's mistake is one line on stderr and exit status 2, never a traceback."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from typer import Abort
from typer.exceptions import TyperException

from pacman.core.errors import InputError, printable

BAD_INPUT, INTERRUPTED = 2, 130


def run(command: Callable[..., Any], name: str) -> NoReturn:
    """Runs a typer app called `name`, and exits with its status. Without a word it shows its help."""
    _robust()
    try:
        status = command(sys.argv[1:] or ["--help"], prog_name=f"python -m {name}", standalone_mode=False)
    except InputError as error:
        _stop(name, str(error))
    except TyperException as error:  # an unknown option, a word where a number was expected
        context = getattr(error, "ctx", None)
        where = f" (see {context.command_path} --help)" if context else ""
        _stop(name, error.format_message().rstrip(".") + where)
    except (Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as error:  # a full disk behind the standard output
        _stop(name, error.strerror or str(error))
    sys.exit(status if isinstance(status, int) else 0)


def _robust() -> None:
    """An output that is closed, or that cannot write every character, must not end a program."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (it stays open to the end)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _stop(name: str, problem: str) -> NoReturn:
    # A problem may quote the name of a stranger's file, and a name may hold what steers a terminal.
    text = "\n".join(map(printable, problem.split("\n")))
    print(f"{name}: {text}", file=sys.stderr)
    sys.exit(BAD_INPUT)
