"""The edge of a command line: its commands, and a user's mistake as one line on stderr and exit status 2."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from pacman.core.errors import InputError, printable

BAD_INPUT, INTERRUPTED = 2, 130

STYLE: dict[str, Any] = {"rich_markup_mode": None, "add_completion": False, "pretty_exceptions_enable": False}


def app(about: str, commands: Mapping[str, tuple[str, str]]) -> typer.Typer:
    """A program with these commands: name -> (where its function is, as MODULE:FUNCTION; one line about it).

    The module of a command is imported when the command is given, so that `--help` comes at once.
    """

    class Commands(TyperGroup):
        def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
            name, command, rest = super().resolve_command(ctx, args)
            if name is not None and name in commands:
                module, _, function = commands[name][0].partition(":")
                alone = typer.Typer(**STYLE)
                alone.command(name)(getattr(import_module(module), function))
                command = typer.main.get_command(alone)
            return name, command, rest

    made = typer.Typer(cls=Commands, help=about, no_args_is_help=True, **STYLE)
    for name, (_, line) in commands.items():
        made.command(name, short_help=line)(lambda: None)
    return made


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
    except (typer.Abort, KeyboardInterrupt):
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
