"""The table of rooms: no room has more lines or files than its row in rooms.txt says."""

from __future__ import annotations

from collections import Counter

from tests.paths import ROOT
from tests.test_structure import TABLE, row


def test_no_room_grows_above_its_row() -> None:
    """Who makes a room smaller lowers its row in rooms.txt; who needs more lines finds them in the same room."""
    lines, files = Counter[str](), Counter[str]()
    for path in (path for top in ("pacman", "agents", "autograder", "tests") for path in (ROOT / top).rglob("*.py")):
        lines[row(path)] += path.read_text(encoding="utf-8").count("\n")
        files[row(path)] += 1
    most = {name: numbers for part in TABLE for name, numbers in part.items()}
    assert most.keys() == lines.keys()
    above = {name for name, (of_lines, of_files) in most.items() if lines[name] > of_lines or files[name] > of_files}
    assert {name: (lines[name], files[name]) for name in above} == {}
