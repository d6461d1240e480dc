"""What both programs share: help, version, hints, and what a shell completes. The transcripts show errors."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from agents import load as agents
from autograder.cases import loading
from pacman.commands import app as cli
from pacman.commands.app import as_started
from tests.command_line import run_here
from tests.documented_commands import run

PROGRAMS = {name: import_module(f"{name}.__main__").COMMANDS for name in ("pacman", "autograder")}
COMMANDS = [(program, command) for program, commands in PROGRAMS.items() for command in commands]
PACKAGES = {"pacman": "pacman.commands", "autograder": "autograder"}
VISIBLE_OPTIONS = 200
"""The most options of all commands together, without -h and those that only old scripts use."""


def load(program: str, command: str) -> Any:
    """A command of `python -m PROGRAM`, with its options."""
    module, _ = PROGRAMS[program][command]
    return cli.load_command(command, f"{PACKAGES[program]}.{module}")


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_help_of_a_program_fits_on_a_screen(program: str) -> None:
    lines = run_here(program, "-h").stdout.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert run_here(program).stdout == run_here(program, "--help").stdout == "\n".join([*lines, ""])
    version = run_here(program, "--version")
    assert (version.returncode, bool(re.fullmatch(r"pacman-search \d+\.\d+\.\d+\n", version.stdout))) == (0, True)


@pytest.mark.parametrize(("program", "command"), COMMANDS)
def test_the_help_shows_examples_that_parse_and_says_what_each_option_does(program: str, command: str) -> None:
    """Each example is one line; its options exist, and their values have the right form.

    In the imperative: the first word about an option is a verb with a capital letter.
    """
    text = run_here(program, command, "-h").stdout
    assert text.startswith(f"Usage: python -m {program} {command} ")
    lines = [line.strip() for line in text.partition("\n  Examples:\n")[2].split("\n\n")[0].splitlines()]
    assert lines
    for line in lines:
        python, option, *names = shlex.split(line.partition(" > ")[0])
        assert (python, option, *names[:2]) == ("python", "-m", program, command)
        load(program, command).make_context(command, names[2:])
    for row in re.split(r"\n(?=  -)", text.partition("Options:\n")[2]):
        words = re.sub(r"^ *(-\w, )?--[a-z0-9-]+( / --no-[a-z]+| L U| [A-Z][A-Za-z.,|=]*| <[a-z|]+>)?", "", row).strip()
        assert re.match(r"(With (--\w+|a \w+): )?([A-Z]?[a-z]+)\b", words), row


def test_an_option_has_one_spelling_in_every_command_and_there_are_not_many() -> None:
    spellings: dict[str, set[tuple[str, ...]]] = {}
    count = 0
    for program, command in COMMANDS:
        for parameter in load(program, command).params:
            if parameter.opts[0].startswith("-"):
                long = next(option for option in parameter.opts if option.startswith("--"))
                count += not parameter.hidden
                if program == "pacman":
                    spellings.setdefault(long, set()).add((*sorted(parameter.opts), str(parameter.metavar)))
    assert count <= VISIBLE_OPTIONS
    assert {option: forms for option, forms in spellings.items() if len(forms) > 1} == {}
    assert spellings["--json"] == {("--json", "FILE")}
    assert {opts[:2] for opts in spellings["--out"]} == {("--out", "-o")}
    for command in ("new-case", "new-assignment", "gradescope"):
        assert re.search(r"^  -o, --out [A-Z]", run_here("autograder", command, "--help").stdout, re.MULTILINE)


@pytest.mark.parametrize(("program", "command"), [("pacman-search", "watch"), ("pacman-grade", "grade")])
def test_a_script_names_the_scripts_in_its_help_and_its_errors(program: str, command: str) -> None:
    text = run_here(program, command, "--help").stdout
    assert text.startswith(f"Usage: {program} {command} ")
    assert f"\n  Examples:\n    {program} {command}" in text
    assert "python -m" not in text
    error = run_here(program, command, "--nothing").stderr
    assert error == f"{program}: no such option '--nothing' (see {program} {command} --help)\n"
    assert run_here(program, "--help").stdout.startswith(f"Usage: {program} ")


def test_a_script_names_both_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "python -m autograder: first `python -m pacman play`, python -m autograder.x, python -m pacmans"
    other = "pacman-grade: first `pacman-search play`, python -m autograder.x, python -m pacmans"
    for program in ("/home/a/bin/pacman-grade", "pacman-search", "pacman-grade.exe"):
        monkeypatch.setattr("sys.argv", [program])
        assert as_started(text) == other
    for program in ("/home/a/autograder/__main__.py", "dask", ""):
        monkeypatch.setattr("sys.argv", [program])
        assert as_started(text) == text
    for module, typed in (("autograder", ".venv/bin/python"), ("pytest", "python")):
        monkeypatch.setattr("sys.orig_argv", [".venv/bin/python", "-m", module])
        assert as_started("python -m pacman play") == f"{typed} -m pacman play"


def test_a_full_memory_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def needs_too_much(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("sys.argv", ["pacman", "watch"])
    with pytest.raises(SystemExit) as ended:
        cli.run(needs_too_much, "pacman")
    assert ended.value.code == 2
    expected = "python -m pacman: not enough memory; close other programs, or raise the limit (ulimit -v)\n"
    assert capsys.readouterr() == ("", expected)


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


def test_minimax_is_a_name_of_the_exhaustive_search() -> None:
    tree = "chance { a: max { x: 1; y: 5 }; b: 4 }"
    command = ("solve", tree, "--json", "-", "--algorithm")
    same, other = (run_here("pacman", *command, name).stdout for name in ("exhaustive", "expectimax"))
    assert same.replace("exhaustive", "expectimax") == other


# ---- completion


def test_a_shell_completes_no_name_that_it_would_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("search.py", "search$(touch PWNED).py", "search;ls.py", "search me.py"):
        (tmp_path / name).touch()
    values = import_module("pacman.commands.options").VALUES
    command = cli.load_command("watch", "pacman.commands.play:watch", values)
    (pacman,) = (parameter for parameter in command.params if parameter.name == "agents")
    context = command.make_context("watch", [], resilient_parsing=True)
    assert [item.value for item in pacman.shell_complete(context, "sea")] == ["search.py"]
    (tmp_path / "search.py").write_text("class A:\n    class Inner: ...\nclass B(A): ...\n", encoding="utf-8")
    assert [item.value for item in pacman.shell_complete(context, "search.py:")] == ["search.py:A", "search.py:B"]


AGENT = """
from pathlib import Path

