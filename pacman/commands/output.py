"""What commands print: results on stdout, everything else on stderr, so that a program can read the results."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import typer

from pacman.core.errors import InputError, counted, printable, reason_of
from pacman.core.files import write_file
from pacman.core.layout import Layout

if TYPE_CHECKING:
    from pacman.play.game import Result
    from pacman.play.recording import GameLine
    from pacman.play.series import GameStatistics

STDOUT = Path("-")
NO_REPORTS = (".py", ".yaml", ".yml", ".zip", ".gz", ".tgz", ".tar", ".key", ".db", ".lay")
"""The endings of files that a report must not replace: code, cases, archives, keys, stores and layouts."""


class ResultWriter:
    """Writes the results of a command: text to stdout, and one JSON object per line to the file of `--json FILE`.

    `--json -` writes the JSON to stdout, without the text. InputError if the file cannot be written.
    """

    def __init__(self, json_file: Path | None = None) -> None:
        self.prints_text = json_file != STDOUT
        self._file: TextIO | None = sys.stdout if json_file == STDOUT else None
        if json_file is not None and self.prints_text:
            check_no_loss(json_file)
            try:
                self._file = json_file.open("w", encoding="utf-8", newline="\n")
            except OSError as error:
                raise InputError(f"--json {json_file}: cannot be written: {reason_of(error)}") from None

    def __enter__(self) -> ResultWriter:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None and self.prints_text:
            self._file.close()

    def text(self, text: str) -> None:
        """Prints text for people, unless stdout is for JSON."""
        if self.prints_text:
            typer.echo(text)

    def json(self, result: dict[str, Any]) -> None:
        """Writes one JSON object, if the user asked for JSON."""
        if self._file is not None:
            self._file.write(json.dumps(result) + "\n")
            self._file.flush()

    def report(self, text: str, data: dict[str, Any]) -> None:
        """Writes a result in both forms."""
        self.text(text)
        self.json(data)

    def result(self, result: Result, name: str = "") -> None:
        """Writes how a game ended; with the `name` of its agent where several are compared."""
        text = result_text(result)
        self.report(f"{name}: {text}" if name else text, ({"pacman": name} if name else {}) | result.as_json())

    def series(self, games: GameStatistics) -> None:
        """Writes the mean score and the win rate of a series of games."""
        (mean, *_), (rate, low, high) = games.score, games.win_rate
        self.report(
            f"{counted(games.games, 'game')}: mean score {mean:.1f}, "
            f"win rate {rate:.1%} (95 % interval {low:.1%} to {high:.1%})",
            {
                "games": games.games,
                "outcomes": dict(sorted(games.outcomes.items())),
                "mean_score": mean,
                "win_rate": rate,
                "interval": [round(low, 6), round(high, 6)],
            },
        )

    def played_on(self, line: GameLine, result: Result) -> None:
        """Writes how a game ended that went on from another one, and which file has it."""
        text = f"{line.label}: {result_text(result)}" + (f"; recorded in {line.file}" if line.file else "")
        file = {"file": str(line.file)} if line.file else {}
        self.report(text, {"from": line.first_ply, "pacman": line.names[0], **file, **result.as_json()})


def result_text(result: Result) -> str:
    """How a game ended, in one line."""
    if result.fault:
        return f"fault: game stopped by {result.fault} (score {result.score}, seed {result.seed})"
    return f"{result.outcome}: score {result.score} after {counted(result.plies, 'ply')}, seed {result.seed}"


def aside(text: str) -> None:
    """Writes a line to stderr."""
    typer.echo(text, err=True)


class _Aside(logging.Handler):
    """Writes what is logged to stderr; not from a worker process, whose first process has written it."""

    def emit(self, record: logging.LogRecord) -> None:
        if parent_process() is None:
            aside(record.getMessage())


_LOG = logging.getLogger("pacman.compiled")
_LOG.setLevel(logging.INFO)
_LOG.addHandler(_Aside())


def warn_no_sandbox(agents: Iterable[str]) -> None:
    """Writes a line to stderr if some of the agents come from files: the command runs these files without a sandbox."""
    from agents import load

    if files := load.files_of(agents):
        names = printable(", ".join(files))
        aside(f"no sandbox: {names} can do everything that you can do; run only code that you trust")


def warn_of_layout(layout: str) -> None:
    """Writes a line to stderr for each row of a layout of which a part is ignored. InputError for a bad layout."""
    for note in Layout.load(layout).notes:
        aside(note)


@contextmanager
def progress_bar(title: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """Shows a progress bar on stderr if that is a terminal; yields the function that updates it."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(title, total=total)
        yield lambda **change: progress.update(task, **change)


def check_no_loss(path: Path) -> None:
    """InputError if a report at `path` would replace a file that is no report, or that this command also reads."""
    if sum(any(_is_same(part, path) for part in _parts(word)) for word in sys.argv[1:]) > 1:
        raise InputError(f"{path}: cannot be written: the command names this file twice; choose another name")
    names = (path, Path(os.path.realpath(path)))  # a report is written through a link
    if any(name.suffix.lower() in NO_REPORTS for name in names) and path.exists():
        raise InputError(f"{path}: cannot be written: this file exists and is no report; choose another name")


def _parts(word: str) -> set[str]:
    """What can be a path in a word of a command line: in FILE, --option=FILE, FILE:CLASS, key=FILE:NAME."""
    value = word.partition("=")[2]
    return {word, value, word.rpartition(":")[0], value.rpartition(":")[0]} - {""}


def _is_same(name: str, path: Path) -> bool:
    try:
        return os.path.abspath(name) == os.path.abspath(path) or os.path.samefile(name, path)
    except (OSError, ValueError):  # no such file, or no possible name of one
        return False


def check_writable(path: Path) -> None:
    """InputError if this file could not be written: for a command that works long before it writes."""
    problem = ""
    if path.is_dir():
        problem = "it is a folder; expected the name of a file"
    elif not path.parent.is_dir():
        problem = f"no folder {path.parent}"
    elif not os.access(path if path.exists() else path.parent, os.W_OK):
        problem = "no permission"
    if problem:
        raise InputError(f"{path}: cannot be written: {problem}")


def check_report_file(path: Path) -> None:
    """InputError if a report could not be written to this file, or if something else would be lost."""
    check_writable(path)
    check_no_loss(path)


def check_one_printed(files: Mapping[str, Path | None]) -> None:
    """InputError if the files of several options are standard output: reports would stand behind each other there."""
    piped = [option for option, file in files.items() if file == STDOUT]
    if len(piped) > 1:
        problem = "only one report can go to standard output; name a file for the others"
        raise InputError(f"{' and '.join(piped)}: {problem}")


def check_new(option: str, path: Path, ending: str = "") -> None:
    """InputError if there is something already, or no folder for it, or if another `ending` is necessary.

    `-` is always right.
    """
    if ending and path.suffix != ending:
        raise InputError(f"{option} {path}: expected a name that ends in {ending}")
    if path != STDOUT and path.exists():
        kind = "folder" if path.is_dir() else "file"
        raise InputError(f"{option} {path}: this {kind} exists already; choose another name")
    if path != STDOUT and not path.parent.is_dir():
        raise InputError(f"{option} {path}: cannot be written: no folder {path.parent}")


def write_new(option: str, path: Path, content: str | bytes, rights: int = 0o600) -> None:
    """Writes a new file, with these rights; `-` is standard output. InputError if it cannot be written."""
    if path == STDOUT:
        typer.echo(content, nl=False)
    else:
        write_file(path, content.encode("utf-8") if isinstance(content, str) else content, option, True, rights)
