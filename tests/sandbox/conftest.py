"""What several tests of hostile programs share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from autograder.sandbox.watch import questioner


@pytest.fixture
def short_diagnoses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process of a diagnosis gets 0.4 s. A program that sleeps or spins would use 20, and prove no more."""
    monkeypatch.setattr("autograder.sandbox.watch.questioner", partial(questioner, seconds=0.4))


@pytest.fixture
def skip_diagnoses(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """After a call of this function, nothing is diagnosed: that takes ten times as long as the cases of a program."""
    needed = "autograder.grading.grade.needs_diagnosis"
    return lambda: monkeypatch.setattr(needed, lambda *arguments: False)