Path("it-ran").touch()
raise SystemExit("it ran")
"""


def complete(line: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What bash offers at the end of a command line. Nothing else is printed."""
    words = shlex.split(line) + [""] * line.endswith(" ")
    monkeypatch.setenv(f"_{words[0].replace('-', '_').upper()}_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    done = run_here(words[0])
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pacman-grade grade-", "grade-all"),
        ("pacman-grade grade --quest", "--question"),
        ("pacman-grade grade my.py --question q", "q1 q2 q3 q4 q5 q6"),
        ("pacman-grade grade my.py --assignment warm-up --question ", "q1 q2"),
        ("pacman-grade grade my.py --case q2/01", "q2/01-figure"),
        ("pacman-grade grade my.py --question q3 --case q2/01", ""),
        ("pacman-grade grade my.py --question q3 --question q2 --case q2/01", "q2/01-figure"),
        ("pacman-grade grade my.py --api cs188 --case q2/01", "q2/01-won-ends"),
        ("pacman-grade grade my.py --assignment nothing --case ", ""),
        ("pacman-grade grade --assignment ", "classic multiagent warm-up"),
        ("pacman-grade grade my.py --api ", "native cs188"),
        ("pacman-grade check m", "multiagent"),
        ("pacman-grade case q2/01", "q2/01-figure"),
        ("pacman-grade explain noo", "nook"),
        ("pacman-grade new-case --layout noo", "nook"),
        ("pacman-search watch --layout noo", "nook"),
        ("pacman-search watch --ghosts random,opt", "random,optimal"),
        ("pacman-search watch mini", "minimax"),
        ("pacman-search watch minimax alp", "alphabeta"),
        ("pacman-search solve noo", "nook"),
        ("pacman-search simulate k", ""),
        ("pacman-search replay game.json --see star2", "star2 star2.5"),
        ("pacman-search play --overlay ", "none values line heat layers"),
        ("pacman-search play --view ", "window text none"),
        ("pacman-search solve tree.txt --algorithm a", "alphabeta auto"),
        ("pacman-search game p", "pig"),
        ("pacman-search --vers", "--version"),
        ("pacman-search --version n", "new-agent"),
        ("pacman-search watch --json --view --layout noo", "nook"),
        ("pacman-search watch my.p", ""),
    ],
)
def test_a_value_is_completed(line: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert complete(line, monkeypatch) == expected.split()


def test_every_name_is_offered_and_no_file_of_a_student_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # which has no Python files
    assert complete("pacman-search watch ", monkeypatch) == list(agents.PACMEN)
    offered = complete("pacman-grade grade my.py --assignment warm-up --case ", monkeypatch)
    assert offered == sorted(case.id for case in loading.load("warm-up").cases)
    (tmp_path / "mine.py").write_text(AGENT, encoding="utf-8")
    assert complete("pacman-search watch mi", monkeypatch) == ["minimax", "mine.py"]
    assert complete("pacman-search watch mine.py:Mine --layout noo", monkeypatch) == ["nook"]
    assert complete("pacman-grade case --agent mine.py q2/01", monkeypatch) == ["q2/01-figure"]
    assert not (tmp_path / "it-ran").exists()


def test_only_a_script_offers_to_install_its_completion() -> None:
    assert "--install-completion" in run_here("pacman-grade", "--help").stdout
    assert "--install-completion" not in run_here("autograder", "--help").stdout


@pytest.mark.skipif(os.name == "nt" or not shutil.which("bash"), reason="needs bash")
def test_bash_completes_a_layout(tmp_path: Path) -> None:
    script = """
        eval "$(_PACMAN_SEARCH_COMPLETE=source_bash pacman-search)"
        COMP_WORDS=(pacman-search watch --layout noo) COMP_CWORD=3
        _pacman_search_completion pacman-search
        echo "${COMPREPLY[@]}"
    """
    done: subprocess.CompletedProcess[str] = run(f"bash -c {shlex.quote(script)}", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "nook\n", "")
