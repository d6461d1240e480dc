"""What both programs share: how they find their commands, and how they report a user's mistake.

A mistake is one line on stderr that begins with the program's name, and exit status 2. No user sees a traceback.
"""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from errno import ENOSPC
from importlib import import_module
from importlib.util import find_spec
from inspect import Parameter, Signature, signature
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Annotated, Any, NoReturn, get_type_hints

try:
    import typer
    from typer.core import TyperArgument, TyperGroup
    from typer.exceptions import TyperException
except ModuleNotFoundError as error:
    print(
        f"a package is missing ({error.name}); first type in this folder: python -m pip install -e .", file=sys.stderr
    )
    raise SystemExit(2) from None

from pacman import __version__
from pacman.core.errors import InputError, one_line, printable, reason_of
from pacman.program_imports import DISTRIBUTION, SCRIPTS, problem_of_agents

BAD_INPUT, INTERRUPTED = 2, 130
LEAST_SIMILARITY = 0.75
"""Of an unknown option and one that the command has, from 0 to 1, for a guess."""
MOST_CHARACTERS = 4000
"""The longest line of a problem. A longer one quotes a file."""

_MODULE = re.compile(rf"python -m ({'|'.join(SCRIPTS)})(?!\.?\w)")

Completion = Callable[[typer.Context, str], list[str]]
"""What can follow: from the command line so far and the beginning of a value to values; those that fit are kept."""

STYLE: dict[str, Any] = {"rich_markup_mode": None, "add_completion": False, "pretty_exceptions_enable": False}
HELP = {"help_option_names": ["-h", "--help"]}
REWORDINGS = (
    (r"Input should be a valid integer\b.*|'[^']*' is not a valid int(?:eger)?\b.*", "expected a whole number"),
    (r"Input should be a valid number\b.*|'[^']*' is not a valid float\b.*", "expected a number"),
    (
        r"(?:Input should be|\S+ is not in the range x)\s*(?:greater than or equal to |>=\s*)(\S+?)\.?$",
        r"expected \1 or more",
    ),
    (r": Value error, ", ": "),
    (r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", r"unexpected argument: \1"),
    (r"Option '--json' requires an argument", "option '--json' needs a file name, or - for stdout"),
    (r"\. Did you mean ", ": did you mean "),
)
"""How to write what the command-line library says in the words of our own messages: (pattern, replacement)."""

SAME_OPTIONS = {
    "--depth": ("--rounds", "--plies"),
    "--class": ("--agent",),
    "--file": ("--agent",),
    "-q": ("--question",),
}
"""An option that people expect -> the options that mean the same here; the first one that a command has."""
_BEHIND = "an agent's options follow its name, as in minimax:rounds=3"
_CLASS = "name the agent as FILE.py:CLASS"
INSTEAD = {
    "import-cs188": "use 'new-assignment NAME --from FOLDER'",
    "regret": "use 'solve-exactly --agent AGENT'",
    "new-key": "'grade-all --key FILE' makes the file",
    **dict.fromkeys(("--pacman-arg", "-a", "--rounds", "--depth"), _BEHIND),
    **dict.fromkeys(("--class", "--file"), _CLASS),
    "--compare": "write the agents one after the other, as in minimax expectimax",
    "--cell": "the size of a film is --size WIDTHxHEIGHT",
}
"""A command or an option that is gone, in all commands or in some -> what to use instead."""
FILE_COMMANDS = {"grade", "watch"}
"""The command of each program that people mean if they only name a file."""

Groups = Mapping[str, Mapping[str, tuple[str, str]]]
"""The commands of a program in groups: title -> name -> (MODULE:FUNCTION, one line about it)."""


def app(about: str, groups: Groups, package: str, completion: str) -> typer.Typer:
    """A program with these commands, whose modules are in `package`. Its help shows them in their groups.

    A shell completes the values in the dict `VALUES` of the module `completion`, if a script started the program.

    It has no command whose module is missing: a release for students contains only some of them. A command's module is
    imported only when that command runs, so `--help` is quick. By convention the docstring of the function ends with
    examples: a paragraph of `\\b`, `Examples:` and indented command lines.
    """
    commands = {
        name: (f"{package}.{where}", line)
        for own in groups.values()
        for name, (where, line) in own.items()
        if find_spec(f"{package}.{where.partition(':')[0]}")
    }

    class Commands(TyperGroup):
        """Finds a command by its name, and imports its module."""

        def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
            name, command, rest = super().resolve_command(ctx, args)
            if name is not None and name in commands:
                # Only a completion parses a command line in this way, so only a completion loads its values.
                values = import_module(completion).VALUES if ctx.resilient_parsing else {}
                command = load_command(name, commands[name][0], values)
            return name, command, rest

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            for title, own in groups.items():
                if rows := [(name, line) for name, (_, line) in own.items() if name in commands]:
                    with formatter.section(title):
                        formatter.write_dl(rows, col_max=30)

    style = STYLE | {"add_completion": started_as_script()}
    program = typer.Typer(cls=Commands, no_args_is_help=True, context_settings=HELP, **style)

    @program.callback(help=about)
    def options(
        version: Annotated[
            bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
        ] = False,
    ) -> None: ...

    for name, (_, line) in commands.items():
        program.command(name, short_help=line)(lambda: None)
    return program


def _print_version(ctx: typer.Context, is_wanted: bool) -> None:
    if is_wanted and not ctx.resilient_parsing:
        typer.echo(f"{DISTRIBUTION} {__version__}")
        raise typer.Exit


class _Argument(TyperArgument):
    """An argument that the help writes as FILE, without its Python type and without braces."""

    def get_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.replace("{", "").replace("}", "") for piece in super().get_usage_pieces(ctx)]

    def display_type_rich(self, ctx: Any) -> str | None:
        return None


