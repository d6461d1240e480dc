"""Damaged stores, and any order of hand-ins: each is read, or refused with one line; the last attempt is the last."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from autograder.course.intake.roster import Student
from autograder.course.marks.board import dump, load_board
from autograder.course.marks.marks import load_works
from autograder.course.store import Store
from autograder.sandbox.submission_files import SubmissionFiles
from tests.course.filled_store import small_class
from tests.fuzz.inputs import fuzz, result_or_refusal, written_file


@cache
def whole_store() -> bytes:
    """The file of a small class."""
    with tempfile.TemporaryDirectory() as folder:
        return small_class(Path(folder, "class.db")).read_bytes()


changes = st.lists(st.tuples(st.integers(0, 10**6), st.binary(min_size=1, max_size=6)), max_size=6)


@fuzz(changes, divided_by=2)
def test_damaged_stores(changed: list[tuple[int, bytes]]) -> None:
    content = bytearray(whole_store())
    for place, part in changed:
        start = place % len(content)
        content[start : start + len(part)] = part
    with written_file("class.db", bytes(content)) as path:
        result_or_refusal(lambda: read_everything(str(path)))


def read_everything(address: str) -> None:
    with Store.open(address) as store:
        for name in store.assignments():
            for each in store.attempts(name):
                if not each.problem:
                    store.files(each.work)
                store.steps(each.work, "r")
            load_works(store, name)
            dump(load_board(store, name))
            for result in store.results(name):
                store.scorecard(result.id)
        store.events()


texts = st.sampled_from(("A", "B", "C"))
hand_ins = st.lists(
    st.tuples(st.sampled_from(("ada", "Ada ", "bob", "\u00e9", "e\u0301", "\ud800", "7")), texts), max_size=12
)


@fuzz(hand_ins, divided_by=2)
def test_the_last_attempt_is_what_was_handed_in_last(given: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder, Store.open(str(Path(folder, "class.db")), create=True) as store:
        expected: dict[int, list[str]] = {}
        for key, text in given:
            number = store.add_attempt(Student(key, key), "m", SubmissionFiles({"a.py": text.encode()}))
            (owner,) = (each.student for each in store.attempts("m") if each.id == number)
            own = expected.setdefault(hash(owner.key), [])
            if own[-1:] != [text]:
                own.append(text)
        found: dict[int, list[str]] = {}
        for each in store.attempts("m"):
            found.setdefault(hash(each.student.key), []).append(store.files(each.work).files["a.py"].decode())
        assert found == expected
