"""A change between two folders is a line; times and places are no change; a terminal shows what was written last."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.photographs import __main__ as program
from tests.photographs.shots import normal
from tests.photographs.terminal import Terminal


def test_a_change_is_a_line_and_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("before", "play\nwatch\n12 ms\n"), ("after", "play\nlook\n7.5 ms\n")):
        (tmp_path / name / "terminals" / "play").mkdir(parents=True)
        (tmp_path / name / "terminals" / "play" / "00.txt").write_text(normal(text), encoding="utf-8")
    assert program.compare(tmp_path / "before", tmp_path / "after", ["terminals/play"]) == 1
    out = ["terminals/play/00.txt:2 | watch | look", "1 shots compared: 1 differences"]
    assert capsys.readouterr().out.splitlines() == out


def test_a_terminal_shows_what_was_written_last() -> None:
    terminal = Terminal(6, 2)
    terminal.write("one\nand\r\ntwo\x1b[1F\x1b[31mON\x1b[0m\x1b[K")
    assert re.sub(r"\x1b\[\d*m", "", terminal.text()).splitlines() == ["ON", "two"]
