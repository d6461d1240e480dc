"""The commands for a class, as transcripts (see `tests.commands.test_transcripts`), on stores that need no sandbox.

Also the errors of the commands that make an assignment and a kit. UPDATE_TRANSCRIPTS=1 writes the file again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course.new_assignment import small_assignment, write_files
from autograder.course.store import Store
from tests.commands.test_transcripts import cases, check
from tests.course import small_class
from tests.course.filled_store import FULL, T, add, card
from tests.course.filled_store import small_class as small_store

FILE = Path(__file__).with_name("transcripts.txt")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with stores, submissions, an assignment, and names that are taken."""
    folder = tmp_path_factory.mktemp("files")
    small_store(folder / "class.db")
    with Store.open(str(small_store(folder / "adjusted.db"))) as store:
        for key, points, reason in (("bob", 4.0, "an appeal;\n=1+1"), ("zoë", 1.0, "by hand")):
            store.add_adjustment(key, "multiagent", "q1", points, reason)
    Store.open(str(folder / "empty.db"), create=True).__exit__()
    with Store.open(str(folder / "open.db"), create=True) as store:
        add(store, "ada", None)
    with Store.open(str(folder / "week.db"), create=True) as store:
        add(store, "ada", None, assignment="week")
    with Store.open(str(folder / "mixed.db"), create=True) as store:
        add(store, "ada", card(FULL), T(1))
        add(store, "bob", card(FULL), T(1), version=("a2", "g1"))
        add(store, "cyn", None, T(1))
        add(store, "dan", card(FULL), T(1), assignment="warm-up")
    small_class.write_class(folder / "class", loops=False)
    write_files(small_assignment("week"), folder / "week")
    (folder / "full.zip").touch()
    (folder / "folder.zip").mkdir()
    return folder


@pytest.mark.parametrize(("file", "number", "case"), cases(FILE), ids=lambda value: str(value).split("\n")[0][:60])
def test_transcript(file: Path, number: int, case: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    before = sorted(path.name for path in folder.iterdir())
    got = check(file, number, case, folder, monkeypatch)
    assert got.endswith("exit 0\n") or got.count("\n") == 2, "an error is one line"
    assert sorted(path.name for path in folder.iterdir()) == before, "nothing is written"
