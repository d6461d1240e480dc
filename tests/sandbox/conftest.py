"""What several tests of hostile programs share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from autograder.sandbox.questioner import questioner


@pytest.fixture
def short_examinations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process of an examination gets 0.4 s. A program that sleeps or spins would use 20, and prove no more."""
    monkeypatch.setattr("autograder.sandbox.questioner.questioner", partial(questioner, seconds=0.4))


@pytest.fixture
def skip_examinations(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """After a call of this function, nothing is examined: that takes ten times as long as the cases of a program."""
    needed = "autograder.grading.grade.needs_examination"
    return lambda: monkeypatch.setattr(needed, lambda *arguments: False)