def opt(help: str, metavar: str | None = None, *names: str, **more: Any) -> Any:
    """An option with the name of its parameter, unless `names` say another one; a flag needs one."""
    return typer.Option(*names, metavar=metavar, help=help, **more)


def arg(help: str, metavar: str) -> Any:
    """An argument, which has a place and no name."""
    return typer.Argument(metavar=metavar, help=help)


def load_command(name: str, function: str, values: Mapping[str, Completion] | None = None) -> Any:
    """The command that runs `function` (as MODULE:FUNCTION); its parameters become arguments and options.

    A parameter whose type is a dataclass becomes one option for each field. Its default gives the fields their
    defaults, in the place of those of the dataclass. A shell completes the `values` of parameters with these names.
    """
    module, _, attribute = function.partition(":")
    run = getattr(import_module(module), attribute)
    hints, parameters, groups = get_type_hints(run, include_extras=True), list[Parameter](), dict[str, Any]()
    for each in signature(run).parameters.values():
        kind = hints[each.name]
        if not is_dataclass(kind):
            parameters.append(each.replace(annotation=kind, kind=Parameter.KEYWORD_ONLY))
            continue
        groups[each.name], types = kind, get_type_hints(kind, include_extras=True)
        for field in fields(kind):
            default = field.default if each.default is each.empty else getattr(each.default, field.name)
            default = Parameter.empty if default is MISSING else default
            parameters.append(
                Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=types[field.name])
            )
    for parameter in parameters if values else ():
        for info in getattr(parameter.annotation, "__metadata__", ()):
            info.autocompletion = _without_quotes((values or {}).get(parameter.name))

    def callback(**options: Any) -> Any:
        parts = {
            part: kind(**{field.name: options.pop(field.name) for field in fields(kind)})
            for part, kind in groups.items()
        }
        return run(**options, **parts)

    callback.__doc__, callback.__name__ = run.__doc__, run.__name__
    callback.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    single = typer.Typer(**STYLE)
    single.command(name, context_settings=HELP)(callback)
    command = typer.main.get_command(single)
    command.help = as_started(command.help or "")
    for argument in command.params:
        if isinstance(argument, TyperArgument):
            argument.__class__ = _Argument
    return command


def _without_quotes(complete: Completion | None) -> Completion | None:
    """The same completion, without the names that a shell would read as more than a name."""
    if complete is None:
        return None
    return lambda ctx, incomplete: [name for name in complete(ctx, incomplete) if re.fullmatch(r"[\w./,:=+-]+", name)]


def run(command: Callable[..., Any], name: str, start: float | None = None) -> NoReturn:
    """Runs the program with the module `name`, and exits with its status. Without arguments it prints its help.

    `start` is the monotonic time at which the program started, by default now; a command finds it in its context, as
    `obj`.
    """
    start = time.monotonic() if start is None else start
    _make_output_robust()
    try:
        if problem := problem_of_agents():
            raise InputError(problem)
        status = command(
            sys.argv[1:] or ["--help"], prog_name=as_started(f"python -m {name}"), standalone_mode=False, obj=start
        )
    except InputError as error:
        _stop(name, "\n".join([str(error), *getattr(error, "code", ())]))
    except TyperException as error:  # for example an unknown option, or text where a number was expected
        context = getattr(error, "ctx", None)
        where = f" (see {context.command_path} --help)" if context else ""
        _stop(name, usage_error(error) + where)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except MemoryError:
        _stop(name, "not enough memory; close other programs, or raise the limit (ulimit -v)")
    except RuntimeError as error:
        if "Symlink loop" not in str(error):  # the text of `Path.resolve`
            raise
        _stop(name, "too many levels of symbolic links: a link leads to itself")
    except OSError as error:  # for example a full disk behind the standard output
        where = f"{error.filename}: " if error.filename else ""
        room = ", for the output or for temporary files (TMPDIR)" if error.errno == ENOSPC and not where else ""
        _stop(name, f"{where}{reason_of(error)}{room}")
    sys.exit(status if isinstance(status, int) else 0)


