"""Every command's help shows an example, and commands share the names of their options."""

from __future__ import annotations

import re

import pytest

from autograder.__main__ import COMMANDS
from tests.command_line import run_here


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_shows_examples_and_says_what_each_option_does(command: str) -> None:
    """In the imperative: the first word about an option is a verb with a capital letter."""
    shown = run_here("autograder", command, "--help").stdout
    _, _, examples = shown.partition("\n  Examples:\n")
    lines = [line.strip() for line in re.split(r"\n\n", examples)[0].splitlines()]
    assert lines
    assert all(line.startswith(f"python -m autograder {command}") for line in lines)
    options = set(re.findall(r"--[a-z-]+", " ".join(lines)))
    rows = shown.partition("Options:\n")[2]
    assert options <= set(re.findall(r"--[a-z-]+", rows))
    for row in re.split(r"\n(?=  -)", rows):
        text = re.sub(r"^ *(-\w, )?--[a-z0-9-]+( L U| [A-Z][A-Za-z.,|=]*| <[a-z|]+>)?", "", row).strip()
        assert re.match(r"(With --\w+: )?([A-Z]?[a-z]+)\b", text), row


@pytest.mark.parametrize("command", ["new-case", "import-cs188", "gradescope"])
def test_a_command_that_writes_one_output_calls_its_option_out(command: str) -> None:
    assert re.search(r"^  -o, --out [A-Z]", run_here("autograder", command, "--help").stdout, re.MULTILINE)
