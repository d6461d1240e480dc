"""A fixture for the tests of a class."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new and empty store, `class.db` in the folder of the test."""
    with Store.open(str(tmp_path / "class.db"), create=True) as opened:
        yield opened
