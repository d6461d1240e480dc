"""`python -m pacman solve`, from its command line to what it prints."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from tests.command_line import run_here

TREE = "max { a: 4; b: chance { x: min { p: 1; q: 9; r: 9 }; y: min { p: 3; q: 9; r: 9 } } }"
BOUNDS = ("--bounds", "-10", "10")
PREFIX = "python -m pacman: "


def run(*arguments: str) -> CompletedProcess[str]:
    return run_here("pacman", "solve", *arguments)


def answers(*arguments: str) -> list[Any]:
    return [json.loads(line) for line in run(*arguments, "--json", "-").stdout.splitlines()]


@pytest.mark.parametrize(
    ("algorithm", "nodes", "leaves"),
    [("exhaustive", 11, 7), ("alphabeta", 11, 7), ("star1", 9, 5), ("star2", 7, 3), ("auto", 7, 3)],
)
def test_json(algorithm: str, nodes: int, leaves: int) -> None:
    (answer,) = answers(TREE, "--algorithm", algorithm, *BOUNDS)
    assert (answer["file"], answer["algorithm"], answer["value"], answer["action"]) == (TREE, algorithm, 4, "a")
    assert (answer["nodes"], answer["leaves"], answer["generated"], answer["line"]) == (nodes, leaves, nodes - 1, ["a"])
    assert answer.get("chosen", algorithm) == ("star2" if algorithm == "auto" else algorithm)


def test_an_error_in_one_target_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("max\n  a: mn")
    result = run(str(tmp_path / "bad.txt"), TREE, "gambl", str(tmp_path / "none.txt"), "--json", "-")
    assert (result.returncode, json.loads(result.stdout)["value"]) == (2, 4)
    kind = "unknown kind 'mn'; expected max, min, chance or a number; did you mean 'min'?"
    assert result.stderr.splitlines() == [
        f"{PREFIX}{tmp_path / 'bad.txt'}, line 2: {kind}",
        f"{PREFIX}no file with a tree and no layout 'gambl': did you mean 'gamble'?",
        f"{PREFIX}{tmp_path / 'none.txt'}: no such file or directory",
    ]


def test_trace_and_why_are_in_the_text_and_in_json() -> None:
    star2 = (TREE, "--algorithm", "star2", *BOUNDS, "--trace")
    assert "probe cut" in run(*star2).stdout
    visits = answers(*star2)[0]["trace"]
    assert [visit["why"] for visit in visits] == ["value", "leaf", "probe cut", "probed", "leaf", "probed", "leaf"]
    window = {"path": ["b"], "plies": 2, "alpha": 4, "beta": 10}
    assert visits[2] == window | {"why": "probe cut", "value": 2, "action": None, "never_seen": []}
    last = run(TREE, "--why").stdout.splitlines()[-1]
    assert " is 2 better on average than the next best, b. " in last
    assert last.endswith(answers(TREE, "--why")[0]["why"])


def test_compare() -> None:
    rows = answers(TREE, "--compare", *BOUNDS)
    assert [row["algorithm"] for row in rows] == ["exhaustive", "alphabeta", "star1", "star2", "star2.5"]
    assert {row["value"] for row in rows} == {4}
    assert rows[3]["saved"] == pytest.approx(4 / 11)
    assert len(answers(TREE, "--compare")) == 2  # no bounds, no star
    rows = answers("gamble", "--ghosts", "random,optimal", "--rounds", "2", "--compare")
    assert len({round(row["value"], 9) for row in rows}) == 1
    assert rows[-1]["saved"] > 0.5
