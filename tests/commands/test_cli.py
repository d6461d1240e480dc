"""What both programs share: help, version and options with one spelling. The transcripts show errors."""

from __future__ import annotations

import json
import re
import shlex
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pacman.commands import app as cli
from pacman.commands.app import as_started
from tests.command_line import run_here

PROGRAMS = {name: import_module(f"{name}.__main__").COMMANDS for name in ("pacman", "autograder")}
COMMANDS = [(program, command) for program, commands in PROGRAMS.items() for command in commands]
PACMAN = PROGRAMS["pacman"]


PACKAGES = {"pacman": "pacman.commands", "autograder": "autograder"}


def load(program: str, command: str) -> Any:
    """A command of `python -m PROGRAM`, with its options."""
    module, _ = PROGRAMS[program][command]
    return cli.load_command(command, f"{PACKAGES[program]}.{module}")


@pytest.mark.parametrize(("program", "command"), [*COMMANDS, ("pacman", ""), ("autograder", "")])
def test_h_is_help(program: str, command: str) -> None:
    arguments = [command] if command else []
    short, long = (run_here(program, *arguments, option) for option in ("-h", "--help"))
    assert (short.returncode, short.stderr) == (0, "")
    assert short.stdout == long.stdout
    assert short.stdout.startswith(f"Usage: python -m {' '.join([program, *arguments])} ")


@pytest.mark.parametrize(("program", "command"), COMMANDS)
def test_the_help_shows_examples_that_parse_and_says_what_each_option_does(program: str, command: str) -> None:
    """Each example is one line; its options exist, and their values have the right form.

    In the imperative: the first word about an option is a verb with a capital letter.
    """
    shown = run_here(program, command, "--help").stdout
    _, _, paragraph = shown.partition("\n  Examples:\n")
    lines = [line.strip() for line in paragraph.split("\n\n")[0].splitlines()]
    assert lines
    for line in lines:
        python, option, *names = shlex.split(line.partition(" > ")[0])
        assert (python, option, *names[:2]) == ("python", "-m", program, command)
        load(program, command).make_context(command, names[2:])
    for row in re.split(r"\n(?=  -)", shown.partition("Options:\n")[2]):
        text = re.sub(r"^ *(-\w, )?--[a-z0-9-]+( / --no-[a-z]+| L U| [A-Z][A-Za-z.,|=]*| <[a-z|]+>)?", "", row).strip()
        assert re.match(r"(With --\w+: )?([A-Z]?[a-z]+)\b", text), row


@pytest.mark.parametrize("command", ["new-case", "new-assignment", "gradescope"])
def test_a_command_that_writes_one_output_calls_its_option_out(command: str) -> None:
    assert re.search(r"^  -o, --out [A-Z]", run_here("autograder", command, "--help").stdout, re.MULTILINE)


@pytest.mark.parametrize(("program", "command"), [("pacman-search", "watch"), ("pacman-grade", "grade")])
def test_a_script_names_the_scripts_in_its_help_and_its_errors(program: str, command: str) -> None:
    shown = run_here(program, command, "--help").stdout
    assert shown.startswith(f"Usage: {program} {command} ")
    assert f"\n  Examples:\n    {program} {command}" in shown
    assert "python -m" not in shown
    error = run_here(program, command, "--nothing").stderr
    assert error == f"{program}: no such option '--nothing' (see {program} {command} --help)\n"
    assert run_here(program, "--help").stdout.startswith(f"Usage: {program} ")


@pytest.mark.parametrize("started", ["/home/a/bin/pacman-grade", "pacman-search", r"pacman-grade.exe"])
def test_a_script_names_both_scripts(started: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [started])
    text = "python -m autograder: first `python -m pacman play`, python -m autograder.x, python -m pacmans"
    expected = "pacman-grade: first `pacman-search play`, python -m autograder.x, python -m pacmans"
    assert as_started(text) == expected
    for other in ("/home/a/autograder/__main__.py", "dask", ""):
        monkeypatch.setattr("sys.argv", [other])
        assert as_started(text) == text


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_version(program: str) -> None:
    result = run_here(program, "--version")
    assert result.returncode == 0
    assert re.fullmatch(r"pacman-search \d+\.\d+\.\d+\n", result.stdout)