def usage_error(error: TyperException) -> str:
    """What is wrong with a command line, as one line in the style of our other errors."""
    context = getattr(error, "ctx", None)
    own = [option for parameter in context.command.params for option in parameter.opts] if context else []
    if hasattr(error, "possibilities"):
        name = getattr(error, "option_name", "")
        close = [option for option in SAME_OPTIONS.get(name, ()) if option in own]
        close = close or get_close_matches(name, [each for each in own if each[:2] == "--"], 1, LEAST_SIMILARITY)
        other = "a number below 0 is not possible here" if name[1:2].isdecimal() else INSTEAD.get(name, "")
        hint = f"did you mean '{close[0]}'?" if close else other
        return f"no such option '{name}'" + (f": {hint}" if hint else "")
    text = " ".join(error.format_message().split()).rstrip(".")
    for pattern, replacement in REWORDINGS:
        text = re.sub(pattern, replacement, text)
    text = text[:1].lower() + text[1:]
    if match := re.match(r"no such command '(\S+)'", text):
        commands = FILE_COMMANDS & getattr(context and context.command, "commands", {}).keys()
        if match[1] in INSTEAD:
            text = f"{match[0]}: {INSTEAD[match[1]]}"
        elif (
            (other := _program_with(match[1])) and context and as_started(f"python -m {other}") == context.command_path
        ):
            text = f"{match[0]}: a kit for students has no such command"
        elif other:
            text = f"{match[0]}: write 'python -m {other} {match[1]}'"
        elif ".py" in match[1] and commands:
            text += f": did you mean '{min(commands)} {match[1]}'?"
    if match := re.fullmatch(r"unexpected argument: (\S+)", text):
        if context and context.info_name == "play":
            text += f": did you mean 'watch {match[1]}'?"
        elif "--agent" in own and re.search(r"\.py(:\w+)?$", match[1]):
            text += f": did you mean --agent {match[1]}?"
        elif "--question" in own and re.match(r"q\d", match[1]):
            text += f": did you mean --question {match[1]}?"
        elif "--assignment" in own and _is_assignment(match[1]):
            text += f": did you mean --assignment {match[1]}?"
    return text


def _program_with(command: str) -> str:
    """The module of the program that has a command; "" if none has it."""
    files = ((name, Path(__file__).parents[2] / name / "__main__.py") for name in SCRIPTS)
    row = f'        "{command}": ('
    return next((name for name, file in files if file.is_file() and row in file.read_text(encoding="utf-8")), "")


def _is_assignment(name: str) -> bool:
    """True for the name of an assignment of this project, and for a folder with one."""
    own = Path(__file__).parents[2] / "autograder" / "assignments"
    return any((folder / name / "assignment.yaml").is_file() for folder in (own, Path()))


def print_error(program: str, problem: str) -> None:
    """Writes a problem to stderr, after the name of the program (`pacman` or `autograder`)."""
    # A problem may quote the name of a stranger's file, and that name may contain terminal control characters.
    text = "\n".join(one_line(printable(line), MOST_CHARACTERS, str) for line in problem.split("\n"))
    print(as_started(f"python -m {program}: {text}"), file=sys.stderr)


def as_started(text: str) -> str:
    """The text with its commands in the form in which the user started this process.

    Every text names commands as `python -m autograder grade my.py`. What goes to others keeps this form: results in a
    store, JSON, pages, an upload, a kit. What goes to the person who started the program names it as he typed it.

    >>> as_started("Grade it: python -m autograder grade my.py")
    'Grade it: python -m autograder grade my.py'
    """
    is_module = sys.orig_argv[1:2] == ["-m"] and sys.orig_argv[2] in SCRIPTS and not os.path.isabs(sys.orig_argv[0])
    typed = f"{sys.orig_argv[0]} -m" if is_module else "python -m"
    return _MODULE.sub(lambda match: SCRIPTS[match[1]] if started_as_script() else f"{typed} {match[1]}", text)


def started_as_script() -> bool:
    """True if the user started this process as one of the scripts."""
    return PurePath(sys.argv[0]).stem in SCRIPTS.values()


def _make_output_robust() -> None:
    """Keeps the program alive if an output is closed, or cannot encode every character."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (it stays open to the end)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _stop(name: str, problem: str) -> NoReturn:
    for argument, following in pairwise(sys.argv[1:]):
        if argument.endswith(","):
            problem += f"; a list has no spaces: {argument}{following}"
    print_error(name, problem)
    sys.exit(BAD_INPUT)
