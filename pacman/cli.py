"""The edge of a command line: a user's mistake is one line on stderr and exit status 2, never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn

from typer import Abort
from typer.exceptions import TyperException

from pacman.errors import InputError

BAD_INPUT, INTERRUPTED = 2, 130


def run(command: Callable[..., Any], name: str) -> NoReturn:
    """Runs a typer app called `name`, and exits with its status."""
    try:
        status = command(prog_name=name, standalone_mode=False)
    except InputError as error:
        _stop(name, str(error))
    except TyperException as error:  # an unknown option, a word where a number was expected
        context = getattr(error, "ctx", None)
        where = f" (see {context.command_path} --help)" if context else ""
        _stop(name, error.format_message().rstrip(".") + where)
    except (Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader, as in `| head`, has seen enough
        sys.stderr.close()
        sys.exit(0)
    sys.exit(status if isinstance(status, int) else 0)


def _stop(name: str, problem: str) -> NoReturn:
    print(f"{name}: {problem}", file=sys.stderr)
    sys.exit(BAD_INPUT)
