"""A change between two folders is a line; times and places are no change; an expected change is no fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.photographs import __main__ as program
from tests.photographs.difference import Difference, Expected
from tests.photographs.run import normal
from tests.photographs.terminal import Terminal


def folders(path: Path, before: str, after: str) -> tuple[Path, Path]:
    for name, text in (("before", before), ("after", after)):
        (path / name / "help" / "pacman").mkdir(parents=True)
        (path / name / "help" / "pacman" / "help.txt").write_text(text, encoding="utf-8")
    return path / "before", path / "after"


def test_a_change_is_a_line_and_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = folders(tmp_path, "play\nwatch\n12 ms\n", "play\nlook\n7.5 ms\n")
    assert program.compare(*both, ["help/pacman"], 10) == 1
    assert capsys.readouterr().out.splitlines() == [
        "help/pacman/help.txt:2 | watch | look",
        "1 shots compared: 1 differences that are not expected, in 1 shots",
    ]


def test_an_expected_change_is_counted(tmp_path: Path) -> None:
    rows = tmp_path / "expected.txt"
    rows.write_text("# a comment\n^help/.* watch \\| look$  ## renamed\n", encoding="utf-8")
    expected = Expected(rows)
    assert expected.has(Difference("help/pacman/help.txt:2", "watch", "look"))
    assert not expected.has(Difference("help/pacman/help.txt:2", "watch", "see"))
    assert expected.counts == {"line 2: renamed": 1}


def test_what_is_volatile_goes() -> None:
    text = normal(f"{Path('/somewhere')}/a.py: 3.5 s on 2026-01-02T03:04:05Z  \n", Path("/somewhere"))
    assert text == "HERE/a.py: N s on DATE\n"


def test_a_terminal_shows_what_was_written_last() -> None:
    terminal = Terminal(6, 2)
    terminal.write("one\nand\r\ntwo\x1b[1F\x1b[31mON\x1b[0m\x1b[K")
    assert re.sub(r"\x1b\[\d*m", "", terminal.text()).splitlines() == ["ON", "two"]
