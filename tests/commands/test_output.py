"""`--json FILE`: JSON into a file, with the text on stdout; or `-`: JSON alone on stdout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run_here

COMMANDS = {
    "watch": "--view none --layout nook --games 2 --max-plies 1",
    "solve": "docs/tree.txt",
    "solve --compare": "docs/tree.txt",
    "replay": "{recording} --view none",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_json_goes_to_a_file_or_to_stdout(command: str, tmp_path: Path) -> None:
    recording = tmp_path / "game.json"
    run_here("pacman", "watch", "--view", "none", "--layout", "nook", "--save", str(recording))
    words = f"{command} {COMMANDS[command]}".format(recording=recording).split()
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


def test_one_ply_is_singular() -> None:
    result = run_here("pacman", "watch", "--view", "none", "--layout", "nook", "--max-plies", "1")
    assert result.stdout == "truncated: score 9 after 1 ply, seed 0\n"