def test_an_option_has_one_spelling_in_every_command() -> None:
    spellings: dict[str, set[tuple[str, ...]]] = {}
    for command in PACMAN:
        for parameter in load("pacman", command).params:
            if parameter.opts[0].startswith("-"):
                long = next(option for option in parameter.opts if option.startswith("--"))
                spellings.setdefault(long, set()).add((*sorted(parameter.opts), str(parameter.metavar)))
    assert {option: found for option, found in spellings.items() if len(found) > 1} == {}
    assert spellings["--json"] == {("--json", "FILE")}
    assert spellings["--jobs"] == {("--jobs", "-j", "N")}
    assert {opts[:2] for opts in spellings["--out"]} == {("--out", "-o")}


def test_a_full_memory_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def needs_too_much(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("sys.argv", ["pacman", "watch"])
    with pytest.raises(SystemExit) as ended:
        cli.run(needs_too_much, "pacman")
    assert ended.value.code == 2
    expected = "python -m pacman: not enough memory; close other programs, or raise the limit (ulimit -v)\n"
    assert capsys.readouterr() == ("", expected)


# ---- JSON


JSON_COMMANDS = {
    "watch": "--view none --layout nook --games 2 --max-plies 1",
    "solve": "docs/tree.txt",
    "solve --compare": "docs/tree.txt",
    "replay": "{recording} --view none",
}


@pytest.mark.parametrize("command", JSON_COMMANDS)
def test_json_goes_to_a_file_or_to_stdout(command: str, tmp_path: Path) -> None:
    recording = tmp_path / "game.json"
    run_here("pacman", "watch", "--view", "none", "--layout", "nook", "--save", str(recording))
    words = f"{command} {JSON_COMMANDS[command]}".format(recording=recording).split()
    file = tmp_path / "result.json"
    text = run_here("pacman", *words)
    both = run_here("pacman", *words, "--json", str(file))
    alone = run_here("pacman", *words, "--json", "-")
    assert text.returncode == both.returncode == alone.returncode == 0
    assert both.stdout == text.stdout != ""
    lines = [json.loads(line) for line in alone.stdout.splitlines()]
    written = [json.loads(line) for line in file.read_text().splitlines()]
    for result in (*lines, *written):
        result.pop("seconds", None)
    assert lines == written != []


# ---- mistakes of a person who begins


@pytest.mark.parametrize(
    ("program", "words", "said"),
    [
        ("autograder", "my.py", "no such command 'my.py': did you mean 'grade my.py'?"),
        ("pacman", "my.py:A", "no such command 'my.py:A': did you mean 'watch my.py:A'?"),
        ("autograder", "grade my", "my: no such file or folder; did you mean 'my.py'?"),
        ("autograder", "grade mi.py", "mi.py: no such file or folder; did you mean 'my.py'?"),
        ("autograder", "grade my.py q2", "unexpected argument: q2: did you mean --question q2?"),
        ("autograder", "grade my.py --agent a", "no such option '--agent'"),
        ("pacman", "solve 'max { a: 1 }' --algorithm minimx", "no algorithm 'minimx': did you mean 'minimax'?"),
    ],
)
def test_a_mistake_hears_what_is_near(
    program: str, words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.py").write_text("", encoding="utf-8")
    done = run_here(program, *shlex.split(words))
    assert done.returncode == 2
    assert done.stderr.partition(" (see ")[0].strip() == f"python -m {program}: {said}"


def test_a_shell_completes_no_name_that_it_would_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("search.py", "search$(touch PWNED).py", "search;ls.py", "search me.py"):
        (tmp_path / name).touch()
    values = import_module("pacman.commands.completion").VALUES
    command = cli.load_command("watch", "pacman.commands.play:watch", values)
    (pacman,) = (parameter for parameter in command.params if parameter.name == "agents")
    context = command.make_context("watch", [], resilient_parsing=True)
    assert [item.value for item in pacman.shell_complete(context, "sea")] == ["search.py"]
    (tmp_path / "search.py").write_text("class A:\n    class Inner: ...\nclass B(A): ...\n", encoding="utf-8")
    assert [item.value for item in pacman.shell_complete(context, "search.py:")] == ["search.py:A", "search.py:B"]


def test_minimax_is_a_name_of_the_exhaustive_search() -> None:
    tree = "chance { a: max { x: 1; y: 5 }; b: 4 }"
    command = ("solve", tree, "--json", "-", "--algorithm")
    same, other = (run_here("pacman", *command, name).stdout for name in ("exhaustive", "expectimax"))
    assert same.replace("exhaustive", "expectimax") == other
