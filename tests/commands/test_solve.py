"""`python -m pacman solve`, from its command line to what it prints."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.command_line import run_here

TREE = """max
  a: 4
  b: chance
    x: min
      p: 1
      q: 9
      r: 9
    y: min
      p: 3
      q: 9
      r: 9
"""
PREFIX = "python -m pacman: "


@pytest.fixture
def tree(tmp_path: Path) -> str:
    path = tmp_path / "tree.txt"
    path.write_text(TREE)
    return str(path)


def run(*arguments: str) -> CompletedProcess[str]:
    return run_here("pacman", "solve", *arguments)


@pytest.mark.parametrize(
    ("algorithm", "nodes", "leaves"),
    [("exhaustive", 11, 7), ("alphabeta", 11, 7), ("star1", 9, 5), ("star2", 7, 3), ("auto", 7, 3)],
)
def test_json(tree: str, algorithm: str, nodes: int, leaves: int) -> None:
    result = run(tree, "--algorithm", algorithm, "--bounds", "-10", "10", "--json", "-")
    answer = json.loads(result.stdout)
    assert result.returncode == 0
    assert (answer["file"], answer["algorithm"], answer["value"], answer["action"]) == (tree, algorithm, 4, "a")
    assert (answer["nodes"], answer["leaves"]) == (nodes, leaves)
    assert answer["generated"] == nodes - 1
    assert answer["line"] == ["a"]
    assert answer.get("chosen", algorithm) == ("star2" if algorithm == "auto" else algorithm)


def test_an_error_in_one_file_does_not_stop_the_others(tree: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("max\n  a: mn")
    result = run(str(bad), tree, str(tmp_path / "none.txt"), "--json", "-")
    assert result.returncode == 2
    assert json.loads(result.stdout)["value"] == 4
    assert result.stderr.splitlines() == [
        f"{PREFIX}{bad}, line 2: unknown kind 'mn'; expected max, min, chance or a number; did you mean 'min'?",
        f"{PREFIX}{tmp_path / 'none.txt'}: no such file or directory",
    ]


def test_a_trace_in_both_forms(tree: str) -> None:
    output = run(tree, "--algorithm", "star2", "--bounds", "-10", "10", "--trace").stdout
    assert "probe cut" in output
    visits = json.loads(run(tree, "--algorithm", "star2", "--bounds", "-10", "10", "--trace", "--json", "-").stdout)[
        "trace"
    ]
    assert [visit["why"] for visit in visits] == ["value", "leaf", "probe cut", "probed", "leaf", "probed", "leaf"]
    assert visits[2] == {
        "path": ["b"],
        "plies": 2,
        "alpha": 4,
        "beta": 10,
        "why": "probe cut",
        "value": 2,
        "action": None,
        "never_seen": [],
    }


def test_why_is_in_the_text_and_in_json(tree: str) -> None:
    answer = run(tree, "--why")
    assert " is 2 better on average than the next best, b. " in answer.stdout.splitlines()[-1]
    (row,) = (json.loads(line) for line in run(tree, "--why", "--json", "-").stdout.splitlines())
    assert answer.stdout.splitlines()[-1].endswith(row["why"])


def test_compare(tree: str) -> None:
    rows = [
        json.loads(row) for row in run(tree, "--compare", "--bounds", "-10", "10", "--json", "-").stdout.splitlines()
    ]
    assert [row["algorithm"] for row in rows] == ["exhaustive", "alphabeta", "star1", "star2", "star2.5"]
    assert {row["value"] for row in rows} == {4}
    assert rows[3]["saved"] == pytest.approx(4 / 11)
    assert len(run(tree, "--compare", "--json", "-").stdout.splitlines()) == 2  # no bounds, no star


def test_pacman() -> None:
    arguments = ["gamble", "--ghosts", "random,optimal", "--rounds", "2", "--compare", "--json", "-"]
    rows = [json.loads(row) for row in run(*arguments).stdout.splitlines()]
    assert len({round(row["value"], 9) for row in rows}) == 1
    assert rows[-1]["saved"] > 0.5
    assert run("gambl").stderr == f"{PREFIX}no file with a tree and no layout 'gambl': did you mean 'gamble'?\n"
